//! The form of waypaths in a room file.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Waypath, WaypathKind, Waypoint, WaypointAction};
use crate::geometry::Place;
use crate::room::file::{At, PlaceFile, default, is_false};

/// A row of waypoints that leads characters along: a lane, a pavement, a patrol. Walking along it costs three quarters of
/// other ground.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schemars(title = "waypath", rename = "waypath"))]
pub(in crate::room) struct WaypathFile {
    /// The waypath's name: scripts open and close it by this name. No two waypaths may have the same.
    pub name: String,
    /// The waypoints, in walking order. Characters walk straight from one to the next.
    #[cfg_attr(test, schemars(length(min = 2, max = super::MAX_WAYPOINTS)))]
    pub points: Vec<WaypointFile>,
    /// In which directions it leads.
    #[serde(default)]
    pub kind: WaypathKindFile,
    /// Only characters with one of these tags use it. Without any, all do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Whether it can be used when the room starts. A script can open it later.
    #[serde(default = "default::yes")]
    pub available: bool,
}

/// In which directions a waypath leads.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, schemars(inline))]
pub(in crate::room) enum WaypathKindFile {
    /// From its first waypoint to its last one.
    #[default]
    OneWay,
    /// Both ways.
    TwoWay,
    /// From waypoint to waypoint, and from the last one to the first one.
    Loop,
}

/// A waypoint, and what a character does there.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schemars(title = "waypoint", rename = "waypoint"))]
pub(in crate::room) struct WaypointFile {
    /// Where it is: the name of a point, [x, z], or [x, y, z].
    pub at: At,
    /// Whether characters crouch from here on, or stand up. It lasts until another waypoint says otherwise, or they leave
    /// the waypath.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "bool"))]
    pub crouch: Option<bool>,
    /// How fast characters walk from here on: a share of their walking speed. It lasts as 'crouch' does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "f64", range(min = super::SPEED_FACTORS[0], max = super::SPEED_FACTORS[1])))]
    pub speed: Option<f64>,
    /// Whether characters jump from here to the next waypoint. There need be no ground between the two.
    #[serde(default, skip_serializing_if = "is_false")]
    pub jump: bool,
    /// A word for 'on_waypoint' of their script.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub handler: Option<String>,
}

impl WaypathFile {
    /// The waypath, with places for the waypoints that are points.
    pub(in crate::room) fn waypath(
        &self,
        place_of: impl Fn(&At) -> (Option<Place>, Option<String>),
    ) -> Waypath {
        let point = |point: &WaypointFile| {
            let (at, at_point) = place_of(&point.at);
            let action = WaypointAction {
                crouch: point.crouch,
                speed: point.speed,
                jump: point.jump,
                handler: point.handler.clone(),
            };
            // Unknown points were refused before.
            Waypoint { at: at.unwrap_or_default(), at_point, action }
        };
        Waypath {
            name: self.name.clone(),
            points: self.points.iter().map(point).collect(),
            kind: self.kind.into(),
            tags: self.tags.clone(),
            available: self.available,
        }
    }

    pub(in crate::room) fn of(waypath: &Waypath) -> Self {
        let point = |point: &Waypoint| WaypointFile {
            at: point.at_point.clone().map_or_else(|| At::Position(PlaceFile(point.at)), At::Point),
            crouch: point.action.crouch,
            speed: point.action.speed,
            jump: point.action.jump,
            handler: point.action.handler.clone(),
        };
        Self {
            name: waypath.name.clone(),
            points: waypath.points.iter().map(point).collect(),
            kind: waypath.kind.into(),
            tags: waypath.tags.clone(),
            available: waypath.available,
        }
    }
}

impl From<WaypathKindFile> for WaypathKind {
    fn from(kind: WaypathKindFile) -> Self {
        match kind {
            WaypathKindFile::OneWay => Self::OneWay,
            WaypathKindFile::TwoWay => Self::TwoWay,
            WaypathKindFile::Loop => Self::Loop,
        }
    }
}

impl From<WaypathKind> for WaypathKindFile {
    fn from(kind: WaypathKind) -> Self {
        match kind {
            WaypathKind::OneWay => Self::OneWay,
            WaypathKind::TwoWay => Self::TwoWay,
            WaypathKind::Loop => Self::Loop,
        }
    }
}
