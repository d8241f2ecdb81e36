// A script that has stopped at a breakpoint: the line above the stage that says so, and the ways to go on.

import { byId, el, icon } from './dom.js';
import { placeOf } from './sections.js';

/** After a step the room mostly stops again at once; until then everything stays as it is. */
const SOON_MS = 160;

const WAYS = [
  ['continue', 'play', 'Continue', 'F8'],
  ['over', 'over', 'Step over', 'F10'],
  ['into', 'into', 'Step into', 'F11'],
  ['out', 'out', 'Step out', 'Shift+F11'],
];

export class Debugging {
  /** `take` takes a message into the model. */
  constructor(model, orders, take) {
    Object.assign(this, { model, orders, take });
    /** The way that was told and not carried out yet. */
    this.going = null;
    /** The one after that, if it was asked for before the script had stopped again. */
    this.next = null;
    /** Whether the script went on a moment ago, and may stop again at once. */
    this.isSoon = false;
    this.timer = 0;
    this.build();
    model.on('stopped people', () => this.show());
  }

  build() {
    this.where = el('span', { class: 'where' });
    this.buttons = WAYS.map(([how, sign, title, key]) =>
      el(
        'button',
        { type: 'button', title: `${title} (${key})`, data: { how }, on: { click: () => this.goOn(how) } },
        icon(sign),
        title.toLowerCase(),
      ),
    );
    byId('stopped').replaceChildren(this.where, el('div', { class: 'ways' }, ...this.buttons));
  }

  /** Whether a message is kept back for now. */
  holds(message) {
    if (message.kind !== 'stopped') return false;
    const stepped = this.going !== null && this.going !== 'continue';
    const { next } = this;
    this.letGo();
    if (message.stack.length > 0 && next) queueMicrotask(() => this.goOn(next));
    if (message.stack.length > 0 || !stepped) return false;
    // It mostly stops again at once: what was asked for meanwhile waits for that.
    this.next = next;
    this.isSoon = true;
    this.timer = setTimeout(() => {
      this.letGo();
      this.take(message);
    }, SOON_MS);
    return true;
  }

  /** Nothing is awaited any more. */
  letGo() {
    clearTimeout(this.timer);
    this.going = null;
    this.next = null;
    this.isSoon = false;
  }

  goOn(how) {
    if (!this.model.stopped) return;
    if (this.going || this.isSoon) {
      this.next = how;
      return;
    }
    this.going = how;
    this.orders.ask('goOn', { how }).catch((error) => {
      this.going = null;
      this.orders.complain(error.message);
    });
  }

  show() {
    const { model } = this;
    const { stopped } = model;
    byId('stopped').hidden = !stopped;
    if (!stopped) return;
    const [{ file, line }] = stopped.stack;
    this.where.replaceChildren('paused at ', ...placeOf(model, { file, line }), ownerOf(model) ?? '');
  }
}

/** Whose script has stopped; a character, or nothing for the room. */
function ownerOf(model) {
  const { who } = model.stopped;
  if (who === null || who === undefined) return null;
  const id = typeof who === 'number' ? who : [...model.people.values()].find(({ name }) => name === who)?.id;
  if (id === undefined) return el('span', { class: 'owner' }, String(who));
  const select = () => model.select(id);
  return el('button', { type: 'button', class: 'link owner', on: { click: select } }, model.nameOf(id));
}

/** The key of a way to go on, or undefined. */
export function wayOfKey({ key, shiftKey }) {
  return { F8: 'continue', F10: 'over', F11: shiftKey ? 'out' : 'into' }[key];
}
