//! Checks of tactical levels that a schema cannot express: each brush is a convex solid within the largest level.

use super::file::BrushFile;
use super::{CELL_UNITS, LEVEL_UNITS, MAX_TACTICAL_CELLS, MAX_TACTICAL_LEVELS, TacticsSettings};
use crate::geometry::{Hull, HullFault};
use crate::problem::{Problem, Source};
use crate::room::json::{Node, Value};
use crate::room::locate::{JsonStep, path_text};
use crate::room::{MAX_NAME_BYTES, MAX_PROBLEMS};
use glam::DVec3;

/// All problems found, in no particular order.
pub(in crate::room) fn check(source: &Source, root: &Node) -> Vec<Problem> {
    let Some(tactics) = root.get("tactics") else { return Vec::new() };
    let mut problems = Vec::new();
    for (index, node) in tactics.get("brushes").map(Node::items).unwrap_or_default().iter().enumerate() {
        let steps = [JsonStep::Key("tactics"), JsonStep::Key("brushes"), JsonStep::Index(index)];
        let problem = |message: String| {
            let text = format!("brush {}: {message}", index + 1);
            source.problem(node.span.clone(), text).at_path(&path_text(&steps))
        };
        if problems.len() >= MAX_PROBLEMS {
            break;
        }
        let Some((brush, name)) = brush_of(node) else { continue }; // the schema has refused it
        let shapes = ["box", "points", "planes"].iter().filter(|key| node.get(key).is_some()).count();
        if shapes != 1 {
            let message = if shapes == 0 { "it has no shape" } else { "it has more than one shape" };
            problems.push(problem(message.into()).with_hint("give it one of 'box', 'points' and 'planes'"));
            continue;
        }
        if node.get("ladder").is_some() && node.get("clip").is_some() {
            problems.push(
                problem("a ladder is no solid, so it cannot clip".into()).with_hint("leave 'clip' out"),
            );
        }
        if let Some(name) = name
            && (name.trim().is_empty() || name.len() > MAX_NAME_BYTES)
        {
            let message = format!("the name of its area is empty, or longer than {MAX_NAME_BYTES} bytes");
            problems.push(problem(message));
        }
        match Hull::new(&brush.shape()) {
            Ok(hull) => {
                if let Some((message, hint)) = outside(hull.min, hull.max) {
                    problems.push(problem(message).with_hint(hint));
                }
            }
            Err(fault) => {
                let (message, hint) = words(fault);
                problems.push(problem(message.into()).with_hint(hint));
            }
        }
    }
    problems.extend(heights(source, tactics));
    problems
}

/// The standing actor is the higher one.
fn heights(source: &Source, tactics: &Node) -> Option<Problem> {
    let number = |key: &str| match tactics.get(key)?.value {
        Value::Number(number) => Some(number),
        _ => None,
    };
    let defaults = TacticsSettings::default();
    let standing = number("standingHeight").unwrap_or(defaults.standing_height);
    let crouching = number("crouchingHeight").unwrap_or(defaults.crouching_height);
    let node = tactics.get("crouchingHeight").or_else(|| tactics.get("standingHeight"))?;
    let message = format!("an actor that crouches ({crouching}) is higher than one that stands ({standing})");
    let steps = [JsonStep::Key("tactics"), JsonStep::Key("crouchingHeight")];
    (crouching > standing).then(|| {
        let problem = source.problem(node.span.clone(), message).at_path(&path_text(&steps));
        problem.with_hint("crouchingHeight must be at most standingHeight")
    })
}

/// The shape and the area of a brush, if the tree has one. Numbers are checked by the schema.
fn brush_of(node: &Node) -> Option<(BrushFile, Option<&str>)> {
    fn numbers<const N: usize>(node: &Node) -> Option<[f64; N]> {
        let mut all = [0.0; N];
        let items = node.items();
        for (place, item) in all.iter_mut().zip(items) {
            *place = match item.value {
                Value::Number(number) => number,
                _ => return None,
            };
        }
        (items.len() == N).then_some(all)
    }
    fn rows<const N: usize>(node: &Node) -> Option<Vec<[f64; N]>> {
        node.items().iter().map(numbers).collect()
    }
    let bounds = match node.get("box") {
        Some(node) => Some(rows::<3>(node)?.try_into().ok()?),
        None => None,
    };
    let points = match node.get("points") {
        Some(node) => Some(rows(node)?),
        None => None,
    };
    let planes = match node.get("planes") {
        Some(node) => Some(rows(node)?),
        None => None,
    };
    let most = super::MAX_BRUSH_CORNERS;
    let is_short = points.as_ref().is_none_or(|all| (4..=most).contains(&all.len()))
        && planes.as_ref().is_none_or(|all: &Vec<[f64; 4]>| (4..=most).contains(&all.len()));
    let brush = BrushFile { bounds, points, planes, area: None, ladder: None, clip: false };
    is_short.then(|| (brush, node.get("area").and_then(Node::as_str)))
}

fn words(fault: HullFault) -> (&'static str, &'static str) {
    match fault {
        HullFault::NotConvex => (
            "it is not convex: a corner lies inside the others",
            "divide it into convex brushes, or leave the corner out",
        ),
        HullFault::Flat => ("it is flat", "give it a volume"),
        HullFault::InsideOut => ("it is inside out", "give the corner with the lowest x, y and z first"),
        HullFault::Open => (
            "its planes do not enclose a volume",
            "normals point outwards; a plane without effect must be left out",
        ),
    }
}

/// Whether a brush lies outside the largest level.
fn outside(min: DVec3, max: DVec3) -> Option<(String, String)> {
    let (cells, levels) = (f64::from(MAX_TACTICAL_CELLS), f64::from(MAX_TACTICAL_LEVELS));
    let most = DVec3::new(cells * CELL_UNITS, cells * CELL_UNITS, levels * LEVEL_UNITS);
    let is_outside = min.cmplt(DVec3::splat(-1e-6)).any() || max.cmpgt(most + 1e-6).any();
    is_outside.then(|| {
        let message = "it lies outside the largest level".to_owned();
        (message, format!("x and y are from 0 to {}, z from 0 to {}", most.x, most.z))
    })
}
