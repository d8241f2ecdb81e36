// Which moment is shown, and the way to another one. While one drags through time, frames are asked for, but never more
// than the room can show; the exact moment is computed only where one stays.

const GLANCE_MS = 50;
/** Keys may repeat: the exact moment is asked for when they rest. */
const REST_MS = 260;
/** The room tells where it is soon after its answer. */
const TOLD_MS = 600;

export class Moments {
  constructor(model, orders) {
    Object.assign(this, { model, orders });
    /** The tick that was asked for and is not told yet, or null. */
    this.wanted = null;
    /** The tick that is asked for next, or null. */
    this.next = null;
    this.isAsking = false;
    /** Orders that are not answered yet. */
    this.open = 0;
    this.asked = 0;
    this.timer = 0;
    /** The newest tick, and the first one that this page has seen. */
    this.live = null;
    this.seen = null;
    model.on('state', ({ tick }) => this.takeLive(tick));
    model.on('past', ({ tick }) => this.told(tick ?? null));
  }

  takeLive(tick) {
    if (this.isAway()) return;
    this.live = tick;
    this.seen ??= tick;
    this.model.tell('moment');
  }

  told(tick) {
    // What the room told before it got the order does not count.
    if (tick === this.wanted || (tick === null && this.open === 0)) this.wanted = null;
    this.model.tell('moment');
  }

  isAway() {
    return this.wanted !== null || this.model.isPast();
  }

  first() {
    return Math.min(this.model.past.first ?? this.seen ?? 0, this.last());
  }

  /** The last moment that can be looked at. A recording is known to its end. */
  last() {
    const isKnown = this.model.isPast() || this.model.hello?.recording;
    return (isKnown ? this.model.past.last : this.live) ?? this.live ?? 0;
  }

  shown() {
    return this.wanted ?? this.model.past.tick ?? this.live ?? this.last();
  }

  seconds(ticks) {
    return ticks / this.model.ticksPerSecond();
  }

  /** Why no other moment can be shown, or null. */
  whyNot() {
    return this.model.whyNot('goTo');
  }

  want(tick) {
    clearTimeout(this.timer);
    this.asked += 1;
    this.wanted = Math.round(Math.min(Math.max(tick, this.first()), this.last()));
    this.model.tell('moment');
  }

  /** Shows what was kept of a moment. */
  glance(tick) {
    if (this.whyNot()) return;
    this.want(tick);
    this.next = this.wanted;
    this.askNext();
  }

  async askNext() {
    if (this.isAsking || this.next === null) return;
    const order = { tick: this.next, exact: false };
    this.next = null;
    this.isAsking = true;
    await Promise.all([this.ask('ask', order).catch(() => {}), rest(GLANCE_MS)]);
    this.isAsking = false;
    this.askNext();
  }

  /** Asks for a moment; `way` is that of the orders which tells of errors, or not. */
  async ask(way, order) {
    this.open += 1;
    try {
      return await this.orders[way]('goTo', order);
    } finally {
      this.open -= 1;
    }
  }

  /** Shows a moment exactly. */
  async goTo(tick) {
    if (this.whyNot()) {
      this.orders.complain(this.whyNot());
      return;
    }
    this.want(tick);
    this.next = null;
    const { asked } = this;
    const answer = await this.ask('send', { tick: this.wanted, exact: true });
    if (asked === this.asked) this.timer = setTimeout(() => this.giveUp(), answer ? TOLD_MS : 0);
  }

  /** The room went to another moment than was wanted. */
  giveUp() {
    this.wanted = null;
    this.model.tell('moment');
  }

  step(ticks) {
    if (this.whyNot()) {
      this.orders.complain(this.whyNot());
      return;
    }
    this.glance(this.shown() + ticks);
    this.timer = setTimeout(() => this.goTo(this.wanted ?? this.shown()), REST_MS);
  }

  async goLive() {
    clearTimeout(this.timer);
    this.asked += 1;
    this.next = null;
    this.wanted = null;
    await this.orders.send('goLive');
    this.model.tell('moment');
  }
}

function rest(ms) {
  return new Promise((done) => setTimeout(done, ms));
}
