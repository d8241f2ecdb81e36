//! Actors of the room's tactical level: what they are, and where they are put.

mod check;
mod doors;
mod places;
mod starts;
mod turns;
mod walk;

pub(super) use check::{actor as check_actor, sides as check_sides};
pub use starts::check_actors;
pub use turns::SideTurn;
pub(super) use turns::Turns;

use super::command_error::CommandError;
use super::{Applied, World};
use crate::crowd::{ActorState, CharacterId, WalkEnd};
use crate::room::{ActorSpec, CharacterSpec, Room};
use crate::tactics::{Actor, Cell, TacticalField};
use glam::DVec3;
use serde::{Deserialize, Serialize};
use starts::start_cell;
use std::sync::Arc;

/// Where an actor is put, and what it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ActorPlace {
    /// The cell.
    pub cell: Cell,
    /// Everything else. Its level is not used.
    pub actor: ActorSpec,
}

/// Traces the tactical level of a room, its areas open or closed as told.
pub(super) fn field_of(room: &Room, is_open: impl Fn(&str) -> bool) -> Option<Arc<TacticalField>> {
    let tactics = room.tactics.as_ref()?;
    Some(Arc::new(TacticalField::new(tactics, is_open)))
}

impl World {
    /// The traced tactical level of the room, if it has one, with its doors as they are now.
    pub fn tactics(&self) -> Option<&TacticalField> {
        self.tactics.as_deref()
    }

    /// Makes a new character the actor that its description says it is.
    pub(super) fn spawn_actor(&mut self, who: CharacterId, spec: &CharacterSpec) {
        let (Some(actor), Some(field)) = (&spec.actor, &self.tactics) else { return };
        if let Some(cell) = start_cell(field, spec, actor) {
            let place = ActorPlace { cell, actor: actor.clone() };
            // Taken cells of a file are reported when it is opened. In a run, whoever stands there keeps its cell.
            if self.place_actor(who, place).is_err() {
                self.spawn_beside(who, cell, actor);
            }
        }
    }

    /// Puts a new character on the free place nearest to its own cell.
    fn spawn_beside(&mut self, who: CharacterId, cell: Cell, actor: &ActorSpec) {
        let Some(field) = &self.tactics else { return };
        let query = Actor::new(actor.stance, 0).flying(actor.flies).around(self.cells_of_others(who));
        if let Some(cell) = field.nearest_place(cell, actor.size.clamp(1, 2), &query) {
            let _ = self.place_actor(who, ActorPlace { cell, actor: actor.clone() });
        }
    }

    /// Puts a character on a cell as an actor.
    pub(super) fn place_actor(
        &mut self,
        who: CharacterId,
        place: ActorPlace,
    ) -> Result<Applied, CommandError> {
        let ActorPlace { cell, actor: spec } = place;
        let field = self.tactics.clone().ok_or(CommandError::NoTactics)?;
        self.present(who)?;
        self.turns.check_side(&spec.side)?;
        let size = spec.size.clamp(1, 2);
        if ActorState::cells_of(cell, size).any(|cell| !field.holds(cell)) {
            return Err(CommandError::OutsideLevel(cell, field.size()));
        }
        let cell = field.landing(cell, size, spec.flies).ok_or(CommandError::NoRoomForActor(cell))?;
        if let Some(other) = self.in_the_way(who, cell, size) {
            return Err(CommandError::CellTaken(cell, self.name_of(other).to_owned()));
        }
        self.call_off(who, WalkEnd::Cancelled);
        self.leave_link(who, true);
        let tu = self.present(who)?.actor.as_ref().map_or(spec.budget, |actor| actor.tu.min(spec.budget));
        let (stance, flies, budget) = (spec.stance, spec.flies, spec.budget);
        self.turns.note_side(&spec.side);
        let state = ActorState { cell, size, stance, flies, side: spec.side, budget, tu, walk: None };
        let character = self.present(who)?;
        character.actor = Some(Box::new(state));
        character.on_waypath = None;
        self.stand_on_cells(who, None);
        self.post_here(who);
        Ok(Applied::Done)
    }

    /// Lets an actor leave the level. Returns whether it was one.
    pub(super) fn remove_actor(&mut self, who: CharacterId) -> Result<bool, CommandError> {
        self.end_cell_walk(who, WalkEnd::Cancelled);
        Ok(self.present(who)?.actor.take().is_some())
    }

    /// An actor flies from now on, or not.
    pub(super) fn set_flying(&mut self, who: CharacterId, flies: bool) -> Result<Applied, CommandError> {
        let actor = self.actor(who)?;
        let changed = std::mem::replace(&mut actor.flies, flies) != flies;
        let (is_walking, falls) = (actor.walk.is_some(), self.is_falling(who));
        if changed && !is_walking {
            self.settle_actor(who);
        } else if changed && flies && falls {
            // It stays in the air, where the fall has brought it.
            self.end_cell_walk(who, WalkEnd::Cancelled);
        }
        Ok(Applied::Changed(changed))
    }

    pub(super) fn actor(&mut self, who: CharacterId) -> Result<&mut ActorState, CommandError> {
        let name = self.name_of(who).to_owned();
        self.present(who)?.actor.as_deref_mut().ok_or(CommandError::NoActor(name))
    }
}

/// Reloading.
impl World {
    /// The cells count from another place: actors keep theirs, with other numbers. One that is outside then leaves the level.
    pub(super) fn shift_actors(&mut self, by: DVec3) {
        if by == DVec3::ZERO {
            return;
        }
        let by = by.round().as_i64vec3().to_array();
        let moved = |cell: Cell| -> Option<Cell> {
            let [x, y, z] = [0, 1, 2].map(|axis| u32::try_from(i64::from(cell[axis]) + by[axis]).ok());
            Some([x?, y?, z?])
        };
        let ids: Vec<CharacterId> = self.characters().iter().map(|character| character.id).collect();
        for who in ids {
            let Ok(actor) = self.actor(who) else { continue };
            let mut is_inside = moved(actor.cell).map(|cell| actor.cell = cell).is_some();
            if let Some(walk) = &mut actor.walk {
                let under_way = walk.under_way.as_mut().map(|(step, _)| &mut step.to);
                for cell in walk.steps.iter_mut().map(|(cell, _)| cell).chain(under_way) {
                    is_inside &= moved(*cell).map(|to| *cell = to).is_some();
                }
            }
            if !is_inside {
                let _ = self.remove_actor(who);
            }
        }
    }

    /// The level is another one. Actors keep their cells; those for which there is no room any more leave it, and so do
    /// all if the level is gone.
    pub(super) fn fit_actors(&mut self) {
        let ids: Vec<CharacterId> = self.characters().iter().map(|character| character.id).collect();
        for who in ids {
            let Some(actor) = self.characters.get(who).and_then(|c| c.actor.as_deref()) else { continue };
            let (cell, size, flies) = (actor.cell, actor.size, actor.flies);
            let has_room =
                self.tactics.as_ref().is_some_and(|field| field.landing(cell, size, flies).is_some());
            if !has_room {
                let _ = self.remove_actor(who);
            }
        }
        self.settle_all_actors();
    }

    /// The file says something else about an actor. It keeps its cell and what is left of its time units.
    pub(super) fn change_actor(&mut self, who: CharacterId, spec: &CharacterSpec) {
        match (&spec.actor, self.characters.get(who).and_then(|character| character.actor.as_deref())) {
            (Some(actor), Some(state)) => {
                let place = ActorPlace { cell: state.cell, actor: actor.clone() };
                let _ = self.place_actor(who, place); // a larger one may find no room: it stays as it was
            }
            (Some(_), None) => self.spawn_actor(who, spec),
            (None, _) => drop(self.remove_actor(who)),
        }
    }
}
