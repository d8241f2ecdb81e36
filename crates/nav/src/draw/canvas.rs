//! A grid of styled characters.

use super::Rgb;
use super::label::columns;

/// One character of a canvas, with its colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Glyph {
    /// The character; [`Glyph::COVERED`] if the character to the left takes two columns.
    pub letter: char,
    /// The colour of the character.
    pub ink: Rgb,
    /// The colour behind it.
    pub paper: Rgb,
    /// Whether it is set in bold.
    pub bold: bool,
}

impl Glyph {
    /// Marks a column covered by the wide character to its left; it is not written.
    pub const COVERED: char = '\0';

    /// A blank with this background.
    pub const fn blank(paper: Rgb) -> Self {
        Self { letter: ' ', ink: paper, paper, bold: false }
    }
}

/// A rectangle of glyphs, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Canvas {
    width: usize,
    height: usize,
    glyphs: Vec<Glyph>,
}

impl Canvas {
    /// An empty canvas of this colour.
    pub fn new(width: usize, height: usize, paper: Rgb) -> Self {
        Self { width, height, glyphs: vec![Glyph::blank(paper); width * height] }
    }

    /// Columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// One row, from left to right; empty below the last one.
    pub fn row(&self, row: usize) -> &[Glyph] {
        self.glyphs.chunks(self.width.max(1)).nth(row).unwrap_or_default()
    }

    /// The glyph in a column of a row.
    pub fn get(&self, column: usize, row: usize) -> Option<&Glyph> {
        self.row(row).get(column)
    }

    /// Changes a glyph; ignored outside the canvas.
    pub fn set(&mut self, column: usize, row: usize, glyph: Glyph) {
        if column < self.width && row < self.height {
            self.glyphs[row * self.width + column] = glyph;
        }
    }

    /// Fills a part of a row with one colour and erases its text.
    pub fn fill(&mut self, column: usize, row: usize, length: usize, paper: Rgb) {
        for column in column..column.saturating_add(length).min(self.width) {
            self.set(column, row, Glyph::blank(paper));
        }
    }

    /// Writes text over the canvas, on `paper` or else on the colour beneath it; cut at the right edge. Returns the
    /// column after the last.
    pub fn write(
        &mut self,
        column: usize,
        row: usize,
        words: &str,
        ink: Rgb,
        paper: Option<Rgb>,
        bold: bool,
    ) -> usize {
        let mut at = column;
        for letter in words.chars() {
            let wide = columns(letter);
            if wide == 0 {
                continue; // a combining mark; few terminals agree on these
            }
            if at + wide > self.width {
                break;
            }
            for (covered, letter) in [letter, Glyph::COVERED].into_iter().take(wide).enumerate() {
                let beneath = self.get(at + covered, row).map_or(ink, Glyph::beneath);
                self.set(at + covered, row, Glyph { letter, ink, paper: paper.unwrap_or(beneath), bold });
            }
            at += wide;
        }
        at
    }

    /// The letters alone, line by line.
    pub fn to_plain(&self) -> String {
        let mut text = String::new();
        for row in 0..self.height {
            let line: String =
                self.row(row).iter().map(|g| g.letter).filter(|&c| c != Glyph::COVERED).collect();
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

impl Glyph {
    /// The background for text written over this glyph.
    fn beneath(&self) -> Rgb {
        match self.letter {
            '▀' => self.ink.mix(self.paper, 0.5),
            _ => self.paper,
        }
    }
}
