//! The page of a running room: its server over raw sockets, its protocol, and the page itself in a browser.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr
)]
#![cfg(feature = "page")]

mod browser;
mod client;
mod orders;
mod security;
mod slow;
mod time;
