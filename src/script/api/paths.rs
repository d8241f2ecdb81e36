//! Paths: planning one, and asking whether there is any.

use super::args::{Options, Start, list_of};
use super::define::entry;
use super::entry::{Call, Entry, Many};
use super::people::character_of;
use super::place::{place_of_value, position_table};
use super::queries::cells_within;
use super::shapes::{PATH_OPTIONS, REACH_OPTIONS};
use super::values::number;
use crate::crowd::CharacterId;
use crate::nav::{Disc, NoPath, Outcome, Path, Place, Query};
use crate::room::MAX_COORDINATE_M;
use crate::script::host::EXPANSION_COST;
use mlua::{MultiValue, Table, Value};

pub(super) const ENTRIES: &[Entry] = &[
    entry! {
        /// Plans a path, ignoring other characters. From a character, its tags decide which links and waypaths it may use.
        ///
        /// The work of one call is limited (see the room's `limits`). `npc:walk_to` searches over several ticks
        /// instead.
        ///
        /// `avoid` lists obstacles: characters, or discs of your own. The path leads round all of them if possible
        /// (the ending's `step` is `"avoiding"`), otherwise through them (`"ignoring"`).
        ///
        /// A place off the ground is moved by up to `snap` metres, the room's `snapDistance` if left out, to the nearest place
        /// on its own side of a wall. With `same_side = true` to no other side where its own is known, with
        /// `same_side = false` to whichever is nearest, with `snap = false` not at all. A path longer than `longest` metres counts as none.
        fn Room.find_path(
            from: Start = "where from",
            to: Place = "where to",
            options: Option<Value> as "PathOptions" = "`{avoid = {npc, {x=, z=, radius=}}, snap=, same_side=, longest=}`"
        ) -> (points: "Point[]?" = "the points to walk, or nil if there is no complete path",
              length_or_reason: "number|string" = "its length in metres, or why there is none",
              ending: "PathEnding?" = "where it ends, and whether it leads round the obstacles of `avoid`")
        also["path", "get_path", "calculate_path", "FindPath"]
        example r#"
            local points, length = room:find_path(npc, "well")
            assert(points and #points >= 1 and length > 3)
            local none, reason = room:find_path(npc, "barrels")
            assert(none == nil and reason == "no way leads there")
            local _, _, near = room:find_path(npc, "barrels")
            assert(near.missed_by > 1) -- a walk would end so far from the barrels
            local _, _, ending = room:find_path(npc, -1, 1) -- in the wall
            assert(ending.x == -1 and ending.snapped_to.x > 0 and ending.missed_by > 1)
            local round, longer, how = room:find_path(npc, "well", { avoid = { { x = 3.5, z = 2.75, radius = 0.6 } } })
            assert(how.step == "avoiding" and longer > length and #round > #points)
            assert(room:find_path(npc, -1, 1, { snap = false }) == nil)
            local _, why = room:find_path(npc, "well", { longest = 1 })
            assert(why == "the way is longer than 1 m")
        "#
        |call| find_path(call, from, to, options)
    },
    entry! {
        /// The same as `room:find_path`, as a global function.
        fn Global.find_path(
            from: Start = "where from",
            to: Place = "where to",
            options: Option<Value> as "PathOptions" = "`{avoid = {npc, {x=, z=, radius=}}, snap=, same_side=, longest=}`"
        ) -> (points: "Point[]?" = "the points to walk, or nil if there is no complete path",
              length_or_reason: "number|string" = "its length in metres, or why there is none",
              ending: "PathEnding?" = "where it ends, and whether it leads round the obstacles of `avoid`")
        also[]
        example r#"
            local points, length = find_path(npc, "well")
            assert(points and length > 3)
        "#
        |call| find_path(call, from, to, options)
    },
    entry! {
        /// Plans a path as a walk would. The path leads round the characters that stand in the way, otherwise through
        /// them, otherwise to the reachable place nearest to the goal.
        fn Room.find_path_to_nearest(
            from: Start = "where from",
            to: Place = "where to",
            walker: Option<CharacterId> = "the character that walks; it does not block its own path"
        ) -> (points: "Point[]?" = "the points to walk, or nil",
              length_or_reason: "number|string" = "its length in metres, or why there is none",
              step: "\"avoiding\"|\"ignoring\"|\"nearest\"|nil"
                  = "round all characters, through some, or only near the goal",
              ending: "PathEnding?" = "where it ends, if not at the goal")
        also["partial_path", "get_partial_path"]
        example r#"
            local points, length, step = room:find_path_to_nearest(npc, "barrels", npc)
            assert(points and length > 3 and step == "nearest")
            local ending = select(4, room:find_path_to_nearest(npc, "barrels", npc))
            assert(ending.missed_by > 1) -- that is how far it stays off the barrels
        "#
        |call| find_path_to_nearest(call, from, to, walker)
    },
    entry! {
        /// Where a straight move ends that walls stop, and that slides along them.
        ///
        /// For a camera or a cursor that stays on the ground. Characters in the way do not count. It is `moveAlongSurface`
        /// of Recast and Detour. A long move may slip round a corner; divide it into steps
        /// of a body's radius if that matters. At most 20 metres.
        fn Room.move_along(
            from: Start = "where from: walkable ground; of a character, for its body",
            to: Place = "where to"
        ) -> (point: "Point?" = "where the move ends, or nil if it begins off the ground",
              polygons: "integer[]" = "the polygons of a mesh that it goes through, as `cicerone bake` counts them; on cells none")
        also["move_along_surface", "moveAlongSurface", "slide", "raycast"]
        example r#"
            local point, polygons = room:move_along(room:point("well"), { x = -1, z = 1 }) -- through the wall
            assert(point.x > 0 and room:is_walkable(point) and #polygons == 0) -- as this ground is made of cells
            assert(room:move_along({ x = -1, z = 1 }, "well") == nil)
        "#
        |call| move_along(call, from, to)
    },
    entry! {
        /// Whether any path leads from one place to another, ignoring characters. Cheaper than a path: mostly a look at which
        /// pieces of ground are joined.
        ///
        /// Where only a search can tell, as over links, it looks at `budget` places at most, and says nil if they are not
        /// enough. `snap` and `same_side` mean the same as for `room:find_path`.
        fn Room.can_reach(
            from: Start = "where from",
            to: Place = "where to",
            options: Option<Value> as "ReachOptions" = "`{snap=, same_side=, budget=}`"
        ) -> (reaches: "boolean?" = "whether a path leads there; nil if the budget was too small to tell")
        also["is_reachable", "path_exists", "has_path", "can_walk_to"]
        example r#"
            assert(room:can_reach(npc, "well") == true)
            assert(room:can_reach(npc, "barrels") == false) -- behind the cellar door
            assert(not room:can_reach(npc, -1, 1, { snap = false }) and room:can_reach(npc, -1, 1, { budget = 100 }))
        "#
        |call| can_reach(call, from, to, options)
    },
];

fn find_path(call: &Call<'_>, from: Start, to: Place, options: Option<Value>) -> mlua::Result<Many> {
    let options = options.map(|options| Options::of(call, options, &PATH_OPTIONS, "options")).transpose()?;
    let (mut discs, mut longest_m) = (Vec::new(), f64::INFINITY);
    if let Some(options) = &options {
        discs = discs_to_avoid(call, options)?;
        longest_m = metres(call, options, "longest")?.unwrap_or(longest_m);
    }
    call.host.charge(call.lua, discs.len() as u64 * EXPANSION_COST)?;
    let Some(query) = query(call, from, to, options.as_ref())? else {
        let reason = Value::String(call.lua.create_string(NoPath::GoalOffGround.describe())?);
        return Ok(Many(MultiValue::from_iter([Value::Nil, reason])));
    };
    let most = call.host.meter.affords(EXPANSION_COST);
    let path = call.host.world().answer(query.with_obstacles(discs), most);
    let path = paid(call, path)?;
    if path.outcome == Outcome::Complete && path.length_m > longest_m {
        let reason = Value::String(call.lua.create_string(format!("the way is longer than {longest_m} m"))?);
        return Ok(Many(MultiValue::from_iter([Value::Nil, reason, Value::Table(ending(call, &path)?)])));
    }
    if path.outcome == Outcome::Complete {
        let points = points(call, &path)?;
        let ending = Value::Table(ending(call, &path)?);
        return Ok(Many(MultiValue::from_iter([points, Value::Number(path.length_m), ending])));
    }
    no_path(call, &path)
}

/// The query with the options about its ends. `None`: its goal may not be moved to any ground.
fn query(call: &Call<'_>, from: Start, to: Place, options: Option<&Options>) -> mlua::Result<Option<Query>> {
    let query = from.query(call, to);
    let Some(options) = options else { return Ok(Some(query)) };
    let most_m = call.host.world().room().crowd.snap_distance_m.max(MOST_SNAP_M);
    let snap_m = match options.get::<Option<Value>>(call, "snap")? {
        None | Some(Value::Boolean(true)) => query.snap_m,
        Some(Value::Boolean(false)) => 0.0,
        Some(_) => metres(call, options, "snap")?.unwrap_or(query.snap_m),
    };
    if snap_m > most_m {
        return Err(call.fail(format!("snap must be at most {most_m} m, not {snap_m}")));
    }
    let same_side = options.get::<Option<bool>>(call, "same_side")?;
    if !call.host.world().ground_in(query.class).is_walkable(query.asked.unwrap_or(query.to)) {
        call.host.charge(call.lua, cells_within(call, snap_m))?;
    }
    Ok(call.host.world().snapped(query, snap_m, same_side))
}

/// Goals are moved no farther by scripts, in metres.
const MOST_SNAP_M: f64 = 100.0;

/// A length under a key.
fn metres(call: &Call<'_>, options: &Options, key: &str) -> mlua::Result<Option<f64>> {
    let length_m = options.get::<Option<f64>>(call, key)?;
    match length_m.filter(|length_m| !(0.0..=MAX_COORDINATE_M).contains(length_m)) {
        Some(bad) => {
            Err(call
                .fail(format!("{key} must be a number of metres from 0 to {MAX_COORDINATE_M}, not {bad}")))
        }
        None => Ok(length_m),
    }
}

/// The places that [`can_reach`] looks at unless told otherwise.
const REACH_BUDGET: i64 = 10_000;

fn can_reach(call: &Call<'_>, from: Start, to: Place, options: Option<Value>) -> mlua::Result<Option<bool>> {
    let options = options.map(|options| Options::of(call, options, &REACH_OPTIONS, "options")).transpose()?;
    let asked =
        options.as_ref().map(|options| options.get::<Option<i64>>(call, "budget")).transpose()?.flatten();
    let budget = asked.unwrap_or(REACH_BUDGET);
    let most =
        u64::try_from(budget).map_err(|_| call.fail(format!("budget must be at least 0, not {budget}")))?;
    let Some(query) = query(call, from, to, options.as_ref())? else { return Ok(Some(false)) };
    let most = most.min(call.host.meter.affords(EXPANSION_COST));
    let (reaches, work) = call.host.world().can_reach(query, most);
    call.host.charge(call.lua, work * EXPANSION_COST)?;
    Ok(reaches)
}

fn find_path_to_nearest(
    call: &Call<'_>,
    from: Start,
    to: Place,
    walker: Option<CharacterId>,
) -> mlua::Result<Many> {
    let most = call.host.meter.affords(EXPANSION_COST);
    let path = call.host.world().find_path_to_nearest(from.place, to, walker, most);
    let path = paid(call, path)?;
    if path.outcome == Outcome::None {
        return no_path(call, &path);
    }
    let points = points(call, &path)?;
    let step = Value::String(call.lua.create_string(path.step.as_str())?);
    let ending = Value::Table(ending(call, &path)?);
    Ok(Many(MultiValue::from_iter([points, Value::Number(path.length_m), step, ending])))
}

/// Maximum things to avoid in one path.
const MAX_AVOIDED: usize = 1000;

/// The obstacles of `avoid`: characters as planners see them, or discs given by the script.
fn discs_to_avoid(call: &Call<'_>, options: &Options) -> mlua::Result<Vec<Disc>> {
    let Some(avoid) = options.get::<Option<Value>>(call, "avoid")? else { return Ok(Vec::new()) };
    let Value::Table(avoid) = avoid else {
        return Err(call.wrong("avoid", "a list like {npc, {x = 1, z = 2, radius = 0.5}}", &avoid));
    };
    let things = list_of(call, &avoid, "avoid", MAX_AVOIDED)?.into_iter().enumerate();
    things.map(|(index, thing)| disc_of(call, thing, &format!("avoid[{}]", index + 1))).collect()
}

fn disc_of(call: &Call<'_>, thing: Value, name: &str) -> mlua::Result<Disc> {
    if let Value::Table(disc) = &thing {
        let centre = place_of_value(call, &thing, &Value::Nil, name)?;
        let radius = disc.raw_get::<Value>("radius")?;
        let radius_m = number(&radius).filter(|radius| *radius > 0.0 && *radius <= MAX_COORDINATE_M);
        let radius_m = radius_m.ok_or_else(|| {
            call.wrong(&format!("{name}.radius"), "a number above zero, in metres", &radius)
        })?;
        let centre = call.host.world().ground().locate(centre);
        return Ok(Disc { centre, radius_m });
    }
    let who = character_of(call, &thing, name)?;
    let part = call.host.world().room().crowd.dynamic_obstacle_radius_fraction;
    call.host.read(call.lua, who, |c| Disc { centre: c.position, radius_m: c.collision_radius_m * part })
}

/// The longest move along the ground, in metres. Its work grows with the ground within the circle over it.
const LONGEST_MOVE_M: f64 = 20.0;

fn move_along(call: &Call<'_>, start: Start, to: Place) -> mlua::Result<Many> {
    let from = start.place;
    let length_m = from.at.distance(to.at);
    if length_m > LONGEST_MOVE_M {
        return Err(call.fail(format!("the move is {length_m:.2} m long; it may be {LONGEST_MOVE_M} m")));
    }
    call.host.charge(call.lua, EXPANSION_COST + cells_within(call, length_m / 2.0))?;
    let moved = call.host.world().ground_in(start.class(call)).move_through(from, to.at);
    let polygons = call.lua.create_table()?;
    let Some((end, through)) = moved else {
        return Ok(Many(MultiValue::from_iter([Value::Nil, Value::Table(polygons)])));
    };
    call.host.charge(call.lua, through.len() as u64)?;
    for floor in through {
        polygons.raw_push(floor.0)?;
    }
    let end = Value::Table(position_table(call, end)?);
    Ok(Many(MultiValue::from_iter([end, Value::Table(polygons)])))
}

/// A path, charged to the script; a search that was given up stops the code.
fn paid(call: &Call<'_>, path: Option<Path>) -> mlua::Result<Path> {
    match path {
        Some(path) => call.host.charge(call.lua, path.work * EXPANSION_COST).map(|()| path),
        None => Err(call.host.search_given_up(call.lua)),
    }
}

fn points(call: &Call<'_>, path: &Path) -> mlua::Result<Value> {
    let points = call.lua.create_table_with_capacity(path.waypoints.len(), 0)?;
    for &waypoint in &path.waypoints {
        points.raw_push(position_table(call, waypoint)?)?;
    }
    Ok(Value::Table(points))
}

/// The requested place, the place a path leads to, and the distance between them.
fn ending(call: &Call<'_>, path: &Path) -> mlua::Result<Table> {
    let table = call.lua.create_table()?;
    table.raw_set("x", path.to.at.x)?;
    table.raw_set("y", path.to.y_m)?;
    table.raw_set("z", path.to.at.y)?;
    table.raw_set("snapped_to", path.snapped_to.map(|end| position_table(call, end)).transpose()?)?;
    table.raw_set("missed_by", path.missed_by_m)?;
    table.raw_set("step", path.step.as_str())?;
    Ok(table)
}

fn no_path(call: &Call<'_>, path: &Path) -> mlua::Result<Many> {
    let reason = path.describe();
    let reason = Value::String(call.lua.create_string(reason)?);
    let ending = Value::Table(ending(call, path)?);
    Ok(Many(MultiValue::from_iter([Value::Nil, reason, ending])))
}
