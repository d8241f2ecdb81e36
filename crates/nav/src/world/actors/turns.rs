//! The sides of a tactical level, and whose turn it is.

use crate::crowd::Characters;
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

/// The order of the sides, and whose turn it is.
#[derive(Debug, Clone, Default)]
pub(in crate::world) struct Turns {
    /// All sides that actors were on so far, in the order in which they first came.
    pub(in crate::world) sides: Vec<String>,
    pub(in crate::world) current: Option<SideTurn>,
}

impl Turns {
    fn place_of(&self, side: &str) -> Option<usize> {
        self.sides.iter().position(|known| known == side)
    }

    /// Whether an actor may be on a side of this name.
    pub(super) fn check_side(&self, side: &str) -> Result<(), CommandError> {
        if side.trim().is_empty() || side.len() > MAX_NAME_BYTES {
            return Err(CommandError::BadSide);
        }
        if self.place_of(side).is_some() || self.sides.len() < MAX_SIDES {
            Ok(())
        } else {
            Err(CommandError::TooManySides(MAX_SIDES))
        }
    }

    /// Gives a side its place in the order of turns, if it is new.
    pub(super) fn note_side(&mut self, side: &str) {
        if self.place_of(side).is_none() {
            self.sides.push(side.to_owned());
        }
    }

    /// The next turn: that of a side, or of the next one that is active.
    fn after(
        &self,
        side: Option<String>,
        is_active: impl Fn(&str) -> bool,
    ) -> Result<SideTurn, CommandError> {
        let before = self.current.as_ref().and_then(|turn| self.place_of(&turn.side));
        let next = match side {
            Some(side) => self.place_of(&side).ok_or_else(|| {
                let meant = did_you_mean(&side, self.sides.iter().map(String::as_str)).map(str::to_owned);
                CommandError::NoSuchSide(side, meant)
            })?,
            None => {
                let count = self.sides.len();
                let first = before.map_or(0, |before| before + 1);
                let mut in_turn = (first..count).chain(0..first.min(count));
                let next = in_turn.find(|&place| is_active(&self.sides[place]));
                next.ok_or(CommandError::NoSide)?
            }
        };
        // Another round begins when the order begins again.
        let round = match &self.current {
            Some(turn) if before < Some(next) => turn.round,
            Some(turn) => turn.round.saturating_add(1),
            None => 1,
        };
        Ok(SideTurn { side: self.sides[next].clone(), round })
    }
}

impl World {
    /// The turn that it is, if the room has actors.
    pub fn side_turn(&self) -> Option<&SideTurn> {
        self.turns.current.as_ref()
    }

    /// The sides that have an actor which is alive and enabled, in the order in which sides first came into the room. A
    /// side keeps its place for the whole run.
    pub fn sides(&self) -> Vec<&str> {
        let is_active = |side: &&str| is_active(&self.characters, side);
        self.turns.sides.iter().map(String::as_str).filter(is_active).collect()
    }

    /// Begins the turn of a side, or of the next one that has an actor which is alive and enabled. Its actors get their TU.
    pub(in crate::world) fn begin_turn(&mut self, side: Option<String>) -> Result<Applied, CommandError> {
        let turn = self.turns.after(side, |side| is_active(&self.characters, side))?;
        for actor in self.characters.all_mut().iter_mut().filter_map(|c| c.actor.as_deref_mut()) {
            if actor.side == turn.side {
                actor.tu = actor.budget;
            }
        }
        let SideTurn { side, round } = turn.clone();
        self.turns.current = Some(turn);
        self.emit(EventKind::TurnBegan { side, round });
        Ok(Applied::Done)
    }
}

fn is_active(characters: &Characters, side: &str) -> bool {
    let mut actors = characters.all().iter().filter(|character| character.is_active());
    actors.any(|character| character.actor.as_deref().is_some_and(|actor| actor.side == side))
}
