#!/bin/sh
# trimesh 5.2.0 (Python) loads a glTF 2.0 file whose `extensionsRequired` names an extension that it does not know, and
# says nothing. Here EXT_mesh_gpu_instancing puts three copies of a triangle at x = 0, 10 and 20; trimesh gives one, at 0.
# One would guess an error: glTF 2.0, "Specifying Extensions", has required extensions for files that cannot be loaded
# rightly without them. A tool that bakes a floor from it loses two thirds of the level unseen.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check trimesh==5.2.0 numpy==2.2.6
cat > "$folder/required.py" <<'PYTHON'
import base64, io, json, logging, struct, warnings
import trimesh

warnings.simplefilter("error")
logging.basicConfig(level=logging.WARNING)

triangle = struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 0, 1)
moves = struct.pack("<9f", 0, 0, 0, 10, 0, 0, 20, 0, 0)
data = triangle + moves
name = "EXT_mesh_gpu_instancing"
document = {
    "asset": {"version": "2.0"}, "extensionsUsed": [name], "extensionsRequired": [name],
    "scene": 0, "scenes": [{"nodes": [0]}],
    "nodes": [{"mesh": 0, "extensions": {name: {"attributes": {"TRANSLATION": 1}}}}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
    "buffers": [{
        "byteLength": len(data),
        "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode(),
    }],
    "bufferViews": [
        {"buffer": 0, "byteOffset": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 36},
    ],
    "accessors": [
        {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 0, 1]},
        {"bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC3"},
    ],
}
scene = trimesh.load_scene(io.BytesIO(json.dumps(document).encode()), file_type="gltf")
mesh = scene.to_geometry()
print("triangles:", len(mesh.faces), "up to x =", float(mesh.bounds[1][0]))
PYTHON
"$folder/venv/bin/python" "$folder/required.py" > "$folder/seen" 2>&1 || true
cat "$folder/seen"
echo "triangles: 1 up to x = 1.0" > "$folder/known"
diff "$folder/known" "$folder/seen" && echo "as found: trimesh 5.2.0 ignores what a file requires"
