//! Valid, unusual and invalid grids.

use proptest::prelude::*;

use crate::room::{GridCells, GroundSettings, PlannerKind, Room, parse, parse_with};
use glam::DVec2;

/// A grid with every key.
const SAMPLE: &str = "cellSize 0.4\nagentRadius 0.45\nobjectPadding 0.25\nboundaryPadding 0.0\nfloorY 0.0\n\
    minX -5.0\nminZ -5.0\ngridWidth 4\ngridDepth 3\n1111\n1001\n0111\n";

fn good(name: &str, text: &str) -> Room {
    match parse(name, text.as_bytes()) {
        Ok(parsed) => parsed.room,
        Err(report) => panic!("refused:\n{report}\n{text}"),
    }
}

#[test]
fn the_sample_is_read_and_written() {
    let room = good("rooms/yard.txt", SAMPLE);
    assert_eq!(room.name, "yard");
    assert_eq!(room.ground, GroundSettings::default());
    assert_eq!(room.bounds(), (DVec2::splat(-5.0), DVec2::new(-3.4, -3.8)));
    let grid = room.grid.as_ref().unwrap();
    assert_eq!((grid.width(), grid.depth(), grid.walkable_extent()), (4, 3, Some((0..4, 0..3))));
    let walkable: Vec<bool> = (0..4).map(|x| grid.is_walkable(x, 1)).collect();
    assert_eq!(walkable, [true, false, false, true]);
    assert!(!grid.is_walkable(0, 2) && !grid.is_walkable(4, 0) && !grid.is_walkable(0, 3));
    assert_eq!(room.to_text_grid().as_deref(), Some(SAMPLE));
    assert_eq!(room.to_json(), None, "nobody loses the cells");
}

#[test]
fn a_grid_may_have_paths_of_any_angle() {
    let with = |planner: &str| SAMPLE.replace("gridDepth 3\n", &format!("gridDepth 3\nplanner {planner}\n"));
    let room = good("r.txt", &with("any-angle"));
    assert_eq!(room.ground.planner, PlannerKind::AnyAngle);
    assert_eq!(room.to_text_grid(), Some(with("any-angle")));
    assert_eq!(good("r.txt", &with("grid")).to_text_grid().as_deref(), Some(SAMPLE), "as without the key");
    let refused = parse("r.txt", with("any_angle").as_bytes()).unwrap_err().to_string();
    assert!(refused.contains("r.txt:10:9") && refused.contains("did you mean 'any-angle'?"), "{refused}");
}

#[test]
fn odd_but_valid() {
    let plain = good("r.txt", SAMPLE);
    for odd in [
        format!("\u{feff}{SAMPLE}"),
        SAMPLE.replace('\n', "\r\n"),
        SAMPLE.replace('\n', "  \t\n"),
        format!("\n{SAMPLE}\n \n\r\n"),
        SAMPLE.trim_end().to_owned(),
        SAMPLE.replace(" 0.0", " -0"),
        SAMPLE.replace("-5.0", "-0.5e1").replace("gridWidth 4", "gridWidth\t 4.0"),
        SAMPLE
            .replace("cellSize 0.4\n", "")
            .replace("floorY 0.0\n", "")
            .replace("gridDepth 3\n", "gridDepth 3\ncellSize 0.4\n"),
        SAMPLE.lines().skip(5).map(|line| format!("{line}\n")).collect(),
    ] {
        assert_eq!(good("r.txt", &odd), plain, "{odd}");
    }
}

#[test]
fn a_map_is_read() {
    let text = "type octile\nheight 2\nwidth 4\nmap\n.GS@\nOTW.\n";
    let room = good("maps/a.MAP", text);
    let grid = room.grid.as_ref().unwrap();
    let row = |z| (0..4).map(|x| if grid.is_walkable(x, z) { '.' } else { '#' }).collect::<String>();
    assert_eq!((row(0), row(1)), ("...#".into(), "###.".into()));
    assert_eq!((room.name.as_str(), room.bounds()), ("a", (DVec2::ZERO, DVec2::new(4.0, 2.0))));
    let scaled = parse_with("a.map", text.replace('\n', "\r\n").as_bytes(), Some(0.5), &|_| Err("".into()))
        .unwrap()
        .room;
    assert_eq!((scaled.ground.cell_size_m, scaled.bounds().1), (0.5, DVec2::new(2.0, 1.0)));
    for (name, size) in
        [("a.map", 0.0), ("a.map", f64::NAN), ("a.map", 1001.0), ("a.txt", 1.0), ("a.json", 1.0)]
    {
        assert!(parse_with(name, text.as_bytes(), Some(size), &|_| Err("".into())).is_err(), "{name} {size}");
    }
}

#[test]
fn a_header_that_every_row_contradicts_is_one_problem() {
    let rows = "1\n".repeat(5_000);
    let text = format!("minX 0\nminZ 0\ngridWidth 3\ngridDepth 5000\n{rows}");
    let report = parse("r.txt", text.as_bytes()).unwrap_err();
    assert_eq!(
        report.to_string(),
        "r.txt:3:11: gridWidth is 3, but every row has 1 cell; write gridWidth 1?"
    );
    let report = parse("r.txt", text.replacen("\n1\n", "\n11\n", 1).as_bytes()).unwrap_err();
    assert_eq!(report.problems.len(), 1000);
    assert!(report.problems[999].note.is_some());
}

/// Numbers of all magnitudes in a range, round ones and 0 and −0 among them.
fn any_number(from: f64, to: f64) -> impl Strategy<Value = f64> {
    let odd = prop::sample::select(vec![
        0.1 + 0.2,
        1e-7,
        1.0 / 3.0,
        123_456.789,
        1e5,
        5e-324,
        -0.0,
        0.0,
        -1e-300,
        2.5,
    ]);
    prop_oneof![from..to, (0.0..1.0).prop_map(|v: f64| v * 1e-9), odd].prop_map(move |v| v.clamp(from, to))
}

fn any_grid() -> impl Strategy<Value = (GroundSettings, GridCells)> {
    let lengths = [(); 4].map(|()| any_number(0.0, 1000.0));
    let corner = (any_number(-1e6, 1e6), any_number(-1e6, 1e6));
    let size = (1u32..200, 1u32..12);
    (lengths, any_number(-1e6, 1e6), corner, size, any::<u64>()).prop_map(
        |([cell, radius, padding, boundary], floor_y_m, (x, z), (width, depth), seed)| {
            let ground = GroundSettings {
                cell_size_m: cell.clamp(f64::MIN_POSITIVE, 20.0),
                agent_radius_m: radius.max(1e-9),
                object_padding_m: padding,
                boundary_padding_m: boundary,
                floor_y_m,
                ..GroundSettings::default()
            };
            let cell = |x: u32, z: u32| {
                let mixed = (u64::from(x) << 32 | u64::from(z))
                    .wrapping_add(seed)
                    .wrapping_mul(0x9e37_79b9_7f4a_7c15);
                (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 63 == 1
            };
            (ground, GridCells::new(DVec2::new(x, z), width, depth, cell))
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn saving_what_was_loaded_gives_the_same_bytes((ground, cells) in any_grid()) {
        let saved = cells.to_text(&ground);
        let room = good("r.txt", &saved);
        prop_assert_eq!(room.to_text_grid(), Some(saved));
        let normal = |v: f64| (v + 0.0).to_bits();
        let read = room.ground;
        for (a, b) in [
            (read.cell_size_m, ground.cell_size_m),
            (read.agent_radius_m, ground.agent_radius_m),
            (read.object_padding_m, ground.object_padding_m),
            (read.boundary_padding_m, ground.boundary_padding_m),
            (read.floor_y_m, ground.floor_y_m),
            (room.grid.as_ref().unwrap().min.x, cells.min.x),
            (room.grid.as_ref().unwrap().min.y, cells.min.y),
        ] {
            prop_assert_eq!(a.to_bits(), normal(b));
        }
        prop_assert_eq!(room.grid.as_deref(), Some(&cells));
    }

    #[test]
    fn whatever_the_bytes_it_does_not_fall(bytes in prop::collection::vec(any::<u8>(), 0..200), text in "[a-zA-Z01 .\\-\n]{0,120}", at in any::<prop::sample::Index>()) {
        for name in ["r.txt", "r.map"] {
            let _ = parse(name, &bytes);
            let _ = parse(name, text.as_bytes());
            let _ = parse(name, SAMPLE.replacen(&SAMPLE[at.index(SAMPLE.len())..][..1], &text, 1).as_bytes());
        }
    }
}
