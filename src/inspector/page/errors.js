// The panel of script errors, of handlers that are switched off, and of refused files.

import { byId, el, setText } from './dom.js';
import { placeOf, withPlaces } from './sections.js';
import { clockOf } from './events.js';
import { toast } from './overlay.js';

/** Between two notices of new errors. */
const NOTICE_MS = 2000;

export class ErrorsPanel {
  constructor(model, sidebar) {
    Object.assign(this, { model, sidebar });
    /** Errors that were told, or null before the first list. */
    this.known = null;
    this.noticed = { bad: -Infinity, plain: -Infinity };
    /** Errors whose traceback is open, by place and message. */
    this.open = new Set();
    this.badge = byId('badge-errors');
    this.list = byId('panel-errors');
    model.on('hello', () => (this.known = null));
    model.on('errors hello', () => this.fill());
    model.on('errors', () => this.notice());
    model.on('warned', ({ text, problems }) => this.tell(warningOf(text, problems), 'errors', 'plain'));
    model.on('events', ({ events, all }) => !all && this.warn(events));
    this.fill();
  }

  fill() {
    const { errors, off, refused, warned } = this.model.errors;
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
      ...section(
        'Warnings',
        warned.map((problem) => problemOf(this.model, problem)),
      ),
    ];
    const calm = el(
      'p',
      { class: 'empty' },
      'No errors. When a script fails, it is told here, with its place in the file.',
    );
    this.list.replaceChildren(...(parts.length > 0 ? parts : [calm]));
  }

  /** Warnings of files, as of a misspelt event, are told too. */
  warn(events) {
    const warning = events.find(({ tone, file }) => tone === 'warning' && file);
    if (warning) this.tell(warning.text, 'events', 'plain');
  }

  tell(text, panel, tone) {
    const now = performance.now();
    if (this.sidebar.shows(panel) || now - this.noticed[tone] < NOTICE_MS) return;
    this.noticed[tone] = now;
    toast(text, tone);
  }

  /** Says once that a script has a new error, unless the list is seen. */
  notice() {
    const { errors } = this.model.errors;
    const fresh = errors.filter((error) => this.known && !this.known.has(keyOf(error)));
    this.known = new Set(errors.map(keyOf));
    if (fresh.length === 0) return;
    const { file, line, message, who } = fresh[0];
    const more = fresh.length > 1 ? ` (and ${fresh.length - 1} more)` : '';
    this.tell(`${who ? `${who}: ` : ''}${file}:${line}: ${message.split('\n')[0]}${more}`, 'errors', 'bad');
  }

  error(error) {
    const key = keyOf(error);
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

/** The first of some warnings, with its place. */
function warningOf(text, [first]) {
  return first ? `${text}: ${first.file}:${first.line}: ${first.message}` : text;
}

function keyOf({ file, line, message }) {
  return `${file}:${line} ${message}`;
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
