// The sections of an `inspect` message as lines: a label, a sentence, a tree, a place in a script.

import { el, iconButton, setText } from './dom.js';
import { Tree } from './tree.js';
import { editorLink } from './model.js';

export class Sections {
  constructor(model, element, open = new Set()) {
    this.model = model;
    this.element = element;
    /** Paths of open branches; kept when another character is looked at. */
    this.open = open;
    this.sections = new Map();
  }

  update(sections) {
    keepInOrder(
      this.element,
      this.sections,
      sections,
      (section) => section.title,
      (section) => this.make(section),
    );
    for (const section of sections) this.fill(this.sections.get(section.title), section);
  }

  make(section) {
    const list = el('div', { class: 'rows' });
    const element = el('section', { class: 'section' }, el('h3', {}, section.title), list);
    return { element, list, rows: new Map() };
  }

  fill(kept, { title, rows }) {
    const keyed = withKeys(rows);
    keepInOrder(
      kept.list,
      kept.rows,
      keyed,
      ({ key }) => key,
      ({ key, row }) => this.makeRow(title, key, row),
    );
    for (const { key, row } of keyed) this.fillRow(kept.rows.get(key), row);
  }

  makeRow(title, key, row) {
    const words = el('div', { class: 'words' });
    const tree = new Tree(this.open, `${title}\u0000${key}`);
    const place = el('span', { class: 'place' });
    const value = el('div', { class: 'value' }, words, tree.element, place);
    const element = el('div', { class: 'row' }, el('div', { class: 'label' }, row.label), value);
    return { element, words, tree, place, shown: '', link: '' };
  }

  fillRow(kept, row) {
    const shown = JSON.stringify(row);
    if (kept.shown === shown) return;
    kept.shown = shown;
    kept.element.classList.toggle('bad', row.tone === 'bad');
    setText(kept.words, row.text ?? '');
    kept.words.hidden = row.text === undefined || row.text === null;
    kept.tree.element.hidden = row.value === undefined;
    if (row.value !== undefined) kept.tree.update(row.value);
    const link = row.file ? `${row.file}:${row.line}` : '';
    if (kept.link !== link) kept.place.replaceChildren(...placeOf(this.model, row));
    kept.link = link;
  }
}

/** A place in a file, as a link into the editor where one is known; a script can be shown in the page too. */
export function placeOf(model, { file, line, column }) {
  if (!file) return [];
  const text = [file, line, column].filter((part) => part !== undefined && part !== null && part !== 0).join(':');
  const href = editorLink(model.hello, file, line, column);
  const link = href
    ? el('a', { href, class: 'file', title: 'Open in the editor' }, text)
    : el('span', { class: 'file' }, text);
  if (!file.endsWith('.lua')) return [link];
  const show = () => model.tell('showSource', { file, line: line || null });
  return [link, iconButton('code', `Show ${text} here`, { class: 'bare here', on: { click: show } })];
}

/** A text whose places in scripts are links, as tracebacks have them. */
export function withPlaces(model, text) {
  return text.split(/([\w./-]+\.lua:\d+)/).flatMap((part, index) => {
    if (index % 2 === 0) return [part];
    const [file, line] = part.split(':');
    return placeOf(model, { file, line: Number(line) });
  });
}

/** Labels may come twice; each row needs a key of its own. */
function withKeys(rows) {
  const times = new Map();
  return rows.map((row) => {
    const time = (times.get(row.label) ?? 0) + 1;
    times.set(row.label, time);
    return { key: `${row.label} ${time}`, row };
  });
}

/** Makes the children of an element those of a list: the old ones stay, in the new order. */
function keepInOrder(parent, kept, list, keyOf, make) {
  const keys = new Set(list.map(keyOf));
  for (const [key, old] of kept) {
    if (keys.has(key)) continue;
    old.element.remove();
    kept.delete(key);
  }
  list.forEach((item, index) => {
    const key = keyOf(item);
    if (!kept.has(key)) kept.set(key, make(item));
    const { element } = kept.get(key);
    if (parent.children[index] !== element) parent.insertBefore(element, parent.children[index] ?? null);
  });
}
