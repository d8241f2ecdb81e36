//! A room's other files: their names, and how they are read.

use super::without_comments;
use std::fmt;

/// Reads a room's other files (mask, background, geometry) by their path in the project.
///
/// # Errors
/// Why a file cannot be read.
pub type ReadFile<'a> = &'a dyn Fn(&str) -> Result<Vec<u8>, ReadFileError>;

/// Why another file of a room cannot be read: `"there is no such file".into()`. It becomes part of a problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadFileError(String);

impl ReadFileError {
    /// An error with the words of another one.
    pub fn of(error: impl fmt::Display) -> Self {
        Self(error.to_string())
    }
}

impl From<&str> for ReadFileError {
    fn from(why: &str) -> Self {
        Self(why.to_owned())
    }
}

impl From<String> for ReadFileError {
    fn from(why: String) -> Self {
        Self(why)
    }
}

impl fmt::Display for ReadFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ReadFileError {}

/// The images and the geometry that a room file names, as far as it can be read.
pub fn files_named(bytes: &[u8]) -> Vec<String> {
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let text = without_comments(text.strip_prefix('\u{feff}').unwrap_or(text));
    let file: Option<serde_json::Value> = serde_json::from_str(&text).ok();
    let named = |key: &str| Some(file.as_ref()?.get(key)?.as_str()?.to_owned());
    ["mask", "background", "geometry"].into_iter().filter_map(named).collect()
}
