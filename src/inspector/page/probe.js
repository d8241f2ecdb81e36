// The tool that asks for the way between two places, and shows it with its explanation.

import { byId, el, iconButton } from './dom.js';
import { palette } from './theme.js';
import { rounded } from './shapes.js';
import { strokeRounded } from './paths.js';

/** While one drags, the way is asked for at most this often. */
const ASK_MS = 120;

/** A way that ends nearer to its goal reaches it. */
const BESIDE_M = 0.3;

export class ProbeTool {
  constructor(model, stage, orders) {
    Object.assign(this, { model, stage, orders });
    this.from = null;
    this.to = null;
    this.answer = null;
    this.asked = null;
    this.asking = false;
    this.again = false;
    stage.overlays.push((ctx, camera) => this.draw(ctx, camera));
  }

  cursor() {
    return 'crosshair';
  }

  enter() {
    this.card('Click where the way begins and where it ends, or drag from one to the other.');
  }

  leave() {
    this.clear();
    byId('tool-card').replaceChildren();
  }

  escape() {
    const had = this.from !== null;
    this.clear();
    if (had) this.enter();
    return had;
  }

  clear() {
    Object.assign(this, { from: null, to: null, answer: null });
    this.stage.redraw();
  }

  click(place) {
    if (!this.from || this.to) {
      this.clear();
      this.from = this.end(place);
      this.card('Now click where it ends.');
    } else {
      this.to = this.end(place);
      this.ask();
    }
    this.stage.redraw();
  }

  grab(place) {
    this.clear();
    this.from = this.end(place);
    const follow = (at) => {
      this.to = this.end(at);
      this.ask();
    };
    return { move: follow, drop: follow, cancel: () => this.clear() };
  }

  end({ x, z }) {
    return { x, z, storey: this.model.storey };
  }

  async ask() {
    if (this.asking) {
      this.again = true;
      return;
    }
    this.asking = true;
    const { from, to } = this;
    try {
      this.answer = await this.orders.ask('probe', this.orderOf(from, to));
      this.asked = from;
      this.showAnswer();
    } catch (error) {
      this.answer = null;
      this.card(error.message, true);
    }
    this.stage.redraw();
    setTimeout(() => this.finishAsking(), ASK_MS);
  }

  orderOf(from, to) {
    const order = { from: [rounded(from.x), rounded(from.z)], to: [rounded(to.x), rounded(to.z)] };
    const hasStoreys = this.model.storeys().length > 1;
    return hasStoreys ? { ...order, fromStorey: from.storey, toStorey: to.storey } : order;
  }

  finishAsking() {
    this.asking = false;
    if (this.again && this.to) this.ask();
    this.again = false;
  }

  showAnswer() {
    const { length, cost, ms, complete, text, missedBy = 0 } = this.answer;
    // A goal beside the ground counts as the nearest place on it.
    const reaches = missedBy > BESIDE_M ? `no: ${metres(missedBy)} beside it` : 'yes';
    const facts = el(
      'dl',
      { class: 'facts' },
      ...fact('length', metres(length)),
      ...fact('cost', number(cost)),
      ...fact('found in', typeof ms === 'number' ? `${ms.toFixed(2)} ms` : null),
      ...fact('reaches the end', complete === false ? 'no' : reaches),
    );
    this.card(facts, complete === false, text);
  }

  card(content, isBad = false, text = null) {
    const close = iconButton('close', 'Put the tool away', { on: { click: () => this.model.setTool('select') } });
    byId('tool-card').replaceChildren(
      el(
        'div',
        { class: isBad ? 'card bad' : 'card', data: { test: 'probe-card' } },
        el('header', {}, el('h2', {}, 'Way'), close),
        typeof content === 'string' ? el('p', {}, content) : content,
        text ? el('pre', { class: 'explanation' }, text) : null,
      ),
    );
  }

  draw(ctx, camera) {
    const { storey } = this.model;
    const colour = palette().probe;
    this.drawWay(ctx, camera, storey, colour);
    for (const [end, letter] of [
      [this.from, 'A'],
      [this.to, 'B'],
    ]) {
      if (end && end.storey === storey) drawPin(ctx, camera, end, letter, colour);
    }
  }

  drawWay(ctx, camera, storey, colour) {
    if (!this.answer) return;
    const { complete } = this.answer;
    // The way has the places still ahead: it begins where one stands.
    const points = [[this.asked.x, this.asked.z], ...this.answer.points];
    const storeys = [this.asked.storey, ...(this.answer.storeys ?? [])];
    const runs = [];
    let last = null;
    points.forEach((point, index) => {
      const level = storeys[index] ?? storey;
      if (level !== last) runs.push({ level, points: [] });
      last = level;
      // Places have two or three numbers; the last one is z.
      runs.at(-1).points.push(camera.toScreen(point[0], point.at(-1)));
    });
    ctx.setLineDash(complete === false ? [7, 5] : []);
    for (const run of runs) {
      if (run.level !== storey || run.points.length < 2) continue;
      strokeRounded(ctx, run.points, 0, palette().halo, 6);
      strokeRounded(ctx, run.points, 0, colour, 2.6);
    }
    ctx.setLineDash([]);
    ctx.fillStyle = colour;
    for (const run of runs) if (run.level === storey) run.points.forEach(([x, y]) => dot(ctx, x, y, 3));
  }
}

function drawPin(ctx, camera, end, letter, colour) {
  const [x, y] = camera.toScreen(end.x, end.z);
  ctx.fillStyle = colour;
  dot(ctx, x, y, 8.5);
  ctx.fillStyle = palette().paper;
  ctx.font = '600 11px sans-serif';
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.fillText(letter, x, y + 0.5);
  ctx.textAlign = 'start';
}

function dot(ctx, x, y, radius) {
  ctx.beginPath();
  ctx.arc(x, y, radius, 0, 2 * Math.PI);
  ctx.fill();
}

function fact(name, value) {
  return value === null ? [] : [el('dt', {}, name), el('dd', {}, value)];
}

const metres = (value) => (typeof value === 'number' ? `${value.toFixed(2)} m` : null);
const number = (value) => (typeof value === 'number' ? value.toFixed(2) : null);
