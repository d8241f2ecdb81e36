//! Scenes: sequences that take control of characters.

use super::args::{Company, list_of};
use super::define::entry;
use super::entry::{Call, Entry, Many};
use super::people::character_of;
use super::sequences::branches;
use crate::crowd::CharacterId;
use crate::world::MAX_SET_ASIDE;
use mlua::{Function, Value};

pub(super) const ENTRIES: &[Entry] = &[
    entry! {
        /// Takes the character over for as long as a function runs, and waits for it: a cut-scene, a talk.
        ///
        /// Meanwhile the character's own behaviour is off. All sequences of its script pause, `run` included, and so
        /// do its timers. `on_update` is not called. Its walk is put aside without ending. The events `on_talk`,
        /// `on_enter`, `on_leave`, `on_waypoint`, `on_step` and `on_message` are kept, and called when the scene ends. The script gets no
        /// events of the scene's own walks. Clicks do not move a player that is in a scene.
        ///
        /// When the function ends, the character is given back: its walk is resumed from where it is then, and
        /// everything that paused continues. The same happens if the function ends with an error, if its sequence is
        /// cancelled or restarts after a reload, and if the character leaves.
        ///
        /// Scenes can be nested. If another sequence takes the character over, the earlier scene pauses as well. An
        /// error in the function also ends the sequence that waits for it; a `pcall` around `direct` does not catch
        /// it.
        wait Npc.direct(action: Function as "fun(): boolean?, any" = "what happens in the scene")
            -> (ok: "boolean" = "false if the function returned false", reason: "string" = "`done`, or why not")
        also["possess", "take_over", "take_control", "script", "cutscene", "pause_ai"]
        example r#"
            local ann = room:npc("ann")
            ann:set_target("barrels")
            ann:direct(function()
                assert(ann.directed and not ann:is_moving())
                ann:say("One moment!", 0.5)
            end)
            assert(ann:is_moving() and not ann.directed)
        "#
        |call| direct(call, vec![call.who], action)
    },
    entry! {
        /// The same as `npc:direct`, for several characters at once.
        wait Global.direct(
            who: Company as "Npc|string|Npc[]" = "a character, its name, or a list of characters",
            action: Function as "fun(): boolean?, any" = "what happens in the scene"
        ) -> (ok: "boolean" = "false if the function returned false", reason: "string" = "`done`, or why not")
        also["cutscene", "scene", "take_over"]
        example r#"
            local ann = room:npc("ann")
            local ok, reason = direct({ npc, ann }, function()
                npc:turn_to(ann)
                return false, "nothing to say"
            end)
            assert(not ok and reason == "nothing to say")
        "#
        |call| {
            let who = actors_of(call, &who.0)?;
            direct(call, who, action)
        }
    },
    entry! {
        /// Whether a scene has taken the character over: see `npc:direct`.
        field Npc.directed: "boolean" also["in_cutscene", "is_directed", "possessed"]
        example r#"
            assert(not npc.directed)
        "#
        |call| call.read(|_| call.host.is_directed(call.who))
    },
];

/// Maximum characters of one scene.
const MOST_ACTORS: usize = 1000;

fn actors_of(call: &Call<'_>, who: &Value) -> mlua::Result<Vec<CharacterId>> {
    let Value::Table(list) = who else { return Ok(vec![character_of(call, who, "who")?]) };
    let mut actors = Vec::new();
    for (at, one) in list_of(call, list, "who", MOST_ACTORS)?.iter().enumerate() {
        actors.push(character_of(call, one, &format!("who[{}]", at + 1))?);
    }
    actors.sort_unstable();
    actors.dedup();
    Ok(actors)
}

fn direct(call: &Call<'_>, actors: Vec<CharacterId>, action: Function) -> mlua::Result<Many> {
    for &who in &actors {
        call.host.read(call.lua, who, |_| ())?;
        if call.host.schedule.borrow().scenes_of(who) >= MAX_SET_ASIDE {
            let name = call.host.world().name_of(who).to_owned();
            return Err(
                call.fail(format!("'{name}' is in {MAX_SET_ASIDE} scenes already, as many as may be"))
            );
        }
    }
    branches(call, vec![action], false, actors)
}
