//! The local boundary of a character: the walls nearest to it (Detour's `dtLocalBoundary`).

use super::Position;
use crate::geometry::{closest_on_segment, distance_sq_to_segment};
use glam::DVec2;
use std::cmp::Ordering;

/// A wall as it bounds the walkable ground: a segment with the ground on its left, as seen from `from` to `to` with x to
/// the right and z up.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct WallSegment {
    /// Where it begins, in metres.
    pub from: DVec2,
    /// Where it ends, in metres.
    pub to: DVec2,
    /// The heights of the ground at both ends, in metres.
    pub heights_m: [f64; 2],
}

impl WallSegment {
    /// The point of the wall nearest to another point.
    pub fn nearest(&self, point: DVec2) -> DVec2 {
        closest_on_segment(point, self.from, self.to)
    }

    /// The height of the ground at a point of the wall, in metres.
    pub fn height_m(&self, point: DVec2) -> f64 {
        let along = self.to - self.from;
        let share = (point - self.from).dot(along) / along.length_squared();
        let [low, high] = self.heights_m;
        if share.is_finite() { low + (high - low) * share.clamp(0.0, 1.0) } else { low }
    }

    fn distance_sq(&self, point: DVec2) -> f64 {
        distance_sq_to_segment(point, self.from, self.to)
    }
}

/// The walls within a range of a character: the nearest [`LocalBoundary::MOST_WALLS`], nearest first. It is found again
/// only when the character has moved a quarter of the range, or the ground has changed. Until then the walls keep the
/// order that they had at [`LocalBoundary::centre`]. A boundary belongs to one ground.
///
/// A wall that consists of several edges in line is one segment. Closed areas are walls; characters are not.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LocalBoundary {
    walls: Vec<WallSegment>,
    found_at: Option<FoundAt>,
}

/// For which place, range and ground a boundary was found.
#[derive(Debug, Clone, Copy, PartialEq)]
struct FoundAt {
    centre: Position,
    range_m: f64,
    revision: u64,
}

impl LocalBoundary {
    /// The number of walls that are kept.
    pub const MOST_WALLS: usize = 8;

    /// It is found again after a move of this share of the range.
    const STALE_SHARE: f64 = 0.25;

    /// The walls, nearest first.
    pub fn walls(&self) -> &[WallSegment] {
        &self.walls
    }

    /// The position round which the walls were found. `None` before the first search.
    pub fn centre(&self) -> Option<Position> {
        self.found_at.map(|found| found.centre)
    }

    /// Whether the walls are still those of a character that is at `position` on the same storey now.
    pub(crate) fn is_fresh(&self, position: Position, range_m: f64, revision: u64) -> bool {
        self.found_at.is_some_and(|found| {
            found.range_m == range_m
                && found.revision == revision
                && found.centre.distance(position) < Self::STALE_SHARE * range_m
        })
    }

    /// Keeps the nearest of the walls found, those in line joined.
    pub(crate) fn keep(&mut self, found: Vec<WallSegment>, centre: Position, range_m: f64, revision: u64) {
        self.found_at = Some(FoundAt { centre, range_m, revision });
        self.walls = joined(found);
        let key = |wall: &WallSegment| (wall.distance_sq(centre.at), wall.from, wall.to);
        self.walls.sort_by(|one, other| {
            let ((near, from, to), (far, other_from, other_to)) = (key(one), key(other));
            near.total_cmp(&far).then(by_place(from, other_from)).then(by_place(to, other_to))
        });
        self.walls.truncate(Self::MOST_WALLS);
    }
}

fn by_place(one: DVec2, other: DVec2) -> Ordering {
    one.x.total_cmp(&other.x).then(one.y.total_cmp(&other.y))
}

/// The sine of the angle between segments that are in line.
const STRAIGHT: f64 = 1e-6;

/// Slopes that differ by less are one: metres of height for each metre.
const LEVEL: f64 = 1e-3;

/// Segments that continue others in the same direction, joined to them.
fn joined(mut found: Vec<WallSegment>) -> Vec<WallSegment> {
    found.sort_by(|one, other| by_place(one.from, other.from).then(by_place(one.to, other.to)));
    found.dedup();
    let rise = |wall: &WallSegment| (wall.heights_m[1] - wall.heights_m[0]) / wall.from.distance(wall.to);
    let continues = |one: &WallSegment, next: &WallSegment| {
        let (a, b) = (one.to - one.from, next.to - next.from);
        let in_line = a.perp_dot(b).abs() <= STRAIGHT * a.length() * b.length() && a.dot(b) > 0.0;
        let on_one_slope = one.heights_m[1] == next.heights_m[0] && (rise(one) - rise(next)).abs() <= LEVEL;
        next.from == one.to && in_line && on_one_slope
    };
    // For each segment the one that continues it.
    let next: Vec<Option<usize>> = found
        .iter()
        .map(|one| {
            let first = found.partition_point(|other| by_place(other.from, one.to) == Ordering::Less);
            let beginning_there = (first..found.len()).take_while(|&other| found[other].from == one.to);
            beginning_there.into_iter().find(|&other| continues(one, &found[other]))
        })
        .collect();
    let mut is_continuation = vec![false; found.len()];
    next.iter().flatten().for_each(|&next| is_continuation[next] = true);
    let chain = |first: usize| {
        let mut last = first;
        while let Some(next) = next[last] {
            last = next;
        }
        let heights_m = [found[first].heights_m[0], found[last].heights_m[1]];
        WallSegment { from: found[first].from, to: found[last].to, heights_m }
    };
    (0..found.len()).filter(|&first| !is_continuation[first]).map(chain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wall(from: (f64, f64), to: (f64, f64)) -> WallSegment {
        WallSegment { from: from.into(), to: to.into(), heights_m: [0.0; 2] }
    }

    #[test]
    fn walls_in_line_are_one_and_the_nearest_are_kept() {
        let mut boundary = LocalBoundary::default();
        let centre = Position::on_ground((0.0, 0.0).into());
        let south =
            [wall((1.0, -1.0), (2.0, -1.0)), wall((-1.0, -1.0), (0.0, -1.0)), wall((0.0, -1.0), (1.0, -1.0))];
        let corner = wall((2.0, -1.0), (2.0, 5.0));
        let back = wall((0.0, -1.0), (-1.0, -1.0)); // the other side of a thin wall
        let far = (0..20).map(|i| wall((5.0 + f64::from(i), 5.0), (5.0 + f64::from(i), 6.0)));
        boundary.keep(south.into_iter().chain([corner, back]).chain(far).collect(), centre, 30.0, 1);
        let walls = boundary.walls();
        assert_eq!(walls[..3], [wall((-1.0, -1.0), (2.0, -1.0)), back, corner]);
        assert_eq!(walls.len(), LocalBoundary::MOST_WALLS);
        assert_eq!(walls[7], wall((9.0, 5.0), (9.0, 6.0)));
    }

    #[test]
    fn a_boundary_is_stale_after_a_quarter_of_its_range_or_a_change() {
        let mut boundary = LocalBoundary::default();
        let at = |x: f64| Position::on_ground((x, 0.0).into());
        assert!(!boundary.is_fresh(at(0.0), 4.0, 7));
        boundary.keep(Vec::new(), at(0.0), 4.0, 7);
        assert!(boundary.is_fresh(at(0.99), 4.0, 7));
        assert!(!boundary.is_fresh(at(1.0), 4.0, 7));
        assert!(!boundary.is_fresh(at(0.0), 4.0, 8) && !boundary.is_fresh(at(0.0), 3.0, 7));
    }
}
