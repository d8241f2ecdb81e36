//! Positions on the ground.

use glam::DVec2;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Heights that differ by less belong to one storey, in metres: a little less than the height of a body.
pub const STOREY_M: f64 = 1.5;

/// A floor of the ground: an opaque number assigned by the ground. Floors distinguish storeys that lie above each
/// other. A grid has one floor, [`FloorId::GROUND`]. On a mesh, each polygon is a floor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FloorId(pub u32);

impl FloorId {
    /// The only floor of a ground without storeys.
    pub const GROUND: Self = Self(0);
}

/// A point on a floor of the ground: metres on the XZ plane (`at.y` is the world's z). A [`Place`](super::Place) is
/// unresolved input; a `Position` is resolved to a floor. The height is not stored; the ground computes it.
///
/// In files a position is `[x, z]`, or `{"at": [x, z], "floor": 7}` on another floor than floor 0.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Position {
    /// The point on the plane, in metres.
    pub at: DVec2,
    /// The floor.
    pub floor: FloorId,
}

impl Position {
    /// A position on floor 0. On ground with several floors, let the ground locate a place instead.
    pub const fn on_ground(at: DVec2) -> Self {
        Self { at, floor: FloorId::GROUND }
    }

    /// The distance on the plane to a position, a place or a point, in metres. Floors are ignored.
    pub fn distance(self, other: impl Into<DVec2>) -> f64 {
        self.at.distance(other.into())
    }
}

/// The point on the plane, without the floor.
impl From<Position> for DVec2 {
    fn from(position: Position) -> Self {
        position.at
    }
}

/// The form of a position in human-readable files.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    OnGround(DVec2),
    OnFloor { at: DVec2, floor: FloorId },
}

/// Writes the point on the plane, without the floor. Uses the formatter's precision.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.at.fmt(f)
    }
}

impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { at, floor } = *self;
        match floor {
            // Binary formats cannot decode the untagged enum.
            _ if !serializer.is_human_readable() => (at, floor).serialize(serializer),
            FloorId::GROUND => at.serialize(serializer),
            _ => Written::OnFloor { at, floor }.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !deserializer.is_human_readable() {
            return Deserialize::deserialize(deserializer).map(|(at, floor)| Self { at, floor });
        }
        Ok(match Written::deserialize(deserializer)? {
            Written::OnGround(at) => Self::on_ground(at),
            Written::OnFloor { at, floor } => Self { at, floor },
        })
    }
}
