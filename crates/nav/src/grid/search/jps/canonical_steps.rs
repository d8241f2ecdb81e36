//! Canonical A* steps, for grids with so many corners that jumps do not pay: the free steps from a cell, and the
//! canonical successors of a cell (diagonal steps first).

use super::jumps::{Direction, Directions, Jumps};
use crate::grid::Grid;
use crate::grid::query_mask::QueryMask;

impl Grid {
    /// The free directions around a cell of a field with eight directions.
    pub(crate) fn steps_around(&self, mask: &QueryMask, cell: (u32, u32)) -> Directions {
        match mask.is_empty() {
            true => Jumps::over(self.field()).steps_around(cell),
            false => Jumps::around(self.field(), mask).steps_around(cell),
        }
    }
}

impl<const MASKED: bool> Jumps<'_, MASKED> {
    /// The free directions around a cell.
    #[inline]
    fn steps_around(&self, (x, z): (u32, u32)) -> Directions {
        let line = z as usize * self.rows.per_line;
        let (word, bit) = (x as usize / 64, x % 64);
        // The cells to the west, here, and to the east, from the lowest bit up.
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
}

/// The diagonal directions whose two neighbouring straight directions are both in a set.
const fn beside_both(straight: Directions) -> Directions {
    straight.rotate_left(1) & straight.rotate_right(1) & 0b1010_1010
}

/// The directions in which a shortest path may go on from a cell. `came` is the direction of the last step, `around`
/// are the free directions around the cell.
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

/// Straight paths turn to a side only where the cell diagonally behind on that side is blocked while the cell beside
/// is free (forced neighbour). Diagonal paths continue to both sides, too.
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

/// A direction as a set, turned by `eighths` of a circle.
const fn turned(direction: Direction, eighths: u32) -> Directions {
    (1 as Directions).rotate_left(direction as u32 + eighths)
}
