//! Jumps over a plain grid: from a cell straight on to the next cell where a shortest way may turn, 64 cells at a time, and
//! diagonally with such a look to both sides at every step.
//!
//! Jump point search (Harabor and Grastien, "Online Graph Pruning for Pathfinding on Grid Maps", 2011) in the form for people who cut
//! no corners, with the block-wise scans over the grid and its mirror image, and without a stop at diagonal jump points, of
//! "Improving Jump Point Search" (2014). Among equally short ways only those are followed that go diagonally first; where something
//! behind the shoulder is blocked, a way may turn there.

use super::bits::Bits;
use super::cover::Cover;
use super::{Ground, Node};

/// One of the eight directions, by its position in [`STEPS`].
pub(crate) type Direction = usize;

/// What one step of each direction adds to column and row: clockwise from north, which is towards smaller z.
pub(crate) const STEPS: [(i32, i32); 8] =
    [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

pub(crate) const NORTH: Direction = 0;
pub(crate) const EAST: Direction = 2;
pub(crate) const SOUTH: Direction = 4;
pub(crate) const WEST: Direction = 6;

/// A set of directions, a bit for each.
pub(crate) type Directions = u8;

/// One place to turn among so many cells is a crowd.
const CROWDED: u64 = 8;

/// A cell at which a shortest way may turn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Jump {
    /// Diagonal steps to get there; they come first.
    pub(crate) diagonal: u32,
    /// Straight steps.
    pub(crate) straight: u32,
    pub(crate) x: u32,
    pub(crate) z: u32,
    /// Where shortest ways may go on from there.
    pub(crate) onward: Directions,
}

/// What was looked at to find the jumps of one direction.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Seen {
    /// How many steps one can take in that direction.
    pub(crate) free: u32,
    /// Columns and rows of the cells that decided it: smallest and largest.
    pub(crate) low: (u32, u32),
    pub(crate) high: (u32, u32),
    /// How many words were looked at.
    pub(crate) work: u32,
}

/// A grid to jump over, perhaps with cells covered for one query.
pub(crate) struct Jumps<'a, const COVERED: bool> {
    rows: Lines<'a, COVERED>,
    columns: Lines<'a, COVERED>,
    width: u32,
}

/// Rows of bits with a row of zeroes before and behind.
struct Lines<'a, const COVERED: bool> {
    words: &'a [u64],
    cover: &'a [u64],
    per_line: usize,
}

/// Where a look along a line ends.
struct Stop {
    at: i64,
    free: bool,
    /// Whether one may turn to the line before or to the one behind.
    turns: (bool, bool),
}

impl Ground {
    /// The grid as it is.
    pub(crate) fn jumps(&self) -> Jumps<'_, false> {
        Jumps {
            rows: Lines::of(&self.walkable, &[]),
            columns: Lines::of(&self.mirrored, &[]),
            width: self.frame.width,
        }
    }

    /// The grid with what `cover` covers blocked.
    pub(crate) fn jumps_around<'a>(&'a self, cover: &'a Cover) -> Jumps<'a, true> {
        let (rows, columns) = cover.bits();
        Jumps {
            rows: Lines::of(&self.walkable, rows.padded()),
            columns: Lines::of(&self.mirrored, columns.padded()),
            width: self.frame.width,
        }
    }

    /// Whether so many cells are places where a shortest way may turn that looking for them is all the work: what was found is hardly
    /// ever used a second time then. Depends on the cells alone.
    pub(crate) fn is_crowded(&self) -> bool {
        self.corners * CROWDED > self.frame.len() as u64
    }

    /// Cells in a row.
    pub(crate) fn width(&self) -> u32 {
        self.frame.width
    }

    /// Whether there is a walkable cell in this column and row, which may lie outside.
    pub(crate) fn has_cell(&self, (x, z): (u32, u32)) -> bool {
        x < self.frame.width && z < self.frame.depth && self.walkable.get(x, z)
    }

    /// All cells of a way that goes straight or diagonally from each of some cells to the next.
    pub(crate) fn cells_between(&self, turns: &[Node]) -> Vec<Node> {
        let mut cells = Vec::from_iter(turns.first().copied());
        for pair in turns.windows(2) {
            let ((x, z), (to_x, to_z)) = (self.column_and_row(pair[0]), self.column_and_row(pair[1]));
            let steps = i64::from(x.abs_diff(to_x).max(z.abs_diff(to_z)));
            let row = i64::from(self.frame.width) * i64::from((to_z > z) as i8 - (to_z < z) as i8);
            let step = row + i64::from((to_x > x) as i8 - (to_x < x) as i8);
            cells.extend((1..=steps).map(|steps| Node((i64::from(pair[0].0) + step * steps) as u32)));
        }
        cells
    }

    /// Column and row of a cell.
    pub(crate) fn column_and_row(&self, node: Node) -> (u32, u32) {
        (node.0 % self.frame.width, node.0 / self.frame.width)
    }

    /// The cell in this column and row.
    pub(crate) fn node_in(&self, x: u32, z: u32) -> Node {
        Node(z * self.frame.width + x)
    }
}

impl<const COVERED: bool> Jumps<'_, COVERED> {
    /// Calls `found` for every jump from a cell in one direction, the cell itself not looked at, and no more than `most` diagonal
    /// steps.
    #[inline]
    pub(crate) fn from(
        &self,
        (x, z): (u32, u32),
        direction: Direction,
        most: u32,
        mut found: impl FnMut(Jump),
    ) -> Seen {
        let mut seen = Seen { free: 0, low: (x, z), high: (x, z), work: 0 };
        match direction % 2 {
            0 => {
                let stop = self.straight((x, z), direction, 0, &mut seen, &mut found);
                seen.free = stop;
            }
            _ => self.diagonal((x, z), direction, most, &mut seen, &mut found),
        }
        let width = self.width - 1;
        seen.low = (seen.low.0.saturating_sub(1), seen.low.1.saturating_sub(1));
        seen.high = ((seen.high.0 + 1).min(width), seen.high.1 + 1);
        seen
    }

    /// Where one can step to from a cell.
    #[inline]
    pub(crate) fn around(&self, (x, z): (u32, u32)) -> Directions {
        let line = z as usize * self.rows.per_line;
        let (word, bit) = (x as usize / 64, x % 64);
        // The cells to the west, here and to the east, from the lowest bit up.
        let three = |row: usize| {
            let line = line + row * self.rows.per_line;
            let here = self.rows.word(line + word);
            match bit {
                0 => here << 1 & 6 | if word > 0 { self.rows.word(line + word - 1) >> 63 } else { 0 },
                63 if word + 1 == self.rows.per_line => here >> 62,
                63 => here >> 62 | (self.rows.word(line + word + 1) & 1) << 2,
                _ => here >> (bit - 1) & 7,
            }
        };
        let (up, here, down) = (three(0), three(1), three(2));
        let straight = up >> 1 & 1 | here >> 2 << 2 | (down >> 1 & 1) << 4 | (here & 1) << 6;
        let diagonal = up >> 2 << 1 | down >> 2 << 3 | (down & 1) << 5 | (up & 1) << 7;
        straight as Directions | diagonal as Directions & beside_both(straight as Directions)
    }

    /// How many steps one can take from a cell in a straight direction.
    pub(crate) fn free(&self, (x, z): (u32, u32), direction: Direction) -> u32 {
        match direction {
            EAST => self.rows.free_ahead(z, x),
            WEST => self.rows.free_back(z, x),
            SOUTH => self.columns.free_ahead(x, z),
            _ => self.columns.free_back(x, z),
        }
    }

    fn diagonal(
        &self,
        (mut x, mut z): (u32, u32),
        direction: Direction,
        most: u32,
        seen: &mut Seen,
        found: &mut impl FnMut(Jump),
    ) {
        let (dx, dz) = STEPS[direction];
        let (one, other) = (direction - 1, (direction + 1) % 8);
        while seen.free < most {
            let (next_x, next_z) = (x.wrapping_add_signed(dx), z.wrapping_add_signed(dz));
            let is_free = |x: u32, z: u32| x < self.width && self.rows.get(z, x);
            if !(is_free(next_x, z) && is_free(x, next_z) && is_free(next_x, next_z)) {
                return;
            }
            (x, z) = (next_x, next_z);
            seen.free += 1;
            seen.low = (seen.low.0.min(x), seen.low.1.min(z));
            seen.high = (seen.high.0.max(x), seen.high.1.max(z));
            let steps = seen.free;
            self.straight((x, z), one, steps, seen, found);
            self.straight((x, z), other, steps, seen, found);
        }
    }

    /// Looks straight on; returns how many steps one can take up to where the look ends.
    #[inline]
    fn straight(
        &self,
        (x, z): (u32, u32),
        direction: Direction,
        diagonal: u32,
        seen: &mut Seen,
        found: &mut impl FnMut(Jump),
    ) -> u32 {
        let (stop, from) = match direction {
            EAST => (self.rows.ahead(z, x), x),
            WEST => (self.rows.back(z, x), x),
            SOUTH => (self.columns.ahead(x, z), z),
            _ => (self.columns.back(x, z), z),
        };
        let straight = (stop.at - i64::from(from)).unsigned_abs() as u32;
        seen.work = seen.work.saturating_add(1 + straight / 64);
        let at = stop.at.max(0) as u32;
        let (end_x, end_z) = if direction == EAST || direction == WEST { (at, z) } else { (x, at) };
        seen.low = (seen.low.0.min(end_x), seen.low.1.min(end_z));
        seen.high = (seen.high.0.max(end_x), seen.high.1.max(end_z));
        if !stop.free {
            return straight - 1;
        }
        let onward = onward(direction, stop.turns);
        found(Jump { diagonal, straight, x: end_x, z: end_z, onward });
        straight
    }
}

/// The diagonal directions with both straight ones beside them in a set.
const fn beside_both(straight: Directions) -> Directions {
    straight.rotate_left(1) & straight.rotate_right(1) & 0b1010_1010
}

/// Where a shortest way may go on that came to a cell by a step in one direction, if one can step `around` it.
#[inline]
pub(crate) fn onward_by_steps(came: Direction, around: Directions) -> Directions {
    ONWARD[came][around as usize]
}

static ONWARD: [[Directions; 256]; 8] = {
    let mut onward = [[0; 256]; 8];
    let mut came = 0;
    while came < 8 {
        let mut around = 0;
        while around < 256 {
            onward[came][around] = onward_of(came, around as Directions);
            around += 1;
        }
        came += 1;
    }
    onward
};

/// Straight ways turn only where what is behind the shoulder is blocked; diagonal ones go on to both sides.
const fn onward_of(came: Direction, around: Directions) -> Directions {
    let onward = if came % 2 == 1 {
        turned(came, 7) | turned(came, 0) | turned(came, 1)
    } else {
        let mut onward = turned(came, 0);
        if around & turned(came, 6) != 0 && around & turned(came, 5) == 0 {
            onward |= turned(came, 6) | turned(came, 7);
        }
        if around & turned(came, 2) != 0 && around & turned(came, 3) == 0 {
            onward |= turned(came, 2) | turned(came, 1);
        }
        onward
    };
    onward & around
}

/// A direction, turned by so many eighths of a circle, as a set.
const fn turned(direction: Direction, eighths: u32) -> Directions {
    (1 as Directions).rotate_left(direction as u32 + eighths)
}

/// Straight on, and to the sides that open here: straight and diagonally.
fn onward(direction: Direction, (before, behind): (bool, bool)) -> Directions {
    let side = |direction: Direction, forward: Direction| -> Directions { 1 << direction | 1 << forward };
    // The line before a row is north of it, the one before a column west.
    let (first, second) = match direction {
        EAST => (side(NORTH, NORTH + 1), side(SOUTH, EAST + 1)),
        WEST => (side(NORTH, WEST + 1), side(SOUTH, SOUTH + 1)),
        SOUTH => (side(WEST, SOUTH + 1), side(EAST, EAST + 1)),
        _ => (side(WEST, WEST + 1), side(EAST, NORTH + 1)),
    };
    (1 << direction) | if before { first } else { 0 } | if behind { second } else { 0 }
}

impl<'a, const COVERED: bool> Lines<'a, COVERED> {
    fn of(bits: &'a Bits, cover: &'a [u64]) -> Self {
        Self { words: bits.padded(), cover, per_line: bits.words_per_row() }
    }

    /// The words of a line counted from the row of zeroes, which is line 0.
    #[inline]
    fn word(&self, index: usize) -> u64 {
        if COVERED { self.words[index] & !self.cover[index] } else { self.words[index] }
    }

    #[inline]
    fn get(&self, line: u32, at: u32) -> bool {
        let line = line.wrapping_add(1) as usize;
        self.word(line * self.per_line + at as usize / 64) >> (at % 64) & 1 == 1
    }

    /// The first place behind `at` where the line ends or one may turn.
    #[inline]
    fn ahead(&self, line: u32, at: u32) -> Stop {
        let before = line as usize * self.per_line;
        let (row, behind) = (before + self.per_line, before + 2 * self.per_line);
        let mut word = at as usize / 64;
        let mut mask = (u64::MAX << (at % 64)) << 1;
        let (mut carry_before, mut carry_behind) = (0, 0);
        loop {
            let (up, here, down) =
                (self.word(before + word), self.word(row + word), self.word(behind + word));
            // Open, and what lies before it is not.
            let turns_up = up & !(up << 1 | carry_before);
            let turns_down = down & !(down << 1 | carry_behind);
            let stops = (!here | turns_up | turns_down) & mask;
            if stops != 0 {
                let bit = stops.trailing_zeros();
                let is = |bits: u64| bits >> bit & 1 == 1;
                let at = (word * 64) as i64 + i64::from(bit);
                return Stop { at, free: is(here), turns: (is(turns_up), is(turns_down)) };
            }
            word += 1;
            if word == self.per_line {
                return Stop { at: (word * 64) as i64, free: false, turns: (false, false) };
            }
            (mask, carry_before, carry_behind) = (u64::MAX, up >> 63, down >> 63);
        }
    }

    /// The first place before `at` where the line ends or one may turn.
    #[inline]
    fn back(&self, line: u32, at: u32) -> Stop {
        let before = line as usize * self.per_line;
        let (row, behind) = (before + self.per_line, before + 2 * self.per_line);
        let mut word = at as usize / 64;
        let mut mask = (1 << (at % 64)) - 1;
        let (mut carry_before, mut carry_behind) = (0, 0);
        loop {
            let (up, here, down) =
                (self.word(before + word), self.word(row + word), self.word(behind + word));
            let turns_up = up & !(up >> 1 | carry_before);
            let turns_down = down & !(down >> 1 | carry_behind);
            let stops = (!here | turns_up | turns_down) & mask;
            if stops != 0 {
                let bit = 63 - stops.leading_zeros();
                let is = |bits: u64| bits >> bit & 1 == 1;
                let at = (word * 64) as i64 + i64::from(bit);
                return Stop { at, free: is(here), turns: (is(turns_up), is(turns_down)) };
            }
            if word == 0 {
                return Stop { at: -1, free: false, turns: (false, false) };
            }
            word -= 1;
            (mask, carry_before, carry_behind) = (u64::MAX, up << 63, down << 63);
        }
    }

    fn free_ahead(&self, line: u32, at: u32) -> u32 {
        let row = (line as usize + 1) * self.per_line;
        let mut mask = (u64::MAX << (at % 64)) << 1;
        for word in at as usize / 64..self.per_line {
            let stops = !self.word(row + word) & mask;
            if stops != 0 {
                return (word * 64) as u32 + stops.trailing_zeros() - at - 1;
            }
            mask = u64::MAX;
        }
        (self.per_line * 64) as u32 - at - 1
    }

    fn free_back(&self, line: u32, at: u32) -> u32 {
        let row = (line as usize + 1) * self.per_line;
        let mut mask = (1 << (at % 64)) - 1;
        for word in (0..=at as usize / 64).rev() {
            let stops = !self.word(row + word) & mask;
            if stops != 0 {
                return at - ((word * 64) as u32 + 63 - stops.leading_zeros()) - 1;
            }
            mask = u64::MAX;
        }
        at
    }
}
