//! From a room file to a running room.

use super::{Options, Runtime, Tally};
use crate::problem::{Problem, Source, did_you_mean};
use crate::project::{FileError, MAX_ROOM_BYTES, Project, read_file};
use crate::room::{Parsed, Room, Step, parse_scaled};
use crate::script::Scripts;
use crate::space::Ground;
use crate::world::{World, check_starts};
use std::cell::RefCell;
use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::path::Path;
use std::rc::Rc;

/// Why a room cannot be opened: every problem, and the text they are in.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenError {
    /// At least one.
    pub problems: Vec<Problem>,
    /// The room file's text, for snippets; empty if it could not be read.
    pub source: Source,
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.problems.iter().map(Problem::to_string).collect();
        f.write_str(&lines.join("\n"))
    }
}

impl std::error::Error for OpenError {}

impl Runtime {
    /// [`Runtime::open`] in a given project.
    ///
    /// # Errors
    /// As there.
    pub fn open_in(project: Project, room: &Path, options: Options) -> Result<Self, OpenError> {
        let name = project.name_of(room);
        let bytes = read_file(room, MAX_ROOM_BYTES).map_err(|error| unreadable(&name, &error))?;
        let (mut checked, _) = check_room_scaled(&project, &name, &bytes, options.cell_size_m)?;
        let problem = |message: String| {
            let source = Source::new(name.clone(), String::from_utf8_lossy(&bytes));
            OpenError { problems: vec![source.problem(0..0, message)], source }
        };
        if let Some(stranger) = give_parts(&mut checked, &options.cast).into_iter().next() {
            let names = checked.characters.iter().map(|spec| spec.name.as_str());
            let hint = did_you_mean(&stranger, names).map(|meant| format!("; did you mean '{meant}'?"));
            return Err(problem(format!(
                "no character '{stranger}' to give a script to{}",
                hint.unwrap_or_default()
            )));
        }
        for script in options.scripts.iter().chain(options.cast.iter().map(|(_, script)| script)) {
            let there = project.resolve(script).and_then(|path| read_file(&path, u64::MAX - 1));
            if let Err(error) = there {
                let source = Source::new(script.clone(), "");
                return Err(OpenError { problems: vec![source.problem(0..0, error.to_string())], source });
            }
        }
        let world = World::new(checked, options.seed).map_err(|error| problem(error.to_string()))?;
        Self::begin(project, room, bytes.clone(), world, options).map_err(problem)
    }

    /// Gives a world its scripts. `bytes` are what the room's file says.
    pub(super) fn begin(
        project: Project,
        room: &Path,
        bytes: Vec<u8>,
        world: World,
        options: Options,
    ) -> Result<Self, String> {
        let world = Rc::new(RefCell::new(world));
        let scripts = Scripts::new(world.clone(), project.clone(), options.limits);
        let mut scripts = scripts.map_err(|error| format!("no scripts: {error}"))?;
        let own_script = world.borrow().room().script.clone();
        for script in own_script.iter().chain(&options.scripts) {
            scripts.add_room_script(script);
        }
        let behaviours: Vec<String> =
            world.borrow().characters().iter().filter_map(|character| character.behaviour.clone()).collect();
        behaviours.iter().for_each(|script| scripts.load_module(script));
        let room_file = room.canonicalize().unwrap_or_else(|_| room.to_path_buf());
        let mut runtime = Self {
            project,
            room_file,
            room_bytes: bytes,
            extra_scripts: options.scripts,
            cast: options.cast,
            cell_size_m: options.cell_size_m,
            world,
            scripts,
            inbox: VecDeque::new(),
            untold: Vec::new(),
            happenings: Vec::new(),
            tally: Tally::default(),
            wanted: BTreeSet::new(),
            tape: None,
        };
        runtime.take_notes();
        Ok(runtime)
    }
}

/// Gives characters of a room other behaviours than its file does. Gives the names that nobody in it has.
pub(super) fn give_parts(room: &mut Room, cast: &[(String, String)]) -> Vec<String> {
    let mut strangers = Vec::new();
    for (name, script) in cast {
        match room.characters.iter_mut().find(|spec| spec.name == *name) {
            Some(spec) => spec.script = Some(script.clone()),
            None => strangers.push(name.clone()),
        }
    }
    strangers
}

/// Reads a room and checks everything about it that can be known before it runs: its file, the starts of its characters, the
/// scripts it names.
///
/// # Errors
/// All problems at once.
pub fn check_room(project: &Project, name: &str, bytes: &[u8]) -> Result<(Room, Ground), OpenError> {
    check_room_scaled(project, name, bytes, None)
}

/// [`check_room`], with the edge of a cell in metres for a `.map`: see [`parse_scaled`].
///
/// # Errors
/// All problems at once.
pub fn check_room_scaled(
    project: &Project,
    name: &str,
    bytes: &[u8],
    cell_size_m: Option<f64>,
) -> Result<(Room, Ground), OpenError> {
    let Parsed { room, locator } = parse_scaled(name, bytes, cell_size_m)
        .map_err(|report| OpenError { problems: report.problems, source: report.source })?;
    let mut problems = Vec::new();
    let ground = match Ground::new(&room) {
        Ok(ground) => Some(ground),
        Err(error) => {
            let place = [Step::Key("areas")];
            problems.push(locator.problem(&place, error.to_string(), "too large", None));
            None
        }
    };
    if let Some(ground) = &ground {
        for (index, message, hint) in check_starts(&room, ground) {
            let place = [Step::Key("characters"), Step::Index(index), Step::Key("at")];
            problems.push(locator.problem(&place, message, "not walkable", hint));
        }
    }
    let mut script_at = |place: &[Step<'_>], script: &str| {
        let found =
            project.resolve(script).and_then(|path| read_file(&path, crate::project::MAX_SCRIPT_BYTES));
        if let Err(error) = found {
            let hint = (error == FileError::Missing).then(|| {
                let root = project.root().display();
                format!("paths are relative to the project, {root}")
            });
            problems.push(locator.problem(place, format!("script '{script}': {error}"), "not there", hint));
        }
    };
    if let Some(script) = &room.script {
        script_at(&[Step::Key("script")], script);
    }
    for (index, spec) in room.characters.iter().enumerate() {
        if let Some(script) = &spec.script {
            script_at(&[Step::Key("characters"), Step::Index(index), Step::Key("script")], script);
        }
    }
    match ground {
        Some(ground) if problems.is_empty() => Ok((room, ground)),
        _ => {
            problems.sort_by_key(|problem| problem.span.start);
            Err(OpenError { problems, source: locator.source().clone() })
        }
    }
}

pub(super) fn unreadable(name: &str, error: &FileError) -> OpenError {
    let source = Source::new(name, "");
    OpenError { problems: vec![source.problem(0..0, error.to_string())], source }
}
