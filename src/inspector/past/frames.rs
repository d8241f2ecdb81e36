//! The last minutes as frames: any moment can be shown at once.

use crate::inspector::net::Bytes;
use std::collections::VecDeque;

/// The most bytes of frames. In a large crowd they are thinned out, the older ones first.
const MOST_BYTES: usize = 64 << 20;

/// Frames by tick, ascending.
#[derive(Default)]
pub(in crate::inspector) struct Frames {
    frames: VecDeque<(u64, Bytes)>,
    bytes: usize,
}

impl Frames {
    /// Keeps a frame. A tick that lies before the last one begins another run.
    pub(in crate::inspector) fn add(&mut self, tick: u64, frame: Bytes) {
        match self.frames.back() {
            Some(&(last, _)) if last == tick => return,
            Some(&(last, _)) if last > tick => *self = Self::default(),
            _ => {}
        }
        self.bytes += frame.len();
        self.frames.push_back((tick, frame));
        if self.bytes > MOST_BYTES {
            self.thin_out();
        }
    }

    /// Drops every other frame of the older half; of a crowd so large that few are left, the oldest.
    fn thin_out(&mut self) {
        const FEW: usize = 64;
        let half = self.frames.len() / 2;
        let newer = self.frames.split_off(half);
        let mut number = 0;
        let few = newer.len() < FEW;
        self.frames.retain(|_| {
            number += 1;
            !few && number % 2 == 1
        });
        self.frames.extend(newer);
        self.bytes = self.frames.iter().map(|(_, frame)| frame.len()).sum();
    }

    /// The frame at a tick, or the last one before it; the first one, if there is none before.
    pub(in crate::inspector) fn at(&self, tick: u64) -> Option<&Bytes> {
        let after = self.frames.partition_point(|(other, _)| *other <= tick);
        self.frames.get(after.saturating_sub(1)).map(|(_, frame)| frame)
    }

    /// The first tick that can be shown.
    pub(in crate::inspector) fn first(&self) -> Option<u64> {
        self.frames.front().map(|(tick, _)| *tick)
    }
}

#[cfg(test)]
mod tests {
    use super::{Bytes, Frames, MOST_BYTES};

    fn frame(bytes: usize) -> Bytes {
        vec![0; bytes].into()
    }

    #[test]
    fn the_frame_of_a_tick_is_the_last_one_before_it() {
        let mut frames = Frames::default();
        assert!(frames.at(3).is_none());
        for tick in [2, 4, 8] {
            frames.add(tick, frame(tick as usize));
        }
        for (tick, expected) in [(0, 2), (2, 2), (3, 2), (4, 4), (7, 4), (8, 8), (100, 8)] {
            assert_eq!(frames.at(tick).unwrap().len(), expected, "{tick}");
        }
        frames.add(3, frame(3));
        assert_eq!(
            (frames.first(), frames.at(100).unwrap().len()),
            (Some(3), 3),
            "the room went back in time"
        );
    }

    #[test]
    fn what_is_kept_is_bounded_and_newer_frames_are_denser() {
        let mut frames = Frames::default();
        (0..2_000).for_each(|tick| frames.add(tick, frame(MOST_BYTES / 1_000)));
        assert!(frames.bytes <= MOST_BYTES && frames.frames.len() > 500);
        let gap = |index: usize| frames.frames[index + 1].0 - frames.frames[index].0;
        assert!(gap(0) > 1 && gap(frames.frames.len() - 2) == 1);
        let mut crowd = Frames::default();
        (0..40).for_each(|tick| crowd.add(tick, frame(MOST_BYTES / 10)));
        assert!(crowd.bytes <= MOST_BYTES && crowd.at(39).is_some());
    }
}
