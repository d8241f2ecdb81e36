//! What differs is found: in the tick, in the character, by how much.

use crate::record::{house, recorded};
use cicerone::nav::Position;
use cicerone::record::{Difference, Recording, Replay, RoomText, first_divergence};
use cicerone::room::{Obstacle, Room};
use cicerone::world::{CharacterId, Command, World};
use glam::DVec2;

/// Everybody changes places with somebody at tick 20, and Cleo draws a number at 40.
fn act(world: &mut World) {
    match world.tick_number() {
        20 => {
            for (index, point) in [(0, "B"), (1, "A"), (2, "A")] {
                let command = Command::SetTarget { who: CharacterId(index), to: world.point(point).unwrap() };
                world.apply(command).unwrap();
            }
        }
        40 => drop(world.random(Some(CharacterId(2)))),
        70 => drop(world.apply(Command::SetAreaAvailable { area: "door".into(), available: false })),
        _ => {}
    }
}

/// A run of the house with another beginning, as hashes and as places of everybody.
fn run(room: Room, seed: u64, ticks: u64) -> (Vec<u64>, Vec<Vec<Position>>) {
    let mut world = World::new(room, seed).unwrap();
    let mut step = || {
        act(&mut world);
        world.tick();
        (world.checksum(), world.characters().iter().map(|character| character.position).collect())
    };
    (0..ticks).map(|_| step()).unzip()
}

fn replay(recording: &Recording) -> (Replay<'_>, Option<Difference>) {
    let mut replay = Replay::new(recording).unwrap();
    let mut first = None;
    while let Some(outcome) = replay.step().unwrap() {
        assert!(first.is_none() || outcome.is_err(), "whoever differed once differs from then on");
        first = first.or(outcome.err());
    }
    (replay, first)
}

fn base() -> Vec<u8> {
    recorded(&mut World::new(house(), 1).unwrap(), 200, act)
}

/// The recording as if it had been made in another room, and that room.
fn edited(edit: impl FnOnce(&mut Room)) -> (Recording, Room) {
    let mut recording = Recording::read(&base()).unwrap();
    let mut room = house();
    edit(&mut room);
    recording.start.room = RoomText::Json(room.to_json().unwrap().to_string());
    (recording, room)
}

/// A replay of a changed room differs in the tick and by the distance that two runs side by side differ.
fn check(recording: &Recording, room: Room, seed: u64) -> (Difference, cicerone::record::Divergence) {
    let (then, now) = (run(house(), 1, 200), run(room, seed, 200));
    let at = (0..200).find(|&i| then.0[i] != now.0[i]).expect("no difference");
    let (replay, found) = replay(recording);
    let found = found.unwrap();
    assert_eq!((found.tick, found.recorded, found.seen), (at as u64 + 1, then.0[at], now.0[at]));
    let divergence =
        first_divergence(recording.tracks(), replay.tracks(), recording.last_tick(), 0.0015).unwrap();
    let apart = |i: usize| {
        let apart_m = then.1[i].iter().zip(&now.1[i]).enumerate();
        let apart_m = apart_m.map(|(who, (one, two))| (one.distance(*two), who));
        apart_m.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1))).unwrap()
    };
    let sampled = |i: &usize| i.is_multiple_of(6) && apart(*i).0 > 0.0015;
    let first = (0..200).find(sampled).expect("nobody diverges");
    assert_eq!((divergence.tick, divergence.who.0 as usize), (first as u64 + 1, apart(first).1));
    assert_eq!(divergence.name, replay.world().character(divergence.who).unwrap().name);
    let who = apart(first).1;
    let apart_m = divergence.before.unwrap().distance(divergence.now.unwrap());
    assert!((apart_m - apart(first).0).abs() < 0.002, "{apart_m} m");
    let ways = || (0..200).step_by(6).map(|i| then.1[i][who].distance(now.1[i][who]));
    assert!((divergence.farthest_m - ways().fold(0.0, f64::max)).abs() < 0.002, "{}", divergence.farthest_m);
    (found, divergence)
}

#[test]
fn the_base_replays() {
    assert_eq!(replay(&Recording::read(&base()).unwrap()).1, None);
}

#[test]
fn a_wall_that_moved() {
    let polygon = [(2.1, 0.1), (2.9, 0.1), (2.9, 0.9), (2.1, 0.9)].map(DVec2::from).to_vec();
    let (recording, room) =
        edited(|room| room.obstacles.push(Obstacle { name: "pillar".into(), polygon, see_through: false }));
    let (_, divergence) = check(&recording, room, 1);
    assert!(divergence.farthest_m > 0.1, "{divergence:?}");
}

#[test]
fn a_walking_speed() {
    let (recording, room) = edited(|room| room.characters[1].walk_speed_mps = 1.5);
    let (found, divergence) = check(&recording, room, 1);
    assert_eq!(
        (found.tick, divergence.name.as_str()),
        (1, "bob"),
        "it is in the hash at once, and seen when he walks"
    );
    assert!(divergence.tick > 20);
}

#[test]
fn another_seed() {
    let mut recording = Recording::read(&base()).unwrap();
    recording.start.seed = 2;
    let (replay, found) = replay(&recording);
    assert_eq!(found.unwrap().tick, 1);
    assert_eq!(
        first_divergence(recording.tracks(), replay.tracks(), 200, 0.0015),
        None,
        "nobody walks by chance"
    );
}

#[test]
fn a_hash_that_was_altered() {
    let bytes = base();
    let recording = Recording::read(&bytes).unwrap();
    for tick in [1, 77, 200] {
        let hash = recording.hash_at(tick).unwrap().to_le_bytes();
        let mut bytes = bytes.clone();
        let at = bytes.windows(8).position(|window| window == hash).unwrap();
        bytes[at + 3] ^= 1;
        assert!(Recording::read(&bytes).unwrap_err().to_string().contains("checksum"));
        let altered = Recording::read(&crate::record::sealed(bytes)).unwrap();
        let mut replay = Replay::new(&altered).unwrap();
        let mut differ = Vec::new();
        while let Some(outcome) = replay.step().unwrap() {
            differ.extend(outcome.err());
        }
        assert_eq!(differ.len(), 1);
        assert_eq!((differ[0].tick, differ[0].recorded), (tick, altered.hash_at(tick).unwrap()));
    }
}

#[test]
fn a_command_that_is_refused_now() {
    let (recording, _) = edited(|room| room.areas.last_mut().unwrap().name = "gate".into());
    let (_, found) = replay(&recording);
    assert_eq!(found.unwrap().tick, 1, "areas are in the hash by name");
    let mut replay = Replay::new(&recording).unwrap();
    let outcomes = std::iter::from_fn(|| replay.step().unwrap());
    let refused: Vec<Difference> =
        outcomes.filter_map(Result::err).filter(|why| !why.refused.is_empty()).collect();
    assert_eq!(refused.len(), 1);
    assert_eq!(refused[0].tick, 71);
    assert!(refused[0].refused[0].contains("door"), "{:?}", refused[0].refused);
    assert!(refused[0].to_string().starts_with("tick 71: hash "), "{}", refused[0]);
}

#[test]
fn somebody_who_is_not_there_any_more() {
    let (recording, _) = edited(|room| room.characters[3].name = "don".into());
    let (replay, _) = replay(&recording);
    let divergence = first_divergence(recording.tracks(), replay.tracks(), 200, 0.0015).unwrap();
    assert_eq!((divergence.tick, divergence.others), (1, 1), "the one who is missing and the one who is new");
    assert!(divergence.before.is_none() != divergence.now.is_none());
    assert_eq!(divergence.farthest_m, 0.0);
}
