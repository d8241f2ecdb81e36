//! The scripts' handles of characters, areas, links and waypaths: an id, resolved on every use.

use crate::crowd::CharacterId;
use crate::script::host::Host;
use mlua::{AnyUserData, IntoLua, Lua, Value};
use std::rc::Rc;

/// The scripts' handle of a character: an id, resolved on every use. One object per character, so `==` works.
pub(in crate::script) struct Npc {
    pub(in crate::script) id: CharacterId,
    pub(super) host: Rc<Host>,
}

/// The scripts' handle of an area: its name, resolved on every use. One object per name.
pub(in crate::script) struct Area {
    pub(in crate::script) name: String,
    pub(super) host: Rc<Host>,
}

/// The scripts' handle of a link: its name, resolved on every use. One object per name.
pub(in crate::script) struct Link {
    pub(in crate::script) name: String,
    pub(super) host: Rc<Host>,
}

/// The scripts' handle of a waypath: its name, resolved on every use. One object per name.
pub(in crate::script) struct Waypath {
    pub(in crate::script) name: String,
    pub(super) host: Rc<Host>,
}

/// The scripts' handle of the room's tactical level. One object.
pub(in crate::script) struct Tactics {
    pub(super) host: Rc<Host>,
}

/// The handle of a character; always the same object.
pub(in crate::script) fn handle(lua: &Lua, host: &Rc<Host>, id: CharacterId) -> mlua::Result<AnyUserData> {
    if let Some(handle) = host.handles.borrow().get(&id) {
        return Ok(handle.clone());
    }
    let handle = lua.create_userdata(Npc { id, host: host.clone() })?;
    // Handles of characters that have left are not kept here: they live as long as a script holds them.
    if host.world().character(id).is_some() {
        host.handles.borrow_mut().insert(id, handle.clone());
    }
    Ok(handle)
}

/// The handle of an existing area; always the same object.
pub(in crate::script) fn area_handle(lua: &Lua, host: &Rc<Host>, name: &str) -> mlua::Result<AnyUserData> {
    if let Some(handle) = host.area_handles.borrow().get(name) {
        return Ok(handle.clone());
    }
    let handle = lua.create_userdata(Area { name: name.to_owned(), host: host.clone() })?;
    host.area_handles.borrow_mut().insert(name.to_owned(), handle.clone());
    Ok(handle)
}

/// The handle of a link; always the same object.
pub(in crate::script) fn link_handle(lua: &Lua, host: &Rc<Host>, name: &str) -> mlua::Result<AnyUserData> {
    if let Some(handle) = host.link_handles.borrow().get(name) {
        return Ok(handle.clone());
    }
    let handle = lua.create_userdata(Link { name: name.to_owned(), host: host.clone() })?;
    host.link_handles.borrow_mut().insert(name.to_owned(), handle.clone());
    Ok(handle)
}

/// The handle of a waypath; always the same object.
pub(in crate::script) fn waypath_handle(lua: &Lua, host: &Rc<Host>, name: &str) -> mlua::Result<AnyUserData> {
    if let Some(handle) = host.waypath_handles.borrow().get(name) {
        return Ok(handle.clone());
    }
    let handle = lua.create_userdata(Waypath { name: name.to_owned(), host: host.clone() })?;
    host.waypath_handles.borrow_mut().insert(name.to_owned(), handle.clone());
    Ok(handle)
}

/// The handle of the tactical level; always the same object.
pub(in crate::script) fn tactics_handle(lua: &Lua, host: &Rc<Host>) -> mlua::Result<AnyUserData> {
    if let Some(handle) = &*host.tactics_handle.borrow() {
        return Ok(handle.clone());
    }
    let handle = lua.create_userdata(Tactics { host: host.clone() })?;
    *host.tactics_handle.borrow_mut() = Some(handle.clone());
    Ok(handle)
}

impl Npc {
    /// The handle as a Lua value, for handlers' arguments.
    pub(in crate::script) fn value(lua: &Lua, host: &Rc<Host>, id: CharacterId) -> mlua::Result<Value> {
        handle(lua, host, id)?.into_lua(lua)
    }
}
