//! Where attacks are run. In every dress:
//! 1. no step, open or reload takes longer than [`LONGEST`];
//! 2. two healthy characters, one before and one behind the attacker, and the room script do their work in every tick;
//! 3. what is reported names the attacking file and the right line;
//! 4. afterwards the file can be mended by a reload;
//! 5. the process stays within the memory limit of each room that runs, and some;
//! 6. a second run in the same process reports the same.

use crate::attacks::attack::{Attack, Dress, Outcome};
use crate::attacks::watch::{Stopwatch, is_longer_than, resident_mib};
use crate::common::project::{HALL, Project};
use cicerone::room::{CharacterSpec, ScriptLimits};
use cicerone::runtime::{Options, Reload, Runtime, RuntimeEvent};
use cicerone::script::Note;
use cicerone::world::Command;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

/// The promise, on a machine like the one it was measured on; see [`is_longer_than`].
const LONGEST: Duration = Duration::from_millis(200);

/// Runs of an attack before a step that took too long is believed: the machine may have been busy.
const TRIES: usize = 4;

/// Steps that a healthy script may wait for its turn, where all together have more to do than a step allows.
const MOST_TURNS: u64 = 20;

/// A step that has not ended after this long hangs, whatever else the machine does.
const PATIENCE: Duration = Duration::from_secs(25);

/// What the scripts of a room may hold together, by default.
const DEFAULT_MEMORY_MIB: u64 = 128;

/// What a room may need beside its limit: the world, what the tests keep, and what the allocator has not given back.
const SLACK_MIB: u64 = 64;

const ATTACK: &str = "scripts/attack.lua";
const CALM: &str = "return {}";
const MENDED: &str = r#"
local A, told = {}, false
function A.on_update(self, npc)
  if not told then told = true log.info("mended") end
end
return A
"#;
const HEALTHY: &str = include_str!("healthy.lua");
const HEALTHY_ROOM: &str = include_str!("healthy_room.lua");
const UTIL: &str = "return { name = 'util' }";

/// Why an attack was not withstood.
enum Failure {
    Slow(String),
    Wrong(String),
}

/// How far an attack has come, for the thread that waits for it.
#[derive(Default)]
struct Stage {
    dress: Mutex<String>,
    steps: AtomicU64,
}

/// Runs an attack in all its dresses, in a thread of its own so that one that hangs fails alone.
pub(crate) fn check(attack: Attack) {
    let stage = Arc::new(Stage::default());
    let (done, outcome) = mpsc::channel();
    let shown = stage.clone();
    let thread = std::thread::spawn(move || {
        let result = (1..=TRIES).find_map(|attempt| match run_all(&attack, &shown) {
            Err(Failure::Slow(_)) if attempt < TRIES => None,
            Err(Failure::Slow(text) | Failure::Wrong(text)) => Some(Err(text)),
            Ok(()) => Some(Ok(())),
        });
        let _ = done.send(result.unwrap());
    });
    let dress = || stage.dress.lock().map(|dress| dress.clone()).unwrap_or_default();
    let mut steps = 0;
    loop {
        match outcome.recv_timeout(PATIENCE) {
            Ok(Ok(())) => return,
            Ok(Err(text)) => panic!("{}: {text}", dress()),
            Err(mpsc::RecvTimeoutError::Timeout) => {
                let steps_now = stage.steps.load(Ordering::SeqCst);
                assert!(steps_now > steps, "{}: hangs after {steps} steps", dress());
                steps = steps_now;
            }
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                let panic = thread.join().unwrap_err();
                let text = panic.downcast_ref::<String>().cloned().unwrap_or_default();
                panic!("{}: panics: {text}", dress());
            }
        }
    }
}

fn run_all(attack: &Attack, stage: &Stage) -> Result<(), Failure> {
    // The last ways are the cheap ones: one of them shows whether a newcomer's change broke anything.
    let skipped = crate::common::in_sweeps(0, attack.dresses.len().saturating_sub(1));
    for (index, &dress) in attack.dresses.iter().enumerate().skip(skipped) {
        *stage.dress.lock().unwrap() = format!("{dress:?}");
        let run = || Arena::run(attack, dress, stage);
        let reports = run()?;
        // Once for each attack, in a dress that is cheap.
        if index == attack.dresses.len() - 1 && reports != run()? {
            return Err(Failure::Wrong("a second run reports something else".into()));
        }
    }
    Ok(())
}

/// A room with an attacker of such a text among healthy ones.
fn project_of(text: &[u8]) -> Project {
    let people = format!(
        r#"{{ "name": "abe", "at": [1, 3], "script": "scripts/healthy.lua" }},
           {{ "name": "ann", "at": [2, 1], "script": "{ATTACK}" }},"#
    );
    let hall = HALL
        .replace(r#"{ "name": "ann", "at": [2, 1] },"#, &people)
        .replace(r#"[6, 3] }"#, r#"[6, 3], "script": "scripts/healthy.lua" }"#);
    let project = Project::new(&[
        ("rooms/hall.json", &hall),
        ("scripts/healthy.lua", HEALTHY),
        ("scripts/room.lua", HEALTHY_ROOM),
        ("scripts/util.lua", UTIL),
    ]);
    std::fs::write(project.path(ATTACK), text).unwrap();
    project
}

impl Attack {
    /// The defaults where time is judged most; in other dresses the same happens in a tenth of the time. What must be
    /// left alone is always given the defaults.
    pub(crate) fn limits(&self, dress: Dress) -> ScriptLimits {
        let full = ScriptLimits::default();
        match dress {
            Dress::Handler => full,
            _ if self.outcome == Outcome::Quiet => full,
            _ => with!(full, instructions_per_call = Some(400_000), instructions_per_load = Some(1_000_000)),
        }
    }
}

/// A room with an attacker.
struct Arena<'a> {
    attack: &'a Attack,
    stage: &'a Stage,
    text: Vec<u8>,
    project: Project,
    runtime: Runtime,
    reports: Vec<String>,
    log_lines: u64,
    room_beats: u64,
    is_mended: bool,
    /// Steps in a row in which a healthy script waited for its turn.
    waited: u64,
    _counted: Counted,
}

/// How far the healthy ones have come: in `on_update` and in `run` of two characters.
type Beats = [f64; 4];

impl<'a> Arena<'a> {
    /// Runs the attack once; what was reported.
    fn run(attack: &'a Attack, dress: Dress, stage: &'a Stage) -> Result<Vec<String>, Failure> {
        let mut arena = Self::open(attack, dress, stage)?;
        arena.step()?;
        arena.steps(2)?;
        if dress == Dress::Reloaded {
            let text = arena.text.clone();
            match arena.reload(&text)? {
                Reload::Done { .. } => {}
                Reload::Refused { problems, .. } => {
                    for problem in problems {
                        arena.report(&problem.file, problem.line, &problem.message)?;
                    }
                }
                _ => return Err(Failure::Wrong("the reload was not noticed".into())),
            }
        }
        arena.steps(attack.ticks)?;
        arena.judge()?;
        arena.mend()?;
        Ok(arena.reports)
    }

    fn open(attack: &'a Attack, dress: Dress, stage: &'a Stage) -> Result<Self, Failure> {
        let counted = Counted::new();
        let text = attack.text(dress);
        let project = project_of(if dress == Dress::Reloaded { CALM.as_bytes() } else { &text });
        let watch = Stopwatch::begin();
        let runtime = project.open_with(Options::default().with_limits(attack.limits(dress)));
        let mut arena = Self {
            attack,
            stage,
            text,
            project,
            runtime,
            reports: Vec::new(),
            log_lines: 0,
            room_beats: 0,
            is_mended: false,
            waited: 0,
            _counted: counted,
        };
        arena.look(&watch, "open")?;
        Ok(arena)
    }

    fn steps(&mut self, count: u64) -> Result<(), Failure> {
        for _ in 0..count {
            let (before, room_before) = (self.beats(), self.room_beats);
            self.step()?;
            let after = self.beats();
            let tick = self.runtime.world().tick_number();
            if self.room_beats != room_before + 1 {
                return Err(Failure::Wrong(format!("tick {tick}: the room script is stuck")));
            }
            let goes_on = match (before, after) {
                (Some(before), Some(after)) => {
                    before.iter().zip(after).all(|(before, after)| *before < after)
                }
                _ => self.attack.sends_all_away,
            };
            // With more than a step's work, all take turns.
            let tick_of_turns = self.runtime.crowded_ticks().1;
            self.waited = if goes_on { 0 } else { self.waited + 1 };
            if !goes_on && (!tick_of_turns || self.waited > MOST_TURNS) {
                return Err(Failure::Wrong(format!(
                    "tick {tick}: a healthy script is stuck: {before:?} {after:?}"
                )));
            }
        }
        Ok(())
    }

    fn step(&mut self) -> Result<(), Failure> {
        let watch = Stopwatch::begin();
        self.runtime.step();
        self.look(&watch, "a step")
    }

    /// What `healthy.lua` shows of itself in the world; `None` if somebody has left.
    fn beats(&self) -> Option<Beats> {
        let world = self.runtime.world();
        let (abe, bob) = (world.character_named("abe")?, world.character_named("bob")?);
        Some([abe.walk_speed_mps, abe.rotation_speed_radps, bob.walk_speed_mps, bob.rotation_speed_radps])
    }

    fn reload(&mut self, text: &[u8]) -> Result<Reload, Failure> {
        let path = self.project.path(ATTACK);
        std::fs::write(&path, text).unwrap();
        let watch = Stopwatch::begin();
        let outcome = self.runtime.reload(&BTreeSet::from([path]));
        self.look(&watch, "a reload")?;
        Ok(outcome)
    }

    /// Looks at the time, the memory and the reports.
    fn look(&mut self, watch: &Stopwatch, what: &str) -> Result<(), Failure> {
        let took = watch.elapsed();
        self.stage.steps.fetch_add(1, Ordering::SeqCst);
        if is_longer_than(LONGEST, took) {
            return Err(Failure::Slow(format!("{what} took {} ms", took.as_millis())));
        }
        let bound = Counted::most() * (DEFAULT_MEMORY_MIB + SLACK_MIB);
        if let Some(resident) = resident_mib().filter(|resident| *resident > bound) {
            return Err(Failure::Wrong(format!("{what} left {resident} MiB in use, more than {bound}")));
        }
        for event in self.runtime.take_events() {
            match event {
                RuntimeEvent::Note(Note::Error(error)) => {
                    self.report(&error.file, error.line, &error.message)?
                }
                RuntimeEvent::Note(Note::Log { text, .. }) => {
                    self.log_lines += 1;
                    self.room_beats += u64::from(text == "room beat");
                    self.is_mended |= text == "mended";
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn report(&mut self, file: &str, line: u32, message: &str) -> Result<(), Failure> {
        let start: String = message.chars().take(300).collect();
        if file != ATTACK || !self.attack.may_blame(&self.text, line) {
            return Err(Failure::Wrong(format!("blames {file}:{line}: {start}")));
        }
        self.reports.push(format!("{line}: {message}"));
        Ok(())
    }

    fn judge(&mut self) -> Result<(), Failure> {
        let reports = self.reports.clone();
        let good = match self.attack.outcome {
            Outcome::Stopped => !reports.is_empty(),
            Outcome::Told(words) => reports.iter().any(|report| report.contains(words)),
            Outcome::Either => true,
            Outcome::Quiet => reports.is_empty(),
        };
        self.reports.push(format!("{} lines", self.log_lines));
        if good { Ok(()) } else { Err(Failure::Wrong(format!("is reported as {reports:?}"))) }
    }

    /// The attacker is mended by a save, and comes back if it had left.
    fn mend(&mut self) -> Result<(), Failure> {
        let outcome = self.reload(MENDED.as_bytes())?;
        if !matches!(outcome, Reload::Done { .. }) {
            return Err(Failure::Wrong(format!("cannot be mended: {outcome:?}")));
        }
        if self.runtime.world().character_named("ann").is_none() {
            let spec = Command::Spawn(Box::new(ann()));
            self.runtime.send(cicerone::runtime::Input::Do(spec));
        }
        for _ in 0..10 {
            self.steps(1)?;
            if self.is_mended {
                return Ok(());
            }
        }
        Err(Failure::Wrong("is mended, but does not run".into()))
    }
}

fn ann() -> CharacterSpec {
    let mut spec = crate::common::character("ann", glam::dvec2(2.0, 1.0));
    spec.script = Some(ATTACK.into());
    spec
}

static ARENAS: AtomicU64 = AtomicU64::new(0);
static MOST_ARENAS: AtomicU64 = AtomicU64::new(1);

/// Counts the rooms that run at the same time, for the bound of memory.
struct Counted;

impl Counted {
    fn new() -> Self {
        MOST_ARENAS.fetch_max(ARENAS.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
        Self
    }

    fn most() -> u64 {
        MOST_ARENAS.load(Ordering::SeqCst)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        ARENAS.fetch_sub(1, Ordering::SeqCst);
    }
}
