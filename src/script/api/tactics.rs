//! The room's tactical level: what actors reach, their walks over cells, and turns.

use super::args::{Argument, Options, list_of};
use super::define::entry;
use super::entry::{Args, Call, Entry, Many};
use super::handle::tactics_handle;
use super::sequences::sleep;
use super::shapes::{ACTOR_OPTIONS, TACTICAL_WALK};
use crate::crowd::{ActorState, CharacterId};
use crate::room::{ActorSpec, Stance};
use crate::script::task::Wait;
use crate::tactics::{Actor, Cell, Move};
use crate::world::{ActorPlace, Applied, Command, World};
use mlua::{IntoLua, Lua, MultiValue, Table, Value};

pub(super) const ENTRIES: &[Entry] = &[
    entry! {
        /// The room's tactical level: turn-based movement from cell to cell. An error in rooms without one.
        fn Room.tactics() -> (tactics: "Tactics" = "the level") also["tactical", "level", "get_tactics", "battlescape"]
        example r#"
            local tactics = room:tactics()
            tactics:place(npc, { x = 1, y = 1, level = 0 }, { side = "guards" })
            assert(tactics:actor(npc).side == "guards")
        "#
        |call| {
            with_level(call, |_| ())?;
            tactics_handle(call.lua, call.host)
        }
    },
    entry! {
        /// Makes a character an actor, or puts an actor on another cell. It drops to the floor there.
        ///
        /// Keys that are left out stay as they are, or are those of a room file: 1 × 1 cells, upright, 50 TU. An actor
        /// takes no part in the crowd: it stands on cells, and only `tactics:walk` moves it.
        fn Tactics.place(
            npc: CharacterId = "the character",
            cell: At = "the cell",
            options: Option<Value> as "ActorOptions" = "`{side=, size=, stance=, flies=, budget=}`"
        ) -> () also["add", "put", "spawn", "teleport"]
        example r#"
            local tactics = room:tactics()
            tactics:place(npc, { x = 2, y = 1, level = 0 }, { side = "guards", budget = 30 })
            assert(tactics:actor(npc).x == 2 and tactics:actor(npc).tu == 30)
        "#
        |call| place(call, npc, cell.0, options)
    },
    entry! {
        /// Lets an actor leave the level: it is a character of the crowd again. False if it was no actor.
        fn Tactics.remove(npc: CharacterId = "the actor") -> (removed: "boolean" = "whether it was an actor")
        also["leave", "delete", "take_off"]
        example r#"
            local tactics = room:tactics()
            tactics:place(npc, { x = 1, y = 1, level = 0 })
            assert(tactics:remove(npc) and tactics:actor(npc) == nil)
            npc:walk_to("well")
        "#
        |call| call.change(Command::RemoveActor(npc))
    },
    entry! {
        /// What a character is on the level: its cell, its stance, its time units (TU). Nil if it is no actor.
        fn Tactics.actor(npc: CharacterId = "the character")
            -> (actor: "TacticalActor?" = "`{x=, y=, level=, stance=, tu=, budget=, side=, size=, flies=, walking=}`")
        also["cell", "get_actor", "unit", "position", "tu"]
        example r#"
            local tactics = room:tactics()
            assert(tactics:actor(player) == nil)
            tactics:place(player, { x = 3, y = 3, level = 0 })
            assert(tactics:actor(player).stance == "stand")
        "#
        |call| actor_table(call, npc)
    },
    entry! {
        /// All places that an actor reaches, with the least TU, by level, row and column. Cells of other actors are
        /// closed to it.
        fn Tactics.reach(
            npc: CharacterId = "the actor",
            budget: Option<i64> = "the TU that it may spend; what it has left, if left out"
        ) -> (places: "TacticalMove[]" = "a list of `{x=, y=, level=, stance=, tu=}`")
        also["reachable", "get_reach", "range", "movement_range"]
        example r#"
            local tactics = room:tactics()
            tactics:place(npc, { x = 1, y = 1, level = 0 })
            assert(#tactics:reach(npc, 2) == 5) -- its own cell, and those beside it
        "#
        |call| reach(call, npc, budget)
    },
    entry! {
        /// The least TU of a walk to a cell, whatever the actor has left. Nil if there is no way.
        fn Tactics.cost_to(npc: CharacterId = "the actor", cell: At = "the cell") -> (
            tu: "integer?" = "the TU",
            stance: "string?" = "the stance at the end: `stand` or `crouch`"
        ) also["tu_to", "get_cost", "cost", "distance_to"]
        example r#"
            local tactics = room:tactics()
            tactics:place(npc, { x = 1, y = 1, level = 0 })
            assert(tactics:cost_to(npc, { x = 4, y = 1, level = 0 }) == 6)
        "#
        |call| cost_to(call, npc, &cell)
    },
    entry! {
        /// The moves of the cheapest walk to a cell, for `tactics:walk`. Nil if there is no way.
        fn Tactics.path_to(npc: CharacterId = "the actor", cell: At = "the cell")
            -> (path: "TacticalMove[]?" = "the moves: `{move=, x=, y=, level=, stance=, tu=}`")
        also["find_path", "get_path", "path"]
        example r#"
            local tactics = room:tactics()
            tactics:place(npc, { x = 1, y = 1, level = 0 })
            local path = tactics:path_to(npc, { x = 3, y = 3, level = 0 })
            assert(#path == 2 and path[1].move == "walk" and path[1].tu == 3)
        "#
        |call| path_to(call, npc, &cell)
    },
    entry! {
        /// Walks along a path, move by move, and waits until that has ended. Each move costs its TU; after each, the
        /// `on_step` of the character and of the room is called.
        ///
        /// `reason` is `arrived`; `partial` if the TU did not suffice for another move; `blocked` if a cell is taken or a
        /// door has closed; or `cancelled`, by `npc:stop` for example.
        wait Tactics.walk(
            npc: CharacterId = "the actor",
            path: Steps = "the moves, as from `tactics:path_to`: `{x=, y=, level=, stance=}` is enough",
            options: Option<Value> as "TacticalWalk" = "`{speed = cells a second}`"
        ) -> (ok: "boolean" = "whether it arrived", reason: "Reason" = "how it ended")
        also["move", "follow", "walk_path", "move_along", "go"]
        example r#"
            local tactics = room:tactics()
            tactics:place(npc, { x = 1, y = 1, level = 0 })
            local ok = tactics:walk(npc, tactics:path_to(npc, { x = 3, y = 1, level = 0 }), { speed = 8 })
            assert(ok and tactics:actor(npc).x == 3 and tactics:actor(npc).tu == 46)
        "#
        |call| walk(call, npc, path.0, options)
    },
    entry! {
        /// Crouches, for 3 TU, and waits until that is done. Nothing happens if the actor crouches already.
        wait Tactics.crouch(npc: CharacterId = "the actor")
            -> (ok: "boolean" = "whether it crouches now", reason: "Reason" = "how it ended") also["kneel", "duck"]
        example r#"
            local tactics = room:tactics()
            tactics:place(npc, { x = 1, y = 1, level = 0 })
            tactics:crouch(npc)
            assert(tactics:actor(npc).stance == "crouch" and tactics:actor(npc).tu == 47)
        "#
        |call| take_stance(call, npc, Stance::Crouch)
    },
    entry! {
        /// Stands up, for 3 TU, and waits until that is done. Under a low ceiling that is an error.
        wait Tactics.stand(npc: CharacterId = "the actor")
            -> (ok: "boolean" = "whether it stands now", reason: "Reason" = "how it ended") also["stand_up", "rise"]
        example r#"
            local tactics = room:tactics()
            tactics:place(npc, { x = 1, y = 1, level = 0 }, { stance = "crouch" })
            tactics:stand(npc)
            assert(tactics:actor(npc).stance == "stand")
        "#
        |call| take_stance(call, npc, Stance::Stand)
    },
    entry! {
        /// Whether an actor flies from now on. One that no longer flies drops to the floor.
        fn Tactics.fly(npc: CharacterId = "the actor", flies: bool = "whether it flies") -> ()
        also["set_flying", "set_flies", "land"]
        example r#"
            local tactics = room:tactics()
            tactics:place(npc, { x = 1, y = 1, level = 0 })
            tactics:fly(npc, true)
            assert(tactics:cost_to(npc, { x = 1, y = 1, level = 1 }) == 4)
        "#
        |call| call.order(Command::SetFlying { who: npc, flies })
    },
    entry! {
        /// Ends the turn, and begins that of the next side: its actors get their TU, and `on_turn` is called. After the
        /// last side, another round begins.
        fn Tactics.end_turn() -> () also["next_turn", "finish_turn", "endTurn"]
        example r#"
            local tactics = room:tactics()
            tactics:place(npc, { x = 1, y = 1, level = 0 }, { side = "guards" })
            tactics:place(player, { x = 5, y = 1, level = 0 }, { side = "thieves" })
            tactics:end_turn()
            tactics:end_turn()
            assert(tactics.side == "thieves")
        "#
        |call| call.order(Command::BeginTurn(None))
    },
    entry! {
        /// Begins the turn of a side of your choice, as initiative wants it.
        fn Tactics.begin_turn(side: String = "the side") -> () also["start_turn", "set_turn"]
        example r#"
            local tactics = room:tactics()
            tactics:place(npc, { x = 1, y = 1, level = 0 }, { side = "guards" })
            tactics:begin_turn("guards")
            assert(tactics.side == "guards" and tactics.round == 1)
        "#
        |call| call.order(Command::BeginTurn(Some(side)))
    },
    entry! {
        /// The side whose turn it is. Nil before the first turn.
        field Tactics.side: "string?" also["turn", "current_side", "active_side"]
        example r#"
            local tactics = room:tactics()
            tactics:place(npc, { x = 1, y = 1, level = 0 }, { side = "guards" })
            tactics:end_turn()
            assert(tactics.side == "guards")
        "#
        |call| with_level(call, |world| world.side_turn().map(|turn| turn.side.clone()))
    },
    entry! {
        /// The round, from 1; 0 before the first turn.
        field Tactics.round: "integer" also["turn_number", "round_number"]
        example r#"
            local tactics = room:tactics()
            tactics:place(npc, { x = 1, y = 1, level = 0 }, { side = "guards" })
            assert(tactics.round == 0)
            tactics:end_turn()
            tactics:end_turn()
            assert(tactics.round == 2)
        "#
        |call| with_level(call, |world| world.side_turn().map_or(0, |turn| turn.round))
    },
    entry! {
        /// The sides of all actors, in the order in which their turns come.
        fn Tactics.sides() -> (sides: "string[]" = "the names") also["get_sides", "teams", "factions"]
        example r#"
            local tactics = room:tactics()
            tactics:place(npc, { x = 1, y = 1, level = 0 }, { side = "guards" })
            assert(table.concat(tactics:sides(), " ") == "guards")
        "#
        |call| with_level(call, |world| {
            world.sides().into_iter().map(str::to_owned).collect::<Vec<_>>()
        })
    },
    entry! {
        /// The size of the level in cells and levels.
        fn Tactics.size() -> (
            width: "integer" = "cells along x",
            depth: "integer" = "cells along y",
            levels: "integer" = "levels"
        ) also["get_size", "dimensions"]
        example r#"
            local width, depth, levels = room:tactics():size()
            assert(width == 8 and depth == 9 and levels >= 2)
        "#
        |call| {
            let size = with_level(call, |world| world.tactics().map_or([0; 3], |field| field.size()))?;
            Ok(Many(size.into_iter().map(|count| Value::Integer(i64::from(count))).collect::<MultiValue>()))
        }
    },
];

/// Instructions charged for a path, and for each place that a table may have.
const PATH_COST: u64 = 500;
const CELLS_OF_INSTRUCTION: u64 = 4;

/// A cell as an argument.
struct At(Cell, Option<Stance>);

impl Argument for At {
    const LUA: &'static str = "Cell";

    fn take(call: &Call<'_>, args: &mut Args, param: &str) -> mlua::Result<Self> {
        let (cell, stance) = cell_of(call, args.take(), param)?;
        Ok(Self(cell, stance))
    }
}

/// The steps of a walk as an argument.
struct Steps(Vec<(Cell, Option<Stance>)>);

/// Upper limit on the steps of a walk.
const MAX_STEPS: usize = 10_000;

impl Argument for Steps {
    const LUA: &'static str = "Cell[]";

    fn take(call: &Call<'_>, args: &mut Args, param: &str) -> mlua::Result<Self> {
        match args.take() {
            Value::Table(table) => {
                let values = list_of(call, &table, param, MAX_STEPS)?.into_iter();
                let step = |(at, value)| cell_of(call, value, &format!("{param}[{}]", at + 1));
                values.enumerate().map(step).collect::<mlua::Result<_>>().map(Self)
            }
            other => Err(call.wrong(param, "a list of cells, as from tactics:path_to", &other)),
        }
    }
}

/// Reads a cell from a table. Scripts may keep more in it.
fn cell_of(call: &Call<'_>, value: Value, param: &str) -> mlua::Result<(Cell, Option<Stance>)> {
    let Value::Table(table) = value else {
        return Err(call.wrong(param, "a cell like {x = 3, y = 1, level = 0}", &value));
    };
    let coordinate = |name: &str| {
        let of = format!("{param}.{name}");
        let number = i64::take(call, &mut Args::one(table.raw_get(name)?), &of)?;
        u32::try_from(number)
            .map_err(|_| call.fail(format!("{of} must be a whole number, 0 or more, not {number}")))
    };
    let cell = [coordinate("x")?, coordinate("y")?, coordinate("level")?];
    let stance =
        <Option<String> as Argument>::take(call, &mut Args::one(table.raw_get("stance")?), "stance")?;
    let stance = stance.map(|word| stance_named(call, &word, param)).transpose()?;
    Ok((cell, stance))
}

fn stance_named(call: &Call<'_>, word: &str, param: &str) -> mlua::Result<Stance> {
    match word {
        "stand" => Ok(Stance::Stand),
        "crouch" => Ok(Stance::Crouch),
        _ => Err(call.fail(format!("{param}: no stance '{word}'; there are stand, crouch"))),
    }
}

/// Reads from a world with a tactical level.
fn with_level<R>(call: &Call<'_>, read: impl FnOnce(&World) -> R) -> mlua::Result<R> {
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

fn place(call: &Call<'_>, who: CharacterId, cell: Cell, options: Option<Value>) -> mlua::Result<Value> {
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

fn actor_table(call: &Call<'_>, who: CharacterId) -> mlua::Result<Option<Table>> {
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

fn reach(call: &Call<'_>, who: CharacterId, budget: Option<i64>) -> mlua::Result<Table> {
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

fn cost_to(call: &Call<'_>, who: CharacterId, to: &At) -> mlua::Result<Many> {
    let values = match way_to(call, who, to)? {
        Some((path, stance)) => {
            let tu: i64 = path.iter().map(|step| i64::from(step.tu)).sum();
            [Value::Integer(tu), stance.as_str().into_lua(call.lua)?]
        }
        None => [Value::Nil, Value::Nil],
    };
    Ok(Many(MultiValue::from_iter(values)))
}

fn path_to(call: &Call<'_>, who: CharacterId, to: &At) -> mlua::Result<Option<Vec<Table>>> {
    let Some((path, _)) = way_to(call, who, to)? else { return Ok(None) };
    call.host.charge(call.lua, 10 * path.len() as u64)?;
    path.iter().map(|step| step_table(call.lua, step)).collect::<mlua::Result<Vec<_>>>().map(Some)
}

fn walk(
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

fn take_stance(call: &Call<'_>, who: CharacterId, stance: Stance) -> mlua::Result<bool> {
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
