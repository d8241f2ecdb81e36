//! Lua's allocator: the state's arena, with the meter asked before and told after.

use super::meter::{Account, Meter, Spare, Stop};
use mlua::ffi;
use std::alloc::Layout;
use std::ffi::c_void;
use std::ptr::null_mut;

/// What `malloc` promises on 64-bit platforms, and more than any Lua object needs.
const ALIGNMENT: usize = 16;

/// No string may be longer: comparing, searching and hashing are single instructions to Lua, however long they take.
pub(super) const MAX_STRING_BYTES: usize = 256 << 10;

/// What grows as large as this is hardly a table, but text that a library function puts together.
const LARGE_BLOCK_BYTES: usize = 512 << 10;

/// A first block as large as this is a part of a table, or the stack of a coroutine. What runs makes smaller ones, too, when calls go
/// deeper than before, which depends on what garbage was collected when.
const PART_BYTES: usize = 256;

/// Lua keeps one copy only of strings up to this long, header included.
const SHORT_STRING_BYTES: usize = 80;

/// A string's block is a little longer than its text.
const STRING_HEADER_BYTES: usize = 64;

/// From here on a string counts as long; see [`Meter::long_strings`].
pub(super) const LONG_STRING_BYTES: usize = 16 << 10;

/// Behind every block: who pays for it.
#[repr(C)]
#[derive(Clone, Copy)]
struct Tag {
    account: u32,
}

const TAG_BYTES: usize = size_of::<Tag>();

/// Frees, grows and shrinks blocks, and says no beyond the limits. Frees always work.
///
/// # Safety
/// To be called by Lua only, as `lua_Alloc` of a state that was made with a pointer to a [`Meter`] which outlives it: `block`
/// is null or came from here with `old` bytes. For a null block Lua passes in `old` what kind of object it is for.
pub(super) unsafe extern "C" fn allocate(
    meter: *mut c_void,
    block: *mut c_void,
    old: usize,
    new: usize,
) -> *mut c_void {
    // SAFETY: by the contract above. The meter is only ever used through shared references; all its fields are cells. Blocks
    // are `TAG_BYTES` longer than Lua knows, and the tag behind the known bytes is written whenever their number changes.
    unsafe {
        let meter = &*meter.cast::<Meter>();
        let (kind, old) = if block.is_null() { (old, 0) } else { (0, old) };
        if new == 0 {
            if !block.is_null() {
                let tag = read_tag(block, old);
                meter.unbook(Account(tag.account), old);
                meter.arena.dealloc(block.cast(), layout(old));
            }
            return null_mut();
        }
        let is_string = kind == ffi::LUA_TSTRING as usize;
        if is_string && new > MAX_STRING_BYTES + STRING_HEADER_BYTES && meter.running.get() {
            meter.stop_for(Stop::LongString);
            return null_mut();
        }
        if kind == ffi::LUA_TFUNCTION as usize && meter.running.get() {
            // For each variable that a closure captures, Lua looks through those that are captured already.
            let captured = (new as u64 / 8).saturating_sub(4);
            meter.spend(captured * captured / 16);
        }
        if new > isize::MAX as usize - ALIGNMENT - TAG_BYTES
            || (new > old
                && !meter.admits(
                    new - old,
                    costs_fuel(kind, old, new) && !is_spare(meter, kind, new),
                    block.is_null() && kind == 0,
                ))
        {
            return null_mut();
        }
        if block.is_null() {
            let fresh = meter.arena.alloc(layout(new));
            if !fresh.is_null() {
                if is_string && new > LONG_STRING_BYTES {
                    meter.long_strings.set(true);
                }
                let account = meter.payer();
                meter.book(account, new);
                write_tag(fresh.cast(), new, Tag { account: account.0 });
            }
            return fresh.cast();
        }
        let mut tag = read_tag(block, old);
        let moved = meter.arena.realloc(block.cast(), layout(old), new + TAG_BYTES);
        if !moved.is_null() {
            meter.unbook(Account(tag.account), old);
            if new > old {
                // A script that lets another script's table grow pays for it.
                tag.account = meter.payer().0;
            }
            meter.book(Account(tag.account), new);
            write_tag(moved.cast(), new, tag);
        }
        moved.cast()
    }
}

/// Whether a block is what mlua makes for an error before it calls a function, and keeps for the next call if there is none. Who makes it
/// is a matter of what ran before. Its size is learnt while the state is warmed up.
fn is_spare(meter: &Meter, kind: usize, bytes: usize) -> bool {
    if kind != ffi::LUA_TUSERDATA as usize {
        return false;
    }
    if meter.spare_bytes.get() == Spare::Next {
        meter.spare_bytes.set(Spare::Bytes(bytes));
    }
    meter.spare_bytes.get() == Spare::Bytes(bytes)
}

/// Whether a block is paid for: new objects are. What tables and stacks grow by is not, nor are short strings: how they come
/// about depends on addresses and on what garbage was collected when, and fuel must be the same in every process. Both are
/// made by instructions that do little else.
fn costs_fuel(kind: usize, old: usize, bytes: usize) -> bool {
    // So grows the table of all short strings, by garbage, too; and so do stacks, which collections make smaller. Their values have 16
    // bytes each, and five more are there than are counted.
    let of_all_strings = old.is_power_of_two() && bytes == 2 * old;
    let values = |bytes: usize| (bytes / 16).saturating_sub(5);
    let is_stack = old.is_multiple_of(16)
        && bytes.is_multiple_of(16)
        && values(bytes) == values(old) / 2 * 3 + values(old) % 2;
    match kind as i32 {
        0 => (old == 0 && bytes > PART_BYTES) || bytes > LARGE_BLOCK_BYTES && !of_all_strings && !is_stack,
        ffi::LUA_TSTRING => bytes > SHORT_STRING_BYTES,
        _ => true,
    }
}

/// # Safety
/// `bytes` must not exceed what [`allocate`] admits.
unsafe fn layout(bytes: usize) -> Layout {
    // SAFETY: `allocate` has made sure that the sum does not overflow; the alignment is a power of two.
    unsafe { Layout::from_size_align_unchecked(bytes + TAG_BYTES, ALIGNMENT) }
}

/// # Safety
/// `block` is a block of [`allocate`] with `bytes` bytes.
unsafe fn read_tag(block: *mut c_void, bytes: usize) -> Tag {
    // SAFETY: the block is `TAG_BYTES` longer than `bytes`; the tag may lie anywhere, so it is read unaligned.
    unsafe { block.cast::<u8>().add(bytes).cast::<Tag>().read_unaligned() }
}

/// # Safety
/// As [`read_tag`].
unsafe fn write_tag(block: *mut c_void, bytes: usize, tag: Tag) {
    // SAFETY: as above.
    unsafe { block.cast::<u8>().add(bytes).cast::<Tag>().write_unaligned(tag) }
}
