//! How times grow with the size of the map and with the number of people, as tables and, with `--plots FOLDER`, as
//! pictures.

use crate::crowd::{self, OPEN, PILLARS};
use crate::overlay::place;
use crate::palace;
use crate::plot::{Curve, Plot};
use crate::query::ours;
use crate::runner::{Entry, Options, Report, Table, median, timed};
use crate::yardstick::{Cell, Yardstick};
use cicerone::internals::grid_memory;
use cicerone::room::GridCells;
use cicerone::surface::{SearchMemory, Surface};
use cicerone::world::stream;
use glam::{DVec2, dvec2};
use std::path::Path;

/// Cells along an edge, or as near to it as halls allow.
const EDGES: [usize; 7] = [64, 128, 256, 512, 1024, 2048, 4096];

const NUMBERS: [usize; 7] = [100, 300, 1_000, 3_000, 10_000, 30_000, 50_000];

pub fn run(options: &Options, report: &mut Report) {
    let maps: Vec<Grown> = EDGES.iter().map(|&edge| grow(options, edge)).collect();
    let headings = &[
        "cells",
        "queries",
        "expansions",
        "ours_us",
        "simple_us",
        "ratio",
        "unreachable_ns",
        "toggle_us",
        "rebuild_us",
        "rebuild/toggle",
    ];
    let mut table = Table::new("a palace of so many cells along each edge (means of medians)", headings);
    for map in &maps {
        table.row(vec![
            map.edge.into(),
            map.queries.into(),
            Entry::Real(map.expansions, 0),
            Entry::Real(map.ours_us, 2),
            Entry::Real(map.simple_us, 1),
            Entry::Real(map.simple_us / map.ours_us, 1),
            Entry::Real(map.unreachable_ns, 0),
            Entry::Real(map.toggle_us, 2),
            Entry::Real(map.rebuild_us, 0),
            Entry::Real(map.rebuild_us / map.toggle_us, 0),
        ]);
    }
    report.table(&table);
    report.note("queries between random places; toggles of doors of 16 × 16 cells; unreachable: to know it, of pairs a closed door keeps apart");

    let mut crowds = [(OPEN, Vec::new()), (PILLARS, Vec::new())];
    let mut table = Table::new("one tick", &["room", "characters", "median_ms/tick", "ns/character"]);
    for (variant, points) in &mut crowds {
        for number in NUMBERS {
            let tick_ms = crowd::median_tick_ms(*variant, number, options.pick(20, 120));
            points.push((number as f64, tick_ms));
            table.row(vec![
                variant.name.into(),
                number.into(),
                Entry::Real(tick_ms, 3),
                Entry::Real(tick_ms * 1e6 / number as f64, 0),
            ]);
        }
    }
    report.table(&table);
    if let Some(folder) = &options.plots {
        let [(_, open), (_, pillars)] = crowds;
        draw(folder, &maps, open, pillars);
        report.note(&format!("pictures: {}", folder.display()));
    }
}

fn draw(folder: &Path, maps: &[Grown], open: Vec<(f64, f64)>, pillars: Vec<(f64, f64)>) {
    let by_edge = |of: fn(&Grown) -> f64| maps.iter().map(|map| (map.edge as f64, of(map))).collect();
    // Marked where was measured: halls do not fill every power of two.
    let edges: Vec<f64> = maps.iter().map(|map| map.edge as f64).collect();
    let numbers = NUMBERS.map(|number| number as f64);
    let save = |name: &str, plot: Plot| plot.save(&folder.join(name)).expect("a picture");
    let queries = [
        Curve { name: "simple A*", points: by_edge(|map| map.simple_us) },
        Curve { name: "cicerone", points: by_edge(|map| map.ours_us) },
    ];
    let x = "cells along each edge of the map";
    let title = "A query between random places";
    save("query.svg", Plot { title, x, y: "µs", marks: &edges, curves: &queries });
    let toggles = [
        Curve { name: "building the ground anew", points: by_edge(|map| map.rebuild_us) },
        Curve { name: "toggling", points: by_edge(|map| map.toggle_us) },
    ];
    let title = "A door of 16 × 16 cells opens or closes";
    save("toggle.svg", Plot { title, x, y: "µs", marks: &edges, curves: &toggles });
    let crowds = [Curve { name: "with pillars", points: pillars }, Curve { name: "open", points: open }];
    let title = "One tick of a crowd, everybody walking";
    save("crowd.svg", Plot { title, x: "characters", y: "ms", marks: &numbers, curves: &crowds });
}

/// What was measured on one map.
struct Grown {
    edge: usize,
    queries: usize,
    /// Of the simple A*, on average.
    expansions: f64,
    ours_us: f64,
    simple_us: f64,
    unreachable_ns: f64,
    toggle_us: f64,
    rebuild_us: f64,
}

fn grow(options: &Options, edge: usize) -> Grown {
    let room = palace::sized(edge, 0.0);
    let mut rebuild_us = Vec::new();
    for _ in 0..options.pick(2, 5) {
        rebuild_us.push(timed(|| Surface::new(&room).unwrap()).0.as_secs_f64() * 1e6);
    }
    let mut ground = Surface::new(&room).unwrap();
    let edge = ground.as_grid().unwrap().frame().width as usize;
    let doors = palace::doors(&ground);
    // The simple A* takes seconds on the largest.
    let queries = options.pick(8, 40_000 / edge.max(400));
    let mut random = stream(7, "queries");
    let ends: Vec<(DVec2, DVec2)> =
        (0..queries).map(|_| (place(&ground, &mut random), place(&ground, &mut random))).collect();

    let cells = cells_of(&ground);
    let mut yardstick = Yardstick::new(&cells);
    let mut memory = SearchMemory::default();
    let (mut ours_us, mut simple_us) = (0.0, 0.0);
    let rounds = 3;
    for &(from, to) in &ends {
        ours(&ground, (from, to), grid_memory(&mut memory)); // warm
        let mut times = Vec::new();
        let mut cost = 0.0;
        for _ in 0..rounds {
            let (time, found) = timed(|| ours(&ground, (from, to), grid_memory(&mut memory)));
            times.push(time.as_secs_f64() * 1e6);
            (cost, _) = found;
        }
        ours_us += median(&times);
        let (from, to) = (cell(&ground, from), cell(&ground, to));
        let (time, its) = timed(|| yardstick.find(from, to).expect("doors are open"));
        simple_us += time.as_secs_f64() * 1e6;
        assert!((its.cost - cost).abs() <= 1e-9 * cost.max(1.0), "{from:?} to {to:?}");
    }

    let mut toggle_us = Vec::new();
    for &door in doors.iter().cycle().take(options.pick(60, 300).max(doors.len())) {
        for available in [false, true] {
            toggle_us.push(timed(|| ground.set_area_available(door, available)).0.as_secs_f64() * 1e6);
        }
    }
    let each = 1.0 / queries as f64;
    Grown {
        edge,
        queries,
        expansions: yardstick.expansions() as f64 * each,
        ours_us: ours_us * each,
        simple_us: simple_us * each,
        unreachable_ns: unreachable_ns(&mut ground),
        toggle_us: median(&toggle_us),
        rebuild_us: median(&rebuild_us),
    }
}

/// How long it takes to know that somewhere cannot be reached, when every second door is closed.
fn unreachable_ns(ground: &mut Surface) -> f64 {
    for door in palace::doors(ground).into_iter().step_by(2) {
        ground.set_area_available(door, false);
    }
    let mut random = stream(7, "apart");
    let mut stand = || place(ground, &mut random);
    let pairs: Vec<_> = (0..4096).map(|_| (stand(), stand())).collect();
    let apart: Vec<_> = pairs.into_iter().filter(|&(from, to)| !ground.may_reach(from, to)).collect();
    assert!(!apart.is_empty(), "some are apart");
    let asked = || apart.iter().cycle().take(4096);
    let (time, none) = timed(|| asked().all(|&(from, to)| !ground.may_reach(from, to)));
    assert!(none);
    time.as_secs_f64() * 1e9 / 4096.0
}

fn cell(ground: &Surface, at: DVec2) -> Cell {
    let frame = ground.as_grid().unwrap().frame();
    let cell = (at - frame.min) / frame.cell_size_m;
    (cell.x as u32, cell.y as u32)
}

fn cells_of(ground: &Surface) -> GridCells {
    let frame = *ground.as_grid().unwrap().frame();
    let middle = |x: u32, z: u32| frame.min + (dvec2(f64::from(x), f64::from(z)) + 0.5) * frame.cell_size_m;
    GridCells::new(DVec2::ZERO, frame.width, frame.depth, |x, z| ground.is_walkable(middle(x, z)))
}
