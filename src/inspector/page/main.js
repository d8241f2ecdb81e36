// Puts the page together: the connection feeds the model, and the parts of the page listen to it.

import { Connection } from './socket.js';
import { Model } from './model.js';
import { Stage } from './stage.js';
import { Tools } from './tools.js';
import { Hands } from './hands.js';
import { Keys } from './keys.js';
import { Bar, SPEEDS } from './bar.js';
import { Sidebar } from './sidebar.js';
import { InspectPanel } from './inspect.js';
import { RoomPanel } from './roompanel.js';
import { EventsPanel } from './events.js';
import { ErrorsPanel } from './errors.js';
import { SpecsPanel } from './specs.js';
import { NumbersPanel } from './numbers.js';
import { Console } from './console.js';
import { ScriptsPanel } from './scripts.js';
import { Debugging } from './debugging.js';
import { Moments } from './moments.js';
import { Timeline } from './timeline.js';
import { WhatIf } from './whatif.js';
import { Waits } from './waits.js';
import { Banner, Refused, toast, toggleHelp } from './overlay.js';
import { apply as applyTheme } from './theme.js';
import { rowOf, storeyOf } from './frames.js';

const model = new Model();
const stage = new Stage(model);
const sidebar = new Sidebar();
const banner = new Banner(() => connection.reopen());

const connection = new Connection({
  onMessage: (message) => debugging.holds(message) || model.take(message),
  onBinary: (buffer) => stage.takeBinary(buffer),
  onStatus: (status, waitMs) => {
    bar.showConnection(status);
    banner.show(status, waitMs);
    // A new connection knows nothing of the old one.
    lastLook = '';
    if (status !== 'live') forgetMoment();
    if (status === 'live') tellLook();
  },
});

/** `ask` leaves errors to the caller; `send` shows them, and answers with null then. */
const orders = {
  ask: (name, fields) => {
    const why = model.whyNot(name);
    return why === null ? connection.order(name, fields) : Promise.reject(new Error(why));
  },
  send: async (name, fields) => {
    try {
      return await connection.order(name, fields);
    } catch (error) {
      orders.complain(error.message);
      return null;
    }
  },
  complain: (text) => toast(text, 'bad'),
};

const actions = {
  togglePause: () => {
    if (model.stopped) debugging.goOn('continue');
    else if (moments.isAway()) moments.goLive();
    else if (hasEnded()) toast('The recording has ended. Drag the time back to look at another moment.');
    else orders.send(model.state?.paused ? 'resume' : 'pause');
  },
  step: () => (moments.isAway() ? moments.step(1) : orders.send('stepOnce', { ticks: 1 })),
  stepBack: () => moments.step(-1),
  toFirst: () => moments.goTo(moments.first()),
  toLast: () => moments.goTo(moments.last()),
  goOn: (how) => debugging.goOn(how),
  faster: () => changeSpeed(1),
  slower: () => changeSpeed(-1),
  fit: () => stage.fit(),
  follow: () => model.selected !== null && model.setFollowing(!model.following),
  fold: () => sidebar.toggleFolded(),
  views: () => model.setLayer('views', model.layers.views === 'all' ? 'selected' : 'all'),
  console: () => luaConsole.focus(),
  help: toggleHelp,
  undo: () => takeBack('undo'),
  redo: () => takeBack('redo'),
  storeyUp: () => model.setStorey(model.storey + 1),
  storeyDown: () => model.setStorey(model.storey - 1),
  escape: () => {
    if (refused.close() || whatIf.close() || tools.escape()) return;
    model.select(null);
  },
};

new Waits(model);
const moments = new Moments(model, orders);
const debugging = new Debugging(model, orders, (message) => model.take(message));
const bar = new Bar(model, stage, orders, actions, moments);
const tools = new Tools(model, stage, orders);
const refused = new Refused(model);
const luaConsole = new Console(model, orders, sidebar);
new Hands(model, stage, () => tools.current());
new Keys(model, orders, actions);
new InspectPanel(model, stage, orders);
new RoomPanel(model, stage, orders);
new ScriptsPanel(model, orders, sidebar);
new EventsPanel(model, sidebar, moments);
new ErrorsPanel(model, sidebar);
new SpecsPanel(model, orders);
new NumbersPanel(model, sidebar, stage);
new Timeline(model, moments);
const whatIf = new WhatIf(model, stage, moments);

/** The speed that was asked for and is not told yet, or null. */
let askedSpeed = null;
model.on('state', ({ speed }) => {
  if (speed === askedSpeed) askedSpeed = null;
});

async function changeSpeed(step) {
  const speed = askedSpeed ?? model.state?.speed ?? 1;
  const faster = SPEEDS.find((known) => known > speed) ?? SPEEDS.at(-1);
  const slower = SPEEDS.findLast((known) => known < speed) ?? SPEEDS[0];
  askedSpeed = step > 0 ? faster : slower;
  const answer = await orders.send('setSpeed', { speed: askedSpeed });
  if (!answer) askedSpeed = null;
}

function hasEnded() {
  return Boolean(model.hello?.recording) && (model.state?.tick ?? 0) >= (model.past.last ?? Infinity);
}

async function takeBack(order) {
  const answer = await orders.send(order);
  if (answer) toast(answer.text ?? (order === 'undo' ? 'Taken back' : 'Done again'), 'good');
}

function forgetMoment() {
  debugging.letGo();
  model.forgetMoment();
}

/** While a script has stopped, everything is told again only later. */
async function syncAll() {
  if (model.stopped) missed = true;
  else await orders.send('sync');
}

function wentOn() {
  if (missed) syncAll();
  missed = false;
  tellLook();
}

let missed = false;
let lastLook = '';

/** Tells the room what the page shows, so that it sends no more than that. */
function tellLook() {
  if (model.stopped) return;
  const { paths, views, cells } = model.layers;
  const look = { who: model.selected, room: sidebar.shows('room') || model.selected === null, paths, views, cells };
  if (JSON.stringify(look) === lastLook) return;
  lastLook = JSON.stringify(look);
  orders.ask('look', look).catch(() => {
    lastLook = ''; // it is told again when the room takes it
  });
}

sidebar.changed = tellLook;
model.on('selected layers', tellLook);
model.on('selected', (id) => {
  // Typing Lua and reading events are not to be interrupted.
  const reads = ['console', 'events', ...(model.stopped ? ['scripts'] : [])].some((name) => sidebar.shows(name));
  if (id !== null && !reads) sidebar.show('inspect');
});
model.on('lost', syncAll);
model.on('stopped', () => connection.setPatient(model.stopped !== null));
model.on('waits', () => model.stopped === null && wentOn());
window.addEventListener('hashchange', () => connection.reopen());
applyTheme();
connection.open();

/** For tests, and for tinkering in the browser's console. */
globalThis.cicerone = {
  toScreen(x, z, storey = model.storey) {
    if (storey !== model.storey) return null;
    const box = stage.canvas.getBoundingClientRect();
    const [px, py] = stage.camera.toScreen(x, z);
    return [px + box.left, py + box.top];
  },
  toWorld(px, py) {
    const box = stage.canvas.getBoundingClientRect();
    return [...stage.camera.toWorld(px - box.left, py - box.top), model.storey];
  },
  select: (id) => model.select(id),
  people: () => {
    const frame = stage.frames.latest();
    if (!frame) return [];
    return [...model.everyone.values()].flatMap((person) => {
      const row = rowOf(frame, person.id);
      if (row < 0) return [];
      return [
        { ...person, x: frame.x[row], z: frame.z[row], storey: storeyOf(frame.bits[row]), bits: frame.bits[row] },
      ];
    });
  },
  /** The ways that a what-if compares. */
  otherWays: () => model.whatIf?.tracks ?? [],
  stats: () => stage.stats(),
  /** The tick of the newest frame, and whether it is a moment of the past with all that belongs to it. */
  moment: () => ({ tick: stage.frames.latest()?.tick, exact: model.past.exact }),
};
