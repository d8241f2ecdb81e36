//! One frame of the screen: the map, a status bar, the latest lines, and a notice or the keys.

use super::text::{BAR, CREAM, DIM, GOLD, Line, NIGHT, RED, SAND};
use cicerone::draw::{Canvas, CellBox, Picture, Projection, clean, shorten, width_of};
use cicerone::script::SwitchedOff;
use cicerone::world::World;
use std::collections::{BTreeMap, VecDeque};

/// What the screen shows beside the world.
#[derive(Debug, Clone, Copy)]
pub(super) struct View<'a> {
    /// The latest lines, the latest last.
    pub(super) log: &'a VecDeque<Line>,
    /// The number of errors so far.
    pub(super) errors: usize,
    /// Handlers that are switched off.
    pub(super) off: &'a [SwitchedOff],
    /// Whether scripts exceed the limit of a tick, and take turns.
    pub(super) takes_turns: bool,
    /// Speed of time, 1 being real time.
    pub(super) speed: f64,
    pub(super) paused: bool,
    /// Replaces the keys in the last line.
    pub(super) notice: Option<&'a Line>,
}

/// A frame, and the place of the room in it.
pub(super) struct Frame {
    pub(super) canvas: Canvas,
    /// `None` when the screen is too small for a map.
    pub(super) projection: Option<Projection>,
}

/// The smallest screen that shows anything useful: columns, rows.
const LEAST_SIZE: (usize, usize) = (20, 8);
/// Lines of the log on a high screen.
pub(super) const MOST_LINES: usize = 8;
/// One line of the log for this many rows of the screen.
const ROWS_PER_LINE: usize = 4;
/// The keys, the most useful first: those that do not fit are left out.
const KEYS: [(&str, &str); 3] = [("click", "walk"), ("space", "pause"), ("q", "quit")];

/// Composes a frame of this many columns and rows.
pub(super) fn compose(world: &World, view: &View<'_>, size: (usize, usize), colour: bool) -> Frame {
    let (width, height) = size;
    let mut canvas = Canvas::new(width, height, NIGHT);
    if width < LEAST_SIZE.0 || height < LEAST_SIZE.1 {
        too_small(&mut canvas);
        return Frame { canvas, projection: None };
    }
    let lines = ((height - 2) / ROWS_PER_LINE).clamp(1, MOST_LINES);
    let map = CellBox { column: 0, row: 0, width, height: height - 2 - lines };
    let picture = Picture::of_world(world).with_faults(&faults(view.off));
    let (shown, count) = (picture.storey_to_follow(), picture.storey_count());
    let storey = picture.storey(shown).filter(|_| count > 1);
    let projection = storey.as_ref().unwrap_or(&picture).paint(&mut canvas, map, colour);
    let storey = match picture.level_of_storey(shown) {
        Some(level) => format!("level {level}"),
        None if count > 1 => format!("storey {shown} of {count}"),
        None => String::new(),
    };
    status(&mut canvas, map.height, world, view, storey, colour);
    log(&mut canvas, map.height + 1, lines, view.log);
    last_line(&mut canvas, view.notice);
    Frame { canvas, projection: Some(projection) }
}

/// The characters whose handlers are switched off, with a short text.
fn faults(off: &[SwitchedOff]) -> BTreeMap<&str, String> {
    let mut faults: BTreeMap<&str, String> = BTreeMap::new();
    for handler in off.iter().filter(|handler| handler.character.is_some()) {
        // A character without `run` does nothing; that is worth more than any other handler.
        if handler.event == "run" {
            faults.insert(&handler.who, "run ended".to_owned());
        } else {
            faults.entry(&handler.who).or_insert_with(|| format!("{} off", handler.event));
        }
    }
    faults
}

fn too_small(canvas: &mut Canvas) {
    let words = ["too small", "20 × 8 needed"];
    let top = (canvas.height() / 2).saturating_sub(1);
    for (row, words) in words.iter().enumerate() {
        let column = canvas.width().saturating_sub(width_of(words)) / 2;
        canvas.write(column, top + row, words, CREAM, None, false);
    }
}

/// The bar beneath the map: room, errors, storey, speed and time.
fn status(canvas: &mut Canvas, row: usize, world: &World, view: &View<'_>, storey: String, colour: bool) {
    let width = canvas.width();
    canvas.fill(0, row, width, BAR);
    let time_s = world.time_s();
    let counted = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    let errors = if view.errors > 0 { counted(view.errors, "error") } else { String::new() };
    let pace = if view.paused { "‖ paused" } else { "▶" };
    // A long name does not push the errors off.
    let name_width = (width - 2).saturating_sub(if errors.is_empty() { 0 } else { width_of(&errors) + 3 });
    let parts = [
        (shorten(&clean(&world.room().name), name_width), GOLD),
        (errors, RED),
        (if view.takes_turns { "scripts take turns".to_owned() } else { String::new() }, RED),
        (storey, CREAM),
        (format!("{pace} {}×", view.speed), if view.paused { GOLD } else { CREAM }),
        (format!("{}:{:04.1}", (time_s / 60.0).floor(), time_s % 60.0), CREAM),
        (format!("tick {}", world.tick_number()), SAND),
        (counted(world.characters().len(), "character"), SAND),
    ];
    let mut column = 1;
    for (words, ink) in parts.into_iter().filter(|(words, _)| !words.is_empty()) {
        if column + width_of(&words) > width {
            break;
        }
        column = canvas.write(column, row, &words, ink, None, column == 1 || ink == RED) + 3;
    }
    if !colour {
        // Without colours, a rule separates the status from the map.
        (column.saturating_sub(2)..width).for_each(|x| {
            canvas.write(x, row, "-", DIM, None, false);
        });
    }
}

/// The latest lines, the latest at the bottom and brightest.
fn log(canvas: &mut Canvas, top: usize, rows: usize, lines: &VecDeque<Line>) {
    let width = canvas.width().saturating_sub(2);
    for (age, line) in lines.iter().rev().take(rows).enumerate() {
        let ink = line.tone.ink().mix(NIGHT, (age as f64 * 0.14).min(0.55));
        canvas.write(1, top + rows - 1 - age, &shorten(&line.text, width), ink, None, false);
    }
}

/// A notice, else the keys.
fn last_line(canvas: &mut Canvas, notice: Option<&Line>) {
    let (row, width) = (canvas.height() - 1, canvas.width());
    if let Some(Line { tone, text }) = notice {
        canvas.write(1, row, &shorten(text, width.saturating_sub(2)), tone.ink(), None, false);
        return;
    }
    let mut column = 1;
    for (key, what) in KEYS {
        if column + width_of(key) + 1 + width_of(what) > width {
            break;
        }
        column = canvas.write(column, row, key, GOLD, None, true) + 1;
        column = canvas.write(column, row, what, DIM.mix(CREAM, 0.25), None, false) + 2;
    }
}
