//! The console: a line of Lua from outside, evaluated in the running room. It is a sequence like any other, so that `wait` and
//! `walk_to` work in it, with a budget and an account of its own.

use super::Scripts;
use super::answer::{Answer, Datum, Record, is_name};
use super::api::{Area, Npc, RoomObject, sequence};
use super::complete::{Names, Variable, known};
use super::error::{CONSOLE_FILE, MAX_MESSAGE_BYTES, dissect, shortened};
use super::host::ENVIRONMENT;
use super::owner::{Owner, TaskId};
use super::sandbox::SHARED_MARK;
use super::schedule::Schedule;
use super::source::with_our_powers;
use super::task::{Role, Task};
use mlua::chunk::ChunkMode;
use mlua::{Function, Lua, MultiValue, Table, Value};

/// Longest line, in bytes: nobody types more, and a compiler cannot be stopped.
const MAX_LINE_BYTES: usize = 10_000;

/// Under this name the registry holds what the console's lines see as their globals.
const CONSOLE_ENVIRONMENT: &str = "cicerone.console";

/// What the last value is called in the next line.
const LAST: &str = "_";

impl Scripts {
    /// Evaluates a line as an expression or, if it is none, as statements. Its answer is among [`Scripts::take_answers`]: at
    /// once, or when what it waits for has come.
    pub fn evaluate(&mut self, line: &str) {
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

    /// Ends the lines that wait, with the walks they set going. What they began with `start` goes on.
    pub fn call_off_lines(&mut self) {
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

    /// How many lines wait for something.
    pub fn waiting_lines(&self) -> usize {
        waiting(&self.host.schedule.borrow()).count()
    }

    /// Whether a text is the beginning of Lua that goes on in the next line: neither an expression nor statements, and what is
    /// missing is at its end.
    pub fn is_unfinished(&self, text: &str) -> bool {
        self.loading(|| compile(self.lua(), text)).is_err_and(|refused| refused.unfinished)
    }

    /// What became of the lines that were evaluated, as far as they have ended since the last call.
    pub fn take_answers(&mut self) -> Vec<Answer> {
        std::mem::take(&mut self.answers)
    }

    /// What `room.state` holds, copied. Runs no script.
    pub fn room_state(&self) -> Datum {
        let state = self.host.room_state.borrow().clone().map_or(Value::Nil, Value::Table);
        Room { values: 10_000, bytes: 1 << 20, asks: false }.copy(self.lua(), &state, 0)
    }

    /// What can be written into a line at the moment.
    pub fn names(&self) -> Names {
        let world = self.host.world();
        let environment = console_environment(self.lua()).ok();
        let variables = environment.as_ref().map(variables).unwrap_or_default();
        let state = self.host.room_state.borrow().clone();
        let mut tables: Vec<_> = state.iter().map(|state| ("room.state".to_owned(), keys(state))).collect();
        for Variable { name, .. } in &variables {
            let value = environment.as_ref().and_then(|all| all.raw_get::<Value>(name.as_str()).ok());
            let own = value.as_ref().and_then(Value::as_table).map(keys);
            tables.extend(own.map(|keys| (name.clone(), keys)));
        }
        Names {
            known: known(),
            variables,
            tables,
            characters: world.characters().iter().map(|character| character.name.clone()).collect(),
            points: world.room().points.keys().cloned().collect(),
            hotspots: world.room().hotspots.iter().map(|hotspot| hotspot.name.clone()).collect(),
            areas: world.room().areas.iter().map(|area| area.name.clone()).collect(),
        }
    }
}

/// What a line that has ended gave; the next line knows the first of it as `_`.
pub(super) fn results(lua: &Lua, values: &MultiValue) -> Vec<Datum> {
    if let (Some(first), Ok(environment)) = (values.front(), console_environment(lua)) {
        let _ = environment.raw_set(LAST, first); // there may be no memory for it
    }
    let mut room = Room { values: 10_000, bytes: 1 << 20, asks: true };
    values.iter().map(|value| room.copy(lua, value, 0)).collect()
}

/// Values as a line of the log: those of a table are written as the console does, strings that stand alone as they are.
///
/// # Errors
/// Those of the `__tostring` of a table that stands alone.
pub(super) fn line(lua: &Lua, values: &[Value], separator: &str) -> mlua::Result<Line> {
    let mut room = Room { values: LOGGED_VALUES, bytes: LOGGED_BYTES, asks: true };
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
            other => room.copy(lua, other, 0).to_string(),
        });
    }
    Ok(Line { text: words.join(separator), copied: LOGGED_VALUES - room.values })
}

/// A line of the log, and how many values in tables were copied for it.
pub(super) struct Line {
    pub(super) text: String,
    pub(super) copied: usize,
}

/// So much is copied of all tables of one line: more than is shown of them.
const LOGGED_VALUES: usize = 1000;

/// And so much of their strings.
const LOGGED_BYTES: usize = 10_000;

/// A value in words.
pub(super) fn shown(lua: &Lua, value: &Value) -> String {
    Room { values: 1000, bytes: 10_000, asks: true }.copy(lua, value, 0).to_string()
}

/// An error of a line's, in words, without a place: it was typed here.
pub(super) fn failed((file, line): (String, u32), message: &str) -> Answer {
    Answer::Failed(shortened(format!("{file}:{line}: {message}"), MAX_MESSAGE_BYTES))
}

/// The lines that wait.
fn waiting(schedule: &Schedule) -> impl Iterator<Item = TaskId> + '_ {
    let lines = schedule.tasks_of(Owner::CONSOLE);
    lines.filter(|(_, task)| task.role == Role::Line && task.branch_of.is_none()).map(|(id, _)| id)
}

/// Why a text is no Lua.
struct Refused {
    why: String,
    /// Whether more text could mend it.
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
        let text = with_our_powers(text);
        let chunk = lua.load(&*text).set_name(format!("@{CONSOLE_FILE}")).set_mode(ChunkMode::Text);
        chunk.set_environment(environment.clone()).into_function().map_err(|error| dissect(&error))
    };
    compile(&format!("return {text}")).or_else(|as_value| {
        compile(text).map_err(|as_statement| {
            // What stumbles over its own beginning was meant as a value.
            let near = as_statement.2.rsplit_once(" near '").map(|(_, token)| token.trim_end_matches('\''));
            let stumbles = near.is_some_and(|token| text.trim_start().starts_with(token));
            let (_, at, message) = if stumbles { as_value } else { as_statement };
            // Within a long string or a remark the end is quoted. A string in quotes ends with its line.
            let at_end = message.ends_with("near <eof>") || message.ends_with("near '<eof>'");
            let unfinished = at_end && !message.starts_with("unfinished string");
            let words = if unfinished { "the line is not finished: " } else { "" };
            Refused { why: format!("{CONSOLE_FILE}:{at}: {words}{message}"), unfinished }
        })
    })
}

/// The console's own globals, with the scripts' behind them. What is assigned stays until the end of the run.
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

/// The keys of a table that can be written behind a dot, the first thousand, in order.
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
                let room = || userdata.is::<RoomObject>().then_some("room");
                userdata.is::<Npc>().then_some("npc").or_else(room).or_else(area)
            };
            Variable { name, object: is(&value) }
        })
        .collect();
    all.sort_by(|one, other| one.name.cmp(&other.name));
    all
}

/// How deep tables are copied.
const MAX_DEPTH: usize = 8;

/// How much may still be copied.
struct Room {
    values: usize,
    bytes: usize,
    /// Whether tables that have words of their own are asked for them, which runs code of scripts.
    asks: bool,
}

impl Room {
    fn copy(&mut self, lua: &Lua, value: &Value, depth: usize) -> Datum {
        match value {
            Value::Nil => Datum::Nil,
            Value::Boolean(flag) => Datum::Boolean(*flag),
            Value::Integer(number) => Datum::Integer(*number),
            Value::Number(number) => Datum::Number(*number),
            Value::String(text) => {
                let text = shortened(text.to_string_lossy(), self.bytes);
                self.bytes = self.bytes.saturating_sub(text.len());
                Datum::Text(text)
            }
            Value::Table(table) => self.copy_table(lua, table, depth),
            Value::Function(function) => {
                let info = function.info();
                let file = info.source.as_deref().and_then(|source| source.strip_prefix('@'));
                let place = file.map(|file| format!(" {file}:{}", info.line_defined.unwrap_or(0)));
                Datum::Other(format!("function{}", place.unwrap_or_default()))
            }
            Value::Thread(_) => Datum::Other("coroutine".into()),
            Value::Error(error) => Datum::Other(dissect(error).2),
            // Ours all have words of their own.
            Value::UserData(ours) => {
                Datum::Other(Value::UserData(ours.clone()).to_string().unwrap_or_else(|_| "userdata".into()))
            }
            other => Datum::Other(other.type_name().into()),
        }
    }

    fn copy_table(&mut self, lua: &Lua, table: &Table, depth: usize) -> Datum {
        let hidden = table.metatable();
        let asked = hidden.as_ref().filter(|_| self.asks);
        if let Some(words) = asked.and_then(|hidden| in_its_own_words(table, hidden)) {
            return Datum::Other(shortened(words, MAX_MESSAGE_BYTES));
        }
        // What belongs to all scripts stands behind an empty table.
        let shared = hidden.filter(|hidden| hidden.raw_get::<bool>(SHARED_MARK).unwrap_or(false));
        let behind = shared.and_then(|hidden| hidden.raw_get::<Table>("__index").ok());
        let table = behind.as_ref().unwrap_or(table);
        let mut record = Record::default();
        if depth >= MAX_DEPTH {
            record.cut = !table.is_empty();
            return Datum::Table(record);
        }
        let length = table.raw_len();
        for index in 1..=length {
            if !self.take() {
                record.cut = true;
                return Datum::Table(record);
            }
            let value = table.raw_get(index).unwrap_or(Value::Nil);
            record.list.push(self.copy(lua, &value, depth + 1));
        }
        let in_list = |key: &Value| {
            key.as_integer()
                .and_then(|key| usize::try_from(key).ok())
                .is_some_and(|key| (1..=length).contains(&key))
        };
        for (key, value) in table.pairs::<Value, Value>().filter_map(Result::ok) {
            if in_list(&key) {
                continue;
            }
            if !self.take() {
                record.cut = true;
                break;
            }
            let key = self.copy(lua, &key, MAX_DEPTH);
            record.fields.push((key, self.copy(lua, &value, depth + 1)));
        }
        // Of keys that look alike, what they hold decides: their own order is that of addresses.
        let words = |value: &Datum| value.to_string();
        record.fields.sort_by(|(one, first), (other, second)| {
            one.before(other).then_with(|| words(first).cmp(&words(second)))
        });
        Datum::Table(record)
    }

    fn take(&mut self) -> bool {
        let left = self.values > 0;
        self.values = self.values.saturating_sub(1);
        left
    }
}

/// What a table's `__tostring` makes of it, if it has one that works.
fn in_its_own_words(table: &Table, metatable: &Table) -> Option<String> {
    let words = metatable.raw_get::<Option<Function>>("__tostring").ok()??;
    words.call::<mlua::LuaString>(table).ok().map(|words| words.to_string_lossy())
}
