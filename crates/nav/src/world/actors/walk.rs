//! Walks of actors from cell to cell, a move after the other, and falls.

use crate::crowd::{ActorState, CellWalk, Character, CharacterId, WalkEnd, WalkId};
use crate::nav::Place;
use crate::room::{MAX_COORDINATE_M, Stance};
use crate::tactics::{Actor, Cell, Move, MoveKind};
use crate::world::{CommandError, EventKind, World};

/// Upper limit on the steps of one walk.
pub(super) const MAX_STEPS: usize = 65_536;

/// The lowest speed of a walk: a cell a minute. A slower one would look like one that never ends.
const LEAST_CELLS_PER_S: f64 = 1.0 / 60.0;

impl World {
    /// Sends an actor from cell to cell. Each step must be a move from where the step before ends.
    pub(in crate::world) fn walk_cells(
        &mut self,
        who: CharacterId,
        mut steps: Vec<(Cell, Stance)>,
        cells_per_s: f64,
    ) -> Result<WalkId, CommandError> {
        if !(LEAST_CELLS_PER_S..=MAX_COORDINATE_M).contains(&cells_per_s) {
            return Err(CommandError::BadNumber(format!(
                "the speed must be from {LEAST_CELLS_PER_S:.4} (a cell a minute) to {MAX_COORDINATE_M} cells a second, not \
                 {cells_per_s}"
            )));
        }
        let field = self.tactics.clone().ok_or(CommandError::NoTactics)?;
        let &mut ActorState { cell: from, size, stance, flies, .. } = self.actor(who)?;
        let mut actor = Actor::new(stance, 0).flying(flies);
        if steps.len() > MAX_STEPS {
            return Err(CommandError::BadSteps(format!("a walk has at most {MAX_STEPS} steps")));
        }
        // In mid-fall it first drops to the floor. A path may begin with that fall.
        let mut cell = field.landing(from, size, flies).unwrap_or(from);
        let is_of_fall =
            |(level, step): &(u32, (Cell, Stance))| *step == ([from[0], from[1], *level], actor.stance);
        let falls = (cell[2]..from[2]).rev().zip(steps.iter().copied()).take_while(is_of_fall).count();
        if falls == (from[2] - cell[2]) as usize {
            steps.drain(..falls);
        }
        for (number, &(to, after)) in (1..).zip(&steps) {
            let moves = field.moves(cell, size, &actor);
            if !moves.iter().any(|step| (step.to, step.stance) == (to, after)) {
                let [[x, y, z], [to_x, to_y, to_z]] = [cell, to];
                return Err(CommandError::BadSteps(format!(
                    "step {number} of the path is no move: from {x}, {y} on level {z} to {to_x}, {to_y} on level {to_z}, {}",
                    after.as_str()
                )));
            }
            (cell, actor.stance) = (to, after);
        }
        self.call_off(who, WalkEnd::Cancelled);
        self.set_out_over_cells(who, steps, cells_per_s)
    }

    /// Lets an actor crouch or stand up. Where it cannot, in the air or under a low ceiling, the walk ends as blocked.
    pub(in crate::world) fn take_stance(
        &mut self,
        who: CharacterId,
        stance: Stance,
    ) -> Result<WalkId, CommandError> {
        self.actor(who)?;
        self.call_off(who, WalkEnd::Cancelled);
        let actor = self.actor(who)?;
        let steps = if actor.stance == stance { Vec::new() } else { vec![(actor.cell, stance)] };
        let cells_per_s = self.usual_cells_per_s(who);
        self.set_out_over_cells(who, steps, cells_per_s)
    }

    /// How many cells an actor walks in a second if nobody says it: as fast as it walks over the ground.
    pub fn usual_cells_per_s(&self, who: CharacterId) -> f64 {
        let cell_m = self.tactics.as_ref().map_or(1.0, |field| field.cell_m());
        let walk_speed_mps = self.characters.get(who).map_or(1.0, |character| character.walk_speed_mps);
        (walk_speed_mps.max(0.1) / cell_m).clamp(LEAST_CELLS_PER_S, MAX_COORDINATE_M)
    }

    fn set_out_over_cells(
        &mut self,
        who: CharacterId,
        mut steps: Vec<(Cell, Stance)>,
        cells_per_s: f64,
    ) -> Result<WalkId, CommandError> {
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
        self.stand_on_cells(who, None);
        self.settle_actor(who);
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
            Some((step, [_, ends])) if now < ends => {
                let share = walk.share(now);
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
        let (from, size) = (actor.cell, actor.size);
        let Some(query) = self.cell_query(who) else { return false };
        let moves = field.moves(from, size, &query);
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
        let facing = match step.kind {
            MoveKind::ClimbUp | MoveKind::ClimbDown => field.ladder_facing(from, size),
            MoveKind::Fall => field.ladder_facing(step.to, size),
            _ => None,
        };
        if let (Some(facing), Some(character)) = (facing, self.characters.get_mut(who)) {
            character.heading_rad = facing.heading_rad();
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
        if self.ground.of(character.class).is_walkable(position) {
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
            let query = Actor::new(actor.stance, 0).flying(actor.flies);
            let moves = field.moves(actor.cell, actor.size, &query);
            // In a wall it stays: a door has closed over it.
            let Some(&step) = moves.iter().find(|step| step.kind == MoveKind::Fall) else { return };
            self.finish_step(who, step);
        }
    }

    /// Whether an actor is in mid-fall.
    pub(super) fn is_falling(&self, who: CharacterId) -> bool {
        let (Some(field), Some(character)) = (&self.tactics, self.characters.get(who)) else { return false };
        let Some(actor) = character.actor.as_deref() else { return false };
        let under_way = actor.walk.as_ref().and_then(|walk| walk.under_way);
        let is_at_it = under_way.is_some_and(|(step, _)| step.kind == MoveKind::Fall);
        is_at_it || field.landing(actor.cell, actor.size, false).is_some_and(|floor| floor != actor.cell)
    }

    /// The height of an actor's feet in metres, on the way from one cell to the next, too. `None` if it is none.
    pub(in crate::world) fn feet_m(&self, character: &Character) -> Option<f64> {
        let (field, actor) = (self.tactics.as_ref()?, character.actor.as_deref()?);
        let here_m = field.feet_m(actor.cell, actor.size)?;
        let step = actor.walk.as_ref().and_then(|walk| Some((walk.under_way?.0, walk.share(self.tick))));
        let Some((step, share)) = step else { return Some(here_m) };
        let there_m = field.feet_m(step.to, actor.size).unwrap_or(here_m);
        Some(here_m + (there_m - here_m) * share)
    }
}
