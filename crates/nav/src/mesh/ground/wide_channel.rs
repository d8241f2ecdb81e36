//! Wide convex sectors along a path over polygons: one round each straight piece of it, as far as the walls are (as the
//! safe flight corridors of Liu et al., 2017). The polygons of a mesh can be slivers, which leave no room for a curve.

use super::Mesh;
use crate::geometry::{closest_on_segment, intersection};
use crate::nav::{CurveChannel, Joint, Position, Sector};
use glam::DVec2;

/// The longest straight piece of a path in one sector, in metres.
const PIECE_M: f64 = 10.0;

/// How far a sector reaches beyond the ends of its piece, in metres.
const REACH_M: f64 = 2.5;

/// Upper limit on the sectors along one path.
const MAX_SECTORS: usize = 256;

/// Distances that are shorter count as none, in metres.
const TOUCH_M: f64 = 1e-9;

impl Mesh {
    /// The channel of a path from a position. `None` if it is not clear, or too long.
    pub(super) fn wide_channel(&self, from: Position, waypoints: &[Position]) -> Option<CurveChannel> {
        let mut line = vec![from.at];
        for to in waypoints.iter().map(|waypoint| waypoint.at) {
            let before = *line.last()?;
            let length_m = before.distance(to);
            if length_m < 1e-6 {
                continue;
            }
            let parts = (length_m / PIECE_M).ceil();
            (1..parts as u32).for_each(|part| line.push(before.lerp(to, f64::from(part) / parts)));
            line.push(to);
            if line.len() > MAX_SECTORS {
                return None;
            }
        }
        let mut channel = CurveChannel::default();
        let mut here = from;
        for pair in line.windows(2) {
            let middle = self.walk_straight(here, pair[0].midpoint(pair[1]))?;
            let region = self.region_round(middle, [pair[0], pair[1]])?;
            channel.sectors.push(Sector { region, floor: here.floor, turns: Vec::new() });
            here = self.walk_straight(middle, pair[1])?;
        }
        for (corner, sectors) in line.windows(3).zip(channel.sectors.windows(2)) {
            let overlap = intersection(&sectors[0].region, &sectors[1].region);
            channel.joints.push(joint([corner[0], corner[1], corner[2]], &overlap));
        }
        (!channel.sectors.is_empty()).then_some(channel)
    }

    /// A convex region without walls round a straight piece of a path, whose middle is given.
    fn region_round(&self, middle: Position, piece: [DVec2; 2]) -> Option<Vec<DVec2>> {
        let range_m = piece[0].distance(piece[1]) / 2.0 + REACH_M;
        // A square within the range.
        let half = range_m / std::f64::consts::SQRT_2;
        let corner = |x: f64, z: f64| middle.at + DVec2::new(x, z) * half;
        let mut region = vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
        let walls = self.walls_near(middle, range_m).0.into_iter();
        // Open ground is to the left of a wall.
        let mut walls: Vec<(bool, f64, [DVec2; 2])> = walls
            .map(|wall| [wall.from, wall.to])
            .filter(|[a, b]| a.distance(*b) > TOUCH_M)
            .map(|[a, b]| {
                let is_behind =
                    piece.iter().any(|&at| (b - a).normalize_or_zero().perp_dot(at - a) < -TOUCH_M);
                let (on_piece, on_wall) = closest(piece, [a, b]);
                (is_behind, on_piece.distance(on_wall), [a, b])
            })
            .collect();
        walls.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        for (_, _, wall) in walls {
            if meets(&region, wall) {
                let (at, out) = separating(piece, wall)?;
                region = clipped(&region, at, out);
            }
        }
        (region.len() >= 3).then_some(region)
    }
}

/// A line between a piece of a path and a wall: a point on it, and the direction across it towards the wall. `None` if
/// they cross.
fn separating(piece: [DVec2; 2], wall: [DVec2; 2]) -> Option<(DVec2, DVec2)> {
    let [a, b] = wall;
    let (on_piece, on_wall) = closest(piece, wall);
    let across = (b - a).normalize_or_zero().perp();
    let along = (piece[1] - piece[0]).normalize_or_zero();
    let far = |ends: [DVec2; 2]| {
        if ends[0].distance(on_wall) > ends[1].distance(on_wall) { ends[0] } else { ends[1] }
    };
    let (of_wall, of_piece) = (far(wall) - on_wall, far(piece) - on_wall);
    let between = of_wall.normalize_or_zero() - of_piece.normalize_or_zero();
    // Its own line first, which leaves most room.
    let candidates = [-across, on_wall - on_piece, along.perp(), -along.perp(), between, across]
        .map(DVec2::normalize_or_zero);
    let parts = |out: &DVec2| {
        *out != DVec2::ZERO
            && piece.iter().all(|&at| out.dot(at - on_wall) <= TOUCH_M)
            && wall.iter().all(|&at| out.dot(at - on_wall) >= -TOUCH_M)
    };
    candidates.into_iter().find(parts).map(|out| (on_wall, out))
}

/// The nearest points of two segments that do not cross.
fn closest(one: [DVec2; 2], other: [DVec2; 2]) -> (DVec2, DVec2) {
    let pairs = [
        (one[0], closest_on_segment(one[0], other[0], other[1])),
        (one[1], closest_on_segment(one[1], other[0], other[1])),
        (closest_on_segment(other[0], one[0], one[1]), other[0]),
        (closest_on_segment(other[1], one[0], one[1]), other[1]),
    ];
    let nearer = |a: &(DVec2, DVec2), b: &(DVec2, DVec2)| {
        a.0.distance_squared(a.1).total_cmp(&b.0.distance_squared(b.1))
    };
    pairs.into_iter().min_by(nearer).unwrap_or((one[0], other[0]))
}

/// Whether a part of a segment lies inside a convex polygon, not only on its border.
fn meets(polygon: &[DVec2], [a, b]: [DVec2; 2]) -> bool {
    let (mut begins, mut ends) = (0.0_f64, 1.0_f64);
    for (&from, &to) in polygon.iter().zip(polygon.iter().cycle().skip(1)) {
        let side = |at: DVec2| (to - from).normalize_or_zero().perp_dot(at - from) - TOUCH_M;
        let (one, other) = (side(a), side(b));
        match (one > 0.0, other > 0.0) {
            (false, false) => return false,
            (true, false) => ends = ends.min(one / (one - other)),
            (false, true) => begins = begins.max(one / (one - other)),
            (true, true) => {}
        }
    }
    begins < ends
}

/// The part of a convex polygon that is not beyond a line.
fn clipped(polygon: &[DVec2], at: DVec2, out: DVec2) -> Vec<DVec2> {
    let inside = |point: DVec2| out.dot(at - point);
    let mut part = Vec::with_capacity(polygon.len() + 1);
    for (&from, &to) in polygon.iter().zip(polygon.iter().cycle().skip(1)) {
        let (begins, ends) = (inside(from), inside(to));
        if begins >= 0.0 {
            part.push(from);
        }
        if begins * ends < 0.0 {
            part.push(from.lerp(to, begins / (begins - ends)));
        }
    }
    part
}

/// The joint at a corner of the path, or where a straight piece of it was parted: across the path, as far as both sectors
/// go.
fn joint([before, at, after]: [DVec2; 3], overlap: &[DVec2]) -> Joint {
    let (back, on) = ((before - at).normalize_or_zero(), (after - at).normalize_or_zero());
    let across = (back + on).try_normalize().filter(|_| (back + on).length() > 1e-6).unwrap_or(on.perp());
    let reach = |direction: DVec2| {
        let far = at + direction * (PIECE_M + REACH_M);
        let mut share: f64 = if overlap.len() < 3 { 0.0 } else { 1.0 };
        for (&from, &to) in overlap.iter().zip(overlap.iter().cycle().skip(1)) {
            let side = |point: DVec2| (to - from).perp_dot(point - from);
            let (begins, ends) = (side(at).max(0.0), side(far));
            if ends < 0.0 {
                share = share.min(begins / (begins - ends));
            }
        }
        at.lerp(far, share)
    };
    Joint { at, ends: [reach(across), reach(-across)] }
}
