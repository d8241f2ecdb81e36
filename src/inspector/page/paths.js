// Lines on the stage: what remains of walks, and where characters came from.

import { decodePaths, rowOf, storeyOf } from './frames.js';
import { tracePolygon } from './shapes.js';
import { palette } from './theme.js';

const BEND_M = 0.35;
const TRAIL_MS = 6000;
const TRAIL_STEP_MS = 100;
const MOST_TRAILS = 600;

export class Paths {
  constructor(model) {
    this.model = model;
    this.parts = [];
    this.words = new Uint32Array(0);
    this.trails = new Map();
    this.lastTrail = 0;
    model.on('layers selected', () => this.forget());
  }

  /** Takes a message. Whether it differs from the last one. */
  take(buffer) {
    const words = new Uint32Array(buffer);
    const isSame = words.length === this.words.length && words.every((word, index) => word === this.words[index]);
    this.words = words;
    if (!isSame) this.parts = decodePaths(buffer);
    return !isSame;
  }

  forget() {
    this.words = new Uint32Array(0);
    if (this.model.layers.paths === 'none') this.parts = [];
    if (this.model.layers.paths === 'selected') {
      this.parts = this.parts.filter((part) => part.id === this.model.selected);
    }
    this.trails.clear();
  }

  /** Keeps the places of a frame for the trails. */
  follow(frame, now) {
    const { trails, selected, layers } = { ...this.model, trails: this.trails };
    if (frame.jump) trails.clear();
    if (layers.trails === 'none' || frame.paused || now - this.lastTrail < TRAIL_STEP_MS) return;
    this.lastTrail = now;
    if (layers.trails === 'selected') this.keepPlace(frame, rowOf(frame, selected ?? -1), now);
    else for (let row = 0; row < Math.min(frame.count, MOST_TRAILS); row++) this.keepPlace(frame, row, now);
  }

  keepPlace(frame, row, now) {
    if (row < 0) return;
    const id = frame.id[row];
    const trail = this.trails.get(id) ?? [];
    this.trails.set(id, trail);
    trail.push({ x: frame.x[row], z: frame.z[row], storey: storeyOf(frame.bits[row]), now });
    while (trail.length > 0 && now - trail[0].now > TRAIL_MS) trail.shift();
  }

  /** The polygons that the path of the selected character goes through. */
  drawCorridor(ctx, camera, storey, tintOf) {
    const { inspected, selected, layers } = this.model;
    if (layers.paths === 'none' || selected === null || inspected?.selected !== selected) return;
    ctx.fillStyle = tintOf(selected);
    ctx.strokeStyle = tintOf(selected);
    ctx.lineWidth = 1;
    for (const { polygon } of inspected.corridor.filter((part) => part.storey === storey)) {
      tracePolygon(ctx, camera, polygon);
      ctx.globalAlpha = 0.16;
      ctx.fill();
      ctx.globalAlpha = 0.45;
      ctx.stroke();
    }
    ctx.globalAlpha = 1;
  }

  drawTrails(ctx, camera, storey, tintOf) {
    ctx.lineWidth = 3;
    for (const [id, trail] of this.trails) {
      ctx.strokeStyle = tintOf(id);
      for (let index = 1; index < trail.length; index++) {
        const [from, to] = [trail[index - 1], trail[index]];
        if (from.storey !== storey || Math.hypot(to.x - from.x, to.z - from.z) > 3) continue;
        ctx.globalAlpha = (0.5 * index) / trail.length;
        ctx.beginPath();
        ctx.moveTo(...camera.toScreen(from.x, from.z));
        ctx.lineTo(...camera.toScreen(to.x, to.z));
        ctx.stroke();
      }
    }
    ctx.globalAlpha = 1;
  }

  /** `placeOf(id)` is where a character is drawn, or null. */
  draw(ctx, camera, storey, tintOf, placeOf) {
    let last = null;
    for (const part of this.parts) {
      const isFirst = part.id !== last;
      last = part.id;
      if (part.storey !== storey || part.points.length < 2) continue;
      const points = onScreen(part, camera, isFirst ? placeOf(part.id) : null);
      const tint = tintOf(part.id);
      ctx.setLineDash(part.partial ? [6, 5] : []);
      strokeRounded(ctx, points, BEND_M * camera.scale, palette().halo, 5);
      strokeRounded(ctx, points, BEND_M * camera.scale, tint, 2.2);
      ctx.setLineDash([]);
      if (part.last) goal(ctx, points.at(-1), tint, part.partial);
    }
  }
}

/** The points on the screen. The character has walked on since the message: its line begins where it is drawn. */
function onScreen({ points }, camera, start) {
  const screen = [];
  for (let at = 0; at < points.length; at += 2) screen.push(camera.toScreen(points[at], points[at + 1]));
  if (!start) return screen;
  const here = camera.toScreen(...start);
  const [from, to] = screen;
  // It may already be past the first bend.
  const ahead = (to[0] - here[0]) * (to[0] - from[0]) + (to[1] - here[1]) * (to[1] - from[1]);
  screen.splice(0, ahead <= 0 && screen.length > 2 ? 2 : 1, here);
  return screen;
}

/** A line whose bends are rounded; the halo makes it visible on every ground. */
export function strokeRounded(ctx, points, bend, colour, width) {
  ctx.beginPath();
  ctx.moveTo(...points[0]);
  for (let at = 1; at < points.length - 1; at++) {
    const [before, here, next] = [points[at - 1], points[at], points[at + 1]];
    const shorter = Math.min(away(before, here), away(here, next));
    ctx.arcTo(here[0], here[1], next[0], next[1], Math.min(bend, shorter / 2));
  }
  ctx.lineTo(...points.at(-1));
  ctx.lineJoin = 'round';
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.stroke();
}

function away(from, to) {
  return Math.hypot(to[0] - from[0], to[1] - from[1]);
}

function goal(ctx, [x, y], tint, partial) {
  ctx.strokeStyle = tint;
  ctx.lineWidth = 2;
  ctx.beginPath();
  if (partial) {
    ctx.moveTo(x - 5, y - 5);
    ctx.lineTo(x + 5, y + 5);
    ctx.moveTo(x + 5, y - 5);
    ctx.lineTo(x - 5, y + 5);
  } else {
    ctx.arc(x, y, 5.5, 0, 2 * Math.PI);
    ctx.moveTo(x + 2, y);
    ctx.arc(x, y, 2, 0, 2 * Math.PI);
  }
  ctx.stroke();
}
