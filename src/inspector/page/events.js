// The panel of what happened: newest at the bottom, with filters.

import { byId, el, iconButton } from './dom.js';
import { placeOf } from './sections.js';

const MOST = 3000;
/** How the answer of a waiting line of Lua begins when it failed. */
export const FAILED = /^error: /;
const TONES = ['event', 'said', 'log', 'warning', 'error', 'reload', 'lua', 'answer'];

export class EventsPanel {
  constructor(model, sidebar) {
    this.model = model;
    this.sidebar = sidebar;
    this.events = [];
    this.hidden = new Set();
    this.text = '';
    this.onlySelected = false;
    this.isStale = false;
    this.build();
    model.on('events', (message) => this.takeMessage(message));
    model.on('selected', () => this.onlySelected && this.rebuild());
    model.on('hello', () => this.clear());
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
    const clear = iconButton('close', 'Clear the list', {
      class: 'bare',
      id: 'events-clear',
      on: { click: () => this.clear() },
    });
    this.list = el('div', { class: 'events', id: 'events-list', role: 'log', 'aria-label': 'Events', tabIndex: 0 });
    this.newer = el(
      'button',
      { type: 'button', class: 'newer', hidden: true, on: { click: () => this.scrollDown() } },
      'newest ↓',
    );
    this.list.addEventListener('scroll', () => {
      if (this.isAtEnd()) this.newer.hidden = true;
    });
    byId('panel-events').replaceChildren(
      el(
        'div',
        { class: 'filters' },
        el('div', { class: 'search' }, search, clear),
        el('div', { class: 'chips' }, ...chips, mine),
      ),
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
    const follow = this.isAtEnd();
    const rows = events
      .filter((event) => this.isWanted(event))
      .slice(-MOST)
      .map((event) => this.makeRow(event));
    if (rows.length === 0) return;
    this.list.append(...rows);
    while (this.list.childElementCount > MOST) this.list.firstElementChild.remove();
    if (follow) this.scrollDown();
    else this.newer.hidden = false;
  }

  isWanted({ tone, text, who }) {
    if (this.hidden.has(tone)) return false;
    if (this.onlySelected && !(who ?? []).includes(this.model.selected)) return false;
    return this.text === '' || text.toLowerCase().includes(this.text);
  }

  rebuild() {
    this.isStale = false;
    this.list.replaceChildren(
      ...this.events.filter((event) => this.isWanted(event)).map((event) => this.makeRow(event)),
    );
    this.scrollDown();
  }

  makeRow(event) {
    const time = el('time', { title: `tick ${event.tick}` }, clockOf(event.time));
    const text = el('span', { class: 'text' }, ...withPlace(event.text, event, this.model));
    const row = el('div', { class: 'event', data: { tone: event.tone } }, time, text);
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

  isAtEnd() {
    const { scrollHeight, scrollTop, clientHeight } = this.list;
    return scrollHeight - scrollTop - clientHeight < 30;
  }

  scrollDown() {
    this.list.scrollTop = this.list.scrollHeight;
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
