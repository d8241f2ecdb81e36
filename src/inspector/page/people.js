// The characters on the stage: those in view, their marks, names and speech.

import { BIT, storeyOf } from './frames.js';
import { palette } from './theme.js';
import { tintOf } from './colours.js';
import { Sprites } from './sprites.js';
import { Placer } from './lettering.js';

const LEAST_RADIUS_PX = 1.6;
/** Smaller characters are squares, and have neither names nor marks. */
const SQUARE_BELOW_PX = 2.4;
const NAMES_FROM_PX = 4;
/** With more characters in view, names would cover them. */
const NAMES_UP_TO = 1500;
const MOST_NAMES = 240;
/** From this many in view on, speed counts more than half a pixel. */
const CROWD_FROM = 300;
const DIM = 0.35;

export class People {
  /** `labels` is the placer of the names of places, which stand still: a character's name goes around them. */
  constructor(model, lettering, labels) {
    this.model = model;
    this.lettering = lettering;
    this.labels = labels;
    this.placer = new Placer();
    this.bubbles = new Placer();
    this.sprites = new Sprites();
    this.tints = new Map();
    this.named = new Set();
    /** What was drawn last: rows of the sample in view, with their places on the screen. */
    this.seen = { count: 0, row: new Uint32Array(0), x: new Float32Array(0), y: new Float32Array(0) };
    this.sample = null;
    model.on('people', () => this.tints.clear());
  }

  /** Finds what is in view. */
  cull(sample, camera, storey, ratio) {
    this.sample = sample;
    this.ratio = ratio;
    const seen = this.roomFor(sample.count);
    const { width, height, scale } = camera;
    const left = width / 2 - camera.x * scale;
    const top = height / 2 - camera.z * scale;
    let count = 0;
    for (let row = 0; row < sample.count; row++) {
      if (storeyOf(sample.bits[row]) !== storey) continue;
      const x = left + sample.x[row] * scale;
      const y = top + sample.z[row] * scale;
      const reach = sample.radius[row] * scale * 1.5 + 2;
      if (x < -reach || y < -reach || x > width + reach || y > height + reach) continue;
      seen.row[count] = row;
      seen.x[count] = x;
      seen.y[count] = y;
      count += 1;
    }
    seen.count = count;
    this.scale = scale;
  }

  roomFor(count) {
    if (this.seen.row.length < count) {
      const size = Math.ceil(count * 1.25);
      this.seen = { count: 0, row: new Uint32Array(size), x: new Float32Array(size), y: new Float32Array(size) };
    }
    return this.seen;
  }

  /** Whether somebody stands on a place of the screen. In a crowd nobody would see what is beneath. */
  covers(px, py) {
    const { seen } = this;
    if (this.isCrowd()) return false;
    for (let index = 0; index < seen.count; index++) {
      if (Math.hypot(px - seen.x[index], py - seen.y[index]) < this.radiusPx(seen.row[index])) return true;
    }
    return false;
  }

  radiusPx(row) {
    return Math.max(this.sample.radius[row] * this.scale, LEAST_RADIUS_PX);
  }

  tint(id) {
    let tint = this.tints.get(id);
    if (tint === undefined) {
      tint = tintOf(this.model.personOf(id));
      this.tints.set(id, tint);
    }
    return tint;
  }

  drawBodies(ctx) {
    const { seen, sample } = this;
    this.drawShades(ctx);
    let alpha = 1;
    for (let index = 0; index < seen.count; index++) {
      const row = seen.row[index];
      const wanted = sample.bits[row] & BIT.active ? 1 : DIM;
      if (wanted !== alpha) {
        ctx.globalAlpha = wanted;
        alpha = wanted;
      }
      this.drawBody(ctx, row, seen.x[index], seen.y[index]);
    }
    ctx.globalAlpha = 1;
  }

  isCrowd() {
    return this.seen.count > CROWD_FROM;
  }

  drawShades(ctx) {
    const { seen, sample } = this;
    if (this.isCrowd() || seen.count === 0 || this.radiusPx(seen.row[0]) < 6) return;
    ctx.fillStyle = palette().shade;
    ctx.beginPath();
    for (let index = 0; index < seen.count; index++) {
      const row = seen.row[index];
      if (!(sample.bits[row] & BIT.active)) continue;
      const radius = this.radiusPx(row);
      // One that crosses a link is above the ground.
      const off = sample.bits[row] & BIT.crossing ? 0.34 : 0.1;
      const [x, y] = [seen.x[index] + radius * 0.06, seen.y[index] + radius * off];
      ctx.moveTo(x + radius, y);
      ctx.arc(x, y, radius, 0, 2 * Math.PI);
    }
    ctx.fill();
  }

  drawBody(ctx, row, x, y) {
    const radius = this.radiusPx(row);
    const tint = this.tint(this.sample.id[row]);
    if (radius < SQUARE_BELOW_PX) {
      ctx.fillStyle = tint;
      ctx.fillRect(x - radius, y - radius, radius * 2, radius * 2);
    } else {
      const heading = this.sample.heading[row];
      if (this.isCrowd()) this.sprites.drawFast(ctx, tint, x, y, radius, heading, this.ratio);
      else this.sprites.drawExactly(ctx, tint, x, y, radius, heading, this.ratio);
    }
  }

  /** Rings and small signs that tell more of a character. */
  drawMarks(ctx, hovered) {
    const { seen, sample, model } = this;
    const player = model.player()?.id;
    for (let index = 0; index < seen.count; index++) {
      const row = seen.row[index];
      const id = sample.id[row];
      const [x, y, radius] = [seen.x[index], seen.y[index], this.radiusPx(row)];
      if (id === player) playerRing(ctx, x, y, radius, this.tint(id));
      if (id === model.selected) selectionRing(ctx, x, y, radius);
      else if (id === hovered) hoverRing(ctx, x, y, radius);
      if (radius >= SQUARE_BELOW_PX) drawSigns(ctx, sample.bits[row], x, y, radius);
    }
  }

  drawWords(ctx, hovered) {
    this.placer.clear();
    this.drawSpeech(ctx);
    if (this.model.layers.names) this.drawNames(ctx, hovered);
    else this.nameAlways(ctx, [this.model.selected, hovered]);
  }

  drawSpeech(ctx) {
    const { said } = this.model;
    this.bubbles.clear();
    const isKnown = !this.model.isPast() || this.model.past.exact;
    if (said.size === 0 || !isKnown) return;
    const { seen, sample } = this;
    for (let index = 0; index < seen.count; index++) {
      const text = said.get(sample.id[seen.row[index]]);
      if (!text) continue;
      const bubble = this.lettering.bubble(text);
      const x = seen.x[index] - bubble.width / 2;
      const y = seen.y[index] - this.radiusPx(seen.row[index]) * 1.35 - bubble.height;
      // In a crowd, later bubbles give way; names give way to all of them.
      if (!this.bubbles.take(x, y, bubble.width, bubble.height)) continue;
      this.placer.block(x, y, bubble.width, bubble.height);
      ctx.drawImage(bubble.bitmap, x, y, bubble.width, bubble.height);
    }
  }

  drawNames(ctx, hovered) {
    const { seen } = this;
    this.nameAlways(ctx, [this.model.selected, hovered]);
    const before = this.named;
    this.named = new Set();
    if (seen.count === 0 || seen.count > NAMES_UP_TO || this.radiusPx(seen.row[0]) < NAMES_FROM_PX) return;
    this.blockBodies();
    // Those that had a name keep it, so that names do not flicker.
    this.nameSome(ctx, (id) => before.has(id));
    this.nameSome(ctx, (id) => !before.has(id));
  }

  blockBodies() {
    for (let index = 0; index < this.seen.count; index++) {
      const radius = this.radiusPx(this.seen.row[index]) * 0.8;
      this.placer.block(this.seen.x[index] - radius, this.seen.y[index] - radius, radius * 2, radius * 2);
    }
  }

  nameAlways(ctx, ids) {
    for (let index = 0; index < this.seen.count; index++) {
      const id = this.sample.id[this.seen.row[index]];
      if (ids.includes(id)) this.drawName(ctx, index, true);
    }
  }

  nameSome(ctx, wanted) {
    const { seen, sample, model } = this;
    for (let index = 0; index < seen.count && this.named.size < MOST_NAMES; index++) {
      const id = sample.id[seen.row[index]];
      if (id === model.selected || !wanted(id)) continue;
      if (this.drawName(ctx, index, false)) this.named.add(id);
    }
  }

  drawName(ctx, index, always) {
    const row = this.seen.row[index];
    const word = this.lettering.word('name', this.model.nameOf(this.sample.id[row]));
    const isSelected = this.sample.id[row] === this.model.selected;
    const reach = this.radiusPx(row) * (isSelected ? 1.55 : 1.25) + (isSelected ? 4 : 1);
    const y = this.seen.y[index] - word.height / 2;
    const right = this.seen.x[index] + reach;
    const left = this.seen.x[index] - reach - word.width;
    const box = (x) => [x, y + 2, word.width, word.height - 4];
    const isClear = (x) => this.placer.isFree(...box(x)) && this.labels.isFree(...box(x));
    const sides = [right, left];
    const x = sides.find(isClear) ?? sides.find((side) => this.placer.isFree(...box(side))) ?? (always ? right : null);
    if (x === null) return false;
    this.placer.block(...box(x));
    ctx.drawImage(word.bitmap, Math.round(x), Math.round(y), word.width, word.height);
    return true;
  }

  /** The character at a place of the screen, or null. */
  at(px, py, slack) {
    const { seen, sample } = this;
    let best = null;
    let nearest = Infinity;
    for (let index = 0; index < seen.count; index++) {
      const away = Math.hypot(px - seen.x[index], py - seen.y[index]);
      const reach = Math.max(this.radiusPx(seen.row[index]), 6) + slack;
      if (away > reach || away >= nearest) continue;
      nearest = away;
      best = sample.id[seen.row[index]];
    }
    return best;
  }
}

function ring(ctx, x, y, radius, colour, width) {
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.stroke();
}

function playerRing(ctx, x, y, radius, tint) {
  ctx.setLineDash([Math.max(radius * 0.25, 2), Math.max(radius * 0.165, 1.4)]);
  ring(ctx, x, y, radius * 1.22, tint, Math.max(radius * 0.11, 1.2));
  ctx.setLineDash([]);
}

function selectionRing(ctx, x, y, radius) {
  const reach = Math.max(radius * 1.55, radius + 4);
  ring(ctx, x, y, reach, palette().halo, 5);
  ring(ctx, x, y, reach, palette().accent, 2.2);
}

function hoverRing(ctx, x, y, radius) {
  ring(ctx, x, y, Math.max(radius * 1.5, radius + 3), palette().quiet, 1.2);
}

function drawSigns(ctx, bits, x, y, radius) {
  if (bits & BIT.inScene) {
    ctx.setLineDash([2, 3]);
    ring(ctx, x, y, radius * 1.4 + 1, palette().scene, 1.6);
    ctx.setLineDash([]);
  }
  const off = radius * 0.8;
  if (bits & BIT.scriptOff) badge(ctx, x + off, y - off, radius, palette().bad, 'cross');
  else if (bits & BIT.heldUp) badge(ctx, x + off, y - off, radius, palette().amber, 'bars');
}

function badge(ctx, x, y, radius, colour, sign) {
  const size = Math.min(Math.max(radius * 0.5, 3), 7);
  ctx.beginPath();
  ctx.arc(x, y, size, 0, 2 * Math.PI);
  ctx.fillStyle = colour;
  ctx.fill();
  ctx.strokeStyle = palette().halo;
  ctx.lineWidth = 1.2;
  ctx.stroke();
  if (size < 4) return;
  const arm = size * 0.42;
  ctx.beginPath();
  if (sign === 'cross') {
    ctx.moveTo(x - arm, y - arm);
    ctx.lineTo(x + arm, y + arm);
    ctx.moveTo(x + arm, y - arm);
    ctx.lineTo(x - arm, y + arm);
  } else {
    ctx.moveTo(x - arm * 0.8, y - arm);
    ctx.lineTo(x - arm * 0.8, y + arm);
    ctx.moveTo(x + arm * 0.8, y - arm);
    ctx.lineTo(x + arm * 0.8, y + arm);
  }
  ctx.strokeStyle = palette().dark ? '#1f1d18' : '#fffdf8';
  ctx.lineWidth = size * 0.28;
  ctx.stroke();
}
