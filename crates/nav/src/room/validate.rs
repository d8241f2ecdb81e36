//! Checks of a room that a schema cannot express: duplicate names, outlines that cross themselves, a start at an
//! unknown point, a grid too large to build.
//!
//! Works on the tree and skips values of a wrong type. So all problems of a file are found in one go, schema errors
//! included.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use glam::DVec2;

use super::MAX_PROBLEMS;
use super::check::{brief, suggest};
use super::crossing::MAX_COMPARISONS;
use super::json::{Node, Value};
use super::locate::{JsonStep, path_text};
use super::paths::path_trouble;
use super::polygon::{self, Flaw};
use super::{ActorSpec, GroundSettings, MAX_COORDINATE_M, MAX_NAME_BYTES};
use crate::problem::{Problem, Source};

/// Upper limit on the cells of one grid. At 0.4 m this is a square of 3.2 km. A search over all of it takes a
/// gigabyte, and building it takes a few seconds.
pub const MAX_CELLS: f64 = 64_000_000.0;

/// All problems beyond the schema, in no particular order.
pub(super) fn validate(source: &Source, root: &Node) -> Vec<Problem> {
    let mut validator =
        Validator { source, root, budget: MAX_COMPARISONS, tangled: false, problems: Vec::new() };
    validator.things("areas", "area");
    validator.things("obstacles", "obstacle");
    validator.things("hotspots", "hotspot");
    validator.points_and_characters();
    validator.goals();
    validator.focus();
    validator.one_player();
    validator.actors();
    validator.files();
    validator.grid_size();
    validator.problems
}

struct Validator<'a> {
    source: &'a Source,
    root: &'a Node,
    /// Comparisons left for finding edges that cross; see [`polygon::flaw`].
    budget: usize,
    /// A polygon used up the budget and was reported.
    tangled: bool,
    problems: Vec<Problem>,
}

impl<'a> Validator<'a> {
    /// Areas or obstacles: unique names, and valid polygons.
    fn things(&mut self, key: &'static str, what: &str) {
        let mut names = BTreeMap::new();
        for (index, item) in self.list(key).iter().enumerate() {
            let steps = [JsonStep::Key(key), JsonStep::Index(index)];
            if let Some(name) = item.get("name") {
                self.name(&mut names, name, &[steps[0], steps[1], JsonStep::Key("name")], what);
            }
            if let Some(polygon) = item.get("polygon") {
                self.polygon(polygon, &[steps[0], steps[1], JsonStep::Key("polygon")]);
            }
        }
    }

    /// Points and characters share one namespace: scripts address both by name alone.
    fn points_and_characters(&mut self) {
        let mut names: BTreeMap<&str, Named> = BTreeMap::new();
        let points = self.root.get("points").map(Node::members).unwrap_or_default();
        for point in points {
            if point.key.trim().is_empty() {
                let steps = [JsonStep::Key("points"), JsonStep::Key(&point.key)];
                self.problem(point.key_span.clone(), &steps, "the name of this point is empty");
            }
            names
                .entry(&point.key)
                .or_insert_with(|| Named { what: "point".into(), place: point.key_span.clone() });
        }
        for (index, item) in self.list("characters").iter().enumerate() {
            let steps = [JsonStep::Key("characters"), JsonStep::Index(index)];
            if let Some(name) = item.get("name") {
                self.name(&mut names, name, &[steps[0], steps[1], JsonStep::Key("name")], "character");
            }
            if let Some((at, wanted)) = item.get("at").and_then(|at| Some((at, at.as_str()?)))
                && names.get(wanted).is_none_or(|named| named.what != "point")
            {
                let steps = [steps[0], steps[1], JsonStep::Key("at")];
                let no_points = "the room has no points; give a place [x, z], or name one under 'points'";
                self.unknown_point(at, wanted, &steps, no_points);
            }
        }
    }

    /// Goals are points, each listed once.
    fn goals(&mut self) {
        let points = self.root.get("points").map(Node::members).unwrap_or_default();
        let names: BTreeSet<&str> = points.iter().map(|point| point.key.as_str()).collect();
        let mut seen: BTreeMap<&str, Range<usize>> = BTreeMap::new();
        for (index, goal) in self.list("goals").iter().enumerate() {
            let steps = [JsonStep::Key("goals"), JsonStep::Index(index)];
            let Some(name) = goal.as_str() else { continue };
            if !names.contains(name) {
                let areas = self.list("areas").iter().filter_map(|area| area.get("name")?.as_str());
                if areas.into_iter().any(|area| area == name) {
                    let message = format!("unknown point '{}'", brief(name));
                    let problem = self.located(goal.span.clone(), &steps, &message);
                    let problem = problem.with_label("no point has this name");
                    self.problems.push(problem.with_hint("it is an area; goals are points"));
                    continue;
                }
                let no_points = "a goal is the name of a point, and the room has none";
                self.unknown_point(goal, name, &steps, no_points);
                continue;
            }
            if let Some(first) = seen.get(name) {
                let (line, column) = self.source.line_column(first.start);
                let message = format!("the goal '{}' stands twice", brief(name));
                let problem = self.located(goal.span.clone(), &steps, &message);
                self.problems.push(problem.with_hint(format!("the first is at {line}:{column}")));
            } else {
                seen.insert(name, goal.span.clone());
            }
        }
    }

    /// The focus is a point or a character.
    fn focus(&mut self) {
        let Some(focus) = self.root.get("focus") else { return };
        let Some(name) = focus.as_str() else { return };
        let points = self.root.get("points").map(Node::members).unwrap_or_default();
        let characters = self.list("characters").iter().filter_map(|one| one.get("name")?.as_str());
        let names: BTreeSet<&str> = points.iter().map(|point| point.key.as_str()).chain(characters).collect();
        if names.contains(name) {
            return;
        }
        let message = format!("unknown character or point '{}'", brief(name));
        let problem = self.located(focus.span.clone(), &[JsonStep::Key("focus")], &message);
        let problem = problem.with_label("no character and no point has this name");
        self.problems.push(match names.is_empty() {
            true => problem.with_hint("the room has neither characters nor points"),
            false => suggest(problem, name, names.into_iter()),
        });
    }

    fn unknown_point(&mut self, node: &Node, wanted: &str, steps: &[JsonStep<'_>], no_points: &str) {
        if self.problems.len() >= MAX_PROBLEMS {
            return;
        }
        let points = self.root.get("points").map(Node::members).unwrap_or_default();
        let problem = self.located(node.span.clone(), steps, &format!("unknown point '{}'", brief(wanted)));
        let problem = problem.with_label("no point has this name");
        self.problems.push(if points.is_empty() {
            problem.with_hint(no_points)
        } else {
            suggest(problem, wanted, points.iter().map(|point| point.key.as_str()))
        });
    }

    /// Checks one name and adds it to those seen.
    fn name(
        &mut self,
        seen: &mut BTreeMap<&'a str, Named>,
        node: &'a Node,
        steps: &[JsonStep<'_>],
        what: &str,
    ) {
        let Some(name) = node.as_str() else { return };
        if name.trim().is_empty() {
            return self.problem(node.span.clone(), steps, &format!("the name of this {what} is empty"));
        }
        if name.len() > MAX_NAME_BYTES {
            let message = format!("the name of this {what} is longer than {MAX_NAME_BYTES} bytes");
            return self.problem(node.span.clone(), steps, &message);
        }
        match seen.get(name) {
            None => {
                seen.insert(name, Named { what: what.to_owned(), place: node.span.clone() });
            }
            Some(first) => {
                let (line, column) = self.source.line_column(first.place.start);
                let message = if first.what == what {
                    format!("a second {what} named '{}'", brief(name))
                } else {
                    format!("the {what} '{}' has the name of a {}", brief(name), first.what)
                };
                let problem = self.located(node.span.clone(), steps, &message).with_label("taken");
                let hint = format!("rename this one or the {} at {line}:{column}", first.what);
                self.problems.push(problem.with_hint(hint));
            }
        }
    }

    fn polygon(&mut self, node: &Node, steps: &[JsonStep<'_>]) {
        // The schema has refused values that are not lists of places, and lists that are too short or too long.
        let Some(corners) = corners(node) else { return };
        // The file is refused for the polygon that used up the budget. Later polygons are checked once that is
        // mended.
        if self.tangled {
            return;
        }
        let Some(flaw) = polygon::flaw(&corners, &mut self.budget) else { return };
        self.tangled = flaw == Flaw::TooIntricate;
        let at = |index: usize| corners.get(index).copied().unwrap_or_default();
        let (message, hint) = match flaw {
            Flaw::TooFew { different } => {
                (format!("a polygon needs 3 different corners, found {different}"), "is a corner missing?")
            }
            Flaw::OneLine => ("all corners of this polygon lie on one line".to_owned(), "it has no inside"),
            Flaw::NoInside => (
                "this polygon has no inside: its area is zero".to_owned(),
                "it goes there and back the same way",
            ),
            Flaw::TooIntricate => (
                format!("the {} edges of this polygon are too tangled to check", corners.len()),
                "make it of fewer corners, or of several polygons",
            ),
            Flaw::Crossing { first, second } => {
                let edge = |from: usize| {
                    let (a, b) = (at(from), at(next_corner(&corners, from)));
                    format!("[{}, {}]-[{}, {}]", a.x, a.y, b.x, b.y)
                };
                let message =
                    format!("this polygon crosses itself: edge {} meets edge {}", edge(first), edge(second));
                let place = node.items().get(second).map_or(node.span.clone(), |corner| corner.span.clone());
                let mut whole: Vec<JsonStep<'_>> = steps.to_vec();
                whole.push(JsonStep::Index(second));
                let problem = self.located(place, &whole, &message).with_label("the second edge starts here");
                self.problems.push(problem.with_hint("are two corners in the wrong order?"));
                return;
            }
        };
        let problem = self.located(node.span.clone(), steps, &message).with_hint(hint);
        self.problems.push(problem);
    }

    fn one_player(&mut self) {
        let mut first: Option<&Node> = None;
        for (index, item) in self.list("characters").iter().enumerate() {
            let Some(player) = item.get("player").filter(|node| matches!(node.value, Value::Bool(true)))
            else {
                continue;
            };
            let Some(before) = first else {
                first = Some(item);
                continue;
            };
            let (line, _) = self.source.line_column(before.get("player").unwrap_or(before).span.start);
            let name = before.get("name").and_then(Node::as_str).unwrap_or("another character");
            let steps = [JsonStep::Key("characters"), JsonStep::Index(index), JsonStep::Key("player")];
            let problem = self.located(player.span.clone(), &steps, "a second player");
            let hint = format!("'{}' is the player already (line {line})", brief(name));
            self.problems.push(problem.with_label("only one can be the player").with_hint(hint));
        }
    }

    /// Actors play on a tactical level, on a side with a name.
    fn actors(&mut self) {
        let has_level = self.root.get("tactics").is_some();
        for (index, item) in self.list("characters").iter().enumerate() {
            let Some(actor) = item.get("actor") else { continue };
            let steps = [JsonStep::Key("characters"), JsonStep::Index(index), JsonStep::Key("actor")];
            if let Some((node, side)) = actor.get("side").and_then(|node| Some((node, node.as_str()?)))
                && (side.trim().is_empty() || side.len() > MAX_NAME_BYTES)
            {
                let message = format!("the name of a side is empty, or longer than {MAX_NAME_BYTES} bytes");
                let problem = self.located(node.span.clone(), &steps, &message);
                let hint = format!("without the key, it is on the side '{}'", ActorSpec::DEFAULT_SIDE);
                self.problems.push(problem.with_hint(hint));
            }
            if has_level {
                continue;
            }
            let problem = self.located(actor.span.clone(), &steps, "an actor without a tactical level");
            self.problems.push(problem.with_hint("give the room a level with the key 'tactics'"));
        }
    }

    fn files(&mut self) {
        for (key, what) in
            [("script", "script"), ("mask", "mask"), ("background", "background"), ("geometry", "geometry")]
        {
            if let Some(file) = self.root.get(key) {
                self.file(file, &[JsonStep::Key(key)], what);
            }
        }
        if let Some(file) = self.root.get("tactics").and_then(|tactics| tactics.get("geometry")) {
            self.file(file, &[JsonStep::Key("tactics"), JsonStep::Key("geometry")], "geometry");
        }
        for (index, item) in self.list("characters").iter().enumerate() {
            if let Some(script) = item.get("script") {
                self.file(
                    script,
                    &[JsonStep::Key("characters"), JsonStep::Index(index), JsonStep::Key("script")],
                    "script",
                );
            }
        }
    }

    fn file(&mut self, node: &Node, steps: &[JsonStep<'_>], what: &str) {
        let Some((trouble, hint)) = node.as_str().and_then(|path| path_trouble(path, what)) else { return };
        let message = format!("the path of the {what} {trouble}");
        let problem = self.located(node.span.clone(), steps, &message).with_hint(hint);
        self.problems.push(problem);
    }

    /// The size of the grid, in floating point, which cannot overflow as counting cells could.
    fn grid_size(&mut self) {
        if ["mask", "mesh", "geometry"].iter().any(|key| self.root.get(key).is_some())
            || self.root.get("ground").and_then(Node::as_str) == Some("mesh")
            || self.root.get("ground").and_then(Node::as_str) == Some("sectors")
        {
            return; // it has no cells, or they are the pixels, which are counted when the image is read
        }
        let defaults = GroundSettings::default();
        let setting =
            |key: &str, default: f64| self.root.get(key).and_then(Node::as_number).unwrap_or(default);
        let ground = GroundSettings {
            cell_size_m: setting("cellSize", defaults.cell_size_m),
            agent_radius_m: setting("agentRadius", defaults.agent_radius_m),
            object_padding_m: setting("objectPadding", defaults.object_padding_m),
            ..defaults
        };
        let polygons = self.list("areas").iter().filter_map(|area| corners(area.get("polygon")?)).flatten();
        let (mut min, mut max) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        for corner in polygons {
            (min, max) = (min.min(corner), max.max(corner));
        }
        let size = max - min + DVec2::splat(2.0 * ground.margin_m());
        // Negative settings and rooms without a readable area were reported before.
        let readable = size.is_finite() && size.min_element() > 0.0 && ground.cell_size_m > 0.0;
        let (wide, deep) = ((size.x / ground.cell_size_m).ceil(), (size.y / ground.cell_size_m).ceil());
        if !readable || wide * deep <= MAX_CELLS {
            return;
        }
        let (key, node) = match (self.root.get("cellSize"), self.root.get("areas")) {
            (Some(node), _) => ("cellSize", node),
            (None, Some(node)) => ("areas", node),
            (None, None) => ("", self.root),
        };
        let message = format!(
            "the room is too large for its cells: {} x {} of them, at most {} in all",
            rounded(wide),
            rounded(deep),
            rounded(MAX_CELLS)
        );
        let enough = ground.cell_size_m * (wide * deep / MAX_CELLS).sqrt();
        let enough = (enough * 1.1 * 10.0).ceil() / 10.0;
        let hint = format!("is a coordinate wrong? otherwise write \"cellSize\": {enough}");
        let problem = self.located(node.span.clone(), &[JsonStep::Key(key)], &message);
        self.problems.push(problem.with_hint(hint));
    }

    fn list(&self, key: &str) -> &'a [Node] {
        self.root.get(key).map(Node::items).unwrap_or_default()
    }

    fn located(&self, span: Range<usize>, steps: &[JsonStep<'_>], message: &str) -> Problem {
        self.source.problem(span, message).at_path(&path_text(steps))
    }

    fn problem(&mut self, span: Range<usize>, steps: &[JsonStep<'_>], message: &str) {
        let problem = self.located(span, steps, message);
        self.problems.push(problem);
    }
}

/// A named thing, and the place of its name.
struct Named {
    what: String,
    place: Range<usize>,
}

/// The corners of a polygon, if all are places and their number is in range.
fn corners(node: &Node) -> Option<Vec<DVec2>> {
    let items = node.items();
    if items.len() < 3 || items.len() > polygon::MAX_CORNERS {
        return None;
    }
    items.iter().map(place).collect()
}

fn place(node: &Node) -> Option<DVec2> {
    let [x, z] = node.items() else { return None };
    let place = DVec2::new(x.as_number()?, z.as_number()?);
    (place.abs().max_element() <= MAX_COORDINATE_M).then_some(place)
}

/// The next corner at a different place.
fn next_corner(corners: &[DVec2], from: usize) -> usize {
    let count = corners.len();
    let elsewhere = |&index: &usize| corners.get(index) != corners.get(from);
    (1..count).map(|step| (from + step) % count).find(elsewhere).unwrap_or(from)
}

/// A count of cells as readable text: in full while it is short.
fn rounded(count: f64) -> String {
    if count < 1e5 {
        format!("{count}")
    } else if count < 1e8 {
        format!("{} million", (count / 1e5).round() / 10.0)
    } else if count < 1e15 {
        format!("{:.0} million", count / 1e6)
    } else {
        format!("{count:.0e}")
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_is_too_tangled_is_said_once() {
        let star: Vec<String> = (0..20_000)
            .map(|k| {
                let angle = std::f64::consts::TAU * f64::from(k) / 20_000.0;
                let radius = if k % 2 == 0 { 100.0 } else { 1.0 };
                format!("[{},{}]", radius * libm::cos(angle), radius * libm::sin(angle))
            })
            .collect();
        let star = format!("{{\"polygon\": [{}]}}", star.join(","));
        let hall = r#"{"name": "hall", "polygon": [[0,0],[4,0],[4,4]]}"#;
        let text = format!("{{\"areas\": [{hall}],\n\"obstacles\": [{star},{star}]}}");
        let Err(report) = crate::room::parse("r", text.as_bytes()) else { panic!("accepted") };
        assert_eq!(
            report.to_string(),
            "r:2:27: the 20000 edges of this polygon are too tangled to check (obstacles[0].polygon); \
             make it of fewer corners, or of several polygons"
        );
    }
}
