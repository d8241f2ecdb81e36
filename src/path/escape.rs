//! The nearest place that will do.

use super::SearchMemory;
use super::smooth::pull_string;
use crate::space::{Ground, Overlay};
use glam::DVec2;

/// The way from `from` to the nearest node, as one walks, whose centre `accept` likes; at most `reach_m` of way. Nodes of the
/// overlay are walked round. The waypoints do not name `from`; empty if the node it stands in will do.
///
/// Dijkstra's algorithm; ties go to the lower index.
pub fn find_nearest(
    ground: &Ground,
    from: DVec2,
    overlay: &Overlay,
    reach_m: f64,
    memory: &mut SearchMemory,
    mut accept: impl FnMut(DVec2) -> bool,
) -> Option<Vec<DVec2>> {
    let start = ground.node_at(from)?;
    let reach_cells = reach_m / ground.frame().cell_size_m;
    let found = memory.flood(ground, overlay, start, reach_cells, |node| accept(ground.centre(node)))?;
    let mut points: Vec<DVec2> =
        memory.way_to(start, found).into_iter().map(|node| ground.centre(node)).collect();
    if points.len() == 1 {
        return Some(Vec::new());
    }
    points[0] = from;
    let mut way = pull_string(ground, &points, overlay);
    way.remove(0);
    Some(way)
}
