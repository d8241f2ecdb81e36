//! Pushes from outside: knock-back, root motion, physics.

use super::Applied;
use crate::crowd::{CharacterId, slide};
use crate::world::{CommandError, World};
use glam::DVec2;

/// The longest push, in metres.
pub const MAX_PUSH_M: f64 = 1000.0;

impl World {
    /// Moves a character along the ground, sliding along walls. Its walk goes on: following the path notices by itself
    /// where it leads from there.
    pub(super) fn push(&mut self, who: CharacterId, by: DVec2) -> Result<Applied, CommandError> {
        for (name, value) in [("dx", by.x), ("dz", by.y)] {
            if value.is_nan() || value.abs() > MAX_PUSH_M {
                let why = format!("{name} must be a number from -{MAX_PUSH_M} to {MAX_PUSH_M}, not {value}");
                return Err(CommandError::BadNumber(why));
            }
        }
        let character = self.characters.get_mut(who).ok_or(CommandError::Gone(who))?;
        if character.crossing.is_some() {
            return Ok(Applied::Changed(false));
        }
        let before = character.position;
        character.position = slide(self.ground.of(character.class), before, by, character.collision_radius_m);
        Ok(Applied::Changed(character.position != before))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nav::Place;
    use crate::world::{Command, EventKind, WalkEnd};
    use glam::dvec2;

    /// Two halls with a door between them, and Ann on her way from one to the other.
    fn world() -> (World, CharacterId) {
        let text = br#"{"cellSize": 0.25, "agentRadius": 0.2, "areas": [
            { "name": "west", "polygon": [[0, 0], [6, 0], [6, 6], [0, 6]] },
            { "name": "door", "polygon": [[6, 2], [7, 2], [7, 4], [6, 4]] },
            { "name": "east", "polygon": [[7, 0], [13, 0], [13, 6], [7, 6]] }],
            "characters": [{ "name": "ann", "at": [1, 3] }]}"#;
        let mut world = World::new(crate::room::parse("hall.json", text).unwrap().room, 7).unwrap();
        let who = world.character_named("ann").unwrap().id;
        world.apply(Command::SetTarget { who, to: Place::new(12.0, 3.0) }).unwrap();
        (world, who)
    }

    #[test]
    fn one_that_is_pushed_all_the_way_stays_on_the_ground_and_arrives() {
        for seed in 0..40u64 {
            let (mut world, who) = world();
            let mut random = seed;
            let mut next = || {
                random =
                    random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (random >> 33) as f64 / f64::from(1u32 << 31) - 0.5
            };
            let mut pushed = 0;
            let arrived = (0..3600).any(|tick| {
                if tick % 20 == 0 && tick < 1200 {
                    let by = dvec2(next(), next()) * 2.0;
                    let moved = world.apply(Command::Push { who, by }).unwrap() == Applied::Changed(true);
                    pushed += usize::from(moved);
                }
                world.tick();
                assert!(world.ground().is_walkable(world.character(who).unwrap().position), "seed {seed}");
                let ended = |kind: &EventKind| match kind {
                    EventKind::WalkEnded { end, .. } => {
                        assert_eq!(*end, WalkEnd::Arrived, "seed {seed}, tick {tick}");
                        true
                    }
                    _ => false,
                };
                world.take_events().iter().any(|event| ended(&event.kind))
            });
            assert!(arrived && pushed > 5, "seed {seed}: {pushed} pushes");
        }
    }

    #[test]
    fn a_push_slides_along_walls_and_goes_through_none() {
        let (mut world, who) = world();
        world.apply(Command::Teleport { who, to: Place::new(5.0, 1.0) }).unwrap();
        world.apply(Command::Push { who, by: dvec2(4.0, 0.5) }).unwrap();
        let at = world.character(who).unwrap().position.at;
        assert!(at.x > 5.5 && at.x < 6.3 && at.y > 1.4, "{at}");
        for by in [dvec2(f64::NAN, 0.0), dvec2(0.0, f64::INFINITY), dvec2(1e9, 0.0)] {
            assert!(matches!(world.apply(Command::Push { who, by }), Err(CommandError::BadNumber(_))));
        }
        assert_eq!(world.apply(Command::Push { who, by: DVec2::ZERO }), Ok(Applied::Changed(false)));
    }
}
