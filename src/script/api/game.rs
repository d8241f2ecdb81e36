//! The game's own functions in Lua: arguments, calls, results.

use super::args::Argument;
use super::entry::{Args, Call, Given, NOBODY, Object};
use super::handle::{Npc, Thing, handle, thing_handle};
use super::place::place_table;
use super::register::npc_before_colon;
use super::sequences::sleep;
use super::values::describe;
use crate::crowd::CharacterId;
use crate::nav::Place;
use crate::problem::reason_of_panic;
use crate::script::error::{dot_for_colon, fail};
use crate::script::game::{
    Called, CalledFrom, Code, GameAnswer, GameCall, GameError, GameType, GameValue, Pending, Registered,
    Slot, in_words,
};
use crate::script::host::{Host, Note};
use crate::script::task::Wait;
use crate::world::{Applied, Command, CommandError, World};
use mlua::{IntoLua, Lua, MultiValue, Table, Value};
use std::cell::RefMut;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;

/// The registry's table of stubs: what specs put in the place of functions of the game, by name.
pub(in crate::script) const STUBS: &str = "stubs of the game's functions";

/// The registry's table of the functions that scripts see, with their names.
pub(in crate::script) const NAMES: &str = "names of the game's functions";

/// The primitives for the functions of the game, by name. Their first argument is whether the calling code can sleep, or
/// a string: then the call is checked and noted, and a stub answers it.
pub(super) fn functions(lua: &Lua, host: &Rc<Host>) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    for function in &host.game.functions {
        let entry = function.shape.entry;
        let (host, function) = (host.clone(), function.clone());
        let begin = match entry.object {
            Object::Npc => lua.create_function(move |lua, (how, this, given): (Value, Value, Given)| {
                let who = npc_before_colon(lua, entry, &this)?;
                begin(&Call { lua, host: &host, entry, who, named: "" }, &function, &how, None, given)
            })?,
            Object::Thing(kind) => {
                lua.create_function(move |lua, (how, this, given): (Value, Value, Given)| {
                    let id = this.as_userdata().and_then(|this| this.borrow::<Thing>().ok()?.id_of(kind));
                    let id = id.ok_or_else(|| fail(lua, dot_for_colon(&entry.spoken())))?;
                    let call = Call { lua, host: &host, entry, who: NOBODY, named: "" };
                    begin(&call, &function, &how, Some(id), given)
                })?
            }
            _ => lua.create_function(move |lua, (how, given): (Value, Given)| {
                let call = Call { lua, host: &host, entry, who: NOBODY, named: "" };
                begin(&call, &function, &how, None, given)
            })?,
        };
        table.raw_set(entry.spoken(), begin)?;
    }
    Ok(table)
}

/// Calls the game. Returns whether the sequence sleeps now, then the results.
fn begin(
    call: &Call<'_>,
    function: &Rc<Registered>,
    how: &Value,
    thing: Option<u64>,
    given: Given,
) -> mlua::Result<MultiValue> {
    let is_stubbed = how.is_string();
    call.host.call.may_sleep.set(*how == Value::Boolean(true));
    let call = Call { ..*call }.ready()?;
    let mut args: Args = given.into();
    let as_given = call.host.spec().map(|_| args.rest().to_vec());
    let slots = function.shape.params.iter().zip(call.entry.params);
    let taken = slots.map(|(slot, param)| take(&call, &mut args, *slot, param.name));
    let arguments = taken.collect::<mlua::Result<Vec<_>>>()?;
    as_given.map_or(Ok(()), |values| note_for_spec(&call, &values))?;
    let who = (call.who != NOBODY).then_some(call.who);
    let (text, tick) = {
        let world = call.host.world();
        let owner = match (who, thing, call.entry.object) {
            (Some(who), ..) => format!("{}:", world.name_of(who)),
            (_, Some(id), Object::Thing(kind)) => format!("{kind}:{id}:"),
            _ => String::new(),
        };
        let name = format!("{owner}{}", call.entry.name);
        (in_words(&world, &name, &arguments), world.tick_number())
    };
    let waits = function.waits && !is_stubbed;
    if waits {
        sleep(&call, Wait::Outside)?; // the first, as it fails where nothing can wait
    }
    call.apply(Command::CallGame { who, call: text.clone() })
        .inspect_err(|_| call.host.call.wait.set(None))?;
    let (id, name) = (call.host.game.next_call(), function.shape.name);
    let called = Called { id, function: name, who, thing, arguments, waits, tick, text };
    if is_stubbed {
        call.host.note(Note::Called(called));
        return Ok(MultiValue::new());
    }
    if let Some(body) = &function.body {
        let answer = run(&call, called, body)?;
        return answered(&call, function, &answer.0);
    }
    call.host.note(Note::Called(called));
    if !waits {
        let returns = &function.stand_in.returns;
        return results(call.lua, call.host, returns).map(with_false);
    }
    let running = call.host.call.running.get();
    if let Some(task) = running.task {
        let stands_in = function.is_stand_in && !call.host.game.is_played.get();
        let stand_in = stands_in.then(|| {
            let ticks = call.host.world().ticks_of(function.stand_in.seconds);
            (tick + ticks, function.stand_in.returns.clone())
        });
        let pending = Pending { waiter: (running.owner, task), function: function.clone(), stand_in };
        call.host.game.pending.borrow_mut().insert(id, pending);
    }
    Ok(MultiValue::from_iter([Value::Boolean(true)]))
}

/// Runs the game's code. An error and a panic in it become errors of the script.
fn run(call: &Call<'_>, called: Called, code: &Arc<Code>) -> mlua::Result<GameAnswer> {
    let answer = code.with(|code| {
        let mut room = Room { host: call.host, world: call.host.world_to_lend() };
        let mut scope = GameCall { called: &called, room: &mut room };
        catch_unwind(AssertUnwindSafe(|| code(&mut scope)))
    });
    match answer {
        Ok(Ok(answer)) => answer.map_err(|error: GameError| call.fail(error)),
        Ok(Err(panic)) => {
            let why = reason_of_panic(&*panic);
            Err(call.fail(format!("the game's code for it failed: {why}")))
        }
        Err(why) => Err(call.fail(why)),
    }
}

/// The results of the game's code, if they are as declared.
fn answered(call: &Call<'_>, function: &Registered, given: &[GameValue]) -> mlua::Result<MultiValue> {
    wrong_results(function, given).map_or(Ok(()), |why| Err(call.fail(why)))?;
    results(call.lua, call.host, given).map(with_false)
}

fn with_false(mut values: MultiValue) -> MultiValue {
    values.push_front(Value::Boolean(false));
    values
}

/// Why results are not as declared, if so.
pub(in crate::script) fn wrong_results(function: &Registered, given: &[GameValue]) -> Option<String> {
    let (slots, returns) = (&function.shape.results, function.shape.entry.returns);
    if given.len() > slots.len() {
        let s = if given.len() == 1 { "" } else { "s" };
        let (given, declared) = (given.len(), slots.len());
        return Some(format!(
            "the game returned {given} value{s}, and its signature has {declared}: declare them after ->"
        ));
    }
    let nil = GameValue::Nil;
    let mut all = slots.iter().zip(returns).enumerate();
    all.find_map(|(index, (slot, declared))| {
        let value = given.get(index).unwrap_or(&nil);
        let (name, of) = (declared.name, declared.lua_type);
        (!slot.takes(value)).then(|| format!("the game returned {} for {name}: {of}", value.in_words()))
    })
}

/// Values of the game, in Lua.
pub(in crate::script) fn results(
    lua: &Lua,
    host: &Rc<Host>,
    values: &[GameValue],
) -> mlua::Result<MultiValue> {
    values.iter().map(|value| to_lua(lua, host, value)).collect()
}

/// A value of the game, in Lua.
pub(super) fn to_lua(lua: &Lua, host: &Rc<Host>, value: &GameValue) -> mlua::Result<Value> {
    match value {
        GameValue::Nil => Ok(Value::Nil),
        GameValue::Boolean(flag) => Ok(Value::Boolean(*flag)),
        GameValue::Integer(number) => Ok(Value::Integer(*number)),
        GameValue::Number(number) => Ok(Value::Number(*number)),
        GameValue::Text(text) => lua.create_string(text).map(Value::String),
        GameValue::Character(id) => {
            let world = host.world();
            if world.character(*id).is_none() && world.departed(*id).is_none() {
                return Err(fail(
                    lua,
                    format!("the game gives character {}, which the room does not know", id.0),
                ));
            }
            drop(world);
            handle(lua, host, *id)?.into_lua(lua)
        }
        GameValue::Place(place) => place_table(lua, *place)?.into_lua(lua),
        GameValue::List(values) => {
            let values =
                values.iter().map(|value| to_lua(lua, host, value)).collect::<mlua::Result<Vec<_>>>()?;
            lua.create_sequence_from(values)?.into_lua(lua)
        }
        GameValue::Fields(fields) => {
            let table = lua.create_table_with_capacity(0, fields.len())?;
            for (name, value) in fields {
                table.raw_set(name.as_str(), to_lua(lua, host, value)?)?;
            }
            table.into_lua(lua)
        }
        GameValue::Thing { kind, id } => thing_handle(lua, host, kind, *id)?.into_lua(lua),
    }
}

/// The next argument.
fn take(call: &Call<'_>, args: &mut Args, slot: Slot, param: &str) -> mlua::Result<GameValue> {
    if args.peek().is_nil() && (slot.optional || slot.of == GameType::Any) {
        args.take();
        return Ok(GameValue::Nil);
    }
    Ok(match slot.of {
        GameType::Text => GameValue::Text(String::take(call, args, param)?),
        GameType::Number => GameValue::Number(f64::take(call, args, param)?),
        GameType::Integer => GameValue::Integer(i64::take(call, args, param)?),
        GameType::Boolean => GameValue::Boolean(bool::take(call, args, param)?),
        GameType::Npc => GameValue::Character(CharacterId::take(call, args, param)?),
        GameType::Place => GameValue::Place(Place::take(call, args, param)?),
        GameType::Texts => GameValue::List(
            Vec::<String>::take(call, args, param)?.into_iter().map(GameValue::Text).collect(),
        ),
        GameType::Any => from_lua(call, &args.take(), param)?,
        GameType::Thing(kind) => {
            let value = args.take();
            let id = value.as_userdata().and_then(|value| value.borrow::<Thing>().ok()?.id_of(kind));
            let id = id.ok_or_else(|| {
                let found = describe(call.host, &value);
                call.fail(format!("{param} must be of the game's type {kind}, not {found}"))
            })?;
            GameValue::Thing { kind, id }
        }
    })
}

/// The most values in tables that are given to the game at once, and how deep they lie.
const MOST_VALUES: usize = 10_000;
const DEEPEST: usize = 20;

/// Any Lua value, for the game.
pub(super) fn from_lua(call: &Call<'_>, value: &Value, param: &str) -> mlua::Result<GameValue> {
    copied(call, value, param, 0, &mut MOST_VALUES.clone())
}

fn copied(
    call: &Call<'_>,
    value: &Value,
    param: &str,
    depth: usize,
    left: &mut usize,
) -> mlua::Result<GameValue> {
    let too_much = || call.fail(format!("{param} is a table too large or too deep for the game"));
    *left = left.checked_sub(1).filter(|_| depth < DEEPEST).ok_or_else(too_much)?;
    let not_for_games = || {
        let found = describe(call.host, value);
        call.fail(format!("{param} must be something that a game can take, not {found}"))
    };
    match value {
        Value::Nil => Ok(GameValue::Nil),
        Value::Boolean(flag) => Ok(GameValue::Boolean(*flag)),
        Value::Integer(number) => Ok(GameValue::Integer(*number)),
        Value::Number(number) => Ok(GameValue::Number(*number)),
        Value::String(text) => Ok(GameValue::Text(text.to_string_lossy())),
        Value::UserData(userdata) => {
            if let Ok(npc) = userdata.borrow::<Npc>() {
                return Ok(GameValue::Character(npc.id));
            }
            match userdata.borrow::<Thing>() {
                Ok(thing) => Ok(GameValue::Thing { kind: thing.kind, id: thing.id }),
                Err(_) => Err(not_for_games()),
            }
        }
        Value::Table(table) => {
            call.host.charge_for_table(call.lua, table)?;
            let (mut list, mut fields) = (Vec::new(), Vec::new());
            for pair in table.pairs::<Value, Value>() {
                let (key, value) = pair?;
                let value = copied(call, &value, param, depth + 1, left)?;
                match key {
                    Value::String(name) => fields.push((name.to_string_lossy(), value)),
                    Value::Integer(index) => list.push((index, value)),
                    other => {
                        let found = describe(call.host, &other);
                        return Err(
                            call.fail(format!("{param} has {found} for a key, which a game cannot take"))
                        );
                    }
                }
            }
            list.sort_by_key(|(index, _)| *index);
            fields.sort_by(|(a, _), (b, _)| a.cmp(b));
            let is_list = list.iter().zip(1..).all(|((index, _), expected)| *index == expected);
            if !is_list || !list.is_empty() && !fields.is_empty() {
                return Err(call
                    .fail(format!("{param} must be a list without holes, or a table with names for keys")));
            }
            Ok(match fields.is_empty() {
                true => GameValue::List(list.into_iter().map(|(_, value)| value).collect()),
                false => GameValue::Fields(fields),
            })
        }
        _ => Err(not_for_games()),
    }
}

/// Notes a call for the expectations of a spec, with its arguments as they were given.
fn note_for_spec(call: &Call<'_>, values: &[Value]) -> mlua::Result<()> {
    let Some(spec) = call.host.spec() else { return Ok(()) };
    let last = values.iter().rposition(|value| !value.is_nil()).map_or(0, |last| last + 1);
    let copies = values[..last].iter().map(|value| from_lua(call, value, "an argument"));
    spec.note_call(call.entry.spoken(), copies.collect::<mlua::Result<_>>()?);
    Ok(())
}

/// The room, for the game's code. No script runs meanwhile, so nobody else asks for the world.
struct Room<'a> {
    host: &'a Host,
    world: RefMut<'a, World>,
}

impl CalledFrom for Room<'_> {
    fn world(&self) -> &World {
        &self.world
    }

    fn apply(&mut self, command: Command) -> Result<Applied, CommandError> {
        self.host.before_change(&self.world);
        self.world.apply(command)
    }
}
