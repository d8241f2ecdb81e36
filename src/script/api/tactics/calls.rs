//! What the functions of the tactical level do.

use super::arguments::{At, stance_named};
use crate::crowd::{ActorState, CharacterId};
use crate::room::{ActorSpec, Stance};
use crate::script::api::args::Options;
use crate::script::api::entry::{Call, Many};
use crate::script::api::sequences::sleep;
use crate::script::api::shapes::{ACTOR_OPTIONS, TACTICAL_WALK};
use crate::script::task::Wait;
use crate::tactics::{Actor, Cell, Move};
use crate::world::{ActorPlace, Applied, Command, World};
use mlua::{IntoLua, Lua, MultiValue, Table, Value};

/// Instructions charged for a path, and for each place that a table may have.
const PATH_COST: u64 = 500;
const CELLS_OF_INSTRUCTION: u64 = 4;

/// Reads from a world with a tactical level.
pub(super) fn with_level<R>(call: &Call<'_>, read: impl FnOnce(&World) -> R) -> mlua::Result<R> {
    let world = call.host.world();
    if world.tactics().is_none() {
        return Err(call.fail("this room has no tactical level; the key 'tactics' of its file gives it one"));
    }
    Ok(read(&world))
}

/// What an actor is now.
fn actor_of(call: &Call<'_>, who: CharacterId) -> mlua::Result<ActorState> {
    let world = call.host.world();
    let actor = world.character(who).and_then(|character| character.actor.as_deref()).cloned();
    actor.ok_or_else(|| {
        let name = world.name_of(who);
        call.fail(format!("'{name}' is no actor of the tactical level; tactics:place(…) makes it one"))
    })
}

pub(super) fn place(
    call: &Call<'_>,
    who: CharacterId,
    cell: Cell,
    options: Option<Value>,
) -> mlua::Result<Value> {
    with_level(call, |_| ())?;
    let now = {
        let world = call.host.world();
        world.character(who).and_then(|character| character.actor.as_deref()).cloned()
    };
    let mut actor = ActorSpec::on_side("");
    if let Some(now) = now {
        (actor.side, actor.size, actor.stance) = (now.side, now.size, now.stance);
        (actor.flies, actor.budget) = (now.flies, now.budget);
    }
    if let Some(options) = options {
        let options = Options::of(call, options, &ACTOR_OPTIONS, "options")?;
        if let Some(side) = options.get(call, "side")? {
            actor.side = side;
        }
        if let Some(word) = options.get::<Option<String>>(call, "stance")? {
            actor.stance = stance_named(call, &word, "options")?;
        }
        if let Some(flies) = options.get(call, "flies")? {
            actor.flies = flies;
        }
        if let Some(size) = options.get::<Option<i64>>(call, "size")? {
            let fits = u32::try_from(size).ok().filter(|size| (1..=2).contains(size));
            actor.size = fits.ok_or_else(|| call.fail(format!("size must be 1 or 2, not {size}")))?;
        }
        if let Some(budget) = options.get::<Option<i64>>(call, "budget")? {
            actor.budget = tu_of(call, budget, "budget")?;
        }
    }
    call.order(Command::PlaceActor { who, place: Box::new(ActorPlace { cell, actor }) })
}

fn tu_of(call: &Call<'_>, number: i64, param: &str) -> mlua::Result<u16> {
    u16::try_from(number)
        .map_err(|_| call.fail(format!("{param} must be a whole number of TU from 0 to 65535, not {number}")))
}

pub(super) fn actor_table(call: &Call<'_>, who: CharacterId) -> mlua::Result<Option<Table>> {
    with_level(call, |_| ())?;
    let actor = {
        let world = call.host.world();
        world.character(who).and_then(|character| character.actor.as_deref()).cloned()
    };
    let Some(actor) = actor else { return Ok(None) };
    let table = cell_table(call.lua, actor.cell, actor.stance)?;
    table.raw_set("tu", actor.tu)?;
    table.raw_set("budget", actor.budget)?;
    table.raw_set("side", actor.side)?;
    table.raw_set("size", actor.size)?;
    table.raw_set("flies", actor.flies)?;
    table.raw_set("walking", actor.walk.is_some())?;
    Ok(Some(table))
}

fn cell_table(lua: &Lua, [x, y, level]: Cell, stance: Stance) -> mlua::Result<Table> {
    let table = lua.create_table_with_capacity(0, 6)?;
    table.raw_set("x", x)?;
    table.raw_set("y", y)?;
    table.raw_set("level", level)?;
    table.raw_set("stance", stance.as_str())?;
    Ok(table)
}

/// A move as scripts get it.
pub(in crate::script) fn step_table(lua: &Lua, step: &Move) -> mlua::Result<Table> {
    let table = cell_table(lua, step.to, step.stance)?;
    table.raw_set("move", step.kind.as_str())?;
    table.raw_set("tu", step.tu)?;
    Ok(table)
}

/// What an actor is, what it may do, and where others are.
fn query_of(call: &Call<'_>, who: CharacterId, budget: Option<u16>) -> mlua::Result<(ActorState, Actor)> {
    let actor = actor_of(call, who)?;
    let cells = with_level(call, |world| {
        let [width, depth, levels] = world.tactics().map_or([0; 3], |field| field.size());
        u64::from(width) * u64::from(depth) * u64::from(levels)
    })?;
    call.host.charge(call.lua, PATH_COST + cells / CELLS_OF_INSTRUCTION)?;
    let query = Actor::new(actor.stance, budget.unwrap_or(actor.tu)).flying(actor.flies);
    let query = query.around(call.host.world().cells_of_others(who));
    Ok((actor, query))
}

/// The cheapest moves to a cell, and the stance at their end.
fn way_to(call: &Call<'_>, who: CharacterId, to: &At) -> mlua::Result<Option<(Vec<Move>, Stance)>> {
    let (actor, query) = query_of(call, who, Some(u16::MAX))?;
    let world = call.host.world();
    Ok(world.tactics().and_then(|field| field.path(actor.cell, actor.size, &query, (to.0, to.1))))
}

pub(super) fn reach(call: &Call<'_>, who: CharacterId, budget: Option<i64>) -> mlua::Result<Table> {
    let budget = budget.map(|budget| tu_of(call, budget, "budget")).transpose()?;
    let (actor, query) = query_of(call, who, budget)?;
    let table = call.host.world().tactics().and_then(|field| field.table(actor.cell, actor.size, &query));
    let table = table.ok_or_else(|| call.fail("the actor is in a wall: a door has closed over it"))?;
    let count = table.reached().count() as u64;
    call.host.charge(call.lua, 10 * count)?;
    let places = call.lua.create_table_with_capacity(count as usize, 0)?;
    for place in table.reached() {
        let place_table = cell_table(call.lua, place.cell, place.stance)?;
        place_table.raw_set("tu", place.tu)?;
        places.raw_push(place_table)?;
    }
    Ok(places)
}

pub(super) fn cost_to(call: &Call<'_>, who: CharacterId, to: &At) -> mlua::Result<Many> {
    let values = match way_to(call, who, to)? {
        Some((path, stance)) => {
            let tu: i64 = path.iter().map(|step| i64::from(step.tu)).sum();
            [Value::Integer(tu), stance.as_str().into_lua(call.lua)?]
        }
        None => [Value::Nil, Value::Nil],
    };
    Ok(Many(MultiValue::from_iter(values)))
}

pub(super) fn path_to(call: &Call<'_>, who: CharacterId, to: &At) -> mlua::Result<Option<Vec<Table>>> {
    let Some((path, _)) = way_to(call, who, to)? else { return Ok(None) };
    call.host.charge(call.lua, 10 * path.len() as u64)?;
    path.iter().map(|step| step_table(call.lua, step)).collect::<mlua::Result<Vec<_>>>().map(Some)
}

pub(super) fn walk(
    call: &Call<'_>,
    who: CharacterId,
    path: Vec<(Cell, Option<Stance>)>,
    options: Option<Value>,
) -> mlua::Result<bool> {
    let speed = match options {
        Some(options) => Options::of(call, options, &TACTICAL_WALK, "options")?.get(call, "speed")?,
        None => None,
    };
    // Steps without a stance keep the one before.
    let mut stance = actor_of(call, who)?.stance;
    let mut steps = Vec::with_capacity(path.len());
    for (cell, after) in path {
        stance = after.unwrap_or(stance);
        steps.push((cell, stance));
    }
    set_out(call, who, steps, speed)
}

pub(super) fn take_stance(call: &Call<'_>, who: CharacterId, stance: Stance) -> mlua::Result<bool> {
    let actor = actor_of(call, who)?;
    let steps = if actor.stance == stance { Vec::new() } else { vec![(actor.cell, stance)] };
    set_out(call, who, steps, None)
}

/// Sends an actor out and waits for it. Without a speed it walks as fast as it does on the ground.
fn set_out(
    call: &Call<'_>,
    who: CharacterId,
    steps: Vec<(Cell, Stance)>,
    speed: Option<f64>,
) -> mlua::Result<bool> {
    sleep(call, Wait::Until(0))?;
    let usual = with_level(call, |world| {
        let cell_m = world.tactics().map_or(1.0, |field| field.cell_m());
        world.character(who).map_or(1.0, |character| character.walk_speed_mps.max(0.1) / cell_m)
    })?;
    call.host.charge(call.lua, 20 * steps.len() as u64)?;
    let cells_per_s = speed.unwrap_or(usual);
    let walked = call.apply(Command::WalkCells { who, steps, cells_per_s })?;
    let Applied::Walking(walk) = walked else { return Ok(true) };
    call.host.wish.set(Some(Wait::Walk { who, walk, deadline: None }));
    Ok(true)
}
