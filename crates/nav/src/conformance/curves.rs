//! Curved paths: on every ground they stay on it, and lead where straight ones lead.

use super::random::{mesh_room, seeds};
use super::{CELL_M, KINDS, Kind, ROOMS, Sample, ground, path, room_for, sample};
use crate::crowd::CharacterId;
use crate::geometry::Cubic;
use crate::mesh::test_rooms::{Random, random_room};
use crate::nav::{Curve, Disc, Outcome, Place, Position, Query, Region, Step};
use crate::room::{Area, Avoidance, CharacterSpec, GroundKind, PathShape, Room};
use crate::surface::Surface;
use crate::world::{Command, EventKind, Setting, WalkEnd, World, WorldState};
use glam::{DVec2, dvec2};

/// The path between two places as a curve.
fn curve(ground: &Surface, from: DVec2, to: DVec2, discs: &[Disc]) -> Option<(Position, Curve)> {
    let query = Query { obstacles: discs.to_vec(), ..Query::new(from, to) };
    let path = path(ground, &query);
    let start = ground.anchor(from, 1.0)?;
    let from = Position { floor: path.corridor.first().copied().unwrap_or_default(), ..start.at };
    let discs = if path.step == Step::Avoiding { discs } else { &[] };
    (path.outcome == Outcome::Complete).then_some(())?;
    Some((from, ground.curve(from, &path.waypoints, &path.corridor, discs)?))
}

/// All points of the curve are on walkable ground and each cubic's control points in one convex sector.
fn stays_on_the_ground(kind: Kind, ground: &Surface, from: Position, curve: &Curve, samples: u32) {
    let mut at = from.at;
    for cubic in &curve.cubics {
        assert!(cubic.points[0].distance(at) < 1e-9, "{kind:?}: the curve is whole");
        at = cubic.points[3];
        for index in 0..=samples {
            let point = cubic.at(f64::from(index) / f64::from(samples));
            assert!(ground.is_walkable(point), "{kind:?}: {point} on {cubic:?}");
        }
    }
    let mut before = from;
    for &next in &curve.waypoints {
        assert!(ground.segment_clear(before, next), "{kind:?}: {before:?} to {next:?}");
        before = next;
    }
}

/// A curve is at most 1.15 times as long as the straight path.
fn is_hardly_longer(kind: Kind, ground: &Surface, (from, to): (Position, DVec2), curve: &Curve) {
    let waypoints = path(ground, &Query::new(ground.place_of(from), to)).waypoints;
    let line: Vec<Position> = std::iter::once(from).chain(waypoints).collect();
    let straight_m: f64 = line.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    let curve_m = curve.length_m();
    assert!(
        curve_m <= 1.15 * straight_m + 1e-5,
        "{kind:?} {from:?} to {to}: {curve_m} m, straight {straight_m} m"
    );
}

fn rectangle(name: &str, min: DVec2, max: DVec2) -> Area {
    Area::new(name, vec![min, dvec2(max.x, min.y), max, dvec2(min.x, max.y)])
}

/// A rectangle between two corners given in cells, so that equal corners are equal to the last bit.
fn cells(name: &str, a: [i32; 2], b: [i32; 2]) -> Area {
    let corner = |cell: [i32; 2]| DVec2::from(cell.map(f64::from)) * CELL_M;
    let (a, b) = (corner(a), corner(b));
    rectangle(name, a.min(b), a.max(b))
}

/// Corridors that meet in an L or a T, with narrow doors in them. All sizes are whole cells.
fn junction(random: &mut Random) -> (Room, Vec<DVec2>) {
    let between =
        |random: &mut Random, least: i32, most: i32| least + random.below((most - least) as u64) as i32;
    let (wide, deep) = (between(random, 6, 20), between(random, 6, 20));
    let (long, high) = (wide + between(random, 20, 60), deep + between(random, 20, 60));
    let mut room = sample(ROOMS[0]).room;
    let mut areas = vec![cells("M", [0, 0], [wide, deep])];
    let mut places = Vec::new();
    let mut arm = |name: &str, along: bool, from: i32, to: i32, across: i32, random: &mut Random| {
        let turned = |[x, z]: [i32; 2]| if along { [x, z] } else { [z, x] };
        let mut part = |name: &str, a: [i32; 2], b: [i32; 2]| areas.push(cells(name, turned(a), turned(b)));
        // A door of 2 to 4 cells, two cells deep, somewhere across the arm.
        let door = between(random, 2, 5);
        let low = between(random, 0, (across - door).max(0) + 1);
        let begins = from + 2 * (to - from).signum();
        part(&format!("{name}d"), [from, low], [begins, low + door]);
        part(name, [begins, 0], [to, across]);
        let share = dvec2(random.within(0.2, 0.9), random.within(0.1, 0.9));
        let size = dvec2(f64::from(to - begins), f64::from(across));
        let place = (dvec2(f64::from(begins), 0.0) + size * share) * CELL_M;
        places.push(if along { place } else { dvec2(place.y, place.x) });
    };
    arm("E", true, wide, long, deep, random);
    arm("S", false, deep, high, wide, random);
    if random.below(2) == 0 {
        arm("W", true, 0, -long, deep, random);
    }
    room.areas = areas;
    (room, places)
}

#[test]
fn over_random_junctions_every_point_of_a_curve_is_on_the_ground() {
    let mut bent = [0; KINDS.len()];
    let mut random = Random(5);
    for _ in 0..seeds(60).end {
        let (room, places) = junction(&mut random);
        for (kind, bent) in KINDS.into_iter().zip(&mut bent) {
            let ground = ground(kind, &room);
            for (&from, &to) in places.iter().flat_map(|from| places.iter().map(move |to| (from, to))) {
                let Some((start, curve)) = curve(&ground, from, to, &[]) else {
                    assert!(from == to, "{kind:?} {from} to {to}: no curve");
                    continue;
                };
                stays_on_the_ground(kind, &ground, start, &curve, 1000);
                assert!(curve.waypoints.last().unwrap().at.distance(to) < 1e-9);
                is_hardly_longer(kind, &ground, (start, to), &curve);
                let is_bent = |cubic: &&Cubic| cubic.pieces(0.002) > 1;
                *bent += curve.cubics.iter().filter(is_bent).count();
                let channel = ground.channel(
                    start,
                    &path(&ground, &Query::new(from, to)).waypoints,
                    &path(&ground, &Query::new(from, to)).corridor,
                );
                // The control points of every cubic lie in one sector.
                let sectors = channel.unwrap().sectors;
                let holds = |region: &Vec<DVec2>, point: DVec2| {
                    region
                        .iter()
                        .zip(region.iter().cycle().skip(1))
                        .all(|(&a, &b)| (b - a).normalize_or_zero().perp_dot(point - a) >= -2e-6)
                };
                for cubic in curve.cubics.iter().filter(is_bent) {
                    let in_one =
                        sectors.iter().any(|s| cubic.points.iter().all(|&point| holds(&s.region, point)));
                    assert!(in_one, "{kind:?}: {cubic:?}");
                }
            }
        }
    }
    assert!(bent.iter().all(|&bent| bent > 100), "{bent:?}");
}

/// The control points of this curve are on the ground, and in sight of the points of the path they belong to. It leaves
/// the ground all the same: it cuts the corner of the L. Through the sectors it does not.
#[test]
fn control_points_clipped_to_walls_alone_would_cut_the_corner() {
    let mut room = sample(ROOMS[0]).room;
    let corridors = [(dvec2(0.0, 0.0), dvec2(1.0, 6.0)), (dvec2(1.0, 0.0), dvec2(6.0, 1.0))];
    room.areas =
        corridors.map(|(min, max)| rectangle(if min.x > 0.0 { "B" } else { "A" }, min, max)).to_vec();
    let (from, to) = (dvec2(0.85, 3.05), dvec2(3.05, 0.85));
    let against_walls = Cubic { points: [from, dvec2(0.85, 0.85), dvec2(0.85, 0.85), to] };
    for kind in KINDS {
        let ground = ground(kind, &room);
        let [a, b, c, d] = against_walls.points;
        assert!(ground.segment_clear(a, b) && ground.segment_clear(d, c), "{kind:?}");
        let samples = (0..=1000).map(|index| against_walls.at(f64::from(index) / 1000.0));
        let off = samples.filter(|&point| !ground.is_walkable(point)).count();
        assert!(off > 100, "{kind:?}: {off} samples are off the ground");
        let (start, curve) = curve(&ground, from, to, &[]).unwrap();
        stays_on_the_ground(kind, &ground, start, &curve, 1000);
    }
}

#[test]
fn curves_keep_off_the_discs_that_the_straight_path_keeps_off() {
    let mut checked = 0;
    for seed in 0..40 {
        let mut random = Random(seed);
        let room = sample(ROOMS[1]).room;
        let discs: Vec<Disc> = (0..3)
            .map(|_| Disc {
                centre: Position::on_ground(dvec2(random.within(1.0, 8.0), random.within(0.5, 4.5))),
                radius_m: 0.4,
            })
            .collect();
        for kind in KINDS {
            let ground = ground(kind, &room);
            let (from, to) = (dvec2(0.5, 0.5), dvec2(8.5, 4.5));
            if discs.iter().any(|disc| disc.holds(from) || disc.holds(to)) {
                continue;
            }
            let path = path(&ground, &Query { obstacles: discs.clone(), ..Query::new(from, to) });
            let Some((start, curve)) = curve(&ground, from, to, &discs) else { continue };
            stays_on_the_ground(kind, &ground, start, &curve, 100);
            let mut at = start.at;
            let mut straight = start.at;
            let keeps_off = path.waypoints.iter().all(|next| {
                discs.iter().all(|d| d.lets_pass(std::mem::replace(&mut straight, next.at), next.at))
            });
            for next in curve.waypoints.iter().filter(|_| keeps_off && path.step == Step::Avoiding) {
                assert!(discs.iter().all(|disc| disc.lets_pass(at, next.at)), "{kind:?} {seed}");
                at = next.at;
                checked += 1;
            }
        }
    }
    assert!(checked > 300, "{checked}");
}

#[test]
fn straight_and_degenerate_paths_are_fine() {
    let Sample { room, .. } = sample(ROOMS[0]);
    for kind in KINDS {
        let ground = ground(kind, &room);
        let (from, to) = (dvec2(0.55, 0.55), dvec2(6.55, 3.05));
        let at = |point| ground.locate(point);
        // Straight: not longer than the line.
        let (_, straight) = curve(&ground, from, to, &[]).unwrap();
        let mut before = from;
        let length: f64 = straight
            .waypoints
            .iter()
            .map(|next| std::mem::replace(&mut before, next.at).distance(next.at))
            .sum();
        assert!((length - from.distance(to)).abs() < 1e-6, "{kind:?}: {length}");
        // Nowhere, the same point once and twice.
        let floors = [at(from).floor];
        assert_eq!(ground.curve(at(from), &[], &floors, &[]), None);
        for waypoints in [vec![at(from)], vec![at(from); 3], vec![at(from), at(to), at(to)]] {
            if let Some(curve) = ground.curve(at(from), &waypoints, &floors, &[]) {
                assert_eq!(curve.waypoints.last().map(|last| last.at), waypoints.last().map(|last| last.at));
                assert!(curve.waypoints.iter().all(|at| at.at.is_finite()), "{kind:?}");
            }
        }
    }
}

fn walker(room: &Room, kind: Kind, from: DVec2, curved: bool) -> World {
    let mut room = room_for(kind, room);
    room.characters = vec![CharacterSpec::at(from).with_name("ann")];
    room.paths = if curved { PathShape::Curved } else { PathShape::Straight };
    World::of_checked(room, 1).unwrap()
}

/// Walks to the end. Returns how it ended, where, and the positions and headings of every tick.
fn walk(world: &mut World, to: DVec2) -> (WalkEnd, DVec2, Vec<(DVec2, f64)>) {
    let who = world.characters()[0].id;
    world.apply(Command::SetTarget { who, to: to.into() }).unwrap();
    let mut track = vec![(world.characters()[0].position.at, world.characters()[0].heading_rad)];
    for _ in 0..3000 {
        world.tick();
        let ann = &world.characters()[0];
        assert!(world.ground_of(ann).is_walkable(ann.position), "{:?}", ann.position);
        track.push((ann.position.at, ann.heading_rad));
        for event in world.take_events() {
            if let EventKind::WalkEnded { end, .. } = event.kind {
                return (end, world.characters()[0].position.at, track);
            }
        }
    }
    panic!("the walk to {to} has no end");
}

#[test]
fn curved_walkers_arrive_where_straight_ones_do() {
    for picture in ROOMS {
        let Sample { room, places } = sample(picture);
        for kind in KINDS {
            for (&from, &to) in places.iter().flat_map(|from| places.iter().map(move |to| (from, to))) {
                let (end, at, _) = walk(&mut walker(&room, kind, from, false), to);
                let (curved_end, curved_at, _) = walk(&mut walker(&room, kind, from, true), to);
                assert_eq!(curved_end, end, "{kind:?} {from} to {to}");
                assert!(curved_at.distance(at) < 0.11, "{kind:?} {from} to {to}: {curved_at}, not {at}");
            }
        }
    }
}

/// In every tick but the last a walker comes nearer to the end of its curve by its speed. It looks where it goes.
#[test]
fn along_a_curve_speed_is_constant_and_the_heading_that_of_the_curve() {
    let mut random = Random(9);
    let (mut ticks, mut turns_rad) = (0, Vec::new());
    for _ in 0..30 {
        let (mut room, places) = junction(&mut random);
        room.crowd.avoidance = Avoidance::Push; // without acceleration and braking
        for (kind, speed_mps) in KINDS.into_iter().flat_map(|kind| [1.4, 30.0].map(|speed| (kind, speed))) {
            let mut world = walker(&room, kind, places[0], true);
            let who = world.characters()[0].id;
            world.apply(Command::Tune { who, setting: Setting::WalkSpeed(speed_mps) }).unwrap();
            // Its own limit on turning is not what is tested.
            world.apply(Command::Tune { who, setting: Setting::RotationSpeed(200.0) }).unwrap();
            world.apply(Command::SetTarget { who, to: places[1].into() }).unwrap();
            let step_m = speed_mps * world.dt_s();
            let left_m = |world: &World| {
                let ann = &world.characters()[0];
                ann.walk.as_ref().map(|walk| walk.corridor.left_m(ann.position))
            };
            world.tick();
            for tick in 0.. {
                let (before, at) = (left_m(&world), world.characters()[0].position.at);
                world.tick();
                let (Some(before), Some(after)) = (before, left_m(&world)) else { break };
                if after < 0.05 {
                    continue; // the end counts as reached from nearby
                }
                assert!(
                    (before - after - step_m).abs() < 1e-9,
                    "{kind:?}: {before} to {after}, not {step_m}"
                );
                let run = world.characters()[0].position.at - at;
                if tick > 40 && speed_mps < 2.0 {
                    let turn = libm::atan2(run.y, run.x) - world.characters()[0].heading_rad;
                    turns_rad.push(libm::remainder(turn, std::f64::consts::TAU).abs());
                }
                ticks += 1;
            }
        }
    }
    // The heading is that of the end of a step. In the narrowest bends one step is a good part of the bend.
    let mean_rad = turns_rad.iter().sum::<f64>() / turns_rad.len() as f64;
    let most_rad = turns_rad.iter().fold(0.0_f64, |most, turn| most.max(*turn));
    assert!(ticks > 5_000 && mean_rad < 0.02 && most_rad < 0.8, "{ticks} ticks, {mean_rad} rad, {most_rad}");
}

#[test]
fn a_saved_curved_walk_continues_bit_for_bit() {
    let (room, places) = junction(&mut Random(3));
    for kind in [Kind::Grid, Kind::Mesh] {
        let mut world = walker(&room, kind, places[0], false);
        let who = world.characters()[0].id;
        world.apply(Command::Tune { who, setting: Setting::Curved(Some(true)) }).unwrap();
        world.apply(Command::SetTarget { who, to: places[1].into() }).unwrap();
        for _ in 0..300 {
            world.tick();
            let text = serde_json::to_string(&world.state()).unwrap();
            let state: WorldState = serde_json::from_str(&text).unwrap();
            let restored = World::restore(world.room().clone(), &state).unwrap();
            assert_eq!(restored.checksum(), world.checksum());
            if world.tick_number().is_multiple_of(7) {
                world = restored;
            }
        }
        assert!(world.characters()[0].position.at.distance(places[1]) < 0.2, "{kind:?}");
    }
}

/// Random rooms with curved walkers that push each other, and doors that open and close.
#[test]
fn curved_walkers_never_leave_the_ground() {
    let (mut ended, mut curved) = (0, 0);
    for seed in 0..50 {
        for on_cells in [true, false] {
            let mut room = if on_cells { random_room(seed) } else { mesh_room(seed) };
            room.ground.kind = if on_cells { GroundKind::Grid } else { room.ground.kind };
            room.paths = PathShape::Curved;
            let Ok(mut world) = World::of_checked(room, seed) else { continue };
            let mut random = Random(seed);
            let mut place = |world: &World| {
                let mut draw = || random.within(0.0, 1.0);
                let found = world.ground().random_place(&Region::default(), 1_000_000, &mut draw)?.0?;
                Some::<Place>(world.ground().place_of(found))
            };
            for number in 0..6 {
                if let Some(at) = place(&world) {
                    let spec = CharacterSpec::at(at).with(|traits| traits.collision_radius_m = 0.25);
                    let _ = world.apply(Command::Spawn(Box::new(spec.with_name(format!("c{number}")))));
                }
            }
            let doors: Vec<String> = world.room().areas.iter().map(|area| area.name.clone()).collect();
            for tick in 0..400_usize {
                if tick % 150 == 0 {
                    let all: Vec<CharacterId> = world.characters().iter().map(|c| c.id).collect();
                    for who in all {
                        if let Some(to) = place(&world) {
                            let _ = world.apply(Command::SetTarget { who, to });
                        }
                    }
                }
                if tick % 40 == 20 && !doors.is_empty() {
                    let area = doors[tick / 40 % doors.len()].clone();
                    let available = tick % 80 > 40;
                    let _ = world.apply(Command::SetAreaAvailable { area, available });
                }
                world.tick();
                if !world.ground().has_ground() {
                    continue;
                }
                for character in world.characters() {
                    assert!(
                        world.ground_of(character).is_walkable(character.position),
                        "room {seed} {on_cells}: {character:?}"
                    );
                    let walk = character.walk.as_ref();
                    curved += usize::from(walk.is_some_and(|walk| walk.corridor.is_curved()));
                }
                ended += world
                    .take_events()
                    .iter()
                    .filter(|e| matches!(e.kind, EventKind::WalkEnded { .. }))
                    .count();
            }
        }
    }
    assert!(ended > 300 && curved > 5_000, "{ended} walks ended, {curved} ticks on curves");
}
