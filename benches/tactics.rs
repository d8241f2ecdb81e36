//! Tactical levels: tracing, doors, and tables, beside Dijkstra's algorithm with a binary heap over the same moves.

use crate::plot::{Curve, Plot};
use crate::runner::{Entry, Options, Report, Table, median, timed};
use cicerone::geometry::SolidShape;
use cicerone::glam::DVec3;
use cicerone::room::{Brush, Tactics, TacticsSettings};
use cicerone::tactics::{Actor, Cell, Stance, TacticalField};
use cicerone::world::stream;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Cells along an edge of the tower.
const EDGES: [u32; 5] = [16, 32, 64, 128, 256];
const LEVELS: u32 = 8;

pub fn run(options: &Options, report: &mut Report) {
    let headings = &[
        "cells",
        "brushes",
        "trace_ms",
        "door_us",
        "trace/door",
        "places",
        "table_ms",
        "ns/place",
        "heap_ms",
        "ratio",
    ];
    let mut table = Table::new("a tower of eight full levels, of so many cells along each edge", headings);
    let rows: Vec<Row> = EDGES.iter().map(|&edge| measure(options, edge)).collect();
    for row in &rows {
        table.row(vec![
            (row.edge as usize).into(),
            row.brushes.into(),
            Entry::Real(row.trace_ms, 1),
            Entry::Real(row.door_us, 0),
            Entry::Real(row.trace_ms * 1e3 / row.door_us, 0),
            row.places.into(),
            Entry::Real(row.table_ms, 2),
            Entry::Real(row.table_ms * 1e6 / row.places as f64, 1),
            Entry::Real(row.heap_ms, 1),
            Entry::Real(row.heap_ms / row.table_ms, 1),
        ]);
    }
    report.table(&table);
    report.note(
        "traces are for actors of both sizes; tables have no budget, and both stances of all cells in reach",
    );
    if let Some(folder) = &options.plots {
        let by_edge = |of: fn(&Row) -> f64| rows.iter().map(|row| (f64::from(row.edge), of(row))).collect();
        let edges = EDGES.map(f64::from);
        let x = "cells along each edge of a tower with eight levels";
        let save = |name: &str, plot: Plot| plot.save(&folder.join(name)).expect("a picture");
        let traces = [
            Curve { name: "tracing the level", points: by_edge(|row| row.trace_ms) },
            Curve { name: "a door", points: by_edge(|row| row.door_us / 1e3) },
        ];
        let title = "Tracing a tactical level, and what a door changes of it";
        save("tactics-trace.svg", Plot { title, x, y: "ms", marks: &edges, curves: &traces });
        let tables = [
            Curve { name: "Dijkstra with a heap", points: by_edge(|row| row.heap_ms) },
            Curve { name: "cicerone", points: by_edge(|row| row.table_ms) },
        ];
        let title = "A table of time units to every cell, in both stances";
        save("tactics-table.svg", Plot { title, x, y: "ms", marks: &edges, curves: &tables });
    }
}

/// What was measured on one tower.
struct Row {
    edge: u32,
    brushes: usize,
    trace_ms: f64,
    door_us: f64,
    places: usize,
    table_ms: f64,
    heap_ms: f64,
}

fn measure(options: &Options, edge: u32) -> Row {
    let tactics = tower(edge);
    let mut times = Vec::new();
    for _ in 0..options.pick(1, 3) {
        times.push(timed(|| TacticalField::new(&tactics, |_| false)).0.as_secs_f64() * 1e3);
    }
    let mut field = TacticalField::new(&tactics, |_| false);
    let mut doors = Vec::new();
    for available in [true, false].into_iter().cycle().take(options.pick(4, 20)) {
        doors.push(timed(|| field.set_area_available("door", available)).0.as_secs_f64() * 1e6);
    }
    let actor = Actor::new(Stance::Stand, u16::MAX);
    let start = [4, edge / 2, 0];
    let ask = || field.table(start, 1, &actor).expect("there is room at the start");
    let mut tables = Vec::new();
    for _ in 0..options.pick(3, 15) {
        tables.push(timed(ask).0.as_secs_f64() * 1e3);
    }
    let (heap, its) = timed(|| by_heap(&field, start));
    let ours: BTreeMap<(Cell, Stance), u32> =
        ask().reached().map(|at| ((at.cell, at.stance), u32::from(at.tu))).collect();
    assert_eq!(ours, its, "the same table");
    Row {
        edge,
        brushes: tactics.brushes.len(),
        trace_ms: median(&times),
        door_us: median(&doors),
        places: ours.len(),
        table_ms: median(&tables),
        heap_ms: heap.as_secs_f64() * 1e3,
    }
}

/// Dijkstra's algorithm over the moves that the field tells.
fn by_heap(field: &TacticalField, start: Cell) -> BTreeMap<(Cell, Stance), u32> {
    let [width, depth, levels] = field.size();
    let index =
        |[x, y, z]: Cell, stance: Stance| (((z * depth + y) * width + x) * 2 + stance as u32) as usize;
    let mut tu = vec![u32::MAX; (width * depth * levels * 2) as usize];
    let mut heap = BinaryHeap::from([Reverse((0, start, Stance::Stand))]);
    tu[index(start, Stance::Stand)] = 0;
    let mut found = BTreeMap::new();
    while let Some(Reverse((spent, cell, stance))) = heap.pop() {
        if tu[index(cell, stance)] != spent {
            continue;
        }
        if field.is_place(cell, 1, false) {
            found.insert((cell, stance), spent);
        }
        for step in field.moves(cell, 1, &Actor::new(stance, 0)) {
            let (total, next) = (spent + u32::from(step.tu), index(step.to, step.stance));
            if total < tu[next] {
                tu[next] = total;
                heap.push(Reverse((total, step.to, step.stance)));
            }
        }
    }
    found
}

/// Eight full floors, stairs from each to the next, walls everywhere: eight brushes for each thousand cells of a floor
/// and more, 2,000 on the largest.
fn tower(edge: u32) -> Tactics {
    let side = f64::from(edge) * 32.0;
    let mut brushes = Vec::new();
    let mut solid = |min: [f64; 3], max: [f64; 3]| {
        let shape = SolidShape::Box([DVec3::from(min), DVec3::from(max)]);
        brushes.push(Brush::new(shape));
    };
    for level in 0..LEVELS {
        let z = f64::from(level) * 64.0;
        let mut slab = |min: [f64; 2], max: [f64; 2]| solid([min[0], min[1], z], [max[0], max[1], z + 8.0]);
        if level == 0 {
            slab([0.0, 0.0], [side, side]);
            continue;
        }
        // A hole over the stairs of the level below.
        let hole = f64::from((level - 1) % 2) * 96.0;
        slab([0.0, hole + 64.0], [side, side]);
        slab([128.0, hole], [side, hole + 64.0]);
        if hole > 0.0 {
            slab([0.0, 0.0], [side, hole]);
        }
    }
    for level in 0..LEVELS - 1 {
        let (z, y) = (f64::from(level) * 64.0 + 8.0, f64::from(level % 2) * 96.0);
        for stair in 0..4 {
            let x = f64::from(stair) * 32.0;
            solid([x, y, z], [x + 32.0, y + 64.0, z + 12.0 * f64::from(stair + 1)]);
        }
    }
    let mut random = stream(7, "tower");
    let mut below = |count: f64| (cicerone::world::next_random(&mut random) * count / 2.0).floor() * 2.0;
    let walls = 2000 * (edge * edge) as usize / (256 * 256);
    for _ in 0..walls.saturating_sub(50) {
        let (long, z) = (32.0 + below(268.0), (below(16.0) / 2.0).floor() * 64.0 + 8.0);
        let (x, y) = (192.0 + below(side - 192.0), below(side));
        let max = if below(4.0) < 2.0 { [x + 4.0, y + long] } else { [x + long, y + 4.0] };
        solid([x, y, z], [max[0].min(side), max[1].min(side), z + 56.0]);
    }
    let door = SolidShape::Box([DVec3::new(190.0, 192.0, 8.0), DVec3::new(194.0, 256.0, 64.0)]);
    brushes.push(Brush::new(door).with_area("door"));
    // Walls that end outside, and those without a length, are no brushes.
    brushes.retain(
        |brush| !matches!(&brush.shape, SolidShape::Box([min, max]) if (*max - *min).min_element() <= 0.0),
    );
    Tactics::new(TacticsSettings::default(), brushes)
}
