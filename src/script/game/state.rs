//! What a Lua state knows of the game: its functions, and the calls that scripts wait for.

use super::{CallId, Code, Constant, GameApi, GameValue, Shape, StandIn, ThingKind};
use crate::script::api::Entry;
use crate::script::owner::{Owner, TaskId};
use mlua::Table;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// The game of a Lua state.
#[derive(Default)]
pub(in crate::script) struct GameState {
    pub(in crate::script) functions: Vec<Rc<Registered>>,
    pub(in crate::script) values: Vec<Constant>,
    pub(in crate::script) kinds: Vec<ThingKind>,
    /// The entries of all these, for messages and completion.
    pub(in crate::script) entries: Vec<&'static Entry>,
    /// Calls that sequences wait for.
    pub(in crate::script) pending: RefCell<BTreeMap<CallId, Pending>>,
    /// Whether somebody ends the calls of functions that only a file declares.
    pub(in crate::script) is_played: Cell<bool>,
    /// The last call's number.
    pub(in crate::script) calls: Cell<u64>,
    /// For each type, the methods of its things.
    pub(in crate::script) methods: RefCell<BTreeMap<&'static str, Table>>,
    /// The handles of things that scripts hold, by type and number; the values are weak.
    pub(in crate::script) things: RefCell<Option<Table>>,
}

/// A function of the game, ready to be called.
pub(in crate::script) struct Registered {
    pub(in crate::script) shape: Shape,
    pub(in crate::script) body: Option<Arc<Code>>,
    pub(in crate::script) stand_in: StandIn,
    pub(in crate::script) is_stand_in: bool,
    pub(in crate::script) waits: bool,
}

/// A call that a sequence waits for.
pub(in crate::script) struct Pending {
    pub(in crate::script) waiter: (Owner, TaskId),
    pub(in crate::script) function: Rc<Registered>,
    /// Without a game: the tick of its end, and the results.
    pub(in crate::script) stand_in: Option<(u64, Vec<GameValue>)>,
}

impl GameState {
    /// The state of a game; functions with mistakes are left out.
    pub(in crate::script) fn new(api: GameApi) -> Self {
        let kinds = api.kind_names();
        let entries = api.entries().collect();
        let registered = |function: super::GameFunction| {
            let shape = function.shape(&kinds)?;
            let waits = function.waits();
            let super::GameFunction { body, stand_in, is_stand_in, .. } = function;
            Some(Rc::new(Registered { shape, body, stand_in, is_stand_in, waits }))
        };
        let functions = api.functions.into_iter().filter_map(registered).collect();
        Self { functions, values: api.values, kinds: api.kinds, entries, ..Self::default() }
    }

    pub(in crate::script) fn next_call(&self) -> CallId {
        self.calls.set(self.calls.get() + 1);
        CallId(self.calls.get())
    }

    /// Releases every Lua value.
    pub(in crate::script) fn release(&self) {
        self.methods.borrow_mut().clear();
        *self.things.borrow_mut() = None;
    }
}
