//! Guards of strings: functions that read many bytes pay for them, and none shows an address.

use super::MAX_RESULTS;
use super::{bytes_of, charge, count, go_on, whole};
use crate::script::sandbox::heap::MAX_STRING_BYTES;
use mlua::ffi::{self, lua_Integer, lua_State};
use std::ffi::c_int;

/// Bytes read that take as long as an instruction, even if they are the digits of a number.
const BYTES_PER_FUEL: u64 = 4;

pub(super) unsafe extern "C-unwind" fn weigh_strings(l: *mut lua_State) -> c_int {
    // SAFETY: only looks at arguments that are there.
    unsafe {
        charge(l, string_bytes(l) / BYTES_PER_FUEL);
        go_on(l)
    }
}

/// Charges for a string in the place of a number: Lua reads every digit of it.
pub(in crate::script::sandbox) unsafe fn weigh_number(l: *mut lua_State, index: c_int) {
    // SAFETY: as above.
    unsafe {
        if ffi::lua_type(l, index) == ffi::LUA_TSTRING {
            charge(l, ffi::lua_rawlen(l, index) as u64 / BYTES_PER_FUEL);
        }
    }
}

/// `string.char` and `utf8.char`: each argument becomes a character.
pub(super) unsafe extern "C-unwind" fn put_together(l: *mut lua_State) -> c_int {
    const CHARACTER_FUEL: u64 = 8;
    // SAFETY: as above.
    unsafe {
        charge(l, string_bytes(l) / BYTES_PER_FUEL + ffi::lua_gettop(l) as u64 * CHARACTER_FUEL);
        go_on(l)
    }
}

/// For functions that take a string and numbers and do not read the whole string.
pub(super) unsafe extern "C-unwind" fn weigh_numbers(l: *mut lua_State) -> c_int {
    // SAFETY: as above.
    unsafe {
        (2..=ffi::lua_gettop(l)).for_each(|index| weigh_number(l, index));
        go_on(l)
    }
}

/// Charges for a string that may be compared with another from end to end.
pub(super) unsafe fn weigh_compared(l: *mut lua_State, index: c_int) {
    const BYTES_PER_FUEL: u64 = 128;
    // SAFETY: as above.
    unsafe {
        if ffi::lua_type(l, index) == ffi::LUA_TSTRING {
            charge(l, ffi::lua_rawlen(l, index) as u64 / BYTES_PER_FUEL);
        }
    }
}

pub(super) unsafe extern "C-unwind" fn rawequal(l: *mut lua_State) -> c_int {
    // SAFETY: as above.
    unsafe {
        weigh_compared(l, 1);
        go_on(l)
    }
}

/// `select` reads only its first argument.
pub(super) unsafe extern "C-unwind" fn weigh_first(l: *mut lua_State) -> c_int {
    // SAFETY: as above.
    unsafe {
        weigh_number(l, 1);
        go_on(l)
    }
}

/// `string.byte` and `utf8.codepoint`: a value for each character from the second argument to the third.
pub(super) unsafe extern "C-unwind" fn take_apart(l: *mut lua_State) -> c_int {
    // SAFETY: as above.
    unsafe {
        if ffi::lua_type(l, 1) == ffi::LUA_TSTRING && whole(l, 3).is_some() {
            let length = ffi::lua_rawlen(l, 1) as lua_Integer;
            let place = |index| {
                whole(l, index).map_or(1, |at| if at < 0 { at.saturating_add(length + 1) } else { at })
            };
            let count = count(place(2).max(1), place(3).min(length));
            if count > MAX_RESULTS {
                let message = c"too many results: %d is the most";
                return ffi::luaL_error(l, message.as_ptr(), MAX_RESULTS as c_int);
            }
            charge(l, count / 2);
        }
        go_on(l)
    }
}

/// Bytes of all string arguments together.
unsafe fn string_bytes(l: *mut lua_State) -> u64 {
    // SAFETY: as above.
    unsafe {
        let strings = (1..=ffi::lua_gettop(l)).filter(|&index| ffi::lua_type(l, index) == ffi::LUA_TSTRING);
        strings.map(|index| ffi::lua_rawlen(l, index) as u64).sum()
    }
}

pub(super) unsafe extern "C-unwind" fn rep(l: *mut lua_State) -> c_int {
    // SAFETY: as above.
    unsafe {
        if let Some(times) = whole(l, 2).and_then(|times| u64::try_from(times).ok()) {
            // A number in the place of the string is a few characters long.
            let bytes = |index| {
                if ffi::lua_type(l, index) == ffi::LUA_TSTRING { ffi::lua_rawlen(l, index) } else { 1 }
            };
            let separator = if ffi::lua_gettop(l) < 3 { 0 } else { bytes(3) };
            if times.saturating_mul((bytes(1) + separator) as u64) > MAX_STRING_BYTES as u64 {
                return ffi::luaL_error(l, c"the result would be longer than 256 KiB".as_ptr());
            }
            charge(l, times / 4);
        }
        go_on(l)
    }
}

/// Writing a number with a hundred digits takes as long as this many instructions.
const FORMAT_FUEL: u64 = 35;

/// Extra fuel for a number whose digits take a long calculation: one with hundreds of digits before or after
/// the point.
const FAR_FUEL: u64 = 180;

/// `string.format`, without addresses: they differ from run to run.
pub(super) unsafe extern "C-unwind" fn format(l: *mut lua_State) -> c_int {
    // SAFETY: as above; the format stays on the stack, so its bytes stay where they are.
    unsafe {
        // With `%q`, every byte is looked at and may become four.
        charge(l, string_bytes(l) / 2 + ffi::lua_gettop(l) as u64 * FORMAT_FUEL);
        if ffi::lua_type(l, 1) == ffi::LUA_TSTRING && asks_for_address(bytes_of(l, 1)) {
            let message = c"'%%p' is not available: addresses differ from run to run";
            return ffi::luaL_error(l, message.as_ptr());
        }
        for index in 2..=ffi::lua_gettop(l) {
            if is_far_from_one(l, index) {
                charge(l, FAR_FUEL);
            }
            unsign_nan(l, index);
            if has_only_an_address(l, index) {
                push_kind(l, index);
                ffi::lua_replace(l, index);
            }
        }
        go_on(l)
    }
}

/// Whether an argument is a very large or a very small fraction.
unsafe fn is_far_from_one(l: *mut lua_State, index: c_int) -> bool {
    // SAFETY: as above; a number is not changed.
    unsafe {
        // A string that reads as a number is formatted as one.
        let is_fraction = ffi::lua_isnumber(l, index) != 0 && ffi::lua_isinteger(l, index) == 0;
        let size = if is_fraction { ffi::lua_tonumber(l, index).abs() } else { 1.0 };
        size != 0.0 && !(1e-16..1e16).contains(&size)
    }
}

fn asks_for_address(format: &[u8]) -> bool {
    let mut bytes = format.iter();
    while bytes.any(|&byte| byte == b'%') {
        // Flags, width and precision come between the sign and its letter.
        match bytes.find(|byte| !matches!(byte, b'-' | b'+' | b' ' | b'#' | b'.' | b'0'..=b'9')) {
            Some(b'p') => return true,
            Some(_) => {}
            None => return false,
        }
    }
    false
}

pub(super) unsafe extern "C-unwind" fn tostring(l: *mut lua_State) -> c_int {
    // SAFETY: as above.
    unsafe {
        if ffi::lua_gettop(l) >= 1 && has_only_an_address(l, 1) {
            push_kind(l, 1);
            return 1;
        }
        if ffi::lua_type(l, 1) == ffi::LUA_TNUMBER && ffi::lua_isinteger(l, 1) == 0 {
            charge(l, FORMAT_FUEL);
            if push_nan(l, 1) {
                return 1;
            }
        } else if ffi::lua_type(l, 1) == ffi::LUA_TNUMBER {
            charge(l, FORMAT_FUEL);
        }
        go_on(l)
    }
}

/// Pushes `nan` if the value is NaN. Whether C writes a sign before it differs from platform to platform.
pub(super) unsafe fn push_nan(l: *mut lua_State, index: c_int) -> bool {
    // SAFETY: as above.
    unsafe {
        let nan = ffi::lua_type(l, index) == ffi::LUA_TNUMBER && ffi::lua_tonumber(l, index).is_nan();
        if nan {
            ffi::lua_pushstring(l, c"nan".as_ptr());
        }
        nan
    }
}

/// Replaces NaN by one that C writes without a sign on every platform.
unsafe fn unsign_nan(l: *mut lua_State, index: c_int) {
    // SAFETY: as above.
    unsafe {
        if ffi::lua_type(l, index) == ffi::LUA_TNUMBER && ffi::lua_tonumber(l, index).is_nan() {
            ffi::lua_pushnumber(l, f64::NAN.copysign(1.0));
            ffi::lua_replace(l, index);
        }
    }
}

/// `a ^ b`, and `__pow` of strings: the same digits on every platform.
pub(super) unsafe extern "C-unwind" fn power(l: *mut lua_State) -> c_int {
    // SAFETY: as above; `lua_call` takes the function and its two arguments off the stack.
    unsafe {
        ffi::lua_settop(l, 2);
        charge(l, string_bytes(l) / BYTES_PER_FUEL);
        // Numbers, and strings that look like numbers. A value with its own `__pow` is neither.
        if ffi::lua_isnumber(l, 1) != 0 && ffi::lua_isnumber(l, 2) != 0 {
            let (base, exponent) = (ffi::lua_tonumber(l, 1), ffi::lua_tonumber(l, 2));
            let power = if exponent == 2.0 { base * base } else { libm::pow(base, exponent) };
            ffi::lua_pushnumber(l, power);
            return 1;
        }
        let is_string = |index| ffi::lua_type(l, index) == ffi::LUA_TSTRING;
        // The `__pow` of strings is this function; other values may have their own.
        for index in 1..=2 {
            if !is_string(index) && ffi::luaL_getmetafield(l, index, c"__pow".as_ptr()) != ffi::LUA_TNIL {
                ffi::lua_insert(l, 1);
                ffi::lua_call(l, 2, 1);
                return 1;
            }
        }
        let culprit = if ffi::lua_isnumber(l, 1) != 0 { 2 } else { 1 };
        let kind = ffi::lua_typename(l, ffi::lua_type(l, culprit));
        ffi::luaL_error(l, c"attempt to perform arithmetic on a %s value".as_ptr(), kind)
    }
}

/// Whether Lua would write a value as its address.
unsafe fn has_only_an_address(l: *mut lua_State, index: c_int) -> bool {
    // SAFETY: as above; what is pushed is popped.
    unsafe {
        if !matches!(
            ffi::lua_type(l, index),
            ffi::LUA_TTABLE | ffi::LUA_TFUNCTION | ffi::LUA_TTHREAD | ffi::LUA_TUSERDATA
        ) {
            return false;
        }
        let kind = ffi::luaL_getmetafield(l, index, c"__tostring".as_ptr());
        if kind != ffi::LUA_TNIL {
            ffi::lua_pop(l, 1);
        }
        kind == ffi::LUA_TNIL
    }
}

/// Pushes the replacement of an address: the `__name` of the metatable, or the type.
unsafe fn push_kind(l: *mut lua_State, index: c_int) {
    // SAFETY: as above.
    unsafe {
        match ffi::luaL_getmetafield(l, index, c"__name".as_ptr()) {
            ffi::LUA_TSTRING => return,
            ffi::LUA_TNIL => {}
            _ => ffi::lua_pop(l, 1),
        }
        ffi::lua_pushstring(l, ffi::lua_typename(l, ffi::lua_type(l, index)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_found_in_any_format() {
        assert!(asks_for_address(b"%p") && asks_for_address(b"a %d %-20p") && asks_for_address(b"%%%p"));
        assert!(!asks_for_address(b"%%p") && !asks_for_address(b"%s p"));
        assert!(!asks_for_address(b"%") && !asks_for_address(b""));
    }
}
