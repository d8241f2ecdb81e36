//! A painted room of 4096 × 2048 pixels: how long it takes to load, to answer, to open a door, and to take over a
//! repaint.

use crate::memory;
use crate::runner::{Entry, Options, Report, Table, mean, median, timed, worst};
use crate::yardstick::Yardstick;
use cicerone::internals::grid::Node;
use cicerone::nav::{AreaId, Query};
use cicerone::plan::find_path;
use cicerone::room::{GridCells, Room, parse_with};
use cicerone::surface::{SearchMemory, Surface};
use glam::{DVec2, dvec2};

const WIDTH: u32 = 4096;
const DEPTH: u32 = 2048;
/// Chambers of 256 × 256 pixels with walls of 8 between them, a door of 48 × 8 in the middle of each wall, and a table.
const CHAMBER: u32 = 256;
const WALL: u32 = 8;
const DOOR: u32 = 48;

pub fn run(options: &Options, report: &mut Report) {
    let png = encoded(&|_, _| false);
    let headings =
        &["sampleRate", "neighbours", "nodes", "png_KB", "load_ms", "of which parse_ms", "peak_MB"];
    let mut loading = Table::new("loading 4096 × 2048 pixels", headings);
    let headings = &[
        "sampleRate",
        "neighbours",
        "shortening",
        "queries",
        "mean_us",
        "worst_us",
        "simple A*_us",
        "of its time",
    ];
    let mut asking = Table::new("paths between random places", headings);
    let headings = &["sampleRate", "neighbours", "what", "median_us", "worst_us", "load/median"];
    let mut changing = Table::new("a door of 48 × 8 pixels", headings);
    for (rate, eight) in [(4.0, false), (4.0, true), (1.0, false), (1.0, true)] {
        let (taken, _) = memory::watch(|| Surface::new(&parse(&png, rate, eight, false)).unwrap());
        let (parse_ms, load_ms, room, ground) = load(options, &png, rate, eight);
        let neighbours = if eight { 8_usize } else { 4 };
        loading.row(vec![
            Entry::Real(rate, 1),
            neighbours.into(),
            ground.node_limit().into(),
            Entry::Real(png.len() as f64 / 1e3, 0),
            Entry::Real(load_ms, 1),
            Entry::Real(parse_ms, 1),
            Entry::Real(taken.peak_bytes as f64 / 1e6, 1),
        ]);
        for pull in [false, true] {
            asking.row(ask(options, &ground, rate, neighbours, pull, &png));
        }
        change(options, &room, ground, rate, load_ms, &mut changing);
    }
    report.table(&loading);
    report.table(&asking);
    report.table(&changing);
    report.note("simple A* searches the same nodes with eight neighbours, without making paths short; load/median: how often the door fits into loading");
}

/// Whether a pixel is wall (0), floor (1), or a door's (2).
fn kind(x: u32, z: u32) -> u32 {
    let (in_x, in_z) = (x % CHAMBER, z % CHAMBER);
    let door = |along: u32| (CHAMBER / 2 - DOOR / 2..CHAMBER / 2 + DOOR / 2).contains(&along);
    let outside = x < WALL || z < WALL || x >= WIDTH - WALL || z >= DEPTH - WALL;
    let table = (150..210).contains(&in_x) && (60..110).contains(&in_z);
    match (in_x < WALL, in_z < WALL) {
        _ if outside || table => 0,
        (true, true) => 0,
        (true, false) => {
            if door(in_z) {
                2
            } else {
                0
            }
        }
        (false, true) => {
            if door(in_x) {
                2
            } else {
                0
            }
        }
        (false, false) => 1,
    }
}

/// The mask, with those of its pixels painted over that `is_wall`; the first door is an area.
fn encoded(is_wall: &dyn Fn(u32, u32) -> bool) -> Vec<u8> {
    let mut pixels = Vec::with_capacity((WIDTH * DEPTH * 3) as usize);
    for z in 0..DEPTH {
        for x in 0..WIDTH {
            let first_door = kind(x, z) == 2 && x < 2 * CHAMBER && z < CHAMBER && x % CHAMBER < WALL;
            pixels.extend(match kind(x, z) {
                _ if is_wall(x, z) => [0, 0, 0],
                0 => [0, 0, 0],
                _ if first_door => [0, 128, 255],
                _ => [0, 0, 255],
            });
        }
    }
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, WIDTH, DEPTH);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    bytes
}

fn parse(png: &[u8], rate: f64, eight: bool, pull: bool) -> Room {
    let text = format!(
        r#"{{"mask": "rooms/mask.png", "pixelsPerMetre": 64, "sampleRate": {rate}, "neighbours": {},
            "shortening": "{}", "areas": [{{"name": "door", "paint": {{"channel": "green", "bit": 7}}}}]}}"#,
        if eight { 8 } else { 4 },
        if pull { "pull" } else { "divide" },
    );
    parse_with("rooms/mask.json", text.as_bytes(), None, &|_| Ok(png.to_vec())).unwrap().room
}

fn load(options: &Options, png: &[u8], rate: f64, eight: bool) -> (f64, f64, Room, Surface) {
    let (mut parse_ms, mut load_ms) = (Vec::new(), Vec::new());
    for _ in 0..options.pick(2, 7) {
        let (time, room) = timed(|| parse(png, rate, eight, false));
        parse_ms.push(time.as_secs_f64() * 1e3);
        let (built, _) = timed(|| Surface::new(&room).unwrap());
        load_ms.push((time + built).as_secs_f64() * 1e3);
    }
    let room = parse(png, rate, eight, false);
    let ground = Surface::new(&room).unwrap();
    (median(&parse_ms), median(&load_ms), room, ground)
}

fn ask(
    options: &Options,
    ground: &Surface,
    rate: f64,
    neighbours: usize,
    pull: bool,
    png: &[u8],
) -> Vec<Entry> {
    let pulled = pull.then(|| Surface::new(&parse(png, rate, neighbours == 8, true)).unwrap());
    let ground = pulled.as_ref().unwrap_or(ground);
    let size = dvec2(f64::from(WIDTH), f64::from(DEPTH)) / 64.0;
    let mut random = 7;
    let mut place = || loop {
        let at = dvec2(cicerone::world::next_random(&mut random), cicerone::world::next_random(&mut random))
            * size;
        if ground.is_walkable(at) && ground.as_grid().unwrap().node_at(at).is_some() {
            return at;
        }
    };
    let queries: Vec<(DVec2, DVec2)> = (0..options.pick(20, 200)).map(|_| (place(), place())).collect();
    let (mut memory, mut ours_us, mut simple_us) = (SearchMemory::default(), Vec::new(), Vec::new());
    let mut yardstick = yardstick(ground);
    for &(from, to) in &queries {
        let query = || Query::new(from, to).with_snap_m(8.0);
        find_path(ground, query(), &mut memory); // warm, as both are
        ours_us.push(timed(|| find_path(ground, query(), &mut memory)).0.as_secs_f64() * 1e6);
        let cell =
            |point: DVec2| ground.as_grid().unwrap().node_at(point).map(|node| coords(ground, node)).unwrap();
        let (from, to) = (cell(from), cell(to));
        yardstick.find(from, to);
        simple_us.push(timed(|| yardstick.find(from, to)).0.as_secs_f64() * 1e6);
    }
    vec![
        Entry::Real(rate, 1),
        neighbours.into(),
        if pull { "pull" } else { "divide" }.into(),
        queries.len().into(),
        Entry::Real(mean(&ours_us), 0),
        Entry::Real(worst(&ours_us), 0),
        Entry::Real(mean(&simple_us), 0),
        Entry::Real(mean(&ours_us) / mean(&simple_us), 2),
    ]
}

fn columns(ground: &Surface) -> u32 {
    WIDTH.div_ceil(ground.as_grid().unwrap().node_spacing_cells() as u32)
}

fn coords(ground: &Surface, node: Node) -> (u32, u32) {
    (node.0 % columns(ground), node.0 / columns(ground))
}

/// Simple A* over the nodes of a ground.
fn yardstick(ground: &Surface) -> Yardstick {
    let width = columns(ground);
    let depth = ground.node_limit() as u32 / width;
    let is_node = |x: u32, z: u32| ground.is_walkable(ground.as_grid().unwrap().centre(Node(z * width + x)));
    Yardstick::new(&GridCells::new(DVec2::ZERO, width, depth, is_node))
}

/// A door toggled, and repainted: as a wall, and back.
fn change(options: &Options, room: &Room, mut ground: Surface, rate: f64, load_ms: f64, table: &mut Table) {
    let eight = room.ground.sampling.is_none_or(|sampling| sampling.eight);
    let neighbours = if eight { 8_usize } else { 4 };
    let mut row = |what: &str, times_us: &[f64]| {
        table.row(vec![
            Entry::Real(rate, 1),
            neighbours.into(),
            what.into(),
            Entry::Real(median(times_us), 1),
            Entry::Real(worst(times_us), 1),
            Entry::Real(load_ms * 1e3 / median(times_us), 0),
        ]);
    };
    let fresh = ground.as_grid().unwrap().words().to_vec();
    let mut toggle_us = Vec::new();
    for round in 0..options.pick(20, 200) {
        let (time, dirty) = timed(|| ground.set_area_available(AreaId(0), round % 2 == 1));
        assert!(dirty.is_some());
        toggle_us.push(time.as_secs_f64() * 1e6);
    }
    assert_eq!(ground.as_grid().unwrap().words(), fresh);
    row("toggled", &toggle_us);
    let second_door =
        |x: u32, z: u32| kind(x, z) == 2 && (2 * CHAMBER..2 * CHAMBER + WALL).contains(&x) && z < CHAMBER;
    let walled = encoded(&second_door);
    let (mut rebuilt_us, mut saved_us) = (Vec::new(), Vec::new());
    for _ in 0..options.pick(3, 15) {
        let (read, changed) = timed(|| parse(&walled, rate, eight, false));
        let (time, (rebuilt, dirty)) = timed(|| ground.rebuilt(&changed, &[true]).unwrap());
        assert!(dirty.is_some_and(|dirty| dirty.closed && !dirty.opened));
        assert_eq!(
            rebuilt.as_grid().unwrap().words(),
            Surface::new(&changed).unwrap().as_grid().unwrap().words()
        );
        rebuilt_us.push(time.as_secs_f64() * 1e6);
        saved_us.push((read + time).as_secs_f64() * 1e6);
    }
    row("repainted: the ground", &rebuilt_us);
    row("repainted: reading the image and all", &saved_us);
}
