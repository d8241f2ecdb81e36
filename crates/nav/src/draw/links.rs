//! Links in a picture: jumps, ladders, lifts.

use super::{Picture, Shape};
use crate::plan::{LinkNet, PlacedLink};
use crate::room::LinkKind;
use crate::surface::Surface;
use glam::DVec2;

/// A link between two places.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct LinkView {
    /// Its name.
    pub name: String,
    /// How it is crossed.
    pub kind: LinkKind,
    /// Where it begins and ends, metres.
    pub ends: [DVec2; 2],
    /// Which of its ends are on this storey.
    pub here: [bool; 2],
    /// Whether it leads from its beginning to its end only.
    pub one_way: bool,
    /// Whether it can be used now.
    pub open: bool,
}

impl LinkView {
    /// Its name with what is particular: that it is closed, and the kind if the name does not say it.
    pub fn label(&self) -> String {
        let kind = self.kind.as_str();
        let kind = match self.name.contains(kind) || self.kind == LinkKind::Handler {
            true => String::new(),
            false => format!(" ({kind})"),
        };
        format!("{}{kind}{}", self.name, if self.open { "" } else { ", closed" })
    }

    /// A point of the arc that shows the link: `share` is 0 at its beginning and 1 at its end. Links between storeys are
    /// straight.
    pub(super) fn arc(&self, share: f64) -> DVec2 {
        let [from, to] = self.ends;
        from.lerp(to, share) + self.rise() * (4.0 * share * (1.0 - share))
    }

    /// How far the middle of the arc lies beside the straight line.
    pub(super) fn rise(&self) -> DVec2 {
        let along = self.ends[1] - self.ends[0];
        let is_straight = matches!(self.kind, LinkKind::Walk | LinkKind::Ladder | LinkKind::Lift);
        if is_straight { DVec2::ZERO } else { along.perp() * RISE }
    }
}

/// The height of an arc, as a share of its length.
const RISE: f64 = 0.14;

impl Picture {
    /// Adds all links with ground at both ends, on the storeys where they begin and end.
    pub(super) fn add_links(&mut self, net: &LinkNet, ground: &Surface) {
        for placed in net.links() {
            self.add_link(placed, ground);
        }
    }

    fn add_link(&mut self, placed: &PlacedLink, ground: &Surface) {
        let Some(ends) = placed.ends else { return };
        let view = |here| LinkView {
            name: placed.link.name.clone(),
            kind: placed.link.kind,
            ends: ends.map(|end| end.at),
            here,
            one_way: placed.link.one_way,
            open: placed.leads(ground, false) || placed.leads(ground, true),
        };
        let storeys = ends.map(|end| self.storey_of(end));
        if storeys[0] == storeys[1] {
            return self.add_on(storeys[0], Shape::Link(view([true, true])));
        }
        self.add_on(storeys[0], Shape::Link(view([true, false])));
        self.add_on(storeys[1], Shape::Link(view([false, true])));
    }

    pub(super) fn links(&self) -> impl Iterator<Item = &LinkView> {
        self.shapes.iter().filter_map(|shape| match shape {
            Shape::Link(link) => Some(link),
            _ => None,
        })
    }
}
