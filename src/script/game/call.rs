//! A script's call of a game's function.

use super::value::GameValue;
use crate::crowd::CharacterId;
use crate::nav::Place;
use crate::script::error::shortened;
use crate::world::{Applied, Command, CommandError, World};
use std::fmt;
use std::ops::Deref;

/// The number of a call, for `Runtime::finish_call`. Never used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallId(pub u64);

/// A call of a game's function.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Called {
    /// Its number.
    pub id: CallId,
    /// The function as scripts write it: `play_sound`, `npc:play_animation`.
    pub function: &'static str,
    /// The character that a method was called on.
    pub who: Option<CharacterId>,
    /// The thing that a method was called on: its number.
    pub thing: Option<u64>,
    /// The arguments in order, as the signature declares them; [`GameValue::Nil`] for those left out.
    pub arguments: Vec<GameValue>,
    /// Whether the script waits until `Runtime::finish_call`.
    pub waits: bool,
    /// The tick.
    pub tick: u64,
    /// The call in words, with the character's name: `guard:play_animation("wave")`.
    pub text: String,
}

/// An argument is of another type than the game asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrongArgument(String);

impl fmt::Display for WrongArgument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for WrongArgument {}

/// The longest text of a call: tables of thousands of values fill no log.
const LONGEST_TEXT: usize = 1000;

/// A call in words: `guard:play_animation("wave")`. Arguments left out at the end are not shown.
pub(in crate::script) fn in_words(world: &World, function: &str, arguments: &[GameValue]) -> String {
    let given = arguments.iter().rposition(|value| *value != GameValue::Nil).map_or(0, |last| last + 1);
    let word = |value: &GameValue| match value {
        GameValue::Character(id) => world.name_of(*id).to_owned(),
        other => other.to_string(),
    };
    let words: Vec<String> = arguments[..given].iter().map(word).collect();
    shortened(format!("{function}({})", words.join(", ")), LONGEST_TEXT)
}

macro_rules! getter {
    ($(#[doc = $doc:literal])+ $name:ident: $type:ty = $what:literal, $($pattern:pat => $value:expr),+) => {
        $(#[doc = $doc])+
        ///
        /// # Errors
        /// [`WrongArgument`], if it is left out or of another type.
        pub fn $name(&self, index: usize) -> Result<$type, WrongArgument> {
            match self.argument(index) {
                $($pattern => Ok($value),)+
                other => Err(self.wrong(index, $what, other)),
            }
        }
    };
}

impl Called {
    /// An argument by its index, from 0; nil if there is none.
    pub fn argument(&self, index: usize) -> &GameValue {
        self.arguments.get(index).unwrap_or(&GameValue::Nil)
    }

    getter! {
        /// An argument that is a string.
        text: &str = "a string", GameValue::Text(text) => text
    }
    getter! {
        /// An argument that is a number.
        number: f64 = "a number",
        GameValue::Number(number) => *number,
        GameValue::Integer(number) => *number as f64
    }
    getter! {
        /// An argument that is a whole number.
        integer: i64 = "a whole number", GameValue::Integer(number) => *number
    }
    getter! {
        /// An argument that is true or false.
        boolean: bool = "true or false", GameValue::Boolean(flag) => *flag
    }
    getter! {
        /// An argument that is a character.
        character: CharacterId = "a character", GameValue::Character(id) => *id
    }
    getter! {
        /// An argument that is a position.
        place: Place = "a place", GameValue::Place(place) => *place
    }
    getter! {
        /// An argument that is a thing of the game: its number.
        thing_id: u64 = "a thing of the game", GameValue::Thing { id, .. } => *id
    }

    fn wrong(&self, index: usize, expected: &str, found: &GameValue) -> WrongArgument {
        let (number, function) = (index.saturating_add(1), self.function);
        WrongArgument(format!("argument {number} of {function} is {}, not {expected}", found.in_words()))
    }
}

/// A call while the game's function runs: its arguments, and the room.
///
/// What was read of the world is gone before the world changes: the compiler sees to it. The arguments stay.
///
/// ```
/// # use cicerone::{runtime::Options, world::Command};
/// let options = Options::default().game_api(|api| {
///     api.function("unlock(area: string) -> tick: integer", "Opens an area.", |call| {
///         let area = call.text(0)?;
///         let tick = call.world().tick_number();
///         call.apply(Command::SetAreaAvailable { area: area.to_owned(), available: true })?;
///         Ok(tick as i64)
///     })
/// });
/// # let _ = options;
/// ```
///
/// ```compile_fail,E0502
/// # use cicerone::{runtime::Options, world::Command};
/// let options = Options::default().game_api(|api| {
///     api.function("unlock(area: string) -> tick: integer", "Opens an area.", |call| {
///         let area = call.text(0)?;
///         let world = call.world();
///         call.apply(Command::SetAreaAvailable { area: area.to_owned(), available: true })?;
///         Ok(world.tick_number() as i64) // of which world?
///     })
/// });
/// # let _ = options;
/// ```
pub struct GameCall<'a> {
    pub(in crate::script) called: &'a Called,
    pub(in crate::script) room: &'a mut dyn CalledFrom,
}

/// The room that a call comes from.
pub(in crate::script) trait CalledFrom {
    fn world(&self) -> &World;
    fn apply(&mut self, command: Command) -> Result<Applied, CommandError>;
}

impl Deref for GameCall<'_> {
    type Target = Called;

    fn deref(&self) -> &Called {
        self.called
    }
}

impl<'a> GameCall<'a> {
    /// The call by itself, for as long as the function runs.
    pub fn called(&self) -> &'a Called {
        self.called
    }

    /// [`Called::argument`], for as long as the function runs.
    pub fn argument(&self, index: usize) -> &'a GameValue {
        self.called.argument(index)
    }

    /// [`Called::text`], for as long as the function runs.
    ///
    /// # Errors
    /// [`WrongArgument`], if it is left out or of another type.
    pub fn text(&self, index: usize) -> Result<&'a str, WrongArgument> {
        self.called.text(index)
    }

    /// The room as it is now.
    pub fn world(&self) -> &World {
        self.room.world()
    }

    /// Carries out a command now.
    ///
    /// # Errors
    /// [`CommandError`]: why the world refuses it; nothing has changed then.
    pub fn apply(&mut self, command: Command) -> Result<Applied, CommandError> {
        self.room.apply(command)
    }
}
