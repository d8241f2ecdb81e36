//! Why a room's areas make no plan.

use std::fmt;

/// Why areas and obstacles make no plan of a mesh.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub(crate) enum BuildProblem {
    /// The room's cells are given by a file or an image.
    GivenCells,
    /// An area is painted.
    Painted {
        /// Its name.
        area: String,
    },
    /// There is no area.
    NoAreas,
    /// A corner is not a finite point within a million metres.
    BadCorner {
        /// The area or obstacle that has it.
        of: String,
    },
    /// The outlines have too many edges.
    TooManyEdges {
        /// The area or obstacle at which the limit was passed, if it was passed before outlines met.
        of: Option<String>,
    },
    /// Too many outlines lie on each other.
    TooDense,
    /// All areas are narrower than a millimetre.
    NoGround {
        /// The first of them.
        area: String,
    },
}

impl fmt::Display for BuildProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GivenCells => write!(
                f,
                "the room is made of cells: its ground is a grid, and polygons are made of areas without a mask only"
            ),
            Self::Painted { area } => {
                write!(f, "area {area:?} is painted: polygons are made of areas with corners only")
            }
            Self::NoAreas => write!(f, "the room has no area: add one"),
            Self::BadCorner { of } => {
                write!(f, "{of} has a corner that is not a finite point within 1000000 m of the origin")
            }
            Self::TooManyEdges { of: Some(of) } => {
                write!(f, "the outlines have too many edges, up to {of}: simplify them, or split the room")
            }
            Self::TooManyEdges { of: None } => {
                write!(f, "the outlines cross too often: simplify them, or split the room")
            }
            Self::TooDense => write!(
                f,
                "too many outlines lie on each other: merge obstacles, or choose a smaller agent radius or padding"
            ),
            Self::NoGround { area } => {
                write!(
                    f,
                    "no ground is left: area {area:?} is narrower than a millimetre; are lengths in metres?"
                )
            }
        }
    }
}

impl std::error::Error for BuildProblem {}
