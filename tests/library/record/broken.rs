//! Files that are no recordings, or not whole ones.

use crate::common::{in_sweeps, thousand};
use crate::record::actions::{Dice, act};
use crate::record::{house, recorded};
use cicerone::record::{Recording, Replay};
use cicerone::world::World;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// Two runs of a few seconds with much going on: from the beginning, and from the middle.
static SAMPLES: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| {
    let (mut dice, mut done) = (Dice(3), BTreeSet::new());
    let mut world = World::new(house(), 1).unwrap();
    let mut record = |ticks| recorded(&mut world, ticks, |world| act(world, &mut dice, &mut done));
    [record(60), record(60)]
});

fn refusal(bytes: &[u8]) -> String {
    Recording::read(bytes).expect_err("this is no recording").to_string()
}

/// Reads and replays as far as it goes.
fn try_all(bytes: &[u8]) -> Option<u64> {
    let recording = Recording::read(bytes).ok()?;
    let mut replay = Replay::new(&recording).ok()?;
    while let Ok(Some(_)) = replay.step() {}
    Some(recording.last_tick())
}

#[test]
fn a_file_that_was_cut_off_ends_earlier() {
    for bytes in SAMPLES.iter() {
        let whole = Recording::read(bytes).unwrap();
        let (mut last, mut cuts) = (None, 0);
        for length in 0..bytes.len() {
            let Ok(recording) = Recording::read(&bytes[..length]) else {
                assert_eq!(last, None, "its beginning was there already at {length}");
                continue;
            };
            let tick = recording.last_tick();
            assert!(
                last.is_none_or(|last| tick == last || tick == last + 1),
                "{tick} after {last:?} of {length} bytes"
            );
            assert_eq!(recording.hash_at(tick), whole.hash_at(tick));
            assert!(recording.is_cut(), "also between two ticks: {length}");
            cuts += usize::from(Some(tick) == last);
            last = Some(tick);
        }
        assert_eq!(last, Some(whole.last_tick()), "the end alone is missing then");
        assert!(!whole.is_cut() && cuts > 500, "{cuts}");
        let longer = [bytes, &b"\x01"[..]].concat();
        assert_eq!(refusal(&longer), "there is something behind its end: the file is damaged");
    }
}

#[test]
fn what_is_no_recording_says_so() {
    assert_eq!(refusal(b""), "not a recording; `cicerone run ROOM --record FILE` makes one");
    assert_eq!(refusal(b"{}"), refusal(b""));
    assert_eq!(
        refusal(b"cicerone recording 1\n\0"),
        "a recording of version 1; this cicerone reads version 6: record it again"
    );
    assert!(refusal(b"cicerone recording \xff\xfe\n").contains("of version \u{fffd}\u{fffd};"));
    let first_line = b"cicerone recording 6\n";
    for length in 1..first_line.len() {
        assert_eq!(refusal(&first_line[..length]), "a recording that is cut off within its first line");
    }
    let no_ticks = "its beginning cannot be read: the file is cut off before the first tick, or damaged";
    for length in first_line.len()..200 {
        assert_eq!(refusal(&SAMPLES[0][..length]), no_ticks);
    }
    let absurd = [first_line.as_slice(), &[0xff; 9], &[1]].concat();
    assert_eq!(refusal(&absurd), no_ticks, "a text of 2^64 bytes");
    let no_text = [first_line.as_slice(), &[1, 0xff]].concat();
    assert_eq!(refusal(&no_text), "its beginning cannot be read: the file is damaged");
    let without_end = &SAMPLES[0][..SAMPLES[0].len() - 5];
    let garbage = [without_end, &[0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]].concat();
    assert_eq!(refusal(&garbage), "tick 61 cannot be read: the file is damaged there");
}

#[test]
fn a_beginning_that_makes_no_sense() {
    let whole = Recording::read(&SAMPLES[1]).unwrap();
    assert_eq!(whole.start.tick, 60);
    let try_start = |change: fn(&mut cicerone::record::Start)| {
        let mut recording = whole.clone();
        change(&mut recording.start);
        Replay::new(&recording).err().map(|error| error.to_string())
    };
    assert_eq!(try_start(|_| {}), None);
    let nonsense = Some("its beginning makes no sense".to_owned());
    assert_eq!(try_start(|start| start.tick = 61), nonsense);
    assert_eq!(try_start(|start| start.ticks_per_second = 30), nonsense);
    assert!(try_start(|start| start.state = Some("{}".into())).unwrap().contains("cannot be read"));
    let room = cicerone::record::RoomText::Json("{}".into());
    let mut no_room = whole.clone();
    no_room.start.room = room;
    assert!(Replay::new(&no_room).err().unwrap().to_string().starts_with("its room cannot be read: "));
    // What replaying does not look at is looked at when the bytes are read.
    let read_start = |change: fn(&mut cicerone::record::Start)| {
        let mut start = whole.start.clone();
        change(&mut start);
        let bytes = [b"cicerone recording 6\n".as_slice(), &postcard::to_allocvec(&start).unwrap()].concat();
        Recording::read(&bytes).err().map(|error| error.to_string())
    };
    assert_eq!(read_start(|_| {}), None);
    assert_eq!(read_start(|start| start.tick = u64::MAX), nonsense);
    assert_eq!(read_start(|start| start.sample_ticks = 5), nonsense);
    assert_eq!(read_start(|start| start.sample_ticks = 0), nonsense);
    assert_eq!(read_start(|start| start.ticks_per_second = 0), nonsense);
    assert_eq!(read_start(|start| start.ticks_per_second = u32::MAX), nonsense);
}

/// A damaged file is told apart from a world that goes elsewhere: it never reads as whole.
#[test]
fn a_single_flipped_bit_never_goes_unseen() {
    for whole in SAMPLES.iter() {
        let known = Recording::read(whole).unwrap();
        assert!(!known.is_cut());
        let step = in_sweeps(1, 7);
        for place in (0..whole.len() * 8).step_by(step) {
            let mut bytes = whole.clone();
            bytes[place / 8] ^= 1 << (place % 8);
            assert!(Recording::read(&bytes).map_or(true, |read| read.is_cut()), "bit {place}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: thousand().cases * 4, ..thousand() })]

    /// Whatever is in a file, it is read or refused at once.
    #[test]
    fn flipped_bytes_do_no_harm(
        sample in 0..2_usize, flips in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut bytes = SAMPLES[sample].clone();
        for (index, byte) in flips {
            *index.get_mut(&mut bytes) = byte;
        }
        let begun = Instant::now();
        try_all(&bytes);
        prop_assert!(begun.elapsed() < Duration::from_secs(5));
    }
}
