//! The options of a running room, shared by `run` and `eval`.

use super::place::TimedClick;
use super::room::{Scale, from_here_or_root, room_file};
use super::session::Session;
use super::{BAD_INPUT, print, project_of};
use cicerone::project::{FileError, Project, read_file};
use cicerone::room::ScriptLimits;
use cicerone::runtime::{MAX_SAVE_BYTES, OpenError, Options, Runtime, Saved};
use clap::Args;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What a room runs with.
#[derive(Args)]
pub(super) struct Setup {
    /// Seed of every random number
    #[arg(long, default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    parts: Parts,
}

/// What a room runs with, whatever the seed.
#[derive(Args)]
pub(super) struct Parts {
    #[command(flatten)]
    scale: Scale,
    /// One more room script beside the room's own; with a name, that character follows it (may be given several times)
    #[arg(long, value_name = "[NAME=]FILE")]
    script: Vec<String>,
    /// What scripts may use up: a name of the room file's `limits` and a number, like instructionsPerCall=5000000 (may
    /// be given several times; goes before the room's own)
    #[arg(long, value_name = "NAME=N", value_parser = limit, conflicts_with = "no_limits")]
    limit: Vec<ScriptLimits>,
    /// Let scripts use up whatever they want: an endless loop hangs
    #[arg(long)]
    no_limits: bool,
}

/// How long a script may block an interactive room before it is stopped. Fuel stops nearly every script a hundred
/// times sooner.
const LIVE_PATIENCE: Duration = Duration::from_secs(2);

impl Setup {
    /// Opens a room, with a watchdog for its scripts. When this returns an exit code, the error has been printed.
    pub(super) fn open(
        &self,
        root: Option<&Path>,
        room: &Path,
        clicks: &[TimedClick],
        headless: bool,
    ) -> Result<Session, u8> {
        let (project, room, options) = self.parts.options(root, room)?;
        let options = options.with_seed(self.seed);
        Ok(self.watched(Session::open(project, &room, options, clicks)?, headless))
    }

    /// As [`Setup::open`], with a saved room.
    pub(super) fn restore(
        &self,
        root: Option<&Path>,
        file: &Path,
        clicks: &[TimedClick],
        headless: bool,
    ) -> Result<Session, u8> {
        let refused = |error: OpenError| {
            print::problems(&error.problems, &error.source.text);
            BAD_INPUT
        };
        let name = file.display().to_string();
        let told = |error: String| print::complain(&format!("cannot read {name}: {error}"));
        let bytes = read_file(file, MAX_SAVE_BYTES).map_err(|error| told(error.to_string()))?;
        let text = String::from_utf8(bytes).map_err(|_| told("it is not UTF-8".into()))?;
        let saved = Saved::read(&name, &text).map_err(refused)?;
        let Some(mut project) = project_of_saved(root, file, &saved) else {
            let room = &saved.room_file;
            return Err(print::complain(&format!(
                "there is no {room}, neither here nor around {name}: --root DIR names the project of this save"
            )));
        };
        let options = self.parts.in_project(&mut project)?;
        let runtime = Runtime::restore(project, &saved, options.clone()).map_err(|mut error| {
            // The error is in the save, not in the file of its room.
            error.problems.iter_mut().for_each(|problem| problem.file.clone_from(&name));
            refused(error)
        })?;
        Ok(self.watched(Session::of(runtime, options, Some(saved), clicks)?, headless))
    }

    fn watched(&self, session: Session, headless: bool) -> Session {
        // A headless run must end the same way every time, so no clock stops a script in it; a slow one is only
        // named.
        if self.parts.no_limits { session } else { session.watched((!headless).then_some(LIVE_PATIENCE)) }
    }
}

impl Parts {
    /// The room's project, its file, and its options. When this returns an exit code, the error has been printed.
    pub(super) fn options(
        &self,
        root: Option<&Path>,
        room: &Path,
    ) -> Result<(Project, PathBuf, Options), u8> {
        let room = room_file(root, room)?;
        self.scale.check(&room)?;
        let mut project = project_of(root, &room);
        let options = self.in_project(&mut project)?;
        Ok((project, room, options))
    }

    fn in_project(&self, project: &mut Project) -> Result<Options, u8> {
        let (mut scripts, mut script_overrides) = (Vec::new(), Vec::new());
        for script in &self.script {
            let (name, file) = match script.split_once('=').filter(|_| !Path::new(script).is_file()) {
                Some((name, file)) => (Some(name), Path::new(file)),
                None => (None, Path::new(script)),
            };
            let place = from_here_or_root(project, file);
            match FileError::at(&place) {
                None => {}
                Some(FileError::Missing) => {
                    return Err(print::complain(&format!("there is no script {}", file.display())));
                }
                Some(why) => {
                    return Err(print::complain(&format!("the script {}: {why}", file.display())));
                }
            }
            let file = project.admit(&place);
            match name {
                Some(name) => script_overrides.push((name.to_owned(), file)),
                None => scripts.push(file),
            }
        }
        let limits = match self.no_limits {
            true => ScriptLimits::UNLIMITED,
            false => self.limit.iter().fold(ScriptLimits::default(), |all, &limit| limit.or(all)),
        };
        let mut options = Options::default()
            .with_limits(limits)
            .with_scripts(scripts)
            .with_script_overrides(script_overrides);
        options.cell_size_m = self.scale.cell_size;
        Ok(options)
    }
}

/// The project of a saved room: the given one, that of the current folder, or one around the save.
fn project_of_saved(root: Option<&Path>, file: &Path, saved: &Saved) -> Option<Project> {
    let room = Path::new(&saved.room_file);
    if root.is_some() || room.is_absolute() {
        return Some(project_of(root, room)).filter(|_| root.is_some() || room.is_file());
    }
    let save = file.canonicalize().ok()?;
    let places = [Path::new(".")].into_iter().chain(save.ancestors().skip(1)).map(|folder| folder.join(room));
    places.into_iter().find(|place| place.is_file()).map(|place| project_of(None, &place))
}

/// A number of seconds on the command line.
pub(super) fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number".to_owned())?;
    if (0.0..=1e9).contains(&seconds) { Ok(seconds) } else { Err("expected seconds from 0 to 1e9".into()) }
}

/// One limit; its name and range are those of the room file.
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
