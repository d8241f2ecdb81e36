// Names of areas, obstacles, points and hotspots, where there is room for them.

import { palette } from './theme.js';
import { isInside } from './shapes.js';
import { Placer } from './lettering.js';

/** Below this many pixels a metre, names would only be in the way. */
const POINTS_FROM_SCALE = 32;
const THINGS_FROM_SCALE = 14;
/** Areas times obstacles: beyond this, names of areas may lie on obstacles. */
const MOST_PAIRS = 4000;
const PARTS = 10;

export class Labels {
  constructor(model, lettering) {
    this.model = model;
    this.lettering = lettering;
    this.placer = new Placer();
    this.shapes = [];
    model.on('scene', () => this.measure());
  }

  /** Finds where each name has most room, once for a scene. */
  measure() {
    const { areas = [], obstacles = [], hotspots = [] } = this.model.scene;
    const isFew = areas.length * obstacles.length < MOST_PAIRS;
    const of = (list, style, others) => list.map((item) => ({ item, style, ...roomFor(item.polygon, others) }));
    this.shapes = [
      ...of(areas, 'area', isFew ? obstacles : []),
      ...of(obstacles, 'thing', []),
      ...of(
        hotspots.filter(({ enabled }) => enabled),
        'place',
        [],
      ),
    ];
  }

  /** `isCovered(px, py)` is whether a character stands there: its name is told then. */
  draw(ctx, camera, storey, isCovered) {
    const { points = [] } = this.model.scene;
    this.placer.clear();
    for (const shape of this.shapes) {
      if (!shape.item.name || (shape.item.storey ?? storey) !== storey) continue;
      if (shape.style === 'thing' && camera.scale < THINGS_FROM_SCALE) continue;
      this.drawShape(ctx, camera, shape);
    }
    if (camera.scale < POINTS_FROM_SCALE) return;
    for (const point of points) if ((point.storey ?? 0) === storey) this.drawPoint(ctx, camera, point, isCovered);
  }

  drawShape(ctx, camera, { item, style, x, z, width, height }) {
    const closed = item.open === false;
    const word = closed ? this.lettering.word('shut', `${item.name} · closed`) : this.lettering.word(style, item.name);
    const fits = word.width <= width * camera.scale && word.height - 4 <= height * camera.scale;
    if (!fits && !(closed && camera.scale > THINGS_FROM_SCALE)) return;
    // The word of a closed door stands beside it.
    const [px, py] = camera.toScreen(fits ? x : x + width / 2, z);
    this.place(ctx, word, fits ? px - word.width / 2 : px + 3, py - word.height / 2, camera);
  }

  drawPoint(ctx, camera, point, isCovered) {
    const [px, py] = camera.toScreen(...point.at);
    if (isCovered(px, py)) return;
    const word = this.lettering.word('place', point.name);
    const y = py - word.height / 2;
    const placed = this.place(ctx, word, px + 6, y, camera) || this.place(ctx, word, px - 6 - word.width, y, camera);
    if (!placed) this.place(ctx, word, px - word.width / 2, py + 6, camera);
  }

  place(ctx, word, x, y, camera) {
    if (x > camera.width || y > camera.height || x + word.width < 0 || y + word.height < 0) return true;
    if (!this.placer.take(x, y + 2, word.width, word.height - 4)) return false;
    ctx.drawImage(word.bitmap, Math.round(x), Math.round(y), word.width, word.height);
    return true;
  }
}

/** The place in a polygon that is farthest from its edges and from other shapes, and the free room around it. */
function roomFor(polygon, others) {
  const xs = polygon.map(([x]) => x);
  const zs = polygon.map(([, z]) => z);
  const [minX, maxX, minZ, maxZ] = [Math.min(...xs), Math.max(...xs), Math.min(...zs), Math.max(...zs)];
  const middle = { x: (minX + maxX) / 2, z: (minZ + maxZ) / 2, width: maxX - minX, height: maxZ - minZ };
  // Large rooms have walls of many corners, and need no such care.
  if (polygon.length > 200) return middle;
  let best = null;
  for (let row = 1; row < PARTS; row++) {
    for (let column = 1; column < PARTS; column++) {
      const x = minX + ((maxX - minX) * column) / PARTS;
      const z = minZ + ((maxZ - minZ) * row) / PARTS;
      if (!isInside(polygon, x, z) || others.some((other) => isInside(other.polygon, x, z))) continue;
      // The middle is preferred to a place that has only little more room.
      const off = Math.hypot(x - middle.x, z - middle.z);
      const free = [polygon, ...others.map((other) => other.polygon)].map((edge) => toEdges(edge, x, z));
      const score = Math.min(...free) - 0.15 * off;
      if (!best || score > best.score) best = { x, z, score };
    }
  }
  return best ? { x: best.x, z: best.z, ...spanAt(polygon, best.x, best.z) } : middle;
}

function toEdges(polygon, x, z) {
  return Math.min(
    ...edgesOf(polygon).map(([[ax, az], [bx, bz]]) => {
      const length = (bx - ax) ** 2 + (bz - az) ** 2;
      const part = length === 0 ? 0 : Math.min(Math.max(((x - ax) * (bx - ax) + (z - az) * (bz - az)) / length, 0), 1);
      return Math.hypot(ax + (bx - ax) * part - x, az + (bz - az) * part - z);
    }),
  );
}

/** How wide and high a polygon is around a place in it; twice the shorter way to its edges. */
function spanAt(polygon, x, z) {
  const cross = (at, other, axis) =>
    edgesOf(polygon)
      .filter(([a, b]) => a[1 - axis] > other !== b[1 - axis] > other)
      .map(([a, b]) => a[axis] + ((other - a[1 - axis]) / (b[1 - axis] - a[1 - axis])) * (b[axis] - a[axis]) - at);
  const span = (ways) => 2 * Math.min(...ways.map(Math.abs));
  return { width: span(cross(x, z, 0)), height: span(cross(z, x, 1)) };
}

function edgesOf(polygon) {
  return polygon.map((corner, index) => [polygon[(index + polygon.length - 1) % polygon.length], corner]);
}

/** A faint grid of metres, for rooms whose picture could not be drawn. */
export function drawGrid(ctx, camera) {
  const step = camera.scale > 20 ? 1 : 10;
  const [x0, z0] = camera.toWorld(0, 0);
  const [x1, z1] = camera.toWorld(camera.width, camera.height);
  ctx.beginPath();
  for (let x = Math.ceil(x0 / step) * step; x <= x1; x += step) {
    const [px] = camera.toScreen(x, 0);
    ctx.moveTo(px, 0);
    ctx.lineTo(px, camera.height);
  }
  for (let z = Math.ceil(z0 / step) * step; z <= z1; z += step) {
    const [, py] = camera.toScreen(0, z);
    ctx.moveTo(0, py);
    ctx.lineTo(camera.width, py);
  }
  ctx.strokeStyle = palette().grid;
  ctx.lineWidth = 1;
  ctx.stroke();
}
