//! From a room file to a running room.

use super::level::{Floods, LevelFault};
use super::read_files::ReadFiles;
use super::{Options, Runtime, RuntimeEvent, Tally, level};
use crate::nav::GroundError;
use crate::plan::{LINK_SNAP_M, check_waypaths, end_off_ground};
use crate::problem::{Problem, Source, did_you_mean, guarded};
use crate::project::{FileError, MAX_ROOM_BYTES, Project};
use crate::room::{JsonStep, Locator, Parsed, ReadFile, Room, parse_with};
use crate::script::{BadDeclaration, GAME_API_FILE, GameApi, Level, Note, ParkedScripts, Scripts};
use crate::surface::{NextGround, Surface};
use crate::world::{BadStart, FrameSteps, World, check_actors, check_hotspots, check_starts};
use std::cell::RefCell;
use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::path::{Path, PathBuf};

/// Why a room cannot be opened: every problem, and their text.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct OpenError {
    /// At least one.
    pub problems: Vec<Problem>,
    /// The room file's text, for excerpts; empty if it could not be read.
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
        let (game, differences) = joined_game(&project, &options)?;
        let Opened { world, file, bytes, read_files, floods, warnings } =
            Opened::read(&project, room, &options)?;
        let scripts = Scripts::new(world, project.clone(), options.limits, game);
        let scripts = scripts.map_err(|error| without_place(format!("no scripts: {error}")))?;
        let mut runtime = Self::around(project, scripts);
        runtime.warn(&warnings);
        runtime.warn_of_game(differences);
        runtime.take_room(file, bytes, options);
        (runtime.read_files, runtime.floods) = (read_files, floods);
        let people = runtime.world().characters().len();
        log::info!("opened {} with {people} characters", runtime.room_file.display());
        Ok(runtime)
    }

    /// Reports warnings about a valid file.
    pub(super) fn warn(&mut self, warnings: &[Problem]) {
        for warning in warnings {
            let place = format!("{}:{}:{}", warning.file, warning.line, warning.column);
            let hint = warning.hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default();
            let text = format!("{}{hint}", warning.message);
            self.events.push(RuntimeEvent::Note(Note::Log { level: Level::Warn, place, text }));
        }
    }

    /// Reports differences between the functions that a game gives and those that its project declares.
    pub(super) fn warn_of_game(&mut self, differences: Vec<String>) {
        for text in differences {
            let place = GAME_API_FILE.to_owned();
            self.events.push(RuntimeEvent::Note(Note::Log { level: Level::Warn, place, text }));
        }
    }

    /// A runtime around the room of a world, without any script loaded.
    pub(super) fn around(project: Project, scripts: Scripts) -> Self {
        let (scripts, world) = ParkedScripts::new(scripts);
        Self {
            project,
            room_file: PathBuf::new(),
            room_bytes: Vec::new(),
            read_files: ReadFiles::default(),
            floods: Floods::default(),
            extra_scripts: Vec::new(),
            script_overrides: Vec::new(),
            cell_size_m: None,
            game: GameApi::default(),
            world,
            scripts,
            inbox: VecDeque::new(),
            pending_events: Vec::new(),
            events: Vec::new(),
            tally: Tally::default(),
            wanted: BTreeSet::new(),
            ahead: None,
            recorder: None,
            film: None,
            journal: None,
            journaled_scripts: 0,
            frames: FrameSteps::default(),
        }
    }

    /// Loads the scripts of the world's room, which came from this file.
    pub(super) fn take_room(&mut self, file: PathBuf, bytes: Vec<u8>, options: Options) {
        let own_script = self.world().room().script.clone();
        for script in own_script.iter().chain(&options.scripts) {
            self.lend().add_room_script(script);
        }
        let behaviours: Vec<String> =
            self.world().room().characters.iter().filter_map(|spec| spec.script.clone()).collect();
        behaviours.iter().for_each(|script| self.lend().load_module(script));
        (self.room_file, self.room_bytes) = (file, bytes);
        (self.extra_scripts, self.script_overrides) = (options.scripts, options.script_overrides);
        (self.cell_size_m, self.game) = (options.cell_size_m, options.game);
        self.take_notes();
    }
}

/// The functions of the game, with those that only its project declares; and the differences, in words.
///
/// # Errors
/// Mistakes in the declarations.
pub(super) fn joined_game(project: &Project, options: &Options) -> Result<(GameApi, Vec<String>), OpenError> {
    refuse_mistakes(&options.game)?;
    let of_file = GameApi::of_project(project).map_err(|problems| {
        let text = project.read_script(GAME_API_FILE).unwrap_or_default();
        OpenError { problems, source: Source::new(GAME_API_FILE, text) }
    })?;
    let (game, differences) = options.game.clone().join(of_file);
    refuse_mistakes(&game)?; // a name may be taken by one of each
    Ok((game, differences))
}

fn refuse_mistakes(game: &GameApi) -> Result<(), OpenError> {
    let problem = |mistake: &BadDeclaration| Source::new("", "").problem(0..0, mistake.to_string());
    let problems: Vec<Problem> = game.mistakes().iter().map(problem).collect();
    if problems.is_empty() { Ok(()) } else { Err(OpenError { problems, source: Source::new("", "") }) }
}

/// A valid room, turned into a world without its scripts.
pub(super) struct Opened {
    pub(super) world: World,
    pub(super) file: PathBuf,
    pub(super) bytes: Vec<u8>,
    pub(super) read_files: ReadFiles,
    pub(super) floods: Floods,
    pub(super) warnings: Vec<Problem>,
}

impl Opened {
    /// Reads and checks a room.
    ///
    /// # Errors
    /// All problems at once.
    pub(super) fn read(project: &Project, room: &Path, options: &Options) -> Result<Self, OpenError> {
        let name = project.name_of(room);
        let bytes = project.read(room, MAX_ROOM_BYTES).map_err(|error| unreadable(&name, &error))?;
        let floods = Floods::default();
        let Inspected { checked, read_files, .. } =
            inspect(project, &name, &bytes, options.cell_size_m, &floods, None);
        let checked = checked?;
        warn_of_strays(&checked);
        let Checked { room: mut checked, ground, warnings, .. } = checked;
        let problem = |message: String| {
            let source = Source::new(name.clone(), String::from_utf8_lossy(&bytes));
            OpenError { problems: vec![source.problem(0..0, message)], source }
        };
        if let Some(stranger) = override_scripts(&mut checked, &options.script_overrides).into_iter().next() {
            let names = checked.characters.iter().map(|spec| spec.name.as_str());
            let hint = did_you_mean(&stranger, names).map(|meant| format!("; did you mean '{meant}'?"));
            return Err(problem(format!(
                "no character '{stranger}' to give a script to{}",
                hint.unwrap_or_default()
            )));
        }
        for script in options.scripts.iter().chain(options.script_overrides.iter().map(|(_, script)| script))
        {
            let there = project.resolve(script).and_then(|path| project.read(&path, u64::MAX - 1));
            if let Err(error) = there {
                return Err(unreadable(script, &error));
            }
        }
        let world = World::over(ground.ground, checked, options.seed);
        let file = project.real(room);
        Ok(Self { world, file, bytes, read_files, floods, warnings })
    }
}

/// A problem without a file.
pub(super) fn without_place(message: String) -> OpenError {
    let source = Source::new("", "");
    OpenError { problems: vec![source.problem(0..0, message)], source }
}

/// Overrides the scripts of characters in a room. Returns the names that no character has.
pub(super) fn override_scripts(room: &mut Room, script_overrides: &[(String, String)]) -> Vec<String> {
    let mut strangers = Vec::new();
    for (name, script) in script_overrides {
        match room.characters.iter_mut().find(|spec| spec.name == *name) {
            Some(spec) => spec.script = Some(script.clone()),
            None => strangers.push(name.clone()),
        }
    }
    strangers
}

/// A valid room, its ground, and the means to find the place of a value in its file.
#[derive(Debug)]
#[non_exhaustive]
pub struct Checked {
    /// The room.
    pub room: Room,
    /// Where one can stand in it, with the areas as the file has them.
    pub ground: NextGround,
    /// What is odd about it and keeps it from nothing.
    pub warnings: Vec<Problem>,
    /// Finds the place of warnings.
    pub locator: Locator,
}

/// The result of reading and checking a room.
#[derive(Debug)]
pub(super) struct Inspected {
    pub(super) checked: Result<Checked, OpenError>,
    /// The room in the file, if it can be read but has another problem.
    pub(super) refused: Option<Room>,
    /// The files that were read for it.
    pub(super) read_files: ReadFiles,
}

impl Inspected {
    /// The room in the file, if it can be read.
    pub(super) fn room(&self) -> Option<&Room> {
        self.checked.as_ref().map(|checked| &checked.room).ok().or(self.refused.as_ref())
    }
}

/// Reads a room and checks everything that can be checked before it runs: its file, the starts of its characters, the
/// scripts it names.
///
/// # Errors
/// All problems at once.
pub fn check_room(project: &Project, name: &str, bytes: &[u8]) -> Result<Checked, OpenError> {
    inspect(project, name, bytes, None, &Floods::default(), None).checked
}

/// [`check_room`], with the edge of a cell in metres for a `.map`: see [`parse_with`].
///
/// # Errors
/// All problems at once.
pub fn check_room_scaled(
    project: &Project,
    name: &str,
    bytes: &[u8],
    cell_size_m: Option<f64>,
) -> Result<Checked, OpenError> {
    let checked = inspect(project, name, bytes, cell_size_m, &Floods::default(), None).checked?;
    warn_of_strays(&checked);
    Ok(checked)
}

/// Logs colours of a mask without a meaning.
pub(super) fn warn_of_strays(checked: &Checked) {
    if let Some((mask, strays)) = checked.room.mask.as_ref().and_then(|mask| Some((mask, mask.odd.strays?))) {
        log::warn!("{}: {strays}", mask.file);
    }
}

/// [`check_room_scaled`] that keeps the file's room if something else is wrong.
/// `floods` makes the build of a changed level faster.
pub(super) fn inspect(
    project: &Project,
    name: &str,
    bytes: &[u8],
    cell_size_m: Option<f64>,
    floods: &Floods,
    running: Option<&Surface>,
) -> Inspected {
    let read_files = RefCell::default();
    let read = |file: &str| ReadFiles::read(&mut read_files.borrow_mut(), project, file);
    let found = guarded(bytes, || inspect_with(project, name, bytes, cell_size_m, (floods, running), &read));
    let (checked, refused) = found.unwrap_or_else(|why| {
        let source = Source::new(name, "");
        (Err(OpenError { problems: vec![source.problem(0..0, why)], source }), None)
    });
    Inspected { checked, refused, read_files: read_files.into_inner() }
}

/// What was checked, and the file's room if something is wrong with it that does not keep it from being read.
fn inspect_with(
    project: &Project,
    name: &str,
    bytes: &[u8],
    cell_size_m: Option<f64>,
    (floods, running): (&Floods, Option<&Surface>),
    read: ReadFile<'_>,
) -> (Result<Checked, OpenError>, Option<Room>) {
    let Parsed { room, locator } = match parse_with(name, bytes, cell_size_m, read) {
        Ok(parsed) => parsed,
        Err(report) => {
            return (Err(OpenError { problems: report.problems, source: report.source }), None);
        }
    };
    let (mut problems, mut warnings) = (Vec::new(), Vec::new());
    let mut room = room;
    if let Some(level) = room.level.clone() {
        let place = [JsonStep::Key("geometry")];
        let odd = level.warnings.iter();
        let warning =
            |odd: &String| locator.problem(&place, format!("geometry '{}': {odd}", level.file), "", None);
        warnings.extend(odd.map(warning));
    }
    let of_tactics = room.tactics.iter().flat_map(|tactics| &tactics.warnings);
    let place = [JsonStep::Key("tactics"), JsonStep::Key("geometry")];
    warnings.extend(of_tactics.map(|odd| locator.problem(&place, odd.clone(), "", None)));
    let mut has_polygons = true;
    for LevelFault { area, start, key, what, hint } in
        level::build(project, &mut room, floods).err().unwrap_or_default()
    {
        let place = match area.or(start) {
            Some(number) if start.is_some() => vec![JsonStep::Key("starts"), JsonStep::Index(number)],
            Some(number) => vec![JsonStep::Key("areas"), JsonStep::Index(number)],
            None => vec![JsonStep::Key(key.filter(|key| locator.has(key)).unwrap_or("geometry"))],
        };
        problems.push(locator.problem(&place, what, "", hint));
        has_polygons = false;
    }
    let next = match NextGround::new(&room, running) {
        _ if !has_polygons => None,
        Ok(next) => Some(next),
        Err(GroundError::Mesh { problems: faults }) => {
            let key = if locator.has("geometry") { "geometry" } else { "mesh" };
            let problem = |fault: &String| locator.problem(&[JsonStep::Key(key)], fault.clone(), "", None);
            problems.extend(faults.iter().map(problem));
            None
        }
        Err(error) => {
            let place = [JsonStep::Key("areas")];
            problems.push(locator.problem(&place, error.to_string(), "too large", None));
            None
        }
    };
    if let Some(NextGround { ground, .. }) = &next {
        for BadStart { index, message, hint, is_covered, .. } in check_starts(&room, ground) {
            let place = [JsonStep::Key("characters"), JsonStep::Index(index), JsonStep::Key("at")];
            let list = if is_covered { &mut warnings } else { &mut problems };
            list.push(locator.problem(&place, message, "not walkable", hint));
        }
        for (index, message, hint) in check_actors(&room) {
            let place = match index {
                Some(index) => vec![JsonStep::Key("characters"), JsonStep::Index(index), JsonStep::Key("at")],
                None => vec![JsonStep::Key("tactics")],
            };
            problems.push(locator.problem(&place, message, "no room", hint));
        }
        for (index, link) in room.links.iter().enumerate() {
            let Some(at) = end_off_ground(ground, link) else { continue };
            let key = if at == link.from { "from" } else { "to" };
            let place = [JsonStep::Key("links"), JsonStep::Index(index), JsonStep::Key(key)];
            let message = format!("no ground within {LINK_SNAP_M} m of this end of '{}'", link.name);
            let nearest = ground.with_all_open().nearest(ground.locate(at), f64::INFINITY);
            let hint =
                nearest.map(|at| format!("the nearest walkable point is [{:.2}, {:.2}]", at.at.x, at.at.y));
            problems.push(locator.problem(&place, message, "off the ground", hint));
        }
        for fault in check_waypaths(ground, &room.waypaths) {
            let place = [
                JsonStep::Key("waypaths"),
                JsonStep::Index(fault.waypath),
                JsonStep::Key("points"),
                JsonStep::Index(fault.point),
                JsonStep::Key("at"),
            ];
            problems.push(locator.problem(&place, fault.message, "off the ground", fault.hint));
        }
        for (index, message, hint) in check_hotspots(&room, ground) {
            let place = [JsonStep::Key("hotspots"), JsonStep::Index(index), JsonStep::Key("walkTo")];
            problems.push(locator.problem(&place, message, "not walkable", hint));
        }
    }
    let mut script_at = |place: &[JsonStep<'_>], script: &str| {
        let found =
            project.resolve(script).and_then(|path| project.read(&path, crate::project::MAX_SCRIPT_BYTES));
        if let Err(error) = found {
            let hint = (error == FileError::Missing).then(|| {
                let near =
                    did_you_mean_beside(project, script).map(|near| format!("; did you mean '{near}'?"));
                let place = match project.is_on_disk() {
                    true => format!("the project, {}", project.root().display()),
                    false => "the project's root".to_owned(),
                };
                format!("paths are relative to {place}{}", near.unwrap_or_default())
            });
            problems.push(locator.problem(place, format!("script '{script}': {error}"), "not there", hint));
        }
    };
    if let Some(script) = &room.script {
        script_at(&[JsonStep::Key("script")], script);
    }
    for (index, spec) in room.characters.iter().enumerate() {
        if let Some(script) = &spec.script {
            script_at(
                &[JsonStep::Key("characters"), JsonStep::Index(index), JsonStep::Key("script")],
                script,
            );
        }
    }
    match next {
        Some(ground) if problems.is_empty() => {
            let warnings = warnings.into_iter().map(Problem::as_warning).collect();
            (Ok(Checked { room, ground, warnings, locator }), None)
        }
        _ => {
            // A level of another scale, say, is often why no ground could be made.
            problems.extend(warnings.into_iter().filter(|_| !has_polygons).map(Problem::as_warning));
            problems.sort_by_key(|problem| (!problem.is_error(), problem.span.start));
            (Err(OpenError { problems, source: locator.source().clone() }), Some(room))
        }
    }
}

/// The name of a file beside this one that may have been meant.
pub(super) fn did_you_mean_beside(project: &Project, name: &str) -> Option<String> {
    let names = project.names_beside(name);
    let wanted = name.rsplit('/').next()?;
    let near = did_you_mean(wanted, names.iter().map(String::as_str))?;
    Some(name.strip_suffix(wanted)?.to_owned() + near)
}

pub(super) fn unreadable(name: &str, error: &FileError) -> OpenError {
    let source = Source::new(name, "");
    OpenError { problems: vec![source.problem(0..0, error.to_string())], source }
}
