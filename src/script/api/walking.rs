//! Walking: orders that return at once, and sequences that wait for the walk.

use super::args::{ObjectName, Options, Seconds};
use super::define::entry;
use super::entry::{Call, Entry};
use super::place::place_table;
use super::sequences::sleep;
use super::shapes::{WALK_OPTIONS, WALK_TO_OPTIONS};
use crate::crowd::{CharacterId, WalkEnd};
use crate::nav::Place;
use crate::script::host::Subscription;
use crate::script::task::Wait;
use crate::world::{Applied, Command};
use glam::DVec2;
use mlua::{Function, Value};

pub(super) const ENTRIES: &[Entry] = &[
    entry! {
        /// Walks to a place, and waits until the walk has ended.
        ///
        /// `ok` is true if the character arrived. Otherwise `reason` says why not: `partial` (as near to the goal as
        /// possible), `no_path`, `blocked` (by other characters), `cancelled` (by another target, `npc:stop` or
        /// death), `timeout` or `despawned`. `npc:last_walk` gives details.
        ///
        /// A goal where a character cannot stand is moved to the nearest place where it can, up to `snapDistance`
        /// away. If the goal lies in a closed area, or farther off the ground, the walk ends as `partial` at the
        /// nearest reachable place.
        ///
        /// A character that touches somebody who has arrived at the same place has arrived, too, unless `exact` is true:
        /// see `npc.shares_goals`.
        wait Npc.walk_to(
            place: Place = "where to",
            options: Option<Value> as "WalkToOptions" = "`{timeout = seconds, exact = true}`"
        ) -> (ok: "boolean" = "whether the character arrived", reason: "Reason" = "how it ended")
        also["move_to", "go_to", "goto_place", "walk", "walkTo", "path_to"]
        example r#"
            local ok, reason = npc:walk_to("well")
            assert(ok and reason == "arrived")
            ok, reason = npc:walk_to("bar", { timeout = 0.5 })
            assert(not ok and reason == "timeout")
        "#
        |call| {
            let (timeout, exact) = walk_to_options(call, options)?;
            let (who, to) = (call.who, place);
            let order = match exact {
                true => Command::SetExactTarget { who, to, look_at: None },
                false => Command::SetTarget { who, to },
            };
            set_out(call, order, timeout)
        }
    },
    entry! {
        /// Sends the character somewhere and returns at once.
        ///
        /// A walk under way ends as `cancelled`, unless it leads to the same place. When the walk ends, `on_arrived`
        /// and the behaviour's `on_arrived` and `on_walk_ended` are called. To wait for the end in a sequence, use
        /// `npc:walk_to`.
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
        /// The same as `npc:set_target`, as a global function.
        fn Global.set_target(
            npc: CharacterId = "the character",
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
        /// Sets a function that is called at every arrival from now on. Another function replaces it, nil removes it.
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
        /// The same as `npc:on_arrived`, as a global function.
        fn Global.on_arrived(
            npc: CharacterId = "the character",
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
        /// Whether the character is on a walk, or is steered. A character that makes way for others, or waits behind
        /// others, is on a walk, too.
        fn Npc.is_moving() -> (moving: "boolean" = "whether it is on a walk or steered")
        also["moving", "is_walking", "has_path", "is_navigating"]
        example r#"
            assert(not npc:is_moving())
            npc:set_target("well")
            assert(npc:is_moving())
        "#
        |call| call.read(|c| c.is_moving())
    },
    entry! {
        /// The goal of the character's walk, or nil if it is not on a walk.
        fn Npc.target() -> (target: "Point?" = "`{x=, z=}` in metres") also["destination", "get_target", "goal"]
        example r#"
            npc:set_target(3, 1)
            assert(npc:target().x == 3 and npc:target().z == 1)
        "#
        |call| call.read(|c| c.target())?.map(|target| place_table(call.lua, target)).transpose()
    },
    entry! {
        /// How the last walk ended: a table, or nil if there was no walk yet.
        ///
        /// `blocked_by` names what was in the way. For a blocked walk, this is the character that blocked it, or the area
        /// that closed on its way again and again. For a
        /// goal that cannot be reached, it is the closed area or the obstacle, as the room is now.
        fn Npc.last_walk() -> (walk: "LastWalk?" = "how it ended") also["last_reason", "walk_result"]
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
        /// Steers the character directly, as a player's stick does, and returns at once.
        ///
        /// The direction lies in x and z. Its length is the share of the character's `walk_speed`; a longer one counts
        /// as 1. The character goes on in this direction until it is steered elsewhere, `npc:steer(0, 0)`, `npc:stop`,
        /// or another order such as `npc:set_target`. It slides along walls, turns at its `rotation_speed`, enters
        /// areas, and pushes and is pushed as on a walk. It finds no path: it does not go round obstacles.
        ///
        /// The latest order counts, from whichever script. Steering ends a walk under way, following and a turn as
        /// `cancelled`, and so does it end a verb such as `npc:wander`. `npc:steer(0, 0)` ends steering only: a stick at
        /// rest leaves a walk alone. A scene that takes the character ends its steering, and so do `npc:teleport`,
        /// death, and being disabled.
        fn Npc.steer(
            dx: f64 = "the direction along x, -1 to 1",
            dz: f64 = "the direction along z, -1 to 1"
        ) -> () also["move_and_slide", "simple_move", "set_velocity", "add_movement_input", "drive"]
        example r#"
            local x = npc.x
            npc:steer(1, 0)
            wait(0.5)
            assert(npc.x > x + 0.3 and npc:is_moving())
            npc:steer(0, 0)
            assert(not npc:is_moving())
        "#
        |call| steer(call, DVec2::new(dx, dz))
    },
    entry! {
        /// Pushes the character: knock-back, or the motion of an animation. It goes on with what it does.
        ///
        /// It stays on the ground and slides along walls. A walk goes on from where it is then. A character that crosses a
        /// link is not moved. One that stands and has `returns_to_post` walks back.
        fn Npc.push(dx: f64 = "how far along x, in metres", dz: f64 = "how far along z, in metres")
            -> (moved: "number" = "how far it came, in metres")
        also["knock_back", "apply_impulse", "add_force", "move_by", "nudge", "shove", "translate"]
        example r#"
            npc:set_target("well")
            local moved = npc:push(0.5, 0)
            assert(moved > 0.4 and npc:is_moving())
        "#
        |call| push(call, DVec2::new(dx, dz))
    },
    entry! {
        /// Ends the walk under way, following another character, a turn as `cancelled`, or steering. The character
        /// stands where it is.
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
        /// Walks up to another character, even if that one moves, and waits until it is at talking distance. Then
        /// `on_talk` of the other character is called.
        ///
        /// Ends as `cancelled` if the other character leaves, dies or is disabled.
        wait Npc.talk_to(
            other: CharacterId = "the character to talk to",
            options: Option<Value> as "WalkOptions" = "`{timeout = seconds}`"
        ) -> (ok: "boolean" = "whether the character arrived", reason: "Reason" = "how it ended")
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
        /// Follows another character and stays within a distance of it, until something ends the following.
        ///
        /// It ends as `timeout` after the timeout. It ends as `cancelled` by `npc:stop`, by another target, or when
        /// the other character leaves, dies or is disabled. A follower that cannot get near goes as near as possible,
        /// and waits until a way is free.
        wait Npc.follow(
            other: CharacterId = "the character to follow",
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
        /// Walks at the side of another character, until something ends it.
        ///
        /// Two or three walk side by side. More walk in rows of three behind them. Where there is no room, as at a
        /// door, they go one behind the other, and come together again behind it. The other character walks no faster
        /// than its companions, and waits for those that are a few steps behind; the player does not. Else it is as
        /// `npc:follow`. A character with `avoidance = "push"` only follows.
        wait Npc.walk_beside(
            other: CharacterId = "the character to walk with",
            options: Option<Value> as "WalkOptions" = "`{timeout = seconds}`"
        ) -> (ok: "boolean" = "false: it has no arrival", reason: "Reason" = "how it ended")
        also["accompany", "walk_with", "side_by_side", "escort", "walk_together"]
        example r#"
            local ann = room:npc("ann")
            ann:set_target("well")
            local ok, reason = npc:walk_beside(ann, { timeout = 10 })
            assert(not ok and reason == "timeout")
            assert(npc:distance_to(ann) < 1.5)
        "#
        |call| {
            let timeout = timeout_of(call, options)?;
            set_out(call, Command::WalkBeside { who: call.who, other }, timeout)
        }
    },
    entry! {
        /// Turns on the spot, at the character's `rotation_speed`, towards a place or another character.
        ///
        /// In a sequence it waits until the character looks there. In a handler the character begins to turn, and the
        /// handler continues. A walking character looks where it goes, so a turn during a walk is `cancelled` at once.
        wait Npc.turn_to(place: Place = "what to look at")
            -> (ok: "boolean" = "whether the character looks there now",
                reason: "Reason" = "`arrived`, or how it ended")
        also["look_at", "face", "rotate_to", "turn"]
        example r#"
            local ok = npc:turn_to(room:npc("ann"))
            assert(ok)
        "#
        |call| turn_to(call, place)
    },
    entry! {
        /// Walks to a hotspot or a point and uses it. Then the room's `on_use(room, npc, object)` is called.
        ///
        /// The character uses a hotspot from its `walkTo`, and a point from the point itself.
        wait Npc.use(
            object: ObjectName = "the name of a hotspot, or of a point: a fridge, a lever",
            options: Option<Value> as "WalkOptions" = "`{timeout = seconds}`"
        ) -> (ok: "boolean" = "whether the character arrived", reason: "Reason" = "how the walk ended")
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
    let (set_by, loading) = (call.host.call.running.get().task, call.host.set_up_by());
    let mut arrivals = call.host.arrivals_mut();
    match then {
        Some(function) => {
            drop(arrivals.by_character.insert(who, Subscription { function, set_by, loading, failures: 0 }))
        }
        None => drop(arrivals.by_character.remove(&who)),
    }
    Ok(Value::Nil)
}

fn push(call: &Call<'_>, by: DVec2) -> mlua::Result<f64> {
    let before = call.read(|character| character.position)?;
    call.apply(Command::Push { who: call.who, by })?;
    call.read(|character| character.position.distance(before))
}

fn steer(call: &Call<'_>, direction: DVec2) -> mlua::Result<Value> {
    call.apply(Command::Steer { who: call.who, direction })?;
    if call.read(|c| c.steering.is_some())? {
        end_verb_at_rest(call);
    }
    Ok(Value::Nil)
}

/// Verbs resting between two walks have no walk to end, and check this count.
fn end_verb_at_rest(call: &Call<'_>) {
    *call.host.people.stops.borrow_mut().entry(call.who).or_insert(0) += 1;
}

fn stop(call: &Call<'_>) -> mlua::Result<bool> {
    end_verb_at_rest(call);
    call.change(Command::Stop { who: call.who, walk: None, end: WalkEnd::Cancelled })
}

/// Executes `command` and puts the sequence to sleep until its walk has ended.
fn set_out(call: &Call<'_>, command: Command, timeout: Option<f64>) -> mlua::Result<bool> {
    // First check that the caller can wait, then set out.
    sleep(call, Wait::Until(0))?;
    let Applied::Walking(walk) = call.apply(command)? else { return Ok(true) };
    let world = call.host.world();
    let deadline = timeout.map(|seconds| world.tick_number() + world.ticks_of(seconds));
    call.host.call.wait.set(Some(Wait::Walk { who: call.who, walk, deadline }));
    Ok(true)
}

fn turn_to(call: &Call<'_>, to: Place) -> mlua::Result<bool> {
    let waits = sleep(call, Wait::Until(0)).is_ok();
    let Applied::Walking(turn) = call.apply(Command::Turn { who: call.who, to })? else { return Ok(false) };
    if waits {
        call.host.call.wait.set(Some(Wait::Walk { who: call.who, walk: turn, deadline: None }));
    }
    Ok(waits)
}

fn timeout_of(call: &Call<'_>, options: Option<Value>) -> mlua::Result<Option<f64>> {
    let Some(options) = options else { return Ok(None) };
    let options = Options::of(call, options, &WALK_OPTIONS, "options")?;
    Ok(options.get::<Option<Seconds>>(call, "timeout")?.map(|seconds| seconds.0))
}

/// The timeout, and whether the walk must end at the very place.
fn walk_to_options(call: &Call<'_>, options: Option<Value>) -> mlua::Result<(Option<f64>, bool)> {
    let Some(options) = options else { return Ok((None, false)) };
    let options = Options::of(call, options, &WALK_TO_OPTIONS, "options")?;
    let timeout = options.get::<Option<Seconds>>(call, "timeout")?.map(|seconds| seconds.0);
    Ok((timeout, options.get::<Option<bool>>(call, "exact")?.unwrap_or(false)))
}
