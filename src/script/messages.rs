//! Messages on their way from one script to another. They are delivered in the next tick, in the order they were sent.

use crate::crowd::CharacterId;
use mlua::{AnyUserData, Value};

/// One message to one receiver.
#[derive(Clone)]
pub(super) struct Letter {
    /// Whose code sent it; nobody's if a room script's. The object itself: its character may be gone when it is read.
    pub(super) from: Option<AnyUserData>,
    pub(super) to: Receiver,
    /// What it is about.
    pub(super) message: String,
    /// What goes with it.
    pub(super) data: Value,
}

/// Who is to get it.
#[derive(Clone, Copy)]
pub(super) enum Receiver {
    Npc(CharacterId),
    Room,
}
