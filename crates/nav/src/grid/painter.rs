//! The painter: walkable cells from polygons, or from the cells of a file. One function paints a rectangle of cells
//! from scratch. A full build paints everything, and a toggle only the rectangle of the area. Both therefore give the
//! same bits by construction.

use super::erosion::{Erosion, reach_cells};
use super::frame::{CellRect, Frame};
use super::layer::{Layer, TOLERANCE_M, extent, near_segment};
use super::raster::Raster;
use crate::geometry::{SegmentPart, for_words, outer_edges};
use crate::room::{GridCells, WhenOccupied};
use glam::{DVec2, I64Vec2};
use std::sync::Arc;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct AreaLayer {
    pub(super) layer: Layer,
    pub(super) available: bool,
    /// Whether it also blocks what it shares with open areas, while it is closed.
    pub(super) bars: bool,
    pub(super) when_occupied: WhenOccupied,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Painter {
    /// The cells before any polygon is painted: those of a room made of a grid, which has the frame's size.
    pub(super) base: Option<Arc<GridCells>>,
    pub(super) areas: Vec<AreaLayer>,
    pub(super) obstacles: Vec<Layer>,
    pub(super) see_through: SeeThrough,
    pub(super) boundary_padding_m: f64,
    /// The distance to given or painted cells that are not walkable.
    pub(super) pixel_padding_m: f64,
}

/// The areas and obstacles that do not block vision, by index. Walking does not use this.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct SeeThrough {
    /// Areas that hide nothing while they are closed.
    pub(super) areas: Vec<bool>,
    /// Obstacles that hide nothing.
    pub(super) obstacles: Vec<bool>,
}

/// What painting changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Changed {
    pub(super) opened: bool,
    pub(super) closed: bool,
}

impl Painter {
    /// Paints the cells of `rect`; says whether any opened or closed.
    pub(super) fn paint(&self, frame: &Frame, bits: &mut Raster, rect: CellRect) -> Changed {
        let mut changed = Changed::default();
        if rect.is_empty() {
            return changed;
        }
        let outline = self.outline_near(frame, rect);
        let columns = rect.min.x as u32..rect.max.x as u32;
        let words = columns.start as usize / 64..columns.end.div_ceil(64) as usize;
        let mut fresh = vec![0u64; bits.words_per_row()];
        let near = |layer: &&Layer| layer.rect.meets(rect);
        let layers = |open: bool| {
            let wanted = move |area: &&AreaLayer| area.available == open && (open || area.bars);
            self.areas.iter().filter(wanted).map(|area| &area.layer).filter(near)
        };
        let (areas, bars): (Vec<&Layer>, Vec<&Layer>) = (layers(true).collect(), layers(false).collect());
        let erosion = Erosion::new(self, frame, rect);
        let mut obstacles: Vec<&Layer> = self.obstacles.iter().filter(near).collect();
        // In the order of their first rows, so that each row tests only the layers that reach it.
        obstacles.sort_by_key(|layer| std::cmp::Reverse(layer.rect.min.y));
        let mut in_row: Vec<&Layer> = Vec::new();
        for z in rect.min.y..rect.max.y {
            in_row.retain(|layer| z < layer.rect.max.y);
            while let Some(layer) = obstacles.pop_if(|layer| layer.rect.min.y <= z) {
                in_row.push(layer);
            }
            match &self.base {
                Some(base) => fresh[words.clone()].copy_from_slice(&base.row(z as u32)[words.clone()]),
                None => fresh[words.clone()].fill(0),
            }
            for run in areas.iter().flat_map(|layer| layer.row(z as u32)) {
                for_words(&mut fresh, run.clone(), |word, mask| *word |= mask);
            }
            erosion.clear_near_blocked(z, &mut fresh);
            for run in bars.iter().chain(&in_row).flat_map(|layer| layer.row(z as u32)) {
                for_words(&mut fresh, run.clone(), |word, mask| *word &= !mask);
            }
            for part in &outline {
                // A distance of exactly the padding is far enough.
                near_segment(frame, part, z, rect, self.boundary_padding_m - TOLERANCE_M, |run| {
                    for_words(&mut fresh, run, |word, mask| *word &= !mask);
                });
            }
            let row = bits.row_mut(z as u32);
            for_words(&mut fresh, columns.clone(), |word, mask| *word &= mask);
            let mut word_index = columns.start as usize / 64;
            for_words(row, columns.clone(), |word, mask| {
                let (old, new) = (*word & mask, fresh[word_index] & mask);
                changed.opened |= new & !old != 0;
                changed.closed |= old & !new != 0;
                *word = (*word & !mask) | new;
                word_index += 1;
            });
        }
        changed
    }

    /// The rectangle that an area's toggle can change. It is larger than the area, because the padding moves with the
    /// outline.
    pub(super) fn toggle_rect(&self, frame: &Frame, area: usize) -> CellRect {
        let layer = &self.areas[area].layer;
        if layer.painted.is_some() {
            let rect = layer.rect.grown(reach_cells(self.pixel_padding_m, frame));
            return rect.within(frame);
        }
        let (min, max) = extent(&layer.polygon);
        let margin_m = self.boundary_padding_m + TOLERANCE_M;
        frame.cells_within(min - margin_m, max + margin_m)
    }

    /// The work of a toggle of an area: words of cells, and rows of areas and obstacles.
    pub(super) fn toggle_work(&self, frame: &Frame, area: usize) -> u64 {
        let rect = self.toggle_rect(frame, area);
        let extent = (rect.max - rect.min).max(I64Vec2::ZERO);
        let rows_of = |layer: &Layer| layer.rect.max.y.min(rect.max.y) - layer.rect.min.y.max(rect.min.y);
        let layers = self.areas.iter().map(|area| &area.layer).chain(&self.obstacles);
        let rows: i64 = layers.filter(|layer| layer.rect.meets(rect)).map(rows_of).sum();
        (extent.y * (extent.x / 64 + 1) + rows).unsigned_abs()
    }

    /// The outline of the union of the available areas, as far as it can affect `rect`. `boundary_padding_m` keeps
    /// walkers off this outline. An edge between two available areas is not part of it.
    fn outline_near(&self, frame: &Frame, rect: CellRect) -> Vec<SegmentPart> {
        if self.boundary_padding_m <= TOLERANCE_M {
            return Vec::new();
        }
        let reach = self.boundary_padding_m + frame.cell_size_m;
        let (min, max) = (frame.centre(rect.min) - reach, frame.centre(rect.max) + reach);
        // Polygons farther away hide no edge that counts here.
        let near = |polygon: &&[DVec2]| {
            let (low, high) = extent(polygon);
            low.cmple(max).all() && high.cmpge(min).all()
        };
        let open = self.areas.iter().filter(|area| area.available);
        let polygons: Vec<&[DVec2]> = open.map(|area| area.layer.polygon.as_slice()).filter(near).collect();
        let mut outline = Vec::new();
        for subject in 0..polygons.len() {
            outline.extend(outer_edges(&polygons, subject));
        }
        outline
    }
}
