//! When garbage is collected. Lua's collector goes on with every allocation, in proportion to it; here it goes on between
//! two ticks, too, so that a full memory is collected in small steps, and before anybody needs it at once. That is no
//! script's work and is charged to nobody: when it happens differs after a save.

use super::meter::Meter;
use mlua::ffi::{self, lua_State};
use std::cell::Cell;
use std::ffi::c_int;

/// Allocations after which a round begins.
const GARBAGE_BYTES: usize = 4 << 20;

/// Steps between two ticks. A step visits a few thousand values, and so many of them take two milliseconds.
const STEPS: u32 = 64;

/// How far memory may grow before Lua begins a round by itself, in the middle of a tick: so much, within these percentages
/// of what is in use.
const GROWTH_BYTES: usize = 8 << 20;
const LEAST_PAUSE: usize = 110;
const USUAL_PAUSE: usize = 250;

/// The collector between two ticks.
#[derive(Default)]
pub(super) struct Collector {
    /// Whether a round has begun.
    is_at_work: Cell<bool>,
    /// Bytes in use after the last round, or fewer if there were fewer since.
    in_use: Cell<usize>,
}

impl Collector {
    /// Goes on with a round, or begins one if there may be much garbage.
    ///
    /// # Safety
    /// `l` is the main thread of the meter's state, and no script runs.
    pub(super) unsafe fn go_on(&self, l: *mut lua_State, meter: &Meter) {
        let total = meter.memory();
        self.in_use.set(self.in_use.get().min(total));
        if !self.is_at_work.get() && total < self.in_use.get() + GARBAGE_BYTES {
            return;
        }
        self.is_at_work.set(true);
        let pause = (100 + 100 * GROWTH_BYTES / total.max(1)).clamp(LEAST_PAUSE, USUAL_PAUSE);
        // SAFETY: by the contract. There are no finalisers, so no script runs.
        unsafe { ffi::lua_gc(l, ffi::LUA_GCPARAM, ffi::LUA_GCPPAUSE, pause as c_int) };
        for _ in 0..STEPS {
            // SAFETY: as above; 0 asks for one basic step.
            if unsafe { ffi::lua_gc(l, ffi::LUA_GCSTEP, 0_usize) } != 0 {
                self.is_at_work.set(false);
                self.in_use.set(meter.memory());
                return;
            }
        }
    }
}
