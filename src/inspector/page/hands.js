// Pointers and wheel on the stage. What a click or a drag does is up to the tool; empty ground pans.

import { byId } from './dom.js';

/** Less than this is a click. */
const DRAG_PX = 5;
/** A finger that rests as long as this opens the menu, as the right button does. */
const LONG_MS = 550;
const WHEEL_STEP = 0.0016;

export class Hands {
  /** `tool()` is the tool in hand; see tools.js for what it offers. */
  constructor(model, stage, tool) {
    this.model = model;
    this.stage = stage;
    this.tool = tool;
    this.pointers = new Map();
    /** The gesture that goes on: `press`, `pan`, `pinch`, `tool` or null. */
    this.gesture = null;
    this.resting = 0;
    this.lastMenu = -Infinity;
    this.listen(byId('canvas'));
  }

  listen(canvas) {
    canvas.addEventListener('pointerdown', (event) => this.down(event));
    canvas.addEventListener('pointermove', (event) => this.move(event));
    canvas.addEventListener('pointerup', (event) => this.up(event));
    canvas.addEventListener('pointercancel', (event) => this.cancel(event));
    canvas.addEventListener('pointerleave', () => this.hover(null));
    canvas.addEventListener('wheel', (event) => this.wheel(event), { passive: false });
    canvas.addEventListener('contextmenu', (event) => this.menu(event));
  }

  down(event) {
    if (event.button === 2) return;
    event.target.setPointerCapture(event.pointerId);
    const point = pointOf(event);
    this.pointers.set(event.pointerId, point);
    if (this.pointers.size === 2) this.startPinch();
    else if (this.pointers.size === 1) this.press(point, event);
  }

  press(point, { button, pointerType }) {
    this.gesture = { kind: 'press', from: point, button };
    clearTimeout(this.resting);
    const { gesture } = this;
    const rest = () => this.gesture === gesture && this.openMenu(point);
    if (pointerType === 'touch') this.resting = setTimeout(rest, LONG_MS);
  }

  move(event) {
    const point = pointOf(event);
    if (!this.pointers.has(event.pointerId)) {
      this.hover(point);
      return;
    }
    const before = this.pointers.get(event.pointerId);
    this.pointers.set(event.pointerId, point);
    const { gesture } = this;
    if (gesture?.kind === 'press' && away(gesture.from, point) >= DRAG_PX) this.startDrag(gesture);
    if (this.gesture?.kind === 'pan') this.pan(point[0] - before[0], point[1] - before[1]);
    else if (this.gesture?.kind === 'pinch') this.pinch();
    else if (this.gesture?.kind === 'tool') this.gesture.drag.move({ ...this.place(point), shift: event.shiftKey });
    this.stage.redraw();
  }

  startDrag(press) {
    const drag = press.button === 0 ? this.tool().grab?.(this.place(press.from)) : null;
    this.gesture = drag ? { kind: 'tool', drag } : { kind: 'pan' };
    if (!drag) this.setCursor('grabbing');
  }

  up(event) {
    const point = pointOf(event);
    const { gesture } = this;
    this.pointers.delete(event.pointerId);
    if (gesture?.kind === 'pinch' && this.pointers.size > 0) {
      // The finger that stays goes on panning.
      this.gesture = { kind: 'pan' };
      return;
    }
    if (this.pointers.size > 0) return;
    this.gesture = null;
    if (gesture?.kind === 'tool') gesture.drag.drop({ ...this.place(point), shift: event.shiftKey });
    else if (gesture?.kind === 'press' && gesture.button === 0) this.click(point, event);
    if (event.pointerType === 'mouse') this.hover(point);
    this.stage.redraw();
  }

  cancel(event) {
    this.pointers.delete(event.pointerId);
    if (this.gesture?.kind === 'tool') this.gesture.drag.cancel?.();
    this.gesture = null;
    this.stage.redraw();
  }

  click(point, event) {
    const place = { ...this.place(point), shift: event.shiftKey };
    if (event.altKey && this.tool().menu) this.tool().menu(place);
    else this.tool().click?.(place);
  }

  menu(event) {
    event.preventDefault();
    this.openMenu(pointOf(event));
  }

  /** Some browsers tell a long press themselves, others do not: it counts once, and is no click as well. */
  openMenu(point) {
    this.gesture = null;
    const now = performance.now();
    if (now - this.lastMenu < LONG_MS) return;
    this.lastMenu = now;
    this.tool().menu?.(this.place(point));
  }

  wheel(event) {
    event.preventDefault();
    const [px, py] = pointOf(event);
    const lines = event.deltaMode === 1 ? 16 : 1;
    // Pinching on a touchpad comes as a wheel with Ctrl, in small steps.
    const step = event.deltaY * lines * WHEEL_STEP * (event.ctrlKey ? 6 : 1);
    this.stage.camera.zoomAt(px, py, Math.exp(-Math.max(Math.min(step, 0.6), -0.6)));
    this.stage.redraw();
  }

  pan(dx, dy) {
    this.model.setFollowing(false);
    this.stage.camera.pan(dx, dy);
  }

  startPinch() {
    if (this.gesture?.kind === 'tool') this.gesture.drag.cancel?.();
    this.gesture = { kind: 'pinch', ...this.fingers() };
  }

  fingers() {
    const [[ax, ay], [bx, by]] = [...this.pointers.values()];
    return { x: (ax + bx) / 2, y: (ay + by) / 2, apart: Math.max(Math.hypot(ax - bx, ay - by), 10) };
  }

  pinch() {
    if (this.pointers.size < 2) return;
    const now = this.fingers();
    const { x, y, apart } = this.gesture;
    this.pan(now.x - x, now.y - y);
    this.stage.camera.zoomAt(now.x, now.y, now.apart / apart);
    Object.assign(this.gesture, now);
  }

  hover(point) {
    if (this.gesture) return;
    const hovered = point ? this.stage.people.at(point[0], point[1], 2) : null;
    if (hovered !== this.stage.hovered) this.stage.redraw();
    this.stage.hovered = hovered;
    if (!point) return;
    const place = this.place(point);
    this.setCursor(this.tool().cursor?.(place) ?? (hovered === null ? 'default' : 'pointer'));
    this.tool().hover?.(place);
  }

  setCursor(cursor) {
    byId('canvas').style.cursor = cursor;
  }

  /** A place on the stage: on the screen, in the room, and the character there. */
  place([px, py]) {
    const [x, z] = this.stage.camera.toWorld(px, py);
    return { px, py, x, z, who: this.stage.sample ? this.stage.people.at(px, py, 2) : null };
  }
}

function pointOf(event) {
  const box = byId('canvas').getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

function away(from, to) {
  return Math.hypot(to[0] - from[0], to[1] - from[1]);
}
