// Binary messages, and the characters at a moment between two of them.

export const FRAME = 1;
export const PATHS = 2;

export const BIT = {
  walking: 1 << 8,
  active: 1 << 9,
  heldUp: 1 << 10,
  inScene: 1 << 11,
  scriptOff: 1 << 12,
  speaking: 1 << 13,
  crossing: 1 << 14,
};
export const storeyOf = (bits) => bits & 0xff;

const JUMP = 2;
const HEADER_BYTES = 24;
/** Farther than this in one frame is a teleport, which is not drawn as a walk. */
const TELEPORT_M = 3;
const LONGEST_DELAY_MS = 200;
const LONGEST_GAP_MS = 400;

export function kindOf(buffer) {
  return new DataView(buffer).getUint32(0, true);
}

/** The columns of a frame, as views into the message. */
export function decodeFrame(buffer) {
  const head = new DataView(buffer);
  const flags = head.getUint32(4, true);
  const count = head.getUint32(20, true);
  const column = (Type, index) => new Type(buffer, HEADER_BYTES + index * 4 * count, count);
  return {
    paused: (flags & 1) !== 0,
    jump: (flags & JUMP) !== 0,
    tick: head.getFloat64(8, true),
    version: head.getUint32(16, true),
    count,
    id: column(Uint32Array, 0),
    x: column(Float32Array, 1),
    z: column(Float32Array, 2),
    heading: column(Float32Array, 3),
    radius: column(Float32Array, 4),
    bits: column(Uint32Array, 5),
    rows: null,
  };
}

/** The row of a character in a frame, or -1. */
export function rowOf(frame, id) {
  if (!frame.rows) {
    frame.rows = new Map();
    for (let row = 0; row < frame.count; row++) frame.rows.set(frame.id[row], row);
  }
  return frame.rows.get(id) ?? -1;
}

/** Parts of paths: `{ id, storey, partial, last, points }`, points as x, z, x, z. */
export function decodePaths(buffer) {
  const view = new DataView(buffer);
  const parts = [];
  let at = 8;
  for (let left = view.getUint32(4, true); left > 0; left--) {
    const bits = view.getUint32(at + 4, true);
    const count = view.getUint32(at + 8, true);
    parts.push({
      id: view.getUint32(at, true),
      storey: storeyOf(bits),
      partial: (bits & (1 << 8)) !== 0,
      last: (bits & (1 << 9)) !== 0,
      points: new Float32Array(buffer, at + 12, count * 2),
    });
    at += 12 + count * 8;
  }
  return parts;
}

/**
 * The last frames. The page draws a moment slightly in the past, which lies between two frames that are already here,
 * so that movement is smooth however the frames arrive.
 */
export class FrameBuffer {
  constructor() {
    this.frames = [];
    this.interval = 33;
    this.mixed = { count: 0, x: new Float32Array(0), z: new Float32Array(0), heading: new Float32Array(0) };
  }

  latest() {
    return this.frames.at(-1) ?? null;
  }

  clear() {
    this.frames.length = 0;
  }

  /** Takes a frame. Whether it differs from the last one: a room that stands still is told again and again. */
  push(frame, now) {
    const last = this.latest();
    if (last && isSame(frame, last)) return false;
    if (frame.jump) this.frames.length = 0;
    frame.at = last ? this.timeOf(last, now) : now;
    this.frames.push(frame);
    if (this.frames.length > 8) this.frames.shift();
    return true;
  }

  /** The moment of a new frame: nearly regular although the network is not. */
  timeOf(last, now) {
    const gap = now - last.at;
    if (gap > LONGEST_GAP_MS || gap < -LONGEST_GAP_MS) {
      // The room stood still until just now.
      last.at = now - this.interval;
      return now;
    }
    this.interval += (Math.min(Math.max(gap, 4), 250) - this.interval) * 0.08;
    const expected = last.at + this.interval;
    return Math.max(expected + (now - expected) * 0.15, last.at + 1);
  }

  delay() {
    return Math.min(this.interval * 1.6 + 6, LONGEST_DELAY_MS);
  }

  /** Whether everything drawn at `now` stays the same until the next frame. */
  settled(now) {
    const last = this.latest();
    return !last || now - this.delay() >= last.at;
  }

  /** The characters at `now`; the arrays are used again for the next call. */
  sample(now) {
    const last = this.latest();
    if (!last) return null;
    const moment = now - this.delay();
    let later = this.frames.length - 1;
    while (later > 0 && this.frames[later - 1].at > moment) later -= 1;
    const after = this.frames[later];
    const before = this.frames[later - 1];
    if (!before || moment >= after.at) return this.plain(after);
    return this.between(before, after, (moment - before.at) / (after.at - before.at));
  }

  plain(frame) {
    const { tick, count, id, x, z, heading, radius, bits } = frame;
    return { frame, tick, count, id, x, z, heading, radius, bits };
  }

  between(before, after, part) {
    const { count } = after;
    const mixed = this.roomFor(count);
    for (let row = 0; row < count; row++) {
      // Mostly the same characters are in the same rows.
      const old = before.id[row] === after.id[row] ? row : rowOf(before, after.id[row]);
      mixRow(mixed, row, before, old, after, part);
    }
    return { ...this.plain(after), x: mixed.x, z: mixed.z, heading: mixed.heading };
  }

  roomFor(count) {
    if (this.mixed.x.length < count) {
      const size = Math.ceil(count * 1.25);
      this.mixed = { x: new Float32Array(size), z: new Float32Array(size), heading: new Float32Array(size) };
    }
    return this.mixed;
  }
}

function isSame(frame, last) {
  if (frame.tick !== last.tick || frame.count !== last.count || frame.version !== last.version) return false;
  return ['id', 'x', 'z', 'heading', 'bits'].every((column) =>
    frame[column].every((value, row) => value === last[column][row]),
  );
}

function mixRow(mixed, row, before, old, after, part) {
  const x = after.x[row];
  const z = after.z[row];
  const heading = after.heading[row];
  const dx = old < 0 ? Infinity : x - before.x[old];
  const dz = old < 0 ? Infinity : z - before.z[old];
  if (dx * dx + dz * dz > TELEPORT_M * TELEPORT_M) {
    mixed.x[row] = x;
    mixed.z[row] = z;
    mixed.heading[row] = heading;
    return;
  }
  const from = before.heading[old];
  mixed.x[row] = x - dx * (1 - part);
  mixed.z[row] = z - dz * (1 - part);
  mixed.heading[row] = from + shortestTurn(heading - from) * part;
}

export function shortestTurn(angle) {
  return angle - Math.round(angle / (2 * Math.PI)) * 2 * Math.PI;
}
