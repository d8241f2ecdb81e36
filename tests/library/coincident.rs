//! Characters at exactly one place, as after a door has closed on several of them: they part, in corners too.

use crate::common::crowd::{at, join, world};
use crate::common::{area, empty_room};
use cicerone::room::GroundKind;
use cicerone::world::Command;
use glam::{DVec2, dvec2};

/// Corners of 30 degrees that point in all directions. In some of them both pushes lead into the walls.
#[test]
fn characters_at_one_place_in_a_corner_part() {
    for kind in [GroundKind::Grid, GroundKind::Mesh] {
        let mut room = empty_room();
        (room.ground.kind, room.ground.cell_size_m) = (kind, 0.25);
        let along = |number: usize, turn: f64| {
            let angle = (number as f64 * 15.0 + turn).to_radians();
            dvec2(libm::cos(angle), libm::sin(angle))
        };
        let apexes: Vec<DVec2> = (0..24).map(|i| dvec2(f64::from(i % 6), f64::from(i / 6)) * 20.0).collect();
        for (number, &apex) in apexes.iter().enumerate() {
            let side = |turn: f64| apex + along(number, turn) * 9.0;
            room.areas.push(area(&format!("wedge {number}"), vec![apex, side(-15.0), side(15.0)], true));
        }
        let mut world = world(room);
        let mut pairs = Vec::new();
        for (number, apex) in apexes.into_iter().enumerate() {
            // Cells at the tip of a corner may be cut off: as far into it as one gets from its middle.
            let middle = apex + along(number, 0.0) * 5.0;
            let there = world.ground().move_along(middle, apex).unwrap();
            let pair = [0, 1].map(|one| join(&mut world, &format!("c{number}{one}"), there.at));
            for who in pair {
                world.apply(Command::Teleport { who, to: there.at.into() }).unwrap();
            }
            pairs.push(pair);
        }
        (0..120).for_each(|_| world.tick());
        for (number, [one, other]) in pairs.into_iter().enumerate() {
            let (one, other): (DVec2, DVec2) = (at(&world, one), at(&world, other));
            assert!(one.distance(other) > 0.3, "{kind:?}, wedge {number}: {one} and {other}");
        }
    }
}
