//! Tests of pictures.

use super::*;
use crate::nav::{Position, Query};
use crate::plan::find_path;
use crate::room;
use crate::surface::SearchMemory;
use crate::world::Command;

mod levels;
mod meshes;
mod painted;
mod sectors;

fn room(json: &str) -> Room {
    room::parse("test.json", json.as_bytes()).unwrap_or_else(|report| panic!("{report}")).room
}

/// A room of 4 × 2 m with a table, a closed cupboard to its right, and two characters.
fn kitchen() -> Room {
    room(
        r#"{
        "name": "kitchen", "cellSize": 0.25, "agentRadius": 0.25, "objectPadding": 0,
        "areas": [
            { "name": "floor", "polygon": [[0, 0], [4, 0], [4, 2], [0, 2]] },
            { "name": "cupboard", "available": false, "polygon": [[4, 0], [5, 0], [5, 1], [4, 1]] }
        ],
        "obstacles": [{ "name": "table", "polygon": [[1.5, 0.5], [2.5, 0.5], [2.5, 1.5], [1.5, 1.5]] }],
        "points": { "sink": [3.6, 1.8] },
        "characters": [
            { "name": "Ada", "at": [0.4, 1.8], "player": true },
            { "name": "<img onerror=\"alert(1)\">", "at": [3.1, 0.2] }
        ]
    }"#,
    )
}

fn query(room: &Room, from: (f64, f64), to: (f64, f64)) -> Picture {
    let ground = Surface::new(room).unwrap();
    let (from, to) = (DVec2::from(from), DVec2::from(to));
    let query = Query::new(from, to).with_snap_m(8.0);
    let path = find_path(&ground, query, &mut SearchMemory::default());
    Picture::of_room(room, &ground).with_cells(&ground).with_path(from, to, &path)
}

#[track_caller]
fn check(actual: &str, expected: &str) {
    let lines: Vec<&str> = expected.lines().skip(1).collect();
    let indent = lines.iter().filter(|l| !l.trim().is_empty()).map(|l| l.len() - l.trim_start().len()).min();
    let expected: Vec<&str> = lines.iter().map(|l| l.get(indent.unwrap_or(0)..).unwrap_or("")).collect();
    let (actual, expected) = (actual.trim_end(), expected.join("\n"));
    assert_eq!(actual, expected.trim_end(), "\n--- drawn ---\n{actual}\n");
}

#[test]
fn a_path_as_text() {
    check(
        &query(&kitchen(), (0.3, 0.9), (3.9, 1.1)).to_text(80),
        r#"
        . . . . * * * * * * * * I . . . ~ ~ ~ ~
        . . . * * # # # # # # . * * . . ~ ~ ~ ~
        . . * * . # # # # # # . . * * . ~ ~ ~ ~
        . S * . . # # # # # # . . . * * ~ ~ ~ ~
        . . . . . # # # # # # . . . . G
        . . . . . # # # # # # . . . . .
        . . . . . # # # # # # . . . . .
        . @ . . . . . . . . . . . . s .

        s sink   @ Ada (player)   I <img onerror="alert(1)">   S start   G goal
        ~ cupboard (closed)   * way   # blocked   one square is 0.25 m
        "#,
    );
}

#[test]
fn a_goal_behind_a_closed_door_is_not_reached() {
    check(
        &query(&kitchen(), (0.3, 0.9), (4.6, 0.4)).to_text(24),
        r#"
        ....********I*..~~~~
        ...**######..***~~G~
        ..**.######.....~~~~
        .S*..######.....~~~~
        .....######.....
        .....######.....
        .....######.....
        .@............s.

        s sink   @ Ada (player)
        I <img onerror="alert(1)">   S start
        G goal (not reached)   ~ cupboard (closed)
        * way   # blocked   one square is 0.25 m
        "#,
    );
}

#[test]
fn a_large_room_is_drawn_smaller() {
    let long = room(
        r#"{ "name": "street", "areas": [{ "name": "street", "polygon": [[0, 0], [120, 0], [120, 9], [0, 9]] }],
            "obstacles": [{ "name": "house", "polygon": [[30, 2], [80, 2], [80, 6], [30, 6]] }] }"#,
    );
    check(
        &query(&long, (1.0, 4.0), (115.0, 4.0)).to_text(50),
        "
        ......***********************************.........
        S******.....######################......*******G..
        ............#####################.................
        ..................................................

        S start   G goal   * way   # blocked
        one square is 2.4 m
        ",
    );
}

/// A map has a limit, however far off a thing is.
#[test]
fn no_map_is_longer_than_anybody_scrolls() {
    let mut room = kitchen();
    room.points.insert("star".into(), DVec2::new(1.0, 1e6).into());
    let picture = Picture::of_room(&room, &Surface::new(&room).unwrap());
    let long = room::parse(
        "long.txt",
        format!("minX 0\nminZ 0\ngridWidth 1\ngridDepth 9000\n{}", "1\n".repeat(9000)).as_bytes(),
    );
    let ground = Surface::new(&long.unwrap().room).unwrap();
    for picture in [picture, Picture::default().with_cells(&ground)] {
        let rows = picture.to_text(60).lines().count();
        assert!((2000..4020).contains(&rows), "{rows}");
    }
}

#[test]
fn without_cells_the_polygons_speak() {
    let room = kitchen();
    let ground = Surface::new(&room).unwrap();
    let text = Picture::of_room(&room, &ground).to_text(80);
    let table = text.lines().nth(3).unwrap();
    assert_eq!(table, ". . . . . . # # # # . . . . . . ~ ~ ~ ~");
}

#[test]
fn letters_for_many_people_run_out_gracefully() {
    let mut picture = Picture { title: "crowd".into(), ..Picture::default() };
    for index in 0..50 {
        picture.add(Shape::Character(Figure {
            name: format!("Guest {index}"),
            at: DVec2::new(f64::from(index), 0.0),
            heading_rad: 0.0,
            radius_m: 0.4,
            player: false,
            active: true,
            walking: false,
            speech: None,
            tint: Tint::Number(0),
            fault: None,
            note: None,
        }));
    }
    let text = picture.to_text(120);
    assert!(text.contains("? 14 more"), "{text}");
}

#[test]
fn an_svg_is_well_formed_whatever_the_names() {
    let room = kitchen();
    let svg = query(&room, (0.3, 0.9), (4.6, 0.4)).to_svg(&SvgOptions::default());
    well_formed(&svg);
    assert!(!svg.contains("<img"), "a name became an element");
    assert!(svg.contains("&lt;img onerror=&quot;alert(1)&quot;&gt;"));
    for number in ["NaN", "inf", "Infinity"] {
        assert!(!svg.contains(number), "{number} in the picture");
    }
}

#[test]
fn the_legend_explains_what_occurs_and_nothing_else() {
    let room = kitchen();
    let ground = Surface::new(&room).unwrap();
    let svg = Picture::of_room(&room, &ground).to_svg(&SvgOptions::default());
    for words in [">closed area<", ">obstacle<", ">place<", ">player<", ">character<", ">cupboard · closed<"]
    {
        assert!(svg.contains(words), "no {words}");
    }
    for words in [">path<", ">way ahead<", ">out of reach<", ">blocked cells<"] {
        assert!(!svg.contains(words), "{words} although there is none");
    }
}

#[test]
fn rooms_of_all_sizes_fit_a_sheet() {
    for (width, depth) in [(0.5, 0.5), (2.0, 1.0), (10.0, 8.0), (200.0, 10.0), (10.0, 200.0), (900.0, 900.0)]
    {
        let polygon =
            vec![DVec2::ZERO, DVec2::new(width, 0.0), DVec2::new(width, depth), DVec2::new(0.0, depth)];
        let mut picture = Picture { title: "hall".into(), ..Picture::default() };
        picture.add(Shape::Area { name: "hall".into(), polygon, open: true, painted: false });
        let svg = picture.to_svg(&SvgOptions::default());
        well_formed(&svg);
        let attribute = |name: &str| -> f64 {
            let from = svg.find(name).unwrap() + name.len();
            svg[from..].split('"').next().unwrap().parse().unwrap()
        };
        let (w, h) = (attribute(" width=\""), attribute(" height=\""));
        assert!(
            (300.0..=1800.0).contains(&w) && (100.0..=1800.0).contains(&h),
            "{width} m × {depth} m: {w} × {h}"
        );
    }
}

#[test]
fn nothing_at_all_is_a_picture_too() {
    let nothing = Picture::default();
    well_formed(&nothing.to_svg(&SvgOptions::default()));
    nothing.to_text(80);
    let mut canvas = Canvas::new(20, 8, Rgb(0, 0, 0));
    let cells = CellBox { column: 0, row: 0, width: 20, height: 8 };
    nothing.paint(&mut canvas, cells, false);
    nothing.paint(&mut canvas, CellBox { width: 0, height: 0, ..cells }, false);
}

#[test]
fn a_living_room_on_a_canvas() {
    let mut world = World::new(kitchen(), 1).unwrap();
    let ada = world.character_named("Ada").unwrap().id;
    world.apply(Command::SetTarget { who: ada, to: DVec2::new(3.4, 1.8).into() }).unwrap();
    world.apply(Command::Say { who: ada, text: "S\u{1b}".into(), seconds: 9.0 }).unwrap();
    for _ in 0..25 {
        world.tick();
    }
    let mut canvas = Canvas::new(44, 10, Rgb(0, 0, 0));
    let cells = CellBox { column: 0, row: 0, width: 44, height: 10 };
    Picture::of_world(&world).paint(&mut canvas, cells, false);
    check(
        &canvas.to_plain(),
        r#"
                                           ~~~~~~~~
        <img onerror="alert(1)">...I.......~~~~~~~~
         ................................. cupboard
         .............########.............~~~~~~~~
         .............########.............~~~~~~~~
         .....@:"S�".. table #.............
         .............########.............
         ............. floor ..............
         .......@** Ada ********* sink.+...
        "#,
    );
}

#[test]
fn a_picture_of_a_world_shows_doors_as_they_are() {
    let mut world = World::new(kitchen(), 1).unwrap();
    world.apply(Command::SetAreaAvailable { area: "cupboard".into(), available: true }).unwrap();
    let open = Picture::of_world(&world).areas().all(|(_, _, open)| open);
    assert!(open);
}

/// Checks that elements nest and close, attributes are quoted, and text has no stray markup.
#[track_caller]
fn well_formed(xml: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = xml;
    let mut roots = 0;
    while let Some(at) = rest.find('<') {
        let text = &rest[..at];
        assert!(!text.contains('>') || open.last() == Some(&"style"), "stray > in {text:?}");
        entities(text);
        let end = rest[at..].find('>').map(|end| at + end).expect("a tag that ends");
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "closed in the wrong order");
            continue;
        }
        let closed = tag.ends_with('/');
        let tag = tag.trim_end_matches('/');
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        assert!(name.chars().all(|c| c.is_ascii_alphanumeric()), "element {name:?}");
        let parts: Vec<&str> = attributes.split('"').collect();
        assert!(
            parts.len() % 2 == 1 && parts.last().is_some_and(|last| last.trim().is_empty()),
            "{attributes}"
        );
        for pair in parts.chunks_exact(2) {
            assert!(pair[0].trim().ends_with('='), "attribute {:?}", pair[0]);
            entities(pair[1]);
        }
        roots += usize::from(open.is_empty());
        if !closed {
            open.push(name);
        }
    }
    assert!(open.is_empty() && roots == 1 && rest.trim().is_empty(), "left open: {open:?}");
    assert!(xml.chars().all(|c| c == '\n' || !c.is_control()), "control characters");
}

fn entities(text: &str) {
    for after in text.split('&').skip(1) {
        let name = after.split(';').next().unwrap_or("");
        assert!(["amp", "lt", "gt", "quot", "#39"].contains(&name), "entity {name:?}");
    }
}

/// A ring of ground around a block, in a grid with a margin.
fn ring() -> Room {
    let text = "cellSize 0.5\nminX 0\nminZ 0\ngridWidth 7\ngridDepth 5\n0000000\n0111110\n0100010\n0111110\n0000000\n";
    room::parse("ring.txt", text.as_bytes()).unwrap_or_else(|report| panic!("{report}")).room
}
