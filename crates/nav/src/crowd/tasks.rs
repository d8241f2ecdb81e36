//! Tasks of a character besides its walk, interrupted tasks, and the result of its last errand.

use super::{Character, CharacterId, WalkEnd, WalkGoal, WalkId, beside_m};
use crate::nav::{Place, Position};
use crate::surface::Surface;
use serde::{Deserialize, Serialize};

/// Turning on the spot towards a point.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// Id of the turn, from the same sequence as walk ids.
    pub id: WalkId,
    /// The point to look at.
    pub to: Place,
}

/// Following a character: a series of walks under one id. A walk begins when the other character is too far away.
/// Between walks, the follower stands like any character without a walk: planners avoid it, and it steps aside.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Following {
    /// Id of the task, from the same sequence as walk ids.
    pub id: WalkId,
    /// The character it follows.
    pub who: CharacterId,
    /// The distance to keep, in metres; of a companion, that of its place. The distance in use is never less than that of two side by side.
    pub near_m: f64,
    /// Tick of the request.
    pub began_tick: u64,
    /// Position of the followed character when the follower's last walk began or ended.
    pub other_at: Position,
    /// The tick in which the follower's last walk ended.
    pub rests_from_tick: u64,
    /// Number of failed walks in a row, while the followed character stayed where it was.
    pub in_vain: u32,
    /// Whether it walks at the side of the other, where there is room.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub beside: bool,
}

/// An interrupted task, to be resumed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SetAside {
    /// The tick of the interruption.
    pub since_tick: u64,
    /// The interrupted walk.
    pub(crate) walk: Option<SetAsideWalk>,
    /// The interrupted following.
    pub following: Option<Box<Following>>,
    /// The interrupted turn.
    pub turn: Option<Turn>,
    /// The last errand before the interruption. Errands during the interruption do not count.
    pub last_errand: Option<WalkId>,
}

impl SetAside {
    /// The goal of the interrupted walk.
    pub fn walks_to(&self) -> Option<Place> {
        self.walk.as_ref().map(|walk| walk.goal.place)
    }
}

/// An interrupted walk. It needs a new path when it resumes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct SetAsideWalk {
    /// Id of the walk.
    pub id: WalkId,
    /// Tick of the request.
    pub began_tick: u64,
    /// What was asked for.
    pub goal: WalkGoal,
}

impl SetAside {
    /// Id of the interrupted walk, if it is one.
    pub fn walk_id(&self) -> Option<WalkId> {
        self.walk.as_ref().map(|walk| walk.id)
    }
}

/// How a character's last errand ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LastWalk {
    /// Id of the walk.
    pub walk: WalkId,
    /// The requested point, or the last position of the target character.
    pub requested: Place,
    /// Where the walk ended.
    pub reached: Position,
    /// How the walk ended.
    pub end: WalkEnd,
    /// Duration in ticks.
    pub ticks: u64,
    /// The tick in which the walk ended.
    pub ended_tick: u64,
    /// Whether it had to end at the very place. A character that has arrived there comes back if it is sent aside.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exact: bool,
}

/// A companion of one that moves faster than this sets out, in m/s.
const SETS_OUT_MPS: f64 = 0.3;

/// A companion is in the way if it stands where the other one goes: the cosine of the angle between.
const IN_THE_WAY: f64 = 0.7;

/// Slack beyond the requested distance before a follower starts to walk. Without it, a follower would never rest.
const SLACK_M: f64 = 0.3;

impl Following {
    /// The distance between centres at which `follower` is near enough to `other`.
    pub fn near_m(&self, follower: &Character, other: &Character) -> f64 {
        let least_m = if self.beside { beside_m(follower, other) } else { follower.touching_m(other) };
        self.near_m.max(least_m)
    }

    /// Whether `follower` is near enough to `other` to stand still. On another storey it is not.
    pub fn is_near(&self, follower: &Character, other: &Character, ground: &Surface) -> bool {
        follower.position.distance(other.position) <= self.near_m(follower, other) + SLACK_M
            && ground.floors_touch(follower.position, other.position)
    }

    /// Whether a companion sets out because the other one does, or wants to walk where it stands. Else it would be late by
    /// a step, or in the way.
    pub(crate) fn sets_out_with(&self, companion: &Character, other: &Character) -> bool {
        let offset = companion.position.at - other.position.at;
        let is_in_the_way = || {
            let near_m = 2.0 * beside_m(companion, other);
            offset.length() < near_m
                && other.going().is_some_and(|going| going.dot(offset) > IN_THE_WAY * offset.length())
        };
        self.beside && (other.velocity_mps().length() > SETS_OUT_MPS || is_in_the_way())
    }

    /// Whether `stander` occupies the slot that `follower` needs near `other`. Both follow `other`. A stander whose
    /// last walk failed counts, too.
    pub fn is_taken_by(&self, stander: &Character, follower: &Character, other: &Character) -> bool {
        let Some(theirs) = stander.following.as_deref().filter(|theirs| theirs.who == self.who) else {
            return false;
        };
        let reach_m = self.near_m(follower, other) + follower.touching_m(stander);
        let there = stander.position.distance(other.position) <= reach_m;
        stander.walk.is_none() && (there || theirs.in_vain > 0)
    }

    /// Whether to try again after failed walks. If the followed character moved by more than `moved_m`, the follower
    /// tries again after `moment_ticks`. Otherwise it pauses first. The pause doubles with each failed walk, so
    /// followers without room come to rest.
    pub fn tries_again(&self, other_at: Position, now_tick: u64, moved_m: f64, moment_ticks: u64) -> bool {
        let rested = now_tick.saturating_sub(self.rests_from_tick);
        let pause = moment_ticks.saturating_mul(1_u64.checked_shl(self.in_vain).unwrap_or(u64::MAX));
        let went_on = self.other_at.distance(other_at) > moved_m;
        self.in_vain == 0 || rested >= pause || went_on && rested >= moment_ticks
    }
}
