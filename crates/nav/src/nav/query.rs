//! Path queries, and the progress of their searches.

use super::{ClassId, Disc, FloorId, Place};
use crate::room::CrowdSettings;
use serde::{Deserialize, Serialize};

/// A path query.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Query {
    /// The start.
    pub from: Place,
    /// The polygon of the start, where it is known: at a common point of polygons that are not joined there, it makes a
    /// difference on which of them a walker stands. Without effect if the start is not on that polygon.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_floor: Option<FloorId>,
    /// The goal.
    pub to: Place,
    /// The place asked for, if that is no ground and `to` is the place on its own side of a wall where the path ends instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<Place>,
    /// Maximum distance, in metres, by which an unwalkable start is snapped to walkable ground. The same for the
    /// goal; a goal farther from walkable ground gives a partial path.
    pub snap_m: f64,
    /// Characters that stand in the way. The path avoids them if possible, and otherwise ignores them.
    pub obstacles: Vec<Disc>,
    /// The tags of the walker: they decide which links it may use.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The class of the walker: it decides which ground there is.
    #[serde(skip)]
    pub class: ClassId,
}

impl Query {
    /// A query without obstacles. Unwalkable ends are snapped by the default snap distance of a room.
    pub fn new(from: impl Into<Place>, to: impl Into<Place>) -> Self {
        let (from, to) = (from.into(), to.into());
        let snap_m = CrowdSettings::default().snap_distance_m;
        let (obstacles, tags, class) = (Vec::new(), Vec::new(), ClassId::default());
        Self { from, from_floor: None, to, asked: None, snap_m, obstacles, tags, class }
    }

    /// The same query from this polygon of a mesh.
    #[must_use]
    pub fn with_from_floor(self, floor: Option<FloorId>) -> Self {
        Self { from_floor: floor, ..self }
    }

    /// The same query with this snap distance, in metres.
    #[must_use]
    pub fn with_snap_m(self, snap_m: f64) -> Self {
        Self { snap_m, ..self }
    }

    /// The same query for a walker with these tags.
    #[must_use]
    pub fn with_tags(self, tags: impl Into<Vec<String>>) -> Self {
        Self { tags: tags.into(), ..self }
    }

    /// The same query for a walker of this class.
    #[must_use]
    pub fn with_class(self, class: ClassId) -> Self {
        Self { class, ..self }
    }

    /// The same query with these characters in the way.
    #[must_use]
    pub fn with_obstacles(self, obstacles: impl Into<Vec<Disc>>) -> Self {
        Self { obstacles: obstacles.into(), ..self }
    }
}

/// Whether a search is finished. Closed: it is, or it is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// The budget ran out first; call again.
    Running,
    /// The search is finished.
    Done,
}

/// Resumable state of a search for a path, without its open and closed lists: restoring repeats the search up to
/// `expanded`.
///
/// A search has stages. A new stage begins when obstacles are added to the search or ignored, and when the ground
/// changes. The unit of `spent` and `expanded` is [work](crate::nav#terms).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct SearchState {
    /// Indices, in the query, of the obstacles added to the search so far, ascending.
    pub avoided: Vec<u32>,
    /// Whether the search ignores all obstacles.
    pub through: bool,
    /// Work of the finished stages.
    pub spent: u64,
    /// Work of the current stage.
    pub expanded: u64,
}
