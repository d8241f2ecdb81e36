//! Links: the room's functions for them, and the scripts' handle of one.

use super::args::{LinkName, Options, Seconds};
use super::define::entry;
use super::entry::{Call, Entry, Many, Object};
use super::handle::{Npc, link_handle};
use super::place::place_table;
use super::sequences::sleep;
use super::shapes::{JUMP_OPTIONS, LINK_OPTIONS};
use crate::crowd::CharacterId;
use crate::nav::{LinkId, Place};
use crate::plan::PlacedLink;
use crate::problem::did_you_mean;
use crate::room::{Link, LinkKind};
use crate::script::task::Wait;
use crate::world::{Applied, Command};
use mlua::{MultiValue, Table, Value};

pub(super) const ENTRIES: &[Entry] = &[
    entry! {
        /// A link of the room, by its name: a jump, a ladder, a lift. Its fields and methods follow below.
        fn Room.link(name: LinkName = "the link's name") -> (link: "Link" = "the link")
        also["get_link", "ladder", "lift", "off_mesh_link", "nav_link"]
        example r#"
            local jump = room:link("jump")
            assert(jump.kind == "jump" and jump.available)
        "#
        |call| {
            placed(call, &name.0, |_| ())?;
            link_handle(call.lua, call.host, &name.0)
        }
    },
    entry! {
        /// The names of all links, in the order in which they were added: first those of the room file.
        fn Room.links() -> (names: "string[]" = "the names") also["get_links", "list_links"]
        example r#"
            assert(table.concat(room:links(), " ") == "jump")
        "#
        |call| {
            let names: Vec<String> = {
                let world = call.host.world();
                world.links().links().iter().map(|placed| placed.link.name.clone()).collect()
            };
            call.host.charge(call.lua, names.len() as u64 * 10)?;
            Ok(names)
        }
    },
    entry! {
        /// Adds a link between two places, with the keys that a link has in a room file. Characters use it in their
        /// walks from now on; those under way plan again if it may help them.
        ///
        /// The link stays until it is removed, also when the room file is reloaded.
        fn Room.add_link(options: Value as "LinkOptions" = "`{name=, from=, to=, kind=, …}`, the keys of a link")
            -> (link: "Link" = "the new link") also["create_link", "add_jump", "add_ladder", "add_off_mesh_link"]
        example r#"
            local rope = room:add_link{ name = "rope", from = { x = 6, z = 5 }, to = { x = 3, z = 8 }, kind = "climb" }
            assert(rope.one_way == false and rope.cost > 4)
            rope:remove()
        "#
        |call| add_link(call, options)
    },
    entry! {
        /// Records a jump: others may follow over a temporary link of the kind `jump`, one way.
        ///
        /// A room keeps 20; the first one goes when another comes, and who is on the way to it plans again. None is added
        /// where an open link for everybody leads from one place to the other already, its ends no more than half a metre
        /// away: then that link is the result. A jump of the player by `npc:jump_to` is recorded by itself.
        fn Room.record_jump(
            from: Place = "where it begins",
            to: Place = "where it ends",
            options: Option<Value> as "JumpOptions" = "`{velocity=, time=}`"
        ) -> (link: "Link" = "the link", new: "boolean" = "whether it was added") also["add_jump_link", "drop_link"]
        example r#"
            local leap, new = room:record_jump({ x = 3, z = 5.5 }, { x = 3, z = 7.7 }, { velocity = 4 })
            assert(new and leap.temporary and leap.one_way and leap.velocity == 4)
            local same, again = room:record_jump({ x = 3, z = 5.4 }, { x = 3, z = 7.8 })
            assert(same == leap and not again)
            leap:remove()
        "#
        |call| record_jump(call, from, to, options)
    },
    entry! {
        /// Whether the link is a recorded jump, which goes when others come.
        field Link.temporary: "boolean" also["recorded", "is_temporary"]
        example r#"
            assert(not room:link("jump").temporary)
        "#
        |call| placed(call, call.named, |placed| placed.link.temporary)
    },
    entry! {
        /// The velocity of a recorded jump, in metres a second; nil for other links.
        field Link.velocity: "number?" also["speed"]
        example r#"
            assert(room:link("jump").velocity == nil)
        "#
        |call| placed(call, call.named, |placed| placed.link.velocity_mps)
    },
    entry! {
        /// How long a crossing takes, in seconds; nil if that follows from kind and length.
        field Link.seconds: "number?" also["time", "duration"]
        example r#"
            assert(room:link("jump").seconds == nil)
        "#
        |call| placed(call, call.named, |placed| placed.link.seconds)
    },
    entry! {
        /// Jumps to a place, as over a link of the kind `jump`; in a sequence it waits until the character has landed.
        ///
        /// A walk, a following and a turn end as `cancelled`.
        ///
        /// The jump of the player is recorded when it lands, so that others can follow; see `room:record_jump`. Nothing
        /// happens if the character is crossing a link, or jumps already.
        wait Npc.jump_to(
            place: Place = "where to",
            options: Option<Value> as "JumpOptions" = "`{velocity=, time=}`"
        ) -> (ok: "boolean?" = "true after waiting; nothing without waiting", reason: "Reason?" = "`done`")
        also["jump", "leap", "leap_to"]
        example r#"
            npc:teleport(2, 5.5)
            npc:jump_to(2, 7.7, { time = 0.5 })
            assert(npc.z > 7)
        "#
        |call| jump_to(call, place, options)
    },
    entry! {
        /// The link's name.
        field Link.name: "string" also["id"]
        example r#"
            assert(room:link("jump").name == "jump")
        "#
        |call| Ok(call.named.to_owned())
    },
    entry! {
        /// Whether the room has the link. A reload or `link:remove` may remove it.
        field Link.valid: "boolean" also["exists"]
        example r#"
            assert(room:link("jump").valid)
        "#
        |call| Ok(call.host.world().links().named(call.named).is_some())
    },
    entry! {
        /// How characters cross it: `walk`, `jump`, `climb`, `ladder`, `lift`, `teleport` or `handler`.
        field Link.kind: "\"walk\"|\"jump\"|\"climb\"|\"ladder\"|\"lift\"|\"teleport\"|\"handler\"" also["type"]
        example r#"
            assert(room:link("jump").kind == "jump")
        "#
        |call| placed(call, call.named, |placed| placed.link.kind.as_str())
    },
    entry! {
        /// Whether the link is open. Setting it opens or closes the link; characters that are crossing it finish.
        setting Link.available: "boolean" also["open", "enabled", "activated", "is_open", "closed"]
        example r#"
            local jump = room:link("jump")
            jump.available = false
            assert(not jump.available and not room:find_path(npc, { x = 1, z = 8 }))
        "#
        |call| placed(call, call.named, |placed| placed.available),
        |call, value: bool| {
            placed(call, call.named, |_| ())?;
            call.apply(Command::SetLinkAvailable { link: call.named.to_owned(), available: value })
        }
    },
    entry! {
        /// The cost of a crossing: as much as walking so many metres.
        field Link.cost: "number" also["cost_modifier", "travel_cost"]
        example r#"
            assert(room:link("jump").cost > 2)
        "#
        |call| placed(call, call.named, |placed| placed.cost_m)
    },
    entry! {
        /// Whether the link leads from `from` to `to` only.
        field Link.one_way: "boolean" also["bidirectional", "both_ways"]
        example r#"
            assert(room:link("jump").one_way == false)
        "#
        |call| placed(call, call.named, |placed| placed.link.one_way)
    },
    entry! {
        /// How many characters may cross it at once; nil if any number may.
        field Link.capacity: "integer?" also["max_users"]
        example r#"
            assert(room:link("jump").capacity == nil)
        "#
        |call| placed(call, call.named, |placed| placed.link.capacity)
    },
    entry! {
        /// Where the link begins on the ground, as a new table.
        field Link.from: "Point" also["start", "start_point", "start_position"]
        example r#"
            assert(room:link("jump").from.z < room:link("jump").to.z)
        "#
        |call| end_of(call, 0)
    },
    entry! {
        /// Where the link ends on the ground, as a new table.
        field Link.to: "Point" also["end_point", "end_position", "goal"]
        example r#"
            assert(room:is_walkable(room:link("jump").to))
        "#
        |call| end_of(call, 1)
    },
    entry! {
        /// The characters that are crossing the link, in the order in which they came into the room.
        fn Link.users() -> (npcs: "Npc[]" = "the characters") also["occupants", "crossing"]
        example r#"
            assert(#room:link("jump"):users() == 0)
        "#
        |call| {
            let link = placed(call, call.named, |placed| placed.id)?;
            people(call, |world| world.crossing(link).collect())
        }
    },
    entry! {
        /// The characters that wait in line for the link, in their order. Only links with a `capacity` have a line.
        fn Link.waiting() -> (npcs: "Npc[]" = "the characters") also["queue", "line", "waiters"]
        example r#"
            assert(#room:link("jump"):waiting() == 0)
        "#
        |call| {
            let link: LinkId = placed(call, call.named, |placed| placed.id)?;
            people(call, |world| world.waiting_for(link).collect())
        }
    },
    entry! {
        /// Removes the link. Characters that are crossing it finish.
        fn Link.remove() -> () also["delete", "destroy"]
        example r#"
            local jump = room:link("jump")
            jump:remove()
            assert(not jump.valid)
        "#
        |call| {
            placed(call, call.named, |_| ())?;
            call.order(Command::RemoveLink(call.named.to_owned()))
        }
    },
    entry! {
        /// Crosses the link that the character is on, in a straight line, in this many seconds. Only for links of the
        /// kind `handler`, in `on_link`; in a sequence it waits until the character is across.
        wait Npc.cross(seconds: Option<Seconds> = "how long; as long as walking takes if left out")
            -> (ok: "boolean?" = "true after waiting; nothing without waiting", reason: "Reason?" = "`done`")
        also["complete_link", "CompleteOffMeshLink", "finish_link"]
        example r#"
            npc:cross(0.5) -- it is on no link: this does nothing
            assert(npc.link == nil)
        "#
        |call| cross(call, seconds)
    },
];

/// Reads from a link by its name.
fn placed<R>(call: &Call<'_>, name: &str, read: impl FnOnce(&PlacedLink) -> R) -> mlua::Result<R> {
    let count = call.host.world().links().links().len() as u64;
    call.host.charge(call.lua, count)?;
    let world = call.host.world();
    match world.links().named(name) {
        Some(placed) => Ok(read(placed)),
        None if call.entry.object == Object::Link => {
            Err(call.fail(format!("the link '{name}' is not in the room any more; ask link.valid first")))
        }
        None => Err(call.fail(world.no_such_link(name.to_owned()))),
    }
}

fn end_of(call: &Call<'_>, end: usize) -> mlua::Result<Table> {
    let place = placed(call, call.named, |placed| {
        let meant = [placed.link.from, placed.link.to][end];
        placed.ends.map_or(Err(meant), |ends| Ok(ends[end]))
    })?;
    let place = place.map_or_else(|meant| meant, |at| call.host.world().ground().place_of(at));
    place_table(call.lua, place)
}

fn people(
    call: &Call<'_>,
    find: impl FnOnce(&crate::world::World) -> Vec<CharacterId>,
) -> mlua::Result<Vec<Value>> {
    let found = find(&call.host.world());
    call.host.charge(call.lua, 10 * found.len() as u64)?;
    found.into_iter().map(|id| Npc::value(call.lua, call.host, id)).collect()
}

fn add_link(call: &Call<'_>, options: Value) -> mlua::Result<Value> {
    let options = Options::of(call, options, &LINK_OPTIONS, "options")?;
    let name: String = options.get(call, "name")?;
    let kind = match options.get::<Option<String>>(call, "kind")? {
        None => LinkKind::Walk,
        Some(word) => LinkKind::named(&word).ok_or_else(|| unknown_kind(call, &word))?,
    };
    let capacity =
        match options.get::<Option<i64>>(call, "capacity")? {
            None => None,
            Some(count) => Some(u32::try_from(count).ok().filter(|&count| count > 0).ok_or_else(|| {
                call.fail(format!("capacity must be a whole number, 1 or more, not {count}"))
            })?),
        };
    let yes = |name: &str, default: bool| -> mlua::Result<bool> {
        Ok(options.get::<Option<bool>>(call, name)?.unwrap_or(default))
    };
    let (from, to) = (options.get::<Place>(call, "from")?, options.get::<Place>(call, "to")?);
    let mut link = Link::new(name.clone(), kind, from, to);
    link.one_way = yes("one_way", false)?;
    link.cost_m = options.get(call, "cost")?;
    link.seconds = options.get::<Option<Seconds>>(call, "seconds")?.map(|seconds| seconds.0);
    link.tags = options.get::<Option<Vec<String>>>(call, "tags")?.unwrap_or_default();
    link.never = options.get::<Option<Vec<String>>>(call, "never")?.unwrap_or_default();
    link.available = yes("available", true)?;
    link.capacity = capacity;
    call.host.charge(call.lua, ADD_COST)?;
    call.apply(Command::AddLink(Box::new(link)))?;
    link_handle(call.lua, call.host, &name).map(Value::UserData)
}

/// Instructions charged for adding a link: its ends are looked for, and all walkers are asked whether it helps them.
const ADD_COST: u64 = 5000;

fn unknown_kind(call: &Call<'_>, word: &str) -> mlua::Error {
    let all = LinkKind::ALL.map(LinkKind::as_str);
    let hint = match did_you_mean(word, all) {
        Some(meant) => format!("did you mean '{meant}'?"),
        None => format!("there are {}", all.join(", ")),
    };
    call.fail(format!("no kind of link '{word}'; {hint}"))
}

fn cross(call: &Call<'_>, seconds: Option<Seconds>) -> mlua::Result<bool> {
    let on_foot_s = {
        let world = call.host.world();
        let character = world.character(call.who);
        character.and_then(|character| {
            let crossing = character.crossing.as_ref()?;
            Some(crossing.from.distance(crossing.to) / character.walk_speed_mps.max(0.01))
        })
    };
    let seconds = seconds.map_or(on_foot_s.unwrap_or(0.0), |seconds| seconds.0).min(3600.0);
    if !call.change(Command::TimeCrossing { who: call.who, seconds })? {
        return Ok(false);
    }
    let until = {
        let world = call.host.world();
        world.tick_number() + world.ticks_of(seconds)
    };
    let in_sequence = call.host.call.running.get().task.is_some();
    Ok(in_sequence && sleep(call, Wait::Until(until)).is_ok())
}

fn record_jump(call: &Call<'_>, from: Place, to: Place, options: Option<Value>) -> mlua::Result<Many> {
    let (velocity_mps, time_s) = jump_options(call, options)?;
    call.host.charge(call.lua, ADD_COST)?;
    let next_before = call.host.world().links().next_id();
    let applied = call.apply(Command::RecordJump { from, to, velocity_mps, time_s })?;
    let name = {
        let world = call.host.world();
        let id = if let Applied::Linked(id) = applied { Some(id) } else { None };
        id.and_then(|id| world.links().get(id)).map(|placed| placed.link.name.clone())
    };
    let is_new = call.host.world().links().next_id() > next_before;
    let link = link_handle(call.lua, call.host, &name.unwrap_or_default())?;
    Ok(Many(MultiValue::from_iter([Value::UserData(link), Value::Boolean(is_new)])))
}

/// The velocity and the time of a jump.
fn jump_options(call: &Call<'_>, options: Option<Value>) -> mlua::Result<(Option<f64>, Option<f64>)> {
    let Some(options) = options else { return Ok((None, None)) };
    let options = Options::of(call, options, &JUMP_OPTIONS, "options")?;
    Ok((options.get(call, "velocity")?, options.get(call, "time")?))
}

fn jump_to(call: &Call<'_>, place: Place, options: Option<Value>) -> mlua::Result<bool> {
    let (velocity_mps, time_s) = jump_options(call, options)?;
    if !call.change(Command::Jump { who: call.who, to: place, velocity_mps, time_s })? {
        return Ok(false);
    }
    let until = {
        let world = call.host.world();
        let crossing = world.character(call.who).and_then(|character| character.crossing.as_deref());
        crossing.map_or(0, |crossing| world.tick_number() + crossing.left_ticks(world.tick_number()))
    };
    let in_sequence = call.host.call.running.get().task.is_some();
    // It lands in the step that begins then.
    Ok(in_sequence && sleep(call, Wait::Until(until + 1)).is_ok())
}
