//! Pictures of rooms made of cells, and of how paths over them came about.

use super::*;

#[test]
fn a_room_made_of_a_grid_as_text() {
    let room = ring();
    let ground = Surface::new(&room).unwrap();
    let picture = Picture::of_room(&room, &ground);
    assert_eq!(picture.bounds(), (DVec2::splat(0.5), DVec2::new(3.0, 2.0)), "the margin is of no interest");
    let disc = crate::nav::Disc { centre: Position::on_ground(DVec2::new(2.75, 0.75)), radius_m: 0.1 };
    let expected = r#"
        . . . . %
        . # # # .
        . . . . .

        % in the way   # blocked   one square is 0.5 m
        "#;
    check(&picture.clone().with_discs(&[disc]).to_text(80), expected);
    check(&picture.with_cells(&ground).with_discs(&[disc]).to_text(80), expected);
}

#[test]
fn a_room_made_of_a_grid_as_one_outline() {
    let room = ring();
    let ground = Surface::new(&room).unwrap();
    let svg = Picture::of_room(&room, &ground).to_svg(&SvgOptions::default());
    assert!(svg.contains(r#"d="m6,1v3h-5v-3zm-1,2v-1h-3v1z""#), "{svg}");
    let chessboard = room::GridCells::new(DVec2::ZERO, 512, 512, |x, z| (x + z) % 2 == 0);
    let room = Room::of_grid("worst", room.ground, chessboard);
    let svg = Picture::of_room(&room, &Surface::new(&room).unwrap()).to_svg(&SvgOptions::default());
    assert!(svg.len() < 3 << 20, "the worst map of 512 × 512 cells takes {} bytes", svg.len());
}

#[test]
fn a_room_made_of_a_grid_in_half_blocks() {
    let room = ring();
    let picture = Picture::of_room(&room, &Surface::new(&room).unwrap());
    let mut canvas = Canvas::new(27, 9, Rgb::hex(0));
    let cells = CellBox { column: 0, row: 0, width: 27, height: 9 };
    picture.paint(&mut canvas, cells, false);
    check(
        &canvas.to_plain().trim_start().replace("\n ", "\n"),
        r#"
        .........................
        .........................
        .........................
        .....               .....
        .....               .....
        .........................
        .........................
        .........................
        "#,
    );
}

/// A painted room from text, a pixel a metre: `#` is not ground.
fn painted(rows: &[&str], more: &str) -> Room {
    let mut png = Vec::new();
    let mut encoder = png::Encoder::new(&mut png, rows[0].len() as u32, rows.len() as u32);
    encoder.set_color(png::ColorType::Rgb);
    let blue = |mark: u8| if mark == b'#' { [0, 0, 0] } else { [0, 0, 255] };
    let pixels: Vec<u8> = rows.iter().flat_map(|row| row.bytes().flat_map(blue)).collect();
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    let text = format!(
        r#"{{"name": "painted", "mask": "rooms/m.png", "pixelsPerMetre": 1, "agentRadius": 0.3{more}}}"#
    );
    let parsed = room::parse_with("rooms/painted.json", text.as_bytes(), None, &|_| Ok(png.clone()));
    parsed.unwrap_or_else(|report| panic!("{report}")).room
}

/// Two halls without a door, and a nook that no node sees.
const HALLS: [&str; 8] = [
    "........#.#.........",
    "..........#.........",
    "..........#.........",
    "..........#.........",
    "..........#.........",
    "#########.#.........",
    ".........#..........",
    "####################",
];

#[test]
fn the_graph_of_a_painted_room_tells_what_it_is_made_of() {
    let ada = r#", "sampleRate": 4, "characters": [{"name": "ada", "at": [1.5, 1.5], "player": true}]"#;
    for (more, from) in
        [(ada, "cut off from the player"), (r#", "sampleRate": 4"#, "cut off from the largest part")]
    {
        let room = painted(&HALLS, more);
        let ground = Surface::new(&room).unwrap();
        let picture = Picture::of_room(&room, &ground).with_search(&ground);
        let svg = picture.to_svg(&SvgOptions::default());
        well_formed(&svg);
        for words in ["node and edges", "rejected sample", from, "walkable, sees no node"] {
            assert!(svg.contains(&format!(">{words}<")), "no {words}: {svg}");
        }
    }
    let room = painted(&HALLS, ada);
    let ground = Surface::new(&room).unwrap();
    let picture = Picture::of_room(&room, &ground).with_search(&ground);
    let graph = picture.graph().unwrap();
    let drawn: Vec<String> = (0..2)
        .map(|row| {
            let of_row = graph.samples.iter().filter(|([_, z], _)| *z == row * 4);
            of_row
                .map(|(_, sample)| match sample {
                    Sample::Node => 'o',
                    Sample::CutOff => 'x',
                    Sample::Rejected => '-',
                })
                .collect()
        })
        .collect();
    assert_eq!(drawn, ["oo-xx", "oooxx"]);
    assert_eq!(
        graph.unseen,
        [(5, 9..10), (6, 0..9)],
        "the nook under the first hall, and the pixel at its corner"
    );
    let cut: Vec<_> = graph.edges.iter().map(|(from, to, cut)| (*from, *to, *cut)).collect();
    assert!(cut.contains(&([0, 0], [4, 0], false)) && cut.contains(&([12, 0], [16, 0], true)), "{cut:?}");
}

#[test]
fn cells_that_are_cut_off_are_told_apart() {
    let text = "cellSize 1\nminX 0\nminZ 0\ngridWidth 5\ngridDepth 3\n11011\n11011\n11000\n";
    let room = room::parse("island.txt", text.as_bytes()).unwrap_or_else(|report| panic!("{report}")).room;
    let ground = Surface::new(&room).unwrap();
    let picture = Picture::of_room(&room, &ground);
    let plain = picture.clone().with_cells(&ground).to_svg(&SvgOptions::default());
    let svg = picture.with_search(&ground).to_svg(&SvgOptions::default());
    well_formed(&svg);
    assert!(svg.contains(">cut off from the largest part<") && !plain.contains("cut off"), "{svg}");
    assert!(svg.contains(r#"d="m3,0h2v1h-2zm0,1h2v1h-2z"/>"#), "{svg}");
}

#[test]
fn the_raw_path_and_what_shortening_tried() {
    let room = kitchen();
    let ground = Surface::new(&room).unwrap();
    let (from, to) = (DVec2::new(0.3, 0.9), DVec2::new(3.9, 1.1));
    let query = Query::new(from, to).with_snap_m(8.0);
    let (path, raw) = crate::plan::find_path_traced(&ground, query.clone(), &mut SearchMemory::default());
    assert_eq!(path, find_path(&ground, query, &mut SearchMemory::default()), "asking how changes nothing");
    assert_eq!((raw.points.first(), raw.points.last()), (Some(&from), Some(&to)));
    let taken: Vec<DVec2> =
        raw.tries.iter().filter(|attempt| attempt.clear).map(|attempt| attempt.to).collect();
    assert_eq!(taken, path.points(), "string pulling takes one line for each leg");
    assert!(raw.tries.iter().all(|attempt| attempt.clear == ground.segment_clear(attempt.from, attempt.to)));
    let picture =
        Picture::of_room(&room, &ground).with_cells(&ground).with_path(from, to, &path).with_trace(&raw);
    let svg = picture.to_svg(&SvgOptions::default());
    well_formed(&svg);
    for words in [">raw path<", ">tried, not clear<", ">path<"] {
        assert!(svg.contains(words), "no {words}");
    }
    check(
        &picture.to_text(80),
        r#"
        . . . . * * * * * * * * I . . . ~ ~ ~ ~
        . . . * * # # # # # # . * * . . ~ ~ ~ ~
        . o * * . # # # # # # . . * * . ~ ~ ~ ~
        . S * . . # # # # # # . . . * * ~ ~ ~ ~
        . . . . . # # # # # # . . . . G
        . . . . . # # # # # # . . . . .
        . . . . . # # # # # # . . . . .
        . @ . . . . . . . . . . . . s .

        s sink   @ Ada (player)   I <img onerror="alert(1)">   S start   G goal
        ~ cupboard (closed)   * way   o raw way   # blocked   one square is 0.25 m
        "#,
    );
}

#[test]
fn halves_are_told_in_the_order_they_were_tried() {
    let room = painted(
        &[
            "....................",
            "....................",
            "....................",
            "..........#.........",
            "..........#.........",
            "..........#.........",
            "..........#.........",
            "..........#.........",
        ],
        r#", "sampleRate": 2"#,
    );
    let ground = Surface::new(&room).unwrap();
    let (from, to) = (DVec2::new(6.5, 6.5), DVec2::new(14.5, 6.5));
    let query = Query::new(from, to).with_snap_m(8.0);
    let (path, raw) = crate::plan::find_path_traced(&ground, query, &mut SearchMemory::default());
    let first = raw.tries[0];
    assert_eq!((first.from, first.to, first.clear), (from, to, false), "the whole line first");
    assert_eq!(first.blocked_at, Some(DVec2::new(10.5, 6.5)));
    let leg = |legs: &[DVec2]| {
        raw.tries.iter().any(|attempt| attempt.clear && (attempt.from, attempt.to) == (legs[0], legs[1]))
    };
    let whole: Vec<DVec2> =
        std::iter::once(from).chain(path.waypoints.iter().map(|waypoint| waypoint.at)).collect();
    assert!(whole.windows(2).all(leg), "{raw:?}");
}

/// Noise is not legible as lines; as pixels it takes a twentieth of the bytes.
#[test]
fn noise_is_drawn_as_pixels() {
    let noise =
        |x: u32, z: u32| (u64::from(x * 7919 + z * 104_729)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 61 != 0;
    let rows: Vec<String> =
        (0..600).map(|z| (0..600).map(|x| if noise(x, z) { '.' } else { '#' }).collect()).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    for more in ["", r#", "sampleRate": 2"#, r#", "sampleRate": 1, "neighbours": 8"#] {
        let room = painted(&rows, more);
        let ground = Surface::new(&room).unwrap();
        let picture = Picture::of_room(&room, &ground);
        for (picture, most) in [(picture.clone(), 200_000), (picture.with_search(&ground), 400_000)] {
            let svg = picture.to_svg(&SvgOptions::default());
            well_formed(&svg);
            assert!(svg.contains("data:image/png;base64,") && svg.len() < most, "{} bytes{more}", svg.len());
        }
    }
}
