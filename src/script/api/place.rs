//! Positions as scripts write them: `x, z`, `{x=, z=}`, the name of a point, a character, a hotspot or an
//! area, a character, an area.

use super::entry::Call;
use super::entry::Object;
use super::handle::{Area, Npc};
use super::values::{describe, number};
use crate::nav::{AreaId, ClassId, Place, Position};
use crate::script::host::EXPANSION_COST;
use crate::world::check_place;
use glam::DVec2;
use mlua::{Lua, Table, Value};

/// The position of a value, or of two numbers.
pub(super) fn place_of_value(
    call: &Call<'_>,
    first: &Value,
    second: &Value,
    param: &str,
) -> mlua::Result<Place> {
    let place = match first {
        Value::Integer(_) | Value::Number(_) => match (number(first), number(second)) {
            (Some(x), Some(z)) => DVec2::new(x, z).into(),
            _ => {
                let found = describe(call.host, second);
                return Err(call.fail(format!("{param} is x and z, two numbers; after x comes {found}")));
            }
        },
        Value::Table(table) => from_table(call, table, param)?,
        Value::String(name) => named(call, &name.to_string_lossy(), param)?,
        Value::UserData(userdata) if userdata.is::<Npc>() => {
            let id = userdata.borrow::<Npc>()?.id;
            let position = call.host.read(call.lua, id, |character| character.position)?;
            call.host.world().ground().place_of(position)
        }
        Value::UserData(userdata) if userdata.is::<Area>() => {
            let name = userdata.borrow::<Area>()?.name.clone();
            in_area(call, area_named(call, &name)?)?
        }
        other => {
            let expected = "a position (x, z or {x=, z=}, a point's or an area's name, or a character)";
            return Err(call.wrong(param, expected, other));
        }
    };
    check_place(place).map_err(|error| call.fail(format!("{param}: {error}")))?;
    Ok(place)
}

/// A place as scripts get it.
pub(in crate::script) fn place_table(lua: &Lua, place: Place) -> mlua::Result<Table> {
    let table = lua.create_table_with_capacity(0, if place.y_m.is_some() { 3 } else { 2 })?;
    table.raw_set("x", place.at.x)?;
    if let Some(y) = place.y_m {
        table.raw_set("y", y)?;
    }
    table.raw_set("z", place.at.y)?;
    Ok(table)
}

/// A position as scripts get it: with `y` where the ground has more than one height.
pub(super) fn position_table(call: &Call<'_>, position: Position) -> mlua::Result<Table> {
    let place = call.host.world().ground().place_of(position);
    place_table(call.lua, place)
}

/// Whether somebody of a class can stand at a place.
pub(super) fn is_walkable(call: &Call<'_>, class: ClassId, place: Place) -> bool {
    let world = call.host.world();
    let ground = world.ground_in(class);
    ground.is_walkable(ground.locate(place)) && ground.is_at_a_floor(place)
}

fn from_table(call: &Call<'_>, table: &Table, param: &str) -> mlua::Result<Place> {
    let get = |name: &str, index: i64| -> Option<f64> {
        let by_name = table.raw_get::<Value>(name).ok().and_then(|value| number(&value));
        by_name.or_else(|| table.raw_get::<Value>(index).ok().and_then(|value| number(&value)))
    };
    match (get("x", 1), get("z", 2)) {
        (Some(x), Some(z)) => {
            let height = table.raw_get::<Value>("y").unwrap_or(Value::Nil);
            let y_m = number(&height);
            if y_m.is_none() && height != Value::Nil {
                return Err(call.fail(format!("{param} has a height y that is no number")));
            }
            Ok(Place { at: DVec2::new(x, z), y_m })
        }
        (Some(_), None) if get("y", 3).is_some() => {
            Err(call
                .fail(format!("{param} is a table with x and y; rooms lie in x and z, and y is the height")))
        }
        _ => Err(call.fail(format!("{param} must be a position; a table that is one has numbers x and z"))),
    }
}

fn named(call: &Call<'_>, name: &str, param: &str) -> mlua::Result<Place> {
    let found = call.host.world().place_named(name);
    if let Some(point) = found {
        return Ok(point);
    }
    let area = call.host.world().area_named(name);
    if let Some(area) = area {
        return in_area(call, area);
    }
    call.host.charge_for_search(call.lua)?;
    let world = call.host.world();
    let hotspot = world.room().hotspot_named(name);
    let hint = hotspot
        .map(|_| "; there is a hotspot of this name, but it has no walkTo in the room file".to_owned());
    let meant = || world.similar_place(name).map(|meant| format!("; did you mean '{meant}'?"));
    let hint = hint.or_else(meant);
    let hint = hint.or_else(|| {
        let obstacle = world.room().obstacles.iter().any(|obstacle| obstacle.name == name);
        obstacle.then(|| "; there is an obstacle of this name, and a character cannot walk into it".into())
    });
    let (kinds, room) = (world.kinds_of_places(), world.room().name.clone());
    let about = if param == "place" { String::new() } else { format!("{param}: ") };
    Err(call.fail(format!("{about}no {kinds} '{name}' in room '{room}'{}", hint.unwrap_or_default())))
}

/// The place that an area means relative to the character of the call: near the place or character named
/// before it, or near the character of the method.
fn in_area(call: &Call<'_>, area: AreaId) -> mlua::Result<Place> {
    let walker = {
        let world = call.host.world();
        let own = (call.entry.object == Object::Npc).then_some(call.who);
        let walker = world.character(call.host.call.walker.get().or(own).unwrap_or(call.who));
        walker.map(|walker| (walker.position, walker.target(), walker.class))
    };
    // A character on its way into the area continues to the point it was sent to.
    if let Some((position, Some(target), _)) = walker {
        let world = call.host.world();
        let ground = world.ground();
        if ground.area_contains(area, ground.locate(target)) && !ground.area_contains(area, position) {
            return Ok(target);
        }
    }
    let before = call.host.call.place_before.get().map(|place| call.host.world().ground().locate(place));
    let from = before.or(walker.map(|(position, ..)| position));
    let class = walker.map_or_else(ClassId::default, |(.., class)| class);
    let most = call.host.meter.affords(EXPANSION_COST);
    let found = call.host.world().place_in_area(class, area, from, most);
    let found = found.ok_or_else(|| call.host.search_given_up(call.lua))?;
    call.host.charge(call.lua, (found.work + 1) * EXPANSION_COST)?;
    Ok(call.host.world().ground().place_of(found.at))
}

/// The area of this name.
pub(super) fn area_named(call: &Call<'_>, name: &str) -> mlua::Result<AreaId> {
    let found = call.host.world().area_named(name);
    if found.is_none() {
        call.host.charge(call.lua, call.host.world().room().areas.len() as u64 * 50)?;
    }
    let world = call.host.world();
    found.ok_or_else(|| match call.entry.object {
        Object::Area => {
            call.fail(format!("the area '{name}' is not in the room any more; ask area.valid first"))
        }
        _ => call.fail(world.no_such_area(name.to_owned())),
    })
}
