//! Actors of the room's tactical level: where they are put, their walks from cell to cell, and the turns of their sides.

use super::command_error::CommandError;
use super::limits::positive;
use super::{Applied, EventKind, World};
use crate::crowd::{ActorState, CellWalk, CharacterId, WalkEnd, WalkId};
use crate::nav::Place;
use crate::problem::did_you_mean;
use crate::room::{ActorSpec, CharacterSpec, Room, Stance};
use crate::tactics::{Cell, Move, MoveKind, TacticalField};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Upper limit on the steps of one walk.
const MAX_STEPS: usize = 65_536;

/// The turn of a side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SideTurn {
    /// The side whose turn it is.
    pub side: String,
    /// The round, from 1. Another round begins after the last side.
    pub round: u32,
}

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

/// The cell of an actor in a room file.
fn start_cell(field: &TacticalField, spec: &CharacterSpec, actor: &ActorSpec) -> Option<Cell> {
    let cell = field.cell_under(spec.at.at, actor.level, actor.size)?;
    field.landing(cell, actor.size, actor.flies)
}

/// What is wrong with the tactical level of a room and with its actors: the index of the character, if it is one's fault,
/// what is wrong, and a hint.
pub fn check_actors(room: &Room) -> Vec<(Option<usize>, String, Option<String>)> {
    let is_open = |name: &str| room.areas.iter().any(|area| area.name == name && area.available);
    let Some(field) = field_of(room, is_open) else { return Vec::new() };
    if !field.has_floor() {
        let message = "the tactical level has no floor: nobody can stand anywhere".to_owned();
        return vec![(None, message, Some("a floor is the top of a brush with room above it".into()))];
    }
    let mut taken: BTreeMap<Cell, &str> = BTreeMap::new();
    let mut faults = Vec::new();
    for (index, spec) in room.characters.iter().enumerate() {
        let Some(actor) = &spec.actor else { continue };
        let Some(cell) = start_cell(&field, spec, actor) else {
            let message = format!("'{}' starts in a wall, or where no floor is", spec.name);
            let hint = match field.cell_under(spec.at.at, actor.level, actor.size) {
                Some([x, y, level]) => format!("there is no room for it at cell {x}, {y} on level {level}"),
                None => {
                    let [width, depth, levels] = field.size();
                    format!(
                        "the level has {width} × {depth} cells of {} m on {levels} levels",
                        field.cell_m()
                    )
                }
            };
            faults.push((Some(index), message, Some(hint)));
            continue;
        };
        let mut other = None;
        for cell in ActorState::cells_of(cell, actor.size) {
            other = other.or(taken.insert(cell, &spec.name));
        }
        if let Some(other) = other {
            let [x, y, level] = cell;
            let message = format!("'{}' starts on the cell of '{other}'", spec.name);
            faults.push((Some(index), message, Some(format!("it is cell {x}, {y} on level {level}"))));
        }
    }
    faults
}

impl World {
    /// The traced tactical level of the room, if it has one, with its doors as they are now.
    pub fn tactics(&self) -> Option<&TacticalField> {
        self.tactics.as_deref()
    }

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

    /// The cells of all actors that are alive and enabled, but for one.
    pub fn cells_of_others(&self, who: CharacterId) -> Vec<Cell> {
        let others = self.characters().iter().filter(|other| other.id != who && other.is_active());
        others.filter_map(|other| other.actor.as_deref()).flat_map(ActorState::cells).collect()
    }

    /// Who else is on one of the cells that an actor would be on.
    fn in_the_way(&self, who: CharacterId, cell: Cell, size: u32) -> Option<CharacterId> {
        let is_there = |actor: &ActorState| {
            ActorState::cells_of(cell, size).any(|cell| actor.cells().any(|other| other == cell))
        };
        let others = self.characters().iter().filter(|other| other.id != who && other.is_active());
        others.into_iter().find(|other| other.actor.as_deref().is_some_and(is_there)).map(|other| other.id)
    }

    /// Makes a new character the actor that its description says it is.
    pub(super) fn spawn_actor(&mut self, who: CharacterId, spec: &CharacterSpec) {
        let (Some(actor), Some(field)) = (&spec.actor, &self.tactics) else { return };
        if let Some(cell) = start_cell(field, spec, actor) {
            let place = ActorPlace { cell, actor: actor.clone() };
            // Taken cells are faults of the file, which are reported when it is opened.
            let _ = self.place_actor(who, place);
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
        let size = spec.size.clamp(1, 2);
        let cell = field.landing(cell, size, spec.flies).ok_or(CommandError::NoRoomForActor(cell))?;
        if let Some(other) = self.in_the_way(who, cell, size) {
            return Err(CommandError::CellTaken(cell, self.name_of(other).to_owned()));
        }
        self.call_off(who, WalkEnd::Cancelled);
        self.leave_link(who, true);
        let tu = self.present(who)?.actor.as_ref().map_or(spec.budget, |actor| actor.tu.min(spec.budget));
        let (stance, flies, budget) = (spec.stance, spec.flies, spec.budget);
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
        if changed && actor.walk.is_none() {
            self.drop_to_floor(who);
        }
        Ok(Applied::Changed(changed))
    }

    fn actor(&mut self, who: CharacterId) -> Result<&mut ActorState, CommandError> {
        let name = self.name_of(who).to_owned();
        self.present(who)?.actor.as_deref_mut().ok_or(CommandError::NoActor(name))
    }

    /// Sends an actor from cell to cell. Each step must be a move from where the step before ends.
    pub(super) fn walk_cells(
        &mut self,
        who: CharacterId,
        mut steps: Vec<(Cell, Stance)>,
        cells_per_s: f64,
    ) -> Result<WalkId, CommandError> {
        positive("the speed", cells_per_s, false)?;
        let field = self.tactics.clone().ok_or(CommandError::NoTactics)?;
        let &mut ActorState { mut cell, size, mut stance, flies, .. } = self.actor(who)?;
        if steps.len() > MAX_STEPS {
            return Err(CommandError::BadSteps(format!("a walk has at most {MAX_STEPS} steps")));
        }
        for (number, &(to, after)) in (1..).zip(&steps) {
            let moves = field.moves(cell, stance, size, flies);
            if !moves.iter().any(|step| (step.to, step.stance) == (to, after)) {
                let [[x, y, z], [to_x, to_y, to_z]] = [cell, to];
                return Err(CommandError::BadSteps(format!(
                    "step {number} of the path is no move: from {x}, {y} on level {z} to {to_x}, {to_y} on level {to_z}, {}",
                    after.as_str()
                )));
            }
            (cell, stance) = (to, after);
        }
        self.call_off(who, WalkEnd::Cancelled);
        steps.reverse();
        let id = self.next_walk_id();
        let ticks_a_cell = self.ticks_of(1.0 / cells_per_s).clamp(1, 1_000_000) as u32;
        let walk = CellWalk { id, began_tick: self.tick, ticks_a_cell, steps, under_way: None };
        self.actor(who)?.walk = Some(walk);
        self.present(who)?.last_errand = Some(id);
        if !self.present(who)?.is_active() {
            self.end_cell_walk(who, WalkEnd::Cancelled);
        }
        Ok(id)
    }

    /// Ends a walk from cell to cell. Returns whether there was one.
    pub(super) fn end_cell_walk(&mut self, who: CharacterId, end: WalkEnd) -> bool {
        let Some(walk) = self.characters.get_mut(who).and_then(|c| c.actor.as_deref_mut()?.walk.take())
        else {
            return false;
        };
        self.drop_to_floor(who);
        self.stand_on_cells(who, None);
        self.post_here(who);
        let at = self.characters.get(who).map_or_else(Place::default, |c| self.ground.place_of(c.position));
        self.tell_end(who, walk.id, at, walk.began_tick, end);
        true
    }

    /// Moves all actors that walk, by one tick.
    pub(super) fn move_actors(&mut self) {
        if self.tactics.is_none() {
            return;
        }
        let walks = |character: &&crate::crowd::Character| {
            character.actor.as_ref().is_some_and(|actor| actor.walk.is_some())
        };
        let walkers: Vec<CharacterId> = self.characters().iter().filter(walks).map(|c| c.id).collect();
        for who in walkers {
            // Falls of no length end where they begin, so several steps may end in one tick.
            while self.step_actor(who) {}
        }
    }

    /// Goes on with an actor's walk. Returns whether another step may begin in this tick.
    fn step_actor(&mut self, who: CharacterId) -> bool {
        let now = self.tick + 1;
        let Some(actor) = self.characters.get(who).and_then(|c| c.actor.as_deref()) else { return false };
        let Some(walk) = &actor.walk else { return false };
        match walk.under_way {
            Some((step, [began, ends])) if now < ends => {
                let share = (now - began) as f64 / (ends - began) as f64;
                self.stand_on_cells(who, Some((step.to, share)));
                false
            }
            Some((step, _)) => {
                self.finish_step(who, step);
                true
            }
            None => self.begin_step(who),
        }
    }

    fn finish_step(&mut self, who: CharacterId, step: Move) {
        let Ok(actor) = self.actor(who) else { return };
        (actor.cell, actor.stance) = (step.to, step.stance);
        actor.tu = actor.tu.saturating_sub(step.tu);
        if let Some(walk) = &mut actor.walk {
            walk.under_way = None;
        }
        self.stand_on_cells(who, None);
        self.emit(EventKind::Stepped { who, step });
    }

    /// Begins the next step of a walk, or ends the walk.
    fn begin_step(&mut self, who: CharacterId) -> bool {
        let Some(field) = self.tactics.clone() else { return false };
        let Some(actor) = self.characters.get(who).and_then(|c| c.actor.as_deref()) else { return false };
        let Some(walk) = &actor.walk else { return false };
        let Some(&next) = walk.steps.last() else {
            self.end_cell_walk(who, WalkEnd::Arrived);
            return false;
        };
        let moves = field.moves(actor.cell, actor.stance, actor.size, actor.flies);
        let leads = moves.iter().filter(|step| (step.to, step.stance) == next);
        let Some(&step) = leads.min_by_key(|step| step.tu) else {
            // A door has closed, or what was walked on is gone.
            self.end_cell_walk(who, WalkEnd::Blocked(None));
            return false;
        };
        if step.tu > actor.tu {
            self.end_cell_walk(who, WalkEnd::Partial);
            return false;
        }
        if let Some(other) = self.in_the_way(who, step.to, actor.size).filter(|_| step.to != actor.cell) {
            let name = self.name_of(other).to_owned();
            self.end_cell_walk(who, WalkEnd::Blocked(Some(name)));
            return false;
        }
        let now = self.tick + 1;
        // Half a second more on a diagonal at a cell a second, and quick falls.
        let halves = match step.kind {
            MoveKind::Walk(direction) | MoveKind::Fly(direction) if direction >= 4 => 3,
            MoveKind::Fall | MoveKind::Crouch | MoveKind::Stand => 1,
            _ => 2,
        };
        let ticks = (u64::from(walk.ticks_a_cell) * halves).div_ceil(2).max(1);
        let direction = step.kind.direction();
        let began = self.tick;
        if let Ok(ActorState { walk: Some(walk), .. }) = self.actor(who) {
            walk.steps.pop();
            walk.under_way = Some((step, [began, began + ticks]));
        }
        if let (Some([dx, dy]), Some(character)) = (direction, self.characters.get_mut(who)) {
            character.heading_rad = libm::atan2(f64::from(dy), f64::from(dx));
        }
        now >= began + ticks
    }

    /// Puts a character where its cell is, or on the way to another one.
    fn stand_on_cells(&mut self, who: CharacterId, towards: Option<(Cell, f64)>) {
        let (Some(field), Some(character)) = (&self.tactics, self.characters.get_mut(who)) else { return };
        let Some(actor) = &character.actor else { return };
        let mut at = field.middle_m(actor.cell, actor.size);
        if let Some((to, share)) = towards {
            at = at.lerp(field.middle_m(to, actor.size), share);
        }
        // On ground that does not lead there, the character is seen where it was.
        let position = self.ground.locate(Place::from(at));
        if self.ground.is_walkable(position) {
            character.position = position;
        }
    }

    /// Lets an actor in mid-air drop to the floor, a cell after the other.
    fn drop_to_floor(&mut self, who: CharacterId) {
        let Some(field) = self.tactics.clone() else { return };
        while let Some(actor) = self.characters.get(who).and_then(|c| c.actor.as_deref()) {
            if field.is_place(actor.cell, actor.size, actor.flies) {
                return;
            }
            let moves = field.moves(actor.cell, actor.stance, actor.size, actor.flies);
            // In a wall it stays: a door has closed over it.
            let Some(&step) = moves.iter().find(|step| step.kind == MoveKind::Fall) else { return };
            self.finish_step(who, step);
        }
    }

    /// An area has opened or closed: its brushes follow, and who stood on them falls.
    pub(super) fn switch_brushes(&mut self, area: &str, available: bool) {
        let Some(field) = &mut self.tactics else { return };
        if !Arc::make_mut(field).set_area_available(area, available) {
            return;
        }
        self.drop_all_to_floor();
    }

    /// Lets all actors drop to the floor that stand in mid-air now.
    pub(super) fn drop_all_to_floor(&mut self) {
        let stands = |actor: &ActorState| actor.walk.is_none();
        let actors = self.characters().iter().filter(|c| c.actor.as_deref().is_some_and(stands));
        for who in actors.map(|character| character.id).collect::<Vec<_>>() {
            self.drop_to_floor(who);
        }
    }

    /// Begins the turn of a side, or of the next one. Its actors get their TU.
    pub(super) fn begin_turn(&mut self, side: Option<String>) -> Result<Applied, CommandError> {
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

/// Reloading.
impl World {
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
        self.drop_all_to_floor();
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
