//! How pixels are identified: by a colour, a bit of a channel, or the value of a channel. Alpha is ignored.

use std::fmt;

/// One of the three channels of a colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// The first.
    Red,
    /// The second.
    Green,
    /// The third.
    Blue,
}

/// The condition on a pixel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paint {
    /// Exactly this colour: red, green, blue.
    Colour([u8; 3]),
    /// This bit of the channel is set; 7 is the highest.
    Bit(Channel, u8),
    /// The channel has exactly this value.
    Value(Channel, u8),
}

impl Channel {
    /// Its name in files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Red => "red",
            Self::Green => "green",
            Self::Blue => "blue",
        }
    }
}

impl Paint {
    /// The default for walkable pixels: bit 7 of blue.
    pub const WALKABLE: Self = Self::Bit(Channel::Blue, 7);

    /// Whether a pixel of this colour matches the paint.
    pub fn is_on(self, rgb: [u8; 3]) -> bool {
        match self {
            Self::Colour(colour) => rgb == colour,
            Self::Bit(channel, bit) => rgb[channel as usize] >> bit & 1 == 1,
            Self::Value(channel, value) => rgb[channel as usize] == value,
        }
    }
}

impl fmt::Display for Paint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Colour([red, green, blue]) => write!(f, "#{red:02x}{green:02x}{blue:02x}"),
            Self::Bit(channel, bit) => write!(f, "bit {bit} of {}", channel.as_str()),
            Self::Value(channel, value) => write!(f, "{} {value}", channel.as_str()),
        }
    }
}

/// Reads `#rrggbb`.
pub(in crate::room) fn parse_colour(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6 && digits.is_ascii())?;
    let channel = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    // `from_str_radix` would accept a sign.
    digits.bytes().all(|digit| digit.is_ascii_hexdigit()).then_some(())?;
    Some([channel(0)?, channel(2)?, channel(4)?])
}
