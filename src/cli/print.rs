//! Writing to the terminal: results to standard output, complaints to standard error.

use super::{BAD_INPUT, OK};
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use cicerone::problem::Problem;
use cicerone::project::save_file;
use std::io::{IsTerminal, Write};
use std::path::Path;

/// Prints a result. A reader that went away (`| head`) is no error.
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

/// Prints a complaint and gives the exit code for bad input.
pub(super) fn complain(message: &str) -> u8 {
    let _ = writeln!(std::io::stderr().lock(), "error: {message}");
    BAD_INPUT
}

/// Says something that is no result.
pub(super) fn note(line: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

/// Writes a result to a file, or to standard output if there is none.
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

/// Prints problems with the lines they are in. `source` is the text of their file, if it could be read.
pub(super) fn problems(problems: &[Problem], source: &str) {
    let renderer = if std::io::stderr().is_terminal() { Renderer::styled() } else { Renderer::plain() };
    let mut err = std::io::stderr().lock();
    for problem in problems {
        let _ = writeln!(err, "{}\n", snippet(problem, source, &renderer));
    }
}

fn snippet(problem: &Problem, source: &str, renderer: &Renderer) -> String {
    // What is wrong with an image has no line to show.
    let has_lines = !source.is_empty() && problem.line > 0;
    let fits = has_lines && problem.span.end <= source.len() && source.is_char_boundary(problem.span.start);
    if !fits && problem.is_error() {
        return format!("error: {problem}");
    }
    if !fits {
        let place = if problem.file.is_empty() { String::new() } else { format!("{}: ", problem.file) };
        let hint = problem.hint.as_ref().map(|hint| format!("; {hint}")).unwrap_or_default();
        return format!("warning: {place}{}{hint}", problem.message);
    }
    let level = if problem.is_error() { Level::ERROR } else { Level::WARNING };
    let annotation = AnnotationKind::Primary.span(problem.span.clone()).label(&problem.label);
    let place = Snippet::source(source).path(&problem.file).annotation(annotation);
    let message = match problem.path.as_str() {
        "" => problem.message.clone(),
        path => format!("{} (at {path})", problem.message),
    };
    let mut group = level.primary_title(message).element(place);
    if let Some(hint) = &problem.hint {
        group = group.element(Level::HELP.message(hint));
    }
    if let Some(note) = &problem.note {
        group = group.element(Level::NOTE.message(note));
    }
    renderer.render(&[group])
}
