//! Recordings: as they are, and with a checksum that fits.

use super::{check_words, life};
use cicerone::record::{Recording, Replay, first_command_difference, first_divergence, room_differences};

/// So many ticks are run again.
const TICKS: usize = 40;

pub fn run(data: &[u8]) -> bool {
    let whole = read(data).is_some_and(|recording| !recording.is_cut());
    if whole {
        damaged(data);
    }
    let sealed = sealed(data);
    if sealed != data {
        read(&sealed);
    }
    whole
}

/// Reads a recording and runs it again.
fn read(data: &[u8]) -> Option<Recording> {
    let recording = match (Recording::read(data), Recording::read(data)) {
        (Ok(recording), Ok(again)) => {
            // A number that is none equals nothing, so what can be seen is compared.
            assert_eq!(format!("{recording:?}"), format!("{again:?}"), "read in two ways");
            recording
        }
        (Err(error), Err(again)) => {
            assert_eq!(error, again, "refused in two ways");
            check_words(&error.to_string());
            return None;
        }
        _ => panic!("refused once, and once not"),
    };
    for tick in [recording.start.tick, recording.last_tick(), recording.last_tick() + 1] {
        let is_in = tick > recording.start.tick && tick <= recording.last_tick();
        assert_eq!(recording.hash_at(tick).is_some(), is_in);
    }
    assert!(recording.reloads().count() <= data.len() && recording.commands() <= data.len());
    let other_deeds = first_command_difference(&recording, &recording, recording.last_tick());
    assert!(other_deeds.is_none() || recording != recording.clone(), "{other_deeds:?}");
    match recording.start.room.room("room") {
        Ok(room) if life::is_small(&room) => {
            assert!(room_differences(&recording, &recording).is_empty());
            let (first, second) = (replay(&recording), replay(&recording));
            assert_eq!(first, second, "run again in two ways");
        }
        Ok(_) => {}
        Err(error) => check_words(&error.to_string()),
    }
    Some(recording)
}

/// The hashes of a replay, and the words it ended with.
fn replay(recording: &Recording) -> (Vec<u64>, String) {
    let mut hashes = Vec::new();
    let mut replay = match Replay::new(recording) {
        Ok(replay) => replay,
        Err(error) => {
            check_words(&error.to_string());
            return (hashes, error.to_string());
        }
    };
    for tick in 0..TICKS {
        match replay.step() {
            Ok(Some(Ok(()))) => {}
            Ok(Some(Err(difference))) => check_words(&difference.to_string()),
            Ok(None) => break,
            Err(error) => {
                check_words(&error.to_string());
                return (hashes, error.to_string());
            }
        }
        hashes.push(replay.world().checksum());
        if tick % 16 == 7 {
            replay
                .save_and_restore()
                .unwrap_or_else(|error| panic!("a world that ran does not come back: {error}"));
            assert_eq!(hashes.last(), Some(&replay.world().checksum()), "what is saved is another world");
        }
    }
    let divergence = first_divergence(recording.tracks(), replay.tracks(), recording.last_tick(), 0.1);
    (hashes, format!("{:?}", divergence.is_some()))
}

/// A whole recording with a bit that is another one never reads as whole, and its beginning never tells another story.
fn damaged(data: &[u8]) {
    let place = crc32fast::hash(data) as usize % (data.len() * 8);
    let mut bytes = data.to_vec();
    bytes[place / 8] ^= 1 << (place % 8);
    assert!(Recording::read(&bytes).map_or(true, |read| read.is_cut()), "bit {place} went unseen");
    let whole = Recording::read(data).expect("it was read just now");
    if let Ok(part) = Recording::read(&data[..place / 8]) {
        assert!(part.is_cut() && part.last_tick() <= whole.last_tick());
        assert_eq!(part.hash_at(part.last_tick()), whole.hash_at(part.last_tick()));
    }
}

/// The same with a checksum at the end that fits, so that what is before it is looked at.
fn sealed(data: &[u8]) -> Vec<u8> {
    let mut bytes = data.to_vec();
    // The end is a tag of one byte and four bytes of checksum.
    if let Some(end) = bytes.len().checked_sub(4).filter(|&end| end > 0) {
        let check = crc32fast::hash(&bytes[..end - 1]).to_le_bytes();
        bytes[end..].copy_from_slice(&check);
    }
    bytes
}
