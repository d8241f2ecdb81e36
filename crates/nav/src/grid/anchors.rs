//! Anchors: places as a search sees them, a point and its node.

use super::{Grid, Node, Overlay, Reach};
use crate::nav::{Anchor, Place, Position};
use glam::DVec2;

impl Grid {
    /// The position of a place: a grid has one floor.
    pub fn locate(&self, place: Place) -> Position {
        Position::on_ground(place.at)
    }

    /// A grid is flat.
    pub fn has_heights(&self) -> bool {
        false
    }

    /// All positions of a grid are on one floor.
    pub fn floors_touch(&self, _: Position, _: Position) -> bool {
        true
    }

    /// The anchor where a walk can begin or end: the place with its node, or the nearest node within `snap_m` if the
    /// place is not walkable. In a pocket the anchor has no node.
    pub fn anchor(&self, place: DVec2, snap_m: f64) -> Option<Anchor> {
        match self.is_walkable(place) {
            true => Some(anchor(place, self.node_at(place))),
            false => self.nearest(place, snap_m, &Overlay::default()).map(|node| self.anchor_of(node)),
        }
    }

    /// An anchor at the place itself, with its own node, or with the nearest node within `snap_m`.
    pub fn node_anchor(&self, place: DVec2, snap_m: f64) -> Option<Anchor> {
        let snapped = || self.nearest(place, snap_m, &Overlay::default());
        self.node_at(place).or_else(snapped).map(|node| anchor(place, Some(node)))
    }

    /// The walkable node nearest to a place, at most `reach_m` away, by its centre.
    pub fn nearest_place(&self, place: DVec2, reach_m: f64) -> Option<DVec2> {
        self.nearest(place, reach_m, &Overlay::default()).map(|node| self.centre(node))
    }

    /// [`Grid::nearest_place`] among the nodes whose centres `accept` takes.
    pub fn nearest_where(&self, place: DVec2, reach_m: f64, accept: impl Fn(DVec2) -> bool) -> Option<DVec2> {
        let accept = |node| accept(self.centre(node));
        self.nearest_within(place, reach_m, accept).map(|node| self.centre(node))
    }

    /// Whether a path may lead from one place to another: see [`Grid::may_reach`]. `false` is certain on plain grids.
    /// In painted rooms it means only that the two nearest nodes in sight are not connected, or that a place has no
    /// node; a straight line or another node in sight may still lead there.
    pub fn may_connect(&self, from: DVec2, to: DVec2) -> bool {
        let nodes = self.node_at(from).zip(self.node_at(to));
        nodes.is_some_and(|(from, to)| self.may_reach(from, to))
    }

    /// The component of a place on a plain grid.
    pub fn component_of(&self, place: DVec2) -> Option<u32> {
        self.component(self.node_at(place).filter(|_| self.tells_reach())?)
    }

    /// Whether [`Grid::may_connect`] is certain if it says no. In painted rooms a path may lead straight past the nodes.
    pub fn tells_reach(&self) -> bool {
        self.nodes_are_cells()
    }

    /// The closed area that contains a place of a painted room. The node of the place is only in sight of it, so the
    /// node may lie outside the area. `None` on plain grids.
    pub fn closed_area_apart(&self, place: DVec2) -> Option<crate::nav::AreaId> {
        if self.nodes_are_cells() { None } else { self.closed_area_over(place) }
    }

    fn anchor_of(&self, node: Node) -> Anchor {
        anchor(self.centre(node), Some(node))
    }
}

fn anchor(at: DVec2, node: Option<Node>) -> Anchor {
    Anchor { at: Position::on_ground(at), node: node.map(|node| node.0) }
}

/// The node of an anchor.
pub(super) fn anchored_node(anchor: &Anchor) -> Option<Node> {
    anchor.node.map(Node)
}

impl Reach {
    /// A flood from an anchor over all reachable nodes. It may stop early at `until`. At most `most_work` is spent.
    pub fn flood(grid: &Grid, from: &Anchor, until: Option<&Anchor>, most_work: u64) -> Self {
        let mut reach = Self::new(grid, most_work);
        reach.spread_from(grid, from.at.at, anchored_node(from), until.and_then(anchored_node));
        reach
    }

    /// Whether the flood reaches an anchor.
    pub fn leads_to_anchor(&mut self, grid: &Grid, to: &Anchor) -> bool {
        self.leads_to(grid, to.at.at, anchored_node(to))
    }

    /// Whether the node of an anchor was flooded.
    pub fn holds_anchor(&self, grid: &Grid, anchor: &Anchor) -> bool {
        anchored_node(anchor).is_some_and(|node| self.holds(grid, node))
    }

    /// The possible ends of a path from `asked_from` towards an unreachable goal: the place itself if the walker
    /// stays, the node nearest to a pocket, or all nodes nearest to the goal. Empty if no node was flooded.
    pub fn stops_near(
        &self,
        grid: &Grid,
        from: &Anchor,
        asked_from: DVec2,
        to: DVec2,
        snap_m: f64,
    ) -> Vec<DVec2> {
        let is_pocket = grid.is_walkable(to) && grid.node_at(to).is_none();
        let beside_pocket = if is_pocket { grid.nearest(to, snap_m, &Overlay::default()) } else { None };
        if let Some(node) = beside_pocket.filter(|&node| self.holds(grid, node)) {
            return vec![grid.centre(node)];
        }
        let near = self.nearest(grid, to);
        if let Some(start) = anchored_node(from).filter(|start| near.contains(start)) {
            let stays = grid.holds(start, asked_from) && grid.stays(start, asked_from, to);
            return vec![if stays { asked_from } else { grid.centre(start) }];
        }
        near.into_iter().map(|node| grid.centre(node)).collect()
    }

    /// The work of [`Reach::stops_near`], in expansions, for a goal whose nearest possible path end is `stop`.
    pub fn stops_work(&self, grid: &Grid, stop: DVec2, to: DVec2) -> u64 {
        let Some(node) = grid.node_at(stop) else { return 0 };
        grid.distance_sq_cells(node, to).saturating_mul(4).min(grid.node_limit() as u64) / 32
    }
}
