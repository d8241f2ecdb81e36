//! Findings and their texts.

use super::Action;
use crate::script::ScriptError;
use serde::Serialize;
use std::fmt;

/// The kinds of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FindingKind {
    /// A panic in the code of the game itself.
    Panic,
    /// A script failed.
    ScriptError,
    /// A character is where no character can stand.
    Outside,
    /// Two standing characters overlap and stay so, though there is room.
    Overlap,
    /// A character that could walk makes no progress, and its walk does not end.
    Stuck,
    /// A walk lasts longer than its limit.
    Endless,
    /// A walk whose end was reported twice, or never.
    EndMisreported,
    /// A goal can never be reached again.
    Locked,
    /// A goal that no run reached.
    NeverReached,
}

impl FindingKind {
    /// The kind as text.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Panic => "panic",
            Self::ScriptError => "script error",
            Self::Outside => "outside",
            Self::Overlap => "overlap",
            Self::Stuck => "stuck",
            Self::Endless => "walk without end",
            Self::EndMisreported => "walk told wrongly",
            Self::Locked => "puzzle locked",
            Self::NeverReached => "goal never reached",
        }
    }
}

/// A violated rule, and the run that shows it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Finding {
    /// The kind of finding.
    pub kind: FindingKind,
    /// The first seed that shows it.
    pub seed: u64,
    /// All seeds that show it, ascending.
    pub seeds: Vec<u64>,
    /// The tick of the finding.
    pub tick: u64,
    /// Seconds of game time.
    pub time: f64,
    /// The character or the goal; for a script, `file:line`.
    pub who: String,
    /// The place in metres, if it has one.
    pub at: Option<[f64; 2]>,
    /// The finding in a sentence.
    pub words: String,
    /// The room's hash at that tick; empty for script errors, which are reported after the run.
    pub hash: String,
    /// A text picture of the room at that tick.
    pub picture: String,
    /// The last actions of the monkey before it, and the last incidents of the player and of areas.
    pub before: Vec<String>,
    /// The command that reproduces it.
    pub command: String,
}

/// Upper limits on the actions and on the incidents in a report.
const MOST_TOLD: usize = 8;

/// An incident of a run, as text.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Incident {
    pub(super) tick: u64,
    pub(super) time_s: f64,
    pub(super) words: String,
}

/// The monkey's last actions up to a tick and the last incidents, in order.
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

/// A script error without its times and count.
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
