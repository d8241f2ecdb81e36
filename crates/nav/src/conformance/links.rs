//! Routes over links against oracles: all orders of links, and Dijkstra's algorithm over the cells.

use super::random::{mesh_room, seeds, storeys};
use super::{KINDS, Kind, ground, room_for};
use crate::mesh::test_rooms::{Random, random_room};
use crate::nav::{LinkWay, Outcome, Path, Place, Position, Query};
use crate::plan::{LinkNet, find_path, find_route};
use crate::room::{Area, Link, LinkKind, Room};
use crate::surface::{SearchMemory, Surface};
use crate::sweeps::sweeps;
use glam::{DVec2, dvec2};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

pub(super) fn route(ground: &Surface, net: &LinkNet, query: &Query) -> Path {
    find_route(ground, net, query.clone(), &mut SearchMemory::default())
}

/// A walkable place, if a few attempts find one.
pub(super) fn walkable(random: &mut Random, ground: &Surface) -> Option<Place> {
    let (min, max) = ground.bounds();
    let mut place = || {
        let at = dvec2(random.within(min.x, max.x), random.within(min.y, max.y));
        let y_m = ground.has_heights().then(|| random.within(0.0, 7.0));
        ground.locate(Place { at, y_m })
    };
    let at = (0..200).map(|_| place()).find(|at| ground.is_walkable(*at))?;
    Some(ground.place_of(at))
}

/// Links between walkable places. Some are cheaper than walking, some dearer, some lead one way, one is closed.
fn random_links(random: &mut Random, ground: &Surface, count: u64) -> Vec<Link> {
    let mut links = Vec::new();
    for number in 0..count {
        let (Some(from), Some(to)) = (walkable(random, ground), walkable(random, ground)) else { continue };
        let kind = [LinkKind::Jump, LinkKind::Ladder, LinkKind::Teleport][random.below(3) as usize];
        links.push(Link {
            one_way: random.below(3) == 0,
            cost_m: (random.below(2) == 0).then(|| random.within(0.0, 4.0)),
            available: number != 2,
            tags: if number == 3 { vec!["crew".into()] } else { Vec::new() },
            ..Link::new(format!("link {number}"), kind, from, to)
        });
    }
    links
}

/// The cost of the cheapest route in metres, by trying all orders of all directions of links.
fn cheapest_of_all_orders(ground: &Surface, net: &LinkNet, query: &Query) -> f64 {
    let leg_m = |from: Place, floor, to: Place| {
        let mut leg = Query::new(from, to).with_snap_m(query.snap_m);
        leg.from_floor = floor;
        let path = find_path(ground, leg, &mut SearchMemory::default());
        if path.outcome == Outcome::Complete { ground.cost_m(&path) } else { f64::INFINITY }
    };
    let mut ways: Vec<(Position, Position, f64)> = Vec::new();
    for placed in net.links().iter().filter(|placed| placed.link.is_for(&query.tags)) {
        for backward in [false, true].into_iter().filter(|&backward| placed.leads(ground, backward)) {
            let [entry, exit] = placed.way(backward).unwrap();
            ways.push((entry, exit, placed.cost_m));
        }
    }
    // Legs by the way before, `ways.len()` being the start, and the way after, `ways.len()` being the goal.
    let all = ways.len();
    let legs: Vec<Vec<f64>> = (0..=all)
        .map(|before| {
            let (from, floor) = match ways.get(before) {
                Some((_, exit, _)) => (ground.place_of(*exit), ground.floor_of(*exit)),
                None => (query.from, query.from_floor),
            };
            let to = |after: usize| ways.get(after).map_or(query.to, |(entry, ..)| ground.place_of(*entry));
            (0..=all).map(|after| leg_m(from, floor, to(after))).collect()
        })
        .collect();
    fn try_all(
        at: usize,
        cost_m: f64,
        used: u32,
        legs: &[Vec<f64>],
        ways: &[(Position, Position, f64)],
    ) -> f64 {
        let direct_m = cost_m + legs[at][ways.len()];
        let over = (0..ways.len()).filter(|way| used & (1 << way) == 0 && legs[at][*way].is_finite());
        over.map(|way| try_all(way, cost_m + legs[at][way] + ways[way].2, used | 1 << way, legs, ways))
            .fold(direct_m, f64::min)
    }
    try_all(all, 0.0, 0, &legs, &ways)
}

/// Random rooms of all kinds: a room, its ground, and a source of random numbers.
fn rooms(few: u64) -> impl Iterator<Item = (Kind, Surface, Random)> {
    seeds(few).map(|seed| {
        let kind = KINDS[(seed % KINDS.len() as u64) as usize];
        let ground = match kind {
            // Only links join its storeys.
            Kind::Mesh if (seed / KINDS.len() as u64).is_multiple_of(2) => {
                Surface::new(&storeys(&mut Random(seed), false))
            }
            Kind::Mesh => Surface::new(&mesh_room(seed / KINDS.len() as u64)),
            _ => Surface::new(&room_for(kind, &random_room(seed))),
        };
        (kind, ground.unwrap(), Random(seed ^ 0x11_4b))
    })
}

#[test]
fn routes_are_as_cheap_as_the_best_of_all_orders_of_links() {
    let (mut over_links, mut over_several) = (0, 0);
    let (mut asked, mut far) = (0, 0);
    for (kind, ground, mut random) in rooms(300) {
        let links = random_links(&mut random, &ground, 4);
        let net = LinkNet::new(&ground, &links);
        for ask in 0..4 {
            let (Some(from), Some(to)) = (walkable(&mut random, &ground), walkable(&mut random, &ground))
            else {
                continue;
            };
            let tags = if ask % 2 == 0 { vec!["crew".to_owned()] } else { Vec::new() };
            let query = Query::new(from, to).with_tags(tags);
            let expected_m = cheapest_of_all_orders(&ground, &net, &query);
            let path = route(&ground, &net, &query);
            let found_m = match path.outcome {
                Outcome::Complete => ground.cost_m(&path),
                _ => f64::INFINITY,
            };
            // Where nodes are sampled, the last node of one path is not the first one of the next: costs are known but for
            // the ways to nodes in sight. Most often that makes no difference.
            let is_sampled = matches!(kind, Kind::SampledFour | Kind::SampledEight);
            let apart_m = if found_m == expected_m { 0.0 } else { (found_m - expected_m).abs() };
            far += u32::from(apart_m > 1.0);
            let tolerance_m = if is_sampled { 1.5 } else { 1e-6 };
            assert!(
                apart_m <= tolerance_m,
                "{kind:?}: {found_m} m, not {expected_m} m, from {from:?} to {to:?} over {links:?}"
            );
            asked += 1;
            over_links += u32::from(!path.crossings.is_empty());
            over_several += u32::from(path.crossings.len() > 1);
            check_path(&ground, &net, from, &path);
        }
    }
    assert!(
        over_links >= 100 && over_several >= 10 && far * 100 <= asked,
        "{over_links} routes over links, {over_several} over several, {far} of {asked} far from the best"
    );
}

/// A path leads over walkable ground from link to link, and its costs add up.
fn check_path(ground: &Surface, net: &LinkNet, from: Place, path: &Path) {
    let crossed: BTreeMap<usize, LinkWay> =
        path.crossings.iter().map(|crossing| (crossing.waypoint, crossing.way)).collect();
    let mut at = ground.locate(from);
    let mut walked_m = 0.0;
    for (index, &waypoint) in path.waypoints.iter().enumerate() {
        let way = index.checked_sub(1).and_then(|before| crossed.get(&before));
        match way {
            Some(way) => {
                let [entry, exit] = net.get(way.link).unwrap().way(way.backward).unwrap();
                assert_eq!(
                    (at, waypoint),
                    (entry, exit),
                    "a crossing begins and ends at the ends of its link"
                );
            }
            None => {
                assert!(ground.segment_clear(at, waypoint), "{at} to {waypoint}: {path:?}");
                walked_m += at.distance(waypoint);
            }
        }
        at = waypoint;
    }
    assert!((walked_m - path.length_m).abs() < 1e-6 || path.waypoints.is_empty(), "{walked_m}: {path:?}");
}

/// Column and row of a cell.
type Cell = (i64, i64);

/// The costs of the cheapest paths from a cell to all cells, in metres, by Dijkstra's algorithm over cells and links.
pub(super) fn flooded(
    ground: &Surface,
    net: &LinkNet,
    room: &Room,
    from: Place,
) -> BTreeMap<(i64, i64), f64> {
    let cell_m = room.ground.cell_size_m;
    let (min, _) = ground.bounds();
    let cell = |at: glam::DVec2| {
        let at = ((at - min) / cell_m).floor();
        (at.x as i64, at.y as i64)
    };
    let centre = |(x, z): (i64, i64)| min + (dvec2(x as f64, z as f64) + 0.5) * cell_m;
    let is_free = |cell: (i64, i64)| ground.is_walkable(ground.locate(centre(cell)));
    let mut leaps: BTreeMap<Cell, Vec<(Cell, f64)>> = BTreeMap::new();
    for placed in net.links().iter().filter(|placed| placed.link.tags.is_empty()) {
        for backward in [false, true].into_iter().filter(|&backward| placed.leads(ground, backward)) {
            let [entry, exit] = placed.way(backward).unwrap();
            leaps.entry(cell(entry.at)).or_default().push((cell(exit.at), placed.cost_m));
        }
    }
    let mut costs: BTreeMap<(i64, i64), f64> = BTreeMap::new();
    let mut open = BinaryHeap::from([(Reverse(0_u64), cell(from.at))]);
    while let Some((Reverse(bits), (x, z))) = open.pop() {
        let cost_m = f64::from_bits(bits);
        if costs.contains_key(&(x, z)) {
            continue;
        }
        costs.insert((x, z), cost_m);
        for (dx, dz) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)] {
            let sides_free = dx == 0 || dz == 0 || is_free((x + dx, z)) && is_free((x, z + dz));
            if sides_free && is_free((x + dx, z + dz)) {
                let step_m = if dx != 0 && dz != 0 { std::f64::consts::SQRT_2 } else { 1.0 } * cell_m;
                open.push((Reverse((cost_m + step_m).to_bits()), (x + dx, z + dz)));
            }
        }
        for &(exit, leap_m) in leaps.get(&(x, z)).into_iter().flatten() {
            open.push((Reverse((cost_m + leap_m).to_bits()), exit));
        }
    }
    costs
}

#[test]
fn routes_over_cells_cost_what_dijkstra_finds() {
    let (mut compared, mut over_links, mut nearest) = (0, 0, 0);
    for seed in 0..if sweeps() { 400 } else { 60 } {
        let room = Room { ..room_for(Kind::Grid, &random_room(seed)) };
        let ground = ground(Kind::Grid, &room);
        let mut random = Random(seed ^ 0xd1_15);
        let net = LinkNet::new(&ground, &random_links(&mut random, &ground, 12));
        let Some(from) = walkable(&mut random, &ground) else { continue };
        let costs = flooded(&ground, &net, &room, from);
        let (min, cell_m) = (ground.bounds().0, room.ground.cell_size_m);
        for _ in 0..8 {
            let Some(to) = walkable(&mut random, &ground) else { continue };
            let path = route(&ground, &net, &Query::new(from, to));
            let at = ((to.at - min) / cell_m).floor();
            compared += 1;
            over_links += u32::from(!path.crossings.is_empty());
            match costs.get(&(at.x as i64, at.y as i64)) {
                Some(cost_m) => {
                    assert_eq!(path.outcome, Outcome::Complete, "seed {seed}: {to:?}");
                    let found_m = ground.cost_m(&path);
                    assert!((found_m - cost_m).abs() < 1e-6, "seed {seed}: {found_m} m, not {cost_m} m");
                }
                None => {
                    nearest += 1;
                    assert_eq!(path.outcome, Outcome::Partial, "seed {seed}: {to:?}");
                    let centre = |&(x, z): &(i64, i64)| min + (dvec2(x as f64, z as f64) + 0.5) * cell_m;
                    let away_m = |cell: &(i64, i64)| centre(cell).distance(min + (at + 0.5) * cell_m);
                    let best_m = costs.keys().map(away_m).fold(f64::INFINITY, f64::min);
                    assert!(
                        path.missed_by_m <= best_m + cell_m,
                        "seed {seed}: {} m, not {best_m} m",
                        path.missed_by_m
                    );
                }
            }
        }
    }
    assert!(compared >= 100 && over_links >= 40 && nearest >= 10, "{compared}, {over_links}, {nearest}");
}

#[test]
fn slices_and_what_is_remembered_change_no_route() {
    for (kind, ground, mut random) in rooms(60) {
        let links = random_links(&mut random, &ground, 6);
        let (Some(from), Some(to)) = (walkable(&mut random, &ground), walkable(&mut random, &ground)) else {
            continue;
        };
        let query = Query::new(from, to);
        let fresh = || LinkNet::new(&ground, &links);
        let expected = route(&ground, &fresh(), &query);
        let net = fresh();
        for _ in 0..2 {
            assert_eq!(route(&ground, &net, &query), expected, "{kind:?}: remembered costs");
        }
        for slices in 0..8 {
            let (mut net, slice) = (fresh(), 1 + random.below(60));
            let mut planner =
                crate::plan::Planner::new(&ground, &net, query.clone(), SearchMemory::default());
            while planner.advance(&ground, &net, slice) == crate::nav::Progress::Running {
                if slices % 2 == 0 && random.below(3) == 0 {
                    let state = planner.state(&ground, &net);
                    let text = serde_json::to_string(&state).unwrap();
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

/// Links that are dearer than walking cost next to nothing, and so do short jumps that shorten no path by much.
#[test]
fn fifty_links_that_do_not_help_cost_at_most_a_fifth_more_work() {
    let (mut dear, mut short) = ([0, 0], [0, 0]);
    let mut asked = 0;
    for seed in 0..if sweeps() { 200 } else { 40 } {
        let ground = ground(Kind::Grid, &room_for(Kind::Grid, &random_room(seed)));
        let mut random = Random(seed ^ 0x50);
        let mut nets = [Some(1000.0), None].map(|cost_m| {
            let mut links = random_links(&mut random, &ground, 50);
            links.iter_mut().for_each(|link| {
                (link.cost_m, link.available, link.kind) = (cost_m, true, LinkKind::Jump);
                link.tags.clear();
            });
            LinkNet::new(&ground, &links)
        });
        for _ in 0..8 {
            let (Some(from), Some(to)) = (walkable(&mut random, &ground), walkable(&mut random, &ground))
            else {
                continue;
            };
            let query = Query::new(from, to);
            let direct = find_path(&ground, query.clone(), &mut SearchMemory::default());
            if direct.outcome != Outcome::Complete {
                continue;
            }
            asked += 1;
            for (net, sums) in nets.iter_mut().zip([&mut dear, &mut short]) {
                let over = route(&ground, net, &query);
                if over.crossings.is_empty() {
                    assert_eq!(over.points(), direct.points());
                    *sums = [sums[0] + over.work, sums[1] + direct.work];
                }
            }
        }
    }
    let is_cheap = |[with, without]: [u64; 2]| with * 5 <= without * 6;
    assert!(asked > 100 && is_cheap(dear) && is_cheap(short), "{asked} queries: {dear:?}, {short:?}");
}

/// Streets around fifty blocks. A roof in the middle of each has a ladder, so nobody comes over it. With a second ladder
/// some do.
#[test]
fn roofs_with_one_ladder_cost_at_most_a_fifth_more_work() {
    let box_at = |x: f64, z: f64, width: f64, depth: f64| {
        [(x, z), (x + width, z), (x + width, z + depth), (x, z + depth)].map(DVec2::from).to_vec()
    };
    let rows = (0..=5).map(|row| box_at(0.0, 4.0 * f64::from(row), 41.0, 1.0));
    let pieces = (0..=10).flat_map(|column| (0..5).map(move |row| (f64::from(column), f64::from(row))));
    let columns = pieces.map(|(column, row)| box_at(4.0 * column, 4.0 * row + 1.0, 1.0, 3.0));
    let blocks: Vec<DVec2> =
        (0..50).map(|block| dvec2(f64::from(block / 5), f64::from(block % 5)) * 4.0).collect();
    let roofs = blocks.iter().map(|at| box_at(at.x + 2.0, at.y + 2.0, 1.5, 1.5));
    let areas = rows.chain(columns).chain(roofs).enumerate();
    let areas = areas.map(|(number, outline)| Area::new(format!("area {number}"), outline)).collect();
    let room = Room { areas, ground: super::sample("A1A").room.ground, ..Room::default() };
    let ladder = |name: &str, at: &DVec2, from: DVec2, to: DVec2| {
        Link::new(format!("{name} {at}"), LinkKind::Ladder, *at + from, *at + to)
    };
    let up = blocks.iter().map(|at| ladder("up", at, dvec2(0.55, 3.05), dvec2(2.05, 3.05)));
    let down = blocks.iter().map(|at| ladder("down", at, dvec2(4.55, 2.95), dvec2(3.45, 2.95)));
    let (one_each, two_each): (Vec<Link>, Vec<Link>) = (up.clone().collect(), up.chain(down).collect());
    for kind in KINDS {
        let ground = ground(kind, &room_for(kind, &room));
        let [none, one, two] = [&[], &one_each[..], &two_each[..]].map(|links| LinkNet::new(&ground, links));
        let mut random = Random(17);
        let (mut work, mut over_roofs) = ([0, 0], 0);
        for _ in 0..16 {
            let mut street = || {
                let (column, z) = (random.below(11), random.within(0.1, 20.9));
                dvec2(4.0 * column as f64 + 0.55, z)
            };
            let query = Query::new(street(), street());
            let [without, with] = [&none, &one].map(|net| route(&ground, net, &query));
            assert_eq!(with, Path { work: with.work, ..without.clone() }, "{kind:?}");
            work = [work[0] + without.work, work[1] + with.work];
            over_roofs += u32::from(!route(&ground, &two, &query).crossings.is_empty());
        }
        let painted = matches!(kind, Kind::SampledFour | Kind::SampledEight);
        assert!(painted || work[1] * 5 <= work[0] * 6, "{kind:?}: {work:?}");
        assert!(kind == Kind::SampledFour || over_roofs > 0, "{kind:?}: {over_roofs}");
        // To a roof, the other ladders are not tried.
        let roof = Query::new(dvec2(0.5, 0.5), dvec2(39.0, 18.5));
        let last = LinkNet::new(&ground, &one_each[49..]);
        let [with, alone] = [&one, &last].map(|net| route(&ground, net, &roof));
        assert_eq!((with.outcome, with.crossings.len()), (Outcome::Complete, 1), "{kind:?}");
        assert!(painted || with.work <= alone.work + 20, "{kind:?}: {} and {}", with.work, alone.work);
    }
}
