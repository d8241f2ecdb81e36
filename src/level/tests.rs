use super::{Level, LevelProblem, read};
use base64::Engine;
use glam::DVec3;

fn no_files(name: &str) -> Result<Vec<u8>, String> {
    Err(format!("{name} is outside the folder"))
}

fn level(name: &str, text: &str) -> Result<(Level, Vec<LevelProblem>), LevelProblem> {
    read(name, text.as_bytes(), no_files)
}

fn fault(name: &str, bytes: &[u8]) -> String {
    read(name, bytes, no_files).expect_err("this is broken").to_string()
}

const SQUARE: &str = "\
# a square of 2 m
mtllib missing.mtl
o floor
v 0 0 0
v 0 0 2
v 2 0 2
v 2 0 0
vt 9 nonsense
usemtl missing
f 1/7/9 2//3 3 4
";

#[test]
fn an_obj_is_its_faces_and_nothing_else() {
    let (level, warnings) = level("a.OBJ", SQUARE).unwrap();
    assert_eq!(level.triangles, [[0, 1, 2], [0, 2, 3]]);
    assert_eq!(level.objects, [("floor".to_string(), 0..2)]);
    assert_eq!(level.vertices[2], DVec3::new(2.0, 0.0, 2.0));
    assert_eq!(warnings, []);
}

#[test]
fn obj_indices_count_from_either_end_and_lines_may_be_joined() {
    let text =
        "v 0 0 0\nv 0 0 1\nv 1 0 0 0.5 0.5 0.5\nf -3 \\\n -2 -1\ng second\nv 5 0 5\nf 2 -1 3\nl 1 2\np 1\n";
    let (level, warnings) = level("a.obj", text).unwrap();
    assert_eq!(level.triangles, [[0, 1, 2], [1, 3, 2]]);
    assert_eq!(level.objects, [("unnamed".to_string(), 0..1), ("second".to_string(), 1..2)]);
    assert!(warnings[0].message.contains("2 points and lines"), "{warnings:?}");
}

#[test]
fn concave_polygons_keep_their_area() {
    // An L, whose fan from the first corner would leave the outline.
    let text = "v 2 0 0\nv 0 0 0\nv 0 0 2\nv 1 0 2\nv 1 0 1\nv 2 0 1\nf 4 5 6 1 2 3\n";
    let (level, _) = level("a.obj", text).unwrap();
    let area = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|v| level.vertices[v as usize]);
        (b - a).cross(c - a).y / 2.0
    };
    let areas: Vec<f64> = level.triangles.iter().map(area).collect();
    assert!(areas.iter().all(|area| *area > 0.0), "{areas:?}");
    assert_eq!(areas.iter().sum::<f64>(), 3.0);
}

#[test]
fn faults_of_an_obj_name_the_line_the_object_and_the_triangle() {
    let cases = [
        ("", "the file is empty"),
        ("# nothing\nv 0 0 0\n", "the level has no triangles"),
        ("o wall\nv 0 0 0\nv 1 0\n", "line 3 (object \"wall\"): a vertex needs three numbers"),
        ("o wall\nv 0 0 0\nf 1 1\n", "line 3 (object \"wall\"): a face needs three vertices"),
        (
            "o wall\nv 0 0 0\nf 1 1 9\n",
            "line 3 (object \"wall\"): triangle 1 names vertex 9, but there are 1",
        ),
        ("o wall\nv 0 0 0\nf 1 1 0\n", "triangle 1 has \"0\" for a vertex"),
        ("o wall\nv 0 0 0\nf 1 1 -2\n", "names vertex -2"),
        ("o wall\nv nan 0 0\nf 1 1 1\n", "object \"wall\", triangle 1: a coordinate is not a finite number"),
        ("o wall\nv 1e7 0 0\nf 1 1 1\n", "is farther than 1000000 m"),
        ("v 0 0 0\nf 1 1 1\n", "all triangles of the level have no area"),
        ("\u{0}\u{1}", "not text"),
    ];
    for (text, expected) in cases {
        let found = fault("a.obj", text.as_bytes());
        assert!(found.contains(expected) && found.contains("hint: "), "{text:?} gave {found}");
    }
    assert!(fault("a.obj", b"\x89PNG\r\n\x1a\n").contains("called .obj, but is a PNG image"));
    assert!(fault("a.fbx", b"Kaydara").contains("no known format"));
    assert!(fault("a.glb", b"hello").contains("not glTF"));
}

#[test]
fn flat_triangles_are_dropped_and_doubtful_levels_are_told() {
    let with_flat = format!("{SQUARE}o line\nf 1 2 2\nf 1 1 1\n");
    let (level_read, warnings) = level("a.obj", &with_flat).unwrap();
    assert_eq!((level_read.triangles.len(), level_read.objects.len()), (2, 1));
    assert!(warnings[0].message.contains("2 triangles have no area"), "{warnings:?}");
    assert!(warnings[0].message.contains("object \"line\", triangle 1"), "{warnings:?}");
    let inside_out = level("a.obj", &SQUARE.replace("1/7/9 2//3 3 4", "4 3 2 1")).unwrap().1;
    assert!(inside_out[0].hint.contains("inside out"), "{inside_out:?}");
    let upright = level("a.obj", "v 0 0 0\nv 0 1 0\nv 1 0 0\nf 1 2 3\n").unwrap().1;
    assert!(upright[0].hint.contains("y must be up"), "{upright:?}");
    let large = level("a.obj", "v 0 0 0\nv 0 0 90000\nv 90000 0 0\nf 1 2 3\n").unwrap().1;
    assert!(large[0].hint.contains("centimetres"), "{large:?}");
}

/// A triangle of three points as `f32`, then indices 0, 1, 2 as `u16`.
fn triangle_bytes() -> Vec<u8> {
    let points: [f32; 9] = [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0];
    let mut bytes: Vec<u8> = points.iter().flat_map(|number| number.to_le_bytes()).collect();
    bytes.extend([0u16, 1, 2].iter().flat_map(|index| index.to_le_bytes()));
    bytes.extend([0, 0]);
    bytes
}

const DOCUMENT: &str = r#"{
  "asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [1]}],
  "nodes": [
    {"name": "floor", "mesh": 0, "scale": [2, 1, 1]},
    {"children": [0], "translation": [10, 0, 0], "rotation": [0, 0.7071067811865476, 0, 0.7071067811865476]}],
  "meshes": [{"name": "plane", "primitives": [{"attributes": {"POSITION": 0}, "indices": 1, "material": 77}]}],
  "materials": "broken", "textures": [{"source": 9}],
  "accessors": [
    {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"},
    {"bufferView": 1, "componentType": 5123, "count": 3, "type": "SCALAR"}],
  "bufferViews": [{"buffer": 0, "byteLength": 36}, {"buffer": 0, "byteOffset": 36, "byteLength": 6}],
  "buffers": [{"byteLength": 44URI}]
}"#;

fn glb(document: &str) -> Vec<u8> {
    let mut json = document.replace("URI", "").into_bytes();
    json.resize(json.len().next_multiple_of(4), b' ');
    let binary = triangle_bytes();
    let mut bytes = b"glTF".to_vec();
    let length = (12 + 8 + json.len() + 8 + binary.len()) as u32;
    for word in [2, length, json.len() as u32] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(b"JSON");
    bytes.extend(json);
    bytes.extend((binary.len() as u32).to_le_bytes());
    bytes.extend(b"BIN\0");
    bytes.extend(binary);
    bytes
}

#[test]
fn gltf_nodes_move_their_meshes_and_materials_do_not_matter() {
    let (from_glb, warnings) = read("a.glb", &glb(DOCUMENT), no_files).unwrap();
    assert_eq!(warnings, []);
    assert_eq!(from_glb.objects, [("floor".to_string(), 0..1)]);
    // Scaled along x, then turned by 90 degrees about y (x becomes -z), then moved.
    let expected = [DVec3::new(10.0, 0.0, 0.0), DVec3::new(11.0, 0.0, 0.0), DVec3::new(10.0, 0.0, -2.0)];
    for (found, expected) in from_glb.vertices.iter().zip(expected) {
        assert!(found.distance(expected) < 1e-12, "{found} is not {expected}");
    }
    let text = base64::engine::general_purpose::STANDARD.encode(triangle_bytes());
    let inline =
        DOCUMENT.replace("URI", &format!(r#", "uri": "data:application/octet-stream;base64,{text}""#));
    assert_eq!(level("a.gltf", &inline).unwrap().0, from_glb);
    let outside = DOCUMENT.replace("URI", r#", "uri": "my%20level.bin""#);
    let beside = read("a.gltf", outside.as_bytes(), |name| {
        assert_eq!(name, "my level.bin");
        Ok(triangle_bytes())
    });
    assert_eq!(beside.unwrap().0, from_glb);
    assert!(fault("a.gltf", outside.as_bytes()).contains("my level.bin is outside the folder"));
}

#[test]
fn mirrored_nodes_keep_their_faces_up() {
    let mirrored = glb(&DOCUMENT.replace("[2, 1, 1]", "[-2, 1, 1]"));
    let (level, warnings) = read("a.glb", &mirrored, no_files).unwrap();
    let [a, b, c] = level.triangles[0].map(|v| level.vertices[v as usize]);
    assert!((b - a).cross(c - a).y > 0.0);
    assert_eq!(warnings, []);
}

#[test]
fn faults_of_a_gltf_name_the_node_and_the_mesh() {
    let cases = [
        (r#""nodes": [1]"#, r#""nodes": [5]"#, "node 5 does not exist"),
        (r#""scene": 0"#, r#""scene": 3"#, "scene 3 does not exist"),
        (r#""children": [0]"#, r#""children": [0, 0]"#, "node 0 (\"floor\") has two parents"),
        (
            r#""children": [0]"#,
            r#""children": [1]"#,
            "node 1 (\"node 1\") has two parents, or is inside itself",
        ),
        (r#""mesh": 0"#, r#""mesh": 4"#, "node \"floor\" has mesh 4, which does not exist"),
        (
            r#""indices": 1"#,
            r#""indices": 8"#,
            "node \"floor\", mesh \"plane\", part 1: accessor 8 does not exist",
        ),
        (r#""count": 3, "type": "VEC3""#, r#""count": 2, "type": "VEC3""#, "triangle 1 names vertex 2"),
        (r#""count": 3, "type": "VEC3""#, r#""count": 9007199254740993, "type": "VEC3""#, "too short"),
        (r#""bufferView": 0, "#, "", "accessor 0 declares 3 elements but has no bytes"),
        (r#""type": "VEC3""#, r#""type": "VEC3", "sparse": {"count": 1}"#, "sparse"),
        (r#""type": "VEC3""#, r#""type": "VEC4""#, "accessor 0 is VEC4"),
        (r#""byteOffset": 36"#, r#""byteOffset": 18446744073709551615"#, "too short"),
        (r#""POSITION": 0"#, r#""NORMAL": 0"#, "it has no positions"),
        (r#""asset""#, r#""extensionsRequired": ["KHR_draco_mesh_compression"], "asset""#, "KHR_draco_mesh"),
        (r#""version": "2.0""#, r#""version": "1.0""#, "of glTF version 1.0"),
        (
            r#""version": "2.0"}, "#,
            r#""version": "1.1"}, "materials": {}, "meshes": {}, "#,
            "of glTF version 1.1",
        ),
        (r#""scene": 0"#, r#""scene": "x""#, "the file's JSON is not glTF"),
        ("[10, 0, 0]", "[1e300, 0, 0]", "object \"floor\", triangle 1"),
    ];
    for (from, to, expected) in cases {
        assert!(DOCUMENT.contains(from), "{from}");
        let found = fault("a.glb", &glb(&DOCUMENT.replacen(from, to, 1)));
        assert!(found.contains(expected) && found.contains("hint: "), "{to} gave {found}");
    }
}

#[test]
fn points_and_lines_are_left_out_with_a_warning() {
    let lines = DOCUMENT.replace("\"primitives\": [", "\"primitives\": [{\"attributes\": {}, \"mode\": 1}, ");
    let (level, warnings) = read("a.glb", &glb(&lines), no_files).unwrap();
    assert_eq!(level.triangles.len(), 1);
    assert!(warnings[0].message.contains("1 meshes of points or lines"), "{warnings:?}");
}

#[test]
fn files_that_are_cut_off_or_mutated_are_refused_or_read_but_never_panic() {
    let whole = glb(DOCUMENT);
    for length in 0..whole.len() {
        assert!(read("a.glb", &whole[..length], no_files).is_err(), "the first {length} bytes");
    }
    let mut random: u64 = 1;
    let mut next = |below: usize| {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (random >> 33) as usize % below
    };
    for (name, bytes) in [("a.glb", &whole[..]), ("a.obj", SQUARE.as_bytes())] {
        for _ in 0..2000 {
            let mut bytes = bytes.to_vec();
            for _ in 0..=next(4) {
                let at = next(bytes.len());
                match next(3) {
                    0 => bytes[at] = next(256) as u8,
                    1 => _ = bytes.remove(at),
                    _ => bytes.insert(at, b"09-e./ \n"[next(8)]),
                }
            }
            let _ = read(name, &bytes, no_files);
        }
    }
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_text() {
    let marked = [b"\xef\xbb\xbf", SQUARE.as_bytes()].concat();
    let read = |bytes: &[u8]| read("a.obj", bytes, no_files).unwrap().0;
    assert_eq!(read(&marked).vertices, read(SQUARE.as_bytes()).vertices);
}
