//! Convex polygons with heights, and the portals that join them.

mod corners;

pub(super) use self::corners::Corner;

use super::PolygonProblem;
use super::blocks::Blocks;
use crate::geometry::{NotConvex, check_convex, closest_on_segment, fan_height};
use crate::room::{RawPolygon, Ring, edges_behind, ring_of};
use glam::{DVec2, DVec3};

/// Largest coordinate, in metres.
pub(crate) const MAX_COORDINATE_M: f64 = 1e6;

/// An edge of a polygon: from its vertex to the vertex of the next edge. It is a portal or a wall, as a whole. An edge
/// with several portals is split at their ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    /// The point at which the edge begins.
    at: DVec2,
    vertex: u32,
    neighbour: u32,
    twin: u32,
    block: u32,
}

/// In [`Edge`]: a wall.
const NONE: u32 = u32::MAX;

impl Edge {
    /// The vertex at which the edge begins.
    pub fn vertex(self) -> u32 {
        self.vertex
    }

    /// The point at which the edge begins, in metres.
    #[inline]
    pub(super) fn at(self) -> DVec2 {
        self.at
    }

    /// The polygon behind the edge. `None` for a wall.
    pub fn neighbour(self) -> Option<u32> {
        (self.neighbour != NONE).then_some(self.neighbour)
    }

    /// The same edge in the list of edges of the polygon behind it. `None` for a wall.
    pub(super) fn twin(self) -> Option<u32> {
        (self.twin != NONE).then_some(self.twin)
    }

    /// The block that the edge belongs to, see [`Blocks`].
    #[inline]
    pub(super) fn block(self) -> u32 {
        self.block
    }
}

/// Convex polygons on the plane, counter-clockwise, with heights at their corners. Several may lie above each other.
///
/// Polygons are numbered as in the file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Polygons {
    /// Vertices on the plane, in metres.
    vertices: Vec<DVec2>,
    /// For each edge the height at which it begins, in metres. Polygons on both sides of a portal down a ledge have
    /// heights of their own.
    heights_m: Vec<f64>,
    /// For each polygon the index of its first edge, and at the end the number of edges.
    first: Vec<u32>,
    edges: Vec<Edge>,
    /// For each edge the polygon that it belongs to.
    owners: Vec<u32>,
    /// The other sides of portals that lead one way only: the edges by which one arrives, in ascending order.
    landings: Vec<u32>,
    /// The edges that begin at each vertex, vertex by vertex.
    from_vertices: Vec<u32>,
    /// For each vertex the index of its first entry in `from_vertices`, and at the end their number.
    first_from: Vec<u32>,
    pub(super) blocks: Blocks,
}

impl Polygons {
    /// Builds the mesh. `vertices` are x, y (up) and z in metres.
    ///
    /// # Errors
    /// All problems, if there are any.
    pub fn new(vertices: &[DVec3], polygons: &[RawPolygon]) -> Result<Self, Vec<PolygonProblem>> {
        let mut problems = Vec::new();
        if polygons.is_empty() {
            problems.push(PolygonProblem::Empty);
        }
        let corners: usize = polygons.iter().map(|polygon| polygon.corners.len()).sum();
        if vertices.len().max(polygons.len()).max(corners) >= NONE as usize {
            return Err(vec![PolygonProblem::TooMany]);
        }
        let bad = |v: &DVec3| !v.is_finite() || v.abs().max_element() > MAX_COORDINATE_M;
        let bad_vertices = vertices.iter().enumerate().filter(|(_, v)| bad(v));
        problems.extend(bad_vertices.map(|(vertex, _)| PolygonProblem::BadVertex { vertex }));
        let points: Vec<DVec2> = vertices.iter().map(|v| DVec2::new(v.x, v.z)).collect();
        let mut rings = Vec::with_capacity(polygons.len());
        for (index, polygon) in polygons.iter().enumerate() {
            match counter_clockwise(index, polygon, &points) {
                Ok(ring) => rings.push(ring),
                Err(problem) => problems.push(problem),
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        let implicit = |polygon: usize| polygons[polygon].neighbours.is_empty();
        let behind = edges_behind(&points, &rings, implicit)
            .map_err(|unclear| unclear.into_iter().map(PolygonProblem::from).collect::<Vec<_>>())?;
        let mut mesh =
            Self { vertices: points, first: Vec::with_capacity(rings.len() + 1), ..Self::default() };
        for (polygon, ring) in rings.iter().enumerate() {
            mesh.first.push(mesh.edges.len() as u32);
            mesh.owners.extend(ring.iter().map(|_| polygon as u32));
            mesh.heights_m.extend(ring.iter().map(|&(vertex, _)| vertices[vertex as usize].y));
            mesh.edges.extend(ring.iter().map(|&(vertex, _)| Edge {
                at: mesh.vertices[vertex as usize],
                vertex,
                neighbour: NONE,
                twin: NONE,
                block: NONE,
            }));
        }
        mesh.first.push(mesh.edges.len() as u32);
        for (edge, behind) in behind.into_iter().enumerate() {
            if let Some((neighbour, there)) = behind {
                let twin = mesh.first[neighbour as usize] + there;
                (mesh.edges[edge].neighbour, mesh.edges[edge].twin) = (neighbour, twin);
            }
        }
        mesh.find_landings();
        mesh.part_vertices();
        mesh.sort_edges_by_vertex();
        mesh.divide(|_| true);
        Ok(mesh)
    }

    fn sort_edges_by_vertex(&mut self) {
        let mut counts = vec![0_u32; self.vertices.len() + 1];
        self.edges.iter().for_each(|edge| counts[edge.vertex as usize + 1] += 1);
        for vertex in 1..counts.len() {
            counts[vertex] += counts[vertex - 1];
        }
        self.first_from = counts.clone();
        self.from_vertices = vec![0; self.edges.len()];
        for (index, edge) in self.edges.iter().enumerate() {
            let next = &mut counts[edge.vertex as usize];
            self.from_vertices[*next as usize] = index as u32;
            *next += 1;
        }
    }

    /// Whether an edge is a portal that does not lead back.
    pub(super) fn is_one_way(&self, edge: u32) -> bool {
        let twin = self.edges[edge as usize].twin;
        twin != NONE && self.edges[twin as usize].twin != edge
    }

    /// The number of polygons.
    pub fn len(&self) -> usize {
        self.first.len().saturating_sub(1)
    }

    /// Whether there are no polygons.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of edges of all polygons.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// The vertices on the plane, in metres.
    pub fn vertices(&self) -> &[DVec2] {
        &self.vertices
    }

    /// The edges of a polygon, counter-clockwise.
    pub fn edges(&self, polygon: u32) -> &[Edge] {
        let range = self.edge_range(polygon);
        &self.edges[range.start as usize..range.end as usize]
    }

    /// The corners of a polygon, counter-clockwise, in metres.
    pub fn corners(&self, polygon: u32) -> impl ExactSizeIterator<Item = DVec2> + '_ {
        self.edges(polygon).iter().map(|edge| edge.at)
    }

    /// The edges of a polygon with their ends.
    pub(super) fn segments(&self, polygon: u32) -> impl Iterator<Item = (Edge, DVec2, DVec2)> + '_ {
        let edges = self.edges(polygon);
        (0..edges.len()).map(move |i| {
            let next = if i + 1 == edges.len() { 0 } else { i + 1 };
            (edges[i], edges[i].at, edges[next].at)
        })
    }

    /// The edges of a polygon clockwise, each with its ends counter-clockwise.
    pub(super) fn segments_clockwise(&self, polygon: u32) -> impl Iterator<Item = (Edge, DVec2, DVec2)> + '_ {
        let edges = self.edges(polygon);
        let mut end = edges.first().map_or(DVec2::ZERO, |edge| edge.at);
        edges.iter().rev().map(move |&edge| (edge, edge.at, std::mem::replace(&mut end, edge.at)))
    }

    /// Whether a polygon holds a point of the plane: inside or on the border.
    #[inline]
    pub fn holds(&self, polygon: u32, point: DVec2) -> bool {
        self.segments(polygon).all(|(_, a, b)| (b - a).perp_dot(point - a) >= 0.0)
    }

    /// The point of a polygon that is nearest to a point of the plane.
    pub fn closest(&self, polygon: u32, point: DVec2) -> DVec2 {
        if self.holds(polygon, point) {
            return point;
        }
        let mut best = (f64::INFINITY, point);
        for (_, a, b) in self.segments(polygon) {
            let at = closest_on_segment(point, a, b);
            let distance = at.distance_squared(point);
            if distance < best.0 {
                best = (distance, at);
            }
        }
        best.1
    }

    /// The height of a polygon at a point of the plane, in metres: over the triangles between its first corner and
    /// its edges. Outside, the height of the nearest point.
    pub fn height_m(&self, polygon: u32, point: DVec2) -> f64 {
        let edges = self.edges(polygon);
        let first = self.first[polygon as usize] as usize;
        fan_height(edges.len(), |i| (edges[i].at, self.heights_m[first + i]), point)
    }

    /// The area of a polygon on the plane, in square metres.
    pub(super) fn square_metres(&self, polygon: u32) -> f64 {
        let origin = self.corners(polygon).next().unwrap_or_default();
        self.segments(polygon).map(|(_, a, b)| (a - origin).perp_dot(b - origin)).sum::<f64>() / 2.0
    }

    /// The rectangle round a polygon.
    pub(super) fn rectangle(&self, polygon: u32) -> (DVec2, DVec2) {
        let nothing = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        self.corners(polygon).fold(nothing, |(min, max), at| (min.min(at), max.max(at)))
    }

    /// The mean of the corners of a polygon: a point inside.
    pub(super) fn middle(&self, polygon: u32) -> DVec2 {
        let corners = self.corners(polygon);
        let count = corners.len().max(1) as f64;
        corners.sum::<DVec2>() / count
    }

    /// The ends of an edge.
    pub(super) fn ends(&self, edge: u32) -> (DVec2, DVec2) {
        let next = self.edge_after(self.owners[edge as usize], edge);
        (self.edges[edge as usize].at, self.edges[next as usize].at)
    }

    /// The heights of both ends of an edge, in metres.
    pub(super) fn edge_heights_m(&self, edge: u32) -> [f64; 2] {
        let next = self.edge_after(self.owners[edge as usize], edge);
        [edge, next].map(|edge| self.heights_m[edge as usize])
    }

    /// The polygon that an edge belongs to.
    pub(super) fn owner(&self, edge: u32) -> u32 {
        self.owners[edge as usize]
    }

    pub(super) fn set_block(&mut self, edge: u32, block: u32) {
        self.edges[edge as usize].block = block;
    }

    /// The indices of a polygon's edges among all edges.
    pub(super) fn edge_range(&self, polygon: u32) -> std::ops::Range<u32> {
        self.first[polygon as usize]..self.first[polygon as usize + 1]
    }

    /// The edge after another one round its polygon.
    pub(super) fn edge_after(&self, polygon: u32, edge: u32) -> u32 {
        let range = self.edge_range(polygon);
        if edge + 1 == range.end { range.start } else { edge + 1 }
    }

    fn edge_before(&self, polygon: u32, edge: u32) -> u32 {
        let range = self.edge_range(polygon);
        if edge == range.start { range.end - 1 } else { edge - 1 }
    }

    /// The vertex at which an edge ends.
    fn next_vertex(&self, polygon: u32, edge: u32) -> u32 {
        self.edges[self.edge_after(polygon, edge) as usize].vertex
    }

    /// An edge by its index among all edges.
    pub(super) fn edge(&self, edge: u32) -> Edge {
        self.edges[edge as usize]
    }

    /// The bounding rectangle: smallest and largest coordinates, in metres.
    pub fn bounds(&self) -> (DVec2, DVec2) {
        let nothing = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        (0..self.len() as u32)
            .flat_map(|polygon| self.corners(polygon))
            .fold(nothing, |(min, max), corner| (min.min(corner), max.max(corner)))
    }
}

/// The corners of a polygon with the neighbours behind the edges that begin there, counter-clockwise.
fn counter_clockwise(index: usize, polygon: &RawPolygon, points: &[DVec2]) -> Result<Ring, PolygonProblem> {
    let RawPolygon { corners, neighbours } = polygon;
    let count = corners.len();
    if let Some(&vertex) = corners.iter().find(|&&vertex| vertex as usize >= points.len()) {
        return Err(PolygonProblem::NoSuchVertex { polygon: index, vertex });
    }
    let distinct: std::collections::BTreeSet<u32> = corners.iter().copied().collect();
    if count < 3 || distinct.len() < count {
        return Err(PolygonProblem::TooFewCorners { polygon: index });
    }
    if !neighbours.is_empty() && neighbours.len() != count {
        return Err(PolygonProblem::NeighbourCount { polygon: index });
    }
    let flat: Vec<DVec2> = corners.iter().map(|&corner| points[corner as usize]).collect();
    let is_counter_clockwise = check_convex(&flat).map_err(|flaw| match flaw {
        NotConvex::TooFew => PolygonProblem::TooFewCorners { polygon: index },
        NotConvex::Flat => PolygonProblem::Flat { polygon: index },
        NotConvex::Concave(corner) => PolygonProblem::Concave { polygon: index, vertex: corners[corner] },
    })?;
    Ok(ring_of(polygon, !is_counter_clockwise))
}
