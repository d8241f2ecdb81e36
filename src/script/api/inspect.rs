//! What is known of a character, or of the room, as a text.

use super::define::entry;
use super::entry::{Call, Entry};
use crate::crowd::CharacterId;

pub(super) const ENTRIES: &[Entry] = &[
    entry! {
        /// What is known of the character, as a text of many lines: to be read in the console or in a log.
        ///
        /// It tells the state of the character, its walk, why it waits and how its last walk ended, `self`, the handlers
        /// of its script and those that are off after errors, its sequences with their current lines, timers, and
        /// messages that are not delivered yet. Looking changes nothing and runs no code of scripts. Of a character that
        /// has left, it tells when.
        ///
        /// The text is for people: its form may change with every version.
        fn Npc.inspect() -> (text: "string" = "what is known, at most about 12,000 bytes")
        also["debug", "dump", "info", "describe", "debug_info", "to_debug_string"]
        example r#"
            npc:set_target("well")
            local text = npc:inspect()
            assert(text:find("walk\n") and text:find("well"))
        "#
        |call| {
            if call.host.world().departed(call.who).is_none() {
                call.read(|_| ())?;
            }
            inspect(call, Some(call.who))
        }
    },
    entry! {
        /// What is known of the room, as a text of many lines: to be read in the console or in a log.
        ///
        /// It tells the time, closed areas and links, `room.state`, and the handlers, sequences, timers and messages of
        /// the room's scripts. As `npc:inspect`, it changes nothing.
        fn Room.inspect() -> (text: "string" = "what is known, at most about 12,000 bytes")
        also["debug", "dump", "info", "describe", "debug_info", "to_debug_string"]
        example r#"
            room.state.visits = 3
            local text = room:inspect()
            assert(text:find("visits  3") and text:find("cellar_door")) -- which is closed
        "#
        |call| inspect(call, None)
    },
];

/// Instructions charged for the text, besides what it is made of.
const INSPECT_COST: u64 = 2000;

fn inspect(call: &Call<'_>, who: Option<CharacterId>) -> mlua::Result<String> {
    call.host.charge(call.lua, INSPECT_COST)?;
    let Some((inspection, work)) = call.host.inspect(who) else { return Ok(String::new()) };
    call.host.charge(call.lua, work)?;
    let text = inspection.to_string();
    call.host.charge(call.lua, text.len() as u64)?;
    Ok(text)
}
