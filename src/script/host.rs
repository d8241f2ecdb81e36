//! What every host function can reach: the world, the project, and the bookkeeping of what scripts asked for.

use super::error::{ScriptError, caller, fail, stopped};
use super::faults::{Faults, SwitchedOff};
use super::limits::Limits;
use super::lines::Lines;
use super::messages::Letter;
use super::modules::Modules;
use super::owner::{Owner, TaskId};
use super::sandbox::{Meter, Stop};
use super::schedule::{Running, Schedule};
use super::spec::Spec;
use super::task::Wait;
use crate::crowd::{Character, CharacterId, WalkId};
use crate::project::Project;
use crate::room::ScriptLimits;
use crate::world::{Applied, Command, CommandError, Setting, World};
use glam::DVec2;
use mlua::{AnyUserData, Function, Lua, Table};
use std::cell::{Cell, OnceCell, Ref, RefCell, RefMut};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Under this name the registry holds what scripts see as their globals.
pub(super) const ENVIRONMENT: &str = "cicerone.environment";

/// Under this name it holds what every sequence begins with.
pub(super) const SEQUENCE: &str = "cicerone.sequence";

/// How important a log line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// For the author only.
    Debug,
    /// Worth reading.
    Info,
    /// Odd.
    Warn,
    /// Wrong.
    Error,
}

impl Level {
    /// What stands before a line of this level.
    pub(crate) fn prefix(self) -> &'static str {
        match self {
            Self::Debug => "debug: ",
            Self::Info => "",
            Self::Warn => "warning: ",
            Self::Error => "error: ",
        }
    }
}

/// Something that scripts have to say to the program that runs the room.
#[derive(Debug, Clone, PartialEq)]
pub enum Note {
    /// A line written by `log` or `print`.
    Log {
        /// How important it is.
        level: Level,
        /// `file:line` of the call, if known.
        place: String,
        /// The line.
        text: String,
    },
    /// An error; told once, repeats are only counted.
    Error(ScriptError),
}

/// A command costs about as much as this many instructions, and leaves an event behind.
const COMMAND_COST: u64 = 500;

/// What opening or closing an area goes over: a word of cells, a row of a polygon, a character.
const TOGGLE_COST: u64 = 2;

/// Expanding a node takes about as long as this many instructions.
pub(super) const EXPANSION_COST: u64 = 20;

/// Commands of all scripts together in one tick; four for each character where those are more.
const MAX_COMMANDS: usize = 10_000;

/// Shared by all host functions of one Lua state. The world is borrowed briefly inside a host function, never while Lua code
/// may run.
pub(super) struct Host {
    world: Rc<RefCell<World>>,
    pub(super) project: RefCell<Project>,
    pub(super) modules: RefCell<Modules>,
    pub(super) schedule: RefCell<Schedule>,
    pub(super) arrivals: RefCell<Arrivals>,
    /// One handle per character, so that equal characters are equal values in Lua.
    pub(super) handles: RefCell<BTreeMap<CharacterId, AnyUserData>>,
    /// One handle per area, by name.
    pub(super) area_handles: RefCell<BTreeMap<String, AnyUserData>>,
    /// `room.state`.
    pub(super) room_state: RefCell<Option<Table>>,
    /// The methods of characters that wait, which the prelude makes.
    pub(super) waiting_methods: RefCell<Option<Table>>,
    /// Messages on their way.
    pub(super) outbox: RefCell<Vec<Letter>>,
    pub(super) notes: RefCell<Vec<Note>>,
    /// Handlers that failed.
    pub(super) faults: RefCell<Faults>,
    pub(super) running: Cell<Running>,
    /// What the running coroutine is about to wait for.
    pub(super) wish: Cell<Option<Wait>>,
    /// Whether the running code can sleep: no library function of Lua's is in between.
    pub(super) may_sleep: Cell<bool>,
    pub(super) meter: Rc<Meter>,
    pub(super) limits: Cell<Limits>,
    /// Of the call that reads its arguments: the character it has read, and the place.
    pub(super) walker: Cell<Option<CharacterId>>,
    pub(super) place_before: Cell<Option<DVec2>>,
    /// Whose `on_reload` runs: what it sets up, the next one sets up again.
    pub(super) reloading: RefCell<Option<String>>,
    /// Commands of scripts in this tick.
    pub(super) commands: Cell<usize>,
    /// By whom the last walk of each character was called off, if it was.
    pub(super) cancelled: RefCell<BTreeMap<CharacterId, (WalkId, String)>>,
    /// People who stand in line.
    pub(super) lines: RefCell<Lines>,
    /// How often scripts told each character to stop.
    pub(super) stops: RefCell<BTreeMap<CharacterId, u64>>,
    /// Numbers the characters that scripts spawn without a name.
    pub(super) spawned: Cell<u64>,
    /// While a reload may be taken back: what it changed, as it was.
    pub(super) before: RefCell<Option<Before>>,
    /// What there is to know of the spec that tests the room, if one does.
    pub(super) spec: OnceCell<Spec>,
}

/// What a reload changes rarely and what is dear to copy: copied when it is about to change, if ever.
#[derive(Default)]
pub(super) struct Before {
    pub(super) world: Option<Box<World>>,
    pub(super) arrivals: Option<Arrivals>,
}

/// Functions to be called when somebody arrives.
#[derive(Clone, Default)]
pub(super) struct Arrivals {
    /// Given with a target; gone with that walk.
    pub(super) by_walk: BTreeMap<WalkId, Function>,
    /// Given by `on_arrived`; kept until replaced.
    pub(super) by_character: BTreeMap<CharacterId, Subscription>,
}

/// A function that is called again and again.
#[derive(Clone)]
pub(super) struct Subscription {
    pub(super) function: Function,
    /// As for a timer: who sets it again when begun again.
    pub(super) set_by: Option<TaskId>,
    /// As for a timer: the module that sets it again when loaded again.
    pub(super) loading: Option<String>,
    /// How often in a row it has failed.
    pub(super) failures: u32,
}

impl Host {
    pub(super) fn new(world: Rc<RefCell<World>>, project: Project, meter: Rc<Meter>) -> Self {
        Self {
            world,
            project: RefCell::new(project),
            modules: RefCell::default(),
            schedule: RefCell::default(),
            arrivals: RefCell::default(),
            handles: RefCell::default(),
            area_handles: RefCell::default(),
            room_state: RefCell::default(),
            waiting_methods: RefCell::default(),
            outbox: RefCell::default(),
            notes: RefCell::default(),
            faults: RefCell::default(),
            running: Cell::new(Running { owner: Owner::Room(0), task: None }),
            wish: Cell::new(None),
            may_sleep: Cell::new(false),
            meter,
            limits: Cell::new(Limits::of(&ScriptLimits::default())),
            walker: Cell::default(),
            place_before: Cell::default(),
            reloading: RefCell::default(),
            commands: Cell::new(0),
            cancelled: RefCell::default(),
            lines: RefCell::default(),
            stops: RefCell::default(),
            spawned: Cell::new(0),
            before: RefCell::default(),
            spec: OnceCell::new(),
        }
    }

    pub(super) fn spec(&self) -> Option<&Spec> {
        self.spec.get()
    }

    pub(super) fn world(&self) -> Ref<'_, World> {
        self.world.borrow()
    }

    pub(super) fn world_mut(&self) -> RefMut<'_, World> {
        if let Some(before) = &mut *self.before.borrow_mut() {
            before.world.get_or_insert_with(|| Box::new(self.world.borrow().clone()));
        }
        self.world.borrow_mut()
    }

    pub(super) fn arrivals_mut(&self) -> RefMut<'_, Arrivals> {
        if let Some(before) = &mut *self.before.borrow_mut() {
            before.arrivals.get_or_insert_with(|| self.arrivals.borrow().clone());
        }
        self.arrivals.borrow_mut()
    }

    /// Charges the running code for work done on its behalf, as if it had executed so many instructions itself.
    pub(super) fn charge(&self, lua: &Lua, instructions: u64) -> mlua::Result<()> {
        if self.meter.spend(instructions) {
            return Ok(());
        }
        self.meter.stopped_at(caller(lua));
        Err(mlua::Error::RuntimeError("stopped".into()))
    }

    /// Charges for going over a table, the places of entries that are gone included.
    pub(super) fn charge_for_table(&self, lua: &Lua, table: &Table) -> mlua::Result<()> {
        const PLACES_PER_INSTRUCTION: u64 = 8;
        self.charge(lua, self.meter.work(table) / PLACES_PER_INSTRUCTION)
    }

    /// Stops code whose path query would look at more places than it may pay for.
    pub(super) fn search_given_up(&self, lua: &Lua) -> mlua::Error {
        self.meter.stop_for(Stop::Search);
        self.meter.stopped_at(caller(lua));
        mlua::Error::RuntimeError("stopped".into())
    }

    /// Charges for going through all names to find the one that may have been meant.
    pub(super) fn charge_for_search(&self, lua: &Lua) -> mlua::Result<()> {
        let names = self.world().characters().len() + self.world().room().points.len();
        self.charge(lua, names as u64 * 50)
    }

    /// The error of code that was stopped, in words and with its place.
    pub(super) fn explain(&self, error: mlua::Error) -> mlua::Error {
        let Some((stop, place)) = self.meter.stopped() else { return error };
        let message = stopped(stop, self.limits.get().load);
        mlua::Error::RuntimeError(match place {
            Some((file, line)) => format!("{file}:{line}: {message}"),
            None => message,
        })
    }

    /// Carries out a command; its refusal becomes a script error at the calling line.
    pub(super) fn apply(
        &self,
        lua: &Lua,
        command: Command,
        spoken: impl Fn() -> String,
    ) -> mlua::Result<Applied> {
        self.charge(lua, COMMAND_COST)?;
        if let Command::SetAreaAvailable { area, available } = &command {
            let work = self.world().toggle_work(area, *available);
            self.charge(lua, work.saturating_mul(TOGGLE_COST))?;
        }
        // What a command causes is told in the next tick, and may cause more there: without a bound, more each time.
        let most = MAX_COMMANDS.max(self.world().characters().len() * 4);
        if self.commands.get() >= most {
            let message =
                format!("all scripts together have given {most} commands in this tick, as many as they may");
            return Err(fail(lua, message));
        }
        self.commands.set(self.commands.get() + 1);
        let walker = match command {
            Command::SetTarget { who, .. }
            | Command::TalkTo { who, .. }
            | Command::Use { who, .. }
            | Command::Follow { who, .. }
            | Command::Turn { who, .. } => Some(who),
            _ => None,
        };
        let about = match command {
            Command::Stop { who, .. } | Command::Teleport { who, .. } => Some(who),
            Command::Tune { who, setting: Setting::Alive(false) | Setting::Enabled(false) } => Some(who),
            _ => walker,
        };
        let applied = match about {
            Some(who) => self.noting_cancels(who, || self.who_runs(lua), || self.world_mut().apply(command)),
            None => self.world_mut().apply(command),
        };
        let applied = applied.map_err(|error| match error {
            CommandError::Gone(id) => self.gone(lua, id),
            other => {
                let (name, words) = (spoken(), other.to_string());
                // Of a setting, the words begin with its name.
                let of_setting = name.rsplit('.').next().is_some_and(|setting| words.starts_with(setting));
                fail(lua, if of_setting { words } else { format!("{name}: {words}") })
            }
        })?;
        if let (Applied::Walking(walk), Some(who)) = (&applied, walker) {
            self.schedule.borrow_mut().note_walk(self.running.get(), who, *walk);
        }
        Ok(applied)
    }

    /// Whose code runs, and where it is, in words.
    fn who_runs(&self, lua: &Lua) -> String {
        let who = match self.owner() {
            Owner::CONSOLE => "the console".to_owned(),
            Owner::Room(_) => "the room".to_owned(),
            Owner::Character(id) => self.world().name_of(id).to_owned(),
        };
        match caller(lua) {
            Some((file, line)) => format!("{who} at {file}:{line}"),
            None => who,
        }
    }

    /// Reads something of a character, or fails saying when it left.
    pub(super) fn read<R>(
        &self,
        lua: &Lua,
        id: CharacterId,
        read: impl FnOnce(&Character) -> R,
    ) -> mlua::Result<R> {
        let world = self.world();
        match world.character(id) {
            Some(character) => Ok(read(character)),
            None => Err(self.gone(lua, id)),
        }
    }

    fn gone(&self, lua: &Lua, id: CharacterId) -> mlua::Error {
        let world = self.world();
        let (name, left) = (world.name_of(id), world.departed_at(id).unwrap_or(0));
        fail(lua, format!("'{name}' left the room at tick {left}; ask npc.valid before using a kept handle"))
    }

    /// Handlers that are not called any more, in order of owner.
    pub(super) fn switched_off(&self) -> Vec<SwitchedOff> {
        let world = self.world();
        let of = |owner: Owner| match owner {
            Owner::Character(id) => (Some(id), world.name_of(id).to_owned()),
            Owner::Room(_) => (None, "the room".to_owned()),
        };
        let faults = self.faults.borrow();
        let all = faults.off().map(|(owner, event, off)| {
            let (character, who) = of(owner);
            let (file, why, tick) = (off.file.clone(), off.why.clone(), off.tick);
            SwitchedOff { character, who, file, event: event.to_owned(), why, tick }
        });
        all.collect()
    }

    /// By whose load, or `on_reload`, what is set up now will be set up again.
    pub(super) fn set_up_by(&self) -> Option<String> {
        self.modules.borrow().now_loading().cloned().or_else(|| self.reloading.borrow().clone())
    }

    pub(super) fn note(&self, note: Note) {
        self.notes.borrow_mut().push(note);
    }

    /// Whose random stream, timers and errors the running code uses.
    pub(super) fn owner(&self) -> Owner {
        self.running.get().owner
    }

    /// Lets go of every Lua value, so that the state can be closed.
    pub(super) fn release(&self) {
        *self.modules.borrow_mut() = Modules::default();
        *self.schedule.borrow_mut() = Schedule::default();
        *self.arrivals.borrow_mut() = Arrivals::default();
        *self.before.borrow_mut() = None;
        self.handles.borrow_mut().clear();
        self.area_handles.borrow_mut().clear();
        self.outbox.borrow_mut().clear();
        *self.room_state.borrow_mut() = None;
        *self.waiting_methods.borrow_mut() = None;
        if let Some(spec) = self.spec() {
            spec.release();
        }
    }
}
