//! Finds the place of a value in a room's file, for messages about it.

use std::ops::Range;

use super::json::{Node, Value};
use crate::problem::{Problem, Source};

/// One step from a value of the file to a value inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JsonStep<'a> {
    /// Into an object.
    Key(&'a str),
    /// Into a list, counted from 0.
    Index(usize),
}

/// The text of a room file and the place of every value in it.
#[derive(Debug, Clone)]
pub struct Locator {
    source: Source,
    root: Node,
}

impl Locator {
    pub(super) fn new(source: Source, root: Node) -> Self {
        Self { source, root }
    }

    /// The locator of a file without places of its own: every problem is one of the whole file.
    pub(super) fn of_whole(source: Source) -> Self {
        Self { source, root: Node { span: 0..0, value: Value::Null } }
    }

    /// The text of the file, for excerpts.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Whether the file has a key at its top.
    pub fn has(&self, key: &str) -> bool {
        self.root.get(key).is_some()
    }

    /// A problem at the value that `steps` lead to from the root, or at the last value on the way that the file has.
    /// A default has no place of its own; its owner has.
    pub fn problem(
        &self,
        steps: &[JsonStep<'_>],
        message: impl Into<String>,
        label: impl Into<String>,
        hint: Option<String>,
    ) -> Problem {
        let mut problem =
            self.source.problem(self.span(steps), message).at_path(&path_text(steps)).with_label(label);
        problem.hint = hint;
        problem
    }

    /// The bytes of the value that `steps` lead to, or of the last value on the way that the file has.
    pub fn span(&self, steps: &[JsonStep<'_>]) -> Range<usize> {
        let mut node = &self.root;
        for step in steps {
            match child(node, *step) {
                Some(next) => node = next,
                None => break,
            }
        }
        node.span.clone()
    }
}

/// Steps as readable text: `characters[2].at`. Keys that are not plain words are quoted: `points["to do"]`.
pub(super) fn path_text(steps: &[JsonStep<'_>]) -> String {
    let mut text = String::new();
    for step in steps {
        match step {
            JsonStep::Index(index) => text.push_str(&format!("[{index}]")),
            JsonStep::Key(key) if is_plain(key) => {
                text.push_str(if text.is_empty() { "" } else { "." });
                text.push_str(key);
            }
            JsonStep::Key(key) => text.push_str(&format!("[{key:?}]")),
        }
    }
    text
}

fn child<'n>(node: &'n Node, step: JsonStep<'_>) -> Option<&'n Node> {
    match (step, &node.value) {
        (JsonStep::Key(key), Value::Object(_)) => node.get(key),
        (JsonStep::Index(index), Value::Array(items)) => items.get(index),
        _ => None,
    }
}

fn is_plain(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '$'))
}
