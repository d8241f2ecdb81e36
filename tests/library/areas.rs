//! Areas as places, and random places, over rooms in pictures.

use crate::common::{any_point, any_room, area, picture, trimmed};
use cicerone::nav::{ClassId, Disc, Position, Region};
use cicerone::room::{CharacterSpec, Room};
use cicerone::world::{Command, WalkEnd, World, next_random};
use glam::{DVec2, dvec2};
use proptest::prelude::*;

/// A room whose cells with a digit are one more area, called "gallery"; there is ground under it only while it is open.
fn room(map: &str, open: bool) -> Room {
    let mut room = picture(&map.replace('1', "#"));
    let rows =
        map.lines().map(|line| line.split_whitespace().collect::<Vec<_>>()).filter(|row| !row.is_empty());
    let cells: Vec<DVec2> = rows
        .enumerate()
        .flat_map(|(z, row)| {
            let ones = row.into_iter().enumerate().filter(|(_, c)| *c == "1");
            ones.map(|(x, _)| dvec2(x as f64, z as f64)).collect::<Vec<_>>()
        })
        .collect();
    let min = cells.iter().copied().reduce(DVec2::min).unwrap();
    let max = cells.iter().copied().reduce(DVec2::max).unwrap() + 1.0;
    room.areas.push(area("gallery", vec![min, dvec2(max.x, min.y), max, dvec2(min.x, max.y)], open));
    room
}

/// The room with `G` at the place that stands for the gallery, seen from `S`.
fn check(map: &str, open: bool, expected: &str) {
    let world = World::new(room(map, open), 0).unwrap();
    let from = world.ground().locate(world.room().points["S"]);
    let gallery = world.area_named("gallery").unwrap();
    let at = world.place_in_area(ClassId::default(), gallery, Some(from), u64::MAX).unwrap().at;
    let mark = (at.at.y.floor() as usize, at.at.x.floor() as usize);
    let rows =
        map.lines().map(|line| line.split_whitespace().collect::<Vec<_>>()).filter(|row| !row.is_empty());
    let drawn: String = rows
        .enumerate()
        .map(|(z, row)| {
            let cells = row.into_iter().enumerate().map(|(x, c)| if (z, x) == mark { "G" } else { c });
            cells.collect::<Vec<_>>().join(" ") + "\n"
        })
        .collect();
    assert_eq!(drawn, trimmed(expected), "\ngot:\n{drawn}");
}

#[test]
fn an_area_is_the_place_where_one_enters_it() {
    check(
        "S . . 1 1
         . . . 1 1",
        true,
        "S . . G 1
         . . . 1 1",
    );
    // The nearest point as the crow flies is behind the wall; the way there enters at the bottom.
    check(
        "S # 1 1
         . # 1 1
         . # 1 1
         . . 1 1",
        true,
        "S # 1 1
         . # 1 1
         . # 1 1
         . . G 1",
    );
    // What cannot be reached is nearer.
    check(
        ". . # 1 1 1 .
         S . # 1 1 1 .
         # # # # # # .
         # # # # # # .",
        true,
        ". . # 1 1 1 .
         S . # G 1 1 .
         # # # # # # .
         # # # # # # .",
    );
}

#[test]
fn the_place_of_a_closed_area_is_closed_ground() {
    check(
        "S . . 1 1
         . . . 1 1",
        false,
        "S . . G 1
         . . . 1 1",
    );
    let world = World::new(room("S . . 1 1", false), 0).unwrap();
    let gallery = world.area_named("gallery").unwrap();
    let at = world
        .place_in_area(ClassId::default(), gallery, Some(Position::on_ground(dvec2(0.5, 0.5))), u64::MAX)
        .unwrap()
        .at;
    assert!(!world.ground().is_walkable(at) && world.ground().area_contains(gallery, at));
}

#[test]
fn who_stands_in_an_area_is_at_its_place_and_arrives_at_once() {
    let mut room = room("S . . 1 1", true);
    room.characters.push(with!(CharacterSpec::at(dvec2(4.2, 0.6)), name = "ann".into()));
    let mut world = World::new(room, 0).unwrap();
    let (ann, gallery) = (world.characters()[0].id, world.area_named("gallery").unwrap());
    let at = world
        .place_in_area(ClassId::default(), gallery, Some(Position::on_ground(dvec2(4.2, 0.6))), u64::MAX)
        .unwrap()
        .at;
    assert_eq!(at, Position::on_ground(dvec2(4.2, 0.6)));
    world.apply(Command::SetTarget { who: ann, to: at.at.into() }).unwrap();
    world.tick();
    assert_eq!(world.characters()[0].last_walk.as_ref().map(|walk| walk.end.clone()), Some(WalkEnd::Arrived));
}

#[test]
fn points_go_before_areas_of_the_same_name() {
    let mut room = room("S . . 1 1", true);
    room.points.insert("gallery".into(), dvec2(1.5, 0.5).into());
    let world = World::new(room, 0).unwrap();
    assert_eq!(world.place_from("gallery", None), Some(dvec2(1.5, 0.5).into()));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// From anywhere, of an area that can be reached: a place in it, and on ground that can be reached.
    #[test]
    fn the_place_of_an_area_lies_in_it(room in any_room(), from in any_point()) {
        let world = World::new(room, 0).unwrap();
        if !world.ground().is_walkable(from) {
            return Ok(());
        }
        for area in world.ground().areas() {
            let at = world.place_in_area(ClassId::default(), area, Some(Position::on_ground(from)), u64::MAX).unwrap().at;
            let ground = world.ground();
            let reachable = (0..ground.node_limit() as u32).map(cicerone::internals::grid::Node).filter(|&node| {
                let centre = ground.as_grid().unwrap().centre(node);
                ground.is_walkable(centre) && ground.area_contains(area, centre) && ground.may_reach(from, centre)
            });
            let nearest_m = reachable.map(|node| ground.as_grid().unwrap().centre(node).distance(from)).fold(f64::INFINITY, f64::min);
            if nearest_m.is_finite() {
                prop_assert!(ground.is_walkable(at) && ground.area_contains(area, at), "{at} for {from}");
                prop_assert!(ground.may_reach(from, at), "{at} cannot be reached from {from}");
            }
        }
    }

    /// Every random place lies in its region; where there is none, no cell's middle does either.
    #[test]
    fn random_places_lie_in_their_region(
        room in any_room(), centre in any_point(), radius_m in 0.1..6.0_f64, seed in any::<u64>(), kind in 0..8_u32,
    ) {
        let world = World::new(room, 0).unwrap();
        let ground = world.ground();
        let region = Region {
            area: ground.areas().next().filter(|_| kind & 1 == 1),
            disc: (kind & 2 == 2).then_some(Disc { centre: Position::on_ground(centre), radius_m }),
            reachable_from: ground.node_anchor(centre, 0.0).filter(|_| kind & 4 == 4),
            class: ClassId::default(),
        };
        let mut stream = seed;
        let (found, _) = ground.random_place(&region, u64::MAX, || next_random(&mut stream)).unwrap();
        let holds = |point: DVec2| {
            ground.is_walkable(point)
                && region.area.is_none_or(|area| ground.area_contains(area, point))
                && region.disc.is_none_or(|disc| disc.centre.distance(Position::on_ground(point)) <= disc.radius_m)
                && region.reachable_from.is_none_or(|from| ground.may_reach(from.at, point))
        };
        match found {
            Some(point) => prop_assert!(holds(point.at), "{point}"),
            None => {
                let middles = (0..ground.node_limit() as u32).map(|node| ground.as_grid().unwrap().centre(cicerone::internals::grid::Node(node)));
                prop_assert_eq!(middles.filter(|middle| holds(*middle)).count(), 0);
            }
        }
    }
}

#[test]
fn random_places_are_spread_evenly() {
    let room = room(". . . 1 1\n . # . 1 1\n . . . 1 1", true);
    let world = World::new(room, 7).unwrap();
    let mut stream = 42;
    let (mut counts, draws) = ([[0_u32; 10]; 6], 56_000);
    for _ in 0..draws {
        let (place, _) =
            world.ground().random_place(&Region::default(), u64::MAX, || next_random(&mut stream)).unwrap();
        let place = place.unwrap().at * 2.0;
        counts[place.y as usize][place.x as usize] += 1;
    }
    // 14 square metres in quarters: a thousand each, give or take five standard deviations.
    for (z, row) in counts.iter().enumerate() {
        for (x, &count) in row.iter().enumerate() {
            let wall = z / 2 == 1 && x / 2 == 1;
            let (low, high) = if wall { (0, 0) } else { (840, 1160) };
            assert!((low..=high).contains(&count), "{count} at {x}, {z}: {counts:?}");
        }
    }
}

#[test]
fn numbers_drawn_for_a_place_are_written_down() {
    let mut world = World::new(picture("S . . ."), 3).unwrap();
    world.keep_command_log(true);
    let (place, _) = world.random_place(None, &Region::default(), u64::MAX).unwrap();
    let drawn = world.take_command_log().len() as u32;
    let mut again = World::new(picture("S . . ."), 3).unwrap();
    again.skip_random(None, drawn);
    assert_eq!(world.random(None), again.random(None), "after {place:?}");
}
