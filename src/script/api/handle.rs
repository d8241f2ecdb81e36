//! What scripts hold of a character or an area: an id, resolved on every use.

use crate::crowd::CharacterId;
use crate::script::host::Host;
use mlua::{AnyUserData, IntoLua, Lua, Value};
use std::rc::Rc;

/// A character as scripts hold it: an id, resolved on every use. One object per character, so `==` works.
pub(in crate::script) struct Npc {
    pub(in crate::script) id: CharacterId,
    pub(super) host: Rc<Host>,
}

/// An area as scripts hold it: its name, resolved on every use. One object per name.
pub(in crate::script) struct Area {
    pub(in crate::script) name: String,
    pub(super) host: Rc<Host>,
}

/// The object for a character; the same one every time.
pub(in crate::script) fn handle(lua: &Lua, host: &Rc<Host>, id: CharacterId) -> mlua::Result<AnyUserData> {
    if let Some(handle) = host.handles.borrow().get(&id) {
        return Ok(handle.clone());
    }
    let handle = lua.create_userdata(Npc { id, host: host.clone() })?;
    // Characters that are gone are forgotten: their object lives as long as a script holds it.
    if host.world().character(id).is_some() {
        host.handles.borrow_mut().insert(id, handle.clone());
    }
    Ok(handle)
}

/// The object for an area that is there; the same one every time.
pub(in crate::script) fn area_handle(lua: &Lua, host: &Rc<Host>, name: &str) -> mlua::Result<AnyUserData> {
    if let Some(handle) = host.area_handles.borrow().get(name) {
        return Ok(handle.clone());
    }
    let handle = lua.create_userdata(Area { name: name.to_owned(), host: host.clone() })?;
    host.area_handles.borrow_mut().insert(name.to_owned(), handle.clone());
    Ok(handle)
}

impl Npc {
    /// The object as a Lua value, for handlers' arguments.
    pub(in crate::script) fn value(lua: &Lua, host: &Rc<Host>, id: CharacterId) -> mlua::Result<Value> {
        handle(lua, host, id)?.into_lua(lua)
    }
}
