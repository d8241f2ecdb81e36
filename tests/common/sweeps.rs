//! How much of the long sweeps runs: all unit tests and test binaries ask here.

/// Whether the sweep of the running test is whole: more cases, every example room, every way an attack is made.
/// `CICERONE_SWEEPS` says so: `1` for every test; `3/8` for an eighth of the tests, those whose names have a hash
/// with the remainder 3; unset for none.
#[allow(dead_code, unreachable_pub, clippy::unwrap_used)] // not every binary has sweeps
pub fn sweeps() -> bool {
    let Ok(share) = std::env::var("CICERONE_SWEEPS") else { return false };
    let Some((chosen, of)) = share.split_once('/') else { return share == "1" };
    let (chosen, of): (u64, u64) = (chosen.parse().unwrap(), of.parse().unwrap());
    // The harness names each thread after its test. Whatever has no name is not left out.
    let thread = std::thread::current();
    thread.name().is_none_or(|name| fnv(name) % of == chosen)
}

/// FNV-1a, the same on every machine.
fn fnv(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}
