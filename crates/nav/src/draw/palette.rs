//! Colours, and the tints that distinguish characters.

/// A colour of eight bits per channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rgb(pub u8, pub u8, pub u8);

/// The tints of characters: calm colours of one brightness, legible on paper and on a dark floor.
const TINTS: [Rgb; 10] = [
    Rgb::hex(0x4a7fb5), // blue
    Rgb::hex(0xb5574f), // brick
    Rgb::hex(0x5f8f4e), // leaf
    Rgb::hex(0x8a68ad), // plum
    Rgb::hex(0x3d8f8b), // teal
    Rgb::hex(0xbf7a3a), // copper
    Rgb::hex(0xa85a86), // rose
    Rgb::hex(0x6b7a3a), // olive
    Rgb::hex(0x5d6fa8), // slate
    Rgb::hex(0x93694c), // umber
];

/// The player's colour, used for no other character.
const PLAYER: Rgb = Rgb::hex(0xe0a526);

/// The colour of the past: grey.
const PAST: Rgb = Rgb::hex(0x5f6368);

/// The tint of a shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tint {
    /// The player's.
    Player,
    /// That of the character with this number; the ten tints repeat.
    Number(usize),
    /// That of a former run, for comparison.
    Past,
}

impl Tint {
    /// The colour itself.
    pub fn colour(self) -> Rgb {
        match self {
            Self::Player => PLAYER,
            Self::Number(number) => TINTS[number % TINTS.len()],
            Self::Past => PAST,
        }
    }
}

impl Rgb {
    /// `0xrrggbb`.
    pub const fn hex(rgb: u32) -> Self {
        Self((rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8)
    }

    /// This colour with `share` (0 to 1) of `other` in it.
    #[must_use]
    pub fn mix(self, other: Self, share: f64) -> Self {
        let share = share.clamp(0.0, 1.0);
        let channel = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * share).round() as u8;
        Self(channel(self.0, other.0), channel(self.1, other.1), channel(self.2, other.2))
    }

    /// `#rrggbb`.
    pub(super) fn css(self) -> String {
        format!("#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}
