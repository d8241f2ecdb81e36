//! The steps of `room:form`: sending everybody to a place, and waiting for them.

use super::{LOOK_S, keep_place, over, place_in, plan_of, seconds_left, wait};
use crate::crowd::{CharacterId, FormationKind, WalkEnd, WalkId};
use crate::nav::Place;
use crate::problem::did_you_mean;
use crate::script::api::args::{Argument, Options, Seconds, list_of};
use crate::script::api::entry::{Args, Call};
use crate::script::api::people::character_of;
use crate::script::api::sequences::sleep;
use crate::script::api::shapes::FORM_OPTIONS;
use crate::script::api::values::number;
use crate::script::host::EXPANSION_COST;
use crate::script::task::Wait;
use crate::world::{Applied, Command, Formation, FormationPlace, MAX_FORMATION};
use glam::DVec2;
use mlua::{IntoLuaMulti, MultiValue, Table, Value};

/// A member that others sent away from its place goes back there this often.
const MOST_RETURNS: u32 = 3;

/// A member this near to its place stands there, in metres.
const ON_PLACE_M: f64 = 0.3;

/// Keys of a plan: the members' numbers, their walks, how those ended, and their places.
const MEMBERS: &str = "members";
const WALKS: &str = "walks";
const ENDS: &str = "ends";
const PLACES: &str = "places";

/// Sends everybody to their places. Returns the plan, or nothing where nobody can wait.
pub(super) fn form_begin(call: &Call<'_>, mut args: Args) -> mlua::Result<MultiValue> {
    let waits = sleep(call, Wait::Until(0)).is_ok();
    call.host.call.wait.set(None);
    let options = Options::of(call, args.take(), &FORM_OPTIONS, "options")?;
    let kind = kind_of(call, &options.get::<String>(call, "kind")?)?;
    let who = members_of(call, options.get::<Value>(call, "who")?)?;
    let at = options.get::<Place>(call, "at")?;
    let radius_m = options.get::<Option<f64>>(call, "radius")?;
    if radius_m.is_some() && kind != FormationKind::Circle {
        return Err(call.fail(format!("radius is for circles; a {} has spacing", kind.as_str())));
    }
    let facing = facing_of(call, options.get::<Option<Value>>(call, "facing")?, at)?;
    let spacing_m = options.get::<Option<f64>>(call, "spacing")?;
    let timeout = options.get::<Option<Seconds>>(call, "timeout")?;
    let work = (who.len() as u64).pow(2) + call.host.world().characters().len() as u64 / 10;
    call.host.charge(call.lua, work * EXPANSION_COST)?;
    let formation = Formation { kind, at, spacing_m, radius_m, facing };
    let places = call.host.world().formation_places(&who, &formation);
    let places = places.map_err(|error| call.fail(error))?;

    let (members, walks) = (call.lua.create_table()?, call.lua.create_table()?);
    let kept = call.lua.create_table()?;
    for (index, FormationPlace { who, at, look_at, has_room }) in (1..).zip(places) {
        let order = match has_room {
            true => Command::SetExactTarget { who, to: at, look_at: Some(look_at) },
            false => Command::SetTarget { who, to: at },
        };
        if let Applied::Walking(walk) = call.apply(order)? {
            walks.raw_set(index, walk.0)?;
        }
        members.raw_set(index, who.0)?;
        if has_room {
            let place = call.lua.create_table()?;
            keep_place(&place, "", at)?;
            keep_place(&place, "look_", look_at)?;
            kept.raw_set(index, place)?;
        }
    }
    if !waits {
        return ().into_lua_multi(call.lua);
    }
    let plan = super::new_plan(call, timeout)?;
    plan.raw_set(MEMBERS, members)?;
    plan.raw_set(WALKS, walks)?;
    plan.raw_set(PLACES, kept)?;
    plan.raw_set(ENDS, call.lua.create_table()?)?;
    plan.into_lua_multi(call.lua)
}

/// One look at all of them: returns the seconds until the next look, or nil and the end's result.
pub(super) fn form_step(call: &Call<'_>, mut args: Args) -> mlua::Result<MultiValue> {
    let plan = plan_of(&mut args)?;
    let (members, walks): (Table, Table) = (plan.raw_get(MEMBERS)?, plan.raw_get(WALKS)?);
    let (ends, places): (Table, Table) = (plan.raw_get(ENDS)?, plan.raw_get(PLACES)?);
    let is_late = seconds_left(call, &plan)?.is_some_and(|left_s| left_s <= 0.0);
    let count = members.raw_len();
    call.host.charge(call.lua, count as u64 * EXPANSION_COST)?;
    let (mut waits_for_any, mut failed) = (false, None);
    for index in 1..=count {
        let who = CharacterId(members.raw_get(index)?);
        let walk = WalkId(walks.raw_get::<Option<u64>>(index)?.unwrap_or(0));
        let mut end: Option<String> = ends.raw_get(index)?;
        if end.is_none() {
            end = end_of(call, who, walk).map(str::to_owned);
            ends.raw_set(index, end.as_deref())?;
        }
        match end.as_deref() {
            Some("arrived") => {
                // Without room for it in the formation, it has only come near.
                let place = places.raw_get::<Option<Table>>(index)?;
                if place.is_none() {
                    failed = failed.or(Some("partial".to_owned()));
                }
                let again = match place {
                    Some(place) if !is_late => go_back(call, who, walk, &place)?,
                    _ => None,
                };
                if let Some(walk) = again {
                    walks.raw_set(index, walk.0)?;
                    ends.raw_set(index, Value::Nil)?;
                }
                let turns = call.host.world().character(who).is_some_and(|c| c.turn.is_some());
                waits_for_any |= turns || again.is_some();
            }
            Some(end) => failed = failed.or(Some(end.to_owned())),
            None if is_late => {
                call.apply(Command::Stop { who, walk: Some(walk), end: WalkEnd::Timeout })?;
            }
            None => waits_for_any = true,
        }
    }
    match failed {
        _ if is_late => over(call, false, "timeout"),
        _ if waits_for_any => wait(call, &plan, LOOK_S),
        Some(reason) => over(call, false, &reason),
        None => over(call, true, "arrived"),
    }
}

/// Sends a member back to its place if others made it leave it, for example because they had to pass.
fn go_back(call: &Call<'_>, who: CharacterId, walk: WalkId, place: &Table) -> mlua::Result<Option<WalkId>> {
    let (at, look_at) = (place_in(place, "")?, place_in(place, "look_")?);
    let is_off = {
        let world = call.host.world();
        let character = world.character(who).filter(|c| !c.is_moving() && c.last_errand == Some(walk));
        character.zip(at).is_some_and(|(c, at)| c.position.at.distance(at.at) > ON_PLACE_M)
    };
    let returns: u32 = place.raw_get::<Option<u32>>("returns")?.unwrap_or(0);
    let Some(to) = at.filter(|_| is_off && returns < MOST_RETURNS) else { return Ok(None) };
    place.raw_set("returns", returns + 1)?;
    match call.apply(Command::SetExactTarget { who, to, look_at })? {
        Applied::Walking(walk) => Ok(Some(walk)),
        _ => Ok(None),
    }
}

/// How the walk of a member ended, if it has.
fn end_of(call: &Call<'_>, who: CharacterId, walk: WalkId) -> Option<&'static str> {
    let world = call.host.world();
    let Some(character) = world.character(who) else { return Some("despawned") };
    if let Some(last) = character.last_walk.as_ref().filter(|last| last.walk == walk) {
        return Some(last.end.as_str());
    }
    let is_under_way = character.walk.as_ref().is_some_and(|own| own.id == walk)
        || character.set_aside.iter().any(|aside| aside.walk_id() == Some(walk));
    (!is_under_way).then_some("cancelled")
}

fn kind_of(call: &Call<'_>, name: &str) -> mlua::Result<FormationKind> {
    let known = FormationKind::ALL.into_iter().find(|kind| kind.as_str() == name);
    known.ok_or_else(|| {
        let meant = did_you_mean(name, FormationKind::ALL.map(FormationKind::as_str));
        let hint = meant.map(|meant| format!("; did you mean \"{meant}\"?")).unwrap_or_default();
        call.fail(format!("kind must be \"circle\", \"line\" or \"wedge\", not \"{name}\"{hint}"))
    })
}

fn members_of(call: &Call<'_>, who: Value) -> mlua::Result<Vec<CharacterId>> {
    let Value::Table(list) = who else {
        return Err(call.wrong("who", "a list of characters like {npc, \"ann\"}", &who));
    };
    let mut members = Vec::new();
    for (index, value) in list_of(call, &list, "who", MAX_FORMATION)?.iter().enumerate() {
        let member = character_of(call, value, &format!("who[{}]", index + 1))?;
        if members.contains(&member) {
            let name = call.host.world().name_of(member).to_owned();
            return Err(call.fail(format!("who has '{name}' twice; everybody has one place")));
        }
        members.push(member);
    }
    Ok(members)
}

/// A heading in radians, or the direction from the formation to a place.
fn facing_of(call: &Call<'_>, facing: Option<Value>, at: Place) -> mlua::Result<Option<DVec2>> {
    let Some(facing) = facing else { return Ok(None) };
    if let Some(heading_rad) = number(&facing) {
        let (sin, cos) = libm::sincos(heading_rad);
        return match heading_rad.is_finite() {
            true => Ok(Some(DVec2::new(cos, sin))),
            false => Err(call.wrong("facing", "a heading in radians or a place", &facing)),
        };
    }
    let to = Place::take(call, &mut Args::one(facing), "facing")?;
    Ok(Some(to.at - at.at))
}
