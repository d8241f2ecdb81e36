//! Regions to triangles that follow the floor.

use super::arcs::Arc;
use super::ground::Ground;
use super::heightfield::NONE;
use super::regions::{Corners, GridVertex, Regions, TILE};
use spade::handles::{FixedFaceHandle, FixedVertexHandle, InnerTag};
use spade::{ConstrainedDelaunayTriangulation, HasPosition, Point2, PositionInTriangulation, Triangulation};
use std::collections::{BTreeMap, BTreeSet};

/// A triangle, counter-clockwise in x and z.
#[derive(Debug, Clone, Copy)]
pub(super) struct Triangle {
    pub corners: [u32; 3],
    /// The greatest distance in height to the floor, at the centres of cells.
    pub error_m: f32,
}

/// Points are added until the triangles are near enough to the floor. Each round adds at least one.
const MAX_ROUNDS: usize = 64;

/// A vertex of the triangulation. Its coordinates are whole numbers, so that all decisions are exact.
struct Site {
    vertex: u32,
    position: Point2<f64>,
}

impl HasPosition for Site {
    type Scalar = f64;
    fn position(&self) -> Point2<f64> {
        self.position
    }
}

type Cdt = ConstrainedDelaunayTriangulation<Site>;

/// What all regions have in common.
pub(super) struct Triangulator<'a> {
    pub ground: &'a Ground,
    pub corners: &'a Corners,
    pub regions: &'a Regions,
    pub max_error_m: f64,
    /// The cell of the region at each place of its tile.
    places: Vec<u32>,
}

impl<'a> Triangulator<'a> {
    pub(super) fn new(
        ground: &'a Ground,
        corners: &'a Corners,
        regions: &'a Regions,
        max_error_m: f64,
    ) -> Self {
        Self { ground, corners, regions, max_error_m, places: vec![NONE; TILE * TILE] }
    }

    /// The triangles of a region, whose outline are arcs. If simplified arcs cross or touch each other, returns those
    /// that need more care.
    pub(super) fn triangulate(
        &mut self,
        region: usize,
        arcs: &[Arc],
        of_region: &[u32],
    ) -> Result<Vec<Triangle>, Vec<u32>> {
        let mut plan = Plan::default();
        for &arc in of_region {
            plan.add_sites(&arcs[arc as usize], &self.corners.vertices);
        }
        let mut wrong = BTreeSet::new();
        for &arc in of_region {
            plan.add_arc(arc, arcs, of_region, &mut wrong);
        }
        if wrong.is_empty() && !plan.mark_inside(region as u32, arcs, of_region) {
            wrong.extend(of_region);
        }
        wrong.retain(|&arc| arcs[arc as usize].care < 2);
        if !wrong.is_empty() {
            return Err(wrong.into_iter().collect());
        }
        self.set_places(region, true);
        let triangles = self.follow_floor(plan);
        self.set_places(region, false);
        Ok(triangles)
    }

    fn set_places(&mut self, region: usize, filled: bool) {
        for &index in self.regions.cells(region) {
            let cell = &self.ground.cells[index as usize];
            let place = cell.x as usize % TILE + cell.z as usize % TILE * TILE;
            self.places[place] = if filled { index } else { NONE };
        }
    }

    /// The cell of the region at a place of the grid within its tile.
    fn cell(&self, tile: (i32, i32), x: i32, z: i32) -> Option<u32> {
        let (x, z) = (x - tile.0, z - tile.1);
        let range = 0..TILE as i32;
        let place = (range.contains(&x) && range.contains(&z)).then(|| x as usize + z as usize * TILE)?;
        Some(self.places[place]).filter(|cell| *cell != NONE)
    }

    /// Adds points inside until the error is small enough.
    fn follow_floor(&self, mut plan: Plan) -> Vec<Triangle> {
        let mut known: BTreeMap<[u32; 3], (f32, u32)> = BTreeMap::new();
        for round in 0..=MAX_ROUNDS {
            let faces: Vec<[u32; 3]> = plan.faces();
            let mut added = false;
            for face in &faces {
                let (error_m, cell) = *known.entry(*face).or_insert_with(|| self.error(*face));
                if f64::from(error_m) > self.max_error_m && round < MAX_ROUNDS {
                    added |= self.add_near(cell, *face, &mut plan);
                }
            }
            if !added {
                let with_error = |corners: [u32; 3]| Triangle { corners, error_m: known[&corners].0 };
                return faces.into_iter().map(with_error).collect();
            }
            plan.mark_again();
        }
        Vec::new()
    }

    /// The greatest error of a triangle, and its cell.
    fn error(&self, corners: [u32; 3]) -> (f32, u32) {
        let points = corners.map(|corner| self.corners.vertices[corner as usize]);
        let plane = Plane::new(points);
        let Some(first) = points.iter().map(|p| p.z).min() else { return (0.0, NONE) };
        let last = points.iter().map(|p| p.z).max().unwrap_or(first);
        // The triangle is within one tile: the one of its smallest coordinates.
        let tile_start = |least: i32| least.div_euclid(TILE as i32) * TILE as i32;
        let tile = (tile_start(points.iter().map(|p| p.x).min().unwrap_or(0)), tile_start(first));
        let mut worst = (0.0, NONE);
        for z in first..last {
            let middle = f64::from(z) + 0.5;
            let (mut from, mut to) = (f64::INFINITY, f64::NEG_INFINITY);
            for i in 0..3 {
                let (a, b) = (points[i], points[(i + 1) % 3]);
                if (f64::from(a.z) < middle) != (f64::from(b.z) < middle) {
                    let share = (middle - f64::from(a.z)) / f64::from(b.z - a.z);
                    let x = f64::from(a.x) + f64::from(b.x - a.x) * share;
                    (from, to) = (from.min(x), to.max(x));
                }
            }
            let mut x = (from - 0.5).ceil();
            while x + 0.5 <= to {
                if let Some(cell) = self.cell(tile, x as i32, z) {
                    let floor_m = f64::from(self.ground.cells[cell as usize].floor_m);
                    let error_m = (plane.at(x + 0.5, middle) - floor_m).abs() as f32;
                    if error_m > worst.0 {
                        worst = (error_m, cell);
                    }
                }
                x += 1.0;
            }
        }
        worst
    }

    /// Adds a corner of a cell, the one farthest from the triangle's plane. It must not touch the outline.
    fn add_near(&self, cell: u32, corners: [u32; 3], plan: &mut Plan) -> bool {
        let plane = Plane::new(corners.map(|corner| self.corners.vertices[corner as usize]));
        let mut candidates: Vec<(u32, f64)> = Vec::with_capacity(4);
        for vertex in self.corners.of_cells[cell as usize] {
            let point = self.corners.vertices[vertex as usize];
            let off_m = plane.at(f64::from(point.x), f64::from(point.z)) - f64::from(point.y_m);
            candidates.push((vertex, off_m.abs()));
        }
        candidates.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let cell = self.ground.cells[cell as usize];
        let tile = (cell.x as usize / TILE * TILE, cell.z as usize / TILE * TILE);
        candidates.into_iter().any(|(vertex, _)| {
            let point = self.corners.vertices[vertex as usize];
            let is_inner = [(-1, -1), (0, -1), (-1, 0), (0, 0)].into_iter().all(|(dx, dz)| {
                self.cell((tile.0 as i32, tile.1 as i32), point.x + dx, point.z + dz).is_some()
            });
            is_inner && plan.add_inside(vertex, point)
        })
    }
}

/// A plane over the grid.
struct Plane {
    origin: GridVertex,
    slope: (f64, f64),
}

impl Plane {
    fn new([a, b, c]: [GridVertex; 3]) -> Self {
        let (bx, bz, by) = (f64::from(b.x - a.x), f64::from(b.z - a.z), f64::from(b.y_m - a.y_m));
        let (cx, cz, cy) = (f64::from(c.x - a.x), f64::from(c.z - a.z), f64::from(c.y_m - a.y_m));
        let doubled = bx * cz - bz * cx;
        Self { origin: a, slope: ((by * cz - cy * bz) / doubled, (bx * cy - cx * by) / doubled) }
    }

    fn at(&self, x: f64, z: f64) -> f64 {
        let Self { origin, slope } = self;
        f64::from(origin.y_m) + (x - f64::from(origin.x)) * slope.0 + (z - f64::from(origin.z)) * slope.1
    }
}

/// The triangulation of one region, seen from above.
#[derive(Default)]
struct Plan {
    cdt: Cdt,
    sites: BTreeMap<u32, FixedVertexHandle>,
    /// The arc of each edge of the outline, by its smaller and larger vertex.
    owners: BTreeMap<(u32, u32), u32>,
    /// The ends of the outline's edges, with the region on the left.
    outline: Vec<(FixedVertexHandle, FixedVertexHandle)>,
    /// For each face of the triangulation, whether it is inside.
    inside: Vec<bool>,
}

impl Plan {
    fn add_sites(&mut self, arc: &Arc, vertices: &[GridVertex]) {
        for &vertex in &arc.simple {
            if !self.sites.contains_key(&vertex) {
                self.insert(vertex, vertices[vertex as usize]);
            }
        }
    }

    fn insert(&mut self, vertex: u32, point: GridVertex) -> bool {
        let position = Point2::new(f64::from(point.x), f64::from(point.z));
        // Whole numbers of this size are always accepted.
        let Ok(site) = self.cdt.insert(Site { vertex, position }) else { return false };
        self.sites.insert(vertex, site);
        true
    }

    /// Adds the edges of an arc. What stands in their way is put into `wrong`.
    fn add_arc(&mut self, arc: u32, arcs: &[Arc], of_region: &[u32], wrong: &mut BTreeSet<u32>) {
        for ends in arcs[arc as usize].simple.windows(2) {
            let key = (ends[0].min(ends[1]), ends[0].max(ends[1]));
            let (Some(&a), Some(&b)) = (self.sites.get(&ends[0]), self.sites.get(&ends[1])) else { continue };
            if let Some(&other) = self.owners.get(&key) {
                wrong.extend([arc, other]);
            } else if a == b {
                wrong.insert(arc);
            } else if !self.cdt.can_add_constraint(a, b) {
                wrong.insert(arc);
                for edge in self.cdt.get_conflicting_edges_between_vertices(a, b) {
                    let [c, d] = edge.vertices().map(|vertex| vertex.data().vertex);
                    wrong.extend(self.owners.get(&(c.min(d), c.max(d))));
                }
            } else {
                self.cdt.add_constraint(a, b);
                if self.cdt.exists_constraint(a, b) {
                    self.owners.insert(key, arc);
                } else {
                    // The edge passes through a vertex of another arc, or of its own.
                    wrong.insert(arc);
                    wrong.extend(of_region);
                }
            }
        }
    }

    /// Finds the faces inside. False if the outline contradicts itself.
    fn mark_inside(&mut self, region: u32, arcs: &[Arc], of_region: &[u32]) -> bool {
        for &arc in of_region {
            let Arc { left, simple, .. } = &arcs[arc as usize];
            for ends in simple.windows(2) {
                let (Some(&a), Some(&b)) = (self.sites.get(&ends[0]), self.sites.get(&ends[1])) else {
                    continue;
                };
                self.outline.push(if *left == region { (a, b) } else { (b, a) });
            }
        }
        self.mark_again()
    }

    fn mark_again(&mut self) -> bool {
        self.inside = vec![false; self.cdt.num_all_faces()];
        let mut stack: Vec<FixedFaceHandle<InnerTag>> = Vec::new();
        let mut outside = Vec::new();
        for &(a, b) in &self.outline {
            let Some(edge) = self.cdt.get_edge_from_neighbors(a, b) else { return false };
            let Some(face) = edge.face().as_inner() else { return false };
            stack.push(face.fix());
            outside.extend(edge.rev().face().as_inner().map(|face| face.fix()));
        }
        while let Some(face) = stack.pop() {
            if std::mem::replace(&mut self.inside[face.index()], true) {
                continue;
            }
            for edge in self.cdt.face(face).adjacent_edges() {
                if !edge.is_constraint_edge() {
                    let Some(next) = edge.rev().face().as_inner() else { return false };
                    stack.push(next.fix());
                }
            }
        }
        outside.iter().all(|face| !self.inside[face.index()])
    }

    /// The corners of the faces inside.
    fn faces(&self) -> Vec<[u32; 3]> {
        self.cdt
            .inner_faces()
            .filter(|face| self.inside.get(face.fix().index()).copied().unwrap_or(false))
            .map(|face| face.vertices().map(|vertex| vertex.data().vertex))
            .collect()
    }

    /// Adds a vertex, unless it is there already, on the outline or beyond it.
    fn add_inside(&mut self, vertex: u32, point: GridVertex) -> bool {
        if self.sites.contains_key(&vertex) {
            return false;
        }
        let position = Point2::new(f64::from(point.x), f64::from(point.z));
        let is_inside = match self.cdt.locate(position) {
            // Faces that are new in this round are inside, because only inner points are added.
            PositionInTriangulation::OnFace(face) => self.inside.get(face.index()).copied().unwrap_or(true),
            PositionInTriangulation::OnEdge(edge) => {
                let edge = self.cdt.directed_edge(edge);
                let face = edge.face().as_inner().map(|face| face.fix().index());
                !edge.is_constraint_edge()
                    && face.is_some_and(|face| self.inside.get(face).copied().unwrap_or(true))
            }
            _ => false,
        };
        is_inside && self.insert(vertex, point)
    }
}
