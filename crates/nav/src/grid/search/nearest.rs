//! The nearest suitable place, by Dijkstra's algorithm.

use super::SearchMemory;
use super::raw_path::RawPath;
use super::shorten::{Halves, shorten};
use crate::grid::Grid;
use crate::nav::Disc;
use glam::DVec2;

impl Grid {
    /// The path from `from` to the nearest node, by walking distance, whose centre `accept` returns true for. The path
    /// is at most `reach_m` long, and goes round the nodes that the obstacles cover. The waypoints do not include
    /// `from`. They are empty if the node of `from` itself is accepted.
    ///
    /// Dijkstra's algorithm; ties go to the lower index.
    pub fn find_nearest(
        &self,
        from: DVec2,
        obstacles: &[Disc],
        reach_m: f64,
        memory: &mut SearchMemory,
        mut accept: impl FnMut(DVec2) -> bool,
    ) -> Option<Vec<DVec2>> {
        let ground = self;
        let overlay = &self.overlay(obstacles);
        let start = ground.node_at(from)?;
        let reach_steps = reach_m / (ground.edge_unit_cells() * ground.frame().cell_size_m);
        let found =
            memory.edges().flood(ground, overlay, start, reach_steps, |node| accept(ground.centre(node)))?;
        let (mut way, mut raw, mut points) = (Vec::new(), RawPath::default(), Vec::new());
        memory.edges().way_to(start, found, &mut way);
        if way.len() == 1 && ground.nodes_are_cells() {
            return Some(Vec::new());
        }
        raw.lay(ground, &way, Some(from), None);
        shorten(ground, &raw, overlay, &mut points, &mut Halves::default());
        points.remove(0);
        Some(points)
    }
}
