//! The line hook of a debugger: stops at breakpoints, and after a step. It is set only while there are any.

use super::instruction_hook::{look_at_lines, meter};
use mlua::{Lua, Value, WeakLua, ffi};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::ffi::{CStr, c_char, c_int};
use std::mem::zeroed;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The most frames of a call stack that are shown, and the most variables of each.
const MOST_FRAMES: c_int = 50;
const MOST_VARIABLES: c_int = 100;

/// How code goes on after a stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resume {
    /// To the next breakpoint.
    Continue,
    /// To the next line of this function, or of its caller.
    StepOver,
    /// To the next line of any function.
    StepInto,
    /// To the next line of its caller.
    StepOut,
}

/// One call on the stack.
pub(in crate::script) struct RawFrame {
    /// The name that its caller calls it by, if it has one.
    pub(in crate::script) function: Option<String>,
    /// The line where the function begins; 0 for a whole file.
    pub(in crate::script) defined: u32,
    pub(in crate::script) file: String,
    pub(in crate::script) line: u32,
    /// Names and values of variables that are in reach: parameters and locals, then those of the functions around.
    pub(in crate::script) variables: Vec<(String, Value)>,
}

/// What is called at a stop, with the call stack, innermost first. It may take its time.
/// The flag says whether a step ended here.
pub(in crate::script) type OnStop = Box<dyn FnMut(Vec<RawFrame>, bool) -> Resume>;

/// The state of a debugger.
#[derive(Default)]
pub(super) struct Debugging {
    lua: RefCell<Option<WeakLua>>,
    breakpoints: RefCell<BTreeSet<(String, u32)>>,
    step: Cell<Option<Step>>,
    on_stop: RefCell<Option<OnStop>>,
}

/// A step that is not over.
#[derive(Clone, Copy)]
struct Step {
    how: Resume,
    /// The coroutine of the step.
    thread: *mut ffi::lua_State,
    depth: c_int,
}

impl Debugging {
    /// Whether lines are looked at.
    pub(super) fn is_on(&self) -> bool {
        self.step.get().is_some() || !self.breakpoints.borrow().is_empty()
    }

    pub(super) fn set_breakpoints(&self, breakpoints: BTreeSet<(String, u32)>) {
        if breakpoints.is_empty() {
            self.step.set(None);
        }
        *self.breakpoints.borrow_mut() = breakpoints;
    }

    pub(super) fn set_on_stop(&self, lua: &Lua, on_stop: Option<OnStop>) -> mlua::Result<()> {
        lua.set_named_registry_value(&LOOKED_AT.to_string_lossy(), false)?;
        *self.lua.borrow_mut() = Some(lua.weak());
        *self.on_stop.borrow_mut() = on_stop;
        Ok(())
    }

    /// A call of the host has ended: a step does not go on in the next one, which is somebody else's.
    pub(super) fn call_ends(&self, main: *mut ffi::lua_State) {
        if self.step.get().is_some_and(|step| step.thread == main) {
            self.step.set(None);
        }
    }
}

/// Sets the hooks of a thread as they should be now. Coroutines inherit the hooks of the one that made them, so those made
/// before a breakpoint was set have none.
///
/// # Safety
/// As [`meter`].
pub(super) unsafe fn adjust(l: *mut ffi::lua_State) {
    // SAFETY: only reads and sets hooks of a live thread.
    unsafe {
        let has_lines = ffi::lua_gethookmask(l) & ffi::LUA_MASKLINE != 0;
        if has_lines != meter(l).debugging.is_on() {
            look_at_lines(l);
        }
    }
}

/// Called at every line while a debugger is on.
///
/// # Safety
/// Called by the count hook only, with what Lua passed to it. Never raises an error.
pub(super) unsafe fn line(l: *mut ffi::lua_State, activation: *mut ffi::lua_Debug) {
    // SAFETY: Lua passes a valid thread and activation record.
    unsafe {
        let meter = meter(l);
        let debugging = &meter.debugging;
        if !debugging.is_on() {
            return look_at_lines(l); // the last breakpoint was removed
        }
        ffi::lua_getinfo(l, c"S".as_ptr(), activation);
        let source = CStr::from_ptr((*activation).source).to_bytes();
        let Some(file) = source.strip_prefix(b"@") else { return };
        let number = u32::try_from((*activation).currentline).unwrap_or(0);
        let is_over = debugging.step.get().is_some_and(|step| match step.how {
            Resume::Continue => false,
            Resume::StepInto => true,
            Resume::StepOver => l == step.thread && depth(l) <= step.depth,
            Resume::StepOut => l == step.thread && depth(l) < step.depth,
        });
        let is_breakpoint = || {
            let file = String::from_utf8_lossy(file).into_owned();
            debugging.breakpoints.borrow().contains(&(file, number))
        };
        if !is_over && !is_breakpoint() {
            return;
        }
        debugging.step.set(None);
        // A stop may take long, and is not to cost the script anything.
        let suspended = meter.suspend();
        let how = catch_unwind(AssertUnwindSafe(|| stop(l, debugging, is_over))).unwrap_or(Resume::Continue);
        meter.go_on(suspended);
        if how != Resume::Continue {
            debugging.step.set(Some(Step { how, thread: l, depth: depth(l) }));
        }
    }
}

fn stop(l: *mut ffi::lua_State, debugging: &Debugging, by_step: bool) -> Resume {
    let lua = debugging.lua.borrow().as_ref().and_then(WeakLua::try_upgrade);
    let (Some(lua), Ok(mut on_stop)) = (lua, debugging.on_stop.try_borrow_mut()) else {
        return Resume::Continue;
    };
    let Some(on_stop) = on_stop.as_mut() else { return Resume::Continue };
    // SAFETY: the hook's thread is alive and has room for values.
    let frames = unsafe { frames(l, &lua) };
    on_stop(frames, by_step)
}

/// The calls on a thread that are code of scripts, innermost first.
unsafe fn frames(l: *mut ffi::lua_State, lua: &Lua) -> Vec<RawFrame> {
    let mut frames = Vec::new();
    // SAFETY: activation records are plain data, filled in by Lua.
    unsafe {
        let mut activation: ffi::lua_Debug = zeroed();
        for level in 0..MOST_FRAMES {
            if ffi::lua_getstack(l, level, &raw mut activation) == 0 {
                break;
            }
            ffi::lua_getinfo(l, c"Sln".as_ptr(), &raw mut activation);
            let source = CStr::from_ptr(activation.source).to_bytes();
            let Some(file) = source.strip_prefix(b"@") else { continue };
            frames.push(RawFrame {
                function: (!activation.name.is_null()).then(|| text(activation.name)),
                defined: u32::try_from(activation.linedefined).unwrap_or(0),
                file: String::from_utf8_lossy(file).into_owned(),
                line: u32::try_from(activation.currentline).unwrap_or(0),
                variables: variables(l, &mut activation, lua),
            });
        }
        // The last value is not to be kept.
        ffi::lua_pushboolean(l, 0);
        ffi::lua_setfield(l, ffi::LUA_REGISTRYINDEX, LOOKED_AT.as_ptr());
    }
    frames
}

unsafe fn variables(
    l: *mut ffi::lua_State,
    activation: &mut ffi::lua_Debug,
    lua: &Lua,
) -> Vec<(String, Value)> {
    let mut variables: Vec<(String, Value)> = Vec::new();
    let mut add = |name: String, value: Option<Value>| {
        // Names in brackets are temporary values of Lua itself.
        if let (Some(value), false) = (value, name.starts_with('(')) {
            // A later local of the same name hides the earlier one.
            variables.retain(|(other, _)| *other != name);
            variables.push((name, value));
        }
    };
    // SAFETY: what is pushed onto the thread is taken from it at once.
    unsafe {
        for number in 1..=MOST_VARIABLES {
            let name = ffi::lua_getlocal(l, activation, number);
            if name.is_null() {
                break;
            }
            add(text(name), take(l, lua));
        }
        ffi::lua_getinfo(l, c"f".as_ptr(), activation);
        let mut outer = Vec::new();
        for number in 1..=MOST_VARIABLES {
            let name = ffi::lua_getupvalue(l, -1, number);
            if name.is_null() {
                break;
            }
            outer.push((text(name), take(l, lua)));
        }
        ffi::lua_pop(l, 1);
        for (name, value) in outer {
            let is_hidden = variables.iter().any(|(other, _)| *other == name);
            if let (Some(value), false) = (value, is_hidden || name == "_ENV") {
                variables.push((name, value));
            }
        }
    }
    variables
}

/// Registry name of the value that is being looked at. It always exists, so that setting it allocates nothing and cannot
/// fail: an error here would jump over the frames of this module.
const LOOKED_AT: &CStr = c"cicerone.looked_at";

/// Takes the value on top of a thread.
unsafe fn take(l: *mut ffi::lua_State, lua: &Lua) -> Option<Value> {
    // SAFETY: the value goes through the registry, which all threads share. A nil would remove the field.
    unsafe {
        if ffi::lua_type(l, -1) == ffi::LUA_TNIL {
            ffi::lua_pop(l, 1);
            return Some(Value::Nil);
        }
        ffi::lua_setfield(l, ffi::LUA_REGISTRYINDEX, LOOKED_AT.as_ptr());
    }
    lua.named_registry_value(&LOOKED_AT.to_string_lossy()).ok()
}

/// The number of calls on a thread.
unsafe fn depth(l: *mut ffi::lua_State) -> c_int {
    const DEEPEST: c_int = 1 << 20;
    // SAFETY: an activation record is plain data.
    unsafe {
        let mut activation: ffi::lua_Debug = zeroed();
        let (mut some, mut none) = (0, 1);
        while none < DEEPEST && ffi::lua_getstack(l, none, &raw mut activation) != 0 {
            (some, none) = (none, none * 2);
        }
        while none - some > 1 {
            let middle = some.midpoint(none);
            match ffi::lua_getstack(l, middle, &raw mut activation) {
                0 => none = middle,
                _ => some = middle,
            }
        }
        none
    }
}

unsafe fn text(name: *const c_char) -> String {
    // SAFETY: Lua's names end with a zero byte.
    unsafe { CStr::from_ptr(name).to_string_lossy().into_owned() }
}
