//! Writing a recording while the world runs.

use super::format::{Entry, Frame, Piece, RoomText, SIGNATURE, Start, check_of};
use super::tracks::{TrackCoder, is_due, ticks_between};
use crate::room::Room;
use crate::world::{Command, LogEntry, World};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// A buffer to record into. Clones share it, so that one can be read while another is written to.
#[derive(Debug, Clone, Default)]
pub struct Buffer(Arc<Mutex<Vec<u8>>>);

/// Records a run. Call [`Recorder::tick`] after every tick.
pub struct Recorder<W: Write> {
    out: W,
    /// The checksum of everything written.
    check: crc32fast::Hasher,
    first_tick: u64,
    sample_ticks: u64,
    coder: TrackCoder,
    reloaded: Vec<(String, String)>,
}

impl Buffer {
    /// The bytes written so far.
    pub fn bytes(&self) -> Vec<u8> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The bytes so far as a complete recording, during the run.
    pub fn ended_here(&self) -> Vec<u8> {
        let bytes = self.bytes();
        let end = postcard::to_allocvec(&Piece::End(check_of(&bytes))).unwrap_or_default();
        [bytes, end].concat()
    }
}

impl Write for Buffer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<W: Write> Recorder<W> {
    /// Starts to record a world: from its beginning, or in the middle of a run with all its state. `room_file` is for
    /// information only.
    ///
    /// # Errors
    /// If it cannot be written; [`io::ErrorKind::Unsupported`] if the room cannot be written as text, as may be the
    /// case for one built in code.
    pub fn new(out: W, world: &mut World, room_file: &str) -> io::Result<Self> {
        let room = room_text(world.room())?;
        let (tick, ticks_per_second) = (world.tick_number(), world.room().ticks_per_second);
        let state = (!is_untouched(world)).then(|| serde_json::to_string(&world.state())).transpose()?;
        let start = Start {
            made_by: env!("CARGO_PKG_VERSION").to_owned(),
            room_file: room_file.to_owned(),
            room,
            seed: world.seed(),
            ticks_per_second,
            tick,
            state,
            sample_ticks: ticks_between(ticks_per_second),
        };
        let mut recorder = Self {
            out,
            check: crc32fast::Hasher::new(),
            first_tick: tick + 1,
            sample_ticks: start.sample_ticks,
            coder: TrackCoder::default(),
            reloaded: Vec::new(),
        };
        recorder.put(SIGNATURE)?;
        recorder.write(&start)?;
        world.keep_command_log(true);
        world.take_command_log(); // earlier commands are part of the state
        Ok(recorder)
    }

    /// Records that a file was reloaded since the last tick, with its new content.
    pub fn reloaded(&mut self, file: &str, text: &str) {
        self.reloaded.push((file.to_owned(), text.to_owned()));
    }

    /// Records the last tick, and the entries before it. Flushes once a second of game time, so that little is
    /// missing if the program dies.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn tick(&mut self, world: &mut World) -> io::Result<()> {
        let reloaded = self.reloaded.drain(..).map(|(file, text)| Entry::Reloaded(file, text));
        let mut entries: Vec<Entry> = reloaded.collect();
        for entry in world.take_command_log() {
            match (entry, entries.last_mut()) {
                (LogEntry::Drew(who), Some(Entry::Drew(same, times)))
                    if *same == who && *times < u32::MAX =>
                {
                    *times += 1;
                }
                (LogEntry::Drew(who), _) => entries.push(Entry::Drew(who, 1)),
                (LogEntry::Did(Command::ReplaceRoom(room)), _) => {
                    entries.push(Entry::Replaced(room_text(&room)?))
                }
                (LogEntry::Did(command), _) => entries.push(Entry::Did(command)),
            }
        }
        let due = is_due(world.tick_number(), self.first_tick, self.sample_ticks);
        let sample = due.then(|| self.coder.encode(world));
        self.write(&Piece::Tick(Frame { entries, hash: world.checksum().to_le_bytes(), sample }))?;
        let second = u64::from(world.room().ticks_per_second);
        if world.tick_number().is_multiple_of(second) { self.out.flush() } else { Ok(()) }
    }

    /// Writes the end and flushes. A recording without its end reads as one that was cut off.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        let check = self.check.clone().finalize().to_le_bytes();
        self.write(&Piece::End(check))?;
        self.out.flush()
    }

    fn write(&mut self, value: &impl serde::Serialize) -> io::Result<()> {
        let bytes = postcard::to_allocvec(value).map_err(io::Error::other)?;
        self.put(&bytes)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.check.update(bytes);
        self.out.write_all(bytes)
    }
}

/// Whether a world is unchanged since it was made. Before the first tick, a script may draw a random number or a host
/// add a character.
fn is_untouched(world: &World) -> bool {
    let new = || World::of_checked(world.room().clone(), world.seed());
    world.tick_number() == 0 && new().is_ok_and(|new| new.checksum() == world.checksum())
}

fn room_text(room: &Room) -> io::Result<RoomText> {
    RoomText::of(room).ok_or_else(|| {
        io::Error::new(io::ErrorKind::Unsupported, "the room cannot be recorded: it has no form as a file")
    })
}
