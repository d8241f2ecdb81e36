//! The text on a map: names beside their things, speech above heads, without overlap.

use super::{CREAM, DARK, FAULT, HOTSPOT, LANE, LINK, Map, PLACE, figure_colour, initial};
use crate::draw::canvas::Glyph;
use crate::draw::label::{clean, shorten, width_of};
use crate::draw::tiles::{NIGHT, Tile};
use crate::draw::{Figure, Rgb};
use crate::geometry::contains;
use glam::DVec2;

const ON_SOLID: Rgb = Rgb::hex(0x2e1f0e);
const AREA_NAME: Rgb = Rgb::hex(0x86765c);
const CLOSED_NAME: Rgb = Rgb::hex(0xd98266);
const REMARK: Rgb = Rgb::hex(0xf0c36a);
/// Speech is cut to this many columns.
const MOST_SPEECH_COLUMNS: usize = 48;

impl Map<'_> {
    /// Puts text by importance: the more important gets the better place.
    pub(super) fn put_words(&mut self) {
        let picture = self.picture;
        for figure in picture.figures() {
            if let Some(speech) = &figure.speech {
                self.put_speech(figure, speech);
            }
        }
        for (text, at) in picture.labels() {
            self.put_beside(at, 1.0, &clean(text), REMARK, true, Anywhere);
        }
        for figure in picture.figures() {
            if let Some(fault) = &figure.fault {
                let gap = self.radius_px(figure) + 0.5;
                self.put_beside(figure.at, gap, &clean(fault), FAULT, false, Anywhere);
            }
        }
        for figure in picture.figures() {
            let ink = figure_colour(figure).mix(CREAM, if figure.player { 0.25 } else { 0.6 });
            let gap = self.radius_px(figure) + 0.5;
            self.put_beside(figure.at, gap, &clean(&figure.name), ink, figure.player, Anywhere);
        }
        self.name_things();
    }

    fn name_things(&mut self) {
        let picture = self.picture;
        for (name, polygon) in picture.obstacles() {
            self.put_inside(polygon, &clean(name), ON_SOLID, Tile::Solid);
        }
        for (name, polygon, _) in picture.areas().filter(|(_, _, open)| !open) {
            let name = clean(name);
            if !self.put_inside(polygon, &name, CREAM, Tile::Closed) {
                let (min, max) = extent(polygon);
                let half_px = (max.x - min.x) / self.projection.m_per_px() / 2.0;
                self.put_beside(min.midpoint(max), half_px, &name, CLOSED_NAME, false, Anywhere);
            }
        }
        for spot in picture.hotspots() {
            self.put_beside(spot.at, 1.0, &clean(&spot.name), HOTSPOT, false, Anywhere);
        }
        for link in picture.links() {
            let end = link.ends[usize::from(!link.here[0])];
            self.put_beside(end, 1.0, &clean(&link.label()), LINK, false, Anywhere);
        }
        for waypath in picture.waypaths() {
            self.put_beside(waypath.middle(), 1.0, &clean(&waypath.label()), LANE, false, Anywhere);
        }
        for (name, at) in picture.named_points() {
            self.put_beside(at, 1.0, &clean(name), PLACE, false, OnFloor);
        }
        for (name, polygon, _) in picture.areas().filter(|(_, _, open)| *open) {
            self.put_inside(polygon, &clean(name), AREA_NAME, Tile::Floor);
        }
    }

    /// Puts a speech bubble above a character, or below if there is no room.
    fn put_speech(&mut self, figure: &Figure, speech: &str) {
        let cells = self.projection.cells();
        let Some((column, row)) = self.projection.cell_of(figure.at) else { return };
        let words = shorten(&clean(speech), MOST_SPEECH_COLUMNS.min(cells.width.saturating_sub(4)));
        let who = initial(figure);
        let words = if self.colour { format!("{who} {words} ") } else { format!("{who}:\"{words}\"") };
        let length = width_of(&words);
        let away = (self.radius_px(figure) / 2.0).ceil() as usize + 1;
        let rightmost = (cells.column + cells.width).saturating_sub(length).max(cells.column);
        let from = column.saturating_sub(2).clamp(cells.column, rightmost);
        let rows = [row.checked_sub(away), Some(row + away), row.checked_sub(away + 1), Some(row + away + 1)];
        let free = |row: &usize| self.is_free(from, *row, length);
        if let Some(row) = rows.into_iter().flatten().find(free) {
            self.canvas.write(from, row, &words, DARK, Some(CREAM), false);
            // The character's letter in its colour shows the speaker, wherever the bubble found room.
            let ink = if figure.player { DARK } else { CREAM };
            let colour = Some(figure_colour(figure));
            self.canvas.write(from, row, who.encode_utf8(&mut [0; 4]), ink, colour, true);
            self.take(from, row, length);
        }
    }

    /// Puts text right of a place, else left, below or above, where it fits; else nowhere.
    fn put_beside(&mut self, at: DVec2, gap_px: f64, words: &str, ink: Rgb, bold: bool, where_to: WhereTo) {
        let Some((column, row)) = self.projection.cell_of(at) else { return };
        let length = width_of(words);
        let gap = gap_px.ceil() as usize + 1;
        let rows_away = (gap_px / 2.0).ceil() as usize;
        let (right, left) = (Some(column + gap), (column + 1).checked_sub(gap + length));
        let middle = Some(column.saturating_sub(length / 2));
        let (above, beneath) = (row.checked_sub(rows_away.max(1)), Some(row + rows_away.max(1)));
        let row = Some(row);
        let tries =
            [(right, row), (left, row), (middle, beneath), (middle, above), (right, beneath), (right, above)];
        let free = |&(column, row): &(usize, usize)| {
            self.is_free(column, row, length) && (where_to == Anywhere || self.is_floor(column, row, length))
        };
        let found = tries.into_iter().filter_map(|(column, row)| Some((column?, row?))).find(free);
        if let Some((column, row)) = found {
            self.write_over(column, row, words, ink, bold);
        }
    }

    /// Puts text inside a polygon, where it covers nothing but `tile`, as near to the middle as possible. For things
    /// lower than a row, half a row is enough.
    fn put_inside(&mut self, polygon: &[DVec2], words: &str, ink: Rgb, tile: Tile) -> bool {
        let length = width_of(words);
        let whole = self.place_inside(polygon, length, tile, true);
        let half = || self.place_inside(polygon, length, tile, false).filter(|_| tile == Tile::Solid);
        let Some((column, row)) = whole.or_else(half) else { return false };
        self.write_over(column, row, words, ink, false);
        true
    }

    fn place_inside(
        &self,
        polygon: &[DVec2],
        length: usize,
        tile: Tile,
        whole: bool,
    ) -> Option<(usize, usize)> {
        let cells = self.projection.cells();
        let (min, max) = extent(polygon);
        let middle = self.projection.px(min.midpoint(max));
        let mut best: Option<(f64, usize, usize)> = None;
        for y in 0..cells.height {
            for x in 0..(cells.width + 1).saturating_sub(length) {
                let centre = DVec2::new(x as f64 + length as f64 / 2.0, y as f64 * 2.0 + 1.0);
                let far = centre.distance_squared(middle);
                if best.is_none_or(|(least, _, _)| far < least)
                    && self.is_free(cells.column + x, cells.row + y, length)
                    && (x..x + length).all(|x| self.lies_on(polygon, x, y, tile, whole))
                {
                    best = Some((far, cells.column + x, cells.row + y));
                }
            }
        }
        best.map(|(_, column, row)| (column, row))
    }

    /// Whether a character cell of the box shows this tile, in both of its pixels if `whole`, and lies in the
    /// polygon.
    fn lies_on(&self, polygon: &[DVec2], x: usize, y: usize, tile: Tile, whole: bool) -> bool {
        let (upper, lower) = (self.tiles.get(x, y * 2) == tile, self.tiles.get(x, y * 2 + 1) == tile);
        let enough = if whole { upper && lower } else { upper || lower };
        enough && contains(polygon, self.projection.place(DVec2::new(x as f64 + 0.5, y as f64 * 2.0 + 1.0)))
    }

    /// Whether characters of the canvas show only floor.
    fn is_floor(&self, column: usize, row: usize, length: usize) -> bool {
        let cells = self.projection.cells();
        let (x, y) = (column - cells.column, row - cells.row);
        let floor = |x, y| matches!(self.tiles.get(x, y), Tile::Floor | Tile::Tight);
        (x..x + length).all(|x| floor(x, y * 2) && floor(x, y * 2 + 1))
    }

    /// Writes over the canvas; without colours, a space on either side keeps the text legible.
    fn write_over(&mut self, column: usize, row: usize, words: &str, ink: Rgb, bold: bool) {
        let end = self.canvas.write(column, row, words, ink, None, bold);
        if !self.colour {
            for beside in [column.checked_sub(1), Some(end)].into_iter().flatten() {
                if self.is_free(beside, row, 1) {
                    self.canvas.set(beside, row, Glyph::blank(NIGHT));
                }
            }
        }
        self.take(column, row, width_of(words));
    }

    fn is_free(&self, column: usize, row: usize, length: usize) -> bool {
        let cells = self.projection.cells();
        let inside = column >= cells.column
            && column + length <= cells.column + cells.width
            && (cells.row..cells.row + cells.height).contains(&row);
        inside && {
            let from = (row - cells.row) * cells.width + column - cells.column;
            !self.taken[from..from + length].contains(&true)
        }
    }

    /// Marks characters as taken, with one more on either side to keep texts apart.
    pub(super) fn take(&mut self, column: usize, row: usize, length: usize) {
        let cells = self.projection.cells();
        let Some(y) = row.checked_sub(cells.row).filter(|&y| y < cells.height) else { return };
        let from = column.saturating_sub(cells.column + 1);
        let to = (column + length + 1).saturating_sub(cells.column).min(cells.width);
        if from < to {
            self.taken[y * cells.width + from..y * cells.width + to].fill(true);
        }
    }
}

/// Smallest and largest coordinates of a polygon.
fn extent(polygon: &[DVec2]) -> (DVec2, DVec2) {
    polygon.iter().fold((DVec2::MAX, DVec2::MIN), |(min, max), &p| (min.min(p), max.max(p)))
}

/// The tiles that text may cover.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WhereTo {
    /// Everything, walls and things included.
    Anywhere,
    /// Clear floor only, for less important text.
    OnFloor,
}
use WhereTo::{Anywhere, OnFloor};
