//! Guards of coroutines: they charge for creating and resuming. The prelude keeps outside code from taking
//! the end of a stopped coroutine for a result.

use super::super::instruction_hook::draw;
use super::super::line_hook;
use super::{charge, go_on};
use mlua::ffi::{self, lua_State};
use std::ffi::c_int;

/// Instructions charged for creating a coroutine, and for resuming one.
const COROUTINE_FUEL: u64 = 150;
const RESUME_FUEL: u64 = 20;

/// Runs the coroutine's function in a protected call. Otherwise Lua would switch hooks off for the variables
/// closed after an error from a hook.
pub(super) unsafe extern "C-unwind" fn make_coroutine(l: *mut lua_State) -> c_int {
    // SAFETY: as above; the closure keeps the function as its upvalue.
    unsafe {
        charge(l, COROUTINE_FUEL);
        if ffi::lua_type(l, 1) == ffi::LUA_TFUNCTION {
            ffi::lua_settop(l, 1);
            ffi::lua_pushcclosure(l, body, 1);
        }
        go_on(l)
    }
}

unsafe extern "C-unwind" fn body(l: *mut lua_State) -> c_int {
    // SAFETY: as above; the protected call may yield, and continues in `body_ends`.
    unsafe {
        ffi::lua_pushvalue(l, ffi::lua_upvalueindex(1));
        ffi::lua_insert(l, 1);
        let status = ffi::lua_pcallk(l, ffi::lua_gettop(l) - 1, ffi::LUA_MULTRET, 0, 0, Some(body_ends));
        body_ends(l, status, 0)
    }
}

unsafe extern "C-unwind" fn body_ends(l: *mut lua_State, status: c_int, _: ffi::lua_KContext) -> c_int {
    // SAFETY: results, or an error, are all there is on the stack.
    unsafe {
        if !matches!(status, ffi::LUA_OK | ffi::LUA_YIELD) {
            ffi::lua_error(l);
        }
        ffi::lua_gettop(l)
    }
}

pub(super) unsafe extern "C-unwind" fn resume(l: *mut lua_State) -> c_int {
    // SAFETY: as above.
    unsafe {
        charge(l, RESUME_FUEL);
        let resumed = ffi::lua_tothread(l, 1);
        if !resumed.is_null() {
            line_hook::adjust(resumed);
            draw(resumed);
        }
        go_on(l)
    }
}
