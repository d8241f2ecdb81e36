//! How long walkers that do not get on wait, and what is done about them then.

use super::holding::{HeldOut, held_out_of};
use super::link_lines::{Lines, tires_in_line};
use super::queues::{Queue, find_queues, lend_ranks};
use super::tick::Scratch;
use super::{Crossings, Near, World};
use crate::crowd::{
    AgentRow, Character, CharacterId, Pace, Replan, Stuck, WalkEnd, patience_ticks, watch_progress,
};
use crate::room::Room;

/// A walker that is held up by one that walks gives up after so many times its patience: before a door that people pass by
/// turns, some wait for half a minute.
const PATIENCE_WITH_WALKERS: u32 = 3;

/// So many who let each other pass in vain are alone.
const FEW: usize = 3;

/// A walker that does not get on, and the character because of which.
type HeldUp = (Stuck, Option<CharacterId>);

/// What a walker's patience depends on.
struct Watch<'a> {
    room: &'a Room,
    pace: Pace,
    lines: &'a Lines,
    rows: &'a [AgentRow],
    held_out: &'a [HeldOut],
}

impl World {
    /// Finds the walkers that do not get on, for [`World::help_the_stuck`].
    pub(super) fn watch_walks(&mut self) {
        let pace = self.pace();
        let Self {
            characters,
            near: Near { agents, .. },
            room,
            crossings: Crossings { lines, .. },
            scratch,
            ..
        } = self;
        let Scratch { queues, stuck, held_out, .. } = scratch;
        find_queues(characters, agents, &pace, queues);
        lend_ranks(characters, queues, &pace);
        let watch = Watch { room, pace, lines, rows: &agents.rows, held_out };
        let mut next_queue = queues.iter().peekable();
        for (place, character) in (0..).zip(characters.all_mut()) {
            let queue = next_queue.next_if(|queue| queue.place == place);
            match watch.look_at(place, character, queue) {
                (Stuck::No, _) => {}
                (verdict, by) => stuck.push((character.id, verdict, by)),
            }
        }
    }

    /// Lets those give up, give way or plan again that do not get on.
    pub(super) fn help_the_stuck(&mut self) {
        for index in 0..self.scratch.stuck.len() {
            let (who, verdict, by) = self.scratch.stuck[index];
            self.help(who, verdict, by);
        }
        self.scratch.stuck.clear();
    }

    fn help(&mut self, who: CharacterId, verdict: Stuck, by: Option<CharacterId>) {
        if verdict == Stuck::GiveUpIfAlone && self.is_among_more_than(FEW, who) {
            self.forgive(who);
            return;
        }
        if matches!(verdict, Stuck::Rearrange | Stuck::GiveUp | Stuck::GiveUpIfAlone) {
            let waits = self.is_rearranged(who) || by.is_some() && self.rearrange_around(who) != Some(false);
            if waits || verdict == Stuck::Rearrange {
                return;
            }
            let by = by.map(|id| self.name_of(id).to_owned());
            let door = || self.characters.get(who)?.walk.as_ref()?.held_up.closed_area.clone();
            let by = by.or_else(door);
            self.end_walk(who, WalkEnd::Blocked(by));
            return;
        }
        let by = by.filter(|_| verdict == Stuck::GiveWay);
        if !by.is_some_and(|by| self.make_way(who, by)) {
            self.request_replan(who, Replan::Stuck);
        }
    }
}

impl Watch<'_> {
    fn look_at(&self, place: u32, character: &mut Character, queue: Option<&Queue>) -> HeldUp {
        let Self { room, pace, lines, rows, held_out } = *self;
        let step_m = character.speed_mps() * pace.dt_s;
        let own = character.patience.map(|patience| patience_ticks(patience, room));
        let gives_up_after = own.unwrap_or(pace.gives_up_after);
        let Some(walk) = character.walk.as_mut().filter(|_| character.crossing.is_none()) else {
            return (Stuck::No, None);
        };
        walk.lent_rank = walk.lent_rank.and_then(|(rank, ticks)| Some((rank, ticks.checked_sub(1)?)));
        if lines.hold_m(character.id).is_some() {
            let gives_up = tires_in_line(walk, step_m) && gives_up_after.is_some();
            let verdict = if gives_up { Stuck::GiveUp } else { Stuck::No };
            return (verdict, walk.held_up.by.or(walk.held_up.before_by));
        }
        let row = &rows[place as usize];
        let moved_m = row.looks_ahead.then(|| row.position.at.distance(row.from));
        // One that lets a flow pass, waits before an area that closes, or keeps up with its companion is not stuck.
        let is_held_out = held_out_of(held_out, character.id).is_some();
        let waits = row.passage.lets_pass() || row.keeps_up || is_held_out;
        let ahead = if waits { Some(0) } else { queue.map(|queue| queue.idle_ticks) };
        walk.held_up.stands_ahead = walk.held_up.stands_ahead.filter(|_| !waits);
        // Others that walk may yet get on, as at a door that people pass by turns.
        let is_walker =
            |id| rows.binary_search_by_key(&id, |row| row.id).is_ok_and(|place| rows[place].has_errand);
        let is_tired = gives_up_after.is_some_and(|most| walk.progress.idle_ticks.saturating_add(1) >= most);
        let is_held_by_walker =
            walk.held_up.stands_ahead.is_none() && is_tired && walk.held_up.by.is_some_and(is_walker);
        let patience = if is_held_by_walker { PATIENCE_WITH_WALKERS } else { 1 };
        let gives_up_after = gives_up_after.map(|ticks| ticks.saturating_mul(patience));
        // Nobody lets the player wait.
        let yields_after = if character.traits.player { pace.replans_after } else { pace.yields_after };
        let pace = Pace { gives_up_after, yields_after, ..pace };
        let verdict = watch_progress(walk, character.position, step_m, moved_m, ahead, &room.crowd, &pace);
        let head = walk.held_up.stands_ahead.filter(|_| verdict == Stuck::GiveUp).map(|ahead| ahead.who);
        (verdict, head.or(walk.held_up.by).or(walk.held_up.before_by).or(walk.goal.up_to))
    }
}
