// The tool that changes the room's file: obstacles, hotspots, corners of areas, waypoints, and points. Only the outline moves while one
// drags; the room changes when the file is written.

import { byId, el, iconButton, setText } from './dom.js';
import { toast } from './overlay.js';
import { palette } from './theme.js';
import { isInside, moved, rounded, tracePolygon } from './shapes.js';

const HANDLE_PX = 4.5;
const REACH_PX = 10;
/** A corner jumps to another one that is this near: areas whose corners meet are joined. */
const SNAP_PX = 7;
/** Places are multiples of the smallest of these steps, in metres, that is at least this wide on the screen. */
const STEPS_M = [0.05, 0.1, 0.25, 0.5, 1];
const STEP_PX = 4;
/** Without snapping. */
const FINE_M = 0.01;

export class MoveTool {
  constructor(model, stage, orders) {
    Object.assign(this, { model, stage, orders });
    /** What is under the pointer: `{ part, item, corner }`. */
    this.hot = null;
    /** The outline of a drag, `{ part, name, polygon }` or `{ part, name, at }`; it stays until the room changed. */
    this.draft = null;
    stage.overlays.push((ctx, camera) => this.draw(ctx, camera));
    model.on('scene', () => Object.assign(this, { draft: null, hot: null }));
  }

  enter() {
    const close = iconButton('close', 'Put the tool away', { on: { click: () => this.model.setTool('select') } });
    byId('tool-card').replaceChildren(
      el(
        'div',
        { class: 'card', data: { test: 'move-card' } },
        el('header', {}, el('h2', {}, 'Change the room'), close),
        el(
          'p',
          { id: 'move-words' },
          'Drag obstacles, hotspots, corners, waypoints and points. They snap to round numbers, and corners to other corners; ' +
            'not with Shift. The room’s file is written when you let go; Ctrl+Z takes it back.',
        ),
      ),
    );
    this.stage.redraw();
  }

  leave() {
    Object.assign(this, { hot: null, draft: null });
    byId('tool-card').replaceChildren();
    this.stage.redraw();
  }

  escape() {
    const had = this.draft !== null;
    this.draft = null;
    this.stage.redraw();
    return had;
  }

  cursor(place) {
    const found = this.find(place);
    return found ? (found.corner === undefined ? 'move' : 'crosshair') : 'default';
  }

  hover(place) {
    this.hot = this.find(place);
    this.stage.redraw();
  }

  click(place) {
    if (place.who !== null) this.model.select(place.who);
  }

  movable(list) {
    const { storey, scene } = this.model;
    const items =
      list === 'waypoints' ? (scene?.waypaths ?? []).flatMap(({ points }) => points) : (scene?.[list] ?? []);
    return items.filter((item) => item.movable && (item.storey ?? storey) === storey);
  }

  /** What can be dragged at a place: points before corners, corners before shapes. */
  find({ px, py, x, z }) {
    const near = (at) => {
      const [sx, sy] = this.stage.camera.toScreen(...at);
      return Math.hypot(sx - px, sy - py) <= REACH_PX;
    };
    for (const part of ['point', 'waypoint']) {
      const item = this.movable(`${part}s`).find(({ at }) => near(at));
      if (item) return { part, item };
    }
    for (const [part, list] of [
      ['obstacle', 'obstacles'],
      ['hotspot', 'hotspots'],
      ['area', 'areas'],
    ]) {
      for (const item of this.movable(list)) {
        const corner = item.polygon.findIndex(near);
        if (corner >= 0) return { part, item, corner };
      }
    }
    for (const part of ['obstacle', 'hotspot']) {
      const item = this.movable(`${part}s`).find(({ polygon }) => isInside(polygon, x, z));
      if (item) return { part, item };
    }
    return null;
  }

  grab(place) {
    const found = this.find(place);
    if (!found) return null;
    const [x, z] = [place.x, place.z];
    const follow = (to) => {
      this.draft = this.drafted(found, to.x - x, to.z - z, to.shift);
      this.tellPlace(found);
    };
    return {
      move: follow,
      drop: (to) => {
        follow(to);
        this.write();
      },
      cancel: () => this.escape(),
    };
  }

  /** What an edit would make of something that was moved. */
  drafted({ part, item, corner }, dx, dz, isFree) {
    const { name } = item;
    const step = isFree ? FINE_M : this.step();
    const snap = (value) => rounded(Math.round(value / step) * step);
    if (!item.polygon) {
      const at = [snap(item.at[0] + dx), snap(item.at[1] + dz)];
      return { part, name, at, hasMoved: !isSame(at, item.at) };
    }
    // A shape keeps its form: it moves by whole steps.
    if (corner === undefined) {
      const by = [snap(dx), snap(dz)];
      return { part, name, polygon: moved(item.polygon, ...by), hasMoved: !isSame(by, [0, 0]) };
    }
    const [x, z] = [item.polygon[corner][0] + dx, item.polygon[corner][1] + dz];
    const at = (!isFree && this.cornerNear(x, z, item)) || [snap(x), snap(z)];
    const polygon = item.polygon.map((other, index) => (index === corner ? at : other));
    return { part, name, polygon, hasMoved: !isSame(at, item.polygon[corner]) };
  }

  /** Says where what is dragged is now. */
  tellPlace({ item, corner }) {
    const { at, polygon, name } = this.draft;
    const [x, z] = at ?? polygon[corner ?? 0];
    const isWhole = polygon && corner === undefined;
    const [dx, dz] = isWhole ? [x - item.polygon[0][0], z - item.polygon[0][1]] : [0, 0];
    const place = isWhole ? `moved by ${offset(dx)}, ${offset(dz)}` : `${rounded(x)}, ${rounded(z)}`;
    setText(byId('move-words'), `${name}${corner === undefined ? '' : `, corner ${corner + 1}`}: ${place}`);
  }

  step() {
    const { scale } = this.stage.camera;
    return STEPS_M.find((step) => step * scale >= STEP_PX) ?? STEPS_M[STEPS_M.length - 1];
  }

  /** A corner of something else near a place, or null. */
  cornerNear(x, z, self) {
    const reach = SNAP_PX / this.stage.camera.scale;
    const others = [...this.movable('areas'), ...this.movable('obstacles')].filter((item) => item !== self);
    const away = (corner) => Math.hypot(corner[0] - x, corner[1] - z);
    const near = others.flatMap(({ polygon }) => polygon).filter((corner) => away(corner) <= reach);
    return near.sort((one, other) => away(one) - away(other))[0] ?? null;
  }

  async write() {
    const { draft } = this;
    if (!draft.hasMoved) {
      this.draft = null;
      this.stage.redraw();
      return;
    }
    delete draft.hasMoved;
    const answer = await this.orders.send('edit', draft);
    if (answer) toast(answer.text ?? 'moved', 'good');
    else if (this.draft === draft) this.draft = null;
    this.stage.redraw();
  }

  draw(ctx, camera) {
    if (this.model.tool !== 'move') return;
    const { edit } = palette();
    ctx.lineWidth = 1.4;
    ctx.strokeStyle = edit;
    for (const list of ['obstacles', 'hotspots', 'areas']) {
      for (const item of this.movable(list)) {
        this.drawShape(ctx, camera, item, list !== 'areas' && this.hot?.item === item);
      }
    }
    for (const list of ['waypoints', 'points']) {
      for (const item of this.movable(list)) drawHandle(ctx, camera, item.at, this.hot?.item === item);
    }
    if (this.draft) this.drawDraft(ctx, camera);
  }

  drawShape(ctx, camera, item, isHot) {
    const { edit } = palette();
    tracePolygon(ctx, camera, item.polygon);
    ctx.globalAlpha = isHot ? 1 : 0.55;
    ctx.strokeStyle = edit;
    ctx.stroke();
    ctx.globalAlpha = 1;
    // From far away, the handles would hide the shapes.
    if (camera.scale < 12) return;
    item.polygon.forEach((at, corner) => {
      drawHandle(ctx, camera, at, this.hot?.item === item && this.hot.corner === corner);
    });
  }

  drawDraft(ctx, camera) {
    const { edit } = palette();
    ctx.strokeStyle = edit;
    ctx.fillStyle = edit;
    ctx.lineWidth = 2;
    if (this.draft.polygon) {
      tracePolygon(ctx, camera, this.draft.polygon);
      ctx.globalAlpha = 0.15;
      ctx.fill();
      ctx.globalAlpha = 1;
      ctx.setLineDash([6, 4]);
      ctx.stroke();
      ctx.setLineDash([]);
    } else {
      drawHandle(ctx, camera, this.draft.at, true);
    }
  }
}

function isSame([x, z], [otherX, otherZ]) {
  return rounded(x) === rounded(otherX) && rounded(z) === rounded(otherZ);
}

function offset(value) {
  return `${value < 0 ? '−' : '+'}${Math.abs(rounded(value))}`;
}

function drawHandle(ctx, camera, at, isHot) {
  const [x, y] = camera.toScreen(...at);
  const size = isHot ? HANDLE_PX + 1.5 : HANDLE_PX - 1;
  ctx.beginPath();
  ctx.rect(x - size, y - size, size * 2, size * 2);
  ctx.fillStyle = isHot ? palette().edit : palette().bubble;
  ctx.fill();
  ctx.strokeStyle = palette().edit;
  ctx.lineWidth = 1.3;
  ctx.stroke();
}
