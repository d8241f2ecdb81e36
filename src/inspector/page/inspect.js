// The panel that tells everything about the selected character.

import { byId, el, setText, iconButton } from './dom.js';
import { Sections } from './sections.js';
import { tintOf } from './colours.js';

/** A question waits so long for its answer. */
const SURE_MS = 3000;

export class InspectPanel {
  constructor(model, stage, orders) {
    Object.assign(this, { model, stage, orders });
    this.panel = byId('panel-inspect');
    this.build();
    model.on('selected people', () => this.showHead());
    model.on('following', () => this.showHead());
    model.on('inspect', (message) => this.take(message));
    this.showHead();
  }

  build() {
    this.dot = el('span', { class: 'tint' });
    this.name = el('h2', { id: 'inspect-name' });
    this.kind = el('p', { class: 'quiet' });
    const { model, orders } = this;
    const act = (order) => () => orders.send(order, { who: model.selected });
    this.follow = iconButton('follow', 'Follow with the view', {
      id: 'follow',
      'aria-pressed': 'false',
      on: { click: () => model.setFollowing(!model.following) },
    });
    const find = iconButton('target', 'Show on the map', {
      id: 'find',
      on: { click: () => this.stage.show(model.selected) },
    });
    this.head = el('header', { class: 'who' }, this.dot, el('div', {}, this.name, this.kind), find, this.follow);
    this.actions = el(
      'div',
      { class: 'actions' },
      el('button', { type: 'button', id: 'act-stop', data: { now: '' }, on: { click: act('stop') } }, 'Stop'),
      el(
        'button',
        { type: 'button', id: 'act-walk', data: { now: '' }, on: { click: () => model.setTool('walk') } },
        'Walk…',
      ),
      this.makeSay(),
      this.makeRemove(act('despawn')),
    );
    this.rows = el('div', { id: 'inspect-rows' });
    this.sections = new Sections(model, this.rows);
    this.hint = el(
      'div',
      { class: 'empty' },
      el('p', {}, 'Click a character on the map to see what it does, what its script waits for, and what it knows.'),
      this.makePicker(),
    );
    this.panel.replaceChildren(this.head, this.actions, this.rows, this.hint);
  }

  /** Nothing brings a character back, so it is asked for twice. */
  makeRemove(remove) {
    const button = el(
      'button',
      { type: 'button', id: 'act-despawn', class: 'risky', data: { now: '' } },
      'Remove',
    );
    let timer = 0;
    const ask = (isSure) => {
      clearTimeout(timer);
      setText(button, isSure ? 'Sure?' : 'Remove');
      button.classList.toggle('sure', isSure);
      if (isSure) timer = setTimeout(() => ask(false), SURE_MS);
    };
    button.addEventListener('click', () => {
      const isSure = button.classList.contains('sure');
      ask(!isSure);
      if (isSure) remove();
    });
    this.model.on('selected', () => ask(false));
    return button;
  }

  makeSay() {
    const input = el('input', {
      id: 'act-say',
      placeholder: 'say…',
      'aria-label': 'Let it say',
      autocomplete: 'off',
      data: { now: '' },
    });
    const submit = (event) => {
      event.preventDefault();
      if (input.value) this.orders.send('say', { who: this.model.selected, text: input.value });
      input.value = '';
    };
    return el('form', { on: { submit } }, input);
  }

  /** A field to find a character by its name. */
  makePicker() {
    const names = el('datalist', { id: 'picker-names' });
    const input = el('input', {
      id: 'picker',
      placeholder: 'find by name…',
      list: 'picker-names',
      'aria-label': 'Find a character',
    });
    const fill = () => {
      const people = [...this.model.people.values()].slice(0, 1000);
      names.replaceChildren(...people.map((person) => el('option', { value: person.name })));
    };
    const pick = (fits) => {
      const person = [...this.model.people.values()].find(fits);
      if (!person) return;
      input.value = '';
      this.model.select(person.id);
      this.stage.show(person.id);
    };
    input.addEventListener('focus', fill);
    input.addEventListener('change', () => pick(({ name }) => name === input.value));
    input.addEventListener('keydown', ({ key }) => {
      const part = input.value.trim().toLowerCase();
      const isKnown = [...this.model.people.values()].some(({ name }) => name === input.value);
      if (key === 'Enter' && part && !isKnown) pick(({ name }) => name.toLowerCase().includes(part));
    });
    return el('div', {}, input, names);
  }

  showHead() {
    const { selected } = this.model;
    const person = selected === null ? null : this.model.personOf(selected);
    this.head.hidden = this.actions.hidden = this.rows.hidden = !person;
    this.hint.hidden = Boolean(person);
    if (!person) {
      this.sections.update([]);
      return;
    }
    this.dot.style.backgroundColor = tintOf(person);
    setText(this.name, person.name);
    setText(
      this.kind,
      [
        this.model.people.has(selected) ? null : 'has left since',
        person.player ? 'player' : null,
        `#${person.id}`,
        person.script,
        ...(person.tags ?? []),
      ]
        .filter(Boolean)
        .join(' · '),
    );
    this.follow.setAttribute('aria-pressed', String(this.model.following));
    if (this.model.inspected?.who !== selected) this.sections.update([]);
  }

  take(message) {
    if (message.who !== null && message.who === this.model.selected) this.sections.update(message.sections);
  }
}
