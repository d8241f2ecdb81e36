//! Why a level is not flooded.

use crate::mesh::progress::Stopped;
use glam::DVec3;
use std::fmt;

/// What is wrong with a start point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum BadStart {
    /// No triangle is above or below it.
    Outside,
    /// The floor, if there is one, is too far below: so many metres.
    InTheAir(Option<f64>),
    /// Geometry is where the body of a character would be.
    InsideGeometry,
    /// The floor below it is too steep.
    Steep,
    /// A character does not fit under the ceiling: the headroom in metres.
    Low(f64),
}

/// Why a level does not become sectors.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum SectorProblem {
    /// A setting is out of its range.
    BadSetting { name: &'static str, value: f64, range: String },
    /// A vertex is not a finite point within a million metres.
    BadVertex { vertex: usize },
    /// A triangle names a vertex that does not exist.
    BadTriangle { triangle: usize },
    /// The level has no triangles.
    NoTriangles,
    /// There is no start point.
    NoStarts,
    /// A start point is not on ground.
    BadStart { number: usize, at: DVec3, why: BadStart },
    /// The level is so tall that heights would be inexact.
    TooTall { height_m: f64 },
    /// The flood would take too much memory.
    TooLarge { estimate_mib: f64, most_mib: f64, triangles: usize, box_size_m: f64 },
    /// No sector has so many boxes.
    TooSmall { min_sector_boxes: usize, largest: usize },
    /// Characters of this radius fit nowhere.
    TooNarrow { agent_radius_m: f64 },
    /// The caller stopped the work.
    Stopped,
}

impl From<Stopped> for SectorProblem {
    fn from(_: Stopped) -> Self {
        Self::Stopped
    }
}

impl SectorProblem {
    /// The key of room files that it is about.
    pub(crate) fn key(&self) -> Option<&'static str> {
        match self {
            Self::BadSetting { name, .. } => Some(name),
            Self::TooLarge { .. } => Some("boxSize"),
            Self::TooSmall { .. } => Some("minSectorBoxes"),
            Self::TooNarrow { .. } => Some("agentRadius"),
            _ => None,
        }
    }

    /// A way to mend it, in the terms of room files. Empty if there is none.
    pub(crate) fn hint(&self) -> String {
        match self {
            Self::BadSetting { name, range, .. } => format!("give {name} a number {range}"),
            Self::BadVertex { .. } | Self::BadTriangle { .. } => "export the level again".into(),
            Self::NoTriangles => "export its faces, not only edges, curves or empty objects".into(),
            Self::NoStarts => "give 'starts': [[x, y, z], ...], places on the floor".into(),
            Self::BadStart { why, .. } => match why {
                BadStart::Outside => "are y up and metres right? Give a place over the floor".into(),
                BadStart::InTheAir(Some(below_m)) => format!("lower it by {below_m:.2} m"),
                BadStart::InTheAir(None) => "give a place on the floor".into(),
                BadStart::InsideGeometry => "give a place beside it, on the floor".into(),
                BadStart::Steep => "give a place on level floor, or raise agentSlope".into(),
                BadStart::Low(_) => "give a place with more headroom, or lower agentHeight".into(),
            },
            Self::TooTall { .. } => "are its units metres?".into(),
            Self::TooLarge { box_size_m, .. } => {
                format!("raise boxSize to {box_size_m:.2} m or more, or remove objects that lie far outside")
            }
            Self::TooSmall { largest, .. } => format!("lower minSectorBoxes to {largest} or less"),
            Self::TooNarrow { .. } => {
                "lower agentRadius or minPortalWidth; are the level's units metres?".into()
            }
            Self::Stopped => String::new(),
        }
    }
}

impl fmt::Display for SectorProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadSetting { name, value, range } => write!(f, "{name} is {value}, but must be {range}"),
            Self::BadVertex { vertex } => {
                write!(f, "vertex {vertex} is not a finite point within 1000000 m of the origin")
            }
            Self::BadTriangle { triangle } => {
                write!(f, "triangle {triangle} names a vertex that does not exist")
            }
            Self::NoTriangles => write!(f, "the level has no triangles"),
            Self::NoStarts => write!(f, "the ground of sectors has no start point"),
            Self::BadStart { number, at: DVec3 { x, y, z }, why } => {
                write!(f, "start {number} at [{x}, {y}, {z}] ")?;
                match why {
                    BadStart::Outside => write!(f, "is outside the level: no triangle is above or below it"),
                    BadStart::InTheAir(Some(m)) => write!(f, "is in the air, {m:.2} m above the floor"),
                    BadStart::InTheAir(None) => write!(f, "is in the air: there is no floor below it"),
                    BadStart::InsideGeometry => write!(f, "is inside geometry"),
                    BadStart::Steep => write!(f, "is on a slope that is too steep to stand on"),
                    BadStart::Low(m) => write!(f, "has only {m:.2} m of headroom"),
                }
            }
            Self::TooTall { height_m } => {
                write!(f, "the level is {height_m:.0} m tall; at most 16000 m are possible")
            }
            Self::TooLarge { estimate_mib, most_mib, triangles, .. } => write!(
                f,
                "the flood would take about {estimate_mib:.0} MiB of memory; a level of {triangles} triangles may take \
                 {most_mib:.0} MiB at most"
            ),
            Self::TooSmall { min_sector_boxes, largest } => write!(
                f,
                "all sectors are left out: the largest has {largest} boxes, and minSectorBoxes is {min_sector_boxes}"
            ),
            Self::TooNarrow { agent_radius_m } => {
                write!(f, "all flooded ground is too narrow for an agentRadius of {agent_radius_m} m")
            }
            Self::Stopped => write!(f, "stopped"),
        }
    }
}
