//! The example rooms as crowds: everybody gets where they want, on every run the same way.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]
#![cfg(feature = "script")]

use cicerone::runtime::{Options, Runtime};
use std::path::Path;

struct Outcome {
    arrived: u64,
    blocked: u64,
    hash: u64,
    events: std::collections::BTreeMap<&'static str, u64>,
}

/// Runs an example for some seconds of game time. At the end nobody may be stuck: whoever walks got on lately, or has said
/// so and tries again.
fn run(room: &str, seconds: u64) -> Outcome {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("rooms/{room}.json"));
    let mut runtime = Runtime::open(&file, Options::default()).unwrap();
    for _ in 0..seconds * 60 {
        runtime.step();
    }
    let patience = (runtime.world().room().crowd.stuck_blocked_after_s * 60.0) as u32;
    for character in runtime.world().characters() {
        let idle = character.walk.as_ref().map_or(0, |walk| walk.idle_ticks);
        assert!(idle <= patience, "{} is stuck at {}", character.name, character.position);
        assert!(runtime.world().ground().is_walkable(character.position), "{} is in a wall", character.name);
    }
    let tally = runtime.tally();
    assert_eq!(tally.script_errors, 0);
    let ended = |reason: &str| tally.walks.get(reason).copied().unwrap_or(0);
    let hash = runtime.world().checksum();
    Outcome { arrived: ended("arrived"), blocked: ended("blocked"), hash, events: tally.events.clone() }
}

#[test]
fn corridor_the_narrow_one_and_the_one_with_a_guard() {
    let (one, two) = (run("corridor", 300), run("corridor", 300));
    assert_eq!(one.hash, two.hash);
    assert!(one.arrived > 60 && one.blocked == 0, "{} arrived, {} blocked", one.arrived, one.blocked);
    assert!(one.events["talked"] > 5, "the guard is talked to: {:?}", one.events);
}

#[test]
fn doorway_twenty_people_both_ways() {
    let (one, two) = (run("doorway", 300), run("doorway", 300));
    assert_eq!(one.hash, two.hash);
    assert!(one.arrived > 200, "{} arrived", one.arrived);
    assert!(one.blocked * 20 < one.arrived, "{} of {} blocked", one.blocked, one.arrived + one.blocked);
}

#[test]
fn market_two_hundred_people_and_a_gate_at_noon() {
    let (one, two) = (run("market", 75), run("market", 75));
    assert_eq!(one.hash, two.hash);
    assert_eq!(one.events["area_changed"], 1, "noon is a minute after eleven");
    assert!(
        one.arrived > 600 && one.blocked * 100 < one.arrived,
        "{} arrived, {} blocked",
        one.arrived,
        one.blocked
    );
}
