//! The lines beneath the map: events, the input line, and the list of completions.

use super::keys::Keys;
use super::palette::{BAR, CREAM, DIM, GOLD, NIGHT, SAND};
use super::prompt::{Asks, Prompt};
use super::text::{Line, Tone, tone_ink, wrapped};
use cicerone::draw::{Canvas, Rgb, clean, shorten, width_of};
use cicerone::script::Candidate;

/// The background of the list.
const LIST: Rgb = Rgb::hex(0x3a3127);

/// Upper limit on the rows of a line; its beginning is the most important part.
const MOST_ROWS: usize = 3;
/// Upper limit on the lines of one log entry of a script.
const MOST_LINES: usize = 8;

/// The latest lines, latest at the bottom and brightest.
pub(super) fn events<'a>(
    canvas: &mut Canvas,
    top: usize,
    rows: usize,
    lines: impl DoubleEndedIterator<Item = &'a Line>,
) {
    let width = canvas.width().saturating_sub(2);
    let (mut row, mut age) = (top + rows, 0);
    for line in lines.rev() {
        // Requested output gets several rows, other events one.
        let wanted = matches!(line.tone, Tone::Typed | Tone::Answer) || line.text.starts_with("error:");
        let most = if wanted { MOST_ROWS.min(rows) } else { 1 };
        let shown = line.text.lines().take(most_lines(line));
        let parts: Vec<String> = shown.flat_map(|text| wrapped(&clean(text), width, most)).collect();
        // A text that does not fit is shown from its first line on.
        let fits = parts.len().min(row - top);
        if row == top || (fits < parts.len() && row < top + rows) {
            break;
        }
        row -= fits;
        let ink = tone_ink(line.tone).mix(NIGHT, (f64::from(age) * 0.14).min(0.55));
        for (index, part) in parts.iter().take(fits).enumerate() {
            canvas.write(1, row + index, part, ink, None, false);
        }
        age += 1;
    }
}

/// Upper limit on the lines shown of a text: one of a script error, whose first line names the problem; else several.
fn most_lines(line: &Line) -> usize {
    match line.tone {
        Tone::Bad if line.text.starts_with("script error:") => 1,
        _ => MOST_LINES,
    }
}

/// The number of rows of the input line, at most `most`.
pub(super) fn prompt_rows(keys: &Keys, most: usize) -> usize {
    let lines = keys.prompt.as_ref().map_or(1, |prompt| prompt.typing.text().matches('\n').count() + 1);
    lines.min(most.max(1))
}

/// The input line in this many rows, down to the last one. Returns the cursor's place.
pub(super) fn prompt(canvas: &mut Canvas, rows: usize, keys: &Keys) -> Option<(usize, usize)> {
    let prompt = keys.prompt.as_ref()?;
    let bottom = canvas.height() - 1;
    let top = bottom + 1 - rows;
    let lines: Vec<&str> = prompt.typing.text().split('\n').collect();
    // If there are more lines than rows, those around the cursor are shown.
    let first = (prompt.typing.row() + 1 + rows / 2).saturating_sub(rows).min(lines.len() - rows);
    let mut cursor = None;
    for (row, (index, line)) in (top..).zip(lines.iter().enumerate().skip(first).take(rows)) {
        canvas.fill(0, row, canvas.width(), BAR);
        let (words, ink) = if index == 0 { (label(prompt), GOLD) } else { ("  .. ", DIM) };
        let from = canvas.write(1, row, words, ink, None, true);
        if index == prompt.typing.row() {
            cursor = Some((edited_line(canvas, from, row, keys, prompt), row));
        } else {
            canvas.write(from, row, &shorten(&clean(line), canvas.width() - from), CREAM, None, false);
        }
    }
    if let Some(why) = &prompt.complaint {
        let row = top - 1;
        canvas.fill(0, row, canvas.width(), BAR);
        canvas.write(1, row, &shorten(&clean(why), canvas.width() - 2), tone_ink(Tone::Bad), None, false);
    }
    cursor.map(|(column, row)| (column.min(canvas.width() - 1), row))
}

/// The line with the cursor, with key hints behind it. Returns the cursor's column.
fn edited_line(canvas: &mut Canvas, from: usize, row: usize, keys: &Keys, prompt: &Prompt) -> usize {
    // A long line is scrolled to the cursor.
    let room = canvas.width().saturating_sub(from + 2);
    let mut before = prompt.typing.before_in_line();
    let scrolled = width_of(before) > room;
    while width_of(before) > room {
        let mut rest = before.chars();
        rest.next();
        before = rest.as_str();
    }
    let cursor = canvas.write(from, row, &clean(before), CREAM, None, false);
    if scrolled {
        canvas.write(from, row, "…", DIM, None, false);
    }
    let column = canvas.write(cursor, row, &clean(prompt.typing.after_in_line()), CREAM, None, false);
    let ending = keys.ending().unwrap_or_default();
    let column = canvas.write(column, row, ending, DIM, None, false);
    let column = canvas.write(column, row, " ", DIM, None, false);
    hints(canvas, column + 2, row, keys_of(prompt, !ending.is_empty()));
    cursor
}

/// The keys for this prompt.
fn keys_of(prompt: &Prompt, completes: bool) -> &'static [(&'static str, &'static str)] {
    match (prompt.asks, prompt.typing.text().is_empty(), &prompt.offer) {
        (Asks::Lua, _, Some(_)) => &[("Tab", "next"), ("Enter", "take it"), ("Esc", "close the list")],
        (Asks::Lua, _, None) if prompt.waits => &[("Esc", "call off what waits"), ("`", "leave it waiting")],
        (Asks::Lua, true, None) => &[("Tab", "complete"), ("↑", "earlier lines"), ("Esc", "back")],
        (Asks::Lua, false, None) => &[("Enter", "run"), ("Tab", "complete"), ("Alt-Enter", "new line")],
        (Asks::Place, true, _) => &[("x,z", "in metres"), ("name", "of a place"), ("Esc", "back")],
        (Asks::Place, false, _) if completes => &[("Tab", "complete"), ("Enter", "go"), ("Esc", "back")],
        (Asks::Place, false, _) => &[("Enter", "go"), ("Esc", "back")],
        (Asks::Filter, true, _) => {
            &[("name", "of a character"), ("error log said …", "a kind"), ("Esc", "all")]
        }
        (Asks::Filter, false, _) if completes => &[("Tab", "complete"), ("Enter", "done"), ("Esc", "all")],
        (Asks::Filter, false, _) => &[("Enter", "done"), ("Esc", "all")],
    }
}

fn label(prompt: &Prompt) -> &'static str {
    match prompt.asks {
        Asks::Place => "go to ",
        Asks::Lua => "lua> ",
        Asks::Filter => "only ",
    }
}

/// The column behind this prefix of a line, if it is not scrolled.
fn prompt_column(prompt: &Prompt, words: &str) -> usize {
    1 + width_of(label(prompt)) + width_of(words)
}

/// Keys and their effects, as many as fit.
pub(super) fn hints(canvas: &mut Canvas, column: usize, row: usize, hints: &[(&str, &str)]) {
    let mut column = column;
    for (key, what) in hints {
        if column + width_of(key) + 1 + width_of(what) > canvas.width() {
            break;
        }
        column = canvas.write(column, row, key, GOLD, None, true) + 1;
        column = canvas.write(column, row, what, DIM.mix(CREAM, 0.25), None, false) + 2;
    }
}

/// The list of completions: as wide as needed, its last row at `bottom`, above the text it completes.
pub(super) fn list(canvas: &mut Canvas, bottom: usize, keys: &Keys, colour: bool) {
    let Some((prompt, offer)) =
        keys.prompt.as_ref().and_then(|prompt| Some((prompt, prompt.offer.as_ref()?)))
    else {
        return;
    };
    let all = &offer.completion.candidates;
    let width = canvas.width();
    let rows = all.len().min((bottom / 3).clamp(2, 8));
    // The chosen entry stays visible, with its neighbours.
    let first = (offer.chosen + 1 + rows / 2).saturating_sub(rows).min(all.len() - rows);
    let widest = |words: fn(&Candidate) -> &str| {
        all.iter().map(|candidate| width_of(words(candidate))).max().unwrap_or(0)
    };
    // A narrow screen has no room for summaries.
    let summary = if width < 60 { 0 } else { widest(|candidate| &candidate.summary) };
    let gap = if summary > 0 { 3 } else { 0 };
    // Two columns on each side. If space is short, summary and signature share it equally.
    let room = width.saturating_sub(4 + gap);
    let signature = widest(|candidate| &candidate.signature).min(room.saturating_sub(summary.min(room / 2)));
    let summary = summary.min(room - signature);
    let wide = signature + gap + summary + 4;
    let behind = offer.completion.from.min(prompt.typing.before().len());
    let before = &prompt.typing.before()[..behind];
    let left = prompt_column(prompt, before.rsplit('\n').next().unwrap_or_default())
        .saturating_sub(2)
        .min(width.saturating_sub(wide));
    let top = bottom + 1 - rows;
    for (row, candidate) in all[first..first + rows].iter().enumerate() {
        let chosen = first + row == offer.chosen;
        let look = Entry { left, wide, signature, summary: left + 2 + signature + gap, chosen };
        entry(canvas, top + row, candidate, &look);
    }
    if !colour {
        // Without colours, a rule separates the list from the text above.
        canvas.write(left, top.saturating_sub(1), &"-".repeat(wide), DIM, Some(NIGHT), false);
    }
    let count = format!("{} of {}", offer.chosen + 1, all.len());
    let from = width.saturating_sub(count.len() + 1);
    canvas.fill(from - 1, bottom + 1, count.len() + 2, BAR);
    canvas.write(from, bottom + 1, &count, DIM, None, false);
}

/// The layout of a row of the list.
struct Entry {
    left: usize,
    wide: usize,
    /// Columns for the signature.
    signature: usize,
    /// The column of the summary.
    summary: usize,
    chosen: bool,
}

fn entry(canvas: &mut Canvas, row: usize, candidate: &Candidate, look: &Entry) {
    let (paper, name, rest) = if look.chosen { (GOLD, NIGHT, NIGHT) } else { (LIST, CREAM, SAND) };
    canvas.fill(look.left, row, look.wide, paper);
    if look.chosen {
        canvas.write(look.left, row, ">", name, None, true);
    }
    let signature = shorten(&clean(&candidate.signature), look.signature);
    let at = signature.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(signature.len());
    let column = canvas.write(look.left + 2, row, &signature[..at], name, None, true);
    canvas.write(column, row, &signature[at..], rest, None, false);
    let room = (look.left + look.wide).saturating_sub(look.summary + 1);
    let summary = shorten(&clean(&candidate.summary), room);
    canvas.write(look.summary, row, &summary, if look.chosen { NIGHT } else { rest }, None, false);
}
