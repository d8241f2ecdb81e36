//! The exact traversal of unit cells by a segment.

use glam::{DVec2, I64Vec2};

/// The next step of a segment's traversal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visit {
    /// It passes through this cell.
    Cell(I64Vec2),
    /// It passes through the corner between these two cells, touching both.
    Corner(I64Vec2, I64Vec2),
}

/// Two crossings closer than this (relative) count as one corner. Being far above the rounding error of the products,
/// it can only err to the strict side: a corner asks for both of its side cells.
const CORNER_TIE: f64 = 1e-12;

/// Visits every cell that the segment `from`–`to` passes through, in order, in units of cells: cell (i, j) covers
/// `i <= x < i + 1`, `j <= z < j + 1`. Stops and returns false as soon as `visit` returns false.
///
/// The method is that of Amanatides and Woo, "A Fast Voxel Traversal Algorithm" (1987), with crossings compared as
/// products instead of accumulated quotients, so that no error builds up along a long segment.
pub fn traverse_cells(from: DVec2, to: DVec2, mut visit: impl FnMut(Visit) -> bool) -> bool {
    let (mut cell, last) = (from.floor().as_i64vec2(), to.floor().as_i64vec2());
    let step = (last - cell).signum();
    let run = (to - from).abs();
    if !visit(Visit::Cell(cell)) {
        return false;
    }
    while cell != last {
        // Both sides of the comparison are (distance to the next border) * (run of the other axis).
        let to_border_x = border_distance(from.x, cell.x, step.x) * run.y;
        let to_border_z = border_distance(from.y, cell.y, step.y) * run.x;
        let tie = CORNER_TIE * to_border_x.max(to_border_z).max(run.x * run.y);
        let (left_x, left_z) = (cell.x != last.x, cell.y != last.y);
        if left_x && left_z && (to_border_x - to_border_z).abs() <= tie {
            let sides = (I64Vec2::new(cell.x + step.x, cell.y), I64Vec2::new(cell.x, cell.y + step.y));
            if !visit(Visit::Corner(sides.0, sides.1)) {
                return false;
            }
            cell += step;
        } else if left_x && (!left_z || to_border_x < to_border_z) {
            cell.x += step.x;
        } else {
            cell.y += step.y;
        }
        if !visit(Visit::Cell(cell)) {
            return false;
        }
    }
    true
}

/// The distance along one axis from `start` to the border through which the traversal leaves `cell`.
fn border_distance(start: f64, cell: i64, step: i64) -> f64 {
    let border = if step > 0 { cell + 1 } else { cell };
    (border as f64 - start).abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(from: (f64, f64), to: (f64, f64)) -> (Vec<(i64, i64)>, usize) {
        let (mut seen, mut corners) = (Vec::new(), 0);
        traverse_cells(from.into(), to.into(), |visit| {
            match visit {
                Visit::Cell(c) => seen.push((c.x, c.y)),
                Visit::Corner(..) => corners += 1,
            }
            true
        });
        (seen, corners)
    }

    #[test]
    fn a_shallow_segment_visits_each_cell_it_crosses() {
        assert_eq!(cells((0.5, 0.5), (3.5, 1.4)).0, [(0, 0), (1, 0), (2, 0), (2, 1), (3, 1)]);
    }

    #[test]
    fn a_diagonal_passes_through_corners_only() {
        let (seen, corners) = cells((0.5, 0.5), (3.5, 3.5));
        assert_eq!(seen, [(0, 0), (1, 1), (2, 2), (3, 3)]);
        assert_eq!(corners, 3);
    }

    #[test]
    fn backwards_it_crosses_the_same_cells() {
        for (a, b) in [((0.3, 5.9), (7.2, 0.1)), ((2.5, 2.5), (2.5, 9.1)), ((0.1, 0.2), (-4.7, 3.3))] {
            let (mut forth, mut back) = (cells(a, b).0, cells(b, a).0);
            forth.sort();
            back.sort();
            assert_eq!(forth, back);
        }
    }

    #[test]
    fn a_segment_of_no_length_visits_its_cell() {
        assert_eq!(cells((1.0, 1.0), (1.0, 1.0)).0, [(1, 1)]);
    }
}
