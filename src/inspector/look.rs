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
    pub(super) paths: Paths,
    /// Whether cells or polygons are.
    pub(super) cells: bool,
}

/// The characters whose paths are drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Paths {
    None,
    #[default]
    Selected,
    All,
}
