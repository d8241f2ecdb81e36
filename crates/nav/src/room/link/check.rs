//! Checks of links that a schema cannot express: their names, and their ends.

use std::collections::BTreeMap;

use super::MAX_LINKS;
use crate::problem::{Problem, Source};
use crate::room::MAX_NAME_BYTES;
use crate::room::check::{brief, suggest};
use crate::room::json::Node;
use crate::room::locate::{JsonStep, path_text};

/// All problems found, in no particular order.
pub(in crate::room) fn check(source: &Source, root: &Node) -> Vec<Problem> {
    let links = root.get("links").map(Node::items).unwrap_or_default();
    let points = root.get("points").map(Node::members).unwrap_or_default();
    let mut problems = Vec::new();
    if let Some(first) = links.get(MAX_LINKS) {
        let steps = [JsonStep::Key("links"), JsonStep::Index(MAX_LINKS)];
        let message = format!("a room has at most {MAX_LINKS} links, this one {}", links.len());
        problems.push(source.problem(first.span.clone(), message).at_path(&path_text(&steps)));
    }
    let mut names: BTreeMap<&str, u32> = BTreeMap::new();
    for (index, link) in links.iter().enumerate() {
        let at = |node: &Node, key: &'static str, message: &str| {
            let steps = [JsonStep::Key("links"), JsonStep::Index(index), JsonStep::Key(key)];
            source.problem(node.span.clone(), message).at_path(&path_text(&steps))
        };
        if let Some((node, name)) = link.get("name").and_then(|node| Some((node, node.as_str()?))) {
            let (line, _) = source.line_column(node.span.start);
            if name.trim().is_empty() {
                problems.push(at(node, "name", "the name of this link is empty"));
            } else if name.len() > MAX_NAME_BYTES {
                let message = format!("the name of this link is longer than {MAX_NAME_BYTES} bytes");
                problems.push(at(node, "name", &message));
            } else if let Some(first) = names.insert(name, line) {
                let problem = at(node, "name", &format!("a second link named '{}'", brief(name)));
                problems.push(problem.with_label("taken").with_hint(format!("the first is in line {first}")));
                names.insert(name, first);
            }
        }
        for key in ["from", "to"] {
            let Some((node, wanted)) = link.get(key).and_then(|node| Some((node, node.as_str()?))) else {
                continue;
            };
            if points.iter().any(|point| point.key == wanted) {
                continue;
            }
            let problem = at(node, key, &format!("unknown point '{}'", brief(wanted)));
            let problem = problem.with_label("no point has this name");
            problems.push(match points.is_empty() {
                true => problem.with_hint("the room has no points; give a place [x, z]"),
                false => suggest(problem, wanted, points.iter().map(|point| point.key.as_str())),
            });
        }
        if let (Some(from), Some(to)) = (link.get("from"), link.get("to"))
            && is_same(from, to)
        {
            problems.push(at(to, "to", "this link ends where it begins").with_hint("give it another end"));
        }
    }
    problems
}

/// Whether two ends are one place or one point.
pub(in crate::room) fn is_same(from: &Node, to: &Node) -> bool {
    if let (Some(from), Some(to)) = (from.as_str(), to.as_str()) {
        return from == to;
    }
    let numbers = |node: &Node| node.items().iter().map(Node::as_number).collect::<Option<Vec<f64>>>();
    let (one, other) = (numbers(from), numbers(to));
    one.is_some_and(|one| !one.is_empty() && Some(one) == other)
}
