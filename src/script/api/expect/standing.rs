//! Expectations that must hold from now until the end of the test. They are checked after every tick, outside
//! of Lua.

use super::source::source_of_subject;
use super::{failed, not_about, npc_of, place_of, words_of};
use crate::script::api::args::{AreaName, Seconds, list_of};
use crate::script::api::asking::running;
use crate::script::api::define::entry;
use crate::script::api::entry::{Call, Entry};
use crate::script::api::handle::Npc;
use crate::script::api::place::area_named;
use crate::script::api::place::place_of_value;
use crate::script::api::room::RoomObject;
use crate::script::api::values::number;
use crate::script::error::fail;
use crate::script::spec::{Kind, Standing, Target, Who};
use mlua::Value;

pub(in crate::script::api) const ENTRIES: &[Entry] = &[
    entry! {
        /// That a character never comes near another character, or a place, from now to the end of the test.
        ///
        /// The subject is a character, a list of characters, or with `expect(room)` all characters. Distances are
        /// between the middles of bodies.
        stand Expectation.to_stay_clear_of(
            place: Value as "Place" = "a character, a place, or x and z",
            metres: Value as "number" = "the least distance allowed",
            more: Option<Value> as "number" = "metres, after x and z"
        ) also["to_avoid", "to_keep_away_from", "to_stay_away_from"]
        example r#"
            expect(npc):to_stay_clear_of(player, 0.5)
            npc:walk_to("well")
        "#
        |call, subject| {
            let by_numbers = number(&place).is_some();
            let at = place_of_value(call, &place, &metres, "place")?;
            let least = if by_numbers { more.unwrap_or(Value::Nil) } else { metres };
            let least_m = number(&least).ok_or_else(|| call.wrong("metres", "a number", &least))?;
            let target = npc_of(call, &place).map_or(Target::Point(at), Target::Character);
            let words = match &place {
                Value::String(name) => name.to_string_lossy(),
                Value::UserData(_) => words_of(call, &place),
                _ => format!("({:.2}, {:.2})", at.at.x, at.at.y),
            };
            let claim = format!("to stay clear of {words} by {least_m} m");
            stand(call, subject, claim, Kind::ClearOf { target, least_m })
        }
    },
    entry! {
        /// That the subject does not enter an area from now to the end of the test.
        ///
        /// The subject is a character, a list of characters, or with `expect(room)` all characters. It fails at once
        /// if one of them is in the area already.
        stand Expectation.never_to_enter(area: AreaName = "the area's name")
        also["not_to_enter", "to_never_enter", "to_stay_out_of", "not_to_go_into"]
        example r#"
            expect(room:npcs()):never_to_enter("cellar")
            run_for(5)
        "#
        |call, subject| {
            let id = area_named(call, &area.0)?;
            let who = who_of(call, subject)?;
            let claim = format!("never to enter {}", area.0);
            let inside = {
                let world = call.host.world();
                let mut all = world.characters().iter().filter(|c| who.is(c.id));
                all.find(|c| world.ground().area_contains(id, c.position)).map(|c| (c.id, c.name.clone()))
            };
            if let Some((who, name)) = inside {
                let expected = format!("{} {claim}", everybody(call, subject));
                return Err(failed(call, expected, format!("{name} is in it already"), vec![who], Vec::new()));
            }
            stand(call, subject, claim, Kind::NeverIn { area: area.0 })
        }
    },
    entry! {
        /// That from now to the end of the test no walk ends as `blocked`, and no walk is without progress for too
        /// long.
        ///
        /// The subject is a character, a list of characters, or with `expect(room)` all characters.
        stand Expectation.not_to_be_stuck(
            seconds: Option<Seconds> = "the longest time without progress; 10 if left out, as for a walk to be given up"
        ) also["to_never_be_stuck", "never_to_be_stuck", "not_to_get_stuck", "to_be_stuck"]
        example r#"
            expect(room):not_to_be_stuck()
            npc:walk_to("well")
        "#
        |call, subject| {
            let seconds = seconds.map_or(STUCK_S, |seconds| seconds.0);
            let ticks = u32::try_from(call.host.world().ticks_of(seconds)).unwrap_or(u32::MAX);
            stand(call, subject, format!("not to be stuck for {seconds} s"), Kind::NotStuck { ticks })
        }
    },
];

/// Default time without progress after which a character is stuck.
const STUCK_S: f64 = 10.0;

fn stand(call: &Call<'_>, subject: &Value, claim: String, kind: Kind) -> mlua::Result<()> {
    let who = who_of(call, subject)?;
    let expected = format!("{} {claim}", everybody(call, subject));
    let standing = Standing { who, kind, expected, place: place_of(call) };
    running(call)?.standing.borrow_mut().push(standing);
    Ok(())
}

/// The room as subject means all characters in it.
fn everybody(call: &Call<'_>, subject: &Value) -> String {
    match who_of(call, subject) {
        Ok(Who::Everybody) => "all characters".into(),
        Ok(Who::These(ids)) => {
            let world = call.host.world();
            let names: Vec<&str> = ids.iter().take(4).map(|&id| world.name_of(id)).collect();
            let more = if ids.len() > 4 { format!(" and {} more", ids.len() - 4) } else { String::new() };
            names.join(", ") + &more
        }
        Err(_) => words_of(call, subject),
    }
}

fn who_of(call: &Call<'_>, subject: &Value) -> mlua::Result<Who> {
    match subject {
        Value::UserData(room) if room.is::<RoomObject>() => Ok(Who::Everybody),
        Value::Table(list) => {
            if list.raw_len() == 0 {
                return Err(fail(call.lua, format!("{}: {}", call.entry.name, nobody(call))));
            }
            let values = list_of(call, list, "the list", MOST_IN_A_LIST)?;
            values.iter().map(|value| npc_of(call, value)).collect::<mlua::Result<_>>().map(Who::These)
        }
        Value::UserData(npc) if npc.is::<Npc>() => Ok(Who::These(vec![npc_of(call, subject)?])),
        other => Err(not_about(call, other, "a character, a list of characters, or the room")),
    }
}

/// The message for an empty list, for which every expectation would hold.
fn nobody(call: &Call<'_>) -> String {
    match source_of_subject(call) {
        Some(text) if text.contains(":npcs(") => {
            format!("the list is empty: no character in the room is as {text} asks; is the tag right?")
        }
        _ => "the list is empty, so there is no character to check".into(),
    }
}

const MOST_IN_A_LIST: usize = 10_000;
