// What the page knows of the room, and what it shows. Parts of the page listen to its changes by name.

export const LAYERS = { names: true, paths: 'selected', trails: 'none', views: 'selected', cells: false };

/** What a room still does while a script has stopped in the middle of a step. */
const WHILE_STOPPED = new Set(['goOn', 'setBreakpoints']);
/** What it still does while the page looks at the past. */
const IN_THE_PAST = new Set([
  'goTo',
  'goLive',
  'look',
  'complete',
  'files',
  'source',
  'setBreakpoints',
  'runSpecs',
  'openSpec',
  'sync',
]);
/** What a recording does. */
const OF_RECORDINGS = new Set([
  ...[...IN_THE_PAST].filter((order) => !order.endsWith('Spec') && !order.endsWith('Specs')),
  'pause',
  'resume',
  'stepOnce',
  'setSpeed',
  'probe',
  'path',
]);
const LIVE = { tick: null, exact: false, computing: null, why: null, test: null };

export class Model {
  constructor() {
    this.hello = null;
    this.scene = null;
    this.people = new Map();
    /** Those too that have left since: the past still shows them. */
    this.everyone = new Map();
    this.state = null;
    this.said = new Map();
    this.errors = { errors: [], off: [], refused: [], warned: [] };
    this.inspected = null;
    this.breakpoints = [];
    /** Where a script has stopped: `who`, `tick`, `stack`; or null. */
    this.stopped = null;
    /** The moment that is shown: `tick` is null for now. `first` and `last` are null until they are known. */
    this.past = { ...LIVE, first: null, last: null };
    this.whatIf = null;
    /** Whether the room is drawn as it would be with other files, where they draw it differently. */
    this.showsOtherRoom = true;
    /** A character's id, or null. */
    this.selected = null;
    this.storey = 0;
    this.specs = { running: false, results: [], problems: [] };
    this.following = false;
    this.tool = 'select';
    this.layers = { ...LAYERS };
    this.listeners = new Map();
  }

  on(names, listener) {
    for (const name of names.split(' ')) {
      if (!this.listeners.has(name)) this.listeners.set(name, []);
      this.listeners.get(name).push(listener);
    }
  }

  tell(name, detail) {
    for (const listener of this.listeners.get(name) ?? []) {
      // A fault of one part of the page is not to stop the others.
      try {
        listener(detail);
      } catch (error) {
        console.error(error);
      }
    }
  }

  /** Takes a text message of the room. */
  take(message) {
    const taking = TAKES[message.kind];
    const waited = this.whyWaits();
    if (taking) taking(this, message);
    this.tell(message.kind, message);
    if (waited !== this.whyWaits()) this.tell('waits', this.whyWaits());
  }

  isPast() {
    return this.past.tick !== null;
  }

  /** Why nothing can be done to the room now, or null. */
  whyWaits() {
    if (this.stopped) return 'a script has stopped at a breakpoint: let it go on first';
    if (this.isPast()) return 'this is the past, and the room waits: go back to now first';
    return null;
  }

  /** Why the room would not carry out an order, or null. */
  whyNot(order) {
    if (this.hello?.recording && !OF_RECORDINGS.has(order)) return 'this is a recording: it can only be looked at';
    const carriedOut = this.stopped ? WHILE_STOPPED : IN_THE_PAST;
    return carriedOut.has(order) ? null : this.whyWaits();
  }

  /** The scene that is drawn: that of another future, if it has one. */
  drawnScene() {
    return (this.showsOtherRoom && this.whatIf?.scene) || this.scene;
  }

  ticksPerSecond() {
    return this.hello?.ticksPerSecond || 60;
  }

  /** Nothing is known any more of what the room does: the connection is lost. */
  forgetMoment() {
    this.take({ kind: 'stopped', stack: [] });
    Object.assign(this.past, { first: null, last: null });
    this.take({ kind: 'past', tick: null });
    // Another room may have given the same numbers to others.
    this.everyone = new Map(this.people);
  }

  player() {
    for (const person of this.people.values()) if (person.player) return person;
    return null;
  }

  nameOf(id) {
    return this.personOf(id)?.name ?? `#${id}`;
  }

  /** A character, even if it has left. */
  personOf(id) {
    return this.people.get(id) ?? this.everyone.get(id);
  }

  /** Nobody is selected any more who has left; but the past still shows them. */
  checkSelected() {
    if (this.selected !== null && !this.people.has(this.selected) && !this.isPast()) this.select(null);
  }

  storeys() {
    return this.scene?.storeys ?? [];
  }

  select(id) {
    if (this.selected === id) return;
    this.selected = id;
    if (id === null) this.setFollowing(false);
    this.tell('selected', id);
  }

  setFollowing(following) {
    if (this.following === following) return;
    this.following = following;
    this.tell('following');
  }

  setStorey(storey) {
    const last = Math.max(this.storeys().length - 1, 0);
    const next = Math.min(Math.max(storey, 0), last);
    if (next === this.storey) return;
    this.storey = next;
    this.tell('storey');
  }

  setTool(tool) {
    if (this.tool === tool) return;
    this.tool = tool;
    this.tell('tool');
  }

  setLayer(name, value) {
    if (this.layers[name] === value) return;
    this.layers[name] = value;
    this.tell('layers');
  }

  setOtherRoom(isShown) {
    this.showsOtherRoom = isShown;
    this.tell('drawnScene');
  }
}

const TAKES = {
  hello(model, message) {
    model.hello = message;
  },
  scene(model, message) {
    model.scene = message;
    model.storey = Math.min(model.storey, Math.max(message.storeys.length - 1, 0));
  },
  people(model, message) {
    model.people = new Map(message.people.map((person) => [person.id, person]));
    for (const person of message.people) model.everyone.set(person.id, person);
    model.checkSelected();
  },
  state(model, message) {
    model.state = message;
  },
  errors(model, message) {
    const { errors = [], off = [], refused = [], warned = [] } = message;
    model.errors = { errors, off, refused, warned };
  },
  speech(model, message) {
    model.said = new Map(message.said.map(({ id, text }) => [id, text]));
  },
  inspect(model, message) {
    model.inspected = message;
  },
  breakpoints(model, message) {
    model.breakpoints = message.breakpoints;
  },
  stopped(model, message) {
    model.stopped = message.stack.length > 0 ? message : null;
  },
  past(model, message) {
    const { first, last } = model.past;
    model.past = { ...LIVE, ...message, first: message.first ?? first, last: message.last ?? last };
    if (model.isPast()) return;
    model.whatIf = null;
  },
  specs(model, message) {
    model.specs = message;
  },
  whatIf(model, message) {
    model.whatIf = message;
    model.showsOtherRoom = true;
  },
};

/** A link to a place of a file in the editor, or null. */
export function editorLink(hello, file, line = 1, column = 1) {
  // Lines of the console have a place too, but no file.
  if (!hello?.editor || !/\.\w+$/.test(file ?? '')) return null;
  const absolute = file.startsWith('/') || /^[A-Za-z]:[\\/]/.test(file);
  const path = encodeURI((absolute ? file : `${hello.root}/${file}`).replaceAll('\\', '/'));
  const known = { path, line: line || 1, column: column || 1 };
  // `file/{path}` and `file{path}` are the same for a path that begins with a slash.
  const template = path.startsWith('/') ? hello.editor.replace('/{path}', '{path}') : hello.editor;
  const link = template.replace(/\{(path|line|column)\}/g, (_, name) => known[name]);
  // A link is opened by a click: it must never be a script.
  return /^(javascript|data|vbscript):/i.test(link.trim()) ? null : link;
}
