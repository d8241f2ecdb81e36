//! Waypaths: rows of waypoints that lead characters along, at three quarters of the cost of other ground.

mod check;
mod file;

pub(super) use self::check::check;
pub(super) use self::file::WaypathFile;

use crate::geometry::Place;
use serde::{Deserialize, Serialize};

/// Upper limit on the waypaths of a room, those that scripts add included.
pub const MAX_WAYPATHS: usize = 64;

/// Upper limit on the waypoints of all waypaths of a room. Every query over waypaths looks at all pairs of their parts.
pub const MAX_WAYPOINTS: usize = 512;

/// The least and the greatest factor of a walking speed, at a waypoint or in an area.
pub const SPEED_FACTORS: [f64; 2] = [0.05, 10.0];

/// A waypath as the file or a script describes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Waypath {
    /// Its name, unique among the waypaths.
    pub name: String,
    /// Its waypoints, at least two, in walking order.
    pub points: Vec<Waypoint>,
    /// In which directions it leads.
    pub kind: WaypathKind,
    /// Only characters with one of these tags may use it. Empty: all may.
    pub tags: Vec<String>,
    /// Whether it can be used when the room starts.
    pub available: bool,
}

/// In which directions a waypath leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum WaypathKind {
    /// From its first waypoint to its last one.
    OneWay,
    /// Both ways.
    TwoWay,
    /// From waypoint to waypoint, and from the last one to the first one.
    Loop,
}

/// A waypoint of a waypath.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Waypoint {
    /// Where it is.
    pub at: Place,
    /// The name of the point at `at`, if the file gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_point: Option<String>,
    /// What a character does there.
    #[serde(default, skip_serializing_if = "WaypointAction::is_nothing")]
    pub action: WaypointAction,
}

/// What a character does at a waypoint that it comes to along the waypath, or where it joins the waypath.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct WaypointAction {
    /// Whether it crouches from here on, or stands up. `None`: as before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crouch: Option<bool>,
    /// Its speed from here on, as a share of its walking speed. `None`: as before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
    /// Whether it jumps to the next waypoint.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub jump: bool,
    /// A word for the handler `on_waypoint` of its script.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub handler: Option<String>,
}

impl WaypathKind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::OneWay, Self::TwoWay, Self::Loop];

    /// The kind's name in data and scripts.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OneWay => "one_way",
            Self::TwoWay => "two_way",
            Self::Loop => "loop",
        }
    }

    /// The kind of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

impl WaypointAction {
    /// Whether a character only walks on.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    /// What it is, in words: `crouch`, `speed 0.5`, `jump`, the word for the handler.
    pub fn in_words(&self) -> String {
        let crouch = self.crouch.map(|crouch| if crouch { "crouch" } else { "stand up" }.to_owned());
        let speed = self.speed.map(|speed| format!("speed {speed}"));
        let jump = self.jump.then(|| "jump".to_owned());
        let words: Vec<String> = [crouch, speed, jump, self.handler.clone()].into_iter().flatten().collect();
        words.join(", ")
    }
}

impl Waypoint {
    /// A waypoint without an action.
    pub fn new(at: impl Into<Place>) -> Self {
        Self { at: at.into(), at_point: None, action: WaypointAction::default() }
    }
}

impl Waypath {
    /// A waypath for everybody, open, without actions.
    pub fn new(
        name: impl Into<String>,
        kind: WaypathKind,
        points: impl IntoIterator<Item = impl Into<Place>>,
    ) -> Self {
        let points = points.into_iter().map(Waypoint::new).collect();
        Self { name: name.into(), points, kind, tags: Vec::new(), available: true }
    }

    /// Whether a character with these tags may use it.
    pub fn is_for(&self, tags: &[String]) -> bool {
        self.tags.is_empty() || self.tags.iter().any(|tag| tags.contains(tag))
    }

    /// The number of its pieces: from each waypoint to the next one.
    pub fn pieces(&self) -> usize {
        match self.kind {
            WaypathKind::Loop => self.points.len(),
            _ => self.points.len().saturating_sub(1),
        }
    }

    /// The waypoints at the ends of a piece.
    pub fn ends_of(&self, piece: usize) -> [usize; 2] {
        [piece, (piece + 1) % self.points.len().max(1)]
    }

    /// Whether a character jumps over a piece in this direction.
    pub fn jumps(&self, piece: usize, backward: bool) -> bool {
        let point = self.ends_of(piece)[usize::from(backward)];
        self.points.get(point).is_some_and(|point| point.action.jump)
    }

    /// The directions in which a piece leads: `true` is backward.
    pub fn directions(&self) -> &'static [bool] {
        if self.kind == WaypathKind::TwoWay { &[false, true] } else { &[false] }
    }
}
