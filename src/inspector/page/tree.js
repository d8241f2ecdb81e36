// Any JSON as a tree whose branches open and close. An update changes only the words that differ, so that open
// branches stay open, and a selection of text stays too.

import { el, setText } from './dom.js';

const MOST_CHILDREN = 500;

export class Tree {
  /** `open` is a set of the paths of open branches, which outlives the tree. */
  constructor(open, path, label = null) {
    this.open = open;
    this.path = path;
    this.label = label;
    this.value = undefined;
    this.kind = null;
    this.children = new Map();
    this.element = el('div', { class: 'tree' });
  }

  update(value) {
    this.value = value;
    const kind = isBranch(value) ? 'branch' : 'leaf';
    if (kind !== this.kind) this.build(kind);
    if (kind === 'leaf') this.updateLeaf();
    else this.updateBranch();
  }

  build(kind) {
    this.kind = kind;
    this.children.clear();
    this.words = el('span', {});
    const label = this.label === null ? null : el('span', { class: 'key' }, this.label);
    if (kind === 'leaf') {
      this.element.replaceChildren(...[label, this.words].filter(Boolean));
      return;
    }
    this.words.className = 'count';
    this.list = el('div', { class: 'branches' });
    this.details = el('details', { open: this.open.has(this.path) }, el('summary', {}, label, this.words), this.list);
    this.details.addEventListener('toggle', () => this.toggled());
    this.element.replaceChildren(this.details);
  }

  toggled() {
    if (this.details.open) this.open.add(this.path);
    else this.open.delete(this.path);
    this.updateBranch();
  }

  updateLeaf() {
    const type = this.value === null ? 'null' : typeof this.value;
    if (this.words.dataset.type !== type) this.words.dataset.type = type;
    setText(this.words, leafText(this.value));
  }

  updateBranch() {
    const entries = Array.isArray(this.value)
      ? this.value.map((value, index) => [String(index + 1), value])
      : Object.entries(this.value);
    setText(this.words, summaryOf(this.value, entries));
    // What is closed is built when it is opened.
    if (!this.details.open) return;
    this.updateChildren(entries.slice(0, MOST_CHILDREN));
  }

  updateChildren(entries) {
    const keys = new Set(entries.map(([key]) => key));
    for (const [key, child] of this.children) {
      if (keys.has(key)) continue;
      child.element.remove();
      this.children.delete(key);
    }
    entries.forEach(([key, value], index) => {
      let child = this.children.get(key);
      if (!child) {
        child = new Tree(this.open, `${this.path}\u0000${key}`, key);
        this.children.set(key, child);
      }
      child.update(value);
      if (this.list.children[index] !== child.element) {
        this.list.insertBefore(child.element, this.list.children[index] ?? null);
      }
    });
  }
}

export function isBranch(value) {
  return value !== null && typeof value === 'object' && Object.keys(value).length > 0;
}

function leafText(value) {
  if (value === null || value === undefined) return 'nil';
  if (typeof value === 'string') return `"${value}"`;
  if (typeof value === 'object') return Array.isArray(value) ? '[]' : '{}';
  if (typeof value === 'number' && !Number.isInteger(value)) return String(Number(value.toFixed(4)));
  return String(value);
}

/** A closed branch still tells its beginning. */
function summaryOf(value, entries) {
  const isList = Array.isArray(value);
  const short = entries.slice(0, 4).map(([key, child]) => {
    const text = isBranch(child) ? '…' : leafText(child);
    const clipped = text.length > 18 ? `${text.slice(0, 17)}…` : text;
    return isList ? clipped : `${key} = ${clipped}`;
  });
  const more = entries.length > 4 ? `, … ${entries.length} entries` : '';
  return `${isList ? '[' : '{'}${short.join(', ')}${more}${isList ? ']' : '}'}`;
}
