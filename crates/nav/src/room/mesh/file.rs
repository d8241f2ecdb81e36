//! How a room file gives polygons.

use super::check::check;
use super::fault::Fault;
use super::join::{Portal, join};
use super::{MeshPolygons, RawPolygon};
#[cfg(test)]
use crate::room::MAX_COORDINATE_M;
use glam::DVec3;
#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Start points of a flood at most. Each is looked at before the flood begins.
#[cfg(test)]
pub(in crate::room) const MAX_STARTS: usize = 1000;

/// What the ground is made of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, schemars(inline))]
pub(in crate::room) enum GroundFile {
    /// Cells of cellSize.
    #[default]
    Grid,
    /// Convex polygons, a navmesh: made of the areas and obstacles, or given by 'mesh' or 'geometry'. Paths are the
    /// shortest ones, at any angle.
    Mesh,
    /// Convex polygons in sectors: found by flooding the level of 'geometry' with boxes, from 'starts' on.
    Sectors,
}

/// The axis that is up in a level file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, schemars(inline))]
pub(in crate::room) enum UpFile {
    /// As in glTF, Unity and Godot.
    Y,
    /// As in Blender, Unreal and most CAD programs.
    Z,
}

/// How paths over cells are found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[cfg_attr(test, schemars(inline))]
pub(in crate::room) enum PlannerFile {
    /// From cell to cell, then shortened. In a painted room, from node to node.
    #[default]
    #[serde(rename = "grid")]
    Grid,
    /// At any angle: the shortest paths over rectangles of cells. In a painted room, every pixel counts, and
    /// 'sampleRate', 'neighbours', 'sampling' and 'shortening' have no effect.
    #[serde(rename = "any-angle")]
    AnyAngle,
    /// From portal to portal, the places where polygons meet, then pulled tight. Less work than 'any-angle', and paths
    /// may be longer.
    #[serde(rename = "portals")]
    Portals,
}

/// The polygons of a mesh room, numbered from 0.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schemars(title = "mesh", rename = "mesh"))]
pub(in crate::room) struct MeshFile {
    /// Convex polygons, each a list of at least three corners [x, y, z], in either direction around. Floors may slope,
    /// and lie above each other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(length(min = 1)))]
    pub polygons: Vec<MeshPolygonFile>,
    /// Where one walks from polygon to polygon. Without this list, edges that lie on each other at the same height are
    /// joined as far as they do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Vec<PortalFile>"))]
    pub portals: Option<Vec<PortalFile>>,
    /// The corners of the faces, numbered from 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Vec<CornerFile>"))]
    pub vertices: Option<Vec<CornerFile>>,
    /// Instead of 'polygons': each polygon as the numbers of its corners among 'vertices'.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(with = "Vec<Vec<u32>>", length(min = 1)))]
    pub faces: Vec<Vec<f64>>,
    /// For each face the faces behind its edges, -1 for a wall. The first edge goes from the first corner to the
    /// second. Without this list, faces with two vertices in common are joined there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Vec<Vec<i64>>"))]
    pub neighbours: Option<Vec<Vec<f64>>>,
}

/// The corners of a polygon, [x, y, z] in metres.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[cfg_attr(test, schemars(title = "mesh polygon", rename = "meshPolygon"))]
pub(in crate::room) struct MeshPolygonFile(#[cfg_attr(test, schemars(length(min = 3)))] pub Vec<CornerFile>);

/// A corner of a mesh polygon, [x, y, z] in metres; y is its height.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[cfg_attr(test, schemars(title = "corner [x, y, z]", rename = "meshCorner"))]
pub(in crate::room) struct CornerFile(
    #[cfg_attr(test, schemars(inner(range(min = -MAX_COORDINATE_M, max = MAX_COORDINATE_M))))] pub [f64; 3],
);

/// A place on the floor of a level, [x, y, z] in metres; y is its height.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[cfg_attr(test, schemars(title = "place [x, y, z]", rename = "start"))]
pub(in crate::room) struct StartFile(
    #[cfg_attr(test, schemars(inner(range(min = -MAX_COORDINATE_M, max = MAX_COORDINATE_M))))] pub [f64; 3],
);

/// A stretch of an edge by which one walks from one polygon to another.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schemars(title = "portal", rename = "portal"))]
pub(in crate::room) struct PortalFile {
    /// The number of the polygon on one side.
    #[serde(deserialize_with = "crate::room::numbers::whole")]
    #[cfg_attr(test, schemars(with = "u32", range(min = 0, max = 4_000_000_000_u32)))]
    pub from: u32,
    /// The number of the polygon on the other side.
    #[serde(deserialize_with = "crate::room::numbers::whole")]
    #[cfg_attr(test, schemars(with = "u32", range(min = 0, max = 4_000_000_000_u32)))]
    pub to: u32,
    /// Both ends, on an edge of each of the two polygons.
    pub ends: [CornerFile; 2],
    /// Whether one walks only from 'from' to 'to', as down a ledge.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub one_way: bool,
}

impl MeshFile {
    /// The mesh, with every number written out: reading it gives the same polygons.
    pub(in crate::room) fn of(mesh: &MeshPolygons) -> Self {
        let indices =
            |polygon: &RawPolygon| polygon.corners.iter().map(|&corner| f64::from(corner)).collect();
        let behind = |polygon: &RawPolygon| {
            let walls = vec![None; polygon.corners.len() - polygon.neighbours.len()];
            let all = polygon.neighbours.iter().chain(&walls);
            all.map(|neighbour| neighbour.map_or(-1.0, f64::from)).collect()
        };
        let is_joined = mesh.polygons.iter().any(|polygon| !polygon.neighbours.is_empty());
        Self {
            polygons: Vec::new(),
            portals: None,
            faces: mesh.polygons.iter().map(indices).collect(),
            vertices: Some(mesh.vertices.iter().map(|vertex| CornerFile(vertex.to_array())).collect()),
            neighbours: is_joined.then(|| mesh.polygons.iter().map(behind).collect()),
        }
    }

    /// The polygons, joined.
    ///
    /// # Errors
    /// All faults.
    pub(in crate::room) fn polygons(&self) -> Result<MeshPolygons, Vec<Fault>> {
        match (&self.vertices, self.polygons.is_empty()) {
            (Some(vertices), true) => self.indexed(vertices),
            _ => self.cornered(),
        }
    }

    fn cornered(&self) -> Result<MeshPolygons, Vec<Fault>> {
        let corners =
            |polygon: &MeshPolygonFile| polygon.0.iter().map(|corner| DVec3::from(corner.0)).collect();
        let corners: Vec<Vec<DVec3>> = self.polygons.iter().map(corners).collect();
        let portal = |portal: &PortalFile| Portal {
            from: portal.from as usize,
            to: portal.to as usize,
            ends: portal.ends.map(|end| DVec3::from(end.0)),
            one_way: portal.one_way,
        };
        let portals = self.portals.as_ref().map(|portals| portals.iter().map(portal).collect::<Vec<_>>());
        join(&corners, portals.as_deref())
    }

    fn indexed(&self, vertices: &[CornerFile]) -> Result<MeshPolygons, Vec<Fault>> {
        let vertices: Vec<DVec3> = vertices.iter().map(|corner| DVec3::from(corner.0)).collect();
        let (mut polygons, mut faults) = (Vec::new(), Vec::new());
        for (number, corners) in self.faces.iter().enumerate() {
            let is_vertex =
                |corner: &f64| corner.fract() == 0.0 && (0.0..vertices.len() as f64).contains(corner);
            if let Some(corner) = corners.iter().find(|corner| !is_vertex(corner)) {
                let what = format!("names vertex {corner}; there are {}, counted from 0", vertices.len());
                faults.push(Fault::polygon(number, what));
            }
            let behind =
                self.neighbours.as_ref().and_then(|all| all.get(number)).map_or(&[][..], Vec::as_slice);
            polygons.push(RawPolygon {
                corners: corners.iter().map(|&corner| corner as u32).collect(),
                neighbours: behind.iter().map(|&number| (number >= 0.0).then_some(number as u32)).collect(),
            });
        }
        let mesh = MeshPolygons::new(vertices, polygons);
        if faults.is_empty() {
            faults = check(&mesh);
        }
        if faults.is_empty() { Ok(mesh) } else { Err(faults) }
    }
}
