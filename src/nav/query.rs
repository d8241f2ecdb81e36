//! What can be asked of a ground.

use super::{Disc, Place};
use crate::room::CrowdSettings;
use serde::{Deserialize, Serialize};

/// A path wanted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Query {
    /// Where the walk begins.
    pub from: Place,
    /// Where it should end.
    pub to: Place,
    /// How far an unwalkable start may be moved onto walkable ground, and an unwalkable end for the walk to count as complete.
    pub snap_m: f64,
    /// Characters that stand in the way. The path leads round them where possible, and ignores them where not.
    pub obstacles: Vec<Disc>,
}

impl Query {
    /// A path from place to place without obstacles. Ends off the ground are moved as far as rooms have it by default.
    pub fn new(from: impl Into<Place>, to: impl Into<Place>) -> Self {
        let (from, to) = (from.into(), to.into());
        Self { from, to, snap_m: CrowdSettings::default().snap_distance_m, obstacles: Vec::new() }
    }

    /// The query with another distance for ends off the ground, in metres.
    #[must_use]
    pub fn with_snap_m(self, snap_m: f64) -> Self {
        Self { snap_m, ..self }
    }

    /// The query with characters in the way.
    #[must_use]
    pub fn with_obstacles(self, obstacles: impl Into<Vec<Disc>>) -> Self {
        Self { obstacles: obstacles.into(), ..self }
    }
}

/// Whether a search is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// The budget ran out first; call again.
    Running,
    /// Finished.
    Done,
}

/// How far the search for a path is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchProgress {
    /// The budget ran out first; call again.
    Running,
    /// Finished: it has an answer.
    Done,
    /// No way leads round the obstacles of the query. Without them there may be one.
    Obstructed,
}

/// A search for a path as data. Its nodes are not in it: searching as far again gives the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchState {
    /// The obstacles that are avoided so far, by their places in the query, ascending.
    pub avoided: Vec<u32>,
    /// Whether the obstacles are ignored.
    pub through: bool,
    /// Work of finished stages, in expansions.
    pub spent: u64,
    /// Work of the stage it is in.
    pub expanded: u64,
}
