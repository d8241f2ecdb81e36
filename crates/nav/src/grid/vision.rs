//! Lines of vision across the ground. They depend on true outlines, not on where a body fits.
//!
//! A line of vision runs over *lit* ground: cells that the room's file gives as walkable, open areas, and closed
//! areas and obstacles marked as seen through. All else is wall. An obstacle on lit ground hides what lies behind it,
//! unless it is seen through. The test is exact, without sampling: the line is cut where it meets an outline, and
//! each piece is tested by its middle.

use super::Grid;
use super::layer::extent;
use crate::geometry::{Visit, contains, sides_within, traverse_cells};
use crate::nav::sight::{self, Stretch};
use crate::nav::{AreaId, HiddenBy, ObstacleId};
use glam::{DVec2, I64Vec2};

impl Grid {
    /// The first obstruction between two places, seen from `from`. An obstacle that holds one of the two places hides
    /// neither.
    ///
    /// Characters stand on cells, and a cell may stick out of its area by up to half its width. So a place just off
    /// lit ground is moved to the nearest lit point, if that is within one cell; otherwise it counts as inside a wall.
    pub fn hidden_by(&self, from: DVec2, to: DVec2) -> Option<HiddenBy> {
        let Some(from) = self.on_lit_ground(from) else { return Some(self.darkness_around(from)) };
        let lit = self.on_lit_ground(to);
        let to = lit.unwrap_or(to);
        let obstacle = self.first_obstacle(from, to);
        let dark = self.first_dark(from, to);
        match (obstacle, dark) {
            (Some((at, by)), Some((dark_at, _))) if at <= dark_at => Some(by),
            (_, Some((_, by))) | (Some((_, by)), None) => Some(by),
            (None, None) => lit.is_none().then(|| self.darkness_around(to)),
        }
    }

    /// Whether a place lies on lit ground.
    pub fn is_lit(&self, place: DVec2) -> bool {
        self.is_cell_lit(self.frame.cell_at(place))
            || self.lit_polygons().any(|polygon| contains(polygon, place))
    }

    /// The cost of one call of [`Grid::hidden_by`], in corners and cells looked at.
    pub fn sight_work(&self, from: DVec2, to: DVec2) -> u64 {
        let corners = |layers: usize, all: usize| (layers + all) as u64;
        let areas: usize = self.painter.areas.iter().map(|area| area.layer.polygon.len()).sum();
        let obstacles: usize = self.painter.obstacles.iter().map(|obstacle| obstacle.polygon.len()).sum();
        let cells = self.painter.base.as_ref().map_or(0.0, |_| from.distance(to) / self.frame.cell_size_m);
        // A line that meets many areas is cut into as many pieces, and each piece is tested against all areas.
        let met = self
            .painter
            .areas
            .iter()
            .filter(|area| area.available && may_meet(&area.layer.polygon, from, to));
        let pieces = 1 + met.count() as u64;
        pieces * corners(self.painter.areas.len(), areas)
            + corners(self.painter.obstacles.len(), obstacles)
            + cells.min(1e9) as u64
    }

    fn on_lit_ground(&self, place: DVec2) -> Option<DVec2> {
        if self.is_lit(place) {
            return Some(place);
        }
        sight::nearest_on(self.lit_polygons(), place, self.frame.cell_size_m)
    }

    /// The polygons of lit ground: open areas, and areas and obstacles that are seen through.
    fn lit_polygons(&self) -> impl Iterator<Item = &[DVec2]> {
        let through = &self.painter.see_through;
        let areas = self.painter.areas.iter().zip(&through.areas);
        let areas =
            areas.filter(|(area, through)| area.layer.painted.is_none() && (area.available || **through));
        let obstacles =
            self.painter.obstacles.iter().zip(&through.obstacles).filter(|(_, through)| **through);
        areas
            .map(|(area, _)| area.layer.polygon.as_slice())
            .chain(obstacles.map(|(layer, _)| layer.polygon.as_slice()))
    }

    /// Whether a cell is lit by the cells of the room's file, or by painted pixels.
    fn is_cell_lit(&self, cell: I64Vec2) -> bool {
        let Some(base) = self.painter.base.as_ref().filter(|_| self.frame.holds(cell)) else { return false };
        let (x, z) = (cell.x as u32, cell.y as u32);
        let painted = |(area, through): (&super::painter::AreaLayer, &bool)| {
            let pixels = area.layer.painted.as_ref().filter(|_| area.available || *through);
            pixels.is_some_and(|pixels| pixels.contains(x, z))
        };
        base.is_walkable(x, z) || self.painter.areas.iter().zip(&self.painter.see_through.areas).any(painted)
    }

    /// The first place where a line runs through an obstacle that hides something, and the obstacle.
    fn first_obstacle(&self, from: DVec2, to: DVec2) -> Option<(f64, HiddenBy)> {
        let through = &self.painter.see_through.obstacles;
        let obstacles = self.painter.obstacles.iter().enumerate();
        let hiding = obstacles.filter(|(index, _)| !through.get(*index).copied().unwrap_or(false));
        let outlines = hiding.map(|(index, layer)| (ObstacleId(index), layer.polygon.as_slice()));
        sight::first_obstacle(outlines, from, to)
    }

    /// The first place where a line leaves lit ground, and the obstruction there.
    fn first_dark(&self, from: DVec2, to: DVec2) -> Option<(f64, HiddenBy)> {
        let stretches = self.stretches_between_lit_cells(from, to);
        let (at, middle, beside) = sight::first_dark(|| self.lit_polygons(), &stretches, from, to)?;
        Some((at, self.darkness_at(middle, beside)))
    }

    /// The obstruction at a place off lit ground.
    fn darkness_around(&self, place: DVec2) -> HiddenBy {
        let closed = self.areas().filter(|area| !self.area_available(*area));
        let mut around = closed.filter(|area| self.area_contains(*area, place));
        around.next().map_or(HiddenBy::Wall, HiddenBy::Area)
    }

    fn darkness_at(&self, place: DVec2, beside: DVec2) -> HiddenBy {
        let cell = self.frame.cell_at(place);
        let covers = |area: &AreaId| {
            let layer = &self.painter.areas[area.0].layer;
            match &layer.painted {
                Some(pixels) => self.frame.holds(cell) && pixels.contains(cell.x as u32, cell.y as u32),
                None => sides_within(&layer.polygon, place, beside) > 0,
            }
        };
        let closed = self.areas().filter(|area| !self.area_available(*area));
        closed.into_iter().find(covers).map_or(HiddenBy::Wall, HiddenBy::Area)
    }

    /// The stretches of a line over unlit cells. All of it if the room's file gives no cells.
    fn stretches_between_lit_cells(&self, from: DVec2, to: DVec2) -> Vec<Stretch> {
        if self.painter.base.is_none() {
            return vec![(0.0, 1.0)];
        }
        let (from, to) = (self.frame.in_cells(from), self.frame.in_cells(to));
        let along = to - from;
        let mut dark: Vec<Stretch> = Vec::new();
        let mut corner = None;
        traverse_cells(from, to, |visit| {
            match visit {
                Visit::Cell(cell) if self.is_cell_lit(cell) => {
                    // Two lit cells that meet at a corner of two dark ones leave no gap to look through.
                    if corner.take().is_some() {
                        let at = within(from, along, cell).0;
                        dark.push((at, at));
                    }
                }
                Visit::Cell(cell) => {
                    corner = None;
                    let (begins, ends) = within(from, along, cell);
                    match dark.last_mut().filter(|last| last.0 < last.1 && begins <= last.1 + 1e-9) {
                        Some(last) => last.1 = last.1.max(ends),
                        None => dark.push((begins, ends)),
                    }
                }
                Visit::Corner(one, other) => {
                    corner = (!self.is_cell_lit(one) && !self.is_cell_lit(other)).then_some(());
                }
            }
            true
        });
        dark
    }
}

/// The stretch of a line within a cell, from 0 at its beginning to 1 at its end.
fn within(from: DVec2, along: DVec2, cell: I64Vec2) -> Stretch {
    let low = cell.as_dvec2();
    let (mut begins, mut ends) = (0.0_f64, 1.0_f64);
    for (from, along, low) in [(from.x, along.x, low.x), (from.y, along.y, low.y)] {
        if along != 0.0 {
            let (one, other) = ((low - from) / along, (low + 1.0 - from) / along);
            begins = begins.max(one.min(other));
            ends = ends.min(one.max(other));
        }
    }
    (begins.min(ends), ends)
}

/// Whether the rectangles around a polygon and around a line meet.
fn may_meet(polygon: &[DVec2], from: DVec2, to: DVec2) -> bool {
    let (low, high) = extent(polygon);
    low.cmple(from.max(to)).all() && high.cmpge(from.min(to)).all()
}
