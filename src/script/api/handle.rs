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

/// The scripts' handle of a thing of the game. One object per thing, as long as a script holds it.
pub(in crate::script) struct Thing {
    pub(in crate::script) kind: &'static str,
    pub(in crate::script) id: u64,
    pub(super) host: Rc<Host>,
}

impl Thing {
    /// Its number, if it is of this type.
    pub(super) fn id_of(&self, kind: &str) -> Option<u64> {
        (self.kind == kind).then_some(self.id)
    }
}

/// The handle of a thing of the game; the same object while a script holds it.
pub(in crate::script) fn thing_handle(
    lua: &Lua,
    host: &Rc<Host>,
    kind: &'static str,
    id: u64,
) -> mlua::Result<AnyUserData> {
    let things = host.game.things.borrow().clone();
    let things = match things {
        Some(things) => things,
        None => {
            let things = lua.create_table()?;
            let weak = lua.create_table()?;
            weak.raw_set("__mode", "v")?;
            things.set_metatable(Some(weak))?;
            *host.game.things.borrow_mut() = Some(things.clone());
            things
        }
    };
    let key = format!("{kind}:{id}");
    if let Some(thing) = things.raw_get::<Option<AnyUserData>>(key.as_str())? {
        return Ok(thing);
    }
    let thing = lua.create_userdata(Thing { kind, id, host: host.clone() })?;
    things.raw_set(key, &thing)?;
    Ok(thing)
}

/// The handle of a character; always the same object.
pub(in crate::script) fn handle(lua: &Lua, host: &Rc<Host>, id: CharacterId) -> mlua::Result<AnyUserData> {
    if let Some(handle) = host.lua.characters.borrow().get(&id) {
        return Ok(handle.clone());
    }
    let handle = lua.create_userdata(Npc { id, host: host.clone() })?;
    // Handles of characters that have left are not kept here: they live as long as a script holds them.
    if host.world().character(id).is_some() {
        host.lua.characters.borrow_mut().insert(id, handle.clone());
    }
    Ok(handle)
}

/// The handle of an existing area; always the same object.
pub(in crate::script) fn area_handle(lua: &Lua, host: &Rc<Host>, name: &str) -> mlua::Result<AnyUserData> {
    if let Some(handle) = host.lua.areas.borrow().get(name) {
        return Ok(handle.clone());
    }
    let handle = lua.create_userdata(Area { name: name.to_owned(), host: host.clone() })?;
    host.lua.areas.borrow_mut().insert(name.to_owned(), handle.clone());
    Ok(handle)
}

/// The handle of a link; always the same object.
pub(in crate::script) fn link_handle(lua: &Lua, host: &Rc<Host>, name: &str) -> mlua::Result<AnyUserData> {
    if let Some(handle) = host.lua.links.borrow().get(name) {
        return Ok(handle.clone());
    }
    let handle = lua.create_userdata(Link { name: name.to_owned(), host: host.clone() })?;
    host.lua.links.borrow_mut().insert(name.to_owned(), handle.clone());
    Ok(handle)
}

/// The handle of a waypath; always the same object.
pub(in crate::script) fn waypath_handle(lua: &Lua, host: &Rc<Host>, name: &str) -> mlua::Result<AnyUserData> {
    if let Some(handle) = host.lua.waypaths.borrow().get(name) {
        return Ok(handle.clone());
    }
    let handle = lua.create_userdata(Waypath { name: name.to_owned(), host: host.clone() })?;
    host.lua.waypaths.borrow_mut().insert(name.to_owned(), handle.clone());
    Ok(handle)
}

/// The handle of the tactical level; always the same object.
pub(in crate::script) fn tactics_handle(lua: &Lua, host: &Rc<Host>) -> mlua::Result<AnyUserData> {
    if let Some(handle) = &*host.lua.tactics.borrow() {
        return Ok(handle.clone());
    }
    let handle = lua.create_userdata(Tactics { host: host.clone() })?;
    *host.lua.tactics.borrow_mut() = Some(handle.clone());
    Ok(handle)
}

impl Npc {
    /// The handle as a Lua value, for handlers' arguments.
    pub(in crate::script) fn value(lua: &Lua, host: &Rc<Host>, id: CharacterId) -> mlua::Result<Value> {
        handle(lua, host, id)?.into_lua(lua)
    }
}
