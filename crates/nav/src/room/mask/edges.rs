//! Finds edges that a painting program smoothed (anti-aliasing), by their shape: one to three pixels between two wide
//! runs, each with a colour between theirs. Areas and hotspots that are identified by channel values then have specks
//! of others along their edges.

use super::{Channel, Paint, Smoothed};

/// The least length of a run that counts as painted on purpose.
const WIDE_PX: u32 = 4;

/// Upper limit on the pixels across a smoothed edge.
const MOST_BETWEEN_PX: u32 = 3;

/// Fewer pixels than this may be chance.
const SUSPICIOUS: u64 = 32;

/// Examines the runs of equal pixels of a mask, row by row.
pub(super) struct Edges {
    /// The channels that any paint depends on.
    channels: [bool; 3],
    /// The colour of the last wide run of the row.
    wide: Option<[u8; 3]>,
    /// The narrow runs since: colour and pixel.
    narrow: Vec<([u8; 3], [u32; 2])>,
    narrow_px: u32,
    found: u64,
    first: Option<([u8; 3], [u32; 2])>,
}

impl Edges {
    pub(super) fn new<'a>(paints: impl Iterator<Item = &'a Paint>) -> Self {
        let mut channels = [false; 3];
        for paint in paints {
            match *paint {
                Paint::Colour(_) => channels = [true; 3],
                Paint::Bit(channel, _) | Paint::Value(channel, _) => mark(&mut channels, channel),
            }
        }
        Self { channels, wide: None, narrow: Vec::new(), narrow_px: 0, found: 0, first: None }
    }

    /// Starts a new row.
    pub(super) fn new_row(&mut self) {
        self.wide = None;
        self.forget();
    }

    /// Adds the next run of the row.
    pub(super) fn run(&mut self, rgb: [u8; 3], [column, row]: [u32; 2], length: u32) {
        if length < WIDE_PX {
            self.narrow_px += length;
            if self.narrow_px <= MOST_BETWEEN_PX {
                self.narrow.push((rgb, [column, row]));
            }
            return;
        }
        if let Some(before) = self.wide
            && self.narrow_px <= MOST_BETWEEN_PX
            && !self.narrow.is_empty()
            && self.narrow.iter().all(|(between, _)| self.is_between(*between, before, rgb))
        {
            self.found += u64::from(self.narrow_px);
            self.first = self.first.or(self.narrow.first().copied());
        }
        self.wide = Some(rgb);
        self.forget();
    }

    fn forget(&mut self) {
        self.narrow.clear();
        self.narrow_px = 0;
    }

    /// Whether a colour lies between two others in some relevant channel, and outside them in none.
    fn is_between(&self, between: [u8; 3], a: [u8; 3], b: [u8; 3]) -> bool {
        let mut strictly = false;
        for channel in (0..3).filter(|&channel| self.channels[channel]) {
            let (low, high) = (a[channel].min(b[channel]), a[channel].max(b[channel]));
            if !(low..=high).contains(&between[channel]) {
                return false;
            }
            strictly |= low < between[channel] && between[channel] < high;
        }
        strictly
    }

    pub(super) fn smoothed(&self) -> Option<Smoothed> {
        let (colour, at) = self.first?;
        (self.found >= SUSPICIOUS).then_some(Smoothed { pixels: self.found, colour, at })
    }
}

fn mark(channels: &mut [bool; 3], channel: Channel) {
    channels[channel as usize] = true;
}
