//! What is tried with an input, one file for each kind of input. The targets of cargo-fuzz run these, and so does the
//! ordinary test in `tests/scripting/fuzz`. Every body panics if something does not hold; an input that is refused is
//! fine.
//!
//! Work is bounded by what a body looks at, never by a clock: rooms of many cells are read and not entered.
#![allow(dead_code, unreachable_pub, missing_docs)] // each fuzz target uses its own body
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod folder;
pub mod game_api;
pub mod grid;
pub mod level;
pub mod life;
pub mod map;
pub mod mask;
pub mod recording;
pub mod room;
pub mod save;
pub mod script;
pub mod spec;

use cicerone::problem::{Problem, Source};
use cicerone::room::{Parsed, RoomReport};

/// A kind of input.
pub struct Target {
    /// The name of its fuzz target, its folder in `corpus` and its file in `dictionaries`.
    pub name: &'static str,
    /// Tries an input. Whether it was taken for what it should be.
    body: fn(&[u8]) -> bool,
}

impl Target {
    /// Tries an input. Whether it was taken for what it should be; panics if something does not hold.
    pub fn run(&self, data: &[u8]) -> bool {
        data.len() <= MAX_INPUT && (self.body)(data)
    }
}

/// Tries an input of the target of this name.
pub fn run(name: &str, data: &[u8]) {
    TARGETS.iter().find(|target| target.name == name).expect("a target of this name").run(data);
}

/// Every kind of input there is.
pub const TARGETS: [Target; 10] = [
    Target { name: "room", body: room::run },
    Target { name: "grid", body: grid::run },
    Target { name: "map", body: map::run },
    Target { name: "mask", body: mask::run },
    Target { name: "recording", body: recording::run },
    Target { name: "save", body: save::run },
    Target { name: "spec", body: spec::run },
    Target { name: "script", body: script::run },
    Target { name: "level", body: level::run },
    Target { name: "game_api", body: game_api::run },
];

/// Inputs that are longer say nothing new and take long.
const MAX_INPUT: usize = 128 << 10;

/// What is read, if it is good; read twice, it is the same.
#[track_caller]
pub fn read_twice(read: impl Fn() -> Result<Parsed, RoomReport>) -> Option<Parsed> {
    match (read(), read()) {
        (Err(report), Err(again)) => {
            assert_eq!(report, again, "refused in two ways");
            check_problems(&report.problems, Some(&report.source));
            None
        }
        (Ok(parsed), Ok(again)) => {
            assert_eq!(parsed.room, again.room, "read in two ways");
            Some(parsed)
        }
        _ => panic!("refused once, and once not"),
    }
}

/// More than anybody reads.
const MAX_MESSAGE: usize = 64 << 10;

/// In the words about a file that was handed over while the room ran.
const HANDED_OVER: &str = "was handed over";
/// What is said of a file whose reader panicked.
const READER_FAILED: &str = "its reader failed on it";

/// Holds a message against what every message must be.
#[track_caller]
pub fn check_words(text: &str) {
    assert!(!text.trim().is_empty(), "a message without words");
    assert!(
        text.len() <= MAX_MESSAGE,
        "a message of {} bytes: {}…",
        text.len(),
        text.chars().take(100).collect::<String>()
    );
    // A panic that was caught says so; where panics end the process, these words are those of an input.
    let is_bug = text.contains("cicerone itself") || text.contains(READER_FAILED);
    assert!(cfg!(fuzzing) || !is_bug, "a bug was caught: {text}");
}

/// Holds problems against what every problem must be, and against the text they are in.
#[track_caller]
pub fn check_problems(problems: &[Problem], source: Option<&Source>) {
    assert!(!problems.is_empty(), "refused without a reason");
    for problem in problems {
        if problem.file.ends_with(".png") && problem.message.contains(READER_FAILED) {
            continue; // the decoder of images is somebody else's
        }
        check_words(&problem.message);
        check_words(&problem.to_string());
        for more in [&problem.hint, &problem.note].into_iter().flatten() {
            check_words(more);
        }
        assert!(!problem.file.is_empty(), "no file: {problem}");
        if problem.file.ends_with(".png") {
            continue; // an image has no lines
        }
        if problem.line == 0 && problem.message.contains(HANDED_OVER) {
            continue; // that is about the whole file
        }
        assert!(problem.line >= 1 && problem.column >= 1, "no place: {problem}");
        let Some(source) = source else { continue };
        assert!(problem.line <= source.line_count(), "behind the end: {problem}");
        assert!(
            source.text.get(problem.span.clone()).is_some(),
            "{:?} is no part of the text: {problem}",
            problem.span
        );
        assert_eq!(source.line_column(problem.span.start), (problem.line, problem.column), "{problem}");
    }
}
