//! Lines of text and their tone, and the colours of the screen.

use cicerone::draw::Rgb;

pub(super) const NIGHT: Rgb = Rgb::hex(0x15120f);
pub(super) const BAR: Rgb = Rgb::hex(0x2c251d);
pub(super) const CREAM: Rgb = Rgb::hex(0xf6ecd6);
pub(super) const SAND: Rgb = Rgb::hex(0xb9a98a);
pub(super) const DIM: Rgb = Rgb::hex(0x7a6d59);
pub(super) const GOLD: Rgb = Rgb::hex(0xe8b23f);
pub(super) const RED: Rgb = Rgb::hex(0xf0806a);
const GREEN: Rgb = Rgb::hex(0x93c47d);

/// A line of text and its tone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) tone: Tone,
    pub(super) text: String,
}

/// The tone of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    /// Output of a script.
    Quiet,
    /// An event in the room.
    Plain,
    /// A reload succeeded.
    Good,
    /// A warning.
    Warning,
    /// An error.
    Bad,
}

impl Tone {
    /// The colour of its text.
    pub(super) fn ink(self) -> Rgb {
        match self {
            Self::Quiet => SAND,
            Self::Plain => CREAM,
            Self::Good => GREEN,
            Self::Warning => GOLD,
            Self::Bad => RED,
        }
    }
}
