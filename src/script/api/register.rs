//! Registering entries in Lua.

use super::entry::{Answer, Call, Entry, Implementation, NOBODY, Object};
use super::entry::{Args, Given};
use super::handle::{Area, Link, Npc, Tactics, Thing, Waypath};
use super::room::RoomObject;
use super::table::{entries_of, meant};
use crate::crowd::CharacterId;
use crate::problem::did_you_mean;
use crate::script::error::{dot_for_colon, fail};
use crate::script::host::Host;
use mlua::{
    Function, Lua, MetaMethod, MultiValue, Table, UserData, UserDataFields, UserDataMethods, Value, Variadic,
};
use std::rc::Rc;

/// An object that entries belong to.
trait Owner: UserData + 'static {
    const OBJECT: Object;

    fn call<'a>(&'a self, lua: &'a Lua, entry: &'static Entry) -> Call<'a>;
}

impl Owner for Npc {
    const OBJECT: Object = Object::Npc;

    fn call<'a>(&'a self, lua: &'a Lua, entry: &'static Entry) -> Call<'a> {
        Call { lua, host: &self.host, entry, who: self.id, named: "" }
    }
}

impl Owner for RoomObject {
    const OBJECT: Object = Object::Room;

    fn call<'a>(&'a self, lua: &'a Lua, entry: &'static Entry) -> Call<'a> {
        Call { lua, host: &self.host, entry, who: NOBODY, named: "" }
    }
}

impl Owner for Area {
    const OBJECT: Object = Object::Area;

    fn call<'a>(&'a self, lua: &'a Lua, entry: &'static Entry) -> Call<'a> {
        Call { lua, host: &self.host, entry, who: NOBODY, named: &self.name }
    }
}

impl Owner for Link {
    const OBJECT: Object = Object::Link;

    fn call<'a>(&'a self, lua: &'a Lua, entry: &'static Entry) -> Call<'a> {
        Call { lua, host: &self.host, entry, who: NOBODY, named: &self.name }
    }
}

impl Owner for Waypath {
    const OBJECT: Object = Object::Waypath;

    fn call<'a>(&'a self, lua: &'a Lua, entry: &'static Entry) -> Call<'a> {
        Call { lua, host: &self.host, entry, who: NOBODY, named: &self.name }
    }
}

/// All global functions, and the tables of functions, except those that wait.
pub(super) fn globals(lua: &Lua, host: &Rc<Host>) -> mlua::Result<Table> {
    let globals = lua.create_table()?;
    for (object, table) in [(Object::Global, globals.clone()), (Object::Log, lua.create_table()?)] {
        for entry in entries_of(object) {
            if let Some(function) = function(lua, host, entry)? {
                table.raw_set(entry.name, function)?;
            }
        }
        if object != Object::Global {
            globals.raw_set(object.spoken(), table)?;
        }
    }
    Ok(globals)
}

/// The functions of `object` that start a wait. Their first argument is whether the calling code can sleep.
/// The prelude lets the sequence sleep after them.
pub(super) fn waiting(lua: &Lua, host: &Rc<Host>, object: Object) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    for entry in entries_of(object) {
        let Implementation::Wait(run) = entry.run else { continue };
        let host = host.clone();
        let function = match object {
            Object::Npc => {
                lua.create_function(move |lua, (may_sleep, this, given): (bool, Value, Given)| {
                    host.call.may_sleep.set(may_sleep);
                    let who = npc_before_colon(lua, entry, &this)?;
                    let call = Call { lua, host: &host, entry, who, named: "" };
                    run(&call.ready()?, given.into()).map(many)
                })?
            }
            _ => lua.create_function(move |lua, (may_sleep, given): (bool, Given)| {
                host.call.may_sleep.set(may_sleep);
                let call = Call { lua, host: &host, entry, who: NOBODY, named: "" };
                run(&call.ready()?, given.into()).map(many)
            })?,
        };
        table.raw_set(entry.name, function)?;
    }
    Ok(table)
}

/// A global function as Lua calls it, unless it waits or is written in the prelude.
pub(super) fn function(lua: &Lua, host: &Rc<Host>, entry: &'static Entry) -> mlua::Result<Option<Function>> {
    let host = host.clone();
    let function = match entry.run {
        Implementation::Plain(run) if gives_several(entry) => {
            lua.create_function(move |lua, given: Given| {
                run(&Call { lua, host: &host, entry, who: NOBODY, named: "" }.ready()?, given.into())
                    .map(many)
            })?
        }
        Implementation::Plain(run) if entry.returns.is_empty() => {
            lua.create_function(move |lua, given: Given| {
                run(&Call { lua, host: &host, entry, who: NOBODY, named: "" }.ready()?, given.into())
                    .map(drop)
            })?
        }
        Implementation::Plain(run) => lua.create_function(move |lua, given: Given| {
            run(&Call { lua, host: &host, entry, who: NOBODY, named: "" }.ready()?, given.into()).map(one)
        })?,
        Implementation::Rest(run) if entry.returns.is_empty() => {
            lua.create_function(move |lua, given: Variadic<Value>| {
                run(&Call { lua, host: &host, entry, who: NOBODY, named: "" }.ready()?, given).map(drop)
            })?
        }
        Implementation::Rest(run) => lua.create_function(move |lua, given: Variadic<Value>| {
            run(&Call { lua, host: &host, entry, who: NOBODY, named: "" }.ready()?, given).map(one)
        })?,
        _ => return Ok(None),
    };
    Ok(Some(function))
}

/// The fields of an object.
fn add_fields<T: Owner>(fields: &mut impl UserDataFields<T>) {
    for entry in entries_of(T::OBJECT) {
        if let Implementation::Field(get) | Implementation::Setting(get, _) = entry.run {
            fields.add_field_method_get(entry.name, move |lua, this| get(&this.call(lua, entry).ready()?));
        }
        if let Implementation::Setting(_, set) = entry.run {
            fields.add_field_method_set(entry.name, move |lua, this, value: Value| {
                set(&this.call(lua, entry).ready()?, value)
            });
        }
    }
}

/// The methods of an object, except those that wait.
fn add_methods<T: Owner>(methods: &mut impl UserDataMethods<T>) {
    for entry in entries_of(T::OBJECT) {
        match entry.run {
            // Most entries have no parameters, so nothing is read from the stack for them.
            Implementation::Plain(run) if entry.params.is_empty() && entry.returns.len() == 1 => {
                methods.add_method(entry.name, move |lua, this, ()| {
                    run(&this.call(lua, entry).ready()?, Args::default()).map(one)
                });
            }
            Implementation::Plain(run) if gives_several(entry) => {
                methods.add_method(entry.name, move |lua, this, given: Given| {
                    run(&this.call(lua, entry).ready()?, given.into()).map(many)
                });
            }
            Implementation::Plain(run) if entry.returns.is_empty() => {
                methods.add_method(entry.name, move |lua, this, given: Given| {
                    run(&this.call(lua, entry).ready()?, given.into()).map(drop)
                });
            }
            Implementation::Plain(run) => methods.add_method(entry.name, move |lua, this, given: Given| {
                run(&this.call(lua, entry).ready()?, given.into()).map(one)
            }),
            _ => {}
        }
    }
}

impl UserData for Npc {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_fields(fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_methods(methods);
        methods.add_meta_method(MetaMethod::ToString, |_, this, ()| {
            Ok(format!("npc:{}", this.host.world().name_of(this.id)))
        });
        methods.add_meta_method(MetaMethod::Index, |lua, this, name: Value| {
            // Functions that wait are written in Lua, where they can let a sequence sleep.
            let waiting = match &*this.host.lua.waiting_of_characters.borrow() {
                Some(methods) => methods.raw_get::<Value>(&name)?,
                None => Value::Nil,
            };
            if waiting.is_nil() {
                this.host.charge(lua, LOOK_COST)?;
                return Err(unknown(
                    lua,
                    &this.host,
                    Object::Npc,
                    &name,
                    "; what a script remembers belongs in self",
                ));
            }
            Ok(waiting)
        });
        methods.add_meta_method(MetaMethod::NewIndex, |lua, this, (name, _): (Value, Value)| {
            this.host.charge(lua, LOOK_COST)?;
            let remember = format!("; what a script remembers belongs in self.{}", spelt(&name));
            Err::<(), _>(cannot_set(lua, Object::Npc, &name, &remember))
        });
    }
}

impl UserData for RoomObject {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_fields(fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_methods(methods);
        methods.add_meta_method(MetaMethod::ToString, |_, this, ()| {
            Ok(format!("room:{}", this.host.world().room().name))
        });
        methods.add_meta_method(MetaMethod::Index, |lua, this, name: Value| {
            let waiting = match &*this.host.lua.waiting_of_room.borrow() {
                Some(methods) => methods.raw_get::<Value>(&name)?,
                None => Value::Nil,
            };
            if !waiting.is_nil() {
                return Ok(waiting);
            }
            this.host.charge(lua, LOOK_COST)?;
            let remember = "; what a script remembers belongs in room.state";
            Err(unknown(lua, &this.host, Object::Room, &name, remember))
        });
        methods.add_meta_method(MetaMethod::NewIndex, |lua, this, (name, _): (Value, Value)| {
            this.host.charge(lua, LOOK_COST)?;
            let remember = match &*spelt(&name) {
                "state" => "; put values into it instead, like room.state.visits = 3".to_owned(),
                name => format!("; what a script remembers belongs in room.state.{name}"),
            };
            Err::<(), _>(cannot_set(lua, Object::Room, &name, &remember))
        });
    }
}

/// Handles that are names: an area, a link, a waypath.
macro_rules! named_handle {
    ($type:ident, $prefix:literal) => {
        impl UserData for $type {
            fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
                add_fields(fields);
            }

            fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
                add_methods(methods);
                methods.add_meta_method(MetaMethod::ToString, |_, this, ()| {
                    Ok(format!(concat!($prefix, ":{}"), this.name))
                });
                methods.add_meta_method(MetaMethod::Index, |lua, this, name: Value| {
                    this.host.charge(lua, LOOK_COST)?;
                    Err::<Value, _>(unknown(lua, &this.host, Self::OBJECT, &name, ""))
                });
                methods.add_meta_method(MetaMethod::NewIndex, |lua, this, (name, _): (Value, Value)| {
                    this.host.charge(lua, LOOK_COST)?;
                    Err::<(), _>(cannot_set(lua, Self::OBJECT, &name, ""))
                });
            }
        }
    };
}

impl Owner for Tactics {
    const OBJECT: Object = Object::Tactics;

    fn call<'a>(&'a self, lua: &'a Lua, entry: &'static Entry) -> Call<'a> {
        Call { lua, host: &self.host, entry, who: NOBODY, named: "" }
    }
}

impl UserData for Tactics {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        add_fields(fields);
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        add_methods(methods);
        methods.add_meta_method(MetaMethod::ToString, |_, this, ()| {
            Ok(format!("tactics:{}", this.host.world().room().name))
        });
        methods.add_meta_method(MetaMethod::Index, |lua, this, name: Value| {
            let waiting = match &*this.host.lua.waiting_of_tactics.borrow() {
                Some(methods) => methods.raw_get::<Value>(&name)?,
                None => Value::Nil,
            };
            if !waiting.is_nil() {
                return Ok(waiting);
            }
            this.host.charge(lua, LOOK_COST)?;
            Err(unknown(lua, &this.host, Object::Tactics, &name, ""))
        });
        methods.add_meta_method(MetaMethod::NewIndex, |lua, this, (name, _): (Value, Value)| {
            this.host.charge(lua, LOOK_COST)?;
            Err::<(), _>(cannot_set(lua, Object::Tactics, &name, ""))
        });
    }
}

impl UserData for Thing {
    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_meta_method(MetaMethod::ToString, |_, this, ()| Ok(format!("{}:{}", this.kind, this.id)));
        methods.add_meta_method(MetaMethod::Index, |lua, this, name: Value| {
            let found = match this.host.game.methods.borrow().get(this.kind) {
                Some(methods) => methods.raw_get::<Value>(&name)?,
                None => Value::Nil,
            };
            if !found.is_nil() {
                return Ok(found);
            }
            this.host.charge(lua, LOOK_COST)?;
            Err(unknown(lua, &this.host, Object::Thing(this.kind), &name, "; it belongs to the game"))
        });
        methods.add_meta_method(MetaMethod::NewIndex, |lua, this, (name, _): (Value, Value)| {
            this.host.charge(lua, LOOK_COST)?;
            Err::<(), _>(cannot_set(lua, Object::Thing(this.kind), &name, "; it belongs to the game"))
        });
    }
}

named_handle!(Area, "area");
named_handle!(Link, "link");
named_handle!(Waypath, "waypath");

/// Instructions charged for a search for the name that was meant.
const LOOK_COST: u64 = 2500;

fn unknown(lua: &Lua, host: &Host, object: Object, name: &Value, otherwise: &str) -> mlua::Error {
    let name = spelt(name);
    let of_room = |name: &str| object == Object::Room && host.world().character_named(name).is_some();
    let everywhere = entries_of(Object::Global).find(|entry| entry.name == name);
    let expected = name.strip_prefix("not_").unwrap_or(&name);
    let is_expected =
        host.spec().is_some() && entries_of(Object::Expectation).any(|entry| entry.name == expected);
    let of_game = || {
        let ours = host.game.entries.iter().copied().filter(|entry| entry.object == object);
        let near = did_you_mean(&name, ours.clone().map(|entry| entry.name))?;
        ours.clone().find(|entry| entry.name == near)
    };
    let hint = match meant(object, &name).or_else(of_game) {
        _ if is_expected => Some(format!("; what is expected stands behind expect(…): expect(…):{name}(…)")),
        _ if of_room(&name) => Some(format!("; room:npc(\"{name}\") gives the character")),
        None => everywhere.map(|entry| format!("; {} is a function of its own", usage(entry))),
        Some(entry) => Some(format!("; did you mean {}?", usage(entry))),
    };
    fail(lua, format!("{} has no '{name}'{}", object.in_words(), hint.as_deref().unwrap_or(otherwise)))
}

fn cannot_set(lua: &Lua, object: Object, name: &Value, otherwise: &str) -> mlua::Error {
    let name = spelt(name);
    let known = entries_of(object).find(|entry| entry.name == name);
    let settable = |entry: &&Entry| matches!(entry.run, Implementation::Setting(..));
    if let Some(entry) = known {
        let otherwise = match entry.name {
            "x" | "z" => "; npc:teleport(…) moves at once, npc:set_target(…) walks",
            "saying" => "; npc:say(…) says something",
            "on_arrived" => "; hand it over: npc:on_arrived(fn)",
            "state" => otherwise,
            _ => "",
        };
        return fail(lua, format!("{} cannot be set{}", usage(entry), otherwise));
    }
    let hint = meant(object, &name).filter(settable).map(|entry| format!("; did you mean {}?", usage(entry)));
    fail(lua, format!("{} has no '{name}' to set{}", object.in_words(), hint.as_deref().unwrap_or(otherwise)))
}

/// An entry as written in a script: `npc:pos()`, `npc.walk_speed`.
fn usage(entry: &Entry) -> String {
    match entry.run {
        Implementation::Field(_) | Implementation::Setting(..) => entry.spoken(),
        _ if entry.params.is_empty() => format!("{}()", entry.spoken()),
        _ => format!("{}(…)", entry.spoken()),
    }
}

fn spelt(name: &Value) -> String {
    name.to_string().unwrap_or_else(|_| name.type_name().to_owned())
}

/// The character a method was called on; `NOBODY` if it was called with a dot.
pub(super) fn npc_before_colon(lua: &Lua, entry: &Entry, this: &Value) -> mlua::Result<CharacterId> {
    let id = this.as_userdata().and_then(|userdata| userdata.borrow::<Npc>().ok().map(|npc| npc.id));
    id.ok_or_else(|| fail(lua, dot_for_colon(&entry.spoken())))
}

/// Fails if a method of the room was not called on it.
pub(super) fn room_before_colon(lua: &Lua, entry: &Entry, this: &Value) -> mlua::Result<()> {
    let is_room = this.as_userdata().is_some_and(|userdata| userdata.is::<RoomObject>());
    if is_room { Ok(()) } else { Err(fail(lua, dot_for_colon(&entry.spoken()))) }
}

fn gives_several(entry: &Entry) -> bool {
    entry.returns.len() > 1
}

fn one(answer: Answer) -> Value {
    match answer {
        Answer::One(value) => value,
        Answer::Many(mut values) => values.pop_front().unwrap_or(Value::Nil),
    }
}

fn many(answer: Answer) -> MultiValue {
    match answer {
        Answer::One(value) => MultiValue::from_iter([value]),
        Answer::Many(values) => values,
    }
}
