//! `spawn{…}`.

use super::args::{flag, number, optional_text, priority, real, texts};
use super::handle::handle;
use super::place::take_place;
use crate::problem::did_you_mean;
use crate::room::CharacterSpec;
use crate::script::error::fail;
use crate::script::host::Host;
use crate::script::load;
use crate::world::{Applied, Command};
use mlua::{Lua, Table, Value, Variadic};
use std::rc::Rc;

const SPAWN_KEYS: [&str; 12] = [
    "name",
    "at",
    "script",
    "player",
    "priority",
    "walk_speed",
    "rotation_speed",
    "collision_radius",
    "heading",
    "tags",
    "alive",
    "enabled",
];

/// `spawn{at=…, script=…, …}`: brings somebody in and returns the handle. The keys are those of a character in a room file,
/// in snake_case.
pub(super) fn spawn(lua: &Lua, host: &Rc<Host>, args: Variadic<Value>) -> mlua::Result<Value> {
    let Some(Value::Table(table)) = args.first() else {
        return Err(fail(
            lua,
            "spawn: give it a table, like spawn{at = \"door\", script = \"scripts/guest.lua\"}",
        ));
    };
    let limit = host.limits.get().characters;
    if host.world().characters().len() >= limit {
        return Err(fail(
            lua,
            format!("spawn: there are {limit} characters already, as many as there may be"),
        ));
    }
    let spec = spawn_spec(lua, host, table)?;
    if let Some(script) = &spec.script {
        load::require(lua, host, script)?;
    }
    match host.apply(lua, Command::Spawn(Box::new(spec)))? {
        Applied::Spawned(id) => Ok(Value::UserData(handle(lua, host, id)?)),
        _ => Ok(Value::Nil),
    }
}

fn spawn_spec(lua: &Lua, host: &Rc<Host>, table: &Table) -> mlua::Result<CharacterSpec> {
    for pair in table.pairs::<Value, Value>() {
        let name = pair?.0.to_string()?;
        if !SPAWN_KEYS.contains(&name.as_str()) {
            let hint = did_you_mean(&name, SPAWN_KEYS).map(|meant| format!("; did you mean '{meant}'?"));
            return Err(fail(lua, format!("spawn: there is no key '{name}'{}", hint.unwrap_or_default())));
        }
    }
    let at: Value = table.raw_get("at")?;
    let at = take_place(lua, host, &mut [at].into(), "spawn: at")?;
    let get = |name: &str, default: f64| -> mlua::Result<f64> {
        let value: Value = table.raw_get(name)?;
        if value.is_nil() {
            return Ok(default);
        }
        let good = number(&value).filter(|number| *number > 0.0 && number.is_finite());
        good.ok_or_else(|| fail(lua, format!("spawn: {name} must be a number above zero")))
    };
    let raw = |name: &str| table.raw_get::<Value>(name);
    let yes = |name: &str, default: bool| -> mlua::Result<bool> {
        let value = raw(name)?;
        if value.is_nil() { Ok(default) } else { flag(lua, &value, &format!("spawn: {name}")) }
    };
    let name = match optional_text(lua, &raw("name")?, "spawn: name")? {
        Some(name) => name,
        None => free_name(host),
    };
    let radius_m = host.world().room().ground.agent_radius_m;
    Ok(CharacterSpec {
        name,
        at,
        at_point: None,
        script: optional_text(lua, &raw("script")?, "spawn: script")?,
        player: yes("player", false)?,
        priority: match raw("priority")? {
            Value::Nil => 0,
            value => priority(lua, &value, "spawn: priority")?,
        },
        walk_speed_mps: get("walk_speed", CharacterSpec::DEFAULT_WALK_SPEED_MPS)?,
        rotation_speed_radps: get("rotation_speed", CharacterSpec::DEFAULT_ROTATION_SPEED_RADPS)?,
        collision_radius_m: get("collision_radius", radius_m)?,
        tags: texts(lua, &raw("tags")?, "spawn: tags")?,
        alive: yes("alive", true)?,
        enabled: yes("enabled", true)?,
        heading_rad: match raw("heading")? {
            Value::Nil => 0.0,
            value => real(lua, &value, "spawn: heading")?,
        },
    })
}

/// The first of `npc_1`, `npc_2`, … that was not given out yet.
fn free_name(host: &Host) -> String {
    loop {
        host.spawned.set(host.spawned.get() + 1);
        let name = format!("npc_{}", host.spawned.get());
        if host.world().character_named(&name).is_none() {
            return name;
        }
    }
}
