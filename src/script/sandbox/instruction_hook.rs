//! The instruction count hook. It runs at some instructions, takes fuel for all since the last one, and stops code that
//! has none left.
//!
//! Which instructions it looks at is drawn at random, from a stream that begins anew with every call: see
//! [`Sampling`](super::sampling::Sampling). At a fixed distance, a loop as long as that would always be looked at in the
//! same, cheap place.

use super::heap::LONG_STRING_BYTES;
use super::inheritance::{MAX_GENERATIONS, inherits_too_far};
use super::layout::Operands;
use super::line_hook;
use super::meter::Meter;
use super::stop::{CodeLine, Stop};
use mlua::ffi;
use std::ffi::{CStr, c_int, c_void};
use std::mem::zeroed;
use std::ptr::null_mut;

/// The meter of the state `l` belongs to.
///
/// # Safety
/// `l` is a thread of a state made by this module, which keeps the meter alive as long as the state. No other state
/// ever sees the functions that call this.
pub(super) unsafe fn meter<'a>(l: *mut ffi::lua_State) -> &'a Meter {
    let mut meter: *mut c_void = null_mut();
    // SAFETY: the allocator's context is the meter, see `LuaState::new`.
    unsafe {
        ffi::lua_getallocf(l, &raw mut meter);
        &*meter.cast::<Meter>()
    }
}

/// Hook calls between two checks of the call depth.
const LOOKS_BETWEEN: u32 = 32;

/// Sets the hook of a thread, which first looks after so many instructions.
///
/// # Safety
/// As [`meter`].
pub(super) unsafe fn arm(l: *mut ffi::lua_State, gap: c_int) {
    // SAFETY: `count` is a hook that only uses what hooks may use.
    unsafe {
        let meter = meter(l);
        let lines = if meter.debugging.is_on() { ffi::LUA_MASKLINE } else { 0 };
        ffi::lua_sethook(l, Some(count), ffi::LUA_MASKCOUNT | lines, gap);
    }
}

/// Begins to look at lines, or ends it. The count goes on where it is: a debugger changes nothing.
///
/// # Safety
/// As [`meter`].
pub(super) unsafe fn look_at_lines(l: *mut ffi::lua_State) {
    // SAFETY: as `arm`.
    unsafe {
        let layout = meter(l).layout.get();
        let counts = layout.counts(l);
        arm(l, counts.map_or(ffi::lua_gethookcount(l).max(1), |[gap, _]| gap));
        if let Some(counts) = counts {
            layout.set_counts(l, counts);
        }
    }
}

/// Draws anew the instruction at which the hook of a thread looks next: the thread begins to run, or runs on.
///
/// # Safety
/// As [`meter`].
pub(super) unsafe fn draw(l: *mut ffi::lua_State) {
    // SAFETY: as `arm`; the thread is alive.
    unsafe {
        let meter = meter(l);
        meter.layout.get().set_gap(l, meter.sampling.first_gap());
    }
}

/// Looks more often if a long string has appeared since the last look.
///
/// # Safety
/// As [`meter`].
pub(super) unsafe fn quicken(l: *mut ffi::lua_State, meter: &Meter) {
    if meter.long_strings.get() && meter.sampling.quicken() {
        // SAFETY: as `draw`.
        unsafe { draw(l) };
    }
}

/// # Safety
/// Called by Lua only, as the count hook of a state made here. Leaves through `lua_error` when the code must
/// stop, so nothing in here may own a value with a destructor.
unsafe extern "C-unwind" fn count(l: *mut ffi::lua_State, activation: *mut ffi::lua_Debug) {
    // SAFETY: Lua passes a valid thread and activation record.
    unsafe {
        let meter = meter(l);
        if !meter.running.get() {
            return;
        }
        if (*activation).event == ffi::LUA_HOOKLINE {
            return line_hook::line(l, activation);
        }
        let passed = u64::try_from(ffi::lua_gethookcount(l)).unwrap_or(1);
        line_hook::adjust(l); // a coroutine that was made before a breakpoint was set
        let extra = weight(l, activation, meter);
        meter.spend(passed.saturating_add(meter.sampling.price(extra)));
        if meter.long_strings.get() {
            meter.sampling.quicken();
        }
        meter.layout.get().set_gap(l, meter.sampling.gap());
        if meter.counts_to(LOOKS_BETWEEN) {
            stop_the_deep(l, meter);
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
            // Code that runs during unwinding, a `<close>` variable's say, is stopped at its first
            // instruction.
            ffi::lua_sethook(l, Some(count), ffi::LUA_MASKCOUNT, 1);
            raise(l, meter);
        }
    }
}

/// Writing out a float, or an integer, takes as long as this many instructions; so does the string that a concatenation
/// makes.
const WRITING_FUEL: [u64; 3] = [60, 25, 5];

/// What the current instruction costs more than an ordinary one. It may copy all variadic arguments
/// (`...`), write out floats, compare long strings or calculate with them, or look up a key in a table with
/// long collision chains. Only its operands count: other values on the stack may belong to another script.
unsafe fn weight(l: *mut ffi::lua_State, activation: *const ffi::lua_Debug, meter: &Meter) -> u64 {
    const MANY: c_int = 64;
    // SAFETY: `lua_getlocal` finds nothing beyond the function's values; what it finds it pushes, and a hook has room.
    unsafe {
        let mut weight = 0;
        let mut count = MANY;
        while !ffi::lua_getlocal(l, activation, -count).is_null() {
            ffi::lua_pop(l, 1);
            weight += (count / 16) as u64;
            count = count.saturating_mul(2);
        }
        let layout = meter.layout.get();
        let more = |register: c_int, of: unsafe fn(*mut ffi::lua_State, &Meter) -> u64| {
            if ffi::lua_getlocal(l, activation, register + 1).is_null() {
                return 0;
            }
            let more = of(l, meter);
            ffi::lua_pop(l, 1);
            more
        };
        let long = meter.long_strings.get();
        weight += match layout.operands(activation) {
            Operands::Values(one, other) if long => more(one, reading).max(more(other, reading)),
            Operands::Loop(first) if long => {
                (first..first + 3).map(|at| more(at, reading)).max().unwrap_or(0)
            }
            Operands::Equal(one, other) if long => more(one, comparing).min(more(other, comparing)),
            Operands::Order(one, other) => more(one, ordering).min(more(other, ordering)),
            Operands::Table(table, key) => {
                meter.looked_up.set(None);
                if let Some(key) = key {
                    more(key, remember_integer);
                }
                let hashing = key.filter(|_| long).map_or(0, |key| more(key, comparing));
                hashing + more(table, searching)
            }
            Operands::Upvalue(number) => {
                meter.looked_up.set(None); // the key is a name
                let mut activation = activation.read();
                ffi::lua_getinfo(l, c"f".as_ptr(), &raw mut activation);
                let mut more = 0;
                if !ffi::lua_getupvalue(l, -1, number + 1).is_null() {
                    more = searching(l, meter);
                    ffi::lua_pop(l, 1);
                }
                ffi::lua_pop(l, 1);
                more
            }
            _ => 0,
        };
        let joined = layout.joined(activation);
        weight + joined.into_iter().zip(WRITING_FUEL).map(|(count, fuel)| count * fuel).sum::<u64>()
    }
}

/// The bytes of the string on top of the stack, if it is longer than `more_than`.
unsafe fn long_text<'a>(l: *mut ffi::lua_State, more_than: usize) -> Option<&'a [u8]> {
    // SAFETY: the string stays on the stack while its bytes are looked at.
    unsafe {
        if ffi::lua_type(l, -1) != ffi::LUA_TSTRING || ffi::lua_rawlen(l, -1) <= more_than {
            return None;
        }
        let mut length = 0;
        let text = ffi::lua_tolstring(l, -1, &raw mut length).cast::<u8>();
        Some(std::slice::from_raw_parts(text, length))
    }
}

/// Extra fuel of a comparison that reads a long string from end to end.
unsafe fn comparing(l: *mut ffi::lua_State, _: &Meter) -> u64 {
    const BYTES_PER_FUEL: usize = 128;
    // SAFETY: as `long_text`.
    unsafe { long_text(l, LONG_STRING_BYTES).map_or(0, |text| (text.len() / BYTES_PER_FUEL) as u64) }
}

/// Extra fuel of an order comparison: Lua goes from zero byte to zero byte, piece by piece.
unsafe fn ordering(l: *mut ffi::lua_State, _: &Meter) -> u64 {
    const BYTES_PER_FUEL: usize = 128;
    const FUEL_PER_PIECE: usize = 2;
    const SHORT_BYTES: usize = 64;
    // SAFETY: as `long_text`.
    let Some(text) = (unsafe { long_text(l, SHORT_BYTES) }) else { return 0 };
    let pieces = text.iter().filter(|&&byte| byte == 0).count();
    (text.len() / BYTES_PER_FUEL + pieces * FUEL_PER_PIECE) as u64
}

/// Extra fuel of arithmetic on a long string: Lua reads all its digits to find out whether it is a number.
unsafe fn reading(l: *mut ffi::lua_State, _: &Meter) -> u64 {
    const BYTES_PER_FUEL: usize = 1024;
    const DIGITS_PER_FUEL: usize = 2;
    // SAFETY: as `long_text`.
    let Some(text) = (unsafe { long_text(l, LONG_STRING_BYTES) }) else { return 0 };
    let beginning = &text[..64.min(text.len())];
    let digits = beginning.trim_ascii_start();
    let digits = digits.strip_prefix(b"-").or(digits.strip_prefix(b"+")).unwrap_or(digits);
    let number = digits.first().is_none_or(|byte| byte.is_ascii_digit() || *byte == b'.')
        && digits.iter().all(|byte| byte.is_ascii_hexdigit() || b"+-.xXpP".contains(byte));
    (text.len() / if number { DIGITS_PER_FUEL } else { BYTES_PER_FUEL }) as u64
}

/// Notes the integer on top of the stack as the key that is looked up. Other values are not converted.
unsafe fn remember_integer(l: *mut ffi::lua_State, meter: &Meter) -> u64 {
    // SAFETY: only looks at a value that is there.
    unsafe {
        meter.looked_up.set((ffi::lua_isinteger(l, -1) != 0).then(|| ffi::lua_tointeger(l, -1)));
    }
    0
}

/// Entries passed in the search for a key that take as long as an instruction.
pub(super) const ENTRIES_PER_FUEL: u32 = 2;

/// Extra fuel of a lookup in the table on top of the stack, and in the tables it inherits over. A chain
/// longer than `setmetatable` allows, because it was extended later, ends the script.
unsafe fn searching(l: *mut ffi::lua_State, meter: &Meter) -> u64 {
    // SAFETY: looking at a table leaves the stack as it was; a hook has room for a few values.
    unsafe {
        if ffi::lua_type(l, -1) != ffi::LUA_TTABLE {
            return 0;
        }
        if inherits_too_far(l) {
            meter.stop_for(Stop::Generations);
        }
        let (layout, key) = (meter.layout.get(), meter.looked_up.get());
        let top = ffi::lua_gettop(l);
        ffi::lua_pushvalue(l, -1);
        let mut passed = 0;
        for _ in 0..=MAX_GENERATIONS {
            let table = ffi::lua_topointer(l, -1);
            passed += layout.long_chain(table).max(key.map_or(0, |key| layout.chain_of(table, key)));
            if ffi::lua_getmetatable(l, -1) == 0 {
                break;
            }
            ffi::lua_pushstring(l, c"__index".as_ptr());
            if ffi::lua_rawget(l, -2) != ffi::LUA_TTABLE {
                break;
            }
            ffi::lua_replace(l, top + 1);
            ffi::lua_settop(l, top + 1);
        }
        ffi::lua_settop(l, top);
        u64::from(passed / ENTRIES_PER_FUEL)
    }
}

/// Registry name of the error to raise. It is an error of mlua's, so that no traceback is built from ten
/// thousand frames at each of them.
pub(super) const STOPPED: &CStr = c"cicerone.stopped";

/// Stops code that is ten thousand calls deep: every error walks through all frames.
unsafe fn stop_the_deep(l: *mut ffi::lua_State, meter: &Meter) {
    const DEEP: c_int = 10_000;
    // SAFETY: an activation record is plain data, filled in by Lua.
    unsafe {
        let mut deepest: ffi::lua_Debug = zeroed();
        if ffi::lua_getstack(l, DEEP, &raw mut deepest) != 0 {
            meter.stop_for(Stop::Depth);
        }
    }
}

/// Raises the error that stops the running code, after the meter has recorded the reason and the line.
///
/// # Safety
/// As [`count`]: does not return.
pub(super) unsafe fn raise(l: *mut ffi::lua_State, meter: &Meter) -> ! {
    // SAFETY: hooks and C functions have room for a few values. No Rust value with a destructor is alive when the
    // error is raised.
    unsafe {
        meter.remember_spot(|| spot(l));
        ffi::lua_getfield(l, ffi::LUA_REGISTRYINDEX, STOPPED.as_ptr());
        ffi::lua_error(l)
    }
}

/// The innermost script line that is being executed on a thread.
unsafe fn spot(l: *mut ffi::lua_State) -> Option<CodeLine> {
    // SAFETY: an activation record is plain data, filled in by Lua; the source it points to lives as long as the
    // function.
    unsafe {
        let mut activation: ffi::lua_Debug = zeroed();
        for level in 0..64 {
            if ffi::lua_getstack(l, level, &raw mut activation) == 0 {
                return None;
            }
            ffi::lua_getinfo(l, c"Sl".as_ptr(), &raw mut activation);
            let source = CStr::from_ptr(activation.source).to_bytes();
            if let Some(file) = source.strip_prefix(b"@") {
                return Some(CodeLine::new(file, u32::try_from(activation.currentline).unwrap_or(0)));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use crate::script::sandbox::{Account, LuaState};

    /// The fuel of some code in a state that allocated this many bytes more before.
    fn price(code: &str, before: usize) -> u64 {
        let state = LuaState::new().unwrap();
        let padding = state.lua().create_string("x".repeat(before)).unwrap();
        let code = state.lua().load(code).into_function().unwrap();
        state.begin(Account::HOST, 100_000_000, 0);
        code.call::<()>(()).unwrap();
        drop(padding);
        state.end().fuel
    }

    /// After a restore, objects are at other addresses.
    #[test]
    fn prices_do_not_depend_on_the_addresses_of_keys() {
        for code in [
            "local t = {} for i = 1, 40000 do t[{}] = true end",
            "local t = {} for i = 1, 20000 do t[{}] = true t[i * 7] = true end",
            "local t = {} for i = 1, 20000 do t[function() return t end] = i local _ = t['name'] end",
            "local t = {} for i = 1, 20000 do rawset(t, {}, i) local _ = rawget(t, -i) end",
        ] {
            let prices = [0, 100, 1000, 5000, 15_000].map(|before| price(code, before));
            assert!(prices.iter().all(|price| *price == prices[0]), "{code}: {prices:?}");
        }
    }

    /// A costly operation in a loop: what comes before the loop, the operation, and what it costs beyond an ordinary
    /// instruction.
    const COSTLY: &[(&str, &str, u64)] = &[
        // Two equal strings of 250,000 bytes that are not the same object.
        ("local a, b = long(), long()", "x = a == b", 250_000 / 128),
        ("local a, b = long(), long()", "x = a < b", 250_000 / 128),
        ("local a, b = long(), long()", "x = a >= b", 250_000 / 128),
        // Keys that all belong into one place of a table.
        ("local t = colliding()", "x = t[2047 * 1999]", 1000),
        ("local t = colliding()", "t[2047 * 1999] = x", 1000),
        ("local a, b, c = 0.1, 0.2, 0.3", "x = a .. b .. c", 3 * 60 + 5),
        ("local a, b, c = 1, 'x', 2", "x = a .. b .. c", 2 * 25 + 5),
        (
            "local t = long() .. 'x'; local u = { [t] = 1 }; local v = long() .. 'x'",
            "x = u[v]",
            250_000 / 128,
        ),
    ];

    const GIVEN: &str = "
        local function long() return (('x'):rep(250000)) end
        local function colliding() local t = {} for i = 1, 2000 do t[i * 2047] = 1 end return t end
    ";

    /// Loops of every length, with the operation at every place: at a fixed distance of looks, a loop as long as that would
    /// be charged for the instruction in one place only.
    #[test]
    fn what_is_charged_is_what_is_done_in_every_loop() {
        let all = crate::sweeps::sweeps();
        let state = LuaState::new().unwrap();
        for &(before, costly, extra) in COSTLY {
            for length in (1..=200_u64).filter(|length| {
                all && (*length <= 24 || length % 97 <= 2 || length % 9 == 0)
                    || matches!(length, 1 | 11 | 97 | 194)
            }) {
                let places = (0..length).step_by((length as usize / 2).max(1));
                for place in places {
                    let rounds = (3_000_000 / (extra + length)).max(1500);
                    let (one, other) =
                        ("y = z ".repeat(place as usize), "y = z ".repeat((length - place - 1) as usize));
                    let code = format!(
                        "{GIVEN} local x, y, z = 0, 0, 0 {before} return function() for i = 1, {rounds} do {one} {costly} {other} end end"
                    );
                    let run: mlua::Function = state.lua().load(code).eval().unwrap();
                    state.begin(Account::HOST, u64::MAX / 4, length << 32 | place);
                    run.call::<()>(()).unwrap();
                    let charged = state.end().fuel as f64;
                    let done = (rounds * (extra + length)) as f64;
                    assert!(
                        charged > done / 2.0 && charged < done * 2.0,
                        "{costly} at {place} of {length}: {charged} for {done}"
                    );
                }
            }
        }
    }

    #[test]
    fn integers_that_collide_are_paid_for() {
        let far = "local t = {} for i = 1, 2000 do t[i * 1000] = 1 end";
        let near = "local t = {} for i = 1, 2000 do t[i * 2047] = 1 end";
        assert!(price(near, 0) > 10 * price(far, 0), "{} {}", price(near, 0), price(far, 0));
    }
}
