//! Guards of metatables: what nothing could stop is refused.

use super::go_on;
use crate::script::sandbox::SHARED_MARK;
use mlua::ffi::{self, lua_State};
use std::ffi::{CStr, c_int};

/// Finalisers run whenever Lua collects garbage, with hooks off: nothing could stop them.
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

/// How long a chain of `__index` may be; Lua itself follows two thousand.
const MAX_GENERATIONS: c_int = 50;

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

/// Whether the table on top of the stack inherits over more others than may be; for the hook.
///
/// # Safety
/// There is room for three more values.
pub(in crate::script::sandbox) unsafe fn inherits_too_far(l: *mut lua_State) -> bool {
    // SAFETY: as said.
    unsafe { generations(l) > MAX_GENERATIONS }
}

/// Over how many tables the table on top of the stack inherits, by the longer of its two chains.
unsafe fn generations(l: *mut lua_State) -> c_int {
    // SAFETY: as above.
    unsafe { chain(l, c"__index").max(chain(l, c"__newindex")) }
}

/// The length of one chain; no further than matters.
unsafe fn chain(l: *mut lua_State, name: &CStr) -> c_int {
    // SAFETY: as above; three values at a time, popped at the end.
    unsafe {
        let top = ffi::lua_gettop(l);
        ffi::lua_pushvalue(l, top);
        let mut count = 0;
        while count <= MAX_GENERATIONS && ffi::lua_getmetatable(l, -1) != 0 {
            ffi::lua_pushstring(l, name.as_ptr());
            let is_table = ffi::lua_rawget(l, -2) == ffi::LUA_TTABLE;
            if !is_table || ffi::lua_rawequal(l, -1, top + 1) != 0 {
                break;
            }
            count += 1;
            ffi::lua_replace(l, top + 1);
            ffi::lua_settop(l, top + 1);
        }
        ffi::lua_settop(l, top);
        count
    }
}

/// Tables that belong to all scripts are marked in their metatable; `rawset` would get around what protects them.
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
        go_on(l)
    }
}
