//! Those who stand where others want to pass.

use crate::common::crowd::{at, send, tick, world};
use crate::common::{area, character, empty_room, in_sweeps};
use cicerone::room::GroundKind;
use cicerone::world::{Command, WalkEnd};
use glam::{DVec2, dvec2};

/// The player, or somebody pinned, stands so near to a wall that nobody fits between. In the wide hall on the other side
/// there is room. A walker along the wall keeps to its way round, and takes little longer than it has to walk.
#[test]
fn who_walks_along_a_wall_passes_one_that_stands_there() {
    let mut worst_s: f64 = 0.0;
    for kind in [GroundKind::Grid, GroundKind::Mesh] {
        for (rate, cell_m, radius_m) in
            [(60, 0.1, 0.45), (60, 0.25, 0.45), (60, 0.25, 0.3), (20, 0.1, 0.45), (144, 0.25, 0.3)]
        {
            for (x_cm, from_cm) in (40..=95).step_by(in_sweeps(5, 20)).zip((15..).step_by(3)) {
                for pinned in [false, true] {
                    let mut room = empty_room();
                    let hall = [(0., 0.), (4.5, 0.), (4.5, 4.), (0., 4.)].map(DVec2::from).to_vec();
                    room.areas.push(area("hall", hall, true));
                    (room.ground.kind, room.ground.cell_size_m) = (kind, cell_m);
                    (room.ground.boundary_padding_m, room.ticks_per_second) = (0.0, rate);
                    let mut world = world(room);
                    let stands = dvec2(f64::from(x_cm) / 100.0, 2.0);
                    let body = |spec: cicerone::room::CharacterSpec| {
                        spec.with(|traits| traits.collision_radius_m = radius_m)
                    };
                    let stander = body(character("stander", stands))
                        .with(|traits| (traits.pinned, traits.player) = (pinned, !pinned));
                    world.apply(Command::Spawn(Box::new(stander))).unwrap();
                    let walker = body(character("walker", dvec2(f64::from(from_cm) / 100.0, 3.4)));
                    world.apply(Command::Spawn(Box::new(walker))).unwrap();
                    let who = world.character_named("walker").unwrap().id;
                    send(&mut world, who, dvec2(0.2, 0.2));
                    let what = format!("{kind:?} {rate} {cell_m} {radius_m} {x_cm} {pinned}");
                    let end = (0..30 * rate).find_map(|_| tick(&mut world).pop());
                    let end = end.unwrap_or_else(|| panic!("{what}: still at {}", at(&world, who)));
                    assert_eq!(end, (who, WalkEnd::Arrived), "{what}");
                    worst_s = worst_s.max(world.time_s());
                }
            }
        }
    }
    println!("at most {worst_s:.1} s");
    assert!(worst_s < 10.0, "{worst_s} s");
}
