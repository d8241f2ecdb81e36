//! Lines of text: their tone, colour and wrapping.

use super::palette::{CREAM, GOLD, GREEN, RED, SAND};
use cicerone::draw::{Rgb, shorten, width_of};

/// Results of Lua.
const BLUE: Rgb = Rgb::hex(0x8cc4de);

/// A line of text and its tone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) tone: Tone,
    pub(super) text: String,
}

/// The tone of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    /// A line of Lua, as it was typed.
    Typed,
    /// The result of a typed line.
    Answer,
    /// Output of a script.
    Quiet,
    /// An event in the room.
    Plain,
    /// A character says something.
    Said,
    /// A reload succeeded.
    Good,
    /// A warning.
    Warning,
    /// An error.
    Bad,
}

/// The colour of a tone.
pub(super) fn tone_ink(tone: Tone) -> Rgb {
    match tone {
        Tone::Typed => GOLD.mix(SAND, 0.5),
        Tone::Answer => BLUE,
        Tone::Quiet => SAND,
        Tone::Plain | Tone::Said => CREAM,
        Tone::Good => GREEN,
        Tone::Warning => GOLD,
        Tone::Bad => RED,
    }
}

/// A text wrapped at spaces; the last row is cut if the text does not fit.
pub(super) fn wrapped(text: &str, width: usize, rows: usize) -> Vec<String> {
    const INDENT: &str = "    ";
    let mut parts = Vec::new();
    let mut rest = text.to_owned();
    while parts.len() + 1 < rows && width_of(&rest) > width && width > 2 * INDENT.len() {
        let fits = rest.char_indices().map(|(at, letter)| at + letter.len_utf8());
        let fits = fits.take_while(|&end| width_of(&rest[..end]) <= width).last().unwrap_or(0);
        // A word longer than half a row is broken.
        let end = rest[..fits].rfind(' ').filter(|&at| at > fits / 2).unwrap_or(fits);
        let next = format!("{INDENT}{}", rest[end..].trim_start());
        rest.truncate(end);
        parts.push(std::mem::replace(&mut rest, next));
    }
    parts.push(shorten(&rest, width));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_broken_at_spaces_and_its_end_cut() {
        assert_eq!(
            wrapped("= {npc:ada, npc:bruno, npc:cleo}", 16, 3),
            ["= {npc:ada,", "    npc:bruno,", "    npc:cleo}"]
        );
        assert_eq!(wrapped("= {npc:ada, npc:bruno, npc:cleo}", 16, 2), ["= {npc:ada,", "    npc:bruno,…"]);
        assert_eq!(wrapped("xxxxxxxxxxxxxxxxxxxxxxxx", 12, 3), ["xxxxxxxxxxxx", "    xxxxxxxx", "    xxxx"]);
        assert_eq!(wrapped("short", 12, 3), ["short"]);
        assert_eq!(wrapped("too long by far", 6, 3), ["too l…"]);
    }
}
