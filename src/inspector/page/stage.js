// The canvas: it draws the room whenever something in it moved, and nothing else.

import { byId } from './dom.js';
import { Camera } from './camera.js';
import { FrameBuffer, FRAME, PATHS, kindOf, decodeFrame, rowOf, storeyOf } from './frames.js';
import { Scene } from './scene.js';
import { People } from './people.js';
import { Paths } from './paths.js';
import { Views } from './views.js';
import { Labels, drawGrid } from './labels.js';
import { Lettering } from './lettering.js';
import { onTheme, palette } from './theme.js';

/** In narrower stages a card leaves no room beside it, in pixels. */
const NARROW_PX = 680;
const FIT_BORDER_PX = 36;
const RIPPLE_MS = 450;
const SHOW_SCALE = 50;

export class Stage {
  constructor(model) {
    this.model = model;
    this.canvas = byId('canvas');
    this.ctx = this.canvas.getContext('2d');
    this.camera = new Camera();
    this.frames = new FrameBuffer();
    this.lettering = new Lettering();
    this.redraw = () => this.schedule();
    this.scene = new Scene(model, this.redraw);
    this.labels = new Labels(model, this.lettering);
    this.people = new People(model, this.lettering, this.labels.placer);
    this.paths = new Paths(model);
    this.views = new Views(model);
    this.hovered = null;
    /** Draws what lies on the ground, beneath the characters: `(ctx, camera) => …`. */
    this.underlays = [];
    /** Draws what the tools show above everything. */
    this.overlays = [];
    this.ripples = [];
    this.showsAll = false;
    this.sample = null;
    this.file = null;
    this.isFitted = false;
    this.scheduled = false;
    this.lastTime = 0;
    this.renders = [];
    this.listen();
  }

  listen() {
    const { model } = this;
    model.on('hello', (hello) => this.greet(hello));
    model.on('scene', () => this.fitFirst());
    model.on('scene people speech selected storey layers tool errors', this.redraw);
    model.on('following', this.redraw);
    model.on('views', (message) => this.views.take(message) && this.schedule());
    onTheme(this.redraw);
    new ResizeObserver(() => this.resize()).observe(byId('stage'));
    document.addEventListener('visibilitychange', this.redraw);
  }

  /** A connection begins: nothing of the one before is interpolated, and another room is shown whole. */
  greet({ file }) {
    this.frames.clear();
    if (file !== this.file) this.isFitted = false;
    this.file = file;
  }

  takeBinary(buffer) {
    const kind = kindOf(buffer);
    if (kind === FRAME) this.takeFrame(decodeFrame(buffer));
    else if (kind === PATHS && this.paths.take(buffer)) this.schedule();
  }

  takeFrame(frame) {
    const now = performance.now();
    if (!this.frames.push(frame, now)) return;
    this.paths.follow(frame, now);
    // The drawing loop rests while the tab is hidden; the player must still be able to change storeys.
    this.followStorey(frame);
    this.schedule();
  }

  followStorey(frame) {
    if (!this.model.following) return;
    const row = rowOf(frame, this.model.selected);
    if (row >= 0) this.model.setStorey(storeyOf(frame.bits[row]));
  }

  resize() {
    const { clientWidth, clientHeight, classList } = byId('stage');
    // Two cards have no room beside each other: the one that compares two futures is folded.
    classList.toggle('narrow', clientWidth < NARROW_PX);
    this.ratio = Math.min(window.devicePixelRatio || 1, 3);
    this.canvas.width = Math.max(Math.round(clientWidth * this.ratio), 1);
    this.canvas.height = Math.max(Math.round(clientHeight * this.ratio), 1);
    this.camera.resize(clientWidth, clientHeight);
    this.lettering.setRatio(this.ratio);
    this.scene.refresh();
    // A view of the whole room is one in a larger window, too.
    if (this.showsAll && this.camera.isFitted) this.fit(true);
    // Setting the size emptied the canvas.
    if (this.isFitted) this.draw(performance.now());
    else this.fitFirst();
  }

  fitFirst() {
    if (this.isFitted || !this.model.scene || this.camera.width <= 1) return;
    this.isFitted = true;
    this.fit(true);
  }

  fit(atOnce = false) {
    if (!this.model.scene) return;
    this.model.setFollowing(false);
    const border = Math.min(FIT_BORDER_PX, this.camera.width * 0.04);
    this.camera.fit(this.model.scene.bounds, { border, ...this.covered() }, atOnce);
    this.showsAll = true;
    this.schedule();
  }

  /** Pixels at the edges that tools cover, and the card that compares two futures. */
  covered() {
    const [tools, card] = [byId('tools'), byId('what-if')];
    const isColumn = tools.clientHeight > tools.clientWidth;
    const edges = { left: isColumn ? tools.clientWidth : 0, top: isColumn ? 0 : tools.clientHeight };
    if (card.hidden) return edges;
    const isBelow = card.clientWidth > this.camera.width / 2;
    const { top } = (isBelow ? card : byId('past')).getBoundingClientRect();
    const bottom = byId('stage').getBoundingClientRect().bottom - top;
    return { ...edges, right: isBelow ? 0 : card.clientWidth, bottom: Math.min(bottom, this.camera.height / 2) };
  }

  /** Shows the whole room beside the cards if one of these places, in metres, lies under them. */
  uncover(places) {
    const stage = byId('stage').getBoundingClientRect();
    const cards = ['what-if', 'past'].map((id) => byId(id).getBoundingClientRect());
    const isUnder = ([x, z]) => {
      const [px, py] = this.camera.toScreen(x, z);
      const [left, top] = [px + stage.left, py + stage.top];
      return cards.some((card) => card.left <= left && left <= card.right && card.top <= top && top <= card.bottom);
    };
    if (places.some(isUnder)) this.fit();
  }

  schedule() {
    if (this.scheduled || document.hidden) return;
    this.scheduled = true;
    requestAnimationFrame((time) => {
      this.scheduled = false;
      this.tick(time);
    });
  }

  tick(time) {
    const now = performance.now();
    const passed = Math.min(time - this.lastTime, 100);
    this.lastTime = time;
    const moves = this.draw(now, passed);
    if (moves || !this.frames.settled(now)) this.schedule();
  }

  /** Draws everything. Whether it has to be drawn again although no frame came. */
  draw(now, passed = 0) {
    const { ctx, camera, model } = this;
    this.sample = this.frames.sample(now);
    this.aim();
    const moves = camera.glide(passed);
    ctx.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    ctx.clearRect(0, 0, camera.width, camera.height);
    if (!model.scene) return moves;
    if (this.sample) this.people.cull(this.sample, camera, model.storey, this.ratio);
    this.drawGround();
    for (const underlay of this.underlays) underlay(ctx, camera);
    if (this.sample) this.drawPeople();
    for (const overlay of this.overlays) overlay(ctx, camera);
    const spreads = this.drawRipples(now);
    this.count(now);
    return moves || spreads;
  }

  /** While a character is followed, the view glides to it. */
  aim() {
    const { model, camera } = this;
    const place = model.following ? this.placeOf(model.selected) : null;
    if (place && !camera.isAt(...place)) camera.glideTo(place[0], place[1], camera.goal?.scale);
  }

  drawGround() {
    const { ctx, camera, model } = this;
    if (!this.scene.storeys[model.storey]?.image) drawGrid(ctx, camera);
    this.scene.draw(ctx, camera, model.storey, this.ratio);
    const isCovered = (px, py) => this.people.covers(px, py);
    if (model.layers.names) this.labels.draw(ctx, camera, model.storey, isCovered);
  }

  drawPeople() {
    const { ctx, camera, model, people } = this;
    const tintOf = (id) => people.tint(id);
    this.views.draw(ctx, camera, this.sample);
    this.paths.drawCorridor(ctx, camera, model.storey, tintOf);
    this.paths.drawTrails(ctx, camera, model.storey, tintOf);
    this.paths.draw(ctx, camera, model.storey, tintOf, (id) => this.placeOf(id, model.storey));
    people.drawBodies(ctx);
    this.drawHeldUp();
    people.drawMarks(ctx, this.hovered);
    people.drawWords(ctx, this.hovered);
  }

  /** Lines from walkers that do not get on to those that hold them up. */
  drawHeldUp() {
    const { ctx, camera, model } = this;
    const { amber, halo } = palette();
    ctx.beginPath();
    for (const [who, by] of model.state?.heldUp ?? []) {
      const [from, to] = [this.placeOf(who, model.storey), this.placeOf(by, model.storey)];
      if (!from || !to) continue;
      ctx.moveTo(...camera.toScreen(...from));
      ctx.lineTo(...camera.toScreen(...to));
    }
    ctx.lineCap = 'round';
    ctx.strokeStyle = halo;
    ctx.lineWidth = 4;
    ctx.stroke();
    ctx.setLineDash([0.1, 5]);
    ctx.strokeStyle = amber;
    ctx.lineWidth = 3;
    ctx.stroke();
    ctx.setLineDash([]);
    ctx.lineCap = 'butt';
  }

  /** Where a character is drawn, as [x, z]; null if it is not there or on another storey. */
  placeOf(id, storey = null) {
    const { sample } = this;
    const row = sample && id !== null ? rowOf(sample.frame, id) : -1;
    if (row < 0 || (storey !== null && storeyOf(sample.bits[row]) !== storey)) return null;
    return [sample.x[row], sample.z[row]];
  }

  /** Glides to a character, on its storey. */
  show(id) {
    const place = this.placeOf(id);
    if (!place) return;
    const row = rowOf(this.sample.frame, id);
    this.showPlace(place, storeyOf(this.sample.bits[row]));
  }

  showPlace([x, z], storey) {
    if (storey !== undefined) this.model.setStorey(storey);
    this.model.setFollowing(false);
    this.camera.glideTo(x, z, Math.max(this.camera.scale, SHOW_SCALE));
    this.schedule();
  }

  showShape({ polygon, storey }) {
    if (storey !== undefined) this.model.setStorey(storey);
    this.model.setFollowing(false);
    const xs = polygon.map(([x]) => x);
    const zs = polygon.map(([, z]) => z);
    const bounds = [Math.min(...xs), Math.min(...zs), Math.max(...xs), Math.max(...zs)];
    this.showsAll = false;
    this.camera.fit(bounds, { border: Math.min(this.camera.width, this.camera.height) * 0.2 });
    this.schedule();
  }

  /** The radius of a character in metres. */
  radiusOf(id) {
    const row = this.sample ? rowOf(this.sample.frame, id) : -1;
    return row < 0 ? 0.25 : this.sample.radius[row];
  }

  /** Shows for a moment where a click went. */
  ripple(x, z) {
    this.ripples.push({ x, z, storey: this.model.storey, start: performance.now() });
    this.schedule();
  }

  /** Whether one is still spreading. */
  drawRipples(now) {
    const { ctx, camera, model } = this;
    this.ripples = this.ripples.filter(({ start }) => now - start < RIPPLE_MS);
    for (const { x, z, storey, start } of this.ripples) {
      if (storey !== model.storey) continue;
      const age = (now - start) / RIPPLE_MS;
      ctx.beginPath();
      ctx.arc(...camera.toScreen(x, z), 3 + age * 15, 0, 2 * Math.PI);
      ctx.globalAlpha = 1 - age;
      ctx.strokeStyle = palette().accent;
      ctx.lineWidth = 2;
      ctx.stroke();
      ctx.globalAlpha = 1;
    }
    return this.ripples.length > 0;
  }

  count(start) {
    const end = performance.now();
    this.renders.push({ end, ms: end - start });
    while (this.renders.length > 0 && end - this.renders[0].end > 1000) this.renders.shift();
  }

  /** Frames drawn in the last second, and what one took. */
  stats() {
    const now = performance.now();
    const recent = this.renders.filter(({ end }) => now - end <= 1000);
    const sum = recent.reduce((total, { ms }) => total + ms, 0);
    return { fps: recent.length, meanMs: recent.length ? sum / recent.length : 0, drawn: this.people.seen.count };
  }
}
