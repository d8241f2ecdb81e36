// Another future: what differs since the moment that is shown, had the files been as they are now. The ways on the
// stage, and a card that tells the first differences and the errors of changed scripts.

import { byId, el, iconButton, setText } from './dom.js';
import { clockOf } from './events.js';
import { problemOf } from './overlay.js';
import { palette } from './theme.js';

const MOST_NAMES = 12;
const BESIDE_M = 0.02;
/** Tracks have a point at least this often while their characters are there. */
const TRACK_TICKS = 6;

export class WhatIf {
  constructor(model, stage, moments) {
    Object.assign(this, { model, stage, moments });
    this.lines = null;
    this.bar = null;
    this.shown = '';
    /** Whether the later differences are unfolded. */
    this.isOpen = false;
    /** The last message of a run that was closed: more of it is not shown. */
    this.closed = null;
    stage.underlays.push((ctx, camera) => this.draw(ctx, camera));
    model.on('whatIf', (message) => this.take(message));
    model.on('past', () => this.model.whatIf === null && !byId('what-if').hidden && this.show());
    model.on('people selected', () => this.forgetLines());
  }

  take(message) {
    if (this.goesOn(message)) {
      this.closed = message;
      this.model.whatIf = null;
    } else this.closed = null;
    // All files are again as they were.
    if (message.files.length === 0) this.model.whatIf = null;
    const shown = JSON.stringify({ ...message, computing: null });
    // Only the bar moves: a button that is pressed just now must stay.
    if (shown === this.shown && this.bar && this.model.whatIf && message.computing !== null) this.showProgress(message);
    else this.show();
    this.shown = this.model.whatIf ? shown : '';
  }

  /** Whether a message belongs to a run that was closed. */
  goesOn({ files, from, computing }) {
    const { closed } = this;
    if (!closed || closed.computing === null || closed.from !== from || String(closed.files) !== String(files))
      return false;
    return computing === null || computing >= closed.computing;
  }

  /** Whether there was one. */
  close() {
    const { whatIf } = this.model;
    if (!whatIf) return false;
    this.closed = whatIf;
    this.model.whatIf = null;
    this.show();
    this.model.tell('moment');
    return true;
  }

  forgetLines() {
    this.lines = null;
    this.stage.redraw();
  }

  show() {
    const { whatIf } = this.model;
    const place = byId('what-if');
    this.bar = null;
    place.hidden = whatIf === null;
    place.replaceChildren(...(whatIf ? this.card(whatIf) : []));
    this.forgetLines();
    if (!whatIf) place.classList.remove('unfolded');
    // Once: whoever moves the view then does so on purpose.
    const told = whatIf?.tracks?.length ? `${whatIf.from} ${whatIf.files.join(' ')}` : '';
    if (told && told !== this.uncovered) this.uncover();
    this.uncovered = told || this.uncovered;
    if (!whatIf) this.uncovered = '';
  }

  /** Who asks for the words where there is no room for both does without the ways. */
  unfold() {
    if (!byId('what-if').classList.toggle('unfolded')) this.uncover();
  }

  /** The card never lies over the ways that it compares. */
  uncover() {
    const { whatIf, storey } = this.model;
    const places = (whatIf?.tracks ?? []).flatMap(({ before, now }) => [...before, ...now]);
    if (places.length > 0 && !byId('what-if').classList.contains('unfolded')) this.stage.uncover(places.filter(([, , on]) => on === storey));
  }

  card(whatIf) {
    const { files, problems = [], errors = [], computing, differences = [], tracks = [], scene } = whatIf;
    const close = iconButton('close', 'Close (Escape)', { id: 'what-if-close', on: { click: () => this.close() } });
    // Seen where the window is narrow: there the words are folded.
    const words = iconButton('up', 'The differences', { id: 'what-if-words', on: { click: () => this.unfold() } });
    const isOver = computing === null || computing === undefined;
    const nothing = isOver && [differences, problems, errors, tracks].every((list) => list.length === 0);
    return [
      el('header', {}, el('h2', {}, 'What if: ', el('span', { class: 'file' }, files.join(', '))), words, close),
      ...problems.map((problem) => problemOf(this.model, problem)),
      isOver ? null : this.progress(whatIf),
      ...errors.map((error) => errorOf(this.model, error)),
      ...this.differences(differences),
      nothing ? el('p', { id: 'what-if-same' }, 'Nothing differs: all goes as it went.') : null,
      tracks.length > 0 ? this.whose(tracks) : null,
      scene ? this.rooms() : null,
    ].filter(Boolean);
  }

  /** A room whose file was changed is drawn as it would be, or as it was. */
  rooms() {
    const box = el('input', { type: 'checkbox', id: 'what-if-room', checked: this.model.showsOtherRoom });
    box.addEventListener('change', () => this.model.setOtherRoom(box.checked));
    return el('label', { class: 'rooms' }, box, 'draw the room as it would be');
  }

  progress(whatIf) {
    this.bar = el('progress', { max: 1, 'aria-label': 'Computing' });
    this.words = el('span', {});
    this.showProgress(whatIf);
    return el('p', { class: 'computing' }, this.bar, this.words);
  }

  /** The run is made again from its start. */
  showProgress({ to, computing }) {
    const part = Math.min(computing / Math.max(to, 1), 1);
    this.bar.value = part;
    setText(this.words, `computing … ${Math.floor(part * 100)} %`);
  }

  /** The first one, and the next ones folded: the first is often what the reload itself does. */
  differences([first, ...next]) {
    if (!first) return [];
    const words = next.length === 1 ? 'the next difference' : `the next ${next.length} differences`;
    const rest = el(
      'details',
      { open: this.isOpen },
      el('summary', {}, words),
      ...next.map((difference) => this.difference('At ', difference)),
    );
    rest.addEventListener('toggle', () => {
      this.isOpen = rest.open;
      this.uncover();
    });
    return [this.difference('First difference at ', first), next.length > 0 ? rest : null];
  }

  difference(words, { tick, time, before, now }) {
    const at = clockOf(time ?? this.moments.seconds(tick));
    const isLater = tick > this.moments.last();
    const go = el(
      'button',
      {
        type: 'button',
        class: 'link moment',
        title: isLater ? 'Later than now' : 'Look at that moment',
        disabled: isLater,
        on: { click: () => this.moments.goTo(tick) },
      },
      at,
    );
    return el(
      'div',
      { class: 'difference' },
      el('p', {}, words, go, el('span', { class: 'quiet' }, ` tick ${tick.toLocaleString('en')}`)),
      el('dl', {}, ...side('before', before), ...side('now', now)),
    );
  }

  whose(tracks) {
    const names = tracks.slice(0, MOST_NAMES).map(({ id, name }) => {
      const dot = el('i', { class: 'dot' });
      dot.style.backgroundColor = this.stage.people.tint(id);
      const select = () => this.model.select(id);
      return el('button', { type: 'button', class: 'chip', on: { click: select } }, dot, name);
    });
    const more = tracks.length - names.length;
    return el(
      'div',
      { class: 'whose' },
      el('p', { class: 'quiet' }, el('i', { class: 'was' }), 'their ways before', el('i', { class: 'is' }), 'and now'),
      el('div', { class: 'chips' }, ...names, more > 0 ? el('span', { class: 'quiet' }, `and ${more} more`) : null),
    );
  }

  /** The lines on a storey, in metres; they are made once. A selected character's ways stand out. */
  linesOn(storey) {
    if (this.lines?.storey === storey) return this.lines;
    const { selected, whatIf } = this.model;
    const isChosen = whatIf.tracks.some(({ id }) => id === selected);
    const ends = [];
    const faint = makeLayer();
    const clear = makeLayer();
    for (const track of whatIf.tracks) {
      const tint = this.stage.people.tint(track.id);
      const isClear = !isChosen || track.id === selected;
      addTrack(isClear ? clear : faint, track, tint, storey);
      if (isClear) ends.push(...endsOf(track, tint, storey));
    }
    this.lines = { storey, faint, clear, ends };
    return this.lines;
  }

  draw(ctx, camera) {
    const { model } = this;
    if (!model.whatIf?.tracks?.length) return;
    const { faint, clear, ends } = this.linesOn(model.storey);
    ctx.save();
    ctx.translate(...camera.toScreen(0, 0));
    ctx.scale(camera.scale, camera.scale);
    ctx.globalAlpha = 0.2;
    strokeLayer(ctx, camera.scale, faint);
    ctx.globalAlpha = 1;
    strokeLayer(ctx, camera.scale, clear);
    ctx.restore();
    for (const end of ends) drawEnd(ctx, camera, end);
    this.drawGhosts(ctx, camera);
  }

  /** Where characters would be at the moment that is shown, beside where they were. */
  drawGhosts(ctx, camera) {
    const { model, stage } = this;
    const { tracks, from } = model.whatIf;
    if (!(model.past.tick > from)) return;
    for (const { id, now } of tracks) {
      const place = placeAt(now, model.past.tick);
      if (!place || place[2] !== model.storey) continue;
      const [x, y] = camera.toScreen(place[0], place[1]);
      ctx.beginPath();
      ctx.arc(x, y, Math.max(model.personOf(id)?.radius * camera.scale || 0, 5), 0, 2 * Math.PI);
      ctx.fillStyle = stage.people.tint(id);
      ctx.globalAlpha = 0.3;
      ctx.fill();
      ctx.globalAlpha = 1;
      ctx.setLineDash([3, 3]);
      ctx.strokeStyle = stage.people.tint(id);
      ctx.lineWidth = 1.6;
      ctx.stroke();
      ctx.setLineDash([]);
    }
  }
}

/** An error that the changed scripts have. */
function errorOf(model, error) {
  const { message, count, who } = error;
  const times = count > 1 ? `, ${count} times` : '';
  return problemOf(model, { ...error, message, hint: `${who || 'the room'}${times}` });
}

function makeLayer() {
  return { before: new Path2D(), now: new Map() };
}

function addTrack({ before, now }, track, tint, storey) {
  if (!now.has(tint)) now.set(tint, new Path2D());
  trace(before, track.before, storey);
  trace(now.get(tint), track.now, storey);
}

function strokeLayer(ctx, scale, { before, now }) {
  const { halo, quiet } = palette();
  const stroke = (path, colour, width, dash = []) => {
    ctx.setLineDash(dash.map((length) => length / scale));
    ctx.strokeStyle = colour;
    ctx.lineWidth = width / scale;
    ctx.stroke(path);
  };
  ctx.lineJoin = 'round';
  // Where both are the same, only the new way is seen.
  stroke(before, halo, 4.5);
  stroke(before, quiet, 2, [7, 5]);
  for (const path of now.values()) stroke(path, halo, 5);
  for (const [tint, path] of now) stroke(path, tint, 2.8);
}

function side(title, lines) {
  const list = lines?.length ? lines : ['nothing'];
  return [el('dt', {}, title), el('dd', {}, ...list.map((line) => el('p', {}, line)))];
}

function trace(path, points, storey) {
  let isDown = false;
  points.forEach(([x, z, on]) => {
    const isHere = on === storey;
    if (isHere && isDown) path.lineTo(x, z);
    else if (isHere) path.moveTo(x, z);
    isDown = isHere;
  });
}

/** Where a track is at a tick, as x, z and storey; null before it begins. */
function placeAt(points, tick) {
  const next = points.findIndex((point) => point[3] >= tick);
  // A character that leaves has no place any more.
  if (next < 0) return tick - (points.at(-1)?.[3] ?? -Infinity) <= TRACK_TICKS ? points.at(-1) : null;
  const [before, after] = [points[Math.max(next - 1, 0)], points[next]];
  if (next === 0) return after[3] === tick ? after : null;
  const part = (tick - before[3]) / (after[3] - before[3]);
  return [before[0] + (after[0] - before[0]) * part, before[1] + (after[1] - before[1]) * part, before[2]];
}

/** Where the ways part, and where they end. */
function endsOf({ before, now }, tint, storey) {
  const parted = before.findIndex(([x, z, , tick]) => {
    const [otherX, otherZ] = placeAt(now, tick) ?? [x, z];
    return Math.hypot(otherX - x, otherZ - z) > BESIDE_M;
  });
  const places = [
    { kind: 'parted', index: Math.max(parted - 1, 0), points: parted < 0 ? [] : before },
    { kind: 'before', index: before.length - 1, points: before },
    { kind: 'now', index: now.length - 1, points: now },
  ];
  return places
    .filter(({ index, points }) => points[index]?.[2] === storey)
    .map(({ kind, index, points }) => ({ kind, at: points[index], tint }));
}

function drawEnd(ctx, camera, { kind, at, tint }) {
  const [x, y] = camera.toScreen(at[0], at[1]);
  const { halo, quiet, bubble } = palette();
  const radius = kind === 'parted' ? 3 : 6;
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
  ctx.fillStyle = kind === 'now' ? tint : kind === 'before' ? bubble : quiet;
  ctx.strokeStyle = kind === 'before' ? quiet : halo;
  ctx.lineWidth = 2;
  ctx.fill();
  ctx.stroke();
}
