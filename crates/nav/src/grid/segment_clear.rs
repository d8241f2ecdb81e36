//! Walkability of a segment, tested 64 cells per word. A segment covers a run of cells in each row it crosses, or in
//! each column if it is steep. A run is tested word by word. The covered cells are those that
//! [`crate::geometry::traverse_cells`] visits.

use super::raster::Raster;
use super::{Grid, Node, Overlay, Shadow};
use glam::{DVec2, I64Vec2, Vec2Swizzles};

/// A crossing this near to a corner, in cells, counts as going through the corner. Going through a corner requires
/// all four cells walkable. The value is far above rounding errors, so it only makes the test stricter.
pub(super) const CORNER_TIE: f64 = 1e-9;

/// Point in cell units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct GridPoint(pub(crate) DVec2);

/// A segment as a span of cells in each line it crosses. A line is a row of cells. If `blocker` tests a steep
/// segment, x and y are swapped: the major axis is x, and a line is a column.
#[derive(Debug, Clone, Copy)]
struct Track {
    from: DVec2,
    to: DVec2,
    /// The change of x per line.
    slope: f64,
    /// The x cells of the two ends, the smaller first. They clamp the covered span.
    least: i64,
    most: i64,
}

/// The cell of a coordinate, by truncation. It is valid for x > −1; (−1, 0) maps to cell 0. Truncation avoids
/// `floor`, which is a library call on most machines.
#[inline]
fn cell(at: f64) -> i64 {
    at as i64
}

impl Track {
    #[inline]
    fn new(from: DVec2, to: DVec2) -> Self {
        let (one, other) = (cell(from.x), cell(to.x));
        let slope = (to.x - from.x) / (to.y - from.y);
        Self { from, to, slope, least: one.min(other), most: one.max(other) }
    }

    /// The first and the last line that the segment crosses, in the direction of travel.
    #[inline]
    fn lines(&self) -> (i64, i64) {
        (cell(self.from.y), cell(self.to.y))
    }

    /// The x of the crossing with the border between two lines.
    #[inline]
    fn at(&self, border: i64) -> f64 {
        self.from.x + (border as f64 - self.from.y) * self.slope
    }

    /// The first and the last cell covered in a line.
    #[inline]
    fn span(&self, line: i64) -> (i64, i64) {
        let (begin, end) = self.lines();
        let (enters, leaves) = if begin <= end { (line, line + 1) } else { (line + 1, line) };
        let enters = if line == begin { self.from.x } else { self.at(enters) };
        let leaves = if line == end { self.to.x } else { self.at(leaves) };
        self.between(enters, leaves)
    }

    #[inline]
    fn between(&self, enters: f64, leaves: f64) -> (i64, i64) {
        let first = cell(enters.min(leaves) - CORNER_TIE);
        let last = cell(enters.max(leaves) + CORNER_TIE);
        (first.max(self.least), last.min(self.most))
    }
}

impl Grid {
    /// The point after a push that slides along walls: the longer one of its parts along the axes that is clear, as walls
    /// of cells run along the axes.
    pub fn slide(&self, from: DVec2, by: DVec2) -> Option<DVec2> {
        let (along_x, along_z) = (DVec2::new(by.x, 0.0), DVec2::new(0.0, by.y));
        let parts = if by.x.abs() >= by.y.abs() { [along_x, along_z] } else { [along_z, along_x] };
        let ends = parts.into_iter().filter(|&part| part != DVec2::ZERO).map(|part| from + part);
        ends.into_iter().find(|&to| self.segment_clear(from, to))
    }

    /// A point in cell units.
    pub(crate) fn spot(&self, point: DVec2) -> GridPoint {
        GridPoint(self.frame.in_cells(point))
    }

    /// The centre of a node in cell units.
    pub(crate) fn spot_of(&self, node: Node) -> GridPoint {
        GridPoint(self.cell_of(node).as_dvec2() + 0.5)
    }

    /// A point in cell units, converted to metres.
    pub(crate) fn point_at(&self, GridPoint(spot): GridPoint) -> DVec2 {
        self.frame.min + spot * self.frame.cell_size_m
    }

    /// The walkable cells among 64 cells of a row, or of a column, one bit each. Bits outside the grid are 0.
    pub(crate) fn cells_along(&self, in_row: bool, line: i64, first: i64) -> u64 {
        let bits = if in_row { &self.walkable } else { &self.transposed };
        bits.word_from(line as u32, first)
    }

    /// Whether every cell that the segment crosses is walkable. A crossing through a corner requires both side cells
    /// walkable, as a diagonal step does.
    pub fn segment_clear(&self, from: DVec2, to: DVec2) -> bool {
        self.blocker(self.spot(from), self.spot(to)).is_none()
    }

    /// Like [`Grid::segment_clear`], with the overlay blocked, too. Obstacles containing the start are ignored: the
    /// covered cell of the start in a plain grid, discs around the start in a painted room.
    pub fn segment_clear_of(&self, from: DVec2, to: DVec2, overlay: &Overlay) -> bool {
        let (from, to) = (self.spot(from), self.spot(to));
        self.blocker(from, to).is_none() && self.clear_of(from, to, overlay)
    }

    /// Whether the overlay leaves a segment clear. Obstacles containing the start are ignored, as in
    /// [`Grid::segment_clear_of`]. Walls are not tested.
    pub(crate) fn clear_of(&self, from: GridPoint, to: GridPoint, overlay: &Overlay) -> bool {
        if !self.nodes_are_cells() {
            return overlay.lets_pass(self.point_at(from), self.point_at(to));
        }
        self.cover_on(from, to, overlay).is_none()
    }

    /// Whether the straight line between two points is clear. `Err` holds the occlusion wedge behind the blocker, if
    /// one is known. The wedge culls later tests from the same viewpoint.
    pub(crate) fn look(
        &self,
        from: GridPoint,
        to: GridPoint,
        overlay: &Overlay,
    ) -> Result<(), Option<Shadow>> {
        if let Some(cell) = self.blocker(from, to) {
            return Err(self.shadow(from, cell));
        }
        if overlay.is_empty() {
            return Ok(());
        }
        if !self.nodes_are_cells() {
            return if self.clear_of(from, to, overlay) { Ok(()) } else { Err(None) };
        }
        match self.cover_on(from, to, overlay) {
            Some(cell) => Err(self.shadow_of_cover(from, cell, overlay)),
            None => Ok(()),
        }
    }

    /// A cell on the straight line between two points that is occupied by an obstacle of the query. Plain grids only.
    /// The cell of the start is ignored.
    fn cover_on(&self, from: GridPoint, to: GridPoint, overlay: &Overlay) -> Option<(i64, i64)> {
        let (GridPoint(from), GridPoint(to)) = (from, to);
        let start = from.floor().as_i64vec2();
        let track = Track::new(from, to);
        let (begin, end) = track.lines();
        let row_begins = |row: i64| {
            Node((row.max(0) as u64 * u64::from(self.frame.width)).min(u64::from(u32::MAX)) as u32)
        };
        let rows = row_begins(begin.min(end))..row_begins(begin.max(end) + 1);
        let first = overlay.nodes.partition_point(|&node| node < rows.start);
        let mut cells = overlay.nodes[first..]
            .iter()
            .take_while(|&&node| node < rows.end)
            .map(|node| self.frame.cell_of(node.0));
        let on_track = |cell: &I64Vec2| {
            let (first, last) = track.span(cell.y);
            *cell != start && (first..=last).contains(&cell.x)
        };
        cells.find(on_track).map(|cell| (cell.x, cell.y))
    }

    /// A blocked cell on the straight line between two points, as column and row: in the first row that has one, or
    /// in the first column if the line is steep.
    pub(crate) fn blocker(&self, GridPoint(from): GridPoint, GridPoint(to): GridPoint) -> Option<(i64, i64)> {
        // There is no ground outside the grid. The test also avoids overflow of cell numbers.
        let end = DVec2::new(f64::from(self.frame.width), f64::from(self.frame.depth));
        let inside = |p: DVec2| p.cmpge(DVec2::ZERO).all() && p.cmplt(end).all();
        if !inside(from) || !inside(to) {
            return Some((-1, -1));
        }
        // Fast path: most steps of characters stay in one cell.
        let (x, z) = (cell(from.x), cell(from.y));
        if (x, z) == (cell(to.x), cell(to.y)) {
            return (!self.walkable.get(x as u32, z as u32)).then_some((x, z));
        }
        let apart = (to - from).abs();
        let along_row = apart.x >= apart.y;
        let (bits, track) = match along_row {
            true => (&self.walkable, Track::new(from, to)),
            false => (&self.transposed, Track::new(from.yx(), to.yx())),
        };
        let (mut line, end) = track.lines();
        let step = (end - line).signum();
        let mut enters = track.from.x;
        loop {
            // The exit from this line is the entry into the next one.
            let leaves =
                if line == end { track.to.x } else { track.at(if step > 0 { line + 1 } else { line }) };
            let (first, last) = track.between(enters, leaves);
            if let Some(at) = first_blocked(bits, line as u32, first as u32, last as u32) {
                let at = i64::from(at);
                return Some(if along_row { (at, line) } else { (line, at) });
            }
            if line == end {
                return None;
            }
            line += step;
            enters = leaves;
        }
    }
}

/// The first cell of `first..=last` in a line whose bit is 0.
#[inline]
fn first_blocked(bits: &Raster, line: u32, first: u32, last: u32) -> Option<u32> {
    let row = bits.row(line);
    let (begin, end) = (first / 64, last / 64);
    let mut mask = u64::MAX << (first % 64);
    for word in begin..=end {
        if word == end {
            mask &= u64::MAX >> (63 - last % 64);
        }
        let blocked = !row[word as usize] & mask;
        if blocked != 0 {
            return Some(word * 64 + blocked.trailing_zeros());
        }
        mask = u64::MAX;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Visit, traverse_cells};
    use crate::room::{GridCells, GroundSettings, Room};
    use glam::{I64Vec2, dvec2};
    use proptest::prelude::*;
    use std::sync::Arc;

    const WIDTH: u32 = 150;
    const DEPTH: u32 = 80;

    /// A ground of cells a metre wide, about one in `one_in` of them blocked.
    fn ground(seed: u64, one_in: u64) -> Grid {
        let mut random = seed;
        let mut words = vec![0_u64; WIDTH.div_ceil(64) as usize * DEPTH as usize];
        for z in 0..DEPTH {
            for x in 0..WIDTH {
                random =
                    random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let word = &mut words[(z * WIDTH.div_ceil(64) + x / 64) as usize];
                *word |= u64::from(!(random >> 33).is_multiple_of(one_in)) << (x % 64);
            }
        }
        let grid = GridCells::from_words(DVec2::ZERO, WIDTH, DEPTH, words);
        let ground = GroundSettings { cell_size_m: 1.0, ..GroundSettings::default() };
        Grid::new(&Room { grid: Some(Arc::new(grid)), ground, ..Room::default() }).unwrap()
    }

    fn cell_by_cell(ground: &Grid, from: DVec2, to: DVec2) -> bool {
        let free = |cell: I64Vec2| ground.cell_is_walkable(cell);
        traverse_cells(from, to, |visit| match visit {
            Visit::Cell(cell) => free(cell),
            Visit::Corner(one, other) => free(one) && free(other),
        })
    }

    /// Points anywhere, in the middle of cells, on borders and on corners.
    fn place() -> impl Strategy<Value = DVec2> {
        let column = (0..WIDTH, 0.0..1.0_f64);
        let row = (0..DEPTH, 0.0..1.0_f64);
        (column, row, 0..4).prop_map(|((x, part_x), (z, part_z), kind)| {
            let part = match kind {
                0 => dvec2(part_x, part_z),
                1 => dvec2(0.5, 0.5),
                2 => dvec2(0.0, part_z),
                _ => dvec2(0.0, 0.0),
            };
            dvec2(f64::from(x), f64::from(z)) + part
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn a_line_of_sight_ends_where_a_walk_over_its_cells_does(
            seed in 0_u64..50, one_in in 4_u64..400, from in place(), to in place(),
        ) {
            let ground = ground(seed, one_in);
            let blocker = ground.blocker(ground.spot(from), ground.spot(to));
            prop_assert_eq!(blocker.is_none(), cell_by_cell(&ground, from, to), "{} to {}", from, to);
            if let Some((x, z)) = blocker {
                prop_assert!(!ground.cell_is_walkable(I64Vec2::new(x, z)));
            }
        }

        #[test]
        fn what_is_hidden_is_not_in_sight(
            seed in 0_u64..50, one_in in 20_u64..400, from in place(), to in place(), beside in place(), step in (-1..2, -1..2),
        ) {
            let ground = ground(seed, one_in);
            let [at, there, other] = [from, to, beside].map(|point| ground.spot(point));
            let Some(shadow) = ground.blocker(at, there).and_then(|cell| ground.shadow(at, cell)) else { return Ok(()) };
            if shadow.holds(other) {
                prop_assert!(!cell_by_cell(&ground, from, beside), "{} to {}", from, beside);
            }
            let stretch: Vec<DVec2> = (0..40)
                .map(|steps| to + dvec2(f64::from(step.0), f64::from(step.1)) * f64::from(steps))
                .take_while(|point| point.cmpge(DVec2::ZERO).all() && point.x < f64::from(WIDTH) && point.y < f64::from(DEPTH))
                .collect();
            // From the last hidden point back, because `holds_last` requires it to be hidden.
            let spots: Vec<GridPoint> = stretch.iter().map(|&point| ground.spot(point)).collect();
            if let Some(end) = spots.iter().rposition(|&spot| shadow.holds(spot)) {
                let hidden = shadow.holds_last(spots[0], spots[end], end as u32) as usize;
                prop_assert!((1..=end + 1).contains(&hidden));
                for &point in &stretch[end + 1 - hidden..=end] {
                    prop_assert!(!cell_by_cell(&ground, from, point), "{} to {}", from, point);
                }
                if hidden <= end {
                    prop_assert!(!shadow.holds(spots[end - hidden]) || hidden == end, "{} of {}", hidden, end);
                }
            }
        }
    }
}
