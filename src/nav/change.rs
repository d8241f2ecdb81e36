//! A change of the ground.

use glam::DVec2;

/// The part of the ground that a change touched. Paths that keep clear of it are as good as before.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Change {
    /// Corner of the touched rectangle with the smallest coordinates, in metres.
    pub min: DVec2,
    /// The corner opposite.
    pub max: DVec2,
    /// Whether any ground became walkable.
    pub opened: bool,
    /// Whether any ground was lost.
    pub closed: bool,
}
