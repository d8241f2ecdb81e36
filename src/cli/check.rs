//! `cicerone check`: all problems of rooms and scripts at once.

use super::print::TextOrJson;
use super::progress::Progress;
use super::room::{from_here_or_root, project_here, shown};
use super::{BAD_INPUT, OK, print, project_of};
use cicerone::lint::{Survey, check_ground};
use cicerone::problem::{Problem, Source};
use cicerone::project::{FileWalk, MAX_ROOM_BYTES, Project, TooMany, is_navmesh, read_file};
use cicerone::runtime::{Checked, check_room};
use cicerone::scenario::{self, Settings};
use cicerone::script::{GAME_API_FILE, GameApi, check_script};
use cicerone::surface::NextGround;
use clap::Args;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Check rooms and scripts: all problems at once, each with its place
///
/// Scripts are read with the rooms that use them: names of points, areas, characters and hotspots, methods, globals,
/// events. What is certainly wrong is an error, and the exit code is 2. What is likely wrong is a warning; warnings
/// alone exit with 0.
///
/// A folder stands for the rooms (.json) and scripts (.lua) in it, folders below included; within rooms/ also for the
/// grids (.txt, .map), elsewhere a .json counts only if it has areas, a mask or a geometry,
/// or declares the functions of the game (scripts/game_api.json). Navmesh files are no rooms. Not looked into are hidden folders,
/// target/ and links to folders; a folder with more than 100,000 files and folders in it is refused. `---@diagnostic
/// disable-next-line` above a line of Lua silences what is said of it.
#[derive(Args)]
pub(super) struct CheckArgs {
    /// Rooms (files, or names), scripts or folders, from here or from the project's root
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Exit with 2 for warnings, too
    #[arg(long, visible_alias = "strict")]
    warnings_as_errors: bool,
    /// How to print the result
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,
}

/// From this number of files on, a progress bar is shown.
const FEW_FILES: usize = 20;

#[derive(Serialize)]
struct CheckReport {
    files: usize,
    errors: usize,
    warnings: usize,
    problems: Vec<Problem>,
}

pub(super) fn check(root: Option<&Path>, args: &CheckArgs) -> u8 {
    let here = project_here(root);
    let mut gathered = Gathered::default();
    for word in &args.paths {
        let path = meant(&here, word);
        if !path.is_dir() {
            gathered.files.insert(path);
        } else if gathered.folder(root, &path).is_err() {
            return print::complain(&format!(
                "there are more than {} files and folders in {}; name the project's folder, or the rooms and scripts to check",
                FileWalk::MOST,
                word.display()
            ));
        }
    }
    let Gathered { files, unreadable } = gathered;
    if files.is_empty() && unreadable.is_empty() {
        return print::complain(
            "there are no rooms (.json, in rooms/ also .txt and .map) and no scripts (.lua) here",
        );
    }
    let surveys = surveys(root, &files);
    if matches!(args.format, TextOrJson::Text) {
        print::problems(&unreadable, "");
    }
    let mut report = CheckReport { files: files.len(), errors: 0, warnings: 0, problems: unreadable };
    let progress = (files.len() > FEW_FILES).then(|| Progress::new("files", files.len() as u64));
    for file in &files {
        progress.iter().for_each(Progress::step);
        let project = project_of(root, file);
        let Some(survey) = surveys.get(project.root()) else { continue };
        let (problems, source) = check_file(&project, survey, file);
        if matches!(args.format, TextOrJson::Text) {
            let print = || print::problems(&problems, &source.text);
            progress.as_ref().map_or_else(print, |progress| progress.aside(print));
        }
        report.problems.extend(problems);
    }
    drop(progress);
    report.errors = report.problems.iter().filter(|problem| problem.is_error()).count();
    report.warnings = report.problems.len() - report.errors;
    let is_bad = report.errors > 0 || args.warnings_as_errors && report.warnings > 0;
    let code = if is_bad { BAD_INPUT } else { OK };
    let printed = match args.format {
        TextOrJson::Json => print::text(&print::pretty_json(&report)),
        TextOrJson::Text => {
            let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
            let (files, errors) = (count(report.files, "file"), count(report.errors, "error"));
            print::text(&format!("{files}, {errors}, {}", count(report.warnings, "warning")))
        }
    };
    code.max(printed)
}

/// The survey of each project that the files belong to, by its root.
fn surveys(root: Option<&Path>, files: &BTreeSet<PathBuf>) -> BTreeMap<PathBuf, Survey> {
    let mut scripts: BTreeMap<PathBuf, (Project, Vec<String>)> = BTreeMap::new();
    for file in files {
        let mut project = project_of(root, file);
        let place = project.root().to_path_buf();
        let name = is_script(file).then(|| project.admit(file));
        let (shared, names) = scripts.entry(place).or_insert_with(|| (project, Vec::new()));
        if let Some(name) = name {
            shared.admit(file);
            names.push(name);
        }
    }
    scripts.into_iter().map(|(place, (project, names))| (place, Survey::of(&project, &names))).collect()
}

fn is_script(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "lua")
}

/// Resolves a path on the command line: a file or a folder, from here or from the project's root, or a room by its
/// name.
fn meant(here: &Project, word: &Path) -> PathBuf {
    let place = from_here_or_root(here, word);
    let is_there = place.symlink_metadata().is_ok();
    let room = || here.room_in_rooms(&word.to_string_lossy()).map(shown);
    if is_there { place } else { room().unwrap_or(place) }
}

/// The files to check.
#[derive(Default)]
struct Gathered {
    files: BTreeSet<PathBuf>,
    /// Folders that cannot be read.
    unreadable: Vec<Problem>,
}

impl Gathered {
    /// Adds the rooms and scripts in a folder, without hidden files, which are editors' settings. A `.txt` counts as
    /// a room only in `rooms/`.
    fn folder(&mut self, root: Option<&Path>, folder: &Path) -> Result<(), TooMany> {
        let name = project_of(root, &folder.join("room")).name_of(folder);
        let of_rooms = name == "rooms" || name.starts_with("rooms/");
        let (mut walk, mut found) = (FileWalk::of(FileWalk::MOST), Vec::new());
        let progress = Progress::looking("files looked at");
        walk.files(folder, &|folder| !folder.ends_with("target"), &mut |file| {
            progress.step();
            let end = file.extension().map(|end| end.to_string_lossy().to_ascii_lowercase());
            if matches!(end.as_deref(), Some("lua" | "json" | "txt" | "map")) {
                found.push((file, end.unwrap_or_default()));
            }
        })?;
        // Contents are read only after the number of files was checked.
        for (file, end) in found {
            let inside = file.strip_prefix(folder).unwrap_or(&file);
            let in_rooms =
                || of_rooms || inside.parent().is_some_and(|way| way.iter().any(|part| part == "rooms"));
            let says =
                |known: fn(&[u8]) -> bool| read_file(&file, MAX_ROOM_BYTES).is_ok_and(|text| known(&text));
            let is_meant = match end.as_str() {
                // Definition files for editors are not scripts.
                "lua" => !says(|text| text.starts_with(b"---@meta")),
                "json" if file.ends_with(GAME_API_FILE) => true,
                "json" if says(is_navmesh) => false,
                "json" => in_rooms() || says(looks_like_a_room),
                _ => in_rooms(),
            };
            if is_meant {
                self.files.insert(file);
            }
        }
        for (place, why) in walk.unreadable {
            let source = Source::new(place.display().to_string(), "");
            let mut problem = source.problem(0..0, format!("this folder is left out: {why}"));
            problem.line = 0;
            // An unreadable folder is an error only if it was requested.
            self.unreadable.push(if place == folder { problem } else { problem.as_warning() });
        }
        Ok(())
    }
}

/// Whether a JSON file outside `rooms/` is a room, and not a package or an editor's settings.
fn looks_like_a_room(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    ["\"areas\"", "\"mask\"", "\"geometry\""].iter().any(|key| text.contains(key))
}

fn check_file(project: &Project, survey: &Survey, file: &Path) -> (Vec<Problem>, Source) {
    if is_script(file) {
        return check_lua(project, survey, file);
    }
    let name = project.name_of(file);
    match read_file(file, MAX_ROOM_BYTES) {
        Ok(bytes) if name == GAME_API_FILE => {
            let problems = GameApi::from_json(&name, &bytes).err().unwrap_or_default();
            (problems, Source::new(name, String::from_utf8_lossy(&bytes)))
        }
        Err(error) => {
            let source = Source::new(name, "");
            (vec![source.problem(0..0, error.to_string())], source)
        }
        Ok(bytes) => match check_room(project, &name, &bytes) {
            Ok(Checked { room, ground: NextGround { ground, .. }, warnings, locator, .. }) => {
                let mut odd = warnings;
                odd.extend(check_ground(&room, &ground, &locator));
                odd.extend(survey.check_room(&room, &locator));
                odd.sort_by_key(|problem| (problem.line == 0, problem.span.start));
                (odd, locator.source().clone())
            }
            Err(error) => (error.problems, error.source),
        },
    }
}

fn check_lua(project: &Project, survey: &Survey, file: &Path) -> (Vec<Problem>, Source) {
    let mut project = project.clone();
    let name = project.admit(file);
    let source = Source::new(name.clone(), project.read_script(&name).unwrap_or_default());
    let mut problems = if name.ends_with("_spec.lua") {
        // Specs are not modules and have an API of their own.
        scenario::plan(&project, &[file.to_path_buf()], &Settings::default()).problems
    } else {
        check_script(&project, &name, &survey.roles(&name))
    };
    // Errors found while loading it are also found by reading.
    let told: BTreeSet<u32> = problems.iter().map(|problem| problem.line).collect();
    let read = survey.check_script(&source).into_iter().filter(|problem| !told.contains(&problem.line));
    problems.extend(read);
    problems.sort_by_key(|problem| problem.span.start);
    (problems, source)
}
