//! One entry of the API: its name, parameters and results, with descriptions, an example that a test runs,
//! and the function behind it. Everything else about the API derives from entries: registration, argument
//! errors, the editor's stubs, the reference page, `cicerone api`, the console's completion.

use super::values::describe;
use crate::crowd::{Character, CharacterId};
use crate::script::error::fail;
use crate::script::host::Host;
use crate::script::spec::Watch;
use crate::world::{Applied, Command};
use glam::DVec2;
use mlua::{IntoLua, Lua, MultiValue, Value, Variadic};
use std::fmt;
use std::rc::Rc;

/// One name that scripts can use.
#[derive(Debug)]
pub struct Entry {
    /// The object it belongs to.
    pub object: Object,
    /// Its name.
    pub name: &'static str,
    /// Its parameters, in order.
    pub params: &'static [Param],
    /// Its results, in order; for a field, its value.
    pub returns: &'static [Return],
    /// Its names in other engines: the error for these names suggests the right one.
    pub also: &'static [&'static str],
    /// A few lines of Lua that show its use, and that a test runs.
    pub example: &'static str,
    pub(super) about: &'static str,
    pub(super) run: Implementation,
}

/// The object that an entry belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Object {
    /// None: a global.
    Global,
    /// A character.
    Npc,
    /// The room.
    Room,
    /// An area of the room.
    Area,
    /// A link of the room.
    Link,
    /// A waypath of the room.
    Waypath,
    /// The tactical level of the room.
    Tactics,
    /// The log.
    Log,
    /// The table that a character's script returns.
    Behaviour,
    /// The table that a room's script returns.
    RoomScript,
    /// None: a global in spec files only.
    Spec,
    /// An expectation of a spec.
    Expectation,
    /// A thing of the game, of the type with this name.
    Thing(&'static str),
}

/// One parameter.
#[derive(Debug)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// Its type, as LuaCATS writes it.
    pub lua_type: &'static str,
    /// Whether it may be left out.
    pub optional: bool,
    /// What a string argument names, for completion and checks: an `area`, a `link`, a `waypath`, a `character`, a `point`, a
    /// `hotspot`, an `object` (a hotspot or a point), a `place` or a `target` (any of the four), a `script`,
    /// a `room`, or nothing known.
    pub names: &'static str,
    /// What it means.
    pub about: &'static str,
}

/// One result.
#[derive(Debug)]
pub struct Return {
    /// A name for it.
    pub name: &'static str,
    /// Its type, as LuaCATS writes it.
    pub lua_type: &'static str,
    /// What it means.
    pub about: &'static str,
}

/// How an entry is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Called, and returns at once.
    Function,
    /// Called in sequences, and returns when it is over.
    Blocking,
    /// Read.
    Field,
    /// Read and set.
    Setting,
    /// Written by scripts, called by the host.
    Event,
}

/// The implementation of an entry.
pub(super) enum Implementation {
    /// Arguments of known number.
    Plain(fn(&Call<'_>, Args) -> mlua::Result<Answer>),
    /// Any number of arguments.
    Rest(fn(&Call<'_>, Variadic<Value>) -> mlua::Result<Answer>),
    /// As `Plain`, in a sequence: if it returns true, the sequence sleeps until the host wakes it with the
    /// results.
    Wait(fn(&Call<'_>, Args) -> mlua::Result<Answer>),
    Field(fn(&Call<'_>) -> mlua::Result<Value>),
    Setting(fn(&Call<'_>) -> mlua::Result<Value>, fn(&Call<'_>, Value) -> mlua::Result<()>),
    /// Written in the prelude; whether it blocks.
    Prelude(bool),
    /// Written by scripts.
    Event,
    /// A condition checked at once; it can be negated.
    Check(fn(&Call<'_>, &Value, Args) -> mlua::Result<Verdict>),
    /// An outcome that a sequence of a spec waits for.
    Watch(fn(&Call<'_>, &Value, Args) -> mlua::Result<Watch>),
    /// A condition that must hold from now on.
    Stand(fn(&Call<'_>, &Value, Args) -> mlua::Result<()>),
    /// A function of the game, which has the code; whether it waits.
    Game(bool),
    /// A value of the game.
    GameValue,
}

/// The result of a check, and the claim that was checked.
pub(super) struct Verdict {
    pub(super) holds: bool,
    /// `to be in cellar`.
    pub(super) claim: String,
    /// The actual state, if it is not as expected.
    pub(super) seen: String,
    pub(super) about: Vec<CharacterId>,
    pub(super) places: Vec<DVec2>,
}

/// The arguments of a call that are not taken yet.
#[derive(Default)]
pub(super) struct Args {
    values: [Value; MOST_ARGS],
    next: usize,
}

/// Maximum Lua values an entry takes: two positions of two numbers each, and two more.
pub(in crate::script) const MOST_ARGS: usize = 6;

/// Arguments as they come from Lua.
pub(super) type Given = (Value, Value, Value, Value, Value, Value);

impl From<Given> for Args {
    fn from((a, b, c, d, e, f): Given) -> Self {
        Self { values: [a, b, c, d, e, f], next: 0 }
    }
}

impl Args {
    pub(super) fn one(value: Value) -> Self {
        (value, Value::Nil, Value::Nil, Value::Nil, Value::Nil, Value::Nil).into()
    }

    pub(super) fn take(&mut self) -> Value {
        self.next += 1;
        self.values.get_mut(self.next - 1).map_or(Value::Nil, std::mem::take)
    }

    /// Those not taken yet.
    pub(super) fn rest(&self) -> &[Value] {
        self.values.get(self.next..).unwrap_or_default()
    }

    pub(super) fn peek(&self) -> &Value {
        self.values.get(self.next).unwrap_or(&Value::Nil)
    }
}

/// The result of a function: nearly always one value, which needs no allocation.
pub(super) enum Answer {
    One(Value),
    Many(MultiValue),
}

/// Several results.
pub(super) struct Many(pub(super) MultiValue);

/// Types that can be a function's answer.
pub(super) trait IntoAnswer {
    fn into_answer(self, lua: &Lua) -> mlua::Result<Answer>;
}

impl<T: IntoLua> IntoAnswer for T {
    fn into_answer(self, lua: &Lua) -> mlua::Result<Answer> {
        self.into_lua(lua).map(Answer::One)
    }
}

impl IntoAnswer for Many {
    fn into_answer(self, _: &Lua) -> mlua::Result<Answer> {
        Ok(Answer::Many(self.0))
    }
}

/// The context of a call or a read of an entry.
pub(super) struct Call<'a> {
    pub(super) lua: &'a Lua,
    pub(super) host: &'a Rc<Host>,
    pub(super) entry: &'static Entry,
    /// The character it is called on, if it belongs to one.
    pub(super) who: CharacterId,
    /// The name of the area, the link or the waypath it is called on, if it belongs to one.
    pub(super) named: &'a str,
}

/// Name of a last parameter that takes any number of values.
pub(crate) const REST: &str = "rest";

/// The new value of a setting, as a parameter; errors name the setting instead.
pub(super) const VALUE: &str = "the value";

/// Stands in for the character if an entry does not belong to one.
pub(super) const NOBODY: CharacterId = CharacterId(u32::MAX);

/// Fixes the type of a body's result, so that bodies need not state it.
pub(super) fn checked<T>(result: mlua::Result<T>) -> mlua::Result<T> {
    result
}

/// A name without the `_` that avoids a Rust keyword.
pub(super) const fn bare(name: &'static str) -> &'static str {
    match name.as_bytes() {
        [.., b'_'] => name.split_at(name.len() - 1).0,
        _ => name,
    }
}

impl Entry {
    /// A function of a game.
    pub(in crate::script) fn of_game(
        (object, name): (Object, &'static str),
        params: &'static [Param],
        returns: &'static [Return],
        example: &'static str,
        about: &'static str,
        waits: bool,
    ) -> Self {
        Self { object, name, params, returns, also: &[], example, about, run: Implementation::Game(waits) }
    }

    /// A value of a game.
    pub(in crate::script) fn of_game_value(
        name: &'static str,
        returns: &'static [Return],
        about: &'static str,
    ) -> Self {
        let run = Implementation::GameValue;
        Self { object: Object::Global, name, params: &[], returns, also: &[], example: name, about, run }
    }

    /// How it is used.
    pub fn kind(&self) -> Kind {
        match self.run {
            Implementation::Plain(_)
            | Implementation::Rest(_)
            | Implementation::Prelude(false)
            | Implementation::Check(_)
            | Implementation::Stand(_)
            | Implementation::Game(false) => Kind::Function,
            Implementation::Wait(_)
            | Implementation::Prelude(true)
            | Implementation::Watch(_)
            | Implementation::Game(true) => Kind::Blocking,
            Implementation::Field(_) | Implementation::GameValue => Kind::Field,
            Implementation::Setting(..) => Kind::Setting,
            Implementation::Event => Kind::Event,
        }
    }

    /// Whether it is an expectation that has an opposite, with `not_` before its name.
    pub fn can_be_negated(&self) -> bool {
        matches!(self.run, Implementation::Check(_))
    }

    /// What it does: paragraphs, separated by empty lines.
    pub fn about(&self) -> String {
        self.about.lines().map(str::trim).collect::<Vec<_>>().join("\n").trim().to_owned()
    }

    /// What it does in one sentence.
    pub fn summary(&self) -> String {
        let about = self.about();
        let paragraph = about.split("\n\n").next().unwrap_or_default().replace('\n', " ");
        paragraph.split_once(". ").map_or(paragraph.clone(), |(first, _)| format!("{first}."))
    }

    /// Its name as scripts write it: `npc:walk_to`, `npc.walk_speed`, `wait`.
    pub fn spoken(&self) -> String {
        let dot = matches!(self.kind(), Kind::Field | Kind::Setting | Kind::Event);
        match self.object {
            Object::Global | Object::Spec => self.name.to_owned(),
            Object::Log => format!("log.{}", self.name),
            object => format!("{}{}{}", object.spoken(), if dot { '.' } else { ':' }, self.name),
        }
    }

    /// Its name with parameters and results: `npc:walk_to(place, options?) -> ok, reason`.
    pub fn signature(&self) -> String {
        let mut text = self.spoken();
        if !matches!(self.kind(), Kind::Field | Kind::Setting) {
            let params = self.params.iter().map(|param| match param.optional {
                true if param.name == REST => "...".to_owned(),
                true => format!("{}?", param.name),
                false => param.name.to_owned(),
            });
            text += &format!("({})", params.collect::<Vec<_>>().join(", "));
        }
        let returns: Vec<&str> = match self.kind() {
            Kind::Field | Kind::Setting => self.returns.iter().map(|value| value.lua_type).collect(),
            _ => self.returns.iter().map(|value| value.name).collect(),
        };
        match (self.kind(), returns.is_empty()) {
            (_, true) => text,
            (Kind::Field | Kind::Setting, _) => format!("{text}: {}", returns.join(", ")),
            _ => format!("{text} -> {}", returns.join(", ")),
        }
    }
}

impl Object {
    /// The variable that stands for it in signatures and examples.
    pub fn spoken(self) -> &'static str {
        match self {
            Self::Global => "",
            Self::Npc => "npc",
            Self::Room => "room",
            Self::Area => "area",
            Self::Link => "link",
            Self::Waypath => "waypath",
            Self::Tactics => "tactics",
            Self::Log => "log",
            Self::Behaviour => "Behaviour",
            Self::RoomScript => "RoomScript",
            Self::Spec => "",
            Self::Expectation => "expect(x)",
            Self::Thing(kind) => kind,
        }
    }

    /// What it is called in sentences, with its article.
    pub(crate) fn in_words(self) -> &'static str {
        match self {
            Self::Global => "this world",
            Self::Npc => "a character",
            Self::Room => "the room",
            Self::Area => "an area",
            Self::Link => "a link",
            Self::Waypath => "a waypath",
            Self::Tactics => "the tactical level",
            Self::Log => "the log",
            Self::Behaviour => "a character's script",
            Self::RoomScript => "a room's script",
            Self::Spec => "a spec",
            Self::Expectation => "an expectation",
            Self::Thing(kind) => kind,
        }
    }
}

/// Instructions charged for a call from Lua to the host and back.
const CALL_COST: u64 = 20;

impl Call<'_> {
    /// The call, unless it needs a room and a spec has not loaded any yet.
    pub(super) fn ready(self) -> mlua::Result<Self> {
        const WITHOUT: [&str; 9] = [
            "require",
            "random",
            "describe",
            "it",
            "before_each",
            "after_each",
            "pending",
            "load_room",
            "expect",
        ];
        self.forget_arguments();
        self.host.charge(self.lua, CALL_COST)?;
        match self.host.spec() {
            Some(spec) if !spec.has_room.get() && self.entry.object != Object::Log => {
                if WITHOUT.contains(&self.entry.name) {
                    return Ok(self);
                }
                let place = if spec.running.get() { "" } else { " in it(…) or before_each(…)" };
                Err(self.fail(format!("no room is loaded yet: call load_room first{place}")))
            }
            _ => Ok(self),
        }
    }

    /// Forgets the arguments read last: an area argument means a place relative to them.
    pub(super) fn forget_arguments(&self) {
        self.host.call.walker.set(None);
        self.host.call.place_before.set(None);
    }

    /// An error at the line of the script that called.
    pub(super) fn fail(&self, message: impl fmt::Display) -> mlua::Error {
        let (name, message) = (self.entry.spoken(), message.to_string());
        match message.strip_prefix(VALUE) {
            Some(rest) => fail(self.lua, format!("{name}{rest}")),
            None => fail(self.lua, format!("{name}: {message}")),
        }
    }

    /// An error about an argument.
    pub(super) fn wrong(&self, param: &str, expected: impl fmt::Display, found: &Value) -> mlua::Error {
        self.fail(format!("{param} must be {expected}, not {}", describe(self.host, found)))
    }

    /// Reads from the character of the call.
    pub(super) fn read<R>(&self, read: impl FnOnce(&Character) -> R) -> mlua::Result<R> {
        self.host.read(self.lua, self.who, read)
    }

    /// Executes a command.
    pub(super) fn apply(&self, command: Command) -> mlua::Result<Applied> {
        self.host.apply(self.lua, command, || self.entry.spoken())
    }

    /// Executes a command; returns whether it changed anything.
    pub(super) fn change(&self, command: Command) -> mlua::Result<bool> {
        self.apply(command).map(|applied| applied == Applied::Changed(true))
    }

    /// Executes a command without a result.
    pub(super) fn order(&self, command: Command) -> mlua::Result<Value> {
        self.apply(command).map(|_| Value::Nil)
    }
}

impl fmt::Debug for Implementation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Plain(_)
            | Self::Rest(_)
            | Self::Prelude(false)
            | Self::Check(_)
            | Self::Stand(_)
            | Self::Game(false) => "function",
            Self::Wait(_) | Self::Prelude(true) | Self::Watch(_) | Self::Game(true) => "blocking function",
            Self::Field(_) | Self::GameValue => "field",
            Self::Setting(..) => "setting",
            Self::Event => "event",
        })
    }
}
