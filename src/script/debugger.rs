//! A debugger of scripts: stops at breakpoints, shows the call stack, goes on step by step.

use super::Scripts;
use super::answer::Datum;
use super::copy;
use super::host::Host;
use super::owner::Owner;
use super::sandbox::{RawFrame, Resume};
use mlua::Value;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Shows stopped scripts to a person.
///
/// While it shows one, the room is in the middle of a step: nothing else of it can be asked or changed.
pub trait Debugger: Send {
    /// A script has stopped. Returns when it is to go on, and how far. It runs on the thread of the room, which waits.
    fn stopped(&mut self, at: &Stopped) -> Resume;
}

/// A stopped script.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Stopped {
    /// Whose code it is: a character's name, or "the room".
    pub who: String,
    /// The tick.
    pub tick: u64,
    /// Whether a step ended here; else it is a breakpoint.
    pub by_step: bool,
    /// The calls, innermost first; the script has stopped before the line of the first.
    pub stack: Vec<StackFrame>,
}

/// A call of a function.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct StackFrame {
    /// The function's name, as its caller calls it, or as the table of its file has it.
    pub function: String,
    /// Project-relative file.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// The variables in reach: parameters and locals, then those of the functions around it.
    pub variables: Vec<(String, Datum)>,
}

/// The most values that are shown of a stopped script, all tables together.
const MOST_VALUES: usize = 5_000;

/// The most bytes of its texts.
const MOST_BYTES: usize = 512 << 10;

impl Scripts {
    /// Sets what is shown stopped scripts; without one, breakpoints are passed over.
    pub(crate) fn set_debugger(&mut self, debugger: Option<Box<dyn Debugger>>) {
        let host = Rc::downgrade(&self.host);
        let on_stop = debugger.map(|mut debugger| {
            Box::new(move |frames: Vec<RawFrame>, by_step: bool| {
                let Some(host) = host.upgrade() else { return Resume::Continue };
                // One budget for all frames: deep recursion with large tables must not fill the memory.
                let mut copies = copy::Room::silent(&host, MOST_VALUES, MOST_BYTES, u64::MAX);
                let mut frame = |frame: RawFrame| {
                    let RawFrame { function, defined, file, line, variables } = frame;
                    let function = function.unwrap_or_else(|| name_of(&host, &file, defined));
                    let variables =
                        variables.iter().map(|(name, value)| (name.clone(), copies.copy(value, 0)));
                    StackFrame { function, file, line, variables: variables.collect() }
                };
                let stack = frames.into_iter().map(&mut frame).collect();
                let who = match host.owner() {
                    Owner::CONSOLE => "the console".to_owned(),
                    Owner::Room(_) => "the room".to_owned(),
                    Owner::Character(id) => host.world().name_of(id).to_owned(),
                };
                let tick = host.world().tick_number();
                debugger.stopped(&Stopped { who, tick, by_step, stack })
            }) as Box<dyn FnMut(Vec<RawFrame>, bool) -> Resume>
        });
        if let Err(error) = self.state.on_stop(on_stop) {
            log::warn!("no debugger: {error}"); // out of memory
        }
    }

    /// Sets the lines before which scripts stop: files as the project names them, and lines from 1.
    pub(crate) fn set_breakpoints(&mut self, breakpoints: BTreeSet<(String, u32)>) {
        self.state.set_breakpoints(breakpoints);
    }
}

/// The name of a function that nothing of Lua has called: that of the handler which begins in this line.
fn name_of(host: &Host, file: &str, line: u32) -> String {
    if line == 0 {
        return "the file".to_owned();
    }
    let modules = host.modules.borrow();
    let handlers = modules.behaviour(file).into_iter().flat_map(|table| table.pairs::<Value, Value>());
    let named = handlers.filter_map(Result::ok).find_map(|(name, handler)| {
        let info = handler.as_function()?.info();
        let is_this = info.line_defined == Some(line as usize)
            && info.source.as_deref().and_then(|source| source.strip_prefix('@')) == Some(file);
        is_this.then(|| name.as_string().map(|name| name.to_string_lossy()))?
    });
    named.unwrap_or_else(|| format!("function at line {line}"))
}
