//! Guards of metatables: what nothing could stop is refused.

use super::{bytes_of, go_on};
use crate::script::sandbox::SHARED_MARK;
use mlua::ffi::{self, lua_State};
use std::ffi::c_int;

/// Finalisers run whenever Lua collects garbage, with hooks off: nothing could stop them.
pub(super) unsafe extern "C-unwind" fn setmetatable(l: *mut lua_State) -> c_int {
    // SAFETY: as above; `lua_rawget` needs a table and a key on top.
    unsafe {
        if ffi::lua_type(l, 2) == ffi::LUA_TTABLE {
            ffi::lua_pushstring(l, c"__gc".as_ptr());
            if ffi::lua_rawget(l, 2) != ffi::LUA_TNIL {
                let message = c"a metatable with __gc is not available: finalisers cannot be stopped; use on_despawn, or <close>";
                return ffi::luaL_error(l, message.as_ptr());
            }
            ffi::lua_pop(l, 1);
            ffi::lua_pushstring(l, c"__mode".as_ptr());
            if ffi::lua_rawget(l, 2) == ffi::LUA_TSTRING && bytes_of(l, -1).contains(&b'k') {
                let message = c"weak keys (__mode = 'k') are not available: collecting them may take for ever; weak values are";
                return ffi::luaL_error(l, message.as_ptr());
            }
            ffi::lua_pop(l, 1);
            if generations(l) > MAX_GENERATIONS {
                let message = c"a table may inherit (__index) over %d others at most: each costs time whenever a name is looked up";
                return ffi::luaL_error(l, message.as_ptr(), MAX_GENERATIONS);
            }
        }
        go_on(l)
    }
}

/// How long a chain of `__index` may be; Lua itself follows two thousand.
const MAX_GENERATIONS: c_int = 50;

/// Over how many tables a table with the metatable that is argument 2 would inherit.
unsafe fn generations(l: *mut lua_State) -> c_int {
    // SAFETY: as above; a few values at a time, popped at the end.
    unsafe {
        let top = ffi::lua_gettop(l);
        ffi::lua_pushvalue(l, 2);
        let mut count = 0;
        loop {
            ffi::lua_pushstring(l, c"__index".as_ptr());
            if ffi::lua_rawget(l, -2) != ffi::LUA_TTABLE || count > MAX_GENERATIONS {
                break;
            }
            count += 1;
            let is_its_own = ffi::lua_rawequal(l, -1, 1) != 0;
            let inherits = ffi::lua_getmetatable(l, -1) != 0;
            if is_its_own || !inherits {
                break;
            }
            // Only the next metatable matters from here on.
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
