#!/bin/sh
# meshio 5.3.5 (Python) reads relative vertex numbers of Wavefront OBJ wrongly, without an error: it takes one from every
# number, as for those that count from the start. `f -3 -2 -1`, the last three vertices, becomes -4, -3, -2. NumPy takes
# negative indices from the end of the whole list, so a face gets other vertices than its own wherever there are more
# than three. Here a second triangle, at x = 5 to 6, comes out with a corner of the first one, at z = 1.
# OBJ: a negative number counts back from the vertices read so far; -1 is the last.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check meshio==5.3.5 numpy==2.2.6
cat > "$folder/two.obj" <<'OBJ'
v 0 0 0
v 1 0 0
v 0 0 1
f -3 -2 -1
v 5 0 0
v 6 0 0
v 5 0 1
f -3 -2 -1
OBJ
cat > "$folder/read.py" <<'PYTHON'
import sys
import meshio

mesh = meshio.read(sys.argv[1])
faces = mesh.cells_dict["triangle"]
print("faces:", faces.tolist())
print("second:", mesh.points[faces[1]].tolist())
PYTHON
"$folder/venv/bin/python" "$folder/read.py" "$folder/two.obj" > "$folder/seen" 2>&1 || true
cat "$folder/seen"
cat > "$folder/known" <<'END'
faces: [[-4, -3, -2], [-4, -3, -2]]
second: [[0.0, 0.0, 1.0], [5.0, 0.0, 0.0], [6.0, 0.0, 0.0]]
END
diff "$folder/known" "$folder/seen" && echo "as found: meshio 5.3.5 shifts negative indices"
