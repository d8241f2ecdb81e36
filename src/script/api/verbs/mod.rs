//! High-level behaviours (verbs): flee, wander, queue. The prelude composes them from walks and waits; this
//! module has the host's part.

mod flee;
mod form;
mod queue;
pub(super) mod steps;

use self::queue::line_key;
use super::args::{Argument, Options, Seconds, list_of};
use super::chance::{random_place, region_of};
use super::define::entry;
use super::entry::{Args, Call, Entry};
use super::handle::Npc;
use super::place::area_named;
use super::place::{place_of_value, place_table, position_table};
use super::random::whose_stream;
use super::shapes::WANDER_OPTIONS;
use crate::crowd::WalkEnd;
use crate::nav::Place;
use crate::script::host::EXPANSION_COST;
use glam::DVec2;
use mlua::{IntoLuaMulti, MultiValue, Table, Value};

pub(super) const ENTRIES: &[Entry] = &[
    entry! {
        /// Flees from a place or a character, and waits until it is far enough away.
        ///
        /// The character goes to the place with the shortest path that does not lead past the threat. If the threat
        /// follows or comes towards it, it looks for another place. If there is no such place, it goes as far away as
        /// possible, and ends as `partial`.
        prelude Npc.flee(
            from: Place = "what to flee from",
            options: Option<Value> as "FleeOptions" = "`{distance = metres, timeout = seconds}`"
        ) -> (ok: "boolean" = "whether it is far enough away", reason: "Reason" = "`arrived`, or how it ended")
        also["run_away", "escape", "run_from", "evade", "avoid"]
        example r#"
            local ann = room:npc("ann")
            local ok = npc:flee(ann, { distance = 5 })
            assert(ok and npc:distance_to(ann) >= 5)
        "#
        blocks true
    },
    entry! {
        /// Walks from one random place to the next, with a rest at each, until something ends it.
        ///
        /// `npc:stop`, another target, or a timeout ends it. Places are drawn as by `room:random_point`, from those
        /// that the character can walk to. If a place becomes occupied or cut off meanwhile, the character goes to
        /// the next one.
        prelude Npc.wander(options: Option<Value> as "WanderOptions" = "`{area=, within=, pause=, timeout=}`")
            -> (
                ok: "boolean" = "false: wandering has no arrival",
                reason: "Reason" = "how it ended; `no_path` if there is nowhere to go"
            )
        also["roam", "stroll", "patrol_randomly", "idle_walk"]
        example r#"
            local ok, reason = npc:wander{ area = "hall", pause = { 0.2, 0.5 }, timeout = 8 }
            assert(not ok and reason == "timeout")
        "#
        blocks true
    },
    entry! {
        /// Goes to the end of the line at a place, moves up as others leave, and waits until it is at the front.
        ///
        /// The first character to come stands in front. The line leads along the way from the place to `tail`. The
        /// function returns when the character is at the front. The character keeps the front until it walks away;
        /// then the next one moves up. To leave earlier, use `npc:leave_queue`, `npc:stop` or another target.
        ///
        /// Lines survive reloads and saves: a character that queues at the same place again has its old place in
        /// line.
        prelude Npc.queue_at(
            place: Place = "where the front of the line is",
            options: Option<Value> as "QueueOptions" = "`{tail=, spacing=, timeout=}`"
        ) -> (ok: "boolean" = "whether it is at the front", reason: "Reason" = "`arrived`, or how it ended")
        also["queue", "stand_in_line", "line_up", "enqueue", "wait_in_line"]
        example r#"
            local ok = npc:queue_at("bar", { tail = "well" })
            assert(ok and npc:distance_to("bar") < 0.5 and room:queue("bar")[1] == npc)
        "#
        blocks true
    },
    entry! {
        /// Sends characters into a formation: a circle, a line or a wedge. In a sequence it waits until all stand there.
        ///
        /// Everybody gets a place of their own, so that they walk little and their ways do not cross. The first one has
        /// the tip of a wedge. Places without free ground move to the nearest free ground. Those in a circle look to its
        /// middle, the others along `facing`. In a handler the characters set out, and the handler continues.
        ///
        /// `ok` is true if all have arrived at a place of their own. Otherwise `reason` is that of the first who did not:
        /// `partial` for one that has no room in the formation.
        prelude Room.form(options: Value as "FormOptions" = "`{kind=, who=, at=, spacing=, radius=, facing=, timeout=}`")
            -> (ok: "boolean?" = "whether all arrived; nothing in a handler", reason: "Reason?" = "`arrived`, or how it ended")
        also["formation", "arrange", "assemble", "set_formation", "group_move"]
        example r#"
            local ok = room:form{ kind = "line", who = { npc, "ann" }, at = "well", facing = math.pi }
            assert(ok and npc:distance_to("ann") < 2 and math.abs(npc.heading) > 3)
        "#
        blocks true
    },
    entry! {
        /// Leaves every line in which the character stands.
        fn Npc.leave_queue() -> (left: "boolean" = "whether it stood in a line")
        also["dequeue", "leave_line", "step_out"]
        example r#"
            npc:queue_at("bar")
            assert(npc:leave_queue() and #room:queue("bar") == 0)
        "#
        |call| {
            call.read(|_| ())?;
            Ok(call.host.people.lines.borrow_mut().leave(call.who, None))
        }
    },
    entry! {
        /// The characters that stand in line at a place, the front one first. Characters still on their way to the
        /// end of the line do not count.
        fn Room.queue(place: Value as "Place" = "the place, as it was given to `npc:queue_at`")
            -> (npcs: "Npc[]" = "the characters") also["line", "get_queue", "who_queues"]
        example r#"
            npc:queue_at("bar")
            assert(#room:queue("bar") == 1)
        "#
        |call| {
            let key = line_key(call, &mut Args::one(place))?.0;
            let most = call.host.meter.affords(EXPANSION_COST);
            let found = call.host.people.lines.borrow_mut().members(&call.host.world(), &key, most);
            let (members, work) = found.ok_or_else(|| call.host.search_given_up(call.lua))?;
            call.host.charge(call.lua, (work + members.len() as u64) * EXPANSION_COST)?;
            members.into_iter().map(|who| Npc::value(call.lua, call.host, who)).collect::<mlua::Result<Vec<_>>>()
        }
    },
];

/// Key of a plan for the character's last errand at the previous check.
const ERRAND: &str = "errand";

/// Seconds between two checks of a verb.
const LOOK_S: f64 = 0.2;

/// Key of a plan for the walk that its verb started.
const OWN_WALK: &str = "walk";

/// The target of the walk that a verb started, while it lasts. Other walks of the character are not the
/// verb's.
fn own_goal(call: &Call<'_>, plan: &Table) -> mlua::Result<Option<Place>> {
    let own: Option<u64> = plan.raw_get(OWN_WALK)?;
    call.read(|c| c.errand().filter(|walk| Some(walk.id.0) == own).map(|walk| walk.goal.place))
}

/// A place that a plan keeps under three keys, which begin with a prefix.
fn place_in(plan: &Table, prefix: &str) -> mlua::Result<Option<Place>> {
    let Some(x) = plan.raw_get(format!("{prefix}x"))? else { return Ok(None) };
    let at = DVec2::new(x, plan.raw_get(format!("{prefix}z"))?);
    Ok(Some(Place { at, y_m: plan.raw_get(format!("{prefix}y"))? }))
}

fn keep_place(plan: &Table, prefix: &str, Place { at, y_m }: Place) -> mlua::Result<()> {
    plan.raw_set(format!("{prefix}x"), at.x)?;
    if y_m.is_some() {
        plan.raw_set(format!("{prefix}y"), y_m)?;
    }
    plan.raw_set(format!("{prefix}z"), at.y)
}

/// How the walk that a verb started ended, if it has.
fn end_of_own(call: &Call<'_>, plan: &Table) -> mlua::Result<Option<WalkEnd>> {
    let own: Option<u64> = plan.raw_get(OWN_WALK)?;
    call.read(|c| c.last_walk.as_ref().filter(|walk| Some(walk.walk.0) == own).map(|walk| walk.end.clone()))
}

/// Schedules the verb's next check after `seconds`, or at its timeout.
fn wait(call: &Call<'_>, plan: &Table, seconds: f64) -> mlua::Result<MultiValue> {
    let left_s = seconds_left(call, plan)?.unwrap_or(seconds);
    seconds.min(left_s).into_lua_multi(call.lua)
}

/// Ends the verb.
fn over(call: &Call<'_>, ok: bool, reason: &str) -> mlua::Result<MultiValue> {
    (Value::Nil, ok, reason).into_lua_multi(call.lua)
}

fn new_plan(call: &Call<'_>, timeout: Option<Seconds>) -> mlua::Result<Table> {
    let plan = call.lua.create_table()?;
    let ticks = timeout.map(|seconds| call.host.world().ticks_of(seconds.0));
    plan.raw_set("deadline", ticks.map(|ticks| own_tick(call) + ticks))?;
    Ok(plan)
}

/// The tick by the verb's clock, which stops while its sequence pauses for a scene.
fn own_tick(call: &Call<'_>) -> u64 {
    call.host.schedule.borrow().own_tick(call.host.call.running.get(), call.host.world().tick_number())
}

fn plan_of(args: &mut Args) -> mlua::Result<Table> {
    match args.take() {
        Value::Table(plan) => Ok(plan),
        _ => Err(mlua::Error::runtime("the prelude has lost its plan")),
    }
}

fn seconds_left(call: &Call<'_>, plan: &Table) -> mlua::Result<Option<f64>> {
    let deadline: Option<u64> = plan.raw_get("deadline")?;
    Ok(deadline.map(|deadline| deadline.saturating_sub(own_tick(call)) as f64 * call.host.world().dt_s()))
}

/// The reason why any verb must end: its character left or is not active, its time is over, or the character
/// got another order since `note_errand`.
fn must_end(call: &Call<'_>, plan: &Table) -> mlua::Result<Option<&'static str>> {
    let active = call.host.world().character(call.who).map(|character| character.is_active());
    let errand: Option<u64> = plan.raw_get(ERRAND)?;
    Ok(match active {
        None => Some("despawned"),
        Some(false) => Some("cancelled"),
        Some(true) if errand.is_some_and(|errand| errand != last_errand(call)) => Some("cancelled"),
        Some(true) if seconds_left(call, plan)?.is_some_and(|left_s| left_s <= 0.0) => Some("timeout"),
        Some(true) => None,
    })
}

/// Records the character's last order, so that later ones are noticed.
fn note_errand(call: &Call<'_>, plan: &Table) -> mlua::Result<()> {
    plan.raw_set(ERRAND, last_errand(call))
}

/// A number that changes with every order to a character.
fn last_errand(call: &Call<'_>) -> u64 {
    let world = call.host.world();
    let Some(character) = world.character(call.who) else { return 0 };
    let stops = call.host.people.stops.borrow().get(&call.who).copied().unwrap_or(0);
    // Walk numbers only increase, so the sum never repeats.
    character.last_errand.map_or(0, |walk| walk.0) + stops
}

// ---- wander ----

/// Default rest of a wanderer, in seconds: from, to.
const PAUSE_S: [f64; 2] = [1.0, 3.0];

/// Minimum rest after a walk that did not arrive, so that the character does not retry in every tick.
const LEAST_PAUSE_S: f64 = 0.5;

fn wander_begin(call: &Call<'_>, mut args: Args) -> mlua::Result<MultiValue> {
    let position = call.read(|c| c.position)?;
    let Some(options) = <Option<Value> as Argument>::take(call, &mut args, "options")? else {
        let plan = new_plan(call, None)?;
        set_pause(&plan, PAUSE_S)?;
        return plan.into_lua_multi(call.lua);
    };
    let options = Options::of(call, options, &WANDER_OPTIONS, "options")?;
    let plan = new_plan(call, options.get(call, "timeout")?)?;
    if let Some(area) = options.get::<Option<String>>(call, "area")? {
        area_named(call, &area)?;
        plan.raw_set("area", area)?;
    }
    let around = options.get::<Option<Place>>(call, "around")?;
    match options.get::<Option<f64>>(call, "within")? {
        Some(within_m) => {
            let around = around.unwrap_or_else(|| call.host.world().ground().place_of(position));
            region_of(call, Some(call.who), None, Some((around, within_m)), None)?;
            plan.raw_set("around", place_table(call.lua, around)?)?;
            plan.raw_set("within", within_m)?;
        }
        None if around.is_some() => {
            return Err(call.fail("around needs within: how many metres around it?"));
        }
        None => {}
    }
    let pause = match options.get::<Option<Value>>(call, "pause")? {
        None => PAUSE_S,
        Some(Value::Table(pair)) => {
            let pair = list_of(call, &pair, "pause", 2)?;
            let seconds = |index: usize| {
                let value = pair.get(index).cloned().unwrap_or(Value::Nil);
                Seconds::take(call, &mut Args::one(value), &format!("pause[{}]", index + 1)).map(|s| s.0)
            };
            [seconds(0)?, seconds(1)?]
        }
        Some(value) => [Seconds::take(call, &mut Args::one(value), "pause")?.0; 2],
    };
    if pause[0] > pause[1] {
        let [least, most] = pause;
        return Err(call.fail(format!("pause is the least and the most, not {least} and {most}")));
    }
    set_pause(&plan, pause)?;
    plan.into_lua_multi(call.lua)
}

fn set_pause(plan: &Table, [least, most]: [f64; 2]) -> mlua::Result<()> {
    plan.raw_set("least", least)?;
    plan.raw_set("most", most)
}

fn wander_step(call: &Call<'_>, mut args: Args) -> mlua::Result<MultiValue> {
    let plan = plan_of(&mut args)?;
    if let Some(reason) = must_end(call, &plan)? {
        return over(call, false, reason);
    }
    let position = call.read(|c| c.position)?;
    let area: Option<String> = plan.raw_get("area")?;
    // A reload may have removed the area.
    if area.as_ref().is_some_and(|area| call.host.world().area_named(area).is_none()) {
        return over(call, false, "no_path");
    }
    let around = match plan.raw_get::<Value>("around")? {
        Value::Nil => None,
        around => Some((place_of_value(call, &around, &Value::Nil, "around")?, plan.raw_get("within")?)),
    };
    let region = region_of(
        call,
        Some(call.who),
        area.as_deref(),
        around,
        Some(call.host.world().ground().place_of(position)),
    )?;
    let place = region.map_or(Ok(None), |region| random_place(call, &region))?;
    match place {
        Some(position) => {
            let place = position_table(call, position)?;
            (place, seconds_left(call, &plan)?).into_lua_multi(call.lua)
        }
        None => over(call, false, "no_path"),
    }
}

/// The rest after a walk with this end; nil if the verb ends with it.
fn wander_pause(call: &Call<'_>, mut args: Args) -> mlua::Result<MultiValue> {
    let plan = plan_of(&mut args)?;
    let arrived = args.take() == Value::Boolean(true);
    note_errand(call, &plan)?;
    let (least, most): (f64, f64) = (plan.raw_get("least")?, plan.raw_get("most")?);
    let who = whose_stream(call.host);
    let drawn = if least < most { call.host.world_mut().random(who) } else { 0.0 };
    let mut pause_s = least + (most - least) * drawn;
    if !arrived {
        pause_s = pause_s.max(LEAST_PAUSE_S);
    }
    if let Some(left_s) = seconds_left(call, &plan)? {
        pause_s = pause_s.min(left_s);
    }
    pause_s.into_lua_multi(call.lua)
}
