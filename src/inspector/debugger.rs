//! Breakpoints: a script has stopped, and the pages look at it. The room waits in the middle of a step.

use super::orders::reply_to;
use super::wire::{SharedWire, WeakWire};
use crate::project::{MAX_SCRIPT_BYTES, Project};
use crate::script::{Debugger, Resume, Stopped};
use crate::serve::Told;
use serde_json::{Map, Value, json};
use std::time::{Duration, Instant};

/// Between two looks at what the pages sent.
const LOOK: Duration = Duration::from_millis(8);

/// A script that nobody looks at goes on after this long: the page may only be loaded anew.
const ALONE: Duration = Duration::from_secs(5);

/// Lines of a script that are shown around the place, before and after.
const AROUND: usize = 6;

/// Whether the program is asked to end.
pub(super) type IsOver = Box<dyn Fn() -> bool + Send>;

/// Shows stopped scripts to the pages.
pub(super) struct PageDebugger {
    /// The page may be closed while the room runs on.
    pub(super) wire: WeakWire,
    pub(super) project: Project,
    pub(super) is_over: Option<IsOver>,
}

impl Debugger for PageDebugger {
    #[allow(clippy::disallowed_methods)] // waits for people; the simulation stands still meanwhile
    fn stopped(&mut self, at: &Stopped) -> Resume {
        let Some(wire) = self.wire.upgrade() else { return Resume::Continue };
        let is_wanted = at.stack.first().is_some_and(|frame| {
            at.by_step || wire.lock().breakpoints.contains(&(frame.file.clone(), frame.line))
        });
        if !is_wanted {
            return Resume::Continue; // it was taken away while another script had stopped
        }
        let told = self.told(at);
        wire.lock().stopped = Some(told.clone());
        wire.post_all(&told.to_string());
        let mut seen = Instant::now();
        let resume = loop {
            if let Some(resume) = serve(&wire) {
                break resume;
            }
            if wire.has_clients() {
                seen = Instant::now();
            }
            if self.is_over.as_ref().is_some_and(|is_over| is_over()) || seen.elapsed() > ALONE {
                let mut wire = wire.lock();
                wire.breakpoints.clear();
                wire.has_new_breakpoints = true;
                break Resume::Continue;
            }
            std::thread::sleep(LOOK);
        };
        wire.lock().stopped = None;
        wire.post_all(r#"{"kind":"stopped","stack":[]}"#);
        resume
    }
}

impl PageDebugger {
    fn told(&self, at: &Stopped) -> Value {
        let stack: Vec<Value> = at
            .stack
            .iter()
            .map(|frame| {
                let variables: Vec<Value> = frame
                    .variables
                    .iter()
                    .map(|(name, value)| json!({ "name": name, "value": value.to_json() }))
                    .collect();
                let (from, lines) = self.lines(&frame.file, frame.line);
                json!({
                    "function": frame.function, "file": frame.file, "line": frame.line, "variables": variables,
                    "from": from, "lines": lines,
                })
            })
            .collect();
        json!({ "kind": "stopped", "who": at.who, "tick": at.tick, "stack": stack })
    }

    /// The lines around a place, and the number of the first.
    fn lines(&self, file: &str, line: u32) -> (usize, Vec<String>) {
        let place = self.project.resolve(file).ok();
        let bytes = place.and_then(|place| self.project.read(&place, MAX_SCRIPT_BYTES).ok());
        let text = String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned();
        let first = (line as usize).saturating_sub(AROUND + 1);
        let lines = text.lines().skip(first).take(2 * AROUND + 1).map(str::to_owned).collect();
        (first + 1, lines)
    }
}

/// Answers what the pages sent; how the script is to go on, once one says so.
fn serve(wire: &SharedWire) -> Option<Resume> {
    let mut wire = wire.lock();
    let said = wire.take();
    for id in std::mem::take(&mut wire.newcomers) {
        if let (Some(client), Some(stopped)) = (wire.clients.get(&id), &wire.stopped) {
            wire.shown.iter().for_each(|(slot, message)| client.mailbox.put(*slot, message.clone()));
            client.mailbox.post(super::orders::told_breakpoints(&wire.breakpoints).to_string());
            client.mailbox.post(stopped.to_string());
        }
        wire.late.push(id);
    }
    let mut resume = None;
    let before = wire.breakpoints.clone();
    for (id, text) in said {
        let answer = reply_to(text.to_text().unwrap_or_default(), |order| {
            answer(order, &mut wire.breakpoints, &mut resume)
        });
        wire.answer(id, answer);
    }
    if wire.breakpoints != before {
        wire.has_new_breakpoints = true;
        let told = super::orders::told_breakpoints(&wire.breakpoints).to_string();
        wire.clients.values().for_each(|client| client.mailbox.post(told.as_str()));
    }
    resume
}

/// The orders that a stopped room takes.
fn answer(
    mut order: Map<String, Value>,
    breakpoints: &mut super::wire::Breakpoints,
    resume: &mut Option<Resume>,
) -> Told {
    let what = order.remove("do");
    match what.as_ref().and_then(Value::as_str) {
        Some("goOn") => {
            *resume = Some(match order.get("how").and_then(Value::as_str) {
                None | Some("continue") => Resume::Continue,
                Some("over") => Resume::StepOver,
                Some("into") => Resume::StepInto,
                Some("out") => Resume::StepOut,
                Some(_) => return Err("how is continue, over, into or out".into()),
            });
            Ok(Map::new())
        }
        Some("setBreakpoints") => {
            *breakpoints = super::orders::breakpoints(&order)?;
            Ok(Map::new())
        }
        _ => Err("a script has stopped at a breakpoint, in the middle of a step: let it go on first".into()),
    }
}
