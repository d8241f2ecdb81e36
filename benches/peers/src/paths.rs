//! Paths over grids.

use crate::maps::{BenchMap, FAMILIES, MapQuery};
use crate::rectangles;
use crate::runner::{Options, median, timed};
use crate::yardstick::{Cell, Yardstick};
use cicerone::internals::grid::{self, NodeSearch, Overlay};
use cicerone::nav::{Progress, Query};
use cicerone::plan::find_path;
use cicerone::surface::SearchMemory;
use grid_util::grid::ValueGrid;
use hierarchical_pathfinding::prelude::{MooreNeighborhood, PathCache, PathCacheConfig};
use std::collections::BTreeMap;
use std::f64::consts::SQRT_2;
use std::fmt::Write as _;

/// A way to search one map: asked for a path, it gives its length in cells.
type Ask<'a> = Box<dyn FnMut(&MapQuery) -> Option<f64> + 'a>;

/// Somebody who searches: what a row is called, and how to get ready for a map.
struct Peer {
    name: &'static str,
    remark: &'static str,
    begin: for<'a> fn(&'a BenchMap) -> Ask<'a>,
}

const PEERS: &[Peer] = &[
    Peer { name: "cicerone", remark: "cell path", begin: cicerone_cells },
    Peer { name: "cicerone", remark: "made short, at any angle", begin: cicerone_short },
    Peer { name: "simple A*", remark: "the yardstick", begin: simple },
    Peer { name: "pathfinding", remark: "`astar`", begin: pathfinding },
    Peer { name: "grid_pathfinding", remark: "cuts corners", begin: grid_pathfinding },
    Peer { name: "hierarchical_pathfinding", remark: "chunks of 16", begin: hierarchical },
    Peer { name: "polyanya", remark: "at any angle, on merged rectangles", begin: polyanya },
];

/// What a peer did on the maps of a family.
#[derive(Default, Clone)]
struct Sum {
    us: f64,
    queries: usize,
    found: usize,
    /// Lengths of what was found, and the optima of the same queries.
    length: f64,
    optimum: f64,
}

/// All families and peers.
pub fn table(maps: &[BenchMap], options: &Options) -> String {
    let rounds = options.pick(1, 3);
    let mut sums: BTreeMap<(usize, &str), Sum> = BTreeMap::new();
    let mut build_ms = vec![0.0; PEERS.len()];
    for map in maps {
        eprintln!("{} ({} queries)", map.name, map.queries.len());
        for (index, peer) in PEERS.iter().enumerate() {
            let (built, mut ask) = timed(|| (peer.begin)(map));
            build_ms[index] += built.as_secs_f64() * 1e3;
            let sum = sums.entry((index, map.family)).or_default();
            for query in &map.queries {
                let length = ask(query); // warm
                let us: Vec<f64> = (0..rounds).map(|_| timed(|| ask(query)).0.as_secs_f64() * 1e6).collect();
                sum.us += median(&us);
                sum.queries += 1;
                if let Some(length) = length {
                    sum.found += 1;
                    sum.length += length;
                    sum.optimum += query.optimum;
                }
            }
        }
    }
    let families: Vec<&str> =
        FAMILIES.into_iter().filter(|family| maps.iter().any(|map| map.family == *family)).collect();
    let mut text = String::from("| mean us a query (times as long as cicerone's cell path) |");
    text.extend(families.iter().map(|family| format!(" {family} |")));
    text.push_str(" length, optimum = 1 | ready in ms, all maps |\n|---|");
    text.push_str(&"---|".repeat(families.len()));
    text.push_str("---|---|\n");
    for (index, peer) in PEERS.iter().enumerate() {
        let _ = write!(text, "| {}, {} |", peer.name, peer.remark);
        let mut all = Sum::default();
        for family in &families {
            let (sum, ours) = (&sums[&(index, *family)], &sums[&(0, *family)]);
            let mean = sum.us / sum.queries as f64;
            let _ = write!(text, " {mean:.1} ({:.1}) |", sum.us / ours.us);
            all.length += sum.length;
            all.optimum += sum.optimum;
            all.found += sum.found;
            all.queries += sum.queries;
        }
        let lost = all.queries - all.found;
        let lost = if lost > 0 { format!(", {lost} of {} not found", all.queries) } else { String::new() };
        let _ = writeln!(text, " {:.3}{lost} | {:.0} |", all.length / all.optimum, build_ms[index]);
    }
    text
}

fn cicerone_cells(map: &BenchMap) -> Ask<'_> {
    let mut memory = grid::SearchMemory::default();
    let ground = map.ground.as_grid().expect("a map of cells");
    Box::new(move |query| {
        let (from, to) = query.ends_m();
        let (start, goal) = (ground.node_at(from)?, ground.node_at(to)?);
        let nobody = Overlay::default();
        let mut search = NodeSearch::new(ground, start, goal, to, &nobody, std::mem::take(&mut memory));
        while search.advance(ground, &nobody, u64::MAX) == Progress::Running {}
        let (_, cost) = std::hint::black_box(search.way(ground));
        let reached = search.reached();
        memory = search.into_memory();
        reached.then_some(cost)
    })
}

fn cicerone_short(map: &BenchMap) -> Ask<'_> {
    let mut memory = SearchMemory::default();
    Box::new(move |query| {
        let (from, to) = query.ends_m();
        let path = find_path(&map.ground, Query::new(from, to).with_snap_m(0.0), &mut memory);
        path.reason.is_none().then_some(path.length_m)
    })
}

fn simple(map: &BenchMap) -> Ask<'_> {
    let mut simple = Yardstick::new(&map.cells);
    Box::new(move |query| simple.find(query.from, query.to).map(|found| found.cost))
}

/// Costs must be whole numbers there: this many to a step.
const STEP: u64 = 1 << 20;

fn pathfinding(map: &BenchMap) -> Ask<'_> {
    let cells = &map.cells;
    let is_free = move |x: i32, z: i32| {
        (0..cells.width() as i32).contains(&x)
            && (0..cells.depth() as i32).contains(&z)
            && cells.is_walkable(x as u32, z as u32)
    };
    let diagonal = (SQRT_2 * STEP as f64).round() as u64;
    Box::new(move |query| {
        let cell = |(x, z): Cell| (x as i32, z as i32);
        let goal = cell(query.to);
        let steps = |&(x, z): &(i32, i32)| {
            const AROUND: [(i32, i32); 8] =
                [(0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (1, -1), (-1, 1), (1, 1)];
            AROUND.into_iter().filter_map(move |(dx, dz)| {
                let straight = dx == 0 || dz == 0;
                let free = is_free(x + dx, z + dz) && (straight || is_free(x + dx, z) && is_free(x, z + dz));
                free.then_some(((x + dx, z + dz), if straight { STEP } else { diagonal }))
            })
        };
        let left = |&(x, z): &(i32, i32)| {
            let (far_x, far_z) = (u64::from(x.abs_diff(goal.0)), u64::from(z.abs_diff(goal.1)));
            far_x.abs_diff(far_z) * STEP + far_x.min(far_z) * diagonal
        };
        let found = pathfinding::prelude::astar(&cell(query.from), steps, left, |cell| *cell == goal);
        found.map(|(_, cost)| cost as f64 / STEP as f64)
    })
}

fn grid_pathfinding(map: &BenchMap) -> Ask<'_> {
    let (width, depth) = (map.cells.width() as usize, map.cells.depth() as usize);
    let mut grid = grid_pathfinding::PathingGrid::new(width, depth, false);
    for z in 0..depth {
        for x in 0..width {
            if !map.cells.is_walkable(x as u32, z as u32) {
                grid.set(x as i32, z as i32, true);
            }
        }
    }
    grid.generate_components();
    Box::new(move |query| {
        let point = |(x, z): Cell| grid_util::point::Point::new(x as i32, z as i32);
        let path = grid.get_path_single_goal(point(query.from), point(query.to), false)?;
        Some(path.windows(2).map(|pair| step((pair[0].x, pair[0].y), (pair[1].x, pair[1].y))).sum())
    })
}

fn hierarchical(map: &BenchMap) -> Ask<'_> {
    let cells = &map.cells;
    let (width, depth) = (cells.width() as usize, cells.depth() as usize);
    let cost = move |(x, z): (usize, usize)| if cells.is_walkable(x as u32, z as u32) { 1 } else { -1 };
    let cache = PathCache::new(
        (width, depth),
        cost,
        MooreNeighborhood::new(width, depth),
        PathCacheConfig::with_chunk_size(16),
    );
    Box::new(move |query| {
        let place = |(x, z): Cell| (x as usize, z as usize);
        let mut at = place(query.from);
        let mut length = 0.0;
        for next in cache.find_path(at, place(query.to), cost)? {
            length += step((at.0 as i32, at.1 as i32), (next.0 as i32, next.1 as i32));
            at = next;
        }
        Some(length)
    })
}

fn polyanya(map: &BenchMap) -> Ask<'_> {
    let mesh = rectangles::mesh(&map.cells);
    Box::new(move |query| {
        let point = |(x, z): Cell| glam_of_polyanya::Vec2::new(x as f32 + 0.5, z as f32 + 0.5);
        mesh.path(point(query.from), point(query.to)).map(|path| f64::from(path.length))
    })
}

/// The length of a step between neighbours.
fn step(from: (i32, i32), to: (i32, i32)) -> f64 {
    libm::hypot(f64::from(from.0.abs_diff(to.0)), f64::from(from.1.abs_diff(to.1)))
}
