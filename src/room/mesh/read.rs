//! The polygons of a room: read from its file or from the file it names, cut along the outlines of areas.

use super::cut::cut;
use super::file::GroundFile;
use super::join::{Fault, check};
use super::{MeshPolygons, NavmeshDump};
use crate::problem::Problem;
use crate::room::ReadFile;
use crate::room::file::RoomFile;
use crate::room::locate::{JsonStep, Locator};
use glam::DVec2;
use std::sync::Arc;

/// The polygons of a room, and what its areas have of them.
#[derive(Default)]
pub(in crate::room) struct Given {
    pub mesh: Option<Arc<MeshPolygons>>,
    /// For each area of the file: its polygons, and its outline on the plane.
    pub areas: Vec<(Vec<u32>, Vec<DVec2>)>,
}

/// Reads the polygons. None if the room has none of its own.
///
/// # Errors
/// All problems.
pub(in crate::room) fn given(
    file: &RoomFile,
    locator: &Locator,
    read: ReadFile<'_>,
) -> Result<Given, Vec<Problem>> {
    if file.ground == Some(GroundFile::Grid) || (file.mesh.is_none() && file.geometry.is_none()) {
        return Ok(Given::default());
    }
    let is_indexed = file.mesh.as_ref().is_some_and(|mesh| mesh.polygons.is_empty());
    let mesh = match (&file.mesh, &file.geometry) {
        (Some(mesh), _) => mesh.polygons().map_err(|faults| in_room(locator, is_indexed, faults))?,
        (None, Some(name)) => geometry(name, locator, read)?,
        (None, None) => return Ok(Given::default()),
    };
    areas(file, mesh, locator)
}

/// Problems of the polygons in the room's file.
fn in_room(locator: &Locator, is_indexed: bool, faults: Vec<Fault>) -> Vec<Problem> {
    let problem = |fault: Fault| {
        let (key, number) = match fault {
            Fault::Polygon(number, _) if is_indexed => ("faces", number),
            Fault::Polygon(number, _) => ("polygons", number),
            Fault::Portal(number, _) => ("portals", number),
        };
        let steps = [JsonStep::Key("mesh"), JsonStep::Key(key), JsonStep::Index(number)];
        locator.problem(&steps, fault.to_string(), "", None)
    };
    faults.into_iter().map(problem).collect()
}

/// A navmesh file beside the room.
fn geometry(name: &str, locator: &Locator, read: ReadFile<'_>) -> Result<MeshPolygons, Vec<Problem>> {
    let steps = [JsonStep::Key("geometry")];
    let refuse = |what: String, hint: &str| vec![locator.problem(&steps, what, "", Some(hint.to_owned()))];
    let bytes = read(name).map_err(|why| {
        refuse(
            format!("geometry '{name}': {why}"),
            "paths start at the project's folder: rooms/lighthouse.obj",
        )
    })?;
    let dump: NavmeshDump = serde_json::from_slice(&bytes).map_err(|error| {
        let place = format!("{name}:{}:{}", error.line(), error.column());
        let hint = "a navmesh file has 'verts' [x, y, z] and 'polys' with 'v' and 'n'";
        refuse(format!("geometry {place}: it is no navmesh: {error}"), hint)
    })?;
    let mesh = dump.polygons();
    let faults = check(&mesh);
    let problem = |fault: &Fault| locator.problem(&steps, format!("geometry '{name}': {fault}"), "", None);
    if faults.is_empty() { Ok(mesh) } else { Err(faults.iter().map(problem).collect()) }
}

/// The polygons of the areas. Where an area has an outline, polygons are cut along it.
fn areas(file: &RoomFile, mesh: MeshPolygons, locator: &Locator) -> Result<Given, Vec<Problem>> {
    let mut problems = Vec::new();
    for (number, area) in file.areas.iter().enumerate() {
        let unknown = area.polygons.iter().position(|&polygon| polygon as usize >= mesh.polygons.len());
        if let Some(place) = unknown {
            let steps = [
                JsonStep::Key("areas"),
                JsonStep::Index(number),
                JsonStep::Key("polygons"),
                JsonStep::Index(place),
            ];
            let what = format!("there is no polygon {}", area.polygons[place]);
            let hint = format!("the mesh has {}, counted from 0", mesh.polygons.len());
            problems.push(locator.problem(&steps, what, "", Some(hint)));
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let given = cut(mesh, &file.areas).map_err(|faults| in_room(locator, false, faults))?;
    for (number, (polygons, _)) in given.areas.iter().enumerate() {
        if polygons.is_empty() {
            let steps = [JsonStep::Key("areas"), JsonStep::Index(number)];
            let what = "no polygon of the mesh lies in this area";
            let hint = "give 'polygons', or an outline over the mesh; 'y': [from, to] limits its heights";
            problems.push(locator.problem(&steps, what, "", Some(hint.into())));
        }
    }
    if problems.is_empty() { Ok(given) } else { Err(problems) }
}
