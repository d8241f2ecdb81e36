//! What a plan is like, by brute force.

use super::levels::TestLevel;
use crate::mesh::build::voxels::{VoxelProblem, VoxelSettings, from_level};
use crate::mesh::{Blueprint, Polygons};
use glam::{DVec2, DVec3};
use std::ops::ControlFlow;

/// A plan and its mesh.
pub(super) struct Built {
    pub plan: Blueprint,
    pub mesh: Polygons,
    /// For each polygon the number of its connected piece.
    pub component: Vec<usize>,
    pub components: usize,
}

/// Builds a level, and checks that its plan is a mesh.
pub(super) fn build(level: &TestLevel, settings: &VoxelSettings) -> Result<Built, VoxelProblem> {
    let plan = from_level(&level.vertices, &level.triangles, settings, &mut |_| ControlFlow::Continue(()))?;
    let mesh = Polygons::new(&plan.vertices, &plan.polygons).expect("the plan is a mesh");
    assert!(plan.polygons.iter().all(|polygon| polygon.corners.len() <= settings.max_corners));
    assert_eq!(plan.cover_of.len(), plan.polygons.len());
    let (component, components) = components(&mesh);
    Ok(Built { plan, mesh, component, components })
}

fn components(mesh: &Polygons) -> (Vec<usize>, usize) {
    let mut component = vec![usize::MAX; mesh.len()];
    let mut count = 0;
    for start in 0..mesh.len() as u32 {
        if component[start as usize] != usize::MAX {
            continue;
        }
        let mut stack = vec![start];
        while let Some(polygon) = stack.pop() {
            if std::mem::replace(&mut component[polygon as usize], count) == usize::MAX {
                stack.extend(mesh.edges(polygon).iter().filter_map(|edge| edge.neighbour()));
            }
        }
        count += 1;
    }
    (component, count)
}

/// The plane of vertices: x and z.
pub(super) fn flat(v: DVec3) -> DVec2 {
    DVec2::new(v.x, v.z)
}

/// The height of a triangle at a point of the plane, if the point is on it.
fn height_on(triangle: [DVec3; 3], point: DVec2) -> Option<f64> {
    let [a, b, c] = triangle.map(flat);
    let doubled = (b - a).perp_dot(c - a);
    if doubled.abs() < 1e-12 {
        return None;
    }
    let (of_b, of_c) = ((point - a).perp_dot(c - a) / doubled, (b - a).perp_dot(point - a) / doubled);
    let [ya, yb, yc] = triangle.map(|v| v.y);
    let is_inside = of_b >= -1e-9 && of_c >= -1e-9 && of_b + of_c <= 1.0 + 1e-9;
    is_inside.then_some(ya + (yb - ya) * of_b + (yc - ya) * of_c)
}

impl Built {
    fn fan(&self, polygon: usize) -> impl Iterator<Item = [DVec3; 3]> + '_ {
        let corners = &self.plan.polygons[polygon].corners;
        let at = |corner: u32| self.plan.vertices[corner as usize];
        (1..corners.len() - 1).map(move |i| [at(corners[0]), at(corners[i]), at(corners[i + 1])])
    }

    /// The height of a polygon at a point of the plane, if the point is on it.
    pub(super) fn height_m(&self, polygon: usize, point: DVec2) -> Option<f64> {
        self.fan(polygon).find_map(|triangle| height_on(triangle, point))
    }

    /// The polygon at a point of the level.
    pub(super) fn polygon_at(&self, point: DVec3) -> Option<usize> {
        (0..self.mesh.len()).find(|&polygon| {
            let mut heights = self.fan(polygon).filter_map(|triangle| height_on(triangle, flat(point)));
            heights.any(|height| (height - point.y).abs() < 0.8)
        })
    }

    /// Whether a way leads from one point to another.
    pub(super) fn joined(&self, from: DVec3, to: DVec3) -> bool {
        let at = |point| self.polygon_at(point).map(|polygon| self.component[polygon]);
        at(from).is_some() && at(from) == at(to)
    }

    /// The distances in height between random points of the polygons and the nearest surface of the level.
    pub(super) fn height_errors_m(&self, level: &TestLevel, points: u32) -> Vec<f64> {
        self.errors_at(level, points).into_iter().map(|(error_m, _)| error_m).collect()
    }

    fn errors_at(&self, level: &TestLevel, points: u32) -> Vec<(f64, DVec3)> {
        let surfaces = Surfaces::new(level);
        let triangles: Vec<[DVec3; 3]> = (0..self.mesh.len()).flat_map(|p| self.fan(p)).collect();
        let mut sums = vec![0.0];
        for [a, b, c] in &triangles {
            let area = (flat(*b) - flat(*a)).perp_dot(flat(*c) - flat(*a)).abs();
            sums.push(sums[sums.len() - 1] + area);
        }
        let mut random = Random(7);
        (0..points)
            .map(|_| {
                let at = random.next() * sums[sums.len() - 1];
                let index = sums.partition_point(|sum| *sum <= at).clamp(1, triangles.len()) - 1;
                let [a, b, c] = triangles[index];
                let (mut s, mut t) = (random.next(), random.next());
                if s + t > 1.0 {
                    (s, t) = (1.0 - s, 1.0 - t);
                }
                let point = a + (b - a) * s + (c - a) * t;
                (surfaces.nearest_m(point), point)
            })
            .collect()
    }
}

/// The level's triangles in buckets.
struct Surfaces {
    origin: DVec2,
    size: f64,
    count: usize,
    buckets: Vec<Vec<[DVec3; 3]>>,
}

impl Surfaces {
    fn new(level: &TestLevel) -> Self {
        let points = || level.vertices.iter().map(|v| flat(*v));
        let min = points().fold(DVec2::INFINITY, DVec2::min);
        let max = points().fold(DVec2::NEG_INFINITY, DVec2::max);
        let count = 64;
        let size = (max - min).max_element() / count as f64 + 1e-9;
        let mut buckets = vec![Vec::new(); count * count];
        for triangle in &level.triangles {
            let corners = triangle.map(|v| level.vertices[v as usize]);
            let low = corners.map(flat).into_iter().fold(DVec2::INFINITY, DVec2::min);
            let high = corners.map(flat).into_iter().fold(DVec2::NEG_INFINITY, DVec2::max);
            let cell = |v: f64| ((v / size) as usize).min(count - 1);
            for z in cell(low.y - min.y)..=cell(high.y - min.y) {
                for x in cell(low.x - min.x)..=cell(high.x - min.x) {
                    buckets[x + z * count].push(corners);
                }
            }
        }
        Self { origin: min, size, count, buckets }
    }

    fn nearest_m(&self, point: DVec3) -> f64 {
        let local = (flat(point) - self.origin) / self.size;
        let cell = |v: f64| (v as usize).min(self.count - 1);
        let heights = self.buckets[cell(local.x) + cell(local.y) * self.count].iter();
        let heights = heights.filter_map(|triangle| height_on(*triangle, flat(point)));
        heights.map(|height| (height - point.y).abs()).fold(f64::INFINITY, f64::min)
    }
}

/// Seeded random numbers from 0 to 1.
pub(super) struct Random(pub u64);

impl Random {
    pub(super) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}
