//! What was found, and how it is told.

use super::Action;
use crate::script::ScriptError;
use serde::Serialize;
use std::fmt;

/// What kind of thing was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Something in the code of the game itself gave up.
    Panic,
    /// A script failed.
    ScriptError,
    /// Somebody is where nobody can stand.
    Outside,
    /// Two who stand lie over each other and stay so, though there is room.
    Overlap,
    /// Somebody who could walk does not get on, and the walk does not end.
    Stuck,
    /// A walk lasts longer than any may.
    Endless,
    /// A walk whose end was told twice, or never.
    Untold,
    /// A goal can never be reached again.
    Locked,
    /// A goal was not reached by any way of playing.
    NeverReached,
}

impl Kind {
    /// In words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Panic => "panic",
            Self::ScriptError => "script error",
            Self::Outside => "outside",
            Self::Overlap => "overlap",
            Self::Stuck => "stuck",
            Self::Endless => "walk without end",
            Self::Untold => "walk told wrongly",
            Self::Locked => "puzzle locked",
            Self::NeverReached => "goal never reached",
        }
    }
}

/// Something that should not be, and the run that shows it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Finding {
    /// What kind of thing.
    pub kind: Kind,
    /// The first seed that shows it.
    pub seed: u64,
    /// All seeds that do, ascending.
    pub seeds: Vec<u64>,
    /// When.
    pub tick: u64,
    /// Seconds of game time.
    pub time: f64,
    /// Who, or which goal; a script's `file:line`.
    pub who: String,
    /// Where in metres, if it is at a place.
    pub at: Option<[f64; 2]>,
    /// In a sentence.
    pub words: String,
    /// The room's hash at that tick; empty for script errors, which are told when the run is over.
    pub hash: String,
    /// The room at that tick, in letters.
    pub picture: String,
    /// What the monkey did before, and what became of the player and of areas: the last things.
    pub before: Vec<String>,
    /// The command that shows it again.
    pub command: String,
}

/// So many of what the monkey did last are told, and so many of what happened.
const MOST_TOLD: usize = 8;

/// Something that happened in a run, in words.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Incident {
    pub(super) tick: u64,
    pub(super) time_s: f64,
    pub(super) words: String,
}

/// The last things the monkey did up to a tick, and those that happened, in their order.
pub(super) fn last_things(actions: &[Action], incidents: &[Incident], until_tick: u64) -> Vec<String> {
    let line = |time_s: f64, words: &dyn fmt::Display| format!("{time_s:7.2} s  {words}");
    let done: Vec<&Action> = actions.iter().filter(|action| action.tick <= until_tick).collect();
    let seen: Vec<&Incident> = incidents.iter().filter(|incident| incident.tick <= until_tick).collect();
    let done = done[done.len().saturating_sub(MOST_TOLD)..].iter();
    let seen = seen[seen.len().saturating_sub(MOST_TOLD)..].iter();
    let done = done.map(|action| (action.tick, line(action.time_s, &action.input)));
    let mut lines: Vec<(u64, String)> =
        done.chain(seen.map(|incident| (incident.tick, line(incident.time_s, &incident.words)))).collect();
    lines.sort_by_key(|&(tick, _)| tick);
    lines.into_iter().map(|(_, line)| line).collect()
}

/// The error of a script, without when and how often.
pub(super) fn place_of(error: &ScriptError) -> String {
    match error.file.as_str() {
        "" => "a script".to_owned(),
        file => format!("{file}:{}", error.line),
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.as_str(), self.who)?;
        if let Some([x, z]) = self.at {
            write!(f, " at ({x:.2}, {z:.2})")?;
        }
        writeln!(f, ": {}", self.words)?;
        write!(f, "  seed {}, {:.2} s (tick {})", self.seed, self.time, self.tick)?;
        if !self.hash.is_empty() {
            write!(f, ", hash {}", self.hash)?;
        }
        if let others @ 1.. = self.seeds.len().saturating_sub(1) {
            let list: Vec<String> = self.seeds.iter().skip(1).take(8).map(u64::to_string).collect();
            let more = if others > list.len() { ", …" } else { "" };
            write!(f, "; also {others} more: {}{more}", list.join(", "))?;
        }
        writeln!(f, "\n  again: {}", self.command)?;
        if !self.before.is_empty() {
            writeln!(f, "  before it:")?;
            self.before.iter().try_for_each(|line| writeln!(f, "    {line}"))?;
        }
        if !self.picture.is_empty() {
            writeln!(f)?;
            self.picture.lines().try_for_each(|line| writeln!(f, "    {line}"))?;
        }
        Ok(())
    }
}
