//! Rooms whose file gives the walkable cells itself: the text grid (`.txt`) and the benchmark format `.map`.
//!
//! The cells are used as they are, so a grid room has no areas, no obstacles and no padding. All problems of a file
//! are found in one go, as in rooms of polygons. Nothing is allocated for what a header merely claims.

mod movingai;
mod rows;
#[cfg(test)]
mod tests;
mod text;

use std::ops::Range;
use std::sync::Arc;

use glam::DVec2;

use super::convert::{file_stem, report};
use super::locate::Locator;
use super::{GroundSettings, MAX_COORDINATE_M, Parsed, Room, RoomReport, syntax};

/// The largest length a setting may have in metres, as the schema of rooms has it.
const MAX_SETTING_M: f64 = 1000.0;

/// Largest coordinate of a grid. The grid of a room at the limit of coordinates reaches beyond it by its margin (two
/// cells, radius and padding) and part of a cell.
const MAX_REACH_M: f64 = MAX_COORDINATE_M + 5.0 * MAX_SETTING_M;

/// Which cells of a grid are walkable, and where the grid lies: `cell = floor((world - min) / cellSize)`.
///
/// One bit per cell. Rows lie one after the other, z ascending. Each row begins at a new word, x ascending from the
/// lowest bit. Bits beyond the width are zero, so equal grids have equal words.
#[derive(Debug, Clone, PartialEq)]
pub struct GridCells {
    /// The corner of cell (0, 0) with the smallest coordinates, in metres.
    pub min: DVec2,
    width: u32,
    depth: u32,
    words: Vec<u64>,
    /// The columns and rows that hold every walkable cell.
    used: Option<(Range<u32>, Range<u32>)>,
}

impl GridCells {
    /// A grid of `width` × `depth` cells; `is_walkable(x, z)` tells which of them are walkable.
    pub fn new(min: DVec2, width: u32, depth: u32, is_walkable: impl Fn(u32, u32) -> bool) -> Self {
        let per_row = words_per_row(width);
        let mut words = vec![0; per_row * depth as usize];
        for (z, row) in words.chunks_mut(per_row.max(1)).enumerate() {
            for x in (0..width).filter(|&x| is_walkable(x, z as u32)) {
                row[x as usize / 64] |= 1 << (x % 64);
            }
        }
        Self::from_words(min, width, depth, words)
    }

    /// A grid of words laid out as described above.
    pub(crate) fn from_words(min: DVec2, width: u32, depth: u32, words: Vec<u64>) -> Self {
        debug_assert_eq!(words.len(), words_per_row(width) * depth as usize);
        let used = used(&words, words_per_row(width));
        Self { min, width, depth, words, used }
    }

    /// The content of a `.txt` with these cells and settings.
    pub fn to_text(&self, ground: &GroundSettings) -> String {
        text::write(ground, self)
    }

    /// Cells along x.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Cells along z.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Whether a cell is walkable; `false` outside the grid.
    pub fn is_walkable(&self, x: u32, z: u32) -> bool {
        let inside = x < self.width && z < self.depth;
        inside && self.row(z).get(x as usize / 64).is_some_and(|word| word >> (x % 64) & 1 == 1)
    }

    /// The smallest range of columns and rows that holds every walkable cell; `None` if no cell is walkable.
    pub fn walkable_extent(&self) -> Option<(Range<u32>, Range<u32>)> {
        self.used.clone()
    }

    /// The words of one row; empty outside the grid.
    pub(crate) fn row(&self, z: u32) -> &[u64] {
        let per_row = words_per_row(self.width);
        let start = z as usize * per_row;
        self.words.get(start..start + per_row).unwrap_or_default()
    }

    /// The columns and rows in which two grids of the same size differ; `None` if they do not.
    pub(crate) fn difference(&self, other: &Self) -> Option<(Range<u32>, Range<u32>)> {
        let differing: Vec<u64> = self.words.iter().zip(&other.words).map(|(a, b)| a ^ b).collect();
        used(&differing, words_per_row(self.width))
    }
}

fn words_per_row(width: u32) -> usize {
    (width as usize).div_ceil(64)
}

/// The columns and rows with set bits.
fn used(words: &[u64], per_row: usize) -> Option<(Range<u32>, Range<u32>)> {
    let mut found: Option<(Range<u32>, Range<u32>)> = None;
    for (z, row) in words.chunks(per_row.max(1)).enumerate() {
        let first = row.iter().position(|&word| word != 0);
        let last = row.iter().rposition(|&word| word != 0);
        let (Some(first), Some(last)) = (first, last) else { continue };
        let from = first as u32 * 64 + row[first].trailing_zeros();
        let to = last as u32 * 64 + 64 - row[last].leading_zeros();
        let z = z as u32;
        let (columns, rows) = found.unwrap_or((from..to, z..z));
        found = Some((columns.start.min(from)..columns.end.max(to), rows.start..z + 1));
    }
    found
}

/// Reads a `.txt`.
///
/// # Errors
/// All its problems.
pub(super) fn parse_text(file_name: &str, bytes: &[u8]) -> Result<Parsed, RoomReport> {
    let source =
        syntax::decode(file_name, bytes, "a grid is a header (cellSize, gridWidth, …) and rows of 1 and 0")?;
    match text::read(&source) {
        Ok((ground, cells)) => Ok(parsed(file_name, source, ground, cells)),
        Err(problems) => Err(report(problems, source)),
    }
}

/// Reads a `.map`, with cells of the given edge length.
///
/// # Errors
/// All its problems.
pub(super) fn parse_map(
    file_name: &str,
    bytes: &[u8],
    cell_size_m: Option<f64>,
) -> Result<Parsed, RoomReport> {
    let source = syntax::decode(file_name, bytes, "a map begins with type octile, height, width and map")?;
    match movingai::read(&source, cell_size_m.unwrap_or(movingai::CELL_SIZE_M)) {
        Ok((ground, cells)) => Ok(parsed(file_name, source, ground, cells)),
        Err(problems) => Err(report(problems, source)),
    }
}

fn parsed(
    file_name: &str,
    source: crate::problem::Source,
    ground: GroundSettings,
    cells: GridCells,
) -> Parsed {
    let room = Room::of_grid(file_stem(file_name), ground, cells);
    Parsed { room, locator: Locator::of_whole(source) }
}

impl Room {
    /// A room whose cells are used as they are, without characters. Of `ground` only the cell size, the agent's
    /// radius and the floor matter to it; the paddings are kept for [`Room::to_text_grid`].
    pub fn of_grid(name: &str, ground: GroundSettings, cells: GridCells) -> Self {
        Self { name: name.to_owned(), ground, grid: Some(Arc::new(cells)), ..Self::default() }
    }

    /// The content of a `.txt` with the cells and settings of a grid room. `None` for other rooms, whose cells are
    /// known only to the ground built from them (`Grid::to_text_grid`).
    pub fn to_text_grid(&self) -> Option<String> {
        let cells = self.grid.as_ref().filter(|_| self.mask.is_none())?;
        Some(cells.to_text(&self.ground))
    }
}
