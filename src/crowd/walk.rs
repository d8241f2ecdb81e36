//! One walk, from being asked for to its end.

use super::{CharacterId, Rank};
use glam::DVec2;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One walk of one world, numbered in the order they began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct WalkId(pub u64);

/// What a walk is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Purpose {
    /// Somebody asked for it; its end is told.
    Errand,
    /// A step out of somebody's way, or back to the post; nobody asked, so nobody is told.
    StepAside,
}

/// A walk from being asked for to its end.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Walk {
    /// Its number.
    pub id: WalkId,
    /// What it is for.
    pub purpose: Purpose,
    /// The tick in which it was asked for.
    pub began_tick: u64,
    /// The point that was asked for.
    pub requested: DVec2,
    /// The path; the next waypoint is at `next`. Empty until the first path is found.
    waypoints: Vec<DVec2>,
    /// Index of the waypoint walked to.
    next: usize,
    #[serde(skip)]
    leg: Leg,
    /// Whether the path leads only to the reachable point nearest to the one asked for.
    pub partial: bool,
    /// Whether a path has been asked for and not been found yet.
    pub planning: bool,
    /// Ticks since it last came closer along its path; see `progress`.
    pub idle_ticks: u32,
    /// How much closer along its paths it came in all, in metres; less when it was pushed back. A new plan may be longer or
    /// shorter than the old; that changes nothing here.
    pub gained_m: f64,
    /// The gain that counted as progress last.
    pub counted_m: f64,
    /// How far it would have come since it was asked for with nobody in the way, in metres; waiting for others counts a quarter.
    pub effort_m: f64,
    /// The effort at which it gives up: three times the longest way it had to go, and some slack.
    pub effort_limit_m: f64,
    /// Whether the plan it waits for was asked for afresh, which deserves fresh effort.
    pub renewed: bool,
    /// The length that was left when last looked at.
    pub last_left_m: f64,
    /// Who or what held it up last.
    pub held_up_by: Option<CharacterId>,
    /// Who held it up before that, for the name if it gives up in the end.
    pub hindered_by: Option<CharacterId>,
    /// Whom it queues behind, of those who held it up.
    pub queues_behind: Option<CharacterId>,
    /// The highest rank of those who queue behind, and for how many ticks it is lent.
    pub lent_rank: Option<(Rank, u32)>,
    /// Whom it leads to, if it ends near somebody.
    pub up_to: Option<CharacterId>,
    /// What is used at its end: the name of a hotspot or a point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_use: Option<String>,
    /// Fingerprint of those its path was planned around.
    pub planned_around: u64,
    /// Until this tick, those who move count as obstacles too.
    pub around_movers_until_tick: u64,
    /// The way it makes for somebody else at the moment; meanwhile `waypoints` lead to the place where it waits.
    pub give_way: Option<Box<GiveWay>>,
}

/// What every tick asks of a path, which itself lies elsewhere in memory. Follows from `waypoints` and `next`.
#[derive(Debug, Clone, Copy, Default)]
struct Leg {
    /// The waypoint walked to.
    to: DVec2,
    /// How long the path is from there, in metres.
    then_m: f64,
}

impl PartialEq for Leg {
    /// Walks that are the same in all else have the same leg; one that was just read has not worked it out yet.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Stepping out of somebody's way in the middle of a walk, waiting for them to pass, and going on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GiveWay {
    /// For whom.
    pub to: CharacterId,
    /// Whom it goes before meanwhile: all that the one it makes way for goes before.
    pub rank: Rank,
    /// The point of the other's way that is next to the place: once they are past it, the walk goes on.
    pub mouth: DVec2,
    /// What was ahead of it before.
    pub wanted: Vec<DVec2>,
    /// Ticks since it first left its path for somebody, being sent on from place to place included.
    pub ticks_in_all: u32,
    /// Ticks spent on the way to the place without coming closer, then ticks waited there.
    pub ticks: u32,
    /// The shortest way to the place so far, in metres.
    pub least_left_m: f64,
    /// Whether it is at the place.
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
    /// Held up for too long, by the one named if anyone was near.
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
    pub fn new(id: WalkId, purpose: Purpose, requested: DVec2) -> Self {
        Self {
            id,
            purpose,
            began_tick: 0,
            requested,
            waypoints: Vec::new(),
            next: 0,
            leg: Leg::default(),
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

    /// Whether it waits for somebody to pass.
    pub fn is_waiting(&self) -> bool {
        self.give_way.as_ref().is_some_and(|way| way.waiting)
    }

    /// The whole path, with what of it lies behind.
    pub fn waypoints(&self) -> &[DVec2] {
        &self.waypoints
    }

    /// The waypoints still ahead.
    pub fn ahead(&self) -> &[DVec2] {
        &self.waypoints[self.next..]
    }

    /// Whether it has a path at all, be it walked to its end.
    pub fn has_path(&self) -> bool {
        !self.waypoints.is_empty()
    }

    /// Whether `next` lies on the path, as it always does but in data from elsewhere.
    pub fn is_sound(&self) -> bool {
        self.next <= self.waypoints.len()
    }

    /// The waypoint walked to.
    pub fn toward(&self) -> Option<DVec2> {
        (self.next < self.waypoints.len()).then_some(self.leg.to)
    }

    /// Goes on to the waypoint after the next one.
    pub fn advance(&mut self) {
        self.next += 1;
        self.settle_leg();
    }

    /// Puts other waypoints in place of the path.
    pub fn set_waypoints(&mut self, waypoints: Vec<DVec2>) {
        self.waypoints = waypoints;
        self.next = 0;
        self.settle_leg();
    }

    /// Works out what follows from the path; for a walk that was read from somewhere.
    pub fn settle_leg(&mut self) {
        let ahead = self.waypoints.get(self.next..).unwrap_or_default();
        let Some(&to) = ahead.first() else { return };
        self.leg = Leg { to, then_m: ahead.windows(2).map(|pair| pair[0].distance(pair[1])).sum() };
    }

    /// What is left of the path as a line that begins at `position`, as far as `reach_m` along it.
    pub fn line_ahead(&self, position: DVec2, reach_m: f64) -> Vec<DVec2> {
        let (mut line, mut left_m) = (vec![position], reach_m);
        let mut from = position;
        for &to in self.ahead() {
            if left_m <= 0.0 {
                break;
            }
            line.push(to);
            left_m -= from.distance(to);
            from = to;
        }
        line
    }

    /// The way that is left from `position`, in metres.
    pub fn left_m(&self, position: DVec2) -> f64 {
        self.toward().map_or(0.0, |to| position.distance(to) + self.leg.then_m)
    }

    /// Allows three times the longest way it had to go, and some slack for waiting. Two who push each other back and forth, or
    /// doors that open and close before somebody, let a walk seem to get on at every moment; only the sum shows that it does not.
    fn allow_effort(&mut self) {
        let slack_m = if self.purpose == Purpose::Errand { 20.0 } else { 2.0 };
        if std::mem::take(&mut self.renewed) {
            self.effort_m = 0.0;
            self.effort_limit_m = 0.0;
        }
        self.effort_limit_m = self.effort_limit_m.max(3.0 * self.last_left_m + slack_m);
    }

    /// Takes a new path, to be walked from `position`.
    pub fn take_path(&mut self, position: DVec2, waypoints: Vec<DVec2>, partial: bool) {
        self.set_waypoints(waypoints);
        self.partial = partial;
        self.planning = false;
        self.last_left_m = self.left_m(position);
        self.allow_effort();
    }
}
