//! Regions to draw random places from.

use super::{Anchor, AreaId, Disc};

/// Where a random place may lie. All conditions that are given hold together.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Region {
    /// In this area.
    pub area: Option<AreaId>,
    /// In this disc.
    pub disc: Option<Disc>,
    /// Where a path leads from this place.
    pub reachable_from: Option<Anchor>,
}
