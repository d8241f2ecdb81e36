//! The polygons of a level.

use super::voxels::{VoxelSettings, from_level};
use crate::mesh::sectors::{self, SectorMemory, SectorProblem};
use crate::nav::GroundError;
use crate::room::{LevelGeometry, LevelSettings, MeshPolygons};
use std::ops::ControlFlow;

/// What is remembered of the last build of a level, so that a changed level is built faster. Ground made of sectors is
/// flooded again only where the level has changed.
#[derive(Debug, Clone, Default)]
pub struct LevelMemory(SectorMemory);

/// The polygons of a level. `progress` is called with the share that is done, 0 to 1, and may stop the work.
///
/// # Errors
/// [`GroundError::Level`] if there are none.
pub(crate) fn polygons_of_level(
    level: &LevelGeometry,
    memory: &mut LevelMemory,
    progress: &mut dyn FnMut(f64) -> ControlFlow<()>,
) -> Result<MeshPolygons, GroundError> {
    let error = |problem: String, hint: String, start, key| GroundError::Level {
        problem: format!("geometry '{}': {problem}", level.file),
        hint,
        start,
        key,
    };
    if let Some(flood) = &level.flood {
        return sectors::from_level(level, flood, &mut memory.0, progress).map_err(|problem| {
            let start = match problem {
                SectorProblem::BadStart { number, .. } => Some(number),
                _ => None,
            };
            error(problem.to_string(), problem.hint(), start, problem.key())
        });
    }
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
    from_level(&level.vertices, &level.triangles, &settings, progress)
        .map(|plan| MeshPolygons::new(plan.vertices, plan.polygons))
        .map_err(|problem| error(problem.to_string(), problem.hint(), None, problem.key()))
}
