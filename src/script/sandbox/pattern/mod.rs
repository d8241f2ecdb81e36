//! Lua patterns that pay for their work. Lua's own matcher backtracks where no instruction hook runs, and a
//! short pattern can keep it busy for hours; this one stops when its fuel is used up.
//!
//! Nothing here allocates or needs dropping, so a Lua error may jump over it.

mod item;
mod meter;
mod plain;
mod stop;
#[cfg(test)]
mod tests;

pub(in crate::script) use plain::{find_plain, is_plain};
pub(in crate::script) use stop::{Malformed, Stop};

use item::{Item, Set};
use meter::{Halt, LOOKS_PER_UNIT, Meter};
use plain::same;

/// Lua's maximum number of captures in a pattern.
pub(in crate::script) const MAX_CAPTURES: usize = 32;

/// Lua's maximum recursion depth of a match. It bounds the stack.
const MAX_DEPTH: u32 = 200;

/// Looks charged for every pattern item that is tried, whether it matches or not.
const TURN: u64 = LOOKS_PER_UNIT + 1;

/// Looks between two payments; a payment takes as long as a look.
const LOOKS_AT_ONCE: u64 = 64;

/// What a capture holds; offsets into the subject count from zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::script) enum Capture {
    /// A part of the subject.
    Span { start: usize, len: usize },
    /// The position captured by `()`.
    Position(usize),
}

/// Matches one pattern against one subject. A unit of fuel stands for about one Lua instruction.
pub(in crate::script) struct Matcher<'a> {
    subject: &'a [u8],
    pattern: &'a [u8],
    meter: Meter,
    depth: u32,
    matched: Capture,
    level: usize,
    captures: [Slot; MAX_CAPTURES],
}

/// A capture in two words, half the size of an enum: every call creates a matcher and clears its captures.
#[derive(Clone, Copy)]
struct Slot {
    start: usize,
    /// The length, or one of the marks below, which exceed any length.
    len: usize,
}

impl Slot {
    /// The `)` is not reached yet.
    const OPEN: usize = usize::MAX;
    const POSITION: usize = usize::MAX - 1;
}

impl<'a> Matcher<'a> {
    /// `pattern` comes without its `^` anchor: the caller chooses the start positions.
    pub(in crate::script) fn new(subject: &'a [u8], pattern: &'a [u8], fuel: u64) -> Self {
        let nothing = Capture::Span { start: 0, len: 0 };
        let captures = [Slot { start: 0, len: 0 }; MAX_CAPTURES];
        let meter = Meter::new(fuel);
        Self { subject, pattern, meter, depth: MAX_DEPTH, matched: nothing, level: 0, captures }
    }

    /// Tries to match at exactly `start`; gives the end of the match.
    pub(in crate::script) fn match_at(&mut self, start: usize) -> Result<Option<usize>, Stop> {
        self.depth = MAX_DEPTH;
        self.level = 0;
        if start > self.subject.len() {
            return Ok(None);
        }
        let end = self.walk(start, 0).map_err(|Halt| self.meter.stop())?;
        if let Some(end) = end {
            self.matched = Capture::Span { start, len: end - start };
        }
        Ok(end)
    }

    /// How many captures the last match made.
    pub(in crate::script) fn capture_count(&self) -> usize {
        self.level
    }

    /// A capture of the last match, counted from zero. Without captures, the first is the whole match.
    ///
    /// An unfinished capture is an error only when it is requested, as in Lua.
    pub(in crate::script) fn capture(&self, index: usize) -> Result<Capture, Stop> {
        match self.captures[..self.level].get(index) {
            Some(&Slot { len: Slot::OPEN, .. }) => Err(Stop::Malformed(Malformed::UnfinishedCapture)),
            Some(&Slot { start, len: Slot::POSITION }) => Ok(Capture::Position(start)),
            Some(&Slot { start, len }) => Ok(Capture::Span { start, len }),
            None if index == 0 => Ok(self.matched),
            None => {
                Err(Stop::Malformed(Malformed::NoSuchCapture(u8::try_from(index + 1).unwrap_or(u8::MAX))))
            }
        }
    }

    pub(in crate::script) fn fuel_left(&self) -> u64 {
        self.meter.fuel_left()
    }

    /// Matches the pattern from `next` on with the subject from `here` on.
    fn walk(&mut self, mut here: usize, mut next: usize) -> Result<Option<usize>, Halt> {
        if self.depth == 0 {
            return Err(self.meter.refuse(Malformed::TooComplex));
        }
        self.depth -= 1;
        let end = loop {
            let Some(&byte) = self.pattern.get(next) else { break Some(here) };
            self.meter.spend(TURN)?;
            match (byte, self.letter(next + 1)) {
                (b'(', b')') => break self.begin(here, Slot::POSITION, next + 2)?,
                (b'(', _) => break self.begin(here, Slot::OPEN, next + 1)?,
                (b')', _) => break self.finish(here, next + 1)?,
                (b'$', _) if next + 1 == self.pattern.len() => {
                    break (here == self.subject.len()).then_some(here);
                }
                (b'%', b'b') => match self.balanced(here, next + 2)? {
                    Some(end) => (here, next) = (end, next + 4),
                    None => break None,
                },
                (b'%', b'f') => match self.frontier(here, next + 2)? {
                    Some(after) => next = after,
                    None => break None,
                },
                (b'%', digit @ b'0'..=b'9') => match self.repeated(here, digit)? {
                    Some(end) => (here, next) = (end, next + 2),
                    None => break None,
                },
                _ => {
                    let (item, after) = Item::read(self.pattern, next, &mut self.meter)?;
                    let fits = self.fits(item, here)?;
                    match (self.letter(after), fits) {
                        (b'*' | b'?' | b'-', false) => next = after + 1,
                        (b'*', true) => break self.longest(item, here, here + 1, after + 1)?,
                        (b'+', true) => break self.longest(item, here + 1, here + 1, after + 1)?,
                        (b'-', true) => break self.shortest(item, here, after + 1)?,
                        (b'?', true) => match self.walk(here + 1, after + 1)? {
                            Some(end) => break Some(end),
                            None => next = after + 1,
                        },
                        (_, true) => (here, next) = (here + 1, after),
                        (_, false) => break None,
                    }
                }
            }
        };
        self.depth += 1;
        Ok(end)
    }

    /// The byte of the pattern at `at`; beyond the end a zero, which has no meaning in a pattern.
    fn letter(&self, at: usize) -> u8 {
        self.pattern.get(at).copied().unwrap_or(0)
    }

    fn fits(&mut self, item: Item, here: usize) -> Result<bool, Halt> {
        self.subject.get(here).map_or(Ok(false), |&byte| self.paid(item.test(byte)))
    }

    fn paid(&mut self, (fits, looks): (bool, u64)) -> Result<bool, Halt> {
        self.meter.spend(looks)?;
        Ok(fits)
    }

    /// Greedy repetition: as many as possible of `item`, fewer where the rest needs it, but at least up to
    /// `least`. Bytes up to `known` match.
    fn longest(
        &mut self,
        item: Item,
        least: usize,
        known: usize,
        rest: usize,
    ) -> Result<Option<usize>, Halt> {
        let mut here = self.run_end(item, known)?;
        loop {
            if let Some(end) = self.walk(here, rest)? {
                return Ok(Some(end));
            }
            if here == least {
                return Ok(None);
            }
            here -= 1;
        }
    }

    fn run_end(&mut self, item: Item, from: usize) -> Result<usize, Halt> {
        if matches!(item, Item::Any) {
            return Ok(self.subject.len());
        }
        let (mut here, mut unpaid) = (from, 0);
        while let Some(&byte) = self.subject.get(here) {
            let (fits, looks) = item.test(byte);
            unpaid += looks + 1;
            if !fits {
                break;
            }
            here += 1;
            if unpaid > LOOKS_AT_ONCE {
                self.meter.spend(unpaid)?;
                unpaid = 0;
            }
        }
        self.meter.spend(unpaid)?;
        Ok(here)
    }

    /// Lazy repetition: as few as possible of `item`, more where the rest needs it.
    fn shortest(&mut self, item: Item, mut here: usize, rest: usize) -> Result<Option<usize>, Halt> {
        loop {
            if let Some(end) = self.walk(here, rest)? {
                return Ok(Some(end));
            }
            if !self.fits(item, here)? {
                return Ok(None);
            }
            here += 1;
        }
    }

    fn begin(&mut self, here: usize, len: usize, rest: usize) -> Result<Option<usize>, Halt> {
        let level = self.level;
        let Some(place) = self.captures.get_mut(level) else {
            return Err(self.meter.refuse(Malformed::TooManyCaptures));
        };
        *place = Slot { start: here, len };
        self.level = level + 1;
        let end = self.walk(here, rest)?;
        if end.is_none() {
            self.level = level;
        }
        Ok(end)
    }

    fn finish(&mut self, here: usize, rest: usize) -> Result<Option<usize>, Halt> {
        let Some(open) = self.captures[..self.level].iter().rposition(|slot| slot.len == Slot::OPEN) else {
            return Err(self.meter.refuse(Malformed::NothingToFinish));
        };
        self.captures[open].len = here - self.captures[open].start;
        let end = self.walk(here, rest)?;
        if end.is_none() {
            self.captures[open].len = Slot::OPEN;
        }
        Ok(end)
    }

    /// `%bxy`, whose two letters are at `letters`.
    fn balanced(&mut self, here: usize, letters: usize) -> Result<Option<usize>, Halt> {
        let Some(&[open, close]) = self.pattern.get(letters..letters + 2) else {
            return Err(self.meter.refuse(Malformed::NoBalanceLetters));
        };
        if self.subject.get(here) != Some(&open) {
            return Ok(None);
        }
        let mut pending = 1;
        let mut at = here + 1;
        for bytes in self.subject[at..].chunks(LOOKS_AT_ONCE as usize) {
            self.meter.spend(bytes.len() as u64)?;
            for &byte in bytes {
                at += 1;
                // Where both letters are the same, the second closes.
                if byte == close {
                    pending -= 1;
                    if pending == 0 {
                        return Ok(Some(at));
                    }
                } else if byte == open {
                    pending += 1;
                }
            }
        }
        Ok(None)
    }

    /// `%f[set]`, with the set at `set`: returns the position after it. Zero bytes count as before and after
    /// the subject.
    fn frontier(&mut self, here: usize, set: usize) -> Result<Option<usize>, Halt> {
        if self.letter(set) != b'[' {
            return Err(self.meter.refuse(Malformed::NoFrontierSet));
        }
        let (set, after) = Set::read(self.pattern, set, &mut self.meter)?;
        let before = here.checked_sub(1).and_then(|at| self.subject.get(at)).copied().unwrap_or(0);
        let behind = self.subject.get(here).copied().unwrap_or(0);
        let enters = !self.paid(set.test(before))? && self.paid(set.test(behind))?;
        Ok(enters.then_some(after))
    }

    /// `%1`: matches the text of a finished capture again.
    fn repeated(&mut self, here: usize, digit: u8) -> Result<Option<usize>, Halt> {
        let number = usize::from(digit - b'0');
        let slot = number.checked_sub(1).and_then(|index| self.captures[..self.level].get(index));
        match slot {
            None | Some(Slot { len: Slot::OPEN, .. }) => {
                Err(self.meter.refuse(Malformed::NoSuchCapture(digit - b'0')))
            }
            Some(Slot { len: Slot::POSITION, .. }) => Ok(None),
            Some(&Slot { start, len }) => {
                let (text, rest) = (&self.subject[start..start + len], &self.subject[here..]);
                let again = rest.get(..len).map_or(Ok(false), |found| same(found, text, &mut self.meter))?;
                Ok(again.then_some(here + len))
            }
        }
    }
}
