//! The connected pages, shared with the debugger, which serves them while a script has stopped.

use super::look::Look;
use super::net::{ClientId, FromClient, Listener, Mailbox, Message, Slot};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// Where scripts are to stop: files of the project, and lines.
pub(super) type Breakpoints = BTreeSet<(String, u32)>;

/// The connections.
pub(super) struct Wire {
    pub(super) listener: Listener,
    pub(super) clients: BTreeMap<ClientId, Client>,
    /// The first message to a page; it says which room this is.
    pub(super) hello: String,
    /// The script that has stopped, as told.
    pub(super) stopped: Option<Value>,
    pub(super) breakpoints: Breakpoints,
    /// Whether the breakpoints changed while a script had stopped.
    pub(super) has_new_breakpoints: bool,
    /// The newest message of each kind, for pages that come while a script has stopped.
    pub(super) shown: BTreeMap<Slot, Message>,
    /// Pages that were only greeted.
    pub(super) newcomers: Vec<ClientId>,
    /// Those of them that came while a script had stopped, and know no more than that.
    pub(super) late: Vec<ClientId>,
}

/// A connected page.
pub(super) struct Client {
    pub(super) mailbox: Arc<Mailbox>,
    pub(super) look: Look,
    /// What it was told of the one it looks at.
    pub(super) inspection: String,
}

/// A handle of the connections.
#[derive(Clone)]
pub(super) struct SharedWire(Arc<Mutex<Wire>>);

/// A handle that does not keep the connections open.
pub(super) struct WeakWire(Weak<Mutex<Wire>>);

impl WeakWire {
    pub(super) fn upgrade(&self) -> Option<SharedWire> {
        self.0.upgrade().map(SharedWire)
    }
}

impl SharedWire {
    pub(super) fn downgrade(&self) -> WeakWire {
        WeakWire(Arc::downgrade(&self.0))
    }

    pub(super) fn new(listener: Listener) -> Self {
        Self(Arc::new(Mutex::new(Wire {
            listener,
            clients: BTreeMap::new(),
            hello: String::new(),
            stopped: None,
            breakpoints: BTreeSet::new(),
            has_new_breakpoints: false,
            shown: BTreeMap::new(),
            newcomers: Vec::new(),
            late: Vec::new(),
        })))
    }

    /// The connections. Only the thread of the room takes them, so this never waits.
    pub(super) fn lock(&self) -> MutexGuard<'_, Wire> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn has_clients(&self) -> bool {
        !self.lock().clients.is_empty()
    }

    /// Sends a message to every page, behind those before it.
    pub(super) fn post_all(&self, text: &str) {
        let text = Message::from(text); // copies share its text
        self.lock().clients.values().for_each(|client| client.mailbox.post(text.clone()));
    }

    /// Sends a message to every page, in place of the one before it of the same kind.
    pub(super) fn put_all(&self, slot: Slot, message: impl Into<Message>) {
        let (message, mut wire) = (message.into(), self.lock());
        wire.clients.values().for_each(|client| client.mailbox.put(slot, message.clone()));
        wire.shown.insert(slot, message);
    }
}

impl Wire {
    /// What pages sent since the last call. Pages that came are greeted, those that left are gone.
    pub(super) fn take(&mut self) -> Vec<(ClientId, Message)> {
        let came: Vec<FromClient> = self.listener.take().collect();
        let mut said = Vec::new();
        for message in came {
            match message {
                FromClient::Came(id, mailbox) => {
                    mailbox.post(self.hello.as_str());
                    self.clients
                        .insert(id, Client { mailbox, look: Look::default(), inspection: String::new() });
                    self.newcomers.push(id);
                }
                FromClient::Said(id, text) => said.push((id, text)),
                FromClient::Left(id) => drop(self.clients.remove(&id)),
            }
        }
        said
    }

    /// Answers an order.
    pub(super) fn answer(&self, id: ClientId, answer: String) {
        if let Some(client) = self.clients.get(&id) {
            client.mailbox.post(answer);
        }
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        self.clients.values().for_each(|client| client.mailbox.close());
    }
}
