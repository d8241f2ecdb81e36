//! Recording and replay, saving and restoring: what was recorded happens again to the bit, also through a save before
//! every tick; what differs is found where it differs; what is no recording does no harm.

mod actions;
mod broken;
#[cfg(feature = "cli")]
mod command_line;
mod differences;
mod edges;
mod examples;
mod random;
mod searches;
mod state;

use crate::common::{character, picture};
use cicerone::record::{Buffer, Recorder, Recording, Replay};
use cicerone::room::Room;
use cicerone::world::World;

/// Two rooms with a door between them, a narrow way round with a niche, and four people.
pub(crate) fn house() -> Room {
    let mut room = picture(
        "A . . . # . . . B
         . . . . / . . . .
         . . . . # . . . .
         # . # # # # # . #
         # . . . . . . . #
         # # # # C # # # #",
    );
    for (name, place) in [("ann", "A"), ("bob", "B"), ("cleo", "C")] {
        room.characters.push(character(name, room.points[place].at));
    }
    room.characters.push(character("dan", room.points["A"].at + 1.0));
    room
}

/// A whole recording that was altered, with a checksum that fits again.
pub(crate) fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - 4;
    let check = crc32fast::hash(&bytes[..end - 1]).to_le_bytes();
    bytes[end..].copy_from_slice(&check);
    bytes
}

/// Runs a world on for some ticks, with something done before each, and gives the recording.
pub(crate) fn recorded(world: &mut World, ticks: u64, mut act: impl FnMut(&mut World)) -> Vec<u8> {
    let buffer = Buffer::default();
    let mut recorder = Recorder::new(buffer.clone(), world, "rooms/test.json").unwrap();
    for _ in 0..ticks {
        act(world);
        world.tick();
        world.take_events();
        recorder.tick(world).unwrap();
    }
    recorder.finish().unwrap();
    buffer.bytes()
}

/// Reads a recording and runs it again: as it is, and through a save before every tick.
pub(crate) fn same(bytes: &[u8]) -> Recording {
    let recording = Recording::read(bytes).unwrap();
    assert!(!recording.is_cut());
    for through_saves in [false, true] {
        let mut replay = Replay::new(&recording).unwrap();
        loop {
            if through_saves {
                replay.save_and_restore().unwrap();
            }
            match replay.step().unwrap() {
                None => break,
                Some(outcome) => {
                    outcome.unwrap_or_else(|why| panic!("through saves: {through_saves}: {why}"))
                }
            }
        }
        assert_eq!(replay.tracks(), recording.tracks(), "what is decoded is what is noted");
        assert_eq!(Some(replay.world().checksum()), recording.hash_at(recording.last_tick()));
    }
    recording
}
