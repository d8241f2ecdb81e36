//! Function arguments: each type reads itself from the arguments, and an error names the parameter. Nothing
//! is converted silently: "yes" is not a boolean, 3 is not a name.

use super::entry::{Args, Call};
use super::handle::Npc;
use super::place::place_of_value;
use super::shapes::{TableShape, renamed};
use super::values::{MOST_SHOWN, describe, number};
use crate::crowd::CharacterId;
use crate::nav::{ClassId, Place, Query};
use crate::problem::did_you_mean;
use crate::room::{Avoidance, Hotspot, Patience};
use crate::script::error::shortened;
use crate::world::MAX_OF_ONE_KIND;
use mlua::{Either, Function, IntoLua, Table, Value};

/// A type of parameter.
pub(super) trait Argument: Sized {
    /// Its name in LuaCATS.
    const LUA: &'static str;
    /// Whether it may be left out.
    const OPTIONAL: bool = false;
    /// What a string argument names; see [`super::Param::names`].
    const NAMES: &'static str = "";

    fn take(call: &Call<'_>, args: &mut Args, param: &str) -> mlua::Result<Self>;
}

/// Left out, or nil.
impl<T: Argument> Argument for Option<T> {
    const LUA: &'static str = T::LUA;
    const OPTIONAL: bool = true;
    const NAMES: &'static str = T::NAMES;

    fn take(call: &Call<'_>, args: &mut Args, param: &str) -> mlua::Result<Self> {
        if args.peek().is_nil() {
            args.take();
            return Ok(None);
        }
        T::take(call, args, param).map(Some)
    }
}

/// Longest accepted string; the longest speech may be as long.
const MAX_TEXT_BYTES: usize = 10_000;

impl Argument for String {
    const LUA: &'static str = "string";

    fn take(call: &Call<'_>, args: &mut Args, param: &str) -> mlua::Result<Self> {
        match args.take() {
            Value::String(text) if text.as_bytes().len() > MAX_TEXT_BYTES => {
                Err(call.fail(format!("{param} must be a string of {MAX_TEXT_BYTES} bytes at most")))
            }
            Value::String(text) => Ok(text.to_string_lossy()),
            other => Err(call.wrong(param, "a string", &other)),
        }
    }
}

/// Strings that name something.
macro_rules! name_of {
    ($type:ident, $names:literal) => {
        pub(super) struct $type(pub(super) String);

        impl Argument for $type {
            const LUA: &'static str = "string";
            const NAMES: &'static str = $names;

            fn take(call: &Call<'_>, args: &mut Args, param: &str) -> mlua::Result<Self> {
                String::take(call, args, param).map(Self)
            }
        }
    };
}
name_of!(AreaName, "area");
name_of!(LinkName, "link");
name_of!(HotspotName, "hotspot");
name_of!(WaypathName, "waypath");
name_of!(NpcName, "character");
name_of!(ObjectName, "object");
name_of!(PlaceName, "place");
name_of!(RoomName, "room");

/// A character, its name, or another value that stands for characters.
pub(super) struct Company(pub(super) Value);

impl Argument for Company {
    const LUA: &'static str = "Npc|string";
    const NAMES: &'static str = "character";

    fn take(_: &Call<'_>, args: &mut Args, _: &str) -> mlua::Result<Self> {
        Ok(Self(args.take()))
    }
}

impl Argument for bool {
    const LUA: &'static str = "boolean";

    fn take(call: &Call<'_>, args: &mut Args, param: &str) -> mlua::Result<Self> {
        match args.take() {
            Value::Boolean(flag) => Ok(flag),
            other => Err(call.wrong(param, "true or false", &other)),
        }
    }
}

impl Argument for f64 {
    const LUA: &'static str = "number";

    fn take(call: &Call<'_>, args: &mut Args, param: &str) -> mlua::Result<Self> {
        let value = args.take();
        number(&value).ok_or_else(|| call.wrong(param, "a number", &value))
    }
}

impl Argument for i64 {
    const LUA: &'static str = "integer";

    fn take(call: &Call<'_>, args: &mut Args, param: &str) -> mlua::Result<Self> {
        match args.take() {
            Value::Integer(number) => Ok(number),
            // 3.0 counts as an integer.
            Value::Number(number) if number.fract() == 0.0 && number.abs() < 9e15 => Ok(number as i64),
            other => Err(call.wrong(param, "a whole number", &other)),
        }
    }
}

impl Argument for i32 {
    const LUA: &'static str = i64::LUA;

    fn take(call: &Call<'_>, args: &mut Args, param: &str) -> mlua::Result<Self> {
        let number = i64::take(call, args, param)?;
        Self::try_from(number).map_err(|_| call.fail(format!("{param} is too large: {number}")))
    }
}

/// A trait of a character as a value of Lua.
pub(super) trait InLua {
    /// The type of the value.
    type Lua: IntoLua;

    /// The value.
    fn in_lua(self) -> Self::Lua;
}

macro_rules! as_it_is {
    ($($type:ty),*) => {$(
        impl InLua for $type {
            type Lua = Self;

            fn in_lua(self) -> Self {
                self
            }
        }
    )*};
}
as_it_is!(bool, i32, f64, Vec<String>);

impl InLua for Avoidance {
    type Lua = &'static str;

    fn in_lua(self) -> Self::Lua {
        self.as_str()
    }
}

impl InLua for Patience {
    type Lua = Either<f64, &'static str>;

    fn in_lua(self) -> Self::Lua {
        match self {
            Self::Seconds(seconds) => Either::Left(seconds),
            Self::Never => Either::Right("never"),
        }
    }
}

impl<T: InLua> InLua for Option<T> {
    type Lua = Option<T::Lua>;

    fn in_lua(self) -> Self::Lua {
        self.map(T::in_lua)
    }
}

impl Argument for Avoidance {
    const LUA: &'static str = "\"steer\"|\"push\"";

    fn take(call: &Call<'_>, args: &mut Args, param: &str) -> mlua::Result<Self> {
        let name = String::take(call, args, param)?;
        let known = [Self::Steer, Self::Push];
        known
            .into_iter()
            .find(|avoidance| avoidance.as_str() == name)
            .ok_or_else(|| call.fail(format!("{param} must be \"steer\" or \"push\", not \"{name}\"")))
    }
}

impl Argument for Patience {
    const LUA: &'static str = "number|\"never\"";

    fn take(call: &Call<'_>, args: &mut Args, param: &str) -> mlua::Result<Self> {
        let value = Value::take(call, args, param)?;
        if matches!(&value, Value::String(word) if word.as_bytes() == b"never") {
            return Ok(Self::Never);
        }
        let good = number(&value).filter(|seconds| (0.0..=3600.0).contains(seconds));
        good.map(Self::Seconds).ok_or_else(|| {
            call.fail(format!(
                "{param} must be \"never\" or seconds from 0 to 3600, not {}",
                describe(call.host, &value)
            ))
        })
    }
}

/// A count, from 1.
pub(super) struct Count(pub(super) u32);

impl Argument for Count {
    const LUA: &'static str = "integer";

    fn take(call: &Call<'_>, args: &mut Args, param: &str) -> mlua::Result<Self> {
        let number = i64::take(call, args, param)?;
        let most = MAX_OF_ONE_KIND;
        let good = u32::try_from(number).ok().filter(|number| (1..=most).contains(number));
        good.map(Self).ok_or_else(|| {
            call.fail(format!("{param} must be a whole number from 1 to {most}, not {number}"))
        })
    }
}

/// A time.
pub(super) struct Seconds(pub(super) f64);

/// Longest time a script may wait or set a timer for: a year, far from any overflow of ticks.
const MAX_SECONDS: f64 = 365.0 * 86400.0;

impl Argument for Seconds {
    const LUA: &'static str = "number";

    fn take(call: &Call<'_>, args: &mut Args, param: &str) -> mlua::Result<Self> {
        let seconds = f64::take(call, args, param)?;
        if (0.0..=MAX_SECONDS).contains(&seconds) {
            return Ok(Self(seconds));
        }
        Err(call.fail(format!("{param} must be zero or more and at most a year, not {seconds}")))
    }
}

impl Argument for Function {
    const LUA: &'static str = "function";

    fn take(call: &Call<'_>, args: &mut Args, param: &str) -> mlua::Result<Self> {
        match args.take() {
            Value::Function(function) => Ok(function),
            other => {
                let hint = "; write the function's name without (), or function() … end";
                let found = describe(call.host, &other);
                Err(call.fail(format!("{param} must be a function, not {found}{hint}")))
            }
        }
    }
}

/// Upper limit on the functions in a list.
const MAX_FUNCTIONS: usize = 1000;

impl Argument for Vec<Function> {
    const LUA: &'static str = "function[]";

    fn take(call: &Call<'_>, args: &mut Args, param: &str) -> mlua::Result<Self> {
        match args.take() {
            Value::Table(table) => {
                let values = list_of(call, &table, param, MAX_FUNCTIONS)?.into_iter();
                let function = |(at, value)| {
                    Function::take(call, &mut Args::one(value), &format!("{param}[{}]", at + 1))
                };
                values.enumerate().map(function).collect()
            }
            other => {
                let found = describe(call.host, &other);
                let like = "like {function() … end, function() … end}";
                Err(call.fail(format!("{param} must be a list of functions {like}, not {found}")))
            }
        }
    }
}

impl Argument for Value {
    const LUA: &'static str = "any";

    fn take(_: &Call<'_>, args: &mut Args, _: &str) -> mlua::Result<Self> {
        Ok(args.take())
    }
}

/// A character; some functions also take its name.
impl Argument for CharacterId {
    const LUA: &'static str = "Npc";

    fn take(call: &Call<'_>, args: &mut Args, param: &str) -> mlua::Result<Self> {
        let value = args.take();
        let id = value.as_userdata().and_then(|userdata| userdata.borrow::<Npc>().ok().map(|npc| npc.id));
        call.host.call.walker.set(id);
        id.ok_or_else(|| {
            let found = describe(call.host, &value);
            call.fail(format!("{param} must be a character, not {found}; room:npc(\"NAME\") gives one"))
        })
    }
}

impl Argument for Place {
    const LUA: &'static str = "Place";
    const NAMES: &'static str = "place";

    fn take(call: &Call<'_>, args: &mut Args, param: &str) -> mlua::Result<Self> {
        let first = args.take();
        let second = if number(&first).is_some() { args.take() } else { Value::Nil };
        let place = place_of_value(call, &first, &second, param)?;
        call.host.call.place_before.set(Some(place));
        Ok(place)
    }
}

/// Where a path begins. A character is also the walker: its tags count.
#[derive(Clone, Copy)]
pub(super) struct Start {
    pub(super) place: Place,
    pub(super) walker: Option<CharacterId>,
}

impl Argument for Start {
    const LUA: &'static str = Place::LUA;
    const NAMES: &'static str = Place::NAMES;

    fn take(call: &Call<'_>, args: &mut Args, param: &str) -> mlua::Result<Self> {
        let first = args.peek().as_userdata().and_then(|userdata| userdata.borrow::<Npc>().ok());
        let walker = first.map(|npc| npc.id);
        Ok(Self { place: Place::take(call, args, param)?, walker })
    }
}

impl Start {
    /// The class of the walker; that of the room's own for a mere place.
    pub(super) fn class(&self, call: &Call<'_>) -> ClassId {
        self.walker.map_or_else(ClassId::default, |walker| call.host.world().class_of(walker))
    }

    /// The query from there to a place.
    pub(super) fn query(self, call: &Call<'_>, to: Place) -> Query {
        let world = call.host.world();
        let of_walker = self.walker.and_then(|walker| world.query_of(walker, to));
        of_walker.unwrap_or_else(|| world.plain_query(self.place, to))
    }
}

/// A place to click on; a hotspot's name means a place on the hotspot.
pub(super) struct Pointed(pub(super) Place);

impl Argument for Pointed {
    const LUA: &'static str = Place::LUA;
    const NAMES: &'static str = "target";

    fn take(call: &Call<'_>, args: &mut Args, param: &str) -> mlua::Result<Self> {
        let spot = match args.peek() {
            Value::String(name) => {
                let world = call.host.world();
                // The player is the character that goes to the clicked place.
                let player = world.characters().iter().find(|character| character.player);
                call.host.call.walker.set(player.map(|player| player.id));
                world.hotspot_named(&name.to_string_lossy()).map(Hotspot::place_to_click)
            }
            _ => None,
        };
        match spot {
            Some(spot) => {
                args.take();
                Ok(Self(spot))
            }
            None => Place::take(call, args, param).map(Self),
        }
    }
}

/// Longest accepted list.
const MAX_TEXTS: usize = 1000;

/// A list of strings.
impl Argument for Vec<String> {
    const LUA: &'static str = "string[]";

    fn take(call: &Call<'_>, args: &mut Args, param: &str) -> mlua::Result<Self> {
        match args.take() {
            Value::Table(table) => {
                let values = list_of(call, &table, param, MAX_TEXTS)?.into_iter();
                let text =
                    |(at, value)| String::take(call, &mut Args::one(value), &format!("{param}[{}]", at + 1));
                values.enumerate().map(text).collect()
            }
            other => Err(call.wrong(param, "a list of strings like {\"a\", \"b\"}", &other)),
        }
    }
}

/// The values of a list up to its last one, holes included: Lua's own length may end at any hole.
pub(super) fn list_of(call: &Call<'_>, table: &Table, param: &str, most: usize) -> mlua::Result<Vec<Value>> {
    call.host.charge_for_table(call.lua, table)?;
    let mut values = Vec::new();
    for pair in table.pairs::<Value, Value>() {
        let (key, value) = pair?;
        let at = key.as_integer().and_then(|key| usize::try_from(key).ok()).filter(|&key| key > 0);
        let Some(at) = at else {
            let key = describe(call.host, &key);
            return Err(call.fail(format!("{param} must be a list; it has {key} for a key")));
        };
        if at > most {
            return Err(call.fail(format!("{param} must be a list of {most} at most")));
        }
        if values.len() < at {
            values.resize(at, Value::Nil);
        }
        values[at - 1] = value;
    }
    Ok(values)
}

/// A table with known keys.
pub(super) struct Options {
    table: Table,
}

impl Options {
    /// Reads a table whose keys are those of a shape.
    pub(super) fn of(
        call: &Call<'_>,
        value: Value,
        shape: &'static TableShape,
        param: &str,
    ) -> mlua::Result<Self> {
        let Value::Table(table) = value else {
            let hint = match number(&value) {
                Some(_) if matches!(shape.name, "WalkOptions" | "WalkToOptions") => {
                    "; positions are x and z, without the height"
                }
                _ => "",
            };
            let (found, like) = (describe(call.host, &value), shape.like);
            return Err(call.fail(format!("{param} must be a table like {like}, not {found}{hint}")));
        };
        call.host.charge_for_table(call.lua, &table)?;
        for pair in table.pairs::<Value, Value>() {
            let key = pair?.0;
            let name = match &key {
                Value::String(name) => name.to_string_lossy(),
                other => describe(call.host, other),
            };
            if shape.field(&name).is_none() {
                let name = shortened(name, MOST_SHOWN);
                let names = shape.fields.iter().map(|field| field.name);
                let hint = match renamed(&name).or_else(|| did_you_mean(&name, names.clone())) {
                    Some(meant) => format!("did you mean '{meant}'?"),
                    None => format!("there is {}", names.collect::<Vec<_>>().join(", ")),
                };
                return Err(call.fail(format!("{param} has no key '{name}'; {hint}")));
            }
        }
        Ok(Self { table })
    }

    /// The value under a key.
    pub(super) fn get<T: Argument>(&self, call: &Call<'_>, name: &str) -> mlua::Result<T> {
        let value: Value = self.table.raw_get(name)?;
        T::take(call, &mut Args::one(value), name)
    }
}
