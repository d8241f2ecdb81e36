//! Links: ways between two places that no ground joins, or not as directly. Recast calls them off-mesh connections,
//! Unity and Godot navigation links.

mod check;
mod file;

pub(super) use self::check::{check, is_same};
pub(super) use self::file::LinkFile;

use crate::geometry::Place;
use serde::{Deserialize, Serialize};

/// Upper limit on the links of a room, those that scripts add included.
pub const MAX_LINKS: usize = 1000;

/// A link as the file or a script describes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct Link {
    /// Its name, unique among the links.
    pub name: String,
    /// Where it begins.
    pub from: Place,
    /// The name of the point at `from`, if the file gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_point: Option<String>,
    /// Where it ends.
    pub to: Place,
    /// The name of the point at `to`, if the file gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to_point: Option<String>,
    /// How characters cross it.
    pub kind: LinkKind,
    /// Whether it leads from `from` to `to` only.
    pub one_way: bool,
    /// The cost of a crossing: as much as walking so many metres. `None` for the distance between its ends, or for
    /// nothing at all if it is a teleport.
    pub cost_m: Option<f64>,
    /// How long a crossing takes, in seconds. `None` for a time that fits its kind and length.
    pub seconds: Option<f64>,
    /// Only characters with one of these tags may use it. Empty: all may.
    pub tags: Vec<String>,
    /// Characters with one of these tags may not use it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub never: Vec<String>,
    /// Whether it can be used when the room starts.
    pub available: bool,
    /// How many characters may cross it at once. The others wait in line. `None`: any number.
    pub capacity: Option<u32>,
    /// Whether it is a recorded jump: it goes when others come, and no room file has it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub temporary: bool,
    /// The velocity of a recorded jump, in metres per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub velocity_mps: Option<f64>,
}

/// How characters cross a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum LinkKind {
    /// On foot, in a straight line: a plank, a narrow gap.
    Walk,
    /// A jump.
    Jump,
    /// Climbing: over a wall, through a window.
    Climb,
    /// A ladder.
    Ladder,
    /// A lift.
    Lift,
    /// At once.
    Teleport,
    /// As the handler `on_link` of the character's script says. The game says when the crossing is over.
    Handler,
}

impl LinkKind {
    /// All kinds.
    pub const ALL: [Self; 7] =
        [Self::Walk, Self::Jump, Self::Climb, Self::Ladder, Self::Lift, Self::Teleport, Self::Handler];

    /// The kind's name in files, data and scripts.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Walk => "walk",
            Self::Jump => "jump",
            Self::Climb => "climb",
            Self::Ladder => "ladder",
            Self::Lift => "lift",
            Self::Teleport => "teleport",
            Self::Handler => "handler",
        }
    }

    /// The kind of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }
}

impl Link {
    /// A link that leads both ways, for everybody, with the defaults of a file.
    pub fn new(
        name: impl Into<String>,
        kind: LinkKind,
        from: impl Into<Place>,
        to: impl Into<Place>,
    ) -> Self {
        Self {
            name: name.into(),
            from: from.into(),
            from_point: None,
            to: to.into(),
            to_point: None,
            kind,
            one_way: false,
            cost_m: None,
            seconds: None,
            tags: Vec::new(),
            never: Vec::new(),
            available: true,
            capacity: None,
            temporary: false,
            velocity_mps: None,
        }
    }

    /// Whether everybody may use it.
    pub(crate) fn is_for_all(&self) -> bool {
        self.tags.is_empty() && self.never.is_empty()
    }

    /// Whether a character with these tags may use it.
    pub fn is_for(&self, tags: &[String]) -> bool {
        let is_one_of = |list: &[String]| list.iter().any(|tag| tags.contains(tag));
        (self.tags.is_empty() || is_one_of(&self.tags)) && !is_one_of(&self.never)
    }
}
