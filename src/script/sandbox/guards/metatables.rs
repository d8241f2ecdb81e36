//! Guards of metatables: they refuse what could not be stopped.

use super::go_on;
use super::tables::charge_for_search;
use crate::script::sandbox::SHARED_MARK;
use crate::script::sandbox::inheritance::{MAX_GENERATIONS, generations};
use mlua::ffi::{self, lua_State};
use std::ffi::c_int;

/// Refuses finalisers: Lua runs them during garbage collection with hooks off, so nothing could stop them.
pub(super) unsafe extern "C-unwind" fn setmetatable(l: *mut lua_State) -> c_int {
    // SAFETY: as above; `lua_rawget` needs a table and a key on top.
    unsafe {
        if ffi::lua_type(l, 2) == ffi::LUA_TTABLE {
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
