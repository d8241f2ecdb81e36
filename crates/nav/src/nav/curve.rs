//! Curved paths: cubic Bézier curves along a path, each inside one convex part of the ground, as in "Polygon Soup for the
//! Programmer's Soul" (GDC 2002).
//!
//! A ground gives the [`CurveChannel`] of a path: the convex sectors it goes through, and the joints between them. The points
//! of the curve lie on the joints. A curve tested against walls alone could cut the corner of an L between two tests; a
//! cubic whose control points all lie in one convex sector cannot leave it.

use super::{FloorId, Position};
use crate::geometry::Cubic;
use glam::DVec2;

/// The convex sectors along a path. Between each and the next one is a joint.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CurveChannel {
    /// At least one.
    pub sectors: Vec<Sector>,
    /// One fewer than sectors.
    pub joints: Vec<Joint>,
}

/// A convex part of the ground.
#[derive(Debug, Clone, PartialEq)]
pub struct Sector {
    /// Its corners, counter-clockwise.
    pub region: Vec<DVec2>,
    /// Its floor.
    pub floor: FloorId,
    /// Points inside it at which the straight path turns, in walking order. Those at joints do not count.
    pub turns: Vec<DVec2>,
}

/// A segment in two sectors that follow each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Joint {
    /// Where the straight path crosses it.
    pub at: DVec2,
    /// Its ends.
    pub ends: [DVec2; 2],
}

/// A path as a curve.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Curve {
    /// The cubics, in walking order. Each begins where the one before ends. Straight pieces are cubics, too.
    pub cubics: Vec<Cubic>,
    /// Points on the cubics, so near to each other that straight lines between them are within
    /// [`CURVE_TOLERANCE_M`] of the curve. Without the start.
    pub waypoints: Vec<Position>,
    /// Where it begins.
    pub start: Position,
}

impl Curve {
    /// A path that stays straight.
    pub fn straight(start: Position, waypoints: &[Position]) -> Self {
        let points: Vec<DVec2> =
            std::iter::once(start).chain(waypoints.iter().copied()).map(|at| at.at).collect();
        let cubics = points.windows(2).map(|pair| Cubic::line(pair[0], pair[1])).collect();
        Self { cubics, waypoints: waypoints.to_vec(), start }
    }

    /// Adds cubics, if they are clear. `at` is the end of the curve so far.
    fn extend(
        &mut self,
        cubics: &[Cubic],
        at: &mut Position,
        walk: &mut impl FnMut(Position, DVec2) -> Option<Position>,
    ) -> bool {
        for cubic in cubics {
            let count = cubic.pieces(CURVE_TOLERANCE_M);
            for index in 1..=count {
                let share = f64::from(index) / f64::from(count);
                let point = if index == count { cubic.points[3] } else { cubic.at(share) };
                let Some(next) = walk(*at, point) else { return false };
                self.waypoints.push(next);
                *at = next;
            }
            self.cubics.push(*cubic);
        }
        true
    }

    /// The start and the waypoints.
    pub fn line(&self) -> Vec<Position> {
        std::iter::once(self.start).chain(self.waypoints.iter().copied()).collect()
    }

    /// The length of the line, in metres.
    pub fn length_m(&self) -> f64 {
        self.line().windows(2).map(|pair| pair[0].distance(pair[1])).sum()
    }
}

/// How far the straight lines between the waypoints of a curve may be from it, in metres.
pub const CURVE_TOLERANCE_M: f64 = 0.002;

/// The longest handle, in metres: how far before and after a turn the path bends.
const MAX_HANDLE_M: f64 = 1.5;

/// Handles of this length have room enough, in metres.
const HANDLE_ROOM_M: f64 = 0.3;

/// Near turns, a curve keeps this far from the ends of a joint, in metres and as a share of the joint.
const APEX: (f64, f64) = (0.3, 0.35);

/// How far from a turn that is near, in metres.
const NEAR_M: f64 = 1.5;

/// The path turns at a corner if it bends by more than this, in radians.
const TURN_RAD: f64 = 0.05;

/// Rounds of relaxing, forward and backward in turn.
const RELAXATIONS: u32 = 16;

/// Rounds in which pieces that are not clear become straight. After them the whole path does.
const ROUNDS: u32 = 32;

/// A curve is at most so many times as long as the straight path, over all of it and over each stretch of
/// [`STRETCH_M`]. Corridors through slivers of ground make hairpins otherwise.
const LONGEST: f64 = 1.15;

/// The length of a stretch of the straight path, in metres.
const STRETCH_M: f64 = 3.0;

impl CurveChannel {
    /// The curve from a position to a point. `walk` tests straight lines between neighbouring points of it, and gives the
    /// position at the end of a clear one. Where one is not clear, the path stays as it was: that piece is straight.
    /// `None` if not even the straight path is clear.
    pub fn curve(
        &self,
        from: Position,
        to: DVec2,
        mut walk: impl FnMut(Position, DVec2) -> Option<Position>,
    ) -> Option<Curve> {
        let relaxed = self.points(from.at, to);
        let mut is_straight = vec![false; self.sectors.len()];
        for round in 0..=ROUNDS {
            if round == ROUNDS {
                is_straight.fill(true);
            }
            let points = self.pinned(&relaxed, &is_straight);
            let pieces = self.pieces(&points, &is_straight);
            let mut curve = Curve { start: from, ..Curve::default() };
            let mut at = from;
            let blocked = pieces.iter().position(|piece| !curve.extend(piece, &mut at, &mut walk));
            match blocked {
                None => {
                    let long = self.too_long(from.at, to, &pieces);
                    let bent: Vec<usize> = long.into_iter().filter(|&index| !is_straight[index]).collect();
                    if bent.is_empty() {
                        return Some(curve);
                    }
                    bent.into_iter().for_each(|index| is_straight[index] = true);
                }
                Some(index) if !is_straight[index] => is_straight[index] = true,
                // The straight piece begins where a curve ends. Without that curve it is part of the straight path.
                Some(index) => is_straight[index.saturating_sub(1)..].fill(true),
            }
        }
        None
    }

    /// The pieces that make a stretch longer than it may be: the worst of each.
    fn too_long(&self, from: DVec2, to: DVec2, pieces: &[Vec<Cubic>]) -> Vec<usize> {
        let mut at = from;
        let straight_m = |index: usize| {
            let end = self.joints.get(index).map_or(to, |joint| joint.at);
            let turns = self.sectors[index].turns.iter().copied();
            let legs = turns.chain([end]).map(|next| std::mem::replace(&mut at, next).distance(next));
            legs.sum::<f64>()
        };
        let straight_m: Vec<f64> = (0..pieces.len()).map(straight_m).collect();
        let length_m = |piece: &Vec<Cubic>| piece.iter().map(Cubic::length_m).sum::<f64>();
        // What each piece is longer than it may be.
        let excess_m: Vec<f64> = pieces
            .iter()
            .zip(&straight_m)
            .map(|(piece, straight_m)| length_m(piece) - LONGEST * straight_m)
            .collect();
        let (mut end, mut stretch_m, mut over_m) = (0, 0.0, 0.0);
        let mut worst = Vec::new();
        if excess_m.iter().sum::<f64>() > 1e-6 {
            worst.extend((0..pieces.len()).max_by(|&a, &b| excess_m[a].total_cmp(&excess_m[b])));
        }
        for first in 0..pieces.len() {
            while end < pieces.len() && stretch_m < STRETCH_M {
                stretch_m += straight_m[end];
                over_m += excess_m[end];
                end += 1;
            }
            if over_m > 1e-6 {
                worst.extend((first..end).max_by(|&a, &b| excess_m[a].total_cmp(&excess_m[b])));
            }
            if end == pieces.len() {
                break; // what is left is shorter than a stretch
            }
            stretch_m -= straight_m[first];
            over_m -= excess_m[first];
        }
        worst
    }

    /// The points of the curve: the start, a point on each joint, and the end. Near turns, they keep off the ends of their
    /// joints. All are relaxed between their neighbours: each comes as near to the line between them as its joint allows.
    fn points(&self, from: DVec2, to: DVec2) -> Vec<DVec2> {
        let joints = self.joints.iter().map(|joint| joint.at);
        let mut points: Vec<DVec2> = std::iter::once(from).chain(joints).chain([to]).collect();
        let turns = self.turns(&points);
        let last = points.len() - 1;
        let inset = |joint: &Joint| {
            let [a, b] = joint.ends;
            let length_m = a.distance(b);
            let is_near = turns.iter().any(|turn| turn.distance(joint.at) < NEAR_M);
            if is_near && length_m > 0.0 { (APEX.0 / length_m).min(APEX.1) } else { 0.0 }
        };
        let insets: Vec<f64> = self.joints.iter().map(inset).collect();
        for round in 0..RELAXATIONS {
            for step in 1..last {
                let index = if round % 2 == 0 { step } else { last - step };
                let ([a, b], off) = (self.joints[index - 1].ends, insets[index - 1]);
                let between = crossing(a, b, points[index - 1], points[index + 1]);
                let share = between.unwrap_or_else(|| share_on(a, b, points[index]));
                points[index] = a.lerp(b, share.clamp(off, 1.0 - off));
            }
        }
        points
    }

    /// Where the straight path turns.
    fn turns(&self, points: &[DVec2]) -> Vec<DVec2> {
        let mut line: Vec<DVec2> = Vec::new();
        for (index, point) in points.iter().enumerate() {
            let corners = index.checked_sub(1).and_then(|index| self.sectors.get(index));
            line.extend(corners.into_iter().flat_map(|sector| sector.turns.iter().copied()).chain([*point]));
        }
        line.dedup_by(|a, b| a.distance(*b) < 1e-6);
        let bends = |corner: &[DVec2]| {
            let (begins, ends) = (corner[1] - corner[0], corner[2] - corner[1]);
            libm::atan2(begins.perp_dot(ends), begins.dot(ends)).abs() > TURN_RAD
        };
        line.windows(3).filter(|corner| bends(corner)).map(|corner| corner[1]).collect()
    }

    /// The points, where those of straight pieces are on the straight path.
    fn pinned(&self, points: &[DVec2], is_straight: &[bool]) -> Vec<DVec2> {
        let mut points = points.to_vec();
        for (index, joint) in self.joints.iter().enumerate() {
            if is_straight[index] || is_straight[index + 1] {
                points[index + 1] = joint.at;
            }
        }
        points
    }

    /// The cubics of each sector.
    fn pieces(&self, points: &[DVec2], is_straight: &[bool]) -> Vec<Vec<Cubic>> {
        // The first and the last direction of each sector's straight path.
        let straight = |index: usize| {
            let turns = self.sectors[index].turns.iter().copied();
            let ends = if is_straight[index] { turns.collect() } else { Vec::new() };
            let mut line = vec![points[index]];
            line.extend(ends);
            line.push(points[index + 1]);
            line
        };
        let lines: Vec<Vec<DVec2>> = (0..self.sectors.len()).map(straight).collect();
        let direction = |index: usize| {
            let first = |line: &[DVec2]| line.windows(2).map(|p| p[1] - p[0]).find(|run| run.length() > 1e-9);
            let last =
                |line: &[DVec2]| line.windows(2).rev().map(|p| p[1] - p[0]).find(|run| run.length() > 1e-9);
            let before = lines[..index].iter().rev().find_map(|line| last(line));
            let after = lines[index..].iter().find_map(|line| first(line));
            let (Some(before), Some(after)) = (before, after) else {
                return before.or(after).unwrap_or_default().normalize_or_zero();
            };
            let is_before_straight = index > 0 && is_straight[index - 1];
            let is_after_straight = index < lines.len() && is_straight[index];
            let (begins, ends) = (before.normalize_or_zero(), after.normalize_or_zero());
            if is_before_straight {
                return begins;
            } else if is_after_straight {
                return ends;
            }
            // The direction of the parabola through the three points: the nearer neighbour counts more.
            let both = begins * after.length() + ends * before.length();
            let wanted = if both.length() > 1e-6 { both.normalize() } else { ends.perp() };
            let Some([one, other]) = index.checked_sub(1).and_then(|first| self.sectors.get(first..=index))
            else {
                return wanted;
            };
            // A handle that leaves its sector is cut short, and one without length leaves a corner. Then another direction
            // between the two pieces has more room.
            let room = |direction: &DVec2| {
                let part = |region: &[DVec2], run: DVec2| {
                    let handle =
                        Cubic { points: [points[index], points[index] + run, points[index], points[index]] };
                    (handle.clipped_to(region).points[1].distance(points[index]) / HANDLE_ROOM_M).min(1.0)
                };
                part(&one.region, *direction * -HANDLE_ROOM_M)
                    .min(part(&other.region, *direction * HANDLE_ROOM_M))
            };
            if room(&wanted) >= 0.999 {
                return wanted;
            }
            let between = (0..=8).filter_map(|step| begins.lerp(ends, f64::from(step) / 8.0).try_normalize());
            let more = |a: &(f64, DVec2), b: &(f64, DVec2)| a.0.total_cmp(&b.0);
            let all = std::iter::once(wanted).chain(between).map(|direction| (room(&direction), direction));
            // Of equals, the last one of `max_by`: turned about, the first one counts.
            let mut all: Vec<(f64, DVec2)> = all.collect();
            all.reverse();
            all.into_iter().max_by(more).map_or(wanted, |(_, direction)| direction)
        };
        let directions: Vec<DVec2> = (0..points.len()).map(direction).collect();
        let piece = |index: usize| {
            if is_straight[index] {
                return lines[index].windows(2).map(|pair| Cubic::line(pair[0], pair[1])).collect();
            }
            let ends = [points[index], points[index + 1]];
            let cubic = Cubic::between(ends, [directions[index], directions[index + 1]], MAX_HANDLE_M);
            vec![cubic.clipped_to(&self.sectors[index].region)]
        };
        (0..self.sectors.len()).map(piece).collect()
    }
}

/// The share of the segment `a`–`b` nearest to a point.
fn share_on(a: DVec2, b: DVec2, point: DVec2) -> f64 {
    let run = b - a;
    let length_sq = run.length_squared();
    if length_sq == 0.0 { 0.0 } else { ((point - a).dot(run) / length_sq).clamp(0.0, 1.0) }
}

/// The share of the line `a`–`b` at which the line `from`–`to` crosses it. `None` if they are parallel.
fn crossing(a: DVec2, b: DVec2, from: DVec2, to: DVec2) -> Option<f64> {
    let (run, across) = (b - a, to - from);
    let turned = run.perp_dot(across);
    (turned.abs() > 1e-9 * run.length() * across.length()).then(|| (from - a).perp_dot(across) / turned)
}
