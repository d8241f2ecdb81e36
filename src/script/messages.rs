//! Messages between scripts. They are delivered in the next tick, in the order they were sent.

use crate::crowd::CharacterId;
use mlua::{AnyUserData, Value};

/// One message to one receiver.
#[derive(Clone)]
pub(super) struct Letter {
    /// The sending character; `None` for a room script. The userdata itself, since the character may be gone
    /// when the message is read.
    pub(super) from: Option<AnyUserData>,
    pub(super) to: Receiver,
    /// The message's name.
    pub(super) message: String,
    /// The message's data.
    pub(super) data: Value,
}

/// The receiver of a message.
#[derive(Clone, Copy)]
pub(super) enum Receiver {
    Npc(CharacterId),
    Room,
}
