#!/bin/sh
# recast-navigation 0.39.0 (npm, Recast and Detour as WebAssembly), on a mesh of two islands 2 m apart.
# - `computePath` to the other island says `success: true`, without an error; only the end of `path` tells that the goal
#   was not reached. And the end need not be the nearest place: for a goal straight across at z = 2, the nearest place is
#   at z = 2, and the path ends 0.9 m beside it. Detour ends in the polygon whose entry was nearest to the goal.
# - `findClosestPoint` that finds nothing says `success: false`, and its `point` is that of the query before.
# One would guess a flag for a partial path, its end at the nearest place, and no point where none was found.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes > /dev/null
npm install --silent --no-fund --no-audit recast-navigation@0.39.0
cat > islands.mjs <<'JS'
import { init, NavMeshQuery } from 'recast-navigation';
import { generateSoloNavMesh } from 'recast-navigation/generators';

await init();
const corners = [];
const triangles = [];
for (const [from, to] of [[0, 4], [6, 10]]) {
  const first = corners.length / 3;
  corners.push(from, 0, 0, to, 0, 0, to, 0, 4, from, 0, 4);
  triangles.push(first, first + 2, first + 1, first, first + 3, first + 2);
}
const settings = { cs: 0.1, ch: 0.1, walkableRadius: 0, walkableHeight: 20, walkableClimb: 4 };
const query = new NavMeshQuery(generateSoloNavMesh(corners, triangles, settings).navMesh);
const round = (number) => +number.toFixed(2);

for (const z of [1, 2, 3]) {
  const { success, error, path } = query.computePath({ x: 1, y: 0, z: 2 }, { x: 9, y: 0, z });
  const end = path.at(-1);
  console.log(`a way to 9, ${z}: ${success}, ${error}, ends at ${round(end.x)}, ${round(end.z)}`);
}
for (const [x, z] of [[1, 1], [50, 2], [8, 3], [50, 2]]) {
  const { success, point } = query.findClosestPoint({ x, y: 0, z });
  console.log(`near ${x}, ${z}: ${success}, ${round(point.x)}, ${round(point.z)}`);
}
JS
node islands.mjs > seen 2>&1 || true
cat seen
cat > known <<'END'
a way to 9, 1: true, undefined, ends at 3.9, 1
a way to 9, 2: true, undefined, ends at 3.9, 2.9
a way to 9, 3: true, undefined, ends at 3.9, 3
near 1, 1: true, 1, 1
near 50, 2: false, 1, 1
near 8, 3: true, 8, 3
near 50, 2: false, 8, 3
END
diff known seen && echo "as found: partial paths of recast-navigation 0.39.0 succeed, and points it does not find are old ones"
