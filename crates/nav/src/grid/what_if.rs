//! Variants of the ground: with every area open, without an obstacle, or with less distance to the walls. Also lists
//! the walls, for clearance measurements.

use super::Grid;
use super::frame::CellRect;
use super::layer::{Layer, TOLERANCE_M, extent};
use crate::geometry::{SegmentPart, contains, outer_edges};
use crate::nav::{AreaId, ObstacleId, Wall, WallOf};
use crate::room::GroundSettings;
use glam::DVec2;

impl Grid {
    /// The areas that are closed, in file order.
    pub fn closed_areas(&self) -> Vec<AreaId> {
        self.areas().filter(|&area| !self.area_available(area)).collect()
    }

    /// The closed area that makes a point unwalkable. The point lies in that area, in no open one unless the closed one
    /// bars, and is not walkable.
    pub fn closed_area_over(&self, point: DVec2) -> Option<AreaId> {
        if self.is_walkable(point) {
            return None;
        }
        let (mut over, mut is_open) = (None, false);
        for area in self.areas().filter(|&area| self.area_contains(area, point)) {
            let layer = &self.painter.areas[area.0];
            if layer.bars && !layer.available {
                return Some(area);
            }
            is_open |= layer.available;
            over = over.or(Some(area));
        }
        over.filter(|_| !is_open)
    }

    /// The same ground with every area open.
    #[must_use]
    pub fn with_all_open(&self) -> Self {
        let mut ground = self.clone();
        let mut rect = CellRect::of(None);
        for area in self.closed_areas() {
            ground.painter.areas[area.0].available = true;
            rect = rect.union(self.painter.toggle_rect(&self.frame, area.0));
        }
        ground.repaint(rect);
        ground
    }

    /// The ground rebuilt with all clearances scaled by `share` (0 to 1). Cells at exactly the scaled clearance are
    /// walkable.
    #[must_use]
    pub fn with_share_of_room(&self, share: f64) -> Self {
        let mut settings = self.settings;
        settings.agent_radius_m *= share;
        settings.object_padding_m *= share;
        settings.boundary_padding_m *= share;
        let margin_m = (settings.obstacle_margin_m() - 2.0 * TOLERANCE_M).max(0.0);
        self.with_clearances(settings, margin_m, self.painter.pixel_padding_m * share)
    }

    /// The same ground for walkers of this radius. They keep it, and the object padding, from obstacles. What they keep
    /// from outlines is as much more or less, and so is what they keep from given and painted cells that are not walkable;
    /// neither is less than nothing.
    #[must_use]
    pub fn for_radius(&self, radius_m: f64) -> Self {
        let mut settings = self.settings;
        let more_m = radius_m - settings.agent_radius_m;
        settings.agent_radius_m = radius_m;
        let is_given = self.painter.base.is_some();
        if !is_given {
            settings.boundary_padding_m = (settings.boundary_padding_m + more_m).max(0.0);
        }
        let pixel_padding_m = if is_given { (self.painter.pixel_padding_m + more_m).max(0.0) } else { 0.0 };
        self.with_clearances(settings, settings.obstacle_margin_m(), pixel_padding_m)
    }

    fn with_clearances(&self, settings: GroundSettings, margin_m: f64, pixel_padding_m: f64) -> Self {
        let mut ground = Self { settings, ..self.clone() };
        ground.painter.boundary_padding_m = settings.boundary_padding_m;
        ground.painter.pixel_padding_m = pixel_padding_m;
        for layer in &mut ground.painter.obstacles {
            if !layer.polygon.is_empty() {
                *layer = Layer::new(&self.frame, &layer.name, &layer.polygon, margin_m);
            }
        }
        ground.repaint(self.frame.cells_within(self.frame.min, self.frame.max()));
        ground
    }

    /// Closes an area for good, also where it shares ground with open ones. Opening it undoes that.
    pub fn bar_area(&mut self, area: AreaId) {
        let layer = &mut self.painter.areas[area.0];
        (layer.available, layer.bars) = (false, true);
        let dirty = self.repaint(self.painter.toggle_rect(&self.frame, area.0));
        self.revision += u64::from(dirty.is_some());
    }

    /// The number of obstacles; every [`ObstacleId`] is smaller.
    pub fn obstacle_count(&self) -> usize {
        self.painter.obstacles.len()
    }

    /// An obstacle's name.
    pub fn obstacle_name(&self, obstacle: ObstacleId) -> &str {
        &self.painter.obstacles[obstacle.0].name
    }

    /// Whether a point lies in an obstacle.
    pub fn obstacle_contains(&self, obstacle: ObstacleId, point: DVec2) -> bool {
        contains(&self.painter.obstacles[obstacle.0].polygon, point)
    }

    /// Removes an obstacle. It keeps its number and its name.
    pub fn lift_obstacle(&mut self, obstacle: ObstacleId) {
        let layer = &mut self.painter.obstacles[obstacle.0];
        let rect = layer.rect;
        *layer = Layer::nothing(&layer.name);
        self.repaint(rect);
    }

    /// Restores an obstacle that [`Grid::lift_obstacle`] removed, as it is in `whole`.
    pub fn put_obstacle_back(&mut self, obstacle: ObstacleId, whole: &Self) {
        let layer = whole.painter.obstacles[obstacle.0].clone();
        let rect = layer.rect;
        self.painter.obstacles[obstacle.0] = layer;
        self.repaint(rect);
    }

    /// All edges of obstacles and the outline of the open areas.
    pub fn walls(&self) -> Vec<Wall> {
        let mut walls = Vec::new();
        let keep_off_m = self.settings.obstacle_margin_m();
        for obstacle in (0..self.obstacle_count()).map(ObstacleId) {
            let polygon = &self.painter.obstacles[obstacle.0].polygon;
            for (&a, &b) in polygon.iter().zip(polygon.iter().cycle().skip(1)) {
                let part = SegmentPart::whole(a, b);
                walls.push(Wall { part, of: WallOf::Obstacle(obstacle), keep_off_m });
            }
        }
        // Painted areas have no edges to list.
        let has_edges =
            |area: &AreaId| self.area_available(*area) && self.painter.areas[area.0].layer.painted.is_none();
        let open: Vec<AreaId> = self.areas().filter(has_edges).collect();
        let polygons: Vec<&[DVec2]> = open.iter().map(|area| self.area_polygon(*area)).collect();
        for (subject, &area) in open.iter().enumerate() {
            let outline = outer_edges(&polygons, subject).into_iter();
            let keep_off_m = self.settings.boundary_padding_m;
            walls.extend(outline.map(|part| Wall { part, of: WallOf::Area(area), keep_off_m }));
        }
        walls
    }

    // ---- costs of these operations, roughly, in expansions of a search ----

    /// The cost of opening or closing an area.
    pub fn area_work(&self, area: AreaId) -> u64 {
        let rect = self.painter.toggle_rect(&self.frame, area.0);
        let mut touches = self.painting_touches(rect);
        if self.painter.boundary_padding_m > 0.0 {
            let (low, high) = extent(self.area_polygon(area));
            let reach = self.painter.boundary_padding_m + self.frame.cell_size_m;
            let near = |area: &AreaId| {
                let (min, max) = extent(self.area_polygon(*area));
                min.cmple(high + reach).all() && max.cmpge(low - reach).all()
            };
            let near: usize = self.areas().filter(near).map(|area| self.area_polygon(area).len()).sum();
            touches += near as u64 * (6 * self.area_edges() + (rect.max.y - rect.min.y).unsigned_abs());
        }
        1 + touches / TOUCHES_OF_EXPANSION
    }

    /// The cost of removing or restoring an obstacle.
    pub fn obstacle_work(&self, obstacle: ObstacleId) -> u64 {
        1 + self.painting_touches(self.painter.obstacles[obstacle.0].rect) / TOUCHES_OF_EXPANSION
    }

    /// The cost of a copy of the ground.
    pub fn copy_work(&self) -> u64 {
        1 + self.words().len() as u64 / (2 * TOUCHES_OF_EXPANSION)
    }

    /// The cost of a full rebuild with clearances.
    pub fn rebuild_work(&self) -> u64 {
        let cell = self.frame.cell_size_m;
        let margin = self.settings.obstacle_margin_m();
        let edge = |polygon: &[DVec2], i: usize| {
            let (a, b) = (polygon[i], polygon[(i + 1) % polygon.len()]);
            let cells = ((a - b).abs() + 2.0 * margin) / cell + 1.0;
            ((cells.x * cells.y) as u64).min(self.frame.len() as u64)
        };
        let layer = |layer: &Layer| (0..layer.polygon.len()).map(|i| edge(&layer.polygon, i)).sum::<u64>();
        let margins: u64 = self.painter.obstacles.iter().map(layer).sum();
        let all = self.frame.cells_within(self.frame.min, self.frame.max());
        let outline = if self.painter.boundary_padding_m > 0.0 { self.walls_work() } else { 0 };
        outline + 3 * (margins + self.painting_touches(all)) / TOUCHES_OF_EXPANSION
    }

    /// The cost of [`Grid::walls`].
    pub fn walls_work(&self) -> u64 {
        1 + self.area_edges() * self.area_edges() * 6 / TOUCHES_OF_EXPANSION
    }

    fn painting_touches(&self, rect: CellRect) -> u64 {
        let row = self.painter.areas.len() + self.painter.obstacles.len() + self.frame.width as usize / 64;
        (rect.max.y - rect.min.y).unsigned_abs() * (row as u64 + 8)
    }

    fn area_edges(&self) -> u64 {
        self.painter.areas.iter().map(|area| area.layer.polygon.len() as u64).sum()
    }

    fn area_polygon(&self, area: AreaId) -> &[DVec2] {
        &self.painter.areas[area.0].layer.polygon
    }
}

/// Number of values touched that cost one unit of work.
const TOUCHES_OF_EXPANSION: u64 = 32;
