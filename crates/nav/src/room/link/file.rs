//! The form of links in a room file.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Link, LinkKind};
use crate::geometry::Place;
#[cfg(test)]
use crate::room::MAX_COORDINATE_M;
use crate::room::file::{At, PlaceFile, default, is_false};
use crate::room::numbers::some_whole;

/// A way between two places that no ground joins, or not as directly: a jump over a gap, a ladder, a lift, a teleport.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schemars(title = "link", rename = "link"))]
pub(in crate::room) struct LinkFile {
    /// The link's name: scripts open and close it by this name. No two links may have the same.
    pub name: String,
    /// Where it begins: the name of a point, [x, z], or [x, y, z].
    pub from: At,
    /// Where it ends.
    pub to: At,
    /// How characters cross it. The time it takes follows from the kind and the length, unless 'seconds' says it.
    #[serde(default)]
    pub kind: LinkKindFile,
    /// Whether it leads from 'from' to 'to' only. Otherwise it leads both ways.
    #[serde(default, skip_serializing_if = "is_false")]
    pub one_way: bool,
    /// What a crossing costs: as much as walking so many metres. A higher cost makes people walk round if they can.
    /// Without it, the distance between the ends; a teleport costs nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "f64", range(min = 0.0, max = MAX_COORDINATE_M)))]
    pub cost: Option<f64>,
    /// How long a crossing takes, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "f64", range(min = 0.0, max = 3600.0)))]
    pub seconds: Option<f64>,
    /// Only characters with one of these tags use it. Without any, all do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// Characters with one of these tags do not use it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub never: Vec<String>,
    /// Whether it can be used when the room starts. A script can open it later.
    #[serde(default = "default::yes")]
    pub available: bool,
    /// How many may cross it at once: 1 for a ladder. The others wait in line. Without it, any number.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "some_whole")]
    #[cfg_attr(test, schemars(with = "u32", range(min = 1, max = 100_000)))]
    pub capacity: Option<u32>,
}

/// How characters cross a link.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, schemars(inline))]
pub(in crate::room) enum LinkKindFile {
    /// On foot, in a straight line.
    #[default]
    Walk,
    /// They jump.
    Jump,
    /// They climb over it.
    Climb,
    /// They climb a ladder.
    Ladder,
    /// They ride a lift.
    Lift,
    /// They are there at once.
    Teleport,
    /// As `on_link` of their script says.
    Handler,
}

impl LinkFile {
    /// The link, with places for the ends that are points.
    pub(in crate::room) fn link(&self, place_of: impl Fn(&At) -> (Option<Place>, Option<String>)) -> Link {
        let ((from, from_point), (to, to_point)) = (place_of(&self.from), place_of(&self.to));
        Link {
            name: self.name.clone(),
            // Unknown points were refused before.
            from: from.unwrap_or_default(),
            from_point,
            to: to.unwrap_or_default(),
            to_point,
            kind: self.kind.into(),
            one_way: self.one_way,
            cost_m: self.cost.map(|cost| cost + 0.0),
            seconds: self.seconds.map(|seconds| seconds + 0.0),
            tags: self.tags.clone(),
            never: self.never.clone(),
            available: self.available,
            capacity: self.capacity,
            temporary: false,
            velocity_mps: None,
        }
    }

    pub(in crate::room) fn of(link: &Link) -> Self {
        let at = |place: Place, point: &Option<String>| {
            point.clone().map_or_else(|| At::Position(PlaceFile(place)), At::Point)
        };
        Self {
            name: link.name.clone(),
            from: at(link.from, &link.from_point),
            to: at(link.to, &link.to_point),
            kind: link.kind.into(),
            one_way: link.one_way,
            cost: link.cost_m,
            seconds: link.seconds,
            tags: link.tags.clone(),
            never: link.never.clone(),
            available: link.available,
            capacity: link.capacity,
        }
    }
}

/// Both enums, variant by variant.
macro_rules! kinds {
    ($($kind:ident),*) => {
        impl From<LinkKindFile> for LinkKind {
            fn from(kind: LinkKindFile) -> Self {
                match kind {
                    $(LinkKindFile::$kind => Self::$kind),*
                }
            }
        }

        impl From<LinkKind> for LinkKindFile {
            fn from(kind: LinkKind) -> Self {
                match kind {
                    $(LinkKind::$kind => Self::$kind),*
                }
            }
        }
    };
}

kinds!(Walk, Jump, Climb, Ladder, Lift, Teleport, Handler);
