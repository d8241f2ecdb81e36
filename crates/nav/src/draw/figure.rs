//! Characters in a picture, and their paths.

use super::Tint;
use crate::crowd::Character;
use crate::room::{CharacterSpec, Stance};
use glam::DVec2;

/// A path over the ground.
#[derive(Debug, Clone, PartialEq)]
pub struct Route {
    /// Start and waypoints; the start alone if there is no path. Of a path over several storeys, the part on one of
    /// them, which is empty where only the goal is.
    pub points: Vec<DVec2>,
    /// Whether the points are those of a curve, near to each other.
    pub is_curved: bool,
    /// The requested place.
    pub goal: DVec2,
    /// Whether it ends elsewhere than at the goal.
    pub partial: bool,
    /// The tint of its character; `None` for the answer to a query, which shows its start too.
    pub tint: Option<Tint>,
    /// Whether the path begins on this storey.
    pub begins: bool,
    /// Whether the goal is on this storey.
    pub ends: bool,
}

/// A character in a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The name.
    pub name: String,
    /// The centre, metres.
    pub at: DVec2,
    /// The heading: radians from +X towards +Z.
    pub heading_rad: f64,
    /// Half the width, metres.
    pub radius_m: f64,
    /// Whether the player controls it.
    pub player: bool,
    /// `false` for dead and disabled characters.
    pub active: bool,
    /// Whether it is walking.
    pub walking: bool,
    /// Its current speech.
    pub speech: Option<String>,
    /// Its colour.
    pub tint: Tint,
    /// Its fault, in a word or two.
    pub fault: Option<String>,
    /// What else is to be said of it.
    pub note: Option<String>,
}

impl Figure {
    pub(super) fn of_spec(index: usize, spec: &CharacterSpec) -> Self {
        Self {
            name: spec.name.clone(),
            at: spec.at.at,
            heading_rad: spec.heading_rad,
            radius_m: spec.collision_radius_m,
            player: spec.player,
            active: spec.alive && spec.enabled,
            walking: false,
            speech: None,
            tint: if spec.player { Tint::Player } else { Tint::Number(index) },
            fault: None,
            note: None,
        }
    }

    pub(super) fn of_character(character: &Character) -> Self {
        Self {
            name: character.name.clone(),
            at: character.position.at,
            heading_rad: character.heading_rad,
            radius_m: character.collision_radius_m,
            player: character.player,
            active: character.is_active(),
            walking: character.is_moving(),
            speech: character.speech.as_ref().map(|speech| speech.text.clone()),
            tint: Tint::of(character),
            fault: None,
            note: None,
        }
    }
}

impl Figure {
    /// The same as an actor of a tactical level with cells of an edge in metres.
    pub(super) fn with_actor(self, (size, stance): (u32, Stance), note: String, cell_m: f64) -> Self {
        Self { radius_m: actor_radius_m(size, stance, cell_m), note: Some(note), ..self }
    }
}

/// Half the drawn width of an actor of a tactical level, in metres. One that crouches is drawn smaller.
pub(super) fn actor_radius_m(size: u32, stance: Stance, cell_m: f64) -> f64 {
    f64::from(size) * cell_m * if stance == Stance::Stand { 0.34 } else { 0.26 }
}

impl Tint {
    /// The colour of a character.
    pub fn of(character: &Character) -> Self {
        if character.player { Self::Player } else { Self::Number(character.id.0 as usize) }
    }
}

impl Route {
    /// The start of the path.
    pub(super) fn start(&self) -> DVec2 {
        self.points.first().copied().unwrap_or(self.goal)
    }

    /// The end of the path.
    pub(super) fn end(&self) -> DVec2 {
        self.points.last().copied().unwrap_or(self.goal)
    }
}
