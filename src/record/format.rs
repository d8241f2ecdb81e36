//! The file: a line that says what it is, then the beginning, then a frame for every tick, then the end, in postcard's binary form.

use super::tracks::{Sample, TrackCoder, Tracks, is_due, ticks_between};
use crate::crowd::CharacterId;
use crate::room::{Room, parse_with};
use crate::world::Command;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The first line of every recording. What comes after it is read by the version that the line names only.
pub(super) const SIGNATURE: &[u8] = b"cicerone recording 2\n";

const SIGNATURE_START: &[u8] = b"cicerone recording ";

/// No run begins later: ticks behind it can still be counted.
const LAST_START: u64 = 1 << 53;

/// How a recorded world began.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// The version of cicerone that made it.
    pub made_by: String,
    /// Where the room came from, for people to read.
    pub room_file: String,
    /// The room itself.
    pub room: RoomText,
    /// What feeds every random stream.
    pub seed: u64,
    /// Fixed steps per second of game time.
    pub ticks_per_second: u32,
    /// The tick it begins at.
    pub tick: u64,
    /// The state of a world that was already under way, as JSON.
    pub state: Option<String>,
    /// Ticks between two samples of the tracks.
    pub sample_ticks: u64,
}

/// A room in the form of its file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum RoomText {
    /// Made of areas.
    Json(String),
    /// Made of a grid.
    Grid(String),
    /// Painted: as its file says it, but for the background, and the mask.
    Painted {
        /// The file.
        json: String,
        /// The mask: a PNG.
        #[serde(with = "png_bytes")]
        png: Vec<u8>,
    },
}

/// Something that was done between two ticks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum Entry {
    Did(Command),
    /// A changed room was put under the world.
    Replaced(RoomText),
    /// So many numbers in a row were drawn from somebody's random stream.
    Drew(Option<CharacterId>, u32),
    /// A file was reloaded; what it said from then on.
    Reloaded(String, String),
}

/// What follows the beginning.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum Piece {
    Tick(Frame),
    /// Nothing follows. A file without it was cut off, be it between two ticks. The CRC-32 of all that comes before, little endian.
    End([u8; 4]),
}

/// One tick.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Frame {
    /// What was done before it.
    pub(super) entries: Vec<Entry>,
    /// The checksum after it, little endian.
    pub(super) hash: [u8; 8],
    /// Where everybody was after it; every few ticks only.
    pub(super) sample: Option<Sample>,
}

/// A recording that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Recording {
    /// How it begins.
    pub start: Start,
    pub(super) frames: Vec<Frame>,
    tracks: Tracks,
    is_cut: bool,
}

/// Why bytes are no recording, in words.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadError(pub(super) String);

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ReadError {}

impl Recording {
    /// Reads the bytes of a file. One that was cut off is read as far as it goes.
    ///
    /// # Errors
    /// [`ReadError`] if it is no recording, or one of another version.
    pub fn read(bytes: &[u8]) -> Result<Self, ReadError> {
        let Some(mut rest) = bytes.strip_prefix(SIGNATURE) else { return Err(ReadError(not_ours(bytes))) };
        let (start, behind): (Start, _) =
            postcard::take_from_bytes(rest).map_err(|error| ReadError(why_no_beginning(&error).into()))?;
        rest = behind;
        let sensible = (1..=1000).contains(&start.ticks_per_second)
            && start.sample_ticks == ticks_between(start.ticks_per_second)
            && start.tick <= LAST_START;
        if !sensible {
            return Err(ReadError("its beginning makes no sense".into()));
        }
        let mut recording = Self { start, frames: Vec::new(), tracks: Tracks::default(), is_cut: false };
        recording.tracks.every_ticks = recording.start.sample_ticks;
        recording.is_cut = true; // until its end is read
        let mut coder = TrackCoder::default();
        while !rest.is_empty() {
            let tick = recording.last_tick() + 1;
            let (frame, behind) = match postcard::take_from_bytes::<Piece>(rest) {
                Ok((Piece::Tick(frame), behind)) => (frame, behind),
                Ok((Piece::End(check), [])) => {
                    if check != check_of(&bytes[..bytes.len() - rest.len()]) {
                        return Err(ReadError("its checksum does not fit: the file is damaged".into()));
                    }
                    recording.is_cut = false;
                    break;
                }
                Ok((Piece::End(_), _)) => {
                    return Err(ReadError("there is something behind its end: the file is damaged".into()));
                }
                Err(postcard::Error::DeserializeUnexpectedEnd) => break,
                Err(_) => {
                    return Err(ReadError(format!("tick {tick} cannot be read: the file is damaged there")));
                }
            };
            let due = is_due(tick, recording.start.tick + 1, recording.start.sample_ticks);
            let tracks_fit = match &frame.sample {
                Some(sample) => due && coder.decode(sample, tick, &mut recording.tracks).is_some(),
                None => !due,
            };
            if !tracks_fit {
                return Err(ReadError(format!("the tracks of tick {tick} make no sense")));
            }
            recording.frames.push(frame);
            rest = behind;
        }
        Ok(recording)
    }

    /// The last tick that is in it.
    pub fn last_tick(&self) -> u64 {
        self.start.tick + self.frames.len() as u64
    }

    /// Whether its end is missing: the program was stopped by force, or the file was cut.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The checksum after a tick.
    pub fn hash_at(&self, tick: u64) -> Option<u64> {
        let index = tick.checked_sub(self.start.tick + 1)?;
        self.frames.get(usize::try_from(index).ok()?).map(|frame| u64::from_le_bytes(frame.hash))
    }

    /// Where everybody went.
    pub fn tracks(&self) -> &Tracks {
        &self.tracks
    }

    /// How many commands are in it.
    pub fn commands(&self) -> usize {
        let entries = self.frames.iter().flat_map(|frame| &frame.entries);
        entries.filter(|entry| matches!(entry, Entry::Did(_) | Entry::Replaced(_))).count()
    }

    /// The files that were reloaded, with the ticks before which it happened and what they said then.
    pub fn reloads(&self) -> impl Iterator<Item = (u64, &str, &str)> {
        let frames = self.frames.iter().zip(self.start.tick + 1..);
        frames.flat_map(|(frame, tick)| {
            frame.entries.iter().filter_map(move |entry| match entry {
                Entry::Reloaded(file, text) => Some((tick, file.as_str(), text.as_str())),
                _ => None,
            })
        })
    }
}

/// The checksum at the end of a file, of all that comes before.
pub(super) fn check_of(bytes: &[u8]) -> [u8; 4] {
    crc32fast::hash(bytes).to_le_bytes()
}

impl RoomText {
    /// A room as text; `None` if it says something else when read again, which no room that came from a file does.
    pub fn of(room: &Room) -> Option<Self> {
        let room = Room { background: None, ..room.clone() }; // nothing depends on it
        let text = match (room.to_json(), &room.mask) {
            (Some(json), Some(mask)) => Self::Painted { json: json.to_string(), png: mask.png.to_vec() },
            (Some(json), None) => Self::Json(json.to_string()),
            (None, _) => Self::Grid(room.to_text_grid()?),
        };
        let again = text.room(&room.name).ok()?;
        crate::room::difference(&again, &room).is_empty().then_some(text)
    }

    /// The room it says; `name` is what it is called if it does not say.
    ///
    /// # Errors
    /// [`ReadError`] if it says none.
    pub fn room(&self, name: &str) -> Result<Room, ReadError> {
        let (file, text, png) = match self {
            Self::Json(text) => (format!("{name}.json"), text, None),
            Self::Grid(text) => (format!("{name}.txt"), text, None),
            Self::Painted { json, png } => (format!("{name}.json"), json, Some(png)),
        };
        let read = |_: &str| png.cloned().ok_or_else(|| "it is not in it".to_owned());
        let parsed = parse_with(&file, text.as_bytes(), None, &read)
            .map_err(|report| ReadError(format!("its room cannot be read: {report}")))?;
        Ok(parsed.room)
    }
}

/// The words of the decoder are about its own buffers.
fn why_no_beginning(error: &postcard::Error) -> &'static str {
    match error {
        postcard::Error::DeserializeUnexpectedEnd => {
            "its beginning cannot be read: the file is cut off before the first tick, or damaged"
        }
        _ => "its beginning cannot be read: the file is damaged",
    }
}

fn not_ours(bytes: &[u8]) -> String {
    if !bytes.is_empty() && SIGNATURE.starts_with(bytes) {
        return "a recording that is cut off within its first line".into();
    }
    let version =
        bytes.strip_prefix(SIGNATURE_START).and_then(|rest| rest.split(|&byte| byte == b'\n').next());
    match version {
        Some(version) => format!(
            "a recording of version {}; this cicerone reads version 2",
            String::from_utf8_lossy(&version[..version.len().min(20)])
        ),
        None => "not a recording; `cicerone run ROOM --record FILE` makes one".into(),
    }
}

/// Bytes as they are, or as text in forms that people can read.
mod png_bytes {
    use base64::Engine;
    use base64::engine::general_purpose::STANDARD;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
        match to.is_human_readable() {
            true => to.serialize_str(&STANDARD.encode(bytes)),
            false => bytes.serialize(to),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u8>, D::Error> {
        match from.is_human_readable() {
            true => STANDARD.decode(String::deserialize(from)?).map_err(D::Error::custom),
            false => Vec::deserialize(from),
        }
    }
}
