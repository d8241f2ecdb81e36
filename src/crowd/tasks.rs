//! What somebody is to do besides the walk it is on, and what became of its last errand.

use super::{Character, CharacterId, WalkEnd, WalkId};
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// Turning on the spot towards a point.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// Its number, from the same row as the walks'.
    pub id: WalkId,
    /// The point to look at, in metres.
    pub to: DVec2,
}

/// Staying near somebody. It is a row of walks, one whenever they are too far away, all of the number of the whole; in between
/// the follower stands like everybody who has no walk, so that planners see it and it makes room.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Following {
    /// Its number, from the same row as the walks'.
    pub id: WalkId,
    /// Whom it follows.
    pub who: CharacterId,
    /// How near it stays, in metres; two who touch are near enough in any case.
    pub near_m: f64,
    /// The tick in which it was asked for.
    pub began_tick: u64,
    /// Where the other was when its last walk began or ended.
    pub other_at: DVec2,
    /// The tick in which its last walk ended.
    pub rests_from_tick: u64,
    /// How many walks in a row did not get near, with the other staying where it was.
    pub in_vain: u32,
}

/// What somebody was at when something else came in between, to be taken up again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SetAside {
    /// The tick in which it was put aside.
    pub since_tick: u64,
    /// The walk it was on.
    pub walk: Option<SetAsideWalk>,
    /// Whom it followed.
    pub following: Option<Box<Following>>,
    /// Where it turned to.
    pub turn: Option<Turn>,
    /// The last errand it had been sent on: those that come in between are not its own.
    pub last_errand: Option<WalkId>,
}

/// A walk that is put aside: its path is planned afresh when it is taken up again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SetAsideWalk {
    /// Its number.
    pub id: WalkId,
    /// The tick in which it was asked for.
    pub began_tick: u64,
    /// The point that was asked for, in metres.
    pub requested: DVec2,
    /// Whom it leads to, if it ends near somebody.
    pub up_to: Option<CharacterId>,
    /// What is used at its end: the name of a hotspot or a point.
    pub to_use: Option<String>,
}

/// What became of somebody's last errand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LastWalk {
    /// Which walk it was.
    pub walk: WalkId,
    /// The point that was asked for, or where the one was last that it led to.
    pub requested: DVec2,
    /// Where it ended.
    pub reached: DVec2,
    /// How it ended.
    pub end: WalkEnd,
    /// How many ticks it took.
    pub ticks: u64,
    /// The tick in which it ended.
    pub ended_tick: u64,
}

/// How much further away than asked for the other may be before a follower sets out: who sets out at every inch would never rest.
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

    /// Whether somebody who stands has the room that `follower` would need near `other`, whom both follow.
    pub fn is_taken_by(&self, stander: &Character, follower: &Character, other: &Character) -> bool {
        let Some(theirs) = stander.following.as_deref().filter(|theirs| theirs.who == self.who) else {
            return false;
        };
        let reach_m = self.near_m(follower, other) + follower.touching_m(stander);
        let there = stander.position.distance(other.position) <= reach_m;
        stander.walk.is_none() && (there || theirs.in_vain > 0)
    }

    /// Whether it is time to try again after walks in vain: a moment after the other went on by `moved_m`, else after a pause
    /// that doubles each time, so that people who find no room near somebody come to rest.
    pub fn tries_again(&self, other_at: DVec2, now_tick: u64, moved_m: f64, moment_ticks: u64) -> bool {
        let rested = now_tick.saturating_sub(self.rests_from_tick);
        let pause = moment_ticks.saturating_mul(1_u64.checked_shl(self.in_vain).unwrap_or(u64::MAX));
        let went_on = self.other_at.distance(other_at) > moved_m;
        self.in_vain == 0 || rested >= pause || went_on && rested >= moment_ticks
    }
}
