//! What is wrong with a file of level geometry.

use std::fmt;

/// A fault of a level file, or a warning about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LevelProblem {
    /// What is wrong and where.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

impl LevelProblem {
    /// A problem with its hint.
    pub(super) fn new(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { message: message.into(), hint: hint.into() }
    }
}

impl fmt::Display for LevelProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\nhint: {}", self.message, self.hint)
    }
}

impl std::error::Error for LevelProblem {}
