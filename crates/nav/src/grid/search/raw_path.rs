//! The points of a path before shortening, stored as straight runs instead of a list of cells.

use crate::grid::{Grid, GridPoint, Node};
use glam::DVec2;

/// The points of a path, in runs of equal steps, in units of cells.
#[derive(Debug, Clone, Default)]
pub(super) struct RawPath {
    runs: Vec<StraightRun>,
    /// The real ends in metres, exact to the last bit. The runs hold rounded copies in cell units.
    ends: (Option<DVec2>, Option<DVec2>),
    /// Bounding rectangles of every [`CHUNK`] runs: smallest and largest coordinates.
    chunks: Vec<(DVec2, DVec2)>,
}

/// Number of runs per bounding rectangle.
const CHUNK: usize = 8;

/// Points in a straight line.
#[derive(Debug, Clone, Copy)]
pub(super) struct StraightRun {
    pub(super) first: DVec2,
    pub(super) step: DVec2,
    /// How many points, at least one.
    pub(super) len: u32,
}

impl StraightRun {
    fn single(point: DVec2) -> Self {
        Self { first: point, step: DVec2::ZERO, len: 1 }
    }

    #[inline]
    pub(super) fn point(&self, index: u32) -> GridPoint {
        GridPoint(self.first + self.step * f64::from(index))
    }
}

/// The rectangle around nothing: smallest and largest coordinates.
const NOTHING: (DVec2, DVec2) = (DVec2::INFINITY, DVec2::NEG_INFINITY);

/// The rectangle around another rectangle and a run.
fn include((low, high): (DVec2, DVec2), run: &StraightRun) -> (DVec2, DVec2) {
    let (first, last) = (run.first, run.point(run.len - 1).0);
    (low.min(first).min(last), high.max(first).max(last))
}

impl RawPath {
    /// Sets the points from a path of nodes, given by its turns. `from` and `to` are the real ends, if they belong to
    /// the first and the last node. In a grid they replace these nodes; in a painted room they are added before and
    /// after them.
    pub(super) fn lay(&mut self, ground: &Grid, turns: &[Node], from: Option<DVec2>, to: Option<DVec2>) {
        self.runs.clear();
        self.ends = (from, to);
        let spot = |point: DVec2| ground.spot(point).0;
        let nodes = turns.iter().map(|&node| ground.spot_of(node).0);
        if ground.nodes_are_cells() {
            self.add_cells(nodes, from.map(spot), to.map(spot));
        } else {
            from.map(spot).into_iter().chain(nodes).chain(to.map(spot)).for_each(|point| self.push(point));
        }
        self.chunks.clear();
        self.chunks.extend(self.runs.chunks_exact(CHUNK).map(|runs| runs.iter().fold(NOTHING, include)));
    }

    fn add_cells(&mut self, mut nodes: impl Iterator<Item = DVec2>, from: Option<DVec2>, to: Option<DVec2>) {
        let Some(mut at) = nodes.next() else { return };
        let begin = at;
        self.runs.push(StraightRun::single(from.unwrap_or(at)));
        for next in nodes {
            let steps = (next - at).abs().max_element();
            let step = (next - at) / steps;
            match self.runs.last_mut() {
                Some(last) if last.step == step => last.len += steps as u32,
                _ => self.runs.push(StraightRun { first: at + step, step, len: steps as u32 }),
            }
            at = next;
        }
        if at == begin {
            return self.runs.push(StraightRun::single(to.unwrap_or(at)));
        }
        if let (Some(to), Some(last)) = (to, self.runs.last_mut()) {
            last.len -= 1;
            if last.len == 0 {
                self.runs.pop();
            }
            self.runs.push(StraightRun::single(to));
        }
    }

    /// The rectangle around the path in metres: smallest and largest coordinates.
    pub(super) fn around(&self, ground: &Grid) -> (DVec2, DVec2) {
        let (low, high) = self.runs.iter().fold(NOTHING, include);
        (ground.point_at(GridPoint(low)), ground.point_at(GridPoint(high)))
    }

    /// The chunk of runs that ends before a run: its first run, and its four corners.
    pub(super) fn chunk_before(&self, run: usize) -> Option<(usize, [GridPoint; 4])> {
        let chunk = (run / CHUNK).checked_sub(1).filter(|_| run.is_multiple_of(CHUNK))?;
        let &(low, high) = self.chunks.get(chunk)?;
        let corners = [low, DVec2::new(high.x, low.y), DVec2::new(low.x, high.y), high];
        Some((chunk * CHUNK, corners.map(GridPoint)))
    }

    /// Adds a point. A point one step after the last run extends that run.
    fn push(&mut self, point: DVec2) {
        let Some(last) = self.runs.last_mut() else { return self.runs.push(StraightRun::single(point)) };
        let step = point - last.point(last.len - 1).0;
        if step == DVec2::ZERO {
            return;
        }
        match last.len {
            // Centres of cells are exact in cell units, so steps can be compared for equality.
            _ if step == last.step => last.len += 1,
            _ => self.runs.push(StraightRun { first: point, step, len: 1 }),
        }
    }

    pub(super) fn runs(&self) -> &[StraightRun] {
        &self.runs
    }

    /// Replaces the first and the last of the shortened points, in metres, by the real ends.
    pub(super) fn restore_ends(&self, points: &mut [DVec2]) {
        if let [first, rest @ ..] = points {
            *first = self.ends.0.unwrap_or(*first);
            if let Some(last) = rest.last_mut() {
                *last = self.ends.1.unwrap_or(*last);
            }
        }
    }

    /// All points.
    pub(super) fn spots(&self) -> impl Iterator<Item = GridPoint> + '_ {
        self.runs.iter().flat_map(|run| (0..run.len).map(|index| run.point(index)))
    }
}
