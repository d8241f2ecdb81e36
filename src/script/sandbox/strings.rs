//! `string.find`, `match`, `gmatch` and `gsub` on a matcher that pays for its steps. Their arguments, results
//! and error messages are Lua's.

use super::guards::{charge, own_string, weigh_number};
use super::instruction_hook::meter;
use super::pattern::{Capture, Malformed, Matcher, Stop, find_plain, is_plain};
use mlua::ffi::{self, lua_Integer, lua_State, luaL_Buffer};
use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::slice::from_raw_parts;

/// Replaces Lua's functions.
///
/// # Safety
/// As for the guards: a fresh state of ours, not limited yet.
pub(super) unsafe fn install(l: *mut lua_State) {
    // SAFETY: the table of the string library is on top while its fields are set.
    unsafe {
        ffi::lua_rawgeti(l, ffi::LUA_REGISTRYINDEX, ffi::LUA_RIDX_GLOBALS);
        ffi::lua_getfield(l, -1, c"string".as_ptr());
        for (name, function) in [
            (c"find", find as unsafe extern "C-unwind" fn(*mut lua_State) -> c_int),
            (c"match", first_match),
            (c"gmatch", gmatch),
            (c"gsub", gsub),
        ] {
            ffi::lua_pushcclosure(l, function, 0);
            ffi::lua_setfield(l, -2, name.as_ptr());
        }
        ffi::lua_settop(l, 0);
    }
}

unsafe extern "C-unwind" fn find(l: *mut lua_State) -> c_int {
    // SAFETY: see `search`.
    unsafe { search(l, true) }
}

unsafe extern "C-unwind" fn first_match(l: *mut lua_State) -> c_int {
    // SAFETY: see `search`.
    unsafe { search(l, false) }
}

/// The bytes of a string argument; raises if it is not a string.
///
/// # Safety
/// The slice lives as long as the argument stays on the stack, which all callers see to.
unsafe fn bytes<'a>(l: *mut lua_State, index: c_int) -> &'a [u8] {
    let mut length = 0;
    // SAFETY: Lua returns a pointer to `length` bytes, or raises.
    unsafe {
        let text = ffi::luaL_checklstring(l, index, &raw mut length);
        from_raw_parts(text.cast(), length)
    }
}

/// The offset, from 0, of a start position that counts from 1, or from the end if it is negative.
fn offset(position: lua_Integer, length: usize) -> usize {
    let length = length as lua_Integer;
    let from_one = match position {
        1.. => position,
        0 => 1,
        _ if position < -length => 1,
        _ => length + position + 1,
    };
    from_one as usize - 1
}

/// Common to `find` and `match`. Called by Lua only, like everything here; no Rust value with a destructor is alive
/// when an error is raised.
unsafe fn search(l: *mut lua_State, find: bool) -> c_int {
    // SAFETY: subject and pattern stay on the stack, at 1 and 2.
    unsafe {
        let (subject, pattern) = (bytes(l, 1), bytes(l, 2));
        weigh_number(l, 3);
        let from = offset(ffi::luaL_optinteger(l, 3, 1), subject.len());
        if from > subject.len() {
            ffi::lua_pushnil(l);
            return 1;
        }
        charge(l, pattern.len() as u64 / 8);
        if find && (ffi::lua_toboolean(l, 4) != 0 || is_plain(pattern)) {
            let before = meter(l).fuel_left();
            let mut left = before;
            let found = find_plain(subject, pattern, from, &mut left);
            charge(l, before - left);
            let Some(start) = settled(l, found) else {
                ffi::lua_pushnil(l);
                return 1;
            };
            ffi::lua_pushinteger(l, start as lua_Integer + 1);
            ffi::lua_pushinteger(l, (start + pattern.len()) as lua_Integer);
            return 2;
        }
        let (anchored, pattern) = anchor(pattern);
        match first(l, subject, pattern, from, anchored, None) {
            None => {
                ffi::lua_pushnil(l);
                1
            }
            Some((matcher, start, end)) if find => {
                ffi::lua_pushinteger(l, start as lua_Integer + 1);
                ffi::lua_pushinteger(l, end as lua_Integer);
                2 + push_captures(l, subject, &matcher, false)
            }
            Some((matcher, ..)) => push_captures(l, subject, &matcher, true),
        }
    }
}

fn anchor(pattern: &[u8]) -> (bool, &[u8]) {
    match pattern.strip_prefix(b"^") {
        Some(rest) => (true, rest),
        None => (false, pattern),
    }
}

/// Starting a search and returning its result takes as long as this many instructions.
const FIND_FUEL: u64 = 12;

/// The first match that begins at `from` or later and does not end at `not_at`, the end of the previous
/// match. Charges its fuel. Also returns the start and end of the match.
unsafe fn first<'a>(
    l: *mut lua_State,
    subject: &'a [u8],
    pattern: &'a [u8],
    from: usize,
    anchored: bool,
    not_at: Option<usize>,
) -> Option<(Matcher<'a>, usize, usize)> {
    // SAFETY: as `search`.
    unsafe {
        let before = meter(l).fuel_left();
        let mut matcher = Matcher::new(subject, pattern, before);
        let last = if anchored { from } else { subject.len() };
        let mut found = Ok(None);
        let mut start = from;
        while start <= last {
            found = matcher.match_at(start);
            match found {
                Ok(end) if end.is_none() || end == not_at => found = Ok(None),
                _ => break,
            }
            start += 1;
        }
        charge(l, before - matcher.fuel_left() + FIND_FUEL);
        settled(l, found).map(|end| (matcher, start, end))
    }
}

/// The result of a search; a malformed pattern raises an error.
unsafe fn settled<T>(l: *mut lua_State, found: Result<Option<T>, Stop>) -> Option<T> {
    // SAFETY: the messages are static.
    unsafe {
        match found {
            Ok(found) => found,
            Err(Stop::OutOfFuel) => {
                // Spends all fuel, which raises.
                charge(l, u64::MAX);
                None
            }
            Err(Stop::Malformed(problem)) => {
                complain(l, problem.describe());
                None
            }
        }
    }
}

/// Raises an error with a text of ours.
unsafe fn complain(l: *mut lua_State, text: &str) {
    // SAFETY: room for two values; the text is copied.
    unsafe {
        ffi::luaL_where(l, 1);
        push_bytes(l, text.as_bytes());
        ffi::lua_concat(l, 2);
        ffi::lua_error(l);
    }
}

unsafe fn push_bytes(l: *mut lua_State, bytes: &[u8]) {
    // SAFETY: Lua copies the bytes.
    unsafe { ffi::lua_pushlstring(l, bytes.as_ptr().cast(), bytes.len()) };
}

unsafe fn push_capture(l: *mut lua_State, subject: &[u8], capture: Capture) {
    // SAFETY: as `push_bytes`; a capture lies within the subject.
    unsafe {
        match capture {
            Capture::Span { start, len } => push_bytes(l, &subject[start..start + len]),
            Capture::Position(at) => ffi::lua_pushinteger(l, at as lua_Integer + 1),
        }
    }
}

/// Pushes all captures, or the whole match if there are none and `whole` is set. Returns their number.
unsafe fn push_captures(l: *mut lua_State, subject: &[u8], matcher: &Matcher<'_>, whole: bool) -> c_int {
    // SAFETY: as above.
    unsafe {
        let count = matcher.capture_count();
        let count = if count == 0 && whole { 1 } else { count };
        ffi::luaL_checkstack(l, count as c_int, c"too many captures".as_ptr());
        for index in 0..count {
            if let Some(capture) = settled(l, matcher.capture(index).map(Some)) {
                push_capture(l, subject, capture);
            }
        }
        count as c_int
    }
}

/// `gmatch`: an iterator whose upvalues are subject, pattern, next position and end of the last match (−1:
/// none yet).
unsafe extern "C-unwind" fn gmatch(l: *mut lua_State) -> c_int {
    // SAFETY: as `search`.
    unsafe {
        let subject = bytes(l, 1);
        bytes(l, 2);
        weigh_number(l, 3);
        let from = offset(ffi::luaL_optinteger(l, 3, 1), subject.len()).min(subject.len() + 1);
        ffi::lua_settop(l, 2);
        ffi::lua_pushinteger(l, from as lua_Integer);
        ffi::lua_pushinteger(l, -1);
        ffi::lua_pushcclosure(l, next_match, 4);
        1
    }
}

unsafe extern "C-unwind" fn next_match(l: *mut lua_State) -> c_int {
    // SAFETY: the upvalues are those that `gmatch` made; they anchor subject and pattern.
    unsafe {
        let up = |index| ffi::lua_upvalueindex(index);
        let (subject, pattern) = (bytes(l, up(1)), bytes(l, up(2)));
        let from = ffi::lua_tointeger(l, up(3)) as usize;
        let last_end = usize::try_from(ffi::lua_tointeger(l, up(4))).ok();
        let Some((matcher, _, end)) = first(l, subject, pattern, from, false, last_end) else { return 0 };
        for index in [3, 4] {
            ffi::lua_pushinteger(l, end as lua_Integer);
            ffi::lua_replace(l, up(index));
        }
        push_captures(l, subject, &matcher, true)
    }
}

unsafe extern "C-unwind" fn gsub(l: *mut lua_State) -> c_int {
    // SAFETY: as `search`. The buffer lives in this frame and is plain data. Lua keeps its overflow on the
    // stack, above the arguments; values pushed later are popped before the buffer is touched.
    unsafe {
        let (subject, pattern) = (bytes(l, 1), bytes(l, 2));
        let kind = ffi::lua_type(l, 3);
        if !matches!(kind, ffi::LUA_TNUMBER | ffi::LUA_TSTRING | ffi::LUA_TTABLE | ffi::LUA_TFUNCTION) {
            let found = ffi::lua_typename(l, kind);
            let message = ffi::lua_pushfstring(l, c"string/function/table expected, got %s".as_ptr(), found);
            return ffi::luaL_argerror(l, 3, message);
        }
        weigh_number(l, 4);
        let most = ffi::luaL_optinteger(l, 4, subject.len() as lua_Integer + 1);
        let (anchored, pattern) = anchor(pattern);
        let mut buffer = MaybeUninit::<luaL_Buffer>::uninit();
        let buffer = buffer.as_mut_ptr();
        ffi::luaL_buffinit(l, buffer);
        let (mut start, mut last_end, mut count, mut changed) = (0, None, 0, false);
        while count < most
            && let Some((matcher, at, end)) = first(l, subject, pattern, start, anchored, last_end)
        {
            count += 1;
            add_bytes(buffer, &subject[start..at]);
            changed |= add_replacement(l, buffer, subject, &matcher, (at, end), kind);
            start = end;
            last_end = Some(end);
            if anchored {
                break;
            }
        }
        if changed {
            add_bytes(buffer, &subject[start..]);
            ffi::luaL_pushresult(buffer);
            own_string(l, -1);
        } else {
            ffi::lua_pushvalue(l, 1);
        }
        ffi::lua_pushinteger(l, count);
        2
    }
}

unsafe fn add_bytes(buffer: *mut luaL_Buffer, bytes: &[u8]) {
    // SAFETY: the buffer is initialised; Lua copies the bytes.
    unsafe { ffi::luaL_addlstring(buffer, bytes.as_ptr().cast(), bytes.len()) }
}

/// Adds the replacement of a match; false if the match stays as it is.
unsafe fn add_replacement(
    l: *mut lua_State,
    buffer: *mut luaL_Buffer,
    subject: &[u8],
    matcher: &Matcher<'_>,
    (start, end): (usize, usize),
    kind: c_int,
) -> bool {
    // SAFETY: the replacement is argument 3; a call leaves exactly the one result asked for.
    unsafe {
        match kind {
            ffi::LUA_TFUNCTION => {
                ffi::lua_pushvalue(l, 3);
                let arguments = push_captures(l, subject, matcher, true);
                ffi::lua_call(l, arguments, 1);
            }
            ffi::LUA_TTABLE => {
                push_one(l, subject, matcher, 0);
                ffi::lua_gettable(l, 3);
            }
            _ => {
                add_template(l, buffer, subject, matcher, (start, end));
                return true;
            }
        }
        if ffi::lua_toboolean(l, -1) == 0 {
            ffi::lua_pop(l, 1);
            add_bytes(buffer, &subject[start..end]);
            return false;
        }
        if ffi::lua_isstring(l, -1) == 0 {
            let kind = ffi::lua_typename(l, ffi::lua_type(l, -1));
            ffi::luaL_error(l, c"invalid replacement value (a %s)".as_ptr(), kind);
        }
        ffi::luaL_addvalue(buffer);
        true
    }
}

/// Pushes one capture of a replacement, counted from 0; the whole match if there are no captures.
unsafe fn push_one(l: *mut lua_State, subject: &[u8], matcher: &Matcher<'_>, index: usize) {
    // SAFETY: as above.
    unsafe {
        match matcher.capture(index) {
            Err(Stop::Malformed(Malformed::NoSuchCapture(index))) => {
                ffi::luaL_error(l, c"invalid capture index %%%d".as_ptr(), index as c_int);
            }
            other => {
                if let Some(capture) = settled(l, other.map(Some)) {
                    push_capture(l, subject, capture);
                }
            }
        }
    }
}

/// Adds a replacement string with its `%0` to `%9` filled in.
unsafe fn add_template(
    l: *mut lua_State,
    buffer: *mut luaL_Buffer,
    subject: &[u8],
    matcher: &Matcher<'_>,
    (start, end): (usize, usize),
) {
    // SAFETY: as above; the template is argument 3 and stays there.
    unsafe {
        let template = bytes(l, 3);
        charge(l, template.len() as u64 / 8);
        let mut at = 0;
        while at < template.len() {
            let plain = template[at..].iter().position(|&byte| byte == b'%').unwrap_or(template.len() - at);
            add_bytes(buffer, &template[at..at + plain]);
            at += plain;
            if at == template.len() {
                break;
            }
            match template.get(at + 1) {
                Some(b'%') => add_bytes(buffer, b"%"),
                Some(b'0') => add_bytes(buffer, &subject[start..end]),
                Some(digit @ b'1'..=b'9') => {
                    push_one(l, subject, matcher, usize::from(digit - b'1'));
                    ffi::luaL_addvalue(buffer);
                }
                _ => {
                    ffi::luaL_error(
                        l,
                        c"invalid use of '%c' in replacement string".as_ptr(),
                        c_int::from(b'%'),
                    );
                }
            }
            at += 2;
        }
    }
}
