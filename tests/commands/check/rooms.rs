//! What is said of rooms.

use super::{check, project, words};
use crate::common::level_files::obj;
use crate::common::painted::{png_from, png_of};
use crate::common::project::Project;

/// What is said of a room, a line each.
fn said_of(room: &str) -> Vec<String> {
    let project = Project::new(&[("rooms/r.json", room)]);
    let output = check(&project.path(""), &["rooms", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["errors"], 0, "{report:#}");
    let problems = report["problems"].as_array().unwrap().iter();
    problems.map(|p| format!("{}:{}: {}", p["line"], p["column"], p["message"].as_str().unwrap())).collect()
}

/// A hall at the left of a den, with something between them, and more.
fn two_halls(from_x: f64, between: &str, more: &str) -> String {
    format!(
        r#"{{ "cellSize": 0.25, "agentRadius": 0.25, "objectPadding": 0, "boundaryPadding": 0.2,
"areas": [
{{ "name": "hall", "polygon": [[0, 0], [4, 0], [4, 4], [0, 4]] }},
{between}
{{ "name": "den", "polygon": [[{from_x}, 0], [8, 0], [8, 4], [{from_x}, 4]] }}]
{more} }}"#
    )
}

#[test]
fn areas_that_nearly_touch() {
    let told = "5:29: areas 'hall' and 'den' nearly touch";
    let said = said_of(&two_halls(4.02, "", ""));
    assert!(
        said.len() == 1
            && said[0].starts_with(told)
            && said[0].contains("0.02 m lie between them near [4.01, 2.00]"),
        "{said:?}"
    );
    assert!(said_of(&two_halls(4.3, "", ""))[0].starts_with(told));
    // They touch, they are a body's width apart, or there is a door in the wall between them.
    assert!(said_of(&two_halls(4.0, "", "")).is_empty());
    assert!(said_of(&two_halls(4.5, "", "")).is_empty());
    let door = r#"{ "name": "door", "polygon": [[4, 1], [4.2, 1], [4.2, 3], [4, 3]], "available": false },"#;
    assert_eq!(said_of(&two_halls(4.2, door, "")), Vec::<String>::new());
}

#[test]
fn points_off_the_ground() {
    let more = r#", "obstacles": [{ "name": "well", "polygon": [[1, 1], [2, 1], [2, 2], [1, 2]] }],
"points": { "deep": [1.5, 1.5], "far": [9, 9], "good": [3, 3] }"#;
    assert_eq!(
        said_of(&two_halls(4.0, "", more)),
        [
            "7:21: the point 'deep' lies inside obstacle 'well', where no character can stand",
            "7:40: the point 'far' lies outside every area, where no character can stand",
        ]
    );
    let closed = two_halls(4.0, "", r#", "points": { "a": [6, 2] }"#)
        .replace("4]] }]", "4]], \"available\": false }]");
    assert_eq!(said_of(&closed), Vec::<String>::new(), "a closed area can be opened");
}

/// The band in which one can walk through the door is 0.15 m wide: no centre of a cell of 0.5 m lies in it.
#[test]
fn cells_too_coarse_for_a_door() {
    let door = r#"{ "name": "door", "polygon": [[4, 1.5], [4.3, 1.5], [4.3, 1.95], [4, 1.95]] },"#;
    let room = |cell: &str| {
        let room = two_halls(4.3, door, "")
            .replace("0.25, \"agentRadius\": 0.25", &format!("{cell}, \"agentRadius\": 0.2"));
        room.replace("\"boundaryPadding\": 0.2", "\"boundaryPadding\": 0.15")
    };
    let said = said_of(&room("0.5"));
    assert!(
        said.len() == 1
            && said[0].starts_with(
                "4:30: cells of 0.5 m are too coarse: no way leads through 'door' from 'hall' to 'den'"
            ),
        "{said:?}"
    );
    assert_eq!(said_of(&room("0.05")), Vec::<String>::new());
}

#[test]
fn hotspots_that_another_covers() {
    let hotspot = |name: &str, size: f64| {
        format!(r#"{{ "name": "{name}", "polygon": [[0, 0], [{size}, 0], [{size}, {size}], [0, {size}]] }}"#)
    };
    let room = |first: (&str, f64), second: (&str, f64)| {
        let more =
            format!(", \"hotspots\": [\n{},\n{}]", hotspot(first.0, first.1), hotspot(second.0, second.1));
        said_of(&two_halls(4.0, "", &more))
    };
    assert_eq!(
        room(("table", 3.0), ("cup", 1.0)),
        ["8:11: 'cup' cannot be pointed at: 'table' lies over all of it"]
    );
    assert_eq!(room(("cup", 1.0), ("table", 3.0)), Vec::<String>::new());
}

#[test]
fn hotspots_above_each_other_do_not_cover_each_other() {
    let room = |height: f64| {
        said_of(&format!(
            r#"{{"mesh": {{"polygons": [[[0,0,0], [8,0,0], [8,0,4], [0,0,4]], [[0,3,0], [4,3,0], [4,3,4], [0,3,4]]]}},
            "hotspots": [
              {{"name": "oven", "polygon": [[0,0], [3,0], [3,3], [0,3]], "walkTo": [2, 0, 2]}},
              {{"name": "window", "polygon": [[0,0], [3,0], [3,3], [0,3]], "walkTo": [2, {height}, 2]}}]}}"#
        ))
    };
    assert_eq!(room(3.0), Vec::<String>::new());
    let [covered] = &room(0.0)[..] else { panic!("{:?}", room(0.0)) };
    assert!(covered.contains("'window' cannot be pointed at: 'oven' lies over all of it"), "{covered}");
}

#[test]
fn scripts_in_the_wrong_place() {
    let guard = "local G = {}\nfunction G.on_talk(self, npc, other) end\nreturn G";
    let room = "local R = {}\nfunction R.on_load(room) end\nreturn R";
    let project = project(&[
        ("scripts/guard.lua", room),
        ("scripts/room.lua", guard),
        ("lost.lua", "return {}"),
        ("found.lua", "return {}"),
        ("scripts/user.lua", "return { found = require 'found' }"),
    ]);
    let said = words(&check(&project.path(""), &["."]));
    for expected in [
        "warning: 'guard' follows 'scripts/guard.lua', which is a room's script (at characters[0].script)",
        "warning: the room follows 'scripts/room.lua', which is a character's script (at script)",
        "--> lost.lua:1:1",
        "no room and no script names this file, and it is not in scripts/",
    ] {
        assert!(said.contains(expected), "{expected}\n{said}");
    }
    assert!(!said.contains("found.lua:"), "{said}");
}

/// Areas are joined to one ground, so a closed one on top of an open one is as open as before.
#[test]
fn a_closed_door_over_open_ground() {
    let door = |x: f64, to: f64| {
        format!(
            r#"{{ "name": "door", "polygon": [[{x}, 1], [{to}, 1], [{to}, 3], [{x}, 3]], "available": false }},"#
        )
    };
    let said = said_of(&two_halls(4.0, &door(2.0, 2.5), ""));
    assert_eq!(
        said,
        ["4:1: the closed area 'door' lies in the open area 'hall', so closing it changes nothing"]
    );
    let said = said_of(&two_halls(4.0, &door(3.8, 4.2), ""));
    assert_eq!(said, ["4:1: the closed area 'door' lies in open areas, so closing it changes nothing"]);
    assert_eq!(said_of(&two_halls(4.5, &door(4.0, 4.5), "")), Vec::<String>::new(), "a door in a wall");
    assert_eq!(said_of(&two_halls(4.5, &door(3.5, 4.5), "")), Vec::<String>::new(), "it overlaps the hall");
}

/// Ways are planned for `agentRadius` and the paddings. A body may be wider, and the ground narrower than a body.
#[test]
fn bodies_wider_than_their_way() {
    let gap = |width_m: f64| {
        let to = 1.0 + width_m;
        format!(r#"{{ "name": "gap", "polygon": [[4, 1], [4.5, 1], [4.5, {to}], [4, {to}]] }},"#)
    };
    let room = |width_m: f64, radius: &str| {
        let body = format!(
            r#", "characters": [{{ "name": "ann", "at": [1, 2] }}, {{ "name": "ogre", "at": [2, 2]{radius} }}]"#
        );
        two_halls(4.5, &gap(width_m), &body).replace("\"cellSize\": 0.25", "\"cellSize\": 0.05")
    };
    let said = said_of(&room(1.0, ", \"collisionRadius\": 0.7"));
    let told = "6:51: 'ogre' is 1.40 m wide, and a way that its body does not fit through leads it to the area 'den'";
    assert_eq!(said, [told]);
    assert_eq!(said_of(&room(1.0, "")), Vec::<String>::new());
    assert_eq!(said_of(&room(1.4, ", \"collisionRadius\": 0.7")), Vec::<String>::new());
    // Without padding at the edges, one walks through a gap of any width.
    let said = said_of(&room(0.1, "").replace("\"boundaryPadding\": 0.2", "\"boundaryPadding\": 0"));
    assert!(said.len() == 1 && said[0].contains("'ann' is 0.50 m wide"), "{said:?}");
}

/// The ground of all sizes of a body, and of none: cells bridge a gap between areas.
#[test]
fn bodies_that_fit_nowhere_and_gaps_that_are_none() {
    let cart = r#", "characters": [{ "name": "cart", "at": [2, 0.5], "collisionRadius": 0.9 }]"#;
    let room = two_halls(4.0, "", cart).replace("[4, 4], [0, 4]", "[4, 1], [0, 1]");
    let room = room.replace("[8, 4], [4, 4]", "[8, 1], [4, 1]").replace("[[4, 0]", "[[4.0, 0]");
    let room = room.replace("[4.0, 4]", "[4.0, 1]");
    assert_eq!(said_of(&room), ["6:18: 'cart' is 1.80 m wide, and the ground around it is narrower"]);
    let ann = r#", "characters": [{ "name": "ann", "at": [1, 1] }]"#;
    let bridged = two_halls(4.1, "", ann).replace("\"boundaryPadding\": 0.2", "\"boundaryPadding\": 0");
    assert!(!said_of(&bridged).iter().any(|line| line.contains("wide")), "{:?}", said_of(&bridged));
}

/// A padding at both edges is wider than the door.
#[test]
fn areas_in_which_nobody_can_stand_and_goals_out_of_reach() {
    let door = |width_m: f64| {
        let to = 1.0 + width_m;
        format!(r#"{{ "name": "door", "polygon": [[4, 1], [4.5, 1], [4.5, {to}], [4, {to}]] }},"#)
    };
    let goal = r#", "points": { "bed": [7, 2] }, "goals": ["bed"],
"characters": [{ "name": "ann", "at": [1, 2], "player": true }]"#;
    let fine = |room: String| room.replace("\"cellSize\": 0.25", "\"cellSize\": 0.1");
    let said =
        |width_m: f64, more: &str| said_of(&fine(two_halls(4.5, &door(width_m), &format!("{goal}{more}"))));
    assert_eq!(said(1.0, ""), Vec::<String>::new());
    let lost = "no way leads 'ann' to the goal 'bed', even with all doors and links open";
    let narrow = ["4:30: nobody can stand in the area 'door'".to_owned(), format!("6:46: {lost}")];
    assert_eq!(said(0.35, "").as_slice()[..1], narrow[..1]);
    assert!(said(0.35, "").last().unwrap().ends_with(lost), "{:?}", said(0.35, ""));
    // A link, or the piece of a waypath, leads there.
    let link = r#", "links": [{ "name": "hatch", "from": [3, 3], "to": [5, 3], "available": false }]"#;
    assert!(!said(0.35, link).iter().any(|line| line.contains("goal")), "{:?}", said(0.35, link));
    // An obstacle plugs it.
    let plug = r#", "obstacles": [{ "name": "box", "polygon": [[4, 1], [4.5, 1], [4.5, 2], [4, 2]] }]"#;
    let plugged = said(1.0, plug);
    assert!(plugged.iter().any(|line| line.ends_with("nobody can stand in the area 'door'")), "{plugged:?}");
    assert!(plugged.iter().any(|line| line.ends_with(lost)), "{plugged:?}");
}

#[test]
fn hotspots_whose_walk_to_is_off_the_ground() {
    let room = |walk_to: &str| {
        let more = format!(
            r#", "obstacles": [{{ "name": "counter", "polygon": [[1, 1], [3, 1], [3, 3], [1, 3]] }}], "points": {{ "bar": [2, 3.6] }},
"hotspots": [{{ "name": "bowl", "polygon": [[1.5, 1.5], [2, 1.5], [2, 2]], "walkTo": {walk_to} }}]"#
        );
        two_halls(4.0, "", &more)
    };
    assert_eq!(said_of(&room("[2, 3.6]")), Vec::<String>::new());
    assert_eq!(said_of(&room("\"bar\"")), Vec::<String>::new());
    let said = said_of(&room("[2, 2]"));
    let told = "the walkTo of hotspot 'bowl' lies inside obstacle 'counter', where no character can stand";
    assert!(said.len() == 1 && said[0].ends_with(told), "{said:?}");
}

#[test]
fn a_room_without_ground() {
    let all = r#", "obstacles": [{ "name": "rug", "polygon": [[0, 0], [8, 0], [8, 4], [0, 4]] }]"#;
    let told =
        "2:10: nobody can stand anywhere: the ground is narrower than a body, or an obstacle covers it";
    assert_eq!(said_of(&two_halls(4.0, "", all)), [told]);
}

/// White floor on a layer of transparent white, as some programs export it.
#[test]
fn a_mask_whose_transparent_pixels_walk() {
    let project = |floor: u32| {
        let pixels =
            (0..200).flat_map(|i| [255, 255, 255, if i < floor { 255 } else { 0 }]).collect::<Vec<u8>>();
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 20, 10);
        encoder.set_color(png::ColorType::Rgba);
        encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
        let project = Project::new(&[("rooms/r.json", r#"{"mask": "rooms/m.png", "pixelsPerMetre": 10}"#)]);
        std::fs::write(project.path("rooms/m.png"), bytes).unwrap();
        words(&check(&project.path(""), &["rooms"]))
    };
    let said = project(150);
    assert!(said.contains("50 transparent pixels are walkable, as alpha is ignored"), "{said}");
    assert!(project(200).contains("0 warnings"), "{}", project(200));
}

/// One error says what a file of another program is, instead of one for each of its keys.
#[test]
fn files_of_other_programs() {
    let files = [
        ("t.tmx", "<?xml version=\"1.0\"?>\n<map version=\"1.10\" tilewidth=\"16\"></map>", "a map of Tiled"),
        ("t.tmj", r#"{"type": "map", "tilewidth": 16, "layers": []}"#, "a map of Tiled"),
        (
            "w.ldtk",
            r#"{"__header__": {"app": "LDtk"}, "jsonVersion": "1.5.3", "levels": []}"#,
            "a world of LDtk",
        ),
        ("b.map", "// Format: Standard\n{\n\"classname\" \"worldspawn\"\n}", "a map of brushes"),
        ("s.tscn", "[gd_scene format=3]\n[node name=\"a\"]", "a scene or a resource of Godot"),
        ("m.obj", "v 0 0 0\nv 1 0 0\nv 1 0 1\nf 1 2 3\n", "a model as OBJ"),
        ("m.gltf", r#"{"asset": {"version": "2.0"}, "meshes": []}"#, "a model as glTF"),
        ("d.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "a drawing as SVG"),
        ("x.xml", "<house/>", "a file of XML"),
        ("d.wad", "PWAD\u{1}\0\0\0", "maps of Doom"),
        ("n.bin", "TESM\u{1}\0\0\0", "a navigation mesh of Detour"),
        ("q.bsp", "IBSP.\0\0\0", "a compiled map"),
        (
            "g.yy",
            "{\"$GMRoom\": \"v1\", \"resourceType\": \"GMRoom\", \"layers\": [],}",
            "a room of GameMaker",
        ),
        ("u.dd2vtt", r#"{"format": 0.3, "resolution": {}, "line_of_sight": []}"#, "a map as Universal VTT"),
        ("f.json", r#"{"walls": [], "tokens": [], "lights": []}"#, "a scene of Foundry"),
        ("a.json", r#"{"frames": {}, "meta": {"app": "https://www.aseprite.org/"}}"#, "a sheet of frames"),
        ("j.json", r#"{"metadata": {"type": "Object"}, "object": {}}"#, "a scene of three.js"),
    ];
    for (name, text, what) in files {
        let project = Project::new(&[(name, text)]);
        let said = words(&check(&project.path(""), &[name]));
        assert!(said.contains(&format!("this is {what}")), "{name}: {said}");
        assert!(said.contains("1 error,"), "{name}: {said}");
    }
    // The keys of Tiled are in alphabetical order, and so far apart.
    let layer = format!(r#"{{"layers": [{{"data": [{}1]}}], "tilewidth": 16}}"#, "1, ".repeat(9_000));
    let project = Project::new(&[("large.tmj", &layer)]);
    let said = words(&check(&project.path(""), &["large.tmj"]));
    assert!(said.contains("this is a map of Tiled"), "{said}");
    // A room with mistakes stays a room.
    let project =
        Project::new(&[("r.json", r#"{"name": "LDtk", "areas": [], "jsonVersion": 1, "levels": 3}"#)]);
    let said = words(&check(&project.path(""), &["r.json"]));
    assert!(said.contains("unknown key 'levels'"), "{said}");
}

/// A wall with a doorway of two metres, and a closed door that leaves a gap of it.
#[test]
fn doors_narrower_than_their_doorway() {
    let said = |gap_m: f64, ground: &str, more: &str| {
        let end = 4.0 - gap_m;
        let gap =
            format!(r#", {{ "name": "gap", "polygon": [[5, {end}], [5.4, {end}], [5.4, 4], [5, 4]] }}"#);
        let gap = if gap_m > 0.0 { &gap } else { "" };
        said_of(&format!(
            r#"{{ "cellSize": 0.1, "agentRadius": 0.1, "ground": "{ground}",
"areas": [
{{ "name": "west", "polygon": [[0, 0], [5, 0], [5, 6], [0, 6]] }},
{{ "name": "east", "polygon": [[5.4, 0], [10, 0], [10, 6], [5.4, 6]] }},
{{ "name": "door", "polygon": [[5, 2], [5.4, 2], [5.4, {end}], [5, {end}]], "available": false }}{gap}{more}] }}"#
        ))
    };
    for ground in ["grid", "mesh"] {
        for gap_m in [0.3, 0.5, 0.7] {
            let said = said(gap_m, ground, "");
            let told = "5:30: the closed door 'door' is narrower than its doorway: a gap near (";
            assert!(said.len() == 1 && said[0].starts_with(told), "{ground} {gap_m}: {said:?}");
        }
        // A way of its own, and none at all.
        for gap_m in [1.2, 0.0] {
            let said = said(gap_m, ground, "");
            assert!(!said.iter().any(|line| line.contains("narrower")), "{ground} {gap_m}: {said:?}");
        }
        // Another door beside it, which is open.
        let other = r#", { "name": "other", "polygon": [[5, 0.2], [5.4, 0.2], [5.4, 1], [5, 1]] }"#;
        let said = said(0.0, ground, other);
        assert!(!said.iter().any(|line| line.contains("narrower")), "{ground}: {said:?}");
    }
}

/// What is said of a painted room of a mask and a background, pixels of one colour.
fn said_of_painted(mask: &str, background: (u32, u32), more: &str) -> Vec<String> {
    let room =
        format!(r#"{{"mask": "rooms/m.png", "pixelsPerMetre": 10, "background": "rooms/b.png"{more}}}"#);
    let project = Project::new(&[("rooms/r.json", &room)]);
    std::fs::write(project.path("rooms/m.png"), png_from(mask)).unwrap();
    std::fs::write(project.path("rooms/b.png"), png_of(background.0, background.1, |_, _| [9, 9, 9]))
        .unwrap();
    let output = check(&project.path(""), &["rooms", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    report["problems"].as_array().unwrap().iter().map(|p| p["message"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn backgrounds_of_another_shape() {
    let mask = "..........\n..........\n..........\n..........\n..........";
    for (size, is_told) in
        [((10, 5), false), ((401, 200), false), ((1000, 500), false), ((400, 300), true), ((5, 10), true)]
    {
        let said = said_of_painted(mask, size, "");
        let told = said.iter().filter(|line| line.contains("the picture is stretched over it")).count();
        assert_eq!(told, usize::from(is_told), "{size:?}: {said:?}");
    }
}

#[test]
fn ways_that_fall_between_the_nodes() {
    let hall = ".......#########.......\n";
    let mask = [hall, hall, ".......................\n", hall, hall].concat();
    let said = said_of_painted(&mask, (23, 5), "");
    // The first line is about its pixels.
    assert!(said.len() == 2 && said[1].contains("a painted way falls between the nodes at (1."), "{said:?}");
    assert!(said[1].ends_with("no other way leads from one end to the other"), "{said:?}");
    assert_eq!(said_of_painted(&mask, (23, 5), ", \"sampleRate\": 2"), Vec::<String>::new());
}

#[test]
fn ladders_that_face_away_from_their_wall() {
    let said = |facing: &str| {
        said_of(&format!(
            r#"{{ "tactics": {{ "brushes": [
{{ "box": [[-64, -64, 0], [64, 64, 8]] }},
{{ "box": [[0, -64, 8], [32, 64, 136]] }},
{{ "name": "rungs", "box": [[-4, 8, 8], [0, 24, 136]], "ladder": "{facing}" }}] }} }}"#
        ))
    };
    assert_eq!(said("east"), Vec::<String>::new());
    assert_eq!(said("west"), ["4:65: the ladder 'rungs' faces west, but it leans on what is east of it"]);
}

/// A level of two halls with a doorway, with and without the leaf of its door, and a room of a pillar: walls and leaves of
/// several sizes, turned and not.
#[test]
fn doors_whose_leaf_is_in_the_level() {
    let said = |boxes: &[(&str, [[f64; 3]; 2])], door: [f64; 4], available: bool| {
        let [x0, z0, x1, z1] = door;
        let room = format!(
            r#"{{ "geometry": "rooms/l.obj", "agentRadius": 0.3, "areas": [
{{ "name": "door", "available": {available}, "polygon": [[{x0}, {z0}], [{x1}, {z0}], [{x1}, {z1}], [{x0}, {z1}]] }}] }}"#
        );
        let in_units =
            boxes.iter().map(|(name, ends)| (*name, ends.map(|end| end.map(|metres| 32.0 * metres))));
        let level = obj(&in_units.collect::<Vec<_>>());
        let project = Project::new(&[("rooms/r.json", &room), ("rooms/l.obj", &level)]);
        let output = check(&project.path(""), &["rooms", "--format", "json"]);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let problems = report["problems"].as_array().unwrap().iter();
        problems.map(|p| p["message"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let turned = |turn: bool, [[x0, z0, y0], [x1, z1, y1]]: [[f64; 3]; 2]| match turn {
        true => [[z0, x0, y0], [z1, x1, y1]],
        false => [[x0, z0, y0], [x1, z1, y1]],
    };
    for (wide_m, turn, available, half_m) in
        [(1.6, false, true, 1.0), (2.0, true, false, 0.6), (3.0, false, false, 0.8)]
    {
        let (low, high) = (3.0 - wide_m / 2.0, 3.0 + wide_m / 2.0);
        let walls = [
            ("floor", turned(turn, [[0.0, 0.0, -0.25], [10.0, 6.0, 0.0]])),
            ("one", turned(turn, [[4.9, 0.0, 0.0], [5.1, low, 2.5]])),
            ("other", turned(turn, [[4.9, high, 0.0], [5.1, 6.0, 2.5]])),
        ];
        let leaf = ("leaf", turned(turn, [[4.95, low, 0.0], [5.05, high, 2.0]]));
        let (near, far) = (5.0 - half_m, 5.0 + half_m);
        let door = if turn { [low, near, high, far] } else { [near, low, far, high] };
        assert_eq!(said(&walls, door, available), Vec::<String>::new(), "{wide_m}");
        let told = said(&[&walls[..], &[leaf]].concat(), door, available);
        let wanted = "no way leads through the area 'door', open or closed: the ground is parted there";
        assert_eq!(told, [wanted], "{wide_m}");
        // Something that one walks round is no leaf.
        let post = ("post", turned(turn, [[4.9, 2.9, 0.0], [5.1, 3.1, 2.0]]));
        if wide_m > 2.5 {
            assert_eq!(said(&[&walls[..], &[post]].concat(), door, available), Vec::<String>::new());
        }
    }
}

/// Masks of a palette, whose floor is told by the highest bit of blue.
#[test]
fn a_second_colour_that_walks() {
    let said = |other: [u8; 3], pixels: u32, more: &str| {
        let room = format!(r#"{{"mask": "rooms/m.png", "pixelsPerMetre": 10{more}}}"#);
        let project = Project::new(&[("rooms/r.json", &room)]);
        let palette = [[0, 0, 0], [136, 136, 255], other].concat();
        let indices: Vec<u8> =
            (0..4000).map(|i| if i < 400 { 0 } else { 1 + u8::from(i < 400 + pixels) }).collect();
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 80, 50);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_palette(palette);
        encoder.write_header().unwrap().write_image_data(&indices).unwrap();
        std::fs::write(project.path("rooms/m.png"), bytes).unwrap();
        words(&check(&project.path(""), &["rooms"]))
    };
    // A carpet of sky blue walks, one of dark blue does not.
    let told = said([64, 160, 224], 300, "");
    let wanted = "rooms/m.png: beside #8888ff (3300 pixels), #40a0e0 (300 pixels, the first at (0, 5)) is walkable, too";
    assert!(told.contains(wanted) && told.contains("\"walkable\": \"#8888ff\""), "{told}");
    assert!(said([64, 160, 100], 300, "").contains(" 0 warnings"));
    // Meant: as a colour of the floor, as that of an area, as that of a hotspot; or too rare to be painted.
    let chosen = ", \"walkable\": [\"#8888ff\", \"#40a0e0\"]";
    let area = ", \"areas\": [{\"name\": \"pool\", \"paint\": \"#40a0e0\"}]";
    let hotspot = ", \"hotspots\": [{\"name\": \"rug\", \"paint\": \"#40a0e0\"}]";
    for more in [chosen, area, hotspot] {
        let told = said([64, 160, 224], 300, more);
        assert!(told.contains(" 0 warnings"), "{more}: {told}");
    }
    assert!(said([64, 160, 224], 2, "").contains(" 0 warnings"));
}
