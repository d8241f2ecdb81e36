//! Movement of a body that walls stop: pushes, steps aside, and steering.

use super::{Character, Pace, turn_towards};
use crate::nav::Position;
use crate::surface::Surface;
use glam::DVec2;

/// Upper limit on the steps of one move. Only absurd speeds and radii need more; their steps are longer.
const MOST_STEPS: f64 = 64.0;

/// The position after a move that slides along walls. A long move is divided into steps of a body radius, so that it
/// slips round no corner.
pub(crate) fn slide(ground: &Surface, from: Position, by: DVec2, radius_m: f64) -> Position {
    let straight = ground.walk_straight(from, from.at + by);
    straight.unwrap_or_else(|| slide_along_walls(ground, from, by, radius_m))
}

fn slide_along_walls(ground: &Surface, from: Position, by: DVec2, radius_m: f64) -> Position {
    // A length that is no number gives one step, which the ground refuses.
    let steps = (by.length() / radius_m).ceil().clamp(1.0, MOST_STEPS);
    let mut position = from;
    for _ in 0..steps as u32 {
        let Some(next) = ground.move_along(position, position.at + by / steps) else { break };
        if next == position {
            break;
        }
        position = next;
    }
    position
}

/// Moves a steered character for one tick, and turns it in the direction it is steered to, also where a wall stops it.
/// `steering` is that direction; its length is the share of the walking speed.
pub(crate) fn steer_by_hand(character: &mut Character, steering: DVec2, ground: &Surface, pace: &Pace) {
    let by = steering * (character.speed_mps() * pace.dt_s);
    character.position = slide(ground, character.position, by, character.collision_radius_m);
    turn_towards(character, steering, pace.dt_s);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::tests::person;
    use crate::room::{Area, Room};
    use glam::dvec2;

    /// A hall with a wall that ends in the middle of it.
    fn ground() -> Surface {
        let rect = |x: f64, z: f64, width: f64, depth: f64| {
            vec![dvec2(x, z), dvec2(x + width, z), dvec2(x + width, z + depth), dvec2(x, z + depth)]
        };
        let areas = vec![Area::new("west", rect(0., 0., 4., 8.)), Area::new("south", rect(3., 4., 5., 4.))];
        let mut room = Room { areas, ..Room::default() };
        (room.ground.agent_radius_m, room.ground.object_padding_m) = (0.0, 0.0);
        Surface::new(&room).unwrap()
    }

    #[test]
    fn a_long_move_slips_round_no_corner() {
        let (ground, by) = (ground(), dvec2(4.5, 4.5));
        let from = ground.locate(dvec2(3.0, 1.0));
        assert_eq!(slide(&ground, from, by, 100.0).at, from.at + by, "in one step");
        let end = slide(&ground, from, by, 0.4).at;
        assert!((end.x - from.at.x) < by.x - 1.0 && end.y > 5.0, "along the wall, then on: {end}");
        let mut before = from;
        for step in 1..=16 {
            let at = slide(&ground, from, by * f64::from(step) / 16.0, 0.4);
            assert!(ground.is_walkable(at), "{at}");
            before = at;
        }
        assert!(before.at.distance(end) < 1e-9);
    }

    #[test]
    fn a_steered_character_slides_along_the_wall_and_looks_where_it_is_steered() {
        let ground = ground();
        let pace = Pace::of(&Room::default());
        let mut ann = person(0, 3.0, 1.0);
        for _ in 0..600 {
            steer_by_hand(&mut ann, dvec2(0.6, 0.4), &ground, &pace);
            assert!(ground.is_walkable(ann.position));
        }
        assert!(ann.position.at.x > 7.5 && ann.position.at.y > 5.0, "{}", ann.position);
        assert!((ann.heading_rad - libm::atan2(0.4, 0.6)).abs() < 1e-9);
        let there = ann.position;
        for bad in [DVec2::NAN, DVec2::INFINITY] {
            assert_eq!(slide(&ground, there, bad, 0.5), there);
        }
        assert!(ground.is_walkable(slide(&ground, there, dvec2(-1e9, 3.0), 1e-12)));
    }
}
