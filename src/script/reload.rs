//! Putting changed script files under the living instances.

use super::host::Owner;
use super::modules::{self, Undo};
use super::schedule::{Role, Task};
use super::{Note, Scripts, host::Level};
use crate::problem::Problem;
use std::collections::BTreeSet;

/// A reload that has been carried out and can still be taken back.
pub struct Reloaded {
    modules: BTreeSet<String>,
    undo: Undo,
}

impl Scripts {
    /// Reloads `changed` files with everything that requires them, and loads `new` ones: all or nothing. Instances are not
    /// told yet, see [`Scripts::commit`].
    ///
    /// # Errors
    /// Everything that is wrong, with its place; nothing has changed then.
    pub fn reload(&mut self, changed: &BTreeSet<String>, new: &BTreeSet<String>) -> Result<Reloaded, Vec<Problem>> {
        self.enter(Owner::Room(0), None);
        let (modules, undo) = modules::reload(self.lua(), &self.host, changed, new)?;
        Ok(Reloaded { modules, undo })
    }

    /// Takes a reload back.
    pub fn roll_back(&mut self, reloaded: Reloaded) {
        reloaded.undo.restore(&self.host);
    }

    /// Makes a reload final: failed handlers are armed again, `on_reload` is called, `run` starts afresh with `self` and
    /// position kept. One-shot sequences finish on the code they began with.
    pub fn commit(&mut self, reloaded: Reloaded) {
        let changed = reloaded.modules;
        self.match_behaviours();
        let rooms = self.room_scripts.iter().enumerate().filter(|(_, path)| changed.contains(*path));
        let mut owners: Vec<Owner> = rooms.map(|(index, _)| Owner::Room(index)).collect();
        let instances = self.instances.iter().filter(|(_, instance)| changed.contains(&instance.module));
        owners.extend(instances.map(|(&who, _)| Owner::Character(who)));
        self.errors.retain(|(file, _, _), _| !changed.contains(file));
        self.disarmed.retain(|(owner, _)| !owners.contains(owner));
        self.mention_one_shots(&changed);
        for owner in owners {
            match owner {
                Owner::Room(index) => drop(self.room_handler(index, "on_reload", |_| Ok(mlua::MultiValue::new()))),
                Owner::Character(who) => self.handler(who, "on_reload", ()),
            }
            self.start_run(owner);
        }
    }

    fn mention_one_shots(&self, changed: &BTreeSet<String>) {
        let schedule = self.host.schedule.borrow();
        let on_old_code = |task: &&Task| task.role == Role::OneShot && changed.contains(&task.module);
        let count = schedule.tasks.values().filter(on_old_code).count();
        if count > 0 {
            let text = format!("{count} sequence(s) under way finish on the old code");
            self.host.note(Note::Log { level: Level::Info, place: String::new(), text });
        }
    }
}
