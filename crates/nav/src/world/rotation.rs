//! Turning on the spot.

use super::{Applied, CommandError, EventKind, World, check_place};
use crate::crowd::{CharacterId, Turn, WalkEnd, turn_towards};
use crate::nav::Place;

impl World {
    /// Begins a turn. A walker and a steered character look where they go, so their turns are cancelled at once: kept for
    /// later, they would come unexpectedly.
    pub(super) fn turn(&mut self, who: CharacterId, to: Place) -> Result<Applied, CommandError> {
        check_place(to)?;
        let character = self.present(who)?;
        let may = character.is_active() && character.errand().is_none() && character.steering.is_none();
        self.end_turn(who, WalkEnd::Cancelled);
        let id = self.next_walk_id();
        self.present(who)?.turn = Some(Turn { id, to });
        if !may {
            self.end_turn(who, WalkEnd::Cancelled);
        }
        Ok(Applied::Walking(id))
    }

    /// Ends a character's turn. The end is reported exactly once, because the turn is gone with it.
    pub(super) fn end_turn(&mut self, who: CharacterId, end: WalkEnd) -> bool {
        let turn = self.characters.get_mut(who).and_then(|character| character.turn.take());
        if let Some(turn) = turn {
            self.emit(EventKind::Turned { who, turn: turn.id, end });
        }
        turn.is_some()
    }

    /// Turns standing characters. A character that steps aside turns on afterwards.
    pub(super) fn turn_on_the_spot(&mut self) {
        let dt_s = self.dt_s();
        let mut done = Vec::new();
        for &place in &self.near.agents.turning {
            let character = &mut self.characters.all_mut()[place as usize];
            let Some(turn) = character.turn.filter(|_| character.walk.is_none()) else { continue };
            if turn_towards(character, turn.to.at - character.position.at, dt_s) {
                character.post_heading_rad = character.heading_rad;
                done.push(character.id);
            }
        }
        for who in done {
            self.end_turn(who, WalkEnd::Arrived);
        }
    }
}
