//! Fixed steps under frames of any length, and what to draw between two steps.

use super::World;
use crate::crowd::CharacterId;
use crate::nav::Place;
use std::f64::consts::{PI, TAU};

/// Tells how many steps a frame makes, and where characters are seen between two steps. A world makes fixed steps, and a
/// screen has frames of another and changing length: what is left of a frame is kept for the next one ("Fix your
/// timestep", G. Fiedler).
///
/// ```
/// # use cicerone_nav::world::{FrameSteps, World};
/// # let text = br#"{"areas": [{"name": "hall", "polygon": [[0, 0], [4, 0], [4, 4]]}],
/// #   "characters": [{ "name": "ann", "at": [3, 1] }]}"#;
/// # let mut world = World::new(cicerone_nav::room::parse("hall.json", text).unwrap().room, 7).unwrap();
/// # let ann = world.character_named("ann").unwrap().id;
/// let mut frames = FrameSteps::default();
/// let frame_s = 0.02; // from your engine
/// for _ in 0..frames.begin(frame_s, world.dt_s()) {
///     frames.note(&world);
///     world.tick();
/// }
/// let pose = frames.pose(&world, ann).unwrap();
/// # assert_eq!((world.tick_number(), pose.place.at.x), (1, 3.0));
/// ```
#[derive(Debug, Clone, Default)]
pub struct FrameSteps {
    /// Seconds that no step has been made for.
    rest_s: f64,
    /// That as a share of a step.
    fraction: f64,
    /// Where characters were before the last step, in order of id.
    before: Vec<(CharacterId, Pose)>,
}

/// Where a character is seen, and which way it looks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// The place, as [`World::seen_at`] says: with a height where the ground has heights.
    pub place: Place,
    /// The heading in radians: 0 along x, a quarter turn along z.
    pub heading_rad: f64,
}

/// The longest frame that is made up for, in seconds. After a longer one (a breakpoint, a sleeping laptop) game time is
/// lost instead.
const LONGEST_FRAME_S: f64 = 0.25;

/// A character that moved farther in one step than it can walk, and by this much, was put there: it is not drawn on the
/// way.
const JUMP_M: f64 = 0.5;

impl FrameSteps {
    /// Begins a frame of this length; the number of steps to make now. `dt_s` is the length of a step.
    pub fn begin(&mut self, frame_s: f64, dt_s: f64) -> u32 {
        if frame_s.is_finite() && frame_s > 0.0 {
            self.rest_s += frame_s;
        }
        let steps = (self.rest_s / dt_s + 1e-9).floor();
        let most = (LONGEST_FRAME_S / dt_s + 1e-9).floor().max(1.0);
        if steps > most {
            (self.rest_s, self.fraction) = (0.0, 0.0);
            return most as u32;
        }
        self.rest_s = (self.rest_s - steps * dt_s).max(0.0);
        self.fraction = (self.rest_s / dt_s).clamp(0.0, 1.0);
        steps as u32
    }

    /// Notes where characters are. Call it before each step.
    pub fn note(&mut self, world: &World) {
        self.before.clear();
        self.before.extend(world.characters().iter().map(|character| {
            let heading_rad = character.heading_rad;
            (character.id, Pose { place: world.seen_at(character), heading_rad })
        }));
    }

    /// How far the frame is from the last step to the next, 0 to 1.
    pub fn fraction(&self) -> f64 {
        self.fraction
    }

    /// Where to draw a character in this frame: between its last two places, so a step late. `None` if it is not in the
    /// room.
    pub fn pose(&self, world: &World, who: CharacterId) -> Option<Pose> {
        let character = world.character(who)?;
        let now = Pose { place: world.seen_at(character), heading_rad: character.heading_rad };
        let found = self.before.binary_search_by_key(&who, |(id, _)| *id);
        let Some(&(_, before)) = found.ok().and_then(|index| self.before.get(index)) else {
            return Some(now);
        };
        let most_m = character.speed_mps() * world.dt_s() * 2.0 + JUMP_M;
        let is_put = before.place.at.distance(now.place.at) > most_m && character.crossing.is_none();
        if is_put {
            return Some(now);
        }
        let share = self.fraction;
        let between = |a: f64, b: f64| a + (b - a) * share;
        let turn = libm::remainder(now.heading_rad - before.heading_rad, TAU);
        let heading_rad = before.heading_rad + turn * share;
        let wrapped = if heading_rad.abs() > PI { libm::remainder(heading_rad, TAU) } else { heading_rad };
        let at = before.place.at.lerp(now.place.at, share);
        let y_m = now.place.y_m.map(|y| between(before.place.y_m.unwrap_or(y), y));
        Some(Pose { place: Place { at, y_m }, heading_rad: wrapped })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::Command;

    fn world() -> World {
        let text = br#"{"areas": [{"name": "hall", "polygon": [[0, 0], [20, 0], [20, 4], [0, 4]]}],
            "characters": [{ "name": "ann", "at": [3, 1] }]}"#;
        World::new(crate::room::parse("hall.json", text).unwrap().room, 7).unwrap()
    }

    #[test]
    fn frames_of_any_length_make_as_many_steps_as_time_goes_by() {
        for frame_s in [1.0 / 240.0, 1.0 / 144.0, 1.0 / 60.0, 1.0 / 59.94, 1.0 / 30.0, 0.1] {
            let mut frames = FrameSteps::default();
            let count = (10.0 / frame_s) as u32;
            let steps: u32 = (0..count).map(|_| frames.begin(frame_s, 1.0 / 60.0)).sum();
            let expected = f64::from(count) * frame_s * 60.0;
            assert!((f64::from(steps) - expected).abs() <= 1.0, "{frame_s}: {steps} steps of {expected}");
            assert!((0.0..=1.0).contains(&frames.fraction()));
        }
        let mut frames = FrameSteps::default();
        assert_eq!(frames.begin(3600.0, 1.0 / 60.0), 15);
        assert_eq!(frames.begin(3600.0, 1.0 / 240.0), 60);
        for bad in [f64::NAN, -1.0, f64::INFINITY, 0.0] {
            assert_eq!(frames.begin(bad, 1.0 / 60.0), 0);
        }
    }

    #[test]
    fn a_walk_is_drawn_without_jerks() {
        let mut world = world();
        let ann = world.character_named("ann").unwrap().id;
        world.apply(Command::SetTarget { who: ann, to: Place::new(18.0, 1.0) }).unwrap();
        let (mut frames, mut drawn) = (FrameSteps::default(), Vec::new());
        for _ in 0..720 {
            for _ in 0..frames.begin(1.0 / 144.0, world.dt_s()) {
                frames.note(&world);
                world.tick();
            }
            drawn.push(frames.pose(&world, ann).unwrap().place.at.x);
        }
        let moves: Vec<f64> = drawn.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let even = moves[150..600].iter().all(|by| (by * 144.0 - 1.4).abs() < 0.01);
        assert!(even, "{:?}", &moves[150..170]);
    }

    #[test]
    fn who_is_put_elsewhere_is_not_drawn_on_the_way_and_turns_are_short() {
        let mut world = world();
        let ann = world.character_named("ann").unwrap().id;
        let mut frames = FrameSteps::default();
        assert_eq!(frames.begin(1.5 / 60.0, world.dt_s()), 1);
        world.apply(Command::Tune { who: ann, setting: crate::world::Setting::Heading(3.0) }).unwrap();
        frames.note(&world);
        world.apply(Command::Teleport { who: ann, to: Place::new(18.0, 1.0) }).unwrap();
        world.apply(Command::Tune { who: ann, setting: crate::world::Setting::Heading(-3.0) }).unwrap();
        world.tick();
        assert_eq!(frames.pose(&world, ann).unwrap().place.at.x, 18.0);
        world.apply(Command::Teleport { who: ann, to: Place::new(3.0, 1.0) }).unwrap();
        let heading_rad = frames.pose(&world, ann).unwrap().heading_rad;
        assert!((heading_rad.abs() - PI).abs() < 1e-9, "half of the short way: {heading_rad}");
        world.apply(Command::Despawn(ann)).unwrap();
        assert_eq!(frames.pose(&world, ann), None);
    }
}
