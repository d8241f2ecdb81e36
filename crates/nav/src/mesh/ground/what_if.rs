//! Variants of a mesh, for explanations.

use super::shape::Shape;
use super::{Mesh, MeshSearch};
use crate::geometry::{SegmentPart, outer_edges};
use crate::mesh::line::ON_M;
use crate::mesh::{MeshSearchMemory, build};
use crate::nav::{Anchor, AreaId, ObstacleId, Outcome, Pinch, Progress, Query, Wall, WallOf};
use glam::DVec2;
use std::sync::Arc;

/// Steps of the bisection for the widest path: shares are exact to a tenth of a percent.
const BISECTIONS: u32 = 10;

/// Distance between the points of a path whose clearance is measured, in metres.
const STEP_M: f64 = 0.05;

/// Shares of a clearance that differ by less are equal.
const SAME_SHARE: f64 = 1e-3;

impl Mesh {
    pub(crate) fn with_all_open(&self) -> Self {
        let mut open = self.clone();
        open.available.fill(true);
        open.cells = open.cells.map(|cells| Arc::new(cells.with_all_open()));
        open.open_all_afresh();
        open.revision += 1; // it is other ground
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
        mesh.bars.clone_from(&self.bars);
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
            let mut search = MeshSearch::new(&mesh, &query, MeshSearchMemory::default());
            let progress = search.advance(&mesh, &query, most_work - work);
            work += search.work();
            if progress == Progress::Running {
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

    /// The edges of obstacles, and the outline of the open areas. If the polygons are given, the walls of the open ones:
    /// no character keeps off them.
    pub(crate) fn walls(&self) -> Vec<Wall> {
        if let Some(cells) = self.cells() {
            return cells.walls();
        }
        if let Some(room) = &self.shape.outlined {
            return [self.shape.obstacle_walls(), self.outline_walls(room.ground.boundary_padding_m)]
                .concat();
        }
        let polygons = &self.shape.polygons;
        let mut walls = Vec::new();
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

    /// The outline of the open areas.
    fn outline_walls(&self, keep_off_m: f64) -> Vec<Wall> {
        let areas = || self.shape.areas.iter().enumerate().filter(|(number, _)| self.available[*number]);
        let outlines: Vec<&[DVec2]> = areas().map(|(_, area)| area.outline.as_slice()).collect();
        let numbers = areas().map(|(number, _)| AreaId(number));
        let parts_of = |(subject, area): (usize, AreaId)| {
            let parts = outer_edges(&outlines, subject).into_iter();
            parts.map(move |part| Wall { part, of: WallOf::Area(area), keep_off_m })
        };
        numbers.enumerate().flat_map(parts_of).collect()
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
        let edges: u64 = match self.shape.outlined {
            Some(_) => self.shape.areas.iter().map(|area| area.outline.len() as u64).sum(),
            None => 0,
        };
        1 + self.shape.polygons.len() as u64 / 4 + edges * edges / 4
    }
}

/// Where a path has the least share of the clearance that walls want. `None` if no wall wants any.
fn narrowest_point(path: &[DVec2], walls: &[Wall]) -> Option<DVec2> {
    let points = path.windows(2).flat_map(|leg| {
        let steps = (leg[0].distance(leg[1]) / STEP_M).ceil().clamp(1.0, 1e5) as u32;
        (0..=steps).map(move |step| leg[0].lerp(leg[1], f64::from(step) / f64::from(steps)))
    });
    let keeping = || walls.iter().filter(|wall| wall.keep_off_m > 0.0);
    let share =
        |at: DVec2| keeping().map(|wall| wall.distance(at) / wall.keep_off_m).fold(f64::INFINITY, f64::min);
    let shares: Vec<(f64, DVec2)> = points.map(|at| (share(at), at)).collect();
    let least =
        shares.iter().map(|(share, _)| *share).min_by(f64::total_cmp).filter(|least| least.is_finite())?;
    // Of a narrow stretch its middle, and not the mouth, where other walls are as near.
    let is_tight = |(share, _): &&(f64, DVec2)| *share <= least * (1.0 + SAME_SHARE);
    let first = shares.iter().position(|at| is_tight(&at))?;
    let tight = shares[first..].iter().take_while(is_tight).count();
    Some(shares[first + tight / 2].1)
}
