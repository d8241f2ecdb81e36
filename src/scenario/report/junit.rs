//! The report as JUnit XML, for build servers.

use super::{details, lines_of_log, message};
use crate::draw::clean;
use crate::scenario::{SpecOutcome, SpecReport, TestResult};
use std::fmt::Write;

/// The report as JUnit XML: a suite for each file.
pub fn junit(report: &SpecReport) -> String {
    let failed = report.count(|outcome| matches!(outcome, SpecOutcome::Failed(_)));
    let skipped = report.count(|outcome| matches!(outcome, SpecOutcome::Skipped(_)));
    let (tests, errors) = (report.results.len() + report.problems.len(), report.problems.len());
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"cicerone\" tests=\"{tests}\" failures=\"{failed}\" \
         errors=\"{errors}\" skipped=\"{skipped}\" time=\"{:.3}\">\n",
        report.took.as_secs_f64()
    );
    if let Some(left_out) = report.left_out() {
        let _ = writeln!(text, "  <!-- {} -->", in_comment(&left_out));
    }
    for suite in report.results.chunk_by(|one, other| one.file == other.file) {
        text += &of_suite(suite);
    }
    for problem in &report.problems {
        let (file, words) = (escaped(&problem.file), escaped(&problem.to_string()));
        let _ = write!(
            text,
            "  <testsuite name=\"{file}\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\" time=\"0.000\">\n    \
             <testcase name=\"loading\" classname=\"{file}\" file=\"{file}\" line=\"{}\" time=\"0.000\">\n      \
             <error message=\"{words}\" type=\"load\"/>\n    </testcase>\n  </testsuite>\n",
            problem.line
        );
    }
    text + "</testsuites>\n"
}

fn of_suite(suite: &[TestResult]) -> String {
    let count =
        |is_such: fn(&SpecOutcome) -> bool| suite.iter().filter(|result| is_such(&result.outcome)).count();
    let failed = count(|outcome| matches!(outcome, SpecOutcome::Failed(_)));
    let skipped = count(|outcome| matches!(outcome, SpecOutcome::Skipped(_)));
    let seconds: f64 = suite.iter().map(|result| result.took.as_secs_f64()).sum();
    let file = suite.first().map(|result| escaped(&result.file)).unwrap_or_default();
    let mut text = format!(
        "  <testsuite name=\"{file}\" tests=\"{}\" failures=\"{failed}\" errors=\"0\" skipped=\"{skipped}\" time=\"{seconds:.3}\">\n",
        suite.len()
    );
    for result in suite {
        let (name, line) = (escaped(&result.case.full_name()), result.case.line);
        let seconds = result.took.as_secs_f64();
        let _ = write!(
            text,
            "    <testcase name=\"{name}\" classname=\"{file}\" file=\"{file}\" line=\"{line}\" time=\"{seconds:.3}\""
        );
        match &result.outcome {
            SpecOutcome::Passed => text += "/>\n",
            SpecOutcome::Skipped(why) if why.is_empty() => text += ">\n      <skipped/>\n    </testcase>\n",
            SpecOutcome::Skipped(why) => {
                let _ = write!(text, ">\n      <skipped message=\"{}\"/>\n    </testcase>\n", escaped(why));
            }
            SpecOutcome::Failed(moment) => {
                let message = moment.failures.first().map(|failure| message(moment, failure));
                let lines: Vec<String> =
                    details(moment).iter().map(|line| escaped(line.trim_end())).collect();
                let _ = write!(
                    text,
                    ">\n      <failure message=\"{}\" type=\"failure\">{}</failure>\n",
                    escaped(&message.unwrap_or_default()),
                    lines.join("\n")
                );
                if !result.log.is_empty() && moment.same_as.is_none() {
                    let lines: Vec<String> = lines_of_log(result).map(|line| escaped(&line)).collect();
                    let _ = writeln!(text, "      <system-out>{}</system-out>", lines.join("\n"));
                }
                text += "    </testcase>\n";
            }
        }
    }
    text + "  </testsuite>\n"
}

/// A text in one line without two dashes in a row, which would end a comment.
fn in_comment(text: &str) -> String {
    let mut text = escaped(text);
    while text.contains("--") {
        text = text.replace("--", "- -");
    }
    text
}

/// A text in one line that XML can hold.
fn escaped(text: &str) -> String {
    let clean = text.lines().map(clean).collect::<Vec<_>>().join(" ");
    clean.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
