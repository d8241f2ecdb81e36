//! A running room for another process: orders in, what happened out, one JSON object a line. `cicerone serve` speaks
//! this over its standard streams, and so can any program that has a [`Runtime`]. The protocol is described in the book.

mod execute;
mod orders;
mod state;

pub use state::event as event_json;

use crate::crowd::CharacterId;
use crate::problem::brief_numbers;
use crate::project::read_file;
use crate::runtime::{MAX_SAVE_BYTES, Runtime, Saved};
use crate::script::Answer;
use execute::values;
use orders::Order;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The version of the protocol. It grows when something changes or goes; what is added does not count.
pub const PROTOCOL: u32 = 1;

/// The most steps of one order: ten minutes at 60 ticks a second.
const MOST_TICKS: u32 = 36_000;

/// The longest line.
const MOST_BYTES: usize = 16 << 20;

/// The longest frame: beyond a machine that slept, and a slip of the caller.
const LONGEST_FRAME_S: f64 = 365.0 * 86_400.0;

/// A room that takes orders as lines of JSON.
///
/// ```
/// use cicerone::project::{MemoryFiles, Project};
/// use cicerone::runtime::{Options, Runtime};
/// use cicerone::serve::Server;
///
/// let hall = r#"{ "areas": [{ "name": "hall", "polygon": [[0, 0], [8, 0], [8, 5], [0, 5]] }],
///     "characters": [{ "name": "ann", "at": [1, 1] }] }"#;
/// let files = Project::of_files(MemoryFiles::default().with("rooms/hall.json", hall));
/// let mut server = Server::new(Runtime::open_in(files, "rooms/hall.json".as_ref(), Options::default())?);
/// let reply = server.answer(r#"{ "id": 1, "do": "walk", "who": "ann", "to": [6, 3] }"#);
/// assert_eq!(reply.text, r#"{"id":1,"ok":true,"walk":1}"#);
/// let reply = server.answer(r#"{ "id": 2, "do": "step", "ticks": 60 }"#);
/// assert!(reply.text.starts_with(r#"{"id":2,"ok":true,"tick":60,"#), "{}", reply.text);
/// # Ok::<(), cicerone::runtime::OpenError>(())
/// ```
pub struct Server {
    runtime: Runtime,
    /// The characters as they were told last.
    told: BTreeMap<CharacterId, Map<String, Value>>,
    /// Reloads that were not told yet.
    reloads: Vec<Value>,
}

/// The reply to a line.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reply {
    /// A JSON object, in one line.
    pub text: String,
    /// Whether the line asked to end.
    pub is_last: bool,
}

/// What an order answers, or why it is refused.
pub(crate) type Told = Result<Map<String, Value>, String>;

impl Server {
    /// A server of a room.
    pub fn new(runtime: Runtime) -> Self {
        Self { runtime, told: BTreeMap::new(), reloads: Vec::new() }
    }

    /// The room.
    pub fn runtime(&mut self) -> &mut Runtime {
        &mut self.runtime
    }

    /// Tells the other process, with the next events, that a file was reloaded or refused.
    pub fn tell_reload(&mut self, text: &str) {
        self.reloads.push(json!({ "event": "reload", "text": text }));
    }

    /// Tells the other process, with the next events, what `cicerone check` newly says.
    pub fn tell_warnings(&mut self, text: &str) {
        self.reloads.push(json!({ "event": "warned", "text": text }));
    }

    /// The first line: the version of the protocol, the room and everybody in it.
    pub fn hello(&mut self) -> String {
        let mut told = Map::new();
        told.insert("protocol".into(), PROTOCOL.into());
        told.insert("version".into(), env!("CARGO_PKG_VERSION").into());
        told.extend(self.look());
        Value::Object(told).to_string()
    }

    /// Carries out an order. A line that is none is answered with an error, and changes nothing.
    pub fn answer(&mut self, line: &str) -> Reply {
        let (id, order) = match read(line) {
            Ok(read) => read,
            Err((id, why)) => return Reply { text: reply(id, Err(why)), is_last: false },
        };
        let is_last = matches!(order, Order::Quit {});
        Reply { text: reply(id, self.carry_out(order)), is_last }
    }

    fn carry_out(&mut self, order: Order) -> Told {
        match order {
            Order::Step { ticks } => {
                let ticks = ticks.unwrap_or(1);
                if ticks > MOST_TICKS {
                    return Err(format!("ticks must be {MOST_TICKS} at most, not {ticks}"));
                }
                (0..ticks).for_each(|_| self.runtime.step());
                Ok(self.happened())
            }
            Order::Advance { seconds } => {
                if !(0.0..=LONGEST_FRAME_S).contains(&seconds) {
                    return Err(format!(
                        "seconds must be from 0 to {LONGEST_FRAME_S} (a year), not {seconds}"
                    ));
                }
                let steps = self.runtime.advance(seconds);
                let mut told = self.happened();
                told.insert("steps".into(), steps.into());
                Ok(told)
            }
            Order::Look {} => Ok(self.look()),
            Order::Restore { save, file } => {
                let saved = match (save, file) {
                    (Some(save), None) => Saved::read("save", &save),
                    (None, Some(file)) => {
                        let name = file.display().to_string();
                        let text =
                            read_file(&file, MAX_SAVE_BYTES).map_err(|error| format!("{name}: {error}"))?;
                        Saved::read(&name, &String::from_utf8_lossy(&text))
                    }
                    _ => return Err("restore takes `save`, the text, or `file`, the name of a file".into()),
                };
                let saved = saved.map_err(|error| error.to_string())?;
                self.runtime.go_back_to(&saved).map_err(|error| error.to_string())?;
                self.told.clear();
                Ok(self.look())
            }
            Order::Quit {} => Ok(Map::new()),
            order => execute::execute(&mut self.runtime, order),
        }
    }

    /// The whole room.
    fn look(&mut self) -> Map<String, Value> {
        let mut told = Map::new();
        {
            let world = self.runtime.world();
            let areas = world.room().areas.iter().map(|area| {
                let available = world.is_area_available(&area.name).unwrap_or(true);
                (area.name.clone(), available.into())
            });
            told.insert("room".into(), world.room().name.clone().into());
            told.insert("ticksPerSecond".into(), world.room().ticks_per_second.into());
            told.insert("areas".into(), Value::Object(areas.collect()));
            let points = world.room().points.iter().map(|(name, place)| (name.clone(), json!(place)));
            told.insert("points".into(), Value::Object(points.collect()));
        }
        self.told.clear();
        told.extend(self.happened());
        told
    }

    /// What is new since the last time: characters that changed, those that left, events, answers of lines of Lua.
    fn happened(&mut self) -> Map<String, Value> {
        let mut events = std::mem::take(&mut self.reloads);
        events.extend(self.runtime.take_events().iter().map(state::event));
        let answers: Vec<Value> = self.runtime.take_answers().iter().map(answered).collect();
        let world = self.runtime.world();
        let mut told = Map::new();
        told.insert("tick".into(), world.tick_number().into());
        told.insert("hash".into(), format!("{:016x}", world.checksum()).into());
        let mut changed = Vec::new();
        for character in world.characters() {
            let now = state::character(world, character, false);
            let before = self.told.get(&character.id);
            if before != Some(&now) {
                changed.push(Value::Object(state::character(world, character, before.is_none())));
                self.told.insert(character.id, now);
            }
        }
        told.insert("characters".into(), changed.into());
        let gone: Vec<u32> =
            self.told.keys().filter(|id| world.character(**id).is_none()).map(|id| id.0).collect();
        self.told.retain(|id, _| world.character(*id).is_some());
        if !gone.is_empty() {
            told.insert("gone".into(), gone.into());
        }
        told.insert("events".into(), events.into());
        if !answers.is_empty() {
            told.insert("answers".into(), answers.into());
        }
        told
    }
}

/// Carries out an order of the page: those that change or ask the room, none that steps or replaces it.
#[cfg(feature = "page")]
pub(crate) fn order_of_page(runtime: &mut Runtime, order: Map<String, Value>) -> Told {
    match serde_json::from_value(Value::Object(order)).map_err(|error| error.to_string())? {
        Order::Step { .. }
        | Order::Advance { .. }
        | Order::Look {}
        | Order::Replace { .. }
        | Order::Save { .. }
        | Order::Restore { .. }
        | Order::Finish { .. }
        | Order::Quit {} => Err("the page has no such order".into()),
        order => execute::execute(runtime, order),
    }
}

/// The id and the order of a line.
fn read(line: &str) -> Result<(Option<Value>, Order), (Option<Value>, String)> {
    // Some systems begin a stream with a byte order mark.
    let line = line.strip_prefix('\u{feff}').unwrap_or(line);
    if line.len() > MOST_BYTES {
        return Err((None, format!("a line may have {MOST_BYTES} bytes at most")));
    }
    let object: Map<String, Value> =
        serde_json::from_str(line).map_err(|error| (None, format!("this is no JSON object: {error}")))?;
    let mut object = object;
    let id = object.remove("id");
    match serde_json::from_value(Value::Object(object)) {
        Ok(order) => Ok((id, order)),
        Err(error) => Err((id, error.to_string())),
    }
}

fn reply(id: Option<Value>, told: Told) -> String {
    let mut object = Map::new();
    object.extend(id.map(|id| ("id".to_owned(), id)));
    match told {
        Ok(told) => {
            object.insert("ok".into(), true.into());
            object.extend(told);
        }
        Err(why) => drop(object.insert("error".into(), brief_numbers(&why).into())),
    }
    Value::Object(object).to_string()
}

fn answered(answer: &Answer) -> Value {
    match values(answer) {
        Ok(values) => Value::Object(values),
        Err(why) => json!({ "error": brief_numbers(&why) }),
    }
}
