// What characters look at: the cones of their views, and lines to what they look for.

import { rowOf, storeyOf } from './frames.js';
import { palette } from './theme.js';

/** A view without a range is drawn this far, in metres. */
const FAR_M = 100;

export class Views {
  constructor(model) {
    this.model = model;
    this.told = '';
    this.views = [];
  }

  /** Takes a message. Whether it differs from the last one. */
  take({ views }) {
    const told = JSON.stringify(views);
    const isSame = told === this.told;
    Object.assign(this, { told, views });
    return !isSame;
  }

  /** `sample` has the places and headings that are drawn. */
  draw(ctx, camera, sample) {
    const { storey, layers, selected, past } = this.model;
    // A moment of the past has its views once it is computed.
    if (this.model.isPast() && !past.exact) return;
    for (const view of this.views) {
      const row = rowOf(sample.frame, view.id);
      const isShown = layers.views === 'all' || (layers.views === 'selected' && view.id === selected);
      if (!isShown || row < 0 || storeyOf(sample.bits[row]) !== storey) continue;
      const [x, y] = camera.toScreen(sample.x[row], sample.z[row]);
      const reach = (view.range ?? FAR_M) * camera.scale;
      if (x < -reach || y < -reach || x > camera.width + reach || y > camera.height + reach) continue;
      ctx.strokeStyle = view.seen ? palette().bad : palette().accent;
      ctx.fillStyle = ctx.strokeStyle;
      cone(ctx, x, y, reach, sample.heading[row], view);
      // Of a crowd, only lines to what is seen.
      if (view.storey === storey && (view.seen || view.id === selected)) {
        line(ctx, [x, y], camera.toScreen(...view.at), view.seen);
      }
    }
    ctx.globalAlpha = 1;
  }
}

function cone(ctx, x, y, reach, heading, { fov, range }) {
  // All round and without a range, there is nothing to outline.
  if (fov === null && range === null) return;
  ctx.beginPath();
  const isRound = fov === null || fov >= 2 * Math.PI - 1e-6;
  if (isRound) ctx.arc(x, y, reach, 0, 2 * Math.PI);
  else {
    ctx.moveTo(x, y);
    ctx.arc(x, y, reach, heading - fov / 2, heading + fov / 2);
    ctx.closePath();
  }
  ctx.globalAlpha = 0.12;
  ctx.fill();
  ctx.globalAlpha = 0.55;
  ctx.lineWidth = 1.2;
  ctx.stroke();
}

function line(ctx, from, to, isSeen) {
  ctx.beginPath();
  ctx.moveTo(...from);
  ctx.lineTo(...to);
  ctx.globalAlpha = 0.85;
  ctx.lineWidth = 1.6;
  ctx.setLineDash(isSeen ? [] : [3, 5]);
  ctx.stroke();
  ctx.setLineDash([]);
}
