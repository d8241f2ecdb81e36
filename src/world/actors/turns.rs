//! The sides of a tactical level, and whose turn it is.

use crate::problem::did_you_mean;
use crate::world::{Applied, CommandError, EventKind, World};
use serde::{Deserialize, Serialize};

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

    /// The sides of all actors, in the order in which their first actors came into the room.
    pub fn sides(&self) -> Vec<&str> {
        let mut sides: Vec<&str> = Vec::new();
        for actor in self.characters().iter().filter_map(|character| character.actor.as_deref()) {
            if !sides.contains(&actor.side.as_str()) {
                sides.push(&actor.side);
            }
        }
        sides
    }

    /// Begins the turn of a side, or of the next one. Its actors get their TU.
    pub(in crate::world) fn begin_turn(&mut self, side: Option<String>) -> Result<Applied, CommandError> {
        let sides: Vec<String> = self.sides().into_iter().map(str::to_owned).collect();
        let first = sides.first().ok_or(CommandError::NoTactics)?.clone();
        let place = |side: &String| sides.iter().position(|other| other == side);
        let now = self.turn.as_ref().map(|turn| (place(&turn.side), turn.round));
        let (side, round) = match (side, now) {
            (Some(side), _) if place(&side).is_none() => {
                let meant = did_you_mean(&side, sides.iter().map(String::as_str)).map(str::to_owned);
                return Err(CommandError::NoSuchSide(side, meant));
            }
            (Some(side), Some((before, round))) => {
                let is_next = before < place(&side);
                (side, if is_next { round } else { round.saturating_add(1) })
            }
            (Some(side), None) => (side, 1),
            (None, Some((before, round))) => {
                let next = before.map_or(0, |before| before + 1);
                match sides.get(next) {
                    Some(side) => (side.clone(), round),
                    None => (first, round.saturating_add(1)),
                }
            }
            (None, None) => (first, 1),
        };
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
