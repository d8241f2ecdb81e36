//! The reference of what a game gives to its scripts, in the same forms.

use super::stubs::function_stub;
use super::{find, lines_of, page};
use crate::script::api::{Entry, Kind, Object};
use crate::script::game::GameApi;
use std::fmt::Write;

/// All that a game gives, with a line each, for the terminal; empty if it gives nothing.
pub fn list_game(game: &GameApi) -> String {
    if game.is_empty() {
        return String::new();
    }
    let mut text = format!("The game\n{}", lines_of(game.entries()));
    for kind in &game.kinds {
        let _ = writeln!(text, "  {:46}  {}", kind.name, kind.about);
    }
    text + "\n"
}

/// The reference of a name that a game gives, for the terminal: a function, a value or a type; `None` if the game has no
/// such name.
pub fn explain_game(name: &str, game: &GameApi) -> Option<String> {
    if let Some(kind) = game.kinds.iter().find(|kind| kind.name == name) {
        let methods = game.entries().filter(|entry| entry.object == Object::Thing(kind.name));
        return Some(format!("{}\n\n{}", kind.about, lines_of(methods)));
    }
    let wanted = name.trim().trim_end_matches("()").replace(':', ".");
    let named = |entry: &&'static Entry| entry.name == wanted || entry.spoken().replace(':', ".") == wanted;
    let mut pages: Vec<String> = game.entries().filter(named).map(page).collect();
    if !pages.is_empty() {
        pages.extend(find(name).unwrap_or_default().into_iter().map(page));
    }
    (!pages.is_empty()).then(|| pages.join("\n"))
}

/// Definitions of what a game gives, for the Lua language servers of editors (LuaCATS); empty if it gives nothing.
pub fn stubs_of_game(game: &GameApi) -> String {
    if game.is_empty() {
        return String::new();
    }
    let mut text = String::from(
        "---@meta\n\n-- What the game gives to scripts. Made by `cicerone api --format stubs-of-game`.\n\n",
    );
    for kind in &game.kinds {
        let _ = writeln!(text, "---{}\n---@class {}\nlocal {} = {{}}\n", kind.about, kind.name, kind.name);
    }
    if game.entries().any(|entry| entry.object == Object::Npc) {
        let _ = writeln!(text, "---@class Npc\nlocal Npc = {{}}\n");
    }
    for entry in game.entries() {
        match entry.kind() {
            Kind::Field => {
                let lua_type = entry.returns.first().map_or("any", |value| value.lua_type);
                let _ = writeln!(text, "---{}\n---@type {lua_type}\n{} = nil\n", entry.summary(), entry.name);
            }
            _ => function_stub(&mut text, entry, ""),
        }
    }
    text
}
