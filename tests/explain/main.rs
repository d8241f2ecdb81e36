//! What is in the way: pictures of rooms, and what is said of them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

#[path = "../common/mod.rs"]
mod common;

mod areas;
mod ask;
mod bounds;
mod every_set;
mod widths;
