//! A picture on a canvas: the mosaic of the floor in half blocks, people and words on top.

use super::canvas::{Canvas, Glyph};
use super::tiles::{NIGHT, Tile, Tiles};
use super::words::{clean, columns, shorten, width_of};
use super::{CellBox, Figure, Picture, Projection, Rgb, Route};
use crate::geometry::contains;
use glam::DVec2;

/// What a map shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MapLook {
    /// Colours; without, everything is told by letters.
    pub colour: bool,
    /// Where nobody can stand though it is floor, if the picture has cells.
    pub cells: bool,
    /// Where people are going.
    pub paths: bool,
    /// Whose names; what people say is always shown.
    pub names: Names,
}

/// Whose names a map shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Names {
    /// People, things, areas, places.
    All,
    /// People alone.
    People,
    /// Nobody's.
    None,
}

const CREAM: Rgb = Rgb::hex(0xf6ecd6);
const DARK: Rgb = Rgb::hex(0x1d1712);
const ON_SOLID: Rgb = Rgb::hex(0x2e1f0e);
const AREA_NAME: Rgb = Rgb::hex(0x86765c);
const CLOSED_NAME: Rgb = Rgb::hex(0xd98266);
const PLACE: Rgb = Rgb::hex(0x5f8d93);
const QUERY: Rgb = Rgb::hex(0xe2674f);
const REMARK: Rgb = Rgb::hex(0xf0c36a);
/// What somebody says is cut to this many columns.
const MOST_SPEECH_COLUMNS: usize = 36;
/// Nobody's body is smaller than this, pixels.
const LEAST_BODY_PX: f64 = 0.9;

impl Picture {
    /// Paints the picture into a part of a canvas, as large as it goes, and tells where everything lies.
    pub fn paint(&self, canvas: &mut Canvas, cells: CellBox, look: MapLook) -> Projection {
        let projection = Projection::fit(self.bounds(), cells);
        let tiles = Tiles::of(self, &projection, look.cells);
        let taken = vec![false; cells.width * cells.height];
        let mut map = Map { picture: self, projection, look, tiles, canvas, taken };
        let pixels = map.pixels();
        map.put_floor(&pixels);
        map.put_marks();
        map.put_words();
        projection
    }
}

struct Map<'a> {
    picture: &'a Picture,
    projection: Projection,
    look: MapLook,
    tiles: Tiles,
    canvas: &'a mut Canvas,
    /// Which characters of the box hold something that must not be written over.
    taken: Vec<bool>,
}

impl Map<'_> {
    // ---- pixels ----

    /// Floor, ways and bodies, in colours.
    fn pixels(&self) -> Pixels {
        let CellBox { width, height, .. } = self.projection.cells();
        let colours = (0..width * height * 2).map(|i| self.tiles.colour(i % width, i / width)).collect();
        let mut pixels = Pixels { width, height: height * 2, colours };
        if self.look.paths {
            self.picture.routes().for_each(|route| self.dot_route(route, &mut pixels));
        }
        for (points, tint) in self.picture.trails() {
            self.dot_line(points, 2.0, |px| pixels.mix(px, tint.colour(), 0.4));
        }
        for figure in self.picture.figures() {
            self.body(figure, &mut pixels);
        }
        pixels
    }

    fn dot_route(&self, route: &Route, pixels: &mut Pixels) {
        let colour = route_colour(route);
        self.dot_line(&route.points, 2.0, |px| pixels.mix(px, colour, 0.8));
    }

    /// Calls `dot` every `step_px` pixels along a line.
    fn dot_line(&self, points: &[DVec2], step_px: f64, mut dot: impl FnMut(DVec2)) {
        let mut left_px = step_px / 2.0;
        for leg in points.windows(2) {
            let (from, to) = (self.projection.px(leg[0]), self.projection.px(leg[1]));
            let length = from.distance(to);
            if !(length > 0.0 && length < 1e5) {
                continue;
            }
            while left_px <= length {
                dot(from.lerp(to, left_px / length));
                left_px += step_px;
            }
            left_px -= length;
        }
    }

    /// A disc, and a lighter pixel where it looks.
    fn body(&self, figure: &Figure, pixels: &mut Pixels) {
        let (middle, radius) = (self.projection.px(figure.at), self.radius_px(figure));
        let colour = figure_colour(figure);
        let reach = radius.ceil() + 1.0;
        let (low, high) = ((middle - reach).floor(), (middle + reach).ceil());
        for y in low.y.max(0.0) as usize..high.y.clamp(0.0, pixels.height as f64) as usize {
            for x in low.x.max(0.0) as usize..high.x.clamp(0.0, pixels.width as f64) as usize {
                let px = DVec2::new(x as f64, y as f64) + 0.5;
                let inside = (radius + 0.5 - px.distance(middle)).clamp(0.0, 1.0);
                pixels.mix(px, colour, inside);
            }
        }
        let (sin, cos) = libm::sincos(figure.heading_rad);
        pixels.mix(middle + DVec2::new(cos, sin) * (radius + 0.9), colour.mix(CREAM, 0.45), 0.95);
    }

    fn radius_px(&self, figure: &Figure) -> f64 {
        (figure.radius_m / self.projection.m_per_px()).max(LEAST_BODY_PX)
    }

    fn put_floor(&mut self, pixels: &Pixels) {
        let CellBox { column, row, width, height } = self.projection.cells();
        for y in 0..height {
            for x in 0..width {
                let glyph = if self.look.colour { pixels.glyph(x, y * 2) } else { self.plain_glyph(x, y * 2) };
                self.canvas.set(column + x, row + y, glyph);
            }
        }
        if !self.look.colour && self.look.paths {
            let ways: Vec<DVec2> = self.picture.routes().flat_map(|route| self.line_places(&route.points)).collect();
            for place in ways {
                self.put(place, '*', CREAM, None, false);
            }
            self.taken.fill(false);
        }
    }

    fn line_places(&self, points: &[DVec2]) -> Vec<DVec2> {
        let mut places = Vec::new();
        self.dot_line(points, 1.0, |px| places.push(self.projection.place(px)));
        places
    }

    fn plain_glyph(&self, x: usize, y: usize) -> Glyph {
        let pair = [self.tiles.get(x, y), self.tiles.get(x, y + 1)];
        let has = |tile| pair.contains(&tile);
        let letter = match () {
            () if has(Tile::Closed) => '~',
            () if has(Tile::Solid) => '#',
            () if has(Tile::Tight) => ',',
            () if has(Tile::Floor) => '.',
            () => ' ',
        };
        Glyph { letter, ink: CREAM, paper: NIGHT, bold: false }
    }

    // ---- marks of one character ----

    fn put_marks(&mut self) {
        let picture = self.picture;
        for (_, at) in picture.points() {
            self.put(at, if self.look.colour { '◆' } else { '+' }, PLACE, None, false);
        }
        if self.look.paths {
            for route in picture.routes() {
                if route.partial || route.tint.is_none() {
                    self.put(route.goal, '×', route_colour(route), None, true);
                }
            }
        }
        // The player last: nobody stands on top of them.
        let mut figures: Vec<&Figure> = picture.figures().collect();
        figures.sort_by_key(|figure| (figure.player, figure.active));
        for figure in figures {
            let colour = figure_colour(figure);
            let ink = if figure.player { DARK } else { CREAM };
            self.put(figure.at, initial(figure), ink, Some(colour), true);
        }
    }

    /// Puts one character at a place of the room.
    fn put(&mut self, at: DVec2, letter: char, ink: Rgb, paper: Option<Rgb>, bold: bool) {
        let Some((column, row)) = self.projection.cell_of(at) else { return };
        self.canvas.write(column, row, letter.encode_utf8(&mut [0; 4]), ink, paper, bold);
        self.take(column, row, columns(letter));
    }

    // ---- words ----

    /// Words by importance: what comes first gets the better place.
    fn put_words(&mut self) {
        let picture = self.picture;
        for figure in picture.figures() {
            if let Some(speech) = &figure.speech {
                self.put_speech(figure, speech);
            }
        }
        for (text, at) in picture.labels() {
            self.put_beside(at, 1.0, &clean(text), REMARK, true, Anywhere);
        }
        if self.look.names != Names::None {
            for figure in picture.figures() {
                let ink = figure_colour(figure).mix(CREAM, if figure.player { 0.25 } else { 0.6 });
                let gap = self.radius_px(figure) + 0.5;
                self.put_beside(figure.at, gap, &clean(&figure.name), ink, figure.player, Anywhere);
            }
        }
        if self.look.names == Names::All {
            self.name_things();
        }
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
        for (name, at) in picture.points() {
            self.put_beside(at, 1.0, &clean(name), PLACE, false, OnFloor);
        }
        for (name, polygon, _) in picture.areas().filter(|(_, _, open)| *open) {
            self.put_inside(polygon, &clean(name), AREA_NAME, Tile::Floor);
        }
    }

    /// Words in a bubble above somebody, or beneath if there is no room.
    fn put_speech(&mut self, figure: &Figure, speech: &str) {
        let cells = self.projection.cells();
        let Some((column, row)) = self.projection.cell_of(figure.at) else { return };
        let words = shorten(&clean(speech), MOST_SPEECH_COLUMNS.min(cells.width.saturating_sub(2)));
        let words = if self.look.colour { format!(" {words} ") } else { format!("\"{words}\"") };
        let length = width_of(&words);
        let away = (self.radius_px(figure) / 2.0).ceil() as usize + 1;
        let rightmost = (cells.column + cells.width).saturating_sub(length).max(cells.column);
        let from = column.saturating_sub(2).clamp(cells.column, rightmost);
        let rows = [row.checked_sub(away), Some(row + away), row.checked_sub(away + 1), Some(row + away + 1)];
        let free = |row: &usize| self.is_free(from, *row, length);
        if let Some(row) = rows.into_iter().flatten().find(free) {
            self.canvas.write(from, row, &words, DARK, Some(CREAM), false);
            self.take(from, row, length);
        }
    }

    /// Words right of a place, else left, beneath, above, where nothing is in the way; else nowhere.
    fn put_beside(&mut self, at: DVec2, gap_px: f64, words: &str, ink: Rgb, bold: bool, where_to: WhereTo) {
        let Some((column, row)) = self.projection.cell_of(at) else { return };
        let length = width_of(words);
        let gap = gap_px.ceil() as usize + 1;
        let rows_away = (gap_px / 2.0).ceil() as usize;
        let (right, left) = (Some(column + gap), (column + 1).checked_sub(gap + length));
        let middle = Some(column.saturating_sub(length / 2));
        let (above, beneath) = (row.checked_sub(rows_away.max(1)), Some(row + rows_away.max(1)));
        let row = Some(row);
        let tries = [(right, row), (left, row), (middle, beneath), (middle, above), (right, beneath), (right, above)];
        let free = |&(column, row): &(usize, usize)| {
            self.is_free(column, row, length) && (where_to == Anywhere || self.is_floor(column, row, length))
        };
        let found = tries.into_iter().filter_map(|(column, row)| Some((column?, row?))).find(free);
        if let Some((column, row)) = found {
            self.write_over(column, row, words, ink, bold);
        }
    }

    /// Words inside a polygon, where they fit on nothing but `tile`, as near to its middle as possible. Things may be too
    /// low for a whole row; half of one does then.
    fn put_inside(&mut self, polygon: &[DVec2], words: &str, ink: Rgb, tile: Tile) -> bool {
        let length = width_of(words);
        let whole = self.place_inside(polygon, length, tile, true);
        let half = || self.place_inside(polygon, length, tile, false).filter(|_| tile == Tile::Solid);
        let Some((column, row)) = whole.or_else(half) else { return false };
        self.write_over(column, row, words, ink, false);
        true
    }

    fn place_inside(&self, polygon: &[DVec2], length: usize, tile: Tile, whole: bool) -> Option<(usize, usize)> {
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

    /// Whether a character of the box shows this tile, in both of its pixels if `whole`, and lies in the polygon.
    fn lies_on(&self, polygon: &[DVec2], x: usize, y: usize, tile: Tile, whole: bool) -> bool {
        let (upper, lower) = (self.tiles.get(x, y * 2) == tile, self.tiles.get(x, y * 2 + 1) == tile);
        let enough = if whole { upper && lower } else { upper || lower };
        enough && contains(polygon, self.projection.place(DVec2::new(x as f64 + 0.5, y as f64 * 2.0 + 1.0)))
    }

    /// Whether characters of the canvas show floor and nothing else.
    fn is_floor(&self, column: usize, row: usize, length: usize) -> bool {
        let cells = self.projection.cells();
        let (x, y) = (column - cells.column, row - cells.row);
        let floor = |x, y| matches!(self.tiles.get(x, y), Tile::Floor | Tile::Tight);
        (x..x + length).all(|x| floor(x, y * 2) && floor(x, y * 2 + 1))
    }

    /// Writes on what is there; without colours a space on either side keeps the words legible.
    fn write_over(&mut self, column: usize, row: usize, words: &str, ink: Rgb, bold: bool) {
        let end = self.canvas.write(column, row, words, ink, None, bold);
        if !self.look.colour {
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

    /// Takes characters, and one more on either side so that words keep apart.
    fn take(&mut self, column: usize, row: usize, length: usize) {
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

/// Where words may stand.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WhereTo {
    /// On anything, walls and things included.
    Anywhere,
    /// On clear floor only: what is of less importance shall not make a mess.
    OnFloor,
}
use WhereTo::{Anywhere, OnFloor};

/// Square pixels, two to a character.
struct Pixels {
    width: usize,
    height: usize,
    colours: Vec<Rgb>,
}

impl Pixels {
    fn mix(&mut self, px: DVec2, colour: Rgb, share: f64) {
        let inside = px.cmpge(DVec2::ZERO).all() && px.x < self.width as f64 && px.y < self.height as f64;
        if inside && share > 0.0 {
            let i = px.y as usize * self.width + px.x as usize;
            self.colours[i] = self.colours[i].mix(colour, share);
        }
    }

    /// The character that shows pixel (x, y) above pixel (x, y + 1).
    fn glyph(&self, x: usize, y: usize) -> Glyph {
        let colour = |y: usize| self.colours[y * self.width + x];
        let (upper, lower) = (colour(y), colour(y + 1));
        if upper == lower {
            return Glyph::blank(upper);
        }
        Glyph { letter: '▀', ink: upper, paper: lower, bold: false }
    }
}

fn route_colour(route: &Route) -> Rgb {
    route.tint.map_or(QUERY, |tint| tint.colour().mix(CREAM, 0.2))
}

fn figure_colour(figure: &Figure) -> Rgb {
    let colour = figure.tint.colour();
    if figure.active { colour } else { colour.mix(NIGHT, 0.6) }
}

/// What stands for somebody: `@` for the player, else the first letter of the name.
fn initial(figure: &Figure) -> char {
    if figure.player {
        return '@';
    }
    let first = clean(&figure.name).chars().find(|c| c.is_alphanumeric()).unwrap_or('?');
    let mut upper = first.to_uppercase();
    match (upper.next(), upper.next()) {
        (Some(letter), None) => letter,
        _ => first,
    }
}
