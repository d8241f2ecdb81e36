//! Tactical levels in room files: brushes in units, and the settings of turn-based movement.

mod actor;
pub(super) mod check;
mod fault_text;
pub(super) mod file;
pub(super) mod objects;

pub use self::actor::{ActorSpec, Stance};

use super::Area;
use crate::geometry::{Solid, SolidShape};
use glam::{DVec2, DVec3};

/// The side of a cell in units, along x and y.
pub const CELL_UNITS: f64 = 32.0;
/// The height of a cell in units.
pub const LEVEL_UNITS: f64 = 64.0;
/// Heights are counted in quants of so many units.
pub const QUANT_UNITS: f64 = 4.0;
/// The largest tactical level: cells along x and y.
pub const MAX_TACTICAL_CELLS: u32 = 256;
/// The largest tactical level: levels above each other.
pub const MAX_TACTICAL_LEVELS: u32 = 8;
/// Upper limit on the TU of turning towards a ladder: more would make it cheaper to step out and in again.
pub const MAX_TURN_TU: u16 = 4;
/// Upper limit on the brushes of a level.
pub(super) const MAX_BRUSHES: usize = 20_000;
/// Upper limit on the corners, or the planes, of a brush.
pub(super) const MAX_BRUSH_CORNERS: usize = 32;
/// Upper limit on the triangles of all meshes of a level.
pub(super) const MAX_LEVEL_TRIANGLES: usize = 200_000;

/// A tactical level: what a turn-based game is played on. Lengths are in units; x and y are the plane, z is up.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Tactics {
    /// How actors move.
    pub settings: TacticsSettings,
    /// What the level is made of.
    pub brushes: Vec<Brush>,
    /// What is odd about its file, in words.
    pub warnings: Vec<String>,
}

/// How actors move in a tactical level. The defaults are those of UFO: Alien Invasion.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct TacticsSettings {
    /// Units of the level per metre of the room.
    pub units_per_metre: f64,
    /// The highest step, in units.
    pub step_up: f64,
    /// The smallest opening, in units: lower spaces are solid.
    pub smallest_opening: f64,
    /// The deepest fall, in units.
    pub greatest_fall: f64,
    /// The height of an actor that stands, in units.
    pub standing_height: f64,
    /// The height of an actor that crouches, in units.
    pub crouching_height: f64,
    /// How the heights of bodies become quants.
    pub rounding: Rounding,
    /// The TU of turning towards a ladder, before one climbs: 0 to [`MAX_TURN_TU`].
    pub turn_tu: u16,
}

/// How the heights of bodies become quants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Rounding {
    /// A body never sticks out of its quants.
    Up,
    /// As the released game does: 29 units are 7 quants.
    Down,
}

/// A solid of a tactical level, or a volume with a meaning.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Brush {
    /// Its shape, in units.
    pub shape: SolidShape,
    /// Its name, for messages.
    pub name: Option<String>,
    /// The area that switches it: it is there while the area is closed.
    pub area: Option<String>,
    /// What it does. A ladder is a volume to climb in, not a solid.
    pub kind: BrushKind,
}

/// What a brush does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BrushKind {
    /// A wall, a floor, a thing.
    Solid,
    /// It blocks actors, but nobody stands on it.
    Clip,
    /// Actors that face this way climb in it.
    Ladder(Facing),
}

/// A direction on the plane. North is towards smaller y, as on the pictures of rooms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Facing {
    /// Towards smaller y.
    North,
    /// Towards greater x.
    East,
    /// Towards greater y.
    South,
    /// Towards smaller x.
    West,
}

impl Default for TacticsSettings {
    fn default() -> Self {
        Self {
            units_per_metre: 32.0,
            step_up: 20.0,
            smallest_opening: 24.0,
            greatest_fall: 64.0,
            standing_height: 44.0,
            crouching_height: 29.0,
            rounding: Rounding::Up,
            turn_tu: 0,
        }
    }
}

impl Facing {
    /// Its name in room files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::North => "north",
            Self::East => "east",
            Self::South => "south",
            Self::West => "west",
        }
    }

    /// Its number among the directions of moves on the plane.
    pub fn direction(self) -> u8 {
        match self {
            Self::East => 0,
            Self::West => 1,
            Self::South => 2,
            Self::North => 3,
        }
    }

    /// The one that is nearest to a heading, in radians from +X towards +Z of the room. `None` on a diagonal.
    pub fn of_heading(heading_rad: f64) -> Option<Self> {
        let (sin, cos) = (libm::sin(heading_rad), libm::cos(heading_rad));
        if (sin.abs() - cos.abs()).abs() < 1e-9 {
            return None;
        }
        Some(match (sin.abs() > cos.abs(), sin > 0.0, cos > 0.0) {
            (true, true, _) => Self::South,
            (true, false, _) => Self::North,
            (false, _, true) => Self::East,
            (false, _, false) => Self::West,
        })
    }

    /// Radians from +X towards +Z of the room.
    pub fn heading_rad(self) -> f64 {
        use std::f64::consts::{FRAC_PI_2, PI};
        match self {
            Self::North => -FRAC_PI_2,
            Self::East => 0.0,
            Self::South => FRAC_PI_2,
            Self::West => PI,
        }
    }
}

impl Brush {
    /// A solid.
    pub fn new(shape: SolidShape) -> Self {
        Self { shape, name: None, area: None, kind: BrushKind::Solid }
    }

    /// The same, there only while an area is closed.
    #[must_use]
    pub fn with_area(self, area: impl Into<String>) -> Self {
        Self { area: Some(area.into()), ..self }
    }

    /// The same as a ladder, or as one that carries nobody.
    #[must_use]
    pub fn with_kind(self, kind: BrushKind) -> Self {
        Self { kind, ..self }
    }
}

impl Tactics {
    /// A level of brushes.
    pub fn new(settings: TacticsSettings, brushes: Vec<Brush>) -> Self {
        Self { settings, brushes, warnings: Vec::new() }
    }

    /// The areas of a room whose file has none: one under the whole level, and one for each name that switches brushes,
    /// closed. None without a solid.
    pub(super) fn areas(&self) -> Vec<Area> {
        let per_metre = self.settings.units_per_metre;
        let rectangle = |name: &str, min: DVec2, max: DVec2| {
            let corners = [min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)];
            Area::new(name, corners.map(|corner| corner / per_metre).to_vec())
        };
        let bounds = |brush: &Brush| Some(Solid::around(&brush.shape).ok()?.bounds().map(DVec3::truncate));
        let all: Vec<(&Brush, [DVec2; 2])> =
            self.brushes.iter().filter_map(|brush| Some((brush, bounds(brush)?))).collect();
        let far = all.iter().map(|(_, [_, max])| *max).reduce(DVec2::max);
        let Some(far) = far else { return Vec::new() };
        let near = all.iter().fold(DVec2::ZERO, |near, (_, [min, _])| near.min(*min));
        let mut areas = vec![rectangle("level", near, far)];
        for (brush, [min, max]) in all {
            let Some(name) = brush.area.as_deref() else { continue };
            if !areas.iter().any(|area| area.name == name) {
                let door = rectangle(name, min, max);
                areas.push(Area { available: false, ..door });
            }
        }
        areas
    }
}

impl TacticsSettings {
    /// The highest step in quants. What is not a whole quant is left out.
    pub fn step_quants(&self) -> i32 {
        (self.step_up / QUANT_UNITS).floor() as i32
    }

    /// The smallest opening in quants, rounded up.
    pub fn opening_quants(&self) -> i32 {
        (self.smallest_opening / QUANT_UNITS).ceil() as i32
    }

    /// The deepest fall in quants. What is not a whole quant is left out.
    pub fn fall_quants(&self) -> i32 {
        (self.greatest_fall / QUANT_UNITS).floor() as i32
    }

    /// The height of an actor that stands, or crouches, in quants.
    pub fn body_quants(&self, crouches: bool) -> i32 {
        let units = if crouches { self.crouching_height } else { self.standing_height };
        let quants = units / QUANT_UNITS;
        let rounded = match self.rounding {
            Rounding::Up => quants.ceil(),
            Rounding::Down => quants.floor(),
        };
        rounded as i32
    }
}
