//! An open list that sorts only as well as it must: entries lie in narrow buckets, the last one in comes out first.
//!
//! Keys a search pops hardly ever go down, so finding the next bucket costs next to nothing. Within a bucket the order is not that of
//! the keys; a search that allows for it (and expands again what it reaches more cheaply) is as exact as with a heap.

/// A list's end.
const NONE: u32 = u32::MAX;

/// More buckets than this are not made; what lies beyond shares the last one.
const MOST: usize = 1 << 18;

#[derive(Debug, Clone, Default)]
pub(super) struct Buckets {
    heads: Vec<u32>,
    entries: Vec<Entry>,
    /// Entries that are free again.
    free: Vec<u32>,
    /// The key at which the first bucket begins, and how wide they are, as a power of two.
    base: u64,
    shift: u32,
    /// No bucket before this one holds anything.
    first: usize,
    /// Nor any from this one on.
    end: usize,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    key: u64,
    id: u32,
    next: u32,
}

impl Buckets {
    /// Empties it for keys from `base` on, in buckets of `2^shift`.
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

    /// The next entry, if there is one in a bucket that begins below `limit`.
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
