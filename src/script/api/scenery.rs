//! Queries about the picture: hotspots, the mask, and the scale of distant characters.

use super::args::{Argument, HotspotName, Options};
use super::define::entry;
use super::entry::{Args, Call, Entry, Many};
use super::place::place_table;
use super::shapes::HOTSPOT_CHANGES;
use crate::nav::Place;
use crate::problem::did_you_mean;
use crate::room::Hotspot;
use crate::world::{Command, HotspotChange};
use mlua::{IntoLua, Lua, MultiValue, Table, Value};

pub(super) const ENTRIES: &[Entry] = &[
    entry! {
        /// The hotspot at a place, or the hotspot with a name. Nil if there is none at the place. Where hotspots
        /// overlap, the first one in the room file counts. One that is switched off is at no place.
        fn Room.hotspot(which: HotspotOrPlace = "a place, or the hotspot's name")
            -> (hotspot: "Hotspot?" = "a copy of the hotspot as it is now; `room:set_hotspot` changes it")
        also["get_hotspot", "hotspot_at", "object_at", "thing"]
        example r#"
            local tap = room:hotspot(5.5, 1)
            assert(tap.name == "tap" and tap.cursor == "use" and tap.walk_to.x == 5 and tap.enabled)
            assert(room:hotspot("tap").name == "tap" and room:hotspot(1, 5) == nil)
        "#
        |call| hotspot(call, which)
    },
    entry! {
        /// Changes a hotspot: switches it off or on, moves it, gives it another place to stand or another pointer. What is
        /// left out stays.
        ///
        /// The changes are saved with the room. A reload keeps them, unless the hotspot has changed in the room file.
        fn Room.set_hotspot(
            name: HotspotName = "the hotspot's name",
            changes: Value as "HotspotChanges" = "`{enabled=, at=, walk_to=, cursor=}`"
        ) -> (changed: "boolean" = "whether anything is other than before")
        also["enable_hotspot", "disable_hotspot", "move_hotspot", "change_hotspot"]
        example r#"
            assert(room:set_hotspot("tap", { enabled = false }))
            assert(room:hotspot(5.5, 1) == nil and not room:hotspot("tap").enabled)
            room:set_hotspot("tap", { enabled = true, at = { x = 2, z = 5 }, cursor = "look" })
            assert(room:hotspot(2, 5).cursor == "look" and room:hotspot(5.5, 1) == nil)
        "#
        |call| set_hotspot(call, name.0, changes)
    },
    entry! {
        /// The names of all hotspots, the first on top.
        fn Room.hotspots() -> (names: "string[]" = "the names") also["get_hotspots", "objects"]
        example r#"
            assert(table.concat(room:hotspots(), " ") == "tap")
        "#
        |call| {
            call.host.charge(call.lua, call.host.world().room().hotspots.len() as u64 * 10)?;
            let world = call.host.world();
            Ok(world.room().hotspots.iter().map(|hotspot| hotspot.name.clone()).collect::<Vec<_>>())
        }
    },
    entry! {
        /// The channels of the mask's pixel at a place, 0 to 255 each. Nil outside the mask, and in a room without a
        /// mask.
        ///
        /// The room decides what a channel means: what the floor is made of, or how deep the water is.
        fn Room.mask_at(place: Place = "the place")
            -> (colour: "Colour?" = "`{red=, green=, blue=, alpha=}`") also["get_pixel", "pixel_at", "mask_colour"]
        example r#"
            assert(room:mask_at("bar") == nil) -- this room is not painted
        "#
        |call| mask_at(call, place)
    },
    entry! {
        /// The scale at which a character at a place is drawn, because of its distance from the viewer.
        ///
        /// 1 is the full size. It is also the scale where the room file has no `depthBands`.
        fn Room.scale_at(place: Place = "the place") -> (
            scale: "number" = "a factor of the full size",
            band: "string?" = "the name of the depth band, if the band has one"
        ) also["depth", "scale", "depth_at", "get_scaling"]
        example r#"
            local scale, band = room:scale_at(3, 0)
            assert(scale == 0.5 and band == "back")
        "#
        |call| {
            let world = call.host.world();
            let depth = world.room().depth_at(place.at.y);
            let (band, scale) = depth.map_or((None, 1.0), |(band, scale)| (band.name.clone(), scale));
            Ok(Many(MultiValue::from_iter([Value::Number(scale), band.into_lua(call.lua)?])))
        }
    },
    entry! {
        /// The scale at which the character is drawn where it stands: see `room:scale_at`. It does not change the
        /// walking speed.
        field Npc.scale: "number" also["zoom", "depth", "size"]
        example r#"
            assert(npc.scale == room:scale_at(npc))
        "#
        |call| {
            let z = call.read(|c| c.position.at.y)?;
            Ok(call.host.world().room().depth_at(z).map_or(1.0, |(_, scale)| scale))
        }
    },
];

/// A hotspot by name, or a place.
enum HotspotOrPlace {
    Named(String),
    At(Place),
}

impl Argument for HotspotOrPlace {
    const LUA: &'static str = Place::LUA;
    const NAMES: &'static str = "hotspot";

    fn take(call: &Call<'_>, args: &mut Args, param: &str) -> mlua::Result<Self> {
        if let Value::String(name) = args.peek() {
            let name = name.to_string_lossy();
            let world = call.host.world();
            let is_place = world.point(&name).is_some() || world.character_named(&name).is_some();
            if world.hotspot_named(&name).is_some() || !is_place {
                drop(world);
                args.take();
                return Ok(Self::Named(name));
            }
        }
        Place::take(call, args, param).map(Self::At)
    }
}

fn hotspot(call: &Call<'_>, which: HotspotOrPlace) -> mlua::Result<Option<Table>> {
    let cost = {
        let world = call.host.world();
        // Pixels are found by binary search, corners one by one.
        let cost =
            |hotspot: &Hotspot| if hotspot.painted.is_some() { 10 } else { 10 + hotspot.polygon.len() / 4 };
        world.room().hotspots.iter().map(cost).sum::<usize>() as u64
    };
    call.host.charge(call.lua, 20 + cost)?;
    let world = call.host.world();
    let room = world.room();
    let found = match &which {
        HotspotOrPlace::At(place) => world.hotspot_at(*place),
        HotspotOrPlace::Named(name) => match world.hotspot_named(name) {
            Some(hotspot) => Some(hotspot),
            None => {
                let names = room.hotspots.iter().map(|hotspot| hotspot.name.as_str());
                let meant = did_you_mean(name, names).map(|meant| format!("; did you mean '{meant}'?"));
                let hint = meant.unwrap_or_default();
                return Err(call.fail(format!("no hotspot '{name}' in room '{}'{hint}", room.name)));
            }
        },
    };
    found.map(|hotspot| hotspot_table(call.lua, hotspot)).transpose()
}

/// Instructions charged for changing a hotspot: all of them are copied.
const SET_COST: u64 = 200;

fn set_hotspot(call: &Call<'_>, name: String, changes: Value) -> mlua::Result<bool> {
    call.host.charge(call.lua, SET_COST + call.host.world().hotspots().len() as u64 * 10)?;
    let options = Options::of(call, changes, &HOTSPOT_CHANGES, "changes")?;
    let change = HotspotChange {
        enabled: options.get(call, "enabled")?,
        at: options.get::<Option<Place>>(call, "at")?.map(|place| place.at),
        walk_to: options.get(call, "walk_to")?,
        cursor: options.get(call, "cursor")?,
    };
    call.change(Command::SetHotspot { hotspot: name, change: Box::new(change) })
}

/// A hotspot as a table for scripts.
pub(in crate::script) fn hotspot_table(lua: &Lua, hotspot: &Hotspot) -> mlua::Result<Table> {
    let table = lua.create_table_with_capacity(0, 5)?;
    table.raw_set("enabled", hotspot.enabled)?;
    table.raw_set("name", hotspot.name.as_str())?;
    table.raw_set("id", hotspot.painted.as_ref().and_then(|painted| painted.id()))?;
    table.raw_set("cursor", hotspot.cursor.as_deref())?;
    let walk_to = hotspot.walk_to.map(|at| place_table(lua, at)).transpose()?;
    table.raw_set("walk_to", walk_to)?;
    Ok(table)
}

fn mask_at(call: &Call<'_>, place: Place) -> mlua::Result<Option<Table>> {
    let Some(colour) = call.host.world().room().mask_at(place.at) else { return Ok(None) };
    let table = call.lua.create_table_with_capacity(0, 4)?;
    let channels =
        [("red", colour.red), ("green", colour.green), ("blue", colour.blue), ("alpha", colour.alpha)];
    for (name, value) in channels {
        table.raw_set(name, value)?;
    }
    Ok(Some(table))
}
