//! Failing handlers: their failures in a row, and those switched off.

use super::owner::Owner;
use crate::crowd::CharacterId;
use std::collections::BTreeMap;

/// Failures in a row after which a handler is switched off. One bad event must not cost a room its handler,
/// and a handler that always fails must not log an error every tick.
pub(super) const MOST_IN_A_ROW: u32 = 10;

/// A handler that is not called until a reload.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SwitchedOff {
    /// The handler's character; `None` for the room.
    pub character: Option<CharacterId>,
    /// The character's name, or `the room`.
    pub who: String,
    /// The script it belongs to; project-relative.
    pub file: String,
    /// The event, such as `on_talk`. `run` is a sequence that ended with an error.
    pub event: String,
    /// The last error, with its place, and why the handler was switched off.
    pub why: String,
    /// The tick at which it was switched off.
    pub tick: u64,
}

/// The handlers that failed since their last success.
#[derive(Default)]
pub(super) struct Faults(BTreeMap<(Owner, String), Fault>);

struct Fault {
    in_a_row: u32,
    off: Option<Off>,
}

/// Why a handler is off, and since which tick.
pub(super) struct Off {
    pub(super) file: String,
    pub(super) why: String,
    pub(super) tick: u64,
}

impl Faults {
    /// Whether the last call of every handler succeeded.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn is_off(&self, owner: Owner, event: &str) -> bool {
        !self.0.is_empty() && self.0.get(&(owner, event.to_owned())).is_some_and(|fault| fault.off.is_some())
    }

    /// Notes a success, which resets the handler's failures.
    pub(super) fn went_well(&mut self, owner: Owner, event: &str) {
        if !self.0.is_empty() {
            self.0.remove(&(owner, event.to_owned()));
        }
    }

    /// Notes a failure; returns the number of failures in a row.
    pub(super) fn failed(&mut self, owner: Owner, event: &str) -> u32 {
        let fault = self.0.entry((owner, event.to_owned())).or_insert(Fault { in_a_row: 0, off: None });
        fault.in_a_row += 1;
        fault.in_a_row
    }

    pub(super) fn switch_off(&mut self, owner: Owner, event: &str, off: Off) {
        let fault = self.0.entry((owner, event.to_owned())).or_insert(Fault { in_a_row: 0, off: None });
        fault.off = Some(off);
    }

    /// An owner's handlers whose last call failed, with their failures in a row, in order of event.
    pub(super) fn of(&self, owner: Owner) -> impl Iterator<Item = (&str, u32, Option<&Off>)> {
        let of_owner =
            self.0.range((owner, String::new())..).take_while(move |((other, _), _)| *other == owner);
        of_owner.map(|((_, event), fault)| (event.as_str(), fault.in_a_row, fault.off.as_ref()))
    }

    /// The handlers switched off, in order of owner and event.
    pub(super) fn off(&self) -> impl Iterator<Item = (Owner, &str, &Off)> {
        self.0
            .iter()
            .filter_map(|((owner, event), fault)| Some((*owner, event.as_str(), fault.off.as_ref()?)))
    }

    /// Resets all handlers of an owner.
    pub(super) fn forget(&mut self, owner: Owner) {
        self.0.retain(|(other, _), _| *other != owner);
    }

    /// Resets all handlers after a reload. A failed `run` is reset only for the owners in `restarted`, where
    /// it restarts.
    pub(super) fn arm(&mut self, restarted: &[Owner]) {
        self.0.retain(|(owner, event), _| event == "run" && !restarted.contains(owner));
    }
}
