//! Library functions that loop inside C, where no hook sees them, pay for what they are about to do; some say no. A guard looks
//! at the arguments and then jumps to Lua's own function, which it keeps as its first upvalue.

use super::heap::MAX_STRING_BYTES;
use super::hook::{meter, raise};
use mlua::ffi::{self, lua_Integer, lua_State};
use std::ffi::{CStr, c_int};

type Function = unsafe extern "C-unwind" fn(*mut lua_State) -> c_int;

/// Library (none: the globals), name, guard.
const GUARDS: &[(Option<&CStr>, &CStr, Function)] = &[
    (None, c"next", next),
    (None, c"rawset", rawset),
    (None, c"setmetatable", setmetatable),
    (None, c"tonumber", weigh_strings),
    (None, c"tostring", tostring),
    (Some(c"table"), c"concat", concat),
    (Some(c"table"), c"insert", insert),
    (Some(c"table"), c"move", move_range),
    (Some(c"table"), c"remove", remove),
    (Some(c"table"), c"unpack", unpack),
    (Some(c"string"), c"byte", take_apart),
    (Some(c"string"), c"format", format),
    (Some(c"string"), c"lower", weigh_strings),
    (Some(c"string"), c"rep", rep),
    (Some(c"string"), c"reverse", weigh_strings),
    (Some(c"string"), c"upper", weigh_strings),
    (Some(c"utf8"), c"codepoint", take_apart),
    (Some(c"utf8"), c"codes", weigh_strings),
    (Some(c"utf8"), c"len", weigh_strings),
    (Some(c"utf8"), c"offset", weigh_strings),
    (Some(c"coroutine"), c"close", pass_on),
    (Some(c"coroutine"), c"create", make_coroutine),
    (Some(c"coroutine"), c"resume", resume),
    (Some(c"coroutine"), c"wrap", make_coroutine),
];

/// Strings do arithmetic if they look like numbers.
const ARITHMETIC: [&CStr; 8] =
    [c"__add", c"__sub", c"__mul", c"__mod", c"__pow", c"__div", c"__idiv", c"__unm"];

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
        ffi::lua_settop(l, 0);
        // `pairs` hands out `next` itself, so it must know the guarded one.
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

/// Takes fuel for the work at hand, or raises. Every guard below is to be called by Lua only; none owns anything that would be
/// lost when this, or Lua's own function, leaves by an error.
pub(super) unsafe fn charge(l: *mut lua_State, fuel: u64) {
    // SAFETY: `l` is a thread of ours, see `hook::meter`.
    unsafe {
        let meter = meter(l);
        if !meter.spend(fuel) {
            raise(l, meter);
        }
    }
}

/// Calls what the guard stands before, with the same arguments.
unsafe fn go_on(l: *mut lua_State) -> c_int {
    // SAFETY: the first upvalue of every guard is the function it replaced.
    unsafe {
        match ffi::lua_tocfunction(l, ffi::lua_upvalueindex(1)) {
            Some(original) => original(l),
            None => 0,
        }
    }
}

/// Looking at this many bytes takes as long as an instruction.
const BYTES_PER_FUEL: u64 = 8;

unsafe extern "C-unwind" fn weigh_strings(l: *mut lua_State) -> c_int {
    // SAFETY: only looks at arguments that are there.
    unsafe {
        charge(l, string_bytes(l) / BYTES_PER_FUEL);
        go_on(l)
    }
}

/// `string.byte` and `utf8.codepoint`: a value for each character from the second argument to the third.
unsafe extern "C-unwind" fn take_apart(l: *mut lua_State) -> c_int {
    // SAFETY: as above.
    unsafe {
        if ffi::lua_type(l, 1) == ffi::LUA_TSTRING && whole(l, 3).is_some() {
            let length = ffi::lua_rawlen(l, 1) as lua_Integer;
            let place = |index| {
                whole(l, index).map_or(1, |at| if at < 0 { at.saturating_add(length + 1) } else { at })
            };
            let count = count(place(2).max(1), place(3).min(length));
            if count > MAX_RESULTS {
                return ffi::luaL_error(
                    l,
                    c"too many results: %d is the most".as_ptr(),
                    MAX_RESULTS as c_int,
                );
            }
        }
        weigh_strings(l)
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

/// A whole number among the arguments.
unsafe fn whole(l: *mut lua_State, index: c_int) -> Option<lua_Integer> {
    let mut is_whole = 0;
    // SAFETY: an index beyond the arguments is no number.
    let number = unsafe { ffi::lua_tointegerx(l, index, &raw mut is_whole) };
    (is_whole != 0).then_some(number)
}

/// How many there are from `first` to `last`.
fn count(first: lua_Integer, last: lua_Integer) -> u64 {
    if last < first { 0 } else { last.abs_diff(first).saturating_add(1) }
}

unsafe extern "C-unwind" fn move_range(l: *mut lua_State) -> c_int {
    // SAFETY: as above.
    unsafe {
        if let (Some(first), Some(last)) = (whole(l, 2), whole(l, 3)) {
            charge(l, count(first, last));
        }
        go_on(l)
    }
}

/// No function gives more values at once: passing them on is one instruction, however many there are.
const MAX_RESULTS: u64 = 10_000;

unsafe extern "C-unwind" fn unpack(l: *mut lua_State) -> c_int {
    // SAFETY: as above.
    unsafe {
        let first = whole(l, 2).unwrap_or(1);
        let last = whole(l, 3).unwrap_or_else(|| length_without_asking(l));
        let count = count(first, last);
        if count > MAX_RESULTS {
            return ffi::luaL_error(l, c"too many results: %d is the most".as_ptr(), MAX_RESULTS as c_int);
        }
        charge(l, count / 2);
        go_on(l)
    }
}

unsafe extern "C-unwind" fn concat(l: *mut lua_State) -> c_int {
    // SAFETY: as above. Only what is in the table can be joined: the first gap is an error.
    unsafe {
        let length = length_without_asking(l);
        let wanted = count(whole(l, 3).unwrap_or(1), whole(l, 4).unwrap_or(length));
        charge(l, wanted.min(length.unsigned_abs() + 1) * 2);
        go_on(l)
    }
}

/// How many entries the table among the arguments has, whatever its metatable says.
unsafe fn length_without_asking(l: *mut lua_State) -> lua_Integer {
    // SAFETY: as above.
    unsafe { lua_Integer::try_from(ffi::lua_rawlen(l, 1)).unwrap_or(0) }
}

/// `table.insert`, our own: what it costs depends on a length that the table may lie about, so it is asked for only once.
unsafe extern "C-unwind" fn insert(l: *mut lua_State) -> c_int {
    // SAFETY: as above; `go_on` complains about arguments that are wrong.
    unsafe {
        let arguments = ffi::lua_gettop(l);
        if ffi::lua_type(l, 1) != ffi::LUA_TTABLE || !(2..=3).contains(&arguments) {
            return go_on(l);
        }
        let end = ffi::luaL_len(l, 1).wrapping_add(1);
        let at = if arguments == 2 { end } else { ffi::luaL_checkinteger(l, 2) };
        if arguments == 3 {
            // One comparison for both bounds, as unsigned numbers wrap.
            if (at as u64).wrapping_sub(1) >= end as u64 {
                return ffi::luaL_argerror(l, 2, c"position out of bounds".as_ptr());
            }
            charge(l, count(at, end) - 1);
            let mut to = end;
            while to > at {
                ffi::lua_geti(l, 1, to - 1);
                ffi::lua_seti(l, 1, to);
                to -= 1;
            }
        }
        ffi::lua_seti(l, 1, at);
        0
    }
}

/// `table.remove`, our own for the same reason.
unsafe extern "C-unwind" fn remove(l: *mut lua_State) -> c_int {
    // SAFETY: as above.
    unsafe {
        if ffi::lua_type(l, 1) != ffi::LUA_TTABLE {
            return go_on(l);
        }
        let size = ffi::luaL_len(l, 1);
        let at = ffi::luaL_optinteger(l, 2, size);
        if at != size && (at as u64).wrapping_sub(1) > size as u64 {
            return ffi::luaL_argerror(l, 2, c"position out of bounds".as_ptr());
        }
        charge(l, count(at, size));
        ffi::lua_geti(l, 1, at);
        let mut from = at;
        while from < size {
            ffi::lua_geti(l, 1, from + 1);
            ffi::lua_seti(l, 1, from);
            from += 1;
        }
        ffi::lua_pushnil(l);
        ffi::lua_seti(l, 1, from);
        1
    }
}

unsafe extern "C-unwind" fn rep(l: *mut lua_State) -> c_int {
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
            charge(l, times);
        }
        go_on(l)
    }
}

/// Writing a number with a hundred digits takes as long as this many instructions.
const FORMAT_FUEL: u64 = 25;

/// `string.format`, without addresses: they differ from run to run.
unsafe extern "C-unwind" fn format(l: *mut lua_State) -> c_int {
    // SAFETY: as above; the format stays on the stack, so its bytes stay where they are.
    unsafe {
        charge(l, string_bytes(l) / BYTES_PER_FUEL + ffi::lua_gettop(l) as u64 * FORMAT_FUEL);
        if ffi::lua_type(l, 1) == ffi::LUA_TSTRING {
            if asks_for_address(bytes_of(l, 1)) {
                return ffi::luaL_error(
                    l,
                    c"'%%p' is not available: addresses differ from run to run".as_ptr(),
                );
            }
        }
        for index in 2..=ffi::lua_gettop(l) {
            if has_only_an_address(l, index) {
                push_kind(l, index);
                ffi::lua_replace(l, index);
            }
        }
        go_on(l)
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

unsafe extern "C-unwind" fn tostring(l: *mut lua_State) -> c_int {
    // SAFETY: as above.
    unsafe {
        if ffi::lua_gettop(l) >= 1 && has_only_an_address(l, 1) {
            push_kind(l, 1);
            return 1;
        }
        go_on(l)
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

/// Pushes what stands for an address: the `__name` of its metatable, or its type.
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

/// Going over this many empty places takes about as long as an instruction.
const SLOTS_PER_FUEL: u64 = 8;

/// How many entries the table that is argument 1 has room for, the places of those that are gone included.
///
/// Lua does not say. It is read from the table itself, whose beginning (of at least 16 bytes) looks like this in Lua 5.5: the
/// next object (8 bytes), type, mark, flags, the logarithm of the hash part's size, the array part's size (4 bytes). A test
/// sees to it that this stays so; if it did not, the price of `next` would be wrong, and nothing else.
unsafe fn slots(l: *mut lua_State) -> u64 {
    // SAFETY: argument 1 is a table, so there is an object of more than 16 bytes behind the pointer, aligned to 8.
    unsafe {
        let table = ffi::lua_topointer(l, 1).cast::<u8>();
        if size_of::<usize>() != 8 || table.is_null() {
            return 0;
        }
        let hash = 1_u64.checked_shl(u32::from(table.add(11).read())).unwrap_or(0);
        hash.saturating_add(u64::from(table.add(12).cast::<u32>().read()))
    }
}

/// `next`, which refuses keys that are stored by their address: their order would differ from run to run.
unsafe extern "C-unwind" fn next(l: *mut lua_State) -> c_int {
    // SAFETY: as above.
    unsafe {
        ffi::luaL_checktype(l, 1, ffi::LUA_TTABLE);
        ffi::lua_settop(l, 2);
        let begins = ffi::lua_type(l, 2) == ffi::LUA_TNIL;
        if ffi::lua_next(l, 1) == 0 {
            if begins {
                charge(l, slots(l) / SLOTS_PER_FUEL);
            }
            ffi::lua_pushnil(l);
            return 1;
        }
        if begins {
            // To the first entry it may have gone over all the places of those that are gone.
            let skipped = whole(l, -2).and_then(|key| u64::try_from(key).ok()).unwrap_or(u64::MAX);
            charge(l, slots(l).min(skipped) / SLOTS_PER_FUEL);
        }
        let kind = ffi::lua_type(l, -2);
        if matches!(kind, ffi::LUA_TTABLE | ffi::LUA_TFUNCTION | ffi::LUA_TTHREAD | ffi::LUA_TUSERDATA) {
            let kind =
                if kind == ffi::LUA_TUSERDATA { c"character".as_ptr() } else { ffi::lua_typename(l, kind) };
            let message = c"cannot go through a table that has a %s as a key: the order would differ from run to run; use names as keys, npc.id say";
            return ffi::luaL_error(l, message.as_ptr(), kind);
        }
        2
    }
}

unsafe extern "C-unwind" fn pairs(l: *mut lua_State) -> c_int {
    // SAFETY: as above; the second upvalue is the guarded `next`.
    unsafe {
        if ffi::lua_type(l, 1) != ffi::LUA_TTABLE
            || ffi::luaL_getmetafield(l, 1, c"__pairs".as_ptr()) != ffi::LUA_TNIL
        {
            ffi::lua_settop(l, 1);
            return go_on(l);
        }
        ffi::lua_pushvalue(l, ffi::lua_upvalueindex(2));
        ffi::lua_pushvalue(l, 1);
        ffi::lua_pushnil(l);
        3
    }
}

/// Finalisers run whenever Lua collects garbage, with hooks off: nothing could stop them.
unsafe extern "C-unwind" fn setmetatable(l: *mut lua_State) -> c_int {
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

/// The bytes of a string on the stack.
unsafe fn bytes_of<'a>(l: *mut lua_State, index: c_int) -> &'a [u8] {
    let mut length = 0;
    // SAFETY: the string stays on the stack as long as its bytes are looked at; see the callers.
    unsafe {
        let text = ffi::lua_tolstring(l, index, &raw mut length);
        std::slice::from_raw_parts(text.cast(), length)
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

/// Tables that belong to all scripts are marked in their metatable; `rawset` would get around that.
const SHARED_MARK: &CStr = c"__shared";

unsafe extern "C-unwind" fn rawset(l: *mut lua_State) -> c_int {
    // SAFETY: as above.
    unsafe {
        if ffi::lua_type(l, 1) == ffi::LUA_TTABLE && ffi::lua_getmetatable(l, 1) != 0 {
            ffi::lua_pushstring(l, SHARED_MARK.as_ptr());
            if ffi::lua_rawget(l, -2) != ffi::LUA_TNIL {
                return ffi::luaL_error(l, c"this table belongs to all scripts and cannot be set".as_ptr());
            }
            ffi::lua_pop(l, 2);
        }
        go_on(l)
    }
}

/// Making a coroutine takes about as long as this many instructions, waking one up as that many.
const COROUTINE_FUEL: u64 = 150;
const RESUME_FUEL: u64 = 20;

/// A coroutine runs protected from within. An error that leaves it would have its hooks switched off for what is closed
/// afterwards, if it came from a hook.
unsafe extern "C-unwind" fn make_coroutine(l: *mut lua_State) -> c_int {
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

unsafe extern "C-unwind" fn resume(l: *mut lua_State) -> c_int {
    // SAFETY: as above.
    unsafe {
        charge(l, RESUME_FUEL);
        pass_on(l)
    }
}

/// What is being stopped inside a coroutine is to be stopped outside, too: its error is no result.
unsafe extern "C-unwind" fn pass_on(l: *mut lua_State) -> c_int {
    // SAFETY: as above.
    unsafe {
        let results = go_on(l);
        let meter = meter(l);
        if meter.running.get() && meter.stop().is_some() {
            raise(l, meter);
        }
        results
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_found_in_any_format() {
        assert!(asks_for_address(b"%p") && asks_for_address(b"a %d %-20p") && asks_for_address(b"%%%p"));
        assert!(!asks_for_address(b"%%p"));
        assert!(!asks_for_address(b"%s p") && !asks_for_address(b"%") && !asks_for_address(b""));
        assert_eq!((count(1, 0), count(1, 1), count(i64::MIN, i64::MAX)), (0, 1, u64::MAX));
    }
}
