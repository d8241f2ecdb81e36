// Geometry of what can be clicked in a room.

export function isInside(polygon, x, z) {
  let inside = false;
  for (let at = 0, before = polygon.length - 1; at < polygon.length; before = at++) {
    const [ax, az] = polygon[at];
    const [bx, bz] = polygon[before];
    if (az > z !== bz > z && x < ((bx - ax) * (z - az)) / (bz - az) + ax) inside = !inside;
  }
  return inside;
}

export function sizeOf(polygon) {
  let twice = 0;
  for (let at = 0, before = polygon.length - 1; at < polygon.length; before = at++) {
    twice += polygon[before][0] * polygon[at][1] - polygon[at][0] * polygon[before][1];
  }
  return Math.abs(twice) / 2;
}

/** The smallest shape of a list at a place, or null. */
export function smallestAt(list, x, z, storey) {
  const hit = list.filter((item) => (item.storey ?? storey) === storey && isInside(item.polygon, x, z));
  return hit.sort((one, other) => sizeOf(one.polygon) - sizeOf(other.polygon))[0] ?? null;
}

export function areaAt(scene, x, z, storey) {
  return smallestAt(scene?.areas ?? [], x, z, storey);
}

/** Whole centimetres: files stay readable. */
export function rounded(value) {
  return Math.round(value * 100) / 100;
}

/** A place in an order, with its storey where there are several: `{ at: [x, z], storey }`. */
export function placed(model, field, x, z) {
  const place = { [field]: [rounded(x), rounded(z)] };
  return model.storeys().length > 1 ? { ...place, storey: model.storey } : place;
}

/** A polygon elsewhere, to the millimetre: it keeps its form. */
export function moved(polygon, dx, dz) {
  const fine = (value) => Math.round(value * 1000) / 1000;
  return polygon.map(([x, z]) => [fine(x + dx), fine(z + dz)]);
}

export function tracePolygon(ctx, camera, polygon) {
  ctx.beginPath();
  polygon.forEach(([x, z], index) => {
    const [px, py] = camera.toScreen(x, z);
    if (index === 0) ctx.moveTo(px, py);
    else ctx.lineTo(px, py);
  });
  ctx.closePath();
}
