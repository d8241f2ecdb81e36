//! Polygons built from level geometry, and the files beside the levels in which they are kept.

use crate::nav::GroundError;
use crate::project::{Project, save_file};
use crate::room::{LevelGeometry, MAX_IMAGE_BYTES, MeshPolygons, RawPolygon, Room};
use crate::surface::Surface;
use glam::DVec3;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::sync::OnceLock;

/// Told while a level is built: the file, and how much is done, 0 to 1.
type BuildWatcher = fn(&str, f64);

static WATCHER: OnceLock<BuildWatcher> = OnceLock::new();

/// Calls `watcher` while polygons are built from level geometry, on the thread that builds them. The first watcher of a
/// process stays. The build of a large level takes seconds; its result is kept beside the level.
pub fn watch_builds(watcher: fn(file: &str, share: f64)) {
    let _ = WATCHER.set(watcher);
}

/// Changes when the build gives other polygons.
const BUILD_VERSION: u32 = 1;

/// The polygons of a level, as they are kept in a file beside it.
#[derive(Serialize, Deserialize)]
struct Baked {
    version: u32,
    /// That of the level, in hexadecimal digits.
    fingerprint: String,
    vertices: Vec<[f64; 3]>,
    polygons: Vec<Vec<u32>>,
}

/// Gives a room with a level its polygons. Those of an unchanged level are read from the file beside it, where they were
/// kept the last time.
///
/// # Errors
/// All faults in words, each with the area that it is about.
pub(super) fn build(project: &Project, room: &mut Room) -> Result<(), Vec<(Option<usize>, String)>> {
    let Some(level) = room.level.clone().filter(|_| room.mesh.is_none()) else { return Ok(()) };
    let file = format!("{}.baked", level.file);
    let wanted = format!("{:016x}", level.fingerprint);
    let kept = project.resolve(&file).ok().and_then(|place| project.read(&place, MAX_IMAGE_BYTES).ok());
    let kept = kept.and_then(|bytes| serde_json::from_slice::<Baked>(&bytes).ok());
    let kept = kept.filter(|baked| baked.version == BUILD_VERSION && baked.fingerprint == wanted);
    if let Some(mesh) = kept.and_then(Baked::mesh) {
        return room.give_polygons(mesh);
    }
    log::info!("building the mesh of {}", level.file);
    let tell = |share: f64| {
        if let Some(watcher) = WATCHER.get() {
            watcher(&level.file, share);
        }
    };
    let built = Surface::polygons_of_level(&level, &mut |share| {
        tell(share);
        ControlFlow::Continue(())
    });
    tell(1.0);
    let mesh = built.map_err(|error| match error {
        GroundError::Mesh { problems } => problems.into_iter().map(|what| (None, what)).collect(),
        other => vec![(None, other.to_string())],
    })?;
    keep(project, &file, &level, &mesh);
    room.give_polygons(mesh)
}

/// Writes the polygons beside the level. Where that cannot be done, they are built again the next time.
fn keep(project: &Project, file: &str, level: &LevelGeometry, mesh: &MeshPolygons) {
    let baked = Baked {
        version: BUILD_VERSION,
        fingerprint: format!("{:016x}", level.fingerprint),
        vertices: mesh.vertices.iter().map(|vertex| vertex.to_array()).collect(),
        polygons: mesh.polygons.iter().map(|polygon| polygon.corners.clone()).collect(),
    };
    let text = serde_json::to_string(&baked).unwrap_or_default();
    let saved = save_file(&project.root().join(file), text.as_bytes());
    if let Err(error) = saved {
        log::warn!("{file}: cannot keep the mesh: {error}; it is built again the next time");
    }
}

impl Baked {
    /// The polygons. `None` if the file was changed by hand so that they are none.
    fn mesh(self) -> Option<MeshPolygons> {
        let count = self.vertices.len();
        let is_known = |polygon: &Vec<u32>| polygon.iter().all(|&corner| (corner as usize) < count);
        let is_good = self.polygons.iter().all(is_known)
            && self.vertices.iter().flatten().all(|number| number.is_finite());
        let polygon = |corners: Vec<u32>| RawPolygon { corners, neighbours: Vec::new() };
        let vertices = self.vertices.into_iter().map(DVec3::from).collect();
        is_good.then(|| MeshPolygons::new(vertices, self.polygons.into_iter().map(polygon).collect()))
    }
}
