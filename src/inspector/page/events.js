// The panel of what happened: newest at the bottom, with filters.

import { byId, el, setText } from './dom.js';
import { placeOf } from './sections.js';

/** Events that are kept, and rows that are shown of them. */
const MOST = 3000;
const MOST_ROWS = 1000;
/** New rows are added this often, and this many at once: a flood of lines must not stop the page. */
const ADD_MS = 100;
const MOST_NEW = 100;
/** A list goes on scrolling for so long after it was touched. */
const TOUCH_MS = 700;
/** How the answer of a waiting line of Lua begins when it failed. */
export const FAILED = /^error: /;
const TONES = ['event', 'said', 'log', 'warning', 'error', 'reload', 'answer'];

export class EventsPanel {
  constructor(model, sidebar, moments) {
    Object.assign(this, { model, sidebar, moments });
    this.events = [];
    this.hidden = new Set();
    this.text = '';
    this.onlySelected = false;
    this.isStale = false;
    /** Whether the newest row stays in view. */
    this.follows = true;
    this.touched = -Infinity;
    this.top = 0;
    /** Events whose rows are not made yet. */
    this.pending = [];
    this.timer = 0;
    this.build();
    model.on('events', (message) => this.takeMessage(message));
    model.on('selected', () => this.onlySelected && this.rebuild());
    model.on('hello', () => this.clear());
    model.on('past', () => this.dim());
    sidebar.onShow('events', () => this.isStale && this.rebuild());
  }

  build() {
    const search = el('input', {
      type: 'search',
      id: 'events-filter',
      placeholder: 'filter…',
      'aria-label': 'Filter events',
    });
    search.addEventListener('input', () => {
      this.text = search.value.toLowerCase();
      this.rebuild();
    });
    const chips = TONES.map((tone) => this.makeChip(tone));
    const mine = chip('selected only', false, { id: 'events-selected' }, (on) => {
      this.onlySelected = on;
      this.rebuild();
    });
    const clear = el(
      'button',
      {
        type: 'button',
        class: 'small',
        id: 'events-clear',
        title: 'Clear the list',
        on: { click: () => this.clear() },
      },
      'clear',
    );
    this.list = el('div', { class: 'events', id: 'events-list', role: 'log', 'aria-label': 'Events', tabIndex: 0 });
    this.empty = el('p', { class: 'empty', hidden: true });
    this.newer = el(
      'button',
      { type: 'button', class: 'newer', hidden: true, on: { click: () => this.scrollDown() } },
      'newest ↓',
    );
    this.list.addEventListener('scroll', () => this.scrolled());
    const touch = () => (this.touched = performance.now());
    for (const name of ['wheel', 'touchmove', 'keydown']) this.list.addEventListener(name, touch, { passive: true });
    this.list.addEventListener('pointerdown', ({ offsetX }) => {
      if (offsetX > this.list.clientWidth) this.touched = Infinity; // the bar is held
    });
    window.addEventListener('pointerup', () => (this.touched = Math.min(this.touched, performance.now())));
    byId('panel-events').replaceChildren(
      el(
        'div',
        { class: 'filters' },
        el('div', { class: 'search' }, search, clear),
        el('div', { class: 'chips' }, ...chips, mine),
      ),
      this.empty,
      this.list,
      this.newer,
    );
  }

  makeChip(tone) {
    return chip(tone, true, { data: { tone } }, (on) => {
      if (on) this.hidden.delete(tone);
      else this.hidden.add(tone);
      this.rebuild();
    });
  }

  clear() {
    this.events = [];
    this.rebuild();
  }

  /** A page that comes later is told `all` there was; of very many at once, some are left out. */
  takeMessage({ events, all, leftOut }) {
    if (all) this.clear();
    const gap = leftOut > 0 && events.length > 0;
    const { tick, time } = events[0] ?? {};
    this.take(gap ? [{ tick, time, tone: 'warning', text: `${leftOut} more, left out` }, ...events] : events);
  }

  take(events) {
    for (const event of events) this.events.push(event);
    if (this.events.length > MOST) this.events.splice(0, this.events.length - MOST);
    if (!this.sidebar.shows('events')) {
      this.isStale = true;
      return;
    }
    for (const event of events) if (this.isWanted(event)) this.pending.push(event);
    this.timer ||= setTimeout(() => this.addRows(), ADD_MS);
  }

  addRows() {
    this.timer = 0;
    const { pending } = this;
    if (pending.length === 0) return;
    this.pending = [];
    const newest = pending.slice(-MOST_NEW);
    const rows = newest.map((event) => this.makeRow(event));
    const more = pending.length - newest.length;
    if (more > 0) rows.unshift(el('p', { class: 'quiet more' }, `… ${more} more; a filter shows them`));
    this.empty.hidden = true;
    this.list.append(...rows);
    this.dim(rows);
    while (this.list.childElementCount > MOST_ROWS) this.list.firstElementChild.remove();
    if (this.follows) this.scrollDown();
    else this.newer.hidden = false;
  }

  isWanted({ tone, text, who }) {
    if (this.hidden.has(tone)) return false;
    if (this.onlySelected && !(who ?? []).includes(this.model.selected)) return false;
    return this.text === '' || text.toLowerCase().includes(this.text);
  }

  rebuild() {
    this.isStale = false;
    this.pending = [];
    const wanted = this.events.filter((event) => this.isWanted(event)).slice(-MOST_ROWS);
    this.empty.hidden = wanted.length > 0;
    const isNobody = this.onlySelected && this.model.selected === null;
    const why = isNobody ? 'Nobody is selected.' : 'No event passes the filters.';
    setText(this.empty, this.events.length > 0 ? why : 'Nothing has happened yet.');
    this.list.replaceChildren(...wanted.map((event) => this.makeRow(event)));
    this.dim();
    this.scrollDown();
  }

  /** While one looks back, what came later is dim. */
  dim(rows = this.list.children) {
    const tick = this.model.isPast() ? this.model.past.tick : Infinity;
    for (const row of rows) row.classList.toggle('later', Number(row.dataset.tick) > tick);
  }

  makeRow(event) {
    const look = () => this.look(event);
    const title = `tick ${event.tick}: look at this moment`;
    const attributes = { type: 'button', class: 'bare time', title, on: { click: look } };
    const time = el('button', attributes, clockOf(event.time));
    const text = el('span', { class: 'text' }, ...withPlace(event.text, event, this.model));
    const row = el('div', { class: 'event', data: { tone: event.tone, tick: event.tick } }, time, text);
    if (event.tone === 'answer' && FAILED.test(event.text)) row.classList.add('failed');
    const who = event.who?.find((id) => this.model.people.has(id));
    if (who !== undefined) {
      row.classList.add('about');
      row.title = `select ${this.model.nameOf(who)}`;
      // A click that ends the marking of text is no choice.
      row.addEventListener('click', ({ target }) => {
        if (getSelection().isCollapsed && !target.closest('a, button')) this.model.select(who);
      });
    }
    return row;
  }

  /** Looks at the moment of an event; while a spec is shown, the events are those of another run. */
  look({ tick }) {
    if (!this.model.past.test) this.moments.goTo(tick);
  }

  /** Rows that change their height scroll the list, too: only people leave its end, and only upwards. */
  scrolled() {
    const { scrollTop } = this.list;
    const isUp = scrollTop < this.top;
    this.top = scrollTop;
    if (isUp && performance.now() - this.touched < TOUCH_MS) this.follows = false;
    else if (!isUp && this.isAtEnd()) this.follows = true;
    if (this.follows) this.scrollDown();
  }

  isAtEnd() {
    const { scrollHeight, scrollTop, clientHeight } = this.list;
    return scrollHeight - scrollTop - clientHeight < 30;
  }

  scrollDown() {
    this.list.scrollTop = this.list.scrollHeight;
    this.follows = true;
    this.newer.hidden = true;
  }
}

/** The text, with a link in the stead of its place in a file, or behind it. */
function withPlace(text, event, model) {
  const link = placeOf(model, event);
  if (link.length === 0) return [text];
  const place = `${event.file}:${event.line}`;
  const at = text.indexOf(place);
  return at < 0 ? [text, ' ', ...link] : [text.slice(0, at), ...link, text.slice(at + place.length)];
}

function chip(title, on, attributes, change) {
  const button = el('button', { type: 'button', class: 'chip', 'aria-pressed': String(on), ...attributes }, title);
  button.addEventListener('click', () => {
    const next = button.getAttribute('aria-pressed') !== 'true';
    button.setAttribute('aria-pressed', String(next));
    change(next);
  });
  return button;
}

/** Seconds as 1:02.5. */
export function clockOf(seconds) {
  const whole = Math.max(seconds ?? 0, 0);
  const minutes = Math.floor(whole / 60);
  return `${minutes}:${(Math.floor((whole % 60) * 10) / 10).toFixed(1).padStart(4, '0')}`;
}
