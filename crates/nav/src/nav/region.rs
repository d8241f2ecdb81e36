//! Regions to sample random places from.

use super::{Anchor, AreaId, ClassId, Disc};

/// Conditions for a random place. The place meets all conditions that are given.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Region {
    /// Only places in this area.
    pub area: Option<AreaId>,
    /// Only places in this disc.
    pub disc: Option<Disc>,
    /// Only places reachable from this anchor.
    pub reachable_from: Option<Anchor>,
    /// Only places that are ground for this class of walkers. The anchor is on its ground.
    pub class: ClassId,
}
