//! Pattern items that match one byte. The classes are those of the C locale: no byte above 127 is a letter.

use super::meter::{Halt, Meter};
use super::stop::Malformed;

#[derive(Clone, Copy)]
pub(super) enum Item<'a> {
    Any,
    Byte(u8),
    /// Bytes of a kind, or the complement.
    Class {
        kinds: u16,
        inverse: bool,
    },
    Set(Set<'a>),
}

/// `[...]`.
#[derive(Clone, Copy)]
pub(super) struct Set<'a> {
    /// With the closing bracket: Lua looks at it where a range ends in `%` and another `%` follows, as in `[+-%%]`.
    members: &'a [u8],
    inverse: bool,
}

impl<'a> Item<'a> {
    /// The item at `at`, and the position after it.
    #[inline]
    pub(super) fn read(pattern: &'a [u8], at: usize, meter: &mut Meter) -> Result<(Self, usize), Halt> {
        match pattern[at] {
            b'%' => match pattern.get(at + 1) {
                Some(&letter) => Ok((Self::escaped(letter), at + 2)),
                None => Err(meter.refuse(Malformed::EndsWithPercent)),
            },
            b'[' => Set::read(pattern, at, meter).map(|(set, after)| (Self::Set(set), after)),
            b'.' => Ok((Self::Any, at + 1)),
            byte => Ok((Self::Byte(byte), at + 1)),
        }
    }

    /// The meaning of `%` and a letter: an uppercase letter is the complement of the lowercase one.
    fn escaped(letter: u8) -> Self {
        let kinds = match letter.to_ascii_lowercase() {
            b'a' => LOWER | UPPER,
            b'c' => CONTROL,
            b'd' => DIGIT,
            b'g' => LOWER | UPPER | DIGIT | PUNCTUATION,
            b'l' => LOWER,
            b'p' => PUNCTUATION,
            b's' => SPACE,
            b'u' => UPPER,
            b'w' => LOWER | UPPER | DIGIT,
            b'x' => HEX,
            b'z' => ZERO,
            _ => return Self::Byte(letter),
        };
        Self::Class { kinds, inverse: letter.is_ascii_uppercase() }
    }

    /// Whether the item matches a byte, and the number of set members examined.
    #[inline]
    pub(super) fn test(self, byte: u8) -> (bool, u64) {
        match self {
            Self::Any => (true, 0),
            Self::Byte(wanted) => (byte == wanted, 0),
            Self::Class { kinds, inverse } => ((KINDS[usize::from(byte)] & kinds != 0) != inverse, 0),
            Self::Set(set) => set.test(byte),
        }
    }
}

impl<'a> Set<'a> {
    /// The set whose bracket is at `at`, and the position after it. A closing bracket that comes first is a
    /// member.
    pub(super) fn read(pattern: &'a [u8], at: usize, meter: &mut Meter) -> Result<(Self, usize), Halt> {
        let inverse = pattern.get(at + 1) == Some(&b'^');
        let first = at + 1 + usize::from(inverse);
        let mut close = first;
        loop {
            match pattern.get(close) {
                Some(b'%') if close + 1 < pattern.len() => close += 2,
                Some(_) => close += 1,
                None => {
                    meter.spend((pattern.len() - at) as u64)?;
                    return Err(meter.refuse(Malformed::NoClosingBracket));
                }
            }
            if pattern.get(close) == Some(&b']') {
                meter.spend((close - at) as u64)?;
                return Ok((Self { members: &pattern[first..=close], inverse }, close + 1));
            }
        }
    }

    /// As [`Item::test`].
    pub(super) fn test(self, byte: u8) -> (bool, u64) {
        let mut rest = self.members;
        let found = loop {
            let fits = match rest {
                [] | [_] => break false,
                [b'%', letter, others @ ..] => {
                    rest = others;
                    Item::escaped(*letter).test(byte).0
                }
                [low, b'-', high, others @ ..] if !others.is_empty() => {
                    rest = others;
                    (low..=high).contains(&&byte)
                }
                [member, others @ ..] => {
                    rest = others;
                    *member == byte
                }
            };
            if fits {
                break true;
            }
        };
        (found != self.inverse, (self.members.len() - rest.len()) as u64)
    }
}

const LOWER: u16 = 1;
const UPPER: u16 = 2;
const DIGIT: u16 = 4;
const PUNCTUATION: u16 = 8;
const SPACE: u16 = 16;
const CONTROL: u16 = 32;
const HEX: u16 = 64;
const ZERO: u16 = 128;

static KINDS: [u16; 256] = kinds_of_bytes();

const fn kinds_of_bytes() -> [u16; 256] {
    let mut table = [0; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        table[byte as usize] = kinds_of(byte);
        byte += 1;
    }
    table
}

const fn kinds_of(byte: u8) -> u16 {
    let kind = match byte {
        b'a'..=b'z' => LOWER,
        b'A'..=b'Z' => UPPER,
        b'0'..=b'9' => DIGIT,
        b'\t'..=b'\r' => SPACE | CONTROL,
        b' ' => SPACE,
        0 => ZERO | CONTROL,
        _ if byte.is_ascii_control() => CONTROL,
        _ => PUNCTUATION,
    };
    if byte.is_ascii_hexdigit() { kind | HEX } else { kind }
}
