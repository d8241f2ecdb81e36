//! A running room for another process: orders in, what happened out, one JSON object a line. `cicerone serve` speaks
//! this over its standard streams, and so can any program that has a [`Runtime`]. The protocol is described in the book.

mod orders;
mod state;

pub use state::event as event_json;

use crate::crowd::CharacterId;
use crate::nav::{Outcome, Place};
use crate::problem::did_you_mean;
use crate::runtime::{Input, Reload, Runtime, Saved};
use crate::script::{Answer, CallId, GameAnswer, GameValue};
use crate::world::{Applied, Command, MAX_FOLLOW_M, WalkEnd};
use glam::DVec2;
use orders::{Order, Spot, Who};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The version of the protocol. It grows when something changes or goes; what is added does not count.
pub const PROTOCOL: u32 = 1;

/// The most steps of one order: ten minutes at 60 ticks a second.
const MOST_TICKS: u32 = 36_000;

/// The longest line.
const MOST_BYTES: usize = 16 << 20;

/// How near a follower stays, in metres, if the order does not say.
const FOLLOW_M: f64 = 1.5;

/// How long words are shown, in seconds, if the order does not say.
const SAY_S: f64 = 2.0;

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

type Told = Result<Map<String, Value>, String>;

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
                let steps = self.runtime.advance(seconds);
                let mut told = self.happened();
                told.insert("steps".into(), steps.into());
                Ok(told)
            }
            Order::Look {} => Ok(self.look()),
            Order::Click { at } => {
                let at = self.spot_to_click(&at)?;
                self.runtime.send(Input::Click(at));
                Ok(Map::new())
            }
            Order::Steer { direction, who: None } => {
                self.runtime.send(Input::Steer(direction.into()));
                Ok(Map::new())
            }
            Order::Lua { line } => self.lua(line),
            Order::Path { from, to } => self.path(&from, &to),
            Order::Replace { file, content } => self.replace(&file, &content),
            Order::Save {} => {
                let saved = self.runtime.save().map_err(|error| error.to_string())?;
                let text = saved.to_json().map_err(|error| error.to_string())?;
                Ok(one("save", text))
            }
            Order::Restore { save } => {
                let saved = Saved::read("save", &save).map_err(|error| error.to_string())?;
                self.runtime.go_back_to(&saved).map_err(|error| error.to_string())?;
                self.told.clear();
                Ok(self.look())
            }
            Order::Finish { call, results } => {
                let results = results.unwrap_or_default();
                let answer = GameAnswer(results.iter().map(GameValue::from_json).collect());
                self.runtime.finish_call(CallId(call), answer).map_err(|error| error.to_string())?;
                Ok(Map::new())
            }
            Order::Quit {} => Ok(Map::new()),
            order => {
                let command = self.command(order)?;
                let applied = self.runtime.apply(command).map_err(|error| error.to_string())?;
                Ok(told_of(applied))
            }
        }
    }

    fn command(&self, order: Order) -> Result<Command, String> {
        Ok(match order {
            Order::Walk { who, to, exact } => {
                let (who, to) = self.walker(&who, &to)?;
                match exact {
                    Some(true) => Command::SetExactTarget { who, to, look_at: None },
                    _ => Command::SetTarget { who, to },
                }
            }
            Order::TalkTo { who, other } => {
                Command::TalkTo { who: self.character(&who)?, other: self.character(&other)? }
            }
            Order::Follow { who, other, distance } => {
                let distance_m = distance.unwrap_or(FOLLOW_M);
                if !(0.0..=MAX_FOLLOW_M).contains(&distance_m) {
                    return Err(format!("distance must be 0 to {MAX_FOLLOW_M}, not {distance_m}"));
                }
                Command::Follow { who: self.character(&who)?, other: self.character(&other)?, distance_m }
            }
            Order::Use { who, object } => Command::Use { who: self.character(&who)?, object },
            Order::Turn { who, to } => {
                let (who, to) = self.walker(&who, &to)?;
                Command::Turn { who, to }
            }
            Order::Stop { who } => {
                Command::Stop { who: self.character(&who)?, walk: None, end: WalkEnd::Cancelled }
            }
            Order::Teleport { who, to } => {
                let (who, to) = self.walker(&who, &to)?;
                Command::Teleport { who, to }
            }
            Order::Push { who, by } => Command::Push { who: self.character(&who)?, by: by.into() },
            Order::Steer { direction, who } => {
                let who = who.as_ref().map_or(Err("who is missing".into()), |who| self.character(who))?;
                Command::Steer { who, direction: DVec2::from(direction) }
            }
            Order::Say { who, text, seconds } => {
                Command::Say { who: self.character(&who)?, text, seconds: seconds.unwrap_or(SAY_S) }
            }
            Order::Spawn { name, at, script, player, tags, walk_speed, collision_radius } => {
                let world = self.runtime.world();
                let mut spec = world.room().character_at(self.spot(&at, None)?).with_name(name);
                (spec.script, spec.player) = (script, player.unwrap_or(false));
                spec.tags = tags.unwrap_or_default();
                spec.walk_speed_mps = walk_speed.unwrap_or(spec.walk_speed_mps);
                spec.collision_radius_m = collision_radius.unwrap_or(spec.collision_radius_m);
                Command::Spawn(Box::new(spec))
            }
            Order::Despawn { who } => Command::Despawn(self.character(&who)?),
            Order::SetArea { area, available } => Command::SetAreaAvailable { area, available },
            Order::SetLink { link, available } => Command::SetLinkAvailable { link, available },
            other => return Err(format!("{other:?} is no command")),
        })
    }

    fn character(&self, who: &Who) -> Result<CharacterId, String> {
        let world = self.runtime.world();
        match who {
            Who::Number(number) => match world.character(CharacterId(*number)) {
                Some(character) => Ok(character.id),
                None => Err(format!("there is no character {number}")),
            },
            Who::Name(name) => world.character_named(name).map(|character| character.id).ok_or_else(|| {
                let names = world.characters().iter().map(|character| character.name.as_str());
                let hint = did_you_mean(name, names).map(|near| format!("; did you mean '{near}'?"));
                format!("there is no character '{name}'{}", hint.unwrap_or_default())
            }),
        }
    }

    /// A character, and a place as seen from it.
    fn walker(&self, who: &Who, to: &Spot) -> Result<(CharacterId, Place), String> {
        let who = self.character(who)?;
        Ok((who, self.spot(to, Some(who))?))
    }

    fn spot(&self, spot: &Spot, from: Option<CharacterId>) -> Result<Place, String> {
        let world = self.runtime.world();
        let from = from.and_then(|who| world.character(who)).map(|character| character.position);
        match spot {
            Spot::At(place) => Ok(*place),
            Spot::Name(name) => world.place_from(name, from).ok_or_else(|| {
                let hint = world.similar_place(name).map(|near| format!("; did you mean '{near}'?"));
                format!("there is no place '{name}'{}", hint.unwrap_or_default())
            }),
        }
    }

    fn spot_to_click(&self, spot: &Spot) -> Result<Place, String> {
        let named = match spot {
            Spot::Name(name) => self.runtime.world().place_to_click(name),
            Spot::At(_) => None,
        };
        named.map_or_else(|| self.spot(spot, None), Ok)
    }

    fn lua(&mut self, line: String) -> Told {
        self.runtime.send(Input::Console(line));
        self.runtime.drain_inbox();
        match self.runtime.take_answers().pop() {
            None => Ok(one("waiting", true)),
            Some(answer) => values(&answer),
        }
    }

    fn path(&self, from: &Spot, to: &Spot) -> Told {
        let (from, to) = (self.spot(from, None)?, self.spot(to, None)?);
        let path = self.runtime.find_path(from, to);
        let world = self.runtime.world();
        let points: Vec<Value> =
            path.waypoints.iter().map(|&at| json!(world.ground().place_of(at))).collect();
        let mut told = one("points", points);
        told.insert("complete".into(), (path.outcome == Outcome::Complete).into());
        told.insert("length".into(), path.length_m.into());
        Ok(told)
    }

    fn replace(&mut self, file: &str, content: &str) -> Told {
        let reload = self.runtime.replace_file(file, content).map_err(|error| format!("{file}: {error}"))?;
        match reload {
            Reload::Unchanged => Ok(one("changes", Vec::<Value>::new())),
            Reload::Done { changes, .. } => Ok(one("changes", changes)),
            Reload::Refused { problems, .. } => {
                Err(problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
            }
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
            let now = state::character(&world, character, false);
            let before = self.told.get(&character.id);
            if before != Some(&now) {
                changed.push(Value::Object(state::character(&world, character, before.is_none())));
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

/// The id and the order of a line.
fn read(line: &str) -> Result<(Option<Value>, Order), (Option<Value>, String)> {
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
        Err(why) => drop(object.insert("error".into(), why.into())),
    }
    Value::Object(object).to_string()
}

fn one(name: &str, value: impl Into<Value>) -> Map<String, Value> {
    Map::from_iter([(name.to_owned(), value.into())])
}

fn told_of(applied: Applied) -> Map<String, Value> {
    match applied {
        Applied::Done => Map::new(),
        Applied::Changed(changed) => one("changed", changed),
        Applied::Walking(walk) => one("walk", walk.0),
        Applied::Spawned(who) => one("character", who.0),
        Applied::Linked(link) => one("link", link.0),
    }
}

/// The answer to a line of Lua.
fn values(answer: &Answer) -> Told {
    match answer {
        Answer::Values(values) => {
            Ok(one("values", values.iter().map(crate::script::Datum::to_json).collect::<Vec<_>>()))
        }
        other => Err(other.to_string()),
    }
}

fn answered(answer: &Answer) -> Value {
    match values(answer) {
        Ok(values) => Value::Object(values),
        Err(why) => json!({ "error": why }),
    }
}
