//! The line that a coroutine is at.

use mlua::{Thread, ffi};
use std::ffi::CStr;

/// Calls looked at in one coroutine, from the innermost one on.
const MOST_LEVELS: i32 = 64;

/// File and line that a coroutine is at, running or suspended: those of the innermost call of a script's function.
/// `None` before its first line and after its end. Runs no Lua code and allocates nothing.
pub(in crate::script) fn line_of(thread: &Thread) -> Option<(String, u32)> {
    let state = thread.state();
    for level in 0..MOST_LEVELS {
        // SAFETY: the coroutine lives as long as `thread`. Both functions only read its calls: they need no place on
        // its stack and raise no error. Zeros are a valid record, and the name of the source lives as long as its
        // function, which is on the stack.
        let (source, line) = unsafe {
            let mut call: ffi::lua_Debug = std::mem::zeroed();
            if ffi::lua_getstack(state, level, &mut call) == 0 {
                return None;
            }
            ffi::lua_getinfo(state, c"Sl".as_ptr(), &mut call);
            if call.source.is_null() {
                continue;
            }
            (CStr::from_ptr(call.source).to_string_lossy(), call.currentline)
        };
        if let Some(file) = source.strip_prefix('@') {
            return Some((file.to_owned(), u32::try_from(line).unwrap_or(0)));
        }
    }
    None
}
