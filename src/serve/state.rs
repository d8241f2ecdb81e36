//! What the protocol tells: characters and events, as JSON.

use crate::runtime::RuntimeEvent;
use crate::script::{GameValue, Note};
use crate::world::{Character, World};
use serde_json::{Map, Value, json};

/// A character. Its name, role and tags are told when it is new, and on request.
pub(super) fn character(world: &World, character: &Character, is_new: bool) -> Map<String, Value> {
    let place = world.seen_at(character);
    let mut told = Map::new();
    told.insert("id".into(), character.id.0.into());
    if is_new {
        told.insert("name".into(), character.name.clone().into());
        told.insert("radius".into(), character.collision_radius_m.into());
        if character.player {
            told.insert("player".into(), true.into());
        }
        if !character.tags.is_empty() {
            told.insert("tags".into(), character.tags.clone().into());
        }
    }
    told.insert("x".into(), place.at.x.into());
    if let Some(y) = place.y_m {
        told.insert("y".into(), y.into());
    }
    told.insert("z".into(), place.at.y.into());
    told.insert("heading".into(), character.heading_rad.into());
    told.insert("state".into(), character.state().as_str().into());
    if let Some(speech) = &character.speech {
        told.insert("saying".into(), speech.text.clone().into());
    }
    told
}

/// An event of a running room as the protocol tells it: an object whose `event` says which.
pub fn event(event: &RuntimeEvent) -> Value {
    match event {
        RuntimeEvent::Event { tick, kind, text } => {
            let mut told = Map::new();
            told.insert("event".into(), kind.name().into());
            told.insert("tick".into(), (*tick).into());
            told.insert("text".into(), text.clone().into());
            // `{"WalkEnded": {"who": 1, …}}`: what is inside belongs to the event.
            let inside = serde_json::to_value(kind).ok().and_then(|value| match value {
                Value::Object(object) => object.into_iter().next().map(|(_, inside)| inside),
                _ => None,
            });
            match inside {
                Some(Value::Object(fields)) => {
                    fields.into_iter().for_each(|(name, value)| drop(told.insert(name, value)));
                }
                Some(Value::Array(parts)) => drop(told.insert("about".into(), parts.into())),
                Some(value) => drop(told.insert("about".into(), json!([value]))),
                None => {}
            }
            Value::Object(told)
        }
        RuntimeEvent::Note(Note::Called(call)) => json!({
            "event": "called", "tick": call.tick, "text": call.text, "call": call.id.0, "function": call.function,
            "who": call.who.map(|who| who.0), "thing": call.thing, "waits": call.waits,
            "arguments": call.arguments.iter().map(value_to_json).collect::<Vec<_>>(),
        }),
        RuntimeEvent::Note(Note::GivenUp(id)) => {
            json!({ "event": "given_up", "call": id.0, "text": event_text(event) })
        }
        RuntimeEvent::Note(Note::Log { level, place, text }) => {
            let level = format!("{level:?}").to_lowercase();
            json!({ "event": "log", "level": level, "place": place, "text": text })
        }
        RuntimeEvent::Note(Note::Error(error)) => json!({
            "event": "script_error", "file": error.file, "line": error.line, "text": event_text(event),
        }),
        RuntimeEvent::ReloadRefused { files, .. } => {
            json!({ "event": "reload_refused", "files": files, "text": event_text(event) })
        }
        RuntimeEvent::Refused(_) => json!({ "event": "refused", "text": event_text(event) }),
        RuntimeEvent::Lost(count) => json!({ "event": "lost", "count": count, "text": event_text(event) }),
    }
}

fn event_text(event: &RuntimeEvent) -> String {
    event.to_string()
}

/// A value of a game, as JSON: a character as its number, a place as `[x, z]`, a thing as `{"kind", "id"}`.
fn value_to_json(value: &GameValue) -> Value {
    match value {
        GameValue::Character(id) => json!(id.0),
        GameValue::Place(place) => json!(place),
        GameValue::Thing { kind, id } => json!({ "kind": kind, "id": id }),
        GameValue::List(values) => values.iter().map(value_to_json).collect(),
        GameValue::Fields(fields) => {
            Value::Object(fields.iter().map(|(name, value)| (name.clone(), value_to_json(value))).collect())
        }
        other => other.to_json(),
    }
}
