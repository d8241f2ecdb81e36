//! Resolves an area to a point: where a walk to the area should go.

use super::anchors::anchored_node;
use super::{Grid, Node};
use crate::nav::{Anchor, AreaId};
use glam::{DVec2, I64Vec2};

/// The distance of an area's place from its border, where the area is wide enough. It is more than the distance at
/// which a waypoint counts as reached, so a walk that arrives has entered the area.
const INSET_M: f64 = 0.1;

/// How well a point serves as the place of an area. Lower grades are preferred; within a grade, the point nearest to
/// the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Grade {
    /// Reachable, and clear of the area's border.
    Inside,
    /// Reachable, at the border.
    Border,
    /// Walkable but unreachable.
    CutOff,
    /// Not walkable now, but walkable once the area opens.
    Closed,
    /// Under an obstacle.
    Covered,
}

impl Grade {
    const COUNT: usize = 5;
}

impl Grid {
    /// The point of an area that is nearest to `from` in a straight line, and the number of nodes tested. The best
    /// `Grade` that the area has is taken. Ties go to the lower row, then to the lower column. `None` if no node
    /// lies in the area.
    pub fn nearest_in_area(&self, area: AreaId, from: DVec2, start: Option<&Anchor>) -> (Option<DVec2>, u64) {
        let start = start.and_then(anchored_node);
        let layer = &self.painter.areas[area.0].layer;
        let mut best: [Option<(f64, DVec2)>; Grade::COUNT] = [None; Grade::COUNT];
        let mut looked_at = 1;
        if layer.rect.is_empty() {
            return (None, looked_at);
        }
        let (width, depth) = self.node_size();
        let cell_min = self.frame.centre(layer.rect.min);
        let cell_max = self.frame.centre(layer.rect.max - 1);
        let last = I64Vec2::new(i64::from(width), i64::from(depth)) - 1;
        let min = self.coords_at(cell_min).clamp(I64Vec2::ZERO, last);
        // Rounded down twice (point to pixel, pixel to node), so one extra column and row are included.
        let max = (self.coords_at(cell_max) + 1).clamp(I64Vec2::ZERO, last);
        let middle = self.coords_at(from).y.clamp(min.y, max.y);
        let mut rows: Vec<i64> = (min.y..=max.y).collect();
        rows.sort_by_key(|row| ((row - middle).abs(), *row));
        for row in rows {
            let at = |x: i64| self.frame.centre(self.cell_of(self.node_of(I64Vec2::new(x, row))));
            let apart_m = (at(min.x).y - from.y).abs();
            if best[0].is_some_and(|(distance_sq, _)| apart_m * apart_m > distance_sq) {
                continue;
            }
            for x in min.x..=max.x {
                looked_at += 1;
                let node = self.node_of(I64Vec2::new(x, row));
                let (cell, point) = (self.cell_of(node), at(x));
                let order = (point.distance_squared(from), point);
                let nearer = |than: &Option<(f64, DVec2)>| than.is_none_or(|than| precedes(order, than));
                if !nearer(&best[0])
                    || !layer.row(cell.y as u32).iter().any(|run| run.contains(&(cell.x as u32)))
                {
                    continue;
                }
                let grade = self.grade(area, node, point, start);
                let place = &mut best[grade as usize];
                if nearer(place) {
                    *place = Some(order);
                }
            }
        }
        (best.into_iter().flatten().next().map(|(_, point)| point), looked_at)
    }

    fn grade(&self, area: AreaId, node: Node, point: DVec2, start: Option<Node>) -> Grade {
        let cell = self.cell_of(node);
        if !self.is_walkable(point) || !self.nodes_are_cells() && self.node_at(point) != Some(node) {
            let covered = |z: u32| {
                let rows = self.painter.obstacles.iter().flat_map(|obstacle| obstacle.row(z));
                rows.into_iter().any(|run| run.contains(&(cell.x as u32)))
            };
            return if covered(cell.y as u32) { Grade::Covered } else { Grade::Closed };
        }
        if start.is_some_and(|start| !self.may_reach(start, node)) {
            return Grade::CutOff;
        }
        if self.is_inset(area, point) { Grade::Inside } else { Grade::Border }
    }

    /// Whether a point of an area keeps clear of the area's border.
    pub fn is_inset(&self, area: AreaId, point: DVec2) -> bool {
        let beside = [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y].map(|side| point + side * INSET_M);
        beside.into_iter().all(|point| self.area_contains(area, point))
    }

    /// The middle of the rectangle around an area, in metres.
    pub fn area_middle(&self, area: AreaId) -> DVec2 {
        let rect = self.painter.areas[area.0].layer.rect;
        match rect.is_empty() {
            false => self.frame.centre(rect.min).midpoint(self.frame.centre(rect.max - 1)),
            true => {
                let corners = &self.painter.areas[area.0].layer.polygon;
                corners.iter().sum::<DVec2>() / (corners.len().max(1) as f64)
            }
        }
    }

    /// The point where a path enters an area: the first point on ground of the area. A point clear of the border is
    /// preferred, if the path comes to one. `None` if the path does not enter.
    pub fn enters_area(&self, area: AreaId, from: DVec2, path: &[DVec2]) -> Option<DVec2> {
        let step_m = self.frame.cell_size_m * self.node_spacing_cells() / 4.0;
        let (mut at, mut border) = (from, None);
        for &to in path {
            let steps = ((at.distance(to) / step_m).ceil() as u32).max(1);
            for step in 0..=steps {
                let point = at.lerp(to, f64::from(step) / f64::from(steps));
                if self.is_walkable(point) && self.area_contains(area, point) {
                    if self.is_inset(area, point) {
                        return Some(point);
                    }
                    border = border.or(Some(point));
                }
            }
            at = to;
        }
        border
    }
}

/// Nearer, or equally near in a lower row, or equally near in the same row and a lower column.
fn precedes((distance_sq, point): (f64, DVec2), (other_sq, other): (f64, DVec2)) -> bool {
    let order = distance_sq.total_cmp(&other_sq);
    order.then(point.y.total_cmp(&other.y)).then(point.x.total_cmp(&other.x)).is_lt()
}
