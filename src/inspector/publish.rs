//! What is told to the pages, and when.

use super::look::Whose;
use super::net::{Bytes, Slot};
use super::{Inspector, MOST_PEOPLE, frame, messages};
use crate::crowd::CharacterId;
use crate::runtime::Runtime;
use serde_json::json;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// Between two frames: the page shows what is between.
const FRAME: Duration = Duration::from_millis(30);
/// Between two frames of a room that stands still.
const STILL: Duration = Duration::from_millis(100);
/// Between two reports of numbers.
const STATE: Duration = Duration::from_millis(250);
/// Between two looks at a character, and between two sets of paths.
const LOOKING: Duration = Duration::from_millis(100);

/// The page may only be loaded anew: so long it is waited for.
const ALONE: Duration = Duration::from_secs(5);

/// The most lines that are sent between two frames; of more, the older ones are left out.
const MOST_NEW_LINES: usize = 500;

#[allow(clippy::disallowed_methods)] // paces messages to people; the simulation never sees it
impl Inspector {
    /// Tells the pages what is new.
    pub fn publish(&mut self, runtime: &Runtime) {
        let now = Instant::now();
        let is_due = |at: Option<Instant>, every| at.is_none_or(|at| now - at >= every);
        let has_pages = self.wire.has_clients();
        if has_pages && is_due(self.last.past, STATE) {
            self.last.past = Some(now);
            self.wire.put_all(Slot::Past, self.past.told(runtime).to_string());
        }
        if let Some(specs) = self.specs.poll() {
            self.wire.put_all(Slot::Specs, specs.to_string());
        }
        if self.past.is_looked_at() {
            return self.publish_past(runtime);
        }
        self.publish_scene(runtime);
        let tick = runtime.world().tick_number();
        let every = if self.last.frame.is_some_and(|(_, told)| told == tick) { STILL } else { FRAME };
        if is_due(self.last.frame.map(|(at, _)| at), every) {
            self.last.is_jump |= self.last.frame.is_some_and(|(_, told)| tick < told);
            self.last.frame = Some((now, tick));
            self.publish_frame(runtime, tick);
        }
        if !has_pages {
            return self.new_lines.clear();
        }
        self.publish_lines();
        // Lists of everybody, or of every error, take their time: they are made a few times a second.
        if is_due(self.last.lists, STATE) {
            self.last.lists = Some(now);
            self.publish_people(runtime);
            self.publish_errors(runtime);
        }
        let state = (self.clock.is_paused(), self.clock.speed());
        let told = self.last.state.map(|(_, paused, speed)| (paused, speed));
        if told != Some(state) || is_due(self.last.state.map(|(at, ..)| at), STATE) {
            self.last.state = Some((now, state.0, state.1));
            let state = self.state(runtime);
            self.wire.put_all(Slot::State, state);
            let speech = messages::speech(runtime.world()).to_string();
            if self.last.speech != speech {
                self.wire.put_all(Slot::Speech, speech.as_str());
                self.last.speech = speech;
            }
        }
        if is_due(self.last.looking, LOOKING) {
            self.last.looking = Some(now);
            self.publish_looks(runtime);
        }
    }

    /// Tells what was computed of the past. A room that nobody looks at any more goes on.
    fn publish_past(&mut self, runtime: &Runtime) {
        let now = Instant::now();
        if self.wire.has_clients() {
            self.last.seen = Some(now);
        } else if self.last.seen.is_some_and(|seen| now - seen > ALONE) {
            return self.go_live();
        }
        let messages = self.past.poll(runtime);
        let is_new = !messages.all.is_empty();
        for (slot, message) in messages.all {
            self.wire.put_all(slot, message);
        }
        let wire = self.wire.lock();
        for (id, slot, message) in messages.each {
            if let Some(client) = wire.clients.get(&id) {
                client.mailbox.put(slot, message);
            }
        }
        drop(wire);
        if is_new {
            self.last.past = None;
        }
        if messages.is_asked_again {
            self.look_again(runtime);
        }
    }

    fn publish_scene(&mut self, runtime: &Runtime) {
        let (with_cells, selected) = {
            let wire = self.wire.lock();
            let looks = || wire.clients.values().map(|client| &client.look);
            (looks().any(|look| look.cells), looks().find_map(|look| look.who))
        };
        let told = self.scene.poll(runtime.world(), runtime.tally().reloads, with_cells, selected);
        if let Some(scene) = told {
            self.wire.put_all(Slot::Scene, scene);
            // Storeys may have changed.
            self.last.frame = None;
        }
    }

    /// The list of people is made anew only once something may have changed it.
    fn publish_people(&mut self, runtime: &Runtime) {
        if self.last.people.is_empty() {
            self.people += 1;
            let people = messages::people(runtime.world());
            self.last.people = messages::people_of(&people, self.people).to_string();
            self.everybody.extend(people);
            if self.everybody.len() > MOST_PEOPLE {
                let world = runtime.world();
                self.everybody.retain(|id, _| world.character(CharacterId(*id)).is_some());
            }
            self.wire.put_all(Slot::People, self.last.people.as_str());
        }
    }

    pub(super) fn publish_lines(&mut self) {
        if self.new_lines.is_empty() {
            return;
        }
        let mut events = std::mem::take(&mut self.new_lines);
        let left_out = events.len().saturating_sub(MOST_NEW_LINES);
        events.drain(..left_out);
        self.wire.post_all(&json!({ "kind": "events", "events": events, "leftOut": left_out }).to_string());
    }

    fn publish_errors(&mut self, runtime: &Runtime) {
        let off = runtime.switched_off_handlers();
        self.faulty = off.iter().filter_map(|off| off.character).collect();
        let count = runtime.tally().script_errors + off.len() as u64;
        if self.last.errors.is_empty() || count != self.last.error_count {
            self.last.error_count = count;
            let errors = messages::errors(runtime, &self.refused, &self.warned).to_string();
            if errors != self.last.errors {
                self.wire.put_all(Slot::Errors, errors.as_str());
                self.last.errors = errors;
            }
        }
    }

    fn state(&mut self, runtime: &Runtime) -> String {
        let numbers = self.numbers.told(runtime, self.pages());
        let world = runtime.world();
        json!({
            "kind": "state", "paused": self.clock.is_paused(), "speed": self.clock.speed(),
            "tick": world.tick_number(), "time": world.time_s(), "heldUp": messages::held_up(world),
            "numbers": numbers,
        })
        .to_string()
    }

    /// Sends a frame, and keeps it.
    fn publish_frame(&mut self, runtime: &Runtime, tick: u64) {
        let Some(scene) = self.scene.current() else { return };
        let moment = frame::Moment {
            is_paused: self.clock.is_paused(),
            is_jump: std::mem::take(&mut self.last.is_jump),
            people: self.people,
        };
        let frame: Bytes = frame::frame(runtime, &scene.picture, &self.faulty, &moment);
        self.past.frames.add(tick, frame.clone());
        if self.wire.has_clients() {
            self.numbers.count_frame();
            self.wire.put_all(Slot::Frame, frame);
        }
    }

    /// Sends paths and the looked-at character to each page.
    fn publish_looks(&mut self, runtime: &Runtime) {
        let Some(scene) = self.scene.current() else { return };
        let world = runtime.world();
        let mut wire = self.wire.lock();
        let looks = || wire.clients.values().map(|client| &client.look);
        let is_any = looks().any(|look| look.views == Whose::All || look.who.is_some());
        let glances = if is_any { runtime.glances() } else { BTreeMap::new() };
        let all_views = looks().any(|look| look.views == Whose::All);
        let all_views = all_views.then(|| messages::views(&glances, &scene.picture, |_| true).to_string());
        let all = wire.clients.values().any(|client| client.look.paths == Whose::All);
        let all = all.then(|| frame::paths(world, &scene.picture, |_| true));
        for client in wire.clients.values_mut() {
            let selected = client.look.who;
            let paths = match (client.look.paths, &all) {
                (Whose::All, Some(all)) => all.clone(),
                (whose, _) => frame::paths(world, &scene.picture, |who| whose.has(who, selected)),
            };
            client.mailbox.put(Slot::Paths, paths);
            let views = match (client.look.views, &all_views) {
                (Whose::All, Some(all)) => all.clone(),
                (whose, _) => {
                    messages::views(&glances, &scene.picture, |who| whose.has(who, selected)).to_string()
                }
            };
            client.mailbox.put(Slot::Views, views);
            let inspection =
                messages::inspection(runtime, &scene.picture, &client.look).map(|told| told.to_string());
            if let Some(inspection) = inspection.filter(|told| *told != client.inspection) {
                client.mailbox.put(Slot::Inspection, inspection.as_str());
                client.inspection = inspection;
            }
        }
    }
}
