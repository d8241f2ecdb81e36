//! Sight: in pictures, and against an oracle that looks at thousands of places along a line.

use crate::common::{any_point, any_room, area, character, empty_room, picture, trimmed};
use cicerone::geometry::contains;
use cicerone::internals::grid::Node;
use cicerone::nav::HiddenBy;
use cicerone::room::{Obstacle, Room};
use cicerone::surface::Surface;
use cicerone::world::{Command, Seen, Unseen, View, World};
use glam::{DVec2, dvec2};
use proptest::prelude::*;

/// The picture of what is seen from `S`: `+` for the middles of cells that are, `.` for ground that is not.
fn check(room: &Room, size: (usize, usize), expected: &str) {
    let ground = Surface::new(room).unwrap();
    let from = room.points["S"];
    let drawn: String = (0..size.1)
        .map(|z| {
            let cell = |x: usize| {
                let middle = dvec2(x as f64 + 0.5, z as f64 + 0.5);
                let seen = ground.hidden_by(from, middle).is_none();
                match (middle == from.at, ground.is_lit(middle), seen) {
                    (true, ..) => "S",
                    (_, true, true) => "+",
                    (_, true, false) => ".",
                    (_, false, _) => "#",
                }
            };
            (0..size.0).map(cell).collect::<Vec<_>>().join(" ") + "\n"
        })
        .collect();
    assert_eq!(drawn, trimmed(expected), "\ngot:\n{drawn}");
}

fn rect(x0: f64, z0: f64, x1: f64, z1: f64) -> Vec<DVec2> {
    vec![dvec2(x0, z0), dvec2(x1, z0), dvec2(x1, z1), dvec2(x0, z1)]
}

fn obstacle(name: &str, polygon: Vec<DVec2>, see_through: bool) -> Obstacle {
    Obstacle { name: name.into(), polygon, see_through }
}

#[test]
fn walls_hide_what_is_behind_them() {
    let room = picture(
        "S . . . .
         . . # . .
         . . # . .
         . . . . .",
    );
    check(
        &room,
        (5, 4),
        "S + + + +
         + + # . .
         + + # . .
         + + . . .",
    );
}

#[test]
fn a_closed_door_hides_and_an_open_one_does_not() {
    let map = |door: &str| format!("S . . # . .\n. . . {door} . .\n. . . # . .");
    check(
        &picture(&map("|")),
        (6, 3),
        "S + + # . .
         + + + # . .
         + + + # . .",
    );
    check(
        &picture(&map("/")),
        (6, 3),
        "S + + # . .
         + + + + + +
         + + + # . +",
    );
    let mut glass = picture(&map("|"));
    glass.areas.iter_mut().find(|area| area.name == "door").unwrap().see_through = true;
    check(
        &glass,
        (6, 3),
        "S + + # . .
         + + + + + +
         + + + # . +",
    );
}

#[test]
fn obstacles_hide_by_their_outline_and_not_by_their_padding() {
    let mut room = picture("S . . . .\n. . . . .\n. . . . .");
    room.obstacles.push(obstacle("pillar", rect(1.9, 0.9, 2.1, 1.1), false));
    // Where nobody could walk, one sees past it.
    check(
        &room,
        (5, 3),
        "S + + + +
         + + + . +
         + + + + +",
    );
    room.obstacles[0].see_through = true;
    check(
        &room,
        (5, 3),
        "S + + + +
         + + + + +
         + + + + +",
    );
}

#[test]
fn an_obstacle_in_a_wall_that_is_seen_through_is_a_window() {
    let mut room = picture("S . # . .\n. . # . .");
    room.obstacles.push(obstacle("window", rect(1.8, 0.2, 3.2, 0.8), true));
    check(
        &room,
        (5, 2),
        "S + + + +
         + + # . .",
    );
    room.obstacles[0].see_through = false;
    let ground = Surface::new(&room).unwrap();
    assert!(ground.hidden_by(dvec2(0.5, 0.5), dvec2(4.5, 0.5)).is_some());
}

#[test]
fn what_hides_is_named_the_nearest_first() {
    let mut room = picture("S . . | . .");
    room.obstacles.push(obstacle("screen", rect(4.3, 0.0, 4.7, 1.0), false));
    room.obstacles.push(obstacle("curtain", rect(1.3, 0.0, 1.7, 1.0), true));
    let mut world = World::new(room, 0).unwrap();
    let name = |world: &World| {
        let by = world.ground().hidden_by(dvec2(0.5, 0.5), dvec2(5.5, 0.5));
        by.map(|by| world.name_of_cover(by).unwrap_or("wall").to_owned())
    };
    assert_eq!(name(&world).as_deref(), Some("door"));
    world.apply(Command::SetAreaAvailable { area: "door".into(), available: true }).unwrap();
    assert_eq!(name(&world).as_deref(), Some("screen"), "a door that opens counts at once");
    let mut edited = world.room().clone();
    edited.obstacles[0].see_through = true;
    world.apply(Command::ReplaceRoom(Box::new(edited))).unwrap();
    assert_eq!(name(&world), None, "and so does an edit of the room");
}

fn watched(width_m: f64) -> World {
    let mut room = empty_room();
    room.areas.push(area("hall", rect(0.0, 0.0, 20.0, 10.0), true));
    let half = width_m / 2.0;
    room.obstacles.push(obstacle("vase", rect(3.0, 5.0 - half, 3.2, 5.0 + half), false));
    room.characters.push(character("guard", dvec2(1.0, 5.0)));
    room.characters.push(character("thief", dvec2(15.0, 5.0)));
    World::new(room, 0).unwrap()
}

fn look(world: &World, cone: Option<(f64, f64)>, range_m: f64) -> Result<(), Unseen> {
    let [guard, thief] = [0, 1].map(|index| {
        let c = &world.characters()[index];
        Seen { at: c.position, radius_m: c.collision_radius_m }
    });
    world.look(&View { from: guard, to: thief, cone, range_m })
}

#[test]
fn what_is_narrower_than_a_body_hides_nobody() {
    let radius_m = watched(0.1).characters()[0].collision_radius_m;
    assert_eq!(look(&watched(2.0 * radius_m - 0.01), None, f64::INFINITY), Ok(()));
    let hidden = look(&watched(2.0 * radius_m + 0.01), None, f64::INFINITY);
    assert!(matches!(hidden, Err(Unseen::Hidden(HiddenBy::Obstacle(_)))), "{hidden:?}");
}

#[test]
fn views_have_an_angle_and_a_range() {
    use std::f64::consts::PI;
    let world = watched(0.1);
    assert_eq!(look(&world, Some((0.0, PI / 2.0)), 20.0), Ok(()));
    assert_eq!(look(&world, Some((PI / 2.0, PI / 2.0)), 20.0), Err(Unseen::Beside));
    assert_eq!(
        look(&world, Some((-PI / 4.0, PI / 2.0)), 20.0),
        Ok(()),
        "on the edge of the view one is in it"
    );
    assert_eq!(look(&world, Some((PI, 2.0 * PI)), 20.0), Ok(()));
    assert_eq!(look(&world, None, 14.0), Ok(()), "exactly as far is in range");
    assert_eq!(look(&world, None, 13.99), Err(Unseen::TooFar));
}

/// A room whose obstacles and areas are seen through now and then, and two places that people may stand at.
fn any_view() -> impl Strategy<Value = (Room, DVec2, DVec2)> {
    (any_room(), any::<u32>(), any::<[u16; 2]>(), any_point()).prop_map(|(mut room, bits, ends, beside)| {
        for (index, area) in room.areas.iter_mut().enumerate() {
            area.see_through = bits >> (index % 16) & 1 == 1;
        }
        for (index, obstacle) in room.obstacles.iter_mut().enumerate() {
            obstacle.see_through = bits >> (16 + index % 16) & 1 == 1;
        }
        let ground = Surface::new(&room).unwrap();
        let nodes = (0..ground.node_limit() as u32).map(|node| ground.as_grid().unwrap().centre(Node(node)));
        let places: Vec<DVec2> = nodes.filter(|place| ground.is_walkable(*place)).collect();
        let place =
            |end: u16| places.get(usize::from(end) % places.len().max(1)).copied().unwrap_or_default();
        // A little beside the middle of a cell, so that lines are at all angles.
        let beside = (beside - beside.floor()) * ground.as_grid().unwrap().frame().cell_size_m / 4.0;
        (room, place(ends[0]), place(ends[1]) + beside)
    })
}

/// Whether each of many places between two others is lit and in no obstacle that hides.
fn seen_by_sampling(room: &Room, from: DVec2, to: DVec2) -> bool {
    let lights =
        room.areas.iter().filter(|area| area.available || area.see_through).map(|area| &area.polygon);
    let windows = room.obstacles.iter().filter(|o| o.see_through).map(|o| &o.polygon);
    let lights: Vec<&Vec<DVec2>> = lights.chain(windows).collect();
    let hides =
        |o: &&Obstacle| !o.see_through && ![from, to].into_iter().any(|end| contains(&o.polygon, end));
    let hiding: Vec<&Obstacle> = room.obstacles.iter().filter(hides).collect();
    (0..=5_000).map(|i| from.lerp(to, f64::from(i) / 5_000.0)).all(|place| {
        lights.iter().any(|polygon| contains(polygon, place))
            && !hiding.iter().any(|o| contains(&o.polygon, place))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Nothing is seen through what a sample finds in the way; what no sample finds is a sliver, or nothing is in the
    /// way. And it is as well seen from the other end.
    #[test]
    fn sight_is_what_sampling_finds((room, from, to) in any_view()) {
        let ground = Surface::new(&room).unwrap();
        if !ground.is_lit(from) || !ground.is_lit(to) || from.distance(to) < 0.01 {
            return Ok(());
        }
        let seen = ground.hidden_by(from, to).is_none();
        prop_assert_eq!(seen, ground.hidden_by(to, from).is_none(), "from the other end");
        if seen_by_sampling(&room, from, to) != seen {
            // Slivers between two samples: a hair to one side or the other it is as the samples say.
            let beside = (to - from).normalize().perp() * 1e-3;
            let nearly = [-1.0, 1.0].map(|side| ground.hidden_by(from + beside * side, to + beside * side).is_none());
            prop_assert!(nearly.contains(&!seen), "{from} to {to}: {seen}");
        }
    }
}
