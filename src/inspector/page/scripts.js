// The panel of the room's scripts: their text, breakpoints, and what a script that has stopped is about to do.

import { byId, el, iconButton, setText } from './dom.js';
import { placeOf } from './sections.js';
import { SourceView } from './source.js';
import { Tree } from './tree.js';

export class ScriptsPanel {
  constructor(model, orders, sidebar) {
    Object.assign(this, { model, orders, sidebar });
    this.files = null;
    this.file = null;
    this.texts = new Map();
    /** The frame of the stack that is looked at. */
    this.frame = 0;
    /** Open branches of variables; kept from stop to stop. */
    this.open = new Set();
    this.asked = 0;
    this.run = { key: '', computing: Infinity };
    this.build();
    model.on('showSource', ({ file, line }) => this.show(file, line));
    model.on('breakpoints', () => this.showBreakpoints());
    model.on('stopped', () => this.showStopped());
    model.on('errors', () => this.showMarks());
    model.on('reload', ({ files }) => this.refresh(files ?? []));
    model.on('whatIf', (message) => this.takeWhatIf(message));
    model.on('hello', () => this.forget());
    sidebar.onShow('scripts', () => this.shown());
  }

  build() {
    this.title = el('span', { class: 'file', id: 'source-file' }, 'Scripts of the room');
    this.place = el('span', { class: 'place' });
    this.list = el('div', { class: 'files', id: 'script-files', role: 'list' });
    this.chooser = el('details', { class: 'chooser', open: true }, el('summary', {}, this.title), this.list);
    this.note = el('p', { class: 'note', id: 'source-note', hidden: true });
    this.view = new SourceView((line) => this.toggle(this.file, line));
    this.stack = el('ol', { class: 'stack', id: 'stack' });
    this.variables = el('div', { class: 'variables', id: 'variables' });
    this.halt = el(
      'div',
      { class: 'halt', id: 'halt', hidden: true },
      el('section', { class: 'section' }, el('h3', {}, 'Variables'), this.variables),
      el('section', { class: 'section' }, el('h3', {}, 'Call stack'), this.stack),
    );
    this.count = el('span', { class: 'count' });
    this.stops = el('div', { id: 'breakpoints' });
    this.breakpoints = el(
      'details',
      { class: 'breaks', hidden: true, open: true },
      el('summary', {}, 'Breakpoints ', this.count),
      this.stops,
    );
    this.view.element.hidden = true;
    byId('panel-scripts').replaceChildren(
      el('header', { class: 'source-head' }, this.chooser, this.place),
      this.note,
      this.view.element,
      this.halt,
      this.breakpoints,
    );
  }

  /** Another room, or the same one anew. */
  forget() {
    this.files = null;
    this.texts.clear();
    if (this.sidebar.shows('scripts')) this.shown();
  }

  shown() {
    if (this.files === null) this.listFiles();
    if (this.file !== null && !this.texts.has(this.file)) this.load(this.file);
  }

  async listFiles() {
    if (this.model.stopped) return;
    try {
      const { files } = await this.orders.ask('files');
      this.files = files;
      this.showFiles();
    } catch {
      // It is asked for again when the panel is shown.
    }
  }

  showFiles() {
    const files = this.files ?? [];
    const stops = new Map();
    for (const { file } of this.model.breakpoints) stops.set(file, (stops.get(file) ?? 0) + 1);
    this.list.replaceChildren(
      ...files.map((file) =>
        el(
          'button',
          {
            type: 'button',
            role: 'listitem',
            data: { file },
            'aria-current': file === this.file ? 'true' : null,
            on: { click: () => this.choose(file) },
          },
          el('span', { class: 'name' }, file),
          stops.has(file) ? el('span', { class: 'stop', title: 'Breakpoints' }, String(stops.get(file))) : null,
        ),
      ),
      ...(files.length === 0 ? [el('p', { class: 'quiet' }, 'The room has no scripts.')] : []),
    );
  }

  choose(file) {
    this.show(file, null);
    this.view.element.focus({ preventScroll: true });
  }

  /** Shows a file of the room, and a line of it. */
  async show(file, line) {
    this.sidebar.show('scripts');
    this.chooser.open = false;
    const isOther = file !== this.file;
    this.file = file;
    setText(this.title, file);
    this.place.replaceChildren(...placeOf(this.model, { file, line: line ?? 1 }).slice(0, 1));
    const link = this.place.firstElementChild;
    if (link?.href) setText(link, 'edit');
    else this.place.replaceChildren();
    if (this.files !== null) this.showFiles();
    if (isOther || !this.texts.has(file)) await this.load(file);
    if (this.file !== file) return;
    if (line) this.view.reveal(line, !this.model.stopped);
    else if (isOther) this.view.element.scrollTop = 0;
  }

  /** Fills the view with what is known of the file; what is not known is asked for. */
  async load(file, changes = false) {
    const number = ++this.asked;
    const excerpt = this.excerptOf(file);
    if (!this.texts.has(file) && !this.model.stopped) await this.fetch(file);
    if (number !== this.asked) return;
    const text = this.texts.get(file);
    const isStale = excerpt && text?.split('\n')[excerpt.line - 1]?.trim() !== excerpt.words.trim();
    if (typeof text === 'string' && !isStale) {
      this.say(null);
      this.view.show(text, 1, changes);
    } else if (excerpt) {
      this.say('Only the lines around: the whole file can be read when the script has gone on.');
      this.view.show(excerpt.text, excerpt.from);
    } else this.view.show('');
    this.view.element.hidden = false;
    this.showMarks();
  }

  async fetch(file) {
    try {
      const { text } = await this.orders.ask('source', { file });
      this.texts.set(file, text);
    } catch (error) {
      this.say(error.message);
    }
  }

  say(text) {
    this.note.hidden = text === null;
    setText(this.note, text ?? '');
  }

  /** What a script that has stopped tells of a file. */
  excerptOf(file) {
    const frame = this.frameOf(this.frame);
    if (frame?.file !== file || !frame.lines?.length) return null;
    const { from, lines, line } = frame;
    return { from, line, text: lines.join('\n'), words: lines[line - from] ?? '' };
  }

  frameOf(index) {
    return this.model.stopped?.stack[index] ?? null;
  }

  /** Files were saved. */
  refresh(files) {
    for (const file of files) this.texts.delete(file);
    if (!this.sidebar.shows('scripts')) {
      this.files = null;
      return;
    }
    this.listFiles();
    if (files.includes(this.file)) this.reload(this.file);
  }

  /** Files were saved while the page looks at the past: with that, a computation begins anew. */
  takeWhatIf({ files, from, computing }) {
    const key = `${from} ${files}`;
    const isNew = key !== this.run.key || (computing ?? Infinity) < this.run.computing;
    this.run = { key, computing: computing ?? Infinity };
    if (isNew) this.refresh(files);
  }

  async reload(file) {
    const { scrollTop } = this.view.element;
    await this.load(file, true);
    this.view.element.scrollTop = scrollTop;
  }

  showMarks() {
    const { breakpoints, errors } = this.model;
    const own = ({ file, line }) => file === this.file && line > 0;
    const lines = breakpoints.filter(own).map(({ line }) => line);
    const problems = [...errors.refused, ...errors.errors].filter(own).map(({ line, message }) => [line, message]);
    const frame = this.frameOf(this.frame);
    this.view.mark({
      breakpoints: new Set(lines),
      problems: new Map(problems),
      current: frame?.file === this.file ? frame.line : null,
      isCaller: this.frame > 0,
    });
  }

  /** Breakpoints */

  toggle(file, line) {
    const { breakpoints } = this.model;
    const rest = breakpoints.filter((one) => one.file !== file || one.line !== line);
    this.setBreakpoints(rest.length < breakpoints.length ? rest : [...breakpoints, { file, line }]);
  }

  async setBreakpoints(breakpoints) {
    const before = this.model.breakpoints;
    this.model.take({ kind: 'breakpoints', breakpoints });
    const sent = breakpoints.map(({ file, line }) => ({ file, line }));
    const answer = await this.orders.send('setBreakpoints', { breakpoints: sent });
    if (!answer && this.model.breakpoints === breakpoints)
      this.model.take({ kind: 'breakpoints', breakpoints: before });
  }

  showBreakpoints() {
    const { breakpoints } = this.model;
    const inOrder = breakpoints.toSorted((one, two) => one.file.localeCompare(two.file) || one.line - two.line);
    this.breakpoints.hidden = breakpoints.length === 0;
    setText(this.count, String(breakpoints.length));
    this.stops.replaceChildren(...inOrder.map((one) => this.stopLine(one)));
    if (breakpoints.length > 1) this.stops.append(this.clearer());
    if (this.files !== null) this.showFiles();
    this.showMarks();
  }

  stopLine({ file, line }) {
    const text = `${file}:${line}`;
    const open = () => this.show(file, line);
    const words = this.texts.get(file)?.split('\n')[line - 1]?.trim();
    const remove = () => this.toggle(file, line);
    return el(
      'div',
      { class: 'line' },
      el(
        'button',
        { type: 'button', class: 'link title', on: { click: open } },
        el('span', { class: 'file' }, text),
        words ? el('code', {}, words) : null,
      ),
      iconButton('close', `Take away ${text}`, { class: 'bare', data: { remove: text }, on: { click: remove } }),
    );
  }

  clearer() {
    return el(
      'button',
      { type: 'button', class: 'small', id: 'breakpoints-clear', on: { click: () => this.setBreakpoints([]) } },
      'take all away',
    );
  }

  /** A script has stopped, or has gone on. */
  showStopped() {
    const { stopped } = this.model;
    this.halt.hidden = !stopped;
    this.frame = 0;
    if (stopped) this.look(0);
    else if (this.sidebar.shows('scripts')) this.wentOn();
  }

  wentOn() {
    this.showMarks();
    this.shown();
  }

  look(index) {
    this.frame = index;
    const { file, line } = this.frameOf(index);
    // Another frame may lie in a part of the file that is not known.
    if (!this.texts.has(file) && file === this.file) this.file = null;
    this.show(file, line);
    this.showMarks();
    this.showStack();
    this.showVariables();
  }

  showStack() {
    const { stack } = this.model.stopped;
    this.stack.replaceChildren(
      ...stack.map((frame, index) =>
        el(
          'li',
          {},
          el(
            'button',
            {
              type: 'button',
              data: { frame: index },
              'aria-pressed': String(index === this.frame),
              on: { click: () => this.look(index) },
            },
            el('span', { class: 'name' }, frame.function || 'the file itself'),
            el('span', { class: 'file' }, `${frame.file}:${frame.line}`),
          ),
        ),
      ),
    );
  }

  showVariables() {
    const { variables = [] } = this.frameOf(this.frame);
    const trees = variables.map(({ name, value }, index) => {
      // Two may have one name, when the inner hides the outer.
      const tree = new Tree(
        this.open,
        `${name}\u0000${variables.findIndex((one) => one.name === name) === index}`,
        name,
      );
      tree.update(value);
      return tree.element;
    });
    const none = el('p', { class: 'quiet' }, 'none here');
    this.variables.replaceChildren(...(trees.length > 0 ? trees : [none]));
  }
}
