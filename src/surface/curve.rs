//! Curved paths over any ground.

use super::Surface;
use crate::nav::{Channel, Curve, Disc, FloorId, Position};

impl Surface {
    /// The curve along the leg of a path from a position: straight from waypoint to waypoint, through the polygons
    /// `floors` if the ground has any. It stays on walkable ground, and outside the discs that the straight path stays
    /// outside. `None` if the ground has no convex sectors along the path, or the path leads nowhere: then it stays
    /// straight.
    pub fn curve(
        &self,
        from: Position,
        waypoints: &[Position],
        floors: &[FloorId],
        avoided: &[Disc],
    ) -> Option<Curve> {
        let to = waypoints.last()?.at;
        let channel = self.channel(from, waypoints, floors)?;
        let curve = channel.curve(from.at, to, |one, other| {
            self.segment_clear(one, other) && avoided.iter().all(|disc| disc.lets_pass(one.at, other.at))
        });
        (!curve.waypoints.is_empty()).then_some(curve)
    }

    /// The convex sectors along a path.
    pub(crate) fn channel(
        &self,
        from: Position,
        waypoints: &[Position],
        floors: &[FloorId],
    ) -> Option<Channel> {
        match self {
            Self::Grid(grid) => grid.channel(from.at, waypoints),
            Self::Mesh(mesh) => mesh.channel(from, waypoints, floors),
        }
    }
}
