//! Named timers whose code is gone after a reload.

use crate::script::host::Level;
use crate::script::owner::Owner;
use crate::script::parse::strings;
use crate::script::timer::Action;
use crate::script::{Note, Scripts};
use std::collections::BTreeSet;

/// A text in the code is part of a timer's name if it has so many bytes at least, as in `"close_" .. door`.
const LEAST_PART_BYTES: usize = 2;

impl Scripts {
    /// Tells of repeating timers with a name that no file of their script contains any more: they go on for ever.
    pub(super) fn mention_stale_timers(&self, owners: &[Owner]) {
        for &owner in owners {
            let names: Vec<String> = {
                let schedule = self.host.schedule.borrow();
                let timers =
                    schedule.timers_of(owner).into_iter().filter(|(_, timer)| timer.period.is_some());
                let name = |action: &Action| match action {
                    Action::Tell { name, .. } => Some(name.clone()),
                    Action::Call(_) => None,
                };
                timers.filter_map(|(_, timer)| name(&timer.action)).collect()
            };
            if names.is_empty() {
                continue;
            }
            let module = self.module_of(owner);
            let files = self.host.modules.borrow().with_requirements(&BTreeSet::from([module.clone()]));
            let text_of = |file: &String| self.host.project.borrow().read_script(file).unwrap_or_default();
            let texts: Vec<String> = files.iter().flat_map(|file| strings(&text_of(file))).collect();
            let is_part =
                |name: &str, text: &String| text.len() >= LEAST_PART_BYTES && name.contains(text.as_str());
            for name in
                names.iter().filter(|name| !texts.iter().any(|text| text == *name || is_part(name, text)))
            {
                let who = self.name_of(owner);
                let text = format!(
                    "the timer '{name}' of {who} repeats, and no code names it any more: cancel({name:?}) in on_reload ends it"
                );
                let place = format!("{module}:1");
                self.host.note(Note::Log { level: Level::Warn, place, text });
            }
        }
    }
}
