//! The file format: a signature line, the start, a frame for every tick, and the end, in postcard's binary form.

use super::tracks::{Sample, TrackCoder, Tracks, is_due, ticks_between};
use crate::crowd::CharacterId;
use crate::problem::guarded;
use crate::room::{Room, parse_with};
use crate::world::Command;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// The first line of every recording. The rest can only be read by the version that it names.
pub(super) const SIGNATURE: &[u8] = b"cicerone recording 6\n";

const SIGNATURE_START: &[u8] = b"cicerone recording ";

/// The latest start of a run: ticks after it can still be counted.
const LAST_START: u64 = 1 << 53;

/// The start of a recorded world.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Start {
    /// The version of cicerone that made it.
    pub made_by: String,
    /// The room's path, for information only.
    pub room_file: String,
    /// The room itself.
    pub room: RoomText,
    /// The seed of every random stream.
    pub seed: u64,
    /// Fixed steps per second of game time.
    pub ticks_per_second: u32,
    /// The tick it starts at.
    pub tick: u64,
    /// The state of a world that was already running, as JSON.
    pub state: Option<String>,
    /// Ticks between two samples of the tracks.
    pub sample_ticks: u64,
}

/// A room in the form of its file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum RoomText {
    /// A room made of areas.
    Json(String),
    /// A grid room.
    Grid(String),
    /// A painted room: its file without the background, and the mask.
    Painted {
        /// The file.
        json: String,
        /// The mask: a PNG.
        #[serde(with = "png_bytes")]
        png: Vec<u8>,
    },
}

/// An entry between two ticks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum Entry {
    Did(Command),
    /// The room was replaced by a changed one.
    Replaced(RoomText),
    /// The number of values drawn in a row from a character's or the room's random stream.
    Drew(Option<CharacterId>, u32),
    /// A file was reloaded: its name and new content.
    Reloaded(String, String),
}

/// A piece after the start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) enum Piece {
    Tick(Frame),
    /// The end. A file without it was cut off, even if between two ticks. Holds the CRC-32 of everything before it,
    /// little endian.
    End([u8; 4]),
}

/// One tick.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Frame {
    /// The entries before the tick.
    pub(super) entries: Vec<Entry>,
    /// The checksum after the tick, little endian.
    pub(super) hash: [u8; 8],
    /// The positions after the tick; only every few ticks.
    pub(super) sample: Option<Sample>,
}

/// A recording that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Recording {
    /// The start.
    pub start: Start,
    pub(super) frames: Vec<Frame>,
    tracks: Tracks,
    is_cut: bool,
}

/// Why a recording cannot be read or replayed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadError {
    /// It is no recording.
    NotARecording,
    /// It is a recording of another version of the format, with the beginning of that version's name.
    OtherVersion(String),
    /// It is damaged, or what it holds makes no room; the reason, in words.
    Damaged(String),
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotARecording => {
                f.write_str("not a recording; `cicerone run ROOM --record FILE` makes one")
            }
            Self::OtherVersion(version) => {
                let ours = String::from_utf8_lossy(&SIGNATURE[SIGNATURE_START.len()..]);
                let ours = ours.trim_end();
                write!(
                    f,
                    "a recording of version {version}; this cicerone reads version {ours}: record it again"
                )
            }
            Self::Damaged(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for ReadError {}

impl Recording {
    /// Reads the bytes of a file. A file that was cut off is read as far as it goes.
    ///
    /// # Errors
    /// [`ReadError`] if it is not a recording, or one of another version.
    pub fn read(bytes: &[u8]) -> Result<Self, ReadError> {
        guarded(bytes, || Self::decode(bytes)).unwrap_or_else(|why| Err(ReadError::Damaged(why)))
    }

    fn decode(bytes: &[u8]) -> Result<Self, ReadError> {
        let Some(mut rest) = bytes.strip_prefix(SIGNATURE) else { return Err(not_ours(bytes)) };
        let (start, behind): (Start, _) = postcard::take_from_bytes(rest)
            .map_err(|error| ReadError::Damaged(why_no_beginning(&error).into()))?;
        rest = behind;
        let sensible = (1..=1000).contains(&start.ticks_per_second)
            && start.sample_ticks == ticks_between(start.ticks_per_second)
            && start.tick <= LAST_START;
        if !sensible {
            return Err(ReadError::Damaged("its beginning makes no sense".into()));
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
                        return Err(ReadError::Damaged(
                            "its checksum does not fit: the file is damaged".into(),
                        ));
                    }
                    recording.is_cut = false;
                    break;
                }
                Ok((Piece::End(_), _)) => {
                    return Err(ReadError::Damaged(
                        "there is something behind its end: the file is damaged".into(),
                    ));
                }
                Err(postcard::Error::DeserializeUnexpectedEnd) => break,
                Err(_) => {
                    return Err(ReadError::Damaged(format!(
                        "tick {tick} cannot be read: the file is damaged there"
                    )));
                }
            };
            let due = is_due(tick, recording.start.tick + 1, recording.start.sample_ticks);
            let tracks_fit = match &frame.sample {
                Some(sample) => due && coder.decode(sample, tick, &mut recording.tracks).is_some(),
                None => !due,
            };
            if !tracks_fit {
                return Err(ReadError::Damaged(format!("the tracks of tick {tick} make no sense")));
            }
            recording.frames.push(frame);
            rest = behind;
        }
        Ok(recording)
    }

    /// The last tick in the recording.
    pub fn last_tick(&self) -> u64 {
        self.start.tick + self.frames.len() as u64
    }

    /// Whether the end is missing: the program was killed, or the file was cut.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The checksum after a tick.
    pub fn hash_at(&self, tick: u64) -> Option<u64> {
        let index = tick.checked_sub(self.start.tick + 1)?;
        self.frames.get(usize::try_from(index).ok()?).map(|frame| u64::from_le_bytes(frame.hash))
    }

    /// The tracks of all characters.
    pub fn tracks(&self) -> &Tracks {
        &self.tracks
    }

    /// The number of commands.
    pub fn commands(&self) -> usize {
        let entries = self.frames.iter().flat_map(|frame| &frame.entries);
        entries.filter(|entry| matches!(entry, Entry::Did(_) | Entry::Replaced(_))).count()
    }

    /// The reloaded files: the tick before which it happened, the name, and the new content.
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

/// The checksum at the end of a file, over everything before it.
pub(super) fn check_of(bytes: &[u8]) -> [u8; 4] {
    crc32fast::hash(bytes).to_le_bytes()
}

impl RoomText {
    /// A room as text; `None` if it does not read back the same, which never happens to a room from a file.
    pub fn of(room: &Room) -> Option<Self> {
        // Nothing depends on the background, or on the sectors in which polygons lie.
        let mut room = Room { background: None, ..room.clone() };
        if let Some(mesh) = room.mesh.as_mut().filter(|mesh| mesh.sectors.is_some()) {
            Arc::make_mut(mesh).sectors = None;
        }
        let text = match (room.to_json(), &room.mask) {
            (Some(json), Some(mask)) => Self::Painted { json: json.to_string(), png: mask.png.to_vec() },
            (Some(json), None) => Self::Json(json.to_string()),
            (None, _) => Self::Grid(room.to_text_grid()?),
        };
        let again = text.room(&room.name).ok()?;
        crate::room::difference(&again, &room).is_empty().then_some(text)
    }

    /// The room; `name` is its default name.
    ///
    /// # Errors
    /// [`ReadError`] if the text is not a room.
    pub fn room(&self, name: &str) -> Result<Room, ReadError> {
        let (file, text, png) = match self {
            Self::Json(text) => (format!("{name}.json"), text, None),
            Self::Grid(text) => (format!("{name}.txt"), text, None),
            Self::Painted { json, png } => (format!("{name}.json"), json, Some(png)),
        };
        let read = |_: &str| png.cloned().ok_or_else(|| "it is not in it".into());
        let parsed = parse_with(&file, text.as_bytes(), None, &read)
            .map_err(|report| ReadError::Damaged(format!("its room cannot be read: {report}")))?;
        Ok(parsed.room)
    }
}

/// The decoder's own message is about its buffers.
fn why_no_beginning(error: &postcard::Error) -> &'static str {
    match error {
        postcard::Error::DeserializeUnexpectedEnd => {
            "its beginning cannot be read: the file is cut off before the first tick, or damaged"
        }
        _ => "its beginning cannot be read: the file is damaged",
    }
}

fn not_ours(bytes: &[u8]) -> ReadError {
    if !bytes.is_empty() && SIGNATURE.starts_with(bytes) {
        return ReadError::Damaged("a recording that is cut off within its first line".into());
    }
    let version =
        bytes.strip_prefix(SIGNATURE_START).and_then(|rest| rest.split(|&byte| byte == b'\n').next());
    match version {
        Some(version) => {
            ReadError::OtherVersion(String::from_utf8_lossy(&version[..version.len().min(20)]).into_owned())
        }
        None => ReadError::NotARecording,
    }
}

/// Bytes as they are in binary formats, as text in formats for people.
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
