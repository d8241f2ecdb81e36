//! The plugin in an app without a window, with rooms from an asset source in memory.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod app;
mod characters;
mod events;
mod files;
mod orders;
mod steps;
