//! The key under a map of plain text.

use super::{shorten, width_of};
use std::collections::BTreeSet;

/// The floor of an open door.
pub(super) const DOOR: char = '=';
/// The edge of the ground.
pub(super) const WALL: char = '+';
/// An end of a link.
pub(super) const LINK: char = '^';
/// A waypath.
pub(super) const LANE: char = '-';
/// A path before shortening.
pub(super) const RAW: char = 'o';

/// The meaning of the letters.
#[derive(Default)]
pub(super) struct Key {
    pub(super) used: BTreeSet<char>,
    /// The mark, whether it is in brackets, and its meaning.
    pub(super) entries: Vec<(char, bool, String)>,
    pub(super) closed: Vec<String>,
    pub(super) open: Vec<String>,
    pub(super) links: Vec<String>,
    pub(super) waypaths: Vec<String>,
    /// Squares whose marks are in brackets.
    pub(super) marked: BTreeSet<(usize, usize)>,
    /// Whether the marks put now are in brackets.
    pub(super) marking: bool,
    pub(super) off_the_map_is_told: bool,
    pub(super) remarks: Vec<String>,
    /// Whether it is that of plans of a tactical level, whose signs are others.
    pub(super) of_levels: bool,
}

impl Key {
    /// A free letter for a name: the first free letter of the name in this case, else the first free letter, else a
    /// digit, and `?` if there is none left.
    pub(super) fn letter(
        &mut self,
        name: &str,
        cased: fn(&char) -> char,
        all: std::ops::RangeInclusive<char>,
    ) -> char {
        let own = name.chars().map(|c| cased(&c)).filter(|c| all.contains(c));
        let any = all.clone().chain('0'..='9');
        let free = own.chain(any).find(|c| !self.used.contains(c));
        let letter = free.unwrap_or('?');
        self.used.insert(letter);
        letter
    }

    /// The text of the key; `marks` are all marks of the map, `square_m` is the size of a square.
    pub(super) fn print(&self, marks: &[char], square_m: f64, width: usize) -> String {
        let mut key: Vec<String> = Vec::new();
        let mut nameless = 0;
        // Hidden marks are explained too, to show which characters stand together.
        for (mark, marked, name) in &self.entries {
            match mark {
                '?' => nameless += 1,
                _ if *marked => key.push(format!("[{mark}] {}", shorten(name, width - 4))),
                _ => key.push(format!("{mark} {}", shorten(name, width - 2))),
            }
        }
        if nameless > 0 {
            key.push(format!("? {nameless} more"));
        }
        if marks.contains(&'~') {
            key.push(format!("~ {} (closed)", shorten(&self.closed.join(", "), width - 11)));
        }
        if marks.contains(&DOOR) {
            key.push(format!("{DOOR} {} (open)", shorten(&self.open.join(", "), width - 9)));
        }
        if marks.contains(&LINK) {
            key.push(format!("{LINK} {}", shorten(&self.links.join("; "), width - 2)));
        }
        if marks.contains(&LANE) {
            key.push(format!("{LANE} {}", shorten(&self.waypaths.join("; "), width - 2)));
        }
        let of_levels = super::plan_text::SIGNS.iter().filter(|_| self.of_levels);
        let signs = [
            ('*', "way"),
            (RAW, "raw way"),
            (':', "trail"),
            (',', "trail as recorded"),
            ('%', "in the way"),
            ('#', "blocked"),
            (WALL, "wall"),
        ];
        key.extend(
            (signs.iter().filter(|(mark, _)| !(self.of_levels && matches!(mark, ':' | ',' | '+'))))
                .chain(of_levels)
                .filter(|(mark, _)| marks.contains(mark))
                .map(|(m, words)| format!("{m} {words}")),
        );
        key.extend(self.remarks.iter().map(|remark| format!("! {}", shorten(remark, width - 2))));
        key.push(format!("one square is {} m", trimmed(square_m)));
        flow(&key, width)
    }
}

/// Sets entries side by side, three spaces apart, as many per line as fit.
fn flow(entries: &[String], width: usize) -> String {
    let mut text = String::new();
    let mut used = 0;
    for entry in entries {
        let columns = width_of(entry);
        if used > 0 && used + 3 + columns > width {
            text.push('\n');
            used = 0;
        }
        if used > 0 {
            text.push_str("   ");
            used += 3;
        }
        text.push_str(entry);
        used += columns;
    }
    text.push('\n');
    text
}

/// A length without needless zeros.
fn trimmed(value: f64) -> String {
    let digits = format!("{value:.3}");
    digits.trim_end_matches('0').trim_end_matches('.').to_owned()
}
