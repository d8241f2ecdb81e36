// The text of a script with the numbers of its lines; a click on a number asks for a breakpoint.

import { el } from './dom.js';
import { hasCode, linesOf } from './lua.js';

const CHANGED_MS = 2500;

export class SourceView {
  /** `toggle(line)` is told where a breakpoint is wanted, or not wanted any more. */
  constructor(toggle) {
    this.toggle = toggle;
    this.text = '';
    this.from = 1;
    this.lines = [];
    this.rows = [];
    this.cursor = null;
    this.marks = { breakpoints: new Set(), current: null, isCaller: false, problems: new Map() };
    this.list = el('div', { class: 'lines' });
    this.element = el(
      'div',
      { id: 'source', class: 'source', tabIndex: 0, role: 'region', 'aria-label': 'Source' },
      this.list,
    );
    this.element.addEventListener('click', ({ target }) => this.click(target));
    this.element.addEventListener('keydown', (event) => this.press(event));
  }

  /** Shows a text whose first line has the number `from`. With `changes`, lines that differ are shown for a moment. */
  show(text, from = 1, changes = false) {
    const old = changes ? this.text.split('\n') : null;
    this.text = text.replaceAll('\r\n', '\n').replace(/\n$/, '');
    this.from = from;
    this.lines = linesOf(this.text);
    this.rows = this.lines.map((line, index) => rowOf(line, index + from));
    this.cursor = null;
    this.list.replaceChildren(...this.rows);
    this.showMarks();
    if (old) this.showChanges(old, this.text.split('\n'));
  }

  /** What lies between the same beginning and the same end. */
  showChanges(old, now) {
    let [start, end] = [0, 0];
    const shorter = Math.min(old.length, now.length);
    while (start < shorter && old[start] === now[start]) start += 1;
    while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;
    const changed = this.rows.slice(start, now.length - end);
    for (const row of changed) row.classList.add('changed');
    setTimeout(() => changed.forEach((row) => row.classList.remove('changed')), CHANGED_MS);
  }

  mark(marks) {
    Object.assign(this.marks, marks);
    this.showMarks();
  }

  showMarks() {
    const { breakpoints, current, isCaller, problems } = this.marks;
    this.rows.forEach((row, index) => {
      const line = index + this.from;
      const [gutter] = row.children;
      const stops = breakpoints.has(line);
      row.classList.toggle('stops', stops);
      row.classList.toggle('current', line === current && !isCaller);
      row.classList.toggle('caller', line === current && isCaller);
      row.classList.toggle('failed', problems.has(line));
      gutter.setAttribute('aria-pressed', String(stops));
      const title = stops ? 'Take the breakpoint away' : 'Stop here';
      const wanted = problems.has(line) ? `${problems.get(line)}\n${title}` : title;
      if (gutter.title !== wanted) gutter.title = wanted;
    });
  }

  reveal(line, flash = false) {
    const row = this.rows[line - this.from];
    if (!row) return;
    const { clientHeight, scrollTop } = this.element;
    const top = row.offsetTop;
    const isIn = top > scrollTop + 30 && top < scrollTop + clientHeight - 60;
    if (!isIn) this.element.scrollTop = Math.max(top - clientHeight / 3, 0);
    if (flash) this.point(line);
  }

  /** Puts the cursor of the keyboard into a line. */
  point(line) {
    this.rows[this.cursor - this.from]?.classList.remove('pointed');
    this.cursor = line;
    this.rows[line - this.from]?.classList.add('pointed');
  }

  click(target) {
    const row = target.closest('.code');
    if (!row) return;
    const line = Number(row.dataset.line);
    if (target.closest('.gutter')) this.wish(line);
    else if (getSelection().isCollapsed) this.point(line);
  }

  /** Lines without code never stop anything: the next one that has some is taken. */
  wish(line) {
    if (this.marks.breakpoints.has(line)) {
      this.toggle(line);
      return;
    }
    let at = line - this.from;
    while (at < this.lines.length && !hasCode(this.lines[at])) at += 1;
    if (at >= this.lines.length) return;
    // The comment above a line that stops does not take it away.
    if (!this.marks.breakpoints.has(at + this.from)) this.toggle(at + this.from);
  }

  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const last = this.from + this.rows.length - 1;
    if (step) {
      this.point(Math.min(Math.max((this.cursor ?? this.marks.current ?? this.from) + step, this.from), last));
      this.rows[this.cursor - this.from]?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    } else if ((event.key === 'Enter' || event.key === 'F9') && this.cursor !== null) this.wish(this.cursor);
    else if (!['ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown', 'Home', 'End'].includes(event.key)) return;
    else {
      event.stopPropagation();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

function rowOf(line, number) {
  const gutter = el('button', { type: 'button', class: 'gutter', tabIndex: -1 }, String(number));
  gutter.setAttribute('aria-label', `Breakpoint in line ${number}`);
  const words = line.map(({ kind, text }) => (kind ? el('span', { class: `lua-${kind}` }, text) : text));
  return el('div', { class: 'code', data: { line: number } }, gutter, el('code', {}, ...words, '\n'));
}
