//! Tactical levels from level files: the same as brushes, and every fault with its place.

use crate::common::command::{cicerone, code, json, text};
use crate::common::level_files::obj;
use crate::common::project::Project;

/// What the example room `lookout` has in its file, as boxes.
fn boxes() -> Vec<(&'static str, [[f64; 3]; 2])> {
    let mut boxes = vec![
        ("ground", [[0.0, 0.0, 0.0], [384.0, 320.0, 8.0]]),
        ("tower", [[126.0, 62.0, 8.0], [290.0, 66.0, 128.0]]),
        ("tower", [[126.0, 222.0, 8.0], [290.0, 226.0, 128.0]]),
        ("tower", [[286.0, 62.0, 8.0], [290.0, 226.0, 128.0]]),
        ("tower", [[126.0, 62.0, 8.0], [130.0, 128.0, 128.0]]),
        ("tower", [[126.0, 160.0, 8.0], [130.0, 226.0, 128.0]]),
        ("tower", [[126.0, 128.0, 56.0], [130.0, 160.0, 128.0]]),
        ("tower", [[126.0, 62.0, 64.0], [160.0, 226.0, 72.0]]),
        ("tower", [[126.0, 96.0, 64.0], [290.0, 226.0, 72.0]]),
        ("tower", [[256.0, 62.0, 64.0], [290.0, 226.0, 72.0]]),
        ("tower", [[126.0, 62.0, 128.0], [290.0, 226.0, 136.0]]),
        ("door", [[126.0, 128.0, 8.0], [130.0, 160.0, 56.0]]),
        ("ladder", [[290.0, 100.0, 8.0], [292.0, 122.0, 144.0]]),
        ("railing", [[126.0, 62.0, 136.0], [290.0, 66.0, 160.0]]),
        ("railing", [[126.0, 222.0, 136.0], [290.0, 226.0, 160.0]]),
        ("railing", [[126.0, 62.0, 136.0], [130.0, 226.0, 160.0]]),
    ];
    for step in 0..7 {
        let step = f64::from(step);
        boxes.push(("stair", [[160.0 + 12.0 * step, 66.0, 8.0], [256.0, 96.0, 16.0 + 8.0 * step]]));
    }
    boxes
}

/// What is asked of both rooms.
fn questions() -> Vec<Vec<&'static str>> {
    let from = ["--from", "16,16,8"];
    vec![
        vec!["--trace"],
        vec!["--trace", "--size", "2"],
        vec!["--trace", "--open", "door"],
        from.to_vec(),
        [&from[..], &["--open", "door"]].concat(),
        [&from[..], &["--size", "2", "--budget", "60"]].concat(),
        [&from[..], &["--to", "144,176,136"]].concat(),
        [&from[..], &["--to", "144,80,72", "--open", "door"]].concat(),
    ]
}

#[test]
fn the_lookout_is_the_same_as_brushes() {
    let brush = |(name, corners): &(&str, [[f64; 3]; 2])| {
        let more = match *name {
            "door" => r#", "area": "door""#,
            "ladder" => r#", "ladder": "west""#,
            "railing" => r#", "clip": true"#,
            _ => "",
        };
        format!(r#"{{"box": {corners:?}{more}}}"#)
    };
    let mut brushes: Vec<String> = boxes().iter().map(brush).collect();
    brushes.push(r#"{"box": [[40, 200, 8], [56, 216, 28]]}"#.into());
    let room = format!(r#"{{"tactics": {{"turnTu": 1, "brushes": [{}]}}}}"#, brushes.join(",\n"));
    // Boxes that overlap are one object here, where the example has one surface.
    let by_file = r#"{"tactics": {"turnTu": 1, "geometry": "rooms/tower.obj", "brushes": [{"box": [[40, 200, 8], [56, 216, 28]]}],
        "objects": {"door": {"area": "door"}, "ladder": {"ladder": "west"}, "railing": {"clip": true}}}}"#;
    // The same with z up, in centimetres.
    let turned = by_file.replace("tower.obj\"", "turned.obj\", \"up\": \"z\", \"scale\": 0.01");
    let project = Project::new(&[
        ("rooms/brushes.json", &room),
        ("rooms/tower.json", by_file),
        ("rooms/tower.obj", &obj(&boxes())),
        ("rooms/turned.json", &turned),
        ("rooms/turned.obj", &z_up_in_centimetres(&obj(&boxes()))),
    ]);
    let paths =
        ["rooms/brushes.json", "rooms/tower.json", "rooms/turned.json"].map(|name| project.path(name));
    let [brushes, tower, turned] = paths.each_ref().map(|path| path.to_str().unwrap());
    for question in questions() {
        let [expected, lookout, tower, turned] = [brushes, "lookout", tower, turned].map(|room| {
            let output = cicerone(&[&["tactics", room, "--format", "json"], &question[..]].concat());
            assert_eq!(code(&output), 0, "{room} {question:?}: {}", text(&output.stderr));
            let mut answer = json(&output);
            answer.as_object_mut().unwrap().remove("room");
            answer
        });
        assert_eq!(lookout, expected, "{question:?}");
        assert_eq!(tower, expected, "{question:?}");
        assert_eq!(turned, expected, "{question:?}");
    }
}

/// An OBJ file in metres with y up, as a program writes it that has z up and centimetres.
fn z_up_in_centimetres(obj: &str) -> String {
    let line =
        |line: &str| match line.strip_prefix("v ").map(|at| at.split(' ').map(|n| n.parse::<f64>().unwrap()))
        {
            Some(at) => {
                let at: Vec<f64> = at.map(|metres| 100.0 * metres).collect();
                format!("v {} {} {}\n", at[0], -at[2], at[1])
            }
            None => format!("{line}\n"),
        };
    obj.lines().map(line).collect()
}

/// A box as an OBJ file: the lines from 2 on are its points, those from 10 on its faces.
fn crate_file() -> String {
    obj(&[("crate", [[0.0, 0.0, 0.0], [64.0, 64.0, 16.0]])])
}

#[test]
fn faults_of_level_files_are_told_with_their_lines() {
    let room = |more: &str| format!("{{\"tactics\": {{\n\"geometry\": \"rooms/level.obj\"{more}}}}}");
    let told = |room: &str, level: &str| {
        let project = Project::new(&[("rooms/level.json", room), ("rooms/level.obj", level)]);
        let output = cicerone(&["check", project.path("rooms/level.json").to_str().unwrap()]);
        (code(&output), text(&output.stderr))
    };
    let whole = crate_file();
    assert_eq!(told(&room(""), &whole).0, 0);
    let without = |line: usize| {
        let lines = whole.lines().enumerate().filter(|(index, _)| index + 1 != line);
        lines.map(|(_, line)| format!("{line}\n")).collect::<String>()
    };
    let faces = |turn: fn(usize) -> bool| {
        let line = |(index, line): (usize, &str)| match line.strip_prefix("f ") {
            Some(face) if turn(index + 1) => {
                format!("f {}\n", face.split(' ').rev().collect::<Vec<_>>().join(" "))
            }
            _ => format!("{line}\n"),
        };
        whole.lines().enumerate().map(line).collect::<String>()
    };
    let twice = format!("{whole}f 1 5 7 3\n");
    let flat = "o sheet\nv 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\nf 1 3 2\n";
    let far = whole.replace("v 2 ", "v 300 ");
    for (level, words) in [
        (
            without(15),
            "line 10 (object \"crate\"): it is not closed: the edge from [0.0, 0.5, 2.0] to [0.0, 0.0, 2.0] has only one triangle (4 such edges)",
        ),
        (twice, "line 10 (object \"crate\"): the edge from"),
        (faces(|line| line == 11), "line 11 (object \"crate\"): the two triangles at the edge from"),
        (faces(|_| true), "line 10 (object \"crate\"): it is inside out"),
        (flat.into(), "line 5 (object \"sheet\"): it is flat"),
        (far, "line 11 (object \"crate\"): it lies outside the largest level"),
        ("o crate\nf 1 2 3\n".into(), "line 2 (object \"crate\"): triangle 1 names vertex 1"),
        ("v 0 0 0\n".into(), "the level has no triangles"),
        (String::new(), "the file is empty"),
    ] {
        let (code, told) = told(&room(""), &level);
        assert!(code == 2 && told.contains("level.json:2:13") && told.contains(words), "{words}: {told}");
        assert!(told.contains("geometry 'rooms/level.obj': "), "{told}");
    }
    for (more, place, words) in [
        (",\n\"objects\": {\"crte\": {}}", "3:", "did you mean 'crate'?"),
        (",\n\"objects\": {\"gate\": {}}", "3:", "its objects are 'crate'"),
        (",\n\"objects\": {\"crate\": {\"ladder\": \"west\", \"clip\": true}}", "3:", "a ladder is no solid"),
        (",\n\"objects\": {\"crate\": {\"area\": \" \"}}", "3:", "the name of its area is empty"),
        (",\n\"unitsPerMetre\": 6000", "2:13", "it lies outside the largest level"),
    ] {
        let (code, told) = told(&room(more), &whole);
        assert!(code == 2 && told.contains(&format!("level.json:{place}")), "{told}");
        assert!(told.contains(words), "{words}: {told}");
    }
    let missing = room("").replace("level.obj", "levle.obj");
    assert!(told(&missing, &whole).1.contains("level.json:2:13"));
    assert!(told(&room("").replace("rooms/", "../"), &whole).1.contains("leaves the project"));
    for (text, words) in [
        ("{\"tactics\": {}}", "missing key 'brushes' in tactical level"),
        ("{\"tactics\": {\"brushes\": [], \"objects\": {}}}", "'objects' is for levels with 'geometry'"),
        ("{\"tactics\": {\"brushes\": [], \"up\": \"z\"}}", "'up' is for levels with 'geometry'"),
        ("{\"tactics\": {\"brushes\": [], \"scale\": 2}}", "'scale' is for levels with 'geometry'"),
        ("{\"tactics\": {\"brushes\": [], \"turnTu\": 5}}", "turnTu"),
    ] {
        let (code, told) = told(text, &whole);
        assert!(code == 2 && told.contains(words), "{told}");
    }
}

#[test]
fn faults_of_meshes_are_told_with_their_triangles() {
    let points = "[0, 0, 0], [64, 0, 0], [0, 64, 0], [0, 0, 64]";
    let brush =
        |triangles: &str| format!(r#"{{"mesh": {{"points": [{points}], "triangles": [{triangles}]}}}}"#);
    let whole = "[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]";
    let check = |brush: &str| {
        let room =
            format!("{{\"tactics\": {{\"brushes\": [{{\"box\": [[0, 0, 0], [64, 64, 8]]}}, {brush}]}}}}");
        let project = Project::new(&[("rooms/level.json", &room)]);
        let output = cicerone(&["check", project.path("rooms/level.json").to_str().unwrap()]);
        (code(&output), text(&output.stderr))
    };
    assert_eq!(check(&brush(whole)).0, 0);
    for (triangles, words, path) in [
        ("[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 4]", "there is no point 4", "mesh.triangles[3]"),
        (
            "[0, 2, 1], [0, 1, 3], [1, 2, 3], [1, 2, 3]",
            "it is not closed: the edge from [0.0, 0.0, 0.0] to [0.0, 64.0, 0.0] has only one triangle",
            "mesh.triangles[0]",
        ),
        (
            "[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3], [2, 0, 3]",
            "has 3 triangles; in a solid it has two",
            "",
        ),
        ("[0, 2, 1], [0, 1, 3], [1, 3, 2], [2, 0, 3]", "face opposite sides", ""),
        ("[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]", "it is inside out", "mesh.triangles[0]"),
        (
            "[0, 1, 2], [0, 2, 1], [0, 1, 3], [0, 3, 1]",
            "triangles; in a solid it has two",
            "mesh.triangles[0]",
        ),
        ("[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 0, 0]", "it is not closed", "mesh.triangles[0]"),
        ("[0, 2, 1], [0, 1, 3]", "triangles", ""),
        ("[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 0.5]", "whole", ""),
        ("[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, -1]", "triangles", ""),
    ] {
        let (code, told) = check(&brush(triangles));
        assert!(code == 2 && told.contains(words) && told.contains(path), "{triangles}: {told}");
    }
    let sheet = brush(whole).replace("[0, 0, 64]", "[32, 32, 0]");
    assert!(check(&sheet).1.contains("brush 2: it is flat"), "{}", check(&sheet).1);
    let outside = brush(whole).replace("[0, 0, 64]", "[0, 0, 640]");
    assert!(check(&outside).1.contains("brush 2: it lies outside"), "{}", check(&outside).1);
}
