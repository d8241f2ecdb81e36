//! Memory of a Lua state's objects. Lua hashes keys that are tables, functions, userdata or coroutines by the
//! lower half of their address, so addresses decide how tables grow and in which order they are traversed.
//! Here addresses depend only on the sequence of allocations and frees: blocks come from the state's own
//! address range, which begins at a multiple of 4 GiB. They are found by TLSF (Masmano et al., "TLSF: a new
//! dynamic memory allocator for real-time systems", 2004), in constant time. Where no range can be reserved,
//! blocks come from the system, and only that order is lost.

use rlsf::Tlsf;
use std::alloc::Layout;
use std::cell::UnsafeCell;
use std::ptr::NonNull;

/// Memory for the objects of one Lua state.
pub(super) struct Arena {
    /// Borrows never overlap: no function of the arena calls out of it.
    pool: UnsafeCell<Option<Pool>>,
}

struct Pool {
    blocks: Box<Tlsf<'static, u32, u32, CLASSES, SUBCLASSES>>,
    range: Range,
    /// Bytes of the range that hold blocks.
    used: usize,
}

/// TLSF's size classes: powers of two from 32 bytes up, and the subdivisions of each.
const CLASSES: usize = 28;
const SUBCLASSES: usize = 16;

/// Maximum size of a range; a larger block is refused.
#[cfg(target_pointer_width = "64")]
const MOST_BYTES: usize = 1 << 32;
/// A narrower machine has no range of its own.
#[cfg(not(target_pointer_width = "64"))]
const MOST_BYTES: usize = usize::MAX / 2;

/// Minimum step in which memory is committed.
const STEP_BYTES: usize = 1 << 20;

/// A divisor of the pool: it grows by that part.
const GROWTH_PART: usize = 8;

/// A block of this size, once it is free, gives its pages back to the system.
const PAGES_BYTES: usize = 256 << 10;

impl Arena {
    pub(super) fn new() -> Self {
        let pool = Range::reserve().map(|range| Pool { blocks: Box::new(Tlsf::new()), range, used: 0 });
        Self { pool: UnsafeCell::new(pool) }
    }

    /// Whether the arena has its own address range.
    #[cfg(test)]
    fn is_ranged(&self) -> bool {
        // SAFETY: see the field.
        unsafe { (*self.pool.get()).is_some() }
    }

    pub(super) fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: see the field; layouts of Lua's blocks are never empty.
        match unsafe { &mut *self.pool.get() } {
            Some(pool) => pool.with_room(layout.size(), |blocks| blocks.allocate(layout)),
            None => unsafe { std::alloc::alloc(layout) },
        }
    }

    /// # Safety
    /// `block` came from here with this layout.
    pub(super) unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: see the field; the rest is the contract.
        unsafe {
            match (&mut *self.pool.get(), NonNull::new(block)) {
                (Some(pool), Some(block)) => {
                    if layout.size() >= PAGES_BYTES {
                        pool.range.give_back(block, layout.size());
                    }
                    pool.blocks.deallocate(block, layout.align());
                }
                (None, Some(_)) => std::alloc::dealloc(block, layout),
                (_, None) => {}
            }
        }
    }

    /// # Safety
    /// `block` came from here with this layout.
    pub(super) unsafe fn realloc(&self, block: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        // SAFETY: as `dealloc`; the new size is one that `heap` admits, so it makes a layout.
        unsafe {
            match (&mut *self.pool.get(), NonNull::new(block)) {
                (Some(pool), Some(block)) => {
                    let new = Layout::from_size_align_unchecked(bytes, layout.align());
                    pool.with_room(bytes, |blocks| blocks.reallocate(block, new))
                }
                _ => std::alloc::realloc(block, layout, bytes),
            }
        }
    }
}

impl Pool {
    /// The block that `find` finds; commits more memory while it finds none.
    fn with_room(
        &mut self,
        bytes: usize,
        mut find: impl FnMut(&mut Tlsf<'static, u32, u32, CLASSES, SUBCLASSES>) -> Option<NonNull<u8>>,
    ) -> *mut u8 {
        loop {
            if let Some(found) = find(&mut self.blocks) {
                return found.as_ptr();
            }
            // A part of the pool, or twice the block's size, so that the block fits wherever it is put.
            let block = bytes.min(MOST_BYTES).saturating_mul(2).next_multiple_of(STEP_BYTES);
            let more = (self.used / GROWTH_PART).next_multiple_of(STEP_BYTES).max(block);
            if !self.grow(more) {
                return std::ptr::null_mut();
            }
        }
    }

    fn grow(&mut self, more: usize) -> bool {
        let Some(fresh) = self.range.open(self.used, more) else { return false };
        let begun = self.used > 0;
        // SAFETY: the memory is fresh, writable and not used elsewhere; it follows the pool's memory.
        let got = unsafe {
            match begun {
                true => self.blocks.append_free_block_ptr(fresh),
                false => self.blocks.insert_free_block_ptr(fresh).map_or(0, usize::from),
            }
        };
        self.used += more;
        got > 0
    }
}

/// A reserved address range. Its beginning is backed by memory.
#[cfg(all(unix, target_pointer_width = "64"))]
struct Range {
    begin: NonNull<u8>,
}

#[cfg(all(unix, target_pointer_width = "64"))]
mod range {
    use super::Range;
    #[cfg(target_os = "linux")]
    use rustix::mm::{Advice, madvise};
    use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};
    use std::ptr::{NonNull, null_mut};

    /// Lua hashes the lower 32 bits of an address; the range has one address for each value.
    const BYTES: usize = super::MOST_BYTES;

    impl Range {
        /// Reserves a range of addresses without memory.
        pub(super) fn reserve() -> Option<Self> {
            let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
            // SAFETY: a fresh mapping that nothing else uses; the parts cut off at both ends are not used.
            unsafe {
                let whole = mmap_anonymous(null_mut(), 2 * BYTES, ProtFlags::empty(), flags).ok()?;
                let before = whole.cast::<u8>().align_offset(BYTES);
                let begin = whole.cast::<u8>().wrapping_add(before);
                if before > 0 {
                    let _ = munmap(whole, before);
                }
                let _ = munmap(begin.wrapping_add(BYTES).cast(), BYTES - before);
                NonNull::new(begin).map(|begin| Self { begin })
            }
        }

        /// Gives the pages inside of a block back to the system; they are zeros when they are used again. The first and the
        /// last one stay: the pool writes there.
        ///
        /// # Safety
        /// Nobody needs the content of the block any more.
        pub(super) unsafe fn give_back(&self, block: NonNull<u8>, bytes: usize) {
            const PAGE: usize = 1 << 16; // of the largest pages
            let begin = block.addr().get().next_multiple_of(PAGE) + PAGE;
            let end = (block.addr().get() + bytes) / PAGE * PAGE - PAGE;
            if begin < end {
                let begin = block.as_ptr().wrapping_add(begin - block.addr().get());
                // SAFETY: the pages lie within the block. Without it, they would just stay.
                #[cfg(target_os = "linux")]
                let _ = unsafe { madvise(begin.cast(), end - begin.addr(), Advice::LinuxDontNeed) };
            }
        }

        /// Backs the next addresses with memory.
        pub(super) fn open(&mut self, used: usize, more: usize) -> Option<NonNull<[u8]>> {
            if used.checked_add(more)? > BYTES {
                return None;
            }
            // SAFETY: within the range, which is ours.
            unsafe {
                let begin = self.begin.as_ptr().add(used);
                let access = MprotectFlags::READ | MprotectFlags::WRITE;
                mprotect(begin.cast(), more, access).ok()?;
                Some(NonNull::slice_from_raw_parts(NonNull::new(begin)?, more))
            }
        }
    }

    impl Drop for Range {
        fn drop(&mut self) {
            // SAFETY: the state that had objects here is closed; see `LuaState`.
            unsafe {
                let _ = munmap(self.begin.as_ptr().cast(), BYTES);
            }
        }
    }
}

/// Other platforms have no range.
#[cfg(not(all(unix, target_pointer_width = "64")))]
enum Range {}

#[cfg(not(all(unix, target_pointer_width = "64")))]
impl Range {
    fn reserve() -> Option<Self> {
        None
    }

    fn open(&mut self, _: usize, _: usize) -> Option<NonNull<[u8]>> {
        match *self {}
    }

    unsafe fn give_back(&self, _: NonNull<u8>, _: usize) {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::next_random;

    const LIMIT: usize = 1 << 16;

    fn layout(bytes: usize) -> Layout {
        Layout::from_size_align(bytes, 16).unwrap()
    }

    /// A block, its length, and the byte that fills it.
    type Block = (*mut u8, usize, u8);

    fn holds((block, bytes, fill): Block, known: usize) -> bool {
        // SAFETY: the block is alive and that long.
        let content = unsafe { std::slice::from_raw_parts(block, bytes.min(known)) };
        content.iter().all(|byte| *byte == fill)
    }

    /// Allocates, resizes and frees blocks at random, checks that no block overwrites another, and returns
    /// the addresses.
    fn life(arena: &Arena, seed: u64, steps: u32) -> Vec<usize> {
        let mut random = seed;
        let mut draw = |most: usize| (next_random(&mut random) * most as f64) as usize;
        let (mut alive, mut addresses): (Vec<Block>, Vec<usize>) = (Vec::new(), Vec::new());
        for step in 0..steps {
            let bytes = 1 + if draw(50) == 0 { draw(LIMIT * 40) } else { draw(300) };
            let fill = step as u8;
            match draw(4) {
                0 if !alive.is_empty() => {
                    let (block, known, fill) = alive.swap_remove(draw(alive.len()));
                    assert!(holds((block, known, fill), known));
                    // SAFETY: it came from here with this size.
                    unsafe { arena.dealloc(block, layout(known)) };
                }
                1 if !alive.is_empty() => {
                    let (block, known, old) = alive.swap_remove(draw(alive.len()));
                    // SAFETY: it came from here with this size; the new size is not zero.
                    let block = unsafe { arena.realloc(block, layout(known), bytes) };
                    assert!(!block.is_null() && holds((block, bytes, old), known));
                    // SAFETY: the block is that long.
                    unsafe { block.write_bytes(fill, bytes) };
                    alive.push((block, bytes, fill));
                    addresses.push(block.addr());
                }
                _ => {
                    let block = arena.alloc(layout(bytes));
                    assert!(!block.is_null() && block.addr().is_multiple_of(16));
                    // SAFETY: the block is that long.
                    unsafe { block.write_bytes(fill, bytes) };
                    alive.push((block, bytes, fill));
                    addresses.push(block.addr());
                }
            }
        }
        for (block, bytes, fill) in alive {
            assert!(holds((block, bytes, fill), bytes));
            // SAFETY: it came from here with this size.
            unsafe { arena.dealloc(block, layout(bytes)) };
        }
        addresses
    }

    #[test]
    fn the_same_life_leads_to_the_same_lower_halves_of_addresses() {
        for seed in 0..8 {
            let (one, other) = (Arena::new(), Arena::new());
            let (a, b) = (life(&one, seed, 3000), life(&other, seed, 3000));
            if one.is_ranged() {
                let halves = |all: &[usize]| all.iter().map(|at| at & 0xFFFF_FFFF).collect::<Vec<_>>();
                assert_eq!(halves(&a), halves(&b));
                assert_ne!(a[0], b[0], "each has a range of its own");
            }
        }
    }

    #[test]
    fn without_a_range_the_system_gives_blocks() {
        life(&Arena { pool: UnsafeCell::new(None) }, 1, 3000);
    }

    #[test]
    fn what_is_too_large_is_refused_and_the_rest_goes_on() {
        let arena = Arena::new();
        if arena.is_ranged() {
            assert!(arena.alloc(layout(1 << 40)).is_null());
            assert!(arena.alloc(layout(usize::MAX / 2 - 64)).is_null());
        }
        life(&arena, 2, 1000);
    }
}
