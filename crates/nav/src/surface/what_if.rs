//! Variants of the ground, such as one without an obstacle. Explanations of blocked paths use them.

use super::{Located, Surface};
use crate::nav::{Anchor, AreaId, ObstacleId, Pinch, Wall};

impl Surface {
    /// The same ground with every area open.
    #[must_use]
    pub fn with_all_open(&self) -> Self {
        match self {
            Self::Grid(grid) => Self::Grid(grid.with_all_open()),
            Self::Mesh(mesh) => Self::Mesh(mesh.with_all_open()),
        }
    }

    /// The ground rebuilt with all clearances scaled by `share` (0 to 1).
    #[must_use]
    pub fn with_share_of_room(&self, share: f64) -> Self {
        match self {
            Self::Grid(grid) => Self::Grid(grid.with_share_of_room(share)),
            Self::Mesh(mesh) => Self::Mesh(mesh.with_share_of_room(share)),
        }
    }

    /// The same ground for walkers of this radius; see [`Grid::for_radius`](crate::grid::Grid::for_radius). `None` if it
    /// has polygons: they are built for one radius.
    #[must_use]
    pub fn for_radius(&self, radius_m: f64) -> Option<Self> {
        self.as_grid().map(|grid| Self::Grid(grid.for_radius(radius_m)))
    }

    /// Closes an area for good, also where it shares ground with open ones. Opening it undoes that.
    pub fn bar_area(&mut self, area: AreaId) {
        ask!(self, ground => ground.bar_area(area));
    }

    /// All obstacles in file order.
    pub fn obstacles(&self) -> impl Iterator<Item = ObstacleId> + use<> {
        (0..ask!(self, ground => ground.obstacle_count())).map(ObstacleId)
    }

    /// An obstacle's name.
    pub fn obstacle_name(&self, obstacle: ObstacleId) -> &str {
        ask!(self, ground => ground.obstacle_name(obstacle))
    }

    /// Whether a point lies in an obstacle.
    pub fn obstacle_contains(&self, obstacle: ObstacleId, position: impl Located) -> bool {
        let position = self.locate(position);
        ask!(self, ground => ground.obstacle_contains(obstacle, position.at))
    }

    /// Removes an obstacle. Its id and its name stay valid.
    pub fn lift_obstacle(&mut self, obstacle: ObstacleId) {
        ask!(self, ground => ground.lift_obstacle(obstacle));
    }

    /// Undoes [`Surface::lift_obstacle`]. `whole` is the ground with the obstacle, and of the same kind.
    pub fn put_obstacle_back(&mut self, obstacle: ObstacleId, whole: &Self) {
        match (self, whole) {
            (Self::Grid(grid), Self::Grid(whole)) => grid.put_obstacle_back(obstacle, whole),
            (Self::Mesh(mesh), _) => mesh.put_obstacle_back(obstacle),
            _ => {}
        }
    }

    /// All edges of obstacles, and the outline of the union of the open areas. Painted areas have no edges.
    pub fn walls(&self) -> Vec<Wall> {
        ask!(self, ground => ground.walls())
    }

    /// The bottleneck of the widest path between two anchors, and the work. `bare` is the same ground with zero
    /// clearance. `Some(None)` if no path on `bare` joins the anchors; `None` if the work exceeds `most_work`.
    pub fn pinch(
        &self,
        bare: &Self,
        ends: (&Anchor, &Anchor),
        walls: &[Wall],
        most_work: u64,
    ) -> (Option<Option<Pinch>>, u64) {
        match (self, bare) {
            (Self::Grid(grid), Self::Grid(bare)) => grid.pinch(bare, ends, walls, most_work),
            (Self::Mesh(mesh), Self::Mesh(bare)) => mesh.pinch(bare, ends, walls, most_work),
            _ => (Some(None), 0),
        }
    }

    /// The cost of opening or closing an area, in expansions of a search (estimate).
    pub fn area_work(&self, area: AreaId) -> u64 {
        ask!(self, ground => ground.area_work(area))
    }

    /// The cost of removing or restoring an obstacle, in expansions of a search (estimate).
    pub fn obstacle_work(&self, obstacle: ObstacleId) -> u64 {
        ask!(self, ground => ground.obstacle_work(obstacle))
    }

    /// The cost of a copy of the ground, in expansions of a search (estimate).
    pub fn copy_work(&self) -> u64 {
        ask!(self, ground => ground.copy_work())
    }

    /// The cost of a full rebuild with clearances, in expansions of a search (estimate).
    pub fn rebuild_work(&self) -> u64 {
        ask!(self, ground => ground.rebuild_work())
    }

    /// The cost of [`Surface::walls`], in expansions of a search (estimate).
    pub fn walls_work(&self) -> u64 {
        ask!(self, ground => ground.walls_work())
    }
}
