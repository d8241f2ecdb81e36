//! What a page asks for: its own orders, and those of [`crate::serve`].

use super::look::Look;
use super::net::ClientId;
use super::scene::Scene;
use super::wire::Breakpoints;
use super::{Inspector, messages};
use crate::nav::{Outcome, Place};
use crate::problem::brief_numbers;
use crate::project::MAX_SCRIPT_BYTES;
use crate::room::RoomPart;
use crate::runtime::{Input, Runtime};
use crate::script::complete;
use crate::serve::{Told, order_of_page};
use glam::DVec2;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The most work of an explanation, in node expansions.
const MOST_WORK: u64 = 200_000;

/// The most completions that are sent.
const MOST_CANDIDATES: usize = 200;

/// An order that only a page has.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
enum Order {
    Pause {},
    Resume {},
    StepOnce {
        ticks: Option<u64>,
    },
    SetSpeed {
        speed: f64,
    },
    /// What the page shows, so that nothing else is sent.
    Look(Look),
    /// Plans a path, and explains it.
    Probe {
        from: Place,
        to: Place,
    },
    Complete {
        text: String,
        cursor: Option<usize>,
    },
    CallOff {},
    /// Moves a part of the room in its file.
    Edit {
        part: EditedPart,
        name: String,
        polygon: Option<Vec<[f64; 2]>>,
        at: Option<[f64; 2]>,
    },
    Undo {},
    Redo {},
    /// Lets a script that has stopped go on; none has, or the debugger would have got the order.
    GoOn {
        #[serde(rename = "how")]
        _how: Option<String>,
    },
    /// The scripts of the room.
    Files {},
    /// The text of one of them.
    Source {
        file: String,
    },
    /// Shows another moment.
    GoTo {
        tick: u64,
        exact: Option<bool>,
    },
    GoLive {},
    /// Runs the specs of the project.
    RunSpecs {
        filter: Option<String>,
    },
    /// Shows the run of a failed test, at the moment when it failed.
    OpenSpec {
        index: usize,
    },
    Sync {},
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum EditedPart {
    Obstacle,
    Area,
    Hotspot,
    Waypoint,
    Point,
    Character,
}

impl From<EditedPart> for RoomPart {
    fn from(part: EditedPart) -> Self {
        match part {
            EditedPart::Obstacle => Self::Obstacle,
            EditedPart::Area => Self::Area,
            EditedPart::Hotspot => Self::Hotspot,
            EditedPart::Waypoint => Self::Waypoint,
            EditedPart::Point => Self::Point,
            EditedPart::Character => Self::Character,
        }
    }
}

/// The names of those orders: all others are for the room.
const OWN: [&str; 19] = [
    "pause", "resume", "stepOnce", "setSpeed", "look", "probe", "complete", "callOff", "edit", "undo",
    "redo", "goOn", "files", "source", "goTo", "goLive", "runSpecs", "openSpec", "sync",
];

/// The orders that a recording carries out.
const OF_RECORDINGS: [&str; 13] = [
    "pause", "resume", "stepOnce", "setSpeed", "look", "probe", "path", "complete", "files", "source",
    "goTo", "goLive", "sync",
];

/// The orders that are carried out while the page looks at the past.
const OF_PAST: [&str; 9] =
    ["look", "complete", "files", "source", "goTo", "goLive", "runSpecs", "openSpec", "sync"];

/// The most breakpoints.
const MOST_BREAKPOINTS: usize = 1_000;

/// Answers a message of a page.
pub(super) fn reply_to(text: &str, carry_out: impl FnOnce(Map<String, Value>) -> Told) -> String {
    let (id, told) = match serde_json::from_str::<Map<String, Value>>(text) {
        Ok(mut order) => (order.remove("id"), carry_out(order)),
        Err(error) => (None, Err(format!("this is no JSON object: {error}"))),
    };
    let mut reply = Map::new();
    reply.insert("id".into(), id.unwrap_or_default());
    match told {
        Ok(told) => {
            reply.insert("ok".into(), true.into());
            reply.extend(told);
        }
        Err(why) => drop(reply.insert("error".into(), brief_numbers(&why).into())),
    }
    Value::Object(reply).to_string()
}

/// The breakpoints of an order.
pub(super) fn breakpoints(order: &Map<String, Value>) -> Result<Breakpoints, String> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Breakpoint {
        file: String,
        line: u32,
    }
    let list = order.get("breakpoints").cloned().unwrap_or_default();
    let list: Vec<Breakpoint> =
        serde_json::from_value(list).map_err(|error| format!("breakpoints: {error}"))?;
    if list.len() > MOST_BREAKPOINTS {
        return Err(format!("there may be {MOST_BREAKPOINTS} breakpoints at most"));
    }
    Ok(list.into_iter().map(|Breakpoint { file, line }| (file, line)).collect())
}

/// The breakpoints, as pages are told.
pub(super) fn told_breakpoints(breakpoints: &Breakpoints) -> Value {
    let list: Vec<Value> =
        breakpoints.iter().map(|(file, line)| json!({ "file": file, "line": line })).collect();
    json!({ "kind": "breakpoints", "breakpoints": list })
}

impl Inspector {
    /// Carries out an order, and answers it.
    pub(super) fn answer(&mut self, client: ClientId, text: &str, runtime: &mut Runtime) -> String {
        reply_to(text, |order| self.carry_out(client, order, runtime))
    }

    fn carry_out(&mut self, client: ClientId, mut order: Map<String, Value>, runtime: &mut Runtime) -> Told {
        if order.get("do").and_then(Value::as_str) == Some("setBreakpoints") {
            let breakpoints = breakpoints(&order)?;
            self.wire.post_all(&told_breakpoints(&breakpoints).to_string());
            let mut wire = self.wire.lock();
            (wire.breakpoints, wire.has_new_breakpoints) = (breakpoints, true);
            return Ok(Map::new());
        }
        let name = order.get("do").and_then(Value::as_str).unwrap_or_default();
        if self.past.is_looked_at() && !OF_PAST.contains(&name) {
            return Err("the page looks at the past, and the room waits: go back to now first".into());
        }
        if runtime.is_recording() && !OF_RECORDINGS.contains(&name) {
            return Err("this is a recording: it can only be looked at".into());
        }
        let is_own = OWN.contains(&name);
        for (place, storey) in
            [("at", "storey"), ("to", "storey"), ("from", "fromStorey"), ("to", "toStorey")]
        {
            self.put_on_storey(&mut order, place, storey)?;
        }
        order.remove("storey");
        if !is_own {
            return order_of_page(runtime, order);
        }
        let done = Map::new();
        match serde_json::from_value(Value::Object(order)).map_err(|error| error.to_string())? {
            Order::Pause {} => self.clock.set_paused(true),
            Order::Resume {} => self.clock.set_paused(false),
            Order::StepOnce { .. } if runtime.is_at_end() => {
                return Err("the recording has ended: look at an earlier moment".into());
            }
            Order::StepOnce { ticks } => self.clock.step_once(ticks.unwrap_or(1)),
            Order::SetSpeed { speed } => {
                let speed = self.clock.set_speed(speed);
                return Ok(fields(json!({ "speed": speed })));
            }
            Order::Look(look) => self.look(client, look, runtime),
            Order::Probe { from, to } => return self.probe(runtime, from, to),
            Order::Complete { text, cursor } => return completions(runtime, &text, cursor),
            Order::CallOff {} => {
                runtime.send(Input::CallOffLines);
                runtime.drain_inbox();
            }
            Order::Edit { part, name, polygon, at } => {
                let places: Vec<DVec2> = polygon.into_iter().flatten().chain(at).map(DVec2::from).collect();
                let told = self.edits.edit(runtime, part.into(), &name, &places)?;
                return Ok(self.tell_edit(runtime, told));
            }
            Order::Undo {} => {
                let told = self.edits.undo(runtime)?;
                return Ok(self.tell_edit(runtime, told));
            }
            Order::Redo {} => {
                let told = self.edits.redo(runtime)?;
                return Ok(self.tell_edit(runtime, told));
            }
            Order::GoOn { .. } => return Err("no script has stopped".into()),
            Order::Files {} => {
                let files = runtime.files();
                let names = files.iter().map(|file| runtime.project().name_of(file));
                let scripts: Vec<String> = names.filter(|name| name.ends_with(".lua")).collect();
                return Ok(fields(json!({ "files": scripts })));
            }
            Order::Source { file } => return source(runtime, &file),
            Order::GoTo { tick, exact } => self.go_to(runtime, tick, exact.unwrap_or(true)),
            Order::GoLive {} => self.go_live(),
            Order::RunSpecs { filter } => self.specs.start(runtime.project().clone(), filter)?,
            Order::OpenSpec { index } => {
                let (run, name, tick) = self.specs.run_of(index)?;
                let tick = tick.unwrap_or(run.last_tick);
                self.past.show(run, name);
                self.forget_what_if();
                self.go_to(runtime, tick, true);
            }
            Order::Sync {} => self.sync(client, runtime),
        }
        Ok(done)
    }

    /// Gives a place in an order the height of a storey at it.
    fn put_on_storey(&self, order: &mut Map<String, Value>, place: &str, storey: &str) -> Result<(), String> {
        let Some(number) = order.get(storey).cloned() else { return Ok(()) };
        let Some([x, z]) =
            order.get(place).and_then(|at| serde_json::from_value::<[f64; 2]>(at.clone()).ok())
        else {
            return Ok(()); // a name, or a place with a height of its own
        };
        let number: usize = serde_json::from_value(number)
            .map_err(|_| format!("{storey} is the number of a storey, from 0"))?;
        if storey != "storey" {
            order.remove(storey);
        }
        if let Some(scene) = self.scene.current() {
            let count = scene.picture.storey_count();
            if number >= count {
                return Err(format!("{storey} is {number}, and the room has {count}"));
            }
            let at = scene.picture.place_on_storey(number + 1, DVec2::new(x, z));
            order.insert(place.to_owned(), json!(at));
        }
        Ok(())
    }

    /// Tells every page what was written.
    fn tell_edit(&mut self, runtime: &Runtime, told: String) -> Map<String, Value> {
        let line = messages::line(runtime.world(), "reload", &told);
        self.add_line(line);
        self.last.people.clear();
        fields(json!({ "text": told }))
    }

    #[allow(clippy::disallowed_methods)] // how long it took is shown to people
    fn probe(&self, runtime: &Runtime, from: Place, to: Place) -> Told {
        let began = std::time::Instant::now();
        let path = runtime.find_path(from, to);
        let ms = began.elapsed().as_secs_f64() * 1e3;
        let text = match path.outcome {
            Outcome::Complete => String::new(),
            _ => match runtime.explain_path(from, to, MOST_WORK) {
                Ok(explanation) => explanation.to_string(),
                Err(_) => "what is in the way is too much to find out here".into(),
            },
        };
        let scene: Option<&Scene> = self.scene.current().map(AsRef::as_ref);
        let storey = |at| scene.map_or(0, |scene| scene.picture.storey_of_position(at));
        let points: Vec<[f64; 2]> = path.waypoints.iter().map(|at| [at.at.x, at.at.y]).collect();
        let storeys: Vec<usize> = path.waypoints.iter().map(|&at| storey(at)).collect();
        Ok(fields(json!({
            "points": points, "storeys": storeys, "complete": path.outcome == Outcome::Complete,
            "length": path.length_m, "cost": runtime.world().ground().cost_m(&path), "missedBy": path.missed_by_m,
            "ms": ms, "text": text,
        })))
    }
}

/// The text of a script of the room; of no other file.
fn source(runtime: &Runtime, file: &str) -> Told {
    let project = runtime.project();
    let known = runtime.files().into_iter().find(|place| project.name_of(place) == file);
    let place = known.filter(|_| file.ends_with(".lua")).ok_or(format!("the room has no script {file}"))?;
    let bytes = project.read(&place, MAX_SCRIPT_BYTES).map_err(|error| format!("{file}: {error}"))?;
    Ok(fields(json!({ "text": String::from_utf8_lossy(&bytes) })))
}

fn completions(runtime: &Runtime, text: &str, cursor: Option<usize>) -> Told {
    // Pages count UTF-16 units.
    let before = match cursor {
        None => text.to_owned(),
        Some(cursor) => String::from_utf16_lossy(&text.encode_utf16().take(cursor).collect::<Vec<_>>()),
    };
    let completion = complete(&before, &runtime.names());
    let from = before.get(..completion.from).unwrap_or_default().encode_utf16().count();
    let candidates = completion.candidates.iter().take(MOST_CANDIDATES).map(|candidate| {
        json!({ "text": candidate.text, "signature": candidate.signature, "summary": candidate.summary })
    });
    Ok(fields(json!({ "from": from, "candidates": candidates.collect::<Vec<_>>() })))
}

fn fields(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}
