//! One character: what it is, where it stands, where it walks.

use crate::room::CharacterSpec;
use glam::DVec2;
use std::fmt;

/// A character of one world, numbered in order of appearance and never used twice: a stale id finds nobody.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CharacterId(pub u32);

/// One walk of one world, numbered in the order they began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WalkId(pub u64);

/// Somebody in the room.
#[derive(Debug, Clone, PartialEq)]
pub struct Character {
    /// Its number.
    pub id: CharacterId,
    /// Its unique name.
    pub name: String,
    /// Where its centre is, in metres; always on walkable ground.
    pub position: DVec2,
    /// Where it looks: radians from +X towards +Z, in (−π, π].
    pub heading_rad: f64,
    /// How fast it walks.
    pub walk_speed_mps: f64,
    /// How fast it turns.
    pub rotation_speed_radps: f64,
    /// How much room it takes among others.
    pub collision_radius_m: f64,
    /// Whether the player steers it.
    pub player: bool,
    /// The dead neither walk nor stand in anybody's way.
    pub alive: bool,
    /// The disabled neither walk nor stand in anybody's way.
    pub enabled: bool,
    /// Words that scripts select characters by, in order and without repeats.
    pub tags: Vec<String>,
    /// What it follows: for the scripts' eyes, nothing here reads it.
    pub behaviour: Option<String>,
    /// The walk it is on.
    pub walk: Option<Walk>,
    /// What it says at the moment.
    pub speech: Option<Speech>,
    /// State of its own stream of random numbers.
    pub random: u64,
}

/// Words shown over a character for a while.
#[derive(Debug, Clone, PartialEq)]
pub struct Speech {
    /// The words.
    pub text: String,
    /// The tick from which they are no longer shown.
    pub until_tick: u64,
}

/// Whether a character stands or walks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// On the spot.
    Stand,
    /// On its way.
    Walk,
}

impl State {
    /// The state's name in data and scripts.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Stand => "stand",
            Self::Walk => "walk",
        }
    }
}

/// What a walk is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Somebody asked for it; its end is told.
    Errand,
    /// A step out of somebody's way; nobody asked, so nobody is told.
    StepAside,
}

/// A walk from being asked for to its end.
#[derive(Debug, Clone, PartialEq)]
pub struct Walk {
    /// Its number.
    pub id: WalkId,
    /// What it is for.
    pub purpose: Purpose,
    /// The point that was asked for.
    pub requested: DVec2,
    /// What is left of the path; the next waypoint is at `next`. Empty until the first path is found.
    pub waypoints: Vec<DVec2>,
    /// Index of the waypoint walked to.
    pub next: usize,
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
    /// How far it would have come by now with nobody in the way, in metres.
    pub effort_m: f64,
    /// The effort at which it gives up: three times the way it had at its last plan, and some slack.
    pub effort_limit_m: f64,
    /// Whether the plan it waits for answers a change from outside, which deserves fresh effort.
    pub renewed: bool,
    /// The length that was left when last looked at.
    pub last_left_m: f64,
    /// Who or what held it up last.
    pub held_up_by: Option<CharacterId>,
}

/// How a walk ended.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
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

impl Character {
    /// A character as a room file describes it, at `position`.
    pub fn new(id: CharacterId, spec: &CharacterSpec, position: DVec2, random: u64) -> Self {
        let mut tags = spec.tags.clone();
        tags.sort();
        tags.dedup();
        Self {
            id,
            name: spec.name.clone(),
            position,
            heading_rad: libm::remainder(spec.heading_rad, std::f64::consts::TAU),
            walk_speed_mps: spec.walk_speed_mps,
            rotation_speed_radps: spec.rotation_speed_radps,
            collision_radius_m: spec.collision_radius_m,
            player: spec.player,
            alive: spec.alive,
            enabled: spec.enabled,
            tags,
            behaviour: spec.script.clone(),
            walk: None,
            speech: None,
            random,
        }
    }

    /// Whether it takes part in the crowd: walks, blocks, is pushed.
    pub fn is_active(&self) -> bool {
        self.alive && self.enabled
    }

    /// Whether it is on its way somewhere.
    pub fn is_moving(&self) -> bool {
        self.walk.is_some()
    }

    /// Stand or walk.
    pub fn state(&self) -> State {
        if self.is_moving() { State::Walk } else { State::Stand }
    }

    /// The point it was last asked to walk to, while it does.
    pub fn target(&self) -> Option<DVec2> {
        self.walk.as_ref().map(|walk| walk.requested)
    }
}

impl Walk {
    /// A walk that has no path yet and has not asked for one.
    pub fn new(id: WalkId, purpose: Purpose, requested: DVec2) -> Self {
        Self {
            id,
            purpose,
            requested,
            waypoints: Vec::new(),
            next: 0,
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
        }
    }

    /// The waypoints still ahead.
    pub fn ahead(&self) -> &[DVec2] {
        &self.waypoints[self.next..]
    }

    /// The way that is left from `position`, in metres.
    pub fn left_m(&self, position: DVec2) -> f64 {
        let (length, _) =
            self.ahead().iter().fold((0.0, position), |(sum, at), &to| (sum + at.distance(to), to));
        length
    }

    /// Allows three times the way that is left, and some slack for waiting. Two who push each other back and forth for ever
    /// seem to get on at every moment; only the sum shows that they do not.
    fn allow_effort(&mut self) {
        let slack_m = if self.purpose == Purpose::Errand { 20.0 } else { 2.0 };
        self.effort_limit_m = self.effort_m + 3.0 * self.last_left_m + slack_m;
    }

    /// Takes a new path, to be walked from `position`.
    pub fn take_path(&mut self, position: DVec2, waypoints: Vec<DVec2>, partial: bool) {
        self.waypoints = waypoints;
        self.next = 0;
        self.partial = partial;
        self.planning = false;
        self.last_left_m = self.left_m(position);
        if std::mem::take(&mut self.renewed) {
            self.allow_effort();
        }
    }
}
