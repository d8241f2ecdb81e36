//! Navmesh files in the form of a Recast/Detour dump: vertices, and polygons by the indices of their corners and
//! neighbours.

use super::{MeshPolygons, RawPolygon};
use glam::DVec3;
use serde::Deserialize;

/// A navmesh file: `verts` are `[x, y, z]`. `polys` have vertex indices `v` and, for each edge, the polygon behind it in
/// `n` (-1: a wall). Other keys are ignored.
#[derive(Debug, Clone, Deserialize)]
pub struct NavmeshDump {
    verts: Vec<[f64; 3]>,
    polys: Vec<DumpedPolygon>,
}

#[derive(Debug, Clone, Deserialize)]
struct DumpedPolygon {
    v: Vec<u32>,
    #[serde(default)]
    n: Vec<i64>,
}

impl NavmeshDump {
    /// The polygons, as the file has them.
    pub fn polygons(&self) -> MeshPolygons {
        let neighbour = |&n: &i64| u32::try_from(n).ok();
        let polygon = |polygon: &DumpedPolygon| RawPolygon {
            corners: polygon.v.clone(),
            neighbours: polygon.n.iter().map(neighbour).collect(),
        };
        let vertices = self.verts.iter().map(|&vertex| DVec3::from(vertex)).collect();
        MeshPolygons::new(vertices, self.polys.iter().map(polygon).collect())
    }
}
