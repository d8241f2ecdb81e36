//! The console: a line of Lua from outside, evaluated in the running room. It is an ordinary sequence, so
//! `wait` and `walk_to` work in it, and it has its own budget and account.

use super::Scripts;
use super::answer::{Answer, Datum, is_name};
use super::api::{Area, Link, Npc, RoomObject, Tactics, Waypath, sequence};
use super::complete::{KnownNames, Variable, known};
use super::copy::Room;
use super::error::{CONSOLE_FILE, MAX_MESSAGE_BYTES, dissect, shortened};
use super::host::{ENVIRONMENT, Host};
use super::owner::{Owner, TaskId};
use super::schedule::Schedule;
use super::source::prepared;
use super::task::{Role, Task};
use mlua::chunk::ChunkMode;
use mlua::{Function, Lua, MultiValue, Table, Value};

/// Longest line, in bytes. People type less, and the compiler cannot be stopped.
const MAX_LINE_BYTES: usize = 10_000;

/// Registry name of the globals of console lines.
const CONSOLE_ENVIRONMENT: &str = "cicerone.console";

/// Name of the last value in the next line.
const LAST: &str = "_";

impl Scripts {
    /// Evaluates a line as an expression or, if that fails, as statements. [`Scripts::take_answers`] has the
    /// answer at once, or when the line's wait is over.
    pub(crate) fn evaluate(&mut self, line: &str) {
        let begun = self.loading(|| {
            let function = compile(self.lua(), line).map_err(|refused| refused.why)?;
            sequence(self.lua(), function, MultiValue::new()).map_err(|error| dissect(&error).2)
        });
        let thread = match begun {
            Ok(thread) => thread,
            Err(why) => return self.answers.push(Answer::Refused(why)),
        };
        let beginning = (CONSOLE_FILE.to_owned(), 1);
        self.refresh(Owner::CONSOLE, &beginning);
        self.host.commands.set(0);
        let now = self.host.world().tick_number();
        let task = Task::new(Role::Line, CONSOLE_FILE.to_owned(), beginning, thread);
        let limit = self.limits().sequences;
        let added = self.host.schedule.borrow_mut().add_task(Owner::CONSOLE, task, limit);
        match added {
            Some(id) => self.resume(Owner::CONSOLE, id, now),
            None => {
                let why = format!("the console has {limit} sequences under way, as many as it may");
                self.answers.push(Answer::Failed(why));
            }
        }
    }

    /// Ends waiting lines, and the walks they started. Sequences they began with `start` go on.
    pub(crate) fn call_off_lines(&mut self) {
        let ended: Vec<Vec<Task>> = {
            let mut schedule = self.host.schedule.borrow_mut();
            let lines = waiting(&schedule).collect::<Vec<_>>();
            lines.into_iter().map(|id| schedule.take_family(Owner::CONSOLE, id)).collect()
        };
        for family in ended {
            self.host.call_off(&family);
            self.answers.push(Answer::CalledOff);
        }
    }

    /// Number of lines that wait.
    pub(crate) fn waiting_lines(&self) -> usize {
        waiting(&self.host.schedule.borrow()).count()
    }

    /// Whether a text is unfinished Lua that may go on in the next line: neither an expression nor
    /// statements, with the missing part at its end.
    pub(crate) fn is_unfinished(&self, text: &str) -> bool {
        self.loading(|| compile(self.lua(), text)).is_err_and(|refused| refused.unfinished)
    }

    /// The answers of all lines that ended since the last call.
    pub(crate) fn take_answers(&mut self) -> Vec<Answer> {
        std::mem::take(&mut self.answers)
    }

    /// A copy of `room.state`. Runs no script.
    pub(crate) fn room_state(&self) -> Datum {
        let state = self.host.lua.room_state.borrow().clone().map_or(Value::Nil, Value::Table);
        Room::silent(&self.host, 10_000, 1 << 20, u64::MAX).copy(&state, 0)
    }

    /// The names that can be used in a line now.
    pub(crate) fn names(&self) -> KnownNames {
        let world = self.host.world();
        let environment = console_environment(self.lua()).ok();
        let variables = environment.as_ref().map(variables).unwrap_or_default();
        let state = self.host.lua.room_state.borrow().clone();
        let mut tables: Vec<_> = state.iter().map(|state| ("room.state".to_owned(), keys(state))).collect();
        for Variable { name, .. } in &variables {
            let value = environment.as_ref().and_then(|all| all.raw_get::<Value>(name.as_str()).ok());
            let own = value.as_ref().and_then(Value::as_table).map(keys);
            tables.extend(own.map(|keys| (name.clone(), keys)));
        }
        KnownNames {
            known: known(&self.host.game.entries),
            variables,
            tables,
            characters: world.characters().iter().map(|character| character.name.clone()).collect(),
            points: world.room().points.keys().cloned().collect(),
            hotspots: world.room().hotspots.iter().map(|hotspot| hotspot.name.clone()).collect(),
            areas: world.room().areas.iter().map(|area| area.name.clone()).collect(),
            links: world.links().links().iter().map(|placed| placed.link.name.clone()).collect(),
            waypaths: world.links().waypaths().iter().map(|placed| placed.waypath.name.clone()).collect(),
        }
    }
}

/// The results of a line that has ended; the next line sees the first one as `_`.
pub(super) fn results(lua: &Lua, host: &Host, values: &MultiValue) -> Vec<Datum> {
    if let (Some(first), Ok(environment)) = (values.front(), console_environment(lua)) {
        let _ = environment.raw_set(LAST, first); // fails if memory is short
    }
    let mut room = Room::asking(host, 10_000, 1 << 20);
    values.iter().map(|value| room.copy(value, 0)).collect()
}

/// Values as a line of the log: tables are written as in the console, strings outside of tables as they are.
///
/// # Errors
/// Errors of the `__tostring` of a table outside of tables.
pub(super) fn line(lua: &Lua, host: &Host, values: &[Value], separator: &str) -> mlua::Result<Line> {
    let mut room = Room::asking(host, LOGGED_VALUES, LOGGED_BYTES);
    let to_string = lua.globals().raw_get::<Function>("tostring")?;
    let has_words = |table: &Table| {
        table.metatable().is_some_and(|hidden| hidden.raw_get::<Function>("__tostring").is_ok())
    };
    let mut words = Vec::new();
    for value in values {
        words.push(match value {
            Value::String(text) => text.to_string_lossy(),
            Value::Table(table) if has_words(table) => {
                to_string.call::<mlua::LuaString>(table)?.to_string_lossy()
            }
            other => format!("{:.6}", room.copy(other, 0)), // a micrometre is enough
        });
    }
    Ok(Line { text: words.join(separator), copied: LOGGED_VALUES - room.values })
}

/// A line of the log, and the number of values in tables copied for it.
pub(super) struct Line {
    pub(super) text: String,
    pub(super) copied: usize,
}

/// Values copied of all tables of one line: more than are shown.
const LOGGED_VALUES: usize = 1000;

/// Bytes copied of their strings.
const LOGGED_BYTES: usize = 10_000;

/// A value in words.
pub(super) fn shown(host: &Host, value: &Value) -> String {
    Room::asking(host, 1000, 10_000).copy(value, 0).to_string()
}

/// A line's error as an answer: its place and the message.
pub(super) fn failed((file, line): (String, u32), message: &str) -> Answer {
    Answer::Failed(shortened(format!("{file}:{line}: {message}"), MAX_MESSAGE_BYTES))
}

/// The waiting lines.
fn waiting(schedule: &Schedule) -> impl Iterator<Item = TaskId> + '_ {
    let lines = schedule.tasks_of(Owner::CONSOLE);
    lines.filter(|(_, task)| task.role == Role::Line && task.branch_of.is_none()).map(|(id, _)| id)
}

/// Why a text is not valid Lua.
struct Refused {
    why: String,
    /// Whether more text could complete it.
    unfinished: bool,
}

/// The text as a function.
fn compile(lua: &Lua, text: &str) -> Result<Function, Refused> {
    if text.len() > MAX_LINE_BYTES {
        let why = format!("a line may have {MAX_LINE_BYTES} bytes at most");
        return Err(Refused { why, unfinished: false });
    }
    let environment =
        console_environment(lua).map_err(|error| Refused { why: dissect(&error).2, unfinished: false })?;
    let compile = |text: &str| {
        let text = prepared(CONSOLE_FILE, text).map_err(|problem| {
            let hint = problem.hint.map(|hint| format!("; {hint}")).unwrap_or_default();
            (CONSOLE_FILE.to_owned(), problem.line, problem.message + &hint)
        })?;
        let chunk = lua.load(&*text).set_name(format!("@{CONSOLE_FILE}")).set_mode(ChunkMode::Text);
        chunk.set_environment(environment.clone()).into_function().map_err(|error| dissect(&error))
    };
    compile(&format!("return {text}")).or_else(|as_value| {
        compile(text).map_err(|as_statement| {
            // If the statement parser fails at the first token, the text was meant as an expression.
            let near = as_statement.2.rsplit_once(" near '").map(|(_, token)| token.trim_end_matches('\''));
            let stumbles = near.is_some_and(|token| text.trim_start().starts_with(token));
            let (_, at, message) = if stumbles { as_value } else { as_statement };
            // In an unfinished long string or comment, Lua quotes the end of the text. A string in quotes
            // ends with its line.
            let at_end = message.ends_with("near <eof>") || message.ends_with("near '<eof>'");
            let unfinished = at_end && !message.starts_with("unfinished string");
            let words = if unfinished { "the line is not finished: " } else { "" };
            Refused { why: format!("{CONSOLE_FILE}:{at}: {words}{message}"), unfinished }
        })
    })
}

/// The console's own globals, with the scripts' globals as fallback. Assignments last until the end of the
/// run.
fn console_environment(lua: &Lua) -> mlua::Result<Table> {
    if let Ok(environment) = lua.named_registry_value::<Table>(CONSOLE_ENVIRONMENT) {
        return Ok(environment);
    }
    let (environment, behind) = (lua.create_table()?, lua.create_table()?);
    behind.raw_set("__metatable", false)?;
    behind.raw_set("__index", lua.named_registry_value::<Table>(ENVIRONMENT)?)?;
    environment.set_metatable(Some(behind))?;
    lua.set_named_registry_value(CONSOLE_ENVIRONMENT, &environment)?;
    Ok(environment)
}

/// The first thousand keys of a table that can be written after a dot, sorted.
fn keys(table: &Table) -> Vec<String> {
    let pairs = table.pairs::<Value, Value>().filter_map(Result::ok).take(1000);
    let names = pairs.filter_map(|(key, _)| Some(key.as_string()?.to_string_lossy()));
    let mut names: Vec<String> = names.filter(|name| is_name(name)).collect();
    names.sort();
    names
}

fn variables(environment: &Table) -> Vec<Variable> {
    let all = environment.pairs::<String, Value>().filter_map(Result::ok);
    let mut all: Vec<Variable> = all
        .filter(|(name, _)| is_name(name))
        .map(|(name, value)| {
            let is = |value: &Value| {
                let userdata = value.as_userdata()?;
                let area = || userdata.is::<Area>().then_some("area");
                let link = || userdata.is::<Link>().then_some("link");
                let room = || userdata.is::<RoomObject>().then_some("room");
                let way = || userdata.is::<Waypath>().then_some("waypath");
                let level = || userdata.is::<Tactics>().then_some("tactics");
                let npc = userdata.is::<Npc>().then_some("npc");
                npc.or_else(room).or_else(area).or_else(link).or_else(way).or_else(level)
            };
            Variable { name, object: is(&value) }
        })
        .collect();
    all.sort_by(|one, other| one.name.cmp(&other.name));
    all
}
