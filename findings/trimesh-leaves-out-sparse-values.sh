#!/bin/sh
# trimesh 5.2.0 (Python) reads the base of a sparse accessor of glTF 2.0 and leaves its sparse values out, without an
# error or a warning. A level whose exporter writes sparse positions comes out with vertices in the wrong places: here one
# vertex is moved from x = 1 to x = 5 by the sparse values, and trimesh leaves it at 1. Without a base (allowed: all
# zeros), every vertex is at 0.
# glTF 2.0, "Sparse accessors": the sparse values replace those of the base.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check trimesh==5.2.0 numpy==2.2.6
cat > "$folder/sparse.py" <<'PYTHON'
import base64, io, json, logging, struct, warnings
import trimesh

warnings.simplefilter("error")
logging.basicConfig(level=logging.WARNING)

positions = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 0, 1)
corners = struct.pack("<3H2x", 0, 1, 2)
which = struct.pack("<H2x", 1)
values = struct.pack("<3f", 5, 0, 0)
data = positions + corners + which + values
views, at = [], 0
for part, size in [(positions, 36), (corners, 6), (which, 2), (values, 12)]:
    views.append({"buffer": 0, "byteOffset": at, "byteLength": size})
    at += len(part)


def bounds(has_base):
    accessor = {
        "componentType": 5126, "count": 3, "type": "VEC3",
        "min": [0, 0, 0], "max": [5, 0, 1] if has_base else [5, 0, 0],
        "sparse": {
            "count": 1, "indices": {"bufferView": 2, "componentType": 5123}, "values": {"bufferView": 3},
        },
    }
    if has_base:
        accessor["bufferView"] = 0
    uri = "data:application/octet-stream;base64," + base64.b64encode(data).decode()
    document = {
        "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "buffers": [{"byteLength": len(data), "uri": uri}], "bufferViews": views,
        "accessors": [accessor, {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"}],
    }
    scene = trimesh.load_scene(io.BytesIO(json.dumps(document).encode()), file_type="gltf")
    return scene.to_geometry().bounds[1].tolist()


print("with a base:", bounds(True))
print("without one:", bounds(False))
PYTHON
"$folder/venv/bin/python" "$folder/sparse.py" > "$folder/seen" 2>&1 || true
cat "$folder/seen"
cat > "$folder/known" <<'END'
with a base: [1.0, 0.0, 1.0]
without one: [0.0, 0.0, 0.0]
END
diff "$folder/known" "$folder/seen" && echo "as found: trimesh 5.2.0 leaves sparse values out"
