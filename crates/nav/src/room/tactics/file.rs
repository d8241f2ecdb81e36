//! The form of tactical levels in a room file.

use super::{Brush, BrushKind, Facing, Rounding, Tactics, TacticsSettings};
#[cfg(test)]
use super::{MAX_BRUSH_CORNERS, MAX_BRUSHES, MAX_LEVEL_TRIANGLES, MAX_TURN_TU};
use crate::geometry::{SolidShape, TriangleMesh};
use crate::room::file::is_false;
use crate::room::mesh::file::UpFile;
use glam::DVec3;
#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A tactical level, for turn-based games: brushes in units, x and y in the plane, z up. A cell is 32 × 32 × 64 units.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schemars(title = "tactical level", rename = "tactics"))]
pub(in crate::room) struct TacticsFile {
    /// Units of the level per metre of the room.
    #[serde(default = "default::units_per_metre")]
    #[cfg_attr(test, schemars(range(max = 10_000.0), extend("exclusiveMinimum" = 0.0)))]
    pub units_per_metre: f64,
    /// The highest step that actors take, in units.
    #[serde(default = "default::step_up")]
    #[cfg_attr(test, schemars(range(min = 0.0, max = 512.0)))]
    pub step_up: f64,
    /// The smallest opening, in units. Lower spaces are solid.
    #[serde(default = "default::smallest_opening")]
    #[cfg_attr(test, schemars(range(min = 4.0, max = 512.0)))]
    pub smallest_opening: f64,
    /// The deepest fall, in units.
    #[serde(default = "default::greatest_fall")]
    #[cfg_attr(test, schemars(range(min = 0.0, max = 512.0)))]
    pub greatest_fall: f64,
    /// The height of an actor that stands, in units.
    #[serde(default = "default::standing_height")]
    #[cfg_attr(test, schemars(range(min = 4.0, max = 512.0)))]
    pub standing_height: f64,
    /// The height of an actor that crouches, in units.
    #[serde(default = "default::crouching_height")]
    #[cfg_attr(test, schemars(range(min = 4.0, max = 512.0)))]
    pub crouching_height: f64,
    /// Whether heights of bodies are rounded up or down to quants of 4 units.
    #[serde(default)]
    pub rounding: RoundingFile,
    /// The TU of turning towards a ladder, before one climbs up or down it. 0 if left out.
    #[serde(default, skip_serializing_if = "is_zero")]
    #[cfg_attr(test, schemars(range(max = MAX_TURN_TU)))]
    pub turn_tu: u16,
    /// What the level is made of.
    #[serde(default)]
    #[cfg_attr(test, schemars(length(max = MAX_BRUSHES)))]
    pub brushes: Vec<BrushFile>,
    /// A file with more of it, relative to the project: .obj, .glb or .gltf. Each object is a solid: one or more closed
    /// meshes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub geometry: Option<String>,
    /// Which axis of 'geometry' is up: "y" or "z". "y" if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "UpFile"))]
    pub up: Option<UpFile>,
    /// Metres in a unit of 'geometry': 0.01 for centimetres. 1 if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "f64", range(max = 1_000_000.0), extend("exclusiveMinimum" = 0.0)))]
    pub scale: Option<f64>,
    /// What objects of 'geometry' do, by their names. Those that are not here are solids.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub objects: BTreeMap<String, ObjectFile>,
}

/// What an object of a level file does.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schemars(title = "object", rename = "object"))]
pub(in crate::room) struct ObjectFile {
    /// The area that switches the object: it is there while the area is closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub area: Option<String>,
    /// Makes the box around the object a ladder: actors that face this way climb in it. It is no solid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "FacingFile"))]
    pub ladder: Option<FacingFile>,
    /// Whether it blocks actors, but carries none.
    #[serde(default, skip_serializing_if = "is_false")]
    pub clip: bool,
}

/// A closed mesh of triangles. It need not be convex.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schemars(title = "brush mesh", rename = "brushMesh"))]
pub(in crate::room) struct BrushMeshFile {
    /// Its points, [x, y, z].
    #[cfg_attr(test, schemars(length(min = 4, max = 3 * MAX_LEVEL_TRIANGLES)))]
    pub points: Vec<[f64; 3]>,
    /// Its triangles, each with the numbers of three points, counted from 0. They face outwards: with corners a, b and c,
    /// (b - a) x (c - a) does.
    #[cfg_attr(test, schemars(with = "Vec<[u32; 3]>", length(min = 4, max = MAX_LEVEL_TRIANGLES)))]
    pub triangles: Vec<[f64; 3]>,
}

/// How heights of bodies become quants.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, schemars(inline))]
pub(in crate::room) enum RoundingFile {
    /// A body never sticks out of its quants.
    #[default]
    Up,
    /// As in the released game.
    Down,
}

/// A solid, or a ladder. It has one of 'box', 'points', 'planes' and 'mesh'.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schemars(title = "brush", rename = "brush"))]
pub(in crate::room) struct BrushFile {
    /// A box along the axes: its lowest and its highest corner, [x, y, z].
    #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "[[f64; 3]; 2]"))]
    pub bounds: Option<[[f64; 3]; 2]>,
    /// The corners of a convex solid, [x, y, z], in any order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Vec<[f64; 3]>", length(min = 4, max = MAX_BRUSH_CORNERS)))]
    pub points: Option<Vec<[f64; 3]>>,
    /// The planes of a convex solid, [nx, ny, nz, d]: what is behind all of them. Normals point outwards, and d is the
    /// distance from the origin along the normal, if that is of length 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "Vec<[f64; 4]>", length(min = 4, max = MAX_BRUSH_CORNERS)))]
    pub planes: Option<Vec<[f64; 4]>>,
    /// A closed mesh of triangles. A ladder is the box around it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "BrushMeshFile"))]
    pub mesh: Option<BrushMeshFile>,
    /// A name, for messages.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub name: Option<String>,
    /// The area that switches the brush: it is there while the area is closed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub area: Option<String>,
    /// Makes the brush a ladder: actors that face this way climb in it. It is no solid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "FacingFile"))]
    pub ladder: Option<FacingFile>,
    /// Whether it blocks actors, but carries none.
    #[serde(default, skip_serializing_if = "is_false")]
    pub clip: bool,
}

/// A direction: north is towards smaller y, east towards greater x.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, schemars(inline))]
pub(in crate::room) enum FacingFile {
    /// Towards smaller y.
    North,
    /// Towards greater x.
    East,
    /// Towards greater y.
    South,
    /// Towards smaller x.
    West,
}

impl TacticsFile {
    /// The level, with the objects of its file.
    pub(in crate::room) fn tactics(&self, (objects, warnings): (Vec<Brush>, Vec<String>)) -> Tactics {
        let rounding = match self.rounding {
            RoundingFile::Up => Rounding::Up,
            RoundingFile::Down => Rounding::Down,
        };
        let settings = TacticsSettings {
            units_per_metre: self.units_per_metre,
            step_up: self.step_up,
            smallest_opening: self.smallest_opening,
            greatest_fall: self.greatest_fall,
            standing_height: self.standing_height,
            crouching_height: self.crouching_height,
            rounding,
            turn_tu: self.turn_tu,
        };
        let brushes = self.brushes.iter().map(BrushFile::brush).chain(objects).collect();
        Tactics { settings, brushes, warnings }
    }

    pub(in crate::room) fn of(tactics: &Tactics) -> Self {
        let settings = &tactics.settings;
        Self {
            units_per_metre: settings.units_per_metre,
            step_up: settings.step_up,
            smallest_opening: settings.smallest_opening,
            greatest_fall: settings.greatest_fall,
            standing_height: settings.standing_height,
            crouching_height: settings.crouching_height,
            rounding: match settings.rounding {
                Rounding::Up => RoundingFile::Up,
                Rounding::Down => RoundingFile::Down,
            },
            turn_tu: settings.turn_tu,
            brushes: tactics.brushes.iter().map(BrushFile::of).collect(),
            geometry: None,
            up: None,
            scale: None,
            objects: BTreeMap::new(),
        }
    }
}

impl BrushFile {
    /// The checks have made sure that it has one shape.
    fn brush(&self) -> Brush {
        let (name, area) = (self.name.clone(), self.area.clone());
        Brush { shape: self.shape(), name, area, kind: kind(self.ladder, self.clip) }
    }

    pub(super) fn shape(&self) -> SolidShape {
        let points = |points: &[[f64; 3]]| points.iter().copied().map(DVec3::from).collect();
        if let Some(mesh) = &self.mesh {
            return SolidShape::Mesh(Arc::new(mesh.mesh()));
        }
        match (&self.bounds, &self.points, &self.planes) {
            (Some(bounds), ..) => SolidShape::Box(bounds.map(DVec3::from)),
            (None, Some(corners), _) => SolidShape::Points(points(corners)),
            (None, None, planes) => {
                let planes = planes.iter().flatten();
                SolidShape::Planes(planes.map(|&[x, y, z, d]| (DVec3::new(x, y, z), d)).collect())
            }
        }
    }

    fn of(brush: &Brush) -> Self {
        let (mut bounds, mut points, mut planes, mut mesh) = (None, None, None, None);
        match &brush.shape {
            SolidShape::Box(corners) => bounds = Some(corners.map(|at| at.to_array())),
            SolidShape::Points(corners) => points = Some(corners.iter().map(|at| at.to_array()).collect()),
            SolidShape::Planes(all) => {
                planes = Some(all.iter().map(|(normal, d)| [normal.x, normal.y, normal.z, *d]).collect());
            }
            SolidShape::Mesh(all) => mesh = Some(BrushMeshFile::of(all)),
        }
        let ladder = match brush.kind {
            BrushKind::Ladder(facing) => Some(FacingFile::of(facing)),
            _ => None,
        };
        let clip = brush.kind == BrushKind::Clip;
        let (name, area) = (brush.name.clone(), brush.area.clone());
        Self { bounds, points, planes, mesh, name, area, ladder, clip }
    }
}

impl ObjectFile {
    /// The brush of an object with this mesh.
    pub(super) fn brush(&self, name: &str, mesh: TriangleMesh) -> Brush {
        let shape = SolidShape::Mesh(Arc::new(mesh));
        Brush {
            shape,
            name: Some(name.to_owned()),
            area: self.area.clone(),
            kind: kind(self.ladder, self.clip),
        }
    }
}

impl BrushMeshFile {
    pub(super) fn mesh(&self) -> TriangleMesh {
        TriangleMesh {
            points: self.points.iter().map(|at| DVec3::from(*at) + 0.0).collect(),
            // The schema has checked that they are whole numbers in range.
            triangles: self.triangles.iter().map(|corners| corners.map(|corner| corner as u32)).collect(),
        }
    }

    fn of(mesh: &TriangleMesh) -> Self {
        Self {
            points: mesh.points.iter().map(|at| at.to_array()).collect(),
            triangles: mesh.triangles.iter().map(|corners| corners.map(f64::from)).collect(),
        }
    }
}

/// The checks have made sure that a ladder does not clip.
fn kind(ladder: Option<FacingFile>, clip: bool) -> BrushKind {
    match (ladder, clip) {
        (Some(facing), _) => BrushKind::Ladder(facing.facing()),
        (None, true) => BrushKind::Clip,
        (None, false) => BrushKind::Solid,
    }
}

impl FacingFile {
    fn facing(self) -> Facing {
        match self {
            Self::North => Facing::North,
            Self::East => Facing::East,
            Self::South => Facing::South,
            Self::West => Facing::West,
        }
    }

    fn of(facing: Facing) -> Self {
        match facing {
            Facing::North => Self::North,
            Facing::East => Self::East,
            Facing::South => Self::South,
            Facing::West => Self::West,
        }
    }
}

/// The values of keys that are left out, taken from the plain data.
mod default {
    use super::TacticsSettings;

    pub(super) fn units_per_metre() -> f64 {
        TacticsSettings::default().units_per_metre
    }
    pub(super) fn step_up() -> f64 {
        TacticsSettings::default().step_up
    }
    pub(super) fn smallest_opening() -> f64 {
        TacticsSettings::default().smallest_opening
    }
    pub(super) fn greatest_fall() -> f64 {
        TacticsSettings::default().greatest_fall
    }
    pub(super) fn standing_height() -> f64 {
        TacticsSettings::default().standing_height
    }
    pub(super) fn crouching_height() -> f64 {
        TacticsSettings::default().crouching_height
    }
}

fn is_zero(tu: &u16) -> bool {
    *tu == 0
}
