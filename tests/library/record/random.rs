//! Any room, anything done in it.

use crate::common::{any_point, any_room, character, in_sweeps, thousand};
use crate::record::actions::{Dice, KINDS, act};
use crate::record::{house, recorded, same};
use cicerone::room::parse;
use cicerone::world::{World, WorldState};
use proptest::prelude::*;
use std::collections::BTreeSet;

#[test]
fn all_that_can_be_done_is_recorded() {
    let (mut dice, mut done) = (Dice(6), BTreeSet::new());
    let mut world = World::new(house(), 1).unwrap();
    let bytes = recorded(&mut world, 3000, |world| act(world, &mut dice, &mut done));
    let recording = same(&bytes);
    assert!(recording.commands() > 500, "{}", recording.commands());
    let missing: Vec<_> = KINDS.iter().filter(|kind| !done.contains(**kind)).collect();
    assert!(missing.is_empty(), "never done: {missing:?}");
}

/// Whether a room reads the same from its own text: one with crossing edges, made in code, does not.
fn is_readable(room: &cicerone::room::Room) -> bool {
    let text = room.to_json().unwrap().to_string();
    parse("test.json", text.as_bytes()).is_ok()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: thousand().cases.min(in_sweeps(400, 100)), ..thousand() })]

    #[test]
    fn a_run_its_replay_and_its_replay_through_saves_are_the_same(
        room in any_room(), starts in prop::collection::vec(any_point(), 1..8), dice in any::<u64>(), before in 0..40_u64,
    ) {
        let mut room = room;
        room.characters = starts.iter().enumerate().map(|(i, at)| character(&format!("c{i}"), *at)).collect();
        prop_assume!(is_readable(&room));
        let (mut dice, mut done) = (Dice(dice), BTreeSet::new());
        let mut world = World::new(room, 1).unwrap();
        for _ in 0..before {
            act(&mut world, &mut dice, &mut done);
            world.tick();
        }
        let bytes = recorded(&mut world, 120, |world| act(world, &mut dice, &mut done));
        same(&bytes);
    }

    /// Events and answers, too, and what is saved says the same when it is saved again.
    #[test]
    fn a_twin_that_is_saved_before_every_tick_lives_the_same_life(
        room in any_room(), starts in prop::collection::vec(any_point(), 1..8), dice in any::<u64>(),
    ) {
        let mut room = room;
        room.characters = starts.iter().enumerate().map(|(i, at)| character(&format!("c{i}"), *at)).collect();
        let (mut one, mut two) = (Dice(dice), Dice(dice));
        let mut world = World::new(room, 1).unwrap();
        let mut twin = world.clone();
        for tick in 0..120 {
            act(&mut world, &mut one, &mut BTreeSet::new());
            act(&mut twin, &mut two, &mut BTreeSet::new());
            let text = serde_json::to_string(&twin.state()).unwrap();
            let state: WorldState = serde_json::from_str(&text).unwrap();
            twin = World::restore(twin.room().clone(), &state).unwrap_or_else(|error| panic!("tick {tick}: {error}"));
            prop_assert_eq!(serde_json::to_string(&twin.state()).unwrap(), text);
            world.tick();
            twin.tick();
            prop_assert_eq!(world.checksum(), twin.checksum(), "tick {}", tick);
            prop_assert!(world.state() == twin.state(), "tick {}", tick);
            if tick % 3 == 0 {
                prop_assert_eq!(world.take_events(), twin.take_events());
            }
        }
    }
}
