//! Guards of coroutines: they cost what they cost. That nobody outside takes the end of what is being stopped for a result is the
//! prelude's affair.

use super::{charge, go_on};
use mlua::ffi::{self, lua_State};
use std::ffi::c_int;

/// Making a coroutine takes about as long as this many instructions, waking one up as that many.
const COROUTINE_FUEL: u64 = 150;
const RESUME_FUEL: u64 = 20;

/// A coroutine runs protected from within. An error that leaves it would have its hooks switched off for what is closed
/// afterwards, if it came from a hook.
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
    // SAFETY: as above; the protected call may yield, and goes on in `body_ends`.
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
        go_on(l)
    }
}
