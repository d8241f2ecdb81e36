//! Guards of metatables: they refuse what could not be stopped.

use super::go_on;
use super::tables::charge_for_search;
use crate::script::sandbox::inheritance::{MAX_GENERATIONS, generations};
use crate::script::sandbox::{SHARED_MARK, SHARED_TABLES};
use mlua::ffi::{self, lua_State};
use std::ffi::{CStr, c_int};

/// Refuses finalisers: Lua runs them during garbage collection with hooks off, so nothing could stop them.
pub(super) unsafe extern "C-unwind" fn setmetatable(l: *mut lua_State) -> c_int {
    // SAFETY: as above; `lua_rawget` needs a table and a key on top.
    unsafe {
        if ffi::lua_type(l, 2) == ffi::LUA_TTABLE {
            if belongs_to_others(l) {
                let message =
                    c"other scripts read this table, so it cannot get a metatable: keep it in a plain table";
                return ffi::luaL_error(l, message.as_ptr());
            }
            ffi::lua_pushstring(l, c"__gc".as_ptr());
            if ffi::lua_rawget(l, 2) != ffi::LUA_TNIL {
                let message =
                    c"a metatable with __gc is not available: finalisers cannot be stopped; use on_despawn";
                return ffi::luaL_error(l, message.as_ptr());
            }
            ffi::lua_pop(l, 1);
            ffi::lua_pushstring(l, c"__mode".as_ptr());
            if ffi::lua_rawget(l, 2) != ffi::LUA_TNIL {
                let message = c"a metatable with __mode is not available: what is collected when would differ from run to run";
                return ffi::luaL_error(l, message.as_ptr());
            }
            ffi::lua_pop(l, 1);
            if would_inherit_too_far(l) {
                let message = c"a table may inherit (__index) over %d others at most: each costs time whenever a name is looked up";
                return ffi::luaL_error(l, message.as_ptr(), MAX_GENERATIONS);
            }
        }
        go_on(l)
    }
}

/// Whether argument 1 is a table that all scripts share, and not the calling file's own.
unsafe fn belongs_to_others(l: *mut lua_State) -> bool {
    // SAFETY: as above; what is pushed is popped. Zeros are a valid record.
    unsafe {
        let top = ffi::lua_gettop(l);
        ffi::lua_getfield(l, ffi::LUA_REGISTRYINDEX, SHARED_TABLES.as_ptr());
        ffi::lua_pushvalue(l, 1);
        let kind = ffi::lua_rawget(l, -2);
        let mut length = 0;
        let is_own = kind == ffi::LUA_TSTRING && {
            let file = ffi::lua_tolstring(l, -1, &raw mut length);
            let file = std::slice::from_raw_parts(file.cast::<u8>(), length);
            let mut call: ffi::lua_Debug = std::mem::zeroed();
            ffi::lua_getstack(l, 1, &raw mut call) != 0 && {
                ffi::lua_getinfo(l, c"S".as_ptr(), &raw mut call);
                CStr::from_ptr(call.source).to_bytes().strip_prefix(b"@") == Some(file)
            }
        };
        ffi::lua_settop(l, top);
        kind != ffi::LUA_TNIL && !is_own
    }
}

/// Whether a table whose metatable is argument 2 would inherit over too many others.
unsafe fn would_inherit_too_far(l: *mut lua_State) -> bool {
    // SAFETY: as above; what is pushed is popped.
    unsafe {
        [c"__index", c"__newindex"].into_iter().any(|name| {
            ffi::lua_pushstring(l, name.as_ptr());
            let far = ffi::lua_rawget(l, 2) == ffi::LUA_TTABLE && generations(l) >= MAX_GENERATIONS;
            ffi::lua_pop(l, 1);
            far
        })
    }
}

/// `rawget`, which searches for a key.
pub(super) unsafe extern "C-unwind" fn rawget(l: *mut lua_State) -> c_int {
    // SAFETY: as above.
    unsafe {
        charge_for_search(l);
        go_on(l)
    }
}

/// Refuses tables shared by all scripts, which have a mark in their metatable: `rawset` would bypass their
/// protection.
pub(super) unsafe extern "C-unwind" fn rawset(l: *mut lua_State) -> c_int {
    // SAFETY: as above.
    unsafe {
        if ffi::lua_type(l, 1) == ffi::LUA_TTABLE && ffi::lua_getmetatable(l, 1) != 0 {
            ffi::lua_pushlstring(l, SHARED_MARK.as_ptr().cast(), SHARED_MARK.len());
            if ffi::lua_rawget(l, -2) != ffi::LUA_TNIL {
                return ffi::luaL_error(l, c"this table belongs to all scripts and cannot be set".as_ptr());
            }
            ffi::lua_pop(l, 2);
        }
        charge_for_search(l);
        go_on(l)
    }
}
