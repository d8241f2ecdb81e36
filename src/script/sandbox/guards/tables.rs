//! Guards of tables: functions that process many entries pay in advance.

use super::MAX_RESULTS;
use super::text::{weigh_compared, weigh_number};
use super::{charge, count, go_on, meter, whole};
use crate::script::sandbox::instruction_hook::ENTRIES_PER_FUEL;
use mlua::ffi::{self, lua_Integer, lua_State};
use std::ffi::c_int;

pub(super) unsafe extern "C-unwind" fn move_range(l: *mut lua_State) -> c_int {
    // SAFETY: as above.
    unsafe {
        weigh_number(l, 4);
        if let (Some(first), Some(last)) = (whole(l, 2), whole(l, 3))
            // Lua itself refuses more than it can count.
            && count(first, last) <= lua_Integer::MAX.unsigned_abs()
        {
            charge(l, count(first, last).saturating_mul(per_key(l)));
        }
        go_on(l)
    }
}

pub(super) unsafe extern "C-unwind" fn unpack(l: *mut lua_State) -> c_int {
    // SAFETY: as above.
    unsafe {
        if ffi::lua_type(l, 3) <= ffi::LUA_TNIL
            && matches!(ffi::lua_type(l, 1), ffi::LUA_TTABLE | ffi::LUA_TSTRING)
        {
            // `__len` may return another length each time, so it is called only once. A string has a length,
            // too.
            ffi::lua_settop(l, 2);
            ffi::lua_pushinteger(l, ffi::luaL_len(l, 1));
        }
        let count = count(whole(l, 2).unwrap_or(1), whole(l, 3).unwrap_or(0));
        if count > MAX_RESULTS {
            return ffi::luaL_error(l, c"too many results: %d is the most".as_ptr(), MAX_RESULTS as c_int);
        }
        charge(l, (count / 2).saturating_mul(per_key(l)));
        go_on(l)
    }
}

/// Joining one item takes as long as this many instructions: it may be a float, which has to be written out.
const ITEM_FUEL: u64 = 12;

pub(super) unsafe extern "C-unwind" fn concat(l: *mut lua_State) -> c_int {
    // SAFETY: as above.
    unsafe {
        if ffi::lua_type(l, 1) != ffi::LUA_TTABLE {
            return go_on(l);
        }
        let has_metatable = has_metatable(l);
        if has_metatable && ffi::lua_type(l, 4) <= ffi::LUA_TNIL {
            // As in `unpack`.
            ffi::lua_settop(l, 3);
            ffi::lua_pushinteger(l, ffi::luaL_len(l, 1));
        }
        let wanted = count(whole(l, 3).unwrap_or(1), whole(l, 4).unwrap_or(length_without_asking(l)));
        // Without a metatable, only entries of the table can be joined: the first gap is an error.
        let (there, each) = if has_metatable { (u64::MAX, 2 * ITEM_FUEL) } else { (slots(l) + 1, ITEM_FUEL) };
        charge(l, wanted.min(there).saturating_mul(each).saturating_mul(per_key(l)));
        go_on(l)
    }
}

unsafe fn has_metatable(l: *mut lua_State) -> bool {
    // SAFETY: as above; what is pushed is popped.
    unsafe {
        let has = ffi::lua_getmetatable(l, 1) != 0;
        if has {
            ffi::lua_pop(l, 1);
        }
        has
    }
}

/// Raw length of the table that is argument 1, whatever its metatable says.
unsafe fn length_without_asking(l: *mut lua_State) -> lua_Integer {
    // SAFETY: as above.
    unsafe { lua_Integer::try_from(ffi::lua_rawlen(l, 1)).unwrap_or(0) }
}

/// `table.insert`, reimplemented. Its cost depends on the length, and `__len` may return another one each
/// time, so it is called only once.
pub(super) unsafe extern "C-unwind" fn insert(l: *mut lua_State) -> c_int {
    // SAFETY: as above; `go_on` raises for wrong arguments.
    unsafe {
        let arguments = ffi::lua_gettop(l);
        if ffi::lua_type(l, 1) != ffi::LUA_TTABLE || !(2..=3).contains(&arguments) {
            return go_on(l);
        }
        let end = ffi::luaL_len(l, 1).wrapping_add(1);
        weigh_number(l, 2);
        let at = if arguments == 2 { end } else { ffi::luaL_checkinteger(l, 2) };
        if arguments == 3 {
            // One comparison for both bounds, as unsigned numbers wrap.
            if (at as u64).wrapping_sub(1) >= end as u64 {
                return ffi::luaL_argerror(l, 2, c"position out of bounds".as_ptr());
            }
            charge(l, count(at, end).saturating_sub(1).saturating_mul(per_key(l)));
            let mut to = end;
            while to > at {
                ffi::lua_geti(l, 1, to - 1);
                ffi::lua_seti(l, 1, to);
                to -= 1;
            }
        }
        ffi::lua_seti(l, 1, at);
        0
    }
}

/// `table.remove`, reimplemented for the same reason.
pub(super) unsafe extern "C-unwind" fn remove(l: *mut lua_State) -> c_int {
    // SAFETY: as above.
    unsafe {
        if ffi::lua_type(l, 1) != ffi::LUA_TTABLE {
            return go_on(l);
        }
        let size = ffi::luaL_len(l, 1);
        weigh_number(l, 2);
        let at = ffi::luaL_optinteger(l, 2, size);
        if at != size && (at as u64).wrapping_sub(1) > size as u64 {
            return ffi::luaL_argerror(l, 2, c"position out of bounds".as_ptr());
        }
        charge(l, count(at, size).saturating_mul(per_key(l)));
        ffi::lua_geti(l, 1, at);
        let mut from = at;
        while from < size {
            ffi::lua_geti(l, 1, from + 1);
            ffi::lua_seti(l, 1, from);
            from += 1;
        }
        ffi::lua_pushnil(l);
        ffi::lua_seti(l, 1, from);
        1
    }
}

/// Number of entries that table argument 1 has room for, the places of removed entries included.
pub(super) unsafe fn slots(l: *mut lua_State) -> u64 {
    // SAFETY: argument 1 is a table.
    unsafe { meter(l).layout.get().places(ffi::lua_topointer(l, 1)) }
}

/// Entries examined by a traversal of table argument 1.
pub(super) unsafe fn work(l: *mut lua_State) -> u64 {
    // SAFETY: argument 1 is a table.
    unsafe { meter(l).layout.get().work(ffi::lua_topointer(l, 1)) }
}

/// Cost factor of finding a key in table argument 1.
unsafe fn per_key(l: *mut lua_State) -> u64 {
    // SAFETY: as above, once it is known to be a table.
    unsafe {
        if ffi::lua_type(l, 1) != ffi::LUA_TTABLE {
            return 1;
        }
        1 + u64::from(meter(l).layout.get().long_chain(ffi::lua_topointer(l, 1)) / ENTRIES_PER_FUEL)
    }
}

/// Charges `rawget` and `rawset` for the search for a key.
pub(super) unsafe fn charge_for_search(l: *mut lua_State) {
    // SAFETY: as above, once it is known to be a table.
    unsafe {
        if ffi::lua_type(l, 1) == ffi::LUA_TTABLE {
            let (layout, table) = (meter(l).layout.get(), ffi::lua_topointer(l, 1));
            let key = (ffi::lua_isinteger(l, 2) != 0).then(|| ffi::lua_tointeger(l, 2));
            let chain = layout.long_chain(table).max(key.map_or(0, |key| layout.chain_of(table, key)));
            charge(l, u64::from(chain / ENTRIES_PER_FUEL));
            weigh_compared(l, 2);
        }
    }
}

/// Whether table argument 1 has only a list part.
pub(super) unsafe fn is_list(l: *mut lua_State) -> bool {
    // SAFETY: argument 1 is a table.
    unsafe { meter(l).layout.get().is_list(ffi::lua_topointer(l, 1)) }
}

#[cfg(test)]
mod tests {
    use crate::script::sandbox::{Account, LuaState};

    /// The price of the first `next` on a table whose entries were all removed.
    fn price_of_holes(list: &str) -> u64 {
        let state = LuaState::new().unwrap();
        let holes = format!(
            "local t = {{}} for i = 1, 4096 do t[{list}] = 1 end for i = 1, 4096 do t[{list}] = nil end return t"
        );
        let table: mlua::Table = state.lua().load(holes).eval().unwrap();
        let next: mlua::Function = state.lua().globals().get("next").unwrap();
        state.begin(Account::HOST, 1_000_000, 0);
        next.call::<()>(table).unwrap();
        state.end().fuel
    }

    /// Lua may change where it stores a table's sizes; this test detects it.
    #[test]
    fn next_pays_for_the_places_of_those_that_are_gone() {
        for (list, places) in [("i", 4096), ("'k' .. i", 4096)] {
            let price = price_of_holes(list);
            assert!((places / 8..places / 8 + 200).contains(&price), "{list}: {price}");
        }
        assert!(price_of_holes("i > 3 and i - i or i") < 200, "a small table costs little");
    }
}
