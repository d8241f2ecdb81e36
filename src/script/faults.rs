//! Handlers that fail: how often in a row, and which are switched off for it.

use super::owner::Owner;
use crate::crowd::CharacterId;
use std::collections::BTreeMap;

/// A handler that fails so often in a row is switched off. One bad event must not cost a room its handler, and a handler that
/// always fails must not cost the game an error a tick.
pub(super) const MOST_IN_A_ROW: u32 = 10;

/// A handler that is not called any more, until a reload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SwitchedOff {
    /// Whose handler: a character, or the room if there is none.
    pub character: Option<CharacterId>,
    /// The character's name, or `the room`.
    pub who: String,
    /// The script it belongs to, project-relative.
    pub file: String,
    /// The event: `on_talk`, say. `run` is a sequence that ended with an error.
    pub event: String,
    /// The last error, with its place, and why it was the last.
    pub why: String,
    /// When, in ticks.
    pub tick: u64,
}

/// The handlers that failed since they last went well.
#[derive(Default)]
pub(super) struct Faults(BTreeMap<(Owner, String), Fault>);

struct Fault {
    in_a_row: u32,
    off: Option<Off>,
}

/// Why a handler is off, and since when.
pub(super) struct Off {
    pub(super) file: String,
    pub(super) why: String,
    pub(super) tick: u64,
}

impl Faults {
    /// Whether every handler went well when it was called last.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn is_off(&self, owner: Owner, event: &str) -> bool {
        !self.0.is_empty() && self.0.get(&(owner, event.to_owned())).is_some_and(|fault| fault.off.is_some())
    }

    /// A handler went well: its failures before do not count any more.
    pub(super) fn went_well(&mut self, owner: Owner, event: &str) {
        if !self.0.is_empty() {
            self.0.remove(&(owner, event.to_owned()));
        }
    }

    /// A handler failed; gives how often in a row by now.
    pub(super) fn failed(&mut self, owner: Owner, event: &str) -> u32 {
        let fault = self.0.entry((owner, event.to_owned())).or_insert(Fault { in_a_row: 0, off: None });
        fault.in_a_row += 1;
        fault.in_a_row
    }

    pub(super) fn switch_off(&mut self, owner: Owner, event: &str, off: Off) {
        let fault = self.0.entry((owner, event.to_owned())).or_insert(Fault { in_a_row: 0, off: None });
        fault.off = Some(off);
    }

    /// Those that are off, in order of owner and event.
    pub(super) fn off(&self) -> impl Iterator<Item = (Owner, &str, &Off)> {
        self.0
            .iter()
            .filter_map(|((owner, event), fault)| Some((*owner, event.as_str(), fault.off.as_ref()?)))
    }

    /// All handlers of an owner are new.
    pub(super) fn forget(&mut self, owner: Owner) {
        self.0.retain(|(other, _), _| *other != owner);
    }

    /// After a reload all handlers are new, but a sequence that is over begins again only for those in `restarted`.
    pub(super) fn arm(&mut self, restarted: &[Owner]) {
        self.0.retain(|(owner, event), _| event == "run" && !restarted.contains(owner));
    }
}
