//! What the functions of the tactical level do.

use super::arguments::{At, SizeInCells, Tu, stance_named};
use crate::crowd::{ActorState, Character, CharacterId};
use crate::room::{ActorSpec, Stance};
use crate::script::api::args::Options;
use crate::script::api::entry::{Call, Many};
use crate::script::api::sequences::sleep;
use crate::script::api::shapes::{ACTOR_OPTIONS, TACTICAL_WALK};
use crate::script::task::Wait;
use crate::tactics::{Actor, Cell, Move};
use crate::world::{ActorPlace, Applied, Command, CommandError, World};
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
    actor.ok_or_else(|| call.fail(CommandError::NoActor(world.name_of(who).to_owned())))
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
    let mut actor = ActorSpec::on_side(ActorSpec::DEFAULT_SIDE);
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
        if let Some(SizeInCells(size)) = options.get(call, "size")? {
            actor.size = size;
        }
        if let Some(Tu(budget)) = options.get(call, "budget")? {
            actor.budget = budget;
        }
    }
    call.order(Command::PlaceActor { who, place: Box::new(ActorPlace { cell, actor }) })
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

/// What an actor is, what it may do, and where others are. `None` for one that is dead or disabled: it goes nowhere.
fn query_of(
    call: &Call<'_>,
    who: CharacterId,
    budget: Option<u16>,
) -> mlua::Result<Option<(ActorState, Actor)>> {
    let actor = actor_of(call, who)?;
    if !call.host.world().character(who).is_some_and(Character::is_active) {
        return Ok(None);
    }
    let cells = with_level(call, |world| {
        let [width, depth, levels] = world.tactics().map_or([0; 3], |field| field.size());
        u64::from(width) * u64::from(depth) * u64::from(levels)
    })?;
    call.host.charge(call.lua, PATH_COST + cells / CELLS_OF_INSTRUCTION)?;
    let query = call.host.world().cell_query(who);
    Ok(query.map(|mut query| {
        query.budget = budget.unwrap_or(actor.tu);
        (actor, query)
    }))
}

/// The cheapest moves to a cell, and the stance at their end.
fn way_to(call: &Call<'_>, who: CharacterId, to: &At) -> mlua::Result<Option<(Vec<Move>, Stance)>> {
    let Some((actor, query)) = query_of(call, who, Some(u16::MAX))? else { return Ok(None) };
    let world = call.host.world();
    Ok(world.tactics().and_then(|field| field.path(actor.cell, actor.size, &query, (to.0, to.1))))
}

pub(super) fn reach(call: &Call<'_>, who: CharacterId, budget: Option<Tu>) -> mlua::Result<Table> {
    let table = query_of(call, who, budget.map(|Tu(budget)| budget))?.and_then(|(actor, query)| {
        call.host.world().tactics().and_then(|field| field.table(actor.cell, actor.size, &query))
    });
    let Some(table) = table else { return call.lua.create_table() };
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
    sleep(call, Wait::Until(0))?;
    let usual = with_level(call, |world| world.usual_cells_per_s(who))?;
    call.host.charge(call.lua, 20 * steps.len() as u64)?;
    set_out(call, who, Command::WalkCells { who, steps, cells_per_s: speed.unwrap_or(usual) })
}

pub(super) fn take_stance(call: &Call<'_>, who: CharacterId, stance: Stance) -> mlua::Result<bool> {
    sleep(call, Wait::Until(0))?;
    set_out(call, who, Command::TakeStance { who, stance })
}

/// Sends an actor out and waits for it.
fn set_out(call: &Call<'_>, who: CharacterId, order: Command) -> mlua::Result<bool> {
    if let Applied::Walking(walk) = call.apply(order)? {
        call.host.call.wait.set(Some(Wait::Walk { who, walk, deadline: None }));
    }
    Ok(true)
}
