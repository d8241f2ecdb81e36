//! Inheritance between tables: one instruction looks a name up in every table of an `__index` chain.

use mlua::ffi::{self, lua_State};
use std::ffi::{CStr, c_int};

/// Maximum length of an `__index` chain; Lua itself follows two thousand.
pub(super) const MAX_GENERATIONS: c_int = 50;

/// Whether the table on top of the stack inherits over more tables than allowed. For the hook.
///
/// # Safety
/// There is room for three more values.
pub(super) unsafe fn inherits_too_far(l: *mut lua_State) -> bool {
    // SAFETY: as said.
    unsafe { generations(l) > MAX_GENERATIONS }
}

/// Number of tables over which the table on top of the stack inherits, by the longer of its two chains.
pub(super) unsafe fn generations(l: *mut lua_State) -> c_int {
    // SAFETY: as above.
    unsafe { chain(l, c"__index").max(chain(l, c"__newindex")) }
}

/// The length of one chain, counted no further than one beyond the maximum.
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
