//! The `.map` files of the MovingAI pathfinding benchmarks (N. Sturtevant, "Benchmarks for Grid-Based Pathfinding",
//! 2012).
//!
//! ```text
//! type octile
//! height 2
//! width 3
//! map
//! ..@
//! .GT
//! ```
//!
//! Row 0 lies at z 0 to 1 and column 0 at x 0 to 1, in cells.

use std::ops::Range;

use glam::DVec2;

use super::rows::{Count, Rows, lines, no_text, too_many_cells, words};
use super::{GridCells, MAX_REACH_M};
use crate::problem::{Problem, Source, did_you_mean};
use crate::room::{GroundSettings, MAX_CELLS};

/// Default edge of a cell, in metres.
pub(super) const CELL_SIZE_M: f64 = 1.0;

/// Upper limit on the header lines before `map`; more lines are not a header.
const MAX_HEADER_LINES: usize = 16;

/// Reads a map.
///
/// # Errors
/// All its problems, in no particular order.
pub(super) fn read(source: &Source, cell_size_m: f64) -> Result<(GroundSettings, GridCells), Vec<Problem>> {
    if let Some(problem) = no_text(source) {
        return Err(vec![problem]);
    }
    let mut header = Header { source, kind: false, height: None, width: None, problems: Vec::new() };
    let Some(from) = header.read() else { return Err(header.problems) };
    let (width, height) = (header.used("width"), header.used("height"));
    header.problems.extend(too_many_cells(source, &width, &height));
    let rows = Rows {
        source,
        from,
        width: ("width", width.clone()),
        depth: ("height", height.clone()),
        cell: |letter| match letter {
            '.' | 'G' | 'S' => Some(true),
            '@' | 'O' | 'T' | 'W' => Some(false),
            _ => None,
        },
        cells: "one of . G S (walkable) or @ O T W (blocked)",
        is_header: |_| false,
    };
    let found = rows.read(&mut header.problems);
    match (width, height) {
        (Some((width, place)), Some((depth, _))) => {
            let far = f64::from(width.max(depth)) * cell_size_m;
            if far > MAX_REACH_M {
                header.add(
                    place,
                    format!("the map reaches as far as {far} m; it may reach to {MAX_REACH_M}"),
                    "",
                );
            }
            if !header.problems.is_empty() {
                return Err(header.problems);
            }
            let ground = GroundSettings { cell_size_m, ..GroundSettings::default() };
            Ok((ground, GridCells::from_words(DVec2::ZERO, width, depth, found.words)))
        }
        _ => Err(header.problems),
    }
}

/// The header while it is being read. `Some((None, place))` is a line with an unusable value.
struct Header<'a> {
    source: &'a Source,
    /// Whether there is a line that gives the type.
    kind: bool,
    height: Option<(Option<u32>, Range<usize>)>,
    width: Option<(Option<u32>, Range<usize>)>,
    problems: Vec<Problem>,
}

impl Header<'_> {
    /// Reads lines up to `map`, and returns where the rows start.
    fn read(&mut self) -> Option<usize> {
        let end = self.source.text.trim_end().len();
        let mut lines = lines(&self.source.text, 0).filter(|line| !line.text.is_empty());
        for line in lines.by_ref().take(MAX_HEADER_LINES) {
            let mut words = words(&line);
            let Some((key, place)) = words.next() else { continue };
            let value = words.next();
            match key {
                "map" => {
                    self.missing(place);
                    let line_end = line.at + line.text.len();
                    let rest = self.source.text.get(line_end..).unwrap_or("");
                    return Some(rest.find('\n').map_or(self.source.text.len(), |at| line_end + at + 1));
                }
                "type" => self.kind(place, value),
                "height" | "width" => self.size(key, place, value),
                _ => self.unknown(key, place),
            }
        }
        let at = lines.next().map_or(end, |line| line.at);
        self.add(
            at..at,
            "no line 'map' before the rows".into(),
            "a map begins: type octile, height, width, map",
        );
        None
    }

    fn kind(&mut self, place: Range<usize>, value: Option<(&str, Range<usize>)>) {
        if self.kind {
            return self.add(place, "the key 'type' stands twice".into(), "keep one of them");
        }
        self.kind = true;
        match value {
            Some(("octile", _)) => {}
            Some((other, place)) => {
                let shown: String = other.chars().take(40).collect();
                let message = format!("maps of type '{shown}' are not read, only octile ones");
                self.add(place, message, "octile maps have one letter a cell and eight neighbours");
            }
            None => self.add(place.end..place.end, "no value after 'type'".into(), "write 'type octile'"),
        }
    }

    fn size(&mut self, key: &str, place: Range<usize>, value: Option<(&str, Range<usize>)>) {
        let known = if key == "width" { &mut self.width } else { &mut self.height };
        if let Some((_, first)) = known {
            let (line, _) = self.source.line_column(first.start);
            let message = format!("the key '{key}' stands twice");
            return self.add(place, message, &format!("the first is in line {line}; keep one of them"));
        }
        let Some((text, at)) = value else {
            *known = Some((None, place.clone()));
            let hint = format!("write '{key} 512'");
            return self.add(place.end..place.end, format!("no value after '{key}'"), &hint);
        };
        let number = text.parse::<u32>().ok().filter(|&n| n >= 1 && f64::from(n) <= MAX_CELLS);
        *known = Some((number, at.clone()));
        if number.is_none() {
            let shown: String = text.chars().take(40).collect();
            let message = format!("{key} must be a whole number from 1 to {MAX_CELLS}, found '{shown}'");
            self.add(at, message, "");
        }
    }

    fn unknown(&mut self, key: &str, place: Range<usize>) {
        let shown: String = key.chars().take(40).collect();
        let near = did_you_mean(key, ["type", "height", "width", "map"]);
        let hint = near.map(|near| format!("did you mean '{near}'?"));
        let hint = hint.unwrap_or_else(|| "a map begins: type octile, height, width, map".into());
        self.add(place, format!("unknown key '{shown}'"), &hint);
    }

    fn missing(&mut self, at: Range<usize>) {
        let there = [("type", self.kind), ("height", self.height.is_some()), ("width", self.width.is_some())];
        for (key, _) in there.into_iter().filter(|(_, there)| !there) {
            let hint =
                if key == "type" { "write 'type octile'".to_owned() } else { format!("write '{key} …'") };
            self.add(at.clone(), format!("missing key '{key}' before 'map'"), &hint);
        }
    }

    fn used(&self, key: &str) -> Count {
        let known = if key == "width" { &self.width } else { &self.height };
        known.as_ref().and_then(|(value, place)| Some(((*value)?, place.clone())))
    }

    fn add(&mut self, place: Range<usize>, message: String, hint: &str) {
        let problem = self.source.problem(place, message);
        self.problems.push(if hint.is_empty() { problem } else { problem.with_hint(hint) });
    }
}
