//! Updates a terminal from one canvas to the next with few bytes.

use super::terminal::Depth;
use cicerone::draw::{Canvas, Glyph, Rgb, width_of};
use std::fmt::Write;

/// The bytes that make a terminal that shows `old` show `new`; a full redraw if `old` is unknown or of another size.
/// Wrapped into a synchronized update, so that no partial frame is visible. Empty if nothing changed.
pub(super) fn changes(old: Option<&Canvas>, new: &Canvas, depth: Depth) -> String {
    let old = old.filter(|old| (old.width(), old.height()) == (new.width(), new.height()));
    let mut pen = Pen { text: String::new(), depth, at: None, ink: None, paper: None, bold: None };
    for y in 0..new.height() {
        let row = new.row(y);
        let differs = |x: usize| old.is_none_or(|old| old.get(x, y) != row.get(x));
        for (x, glyph) in row.iter().enumerate() {
            let covers = row.get(x + 1).is_some_and(|next| next.letter == Glyph::COVERED);
            let wide = is_wide(glyph);
            let covered = glyph.letter == Glyph::COVERED && x > 0 && is_wide(&row[x - 1]);
            if covered || !(differs(x) || wide && covers && differs(x + 1)) {
                continue;
            }
            // Half of a wide character becomes a blank.
            let broken = wide && !covers || glyph.letter == Glyph::COVERED;
            let glyph = if broken { Glyph { letter: ' ', ..*glyph } } else { *glyph };
            pen.put(x, y, &glyph, if wide && !broken { 2 } else { 1 });
        }
    }
    if pen.text.is_empty() {
        return pen.text;
    }
    let clear = if old.is_none() { "\x1b[2J" } else { "" };
    format!("\x1b[?2026h\x1b[0m{clear}{}\x1b[0m\x1b[?2026l", pen.text)
}

fn is_wide(glyph: &Glyph) -> bool {
    width_of(glyph.letter.encode_utf8(&mut [0; 4])) == 2
}

/// Writes glyphs and tracks the terminal's cursor and style.
struct Pen {
    text: String,
    depth: Depth,
    at: Option<(usize, usize)>,
    ink: Option<Rgb>,
    paper: Option<Rgb>,
    bold: Option<bool>,
}

impl Pen {
    fn put(&mut self, x: usize, y: usize, glyph: &Glyph, columns: usize) {
        if self.at != Some((x, y)) {
            let _ = write!(self.text, "\x1b[{};{}H", y + 1, x + 1); // writing to a String cannot fail
        }
        self.style(glyph);
        // Control characters on the canvas must not reach the terminal.
        self.text.push(if glyph.letter.is_control() { char::REPLACEMENT_CHARACTER } else { glyph.letter });
        self.at = Some((x + columns, y));
    }

    fn style(&mut self, glyph: &Glyph) {
        let blank = glyph.letter == ' ';
        if !blank && self.bold != Some(glyph.bold) {
            self.text.push_str(if glyph.bold { "\x1b[1m" } else { "\x1b[22m" });
            self.bold = Some(glyph.bold);
        }
        if self.depth == Depth::Plain {
            return;
        }
        if !blank && self.ink != Some(glyph.ink) {
            self.colour(38, glyph.ink);
            self.ink = Some(glyph.ink);
        }
        if self.paper != Some(glyph.paper) {
            self.colour(48, glyph.paper);
            self.paper = Some(glyph.paper);
        }
    }

    fn colour(&mut self, ground: u8, Rgb(r, g, b): Rgb) {
        let _ = match self.depth {
            Depth::True => write!(self.text, "\x1b[{ground};2;{r};{g};{b}m"),
            _ => write!(self.text, "\x1b[{ground};5;{}m", palette_index(Rgb(r, g, b))),
        };
    }
}

/// The levels of a channel in xterm's 6 × 6 × 6 cube.
const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// The nearest of xterm's 256 colours, from the cube or the 24 greys. Differences between channels count as much as
/// the channels: a brown rather becomes a little lighter than pink.
fn palette_index(colour: Rgb) -> u8 {
    let apart = |other: Rgb| {
        let [r, g, b] = [(colour.0, other.0), (colour.1, other.1), (colour.2, other.2)]
            .map(|(one, other)| i32::from(one) - i32::from(other));
        r * r + g * g + b * b + (r - g) * (r - g) + (g - b) * (g - b)
    };
    (16..=255).min_by_key(|&index| apart(palette_colour(index))).unwrap_or(16)
}

/// One of xterm's colours above the first 16, which users customise.
fn palette_colour(index: u8) -> Rgb {
    if index >= 232 {
        let grey = 8 + (index - 232) * 10;
        return Rgb(grey, grey, grey);
    }
    let level = |divisor: u8| LEVELS[usize::from((index - 16) / divisor % 6)];
    Rgb(level(36), level(6), level(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    const INK: Rgb = Rgb(250, 240, 230);

    fn canvas(words: &str) -> Canvas {
        let mut canvas = Canvas::new(12, 2, Rgb(0, 0, 0));
        canvas.write(1, 1, words, INK, None, false);
        canvas
    }

    #[test]
    fn nothing_new_writes_nothing() {
        assert_eq!(changes(Some(&canvas("hello")), &canvas("hello"), Depth::True), "");
    }

    #[test]
    fn only_what_changed_is_written() {
        let text = changes(Some(&canvas("hello")), &canvas("hallo"), Depth::Plain);
        assert_eq!(text, "\x1b[?2026h\x1b[0m\x1b[2;3H\x1b[22ma\x1b[0m\x1b[?2026l");
    }

    #[test]
    fn nothing_on_the_canvas_steers_the_terminal() {
        let text = changes(None, &canvas("a\x1b[2K\u{9b}"), Depth::Plain);
        assert!(text.contains("a\u{fffd}[2K\u{fffd}"), "{text:?}");
    }

    #[test]
    fn another_size_redraws_everything() {
        let small = Canvas::new(3, 1, Rgb(0, 0, 0));
        assert!(changes(Some(&canvas("hello")), &small, Depth::Palette).contains("\x1b[2J"));
    }

    #[test]
    fn without_colours_no_colour_is_written() {
        let text = changes(None, &canvas("hello"), Depth::Plain);
        assert!(!text.contains("38;") && !text.contains("48;"), "{text:?}");
    }

    #[test]
    fn a_wide_character_is_written_whole() {
        let text = changes(Some(&canvas("ab")), &canvas("酒"), Depth::Plain);
        assert!(text.contains("\x1b[2;2H\x1b[22m酒\x1b[0m"), "{text:?}");
        let mut half = canvas("酒");
        half.write(2, 1, "x", INK, None, false);
        let text = changes(None, &half, Depth::Plain);
        assert!(text.contains("\x1b[2;1H  \x1b[22mx") && !text.contains('酒'), "{text:?}");
    }

    #[test]
    fn colours_find_their_place_in_the_palette() {
        assert_eq!([Rgb(0, 0, 0), Rgb(255, 255, 255), Rgb(255, 0, 0)].map(palette_index), [16, 231, 196]);
        assert_eq!(palette_index(Rgb(30, 30, 30)), 234);
        assert_eq!(palette_colour(palette_index(Rgb(156, 115, 70))), Rgb(175, 135, 95), "wood is not pink");
    }
}
