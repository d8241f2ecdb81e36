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
}

impl fmt::Display for GroundError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::TooLarge { width, depth } = self;
        write!(
            f,
            "the room would need {width:.0} × {depth:.0} cells; make cellSize larger or the room smaller"
        )
    }
}

impl std::error::Error for GroundError {}
