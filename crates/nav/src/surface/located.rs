//! Types convertible to a [`Position`]: positions, places and points of the plane.

use super::Surface;
use crate::nav::{Place, Position};
use glam::DVec2;

/// A type convertible to a [`Position`] on a given ground.
pub trait Located: Copy {
    /// The position on this ground.
    fn position_on(self, surface: &Surface) -> Position;
}

impl Located for Position {
    fn position_on(self, _: &Surface) -> Position {
        self
    }
}

impl Located for Place {
    fn position_on(self, surface: &Surface) -> Position {
        match surface {
            Surface::Grid(grid) => grid.locate(self),
            Surface::Mesh(mesh) => mesh.locate(self),
        }
    }
}

/// A point of the plane is a place without a height.
impl Located for DVec2 {
    fn position_on(self, surface: &Surface) -> Position {
        Place::from(self).position_on(surface)
    }
}
