//! The fast search against the simple one: on ten thousand random queries over random grids, with doors that open and
//! close and people who stand in the way in between; and against Dijkstra's algorithm where nodes are sampled, and
//! joined with four or eight neighbours. One scratch space serves all of them, so whatever is remembered wrongly would
//! show.

#[path = "../../src/cli/bench/yardstick.rs"]
#[allow(unreachable_pub, dead_code)] // of what the command has, part is needed
mod yardstick;

use crate::common::in_sweeps;
use cicerone::internals::grid::{self, Grid, Node, NodeSearch, Overlay};
use cicerone::internals::{Planner, grid_memory};
use cicerone::nav::{AreaId, Disc, Outcome, Path, Position, Progress, Query, Step};
use cicerone::plan::{Grounds, LinkNet, find_path};
use cicerone::room::{Area, GridCells, GroundSettings, Room, Sampling};
use cicerone::surface::{SearchMemory, Surface};
use glam::{DVec2, dvec2};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::sync::Arc;
use yardstick::Yardstick;

/// Numbers that look random (splitmix64).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % u64::from(end)) as u32
    }
}

/// Cells a metre wide: noise, halls with walls, or open ground with blocks, and doors on top.
fn room(random: &mut Random, most: u32) -> Room {
    let (width, depth) = (5 + random.below(most), 5 + random.below(most));
    let mut blocked = vec![false; (width * depth) as usize];
    let kind = random.below(3);
    let share = random.below(45);
    match kind {
        0 => blocked.iter_mut().for_each(|cell| *cell = random.below(100) < share),
        1 => {
            let every = 4 + random.below(20);
            for z in 0..depth {
                for x in 0..width {
                    let wall = x % every == 0 || z % every == 0;
                    blocked[(z * width + x) as usize] = wall && random.below(100) < 60 + share;
                }
            }
        }
        _ => {
            for _ in 0..share {
                let (x, z) = (random.below(width), random.below(depth));
                let (to_x, to_z) = (x + 1 + random.below(30), z + 1 + random.below(10));
                for z in z..to_z.min(depth) {
                    (x..to_x.min(width)).for_each(|x| blocked[(z * width + x) as usize] = true);
                }
            }
        }
    }
    let grid = GridCells::new(DVec2::ZERO, width, depth, |x, z| !blocked[(z * width + x) as usize]);
    let areas = (0..10).map(|index| {
        let low = dvec2(f64::from(random.below(width)), f64::from(random.below(depth)));
        let high = low + dvec2(f64::from(1 + random.below(25)), f64::from(1 + random.below(25)));
        let high = high.min(dvec2(f64::from(width), f64::from(depth)));
        let polygon = vec![low, dvec2(high.x, low.y), high, dvec2(low.x, high.y)];
        with!(Area::new(format!("door {index}"), polygon), available = random.below(2) == 0)
    });
    with!(
        Room::default(),
        areas = areas.collect(),
        grid = Some(Arc::new(grid)),
        ground = with!(GroundSettings::default(), cell_size_m = 1.0)
    )
}

/// The cells as they are now, without those that are covered.
fn cells(ground: &Grid, overlay: &Overlay, keep: Node) -> GridCells {
    let frame = ground.frame();
    let is_free =
        |node: Node| ground.is_walkable(ground.centre(node)) && (!overlay.covers(node) || node == keep);
    GridCells::new(frame.min, frame.width, frame.depth, |x, z| is_free(Node(z * frame.width + x)))
}

/// What everything that can be reached costs: Dijkstra's algorithm over the ground's edges.
fn flood(ground: &Grid, overlay: &Overlay, start: Node) -> BTreeMap<Node, f64> {
    let mut settled = BTreeMap::new();
    let mut open = BTreeMap::from([((0, start), ())]);
    let mut costs = BTreeMap::from([(start, 0.0_f64)]);
    while let Some(((_, node), ())) = open.pop_first() {
        if settled.contains_key(&node) {
            continue;
        }
        let here = costs[&node];
        settled.insert(node, here);
        ground.for_each_edge(node, overlay, |to, step| {
            let cost = here + step;
            if costs.get(&to).is_none_or(|&known| cost < known) {
                costs.insert(to, cost);
                open.insert((cost.to_bits(), to), ());
            }
        });
    }
    settled
}

#[test]
fn ten_thousand_queries_cost_what_the_simple_search_says() {
    let (mut random, mut memory) = (Random(1), SearchMemory::default());
    let (mut reached, mut blocked, mut around, mut unreachable) = (0, 0, 0, 0);
    let (mut queries, mut avoided) = (0, BTreeMap::new());
    while queries < in_sweeps(10_000, 2_500) {
        let room = room(&mut random, 150);
        let mut surface = Grounds::new(Surface::new(&room).unwrap());
        let frame = *surface.as_grid().unwrap().frame();
        let (width, depth) = (frame.width, frame.depth);
        for _ in 0..40 {
            if random.below(3) == 0 {
                let area = AreaId(random.below(room.areas.len() as u32) as usize);
                let open = surface.area_available(area);
                let ground = surface.as_grid().unwrap();
                match random.below(4) {
                    // As a script that is refused: the ground is as before, and what was found in between must be
                    // forgotten.
                    0 => {
                        let (from, to) = (some_node(ground, &mut random), some_node(ground, &mut random));
                        surface.try_area_available(area, !open, |trial| {
                            let trial = trial.as_grid().unwrap();
                            if let (Some(from), Some(to)) = (from, to)
                                && [from, to].iter().all(|&node| trial.is_walkable(trial.centre(node)))
                            {
                                search(trial, from, to, &Overlay::default(), grid_memory(&mut memory));
                            }
                            false
                        });
                    }
                    _ => drop(surface.set_area_available(area, !open)),
                }
            }
            let ground = surface.as_grid().unwrap();
            let (Some(start), Some(goal)) = (some_node(ground, &mut random), some_node(ground, &mut random))
            else {
                continue;
            };
            let discs: Vec<Disc> = (0..random.below(3) * random.below(8) + 60 * (random.below(10) / 9))
                .map(|_| Disc {
                    centre: Position::on_ground(dvec2(
                        f64::from(random.below(width)),
                        f64::from(random.below(depth)),
                    )),
                    radius_m: f64::from(1 + random.below(30)) / 10.0,
                })
                .collect();
            let overlay = ground.overlay(&discs);
            if overlay.covers(goal) && goal != start {
                continue;
            }
            queries += 1;
            let mut simple = Yardstick::new(&cells(ground, &overlay, start));
            let cell = |node: Node| (node.0 % width, node.0 / width);
            let expected = simple.find(cell(start), cell(goal));
            let (way, cost, found) = search(ground, start, goal, &overlay, grid_memory(&mut memory));
            let place = || format!("{width} × {depth}, {start:?} to {goal:?}, query {queries}");
            assert_eq!(found, expected.is_some(), "{}", place());
            if !overlay.is_empty() {
                let expected = expected.as_ref().map(|expected| expected.cost);
                let path = ask(&surface, (start, goal), discs, &mut memory, &mut avoided);
                assert_goes_round(ground, start, &overlay, &path, expected, &place());
            }
            if let Some(expected) = expected {
                assert!((cost - expected.cost).abs() < 1e-9 * expected.cost.max(1.0), "{}: {cost}", place());
                assert_is_a_way(ground, &overlay, &way, cost);
                assert_eq!((way.first(), way.last()), (Some(&start), Some(&goal)), "{}", place());
                reached += 1;
                around += usize::from(!overlay.is_empty());
            } else if !overlay.is_empty() {
                blocked += 1;
            } else {
                unreachable += 1;
                assert!(!ground.may_reach(start, goal), "{}", place());
                let all = flood(ground, &overlay, start);
                let asked = ground.centre(goal);
                let nearest = |(node, cost): (&Node, &f64)| {
                    (ground.distance_sq_cells(*node, asked), (cost * 1e9) as u64, *node)
                };
                let expected = all.iter().map(nearest).min().unwrap();
                let end = *way.last().unwrap();
                assert_eq!(
                    (expected.0, expected.2),
                    (ground.distance_sq_cells(end, asked), end),
                    "{}",
                    place()
                );
            }
        }
    }
    // A test that had nothing to compare would pass, too.
    for (what, count) in
        [("reached", reached), ("blocked", blocked), ("around", around), ("unreachable", unreachable)]
    {
        assert!(count > in_sweeps(500, 100), "{what}: {count}");
    }
    // Nobody was met, one, some, and so many that all were avoided.
    let met = |range: RangeInclusive<usize>| avoided.range(range).map(|(_, count)| count).sum::<u32>();
    for range in [0..=0, 1..=1, 2..=8, 9..=100] {
        assert!(met(range.clone()) > in_sweeps(30, 3), "{range:?} avoided: {avoided:?}");
    }
}

#[test]
fn where_nodes_are_sampled_ways_cost_what_dijkstra_says() {
    let (mut random, mut memory) = (Random(2), SearchMemory::default());
    let (mut counts, mut avoided) = (BTreeMap::new(), BTreeMap::new());
    let mut queries = 0;
    while queries < 6_000 {
        let mut room = room(&mut random, 70);
        let rate_px = [1.0, 2.0, 3.0, 1.7, 2.5][random.below(5) as usize];
        let (eight, cover) = (rate_px > 1.0 && random.below(4) == 0, random.below(4) == 0);
        room.ground.sampling = Some(Sampling { rate_px, eight, cover });
        let mut surface = Surface::new(&room).unwrap();
        let frame = *surface.as_grid().unwrap().frame();
        let (width, depth) = (frame.width, frame.depth);
        let nodes: Vec<Node> = (0..surface.node_limit() as u32).map(Node).collect();
        for _ in 0..40 {
            if random.below(3) == 0 {
                let area = AreaId(random.below(room.areas.len() as u32) as usize);
                surface.set_area_available(area, !surface.area_available(area));
            }
            let ground = surface.as_grid().unwrap();
            let is_node = |node: &&Node| ground.node_at(ground.centre(**node)) == Some(**node);
            let mut some_node =
                || (0..100).map(|_| &nodes[random.below(nodes.len() as u32) as usize]).find(is_node).copied();
            let (Some(start), Some(goal)) = (some_node(), some_node()) else { continue };
            let discs: Vec<Disc> = (0..random.below(3) * random.below(8))
                .map(|_| {
                    let mut part = || f64::from(random.below(1_000)) / 1e3;
                    let centre = dvec2(part() * f64::from(width), part() * f64::from(depth));
                    Disc { centre: Position::on_ground(centre), radius_m: 0.3 + 3.0 * part() }
                })
                .collect();
            let overlay = ground.overlay(&discs);
            if overlay.covers(goal) {
                continue;
            }
            queries += 1;
            let place = format!("{rate_px} px, eight: {eight}, {start:?} to {goal:?}, query {queries}");
            let all = flood(ground, &overlay, start);
            let (way, cost, found) = search(ground, start, goal, &overlay, grid_memory(&mut memory));
            assert_eq!(found, all.contains_key(&goal), "{place}");
            let kind = match (found, overlay.is_empty()) {
                (true, true) => "reached",
                (true, false) => "around",
                (false, true) => "unreachable",
                (false, false) => "blocked",
            };
            *counts.entry((eight, kind)).or_insert(0) += 1;
            if !overlay.is_empty() {
                let path = ask(&surface, (start, goal), discs, &mut memory, &mut avoided);
                // Where nodes are not evenly apart, edges are counted in pixels.
                let unit_px = if rate_px.fract() == 0.0 { rate_px } else { 1.0 };
                let cost = all.get(&goal).map(|cost| cost * unit_px);
                assert_goes_round(ground, start, &overlay, &path, cost, &place);
            }
            if !found && !overlay.is_empty() {
                continue;
            }
            // Out of reach, the nearest one that can be reached, of equals the one that is cheaper to get to.
            let asked = ground.centre(goal);
            let nearest = |(node, cost): (&Node, &f64)| {
                (ground.distance_sq_cells(*node, asked), (cost * 1e9).round() as u64, *node)
            };
            let end = if found { goal } else { all.iter().map(nearest).min().unwrap().2 };
            assert_eq!((way.first(), way.last()), (Some(&start), Some(&end)), "{place}");
            assert!((cost - all[&end]).abs() < 1e-9 * cost.max(1.0), "{place}: {cost}, not {}", all[&end]);
            assert_is_a_way(ground, &overlay, &way, cost);
        }
    }
    for eight in [false, true] {
        for kind in ["reached", "around", "unreachable", "blocked"] {
            assert!(counts.get(&(eight, kind)).is_some_and(|&count| count > 100), "{counts:?}");
        }
    }
    assert!(avoided.get(&0).is_some_and(|&count| count > 100), "{avoided:?}");
    assert!(avoided.range(1..).map(|(_, count)| count).sum::<u32>() > 100, "{avoided:?}");
}

fn search(
    ground: &Grid,
    start: Node,
    goal: Node,
    overlay: &Overlay,
    memory: &mut grid::SearchMemory,
) -> (Vec<Node>, f64, bool) {
    let asked = ground.centre(goal);
    let mut search = NodeSearch::new(ground, start, goal, asked, overlay, std::mem::take(memory));
    while search.advance(ground, overlay, 7) == Progress::Running {}
    let ((way, cost), found) = (search.way(ground), search.reached());
    *memory = search.into_memory();
    (way, cost, found)
}

/// The whole query: with a look ahead, and string pulling.
///
/// Searched a little at a time; in between it is now and then saved and brought back. Notes how many were searched
/// round at last.
fn ask(
    surface: &Surface,
    (start, goal): (Node, Node),
    obstacles: Vec<Disc>,
    memory: &mut SearchMemory,
    avoided: &mut BTreeMap<usize, u32>,
) -> Path {
    let ground = surface.as_grid().unwrap();
    let (from, to) = (ground.centre(start), ground.centre(goal));
    let query = Query::new(from, to).with_snap_m(0.0).with_obstacles(obstacles);
    let mut planner = Planner::new(surface, &LinkNet::default(), query.clone(), std::mem::take(memory));
    let mut turns = 0;
    while planner.advance(surface, &LinkNet::default(), 5) == Progress::Running {
        turns += 1;
        if turns % 7 == 0 {
            planner = Planner::restore(
                surface,
                &LinkNet::default(),
                planner.state(surface, &LinkNet::default()),
                SearchMemory::default(),
            );
        }
    }
    *avoided.entry(planner.state(surface, &LinkNet::default()).avoided.len()).or_default() += 1;
    let (mut path, used) = planner.finish(surface);
    *memory = used;
    let at_once = find_path(surface, query, memory);
    path.expansions = at_once.expansions; // those of earlier rounds are not saved
    assert_eq!(path, at_once, "saved and brought back, it answers the same");
    path
}

/// A path is as cheap as the simple search says, and every leg of it keeps clear of those in the way; without such a
/// way it ignores them.
fn assert_goes_round(
    ground: &Grid,
    start: Node,
    overlay: &Overlay,
    path: &Path,
    expected: Option<f64>,
    place: &str,
) {
    match expected {
        Some(expected) => {
            assert_eq!((path.outcome, path.step), (Outcome::Complete, Step::Avoiding), "{place}");
            let cost = path.cost_cells;
            assert!((cost - expected).abs() < 1e-9 * expected.max(1.0), "{place}: {cost}");
        }
        // Where nodes lie apart, a line of sight may be a way that they do not know; it keeps clear, too.
        None if path.step == Step::Avoiding && path.outcome == Outcome::Complete => {
            assert!(!ground.nodes_are_cells(), "{place}");
        }
        None => return assert_ne!(path.step, Step::Avoiding, "{place}"),
    }
    let mut at = ground.centre(start);
    for &to in &path.waypoints {
        assert!(ground.segment_clear_of(at, to.at, overlay), "{place}: from {at} to {to}");
        at = to.at;
    }
}

fn some_node(ground: &Grid, random: &mut Random) -> Option<Node> {
    (0..100)
        .map(|_| Node(random.below(ground.node_limit() as u32)))
        .find(|&node| ground.is_walkable(ground.centre(node)))
}

/// Every step is an edge of the ground, and together they cost what was said.
fn assert_is_a_way(ground: &Grid, overlay: &Overlay, way: &[Node], cost: f64) {
    let mut sum = 0.0;
    for pair in way.windows(2) {
        let mut step = None;
        ground.for_each_edge(pair[0], overlay, |to, cost| step = step.or((to == pair[1]).then_some(cost)));
        sum += step.unwrap_or_else(|| panic!("no step from {:?} to {:?}", pair[0], pair[1]));
    }
    assert!((sum - cost).abs() < 1e-9 * cost.max(1.0), "{sum}, not {cost}");
}
