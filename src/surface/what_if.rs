//! The ground as it might be: for explanations of blocked paths.

use super::{Located, Surface};
use crate::nav::{Anchor, AreaId, ObstacleId, Pinch, Wall};

impl Surface {
    /// The same ground with every area open.
    #[must_use]
    pub fn with_all_open(&self) -> Self {
        match self {
            Self::Grid(grid) => Self::Grid(grid.with_all_open()),
            #[cfg(test)]
            Self::Mesh(mesh) => Self::Mesh(mesh.with_all_open()),
        }
    }

    /// The same ground for characters that keep only this share (0 to 1) of the distance to everything.
    #[must_use]
    pub fn with_share_of_room(&self, share: f64) -> Self {
        match self {
            Self::Grid(grid) => Self::Grid(grid.with_share_of_room(share)),
            #[cfg(test)]
            Self::Mesh(mesh) => Self::Mesh(mesh.clone()),
        }
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

    /// Takes an obstacle away. It keeps its number and its name.
    pub fn lift_obstacle(&mut self, obstacle: ObstacleId) {
        ask!(self, ground => ground.lift_obstacle(obstacle));
    }

    /// Puts an obstacle back that [`Surface::lift_obstacle`] took away, as it is in `whole`, a ground of the same kind.
    pub fn put_obstacle_back(&mut self, obstacle: ObstacleId, whole: &Self) {
        match (self, whole) {
            (Self::Grid(grid), Self::Grid(whole)) => grid.put_obstacle_back(obstacle, whole),
            #[cfg(test)]
            _ => {}
        }
    }

    /// All edges of obstacles and the outline of the open areas.
    pub fn walls(&self) -> Vec<Wall> {
        ask!(self, ground => ground.walls())
    }

    /// The narrowest place of the widest way between two anchors; `bare` is the ground for characters that keep no distance.
    /// `Some(None)` if no way over nodes leads there, `None` if it takes more than `most_work`. Also returns the work.
    pub fn pinch(
        &self,
        bare: &Self,
        ends: (&Anchor, &Anchor),
        walls: &[Wall],
        most_work: u64,
    ) -> (Option<Option<Pinch>>, u64) {
        match (self, bare) {
            (Self::Grid(grid), Self::Grid(bare)) => grid.pinch(bare, ends, walls, most_work),
            #[cfg(test)]
            _ => (Some(None), 0),
        }
    }

    /// What opening or closing an area costs, in expansions of a search; roughly, as in the next ones.
    pub fn area_work(&self, area: AreaId) -> u64 {
        ask!(self, ground => ground.area_work(area))
    }

    /// What taking an obstacle away or putting it back costs.
    pub fn obstacle_work(&self, obstacle: ObstacleId) -> u64 {
        ask!(self, ground => ground.obstacle_work(obstacle))
    }

    /// What a copy of the ground costs.
    pub fn copy_work(&self) -> u64 {
        ask!(self, ground => ground.copy_work())
    }

    /// What painting everything anew costs, margins included.
    pub fn rebuild_work(&self) -> u64 {
        ask!(self, ground => ground.rebuild_work())
    }

    /// What [`Surface::walls`] costs.
    pub fn walls_work(&self) -> u64 {
        ask!(self, ground => ground.walls_work())
    }
}
