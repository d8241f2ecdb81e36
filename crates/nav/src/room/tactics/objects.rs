//! The objects of a level file as brushes.

use super::fault_text::{of_hull, of_mesh, outside};
use super::{Brush, BrushKind, MAX_BRUSHES, MAX_LEVEL_TRIANGLES};
use crate::geometry::{Solid, SolidFault, SolidShape, TriangleMesh};
use crate::level::{Level, Placing};
use crate::problem::{Problem, did_you_mean};
use crate::room::check::brief;
use crate::room::file::RoomFile;
use crate::room::locate::{JsonStep, Locator};
use crate::room::mesh::file::UpFile;
use crate::room::{MAX_PROBLEMS, ReadFile};
use glam::DVec3;
use std::collections::{BTreeMap, BTreeSet};

const GEOMETRY: [JsonStep<'_>; 2] = [JsonStep::Key("tactics"), JsonStep::Key("geometry")];

/// An object of a level file.
struct Object<'a> {
    name: &'a str,
    /// In units, z up.
    mesh: TriangleMesh,
    /// For each triangle its number in the level file.
    numbers: Vec<usize>,
}

/// Reads the file of a tactical level, and what is odd about it. Nothing if it has none.
///
/// # Errors
/// All problems.
pub(in crate::room) fn brushes(
    file: &RoomFile,
    locator: &Locator,
    read: ReadFile<'_>,
) -> Result<(Vec<Brush>, Vec<String>), Vec<Problem>> {
    let Some(tactics) = &file.tactics else { return Ok(Default::default()) };
    let Some(name) = &tactics.geometry else { return Ok(Default::default()) };
    let problem = |what: String, hint: &str| {
        locator.problem(&GEOMETRY, format!("geometry '{name}': {what}"), "", Some(hint.to_owned()))
    };
    let bytes = read(name).map_err(|why| {
        vec![problem(why.to_string(), "paths start at the project's folder: rooms/lookout.obj")]
    })?;
    let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
    let other_files = |other: &str| {
        let path = if folder.is_empty() { other.to_owned() } else { format!("{folder}/{other}") };
        read(&path).map_err(|why| why.to_string())
    };
    let placing = Placing { z_is_up: tactics.up == Some(UpFile::Z), scale: tactics.scale.unwrap_or(1.0) };
    let (level, warnings) = crate::level::read_solids(name, &bytes, placing, other_files)
        .map_err(|fault| vec![problem(fault.message, &fault.hint)])?;

    let per_metre = tactics.units_per_metre;
    let objects = objects(&level, per_metre);
    let mut problems = unknown_names(tactics.objects.keys(), &objects, name, locator);
    let of_brushes = tactics.brushes.iter().filter_map(|brush| brush.mesh.as_ref());
    let triangles = level.triangles.len() + of_brushes.map(|mesh| mesh.triangles.len()).sum::<usize>();
    if triangles > MAX_LEVEL_TRIANGLES {
        let hint =
            format!("a level has at most {MAX_LEVEL_TRIANGLES}: leave out what nobody can stand on or hit");
        return Err(vec![problem(format!("the level has {triangles} triangles"), &hint)]);
    }
    let count = objects.len() + tactics.brushes.len();
    if count > MAX_BRUSHES {
        let hint = format!("a level has at most {MAX_BRUSHES}: join objects that do the same");
        return Err(vec![problem(format!("the level has {count} brushes and objects"), &hint)]);
    }
    let mut brushes = Vec::with_capacity(objects.len());
    for Object { name, mesh, numbers } in objects {
        let brush = tactics.objects.get(name).cloned().unwrap_or_default().brush(name, mesh);
        // What the file says of a place: its line, if it has lines.
        let at_triangle = |triangle: usize| match numbers.get(triangle).and_then(|&at| level.lines.get(at)) {
            Some(line) => format!("line {line} (object \"{name}\")"),
            None => format!("object \"{name}\", triangle {}", triangle + 1),
        };
        let (triangle, message, hint) = match solid_of(&brush) {
            Ok(solid) => match outside(solid.bounds()) {
                Some((message, hint)) => {
                    let metres = format!("there are {per_metre} units to the metre, and {hint}");
                    (first_outside(&brush), message, metres)
                }
                None => {
                    brushes.push(brush);
                    continue;
                }
            },
            Err(SolidFault::Hull(fault)) => {
                let (message, hint) = of_hull(fault);
                (0, message.to_owned(), hint.to_owned())
            }
            Err(SolidFault::Mesh(fault)) => {
                let (message, hint) = of_mesh(&fault, |at| DVec3::new(at.x, at.z, at.y) / per_metre);
                (fault.triangle, message, hint.to_owned())
            }
        };
        problems.push(problem(format!("{}: {message}", at_triangle(triangle)), &hint));
        if problems.len() >= MAX_PROBLEMS {
            break;
        }
    }
    // What is outside may be so because of its axes or units.
    if let (Some(first), Some(odd)) = (problems.first_mut(), warnings.first()) {
        let hint = first.hint.take().map(|hint| format!("{hint}; ")).unwrap_or_default();
        first.hint = Some(format!("{hint}{}: {}", odd.message, odd.hint));
    }
    let odd = warnings.into_iter().map(|odd| format!("geometry '{name}': {} ({})", odd.message, odd.hint));
    if problems.is_empty() { Ok((brushes, odd.collect())) } else { Err(problems) }
}

fn solid_of(brush: &Brush) -> Result<Solid, SolidFault> {
    match brush.kind {
        BrushKind::Ladder(_) => Solid::around(&brush.shape),
        BrushKind::Solid | BrushKind::Clip => Solid::new(&brush.shape),
    }
}

/// The first triangle of a brush that is not within the largest level.
fn first_outside(brush: &Brush) -> usize {
    let SolidShape::Mesh(mesh) = &brush.shape else { return 0 };
    let is_outside = |corners: &[u32; 3]| {
        corners.iter().any(|&corner| outside([mesh.points[corner as usize]; 2]).is_some())
    };
    mesh.triangles.iter().position(is_outside).unwrap_or(0)
}

/// The objects of a level, in the order in which their names come first.
fn objects(level: &Level, per_metre: f64) -> Vec<Object<'_>> {
    let mut ranges: Vec<(&str, Vec<usize>)> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for (name, range) in &level.objects {
        let place = *places.entry(name).or_insert(ranges.len());
        if place == ranges.len() {
            ranges.push((name, Vec::new()));
        }
        ranges[place].1.extend(range.clone());
    }
    // The numbers of points within their object, for one object at a time.
    let mut point_of = vec![None; level.vertices.len()];
    let mut mesh_of = |numbers: &[usize]| {
        let mut mesh = TriangleMesh::default();
        for &number in numbers {
            // y and z change places, which mirrors: the triangle runs the other way round.
            let [a, b, c] = level.triangles[number];
            mesh.triangles.push([a, c, b].map(|vertex| {
                *point_of[vertex as usize].get_or_insert_with(|| {
                    let at = level.vertices[vertex as usize];
                    mesh.points.push(DVec3::new(at.x, at.z, at.y) * per_metre + 0.0);
                    mesh.points.len() as u32 - 1
                })
            }));
        }
        for &number in numbers {
            level.triangles[number].iter().for_each(|&vertex| point_of[vertex as usize] = None);
        }
        mesh
    };
    ranges.retain(|(_, numbers)| !numbers.is_empty());
    let object = |(name, numbers): (_, Vec<usize>)| Object { name, mesh: mesh_of(&numbers), numbers };
    ranges.into_iter().map(object).collect()
}

/// Names in the room file that no object has.
fn unknown_names<'n>(
    names: impl Iterator<Item = &'n String>,
    objects: &[Object<'_>],
    file: &str,
    locator: &Locator,
) -> Vec<Problem> {
    let known = || objects.iter().map(|object| object.name);
    let all: BTreeSet<&str> = known().collect();
    let unknown = names.filter(|name| !all.contains(name.as_str()));
    let problem = |name: &String| {
        let steps = [JsonStep::Key("tactics"), JsonStep::Key("objects"), JsonStep::Key(name)];
        let hint = match did_you_mean(name, known()) {
            Some(near) => format!("did you mean '{near}'?"),
            None => format!("its objects are {}", listed(known())),
        };
        let what = format!("geometry '{file}' has no object '{}'", brief(name));
        locator.problem(&steps, what, "no object has this name", Some(hint))
    };
    unknown.map(problem).collect()
}

/// The first names of a list, in words.
fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    const MOST: usize = 10;
    let names: Vec<String> = names.map(|name| format!("'{}'", brief(name))).collect();
    let more = if names.len() > MOST { ", …" } else { "" };
    names[..names.len().min(MOST)].join(", ") + more
}
