//! The `cicerone` command as users type it, and files that change while it runs.
#![cfg(feature = "cli")]
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

mod bad_files;
mod benchmarks;
mod check;
mod cli;
mod endings;
mod examples;
mod faulty_readers;
mod hostile;
mod live_reload;
mod mesh_rooms;
mod navmesh;
mod path;
mod pictures;
mod reports;
mod rooms;
mod serve;
mod storeys;
mod storm;
mod tactics;
mod tactics_files;
#[cfg(unix)]
mod terminal;
mod test_command;
