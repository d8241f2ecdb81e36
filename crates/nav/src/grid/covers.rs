//! What decides whether each cell is walkable, for ground of polygons that is made of cells.

use super::Grid;
use super::layer::{TOLERANCE_M, extent, near_segment};
use crate::geometry::{SidedPart, sided_edges};
use crate::nav::{AreaId, Cover, ObstacleId, OutlinePiece};
use glam::DVec2;
use std::collections::BTreeMap;
use std::ops::Range;

/// For a cell: no cover, because it is never walkable.
pub(crate) const NEVER: u32 = u32::MAX;

/// The covers of all cells. A cell is walkable iff its cover is open.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CellCovers {
    /// Cells along x.
    pub width: u32,
    /// For each cell, row by row, the index of its cover, or [`NEVER`].
    pub of_cell: Vec<u32>,
    /// The covers, in the order of the first cell that has them. No two are equal. Each is open in some state of the
    /// areas, if obstacles are lifted.
    pub covers: Vec<Cover>,
    /// The pieces of outlines that the covers name.
    pub outlines: Vec<OutlinePiece>,
}

impl Grid {
    /// What decides whether each cell is walkable. It depends on the outlines and clearances, not on which areas are
    /// open.
    pub(crate) fn covers(&self) -> CellCovers {
        let mut sets = CellSets::new(self.frame.width, self.frame.depth);
        let rows = 0..self.frame.depth;
        if let Some(base) = &self.painter.base {
            for z in rows.clone() {
                let is_given = |x: &u32| base.is_walkable(*x, z);
                let mut from = 0;
                while let Some(begin) = (from..self.frame.width).find(is_given) {
                    from = (begin..self.frame.width).find(|x| !is_given(x)).unwrap_or(self.frame.width);
                    sets.add(z, begin..from, CoverPart::Given);
                }
            }
        }
        for (number, area) in self.painter.areas.iter().enumerate() {
            for z in rows.clone() {
                area.layer
                    .row(z)
                    .iter()
                    .for_each(|run| sets.add(z, run.clone(), CoverPart::Area(AreaId(number))));
            }
        }
        for (number, obstacle) in self.painter.obstacles.iter().enumerate() {
            let part = CoverPart::Obstacle(ObstacleId(number));
            for z in rows.clone() {
                obstacle.row(z).iter().for_each(|run| sets.add(z, run.clone(), part));
            }
        }
        let mut outlines = Vec::new();
        for (number, (piece, parts)) in self.outline_pieces().into_iter().enumerate() {
            for part in &parts {
                self.for_runs_near(part, |z, run| sets.add(z, run, CoverPart::Outline(number as u32)));
            }
            outlines.push(piece);
        }
        sets.covers(outlines)
    }

    /// The cells whose centres the boundary padding keeps away from a part of an outline, as the painter has them.
    fn for_runs_near(&self, SidedPart { part, .. }: &SidedPart, mut found: impl FnMut(u32, Range<u32>)) {
        let keep_off_m = self.painter.boundary_padding_m - TOLERANCE_M;
        let (a, b) = part.ends();
        let all = self.frame.cells_within(self.frame.min, self.frame.max());
        let reach = self.frame.cells_within(a.min(b) - keep_off_m, a.max(b) + keep_off_m);
        for z in reach.min.y..reach.max.y {
            near_segment(&self.frame, part, z, all, keep_off_m, |run| found(z as u32, run));
        }
    }

    /// The pieces of the outlines of areas with their parts, if the room has a boundary padding. All parts between the
    /// same sets of areas are one piece, because they are outer edges at the same times.
    fn outline_pieces(&self) -> BTreeMap<OutlinePiece, Vec<SidedPart>> {
        let mut pieces: BTreeMap<OutlinePiece, Vec<SidedPart>> = BTreeMap::new();
        if self.painter.boundary_padding_m <= TOLERANCE_M {
            return pieces;
        }
        let polygons: Vec<&[DVec2]> =
            self.painter.areas.iter().map(|area| area.layer.polygon.as_slice()).collect();
        let extents: Vec<(DVec2, DVec2)> = polygons.iter().map(|polygon| extent(polygon)).collect();
        for (subject, (min, max)) in extents.iter().enumerate() {
            // Polygons farther away cut no edge and are on no side of one.
            let is_near = |other: &usize| {
                let (low, high) = extents[*other];
                low.cmple(*max + 1.0).all() && high.cmpge(*min - 1.0).all()
            };
            let near: Vec<usize> = (0..polygons.len()).filter(is_near).collect();
            let outlines: Vec<&[DVec2]> = near.iter().map(|&number| polygons[number]).collect();
            let place = near.iter().position(|&number| number == subject).unwrap_or_default();
            for part in sided_edges(&outlines, place) {
                let areas = |side: &[usize]| side.iter().map(|&i| AreaId(near[i])).collect::<Vec<_>>();
                let (one, other) = (areas(&part.left), areas(&part.right));
                // Which side is called left does not matter.
                let (left, right) = if one > other { (one, other) } else { (other, one) };
                if left != right {
                    pieces.entry(OutlinePiece { left, right }).or_default().push(part);
                }
            }
        }
        pieces
    }
}

/// A part of a cover. Parts are added to cells in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum CoverPart {
    Given,
    Area(AreaId),
    Obstacle(ObstacleId),
    Outline(u32),
}

/// For a cell: nothing lies on it.
const NOTHING: u32 = u32::MAX;

/// The set of parts of each cell. Equal sets have one number.
struct CellSets {
    width: u32,
    of_cell: Vec<u32>,
    /// For each set the one without its last part, and that part.
    sets: Vec<(u32, CoverPart)>,
    numbers: BTreeMap<(u32, CoverPart), u32>,
}

impl CellSets {
    fn new(width: u32, depth: u32) -> Self {
        let of_cell = vec![NOTHING; width as usize * depth as usize];
        Self { width, of_cell, sets: Vec::new(), numbers: BTreeMap::new() }
    }

    /// Adds a part to some cells of a row. Only ground has obstacles and outlines on it.
    fn add(&mut self, z: u32, run: Range<u32>, part: CoverPart) {
        let is_ground = matches!(part, CoverPart::Given | CoverPart::Area(_));
        let first = z as usize * self.width as usize;
        let Self { of_cell, sets, numbers, .. } = self;
        // Most cells of a run have the same set.
        let mut known = None;
        for set in &mut of_cell[first + run.start as usize..first + run.end as usize] {
            let has_it = || sets.get(*set as usize).is_some_and(|(_, last)| *last == part);
            if *set == NOTHING && !is_ground {
                continue;
            }
            let more = match known {
                Some((before, after)) if before == *set => after,
                _ if has_it() => *set,
                _ => *numbers.entry((*set, part)).or_insert_with(|| {
                    sets.push((*set, part));
                    sets.len() as u32 - 1
                }),
            };
            known = Some((*set, more));
            *set = more;
        }
    }

    fn covers(mut self, outlines: Vec<OutlinePiece>) -> CellCovers {
        let unknown = NEVER - 1;
        let mut cover_of = vec![unknown; self.sets.len()];
        let mut covers = Vec::new();
        let mut of_cell = std::mem::take(&mut self.of_cell);
        for cell in of_cell.iter_mut().filter(|cell| **cell != NOTHING) {
            let set = *cell as usize;
            if cover_of[set] == unknown {
                let cover = self.cover(*cell);
                cover_of[set] = NEVER;
                if cover.can_open(&outlines) {
                    cover_of[set] = covers.len() as u32;
                    covers.push(cover);
                }
            }
            *cell = cover_of[set];
        }
        CellCovers { width: self.width, of_cell, covers, outlines }
    }

    fn cover(&self, mut set: u32) -> Cover {
        let mut cover = Cover::default();
        while let Some(&(rest, part)) = self.sets.get(set as usize) {
            match part {
                CoverPart::Given => cover.given = true,
                CoverPart::Area(area) => cover.areas.push(area),
                CoverPart::Obstacle(obstacle) => cover.obstacles.push(obstacle),
                CoverPart::Outline(piece) => cover.outlines.push(piece),
            }
            set = rest;
        }
        cover.areas.reverse();
        cover.obstacles.reverse();
        cover.outlines.reverse();
        cover
    }
}

impl CellCovers {
    /// Cells along z.
    pub(crate) fn depth(&self) -> u32 {
        self.of_cell.len().checked_div(self.width as usize).unwrap_or(0) as u32
    }
}
