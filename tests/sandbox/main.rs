//! What scripts find in their sandbox: which functions there are, that every process does the same with them, and that they do
//! what plain Lua does.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]
#![cfg(feature = "script")]

#[path = "../common/mod.rs"]
mod common;

mod capabilities;
#[cfg(feature = "cli")]
mod processes;
mod semantics;
