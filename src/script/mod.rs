//! Lua: behaviour tables with handlers looked up when called, `self` owned by the host, sequences that wait, and reload in
//! place. Scripts change the world through [`crate::world::Command`]s only.

mod api;
mod dispatch;
mod error;
mod host;
mod load;
mod modules;
mod reload;
mod schedule;
mod state;
mod tasks;
mod undo;

pub use error::ScriptError;
pub use host::{Level, Note};
pub use load::Refusal;
pub use reload::{Aftermath, Reloaded, check_script};

use crate::crowd::CharacterId;
use crate::problem::Problem;
use crate::project::Project;
use crate::world::World;
use host::{Host, Running};
use mlua::{AnyUserData, Function, HookTriggers, IntoLuaMulti, Lua, Table, Value, VmState};
use schedule::{Owner, TaskId};
use state::LuaState;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// What scripts may use up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Lua instructions in one call of a handler, one stretch of a sequence, or one load of a file.
    pub instructions: u64,
    /// Bytes of memory for all scripts together.
    pub memory_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        // A handler of a few thousand instructions is a long one; ten million take about a tenth of a second.
        Self { instructions: 10_000_000, memory_bytes: 256 << 20 }
    }
}

/// Instructions between two looks at the budget: rare enough to cost little, often enough to stop in time.
const HOOK_INTERVAL: u32 = 1000;

/// All scripts of one room.
pub struct Scripts {
    host: Rc<Host>,
    limits: Limits,
    room_object: Option<Value>,
    /// Paths of the room scripts by number: the room's own first, then those given beside it, then what reloads brought.
    room_scripts: BTreeMap<usize, String>,
    next_room_script: usize,
    instances: BTreeMap<CharacterId, Instance>,
    /// Handlers that failed; a reload of their code arms them again.
    disarmed: BTreeSet<(Owner, String)>,
    /// Who began with the reload that is being carried out, and needs no telling that it happened.
    fresh: BTreeSet<Owner>,
    /// Every different error and how often it happened.
    errors: BTreeMap<(String, u32, String), u64>,
    error_count: u64,
    loaded: bool,
    // Last: every Lua value above must be gone before the state closes; see `drop`.
    state: LuaState,
}

/// One character's behaviour.
struct Instance {
    module: String,
    memory: Table,
    npc: AnyUserData,
}

impl Scripts {
    /// Makes the Lua state for a world.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn new(world: Rc<RefCell<World>>, project: Project, limits: Limits) -> mlua::Result<Self> {
        let state = LuaState::new(limits.memory_bytes)?;
        let lua = state.lua();
        let host = Rc::new(Host::new(world, project));
        let room_state = lua.create_table()?;
        let room = lua.create_userdata(api::RoomObject { host: host.clone(), state: room_state })?;
        let room = Value::UserData(room);
        api::install(lua, &host, &room)?;
        let budget = host.clone();
        lua.set_global_hook(HookTriggers::new().every_nth_instruction(HOOK_INTERVAL), move |lua, _| {
            if budget.budget.spend(u64::from(HOOK_INTERVAL)) {
                return Ok(VmState::Continue);
            }
            Err(error::fail(lua, host::RAN_TOO_LONG))
        })?;
        Ok(Self {
            host,
            limits,
            room_object: Some(room),
            room_scripts: BTreeMap::new(),
            next_room_script: 0,
            fresh: BTreeSet::new(),
            instances: BTreeMap::new(),
            disarmed: BTreeSet::new(),
            errors: BTreeMap::new(),
            error_count: 0,
            loaded: false,
            state,
        })
    }

    /// Adds a room script. A file with an error is reported, and an empty script stands in until a save repairs it.
    pub fn add_room_script(&mut self, path: &str) {
        self.load_module(path);
        self.room_scripts.insert(self.next_room_script, path.to_owned());
        self.next_room_script += 1;
    }

    /// Loads a behaviour ahead of its first use; as [`Scripts::add_room_script`] does with errors.
    pub fn load_module(&mut self, path: &str) {
        self.enter(Owner::Room(0), None);
        if let Err(problem) = load::load_first(self.state.lua(), &self.host, path) {
            self.report_problem(&problem);
        }
    }

    /// What scripts wrote and what went wrong since the last call.
    pub fn take_notes(&mut self) -> Vec<Note> {
        std::mem::take(&mut *self.host.notes.borrow_mut())
    }

    /// Errors so far, repeats included.
    pub fn error_count(&self) -> u64 {
        self.error_count
    }

    /// Project-relative paths of all script files that matter, missing ones included.
    pub fn files(&self) -> BTreeSet<String> {
        self.host.modules.borrow().paths().cloned().collect()
    }

    fn lua(&self) -> &Lua {
        self.state.lua()
    }

    /// Everything that runs from here on is done by `owner`, with a full budget.
    fn enter(&self, owner: Owner, task: Option<TaskId>) {
        self.host.running.set(Running { owner, task });
        self.host.wish.set(None);
        self.host.budget.refill(self.limits.instructions);
    }

    /// Calls a function on somebody's behalf; an error is reported and gives `None`.
    fn call<R: mlua::FromLuaMulti>(
        &mut self,
        owner: Owner,
        event: &str,
        function: &Function,
        args: impl IntoLuaMulti,
    ) -> Option<R> {
        self.enter(owner, None);
        match function.call::<R>(args) {
            Ok(result) => Some(result),
            Err(error) => {
                self.report(owner, event, &error, error::beginning_of(function));
                None
            }
        }
    }

    /// Counts an error; the first of its kind is told. An error without a place is put where the code that ran begins.
    fn report(&mut self, owner: Owner, event: &str, error: &mlua::Error, beginning: (String, u32)) {
        let (mut file, mut line, message) = error::dissect(error);
        if file.is_empty() {
            (file, line) = beginning;
        }
        self.count_error(owner, event, file, line, message);
    }

    fn report_problem(&mut self, problem: &Problem) {
        let hint = problem.hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default();
        let message = format!("{}{hint}", problem.message);
        self.count_error(Owner::Room(0), "loading", problem.file.clone(), problem.line, message);
    }

    fn count_error(&mut self, owner: Owner, event: &str, file: String, line: u32, message: String) {
        self.error_count += 1;
        let count = self.errors.entry((file.clone(), line, message.clone())).or_insert(0);
        *count += 1;
        if *count == 1 {
            let (who, tick) = {
                let world = self.host.world();
                let who = match owner {
                    Owner::Room(_) => "the room".to_owned(),
                    Owner::Character(id) => world.name_of(id).to_owned(),
                };
                (who, world.tick_number())
            };
            let error = ScriptError { file, line, message, who, event: event.to_owned(), tick, count: 1 };
            self.host.note(Note::Error(error));
        }
    }
}

impl Drop for Scripts {
    fn drop(&mut self) {
        // Lua values must not outlive the state.
        self.host.release();
        self.instances.clear();
        self.room_object = None;
    }
}
