//! The example rooms as crowds: everybody gets where they want, on every run the same way.

use cicerone::runtime::{Options, Runtime};
use cicerone::world::{Character, Purpose};
use std::collections::BTreeMap;
use std::path::Path;

struct Outcome {
    arrived: u64,
    blocked: u64,
    hash: u64,
    events: BTreeMap<&'static str, u64>,
}

/// Runs an example for five minutes of game time. At the end no character may be stuck: one that is on the same
/// walk as forty seconds before has moved since. One that makes way, or waits behind one that does, may stand for
/// twenty.
fn run(room: &str) -> Outcome {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("rooms/{room}.json"));
    let mut runtime = Runtime::open(&file, Options::default()).unwrap();
    let walks = |runtime: &Runtime| -> BTreeMap<_, _> {
        let world = runtime.world();
        let on_errand = |c: &&Character| c.walk.as_ref().is_some_and(|walk| walk.purpose == Purpose::Errand);
        let walks = world.characters().iter().filter(on_errand);
        walks.filter_map(|c| Some((c.walk.as_ref()?.id, (c.name.clone(), c.position)))).collect()
    };
    let mut before = BTreeMap::new();
    for tick in 0..300 * 60 {
        if tick == 260 * 60 {
            before = walks(&runtime);
        }
        runtime.step();
    }
    for (walk, (name, at)) in walks(&runtime) {
        let moved_m = before.get(&walk).map_or(f64::INFINITY, |(_, then)| then.distance(at));
        assert!(moved_m > 0.1, "{name} is stuck at {at}");
        assert!(runtime.world().ground().is_walkable(at), "{name} is in a wall");
    }
    let tally = runtime.tally();
    assert_eq!(tally.script_errors, 0);
    let ended = |reason: &str| tally.walks.get(reason).copied().unwrap_or(0);
    let mean_s = tally.mean_ticks_to_arrive().unwrap_or(f64::INFINITY) / 60.0;
    assert!(mean_s < 25.0, "{mean_s} s to arrive on average");
    let hash = runtime.world().checksum();
    Outcome { arrived: ended("arrived"), blocked: ended("blocked"), hash, events: tally.events.clone() }
}

#[test]
fn corridor_the_narrow_one_and_the_one_with_a_guard() {
    let (one, two) = (run("corridor"), run("corridor"));
    assert_eq!(one.hash, two.hash);
    assert!(one.arrived > 50 && one.blocked == 0, "{} arrived, {} blocked", one.arrived, one.blocked);
    assert!(one.events["talked"] > 5, "the guard is talked to: {:?}", one.events);
}

#[test]
fn doorway_twenty_people_both_ways() {
    let (one, two) = (run("doorway"), run("doorway"));
    assert_eq!(one.hash, two.hash);
    assert!(one.arrived > 200, "{} arrived", one.arrived);
    assert!(one.blocked * 50 < one.arrived, "{} of {} blocked", one.blocked, one.arrived + one.blocked);
}

#[test]
fn mill_sixteen_villagers_and_a_drawbridge() {
    let (one, two) = (run("mill"), run("mill"));
    assert_eq!(one.hash, two.hash);
    assert!(one.events["area_changed"] >= 12, "boats go through: {:?}", one.events);
    assert!(
        one.arrived > 300 && one.blocked * 50 < one.arrived,
        "{} arrived, {} blocked",
        one.arrived,
        one.blocked
    );
}

#[test]
fn market_two_hundred_people_and_a_gate_at_noon() {
    if !crate::common::sweeps() {
        return eprintln!("skipped: two times five minutes of the market are a sweep (CICERONE_SWEEPS)");
    }
    let (one, two) = (run("market"), run("market"));
    assert_eq!(one.hash, two.hash);
    assert_eq!(one.events["area_changed"], 4, "noon is a minute after eleven, and then every minute");
    assert!(one.events["evicted"] > 0, "the gate closes on somebody");
    assert!(
        one.arrived > 2500 && one.blocked * 100 < one.arrived,
        "{} arrived, {} blocked",
        one.arrived,
        one.blocked
    );
}
