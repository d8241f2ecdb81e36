//! The room itself: areas, cells, walls, obstacles, and their names.

use super::pen::Pen;
use super::place::{Gap, Rect, text_size};
use super::raster::{MOST_PATH_BYTES, Raster, shades};
use super::xml::{escape, haloed, num, outline, pair};
use super::{Sheet, theme};
use crate::draw::{Cells, Shape};
use crate::geometry::{outer_edges, outlines};
use crate::room::GridCells;
use glam::DVec2;
use std::fmt::Write;
use std::ops::Range;

/// The outline of a union takes time with the square of the corners; beyond this, areas are outlined one by one.
const MOST_CORNERS_FOR_WALLS: usize = 1500;
/// The walls of a grid room take at most this part of a cell.
const WALL_PER_CELL: f64 = 0.25;
/// The edge of the walkable pixels over a picture, pixels.
const MASK_EDGE_PX: f64 = 1.3;
/// The lines between cells, pixels.
const CELL_LINE_PX: f64 = 0.5;
/// How far an obstacle's shadow falls, pixels.
const SHADOW_PX: DVec2 = DVec2::new(1.6, 2.6);
/// The padlock beside a closed area's name, pixels.
const LOCK_PX: DVec2 = DVec2::new(9.0, 11.0);
/// Between the padlock and the name, pixels.
const LOCK_GAP_PX: f64 = 4.0;

impl Sheet<'_> {
    /// Closed areas first: where an open area overlaps them, the ground is walkable.
    pub(super) fn areas(&mut self) {
        if let Some(faces) = self.picture.given_faces() {
            return self.faces(faces);
        }
        let picture = self.picture;
        if let Some(plan) = picture.level_plan() {
            self.level_floor(plan);
        }
        for closed in [true, false] {
            for (index, (name, polygon, open)) in self.picture.areas().enumerate() {
                if open == closed {
                    continue;
                }
                let (d, title) = (outline(&self.polygon_px(polygon)), escape(name));
                let look = match (open, self.picture.backdrop()) {
                    (true, None) if picture.level_plan().is_none() => {
                        format!(r#"fill="{}""#, theme::floor(index))
                    }
                    (true, _) => r#"fill="none""#.to_owned(),
                    (false, None) => r#"class="closed""#.to_owned(),
                    (false, Some(_)) => r#"class="closed" fill-opacity=".7""#.to_owned(),
                };
                let state = if open { "" } else { " (closed)" };
                self.xml.line(&format!(r#"<path {look} d="{d}"><title>{title}{state}</title></path>"#));
            }
        }
        let seen_through =
            picture.floor().is_some() || picture.backdrop().is_some() || picture.level_plan().is_some();
        let least = if seen_through { 1 } else { 2 };
        if self.picture.areas().filter(|(_, _, open)| *open).count() >= least {
            let open = self.picture.areas().filter(|(_, _, open)| *open);
            let d: String = open.map(|(_, polygon, _)| outline(&self.polygon_px(polygon))).collect();
            self.xml.line(&format!(r#"<path class="seam" d="{d}"/>"#));
        }
    }

    /// The outline of all areas together.
    pub(super) fn walls(&mut self) {
        if let Some(faces) = self.picture.given_faces() {
            return self.rims(faces);
        }
        let picture = self.picture;
        if let Some(plan) = picture.level_plan() {
            return self.level_walls(plan);
        }
        let polygons: Vec<&[DVec2]> = self.picture.walled_areas().collect();
        let corners: usize = polygons.iter().map(|polygon| polygon.len()).sum();
        let mut d = String::new();
        if corners > MOST_CORNERS_FOR_WALLS {
            polygons.iter().for_each(|polygon| d.push_str(&outline(&self.polygon_px(polygon))));
        } else {
            let mut pen = None;
            for part in (0..polygons.len()).flat_map(|subject| outer_edges(&polygons, subject)) {
                let (a, b) = part.ends();
                let (from, to) = (self.px(a), self.px(b));
                if pen != Some(a) {
                    let _ = write!(d, "M{}", pair(from));
                }
                let _ = write!(d, "L{}", pair(to));
                pen = Some(b);
                self.placer.block_line(from, to, theme::wall_px(self.px_per_m) + 1.0, 3.0);
            }
        }
        if !d.is_empty() {
            self.xml.line(&format!(r#"<path class="wall" d="{d}"/>"#));
        }
    }

    /// The ground of a grid room: one outline of all its cells, in units of cells, which keeps large maps small. The
    /// outline of noise would be larger than a picture of its cells.
    pub(super) fn floor(&mut self) {
        let Some(floor) = self.picture.floor() else { return };
        let cells = &floor.cells;
        let cell_px = floor.size_m * self.px_per_m;
        let over_picture = self.picture.backdrop().is_some();
        let Some(pen) = outline_of(cells) else {
            let mut raster = Raster::new(cells.width(), cells.depth());
            raster.set_shares(|x, z| x < cells.width() && z < cells.depth() && cells.is_walkable(x, z));
            let palette = match over_picture {
                false => shades(theme::GROUND, 1.0),
                true => shades(theme::MASK, 0.3),
            };
            let image = raster.element(self.px(floor.corner(0, 0)), cell_px, &palette);
            image.into_iter().for_each(|image| self.xml.line(&image));
            return;
        };
        // Among small cells a wall of the usual width would leave nothing to see.
        let wall = theme::wall_px(self.px_per_m).min(cell_px * WALL_PER_CELL) / cell_px;
        let look = match over_picture {
            false => format!(r#"class="ground" fill="{}" stroke-width="{wall:.3}""#, theme::floor(0)),
            // Over a picture the mask is transparent.
            true => format!(r#"class="mask" stroke-width="{:.3}""#, MASK_EDGE_PX / cell_px),
        };
        let place = format!("translate({}) scale({cell_px})", pair(self.px(floor.corner(0, 0))));
        self.xml.line(&format!(r#"<path {look} transform="{place}" d="{}"/>"#, pen.data()));
    }

    /// The discs that a query avoids.
    pub(super) fn discs(&mut self) {
        for disc in self.picture.discs() {
            let at = self.px(disc.centre.at);
            let (x, y, r) = (num(at.x), num(at.y), num(disc.radius_m * self.px_per_m));
            self.xml.line(&format!(r#"<circle class="avoided" cx="{x}" cy="{y}" r="{r}"/>"#));
        }
    }

    /// The grid: walkable cells outlined; blocked ones inside areas, and those cut off, tinted.
    pub(super) fn cells(&mut self) {
        if !self.options.cells {
            return;
        }
        self.graph();
        if let Some(faces) = self.picture.faces().filter(|faces| faces.outlined) {
            self.searched_faces(faces);
        }
        let Some(cells) = self.picture.cells() else { return };
        let cell_px = cells.size_m * self.px_per_m;
        let areas: Vec<&[DVec2]> = self.picture.areas().map(|(_, polygon, _)| polygon).collect();
        let in_area = |x: usize, z: usize| {
            let centre = cells.centre(x, z);
            areas.iter().any(|area| crate::geometry::contains(area, centre))
        };
        let blocked = |x: usize, z: usize| !cells.is_walkable(x, z) && in_area(x, z);
        let lost = |x: usize, z: usize| cells.is_cut_off(x, z);
        let parts =
            [("taken", blocks(cells, blocked)), ("cut", blocks(cells, lost)), ("free", grid_lines(cells))];
        let at = self.px(cells.min);
        if parts.iter().any(|(_, pen)| pen.is_none()) {
            let mut raster = Raster::new(cells.width as u32, cells.depth as u32);
            for (x, z) in (0..cells.depth).flat_map(|z| (0..cells.width).map(move |x| (x, z))) {
                let colour = if lost(x, z) { 2 } else { u8::from(blocked(x, z)) };
                raster.set(x as u32, z as u32, colour);
            }
            let palette = [(theme::TAKEN, 0.0), (theme::TAKEN, 0.25), (theme::LOST, 0.6)];
            let image = raster.element(at, cell_px, &palette);
            image.into_iter().for_each(|image| self.xml.line(&image));
            return;
        }
        for (class, pen) in parts {
            if let Some(pen) = pen.filter(|pen| !pen.is_empty()) {
                let (width, d) = (format!("{:.4}", CELL_LINE_PX / cell_px), pen.data());
                self.xml.line(&format!(
                    r#"<path class="{class}" stroke-width="{width}" transform="translate({}) scale({cell_px})" d="{d}"/>"#,
                    pair(at)
                ));
            }
        }
    }

    pub(super) fn obstacles(&mut self) {
        let shadows: String = self
            .picture
            .obstacles()
            .map(|(_, polygon)| {
                outline(&polygon.iter().map(|&corner| self.px(corner) + SHADOW_PX).collect::<Vec<_>>())
            })
            .collect();
        if !shadows.is_empty() {
            self.xml.line(&format!(r#"<path class="shade" d="{shadows}"/>"#));
        }
        for ((name, polygon), see_through) in self.picture.obstacles().zip(self.picture.see_through()) {
            let (d, title) = (outline(&self.polygon_px(polygon)), escape(name));
            let class = if see_through { "solid low" } else { "solid" };
            self.xml.line(&format!(r#"<path class="{class}" d="{d}"><title>{title}</title></path>"#));
        }
    }

    /// Names everything, the least movable first.
    pub(super) fn name_everything(&mut self) {
        if !self.options.names {
            return;
        }
        self.keep_clear();
        self.number_tries();
        self.name_obstacles();
        self.speeches();
        self.name_figures();
        self.name_points();
        self.name_links();
        self.name_waypaths();
        self.name_climbs();
        self.name_doors();
        self.remarks();
        self.name_closed_areas();
        self.name_open_areas();
        self.name_hotspots();
    }

    fn name_obstacles(&mut self) {
        let font = theme::name_px(self.px_per_m) - 1.5;
        for (name, polygon) in self.picture.obstacles() {
            let polygon = self.polygon_px(polygon);
            let size = text_size(name, font) + DVec2::new(4.0, 1.0);
            let (rect, turned) = match self.placer.inside(&polygon, size) {
                Some(rect) => (Some(rect), false),
                None => (self.placer.inside(&polygon, DVec2::new(size.y, size.x)), true),
            };
            let Some(rect) = rect else { continue };
            let at = rect.middle();
            let base = at + if turned { DVec2::new(font * 0.35, 0.0) } else { DVec2::new(0.0, font * 0.35) };
            let (x, y) = (num(base.x), num(base.y));
            let turn = if turned { format!(r#" transform="rotate(-90 {x} {y})""#) } else { String::new() };
            let name = escape(name);
            self.words.push(format!(
                r#"<text class="thing" text-anchor="middle" x="{x}" y="{y}"{turn}>{name}</text>"#
            ));
        }
        // Unnamed things should still not be written over.
        for (_, polygon) in self.picture.obstacles() {
            let rect = Rect::of(&self.polygon_px(polygon));
            self.placer.block(rect, 0.6);
        }
    }

    fn name_closed_areas(&mut self) {
        let font = theme::name_px(self.px_per_m) - 1.0;
        for (name, polygon, _) in self.picture.areas().filter(|(_, _, open)| !open) {
            let text = format!("{name} · closed");
            let polygon = self.polygon_px(polygon);
            let size = text_size(&text, font) + DVec2::new(LOCK_PX.x + LOCK_GAP_PX + 4.0, 2.0);
            let inside = self.placer.inside(&polygon, size);
            let rect = inside.or_else(|| self.placer.beside(Rect::of(&polygon), size, Gap::WALLED, true));
            let Some(rect) = rect else { continue };
            let corner = DVec2::new(rect.min.x + 1.0, rect.middle().y - LOCK_PX.y / 2.0);
            self.words.push(lock(corner));
            let (x, y) = (num(corner.x + LOCK_PX.x + LOCK_GAP_PX), num(rect.middle().y + font * 0.36));
            self.words.push(haloed("shut", &format!(r#"x="{x}" y="{y}""#), &escape(&text)));
        }
    }

    fn name_open_areas(&mut self) {
        let font = theme::name_px(self.px_per_m) + 2.0;
        for (name, polygon, _) in self.picture.areas().filter(|(_, _, open)| *open) {
            let polygon = self.polygon_px(polygon);
            let spacing = 1.2 * name.chars().count() as f64;
            let size = text_size(name, font) + DVec2::new(spacing + 6.0, 4.0);
            let Some(rect) = self.placer.inside(&polygon, size) else { continue };
            let (x, y) = (num(rect.middle().x), num(rect.middle().y + font * 0.36));
            let name = escape(name);
            self.words
                .push(format!(r#"<text class="area" text-anchor="middle" x="{x}" y="{y}">{name}</text>"#));
        }
    }

    /// Whether any area is open (`wanted`) or closed.
    pub(super) fn has_area(&self, wanted: bool) -> bool {
        self.has(|shape| matches!(shape, Shape::Area { open, .. } if *open == wanted))
    }
}

/// The outlines of all walkable cells; `None` if they would take too many bytes.
fn outline_of(cells: &GridCells) -> Option<Pen> {
    let mut pen = Pen::default();
    for corners in outlines(cells.width(), cells.depth(), |x, z| cells.is_walkable(x, z)) {
        let Some(&[x, z]) = corners.first() else { continue };
        let (x, z) = (i64::from(x), i64::from(z));
        pen.go(x, z);
        corners.iter().skip(1).for_each(|&[x, z]| pen.line(i64::from(x), i64::from(z)));
        pen.close(x, z);
        if pen.len() > MOST_PATH_BYTES {
            return None;
        }
    }
    Some(pen)
}

/// Runs of cells, each as long as possible.
fn blocks(cells: &Cells, wanted: impl Fn(usize, usize) -> bool) -> Option<Pen> {
    let mut pen = Pen::default();
    for row in 0..cells.depth {
        for run in runs(cells.width, |x| wanted(x, row)) {
            pen.block((run.start as i64, row as i64), (run.len() as i64, 1));
        }
        if pen.len() > MOST_PATH_BYTES {
            return None;
        }
    }
    Some(pen)
}

/// The lines between walkable cells, each as long as possible.
fn grid_lines(cells: &Cells) -> Option<Pen> {
    let mut pen = Pen::default();
    for row in 0..=cells.depth {
        let edge = |x: usize| cells.is_walkable(x, row) || row > 0 && cells.is_walkable(x, row - 1);
        for run in runs(cells.width, edge) {
            pen.go(run.start as i64, row as i64);
            pen.line(run.end as i64, row as i64);
        }
        if pen.len() > MOST_PATH_BYTES {
            return None;
        }
    }
    for column in 0..=cells.width {
        let edge = |z: usize| cells.is_walkable(column, z) || column > 0 && cells.is_walkable(column - 1, z);
        for run in runs(cells.depth, edge) {
            pen.go(column as i64, run.start as i64);
            pen.line(column as i64, run.end as i64);
        }
        if pen.len() > MOST_PATH_BYTES {
            return None;
        }
    }
    Some(pen)
}

/// The longest runs of numbers below `end` that are all `wanted`.
fn runs(end: usize, wanted: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for at in (0..end).filter(|&at| wanted(at)) {
        match runs.last_mut().filter(|run| run.end == at) {
            Some(run) => run.end = at + 1,
            None => runs.push(at..at + 1),
        }
    }
    runs
}

/// A padlock with this upper left corner.
fn lock(corner: DVec2) -> String {
    let (body, shackle) = (pair(corner + DVec2::new(0.0, 5.0)), pair(corner + DVec2::new(2.0, 5.5)));
    format!(
        r#"<path class="lock" d="M{body}h9v6h-9zM{shackle}v-2a2.5,2.5 0 0 1 5,0v2h-1.3v-2a1.2,1.2 0 0 0 -2.4,0v2z"/>"#
    )
}
