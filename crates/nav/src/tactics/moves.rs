//! Moves of actors, and what they cost.

use super::table::{Cell, direction_of};
use crate::room::Stance;
use serde::{Deserialize, Serialize};

/// What a move is. Directions are numbers from 0 to 7: east, west, south, north, then the diagonals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum MoveKind {
    /// On foot, also up and down stairs, and over an edge.
    Walk(u8),
    /// Through the air.
    Fly(u8),
    /// A cell up through the air.
    FlyUp,
    /// A cell down through the air.
    FlyDown,
    /// A cell up a ladder.
    ClimbUp,
    /// A cell down a ladder.
    ClimbDown,
    /// A cell down, for nothing.
    Fall,
    /// To the ground.
    Crouch,
    /// Upright again.
    Stand,
}

/// One move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Move {
    /// What it is.
    pub kind: MoveKind,
    /// The cell that it leads to.
    pub to: Cell,
    /// The stance after it.
    pub stance: Stance,
    /// Its TU.
    pub tu: u16,
}

impl Stance {
    /// The TU of a step in a direction: 2, or 3 on a diagonal; one and a half times that when crouched, rounded down.
    pub(super) const fn tu(self, direction: usize) -> u16 {
        match (self, direction < 4) {
            (Self::Stand, true) => 2,
            (Self::Stand, false) | (Self::Crouch, true) => 3,
            (Self::Crouch, false) => 4,
        }
    }

    /// The TU of climbing a cell.
    pub(super) fn climbing_tu(self) -> u16 {
        match self {
            Self::Stand => 4,
            Self::Crouch => 6,
        }
    }
}

impl MoveKind {
    /// Its name in data and scripts.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Walk(_) => "walk",
            Self::Fly(_) => "fly",
            Self::FlyUp => "fly_up",
            Self::FlyDown => "fly_down",
            Self::ClimbUp => "climb_up",
            Self::ClimbDown => "climb_down",
            Self::Fall => "fall",
            Self::Crouch => "crouch",
            Self::Stand => "stand",
        }
    }

    /// The direction of a step or of a flight on the plane.
    pub fn direction(self) -> Option<[i32; 2]> {
        match self {
            Self::Walk(direction) | Self::Fly(direction) => Some(direction_of(direction)),
            _ => None,
        }
    }
}
