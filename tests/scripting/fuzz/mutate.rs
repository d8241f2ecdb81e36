//! Inputs made of other inputs: with bits flipped, pieces cut out and put elsewhere, lines and words exchanged.

/// Numbers from a seed (SplitMix64).
pub(crate) struct Dice(pub u64);

impl Dice {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; 0 if there is none.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    pub(crate) fn one_of<'a, T>(&mut self, list: &'a [T]) -> Option<&'a T> {
        list.get(self.below(list.len()))
    }

    /// A piece of something so long, up to `most` long: mostly a short one.
    fn piece(&mut self, length: usize, most: usize) -> std::ops::Range<usize> {
        let from = self.below(length + 1);
        let most = most.min(length - from);
        let most = if self.below(3) > 0 { most.min(8) } else { most };
        from..from + self.below(most + 1)
    }
}

/// Numbers at which something ends.
const NUMBERS: [&str; 24] = [
    "0",
    "-0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "8",
    "0.5",
    "0.1",
    "1e-9",
    "1e308",
    "-1e308",
    "1e400",
    "255",
    "256",
    "65535",
    "65536",
    "2147483648",
    "4294967296",
    "9007199254740993",
    "18446744073709551616",
    "1000001",
    "0.30000000000000004",
];

/// Changes an input in one to six ways. `others` lend pieces of themselves, `words` are those of the format.
pub(crate) fn mutate(dice: &mut Dice, input: &[u8], others: &[Vec<u8>], words: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..1 + dice.below(3) * (1 + dice.below(2)) {
        change(dice, &mut bytes, others, words);
    }
    bytes
}

fn change(dice: &mut Dice, bytes: &mut Vec<u8>, others: &[Vec<u8>], words: &[Vec<u8>]) {
    let at = dice.below(bytes.len());
    match dice.below(16) {
        0 => flip(dice, bytes, at),
        1 => {
            let byte = [0, 1, 0x7f, 0x80, 0xff, b'\n', b'"', dice.next() as u8][dice.below(8)];
            bytes.splice(at..at + usize::from(at < bytes.len()), [byte]);
        }
        2 => drop(bytes.drain(dice.piece(bytes.len(), 200))),
        3 => {
            let piece = bytes[dice.piece(bytes.len(), 200)].to_vec();
            bytes.splice(at..at, piece);
        }
        4 => bytes.truncate(at),
        5 | 6 => {
            let word = dice.one_of(words).cloned().unwrap_or_default();
            bytes.splice(at..at, word);
        }
        7..=9 => {
            let place = token(bytes, at);
            let word = dice.one_of(words).cloned().unwrap_or_default();
            bytes.splice(place, word);
        }
        10 | 11 => {
            let place = number(dice, bytes);
            let number = NUMBERS[dice.below(NUMBERS.len())];
            bytes.splice(place, number.bytes());
        }
        12 => {
            let other = dice.one_of(others).cloned().unwrap_or_default();
            let piece = other[dice.piece(other.len(), 400)].to_vec();
            let place = dice.piece(bytes.len(), 400);
            bytes.splice(place, piece);
        }
        13 => {
            let (line, to) = (line(bytes, at), dice.below(bytes.len()));
            let (copy, place) = (bytes[line].to_vec(), self::line(bytes, to).start);
            bytes.splice(place..place, copy);
        }
        14 => drop(bytes.drain(line(bytes, at))),
        _ => {
            // Two words of the input change places.
            let to = dice.below(bytes.len());
            let (first, second) = (token(bytes, at.min(to)), token(bytes, at.max(to)));
            if first.end <= second.start {
                let (one, two) = (bytes[first.clone()].to_vec(), bytes[second.clone()].to_vec());
                bytes.splice(second, one);
                bytes.splice(first, two);
            }
        }
    }
}

fn flip(dice: &mut Dice, bytes: &mut [u8], at: usize) {
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= 1 << dice.below(8);
    }
}

/// The line of a byte, with its end.
fn line(bytes: &[u8], at: usize) -> std::ops::Range<usize> {
    let start = bytes[..at].iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let end = bytes[at..].iter().position(|&byte| byte == b'\n').map_or(bytes.len(), |end| at + end + 1);
    start..end
}

/// The word or number of a byte, else that byte.
fn token(bytes: &[u8], at: usize) -> std::ops::Range<usize> {
    let inside = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
    if !bytes.get(at).is_some_and(inside) {
        return at..(at + 1).min(bytes.len());
    }
    let start = bytes[..at].iter().rposition(|byte| !inside(byte)).map_or(0, |end| end + 1);
    let end = bytes[at..].iter().position(|byte| !inside(byte)).map_or(bytes.len(), |end| at + end);
    start..end
}

/// A number of the input, sign and all; the end if there is none.
fn number(dice: &mut Dice, bytes: &[u8]) -> std::ops::Range<usize> {
    let from = dice.below(bytes.len());
    let digit = |&at: &usize| bytes[at].is_ascii_digit();
    let Some(at) = (from..bytes.len()).chain(0..from).find(digit) else { return bytes.len()..bytes.len() };
    let place = token(bytes, at);
    let signed = place.start > 0 && bytes[place.start - 1] == b'-';
    place.start - usize::from(signed)..place.end
}
