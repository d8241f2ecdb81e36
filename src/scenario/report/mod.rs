//! The results of the tests, for people and for programs.

mod junit;
mod pretty;
mod tap;

pub use junit::junit;
pub use pretty::{Look, pretty, pretty_summary, pretty_test};
pub use tap::tap;

use super::one::{Moment, TestResult};
use crate::draw::clean;
use crate::script::Failure;

/// A failure in one sentence.
fn sentence(failure: &Failure) -> String {
    match failure.expected.as_str() {
        "" => failure.seen.clone(),
        expected => format!("expected {expected}; seen: {}", failure.seen),
    }
}

/// The message of a failure for programs, at the head of a moment.
fn message(moment: &Moment, failure: &Failure) -> String {
    let whole = sentence(failure);
    match moment.same_as {
        Some(_) => whole.lines().next().unwrap_or_default().to_owned(),
        None => whole,
    }
}

/// Every line of the log: one call may write several.
fn lines_of_log(result: &TestResult) -> impl Iterator<Item = String> {
    result.log.iter().flat_map(|entry| entry.lines()).map(clean)
}

/// `file:line`, or the file alone where the line is not known.
fn place(failure: &Failure) -> String {
    match failure.line {
        0 => clean(&failure.file),
        line => format!("{}:{line}", clean(&failure.file)),
    }
}

/// All details of a moment, as lines without colour.
fn details(moment: &Moment) -> Vec<String> {
    pretty::details(moment, Look::default()).trim_end().lines().map(str::to_owned).collect()
}
