// The panel of measurements: plots of the last minutes, and the latest numbers.

import { byId, el, setText } from './dom.js';
import { palette, onTheme } from './theme.js';

/** Four a second: three minutes; and at least half a minute fills a plot. */
const KEPT = 720;
const LEAST_SHOWN = 120;
const HIGH_PX = 84;
const LAYERS = ['#3d8f8b', '#bf7a3a', '#8a68ad', '#5f8f4e', '#b5574f', '#a85a86', '#e0a526', '#5d6fa8'];

const PLOTS = [
  { id: 'tick', title: 'Tick, ms', stacked: true, values: (numbers) => numbers.phases ?? { tick: numbers.tickMs } },
  {
    id: 'memory',
    title: 'Memory, MB',
    values: ({ scriptBytes, processBytes }) => ({ scripts: scriptBytes / 1e6, program: processBytes / 1e6 }),
  },
  { id: 'paths', title: 'Paths', values: ({ waiting, searches }) => ({ 'searches a tick': searches, waiting }) },
  {
    id: 'search-work',
    title: 'Search, nodes a tick',
    values: ({ searchWork, searchBudget }) => ({ expanded: searchWork, budget: searchBudget }),
  },
  {
    id: 'scripts',
    title: 'Script instructions, thousands a second',
    values: ({ scripts }) => ({ instructions: scripts / 1000 }),
  },
];

export class NumbersPanel {
  constructor(model, sidebar, stage) {
    Object.assign(this, { model, sidebar, stage });
    this.history = [];
    this.plots = PLOTS.map(makePlot);
    this.table = el('dl', { class: 'facts', id: 'numbers-table' });
    this.cells = new Map();
    byId('panel-numbers').replaceChildren(...this.plots.map(({ element }) => element), this.table);
    model.on('state', ({ numbers }) => this.take(numbers));
    sidebar.onShow('numbers', () => this.draw());
    onTheme(() => this.draw());
  }

  take(numbers) {
    if (!numbers) return;
    this.history.push(numbers);
    if (this.history.length > KEPT) this.history.shift();
    this.draw();
  }

  draw() {
    if (!this.sidebar.shows('numbers') || this.history.length === 0) return;
    for (const plot of this.plots) drawPlot(plot, this.history);
    this.fillTable(this.history.at(-1));
  }

  fillTable(numbers) {
    const { fps, meanMs, drawn } = this.stage.stats();
    const rows = {
      'mean tick': milliseconds(numbers.tickMs),
      'longest tick': milliseconds(numbers.worstMs),
      characters: whole(numbers.characters),
      walking: whole(numbers.walking),
      'pages open': whole(numbers.clients),
      'frames sent': perSecond(numbers.fps),
      'frames drawn': perSecond(fps),
      'drawing one': milliseconds(meanMs),
      'characters in view': whole(drawn),
    };
    for (const [name, text] of Object.entries(rows)) this.cell(name).textContent = text;
  }

  cell(name) {
    if (!this.cells.has(name)) {
      const value = el('dd', {});
      this.table.append(el('dt', {}, name), value);
      this.cells.set(name, value);
    }
    return this.cells.get(name);
  }
}

function makePlot(plot) {
  const canvas = el('canvas', { class: 'plot', id: `plot-${plot.id}`, role: 'img', 'aria-label': plot.title });
  const legend = el('div', { class: 'legend' });
  const top = el('span', { class: 'count' });
  const element = el('section', { class: 'section' }, el('h3', {}, plot.title, top), canvas, legend);
  return { ...plot, canvas, legend, top, element, entries: new Map() };
}

function drawPlot(plot, history) {
  const ratio = Math.min(devicePixelRatio || 1, 3);
  const width = plot.canvas.clientWidth;
  if (width === 0) return;
  plot.canvas.width = Math.round(width * ratio);
  plot.canvas.height = Math.round(HIGH_PX * ratio);
  const ctx = plot.canvas.getContext('2d');
  ctx.scale(ratio, ratio);
  const samples = history.map(plot.values);
  const names = [...new Set(samples.flatMap((sample) => Object.keys(sample)))].filter((name) =>
    samples.some((sample) => Number.isFinite(sample[name])),
  );
  const most = highest(plot, samples, names);
  setText(plot.top, short(most));
  drawLines(ctx, width);
  const step = width / Math.max(samples.length - 1, LEAST_SHOWN);
  const x = (index) => width - (samples.length - 1 - index) * step;
  const y = (value) => HIGH_PX - 1 - (Math.max(value || 0, 0) / most) * (HIGH_PX - 6);
  let below = samples.map(() => 0);
  names.forEach((name, index) => {
    const values = samples.map((sample, at) => (sample[name] || 0) + (plot.stacked ? below[at] : 0));
    drawSeries(ctx, values, below, x, y, LAYERS[index % LAYERS.length], plot.stacked);
    if (plot.stacked) below = values;
    showInLegend(plot, name, LAYERS[index % LAYERS.length], samples.at(-1)[name]);
  });
}

function highest(plot, samples, names) {
  const of = plot.stacked
    ? (sample) => names.reduce((sum, name) => sum + (sample[name] || 0), 0)
    : (sample) => Math.max(...names.map((name) => sample[name] || 0));
  const most = samples.reduce((highest, sample) => Math.max(highest, of(sample)), 0);
  return roundedUp(most || 1);
}

/** The next of 1, 2, 5, 10, 20, …, so that the scale rarely changes. */
function roundedUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value);
}

function drawLines(ctx, width) {
  ctx.strokeStyle = palette().grid;
  ctx.beginPath();
  for (const part of [0, 0.5, 1]) {
    const y = Math.round(HIGH_PX - 1 - part * (HIGH_PX - 6)) + 0.5;
    ctx.moveTo(0, y);
    ctx.lineTo(width, y);
  }
  ctx.stroke();
}

function drawSeries(ctx, values, below, x, y, colour, filled) {
  ctx.beginPath();
  values.forEach((value, index) => ctx.lineTo(x(index), y(value)));
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1.5;
  ctx.stroke();
  if (!filled) return;
  for (let index = values.length - 1; index >= 0; index--) ctx.lineTo(x(index), y(below[index]));
  ctx.closePath();
  ctx.globalAlpha = 0.35;
  ctx.fillStyle = colour;
  ctx.fill();
  ctx.globalAlpha = 1;
}

function showInLegend(plot, name, colour, value) {
  if (!plot.entries.has(name)) {
    const dot = el('i', {});
    dot.style.backgroundColor = colour;
    const words = el('span', {});
    plot.legend.append(el('span', { class: 'entry' }, dot, words));
    plot.entries.set(name, words);
  }
  setText(plot.entries.get(name), `${name} ${short(value)}`);
}

function short(value) {
  if (typeof value !== 'number' || Number.isNaN(value)) return '–';
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

const known = (value) => typeof value === 'number';
const milliseconds = (value) => (known(value) ? `${value.toFixed(2)} ms` : '–');
const whole = (value) => (known(value) ? Math.round(value).toLocaleString('en') : '–');
const perSecond = (value) => (known(value) ? `${Math.round(value)} a second` : '–');
