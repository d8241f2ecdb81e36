//! Rectangles of free cells along a path as a channel for curves.

use super::Grid;
use crate::nav::{CurveChannel, FloorId, Joint, Position, Sector};
use glam::{DVec2, I64Vec2};

/// How far a rectangle reaches from the path, in metres and in cells.
const REACH: (f64, i64) = (6.0, 256);

/// Upper limit on the rectangles along one path. The rest of a longer one has no channel.
const MAX_RECTANGLES: usize = 512;

/// How far the sectors stay off the borders of their cells, in metres. A point on the upper border of a cell is in the
/// next one, which may be blocked.
const INSIDE_M: f64 = 1e-6;

/// A crossing this near to a corner, in cells, goes through the corner.
const CORNER: f64 = 1e-9;

/// A rectangle of cells, both ends included.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Cells {
    min: I64Vec2,
    max: I64Vec2,
}

/// A place on a polyline: the index of its segment, and the share of the segment.
type Along = (usize, f64);

impl Grid {
    /// The channel of a path from a point: largest rectangles of free cells, each overlapping the next one. `None` if the
    /// path is not clear, or too long.
    pub(crate) fn channel(&self, from: DVec2, waypoints: &[Position]) -> Option<CurveChannel> {
        let points: Vec<DVec2> = std::iter::once(from).chain(waypoints.iter().map(|at| at.at)).collect();
        let line: Vec<DVec2> = points.iter().map(|&point| self.spot(point).0).collect();
        if line.len() < 2 || !line.iter().all(|spot| spot.is_finite()) {
            return None;
        }
        let first = line[0].floor().as_i64vec2();
        let mut cells = self.grown(Cells { min: first, max: first })?;
        let mut along: Along = (0, 0.0);
        let mut channel = CurveChannel::default();
        // The place of the joint before, for the turns in between.
        let mut begins = along;
        loop {
            let Some((leaves, step)) = leaves(&line, along, cells) else {
                let end = (line.len() - 2, 1.0);
                channel.sectors.push(self.sector(cells, turns(&points, begins, end)));
                return Some(channel);
            };
            let border = line[leaves.0].lerp(line[leaves.0 + 1], leaves.1);
            let last = border.floor().as_i64vec2().clamp(cells.min, cells.max);
            let seed = Cells { min: last.min(last + step), max: last.max(last + step) };
            let next = self.grown(seed)?;
            let overlap = Cells { min: cells.min.max(next.min), max: cells.max.min(next.max) };
            let middle = middle(&line, begins, leaves, overlap);
            let joint = self.joint_across(&points, middle, overlap);
            channel.sectors.push(self.sector(cells, turns(&points, begins, middle)));
            channel.joints.push(joint);
            if channel.joints.len() >= MAX_RECTANGLES {
                return None;
            }
            (cells, along, begins) = (next, leaves, middle);
        }
    }

    /// A rectangle of free cells, grown by a row or a column at a time as long as all its cells are free. `None` if it
    /// is not free from the start.
    fn grown(&self, seed: Cells) -> Option<Cells> {
        let mut cells = seed;
        let is_free = |part: Cells| {
            (part.min.y..=part.max.y).all(|row| {
                let holds = (0..i64::from(self.frame.depth)).contains(&row);
                holds
                    && (part.min.x..=part.max.x).step_by(64).all(|first| {
                        let count = (part.max.x - first + 1).min(64);
                        let wanted = if count == 64 { u64::MAX } else { (1 << count) - 1 };
                        self.cells_along(true, row, first) & wanted == wanted
                    })
            })
        };
        let is_free_column = |x: i64, cells: Cells| {
            let holds = (0..i64::from(self.frame.width)).contains(&x);
            holds
                && (cells.min.y..=cells.max.y).step_by(64).all(|first| {
                    let count = (cells.max.y - first + 1).min(64);
                    let wanted = if count == 64 { u64::MAX } else { (1 << count) - 1 };
                    self.cells_along(false, x, first) & wanted == wanted
                })
        };
        if !is_free(cells) {
            return None;
        }
        let reach = ((REACH.0 / self.frame.cell_size_m) as i64).clamp(1, REACH.1);
        let mut grows = [true; 4];
        while grows.contains(&true) {
            for (side, grows) in grows.iter_mut().enumerate().filter(|(_, grows)| **grows) {
                let mut more = cells;
                *grows = match side {
                    0 => {
                        more.max.x += 1;
                        more.max.x <= seed.max.x + reach && is_free_column(more.max.x, cells)
                    }
                    1 => {
                        more.min.x -= 1;
                        more.min.x >= seed.min.x - reach && is_free_column(more.min.x, cells)
                    }
                    2 => {
                        more.max.y += 1;
                        let row = Cells { min: I64Vec2::new(cells.min.x, more.max.y), max: more.max };
                        more.max.y <= seed.max.y + reach && is_free(row)
                    }
                    _ => {
                        more.min.y -= 1;
                        let row = Cells { min: more.min, max: I64Vec2::new(cells.max.x, more.min.y) };
                        more.min.y >= seed.min.y - reach && is_free(row)
                    }
                };
                if *grows {
                    cells = more;
                }
            }
        }
        Some(cells)
    }

    fn sector(&self, cells: Cells, turns: Vec<DVec2>) -> Sector {
        let (min, max) = self.inside(cells);
        let region = vec![min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)];
        Sector { region, floor: FloorId::GROUND, turns }
    }

    /// The corners of a rectangle of cells, a little inside.
    fn inside(&self, cells: Cells) -> (DVec2, DVec2) {
        let corner = |cell: I64Vec2| self.frame.min + cell.as_dvec2() * self.frame.cell_size_m;
        (corner(cells.min) + INSIDE_M, corner(cells.max + 1) - INSIDE_M)
    }

    /// The joint at a place of the path: across the path, as far as the overlap of both rectangles goes.
    fn joint_across(&self, points: &[DVec2], (index, share): Along, overlap: Cells) -> Joint {
        let (from, to) = (points[index], points[index + 1]);
        let (min, max) = self.inside(overlap);
        let at = from.lerp(to, share).clamp(min, max);
        let across = (to - from).normalize_or_zero().perp();
        let reach = |direction: DVec2| {
            let axis = |at: f64, by: f64, min: f64, max: f64| match by {
                by if by > 1e-12 => (max - at) / by,
                by if by < -1e-12 => (min - at) / by,
                _ => f64::INFINITY,
            };
            let far = axis(at.x, direction.x, min.x, max.x).min(axis(at.y, direction.y, min.y, max.y));
            if far.is_finite() { (at + direction * far).clamp(min, max) } else { at }
        };
        Joint { at, ends: [reach(across), reach(-across)] }
    }
}

/// Where a polyline leaves a rectangle for the first time, in cell units, and the step to the next cell. `None` if it
/// ends inside.
fn leaves(line: &[DVec2], from: Along, cells: Cells) -> Option<(Along, I64Vec2)> {
    let (min, max) = (cells.min.as_dvec2(), (cells.max + 1).as_dvec2());
    for (index, pair) in line.windows(2).enumerate().skip(from.0) {
        let (p, run) = (pair[0], pair[1] - pair[0]);
        let least = if index == from.0 { from.1 } else { 0.0 };
        // The upper border belongs to the next cell, the lower one to the rectangle.
        let axis = |p: f64, run: f64, min: f64, max: f64| match run {
            run if run > 0.0 && p + run >= max => ((max - p) / run, 1),
            run if run < 0.0 && p + run < min => ((min - p) / run, -1),
            _ => (f64::INFINITY, 0),
        };
        let (x, step_x) = axis(p.x, run.x, min.x, max.x);
        let (z, step_z) = axis(p.y, run.y, min.y, max.y);
        let share = x.min(z);
        if share.is_infinite() {
            continue;
        }
        let near = CORNER / run.length().max(1.0) * 2.0;
        let step = I64Vec2::new(
            if x <= share + near { step_x } else { 0 },
            if z <= share + near { step_z } else { 0 },
        );
        return Some(((index, share.clamp(least, 1.0)), step));
    }
    None
}

/// The middle of the stretch of a polyline inside the overlap of two rectangles, before it leaves the first one.
fn middle(line: &[DVec2], begins: Along, leaves: Along, overlap: Cells) -> Along {
    let (index, until) = leaves;
    let (p, run) = (line[index], line[index + 1] - line[index]);
    let (min, max) = (overlap.min.as_dvec2(), (overlap.max + 1).as_dvec2());
    let axis = |p: f64, run: f64, min: f64, max: f64| match run {
        run if run > 0.0 => (min - p) / run,
        run if run < 0.0 => (max - p) / run,
        _ => 0.0,
    };
    let enters = axis(p.x, run.x, min.x, max.x).max(axis(p.y, run.y, min.y, max.y));
    let least = if begins.0 == index { begins.1 } else { 0.0 };
    (index, enters.max(least).min(until).midpoint(until))
}

/// The corners of a polyline between two places on it.
fn turns(line: &[DVec2], from: Along, to: Along) -> Vec<DVec2> {
    let point = |(index, share): Along| line[index].lerp(line[index + 1], share);
    let (begins, ends) = (point(from), point(to));
    let corners = line.get(from.0 + 1..=to.0).unwrap_or_default().iter().copied();
    corners.filter(|at| at.distance(begins) > 1e-9 && at.distance(ends) > 1e-9).collect()
}
