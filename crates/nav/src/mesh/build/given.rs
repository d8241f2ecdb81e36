//! The plan of a mesh whose polygons the room gives.

use crate::mesh::Blueprint;
use crate::nav::{AreaId, Cover};
use crate::room::{MeshPolygons, Room};
use std::collections::BTreeMap;

/// Polygons in no area are always open.
pub(super) fn blueprint(room: &Room, mesh: &MeshPolygons) -> Blueprint {
    let mut areas_of: Vec<Vec<AreaId>> = vec![Vec::new(); mesh.polygons.len()];
    for (number, area) in room.areas.iter().enumerate() {
        for &polygon in &area.mesh_polygons {
            if let Some(areas) = areas_of.get_mut(polygon as usize)
                && areas.last() != Some(&AreaId(number))
            {
                areas.push(AreaId(number));
            }
        }
    }
    let mut numbers: BTreeMap<Vec<AreaId>, u32> = BTreeMap::new();
    let mut covers = Vec::new();
    let cover_of = areas_of.into_iter().map(|areas| {
        *numbers.entry(areas).or_insert_with_key(|areas| {
            covers.push(Cover { areas: areas.clone(), ..Cover::default() });
            covers.len() as u32 - 1
        })
    });
    let cover_of = cover_of.collect();
    let (vertices, polygons) = (mesh.vertices.clone(), mesh.polygons.clone());
    Blueprint { vertices, polygons, cover_of, covers, outlines: Vec::new() }
}
