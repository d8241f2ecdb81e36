//! Lines and rows of cells, shared by both kinds of grid file.

use std::ops::Range;

use super::words_per_row;
use crate::problem::{Problem, Source};
use crate::room::{MAX_CELLS, MAX_PROBLEMS};

/// A line without its line ending and leading blanks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'a> {
    /// The byte of the file it starts at.
    pub at: usize,
    pub text: &'a str,
}

/// The lines of a text from byte `from`, the start of a line.
pub(super) fn lines(text: &str, from: usize) -> impl Iterator<Item = Line<'_>> {
    let mut at = from;
    text.get(from..).unwrap_or("").split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        Line { at: start, text: line.trim_end() }
    })
}

/// The words of a line, each with its bytes in the file.
pub(super) fn words<'a>(line: &Line<'a>) -> impl Iterator<Item = (&'a str, Range<usize>)> {
    let (at, text) = (line.at, line.text);
    text.split_whitespace().map(move |word| {
        // The word is a slice of the line, so its address gives its offset.
        let start = at + (word.as_ptr() as usize).wrapping_sub(text.as_ptr() as usize);
        (word, start..start + word.len())
    })
}

/// A number of cells from a header and its place; `None` if absent or unusable.
pub(super) type Count = Option<(u32, Range<usize>)>;

/// What a header says about the rows after it.
pub(super) struct Rows<'a> {
    pub source: &'a Source,
    /// Where the first row starts.
    pub from: usize,
    /// The header's key for cells along x, and its value.
    pub width: (&'static str, Count),
    /// The same along z.
    pub depth: (&'static str, Count),
    /// Whether a character is a walkable cell; `None` if it is not a cell.
    pub cell: fn(char) -> Option<bool>,
    /// All characters that are cells, as text for messages.
    pub cells: &'static str,
    /// Whether a line belongs to the header, which then came too late.
    pub is_header: fn(&str) -> bool,
}

/// The result of reading the rows.
pub(super) struct Found {
    /// The bits, if there were no problems.
    pub words: Vec<u64>,
    /// The length of the rows, if all have the same.
    pub width: Option<usize>,
    /// The number of rows.
    pub depth: usize,
}

impl Rows<'_> {
    /// Reads the rows. Adds their problems to `problems`.
    pub(super) fn read(&self, problems: &mut Vec<Problem>) -> Found {
        let count = |count: &Count| count.as_ref().map(|(value, _)| *value);
        let (width, depth) = (count(&self.width.1), count(&self.depth.1));
        let per_row = words_per_row(width.unwrap_or(0));
        let fits = |rows: usize| {
            let all = f64::from(width.unwrap_or(0)) * f64::from(depth.unwrap_or(0));
            all <= MAX_CELLS && rows < depth.unwrap_or(0) as usize
        };
        let end = self.source.text.trim_end().len();
        let mut found = Found { words: Vec::new(), width: None, depth: 0 };
        let mut wrong = Vec::new();
        let (mut uniform, mut one_too_many) = (true, None);
        for line in lines(&self.source.text, self.from).take_while(|line| line.at < end) {
            if line.text.is_empty() {
                self.add(problems, line.at..line.at, "an empty line among the rows", "delete it");
                continue;
            }
            if (self.is_header)(line.text) {
                let span = line.at..line.at + line.text.len();
                self.add(
                    problems,
                    span,
                    "a line of the header among the rows",
                    "the header comes before the rows",
                );
                continue;
            }
            let mut row = vec![0_u64; if fits(found.depth) { per_row } else { 0 }];
            let length = self.row(&line, &mut row, problems);
            found.words.append(&mut row);
            if found.depth == 0 {
                found.width = Some(length);
            }
            uniform &= found.width == Some(length);
            if width.is_some_and(|width| width as usize != length) && wrong.len() <= MAX_PROBLEMS {
                wrong.push((line, found.depth + 1, length));
            }
            found.depth += 1;
            if depth.is_some_and(|depth| found.depth == depth as usize + 1) {
                one_too_many = Some(line);
            }
        }
        found.width = found.width.filter(|_| uniform);
        self.lengths(&wrong, &found, problems);
        self.count(one_too_many, &found, end, problems);
        found
    }

    /// Reads one row into its bits, as far as they go; returns its length.
    fn row(&self, line: &Line<'_>, bits: &mut [u64], problems: &mut Vec<Problem>) -> usize {
        let (mut length, mut wrong, mut first) = (0, 0, None);
        for (at, letter) in line.text.char_indices() {
            match (self.cell)(letter) {
                Some(true) => {
                    if let Some(word) = bits.get_mut(length / 64) {
                        *word |= 1 << (length % 64);
                    }
                }
                Some(false) => {}
                None => {
                    wrong += 1;
                    first.get_or_insert((line.at + at, letter));
                }
            }
            length += 1;
        }
        if let Some((at, letter)) = first {
            let shown = match letter {
                ' ' | '\t' => "a blank".to_owned(),
                letter => format!("'{letter}'"),
            };
            let more =
                if wrong == 1 { String::new() } else { format!(" (and {} more in this row)", wrong - 1) };
            let message = format!("{shown} is no cell: expected {}{more}", self.cells);
            self.add(problems, at..at + letter.len_utf8(), &message, "");
        }
        length
    }

    /// Problems with the lengths of rows: one for each row, or one for the header if all rows agree that it is wrong.
    fn lengths(&self, wrong: &[(Line<'_>, usize, usize)], found: &Found, problems: &mut Vec<Problem>) {
        let (key, Some((width, place))) = (self.width.0, &self.width.1) else { return };
        if let Some(length) = found.width.filter(|_| found.depth > 1 && !wrong.is_empty()) {
            let message = format!("{key} is {width}, but every row has {}", cells(length));
            return self.add(problems, place.clone(), &message, &format!("write {key} {length}?"));
        }
        for &(line, number, length) in wrong {
            let text_end = line.at + line.text.len();
            // The surplus, or the place where cells are missing.
            let extra = line.text.char_indices().nth(*width as usize).map(|(at, _)| line.at + at);
            let message = format!("row {number} has {}, expected {width}", cells(length));
            self.add(problems, extra.unwrap_or(text_end)..text_end, &message, &self.says(key, *width, place));
        }
    }

    /// Problems with the number of rows.
    fn count(&self, one_too_many: Option<Line<'_>>, found: &Found, end: usize, problems: &mut Vec<Problem>) {
        let (key, Some((depth, place))) = (self.depth.0, &self.depth.1) else { return };
        if let Some(line) = one_too_many {
            let message =
                format!("there are {} rows, expected {depth}: from here on they are too many", found.depth);
            let span = line.at..line.at + line.text.len();
            self.add(problems, span, &message, &self.says(key, *depth, place));
        } else if found.depth < *depth as usize {
            let message = format!("the file ends after {} of {depth} rows", found.depth);
            let hint = format!("{}; was it saved whole?", self.says(key, *depth, place));
            self.add(problems, end..end, &message, &hint);
        }
    }

    fn says(&self, key: &str, value: u32, place: &Range<usize>) -> String {
        let (line, column) = self.source.line_column(place.start);
        format!("{key} is {value} (at {line}:{column})")
    }

    fn add(&self, problems: &mut Vec<Problem>, span: Range<usize>, message: &str, hint: &str) {
        // One more than is reported, so that the report can say that there are more.
        if problems.len() <= MAX_PROBLEMS {
            let problem = self.source.problem(span, message);
            problems.push(if hint.is_empty() { problem } else { problem.with_hint(hint) });
        }
    }
}

fn cells(count: usize) -> String {
    format!("{count} {}", if count == 1 { "cell" } else { "cells" })
}

/// A problem if a header claims too many cells. Counted in floating point, which cannot overflow.
pub(super) fn too_many_cells(source: &Source, width: &Count, depth: &Count) -> Option<Problem> {
    let (Some((wide, place)), Some((deep, _))) = (width, depth) else { return None };
    let cells = f64::from(*wide) * f64::from(*deep);
    (cells > MAX_CELLS).then(|| {
        let message = format!("{wide} x {deep} cells are too many: at most {MAX_CELLS} in all");
        source.problem(place.clone(), message).with_hint("is a digit too many?")
    })
}

/// One problem for a file with bytes that no text has, instead of one per line.
pub(super) fn no_text(source: &Source) -> Option<Problem> {
    let control =
        |&(_, byte): &(usize, u8)| byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r') || byte == 0x7f;
    let (at, byte) = source.text.bytes().enumerate().find(control)?;
    let message = format!("this is no text: a control character (code {byte})");
    Some(source.problem(at..at + 1, message).with_hint("is it a grid at all?"))
}
