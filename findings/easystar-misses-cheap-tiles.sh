#!/bin/sh
# easystarjs 0.4.4 (npm): `setTileCost(tile, multiplicativeCost)` takes costs below 1, but the search estimates what is left
# as if every tile cost 1. So a road that is ten times as cheap is not found: the path leads beside it, at 3.5 times the
# cost. With the same ratio, as costs of 1 and 10, the road is taken. One would guess that only the ratio of costs counts.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes > /dev/null
npm install --silent --no-fund --no-audit easystarjs@0.4.4
cat > road.js <<'JS'
const EasyStar = require('easystarjs');
const [grass, road] = [0, 1];
const tiles = [Array(7).fill(road), Array(7).fill(grass)];

function walk(costs) {
  const search = new EasyStar.js();
  search.setGrid(tiles);
  search.setAcceptableTiles([grass, road]);
  costs.forEach((cost, tile) => search.setTileCost(tile, cost));
  search.enableSync();
  let path;
  search.findPath(0, 1, 6, 1, (found) => { path = found; });
  search.calculate();
  const entered = path.slice(1).map(({ x, y }) => costs[tiles[y][x]]);
  const sum = entered.reduce((all, cost) => all + cost, 0);
  const over = path.filter(({ y }) => y === 0).length;
  console.log(`grass ${costs[grass]}, road ${costs[road]}: ${over} tiles of road, cost ${sum.toFixed(1)}`);
}
walk([1, 0.1]);
walk([10, 1]);
JS
node road.js > seen 2>&1 || true
cat seen
cat > known <<'END'
grass 1, road 0.1: 0 tiles of road, cost 6.0
grass 10, road 1: 7 tiles of road, cost 17.0
END
diff known seen && echo "as found: easystarjs 0.4.4 finds no road whose tiles cost less than 1"
