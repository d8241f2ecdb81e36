//! Queries about the ground.

use super::args::{Options, Start, list_of};
use super::define::entry;
use super::entry::{Call, Entry, Many};
use super::people::character_of;
use super::place::{is_walkable, place_of_value, place_table, position_table};
use super::shapes::PATH_OPTIONS;
use super::values::number;
use crate::crowd::CharacterId;
use crate::nav::{Disc, LocalBoundary, Outcome, Path, Place};
use crate::room::MAX_COORDINATE_M;
use crate::script::host::EXPANSION_COST;
use glam::DVec2;
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
        fn Room.find_path(
            from: Start = "where from",
            to: Place = "where to",
            options: Option<Value> as "PathOptions" = "`{avoid = {npc, {x=, z=, radius=}}}`"
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
        "#
        |call| find_path(call, from, to, options)
    },
    entry! {
        /// The same as `room:find_path`, as a global function.
        fn Global.find_path(
            from: Start = "where from",
            to: Place = "where to",
            options: Option<Value> as "PathOptions" = "`{avoid = {npc, {x=, z=, radius=}}}`"
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
        /// Says what blocks the way from one place to another, and how near a character can get.
        ///
        /// Blockers are closed areas (the fewest that would have to open), obstacles, or a gap that is too narrow.
        fn Room.explain_path(from: Start = "where from", to: Place = "where to")
            -> (explanation: "Explanation" = "what is in the way")
        also["why_no_path", "explain", "debug_path"]
        example r#"
            local why = room:explain_path(npc, "barrels")
            assert(not why.complete and why.blocked_by[1] == "cellar_door" and why.exact)
            log.info(why.text) -- in words, with the nearest point that can be reached
        "#
        |call| super::explain::explain_path(call, from, to)
    },
    entry! {
        /// Whether a character can stand at a place. A place with a height must be less than 1.5 m from its floor.
        fn Room.is_walkable(place: Place = "the place") -> (walkable: "boolean" = "whether a character can stand there")
        also["walkable", "can_stand", "is_free"]
        example r#"
            assert(room:is_walkable(1, 1) and not room:is_walkable(-5, 0))
        "#
        |call| Ok(is_walkable(call, place))
    },
    entry! {
        /// The same as `room:is_walkable`, as a global function.
        fn Global.is_walkable(place: Place = "the place")
            -> (walkable: "boolean" = "whether a character can stand there") also[]
        example r#"
            assert(is_walkable("bar"))
        "#
        |call| Ok(is_walkable(call, place))
    },
    entry! {
        /// The walkable place nearest to another, or nil if there is none within `snapDistance`.
        fn Room.nearest(place: Place = "the place") -> (position: "Point?" = "`{x=, z=}` in metres")
        also["nearest_walkable", "get_closest_point", "sample_position", "closest"]
        example r#"
            local near = room:nearest(-1, 1)
            assert(near.x > 0 and room:is_walkable(near))
        "#
        |call| nearest(call, place)
    },
    entry! {
        /// The walls near a place: the nearest eight within `range` metres, nearest first. Walls are where the ground
        /// ends for a character's centre: outer walls, obstacles and closed areas, not characters.
        ///
        /// Only ground that is connected to the place within the range counts, on its storey. A place off the ground has
        /// no walls.
        fn Room.walls_near(place: Place = "the place", range: Option<f64> = "in metres, at most 20; 4 if left out")
            -> (walls: "WallSegment[]" = "the nearest first; none if there is only open ground")
        also["find_closest_edge", "FindClosestEdge", "distance_to_wall", "local_boundary", "find_nearby_edges"]
        example r#"
            local walls = room:walls_near(npc, 6)
            assert(#walls > 0 and #walls <= 8 and walls[1].distance <= walls[#walls].distance)
            npc:walk_to(walls[1].nearest) -- goes and leans against it
        "#
        |call| walls_near(call, place, range)
    },
    entry! {
        /// Whether the straight way between two places is walkable all along: no wall, obstacle or closed area
        /// between them. Whether a character can see from one to the other is a different question: see
        /// `room:can_see`.
        fn Room.line_of_sight(from: Place = "the first place", to: Place = "the second place")
            -> (clear: "boolean" = "whether nothing is between")
        also["is_way_clear", "walk_raycast"]
        example r#"
            assert(room:line_of_sight("bar", "well"))
            assert(not room:line_of_sight("bar", "barrels")) -- the cellar door is closed
        "#
        |call| {
            let cells = from.distance(to) / call.host.world().room().ground.cell_size_m;
            call.host.charge(call.lua, cells.min(1e9) as u64 * 2)?;
            let world = call.host.world();
            let (from, to) = (world.ground().locate(from), world.ground().locate(to));
            Ok(world.ground().segment_clear(from, to))
        }
    },
];

fn nearest(call: &Call<'_>, place: Place) -> mlua::Result<Option<Table>> {
    let found = call.host.world().nearest_walkable(place);
    let cells = {
        let world = call.host.world();
        let reach_m = found.map_or(world.room().crowd.snap_distance_m, |found| found.at.distance(place.at));
        let across = 2.0 * reach_m / world.room().ground.cell_size_m + 1.0;
        (across * across).min(world.ground().size() as f64)
    };
    call.host.charge(call.lua, cells as u64)?;
    found.map(|position| position_table(call, position)).transpose()
}

/// How far walls are looked for, in metres: unless said otherwise, and at most.
const WALLS_RANGE_M: (f64, f64) = (4.0, 20.0);

/// Instructions charged per cell or edge that is looked at for walls. Measured.
const WALL_WORK_COST: u64 = 30;

fn walls_near(call: &Call<'_>, place: Place, range: Option<f64>) -> mlua::Result<Table> {
    let range_m = range.unwrap_or(WALLS_RANGE_M.0);
    if !(0.0..=WALLS_RANGE_M.1).contains(&range_m) {
        return Err(call
            .fail(format!("range must be a number of metres from 0 to {}, not {range_m}", WALLS_RANGE_M.1)));
    }
    let (boundary, centre, work) = {
        let (world, mut boundary) = (call.host.world(), LocalBoundary::default());
        let centre = world.ground().locate(place);
        let work = world.ground().boundary_near(centre, range_m, &mut boundary);
        (boundary, centre, work)
    };
    call.host.charge(call.lua, work * WALL_WORK_COST)?;
    let list = call.lua.create_table_with_capacity(boundary.walls().len(), 0)?;
    for wall in boundary.walls() {
        let point = |at: DVec2| {
            let has_heights = call.host.world().ground().has_heights();
            place_table(call.lua, Place { at, y_m: has_heights.then(|| wall.height_m(at)) })
        };
        let nearest = wall.nearest(centre.at);
        let table = call.lua.create_table_with_capacity(0, 4)?;
        table.raw_set("from", point(wall.from)?)?;
        table.raw_set("to", point(wall.to)?)?;
        table.raw_set("nearest", point(nearest)?)?;
        table.raw_set("distance", nearest.distance(centre.at))?;
        list.raw_push(table)?;
    }
    Ok(list)
}

fn find_path(call: &Call<'_>, from: Start, to: Place, options: Option<Value>) -> mlua::Result<Many> {
    let discs = options.map_or(Ok(Vec::new()), |options| discs_to_avoid(call, options))?;
    call.host.charge(call.lua, discs.len() as u64 * EXPANSION_COST)?;
    let most = call.host.meter.affords(EXPANSION_COST);
    let query = from.query(call, to).with_obstacles(discs);
    let path = call.host.world().answer(query, most);
    let path = paid(call, path)?;
    if path.outcome == Outcome::Complete {
        let points = points(call, &path)?;
        let ending = Value::Table(ending(call, &path)?);
        return Ok(Many(MultiValue::from_iter([points, Value::Number(path.length_m), ending])));
    }
    no_path(call, &path)
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
fn discs_to_avoid(call: &Call<'_>, options: Value) -> mlua::Result<Vec<Disc>> {
    let options = Options::of(call, options, &PATH_OPTIONS, "options")?;
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
