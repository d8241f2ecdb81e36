//! Plain text search.

use super::meter::{Halt, LOOKS_PER_UNIT, Meter};
use super::stop::Stop;

/// Bytes searched or compared at once, for one unit of fuel.
const BLOCK: usize = 64;

/// Bytes per look when a byte is located in a block, which takes longer than testing for it.
const BYTES_PER_LOOK: u64 = 8;

/// Whether a pattern has no special characters, so that a plain search suffices.
pub(in crate::script) fn is_plain(pattern: &[u8]) -> bool {
    !pattern
        .iter()
        .any(|byte| matches!(byte, b'^' | b'$' | b'*' | b'+' | b'?' | b'.' | b'(' | b'[' | b'%' | b'-'))
}

/// The first place of `needle` in `haystack` from `from` on.
pub(in crate::script) fn find_plain(
    haystack: &[u8],
    needle: &[u8],
    from: usize,
    fuel: &mut u64,
) -> Result<Option<usize>, Stop> {
    let mut meter = Meter::new(*fuel);
    let found = search(haystack, needle, from, &mut meter).map_err(|Halt| meter.stop());
    *fuel = meter.fuel_left();
    found
}

fn search(haystack: &[u8], needle: &[u8], from: usize, meter: &mut Meter) -> Result<Option<usize>, Halt> {
    let Some((first, others)) = needle.split_first() else {
        return Ok((from <= haystack.len()).then_some(from));
    };
    // Later start positions leave no room for the rest of the needle.
    let starts = &haystack[..haystack.len().saturating_sub(others.len())];
    let mut at = from;
    while let Some(ahead) = starts.get(at..).filter(|ahead| !ahead.is_empty()) {
        meter.spend(LOOKS_PER_UNIT)?;
        let block = &ahead[..ahead.len().min(BLOCK)];
        if !block.contains(first) {
            at += block.len();
            continue;
        }
        let ahead = block.iter().position(|byte| byte == first).unwrap_or(0);
        meter.spend(ahead as u64 / BYTES_PER_LOOK)?;
        at += ahead;
        if same(&haystack[at + 1..at + needle.len()], others, meter)? {
            return Ok(Some(at));
        }
        at += 1;
    }
    Ok(None)
}

/// Whether two texts of equal length are equal. Charges for the bytes compared.
pub(super) fn same(one: &[u8], other: &[u8], meter: &mut Meter) -> Result<bool, Halt> {
    for (one, other) in one.chunks(BLOCK).zip(other.chunks(BLOCK)) {
        meter.spend(LOOKS_PER_UNIT)?;
        if one != other {
            return Ok(false);
        }
    }
    Ok(true)
}
