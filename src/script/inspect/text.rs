//! An inspection as a text of many lines.

use super::{Inspection, Row, Section};
use crate::script::answer::{Datum, Record, is_name};
use crate::script::error::shortened;
use std::fmt::{self, Write};

/// Bytes of the whole text. Strings of more than 16 KiB slow down everything that scripts do from then on.
const MOST_BYTES: usize = 12_000;

/// The widest column of labels.
const WIDEST_LABEL: usize = 24;

/// Longest value in one line; a table that is longer becomes a tree.
const LONGEST_LINE: usize = 70;

/// Bytes shown of a string or of a sentence.
const LONGEST_TEXT: usize = 300;

/// Depth of a tree, and entries shown of each table in it.
const DEEPEST: usize = 4;
const MOST_ENTRIES: usize = 12;

/// Lines of one tree.
const MOST_LINES: usize = 40;

impl fmt::Display for Inspection {
    /// The name, and every section as a block with its title.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = vec![harmless(&self.name)];
        for section in &self.sections {
            lines.push(String::new());
            section.write(&mut lines);
        }
        let mut bytes = 0;
        for (index, line) in lines.iter().enumerate() {
            bytes += line.len() + 1;
            if bytes > MOST_BYTES {
                return f.write_str("\n…");
            }
            if index > 0 {
                f.write_char('\n')?;
            }
            f.write_str(line)?;
        }
        Ok(())
    }
}

impl Section {
    fn write(&self, lines: &mut Vec<String>) {
        lines.push(harmless(&self.title));
        let labels: Vec<String> = self.rows.iter().map(|row| harmless(&row.label)).collect();
        let widths = labels.iter().map(|label| label.chars().count());
        let width = widths.filter(|&width| width <= WIDEST_LABEL).max().unwrap_or(0);
        for (row, label) in self.rows.iter().zip(labels) {
            row.write(&label, width, lines);
        }
    }
}

impl Row {
    fn write(&self, label: &str, width: usize, lines: &mut Vec<String>) {
        let mark = if self.is_bad { "! " } else { "  " };
        let mut line = format!("{mark}{label:<width$}");
        let mut add = |words: &str| {
            line.push_str("  ");
            line.push_str(words);
        };
        if let Some((file, line)) = &self.place
            && self.text.as_deref() != Some(file)
        {
            let number = if *line > 0 { format!(":{line}") } else { String::new() };
            add(&format!("{}{number}", harmless(file)));
        }
        if let Some(text) = &self.text {
            add(&harmless(text));
        }
        let inline = self.value.as_ref().map(|value| (value, in_line(value)));
        let fits = |words: &str| words.chars().count() <= LONGEST_LINE;
        let tree = match inline {
            Some((Datum::Table(record), words)) if !fits(&words) => Some(record),
            Some((_, words)) => {
                add(&words);
                None
            }
            None => None,
        };
        lines.push(line.trim_end().to_owned());
        if let Some(record) = tree {
            let mut left = MOST_LINES;
            branches(record, 1, &mut left, lines);
        }
    }
}

/// The entries of a table, each in a line of its own, or as a tree.
fn branches(record: &Record, depth: usize, left: &mut usize, lines: &mut Vec<String>) {
    let indent = "  ".repeat(depth + 1);
    let list = record.list.iter().zip(1..).map(|(value, index)| (format!("[{index}]"), value));
    let fields = record.fields.iter().map(|(key, value)| match key {
        Datum::Text(name) if is_name(name) => (harmless(name), value),
        other => (format!("[{}]", in_line(other)), value),
    });
    let all = record.list.len() + record.fields.len();
    for (shown, (key, value)) in list.chain(fields).enumerate() {
        if shown == MOST_ENTRIES || *left == 0 {
            lines.push(format!("{indent}… {} more", all - shown));
            return;
        }
        *left -= 1;
        let words = in_line(value);
        match value {
            Datum::Table(inner) if words.chars().count() > LONGEST_LINE && depth < DEEPEST => {
                lines.push(format!("{indent}{key}"));
                branches(inner, depth + 1, left, lines);
            }
            _ => lines.push(format!("{indent}{key} = {words}")),
        }
    }
    if record.cut {
        lines.push(format!("{indent}…"));
    }
}

/// A value as the console shows it, without the end of a long string.
fn in_line(value: &Datum) -> String {
    match value {
        Datum::Text(text) if text.len() > LONGEST_TEXT => {
            Datum::Text(shortened(text.clone(), LONGEST_TEXT)).to_string()
        }
        other => format!("{other:.6}"), // a micrometre is enough
    }
}

/// A text in one line: names from rooms and scripts must not look like lines of their own, nor control a terminal.
fn harmless(text: &str) -> String {
    let text = text.replace(|letter: char| letter.is_control(), " ");
    shortened(text, LONGEST_TEXT)
}
