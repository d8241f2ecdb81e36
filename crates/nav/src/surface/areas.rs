//! The areas of a room.

use super::{Located, Surface};
use crate::nav::{Anchor, AreaId, Position};
use crate::room::WhenOccupied;
use glam::DVec2;

impl Surface {
    /// All areas in file order.
    pub fn areas(&self) -> impl Iterator<Item = AreaId> + use<> {
        (0..ask!(self, ground => ground.area_count())).map(AreaId)
    }

    /// The area with this name.
    pub fn area_named(&self, name: &str) -> Option<AreaId> {
        self.areas().find(|&area| self.area_name(area) == name)
    }

    /// An area's name.
    pub fn area_name(&self, area: AreaId) -> &str {
        ask!(self, ground => ground.area_name(area))
    }

    /// Whether an area is open.
    pub fn area_available(&self, area: AreaId) -> bool {
        ask!(self, ground => ground.area_available(area))
    }

    /// What happens to characters inside when an area closes.
    pub fn area_when_occupied(&self, area: AreaId) -> WhenOccupied {
        ask!(self, ground => ground.area_when_occupied(area))
    }

    /// Whether a point lies in an area, open or closed.
    pub fn area_contains(&self, area: AreaId, position: impl Located) -> bool {
        let position = self.locate(position);
        ask_at!(self, [position], ground => ground.area_contains(area, position))
    }

    /// A distance a point can move without entering or leaving any area, in metres. It is a lower bound.
    pub fn area_border_m(&self, position: impl Located) -> f64 {
        let position = self.locate(position);
        ask_at!(self, [position], ground => ground.area_border_m(position))
    }

    /// The middle of the bounding rectangle of an area.
    pub fn area_middle(&self, area: AreaId) -> Position {
        match self {
            Self::Grid(grid) => Position::on_ground(grid.area_middle(area)),
            Self::Mesh(mesh) => mesh.area_middle(area),
        }
    }

    /// The point of an area that is nearest to `from` by straight line. Points are preferred in this order:
    ///
    /// 1. walkable ground reachable from `start`, with points clear of the area's border before points at the border;
    /// 2. other walkable ground;
    /// 3. ground that becomes walkable when the area opens;
    /// 4. a node under an obstacle.
    ///
    /// Also returns the number of nodes tested. The point is `None` if no node lies in the area.
    pub fn nearest_in_area(
        &self,
        area: AreaId,
        from: impl Located,
        start: Option<&Anchor>,
    ) -> (Option<Position>, u64) {
        let from = self.locate(from);
        match self {
            Self::Grid(grid) => {
                let (found, looked_at) = grid.nearest_in_area(area, from.at, start);
                (found.map(Position::on_ground), looked_at)
            }
            Self::Mesh(mesh) => mesh.nearest_in_area(area, from, start),
        }
    }

    /// Where a path enters an area: the first walkable point of the path in the area. Prefers a point clear of the
    /// border. `None` if the path does not enter the area.
    pub fn enters_area(&self, area: AreaId, from: impl Located, path: &[Position]) -> Option<Position> {
        let from = self.locate(from);
        match self {
            Self::Grid(grid) => {
                let path: Vec<DVec2> = path.iter().map(|position| position.at).collect();
                grid.enters_area(area, from.at, &path).map(Position::on_ground)
            }
            Self::Mesh(mesh) => mesh.enters_area(area, from, path),
        }
    }

    /// The closed areas, in file order.
    pub fn closed_areas(&self) -> Vec<AreaId> {
        ask!(self, ground => ground.closed_areas())
    }

    /// The closed area that makes a point unwalkable. The point lies in that area, in no open one, and is not
    /// walkable.
    pub fn closed_area_over(&self, position: impl Located) -> Option<AreaId> {
        let position = self.locate(position);
        ask_at!(self, [position], ground => ground.closed_area_over(position))
    }

    /// Like [`Surface::closed_area_over`], but always `None` on plain grids. Use it where the node of a point may lie
    /// outside the closed area that contains the point. This happens only in painted rooms.
    pub fn closed_area_apart(&self, position: impl Located) -> Option<AreaId> {
        let position = self.locate(position);
        ask_at!(self, [position], ground => ground.closed_area_apart(position))
    }
}
