//! One run of one seed.

use super::act::{Action, Acts, Mind};
use super::finding::{Finding, FindingKind, Incident, last_things, place_of};
use super::puzzle::{Goals, State};
use super::{Monkey, Sighting, Watch};
use crate::crowd::CharacterId;
use crate::draw::{Picture, TextLook};
use crate::geometry::contains;
use crate::room::Area;
use crate::runtime::{OpenError, Options as RoomOptions, Runtime, describe};
use crate::script::ScriptError;
use crate::world::{EventKind, World};
use glam::DVec2;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The settings of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PlaySettings {
    pub(super) seed: u64,
    pub(super) acts: Acts,
    pub(super) ticks: u64,
    /// Whether the state of the puzzle is recorded.
    pub(super) puzzle: bool,
    /// From this tick on, the monkey switches to the random stream of this number.
    pub(super) change: Option<(u64, u64)>,
}

impl PlaySettings {
    pub(super) fn of(seed: u64, acts: Acts, ticks: u64) -> Self {
        Self { seed, acts, ticks, puzzle: false, change: None }
    }
}

/// The result of a run.
#[derive(Debug, Clone)]
pub(super) struct Played {
    pub(super) seed: u64,
    pub(super) ticks: u64,
    pub(super) ticks_per_second: u32,
    /// The room's hash at the end.
    pub(super) hash: u64,
    pub(super) walks: BTreeMap<&'static str, u64>,
    pub(super) actions: Vec<Action>,
    /// The states of the puzzle, each with its first tick.
    pub(super) states: Vec<State>,
    pub(super) findings: Vec<Finding>,
}

impl Played {
    pub(super) fn found_something(&self) -> bool {
        !self.findings.is_empty()
    }
}

/// A run in progress.
pub(super) struct Play {
    pub(super) runtime: Runtime,
    pub(super) actions: Vec<Action>,
    pub(super) states: Vec<State>,
    /// Incidents of the player and of areas.
    incidents: Vec<Incident>,
    run: PlaySettings,
    mind: Mind,
    goals: Option<Goals>,
}

/// The state of a puzzle is recorded this often per second, and whenever an area opens or closes.
const LOOKS_A_SECOND: u64 = 4;

impl Play {
    pub(super) fn begin(monkey: &Monkey, run: PlaySettings) -> Result<Self, OpenError> {
        let options = RoomOptions { seed: run.seed, ..monkey.options.clone() };
        let runtime = Runtime::open_in(monkey.project.clone(), &monkey.room, options)?;
        let goals = run.puzzle.then(|| {
            let world = runtime.world();
            Goals::of(world.room(), world.ground())
        });
        let mind = Mind::new(run.seed, run.acts);
        let (actions, states, incidents) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { runtime, actions, states, incidents, run, mind, goals })
    }

    pub(super) fn tick(&self) -> u64 {
        self.runtime.world().tick_number()
    }

    /// Applies the monkey's inputs for the next step. The resulting events are then ready to be checked.
    pub(super) fn act(&mut self) {
        let now = self.tick();
        if let Some((_, way)) = self.run.change.filter(|&(tick, _)| tick == now) {
            self.mind.change(self.run.seed, way);
        }
        let inputs = self.mind.inputs(self.runtime.world());
        for input in inputs {
            let sent = input.as_input(self.runtime.world());
            let Some(sent) = sent else { continue };
            self.runtime.send(sent);
            self.runtime.drain_inbox(); // the next input may concern a character added by this one
            let time_s = self.runtime.world().time_s();
            self.actions.push(Action { tick: now, time_s, input });
        }
        self.note_incidents();
        self.look_at_puzzle();
    }

    fn note_incidents(&mut self) {
        let world = self.runtime.world();
        let is_player = |who: &CharacterId| world.character(*who).is_some_and(|character| character.player);
        let matters = |kind: &EventKind| match kind {
            EventKind::AreaChanged { .. } => true,
            EventKind::Entered(who, _) | EventKind::Left(who, _) | EventKind::Evicted { who, .. } => {
                is_player(who)
            }
            _ => false,
        };
        let (tick, time_s) = (world.tick_number(), world.time_s());
        let events = self.runtime.pending_events().iter().filter(|event| matters(&event.kind));
        let told = events.map(|event| Incident { tick, time_s, words: describe(world, &event.kind) });
        self.incidents.extend(told);
    }

    pub(super) fn step(&mut self) {
        self.runtime.step();
        self.runtime.take_events();
    }

    /// Runs up to a tick.
    pub(super) fn run_to(&mut self, tick: u64) {
        while self.tick() < tick {
            self.act();
            self.step();
        }
        self.look_at_puzzle();
    }

    fn look_at_puzzle(&mut self) {
        let Some(goals) = &self.goals else { return };
        let (now, every) = {
            let world = self.runtime.world();
            (world.tick_number(), (u64::from(world.room().ticks_per_second) / LOOKS_A_SECOND).max(1))
        };
        let changed = || {
            let is_area = |kind: &_| matches!(kind, EventKind::AreaChanged { .. });
            self.runtime.pending_events().iter().any(|event| is_area(&event.kind))
        };
        if !now.is_multiple_of(every) && !changed() {
            return;
        }
        let state = goals.look(&self.runtime);
        let last = self.states.last();
        if last.is_none_or(|last| (last.key, &last.reached) != (state.key, &state.reached)) {
            self.states.push(state);
        }
    }
}

/// Plays and watches one run to its end.
pub(super) fn play(monkey: &Monkey, run: &PlaySettings) -> Result<Played, OpenError> {
    let mut play = Play::begin(monkey, *run)?;
    let rate = play.runtime.world().room().ticks_per_second;
    let mut watch = Watch::new(play.runtime.world());
    let mut found = Vec::new();
    let fell = catch_unwind(AssertUnwindSafe(|| {
        loop {
            play.act();
            let sightings = watch.look(play.runtime.world(), play.runtime.pending_events());
            for sighting in sightings {
                found.push(tell(monkey, &play, sighting));
            }
            if play.tick() >= run.ticks {
                break;
            }
            play.step();
        }
    }));
    let errors: Vec<ScriptError> = play.runtime.script_errors().cloned().collect();
    found.extend(errors.iter().map(|error| tell_error(monkey, &play, error)));
    if let Err(cause) = fell {
        let words = cause.downcast_ref::<&str>().map(|words| (*words).to_owned());
        let words = words.or_else(|| cause.downcast_ref::<String>().cloned()).unwrap_or_default();
        let sighting = Sighting {
            kind: FindingKind::Panic,
            who: "the game".into(),
            at: DVec2::NAN,
            words: format!("gave up: {words}"),
        };
        found.push(tell(monkey, &play, sighting));
    }
    let (ticks, hash) = (play.tick(), play.runtime.world().checksum());
    Ok(Played {
        seed: run.seed,
        ticks,
        ticks_per_second: rate,
        hash,
        walks: play.runtime.tally().walks.clone(),
        actions: play.actions,
        states: play.states,
        findings: found,
    })
}

/// A finding of the current sighting.
pub(super) fn tell(monkey: &Monkey, play: &Play, sighting: Sighting) -> Finding {
    let world = play.runtime.world();
    let tick = world.tick_number();
    Finding {
        kind: sighting.kind,
        seed: play.run.seed,
        seeds: vec![play.run.seed],
        tick,
        time: world.time_s(),
        who: sighting.who,
        at: sighting.at.is_finite().then_some([sighting.at.x, sighting.at.y]),
        words: sighting.words,
        hash: format!("{:016x}", world.checksum()),
        picture: picture(world),
        before: last_things(&play.actions, &play.incidents, tick),
        command: command(monkey, &play.run),
    }
}

/// Leaves out the number of repeats: it differs between runs of the same finding.
fn tell_error(monkey: &Monkey, play: &Play, error: &ScriptError) -> Finding {
    Finding {
        kind: FindingKind::ScriptError,
        seed: play.run.seed,
        seeds: vec![play.run.seed],
        tick: error.tick,
        time: error.tick as f64 * play.runtime.world().dt_s(),
        who: place_of(error),
        at: None,
        words: format!("{} ({} of {})", error.message, error.event, error.who),
        hash: String::new(),
        picture: String::new(),
        before: last_things(&play.actions, &play.incidents, error.tick),
        command: command(monkey, &play.run),
    }
}

const PICTURE_COLUMNS: usize = 72;

fn picture(world: &World) -> String {
    let mut look = TextLook::default();
    (look.width_limit, look.doors) = (PICTURE_COLUMNS, inner_areas(world));
    Picture::of_world(world).to_text_with(&look)
}

/// Areas within others: no edge of the ground shows them, and scripts ask which characters enter them.
fn inner_areas(world: &World) -> Vec<String> {
    let areas = &world.room().areas;
    let is_inner = |area: &&Area| {
        let middle = area.polygon.iter().copied().sum::<DVec2>() / area.polygon.len() as f64;
        // A corner may lie on a shared edge.
        let inwards = |corner: &DVec2| corner.lerp(middle, 0.01);
        areas.iter().any(|other| {
            other.name != area.name && area.polygon.iter().all(|at| contains(&other.polygon, inwards(at)))
        })
    };
    areas.iter().filter(is_inner).map(|area| area.name.clone()).collect()
}

/// The command that reproduces the run.
fn command(monkey: &Monkey, run: &PlaySettings) -> String {
    let mut words = format!("cicerone monkey {} --seed {}", monkey.room.display(), run.seed);
    let seconds = monkey.seconds;
    words.push_str(&format!(" --seconds {seconds}"));
    for (does, what) in
        [(run.acts.clicks, "clicks"), (run.acts.toggles, "toggles"), (run.acts.spawns, "spawns")]
    {
        if !does {
            words.push_str(&format!(" --without {what}"));
        }
    }
    for script in &monkey.options.scripts {
        words.push_str(&format!(" --script {script}"));
    }
    for (name, script) in &monkey.options.script_overrides {
        words.push_str(&format!(" --script {name}={script}"));
    }
    if let Some(size) = monkey.options.cell_size_m {
        words.push_str(&format!(" --cell-size {size}"));
    }
    words
}
