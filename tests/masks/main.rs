//! Rooms painted as an image.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

#[path = "../common/mod.rs"]
mod common;

mod graph;
mod oracle;
#[cfg(feature = "watch")]
mod reload;
mod rooms;
