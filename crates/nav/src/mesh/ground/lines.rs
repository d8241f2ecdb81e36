//! Straight lines on a mesh: walks and lines of vision.

use super::Mesh;
use crate::mesh::{MoveMemory, View};
use crate::nav::{AreaId, FloorId, HiddenBy, ObstacleId, Position, sight};
use glam::DVec2;

/// Heights of the end of a line and of the place wanted may differ by this much, in metres.
const SAME_PLACE_M: f64 = 0.05;

/// A slide that is a smaller share of a push is none: the other side of the push gives way instead. Otherwise a character
/// in a corner would slide by millimetres for ever, and the other one would never take its share.
const LEAST_SLIDE: f64 = 0.5;

impl Mesh {
    pub(crate) fn segment_clear(&self, from: Position, to: Position) -> bool {
        let Some(polygon) = self.polygon_of(from) else { return false };
        let end = self.view().line(polygon, from.at, to.at, self.polygon_of(to));
        end.share == 1.0 && self.is_same_place(end.polygon, to)
    }

    /// Whether a polygon at the end of a line is where a position is.
    fn is_same_place(&self, polygon: u32, to: Position) -> bool {
        let there = Position { floor: FloorId(polygon), ..to };
        polygon == to.floor.0
            || !self.shape.has_heights
            || (self.height_m(there) - self.height_m(to)).abs() < SAME_PLACE_M
    }

    pub(crate) fn walk_straight(&self, from: Position, to: DVec2) -> Option<Position> {
        self.go_straight(self.view(), from, to)
    }

    /// The position after a push in a straight line. A push leads down no ledge.
    pub(crate) fn push_straight(&self, from: Position, to: DVec2) -> Option<Position> {
        self.go_straight(self.two_way_view(), from, to)
    }

    fn go_straight(&self, view: View<'_>, from: Position, to: DVec2) -> Option<Position> {
        let end = view.line(self.polygon_of(from)?, from.at, to, None);
        (end.share == 1.0).then_some(Position { at: to, floor: FloorId(end.polygon) })
    }

    /// The position after a push that slides along walls. `None` if walls stop most of it.
    pub(crate) fn slide(&self, from: Position, by: DVec2) -> Option<Position> {
        if self.cells().is_some() {
            // As on the grid of these cells: by the longer one of the parts along the axes that is clear.
            let (along_x, along_z) = (DVec2::new(by.x, 0.0), DVec2::new(0.0, by.y));
            let parts = if by.x.abs() >= by.y.abs() { [along_x, along_z] } else { [along_z, along_x] };
            let parts = parts.into_iter().filter(|&part| part != DVec2::ZERO);
            return parts.into_iter().find_map(|part| self.walk_straight(from, from.at + part));
        }
        let to = self.move_along(from, from.at + by)?;
        let is_worth_it = to.at.distance(from.at) >= LEAST_SLIDE * by.length();
        self.push_straight(from, to.at).filter(|_| is_worth_it)
    }

    /// The position after a move that slides along walls, as Detour's `moveAlongSurface`.
    pub(crate) fn move_along(&self, from: Position, to: DVec2) -> Option<Position> {
        match self.walk_straight(from, to).filter(|_| to.is_finite() && self.is_walkable(from)) {
            Some(there) => Some(there),
            None => self.move_through(from, to).map(|(end, _)| end),
        }
    }

    /// The same, with the polygons walked through, from that of the start to that of the end.
    pub(crate) fn move_through(&self, from: Position, to: DVec2) -> Option<(Position, Vec<FloorId>)> {
        if !to.is_finite() || !self.is_walkable(from) {
            return None;
        }
        let (polygon, mut memory) = (self.polygon_of(from)?, MoveMemory::default());
        let is_open = |polygon| self.is_open(polygon);
        let moved = self.shape.polygons.move_along(polygon, from.at, to, is_open, &mut memory).ok()?;
        let end = Position { at: moved.at, floor: FloorId(*moved.visited.last()?) };
        Some(match self.is_walkable(end) {
            true => (end, moved.visited.iter().map(|&polygon| FloorId(polygon)).collect()),
            false => (from, vec![from.floor]),
        })
    }

    pub(crate) fn first_blocked(&self, from: Position, to: DVec2) -> DVec2 {
        let Some(polygon) = self.polygon_of(from) else { return from.at };
        from.at.lerp(to, self.view().line(polygon, from.at, to, None).share)
    }

    pub(crate) fn is_straight_way(&self, _: Position, _: Position) -> bool {
        false
    }

    /// Lines of vision run over open areas and what is seen through. In a room of outlines they also run over
    /// see-through obstacles off the ground, as windows are.
    pub(crate) fn hidden_by(&self, from: Position, to: Position) -> Option<HiddenBy> {
        if let Some(cells) = self.cells() {
            return cells.hidden_by(self.off_border(from), self.off_border(to));
        }
        let [from, to] = [from, to].map(|end| self.on_lit_ground(end));
        let obstacles = self.shape.obstacles.iter().enumerate();
        let hiding = obstacles.filter(|(_, obstacle)| !obstacle.see_through);
        let outlines = hiding.map(|(number, obstacle)| (ObstacleId(number), obstacle.outline.as_slice()));
        let obstacle = sight::first_obstacle(outlines, from.at, to.at);
        let dark = if self.shape.outlined.is_some() {
            self.first_dark_of_outlines(from.at, to.at)
        } else {
            self.first_dark_of_polygons(from, to)
        };
        match (obstacle, dark) {
            (Some((at, by)), Some((dark_at, _))) if at <= dark_at => Some(by),
            (_, Some((_, by))) | (Some((_, by)), None) => Some(by),
            (None, None) => None,
        }
    }

    /// A place in a wall, but beside lit ground, is moved there: a sign on the wall can be seen.
    fn on_lit_ground(&self, position: Position) -> Position {
        let Some(room) = self.shape.outlined.as_ref().filter(|_| !self.is_lit(position)) else {
            return position;
        };
        let nearest = sight::nearest_on(self.lit_outlines(), position.at, room.ground.cell_size_m);
        Position { at: nearest.unwrap_or(position.at), ..position }
    }

    fn first_dark_of_outlines(&self, from: DVec2, to: DVec2) -> Option<(f64, HiddenBy)> {
        let (at, middle, beside) = sight::first_dark(|| self.lit_outlines(), &[(0.0, 1.0)], from, to)?;
        let closed = self.closed_areas().into_iter().find(|area| {
            crate::geometry::sides_within(&self.shape.areas[area.0].outline, middle, beside) > 0
        });
        Some((at, closed.map_or(HiddenBy::Wall, HiddenBy::Area)))
    }

    fn lit_outlines(&self) -> impl Iterator<Item = &[DVec2]> {
        let areas = self.shape.areas.iter().zip(&self.available);
        let areas = areas.filter(|(area, available)| **available || area.see_through);
        let obstacles = self.shape.obstacles.iter().filter(|obstacle| obstacle.see_through);
        areas
            .map(|(area, _)| area.outline.as_slice())
            .chain(obstacles.map(|obstacle| obstacle.outline.as_slice()))
    }

    /// A ledge hides nothing: what one sees from above sees back.
    fn first_dark_of_polygons(&self, from: Position, to: Position) -> Option<(f64, HiddenBy)> {
        let dark = self.first_dark_from(from, to)?;
        let is_seen_back = self.shape.regions.has_one_way() && self.first_dark_from(to, from).is_none();
        (!is_seen_back).then_some(dark)
    }

    fn first_dark_from(&self, from: Position, to: Position) -> Option<(f64, HiddenBy)> {
        let Some(polygon) = self.polygon_of(from) else { return Some((0.0, HiddenBy::Wall)) };
        let view = View::new(&self.shape.polygons, &self.lit);
        let end = view.line(polygon, from.at, to.at, self.polygon_of(to));
        if end.share == 1.0 {
            return (!self.is_same_place(end.polygon, to)).then_some((1.0, HiddenBy::Wall));
        }
        // The closed area behind the edge at which the line ends.
        let at = from.at.lerp(to.at, end.share);
        let behind = self.shape.polygons.segments(end.polygon).filter_map(|(edge, a, b)| {
            let behind = edge.neighbour().filter(|&behind| !self.lit.is_open(behind))?;
            Some((crate::geometry::distance_sq_to_segment(at, a, b), behind))
        });
        let nearest = behind.min_by(|a, b| a.0.total_cmp(&b.0));
        let near = nearest.filter(|(distance_sq, _)| *distance_sq < 1e-9).map(|(_, polygon)| polygon);
        let closed = |area: &AreaId| !self.area_available(*area);
        let area = near.and_then(|polygon| self.areas_of(polygon).iter().copied().find(closed));
        Some((end.share, area.map_or(HiddenBy::Wall, HiddenBy::Area)))
    }

    pub(crate) fn is_lit(&self, position: Position) -> bool {
        if let Some(cells) = self.cells() {
            return cells.is_lit(self.off_border(position));
        }
        match &self.shape.outlined {
            Some(_) => self.lit_outlines().any(|outline| crate::geometry::contains(outline, position.at)),
            None => self
                .polygon_of(position)
                .is_some_and(|polygon| self.lit.is_open(polygon) && self.is_on(polygon, position.at)),
        }
    }

    pub(crate) fn sight_work(&self, from: Position, to: Position) -> u64 {
        if let Some(cells) = self.cells() {
            return cells.sight_work(from.at, to.at);
        }
        let corners = self.shape.obstacles.iter().map(|obstacle| obstacle.outline.len() as u64);
        let outlines = self
            .shape
            .outlined
            .as_ref()
            .map_or(0, |_| self.shape.areas.iter().map(|area| 2 * area.outline.len() as u64).sum());
        8 + corners.sum::<u64>() + outlines
    }

    pub(crate) fn avoids_singly(&self) -> bool {
        false
    }
}
