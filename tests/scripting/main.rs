//! Lua: the API, the sandbox, reload, saved rooms, specs and the monkey.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr
)]

#[macro_use]
#[path = "../common/mod.rs"]
mod common;

mod actors;
mod api;
mod attacks;
mod avoidance;
mod book;
mod borrows;
mod branches;
mod breakpoints;
#[cfg(feature = "cli")]
mod console;
mod directing;
mod examples;
mod faults;
mod files;
mod fuzz;
mod game_api;
mod game_declarations;
mod hotspots;
mod inbox;
mod inspect;
mod lessons;
mod limits;
mod links;
mod mistakes;
mod monkey;
mod reload;
mod reload_scripts;
mod rerun;
mod sandbox;
mod saved_changes;
mod saved_options;
mod saves;
mod scenario;
mod scripts;
mod senses;
mod steering;
mod stopped;
mod tactics;
mod tactics_files;
mod threads;
mod timers;
mod turns;
mod waypaths;
