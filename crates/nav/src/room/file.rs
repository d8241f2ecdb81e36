//! The types of a room file, defined once. serde reads and writes them. The comments and limits written here become
//! the JSON Schema that an editor shows a designer and that `check.rs` checks files against.
//!
//! The default values live with the plain data, in `mod.rs` and `settings.rs`.

use std::collections::BTreeMap;

#[cfg(test)]
use super::{MAX_COORDINATE_M, mesh::file::MAX_STARTS, polygon::MAX_CORNERS};
#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::geometry::Place;

use super::character::file::CharacterFile;
use super::crowd::CrowdFile;
use super::link::LinkFile;
use super::mask::file::{PaintsFile, SamplingFile, ShorteningFile};
use super::mesh::file::{GroundFile, MeshFile, PlannerFile, StartFile, UpFile};
use super::numbers::{some_whole, whole, wholes};
use super::scenery::{DepthBandFile, HotspotFile};
use super::tactics::file::TacticsFile;
use super::waypath::WaypathFile;
use super::{GroundSettings, Room, ScriptLimits};

/// A room of the cicerone navigation runtime: where people may walk, what stands in the way, who is there.
/// Lengths are in metres, times in seconds, angles in radians. The ground is the XZ plane, and a place on it is
/// written [x, z]. Comments and trailing commas are allowed.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schemars(title = "cicerone room", rename = "room"))]
#[cfg_attr(test, schemars(extend("allowComments" = true, "allowTrailingCommas" = true)))]
pub(super) struct RoomFile {
    /// Where the schema of this file lies, for editors: ".room.schema.json". `cicerone schema` prints it.
    #[serde(rename = "$schema", default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<String>,
    /// The room's name, as messages and scripts use it. Without it, the name of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What the ground is made of: "grid", "mesh" or "sectors". "grid" if left out; "mesh" if the room has 'mesh' or
    /// 'geometry'.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "GroundFile"))]
    pub ground: Option<GroundFile>,
    /// How paths over cells are found: "grid" or "any-angle". "grid" if left out. A mesh has paths of any angle only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "PlannerFile"))]
    pub planner: Option<PlannerFile>,
    /// The polygons of a mesh room. Without them, and without 'geometry', they are made of the areas and obstacles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "MeshFile"))]
    pub mesh: Option<MeshFile>,
    /// A file with the ground of a mesh room, relative to the project: level geometry (.obj, .glb, .gltf) from which
    /// polygons are built as Recast does, or sectors are flooded; or a navmesh of polygons (.json, as Detour has them).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub geometry: Option<String>,
    /// Which axis of level geometry is up: "y" or "z". "y" if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "UpFile"))]
    pub up: Option<UpFile>,
    /// Metres in a unit of level geometry: 0.01 for centimetres. 1 if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "f64", range(max = 1_000_000.0), extend("exclusiveMinimum" = 0.0)))]
    pub scale: Option<f64>,
    /// Width and depth of one cell of the walking grid, in metres. Smaller cells follow the walls more closely and
    /// cost more memory and time; a quarter of a narrow passage is a good size.
    /// A painted room has none: its cells are its pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "f64", range(max = 1000.0), extend("exclusiveMinimum" = 0.0, "default" = default::cell_size())))]
    pub cell_size: Option<f64>,
    /// Half the width of a character, in metres. Characters keep this distance (and objectPadding) from obstacles.
    #[serde(default = "default::agent_radius")]
    #[cfg_attr(test, schemars(range(max = 1000.0), extend("exclusiveMinimum" = 0.0)))]
    pub agent_radius: f64,
    /// The headroom that characters need in level geometry, in metres. 1.8 if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "f64", range(max = 1000.0), extend("exclusiveMinimum" = 0.0)))]
    pub agent_height: Option<f64>,
    /// The highest step that characters take in level geometry, in metres. 0.4 if left out; 0.25 in
    /// sectors, where a step must be lower.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "f64", range(min = 0.0, max = 1000.0)))]
    pub agent_climb: Option<f64>,
    /// The steepest slope that characters walk in level geometry, in degrees. 45 if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "f64", range(min = 0.0, max = 89.9)))]
    pub agent_slope: Option<f64>,
    /// Places on the floor, [x, y, z], from which sectors are flooded. Ground that cannot be reached from them is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(length(min = 1, max = MAX_STARTS)))]
    pub starts: Vec<StartFile>,
    /// The side of the boxes that flood sectors, in metres. 0.5 if left out. Smaller boxes follow the level more closely,
    /// and climb steeper slopes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "f64", range(min = 0.01, max = 1000.0)))]
    pub box_size: Option<f64>,
    /// The headroom of characters that crouch, in metres: sectors also go where there is only so much. If left out,
    /// nobody crouches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "f64", range(min = 0.01, max = 1000.0)))]
    pub crouch_height: Option<f64>,
    /// Sectors of fewer boxes are left out. 1 if left out.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "some_whole")]
    #[cfg_attr(test, schemars(with = "u32", range(min = 1, max = 1_000_000)))]
    pub min_sector_boxes: Option<u32>,
    /// Openings between sectors that are narrower are closed, in metres. 0.75 if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "f64", range(min = 0.0, max = 1000.0)))]
    pub min_portal_width: Option<f64>,
    /// Clearance kept around obstacles beyond agentRadius, in metres.
    #[serde(default = "default::object_padding")]
    #[cfg_attr(test, schemars(range(min = 0.0, max = 1000.0)))]
    pub object_padding: f64,
    /// Clearance kept inside the outer edge of the open areas: in metres, or "radius" for the radius of each body. An edge
    /// that two open areas share is no outer edge.
    #[serde(default = "default::boundary_padding")]
    pub boundary_padding: PaddingFile,
    /// Height of the floor, in metres: the y of every waypoint.
    #[serde(default = "default::floor_y")]
    #[cfg_attr(test, schemars(range(min = -MAX_COORDINATE_M, max = MAX_COORDINATE_M)))]
    pub floor_y: f64,
    /// Where people may walk: named parts of the ground. They may overlap and be opened and closed one by one, so
    /// a door is an area in the gap of a wall.
    /// A painted room needs none.
    #[serde(default)]
    pub areas: Vec<AreaFile>,
    /// What stands in the way: tables, pillars, wells.
    #[serde(default)]
    pub obstacles: Vec<ObstacleFile>,
    /// An image whose pixels say where people may walk, relative to the project: "rooms/kitchen-mask.png". Pixel (px,
    /// py) covers x from px / pixelsPerMetre to (px + 1) / pixelsPerMetre, z likewise. Areas and hotspots may be
    /// painted on it; those with polygons, and obstacles, are added on top.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub mask: Option<String>,
    /// Pixels of the mask along a metre.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "f64", range(max = 100_000.0), extend("exclusiveMinimum" = 0.0)))]
    pub pixels_per_metre: Option<f64>,
    /// What is walkable on the mask: {"channel": "blue", "bit": 7} if left out, so pure blue or white walk and black
    /// does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "PaintsFile"))]
    pub walkable: Option<PaintsFile>,
    /// Names for colours of the mask: "water": "#3060ff".
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub colours: BTreeMap<String, String>,
    /// Paths are looked for between nodes on the mask, one every so many pixels, 4 if left out. It need not be a whole
    /// number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "f64", range(min = 1.0, max = 1000.0)))]
    pub sample_rate: Option<f64>,
    /// With how many neighbours each node is joined: 4, or 8 with the diagonal ones. 4 if left out.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "some_whole")]
    #[cfg_attr(test, schemars(with = "u32", range(min = 4, max = 8), extend("enum" = [4, 8])))]
    pub neighbours: Option<u32>,
    /// What has to be walkable for a node of the mask to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "SamplingFile"))]
    pub sampling: Option<SamplingFile>,
    /// How paths over the mask are made short.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "ShorteningFile"))]
    pub shortening: Option<ShorteningFile>,
    /// A picture that is drawn behind the room, relative to the project: "rooms/kitchen.png". It covers all of the
    /// mask, or of the areas of a room without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub background: Option<String>,
    /// What can be pointed at and used: windows, levers, ways out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hotspots: Vec<HotspotFile>,
    /// How large people are drawn, depending on how far back they stand.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub depth_bands: Vec<DepthBandFile>,
    /// Ways between places that no ground joins, or not as directly: jumps, ladders, lifts, teleports.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<LinkFile>,
    /// Rows of waypoints that lead people along: lanes, pavements, patrols.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waypaths: Vec<WaypathFile>,
    /// A tactical level, for turn-based games: `cicerone tactics` prints what an actor reaches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "TacticsFile"))]
    pub tactics: Option<TacticsFile>,
    /// Named places for characters and scripts: "bar": [2, 3.5]. No point may have the name of a character.
    #[serde(default)]
    pub points: BTreeMap<String, PlaceFile>,
    /// Points that the player must be able to reach sooner or later: what the room's puzzle is about. `cicerone
    /// monkey` looks for ways to play after which one can never be reached again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub goals: Vec<String>,
    /// The shape of the paths that characters walk: "straight" or "curved". Scripts change it for single characters.
    /// "straight" if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "PathsFile"))]
    pub paths: Option<PathsFile>,
    /// The character or point near which paths are searched first, by name, when many are wanted at once. The player if
    /// left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "String"))]
    pub focus: Option<String>,
    /// The characters that are in the room when it starts.
    #[serde(default)]
    pub characters: Vec<CharacterFile>,
    /// The room's own Lua script, relative to the project: "scripts/tavern.lua".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
    /// The constants of following, keeping apart, replanning and searching.
    #[serde(default)]
    pub crowd: CrowdFile,
    /// What the room's scripts may use up.
    #[serde(default, skip_serializing_if = "ScriptLimits::is_default")]
    pub limits: ScriptLimits,
    /// Fixed steps per second of game time.
    #[serde(default = "default::ticks_per_second", deserialize_with = "whole")]
    #[cfg_attr(test, schemars(with = "u32", range(min = 1, max = 1000)))]
    pub ticks_per_second: u32,
}

/// The shape of paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, schemars(inline))]
pub(super) enum PathsFile {
    /// Straight lines.
    Straight,
    /// Curves.
    Curved,
}

/// A named part of the ground where people may walk.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schemars(title = "area", rename = "area"))]
pub(super) struct AreaFile {
    /// The area's name: scripts open and close it by this name. No two areas may have the same.
    pub name: String,
    /// The corners, at least three, in either direction around. The last one need not repeat the first. The edges
    /// may touch but not cross each other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schemars(length(min = 3, max = MAX_CORNERS)))]
    pub polygon: Vec<PointFile>,
    /// The numbers of its polygons in the room's mesh. A polygon beside them is only drawn.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "wholes")]
    #[cfg_attr(test, schemars(with = "Vec<u32>"))]
    pub polygons: Vec<u32>,
    /// From which height to which height the area lies, for a polygon over a mesh with several storeys: [2.5, 5].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "HeightsFile"))]
    pub y: Option<HeightsFile>,
    /// How its pixels are painted on the mask, instead of a polygon: a colour "#ff8800", a name from 'colours', a bit
    /// of a channel {"channel": "green", "bit": 7}, the value of one {"channel": "red", "value": 3}, or a list of
    /// these.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "PaintsFile"))]
    pub paint: Option<PaintsFile>,
    /// Whether the area is open when the room starts. A closed one can be opened by a script.
    #[serde(default = "default::yes")]
    pub available: bool,
    /// What becomes of people inside when the area is closed. The dead and the disabled never hold it open.
    #[serde(default)]
    pub when_occupied: WhenOccupiedFile,
    /// Whether one sees through the area while it is closed: a fence, a glass door, a hole in the floor.
    #[serde(default, skip_serializing_if = "is_false")]
    pub see_through: bool,
    /// How fast one walks in it, as a factor of the walking speed: 0.5 in mud, 1.3 on a road. Where such areas overlap,
    /// the last one in the list counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "f64", range(min = super::SPEED_FACTORS[0], max = super::SPEED_FACTORS[1])))]
    pub speed: Option<f64>,
    /// Only characters with one of these tags may enter: ["staff"]. For others the area is no ground, also where it shares
    /// ground with other areas. Without any, all may enter.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
    /// Characters with one of these tags may not enter: ["dogs"].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub never: Vec<String>,
}

/// What becomes of people inside an area that is being closed.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, schemars(inline))]
pub(super) enum WhenOccupiedFile {
    /// They are moved to the nearest walkable place at once.
    #[default]
    Evict,
    /// The closing waits until the area is empty.
    Hold,
}

/// Something that stands in the way.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schemars(title = "obstacle", rename = "obstacle"))]
pub(super) struct ObstacleFile {
    /// The obstacle's name, for messages: "the table is in the way". No two obstacles may have the same. Without
    /// it, obstacle_1, obstacle_2 and so on by place in the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The corners, at least three, in either direction around. The last one need not repeat the first. The edges
    /// may touch but not cross each other.
    #[cfg_attr(test, schemars(length(min = 3, max = MAX_CORNERS)))]
    pub polygon: Vec<PointFile>,
    /// Whether one sees past the obstacle: a low table, a railing. One that stands in a wall is a window.
    #[serde(default, skip_serializing_if = "is_false")]
    pub see_through: bool,
}

/// The lowest and the greatest height, in metres.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[cfg_attr(test, schemars(inline))]
pub(super) struct HeightsFile(
    #[cfg_attr(test, schemars(inner(range(min = -MAX_COORDINATE_M, max = MAX_COORDINATE_M))))] pub [f64; 2],
);

/// A corner on the ground, [x, z] in metres.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[cfg_attr(test, schemars(title = "corner [x, z]", rename = "corner"))]
pub(super) struct PointFile(
    #[cfg_attr(test, schemars(inner(range(min = -MAX_COORDINATE_M, max = MAX_COORDINATE_M))))] pub [f64; 2],
);

/// A place on the ground, [x, z] in metres, or [x, y, z] with its height where storeys lie above each other.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[cfg_attr(test, schemars(title = "place [x, z]", rename = "place"))]
pub(super) struct PlaceFile(
    #[cfg_attr(test, schemars(with = "Vec<f64>", length(min = 2, max = 3), inner(range(min = -MAX_COORDINATE_M, max = MAX_COORDINATE_M))))]
    pub Place,
);

/// Where a character starts.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged)]
#[cfg_attr(test, schemars(inline))]
pub(super) enum At {
    /// The name of one of the room's points.
    Point(#[cfg_attr(test, schemars(title = "point's name"))] String),
    /// A place of its own.
    Position(PlaceFile),
}

/// What bodies keep from the outer edge of the ground.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged, expecting = "boundaryPadding is a number of metres, or \"radius\"")]
#[cfg_attr(test, schemars(inline))]
pub(super) enum PaddingFile {
    /// For a body of the room's agentRadius, in metres; wider ones keep as much more.
    Metres(#[cfg_attr(test, schemars(range(min = 0.0, max = 1000.0)))] f64),
    /// Every body keeps its own radius.
    Own(OwnRadius),
}

/// The word for it.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, schemars(inline))]
pub(super) enum OwnRadius {
    Radius,
}

impl PaddingFile {
    /// For a body of this radius, in metres.
    pub(super) fn metres(self, agent_radius_m: f64) -> f64 {
        match self {
            Self::Metres(metres) => metres,
            Self::Own(OwnRadius::Radius) => agent_radius_m,
        }
    }
}

/// The values of keys that are left out, taken from the plain data.
pub(super) mod default {
    use super::{GroundSettings, PaddingFile, Room};

    #[cfg(test)]
    pub(super) fn cell_size() -> f64 {
        GroundSettings::default().cell_size_m
    }
    pub(super) fn agent_radius() -> f64 {
        GroundSettings::default().agent_radius_m
    }
    pub(super) fn object_padding() -> f64 {
        GroundSettings::default().object_padding_m
    }
    pub(super) fn boundary_padding() -> PaddingFile {
        PaddingFile::Metres(GroundSettings::default().boundary_padding_m)
    }
    pub(super) fn floor_y() -> f64 {
        GroundSettings::default().floor_y_m
    }
    pub(super) fn ticks_per_second() -> u32 {
        Room::DEFAULT_TICKS_PER_SECOND
    }
    pub(in crate::room) fn yes() -> bool {
        true
    }
}

pub(super) fn is_false(value: &bool) -> bool {
    !value
}
