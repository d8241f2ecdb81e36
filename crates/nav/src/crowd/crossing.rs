//! Crossing a link: over a gap, up a ladder, in a lift.

use super::Character;
use crate::nav::{LinkWay, Place, Position};
use crate::room::LinkKind;
use crate::surface::Surface;
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// What a character crosses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Crossed {
    /// A link.
    #[default]
    Link,
    /// A piece of a waypath, by a jump.
    Waypath,
    /// Nothing but air: a script lets the character jump.
    Air,
}

/// A link that a character is crossing, or a jump. Meanwhile it takes no part in the crowd: nobody touches it, and it blocks nobody.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Crossing {
    /// The link, and the direction in which the character set out. A jump has an id like a link.
    pub way: LinkWay,
    /// The name of the link or the waypath; empty in the air.
    pub link: String,
    /// What is crossed.
    #[serde(default, skip_serializing_if = "Crossed::is_link")]
    pub over: Crossed,
    /// How the link is crossed.
    pub kind: LinkKind,
    /// Where it set out.
    pub from: Position,
    /// Where it will be.
    pub to: Position,
    /// The tick in which it set out. If it turned back, the tick in which it would have set out from the other end, which
    /// may be before the first one.
    pub began_tick: i64,
    /// How many ticks it takes. `None` until the game says that it is over.
    pub ticks: Option<u32>,
    /// Whether the ground at its end closed, so that it goes back.
    pub is_return: bool,
}

/// Height of a jump, as a share of its length.
const JUMP_SHARE: f64 = 0.25;

/// The greatest height of a jump above its ends, in metres.
const MOST_JUMP_M: f64 = 1.0;

/// Speeds of crossings, in metres per second: a running jump, over a wall, up a ladder, a lift.
const JUMP_MPS: f64 = 3.0;
const CLIMB_MPS: f64 = 0.7;
const LADDER_MPS: f64 = 0.8;
const LIFT_MPS: f64 = 1.0;

/// The shortest jump, climb or ride, in seconds.
const LEAST_S: f64 = 0.4;

/// How long a crossing of this length takes if the link does not say it, in seconds. `None` for a kind that the game times.
pub(crate) fn crossing_s(kind: LinkKind, length_m: f64, walk_speed_mps: f64) -> Option<f64> {
    let at = |speed_mps: f64| length_m / speed_mps.max(0.01);
    Some(match kind {
        LinkKind::Walk => at(walk_speed_mps),
        LinkKind::Jump => at(JUMP_MPS).max(LEAST_S),
        LinkKind::Climb => at(CLIMB_MPS).max(LEAST_S),
        LinkKind::Ladder => at(LADDER_MPS).max(LEAST_S),
        LinkKind::Lift => at(LIFT_MPS).max(LEAST_S),
        LinkKind::Teleport => 0.0,
        LinkKind::Handler => return None,
    })
}

impl Crossed {
    /// Whether it is a link.
    #[allow(clippy::trivially_copy_pass_by_ref)] // serde wants it so
    pub fn is_link(&self) -> bool {
        *self == Self::Link
    }
}

impl Crossing {
    /// The share of the crossing that is done, 0 to 1, at the beginning of a tick.
    pub fn share(&self, tick: u64) -> f64 {
        match self.ticks {
            Some(0) => 1.0,
            Some(ticks) => (self.ticks_since(tick) as f64 / f64::from(ticks)).min(1.0),
            None => 0.0,
        }
    }

    /// Its velocity over the ground, in m/s. Zero if its time is not known.
    pub(crate) fn velocity_mps(&self, dt_s: f64) -> DVec2 {
        let ticks = self.ticks.filter(|&ticks| ticks > 0);
        ticks.map_or(DVec2::ZERO, |ticks| (self.to.at - self.from.at) / (f64::from(ticks) * dt_s))
    }

    /// Whether it is over.
    pub(crate) fn is_over(&self, tick: u64) -> bool {
        self.ticks.is_some_and(|ticks| self.ticks_since(tick) >= i64::from(ticks))
    }

    /// The ticks that are left, if its time is known; else 0.
    pub fn left_ticks(&self, tick: u64) -> u64 {
        self.ticks.map_or(0, |ticks| (i64::from(ticks) - self.ticks_since(tick)).max(0) as u64)
    }

    fn ticks_since(&self, tick: u64) -> i64 {
        (tick as i64).saturating_sub(self.began_tick).max(0)
    }

    /// Where the character is seen, with its height.
    pub fn seen_at(&self, ground: &Surface, tick: u64) -> Place {
        let share = self.share(tick);
        let (from_m, to_m) = (ground.height_m(self.from), ground.height_m(self.to));
        let up_m = match self.kind {
            LinkKind::Jump => {
                let height_m = (JUMP_SHARE * self.from.distance(self.to)).min(MOST_JUMP_M);
                4.0 * height_m * share * (1.0 - share)
            }
            _ => 0.0,
        };
        let at = self.from.at.lerp(self.to.at, share);
        Place { at, y_m: Some(from_m + (to_m - from_m) * share + up_m) }
    }

    /// Goes back from where it is.
    pub(crate) fn turn_back(&mut self, tick: u64) {
        std::mem::swap(&mut self.from, &mut self.to);
        self.is_return = !self.is_return;
        if let Some(ticks) = self.ticks {
            // As much is left as was done.
            let left = self.ticks_since(tick).min(i64::from(ticks));
            self.began_tick = tick as i64 + left - i64::from(ticks);
        }
    }
}

impl Character {
    /// Where it is, or will be after the link that it is crossing: where its next walk begins.
    pub fn landing(&self) -> Position {
        self.crossing.as_ref().map_or(self.position, |crossing| crossing.to)
    }

    /// Where it is seen: at its position, or on the link that it is crossing.
    pub fn seen_at(&self, ground: &Surface, tick: u64) -> Place {
        match &self.crossing {
            Some(crossing) => crossing.seen_at(ground, tick),
            None => ground.place_of(self.position),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nav::LinkId;

    #[test]
    fn a_character_that_turns_back_is_where_it_was() {
        let way = LinkWay { link: LinkId(1), backward: false };
        let end = |x: f64| Position::on_ground(glam::dvec2(x, 0.0));
        let mut crossing = Crossing {
            way,
            link: "gap".into(),
            over: Crossed::Link,
            kind: LinkKind::Walk,
            from: end(0.0),
            to: end(4.0),
            began_tick: 100,
            ticks: Some(40),
            is_return: false,
        };
        let room = crate::room::Room::default();
        let ground = Surface::new(&room).unwrap();
        // It may be as young as the room.
        let mut young = Crossing { began_tick: 0, ..crossing.clone() };
        let before = young.seen_at(&ground, 10).at;
        young.turn_back(10);
        assert!((young.seen_at(&ground, 10).at - before).length() < 1e-12, "{before}");
        assert!(!young.is_over(19) && young.is_over(20), "as long as it took");
        let before = crossing.seen_at(&ground, 110).at;
        crossing.turn_back(110);
        assert!((crossing.seen_at(&ground, 110).at - before).length() < 1e-12, "{before}");
        assert!(!crossing.is_over(119) && crossing.is_over(120), "as long as it took");
        assert!(crossing.is_return && crossing.to == end(0.0));
    }
}
