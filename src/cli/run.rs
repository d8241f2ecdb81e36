//! `cicerone run`: a room in the terminal, or headless.

use super::place::TimedClick;
use super::room::{Scale, room_file};
use super::session::{Session, in_words};
use super::{OK, print, project_of};
use cicerone::draw::clean;
use cicerone::room::ScriptLimits;
use cicerone::runtime::{Happening, LiveReload, Options, Runtime};
use cicerone::script::{Level, NO_LIMITS, Note, ScriptError};
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Run a room: live in the terminal, or headless
///
/// In a terminal the room is drawn, and the player walks where you click or to the point you type. Saved scripts and rooms
/// change it while it runs. When output is no terminal, events are printed as lines.
#[derive(Args)]
pub(super) struct RunArgs {
    /// The room: a file (.json, .txt, .map), or NAME for rooms/NAME.json, .txt or .map
    #[arg(value_name = "ROOM", default_value = "rooms/tavern.json")]
    room: PathBuf,
    #[command(flatten)]
    scale: Scale,
    /// Run as fast as possible without drawing, then print what became of it
    #[arg(long)]
    headless: bool,
    /// Stop after this much game time [default: 60 if headless, else never]
    #[arg(long, value_name = "N", value_parser = seconds)]
    seconds: Option<f64>,
    /// How to print the result of a headless run
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Seed of every random number
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Speed of time, 1 being real time
    #[arg(long, default_value_t = 1.0, value_parser = speed)]
    speed: f64,
    /// Look for changed files ten times a second instead of trusting file events (network drives)
    #[arg(long)]
    poll: bool,
    /// One more room script beside the room's own (may be given several times)
    #[arg(long, value_name = "FILE")]
    script: Vec<PathBuf>,
    /// What scripts may use up: a name of the room file's `limits` and a number, like instructionsPerCall=5000000 (may be
    /// given several times; goes before the room's own)
    #[arg(long, value_name = "NAME=N", value_parser = limit, conflicts_with = "no_limits")]
    limit: Vec<ScriptLimits>,
    /// Let scripts use up whatever they want: an endless loop hangs
    #[arg(long)]
    no_limits: bool,
    /// Click at a time of the game (may be given several times)
    #[arg(long, value_name = "T:X,Z", allow_hyphen_values = true)]
    click: Vec<TimedClick>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Text,
    Json,
}

/// What a headless run prints.
#[derive(Serialize)]
struct Report {
    tick: u64,
    time: f64,
    hash: String,
    characters: Vec<CharacterReport>,
    events: BTreeMap<&'static str, u64>,
    walks: WalkReport,
    reloads: u64,
    script_errors: u64,
    errors: Vec<ErrorReport>,
    /// Instructions that scripts executed.
    instructions: u64,
    /// Memory that scripts hold at the end; not the same in every run to the byte, so it is not part of the JSON.
    #[serde(skip)]
    script_bytes: usize,
}

/// One kind of script error.
#[derive(Serialize)]
struct ErrorReport {
    file: String,
    line: u32,
    message: String,
    /// Who had it first, in what and when.
    who: String,
    event: String,
    tick: u64,
    count: u64,
    traceback: Vec<String>,
}

#[derive(Serialize)]
struct CharacterReport {
    name: String,
    x: f64,
    y: f64,
    z: f64,
    heading: f64,
    state: &'static str,
    moving: bool,
    target: Option<[f64; 3]>,
}

#[derive(Serialize)]
struct WalkReport {
    ended: u64,
    /// How long a walk took on average that arrived.
    seconds_to_arrive: Option<f64>,
    #[serde(flatten)]
    by_reason: BTreeMap<&'static str, u64>,
}

/// Game time of a headless run that does not say.
const HEADLESS_S: f64 = 60.0;

/// A script that holds the game up for so long is named.
const NAMED_AFTER: Duration = Duration::from_secs(1);

/// A script that holds the game up for so long is stopped. Fuel stops nearly everything a hundred times sooner.
const LIVE_PATIENCE: Duration = Duration::from_secs(2);
const HEADLESS_PATIENCE: Duration = Duration::from_secs(20);

pub(super) fn run(root: Option<&Path>, args: &RunArgs) -> u8 {
    let room = room_file(&args.room);
    if let Err(code) = args.scale.check(&room) {
        return code;
    }
    let mut project = project_of(root, &room);
    let mut scripts = Vec::new();
    for script in &args.script {
        if !script.is_file() {
            return print::complain(&format!("there is no script {}", script.display()));
        }
        scripts.push(project.admit(script));
    }
    let limits = match args.no_limits {
        true => NO_LIMITS,
        false => args.limit.iter().fold(ScriptLimits::default(), |all, &limit| limit.or(all)),
    };
    let options = Options { seed: args.seed, limits, scripts, cell_size_m: args.scale.cell_size };
    let mut session = match Session::open(project, &room, options, &args.click) {
        Ok(session) => session,
        Err(code) => return code,
    };
    // People wait for a live room; a scenario may take its time, but not for ever.
    let patience = if args.headless { HEADLESS_PATIENCE } else { LIVE_PATIENCE };
    let _watchdog = (!args.no_limits).then(|| session.runtime.watchdog(NAMED_AFTER, patience));
    if args.headless {
        run_headless(&mut session, args.seconds.unwrap_or(HEADLESS_S), args.format)
    } else if std::io::stdout().is_terminal() && std::io::stdin().is_terminal() {
        super::live::run(session, args.speed, args.seconds, args.poll)
    } else {
        run_as_lines(&mut session, args.speed, args.seconds, args.poll)
    }
}

fn run_headless(session: &mut Session, seconds: f64, format: Format) -> u8 {
    let last = session.last_tick(Some(seconds));
    loop {
        for happening in session.runtime.take_happenings() {
            match happening {
                Happening::Note(Note::Log { level: Level::Debug | Level::Info, .. })
                    if format == Format::Json => {}
                Happening::Note(note) => complain_line(&in_words(&Happening::Note(note))),
                Happening::Event { .. } => {}
            }
        }
        if session.runtime.world().tick_number() >= last {
            break;
        }
        session.step();
    }
    let report = report(&session.runtime);
    match format {
        Format::Json => print::text(&print::pretty_json(&report)),
        Format::Text => print::text(&report.in_words()),
    }
}

/// Real time, one line an event: for logs and for terminals that cannot draw.
#[allow(clippy::disallowed_methods)] // paces the steps; the simulation never sees it
fn run_as_lines(session: &mut Session, speed: f64, seconds: Option<f64>, poll: bool) -> u8 {
    let last = session.last_tick(seconds);
    let mut reload = LiveReload::new(&session.runtime, poll);
    let step = Duration::from_secs_f64(session.runtime.world().dt_s() / speed);
    let mut next = Instant::now();
    let mut out = std::io::stdout();
    while session.runtime.world().tick_number() < last {
        for report in reload.poll(&mut session.runtime) {
            if writeln!(out, "{report}").and_then(|()| out.flush()).is_err() {
                return OK; // the reader went away
            }
        }
        session.step();
        for happening in session.runtime.take_happenings() {
            if writeln!(out, "{}", in_words(&happening)).and_then(|()| out.flush()).is_err() {
                return OK;
            }
        }
        next += step;
        let now = Instant::now();
        if next > now {
            std::thread::sleep(next - now);
        } else if now - next > Duration::from_millis(250) {
            next = now; // a paused machine does not make the room race to catch up
        }
    }
    OK
}

fn report(runtime: &Runtime) -> Report {
    let world = runtime.world();
    let tally = runtime.tally();
    let floor_y = world.ground().floor_y_m();
    let characters = world.characters().iter().map(|character| CharacterReport {
        name: character.name.clone(),
        x: character.position.x,
        y: floor_y,
        z: character.position.y,
        heading: character.heading_rad,
        state: character.state().as_str(),
        moving: character.is_moving(),
        target: character.target().map(|target| [target.x, floor_y, target.y]),
    });
    Report {
        tick: world.tick_number(),
        time: world.time_s(),
        hash: format!("{:016x}", world.checksum()),
        characters: characters.collect(),
        events: tally.events.clone(),
        walks: WalkReport {
            ended: tally.walks.values().sum(),
            seconds_to_arrive: tally.mean_ticks_to_arrive().map(|ticks| ticks * world.dt_s()),
            by_reason: tally.walks.clone(),
        },
        reloads: tally.reloads,
        script_errors: tally.script_errors,
        errors: runtime.script_errors().cloned().map(ErrorReport::from).collect(),
        instructions: runtime.script_usage().0,
        script_bytes: runtime.script_usage().1,
    }
}

impl From<ScriptError> for ErrorReport {
    fn from(error: ScriptError) -> Self {
        let ScriptError { file, line, message, who, event, tick, count, traceback } = error;
        Self { file, line, message, who, event, tick, count, traceback }
    }
}

impl Report {
    fn in_words(&self) -> String {
        let counts = |counts: &BTreeMap<&'static str, u64>| -> String {
            let parts: Vec<String> = counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
            if parts.is_empty() { "none".into() } else { parts.join(", ") }
        };
        let mut text = format!("{:.2} s, {} ticks, hash {}\n\n", self.time, self.tick, self.hash);
        for c in &self.characters {
            let target = c.target.map(|[x, _, z]| format!(" → {x:.2}, {z:.2}")).unwrap_or_default();
            text.push_str(&format!(
                "  {:16} {:8.2}, {:7.2}  {}{target}\n",
                clean(&c.name),
                c.x,
                c.z,
                c.state
            ));
        }
        text.push_str(&format!("\nevents: {}\n", counts(&self.events)));
        text.push_str(&format!("walks ended: {}\n", counts(&self.walks.by_reason)));
        if let Some(seconds) = self.walks.seconds_to_arrive {
            text.push_str(&format!("mean time to arrive: {seconds:.2} s\n"));
        }
        text.push_str(&format!(
            "scripts: {} instructions\nscript memory: {} KB\n",
            self.instructions,
            self.script_bytes.div_ceil(1024)
        ));
        text.push_str(&format!("script errors: {}\n", self.script_errors));
        for error in self.errors.iter().filter(|error| error.count > 1) {
            text.push_str(&format!(
                "  {} times {}:{}: {}\n",
                error.count,
                error.file,
                error.line,
                clean(&error.message)
            ));
        }
        text
    }
}

fn complain_line(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

fn speed(text: &str) -> Result<f64, String> {
    let speed: f64 = text.parse().map_err(|_| "expected a number".to_owned())?;
    if (0.01..=1000.0).contains(&speed) {
        Ok(speed)
    } else {
        Err("expected a number from 0.01 to 1000".into())
    }
}

/// One limit: its name is that of the room file, which knows what may be said.
fn limit(text: &str) -> Result<ScriptLimits, String> {
    let (name, number) = text.split_once('=').ok_or("expected NAME=N, like instructionsPerCall=5000000")?;
    let number: f64 =
        number.replace('_', "").parse().map_err(|_| "expected a number after the =".to_owned())?;
    let least = if name.starts_with("instructions") { 1000.0 } else { 1.0 };
    if number < least {
        return Err(format!("expected {least} or more"));
    }
    let number = serde_json::Number::from_f64(number).ok_or("expected a number after the =")?;
    serde_json::from_value(serde_json::json!({ name: number })).map_err(|error| error.to_string())
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number".to_owned())?;
    if (0.0..=1e9).contains(&seconds) { Ok(seconds) } else { Err("expected seconds from 0 to 1e9".into()) }
}
