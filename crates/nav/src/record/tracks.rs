//! The positions of all characters, to the millimetre, a few times a second: about a byte for each walking character,
//! and next to nothing for standing ones. Stores the deviation from the position predicted from the last two samples.

use crate::crowd::CharacterId;
use crate::world::World;
use glam::DVec2;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Samples per second of game time.
const SAMPLES_PER_SECOND: u32 = 10;

/// Deviations up to this many millimetres in both directions fit one byte.
const SMALL_MM: i64 = 6;

/// Codes from here to `STILL_MOST` give the length of a run of standing characters: one, two and so on. `LARGE`
/// announces a large deviation.
const STILL: u8 = 169;
const STILL_MOST: u8 = 254;
const LARGE: u8 = 255;

/// The track of one character: its name, the tick of its first sample, and its position at each sample from then on.
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    /// Its name.
    pub name: String,
    /// The tick of the first sample.
    pub from_tick: u64,
    /// Metres, rounded to millimetres.
    pub points: Vec<DVec2>,
}

/// Upper limit on the points in all tracks: enough for 200 characters for more than two hours. Later ticks are
/// compared by their hashes.
const MAX_POINTS: usize = 16_000_000;

/// The tracks of all characters of a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tracks {
    /// Ticks between two samples.
    pub every_ticks: u64,
    /// By character.
    pub of: BTreeMap<CharacterId, Track>,
    /// The tick from which on no points were kept, because the limit was reached.
    pub full_at: Option<u64>,
    /// The number of points.
    kept: usize,
}

/// The positions at one moment, as differences from the predicted ones.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Sample {
    /// New characters: id, name, millimetres.
    joined: Vec<(CharacterId, String, [i32; 2])>,
    left: Vec<CharacterId>,
    /// Deviations of the others, in order of id.
    moves: Vec<u8>,
}

/// A position in millimetres, and its change since the sample before.
#[derive(Debug, Clone, Copy)]
struct Millimetres {
    at: [i64; 2],
    moved: [i64; 2],
}

/// The state shared by encoder and decoder: all positions at the last sample.
#[derive(Debug, Clone, Default)]
pub(super) struct TrackCoder {
    spots: BTreeMap<CharacterId, Millimetres>,
}

/// Ticks between two samples of a room.
pub(super) fn ticks_between(ticks_per_second: u32) -> u64 {
    u64::from((ticks_per_second / SAMPLES_PER_SECOND).max(1))
}

/// Whether a sample is due after a tick: after the first, and regularly from then on.
pub(super) fn is_due(tick: u64, first_tick: u64, every_ticks: u64) -> bool {
    tick.checked_sub(first_tick).is_some_and(|ticks| ticks.is_multiple_of(every_ticks))
}

impl Tracks {
    /// No tracks yet, for a room with this number of ticks per second.
    pub fn new(ticks_per_second: u32) -> Self {
        Self { every_ticks: ticks_between(ticks_per_second), ..Self::default() }
    }

    /// Whether another sample of this many characters is kept.
    fn has_room_for(&mut self, people: usize, tick: u64) -> bool {
        self.kept = self.kept.saturating_add(people);
        if self.full_at.is_none() && self.kept > MAX_POINTS {
            self.full_at = Some(tick);
        }
        self.full_at.is_none()
    }

    /// Notes all positions. Call it in every tick from the first on; only every few ticks are sampled.
    pub fn note(&mut self, world: &World, first_tick: u64) {
        let tick = world.tick_number();
        if !is_due(tick, first_tick, self.every_ticks) {
            return;
        }
        if !self.has_room_for(world.characters().len(), tick) {
            return;
        }
        for character in world.characters() {
            let track = self.of.entry(character.id).or_insert_with(|| Track {
                name: character.name.clone(),
                from_tick: tick,
                points: Vec::new(),
            });
            track.points.push(metres(millimetres(character.position.at)));
        }
    }
}

impl TrackCoder {
    /// The current positions, as deviations from the predicted ones.
    pub(super) fn encode(&mut self, world: &World) -> Sample {
        let mut sample = Sample::default();
        let left = self.spots.keys().filter(|&&id| world.character(id).is_none());
        sample.left = left.copied().collect();
        self.spots.retain(|id, _| world.character(*id).is_some());
        let mut still = 0;
        for character in world.characters() {
            let at = millimetres(character.position.at);
            let Some(spot) = self.spots.get_mut(&character.id) else {
                self.spots.insert(character.id, Millimetres { at, moved: [0, 0] });
                let place = at.map(|mm| mm as i32); // a world is a million metres wide at most
                sample.joined.push((character.id, character.name.clone(), place));
                continue;
            };
            let deviation = [0, 1].map(|axis| at[axis] - spot.at[axis] - spot.moved[axis]);
            *spot = Millimetres { at, moved: [0, 1].map(|axis| at[axis] - spot.at[axis]) };
            if deviation == [0, 0] && spot.moved == [0, 0] {
                still += 1;
                if still == LARGE - STILL {
                    sample.moves.push(STILL + std::mem::take(&mut still) - 1);
                }
                continue;
            }
            if still > 0 {
                sample.moves.push(STILL + std::mem::take(&mut still) - 1);
            }
            write_deviation(deviation, &mut sample.moves);
        }
        if still > 0 {
            sample.moves.push(STILL + still - 1);
        }
        sample
    }

    /// Adds a sample to the tracks; `None` if it is not a valid next sample.
    pub(super) fn decode(&mut self, sample: &Sample, tick: u64, tracks: &mut Tracks) -> Option<()> {
        for id in &sample.left {
            self.spots.remove(id)?;
        }
        let kept = tracks.has_room_for(self.spots.len() + sample.joined.len(), tick);
        let mut bytes = sample.moves.iter().copied();
        let mut still = 0;
        for (id, spot) in &mut self.spots {
            if still > 0 {
                still -= 1;
                spot.moved = [0, 0];
            } else {
                match bytes.next()? {
                    code @ STILL..=STILL_MOST => {
                        still = code - STILL;
                        spot.moved = [0, 0];
                    }
                    code => {
                        let deviation = read_deviation(code, &mut bytes)?;
                        let moved = [0, 1].map(|axis| spot.moved[axis].checked_add(deviation[axis]));
                        spot.moved = [moved[0]?, moved[1]?];
                        let at = [0, 1].map(|axis| spot.at[axis].checked_add(spot.moved[axis]));
                        spot.at = [at[0]?, at[1]?];
                    }
                }
            }
            if kept {
                tracks.of.get_mut(id)?.points.push(metres(spot.at));
            }
        }
        if still > 0 || bytes.next().is_some() {
            return None;
        }
        for (id, name, place) in &sample.joined {
            let at = place.map(i64::from);
            let track = Track { name: name.clone(), from_tick: tick, points: vec![metres(at)] };
            if self.spots.insert(*id, Millimetres { at, moved: [0, 0] }).is_some()
                || (kept && tracks.of.insert(*id, track).is_some())
            {
                return None;
            }
        }
        Some(())
    }
}

impl Track {
    /// The tick of the last sample.
    pub fn end_tick(&self, every_ticks: u64) -> u64 {
        self.from_tick + every_ticks * (self.points.len() as u64).saturating_sub(1)
    }

    /// The position at a tick, or at the sample before it; `None` if the character was not there.
    pub fn at(&self, tick: u64, every_ticks: u64) -> Option<DVec2> {
        let index = tick.checked_sub(self.from_tick)? / every_ticks.max(1);
        self.points.get(usize::try_from(index).ok()?).copied()
    }
}

fn millimetres(point: DVec2) -> [i64; 2] {
    [point.x, point.y].map(|metres| (metres * 1000.0).round() as i64)
}

fn metres(millimetres: [i64; 2]) -> DVec2 {
    DVec2::from(millimetres.map(|mm| mm as f64 / 1000.0))
}

fn write_deviation([x, z]: [i64; 2], bytes: &mut Vec<u8>) {
    let side = 2 * SMALL_MM + 1;
    if x.abs() <= SMALL_MM && z.abs() <= SMALL_MM {
        bytes.push(((x + SMALL_MM) * side + z + SMALL_MM) as u8);
        return;
    }
    bytes.push(LARGE);
    for deviation in [x, z] {
        // Zigzag, then seven bits per byte, the last one without the high bit.
        let mut rest = ((deviation << 1) ^ (deviation >> 63)) as u64;
        while rest > 0x7F {
            bytes.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        bytes.push(rest as u8);
    }
}

fn read_deviation(code: u8, bytes: &mut impl Iterator<Item = u8>) -> Option<[i64; 2]> {
    let side = 2 * SMALL_MM + 1;
    if code != LARGE {
        let code = i64::from(code);
        return Some([code / side - SMALL_MM, code % side - SMALL_MM]);
    }
    let mut read = || {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = bytes.next()?;
            value |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Some((value >> 1) as i64 ^ -((value & 1) as i64));
            }
        }
        None
    };
    Some([read()?, read()?])
}
