// The room at rest. Each storey is a picture (SVG) that is drawn into a bitmap for the current view. While the view
// moves, that bitmap is drawn shifted and scaled; when it rests, it is made anew, sharp.

import { palette, onTheme } from './theme.js';

const REST_MS = 100;
const LONGEST_BLUR_MS = 500;
/** The bitmap reaches beyond the view by this part of it, for panning. */
const MARGIN = 0.3;
/** Makes the paper of the pictures the paper of the dark page. */
const DARK_FILTER = 'invert(.91) hue-rotate(174deg) saturate(.65) brightness(1.03)';

export class Scene {
  constructor(model, redraw) {
    this.model = model;
    this.redraw = redraw;
    this.storeys = [];
    this.bitmap = null;
    this.timer = 0;
    this.blurredSince = null;
    this.view = '';
    /** The scene whose pictures are drawn, or loaded just now. */
    this.scene = null;
    model.on('scene past whatIf moment drawnScene', () => this.load());
    onTheme(() => this.refresh());
  }

  /** Loads the pictures; the old ones stay until then. */
  async load() {
    const scene = this.model.drawnScene();
    if (!scene || scene === this.scene) return;
    this.scene = scene;
    const storeys = await Promise.all(scene.storeys.map(loaded));
    if (scene !== this.scene) return;
    this.storeys = storeys;
    this.refresh();
  }

  /** The bitmap is made anew with the next drawing. */
  refresh() {
    if (this.bitmap) this.bitmap.stale = true;
    this.redraw();
  }

  draw(ctx, camera, storey, ratio) {
    const image = this.storeys[storey]?.image;
    if (!image) return;
    const { bitmap } = this;
    const isOther = !bitmap || bitmap.stale || bitmap.storey !== storey || bitmap.ratio !== ratio;
    if (isOther || !this.suffices(camera)) this.rasterise(camera, storey, ratio);
    this.blit(ctx, camera);
  }

  /** Whether the bitmap will do for now. After zooming it does until the view rests, but not for long. */
  suffices(camera) {
    const { bitmap } = this;
    if (bitmap.scale === camera.scale) return covers(bitmap, camera);
    const now = performance.now();
    this.blurredSince ??= now;
    if (now - this.blurredSince > LONGEST_BLUR_MS) return false;
    const view = `${camera.x} ${camera.z} ${camera.scale}`;
    if (view !== this.view) this.refreshSoon();
    this.view = view;
    return true;
  }

  blit(ctx, camera) {
    const { canvas, scale, left, top, ratio } = this.bitmap;
    const zoom = camera.scale / scale;
    let [x, y] = camera.toScreen(left, top);
    // Unscaled, whole pixels keep the picture sharp, and cost less.
    if (zoom === 1) [x, y] = [Math.round(x * ratio) / ratio, Math.round(y * ratio) / ratio];
    ctx.imageSmoothingEnabled = true;
    ctx.drawImage(canvas, x, y, (canvas.width / ratio) * zoom, (canvas.height / ratio) * zoom);
  }

  refreshSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.refresh(), REST_MS);
  }

  rasterise(camera, storey, ratio) {
    clearTimeout(this.timer);
    this.blurredSince = null;
    const width = Math.ceil(camera.width * (1 + 2 * MARGIN) * ratio);
    const height = Math.ceil(camera.height * (1 + 2 * MARGIN) * ratio);
    const canvas = this.bitmap?.canvas ?? document.createElement('canvas');
    canvas.width = width;
    canvas.height = height;
    const left = camera.x - width / ratio / 2 / camera.scale;
    const top = camera.z - height / ratio / 2 / camera.scale;
    this.bitmap = { canvas, storey, ratio, scale: camera.scale, left, top, stale: false };
    const ctx = canvas.getContext('2d');
    const { image, originX, originZ, pxPerM, width: imageWidth, height: imageHeight } = this.storeys[storey];
    const zoom = (camera.scale / pxPerM) * ratio;
    const { pictured, bounds } = this.scene;
    ctx.filter = palette().dark && !pictured ? DARK_FILTER : 'none';
    // A painting keeps its colours; the paper around it would be too bright.
    if (palette().dark && pictured) clipTo(ctx, bounds, left, top, camera.scale * ratio);
    ctx.drawImage(
      image,
      (-left * pxPerM - originX) * zoom,
      (-top * pxPerM - originZ) * zoom,
      imageWidth * zoom,
      imageHeight * zoom,
    );
  }
}

function clipTo(ctx, [minX, minZ, maxX, maxZ], left, top, scale) {
  ctx.beginPath();
  ctx.rect((minX - left) * scale, (minZ - top) * scale, (maxX - minX) * scale, (maxZ - minZ) * scale);
  ctx.clip();
}

async function loaded(storey) {
  const url = URL.createObjectURL(new Blob([storey.svg], { type: 'image/svg+xml' }));
  const image = new Image(storey.width, storey.height);
  image.src = url;
  try {
    await image.decode();
  } catch {
    return { ...storey, image: null };
  } finally {
    URL.revokeObjectURL(url);
  }
  return { ...storey, image };
}

function covers({ canvas, scale, ratio, left, top }, camera) {
  const [x0, z0] = camera.toWorld(0, 0);
  const [x1, z1] = camera.toWorld(camera.width, camera.height);
  const right = left + canvas.width / ratio / scale;
  const bottom = top + canvas.height / ratio / scale;
  return x0 >= left && z0 >= top && x1 <= right && z1 <= bottom;
}
