//! Errors of scripts: what, where, and in whose handler.

use super::parse::parse;
use super::sandbox::Stop;
use super::syntax::mend;
use crate::problem::{Problem, Source, brief_numbers, reason_of_panic};
use mlua::Lua;
use std::fmt;
use std::ops::Range;

/// An error of a script.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScriptError {
    /// Project-relative file; empty if no script line is known.
    pub file: String,
    /// Line, from 1; 0 if unknown.
    pub line: u32,
    /// The error message.
    pub message: String,
    /// Owner of the handler: a character's name, or "room".
    pub who: String,
    /// The handler or sequence.
    pub event: String,
    /// The tick of the error.
    pub tick: u64,
    /// How often this error has happened so far.
    pub count: u64,
    /// The script lines being executed, innermost first: `scripts/guard.lua:12: in function 'f'`. Empty if it
    /// adds nothing to file and line.
    pub traceback: Vec<String>,
}

impl fmt::Display for ScriptError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.file.is_empty() {
            write!(f, "{}:{}: ", self.file, self.line)?;
        }
        write!(f, "{} ({} of {}, tick {}", self.message, self.event, self.who, self.tick)?;
        if self.count > 1 {
            write!(f, ", {} times", self.count)?;
        }
        f.write_str(")")
    }
}

/// Chunk name of the crate's own Lua code; errors are never attributed to its frames.
pub(super) const PRELUDE_CHUNK: &str = "=[cicerone]";

/// File name of lines typed into the console.
pub(super) const CONSOLE_FILE: &str = "console";

/// An error raised by a host function, with the script line that called it in front.
pub(super) fn fail(lua: &Lua, message: impl fmt::Display) -> mlua::Error {
    let message = shortened(brief_numbers(&message.to_string()).into_owned(), MAX_MESSAGE_BYTES);
    mlua::Error::RuntimeError(match caller(lua) {
        Some((file, line)) => format!("{file}:{line}: {message}"),
        None => message,
    })
}

/// Longest message kept, in bytes: a script may build a huge one.
pub(super) const MAX_MESSAGE_BYTES: usize = 1000;

/// A text cut to a readable length.
pub(super) fn shortened(mut text: String, bytes: usize) -> String {
    if text.len() > bytes {
        let end = (0..=bytes).rev().find(|&end| text.is_char_boundary(end));
        text.truncate(end.unwrap_or(0));
        text.push('…');
        text.shrink_to_fit();
    }
    text
}

/// The message for a panic in a host function.
pub(super) fn bug(panic: &(dyn std::any::Any + Send)) -> String {
    let text = reason_of_panic(panic);
    format!("cicerone itself failed ({text}): this is a bug, please report it")
}

/// The message for code stopped at a limit: of `granted` instructions, say.
pub(super) fn stopped(stop: Stop, granted: u64) -> String {
    match stop {
        Stop::Fuel => {
            format!(
                "ran too long without a pause ({granted} instructions); does an endless loop want a wait(…) in it?"
            )
        }
        Stop::Memory => "out of memory: this script holds all it may; does a table grow without end?".into(),
        Stop::SharedMemory(0) => "out of memory: all scripts together hold all they may".into(),
        Stop::SharedMemory(mib) => format!(
            "out of memory: all scripts together hold all they may, and this one much of it ({mib} MiB); does a table grow without end?"
        ),
        Stop::LongString => {
            "out of memory: a string may have 256 KiB at most; collect many parts in a table".into()
        }
        Stop::Search => format!(
            "a path query looked at more places than a call of {granted} instructions may; npc:walk_to and set_target search over several ticks"
        ),
        Stop::Depth => "stack overflow: ten thousand calls deep; is there a recursion without end?".into(),
        Stop::Generations => {
            "a table inherits (__index, __newindex) over more than fifty others; each costs time".into()
        }
        Stop::Overdue => {
            "held the game up and was stopped; is there a library call on huge data in a loop?".into()
        }
    }
}

/// The innermost script line being executed.
pub(super) fn caller(lua: &Lua) -> Option<(String, usize)> {
    for level in 0..64 {
        let frame = lua.inspect_stack(level, |debug| {
            let source = debug.source().source.map(|s| s.into_owned()).unwrap_or_default();
            source.strip_prefix('@').map(|file| (file.to_owned(), debug.current_line().unwrap_or(0)))
        })?;
        if frame.is_some() {
            return frame;
        }
    }
    None
}

/// Where a function begins: the place of an error that has none of its own, such as running out of memory.
pub(super) fn beginning_of(function: &mlua::Function) -> (String, u32) {
    let info = function.info();
    match info.source.as_deref().and_then(|source| source.strip_prefix('@')) {
        Some(file) => (file.to_owned(), info.line_defined.unwrap_or(0) as u32),
        None => Default::default(), // a function of the prelude or the host
    }
}

/// File, line and bare message of an error as Lua reports it.
pub(super) fn dissect(error: &mlua::Error) -> (String, u32, String) {
    let (text, traceback) = match error {
        mlua::Error::CallbackError { traceback, cause } => {
            let mut cause = cause;
            while let mlua::Error::CallbackError { cause: inner, .. } = &**cause {
                cause = inner;
            }
            (plain(cause), traceback.clone())
        }
        other => {
            let text = plain(other);
            match text.split_once("\nstack traceback:") {
                Some((message, traceback)) => (message.to_owned(), traceback.to_owned()),
                None => (text, String::new()),
            }
        }
    };
    let text = text.split_once("\nstack traceback:").map_or(text.as_str(), |(message, _)| message);
    let is_frame = |file: &str| {
        traceback.lines().any(|frame| place_of_frame(frame.trim()).is_some_and(|(known, ..)| known == file))
    };
    if let Some((mut file, mut line, mut message)) = place_at_start(text).or_else(|| {
        // A name with spaces could be the beginning of a sentence that ends with a name; the traceback tells
        // them apart.
        spaced_place_at_start(text).filter(|(file, ..)| is_frame(file))
    }) {
        // Code that rethrows an error puts its own place in front; the last place is the origin.
        while let Some((inner, inner_line, rest)) = place_at_start(message) {
            (file, line, message) = (inner, inner_line, rest);
        }
        return (file.to_owned(), line, message.to_owned());
    }
    let blamed = traceback.lines().find_map(|frame| place_of_frame(frame.trim()));
    match blamed {
        Some((file, line, _)) => (file.to_owned(), line, text.to_owned()),
        None => (String::new(), 0, text.to_owned()),
    }
}

/// The script lines an error came through, innermost first; none if the error names the only one.
pub(super) fn frames(error: &mlua::Error) -> Vec<String> {
    let text = match error {
        mlua::Error::CallbackError { traceback, .. } => traceback.clone(),
        other => words(other),
    };
    let traceback = text.split_once("stack traceback:").map_or("", |(_, traceback)| traceback);
    let frames: Vec<String> = traceback
        .lines()
        .map(str::trim)
        .filter(|frame| place_of_frame(frame).is_some())
        .map(str::to_owned)
        .collect();
    if frames.len() > 1 { frames } else { Vec::new() }
}

/// A load error as a problem with a place: Lua names the line and often the token; the column follows from
/// them.
pub(super) fn load_problem(name: &str, text: &str, error: &mlua::Error) -> Problem {
    let (file, line, message) = dissect(error);
    if !file.is_empty() && file != name {
        return Source::new(file, "").problem_at_line(line, None, message);
    }
    let source = Source::new(name, text);
    let near = message.rsplit_once(" near '").map(|(_, token)| token.trim_end_matches('\''));
    let needle = near.map(str::to_owned);
    let mend = mend(&message).map(str::to_owned);
    let problem = match exact_place(&source, line, &message, needle.as_deref()) {
        Some(span) => source.problem(span, message),
        None => {
            let label = message.strip_prefix("no visible label '").and_then(|rest| rest.split('\'').next());
            let goto = message.rsplit_once(" for <goto> at line ").and_then(|(_, line)| line.parse().ok());
            let line =
                if message.contains("near <eof>") { source.line_count() } else { goto.unwrap_or(line) };
            let needle = needle.as_deref().or(label).map(str::to_owned);
            source.problem_at_line(line.max(1), needle.as_deref(), message)
        }
    };
    match mend {
        Some(mend) => problem.with_hint(mend),
        None => problem,
    }
}

/// The exact place where Lua's compiler stopped. Lua names a line and a token, and the token may occur twice
/// in that line.
fn exact_place(source: &Source, line: u32, message: &str, near: Option<&str>) -> Option<Range<usize>> {
    let at = parse(&source.text).err()?.at;
    let found = source.text.get(at.clone())?;
    if message.starts_with("unfinished") {
        return found.starts_with(['[', '"', '\'']).then_some(at);
    }
    (source.line_column(at.start).0 == line && near == Some(found)).then_some(at)
}

fn plain(error: &mlua::Error) -> String {
    let text = words(error);
    // `error({})`: an address has no meaning and differs from run to run.
    let is_address = |rest: &str| {
        let end = rest.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(rest.len());
        end > 0 && (end == rest.len() || rest[end..].starts_with("\nstack traceback:"))
    };
    match text.split_once(": 0x") {
        Some((kind, rest)) if is_address(rest) => format!("an error that is a {kind}"),
        _ => without_sign_of_nan(text),
    }
}

/// `error(0/0)`: whether C writes a sign before NaN, and what behind it, differs from platform to platform.
fn without_sign_of_nan(text: String) -> String {
    let end = text.find("\nstack traceback:").unwrap_or(text.len());
    match &text[..end] {
        "-nan" | "nan(ind)" | "-nan(ind)" => format!("nan{}", &text[end..]),
        _ => text,
    }
}

fn words(error: &mlua::Error) -> String {
    match error {
        mlua::Error::RuntimeError(message)
        | mlua::Error::MemoryError(message)
        | mlua::Error::SyntaxError { message, .. } => message.clone(),
        mlua::Error::BadArgument { to, name: Some(name), .. } if name == "self" => {
            // The names of the userdata types are capitalised forms of the names in scripts: `Npc.pos`,
            // `RoomObject.npc`.
            let (object, method) = to.as_deref().and_then(|to| to.split_once('.')).unwrap_or(("", "method"));
            let object = match object {
                "Npc" => "npc",
                "Area" => "area",
                "Link" => "link",
                "Waypath" => "waypath",
                "Tactics" => "tactics",
                _ => "room",
            };
            dot_for_colon(&format!("{object}:{method}"))
        }
        other => other.to_string(),
    }
}

/// The hint for a method called with a dot.
pub(super) fn dot_for_colon(spoken: &str) -> String {
    let dotted = spoken.replace(':', ".");
    format!("write {spoken}(…) with a colon; with a dot, {dotted} is not told whose it is")
}

/// Splits a line of a traceback, if it begins with a place; others begin with `[C]` or `(...`.
fn place_of_frame(frame: &str) -> Option<(&str, u32, &str)> {
    let has_place = !frame.starts_with(['[', '(']);
    spaced_place_at_start(frame).filter(|_| has_place)
}

/// Splits `scripts/guard.lua:12: message`.
fn place_at_start(text: &str) -> Option<(&str, u32, &str)> {
    spaced_place_at_start(text).filter(|(file, ..)| !file.contains([' ', '\t', '"']))
}

/// As [`place_at_start`]; the name may contain spaces.
fn spaced_place_at_start(text: &str) -> Option<(&str, u32, &str)> {
    let of_console = text.strip_prefix(CONSOLE_FILE).is_some_and(|rest| rest.starts_with(':'));
    let end = if of_console { CONSOLE_FILE.len() } else { text.find(".lua:")? + ".lua".len() };
    let (file, rest) = (&text[..end], &text[end + 1..]);
    if file.contains('\n') {
        return None;
    }
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let line = rest[..digits].parse().ok()?;
    Some((file, line, rest[digits..].trim_start_matches(':').trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_with_a_place_is_taken_apart() {
        let error = mlua::Error::RuntimeError(
            "scripts/guard.lua:12: attempt to index a nil value\nstack traceback:\n\t[C]: in ?".into(),
        );
        assert_eq!(dissect(&error), ("scripts/guard.lua".into(), 12, "attempt to index a nil value".into()));
    }

    #[test]
    fn the_caret_of_a_syntax_error_is_at_the_token_that_is_meant() {
        for (text, expected) in [
            ("local x = = 5", (1, 11)),
            ("local n = n + 1 n += 1", (1, 19)),
            ("local x = 1 if x = 1 then end", (1, 18)),
            ("local x = 1 if x != 1 then end", (1, 18)),
            ("function F() end end", (1, 18)),
            ("local x = [[\n\n", (1, 11)),
            ("goto nowhere\nreturn {}", (1, 6)),
            ("local s = \"a\" .. \"b", (1, 18)),
        ] {
            let lua = Lua::new();
            let error = lua.load(text).set_name("@a.lua").into_function().unwrap_err();
            let problem = load_problem("a.lua", text, &error);
            assert_eq!((problem.line, problem.column), expected, "{text}: {problem}");
        }
    }

    #[test]
    fn a_name_with_spaces_is_a_place_if_the_traceback_knows_it() {
        let error = |text: &str| dissect(&mlua::Error::RuntimeError(text.into()));
        let trace = "\nstack traceback:\n\t[C]: in function 'error'\n\ta b.lua:3: in function <a b.lua:1>";
        assert_eq!(error(&format!("a b.lua:3: no{trace}")), ("a b.lua".into(), 3, "no".into()));
        let said = "nothing in c.lua:7: no";
        assert_eq!(error(&format!("{said}{trace}")), ("a b.lua".into(), 3, said.into()));
    }

    #[test]
    fn the_console_is_a_place() {
        let error = |text: &str| dissect(&mlua::Error::RuntimeError(text.into()));
        assert_eq!(error("console:1: no"), ("console".into(), 1, "no".into()));
        assert_eq!(error("console: no"), (String::new(), 0, "console: no".into()));
        assert_eq!(error("scripts/a.lua:3: console:1: no"), ("console".into(), 1, "no".into()));
    }

    #[test]
    fn a_message_without_a_place_blames_the_first_script_frame() {
        let text = "too much\nstack traceback:\n\t[C]: in function 'x'\n\tscripts/a.lua:3: in local 'f'\n\tscripts/b.lua:9: in main";
        assert_eq!(
            dissect(&mlua::Error::RuntimeError(text.into())),
            ("scripts/a.lua".into(), 3, "too much".into())
        );
    }
}
