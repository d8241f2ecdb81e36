//! The queue of path searches: what comes first, and how long walks wait.

use super::define::entry;
use super::entry::{Call, Entry};
use super::handle::{Npc, handle};
use super::place::{place_of_value, place_table};
use crate::world::{Command, PathFocus};
use mlua::{Table, Value};

pub(super) const ENTRIES: &[Entry] = &[
    entry! {
        /// The character or the place near which paths are searched first, or nil for that of the room file or the
        /// player.
        ///
        /// When many walks need a path at once, the player's path comes first, then paths by the priority of their
        /// characters, then by distance to the focus. A walk that has waited for half a second gets its turn anyway.
        setting Room.focus: "Npc|Place|nil" also["path_focus", "camera", "center_of_interest"]
        example r#"
            room.focus = npc
            assert(room.focus == npc)
            room.focus = "well"
            assert(room.focus.x == room:point("well").x)
            room.focus = nil
        "#
        |call| focus(call),
        |call, value: Value| set_focus(call, &value)
    },
    entry! {
        /// How long walks have waited for their paths since the room was opened.
        fn Room.path_stats() -> (stats: "PathStats" = "numbers of requests, and waits in ticks")
        also["navigation_stats", "planner_stats", "queue_length"]
        example r#"
            npc:walk_to("well")
            local stats = room:path_stats()
            assert(stats.answered >= 1 and stats.waiting == 0 and stats.max <= 30)
        "#
        |call| path_stats(call)
    },
];

fn focus(call: &Call<'_>) -> mlua::Result<Value> {
    let focus = call.host.world().focus();
    match focus {
        Some(PathFocus::Character(who)) if call.host.world().character(who).is_some() => {
            handle(call.lua, call.host, who).map(Value::UserData)
        }
        Some(PathFocus::Place(place)) => place_table(call.lua, place).map(Value::Table),
        _ => Ok(Value::Nil),
    }
}

fn set_focus(call: &Call<'_>, value: &Value) -> mlua::Result<()> {
    let focus = match value {
        Value::Nil => None,
        Value::UserData(userdata) if userdata.is::<Npc>() => {
            Some(PathFocus::Character(userdata.borrow::<Npc>()?.id))
        }
        other => Some(match character_named(call, other) {
            Some(who) => PathFocus::Character(who),
            None => PathFocus::Place(place_of_value(call, other, &Value::Nil, "focus")?),
        }),
    };
    call.change(Command::SetFocus(focus)).map(drop)
}

fn character_named(call: &Call<'_>, name: &Value) -> Option<crate::crowd::CharacterId> {
    let Value::String(name) = name else { return None };
    call.host.world().character_named(&name.to_string_lossy()).map(|character| character.id)
}

/// Instructions charged for a table of six named values.
const STATS_COST: u64 = 250;

fn path_stats(call: &Call<'_>) -> mlua::Result<Table> {
    call.host.charge(call.lua, STATS_COST)?;
    let stats = call.host.world().path_stats();
    let table = call.lua.create_table_with_capacity(0, 6)?;
    table.raw_set("answered", stats.answered)?;
    table.raw_set("waiting", stats.waiting)?;
    table.raw_set("mean", stats.mean_wait_ticks())?;
    table.raw_set("max", stats.max_wait_ticks)?;
    table.raw_set("half_within", stats.wait_within_ticks(0.5))?;
    table.raw_set("most_within", stats.wait_within_ticks(0.99))?;
    Ok(table)
}
