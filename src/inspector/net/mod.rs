//! The server of the page: HTTP and WebSockets on this machine only, in threads of their own.
//!
//! The thread that runs the room never waits for a connection: it leaves messages in [`Mailbox`]es, and takes what pages
//! sent from a channel.

mod assets;
mod client;
mod head;
mod listener;
mod mailbox;
mod token;

pub(super) use client::{ClientId, FromClient};
pub(super) use listener::Listener;
pub(super) use mailbox::{Mailbox, Slot};
pub(super) use tungstenite::{Bytes, Message};

use std::time::Duration;

/// The most connections at a time, pages and files together.
const MOST_CONNECTIONS: usize = 16;

/// The longest head of a request.
const MOST_HEAD_BYTES: usize = 8 * 1024;

/// The time that a head may take to arrive.
const HEAD_TIME: Duration = Duration::from_secs(5);

/// The longest message of a page.
const MOST_MESSAGE_BYTES: usize = 64 * 1024;

/// A page that takes nothing for this long is given up.
const WRITE_TIME: Duration = Duration::from_secs(10);
