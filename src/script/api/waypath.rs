//! Waypaths: the room's functions for them, and the scripts' handle of one.

use super::args::{Options, WaypathName, list_of};
use super::define::entry;
use super::entry::{Call, Entry, Object};
use super::handle::{Npc, waypath_handle};
use super::place::place_table;
use super::shapes::{WAYPATH_OPTIONS, WAYPOINT};
use crate::crowd::CharacterId;
use crate::nav::Place;
use crate::plan::PlacedWaypath;
use crate::problem::did_you_mean;
use crate::room::{MAX_WAYPOINTS, Waypath, WaypathKind, Waypoint, WaypointAction};
use crate::script::host::Host;
use crate::world::Command;
use mlua::{Lua, Table, Value};
use std::rc::Rc;

pub(super) const ENTRIES: &[Entry] = &[
    entry! {
        /// A waypath of the room, by its name: a lane, a pavement, a patrol. Its fields and methods follow below.
        fn Room.waypath(name: WaypathName = "the waypath's name") -> (waypath: "Waypath" = "the waypath")
        also["get_waypath", "patrol_path", "lane", "path"]
        example r#"
            local round = room:waypath("round")
            assert(round.kind == "loop" and round.available)
        "#
        |call| {
            placed(call, &name.0, |_| ())?;
            waypath_handle(call.lua, call.host, &name.0)
        }
    },
    entry! {
        /// The names of all waypaths, in the order in which they were added: first those of the room file.
        fn Room.waypaths() -> (names: "string[]" = "the names") also["get_waypaths", "list_waypaths"]
        example r#"
            assert(table.concat(room:waypaths(), " ") == "round")
        "#
        |call| {
            let names: Vec<String> = {
                let world = call.host.world();
                world.links().waypaths().iter().map(|placed| placed.waypath.name.clone()).collect()
            };
            call.host.charge(call.lua, names.len() as u64 * 10)?;
            Ok(names)
        }
    },
    entry! {
        /// Adds a waypath, with the keys of a room file in Lua's spelling. Characters use it in their walks from now on.
        ///
        /// The waypath stays until it is removed, also when the room file is reloaded.
        fn Room.add_waypath(options: Value as "WaypathOptions" = "`{name=, points=, kind=, …}`, the keys of a waypath")
            -> (waypath: "Waypath" = "the new waypath") also["create_waypath", "add_patrol", "add_lane"]
        example r#"
            local lane = room:add_waypath{
              name = "lane", kind = "two_way",
              points = { { at = "bar", speed = 0.5 }, { at = { x = 6, z = 1 } } },
            }
            assert(lane.length == 5 and #lane.points == 2)
            lane:remove()
        "#
        |call| add_waypath(call, options)
    },
    entry! {
        /// The waypath's name.
        field Waypath.name: "string" also["id"]
        example r#"
            assert(room:waypath("round").name == "round")
        "#
        |call| Ok(call.named.to_owned())
    },
    entry! {
        /// Whether the room has the waypath. A reload or `waypath:remove` may remove it.
        field Waypath.valid: "boolean" also["exists"]
        example r#"
            assert(room:waypath("round").valid)
        "#
        |call| Ok(call.host.world().links().waypath_named(call.named).is_some())
    },
    entry! {
        /// In which directions it leads: `one_way`, `two_way` or `loop`.
        field Waypath.kind: "\"one_way\"|\"two_way\"|\"loop\"" also["type", "loop", "one_way"]
        example r#"
            assert(room:waypath("round").kind == "loop")
        "#
        |call| placed(call, call.named, |placed| placed.waypath.kind.as_str())
    },
    entry! {
        /// Whether the waypath is open. Setting it opens or closes the waypath; walkers on it plan again.
        setting Waypath.available: "boolean" also["open", "enabled", "activated", "is_open", "closed"]
        example r#"
            local round = room:waypath("round")
            round.available = false
            assert(not round.available)
        "#
        |call| placed(call, call.named, |placed| placed.available),
        |call, value: bool| {
            placed(call, call.named, |_| ())?;
            call.apply(Command::SetWaypathAvailable { waypath: call.named.to_owned(), available: value })
        }
    },
    entry! {
        /// The tags of the characters that use it: one of them is enough. Empty if all do.
        field Waypath.tags: "string[]" also["groups"]
        example r#"
            assert(room:waypath("round").tags[1] == "watch")
        "#
        |call| placed(call, call.named, |placed| placed.waypath.tags.clone())
    },
    entry! {
        /// Its length on the ground, in metres.
        field Waypath.length: "number" also["distance"]
        example r#"
            assert(room:waypath("round").length == 5)
        "#
        |call| placed(call, call.named, PlacedWaypath::length_m)
    },
    entry! {
        /// Its waypoints, in walking order, as new tables.
        field Waypath.points: "Waypoint[]" also["waypoints", "nodes"]
        example r#"
            local points = room:waypath("round").points
            assert(#points == 4 and points[2].crouch and points[2].index == 2)
        "#
        |call| {
            let (name, count) =
                placed(call, call.named, |placed| (call.named.to_owned(), placed.waypath.points.len()))?;
            call.host.charge(call.lua, count as u64 * 20)?;
            let actions = placed(call, call.named, |placed| {
                placed.waypath.points.iter().map(|point| point.action.clone()).collect::<Vec<_>>()
            })?;
            let tables = actions.iter().enumerate().map(|(index, action)| {
                waypoint_table(call.lua, call.host, (&name, index as u32), action)
            });
            tables.collect::<mlua::Result<Vec<Table>>>()
        }
    },
    entry! {
        /// The characters that walk along it or stand on it, in the order in which they came into the room.
        fn Waypath.users() -> (npcs: "Npc[]" = "the characters") also["occupants", "walkers"]
        example r#"
            assert(#room:waypath("round"):users() == 0)
        "#
        |call| {
            let id = placed(call, call.named, |placed| placed.id)?;
            let found: Vec<CharacterId> = call.host.world().on_waypath(id).collect();
            let all = call.host.world().characters().len() as u64;
            call.host.charge(call.lua, all + 10 * found.len() as u64)?;
            found.into_iter().map(|id| Npc::value(call.lua, call.host, id)).collect::<mlua::Result<Vec<_>>>()
        }
    },
    entry! {
        /// Removes the waypath. Walkers on it plan again.
        fn Waypath.remove() -> () also["delete", "destroy"]
        example r#"
            local round = room:waypath("round")
            round:remove()
            assert(not round.valid)
        "#
        |call| {
            placed(call, call.named, |_| ())?;
            call.order(Command::RemoveWaypath(call.named.to_owned()))
        }
    },
    entry! {
        /// The waypath that the character walks along, or stands on where its walk ended; nil elsewhere.
        field Npc.waypath: "Waypath?" also["patrol", "lane", "current_waypath"]
        example r#"
            assert(npc.waypath == nil)
        "#
        |call| {
            let id = call.read(|c| c.on_waypath.as_ref().map(|on| on.waypath))?;
            let name = id.and_then(|id| Some(call.host.world().links().waypath(id)?.waypath.name.clone()));
            name.map(|name| waypath_handle(call.lua, call.host, &name)).transpose()
        }
    },
    entry! {
        /// Whether the character crouches, as a waypoint of its waypath says.
        field Npc.crouching: "boolean" also["is_crouching", "crouch", "crouched"]
        example r#"
            assert(not npc.crouching)
        "#
        |call| call.read(|c| c.on_waypath.as_ref().is_some_and(|on| on.crouching))
    },
];

/// A waypoint as scripts get it.
pub(in crate::script) fn waypoint_table(
    lua: &Lua,
    host: &Rc<Host>,
    (waypath, index): (&str, u32),
    action: &WaypointAction,
) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    let at = {
        let world = host.world();
        world.links().waypath_named(waypath).and_then(|placed| {
            let meant = placed.waypath.points.get(index as usize)?.at;
            let on_ground = placed.points.get(index as usize).copied().flatten();
            Some(on_ground.map_or(meant, |at| world.ground().place_of(at)))
        })
    };
    if let Some(at) = at {
        table.raw_set("at", place_table(lua, at)?)?;
    }
    table.raw_set("waypath", waypath)?;
    table.raw_set("index", index + 1)?;
    table.raw_set("crouch", action.crouch)?;
    table.raw_set("speed", action.speed)?;
    table.raw_set("jump", action.jump.then_some(true))?;
    table.raw_set("handler", action.handler.as_deref())?;
    Ok(table)
}

/// Reads from a waypath by its name.
fn placed<R>(call: &Call<'_>, name: &str, read: impl FnOnce(&PlacedWaypath) -> R) -> mlua::Result<R> {
    let count = call.host.world().links().waypaths().len() as u64;
    call.host.charge(call.lua, count)?;
    let world = call.host.world();
    match world.links().waypath_named(name) {
        Some(placed) => Ok(read(placed)),
        None if call.entry.object == Object::Waypath => {
            let hint = "ask waypath.valid first";
            Err(call.fail(format!("the waypath '{name}' is not in the room any more; {hint}")))
        }
        None => Err(call.fail(world.no_such_waypath(name.to_owned()))),
    }
}

/// Instructions charged for adding a waypath, and for each of its waypoints: they are looked for on the ground.
const ADD_COST: u64 = 5000;
const POINT_COST: u64 = 500;

fn add_waypath(call: &Call<'_>, options: Value) -> mlua::Result<Value> {
    let options = Options::of(call, options, &WAYPATH_OPTIONS, "options")?;
    let name: String = options.get(call, "name")?;
    let kind = match options.get::<Option<String>>(call, "kind")? {
        None => WaypathKind::OneWay,
        Some(word) => WaypathKind::named(&word).ok_or_else(|| unknown_kind(call, &word))?,
    };
    let points = match options.get::<Value>(call, "points")? {
        Value::Table(points) => list_of(call, &points, "points", MAX_WAYPOINTS)?,
        other => {
            return Err(call.wrong("points", "a list of waypoints like {{at = {x = 3, z = 1}}}", &other));
        }
    };
    call.host.charge(call.lua, ADD_COST + POINT_COST * points.len() as u64)?;
    let point = |(index, value)| waypoint(call, value, &format!("points[{}]", index + 1));
    let points = points.into_iter().enumerate().map(point).collect::<mlua::Result<Vec<_>>>()?;
    let mut waypath = Waypath::new(name.clone(), kind, std::iter::empty::<Place>());
    waypath.points = points;
    waypath.tags = options.get::<Option<Vec<String>>>(call, "tags")?.unwrap_or_default();
    waypath.available = options.get::<Option<bool>>(call, "available")?.unwrap_or(true);
    call.apply(Command::AddWaypath(Box::new(waypath)))?;
    waypath_handle(call.lua, call.host, &name).map(Value::UserData)
}

fn waypoint(call: &Call<'_>, value: Value, param: &str) -> mlua::Result<Waypoint> {
    let options = Options::of(call, value, &WAYPOINT, param)?;
    let mut action = WaypointAction::default();
    action.crouch = options.get(call, "crouch")?;
    action.speed = options.get(call, "speed")?;
    action.jump = options.get::<Option<bool>>(call, "jump")?.unwrap_or(false);
    action.handler = options.get(call, "handler")?;
    let mut waypoint = Waypoint::new(options.get::<Place>(call, "at")?);
    waypoint.action = action;
    Ok(waypoint)
}

fn unknown_kind(call: &Call<'_>, word: &str) -> mlua::Error {
    let all = WaypathKind::ALL.map(WaypathKind::as_str);
    let hint = match did_you_mean(word, all) {
        Some(meant) => format!("did you mean '{meant}'?"),
        None => format!("there are {}", all.join(", ")),
    };
    call.fail(format!("no kind of waypath '{word}'; {hint}"))
}
