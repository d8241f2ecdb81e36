//! The Lua state. It is created here with a fixed hash seed, bounded memory and a hook that can stop every
//! script. All unsafe code is in this folder.
//!
//! Why this is sound: the state, its meter and its allocator live and die together, in [`LuaState`]. The
//! meter is only ever shared (`&Meter`, all cells), so the allocator, the hook and the guards can reach it
//! from inside Lua without aliasing. Functions called by Lua may leave through `lua_error`, which jumps over
//! their frames: none of them owns a value with a destructor, or calls a function that does. All other access
//! to Lua goes through mlua's safe interface.
#![allow(unsafe_code)]

mod arena;
mod collector;
mod coroutine_line;
mod guards;
mod heap;
mod inheritance;
mod instruction_hook;
mod layout;
mod line_hook;
mod meter;
mod movable;
mod pattern;
mod roots;
mod sampling;
mod stop;
mod strings;
mod watchdog;

pub(super) use coroutine_line::line_of;
pub(super) use guards::whole_and_fraction;
pub(super) use layout::Shape;
pub use line_hook::Resume;
pub(super) use line_hook::{OnStop, RawFrame};
pub(super) use meter::{Account, Meter};
pub(super) use sampling::seed_of;
pub(super) use stop::{Stop, Usage};
use watchdog::Pulse;
pub use watchdog::Watchdog;

use mlua::{Lua, StdLib, Value, ffi};
use std::collections::BTreeSet;
use std::ffi::{CStr, c_void};
use std::mem::ManuallyDrop;
use std::rc::Rc;

/// Marks the metatable of a table shared by all scripts; see `rawset` in the guards, and the prelude.
pub(super) const SHARED_MARK: &str = "__shared";

/// Registry name of the tables that other scripts read: `room.state`, the tables of modules (with the file that each
/// belongs to), the data of messages. Only that file may give one a metatable.
const SHARED_TABLES: &CStr = c"cicerone.shared_tables";

/// A Lua state with the safe libraries, a fixed hash seed, bounded memory and counted instructions.
pub(super) struct LuaState {
    lua: ManuallyDrop<Lua>,
    raw: *mut ffi::lua_State,
    meter: Rc<Meter>,
    roots: roots::Roots,
    collector: collector::Collector,
}

/// Seeds Lua's string hashes, which decide the places of strings in tables. Any constant makes every process
/// the same.
const HASH_SEED: u32 = 0x00C1_CE20;

impl LuaState {
    /// Makes a state without limits; see [`Meter::set_memory_limits`].
    ///
    /// # Errors
    /// If there is no memory for an empty state.
    pub(super) fn new() -> mlua::Result<Self> {
        let meter = Rc::new(Meter::new());
        let context = Rc::as_ptr(&meter).cast_mut().cast::<c_void>();
        // SAFETY: `allocate` keeps the contract of lua_Alloc and uses its context as a shared `Meter`. The meter
        // outlives the state: `self.meter` is dropped after `lua_close`.
        let raw = unsafe { ffi::lua_newstate(heap::allocate, context, HASH_SEED) };
        if raw.is_null() {
            return Err(mlua::Error::MemoryError("no memory for a Lua state".into()));
        }
        // SAFETY: as below.
        unsafe {
            widen_registry(raw);
            meter.layout.set(layout::Layout::verify(raw));
        }
        // SAFETY: `raw` is a fresh state used by this thread only. Nothing is limited yet, so the unprotected calls
        // here can only fail if the machine itself has no memory, which ends any Rust program. The clone keeps mlua's
        // own reference count apart from the borrowed lifetime; it is dropped before the state is closed.
        let lua = unsafe {
            ffi::luaL_requiref(raw, c"_G".as_ptr(), ffi::luaopen_base, 1);
            ffi::lua_settop(raw, 0);
            Lua::get_or_init_from_ptr(raw).clone()
        };
        let state = Self {
            lua: ManuallyDrop::new(lua),
            raw,
            meter,
            roots: roots::Roots::default(),
            collector: Default::default(),
        };
        state.lua.load_std_libs(
            StdLib::TABLE | StdLib::STRING | StdLib::MATH | StdLib::UTF8 | StdLib::COROUTINE,
        )?;
        let stopped = mlua::Error::RuntimeError("stopped".into());
        let name = instruction_hook::STOPPED.to_string_lossy();
        state.lua.set_named_registry_value(&name, Value::Error(Box::new(stopped)))?;
        let shared: mlua::Table = state.lua.create_table()?;
        let weak = state.lua.create_table()?;
        weak.raw_set("__mode", "k")?;
        shared.set_metatable(Some(weak))?;
        state.lua.set_named_registry_value(&SHARED_TABLES.to_string_lossy(), shared)?;
        state.warm_up()?;
        // SAFETY: as above; the functions put in place only run on this state.
        unsafe {
            guards::install(raw);
            strings::install(raw);
            instruction_hook::arm(raw, 1);
        }
        Ok(state)
    }

    /// Creates what Lua and mlua otherwise create on first use. No script pays for being first: after a
    /// restore, another script may be the first.
    fn warm_up(&self) -> mlua::Result<()> {
        let fails =
            self.lua.create_function(|_, ()| Err::<(), _>(mlua::Error::RuntimeError("cold".into())))?;
        self.meter.spare_bytes.set(meter::Spare::Next);
        let code = "local fails = ... pcall(fails) return ('x'):rep(10000) .. tostring(fails)";
        self.lua.load(code).call::<mlua::LuaString>(fails).map(drop)
    }

    pub(super) fn lua(&self) -> &Lua {
        &self.lua
    }

    pub(super) fn meter(&self) -> &Rc<Meter> {
        &self.meter
    }

    /// Call this between the scripts of two ticks, so that the collector visits all objects in the same order
    /// in every process.
    pub(super) fn list_roots(&self) {
        // SAFETY: the state is alive, and no script runs. The list needs far less than the host's reserve.
        unsafe { self.roots.list(self.raw) };
    }

    /// Collects some garbage. Call this between the scripts of two ticks.
    pub(super) fn collect(&self) {
        // SAFETY: the state is alive, and no script runs.
        unsafe { self.collector.go_on(self.raw, &self.meter) };
    }

    /// Starts metering: until [`LuaState::end`], scripts run on this account and with this much fuel. The seed decides which
    /// instructions are looked at.
    pub(super) fn begin(&self, account: Account, fuel: u64, seed: u64) {
        self.meter.sampling.begin(seed, self.meter.long_strings.get());
        // SAFETY: the state is alive as long as `self`.
        unsafe {
            line_hook::adjust(self.raw);
            instruction_hook::draw(self.raw);
        }
        self.meter.begin(account, fuel);
    }

    /// Sets what is called when code stops at a breakpoint.
    pub(super) fn on_stop(&self, on_stop: Option<OnStop>) -> mlua::Result<()> {
        self.meter.debugging.set_on_stop(&self.lua, on_stop)
    }

    /// Sets the lines at which code stops, by file and number.
    pub(super) fn set_breakpoints(&self, breakpoints: BTreeSet<(String, u32)>) {
        self.meter.debugging.set_breakpoints(breakpoints);
    }

    /// Stops metering; returns the fuel spent and the reason of a stop.
    pub(super) fn end(&self) -> Usage {
        let usage = self.meter.end();
        self.meter.debugging.call_ends(self.raw);
        if usage.stop.is_some() {
            // SAFETY: as in `begin`. The hook of a stopped thread runs at every instruction; coroutines made
            // from it would inherit that.
            unsafe { instruction_hook::arm(self.raw, 1) };
        }
        usage
    }
}

/// Notes that other scripts read a table; only the file that it belongs to, if there is one, may give it a metatable.
pub(super) fn share(lua: &Lua, table: &mlua::Table, file: Option<&str>) -> mlua::Result<()> {
    let shared: mlua::Table = lua.named_registry_value(&SHARED_TABLES.to_string_lossy())?;
    match file {
        Some(file) => shared.raw_set(table, file),
        None => shared.raw_set(table, true),
    }
}

/// Prepares the hooks of a coroutine that a metered run is about to resume.
pub(super) fn prepare(thread: &mlua::Thread) {
    // SAFETY: a thread of a state of ours, alive as long as its handle.
    unsafe {
        line_hook::adjust(thread.state());
        instruction_hook::draw(thread.state());
    }
}

/// mlua stores values in the registry under the addresses of its statics, which differ from process to
/// process. A table this wide never has to grow for them.
///
/// # Safety
/// `raw` is a fresh state used by this thread only.
unsafe fn widen_registry(raw: *mut ffi::lua_State) {
    const FIELDS: i32 = 1024;
    // SAFETY: the stack has room for the few values; `lua_copy` may set the registry, which needs no barrier.
    unsafe {
        ffi::lua_createtable(raw, 8, FIELDS);
        ffi::lua_pushnil(raw);
        while ffi::lua_next(raw, ffi::LUA_REGISTRYINDEX) != 0 {
            ffi::lua_pushvalue(raw, -2);
            ffi::lua_insert(raw, -2);
            ffi::lua_rawset(raw, -4);
        }
        ffi::lua_copy(raw, -1, ffi::LUA_REGISTRYINDEX);
        ffi::lua_settop(raw, 0);
    }
}

impl Drop for LuaState {
    fn drop(&mut self) {
        // SAFETY: the owner of a LuaState drops its own Lua handles first (see `Scripts`). The clone goes before the
        // state it refers to; the meter, a field, goes after the state that reports to it.
        unsafe {
            ManuallyDrop::drop(&mut self.lua);
            ffi::lua_close(self.raw);
        }
    }
}
