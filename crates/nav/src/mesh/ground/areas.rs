//! The areas of a mesh: sets of polygons.

use super::cells::HAIR_M;
use super::{Mesh, MeshFlood};
use crate::geometry::distance_sq_to_segment;
use crate::nav::{Anchor, AreaId, FloorId, Position};
use glam::DVec2;

/// A place clear of the border of an area lies this far inside, in metres, if there is room.
const INSIDE_M: f64 = 0.07;

impl Mesh {
    pub(super) fn areas_of(&self, polygon: u32) -> &[AreaId] {
        &self.shape.covers[self.shape.cover_of[polygon as usize] as usize].areas
    }

    pub(crate) fn area_contains(&self, area: AreaId, position: Position) -> bool {
        if let Some(cells) = self.cells() {
            return cells.area_contains(area, self.off_border(position));
        }
        self.polygon_of(position)
            .is_some_and(|polygon| self.areas_of(polygon).contains(&area) && self.is_on(polygon, position.at))
    }

    /// The distance to the nearest portal of the polygon: behind it there may be other areas.
    pub(crate) fn area_border_m(&self, position: Position) -> f64 {
        if let Some(cells) = self.cells() {
            return (cells.area_border_m(self.off_border(position)) - HAIR_M).max(0.0);
        }
        let Some(polygon) = self.polygon_of(position).filter(|&polygon| self.is_on(polygon, position.at))
        else {
            return 0.0;
        };
        if self.shape.areas.is_empty() {
            return f64::INFINITY;
        }
        let portals = self.shape.polygons.segments(polygon).filter(|(edge, ..)| edge.neighbour().is_some());
        let nearest_sq = portals.map(|(_, a, b)| distance_sq_to_segment(position.at, a, b));
        nearest_sq.fold(f64::INFINITY, f64::min).sqrt()
    }

    /// The middle of the rectangle round the area, on the nearest of its polygons.
    pub(crate) fn area_middle(&self, area: AreaId) -> Position {
        if let Some(cells) = self.cells() {
            return self.locate(cells.area_middle(area).into());
        }
        let area = &self.shape.areas[area.0];
        let middle = area.bounds.0.midpoint(area.bounds.1);
        let polygons = area.polygons.iter().copied();
        let nearest = polygons.min_by(|&a, &b| {
            let away = |polygon: u32| self.shape.polygons.closest(polygon, middle).distance_squared(middle);
            away(a).total_cmp(&away(b))
        });
        Position { at: middle, floor: FloorId(nearest.unwrap_or(0)) }
    }

    /// The nearest place of an area. Open ground that can be reached comes before other open ground, that before
    /// closed ground.
    pub(crate) fn nearest_in_area(
        &self,
        area: AreaId,
        from: Position,
        start: Option<&Anchor>,
    ) -> (Option<Position>, u64) {
        if let Some(cells) = self.cells() {
            return self.nearest_in_area_of_cells(cells, area, from, start);
        }
        let polygons = &self.shape.areas[area.0].polygons;
        let flood = match start {
            Some(start) if self.shape.regions.has_one_way() => Some(MeshFlood::new(self, start.node)),
            _ => None,
        };
        let component =
            start.and_then(|start| self.polygon_of(start.at)).and_then(|start| self.component(start));
        let rank = |polygon: u32| {
            let can_be_reached = match &flood {
                Some(flood) => flood.reached.contains(&polygon),
                None => component.is_some() && self.component(polygon) == component,
            };
            u8::from(!can_be_reached) + u8::from(!self.is_open(polygon))
        };
        let height_m = self.height_m(from);
        let best = polygons.iter().map(|&polygon| {
            let at = self.inside(polygon, self.shape.polygons.closest(polygon, from.at), from.at);
            let position = Position { at, floor: FloorId(polygon) };
            let rise_m = self.height_m(position) - height_m;
            (rank(polygon), at.distance_squared(from.at) + rise_m * rise_m, position)
        });
        let nearest = best.min_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        (nearest.map(|(.., position)| position), 1 + polygons.len() as u64 / 8)
    }

    /// A position, moved a little towards the middle of its polygon.
    pub(crate) fn inner_point(&self, position: Position) -> DVec2 {
        self.polygon_of(position).map_or(position.at, |polygon| self.inside(polygon, position.at, DVec2::NAN))
    }

    /// A point of a polygon, moved a little towards its middle unless it is the one that was asked for.
    fn inside(&self, polygon: u32, at: DVec2, wanted: DVec2) -> DVec2 {
        if at == wanted { at } else { at.move_towards(self.shape.polygons.middle(polygon), INSIDE_M) }
    }

    pub(crate) fn enters_area(&self, area: AreaId, from: Position, path: &[Position]) -> Option<Position> {
        if let Some(cells) = self.cells() {
            return self.enters_area_of_cells(cells, area, from, path);
        }
        let starts = std::iter::once(&from).chain(path);
        starts.zip(path).find_map(|(a, b)| {
            let polygon = self.polygon_of(*a)?;
            let mut passed = self.view().passed(polygon, a.at, b.at);
            passed.sort_by(|a, b| a.enters.total_cmp(&b.enters));
            let length_m = a.distance(*b);
            let first = passed.iter().find(|at| {
                self.areas_of(at.polygon).contains(&area)
                    && ((at.leaves - at.enters) * length_m > INSIDE_M / 10.0 || length_m == 0.0)
            })?;
            let [enters, leaves] = [first.enters, first.leaves].map(|share| a.at.lerp(b.at, share));
            Some(Position { at: enters.move_towards(leaves, INSIDE_M), floor: FloorId(first.polygon) })
        })
    }

    pub(crate) fn closed_area_over(&self, position: Position) -> Option<AreaId> {
        if let Some(cells) = self.cells() {
            let over = cells.closed_area_over(self.off_border(position));
            return over.filter(|_| !self.is_walkable(position));
        }
        let polygon = self.polygon_of(position).filter(|&polygon| self.is_on(polygon, position.at))?;
        if self.is_open(polygon) {
            return None;
        }
        let areas = self.areas_of(polygon);
        let is_any_open = areas.iter().any(|&area| self.area_available(area));
        let barred = areas.iter().copied().find(|&area| self.is_barred(area));
        barred.or_else(|| areas.first().copied().filter(|_| !is_any_open))
    }

    pub(crate) fn closed_area_apart(&self, _: Position) -> Option<AreaId> {
        None
    }
}
