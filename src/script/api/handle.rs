//! What scripts hold of a character: its id, resolved on every use.

use crate::crowd::CharacterId;
use crate::script::error::fail;
use crate::script::host::Host;
use mlua::{AnyUserData, IntoLua, Lua, Value};
use std::collections::VecDeque;
use std::rc::Rc;

/// A character as scripts hold it: an id, resolved on every use. One object per character, so `==` works.
pub(in crate::script) struct Npc {
    pub(in crate::script) id: CharacterId,
    pub(super) host: Rc<Host>,
}

/// The object for a character; the same one every time.
pub(in crate::script) fn handle(lua: &Lua, host: &Rc<Host>, id: CharacterId) -> mlua::Result<AnyUserData> {
    if let Some(handle) = host.handles.borrow().get(&id) {
        return Ok(handle.clone());
    }
    let handle = lua.create_userdata(Npc { id, host: host.clone() })?;
    host.handles.borrow_mut().insert(id, handle.clone());
    Ok(handle)
}

/// The character among the arguments of a global function.
pub(super) fn take_npc(lua: &Lua, args: &mut VecDeque<Value>, what: &str) -> mlua::Result<CharacterId> {
    let first = args.pop_front().unwrap_or(Value::Nil);
    let id = first.as_userdata().and_then(|userdata| userdata.borrow::<Npc>().ok().map(|npc| npc.id));
    id.ok_or_else(|| {
        let found = first.type_name();
        fail(
            lua,
            format!("{what}: the first argument is a character, not {found}; room:npc(\"NAME\") gives one"),
        )
    })
}

impl Npc {
    /// The object as a Lua value, for handlers' arguments.
    pub(in crate::script) fn value(lua: &Lua, host: &Rc<Host>, id: CharacterId) -> mlua::Result<Value> {
        handle(lua, host, id)?.into_lua(lua)
    }
}
