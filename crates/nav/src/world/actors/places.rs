//! Free places for actors: who falls, comes back to life or is shut in by a door is put on the nearest one.

use crate::crowd::{ActorState, Character, CharacterId};
use crate::room::Facing;
use crate::tactics::{Actor, Cell, TacticalField};
use crate::world::{CommandError, EventKind, Setting, World};

impl World {
    /// What an actor asks the level: what it is, what it may spend, where it looks, and where others are. `None` for a
    /// character that is no actor.
    pub fn cell_query(&self, who: CharacterId) -> Option<Actor> {
        let character = self.characters.get(who)?;
        let actor = character.actor.as_deref()?;
        let query = Actor::new(actor.stance, actor.tu).flying(actor.flies);
        let facing = Facing::of_heading(character.heading_rad);
        Some(query.facing(facing).around(self.cells_of_others(who)))
    }

    /// The cells of all actors that are alive and enabled, but for one.
    pub fn cells_of_others(&self, who: CharacterId) -> Vec<Cell> {
        let others = self.characters().iter().filter(|other| other.id != who && other.is_active());
        others.filter_map(|other| other.actor.as_deref()).flat_map(ActorState::cells).collect()
    }

    /// Who else is on one of the cells that an actor would be on.
    pub(super) fn in_the_way(&self, who: CharacterId, cell: Cell, size: u32) -> Option<CharacterId> {
        let is_there = |actor: &ActorState| {
            ActorState::cells_of(cell, size).any(|cell| actor.cells().any(|other| other == cell))
        };
        let mut others = self.characters().iter().filter(|other| other.id != who && other.is_active());
        others.find(|other| other.actor.as_deref().is_some_and(is_there)).map(|other| other.id)
    }

    /// Whether an actor can be where it is: not in a wall, and on nobody's cell.
    fn is_well_put(&self, who: CharacterId, field: &TacticalField, actor: &ActorState) -> bool {
        let is_place = field.landing(actor.cell, actor.size, actor.flies) == Some(actor.cell);
        is_place && self.in_the_way(who, actor.cell, actor.size).is_none()
    }

    /// Lets an actor drop to the floor if it is in mid-air. If another one is there, or a wall, it goes to the nearest
    /// free place. Without one it stays.
    pub(super) fn settle_actor(&mut self, who: CharacterId) {
        self.drop_to_floor(who);
        let (Some(field), Some(character)) = (&self.tactics, self.characters.get(who)) else { return };
        let Some(actor) = character.actor.as_deref().filter(|_| character.is_active()) else { return };
        if self.is_well_put(who, field, actor) {
            return;
        }
        if let Some(cell) = nearest_place(field, actor, self.cells_of_others(who)) {
            self.move_to_cell(who, cell);
        }
    }

    /// Lets all actors drop to the floor that stand in mid-air now. Those on a walk go on.
    pub(super) fn settle_all_actors(&mut self) {
        let stands = |actor: &ActorState| actor.walk.is_none();
        let actors = self.characters().iter().filter(|c| c.actor.as_deref().is_some_and(stands));
        for who in actors.map(|character| character.id).collect::<Vec<_>>() {
            self.settle_actor(who);
        }
    }

    /// Puts an actor on a cell that is free, since it cannot be where it was.
    pub(super) fn move_to_cell(&mut self, who: CharacterId, cell: Cell) {
        let Ok(actor) = self.actor(who) else { return };
        actor.cell = cell;
        self.stand_on_cells(who, None);
        self.post_here(who);
        if let Some(to) = self.characters.get(who).map(|character| character.position) {
            self.emit(EventKind::Evicted { who, to });
        }
    }

    /// Where a dead or disabled actor is to stand if a setting brings it back: another one may have taken its cell. `None`
    /// if it comes back where it is, or does not come back.
    pub(in crate::world) fn place_to_come_back(
        &self,
        character: &Character,
        setting: &Setting,
    ) -> Result<Option<Cell>, CommandError> {
        let comes_back = match setting {
            Setting::Alive(alive) => *alive && character.enabled,
            Setting::Enabled(enabled) => *enabled && character.alive,
            _ => false,
        };
        let (Some(field), Some(actor)) = (&self.tactics, character.actor.as_deref()) else { return Ok(None) };
        if !comes_back || character.is_active() || self.is_well_put(character.id, field, actor) {
            return Ok(None);
        }
        let place = nearest_place(field, actor, self.cells_of_others(character.id));
        place.map(Some).ok_or_else(|| CommandError::NoFreePlace(character.name.clone()))
    }

    /// Puts an actor that came back to life where [`World::place_to_come_back`] says.
    pub(in crate::world) fn come_back(&mut self, who: CharacterId, place: Option<Cell>) {
        if let Some(cell) = place {
            self.move_to_cell(who, cell);
        }
    }
}

/// The place nearest to an actor's cell on which it fits, and that is none of these cells.
pub(super) fn nearest_place(field: &TacticalField, actor: &ActorState, taken: Vec<Cell>) -> Option<Cell> {
    let query = Actor::new(actor.stance, 0).flying(actor.flies).around(taken);
    field.nearest_place(actor.cell, actor.size, &query)
}
