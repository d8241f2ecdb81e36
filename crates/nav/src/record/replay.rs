//! Replays a recording.

use super::format::{Entry, ReadError, Recording};
use super::tracks::Tracks;
use crate::room::Room;
use crate::world::{Command, World, WorldState};
use std::fmt;

/// The replay of a recorded run: the same start, the same commands at the same ticks, nothing else.
pub struct Replay<'a> {
    recording: &'a Recording,
    world: World,
    next_frame: usize,
    tracks: Tracks,
}

/// The first difference between a replay and its recording.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Difference {
    /// The first tick after which the world differs.
    pub tick: u64,
    /// The checksum that was recorded.
    pub recorded: u64,
    /// The checksum now.
    pub seen: u64,
    /// Commands that were accepted in the recording and are refused now.
    pub refused: Vec<String>,
}

impl<'a> Replay<'a> {
    /// The world at the start of the recording.
    ///
    /// # Errors
    /// [`ReadError`] if its room or state cannot be restored.
    pub fn new(recording: &'a Recording) -> Result<Self, ReadError> {
        let tracks = Tracks::new(recording.start.ticks_per_second);
        Ok(Self { recording, world: recording.first_world()?, next_frame: 0, tracks })
    }

    /// Runs one tick; `None` at the end. A tick that differs returns the difference, and so do all later ones.
    ///
    /// # Errors
    /// [`ReadError`] if a room in it cannot be read.
    pub fn step(&mut self) -> Result<Option<Result<(), Difference>>, ReadError> {
        let Some(frame) = self.recording.frames.get(self.next_frame) else { return Ok(None) };
        let refused = self.recording.repeat(self.next_frame, &mut self.world)?;
        self.next_frame += 1;
        self.world.tick();
        self.world.take_events();
        self.tracks.note(&self.world, self.recording.start.tick + 1);
        let (recorded, seen) = (u64::from_le_bytes(frame.hash), self.world.checksum());
        if recorded == seen && refused.is_empty() {
            return Ok(Some(Ok(())));
        }
        Ok(Some(Err(Difference { tick: self.world.tick_number(), recorded, seen, refused })))
    }

    /// Saves the world to text and restores it from that: anything not saved is lost.
    ///
    /// # Errors
    /// [`ReadError`] if it cannot be restored.
    pub fn save_and_restore(&mut self) -> Result<(), ReadError> {
        let text = serde_json::to_string(&self.world.state())
            .map_err(|error| ReadError::Damaged(error.to_string()))?;
        self.world = restored(self.world.room().clone(), &text)?;
        Ok(())
    }

    /// The world as it is now.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The tracks of all characters in this replay.
    pub fn tracks(&self) -> &Tracks {
        &self.tracks
    }
}

impl Recording {
    /// The world at the start.
    ///
    /// # Errors
    /// [`ReadError`] if its room or state cannot be restored.
    pub fn first_world(&self) -> Result<World, ReadError> {
        let start = &self.start;
        let room = start.room.room("room")?;
        if room.ticks_per_second != start.ticks_per_second {
            return Err(ReadError::Damaged("its beginning makes no sense".into()));
        }
        let world = match &start.state {
            None => {
                World::of_checked(room, start.seed).map_err(|error| ReadError::Damaged(error.to_string()))?
            }
            Some(state) => restored(room, state)?,
        };
        if world.tick_number() != start.tick {
            return Err(ReadError::Damaged("its beginning makes no sense".into()));
        }
        Ok(world)
    }

    /// Gives the commands again that came before a tick, counted from the start; those that are refused now, in words.
    /// Beyond the end there are none.
    ///
    /// # Errors
    /// [`ReadError`] if a room among them cannot be read.
    pub fn repeat(&self, tick: usize, world: &mut World) -> Result<Vec<String>, ReadError> {
        let mut refused = Vec::new();
        for entry in self.frames.get(tick).into_iter().flat_map(|frame| &frame.entries) {
            let error = match entry {
                Entry::Did(command) => world.apply(command.clone()).err(),
                Entry::Replaced(text) => {
                    let room = Box::new(text.room(&world.room().name)?);
                    world.apply_checked(Command::ReplaceRoom(room)).err()
                }
                Entry::Drew(who, times) => {
                    world.skip_random(*who, *times);
                    None
                }
                Entry::Reloaded(..) => None,
            };
            refused.extend(error.map(|error| error.to_string()));
        }
        Ok(refused)
    }
}

fn restored(room: Room, state: &str) -> Result<World, ReadError> {
    let state: WorldState = serde_json::from_str(state)
        .map_err(|error| ReadError::Damaged(format!("the state in it cannot be read: {error}")))?;
    World::restore(room, &state).map_err(|error| ReadError::Damaged(error.to_string()))
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tick {}: hash {:016x}, recorded {:016x}", self.tick, self.seen, self.recorded)?;
        self.refused.iter().try_for_each(|why| write!(f, "; refused now: {why}"))
    }
}
