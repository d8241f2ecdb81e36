//! Positions on the ground.

use glam::DVec2;
use serde::{Deserialize, Serialize};

/// A floor of the ground: an opaque number that the ground gives. It tells storeys apart that lie above each other. On a grid
/// it is always [`FloorId::GROUND`]; on a mesh it is a polygon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FloorId(pub u32);

impl FloorId {
    /// The only floor of a ground without storeys.
    pub const GROUND: Self = Self(0);

    /// Whether this is [`FloorId::GROUND`], which files leave out.
    pub fn is_ground(&self) -> bool {
        *self == Self::GROUND
    }
}

/// A point of the ground: metres on the XZ plane (`at.y` is the world's z), and the floor it is on. The ground knows the height.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Position {
    /// Where it is, in metres.
    pub at: DVec2,
    /// The floor it is on.
    #[serde(default, skip_serializing_if = "FloorId::is_ground")]
    pub floor: FloorId,
}

impl Position {
    /// A point of a ground without storeys.
    pub fn on_ground(at: DVec2) -> Self {
        Self { at, floor: FloorId::GROUND }
    }

    /// The distance to another position on the plane, in metres.
    pub fn distance(self, other: Self) -> f64 {
        self.at.distance(other.at)
    }
}

impl From<DVec2> for Position {
    fn from(at: DVec2) -> Self {
        Self::on_ground(at)
    }
}
