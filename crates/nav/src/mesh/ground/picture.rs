//! What drawings and the command line read of a mesh: its polygons, and what is behind their edges.

use super::{Mesh, MeshFlood};
use crate::nav::{AreaId, FloorId, Position};
use glam::{DVec2, DVec3};

/// A polygon as drawings and the command line see it.
#[derive(Debug, Clone, PartialEq)]
pub struct PolygonView {
    /// x, y (up) and z in metres, counter-clockwise on the plane.
    pub corners: Vec<DVec3>,
    /// What is behind the edge that begins at each corner.
    pub behind: Vec<Behind>,
    /// Whether characters may walk there now.
    pub is_open: bool,
    /// The areas that hold it, in file order.
    pub areas: Vec<AreaId>,
}

/// What is behind an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Behind {
    /// Nothing: the edge is a wall.
    Wall,
    /// A polygon, from which the same edge leads back.
    Portal(u32),
    /// A polygon, from which the edge does not lead back.
    OneWay(u32),
}

impl PolygonView {
    /// The edges: both ends, and what is behind.
    pub fn edges(&self) -> impl Iterator<Item = (DVec3, DVec3, Behind)> + '_ {
        let ends = self.corners.iter().cycle().skip(1);
        self.corners.iter().zip(ends).zip(&self.behind).map(|((&from, &to), &behind)| (from, to, behind))
    }

    /// The corners on the plane.
    pub fn on_plane(&self) -> Vec<DVec2> {
        self.corners.iter().map(|corner| DVec2::new(corner.x, corner.z)).collect()
    }
}

impl Mesh {
    /// All polygons, by number.
    pub fn polygon_views(&self) -> Vec<PolygonView> {
        (0..self.polygon_count()).map(|polygon| self.polygon_view(polygon)).collect()
    }

    /// The corners of a floor, on the plane; `None` if there is none of this number.
    pub fn outline(&self, floor: FloorId) -> Option<Vec<DVec2>> {
        (floor.0 < self.polygon_count()).then(|| self.shape.polygons.corners(floor.0).collect())
    }

    fn polygon_view(&self, polygon: u32) -> PolygonView {
        let polygons = &self.shape.polygons;
        let corner = |at: DVec2| DVec3::new(at.x, polygons.height_m(polygon, at), at.y);
        let behind = |edge: u32| match polygons.edge(edge).neighbour() {
            None => Behind::Wall,
            Some(neighbour) if polygons.is_one_way(edge) => Behind::OneWay(neighbour),
            Some(neighbour) => Behind::Portal(neighbour),
        };
        PolygonView {
            corners: polygons.corners(polygon).map(corner).collect(),
            behind: polygons.edge_range(polygon).map(behind).collect(),
            is_open: self.is_open(polygon),
            areas: self.areas_of(polygon).to_vec(),
        }
    }

    /// Whether the polygons are made of the outlines of areas and obstacles, and not given.
    pub(crate) fn is_outlined(&self) -> bool {
        self.shape.outlined.is_some()
    }

    /// For each polygon whether it is open, but cannot be reached from a polygon. Without one: from the polygon whose
    /// part of the ground is the largest.
    pub(crate) fn cut_off(&self, from: Option<u32>) -> Vec<bool> {
        let start = from.filter(|&polygon| polygon < self.polygon_count()).or_else(|| self.in_largest_part());
        let flood = MeshFlood::new(self, start);
        let is_cut_off = |polygon: u32| self.is_open(polygon) && !flood.reached.contains(&polygon);
        (0..self.polygon_count()).map(is_cut_off).collect()
    }

    /// A polygon of the component with the most square metres.
    fn in_largest_part(&self) -> Option<u32> {
        let mut square_metres = vec![0.0; self.components.len()];
        let open =
            || (0..self.polygon_count()).filter_map(|polygon| Some((self.component(polygon)?, polygon)));
        for (component, polygon) in open() {
            if let Some(sum) = square_metres.get_mut(component as usize) {
                *sum += self.shape.polygons.square_metres(polygon);
            }
        }
        let size = |component: u32| square_metres.get(component as usize).copied().unwrap_or(0.0);
        open().max_by(|a, b| size(a.0).total_cmp(&size(b.0)).then(b.1.cmp(&a.1))).map(|(_, polygon)| polygon)
    }

    /// The polygons on a straight line from a position to a point of the plane, with the shares of the line at which
    /// it enters and leaves each. Empty if the position is not on open ground.
    pub(crate) fn polygons_on_line(&self, from: Position, to: DVec2) -> Vec<(FloorId, f64, f64)> {
        let Some(polygon) = self.polygon_of(from) else { return Vec::new() };
        let mut passed = self.view().passed(polygon, from.at, to);
        passed.sort_by(|a, b| a.enters.total_cmp(&b.enters).then(a.leaves.total_cmp(&b.leaves)));
        passed.iter().map(|at| (FloorId(at.polygon), at.enters, at.leaves)).collect()
    }
}
