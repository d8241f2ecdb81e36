//! Where a character is put, it can stand: also on the very edge of the ground, and where three edges meet.

use crate::common::any_room;
use crate::common::crowd::join;
use cicerone::nav::Place;
use cicerone::room::{GroundKind, PlannerKind};
use cicerone::world::{Command, World};
use glam::DVec2;
use proptest::prelude::*;

/// Metres beside an edge: on it, and by rounding errors and hairs to either side.
const ASIDE_M: [f64; 7] = [0.0, 1e-12, -1e-12, 1e-9, -1e-9, 1e-4, -1e-4];

proptest! {
    #![proptest_config(crate::common::thousand())]

    #[test]
    fn who_is_put_to_an_edge_can_stand_there(
        room in any_room(),
        ground in prop::sample::select(vec![
            (GroundKind::Grid, PlannerKind::Grid),
            (GroundKind::Grid, PlannerKind::AnyAngle),
            (GroundKind::Mesh, PlannerKind::AnyAngle),
            (GroundKind::Mesh, PlannerKind::Portals),
        ]),
        shares in prop::collection::vec(0u8..=8, 40),
    ) {
        let mut room = room;
        (room.ground.kind, room.ground.planner) = ground;
        let outlines: Vec<Vec<DVec2>> = room.areas.iter().map(|area| area.polygon.clone())
            .chain(room.obstacles.iter().map(|obstacle| obstacle.polygon.clone())).collect();
        let Ok(mut world) = World::of_checked(room, 1) else { return Ok(()) };
        if !world.ground().has_ground() {
            return Ok(());
        }
        let who = join(&mut world, "ann", DVec2::ZERO);
        let edges = outlines.iter().flat_map(|outline| outline.iter().zip(outline.iter().cycle().skip(1)));
        for ((a, b), (share, aside_m)) in edges.zip(shares.iter().zip(ASIDE_M.iter().cycle())) {
            let across = (*b - *a).normalize_or_zero().perp();
            let to = a.lerp(*b, f64::from(*share) / 8.0) + across * *aside_m;
            if world.apply(Command::Teleport { who, to: Place::from(to) }).is_err() {
                continue;
            }
            let at = world.character(who).unwrap().position;
            prop_assert!(world.ground().is_walkable(at), "put to {to}, at {at:?}");
            world.tick();
            let after = world.character(who).unwrap().position;
            prop_assert!(world.ground().is_walkable(after), "a tick after it was put to {to}, at {after:?}");
        }
    }
}
