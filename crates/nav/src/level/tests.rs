use super::{Level, LevelProblem, Placing};
use base64::Engine;
use glam::DVec3;

fn no_files(name: &str) -> Result<Vec<u8>, String> {
    Err(format!("{name} is outside the folder"))
}

fn read(
    name: &str,
    bytes: &[u8],
    other_files: impl FnMut(&str) -> Result<Vec<u8>, String>,
) -> Result<(Level, Vec<LevelProblem>), LevelProblem> {
    super::read(name, bytes, Placing::default(), other_files)
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
        (r#""type": "VEC3""#, r#""type": "VEC3", "sparse": {"count": 1}"#, "missing field `indices`"),
        (
            r#""type": "VEC3""#,
            r#""type": "VEC3", "sparse": {"count": 1, "indices": {"bufferView": 1, "byteOffset": 4, "componentType": 5121}, "values": {"bufferView": 7}}"#,
            "buffer view 7 does not exist",
        ),
        (
            r#""type": "VEC3""#,
            r#""type": "VEC3", "sparse": {"count": 4, "indices": {"bufferView": 1, "componentType": 5121}, "values": {"bufferView": 0}}"#,
            "accessor 0 is sparse",
        ),
        (
            r#""bufferView": 0, "componentType": 5126, "count": 3"#,
            r#""componentType": 5126, "count": 900000000, "sparse": {"count": 1, "indices": {"bufferView": 1, "componentType": 5121}, "values": {"bufferView": 0}}"#,
            "declares 900000000 elements but has no bytes",
        ),
        (
            r#""asset""#,
            r#""extensionsRequired": ["EXT_meshopt_compression"], "asset""#,
            "EXT_meshopt_compression",
        ),
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
fn sparse_accessors_morph_targets_and_instances_are_read() {
    let plain = read("a.glb", &glb(DOCUMENT), no_files).unwrap().0;
    // Without bytes of its own: zero where the sparse elements are not.
    let sparse = DOCUMENT.replace(
        r#"{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}"#,
        r#"{"componentType": 5126, "count": 3, "type": "VEC3", "sparse": {"count": 2,
            "indices": {"bufferView": 1, "byteOffset": 2, "componentType": 5123},
            "values": {"bufferView": 0, "byteOffset": 12}}}"#,
    );
    assert_ne!(sparse, DOCUMENT);
    assert_eq!(read("a.glb", &glb(&sparse), no_files).unwrap().0, plain);
    // A target of the same points, half of it, is half as large again; a node's weights go before the mesh's.
    let targets = DOCUMENT.replace("\"material\": 77", "\"targets\": [{\"POSITION\": 0}]");
    for (from, to) in [
        (r#""name": "plane","#, r#""name": "plane", "weights": [0.5],"#),
        (r#""name": "floor","#, r#""name": "floor", "weights": [0.5],"#),
    ] {
        let morphed = read("a.glb", &glb(&targets.replace(from, to)), no_files).unwrap().0;
        let origin = plain.vertices[0];
        for (found, at) in morphed.vertices.iter().zip(&plain.vertices) {
            assert!(found.distance(origin + (*at - origin) * 1.5) < 1e-12, "{found} for {at}");
        }
    }
    let instances =
        r#""mesh": 0, "extensions": {"EXT_mesh_gpu_instancing": {"attributes": {"TRANSLATION": 0}}},"#;
    let instanced = DOCUMENT
        .replace(r#""mesh": 0,"#, instances)
        .replace(r#""asset""#, r#""extensionsRequired": ["EXT_mesh_gpu_instancing"], "asset""#);
    let (level, warnings) = read("a.glb", &glb(&instanced), no_files).unwrap();
    assert_eq!((level.triangles.len(), warnings), (3, Vec::new()));
    let moved =
        plain.vertices.iter().flat_map(|by| plain.vertices.iter().map(|at| *at + *by - plain.vertices[0]));
    for (found, expected) in level.vertices.iter().zip(moved) {
        assert!(found.distance(expected) < 1e-12, "{found} is not {expected}");
    }
}

#[test]
fn meshes_with_bones_are_left_out_with_a_warning() {
    let skinned = DOCUMENT.replace(r#"{"children": [0],"#, r#"{"children": [0], "mesh": 0, "skin": 0,"#);
    let (level, warnings) = read("a.glb", &glb(&skinned), no_files).unwrap();
    assert_eq!(level, read("a.glb", &glb(DOCUMENT), no_files).unwrap().0);
    assert!(warnings[0].message.contains("1 meshes with bones"), "{warnings:?}");
}

#[test]
fn a_comment_begins_anywhere_in_a_line_of_an_obj() {
    let with = "v 0 0 0 # a\nv 0 0 2# b\nv 2 0 2 # c \\\no floor # d\nf 1 2 3 # e 4\n#f 9 9 9\n";
    let without = "v 0 0 0\nv 0 0 2\nv 2 0 2\no floor\nf 1 2 3\n";
    assert_eq!(level("a.obj", with).unwrap(), level("a.obj", without).unwrap());
    // In a name only behind a blank.
    let named = level("a.obj", "o Chair#1 # the first\nv 0 0 0\nv 0 0 2\nv 2 0 2\nf 1 2 3\n").unwrap().0;
    assert_eq!(named.objects[0].0, "Chair#1");
}

/// A house of four walls, a floor and a roof; how wide, high and deep it is, in metres.
fn house([x, y, z]: [f64; 3], placed: impl Fn(DVec3) -> DVec3) -> String {
    let mut text = String::new();
    for i in 0..8 {
        let bit = |bit: i32, size: f64| if i & bit == 0 { 0.0 } else { size };
        let at = placed(DVec3::new(bit(1, x), bit(2, y), bit(4, z)));
        text.push_str(&format!("v {} {} {}\n", at.x, at.y, at.z));
    }
    text + "f 1 5 6 2\nf 3 7 8 4\nf 1 2 4 3\nf 5 7 8 6\nf 1 3 7 5\nf 2 6 8 4\n"
}

/// Blender's axes and centimetres, over sizes of houses: told, and mended by the keys that are told.
#[test]
fn levels_of_other_axes_and_units_are_recognised_and_placed() {
    let sizes = [[12.0, 2.6, 9.0], [30.0, 3.2, 20.0], [80.0, 4.0, 100.0], [9.0, 2.4, 8.0]];
    for size in sizes {
        let metres = house(size, |at| at);
        let wanted = level("a.obj", &metres).unwrap();
        assert_eq!(wanted.1, [], "{size:?}");
        let units = [("centimetres", 0.01), ("inches", 0.0254), ("millimetres", 0.001)];
        // Four metres are 157 inches, which may as well be centimetres.
        for (unit, scale) in units.into_iter().filter(|(unit, _)| *unit != "inches" || size[1] < 3.5) {
            for z_is_up in [false, true] {
                let turned = |at: DVec3| if z_is_up { DVec3::new(at.x, -at.z, at.y) } else { at };
                let text = house(size, |at| turned(at) / scale);
                let told = super::read("a.obj", text.as_bytes(), Placing { z_is_up, scale: 1.0 }, no_files)
                    .unwrap()
                    .1;
                let named = told.iter().find(|warning| warning.message.contains(unit));
                let hint = format!("\"scale\": {scale} ");
                assert!(named.is_some_and(|it| it.hint.contains(&hint)), "{size:?} {unit}: {told:?}");
                if z_is_up {
                    let told = level("a.obj", &text).unwrap().1;
                    assert!(told.iter().any(|it| it.hint.contains("\"up\": \"z\"")), "{size:?}: {told:?}");
                }
                let (mended, told) =
                    super::read("a.obj", text.as_bytes(), Placing { z_is_up, scale }, no_files).unwrap();
                assert_eq!((&mended.triangles, &told), (&wanted.0.triangles, &wanted.1));
                for (at, wanted) in mended.vertices.iter().zip(&wanted.0.vertices) {
                    assert!(at.distance(*wanted) < 1e-9, "{at} is not {wanted}");
                }
            }
        }
    }
    // A hill of 300 m has no walls, and a flat yard no height.
    for text in ["v 0 0 0\nv 0 300 800\nv 900 0 0\nf 1 2 3\n", "v 0 0 0\nv 0 0 8\nv 9 0 0\nf 1 2 3\n"] {
        assert_eq!(level("a.obj", text).unwrap().1, [], "{text}");
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
