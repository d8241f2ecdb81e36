// The list of completions above the console's input.

import { el } from './dom.js';

const ASK_AFTER_MS = 90;
const MOST = 60;

export class Completion {
  constructor(input, orders) {
    this.input = input;
    this.orders = orders;
    this.offer = null;
    this.chosen = 0;
    this.asked = 0;
    this.timer = 0;
    this.list = el('ul', {
      id: 'completions',
      class: 'completions',
      role: 'listbox',
      'aria-label': 'Completions',
      hidden: true,
    });
    input.parentElement.append(this.list);
    input.setAttribute('aria-controls', 'completions');
    input.addEventListener('input', () => this.typed());
    input.addEventListener('blur', () => this.close());
  }

  typed() {
    clearTimeout(this.timer);
    const before = this.input.value.slice(0, this.input.selectionStart);
    if (/[\w.:]$/.test(before)) this.timer = setTimeout(() => this.ask(false), ASK_AFTER_MS);
    else this.close();
  }

  /** Whether the key was for the list. */
  press(event) {
    const takes = KEYS[event.key];
    if (!takes || (event.key !== 'Tab' && !this.offer) || event.ctrlKey || event.altKey || event.shiftKey) return false;
    if (event.key === 'Tab' && this.input.value.trim() === '' && !this.offer) return false;
    // Enter runs the line unless one went into the list.
    if (event.key === 'Enter' && !this.isEntered) return false;
    if (/^Arrow/.test(event.key) && this.offer.candidates.length === 0) return false;
    event.preventDefault();
    takes(this);
    return true;
  }

  async ask(byKey) {
    const number = ++this.asked;
    const { value, selectionStart } = this.input;
    try {
      const answer = await this.orders.ask('complete', { text: value, cursor: selectionStart });
      if (number !== this.asked || value !== this.input.value) return;
      this.show({ ...answer, to: selectionStart });
      if (byKey && answer.candidates.length === 1) this.take();
    } catch {
      this.close();
    }
  }

  show(offer) {
    const typed = this.input.value.slice(offer.from, offer.to);
    const isDone = offer.candidates.length === 1 && offer.candidates[0].text === typed;
    if (offer.candidates.length === 0) {
      this.close();
      return;
    }
    this.offer = offer;
    this.chosen = 0;
    // One that is typed in full is only told, not offered.
    this.isEntered = false;
    this.fill(isDone);
  }

  fill(isDone = false) {
    const items = this.offer.candidates.slice(0, MOST).map((candidate, index) => this.item(candidate, index, isDone));
    this.list.replaceChildren(...items);
    this.list.hidden = false;
    this.mark();
  }

  item({ text, signature, summary }, index, isDone) {
    const item = el(
      'li',
      { role: 'option', id: `completion-${index}` },
      el('code', {}, signature || text),
      summary ? el('span', { class: 'summary' }, summary) : null,
    );
    if (isDone) item.classList.add('done');
    // The input must keep the focus.
    item.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      this.chosen = index;
      this.take();
    });
    return item;
  }

  mark() {
    [...this.list.children].forEach((item, index) => item.setAttribute('aria-selected', String(index === this.chosen)));
    this.list.children[this.chosen]?.scrollIntoView({ block: 'nearest' });
    this.input.setAttribute('aria-activedescendant', `completion-${this.chosen}`);
  }

  step(by) {
    const count = Math.min(this.offer.candidates.length, MOST);
    this.chosen = (this.chosen + by + count) % count;
    this.isEntered = true;
    this.mark();
  }

  take() {
    const { from, to, candidates } = this.offer;
    this.input.setRangeText(candidates[this.chosen].text, from, to, 'end');
    this.close();
  }

  close() {
    clearTimeout(this.timer);
    this.asked += 1;
    this.offer = null;
    this.isEntered = false;
    this.list.hidden = true;
    this.input.removeAttribute('aria-activedescendant');
  }
}

const KEYS = {
  Tab: (completion) => (completion.offer ? completion.take() : completion.ask(true)),
  Enter: (completion) => completion.take(),
  ArrowDown: (completion) => completion.step(1),
  ArrowUp: (completion) => completion.step(-1),
  Escape: (completion) => completion.close(),
};
