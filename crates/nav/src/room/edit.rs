//! Edits of a room's file by a tool: other coordinates, and everything else as its author wrote it.
//!
//! Only the numbers that differ are written anew, with as many decimals as they had. Comments, the order of keys, blanks
//! and line breaks stay; columns that were aligned stay aligned where there is room.

use super::json::{self, Node, Value};
use super::jsonc::Plain;
use crate::problem::Source;
use glam::DVec2;
use std::fmt;
use std::ops::Range;

/// A part of a room with coordinates in its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RoomPart {
    /// The corners of an obstacle.
    Obstacle,
    /// The corners of an area.
    Area,
    /// The corners of a hotspot.
    Hotspot,
    /// A waypoint, by the name of its waypath, a blank, and its number from 1.
    Waypoint,
    /// The place of a point.
    Point,
    /// The start of a character.
    Character,
}

/// Why a file cannot be edited. `Display` gives a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum EditError {
    /// It is no JSON, or not as a room file is.
    NotReadable(String),
    /// The file has no such part.
    Missing(&'static str, String),
    /// The part is written in another way than by coordinates.
    NoCoordinates(&'static str, String),
    /// The number of corners is another one.
    OtherCorners {
        /// Corners in the file.
        has: usize,
        /// Corners of the edit.
        given: usize,
    },
}

impl fmt::Display for EditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotReadable(why) => f.write_str(why),
            Self::Missing(what, name) => write!(f, "the room's file has no {what} '{name}'"),
            Self::NoCoordinates(what, name) => {
                write!(f, "the {what} '{name}' has no coordinates of its own in the room's file")
            }
            Self::OtherCorners { has, given } => {
                write!(f, "it has {has} corners in the file, and the edit has {given}")
            }
        }
    }
}

impl std::error::Error for EditError {}

impl RoomPart {
    fn name(self) -> &'static str {
        match self {
            Self::Obstacle => "obstacle",
            Self::Area => "area",
            Self::Hotspot => "hotspot",
            Self::Waypoint => "waypoint",
            Self::Point => "point",
            Self::Character => "character",
        }
    }
}

/// The text of a room file with other coordinates, in metres: the corners of a polygon in the order of the file, or the
/// place of a point or a start. Heights stay. Coordinates are rounded to millimetres.
///
/// # Errors
/// [`EditError`].
pub fn edit_room(text: &str, part: RoomPart, name: &str, places: &[DVec2]) -> Result<String, EditError> {
    let source = Source::new("", text);
    let mark = text.len() - source.text.len(); // of the byte order
    let unreadable = |problem: Box<crate::problem::Problem>| EditError::NotReadable(problem.to_string());
    let plain = Plain::of(&source).map_err(unreadable)?;
    let (root, _) = json::read(&plain).map_err(unreadable)?;
    let node = find(&root, part, name).ok_or_else(|| EditError::Missing(part.name(), name.to_owned()))?;
    let no_coordinates = || EditError::NoCoordinates(part.name(), name.to_owned());
    let written: Vec<[&Node; 2]> = match part {
        RoomPart::Obstacle | RoomPart::Area | RoomPart::Hotspot => {
            let polygon = node.get("polygon").ok_or_else(no_coordinates)?;
            polygon.items().iter().map(ends).collect::<Option<_>>().ok_or_else(no_coordinates)?
        }
        RoomPart::Character | RoomPart::Waypoint => {
            vec![node.get("at").and_then(ends).ok_or_else(no_coordinates)?]
        }
        RoomPart::Point => vec![ends(node).ok_or_else(no_coordinates)?],
    };
    let written = without_closing_corner(written, places.len());
    if written.len() != places.len() {
        return Err(EditError::OtherCorners { has: written.len(), given: places.len() });
    }
    let mut text = source.text.clone();
    // From the end, so that the places before stay where they are.
    for (numbers, place) in written.iter().zip(places).rev() {
        for (number, value) in numbers.iter().zip(place.to_array()).rev() {
            write_number(&mut text, number.span.clone(), value);
        }
    }
    text.insert_str(0, &"\u{feff}"[..mark]);
    Ok(text)
}

fn find<'n>(root: &'n Node, part: RoomPart, name: &str) -> Option<&'n Node> {
    let called = |list: &str, name: &str| {
        let mut items = root.get(list)?.items().iter();
        items.find(|item| item.get("name").and_then(Node::as_str) == Some(name))
    };
    let named = |list: &str| called(list, name);
    match part {
        RoomPart::Area => named("areas"),
        RoomPart::Character => named("characters"),
        RoomPart::Hotspot => named("hotspots"),
        RoomPart::Waypoint => {
            let (waypath, number) = name.rsplit_once(' ')?;
            let number: usize = number.parse().ok()?;
            called("waypaths", waypath)?.get("points")?.items().get(number.checked_sub(1)?)
        }
        RoomPart::Point => root.get("points")?.get(name),
        RoomPart::Obstacle => named("obstacles").or_else(|| {
            // Unnamed ones are called by their number.
            let number: usize = name.strip_prefix("obstacle_")?.parse().ok()?;
            let item = root.get("obstacles")?.items().get(number.checked_sub(1)?)?;
            Some(item).filter(|item| item.get("name").is_none())
        }),
    }
}

/// The x and the z of `[x, z]` or `[x, y, z]`.
fn ends(node: &Node) -> Option<[&Node; 2]> {
    let items = node.items();
    let is_number = |item: &&Node| matches!(item.value, Value::Number(_));
    match items {
        [x, z] | [x, _, z] if items.iter().all(|item| is_number(&item)) => Some([x, z]),
        _ => None,
    }
}

/// A polygon's last corner may repeat its first.
fn without_closing_corner(mut corners: Vec<[&Node; 2]>, wanted: usize) -> Vec<[&Node; 2]> {
    let place = |corner: &[&Node; 2]| corner.map(|number| number.as_number().map(f64::to_bits));
    let closes = corners.len() == wanted + 1
        && corners.first().zip(corners.last()).is_some_and(|(first, last)| place(first) == place(last));
    if closes {
        corners.pop();
    }
    corners
}

/// Writes a number in place of another, in the other's style. Says nothing if it is the same to the millimetre.
fn write_number(text: &mut String, span: Range<usize>, value: f64) {
    let Some(old) = text.get(span.clone()).map(str::to_owned) else { return };
    let value = (value * 1e3).round() / 1e3 + 0.0; // no -0
    if old.parse::<f64>().is_ok_and(|old| (old - value).abs() < 0.0005) {
        return;
    }
    let decimals = old.split_once('.').map_or(0, |(_, decimals)| decimals.len().min(3));
    let needed = (0..=3).find(|&decimals| {
        let rounded: f64 = format!("{value:.decimals$}").parse().unwrap_or(f64::NAN);
        (rounded - value).abs() < 0.0005
    });
    let decimals = decimals.max(needed.unwrap_or(3));
    let new = format!("{value:.decimals$}");
    let before = text[..span.start].len() - text[..span.start].trim_end_matches(' ').len();
    let is_after_comma = text[..span.start].trim_end_matches(' ').ends_with(',');
    // Blanks before it make up for another width, but one stays behind a comma.
    let spare = before.saturating_sub(usize::from(is_after_comma));
    // Columns are aligned where blanks fill them up.
    let line_start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let line = text[line_start..].lines().next().unwrap_or_default();
    let is_aligned = before > usize::from(is_after_comma) || line.contains("[ ") || line.contains(",  ");
    let start = span.start - new.len().saturating_sub(old.len()).min(spare);
    let pad = if is_aligned { old.len().saturating_sub(new.len()) } else { 0 };
    text.replace_range(start..span.end, &format!("{}{new}", " ".repeat(pad)));
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOM: &str = r#"{
  // the bar
  "areas": [{ "name": "hall", "polygon": [[0,0],[10,0],[10,8],[0,8],[0,0]] }],
  "obstacles": [
    { "name": "table",   "polygon": [[ 1.25, 0.75], [ 3.75, 0.75], [10.00, 1.50]], "seeThrough": true },
    { "polygon": [[4, 4], [5, 4], [5, 5]] }, /* unnamed */
  ],
  "hotspots": [{ "name": "tap", "polygon": [[2, 2], [3, 2], [3, 3]] }],
  "waypaths": [{ "name": "the beat", "points": [{ "at": [1, 2] }, { "at": [2.0, 0, 2.0], "wait": 1 }, { "at": "bar" }] }],
  "points": { "bar": [6.75, 1.5], "loft": [1, 3, 2], "odd": { "at": [1, 1] } },
  "characters": [{ "name": "ann", "at": [1, 1] }, { "name": "bob", "at": "bar" }],
}"#;

    /// The lines that an edit changes.
    fn changed(part: RoomPart, name: &str, places: &[(f64, f64)]) -> Vec<String> {
        let places: Vec<DVec2> = places.iter().map(|&place| place.into()).collect();
        let edited = edit_room(ROOM, part, name, &places).unwrap();
        assert_eq!(edited.lines().count(), ROOM.lines().count());
        let pairs = edited.lines().zip(ROOM.lines()).filter(|(new, old)| new != old);
        pairs.map(|(new, _)| new.trim().to_owned()).collect()
    }

    #[test]
    fn only_numbers_that_differ_are_written() {
        let table = changed(RoomPart::Obstacle, "table", &[(1.25, 0.5), (13.75, 0.75), (9.0, 1.5)]);
        let aligned = r#"{ "name": "table",   "polygon": [[ 1.25, 0.50], [13.75, 0.75], [ 9.00, 1.50]], "seeThrough": true },"#;
        assert_eq!(table, [aligned]);
        let unnamed = changed(RoomPart::Obstacle, "obstacle_2", &[(4.0, 4.0), (5.5, 4.0), (5.0, 10.0)]);
        assert_eq!(unnamed, [r#"{ "polygon": [[4, 4], [5.5, 4], [5, 10]] }, /* unnamed */"#]);
        let hall = changed(RoomPart::Area, "hall", &[(0.0, 0.0), (9.0, 0.0), (9.1234, 8.0), (0.0, 8.0)]);
        assert_eq!(
            hall,
            [r#""areas": [{ "name": "hall", "polygon": [[0,0],[9,0],[9.123,8],[0,8],[0,0]] }],"#]
        );
        let tap = changed(RoomPart::Hotspot, "tap", &[(2.0, 2.5), (3.0, 2.0), (3.0, 3.0)]);
        assert_eq!(tap, [r#""hotspots": [{ "name": "tap", "polygon": [[2, 2.5], [3, 2], [3, 3]] }],"#]);
        let beat = |first: &str, second: &str| {
            format!(
                r#""waypaths": [{{ "name": "the beat", "points": [{{ "at": {first} }}, {{ "at": {second}, "wait": 1 }}, {{ "at": "bar" }}] }}],"#
            )
        };
        let moved = |number: u32| changed(RoomPart::Waypoint, &format!("the beat {number}"), &[(3.5, 4.0)]);
        assert_eq!(moved(1), [beat("[3.5, 4]", "[2.0, 0, 2.0]")]);
        assert_eq!(moved(2), [beat("[1, 2]", "[3.5, 0, 4.0]")]);
        assert_eq!(changed(RoomPart::Point, "bar", &[(6.75, 1.5)]), [""; 0]);
        let loft = changed(RoomPart::Point, "loft", &[(-1.0, -0.0001)]);
        assert_eq!(
            loft[0],
            r#""points": { "bar": [6.75, 1.5], "loft": [-1, 3, 0], "odd": { "at": [1, 1] } },"#
        );
        let ann = changed(RoomPart::Character, "ann", &[(1.0, 2.5)]);
        assert_eq!(
            ann[0],
            r#""characters": [{ "name": "ann", "at": [1, 2.5] }, { "name": "bob", "at": "bar" }],"#
        );
    }

    #[test]
    fn what_cannot_be_edited_is_said() {
        let edit = |part, name, count| edit_room(ROOM, part, name, &vec![DVec2::ZERO; count]);
        assert_eq!(
            edit(RoomPart::Area, "attic", 3).unwrap_err().to_string(),
            "the room's file has no area 'attic'"
        );
        assert_eq!(edit(RoomPart::Area, "hall", 3), Err(EditError::OtherCorners { has: 5, given: 3 }));
        let named =
            [(RoomPart::Character, "bob"), (RoomPart::Point, "odd"), (RoomPart::Waypoint, "the beat 3")];
        for (part, name) in named {
            assert!(matches!(edit(part, name, 1), Err(EditError::NoCoordinates(..))), "{name}");
        }
        for name in ["the beat 0", "the beat 4", "the beat", "beat 1"] {
            assert!(matches!(edit(RoomPart::Waypoint, name, 1), Err(EditError::Missing(..))), "{name}");
        }
        assert!(matches!(edit_room("{", RoomPart::Area, "hall", &[]), Err(EditError::NotReadable(_))));
    }

    /// A number that stays is not rounded to millimetres either.
    #[test]
    fn fine_numbers_stay_as_they_are() {
        let text = r#"{ "points": { "a": [1.23456, 2.0] } }"#;
        let edited = edit_room(text, RoomPart::Point, "a", &[DVec2::new(1.235, 3.0)]).unwrap();
        assert_eq!(edited, r#"{ "points": { "a": [1.23456, 3.0] } }"#);
    }

    #[test]
    fn a_byte_order_mark_and_line_ends_stay() {
        let text = "\u{feff}{\r\n\"points\": {\"bar\": [1, 2]}}\r\n";
        let edited = edit_room(text, RoomPart::Point, "bar", &[DVec2::new(3.0, 4.0)]).unwrap();
        assert_eq!(edited, "\u{feff}{\r\n\"points\": {\"bar\": [3, 4]}}\r\n");
    }
}
