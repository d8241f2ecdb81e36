//! Counting instructions: every hundredth calls in here, takes fuel, and stops code that has none left.

use super::heap::LONG_STRING_BYTES;
use super::inheritance::inherits_too_far;
use super::meter::{Meter, Spot, Stop};
use mlua::ffi;
use std::ffi::{CStr, c_int, c_void};
use std::mem::zeroed;
use std::ptr::null_mut;

/// Instructions between two looks. What an armed hook costs is the same for any number; a small one stops code on the spot
/// and keeps a hundred slow instructions short.
const INTERVAL: c_int = 100;

/// The meter of the state `l` belongs to.
///
/// # Safety
/// `l` is a thread of a state made by this module, which keeps the meter alive as long as the state. No other state ever
/// sees the functions that call this.
pub(super) unsafe fn meter<'a>(l: *mut ffi::lua_State) -> &'a Meter {
    let mut meter: *mut c_void = null_mut();
    // SAFETY: the allocator's context is the meter, see `LuaState::new`.
    unsafe {
        ffi::lua_getallocf(l, &raw mut meter);
        &*meter.cast::<Meter>()
    }
}

/// As long as there are long strings, every tenth instruction is looked at: ten may take long enough.
const SHORT_INTERVAL: c_int = 10;

/// Between two looks at how deep a function stands, and over how many tables its tables inherit.
const LOOKS_BETWEEN: u32 = 32;

/// Begins to count anew on a thread.
///
/// # Safety
/// As [`meter`].
pub(super) unsafe fn arm(l: *mut ffi::lua_State) {
    // SAFETY: `count` is a hook that only uses what hooks may use.
    unsafe {
        let interval = if meter(l).long_strings.get() > 0 { SHORT_INTERVAL } else { INTERVAL };
        ffi::lua_sethook(l, Some(count), ffi::LUA_MASKCOUNT, interval);
    }
}

/// # Safety
/// To be called by Lua only, as a count hook of a state of ours. Leaves by `lua_error` when the code is to stop, so nothing
/// in here may own anything.
unsafe extern "C-unwind" fn count(l: *mut ffi::lua_State, activation: *mut ffi::lua_Debug) {
    // SAFETY: Lua passes a valid thread and activation record.
    unsafe {
        let meter = meter(l);
        if !meter.running.get() {
            return;
        }
        let passed = u64::try_from(ffi::lua_gethookcount(l)).unwrap_or(1);
        meter.spend(passed * weight(l, activation, meter));
        if meter.counts_to(LOOKS_BETWEEN) {
            look_deeper(l, activation, meter);
        }
        if meter.pulse().is_overdue() {
            meter.stop_for(Stop::Overdue);
        }
        if meter.pulse().take_late() {
            let spot = spot(l);
            log::warn!(
                "{} has held the game up for a second",
                spot.map_or("a script".into(), |s| s.to_string())
            );
        }
        if meter.stop().is_some() {
            // Whatever still runs on the way out, a `<close>` variable say, is stopped at its first instruction.
            ffi::lua_sethook(l, Some(count), ffi::LUA_MASKCOUNT, 1);
            raise(l, meter);
        }
    }
}

/// How many times as long as usual an instruction may take where this function stands: it may copy all the arguments the
/// function got (`...`), or compare the strings it has at hand.
unsafe fn weight(l: *mut ffi::lua_State, activation: *const ffi::lua_Debug, meter: &Meter) -> u64 {
    const MANY: c_int = 64;
    const SLOTS: c_int = 255;
    // SAFETY: `lua_getlocal` finds nothing beyond the function's values; what it finds it pushes, and a hook has room.
    unsafe {
        let mut weight = 1;
        let mut count = MANY;
        while !ffi::lua_getlocal(l, activation, -count).is_null() {
            ffi::lua_pop(l, 1);
            weight += (count / 16) as u64;
            count = count.saturating_mul(2);
        }
        if meter.long_strings.get() > 0 {
            let mut longest = 0;
            for slot in 1..=SLOTS {
                if ffi::lua_getlocal(l, activation, slot).is_null() {
                    break;
                }
                if ffi::lua_type(l, -1) == ffi::LUA_TSTRING {
                    let length = ffi::lua_rawlen(l, -1);
                    // Lua compares strings piece by piece between zero bytes.
                    let pieces = length > LONG_STRING_BYTES && begins_with_zeros(l);
                    longest = longest.max(if pieces { length * 64 } else { length });
                }
                ffi::lua_pop(l, 1);
            }
            if longest > LONG_STRING_BYTES {
                weight += (longest / 1024) as u64;
            }
        }
        weight
    }
}

/// Under this name the registry holds the error that is raised: one that mlua knows, so that nobody goes through ten thousand
/// frames for a traceback on every one of them.
pub(super) const STOPPED: &CStr = c"cicerone.stopped";

/// Whether the long string on top of the stack begins with many zero bytes.
unsafe fn begins_with_zeros(l: *mut ffi::lua_State) -> bool {
    // SAFETY: the string stays on the stack while its bytes are looked at, and there are more than 64 of them.
    unsafe {
        let text = ffi::lua_tolstring(l, -1, std::ptr::null_mut()).cast::<u8>();
        let beginning = std::slice::from_raw_parts(text, 64);
        beginning.iter().filter(|&&byte| byte == 0).count() > 8
    }
}

/// Stops what is slow for reasons that can be seen: calls ten thousand deep, through which every error walks, and tables that
/// inherit over more others than `setmetatable` lets pass, because it was told later.
unsafe fn look_deeper(l: *mut ffi::lua_State, activation: *const ffi::lua_Debug, meter: &Meter) {
    const SLOTS: c_int = 32;
    const DEEP: c_int = 10_000;
    // SAFETY: as `weight`; looking at a table leaves the stack as it was.
    unsafe {
        let mut deepest: ffi::lua_Debug = zeroed();
        if ffi::lua_getstack(l, DEEP, &raw mut deepest) != 0 {
            meter.stop_for(Stop::Depth);
        }
        for slot in 1..=SLOTS {
            if ffi::lua_getlocal(l, activation, slot).is_null() {
                break;
            }
            if ffi::lua_type(l, -1) == ffi::LUA_TTABLE && inherits_too_far(l) {
                meter.stop_for(Stop::Generations);
            }
            ffi::lua_pop(l, 1);
        }
    }
}

/// Raises the error that stops the running code, after the meter has noted why and the line it stands in.
///
/// # Safety
/// As [`count`]: does not return.
pub(super) unsafe fn raise(l: *mut ffi::lua_State, meter: &Meter) -> ! {
    // SAFETY: hooks and C functions have room for a few values. No Rust value with a destructor is alive when the error is
    // raised.
    unsafe {
        meter.remember_spot(|| spot(l));
        ffi::lua_getfield(l, ffi::LUA_REGISTRYINDEX, STOPPED.as_ptr());
        ffi::lua_error(l)
    }
}

/// The innermost script line that is being executed on a thread.
unsafe fn spot(l: *mut ffi::lua_State) -> Option<Spot> {
    // SAFETY: an activation record is plain data, filled in by Lua; the source it points to lives as long as the function.
    unsafe {
        let mut activation: ffi::lua_Debug = zeroed();
        for level in 0..64 {
            if ffi::lua_getstack(l, level, &raw mut activation) == 0 {
                return None;
            }
            ffi::lua_getinfo(l, c"Sl".as_ptr(), &raw mut activation);
            let source = CStr::from_ptr(activation.source).to_bytes();
            if let Some(file) = source.strip_prefix(b"@") {
                return Some(Spot::new(file, u32::try_from(activation.currentline).unwrap_or(0)));
            }
        }
        None
    }
}
