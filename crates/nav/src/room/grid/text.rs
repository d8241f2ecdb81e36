//! The text grid: a header of `key value` lines, then rows of `1` (walkable) and `0`, z ascending, x ascending in a
//! row.
//!
//! ```text
//! cellSize 0.4
//! agentRadius 0.45
//! objectPadding 0.25
//! boundaryPadding 0.0
//! floorY 0.0
//! minX -5.0
//! minZ -5.0
//! gridWidth 3
//! gridDepth 2
//! 110
//! 111
//! ```
//!
//! Keys come in any order; the first five are optional. `planner any-angle` may be added for the shortest paths.
//! [`write()`] gives every key in this order, with the shortest digits that read back as the same number. So reading and
//! writing a written file gives the same bytes.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;

use glam::DVec2;

use super::rows::{Count, Line, Rows, lines, no_text, too_many_cells, words};
use super::{GridCells, MAX_REACH_M, MAX_SETTING_M};
use crate::problem::{Problem, Source, did_you_mean};
use crate::room::{GroundSettings, MAX_CELLS, MAX_COORDINATE_M, MAX_PROBLEMS, PlannerKind};

/// The numbers that a key accepts.
#[derive(Debug, Clone, Copy)]
struct Key {
    name: &'static str,
    kind: Kind,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    /// A length above zero.
    Positive,
    /// A length, zero included.
    Length,
    /// A height.
    Height,
    /// A corner of the grid.
    Corner,
    /// A number of cells.
    Count,
    /// How paths are found: the index of a name in [`PLANNERS`].
    Planner,
}

/// The keys in the order they are written.
const KEYS: [Key; 10] = [
    Key { name: "cellSize", kind: Kind::Positive },
    Key { name: "agentRadius", kind: Kind::Positive },
    Key { name: "objectPadding", kind: Kind::Length },
    Key { name: "boundaryPadding", kind: Kind::Length },
    Key { name: "floorY", kind: Kind::Height },
    Key { name: "minX", kind: Kind::Corner },
    Key { name: "minZ", kind: Kind::Corner },
    Key { name: "gridWidth", kind: Kind::Count },
    Key { name: "gridDepth", kind: Kind::Count },
    Key { name: "planner", kind: Kind::Planner },
];

/// The names of planners.
const PLANNERS: [(&str, PlannerKind); 3] =
    [("grid", PlannerKind::Grid), ("any-angle", PlannerKind::AnyAngle), ("portals", PlannerKind::Portals)];

/// The keys that have no default.
const REQUIRED: [&str; 4] = ["minX", "minZ", "gridWidth", "gridDepth"];

/// The text of a grid file.
pub(super) fn write(ground: &GroundSettings, cells: &GridCells) -> String {
    let numbers = [
        ground.cell_size_m,
        ground.agent_radius_m,
        ground.object_padding_m,
        ground.boundary_padding_m,
        ground.floor_y_m,
        cells.min.x,
        cells.min.y,
    ];
    let (width, depth) = (cells.width(), cells.depth());
    let mut text = String::with_capacity((width as usize + 1) * depth as usize + 200);
    // Writing to a String cannot fail.
    for (key, number) in KEYS.iter().zip(numbers) {
        let _ = writeln!(text, "{} {:?}", key.name, number + 0.0); // −0 becomes 0
    }
    let _ = writeln!(text, "gridWidth {width}\ngridDepth {depth}");
    let planner = PLANNERS.iter().find(|(_, planner)| *planner == ground.planner);
    if let Some((name, _)) = planner.filter(|(_, planner)| *planner != PlannerKind::default()) {
        let _ = writeln!(text, "planner {name}");
    }
    for z in 0..depth {
        text.extend((0..width).map(|x| if cells.is_walkable(x, z) { '1' } else { '0' }));
        text.push('\n');
    }
    text
}

/// Reads a grid file.
///
/// # Errors
/// All its problems, in no particular order.
pub(super) fn read(source: &Source) -> Result<(GroundSettings, GridCells), Vec<Problem>> {
    if let Some(problem) = no_text(source) {
        return Err(vec![problem]);
    }
    let mut header = Header { source, lines: BTreeMap::new(), values: BTreeMap::new(), problems: Vec::new() };
    let from = header.read();
    let (width, depth) = (header.count("gridWidth"), header.count("gridDepth"));
    header.problems.extend(too_many_cells(source, &width, &depth));
    let rows = Rows {
        source,
        from,
        width: ("gridWidth", width.clone()),
        depth: ("gridDepth", depth.clone()),
        cell: |letter| match letter {
            '1' => Some(true),
            '0' => Some(false),
            _ => None,
        },
        cells: "1 or 0",
        is_header: |line| KEYS.iter().any(|key| line.split_whitespace().next() == Some(key.name)),
    };
    let found = rows.read(&mut header.problems);
    header.missing(from, found.width, found.depth);
    header.reach();
    match (width, depth) {
        (Some((width, _)), Some((depth, _))) if header.problems.is_empty() => {
            let min = DVec2::new(header.number("minX", 0.0), header.number("minZ", 0.0));
            Ok((header.settings(), GridCells::from_words(min, width, depth, found.words)))
        }
        _ => Err(header.problems),
    }
}

/// The header while it is being read.
struct Header<'a> {
    source: &'a Source,
    /// The first place of each key, whether or not its value is usable.
    lines: BTreeMap<&'static str, Range<usize>>,
    /// The usable values and their places.
    values: BTreeMap<&'static str, (f64, Range<usize>)>,
    problems: Vec<Problem>,
}

impl Header<'_> {
    /// Reads lines up to the first row, and returns where that starts.
    fn read(&mut self) -> usize {
        for line in lines(&self.source.text, 0) {
            if self.is_row(line.text) {
                return line.at;
            }
            if !line.text.is_empty() && self.problems.len() <= MAX_PROBLEMS {
                self.line(&line);
            }
        }
        self.source.text.len()
    }

    /// Rows begin with a cell character. Once the header is complete, a single word that is not a key also starts
    /// them.
    fn is_row(&self, text: &str) -> bool {
        let complete = REQUIRED.iter().all(|key| self.lines.contains_key(key));
        let word = !text.is_empty() && !text.contains(char::is_whitespace);
        text.starts_with(['0', '1']) || complete && word && key_like(text).is_none()
    }

    fn line(&mut self, line: &Line<'_>) {
        let mut words = words(line);
        let Some((word, place)) = words.next() else { return };
        let Some(key) = KEYS.iter().find(|key| key.name == word) else {
            return self.unknown(word, place);
        };
        if let Some(first) = self.lines.get(key.name) {
            let (line, _) = self.source.line_column(first.start);
            let message = format!("the key '{word}' stands twice");
            return self.add(place, message, &format!("the first is in line {line}; keep one of them"));
        }
        self.lines.insert(key.name, place.clone());
        match (words.next(), words.next()) {
            (None, _) => {
                self.add(place.end..place.end, format!("no value after '{word}'"), "write 'key value'")
            }
            (Some(_), Some((_, more))) => {
                let end = line.at + line.text.len();
                self.add(more.start..end, format!("more than one value after '{word}'"), "delete this");
            }
            (Some((value, place)), None) => self.value(*key, value, place),
        }
    }

    fn unknown(&mut self, word: &str, place: Range<usize>) {
        let shown: String = word.chars().take(40).collect();
        let near = key_like(word).map(|near| format!("did you mean '{near}'?"));
        if !word.starts_with(char::is_alphabetic) {
            let message = format!("expected 'key value' or a row of 1 and 0, found '{shown}'");
            let comment = word.starts_with(['#', '/', ';']).then_some("a grid has no comments");
            return self.add(place, message, comment.unwrap_or_default());
        }
        let all: Vec<&str> = KEYS.iter().map(|key| key.name).collect();
        let hint = near.unwrap_or_else(|| format!("the keys are {}", all.join(", ")));
        self.add(place, format!("unknown key '{shown}'"), &hint);
    }

    fn value(&mut self, key: Key, text: &str, place: Range<usize>) {
        let shown: String = text.chars().take(40).collect();
        let name = key.name;
        if matches!(key.kind, Kind::Planner) {
            let names = PLANNERS.map(|(planner, _)| planner);
            match names.iter().position(|planner| *planner == text) {
                Some(index) => drop(self.values.insert(name, (index as f64, place))),
                None => {
                    let near = did_you_mean(text, names).map(|near| format!("did you mean '{near}'?"));
                    let message = format!("{name} must be {}, found '{shown}'", names.join(" or "));
                    self.add(place, message, &near.unwrap_or_default());
                }
            }
            return;
        }
        let Ok(number) = text.parse::<f64>() else {
            return self.add(place, format!("{name} must be a number, found '{shown}'"), "");
        };
        let wanted = match key.kind {
            _ if !number.is_finite() => Some("a finite number".to_owned()),
            Kind::Positive if number <= 0.0 => Some("greater than 0".into()),
            Kind::Length if number < 0.0 => Some("at least 0".into()),
            Kind::Positive | Kind::Length => beyond(number, MAX_SETTING_M),
            Kind::Height => beyond(number, MAX_COORDINATE_M),
            Kind::Corner => beyond(number, MAX_REACH_M),
            Kind::Count if number < 1.0 => Some("at least 1".into()),
            Kind::Count if number.fract() != 0.0 => Some("a whole number".into()),
            Kind::Count => beyond(number, MAX_CELLS),
            Kind::Planner => None,
        };
        match wanted {
            Some(wanted) => self.add(place, format!("{name} must be {wanted}, found {shown}"), ""),
            None => drop(self.values.insert(name, (number + 0.0, place))),
        }
    }

    /// Reports missing keys, at the place where the rows begin.
    fn missing(&mut self, from: usize, width: Option<usize>, depth: usize) {
        let from = from.min(self.source.text.trim_end().len());
        for key in REQUIRED.into_iter().filter(|key| !self.lines.contains_key(key)).collect::<Vec<_>>() {
            let hint = match (key, width) {
                ("gridWidth", Some(width)) => {
                    format!("the rows have {width} cells: write 'gridWidth {width}'")
                }
                ("gridDepth", _) if depth > 0 => format!("there are {depth} rows: write 'gridDepth {depth}'"),
                _ => format!("write '{key} …' before the rows"),
            };
            self.add(from..from, format!("missing key '{key}'"), &hint);
        }
    }

    /// The opposite corner has the same limit as the first.
    fn reach(&mut self) {
        let cell_size_m = self.settings().cell_size_m;
        for (min, count) in [("minX", "gridWidth"), ("minZ", "gridDepth")] {
            let (Some((from, _)), Some((cells, place))) = (self.values.get(min), self.values.get(count))
            else {
                continue;
            };
            let (to, place) = (from + cells * cell_size_m, place.clone());
            if to > MAX_REACH_M {
                let message = format!("the grid reaches as far as {to} m; it may reach to {MAX_REACH_M}");
                self.add(place, message, "are cellSize and the corner right?");
            }
        }
    }

    fn settings(&self) -> GroundSettings {
        let default = GroundSettings::default();
        GroundSettings {
            cell_size_m: self.number("cellSize", default.cell_size_m),
            agent_radius_m: self.number("agentRadius", default.agent_radius_m),
            object_padding_m: self.number("objectPadding", default.object_padding_m),
            boundary_padding_m: self.number("boundaryPadding", default.boundary_padding_m),
            floor_y_m: self.number("floorY", default.floor_y_m),
            planner: PLANNERS
                .into_iter()
                .zip(0..)
                .find(|(_, index)| f64::from(*index) == self.number("planner", 0.0))
                .map_or(default.planner, |((_, planner), _)| planner),
            ..default
        }
    }

    fn number(&self, key: &str, default: f64) -> f64 {
        self.values.get(key).map_or(default, |(number, _)| *number)
    }

    fn count(&self, key: &str) -> Count {
        // Whole and at most MAX_CELLS, so the cast loses nothing.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        self.values.get(key).map(|(number, place)| (*number as u32, place.clone()))
    }

    fn add(&mut self, place: Range<usize>, message: String, hint: &str) {
        let problem = self.source.problem(place, message);
        self.problems.push(if hint.is_empty() { problem } else { problem.with_hint(hint) });
    }
}

/// The limit that a number exceeds, as text.
fn beyond(number: f64, most: f64) -> Option<String> {
    match () {
        () if number > most => Some(format!("at most {most}")),
        () if number < -most => Some(format!("at least -{most}")),
        () => None,
    }
}

/// The key that a word is, or is most similar to.
fn key_like(word: &str) -> Option<&'static str> {
    did_you_mean(word, KEYS.iter().map(|key| key.name))
}
