//! The file that declares a game's functions: `cicerone run`, `check` and `test` know them from it without the game.

use super::declared::Declaration;
use super::{Constant, GameApi, GameFunction, GameValue, StandIn, ThingKind, declared};
use crate::problem::{Problem, Source, guarded};
use crate::project::{FileError, Project};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

/// Where a project declares the functions of its game, from the project's root.
pub const GAME_API_FILE: &str = "scripts/game_api.json";

/// Largest file of declarations.
const MAX_BYTES: u64 = 4 << 20;

#[derive(Serialize, Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    functions: Vec<FunctionOfFile>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    values: Vec<ValueOfFile>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    types: Vec<TypeOfFile>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct FunctionOfFile {
    signature: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    about: String,
    /// What parameters and results mean.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    meanings: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    example: String,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    waits: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    without_game: Option<WithoutGame>,
}

#[derive(Serialize, Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct WithoutGame {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    returns: Vec<Value>,
    #[serde(default, skip_serializing_if = "is_zero")]
    seconds: f64,
}

fn is_zero(seconds: &f64) -> bool {
    *seconds == 0.0
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ValueOfFile {
    name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    about: String,
    value: Value,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TypeOfFile {
    name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    about: String,
}

impl GameApi {
    /// The declarations of a project's [`GAME_API_FILE`], as stand-ins without a game; empty if there is none.
    ///
    /// # Errors
    /// The problems of the file.
    pub fn of_project(project: &Project) -> Result<Self, Vec<Problem>> {
        let unreadable =
            |error: FileError| vec![Source::new(GAME_API_FILE, "").problem(0..0, error.to_string())];
        let place = project.resolve(GAME_API_FILE).map_err(unreadable)?;
        if !project.has(&place) {
            return Ok(Self::default());
        }
        let bytes = project.read(&place, MAX_BYTES).map_err(unreadable)?;
        Self::from_json(GAME_API_FILE, &bytes)
    }

    /// Reads declarations, as [`GameApi::to_json`] writes them. `name` is the file's, for problems.
    ///
    /// # Errors
    /// The problems of the text.
    pub fn from_json(name: &str, bytes: &[u8]) -> Result<Self, Vec<Problem>> {
        let text = String::from_utf8_lossy(bytes);
        let source = Source::new(name, text.as_ref());
        let read = guarded(bytes, || serde_json::from_str(&source.text))
            .map_err(|why| vec![source.problem(0..0, why)])?;
        let file: File = read.map_err(|error: serde_json::Error| {
            let message = error.to_string();
            let message = message.split(" at line ").next().unwrap_or_default().to_owned();
            let line = source.line(error.line() as u32).map_or(0, |(start, _)| start);
            let at = line + error.column().saturating_sub(1);
            vec![source.problem(at..at + 1, message)]
        })?;
        let api = Self::of_file(file);
        let place = |declared: &str| {
            let written = serde_json::to_string(declared).unwrap_or_default();
            let at = source.text.find(&written).unwrap_or(0);
            at..at + if at == 0 { 0 } else { written.len() }
        };
        let mistakes = api.mistakes();
        if mistakes.is_empty() {
            return Ok(api);
        }
        Err(mistakes
            .into_iter()
            .map(|mistake| source.problem(place(&mistake.declared), mistake.why))
            .collect())
    }

    /// The declarations as the text of a [`GAME_API_FILE`].
    pub fn to_json(&self) -> String {
        let function = |function: &GameFunction| {
            let Declaration { signature, about, meanings, example, waits } = function.declaration.clone();
            let StandIn { returns, seconds } = &function.stand_in;
            let stand_in =
                WithoutGame { returns: returns.iter().map(GameValue::to_json).collect(), seconds: *seconds };
            let is_default = returns.is_empty() && *seconds == 0.0;
            let without_game = (!is_default).then_some(stand_in);
            FunctionOfFile { signature, about, meanings, example, waits, without_game }
        };
        let value = |value: &Constant| ValueOfFile {
            name: value.name.clone(),
            about: value.about.clone(),
            value: value.value.to_json(),
        };
        let kind = |kind: &ThingKind| TypeOfFile { name: kind.name.to_owned(), about: kind.about.clone() };
        let file = File {
            functions: self.functions.iter().map(function).collect(),
            values: self.values.iter().map(value).collect(),
            types: self.kinds.iter().map(kind).collect(),
        };
        serde_json::to_string_pretty(&file).unwrap_or_default() + "\n"
    }

    fn of_file(file: File) -> Self {
        let function = |function: FunctionOfFile| {
            let FunctionOfFile { signature, about, meanings, example, waits, without_game } = function;
            let WithoutGame { returns, seconds } = without_game.unwrap_or_default();
            GameFunction {
                declaration: Declaration { signature, about, meanings, example, waits },
                body: None,
                stand_in: StandIn { returns: returns.iter().map(GameValue::from_json).collect(), seconds },
                is_stand_in: true,
            }
        };
        let value = |value: ValueOfFile| Constant {
            value: GameValue::from_json(&value.value),
            name: value.name,
            about: value.about,
        };
        let kind = |kind: TypeOfFile| ThingKind { name: declared::kept(&kind.name), about: kind.about };
        Self {
            functions: file.functions.into_iter().map(function).collect(),
            values: file.values.into_iter().map(value).collect(),
            kinds: file.types.into_iter().map(kind).collect(),
        }
    }
}

impl GameValue {
    /// The value of a JSON text.
    pub fn from_json(value: &Value) -> Self {
        match value {
            Value::Null => Self::Nil,
            Value::Bool(flag) => Self::Boolean(*flag),
            Value::Number(number) => match number.as_i64() {
                Some(number) => Self::Integer(number),
                None => Self::Number(number.as_f64().unwrap_or(0.0)),
            },
            Value::String(text) => Self::Text(text.clone()),
            Value::Array(values) => Self::List(values.iter().map(Self::from_json).collect()),
            Value::Object(fields) => Self::Fields(
                fields.iter().map(|(name, value)| (name.clone(), Self::from_json(value))).collect(),
            ),
        }
    }

    /// The value as JSON. Characters and things are of a running game: they are null.
    pub fn to_json(&self) -> Value {
        match self {
            Self::Boolean(flag) => Value::Bool(*flag),
            Self::Integer(number) => Value::from(*number),
            Self::Number(number) => Value::from(*number),
            Self::Text(text) => Value::String(text.clone()),
            Self::Place(place) => serde_json::json!({ "x": place.at.x, "z": place.at.y }),
            Self::List(values) => Value::Array(values.iter().map(Self::to_json).collect()),
            Self::Fields(fields) => {
                Value::Object(fields.iter().map(|(name, value)| (name.clone(), value.to_json())).collect())
            }
            Self::Nil | Self::Character(_) | Self::Thing { .. } => Value::Null,
        }
    }
}
