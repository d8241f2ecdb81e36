//! Budgets of the running code: fuel, counted in instructions, and memory, counted per account. The
//! allocator, the hook and the guards report here, on the thread of their Lua state.

mod memory;

use super::stop::{CodeLine, Stop, Usage};
use std::cell::{Cell, RefCell};

/// A memory account: a number assigned by the meter. Account 0 is the host's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::script) struct Account(pub(super) u32);

impl Account {
    pub(in crate::script) const HOST: Self = Self(0);
}

/// Size of the error object that mlua allocates in advance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Spare {
    #[default]
    Unknown,
    /// The next userdata allocated is that object.
    Next,
    Bytes(usize),
}

/// Fuel and memory accounts of one Lua state.
pub(in crate::script) struct Meter {
    /// Whether a script runs. The host's own work costs no fuel.
    pub(super) running: Cell<bool>,
    account: Cell<Account>,
    granted: Cell<i64>,
    fuel: Cell<i64>,
    stop: Cell<Option<Stop>>,
    spot: Cell<Option<CodeLine>>,
    /// The allocator has refused once, to make Lua collect garbage. If that does not help, the code is
    /// stopped.
    refused: Cell<bool>,
    total: Cell<usize>,
    /// Number of blocks that Lua holds.
    blocks: Cell<usize>,
    total_limit: Cell<usize>,
    script_limit: Cell<usize>,
    used: RefCell<Vec<usize>>,
    free_accounts: RefCell<Vec<Account>>,
    /// The largest account when the shared limit was reached. Its script is stopped when it runs next.
    condemned: Cell<Option<Account>>,
    /// Bytes held when a refusal last caused a garbage collection.
    collected_at: Cell<usize>,
    /// Whether there has ever been a string so long that an instruction on it takes a multiple of an ordinary
    /// one; see the hook. Never reset: making the string is the script's doing, the time of its collection is
    /// not.
    pub(super) long_strings: Cell<bool>,
    /// Size of the error object that mlua allocates in advance.
    pub(super) spare_bytes: Cell<Spare>,
    /// The integer key that the current instruction looks up, if any.
    pub(super) looked_up: Cell<Option<i64>>,
    /// Which instructions the hook looks at.
    pub(super) sampling: super::sampling::Sampling,
    /// Hook calls since the metered run began.
    looks: Cell<u32>,
    pulse: super::Pulse,
    pub(super) debugging: super::line_hook::Debugging,
    /// The memory layout of Lua's tables and calls.
    pub(super) layout: Cell<super::layout::Layout>,
    /// Memory of the state's objects.
    pub(super) arena: super::arena::Arena,
}

/// Instructions charged per handler call, even if the handler does nothing.
const CALL_FUEL: i64 = 50;

impl Meter {
    pub(super) fn new() -> Self {
        Self {
            running: Cell::new(false),
            account: Cell::new(Account::HOST),
            granted: Cell::new(0),
            fuel: Cell::new(0),
            stop: Cell::new(None),
            spot: Cell::new(None),
            refused: Cell::new(false),
            total: Cell::new(0),
            blocks: Cell::new(0),
            total_limit: Cell::new(usize::MAX),
            script_limit: Cell::new(usize::MAX),
            used: RefCell::new(vec![0]),
            free_accounts: RefCell::default(),
            condemned: Cell::new(None),
            collected_at: Cell::new(0),
            long_strings: Cell::new(false),
            spare_bytes: Cell::default(),
            looked_up: Cell::default(),
            sampling: super::sampling::Sampling::new(),
            looks: Cell::new(0),
            pulse: super::Pulse::default(),
            debugging: super::line_hook::Debugging::default(),
            layout: Cell::default(),
            arena: super::arena::Arena::new(),
        }
    }

    /// Entries examined when a table is traversed, empty places included.
    pub(in crate::script) fn work(&self, table: &mlua::Table) -> u64 {
        // SAFETY: the table is alive.
        unsafe { self.layout.get().work(table.to_pointer()) }
    }

    /// The capacity of a table's list part and hash part.
    pub(in crate::script) fn shape(&self, table: &mlua::Table) -> Option<super::Shape> {
        // SAFETY: the table is alive.
        unsafe { self.layout.get().shape(table.to_pointer()) }
    }

    /// Whether scripts have had long strings; charges depend on it from then on.
    pub(in crate::script) fn had_long_strings(&self) -> bool {
        self.long_strings.get()
    }

    pub(in crate::script) fn set_long_strings(&self) {
        self.long_strings.set(true);
    }

    pub(super) fn begin(&self, account: Account, fuel: u64) {
        let fuel = i64::try_from(fuel).unwrap_or(i64::MAX);
        self.account.set(account);
        self.granted.set(fuel);
        self.fuel.set(fuel.saturating_sub(CALL_FUEL));
        self.stop.set(None);
        self.spot.set(None);
        self.refused.set(false);
        self.looks.set(0);
        self.stop_if_condemned(account);
        self.running.set(true);
        self.pulse.begin();
    }

    /// Counts a hook call; true at every `many`th.
    pub(super) fn counts_to(&self, many: u32) -> bool {
        self.looks.set(self.looks.get().wrapping_add(1));
        self.looks.get().is_multiple_of(many)
    }

    /// Begins the host's own work: it costs no fuel, and the scripts' limits do not apply.
    pub(in crate::script) fn pause(&self) {
        self.running.set(false);
        self.account.set(Account::HOST);
    }

    /// Suspends the running code for a debugger: what is done meanwhile costs it nothing, and no watchdog counts.
    pub(super) fn suspend(&self) -> Account {
        let account = self.account.get();
        self.pause();
        self.pulse.end();
        account
    }

    /// Lets suspended code go on.
    pub(super) fn go_on(&self, account: Account) {
        self.account.set(account);
        self.running.set(true);
        self.pulse.begin();
    }

    pub(super) fn end(&self) -> Usage {
        if self.refused.get() {
            // Lua's string buffers do not retry a refused allocation: the code has failed for lack of memory.
            self.stop_for(Stop::Memory);
        }
        self.pause();
        self.pulse.end();
        let fuel = self.granted.get().saturating_sub(self.fuel.get());
        Usage { fuel: u64::try_from(fuel).unwrap_or(0), stop: self.stopped() }
    }

    /// Why the running code is being stopped, if it is, and the line (file, number) if that is known.
    pub(in crate::script) fn stopped(&self) -> Option<(Stop, Option<(String, u32)>)> {
        let place = self.spot.get().map(CodeLine::file_and_line);
        self.stop.get().map(|stop| (stop, place))
    }

    /// The signal between this state and the watchdog.
    pub(in crate::script) fn pulse(&self) -> &super::Pulse {
        &self.pulse
    }

    /// Takes fuel; true while some is left. The host's own work is free.
    pub(in crate::script) fn spend(&self, fuel: u64) -> bool {
        if !self.running.get() {
            return true;
        }
        let left = self.fuel.get().saturating_sub(i64::try_from(fuel).unwrap_or(i64::MAX));
        self.fuel.set(left);
        if left <= 0 {
            self.stop_for(Stop::Fuel);
        }
        self.stop.get().is_none()
    }

    /// How many times `price` is covered by the fuel left, plus one.
    pub(in crate::script) fn affords(&self, price: u64) -> u64 {
        self.fuel_left() / price + 1
    }

    pub(super) fn fuel_left(&self) -> u64 {
        if self.running.get() { u64::try_from(self.fuel.get()).unwrap_or(0) } else { u64::MAX }
    }

    /// Why the running code is being stopped, if it is.
    pub(super) fn stop(&self) -> Option<Stop> {
        self.stop.get()
    }

    /// Records a reason to stop; the first one counts.
    pub(in crate::script) fn stop_for(&self, stop: Stop) {
        if self.stop.get().is_none() {
            self.stop.set(Some(stop));
        }
    }

    /// Records the line at which the running code was stopped, as found by the code that charged it.
    pub(in crate::script) fn stopped_at(&self, place: Option<(String, usize)>) {
        let spot = place.map(|(file, line)| CodeLine::new(file.as_bytes(), u32::try_from(line).unwrap_or(0)));
        self.remember_spot(|| spot);
    }

    pub(super) fn remember_spot(&self, spot: impl FnOnce() -> Option<CodeLine>) {
        if self.spot.get().is_none() {
            self.spot.set(spot());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reason_to_stop_counts() {
        let meter = Meter::new();
        meter.begin(Account::HOST, CALL_FUEL as u64 + 10);
        assert!(meter.spend(9));
        assert!(!meter.spend(1));
        meter.stop_for(Stop::Memory);
        assert_eq!(meter.stop(), Some(Stop::Fuel));
        assert_eq!(meter.end().fuel, CALL_FUEL as u64 + 10);
    }
}
