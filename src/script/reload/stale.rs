//! Named timers whose code is gone after a reload.

use crate::script::host::Level;
use crate::script::owner::Owner;
use crate::script::timer::Action;
use crate::script::{Note, Scripts};
use std::collections::BTreeSet;

impl Scripts {
    /// The repeating timers whose name was in the code before a reload, and is no more. They go on for ever. A name that is
    /// made of data was never there.
    pub(super) fn stale_timers(&self, had_text: impl Fn(&str) -> bool) -> Vec<(Owner, String)> {
        let schedule = self.host.schedule.borrow();
        let named = schedule.timers_with_ids().filter_map(|(_, _, timer)| match &timer.action {
            Action::Tell { name, .. } if timer.period.is_some() => Some((timer.owner, name)),
            _ => None,
        });
        let modules = self.host.modules.borrow();
        let is_named_now = |owner: Owner, name: &str| {
            let files = modules.with_requirements(&BTreeSet::from([self.module_of(owner)]));
            let of_files = files.iter().filter_map(|file| modules.all.get(file));
            of_files.into_iter().any(|module| module.strings.iter().any(|string| string == name))
        };
        let stale = named.filter(|(owner, name)| had_text(name) && !is_named_now(*owner, name));
        stale.map(|(owner, name)| (owner, name.clone())).collect()
    }

    /// Tells of stale timers that are still there.
    pub(super) fn mention_stale_timers(&self, stale: &[(Owner, String)]) {
        for (owner, name) in stale {
            if self.host.schedule.borrow().timer_named(*owner, name).is_none() {
                continue; // `on_reload` has ended it
            }
            let who = self.name_of(*owner);
            let text = format!(
                "the timer '{name}' of {who} repeats, and no code names it any more: cancel({name:?}) in on_reload ends it"
            );
            let place = format!("{}:1", self.module_of(*owner));
            self.host.note(Note::Log { level: Level::Warn, place, text });
        }
    }
}
