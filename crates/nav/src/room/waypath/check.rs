//! Checks of waypaths that a schema cannot express: their names, and their waypoints.

use std::collections::BTreeMap;

use super::{MAX_WAYPATHS, MAX_WAYPOINTS};
use crate::problem::{Problem, Source};
use crate::room::MAX_NAME_BYTES;
use crate::room::check::{brief, suggest};
use crate::room::json::Node;
use crate::room::link::is_same;
use crate::room::locate::{JsonStep, path_text};

/// All problems found, in no particular order.
pub(in crate::room) fn check(source: &Source, root: &Node) -> Vec<Problem> {
    let waypaths = root.get("waypaths").map(Node::items).unwrap_or_default();
    let mut problems = Vec::new();
    if let Some(first) = waypaths.get(MAX_WAYPATHS) {
        let steps = [JsonStep::Key("waypaths"), JsonStep::Index(MAX_WAYPATHS)];
        let message = format!("a room has at most {MAX_WAYPATHS} waypaths, this one {}", waypaths.len());
        problems.push(source.problem(first.span.clone(), message).at_path(&path_text(&steps)));
    }
    // One waypath with too many is refused by the schema.
    let count =
        |waypath: &Node| waypath.get("points").map_or(0, |points| points.items().len()).min(MAX_WAYPOINTS);
    let mut counted = 0;
    let too_many = waypaths.iter().position(|waypath| {
        counted += count(waypath);
        counted > MAX_WAYPOINTS
    });
    if let Some((index, node)) = too_many.and_then(|index| Some((index, waypaths[index].get("points")?))) {
        let steps = [JsonStep::Key("waypaths"), JsonStep::Index(index), JsonStep::Key("points")];
        let message = format!("the waypaths of a room have at most {MAX_WAYPOINTS} waypoints");
        problems.push(source.problem(node.span.clone(), message).at_path(&path_text(&steps)));
    }
    let mut names: BTreeMap<&str, u32> = BTreeMap::new();
    for (index, waypath) in waypaths.iter().enumerate() {
        let at = |node: &Node, message: &str| {
            let steps = [JsonStep::Key("waypaths"), JsonStep::Index(index), JsonStep::Key("name")];
            source.problem(node.span.clone(), message).at_path(&path_text(&steps))
        };
        if let Some((node, name)) = waypath.get("name").and_then(|node| Some((node, node.as_str()?))) {
            let (line, _) = source.line_column(node.span.start);
            if name.trim().is_empty() {
                problems.push(at(node, "the name of this waypath is empty"));
            } else if name.len() > MAX_NAME_BYTES {
                let message = format!("the name of this waypath is longer than {MAX_NAME_BYTES} bytes");
                problems.push(at(node, &message));
            } else if let Some(first) = names.insert(name, line) {
                let problem = at(node, &format!("a second waypath named '{}'", brief(name)));
                problems.push(problem.with_label("taken").with_hint(format!("the first is in line {first}")));
                names.insert(name, first);
            }
        }
        check_points(source, root, index, waypath, &mut problems);
    }
    problems
}

/// Waypoints are known, and none is where the one before it is.
fn check_points(source: &Source, root: &Node, index: usize, waypath: &Node, problems: &mut Vec<Problem>) {
    let known = root.get("points").map(Node::members).unwrap_or_default();
    let is_loop = waypath.get("kind").and_then(Node::as_str) == Some("loop");
    let points = waypath.get("points").map(Node::items).unwrap_or_default();
    for (number, point) in points.iter().enumerate().take(MAX_WAYPOINTS) {
        let steps = [
            JsonStep::Key("waypaths"),
            JsonStep::Index(index),
            JsonStep::Key("points"),
            JsonStep::Index(number),
            JsonStep::Key("at"),
        ];
        let Some(node) = point.get("at") else { continue };
        let problem =
            |message: String| source.problem(node.span.clone(), message).at_path(&path_text(&steps));
        if let Some(wanted) = node.as_str()
            && known.iter().all(|point| point.key != wanted)
        {
            let unknown = problem(format!("unknown point '{}'", brief(wanted)));
            let unknown = unknown.with_label("no point has this name");
            problems.push(match known.is_empty() {
                true => unknown.with_hint("the room has no points; give a place [x, z]"),
                false => suggest(unknown, wanted, known.iter().map(|point| point.key.as_str())),
            });
        }
        let before = match number {
            0 if is_loop && points.len() > 2 => points.last(),
            _ => number.checked_sub(1).and_then(|before| points.get(before)),
        };
        if let Some(before) = before.and_then(|before| before.get("at"))
            && is_same(before, node)
        {
            let [what, hint] = match number {
                0 => [
                    "this loop ends where it begins",
                    "leave the last waypoint out: a loop leads back by itself",
                ],
                _ => ["this waypoint is where the one before it is", "give it another place"],
            };
            problems.push(problem(what.into()).with_hint(hint));
        }
    }
}
