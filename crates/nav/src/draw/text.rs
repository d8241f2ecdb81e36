//! A picture as plain text: for terminals without colour, `cicerone path --format ascii`, and the messages of failing
//! tests.
//!
//! ```text
//! . . . . . .        . walkable    # blocked    ~ closed    * the way    : a trail    , one recorded    % in the way
//! S # # # . .        S start   G goal   @ the player   A–Z characters   a–z places
//! * # # # . G
//! * * * * * .
//! ```

use super::key::{DOOR, Key, LANE, LINK, RAW, WALL};
use super::{Cells, Faces, Figure, Picture, Tint, clean};
use crate::geometry::{Visit, contains, traverse_cells};
use crate::nav::Disc;
use glam::DVec2;
use std::collections::BTreeSet;

/// The finest sampling of a picture without cells where there is room, metres.
const FINEST_M: f64 = 0.25;
/// The least and largest width of a map, whatever is requested.
const COLUMN_LIMITS: (usize, usize) = (16, 4000);
/// Upper limit on the rows of a map: a place far off makes its squares larger.
const MOST_ROWS: usize = 4000;
/// Lines of the key are at least this wide.
const LEAST_KEY_COLUMNS: usize = 48;

impl Picture {
    /// The picture as lines of ASCII (names keep their own letters), at most `width_limit` columns wide, with a key
    /// underneath. With cells in the picture, a character is a cell, or a square block of cells if the room is too
    /// large. Without, it is a square of the room. Characters are set apart by spaces where they fit, so that squares
    /// look square.
    pub fn to_text(&self, width_limit: usize) -> String {
        self.to_text_with(&TextLook { width_limit, ..TextLook::default() })
    }

    /// [`Picture::to_text`] with more options.
    pub fn to_text_with(&self, look: &TextLook) -> String {
        if let Some(storey) = look.storey.and_then(|number| self.storey(number)) {
            return storey.plans_to_text(&[&storey], look);
        }
        if self.storey_count() == 1 {
            return self.plans_to_text(&[self], look);
        }
        let storeys = self.storeys();
        self.plans_to_text(&storeys.iter().collect::<Vec<_>>(), look)
    }

    /// Maps below each other, with one key.
    fn plans_to_text(&self, plans: &[&Self], look: &TextLook) -> String {
        let width_limit = look.width_limit.clamp(COLUMN_LIMITS.0, COLUMN_LIMITS.1);
        let mut key = Key { off_the_map_is_told: look.part.is_none(), ..Key::default() };
        key.used.extend(self.raw().map(|_| RAW));
        if self.routes().any(|route| route.tint.is_none()) {
            key.used.extend(['S', 'G']);
        }
        let (mut text, mut marks, mut square_m) = (String::new(), Vec::new(), 0.0);
        for plan in plans {
            if let Some(caption) = &plan.caption {
                text.push_str(&format!("{caption}\n"));
            }
            if let Some(level) = plan.level_plan() {
                text.push_str(&plan.plan_to_text(level, look, width_limit, (&mut key, &mut marks)));
                text.push('\n');
                square_m = level.cell_m;
                continue;
            }
            let mut map = Map::of_ground(plan, look, width_limit);
            map.put_doors(plan, &look.doors);
            if look.walls {
                map.put_walls();
            }
            key.marked.clear();
            map.put_marks(plan, look, &mut key);
            let spaced = map.columns * 2 <= width_limit + 1;
            text.push_str(&map.print(spaced, &key.marked));
            text.push('\n');
            marks.extend(map.marks);
            square_m = map.square_m;
        }
        text.push_str(&key.print(&marks, square_m, width_limit.max(LEAST_KEY_COLUMNS)));
        text
    }
}

/// The options of a picture as text.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct TextLook {
    /// The largest width, in columns.
    pub width_limit: usize,
    /// The part of the picture to show, `(min, max)` in metres; all of it if `None`.
    pub part: Option<(DVec2, DVec2)>,
    /// The number of the only storey to show, the lowest being 1. All of them if `None`, or if there is no such storey.
    pub storey: Option<usize>,
    /// Whether the edge of the ground is drawn.
    pub walls: bool,
    /// Areas that are drawn even while they are open.
    pub doors: Vec<String>,
    /// The names of characters whose letters are in brackets.
    pub marked: Vec<String>,
}

/// One character per square of the room.
struct Map {
    /// The corner of the first square, metres.
    min: DVec2,
    /// Edge of a square, metres.
    square_m: f64,
    columns: usize,
    rows: usize,
    marks: Vec<char>,
}

impl Map {
    fn of_ground(picture: &Picture, look: &TextLook, width_limit: usize) -> Self {
        match (picture.cells(), picture.floor()) {
            (Some(cells), _) => Self::of_cells(picture, cells, look.part, width_limit),
            (None, Some(floor)) => Self::of_cells(picture, &Cells::of_floor(floor), look.part, width_limit),
            (None, None) => Self::of_polygons(picture, look, width_limit),
        }
    }

    /// Blocks of cells: walkable if most of their cells are.
    fn of_cells(picture: &Picture, cells: &Cells, part: Option<(DVec2, DVec2)>, width_limit: usize) -> Self {
        let is_shown = |at: DVec2| part.is_none_or(|(min, max)| at.cmpge(min).all() && at.cmple(max).all());
        let mark = |column: usize, row: usize| match cells.is_walkable(column, row) {
            _ if !is_shown(cells.centre(column, row)) => ' ',
            true => '.',
            false => blocked_mark(picture, cells.centre(column, row)),
        };
        let marks: Vec<char> =
            (0..cells.width * cells.depth).map(|i| mark(i % cells.width, i / cells.width)).collect();
        // The margin of the grid is left out, except where a character is.
        let mut used: Vec<(usize, usize)> = (0..marks.len())
            .filter(|&i| marks[i] != ' ')
            .map(|i| (i % cells.width, i / cells.width))
            .collect();
        used.extend(places(picture).filter(|&place| is_shown(place)).filter_map(|place| {
            let cell = ((place - cells.min) / cells.size_m).floor();
            let (column, row) = (cell.x as usize, cell.y as usize);
            let inside = cell.min_element() >= 0.0 && column < cells.width && row < cells.depth;
            inside.then_some((column, row))
        }));
        let extent = |of: fn(&(usize, usize)) -> usize| {
            (used.iter().map(of).min().unwrap_or(0), used.iter().map(of).max().unwrap_or(0))
        };
        let ((left, right), (top, bottom)) = (extent(|cell| cell.0), extent(|cell| cell.1));
        let block =
            (right + 1 - left).div_ceil(width_limit).max((bottom + 1 - top).div_ceil(MOST_ROWS)).max(1);
        let (columns, rows) = ((right + 1 - left).div_ceil(block), (bottom + 1 - top).div_ceil(block));
        let most = |column: usize, row: usize| {
            let (x, z) = (left + column * block, top + row * block);
            let inside = (z..(z + block).min(cells.depth))
                .flat_map(|z| (x..(x + block).min(cells.width)).map(move |x| (x, z)))
                .map(|(x, z)| marks[z * cells.width + x]);
            most_frequent(inside)
        };
        let marks = (0..columns * rows).map(|i| most(i % columns, i / columns)).collect();
        let min = cells.min + DVec2::new(left as f64, top as f64) * cells.size_m;
        Self { min, square_m: cells.size_m * block as f64, columns, rows, marks }
    }

    /// Squares, each judged by its middle.
    fn of_polygons(picture: &Picture, look: &TextLook, width_limit: usize) -> Self {
        let (min, max) = look.part.unwrap_or_else(|| picture.bounds());
        let columns = width_limit / 2 - if look.walls { 3 } else { 0 };
        let square_m = FINEST_M.max((max - min).x / columns as f64).max((max - min).y / MOST_ROWS as f64);
        let margin = if look.walls { square_m } else { 0.0 };
        let (min, max) = (min - margin, max + margin);
        let size = max - min;
        let [columns, rows] = [size.x, size.y].map(|side| ((side / square_m).ceil() as usize).max(1));
        let mut map = Self { min, square_m, columns, rows, marks: Vec::new() };
        if let Some(faces) = picture.faces() {
            map.lay_faces(picture, faces);
            return map;
        }
        let mark = |point: DVec2| {
            let in_area = picture.areas().any(|(_, polygon, open)| open && contains(polygon, point));
            let stands = picture.obstacles().any(|(_, polygon)| contains(polygon, point));
            if in_area && !stands { '.' } else { blocked_mark(picture, point) }
        };
        map.marks = (0..columns * rows).map(|i| mark(map.middle(i % columns, i / columns))).collect();
        map
    }

    /// Squares of a mesh, each judged by its middle. What the ground surrounds is blocked.
    fn lay_faces(&mut self, picture: &Picture, faces: &Faces) {
        let squares = self.columns * self.rows;
        self.marks = vec![' '; squares];
        for face in faces.faces.iter().filter(|face| face.open || !faces.outlined) {
            self.lay(&face.corners, if face.open { '.' } else { '~' });
        }
        if faces.outlined {
            for index in (0..squares).filter(|&index| self.marks[index] == ' ').collect::<Vec<_>>() {
                let middle = self.middle(index % self.columns, index / self.columns);
                self.marks[index] = blocked_mark(picture, middle);
            }
            return;
        }
        self.fill_holes();
        for (_, polygon) in picture.obstacles() {
            self.lay(polygon, '#');
        }
    }

    /// Marks the squares whose middles lie in a polygon.
    fn lay(&mut self, polygon: &[DVec2], mark: char) {
        let nothing = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        let (min, max) = polygon.iter().fold(nothing, |(min, max), &at| (min.min(at), max.max(at)));
        let index = |value: f64, most: usize| value.clamp(0.0, most as f64) as usize;
        let [low, high] = [min, max].map(|corner| (corner - self.min) / self.square_m);
        for row in index(low.y.floor(), self.rows)..index(high.y.ceil(), self.rows) {
            for column in index(low.x.floor(), self.columns)..index(high.x.ceil(), self.columns) {
                if contains(polygon, self.middle(column, row)) {
                    self.marks[row * self.columns + column] = mark;
                }
            }
        }
    }

    /// Blank squares that no way leads to from outside are blocked.
    fn fill_holes(&mut self) {
        let (columns, rows) = (self.columns, self.rows);
        let is_border = |index: &usize| {
            let (x, z) = (index % columns, index / columns);
            x == 0 || z == 0 || x + 1 == columns || z + 1 == rows
        };
        let mut is_outside = vec![false; columns * rows];
        let mut waiting: Vec<usize> = (0..columns * rows).filter(is_border).collect();
        while let Some(index) = waiting.pop() {
            if self.marks[index] != ' ' || std::mem::replace(&mut is_outside[index], true) {
                continue;
            }
            let (x, z) = (index % columns, index / columns);
            let beside = [
                (x > 0).then(|| index - 1),
                (x + 1 < columns).then(|| index + 1),
                (z > 0).then(|| index - columns),
                (z + 1 < rows).then(|| index + columns),
            ];
            waiting.extend(beside.into_iter().flatten());
        }
        for (mark, is_outside) in self.marks.iter_mut().zip(is_outside) {
            if *mark == ' ' && !is_outside {
                *mark = '#';
            }
        }
    }

    fn middle(&self, column: usize, row: usize) -> DVec2 {
        self.min + (DVec2::new(column as f64, row as f64) + 0.5) * self.square_m
    }

    /// Draws open doors with a mark of their own.
    fn put_doors(&mut self, picture: &Picture, doors: &[String]) {
        for (name, polygon, open) in picture.areas() {
            if !open || !doors.iter().any(|door| door == name) {
                continue;
            }
            for index in 0..self.marks.len() {
                let middle = self.middle(index % self.columns, index / self.columns);
                if self.marks[index] == '.' && contains(polygon, middle) {
                    self.marks[index] = DOOR;
                }
            }
        }
    }

    /// Draws a wall beside the ground.
    fn put_walls(&mut self) {
        let is_ground = |mark: char| mark != ' ' && mark != WALL;
        let (columns, rows) = (self.columns, self.rows);
        let around = |index: usize| {
            let (x, z) = (index % columns, index / columns);
            let xs = x.saturating_sub(1)..(x + 2).min(columns);
            (z.saturating_sub(1)..(z + 2).min(rows))
                .flat_map(move |z| xs.clone().map(move |x| z * columns + x))
        };
        for index in 0..self.marks.len() {
            if self.marks[index] == ' ' && around(index).any(|near| is_ground(self.marks[near])) {
                self.marks[index] = WALL;
            }
        }
    }

    /// Draws trails, paths, places and characters, each over the last, and adds the meaning of the letters.
    fn put_marks(&mut self, picture: &Picture, look: &TextLook, key: &mut Key) {
        for disc in picture.discs() {
            self.put_disc(disc);
        }
        // A recorded track lies over the path ahead and beneath the actual track, to show where the two part.
        let (past, trails): (Vec<_>, Vec<_>) = picture.trails().partition(|&(_, tint)| tint == Tint::Past);
        if let Some(raw) = picture.raw() {
            self.put_line(&raw.points, RAW);
        }
        for piece in picture.waypaths().flat_map(|waypath| &waypath.pieces) {
            self.put_line(piece, LANE);
        }
        for link in picture.links() {
            let here = link.ends.into_iter().zip(link.here).filter(|(_, here)| *here);
            here.for_each(|(end, _)| self.put_line(&[end, end], LINK));
        }
        picture.routes().for_each(|route| self.put_line(&route.points, '*'));
        past.iter().for_each(|(points, _)| self.put_line(points, ','));
        trails.iter().for_each(|(points, _)| self.put_line(points, ':'));
        for (name, at) in picture.points() {
            let letter = key.letter(name, char::to_ascii_lowercase, 'a'..='z');
            self.put(at, letter, name, key);
        }
        let is_marked = |figure: &Figure| look.marked.contains(&figure.name);
        // Marked characters choose their letters first, and are drawn on top.
        let mut figures: Vec<&Figure> = picture.figures().collect();
        figures.sort_by_key(|figure| !is_marked(figure));
        let mut lettered: Vec<(&Figure, char)> = Vec::new();
        for figure in figures {
            let letter = match figure.player {
                true => '@',
                false => key.letter(&figure.name, char::to_ascii_uppercase, 'A'..='Z'),
            };
            lettered.push((figure, letter));
        }
        lettered.sort_by_key(|(figure, _)| is_marked(figure));
        for (figure, letter) in lettered {
            key.marking = is_marked(figure);
            let player = if figure.player { " (player)" } else { "" };
            self.put(figure.at, letter, &format!("{}{player}", figure.name), key);
        }
        key.marking = false;
        for route in picture.routes().filter(|route| route.tint.is_none()) {
            let missed = if route.partial { " (not reached)" } else { "" };
            if route.begins {
                self.put(route.start(), 'S', "start", key);
            }
            if route.ends {
                self.put(route.goal, 'G', &format!("goal{missed}"), key);
            }
        }
        // What is on several storeys is told once.
        let tell = |told: &mut Vec<String>, words: &str| {
            let words = clean(words);
            if picture.caption.is_none() || !told.contains(&words) {
                told.push(words);
            }
        };
        for link in picture.links().filter(|link| link.here[0] || picture.caption.is_none()) {
            tell(&mut key.links, &link.label());
        }
        picture.waypaths().for_each(|waypath| tell(&mut key.waypaths, &waypath.label()));
        for (text, _) in picture.labels() {
            tell(&mut key.remarks, text);
        }
        for (name, _, open) in picture.areas() {
            match open {
                false => tell(&mut key.closed, name),
                true if look.doors.iter().any(|door| door == name) => tell(&mut key.open, name),
                true => {}
            }
        }
    }

    fn put(&mut self, at: DVec2, mark: char, name: &str, key: &mut Key) {
        let square = ((at - self.min) / self.square_m).floor();
        let (column, row) = (square.x as i64, square.y as i64);
        let is_on = self.set(column, row, mark);
        if !is_on && !key.off_the_map_is_told {
            return;
        }
        if key.marking
            && let (Ok(column), Ok(row)) = (usize::try_from(column), usize::try_from(row))
        {
            key.marked.insert((column, row));
        }
        let off = if is_on { "" } else { " (off the map)" };
        key.entries.push((mark, key.marking, format!("{}{off}", clean(name))));
    }

    /// The squares whose middles lie in a disc, and the square of its own middle.
    fn put_disc(&mut self, disc: Disc) {
        for row in 0..self.rows {
            for column in 0..self.columns {
                let middle = self.middle(column, row);
                let apart = (middle - disc.centre.at).abs();
                if apart.length() <= disc.radius_m || apart.max_element() * 2.0 < self.square_m {
                    self.marks[row * self.columns + column] = '%';
                }
            }
        }
    }

    fn put_line(&mut self, points: &[DVec2], mark: char) {
        let in_squares = |point: DVec2| (point - self.min) / self.square_m;
        let legs: Vec<(DVec2, DVec2)> =
            points.windows(2).map(|leg| (in_squares(leg[0]), in_squares(leg[1]))).collect();
        for (from, to) in legs {
            // Typed coordinates may be extremely far away.
            if !(from.is_finite() && to.is_finite()) || from.abs().max(to.abs()).max_element() > 1e6 {
                continue;
            }
            traverse_cells(from, to, |visit| {
                if let Visit::Cell(cell) = visit {
                    self.set(cell.x, cell.y, mark);
                }
                true
            });
        }
    }

    /// `false` if the place is off the map.
    fn set(&mut self, column: i64, row: i64, mark: char) -> bool {
        let (Ok(column), Ok(row)) = (usize::try_from(column), usize::try_from(row)) else { return false };
        if column >= self.columns || row >= self.rows {
            return false;
        }
        self.marks[row * self.columns + column] = mark;
        true
    }

    fn print(&self, spaced: bool, marked: &BTreeSet<(usize, usize)>) -> String {
        let mut text = String::new();
        for (z, row) in self.marks.chunks(self.columns).enumerate() {
            let mut line = String::new();
            for (x, &mark) in row.iter().enumerate() {
                line.push(mark);
                if spaced {
                    line.push(match () {
                        () if marked.contains(&(x, z)) => ']',
                        () if marked.contains(&(x + 1, z)) => '[',
                        () => ' ',
                    });
                }
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

/// The mark of a blocked point: a closed area, a blocked place inside an area, or outside.
fn blocked_mark(picture: &Picture, point: DVec2) -> char {
    let (mut in_open, mut in_closed) = (false, false);
    for (_, polygon, open) in picture.areas() {
        if contains(polygon, point) {
            in_open |= open;
            in_closed |= !open;
        }
    }
    match (in_open, in_closed) {
        (true, _) => '#',
        (false, true) if picture.obstacles().any(|(_, polygon)| contains(polygon, point)) => '#',
        (false, true) => '~',
        (false, false) if picture.floor().is_some_and(|floor| floor.surrounds(point)) => '#',
        (false, false) => ' ',
    }
}

/// The places that will get letters.
fn places(picture: &Picture) -> impl Iterator<Item = DVec2> {
    let people = picture.figures().map(|figure| figure.at);
    let ways = picture.routes().flat_map(|route| route.points.iter().copied().chain([route.goal]));
    people.chain(picture.points().map(|(_, at)| at)).chain(ways)
}

/// The most frequent mark; of equals, the first in the order `. # ~ space`.
fn most_frequent(marks: impl Iterator<Item = char>) -> char {
    const ORDER: [char; 4] = [' ', '~', '#', '.'];
    let mut counts = [0_usize; 4];
    marks.for_each(|mark| counts[ORDER.iter().position(|&m| m == mark).unwrap_or(0)] += 1);
    // `max_by_key` returns the last of equals.
    (0..4).max_by_key(|&i| counts[i]).map_or(' ', |i| ORDER[i])
}
