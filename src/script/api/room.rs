//! The room object.

use super::args::{flag, optional_text, text};
use super::handle::{Npc, handle, take_npc};
use super::place::{point_table, take_place};
use crate::crowd::{Character, CharacterId};
use crate::path::{Outcome, Path};
use crate::problem::did_you_mean;
use crate::script::error::fail;
use crate::script::host::Host;
use crate::space::AreaId;
use crate::world::{Applied, Command};
use mlua::{Lua, MetaMethod, MultiValue, Table, UserData, UserDataFields, UserDataMethods, Value, Variadic};
use std::rc::Rc;

/// The room: one object for the whole run.
pub(in crate::script) struct RoomObject {
    pub(in crate::script) host: Rc<Host>,
    pub(in crate::script) state: Table,
}

pub(in crate::script) const NAMES: [&str; 17] = [
    "name",
    "time",
    "tick",
    "state",
    "set_area_available",
    "is_area_available",
    "areas",
    "find_path",
    "find_path_to_nearest",
    "is_walkable",
    "nearest",
    "line_of_sight",
    "npc",
    "npcs",
    "npcs_in",
    "point",
    "click",
];

impl UserData for RoomObject {
    fn add_fields<F: UserDataFields<Self>>(fields: &mut F) {
        fields.add_field_method_get("name", |_, this| Ok(this.host.world().room().name.clone()));
        fields.add_field_method_get("time", |_, this| Ok(this.host.world().time_s()));
        fields.add_field_method_get("tick", |_, this| Ok(this.host.world().tick_number()));
        fields.add_field_method_get("state", |_, this| Ok(this.state.clone()));
    }

    fn add_methods<M: UserDataMethods<Self>>(methods: &mut M) {
        methods.add_method("set_area_available", |lua, this, (name, available): (Value, Value)| {
            set_area_available(lua, &this.host, &name, &available)
        });
        methods.add_method("is_area_available", |lua, this, name: Value| {
            let area = area(lua, &this.host, &text(lua, &name, "is_area_available")?)?;
            Ok(this.host.world().ground().area_available(area))
        });
        methods.add_method("areas", |_, this, ()| {
            let world = this.host.world();
            Ok(world
                .ground()
                .areas()
                .map(|area| world.ground().area_name(area).to_owned())
                .collect::<Vec<_>>())
        });
        methods.add_method("find_path_to_nearest", |lua, this, args: Variadic<Value>| {
            find_path_to_nearest(lua, &this.host, args)
        });
        methods.add_method("find_path", |lua, this, args: Variadic<Value>| find_path(lua, &this.host, args));
        methods
            .add_method("is_walkable", |lua, this, args: Variadic<Value>| is_walkable(lua, &this.host, args));
        methods.add_method("nearest", |lua, this, args: Variadic<Value>| {
            let place = take_place(lua, &this.host, &mut args.into_iter().collect(), "nearest")?;
            let nearest = this.host.world().nearest_walkable(place);
            nearest.map(|point| point_table(lua, point)).transpose()
        });
        methods.add_method("line_of_sight", |lua, this, args: Variadic<Value>| {
            let mut args = args.into_iter().collect();
            let from = take_place(lua, &this.host, &mut args, "line_of_sight: from")?;
            let to = take_place(lua, &this.host, &mut args, "line_of_sight: to")?;
            let cells = from.distance(to) / this.host.world().room().ground.cell_size_m;
            this.host.charge(lua, cells.min(1e9) as u64 * 2)?;
            Ok(this.host.world().ground().segment_clear(from, to))
        });
        methods.add_method("point", |lua, this, name: Value| {
            let name = text(lua, &name, "point")?;
            let place =
                take_place(lua, &this.host, &mut [Value::String(lua.create_string(&name)?)].into(), "point")?;
            point_table(lua, place)
        });
        methods.add_method("npc", |lua, this, name: Value| {
            let name = text(lua, &name, "npc")?;
            let found = this.host.world().character_named(&name).map(|character| character.id);
            match found {
                Some(id) => handle(lua, &this.host, id),
                None => {
                    this.host.charge_for_search(lua)?;
                    Err(fail(lua, nobody(&this.host, &name)))
                }
            }
        });
        methods.add_method("npcs", |lua, this, tag: Value| {
            let tag = optional_text(lua, &tag, "npcs: tag")?;
            select(lua, &this.host, |c| tag.as_ref().is_none_or(|tag| c.tags.binary_search(tag).is_ok()))
        });
        methods.add_method("npcs_in", |lua, this, name: Value| {
            this.host.charge(lua, this.host.world().characters().len() as u64 * 10)?;
            let area = area(lua, &this.host, &text(lua, &name, "npcs_in")?)?;
            let world = this.host.world();
            let inside: Vec<CharacterId> = world
                .characters()
                .iter()
                .filter(|c| world.ground().area_contains(area, c.position))
                .map(|c| c.id)
                .collect();
            drop(world);
            select(lua, &this.host, |c| inside.binary_search(&c.id).is_ok())
        });
        methods.add_method("click", |lua, this, args: Variadic<Value>| {
            let place = take_place(lua, &this.host, &mut args.into_iter().collect(), "click")?;
            this.host.apply(lua, Command::Click(place)).map(drop)
        });
        methods.add_meta_method(MetaMethod::ToString, |_, this, ()| {
            Ok(format!("room:{}", this.host.world().room().name))
        });
        methods.add_meta_method(MetaMethod::Index, |lua, _, name: Value| -> mlua::Result<Value> {
            let name = name.to_string()?;
            let hint = did_you_mean(&name, NAMES).map(|meant| format!("; did you mean '{meant}'?"));
            Err(fail(lua, format!("the room has no '{name}'{}", hint.unwrap_or_default())))
        });
        methods.add_meta_method(
            MetaMethod::NewIndex,
            |lua, _, (name, _): (Value, Value)| -> mlua::Result<()> {
                let name = name.to_string()?;
                Err(fail(
                    lua,
                    format!(
                        "room.{name} cannot be set; what a script remembers belongs in room.state.{name}"
                    ),
                ))
            },
        );
    }
}

/// `set_area_available(name, available)`: both as a global and as a method. True if anything changed.
pub(super) fn set_area_available(
    lua: &Lua,
    host: &Host,
    name: &Value,
    available: &Value,
) -> mlua::Result<bool> {
    let area = text(lua, name, "set_area_available: name")?;
    let available = flag(lua, available, "set_area_available: available")?;
    host.apply(lua, Command::SetAreaAvailable { area, available })
        .map(|applied| applied == Applied::Changed(true))
}

/// Expanding a node takes about as long as this many instructions.
const EXPANSION_COST: u64 = 20;

/// `find_path(from, to)`: the points to walk and the length, or nil and the reason. Both as a global and as a method.
pub(super) fn find_path(lua: &Lua, host: &Host, args: Variadic<Value>) -> mlua::Result<MultiValue> {
    let mut args = args.into_iter().collect();
    let from = take_place(lua, host, &mut args, "find_path: from")?;
    let to = take_place(lua, host, &mut args, "find_path: to")?;
    let most = host.meter.affords(EXPANSION_COST);
    let path = host.world_mut().find_path_within(from, to, most);
    let path = paid(lua, host, path)?;
    if path.outcome == Outcome::Complete {
        return Ok(MultiValue::from_iter([points(lua, &path)?, Value::Number(path.length_m)]));
    }
    no_path(lua, &path)
}

/// `find_path_to_nearest(from, to, npc)`: as the character would walk: points, length, and which step of the cascade gave it
/// (`dynamic`, `static`, `nearest`); or nil and the reason.
fn find_path_to_nearest(lua: &Lua, host: &Host, args: Variadic<Value>) -> mlua::Result<MultiValue> {
    let mut args = args.into_iter().collect();
    let from = take_place(lua, host, &mut args, "find_path_to_nearest: from")?;
    let to = take_place(lua, host, &mut args, "find_path_to_nearest: to")?;
    let walker = match args.front() {
        None | Some(Value::Nil) => None,
        Some(_) => Some(take_npc(lua, &mut args, "find_path_to_nearest: who walks")?),
    };
    let most = host.meter.affords(EXPANSION_COST);
    let path = host.world_mut().find_path_to_nearest(from, to, walker, most);
    let path = paid(lua, host, path)?;
    if path.outcome == Outcome::None {
        return no_path(lua, &path);
    }
    let step = Value::String(lua.create_string(path.step.as_str())?);
    Ok(MultiValue::from_iter([points(lua, &path)?, Value::Number(path.length_m), step]))
}

/// Takes the fuel a search has cost; one that was given up has cost all there was.
fn paid(lua: &Lua, host: &Host, path: Option<Path>) -> mlua::Result<Path> {
    match path {
        Some(path) => host.charge(lua, path.expansions * EXPANSION_COST).map(|()| path),
        None => Err(host.search_given_up(lua)),
    }
}

fn points(lua: &Lua, path: &Path) -> mlua::Result<Value> {
    let points = lua.create_table_with_capacity(path.waypoints.len(), 0)?;
    for &waypoint in &path.waypoints {
        points.raw_push(point_table(lua, waypoint)?)?;
    }
    Ok(Value::Table(points))
}

fn no_path(lua: &Lua, path: &Path) -> mlua::Result<MultiValue> {
    let reason = path.reason.map_or("no way leads there", |reason| reason.describe());
    Ok(MultiValue::from_iter([Value::Nil, Value::String(lua.create_string(reason)?)]))
}

/// `is_walkable(where)`: both as a global and as a method.
pub(super) fn is_walkable(lua: &Lua, host: &Host, args: Variadic<Value>) -> mlua::Result<bool> {
    let place = take_place(lua, host, &mut args.into_iter().collect(), "is_walkable")?;
    Ok(host.world().ground().is_walkable(place))
}

fn area(lua: &Lua, host: &Host, name: &str) -> mlua::Result<AreaId> {
    let world = host.world();
    world.area_named(name).ok_or_else(|| fail(lua, world.no_such_area(name.to_owned())))
}

fn select(lua: &Lua, host: &Rc<Host>, wanted: impl Fn(&Character) -> bool) -> mlua::Result<Vec<Value>> {
    host.charge(lua, host.world().characters().len() as u64 * 10)?;
    let ids: Vec<CharacterId> =
        host.world().characters().iter().filter(|c| wanted(c)).map(|c| c.id).collect();
    ids.into_iter().map(|id| Npc::value(lua, host, id)).collect()
}

fn nobody(host: &Host, name: &str) -> String {
    let world = host.world();
    let names = world.characters().iter().map(|character| character.name.as_str());
    let hint =
        did_you_mean(name, names).map(|meant| format!("; did you mean '{meant}'?")).unwrap_or_default();
    format!("no character '{name}' in room '{}'{hint}", world.room().name)
}
