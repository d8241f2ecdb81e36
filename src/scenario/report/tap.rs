//! The report in the Test Anything Protocol, version 14, for programs.

use super::{details, lines_of_log, message, place};
use crate::draw::clean;
use crate::scenario::{SpecOutcome, SpecReport, TestResult};
use std::fmt::Write;

/// The report in TAP.
pub fn tap(report: &SpecReport) -> String {
    let all = report.results.len() + report.problems.len();
    let mut text = format!("TAP version 14\n1..{all}\n");
    for (index, result) in report.results.iter().enumerate() {
        text += &of_test(index + 1, result);
    }
    for (index, problem) in report.problems.iter().enumerate() {
        let number = report.results.len() + index + 1;
        let _ = writeln!(text, "not ok {number} - {} does not load", words(&problem.file));
        let _ = writeln!(text, "  ---\n  message: {}\n  ...", quoted(&problem.to_string()));
    }
    if let Some(left_out) = report.left_out() {
        let _ = writeln!(text, "# {}", clean(&left_out));
    }
    if report.bailed {
        text += "Bail out! A test failed\n";
    }
    text
}

fn of_test(number: usize, result: &TestResult) -> String {
    let name = words(&format!("{}: {}", result.file, result.case.full_name()));
    let mut text = String::new();
    match &result.outcome {
        SpecOutcome::Passed => {
            let _ = writeln!(text, "ok {number} - {name}");
        }
        SpecOutcome::Skipped(why) => {
            let _ = writeln!(text, "ok {number} - {name} # SKIP {}", words(why));
            return text.replace(" \n", "\n");
        }
        SpecOutcome::Failed(_) => {
            let _ = writeln!(text, "not ok {number} - {name}");
        }
    }
    text += "  ---\n";
    if let SpecOutcome::Failed(moment) = &result.outcome {
        if let Some(failure) = moment.failures.first() {
            let _ = writeln!(text, "  message: {}", quoted(&message(moment, failure)));
            let _ = writeln!(text, "  at: {}", quoted(&place(failure)));
        }
        text += "  details: |\n";
        for line in details(moment) {
            let _ = writeln!(text, "    {}", line.trim_end());
        }
        if !result.log.is_empty() && moment.same_as.is_none() {
            text += "  log: |2\n";
            for line in lines_of_log(result) {
                let _ = writeln!(text, "    {}", line.trim_end());
            }
        }
    }
    let _ = writeln!(text, "  duration_ms: {:.3}", result.took.as_secs_f64() * 1000.0);
    let _ = writeln!(text, "  game_seconds: {:.3}\n  ticks: {}\n  ...", result.game_s, result.ticks);
    text
}

/// A name in one line that is not a TAP directive.
fn words(text: &str) -> String {
    clean(text).replace('\\', "\\\\").replace('#', "\\#")
}

/// A string as YAML and JSON write it.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text.lines().map(clean).collect::<Vec<_>>().join("\n")).to_string()
}
