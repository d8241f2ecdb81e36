//! What the running code may still use: fuel, counted in instructions, and memory, counted per account. Plain bookkeeping;
//! the allocator, the hook and the guards report here, on the thread of their Lua state.

use std::cell::{Cell, RefCell};
use std::fmt;

/// Why running code was stopped. Nothing it does can undo that: every further instruction raises again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::script) enum Stop {
    /// It used up its fuel.
    Fuel,
    /// Its own data fill what one script may hold.
    Memory,
    /// The data of all scripts together fill what they may hold. If this one is among those that hold the most, how much, in MiB; else 0.
    SharedMemory(u32),
    /// It made a string longer than any may be.
    LongString,
    /// It asked for a path that is dearer than all the fuel it had left.
    Search,
    /// It stands ten thousand calls deep.
    Depth,
    /// One of its tables inherits over too many others.
    Generations,
    /// The watchdog lost patience.
    Overdue,
}

/// Whose memory it is: a number the meter gives out. Account 0 is the host's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::script) struct Account(pub(super) u32);

impl Account {
    pub(in crate::script) const HOST: Self = Self(0);
}

/// A line of a script, small enough to be copied while Lua is in the middle of an error.
#[derive(Clone, Copy)]
pub(super) struct CodeLine {
    file: [u8; Self::MAX_FILE],
    file_len: u8,
    line: u32,
}

impl CodeLine {
    const MAX_FILE: usize = 120;

    pub(super) fn new(file: &[u8], line: u32) -> Self {
        let mut spot = Self { file: [0; Self::MAX_FILE], file_len: 0, line };
        let len = file.len().min(Self::MAX_FILE);
        spot.file[..len].copy_from_slice(&file[..len]);
        spot.file_len = len as u8;
        spot
    }
}

impl fmt::Display for CodeLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = &self.file[..usize::from(self.file_len)];
        write!(f, "{}:{}", String::from_utf8_lossy(file), self.line)
    }
}

/// What a metered stretch of running code came to.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::script) struct Usage {
    /// Fuel spent.
    pub(in crate::script) fuel: u64,
    /// Why it was stopped, if it was, and the line (file, number) if that is known.
    pub(in crate::script) stop: Option<(Stop, Option<(String, u32)>)>,
}

/// How large the object is that mlua makes for errors in advance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Spare {
    #[default]
    Unknown,
    /// The next object made is one.
    Next,
    Bytes(usize),
}

/// The books of one Lua state.
pub(in crate::script) struct Meter {
    /// Whether scripts run at the moment; what the host does between them costs no fuel.
    pub(super) running: Cell<bool>,
    account: Cell<Account>,
    granted: Cell<i64>,
    fuel: Cell<i64>,
    stop: Cell<Option<Stop>>,
    spot: Cell<Option<CodeLine>>,
    /// The allocator said no once, to make Lua collect its garbage; if that does not help, the code is stopped.
    refused: Cell<bool>,
    total: Cell<usize>,
    total_limit: Cell<usize>,
    script_limit: Cell<usize>,
    used: RefCell<Vec<usize>>,
    free_accounts: RefCell<Vec<Account>>,
    /// The largest of all when the room of all was used up: it is stopped when it runs next.
    condemned: Cell<Option<Account>>,
    /// What was held when garbage was collected last because the room of all was used up.
    collected_at: Cell<usize>,
    /// Whether there has ever been a string so long that handling it takes a multiple of an ordinary instruction; see the hook. That
    /// one was made is the script's doing, when it is collected is not.
    pub(super) long_strings: Cell<bool>,
    /// What mlua makes for errors in advance.
    pub(super) spare_bytes: Cell<Spare>,
    /// The whole number that the current instruction looks up, if any.
    pub(super) looked_up: Cell<i64>,
    /// Looks of the hook in this call.
    looks: Cell<u32>,
    pulse: super::Pulse,
    /// How tables look inside.
    pub(super) layout: Cell<super::layout::Layout>,
    /// Where the state's objects lie.
    pub(super) arena: super::arena::Arena,
}

/// Bytes that cost as much to allocate and fill as an instruction takes to execute.
const BYTES_PER_FUEL: usize = 32;

/// An allocation costs this many instructions beside its bytes: it is freed again, too.
const ALLOCATION_FUEL: usize = 2;

/// Stopped code may still allocate so much on credit, so that its next instruction can be its last, and the place be told.
const MAX_DEBT: i64 = 200_000;

/// Code that holds all it may gets this much more for the instructions until the hook stops it where it stands.
const LAST_RESERVE: usize = 1 << 20;

/// What the host may use beyond the scripts' common limit, so that a reload that mends a hoarder can be carried out.
const HOST_RESERVE: usize = 64 << 20;

/// An account that holds less than this part of what all may hold together is not to blame if that is used up.
const SMALL_PART: usize = 16;

/// A part of what all may hold, added to it for accounts that are not to blame.
const LENT_PART: usize = 4;

/// Calling a handler takes about as long as this many instructions, even if it does nothing.
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
            total_limit: Cell::new(usize::MAX),
            script_limit: Cell::new(usize::MAX),
            used: RefCell::new(vec![0]),
            free_accounts: RefCell::default(),
            condemned: Cell::new(None),
            collected_at: Cell::new(0),
            long_strings: Cell::new(false),
            spare_bytes: Cell::default(),
            looked_up: Cell::new(0),
            looks: Cell::new(0),
            pulse: super::Pulse::default(),
            layout: Cell::default(),
            arena: super::arena::Arena::new(),
        }
    }

    /// Bytes for all scripts together and for each account.
    pub(in crate::script) fn set_memory_limits(&self, total: usize, each: usize) {
        self.total_limit.set(total);
        self.script_limit.set(each);
    }

    /// An account for somebody new.
    pub(in crate::script) fn open_account(&self) -> Account {
        let mut used = self.used.borrow_mut();
        // What somebody who left gave to others may live on: an account is used again once nothing is booked on it.
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

    /// How many entries are looked at when a table is gone over, however few there are.
    pub(in crate::script) fn work(&self, table: &mlua::Table) -> u64 {
        // SAFETY: the table is alive.
        unsafe { self.layout.get().work(table.to_pointer()) }
    }

    /// How much room a table has, in which parts.
    pub(in crate::script) fn shape(&self, table: &mlua::Table) -> Option<super::Shape> {
        // SAFETY: the table is alive.
        unsafe { self.layout.get().shape(table.to_pointer()) }
    }

    /// Whether scripts have had strings that take long to handle: what they are charged from then on depends on it.
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
            // It may have let go of much meanwhile.
            if self.total.get() > self.total_limit.get() / SMALL_PART * (SMALL_PART - 1) {
                self.stop_for(Stop::SharedMemory(self.held_mib(account)));
            }
        }
        self.running.set(true);
        self.pulse.begin();
    }

    /// True whenever as `many` more looks have been taken.
    pub(super) fn counts_to(&self, many: u32) -> bool {
        self.looks.set(self.looks.get().wrapping_add(1));
        self.looks.get().is_multiple_of(many)
    }

    /// What follows is the host's own work: it is free, and no limit holds it up.
    pub(in crate::script) fn pause(&self) {
        self.running.set(false);
        self.account.set(Account::HOST);
    }

    pub(super) fn end(&self) -> Usage {
        if self.refused.get() {
            // Lua's string buffers do not try a second time: the code has failed for want of memory.
            self.stop_for(Stop::Memory);
        }
        self.pause();
        self.pulse.end();
        let fuel = self.granted.get().saturating_sub(self.fuel.get());
        Usage { fuel: u64::try_from(fuel).unwrap_or(0), stop: self.stopped() }
    }

    /// Why the running code is being stopped, if it is, and the line (file, number) if that is known.
    pub(in crate::script) fn stopped(&self) -> Option<(Stop, Option<(String, u32)>)> {
        let place = self.spot.get().map(|spot| {
            let file = &spot.file[..usize::from(spot.file_len)];
            (String::from_utf8_lossy(file).into_owned(), spot.line)
        });
        self.stop.get().map(|stop| (stop, place))
    }

    /// How the watchdog sees this state.
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

    /// How many times so much fuel is left.
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

    /// The first reason counts.
    pub(in crate::script) fn stop_for(&self, stop: Stop) {
        if self.stop.get().is_none() {
            self.stop.set(Some(stop));
        }
    }

    /// Where the running code was stopped, found out by the code that charged it.
    pub(in crate::script) fn stopped_at(&self, place: Option<(String, usize)>) {
        let spot = place.map(|(file, line)| CodeLine::new(file.as_bytes(), u32::try_from(line).unwrap_or(0)));
        self.remember_spot(|| spot);
    }

    pub(super) fn remember_spot(&self, spot: impl FnOnce() -> Option<CodeLine>) {
        if self.spot.get().is_none() {
            self.spot.set(spot());
        }
    }

    /// Whether the allocator may hand out `more` bytes, taking fuel for them if they cost any. A part of an object, the buffer of a
    /// library function say, may not be asked for a second time: the object that it becomes has garbage collected.
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
        // What is loaded belongs to nobody in particular.
        let used = match self.used.borrow().get(account.0 as usize) {
            Some(&used) if account != Account::HOST => used,
            _ => 0,
        };
        let room = |held: usize, limit: usize| more <= limit.saturating_sub(held);
        let own = room(used, self.script_limit.get());
        // A load may use the host's reserve: it may be what mends a hoarder.
        let reserve = if account == Account::HOST { HOST_RESERVE } else { 0 };
        let shared = room(self.total.get(), self.total_limit.get().saturating_add(reserve));
        if own && (shared || self.lends(account, used, more)) {
            // A script next to the limit even without garbage would have it collected all the time.
            if self.refused.replace(false) && used > self.script_limit.get() / 10 * 9 {
                self.stop_for(Stop::Memory);
            }
            return true;
        }
        let in_reserve = |held: usize, limit: usize| room(held, limit.saturating_add(LAST_RESERVE));
        let fits =
            in_reserve(used, self.script_limit.get()) && in_reserve(self.total.get(), self.total_limit.get());
        if is_part && fits && !self.refused.get() {
            return true;
        }
        if !self.refused.replace(true) && self.stop.get().is_none() {
            self.collected_at.set(self.total.get());
            return false;
        }
        let most = self.largest().map_or(0, |largest| self.held(largest));
        self.stop_for(match own {
            true => Stop::SharedMemory(if used >= most / 2 { self.held_mib(account) } else { 0 }),
            false => Stop::Memory,
        });
        fits
    }

    /// Whether an account may have memory although there is none left for all: if it holds little itself, and as long as the reserve
    /// for such lasts. Those who hold the most are to blame, not those who come last; the largest is stopped when it runs next. Garbage
    /// is collected before, but not again until there may be much of it.
    fn lends(&self, account: Account, used: usize, more: usize) -> bool {
        let limit = self.total_limit.get();
        let is_small = used.saturating_add(more) <= limit / SMALL_PART && account != Account::HOST;
        let lasts = self.total.get().saturating_add(more) <= limit.saturating_add(limit / LENT_PART);
        let is_collected = self.refused.get()
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

    /// The account that pays for a block that is made or grows now.
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
