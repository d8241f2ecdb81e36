//! Reload: replaces changed script files under living instances.

mod in_place;
mod stale;
mod undo;

use super::api::{Misspelt, Object, misspelt};
use super::load::{self, LoadError};
use super::modules::TextHash;
use super::owner::Owner;
use super::sandbox::Account;
use super::task::{Role, Task};
use super::{Note, ScriptError, Scripts, host::Level};
use crate::problem::{Problem, Source};
use crate::world::World;
use std::collections::BTreeSet;
use undo::Undo;

/// A finished reload that can still be undone.
pub(crate) struct Reloaded {
    modules: BTreeSet<String>,
    undo: Undo,
}

/// The effects of a reload on running behaviours.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Aftermath {
    /// The files that were loaded, because they changed or require a changed file.
    pub loaded: BTreeSet<String>,
    /// Number of behaviours that restarted.
    pub restarted: usize,
    /// Files that are no longer needed.
    pub left_off: BTreeSet<String>,
}

impl Scripts {
    /// Reloads `changed` files with everything that requires them, and loads `new` ones: all or nothing.
    /// Instances are notified later, by [`Scripts::commit`].
    ///
    /// # Errors
    /// All problems, with their places; nothing has changed then.
    pub(crate) fn reload(
        &mut self,
        changed: &BTreeSet<String>,
        new: &BTreeSet<String>,
    ) -> Result<Reloaded, LoadError> {
        let state = self.host.lua.room_state.borrow().clone();
        let refuel = || self.state.begin(Account::HOST, self.limits().load, 0);
        let loaded = self.loading(|| in_place::reload(self.lua(), &self.host, changed, new, state, refuel));
        let (modules, undo) = loaded?;
        Ok(Reloaded { modules, undo })
    }

    /// Whether a file's text differs from the text of its last load.
    pub(crate) fn differs(&self, file: &str, text: Option<&str>) -> bool {
        let text = text.map(TextHash::of);
        self.host.modules.borrow().all.get(file).is_none_or(|module| module.text != text)
    }

    /// These behaviours and everything they require.
    pub(crate) fn needed(&self, behaviours: &BTreeSet<String>) -> BTreeSet<String> {
        self.host.modules.borrow().with_requirements(behaviours)
    }

    /// The problems of these files that show without running them.
    pub(crate) fn problems_in(&self, files: &BTreeSet<String>) -> Vec<Problem> {
        self.loading(|| in_place::compile_all(self.lua(), &self.host, files, files)).err().unwrap_or_default()
    }

    /// The problems of those of these files that characters follow.
    pub(crate) fn problems_of_behaviours(&self, behaviours: &BTreeSet<String>) -> Vec<Problem> {
        behaviours.iter().filter_map(|path| load::not_a_behaviour(&self.host, path)).collect()
    }

    /// Undoes a reload.
    pub(crate) fn roll_back(&mut self, reloaded: Reloaded) {
        reloaded.undo.restore(&self.host);
    }

    /// Makes a reload final: failed handlers are armed again, `on_reload` is called, `run` restarts with
    /// `self` and position kept. One-shot sequences finish on their old code. `room_scripts` are the room's
    /// scripts from now on; `unneeded` are files that no script requires and no character follows any more. If the room
    /// has changed, every `run` that ended with an error restarts, too: what it lacked may be there now.
    pub(crate) fn commit(
        &mut self,
        reloaded: Reloaded,
        room_scripts: &[String],
        unneeded: BTreeSet<String>,
        room_has_changed: bool,
    ) -> Aftermath {
        let changed = reloaded.modules;
        let had_text = |name: &str| changed.iter().any(|path| reloaded.undo.had_text(path, name));
        let stale = self.stale_timers(had_text);
        reloaded.undo.forget(&self.host);
        self.host.people.lines.borrow_mut().give_time(&self.host.world());
        self.put_to_sleep(&unneeded);
        self.take_limits();
        self.set_room_scripts(room_scripts);
        let mut owners = self.match_behaviours();
        {
            let (rooms, instances) = (self.host.room_scripts.borrow(), self.host.instances.borrow());
            let rooms = rooms.iter().filter(|(_, path)| changed.contains(*path));
            owners.extend(rooms.map(|(&id, _)| Owner::Room(id)));
            let characters = instances.iter().filter(|(_, instance)| changed.contains(&instance.module));
            owners.extend(characters.map(|(who, _)| Owner::Character(who)));
        }
        if room_has_changed {
            let faults = self.host.faults.borrow();
            owners.extend(faults.off().filter(|(_, event, _)| *event == "run").map(|(owner, ..)| owner));
        }
        let fresh = std::mem::take(&mut self.fresh);
        owners.retain(|owner| !fresh.contains(owner));
        owners.sort_unstable();
        owners.dedup();
        let again: BTreeSet<String> = owners.iter().map(|&owner| self.name_of(owner)).collect();
        let is_over = |error: &ScriptError| error.event == "run" && again.contains(&error.who);
        self.errors.retain(|(file, _, _), error| !changed.contains(file) && !is_over(error));
        let seen = self.names_seen.iter().filter(|(file, _)| changed.contains(file)).cloned();
        for (file, role) in seen.collect::<Vec<_>>() {
            self.names_seen.remove(&(file.clone(), role));
            self.look_at_names(&file, role);
        }
        self.host.faults.borrow_mut().arm(&owners);
        self.mention_one_shots(&changed);
        self.host.schedule.borrow_mut().arm_timers();
        self.forget_runs(&owners);
        let again: BTreeSet<String> = owners.iter().copied().map(on_reload_of).collect();
        load::forget_loaded(&self.host, |by| again.contains(by));
        self.turns.begin_tick();
        for &owner in &owners {
            // They cannot wait, so once the budget of a tick is gone, each gets a little.
            self.turns.is_scarce = self.is_budget_gone();
            *self.host.reloading.borrow_mut() = Some(on_reload_of(owner));
            match owner {
                Owner::Room(id) => {
                    self.room_handler(id, "on_reload", |_| Ok(mlua::MultiValue::new()));
                }
                Owner::Character(who) => self.handler(who, "on_reload", ()),
            }
            *self.host.reloading.borrow_mut() = None;
            self.start_run(owner);
        }
        self.turns.is_scarce = false;
        self.mention_stale_timers(&stale);
        self.host.settle_scenes();
        Aftermath { loaded: changed, restarted: owners.len(), left_off: unneeded }
    }

    /// Sets the room scripts. Those that stay go on as they are; new ones start with `on_load`.
    fn set_room_scripts(&mut self, paths: &[String]) {
        let gone: Vec<usize> = {
            let scripts = self.host.room_scripts.borrow();
            scripts.iter().filter(|(_, path)| !paths.contains(path)).map(|(&id, _)| id).collect()
        };
        for id in gone {
            self.host.room_scripts.borrow_mut().remove(&id);
            self.host.schedule.borrow_mut().drop_owner(Owner::Room(id));
            self.close_book(Owner::Room(id));
        }
        for path in paths {
            let is_present = self.host.room_scripts.borrow().values().any(|present| present == path);
            if is_present {
                continue;
            }
            let id = self.next_room_script;
            self.add_room_script(path);
            self.fresh.insert(Owner::Room(id));
            if self.loaded {
                self.room_handler(id, "on_load", |_| Ok(mlua::MultiValue::new()));
                self.start_run(Owner::Room(id));
            }
        }
    }

    /// Retires modules that are no longer needed: what they set up while loading ends, and their files are no
    /// longer relevant.
    fn put_to_sleep(&self, unneeded: &BTreeSet<String>) {
        for path in unneeded {
            load::forget_loaded(&self.host, |by| by == path);
            if let Some(module) = self.host.modules.borrow_mut().all.get_mut(path) {
                module.asleep = true;
            }
        }
    }

    fn mention_one_shots(&self, changed: &BTreeSet<String>) {
        let schedule = self.host.schedule.borrow();
        // Sequences started by a file's top-level code have just restarted.
        let on_old_code = |task: &&Task| {
            task.role == Role::OneShot
                && task.branch_of.is_none()
                && task.loading.is_none()
                && changed.contains(&task.module)
        };
        let begun: Vec<&Task> = schedule.tasks().map(|(.., task)| task).filter(on_old_code).collect();
        if !begun.is_empty() {
            let modules: BTreeSet<&str> = begun.iter().map(|task| task.module.as_str()).collect();
            let modules = Vec::from_iter(modules).join(", ");
            let text =
                format!("{} sequence(s) begun by start in {modules} finish on the old code", begun.len());
            self.host.note(Note::Log { level: Level::Info, place: String::new(), text });
        }
    }
}

/// The name under which the setup of an owner's `on_reload` is kept; no file can have it.
fn on_reload_of(owner: Owner) -> String {
    format!("on_reload of {owner:?}")
}

/// The problems of one script file on its own: its syntax, loading it in an empty room, and its handler
/// names. `roles` are the roles it is used in; empty if unknown.
pub fn check_script(project: &crate::project::Project, path: &str, roles: &[Object]) -> Vec<Problem> {
    let Some(world) = empty_world() else { return Vec::new() };
    // Its own problems are found where that file is checked.
    let game = super::GameApi::of_project(project).unwrap_or_default();
    let scripts = Scripts::new(world, project.clone(), crate::room::ScriptLimits::default(), game);
    let Ok(scripts) = scripts else { return Vec::new() };
    if let Err(problem) = scripts.loading(|| load::load_first(scripts.lua(), &scripts.host, path)) {
        return vec![problem];
    }
    let modules = scripts.host.modules.borrow();
    let roles = if roles.is_empty() { &[Object::Behaviour, Object::RoomScript] } else { roles };
    let slips = modules.behaviour(path).map(|table| misspelt(table, roles));
    let text = project.read_script(path).unwrap_or_default();
    let source = Source::new(path, text);
    let problem = |slip: Misspelt| source.problem_at_line(slip.line, Some(&slip.name), slip.message);
    slips.into_iter().flatten().map(problem).collect()
}

/// An empty world, used before there is a real one.
pub(crate) fn empty_world() -> Option<World> {
    let room = br#"{"areas": [{"name": "nowhere", "polygon": [[0, 0], [1, 0], [1, 1]]}]}"#;
    crate::room::parse("nowhere.json", room).ok().and_then(|parsed| World::of_checked(parsed.room, 0).ok())
}
