//! Benchmark of a MovingAI scenario file with paths over rectangles of cells, compared with the grid's shortened paths.

use super::scen::Task;
use super::scen_bench::open;
use super::timing::{mean, median, quantile, timed};
use super::{BenchArgs, count, rounded};
use crate::cli::print::TextOrJson;
use crate::cli::progress::Progress;
use crate::cli::{NO, OK, print};
use cicerone::glam::{DVec2, dvec2};
use cicerone::nav::{Outcome, Path, Query};
use cicerone::plan::find_path;
use cicerone::room::{GridCells, PlannerKind, Room};
use cicerone::surface::{SearchMemory, Surface};
use serde_json::json;
use std::fmt::Write as _;

/// Lengths that differ by less are equal, in cells. Queries are thousands of cells long at most.
const SAME: f64 = 1e-6;

/// The optimum of the file leads from cell to cell, and is rounded.
const ROUNDED: f64 = 6e-3;

/// Upper limit on the deviations that are listed.
const TOLD: usize = 10;

/// A kind of ground with what it answers.
struct Measured {
    ground: Surface,
    build_ms: f64,
    /// The length of each path, in cells, if there is one.
    lengths: Vec<Option<f64>>,
    /// For each query the median over the rounds.
    us: Vec<f64>,
    expansions: u64,
}

pub(super) fn bench(args: &BenchArgs, planner: PlannerKind) -> u8 {
    let opened = open(args).and_then(|(room, cells, tasks)| {
        let mut over_rectangles = room.clone();
        over_rectangles.ground.planner = planner;
        Ok(([Measured::new(&over_rectangles)?, Measured::new(&room)?], room, cells, tasks))
    });
    let (mut measured, room, cells, tasks) = match opened {
        Ok(opened) => opened,
        Err(code) => return code,
    };
    if args.queries.is_some() {
        return print::complain("--queries goes with --planner grid");
    }
    let queries: Vec<Query> = tasks.iter().map(|task| query(task, &room, &cells)).collect();
    let progress = Progress::new("queries", 2 * (u64::from(args.rounds) + 1) * tasks.len() as u64);
    measured.iter_mut().for_each(|ground| ground.answer(&queries, &progress));
    let mut times = [vec![Vec::new(); tasks.len()], vec![Vec::new(); tasks.len()]];
    for round in 0..args.rounds {
        // Each has its own data in the cache. Which of them begins alternates.
        for turn in 0..2 {
            let which = ((round + turn) % 2) as usize;
            measured[which].time(&queries, &mut times[which], &progress);
        }
    }
    for (ground, times) in measured.iter_mut().zip(&times) {
        ground.us = times.iter().map(|us| median(us)).collect();
    }
    let [rectangles, grid] = &measured;
    let file = args.file.display().to_string();
    // Only the shortest paths are never longer.
    let more = if planner == PlannerKind::AnyAngle { 0.0 } else { f64::INFINITY };
    let deviations = deviations(&file, &tasks, rectangles, grid, more);
    let name = if planner == PlannerKind::AnyAngle { "any angle" } else { "portals" };
    let printed = match args.format {
        TextOrJson::Json => {
            print::text(&print::pretty_json(&as_json(name, rectangles, grid, &deviations)));
            OK
        }
        TextOrJson::Text => print::words(&in_words(args, &cells, name, rectangles, grid, &deviations)),
    };
    if deviations.is_empty() { printed } else { NO }
}

/// From the centre of a cell to that of another, without snapping.
fn query(task: &Task, room: &Room, cells: &GridCells) -> Query {
    let centre = |(x, z): (u32, u32)| -> DVec2 {
        cells.min + (dvec2(f64::from(x), f64::from(z)) + 0.5) * room.ground.cell_size_m
    };
    Query::new(centre(task.from), centre(task.to)).with_snap_m(0.0)
}

impl Measured {
    fn new(room: &Room) -> Result<Self, u8> {
        let (us, ground) = timed(|| Surface::new(room));
        let ground = ground.map_err(|error| print::complain(&error.to_string()))?;
        Ok(Self { ground, build_ms: us / 1e3, lengths: Vec::new(), us: Vec::new(), expansions: 0 })
    }

    fn answer(&mut self, queries: &[Query], progress: &Progress) {
        let mut memory = SearchMemory::default();
        for query in queries {
            let path = find_path(&self.ground, query.clone(), &mut memory);
            self.expansions += path.expansions;
            self.lengths.push((path.outcome == Outcome::Complete).then_some(path.length_m));
            progress.step();
        }
    }

    fn time(&self, queries: &[Query], times: &mut [Vec<f64>], progress: &Progress) {
        let mut memory = SearchMemory::default();
        for (query, times) in queries.iter().zip(times) {
            let query = query.clone();
            let (us, _path): (f64, Path) = timed(|| find_path(&self.ground, query, &mut memory));
            times.push(us);
            progress.step();
        }
    }

    fn mean_length(&self) -> f64 {
        mean(&self.lengths.iter().flatten().copied().collect::<Vec<_>>())
    }
}

/// The paths that are longer than the grid's or than the optimum from cell to cell, by more than `more` cells, and those
/// that only one finds.
fn deviations(file: &str, tasks: &[Task], rectangles: &Measured, grid: &Measured, more: f64) -> Vec<String> {
    let words = |length: Option<f64>| length.map_or("no way".to_owned(), |length| format!("{length:.6}"));
    let all = tasks.iter().zip(rectangles.lengths.iter().zip(&grid.lengths));
    all.filter_map(|(task, (&ours, &theirs))| {
        let is_good = match (ours, theirs) {
            (Some(ours), Some(theirs)) => {
                ours <= theirs + SAME + more
                    && (task.expects_no_way() || ours <= task.optimum + ROUNDED + more)
            }
            (ours, theirs) => ours.is_none() && theirs.is_none(),
        };
        let Task { line, from, to, .. } = task;
        (!is_good).then(|| {
            format!(
                "{file}:{line}:1: {from:?} to {to:?}: {}, and over the grid {}",
                words(ours),
                words(theirs)
            )
        })
    })
    .collect()
}

fn as_json(name: &str, rectangles: &Measured, grid: &Measured, deviations: &[String]) -> serde_json::Value {
    let of = |measured: &Measured| {
        json!({
            "build_ms": rounded(measured.build_ms),
            "total_us": rounded(measured.us.iter().sum()),
            "mean_us": rounded(mean(&measured.us)),
            "median_us": rounded(median(&measured.us)),
            "p99_us": rounded(quantile(&measured.us, 0.99)),
            "expansions": measured.expansions,
            "mean_length": rounded(measured.mean_length()),
        })
    };
    json!({
        "queries": rectangles.lengths.len(),
        "rectangles": rectangles.ground.size(),
        name.replace(' ', "_"): of(rectangles),
        "grid": of(grid),
        "longer": deviations.len(),
        "deviations": deviations,
    })
}

fn in_words(
    args: &BenchArgs,
    cells: &GridCells,
    name: &str,
    rectangles: &Measured,
    grid: &Measured,
    deviations: &[String],
) -> String {
    let mut text = format!(
        "{}: {} on {} × {} cells as {}, {}\n\n",
        args.file.display(),
        count(rectangles.lengths.len(), "query", "queries"),
        cells.width(),
        cells.depth(),
        count(rectangles.ground.size(), "rectangle", "rectangles"),
        match deviations.len() {
            0 if name == "portals" => "all are found or not as by the grid".to_owned(),
            0 => "no path is longer than the grid's".to_owned(),
            1 => "1 path is longer than the grid's, or found by one only".to_owned(),
            more => format!("{more} paths are longer than the grid's, or found by one only"),
        }
    );
    let _ = writeln!(
        text,
        "{:<10} {:>10} {:>10} {:>10} {:>12} {:>12} {:>10}",
        "a query", "mean us", "median us", "p99 us", "expansions", "mean length", "build ms"
    );
    for (name, measured) in [(name, rectangles), ("grid", grid)] {
        let Measured { us, expansions, build_ms, .. } = measured;
        let (mean_us, median_us, p99_us) = (mean(us), median(us), quantile(us, 0.99));
        let (each, length) = (expansions / us.len().max(1) as u64, measured.mean_length());
        let _ = writeln!(
            text,
            "{name:<10} {mean_us:>10.2} {median_us:>10.2} {p99_us:>10.2} {each:>12} {length:>12.2} {build_ms:>10.1}"
        );
    }
    for deviation in deviations.iter().take(TOLD) {
        let _ = write!(text, "\n{deviation}");
    }
    text.trim_end().to_owned()
}
