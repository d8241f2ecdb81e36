// What lies above the page: refused files, short notices, the connection's banner, and the keys.

import { byId, el, iconButton } from './dom.js';
import { placeOf } from './sections.js';

const TOAST_MS = 3500;
const BAD_TOAST_MS = 7000;
const MOST_TOASTS = 4;

export function toast(text, tone = 'plain') {
  const element = el('div', { class: 'toast', data: { tone } }, text);
  const place = byId('toast');
  place.append(element);
  while (place.childElementCount > MOST_TOASTS) place.firstElementChild.remove();
  setTimeout(() => element.remove(), tone === 'bad' ? BAD_TOAST_MS : TOAST_MS);
}

/** The card of saved files that the room did not take. It goes when they are mended, or when it is closed. */
export class Refused {
  constructor(model) {
    this.model = model;
    /** The problems that were closed by hand: they come back only when they change. */
    this.closed = '';
    model.on('reload', (message) => this.reloaded(message));
    model.on('errors', ({ refused }) => this.show(refused ?? []));
    model.on('hello', () => this.hide());
  }

  reloaded({ ok, text, problems, stayed = 0 }) {
    if (!ok) {
      this.closed = '';
      this.show(problems ?? [], text);
      return;
    }
    this.hide();
    // The text has the changes and the milliseconds in it.
    toast(stayed > 0 ? `${text}; ${keptBy(stayed)}` : text, 'good');
  }

  show(problems, text) {
    const known = JSON.stringify(problems);
    if (problems.length === 0 && !text) this.hide();
    else if (known !== this.closed && known !== this.shown) this.build(problems, text, known);
  }

  build(problems, text, known) {
    this.shown = known;
    const close = iconButton('close', 'Close (Escape)', { id: 'overlay-close', on: { click: () => this.close() } });
    const files = new Set(problems.map((problem) => problem.file));
    const title = files.size > 1 ? 'Saved files were refused' : 'A saved file was refused';
    byId('overlay').replaceChildren(
      el('header', {}, el('h2', { id: 'overlay-title' }, title), close),
      el('p', { class: 'quiet' }, text || 'The last good version runs on.'),
      ...problems.map((problem) => problemOf(this.model, problem)),
    );
    byId('overlay').hidden = false;
    // Of a long line the marked part is shown.
    for (const pre of byId('overlay').querySelectorAll('pre')) toMark(pre);
  }

  /** Whether it was open. */
  close() {
    const wasOpen = !byId('overlay').hidden;
    if (wasOpen) this.closed = this.shown;
    this.hide();
    return wasOpen;
  }

  hide() {
    this.shown = null;
    byId('overlay').hidden = true;
  }
}

/** Scrolls a piece of a file sideways to the mark beneath its line. */
function toMark(pre) {
  const lines = pre.textContent.split('\n');
  const mark = Math.max(...lines.map((line) => line.search(/\^/)));
  const longest = Math.max(...lines.map((line) => line.length));
  if (mark > 0) pre.scrollLeft = (mark / longest) * pre.scrollWidth - pre.clientWidth / 3;
}

function keptBy(count) {
  return count === 1 ? '1 character keeps its place and memory' : `${count} characters keep their places and memory`;
}

/** A problem of a file that was refused. */
export function problemOf(model, problem) {
  return el(
    'article',
    { class: 'problem' },
    el('header', {}, ...placeOf(model, problem)),
    el('p', { class: 'message' }, problem.message),
    problem.excerpt ? el('pre', {}, problem.excerpt) : null,
    problem.hint ? el('p', { class: 'hint' }, problem.hint) : null,
  );
}

/** Tells above the stage why nothing moves. */
export class Banner {
  constructor(reconnect) {
    this.reconnect = reconnect;
    this.timer = 0;
    this.wasLive = false;
    this.failures = 0;
  }

  show(status, waitMs) {
    clearInterval(this.timer);
    const banner = byId('banner');
    document.body.classList.toggle('offline', status !== 'live');
    if (status === 'live') Object.assign(this, { wasLive: true, failures: 0 });
    if (status === 'lost') this.failures += 1;
    banner.hidden = status === 'live' || (status === 'connecting' && !banner.textContent);
    if (status === 'lost') this.countDown(performance.now() + waitMs);
    else if (status === 'ended') this.say('The room has ended.');
    else if (status === 'refused') this.say(this.whyRefused());
    else if (status === 'live') banner.replaceChildren();
  }

  countDown(end) {
    const lost = this.whyLost();
    const tell = () => {
      const left = Math.ceil((end - performance.now()) / 1000);
      this.say(left > 1 ? `${lost} Next try in ${left} s.` : `${lost} Trying again …`);
    };
    tell();
    this.timer = setInterval(tell, 1000);
  }

  whyRefused() {
    if (this.wasLive) return 'The room was started anew. Open the link that it printed: this page’s is an old one.';
    return 'The room refused this page: its link is not the one that the room printed, or too many pages are open.';
  }

  whyLost() {
    if (!this.wasLive) return 'The room cannot be reached.';
    return this.failures > 2 ? 'The room seems to have ended.' : 'The connection to the room is lost.';
  }

  say(text) {
    const again = el('button', { type: 'button', id: 'reconnect', on: { click: this.reconnect } }, 'Try now');
    byId('banner').replaceChildren(el('span', {}, text), again);
  }
}

const KEYS = [
  ['Space', 'pause, go on'],
  ['.  ,', 'one step; one back, into the past'],
  ['Home  End', 'in the past: its first and last moment'],
  ['Space, in the past', 'back to now'],
  ['F8  F10  F11', 'a stopped script: continue, step over, into; Shift + F11: out'],
  ['+  -', 'faster, slower'],
  ['↑ ↓ ← →  or  W A S D', 'steer the player'],
  ['Click', 'select; on ground: the player goes there'],
  ['Shift + click', 'the selected character walks there'],
  ['Drag', 'characters: move; ground: pan'],
  ['Wheel, pinch', 'zoom'],
  ['Right click, Alt + click, long press', 'open or close an area'],
  ['F', 'the whole room'],
  ['C', 'follow the selected character'],
  ['L', 'what everybody looks at, or only the selected character'],
  ['PgUp  PgDn', 'storey above, below'],
  ['V  G  P  N  M', 'tools: select, walk, way, new character, change'],
  ['Ctrl + Z', 'undo a change of the room; with Shift: redo'],
  ['`  or  /', 'Lua console'],
  ['B', 'panels'],
  ['Esc', 'close, put away, deselect'],
  ['?', 'this list'],
];

export function toggleHelp() {
  const dialog = byId('help');
  if (dialog.open) {
    dialog.close();
    return;
  }
  const close = iconButton('close', 'Close', { on: { click: () => dialog.close() } });
  const rows = KEYS.flatMap(([key, does]) => [el('dt', {}, key), el('dd', {}, does)]);
  dialog.replaceChildren(
    el('header', {}, el('h2', { id: 'help-title' }, 'Keys and hands'), close),
    el('dl', {}, ...rows),
  );
  dialog.showModal();
}
