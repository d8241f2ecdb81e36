//! Room files: their types, their loading, all their problems at once, and the difference of two rooms.
//!
//! [`parse`] is the entry point. It reads a file's bytes into a tree with the place of every value (`json.rs`),
//! checks the tree against the schema (`check.rs`), checks what a schema cannot express (`validate.rs`, `polygon.rs`,
//! `crossing.rs`), and only then makes a [`Room`] of it. Later checks, against the ground or the project's files, use
//! the [`Locator`] to find the place of a problem.
//!
//! Rooms may also be grids whose cells the file gives itself (`grid/`): [`parse`] tells by the file's name.
//!
//! This module does no I/O. Whether a script exists or a start is walkable is checked elsewhere.

mod change;
mod character;
mod check;
mod convert;
mod crossing;
mod crowd;
mod edit;
#[doc(hidden)]
#[doc(hidden)]
pub mod fields;
mod file;
mod foreign;
mod grid;
mod json;
mod jsonc;
mod limits;
mod link;
mod locate;
mod mask;
mod mesh;
mod numbers;
mod painted;
mod paths;
mod polygon;
mod read_file;
mod scenery;
mod settings;
mod syntax;
mod tactics;
#[cfg(test)]
mod tests;
mod validate;
mod waypath;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::geometry::Place;
use glam::DVec2;

pub use self::change::{
    AreaChange, Changes, CharacterChange, CharacterField, ObstacleChange, RoomChange, RoomField, WayChange,
    difference,
};
pub(crate) use self::character::TRAITS;
pub(crate) use self::character::table;
pub use self::character::{CharacterSpec, Traits};
pub use self::crowd::{Avoidance, CrowdSettings, Patience};
pub use self::edit::{EditError, RoomPart, edit_room};
pub use self::grid::GridCells;
pub use self::limits::ScriptLimits;
pub use self::link::{Link, LinkKind, MAX_LINKS};
pub use self::locate::{JsonStep, Locator};
#[doc(hidden)]
pub use self::mask::FloorColour;
pub use self::mask::{
    Channel, Colours, Image, ImageKind, MAX_IMAGE_BYTES, Mask, Paint, Painted, Pixels, Rgba, Sampling,
    Shortening, in_pixels,
};
pub use self::mesh::read::AREA_HINT;
pub use self::mesh::{
    FloodSettings, LevelGeometry, LevelSettings, MeshPolygons, NavmeshDump, RawPolygon, SectorBox,
    SectorPortal, Sectors,
};
pub(crate) use self::mesh::{Ring, UnclearEdge, edges_behind, ring_of};
#[doc(hidden)]
pub use self::read_file::Fingerprint;
pub use self::read_file::{ReadFile, ReadFileError};
pub use self::scenery::{DepthBand, Hotspot};
pub use self::settings::{GroundKind, GroundSettings, PathShape, PlannerKind};
pub use self::tactics::{
    ActorSpec, Brush, BrushKind, CELL_UNITS, Facing, LEVEL_UNITS, MAX_TACTICAL_CELLS, MAX_TACTICAL_LEVELS,
    MAX_TURN_TU, QUANT_UNITS, Rounding, Stance, Tactics, TacticsSettings,
};
pub use self::validate::MAX_CELLS;
pub use self::waypath::{
    MAX_WAYPATHS, MAX_WAYPOINTS, SPEED_FACTORS, Waypath, WaypathKind, Waypoint, WaypointAction,
};
use crate::problem::{Problem, Source, guarded};

/// Upper limit on the problems reported of one file.
const MAX_PROBLEMS: usize = 1_000;

/// Largest coordinate, in files and in commands: far larger than any room, small enough that cells are counted
/// exactly.
pub const MAX_COORDINATE_M: f64 = 1e6;

/// Longest name of an area, an obstacle or a character, in bytes.
pub const MAX_NAME_BYTES: usize = 200;

/// A room as its file describes it, checked: names are unique, polygons simple, numbers in range.
///
/// Plain data. Positions are metres on the ground plane: `x` of a [`DVec2`] is the world's x, its `y` the world's z.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Room {
    /// The room's name; the file's stem if the file gives none.
    pub name: String,
    /// How the walkable ground is built from the polygons.
    pub ground: GroundSettings,
    /// Cells that are used as they are: those of a grid room, or the walkable pixels of a painted room without those
    /// of its areas. `None` for a room made of areas alone.
    pub grid: Option<Arc<GridCells>>,
    /// The polygons of the ground, if the file gives them. `None` for ground made of areas and obstacles.
    pub mesh: Option<Arc<MeshPolygons>>,
    /// The level that the polygons are built from: `Surface::polygons_of_level` builds them.
    pub level: Option<Arc<LevelGeometry>>,
    /// The mask of a painted room.
    pub mask: Option<Arc<Mask>>,
    /// The picture drawn behind the room: over all of the mask, or of the areas.
    pub background: Option<Arc<Image>>,
    /// The walkable areas; names unique. At least one; none in a grid room, and any number in a painted room.
    pub areas: Vec<Area>,
    /// The obstacles; names unique.
    pub obstacles: Vec<Obstacle>,
    /// The hotspots, the topmost first; names unique.
    pub hotspots: Vec<Hotspot>,
    /// The depth bands, by z ascending, disjoint.
    pub depth_bands: Vec<DepthBand>,
    /// The links; names unique.
    pub links: Vec<Link>,
    /// The waypaths; names unique.
    pub waypaths: Vec<Waypath>,
    /// The tactical level, if the room has one.
    pub tactics: Option<Arc<Tactics>>,
    /// Named places. Their names are unique among points and characters.
    pub points: BTreeMap<String, Place>,
    /// The points that the player must be able to reach sooner or later, without repeats.
    pub goals: Vec<String>,
    /// The shape of the paths that characters walk.
    pub paths: PathShape,
    /// The name of the character or point near which paths are searched first. `None` for the player.
    pub focus: Option<String>,
    /// The characters, in the order of the file; names unique, at most one player.
    pub characters: Vec<CharacterSpec>,
    /// The room's own script, relative to the project root.
    pub script: Option<String>,
    /// The constants of following, avoiding and replanning.
    pub crowd: CrowdSettings,
    /// The limits of its scripts, where the file gives them.
    pub limits: ScriptLimits,
    /// Fixed steps per second of game time.
    pub ticks_per_second: u32,
}

/// A named part of the ground that can be opened and closed.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Area {
    /// Its name, unique among the areas.
    pub name: String,
    /// At least three corners, of either winding, without repeated neighbours and without the closing point. For a
    /// painted area, the outline of its largest piece.
    pub polygon: Vec<DVec2>,
    /// Its polygons, as indices of the room's mesh, if that is given.
    pub mesh_polygons: Vec<u32>,
    /// The lowest and the greatest height of an outline over a mesh, in metres. `None` for all heights.
    pub heights_m: Option<[f64; 2]>,
    /// Its pixels, if it is painted on the room's mask.
    pub painted: Option<Painted>,
    /// Whether it is open when the room starts.
    pub available: bool,
    /// What happens to characters inside when it is closed.
    pub when_occupied: WhenOccupied,
    /// Whether lines of sight pass while it is closed: a fence, a hole in the floor, a glass door.
    pub see_through: bool,
    /// The factor of the speed of those who walk in it while it is open, one of [`SPEED_FACTORS`]. Where
    /// several have one, that of the last area counts.
    pub speed: Option<f64>,
    /// Only characters with one of these tags may enter. Empty: all may.
    pub only: Vec<String>,
    /// Characters with one of these tags may not enter.
    pub never: Vec<String>,
}

impl Area {
    /// An open area with the defaults of a file. Its polygon has at least three corners.
    pub fn new(name: impl Into<String>, polygon: Vec<DVec2>) -> Self {
        Self {
            name: name.into(),
            polygon,
            mesh_polygons: Vec::new(),
            heights_m: None,
            painted: None,
            available: true,
            when_occupied: WhenOccupied::default(),
            see_through: false,
            speed: None,
            only: Vec::new(),
            never: Vec::new(),
        }
    }

    /// Whether a character with these tags may enter. If not, the area is no ground for it, also where it shares ground
    /// with other areas.
    pub fn admits(&self, tags: &[String]) -> bool {
        let is_one_of = |list: &[String]| list.iter().any(|tag| tags.contains(tag));
        (self.only.is_empty() || is_one_of(&self.only)) && !is_one_of(&self.never)
    }
}

/// What happens to characters inside an area that is being closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WhenOccupied {
    /// They are moved to the nearest walkable point at once.
    #[default]
    Evict,
    /// The closing waits until no living, enabled character is inside.
    Hold,
}

/// An obstacle: a part of the ground that is not walkable.
#[derive(Debug, Clone, PartialEq)]
pub struct Obstacle {
    /// Its name, unique among the obstacles; `obstacle_1` and so on where the file gives none.
    pub name: String,
    /// As for [`Area::polygon`].
    pub polygon: Vec<DVec2>,
    /// Whether lines of sight pass over it: a low table, a railing. An obstacle in a wall is then a window.
    pub see_through: bool,
}

/// A room without ground and without characters.
impl Default for Room {
    fn default() -> Self {
        Self {
            name: String::new(),
            ground: GroundSettings::default(),
            grid: None,
            mesh: None,
            level: None,
            mask: None,
            background: None,
            areas: Vec::new(),
            obstacles: Vec::new(),
            hotspots: Vec::new(),
            depth_bands: Vec::new(),
            links: Vec::new(),
            waypaths: Vec::new(),
            tactics: None,
            points: BTreeMap::new(),
            goals: Vec::new(),
            paths: PathShape::default(),
            focus: None,
            characters: Vec::new(),
            script: None,
            crowd: CrowdSettings::default(),
            limits: ScriptLimits::default(),
            ticks_per_second: Self::DEFAULT_TICKS_PER_SECOND,
        }
    }
}

impl Room {
    /// Checks a room that was made in code as if it was read from a file: numbers, names, polygons, settings. Files that it
    /// names are not looked at.
    ///
    /// # Errors
    /// All problems, each with the path of the value: `areas[0].polygon[2]`. Their places are those in the room as JSON,
    /// which is their source.
    pub fn check(&self) -> Result<(), RoomReport> {
        let mut room = Self { background: None, ..self.clone() };
        if room.grid.is_some() && room.mask.is_none() {
            // JSON cannot hold its cells; all else is that of a room with one area.
            let (min, max) = room.bounds();
            let corners = [min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)];
            room.grid = None;
            room.areas = vec![Area::new("the grid", corners.into())];
        }
        let png = room.mask.as_ref().map(|mask| mask.png.to_vec());
        let text = format!("{:#}", convert::to_json(&room));
        let read = |_: &str| png.clone().ok_or_else(|| "it is not looked at".into());
        let Err(mut report) = parse_with("room.json", text.as_bytes(), None, &read) else {
            return Ok(());
        };
        report.problems.retain(|problem| !problem.path.ends_with("geometry"));
        if report.problems.is_empty() { Ok(()) } else { Err(report) }
    }

    /// An unnamed character at a place, with the defaults of this room's file: its radius is the room's.
    pub fn character_at(&self, at: impl Into<Place>) -> CharacterSpec {
        CharacterSpec::at(at).with(|traits| traits.collision_radius_m = self.ground.agent_radius_m)
    }

    /// Default number of fixed steps per second.
    pub const DEFAULT_TICKS_PER_SECOND: u32 = 60;

    /// A time in whole ticks, rounded up; at least one.
    pub fn ticks_of(&self, seconds: f64) -> u64 {
        ((seconds * f64::from(self.ticks_per_second)).ceil() as u64).max(1)
    }

    /// The rectangle that the grid covers, `(min, max)` in metres: all areas, available or not, and a margin of
    /// `2 cellSize + agentRadius + objectPadding` on every side. Without any area it is a point at the origin. A grid
    /// room has the grid's own rectangle.
    pub fn bounds(&self) -> (DVec2, DVec2) {
        if let Some(grid) = &self.grid {
            let cells = DVec2::new(f64::from(grid.width()), f64::from(grid.depth()));
            return (grid.min, grid.min + cells * self.ground.cell_size_m);
        }
        let vertices = self.mesh.iter().flat_map(|mesh| &mesh.vertices).map(|at| DVec2::new(at.x, at.z));
        let corners = self.areas.iter().flat_map(|area| area.polygon.iter().copied()).chain(vertices);
        let extent = corners.fold(None, |extent: Option<(DVec2, DVec2)>, corner| {
            Some(extent.map_or((corner, corner), |(min, max)| (min.min(corner), max.max(corner))))
        });
        let margin = DVec2::splat(self.ground.margin_m());
        extent.map_or((DVec2::ZERO, DVec2::ZERO), |(min, max)| (min - margin, max + margin))
    }

    /// The room as a JSON file, every setting written out: reading it gives the same room. `None` for a grid room,
    /// whose cells JSON cannot hold: see [`Room::to_text_grid`].
    pub fn to_json(&self) -> Option<serde_json::Value> {
        (self.grid.is_none() || self.mask.is_some()).then(|| convert::to_json(self))
    }
}

/// A room, and the means to find the place of a value in its file.
#[derive(Debug, Clone)]
pub struct Parsed {
    /// The room.
    pub room: Room,
    /// Finds the place of later problems.
    pub locator: Locator,
}

/// The problems of a room file (the first thousand), sorted by place. `Display` gives one line for each.
#[derive(Debug, Clone, PartialEq)]
pub struct RoomReport {
    /// The problems; at least one.
    pub problems: Vec<Problem>,
    /// The text they are in, for excerpts.
    pub source: Source,
}

impl fmt::Display for RoomReport {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            let line_break = if index == 0 { "" } else { "\n" };
            write!(out, "{line_break}{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for RoomReport {}

/// The kinds of room file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Areas and obstacles, in JSON.
    Json,
    /// A text grid: `.txt`.
    TextGrid,
    /// A map of the pathfinding benchmarks: `.map`.
    Map,
}

impl Form {
    /// The kind of a file by the extension of its name: JSON unless it is a known one.
    pub fn of(file_name: &str) -> Self {
        let ends = |end: &str| file_name.len() > end.len() && file_name.to_ascii_lowercase().ends_with(end);
        match () {
            () if ends(".txt") => Self::TextGrid,
            () if ends(".map") => Self::Map,
            () => Self::Json,
        }
    }
}

/// Reads a room file's bytes and checks everything that needs no other file. The extension of the file's name decides
/// its kind: see [`Form`]. Rooms that need other files, as painted ones do, are for [`parse_with`].
///
/// `file_name` is the name in reports; its stem is the default name of the room.
///
/// # Errors
///
/// All problems of the file at once. For a file that is not JSON: the first place where it stops being JSON, and the
/// duplicate keys.
pub fn parse(file_name: &str, bytes: &[u8]) -> Result<Parsed, RoomReport> {
    parse_with(file_name, bytes, None, &|_| Err("other files are not looked at here".into()))
}

/// [`parse`], with the files that the room names, and with the edge of a cell in metres for a [`Form::Map`], whose
/// file gives none (default 1 m).
///
/// # Errors
///
/// As [`parse`]; those of the images; and a cell size that is given for a file with its own, or is not above 0 and at
/// most 1000.
pub fn parse_with(
    file_name: &str,
    bytes: &[u8],
    cell_size_m: Option<f64>,
    read: ReadFile<'_>,
) -> Result<Parsed, RoomReport> {
    let form = Form::of(file_name);
    let refused = |message: &str, hint: &str| {
        let source = Source::new(file_name, "");
        Err(RoomReport { problems: vec![source.problem(0..0, message).with_hint(hint)], source })
    };
    match (form, cell_size_m) {
        (Form::Json | Form::TextGrid, Some(_)) => {
            refused("a cell size is given for a room that has its own", "only a .map takes one from outside")
        }
        (_, Some(size)) if !(size > 0.0 && size <= 1000.0) => {
            refused(&format!("a cell of {size} m"), "it must be greater than 0 and at most 1000")
        }
        _ => guarded(bytes, || match form {
            Form::Json => convert::parse(file_name, bytes, read),
            Form::TextGrid => grid::parse_text(file_name, bytes),
            Form::Map => grid::parse_map(file_name, bytes, cell_size_m),
        })
        .map(|parsed| parsed.map_err(|report| foreign::named(file_name, bytes, report)))
        .unwrap_or_else(|why| {
            let source = Source::new(file_name, "");
            Err(RoomReport { problems: vec![source.problem(0..0, why)], source })
        }),
    }
}

/// A JSON text with blanks in place of its comments and trailing commas; unchanged if a comment is not closed.
pub fn without_comments(text: &str) -> std::borrow::Cow<'_, str> {
    jsonc::plain(text).unwrap_or(std::borrow::Cow::Borrowed(text))
}

/// The JSON Schema of room files, for editors and for `cicerone schema`.
pub fn schema() -> serde_json::Value {
    check::SCHEMA.clone()
}
