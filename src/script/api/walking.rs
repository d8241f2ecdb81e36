//! Walking: orders that return at once, and sequences that wait for the walk.

use super::args::{ObjectName, Options, Seconds};
use super::define::entry;
use super::entry::{Call, Entry};
use super::place::place_table;
use super::sequences::sleep;
use super::shapes::WALK_OPTIONS;
use crate::crowd::{CharacterId, WalkEnd};
use crate::nav::Place;
use crate::script::host::Subscription;
use crate::script::task::Wait;
use crate::world::{Applied, Command};
use mlua::{Function, Value};

pub(super) const ENTRIES: &[Entry] = &[
    entry! {
        /// Walks somewhere, and waits until the walk has ended.
        ///
        /// `ok` is true if it arrived. Else `reason` says why not: `partial` (as near as one gets), `no_path`, `blocked` (by
        /// others), `cancelled` (by another target, `npc:stop` or death), `timeout` or `despawned`. `npc:last_walk` knows more.
        /// A goal where nobody can stand is moved to the nearest place where one can, up to `snapDistance` away. If it lies in a
        /// closed area, or farther off the ground, the walk ends as `partial` at the nearest place that can be reached.
        wait Npc.walk_to(
            place: Place = "where to",
            options: Option<Value> as "WalkOptions" = "`{timeout = seconds}`"
        ) -> (ok: "boolean" = "whether it arrived", reason: "Reason" = "how it ended")
        also["move_to", "go_to", "goto_place", "walk", "walkTo", "path_to"]
        example r#"
            local ok, reason = npc:walk_to("well")
            assert(ok and reason == "arrived")
            ok, reason = npc:walk_to("bar", { timeout = 0.5 })
            assert(not ok and reason == "timeout")
        "#
        |call| {
            let timeout = timeout_of(call, options)?;
            set_out(call, Command::SetTarget { who: call.who, to: place }, timeout)
        }
    },
    entry! {
        /// Sends the character somewhere and returns at once.
        ///
        /// A walk under way ends as `cancelled`, unless it leads to the same place. How the walk ends is told to `on_arrived`,
        /// to the behaviour's `on_arrived` and `on_walk_ended`. In sequences, `npc:walk_to` is what waits for it.
        fn Npc.set_target(
            place: Place = "where to",
            on_arrived: Option<Function> as "fun(npc: Npc, reason: Reason)" = "called when this walk has arrived"
        ) -> () also["set_destination", "go_to", "set_target_position", "navigate"]
        example r#"
            npc:set_target("well", function(npc, reason) npc:say("Here: " .. reason) end)
            assert(npc:is_moving())
        "#
        |call| set_target(call, call.who, place, on_arrived)
    },
    entry! {
        /// As `npc:set_target`, for those who like functions.
        fn Global.set_target(
            npc: CharacterId = "who",
            place: Place = "where to",
            on_arrived: Option<Function> as "fun(npc: Npc, reason: Reason)" = "called when this walk has arrived"
        ) -> () also[]
        example r#"
            set_target(npc, "well")
            assert(npc:is_moving())
        "#
        |call| set_target(call, npc, place, on_arrived)
    },
    entry! {
        /// Calls a function at every arrival from now on, until another takes its place. Nil ends it.
        fn Npc.on_arrived(
            action: Option<Function> as "fun(npc: Npc, reason: Reason)" = "called with `npc, reason`"
        ) -> () also["on_target_reached", "target_reached"]
        example r#"
            npc:on_arrived(function(npc, reason) npc:say("There!") end)
            npc:walk_to("well")
            assert(npc.saying == "There!")
        "#
        |call| on_arrived(call, call.who, action)
    },
    entry! {
        /// As `npc:on_arrived`, for those who like functions.
        fn Global.on_arrived(
            npc: CharacterId = "whose arrivals",
            action: Option<Function> as "fun(npc: Npc, reason: Reason)" = "called with `npc, reason`"
        ) -> () also[]
        example r#"
            on_arrived(npc, function(npc, reason) room.state.arrived = reason end)
            npc:walk_to("well")
            assert(room.state.arrived == "arrived")
        "#
        |call| on_arrived(call, npc, action)
    },
    entry! {
        /// Whether the character has somewhere to go. Who makes way for others, or waits in a queue, is on its way, too.
        fn Npc.is_moving() -> (moving: "boolean" = "whether it is on its way")
        also["moving", "is_walking", "has_path", "is_navigating"]
        example r#"
            assert(not npc:is_moving())
            npc:set_target("well")
            assert(npc:is_moving())
        "#
        |call| call.read(|c| c.is_moving())
    },
    entry! {
        /// Where the character was last asked to go, while it is on its way; else nil.
        fn Npc.target() -> (target: "Point?" = "`{x=, z=}` in metres") also["destination", "get_target", "goal"]
        example r#"
            npc:set_target(3, 1)
            assert(npc:target().x == 3 and npc:target().z == 1)
        "#
        |call| call.read(|c| c.target())?.map(|target| place_table(call.lua, target)).transpose()
    },
    entry! {
        /// What became of the last walk: a table, or nil if there was none yet.
        ///
        /// `blocked_by` names what was in the way: the character that blocked it, or, of a goal that cannot be reached, the closed area
        /// or the obstacle, as the room is now.
        fn Npc.last_walk() -> (walk: "LastWalk?" = "what became of it") also["last_reason", "walk_result"]
        example r#"
            local ok, reason = npc:walk_to("barrels")
            assert(not ok and reason == "partial")
            local walk = npc:last_walk()
            assert(walk.reason == "partial" and walk.blocked_by == "cellar_door")
        "#
        |call| super::explain::last_walk(call)
    },
    entry! {
        /// Plans the walk under way again.
        fn Npc.force_replan() -> (walking: "boolean" = "whether there was a walk") also["replan", "repath"]
        example r#"
            npc:set_target("well")
            assert(npc:force_replan())
        "#
        |call| call.change(Command::ForceReplan(call.who))
    },
    entry! {
        /// Ends the walk under way, following somebody, or a turn, as `cancelled`; the character stands where it is.
        fn Npc.stop() -> (ended: "boolean" = "whether there was anything to end") also["halt", "reset_path", "stop_walking"]
        example r#"
            npc:set_target("well")
            npc:stop()
            assert(not npc:is_moving())
        "#
        |call| stop(call)
    },
    entry! {
        /// The same as `npc:stop`.
        fn Npc.stop_in_place() -> (ended: "boolean" = "whether there was anything to end") also[]
        example r#"
            npc:set_target("well")
            npc:stop_in_place()
            assert(not npc:is_moving())
        "#
        |call| stop(call)
    },
    entry! {
        /// Walks up to somebody, wherever they go, and waits until it is at talking distance. Their `on_talk` is told then.
        ///
        /// Ends as `cancelled` if they leave, die or are disabled.
        wait Npc.talk_to(
            other: CharacterId = "whom to",
            options: Option<Value> as "WalkOptions" = "`{timeout = seconds}`"
        ) -> (ok: "boolean" = "whether it got there", reason: "Reason" = "how it ended")
        also["speak_to", "approach", "interact"]
        example r#"
            local ok = npc:talk_to(room:npc("ann"))
            assert(ok and npc:distance_to(room:npc("ann")) < 1.5)
        "#
        |call| {
            let timeout = timeout_of(call, options)?;
            set_out(call, Command::TalkTo { who: call.who, other }, timeout)
        }
    },
    entry! {
        /// Follows somebody and stays within a distance of them, until something ends it.
        ///
        /// `npc:stop` ends it, or another target, a timeout, or their leaving, dying or being disabled (all `cancelled` but the
        /// timeout). A follower that cannot get near goes as near as it can and waits for a way.
        wait Npc.follow(
            other: CharacterId = "whom",
            distance: Option<f64> = "how near to stay, in metres; talking distance if left out",
            options: Option<Value> as "WalkOptions" = "`{timeout = seconds}`"
        ) -> (ok: "boolean" = "false: following has no arrival", reason: "Reason" = "how it ended")
        also["chase", "track", "pursue"]
        example r#"
            local ann = room:npc("ann")
            ann:set_target("well")
            local ok, reason = npc:follow(ann, 2, { timeout = 10 })
            assert(not ok and reason == "timeout")
            assert(npc:distance_to(ann) < 2.5)
        "#
        |call| {
            let timeout = timeout_of(call, options)?;
            let distance_m = distance.unwrap_or(call.host.world().room().crowd.talk_distance_m);
            set_out(call, Command::Follow { who: call.who, other, distance_m }, timeout)
        }
    },
    entry! {
        /// Turns on the spot, at the character's `rotation_speed`, towards a place or somebody.
        ///
        /// In a sequence it waits until the character looks there; in a handler the character begins to turn, and the handler
        /// goes on. Who is on the way looks where it goes: then it is `cancelled` at once.
        wait Npc.turn_to(place: Place = "what to look at")
            -> (ok: "boolean" = "whether it looks there", reason: "Reason" = "`arrived`, or how it ended")
        also["look_at", "face", "rotate_to", "turn"]
        example r#"
            local ok = npc:turn_to(room:npc("ann"))
            assert(ok)
        "#
        |call| turn_to(call, place)
    },
    entry! {
        /// Walks to a thing and uses it: the room's `on_use(room, npc, object)` is told then.
        ///
        /// A hotspot is used from its `walkTo`, a point from where it is.
        wait Npc.use(
            object: ObjectName = "the name of a hotspot, or of a point: a fridge, a lever",
            options: Option<Value> as "WalkOptions" = "`{timeout = seconds}`"
        ) -> (ok: "boolean" = "whether it got there", reason: "Reason" = "how the walk ended")
        also["use_object", "pull", "activate", "interact_with"]
        example r#"
            local ok = npc:use("well") -- and the room's on_use is called with npc and "well"
            assert(ok)
        "#
        |call| {
            let timeout = timeout_of(call, options)?;
            call.host.charge_for_search(call.lua)?;
            set_out(call, Command::Use { who: call.who, object: object.0 }, timeout)
        }
    },
];

fn set_target(call: &Call<'_>, who: CharacterId, to: Place, then: Option<Function>) -> mlua::Result<Value> {
    if let Applied::Walking(walk) = call.apply(Command::SetTarget { who, to })? {
        let mut arrivals = call.host.arrivals_mut();
        match then {
            Some(function) => drop(arrivals.by_walk.insert(walk, function)),
            None => drop(arrivals.by_walk.remove(&walk)),
        }
    }
    Ok(Value::Nil)
}

fn on_arrived(call: &Call<'_>, who: CharacterId, then: Option<Function>) -> mlua::Result<Value> {
    call.host.read(call.lua, who, |_| ())?;
    let (set_by, loading) = (call.host.running.get().task, call.host.set_up_by());
    let mut arrivals = call.host.arrivals_mut();
    match then {
        Some(function) => {
            drop(arrivals.by_character.insert(who, Subscription { function, set_by, loading, failures: 0 }))
        }
        None => drop(arrivals.by_character.remove(&who)),
    }
    Ok(Value::Nil)
}

fn stop(call: &Call<'_>) -> mlua::Result<bool> {
    // Verbs resting between two walks have no walk to end, and check this count.
    *call.host.stops.borrow_mut().entry(call.who).or_insert(0) += 1;
    call.change(Command::Stop { who: call.who, walk: None, end: WalkEnd::Cancelled })
}

/// Executes `command` and puts the sequence to sleep until its walk has ended.
fn set_out(call: &Call<'_>, command: Command, timeout: Option<f64>) -> mlua::Result<bool> {
    // First check that the caller can wait, then set out.
    sleep(call, Wait::Until(0))?;
    let Applied::Walking(walk) = call.apply(command)? else { return Ok(true) };
    let world = call.host.world();
    let deadline = timeout.map(|seconds| world.tick_number() + world.ticks_of(seconds));
    call.host.wish.set(Some(Wait::Walk { who: call.who, walk, deadline }));
    Ok(true)
}

fn turn_to(call: &Call<'_>, to: Place) -> mlua::Result<bool> {
    let waits = sleep(call, Wait::Until(0)).is_ok();
    let Applied::Walking(turn) = call.apply(Command::Turn { who: call.who, to })? else { return Ok(false) };
    if waits {
        call.host.wish.set(Some(Wait::Walk { who: call.who, walk: turn, deadline: None }));
    }
    Ok(waits)
}

fn timeout_of(call: &Call<'_>, options: Option<Value>) -> mlua::Result<Option<f64>> {
    let Some(options) = options else { return Ok(None) };
    let options = Options::of(call, options, &WALK_OPTIONS, "options")?;
    Ok(options.get::<Option<Seconds>>(call, "timeout")?.map(|seconds| seconds.0))
}
