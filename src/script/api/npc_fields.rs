//! The fields, tags and pockets of a character.

use super::args::Count;
use super::define::entry;
use super::entry::{Call, Entry};
use super::place::{area_named, place_table};
use crate::crowd::{Character, Crossing};
use crate::nav::{ClassId, Place};
use crate::world::{Command, Departed, Setting};
use mlua::Value;

pub(super) const ENTRIES: &[Entry] = &[
    entry! {
        /// The character's name, as the room file or `spawn` gave it. It stays known after the character left.
        field Npc.id: "string" also[]
        example r#"
            assert(npc.id == "guard")
        "#
        |call| Ok(call.host.world().name_of(call.who).to_owned())
    },
    entry! {
        /// The same as `npc.id`.
        field Npc.name: "string" also[]
        example r#"
            assert(npc.name == npc.id)
        "#
        |call| Ok(call.host.world().name_of(call.who).to_owned())
    },
    entry! {
        /// Whether the character is still in the room.
        ///
        /// An event may be about a character that has left: `on_leave`, `on_despawn`, or a message from it. Its `id`,
        /// `name`, `tags()`, `has_tag` and `player` still answer, as they were when it left; so does `inspect()`. Every
        /// other use is an error. The error names the character and the time when it left.
        field Npc.valid: "boolean" also["exists", "is_valid"]
        example r#"
            local guest = spawn{ at = "bar" }
            guest:despawn()
            assert(npc.valid and not guest.valid)
        "#
        |call| Ok(call.host.world().character(call.who).is_some())
    },
    entry! {
        /// Where the character is, in metres.
        field Npc.x: "number" also["pos_x"]
        example r#"
            assert(math.abs(npc.x - room:point("bar").x) < 0.5)
        "#
        |call| seen(call).map(|place| place.at.x)
    },
    entry! {
        /// The height of the ground where the character is, in metres. That of an actor is the height of the floor of its
        /// cell, or of the cell in the air.
        field Npc.y: "number" also["pos_y", "height", "elevation"]
        example r#"
            assert(npc.y == 0)
        "#
        |call| {
            let place = seen(call)?;
            let world = call.host.world();
            Ok(place.y_m.unwrap_or_else(|| world.ground().height_m(world.ground().locate(place))))
        }
    },
    entry! {
        /// Where the character is, in metres; rooms lie in x and z, and y is the height.
        field Npc.z: "number" also["pos_z"]
        example r#"
            assert(math.abs(npc.z - room:point("bar").z) < 0.5)
        "#
        |call| seen(call).map(|place| place.at.y)
    },
    entry! {
        /// `"walk"` while the character walks or is steered, otherwise `"stand"`.
        field Npc.state: "\"stand\"|\"walk\"" also["status"]
        example r#"
            npc:set_target("well")
            assert(npc.state == "walk")
        "#
        |call| call.read(|c| c.state().as_str())
    },
    entry! {
        /// The direction in which the character is steered (`npc:steer`), or nil. Its length is the share of the
        /// walking speed, at most 1.
        field Npc.steering: "Point?" also["input", "move_direction", "wish_dir"]
        example r#"
            assert(npc.steering == nil)
            npc:steer(0, -3)
            assert(npc.steering.x == 0 and npc.steering.z == -1)
        "#
        |call| call.read(|c| c.steering)?.map(|direction| place_table(call.lua, direction.into())).transpose()
    },
    entry! {
        /// The factor of its speed on the ground where it stands: the `speed` of the area it is in, or 1.
        field Npc.ground_speed: "number" also["terrain_speed", "speed_factor"]
        example r#"
            assert(npc.ground_speed == 1)
        "#
        |call| call.read(|c| c.ground_speed)
    },
    entry! {
        /// Whether the player controls this character: clicks make it walk.
        field Npc.player: "boolean" also["is_player"]
        example r#"
            assert(room:npc("player").player and not npc.player)
        "#
        |call| known(call, |c| c.player, |gone| gone.player)
    },
    entry! {
        /// What the character says at the moment, or nil.
        field Npc.saying: "string?" also["text", "speech"]
        example r#"
            npc:say("Halt!")
            assert(npc.saying == "Halt!")
        "#
        |call| {
            let now = call.host.world().tick_number();
            let said = |c: &Character| c.speech.clone().filter(|speech| speech.until_tick > now);
            call.read(|c| said(c).map(|speech| speech.text))
        }
    },
    entry! {
        /// The direction in which the character looks, in radians: 0 is along x, a quarter turn (`math.pi / 2`) is
        /// along z.
        ///
        /// Setting it turns the character at once. `npc:turn_to` turns it at its `rotation_speed`.
        setting Npc.heading: "number" also["rotation", "angle", "facing", "yaw"]
        example r#"
            npc.heading = math.pi / 2
            assert(math.abs(npc.heading - math.pi / 2) < 1e-9)
        "#
        |call| call.read(|c| c.heading_rad),
        |call, value: f64| call.apply(Command::Tune { who: call.who, setting: Setting::Heading(value) })
    },
    entry! {
        /// The velocity of the character as `{x=, z=}` in metres a second, averaged over about a tenth of a second. For
        /// animation: it is what the character really moves, not what it wants.
        field Npc.velocity: "Point" also["speed_vector", "current_speed", "desiredVelocity", "linear_velocity"]
        example r#"
            npc:set_target("well")
            wait(0.5)
            assert(npc.velocity.x ^ 2 + npc.velocity.z ^ 2 > 1)
        "#
        |call| {
            let velocity = call.read(Character::velocity_mps)?;
            place_table(call.lua, velocity.into())
        }
    },
    entry! {
        /// Where the character is, as a new table. The table does not change when the character moves.
        fn Npc.pos() -> (position: "Point" = "`{x=, z=}` in metres")
        also["position", "get_position", "get_pos", "location"]
        example r#"
            local here = npc:pos()
            assert(here.x == npc.x and here.z == npc.z)
        "#
        |call| super::place::place_table(call.lua, seen(call)?)
    },
    entry! {
        /// The link that the character is crossing; nil on the ground.
        field Npc.link: "Link?" also["crossing", "isOnOffMeshLink", "current_link"]
        example r#"
            assert(npc.link == nil)
            npc:set_target(1, 8) -- the yard, behind the wall: only a jump leads there
            wait_until(function() return npc.link end, 10)
            assert(npc.link == room:link("jump"))
        "#
        |call| {
            let link = |crossing: &Crossing| crossing.over.is_link().then(|| crossing.link.clone());
            let name = call.read(|c| c.crossing.as_deref().and_then(link))?;
            name.map(|name| super::handle::link_handle(call.lua, call.host, &name)).transpose()
        }
    },
    entry! {
        /// The straight-line distance to a place or to a character. In rooms with storeys, heights count.
        fn Npc.distance_to(place: Place = "a place or a character") -> (distance: "number" = "in metres")
        also["distance", "dist"]
        example r#"
            assert(npc:distance_to("bar") < 0.5)
            assert(npc:distance_to(room:npc("ann")) > 1)
        "#
        |call| {
            let position = call.read(|c| c.position)?;
            Ok(call.host.world().ground().place_of(position).distance_in_space(place))
        }
    },
    entry! {
        /// Moves the character to a place at once. The place must be walkable for it. A walk under way ends as `cancelled`.
        fn Npc.teleport(place: Place = "where to") -> () also["set_position", "warp", "move"]
        example r#"
            npc:teleport("well")
            assert(npc:distance_to("well") == 0)
        "#
        |call| {
            let class = call.read(|c| c.class)?;
            let walkable = super::place::is_walkable(call, class, place);
            if !walkable {
                let (x, z) = (place.at.x, place.at.y);
                let hint = match super::place::is_walkable(call, ClassId::default(), place) {
                    true => "not for this character: its body does not fit, or it may not enter",
                    false => "room:nearest(…) gives a place that is",
                };
                return Err(call.fail(format!("({x:.2}, {z:.2}) is not walkable; {hint}")));
            }
            call.order(Command::Teleport { who: call.who, to: place })
        }
    },
    entry! {
        /// Removes the character from the room. Its walk ends as `despawned`. Its timers and sequences end, too.
        fn Npc.despawn() -> () also["destroy", "remove", "delete", "kill", "queue_free"]
        example r#"
            local guest = spawn{ at = "bar" }
            guest:despawn()
            assert(not guest.valid)
        "#
        |call| call.order(Command::Despawn(call.who))
    },
    entry! {
        /// Whether the character has a tag. Tags come from the room file, from `spawn`, or from `npc:add_tag`.
        fn Npc.has_tag(tag: String = "the tag") -> (has: "boolean" = "whether it has it")
        also["is_tagged", "compare_tag", "is_in_group"]
        example r#"
            assert(npc:has_tag("staff") and not npc:has_tag("guest"))
        "#
        |call| known(call, |c| c.tags.binary_search(&tag).is_ok(), |gone| gone.tags.binary_search(&tag).is_ok())
    },
    entry! {
        /// Whether `only` and `never` of an area let the character in, whether the area is open or not. An area that does not
        /// is no ground for it: paths lead round it, and nobody can push it in there.
        fn Npc.may_enter(area: String = "the name of an area") -> (may: "boolean" = "whether it may")
        also["is_allowed", "area_mask", "can_enter"]
        example r#"
            assert(npc:may_enter("cellar"))
        "#
        |call| {
            let area = area_named(call, &area)?;
            call.read(|c| call.host.world().may_enter(c, area))
        }
    },
    entry! {
        /// All tags of the character, in alphabetical order.
        fn Npc.tags() -> (tags: "string[]" = "the tags") also["get_tags", "groups"]
        example r#"
            npc:add_tag("asleep")
            assert(table.concat(npc:tags(), " ") == "asleep staff")
        "#
        |call| {
            pay_for_each(call, known(call, |c| c.tags.len(), |gone| gone.tags.len())?)?;
            known(call, |c| c.tags.clone(), |gone| gone.tags.clone())
        }
    },
    entry! {
        /// Gives the character a tag. `room:npcs` finds characters by their tags.
        fn Npc.add_tag(tag: String = "the tag") -> () also["tag", "set_tag", "add_to_group"]
        example r#"
            npc:add_tag("angry")
            assert(#room:npcs("angry") == 1)
        "#
        |call| {
            let mut tags = call.read(|c| c.tags.clone())?;
            tags.push(tag);
            call.order(Command::Tune { who: call.who, setting: Setting::Tags(tags) })
        }
    },
    entry! {
        /// Takes a tag from the character, if it has it.
        fn Npc.remove_tag(tag: String = "the tag") -> () also["untag", "remove_from_group"]
        example r#"
            npc:remove_tag("staff")
            assert(not npc:has_tag("staff"))
        "#
        |call| {
            let mut tags = call.read(|c| c.tags.clone())?;
            tags.retain(|other| *other != tag);
            call.order(Command::Tune { who: call.who, setting: Setting::Tags(tags) })
        }
    },
    entry! {
        /// Adds items to the character's inventory: a key, three coins. The scripts decide what an item means.
        ///
        /// The inventory survives reloads, as everything about a character does.
        fn Npc.give(thing: String = "the item", count: Option<Count> = "how many, 1 if left out") -> ()
        also["add_item", "give_item", "add_inventory"]
        example r#"
            npc:give("cellar_key")
            npc:give("coin", 3)
            assert(npc:has("cellar_key") and npc:has("coin", 3))
        "#
        |call| {
            let count = count.map_or(1, |count| count.0);
            call.order(Command::Give { who: call.who, thing, count })
        }
    },
    entry! {
        /// Removes items from the character's inventory. If it has fewer than `count`, none are removed.
        fn Npc.take(thing: String = "the item", count: Option<Count> = "how many, 1 if left out")
            -> (taken: "boolean" = "whether there were as many")
        also["remove_item", "take_item", "lose_inventory"]
        example r#"
            npc:give("coin", 3)
            assert(npc:take("coin", 2))
            assert(not npc:take("coin", 2)) -- there is only one left
            assert(npc:has("coin"))
        "#
        |call| {
            let count = count.map_or(1, |count| count.0);
            call.change(Command::Take { who: call.who, thing, count })
        }
    },
    entry! {
        /// Whether the character carries an item.
        fn Npc.has(thing: String = "the item", count: Option<Count> = "how many at least, 1 if left out")
            -> (has: "boolean" = "whether it carries as many")
        also["has_item", "has_inventory", "owns"]
        example r#"
            npc:give("lamp")
            assert(npc:has("lamp") and not npc:has("lamp", 2))
        "#
        |call| {
            let count = count.map_or(1, |count| count.0);
            call.read(|c| c.inventory.get(&thing).is_some_and(|&carried| carried >= count))
        }
    },
    entry! {
        /// The inventory of the character: how many of each item.
        fn Npc.inventory() -> (inventory: "table<string, integer>" = "how many, by name") also["things", "items"]
        example r#"
            npc:give("coin", 3)
            assert(npc:inventory().coin == 3)
        "#
        |call| {
            pay_for_each(call, call.read(|c| c.inventory.len())?)?;
            let inventory = call.lua.create_table()?;
            for (thing, count) in call.read(|c| c.inventory.clone())? {
                inventory.raw_set(thing, count)?;
            }
            Ok(Value::Table(inventory))
        }
    },
];

/// Charges in advance for copying this many words.
fn pay_for_each(call: &Call<'_>, words: usize) -> mlua::Result<()> {
    const WORD_COST: u64 = 30;
    call.host.charge(call.lua, words as u64 * WORD_COST)
}

/// Reads facts about a character that stay known after it left.
fn known<R>(
    call: &Call<'_>,
    here: impl FnOnce(&Character) -> R,
    gone: impl FnOnce(&Departed) -> R,
) -> mlua::Result<R> {
    let left = call.host.world().departed(call.who).map(gone);
    left.map_or_else(|| call.read(here), Ok)
}

/// Where the character of the call is, also on a link.
fn seen(call: &Call<'_>) -> mlua::Result<Place> {
    call.read(|_| ())?;
    let world = call.host.world();
    Ok(world.character(call.who).map_or_else(Place::default, |character| world.seen_at(character)))
}
