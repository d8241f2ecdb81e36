//! Events of the tactical level: moves of actors, and turns.

use super::Scripts;
use super::api::{handle, step_table};
use super::owner::Owner;
use crate::crowd::{Character, CharacterId};
use crate::tactics::{Move, MoveKind};
use mlua::IntoLuaMulti;

/// The handlers of a character that a move calls.
fn handlers_of(step: &Move) -> impl Iterator<Item = &'static str> {
    let special = match step.kind {
        MoveKind::Fall => Some("on_fall"),
        MoveKind::Crouch => Some("on_crouch"),
        _ => None,
    };
    special.into_iter().chain(["on_step"])
}

impl Scripts {
    /// A handler that a character has for a move. `on_step` if it has none.
    pub(super) fn handler_of_step(&self, who: CharacterId, step: &Move) -> &'static str {
        handlers_of(step).find(|handler| self.has_handler(who, handler)).unwrap_or("on_step")
    }

    /// Tells the script of an actor of its move.
    pub(super) fn tell_step(&mut self, who: CharacterId, step: &Move) {
        for event in handlers_of(step) {
            if self.has_handler(who, event) {
                match step_table(self.lua(), step) {
                    Ok(table) => self.handler(who, event, table),
                    Err(error) => self.report(Owner::Character(who), event, &error, Default::default()),
                }
            }
        }
    }

    /// Tells the room's scripts of a move.
    pub(super) fn tell_room_of_step(&mut self, who: CharacterId, step: &Move) {
        let (host, step) = (self.host.clone(), *step);
        self.each_room_script("on_step", |lua| {
            (handle(lua, &host, who)?, step_table(lua, &step)?).into_lua_multi(lua)
        });
    }

    /// The turn of a side began: tells the room's script and those of its actors that are alive and enabled.
    pub(super) fn turn_began(&mut self, side: &str, round: u32) {
        self.each_room_script("on_turn", |lua| (side, round).into_lua_multi(lua));
        let actors: Vec<CharacterId> = {
            let world = self.host.world();
            let is_on = |c: &Character| c.actor.as_ref().is_some_and(|actor| actor.side == side);
            let actors =
                world.characters().iter().filter(|character| character.is_active() && is_on(character));
            actors.map(|character| character.id).collect()
        };
        for who in actors {
            self.handler(who, "on_turn", (side, round));
        }
    }
}
