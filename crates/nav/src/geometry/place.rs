//! Places as people write them.

use glam::DVec2;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A place that is asked for: metres on the XZ plane (`at.y` is the world's z), and a height where storeys lie above
/// each other. It need not be walkable. In files it is `[x, z]` or `[x, y, z]`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Place {
    /// Where it is, in metres.
    pub at: DVec2,
    /// The height it is meant to be at, in metres; the floor nearest to it counts. `None` for the highest floor there.
    pub y_m: Option<f64>,
}

impl Place {
    /// A place without a height.
    pub const fn new(x: f64, z: f64) -> Self {
        Self { at: DVec2::new(x, z), y_m: None }
    }

    /// The same place at a height: it says which storey is meant.
    ///
    /// ```
    /// use cicerone_nav::nav::Place;
    /// let upstairs = Place::new(3.0, 2.0).with_height(4.5);
    /// assert_eq!((upstairs.at.y, upstairs.y_m), (2.0, Some(4.5)));
    /// ```
    #[must_use]
    pub const fn with_height(self, y_m: f64) -> Self {
        Self { at: self.at, y_m: Some(y_m) }
    }

    /// As `[x, y, z]`, with y up: for an engine. On ground without heights y is 0.
    pub fn to_array(self) -> [f64; 3] {
        [self.at.x, self.y_m.unwrap_or(0.0), self.at.y]
    }

    /// The distance to another place, in metres: in space if both have a height, otherwise on the plane.
    pub fn distance_in_space(self, other: Self) -> f64 {
        let rise_m = self.y_m.zip(other.y_m).map_or(0.0, |(here_m, there_m)| here_m - there_m);
        libm::hypot(self.at.distance(other.at), rise_m)
    }

    /// The distance on the plane to a position, a place or a point, in metres.
    pub fn distance(self, other: impl Into<DVec2>) -> f64 {
        self.at.distance(other.into())
    }
}

/// `[x, z]`.
impl From<[f64; 2]> for Place {
    fn from([x, z]: [f64; 2]) -> Self {
        Self::new(x, z)
    }
}

/// `[x, y, z]`, with y up.
impl From<[f64; 3]> for Place {
    fn from([x, y, z]: [f64; 3]) -> Self {
        Self::new(x, z).with_height(y)
    }
}

/// The point of the plane.
impl From<Place> for DVec2 {
    fn from(place: Place) -> Self {
        place.at
    }
}

impl From<DVec2> for Place {
    fn from(at: DVec2) -> Self {
        Self { at, y_m: None }
    }
}

/// As its point of the plane, in the precision that is asked for.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.at.fmt(f)
    }
}

impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { at, y_m } = *self;
        match y_m {
            // A binary form does not say how many numbers follow.
            _ if !serializer.is_human_readable() => (at, y_m).serialize(serializer),
            None => at.serialize(serializer),
            Some(y) => [at.x, y, at.y].serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for Place {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if !deserializer.is_human_readable() {
            return Deserialize::deserialize(deserializer).map(|(at, y_m)| Self { at, y_m });
        }
        match Vec::<f64>::deserialize(deserializer)?[..] {
            [x, z] => Ok(DVec2::new(x, z).into()),
            [x, y, z] => Ok(Self { at: DVec2::new(x, z), y_m: Some(y) }),
            ref other => Err(D::Error::invalid_length(other.len(), &"a place, [x, z] or [x, y, z]")),
        }
    }
}
