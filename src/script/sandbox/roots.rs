//! The order in which the garbage collector visits mlua's registry values.
//!
//! mlua stores values in the registry under the addresses of its statics, which differ from process to
//! process. So does the order of the registry, and the time at which the collector reaches each value; a
//! script that prints its memory use would show it. So all registry values are also kept in a list with a
//! fixed order. The list is a field of the metatable of strings, which the collector traverses first.

use mlua::ffi::{self, lua_State};
use std::cell::Cell;
use std::ffi::{CStr, c_int};

/// Field of the metatable of strings that holds the list; scripts cannot reach that metatable.
const LIST: &CStr = c"cicerone.roots";

/// Keeps the list up to date.
#[derive(Default)]
pub(super) struct Roots {
    listed: Cell<usize>,
}

impl Roots {
    /// Lists the registry's values, unless the list is up to date.
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
