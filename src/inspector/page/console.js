// The Lua console: lines with history and completion, and what they answer.

import { byId, el, setText } from './dom.js';
import { Tree, isBranch } from './tree.js';
import { readKept, keep } from './kept.js';
import { Completion } from './completion.js';
import { FAILED } from './events.js';

const MOST_LINES = 400;
const MOST_HISTORY = 200;
/** The place of what lines of the console print. */
const PRINTED = 'console';
const PRINTS = ['log', 'warning'];

export class Console {
  constructor(model, orders, sidebar) {
    Object.assign(this, { model, orders, sidebar });
    this.history = readKept('console', []);
    this.at = this.history.length;
    this.draft = '';
    this.waiting = 0;
    this.build();
    this.completion = new Completion(this.input, orders);
    model.on('events', ({ events, all }) => !all && this.takeEvents(events));
  }

  build() {
    this.output = el('div', {
      id: 'console-output',
      class: 'output',
      role: 'log',
      'aria-label': 'Answers',
      tabIndex: 0,
    });
    this.input = el('textarea', {
      id: 'console-input',
      rows: 1,
      placeholder: 'room:npc("ada").x',
      'aria-label': 'Lua',
      autocomplete: 'off',
      autocapitalize: 'off',
      spellcheck: 'false',
      data: { now: '' },
    });
    this.callOff = el(
      'button',
      { type: 'button', class: 'small', id: 'console-call-off', hidden: true, on: { click: () => this.endWaiting() } },
      'call off what waits',
    );
    this.input.addEventListener('keydown', (event) => this.press(event));
    this.input.addEventListener('input', () => this.grow());
    byId('panel-console').replaceChildren(
      this.output,
      this.callOff,
      el('div', { class: 'prompt' }, el('span', { class: 'sign', 'aria-hidden': 'true' }, '›'), this.input),
      el('p', { class: 'keys' }, 'Enter runs · Shift+Enter new line · Tab completes'),
    );
  }

  focus() {
    this.sidebar.show('console');
    this.input.focus();
  }

  grow() {
    this.input.style.height = 'auto';
    this.input.style.height = `${Math.min(this.input.scrollHeight + 2, 220)}px`;
  }

  press(event) {
    if (event.isComposing || this.completion.press(event)) return;
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      this.run();
    } else if (event.key === 'Enter' && event.altKey) {
      event.preventDefault();
      this.input.setRangeText('\n', this.input.selectionStart, this.input.selectionEnd, 'end');
      this.grow();
    } else if (event.key === 'ArrowUp' && this.isOnEdgeLine('up')) this.recall(event, -1);
    else if (event.key === 'ArrowDown' && this.isOnEdgeLine('down')) this.recall(event, 1);
    else if (event.key === 'Escape') this.escape();
  }

  escape() {
    if (this.waiting > 0) this.endWaiting();
    else this.input.blur();
  }

  isOnEdgeLine(side) {
    const { value, selectionStart } = this.input;
    return side === 'up' ? !value.slice(0, selectionStart).includes('\n') : !value.slice(selectionStart).includes('\n');
  }

  recall(event, step) {
    const next = this.at + step;
    if (next < 0 || next > this.history.length) return;
    event.preventDefault();
    if (this.at === this.history.length) this.draft = this.input.value;
    this.at = next;
    this.input.value = this.history[next] ?? this.draft;
    this.grow();
  }

  async run() {
    const line = this.input.value.trimEnd();
    if (line.trim() === '') return;
    try {
      const answer = await this.orders.ask('lua', { line });
      this.accept(line);
      this.showAnswer(answer);
    } catch (error) {
      this.fail(line, error.message);
    }
  }

  /** The line was run: it goes to the history, and the input is emptied. */
  accept(line) {
    if (this.history.at(-1) !== line) this.history.push(line);
    this.history = this.history.slice(-MOST_HISTORY);
    keep('console', this.history);
    this.at = this.history.length;
    this.write('typed', line);
    if (this.input.value.trimEnd() === line) this.input.value = '';
    this.grow();
  }

  fail(line, message) {
    // A line that only has not ended yet goes on in the next one.
    if (/<eof>/.test(message)) {
      this.input.setRangeText('\n', this.input.value.length, this.input.value.length, 'end');
      this.grow();
      return;
    }
    this.accept(line);
    this.write('error', message);
  }

  showAnswer({ values, waiting }) {
    if (waiting) this.setWaiting(this.waiting + 1);
    if (waiting) this.write('quiet', 'waits …');
    else if (!values || values.length === 0) this.write('quiet', 'done');
    else values.forEach((value) => this.write('answer', value));
  }

  takeEvents(events) {
    for (const { tone, text, file } of events) {
      if (file === PRINTED && PRINTS.includes(tone)) this.write('printed', text);
      // Another page, or the terminal, may have asked; what it asked for is in the list of events.
      if (tone !== 'answer' || this.waiting === 0) continue;
      if (FAILED.test(text)) this.write('error', text.replace(FAILED, ''));
      else this.write('answer', text, true);
      this.setWaiting(this.waiting - 1);
    }
  }

  setWaiting(count) {
    this.waiting = count;
    this.callOff.hidden = count === 0;
  }

  async endWaiting() {
    await this.orders.send('callOff');
    this.setWaiting(0);
  }

  /** A line of output. Values that have parts become a tree; words that came as text stay as they are. */
  write(tone, value, isText = tone !== 'answer') {
    const follow = this.output.scrollHeight - this.output.scrollTop - this.output.clientHeight < 30;
    const line = el('div', { class: 'said', data: { tone } });
    if (isText) setText(line, String(value));
    else line.append(treeOf(value));
    this.output.append(line);
    while (this.output.childElementCount > MOST_LINES) this.output.firstElementChild.remove();
    if (follow) this.output.scrollTop = this.output.scrollHeight;
  }
}

function treeOf(value) {
  const tree = new Tree(new Set(isBranch(value) ? ['answer'] : []), 'answer');
  tree.update(value);
  return tree.element;
}
