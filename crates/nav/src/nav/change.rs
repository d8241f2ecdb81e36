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
