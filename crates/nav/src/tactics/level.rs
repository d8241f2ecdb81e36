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
    /// The lowest corner of the first cell, in units: 0, or lower where solids are. All else counts from here.
    pub(super) origin: DVec3,
    /// Whether it is larger than a level may be. Then the rest is cut off.
    pub(super) is_too_large: bool,
    obstacles: Vec<Obstacle>,
    pub(super) ladders: Vec<(Solid, Facing)>,
    /// The brush of each ladder, by its place.
    ladder_brushes: Vec<usize>,
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
        let origin = origin(tactics);
        let mut ladder_brushes = Vec::new();
        for (index, brush) in tactics.brushes.iter().enumerate() {
            let Some(solid) = solid_from(origin, brush) else { continue };
            let area = brush.area.as_ref().map(|name| {
                let known = areas.iter().position(|area| area == name);
                known.unwrap_or_else(|| {
                    areas.push(name.clone());
                    areas.len() - 1
                }) as u32
            });
            match brush.kind {
                BrushKind::Ladder(facing) => {
                    ladders.push((solid, facing));
                    ladder_brushes.push(index);
                }
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
        let highest = obstacles.iter().map(|obstacle| obstacle.solid.bounds()[1].z).fold(0.0, f64::max);
        let most = [MAX_TACTICAL_CELLS, MAX_TACTICAL_LEVELS].map(f64::from);
        let is_too_large =
            far.max_element() > most[0] * CELL_UNITS + 1e-6 || highest > most[1] * LEVEL_UNITS + 1e-6;
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
        (Self { size, origin, is_too_large, obstacles, ladders, ladder_brushes, near }, areas)
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
            BrushKind::Solid | BrushKind::Clip => solid_from(self.origin, brush)?,
        };
        Some(self.cells_around(solid.bounds().map(DVec3::truncate), actor))
    }

    /// The rectangle of cells in which actors may stand in a ladder.
    pub(super) fn cells_of_ladder(&self, ladder: usize, actor: u32) -> Rectangle {
        self.cells_around(self.ladders[ladder].0.bounds().map(DVec3::truncate), actor)
    }

    /// The ladders that face away from what they lean on: the brush, where it faces, and the sides with a solid.
    pub(super) fn ladders_that_face_away(&self) -> Vec<(usize, Facing, Vec<Facing>)> {
        const SIDES: [Facing; 4] = [Facing::North, Facing::East, Facing::South, Facing::West];
        let brushes = self.ladder_brushes.iter();
        let ladders = self.ladders.iter().zip(brushes).map(|((solid, facing), &brush)| {
            let sides = SIDES.into_iter().filter(|&side| self.leans(solid, side));
            (brush, *facing, sides.collect::<Vec<Facing>>())
        });
        ladders.filter(|(_, facing, sides)| !sides.is_empty() && !sides.contains(facing)).collect()
    }

    /// Whether a solid is beside a ladder, half a cell off or nearer, along half of its height or more.
    fn leans(&self, ladder: &Solid, side: Facing) -> bool {
        let [min, max] = ladder.bounds();
        let (middle, half) = (min.midpoint(max), (max - min) / 2.0);
        let out = match side {
            Facing::North => DVec2::NEG_Y,
            Facing::East => DVec2::X,
            Facing::South => DVec2::Y,
            Facing::West => DVec2::NEG_X,
        };
        let steps = (0..4).map(|step| 2.0 + 4.0 * f64::from(step));
        steps.into_iter().any(|step| {
            let prism = Prism::square(middle.truncate() + out * (half.truncate().dot(out.abs()) + step), 1.0);
            self.obstacles.iter().any(|obstacle| {
                let mut filled_units = 0.0;
                obstacle.solid.fill(&prism, |filled| {
                    filled_units += (filled.high.min(max.z) - filled.low.max(min.z)).max(0.0);
                });
                filled_units >= half.z
            })
        })
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

/// The lowest corner of the first cell of a level, in units: 0, or the corner of a cell below all brushes that reach lower.
fn origin(tactics: &Tactics) -> DVec3 {
    let lowest = |brush: &Brush| Solid::around(&brush.shape).ok().map(|solid| solid.bounds()[0]);
    let lowest = tactics.brushes.iter().filter_map(lowest).fold(DVec3::ZERO, DVec3::min);
    let cell = DVec3::new(CELL_UNITS, CELL_UNITS, LEVEL_UNITS);
    (lowest / cell + 1e-9).floor() * cell + 0.0
}

/// The solid of a brush, or the box of a ladder, as seen from an origin. `None` if it is none.
fn solid_from(origin: DVec3, brush: &Brush) -> Option<Solid> {
    let moved = (origin != DVec3::ZERO).then(|| brush.shape.moved(-origin));
    let shape = moved.as_ref().unwrap_or(&brush.shape);
    match brush.kind {
        BrushKind::Ladder(_) => Solid::around(shape).ok(),
        BrushKind::Solid | BrushKind::Clip => Solid::new(shape).ok(),
    }
}

/// Where an actor of a size stands, in units. That of 2 × 2 cells is named by the one with the smallest coordinates.
pub(super) fn centre([x, y]: [u32; 2], size: u32) -> DVec2 {
    (DVec2::new(f64::from(x), f64::from(y)) + f64::from(size) / 2.0) * CELL_UNITS
}
