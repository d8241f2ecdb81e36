//! The steps of `npc:queue_at`: the place in line, and when to move up.

use super::{
    LEAST_PAUSE_S, LOOK_S, OWN_WALK, end_of_own, keep_place, must_end, new_plan, note_errand, own_goal,
    place_in, plan_of, wait,
};
use crate::crowd::{WalkEnd, WalkId};
use crate::nav::Place;
use crate::script::api::args::{Argument, Options};
use crate::script::api::entry::{Args, Call};
use crate::script::api::handle::Area;
use crate::script::api::people::character_of;
use crate::script::api::shapes::QUEUE_OPTIONS;
use crate::script::api::values::number;
use crate::script::host::EXPANSION_COST;
use crate::script::queue_lines::{MAX_SPACING_M, Next};
use crate::world::{Applied, Command};
use mlua::{IntoLuaMulti, MultiValue, Value};

/// Default distance between two queuing characters, beyond their bodies, in metres.
const LINE_GAP_M: f64 = 0.2;

/// The name of a line (its place's name or position), and its position.
pub(super) fn line_key(call: &Call<'_>, args: &mut Args) -> mlua::Result<(String, Place)> {
    let first = args.peek().clone();
    let at = Place::take(call, args, "place")?;
    let named = match &first {
        Value::String(name) => Some(name.to_string_lossy()),
        Value::UserData(area) if area.is::<Area>() => Some(area.borrow::<Area>()?.name.clone()),
        Value::UserData(_) => character_of(call, &first, "place").ok().map(|who| {
            // A character's line moves with the character.
            call.host.world().name_of(who).to_owned()
        }),
        _ => None,
    };
    Ok((named.unwrap_or_else(|| format!("{:.2},{:.2}", at.at.x, at.at.y)), at))
}

pub(super) fn queue_begin(call: &Call<'_>, mut args: Args) -> mlua::Result<MultiValue> {
    let (position, radius_m) = call.read(|c| (c.position, c.collision_radius_m))?;
    let (key, front) = line_key(call, &mut args)?;
    let (mut tail, mut timeout, mut spacing_m) = (None, None, 2.0 * radius_m + LINE_GAP_M);
    if let Some(options) = <Option<Value> as Argument>::take(call, &mut args, "options")? {
        let options = Options::of(call, options, &QUEUE_OPTIONS, "options")?;
        tail = options.get::<Option<Place>>(call, "tail")?;
        timeout = options.get(call, "timeout")?;
        if let Some(spacing) = options.get::<Option<Value>>(call, "spacing")? {
            let good = number(&spacing).filter(|metres| *metres > 0.0 && *metres <= MAX_SPACING_M);
            let least_m = 2.0 * radius_m;
            let metres = good.ok_or_else(|| {
                call.wrong("spacing", format!("a number of metres, at most {MAX_SPACING_M}"), &spacing)
            })?;
            if metres < least_m {
                return Err(
                    call.fail(format!("spacing must be {least_m} m at least, as wide as the body is"))
                );
            }
            spacing_m = metres;
        }
    }
    let plan = new_plan(call, timeout)?;
    plan.raw_set("key", key.as_str())?;
    keep_place(&plan, "front_", front)?;
    if let Some(tail) = tail {
        keep_place(&plan, "tail_", tail)?;
    }
    plan.raw_set("spacing", spacing_m)?;
    let mut lines = call.host.people.lines.borrow_mut();
    lines.leave(call.who, Some(&key));
    // The place meant by an area depends on the character: the line begins where its first member set it.
    let world = call.host.world();
    let is_area = world.place_named(&key).is_none() && world.area_named(&key).is_some();
    let known = lines.0.get(&key).filter(|line| is_area && !line.is_empty()).map(|line| line.front);
    lines.open(&key, known.unwrap_or(front), tail, world.ground().place_of(position), spacing_m);
    plan.into_lua_multi(call.lua)
}

/// One check of the line: returns the seconds until the next check, or nil and the end's result.
pub(super) fn queue_step(call: &Call<'_>, mut args: Args) -> mlua::Result<MultiValue> {
    let plan = plan_of(&mut args)?;
    let key: String = plan.raw_get("key")?;
    let own: Option<u64> = plan.raw_get(OWN_WALK)?;
    if let Some(reason) = must_end(call, &plan)? {
        return leave_line(call, own.filter(|_| reason == "timeout"), reason);
    }
    let most = call.host.meter.affords(EXPANSION_COST);
    let (found, is_first) = {
        let mut lines = call.host.people.lines.borrow_mut();
        if !lines.0.contains_key(&key) {
            // The last member has left the line.
            let here = call.read(|c| c.position)?;
            let here = call.host.world().ground().place_of(here);
            let front = place_in(&plan, "front_")?.unwrap_or(here);
            let tail = place_in(&plan, "tail_")?;
            lines.open(&key, front, tail, here, plan.raw_get("spacing")?);
        }
        let Some(line) = lines.0.get_mut(&key) else { return wait(call, &plan, LOOK_S) };
        (line.next(&call.host.world(), call.who, most), line.is_empty())
    };
    let (next, work) = found.ok_or_else(|| call.host.search_given_up(call.lua))?;
    call.host.charge(call.lua, (work + 1) * EXPANSION_COST)?;
    let same_m = call.host.world().room().crowd.target_replan_threshold_m;
    let goal = own_goal(call, &plan)?;
    match next {
        // The character is still on its last steps.
        Next::Front | Next::Stand(_) if goal.is_some() => wait(call, &plan, LOOK_S),
        Next::Full => {
            if let Some(walk) = own.filter(|_| goal.is_some()) {
                let walk = Some(WalkId(walk));
                call.change(Command::Stop { who: call.who, walk, end: WalkEnd::Cancelled })?;
            }
            note_errand(call, &plan)?;
            wait(call, &plan, LEAST_PAUSE_S)
        }
        Next::Front => (Value::Nil, true, "arrived").into_lua_multi(call.lua),
        Next::Stand(ahead) => {
            if own.is_some() {
                plan.raw_set(OWN_WALK, Value::Nil)?;
                call.apply(Command::Turn { who: call.who, to: ahead })?;
            }
            note_errand(call, &plan)?;
            wait(call, &plan, LOOK_S)
        }
        Next::Walk(to) if goal.is_some_and(|goal| goal.distance(to) <= same_m) => wait(call, &plan, LOOK_S),
        Next::Walk(to) => {
            let end = end_of_own(call, &plan)?;
            plan.raw_set(OWN_WALK, Value::Nil)?;
            match end.filter(|_| goal.is_none()) {
                Some(WalkEnd::NoPath) => return leave_line(call, None, "no_path"),
                Some(WalkEnd::Partial) if is_first => return leave_line(call, None, "partial"),
                // Other characters are in the way: try again a little later.
                Some(WalkEnd::Partial | WalkEnd::Blocked(_)) => return wait(call, &plan, LEAST_PAUSE_S),
                _ => {}
            }
            if let Applied::Walking(walk) =
                call.apply(Command::SetExactTarget { who: call.who, to, look_at: None })?
            {
                plan.raw_set(OWN_WALK, walk.0)?;
            }
            note_errand(call, &plan)?;
            wait(call, &plan, LOOK_S)
        }
    }
}

/// Ends the verb early; its walk, if given, ends as timed out.
fn leave_line(call: &Call<'_>, walk: Option<u64>, reason: &str) -> mlua::Result<MultiValue> {
    call.host.people.lines.borrow_mut().leave(call.who, None);
    if let Some(walk) = walk {
        call.change(Command::Stop { who: call.who, walk: Some(WalkId(walk)), end: WalkEnd::Timeout })?;
    }
    (Value::Nil, false, reason).into_lua_multi(call.lua)
}
