//! The walls near a position: edges of open polygons that are not portals to open ones.

use super::Mesh;
use crate::nav::{Position, STOREY_M, WallSegment};
use std::collections::BTreeSet;

impl Mesh {
    /// The walls within `range_m` of a position, and the number of edges tested. A flood through portals within the
    /// range, on the storey of the position.
    pub(crate) fn walls_near(&self, position: Position, range_m: f64) -> (Vec<WallSegment>, u64) {
        let (mut walls, mut work) = (Vec::new(), 1);
        let start = self.polygon_of(position).filter(|_| self.is_walkable(position));
        let mut found: Vec<u32> = start.into_iter().collect();
        let mut known: BTreeSet<u32> = found.iter().copied().collect();
        let (polygons, view) = (&self.shape.polygons, self.view());
        let (range_sq, height_m) = (range_m * range_m, self.height_m(position));
        while let Some(polygon) = found.pop() {
            for edge in polygons.edge_range(polygon) {
                work += 1;
                let (from, to) = polygons.ends(edge);
                let wall = WallSegment { from, to, heights_m: polygons.edge_heights_m(edge) };
                let nearest = wall.nearest(position.at);
                // Not true for a range that is no number.
                let is_near = nearest.distance_squared(position.at) <= range_sq;
                let is_above = self.has_heights() && (wall.height_m(nearest) - height_m).abs() >= STOREY_M;
                if !is_near || is_above {
                    continue;
                }
                match view.behind(edge) {
                    None => walls.push(wall),
                    Some((behind, _)) if known.insert(behind) => found.push(behind),
                    Some(_) => {}
                }
            }
        }
        (walls, work)
    }
}
