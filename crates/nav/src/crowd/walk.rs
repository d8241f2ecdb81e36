//! One walk, from request to end.

use super::progress::StandsAhead;
use super::{CharacterId, Rank};
use crate::geometry::distance_sq_to_segment;
use crate::nav::{Corridor, Place, Position, WaypathId};
use crate::surface::Surface;
use glam::DVec2;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Walk id, unique in a world. Later walks have higher ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct WalkId(pub u64);

/// What a walk is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Purpose {
    /// A requested walk; its end is reported.
    Errand,
    /// A step aside, or a return to the post. It was not requested, so its end is not reported.
    StepAside,
}

/// A walk from request to end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Walk {
    /// Id of the walk.
    pub id: WalkId,
    /// Why the character walks.
    pub purpose: Purpose,
    /// Tick of the request.
    pub began_tick: u64,
    /// What was asked for.
    pub goal: WalkGoal,
    /// Current path. Empty until the first path is found.
    pub corridor: Corridor,
    /// Whether the path ends at the reachable point nearest to the requested one.
    pub partial: bool,
    /// The path request that is pending.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path_request: Option<PathRequest>,
    /// How far it has come, and at what cost.
    pub progress: WalkProgress,
    /// Who is in its way.
    pub held_up: HeldUp,
    /// Lent rank: the highest rank of walkers that queue behind, and its remaining ticks.
    pub(crate) lent_rank: Option<(Rank, u32)>,
    /// The waypoint that it came to last, as its waypath and its index.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_waypoint: Option<(WaypathId, u32)>,
    /// What its paths lead round.
    pub avoids: Avoids,
    /// How often an order was looked for in which those who were in each other's way could move.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) rearranged: u8,
    /// Set while the walker yields. Then `corridor` is the path to the waiting place.
    pub(crate) give_way: Option<Box<GiveWay>>,
}

/// What was asked for: a place, and what to do there.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WalkGoal {
    /// The requested place.
    pub place: Place,
    /// Target character, if the goal is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub up_to: Option<CharacterId>,
    /// Hotspot or point to use on arrival, by name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_use: Option<String>,
    /// Whether it must get to the goal itself: touching somebody who has arrived there is not enough.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exact: bool,
    /// A point to look at after the arrival.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub look_at: Option<Place>,
}

/// What a path is asked for, while the walker goes on along its old one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum PathRequest {
    /// It is taken in any case.
    Needed,
    /// It is taken only if it is quicker than the present one, because it avoids jams.
    Weighing,
}

/// How far a walk has come, and at what cost.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WalkProgress {
    /// Ticks without progress along the path; see `progress`. Time spent waiting for others does not count.
    pub idle_ticks: u32,
    /// The one that it let pass last without progress since, and the idle time that was taken off `idle_ticks` for that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) forgiven: Option<(CharacterId, u32)>,
    /// Net progress along the walk's paths, in metres. Being pushed back reduces it. Replanning does not affect it.
    pub gained_m: f64,
    /// The value of `gained_m` that last counted as progress.
    pub counted_m: f64,
    /// Effort: distance at full speed since the request, in metres. Time spent waiting adds a tenth of the distance
    /// it would take to walk.
    pub effort_m: f64,
    /// The effort at which the walk is given up: three times the longest remaining path, plus slack.
    pub effort_limit_m: f64,
    /// Whether the next path resets the effort.
    pub renewed: bool,
    /// Remaining path length at the last progress check, in metres.
    pub last_left_m: f64,
}

/// Who is in the way of a walk, or what was.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct HeldUp {
    /// Blocker since the last progress: the last character that the walker ran into.
    pub by: Option<CharacterId>,
    /// Blocker before the last progress. It is reported if the walk is given up and no newer blocker is known.
    pub before_by: Option<CharacterId>,
    /// The area that closed on its way last, and is closed still.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) closed_area: Option<String>,
    /// Blocker it queues behind.
    pub queues_behind: Option<CharacterId>,
    /// Somebody who stands, and for whom it waits, itself or behind others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stands_ahead: Option<StandsAhead>,
}

/// What the paths of a walk lead round, beside those who stand.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Avoids {
    /// Hash of the obstacles in the last path request.
    pub obstacles_hash: u64,
    /// Until this tick (exclusive), moving characters count as obstacles, too.
    pub movers_until_tick: u64,
    /// Until this tick (exclusive), jams count as obstacles, too.
    #[serde(default)]
    pub jams_until_tick: u64,
    /// Those beside its present path who stand and cannot be pushed, as circles: their middles, and how far the walker's own
    /// has to keep from them, in metres.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) circles: Vec<(DVec2, f64)>,
}

impl Avoids {
    /// Whether a straight way leads past all of them. Whoever touches one may go away from it.
    pub(crate) fn lets_pass(&self, from: DVec2, to: DVec2) -> bool {
        self.circles.iter().all(|&(centre, radius_m)| {
            let least_sq = (radius_m * radius_m).min(from.distance_squared(centre));
            distance_sq_to_segment(centre, from, to) >= least_sq
        })
    }
}

fn is_zero<N: Default + PartialEq>(number: &N) -> bool {
    *number == N::default()
}

/// State of a walker that yields: it goes to a waiting place, and waits until the prioritised walker has passed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct GiveWay {
    /// The prioritised walker.
    pub to: CharacterId,
    /// Inherited priority while yielding: the rank of the prioritised walker.
    pub rank: Rank,
    /// The release point: the point of the prioritised walker's path nearest to the waiting place. The yielding ends
    /// when that walker has passed it.
    pub mouth: DVec2,
    /// The walker's own path ahead before it yielded.
    pub wanted: Vec<DVec2>,
    /// Ticks since the walker left its own path, over all waiting places.
    pub ticks_in_all: u32,
    /// Ticks without progress towards the waiting place. After arrival, ticks waited there.
    pub ticks: u32,
    /// The shortest remaining path to the waiting place so far, in metres.
    pub least_left_m: f64,
    /// Whether the walker is at the waiting place.
    pub waiting: bool,
}

/// A path that is this much longer or shorter than the one before is another way, in metres.
const ANOTHER_WAY_M: f64 = 2.0;

/// A path that ends this far from where the one before ended has another goal, in metres: its character moved, say.
const ANOTHER_GOAL_M: f64 = 0.1;

/// How a walk ended.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum WalkEnd {
    /// It arrived at the goal, or at the point the goal was snapped to.
    Arrived,
    /// It ended at the reachable point nearest to a goal that cannot be reached.
    Partial,
    /// There is no path at all.
    NoPath,
    /// It made no progress for too long. Holds the last known blocker, if any. The target character counts as one.
    Blocked(Option<String>),
    /// It was cancelled by a new target, a stop, a teleport or death.
    Cancelled,
    /// The script's timeout expired.
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
    /// Whether it goes out of the way of another walker, or waits there.
    pub fn gives_way(&self) -> bool {
        self.give_way.is_some()
    }

    /// A walk without a path and without a path request.
    pub fn new(id: WalkId, purpose: Purpose, requested: Place) -> Self {
        Self {
            id,
            purpose,
            began_tick: 0,
            goal: WalkGoal { place: requested, up_to: None, to_use: None, exact: false, look_at: None },
            corridor: Corridor::default(),
            partial: false,
            path_request: None,
            progress: WalkProgress::new(),
            held_up: HeldUp::default(),
            lent_rank: None,
            last_waypoint: None,
            avoids: Avoids::default(),
            rearranged: 0,
            give_way: None,
        }
    }

    /// Skips the next waypoint, if the one after it is in sight, and nobody that the path avoids stands between. What is
    /// cut off is no progress.
    pub(crate) fn skip_waypoint(&mut self, position: Position, ground: &Surface) {
        if let [_, after, ..] = self.corridor.ahead()
            && self.avoids.lets_pass(position.at, after.at)
            && ground.segment_clear(position, *after)
        {
            let before_m = self.corridor.left_m(position);
            self.corridor.advance();
            self.progress.last_left_m += self.corridor.left_m(position) - before_m;
        }
    }

    /// Makes a pending path one that is taken in any case.
    pub(crate) fn weigh_no_more(&mut self) {
        self.path_request = self.path_request.map(|_| PathRequest::Needed);
    }

    /// Whether the pending path is taken only if it is quicker than the present one.
    pub fn is_weighing(&self) -> bool {
        self.path_request == Some(PathRequest::Weighing)
    }

    /// Whether the walker yields: it makes way for another one.
    pub fn is_yielding(&self) -> bool {
        self.give_way.is_some()
    }

    /// Whether the walker yields, and is at its waiting place.
    pub fn is_waiting(&self) -> bool {
        self.give_way.as_ref().is_some_and(|way| way.waiting)
    }

    /// Sets the effort limit: three times the longest remaining path, plus slack for waiting. Local progress can
    /// oscillate, as when two walkers push each other back and forth, or a door ahead opens and closes. The effort
    /// limit detects it.
    fn allow_effort(&mut self) {
        let slack_m = if self.purpose == Purpose::Errand { 20.0 } else { 2.0 };
        if std::mem::take(&mut self.progress.renewed) {
            self.progress.effort_m = 0.0;
            self.progress.effort_limit_m = 0.0;
            self.held_up.closed_area = None;
        }
        self.progress.effort_limit_m =
            self.progress.effort_limit_m.max(3.0 * self.progress.last_left_m + slack_m);
    }

    /// Sets a new path. The walker is at `position`. If the path is a little longer than the one before, ground was lost, as
    /// the walker was pushed back, or walked off its path; if it is shorter, ground was gained. A path that is much longer
    /// or shorter is another way, or leads to another goal.
    pub fn take_path(&mut self, position: Position, path: Corridor, partial: bool) {
        let goals = [self.corridor.goal(), path.goal()];
        let is_same_goal = matches!(goals, [Some(one), Some(other)] if one.distance(other) < ANOTHER_GOAL_M);
        self.corridor = path;
        self.partial = partial;
        self.path_request = None;
        let left_m = self.corridor.left_m(position);
        let longer_m = left_m - std::mem::replace(&mut self.progress.last_left_m, left_m);
        if self.purpose == Purpose::Errand && is_same_goal && longer_m.abs() < ANOTHER_WAY_M {
            self.progress.gained_m -= longer_m;
        }
        self.allow_effort();
    }
}

impl WalkProgress {
    /// None yet.
    fn new() -> Self {
        Self {
            idle_ticks: 0,
            forgiven: None,
            gained_m: 0.0,
            counted_m: 0.0,
            effort_m: 0.0,
            effort_limit_m: 0.0,
            renewed: true,
            last_left_m: 0.0,
        }
    }

    /// Idle time since the last progress, with what letting one and the same other one pass took off.
    pub(crate) fn ticks_in_vain(&self) -> u32 {
        self.idle_ticks.saturating_add(self.forgiven.map_or(0, |(_, ticks)| ticks))
    }
}
