//! Errors of building a ground.

use std::fmt;

/// An error of building a ground.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum GroundError {
    /// The ground would have more cells than [`crate::room::MAX_CELLS`].
    TooLarge {
        /// Cells along x.
        width: f64,
        /// Cells along z.
        depth: f64,
    },
    /// A room that was made in code has problems: all of them, in words. See [`Room::check`](crate::room::Room::check).
    Room {
        /// The problems, each with the path of the value.
        problems: Vec<String>,
    },
    /// The polygons of a mesh have faults: all of them, in words.
    Mesh {
        /// The faults.
        problems: Vec<String>,
    },
    /// No ground can be built from the level of a room.
    Level {
        /// What is wrong, in words, with the level's file.
        problem: String,
        /// A way to mend it; may be empty.
        hint: String,
        /// The number of the start point of a flood that it is about.
        start: Option<usize>,
        /// The key of the room file that it is about, if it is about a setting.
        key: Option<&'static str>,
    },
}

impl fmt::Display for GroundError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge { width, depth } => write!(
                f,
                "the room would need {width:.0} × {depth:.0} cells; make cellSize larger or the room smaller"
            ),
            Self::Room { problems } => f.write_str(&problems.join("; ")),
            Self::Level { problem, hint, .. } if hint.is_empty() => write!(f, "{problem}"),
            Self::Level { problem, hint, .. } => write!(f, "{problem}; {hint}"),
            Self::Mesh { problems } => write!(f, "the mesh has faults: {}", problems.join("; ")),
        }
    }
}

impl std::error::Error for GroundError {}
