//! Variants of a mesh, for explanations.

use super::shape::Shape;
use super::{Mesh, MeshSearch};
use crate::geometry::SegmentPart;
use crate::mesh::line::ON_M;
use crate::mesh::{AnyAngleMemory, build};
use crate::nav::{Anchor, AreaId, ObstacleId, Outcome, Pinch, Query, SearchProgress, Wall, WallOf};
use glam::DVec2;
use std::sync::Arc;

/// Steps of the bisection for the widest path: shares are exact to a tenth of a percent.
const BISECTIONS: u32 = 10;

/// Distance between the points of a path whose clearance is measured, in metres.
const STEP_M: f64 = 0.05;

impl Mesh {
    pub(crate) fn with_all_open(&self) -> Self {
        let mut open = self.clone();
        open.available.fill(true);
        open.cells = open.cells.map(|cells| Arc::new(cells.with_all_open()));
        open.open_all_afresh();
        open
    }

    /// The mesh with all clearances scaled by `share`. Polygons that the room gives have no clearances.
    pub(crate) fn with_share_of_room(&self, share: f64) -> Self {
        let Some(room) = &self.shape.outlined else { return self.clone() };
        let cells = self.cells().map(|cells| cells.with_share_of_room(share));
        let plan = match &cells {
            Some(cells) => Some(build::cells::blueprint(cells, room.ground.floor_y_m)),
            None => build::blueprint(room, share).ok(),
        };
        let Some(shape) = plan.and_then(|plan| Shape::new(room, &plan).ok()) else { return self.clone() };
        let mut mesh = Self::of_shape(Arc::new(shape), cells.map(Arc::new), self.available.clone());
        mesh.lifted.clone_from(&self.lifted);
        mesh.is_altered = self.is_altered;
        mesh.open_all_afresh();
        mesh
    }

    /// The bottleneck of the widest path between two anchors, found by bisection over the share of the clearances, or
    /// over the cells, of which `bare` has no clearances.
    pub(crate) fn pinch(
        &self,
        bare: &Self,
        (from, to): (&Anchor, &Anchor),
        walls: &[Wall],
        most_work: u64,
    ) -> (Option<Option<Pinch>>, u64) {
        if let (Some(cells), Some(bare)) = (self.cells(), bare.cells()) {
            let [from, to] = [from, to].map(|end| cells.node_anchor(end.at.at, cells.resolution_m()));
            return match from.zip(to) {
                Some((from, to)) => cells.pinch(bare, (&from, &to), walls, most_work),
                None => (Some(None), 0),
            };
        }
        let mut work = 0;
        // The outer option is empty if that costs too much.
        let mut path_at = |share: f64| {
            work += self.rebuild_work();
            if work > most_work {
                return (None, work);
            }
            let mesh = self.with_share_of_room(share);
            let query = Query::new(self.place(from.at), self.place(to.at)).with_snap_m(ON_M);
            let mut search = MeshSearch::new(&mesh, &query, AnyAngleMemory::default());
            let progress = search.advance(&mesh, &query, most_work - work);
            work += search.work();
            if progress == SearchProgress::Running {
                return (None, work);
            }
            let (path, _) = search.finish(&mesh, &query, None);
            let is_complete = path.outcome == Outcome::Complete;
            (Some(is_complete.then(|| [vec![from.at.at], path.points()].concat())), work)
        };
        let mut widest = match path_at(0.0) {
            (Some(Some(path)), _) => path,
            (Some(None), work) => return (Some(None), work),
            (None, work) => return (None, work),
        };
        let (mut passes, mut fails) = (0.0, 1.0);
        for _ in 0..BISECTIONS {
            let share = (passes + fails) / 2.0;
            match path_at(share) {
                (Some(Some(path)), _) => (passes, widest) = (share, path),
                (Some(None), _) => fails = share,
                (None, work) => return (None, work),
            }
        }
        let at = narrowest_point(&widest, walls).unwrap_or(from.at.at);
        (Some(Some(Pinch { at, share: passes })), work)
    }

    pub(crate) fn obstacle_count(&self) -> usize {
        self.shape.obstacles.len()
    }

    pub(crate) fn obstacle_name(&self, obstacle: ObstacleId) -> &str {
        &self.shape.obstacles[obstacle.0].name
    }

    pub(crate) fn obstacle_contains(&self, obstacle: ObstacleId, point: DVec2) -> bool {
        crate::geometry::contains(&self.shape.obstacles[obstacle.0].outline, point)
    }

    pub(crate) fn lift_obstacle(&mut self, obstacle: ObstacleId) {
        self.set_lifted(obstacle, true);
    }

    pub(crate) fn put_obstacle_back(&mut self, obstacle: ObstacleId) {
        self.set_lifted(obstacle, false);
    }

    fn set_lifted(&mut self, obstacle: ObstacleId, lifted: bool) {
        if std::mem::replace(&mut self.lifted[obstacle.0], lifted) != lifted {
            self.is_altered = self.lifted.contains(&true);
            let shape = Arc::clone(&self.shape);
            let change = self.update(&shape.obstacles[obstacle.0].covers);
            self.revision += u64::from(change.is_some());
        }
    }

    /// The edges of obstacles, and the walls of the open polygons that are no border of an obstacle.
    pub(crate) fn walls(&self) -> Vec<Wall> {
        if let Some(cells) = self.cells() {
            return cells.walls();
        }
        let polygons = &self.shape.polygons;
        let mut walls = self.shape.obstacle_walls();
        for polygon in (0..self.polygon_count()).filter(|&polygon| self.is_open(polygon)) {
            let Some(&area) = self.areas_of(polygon).first() else { continue };
            for edge in polygons.edge_range(polygon) {
                let behind = polygons.edge(edge).neighbour();
                let is_outer = behind.is_none_or(|behind| {
                    let covers = &self.shape.covers[self.shape.cover_of[behind as usize] as usize];
                    !self.is_open(behind) && covers.obstacles.is_empty()
                });
                if is_outer {
                    let (a, b) = polygons.ends(edge);
                    let part = SegmentPart::whole(a, b);
                    walls.push(Wall { part, of: WallOf::Area(area), keep_off_m: 0.0 });
                }
            }
        }
        walls
    }

    pub(crate) fn area_work(&self, area: AreaId) -> u64 {
        1 + self.toggle_work(area)
    }

    pub(crate) fn obstacle_work(&self, obstacle: ObstacleId) -> u64 {
        1 + self.shape.obstacles[obstacle.0].covers.len() as u64 + self.components.len() as u64 / 8
    }

    pub(crate) fn copy_work(&self) -> u64 {
        1 + self.shape.polygons.len() as u64 / 16
    }

    pub(crate) fn rebuild_work(&self) -> u64 {
        1 + 4 * self.shape.polygons.len() as u64
    }

    pub(crate) fn walls_work(&self) -> u64 {
        1 + self.shape.polygons.len() as u64 / 4
    }
}

/// The point of a path with the least share of the clearance that walls want.
fn narrowest_point(path: &[DVec2], walls: &[Wall]) -> Option<DVec2> {
    let points = path.windows(2).flat_map(|leg| {
        let steps = (leg[0].distance(leg[1]) / STEP_M).ceil().clamp(1.0, 1e5) as u32;
        (0..=steps).map(move |step| leg[0].lerp(leg[1], f64::from(step) / f64::from(steps)))
    });
    let keeping = || walls.iter().filter(|wall| wall.keep_off_m > 0.0);
    let share =
        |at: DVec2| keeping().map(|wall| wall.distance(at) / wall.keep_off_m).fold(f64::INFINITY, f64::min);
    points.map(|at| (share(at), at)).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, at)| at)
}
