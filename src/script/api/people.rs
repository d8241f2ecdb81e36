//! Finding characters in the room, and spawning them.

use super::area::npcs_in;
use super::args::{AreaName, Argument, NpcName, Options};
use super::define::entry;
use super::entry::Args;
use super::entry::{Call, Entry, Many};
use super::handle::{Npc, handle};
use super::npc_traits;
use super::place::area_named;
use super::room::charge_for_corners;
use super::shapes::{NPC_QUERY, SPAWN_OPTIONS};
use super::values::describe;
use crate::crowd::{Character, CharacterId};
use crate::nav::{AreaId, Place};
use crate::problem::did_you_mean;
use crate::room::CharacterSpec;
use crate::script::load;
use crate::world::{Applied, Command, World};
use mlua::{AnyUserData, MultiValue, Value};

pub(super) const ENTRIES: &[Entry] = &[
    entry! {
        /// A character, by name. If no character has that name, it is an error; `room:find_npc` returns nil instead.
        fn Room.npc(name: NpcName = "the character's name") -> (npc: "Npc" = "the character")
        also["get_npc", "character", "get_character", "get_node", "find"]
        example r#"
            local ann = room:npc("ann")
            assert(ann.id == "ann" and ann == room:npc("ann"))
        "#
        |call| match find(call, &name.0)? {
            Some(npc) => Ok(npc),
            None => {
                call.host.charge_for_search(call.lua)?;
                Err(call.fail(nobody(&call.host.world(), &name.0)))
            }
        }
    },
    entry! {
        /// A character, by name, or nil if no character has that name.
        fn Room.find_npc(name: NpcName = "the character's name") -> (npc: "Npc?" = "the character")
        also["has_npc", "try_npc", "npc_or_nil", "find_character"]
        example r#"
            assert(room:find_npc("ann") and room:find_npc("bob") == nil)
        "#
        |call| find(call, &name.0)
    },
    entry! {
        /// All characters, or the characters with a tag, or the characters that match a table.
        ///
        /// They are listed in the order in which they came into the room. If the table has `near`, the nearest comes
        /// first.
        fn Room.npcs(which: Option<Value> as "string|NpcQuery" = "a tag, or `{tag=, area=, near=, within=, alive=, player=}`")
            -> (npcs: "Npc[]" = "the characters")
        also["get_npcs", "characters", "find_all", "get_nodes_in_group", "everyone"]
        example r#"
            assert(#room:npcs() == 3 and #room:npcs("staff") == 1)
            local nearest = room:npcs{ near = npc, within = 6, area = "hall" }
            assert(nearest[1] == npc and #room:npcs{ tag = "staff", player = true } == 0)
        "#
        |call| npcs(call, which)
    },
    entry! {
        /// The characters in an area, in the order in which they came into the room.
        fn Room.npcs_in(area: AreaName = "the area's name") -> (npcs: "Npc[]" = "the characters")
        also["characters_in", "who_is_in"]
        example r#"
            assert(#room:npcs_in("hall") == 3)
        "#
        |call| npcs_in(call, &area.0)
    },
    entry! {
        /// Adds a character to the room, at the walkable place nearest to `at`. Its script begins in the next tick.
        fn Global.spawn(options: Value as "SpawnOptions" = "`{at=, name=, script=, walk_speed=, …}`, the keys of a character")
            -> (npc: "Npc" = "the new character") also["create", "instantiate", "add_npc", "new_npc"]
        example r#"
            local guest = spawn{ at = "well", name = "tom", tags = { "guest" }, walk_speed = 1 }
            assert(guest.id == "tom" and guest:has_tag("guest"))
        "#
        |call| spawn(call, options)
    },
    entry! {
        /// Adds a character to the room, unless a character of this name is there already. Then it returns that one,
        /// unchanged.
        ///
        /// `run` restarts after a reload, and when a saved room is restored. With this function it spawns a
        /// character only once. A dead character counts, too: it is still in the room.
        fn Room.spawn_once(options: Value as "SpawnOptions" = "as for `spawn`, with a `name`")
            -> (npc: "Npc" = "the character of this name", is_new: "boolean" = "whether it was added by this call")
        also["ensure_npc", "find_or_spawn", "get_or_spawn"]
        example r#"
            local tom, is_new = room:spawn_once{ name = "tom", at = "well" }
            local same, again = room:spawn_once{ name = "tom", at = "bar" }
            assert(is_new and not again and tom == same and tom:distance_to("well") < 0.5)
        "#
        |call| spawn_once(call, options)
    },
    entry! {
        /// The same as `room:spawn_once`, as a global function.
        fn Global.spawn_once(options: Value as "SpawnOptions" = "as for `spawn`, with a `name`")
            -> (npc: "Npc" = "the character of this name", is_new: "boolean" = "whether it was added by this call")
        also[]
        example r#"
            local tom = spawn_once{ name = "tom", at = "well" }
            assert(tom == spawn_once{ name = "tom", at = "bar" })
        "#
        |call| spawn_once(call, options)
    },
];

fn find(call: &Call<'_>, name: &str) -> mlua::Result<Option<AnyUserData>> {
    let found = call.host.world().character_named(name).map(|character| character.id);
    found.map(|id| handle(call.lua, call.host, id)).transpose()
}

fn nobody(world: &World, name: &str) -> String {
    let names = world.characters().iter().map(|character| character.name.as_str());
    let hint = match did_you_mean(name, names) {
        Some(meant) => format!("did you mean '{meant}'?"),
        None => "room:find_npc gives nil instead of an error".into(),
    };
    format!("no character '{name}' in room '{}'; {hint}", world.room().name)
}

/// The characters that a table asks for.
struct Wanted {
    tag: Option<String>,
    area: Option<AreaId>,
    near: Option<Place>,
    within_m: f64,
    alive: Option<bool>,
    player: Option<bool>,
}

impl Wanted {
    fn of(call: &Call<'_>, which: Option<Value>) -> mlua::Result<Self> {
        let mut wanted =
            Self { tag: None, area: None, near: None, within_m: f64::INFINITY, alive: None, player: None };
        match which {
            None => {}
            Some(tag @ Value::String(_)) => {
                wanted.tag = Some(String::take(call, &mut Args::one(tag), "which")?)
            }
            Some(table) => {
                let query = Options::of(call, table, &NPC_QUERY, "which")?;
                wanted.tag = query.get(call, "tag")?;
                let area: Option<String> = query.get(call, "area")?;
                if let Some(name) = area {
                    wanted.area = Some(area_named(call, &name)?);
                    charge_for_corners(call, &name, call.host.world().characters().len())?;
                }
                wanted.near = query.get::<Option<Place>>(call, "near")?;
                wanted.alive = query.get(call, "alive")?;
                wanted.player = query.get(call, "player")?;
                if let Some(within_m) = query.get::<Option<f64>>(call, "within")? {
                    wanted.within_m = within_m;
                    if wanted.near.is_none() {
                        return Err(call.fail("within needs near: within how many metres of what?"));
                    }
                }
            }
        }
        Ok(wanted)
    }

    fn matches(&self, world: &World, c: &Character) -> bool {
        self.tag.as_ref().is_none_or(|tag| c.tags.binary_search(tag).is_ok())
            && self.area.is_none_or(|area| world.ground().area_contains(area, c.position))
            && self.alive.is_none_or(|alive| alive == c.alive)
            && self.player.is_none_or(|player| player == c.player)
            && self.near.is_none_or(|near| {
                near.distance(c.position) <= self.within_m && world.ground().floors_touch(near, c.position)
            })
    }
}

fn npcs(call: &Call<'_>, which: Option<Value>) -> mlua::Result<Vec<Value>> {
    call.host.charge(call.lua, call.host.world().characters().len() as u64 * 20)?;
    let wanted = Wanted::of(call, which)?;
    let ids: Vec<CharacterId> = {
        let world = call.host.world();
        let mut found: Vec<&Character> =
            world.characters().iter().filter(|character| wanted.matches(&world, character)).collect();
        if let Some(near) = wanted.near {
            let distance = |c: &Character| c.position.at.distance_squared(near.at);
            found.sort_by(|a, b| distance(a).total_cmp(&distance(b)).then(a.id.cmp(&b.id)));
        }
        found.into_iter().map(|character| character.id).collect()
    };
    ids.into_iter().map(|id| Npc::value(call.lua, call.host, id)).collect()
}

fn spawn(call: &Call<'_>, options: Value) -> mlua::Result<Value> {
    let limit = call.host.limits.get().characters;
    if call.host.world().characters().len() >= limit {
        return Err(call.fail(format!("there are {limit} characters already, as many as scripts may bring in: see `characters` in the room's limits")));
    }
    let spec = spawn_spec(call, options)?;
    if let Some(script) = &spec.script {
        load::require(call.lua, call.host, script)?;
    }
    match call.apply(Command::Spawn(Box::new(spec)))? {
        Applied::Spawned(who) => Ok(Value::UserData(handle(call.lua, call.host, who)?)),
        _ => Ok(Value::Nil),
    }
}

fn spawn_once(call: &Call<'_>, options: Value) -> mlua::Result<Many> {
    let name: Option<String> =
        Options::of(call, options.clone(), &SPAWN_OPTIONS, "options")?.get(call, "name")?;
    let Some(name) = name else {
        return Err(call.fail("options must have a name: by it the one that is there already is found"));
    };
    let (npc, is_new) = match find(call, &name)? {
        Some(npc) => (Value::UserData(npc), false),
        None => (spawn(call, options)?, true),
    };
    Ok(Many(MultiValue::from_iter([npc, Value::Boolean(is_new)])))
}

fn spawn_spec(call: &Call<'_>, options: Value) -> mlua::Result<CharacterSpec> {
    let options = Options::of(call, options, &SPAWN_OPTIONS, "options")?;
    let mut spec = call.host.world().room().character_at(options.get::<Place>(call, "at")?);
    let name = options.get::<Option<String>>(call, "name")?;
    spec.name = name.unwrap_or_else(|| free_name(call));
    spec.script = options.get(call, "script")?;
    spec.heading_rad = options.get::<Option<f64>>(call, "heading")?.unwrap_or(0.0);
    if let Some(radius_m) = options.get::<Option<f64>>(call, "radius")? {
        spec.collision_radius_m = radius_m; // unless that is said, too
    }
    npc_traits::read(call, &options, &mut spec.traits)?;
    Ok(spec)
}

/// The first of `npc_1`, `npc_2`, … that was not used yet.
fn free_name(call: &Call<'_>) -> String {
    let spawned = &call.host.people.spawned;
    loop {
        spawned.set(spawned.get() + 1);
        let name = format!("npc_{}", spawned.get());
        if call.host.world().character_named(&name).is_none() {
            return name;
        }
    }
}

/// A character, or the name of one.
pub(super) fn character_of(call: &Call<'_>, value: &Value, param: &str) -> mlua::Result<CharacterId> {
    if let Some(id) = value.as_userdata().and_then(|userdata| userdata.borrow::<Npc>().ok().map(|npc| npc.id))
    {
        return call.host.read(call.lua, id, |_| id);
    }
    let Value::String(name) = value else {
        let found = describe(call.host, value);
        return Err(call.fail(format!("{param} must be a character or its name, not {found}")));
    };
    let name = name.to_string_lossy();
    let found = call.host.world().character_named(&name).map(|character| character.id);
    if found.is_none() {
        call.host.charge_for_search(call.lua)?;
    }
    found.ok_or_else(|| call.fail(nobody(&call.host.world(), &name)))
}
