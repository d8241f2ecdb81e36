//! The scripts' handle of an area of the room.

use super::define::entry;
use super::entry::{Call, Entry};
use super::handle::Npc;
use super::place::area_named;
use super::room::charge_for_corners;
use crate::crowd::CharacterId;
use crate::nav::Place;
use crate::world::Command;
use mlua::Value;

pub(super) const ENTRIES: &[Entry] = &[
    entry! {
        /// The area's name in the room file.
        field Area.name: "string" also["id"]
        example r#"
            assert(room:area("cellar").name == "cellar")
        "#
        |call| Ok(call.named.to_owned())
    },
    entry! {
        /// Whether the room has the area. A reload may remove it.
        field Area.valid: "boolean" also["exists"]
        example r#"
            assert(room:area("cellar").valid)
        "#
        |call| Ok(call.host.world().area_named(call.named).is_some())
    },
    entry! {
        /// Whether the area is open. Setting it opens or closes the area, as `room:set_area_available` does.
        setting Area.available: "boolean" also["open", "is_open", "enabled", "closed"]
        example r#"
            local door = room:area("cellar_door")
            assert(not door.available)
            door.available = true
            assert(door.available)
        "#
        |call| {
            let area = area_named(call, call.named)?;
            Ok(call.host.world().ground().area_available(area))
        },
        |call, value: bool| {
            call.apply(Command::SetAreaAvailable { area: call.named.to_owned(), available: value })
        }
    },
    entry! {
        /// Whether a place lies in the area.
        fn Area.contains(place: Place = "a place or a character") -> (inside: "boolean" = "whether it is inside")
        also["has", "is_inside", "includes"]
        example r#"
            assert(room:area("hall"):contains(npc) and not room:area("cellar"):contains(npc))
        "#
        |call| {
            let area = area_named(call, call.named)?;
            charge_for_corners(call, call.named, 1)?;
            Ok(call.host.world().ground().area_contains(area, call.host.world().ground().locate(place)))
        }
    },
    entry! {
        /// The characters in the area, in the order in which they came into the room.
        fn Area.npcs() -> (npcs: "Npc[]" = "the characters") also["characters", "occupants", "get_overlapping_bodies"]
        example r#"
            assert(#room:area("hall"):npcs() == 3 and #room:area("cellar"):npcs() == 0)
        "#
        |call| npcs_in(call, call.named)
    },
];

/// All characters in an area, by id.
pub(super) fn npcs_in(call: &Call<'_>, name: &str) -> mlua::Result<Vec<Value>> {
    let area = area_named(call, name)?;
    charge_for_corners(call, name, call.host.world().characters().len())?;
    let inside: Vec<CharacterId> = {
        let world = call.host.world();
        let there = world.characters().iter().filter(|c| world.ground().area_contains(area, c.position));
        there.map(|c| c.id).collect()
    };
    inside.into_iter().map(|id| Npc::value(call.lua, call.host, id)).collect()
}
