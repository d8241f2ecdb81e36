//! Whole queries with others standing about, against the same queries without: nothing is copied for them.

use crate::maps::{self, BenchMap};
use crate::palace;
use crate::runner::{Entry, Options, Report, Table, median, timed};
use cicerone::nav::{Disc, Outcome, Position, Query};
use cicerone::plan::find_path;
use cicerone::surface::{SearchMemory, Surface};
use cicerone::world::{next_random, stream};
use glam::{DVec2, dvec2};

/// How many stand about, and how wide one is in cells.
const OBSTACLES: usize = 50;
const RADIUS_CELLS: f64 = 1.5;

pub fn run(options: &Options, report: &mut Report) {
    let headings = &["map", "queries", "without_us", "with_us", "with/without", "other_paths"];
    let mut table = Table::new("50 obstacles, standing anywhere on the map", headings);
    let palace = Surface::new(&palace::sized(512, 0.0)).unwrap();
    table.row(row("palace 512", options, &palace));
    for BenchMap { name, ground, .. } in maps::load(options, report) {
        if ground.as_grid().unwrap().frame().width >= 256 {
            table.row(row(&name, options, &ground));
        }
    }
    report.table(&table);
    report.note("find_path: search, string pulling and all; sums of medians; other_paths: queries whose path the obstacles changed");
}

fn row(name: &str, options: &Options, ground: &Surface) -> Vec<Entry> {
    let mut random = stream(7, name);
    let mut place = || place(ground, &mut random);
    let radius_m = RADIUS_CELLS * ground.as_grid().unwrap().frame().cell_size_m;
    let obstacles: Vec<Disc> =
        (0..OBSTACLES).map(|_| Disc { centre: Position::on_ground(place()), radius_m }).collect();
    let ends: Vec<(DVec2, DVec2)> = (0..options.pick(40, 200)).map(|_| (place(), place())).collect();
    let mut memory = SearchMemory::default();
    let (mut without_us, mut with_us, mut others) = (0.0, 0.0, 0);
    for &(from, to) in &ends {
        let query =
            |obstacles: &[Disc]| Query::new(from, to).with_snap_m(0.0).with_obstacles(obstacles.to_vec());
        let (mut times, mut costs) = ([Vec::new(), Vec::new()], [0.0; 2]);
        for round in 0..6 {
            for (side, obstacles) in [&[][..], &obstacles].into_iter().enumerate() {
                let asked = query(obstacles);
                let (time, path) = timed(|| find_path(ground, asked, &mut memory));
                // The first round warms up.
                if round > 0 {
                    times[side].push(time.as_secs_f64() * 1e6);
                }
                costs[side] = if path.outcome == Outcome::Complete { path.cost_cells } else { 0.0 };
            }
        }
        without_us += median(&times[0]);
        with_us += median(&times[1]);
        others += usize::from(costs[0] != costs[1]);
    }
    let each = 1.0 / ends.len() as f64;
    vec![
        name.into(),
        ends.len().into(),
        Entry::Real(without_us * each, 2),
        Entry::Real(with_us * each, 2),
        Entry::Real(with_us / without_us, 2),
        others.into(),
    ]
}

/// The middle of a random walkable cell.
pub fn place(ground: &Surface, random: &mut u64) -> DVec2 {
    let frame = *ground.as_grid().unwrap().frame();
    loop {
        let share = dvec2(next_random(random), next_random(random));
        let cell = (share * dvec2(f64::from(frame.width), f64::from(frame.depth))).floor() + 0.5;
        let at = frame.min + cell * frame.cell_size_m;
        if ground.is_walkable(at) {
            return at;
        }
    }
}
