//! JSON as a tree with the place of every value, built with serde_json alone.
//!
//! A `&RawValue` borrows its piece of the text, so the piece's address gives its offset. An object is read as a list
//! of keys and raw values, which keeps duplicate keys. Then each raw value is read the same way.

use std::fmt;
use std::ops::Range;

use serde::de::{Deserializer as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::jsonc::Plain;
use super::{MAX_PROBLEMS, syntax};
use crate::problem::Problem;

/// Deepest nesting that is read. A room needs five levels. Each level is scanned again for every level above it.
pub(super) const MAX_DEPTH: usize = 64;

/// A value and its bytes in the text.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub span: Range<usize>,
    pub value: Value,
}

/// The content of a value.
#[derive(Debug, Clone)]
pub(super) enum Value {
    Null,
    Bool(bool),
    Number(f64),
    String(String),
    Array(Vec<Node>),
    Object(Vec<Member>),
    /// Valid JSON that cannot be represented. A problem was reported for it, so no more are.
    Broken,
}

/// A key of an object with its value. A duplicate key has two members.
#[derive(Debug, Clone)]
pub(super) struct Member {
    pub key: String,
    /// The key with its quotes.
    pub key_span: Range<usize>,
    pub value: Node,
}

impl Node {
    /// The value of `key`, the first one if the key is duplicate; `None` if this is not an object.
    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        self.members().iter().find(|member| member.key == key).map(|member| &member.value)
    }

    /// The entries of a list; empty if this is not a list.
    pub(super) fn items(&self) -> &[Node] {
        if let Value::Array(items) = &self.value { items } else { &[] }
    }

    /// The members of an object; empty if this is not an object.
    pub(super) fn members(&self) -> &[Member] {
        if let Value::Object(members) = &self.value { members } else { &[] }
    }

    pub(super) fn as_str(&self) -> Option<&str> {
        if let Value::String(text) = &self.value { Some(text) } else { None }
    }

    pub(super) fn as_number(&self) -> Option<f64> {
        if let Value::Number(number) = self.value { Some(number) } else { None }
    }
}

/// Reads a text. With the tree come the problems of values that are valid JSON but cannot be represented, like
/// `1e400`.
///
/// # Errors
///
/// The first place where the text is not JSON.
pub(super) fn read(source: &Plain<'_>) -> Result<(Node, Vec<Problem>), Box<Problem>> {
    if let Some(problem) = syntax::too_deep(source, MAX_DEPTH) {
        return Err(Box::new(problem));
    }
    let whole: &RawValue = match serde_json::from_str(&source.text) {
        Ok(whole) => whole,
        Err(error) => {
            let at = syntax::offset(&source.text, &error);
            return Err(Box::new(syntax::explain(source, at, &error)));
        }
    };
    let mut reader = Reader { source, problems: Vec::new() };
    let root = reader.node(whole);
    Ok((root, reader.problems))
}

/// The only error left in a text that passed as JSON: `\ud800` without the other half of its surrogate pair.
const HALF_A_CHARACTER: &str = "half a character: one \\u escape of a pair is missing";

struct Reader<'a> {
    source: &'a Plain<'a>,
    problems: Vec<Problem>,
}

impl<'a> Reader<'a> {
    fn node(&mut self, raw: &'a RawValue) -> Node {
        let text = raw.get();
        let span = self.span(text);
        let value = match text.as_bytes().first() {
            Some(b'{') => self.object(text, &span),
            Some(b'[') => self.array(text, &span),
            Some(b'"') => self.string(text, &span),
            Some(b't') => Value::Bool(true),
            Some(b'f') => Value::Bool(false),
            Some(b'n') => Value::Null,
            _ => self.number(text, &span),
        };
        Node { span, value }
    }

    fn object(&mut self, text: &'a str, span: &Range<usize>) -> Value {
        let mut from = serde_json::Deserializer::from_str(text);
        let members = match from.deserialize_map(Members) {
            Ok(members) => members,
            Err(error) => {
                let noticed = syntax::offset(text, &error);
                return self.broken(half_in(text, noticed, span), HALF_A_CHARACTER);
            }
        };
        let mut before = span.start + 1;
        let members = members.into_iter().map(|(key, raw)| {
            let value = self.node(raw);
            let key_span = self.key_span(before, value.span.start);
            before = value.span.end;
            Member { key, key_span, value }
        });
        Value::Object(members.collect())
    }

    fn array(&mut self, text: &'a str, span: &Range<usize>) -> Value {
        let mut from = serde_json::Deserializer::from_str(text);
        match from.deserialize_seq(Items) {
            Ok(items) => Value::Array(items.into_iter().map(|raw| self.node(raw)).collect()),
            Err(_) => self.broken(span.clone(), "this list cannot be read"),
        }
    }

    fn string(&mut self, text: &str, span: &Range<usize>) -> Value {
        match serde_json::from_str(text) {
            Ok(decoded) => Value::String(decoded),
            Err(error) => {
                let noticed = syntax::offset(text, &error);
                self.broken(half_in(text, noticed, span), HALF_A_CHARACTER)
            }
        }
    }

    fn number(&mut self, text: &str, span: &Range<usize>) -> Value {
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Value::Number(number),
            _ => self.broken(span.clone(), "this number is too large to be held"),
        }
    }

    fn broken(&mut self, span: Range<usize>, message: &str) -> Value {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(self.source.problem(span, message));
        }
        Value::Broken
    }

    /// The place of a slice in the text. The slice borrows from the text, so its address gives the offset.
    fn span(&self, piece: &str) -> Range<usize> {
        let start = (piece.as_ptr() as usize).wrapping_sub(self.source.text.as_ptr() as usize);
        let start = start.min(self.source.text.len());
        start..(start + piece.len()).min(self.source.text.len())
    }

    /// A key is the quoted text between the previous value and its own value.
    fn key_span(&self, before: usize, value_start: usize) -> Range<usize> {
        let between = self.source.text.get(before..value_start).unwrap_or("");
        match (between.find('"'), between.rfind('"')) {
            (Some(first), Some(last)) => before + first..before + last + 1,
            _ => before..value_start,
        }
    }
}

/// The last escape before the place where serde_json noticed the unpaired surrogate.
fn half_in(text: &str, noticed: usize, span: &Range<usize>) -> Range<usize> {
    let before = text.get(..noticed).unwrap_or(text);
    let at = before.rfind("\\u").map_or(span.start, |at| span.start + at);
    at..(at + 6).min(span.end)
}

struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Vec<(String, &'de RawValue)>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(members)
    }
}

struct Items;

impl<'de> Visitor<'de> for Items {
    type Value = Vec<&'de RawValue>;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = list.next_element()? {
            items.push(item);
        }
        Ok(items)
    }
}
