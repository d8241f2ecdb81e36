//! A room's other files: their names, and how they are read.

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

/// Tells contents apart (Fowler, Noll and Vo's hash FNV-1a of 64 bits).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint(pub u64);

impl Fingerprint {
    /// That of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        let mut fingerprint = Self(0xCBF2_9CE4_8422_2325);
        fingerprint.add(bytes);
        fingerprint
    }

    /// Continues with more bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }
}
