// The panel of script errors, of handlers that are switched off, and of refused files.

import { byId, el, setText } from './dom.js';
import { placeOf, withPlaces } from './sections.js';
import { clockOf } from './events.js';

export class ErrorsPanel {
  constructor(model) {
    this.model = model;
    /** Errors whose traceback is open, by place and message. */
    this.open = new Set();
    this.badge = byId('badge-errors');
    this.list = byId('panel-errors');
    model.on('errors hello', () => this.fill());
    this.fill();
  }

  fill() {
    const { errors, off, refused } = this.model.errors;
    const count = errors.length + refused.length;
    setText(this.badge, count > 99 ? '99+' : String(count));
    this.badge.hidden = count === 0;
    const parts = [
      ...section(
        'Refused files',
        refused.map((problem) => problemOf(this.model, problem)),
      ),
      ...section(
        'Script errors',
        errors.map((error) => this.error(error)),
      ),
      ...section(
        'Switched off',
        off.map((handler) => this.handler(handler)),
      ),
    ];
    const calm = el(
      'p',
      { class: 'empty' },
      'No errors. When a script fails, it is told here, with its place in the file.',
    );
    this.list.replaceChildren(...(parts.length > 0 ? parts : [calm]));
  }

  error(error) {
    const key = `${error.file}:${error.line} ${error.message}`;
    const times =
      error.count > 1 ? el('span', { class: 'times', title: `${error.count} times` }, `× ${error.count}`) : null;
    const about = [error.event, `at ${clockOf(error.tick / (this.model.hello?.ticksPerSecond || 60))}`]
      .filter(Boolean)
      .join(' ');
    return el(
      'article',
      { class: 'error', data: { test: 'error' } },
      el('header', {}, ...placeOf(this.model, error), times),
      el('p', { class: 'message' }, error.message),
      el('p', { class: 'quiet' }, this.who(error.who), about),
      error.traceback ? this.traceback(key, error.traceback) : null,
    );
  }

  /** A character's name, which selects it; the room has none. */
  who(who) {
    const person =
      typeof who === 'number'
        ? this.model.personOf(who)
        : [...this.model.people.values()].find(({ name }) => name === who);
    if (!person) return el('span', {}, typeof who === 'string' ? `${who} ` : '');
    const select = () => this.model.select(person.id);
    return el('button', { type: 'button', class: 'link', on: { click: select } }, person.name);
  }

  traceback(key, text) {
    const details = el(
      'details',
      { open: this.open.has(key) },
      el('summary', {}, 'traceback'),
      el('pre', {}, ...withPlaces(this.model, text)),
    );
    details.addEventListener('toggle', () => {
      if (details.open) this.open.add(key);
      else this.open.delete(key);
    });
    return details;
  }

  handler(handler) {
    return el(
      'article',
      { class: 'error off' },
      el('header', {}, this.who(handler.who), el('strong', {}, handler.event ?? ''), ...placeOf(this.model, handler)),
      el('p', { class: 'message' }, handler.why),
    );
  }
}

/** A mistake in a file, with its place. */
export function problemOf(model, problem) {
  return el(
    'article',
    { class: 'error' },
    el('header', {}, ...placeOf(model, problem)),
    el('p', { class: 'message' }, problem.message),
    problem.hint ? el('p', { class: 'hint' }, problem.hint) : null,
  );
}

function section(title, items) {
  return items.length === 0 ? [] : [el('section', { class: 'section' }, el('h3', {}, title), ...items)];
}
