//! Memory accounts: who holds how much, what a block costs, and who is stopped when the memory is full.

use super::{Account, Meter, Stop};

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

impl Meter {
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

    /// Whether the allocator may hand out `more` bytes; takes fuel for them if they cost any. A part of an
    /// object, the buffer of a library function say, is not refused to force a collection, since it may not
    /// be requested again. The object it becomes forces the collection.
    pub(in crate::script::sandbox) fn admits(&self, more: usize, costs_fuel: bool, is_part: bool) -> bool {
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

    /// Stops a script that was found to be the largest, unless it has freed memory since.
    pub(super) fn stop_if_condemned(&self, account: Account) {
        if self.condemned.get() == Some(account) {
            self.condemned.set(None);
            // The account may have freed memory since.
            if self.total.get() > self.total_limit.get() / SMALL_PART * (SMALL_PART - 1) {
                self.stop_for(Stop::SharedMemory(self.held_mib(account)));
            }
        }
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
    pub(in crate::script::sandbox) fn count_block(&self, is_new: bool) {
        let blocks = self.blocks.get();
        self.blocks.set(if is_new { blocks + 1 } else { blocks.saturating_sub(1) });
    }

    /// The account that pays for a block allocated or grown now.
    pub(in crate::script::sandbox) fn payer(&self) -> Account {
        self.account.get()
    }

    pub(in crate::script::sandbox) fn book(&self, account: Account, bytes: usize) {
        self.total.set(self.total.get() + bytes);
        if let Some(used) = self.used.borrow_mut().get_mut(account.0 as usize) {
            *used += bytes;
        }
    }

    pub(in crate::script::sandbox) fn unbook(&self, account: Account, bytes: usize) {
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
