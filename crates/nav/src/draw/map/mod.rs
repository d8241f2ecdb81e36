//! A picture on a canvas: the mosaic of the floor in half blocks, characters on top; text in `labels.rs`.

mod labels;

use super::canvas::{Canvas, Glyph};
use super::label::{clean, columns};
use super::tiles::{NIGHT, Tile, Tiles};
use super::{CellBox, Figure, Picture, Projection, Rgb, Route};
use glam::DVec2;

const CREAM: Rgb = Rgb::hex(0xf6ecd6);
const DARK: Rgb = Rgb::hex(0x1d1712);
const PLACE: Rgb = Rgb::hex(0x5f8d93);
const LANE: Rgb = Rgb::hex(0xa9a4e0);
const LINK: Rgb = Rgb::hex(0x7fc79f);
const HOTSPOT: Rgb = Rgb::hex(0xb56a98);
const QUERY: Rgb = Rgb::hex(0xe2674f);
const FAULT: Rgb = Rgb::hex(0xf0806a);
/// The smallest body, pixels.
const LEAST_BODY_PX: f64 = 0.9;

impl Picture {
    /// Paints the picture into a part of a canvas, as large as possible, and returns its projection. Without `colour`,
    /// letters show everything.
    pub fn paint(&self, canvas: &mut Canvas, cells: CellBox, colour: bool) -> Projection {
        let projection = Projection::fit(self.bounds(), cells);
        let tiles = Tiles::of(self, &projection);
        let taken = vec![false; cells.width * cells.height];
        let mut map = Map { picture: self, projection, colour, tiles, canvas, taken };
        let pixels = map.pixels();
        map.put_floor(&pixels);
        map.put_tu();
        map.put_marks();
        map.put_words();
        projection
    }
}

struct Map<'a> {
    picture: &'a Picture,
    projection: Projection,
    colour: bool,
    tiles: Tiles,
    canvas: &'a mut Canvas,
    /// The characters of the box that must not be written over.
    taken: Vec<bool>,
}

impl Map<'_> {
    // ---- pixels ----

    /// Floor, paths and bodies, in colours.
    fn pixels(&self) -> Pixels {
        let CellBox { width, height, .. } = self.projection.cells();
        let colours = (0..width * height * 2).map(|i| self.tiles.colour(i % width, i / width)).collect();
        let mut pixels = Pixels { width, height: height * 2, colours };
        self.picture.routes().for_each(|route| self.dot_route(route, &mut pixels));
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

    /// A disc, with a lighter pixel in its heading.
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
                let glyph = if self.colour { pixels.glyph(x, y * 2) } else { self.plain_glyph(x, y * 2) };
                self.canvas.set(column + x, row + y, glyph);
            }
        }
        if !self.colour {
            let ways: Vec<DVec2> =
                self.picture.routes().flat_map(|route| self.line_places(&route.points)).collect();
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
            () if has(Tile::Solid) || has(Tile::Inner) || has(Tile::Rock) => '#',
            () if has(Tile::Way) => '/',
            () if pair.iter().any(|tile| matches!(tile, Tile::Reach(_))) => ':',
            () if has(Tile::Tight) => ',',
            () if has(Tile::Floor) => '.',
            () => ' ',
        };
        Glyph { letter, ink: CREAM, paper: NIGHT, bold: false }
    }

    /// The TU of the cells of a tactical level, where they fit; those along the way stand out.
    fn put_tu(&mut self) {
        let picture = self.picture;
        let Some(plan) = picture.level_plan() else { return };
        let cell_px = plan.cell_m / self.projection.m_per_px();
        let digits = plan.largest_number().map_or(0, |most| most.to_string().len());
        // A border, the digits, and a gap; and a row of characters, which is two pixels high.
        if cell_px < (digits + 2).max(4) as f64 {
            return;
        }
        for (index, cell) in plan.cells.iter().enumerate() {
            let (words, ink) = match (cell.spent, cell.tu) {
                (Some(tu), _) => (tu.to_string(), QUERY.mix(CREAM, 0.35)),
                (None, Some((tu, _))) => (tu.to_string(), CREAM.mix(DARK, 0.3)),
                (None, None) if cell.ladder => ("≡".to_owned(), LINK),
                (None, None) => continue,
            };
            let corner = plan.corner(index % plan.width, index / plan.width);
            let at = self.projection.px(corner) + DVec2::new(1.6, cell_px / 2.0);
            if let Some((column, row)) = self.projection.cell_of(self.projection.place(at)) {
                self.canvas.write(column, row, &words, ink, None, cell.spent.is_some());
            }
        }
    }

    // ---- marks of one character ----

    fn put_marks(&mut self) {
        let picture = self.picture;
        for waypath in picture.waypaths() {
            let ink = if waypath.open { LANE } else { FAULT };
            for place in waypath.pieces.iter().flat_map(|piece| self.line_places(piece)).collect::<Vec<_>>() {
                self.put(place, if self.colour { '·' } else { '-' }, ink, None, false);
            }
        }
        self.taken.fill(false);
        for spot in picture.hotspots() {
            self.put(spot.at, if self.colour { '◇' } else { 'o' }, HOTSPOT, None, false);
        }
        for link in picture.links() {
            for (end, _) in link.ends.into_iter().zip(link.here).filter(|(_, here)| *here) {
                let ink = if link.open { LINK } else { FAULT };
                self.put(end, if self.colour { '↕' } else { '^' }, ink, None, true);
            }
        }
        for (_, at) in picture.points() {
            self.put(at, if self.colour { '◆' } else { '+' }, PLACE, None, false);
        }
        for route in picture.routes() {
            if route.ends && (route.partial || route.tint.is_none()) {
                self.put(route.goal, '×', route_colour(route), None, true);
            }
        }
        // The player last, so that it is on top.
        let mut figures: Vec<&Figure> = picture.figures().collect();
        figures.sort_by_key(|figure| (figure.player, figure.active));
        for figure in figures {
            let colour = figure_colour(figure);
            let ink = if figure.player { DARK } else { CREAM };
            match figure.fault {
                Some(_) => self.put(figure.at, '!', DARK, Some(FAULT), true),
                None => self.put(figure.at, initial(figure), ink, Some(colour), true),
            }
            self.take_body(figure);
        }
    }

    /// Keeps text off a character's whole body.
    fn take_body(&mut self, figure: &Figure) {
        let cells = self.projection.cells();
        let (middle, radius) = (self.projection.px(figure.at), self.radius_px(figure));
        let clamp = |value: f64, most: usize| value.clamp(0.0, most as f64) as usize;
        let rows = clamp((middle.y - radius) / 2.0, cells.height)
            ..clamp(((middle.y + radius) / 2.0).ceil(), cells.height);
        let (left, right) =
            (clamp(middle.x - radius, cells.width), clamp((middle.x + radius).ceil(), cells.width));
        for row in rows {
            self.taken[row * cells.width + left..row * cells.width + right.max(left)].fill(true);
        }
    }

    /// Puts one character at a place of the room.
    fn put(&mut self, at: DVec2, letter: char, ink: Rgb, paper: Option<Rgb>, bold: bool) {
        let Some((column, row)) = self.projection.cell_of(at) else { return };
        self.canvas.write(column, row, letter.encode_utf8(&mut [0; 4]), ink, paper, bold);
        self.take(column, row, columns(letter));
    }
}

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

/// The letter for a character: `@` for the player, else the first letter of the name.
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
