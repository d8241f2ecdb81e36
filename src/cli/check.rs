//! `cicerone check`: all problems of rooms and scripts at once.

use super::{BAD_INPUT, OK, print, project_of};
use cicerone::lint::{Survey, check_ground};
use cicerone::problem::{Problem, Source};
use cicerone::project::{MAX_ROOM_BYTES, Project, read_file};
use cicerone::runtime::{Checked, check_room};
use cicerone::scenario::{self, Settings};
use cicerone::script::check_script;
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Check rooms and scripts: all problems at once, each with its place
///
/// Scripts are read with the rooms that use them: names of points, areas, characters and hotspots, methods, globals, events.
/// What is certainly wrong is an error, and the exit code is 2. What is likely wrong is a warning; warnings alone exit with 0.
///
/// A folder stands for the rooms (.json) and scripts (.lua) in it, folders below included; within rooms/ also for the grids
/// (.txt, .map), elsewhere a .json counts only if it has areas or a mask. `---@diagnostic disable-next-line` above a line of Lua silences what is said of it.
#[derive(Args)]
pub(super) struct CheckArgs {
    /// Rooms, scripts or folders
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Exit with 2 for warnings, too
    #[arg(long, visible_alias = "strict")]
    warnings_as_errors: bool,
    /// How to print the result
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Text,
    Json,
}

#[derive(Serialize)]
struct Report {
    files: usize,
    errors: usize,
    warnings: usize,
    problems: Vec<Problem>,
}

pub(super) fn check(root: Option<&Path>, args: &CheckArgs) -> u8 {
    let mut files = BTreeSet::new();
    for path in &args.paths {
        if path.is_dir() {
            let name = project_of(root, &path.join("room")).name_of(path);
            let grids = name == "rooms" || name.starts_with("rooms/");
            gather(path, grids, &mut files);
        } else {
            files.insert(path.clone());
        }
    }
    if files.is_empty() {
        return print::complain(
            "there are no rooms (.json, in rooms/ also .txt and .map) and no scripts (.lua) here",
        );
    }
    let surveys = surveys(root, &files);
    let mut report = Report { files: files.len(), errors: 0, warnings: 0, problems: Vec::new() };
    for file in &files {
        let project = project_of(root, file);
        let Some(survey) = surveys.get(project.root()) else { continue };
        let (problems, source) = check_file(&project, survey, file);
        if matches!(args.format, Format::Text) {
            print::problems(&problems, &source.text);
        }
        report.problems.extend(problems);
    }
    report.errors = report.problems.iter().filter(|problem| problem.is_error()).count();
    report.warnings = report.problems.len() - report.errors;
    let is_bad = report.errors > 0 || args.warnings_as_errors && report.warnings > 0;
    let code = if is_bad { BAD_INPUT } else { OK };
    let printed = match args.format {
        Format::Json => print::text(&print::pretty_json(&report)),
        Format::Text => {
            let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
            let (files, errors) = (count(report.files, "file"), count(report.errors, "error"));
            print::text(&format!("{files}, {errors}, {}", count(report.warnings, "warning")))
        }
    };
    code.max(printed)
}

/// What is known of each project that the files are in, by its root.
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

/// The rooms and scripts in a folder, without hidden files: those are editors' settings. Outside `rooms/` a `.txt` may be
/// anything; there, with `grids`, it is a room.
fn gather(folder: &Path, grids: bool, files: &mut BTreeSet<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        // Links to folders are not followed: they may lead in circles.
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        let end = path.extension().map(|end| end.to_string_lossy().to_ascii_lowercase()).unwrap_or_default();
        // Definitions for editors are no scripts.
        let definitions =
            end == "lua" && read_file(&path, MAX_ROOM_BYTES).is_ok_and(|text| text.starts_with(b"---@meta"));
        let is_room = || grids || read_file(&path, MAX_ROOM_BYTES).is_ok_and(|text| looks_like_a_room(&text));
        let known = end == "lua" && !definitions
            || end == "json" && is_room()
            || grids && matches!(end.as_str(), "txt" | "map");
        if is_folder && !hidden && entry.file_name() != "target" {
            gather(&path, grids || entry.file_name() == "rooms", files);
        } else if known && !hidden {
            files.insert(path);
        }
    }
}

/// Whether a JSON file that lies outside of `rooms/` is meant for a room: it may as well be a package, or an editor's settings.
fn looks_like_a_room(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    ["\"areas\"", "\"mask\""].iter().any(|key| text.contains(key))
}

fn check_file(project: &Project, survey: &Survey, file: &Path) -> (Vec<Problem>, Source) {
    if is_script(file) {
        return check_lua(project, survey, file);
    }
    let name = project.name_of(file);
    match read_file(file, MAX_ROOM_BYTES) {
        Err(error) => {
            let source = Source::new(name, "");
            (vec![source.problem(0..0, error.to_string())], source)
        }
        Ok(bytes) => match check_room(project, &name, &bytes) {
            Ok(Checked { room, ground, warnings, locator }) => {
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
        // It is no module, and has a language of its own.
        scenario::plan(&project, &[file.to_path_buf()], &Settings::default()).problems
    } else {
        check_script(&project, &name, &survey.roles(&name))
    };
    // What stopped it while it was loaded is found by reading, too.
    let told: BTreeSet<u32> = problems.iter().map(|problem| problem.line).collect();
    let read = survey.check_script(&source).into_iter().filter(|problem| !told.contains(&problem.line));
    problems.extend(read);
    problems.sort_by_key(|problem| problem.span.start);
    (problems, source)
}
