// The tools of the stage. Each may have `click`, `menu`, `hover`, `cursor`, and `grab`, which begins a drag: an object
// with `move`, `drop` and `cancel`, or null to let the ground be panned.

import { areaAt, placed } from './shapes.js';
import { palette } from './theme.js';
import { outline } from './sprites.js';
import { ProbeTool } from './probe.js';
import { SpawnTool } from './spawn.js';
import { MoveTool } from './move.js';

export class Tools {
  constructor(model, stage, orders) {
    this.model = model;
    const ghost = { at: null };
    stage.overlays.push((ctx, camera) => drawGhost(ctx, camera, ghost, stage));
    this.all = {
      select: new SelectTool(model, stage, orders, ghost),
      walk: new WalkTool(model, stage, orders),
      probe: new ProbeTool(model, stage, orders),
      spawn: new SpawnTool(model, stage, orders),
      move: new MoveTool(model, stage, orders),
    };
    let last = this.current();
    model.on('tool', () => {
      last.leave?.();
      last = this.current();
      last.enter?.();
    });
  }

  current() {
    return this.all[this.model.tool];
  }

  /** Escape: whether there was something to give up. */
  escape() {
    if (this.current().escape?.()) return true;
    if (this.model.tool === 'select') return false;
    this.model.setTool('select');
    return true;
  }
}

class SelectTool {
  constructor(model, stage, orders, ghost) {
    Object.assign(this, { model, stage, orders, ghost });
  }

  click({ x, z, who, shift }) {
    const { model, orders } = this;
    if (who !== null) {
      model.select(who);
      return;
    }
    if (model.whyWaits()) {
      orders.complain(model.whyWaits());
      return;
    }
    const other = model.selected !== null && model.selected !== model.player()?.id;
    if (shift && other) orders.send('walk', { who: model.selected, ...placed(model, 'to', x, z) });
    else if (![...model.people.values()].some(({ player }) => player)) {
      orders.complain('There is no player to walk there: select a character, then Shift and click.');
    } else orders.send('click', placed(model, 'at', x, z));
    this.stage.ripple(x, z);
  }

  menu(place) {
    if (place.who !== null) this.model.select(place.who);
    else toggleArea(this.model, this.orders, place);
  }

  grab({ who, x, z }) {
    if (who === null || this.model.whyWaits()) return null;
    const { model, ghost, orders } = this;
    Object.assign(ghost, { at: [x, z], who, radius: this.stage.radiusOf(who) });
    return {
      move: (place) => Object.assign(ghost, { at: [place.x, place.z] }),
      drop: (place) => {
        ghost.at = null;
        orders.send('teleport', { who, ...placed(model, 'to', place.x, place.z) });
      },
      cancel: () => Object.assign(ghost, { at: null }),
    };
  }
}

/** Sends the selected character, or the player, wherever one clicks. */
class WalkTool {
  constructor(model, stage, orders) {
    Object.assign(this, { model, stage, orders });
  }

  cursor() {
    return 'crosshair';
  }

  click({ x, z }) {
    const who = this.model.selected ?? this.model.player()?.id;
    if (who === undefined) this.orders.complain('select a character first');
    else this.orders.send('walk', { who, ...placed(this.model, 'to', x, z) });
    this.stage.ripple(x, z);
  }
}

function toggleArea(model, orders, { x, z }) {
  const area = areaAt(model.scene, x, z, model.storey);
  if (area) orders.send('setArea', { area: area.name, available: !area.open });
}

function drawGhost(ctx, camera, ghost, stage) {
  if (!ghost.at) return;
  const [x, y] = camera.toScreen(...ghost.at);
  const radius = Math.max(ghost.radius * camera.scale, 5);
  const from = stage.placeOf(ghost.who, stage.model.storey);
  ctx.strokeStyle = palette().accent;
  ctx.lineWidth = 1.5;
  ctx.setLineDash([4, 4]);
  if (from) {
    ctx.beginPath();
    ctx.moveTo(...camera.toScreen(...from));
    ctx.lineTo(x, y);
    ctx.stroke();
  }
  ctx.setLineDash([]);
  ctx.save();
  ctx.translate(x, y);
  ctx.globalAlpha = 0.6;
  outline(ctx, radius);
  ctx.fillStyle = stage.people.tint(ghost.who);
  ctx.fill();
  ctx.globalAlpha = 1;
  ctx.stroke();
  ctx.restore();
}
