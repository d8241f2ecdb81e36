//! Seeded random numbers: SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014).

/// From one state of a stream to the next: 2⁶⁴ divided by the golden ratio.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// The start of the stream that belongs to `name` in a world with this seed. The name decides, not the order of
/// appearance, so one more character does not change the numbers of others.
pub fn stream(seed: u64, name: &str) -> u64 {
    // FNV-1a over the name, then mixed with the seed.
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    mix(hash ^ mix(seed))
}

/// The next number of a stream, uniform in [0, 1) with 53 random bits.
pub fn next_random(state: &mut u64) -> f64 {
    *state = state.wrapping_add(STEP);
    (mix(*state) >> 11) as f64 / (1u64 << 53) as f64
}

/// Skips any count of numbers in one step: the states of a stream are evenly spaced.
pub(super) fn skip_random(state: &mut u64, times: u32) {
    *state = state.wrapping_add(STEP.wrapping_mul(u64::from(times)));
}

/// SplitMix64's finaliser: every input bit flips every output bit with probability one half.
pub(super) fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
