//! The solids of a tactical level, found by place.

use super::region::Rectangle;
use crate::geometry::{Filled, Prism, Solid};
use crate::room::{
    Brush, BrushKind, CELL_UNITS, Facing, LEVEL_UNITS, MAX_TACTICAL_CELLS, MAX_TACTICAL_LEVELS, QUANT_UNITS,
    Tactics,
};
use glam::{DVec2, DVec3};

/// Heights of rounding errors, in quants.
const TINY: f64 = 1e-7;

/// The solids of a level.
#[derive(Debug, Clone)]
pub(super) struct Level {
    /// Cells along x and y, and levels above each other.
    pub(super) size: [u32; 3],
    obstacles: Vec<Obstacle>,
    pub(super) ladders: Vec<(Solid, Facing)>,
    /// For each cell, the obstacles near it: so near that they may be in its passages.
    near: Vec<Vec<u32>>,
}

#[derive(Debug, Clone)]
struct Obstacle {
    solid: Solid,
    min: DVec2,
    max: DVec2,
    /// The area that switches it, by its place in the list of areas.
    area: Option<u32>,
    is_clip: bool,
}

/// What fills a part of a column, in quants from the bottom of the level.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Span {
    /// Rounded down: ceilings.
    pub(super) bottom: i32,
    /// Rounded up: floors.
    pub(super) top: i32,
    /// The top in units, before rounding.
    surface: f64,
    /// Whether one may stand on it.
    pub(super) carries: bool,
}

impl Level {
    /// The solids of a level, and the areas that switch them. Brushes that are none are left out.
    pub(super) fn new(tactics: &Tactics) -> (Self, Vec<String>) {
        let (mut obstacles, mut ladders) = (Vec::new(), Vec::new());
        let mut areas: Vec<String> = Vec::new();
        for brush in &tactics.brushes {
            let solid = match brush.kind {
                BrushKind::Ladder(_) => Solid::around(&brush.shape),
                BrushKind::Solid | BrushKind::Clip => Solid::new(&brush.shape),
            };
            let Ok(solid) = solid else { continue };
            let area = brush.area.as_ref().map(|name| {
                let known = areas.iter().position(|area| area == name);
                known.unwrap_or_else(|| {
                    areas.push(name.clone());
                    areas.len() - 1
                }) as u32
            });
            match brush.kind {
                BrushKind::Ladder(facing) => ladders.push((solid, facing)),
                kind => {
                    let [min, max] = solid.bounds().map(DVec3::truncate);
                    obstacles.push(Obstacle { solid, min, max, area, is_clip: kind == BrushKind::Clip });
                }
            }
        }
        let cells = |units: f64| ((units / CELL_UNITS).ceil() as u32).clamp(1, MAX_TACTICAL_CELLS);
        let of_ladders = ladders.iter().map(|(solid, _)| solid.bounds()[1].truncate());
        let far =
            obstacles.iter().map(|obstacle| obstacle.max).chain(of_ladders).fold(DVec2::ZERO, DVec2::max);
        let size = [cells(far.x), cells(far.y), MAX_TACTICAL_LEVELS];
        let mut near = vec![Vec::new(); (size[0] * size[1]) as usize];
        for (index, obstacle) in obstacles.iter().enumerate() {
            // The passages of a 2 × 2 actor reach a cell and a half beyond its own.
            let reach = 2.0 * CELL_UNITS;
            let range = |low: f64, high: f64, count: u32| {
                let first = ((low - reach) / CELL_UNITS).floor().max(0.0) as u32;
                first..(((high + reach) / CELL_UNITS).ceil() as u32).min(count)
            };
            for y in range(obstacle.min.y, obstacle.max.y, size[1]) {
                for x in range(obstacle.min.x, obstacle.max.x, size[0]) {
                    near[(y * size[0] + x) as usize].push(index as u32);
                }
            }
        }
        (Self { size, obstacles, ladders, near }, areas)
    }

    /// What fills a prism near a cell, sorted, with gaps between. `is_open` tells which areas are open.
    pub(super) fn spans(&self, cell: [u32; 2], prism: &Prism, is_open: &[bool], spans: &mut Vec<Span>) {
        spans.clear();
        for &index in &self.near[(cell[1] * self.size[0] + cell[0]) as usize] {
            let obstacle = &self.obstacles[index as usize];
            if obstacle.area.is_some_and(|area| is_open[area as usize]) {
                continue;
            }
            obstacle.solid.fill(prism, |Filled { low, high, .. }| {
                let bottom = (low / QUANT_UNITS + TINY).floor() as i32;
                let top = (high / QUANT_UNITS - TINY).ceil() as i32;
                spans.push(Span { bottom, top, surface: high, carries: !obstacle.is_clip });
            });
        }
        spans.sort_unstable_by_key(|span| (span.bottom, span.top, span.carries));
        spans.dedup_by(|next, last| {
            let meets = next.bottom <= last.top;
            if meets {
                // What is highest is stood on; of two at the same height, what carries.
                if (next.surface - last.surface).abs() < TINY {
                    last.carries |= next.carries;
                } else if next.surface > last.surface {
                    (last.surface, last.carries) = (next.surface, next.carries);
                }
                last.top = last.top.max(next.top);
            }
            meets
        });
    }

    /// Whether one solid fills the prism up to a height and none is above it there, up to another height: a flat floor.
    pub(super) fn is_flat(
        &self,
        cell: [u32; 2],
        prism: &Prism,
        floor: i32,
        to: i32,
        is_open: &[bool],
    ) -> bool {
        let (mut fills, mut is_free) = (false, true);
        for &index in &self.near[(cell[1] * self.size[0] + cell[0]) as usize] {
            let obstacle = &self.obstacles[index as usize];
            if obstacle.area.is_some_and(|area| is_open[area as usize]) {
                continue;
            }
            obstacle.solid.fill(prism, |Filled { low, high, is_level }| {
                if low / QUANT_UNITS < f64::from(to) {
                    let top = (high / QUANT_UNITS - TINY).ceil() as i32;
                    is_free &= top <= floor;
                    fills |= top == floor && is_level;
                }
            });
            if !is_free {
                return false;
            }
        }
        fills
    }

    /// Rectangles of cells that an area can change for actors of a size: their lower corners, and the corners behind them.
    pub(super) fn cells_of_area(&self, area: u32, actor: u32) -> Vec<Rectangle> {
        let of_area = self.obstacles.iter().filter(|obstacle| obstacle.area == Some(area));
        of_area.map(|obstacle| self.cells_around([obstacle.min, obstacle.max], actor)).collect()
    }

    /// The rectangle of cells that a brush can change. `None` if it is no solid.
    pub(super) fn cells_of_brush(&self, brush: &Brush, actor: u32) -> Option<Rectangle> {
        let solid = match brush.kind {
            BrushKind::Ladder(_) => return None,
            BrushKind::Solid | BrushKind::Clip => Solid::new(&brush.shape).ok()?,
        };
        Some(self.cells_around(solid.bounds().map(DVec3::truncate), actor))
    }

    /// The rectangle of cells in which actors may stand in a ladder.
    pub(super) fn cells_of_ladder(&self, ladder: usize, actor: u32) -> Rectangle {
        self.cells_around(self.ladders[ladder].0.bounds().map(DVec3::truncate), actor)
    }

    /// From the cell whose actor reaches over something to the cell that it ends in. The passages of cells beside these
    /// may pass it, too.
    fn cells_around(&self, [min, max]: [DVec2; 2], actor: u32) -> Rectangle {
        let first = |low: f64| ((low / CELL_UNITS).floor().max(0.0) as u32).saturating_sub(actor - 1);
        let behind = |high: f64, count: u32| ((high / CELL_UNITS).ceil() as u32).min(count);
        [[first(min.x), first(min.y)], [behind(max.x, self.size[0]), behind(max.y, self.size[1])]]
    }

    /// Whether a ladder is in a box of a cell, as wide as an actor of a size.
    pub(super) fn is_in_cell(&self, ladder: usize, [x, y, z]: [u32; 3], size: u32) -> bool {
        let half = CELL_UNITS / 2.0 * f64::from(size);
        let prism = Prism::square(centre([x, y], size), half);
        let (low, high) = (f64::from(z) * LEVEL_UNITS, f64::from(z + 1) * LEVEL_UNITS);
        let mut is_in = false;
        self.ladders[ladder]
            .0
            .fill(&prism, |filled| is_in |= filled.low + 1e-6 < high && low + 1e-6 < filled.high);
        is_in
    }
}

/// Where an actor of a size stands, in units. That of 2 × 2 cells is named by the one with the smallest coordinates.
pub(super) fn centre([x, y]: [u32; 2], size: u32) -> DVec2 {
    (DVec2::new(f64::from(x), f64::from(y)) + f64::from(size) / 2.0) * CELL_UNITS
}
