//! Event handlers that the host calls in scripts.

mod misspelt;

pub(in crate::script) use misspelt::{Misspelt, has_none, misspelt};

use super::args::{AreaName, ObjectName};
use super::define::entry;
use super::entry::Entry;
use crate::crowd::CharacterId;
use mlua::Value;

pub(super) const ENTRIES: &[Entry] = &[
    entry! {
        /// What the character does by itself: a sequence that begins when it comes into the room.
        ///
        /// It restarts when its file is saved; `self` and the walk under way are kept then.
        event Behaviour.run(self_: Value as "table" = "what the character remembers", npc: CharacterId = "the character") -> ()
        also["main", "routine", "start", "Start", "ready", "_ready", "start_routine"]
        example r#"
            function Guard.run(self, npc)
              while true do
                npc:walk_to("well")
                wait(0.5)
                npc:walk_to("bar")
                wait(0.5)
              end
            end
        "#
    },
    entry! {
        /// The character came into the room, when the room was opened or by `spawn`.
        event Behaviour.on_spawn(
            self_: Value as "table" = "what the character remembers",
            npc: CharacterId = "the character"
        ) -> ()
        also["on_start", "on_init", "init", "on_load", "on_create", "Awake"]
        example r#"
            function Guard.on_spawn(self, npc)
              self.rounds = 0
              npc:give("cellar_key")
            end
        "#
    },
    entry! {
        /// The character has left the room. `self` is still its table. `npc` still answers what `npc.valid` lists.
        event Behaviour.on_despawn(
            self_: Value as "table" = "what the character remembers",
            npc: CharacterId = "the character that left"
        ) -> ()
        also["on_destroy", "on_exit", "on_delete", "final", "OnDestroy"]
        example r#"
            function Guard.on_despawn(self, npc)
              log.info(npc.id, "went home")
            end
        "#
    },
    entry! {
        /// Called every tick. Sequences and timers cost far less. Use this only for what really changes each tick.
        event Behaviour.on_update(
            self_: Value as "table" = "what the character remembers",
            npc: CharacterId = "the character",
            dt: f64 = "seconds since the last tick"
        ) -> () also["update", "Update", "process", "_process", "on_tick", "tick", "on_frame"]
        example r#"
            function Guard.on_update(self, npc, dt)
              self.watched = (self.watched or 0) + dt
            end
        "#
    },
    entry! {
        /// A walk of the character has arrived, or has ended as near to the goal as possible.
        event Behaviour.on_arrived(
            self_: Value as "table" = "what the character remembers",
            npc: CharacterId = "the character",
            reason: String as "\"arrived\"|\"partial\"" = "`arrived`, or `partial`: as near to the goal as possible"
        ) -> () also["on_arrive", "on_reached", "on_target_reached", "on_destination_reached"]
        example r#"
            function Guard.on_arrived(self, npc, reason)
              npc:say(reason == "arrived" and "Here I am." or "No further.")
            end
        "#
    },
    entry! {
        /// A walk of the character has ended, whatever the reason.
        event Behaviour.on_walk_ended(
            self_: Value as "table" = "what the character remembers",
            npc: CharacterId = "the character",
            reason: String as "Reason" = "how it ended"
        ) -> () also["on_walk_end", "on_walk_finished", "on_path_ended"]
        example r#"
            function Guard.on_walk_ended(self, npc, reason)
              self.last = reason
            end
        "#
    },
    entry! {
        /// A walk of the character has ended as `blocked`: the character made no progress for ten seconds.
        event Behaviour.on_blocked(
            self_: Value as "table" = "what the character remembers",
            npc: CharacterId = "the character",
            by: Option<String> = "the name of the character in the way, or of the area that closes on it again and again"
        ) -> () also["on_stuck", "on_obstructed"]
        example r#"
            function Guard.on_blocked(self, npc, by)
              npc:say("Out of my way, " .. (by or "you") .. "!")
            end
        "#
    },
    entry! {
        /// The character stepped into an area.
        event Behaviour.on_enter(
            self_: Value as "table" = "what the character remembers",
            npc: CharacterId = "the character",
            area: AreaName = "the area's name"
        ) -> () also["on_area_entered", "on_trigger_enter", "OnTriggerEnter", "on_entered"]
        example r#"
            function Guard.on_enter(self, npc, area)
              if area == "cellar" then npc:say("Brr!") end
            end
        "#
    },
    entry! {
        /// The character stepped out of an area.
        event Behaviour.on_leave(
            self_: Value as "table" = "what the character remembers",
            npc: CharacterId = "the character",
            area: AreaName = "the area's name"
        ) -> () also["on_area_exited", "on_trigger_exit", "OnTriggerExit", "on_left"]
        example r#"
            function Guard.on_leave(self, npc, area)
              self.left = area
            end
        "#
    },
    entry! {
        /// The character begins to cross a link. This is a sequence: it may wait.
        ///
        /// A link of the kind `handler` is crossed when this sequence has ended. Until then the character stands where
        /// the link begins, or moves as `npc:cross` says. Links of other kinds take their own time.
        event Behaviour.on_link(
            self_: Value as "table" = "what the character remembers",
            npc: CharacterId = "the character",
            link: Value as "Link" = "the link"
        ) -> () also["on_off_mesh_link", "on_cross", "on_link_entered", "on_jump", "on_link_reached"]
        example r#"
            function Guard.on_link(self, npc, link)
              npc:say("Up and over!", 0.5)
              npc:cross(1)
            end
        "#
    },
    entry! {
        /// The character came to a waypoint of a waypath that has an action, along the waypath or where it joined it.
        event Behaviour.on_waypoint(
            self_: Value as "table" = "what the character remembers",
            npc: CharacterId = "the character",
            waypoint: Value as "Waypoint" = "the waypoint: `at`, `index`, `waypath`, and its action"
        ) -> () also["on_waypoint_reached", "on_path_node", "on_patrol_point"]
        example r#"
            function Guard.on_waypoint(self, npc, waypoint)
              if waypoint.handler == "salute" then npc:say("Sir!") end
            end
        "#
    },
    entry! {
        /// The character made a move on the tactical level: after each cell, each change of its stance, and each cell of
        /// a fall.
        event Behaviour.on_step(
            self_: Value as "table" = "what the character remembers",
            npc: CharacterId = "the character",
            step: Value as "TacticalMove" = "the move: `x`, `y`, `level`, `stance`, `move` and `tu`"
        ) -> () also["on_cell", "on_move", "on_tactical_step"]
        example r#"
            function Guard.on_step(self, npc, step)
              self.spent = (self.spent or 0) + step.tu
            end
        "#
    },
    entry! {
        /// The character fell by a cell of the tactical level. `on_step` is called, too. Room scripts have no such event:
        /// see `step.move` in their `on_step`.
        event Behaviour.on_fall(
            self_: Value as "table" = "what the character remembers",
            npc: CharacterId = "the character",
            step: Value as "TacticalMove" = "the move"
        ) -> () also["on_falling", "on_drop", "fell"]
        example r#"
            function Guard.on_fall(self, npc, step)
              npc:say("Ouch!")
            end
        "#
    },
    entry! {
        /// The character crouched on the tactical level. `on_step` is called, too. Room scripts have no such event.
        event Behaviour.on_crouch(
            self_: Value as "table" = "what the character remembers",
            npc: CharacterId = "the character",
            step: Value as "TacticalMove" = "the move"
        ) -> () also["on_kneel", "on_duck", "on_stance"]
        example r#"
            function Guard.on_crouch(self, npc, step)
              npc:say("Down!")
            end
        "#
    },
    entry! {
        /// The turn of the character's side began on the tactical level.
        event Behaviour.on_turn(
            self_: Value as "table" = "what the character remembers",
            npc: CharacterId = "the character",
            side: String = "its side",
            round: i64 = "the round, from 1"
        ) -> () also["on_turn_start", "on_turn_began", "start_turn"]
        example r#"
            function Guard.on_turn(self, npc, side, round)
              self.moved = false
            end
        "#
    },
    entry! {
        /// Another character walked up to this one to talk, and is at talking distance.
        event Behaviour.on_talk(
            self_: Value as "table" = "what the character remembers",
            npc: CharacterId = "the character",
            other: CharacterId = "the other character"
        ) -> () also["on_interact", "on_talked", "on_click", "on_talk_to", "on_speak"]
        example r#"
            function Guard.on_talk(self, npc, other)
              npc:turn_to(other)
              npc:say("Move along, " .. other.id .. ".")
            end
        "#
    },
    entry! {
        /// A script of a character, or of the room, sent this character a message with `send`.
        event Behaviour.on_message(
            self_: Value as "table" = "what the character remembers",
            npc: CharacterId = "the character",
            message: String = "the message",
            data: Value as "any" = "the data of the message",
            from: Option<CharacterId> = "the character whose script sent it; nil if the room's script sent it"
        ) -> () also["on_msg", "on_signal", "on_event", "on_notify", "on_receive"]
        example r#"
            function Guard.on_message(self, npc, message, data, from)
              if message == "alarm" then npc:set_target(data.at) end
            end
        "#
    },
    entry! {
        /// A timer that `after` or `every` set with a name is due.
        event Behaviour.on_timer(
            self_: Value as "table" = "what the character remembers",
            npc: CharacterId = "the character",
            name: String = "the timer's name",
            data: Value as "any" = "the data given to `after` or `every`"
        ) -> () also["on_timeout", "on_alarm", "timeout", "_on_timer_timeout"]
        example r#"
            function Guard.on_talk(self, npc, other)
              after(5, "patience", { with = other })
            end
            function Guard.on_timer(self, npc, name, data)
              if name == "patience" then npc:say("Move along, " .. data.with.id .. "!") end
            end
        "#
    },
    entry! {
        /// The character's script was saved and reloaded, or the room was restored to a saved moment. `self` is kept.
        /// `run` restarts after this.
        event Behaviour.on_reload(
            self_: Value as "table" = "what the character remembers",
            npc: CharacterId = "the character"
        ) -> ()
        also["on_hot_reload", "on_saved", "on_reloaded"]
        example r#"
            function Guard.on_reload(self, npc)
              npc:say("Where was I?")
            end
        "#
    },
    entry! {
        /// What happens in the room by itself: a sequence that begins with the room. It restarts when its file is
        /// saved.
        event RoomScript.run(room: Value as "Room" = "the room") -> () also["main", "start", "Start", "ready"]
        example r#"
            function Script.run(room)
              while true do
                wait(1)
                room:area("cellar_door").available = not room:area("cellar_door").available
              end
            end
        "#
    },
    entry! {
        /// The room has been opened. Its characters come right after this.
        event RoomScript.on_load(room: Value as "Room" = "the room") -> ()
        also["on_start", "on_init", "init", "on_spawn", "_ready"]
        example r#"
            function Script.on_load(room)
              room.state.visits = 0
            end
        "#
    },
    entry! {
        /// Called every tick.
        event RoomScript.on_update(room: Value as "Room" = "the room", dt: f64 = "seconds since the last tick") -> ()
        also["update", "Update", "_process", "on_tick"]
        example r#"
            function Script.on_update(room, dt)
              room.state.clock = (room.state.clock or 0) + dt
            end
        "#
    },
    entry! {
        /// A character stepped into an area.
        event RoomScript.on_enter(
            room: Value as "Room" = "the room",
            npc: CharacterId = "the character",
            area: AreaName = "the area's name"
        ) -> () also["on_area_entered", "on_trigger_enter", "on_entered"]
        example r#"
            function Script.on_enter(room, npc, area)
              if area == "cellar" and npc.player then send("guard", "alarm", { at = "barrels" }) end
            end
        "#
    },
    entry! {
        /// A character stepped out of an area, or left the room from there.
        ///
        /// If the character left the room, `npc.valid` is false. `npc.id`, `npc:tags()`, `npc:has_tag` and
        /// `npc.player` still answer.
        event RoomScript.on_leave(
            room: Value as "Room" = "the room",
            npc: CharacterId = "the character",
            area: AreaName = "the area's name"
        ) -> () also["on_area_exited", "on_trigger_exit", "on_left"]
        example r#"
            function Script.on_leave(room, npc, area)
              log.info(npc.id, "left", area)
            end
        "#
    },
    entry! {
        /// An area opened or closed.
        event RoomScript.on_area_changed(
            room: Value as "Room" = "the room",
            area: AreaName = "the area's name",
            available: bool = "whether it is open now"
        ) -> () also["on_door_opened", "on_area_change", "on_door", "on_area_available"]
        example r#"
            function Script.on_area_changed(room, area, available)
              log.info(area, available and "opens" or "closes")
            end
        "#
    },
    entry! {
        /// The turn of a side began on the tactical level.
        event RoomScript.on_turn(
            room: Value as "Room" = "the room",
            side: String = "the side",
            round: i64 = "the round, from 1"
        ) -> () also["on_turn_start", "on_turn_began", "on_next_turn"]
        example r#"
            function Script.on_turn(room, side, round)
              log.info("round", round, side)
            end
        "#
    },
    entry! {
        /// A character made a move on the tactical level: after each cell, each change of its stance, and each cell of a
        /// fall. Overwatch and traps belong here; `npc:stop()` ends the walk.
        event RoomScript.on_step(
            room: Value as "Room" = "the room",
            npc: CharacterId = "the character",
            step: Value as "TacticalMove" = "the move: `x`, `y`, `level`, `stance`, `move` and `tu`"
        ) -> () also["on_cell", "on_move", "on_tactical_step"]
        example r#"
            function Script.on_step(room, npc, step)
              if step.x == 3 and step.level == 0 then npc:stop() end
            end
        "#
    },
    entry! {
        /// The player clicked somewhere. Return true to take the click. Otherwise the player walks there: up to a
        /// character at that place to talk to it, or to a hotspot at that place to use it.
        event RoomScript.on_click(
            room: Value as "Room" = "the room",
            place: Value as "Point" = "where",
            hotspot: Option<Value> as "Hotspot" = "the hotspot at that place, if any"
        ) -> (taken: "boolean?" = "true if there is nothing more to do")
        also["on_tap", "on_mouse", "on_input", "on_pointer"]
        example r#"
            function Script.on_click(room, place, hotspot)
              if hotspot and hotspot.cursor == "look" then
                room:npc("player"):say("A " .. hotspot.name .. ".")
                return true
              end
              if room:npc("player"):distance_to(place) < 0.3 then return true end
            end
        "#
    },
    entry! {
        /// A character used a hotspot or a point of the room: by `npc:use`, or because the player clicked on a
        /// hotspot.
        event RoomScript.on_use(
            room: Value as "Room" = "the room",
            npc: CharacterId = "the character",
            object: ObjectName = "the name of the hotspot or point that was used"
        ) -> () also["on_interact", "on_used", "on_activate"]
        example r#"
            function Script.on_use(room, npc, object)
              if object == "well" then npc:say("Splash!") end
            end
        "#
    },
    entry! {
        /// A script of a character, or of the room, sent the room a message with `send(room, …)`.
        event RoomScript.on_message(
            room: Value as "Room" = "the room",
            message: String = "the message",
            data: Value as "any" = "the data of the message",
            from: Option<CharacterId> = "the character whose script sent it; nil if a script of the room sent it"
        ) -> () also["on_msg", "on_signal", "on_event"]
        example r#"
            function Script.on_message(room, message, data, from)
              if message == "counted" then room.state.count = data end
            end
        "#
    },
    entry! {
        /// A timer that `after` or `every` set with a name is due.
        event RoomScript.on_timer(
            room: Value as "Room" = "the room",
            name: String = "the timer's name",
            data: Value as "any" = "the data given to `after` or `every`"
        ) -> () also["on_timeout", "on_alarm"]
        example r#"
            function Script.on_use(room, npc, object)
              if object == "well" then after(3, "splash") end
            end
            function Script.on_timer(room, name, data)
              if name == "splash" then log.info("there is a bucket down there") end
            end
        "#
    },
    entry! {
        /// The room's script was saved and reloaded, or the room was restored to a saved moment. `run` restarts
        /// after this.
        event RoomScript.on_reload(room: Value as "Room" = "the room") -> () also["on_hot_reload", "on_reloaded"]
        example r#"
            function Script.on_reload(room)
              log.info("saved")
            end
        "#
    },
];

/// Whether the host calls functions of this name in some script.
pub(in crate::script) fn is_event(name: &str) -> bool {
    ENTRIES.iter().any(|entry| entry.name == name)
}
