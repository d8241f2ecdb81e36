//! The polygons of a level.

use super::voxels::{VoxelProblem, VoxelSettings, from_level};
use crate::room::{LevelGeometry, LevelSettings, MeshPolygons};
use std::ops::ControlFlow;

/// Builds the polygons. `progress` is called with the share that is done, and may stop the work.
///
/// # Errors
/// Why there are none, in words.
pub(crate) fn polygons(
    level: &LevelGeometry,
    progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Result<MeshPolygons, VoxelProblem> {
    let LevelSettings { cell_size_m, agent_radius_m, agent_height_m, agent_climb_m, agent_slope_deg, .. } =
        level.settings;
    let settings = VoxelSettings {
        cell_size_m,
        agent_radius_m,
        agent_height_m,
        agent_climb_m,
        agent_slope_deg,
        ..VoxelSettings::default()
    };
    let plan = from_level(&level.vertices, &level.triangles, &settings, progress)?;
    Ok(MeshPolygons::new(plan.vertices, plan.polygons))
}
