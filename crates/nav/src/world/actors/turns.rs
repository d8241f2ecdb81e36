//! The sides of a tactical level, and whose turn it is.

use crate::problem::did_you_mean;
use crate::room::MAX_NAME_BYTES;
use crate::world::{Applied, CommandError, EventKind, World};
use serde::{Deserialize, Serialize};

/// Upper limit on the sides that a run may see.
pub(in crate::world) const MAX_SIDES: usize = 1000;

/// The turn of a side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SideTurn {
    /// The side whose turn it is.
    pub side: String,
    /// The round, from 1. Another round begins after the last side.
    pub round: u32,
}

impl World {
    /// The turn that it is, if the room has actors.
    pub fn side_turn(&self) -> Option<&SideTurn> {
        self.turn.as_ref()
    }

    /// The sides that have an actor which is alive and enabled, in the order in which sides first came into the room. A
    /// side keeps its place for the whole run.
    pub fn sides(&self) -> Vec<&str> {
        self.sides.iter().map(String::as_str).filter(|side| self.is_side_active(side)).collect()
    }

    fn is_side_active(&self, side: &str) -> bool {
        let mut actors = self.characters().iter().filter(|character| character.is_active());
        actors.any(|character| character.actor.as_deref().is_some_and(|actor| actor.side == side))
    }

    /// Whether an actor may be on a side of this name.
    pub(super) fn check_side(&self, side: &str) -> Result<(), CommandError> {
        if side.trim().is_empty() || side.len() > MAX_NAME_BYTES {
            return Err(CommandError::BadSide);
        }
        let is_known = self.sides.iter().any(|known| known == side);
        if is_known || self.sides.len() < MAX_SIDES {
            Ok(())
        } else {
            Err(CommandError::TooManySides(MAX_SIDES))
        }
    }

    /// Gives a side its place in the order of turns, if it is new.
    pub(super) fn note_side(&mut self, side: &str) {
        if !self.sides.iter().any(|known| known == side) {
            self.sides.push(side.to_owned());
        }
    }

    /// Begins the turn of a side, or of the next one that has an actor which is alive and enabled. Its actors get their TU.
    pub(in crate::world) fn begin_turn(&mut self, side: Option<String>) -> Result<Applied, CommandError> {
        let place = |side: &str| self.sides.iter().position(|other| other == side);
        let before = self.turn.as_ref().and_then(|turn| place(&turn.side));
        let next = match &side {
            Some(side) => place(side).ok_or_else(|| {
                let meant = did_you_mean(side, self.sides.iter().map(String::as_str)).map(str::to_owned);
                CommandError::NoSuchSide(side.clone(), meant)
            })?,
            None => {
                let count = self.sides.len();
                let first = before.map_or(0, |before| before + 1);
                let mut in_turn = (first..count).chain(0..first.min(count));
                let next = in_turn.find(|&place| self.is_side_active(&self.sides[place]));
                next.ok_or(CommandError::NoSide)?
            }
        };
        // Another round begins when the order begins again.
        let round = match &self.turn {
            Some(turn) if before < Some(next) => turn.round,
            Some(turn) => turn.round.saturating_add(1),
            None => 1,
        };
        let side = self.sides[next].clone();
        for actor in self.characters.all_mut().iter_mut().filter_map(|c| c.actor.as_deref_mut()) {
            if actor.side == side {
                actor.tu = actor.budget;
            }
        }
        self.turn = Some(SideTurn { side: side.clone(), round });
        self.emit(EventKind::TurnBegan { side, round });
        Ok(Applied::Done)
    }
}
