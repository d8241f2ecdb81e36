//! Writes markup that is always well formed.

use crate::draw::clean;
use glam::DVec2;
use std::fmt::Write;

/// Text for an element or a quoted attribute: markup is escaped, characters forbidden in XML are replaced.
pub(super) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in clean(text).chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c => safe.push(c),
        }
    }
    safe
}

/// A number with at most two decimals and no more digits than it needs.
pub(super) fn num(value: f64) -> String {
    let mut digits = format!("{value:.2}");
    digits.truncate(digits.trim_end_matches('0').trim_end_matches('.').len());
    if digits == "-0" { "0".into() } else { digits }
}

/// `x,y` with at most two decimals each.
pub(super) fn pair(point: DVec2) -> String {
    format!("{},{}", num(point.x), num(point.y))
}

/// The commands of a closed outline, for the `d` of a path.
pub(super) fn outline(points: &[DVec2]) -> String {
    let mut d = String::new();
    for (index, &point) in points.iter().enumerate() {
        let command = if index == 0 { 'M' } else { 'L' };
        let _ = write!(d, "{command}{}", pair(point)); // writing to a String cannot fail
    }
    d.push('Z');
    d
}

/// Lines of markup, indented by their depth.
#[derive(Debug, Default)]
pub(super) struct Xml {
    text: String,
    open: Vec<&'static str>,
}

impl Xml {
    /// A complete element, or any other line. All text in it must be escaped already.
    pub(super) fn line(&mut self, markup: &str) {
        for _ in 0..self.open.len() {
            self.text.push(' ');
        }
        self.text.push_str(markup);
        self.text.push('\n');
    }

    /// Opens an element; [`Xml::close`] closes the last one opened.
    pub(super) fn open(&mut self, name: &'static str, attributes: &str) {
        let space = if attributes.is_empty() { "" } else { " " };
        self.line(&format!("<{name}{space}{attributes}>"));
        self.open.push(name);
    }

    pub(super) fn close(&mut self) {
        if let Some(name) = self.open.pop() {
            self.line(&format!("</{name}>"));
        }
    }

    /// The whole document, with every open element closed.
    pub(super) fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.text
    }
}

/// Text with a rim of paper around it: set twice, because not every viewer knows `paint-order`.
pub(super) fn haloed(class: &str, place: &str, words: &str) -> String {
    format!(
        r#"<text class="{class} halo" {place}>{words}</text><text class="{class}" {place}>{words}</text>"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!([0.0, -0.001, 1.5, 2.0, 10.126, -3.1].map(num), ["0", "0", "1.5", "2", "10.13", "-3.1"]);
        assert_eq!(num(100.0), "100");
    }

    #[test]
    fn names_are_no_markup() {
        assert_eq!(escape("<img onerror=\"x\">&'"), "&lt;img onerror=&quot;x&quot;&gt;&amp;&#39;");
        assert_eq!(escape("bell\u{7}"), "bell\u{FFFD}");
    }
}
