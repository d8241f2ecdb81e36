//! Budgets of the running code: fuel, counted in instructions, and memory, counted per account. The
//! allocator, the hook and the guards report here, on the thread of their Lua state.

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

/// Bytes that take as long to allocate and fill as one instruction.
///
/// Collecting them later is part of it: while the collector is at work, it goes on with every allocation.
const BYTES_PER_FUEL: usize = 24;

/// Instructions charged per allocation besides its bytes; they include freeing it.
const ALLOCATION_FUEL: usize = 3;

/// Instructions that a garbage collection at once takes for each block that Lua holds. Measured.
const COLLECTION_FUEL_PER_BLOCK: i64 = 8;

/// Fuel that stopped code may overdraw for allocations, to reach the next instruction, where the hook stops
/// it and records the line.
const MAX_DEBT: i64 = 200_000;

/// Bytes beyond its limit that code may use until the hook stops it.
const LAST_RESERVE: usize = 1 << 20;

/// Bytes that the host may use beyond the scripts' shared limit, so that a reload can fix a script that
/// hoards memory.
const HOST_RESERVE: usize = 32 << 20;

/// A divisor of the shared limit: an account below that part is not blamed when the limit is reached.
const SMALL_PART: usize = 16;

/// A divisor of what each script would have if all had the same: many who each hold that much are to blame together.
const PARTS_OF_FAIR_SHARE: usize = 4;

/// An account of fewer bytes is never to blame.
const SMALL_BYTES: usize = 64 << 10;

/// A divisor of the shared limit: that part is added for accounts that are not to blame.
const LENT_PART: usize = 4;

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

    /// Bytes for all scripts together and for each account.
    pub(in crate::script) fn set_memory_limits(&self, total: usize, each: usize) {
        self.total_limit.set(total);
        self.script_limit.set(each);
    }

    /// Opens an account.
    pub(in crate::script) fn open_account(&self) -> Account {
        let mut used = self.used.borrow_mut();
        // Data of a closed account may live on in other scripts. An account is reused once nothing is booked
        // on it.
        let mut free = self.free_accounts.borrow_mut();
        if let Some(at) = free.iter().position(|account| used[account.0 as usize] == 0) {
            return free.swap_remove(at);
        }
        used.push(0);
        Account(used.len() as u32 - 1)
    }

    pub(in crate::script) fn close_account(&self, account: Account) {
        if self.condemned.get() == Some(account) {
            self.condemned.set(None);
        }
        if account != Account::HOST {
            self.free_accounts.borrow_mut().push(account);
        }
    }

    /// Bytes that Lua holds at the moment.
    pub(in crate::script) fn memory(&self) -> usize {
        self.total.get()
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
        if self.condemned.get() == Some(account) {
            self.condemned.set(None);
            // The account may have freed memory since.
            if self.total.get() > self.total_limit.get() / SMALL_PART * (SMALL_PART - 1) {
                self.stop_for(Stop::SharedMemory(self.held_mib(account)));
            }
        }
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

    /// Whether the allocator may hand out `more` bytes; takes fuel for them if they cost any. A part of an
    /// object, the buffer of a library function say, is not refused to force a collection, since it may not
    /// be requested again. The object it becomes forces the collection.
    pub(super) fn admits(&self, more: usize, costs_fuel: bool, is_part: bool) -> bool {
        if !self.running.get() {
            return more
                <= self.total_limit.get().saturating_add(HOST_RESERVE).saturating_sub(self.total.get());
        }
        let price = if costs_fuel { ALLOCATION_FUEL + more / BYTES_PER_FUEL } else { 0 };
        let fuel = self.fuel.get().saturating_sub(price as i64);
        self.fuel.set(fuel);
        if fuel <= 0 && costs_fuel {
            self.stop_for(Stop::Fuel);
            if fuel < -MAX_DEBT {
                return false;
            }
        }
        let account = self.account.get();
        // Loaded code belongs to no script's account.
        let used = match self.used.borrow().get(account.0 as usize) {
            Some(&used) if account != Account::HOST => used,
            _ => 0,
        };
        let room = |held: usize, limit: usize| more <= limit.saturating_sub(held);
        let own = room(used, self.script_limit.get());
        // A load may use the host's reserve, since it may fix a script that hoards memory.
        let reserve = if account == Account::HOST { HOST_RESERVE } else { 0 };
        let shared = room(self.total.get(), self.total_limit.get().saturating_add(reserve));
        if own && (shared || self.lends(account, used, more)) {
            // A script that is near its limit even after a collection would trigger collections all the time.
            if self.refused.replace(false) {
                self.stop_who_fills_it(account, used);
            }
            return true;
        }
        let in_reserve = |held: usize, limit: usize| room(held, limit.saturating_add(LAST_RESERVE));
        let fits =
            in_reserve(used, self.script_limit.get()) && in_reserve(self.total.get(), self.total_limit.get());
        if is_part && fits && !self.refused.get() {
            return true;
        }
        if !self.refused.get() && self.stop.get().is_none() && self.pays_for_collection() {
            self.refused.set(true);
            self.collected_at.set(self.total.get());
            return false;
        }
        self.stop_for(match own {
            true if used >= self.most_held() / 2 => Stop::SharedMemory(self.held_mib(account)),
            true => Stop::SharedMemory(0),
            false => Stop::Memory,
        });
        fits
    }

    /// Stops a script for which all garbage was collected, and that has nearly filled its own memory or that of all even
    /// so: it would need the next collection at once, and the one after it.
    fn stop_who_fills_it(&self, account: Account, used: usize) {
        let nearly = |limit: usize| limit / 10 * 9;
        if used > nearly(self.script_limit.get()) {
            self.stop_for(Stop::Memory);
        } else if self.total.get() > nearly(self.total_limit.get()) && used >= self.most_held() / 2 {
            self.stop_for(Stop::SharedMemory(self.held_mib(account)));
        }
    }

    fn most_held(&self) -> usize {
        self.largest().map_or(0, |largest| self.held(largest))
    }

    /// Takes the fuel for a collection of all garbage at once, if the running code has that much left. Otherwise it would
    /// hold the game up: whoever needs memory then has come too late, and is stopped.
    fn pays_for_collection(&self) -> bool {
        let left = self.left_after_collection();
        if left > 0 {
            self.fuel.set(left);
        }
        left > 0
    }

    fn left_after_collection(&self) -> i64 {
        let price = (self.blocks.get() as i64).saturating_mul(COLLECTION_FUEL_PER_BLOCK);
        self.fuel.get().saturating_sub(price)
    }

    /// Whether an account gets memory beyond the shared limit: if it is small, and while the reserve for
    /// small accounts lasts. The largest accounts are to blame, not the last to allocate; the largest is
    /// stopped when it runs next. Garbage is collected first, but not again until there may be much of it.
    fn lends(&self, account: Account, used: usize, more: usize) -> bool {
        let limit = self.total_limit.get();
        let scripts = self.used.borrow().len() - self.free_accounts.borrow().len();
        let part = limit / SMALL_PART.max(scripts * PARTS_OF_FAIR_SHARE);
        let is_small = used.saturating_add(more) <= part.max(SMALL_BYTES) && account != Account::HOST;
        let lasts = self.total.get().saturating_add(more) <= limit.saturating_add(limit / LENT_PART);
        let is_collected = self.refused.get()
            || self.left_after_collection() <= 0
            || self.total.get() < self.collected_at.get().saturating_add(limit / SMALL_PART);
        let lends = is_small && lasts && is_collected;
        if lends && self.condemned.get().is_none() {
            self.condemned.set(self.largest());
        }
        lends
    }

    /// The account that holds the most.
    fn largest(&self) -> Option<Account> {
        let used = self.used.borrow();
        let accounts = used.iter().enumerate().skip(1);
        let largest = accounts.max_by_key(|&(number, used)| (used, std::cmp::Reverse(number)));
        largest.map(|(number, _)| Account(number as u32))
    }

    fn held_mib(&self, account: Account) -> u32 {
        u32::try_from(self.held(account) >> 20).unwrap_or(u32::MAX).max(1)
    }

    fn held(&self, account: Account) -> usize {
        self.used.borrow().get(account.0 as usize).copied().unwrap_or(0)
    }

    /// Counts a block that was allocated or freed.
    pub(super) fn count_block(&self, is_new: bool) {
        let blocks = self.blocks.get();
        self.blocks.set(if is_new { blocks + 1 } else { blocks.saturating_sub(1) });
    }

    /// The account that pays for a block allocated or grown now.
    pub(super) fn payer(&self) -> Account {
        self.account.get()
    }

    pub(super) fn book(&self, account: Account, bytes: usize) {
        self.total.set(self.total.get() + bytes);
        if let Some(used) = self.used.borrow_mut().get_mut(account.0 as usize) {
            *used += bytes;
        }
    }

    pub(super) fn unbook(&self, account: Account, bytes: usize) {
        self.total.set(self.total.get().saturating_sub(bytes));
        if let Some(used) = self.used.borrow_mut().get_mut(account.0 as usize) {
            *used = used.saturating_sub(bytes);
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

    #[test]
    fn an_account_is_used_again_only_when_empty() {
        let meter = Meter::new();
        let (ann, bob) = (meter.open_account(), meter.open_account());
        meter.book(ann, 100);
        meter.close_account(ann);
        meter.close_account(bob);
        assert_eq!(meter.open_account(), bob);
        assert_ne!(meter.open_account(), ann);
        meter.unbook(ann, 100);
        assert_eq!(meter.open_account(), ann);
    }

    #[test]
    fn the_largest_is_stopped_and_not_the_one_that_comes_last() {
        let meter = Meter::new();
        let (hoarder, larger, worker) = (meter.open_account(), meter.open_account(), meter.open_account());
        meter.set_memory_limits(100 << 20, 64 << 20);
        for (account, mib) in [(hoarder, 48), (larger, 51)] {
            meter.begin(account, 1_000_000_000);
            assert!(meter.admits(mib << 20, true, false));
            meter.book(account, mib << 20);
            assert_eq!(meter.end().stop, None);
        }
        meter.begin(worker, 1_000_000_000);
        for _ in 0..5 {
            // Garbage is collected once, not before every allocation.
            if !meter.admits(1 << 20, true, false) {
                assert!(meter.admits(1 << 20, true, false), "what is small is lent");
            }
            meter.book(worker, 1 << 20);
        }
        assert_eq!(meter.end().stop, None, "the worker is innocent");
        meter.begin(hoarder, 1_000_000);
        assert_eq!(meter.end().stop, None, "it is not the largest");
        meter.begin(larger, 1_000_000);
        assert_eq!(meter.end().stop.map(|(stop, _)| stop), Some(Stop::SharedMemory(51)));
    }

    #[test]
    fn memory_is_refused_once_for_the_garbage_and_then_for_good() {
        let meter = Meter::new();
        let account = meter.open_account();
        meter.set_memory_limits(100 << 20, 1 << 20);
        meter.begin(account, 1_000_000_000);
        assert!(meter.admits(1 << 20, true, false));
        meter.book(account, 1 << 20);
        assert!(!meter.admits(10, true, false), "first collect the garbage");
        assert_eq!(meter.stop(), None);
        assert!(meter.admits(10, true, false), "a last reserve, to stop in good order");
        assert_eq!(meter.stop(), Some(Stop::Memory));
        assert!(!meter.admits(2 << 20, true, false));
    }
}
