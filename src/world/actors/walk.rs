//! Walks of actors from cell to cell, a move after the other, and falls.

use crate::crowd::{ActorState, CellWalk, Character, CharacterId, WalkEnd, WalkId};
use crate::nav::Place;
use crate::room::Stance;
use crate::tactics::{Cell, Move, MoveKind};
use crate::world::limits::positive;
use crate::world::{CommandError, EventKind, World};
use std::sync::Arc;

/// Upper limit on the steps of one walk.
const MAX_STEPS: usize = 65_536;

impl World {
    /// Sends an actor from cell to cell. Each step must be a move from where the step before ends.
    pub(in crate::world) fn walk_cells(
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
    pub(in crate::world) fn end_cell_walk(&mut self, who: CharacterId, end: WalkEnd) -> bool {
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
    pub(in crate::world) fn move_actors(&mut self) {
        if self.tactics.is_none() {
            return;
        }
        let walks =
            |character: &&Character| character.actor.as_ref().is_some_and(|actor| actor.walk.is_some());
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
    pub(super) fn stand_on_cells(&mut self, who: CharacterId, towards: Option<(Cell, f64)>) {
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
    pub(super) fn drop_to_floor(&mut self, who: CharacterId) {
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
    pub(in crate::world) fn switch_brushes(&mut self, area: &str, available: bool) {
        let Some(field) = &mut self.tactics else { return };
        if !Arc::make_mut(field).set_area_available(area, available) {
            return;
        }
        self.drop_all_to_floor();
    }

    /// Lets all actors drop to the floor that stand in mid-air now.
    pub(in crate::world) fn drop_all_to_floor(&mut self) {
        let stands = |actor: &ActorState| actor.walk.is_none();
        let actors = self.characters().iter().filter(|c| c.actor.as_deref().is_some_and(stands));
        for who in actors.map(|character| character.id).collect::<Vec<_>>() {
            self.drop_to_floor(who);
        }
    }
}
