#!/bin/sh
# A comment behind a face (`f 1 2 3 # floor`) makes four readers of Wavefront OBJ refuse the whole file: tinyobjloader
# 2.0.0rc13 ("Failed to parse `f' line"), trimesh 5.2.0, PyWavefront 1.3.3 and meshio 5.3.5, with NumPy 2.2.6. Behind a
# vertex, all but meshio take it; with NumPy 2.4.6, trimesh does not either. One would guess that `#` begins a comment
# anywhere, as the format's text has it. Who writes OBJ for others puts comments on lines of their own.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check numpy==2.2.6 \
  tinyobjloader==2.0.0rc13 trimesh==5.2.0 PyWavefront==1.3.3 meshio==5.3.5
cat > "$folder/read.py" <<'PYTHON'
import logging, pathlib, sys
import meshio, pywavefront, tinyobjloader, trimesh

logging.disable(logging.CRITICAL)
folder = pathlib.Path(sys.argv[1])
plain = ["v 0 0 0", "v 1 0 0", "v 0 0 1", "f 1 2 3"]


def tinyobj(path):
    reader = tinyobjloader.ObjReader()
    if not reader.ParseFromFile(path, tinyobjloader.ObjReaderConfig()):
        raise ValueError(reader.Error())


readers = {
    "tinyobjloader": tinyobj,
    "trimesh": trimesh.load,
    "PyWavefront": lambda path: pywavefront.Wavefront(path, create_materials=True, collect_faces=True),
    "meshio": meshio.read,
}
for name, read in readers.items():
    told = []
    for place, line in [("nowhere", None), ("on a line", 4), ("behind a vertex", 0), ("behind a face", 3)]:
        lines = list(plain)
        if line == 4:
            lines.append("# floor")
        elif line is not None:
            lines[line] += " # floor"
        path = folder / "room.obj"
        path.write_text("\n".join(lines) + "\n")
        try:
            read(str(path))
            told.append(f"{place}: read")
        except Exception:
            told.append(f"{place}: refused")
    print(name, "-", ", ".join(told))
PYTHON
"$folder/venv/bin/python" "$folder/read.py" "$folder" > "$folder/seen" 2>&1 || true
cat "$folder/seen"
cat > "$folder/known" <<'END'
tinyobjloader - nowhere: read, on a line: read, behind a vertex: read, behind a face: refused
trimesh - nowhere: read, on a line: read, behind a vertex: read, behind a face: refused
PyWavefront - nowhere: read, on a line: read, behind a vertex: read, behind a face: refused
meshio - nowhere: read, on a line: read, behind a vertex: refused, behind a face: refused
END
diff "$folder/known" "$folder/seen" && echo "as found: a comment behind a face is refused by all four"
