//! Cell paths without smoothing, against simple A*: same queries, same run, one thread.
//!
//! A round is a pass over all queries of a map with one of the two and then with the other, so that each has its own
//! data in the cache; which of them begins alternates. A query's time is the median of its rounds. Both are asked for
//! the cells of the way, not only for its cost.

use crate::maps::{self, BenchMap, FAMILIES, MapQuery};
use crate::memory;
use crate::runner::{Entry, Options, Report, Table, median, timed};
use crate::yardstick::Yardstick;
use cicerone::internals::grid::{self, NodeSearch, Overlay};
use cicerone::internals::grid_memory;
use cicerone::nav::Progress;
use cicerone::surface::{SearchMemory, Surface};
use glam::DVec2;

/// What one map gave: sums over its queries.
struct Score {
    queries: usize,
    simple: Side,
    ours: Side,
    grid_bits_per_cell: f64,
}

#[derive(Default, Clone)]
struct Side {
    /// Sum of the queries' median times.
    us: f64,
    expansions: u64,
    bytes_per_cell: f64,
    /// Allocations a query, once warm.
    allocations: f64,
}

pub fn run(options: &Options, report: &mut Report) {
    let maps = maps::load(options, report);
    let mut by_map = Table::new("by map", MAP_HEADINGS);
    let mut scores = Vec::new();
    for map in &maps {
        let score = judge(map, options.pick(1, 3));
        by_map.row(map_row(map, &score));
        scores.push((map.family, score));
    }
    report.table(&by_map);
    report.table(&family_table(&scores));
    report.note("ratio: sum of simple A*'s times / sum of ours; costs are equal on every query");
    report.note("bytes/cell: the most that is held while searching; simple A*'s has its copy of the grid, ours is grid_bits");
}

const MAP_HEADINGS: &[&str] = &[
    "map",
    "family",
    "queries",
    "ratio",
    "simple_us",
    "ours_us",
    "simple_ns/expansion",
    "ours_ns/expansion",
    "simple_expansions",
    "ours_expansions",
    "simple_bytes/cell",
    "ours_bytes/cell",
    "ours_allocs/query",
    "grid_bits/cell",
];

fn map_row(map: &BenchMap, score: &Score) -> Vec<Entry> {
    let each = 1.0 / score.queries as f64;
    let ns = |side: &Side| Entry::Real(side.us * 1e3 / side.expansions as f64, 0);
    let expansions = |side: &Side| Entry::Real(side.expansions as f64 * each, 0);
    vec![
        map.name.as_str().into(),
        map.family.into(),
        score.queries.into(),
        Entry::Real(score.simple.us / score.ours.us, 2),
        Entry::Real(score.simple.us * each, 1),
        Entry::Real(score.ours.us * each, 1),
        ns(&score.simple),
        ns(&score.ours),
        expansions(&score.simple),
        expansions(&score.ours),
        Entry::Real(score.simple.bytes_per_cell, 1),
        Entry::Real(score.ours.bytes_per_cell, 1),
        Entry::Real(score.ours.allocations, 1),
        Entry::Real(score.grid_bits_per_cell, 2),
    ]
}

fn family_table(scores: &[(&'static str, Score)]) -> Table {
    let headings = &["family", "maps", "queries", "ratio", "simple_us", "ours_us"];
    let mut table = Table::new("by family", headings);
    for family in FAMILIES {
        let its: Vec<&Score> =
            scores.iter().filter(|(other, _)| *other == family).map(|(_, score)| score).collect();
        if its.is_empty() {
            continue;
        }
        let queries: usize = its.iter().map(|score| score.queries).sum();
        let simple: f64 = its.iter().map(|score| score.simple.us).sum();
        let ours: f64 = its.iter().map(|score| score.ours.us).sum();
        table.row(vec![
            family.into(),
            its.len().into(),
            queries.into(),
            Entry::Real(simple / ours, 2),
            Entry::Real(simple / queries as f64, 1),
            Entry::Real(ours / queries as f64, 1),
        ]);
    }
    table
}

fn judge(map: &BenchMap, rounds: usize) -> Score {
    let cells = map.ground.as_grid().unwrap().frame().len() as f64;
    let allocated = |taken: memory::Taken| taken.peak_bytes as f64 / cells;
    let mut memory = SearchMemory::default();

    // The pass that warms up is the one whose memory is counted, and whose costs are compared.
    let (taken, ours) = memory::watch(|| {
        each(map, |query| self::ours(&map.ground, query.ends_m(), grid_memory(&mut memory)))
    });
    let mut our_side = Side { bytes_per_cell: allocated(taken), ..Side::default() };
    our_side.expansions = ours.iter().map(|(_, expansions)| expansions).sum();
    let (taken, (its, fresh)) = memory::watch(|| {
        let mut fresh = Yardstick::new(&map.cells);
        (each(map, |query| fresh.find(query.from, query.to).unwrap().cost), fresh)
    });
    let its_side =
        Side { bytes_per_cell: allocated(taken), expansions: fresh.expansions(), ..Side::default() };
    let mut yardstick = fresh;
    for (((ours, _), its), query) in ours.iter().zip(&its).zip(&map.queries) {
        let same = (ours - its).abs() <= 1e-9 * its.max(1.0);
        // Scenario files round their lengths, some to three digits.
        let optimal = (ours - query.optimum).abs() <= (query.optimum * 1e-3).max(0.006);
        let (from, to) = (query.from, query.to);
        assert!(same && optimal, "{}: {from:?} to {to:?}: {ours}, simple A* {its}", map.name);
    }
    let some: Vec<&MapQuery> = map.queries.iter().step_by(8).collect();
    let (taken, ()) = memory::watch(|| {
        for query in &some {
            self::ours(&map.ground, query.ends_m(), grid_memory(&mut memory));
        }
    });
    our_side.allocations = taken.calls as f64 / some.len() as f64;

    let mut our_us = vec![Vec::with_capacity(rounds); map.queries.len()];
    let mut its_us = our_us.clone();
    for round in 0..rounds {
        for turn in 0..2 {
            let ours_now = (round + turn) % 2 == 0;
            for (index, query) in map.queries.iter().enumerate() {
                if ours_now {
                    let (time, _) =
                        timed(|| self::ours(&map.ground, query.ends_m(), grid_memory(&mut memory)));
                    our_us[index].push(time.as_secs_f64() * 1e6);
                } else {
                    let (time, _) = timed(|| yardstick.find(query.from, query.to));
                    its_us[index].push(time.as_secs_f64() * 1e6);
                }
            }
        }
    }
    let sum = |times: &[Vec<f64>]| times.iter().map(|rounds| median(rounds)).sum();
    Score {
        queries: map.queries.len(),
        simple: Side { us: sum(&its_us), ..its_side.clone() },
        ours: Side { us: sum(&our_us), ..our_side },
        grid_bits_per_cell: map.ground.as_grid().unwrap().words().len() as f64 * 64.0 / cells,
    }
}

fn each<T>(map: &BenchMap, ask: impl FnMut(&MapQuery) -> T) -> Vec<T> {
    map.queries.iter().map(ask).collect()
}

/// The product's search on its own: cost, and nodes expanded.
pub fn ours(ground: &Surface, (from, to): (DVec2, DVec2), memory: &mut grid::SearchMemory) -> (f64, u64) {
    let ground = ground.as_grid().expect("a grid");
    let start = ground.node_at(from).expect("a query begins on walkable ground");
    let goal = ground.node_at(to).expect("a query ends on walkable ground");
    let nobody = Overlay::default();
    let mut search = NodeSearch::new(ground, start, goal, to, &nobody, std::mem::take(memory));
    while search.advance(ground, &nobody, u64::MAX) == Progress::Running {}
    let (way, cost) = search.way(ground);
    std::hint::black_box(way);
    let expansions = search.expansions();
    *memory = search.into_memory();
    (cost, expansions)
}
