#!/bin/sh
# yuka 0.7.8 (npm): `NavMesh.getClosestRegion` compares the distances to the means of the regions' corners, not to the
# regions. A place inside a long hall, or 5 cm beside it, belongs to a small closet whose middle is nearer. `findPath`
# uses it for places off the mesh: the way to the one beside the hall leads to the closet's door, and from there outside
# of all regions. One would guess that the nearest region is the one that the place is nearest to.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes > /dev/null
npm install --silent --no-fund --no-audit yuka@0.7.8
cat > nearest.mjs <<'JS'
import { NavMesh, Polygon, Vector3 } from 'yuka';

const at = ([x, z]) => new Vector3(x, 0, z);
const polygon = (corners) => new Polygon().fromContour(corners.map(at));
const hall = polygon([[0, 0], [0, 2], [20, 2], [20, 0], [19.5, 0], [18.5, 0]]);
const closet = polygon([[18.5, 0], [19.5, 0], [19.5, -1], [18.5, -1]]);
const mesh = new NavMesh();
mesh.mergeConvexRegions = false;
mesh.fromPolygons([hall, closet]);
const name = (region) => (region === hall ? 'hall' : region === closet ? 'closet' : 'none');
for (const [x, z] of [[18, 0.5], [18, -0.05], [2, -0.05]]) {
  const place = at([x, z]);
  console.log(`${x}, ${z}: in the ${name(mesh.getRegionForPoint(place))}, nearest the ${name(mesh.getClosestRegion(place))}`);
}
const path = mesh.findPath(at([1, 1]), at([18, -0.05]));
console.log(`the way beside the hall: ${path.map(({ x, z }) => `(${x}, ${z})`).join(' ')}`);
JS
node nearest.mjs > seen 2>&1 || true
cat seen
cat > known <<'END'
18, 0.5: in the hall, nearest the closet
18, -0.05: in the none, nearest the closet
2, -0.05: in the none, nearest the hall
the way beside the hall: (1, 1) (18.5, 0) (18, -0.05)
END
diff known seen && echo "as found: yuka 0.7.8 takes the region whose corners' mean is nearest"
