//! Areas that switch brushes: who stands on them falls, who is where a door closes makes room.

use super::places::nearest_place;
use crate::crowd::{ActorState, CharacterId, WalkEnd};
use crate::tactics::{Cell, TacticalField};
use crate::world::World;
use std::collections::BTreeMap;
use std::sync::Arc;

/// An actor that a door would shut in, and its new place. The dead may find none.
pub(in crate::world) type ShutIn = (CharacterId, Option<Cell>);

impl World {
    /// Takes the brushes of an area away: who stood on them falls.
    pub(in crate::world) fn open_brushes(&mut self, area: &str) {
        if self.set_brushes(area, true) {
            self.settle_all_actors();
        }
    }

    /// Puts the brushes of an area there. Returns the actors that are in them now, with new places. `None`, and nothing has
    /// changed, if the area `holds` and one is in the way, or if one finds no place.
    pub(in crate::world) fn close_brushes(&mut self, area: &str, holds: bool) -> Option<Vec<ShutIn>> {
        let before = self.footings();
        if !self.set_brushes(area, false) {
            return Some(Vec::new());
        }
        let places = self.places_of_shut_in(holds, &before);
        if places.is_none() {
            self.set_brushes(area, true);
        }
        places
    }

    /// Undoes [`World::close_brushes`], whose actors have not been moved.
    pub(in crate::world) fn undo_closing(&mut self, area: &str) {
        self.set_brushes(area, true);
    }

    /// Moves actors to the places that [`World::close_brushes`] found.
    pub(in crate::world) fn move_shut_in(&mut self, shut_in: Vec<ShutIn>) {
        for (who, place) in shut_in {
            let is_there = |place| {
                let actor = self.characters.get(who).and_then(|character| character.actor.as_deref());
                actor.is_some_and(|actor| actor.cell == place)
            };
            if let Some(place) = place.filter(|&place| !is_there(place)) {
                self.move_to_cell(who, place);
            }
            self.end_cell_walk(who, WalkEnd::Blocked(None));
        }
        self.settle_all_actors();
    }

    fn set_brushes(&mut self, area: &str, available: bool) -> bool {
        let Some(field) = &mut self.tactics else { return false };
        Arc::make_mut(field).set_area_available(area, available)
    }

    /// How all actors stand in their cells, and in those that they are on the way to.
    fn footings(&self) -> Footings {
        let Some(field) = &self.tactics else { return Footings::new() };
        let actors = self.characters().iter().filter_map(|c| Some((c.id, c.actor.as_deref()?)));
        let cells = actors.flat_map(|(who, actor)| cells_of(actor).map(move |cell| (who, actor, cell)));
        let footing = |(who, actor, cell): (CharacterId, &ActorState, Cell)| {
            Some(((who, cell), field.footing(cell, actor.size, actor.flies, actor.stance)?))
        };
        cells.filter_map(footing).collect()
    }

    fn places_of_shut_in(&self, holds: bool, before: &Footings) -> Option<Vec<ShutIn>> {
        let Some(field) = &self.tactics else { return Some(Vec::new()) };
        let actors = || self.characters().iter().filter_map(|c| Some((c, c.actor.as_deref()?)));
        let (shut_in, others): (Vec<_>, Vec<_>) = actors().partition(|(c, actor)| {
            cells_of(actor).any(|cell| !has_room(field, (c.id, actor), cell, before))
        });
        if holds && shut_in.iter().any(|(character, _)| character.is_active()) {
            return None;
        }
        let stay = others.iter().filter(|(character, _)| character.is_active());
        let mut taken: Vec<Cell> = stay.flat_map(|(_, actor)| actor.cells()).collect();
        let mut places = Vec::new();
        for (character, actor) in shut_in {
            // A walk that is cut off ends where its step began, if that is no wall.
            let is_free =
                |cell: Cell| ActorState::cells_of(cell, actor.size).all(|cell| !taken.contains(&cell));
            let place = if has_room(field, (character.id, actor), actor.cell, before) && is_free(actor.cell) {
                Some(actor.cell)
            } else {
                // Not on top of what has closed.
                let place = nearest_place(field, actor, taken.clone());
                let elsewhere =
                    || nearest_place(field, actor, taken.iter().copied().chain(actor.cells()).collect());
                if place == Some(actor.cell) { elsewhere() } else { place }
            };
            if character.is_active() {
                taken.extend(ActorState::cells_of(place?, actor.size));
            }
            places.push((character.id, place));
        }
        Some(places)
    }
}

/// For actors and cells, where the feet are, and whether the actor fits there.
type Footings = BTreeMap<(CharacterId, Cell), (i32, bool)>;

/// The cell of an actor, and that it is on the way to.
fn cells_of(actor: &ActorState) -> impl Iterator<Item = Cell> {
    let goes_to = actor.walk.as_ref().and_then(|walk| walk.under_way).map(|(step, _)| step.to);
    std::iter::once(actor.cell).chain(goes_to)
}

/// Whether an actor is still as it was in a cell: on the same floor or a lower one, and with the room that it had.
fn has_room(
    field: &TacticalField,
    (who, actor): (CharacterId, &ActorState),
    cell: Cell,
    before: &Footings,
) -> bool {
    let now = field.footing(cell, actor.size, actor.flies, actor.stance);
    now.is_some_and(|(feet, fits)| {
        before.get(&(who, cell)).is_none_or(|&(had_feet, did_fit)| feet <= had_feet && (fits || !did_fit))
    })
}
