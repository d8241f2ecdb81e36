//! Rows of bits, 64 per word, the first one lowest.

use std::ops::Range;

/// Applies `change(word, mask)` to every word that the cells of `span` touch.
pub fn for_words(row: &mut [u64], span: Range<u32>, mut change: impl FnMut(&mut u64, u64)) {
    if span.is_empty() {
        return;
    }
    let (first, last) = (span.start / 64, (span.end - 1) / 64);
    for word in first..=last {
        let from = if word == first { span.start % 64 } else { 0 };
        let to = if word == last { (span.end - 1) % 64 } else { 63 };
        let mask = (u64::MAX << from) & (u64::MAX >> (63 - to));
        change(&mut row[word as usize], mask);
    }
}
