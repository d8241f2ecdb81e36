//! The count of instructions to a thread's next hook call. `lua_sethook` sets it, too, but walks through all calls of the
//! thread, which takes long in a deep recursion.

use super::Layout;
use mlua::ffi::{self, lua_State};
use std::ffi::c_int;

/// The place of the count and of the value that it begins with again, in bytes from the beginning of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Offset(usize);

/// The bytes of a thread in which the two are looked for: behind its record of the first call.
const FIRST: usize = 96;
const LAST: usize = 200;

impl Layout {
    /// Sets the number of instructions to the next hook call of a thread that has a count hook.
    ///
    /// # Safety
    /// `l` is a thread of the state that was verified.
    pub(in crate::script::sandbox) unsafe fn set_gap(self, l: *mut lua_State, gap: c_int) {
        // SAFETY: by the contract. A running hook has restarted its count already.
        unsafe {
            match self.counts {
                Some(_) => self.set_counts(l, [gap, gap]),
                None => ffi::lua_sethook(l, ffi::lua_gethook(l), ffi::lua_gethookmask(l), gap),
            }
        }
    }

    /// The distance of a thread's hook calls, and what is left of it; `None` if unknown.
    ///
    /// # Safety
    /// As [`Layout::set_gap`].
    pub(in crate::script::sandbox) unsafe fn counts(self, l: *mut lua_State) -> Option<[c_int; 2]> {
        // SAFETY: by the contract; `find` has seen both values there.
        self.counts.map(|Offset(at)| unsafe { l.cast::<u8>().add(at).cast::<[c_int; 2]>().read() })
    }

    /// Sets what [`Layout::counts`] reads.
    ///
    /// # Safety
    /// As [`Layout::set_gap`].
    pub(in crate::script::sandbox) unsafe fn set_counts(self, l: *mut lua_State, counts: [c_int; 2]) {
        if let Some(Offset(at)) = self.counts {
            // SAFETY: as `counts`.
            unsafe { l.cast::<u8>().add(at).cast::<[c_int; 2]>().write(counts) };
        }
    }
}

/// The only place where two numbers beside each other are what the hook was set to, twice.
pub(super) unsafe fn find(l: *mut lua_State) -> Option<Offset> {
    unsafe extern "C-unwind" fn nothing(_: *mut lua_State, _: *mut ffi::lua_Debug) {}
    // SAFETY: a thread is longer than `LAST`, and aligned. The hook is removed again.
    unsafe {
        let mut places: Vec<usize> = (FIRST..LAST).step_by(4).collect();
        for count in [0x0123_4567, 0x0765_4321] {
            ffi::lua_sethook(l, Some(nothing), ffi::LUA_MASKCOUNT, count);
            places.retain(|&at| l.cast::<u8>().add(at).cast::<[c_int; 2]>().read() == [count, count]);
        }
        ffi::lua_sethook(l, None, 0, 0);
        match places[..] {
            [place] => Some(Offset(place)),
            _ => None,
        }
    }
}
