// The line at the top: the room, its clock and speed. And the tools on the stage, and its storeys.

import { byId, el, icon, iconButton, setText } from './dom.js';
import { clockOf } from './events.js';
import { toggleTheme } from './theme.js';

export const SPEEDS = [0.25, 0.5, 1, 2, 4, 8, 16];

const TOOLS = [
  ['select', 'hand', 'Select, click, drag characters (V)'],
  ['walk', 'walk', 'Walk here: sends the selected character (G)'],
  ['probe', 'probe', 'Way between two places (P)'],
  ['spawn', 'spawn', 'New character (N)'],
  ['move', 'move', 'Change the room: obstacles, corners, points (M)'],
];

export class Bar {
  constructor(model, stage, orders, actions, moments) {
    Object.assign(this, { model, stage, orders, actions, moments });
    this.build();
    this.buildTools();
    model.on('hello', () => this.showRoom());
    model.on('state', () => this.showState());
    model.on('moment waits', () => this.showClock());
    model.on('tool', () => this.showTool());
    model.on('scene storey', () => this.showStoreys());
    this.showTool();
  }

  build() {
    const { actions } = this;
    this.dot = el('span', { id: 'connection', class: 'dot', title: 'not connected' });
    this.room = el('h1', { id: 'room-name' }, 'cicerone');
    /** Says that a recording is shown, and whether it has ended. */
    this.film = el('span', { id: 'film', class: 'film', hidden: true });
    this.pause = iconButton('pause', 'Pause (space)', { id: 'pause', on: { click: actions.togglePause } });
    this.step = iconButton('step', 'One step (.)', { id: 'step', on: { click: actions.step } });
    const options = SPEEDS.map((speed) => el('option', { value: String(speed) }, speedText(speed)));
    const attributes = { id: 'speed', title: 'Speed (+ and -)', 'aria-label': 'Speed', data: { now: '' } };
    this.speed = el('select', attributes, ...options);
    this.speed.value = '1';
    this.speed.addEventListener('change', () => {
      this.orders.send('setSpeed', { speed: Number(this.speed.value) });
      // The arrow keys shall steer again.
      this.speed.blur();
    });
    this.clock = el('span', { id: 'clock', title: 'Time in the room' }, '0:00.0');
    this.ticks = el('span', { id: 'tick', class: 'quiet' });
    this.cost = el('span', { id: 'tick-ms', class: 'quiet', title: 'Mean time of a tick in the last second' });
    byId('bar').replaceChildren(
      el('div', { class: 'brand' }, this.dot, this.room, this.film),
      el('div', { class: 'group' }, this.pause, this.step, this.speed),
      el('div', { class: 'group clock' }, this.clock, this.ticks, this.cost),
      el(
        'div',
        { class: 'group end' },
        iconButton('fit', 'Show the whole room (F)', { id: 'fit', on: { click: () => this.stage.fit() } }),
        iconButton('undo', 'Undo the last change of the room’s file (Ctrl+Z)', {
          id: 'undo',
          data: { now: '' },
          on: { click: actions.undo },
        }),
        iconButton('redo', 'Redo (Ctrl+Shift+Z)', { id: 'redo', data: { now: '' }, on: { click: actions.redo } }),
        iconButton('theme', 'Light or dark', { id: 'theme', on: { click: toggleTheme } }),
        iconButton('help', 'Keys (?)', { id: 'help-button', on: { click: actions.help } }),
        iconButton('side', 'Show or hide the panels (B)', { id: 'fold', on: { click: actions.fold } }),
      ),
    );
  }

  buildTools() {
    const buttons = TOOLS.map(([tool, sign, title]) =>
      iconButton(sign, title, {
        data: tool === 'select' ? { tool } : { tool, now: '' },
        on: { click: () => this.model.setTool(tool) },
      }),
    );
    byId('tools').replaceChildren(...buttons);
  }

  showRoom() {
    const { room, file, version } = this.model.hello;
    setText(this.room, room);
    this.room.title = `${file}, cicerone ${version}`;
    document.title = `${room} · cicerone`;
  }

  showState() {
    const { speed, numbers } = this.model.state;
    if (document.activeElement !== this.speed) this.showSpeed(speed);
    this.showClock();
    setText(this.cost, typeof numbers?.tickMs === 'number' ? `${numbers.tickMs.toFixed(2)} ms` : '');
  }

  /** The clock of the moment that is shown, and whether the room goes on. */
  showClock() {
    const { model, moments } = this;
    if (!model.state) return;
    const { paused, tick, time } = moments.isAway() ? momentOf(moments) : model.state;
    const title = model.stopped ? 'Continue (F8)' : moments.isAway() ? 'Back to now (space)' : pauseTitle(paused);
    this.step.disabled = model.stopped !== null;
    this.film.hidden = !model.hello?.recording;
    setText(this.film, tick >= (model.past.last ?? Infinity) ? 'recording, at its end' : 'recording');
    if (this.pause.title !== title) this.showPaused(title, paused || model.stopped !== null);
    setText(this.clock, clockOf(time));
    setText(this.ticks, `tick ${tick.toLocaleString('en')}`);
  }

  showPaused(title, paused) {
    this.pause.dataset.paused = String(paused);
    this.pause.replaceChildren(icon(paused ? 'play' : 'pause'));
    this.pause.title = title;
    this.pause.setAttribute('aria-label', title);
  }

  /** Speeds that the list lacks come from the command line. */
  showSpeed(speed) {
    const value = String(speed);
    const known = [...this.speed.options].some((option) => option.value === value);
    if (!known) this.speed.append(el('option', { value }, speedText(speed)));
    this.speed.value = value;
  }

  showTool() {
    for (const button of byId('tools').children) {
      button.setAttribute('aria-pressed', String(button.dataset.tool === this.model.tool));
    }
  }

  showStoreys() {
    const storeys = this.model.storeys();
    const place = byId('storeys');
    place.hidden = storeys.length < 2;
    place.replaceChildren(...storeys.map((storey, index) => this.storeyTab(storey, index, storeys.length)).reverse());
  }

  storeyTab({ caption }, index, count) {
    const title = `Storey ${index + 1} of ${count}`;
    return el(
      'button',
      {
        type: 'button',
        role: 'tab',
        title,
        'aria-selected': String(index === this.model.storey),
        data: { storey: index },
        on: { click: () => this.chooseStorey(index) },
      },
      caption || title.toLowerCase(),
    );
  }

  chooseStorey(index) {
    this.model.setFollowing(false);
    this.model.setStorey(index);
  }

  showConnection(status) {
    this.dot.dataset.status = status;
    this.dot.title = { live: 'connected', connecting: 'connecting …' }[status] ?? 'not connected';
  }
}

const pauseTitle = (paused) => (paused ? 'Go on (space)' : 'Pause (space)');

function momentOf(moments) {
  const tick = moments.shown();
  return { paused: true, tick, time: moments.seconds(tick) };
}

function speedText(speed) {
  const fraction = { 0.25: '¼', 0.5: '½' }[speed];
  return `${fraction ?? speed}×`;
}
