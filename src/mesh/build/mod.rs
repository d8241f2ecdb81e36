//! Plans of meshes, made of what a room gives.

pub(crate) mod areas;
mod given;
pub(crate) mod voxels;

use super::Blueprint;
use crate::nav::GroundError;
use crate::room::Room;

/// The plan of a room's mesh. The clearances of ground made of outlines are scaled by `share_of_room` (0 to 1).
///
/// # Errors
/// [`GroundError::Mesh`] if a mesh cannot be made.
pub(crate) fn blueprint(room: &Room, share_of_room: f64) -> Result<Blueprint, GroundError> {
    match &room.mesh {
        Some(mesh) => Ok(given::blueprint(room, mesh)),
        None => areas::from_room(room, share_of_room)
            .map_err(|problem| GroundError::Mesh { problems: vec![problem.to_string()] }),
    }
}
