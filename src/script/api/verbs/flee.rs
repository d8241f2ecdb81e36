//! The steps of `npc:flee`: where to run, and when to look for another place.

use super::{
    LOOK_S, OWN_WALK, end_of_own, keep_place, must_end, new_plan, note_errand, over, own_goal, place_in,
    plan_of, wait,
};
use crate::crowd::{CharacterId, WalkEnd, WalkId};
use crate::nav::{Place, Threat};
use crate::script::api::args::{Argument, Options};
use crate::script::api::entry::{Args, Call};
use crate::script::api::handle::Npc;
use crate::script::api::shapes::FLEE_OPTIONS;
use crate::script::host::EXPANSION_COST;
use crate::world::{Applied, Command};
use mlua::{IntoLuaMulti, MultiValue, Table, Value};

/// Default distance that is far enough, in metres.
const FLEE_M: f64 = 5.0;

/// The threat has moved when it is this far, in metres, from its place when the refuge was chosen.
const MOVED_M: f64 = 0.5;

/// Maximum expansions of one search for a refuge. If they do not suffice, the character runs to the best
/// place so far, and searches again there.
const MOST_WORK: u64 = 20_000;

pub(super) fn flee_begin(call: &Call<'_>, mut args: Args) -> mlua::Result<MultiValue> {
    let other = somebody(call, args.peek());
    let from = Place::take(call, &mut args, "from")?;
    if other == Some(call.who) {
        return Err(call.fail("a character cannot flee from itself"));
    }
    let (mut distance_m, mut timeout) = (FLEE_M, None);
    if let Some(options) = <Option<Value> as Argument>::take(call, &mut args, "options")? {
        let options = Options::of(call, options, &FLEE_OPTIONS, "options")?;
        distance_m = options.get::<Option<f64>>(call, "distance")?.unwrap_or(FLEE_M);
        timeout = options.get(call, "timeout")?;
    }
    if !(distance_m > 0.0 && distance_m <= 1000.0) {
        return Err(call.fail(format!("distance must be above 0 and at most 1000 m, not {distance_m}")));
    }
    let plan = new_plan(call, timeout)?;
    plan.raw_set("distance", distance_m)?;
    keep_place(&plan, "", from)?;
    plan.raw_set("other", other.map(|id| id.0))?;
    plan.into_lua_multi(call.lua)
}

/// One check of the threat: returns the seconds until the next check, or nil and the end's result.
pub(super) fn flee_step(call: &Call<'_>, mut args: Args) -> mlua::Result<MultiValue> {
    let plan = plan_of(&mut args)?;
    if let Some(reason) = must_end(call, &plan)? {
        let own: Option<u64> = plan.raw_get(OWN_WALK)?;
        if let Some(walk) = own.filter(|_| reason == "timeout") {
            let walk = Some(WalkId(walk));
            call.change(Command::Stop { who: call.who, walk, end: WalkEnd::Timeout })?;
        }
        return over(call, false, reason);
    }
    let goal = own_goal(call, &plan)?;
    if goal.is_none()
        && let Some(end) = end_of_own(call, &plan)?.filter(|end| *end != WalkEnd::Arrived)
    {
        return over(call, false, end.as_str());
    }
    let at = threat_at(call, &plan)?;
    let distance_m: f64 = plan.raw_get("distance")?;
    let (position, class) = call.read(|c| (c.position, c.class))?;
    let away_m = call.host.world().ground().place_of(position).distance_in_space(at);
    if goal.is_none() && away_m >= distance_m {
        return over(call, true, "arrived");
    }
    let looked = place_in(&plan, "looked_")?;
    let stays = looked.is_some_and(|looked| looked.distance(at) <= MOVED_M);
    if goal.is_some_and(|goal| stays || goal.distance_in_space(at) >= distance_m) {
        return wait(call, &plan, LOOK_S);
    }
    if stays && plan.raw_get::<Option<bool>>("cornered")?.is_some() {
        return over(call, false, "partial");
    }
    // A walk ends a little before its goal.
    let short_m = 2.0 * call.host.world().room().crowd.waypoint_reached_m;
    let threat = Threat { at: call.host.world().ground().locate(at), distance_m: distance_m + short_m };
    let affords = call.host.meter.affords(EXPANSION_COST);
    let found = call.host.world().ground_in(class).find_refuge(position, threat, affords.min(MOST_WORK));
    let Some(refuge) = found else { return over(call, false, "no_path") };
    if refuge.work >= affords && affords < MOST_WORK && !refuge.is_complete {
        return Err(call.host.search_given_up(call.lua));
    }
    call.host.charge(call.lua, (refuge.work + 1) * EXPANSION_COST)?;
    keep_place(&plan, "looked_", at)?;
    plan.raw_set("cornered", (!refuge.is_far && refuge.is_complete).then_some(true))?;
    if refuge.at == position && goal.is_none() {
        return over(call, false, "partial");
    }
    let same_m = call.host.world().room().crowd.target_replan_threshold_m;
    if goal.is_none_or(|goal| goal.at.distance(refuge.at.at) > same_m) {
        let to = call.host.world().ground().place_of(refuge.at);
        if let Applied::Walking(walk) = call.apply(Command::SetTarget { who: call.who, to })? {
            plan.raw_set(OWN_WALK, walk.0)?;
        }
        note_errand(call, &plan)?;
    }
    wait(call, &plan, LOOK_S)
}

/// The present place of the threat; for a character that has left, its last place.
fn threat_at(call: &Call<'_>, plan: &Table) -> mlua::Result<Place> {
    let other = plan.raw_get::<Option<u32>>("other")?.map(CharacterId);
    let now = other.and_then(|id| {
        let world = call.host.world();
        world.character(id).map(|other| world.ground().place_of(other.position))
    });
    if let Some(now) = now {
        keep_place(plan, "", now)?;
        return Ok(now);
    }
    place_in(plan, "")?.ok_or_else(|| call.fail("the plan to flee has lost what it flees from"))
}

/// The character that a value stands for, by itself or as a place.
fn somebody(call: &Call<'_>, value: &Value) -> Option<CharacterId> {
    match value {
        Value::UserData(object) => object.borrow::<Npc>().ok().map(|npc| npc.id),
        Value::String(name) => {
            let (world, name) = (call.host.world(), name.to_string_lossy());
            // A point of that name takes precedence.
            let named = || world.character_named(&name).map(|character| character.id);
            world.point(&name).is_none().then(named).flatten()
        }
        _ => None,
    }
}
