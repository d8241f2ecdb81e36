// The line of time beneath the stage: what happened when, and a handle to look at it again. And the note on the stage
// that tells that one looks at the past.

import { byId, el, icon, iconButton, setText } from './dom.js';
import { clockOf } from './events.js';
import { readKept, keep } from './kept.js';
import { palette, onTheme } from './theme.js';

const MOST_MARKS = 6000;
const EDGE_PX = 8;
const LINE_PX = 21;
const NEAR_PX = 5;
/** Where the words of the clock stand, in seconds apart. */
const STEPS_S = [0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600];
const STEP_PX = 74;

/** From the least to the most important: later ones are drawn above, and are told first. */
const KINDS = {
  arrived: { colour: 'quiet', from: 13, to: 19 },
  said: { colour: 'accent', from: 10, to: 19 },
  blocked: { colour: 'amber', from: 7, to: 19 },
  reload: { colour: 'scene', from: 3, to: 19 },
  error: { colour: 'bad', from: 3, to: 19 },
};
const ORDER = Object.keys(KINDS);

function kindOf({ tone, text }) {
  if (tone === 'event')
    return /\barriv/i.test(text) ? 'arrived' : /\bblocked\b|\bstuck\b/i.test(text) ? 'blocked' : null;
  return ORDER.includes(tone) ? tone : null;
}

export class Timeline {
  constructor(model, moments) {
    Object.assign(this, { model, moments });
    this.marks = [];
    this.isDragged = false;
    this.pointer = null;
    this.isScheduled = false;
    this.build();
    this.note = new PastNote(model, moments);
    this.setFolded(readKept('timeFolded', false));
    model.on('events', (message) => this.takeEvents(message));
    model.on('hello', () => this.clear());
    model.on('moment waits whatIf', () => this.schedule());
    // The arrow keys shall steer again.
    model.on('waits', (why) => why === null && !this.isDragged && this.track.blur());
    onTheme(() => this.schedule());
    new ResizeObserver(() => this.draw()).observe(this.track);
  }

  build() {
    const { moments } = this;
    this.canvas = el('canvas', {});
    this.tip = el('div', { class: 'tip', hidden: true });
    this.track = el(
      'div',
      { id: 'time-track', class: 'track', role: 'slider', tabIndex: 0, 'aria-label': 'The moment that is shown' },
      this.canvas,
    );
    this.live = el(
      'button',
      { type: 'button', id: 'live', class: 'small', on: { click: () => moments.goLive() } },
      el('i', { class: 'dot' }),
      'live',
    );
    this.fold = el('button', {
      type: 'button',
      id: 'time-fold',
      class: 'bare',
      on: { click: () => this.setFolded(!this.isFolded) },
    });
    this.parts = [
      iconButton('back', 'One tick back (,)', {
        id: 'time-back',
        class: 'bare',
        on: { click: () => moments.step(-1) },
      }),
      this.track,
      iconButton('forward', 'One tick forward (.)', {
        id: 'time-forward',
        class: 'bare',
        on: { click: () => moments.step(1) },
      }),
      this.live,
    ];
    byId('timeline').replaceChildren(...this.parts, this.fold, this.tip);
    this.listen(this.track);
  }

  listen(track) {
    track.addEventListener('pointerdown', (event) => this.down(event));
    track.addEventListener('pointermove', (event) => this.move(event));
    track.addEventListener('pointerup', (event) => this.up(event));
    track.addEventListener('lostpointercapture', (event) => this.up(event));
    track.addEventListener('pointerleave', () => this.point(null));
    track.addEventListener('keydown', (event) => this.press(event));
  }

  setFolded(folded) {
    this.isFolded = folded;
    keep('timeFolded', folded);
    for (const part of this.parts) part.hidden = folded;
    byId('timeline').classList.toggle('shut', folded);
    const title = folded ? 'Show the line of time' : 'Hide the line of time';
    this.fold.title = title;
    this.fold.setAttribute('aria-label', title);
    this.fold.setAttribute('aria-expanded', String(!folded));
    this.fold.replaceChildren(icon(folded ? 'up' : 'down'));
    this.schedule();
  }

  clear() {
    this.marks = [];
    this.schedule();
  }

  /** What is told of the past has been marked before. */
  takeEvents({ events, all }) {
    if (this.model.isPast() && this.marks.length > 0) return;
    if (all) this.marks = [];
    for (const event of events) {
      const kind = kindOf(event);
      if (kind) this.marks.push({ tick: event.tick, kind, text: event.text });
    }
    if (this.marks.length > MOST_MARKS) this.marks.splice(0, this.marks.length - MOST_MARKS);
    this.schedule();
  }

  down(event) {
    if (event.button !== 0 || this.moments.whyNot()) return;
    this.track.setPointerCapture(event.pointerId);
    this.isDragged = true;
    this.moments.glance(this.tickAt(event.offsetX));
  }

  move(event) {
    this.point(event.offsetX);
    if (this.isDragged) this.moments.glance(this.tickAt(event.offsetX));
  }

  up({ offsetX }) {
    if (!this.isDragged) return;
    this.isDragged = false;
    // Beyond the end is now; a recording and a spec have a last moment instead.
    const { past, hello } = this.model;
    const isBeyond = offsetX > this.track.clientWidth - EDGE_PX + 2;
    if (isBeyond && !past.test && !hello?.recording) this.moments.goLive();
    else this.moments.goTo(this.tickAt(offsetX));
  }

  press(event) {
    const second = this.model.ticksPerSecond();
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, PageDown: -second, PageUp: second }[
      event.key
    ];
    if (step) this.moments.step(event.shiftKey ? Math.sign(step) * second : step);
    else if (event.key === 'Home') this.moments.goTo(this.moments.first());
    else if (event.key === 'End') this.moments.goTo(this.moments.last());
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** The pointer is at a place of the line, or nowhere. */
  point(x) {
    this.pointer = x;
    this.tip.hidden = x === null;
    if (x !== null) this.showTip(x);
    this.schedule();
  }

  showTip(x) {
    const tick = this.tickAt(x);
    const mark = this.markNear(x);
    const time = clockOf(this.moments.seconds(mark?.tick ?? tick));
    setText(this.tip, mark ? `${time}  ${mark.text}` : time);
    const { offsetLeft, clientWidth } = this.track;
    const half = this.tip.offsetWidth / 2;
    const middle = Math.min(Math.max(offsetLeft + x, half + 6), offsetLeft + clientWidth - half + 6);
    this.tip.style.left = `${Math.round(Math.max(middle, half + 4))}px`;
  }

  markNear(x) {
    let best = null;
    let most = -Infinity;
    for (const mark of this.model.past.test ? [] : this.marks) {
      const away = Math.abs(this.placeOf(mark.tick) - x);
      // Nearer ones before more important ones, to the pixel.
      const score = ORDER.indexOf(mark.kind) / 10 - Math.round(away);
      if (away > NEAR_PX || score < most) continue;
      [best, most] = [mark, score];
    }
    return best;
  }

  span() {
    return Math.max(this.moments.last() - this.moments.first(), 1);
  }

  room() {
    return Math.max(this.track.clientWidth - 2 * EDGE_PX, 1);
  }

  placeOf(tick) {
    return EDGE_PX + ((tick - this.moments.first()) / this.span()) * this.room();
  }

  tickAt(x) {
    const part = Math.min(Math.max((x - EDGE_PX) / this.room(), 0), 1);
    return Math.round(this.moments.first() + part * this.span());
  }

  schedule() {
    if (this.isScheduled) return;
    this.isScheduled = true;
    requestAnimationFrame(() => {
      this.isScheduled = false;
      this.draw();
    });
  }

  draw() {
    this.note.show();
    this.showState();
    const { clientWidth: width, clientHeight: height } = this.track;
    if (width === 0) return;
    const ratio = Math.min(devicePixelRatio || 1, 3);
    const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width !== wide || this.canvas.height !== high)
      Object.assign(this.canvas, { width: wide, height: high });
    const ctx = this.canvas.getContext('2d');
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    ctx.clearRect(0, 0, width, height);
    this.drawLine(ctx, width, height);
    this.drawWhatIf(ctx);
    this.drawMarks(ctx, width);
    this.drawHandle(ctx);
  }

  showState() {
    const { moments, model, track } = this;
    const isAway = moments.isAway();
    const why = moments.whyNot();
    this.live.setAttribute('aria-pressed', String(!isAway));
    this.live.disabled = why !== null;
    this.live.title = why ?? (isAway ? 'Back to now (space)' : 'The running room is shown');
    for (const id of ['time-back', 'time-forward']) byId(id).disabled = why !== null || moments.live === null;
    byId('time-forward').disabled ||= !isAway;
    track.classList.toggle('idle', why !== null);
    track.setAttribute('aria-valuemin', String(moments.first()));
    track.setAttribute('aria-valuemax', String(moments.last()));
    track.setAttribute('aria-valuenow', String(moments.shown()));
    const text = `${clockOf(moments.seconds(moments.shown()))}${isAway ? ', in the past' : ', now'}`;
    track.setAttribute('aria-valuetext', text);
    track.setAttribute('aria-disabled', String(why !== null));
    byId('timeline').hidden = !model.hello;
  }

  drawLine(ctx, width, height) {
    const { grid, quiet } = palette();
    const { moments } = this;
    ctx.fillStyle = grid;
    ctx.fillRect(EDGE_PX, LINE_PX - 2, width - 2 * EDGE_PX, 2);
    const span = moments.seconds(this.span());
    const most = Math.max(width / STEP_PX, 1);
    const step = STEPS_S.find((seconds) => span / seconds <= most) ?? STEPS_S.at(-1);
    ctx.fillStyle = quiet;
    ctx.font = '10.5px sans-serif';
    ctx.textAlign = 'center';
    ctx.textBaseline = 'bottom';
    const second = this.model.ticksPerSecond();
    const first = moments.seconds(moments.first());
    for (let at = Math.ceil(first / step) * step; at <= first + span; at += step) {
      const x = this.placeOf(at * second);
      ctx.fillRect(Math.round(x), LINE_PX, 1, 3);
      const words = step < 1 ? clockOf(at) : clockOf(at).replace(/\.\d$/, '');
      if (x > 18 && x < width - 18) ctx.fillText(words, x, height);
    }
  }

  /** The time that was computed with other files. */
  drawWhatIf(ctx) {
    const { whatIf } = this.model;
    if (!whatIf) return;
    const { edit } = palette();
    const [from, to] = [this.placeOf(whatIf.from), this.placeOf(whatIf.to)];
    ctx.fillStyle = edit;
    ctx.globalAlpha = 0.22;
    ctx.fillRect(from, LINE_PX - 5, Math.max(to - from, 2), 5);
    ctx.globalAlpha = 1;
    const done = this.placeOf(Math.max(whatIf.computing ?? whatIf.to, whatIf.from));
    ctx.fillRect(from, LINE_PX - 2, Math.max(done - from, 2), 2);
    const [first] = whatIf.differences;
    if (!first) return;
    const x = this.placeOf(first.tick);
    ctx.beginPath();
    ctx.moveTo(x, 1);
    ctx.lineTo(x + 5, 6);
    ctx.lineTo(x, 11);
    ctx.lineTo(x - 5, 6);
    ctx.fill();
  }

  /** Marks of one kind in one pixel are one line. */
  drawMarks(ctx, width) {
    const columns = ORDER.map(() => new Uint8Array(Math.ceil(width) + 1));
    // A recording has other events than the room.
    for (const { tick, kind } of this.model.past.test ? [] : this.marks) {
      const x = Math.round(this.placeOf(tick));
      if (x >= EDGE_PX && x <= width - EDGE_PX) columns[ORDER.indexOf(kind)][x] = 1;
    }
    ORDER.forEach((kind, index) => {
      const { colour, from, to } = KINDS[kind];
      ctx.fillStyle = palette()[colour];
      columns[index].forEach((taken, x) => taken && ctx.fillRect(x - 0.75, from, 1.5, to - from));
    });
  }

  drawHandle(ctx) {
    const { accent, amber, quiet, bubble } = palette();
    const isAway = this.moments.isAway();
    if (this.pointer !== null && !this.isDragged) {
      ctx.fillStyle = quiet;
      ctx.fillRect(Math.round(this.pointer), 1, 1, LINE_PX);
    }
    const x = this.placeOf(this.moments.shown());
    const colour = isAway ? amber : accent;
    ctx.fillStyle = colour;
    ctx.fillRect(x - 1, 1, 2, LINE_PX);
    ctx.beginPath();
    ctx.arc(x, LINE_PX - 1, isAway ? 6 : 4.5, 0, 2 * Math.PI);
    ctx.fill();
    ctx.lineWidth = 1.5;
    ctx.strokeStyle = bubble;
    ctx.stroke();
  }
}

/** Tells on the stage that the past is shown, how long ago, and what is still computed. */
class PastNote {
  constructor(model, moments) {
    Object.assign(this, { model, moments });
    this.ago = el('strong', { id: 'past-ago' });
    this.back = el(
      'button',
      { type: 'button', id: 'past-live', class: 'small primary', on: { click: () => moments.goLive() } },
      'back to now',
    );
    this.about = el('span', {});
    this.progress = el('progress', { max: 1, 'aria-label': 'Computing the exact moment' });
    this.words = el('span', {});
    this.computing = el('p', { id: 'past-computing', class: 'computing' }, this.progress, this.words);
    this.why = el('p', { id: 'past-why', class: 'why' });
    this.hint = el('p', { id: 'past-hint', class: 'quiet' }, 'Save a script or the room now to see another future.');
    byId('past').replaceChildren(
      el('div', {}, this.ago, this.about, this.back),
      this.computing,
      this.why,
      this.hint,
    );
  }

  show() {
    const { model, moments } = this;
    const isAway = moments.isAway();
    byId('past').hidden = !isAway;
    if (!isAway) return;
    const { computing, why, test } = model.past;
    const seconds = moments.seconds(moments.last() - moments.shown());
    const isFilm = Boolean(test || model.hello?.recording);
    const ago = isFilm ? `${agoOf(seconds)} before its end` : `${agoOf(seconds)} ago`;
    setText(this.ago, seconds >= 0.05 ? ago : isFilm ? 'at its end' : 'just now');
    this.computing.hidden = computing === null;
    if (computing !== null) this.showProgress(computing);
    this.why.hidden = !why;
    setText(this.why, why ? `Shown as it was kept: ${why}` : '');
    const about = model.hello?.recording ? 'a moment of the recording' : 'looking at the past, the room waits';
    setText(this.about, test ? `spec: ${test}` : about);
    this.hint.hidden = model.whatIf !== null || Boolean(test) || Boolean(model.hello?.recording);
  }

  showProgress(computing) {
    const part = Math.min(Math.max(computing / Math.max(this.moments.shown(), 1), 0), 1);
    this.progress.value = part;
    setText(this.words, `computing all of this moment … ${Math.floor(part * 100)} %`);
  }
}

function agoOf(seconds) {
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}
