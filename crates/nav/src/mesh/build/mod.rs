//! Plans of meshes, made of what a room gives.

pub(crate) mod areas;
pub(crate) mod cells;
mod given;
mod level;
pub(crate) mod voxels;

pub use level::LevelMemory;
pub(crate) use level::polygons_of_level;

use super::Blueprint;
use crate::nav::GroundError;
use crate::room::{LevelGeometry, Room};
use std::ops::ControlFlow;

/// The plan of a room's mesh. The clearances of ground made of outlines are scaled by `share_of_room` (0 to 1).
///
/// # Errors
/// [`GroundError::Mesh`] or [`GroundError::Level`] if a mesh cannot be made.
pub(crate) fn blueprint(room: &Room, share_of_room: f64) -> Result<Blueprint, GroundError> {
    match (&room.mesh, &room.level) {
        (Some(mesh), _) => Ok(given::blueprint(room, mesh)),
        (None, Some(level)) => {
            let built = with_polygons(room, level)?;
            Ok(built.mesh.as_ref().map(|mesh| given::blueprint(&built, mesh)).unwrap_or_default())
        }
        (None, None) => areas::from_room(room, share_of_room)
            .map_err(|problem| GroundError::Mesh { problems: vec![problem.to_string()] }),
    }
}

/// The room with the polygons of its level.
fn with_polygons(room: &Room, level: &LevelGeometry) -> Result<Room, GroundError> {
    let mut built = room.clone();
    let memory = &mut LevelMemory::default();
    let polygons = polygons_of_level(level, memory, &mut |_| ControlFlow::Continue(()))?;
    let in_words = |(area, what): (Option<usize>, String)| match area {
        Some(number) => format!("area '{}': {what}", room.areas[number].name),
        None => what,
    };
    built
        .give_polygons(polygons)
        .map_err(|faults| GroundError::Mesh { problems: faults.into_iter().map(in_words).collect() })?;
    Ok(built)
}
