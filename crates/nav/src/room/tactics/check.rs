//! Checks of tactical levels that a schema cannot express: each brush is a solid within the largest level.

use super::fault_text::{of_hull, of_mesh, outside};
use super::file::{BrushFile, BrushMeshFile};
use super::{MAX_LEVEL_TRIANGLES, TacticsSettings};
use crate::geometry::{Solid, SolidFault};
use crate::problem::{Problem, Source, did_you_mean};
use crate::room::check::brief;
use crate::room::json::{Node, Value};
use crate::room::locate::{JsonStep, path_text};
use crate::room::{MAX_NAME_BYTES, MAX_PROBLEMS};

/// All problems found, in no particular order.
pub(in crate::room) fn check(source: &Source, root: &Node) -> Vec<Problem> {
    let Some(tactics) = root.get("tactics") else { return Vec::new() };
    let mut problems = Vec::new();
    let mut triangles = 0;
    for (index, node) in tactics.get("brushes").map(Node::items).unwrap_or_default().iter().enumerate() {
        let steps = [JsonStep::Key("tactics"), JsonStep::Key("brushes"), JsonStep::Index(index)];
        let name = node.get("name").and_then(Node::as_str).map(|name| format!(" '{}'", brief(name)));
        let about = format!("brush {}{}", index + 1, name.unwrap_or_default());
        let problem = |message: String| problem_at(source, node, &steps, &format!("{about}: {message}"));
        if problems.len() >= MAX_PROBLEMS {
            break;
        }
        let Some(brush) = brush_of(node) else { continue }; // the schema has refused it
        let shapes = ["box", "points", "planes", "mesh"].iter().filter(|key| node.get(key).is_some()).count();
        if shapes != 1 {
            let message = if shapes == 0 { "it has no shape" } else { "it has more than one shape" };
            let hint = "give it one of 'box', 'points', 'planes' and 'mesh'";
            problems.push(problem(message.into()).with_hint(hint));
            continue;
        }
        problems.extend(keys(source, node, &steps, &about));
        triangles += brush.mesh.as_ref().map_or(0, |mesh| mesh.triangles.len());
        let shape = brush.shape();
        let is_ladder = node.get("ladder").is_some();
        match if is_ladder { Solid::around(&shape) } else { Solid::new(&shape) } {
            Ok(solid) => {
                if let Some((message, hint)) = outside(solid.bounds()) {
                    problems.push(problem(message).with_hint(hint));
                }
            }
            Err(SolidFault::Hull(fault)) => {
                let (message, hint) = of_hull(fault);
                problems.push(problem(message.into()).with_hint(hint));
            }
            Err(SolidFault::Mesh(fault)) => {
                let (message, hint) = of_mesh(&fault, |at| at);
                let all = [&steps[..], &["mesh", "triangles"].map(JsonStep::Key)].concat();
                let all = [all, vec![JsonStep::Index(fault.triangle)]].concat();
                let at = node.get("mesh").and_then(|mesh| mesh.get("triangles")?.items().get(fault.triangle));
                let message = format!("{about}: {message}");
                problems.push(problem_at(source, at.unwrap_or(node), &all, &message).with_hint(hint));
            }
        }
    }
    if triangles > MAX_LEVEL_TRIANGLES {
        let message = format!("the meshes of the brushes have {triangles} triangles");
        let steps = [JsonStep::Key("tactics"), JsonStep::Key("brushes")];
        let problem = problem_at(source, tactics, &steps, &message);
        problems.push(problem.with_hint(format!("a level has at most {MAX_LEVEL_TRIANGLES}")));
    }
    for member in tactics.get("objects").map(Node::members).unwrap_or_default() {
        let steps = [JsonStep::Key("tactics"), JsonStep::Key("objects"), JsonStep::Key(&member.key)];
        problems.extend(keys(source, &member.value, &steps, &format!("object \"{}\"", brief(&member.key))));
    }
    problems.extend(parts(source, tactics));
    problems.extend(heights(source, tactics));
    problems
}

fn problem_at(source: &Source, node: &Node, steps: &[JsonStep<'_>], message: &str) -> Problem {
    source.problem(node.span.clone(), message).at_path(&path_text(steps))
}

/// A level has brushes or a file, and names objects only of a file.
fn parts(source: &Source, tactics: &Node) -> Option<Problem> {
    let is_meant = |key: &str| {
        let mut members = tactics.members().iter();
        members.any(|member| member.key == key || did_you_mean(&member.key, [key]).is_some())
    };
    if !matches!(tactics.value, Value::Object(_)) || is_meant("geometry") {
        return None;
    }
    let given = ["objects", "up", "scale"].into_iter().find_map(|key| Some((key, tactics.get(key)?)));
    if let Some((key, node)) = given {
        let steps = [JsonStep::Key("tactics"), JsonStep::Key(key)];
        let problem = problem_at(source, node, &steps, &format!("'{key}' is for levels with 'geometry'"));
        return Some(problem.with_hint("give 'geometry': an .obj, .glb or .gltf file"));
    }
    (!is_meant("brushes")).then(|| {
        let message = "missing key 'brushes' in tactical level";
        let problem = problem_at(source, tactics, &[JsonStep::Key("tactics")], message);
        problem.with_hint("or give 'geometry': an .obj, .glb or .gltf file")
    })
}

/// The keys of a brush or an object that say what it does.
fn keys(source: &Source, node: &Node, steps: &[JsonStep<'_>], about: &str) -> Vec<Problem> {
    let problem = |message: &str| problem_at(source, node, steps, &format!("{about}: {message}"));
    let mut problems = Vec::new();
    if node.get("ladder").is_some() && node.get("clip").is_some() {
        problems.push(problem("a ladder is no solid, so it cannot clip").with_hint("leave 'clip' out"));
    }
    if let Some(name) = node.get("area").and_then(Node::as_str)
        && (name.trim().is_empty() || name.len() > MAX_NAME_BYTES)
    {
        let message = format!("the name of its area is empty, or longer than {MAX_NAME_BYTES} bytes");
        problems.push(problem(&message));
    }
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

/// The shape of a brush, if the tree has one. Numbers are checked by the schema.
fn brush_of(node: &Node) -> Option<BrushFile> {
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
    let mesh = match node.get("mesh") {
        Some(node) => {
            let mesh = BrushMeshFile {
                points: rows(node.get("points")?)?,
                triangles: rows(node.get("triangles")?)?,
            };
            let is_whole =
                |corner: &f64| corner.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(corner);
            Some(mesh).filter(|mesh| mesh.triangles.iter().flatten().all(is_whole))
        }
        None => None,
    };
    let most = super::MAX_BRUSH_CORNERS;
    let is_short = points.as_ref().is_none_or(|all| (4..=most).contains(&all.len()))
        && planes.as_ref().is_none_or(|all: &Vec<[f64; 4]>| (4..=most).contains(&all.len()));
    let is_short = is_short && mesh.is_some() == node.get("mesh").is_some();
    let plain = BrushFile { bounds, points, planes, mesh, name: None, area: None, ladder: None, clip: false };
    is_short.then_some(plain)
}
