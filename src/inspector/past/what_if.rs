//! What if: the future since a moment, as it was and with other files, and what differs.

use crate::crowd::CharacterId;
use crate::draw::Picture;
use crate::inspector::messages;
use crate::inspector::scene::Scene;
use crate::runtime::{Journal, Reload, Rerun, Runtime, RuntimeEvent};
use crate::script::{Note, ScriptError};
use crate::world::World;
use glam::DVec2;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Ticks between two points of a track.
const TRACK_TICKS: u64 = 6;

/// The most tracks that are sent, and the most characters that are followed.
const MOST_TRACKS: usize = 100;
const MOST_FOLLOWED: usize = 1_000;

/// Ways that differ by less are the same, in metres.
const SAME_M: f64 = 0.001;

/// The most differences that are told, and the most lines of one. The first is often what the reload itself does.
const MOST_DIFFERENCES: usize = 6;
const MOST_LINES: usize = 10;

/// The most errors of scripts that are told.
const MOST_ERRORS: usize = 10;

/// Other files at a moment.
pub(in crate::inspector) struct WhatIf {
    pub(in crate::inspector) journal: Journal,
    pub(in crate::inspector) from: u64,
    pub(in crate::inspector) to: u64,
    /// Names from the project's root, and what they hold now.
    pub(in crate::inspector) files: Vec<(String, Vec<u8>)>,
}

/// The way of a character.
#[derive(Default)]
struct Track {
    name: String,
    points: Vec<Point>,
}

/// A point of a track.
#[derive(Clone, Copy)]
struct Point {
    at: DVec2,
    storey: usize,
    tick: u64,
}

type Tracks = BTreeMap<CharacterId, Track>;

impl WhatIf {
    /// Computes both futures, step by step side by side. `goes_on` is told the tick, and says whether to go on.
    pub(in crate::inspector) fn compute(
        &self,
        mut goes_on: impl FnMut(u64) -> bool,
    ) -> Result<Option<Value>, String> {
        let open = || Rerun::new(self.journal.clone()).map_err(|error| error.to_string());
        let (mut before, mut now) = (open()?, open()?);
        while before.tick() < self.from {
            before.step();
            now.step();
            if before.tick().is_multiple_of(64) && !goes_on(before.tick()) {
                return Ok(None);
            }
        }
        before.enter();
        let files: Vec<(&str, &[u8])> =
            self.files.iter().map(|(name, content)| (name.as_str(), content.as_slice())).collect();
        if let Reload::Refused { problems, .. } =
            now.replace_files(&files).map_err(|error| error.to_string())?
        {
            // The lines are those of the files that were refused.
            let mut project = now.runtime().project().clone();
            for (name, content) in &self.files {
                if let Ok(place) = project.resolve(name) {
                    project.replace(&place, Some(content));
                }
            }
            let problems = messages::problems(&project, &problems);
            return Ok(Some(self.told(&json!({ "problems": problems }))));
        }
        drop((before.runtime().take_events(), now.runtime().take_events()));
        let pictures = [&mut before, &mut now].map(|run| Picture::of_some(run.runtime().world(), &|_| false));
        let scene = self.scene(now.runtime().world());
        let (mut old, mut new) = (Tracks::new(), Tracks::new());
        let mut differences = Vec::new();
        while before.tick() < self.to {
            if (before.tick() - self.from).is_multiple_of(TRACK_TICKS) {
                follow(&mut old, before.runtime().world(), &pictures[0]);
                follow(&mut new, now.runtime().world(), &pictures[1]);
            }
            before.step();
            now.step();
            let lines = [words(before.runtime().take_events()), words(now.runtime().take_events())];
            if differences.len() < MOST_DIFFERENCES && lines[0] != lines[1] {
                let tick = before.tick() - 1;
                let time = tick as f64 * before.runtime().world().dt_s();
                differences.push(json!({ "tick": tick, "time": time, "before": lines[0], "now": lines[1] }));
            }
            if before.tick().is_multiple_of(64) && !goes_on(before.tick()) {
                return Ok(None);
            }
        }
        follow(&mut old, before.runtime().world(), &pictures[0]);
        follow(&mut new, now.runtime().world(), &pictures[1]);
        let errors = new_errors(before.runtime(), now.runtime());
        Ok(Some(self.told(&json!({
            "differences": differences, "errors": errors, "scene": scene, "tracks": differing(&old, &new),
        }))))
    }

    /// The room as the changed files draw it, if one of them is no script.
    fn scene(&self, world: &World) -> Option<Value> {
        let is_drawn = self.files.iter().any(|(name, _)| !name.ends_with(".lua"));
        let scene = is_drawn.then(|| Scene::of(world, None, None, 0))?;
        serde_json::from_str(&scene.told).ok()
    }

    /// The message of a future that cannot be computed.
    pub(in crate::inspector) fn failed(&self, why: &str) -> Value {
        self.told(&json!({ "problems": [{ "message": why, "file": "", "line": 0 }] }))
    }

    /// The message of a result, or of how far it is.
    pub(in crate::inspector) fn told(&self, result: &Value) -> Value {
        let files: Vec<&str> = self.files.iter().map(|(name, _)| name.as_str()).collect();
        let mut told = json!({
            "kind": "whatIf", "from": self.from, "to": self.to, "files": files, "computing": null,
            "problems": [], "differences": [], "errors": [], "scene": null, "tracks": [],
        });
        if let (Some(told), Some(result)) = (told.as_object_mut(), result.as_object()) {
            told.extend(result.clone());
        }
        told
    }
}

fn follow(tracks: &mut Tracks, world: &World, picture: &Picture) {
    for character in world.characters() {
        if tracks.len() >= MOST_FOLLOWED && !tracks.contains_key(&character.id) {
            continue;
        }
        let track = tracks.entry(character.id).or_default();
        track.name.clone_from(&character.name);
        track.points.push(Point {
            at: world.seen_at(character).at,
            storey: picture.storey_of_character(world, character),
            tick: world.tick_number(),
        });
    }
}

/// What happened, as lines. Errors and logs of scripts are events, too.
fn words(events: Vec<RuntimeEvent>) -> Vec<String> {
    let told = events.into_iter().filter(|event| {
        matches!(
            event,
            RuntimeEvent::Event { .. }
                | RuntimeEvent::Note(Note::Log { .. } | Note::Error(_) | Note::Called(_))
        )
    });
    told.take(MOST_LINES).map(|event| event.to_string()).collect()
}

/// Errors of scripts that come only with the new files.
fn new_errors(before: &Runtime, now: &Runtime) -> Vec<Value> {
    let known: BTreeSet<(&str, u32, &str)> = before.script_errors().map(place_of).collect();
    let new = now.script_errors().filter(|error| !known.contains(&place_of(error)));
    new.take(MOST_ERRORS).map(messages::script_error).collect()
}

fn place_of(error: &ScriptError) -> (&str, u32, &str) {
    (&error.file, error.line, &error.message)
}

/// The tracks of characters whose ways differ.
fn differing(before: &Tracks, now: &Tracks) -> Vec<Value> {
    let ids: BTreeSet<CharacterId> = before.keys().chain(now.keys()).copied().collect();
    let nobody = Track::default();
    let tracks = ids.into_iter().filter_map(|id| {
        let (old, new) = (before.get(&id).unwrap_or(&nobody), now.get(&id).unwrap_or(&nobody));
        let apart = |(a, b): (&Point, &Point)| a.at.distance(b.at) > SAME_M;
        let differs = old.points.len() != new.points.len() || old.points.iter().zip(&new.points).any(apart);
        differs.then(|| {
            let name = if new.name.is_empty() { &old.name } else { &new.name };
            json!({ "id": id.0, "name": name, "before": shown(old), "now": shown(new) })
        })
    });
    tracks.take(MOST_TRACKS).collect()
}

/// The points of a track that say something, with their storeys and ticks: of one who stands, the first and the last.
fn shown(track: &Track) -> Vec<(f64, f64, usize, u64)> {
    const MOVED_M: f64 = 0.02;
    let mut shown: Vec<Point> = Vec::new();
    let mut skipped = None;
    for &point in &track.points {
        let stands = |last: &Point| last.at.distance(point.at) <= MOVED_M && last.storey == point.storey;
        if shown.last().is_some_and(stands) {
            skipped = Some(point);
        } else {
            shown.extend(skipped.take());
            shown.push(point);
        }
    }
    shown.extend(skipped);
    let round = |x: f64| (x * 1e3).round() / 1e3;
    shown.iter().map(|point| (round(point.at.x), round(point.at.y), point.storey, point.tick)).collect()
}
