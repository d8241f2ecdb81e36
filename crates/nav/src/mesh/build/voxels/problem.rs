//! Why a level is not made into a mesh.

use crate::mesh::progress::Stopped;
use std::fmt;

/// Why voxels do not become a plan.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub(crate) enum VoxelProblem {
    /// A setting is out of its range.
    BadSetting {
        /// The name of the setting: the key of room files, if they have it.
        name: &'static str,
        /// Its value.
        value: f64,
        /// What it may be.
        range: &'static str,
    },
    /// A vertex is not a finite point within a million metres.
    BadVertex {
        /// The index of the vertex.
        vertex: usize,
    },
    /// A triangle names a vertex that does not exist.
    BadTriangle {
        /// The index of the triangle.
        triangle: usize,
    },
    /// The level has more columns of cells than fit into memory.
    TooManyColumns {
        /// The number of columns.
        columns: f64,
        /// The most there may be.
        most: f64,
        /// A cell size with which they would fit.
        cell_size_m: f64,
    },
    /// The level fills more cells than fit into memory.
    TooManyVoxels {
        /// The most there may be.
        most: usize,
        /// A cell size with which they would fit.
        cell_size_m: f64,
    },
    /// The triangles cover the level so often that the work would take minutes.
    TooMuchWork {
        /// A cell size with which it would not.
        cell_size_m: f64,
    },
    /// The level is so tall that heights would be inexact.
    TooTall {
        /// The difference between the highest and the lowest vertex.
        height_m: f64,
    },
    /// No ground is left after a step.
    NoGround {
        /// What took the last ground away.
        reason: String,
        /// What can be done.
        hint: &'static str,
    },
    /// The caller stopped the work.
    Stopped,
}

impl From<Stopped> for VoxelProblem {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl VoxelProblem {
    /// The key of room files that it is about.
    pub(crate) fn key(&self) -> Option<&'static str> {
        match self {
            Self::BadSetting { name, .. } => Some(name),
            Self::TooManyColumns { .. } | Self::TooManyVoxels { .. } | Self::TooMuchWork { .. } => {
                Some("cellSize")
            }
            _ => None,
        }
    }

    /// A way to mend it, in the terms of room files. Empty if there is none.
    pub(crate) fn hint(&self) -> String {
        match self {
            Self::BadSetting { name: "agentRadius", .. } => "lower agentRadius, or raise cellSize".into(),
            Self::BadSetting { name, range, .. } => format!("give {name} a number {range}"),
            Self::BadVertex { .. } | Self::BadTriangle { .. } => "export the level again".into(),
            Self::TooManyColumns { cell_size_m, .. } | Self::TooManyVoxels { cell_size_m, .. } => {
                format!(
                    "raise cellSize to {cell_size_m:.3} m or more, or remove objects that lie far outside"
                )
            }
            Self::TooMuchWork { cell_size_m } => {
                format!(
                    "raise cellSize to {cell_size_m:.3} m or more, or build from a simpler collision model"
                )
            }
            Self::TooTall { .. } => "are its units metres?".into(),
            Self::NoGround { hint, .. } => (*hint).into(),
            Self::Stopped => String::new(),
        }
    }
}

impl fmt::Display for VoxelProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadSetting { name, value, range } => write!(f, "{name} is {value}, but must be {range}"),
            Self::BadVertex { vertex } => {
                write!(f, "vertex {vertex} is not a finite point within 1000000 m of the origin")
            }
            Self::BadTriangle { triangle } => {
                write!(f, "triangle {triangle} names a vertex that does not exist")
            }
            Self::TooManyColumns { columns, most, .. } => {
                write!(f, "the level has {columns:.1e} columns of cells; at most {most:.0e} are possible")
            }
            Self::TooManyVoxels { most, .. } => {
                write!(f, "the level needs too many voxels; at most {most} are possible")
            }
            Self::TooMuchWork { .. } => write!(f, "the level's triangles cover its ground too often"),
            Self::TooTall { height_m } => {
                write!(f, "the level is {height_m:.0} m tall; at most 16000 m are possible")
            }
            Self::NoGround { reason, .. } => write!(f, "the level has no walkable ground: {reason}"),
            Self::Stopped => write!(f, "stopped"),
        }
    }
}

impl std::error::Error for VoxelProblem {}
