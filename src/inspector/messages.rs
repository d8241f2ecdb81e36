//! What happens, as messages for the page.

use super::frame;
use super::look::Look;
use super::scene::rounded;
use crate::draw::{Picture, Tint};
use crate::problem::{Excerpt, Problem, foremost};
use crate::project::Project;
use crate::runtime::{ReloadReport, Runtime, RuntimeEvent};
use crate::script::{Glance, Level, Note, ScriptError};
use crate::world::{Character, CharacterId, Delay, EventKind, World};
use glam::DVec2;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The most problems of a refusal that are sent.
const MOST_PROBLEMS: usize = 50;

/// The most walkers of which is told what holds them up.
const MOST_HELD_UP: usize = 500;

/// The most views that are sent.
const MOST_VIEWS: usize = 500;

/// The most polygons of a path that are sent.
const MOST_POLYGONS: usize = 500;

/// The largest file of which lines are shown.
const MOST_FILE_BYTES: u64 = 16 << 20;

/// An event as a line of the page's list.
pub(super) fn event(event: &RuntimeEvent, world: &World) -> Value {
    let (tone, place) = match event {
        RuntimeEvent::Event { kind: EventKind::Said(..), .. } => ("said", ""),
        RuntimeEvent::Note(Note::Log { level: Level::Error, place, .. }) => ("error", place.as_str()),
        RuntimeEvent::Note(Note::Log { level: Level::Warn, place, .. }) => ("warning", place.as_str()),
        RuntimeEvent::Note(Note::Log { place, .. }) => ("log", place.as_str()),
        RuntimeEvent::Note(Note::Error(_)) => ("error", ""),
        RuntimeEvent::Note(_) => ("log", ""),
        RuntimeEvent::Refused(_) | RuntimeEvent::ReloadRefused { .. } | RuntimeEvent::Lost(_) => {
            ("warning", "")
        }
        RuntimeEvent::Event { .. } => ("event", ""),
    };
    let (mut text, who) = (event.to_string(), event.kind().and_then(EventKind::who));
    let (mut file, mut line) = match place.rsplit_once(':') {
        Some((file, line)) => (file.to_owned(), line.parse().unwrap_or(0)),
        None => (String::new(), 0_u32),
    };
    if let RuntimeEvent::Note(Note::Error(error)) = event {
        (file, line) = (error.file.clone(), error.line);
        text = text.lines().next().unwrap_or_default().to_owned();
    }
    let tick = match event {
        RuntimeEvent::Event { tick, .. } => *tick,
        _ => world.tick_number(),
    };
    let mut told = line_of(world, tick, tone, &text);
    told["who"] = who.map(|who| who.0).into_iter().collect();
    if !file.is_empty() && line > 0 {
        (told["file"], told["line"]) = (file.into(), line.into());
    }
    told
}

/// A line of the list that is no event of the room.
pub(super) fn line(world: &World, tone: &str, text: &str) -> Value {
    line_of(world, world.tick_number(), tone, text)
}

fn line_of(world: &World, tick: u64, tone: &str, text: &str) -> Value {
    json!({ "tick": tick, "time": tick as f64 * world.dt_s(), "tone": tone, "text": text })
}

/// The character that is looked at, or the room. `None` if nobody is. `picture` knows the storeys.
pub(super) fn inspection(runtime: &Runtime, picture: &Picture, look: &Look) -> Option<Value> {
    let who = look.who.filter(|_| !look.room);
    if who.is_none() && !look.room {
        return None;
    }
    let mut told = runtime.inspect(who)?.to_json();
    told["kind"] = "inspect".into();
    told["who"] = who.map_or(Value::Null, |who| who.0.into());
    let world = runtime.world();
    // The selected character's path is drawn while the room is inspected, too.
    told["selected"] = look.who.map_or(Value::Null, |who| who.0.into());
    let corridor = look.who.and_then(|who| world.character(who));
    let corridor = corridor.map(|who| picture.corridor_of(world, who, MOST_POLYGONS)).unwrap_or_default();
    let polygon =
        |(storey, corners): (usize, Vec<DVec2>)| json!({ "storey": storey, "polygon": rounded(&corners) });
    told["corridor"] = corridor.into_iter().map(polygon).collect();
    Some(told)
}

/// All characters of a world by id.
pub(super) fn people(world: &World) -> BTreeMap<u32, Value> {
    let person = |character: &Character| {
        json!({
            "id": character.id.0, "name": character.name, "radius": character.collision_radius_m,
            "colour": colour(Tint::of(character)), "player": character.player,
            "script": character.behaviour, "tags": character.tags,
        })
    };
    world.characters().iter().map(|character| (character.id.0, person(character))).collect()
}

/// The message about some characters.
pub(super) fn people_of(people: &BTreeMap<u32, Value>, version: u32) -> Value {
    json!({ "kind": "people", "version": version, "people": people.values().collect::<Vec<_>>() })
}

fn colour(tint: Tint) -> String {
    let rgb = tint.colour();
    format!("#{:02x}{:02x}{:02x}", rgb.0, rgb.1, rgb.2)
}

/// Walkers that do not get on, and the other ones that hold them up.
pub(super) fn held_up(world: &World) -> Vec<[u32; 2]> {
    let held_up = world.characters().iter().filter(|one| frame::is_held_up(world, one)).take(MOST_HELD_UP);
    let by = |one: &Character| world.delays_of(one.id).iter().find_map(Delay::other);
    held_up.filter_map(|one| Some([one.id.0, by(one)?.0])).collect()
}

/// Who says something, and what.
pub(super) fn speech(world: &World) -> Value {
    let speakers = world.characters().iter().filter_map(|character| {
        character.speech.as_ref().map(|speech| json!({ "id": character.id.0, "text": speech.text }))
    });
    json!({ "kind": "speech", "said": speakers.collect::<Vec<_>>() })
}

/// What the characters look at whose views are shown, up to [`MOST_VIEWS`].
pub(super) fn views(
    glances: &BTreeMap<CharacterId, Glance>,
    picture: &Picture,
    is_shown: impl Fn(CharacterId) -> bool,
) -> Value {
    let shown = glances.iter().filter(|(who, _)| is_shown(**who));
    let views = shown.take(MOST_VIEWS).map(|(who, glance)| {
        let range_m = glance.range_m.is_finite().then_some(glance.range_m);
        json!({
            "id": who.0, "fov": glance.fov_rad, "range": range_m, "seen": glance.is_seen,
            "at": rounded(&[glance.at.at])[0], "storey": picture.storey_of_position(glance.at),
        })
    });
    json!({ "kind": "views", "views": views.collect::<Vec<_>>() })
}

/// All errors that are not mended.
pub(super) fn errors(runtime: &Runtime, refused: &[Problem], warned: &[Problem]) -> Value {
    let errors: Vec<Value> = runtime.script_errors().map(script_error).collect();
    let off = runtime.switched_off_handlers().into_iter().map(|off| {
        json!({ "who": off.who, "file": off.file, "event": off.event, "why": off.why, "tick": off.tick })
    });
    json!({
        "kind": "errors", "errors": errors, "off": off.collect::<Vec<_>>(),
        "refused": problems(runtime.project(), refused),
        "warned": problems(runtime.project(), warned),
    })
}

/// An error of a script.
pub(super) fn script_error(error: &ScriptError) -> Value {
    let traceback = Some(error.traceback.join("\n")).filter(|lines| !lines.is_empty());
    json!({
        "file": error.file, "line": error.line, "message": error.message, "who": error.who,
        "event": error.event, "tick": error.tick, "count": error.count, "traceback": traceback,
    })
}

/// A report on a saved file. `stayed` is the number of characters that were there before and still are.
pub(super) fn reload(runtime: &Runtime, report: &ReloadReport, stayed: usize) -> Value {
    match report {
        ReloadReport::Reloaded { files, took, tick, changes } => json!({
            "kind": "reload", "ok": true, "text": report.brief(), "files": files, "tick": tick,
            "tookMs": took.as_millis() as u64, "changes": changes, "stayed": stayed,
        }),
        ReloadReport::Mended { files } => json!({
            "kind": "reload", "ok": true, "text": report.brief(), "files": files, "changes": [],
        }),
        ReloadReport::Refused { files, problems: refused } => json!({
            "kind": "reload", "ok": false, "text": report.brief(), "files": files,
            "problems": problems(runtime.project(), refused),
        }),
        ReloadReport::Warned { problems: warned } => json!({
            "kind": "warned", "text": report.brief(), "problems": problems(runtime.project(), warned),
        }),
    }
}

/// Problems of files, with their lines.
pub(super) fn problems(project: &Project, all: &[Problem]) -> Vec<Value> {
    let (shown, _) = foremost(all, MOST_PROBLEMS);
    let told = shown.into_iter().map(|problem| {
        let path = if problem.path.is_empty() { String::new() } else { format!(" (at {})", problem.path) };
        json!({
            "file": problem.file, "line": problem.line, "column": problem.column,
            "message": format!("{}{path}", problem.message), "hint": problem.hint,
            "excerpt": excerpt(project, problem),
        })
    });
    told.collect()
}

/// The line of a problem, with a mark under the place. The file may have been saved again since; then there is at worst
/// another line.
fn excerpt(project: &Project, problem: &Problem) -> Option<String> {
    let place = project.root().join(&problem.file);
    let bytes = project.read(&place, MOST_FILE_BYTES).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let excerpt = Excerpt::of(text, problem.span.clone()).filter(|_| problem.line > 0)?;
    let first = excerpt.marked.lines().next().unwrap_or_default();
    let blank: String = excerpt.before.chars().map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    let marks = "^".repeat(first.chars().count().max(1));
    let label = if problem.label.is_empty() { String::new() } else { format!(" {}", problem.label) };
    let whole = excerpt.text();
    let (first, rest) = whole.split_once('\n').unwrap_or((&whole, ""));
    Some([first, &format!("{blank}{marks}{label}"), rest].join("\n").trim_end().to_owned())
}
