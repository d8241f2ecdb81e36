//! A change of the ground.

use glam::DVec2;

/// The rectangle of the ground that a change touched. A path that does not cross it stays valid. If `opened`, a
/// shorter path may exist.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    /// Corner of the rectangle with the smallest coordinates, in metres.
    pub min: DVec2,
    /// Corner with the largest coordinates.
    pub max: DVec2,
    /// Whether any ground became walkable.
    pub opened: bool,
    /// Whether any ground became unwalkable.
    pub closed: bool,
}

impl Change {
    /// A change of all ground between two corners.
    pub(crate) fn of_all((min, max): (DVec2, DVec2)) -> Self {
        Self { min, max, opened: true, closed: true }
    }

    /// Both changes as one.
    pub(crate) fn with(self, other: &Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
            opened: self.opened || other.opened,
            closed: self.closed || other.closed,
        }
    }
}
