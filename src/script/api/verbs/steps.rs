//! The steps of the verbs, called by the prelude.

use super::flee::{flee_begin, flee_step};
use super::form::{form_begin, form_step};
use super::queue::{queue_begin, queue_step};
use super::{wander_begin, wander_pause, wander_step};
use crate::script::api::entry::{Args, Call, Given, NOBODY, Object};
use crate::script::api::register::{npc_before_colon, room_before_colon};
use crate::script::api::sequences::sleep;
use crate::script::api::table::entries_of;
use crate::script::host::Host;
use crate::script::task::Wait;
use mlua::{Lua, MultiValue, Table, Value};
use std::rc::Rc;

/// The prelude's primitives by name: each gets whether the calling code can sleep, and the character.
pub(in crate::script::api) fn primitives(lua: &Lua, host: &Rc<Host>) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    let steps: [(&str, &str, Step); 7] = [
        ("flee_begin", "flee", flee_begin),
        ("flee_step", "flee", flee_step),
        ("wander_begin", "wander", wander_begin),
        ("wander_step", "wander", wander_step),
        ("wander_pause", "wander", wander_pause),
        ("queue_begin", "queue_at", queue_begin),
        ("queue_step", "queue_at", queue_step),
    ];
    for (name, verb, step) in steps {
        let Some(entry) = entries_of(Object::Npc).find(|entry| entry.name == verb) else { continue };
        let host = host.clone();
        let function = move |lua: &Lua, (may_sleep, this, given): (bool, Value, Given)| {
            host.call.may_sleep.set(may_sleep);
            let who = npc_before_colon(lua, entry, &this)?;
            let call = Call { lua, host: &host, entry, who, named: "" }.ready()?;
            // First check that the caller can wait.
            sleep(&call, Wait::Until(0))?;
            host.call.wait.set(None);
            host.charge(lua, STEP_COST)?;
            step(&call, given.into())
        };
        table.raw_set(name, lua.create_function(function)?)?;
    }
    let of_room: [(&str, &str, Step); 2] =
        [("form_begin", "form", form_begin), ("form_step", "form", form_step)];
    for (name, verb, step) in of_room {
        let Some(entry) = entries_of(Object::Room).find(|entry| entry.name == verb) else { continue };
        let host = host.clone();
        let function = move |lua: &Lua, (may_sleep, this, given): (bool, Value, Given)| {
            host.call.may_sleep.set(may_sleep);
            room_before_colon(lua, entry, &this)?;
            let call = Call { lua, host: &host, entry, who: NOBODY, named: "" }.ready()?;
            host.charge(lua, STEP_COST)?;
            step(&call, given.into())
        };
        table.raw_set(name, lua.create_function(function)?)?;
    }
    Ok(table)
}

type Step = fn(&Call<'_>, Args) -> mlua::Result<MultiValue>;

/// Instructions charged per call of a primitive.
const STEP_COST: u64 = 100;
