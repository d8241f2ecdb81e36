//! The console's answers: Lua values as plain data, in words and as JSON.

use super::error::shortened;
use std::cmp::Ordering;
use std::fmt::{self, Write};

/// The result of a line typed into the console.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// It ran and returned these values.
    Values(Vec<Datum>),
    /// It failed: the error message, with its place in front.
    Failed(String),
    /// It is not valid Lua, so nothing ran: the reason.
    Refused(String),
    /// It waited, and was cancelled.
    CalledOff,
}

/// A copy of a Lua value.
#[derive(Debug, Clone, PartialEq)]
pub enum Datum {
    /// Nothing.
    Nil,
    /// True or false.
    Boolean(bool),
    /// A whole number.
    Integer(i64),
    /// Any number.
    Number(f64),
    /// A string.
    Text(String),
    /// A table.
    Table(Record),
    /// A value that cannot be copied, in words: `npc:guard`, `function scripts/guard.lua:3`.
    Other(String),
}

/// A table, copied.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Record {
    /// The values of 1, 2, 3 and so on.
    pub list: Vec<Datum>,
    /// The other entries, sorted by key: numbers, then texts.
    pub fields: Vec<(Datum, Datum)>,
    /// Whether the table had more than was copied.
    pub cut: bool,
}

/// Marks everything that is not shown.
const MORE: &str = "…";

/// Entries shown of a table, of a table in it, and of a table in that.
const SHOWN: [usize; 3] = [40, 8, 0];

/// Maximum bytes shown of a text of many lines.
const LONGEST_LINES: usize = 16 << 10;

/// Maximum bytes shown of a string, alone and in a table.
const LONGEST_TEXT: [usize; 2] = [2000, 200];

impl fmt::Display for Answer {
    /// One line: values separated by commas, empty if there are none; or the error. A single text of many lines is
    /// shown as it is.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Values(values) if is_many_lines(values) => {
                values.iter().try_for_each(|text| text.write_lines(f))
            }
            Self::Values(values) => separated(f, values.iter(), |f, value| value.write(f, 0)),
            Self::Failed(message) | Self::Refused(message) => f.write_str(message),
            Self::CalledOff => f.write_str("called off"),
        }
    }
}

impl fmt::Display for Datum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, 0)
    }
}

impl Datum {
    /// As JSON: a list becomes an array, every other table an object, and values that only Lua can hold
    /// become words.
    pub fn to_json(&self) -> serde_json::Value {
        use serde_json::Value;
        match self {
            Self::Nil => Value::Null,
            Self::Boolean(flag) => Value::Bool(*flag),
            Self::Integer(number) => Value::from(*number),
            Self::Number(number) => Value::from(*number), // NaN is null
            Self::Text(text) | Self::Other(text) => Value::String(text.clone()),
            Self::Table(Record { list, fields, .. }) if fields.is_empty() => {
                Value::Array(list.iter().map(Self::to_json).collect())
            }
            Self::Table(Record { list, fields, .. }) => {
                let key = |key: &Self| match key {
                    Self::Text(text) => text.clone(),
                    other => other.to_string(),
                };
                let list = list.iter().zip(1..).map(|(value, index)| (index.to_string(), value.to_json()));
                let fields = fields.iter().map(|(name, value)| (key(name), value.to_json()));
                Value::Object(list.chain(fields).collect())
            }
        }
    }

    /// Whether it had more than was copied.
    pub fn is_cut(&self) -> bool {
        let Self::Table(Record { list, fields, cut }) = self else { return false };
        *cut || list.iter().any(Self::is_cut) || fields.iter().any(|(_, value)| value.is_cut())
    }

    /// The order in which keys are shown.
    pub(super) fn before(&self, other: &Self) -> Ordering {
        let rank = |key: &Self| match key {
            Self::Integer(_) | Self::Number(_) => 0,
            Self::Text(_) => 1,
            _ => 2,
        };
        let size = |key: &Self| match key {
            Self::Integer(number) => *number as f64,
            Self::Number(number) => *number,
            _ => 0.0,
        };
        let words = |key: &Self| key.to_string();
        (rank(self).cmp(&rank(other)))
            .then_with(|| size(self).total_cmp(&size(other)))
            .then_with(|| words(self).cmp(&words(other)))
    }

    /// A text as it is, without what could control a terminal.
    fn write_lines(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Text(text) = self else { return Ok(()) };
        let shown = shortened(text.clone(), LONGEST_LINES);
        let harmless = |letter: &char| *letter == '\n' || !letter.is_control();
        shown.trim_end().chars().filter(harmless).try_for_each(|letter| f.write_char(letter))
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        match self {
            Self::Nil => f.write_str("nil"),
            Self::Boolean(flag) => write!(f, "{flag}"),
            Self::Integer(number) => write!(f, "{number}"),
            Self::Number(number) => f.write_str(&readable(*number, f.precision())),
            Self::Text(text) => quoted(f, text, LONGEST_TEXT[depth.min(1)]),
            // Words from a script must not control the terminal.
            Self::Other(words) => words.chars().filter(|c| !c.is_control()).try_for_each(|c| f.write_char(c)),
            Self::Table(record) => record.write(f, depth),
        }
    }
}

impl Record {
    fn write(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        let most = SHOWN.get(depth).copied().unwrap_or(0);
        let all = self.list.len() + self.fields.len();
        let list = self.list.iter().map(|value| (None, value));
        let fields = self.fields.iter().map(|(key, value)| (Some(key), value));
        let shown = list.chain(fields).take(most);
        f.write_char('{')?;
        separated(f, shown, |f, (key, value)| {
            match key {
                Some(Datum::Text(name)) if is_name(name) => write!(f, "{name} = ")?,
                Some(key) => {
                    f.write_char('[')?;
                    key.write(f, depth + 1)?;
                    f.write_str("] = ")?;
                }
                None => {}
            }
            value.write(f, depth + 1)
        })?;
        if self.cut || all > most {
            let comma = if all.min(most) > 0 { ", " } else { "" };
            write!(f, "{comma}{MORE}")?;
        }
        f.write_char('}')
    }
}

/// Whether values are a single text of many lines.
fn is_many_lines(values: &[Datum]) -> bool {
    matches!(values, [Datum::Text(text)] if text.trim_end().contains('\n'))
}

/// Whether a text can be written as a name in Lua.
pub(super) fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    letters.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_')
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

fn separated<T>(
    f: &mut fmt::Formatter<'_>,
    parts: impl Iterator<Item = T>,
    mut write: impl FnMut(&mut fmt::Formatter<'_>, T) -> fmt::Result,
) -> fmt::Result {
    for (index, part) in parts.enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        write(f, part)?;
    }
    Ok(())
}

/// A number, with so many digits after the point at most, or with as many as tell it from others.
fn readable(number: f64, digits: Option<usize>) -> String {
    let size = number.abs();
    if number == 0.0 || (1e-3..1e15).contains(&size) {
        let Some(digits) = digits else { return format!("{number:?}") };
        let text = format!("{number:.digits$}");
        let text = text.trim_end_matches('0');
        if text.ends_with('.') { format!("{text}0") } else { text.to_owned() }
    } else if number.is_finite() {
        format!("{number:e}")
    } else {
        format!("{number}").to_lowercase()
    }
}

/// A string as it is written in a script.
fn quoted(f: &mut fmt::Formatter<'_>, text: &str, bytes: usize) -> fmt::Result {
    f.write_char('"')?;
    for letter in shortened(text.to_owned(), bytes).chars() {
        match letter {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\t' => f.write_str("\\t")?,
            '\r' => f.write_str("\\r")?,
            other if other.is_control() => write!(f, "\\u{{{:X}}}", u32::from(other))?,
            other => f.write_char(other)?,
        }
    }
    f.write_char('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(words: &str) -> Datum {
        Datum::Text(words.into())
    }

    fn list(values: Vec<Datum>) -> Datum {
        Datum::Table(Record { list: values, ..Record::default() })
    }

    #[test]
    fn numbers_tell_each_other_apart_and_keep_their_kind() {
        let numbers = [2.0, -0.5, 1.0 / 3.0, 6.750000000000001, 0.0, 2.5e-7, 1e20];
        let exact = ["2.0", "-0.5", "0.3333333333333333", "6.750000000000001", "0.0", "2.5e-7", "1e20"];
        assert_eq!(numbers.map(|number| readable(number, None)), exact);
        let short = ["2.0", "-0.5", "0.333333", "6.75", "0.0", "2.5e-7", "1e20"];
        assert_eq!(numbers.map(|number| readable(number, Some(6))), short);
        let odd = [f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
        assert_eq!(odd.map(|number| readable(number, Some(6))), ["inf", "-inf", "nan"]);
    }

    #[test]
    fn strings_are_quoted_and_cannot_command_a_terminal() {
        assert_eq!(text("say \"hi\"\n\u{1b}[2J\\").to_string(), r#""say \"hi\"\n\u{1B}[2J\\""#);
    }

    #[test]
    fn a_single_text_of_many_lines_is_shown_as_it_is() {
        let shown = |values: &[Datum]| Answer::Values(values.to_vec()).to_string();
        assert_eq!(shown(&[text("gus\n\nself\n  a\u{1b}[2J\t1\n")]), "gus\n\nself\n  a[2J1");
        assert_eq!(shown(&[text("one line\n")]), r#""one line\n""#);
        assert_eq!(shown(&[text("a\nb"), text("c")]), r#""a\nb", "c""#);
    }

    #[test]
    fn tables_are_shown_two_levels_deep() {
        let deep = list(vec![list(vec![list(vec![Datum::Integer(1)]), list(vec![])])]);
        assert_eq!(deep.to_string(), "{{{…}, {}}}");
        let long = list((0..50).map(Datum::Integer).collect());
        let words = long.to_string();
        assert!(words.starts_with("{0, 1, 2,") && words.ends_with("38, 39, …}"), "{words}");
        let fields =
            vec![(text("x"), Datum::Number(1.5)), (text("a b"), Datum::Nil), (Datum::Integer(7), text("q"))];
        let record = Datum::Table(Record { list: vec![Datum::Boolean(true)], fields, cut: true });
        assert_eq!(record.to_string(), r#"{true, x = 1.5, ["a b"] = nil, [7] = "q", …}"#);
        assert!(list(vec![record]).is_cut() && !deep.is_cut());
    }

    #[test]
    fn lists_are_arrays_and_other_tables_objects() {
        let point =
            Datum::Table(Record { fields: vec![(text("x"), Datum::Number(0.1 + 0.2))], ..Record::default() });
        let all = list(vec![point, Datum::Nil, Datum::Number(f64::NAN), Datum::Other("npc:ada".into())]);
        assert_eq!(all.to_json().to_string(), r#"[{"x":0.30000000000000004},null,null,"npc:ada"]"#);
        let mixed =
            Record { list: vec![text("a")], fields: vec![(Datum::Boolean(true), text("b"))], cut: false };
        assert_eq!(Datum::Table(mixed).to_json().to_string(), r#"{"1":"a","true":"b"}"#);
    }
}
