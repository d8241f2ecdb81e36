//! Convex polygons from triangles (Hertel and Mehlhorn): borders of triangles are removed, the longest first, as long
//! as both of their ends stay convex.

use super::covers::NO_GROUND;
use super::lattice::{STEPS_PER_M, cross, dot, side, to_metres};
use super::sides::SidedEdge;
use super::triangles::{OUTSIDE, Triangle};
use glam::I64Vec2;

/// A polygon is flat if it is thinner than this, in metres.
const FLAT_M: f64 = 1e-6;

/// A flat polygon is joined to another one even if a corner then points inwards by this, in metres.
const STRAIGHT_M: f64 = 5e-4;

/// The corners of a convex polygon, counter-clockwise, and its cover.
pub(super) type Convex = (Vec<u32>, u32);

/// The ground between borders as convex polygons. Polygons that meet along a line have the same vertices on it.
pub(super) fn convex_polygons(
    points: &[I64Vec2],
    borders: &[SidedEdge],
    triangles: &[Triangle],
) -> Vec<Convex> {
    let cover_of = cover_of_triangles(borders, triangles);
    let mut rings = Rings::new(points, triangles);
    let mut diagonals: Vec<(i128, usize)> = (0..rings.origin.len())
        .filter(|&edge| rings.twin[edge].is_some_and(|twin| edge < twin))
        .filter(|&edge| cover_of[edge / 3] != NO_GROUND && !is_border(borders, rings.ends(edge)))
        .map(|edge| (-rings.length_sq(edge), edge))
        .collect();
    diagonals.sort_unstable();
    for &(_, edge) in &diagonals {
        if rings.is_convex_without(edge, 0.0) {
            rings.remove(edge);
        }
    }
    // Triangles on an almost straight line may be left.
    let flat = rings.flat_edges();
    for &(_, edge) in &diagonals {
        let is_flat = flat[edge] || rings.twin[edge].is_some_and(|twin| flat[twin]);
        if is_flat && !rings.removed[edge] && rings.is_convex_without(edge, STRAIGHT_M) {
            rings.remove(edge);
        }
    }
    rings.polygons(&cover_of)
}

fn is_border(borders: &[SidedEdge], (from, to): (u32, u32)) -> bool {
    borders.binary_search_by_key(&(from.min(to), from.max(to)), |border| border.ends).is_ok()
}

/// The cover of each triangle, by flooding from the borders.
fn cover_of_triangles(borders: &[SidedEdge], triangles: &[Triangle]) -> Vec<u32> {
    let mut cover_of: Vec<Option<u32>> = vec![None; triangles.len()];
    let mut open = Vec::new();
    for (t, triangle) in triangles.iter().enumerate() {
        for i in 0..3 {
            let (from, to) = triangle.edge(i);
            let known = borders.binary_search_by_key(&(from.min(to), from.max(to)), |border| border.ends);
            if let (Ok(border), None) = (known, cover_of[t]) {
                let border = &borders[border];
                cover_of[t] = Some(if from < to { border.left } else { border.right });
                open.push(t);
            }
        }
    }
    while let Some(t) = open.pop() {
        for i in 0..3 {
            let behind = triangles[t].behind[i] as usize;
            if behind < triangles.len()
                && cover_of[behind].is_none()
                && !is_border(borders, triangles[t].edge(i))
            {
                cover_of[behind] = cover_of[t];
                open.push(behind);
            }
        }
    }
    cover_of.into_iter().map(|cover| cover.unwrap_or(NO_GROUND)).collect()
}

/// Polygons as rings of directed edges. The edges of triangle `t` are `3 t` to `3 t + 2`.
struct Rings<'a> {
    points: &'a [I64Vec2],
    origin: Vec<u32>,
    next: Vec<usize>,
    before: Vec<usize>,
    twin: Vec<Option<usize>>,
    removed: Vec<bool>,
}

impl<'a> Rings<'a> {
    fn new(points: &'a [I64Vec2], triangles: &[Triangle]) -> Self {
        let count = triangles.len() * 3;
        let twin = |edge: usize| {
            let triangle = &triangles[edge / 3];
            let behind = triangle.behind[edge % 3];
            if behind == OUTSIDE {
                return None;
            }
            let (_, to) = triangle.edge(edge % 3);
            let corner = triangles[behind as usize].corners.iter().position(|&corner| corner == to);
            corner.map(|corner| behind as usize * 3 + corner)
        };
        Self {
            points,
            origin: triangles.iter().flat_map(|triangle| triangle.corners).collect(),
            next: (0..count).map(|edge| edge - edge % 3 + (edge + 1) % 3).collect(),
            before: (0..count).map(|edge| edge - edge % 3 + (edge + 2) % 3).collect(),
            twin: (0..count).map(twin).collect(),
            removed: vec![false; count],
        }
    }

    fn ends(&self, edge: usize) -> (u32, u32) {
        (self.origin[edge], self.origin[self.next[edge]])
    }

    fn at(&self, edge: usize) -> I64Vec2 {
        self.points[self.origin[edge] as usize]
    }

    fn length_sq(&self, edge: usize) -> i128 {
        let along = self.at(self.next[edge]) - self.at(edge);
        dot(along, along)
    }

    /// Whether both ends of an edge are convex corners without it, or straight.
    fn is_convex_without(&self, edge: usize, tolerance_m: f64) -> bool {
        let Some(twin) = self.twin[edge] else { return false };
        let corner = |into: usize, out: usize| {
            let (a, b, c) = (self.at(into), self.at(out), self.at(self.next[out]));
            let turn = side(a, b, c);
            let line = || to_metres(c - a).length() * STEPS_PER_M * tolerance_m * STEPS_PER_M;
            turn >= 0 || turn as f64 >= -line()
        };
        corner(self.before[edge], self.next[twin]) && corner(self.before[twin], self.next[edge])
    }

    fn remove(&mut self, edge: usize) {
        let Some(twin) = self.twin[edge] else { return };
        for (into, out) in [(self.before[edge], self.next[twin]), (self.before[twin], self.next[edge])] {
            self.next[into] = out;
            self.before[out] = into;
        }
        self.removed[edge] = true;
        self.removed[twin] = true;
    }

    fn ring(&self, edge: usize) -> impl Iterator<Item = usize> + '_ {
        let after = move |&edge: &usize| Some(self.next[edge]);
        let mut begun = false;
        std::iter::successors(Some(edge), after)
            .take_while(move |&other| !std::mem::replace(&mut begun, true) || other != edge)
    }

    /// For each edge, whether its polygon is flat.
    fn flat_edges(&self) -> Vec<bool> {
        let mut seen = self.removed.clone();
        let mut flat = vec![false; seen.len()];
        for edge in 0..seen.len() {
            if seen[edge] {
                continue;
            }
            let origin = self.at(edge);
            let (mut doubled, mut longest_sq) = (0, 0);
            for other in self.ring(edge) {
                seen[other] = true;
                doubled += cross(self.at(other) - origin, self.at(self.next[other]) - origin);
                longest_sq = longest_sq.max(self.length_sq(other));
            }
            if doubled as f64 <= FLAT_M * STEPS_PER_M * (longest_sq as f64).sqrt() {
                self.ring(edge).for_each(|other| flat[other] = true);
            }
        }
        flat
    }

    /// The polygons that are ground, in the order of their first triangles.
    fn polygons(&self, cover_of: &[u32]) -> Vec<Convex> {
        let mut seen = self.removed.clone();
        let mut polygons = Vec::new();
        for edge in 0..self.origin.len() {
            if seen[edge] || cover_of[edge / 3] == NO_GROUND {
                continue;
            }
            let ring: Vec<usize> = self.ring(edge).collect();
            ring.iter().for_each(|&other| seen[other] = true);
            let corners = ring.iter().map(|&other| self.origin[other]).collect();
            polygons.push((corners, cover_of[edge / 3]));
        }
        polygons
    }
}
