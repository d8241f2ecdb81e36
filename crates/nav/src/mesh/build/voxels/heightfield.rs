//! Solid spans in columns of cells.

use super::{Progress, VoxelProblem, VoxelSettings};
use glam::DVec3;

/// More columns than this are refused: the heads of their lists alone take 4 bytes each.
const MAX_COLUMNS: f64 = 50e6;

/// More spans than this are refused: bare ground of a square kilometre in cells of 0.15 m. Each takes about 95 bytes at the
/// peak of a build.
const MAX_SPANS: usize = 50_000_000;

/// Taller levels are refused, because heights are `f32` and have to be exact to about a millimetre.
const MAX_HEIGHT_M: f64 = 16_000.0;

/// In lists of spans: the end.
pub(super) const NONE: u32 = u32::MAX;

/// Something solid in a column, from its bottom to its top.
#[derive(Debug, Clone, Copy)]
pub(super) struct Span {
    /// In metres above the lowest vertex.
    pub bottom_m: f32,
    pub top_m: f32,
    /// The height of the surface at the centre of the cell.
    pub floor_m: f32,
    /// Whether the surface reaches the centre of the cell. It is more exact than one that does not.
    pub is_central: bool,
    /// Whether a character can stand on it.
    pub is_walkable: bool,
    /// The next span above, or [`NONE`].
    pub above: u32,
}

/// The columns of a level.
pub(super) struct Heightfield {
    /// The corner of the grid with the smallest coordinates, in metres.
    pub origin: DVec3,
    pub cell_size_m: f64,
    /// In cells along x and z. There is an empty cell on each side of the level.
    pub width: usize,
    pub depth: usize,
    /// The lowest span of each column, or [`NONE`].
    pub columns: Vec<u32>,
    pub spans: Vec<Span>,
    free: u32,
    merge_m: f32,
    climb_m: f32,
}

impl Heightfield {
    /// Columns that hold all vertices of triangles.
    pub(super) fn new(
        vertices: &[DVec3],
        triangles: &[[u32; 3]],
        settings: &VoxelSettings,
    ) -> Result<Self, VoxelProblem> {
        let (mut min, mut max) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for &vertex in triangles.iter().flatten() {
            min = min.min(vertices[vertex as usize]);
            max = max.max(vertices[vertex as usize]);
        }
        if triangles.is_empty() {
            return Err(VoxelProblem::NoGround {
                reason: "it has no triangles".into(),
                hint: "export its faces, not only edges, curves or empty objects",
            });
        }
        if max.y - min.y > MAX_HEIGHT_M {
            return Err(VoxelProblem::TooTall { height_m: max.y - min.y });
        }
        let cell = settings.cell_size_m;
        let (width, depth) = (((max.x - min.x) / cell).floor() + 3.0, ((max.z - min.z) / cell).floor() + 3.0);
        if width * depth > MAX_COLUMNS {
            let factor = (width * depth / MAX_COLUMNS).sqrt();
            return Err(VoxelProblem::TooManyColumns {
                columns: width * depth,
                most: MAX_COLUMNS,
                cell_size_m: cell * factor * 1.01,
            });
        }
        Ok(Self {
            origin: DVec3::new(min.x - cell, min.y, min.z - cell),
            cell_size_m: cell,
            width: width as usize,
            depth: depth as usize,
            columns: vec![NONE; width as usize * depth as usize],
            spans: Vec::new(),
            free: NONE,
            merge_m: settings.cell_height_m as f32,
            climb_m: climb_m(settings),
        })
    }

    /// Adds a span to a column, and merges it with the spans that it touches.
    pub(super) fn add(&mut self, column: usize, mut new: Span) -> Result<(), VoxelProblem> {
        let (mut below, mut current) = (NONE, self.columns[column]);
        while current != NONE {
            let span = self.spans[current as usize];
            if span.bottom_m > new.top_m + self.merge_m {
                break;
            }
            if span.top_m + self.merge_m < new.bottom_m {
                (below, current) = (current, span.above);
                continue;
            }
            new = self.merged(&span, &new);
            self.unlink(column, below, current, span.above);
            current = span.above;
        }
        new.above = current;
        let index = self.place(new)?;
        match below {
            NONE => self.columns[column] = index,
            below => self.spans[below as usize].above = index,
        }
        Ok(())
    }

    /// The higher surface counts. Where both are less than a step apart, the walkable one does.
    fn merged(&self, old: &Span, new: &Span) -> Span {
        let (low, high) = if old.top_m <= new.top_m { (old, new) } else { (new, old) };
        let is_step = high.top_m - low.top_m <= self.climb_m;
        let takes_low = is_step
            && match (low.is_walkable, high.is_walkable) {
                (true, false) => true,
                (true, true) if low.is_central == high.is_central => low.floor_m > high.floor_m,
                (true, true) => low.is_central,
                (false, _) => false,
            };
        let surface = if takes_low { low } else { high };
        Span { bottom_m: old.bottom_m.min(new.bottom_m), top_m: high.top_m, above: NONE, ..*surface }
    }

    fn unlink(&mut self, column: usize, below: u32, span: u32, above: u32) {
        match below {
            NONE => self.columns[column] = above,
            below => self.spans[below as usize].above = above,
        }
        self.spans[span as usize].above = self.free;
        self.free = span;
    }

    fn place(&mut self, span: Span) -> Result<u32, VoxelProblem> {
        if self.free != NONE {
            let index = self.free;
            self.free = self.spans[index as usize].above;
            self.spans[index as usize] = span;
            return Ok(index);
        }
        if self.spans.len() >= MAX_SPANS {
            return Err(VoxelProblem::TooManyVoxels { most: MAX_SPANS, cell_size_m: self.cell_size_m * 1.5 });
        }
        self.spans.push(span);
        Ok(self.spans.len() as u32 - 1)
    }

    /// The spans of a column with the bottom of the next span above each (or infinity), from below.
    pub(super) fn column(&self, column: usize) -> impl Iterator<Item = (u32, Span, f32)> + '_ {
        let mut current = self.columns[column];
        std::iter::from_fn(move || {
            let span = *self.spans.get(current as usize)?;
            let index = std::mem::replace(&mut current, span.above);
            let ceiling_m = self.spans.get(span.above as usize).map_or(f32::INFINITY, |next| next.bottom_m);
            Some((index, span, ceiling_m))
        })
    }

    /// The columns beside a column: towards smaller x and z, then larger x and z. `None` beyond the grid.
    pub(super) fn beside(&self, column: usize) -> [Option<usize>; 4] {
        let (x, z) = (column % self.width, column / self.width);
        [
            (x > 0).then(|| column - 1),
            (z > 0).then(|| column - self.width),
            (x + 1 < self.width).then(|| column + 1),
            (z + 1 < self.depth).then(|| column + self.width),
        ]
    }

    /// Makes spans unwalkable, or walkable again, as characters of this size need it.
    pub(super) fn filter(
        &mut self,
        settings: &VoxelSettings,
        progress: &mut Progress,
    ) -> Result<(), VoxelProblem> {
        let columns = self.columns.len();
        for column in 0..columns {
            progress.sometimes(column, columns * 2)?;
            self.filter_low_obstacles(column);
        }
        let height_m = settings.agent_height_m as f32 - TOLERANCE_M;
        for column in 0..columns {
            progress.sometimes(columns + column, columns * 2)?;
            self.filter_column(column, height_m);
        }
        Ok(())
    }

    /// Kerbs and low walls are steps: what is steep becomes walkable if it is a step above walkable ground.
    fn filter_low_obstacles(&mut self, column: usize) {
        let mut below: Option<Span> = None;
        let mut current = self.columns[column];
        while current != NONE {
            let span = self.spans[current as usize];
            let is_step =
                below.is_some_and(|below| below.is_walkable && span.top_m - below.top_m <= self.climb_m);
            if is_step && !span.is_walkable {
                let span = &mut self.spans[current as usize];
                (span.is_walkable, span.floor_m) = (true, span.top_m);
            }
            (below, current) = (Some(span), span.above);
        }
    }

    /// Low headroom, and ledges: a cell beside a drop may overhang it.
    fn filter_column(&mut self, column: usize, height_m: f32) {
        let mut current = self.columns[column];
        while current != NONE {
            let span = self.spans[current as usize];
            let ceiling_m = self.spans.get(span.above as usize).map_or(f32::INFINITY, |next| next.bottom_m);
            let is_low = ceiling_m - span.top_m < height_m;
            if span.is_walkable && (is_low || self.is_ledge(column, &span, ceiling_m, height_m)) {
                self.spans[current as usize].is_walkable = false;
            }
            current = span.above;
        }
    }

    fn is_ledge(&self, column: usize, span: &Span, ceiling_m: f32, height_m: f32) -> bool {
        self.beside(column).into_iter().any(|beside| {
            let Some(beside) = beside else { return true };
            // What is open beside the span, and how deep the nearest ground there is.
            let mut nearest_m = f32::NEG_INFINITY;
            let mut open = false;
            let lowest = self.spans.get(self.columns[beside] as usize);
            open |= ceiling_m.min(lowest.map_or(f32::INFINITY, |low| low.bottom_m)) - span.top_m >= height_m;
            for (_, other, other_ceiling_m) in self.column(beside) {
                if ceiling_m.min(other_ceiling_m) - span.top_m.max(other.top_m) >= height_m {
                    nearest_m = nearest_m.max(other.top_m - span.top_m);
                    open = true;
                }
            }
            open && nearest_m < -self.climb_m
        })
    }
}

/// Heights within this are equal.
pub(super) const TOLERANCE_M: f32 = 1e-3;

/// The highest step with its tolerance.
pub(super) fn climb_m(settings: &VoxelSettings) -> f32 {
    settings.agent_climb_m as f32 + TOLERANCE_M
}
