//! `cicerone run`: a room in the terminal, or headless.

use super::piped::run_as_lines;
use super::place::TimedClick;
use super::print::TextOrJson;
use super::room::default_room;
use super::session::{Session, in_words};
use super::setup::{Setup, seconds};
use super::signals::Asked;
use super::{BAD_INPUT, NO, OK, print};
use cicerone::draw::clean;
#[cfg(feature = "page")]
use cicerone::runtime::LiveReload;
use cicerone::runtime::{Runtime, RuntimeEvent};
use cicerone::script::{Level, Note, ScriptError};
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, IsTerminal};
use std::path::{Path, PathBuf};

/// Run a room: live in the browser or in the terminal, or headless
///
/// The room is shown on a page in the browser, or drawn in the terminal; the player walks where you click. Saved scripts
/// and rooms change it while it runs. When output is no terminal, events are printed as lines.
#[derive(Args)]
pub(super) struct RunArgs {
    /// The room: a file (.json, .txt, .map), or NAME for the project's rooms/NAME.json, .txt or .map [default:
    /// the one that .cicerone.json names, or the only one]
    #[arg(value_name = "ROOM")]
    room: Option<PathBuf>,
    /// Run as fast as possible without drawing, then print the result
    #[arg(long)]
    headless: bool,
    /// Stop after this much game time [default: 60 if headless, else never]
    #[arg(long, value_name = "N", value_parser = seconds)]
    seconds: Option<f64>,
    /// Exit with 0 even if scripts had errors; else a headless run exits with 1 then
    #[arg(long, requires = "headless")]
    allow_errors: bool,
    /// How to print the result of a headless run
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,
    /// Speed of time, 1 being real time
    #[arg(long, default_value_t = 1.0, value_parser = speed)]
    speed: f64,
    /// Look for changed files ten times a second instead of trusting file events (network drives)
    #[arg(long)]
    poll: bool,
    /// Click at a time of the game, on a place or a name: 2.5:4,1 or 2.5:fridge (may be given several times)
    #[arg(long, value_name = "T:PLACE", allow_hyphen_values = true)]
    click: Vec<TimedClick>,
    /// Save the room at the end, with all characters and what they are doing
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Continue a saved room, with the changes of its file since then
    #[arg(long, value_name = "FILE", conflicts_with_all = ["room", "seed", "cell_size"])]
    restore: Option<PathBuf>,
    /// Write down the run, for `cicerone replay`
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    #[command(flatten)]
    view: ViewArgs,
    #[command(flatten)]
    setup: Setup,
}

/// Where a room is shown.
#[derive(Args)]
pub(super) struct ViewArgs {
    /// Where to show the room: a page in the browser, or this terminal [default: page if there is a browser, else
    /// terminal]
    #[arg(long, value_enum, conflicts_with = "headless")]
    view: Option<View>,
    #[cfg(feature = "page")]
    #[command(flatten)]
    page: super::page::PageArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum View {
    /// A page in the browser
    #[cfg(feature = "page")]
    Page,
    /// A picture in the terminal
    Terminal,
    /// Nothing but lines of what happens
    None,
}

impl ViewArgs {
    /// The view that is asked for, or that fits.
    fn chosen(&self) -> View {
        #[cfg(feature = "page")]
        if self.page.open || self.view.is_none() && self.page.has_port() {
            return View::Page;
        }
        self.view.unwrap_or_else(|| {
            if !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
                return View::None;
            }
            #[cfg(feature = "page")]
            if super::page::has_browser() {
                return View::Page;
            }
            View::Terminal
        })
    }
}

/// The output of a headless run.
#[derive(Serialize)]
struct RunReport {
    tick: u64,
    time: f64,
    hash: String,
    characters: Vec<CharacterReport>,
    /// Whether heights are printed.
    #[serde(skip)]
    has_heights: bool,
    events: BTreeMap<&'static str, u64>,
    walks: WalkReport,
    paths: PathReport,
    reloads: u64,
    script_errors: u64,
    errors: Vec<ErrorReport>,
    /// Instructions that scripts executed.
    instructions: u64,
    /// Memory of scripts at the end, garbage included. It differs after a restore, so it is not part of the JSON.
    #[serde(skip)]
    script_bytes: usize,
    /// Ticks in which scripts exceeded their common limit.
    #[serde(skip_serializing_if = "is_zero")]
    crowded_ticks: u64,
}

/// One kind of script error.
#[derive(Serialize)]
struct ErrorReport {
    file: String,
    line: u32,
    message: String,
    /// The character or room that had it first.
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

/// How long walks waited for their paths.
#[derive(Serialize)]
struct PathReport {
    answered: u64,
    waiting: usize,
    mean_wait_ticks: f64,
    half_within_ticks: u64,
    most_within_ticks: u64,
    max_wait_ticks: u64,
}

#[derive(Serialize)]
struct WalkReport {
    ended: u64,
    /// The mean duration of walks that arrived.
    seconds_to_arrive: Option<f64>,
    #[serde(flatten)]
    by_reason: BTreeMap<&'static str, u64>,
}

/// The default game time of a headless run.
const HEADLESS_S: f64 = 60.0;

pub(super) fn run(root: Option<&Path>, args: &RunArgs) -> u8 {
    let opened = match &args.restore {
        Some(file) => args.setup.restore(root, file, &args.click, args.headless),
        None => args
            .room
            .clone()
            .map_or_else(|| default_room(root), Ok)
            .and_then(|room| args.setup.open(root, &room, &args.click, args.headless)),
    };
    let mut session = match opened {
        Ok(opened) => opened,
        Err(code) => return code,
    };
    if let Some(file) = &args.record
        && let Err(error) = record(&mut session.runtime, file)
    {
        return print::complain(&format!("cannot record to {}: {error}", file.display()));
    }
    let seconds = args.seconds;
    #[cfg(feature = "page")]
    if args.view.page.open && matches!(args.view.view, Some(View::Terminal | View::None)) {
        return print::complain("--open shows the page: leave --view out, or choose one of them");
    }
    let code = if args.headless {
        run_headless(&mut session, seconds.unwrap_or(HEADLESS_S), args)
    } else {
        match args.view.chosen() {
            #[cfg(feature = "page")]
            View::Page => {
                let reload = LiveReload::new(&session.runtime, args.poll);
                super::page::run(&mut session, &args.view.page, args.speed, seconds, Some(reload))
            }
            View::Terminal => super::live::run(&mut session, args.speed, seconds, args.poll),
            View::None => run_as_lines(&mut session, args.speed, seconds, args.poll),
        }
    };
    if let Err(error) = session.runtime.stop_recording() {
        return print::complain(&format!("the recording is not whole: {error}"));
    }
    match &args.save {
        // A room whose scripts had errors is saved too, for inspection.
        Some(file) if code != BAD_INPUT => match save(&session.runtime, file) {
            OK => code,
            not_saved => not_saved,
        },
        _ => code,
    }
}

/// Writes the room to a file, and lists what is not saved.
fn save(runtime: &Runtime, file: &Path) -> u8 {
    let saved = match runtime.save() {
        Ok(saved) => saved,
        Err(error) => {
            let obstacles = error.obstacles();
            obstacles.iter().for_each(|why| print::note(&format!("error: not saved: {}", clean(why))));
            return NO;
        }
    };
    saved.unsaved.iter().for_each(|line| print::note(&format!("not saved: {}", clean(line))));
    match saved.to_json() {
        Ok(text) => print::to_file_or_stdout(&text, Some(file)),
        Err(error) => print::complain(&error.to_string()),
    }
}

/// Records a run to a file. If the run is killed, the file holds the recording until then.
fn record(runtime: &mut Runtime, file: &Path) -> std::io::Result<()> {
    runtime.record(Box::new(BufWriter::new(File::create(file)?)))
}

fn run_headless(session: &mut Session, seconds: f64, args: &RunArgs) -> u8 {
    let format = args.format;
    let last = session.last_tick(Some(seconds));
    let asked = Asked::listen().unwrap_or_default();
    loop {
        for event in session.runtime.take_events() {
            match event {
                RuntimeEvent::Note(Note::Log { level: Level::Debug | Level::Info, .. })
                    if format == TextOrJson::Json => {}
                RuntimeEvent::Note(Note::Called(_)) if format == TextOrJson::Json => {}
                RuntimeEvent::Event { .. } => {}
                other => print::note(&in_words(&other)),
            }
        }
        if session.runtime.world().tick_number() >= last || asked.to_end() {
            break;
        }
        session.step();
    }
    let is_whole = session.runtime.world().tick_number() >= last;
    if !is_whole {
        print::note(&format!("interrupted at tick {} of {last}", session.runtime.world().tick_number()));
    }
    let report = report(&session.runtime);
    let printed = match format {
        TextOrJson::Json => print::text(&print::pretty_json(&report)),
        TextOrJson::Text => print::words(&report.in_words()),
    };
    match printed {
        OK if !is_whole || report.script_errors > 0 && !args.allow_errors => NO,
        code => code,
    }
}

fn report(runtime: &Runtime) -> RunReport {
    let world = runtime.world();
    let tally = runtime.tally();
    let (ground, stats) = (world.ground(), world.path_stats());
    let characters = world.characters().iter().map(|character| CharacterReport {
        name: character.name.clone(),
        x: character.position.at.x,
        y: ground.height_m(character.position),
        z: character.position.at.y,
        heading: character.heading_rad,
        state: character.state().as_str(),
        moving: character.is_moving(),
        target: character.target().map(|target| [target.at.x, ground.height_m(target), target.at.y]),
    });
    RunReport {
        tick: world.tick_number(),
        time: world.time_s(),
        hash: format!("{:016x}", world.checksum()),
        characters: characters.collect(),
        has_heights: ground.has_heights(),
        events: tally.events.clone(),
        walks: WalkReport {
            ended: tally.walks.values().sum(),
            seconds_to_arrive: tally.mean_ticks_to_arrive().map(|ticks| ticks * world.dt_s()),
            by_reason: tally.walks.clone(),
        },
        paths: PathReport {
            answered: stats.answered,
            waiting: stats.waiting,
            mean_wait_ticks: stats.mean_wait_ticks(),
            half_within_ticks: stats.wait_within_ticks(0.5),
            most_within_ticks: stats.wait_within_ticks(0.99),
            max_wait_ticks: stats.max_wait_ticks,
        },
        reloads: tally.reloads,
        script_errors: tally.script_errors,
        errors: runtime.script_errors().cloned().map(ErrorReport::from).collect(),
        instructions: runtime.script_usage().0,
        script_bytes: runtime.script_usage().1,
        crowded_ticks: runtime.crowded_ticks().0,
    }
}

impl From<ScriptError> for ErrorReport {
    fn from(error: ScriptError) -> Self {
        let ScriptError { file, line, message, who, event, tick, count, traceback, .. } = error;
        Self { file, line, message, who, event, tick, count, traceback }
    }
}

impl RunReport {
    fn in_words(&self) -> String {
        let counts = |counts: &BTreeMap<&'static str, u64>| -> String {
            let parts: Vec<String> = counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
            if parts.is_empty() { "none".into() } else { parts.join(", ") }
        };
        let mut text = format!("{:.2} s, {} ticks, hash {}\n\n", self.time, self.tick, self.hash);
        for c in &self.characters {
            let place = |[x, y, z]: [f64; 3], wide: usize| match self.has_heights {
                true => format!("{x:wide$.2}, {y:0$.2}, {z:0$.2}", wide.saturating_sub(1)),
                false => format!("{x:wide$.2}, {z:0$.2}", wide.saturating_sub(1)),
            };
            let target = c.target.map(|at| format!(" → {}", place(at, 0))).unwrap_or_default();
            let at = place([c.x, c.y, c.z], 8);
            text.push_str(&format!("  {:16} {at}  {}{target}\n", clean(&c.name), c.state));
        }
        text.push_str(&format!("\nevents: {}\n", counts(&self.events)));
        text.push_str(&format!("walks ended: {}\n", counts(&self.walks.by_reason)));
        if let Some(seconds) = self.walks.seconds_to_arrive {
            text.push_str(&format!("mean time to arrive: {seconds:.2} s\n"));
        }
        if self.paths.max_wait_ticks > 0 {
            let PathReport { answered, mean_wait_ticks, max_wait_ticks, .. } = &self.paths;
            text.push_str(&format!(
                "paths: {answered}, found after {mean_wait_ticks:.1} ticks on average, {max_wait_ticks} at most\n"
            ));
        }
        text.push_str(&format!(
            "scripts: {} instructions\nscript memory: {} KB\n",
            self.instructions,
            self.script_bytes.div_ceil(1024)
        ));
        if self.crowded_ticks > 0 {
            text.push_str(&format!("ticks in which scripts took turns: {}\n", self.crowded_ticks));
        }
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

fn speed(text: &str) -> Result<f64, String> {
    let speed: f64 = text.parse().map_err(|_| "expected a number".to_owned())?;
    if (0.01..=1000.0).contains(&speed) {
        Ok(speed)
    } else {
        Err("expected a number from 0.01 to 1000".into())
    }
}

#[allow(clippy::trivially_copy_pass_by_ref)] // required by serde
fn is_zero(number: &u64) -> bool {
    *number == 0
}
