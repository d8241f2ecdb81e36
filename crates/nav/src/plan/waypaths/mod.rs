//! The waypaths of a room as paths use them: placed on the ground, and cut into parts where paths may join and leave
//! them.
//!
//! A part of a waypath is a way of the route graph, as a direction of a link is: see `plan/links/route.rs`. It costs
//! [`WAYPATH_SHARE`] of a walk.

mod change;
mod fault;
mod joints;
mod query_parts;

pub use self::fault::{WaypathFault, check_waypaths};
pub(super) use self::query_parts::WaypathPart;

use self::joints::KnownJoints;
use crate::nav::{LinkId, LinkWay, Position, WaypathId};
use crate::room::Waypath;

/// The cost of a walk along a waypath, as a share of its cost over other ground.
pub const WAYPATH_SHARE: f64 = 0.75;

/// A waypath on the ground.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PlacedWaypath {
    /// Id of the waypath.
    pub id: WaypathId,
    /// The waypath as its file or script describes it.
    pub waypath: Waypath,
    /// Whether it can be used now.
    pub available: bool,
    /// Its waypoints on the ground. `None` for one without ground within [`LINK_SNAP_M`](super::LINK_SNAP_M), even with
    /// all areas open.
    pub points: Vec<Option<Position>>,
    /// The id of the jump over its first piece. Those over the others follow.
    pub(crate) first_jump: LinkId,
    /// Where its pieces cross other pieces: shares of their lengths, ascending.
    crossings: Vec<Vec<f64>>,
}

/// All waypaths of a room.
#[derive(Debug, Clone, Default)]
pub(crate) struct Waypaths {
    all: Vec<PlacedWaypath>,
    next_id: u32,
    /// The distance between joints, in metres.
    spacing_m: f64,
    joints: KnownJoints,
}

impl Waypaths {
    /// All waypaths, in the order in which they were added.
    pub(crate) fn all(&self) -> &[PlacedWaypath] {
        &self.all
    }
}

impl PlacedWaypath {
    /// The jump over a piece.
    pub(crate) fn jump_over(&self, piece: usize, backward: bool) -> LinkWay {
        LinkWay { link: LinkId(self.first_jump.0 + piece as u32), backward }
    }

    /// Where a jump of this waypath begins and ends.
    pub(crate) fn jump(&self, way: LinkWay) -> Option<[Position; 2]> {
        let piece = way.link.0.checked_sub(self.first_jump.0)? as usize;
        if piece >= self.waypath.pieces() || !self.waypath.jumps(piece, way.backward) {
            return None;
        }
        let [from, to] = self.ends(piece)?;
        Some(if way.backward { [to, from] } else { [from, to] })
    }

    /// The ends of a piece on the ground.
    pub(crate) fn ends(&self, piece: usize) -> Option<[Position; 2]> {
        let [from, to] = self.waypath.ends_of(piece);
        Some([(*self.points.get(from)?)?, (*self.points.get(to)?)?])
    }

    /// Whether all directions of a piece are jumps, so that nobody walks on it.
    pub(crate) fn only_jumps(&self, piece: usize) -> bool {
        self.waypath.directions().iter().all(|&backward| self.waypath.jumps(piece, backward))
    }

    /// The length of its pieces on the plane, in metres.
    pub fn length_m(&self) -> f64 {
        let ends = (0..self.waypath.pieces()).filter_map(|piece| self.ends(piece));
        ends.map(|[from, to]| from.distance(to)).sum()
    }
}
