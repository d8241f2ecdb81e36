//! One picture of the screen: the map, a status bar, the words beneath it (`words.rs`).

use super::keys::Keys;
use super::palette::{BAR, CREAM, DIM, GOLD, NIGHT, SAND};
use super::view::{Line, View};
use super::words::{events, hints, list, prompt, tone_ink};
use cicerone::draw::{Canvas, CellBox, MapLook, Picture, Projection, clean, shorten, width_of};
use cicerone::world::World;

/// A picture, and where the room lies in it.
pub(super) struct Frame {
    pub(super) canvas: Canvas,
    /// `None` when the screen is too small for a map.
    pub(super) projection: Option<Projection>,
    /// Where somebody types, if a line is open.
    pub(super) cursor: Option<(usize, usize)>,
}

/// The smallest screen that shows anything useful: columns, rows.
const LEAST_SIZE: (usize, usize) = (20, 8);
/// Lines of events on a high screen.
const MOST_LINES: usize = 8;
/// One line of events for this many rows of the screen.
const ROWS_PER_LINE: usize = 4;

/// What the keys do, the most useful first: what does not fit is left out from the end.
const HINTS: [(&str, &str); 11] = [
    ("click", "walk"),
    ("Enter", "go to…"),
    (":", "Lua"),
    ("q", "quit"),
    ("space", "pause"),
    ("+ -", "speed"),
    (".", "step"),
    ("s b", "save, back"),
    ("p", "paths"),
    ("c", "cells"),
    ("Tab", "names"),
];

/// Composes a picture of this many columns and rows.
pub(super) fn compose(
    world: &World,
    view: &View<'_>,
    keys: &Keys,
    size: (usize, usize),
    colour: bool,
) -> Frame {
    let (width, height) = size;
    let mut canvas = Canvas::new(width, height, NIGHT);
    if width < LEAST_SIZE.0 || height < LEAST_SIZE.1 {
        too_small(&mut canvas);
        return Frame { canvas, projection: None, cursor: None };
    }
    let lines = ((height - 2) / ROWS_PER_LINE).clamp(1, MOST_LINES);
    let map = CellBox { column: 0, row: 0, width, height: height - 2 - lines };
    let look = MapLook { colour, ..keys.look };
    let mut picture = Picture::of_world(world);
    // Of a room made of a grid all cells are shown anyway.
    if look.cells && world.room().grid.is_none() {
        picture = picture.with_cells(world.ground());
    }
    let projection = picture.paint(&mut canvas, map, look);
    status(&mut canvas, map.height, world, view, pointed_at(keys, &projection), colour);
    events(&mut canvas, map.height + 1, lines, view.lines);
    let cursor = last_line(&mut canvas, view.notice, keys);
    list(&mut canvas, height - 2, keys, colour);
    Frame { canvas, projection: Some(projection), cursor }
}

fn too_small(canvas: &mut Canvas) {
    let words = ["too small", "20 × 8 needed"];
    let top = (canvas.height() / 2).saturating_sub(1);
    for (row, words) in words.iter().enumerate() {
        let column = canvas.width().saturating_sub(width_of(words)) / 2;
        canvas.write(column, top + row, words, CREAM, None, false);
    }
}

/// Where in the room the mouse points.
fn pointed_at(keys: &Keys, projection: &Projection) -> Option<String> {
    let (column, row) = keys.mouse?;
    let place = projection.place_of(column, row)?;
    Some(format!("x {:.1}  z {:.1}", place.x, place.y))
}

/// The bar beneath the map: what runs, how fast, since when; at its right where the mouse points.
fn status(
    canvas: &mut Canvas,
    row: usize,
    world: &World,
    view: &View<'_>,
    pointed: Option<String>,
    colour: bool,
) {
    let width = canvas.width();
    canvas.fill(0, row, width, BAR);
    let time_s = world.time_s();
    let time = format!("{}:{:04.1}", (time_s / 60.0).floor(), time_s % 60.0);
    let (pace, pace_ink) = match view.paused {
        true => (format!("‖ paused {}×", speed(view.speed)), GOLD),
        false => (format!("▶ {}×", speed(view.speed)), CREAM),
    };
    let people = world.characters().len();
    let parts = [
        (clean(&world.room().name), GOLD, true),
        (pace, pace_ink, view.paused),
        (time, CREAM, false),
        (format!("tick {}", world.tick_number()), SAND, false),
        (format!("{people} {}", if people == 1 { "character" } else { "characters" }), SAND, false),
        (format!("{:.0} fps", view.fps), DIM, false),
    ];
    let right = pointed.map_or(width, |pointed| {
        let from = width.saturating_sub(width_of(&pointed) + 1);
        canvas.write(from, row, &pointed, SAND, None, false);
        from.saturating_sub(2)
    });
    let mut column = 1;
    for (words, ink, bold) in parts {
        let words = if column == 1 { shorten(&words, right.saturating_sub(2)) } else { words };
        if column + width_of(&words) > right {
            break;
        }
        column = canvas.write(column, row, &words, ink, None, bold) + 3;
    }
    if !colour {
        // Without a bar of its own colour, a rule tells the status from the map.
        for x in column.saturating_sub(2)..right {
            canvas.write(x, row, "-", DIM, None, false);
        }
    }
}

/// A speed without needless digits.
fn speed(speed: f64) -> String {
    let digits = if speed < 1.0 { format!("{speed:.3}") } else { format!("{speed:.1}") };
    digits.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The line being typed, or else a remark, or else what the keys do. Gives where the cursor is.
fn last_line(canvas: &mut Canvas, notice: Option<&Line>, keys: &Keys) -> Option<(usize, usize)> {
    let row = canvas.height() - 1;
    let width = canvas.width();
    if keys.prompt.is_some() {
        return Some((prompt(canvas, row, keys).min(width - 1), row));
    }
    match notice {
        Some(notice) => {
            let words = shorten(&clean(&notice.text), width.saturating_sub(2));
            canvas.write(1, row, &words, tone_ink(notice.tone), None, false);
        }
        None => hints(canvas, 1, row, &HINTS),
    }
    None
}
