//! `cicerone test`: runs specs.

use super::room::{from_here_or_root, project_here};
use super::{BAD_INPUT, NO, OK, print, project_of, rerun};
use cicerone::problem::Problem;
use cicerone::project::{Project, save_file};
use cicerone::scenario::{self, Look, Plan, Settings, SpecOutcome, SpecReport, TestResult};
use cicerone::script::Focus;
use clap::{Args, ValueEnum};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Run specs: Lua files that test rooms
///
/// A spec is a file NAME_spec.lua. Each of its tests runs a room headless, as fast as it goes, and what is not as
/// expected is shown with a picture of the moment. `cicerone api describe` shows how one is written. Exits with 1 if a
/// test failed, and with 2 if a file does not load or there are no tests.
#[derive(Args)]
pub(super) struct TestArgs {
    /// Spec files, or folders with some [default: scripts/ and tests/scenarios/ of the project]
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Only tests whose full name holds this text, in capitals or not
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// How many tests run at a time [default: as many as there are cores]
    #[arg(long, value_name = "N", value_parser = jobs)]
    jobs: Option<usize>,
    /// Only one part of the tests, for machines that share them: 2/3 is the second of three
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<(usize, usize)>,
    /// Stop at the first test that fails
    #[arg(long)]
    bail: bool,
    /// List the tests instead of running them
    #[arg(long, conflicts_with = "watch")]
    list: bool,
    /// Run again whatever a saved file concerns, until interrupted
    #[arg(long)]
    watch: bool,
    /// Look for changed files ten times a second instead of trusting file events (network drives)
    #[arg(long, requires = "watch")]
    poll: bool,
    /// How to print the result
    #[arg(long, value_enum, default_value = "pretty")]
    format: Format,
    /// Write the result to this file; then the terminal shows it as `pretty`
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Put a drawing (.svg) and a recording (.rec, for `cicerone replay`) of each test that failed into this folder
    #[arg(long, value_name = "DIR")]
    artifacts: Option<PathBuf>,
    /// Write down the run of a test, for `cicerone replay`; --filter picks it if there are others
    #[arg(long, value_name = "FILE", conflicts_with_all = ["watch", "list"])]
    record: Option<PathBuf>,
    /// Renew the recordings that tests compare their runs with (`to_match_recording`)
    #[arg(long, conflicts_with = "watch")]
    update: bool,
    /// Complain if a spec contains an `only`
    #[arg(long)]
    forbid_only: bool,
    /// Show all that scripts write, of tests that pass, too
    #[arg(long)]
    log: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Pretty,
    /// The Test Anything Protocol, version 14
    Tap,
    /// JUnit's XML
    Junit,
}

pub(super) fn test(root: Option<&Path>, args: &TestArgs) -> u8 {
    let here = project_here(root);
    let paths: Vec<PathBuf> = args.paths.iter().map(|path| from_here_or_root(&here, path)).collect();
    let anchor = paths.first().cloned().unwrap_or_else(|| PathBuf::from("spec"));
    let anchor = if anchor.is_dir() { anchor.join("spec") } else { anchor };
    let project = project_of(root, &anchor);
    let mut settings = Settings::default();
    settings.paths = paths;
    settings.filter = args.filter.clone();
    settings.shard = args.shard;
    settings.jobs = args.jobs.unwrap_or(settings.jobs);
    settings.bail = args.bail;
    settings.artifacts = args.artifacts.is_some();
    settings.record = args.record.is_some();
    settings.update = args.update;
    settings.log = args.log;
    let watch = args.watch.then(|| rerun::Watch::begin(&project, &settings, args.poll));
    let plan = match planned(&project, &settings) {
        Ok(plan) => plan,
        Err(problem) => return print::complain(&problem.to_string()),
    };
    if args.forbid_only && !plan.focused.is_empty() {
        return print::complain_of("--forbid-only: some tests are set apart by `only`:", &plan.focused);
    }
    if args.list {
        return list(&plan);
    }
    if plan.tests.is_empty() && plan.problems.is_empty() && !args.watch {
        return print::complain(&no_tests(&project, args, &plan));
    }
    let runs = plan.tests.iter().filter(|(_, case)| case.focus != Focus::Skip).count();
    if args.record.is_some() && runs != 1 {
        return print::complain(&format!(
            "--record writes down one test, and these are {runs}: --filter picks one"
        ));
    }
    let report = run(&project, plan, &settings, args);
    let code = match finish(&report, args) {
        OK => verdict(&report),
        code => code,
    };
    let Some(watch) = watch else { return code };
    rerun::watch(&project, settings, watch, &report, |settings| {
        let plan = scenario::plan(&project, &settings.paths, settings);
        let report = run(&project, plan, settings, args);
        finish(&report, args);
        report
    })
}

fn planned(project: &Project, settings: &Settings) -> Result<Plan, Problem> {
    Ok(scenario::plan(project, &scenario::find(project, &settings.paths)?, settings))
}

fn no_tests(project: &Project, args: &TestArgs, plan: &Plan) -> String {
    if let Some(left_out) = plan.left_out() {
        return format!("all tests that are asked for are left out: {left_out}");
    }
    let folders = scenario::DEFAULT_FOLDERS.map(|folder| project.root().join(folder).display().to_string());
    match (&args.filter, args.paths.is_empty()) {
        (Some(filter), _) => format!("no test has a name with '{filter}' in it; --list shows them all"),
        (None, true) => format!(
            "there are no specs in {}; write one as tests/scenarios/NAME_spec.lua (`cicerone api it` shows how)",
            folders.join(" or ")
        ),
        (None, false) => {
            "there are no tests here; a spec is a file NAME_spec.lua with describe and it".into()
        }
    }
}

fn verdict(report: &SpecReport) -> u8 {
    if !report.problems.is_empty() {
        BAD_INPUT
    } else if report.passed() {
        OK
    } else {
        NO
    }
}

fn list(plan: &Plan) -> u8 {
    let mut text = String::new();
    for (file, case) in &plan.tests {
        let mark = match case.focus {
            Focus::Skip => "  (skipped)",
            Focus::Only => "  (only)",
            Focus::Plain => "",
        };
        let line = format!("{file}:{}: {}{mark}", case.line, case.full_name());
        text += &(cicerone::draw::clean(&line) + "\n");
    }
    let printed = print::text(text.trim_end());
    if let Some(left_out) = plan.left_out() {
        print::note(&left_out);
    }
    plan.problems.iter().map(|problem| print::complain(&problem.to_string())).fold(printed, u8::max)
}

fn look(args: &TestArgs) -> Look {
    let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    Look { colour: std::io::stdout().is_terminal() && !plain, log: args.log }
}

/// Runs a plan. The format for people shows each test when it ends.
fn run(project: &Project, plan: Plan, settings: &Settings, args: &TestArgs) -> SpecReport {
    let shows = args.format == Format::Pretty || args.output.is_some();
    let (look, mut file) = (look(args), String::new());
    let mut out = std::io::stdout();
    let mut tell = |result: &TestResult| {
        if !shows {
            return;
        }
        let mut text = String::new();
        if file != result.file {
            file.clone_from(&result.file);
            text = cicerone::draw::clean(&file) + "\n";
        }
        text += &scenario::pretty_test(result, look);
        // A closed pipe is no error.
        let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    };
    let report = scenario::run_plan(project, plan, settings, &mut tell);
    if shows {
        print::text(&scenario::pretty_summary(&report, look));
    }
    report
}

/// Writes all output other than the terminal's lines.
fn finish(report: &SpecReport, args: &TestArgs) -> u8 {
    let text = match args.format {
        Format::Pretty => scenario::pretty(report, Look { colour: false, log: args.log }),
        Format::Tap => scenario::tap(report),
        Format::Junit => scenario::junit(report),
    };
    let mut code = OK;
    if args.format != Format::Pretty || args.output.is_some() {
        code = print::to_file_or_stdout(&text, args.output.as_deref());
    }
    if let Some(file) = &args.record {
        code = code.max(save_recording(report, file));
    }
    match &args.artifacts {
        Some(folder) => code.max(save_artifacts(report, folder)),
        None => code,
    }
}

fn save_recording(report: &SpecReport, file: &Path) -> u8 {
    let Some(bytes) = report.results.iter().find_map(|result| result.recording.as_ref()) else {
        return print::complain("there is nothing to record: the test has loaded no room");
    };
    match save_file(file, bytes) {
        Ok(()) => OK,
        Err(error) => print::complain(&format!("cannot write {}: {error}", file.display())),
    }
}

fn save_artifacts(report: &SpecReport, folder: &Path) -> u8 {
    let failed = report.results.iter().filter_map(|result| match &result.outcome {
        SpecOutcome::Failed(moment) => Some((result, moment)),
        _ => None,
    });
    for (result, moment) in failed {
        let name = file_name(result);
        let drawing = moment.svg.as_ref().map(|svg| (folder.join(format!("{name}.svg")), svg.as_bytes()));
        let recording = result.recording.as_ref();
        let recording = recording.map(|bytes| (folder.join(format!("{name}.rec")), bytes.as_slice()));
        for (file, bytes) in drawing.into_iter().chain(recording) {
            if let Err(error) = std::fs::create_dir_all(folder).and_then(|()| save_file(&file, bytes)) {
                return print::complain(&format!("cannot write {}: {error}", file.display()));
            }
            print::note(&format!("saved {}", file.display()));
        }
    }
    OK
}

/// A file name for the test: two tests with the same name differ in their line.
fn file_name(result: &TestResult) -> String {
    const LONGEST: usize = 100;
    let stem = result.file.trim_end_matches(".lua").replace(['/', '\\'], "-");
    let words = format!("{stem}-{}-{}", result.case.line, result.case.full_name());
    let plain = words.chars().map(|c| if c.is_alphanumeric() || c == '-' || c == '_' { c } else { ' ' });
    let parts: String = plain.collect();
    let name = parts.split_whitespace().collect::<Vec<_>>().join("_");
    name.chars().take(LONGEST).collect()
}

fn jobs(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(jobs @ 1..=1000) => Ok(jobs),
        _ => Err("expected a whole number from 1 to 1000".into()),
    }
}

fn shard(text: &str) -> Result<(usize, usize), String> {
    let parts =
        text.split_once('/').and_then(|(part, parts)| Some((part.parse().ok()?, parts.parse().ok()?)));
    match parts {
        Some((part, parts)) if (1..=parts).contains(&part) => Ok((part, parts)),
        _ => Err("expected a part and a number of parts, like 2/3".into()),
    }
}
