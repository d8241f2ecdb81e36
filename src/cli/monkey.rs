//! `cicerone monkey`: random play, and its findings.

use super::print::TextOrJson;
use super::setup::{Parts, seconds};
use super::{NO, OK, print};
use cicerone::draw::clean;
use cicerone::scenario::monkey::{Action, Acts, Monkey, MonkeyReport};
use clap::{Args, ValueEnum};
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

/// Play a room at random, and tell what goes wrong
///
/// A monkey clicks where a player could, opens and closes areas, and brings passers-by in. Reported are people stuck
/// or outside, walks without end, script errors, and puzzles that lock themselves: a goal of the room file that no way
/// of playing reaches any more. Every finding is a seed: --seed shows it again. Exits with 1 if something is found; a
/// goal that is only not reached in the time given is told with the time it took elsewhere, and is no finding.
#[derive(Args)]
pub(super) struct MonkeyArgs {
    /// The room: a file (.json, .txt, .map), or NAME for the project's rooms/NAME.json, .txt or .map
    #[arg(value_name = "ROOM")]
    room: PathBuf,
    /// How many seeds to play
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    seeds: u64,
    /// The first of them
    #[arg(long, value_name = "K", default_value_t = 1)]
    first_seed: u64,
    /// Play this seed alone, and tell what the monkey does
    #[arg(long, value_name = "K", conflicts_with_all = ["seeds", "first_seed"])]
    seed: Option<u64>,
    /// Game time of each run
    #[arg(long, value_name = "N", default_value = "120", value_parser = seconds)]
    seconds: f64,
    /// What the monkey leaves alone (may be given several times)
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',')]
    without: Vec<Act>,
    /// How many runs go on at a time [default: as many as there are processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=256))]
    jobs: Option<u64>,
    /// Stop at the first seed that finds something
    #[arg(long)]
    bail: bool,
    /// How to print the result
    #[arg(long, value_enum, default_value = "text")]
    format: TextOrJson,
    #[command(flatten)]
    parts: Parts,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Act {
    Clicks,
    Toggles,
    Spawns,
}

#[allow(clippy::disallowed_methods)] // the speed is shown to people; no run sees it
pub(super) fn monkey(root: Option<&Path>, args: &MonkeyArgs) -> u8 {
    let (project, room, options) = match args.parts.options(root, &args.room) {
        Ok(opened) => opened,
        Err(code) => return code,
    };
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let does = |act: Act| !args.without.contains(&act);
    let monkey = Monkey {
        project,
        room,
        options,
        first_seed: args.seed.unwrap_or(args.first_seed),
        seeds: if args.seed.is_some() { 1 } else { args.seeds },
        seconds: args.seconds,
        acts: Acts { clicks: does(Act::Clicks), toggles: does(Act::Toggles), spawns: does(Act::Spawns) },
        jobs: args.jobs.map_or_else(cores, |jobs| jobs as usize),
        bail: args.bail,
    };
    let began = Instant::now();
    let shows_progress = std::io::stderr().is_terminal();
    let last = Mutex::new(None);
    let report = monkey.play(&|doing, over, all| {
        let words = doing.as_str();
        if shows_progress {
            let _ = write!(std::io::stderr().lock(), "\rthe monkey {words}: {over} of {all} runs\x1b[K");
        } else if last.lock().is_ok_and(|mut last| last.replace(doing) != Some(doing)) {
            print::note(&format!("the monkey {words}: {all} runs of {:.0} s", args.seconds));
        }
    });
    if shows_progress {
        let _ = write!(std::io::stderr().lock(), "\r\x1b[K");
    }
    let report = match report {
        Ok(report) => report,
        Err(error) => {
            print::problems(&error.problems, &error.source.text);
            return super::BAD_INPUT;
        }
    };
    let printed = match args.format {
        TextOrJson::Json => print::text(&print::pretty_json(&report)),
        TextOrJson::Text => print::words(&in_words(&report, args.seed.is_some())),
    };
    let speed = report.summary.game_seconds / began.elapsed().as_secs_f64().max(1e-6);
    print::note(&format!("{speed:.0} times real time"));
    let code = if report.findings.is_empty() { OK } else { NO };
    code.max(printed)
}

fn in_words(report: &MonkeyReport, tells_actions: bool) -> String {
    let mut text = String::new();
    for (acts, actions) in report.actions.iter().filter(|_| tells_actions) {
        let kind = if *acts == Acts::CLICKS { "with clicks alone" } else { "playing freely" };
        text.push_str(&format!("{kind}:\n"));
        text.extend(actions.iter().map(action_in_words));
        text.push('\n');
    }
    for finding in &report.findings {
        text.extend(finding.to_string().lines().map(|line| format!("{}\n", clean(line))));
        text.push('\n');
    }
    let summary = &report.summary;
    let walks: Vec<String> = summary.walks.iter().map(|(end, count)| format!("{count} {end}")).collect();
    let count = |n: u64, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    text.push_str(&format!(
        "{}: {}, {}, {:.0} s of game time, {}, hash {}\n",
        clean(&report.room),
        count(summary.seeds, "seed"),
        count(summary.runs, "run"),
        summary.game_seconds,
        count(summary.actions, "action"),
        summary.hash
    ));
    text.push_str(&format!("walks: {}\n", if walks.is_empty() { "none".into() } else { walks.join(", ") }));
    text.push_str(&goals_in_words(report));
    for late in &summary.not_in_time {
        text.push_str(&format!(
            "goal '{}': not reached in the time left at the end of {} of {}; elsewhere it took {:.0} s\n",
            clean(&late.goal),
            late.runs,
            count(late.of, "run"),
            late.took_s.ceil()
        ));
    }
    if summary.unsettled > 0 {
        text.push_str(&format!(
            "out of reach of a goal in the end, with no way found and no proof that there is none: {}\n",
            count(summary.unsettled, "run")
        ));
    }
    let found = report.findings.len() as u64;
    text.push_str(&if found == 0 { "nothing found\n".to_owned() } else { format!("{found} found\n") });
    text
}

fn goals_in_words(report: &MonkeyReport) -> String {
    let (goals, reached) = report.summary.goals;
    let states = report.summary.states;
    match goals {
        0 => String::new(),
        _ if report.summary.puzzle_runs > 0 => format!(
            "goals: {reached} of {goals} reached, {states} state{} of the puzzle seen\n",
            if states == 1 { "" } else { "s" }
        ),
        _ if report.findings.is_empty() => {
            "goals: not looked at, which takes clicks; that none was reached says nothing\n".into()
        }
        _ => "goals: not looked at, since something was found before\n".into(),
    }
}

fn action_in_words(action: &Action) -> String {
    format!("{:8.2} s  tick {:<6} {}\n", action.time_s, action.tick, clean(&action.input.to_string()))
}
