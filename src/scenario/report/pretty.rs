//! The report for people: a line for each test, and the details of failed ones.

use super::{lines_of_log, place, sentence};
use crate::draw::{clean, shorten, width_of};
use crate::problem::{Excerpt, Problem, foremost};
use crate::scenario::{Moment, SpecOutcome, SpecReport, TestResult};
use crate::script::Failure;
use std::fmt::Write;

/// Problems of one failure that are shown.
const MOST_PROBLEMS: usize = 20;

/// Columns of a line of a script that are shown.
const MOST_COLUMNS: usize = 120;

/// The look of a report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Look {
    /// Whether there are colours.
    pub colour: bool,
    /// Whether the log of every test is shown, not only of failed ones.
    pub log: bool,
}

#[derive(Clone, Copy)]
enum Ink {
    Good = 32,
    Bad = 31,
    Odd = 33,
    Dim = 2,
    Strong = 1,
}

impl Look {
    fn dye(self, ink: Ink, text: &str) -> String {
        match self.colour {
            true => format!("\u{1b}[{}m{text}\u{1b}[0m", ink as u8),
            false => text.to_owned(),
        }
    }
}

/// A whole report.
pub fn pretty(report: &SpecReport, look: Look) -> String {
    let (mut text, mut file) = (String::new(), None);
    for result in &report.results {
        if file.replace(&result.file) != Some(&result.file) {
            let _ = writeln!(text, "{}", clean(&result.file));
        }
        text += &pretty_test(result, look);
    }
    text + &pretty_summary(report, look)
}

/// One test.
pub fn pretty_test(result: &TestResult, look: Look) -> String {
    let name = clean(&result.case.full_name());
    let time =
        look.dye(Ink::Dim, &format!("{:.1} s in {}", result.game_s, duration(result.took.as_secs_f64())));
    let mut text = match &result.outcome {
        SpecOutcome::Passed => format!("  {} {name}  {time}\n", look.dye(Ink::Good, "✓")),
        SpecOutcome::Skipped(why) => {
            let why = if why.is_empty() { "skipped".to_owned() } else { format!("pending: {}", clean(why)) };
            format!("  {} {name}  {}\n", look.dye(Ink::Odd, "-"), look.dye(Ink::Dim, &why))
        }
        SpecOutcome::Failed(_) => {
            format!("  {} {}  {time}\n", look.dye(Ink::Bad, "✗"), look.dye(Ink::Strong, &name))
        }
    };
    let mut shows_log = look.log;
    if let SpecOutcome::Failed(moment) = &result.outcome {
        if moment.same_as.is_some() {
            return text + &indented(&details(moment, look), 4);
        }
        shows_log = true;
        text += "\n";
        text += &indented(&details(moment, look), 4);
    }
    if shows_log && !result.log.is_empty() {
        let heading = if result.whole_log { "the log" } else { "the last lines of the log" };
        let _ = writeln!(text, "    {}", look.dye(Ink::Dim, heading));
        for line in lines_of_log(result) {
            let _ = writeln!(text, "    {line}");
        }
        if matches!(result.outcome, SpecOutcome::Failed(_)) {
            text.push('\n');
        }
    }
    text
}

/// The summary at the end.
pub fn pretty_summary(report: &SpecReport, look: Look) -> String {
    let mut text = String::new();
    for problem in &report.problems {
        let _ = writeln!(text, "\n{}", look.dye(Ink::Bad, &clean(&problem.to_string())));
    }
    for file in report.results.iter().flat_map(|result| &result.updated) {
        let _ = writeln!(text, "recorded anew: {}", clean(file));
    }
    for warning in &report.warnings {
        let _ = writeln!(text, "{} {}", look.dye(Ink::Odd, "warning:"), clean(warning));
    }
    let failed: Vec<_> =
        report.results.iter().filter(|result| matches!(result.outcome, SpecOutcome::Failed(_))).collect();
    if failed.len() > 1 {
        let _ = writeln!(text, "\nfailed");
        for result in &failed {
            let (file, line) = (clean(&result.file), result.case.line);
            let name = clean(&result.case.full_name());
            let _ = writeln!(text, "  {} {file}:{line} {name}", look.dye(Ink::Bad, "✗"));
        }
    }
    let _ = writeln!(text, "\n{}", counts(report, look));
    text
}

fn counts(report: &SpecReport, look: Look) -> String {
    let passed = report.count(|outcome| matches!(outcome, SpecOutcome::Passed));
    let skipped = report.count(|outcome| matches!(outcome, SpecOutcome::Skipped(_)));
    let failed = report.count(|outcome| matches!(outcome, SpecOutcome::Failed(_)));
    let mut parts = vec![look.dye(Ink::Good, &format!("{passed} passed"))];
    if failed > 0 {
        parts.push(look.dye(Ink::Bad, &format!("{failed} failed")));
    }
    if skipped > 0 {
        parts.push(look.dye(Ink::Odd, &format!("{skipped} skipped")));
    }
    parts.extend(report.left_out().map(|left_out| look.dye(Ink::Odd, &clean(&left_out))));
    if !report.problems.is_empty() {
        let (files, do_not) =
            if report.problems.len() == 1 { ("file", "does not") } else { ("files", "do not") };
        parts.push(look.dye(Ink::Bad, &format!("{} {files} {do_not} load", report.problems.len())));
    }
    if report.bailed {
        parts.push("stopped at the first failure".into());
    }
    let game_s = report.results.iter().fold(0.0, |sum, result| sum + result.game_s);
    let ticks: u64 = report.results.iter().map(|result| result.ticks).sum();
    let took_s = report.took.as_secs_f64();
    let speed = match took_s > 0.0 {
        true => format!(", {:.0} times real time", game_s / took_s),
        false => String::new(),
    };
    let time = format!("{game_s:.1} s of game in {} ({ticks} ticks{speed})", duration(took_s));
    format!("{}; {}", parts.join(", "), look.dye(Ink::Dim, &time))
}

fn duration(seconds: f64) -> String {
    if seconds < 1.0 { format!("{:.0} ms", seconds * 1000.0) } else { format!("{seconds:.2} s") }
}

/// All details of the moment of a failure.
pub(super) fn details(moment: &Moment, look: Look) -> String {
    let mut text = String::new();
    if let (Some(line), Some(failure)) = (moment.same_as, moment.failures.first()) {
        let words = sentence(failure);
        let first = words.lines().next().unwrap_or_default().trim_end_matches(':');
        return format!("the same as in line {line}: {}\n", look.dye(Ink::Bad, &clean(first)));
    }
    for (failure, line) in moment.failures.iter().zip(&moment.lines) {
        text += &of_failure(failure, line, moment, look);
        text.push('\n');
    }
    for (heading, lines) in &moment.events {
        let _ = writeln!(text, "{}", look.dye(Ink::Strong, heading));
        for line in lines {
            let _ = writeln!(text, "{line}");
        }
    }
    if !moment.events.is_empty() {
        text.push('\n');
    }
    if !moment.picture.is_empty() {
        text += &moment.picture;
        text.push('\n');
    }
    text
}

fn of_failure(failure: &Failure, line: &str, moment: &Moment, look: Look) -> String {
    let mut text = String::new();
    if !failure.file.is_empty() {
        let _ = writeln!(text, "{}", look.dye(Ink::Strong, &place(failure)));
    }
    if !line.trim().is_empty() {
        let line = shorten(&clean(line.trim()), MOST_COLUMNS);
        let _ = writeln!(text, "  {} {line}", look.dye(Ink::Dim, &format!("{} |", failure.line)));
    }
    if failure.expected.is_empty() {
        for words in sentence(failure).lines() {
            let _ = writeln!(text, "{}", look.dye(Ink::Bad, &clean(words)));
            if !failure.problems.is_empty() {
                break; // the problems follow, each with its place
            }
        }
    } else {
        let _ = writeln!(text, "expected  {}", look.dye(Ink::Good, &clean(&failure.expected)));
        let seen: Vec<String> = failure.seen.lines().map(|line| look.dye(Ink::Bad, &clean(line))).collect();
        let _ = writeln!(text, "seen      {}", seen.join("\n          "));
    }
    let (shown, left_out) = foremost(&failure.problems, MOST_PROBLEMS);
    for problem in shown {
        text += &snippet(problem, moment);
    }
    if left_out > 0 {
        let _ = writeln!(text, "  … and {left_out} more");
    }
    for frame in &failure.traceback {
        let _ = writeln!(text, "  {}", look.dye(Ink::Dim, &clean(frame)));
    }
    let seconds = failure.tick as f64 * moment.dt_s;
    let _ = writeln!(text, "at        {seconds:.2} s, tick {}", failure.tick);
    text
}

/// A problem with its line.
fn snippet(problem: &Problem, moment: &Moment) -> String {
    let Problem { file, line, column, .. } = problem;
    let place = if *line > 0 { format!("{file}:{line}:{column}") } else { file.clone() };
    let mut text = format!("  {}: {}\n", clean(&place), clean(&problem.message));
    let source = moment.sources.iter().find(|source| source.name == problem.file && problem.line > 0);
    if let Some(excerpt) = source.and_then(|source| Excerpt::of(&source.text, problem.span.clone())) {
        let number = problem.line.to_string();
        // Of a place that spans several lines, the first is enough.
        let first = |part: &str| clean(part.lines().next().unwrap_or_default());
        let (before, marked) = (clean(&excerpt.before), first(&excerpt.marked));
        let after = if excerpt.marked.contains('\n') { String::new() } else { first(&excerpt.after) };
        let gap = " ".repeat(number.len());
        let _ = writeln!(text, "    {number} | {before}{marked}{after}");
        let (column, marks) = (width_of(&before), "^".repeat(width_of(&marked).max(1)));
        let _ = writeln!(text, "    {gap} | {}{marks} {}", " ".repeat(column), clean(&problem.label));
        text.truncate(text.trim_end().len());
        text.push('\n');
    }
    for (what, words) in [("help", &problem.hint), ("note", &problem.note)] {
        if let Some(words) = words {
            let _ = writeln!(text, "    {what}: {}", clean(words));
        }
    }
    text
}

fn indented(text: &str, columns: usize) -> String {
    let gap = " ".repeat(columns);
    let line = |line: &str| if line.is_empty() { "\n".to_owned() } else { format!("{gap}{line}\n") };
    text.lines().map(line).collect()
}
