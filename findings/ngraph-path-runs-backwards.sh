#!/bin/sh
# ngraph.path 1.6.1 (npm): `find(from, to)` returns the nodes from `to` to `from`, in all three of its searches; whoever
# walks the list as it stands walks backwards, and over one-way links. Where both are the same node, `aStar` and `aGreedy`
# return that node and `nba` returns the empty list, which otherwise means that there is no path. The README says neither.
# One would guess that a path begins where it was asked to begin, and that the searches agree.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init --yes > /dev/null
npm install --silent --no-fund --no-audit ngraph.path@1.6.1 ngraph.graph@20.1.2
cat > order.js <<'JS'
const searches = require('ngraph.path');
const graph = require('ngraph.graph')();
graph.addLink('gate', 'yard');
graph.addLink('yard', 'tower');
for (const name of ['aStar', 'aGreedy', 'nba']) {
  const path = (from, to) =>
    `[${searches[name](graph, { oriented: true }).find(from, to).map((node) => node.id).join(' ')}]`;
  console.log(`${name}: gate to tower ${path('gate', 'tower')}, tower to gate ${path('tower', 'gate')}, ` +
    `gate to gate ${path('gate', 'gate')}`);
}
JS
node order.js > seen 2>&1 || true
cat seen
cat > known <<'END'
aStar: gate to tower [tower yard gate], tower to gate [], gate to gate [gate]
aGreedy: gate to tower [tower yard gate], tower to gate [], gate to gate [gate]
nba: gate to tower [tower yard gate], tower to gate [], gate to gate []
END
diff known seen && echo "as found: ngraph.path 1.6.1 returns paths from the goal to the start"
