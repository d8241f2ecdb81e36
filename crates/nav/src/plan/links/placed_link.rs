//! Links on the ground: their ends, lengths and costs.

use super::{LINK_SNAP_M, LinkNet};
use crate::nav::{LinkId, Place, Position};
use crate::room::{Link, LinkKind};
use crate::surface::Surface;

/// A link on the ground.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PlacedLink {
    /// Id of the link.
    pub id: LinkId,
    /// The link as its file or script describes it.
    pub link: Link,
    /// Whether it can be used now.
    pub available: bool,
    /// Its two ends. `None` if one of them has no ground within [`LINK_SNAP_M`], even with all areas open.
    pub ends: Option<[Position; 2]>,
    /// The distance between its ends in space, in metres.
    pub length_m: f64,
    /// The cost of a crossing, in metres.
    pub cost_m: f64,
}

impl PlacedLink {
    /// Where a crossing in this direction begins and ends.
    pub fn way(&self, backward: bool) -> Option<[Position; 2]> {
        let [from, to] = self.ends?;
        Some(if backward { [to, from] } else { [from, to] })
    }

    /// Whether it leads in this direction now: it is available, and there is walkable ground at both ends.
    pub fn leads(&self, ground: &Surface, backward: bool) -> bool {
        self.available
            && !(backward && self.link.one_way)
            && self.ends.is_some_and(|ends| ends.iter().all(|&end| ground.is_walkable(end)))
    }
}

impl LinkNet {
    /// Finds the ends of the links from this index on.
    pub(super) fn place(&mut self, ground: &Surface, first: usize) {
        self.revision += 1;
        let mut open: Option<Surface> = None;
        for placed in &mut self.links[first..] {
            let mut end_at = |place| place_on(ground, &mut open, place);
            let link = &placed.link;
            placed.ends = end_at(link.from).zip(end_at(link.to)).map(|(from, to)| [from, to]);
            let Some([from, to]) = placed.ends else { continue };
            placed.length_m = ground.place_of(from).distance_in_space(ground.place_of(to));
            let straight_m = || placed.length_m.max(ground.least_cost_m(from, to));
            placed.cost_m = match (link.cost_m, link.kind) {
                (Some(cost_m), _) => cost_m,
                (None, LinkKind::Teleport) => 0.0,
                (None, _) => straight_m(),
            };
        }
    }
}

/// The position of an end of a link, or of a waypoint. One in a closed area is where it would be with the area open;
/// `open` holds the ground with all areas open once it is needed. `None` without ground within [`LINK_SNAP_M`].
pub(in crate::plan) fn place_on(
    ground: &Surface,
    open: &mut Option<Surface>,
    place: Place,
) -> Option<Position> {
    let at = ground.locate(place);
    if ground.is_walkable(at) && ground.is_at_a_floor(place) {
        return Some(at);
    }
    let open = open.get_or_insert_with(|| ground.with_all_open());
    let at = open.locate(place);
    let there = if open.is_walkable(at) { Some(at) } else { open.nearest(at, LINK_SNAP_M) };
    there.filter(|_| open.is_at_a_floor(place))
}

/// The first end of a link without ground within [`LINK_SNAP_M`], even with all areas open.
pub fn end_off_ground(ground: &Surface, link: &Link) -> Option<Place> {
    let mut open = None;
    [link.from, link.to].into_iter().find(|&at| place_on(ground, &mut open, at).is_none())
}
