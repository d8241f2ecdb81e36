//! The functions, values and types that a game gives to its scripts.

mod call;
mod code;
mod declared;
mod file;
mod state;
mod value;

pub use call::{CallId, Called, GameCall, WrongArgument};
pub(in crate::script) use call::{CalledFrom, in_words};
pub(in crate::script) use code::Code;
pub(in crate::script) use declared::{Declaration, GameType, Shape, Slot};
pub use file::GAME_API_FILE;
pub(in crate::script) use state::{GameState, Pending, Registered};
pub use value::{GameAnswer, GameValue};

use super::api::{Entry, Object, entries_of, is_event};
use super::complete::LIBRARIES;
use super::parse::KEYWORDS;
use std::collections::BTreeSet;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

/// Why a game's function fails: any error, or a text with `Err("no such sound".into())`.
pub type GameError = Box<dyn Error + Send + Sync>;

/// The functions, values and types that a game gives to its scripts. Scripts use them as those of cicerone: arguments
/// are checked, calls cost instructions, and the reference, completion and checks know them.
///
/// ```
/// use cicerone::runtime::Options;
/// use std::sync::{Arc, Mutex};
///
/// let played = Arc::new(Mutex::new(Vec::new()));
/// let sounds = played.clone();
/// let options = Options::default().game_api(|api| {
///     api.function("play_sound(name: string, volume?: number)", "Plays a sound.", move |call| {
///         let volume = call.number(1).unwrap_or(1.0);
///         sounds.lock().map_err(|_| "no sound")?.push((call.text(0)?.to_owned(), volume));
///         Ok(())
///     })
///     .example("play_sound(\"creak\")")
///     .waiting("npc:play_animation(name: string)", "Plays an animation to its end.")
///     .value("difficulty", "How hard the game is: 1 to 3.", 2)
/// });
/// # let _ = options;
/// ```
///
/// # Signatures
/// `name(parameter: type, optional?: type) -> result: type, …`; `npc:name(…)` is a method of characters, `Item:name(…)`
/// one of the type `Item`, which [`GameApi::kind`] declares. Types are `string`, `number`, `integer`, `boolean`, `any`,
/// `Npc`, `Place`, `string[]`, and those that the game declares. A wrong signature is an error when the room is opened.
#[derive(Clone, Default)]
pub struct GameApi {
    pub(in crate::script) functions: Vec<GameFunction>,
    pub(in crate::script) values: Vec<Constant>,
    pub(in crate::script) kinds: Vec<ThingKind>,
}

/// A function, as registered.
#[derive(Clone)]
pub(in crate::script) struct GameFunction {
    pub(super) declaration: Declaration,
    pub(in crate::script) body: Option<Arc<Code>>,
    /// What it returns, and after how many seconds, where there is no game.
    pub(in crate::script) stand_in: StandIn,
    /// Whether only a file declares it: there is no game to act.
    pub(in crate::script) is_stand_in: bool,
}

impl GameFunction {
    /// Why nothing could ever give the declared results, if so.
    fn lacks_an_answer(&self, shape: &Shape) -> Option<String> {
        let is_action = self.body.is_none() && !self.declaration.waits && !self.is_stand_in;
        (is_action && !shape.results.is_empty()).then(|| {
            "an action has no results: give the function code, or let scripts wait for it".to_owned()
        })
    }
}

/// What stands in for a function where there is no game.
#[derive(Debug, Clone, Default, PartialEq)]
pub(in crate::script) struct StandIn {
    pub(in crate::script) returns: Vec<GameValue>,
    pub(in crate::script) seconds: f64,
}

/// A value of the game.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::script) struct Constant {
    pub(in crate::script) name: String,
    pub(in crate::script) about: String,
    pub(in crate::script) value: GameValue,
}

/// A type of the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::script) struct ThingKind {
    pub(in crate::script) name: &'static str,
    pub(in crate::script) about: String,
}

/// A mistake in what a game declares.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct BadDeclaration {
    /// The signature or name, as declared.
    pub declared: String,
    /// What is wrong with it.
    pub why: String,
}

impl fmt::Display for BadDeclaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the game's '{}': {}", self.declared, self.why)
    }
}

impl Error for BadDeclaration {}

/// The most functions, values and types that a game gives.
const MOST: usize = 1000;

impl GameApi {
    /// Adds a function that answers at once. It runs while a script runs, so it gets the room read-only, and changes it
    /// with [`GameCall::apply`]. An error or a panic in it is an error of the script.
    #[must_use]
    pub fn function<R: Into<GameAnswer>>(
        self,
        signature: &str,
        about: &str,
        mut body: impl FnMut(&mut GameCall<'_>) -> Result<R, GameError> + Send + 'static,
    ) -> Self {
        let body = Code::new(move |call| body(call).map(Into::into));
        self.with(signature, about, Some(body), false)
    }

    /// Adds a function without an answer: the game gets each call as [`Note::Called`](super::Note::Called) from
    /// `Runtime::take_events`, and acts on it when it likes.
    #[must_use]
    pub fn action(self, signature: &str, about: &str) -> Self {
        self.with(signature, about, None, false)
    }

    /// Adds a function for sequences: the game gets each call as [`Note::Called`](super::Note::Called), and the script
    /// waits until `Runtime::finish_call`.
    #[must_use]
    pub fn waiting(self, signature: &str, about: &str) -> Self {
        self.with(signature, about, None, true)
    }

    /// Adds a value under a name that every script has. Scripts cannot set it.
    #[must_use]
    pub fn value(mut self, name: &str, about: &str, value: impl Into<GameValue>) -> Self {
        let value = value.into();
        self.values.push(Constant { name: name.to_owned(), about: about.to_owned(), value });
        self
    }

    /// Adds a type for things of the game, to be used in signatures: scripts hold them, compare them and hand them back
    /// as [`GameValue::Thing`].
    #[must_use]
    pub fn kind(mut self, name: &str, about: &str) -> Self {
        self.kinds.push(ThingKind { name: declared::kept(name), about: about.to_owned() });
        self
    }

    /// Lines of Lua that show the use of the function added last.
    #[must_use]
    pub fn example(self, lua: &str) -> Self {
        self.of_last(|function| lua.clone_into(&mut function.declaration.example))
    }

    /// What a parameter or a result of the function added last means.
    #[must_use]
    pub fn meaning(self, name: &str, about: &str) -> Self {
        self.of_last(|function| {
            function.declaration.meanings.insert(name.to_owned(), about.to_owned());
        })
    }

    /// What the function added last returns where there is no game: in `cicerone run` and in specs.
    #[must_use]
    pub fn without_game(self, returns: impl Into<GameAnswer>) -> Self {
        self.of_last(|function| function.stand_in.returns = returns.into().0)
    }

    /// How long the waiting function added last takes where there is no game, in seconds.
    #[must_use]
    pub fn seconds_without_game(self, seconds: f64) -> Self {
        self.of_last(|function| function.stand_in.seconds = seconds)
    }

    /// Every mistake in the declarations: `Runtime::open` refuses them.
    pub fn mistakes(&self) -> Vec<BadDeclaration> {
        let mut found = Vec::new();
        let mut complain =
            |declared: &str, why: String| found.push(BadDeclaration { declared: declared.into(), why });
        if self.functions.len().max(self.values.len()).max(self.kinds.len()) > MOST {
            complain("declarations", format!("there are more than {MOST} of a kind"));
            return found;
        }
        let mut names = BTreeSet::new();
        for kind in &self.kinds {
            if let Some(why) = not_free(Object::Global, kind.name) {
                complain(kind.name, why);
            } else if !names.insert(kind.name.to_owned()) {
                complain(kind.name, "there is another of this name".into());
            }
        }
        for function in &self.functions {
            let shape = function.declaration.shape(&self.kind_names());
            let why = match shape {
                Err(why) => Some(why),
                Ok(shape) => not_free(shape.entry.object, shape.entry.name)
                    .or_else(|| {
                        let is_new = names.insert(shape.entry.spoken());
                        (!is_new).then(|| "there is another of this name".to_owned())
                    })
                    .or_else(|| function.stand_in.mistake(&shape))
                    .or_else(|| function.lacks_an_answer(&shape)),
            };
            if let Some(why) = why {
                complain(&function.declaration.signature, why);
            }
        }
        for value in &self.values {
            if let Some(why) = not_free(Object::Global, &value.name) {
                complain(&value.name, why);
            } else if !names.insert(value.name.clone()) {
                complain(&value.name, "there is another of this name".into());
            } else if !is_plain(&value.value) {
                complain(&value.name, "a value of a game is a string, a number, true or false".into());
            }
        }
        found
    }

    /// The entries of the functions and values, in the order in which they were added; those with mistakes are left out.
    pub fn entries(&self) -> impl Iterator<Item = &'static Entry> {
        let kinds = self.kind_names();
        let functions =
            self.functions.iter().filter_map(move |function| function.declaration.shape(&kinds).ok());
        functions.map(|shape| shape.entry).chain(self.values.iter().map(Constant::entry))
    }

    /// Whether any function has code: calling it again may do something in the game.
    pub(crate) fn has_code(&self) -> bool {
        self.functions.iter().any(|function| function.body.is_some())
    }

    /// Whether nothing was added.
    pub fn is_empty(&self) -> bool {
        self.functions.is_empty() && self.values.is_empty() && self.kinds.is_empty()
    }

    pub(in crate::script) fn kind_names(&self) -> Vec<&'static str> {
        self.kinds.iter().map(|kind| kind.name).collect()
    }

    /// These declarations, and of a file's those that are not among them, as stand-ins. Returns what differs, in words.
    pub(crate) fn join(mut self, of_file: Self) -> (Self, Vec<String>) {
        let mut differences = Vec::new();
        let has_game = !self.is_empty();
        for function in of_file.functions {
            let spoken = function.declaration.spoken();
            let ours = self.functions.iter().find(|ours| ours.declaration.spoken() == spoken);
            match ours {
                Some(ours) if ours.declaration.signature != function.declaration.signature => {
                    let (there, here) = (&function.declaration.signature, &ours.declaration.signature);
                    differences.push(format!("the file declares {there}, and the game gives {here}"));
                }
                Some(_) => {}
                None => {
                    if has_game {
                        differences.push(format!("the game does not give {spoken}, so it does nothing"));
                    }
                    self.functions.push(function);
                }
            }
        }
        for value in of_file.values {
            if !self.values.iter().any(|ours| ours.name == value.name) {
                self.values.push(value);
            }
        }
        for kind in of_file.kinds {
            if !self.kinds.iter().any(|ours| ours.name == kind.name) {
                self.kinds.push(kind);
            }
        }
        (self, differences)
    }

    fn with(mut self, signature: &str, about: &str, body: Option<Arc<Code>>, waits: bool) -> Self {
        let declaration = Declaration {
            signature: signature.trim().to_owned(),
            about: about.to_owned(),
            waits,
            ..Declaration::default()
        };
        self.functions.push(GameFunction {
            declaration,
            body,
            stand_in: StandIn::default(),
            is_stand_in: false,
        });
        self
    }

    fn of_last(mut self, change: impl FnOnce(&mut GameFunction)) -> Self {
        if let Some(function) = self.functions.last_mut() {
            change(function);
        }
        self
    }
}

impl StandIn {
    fn mistake(&self, shape: &Shape) -> Option<String> {
        if !(0.0..=86_400.0).contains(&self.seconds) {
            return Some(format!("the seconds without a game must be 0 to 86400, not {}", self.seconds));
        }
        if self.returns.len() > shape.results.len() {
            return Some("without a game it returns more values than its signature has".into());
        }
        let mut all = self.returns.iter().zip(&shape.results).zip(shape.entry.returns);
        all.find_map(|((value, slot), declared)| {
            let (name, of) = (declared.name, declared.lua_type);
            let wrong = *value != GameValue::Nil && !slot.takes(value);
            wrong.then(|| format!("without a game it returns {} for {name}: {of}", value.in_words()))
        })
    }
}

impl GameFunction {
    pub(in crate::script) fn shape(&self, kinds: &[&'static str]) -> Option<Shape> {
        self.declaration.shape(kinds).ok()
    }

    pub(in crate::script) fn waits(&self) -> bool {
        self.declaration.waits
    }
}

impl Constant {
    fn entry(&self) -> &'static Entry {
        let lua_type = match self.value {
            GameValue::Boolean(_) => "boolean",
            GameValue::Integer(_) => "integer",
            GameValue::Number(_) => "number",
            _ => "string",
        };
        declared::entry_of_value(&self.name, &self.about, lua_type)
    }
}

/// By what is declared; functions with code are equal only if it is the same code.
impl PartialEq for GameApi {
    fn eq(&self, other: &Self) -> bool {
        let same_code = |a: &GameFunction, b: &GameFunction| match (&a.body, &b.body) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        };
        let same = |(a, b): (&GameFunction, &GameFunction)| {
            a.declaration == b.declaration
                && a.stand_in == b.stand_in
                && a.is_stand_in == b.is_stand_in
                && same_code(a, b)
        };
        self.values == other.values
            && self.kinds == other.kinds
            && self.functions.len() == other.functions.len()
            && self.functions.iter().zip(&other.functions).all(same)
    }
}

impl fmt::Debug for GameApi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let functions = self.functions.iter().map(|function| &function.declaration.signature);
        f.debug_list().entries(functions).entries(self.values.iter().map(|value| &value.name)).finish()
    }
}

/// Why a game cannot take a name, if so.
fn not_free(object: Object, name: &str) -> Option<String> {
    if !is_name(name) {
        return Some(format!("'{name}' is not a name of Lua"));
    }
    let taken = entries_of(object).any(|entry| entry.name == name);
    let of_lua = || {
        LIBRARIES.iter().any(|(library, names)| {
            *library == name || library.is_empty() && names.split_whitespace().any(|known| known == name)
        })
    };
    let is_global = object == Object::Global;
    let of_specs = || entries_of(Object::Spec).any(|entry| entry.name == name);
    if taken || is_global && (of_lua() || of_specs() || ["self", "npc", "print"].contains(&name)) {
        return Some(format!("there is a '{name}' in all scripts already"));
    }
    is_event(name).then(|| format!("'{name}' is an event: scripts define it themselves"))
}

/// Whether a text can be a name in Lua.
pub(in crate::script) fn is_name(text: &str) -> bool {
    super::answer::is_name(text) && !KEYWORDS.contains(&text)
}

fn is_plain(value: &GameValue) -> bool {
    matches!(value, GameValue::Boolean(_) | GameValue::Integer(_) | GameValue::Number(_) | GameValue::Text(_))
}
