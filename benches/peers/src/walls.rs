//! The ground of a scene as others want it: walls as loops of edges, convex polygons for the middles of bodies, and
//! whether a straight way is free. Scenes are made of rectangles along the axes.

use cicerone::room::Room;
use glam::{DVec2, dvec2};
use std::collections::BTreeMap;

/// An upright rectangle: its low and its high corner.
type Rectangle = (DVec2, DVec2);

/// The floors of a room without its obstacles, with a margin kept off the walls.
pub struct Walls {
    xs: Vec<f64>,
    zs: Vec<f64>,
    /// Whether each rectangle between two lines of `xs` and two of `zs` is free, row by row.
    free: Vec<bool>,
    /// What is not free, in rows, within a metre round the room.
    solid: Vec<Rectangle>,
}

impl Walls {
    /// The ground on which the middle of a body may be, if it keeps `margin_m` off walls.
    pub fn new(room: &Room, margin_m: f64) -> Self {
        let floors: Vec<Rectangle> = room.areas.iter().map(|area| bounds(&area.polygon)).collect();
        let blocks: Vec<Rectangle> =
            room.obstacles.iter().map(|obstacle| bounds(&obstacle.polygon)).collect();
        let all = || floors.iter().chain(&blocks);
        let (xs, zs) =
            (lines(all().flat_map(|(a, b)| [a.x, b.x])), lines(all().flat_map(|(a, b)| [a.y, b.y])));
        let has = |rectangles: &[Rectangle], at: DVec2| {
            rectangles.iter().any(|&(low, high)| at.cmpgt(low).all() && at.cmplt(high).all())
        };
        let sharp = Self::filled(xs, zs, |at| has(&floors, at) && !has(&blocks, at));
        if margin_m == 0.0 {
            return sharp;
        }
        let grown: Vec<Rectangle> =
            sharp.solid.iter().map(|&(low, high)| (low - margin_m, high + margin_m)).collect();
        let both_ways = |line: &f64| [line - margin_m, line + margin_m];
        let (xs, zs) =
            (lines(sharp.xs.iter().flat_map(both_ways)), lines(sharp.zs.iter().flat_map(both_ways)));
        Self::filled(xs, zs, |at| !has(&grown, at))
    }

    /// Lines between rectangles that are free alike are left out: nobody wants a mesh of slivers.
    fn filled(xs: Vec<f64>, zs: Vec<f64>, is_free: impl Fn(DVec2) -> bool) -> Self {
        let (xs, zs) = (fenced(xs), fenced(zs));
        let (across, along) = (middles(&xs), middles(&zs));
        let differ = |a: DVec2, b: DVec2| is_free(a) != is_free(b);
        let xs = dividing(&xs, |left, right| along.iter().any(|&z| differ(dvec2(left, z), dvec2(right, z))));
        let zs = dividing(&zs, |low, high| across.iter().any(|&x| differ(dvec2(x, low), dvec2(x, high))));
        let mut walls = Self { xs, zs, free: Vec::new(), solid: Vec::new() };
        let (columns, rows) = walls.size();
        for row in 0..rows {
            for column in 0..columns {
                let (low, high) = walls.rectangle(column, row);
                let inside = column > 0 && row > 0 && column + 1 < columns && row + 1 < rows;
                walls.free.push(inside && is_free((low + high) * 0.5));
            }
            let mut column = 0;
            while column < columns {
                let end = (column..columns).find(|&end| walls.is_free(end, row)).unwrap_or(columns);
                if end > column {
                    walls.solid.push((walls.rectangle(column, row).0, walls.rectangle(end - 1, row).1));
                }
                column = end.max(column) + 1;
            }
        }
        walls
    }

    fn size(&self) -> (usize, usize) {
        (self.xs.len() - 1, self.zs.len() - 1)
    }

    fn is_free(&self, column: usize, row: usize) -> bool {
        self.free[row * (self.xs.len() - 1) + column]
    }

    fn rectangle(&self, column: usize, row: usize) -> Rectangle {
        (dvec2(self.xs[column], self.zs[row]), dvec2(self.xs[column + 1], self.zs[row + 1]))
    }

    fn free_rectangles(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let (columns, rows) = self.size();
        let all = (0..rows).flat_map(move |row| (0..columns).map(move |column| (column, row)));
        all.filter(|&(column, row)| self.is_free(column, row))
    }

    /// The walls as closed loops, without corners in straight walls. The solid side is to the left of every edge.
    pub fn loops(&self) -> Vec<Vec<DVec2>> {
        // From each corner, the ways on: two where rectangles touch at a corner only.
        let mut ways: BTreeMap<(usize, usize), Vec<(usize, usize)>> = BTreeMap::new();
        for (column, row) in self.free_rectangles() {
            let (right, above) = (column + 1, row + 1);
            // Clockwise round the free rectangle.
            let edges = [
                (!self.is_free(column - 1, row), (column, row), (column, above)),
                (!self.is_free(column, above), (column, above), (right, above)),
                (!self.is_free(right, row), (right, above), (right, row)),
                (!self.is_free(column, row - 1), (right, row), (column, row)),
            ];
            for (_, from, to) in edges.into_iter().filter(|edge| edge.0) {
                ways.entry(from).or_default().push(to);
            }
        }
        let mut loops = Vec::new();
        while let Some((&start, _)) = ways.iter().find(|(_, on)| !on.is_empty()) {
            let mut corners: Vec<DVec2> = Vec::new();
            let mut at = start;
            while let Some(next) = ways.get_mut(&at).and_then(Vec::pop) {
                corners.push(dvec2(self.xs[at.0], self.zs[at.1]));
                at = next;
            }
            loops.push(without_straight(&corners));
        }
        loops
    }

    /// The free ground as convex polygons that share whole edges: their corners, and which of them each has,
    /// counterclockwise.
    pub fn polygons(&self) -> (Vec<DVec2>, Vec<Vec<usize>>) {
        let across = self.xs.len();
        let corners = self.zs.iter().flat_map(|&z| self.xs.iter().map(move |&x| dvec2(x, z))).collect();
        let polygon = |(column, row): (usize, usize)| {
            let corner = row * across + column;
            vec![corner, corner + 1, corner + across + 1, corner + across]
        };
        (corners, self.free_rectangles().map(polygon).collect())
    }

    /// Whether the straight way from one place to another touches nothing solid.
    pub fn sees(&self, from: DVec2, to: DVec2) -> bool {
        !self.solid.iter().any(|&rectangle| crosses(from, to, rectangle))
    }

    /// The free place nearest to a place.
    pub fn nearest(&self, at: DVec2) -> DVec2 {
        let places = self.free_rectangles().map(|(column, row)| {
            let (low, high) = self.rectangle(column, row);
            at.clamp(low, high)
        });
        let nearer = |a: &DVec2, b: &DVec2| a.distance_squared(at).total_cmp(&b.distance_squared(at));
        places.min_by(nearer).unwrap_or(at)
    }
}

/// Whether a segment has a part inside a rectangle.
fn crosses(from: DVec2, to: DVec2, (low, high): Rectangle) -> bool {
    let by = to - from;
    let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
    for axis in 0..2 {
        if by[axis].abs() < 1e-12 {
            if from[axis] <= low[axis] || from[axis] >= high[axis] {
                return false;
            }
            continue;
        }
        let (a, b) = ((low[axis] - from[axis]) / by[axis], (high[axis] - from[axis]) / by[axis]);
        (enters, leaves) = (enters.max(a.min(b)), leaves.min(a.max(b)));
    }
    leaves - enters > 1e-9
}

fn bounds(polygon: &[DVec2]) -> Rectangle {
    let fold = |with: fn(DVec2, DVec2) -> DVec2| polygon.iter().copied().reduce(with).unwrap_or_default();
    (fold(DVec2::min), fold(DVec2::max))
}

/// The values in order, each once.
fn lines(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_by(f64::total_cmp);
    sorted.dedup_by(|a, b| (*a - *b).abs() < 1e-9);
    sorted
}

/// With a line more at either end.
fn fenced(mut lines: Vec<f64>) -> Vec<f64> {
    let (first, last) = (lines.first().copied().unwrap_or(0.0), lines.last().copied().unwrap_or(0.0));
    lines.insert(0, first - 1.0);
    lines.push(last + 1.0);
    lines
}

fn middles(lines: &[f64]) -> Vec<f64> {
    lines.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect()
}

/// The outermost lines, and those between two middles that differ.
fn dividing(lines: &[f64], differ: impl Fn(f64, f64) -> bool) -> Vec<f64> {
    let middles = middles(lines);
    let divides = |index: &usize| {
        *index == 0 || *index + 1 == lines.len() || differ(middles[index - 1], middles[*index])
    };
    (0..lines.len()).filter(divides).map(|index| lines[index]).collect()
}

fn without_straight(corners: &[DVec2]) -> Vec<DVec2> {
    let count = corners.len();
    let turns = |index: &usize| {
        let (before, at) = (corners[(index + count - 1) % count], corners[*index]);
        (at - before).perp_dot(corners[(index + 1) % count] - at).abs() > 1e-9
    };
    (0..count).filter(turns).map(|index| corners[index]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cicerone::room::{Area, Obstacle};

    fn square(low: f64, high: f64) -> Vec<DVec2> {
        vec![dvec2(low, low), dvec2(high, low), dvec2(high, high), dvec2(low, high)]
    }

    #[test]
    fn a_hall_with_a_pillar_has_two_loops() {
        let mut room = Room::default();
        room.areas.push(Area::new("hall", square(0.0, 10.0)));
        room.obstacles.push(Obstacle {
            name: "pillar".into(),
            polygon: square(4.0, 6.0),
            see_through: false,
        });
        let walls = Walls::new(&room, 0.5);
        let area = |corners: &[DVec2]| -> f64 {
            (0..corners.len()).map(|i| corners[i].perp_dot(corners[(i + 1) % corners.len()]) * 0.5).sum()
        };
        let mut areas: Vec<f64> = walls.loops().iter().map(|corners| area(corners)).collect();
        areas.sort_by(f64::total_cmp);
        // Clockwise round the hall, counterclockwise round the pillar.
        assert_eq!(areas, [-81.0, 9.0]);
        assert!(
            !walls.sees(dvec2(1.0, 5.0), dvec2(9.0, 5.0)) && walls.sees(dvec2(1.0, 3.5), dvec2(9.0, 3.5))
        );
        assert_eq!(walls.nearest(dvec2(-1.0, 5.0)), dvec2(0.5, 5.0));
        assert_eq!(walls.polygons().1.len(), 8);
    }
}
