//! State shared by all host functions: the world, the project, and the bookkeeping for scripts.

use super::error::{ScriptError, caller, fail, stopped};
use super::fair_share::MANY_LATE;
use super::faults::{Faults, SwitchedOff};
use super::game::{CallId, Called, GameState};
use super::glances::Glance;
use super::held::Held;
use super::instances::Instances;
use super::limit_settings::Limits;
use super::messages::Letter;
use super::modules::Modules;
use super::owner::{Owner, TaskId};
use super::queue_lines::Lines;
use super::sandbox::{Meter, Stop};
use super::schedule::{Running, Schedule};
use super::spec::Spec;
use super::task::Wait;
use crate::crowd::{Character, CharacterId, WalkId};
use crate::nav::Place;
use crate::project::Project;
use crate::room::ScriptLimits;
use crate::world::{Applied, Command, CommandError, Setting, World};
use mlua::{AnyUserData, Function, Lua, Table};
use std::cell::{Cell, OnceCell, Ref, RefCell, RefMut};
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

/// Registry name of the scripts' globals.
pub(super) const ENVIRONMENT: &str = "cicerone.environment";

/// Registry name of the function that every sequence begins with.
pub(super) const SEQUENCE: &str = "cicerone.sequence";

/// Severity of a log line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
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
    /// The prefix of a line of this level.
    pub(crate) fn prefix(self) -> &'static str {
        match self {
            Self::Debug => "debug: ",
            Self::Info => "",
            Self::Warn => "warning: ",
            Self::Error => "error: ",
        }
    }
}

/// A message from the scripts to the program that runs the room.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Note {
    /// A line written by `log` or `print`.
    Log {
        /// Its severity.
        level: Level,
        /// `file:line` of the call, if known.
        place: String,
        /// The line.
        text: String,
    },
    /// An error; reported once, repeats are only counted.
    Error(ScriptError),
    /// A call of a function of the game that has no code: see [`GameApi::action`](super::GameApi::action).
    Called(Called),
    /// The script that waited for this call does not wait any more: it was ended or reloaded.
    GivenUp(CallId),
}

/// Instructions charged per command, which also causes an event.
const COMMAND_COST: u64 = 500;

/// Instructions charged per item when an area opens or closes: a word of cells, a row of a polygon, a
/// character.
const TOGGLE_COST: u64 = 2;

/// Instructions charged per node expansion of a search.
pub(super) const EXPANSION_COST: u64 = 20;

/// Maximum commands of all scripts in one tick, or four per character if that is more.
const MAX_COMMANDS: usize = 10_000;

/// Shared by all host functions of one Lua state. The world is borrowed only inside a host function, never while Lua code
/// may run: briefly, or for as long as the code of the game's own function runs.
pub(super) struct Host {
    /// Shared by nobody who is still there when it changes.
    world: RefCell<Arc<World>>,
    pub(super) project: RefCell<Project>,
    pub(super) modules: RefCell<Modules>,
    /// Paths of the room scripts by number: the room's own first, then those given beside it, then those
    /// added by reloads.
    pub(super) room_scripts: RefCell<BTreeMap<usize, String>>,
    pub(super) instances: RefCell<Instances>,
    pub(super) schedule: RefCell<Schedule>,
    pub(super) arrivals: RefCell<Arrivals>,
    pub(super) lua: LuaObjects,
    pub(super) mail: Mail,
    pub(super) notes: RefCell<Vec<Note>>,
    /// Handlers that failed.
    pub(super) faults: RefCell<Faults>,
    pub(super) call: RunningCall,
    pub(super) meter: Rc<Meter>,
    pub(super) limits: Cell<Limits>,
    /// The owner whose `on_reload` runs: the next `on_reload` sets up again what this one sets up.
    pub(super) reloading: RefCell<Option<String>>,
    /// Number of commands from scripts in this tick.
    pub(super) commands: Cell<usize>,
    pub(super) people: People,
    /// State changed by a reload, as it was before, while the reload can be undone.
    pub(super) before: RefCell<Option<Before>>,
    /// The state of the spec that tests the room, if there is one.
    pub(super) spec: OnceCell<Spec>,
    /// The functions of the game.
    pub(super) game: GameState,
}

/// What scripts hold of the host, made once each so that equal things are equal values in Lua.
#[derive(Default)]
pub(super) struct LuaObjects {
    pub(super) characters: RefCell<BTreeMap<CharacterId, AnyUserData>>,
    pub(super) areas: RefCell<BTreeMap<String, AnyUserData>>,
    pub(super) links: RefCell<BTreeMap<String, AnyUserData>>,
    pub(super) waypaths: RefCell<BTreeMap<String, AnyUserData>>,
    /// The tactical level, once a script has asked for it.
    pub(super) tactics: RefCell<Option<AnyUserData>>,
    /// `room.state`.
    pub(super) room_state: RefCell<Option<Table>>,
    /// The characters' methods that wait, made by the prelude.
    pub(super) waiting_of_characters: RefCell<Option<Table>>,
    /// Those of the room.
    pub(super) waiting_of_room: RefCell<Option<Table>>,
    /// Those of the tactical level.
    pub(super) waiting_of_tactics: RefCell<Option<Table>>,
}

/// Messages and events on their way to scripts.
#[derive(Default)]
pub(super) struct Mail {
    /// Messages sent since this tick's began to be delivered.
    pub(super) outbox: RefCell<Vec<Letter>>,
    /// Messages of this tick and of earlier ones that are not delivered yet.
    pub(super) late_letters: RefCell<VecDeque<Letter>>,
    /// Number of events that are not delivered yet.
    pub(super) late_events: Cell<usize>,
    /// Events and messages kept for characters in scenes.
    pub(super) held: RefCell<Held>,
}

/// What scripts did with characters.
#[derive(Default)]
pub(super) struct People {
    /// For each character, the walk that was last called off, and by whom.
    pub(super) cancelled: RefCell<BTreeMap<CharacterId, (WalkId, String)>>,
    /// Waiting lines of characters.
    pub(super) lines: RefCell<Lines>,
    /// How often scripts told each character to stop.
    pub(super) stops: RefCell<BTreeMap<CharacterId, u64>>,
    /// Number of characters spawned by scripts without a name.
    pub(super) spawned: Cell<u64>,
    /// What each character looked at last.
    pub(super) glances: RefCell<BTreeMap<CharacterId, Glance>>,
}

/// The code that runs.
pub(super) struct RunningCall {
    pub(super) running: Cell<Running>,
    /// The wait that the running coroutine is about to begin.
    pub(super) wait: Cell<Option<Wait>>,
    /// Whether the running code can yield: no library function of Lua's is on the stack in between.
    pub(super) may_sleep: Cell<bool>,
    /// While a call reads its arguments: the character, and the place, read so far.
    pub(super) walker: Cell<Option<CharacterId>>,
    pub(super) place_before: Cell<Option<Place>>,
}

/// State that reloads rarely change and that is expensive to copy: copied just before its first change.
#[derive(Default)]
pub(super) struct Before {
    pub(super) world: Option<Box<World>>,
    pub(super) arrivals: Option<Arrivals>,
}

/// Functions to call when a character arrives.
#[derive(Clone, Default)]
pub(super) struct Arrivals {
    /// Registered with a target; removed at the end of that walk.
    pub(super) by_walk: BTreeMap<WalkId, Function>,
    /// Registered by `on_arrived`; kept until replaced.
    pub(super) by_character: BTreeMap<CharacterId, Subscription>,
}

/// A function called repeatedly.
#[derive(Clone)]
pub(super) struct Subscription {
    pub(super) function: Function,
    /// As for a timer: the sequence that registers it again when restarted.
    pub(super) set_by: Option<TaskId>,
    /// As for a timer: the module that registers it again when reloaded.
    pub(super) loading: Option<String>,
    /// Its failures in a row.
    pub(super) failures: u32,
}

impl Host {
    pub(super) fn new(world: World, project: Project, meter: Rc<Meter>, game: GameState) -> Self {
        Self {
            world: RefCell::new(Arc::new(world)),
            project: RefCell::new(project),
            modules: RefCell::default(),
            room_scripts: RefCell::default(),
            instances: RefCell::default(),
            schedule: RefCell::default(),
            arrivals: RefCell::default(),
            lua: LuaObjects::default(),
            mail: Mail::default(),
            notes: RefCell::default(),
            faults: RefCell::default(),
            call: RunningCall {
                running: Cell::new(Running { owner: Owner::Room(0), task: None }),
                wait: Cell::default(),
                may_sleep: Cell::default(),
                walker: Cell::default(),
                place_before: Cell::default(),
            },
            meter,
            limits: Cell::new(Limits::of(&ScriptLimits::default())),
            reloading: RefCell::default(),
            commands: Cell::new(0),
            people: People::default(),
            before: RefCell::default(),
            spec: OnceCell::new(),
            game,
        }
    }

    pub(super) fn spec(&self) -> Option<&Spec> {
        self.spec.get()
    }

    pub(super) fn world(&self) -> Ref<'_, World> {
        Ref::map(self.world.borrow(), |world| &**world)
    }

    /// The world, to be changed by a script: a reload that is refused takes the change back.
    pub(super) fn world_mut(&self) -> RefMut<'_, World> {
        let world = self.world_to_lend();
        self.before_change(&world);
        world
    }

    /// The world for the code of the game, which may change it after [`Host::before_change`].
    pub(super) fn world_to_lend(&self) -> RefMut<'_, World> {
        RefMut::map(self.world.borrow_mut(), Arc::make_mut)
    }

    /// Keeps the world as it is for a reload under way that may be refused, if it is the first change of the reload.
    pub(super) fn before_change(&self, world: &World) {
        if let Some(before) = &mut *self.before.borrow_mut() {
            before.world.get_or_insert_with(|| Box::new(world.clone()));
        }
    }

    /// Takes another world, and gives the one that was there.
    pub(super) fn swap_world(&self, world: &mut Arc<World>) {
        std::mem::swap(&mut *self.world.borrow_mut(), world);
    }

    pub(super) fn arrivals_mut(&self) -> RefMut<'_, Arrivals> {
        if let Some(before) = &mut *self.before.borrow_mut() {
            before.arrivals.get_or_insert_with(|| self.arrivals.borrow().clone());
        }
        self.arrivals.borrow_mut()
    }

    /// Charges the running code for work done for it, as if it had executed that many instructions.
    pub(super) fn charge(&self, lua: &Lua, instructions: u64) -> mlua::Result<()> {
        if self.meter.spend(instructions) {
            return Ok(());
        }
        self.meter.stopped_at(caller(lua));
        Err(mlua::Error::RuntimeError("stopped".into()))
    }

    /// Charges for traversing a table, empty places of removed entries included.
    pub(super) fn charge_for_table(&self, lua: &Lua, table: &Table) -> mlua::Result<()> {
        const PLACES_PER_INSTRUCTION: u64 = 8;
        self.charge(lua, self.meter.work(table) / PLACES_PER_INSTRUCTION)
    }

    /// Stops code whose path query would expand more than its fuel pays for.
    pub(super) fn search_given_up(&self, lua: &Lua) -> mlua::Error {
        self.meter.stop_for(Stop::Search);
        self.meter.stopped_at(caller(lua));
        mlua::Error::RuntimeError("stopped".into())
    }

    /// Charges for a search through all names for the one that may have been meant.
    pub(super) fn charge_for_search(&self, lua: &Lua) -> mlua::Result<()> {
        let names = self.world().characters().len() + self.world().room().points.len();
        self.charge(lua, names as u64 * 50)
    }

    /// The error of stopped code, with the reason and the place.
    pub(super) fn explain(&self, error: mlua::Error) -> mlua::Error {
        let Some((stop, place)) = self.meter.stopped() else { return error };
        let message = stopped(stop, self.limits.get().load);
        mlua::Error::RuntimeError(match place {
            Some((file, line)) => format!("{file}:{line}: {message}"),
            None => message,
        })
    }

    /// Executes a command; a refusal becomes a script error at the calling line.
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
        // Events of a command are delivered in the next tick, and may cause more commands there. Without a
        // limit they could multiply.
        let most = MAX_COMMANDS.max(self.world().characters().len() * 4);
        if self.commands.get() >= most {
            let message =
                format!("all scripts together have given {most} commands in this tick, as many as they may");
            return Err(fail(lua, message));
        }
        if self.mail.late_events.get() >= MANY_LATE {
            let message = format!(
                "more than {MANY_LATE} events wait for handlers that take too long; no commands until then"
            );
            return Err(fail(lua, message));
        }
        self.commands.set(self.commands.get() + 1);
        let walker = match command {
            Command::SetTarget { who, .. }
            | Command::SetExactTarget { who, .. }
            | Command::TalkTo { who, .. }
            | Command::Use { who, .. }
            | Command::Follow { who, .. }
            | Command::WalkBeside { who, .. }
            | Command::Turn { who, .. } => Some(who),
            _ => None,
        };
        let about = match command {
            Command::Stop { who, .. } | Command::Teleport { who, .. } | Command::Steer { who, .. } => {
                Some(who)
            }
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
                // For a setting, the message begins with its name.
                let of_setting = name.rsplit('.').next().is_some_and(|setting| words.starts_with(setting));
                fail(lua, if of_setting { words } else { format!("{name}: {words}") })
            }
        })?;
        if let (Applied::Walking(walk), Some(who)) = (&applied, walker) {
            self.schedule.borrow_mut().note_walk(self.call.running.get(), who, *walk);
        }
        Ok(applied)
    }

    /// The owner of the running code and its place, in words.
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

    /// Reads from a character, or fails with the message that it has left.
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

    /// The file of an owner's behaviour.
    pub(super) fn module_of(&self, owner: Owner) -> Option<String> {
        match owner {
            Owner::Room(id) => self.room_scripts.borrow().get(&id).cloned(),
            Owner::Character(id) => self.instances.borrow().get(id).map(|instance| instance.module.clone()),
        }
    }

    fn gone(&self, lua: &Lua, id: CharacterId) -> mlua::Error {
        let world = self.world();
        let left = match world.departed(id) {
            Some(departed) => format!("'{}' left the room at tick {}", departed.name, departed.tick),
            None => "this character left the room long ago".to_owned(),
        };
        fail(lua, format!("{left}; ask npc.valid before using a kept handle"))
    }

    /// Handlers that are switched off, in order of owner.
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

    /// The file being loaded, or the `on_reload` running, that would set up again what is set up now.
    pub(super) fn set_up_by(&self) -> Option<String> {
        self.modules.borrow().now_loading().cloned().or_else(|| self.reloading.borrow().clone())
    }

    pub(super) fn note(&self, note: Note) {
        self.notes.borrow_mut().push(note);
    }

    /// The owner whose random stream, timers and errors the running code uses.
    pub(super) fn owner(&self) -> Owner {
        self.call.running.get().owner
    }

    /// Releases every Lua value, so that the state can be closed.
    pub(super) fn release(&self) {
        *self.modules.borrow_mut() = Modules::default();
        *self.schedule.borrow_mut() = Schedule::default();
        *self.arrivals.borrow_mut() = Arrivals::default();
        *self.before.borrow_mut() = None;
        self.lua.characters.borrow_mut().clear();
        self.lua.areas.borrow_mut().clear();
        self.lua.links.borrow_mut().clear();
        self.lua.waypaths.borrow_mut().clear();
        self.mail.outbox.borrow_mut().clear();
        self.mail.late_letters.borrow_mut().clear();
        self.mail.held.borrow_mut().clear();
        self.instances.borrow_mut().clear();
        *self.lua.room_state.borrow_mut() = None;
        *self.lua.waiting_of_characters.borrow_mut() = None;
        *self.lua.waiting_of_room.borrow_mut() = None;
        *self.lua.waiting_of_tactics.borrow_mut() = None;
        *self.lua.tactics.borrow_mut() = None;
        self.game.release();
        if let Some(spec) = self.spec() {
            spec.release();
        }
    }
}
