//! Planks, bricks, tiles and lettering: calm patterns that differ a little from piece to piece.

use crate::canvas::{Canvas, Colour};
use crate::shapes::{Area, Point, area, line};

/// A number from -1 to 1 that belongs to a piece of a pattern: the same in every run, but without any order
/// that the eye could find.
pub(crate) fn grain(row: u32, column: u32) -> f64 {
    let mut bits = row.wrapping_mul(0x9E37_79B1) ^ column.wrapping_mul(0x85EB_CA77).rotate_left(13);
    bits ^= bits >> 15;
    bits = bits.wrapping_mul(0x2C1B_3C6D);
    bits ^= bits >> 12;
    bits = bits.wrapping_mul(0x297A_2D39);
    bits ^= bits >> 15;
    f64::from(bits >> 16) / 32767.5 - 1.0
}

/// Pieces of the same size, in rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pattern {
    /// Width and height of a piece together with its seam.
    pub(crate) piece: (f64, f64),
    /// How far each row is moved against the one above, as a share of a piece. 0 makes tiles, 0.5 bricks.
    pub(crate) shift: f64,
    pub(crate) seam: f64,
    /// How much the pieces differ from one another.
    pub(crate) variety: f64,
}

impl Pattern {
    /// Lays the pieces over an area whose ground becomes the seams.
    pub(crate) fn lay(self, canvas: &mut Canvas, over: Area, colour: Colour, seams: Colour) {
        canvas.block(over, seams);
        let (width, height) = self.piece;
        let rows = (over.height() / height).ceil() as u32;
        let columns = (over.width() / width).ceil() as u32 + 1;
        for row in 0..rows {
            let top = over.top + f64::from(row) * height;
            let start = over.left - (f64::from(row) * self.shift).fract() * width;
            for column in 0..columns {
                let left = start + f64::from(column) * width;
                let piece = area(
                    left.max(over.left),
                    top,
                    (left + width - self.seam).min(over.right),
                    (top + height - self.seam).min(over.bottom),
                );
                if piece.width() > 0.0 {
                    canvas.block(piece, colour.varied(grain(row, column) * self.variety));
                }
            }
        }
    }
}

/// Each letter as lines on a grid, four wide and six high.
fn strokes(letter: char) -> &'static [&'static [Point]] {
    match letter {
        'A' => &[&[(0.0, 6.0), (2.0, 0.0), (4.0, 6.0)], &[(0.8, 4.0), (3.2, 4.0)]],
        'B' => &[
            &[(0.0, 0.0), (2.6, 0.0), (3.5, 0.8), (3.5, 2.1), (2.6, 2.9), (0.0, 2.9)],
            &[(2.6, 2.9), (3.9, 3.8), (3.9, 5.2), (2.8, 6.0), (0.0, 6.0), (0.0, 0.0)],
        ],
        'C' => &[&[
            (4.0, 1.0),
            (2.9, 0.0),
            (1.2, 0.0),
            (0.0, 1.4),
            (0.0, 4.6),
            (1.2, 6.0),
            (2.9, 6.0),
            (4.0, 5.0),
        ]],
        'E' => &[&[(3.7, 0.0), (0.0, 0.0), (0.0, 6.0), (3.7, 6.0)], &[(0.0, 2.9), (3.0, 2.9)]],
        'É' => &[
            &[(3.7, 0.0), (0.0, 0.0), (0.0, 6.0), (3.7, 6.0)],
            &[(0.0, 2.9), (3.0, 2.9)],
            &[(1.6, -1.3), (2.8, -2.3)],
        ],
        'F' => &[&[(3.7, 0.0), (0.0, 0.0), (0.0, 6.0)], &[(0.0, 2.9), (3.0, 2.9)]],
        'I' => &[&[(0.4, 0.0), (0.4, 6.0)]],
        'K' => &[&[(0.0, 0.0), (0.0, 6.0)], &[(3.8, 0.0), (0.0, 3.6)], &[(1.3, 2.5), (4.0, 6.0)]],
        'O' => &[&[
            (1.2, 0.0),
            (2.8, 0.0),
            (4.0, 1.4),
            (4.0, 4.6),
            (2.8, 6.0),
            (1.2, 6.0),
            (0.0, 4.6),
            (0.0, 1.4),
            (1.2, 0.0),
        ]],
        'R' => &[
            &[(0.0, 6.0), (0.0, 0.0), (2.8, 0.0), (3.8, 0.9), (3.8, 2.3), (2.8, 3.2), (0.0, 3.2)],
            &[(2.0, 3.2), (4.0, 6.0)],
        ],
        'S' => &[&[
            (3.8, 0.9),
            (2.8, 0.0),
            (1.1, 0.0),
            (0.2, 0.9),
            (0.2, 2.0),
            (1.1, 2.8),
            (2.9, 3.2),
            (3.9, 4.0),
            (3.9, 5.1),
            (2.9, 6.0),
            (1.1, 6.0),
            (0.0, 5.1),
        ]],
        'Y' => &[&[(0.0, 0.0), (2.0, 3.0), (4.0, 0.0)], &[(2.0, 3.0), (2.0, 6.0)]],
        _ => &[],
    }
}

/// How far the next letter is from this one, in units of the grid.
fn advance(letter: char) -> f64 {
    if letter == 'I' { 3.0 } else { 6.2 }
}

/// Writes a word in capitals, its middle at the given point.
pub(crate) fn lettering(canvas: &mut Canvas, word: &str, middle: Point, height: f64, colour: Colour) {
    let unit = height / 6.0;
    let gap = 2.2;
    let width = word.chars().map(advance).sum::<f64>() - gap;
    let mut left = middle.0 - width * unit / 2.0;
    for letter in word.chars() {
        for stroke in strokes(letter) {
            let points: Vec<Point> =
                stroke.iter().map(|p| (left + p.0 * unit, middle.1 + (p.1 - 3.0) * unit)).collect();
            canvas.fill(&line(&points, unit * 1.15), colour);
        }
        left += advance(letter) * unit;
    }
}
