//! The room: its name, time, areas and places.

use super::args::{AreaName, PlaceName, Pointed};
use super::define::entry;
use super::entry::{Call, Entry};
use super::handle::area_handle;
use super::place::{area_named, place_of_value, place_table};
use crate::script::host::Host;
use crate::world::Command;
use mlua::Value;
use std::rc::Rc;

/// The room: one object for the whole run.
pub(in crate::script) struct RoomObject {
    pub(in crate::script) host: Rc<Host>,
}

pub(super) const ENTRIES: &[Entry] = &[
    entry! {
        /// The room's name: that of its file.
        field Room.name: "string" also["id"]
        example r#"
            assert(room.name == "room")
        "#
        |call| Ok(call.host.world().room().name.clone())
    },
    entry! {
        /// Game time since the room was opened, in seconds.
        field Room.time: "number" also["clock", "now", "elapsed"]
        example r#"
            local before = room.time
            wait(1)
            assert(math.abs(room.time - before - 1) < 0.1)
        "#
        |call| Ok(call.host.world().time_s())
    },
    entry! {
        /// Steps since the room was opened, `ticksPerSecond` of them a second.
        field Room.tick: "integer" also["frame", "step"]
        example r#"
            assert(room.tick >= 0 and math.type(room.tick) == "integer")
        "#
        |call| Ok(call.host.world().tick_number())
    },
    entry! {
        /// A table for the data of the room's scripts. It survives every reload, and all scripts of the room share
        /// it.
        field Room.state: "table" also["data", "memory", "vars"]
        example r#"
            room.state.visits = (room.state.visits or 0) + 1
            assert(room.state.visits == 1)
        "#
        |call| Ok(call.host.lua.room_state.borrow().clone())
    },
    entry! {
        /// Opens or closes an area of the room: a door, a bridge, a spill on the floor.
        ///
        /// Walks that lead through it are planned again before the next step. Characters in an area that closes are
        /// treated as its `whenOccupied` says. So are actors of the tactical level in its brushes.
        fn Room.set_area_available(
            name: AreaName = "the area's name in the room file",
            available: bool = "true to open the area, false to close it"
        ) -> (changed: "boolean" = "whether anything changed")
        also["set_area_enabled", "open_area", "close_area", "open_door", "set_door", "open", "close"]
        example r#"
            assert(room:set_area_available("cellar_door", true))
            assert(not room:set_area_available("cellar_door", true)) -- it is open already
        "#
        |call| call.change(Command::SetAreaAvailable { area: name.0, available })
    },
    entry! {
        /// The same as `room:set_area_available`, as a global function.
        fn Global.set_area_available(
            name: AreaName = "the area's name in the room file",
            available: bool = "true to open the area, false to close it"
        ) -> (changed: "boolean" = "whether anything changed") also[]
        example r#"
            set_area_available("cellar_door", true)
            assert(room:is_area_available("cellar_door"))
        "#
        |call| call.change(Command::SetAreaAvailable { area: name.0, available })
    },
    entry! {
        /// Whether an area is open.
        fn Room.is_area_available(name: AreaName = "the area's name") -> (available: "boolean" = "whether it is open")
        also["area_available", "is_open", "is_door_open", "get_area_available"]
        example r#"
            assert(room:is_area_available("hall") and not room:is_area_available("cellar_door"))
        "#
        |call| {
            let area = area_named(call, &name.0)?;
            Ok(call.host.world().ground().area_available(area))
        }
    },
    entry! {
        /// An area, by its name: its methods and fields follow below.
        fn Room.area(name: AreaName = "the area's name in the room file") -> (area: "Area" = "the area")
        also["get_area", "door"]
        example r#"
            local door = room:area("cellar_door")
            door.available = true
            assert(room:is_area_available("cellar_door"))
        "#
        |call| {
            area_named(call, &name.0)?;
            area_handle(call.lua, call.host, &name.0)
        }
    },
    entry! {
        /// The names of all areas, as the room file orders them.
        fn Room.areas() -> (names: "string[]" = "the names") also["get_areas", "list_areas"]
        example r#"
            assert(table.concat(room:areas(), " ") == "hall cellar_door cellar yard")
        "#
        |call| {
            call.host.charge(call.lua, call.host.world().room().areas.len() as u64 * 10)?;
            let world = call.host.world();
            let ground = world.ground();
            Ok(ground.areas().map(|area| ground.area_name(area).to_owned()).collect::<Vec<_>>())
        }
    },
    entry! {
        /// Where a named point is, or a character with that name.
        fn Room.point(name: PlaceName = "the point's name in the room file")
            -> (position: "Point" = "`{x=, z=}` in metres") also["get_point", "waypoint", "marker", "location"]
        example r#"
            local bar = room:point("bar")
            assert(bar.x == 1 and bar.z == 1)
        "#
        |call| {
            let name = Value::String(call.lua.create_string(&name.0)?);
            place_table(call.lua, place_of_value(call, &name, &Value::Nil, "name")?)
        }
    },
    entry! {
        /// The names of all points, in alphabetical order.
        fn Room.points() -> (names: "string[]" = "the names") also["get_points", "markers", "waypoints"]
        example r#"
            assert(table.concat(room:points(), " ") == "bar barrels well")
        "#
        |call| {
            call.host.charge(call.lua, call.host.world().room().points.len() as u64 * 10)?;
            Ok(call.host.world().room().points.keys().cloned().collect::<Vec<_>>())
        }
    },
    entry! {
        /// Acts as a click of the player at a place. `on_click` is called. If it does not take the click, the player
        /// walks there, or uses the hotspot there.
        fn Room.click(place: Pointed = "where; a hotspot's name means a place on it") -> () also["tap", "simulate_click"]
        example r#"
            room:click(4, 1)
            wait(0.2)
            assert(room:npc("player"):is_moving())
        "#
        |call| call.order(Command::Click(place.0))
    },
];

/// Charges for testing this many places against an area: each test visits all its corners.
pub(super) fn charge_for_corners(call: &Call<'_>, name: &str, places: usize) -> mlua::Result<()> {
    let corners = {
        let world = call.host.world();
        let area = world.room().areas.iter().find(|area| area.name == name);
        area.map_or(0, |area| area.polygon.len())
    };
    call.host.charge(call.lua, places as u64 * (20 + corners as u64 / 4))
}
