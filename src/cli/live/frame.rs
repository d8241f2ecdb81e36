//! One frame of the screen: the map, a status bar, the lines beneath it (`status.rs`) or a pane.

use super::errors::off_in_words;
use super::keys::{Keys, Storeys};
use super::level::with_choice;
use super::log::{Filter, Log};
use super::palette::{BAR, CREAM, DIM, GOLD, NIGHT, RED, SAND};
use super::pane::{self, Pane, Seen, Shows};
use super::status::{events, hints, list, prompt, prompt_rows};
use super::text::{Tone, tone_ink};
use super::view::View;
use cicerone::draw::{Canvas, CellBox, Picture, Projection, clean, shorten, width_of};
use cicerone::script::SwitchedOff;
use cicerone::world::World;
use std::collections::BTreeMap;

/// A frame, and the place of the room in it.
pub(super) struct Frame {
    pub(super) canvas: Canvas,
    /// `None` when the screen is too small for a map.
    pub(super) projection: Option<Projection>,
    /// The storeys of the room, and which of them the map shows.
    pub(super) storeys: Storeys,
    /// The cursor, if a line is open.
    pub(super) cursor: Option<(usize, usize)>,
    /// The lines that the open pane shows.
    pub(super) seen: Option<Seen>,
}

/// The smallest screen that shows anything useful: columns, rows.
const LEAST_SIZE: (usize, usize) = (20, 8);
/// Lines of events on a high screen.
const MOST_LINES: usize = 8;
/// One line of events for this many rows of the screen.
const ROWS_PER_LINE: usize = 4;

/// Hints for keys, the most useful first: those that do not fit are left out from the end.
const HINTS: [(&str, &str); 14] = [
    ("click", "walk"),
    ("Enter", "go to…"),
    (":", "Lua"),
    ("?", "keys"),
    ("q", "quit"),
    ("space", "pause"),
    ("arrows", "steer"),
    ("e", "errors"),
    ("PgUp", "log"),
    ("+ -", "speed"),
    ("s b", "save, back"),
    ("p", "paths"),
    ("c", "cells"),
    ("Tab", "names"),
];

/// The first hints when there are errors not yet viewed.
const HINTS_AFTER_ERRORS: [(&str, &str); 5] =
    [("e", "errors"), ("click", "walk"), (":", "Lua"), ("?", "keys"), ("q", "quit")];

/// The hint after the first one in a room with several storeys.
const HINTS_OF_STOREYS: [(&str, &str); 1] = [("u d", "up, down")];

/// The hints in a room with a tactical level.
const HINTS_ON_LEVELS: [(&str, &str); 10] = [
    ("t", "next actor"),
    ("arrows", "cursor"),
    ("u d", "up, down"),
    (":", "Lua"),
    ("?", "keys"),
    ("q", "quit"),
    ("space", "pause"),
    ("e", "errors"),
    ("PgUp", "log"),
    ("+ -", "speed"),
];

/// The hints in a pane with more lines than fit.
const HINTS_IN_PANE: [(&str, &str); 6] = [
    ("Esc", "back"),
    ("PgUp PgDn", "scroll"),
    ("f", "filter"),
    ("e", "errors"),
    ("l", "log"),
    ("End", "latest"),
];

const HINTS_IN_HELP: [(&str, &str); 4] = [("Esc", "back"), ("↑ ↓", "scroll"), ("e", "errors"), ("l", "log")];

/// Composes a frame of this many columns and rows.
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
        let storeys = Storeys::default();
        return Frame { canvas, projection: None, storeys, cursor: None, seen: None };
    }
    let lines = ((height - 2) / ROWS_PER_LINE).clamp(1, MOST_LINES);
    // A pane takes more than half of the screen.
    let lines = if keys.pane.is_some() { lines.max((height - 2) * 2 / 3) } else { lines };
    let map = CellBox { column: 0, row: 0, width, height: height - 2 - lines };
    let mut look = keys.look;
    look.colour = colour;
    let mut picture = Picture::of_world(world);
    // A grid room always shows all its cells.
    if look.cells && world.room().grid.is_none() {
        picture = picture.with_cells(world.ground());
    }
    let picture = picture.with_faults(&faults(view.off));
    let (picture, chosen) = with_choice(picture, world, &keys.choice);
    let storeys = storeys_of(&picture, keys);
    let one = picture.storey(storeys.shown).filter(|_| storeys.count > 1);
    let projection = one.as_ref().unwrap_or(&picture).paint(&mut canvas, map, look);
    let pointed = pointed_at(keys, &projection, &picture, storeys);
    status(&mut canvas, map.height, world, view, (storeys, pointed), colour);
    // The input line takes its rows from the lines above it; one of them stays.
    let typed = prompt_rows(keys, lines);
    let (top, rows) = (map.height + 1, lines + 1 - typed);
    let seen = match &keys.pane {
        Some(pane) => {
            let filter = filter_of(pane, world);
            pane::paint(&mut canvas, (top, rows), pane, log_of(pane, view, &pane::help()), &filter)
        }
        None => {
            // While a line is typed, answers matter more than other events.
            let shown = |tone| !keys.console_is_open() || !matches!(tone, Tone::Plain | Tone::Said);
            let told = view.log.up_to(None).map(|entry| &entry.line).filter(|line| shown(line.tone));
            events(&mut canvas, top, rows, told);
            None
        }
    };
    let cursor = match keys.prompt {
        Some(_) => prompt(&mut canvas, typed, keys),
        None => {
            last_line(&mut canvas, world, view, keys, (storeys, &projection), chosen.as_deref());
            None
        }
    };
    let above = cursor.map_or(height - 2, |(_, row)| row - 1);
    list(&mut canvas, above, keys, colour);
    Frame { canvas, projection: Some(projection), storeys, cursor, seen }
}

/// The log that a pane shows.
pub(super) fn log_of<'a>(pane: &Pane, view: &View<'a>, help: &'a Log) -> &'a Log {
    match pane.shows {
        Shows::Log => view.log,
        Shows::Errors => view.errors,
        Shows::Help => help,
    }
}

/// The filter of a pane.
pub(super) fn filter_of(pane: &Pane, world: &World) -> Filter {
    Filter::of(&pane.filter, |name| world.character_named(name).is_some())
}

/// The characters whose handlers are switched off, with a short text.
fn faults(off: &[SwitchedOff]) -> BTreeMap<&str, String> {
    let mut events: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for handler in off.iter().filter(|handler| handler.character.is_some()) {
        events.entry(&handler.who).or_default().push(&handler.event);
    }
    let told = events.into_iter().map(|(name, events)| {
        // A character without `run` does nothing.
        let words = match (events.contains(&"run"), &events[..]) {
            (true, [_]) => "run ended".to_owned(),
            (true, _) => format!("run ended, {} off", events.len() - 1),
            (false, [event]) => format!("{event} off"),
            (false, _) => format!("{} handlers off", events.len()),
        };
        (name, words)
    });
    told.collect()
}

fn too_small(canvas: &mut Canvas) {
    let words = ["too small", "20 × 8 needed"];
    let top = (canvas.height() / 2).saturating_sub(1);
    for (row, words) in words.iter().enumerate() {
        let column = canvas.width().saturating_sub(width_of(words)) / 2;
        canvas.write(column, top + row, words, CREAM, None, false);
    }
}

/// The storeys of a picture, and which of them to show: the chosen one, else the player's.
fn storeys_of(picture: &Picture, keys: &Keys) -> Storeys {
    let (count, followed) = (picture.storey_count(), picture.storey_to_follow());
    let shown = keys.storey.unwrap_or(followed).clamp(1, count);
    Storeys { count, shown, followed, level: picture.level_of_storey(shown) }
}

/// The place in the room under the mouse; with its height if there are storeys.
fn pointed_at(keys: &Keys, projection: &Projection, picture: &Picture, storeys: Storeys) -> Option<String> {
    let (column, row) = keys.mouse?;
    let at = projection.place_of(column, row)?;
    let y_m = Some(storeys).filter(|storeys| storeys.count > 1);
    let y_m = y_m.and_then(|storeys| picture.place_on_storey(storeys.shown, at).y_m);
    let y_m = y_m.map(|y_m| format!("y {y_m:.1}  ")).unwrap_or_default();
    Some(format!("x {:.1}  {y_m}z {:.1}", at.x, at.y))
}

/// The bar beneath the map: room, speed and time; at its right, the place under the mouse.
fn status(
    canvas: &mut Canvas,
    row: usize,
    world: &World,
    view: &View<'_>,
    (storeys, pointed): (Storeys, Option<String>),
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
    let Storeys { count, shown, level, .. } = storeys;
    let storey = match level {
        Some(level) => format!("level {level}"),
        None if count > 1 => format!("storey {shown} of {count}"),
        None => String::new(),
    };
    let people = world.characters().len();
    let (errors, new_errors) = (in_errors(view.error_counts), view.error_counts.1 > 0);
    let parts = [
        (clean(&world.room().name), GOLD, true),
        (errors, if new_errors { RED } else { SAND }, new_errors),
        (if view.takes_turns { "scripts take turns".into() } else { String::new() }, RED, true),
        (storey, CREAM, false),
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
    // A long name does not push the errors off.
    let errors_width = if !parts[1].0.is_empty() { width_of(&parts[1].0) + 3 } else { 0 };
    let name_width = right.saturating_sub(2 + errors_width);
    for (words, ink, bold) in parts.into_iter().filter(|(words, ..)| !words.is_empty()) {
        let words = if column == 1 { shorten(&words, name_width) } else { words };
        if column + width_of(&words) > right {
            break;
        }
        column = canvas.write(column, row, &words, ink, None, bold) + 3;
    }
    if !colour {
        // Without colours, a rule separates the status from the map.
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

/// The number of errors, as text.
fn in_errors((all, new): (usize, usize)) -> String {
    match (all, new) {
        (0, _) => String::new(),
        (1, 0) => "1 error".to_owned(),
        (all, 0) => format!("{all} errors"),
        (1, _) => "1 new error".to_owned(),
        (all, new) if all == new => format!("{all} new errors"),
        (all, new) => format!("{all} errors, {new} new"),
    }
}

/// The last line: a notice, else the fault of the character under the mouse, else key hints.
fn last_line(
    canvas: &mut Canvas,
    world: &World,
    view: &View<'_>,
    keys: &Keys,
    (storeys, projection): (Storeys, &Projection),
    chosen: Option<&str>,
) {
    let (row, width) = (canvas.height() - 1, canvas.width());
    let mut say = |words: &str, tone| {
        canvas.write(1, row, &shorten(&clean(words), width.saturating_sub(2)), tone_ink(tone), None, false);
    };
    let pointed = view.off.iter().find(|off| {
        let at = off.character.and_then(|who| world.character(who)).map(|character| character.position);
        keys.mouse.is_some() && at.and_then(|at| projection.cell_of(at.at)) == keys.mouse
    });
    let in_errors = keys.pane.as_ref().is_some_and(|pane| pane.shows == Shows::Errors);
    // The list of errors says more than a notice about one of them.
    let notice = view.notice.filter(|notice| !(in_errors && notice.tone == Tone::Bad));
    match (notice, pointed, &keys.pane) {
        (Some(notice), ..) => say(&notice.text, notice.tone),
        (None, Some(off), _) => {
            say(&format!("{}: {}: {}", off.who, off_in_words(off), off.why), Tone::Bad);
        }
        (None, None, Some(pane)) if pane.shows == Shows::Help => hints(canvas, 1, row, &HINTS_IN_HELP),
        (None, None, Some(_)) => hints(canvas, 1, row, &HINTS_IN_PANE),
        (None, None, None) if view.error_counts.1 > 0 => hints(canvas, 1, row, &HINTS_AFTER_ERRORS),
        (None, None, None) if chosen.is_some() => say(chosen.unwrap_or_default(), Tone::Answer),
        (None, None, None) if storeys.level.is_some() => hints(canvas, 1, row, &HINTS_ON_LEVELS),
        (None, None, None) if storeys.count > 1 => {
            hints(canvas, 1, row, &[&HINTS[..1], &HINTS_OF_STOREYS, &HINTS[1..]].concat());
        }
        (None, None, None) => hints(canvas, 1, row, &HINTS),
    }
}
