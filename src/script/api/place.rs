//! Positions as scripts write them: `x, z`, `{x=, z=}`, a point's name, a character.

use super::args::number;
use super::handle::Npc;
use crate::script::error::fail;
use crate::script::host::Host;
use crate::world::check_point;
use glam::DVec2;
use mlua::{Lua, Table, Value};
use std::collections::VecDeque;

/// Takes a position from the front of a call's arguments. `what` names the parameter in errors.
pub(super) fn take_place(
    lua: &Lua,
    host: &Host,
    args: &mut VecDeque<Value>,
    what: &str,
) -> mlua::Result<DVec2> {
    let expected = "x, z or {x=, z=}, a point's name or a character";
    let first = args.pop_front().unwrap_or(Value::Nil);
    let point = match &first {
        Value::Integer(_) | Value::Number(_) => {
            let z = args.pop_front().unwrap_or(Value::Nil);
            let (Some(x), Some(z)) = (number(&first), number(&z)) else {
                return Err(fail(lua, format!("{what}: after x comes z, a number, not {}", z.type_name())));
            };
            DVec2::new(x, z)
        }
        Value::Table(table) => from_table(lua, table, what)?,
        Value::String(name) => named(lua, host, &name.to_string_lossy(), what)?,
        Value::UserData(userdata) => match userdata.borrow::<Npc>() {
            Ok(npc) => host.read(lua, npc.id, |character| character.position)?,
            Err(_) => return Err(fail(lua, format!("{what}: expected {expected}"))),
        },
        other => return Err(fail(lua, format!("{what}: expected {expected}, not {}", other.type_name()))),
    };
    check_point(point).map_err(|error| fail(lua, format!("{what}: {error}")))?;
    Ok(point)
}

/// A position as scripts get it.
pub(in crate::script) fn point_table(lua: &Lua, point: DVec2) -> mlua::Result<Table> {
    let table = lua.create_table_with_capacity(0, 2)?;
    table.raw_set("x", point.x)?;
    table.raw_set("z", point.y)?;
    Ok(table)
}

fn from_table(lua: &Lua, table: &Table, what: &str) -> mlua::Result<DVec2> {
    let get = |name: &str, index: i64| -> Option<f64> {
        let by_name = table.raw_get::<Value>(name).ok().and_then(|value| number(&value));
        by_name.or_else(|| table.raw_get::<Value>(index).ok().and_then(|value| number(&value)))
    };
    match (get("x", 1), get("z", 2)) {
        (Some(x), Some(z)) => Ok(DVec2::new(x, z)),
        _ => Err(fail(lua, format!("{what}: a table that is a position has numbers x and z"))),
    }
}

fn named(lua: &Lua, host: &Host, name: &str, what: &str) -> mlua::Result<DVec2> {
    let found = {
        let world = host.world();
        world.point(name).or_else(|| world.character_named(name).map(|character| character.position))
    };
    if let Some(point) = found {
        return Ok(point);
    }
    host.charge_for_search(lua)?;
    let world = host.world();
    let hint =
        world.similar_place(name).map(|meant| format!("; did you mean '{meant}'?")).unwrap_or_default();
    let room = world.room().name.clone();
    Err(fail(lua, format!("{what}: no point or character '{name}' in room '{room}'{hint}")))
}
