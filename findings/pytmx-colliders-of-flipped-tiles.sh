#!/bin/sh
# pytmx 3.32 (Python): the collision shapes that Tiled draws on a tile are the same for all its flips. The tile has a wall
# on its left, 4 pixels wide. Flipped over, Tiled shows the wall on the right; flipped diagonally, at the top. pytmx gives
# a number and properties of its own to each flip, with the shape unchanged in all of them, so walls are where nobody drew
# them. The picture of the tile is flipped by pytmx's loaders. One would guess that its shapes are, too.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check pytmx==3.32
cd "$folder"
cat > room.tmx <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" orientation="orthogonal" width="4" height="1" tilewidth="16" tileheight="16" infinite="0">
 <tileset firstgid="1" name="walls" tilewidth="16" tileheight="16" tilecount="1" columns="1">
  <image source="walls.png" width="16" height="16"/>
  <tile id="0">
   <objectgroup draworder="index"><object id="1" x="0" y="0" width="4" height="16"/></objectgroup>
  </tile>
 </tileset>
 <layer id="1" name="ground" width="4" height="1">
  <data encoding="csv">1,2147483649,1073741825,536870913</data>
 </layer>
</map>
XML
cat > colliders.py <<'PYTHON'
import logging

logging.disable(logging.CRITICAL)  # pygame is not needed, and missed
import pytmx

room = pytmx.TiledMap("room.tmx")
flips = ["as drawn", "flipped over", "upside down", "diagonally"]
for column, _, number in room.get_layer_by_name("ground").iter_data():
    shapes = room.get_tile_properties_by_gid(number)["colliders"]
    shape, = [(shape.x, shape.y, shape.width, shape.height) for shape in shapes]
    print(f"{flips[column]}: tile {number}, x {shape[0]:.0f}, y {shape[1]:.0f}, {shape[2]:.0f} by {shape[3]:.0f}")
PYTHON
"$folder/venv/bin/python" colliders.py > seen 2>&1 || true
cat seen
cat > known <<'END'
as drawn: tile 1, x 0, y 0, 4 by 16
flipped over: tile 2, x 0, y 0, 4 by 16
upside down: tile 3, x 0, y 0, 4 by 16
diagonally: tile 4, x 0, y 0, 4 by 16
END
diff known seen && echo "as found: pytmx 3.32 leaves the shapes of flipped tiles as drawn"
