//! Routes along waypaths against oracles: all orders of their parts, and Dijkstra's algorithm over the cells.

use super::random::{mesh_room, storeys};
use super::{KINDS, Kind, room_for};
use crate::mesh::test_rooms::{Random, random_room};
use crate::nav::{Outcome, Path, Place, Position, Query};
use crate::plan::{LinkNet, WAYPATH_SHARE, find_path, find_route};
use crate::room::{Area, Link, LinkKind, Room, Waypath, WaypathKind};
use crate::surface::{SearchMemory, Surface};
use crate::sweeps::sweeps;
use glam::{DVec2, dvec2};

fn route(ground: &Surface, net: &LinkNet, query: &Query) -> Path {
    find_route(ground, net, query.clone(), &mut SearchMemory::default())
}

/// A hall of 20 by 8 metres.
fn hall(kind: Kind) -> Surface {
    let corners = [(0.0, 0.0), (20.0, 0.0), (20.0, 8.0), (0.0, 8.0)].map(DVec2::from);
    let ground = super::sample("A1A").room.ground;
    let areas = vec![Area::new("hall", corners.to_vec())];
    Surface::new(&room_for(kind, &Room { areas, ground, ..Room::default() })).unwrap()
}

/// A lane from the start of a walk of ten metres to its end, `beside_m` metres beside the straight way.
fn lane(beside_m: f64, kind: WaypathKind) -> Waypath {
    let z = 2.05 + beside_m;
    Waypath::new("lane", kind, [(4.05, 2.05), (4.05, z), (14.05, z), (14.05, 2.05)].map(DVec2::from))
}

fn across() -> Query {
    Query::new(dvec2(4.05, 2.05), dvec2(14.05, 2.05))
}

#[test]
fn a_lane_a_fifth_longer_is_taken_and_one_two_fifths_longer_is_not() {
    for kind in KINDS {
        let ground = hall(kind);
        for (beside_m, is_taken) in [(1.0, true), (2.0, false)] {
            let net = LinkNet::with_waypaths(&ground, &[], &[lane(beside_m, WaypathKind::OneWay)]);
            let path = route(&ground, &net, &across());
            assert_eq!(path.outcome, Outcome::Complete);
            assert_eq!(!path.steps.is_empty(), is_taken, "{kind:?}, {beside_m} m beside: {path:?}");
            let cost_m = ground.cost_m(&path);
            assert!(if is_taken { cost_m < 9.0 + 0.3 } else { cost_m > 9.8 }, "{kind:?}: {cost_m} m");
        }
    }
}

#[test]
fn lanes_lead_one_way_both_ways_or_round_and_for_some_only() {
    let back = || Query::new(dvec2(14.05, 2.05), dvec2(4.05, 2.05));
    for kind in KINDS {
        let ground = hall(kind);
        let taken = |waypath: Waypath, query: &Query| {
            let net = LinkNet::with_waypaths(&ground, &[], &[waypath]);
            !route(&ground, &net, query).steps.is_empty()
        };
        assert!(
            taken(lane(0.8, WaypathKind::OneWay), &across())
                && !taken(lane(0.8, WaypathKind::OneWay), &back())
        );
        assert!(
            taken(lane(0.8, WaypathKind::TwoWay), &across())
                && taken(lane(0.8, WaypathKind::TwoWay), &back())
        );
        // The last piece of the loop leads straight back.
        assert!(
            taken(lane(0.8, WaypathKind::Loop), &across()) && taken(lane(0.8, WaypathKind::Loop), &back())
        );
        let for_crew = || Waypath { tags: vec!["crew".into()], ..lane(0.8, WaypathKind::OneWay) };
        assert!(!taken(for_crew(), &across()) && taken(for_crew(), &across().with_tags(["crew".to_owned()])));
        assert!(!taken(Waypath { available: false, ..lane(0.8, WaypathKind::OneWay) }, &across()));
    }
}

#[test]
fn what_cannot_be_used_changes_neither_paths_nor_work() {
    for kind in KINDS {
        let ground = hall(kind);
        let for_crew = Waypath { tags: vec!["crew".into()], ..lane(0.5, WaypathKind::TwoWay) };
        let net = LinkNet::with_waypaths(&ground, &[], &[for_crew]);
        let direct = find_path(&ground, across(), &mut SearchMemory::default());
        assert_eq!(route(&ground, &net, &across()), direct, "{kind:?}");
    }
}

#[test]
fn a_walker_leaves_a_lane_that_a_stander_blocks() {
    for kind in KINDS {
        let ground = hall(kind);
        let net = LinkNet::with_waypaths(&ground, &[], &[lane(0.5, WaypathKind::OneWay)]);
        let disc = crate::nav::Disc { centre: ground.locate(dvec2(13.0, 2.55)), radius_m: 0.3 };
        let path = route(&ground, &net, &across().with_obstacles([disc]));
        let mut at = dvec2(4.05, 2.05);
        assert!(!path.steps.is_empty(), "{kind:?}");
        for to in path.points() {
            assert!(disc.lets_pass(at, to), "{kind:?}: {path:?}");
            at = to;
        }
    }
}

#[test]
fn jumps_lead_over_gaps_and_partial_paths_along_lanes() {
    for kind in KINDS {
        let super::Sample { room, .. } = super::sample(
            "A1AAAAAA..BB2B
             AAAAAAAA..BBBB
             AAAAAAAA..BBBB",
        );
        let ground = Surface::new(&room_for(kind, &room)).unwrap();
        let mut waypath = Waypath::new(
            "leap",
            WaypathKind::OneWay,
            [(2.05, 1.55), (7.55, 1.55), (10.55, 1.55)].map(DVec2::from),
        );
        let query = Query::new(dvec2(1.55, 1.55), dvec2(12.55, 1.55));
        let net = LinkNet::with_waypaths(&ground, &[], &[waypath.clone()]);
        let path = route(&ground, &net, &query);
        assert_eq!(path.outcome, Outcome::Partial, "{kind:?}: nobody walks over the gap");
        assert!(!path.steps.is_empty(), "{kind:?}: but as near as possible, along the lane");
        waypath.points[1].action.jump = true;
        let net = LinkNet::with_waypaths(&ground, &[], &[waypath]);
        let path = route(&ground, &net, &query);
        assert_eq!((path.outcome, path.crossings.len()), (Outcome::Complete, 1), "{kind:?}");
        let points: Vec<_> = path.steps.iter().filter_map(|step| step.point).collect();
        assert!(points.ends_with(&[1, 2]) && path.steps.len() >= 2, "{kind:?}: {path:?}");
    }
}

fn random_ground(kind: Kind, seed: u64) -> Surface {
    let room = match kind {
        // Only links join its storeys.
        Kind::Mesh if seed.is_multiple_of(2) => storeys(&mut Random(seed), false),
        Kind::Mesh => mesh_room(seed),
        _ => room_for(kind, &random_room(seed)),
    };
    Surface::new(&room).unwrap()
}

/// A walkable place, if a few attempts find one.
fn walkable(random: &mut Random, ground: &Surface) -> Option<Place> {
    let (min, max) = ground.bounds();
    let mut at = || ground.locate(dvec2(random.within(min.x, max.x), random.within(min.y, max.y)));
    let at = (0..200).map(|_| at()).find(|at| ground.is_walkable(*at))?;
    Some(ground.place_of(at))
}

/// Waypaths over walkable places. Pieces that leave the ground cannot be used.
fn random_waypaths(random: &mut Random, ground: &Surface) -> Vec<Waypath> {
    let mut all = Vec::new();
    for number in 0..2 {
        let points: Vec<Place> = (0..3 + random.below(2)).filter_map(|_| walkable(random, ground)).collect();
        let kind = [WaypathKind::OneWay, WaypathKind::TwoWay, WaypathKind::Loop][random.below(3) as usize];
        if points.len() > 1 {
            all.push(Waypath::new(format!("way {number}"), kind, points));
        }
    }
    all
}

/// The cost of the cheapest order of parts of waypaths and links, by Bellman and Ford over paths between all of them.
fn cheapest_m(ground: &Surface, net: &LinkNet, query: &Query) -> f64 {
    let leg_m = |from: Position, to: Position| {
        let mut leg = Query::new(ground.place_of(from), ground.place_of(to)).with_snap_m(query.snap_m);
        leg.from_floor = ground.floor_of(from);
        let path = find_path(ground, leg, &mut SearchMemory::default());
        if path.outcome == Outcome::Complete { ground.cost_m(&path) } else { f64::INFINITY }
    };
    let (start, goal) = (ground.locate(query.from), ground.locate(query.to));
    let mut ways = net.parts(ground, query, [Some(start), Some(goal)]);
    for placed in net.links() {
        let [entry, exit] = placed.ends.unwrap();
        ways.push((entry, exit, placed.cost_m));
    }
    let between: Vec<Vec<f64>> = ways
        .iter()
        .map(|from| ways.iter().map(|to| if from.1 == to.0 { 0.0 } else { leg_m(from.1, to.0) }).collect())
        .collect();
    let mut cost_m: Vec<f64> = ways.iter().map(|way| leg_m(start, way.0) + way.2).collect();
    for _ in 0..ways.len() {
        for (to, way) in ways.iter().enumerate() {
            let over = (0..ways.len()).map(|from| cost_m[from] + between[from][to] + way.2);
            cost_m[to] = over.fold(cost_m[to], f64::min);
        }
    }
    let over = ways.iter().zip(&cost_m).map(|(way, cost_m)| cost_m + leg_m(way.1, goal));
    over.fold(leg_m(start, goal), f64::min)
}

#[test]
fn routes_are_as_cheap_as_the_best_order_of_parts() {
    let (mut along, mut asked) = (0, 0);
    for seed in 0..if sweeps() { 250 } else { 50 } {
        let kind = KINDS[(seed % KINDS.len() as u64) as usize];
        let ground = random_ground(kind, seed);
        let mut random = Random(seed ^ 0x1a_4e);
        let mut links = Vec::new();
        if let (Some(from), Some(to)) = (walkable(&mut random, &ground), walkable(&mut random, &ground)) {
            let cost_m = Some(random.within(0.0, 4.0));
            links.push(Link { one_way: true, cost_m, ..Link::new("link", LinkKind::Jump, from, to) });
        }
        let waypaths = random_waypaths(&mut random, &ground);
        let net = LinkNet::with_waypaths(&ground, &links, &waypaths);
        for _ in 0..2 {
            let (Some(from), Some(to)) = (walkable(&mut random, &ground), walkable(&mut random, &ground))
            else {
                continue;
            };
            let query = Query::new(from, to);
            let direct = find_path(&ground, query.clone(), &mut SearchMemory::default());
            let path = route(&ground, &net, &query);
            check_path(&ground, &net, from, &path);
            if direct.outcome != Outcome::Complete {
                continue; // links come first then
            }
            let (expected_m, found_m) = (cheapest_m(&ground, &net, &query), ground.cost_m(&path));
            let is_sampled = matches!(kind, Kind::SampledFour | Kind::SampledEight);
            let tolerance_m = if is_sampled { 1.0 } else { 1e-6 };
            assert!(
                (found_m - expected_m).abs() <= tolerance_m,
                "seed {seed}, {kind:?}: {found_m} m, not {expected_m} m, from {from:?} to {to:?}: {waypaths:?}"
            );
            asked += 1;
            along += u32::from(!path.steps.is_empty());
        }
    }
    assert!(along >= 15, "{along} of {asked} routes along waypaths");
}

/// A path leads over walkable ground, in steps that are its waypoints, and its length is that of its walks.
fn check_path(ground: &Surface, net: &LinkNet, from: Place, path: &Path) {
    let mut at = ground.locate(from);
    let mut walked_m = 0.0;
    for (index, &waypoint) in path.waypoints.iter().enumerate() {
        let crosses = |crossing: &crate::nav::LinkCrossing| crossing.waypoint + 1 == index;
        if !path.crossings.iter().any(crosses) {
            assert!(ground.segment_clear(at, waypoint), "{at} to {waypoint}: {path:?}");
            walked_m += at.distance(waypoint);
        }
        at = waypoint;
    }
    assert!((walked_m - path.length_m).abs() < 1e-6 || path.waypoints.is_empty(), "{walked_m}: {path:?}");
    assert!(path.steps.is_sorted_by_key(|step| step.waypoint));
    for step in &path.steps {
        let placed = net.waypath(step.waypath).unwrap();
        if let Some(point) = step.point {
            assert_eq!(Some(path.waypoints[step.waypoint]), placed.points[point as usize]);
        }
    }
    assert_eq!(
        path.steps.iter().filter(|step| !step.along).count(),
        path.steps.iter().filter(|step| step.leaves).count(),
        "waypaths are left as often as they are joined: {path:?}"
    );
}

/// Joints every four metres, at crossings, and where the walk is best, against joints at every cell.
#[test]
fn routes_along_lanes_cost_little_more_than_with_joints_everywhere() {
    let (mut worst, mut along) = (0.0_f64, 0);
    for seed in 0..if sweeps() { 400 } else { 60 } {
        let mut random = Random(seed ^ 0xce_11);
        let room = room_for(Kind::Grid, &random_room(seed));
        let ground = Surface::new(&room).unwrap();
        let (min, _) = ground.bounds();
        let cell_m = room.ground.cell_size_m;
        let cell_of = |at: DVec2| ((at - min) / cell_m).floor();
        let centre = |cell: DVec2| min + (cell + 0.5) * cell_m;
        // A straight lane along one axis, from cell to cell.
        let (Some(from), Some(to)) = (walkable(&mut random, &ground), walkable(&mut random, &ground)) else {
            continue;
        };
        let [a, b] = [cell_of(from.at), cell_of(to.at)];
        let b = if random.below(2) == 0 { dvec2(a.x, b.y) } else { dvec2(b.x, a.y) };
        if a == b || !ground.segment_clear(centre(a), centre(b)) {
            continue;
        }
        let waypath = Waypath::new("lane", WaypathKind::TwoWay, [centre(a), centre(b)]);
        let net = LinkNet::with_waypaths(&ground, &[], &[waypath]);
        for _ in 0..4 {
            let (Some(from), Some(to)) = (walkable(&mut random, &ground), walkable(&mut random, &ground))
            else {
                continue;
            };
            let (from, to) = (centre(cell_of(from.at)), centre(cell_of(to.at)));
            let Some(least_m) = flooded(&ground, (min, cell_m), [cell_of(from), cell_of(to)], [a, b]) else {
                continue;
            };
            let path = route(&ground, &net, &Query::new(from, to));
            let found_m = ground.cost_m(&path);
            // Joints may lie between cells.
            assert!(found_m >= least_m - 2.0 * cell_m, "seed {seed}: {found_m} m, less than {least_m} m");
            along += u32::from(!path.steps.is_empty());
            worst = worst.max(found_m / least_m.max(cell_m));
        }
    }
    println!("at most {:.1} % dearer, {along} routes along lanes", (worst - 1.0) * 100.0);
    assert!(worst < 1.12 && along > 5, "{worst}, {along}");
}

/// The least cost from cell to cell, in metres, by Dijkstra's algorithm; steps along the lane are cheaper.
fn flooded(
    ground: &Surface,
    (min, cell_m): (DVec2, f64),
    [from, to]: [DVec2; 2],
    [a, b]: [DVec2; 2],
) -> Option<f64> {
    use std::cmp::Reverse;
    use std::collections::{BTreeMap, BinaryHeap};
    let whole = |cell: DVec2| (cell.x as i64, cell.y as i64);
    let is_free = |(x, z): (i64, i64)| ground.is_walkable(min + (dvec2(x as f64, z as f64) + 0.5) * cell_m);
    let (low, high) = (whole(a.min(b)), whole(a.max(b)));
    let is_lane = |(x, z): (i64, i64)| (low.0..=high.0).contains(&x) && (low.1..=high.1).contains(&z);
    let mut costs: BTreeMap<(i64, i64), f64> = BTreeMap::new();
    let mut open = BinaryHeap::from([(Reverse(0_u64), whole(from))]);
    while let Some((Reverse(bits), (x, z))) = open.pop() {
        let cost_m = f64::from_bits(bits);
        if (x, z) == whole(to) {
            return Some(cost_m);
        }
        if costs.contains_key(&(x, z)) {
            continue;
        }
        costs.insert((x, z), cost_m);
        for (dx, dz) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)] {
            let next = (x + dx, z + dz);
            let sides_free = dx == 0 || dz == 0 || is_free((x + dx, z)) && is_free((x, z + dz));
            if sides_free && is_free(next) {
                let step_m = if dx != 0 && dz != 0 { std::f64::consts::SQRT_2 } else { 1.0 } * cell_m;
                let share = if is_lane((x, z)) && is_lane(next) { WAYPATH_SHARE } else { 1.0 };
                open.push((Reverse((cost_m + share * step_m).to_bits()), next));
            }
        }
    }
    None
}

#[test]
fn slices_change_no_route_along_waypaths() {
    for seed in 0..30 {
        let kind = KINDS[(seed % KINDS.len() as u64) as usize];
        let ground = random_ground(kind, seed);
        let mut random = Random(seed ^ 0x51);
        let waypaths = random_waypaths(&mut random, &ground);
        let (Some(from), Some(to)) = (walkable(&mut random, &ground), walkable(&mut random, &ground)) else {
            continue;
        };
        let query = Query::new(from, to);
        let fresh = || LinkNet::with_waypaths(&ground, &[], &waypaths);
        let expected = route(&ground, &fresh(), &query);
        for slices in 0..6 {
            let (mut net, slice) = (fresh(), 1 + random.below(60));
            let mut planner =
                crate::plan::Planner::new(&ground, &net, query.clone(), SearchMemory::default());
            while planner.advance(&ground, &net, slice) == crate::nav::Progress::Running {
                if slices % 2 == 0 && random.below(3) == 0 {
                    let text = serde_json::to_string(&planner.state(&ground, &net)).unwrap();
                    net = fresh();
                    let state = serde_json::from_str(&text).unwrap();
                    planner = crate::plan::Planner::restore(&ground, &net, state, SearchMemory::default());
                }
            }
            let (path, _) = planner.finish(&ground);
            assert_eq!(path, Path { work: path.work, ..expected.clone() }, "{kind:?}: slices of {slice}");
        }
    }
}
