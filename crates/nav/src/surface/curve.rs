//! Curved paths over any ground.

use super::Surface;
use crate::nav::{Corridor, Curve, CurveChannel, Disc, FloorId, Path, Position};

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
        let mut curve = channel.curve(from, to, |from, to| {
            let is_off = avoided.iter().all(|disc| disc.lets_pass(from.at, to));
            self.walk_straight(from, to).filter(|_| is_off)
        })?;
        // The goal may lie on the border of several polygons.
        let last = curve.waypoints.last_mut()?;
        last.floor = waypoints.last()?.floor;
        Some(curve)
    }

    /// The curves along all legs of a path from a position, those between two links each on its own. Legs without a curve
    /// stay straight, and so do those along waypaths.
    pub fn curves(&self, from: Position, path: &Path, avoided: &[Disc]) -> Vec<Curve> {
        let mut corridor = Corridor::of_path(path.clone(), |_| 0.0);
        let mut curves = Vec::new();
        let mut leg = |from: Position, waypoints: &[Position], floors: &[FloorId], is_along_waypath: bool| {
            let curve = || self.curve(from, waypoints, floors, avoided);
            let curve = if is_along_waypath { None } else { curve() };
            curves.push(curve.unwrap_or_else(|| Curve::straight(from, waypoints)));
            None
        };
        corridor.bend(from, &mut leg);
        curves
    }

    /// The convex sectors along a path.
    pub(crate) fn channel(
        &self,
        from: Position,
        waypoints: &[Position],
        floors: &[FloorId],
    ) -> Option<CurveChannel> {
        match self {
            Self::Grid(grid) => grid.channel(from.at, waypoints),
            Self::Mesh(mesh) => mesh.channel(from, waypoints, floors),
        }
    }
}
