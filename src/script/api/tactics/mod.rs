//! The room's tactical level: what actors reach, their walks over cells, and turns.

mod arguments;
mod calls;

pub(in crate::script) use calls::step_table;

use super::define::entry;
use super::entry::{Entry, Many};
use super::handle::tactics_handle;
use crate::crowd::CharacterId;
use crate::room::Stance;
use crate::world::Command;
use arguments::{At, Steps, Tu};
use calls::{actor_table, cost_to, path_to, place, reach, take_stance, walk, with_level};
use mlua::{MultiValue, Value};

pub(super) const ENTRIES: &[Entry] = &[
    entry! {
        /// The room's tactical level: turn-based movement from cell to cell. An error in rooms without one.
        fn Room.tactics() -> (tactics: "Tactics" = "the level") also["tactical", "level", "get_tactics", "battlescape"]
        example r#"
            local tactics = room:tactics()
            tactics:place(npc, { x = 1, y = 1, level = 0 }, { side = "guards" })
            assert(tactics:actor(npc).side == "guards")
        "#
        |call| {
            with_level(call, |_| ())?;
            tactics_handle(call.lua, call.host)
        }
    },
    entry! {
        /// Makes a character an actor, or puts an actor on another cell. It drops to the floor there.
        ///
        /// Keys that are left out stay as they are, or are those of a room file: 1 × 1 cells, upright, 50 TU, on the side
        /// `neutral`. An actor takes no part in the crowd: it stands on cells, and only `tactics:walk` moves it.
        fn Tactics.place(
            npc: CharacterId = "the character",
            cell: At = "the cell",
            options: Option<Value> as "ActorOptions" = "`{side=, size=, stance=, flies=, budget=}`"
        ) -> () also["add", "put", "spawn", "teleport"]
        example r#"
            local tactics = room:tactics()
            tactics:place(npc, { x = 2, y = 1, level = 0 }, { side = "guards", budget = 30 })
            assert(tactics:actor(npc).x == 2 and tactics:actor(npc).tu == 30)
        "#
        |call| place(call, npc, cell.0, options)
    },
    entry! {
        /// Lets an actor leave the level: it is a character of the crowd again. False if it was no actor.
        fn Tactics.remove(npc: CharacterId = "the actor") -> (removed: "boolean" = "whether it was an actor")
        also["leave", "delete", "take_off"]
        example r#"
            local tactics = room:tactics()
            tactics:place(npc, { x = 1, y = 1, level = 0 })
            assert(tactics:remove(npc) and tactics:actor(npc) == nil)
            npc:walk_to("well")
        "#
        |call| call.change(Command::RemoveActor(npc))
    },
    entry! {
        /// What a character is on the level: its cell, its stance, its time units (TU). Nil if it is no actor.
        fn Tactics.actor(npc: CharacterId = "the character")
            -> (actor: "TacticalActor?" = "`{x=, y=, level=, stance=, tu=, budget=, side=, size=, flies=, walking=}`")
        also["cell", "get_actor", "unit", "position", "tu"]
        example r#"
            local tactics = room:tactics()
            assert(tactics:actor(player) == nil)
            tactics:place(player, { x = 3, y = 3, level = 0 })
            assert(tactics:actor(player).stance == "stand")
        "#
        |call| actor_table(call, npc)
    },
    entry! {
        /// All places that an actor reaches, with the least TU, by level, row and column. Cells of other actors are
        /// closed to it. Empty for one that is dead or disabled.
        fn Tactics.reach(
            npc: CharacterId = "the actor",
            budget: Option<Tu> = "the TU that it may spend; what it has left, if left out"
        ) -> (places: "TacticalMove[]" = "a list of `{x=, y=, level=, stance=, tu=}`")
        also["reachable", "get_reach", "range", "movement_range"]
        example r#"
            local tactics = room:tactics()
            tactics:place(npc, { x = 1, y = 1, level = 0 })
            assert(#tactics:reach(npc, 2) == 5) -- its own cell, and those beside it
        "#
        |call| reach(call, npc, budget)
    },
    entry! {
        /// The least TU of a walk to a cell, whatever the actor has left. Nil if there is no way, or if the actor is dead or
        /// disabled. A cell outside the level is an error.
        fn Tactics.cost_to(npc: CharacterId = "the actor", cell: At = "the cell") -> (
            tu: "integer?" = "the TU",
            stance: "string?" = "the stance at the end: `stand` or `crouch`"
        ) also["tu_to", "get_cost", "cost", "distance_to"]
        example r#"
            local tactics = room:tactics()
            tactics:place(npc, { x = 1, y = 1, level = 0 })
            assert(tactics:cost_to(npc, { x = 4, y = 1, level = 0 }) == 6)
        "#
        |call| cost_to(call, npc, &cell)
    },
    entry! {
        /// The moves of the cheapest walk to a cell, for `tactics:walk`. Nil if there is no way, or if the actor is dead or
        /// disabled. A cell outside the level is an error.
        ///
        /// In mid-fall, the path begins where the actor will land: `tactics:walk` lets it drop there first.
        fn Tactics.path_to(npc: CharacterId = "the actor", cell: At = "the cell")
            -> (path: "TacticalMove[]?" = "the moves: `{move=, x=, y=, level=, stance=, tu=}`")
        also["find_path", "get_path", "path"]
        example r#"
            local tactics = room:tactics()
            tactics:place(npc, { x = 1, y = 1, level = 0 })
            local path = tactics:path_to(npc, { x = 3, y = 3, level = 0 })
            assert(#path == 2 and path[1].move == "walk" and path[1].tu == 3)
        "#
        |call| path_to(call, npc, &cell)
    },
    entry! {
        /// Walks along a path, move by move, and waits until that has ended. Each move costs its TU; after each, the
        /// `on_step` of the character and of the room is called.
        ///
        /// `reason` is `arrived`; `partial` if the TU did not suffice for another move; `blocked` if a cell is taken or a
        /// door has closed; `cancelled` by `npc:stop`, by another order, or because the actor is dead or disabled; or
        /// `despawned`. The lowest speed is a cell a minute.
        wait Tactics.walk(
            npc: CharacterId = "the actor",
            path: Steps = "the moves, as from `tactics:path_to`: `{x=, y=, level=, stance=}` is enough",
            options: Option<Value> as "TacticalWalk" = "`{speed = cells a second}`"
        ) -> (ok: "boolean" = "whether it arrived", reason: "Reason" = "how it ended")
        also["move", "follow", "walk_path", "move_along", "go"]
        example r#"
            local tactics = room:tactics()
            tactics:place(npc, { x = 1, y = 1, level = 0 })
            local ok = tactics:walk(npc, tactics:path_to(npc, { x = 3, y = 1, level = 0 }), { speed = 8 })
            assert(ok and tactics:actor(npc).x == 3 and tactics:actor(npc).tu == 46)
        "#
        |call| walk(call, npc, path.0, options)
    },
    entry! {
        /// Crouches, for 3 TU, and waits until that is done. Nothing happens if the actor crouches already. In mid-fall it
        /// first drops to the floor. On a ladder and in the air nobody crouches: `reason` is `blocked` then. Other
        /// reasons are those of `tactics:walk`.
        wait Tactics.crouch(npc: CharacterId = "the actor")
            -> (ok: "boolean" = "whether it crouches now", reason: "Reason" = "how it ended") also["kneel", "duck"]
        example r#"
            local tactics = room:tactics()
            tactics:place(npc, { x = 1, y = 1, level = 0 })
            tactics:crouch(npc)
            assert(tactics:actor(npc).stance == "crouch" and tactics:actor(npc).tu == 47)
        "#
        |call| take_stance(call, npc, Stance::Crouch)
    },
    entry! {
        /// Stands up, for 3 TU, and waits until that is done. Under a low ceiling `reason` is `blocked`. Other reasons are
        /// those of `tactics:walk`.
        wait Tactics.stand(npc: CharacterId = "the actor")
            -> (ok: "boolean" = "whether it stands now", reason: "Reason" = "how it ended") also["stand_up", "rise"]
        example r#"
            local tactics = room:tactics()
            tactics:place(npc, { x = 1, y = 1, level = 0 }, { stance = "crouch" })
            tactics:stand(npc)
            assert(tactics:actor(npc).stance == "stand")
        "#
        |call| take_stance(call, npc, Stance::Stand)
    },
    entry! {
        /// Whether an actor flies from now on. One that no longer flies drops to the floor. One in mid-fall that flies now
        /// stays in the air: its walk ends as `cancelled`.
        fn Tactics.fly(npc: CharacterId = "the actor", flies: bool = "whether it flies") -> ()
        also["set_flying", "set_flies", "land"]
        example r#"
            local tactics = room:tactics()
            tactics:place(npc, { x = 1, y = 1, level = 0 })
            tactics:fly(npc, true)
            assert(tactics:cost_to(npc, { x = 1, y = 1, level = 1 }) == 4)
        "#
        |call| call.order(Command::SetFlying { who: npc, flies })
    },
    entry! {
        /// Ends the turn, and begins that of the next side: its actors get their TU, and `on_turn` is called. After the
        /// last side, another round begins. Sides whose actors are all dead or disabled are left out; an error if all are.
        fn Tactics.end_turn() -> () also["next_turn", "finish_turn", "endTurn"]
        example r#"
            local tactics = room:tactics()
            tactics:place(npc, { x = 1, y = 1, level = 0 }, { side = "guards" })
            tactics:place(player, { x = 5, y = 1, level = 0 }, { side = "thieves" })
            tactics:end_turn()
            tactics:end_turn()
            assert(tactics.side == "thieves")
        "#
        |call| call.order(Command::BeginTurn(None))
    },
    entry! {
        /// Begins the turn of a side of your choice, as initiative wants it. It may be one whose actors are all dead, for
        /// reinforcements. Another round begins if the side does not come after the present one.
        fn Tactics.begin_turn(side: String = "the side") -> () also["start_turn", "set_turn"]
        example r#"
            local tactics = room:tactics()
            tactics:place(npc, { x = 1, y = 1, level = 0 }, { side = "guards" })
            tactics:begin_turn("guards")
            assert(tactics.side == "guards" and tactics.round == 1)
        "#
        |call| call.order(Command::BeginTurn(Some(side)))
    },
    entry! {
        /// The side whose turn it is. Nil before the first turn.
        field Tactics.side: "string?" also["turn", "current_side", "active_side"]
        example r#"
            local tactics = room:tactics()
            tactics:place(npc, { x = 1, y = 1, level = 0 }, { side = "guards" })
            tactics:end_turn()
            assert(tactics.side == "guards")
        "#
        |call| with_level(call, |world| world.side_turn().map(|turn| turn.side.clone()))
    },
    entry! {
        /// The round, from 1; 0 before the first turn.
        field Tactics.round: "integer" also["turn_number", "round_number"]
        example r#"
            local tactics = room:tactics()
            tactics:place(npc, { x = 1, y = 1, level = 0 }, { side = "guards" })
            assert(tactics.round == 0)
            tactics:end_turn()
            tactics:end_turn()
            assert(tactics.round == 2)
        "#
        |call| with_level(call, |world| world.side_turn().map_or(0, |turn| turn.round))
    },
    entry! {
        /// The sides that have an actor which is alive and enabled, in the order of their turns.
        ///
        /// That is the order in which the first actor of each side came into the room. A side that comes back takes its
        /// old place.
        fn Tactics.sides() -> (sides: "string[]" = "the names") also["get_sides", "teams", "factions"]
        example r#"
            local tactics = room:tactics()
            tactics:place(npc, { x = 1, y = 1, level = 0 }, { side = "guards" })
            assert(table.concat(tactics:sides(), " ") == "guards")
        "#
        |call| with_level(call, |world| {
            world.sides().into_iter().map(str::to_owned).collect::<Vec<_>>()
        })
    },
    entry! {
        /// The size of the level in cells and levels.
        fn Tactics.size() -> (
            width: "integer" = "cells along x",
            depth: "integer" = "cells along y",
            levels: "integer" = "levels"
        ) also["get_size", "dimensions"]
        example r#"
            local width, depth, levels = room:tactics():size()
            assert(width == 8 and depth == 9 and levels >= 2)
        "#
        |call| {
            let size = with_level(call, |world| world.tactics().map_or([0; 3], |field| field.size()))?;
            Ok(Many(size.into_iter().map(|count| Value::Integer(i64::from(count))).collect::<MultiValue>()))
        }
    },
];
