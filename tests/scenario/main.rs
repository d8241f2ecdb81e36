//! Specs: the language, what can go wrong with it, running many, and what is reported.
#![cfg(feature = "script")]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

#[path = "../common/mod.rs"]
mod common;
mod escapes;
mod golden;
mod language;
mod moments;
mod ours;
mod reports;
mod robust;
mod running;
mod told;
mod walks;
