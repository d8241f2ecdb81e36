//! `cicerone check`: all problems of rooms and scripts at once.

use super::{BAD_INPUT, OK, print, project_of};
use cicerone::problem::{Problem, Source};
use cicerone::project::{MAX_ROOM_BYTES, Project, read_file};
use cicerone::runtime::check_room;
use cicerone::scenario::{self, Settings};
use cicerone::script::check_script;
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Check rooms and scripts: all problems at once, each with its place
///
/// A folder stands for the rooms (.json) and scripts (.lua) in it, folders below included; within rooms/ also for the grids
/// (.txt, .map). Exits with 2 if anything is wrong.
#[derive(Args)]
pub(super) struct CheckArgs {
    /// Rooms, scripts or folders
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
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
    problems: Vec<Problem>,
    /// What is odd and keeps nothing from running.
    warnings: Vec<Problem>,
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
    let mut report = Report { files: files.len(), problems: Vec::new(), warnings: Vec::new() };
    for file in &files {
        let project = project_of(root, file);
        let (problems, warnings, source) = check_file(&project, file);
        if matches!(args.format, Format::Text) {
            print::problems(&problems, &source.text);
            print::warnings(&warnings, &source.text);
        }
        report.problems.extend(problems);
        report.warnings.extend(warnings);
    }
    let code = if report.problems.is_empty() { OK } else { BAD_INPUT };
    let printed = match args.format {
        Format::Json => print::text(&print::pretty_json(&report)),
        Format::Text => {
            let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
            let (files, problems) = (count(report.files, "file"), count(report.problems.len(), "problem"));
            let warnings = match report.warnings.len() {
                0 => String::new(),
                n => format!(", {}", count(n, "warning")),
            };
            print::text(&format!("{files}, {problems}{warnings}"))
        }
    };
    code.max(printed)
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
        let known = !definitions && matches!(end.as_str(), "json" | "lua")
            || grids && matches!(end.as_str(), "txt" | "map");
        if is_folder && !hidden && entry.file_name() != "target" {
            gather(&path, grids || entry.file_name() == "rooms", files);
        } else if known && !hidden {
            files.insert(path);
        }
    }
}

/// Problems, warnings, and the text they are in.
fn check_file(project: &Project, file: &Path) -> (Vec<Problem>, Vec<Problem>, Source) {
    let name = project.name_of(file);
    if file.extension().is_some_and(|extension| extension == "lua") {
        let mut project = project.clone();
        let name = project.admit(file);
        let source = Source::new(name.clone(), project.read_script(&name).unwrap_or_default());
        if name.ends_with("_spec.lua") {
            // It is no module, and has a language of its own.
            let plan = scenario::plan(&project, &[file.to_path_buf()], &Settings::default());
            return (plan.problems, Vec::new(), source);
        }
        return (check_script(&project, &name), Vec::new(), source);
    }
    match read_file(file, MAX_ROOM_BYTES) {
        Err(error) => {
            let source = Source::new(name, "");
            (vec![source.problem(0..0, error.to_string())], Vec::new(), source)
        }
        Ok(bytes) => match check_room(project, &name, &bytes) {
            Ok(checked) => (Vec::new(), checked.warnings, checked.source),
            Err(error) => (error.problems, Vec::new(), error.source),
        },
    }
}
