//! The nearest place that will do.

use super::SearchMemory;
use super::raw_path::RawPath;
use super::shorten::{Halves, shorten};
use crate::grid::Grid;
use crate::nav::Disc;
use glam::DVec2;

impl Grid {
    /// The way from `from` to the nearest node, as one walks, whose centre `accept` likes; at most `reach_m` of way. Nodes of the
    /// overlay are walked round. The waypoints do not name `from`; empty if the node it stands in will do.
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
        let reach_steps = reach_m / (ground.node_spacing_cells() * ground.frame().cell_size_m);
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
