// Pictures of characters, drawn once for each tint, size and heading, so that a crowd needs no paths.

import { rimOf } from './colours.js';

const HEADINGS = 32;
/** Sprites that are turned and scaled are drawn in steps of sizes. */
const SIZE_STEP = 1.15;
/** Larger ones are never copied as they are: only few have room on the screen. In pixels of the device. */
const COPIED_UP_TO_PX = 40;
/** In a room drawn in perspective, every character has a size of its own. */
const MOST_SIZES = 48;
const TIP = Math.SQRT2;

export class Sprites {
  constructor() {
    /** Atlases by size, then by tint. */
    this.sizes = new Map();
    this.key = 0;
    this.tints = new Map();
  }

  /** Draws one with its very place, size and heading. */
  drawExactly(ctx, tint, x, y, radius, heading, ratio) {
    const stepped = SIZE_STEP ** Math.ceil(Math.log(Math.max(radius * ratio, 2)) / Math.log(SIZE_STEP));
    const atlas = this.atlas(tint, stepped, 1);
    const side = (atlas.cell / atlas.size) * radius;
    const cos = Math.cos(heading) * ratio;
    const sin = Math.sin(heading) * ratio;
    ctx.setTransform(cos, sin, -sin, cos, x * ratio, y * ratio);
    ctx.drawImage(atlas.bitmap, 0, 0, atlas.cell, atlas.cell, -side / 2, -side / 2, side, side);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  /** Draws one of a crowd: to whole pixels and the nearest heading, which is a plain copy. */
  drawFast(ctx, tint, x, y, radius, heading, ratio) {
    const size = Math.max(Math.round(radius * ratio * 2) / 2, 2);
    if (size > COPIED_UP_TO_PX) {
      this.drawExactly(ctx, tint, x, y, radius, heading, ratio);
      return;
    }
    const { bitmap, cell } = this.atlas(tint, size, HEADINGS);
    const turn = Math.round((heading / (2 * Math.PI)) * HEADINGS);
    const left = (((turn % HEADINGS) + HEADINGS) % HEADINGS) * cell;
    const px = Math.round(x * ratio - cell / 2) / ratio;
    const py = Math.round(y * ratio - cell / 2) / ratio;
    ctx.drawImage(bitmap, left, 0, cell, cell, px, py, cell / ratio, cell / ratio);
  }

  atlas(tint, size, headings) {
    // Both kinds of atlases are in one map.
    const key = headings === 1 ? -size : size;
    if (key !== this.key) this.choose(key);
    let atlas = this.tints.get(tint);
    if (!atlas) {
      atlas = makeAtlas(tint, size, headings);
      this.tints.set(tint, atlas);
    }
    return atlas;
  }

  choose(key) {
    if (!this.sizes.has(key)) {
      if (this.sizes.size >= MOST_SIZES) this.forgetOldest();
      this.sizes.set(key, new Map());
    }
    this.key = key;
    this.tints = this.sizes.get(key);
  }

  forgetOldest() {
    const [oldest, tints] = this.sizes.entries().next().value;
    for (const { bitmap } of tints.values()) bitmap.close();
    this.sizes.delete(oldest);
  }
}

function makeAtlas(tint, size, headings) {
  const cell = Math.ceil(size * (TIP + 0.15) * 2) + 2;
  const canvas = new OffscreenCanvas(cell * headings, cell);
  const ctx = canvas.getContext('2d');
  for (let index = 0; index < headings; index++) drawCell(ctx, cell, index, size, tint);
  // Copying from a bitmap is faster than from a canvas, which may still change.
  return { bitmap: canvas.transferToImageBitmap(), cell, size };
}

function drawCell(ctx, cell, index, size, tint) {
  ctx.setTransform(1, 0, 0, 1, (index + 0.5) * cell, cell / 2);
  ctx.rotate((index / HEADINGS) * 2 * Math.PI);
  outline(ctx, size);
  ctx.fillStyle = tint;
  ctx.fill();
  ctx.lineWidth = Math.max(size * 0.09, 0.7);
  ctx.lineJoin = 'round';
  ctx.strokeStyle = rimOf(tint);
  ctx.stroke();
  if (size <= 3) return;
  ctx.beginPath();
  ctx.arc(size * 0.34, 0, size * 0.36, 0, 2 * Math.PI);
  ctx.fillStyle = 'rgba(255, 250, 240, .9)';
  ctx.fill();
}

/** A disc with a tip in the direction of +x. */
export function outline(ctx, radius) {
  ctx.beginPath();
  ctx.arc(0, 0, radius, Math.PI / 4, -Math.PI / 4);
  ctx.lineTo(radius * TIP, 0);
  ctx.closePath();
}
