//! The types of a room file's mask settings.

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Channel, Paint, parse_colour};
use std::collections::BTreeMap;

/// One paint, or several of which any will do.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged)]
#[cfg_attr(test, schemars(inline))]
pub(in crate::room) enum PaintsFile {
    /// A colour: "#rrggbb", or a name from 'colours'.
    Colour(#[cfg_attr(test, schemars(title = "colour"))] String),
    /// A bit or a value of a channel.
    Channel(ChannelFile),
    /// Any of these.
    Any(#[cfg_attr(test, schemars(length(min = 1, max = 256)))] Vec<PaintFile>),
}

/// One paint.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(untagged)]
#[cfg_attr(test, schemars(inline))]
pub(in crate::room) enum PaintFile {
    /// A colour: "#rrggbb", or a name from 'colours'.
    Colour(#[cfg_attr(test, schemars(title = "colour"))] String),
    /// A bit or a value of a channel.
    Channel(ChannelFile),
}

/// What a pixel must have in one channel: a bit set, or exactly this value. One of the two.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[cfg_attr(test, schemars(title = "paint", rename = "paint"))]
pub(in crate::room) struct ChannelFile {
    /// Which channel.
    pub channel: ChannelName,
    /// The bit that is set: 7 is the highest, worth 128.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "u8", range(min = 0, max = 7)))]
    pub bit: Option<u8>,
    /// The exact value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(with = "u8", range(min = 0, max = 255)))]
    pub value: Option<u8>,
}

/// One of the channels of a colour.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, schemars(inline))]
pub(in crate::room) enum ChannelName {
    /// Red.
    Red,
    /// Green.
    Green,
    /// Blue.
    Blue,
}

/// What has to be walkable for a node to be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, schemars(inline))]
pub(in crate::room) enum SamplingFile {
    /// The one pixel it stands on.
    #[default]
    Point,
    /// All pixels around it, half the way to its neighbours.
    Cover,
}

/// How paths are made short.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(test, schemars(inline))]
pub(in crate::room) enum ShorteningFile {
    /// A straight line if one can walk it, else each half of the path by itself.
    #[default]
    Divide,
    /// String pulling: from each corner straight on to the furthest point in sight.
    Pull,
}

impl PaintsFile {
    /// The paints; unreadable ones are left out.
    pub(in crate::room) fn paints(&self, colours: &BTreeMap<String, String>) -> Vec<Paint> {
        match self {
            Self::Colour(colour) => colour_named(colour, colours).into_iter().collect(),
            Self::Channel(channel) => channel.paint().into_iter().collect(),
            Self::Any(paints) => paints.iter().filter_map(|paint| paint.paint(colours)).collect(),
        }
    }

    /// The file type for some paints; colours as numbers.
    pub(in crate::room) fn of(paints: &[Paint]) -> Self {
        match paints {
            [paint] => match PaintFile::of(*paint) {
                PaintFile::Colour(colour) => Self::Colour(colour),
                PaintFile::Channel(channel) => Self::Channel(channel),
            },
            several => Self::Any(several.iter().map(|&paint| PaintFile::of(paint)).collect()),
        }
    }
}

impl PaintFile {
    fn paint(&self, colours: &BTreeMap<String, String>) -> Option<Paint> {
        match self {
            Self::Colour(colour) => colour_named(colour, colours),
            Self::Channel(channel) => channel.paint(),
        }
    }

    fn of(paint: Paint) -> Self {
        let channel = |channel, bit, value| Self::Channel(ChannelFile { channel, bit, value });
        match paint {
            Paint::Colour(_) => Self::Colour(paint.to_string()),
            Paint::Bit(of, bit) => channel(of.into(), Some(bit), None),
            Paint::Value(of, value) => channel(of.into(), None, Some(value)),
        }
    }
}

impl ChannelFile {
    fn paint(&self) -> Option<Paint> {
        let channel = match self.channel {
            ChannelName::Red => Channel::Red,
            ChannelName::Green => Channel::Green,
            ChannelName::Blue => Channel::Blue,
        };
        match (self.bit, self.value) {
            (Some(bit), None) => Some(Paint::Bit(channel, bit)),
            (None, Some(value)) => Some(Paint::Value(channel, value)),
            _ => None,
        }
    }
}

impl From<Channel> for ChannelName {
    fn from(channel: Channel) -> Self {
        match channel {
            Channel::Red => Self::Red,
            Channel::Green => Self::Green,
            Channel::Blue => Self::Blue,
        }
    }
}

/// The colour for a word: `#rrggbb`, or one of the room's own names.
fn colour_named(word: &str, colours: &BTreeMap<String, String>) -> Option<Paint> {
    parse_colour(colours.get(word).map_or(word, String::as_str)).map(Paint::Colour)
}
