//! The results of all runs together.

use super::finding::{Finding, FindingKind};
use super::play::Played;
use super::{Action, Acts, Monkey};
use crate::room::Room;
use crate::world::stream;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The result of playing all seeds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MonkeyReport {
    /// The room's name.
    pub room: String,
    /// The numbers.
    pub summary: Summary,
    /// The findings, each once, with the seeds that show it.
    pub findings: Vec<Finding>,
    /// The monkey's actions, if there was one seed only: free play, then clicks alone if the room has goals.
    #[serde(skip)]
    pub actions: Vec<(Acts, Vec<Action>)>,
}

/// The numbers of a report.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Summary {
    /// Seeds played.
    pub seeds: u64,
    /// Runs, including those that searched for ways back to a goal.
    pub runs: u64,
    /// Game time of all of them, in seconds.
    pub game_seconds: f64,
    /// Actions of the monkey.
    pub actions: u64,
    /// Ended walks by reason.
    pub walks: BTreeMap<&'static str, u64>,
    /// Different states of the puzzle.
    pub states: u64,
    /// Runs with clicks alone, which check whether the goals can be reached.
    pub puzzle_runs: u64,
    /// Goals, and the number reached in some run.
    pub goals: (usize, usize),
    /// Runs that ended out of reach of a goal, where no continuation reached it, but too few were tried to be sure.
    pub unsettled: u64,
    /// Goals that some runs did not reach in the given time, though they can be reached.
    pub not_in_time: Vec<NotInTime>,
    /// One hash over the ends of all runs.
    pub hash: String,
}

/// A reachable goal that some runs missed for lack of time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NotInTime {
    /// Its name.
    pub goal: String,
    /// Runs with clicks alone that missed it.
    pub runs: u64,
    /// Runs with clicks alone in total.
    pub of: u64,
    /// The shortest time in which another run came within reach, in seconds of game time.
    pub took_s: f64,
}

/// The results so far.
#[derive(Default)]
pub(super) struct Gathered {
    summary: Summary,
    hash: u64,
    ticks: u64,
    seeds: BTreeSet<u64>,
    keys: BTreeSet<u64>,
    goals_reached: BTreeSet<usize>,
    findings: Vec<Finding>,
    actions: Vec<(Acts, Vec<Action>)>,
}

impl Gathered {
    pub(super) fn found_something(&self) -> bool {
        !self.findings.is_empty()
    }

    /// Adds the result of a run; takes all but its states.
    pub(super) fn take(&mut self, played: &mut Played, acts: Acts) {
        self.seeds.insert(played.seed);
        self.count(played.ticks);
        self.summary.actions += played.actions.len() as u64;
        for (end, count) in &played.walks {
            *self.summary.walks.entry(end).or_insert(0) += count;
        }
        self.hash = stream(self.hash ^ played.hash, "a run");
        self.summary.puzzle_runs += u64::from(!played.states.is_empty());
        self.keys.extend(played.states.iter().map(|state| state.key));
        for state in &played.states {
            self.note_reached(&state.reached);
        }
        std::mem::take(&mut played.findings).into_iter().for_each(|finding| self.find(finding));
        self.actions.push((acts, std::mem::take(&mut played.actions)));
    }

    /// Counts one more run of this many ticks.
    pub(super) fn count(&mut self, ticks: u64) {
        self.summary.runs += 1;
        self.ticks += ticks;
    }

    pub(super) fn note_unsettled(&mut self) {
        self.summary.unsettled += 1;
    }

    /// Replaces the entry of a goal.
    pub(super) fn note_in_time(&mut self, late: NotInTime) {
        self.summary.not_in_time.retain(|known| known.goal != late.goal);
        if late.runs > 0 {
            self.summary.not_in_time.push(late);
        }
    }

    pub(super) fn note_reached(&mut self, reached: &[bool]) {
        self.goals_reached.extend((0..reached.len()).filter(|&goal| reached[goal]));
    }

    /// The same thing in several seeds is one finding.
    pub(super) fn find(&mut self, finding: Finding) {
        let same = |known: &&mut Finding| {
            let alike = known.kind == finding.kind && kin(&known.who) == kin(&finding.who);
            alike
                && (!matches!(finding.kind, FindingKind::ScriptError | FindingKind::Locked)
                    || known.words == finding.words)
        };
        match self.findings.iter_mut().find(same) {
            Some(known) => {
                known.seeds.extend(finding.seeds);
                known.seeds.sort_unstable();
                known.seeds.dedup();
            }
            None => self.findings.push(finding),
        }
    }

    pub(super) fn into_report(mut self, monkey: &Monkey, room: &Room) -> MonkeyReport {
        self.summary.seeds = self.seeds.len() as u64;
        self.summary.game_seconds = self.ticks as f64 / f64::from(room.ticks_per_second);
        self.summary.states = self.keys.len() as u64;
        self.summary.goals = (room.goals.len(), self.goals_reached.len());
        self.summary.hash = format!("{:016x}", self.hash);
        let actions = if monkey.seeds == 1 { self.actions } else { Vec::new() };
        MonkeyReport { room: room.name.clone(), summary: self.summary, findings: self.findings, actions }
    }
}

/// Groups all passers-by under one name.
fn kin(who: &str) -> &str {
    if who.starts_with(super::act::PASSER) { super::act::PASSER } else { who }
}
