//! Positions on the ground.

use glam::DVec2;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A floor of the ground: an opaque number that the ground gives. It tells storeys apart that lie above each other. On a grid
/// it is always [`FloorId::GROUND`]; on a mesh it is a polygon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FloorId(pub u32);

impl FloorId {
    /// The only floor of a ground without storeys.
    pub const GROUND: Self = Self(0);
}

/// A point of the ground: metres on the XZ plane (`at.y` is the world's z), and the floor it is on. The ground knows the
/// height. A [`Place`](super::Place) is what is asked for; a position is where
/// something is. In files it is `[x, z]`, or `{"at": [x, z], "floor": 7}` on another floor than the first.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Position {
    /// Where it is, in metres.
    pub at: DVec2,
    /// The floor it is on.
    pub floor: FloorId,
}

impl Position {
    /// A point of a ground without storeys. Elsewhere the ground finds the floor of a place.
    pub const fn on_ground(at: DVec2) -> Self {
        Self { at, floor: FloorId::GROUND }
    }

    /// The distance on the plane to a position, a place or a point, in metres.
    pub fn distance(self, other: impl Into<DVec2>) -> f64 {
        self.at.distance(other.into())
    }
}

/// The point of the plane.
impl From<Position> for DVec2 {
    fn from(position: Position) -> Self {
        position.at
    }
}

/// A position in a file.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    OnGround(DVec2),
    OnFloor { at: DVec2, floor: FloorId },
}

/// As its point of the plane, in the precision that is asked for.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.at.fmt(f)
    }
}

impl Serialize for Position {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { at, floor } = *self;
        match floor {
            // A binary form does not tell the two apart.
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
