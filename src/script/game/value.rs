//! Values that pass between a game and its scripts.

use crate::crowd::CharacterId;
use crate::nav::Place;
use crate::problem::brief_numbers;
use glam::DVec2;
use std::fmt;

/// A value that a game's function takes or returns.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub enum GameValue {
    /// Nothing.
    #[default]
    Nil,
    /// True or false.
    Boolean(bool),
    /// A whole number.
    Integer(i64),
    /// Any number.
    Number(f64),
    /// A string.
    Text(String),
    /// A character of the room.
    Character(CharacterId),
    /// A position.
    Place(Place),
    /// A list: in Lua a table with the keys 1, 2, 3 and so on.
    List(Vec<GameValue>),
    /// A table with names for keys, in order of the names.
    Fields(Vec<(String, GameValue)>),
    /// A thing of the game, of a type that it declared with [`GameApi::kind`](super::GameApi::kind).
    Thing {
        /// The type's name.
        kind: &'static str,
        /// The game's own number for the thing.
        id: u64,
    },
}

/// What a game's function returns: any number of values. Made from a value, from a pair or triple of values, or from
/// `()` for none.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GameAnswer(pub Vec<GameValue>);

impl GameValue {
    /// What it is, in words: for errors.
    pub fn in_words(&self) -> String {
        match self {
            Self::Nil => "nil".into(),
            Self::Boolean(flag) => flag.to_string(),
            Self::Integer(number) => number.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Text(_) => format!("the string {self}"),
            Self::Character(_) => "a character".into(),
            Self::Place(_) => "a place".into(),
            Self::List(_) | Self::Fields(_) => "a table".into(),
            Self::Thing { kind, .. } => format!("a thing of the type {kind}"),
        }
    }
}

/// As Lua writes it, where Lua can.
impl fmt::Display for GameValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nil => f.write_str("nil"),
            Self::Boolean(flag) => write!(f, "{flag}"),
            Self::Integer(number) => write!(f, "{number}"),
            Self::Number(number) => f.write_str(&brief_numbers(&number.to_string())),
            // Escaped, so that words from a script cannot control the terminal.
            Self::Text(text) => write!(f, "{text:?}"),
            Self::Character(id) => write!(f, "character {}", id.0),
            Self::Place(place) => match place.y_m {
                Some(y) => {
                    write!(f, "{{x = {}, y = {}, z = {}}}", short(place.at.x), short(y), short(place.at.y))
                }
                None => write!(f, "{{x = {}, z = {}}}", short(place.at.x), short(place.at.y)),
            },
            Self::List(values) => {
                f.write_str("{")?;
                separated(f, values)?;
                f.write_str("}")
            }
            Self::Fields(fields) => {
                f.write_str("{")?;
                for (index, (name, value)) in fields.iter().enumerate() {
                    write!(f, "{}{} = {value}", if index == 0 { "" } else { ", " }, name.escape_debug())?;
                }
                f.write_str("}")
            }
            Self::Thing { kind, id } => write!(f, "{kind}:{id}"),
        }
    }
}

/// A coordinate to the millimetre.
fn short(metres: f64) -> f64 {
    (metres * 1000.0).round() / 1000.0
}

/// Values with commas between them.
fn separated(f: &mut fmt::Formatter<'_>, values: &[GameValue]) -> fmt::Result {
    for (index, value) in values.iter().enumerate() {
        write!(f, "{}{value}", if index == 0 { "" } else { ", " })?;
    }
    Ok(())
}

macro_rules! from {
    ($($type:ty => |$value:ident| $made:expr;)*) => {
        $(impl From<$type> for GameValue {
            fn from($value: $type) -> Self {
                $made
            }
        })*
    };
}
from! {
    bool => |value| Self::Boolean(value);
    i64 => |value| Self::Integer(value);
    i32 => |value| Self::Integer(value.into());
    u32 => |value| Self::Integer(value.into());
    f64 => |value| Self::Number(value);
    f32 => |value| Self::Number(value.into());
    &str => |value| Self::Text(value.to_owned());
    String => |value| Self::Text(value);
    CharacterId => |value| Self::Character(value);
    Place => |value| Self::Place(value);
    DVec2 => |value| Self::Place(value.into());
}

impl<T: Into<GameValue>> From<Vec<T>> for GameValue {
    fn from(values: Vec<T>) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }
}

impl<T: Into<GameValue>> From<Option<T>> for GameValue {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Nil, Into::into)
    }
}

impl From<()> for GameAnswer {
    fn from((): ()) -> Self {
        Self::default()
    }
}

impl<T: Into<GameValue>> From<T> for GameAnswer {
    fn from(value: T) -> Self {
        Self(vec![value.into()])
    }
}

impl<A: Into<GameValue>, B: Into<GameValue>> From<(A, B)> for GameAnswer {
    fn from((a, b): (A, B)) -> Self {
        Self(vec![a.into(), b.into()])
    }
}

impl<A: Into<GameValue>, B: Into<GameValue>, C: Into<GameValue>> From<(A, B, C)> for GameAnswer {
    fn from((a, b, c): (A, B, C)) -> Self {
        Self(vec![a.into(), b.into(), c.into()])
    }
}
