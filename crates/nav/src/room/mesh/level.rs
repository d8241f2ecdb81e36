//! Level geometry: triangles from which the polygons of a room are built.

use super::cut::{AreaCut, cut};
use super::{FloodSettings, MeshPolygons};
use crate::room::Room;
use glam::DVec3;
use std::sync::Arc;

/// The triangles of a level, as a modelling program exports them.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct LevelGeometry {
    /// The file, relative to the project.
    pub file: String,
    /// x, y (up) and z, in metres.
    pub vertices: Vec<DVec3>,
    /// Indices of vertices.
    pub triangles: Vec<[u32; 3]>,
    /// Whether z is up in the file, instead of y.
    pub z_is_up: bool,
    /// Metres in a unit of the file.
    pub scale: f64,
    /// How polygons are built from it.
    pub settings: LevelSettings,
    /// How it is flooded, if its ground is made of sectors and not of voxels. Sectors have boxes for cells.
    pub flood: Option<FloodSettings>,
    /// Changes with the content of the files and with the settings: tells whether polygons that were built before are
    /// those of this level.
    pub fingerprint: u64,
    /// What is odd about the file, in words.
    pub warnings: Vec<String>,
}

/// How polygons are built from a level, in the terms of Recast and Unity.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct LevelSettings {
    /// The side of a voxel on the plane, in metres.
    pub cell_size_m: f64,
    /// How far the ground stays from walls and drops, in metres.
    pub agent_radius_m: f64,
    /// The headroom that ground needs, in metres.
    pub agent_height_m: f64,
    /// The highest step, in metres.
    pub agent_climb_m: f64,
    /// The steepest slope, in degrees.
    pub agent_slope_deg: f64,
}

impl Default for LevelSettings {
    fn default() -> Self {
        Self {
            cell_size_m: 0.15,
            agent_radius_m: 0.45,
            agent_height_m: 1.8,
            agent_climb_m: 0.4,
            agent_slope_deg: 45.0,
        }
    }
}

impl Room {
    /// Gives a room its polygons, such as those built from its level, which it then forgets. Polygons are cut along the
    /// outlines of areas.
    ///
    /// # Errors
    /// All faults in words, each with the area that it is about.
    pub fn give_polygons(&mut self, mesh: MeshPolygons) -> Result<(), Vec<(Option<usize>, String)>> {
        let all = [f64::NEG_INFINITY, f64::INFINITY];
        let areas: Vec<AreaCut<'_>> = self
            .areas
            .iter()
            .map(|area| AreaCut {
                polygons: &area.mesh_polygons,
                outline: &area.polygon,
                heights_m: area.heights_m.unwrap_or(all),
            })
            .collect();
        let sectors = mesh.sectors.clone();
        let (mut mesh, found) = cut(mesh, &areas)
            .map_err(|faults| faults.iter().map(|fault| (None, fault.to_string())).collect::<Vec<_>>())?;
        let without = found.iter().enumerate().filter(|(_, (polygons, _))| polygons.is_empty());
        let without: Vec<(Option<usize>, String)> = without
            .map(|(number, _)| (Some(number), "no polygon of the mesh lies in this area".into()))
            .collect();
        if !without.is_empty() {
            return Err(without);
        }
        mesh.sectors = sectors;
        for (area, (polygons, outline)) in self.areas.iter_mut().zip(found) {
            (area.mesh_polygons, area.polygon) = (polygons, outline);
            area.heights_m = None;
        }
        (self.mesh, self.level) = (Some(Arc::new(mesh)), None);
        Ok(())
    }
}
