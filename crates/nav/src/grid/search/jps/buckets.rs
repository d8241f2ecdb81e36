//! A bucket queue as the open list. Buckets are narrow, and each bucket is a LIFO stack.
//!
//! The keys that a search pops hardly ever decrease, so finding the next bucket costs next to nothing. Entries within
//! a bucket are not sorted by key. A search that allows for this, by expanding again a jump point reached more cheaply
//! later, is as exact as with a heap.

/// The end of a list.
const NONE: u32 = u32::MAX;

/// The highest bucket. All keys beyond it share it.
const MOST: usize = 1 << 18;

#[derive(Debug, Clone, Default)]
pub(super) struct Buckets {
    heads: Vec<u32>,
    entries: Vec<Entry>,
    /// Entries free for reuse.
    free: Vec<u32>,
    /// The key at which the first bucket begins, and the width of the buckets as a power of two.
    base: u64,
    shift: u32,
    /// All buckets before this one are empty.
    first: usize,
    /// All buckets from this one on are empty.
    end: usize,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    key: u64,
    id: u32,
    next: u32,
}

impl Buckets {
    /// Empties the list, for keys from `base` on, in buckets of width `2^shift`.
    pub(super) fn begin(&mut self, base: u64, shift: u32) {
        self.heads[self.first.min(self.end)..self.end].fill(NONE);
        self.entries.clear();
        self.free.clear();
        (self.base, self.shift, self.first, self.end) = (base, shift, 0, 0);
    }

    #[inline]
    pub(super) fn push(&mut self, key: u64, id: u32) {
        let bucket = ((key.saturating_sub(self.base) >> self.shift) as usize).min(MOST);
        if bucket >= self.heads.len() {
            self.heads.resize(bucket + 64, NONE);
        }
        let entry = Entry { key, id, next: self.heads[bucket] };
        let index = match self.free.pop() {
            Some(index) => {
                self.entries[index as usize] = entry;
                index
            }
            None => {
                self.entries.push(entry);
                self.entries.len() as u32 - 1
            }
        };
        self.heads[bucket] = index;
        self.first = self.first.min(bucket);
        self.end = self.end.max(bucket + 1);
    }

    /// The next entry; `None` if no bucket that begins below `limit` holds one.
    #[inline]
    pub(super) fn pop(&mut self, limit: u64) -> Option<(u64, u32)> {
        while self.first < self.end {
            let head = self.heads[self.first];
            if head == NONE {
                self.first += 1;
                continue;
            }
            if self.first < MOST && self.base + ((self.first as u64) << self.shift) >= limit {
                return None;
            }
            let Entry { key, id, next } = self.entries[head as usize];
            self.heads[self.first] = next;
            self.free.push(head);
            return Some((key, id));
        }
        None
    }
}
