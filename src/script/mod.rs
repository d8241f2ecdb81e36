//! Lua scripting: behaviour tables with handlers looked up at each call, `self` owned by the host, sequences
//! that wait, and reload in place. Scripts change the world through [`crate::world::Command`]s only.

mod answer;
pub mod api;
mod arrivals;
mod calls;
mod complete;
mod console;
mod copy;
mod crossings;
mod debugger;
mod directing;
mod dispatch;
mod error;
mod fair_share;
mod faults;
mod game;
mod game_calls;
mod glances;
mod held;
mod hints;
mod host;
mod inspect;
mod instances;
mod limit_settings;
mod load;
mod memories;
mod messages;
mod modules;
mod owner;
mod parked;
pub(crate) mod parse;
mod queue_lines;
pub mod reference;
mod reload;
mod sandbox;
mod saved_values;
mod scene;
mod schedule;
mod source;
mod spec;
mod syntax;
mod tactical_events;
mod task;
mod tasks;
mod timer;
mod timers;
mod wakeups;

pub use answer::{Answer, Datum, Record};
pub(crate) use complete::LIBRARIES;
pub use complete::{Candidate, Completion, Known, KnownNames, complete};
pub use debugger::{Debugger, StackFrame, Stopped};
pub use error::ScriptError;
pub use faults::SwitchedOff;
pub use game::{
    BadDeclaration, CallId, Called, GAME_API_FILE, GameAnswer, GameApi, GameCall, GameError, GameValue,
    WrongArgument,
};
pub use game_calls::FinishError;
pub use glances::Glance;
pub use host::{Level, Note};
pub use inspect::{Inspection, Row, Section};
pub use load::LoadError;
pub(crate) use load::module_path;
pub(crate) use memories::Memories;
pub(crate) use parked::{Lent, ParkedScripts};
pub(crate) use reload::Aftermath;
pub use reload::check_script;
pub(crate) use reload::empty_world;
pub use sandbox::{Resume, Watchdog};
pub use spec::{Case, Failure, Focus, Ways};
pub(crate) use spec::{Finding, Outline, Request, RequestId, ScriptLine, TestState};

use crate::crowd::CharacterId;
use crate::project::Project;
use crate::room::ScriptLimits;
use crate::world::World;
use api::Object;
use calls::{Beginning, Book};
use crossings::Handled;
use fair_share::Turns;
use game::GameState;
use host::Host;
use instances::Instance;
use limit_settings::Limits;
use mlua::{Lua, Value};
use owner::Owner;
use sandbox::{LuaState, share};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// Errors by file, line and message.
type Errors = BTreeMap<(String, u32, String), ScriptError>;

/// All scripts of one room, with its world. A runtime keeps them as [`ParkedScripts`].
pub(crate) struct Scripts {
    host: Rc<Host>,
    /// An empty room, in the place of the world while the scripts are parked.
    nowhere: Arc<World>,
    /// Limits that override the room's own.
    overrides: ScriptLimits,
    room_object: Option<Value>,
    next_room_script: usize,
    /// Owners that started during the current reload and get no `on_reload`.
    fresh: BTreeSet<Owner>,
    /// Every distinct error, with its count.
    errors: Errors,
    error_count: u64,
    overflow_reported: bool,
    /// The console's answers.
    answers: Vec<Answer>,
    /// Crossings of links that scripts were told of.
    crossings: BTreeMap<CharacterId, Handled>,
    books: BTreeMap<Owner, Book>,
    /// Code that ran out of fuel in this tick, with the count.
    exhausted: BTreeMap<Beginning, u32>,
    turns: Turns,
    /// Instructions since the start.
    instructions: u64,
    loaded: bool,
    /// Files whose handler names were checked, with their roles.
    names_seen: BTreeSet<(String, Object)>,
    // Last: every Lua value above must be gone before the state closes; see `drop`.
    state: LuaState,
}

impl Scripts {
    /// Creates the Lua state for a world, with the functions of a game. `limits` override the room's.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub(crate) fn new(
        world: World,
        project: Project,
        limits: ScriptLimits,
        game: GameApi,
    ) -> mlua::Result<Self> {
        Self::prepare(world, project, limits, game, None)
    }

    /// Creates a state for a room, or for a spec that will load a room.
    fn prepare(
        world: World,
        project: Project,
        limits: ScriptLimits,
        game: GameApi,
        spec: Option<spec::Spec>,
    ) -> mlua::Result<Self> {
        let nowhere = empty_world().ok_or_else(|| mlua::Error::runtime("no empty room"))?;
        let state = LuaState::new()?;
        let lua = state.lua();
        let host = Rc::new(Host::new(world, project, state.meter().clone(), GameState::new(game)));
        if let Some(spec) = spec {
            let _ = host.spec.set(spec); // the host is new, so it is not set yet
        }
        let state_of_room = lua.create_table()?;
        share(lua, &state_of_room, None)?;
        *host.lua.room_state.borrow_mut() = Some(state_of_room);
        let room = lua.create_userdata(api::RoomObject { host: host.clone() })?;
        let room = Value::UserData(room);
        api::install(lua, &host, &room)?;
        let mut scripts = Self {
            host,
            nowhere: Arc::new(nowhere),
            overrides: limits,
            room_object: Some(room),
            next_room_script: 0,
            fresh: BTreeSet::new(),
            errors: BTreeMap::new(),
            error_count: 0,
            overflow_reported: false,
            answers: Vec::new(),
            books: BTreeMap::new(),
            exhausted: BTreeMap::new(),
            turns: Turns::default(),
            instructions: 0,
            loaded: false,
            names_seen: BTreeSet::new(),
            crossings: BTreeMap::new(),
            state,
        };
        scripts.take_limits();
        Ok(scripts)
    }

    /// Adopts the room's limits.
    fn take_limits(&mut self) {
        let limits = Limits::of(&self.overrides.or(self.host.world().room().limits));
        self.host.limits.set(limits);
        self.state.meter().set_memory_limits(limits.memory_bytes, limits.script_memory_bytes);
    }

    /// Limits that override the room's own.
    pub(crate) fn overrides(&self) -> ScriptLimits {
        self.overrides
    }

    fn limits(&self) -> Limits {
        self.host.limits.get()
    }

    /// Starts a watchdog on the clock, which names and stops scripts that hold the game up.
    pub(crate) fn watchdog(&self, name_after: Duration, stop_after: Option<Duration>) -> Watchdog {
        Watchdog::new(self.state.meter().pulse(), name_after, stop_after)
    }

    /// Instructions that scripts have executed so far, including charges for the host's work.
    pub(crate) fn instructions(&self) -> u64 {
        self.instructions
    }

    /// Bytes that Lua holds now.
    pub(crate) fn memory_bytes(&self) -> usize {
        self.state.meter().memory()
    }

    /// Adds a room script. A file with an error is reported, and an empty script takes its place until a save
    /// repairs it.
    pub(crate) fn add_room_script(&mut self, path: &str) {
        self.load_module(path);
        self.look_at_names(path, Object::RoomScript);
        self.host.room_scripts.borrow_mut().insert(self.next_room_script, path.to_owned());
        self.next_room_script += 1;
    }

    /// Loads a behaviour before its first use; handles errors as [`Scripts::add_room_script`] does.
    pub(crate) fn load_module(&mut self, path: &str) {
        let loaded = self.loading(|| load::load_first(self.state.lua(), &self.host, path));
        if let Err(problem) = loaded {
            self.report_problem(&problem);
        }
    }

    /// Warns, once per load, of functions whose names look like event handlers and are none.
    fn look_at_names(&mut self, path: &str, role: Object) {
        if !self.names_seen.insert((path.to_owned(), role)) {
            return;
        }
        let found = match self.host.modules.borrow().behaviour(path) {
            Some(table) => api::misspelt(table, &[role]),
            None => Vec::new(),
        };
        let modules = self.host.modules.borrow();
        if found.is_empty() && modules.behaviour(path).is_some_and(|table| api::has_none(table, role)) {
            let text = "nothing in the table that this script returns is ever called: none of its functions is an event, like run".into();
            self.host.note(Note::Log { level: Level::Warn, place: format!("{path}:1"), text });
        }
        drop(modules);
        for slip in found {
            let (place, text) = (format!("{path}:{}", slip.line), slip.message);
            self.host.note(Note::Log { level: Level::Warn, place, text });
        }
    }

    /// Log lines and errors since the last call.
    pub(crate) fn take_notes(&mut self) -> Vec<Note> {
        std::mem::take(&mut *self.host.notes.borrow_mut())
    }

    /// Errors so far, repeats included.
    pub(crate) fn error_count(&self) -> u64 {
        self.error_count
    }

    /// What characters look at now.
    pub(crate) fn glances(&self) -> BTreeMap<CharacterId, Glance> {
        self.host.glances_of_now()
    }

    /// Whether a scene directs a character.
    pub(crate) fn is_in_scene(&self, who: CharacterId) -> bool {
        self.host.is_directed(who)
    }

    /// Handlers switched off because they failed too often or used up their budget; in order of owner.
    pub(crate) fn switched_off_handlers(&self) -> Vec<SwitchedOff> {
        self.host.switched_off()
    }

    /// Project-relative paths of all relevant script files, missing ones included.
    pub(crate) fn files(&self) -> BTreeSet<String> {
        self.host.modules.borrow().paths().cloned().collect()
    }

    /// Number of loaded scripts.
    pub(crate) fn loaded(&self) -> usize {
        self.host.modules.borrow().paths().count()
    }

    /// The numbers of the room scripts, in order.
    fn room_script_ids(&self) -> Vec<usize> {
        self.host.room_scripts.borrow().keys().copied().collect()
    }

    fn lua(&self) -> &Lua {
        self.state.lua()
    }
}

impl Drop for Scripts {
    fn drop(&mut self) {
        // Lua values must not outlive the state.
        self.host.release();
        self.room_object = None;
    }
}
