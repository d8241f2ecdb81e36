//! Characters at exactly one place, as after a door has closed on several of them: they part, in corners too.

use crate::common::crowd::{at, join, world};
use crate::common::{area, empty_room};
use cicerone::room::GroundKind;
use cicerone::world::Command;
use glam::{DVec2, dvec2};

#[test]
fn characters_at_one_place_in_a_corner_part() {
    for kind in [GroundKind::Grid, GroundKind::Mesh] {
        let mut room = empty_room();
        (room.ground.kind, room.ground.cell_size_m) = (kind, 0.25);
        let corners = [(0.0, 0.0), (8.0, 0.0), (8.0, 8.0), (0.0, 8.0)].map(|(x, z)| dvec2(x, z));
        room.areas.push(area("hall", corners.to_vec(), true));
        let mut world = world(room);
        let mut pairs = Vec::new();
        for (number, corner) in corners.into_iter().enumerate() {
            // Of the directions in which they are pushed first, many lead into the walls.
            let there = world.ground().nearest(corner, 1.0).unwrap();
            let pair = [0, 1].map(|one| join(&mut world, &format!("c{number}{one}"), there.at));
            for who in pair {
                world.apply(Command::Teleport { who, to: there.at.into() }).unwrap();
            }
            pairs.push(pair);
        }
        (0..120).for_each(|_| world.tick());
        for [one, other] in pairs {
            let (one, other): (DVec2, DVec2) = (at(&world, one), at(&world, other));
            assert!(one.distance(other) > 0.5, "{kind:?}: {one} and {other}");
        }
    }
}
