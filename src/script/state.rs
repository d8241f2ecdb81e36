//! The Lua state itself: made by us, so that its hash seed is fixed and its memory bounded. The only unsafe code there is.
#![allow(unsafe_code)]

use mlua::{Lua, StdLib, ffi};
use std::alloc::{Layout, alloc, dealloc, realloc};
use std::ffi::c_void;
use std::mem::ManuallyDrop;
use std::ptr::null_mut;

/// A Lua state with the safe libraries, a fixed hash seed and a memory limit.
pub(super) struct LuaState {
    lua: ManuallyDrop<Lua>,
    raw: *mut ffi::lua_State,
    heap: *mut Heap,
}

/// What the allocator of one state knows.
struct Heap {
    used: usize,
    limit: usize,
}

/// `pairs` over string keys follows this seed: any constant gives every process the same order.
const HASH_SEED: u32 = 0x00C1_CE20;

/// What `malloc` promises on 64-bit platforms, and more than any Lua object needs.
const ALIGNMENT: usize = 16;

impl LuaState {
    /// Makes a state that may use `memory_limit` bytes. `None` if there is not even memory for an empty one.
    pub(super) fn new(memory_limit: usize) -> mlua::Result<Self> {
        let heap = Box::into_raw(Box::new(Heap { used: 0, limit: usize::MAX }));
        // SAFETY: `allocate` keeps the contract of lua_Alloc; `heap` outlives the state, it is freed after lua_close in drop.
        let raw = unsafe { ffi::lua_newstate(allocate, heap.cast::<c_void>(), HASH_SEED) };
        if raw.is_null() {
            // SAFETY: made by Box::into_raw above and given to nobody.
            drop(unsafe { Box::from_raw(heap) });
            return Err(mlua::Error::MemoryError("no memory for a Lua state".into()));
        }
        // SAFETY: `raw` is a fresh state used by this thread only. The allocator is not limited yet, so the unprotected calls
        // here cannot raise. The clone keeps mlua's own reference count apart from the borrowed lifetime; it is dropped before
        // the state is closed.
        let lua = unsafe {
            ffi::luaL_requiref(raw, c"_G".as_ptr(), ffi::luaopen_base, 1);
            ffi::lua_settop(raw, 0);
            Lua::get_or_init_from_ptr(raw).clone()
        };
        let state = Self { lua: ManuallyDrop::new(lua), raw, heap };
        state.lua.load_std_libs(
            StdLib::TABLE | StdLib::STRING | StdLib::MATH | StdLib::UTF8 | StdLib::COROUTINE,
        )?;
        // SAFETY: `heap` is alive; nothing else refers to it while no Lua code runs.
        unsafe { (*heap).limit = memory_limit };
        Ok(state)
    }

    pub(super) fn lua(&self) -> &Lua {
        &self.lua
    }
}

impl Drop for LuaState {
    fn drop(&mut self) {
        // SAFETY: whoever owns a LuaState drops its own Lua handles first (see `Scripts`). The clone goes before the state it
        // refers to, the heap after the state that allocates from it; none of them is used again.
        unsafe {
            ManuallyDrop::drop(&mut self.lua);
            ffi::lua_close(self.raw);
            drop(Box::from_raw(self.heap));
        }
    }
}

/// Lua's allocator: frees, grows and shrinks blocks from Rust's heap and says no beyond the limit. Shrinking always works, as
/// Lua demands.
unsafe extern "C" fn allocate(heap: *mut c_void, block: *mut c_void, old: usize, new: usize) -> *mut c_void {
    // SAFETY: `heap` is the pointer given to lua_newstate; `block`, if not null, came from here with `old` bytes. For a null
    // block Lua passes a type tag in `old`, not a size.
    unsafe {
        let heap = &mut *heap.cast::<Heap>();
        let old = if block.is_null() { 0 } else { old };
        if new == 0 {
            if old > 0 {
                dealloc(block.cast(), Layout::from_size_align_unchecked(old, ALIGNMENT));
                heap.used -= old;
            }
            return null_mut();
        }
        if new > isize::MAX as usize - ALIGNMENT
            || (new > old && new - old > heap.limit.saturating_sub(heap.used))
        {
            return null_mut();
        }
        let fresh = if old == 0 {
            alloc(Layout::from_size_align_unchecked(new, ALIGNMENT))
        } else {
            realloc(block.cast(), Layout::from_size_align_unchecked(old, ALIGNMENT), new)
        };
        if !fresh.is_null() {
            heap.used = heap.used - old + new;
        }
        fresh.cast()
    }
}
