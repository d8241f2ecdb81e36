//! Lua's allocator: the state's arena. The meter admits each allocation beforehand and books it afterwards.

use super::meter::{Account, Meter, Spare};
use super::stop::Stop;
use mlua::ffi;
use std::alloc::Layout;
use std::ffi::c_void;
use std::ptr::null_mut;

/// The alignment of `malloc` on 64-bit platforms, and more than any Lua object needs.
const ALIGNMENT: usize = 16;

/// Maximum length of a string. Lua compares, searches and hashes a string in one instruction, however long
/// that takes.
pub(super) const MAX_STRING_BYTES: usize = 256 << 10;

/// A block that grows beyond this is rarely a table; usually it is text that a library function builds.
const LARGE_BLOCK_BYTES: usize = 512 << 10;

/// A new block larger than this is part of a table, or the stack of a coroutine. Smaller ones also appear
/// when calls go deeper than before, which depends on when garbage was collected.
const PART_BYTES: usize = 256;

/// Lua interns strings up to this size, header included.
const SHORT_STRING_BYTES: usize = 80;

/// A string's block is a little longer than its text.
const STRING_HEADER_BYTES: usize = 64;

/// A longer string counts as long; see [`Meter::long_strings`].
pub(super) const LONG_STRING_BYTES: usize = 16 << 10;

/// Stored behind every block: the account that pays for it.
#[repr(C)]
#[derive(Clone, Copy)]
struct Tag {
    account: u32,
}

const TAG_BYTES: usize = size_of::<Tag>();

/// Allocates, resizes and frees blocks; refuses beyond the limits. Frees always work.
///
/// # Safety
/// Called by Lua only, as the `lua_Alloc` of a state created with a pointer to a [`Meter`] that outlives it.
/// `block` is null or was allocated here with `old` bytes. For a null block, Lua passes the kind of the
/// object in `old`.
pub(super) unsafe extern "C" fn allocate(
    meter: *mut c_void,
    block: *mut c_void,
    old: usize,
    new: usize,
) -> *mut c_void {
    // SAFETY: by the contract above. The meter is only ever used through shared references; all its fields are cells.
    // Blocks are `TAG_BYTES` longer than Lua knows, and the tag behind the known bytes is written whenever their
    // number changes.
    unsafe {
        let meter = &*meter.cast::<Meter>();
        let (kind, old) = if block.is_null() { (old, 0) } else { (0, old) };
        if new == 0 {
            if !block.is_null() {
                let tag = read_tag(block, old);
                meter.unbook(Account(tag.account), old);
                meter.count_block(false);
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
            // For each variable that a closure captures, Lua searches the variables captured so far.
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
                meter.count_block(true);
                write_tag(fresh.cast(), new, Tag { account: account.0 });
            }
            return fresh.cast();
        }
        let mut tag = read_tag(block, old);
        let moved = meter.arena.realloc(block.cast(), layout(old), new + TAG_BYTES);
        if !moved.is_null() {
            meter.unbook(Account(tag.account), old);
            if new > old {
                // A script that makes another script's table grow pays for it.
                tag.account = meter.payer().0;
            }
            meter.book(Account(tag.account), new);
            write_tag(moved.cast(), new, tag);
        }
        moved.cast()
    }
}

/// Whether a block is the error object that mlua allocates before it calls a function, and keeps for the next
/// call if there is no error. Earlier calls decide which call allocates it, so it costs no fuel. Its size is
/// learnt during warm-up.
fn is_spare(meter: &Meter, kind: usize, bytes: usize) -> bool {
    if kind != ffi::LUA_TUSERDATA as usize {
        return false;
    }
    if meter.spare_bytes.get() == Spare::Next {
        meter.spare_bytes.set(Spare::Bytes(bytes));
    }
    meter.spare_bytes.get() == Spare::Bytes(bytes)
}

/// Whether a block costs fuel. New objects do. The growth of tables and stacks does not, nor do short
/// strings: they depend on addresses and on when garbage was collected, and fuel must be the same in every
/// process. The instructions that make them do little else.
fn costs_fuel(kind: usize, old: usize, bytes: usize) -> bool {
    // Lua's table of all short strings doubles, partly because of garbage. Stacks grow by half, after
    // collections have shrunk them; a value has 16 bytes, and five spare values are not counted.
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
