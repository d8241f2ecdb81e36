//! Where the way that is explained begins and ends.

use crate::space::{Ground, Node, Overlay};
use glam::DVec2;

/// Both ends: places on the ground, and the nodes they belong to. In a painted room a place may see no node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ends {
    pub(super) begin: DVec2,
    pub(super) start: Option<Node>,
    pub(super) end: DVec2,
    pub(super) goal: Option<Node>,
}

impl Ends {
    /// The node of a place, or the nearest one where nobody can stand there; none where somebody can who sees none.
    pub(super) fn node(ground: &Ground, place: DVec2, snap_m: f64) -> Option<Node> {
        match ground.is_walkable(place) {
            true => ground.node_at(place),
            false => ground.nearest(place, snap_m, &Overlay::default()),
        }
    }

    /// The same beginning with another end: a place and the node it belongs to. `None` where nobody could stand there.
    pub(super) fn to(self, ground: &Ground, place: DVec2, goal: Option<Node>) -> Option<Self> {
        Some(Self { end: ground.standing_place(place, goal)?, goal, ..self })
    }
}
