//! Writes to the terminal: results to standard output, complaints to standard error.

use super::{BAD_INPUT, OK};
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use cicerone::draw::{clean, clean_lines};
use cicerone::problem::{Excerpt, Problem, foremost};
use cicerone::project::save_file;
use clap::ValueEnum;
use std::io::{IsTerminal, Write};
use std::path::Path;

/// How a result is printed: for people, or for programs.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum TextOrJson {
    Text,
    Json,
}

/// Upper limit on the problems shown of one file.
const MOST_PROBLEMS: usize = 200;

/// Prints a result for people: control characters in names cannot steer the terminal.
pub(super) fn words(words: &str) -> u8 {
    text(&clean_lines(words))
}

/// Prints a result as it is. A closed pipe (`| head`) is no error.
pub(super) fn text(text: &str) -> u8 {
    let mut out = std::io::stdout().lock();
    let written = out
        .write_all(text.as_bytes())
        .and_then(|()| if text.ends_with('\n') { Ok(()) } else { out.write_all(b"\n") });
    match written.and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => complain(&error.to_string()),
        _ => OK,
    }
}

/// Prints a complaint and returns the exit code for bad input. It is one line, whatever the names in it contain.
pub(super) fn complain(message: &str) -> u8 {
    complain_of(message, &[])
}

/// As [`complain`], with a line for each of some things.
pub(super) fn complain_of(message: &str, things: &[String]) -> u8 {
    let things: String = things.iter().map(|thing| format!("\n  {}", clean(thing))).collect();
    let _ = writeln!(std::io::stderr().lock(), "error: {}{things}", clean(message));
    BAD_INPUT
}

/// Prints a remark that is not a result.
pub(super) fn note(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{}", clean_lines(line));
}

/// Writes a result to a file, or to standard output if no file is given.
pub(super) fn to_file_or_stdout(content: &str, file: Option<&Path>) -> u8 {
    match file {
        None => text(content),
        Some(file) => match save_file(file, content.as_bytes()) {
            Ok(()) => OK,
            Err(error) => complain(&format!("cannot write {}: {error}", file.display())),
        },
    }
}

pub(super) fn pretty_json(value: &impl serde::Serialize) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// Prints problems with their lines: of many, the first ones and the number left out. `source` is the text of their
/// file, if it could be read.
pub(super) fn problems(problems: &[Problem], source: &str) {
    let renderer = if std::io::stderr().is_terminal() { Renderer::styled() } else { Renderer::plain() };
    let mut err = std::io::stderr().lock();
    let (shown, left_out) = foremost(problems, MOST_PROBLEMS);
    for problem in &shown {
        let _ = writeln!(err, "{}\n", snippet(problem, source, &renderer));
    }
    if let Some(last) = shown.last().filter(|_| left_out > 0) {
        let what = if left_out == 1 { "problem" } else { "problems" };
        let _ = writeln!(err, "… and {left_out} more {what} in {}\n", clean(&last.file));
    }
}

fn snippet(problem: &Problem, source: &str, renderer: &Renderer) -> String {
    // A problem in an image has no line to show.
    let has_lines = !source.is_empty() && problem.line > 0;
    let Some(excerpt) = has_lines.then(|| Excerpt::of(source, problem.span.clone())).flatten() else {
        return clean(&in_a_line(problem));
    };
    let level = if problem.is_error() { Level::ERROR } else { Level::WARNING };
    let [before, marked, after] = [&excerpt.before, &excerpt.marked, &excerpt.after].map(|part| shown(part));
    let span = before.len()..before.len() + marked.len();
    let file = clean(&problem.file);
    let label = clean(&problem.label);
    let lines = Snippet::source([before, marked, after].concat())
        .line_start(problem.line as usize)
        .path(&file)
        .annotation(AnnotationKind::Primary.span(span).label(&label));
    let message = match problem.path.as_str() {
        "" => clean(&problem.message),
        path => clean(&format!("{} (at {path})", problem.message)),
    };
    let mut group = level.primary_title(message).element(lines);
    if let Some(hint) = &problem.hint {
        group = group.element(Level::HELP.message(clean(hint)));
    }
    if let Some(note) = &problem.note {
        group = group.element(Level::NOTE.message(clean(note)));
    }
    // The renderer counts columns from the start of the excerpt, which may be in the middle of a line.
    let place = |column: usize| format!("{file}:{}:{column}", problem.line);
    let counted = excerpt.before.chars().count() + 1;
    let rendered = renderer.render(&[group]);
    // The title, which may quote a place, is on a line of its own.
    let (title, rest) = rendered.split_once('\n').unwrap_or((&rendered, ""));
    format!("{title}\n{}", rest.replacen(&place(counted), &place(problem.column as usize), 1))
}

/// A problem without its source line.
fn in_a_line(problem: &Problem) -> String {
    if problem.is_error() {
        return format!("error: {problem}");
    }
    let place = if problem.file.is_empty() { String::new() } else { format!("{}: ", problem.file) };
    let hint = problem.hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default();
    format!("warning: {place}{}{hint}", problem.message)
}

/// Text of a file as shown. Tabs stay, since the renderer expands them.
fn shown(text: &str) -> String {
    text.split('\t').map(clean_lines).collect::<Vec<_>>().join("\t")
}
