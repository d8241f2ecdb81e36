//! Tasks of a character besides its walk, and how its last errand ended.

use super::{Character, CharacterId, WalkEnd, WalkId};
use crate::nav::{Place, Position};
use serde::{Deserialize, Serialize};

/// Turning on the spot towards a point.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// Its number, from the same sequence as walks.
    pub id: WalkId,
    /// The point to look at.
    pub to: Place,
}

/// Following a character: a series of walks under one number, one whenever the other is too far away. In between the
/// follower stands like any character without a walk, so planners see it and it makes room.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Following {
    /// Its number, from the same sequence as walks.
    pub id: WalkId,
    /// The character it follows.
    pub who: CharacterId,
    /// The distance it keeps, in metres; touching is near enough in any case.
    pub near_m: f64,
    /// The tick in which it was asked for.
    pub began_tick: u64,
    /// Where the other was when the follower's last walk began or ended.
    pub other_at: Position,
    /// The tick in which its last walk ended.
    pub rests_from_tick: u64,
    /// Walks in a row that did not get near while the other stayed where it was.
    pub in_vain: u32,
}

/// An interrupted task, to be resumed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SetAside {
    /// The tick of the interruption.
    pub since_tick: u64,
    /// The walk it was on.
    pub walk: Option<SetAsideWalk>,
    /// The character it followed, and how.
    pub following: Option<Box<Following>>,
    /// Where it turned to.
    pub turn: Option<Turn>,
    /// The last errand before the interruption; errands during the interruption are not its own.
    pub last_errand: Option<WalkId>,
}

/// An interrupted walk. Its path is planned afresh when it resumes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SetAsideWalk {
    /// Its number.
    pub id: WalkId,
    /// The tick in which it was asked for.
    pub began_tick: u64,
    /// The point that was asked for.
    pub requested: Place,
    /// The character it leads to, if any.
    pub up_to: Option<CharacterId>,
    /// What is used at its end: the name of a hotspot or a point.
    pub to_use: Option<String>,
}

/// How a character's last errand ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LastWalk {
    /// Which walk it was.
    pub walk: WalkId,
    /// The requested point, or the last position of the character it led to.
    pub requested: Place,
    /// Where it ended.
    pub reached: Position,
    /// How it ended.
    pub end: WalkEnd,
    /// How many ticks it took.
    pub ticks: u64,
    /// The tick in which it ended.
    pub ended_tick: u64,
}

/// Slack beyond the requested distance before a follower sets out. Without it, a follower would never rest.
const SLACK_M: f64 = 0.3;

impl Following {
    /// How near `follower` comes to `other`.
    pub fn near_m(&self, follower: &Character, other: &Character) -> f64 {
        self.near_m.max(follower.touching_m(other))
    }

    /// Whether `follower` may stand where it is.
    pub fn is_near(&self, follower: &Character, other: &Character) -> bool {
        follower.position.distance(other.position) <= self.near_m(follower, other) + SLACK_M
    }

    /// Whether `stander` has the room that `follower` would need near `other`. Both follow `other`.
    pub fn is_taken_by(&self, stander: &Character, follower: &Character, other: &Character) -> bool {
        let Some(theirs) = stander.following.as_deref().filter(|theirs| theirs.who == self.who) else {
            return false;
        };
        let reach_m = self.near_m(follower, other) + follower.touching_m(stander);
        let there = stander.position.distance(other.position) <= reach_m;
        stander.walk.is_none() && (there || theirs.in_vain > 0)
    }

    /// Whether to try again after walks in vain: a moment after the other moved on by `moved_m`, else after a pause.
    /// The pause doubles each time, so followers that find no room come to rest.
    pub fn tries_again(&self, other_at: Position, now_tick: u64, moved_m: f64, moment_ticks: u64) -> bool {
        let rested = now_tick.saturating_sub(self.rests_from_tick);
        let pause = moment_ticks.saturating_mul(1_u64.checked_shl(self.in_vain).unwrap_or(u64::MAX));
        let went_on = self.other_at.distance(other_at) > moved_m;
        self.in_vain == 0 || rested >= pause || went_on && rested >= moment_ticks
    }
}
