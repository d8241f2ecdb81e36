//! Counts what is allocated while somebody wants to know. While nobody does, it costs one load a call, so that the
//! other benchmarks measure what they would without it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering::Relaxed};

static WATCHED: AtomicBool = AtomicBool::new(false);
static LIVE_BYTES: AtomicI64 = AtomicI64::new(0);
static PEAK_BYTES: AtomicI64 = AtomicI64::new(0);
static CALLS: AtomicU64 = AtomicU64::new(0);

/// The system's allocator, with a counter.
pub struct Counting;

/// What some work took.
#[derive(Debug, Clone, Copy)]
pub struct Taken {
    /// The most that was held at one time beyond what was held before.
    pub peak_bytes: u64,
    /// What is still held beyond that.
    pub held_bytes: i64,
    /// How often memory was asked for, enlargements included.
    pub calls: u64,
}

/// Counts what `work` takes. For one thread: whatever another allocates meanwhile is counted, too.
pub fn watch<T>(work: impl FnOnce() -> T) -> (Taken, T) {
    LIVE_BYTES.store(0, Relaxed);
    PEAK_BYTES.store(0, Relaxed);
    CALLS.store(0, Relaxed);
    WATCHED.store(true, Relaxed);
    let result = work();
    WATCHED.store(false, Relaxed);
    let peak_bytes = PEAK_BYTES.load(Relaxed).max(0).unsigned_abs();
    (Taken { peak_bytes, held_bytes: LIVE_BYTES.load(Relaxed), calls: CALLS.load(Relaxed) }, result)
}

fn note(calls: u64, change_bytes: i64) {
    if WATCHED.load(Relaxed) {
        CALLS.fetch_add(calls, Relaxed);
        let live = LIVE_BYTES.fetch_add(change_bytes, Relaxed) + change_bytes;
        PEAK_BYTES.fetch_max(live, Relaxed);
    }
}

#[allow(unsafe_code)] // an allocator is unsafe by its signature; every call goes to the system's as it came
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        note(1, layout.size() as i64);
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        note(1, layout.size() as i64);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        note(0, -(layout.size() as i64));
        unsafe { System.dealloc(place, layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        note(1, new_size as i64 - layout.size() as i64);
        unsafe { System.realloc(place, layout, new_size) }
    }
}
