// Where the stage looks: a place of the room in its middle, and how many pixels a metre has.

const EASE_MS = 90;
const LEAST_SCALE = 0.5;
const MOST_SCALE = 600;

export class Camera {
  constructor() {
    this.x = 0;
    this.z = 0;
    this.scale = 50;
    this.width = 1;
    this.height = 1;
    /** Where it glides to, or null. */
    this.goal = null;
    /** Whether it shows what was fitted, and nobody moved it since. */
    this.isFitted = false;
  }

  resize(width, height) {
    this.width = width;
    this.height = height;
  }

  toScreen(x, z) {
    return [(x - this.x) * this.scale + this.width / 2, (z - this.z) * this.scale + this.height / 2];
  }

  toWorld(px, py) {
    return [(px - this.width / 2) / this.scale + this.x, (py - this.height / 2) / this.scale + this.z];
  }

  pan(dx, dy) {
    this.goal = null;
    this.isFitted = false;
    this.x -= dx / this.scale;
    this.z -= dy / this.scale;
  }

  /** Zooms so that the place beneath (px, py) stays there. */
  zoomAt(px, py, factor) {
    this.goal = null;
    this.isFitted = false;
    const [x, z] = this.toWorld(px, py);
    this.scale = limited(this.scale * factor);
    this.x = x - (px - this.width / 2) / this.scale;
    this.z = z - (py - this.height / 2) / this.scale;
  }

  /** Shows all of `bounds`, with `border` pixels around it, and besides as many at the edges for what lies there. */
  fit([minX, minZ, maxX, maxZ], { border, left = 0, top = 0, right = 0, bottom = 0 }, atOnce = false) {
    const width = Math.max(maxX - minX, 0.5);
    const height = Math.max(maxZ - minZ, 0.5);
    const across = (this.width - left - right - 2 * border) / width;
    const scale = limited(Math.min(across, (this.height - top - bottom - 2 * border) / height));
    this.goal = {
      x: (minX + maxX + (right - left) / scale) / 2,
      z: (minZ + maxZ + (bottom - top) / scale) / 2,
      scale,
    };
    this.isFitted = true;
    if (atOnce) this.arrive();
  }

  glideTo(x, z, scale = this.scale) {
    this.isFitted = false;
    this.goal = { x, z, scale: limited(scale) };
  }

  /** Whether it looks at a place, to less than a pixel. */
  isAt(x, z) {
    return !this.goal && Math.hypot(x - this.x, z - this.z) * this.scale < 0.5;
  }

  arrive() {
    Object.assign(this, { x: this.goal.x, z: this.goal.z, scale: this.goal.scale });
    this.goal = null;
  }

  /** Glides for some milliseconds. Whether it moved. */
  glide(ms) {
    const { goal } = this;
    if (!goal) return false;
    const part = 1 - Math.exp(-ms / EASE_MS);
    this.x += (goal.x - this.x) * part;
    this.z += (goal.z - this.z) * part;
    this.scale *= (goal.scale / this.scale) ** part;
    const off = Math.abs(goal.x - this.x) + Math.abs(goal.z - this.z);
    if (off * this.scale < 0.3 && Math.abs(goal.scale / this.scale - 1) < 0.001) this.arrive();
    return true;
  }
}

function limited(scale) {
  return Math.min(Math.max(scale, LEAST_SCALE), MOST_SCALE);
}
