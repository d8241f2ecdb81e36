//! Panes, which take the larger half of the screen: the whole log, all errors, or the help on keys.

use super::log::{Entry, Filter, Log};
use super::palette::{BAR, CREAM, DIM, GOLD, SAND};
use super::text::{Line, Tone, tone_ink, wrapped};
use cicerone::draw::{Canvas, clean, shorten, width_of};

/// An open pane and its scroll position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Pane {
    pub(super) shows: Shows,
    /// The last line shown; `None` follows the latest line.
    pub(super) anchor: Option<u64>,
    /// The filter, as it was typed.
    pub(super) filter: String,
}

/// The content of a pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shows {
    Log,
    Errors,
    Help,
}

/// Scroll commands of a pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scroll {
    Lines(isize),
    PageUp,
    PageDown,
    Oldest,
    Latest,
}

/// The visible lines: the first, the last, and their number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seen {
    first: u64,
    last: u64,
    count: usize,
}

/// Narrower screens show no times.
const LEAST_WIDTH_WITH_TIMES: usize = 60;

impl Pane {
    pub(super) fn new(shows: Shows) -> Self {
        // The help is read from the top, the other panes from the end.
        let anchor = (shows == Shows::Help).then_some(0);
        Self { shows, anchor, filter: String::new() }
    }

    /// Scrolls from the `seen` lines.
    pub(super) fn scroll(&mut self, by: Scroll, seen: Seen, log: &Log, filter: &Filter) {
        let page = isize::try_from(seen.count.saturating_sub(1).max(1)).unwrap_or(1);
        self.anchor = match by {
            Scroll::Lines(lines) => log.step(seen.last, lines, filter),
            // The line at one edge moves to the other.
            Scroll::PageUp if seen.count > 1 => Some(seen.first),
            Scroll::PageUp => log.step(seen.last, -1, filter),
            Scroll::PageDown => log.step(seen.last, page, filter),
            Scroll::Oldest => log.oldest(filter),
            Scroll::Latest => None,
        };
    }
}

/// Paints a pane into these rows, its head first. Returns the visible lines.
pub(super) fn paint(
    canvas: &mut Canvas,
    (top, rows): (usize, usize),
    pane: &Pane,
    log: &Log,
    filter: &Filter,
) -> Option<Seen> {
    let width = canvas.width();
    // The lines of the help have no time.
    let times = width >= LEAST_WIDTH_WITH_TIMES && pane.shows != Shows::Help;
    let indent = if times { 9 } else { 0 };
    let column = 1 + indent;
    let Visible { lines, cut_above } =
        visible(log, pane.anchor, filter, rows.saturating_sub(1), width.saturating_sub(column + 1));
    let through = |entry: &Entry| filter.lets_through(&entry.line);
    let above = cut_above || lines.first().is_some_and(|(first, _)| log.oldest(filter) < Some(first.number));
    let below = lines.last().is_some_and(|(last, _)| log.after(last.number).any(through));
    head(canvas, top, pane, above, below);
    let mut row = top + 1;
    if lines.is_empty() {
        canvas.write(column, row, "nothing of that kind was told", DIM, None, false);
    }
    for (index, (entry, parts)) in lines.iter().enumerate() {
        if times && !(cut_above && index == 0) {
            canvas.write(1, row, &clock(entry.time_s), DIM, None, false);
        }
        for part in parts {
            canvas.write(column, row, part, tone_ink(entry.line.tone), None, false);
            row += 1;
        }
    }
    let (first, last) = (lines.first()?.0.number, lines.last()?.0.number);
    Some(Seen { first, last, count: lines.len() })
}

/// The bar at the top of a pane.
fn head(canvas: &mut Canvas, row: usize, pane: &Pane, above: bool, below: bool) {
    let width = canvas.width();
    canvas.fill(0, row, width, BAR);
    let title = match pane.shows {
        Shows::Log => "log",
        Shows::Errors => "errors",
        Shows::Help => "keys",
    };
    let mut column = canvas.write(1, row, title, GOLD, None, true) + 2;
    if !pane.filter.trim().is_empty() {
        let words =
            shorten(&format!("only {}", clean(pane.filter.trim())), width.saturating_sub(column + 16));
        column = canvas.write(column, row, &words, CREAM, None, false) + 2;
    }
    let more = match (above, below) {
        (true, true) => "more above and below",
        (true, false) => "more above",
        (false, true) => "more below",
        (false, false) => return,
    };
    let from = width.saturating_sub(width_of(more) + 1);
    if from >= column {
        canvas.write(from, row, more, SAND, None, false);
    }
}

/// The lines that fit, up to the anchor; if there are too few above it, also those beneath it. If only parts fit, the
/// first line shows its end, and the last line its beginning.
fn visible<'a>(log: &'a Log, anchor: Option<u64>, filter: &Filter, rows: usize, width: usize) -> Visible<'a> {
    let parts = |entry: &Entry| -> Vec<String> {
        entry.line.text.lines().flat_map(|line| wrapped(&clean(line), width, rows)).take(rows).collect()
    };
    let through = |entry: &&Entry| filter.lets_through(&entry.line);
    let mut visible = Visible { lines: Vec::new(), cut_above: false };
    let mut left = rows;
    for entry in log.up_to(anchor).rev().filter(through) {
        if left == 0 {
            break;
        }
        let mut parts = parts(entry);
        visible.cut_above = parts.len() > left;
        parts.drain(..parts.len().saturating_sub(left));
        left -= parts.len();
        visible.lines.push((entry, parts));
    }
    visible.lines.reverse();
    // With rows to spare, the oldest line is visible.
    for entry in anchor.into_iter().flat_map(|anchor| log.after(anchor)).filter(through) {
        if left == 0 {
            break;
        }
        let mut parts = parts(entry);
        parts.truncate(left);
        left -= parts.len();
        visible.lines.push((entry, parts));
    }
    visible
}

/// Lines of a log, each with its rows.
struct Visible<'a> {
    lines: Vec<(&'a Entry, Vec<String>)>,
    /// Whether the beginning of the first line is missing.
    cut_above: bool,
}

/// The help on keys, as lines for a pane.
pub(super) fn help() -> Log {
    const KEYS: [(&str, &str); 20] = [
        ("click, Enter or /", "the player goes there; Enter asks for x,z or a name"),
        ("↑ ↓ ← →", "steer the player while held; half a second a press"),
        (": ` >", "a line of Lua, run in the room"),
        ("space  .", "stop and go on; one step"),
        ("+ -", "time runs faster, slower"),
        ("s  b", "keep this moment; go back to it (F5, F9)"),
        ("p  c  n or Tab", "paths; blocked cells; names"),
        ("u  d", "the storey above, below; the player's is followed"),
        ("t", "on a tactical level: the next actor and its reach; arrows move a cursor"),
        ("e", "all errors, and which handlers are switched off"),
        ("PgUp, l, wheel", "the log: PgUp PgDn ↑ ↓ Home End move in it"),
        ("f or /", "in the log, only some lines: names, words, and"),
        ("", "said event log warning error reload lua"),
        ("?  F1", "these keys"),
        ("Esc", "closes what is open; never quits"),
        ("q  Ctrl-C", "quit"),
        ("in Lua: Tab, ↑ ↓", "complete; earlier lines"),
        ("Enter", "runs it, or goes on in the next line if it is not finished"),
        ("Alt-Enter", "a line break, wherever the cursor is"),
        ("Esc or Ctrl-C", "calls off a line that waits; ` leaves it and closes"),
    ];
    let widest = KEYS.iter().map(|(key, _)| width_of(key)).max().unwrap_or(0);
    let mut log = Log::new();
    for (key, what) in KEYS {
        let gap = " ".repeat(widest + 2 - width_of(key));
        log.add(0.0, Line { tone: Tone::Plain, text: format!("{key}{gap}{what}") });
    }
    log
}

/// Game time, in the same width for a second and for an hour.
fn clock(time_s: f64) -> String {
    format!("{:>2}:{:04.1}", (time_s / 60.0).floor(), (time_s % 60.0 * 10.0).floor() / 10.0)
}
