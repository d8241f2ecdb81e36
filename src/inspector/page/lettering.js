// Words on the stage: each is drawn once into a small bitmap, and copied from there. A placer keeps them apart.

import { palette, onTheme } from './theme.js';

const SANS = '"Segoe UI", "Helvetica Neue", Helvetica, Arial, "DejaVu Sans", sans-serif';
const MOST_WORDS = 3000;
const BUBBLE_PX = 190;
const BUBBLE_LINES = 5;

const STYLES = {
  name: { font: `600 12px ${SANS}`, ink: 'ink', size: 12 },
  area: { font: `13.5px ${SANS}`, ink: 'area', size: 13.5, spacing: '1.2px', bare: true },
  shut: { font: `600 11px ${SANS}`, ink: 'shut', size: 11 },
  thing: { font: `10.5px ${SANS}`, ink: 'thing', size: 10.5, bare: true },
  place: { font: `italic 11px ${SANS}`, ink: 'place', size: 11 },
  bubble: { font: `12.5px ${SANS}`, ink: 'ink', size: 12.5 },
};

export class Lettering {
  constructor() {
    this.words = new Map();
    this.ratio = 1;
    onTheme(() => this.words.clear());
  }

  setRatio(ratio) {
    if (ratio !== this.ratio) this.words.clear();
    this.ratio = ratio;
  }

  /** A word as `{ bitmap, width, height }`, in pixels of the page. */
  word(style, text) {
    return this.kept(`${style} ${text}`, () => this.makeWord(STYLES[style], text));
  }

  /** A speech bubble; its tip is in the middle of its lower edge. */
  bubble(text) {
    return this.kept(`bubble ${text}`, () => this.makeBubble(text));
  }

  kept(key, make) {
    let word = this.words.get(key);
    if (!word) {
      if (this.words.size >= MOST_WORDS) this.words.clear();
      word = make();
      this.words.set(key, word);
    }
    return word;
  }

  blank(width, height, style) {
    const canvas = new OffscreenCanvas(Math.ceil(width * this.ratio), Math.ceil(height * this.ratio));
    const ctx = canvas.getContext('2d');
    ctx.scale(this.ratio, this.ratio);
    prepare(ctx, style);
    return { canvas, ctx, width: canvas.width / this.ratio, height: canvas.height / this.ratio };
  }

  makeWord(style, text) {
    const shown = text.length > 40 ? `${text.slice(0, 39)}…` : text;
    const { canvas, ctx, width, height } = this.blank(measure(style, shown) + 6, style.size + 6, style);
    if (!style.bare) {
      ctx.lineWidth = 3;
      ctx.lineJoin = 'round';
      ctx.strokeStyle = palette().halo;
      ctx.strokeText(shown, 3, height / 2);
    }
    ctx.fillStyle = palette()[style.ink];
    ctx.fillText(shown, 3, height / 2);
    return { bitmap: canvas.transferToImageBitmap(), width, height };
  }

  makeBubble(text) {
    const style = STYLES.bubble;
    const lines = wrapped(style, text);
    const wide = Math.max(...lines.map((line) => measure(style, line)));
    const height = lines.length * 16 + 10;
    const made = this.blank(wide + 22, height + 9, style);
    const { ctx, width } = made;
    bubbleOutline(ctx, 1, 1, width - 2, height);
    ctx.fillStyle = palette().bubble;
    ctx.fill();
    ctx.strokeStyle = palette().bubbleRim;
    ctx.lineWidth = 1;
    ctx.stroke();
    ctx.fillStyle = palette().ink;
    lines.forEach((line, index) => ctx.fillText(line, 11, 14.5 + index * 16));
    return { bitmap: made.canvas.transferToImageBitmap(), width, height: made.height };
  }
}

function prepare(ctx, style) {
  ctx.font = style.font;
  ctx.textBaseline = 'middle';
  if (style.spacing && 'letterSpacing' in ctx) ctx.letterSpacing = style.spacing;
}

const ruler = document.createElement('canvas').getContext('2d');

function measure(style, text) {
  prepare(ruler, { spacing: '0px', ...style });
  return ruler.measureText(text).width;
}

function wrapped(style, text) {
  const lines = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    const longer = `${last} ${word}`;
    if (last !== undefined && measure(style, longer) <= BUBBLE_PX) lines[lines.length - 1] = longer;
    else lines.push(word.length > 28 ? `${word.slice(0, 27)}…` : word);
  }
  if (lines.length <= BUBBLE_LINES) return lines;
  return [...lines.slice(0, BUBBLE_LINES - 1), `${lines[BUBBLE_LINES - 1]} …`];
}

function bubbleOutline(ctx, x, y, width, height) {
  const middle = x + width / 2;
  ctx.beginPath();
  ctx.moveTo(middle + 6, y + height);
  ctx.lineTo(middle, y + height + 6);
  ctx.lineTo(middle - 6, y + height);
  ctx.arcTo(x, y + height, x, y, 8);
  ctx.arcTo(x, y, x + width, y, 8);
  ctx.arcTo(x + width, y, x + width, y + height, 8);
  ctx.arcTo(x + width, y + height, x, y + height, 8);
  ctx.closePath();
}

/** Remembers which rectangles of the stage are taken, by cells of a grid. */
export class Placer {
  constructor() {
    this.cells = new Map();
  }

  clear() {
    this.cells.clear();
  }

  /** Takes a rectangle, if it is free. */
  take(x, y, width, height) {
    if (!this.isFree(x, y, width, height)) return false;
    this.block(x, y, width, height);
    return true;
  }

  isFree(x, y, width, height) {
    return cellsOf(x, y, width, height).every((cell) =>
      (this.cells.get(cell) ?? []).every(
        (taken) => x >= taken.right || y >= taken.bottom || x + width <= taken.x || y + height <= taken.y,
      ),
    );
  }

  block(x, y, width, height) {
    const taken = { x, y, right: x + width, bottom: y + height };
    for (const cell of cellsOf(x, y, width, height)) {
      if (this.cells.has(cell)) this.cells.get(cell).push(taken);
      else this.cells.set(cell, [taken]);
    }
  }
}

const CELL_PX = 48;

function cellsOf(x, y, width, height) {
  const cells = [];
  const right = Math.floor((x + width) / CELL_PX);
  const bottom = Math.floor((y + height) / CELL_PX);
  for (let row = Math.floor(y / CELL_PX); row <= bottom; row++) {
    for (let column = Math.floor(x / CELL_PX); column <= right; column++) cells.push(row * 8192 + column);
  }
  return cells;
}
