//! A running room: joins a world, its scripts and its files. Owns the order of a tick and of a reload.

mod advice;
mod ahead;
mod asks;
mod event;
mod film;
mod golden;
mod journal;
mod level;
mod live;
mod open;
mod options;
mod phases;
mod read_files;
mod recording;
mod refusal;
mod reload;
mod rerun;
mod save;
mod spec_run;

pub use ahead::{ReadAhead, RoomAhead};
pub use event::{MAX_EVENTS, RuntimeEvent, Tally, describe};
pub use journal::Journal;
pub use level::watch_builds;
pub use live::{LiveReload, ReloadReport};
pub use open::{Checked, OpenError, check_room, check_room_scaled};
pub use options::Options;
pub use phases::StepPhase;
pub use reload::{Reload, WriteError};
pub use rerun::Rerun;
pub use save::{MAX_SAVE_BYTES, SaveError, Saved};
pub use spec_run::{RecordingError, SpecRun, source_of};

use self::level::Floods;
use self::read_files::ReadFiles;
use crate::nav::Place;
use crate::project::Project;
use crate::room::CharacterSpec;
use crate::script::{
    Answer, CallId, Debugger, FinishError, GameAnswer, GameApi, Lent, ParkedScripts, Scripts, Watchdog,
};
use crate::world::{
    Applied, Character, CharacterId, Command, CommandError, Event, FrameSteps, Pose, WalkId, World,
};
use glam::DVec2;
use recording::RunningRecorder;
use std::collections::{BTreeSet, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// A running room.
///
/// ```no_run
/// use cicerone::runtime::{Options, Runtime};
/// let mut room = Runtime::open("rooms/tavern.json".as_ref(), Options::default())?;
/// for _ in 0..600 {
///     room.step();
/// }
/// println!("{:?}", room.world().character_named("player").map(|player| player.position));
/// # Ok::<(), cicerone::runtime::OpenError>(())
/// ```
pub struct Runtime {
    project: Project,
    room_file: PathBuf,
    room_bytes: Vec<u8>,
    /// The other files that the room was read from.
    read_files: ReadFiles,
    floods: Floods,
    extra_scripts: Vec<String>,
    script_overrides: Vec<(String, String)>,
    cell_size_m: Option<f64>,
    /// What the game gives to scripts, without what only its project declares.
    game: GameApi,
    /// The room as it is now. Nobody shares it when it changes.
    world: Arc<World>,
    /// The scripts. They have the world only while it is lent to them.
    scripts: ParkedScripts,
    inbox: VecDeque<Input>,
    /// Events not yet delivered to scripts.
    pending_events: Vec<Event>,
    events: Vec<RuntimeEvent>,
    tally: Tally,
    /// Files that a refused version asked for: once they exist, it may be valid.
    wanted: BTreeSet<String>,
    /// A room that was read ahead on another thread.
    ahead: Option<RoomAhead>,
    /// The recorder of the run.
    recorder: Option<RunningRecorder>,
    /// The recording that it shows, if it is one.
    film: Option<film::Film>,
    journal: Option<Box<Journal>>,
    /// The number of loaded scripts that the journal knows.
    journaled_scripts: usize,
    frames: FrameSteps,
}

/// An input from outside. It takes effect at the beginning of the next tick.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Input {
    /// A click on a place. Unless a room script takes the click, the player walks there.
    Click(Place),
    /// Steers the player, as arrow keys or a stick do: a direction in the plane, up to 1 long, until the next one; zero
    /// ends it. Like a click, it does not move a player in a scene. See [`Command::Steer`].
    Steer(DVec2),
    /// Any command.
    Do(Command),
    /// A line of Lua; [`Runtime::take_answers`] gives its result. In the first step it runs before `on_load`.
    Console(String),
    /// Ends the waiting lines of Lua and the walks they started.
    CallOffLines,
}

impl Runtime {
    /// Opens a room in the project that holds it (see [`Project::containing`]).
    ///
    /// # Errors
    /// [`OpenError`]: the room cannot be read, is invalid, or names a script that does not exist. Errors inside
    /// scripts do not prevent opening: they are reported as events.
    pub fn open(room: &std::path::Path, options: Options) -> Result<Self, OpenError> {
        Self::open_in(Project::containing(room), room, options)
    }

    /// One fixed step. The order is a contract: each phase reads the results of the one before.
    pub fn step(&mut self) {
        self.step_in_phases(|_| {});
    }

    /// [`Runtime::step`] with a call after every phase, for measurements: a running room reads no clock.
    pub fn step_in_phases(&mut self, mut over: impl FnMut(StepPhase)) {
        self.absorb(); //      1 the only entrance from outside
        over(StepPhase::Inbox);
        self.run_scripts(); // 2 every change is a Command, applied at once
        over(StepPhase::Scripts);
        self.world_mut().tick_in_phases(|phase| over(StepPhase::World(phase))); // 3 to 5 plan, walk, keep apart, notice
        self.collect(); //     6 events for recorder and watchers
        over(StepPhase::Outbox);
    }

    /// Makes the steps of a frame of this length, in seconds; their number. What is left of the frame is kept for the next,
    /// but of a frame longer than a quarter of a second the rest is lost. [`Runtime::pose`] tells where to draw characters.
    pub fn advance(&mut self, frame_s: f64) -> u32 {
        let steps = self.frames.begin(frame_s, 1.0 / f64::from(self.ticks_per_second()));
        for _ in 0..steps {
            self.frames.note(&self.world);
            self.step();
        }
        steps
    }

    /// Where to draw a character in the frame of the last [`Runtime::advance`]: between two steps. `None` if it is not in
    /// the room.
    pub fn pose(&self, who: CharacterId) -> Option<Pose> {
        self.frames.pose(&self.world, who)
    }

    /// Carries out a command now, after the contents of the inbox, and returns the result. Between two steps it is
    /// the same as [`Input::Do`] before the next step, recordings included.
    ///
    /// # Errors
    /// [`CommandError`]: why the world refuses it; nothing has changed then.
    pub fn apply(&mut self, command: Command) -> Result<Applied, CommandError> {
        self.absorb();
        if let Some(journal) = &mut self.journal {
            journal.note_command(self.world.tick_number(), &command);
        }
        let applied = self.world_mut().apply(command);
        self.collect_events();
        self.take_notes();
        applied
    }

    /// Adds a character, at the walkable place nearest to its start: [`Command::Spawn`].
    ///
    /// # Errors
    /// As [`Runtime::apply`].
    pub fn spawn(&mut self, spec: CharacterSpec) -> Result<CharacterId, CommandError> {
        match self.apply(Command::Spawn(Box::new(spec)))? {
            Applied::Spawned(who) => Ok(who),
            _ => Err(CommandError::Gone(CharacterId(u32::MAX))), // never: a spawn answers with an id
        }
    }

    /// Sends a character to a place: [`Command::SetTarget`]. The end of the walk is an event with this id.
    ///
    /// # Errors
    /// As [`Runtime::apply`].
    pub fn walk_to(&mut self, who: CharacterId, to: impl Into<Place>) -> Result<WalkId, CommandError> {
        match self.apply(Command::SetTarget { who, to: to.into() })? {
            Applied::Walking(walk) => Ok(walk),
            _ => Err(CommandError::Gone(who)), // never: a walk answers with its id
        }
    }

    /// As [`World::set_user_data`], which [`World::user_data`] reads.
    pub fn set_user_data(&mut self, who: CharacterId, user_data: u64) -> bool {
        self.world_mut().set_user_data(who, user_data)
    }

    /// Steps per second of game time.
    pub fn ticks_per_second(&self) -> u32 {
        self.world().room().ticks_per_second
    }

    /// Puts an input into the inbox, for the next step. A command that the world refuses then becomes
    /// [`RuntimeEvent::Refused`]; [`Runtime::apply`] answers at once.
    pub fn send(&mut self, input: Input) {
        self.inbox.push_back(input);
    }

    /// Empties the inbox now instead of at the beginning of the next step: for a room whose time stands still. The
    /// result is the same.
    pub fn drain_inbox(&mut self) {
        self.absorb();
        self.take_notes();
    }

    /// The room as it is now. While somebody looks at it, it does not change: the compiler sees to it. Everything can be
    /// asked meanwhile.
    ///
    /// ```no_run
    /// # use cicerone::runtime::{Options, Runtime};
    /// # let mut room = Runtime::open("rooms/tavern.json".as_ref(), Options::default())?;
    /// let world = room.world();
    /// for character in world.characters() {
    ///     let way = room.find_path(character.position.at, [6.0, 3.0]);
    /// }
    /// room.step();
    /// # Ok::<(), cicerone::runtime::OpenError>(())
    /// ```
    ///
    /// ```compile_fail,E0502
    /// # use cicerone::runtime::{Options, Runtime};
    /// # let mut room = Runtime::open("rooms/tavern.json".as_ref(), Options::default())?;
    /// let world = room.world();
    /// room.step();
    /// println!("{}", world.tick_number()); // of the step before?
    /// # Ok::<(), cicerone::runtime::OpenError>(())
    /// ```
    pub fn world(&self) -> &World {
        &self.world
    }

    /// All characters in the room, in order of id: [`World::characters`].
    pub fn characters(&self) -> &[Character] {
        self.world.characters()
    }

    /// A character that is in the room: [`World::character`].
    pub fn character(&self, id: CharacterId) -> Option<&Character> {
        self.world.character(id)
    }

    /// The world, for changes that no script makes: a refused reload does not take them back.
    fn world_mut(&mut self) -> &mut World {
        Arc::make_mut(&mut self.world)
    }

    /// The scripts with the world, until the loan ends.
    fn lend(&mut self) -> Lent<'_> {
        self.scripts.lend(&mut self.world)
    }

    /// Asks the scripts something that runs none of them and changes nothing.
    fn ask<R>(&self, question: impl FnOnce(&Scripts) -> R) -> R {
        self.scripts.ask(&self.world, question)
    }

    /// Waiting functions that only the project declares wait for [`Runtime::finish_call`] from now on, as if the game gave
    /// them: for a game that is known from its declarations alone, as one in another process.
    pub fn wait_for_game(&mut self) {
        if let Some(journal) = &mut self.journal {
            journal.note_waiting(self.world.tick_number());
        }
        self.lend().wait_for_game();
    }

    /// The events since the last call, in order. Take them now and then: of more than [`MAX_EVENTS`], the older half is lost,
    /// and [`RuntimeEvent::Lost`] says how many.
    pub fn take_events(&mut self) -> Vec<RuntimeEvent> {
        std::mem::take(&mut self.events)
    }

    /// Ends a call of a function of the game that scripts wait for: see [`GameApi::waiting`]. The script goes on in the
    /// next step, with these results.
    ///
    /// # Errors
    /// [`FinishError`]: the script does not wait any more, or the results are not as declared.
    pub fn finish_call(&mut self, id: CallId, results: impl Into<GameAnswer>) -> Result<(), FinishError> {
        let answer = results.into();
        if let Some(journal) = &mut self.journal {
            journal.note_answer(self.world.tick_number(), id, &answer);
        }
        self.lend().finish_call(id, &answer)
    }

    /// The results of lines sent as [`Input::Console`], in the order in which they ended.
    pub fn take_answers(&mut self) -> Vec<Answer> {
        self.lend().take_answers()
    }

    /// Starts a thread that watches the clock while scripts run, until it is dropped: it reports a script that holds
    /// the game up for `name_after`, and stops it after `stop_after`, if that is given. Fuel needs no clock and stops
    /// at the same instruction everywhere; the watchdog covers what fuel does not measure. Use it only for rooms in
    /// which a person waits: a stop by the clock is not reproducible.
    pub fn watchdog(&self, name_after: Duration, stop_after: Option<Duration>) -> Watchdog {
        self.ask(|scripts| scripts.watchdog(name_after, stop_after))
    }

    /// Shows scripts that stop at breakpoints to a debugger. Without one they do not stop.
    pub fn set_debugger(&mut self, debugger: Option<Box<dyn Debugger>>) {
        self.lend().set_debugger(debugger);
    }

    /// Sets the lines before which scripts stop: files from the project's root, and lines from 1. With any, scripts run
    /// several times slower; and addresses of objects may be other ones than in a run without.
    pub fn set_breakpoints(&mut self, breakpoints: BTreeSet<(String, u32)>) {
        self.lend().set_breakpoints(breakpoints);
    }

    fn absorb(&mut self) {
        while let Some(input) = self.inbox.pop_front() {
            if let Some(journal) = &mut self.journal {
                journal.note_input(self.world.tick_number(), &input);
            }
            let command = match input {
                Input::Click(at) => Command::Click(at),
                Input::Steer(direction) => match self.lend().steering_of_player(direction) {
                    Some(command) => command,
                    None => continue,
                },
                Input::Do(command) => command,
                Input::Console(line) => {
                    self.lend().evaluate(&line);
                    continue;
                }
                Input::CallOffLines => {
                    self.lend().call_off_lines();
                    continue;
                }
            };
            if let Err(error) = self.world_mut().apply(command) {
                self.events.push(RuntimeEvent::Refused(error));
            }
        }
        self.collect_events();
    }

    fn run_scripts(&mut self) {
        let events = std::mem::take(&mut self.pending_events);
        if !self.repeat_film() {
            self.lend().run_tick(&events);
        }
    }

    fn collect(&mut self) {
        self.take_notes();
        self.collect_events();
        self.bound_events();
        self.record_tick();
        if self.journal.is_some() && self.scripts_loaded() != self.journaled_scripts {
            self.note_new_files();
        }
    }

    /// Delivers the world's events to scripts, recorder and watchers.
    fn collect_events(&mut self) {
        let events = self.world_mut().take_events();
        self.lend().watch_events(&events);
        for event in &events {
            self.tally.count(event);
            let text = describe(&self.world, &event.kind);
            self.events.push(RuntimeEvent::Event { tick: event.tick, kind: event.kind.clone(), text });
        }
        self.pending_events.extend(events);
    }

    /// Lets go of the older half of the events if nobody takes them.
    fn bound_events(&mut self) {
        if self.events.len() > MAX_EVENTS {
            let lost = self.events.len() - MAX_EVENTS / 2;
            let before = match self.events.first() {
                Some(RuntimeEvent::Lost(before)) => *before - 1, // this notice was none of them
                _ => 0,
            };
            self.events.splice(..lost, [RuntimeEvent::Lost(lost + before)]);
        }
    }

    fn take_notes(&mut self) {
        let (notes, errors) = {
            let mut scripts = self.lend();
            (scripts.take_notes(), scripts.error_count())
        };
        self.events.extend(notes.into_iter().map(RuntimeEvent::Note));
        self.tally.script_errors = errors;
    }
}
