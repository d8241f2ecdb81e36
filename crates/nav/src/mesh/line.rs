//! Straight lines over polygons.

use super::View;
use glam::DVec2;

/// A point within this distance of a polygon is on it, in metres.
pub(crate) const ON_M: f64 = 1e-6;

/// How far a line gets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct LineEnd {
    /// The share of the line up to the first wall, 0 to 1. Exactly 1 if the line is clear.
    pub share: f64,
    /// The polygon at that point.
    pub polygon: u32,
}

/// A polygon that a line passes, with the shares of the line at which it enters and leaves. It leaves at 1 exactly if the
/// end of the line is on the polygon.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Passed {
    pub polygon: u32,
    pub enters: f64,
    pub leaves: f64,
}

impl View<'_> {
    /// Goes from a point in `polygon` straight to another point, through portals. `goal` is the polygon wanted at the
    /// end, where several hold it.
    pub(crate) fn line(self, polygon: u32, from: DVec2, to: DVec2, goal: Option<u32>) -> LineEnd {
        if self.is_within(polygon, from, to) && goal.is_none_or(|goal| goal == polygon) {
            return LineEnd { share: 1.0, polygon };
        }
        self.simple_line(polygon, from, to, goal, |_| {}).unwrap_or_else(|| {
            let passed = self.passed(polygon, from, to);
            let mut ends = passed.iter().filter(|at| at.leaves == 1.0);
            let end = ends.clone().find(|at| Some(at.polygon) == goal).or_else(|| ends.next());
            match end {
                Some(at) => LineEnd { share: 1.0, polygon: at.polygon },
                None => {
                    let furthest = passed.iter().max_by(|a, b| a.leaves.total_cmp(&b.leaves));
                    furthest.map_or(LineEnd { share: 0.0, polygon }, |at| LineEnd {
                        share: at.leaves.clamp(0.0, 1.0),
                        polygon: at.polygon,
                    })
                }
            }
        })
    }

    /// Whether a line lies within one open polygon, as most steps of characters do.
    fn is_within(self, polygon: u32, from: DVec2, to: DVec2) -> bool {
        let mesh = self.polygons;
        (polygon as usize) < mesh.len()
            && self.is_open(polygon)
            && mesh.holds(polygon, to)
            && mesh.holds(polygon, from)
    }

    /// Whether the goal is in sight of the start. Most goals in open rooms are, and need no search. A line that passes a
    /// vertex is left to the search. `corridor` becomes the polygons on the line, as far as it is clear.
    pub(super) fn corridor_of_line(
        self,
        start: (u32, DVec2),
        goal: (u32, DVec2),
        corridor: &mut Vec<u32>,
    ) -> bool {
        corridor.clear();
        if start.0 == goal.0 {
            corridor.push(start.0);
            return true;
        }
        let end = self.simple_line(start.0, start.1, goal.1, Some(goal.0), |polygon| corridor.push(polygon));
        end.is_some_and(|end| end.share == 1.0)
    }

    /// A line that comes near no vertex. `None` if it does, or if it begins on an edge. `pass` is told the polygons on it.
    pub(super) fn simple_line(
        self,
        mut polygon: u32,
        from: DVec2,
        to: DVec2,
        goal: Option<u32>,
        mut pass: impl FnMut(u32),
    ) -> Option<LineEnd> {
        let mesh = self.polygons;
        let along = to - from;
        let touch = ON_M * along.length();
        if !self.is_open(polygon) {
            return None;
        }
        // Whether a point is on the inner side of an edge, and not near it.
        let is_off = |point: DVec2, a: DVec2, b: DVec2| {
            let (across, inside) = (b - a, (b - a).perp_dot(point - a));
            inside > 0.0 && inside * inside > ON_M * ON_M * across.length_squared()
        };
        if !mesh.segments(polygon).all(|(_, a, b)| is_off(from, a, b)) {
            return None;
        }
        // Each polygon is passed at most once: they are convex.
        for _ in 0..mesh.len() {
            pass(polygon);
            let edges = mesh.edges(polygon);
            let (mut exit, mut a) = (None, edges[edges.len() - 1].at());
            let mut a_side = along.perp_dot(a - from);
            for (i, edge) in edges.iter().enumerate() {
                let b = edge.at();
                let b_side = along.perp_dot(b - from);
                if b_side.abs() <= touch {
                    return None;
                }
                if a_side < 0.0 && b_side > 0.0 {
                    exit = Some((if i == 0 { edges.len() } else { i } - 1, a, b));
                }
                (a, a_side) = (b, b_side);
            }
            let (edge, a, b) = exit?;
            if is_off(to, a, b) {
                let is_wanted = goal.is_none_or(|goal| goal == polygon);
                let is_inside = mesh.segments(polygon).all(|(_, a, b)| is_off(to, a, b));
                return (is_wanted && is_inside).then_some(LineEnd { share: 1.0, polygon });
            }
            if is_off(to, b, a) {
                let Some((behind, _)) = self.behind(mesh.edge_range(polygon).start + edge as u32) else {
                    let (before, beyond) = ((b - a).perp_dot(from - a), (b - a).perp_dot(to - a));
                    return Some(LineEnd { share: before / (before - beyond), polygon });
                };
                polygon = behind;
            } else {
                return None; // it ends on the edge
            }
        }
        None
    }

    /// All polygons that a line from a point in `polygon` passes or touches, joined by portals that it passes or
    /// touches. The first is `polygon`; none if the point is not on it.
    pub(crate) fn passed(self, polygon: u32, from: DVec2, to: DVec2) -> Vec<Passed> {
        let mesh = self.polygons;
        let mut passed: Vec<Passed> = Vec::new();
        let touch = ON_M / from.distance(to).max(ON_M);
        let is_open = (polygon as usize) < mesh.len() && self.is_open(polygon);
        match self.clip(polygon, from, to).filter(|_| is_open) {
            Some((enters, leaves)) if enters <= touch => passed.push(Passed { polygon, enters, leaves }),
            _ => return passed,
        }
        let mut next = 0;
        while let Some(&here) = passed.get(next) {
            next += 1;
            for edge in mesh.edge_range(here.polygon) {
                let Some((behind, _)) = self.behind(edge) else { continue };
                if passed.iter().any(|at| at.polygon == behind) || !self.touches(edge, from, to) {
                    continue;
                }
                if let Some((enters, leaves)) = self.clip(behind, from, to) {
                    passed.push(Passed { polygon: behind, enters, leaves });
                }
            }
        }
        passed
    }

    /// The part of a line on a polygon, by the shares at which it enters and leaves; it may be one point (Cyrus and
    /// Beck, "Generalized two- and three-dimensional clipping", 1978). A line that runs within `ON_M` beside an edge
    /// touches it, at whatever angle and however long it is: otherwise a walker could get lost on the first steps of a
    /// line that is clear.
    fn clip(self, polygon: u32, from: DVec2, to: DVec2) -> Option<(f64, f64)> {
        if polygon as usize >= self.polygons.len() {
            return None;
        }
        let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
        let (mut touches, mut touches_last) = (0.0_f64, 1.0_f64);
        for (_, a, b) in self.polygons.segments(polygon) {
            let inwards = (b - a).normalize_or_zero().perp();
            let (begins, ends) = (inwards.dot(from - a), inwards.dot(to - a));
            if begins.max(ends) < -ON_M {
                return None;
            }
            if begins.min(ends) >= -ON_M {
                continue;
            }
            let (crossing, near) = (begins / (begins - ends), ON_M / (begins - ends).abs());
            if begins < ends {
                enters = enters.max(crossing);
                touches = touches.max(crossing - near);
            } else {
                leaves = leaves.min(crossing);
                touches_last = touches_last.min(crossing + near);
            }
        }
        let leaves = leaves.max(0.0);
        (touches <= touches_last).then_some((enters.min(leaves), leaves))
    }

    /// Whether a line passes or touches an edge.
    fn touches(self, edge: u32, from: DVec2, to: DVec2) -> bool {
        let mesh = self.polygons;
        let next = mesh.edge_after(mesh.owner(edge), edge);
        let [a, b] = [edge, next].map(|edge| mesh.vertices()[mesh.edge(edge).vertex() as usize]);
        distance_between(a, b, from, to) <= ON_M
    }
}

/// The distance between two segments, in metres.
pub(super) fn distance_between(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> f64 {
    let crosses = |(a, b): (DVec2, DVec2), (c, d): (DVec2, DVec2)| {
        let along = b - a;
        let (c, d) = (along.perp_dot(c - a), along.perp_dot(d - a));
        c.min(d) < 0.0 && c.max(d) > 0.0
    };
    if crosses((a, b), (c, d)) && crosses((c, d), (a, b)) {
        return 0.0;
    }
    let nearest_sq = [(a, c, d), (b, c, d), (c, a, b), (d, a, b)]
        .map(|(point, a, b)| crate::geometry::distance_sq_to_segment(point, a, b));
    nearest_sq.into_iter().fold(f64::INFINITY, f64::min).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::any_angle::tests::{Random, field};
    use crate::mesh::{Openness, PolygonIndex, View};

    /// Lines that run along an edge, just within or without `ON_M` of its first corner. Whatever part of a clear line a walker
    /// takes in one tick is clear, too.
    #[test]
    fn the_first_part_of_a_clear_line_is_clear() {
        let (mut clear, mut blocked) = (0, 0);
        for seed in 0..300 {
            let mut random = Random(seed);
            let mesh = field(&mut random, 5, 0.18, 0.3).mesh;
            let openness = Openness::new(&mesh, |_| true);
            let view = View::new(&mesh, &openness);
            let index = PolygonIndex::new(&mesh);
            for (_, a, b) in (0..mesh.len() as u32).flat_map(|polygon| mesh.segments(polygon)) {
                let along = (b - a).normalize();
                let beside = a + along.perp() * ON_M * (random.next() * 4.0 - 2.0);
                let (from, to) = (beside - along * random.next(), b);
                let Some((polygon, _)) = index.nearest(&mesh, from, 0.0) else { continue };
                if view.line(polygon, from, to, None).share < 1.0 {
                    blocked += 1;
                    continue;
                }
                clear += 1;
                for part in 1..20 {
                    let end = from.lerp(to, f64::from(part) / 20.0);
                    let reached = view.line(polygon, from, end, None);
                    assert_eq!(reached.share, 1.0, "seed {seed}: {from} to {end}, of the line to {to}");
                }
            }
        }
        assert!(clear > 500 && blocked > 500, "{clear} clear, {blocked} blocked");
    }
}
