//! Orders that change or ask the room, for whichever program gives them.

use super::orders::{Order, Spot, Who};
use super::{MOST_BYTES, Told};
use crate::crowd::CharacterId;
use crate::nav::{Outcome, Place};
use crate::problem::did_you_mean;
use crate::project::{FileError, save_file};
use crate::runtime::{Input, MAX_SAVE_BYTES, Reload, Runtime};
use crate::script::{Answer, CallId, GameAnswer, GameValue};
use crate::world::{Applied, Command, HotspotChange, MAX_FOLLOW_M, WalkEnd};
use glam::DVec2;
use serde_json::{Map, Value, json};
use std::path::Path;

/// How near a follower stays, in metres, if the order does not say.
const FOLLOW_M: f64 = 1.5;

/// How long words are shown, in seconds, if the order does not say.
const SAY_S: f64 = 2.0;

/// What an order has beside the save in it: its id and its words.
const ORDER_BYTES: usize = 64 << 10;

/// Carries out an order about the room as it is.
pub(super) fn execute(runtime: &mut Runtime, order: Order) -> Told {
    Executor { runtime }.execute(order)
}

struct Executor<'a> {
    runtime: &'a mut Runtime,
}

impl Executor<'_> {
    fn execute(&mut self, order: Order) -> Told {
        match order {
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
            Order::Save { file } => self.save(file.as_deref()),
            Order::Finish { call, results } => {
                let results = results.unwrap_or_default();
                let answer = GameAnswer(results.iter().map(GameValue::from_json).collect());
                self.runtime.finish_call(CallId(call), answer).map_err(|error| error.to_string())?;
                Ok(Map::new())
            }
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
            Order::Spawn { name, at, script, player, tags, walk_speed, radius, collision_radius } => {
                if let Some(why) =
                    script.as_deref().and_then(|script| self.runtime.trouble_with_script(script))
                {
                    return Err(why);
                }
                let world = self.runtime.world();
                let mut spec = world.room().character_at(self.spot(&at, None)?).with_name(name);
                (spec.script, spec.player) = (script, player.unwrap_or(false));
                spec.tags = tags.unwrap_or_default();
                spec.walk_speed_mps = walk_speed.unwrap_or(spec.walk_speed_mps);
                spec.radius_m = radius;
                spec.collision_radius_m = collision_radius
                    .or(radius.filter(|radius_m| *radius_m > 0.0))
                    .unwrap_or(spec.collision_radius_m);
                Command::Spawn(Box::new(spec))
            }
            Order::Despawn { who } => Command::Despawn(self.character(&who)?),
            Order::SetArea { area, available } => Command::SetAreaAvailable { area, available },
            Order::SetLink { link, available } => Command::SetLinkAvailable { link, available },
            Order::SetWaypath { waypath, available } => Command::SetWaypathAvailable { waypath, available },
            Order::SetHotspot { hotspot, enabled, at, walk_to, cursor } => {
                let walk_to = walk_to.map(|spot| self.spot(&spot, None)).transpose()?;
                let change = HotspotChange { enabled, at: at.map(DVec2::from), walk_to, cursor };
                Command::SetHotspot { hotspot, change: Box::new(change) }
            }
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
        let world = self.runtime.world();
        let walker = match from {
            Spot::Name(name) => world.character_named(name).map(|character| character.id),
            Spot::At(_) => None,
        };
        let (from, to) = (self.spot(from, None)?, self.spot(to, walker)?);
        let query = walker.and_then(|walker| world.query_of(walker, to));
        let path = match query.and_then(|query| world.answer(query, u64::MAX)) {
            Some(path) => path,
            None => self.runtime.find_path(from, to),
        };
        let points: Vec<Value> =
            path.waypoints.iter().map(|&at| json!(world.ground().place_of(at))).collect();
        let mut told = one("points", points);
        told.insert("complete".into(), (path.outcome == Outcome::Complete).into());
        told.insert("length".into(), path.length_m.into());
        Ok(told)
    }

    fn save(&self, file: Option<&Path>) -> Told {
        let saved = self.runtime.save().map_err(|error| error.to_string())?;
        let text = saved.to_json().map_err(|error| error.to_string())?;
        let Some(file) = file else {
            let line = serde_json::to_string(&text).map_or(usize::MAX, |line| line.len());
            // What is told here must be taken back.
            return match line <= MOST_BYTES - ORDER_BYTES {
                true => Ok(one("save", text)),
                false => Err(format!(
                    "the save has {} MiB, and a line may have {}: give the name of a file, {{\"do\": \"save\", \"file\": \"noon.json\"}}",
                    line.div_ceil(1 << 20),
                    MOST_BYTES >> 20
                )),
            };
        };
        let told = |why: String| format!("{}: {why}", file.display());
        if text.len() as u64 > MAX_SAVE_BYTES {
            return Err(told(FileError::TooLarge(MAX_SAVE_BYTES).to_string()));
        }
        save_file(file, text.as_bytes()).map_err(|error| told(error.to_string()))?;
        Ok(Map::new())
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
}

pub(super) fn one(name: &str, value: impl Into<Value>) -> Map<String, Value> {
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
pub(super) fn values(answer: &Answer) -> Told {
    match answer {
        Answer::Values(values) => {
            Ok(one("values", values.iter().map(crate::script::Datum::to_json).collect::<Vec<_>>()))
        }
        other => Err(other.to_string()),
    }
}
