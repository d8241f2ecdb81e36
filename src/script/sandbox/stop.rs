//! Why running code was stopped, and at which line.

use std::fmt;

/// Why running code was stopped. Code cannot undo a stop: every further instruction raises again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::script) enum Stop {
    /// It used up its fuel.
    Fuel,
    /// Its own data reach the memory limit of one script.
    Memory,
    /// The data of all scripts together reach the shared limit. Holds this script's MiB if it is among the
    /// largest; else 0.
    SharedMemory(u32),
    /// It made a string longer than the maximum.
    LongString,
    /// It requested a path search that costs more than the fuel it had left.
    Search,
    /// It is ten thousand calls deep.
    Depth,
    /// One of its tables inherits over too many others.
    Generations,
    /// The watchdog's time limit passed.
    Overdue,
}

/// A line of a script, small enough to be copied while Lua is in the middle of an error.
#[derive(Clone, Copy)]
pub(super) struct CodeLine {
    file: [u8; Self::MAX_FILE],
    file_len: u8,
    line: u32,
}

impl CodeLine {
    const MAX_FILE: usize = 120;

    pub(super) fn new(file: &[u8], line: u32) -> Self {
        let mut spot = Self { file: [0; Self::MAX_FILE], file_len: 0, line };
        let len = file.len().min(Self::MAX_FILE);
        spot.file[..len].copy_from_slice(&file[..len]);
        spot.file_len = len as u8;
        spot
    }

    pub(super) fn file_and_line(self) -> (String, u32) {
        let file = &self.file[..usize::from(self.file_len)];
        (String::from_utf8_lossy(file).into_owned(), self.line)
    }
}

impl fmt::Display for CodeLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (file, line) = self.file_and_line();
        write!(f, "{file}:{line}")
    }
}

/// The result of a metered run.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::script) struct Usage {
    /// Fuel spent.
    pub(in crate::script) fuel: u64,
    /// Why it was stopped, if it was, and the line (file, number) if that is known.
    pub(in crate::script) stop: Option<(Stop, Option<(String, u32)>)>,
}
