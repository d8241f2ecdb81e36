//! Words about reloads.

use crate::problem::{Problem, foremost};

/// Upper limit on the problems listed in a refusal.
const MOST_PROBLEMS: usize = 20;

/// That files were refused.
pub(super) fn refusal(files: &[String]) -> String {
    format!("refused {} (the last good version runs on)", some_of(files, " "))
}

/// The problems of a refusal, each on a line of its own, behind other words.
pub(super) fn problems_beneath(problems: &[Problem]) -> String {
    let (shown, left_out) = foremost(problems, MOST_PROBLEMS);
    let lines: String = shown.iter().map(|problem| format!("\n  {problem}")).collect();
    if left_out > 0 { format!("{lines}\n  … and {left_out} more") } else { lines }
}

/// As many words as fit a readable line, and the number of the others.
pub(super) fn some_of(words: &[String], between: &str) -> String {
    const ENOUGH_CHARS: usize = 100;
    let mut line = String::new();
    for (index, word) in words.iter().enumerate() {
        if index > 0 && line.chars().count() + word.chars().count() > ENOUGH_CHARS {
            return format!("{line} and {} more", words.len() - index);
        }
        line = if index == 0 { word.clone() } else { format!("{line}{between}{word}") };
    }
    line
}
