//! The polygons of a room: read from its file or from the file it names, cut along the outlines of areas.

use super::check::check;
use super::fault::{About, Fault};
use super::file::{GroundFile, MeshFile, PlannerFile, UpFile};
use super::{FloodSettings, LevelGeometry, LevelSettings, MeshPolygons, NavmeshDump};
use crate::level::Placing;
use crate::problem::{Problem, guarded};
use crate::room::file::{AreaFile, RoomFile};
use crate::room::locate::{JsonStep, Locator};
use crate::room::{Fingerprint, ReadFile, Room};
use glam::DVec3;

/// What a room file gives of its ground.
#[derive(Default)]
pub(in crate::room) struct Given {
    pub mesh: Option<MeshPolygons>,
    pub level: Option<LevelGeometry>,
}

/// Reads the polygons, or the level that they are to be built from. Nothing if the room has none of its own.
///
/// # Errors
/// All problems.
pub(in crate::room) fn given(
    file: &RoomFile,
    locator: &Locator,
    read: ReadFile<'_>,
) -> Result<Given, Vec<Problem>> {
    let is_level = file.ground != Some(GroundFile::Grid)
        && file.mesh.is_none()
        && file.geometry.as_ref().is_some_and(|name| !name.ends_with(".json"));
    let of_levels = [("up", file.up.is_some()), ("scale", file.scale.is_some())];
    if let Some((key, _)) = of_levels.into_iter().find(|(_, is_given)| *is_given && !is_level) {
        let what = format!("'{key}' is for level geometry");
        let hint = "leave it out, or give 'geometry': an .obj, .glb or .gltf file".to_owned();
        return Err(vec![locator.problem(&[JsonStep::Key(key)], what, "", Some(hint))]);
    }
    if file.ground == Some(GroundFile::Grid) {
        return Ok(Given::default());
    }
    let is_mesh = matches!(file.ground, Some(GroundFile::Mesh | GroundFile::Sectors))
        || file.mesh.is_some()
        || file.geometry.is_some();
    if is_mesh && file.planner == Some(PlannerFile::Grid) {
        let what = "a mesh has no cells to plan over";
        let hint = r#"leave 'planner' out for the shortest paths, or make it "portals""#;
        return Err(vec![locator.problem(&[JsonStep::Key("planner")], what, "", Some(hint.to_owned()))]);
    }
    let mut given = Given::default();
    match (&file.mesh, &file.geometry) {
        (Some(mesh), _) => {
            mixed_forms(mesh, locator)?;
            let is_indexed = mesh.polygons.is_empty();
            let heights = heights_without_effect(file, locator);
            let mesh = mesh
                .polygons()
                .map_err(|faults| [in_room(locator, is_indexed, faults), heights.clone()].concat())?;
            polygons_of_areas(file, &mesh, heights, locator)?;
            given.mesh = Some(mesh);
        }
        (None, Some(name)) if name.ends_with(".json") => {
            let mesh = navmesh(name, locator, read)?;
            polygons_of_areas(file, &mesh, heights_without_effect(file, locator), locator)?;
            given.mesh = Some(mesh);
        }
        (None, Some(name)) => given.level = Some(level(name, file, locator, read)?),
        (None, None) => {}
    }
    Ok(given)
}

/// Keys of a mesh that do not belong together.
fn mixed_forms(mesh: &MeshFile, locator: &Locator) -> Result<(), Vec<Problem>> {
    let refuse = |key: &'static str, what: String, hint: &str| {
        let steps = [JsonStep::Key("mesh"), JsonStep::Key(key)];
        Err(vec![locator.problem(&steps, what, "", Some(hint.to_owned()))])
    };
    let of_faces = [
        ("vertices", mesh.vertices.is_some()),
        ("faces", !mesh.faces.is_empty()),
        ("neighbours", mesh.neighbours.is_some()),
    ];
    let of_faces = of_faces.into_iter().find(|(_, is_given)| *is_given).map(|(key, _)| key);
    if let Some(key) = of_faces.filter(|_| !mesh.polygons.is_empty()) {
        let what = format!("'{key}' does not go with 'polygons'");
        return refuse(key, what, "a mesh has 'polygons' with corners, or 'vertices' and 'faces'");
    }
    if of_faces.is_some() && mesh.portals.is_some() {
        let hint = "faces are joined by 'neighbours'; portals join 'polygons'";
        return refuse("portals", "'portals' does not go with 'faces'".into(), hint);
    }
    if !mesh.faces.is_empty() && mesh.vertices.is_none() {
        let hint = "'vertices' lists the corners [x, y, z] of all faces";
        return refuse("faces", "'faces' needs 'vertices'".into(), hint);
    }
    match &mesh.neighbours {
        Some(lists) if lists.len() != mesh.faces.len() => {
            let what = format!("there are neighbours for {} of {} faces", lists.len(), mesh.faces.len());
            refuse("neighbours", what, "one list for each face, with a number for each edge")
        }
        _ => Ok(()),
    }
}

/// Problems of the polygons in the room's file.
fn in_room(locator: &Locator, is_indexed: bool, faults: Vec<Fault>) -> Vec<Problem> {
    let problem = |fault: Fault| {
        let (key, number) = match fault.about {
            About::Polygon(number) if is_indexed => ("faces", number),
            About::Polygon(number) => ("polygons", number),
            About::Portal(number) => ("portals", number),
        };
        let steps = [JsonStep::Key("mesh"), JsonStep::Key(key), JsonStep::Index(number)];
        let hint = (!fault.hint.is_empty()).then(|| fault.hint.clone());
        locator.problem(&steps, fault.to_string(), "", hint)
    };
    faults.into_iter().map(problem).collect()
}

/// A problem with the file of the ground.
fn refuse(locator: &Locator, what: String, hint: &str) -> Vec<Problem> {
    let hint = (!hint.is_empty()).then(|| hint.to_owned());
    vec![locator.problem(&[JsonStep::Key("geometry")], what, "", hint)]
}

fn bytes_of(name: &str, locator: &Locator, read: ReadFile<'_>) -> Result<Vec<u8>, Vec<Problem>> {
    let hint = "paths start at the project's folder: rooms/lighthouse.obj";
    read(name).map_err(|why| refuse(locator, format!("geometry '{name}': {why}"), hint))
}

/// A level file beside the room.
fn level(
    name: &str,
    file: &RoomFile,
    locator: &Locator,
    read: ReadFile<'_>,
) -> Result<LevelGeometry, Vec<Problem>> {
    let bytes = bytes_of(name, locator, read)?;
    let defaults = LevelSettings::default();
    let flood = (file.ground == Some(GroundFile::Sectors)).then(|| flood_settings(file));
    let climb_m = if flood.is_some() { SECTOR_CLIMB_M } else { defaults.agent_climb_m };
    let settings = LevelSettings {
        cell_size_m: file.cell_size.unwrap_or(defaults.cell_size_m),
        agent_radius_m: file.agent_radius,
        agent_height_m: file.agent_height.unwrap_or(defaults.agent_height_m),
        agent_climb_m: file.agent_climb.unwrap_or(climb_m),
        agent_slope_deg: file.agent_slope.unwrap_or(defaults.agent_slope_deg),
    };
    let mut fingerprint = Fingerprint::of(&bytes);
    let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
    let other_files = |other: &str| {
        let path = if folder.is_empty() { other.to_owned() } else { format!("{folder}/{other}") };
        let bytes = read(&path).map_err(|why| why.to_string())?;
        fingerprint.add(&bytes);
        Ok(bytes)
    };
    let placing = Placing { z_is_up: file.up == Some(UpFile::Z), scale: file.scale.unwrap_or(1.0) };
    let (level, warnings) = crate::level::read(name, &bytes, placing, other_files)
        .map_err(|fault| refuse(locator, format!("geometry '{name}': {}", fault.message), &fault.hint))?;
    let LevelSettings { cell_size_m, agent_radius_m, agent_height_m, agent_climb_m, agent_slope_deg } =
        settings;
    for number in [cell_size_m, agent_radius_m, agent_height_m, agent_climb_m, agent_slope_deg] {
        fingerprint.add(&number.to_bits().to_le_bytes());
    }
    if placing != Placing::default() {
        fingerprint.add(&[u8::from(placing.z_is_up)]);
        fingerprint.add(&placing.scale.to_bits().to_le_bytes());
    }
    if let Some(flood) = &flood {
        flood.add_to(&mut fingerprint);
    }
    Ok(LevelGeometry {
        file: name.to_owned(),
        vertices: level.vertices,
        triangles: level.triangles,
        z_is_up: placing.z_is_up,
        scale: placing.scale,
        settings,
        flood,
        fingerprint: fingerprint.0,
        warnings: warnings.iter().map(|warning| format!("{} ({})", warning.message, warning.hint)).collect(),
    })
}

/// The highest step of a flood, in metres.
const SECTOR_CLIMB_M: f64 = 0.25;

fn flood_settings(file: &RoomFile) -> FloodSettings {
    let defaults = FloodSettings::default();
    let boxes = file.min_sector_boxes.map(|boxes| boxes as usize);
    FloodSettings {
        starts: file.starts.iter().map(|start| DVec3::from(start.0)).collect(),
        box_size_m: file.box_size.unwrap_or(defaults.box_size_m),
        crouch_height_m: file.crouch_height,
        slope_deg: file.agent_slope,
        min_sector_boxes: boxes.unwrap_or(defaults.min_sector_boxes),
        min_portal_width_m: file.min_portal_width.unwrap_or(defaults.min_portal_width_m),
    }
}

/// A navmesh file beside the room.
fn navmesh(name: &str, locator: &Locator, read: ReadFile<'_>) -> Result<MeshPolygons, Vec<Problem>> {
    let bytes = bytes_of(name, locator, read)?;
    let read = guarded(&bytes, || serde_json::from_slice(&bytes))
        .map_err(|why| refuse(locator, format!("geometry '{name}': {why}"), ""))?;
    let dump: NavmeshDump = read.map_err(|error| {
        let place = format!("{name}:{}:{}", error.line(), error.column());
        let hint = "a navmesh file has 'verts' [x, y, z] and 'polys' with 'v' and 'n'";
        refuse(locator, format!("geometry {place}: it is no navmesh: {error}"), hint)
    })?;
    let mesh = dump.polygons();
    let faults = check(&mesh);
    let problem = |fault: &Fault| refuse(locator, format!("geometry '{name}': {fault}"), &fault.hint);
    if faults.is_empty() { Ok(mesh) } else { Err(faults.iter().flat_map(problem).collect()) }
}

/// Areas that limit the heights of polygons that they name.
fn heights_without_effect(file: &RoomFile, locator: &Locator) -> Vec<Problem> {
    let areas = file.areas.iter().enumerate();
    let both = areas.filter(|(_, area)| area.y.is_some() && !area.polygons.is_empty());
    let problem = |(number, area): (usize, &AreaFile)| {
        let steps = [JsonStep::Key("areas"), JsonStep::Index(number), JsonStep::Key("y")];
        let what = format!("area '{}' names its polygons, so 'y' has no effect", area.name);
        let hint = "leave 'y' out, or give a 'polygon' instead of 'polygons'".to_owned();
        locator.problem(&steps, what, "", Some(hint))
    };
    both.map(problem).collect()
}

/// Areas that name polygons that do not exist, added to other problems.
fn polygons_of_areas(
    file: &RoomFile,
    mesh: &MeshPolygons,
    mut problems: Vec<Problem>,
    locator: &Locator,
) -> Result<(), Vec<Problem>> {
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
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// Gives a room its polygons.
///
/// # Errors
/// All problems.
pub(in crate::room) fn give(
    room: &mut Room,
    mesh: MeshPolygons,
    locator: &Locator,
) -> Result<(), Vec<Problem>> {
    let problem = |(area, what): (Option<usize>, String)| {
        let steps = match area {
            Some(number) => vec![JsonStep::Key("areas"), JsonStep::Index(number)],
            None => vec![JsonStep::Key("mesh")],
        };
        let hint = area.map(|_| AREA_HINT.to_owned());
        locator.problem(&steps, what, "", hint)
    };
    room.give_polygons(mesh).map_err(|faults| faults.into_iter().map(problem).collect())
}

/// For areas without any polygon.
pub const AREA_HINT: &str = "give 'polygons', or an outline over the mesh; 'y': [from, to] limits \
     its heights; if a door's leaf is modelled here, leave it out of the level";
