//! Movement over cells that slides along walls, as Detour's `moveAlongSurface` does over polygons (Mononen, "Movement
//! Along Navigation Mesh", 2009). A cell is a convex polygon, and its edges to walkable cells are portals.

use super::Grid;
use super::frame::CellRect;
use glam::{DVec2, I64Vec2};

/// Added to the radius of the search, in metres: an edge that only touches the circle is passed.
const SLACK_M: f64 = 1e-3;

/// Squared distances that differ by less are equal, in square metres: of equally near walls the first one met counts.
const SAME_SQ: f64 = 1e-10;

/// A move that a wall stops ends this far inside the cell, in metres. A point exactly on the far edge of a cell belongs
/// to the next cell. All edges are treated alike, so that mirrored rooms have mirrored moves.
const OFF_WALL_M: f64 = 1e-6;

/// The steps to the neighbours of a cell, in the order of their indices.
const STEPS: [I64Vec2; 4] =
    [I64Vec2::new(0, -1), I64Vec2::new(-1, 0), I64Vec2::new(1, 0), I64Vec2::new(0, 1)];

/// Moves within this many cells need no memory from the heap. A push in a crowd is far below it.
const FEW_CELLS: usize = 64;

impl Grid {
    /// Moves from one point towards another, as far as walls allow, and slides along them. The search goes breadth first
    /// over walkable cells, through edges that touch the circle over the segment. The move ends at `to` if a cell found
    /// holds it, and otherwise at the point nearest to `to` on the blocked edges met. The end is always walkable.
    ///
    /// Cells are searched in the order in which they are found, and their neighbours by index. Of equally near walls the
    /// first one counts.
    ///
    /// A long move may slip round a corner within its circle; divide long moves into steps of a body radius or less if
    /// that matters.
    ///
    /// `None` if a coordinate is not finite, or `from` is not walkable.
    pub fn move_along(&self, from: DVec2, to: DVec2) -> Option<DVec2> {
        // Where nothing is in the way, the search would find the cell of `to`, too.
        if self.segment_clear(from, to) {
            return Some(to);
        }
        if !from.is_finite() || !to.is_finite() || !self.is_walkable(from) {
            return None;
        }
        let search = Search::new(self, from, to);
        let size = (search.within.max - search.within.min).max(I64Vec2::ZERO);
        let cells = size.x as usize * size.y as usize;
        let at = if cells <= FEW_CELLS {
            search.run(&mut [false; FEW_CELLS], &mut [I64Vec2::ZERO; FEW_CELLS])
        } else {
            search.run(&mut vec![false; cells], &mut vec![I64Vec2::ZERO; cells])
        };
        let end = if at == search.to { to } else { self.frame.min + at * self.frame.cell_size_m };
        // Only coordinates so large that rounding exceeds the distance to the wall leave the cell.
        Some(if self.is_walkable(end) { end } else { from })
    }
}

/// A search for the end of a move. All lengths are in cells.
struct Search<'a> {
    grid: &'a Grid,
    start: I64Vec2,
    from: DVec2,
    to: DVec2,
    middle: DVec2,
    radius_sq: f64,
    /// All cells that the circle touches.
    within: CellRect,
}

impl<'a> Search<'a> {
    fn new(grid: &'a Grid, from: DVec2, to: DVec2) -> Self {
        let frame = &grid.frame;
        let start = frame.cell_at(from);
        let [from, to] = [from, to].map(|point| frame.in_cells(point));
        let middle = from.midpoint(to);
        let radius = from.distance(to) / 2.0 + SLACK_M / frame.cell_size_m;
        let last = DVec2::new(f64::from(frame.width), f64::from(frame.depth));
        let cell = |point: DVec2| point.floor().clamp(DVec2::ZERO, last).as_i64vec2();
        let end = I64Vec2::new(i64::from(frame.width), i64::from(frame.depth));
        // A cell beyond the circle may share the edge that the circle touches.
        let min = (cell(middle - radius) - 1).max(I64Vec2::ZERO).min(start);
        let max = (cell(middle + radius) + 2).min(end).max(start + 1);
        Self { grid, start, from, to, middle, radius_sq: radius * radius, within: CellRect { min, max } }
    }

    /// The end of the move. `is_found` and `queue` have room for all cells within.
    fn run(&self, is_found: &mut [bool], queue: &mut [I64Vec2]) -> DVec2 {
        let CellRect { min, max } = self.within;
        let index = |cell: I64Vec2| ((cell.y - min.y) * (max.x - min.x) + cell.x - min.x) as usize;
        let cell_size_m = self.grid.frame.cell_size_m;
        let same_sq = SAME_SQ / (cell_size_m * cell_size_m);
        let goal = self.to.floor();
        let (mut best, mut best_sq) = (self.from, f64::INFINITY);
        (is_found[index(self.start)], queue[0]) = (true, self.start);
        let (mut next, mut count) = (0, 1);
        while next < count {
            let here = queue[next];
            next += 1;
            if here.as_dvec2() == goal {
                return self.to;
            }
            for step in STEPS {
                let beside = here + step;
                let (low, high) = edge(here, step);
                if !self.grid.cell_is_walkable(beside) {
                    let at = self.to.clamp(low, high);
                    let distance_sq = at.distance_squared(self.to);
                    if distance_sq < best_sq - same_sq {
                        (best, best_sq) = (self.inside(here, at), distance_sq);
                    }
                } else if self.middle.clamp(low, high).distance_squared(self.middle) <= self.radius_sq {
                    let found = &mut is_found[index(beside)];
                    if !std::mem::replace(found, true) {
                        queue[count] = beside;
                        count += 1;
                    }
                }
            }
        }
        best
    }

    /// A point on the border of a cell, moved into the cell by [`OFF_WALL_M`].
    fn inside(&self, cell: I64Vec2, at: DVec2) -> DVec2 {
        let off = (OFF_WALL_M / self.grid.frame.cell_size_m).min(0.5);
        at.clamp(cell.as_dvec2() + off, (cell + 1).as_dvec2() - off)
    }
}

/// The edge of a cell on the side of a step, by its corners of least and greatest coordinates.
fn edge(cell: I64Vec2, step: I64Vec2) -> (DVec2, DVec2) {
    let low = cell + step.max(I64Vec2::ZERO);
    let along = I64Vec2::new(step.y.abs(), step.x.abs());
    (low.as_dvec2(), (low + along).as_dvec2())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::room::{GridCells, GroundSettings, Room};
    use glam::dvec2;
    use std::sync::Arc;

    /// A ground of cells of this size from a picture: `#` is a wall.
    fn ground(picture: &str, cell_size_m: f64) -> Grid {
        let rows: Vec<&[u8]> = picture.split_whitespace().map(str::as_bytes).collect();
        let (width, depth) = (rows[0].len() as u32, rows.len() as u32);
        let cells = GridCells::new(DVec2::ZERO, width, depth, |x, z| rows[z as usize][x as usize] != b'#');
        let settings = GroundSettings { cell_size_m, ..GroundSettings::default() };
        Grid::new(&Room { grid: Some(Arc::new(cells)), ground: settings, ..Room::default() }).unwrap()
    }

    /// Cells a metre wide, and random numbers from 0 to 1 for more.
    fn noise(seed: u64, blocked: f64) -> (Grid, impl FnMut() -> f64) {
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let picture: Vec<String> = (0..SIDE)
            .map(|_| (0..SIDE).map(|_| if random() < blocked { '#' } else { '.' }).collect())
            .collect();
        (ground(&picture.join(" "), 1.0), random)
    }

    const SIDE: i64 = 9;

    /// Draws the ground with the start of a move as `a`, its target as `b` and its end as `*`, in quarters of a cell.
    fn drawn(picture: &str, from: (f64, f64), to: (f64, f64)) -> String {
        let grid = ground(picture, 1.0);
        let end = grid.move_along(from.into(), to.into()).unwrap();
        let quarter = |at: DVec2| (at * 2.0).floor().as_i64vec2();
        let marks = [(end, '*'), (from.into(), 'a'), (to.into(), 'b')].map(|(at, mark)| (quarter(at), mark));
        let row = |z: i64| -> String {
            let mark = |x: i64| {
                let here = I64Vec2::new(x, z);
                let mark = marks.iter().find(|(at, _)| *at == here).map(|(_, mark)| *mark);
                let free = grid.cell_is_walkable(here / 2);
                mark.unwrap_or(if free { '.' } else { '#' })
            };
            (0..2 * i64::from(grid.frame.width)).map(mark).collect()
        };
        (0..2 * i64::from(grid.frame.depth)).map(row).collect::<Vec<_>>().join("\n")
    }

    fn check(picture: &str, from: (f64, f64), to: (f64, f64), expected: &str) {
        let expected = expected.split_whitespace().collect::<Vec<_>>().join("\n");
        let drawn = drawn(picture, from, to);
        assert_eq!(drawn, expected, "\n{drawn}");
    }

    #[test]
    fn a_move_slides_along_a_wall_into_a_corner() {
        let room = "....# ....# #####";
        check(
            room,
            (0.6, 0.8),
            (2.7, 2.2),
            "........## .a......## ........## .....*..## #####b#### ##########",
        );
        check(
            room,
            (2.2, 1.7),
            (4.2, 2.7),
            "........## ........## ........## ....a..*## ########## ########b#",
        );
    }

    #[test]
    fn a_move_goes_round_a_corner_only_through_cells_that_share_edges() {
        // To the cell below, through the cell beside both.
        check(".. #.", (0.8, 0.8), (1.2, 1.3), ".... .a.. ##*. ##..");
        // Both cells beside the corner are blocked.
        check(".# #.", (0.8, 0.8), (1.2, 1.3), "..## .*## ##b. ##..");
    }

    /// The move by definition: cells are found by going over all of them until nothing changes, and distances are those
    /// of many points on an edge. Returns the cells, and the distance from `to` to the nearest of the points. `None` if
    /// an edge only just touches the circle, or misses it.
    fn by_definition(grid: &Grid, from: DVec2, to: DVec2) -> Option<(Vec<I64Vec2>, f64)> {
        let (middle, radius) = ((from + to) / 2.0, (to - from).length() / 2.0);
        let points = |cell: I64Vec2, step: I64Vec2| {
            let centre = cell.as_dvec2() + 0.5 + step.as_dvec2() * 0.5;
            let along = step.as_dvec2().perp();
            (-500..=500).map(move |i| centre + along * (f64::from(i) / 1000.0))
        };
        let nearest = |cell, step, to: DVec2| {
            points(cell, step).map(|at| at.distance(to)).fold(f64::INFINITY, f64::min)
        };
        let all: Vec<I64Vec2> =
            (0..SIDE * SIDE).map(|index| I64Vec2::new(index % SIDE, index / SIDE)).collect();
        let mut found = vec![from.floor().as_i64vec2()];
        let mut grows = true;
        while grows {
            grows = false;
            for &cell in all.iter().filter(|cell| grid.cell_is_walkable(**cell)) {
                for step in STEPS {
                    if found.contains(&cell) || !found.contains(&(cell + step)) {
                        continue;
                    }
                    let distance = nearest(cell, step, middle);
                    if (distance - radius).abs() < 3e-3 {
                        return None;
                    }
                    if distance < radius {
                        found.push(cell);
                        grows = true;
                    }
                }
            }
        }
        let walls = found.iter().flat_map(|&cell| STEPS.map(|step| (cell, step)));
        let walls = walls.filter(|(cell, step)| !grid.cell_is_walkable(*cell + *step));
        let away = walls.map(|(cell, step)| nearest(cell, step, to)).fold(f64::INFINITY, f64::min);
        Some((found, away))
    }

    #[test]
    fn moves_end_where_the_definition_says() {
        let (mut slid, mut reached, mut round) = (0, 0, 0);
        for seed in 0..400 {
            let (grid, mut random) = noise(seed, 0.25 + 0.2 * (seed % 3) as f64 / 2.0);
            for _ in 0..10 {
                let mut point = || dvec2(random(), random()) * SIDE as f64;
                let from = point();
                let to = if seed % 4 == 0 { point() } else { from + (point() - SIDE as f64 / 2.0) / 4.0 };
                let moved = grid.move_along(from, to);
                assert_eq!(moved.is_some(), grid.is_walkable(from), "{from} to {to}");
                let Some(end) = moved else { continue };
                assert!(grid.is_walkable(end), "{from} to {to}: {end}");
                let Some((found, away)) = by_definition(&grid, from, to) else { continue };
                let inside = found.contains(&to.floor().as_i64vec2());
                if inside {
                    assert_eq!(end, to, "seed {seed}: {from} to {to}");
                    reached += 1;
                    round += i32::from(!grid.segment_clear(from, to));
                } else {
                    let apart = (end.distance(to) - away).abs();
                    assert!(apart < 1e-3, "seed {seed}: {from} to {to}: {end}, {away}");
                    assert!(found.contains(&end.floor().as_i64vec2()), "seed {seed}: {from} to {to}: {end}");
                    slid += 1;
                }
            }
        }
        assert!(slid > 500 && reached > 500 && round > 20, "{slid} slid, {reached} reached, {round} round");
    }

    /// In a room without obstacles, and wherever the straight way is clear.
    #[test]
    fn a_move_equals_its_subdivided_moves() {
        let hall = ground("............ ............ ............ ............", 0.4);
        let compare = |grid: &Grid, from: DVec2, by: DVec2| {
            let whole = grid.move_along(from, from + by).unwrap();
            let mut at = from;
            for _ in 0..16 {
                at = grid.move_along(at, at + by / 16.0).unwrap();
            }
            assert!(at.distance(whole) < 1e-4, "{from} by {by}: {at}, not {whole}");
        };
        for seed in 0..200 {
            let (grid, mut random) = noise(seed, 0.1);
            let from = dvec2(random() * 4.79, random() * 1.59);
            compare(&hall, from, dvec2(random() - 0.5, random() - 0.5) * 6.0);
            let from = dvec2(random(), random()) * SIDE as f64;
            let by = dvec2(random() - 0.5, random() - 0.5) * 3.0;
            if grid.segment_clear(from, from + by) {
                compare(&grid, from, by);
            }
        }
    }

    #[test]
    fn every_end_is_walkable_whatever_the_cells_and_coordinates() {
        for (cell_size_m, far_m) in [(0.01, 0.0), (0.4, 0.0), (3.0, 1e5), (0.4, 1e6), (0.05, -1e6)] {
            let cells = GridCells::new(DVec2::splat(far_m), 12, 12, |x, z| (x * 5 + z * 3) % 7 != 0);
            let settings = GroundSettings { cell_size_m, ..GroundSettings::default() };
            let room = Room { grid: Some(Arc::new(cells)), ground: settings, ..Room::default() };
            let grid = Grid::new(&room).unwrap();
            let (_, mut random) = noise(7, 0.0);
            let mut at = grid.frame.centre(I64Vec2::new(5, 5));
            assert!(grid.is_walkable(at));
            let mut stopped = 0;
            for _ in 0..2000 {
                let to = at + dvec2(random() - 0.5, random() - 0.5) * 3.0 * cell_size_m;
                let end = grid.move_along(at, to).unwrap();
                assert!(grid.is_walkable(end), "{at} to {to}: {end}");
                stopped += i32::from(end != to);
                at = end;
            }
            assert!(stopped > 100, "{stopped}");
        }
    }

    #[test]
    fn a_move_that_is_none_is_refused() {
        let grid = ground(".# ..", 1.0);
        for (from, to) in [
            ((1.5, 0.5), (1.5, 1.5)), // a wall
            ((-1.0, 0.5), (0.5, 0.5)),
            ((f64::NAN, 0.5), (0.5, 0.5)),
            ((0.5, 0.5), (0.5, f64::NAN)),
            ((0.5, 0.5), (f64::INFINITY, 0.5)),
        ] {
            assert_eq!(grid.move_along(from.into(), to.into()), None, "{from:?} to {to:?}");
        }
        // Absurdly far, but finite.
        let end = grid.move_along(dvec2(0.5, 0.5), dvec2(-1e300, 1e300)).unwrap();
        assert!(grid.is_walkable(end));
        assert_eq!(grid.move_along(dvec2(0.5, 0.5), dvec2(0.5, 0.5)), Some(dvec2(0.5, 0.5)));
    }
}
