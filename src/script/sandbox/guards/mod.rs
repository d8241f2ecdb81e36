//! Guards of library functions. Functions that loop inside C, where no hook runs, pay in advance; some calls
//! are refused. A guard checks the arguments and then calls Lua's own function, its first upvalue.
//!
//! Guards are called by Lua only, on a state made here. A guard may leave through an error, its own or that
//! of the function it guards, so it owns no value with a destructor.

mod coroutines;
mod metatables;
mod order;
mod tables;
mod text;

use super::instruction_hook::{meter, quicken, raise};
use coroutines::{make_coroutine, resume};
use metatables::{rawget, rawset, setmetatable};
use mlua::ffi::{self, lua_Integer, lua_State};
pub(in crate::script) use order::whole_and_fraction;
use order::{next, pairs};
use std::ffi::{CStr, c_int};
use tables::{concat, insert, move_range, remove, unpack};
pub(super) use text::weigh_number;
use text::{
    format, power, put_together, rawequal, rep, take_apart, tostring, weigh_first, weigh_numbers,
    weigh_strings,
};

type Function = unsafe extern "C-unwind" fn(*mut lua_State) -> c_int;

/// Library (none: the globals), name, guard.
const GUARDS: &[(Option<&CStr>, &CStr, Function)] = &[
    (None, c"next", next),
    (None, c"rawequal", rawequal),
    (None, c"rawget", rawget),
    (None, c"rawset", rawset),
    (None, c"select", weigh_first),
    (None, c"setmetatable", setmetatable),
    (None, c"tonumber", weigh_strings),
    (None, c"tostring", tostring),
    (Some(c"table"), c"concat", concat),
    (Some(c"table"), c"insert", insert),
    (Some(c"table"), c"move", move_range),
    (Some(c"table"), c"remove", remove),
    (Some(c"table"), c"unpack", unpack),
    (Some(c"math"), c"abs", weigh_strings),
    (Some(c"math"), c"ceil", weigh_strings),
    (Some(c"math"), c"deg", weigh_strings),
    (Some(c"math"), c"floor", weigh_strings),
    (Some(c"math"), c"fmod", weigh_strings),
    (Some(c"math"), c"max", weigh_strings),
    (Some(c"math"), c"min", weigh_strings),
    (Some(c"math"), c"modf", weigh_strings),
    (Some(c"math"), c"rad", weigh_strings),
    (Some(c"math"), c"sqrt", weigh_strings),
    (Some(c"math"), c"tointeger", weigh_strings),
    (Some(c"math"), c"ult", weigh_strings),
    (Some(c"string"), c"byte", take_apart),
    (Some(c"string"), c"char", put_together),
    (Some(c"string"), c"format", format),
    (Some(c"string"), c"lower", weigh_strings),
    (Some(c"string"), c"rep", rep),
    (Some(c"string"), c"reverse", weigh_strings),
    (Some(c"string"), c"sub", weigh_numbers),
    (Some(c"string"), c"upper", weigh_strings),
    (Some(c"utf8"), c"char", put_together),
    (Some(c"utf8"), c"codepoint", take_apart),
    (Some(c"utf8"), c"codes", weigh_strings),
    (Some(c"utf8"), c"len", weigh_strings),
    (Some(c"utf8"), c"offset", weigh_strings),
    (Some(c"coroutine"), c"create", make_coroutine),
    (Some(c"coroutine"), c"resume", resume),
    (Some(c"coroutine"), c"wrap", make_coroutine),
];

/// Maximum number of results: passing results on is one instruction, however many there are.
const MAX_RESULTS: u64 = 10_000;

/// Metamethods of strings: Lua calculates with strings that look like numbers.
const ARITHMETIC: [&CStr; 7] = [c"__add", c"__sub", c"__mul", c"__mod", c"__div", c"__idiv", c"__unm"];

/// Puts the guards in front of the library functions.
///
/// # Safety
/// `l` is a fresh state of ours with its libraries open and nothing limited yet.
pub(super) unsafe fn install(l: *mut lua_State) {
    // SAFETY: every stack slot that is used was pushed here; the functions put in place only run on this state.
    unsafe {
        for &(library, name, guard) in GUARDS {
            ffi::lua_rawgeti(l, ffi::LUA_REGISTRYINDEX, ffi::LUA_RIDX_GLOBALS);
            if let Some(library) = library {
                ffi::lua_getfield(l, -1, library.as_ptr());
            }
            put(l, name, guard);
            ffi::lua_settop(l, 0);
        }
        ffi::lua_pushstring(l, c"".as_ptr());
        ffi::lua_getmetatable(l, -1);
        for name in ARITHMETIC {
            put(l, name, weigh_strings);
        }
        ffi::lua_pushcclosure(l, power, 0);
        ffi::lua_setfield(l, -2, c"__pow".as_ptr());
        // The function that `^` is compiled to; the prelude takes it from here.
        ffi::lua_rawgeti(l, ffi::LUA_REGISTRYINDEX, ffi::LUA_RIDX_GLOBALS);
        ffi::lua_pushcclosure(l, power, 0);
        ffi::lua_setfield(l, -2, c"__pow".as_ptr());
        ffi::lua_settop(l, 0);
        // `pairs` returns `next`, so it needs the guarded one.
        ffi::lua_rawgeti(l, ffi::LUA_REGISTRYINDEX, ffi::LUA_RIDX_GLOBALS);
        ffi::lua_getfield(l, -1, c"pairs".as_ptr());
        ffi::lua_getfield(l, -2, c"next".as_ptr());
        ffi::lua_pushcclosure(l, pairs, 2);
        ffi::lua_setfield(l, -2, c"pairs".as_ptr());
        ffi::lua_settop(l, 0);
    }
}

/// Replaces a function of the table on top of the stack.
unsafe fn put(l: *mut lua_State, name: &CStr, guard: Function) {
    // SAFETY: as `install`.
    unsafe {
        ffi::lua_getfield(l, -1, name.as_ptr());
        ffi::lua_pushcclosure(l, guard, 1);
        ffi::lua_setfield(l, -2, name.as_ptr());
    }
}

/// Takes fuel for the work at hand, or raises.
pub(super) unsafe fn charge(l: *mut lua_State, fuel: u64) {
    // SAFETY: `l` is a thread of ours, see `instruction_hook::meter`.
    unsafe {
        let meter = meter(l);
        if !meter.spend(fuel) {
            raise(l, meter);
        }
    }
}

/// Calls the guarded function with the same arguments.
unsafe fn go_on(l: *mut lua_State) -> c_int {
    // SAFETY: the first upvalue of every guard is the function it replaced.
    unsafe {
        let Some(original) = ffi::lua_tocfunction(l, ffi::lua_upvalueindex(1)) else { return 0 };
        let results = original(l);
        // Functions that build strings return one value.
        if results == 1 && ffi::lua_checkstack(l, 1) != 0 {
            own_string(l, -1);
        }
        results
    }
}

/// Lua builds long results in a buffer that becomes the string. The allocator sees only a block without a
/// type. This replaces the result by an ordinary string, which is paid for and limited in length.
pub(super) unsafe fn own_string(l: *mut lua_State, index: c_int) {
    /// Shorter strings fit into the buffer on the C stack, and Lua itself copies them.
    const BUFFER_BYTES: usize = 1000;
    // SAFETY: a C function has room for one more value; the bytes belong to a string that stays until it is replaced.
    unsafe {
        if ffi::lua_type(l, index) == ffi::LUA_TSTRING && ffi::lua_rawlen(l, index) > BUFFER_BYTES {
            let mut length = 0;
            let text = ffi::lua_tolstring(l, index, &raw mut length);
            ffi::lua_pushlstring(l, text, length);
            ffi::lua_replace(l, index - 1);
            quicken(l, meter(l));
        }
    }
}

/// An argument, if it is an integer.
unsafe fn whole(l: *mut lua_State, index: c_int) -> Option<lua_Integer> {
    let mut is_whole = 0;
    // SAFETY: an index beyond the arguments is no number.
    let number = unsafe {
        weigh_number(l, index);
        ffi::lua_tointegerx(l, index, &raw mut is_whole)
    };
    (is_whole != 0).then_some(number)
}

/// The bytes of a string on the stack.
unsafe fn bytes_of<'a>(l: *mut lua_State, index: c_int) -> &'a [u8] {
    let mut length = 0;
    // SAFETY: the string stays on the stack as long as its bytes are looked at; see the callers.
    unsafe {
        let text = ffi::lua_tolstring(l, index, &raw mut length);
        std::slice::from_raw_parts(text.cast(), length)
    }
}

/// Number of integers from `first` to `last`.
fn count(first: lua_Integer, last: lua_Integer) -> u64 {
    if last < first { 0 } else { last.abs_diff(first).saturating_add(1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counting_does_not_overflow() {
        assert_eq!((count(1, 0), count(1, 1), count(i64::MIN, i64::MAX)), (0, 1, u64::MAX));
    }
}
