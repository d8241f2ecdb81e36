//! The order in which the collector finds what mlua keeps.
//!
//! mlua keeps things in the registry by the addresses of its statics, and those differ from process to process: so does the order in which
//! the registry holds them, and the moment in which the collector comes to each. What scripts print of their memory would show it. So
//! everything in the registry is listed in an order that is always the same, and the list hangs on the metatable of strings, which the
//! collector goes through first.

use mlua::ffi::{self, lua_State};
use std::cell::Cell;
use std::ffi::{CStr, c_int};

/// Where the list is; scripts cannot get at the metatable of strings.
const LIST: &CStr = c"cicerone.roots";

/// Keeps the list up to date.
#[derive(Default)]
pub(super) struct Roots {
    listed: Cell<usize>,
}

impl Roots {
    /// Lists what the registry holds, if that is not what is listed already.
    ///
    /// # Safety
    /// `l` is the main thread of a state of ours, and no script runs. There must be memory for the list.
    pub(super) unsafe fn list(&self, l: *mut lua_State) {
        // SAFETY: what is pushed is popped; the registry is not changed while it is gone through.
        unsafe {
            let top = ffi::lua_gettop(l);
            let count = count(l);
            if count == self.listed.get() {
                return;
            }
            ffi::lua_createtable(l, count as c_int, 0);
            let list = ffi::lua_gettop(l);
            let (mut numbers, mut addresses, mut names) = (Vec::new(), Vec::new(), Vec::new());
            ffi::lua_pushnil(l);
            while ffi::lua_next(l, ffi::LUA_REGISTRYINDEX) != 0 {
                ffi::lua_pop(l, 1);
                match ffi::lua_type(l, -1) {
                    ffi::LUA_TNUMBER => numbers.push(ffi::lua_tointeger(l, -1)),
                    ffi::LUA_TLIGHTUSERDATA => addresses.push(ffi::lua_touserdata(l, -1)),
                    ffi::LUA_TSTRING => {
                        let name = ffi::lua_tolstring(l, -1, std::ptr::null_mut());
                        names.push(CStr::from_ptr(name).to_owned());
                    }
                    _ => {}
                }
            }
            numbers.sort_unstable();
            // Statics keep their order wherever a program is loaded.
            addresses.sort_unstable();
            names.sort_unstable();
            let mut at = 0;
            let mut keep = || {
                at += 1;
                ffi::lua_rawseti(l, list, at);
            };
            for number in numbers {
                ffi::lua_rawgeti(l, ffi::LUA_REGISTRYINDEX, number);
                keep();
            }
            for address in addresses {
                ffi::lua_rawgetp(l, ffi::LUA_REGISTRYINDEX, address);
                keep();
            }
            for name in names {
                ffi::lua_getfield(l, ffi::LUA_REGISTRYINDEX, name.as_ptr());
                keep();
            }
            ffi::lua_pushstring(l, c"".as_ptr());
            if ffi::lua_getmetatable(l, -1) != 0 {
                ffi::lua_pushvalue(l, list);
                ffi::lua_setfield(l, -2, LIST.as_ptr());
            }
            ffi::lua_settop(l, top);
            self.listed.set(count);
        }
    }
}

unsafe fn count(l: *mut lua_State) -> usize {
    // SAFETY: as `list`.
    unsafe {
        let mut count = 0;
        ffi::lua_pushnil(l);
        while ffi::lua_next(l, ffi::LUA_REGISTRYINDEX) != 0 {
            ffi::lua_pop(l, 1);
            count += 1;
        }
        count
    }
}
