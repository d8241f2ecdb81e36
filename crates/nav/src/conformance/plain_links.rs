//! Links that are no cheaper than a straight walk, on grids: there the search for the direct path tells whether one of
//! them helps. The routes are those of the search from link to link, and cost what Dijkstra's algorithm finds.

use super::links::{flooded, route, walkable};
use crate::mesh::test_rooms::Random;
use crate::nav::{Disc, Outcome, Path, Position, Query};
use crate::plan::{LinkNet, find_path, find_route};
use crate::room::{Area, Link, LinkKind, Obstacle, Room, Waypath, WaypathKind, Waypoint};
use crate::surface::{SearchMemory, Surface};
use crate::sweeps::sweeps;
use glam::{DVec2, dvec2};

/// Edge of the hall, in metres.
const HALL_M: f64 = 24.0;

fn rectangle(from: DVec2, to: DVec2) -> Vec<DVec2> {
    vec![from, dvec2(to.x, from.y), to, dvec2(from.x, to.y)]
}

/// Two halls with walls and four doors between them.
fn halls(random: &mut Random, walls: u64) -> Room {
    let half_m = HALL_M / 2.0;
    let hall =
        |name: &str, from: f64, to: f64| Area::new(name, rectangle(dvec2(from, 0.0), dvec2(to, HALL_M)));
    let mut areas = vec![hall("west", 0.0, half_m - 0.2), hall("east", half_m + 0.2, HALL_M)];
    areas.extend((0..4).map(|door| {
        let z = 3.0 + 6.0 * f64::from(door);
        let outline = rectangle(dvec2(half_m - 0.2, z), dvec2(half_m + 0.2, z + 1.2));
        Area::new(format!("door {door}"), outline)
    }));
    let obstacles = (0..walls).map(|number| {
        let at = dvec2(random.within(0.0, HALL_M - 2.0), random.within(0.0, HALL_M - 2.0));
        let length_m = random.within(1.0, 5.0);
        let size = if random.below(2) == 0 { dvec2(length_m, 0.3) } else { dvec2(0.3, length_m) };
        let polygon = rectangle(at, at + size);
        Obstacle { name: format!("wall {number}"), polygon, see_through: false }
    });
    let obstacles = obstacles.collect();
    Room { areas, obstacles, ground: super::sample("A1A").room.ground, ..Room::default() }
}

/// Jumps of up to four metres, some of them dearer, one way, or closed. Some begin where others end.
fn jumps(random: &mut Random, ground: &Surface, count: u64) -> Vec<Link> {
    let mut links: Vec<Link> = Vec::new();
    for number in 0..count {
        let Some(from) = walkable(random, ground) else { continue };
        let from = match links.last().filter(|_| random.below(4) == 0) {
            Some(before) => before.to.at,
            None => from.at,
        };
        let to = from + dvec2(random.within(-3.0, 3.0), random.within(-3.0, 3.0));
        links.push(Link {
            one_way: random.below(4) == 0,
            available: random.below(8) != 0,
            ..Link::new(format!("jump {number}"), LinkKind::Jump, from, to)
        });
        let straight_m = LinkNet::new(ground, &links).links().last().unwrap().cost_m;
        if random.below(4) == 0 {
            links.last_mut().unwrap().cost_m = Some(straight_m + random.within(0.0, 3.0));
        }
    }
    links
}

/// The same links beside a waypath, with which the direct search does not tell whether links help.
fn beside_a_waypath(ground: &Surface, links: &[Link]) -> LinkNet {
    let points = [dvec2(1.0, 1.0), dvec2(2.0, 1.0)].map(Waypoint::new).to_vec();
    let tags = vec!["nobody".to_owned()];
    let waypath =
        Waypath { name: "lane".to_owned(), points, kind: WaypathKind::OneWay, tags, available: true };
    LinkNet::with_waypaths(ground, links, &[waypath])
}

/// Twelve that stand somewhere, or in a row that may close a passage.
fn people(random: &mut Random, ground: &Surface) -> Vec<Disc> {
    let is_row = random.below(2) == 0;
    let first = walkable(random, ground).map_or(DVec2::ZERO, |at| at.at);
    let step = if random.below(2) == 0 { dvec2(0.5, 0.0) } else { dvec2(0.0, 0.5) };
    let mut disc = |number| {
        let at = if is_row { first + step * f64::from(number) } else { walkable(random, ground)?.at };
        Some(Disc { centre: Position::on_ground(at), radius_m: 0.4 })
    };
    (0..12).filter_map(&mut disc).collect()
}

/// One memory for grounds of several sizes, with and without links, and links in chains that cost absurdly much.
#[test]
fn one_memory_serves_every_ground_and_every_cost() {
    let mut random = Random(7);
    let (large, mut memory) = (Surface::new(&halls(&mut random, 20)).unwrap(), SearchMemory::default());
    let small = super::ground(super::Kind::Grid, &super::sample("A1AA2").room);
    let mut links = jumps(&mut random, &large, 24);
    links.iter_mut().for_each(|link| link.cost_m = Some(1e30));
    links[0].cost_m = None;
    for (one, next) in (0..links.len()).zip(1..links.len()) {
        links[next].from = links[one].to;
    }
    let nets = [LinkNet::new(&large, &links), LinkNet::new(&large, &jumps(&mut random, &large, 24))];
    for _ in 0..50 {
        for net in &nets {
            let ends = [(); 2].map(|()| walkable(&mut random, &large).unwrap());
            let query = Query::new(ends[0], ends[1]);
            let found = find_route(&large, net, query.clone(), &mut memory);
            assert_eq!(found, route(&large, net, &query));
            let ends = [(); 2].map(|()| walkable(&mut random, &small).unwrap());
            let query = Query::new(ends[0], ends[1]);
            let found = find_path(&small, query.clone(), &mut memory);
            assert_eq!(found, find_path(&small, query, &mut SearchMemory::default()));
        }
    }
}

/// A path with the work and the expansions of another one.
fn as_much_work(other: &Path, path: Path) -> Path {
    Path { work: other.work, expansions: other.expansions, ..path }
}

#[test]
fn the_direct_search_tells_whether_a_link_helps() {
    let (mut over_links, mut on_foot, mut round) = (0, 0, 0);
    for seed in 0..if sweeps() { 100 } else { 30 } {
        let mut random = Random(seed);
        let walls = 10 + random.below(40);
        let room = halls(&mut random, walls);
        let mut ground = Surface::new(&room).unwrap();
        let links = jumps(&mut random, &ground, 24);
        let mut net = LinkNet::new(&ground, &links);
        let mut other = beside_a_waypath(&ground, &links);
        let mut memory = SearchMemory::default();
        for turn in 0..6 {
            // What is remembered follows doors and links that open and close.
            let door = ground.area_named(&format!("door {}", random.below(4))).unwrap();
            ground.set_area_available(door, random.below(2) == 0);
            let link = net.links()[random.below(net.links().len() as u64) as usize].id;
            let is_open = random.below(2) == 0;
            net.set_available(link, is_open);
            other.set_available(link, is_open);
            let Some(from) = walkable(&mut random, &ground) else { continue };
            let costs = flooded(&ground, &net, &room, from);
            for _ in 0..4 {
                let Some(to) = walkable(&mut random, &ground) else { continue };
                let mut query = Query::new(from, to);
                if random.below(2) == 0 {
                    query = query.with_obstacles(people(&mut random, &ground));
                }
                let about = format!("seed {seed}, turn {turn}: {query:?}");
                let path = find_route(&ground, &net, query.clone(), &mut memory);
                let fresh = route(&ground, &net, &query);
                assert_eq!(path, fresh, "{about}: what is remembered");
                let expected = route(&ground, &other, &query);
                assert_eq!(path, as_much_work(&path, expected), "{about}");
                if query.obstacles.is_empty() && path.outcome == Outcome::Complete {
                    let at = ((to.at - ground.bounds().0) / room.ground.cell_size_m).floor();
                    let cost_m = costs[&(at.x as i64, at.y as i64)];
                    assert!((ground.cost_m(&path) - cost_m).abs() < 1e-6, "{about}: {cost_m}");
                }
                let count = match (path.crossings.is_empty(), query.obstacles.is_empty()) {
                    (false, _) => &mut over_links,
                    (true, true) => &mut on_foot,
                    (true, false) => &mut round,
                };
                *count += 1;
            }
        }
    }
    assert!(
        over_links >= 30 && on_foot >= 100 && round >= 100,
        "{over_links} over links, {on_foot} on foot, {round} round others"
    );
}

/// Among many walls, short jumps over some of them. Only queries that none of them helps count.
#[test]
fn fifty_short_jumps_among_walls_cost_at_most_a_fifth_more_work() {
    let (mut asked, mut work) = (0, [0, 0]);
    for seed in 0..if sweeps() { 40 } else { 6 } {
        let mut random = Random(seed ^ 0x4a11);
        let ground = Surface::new(&halls(&mut random, 40)).unwrap();
        let net = LinkNet::new(&ground, &jumps(&mut random, &ground, 50));
        let mut memories = [(); 2].map(|()| SearchMemory::default());
        for _ in 0..60 {
            let (Some(from), Some(to)) = (walkable(&mut random, &ground), walkable(&mut random, &ground))
            else {
                continue;
            };
            let query = Query::new(from, to);
            let direct = find_path(&ground, query.clone(), &mut memories[0]);
            let over = find_route(&ground, &net, query, &mut memories[1]);
            if direct.outcome == Outcome::Complete && over.crossings.is_empty() {
                assert_eq!(over, as_much_work(&over, direct.clone()));
                asked += 1;
                work = [work[0] + direct.work, work[1] + over.work];
            }
        }
    }
    assert!(asked >= 100 && work[1] * 5 <= work[0] * 6, "{asked} queries: {work:?}");
}

/// Somebody stands where a jump begins, in a corridor that leads round a block.
#[test]
fn a_link_is_taken_although_somebody_stands_where_it_begins() {
    let side =
        |name: &str, min: (f64, f64), max: (f64, f64)| Area::new(name, rectangle(min.into(), max.into()));
    let areas = vec![
        side("north", (0.0, 0.0), (12.0, 0.8)),
        side("south", (0.0, 6.0), (12.0, 6.8)),
        side("west", (0.0, 0.8), (0.8, 6.0)),
        side("east", (11.2, 0.8), (12.0, 6.0)),
    ];
    let room = Room { areas, ground: super::sample("A1A").room.ground, ..Room::default() };
    let ground = Surface::new(&room).unwrap();
    let entry = dvec2(6.05, 0.45);
    let link = Link::new("jump", LinkKind::Jump, entry, dvec2(6.05, 6.45));
    let somebody = Disc { centre: Position::on_ground(entry), radius_m: 0.4 };
    let query = Query::new(dvec2(5.0, 0.45), dvec2(9.0, 6.45)).with_obstacles([somebody]);
    let path = route(&ground, &LinkNet::new(&ground, std::slice::from_ref(&link)), &query);
    assert_eq!((path.outcome, path.crossings.len()), (Outcome::Complete, 1), "{path:?}");
    assert_eq!(path, as_much_work(&path, route(&ground, &beside_a_waypath(&ground, &[link]), &query)));
}
