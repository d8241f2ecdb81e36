//! Queries about the ground.

use super::args::Start;
use super::define::entry;
use super::entry::{Call, Entry};
use super::place::{is_walkable, place_table, position_table};
use crate::nav::{LocalBoundary, Place};
use glam::DVec2;
use mlua::Table;

pub(super) const ENTRIES: &[Entry] = &[
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
        fn Room.is_walkable(place: Start = "the place; of a character, for its body") -> (walkable: "boolean" = "whether a character can stand there")
        also["walkable", "can_stand", "is_free"]
        example r#"
            assert(room:is_walkable(1, 1) and not room:is_walkable(-5, 0))
        "#
        |call| Ok(is_walkable(call, place.class(call), place.place))
    },
    entry! {
        /// The same as `room:is_walkable`, as a global function.
        fn Global.is_walkable(place: Start = "the place; of a character, for its body")
            -> (walkable: "boolean" = "whether a character can stand there") also[]
        example r#"
            assert(is_walkable("bar"))
        "#
        |call| Ok(is_walkable(call, place.class(call), place.place))
    },
    entry! {
        /// The walkable place nearest to another, or nil if there is none within `snapDistance`.
        fn Room.nearest(place: Start = "the place; of a character, for its body") -> (position: "Point?" = "`{x=, z=}` in metres")
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
        fn Room.walls_near(place: Start = "the place; of a character, for its body", range: Option<f64> = "in metres, at most 20; 4 if left out")
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
        fn Room.line_of_sight(from: Start = "the first place; of a character, for its body", to: Place = "the second place")
            -> (clear: "boolean" = "whether nothing is between")
        also["is_way_clear", "walk_raycast"]
        example r#"
            assert(room:line_of_sight("bar", "well"))
            assert(not room:line_of_sight("bar", "barrels")) -- the cellar door is closed
        "#
        |call| {
            let class = from.class(call);
            let from = from.place;
            let cells = from.distance(to) / call.host.world().room().ground.cell_size_m;
            call.host.charge(call.lua, cells.min(1e9) as u64 * 2)?;
            let world = call.host.world();
            let (from, to) = (world.ground().locate(from), world.ground().locate(to));
            Ok(world.ground_in(class).segment_clear(from, to))
        }
    },
];

fn nearest(call: &Call<'_>, from: Start) -> mlua::Result<Option<Table>> {
    let place = from.place;
    let found = call.host.world().nearest_for(from.class(call), place);
    let snap_m = call.host.world().room().crowd.snap_distance_m;
    let reach_m = found.map_or(snap_m, |found| found.at.distance(place.at));
    call.host.charge(call.lua, cells_within(call, reach_m))?;
    found.map(|position| position_table(call, position)).transpose()
}

/// The cells that a search for the nearest ground looks at.
pub(super) fn cells_within(call: &Call<'_>, reach_m: f64) -> u64 {
    let world = call.host.world();
    let across = 2.0 * reach_m / world.room().ground.cell_size_m + 1.0;
    (across * across).min(world.ground().size() as f64) as u64
}

/// How far walls are looked for, in metres: unless said otherwise, and at most.
const WALLS_RANGE_M: (f64, f64) = (4.0, 20.0);

/// Instructions charged per cell or edge that is looked at for walls. Measured.
const WALL_WORK_COST: u64 = 30;

fn walls_near(call: &Call<'_>, from: Start, range: Option<f64>) -> mlua::Result<Table> {
    let range_m = range.unwrap_or(WALLS_RANGE_M.0);
    if !(0.0..=WALLS_RANGE_M.1).contains(&range_m) {
        return Err(call
            .fail(format!("range must be a number of metres from 0 to {}, not {range_m}", WALLS_RANGE_M.1)));
    }
    let (boundary, centre, work) = {
        let (world, mut boundary) = (call.host.world(), LocalBoundary::default());
        let centre = world.ground().locate(from.place);
        let work = world.ground_in(from.class(call)).boundary_near(centre, range_m, &mut boundary);
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
