//! One walk, from request to end.

use super::{CharacterId, Rank};
use crate::nav::{Corridor, Place, Position};
use glam::DVec2;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One walk of one world, numbered in the order they began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct WalkId(pub u64);

/// What a walk is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Purpose {
    /// A requested walk; its end is reported.
    Errand,
    /// A step aside, or back to the post; not requested, so its end is not reported.
    StepAside,
}

/// A walk from request to end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Walk {
    /// Its number.
    pub id: WalkId,
    /// What it is for.
    pub purpose: Purpose,
    /// The tick in which it was asked for.
    pub began_tick: u64,
    /// The point that was asked for.
    pub requested: Place,
    /// The path under it. Empty until the first path is found.
    pub corridor: Corridor,
    /// Whether the path ends at the reachable point nearest to the requested one.
    pub partial: bool,
    /// Whether a path was requested and is not found yet.
    pub planning: bool,
    /// Ticks since it last came closer along its path; see `progress`.
    pub idle_ticks: u32,
    /// Total progress along its paths, in metres; less when it was pushed back. A replan may make the path longer or
    /// shorter; that changes nothing here.
    pub gained_m: f64,
    /// The value of `gained_m` that last counted as progress.
    pub counted_m: f64,
    /// Effort: how far it would have come unhindered since the request, in metres; waiting for others counts a quarter.
    pub effort_m: f64,
    /// The effort at which it gives up: three times its longest remaining path, plus slack.
    pub effort_limit_m: f64,
    /// Whether the pending path was requested afresh; then the effort starts over.
    pub renewed: bool,
    /// Remaining path length at the last look.
    pub last_left_m: f64,
    /// The character that held it up last.
    pub held_up_by: Option<CharacterId>,
    /// The character that held it up before that, to be named if the walk gives up.
    pub hindered_by: Option<CharacterId>,
    /// The character it queues behind, of those that held it up.
    pub queues_behind: Option<CharacterId>,
    /// The highest rank lent by characters queuing behind, and for how many ticks.
    pub lent_rank: Option<(Rank, u32)>,
    /// The character it leads to, if any.
    pub up_to: Option<CharacterId>,
    /// What is used at its end: the name of a hotspot or a point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_use: Option<String>,
    /// Fingerprint of the obstacles its path was planned around.
    pub planned_around: u64,
    /// Until this tick, moving characters count as obstacles too.
    pub around_movers_until_tick: u64,
    /// Set while it gives way; meanwhile the corridor leads to the waiting place where it waits.
    pub give_way: Option<Box<GiveWay>>,
}

/// Giving way in the middle of a walk: going to a waiting place, waiting for the other to pass, going on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GiveWay {
    /// The character it gives way to.
    pub to: CharacterId,
    /// Its rank meanwhile: that of the character it gives way to.
    pub rank: Rank,
    /// The point of the other's path nearest to the waiting place. Once the other is past it, the walk goes on.
    pub mouth: DVec2,
    /// Its own path ahead before it gave way.
    pub wanted: Vec<DVec2>,
    /// Ticks since it first left its path to give way, moves from waiting place to waiting place included.
    pub ticks_in_all: u32,
    /// Ticks on the way to the waiting place without coming closer, then ticks waited there.
    pub ticks: u32,
    /// The shortest remaining path to the waiting place so far, in metres.
    pub least_left_m: f64,
    /// Whether it is at the waiting place.
    pub waiting: bool,
}

/// How a walk ended.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum WalkEnd {
    /// At the goal, or the point it was snapped to.
    Arrived,
    /// At the reachable point nearest to a goal that cannot be reached.
    Partial,
    /// Nowhere: there is no path at all.
    NoPath,
    /// Held up for too long, by the named character if one was near.
    Blocked(Option<String>),
    /// Called off: by a new target, a stop, a teleport or death.
    Cancelled,
    /// The script that waited for it gave up.
    Timeout,
    /// The walker left the room.
    Despawned,
}

impl WalkEnd {
    /// The reason's name in data and scripts.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Arrived => "arrived",
            Self::Partial => "partial",
            Self::NoPath => "no_path",
            Self::Blocked(_) => "blocked",
            Self::Cancelled => "cancelled",
            Self::Timeout => "timeout",
            Self::Despawned => "despawned",
        }
    }
}

impl fmt::Display for WalkEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Blocked(Some(by)) => write!(f, "blocked by {by}"),
            other => f.write_str(other.as_str()),
        }
    }
}

impl Walk {
    /// A walk that has no path yet and has not asked for one.
    pub fn new(id: WalkId, purpose: Purpose, requested: Place) -> Self {
        Self {
            id,
            purpose,
            began_tick: 0,
            requested,
            corridor: Corridor::default(),
            partial: false,
            planning: false,
            idle_ticks: 0,
            gained_m: 0.0,
            counted_m: 0.0,
            effort_m: 0.0,
            effort_limit_m: 0.0,
            renewed: true,
            last_left_m: 0.0,
            held_up_by: None,
            hindered_by: None,
            queues_behind: None,
            lent_rank: None,
            up_to: None,
            to_use: None,
            planned_around: 0,
            around_movers_until_tick: 0,
            give_way: None,
        }
    }

    /// Whether it waits for another character to pass.
    pub fn is_waiting(&self) -> bool {
        self.give_way.as_ref().is_some_and(|way| way.waiting)
    }

    /// Sets the effort limit: three times the longest remaining path, plus slack for waiting. Two walkers that push
    /// each other back and forth, or doors that open and close ahead, look like progress at every moment. Only the sum
    /// shows that there is none.
    fn allow_effort(&mut self) {
        let slack_m = if self.purpose == Purpose::Errand { 20.0 } else { 2.0 };
        if std::mem::take(&mut self.renewed) {
            self.effort_m = 0.0;
            self.effort_limit_m = 0.0;
        }
        self.effort_limit_m = self.effort_limit_m.max(3.0 * self.last_left_m + slack_m);
    }

    /// Takes a new path, to be walked from `position`.
    pub fn take_path(&mut self, position: Position, waypoints: Vec<Position>, partial: bool) {
        self.corridor = Corridor::new(waypoints);
        self.partial = partial;
        self.planning = false;
        self.last_left_m = self.corridor.left_m(position);
        self.allow_effort();
    }
}
