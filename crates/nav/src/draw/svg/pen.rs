//! Path data in whole numbers with relative coordinates, which are a fraction of the size of absolute ones.

use std::fmt::Write;

/// A path being written, in units of cells.
#[derive(Debug, Default)]
pub(super) struct Pen {
    d: String,
    at: (i64, i64),
}

impl Pen {
    /// Moves to a place without a line.
    pub(super) fn go(&mut self, x: i64, z: i64) {
        self.command('m', (x - self.at.0, z - self.at.1));
        self.at = (x, z);
    }

    /// Draws a line to a place.
    pub(super) fn line(&mut self, x: i64, z: i64) {
        let apart = (x - self.at.0, z - self.at.1);
        let _ = match apart {
            (x, 0) => write!(self.d, "h{x}"), // writing to a String cannot fail
            (0, z) => write!(self.d, "v{z}"),
            _ => {
                self.command('l', apart);
                Ok(())
            }
        };
        self.at = (x, z);
    }

    /// Closes an outline that began at a place.
    pub(super) fn close(&mut self, x: i64, z: i64) {
        self.d.push('z');
        self.at = (x, z);
    }

    /// A rectangle: its first corner, and its size.
    pub(super) fn block(&mut self, (x, z): (i64, i64), (width, depth): (i64, i64)) {
        self.go(x, z);
        let _ = write!(self.d, "h{width}v{depth}h-{width}z");
    }

    fn command(&mut self, command: char, (x, z): (i64, i64)) {
        let comma = if z < 0 { "" } else { "," };
        let _ = write!(self.d, "{command}{x}{comma}{z}");
    }

    pub(super) fn len(&self) -> usize {
        self.d.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.d.is_empty()
    }

    pub(super) fn data(&self) -> &str {
        &self.d
    }
}
