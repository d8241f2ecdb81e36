//! What a page shows beside the room itself, so that it is sent no more than that.

use crate::crowd::CharacterId;
use serde::Deserialize;

/// What a page shows.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(super) struct Look {
    /// The selected character.
    pub(super) who: Option<CharacterId>,
    /// Whether the room is inspected instead of it.
    pub(super) room: bool,
    /// Whose paths are drawn.
    pub(super) paths: Whose,
    /// Whose views are.
    pub(super) views: Whose,
    /// Whether cells or polygons are.
    pub(super) cells: bool,
}

/// The characters of whom something is drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Whose {
    None,
    #[default]
    Selected,
    All,
}

impl Whose {
    /// Whether it is drawn of a character.
    pub(super) fn has(self, who: CharacterId, selected: Option<CharacterId>) -> bool {
        match self {
            Self::None => false,
            Self::Selected => Some(who) == selected,
            Self::All => true,
        }
    }
}
