//! `pairs` and `next` traverse a table in the order of its keys: numbers by size, then strings byte by byte,
//! then `false` and `true`. The order depends only on the table's contents, so it is the same in every run
//! and after a save.

use super::tables::{is_list, slots, work};
use super::{charge, go_on};
use mlua::ffi::{self, lua_State};
use std::cmp::Ordering;
use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::slice::from_raw_parts_mut;

/// Empty places passed that take about as long as an instruction.
pub(super) const SLOTS_PER_FUEL: u64 = 8;

/// Fuel per entry in the search for the next key.
const LOOK_FUEL: u64 = 2;

/// Fuel per entry when the keys are sorted.
const SORT_FUEL: u64 = 4;

/// Bytes compared that take as long as an instruction.
const COMPARED_BYTES_PER_FUEL: u64 = 256;

/// Maximum number of keys sorted on the C stack.
const FEW: usize = 32;

/// A key of a table. The bytes of a string stay in place as long as the table holds it.
#[derive(Clone, Copy)]
enum Key {
    Whole(i64),
    Fraction(f64),
    Text(*const u8, usize),
    Flag(bool),
}

impl Key {
    /// The key on the stack; raises for a key that is hashed by its address.
    unsafe fn at(l: *mut lua_State, index: c_int) -> Self {
        // SAFETY: only looks at a value that is there; a string key is a string, so nothing is converted.
        unsafe {
            match ffi::lua_type(l, index) {
                ffi::LUA_TNUMBER => {
                    // A key passed to `next` may be a float that equals an integer, from a calculation.
                    let mut is_whole = 0;
                    match ffi::lua_tointegerx(l, index, &raw mut is_whole) {
                        whole if is_whole != 0 => Self::Whole(whole),
                        _ => Self::Fraction(ffi::lua_tonumber(l, index)),
                    }
                }
                ffi::LUA_TSTRING => {
                    let mut length = 0;
                    let text = ffi::lua_tolstring(l, index, &raw mut length);
                    Self::Text(text.cast(), length)
                }
                ffi::LUA_TBOOLEAN => Self::Flag(ffi::lua_toboolean(l, index) != 0),
                kind => {
                    let kind = match kind {
                        ffi::LUA_TUSERDATA => c"character".as_ptr(),
                        kind => ffi::lua_typename(l, kind),
                    };
                    let message = c"cannot go through a table that has a %s as a key: the order would differ from run to run; use names as keys, npc.id say";
                    ffi::luaL_error(l, message.as_ptr(), kind);
                    Self::Flag(false)
                }
            }
        }
    }

    /// Maximum number of bytes that a comparison reads.
    fn bytes(self) -> u64 {
        if let Self::Text(_, length) = self { length as u64 } else { 0 }
    }

    fn rank(self) -> u8 {
        match self {
            Self::Whole(_) | Self::Fraction(_) => 0,
            Self::Text(..) => 1,
            Self::Flag(_) => 2,
        }
    }

    /// Which of two comes first.
    ///
    /// # Safety
    /// Strings are alive.
    unsafe fn compare(self, other: Self) -> Ordering {
        match (self, other) {
            (Self::Whole(a), Self::Whole(b)) => a.cmp(&b),
            (Self::Fraction(a), Self::Fraction(b)) => a.total_cmp(&b),
            (Self::Whole(a), Self::Fraction(b)) => whole_and_fraction(a, b),
            (Self::Fraction(a), Self::Whole(b)) => whole_and_fraction(b, a).reverse(),
            (Self::Text(a, a_length), Self::Text(b, b_length)) => {
                // SAFETY: by the contract.
                unsafe {
                    let (a, b) =
                        (std::slice::from_raw_parts(a, a_length), std::slice::from_raw_parts(b, b_length));
                    a.cmp(b)
                }
            }
            (Self::Flag(a), Self::Flag(b)) => a.cmp(&b),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

/// Compares exactly: not every integer has an equal float. A float key never equals an integer: Lua stores
/// such keys as integers.
pub(in crate::script) fn whole_and_fraction(whole: i64, fraction: f64) -> Ordering {
    if fraction >= 9_223_372_036_854_775_808.0 {
        Ordering::Less
    } else if fraction < -9_223_372_036_854_775_808.0 {
        Ordering::Greater
    } else {
        whole.cmp(&(fraction.floor() as i64)).then(Ordering::Less)
    }
}

/// `next(table, key)`: the entry after the key, whether the key still exists or not.
pub(super) unsafe extern "C-unwind" fn next(l: *mut lua_State) -> c_int {
    // SAFETY: as for all guards; the table stays at 1 and the key at 2, and nothing is collected while keys are
    // compared, for `lua_next` and the copies on the stack allocate nothing.
    unsafe {
        ffi::luaL_checktype(l, 1, ffi::LUA_TTABLE);
        ffi::lua_settop(l, 2);
        if is_list(l) {
            return next_of_list(l);
        }
        ffi::luaL_checkstack(l, 8, c"too many values".as_ptr());
        charge(l, work(l) / SLOTS_PER_FUEL);
        let after = (ffi::lua_type(l, 2) != ffi::LUA_TNIL).then(|| Key::at(l, 2));
        let bytes = after.map_or(0, Key::bytes);
        // Stack slots 3 and 4: the best entry so far.
        ffi::lua_settop(l, 4);
        let mut best: Option<Key> = None;
        let mut looks = 0;
        ffi::lua_pushnil(l);
        while ffi::lua_next(l, 1) != 0 {
            let key = Key::at(l, -2);
            looks += LOOK_FUEL + key.bytes().min(bytes) / COMPARED_BYTES_PER_FUEL;
            let comes = after.is_none_or(|after| key.compare(after).is_gt());
            if comes && best.is_none_or(|best| key.compare(best).is_lt()) {
                looks += best.map_or(0, |best| key.bytes().min(best.bytes())) / COMPARED_BYTES_PER_FUEL;
                best = Some(key);
                ffi::lua_copy(l, -2, 3);
                ffi::lua_copy(l, -1, 4);
            }
            ffi::lua_pop(l, 1);
        }
        charge(l, looks);
        if best.is_none() {
            ffi::lua_pushnil(l);
            return 1;
        }
        ffi::lua_settop(l, 4);
        2
    }
}

/// `next` for a list, which is in order already.
unsafe fn next_of_list(l: *mut lua_State) -> c_int {
    // SAFETY: as `next`. In a list without a hash part, a key is a whole number within it, or is not there.
    unsafe {
        let from = match ffi::lua_type(l, 2) {
            ffi::LUA_TNIL => 0,
            _ => match Key::at(l, 2) {
                Key::Whole(key) => u64::try_from(key).unwrap_or(0),
                Key::Fraction(key) => key as u64,
                _ => u64::MAX,
            },
        };
        let end = slots(l);
        let mut at = from;
        while at < end {
            at += 1;
            if ffi::lua_rawgeti(l, 1, at as i64) != ffi::LUA_TNIL {
                charge(l, (at - from) / SLOTS_PER_FUEL);
                ffi::lua_pushinteger(l, at as i64);
                ffi::lua_insert(l, -2);
                return 2;
            }
            ffi::lua_pop(l, 1);
        }
        charge(l, end.saturating_sub(from) / SLOTS_PER_FUEL);
        ffi::lua_pushnil(l);
        1
    }
}

/// `pairs`: Lua's own three values for a list; otherwise an iterator over the keys, which are sorted first.
pub(super) unsafe extern "C-unwind" fn pairs(l: *mut lua_State) -> c_int {
    // SAFETY: as above; the second upvalue is the guarded `next`.
    unsafe {
        let arguments = ffi::lua_gettop(l);
        if arguments == 0 || ffi::luaL_getmetafield(l, 1, c"__pairs".as_ptr()) != ffi::LUA_TNIL {
            // Drops the metafield. A missing argument stays missing.
            ffi::lua_settop(l, arguments.min(1));
            return go_on(l);
        }
        ffi::lua_settop(l, 1);
        // A value that is not a table goes to `next`, which raises.
        if ffi::lua_type(l, 1) != ffi::LUA_TTABLE || is_list(l) || !push_keys(l) {
            ffi::lua_pushvalue(l, ffi::lua_upvalueindex(2));
        } else {
            ffi::lua_pushinteger(l, 0);
            ffi::lua_pushvalue(l, 1);
            ffi::lua_pushcclosure(l, next_key, 3);
        }
        ffi::lua_pushvalue(l, 1);
        ffi::lua_pushnil(l);
        ffi::lua_pushnil(l);
        4
    }
}

/// Pushes a sorted list of the keys of the table at 1. Without keys, pushes nothing and returns false.
unsafe fn push_keys(l: *mut lua_State) -> bool {
    // SAFETY: as `next`. Nothing changes the table meanwhile, and what is on the stack or in a list stays.
    unsafe {
        ffi::luaL_checkstack(l, FEW as c_int + 8, c"too many values".as_ptr());
        charge(l, work(l) / SLOTS_PER_FUEL);
        let mut few = [const { MaybeUninit::<Placed>::uninit() }; FEW];
        let base = ffi::lua_gettop(l);
        let (mut count, mut bytes) = (0_usize, 0_u64);
        ffi::lua_pushnil(l);
        while ffi::lua_next(l, 1) != 0 {
            ffi::lua_pop(l, 1);
            let key = Key::at(l, -1);
            bytes += key.bytes();
            if let Some(place) = few.get_mut(count) {
                place.write(Placed { key, from: count as u32 });
                // One copy stays on the stack; `lua_next` takes the other.
                ffi::lua_pushvalue(l, -1);
            }
            count += 1;
        }
        if count == 0 {
            return false;
        }
        let depth = u64::from(count.ilog2() + 1);
        charge(l, count as u64 * (SORT_FUEL + depth) + bytes / COMPARED_BYTES_PER_FUEL * depth);
        if count > FEW {
            ffi::lua_settop(l, base);
            push_many_keys(l, count);
            return true;
        }
        let keys = sorted(few.as_mut_ptr().cast(), count);
        ffi::lua_createtable(l, count as c_int, 0);
        for (at, placed) in keys.iter().enumerate() {
            ffi::lua_pushvalue(l, base + 1 + placed.from as c_int);
            ffi::lua_rawseti(l, -2, at as i64 + 1);
        }
        true
    }
}

/// A key, and its position in the table.
#[derive(Clone, Copy)]
struct Placed {
    key: Key,
    from: u32,
}

unsafe fn sorted<'a>(keys: *mut Placed, count: usize) -> &'a mut [Placed] {
    // SAFETY: the caller has written `count` keys.
    let keys = unsafe { from_raw_parts_mut(keys, count) };
    // SAFETY: strings are alive as long as the table has them.
    keys.sort_unstable_by(|a, b| unsafe { a.key.compare(b.key) });
    keys
}

/// Pushes a sorted list of all `count` keys of the table at 1.
unsafe fn push_many_keys(l: *mut lua_State, count: usize) {
    const DONE: u32 = u32::MAX;
    // SAFETY: as `push_keys`; the object on the stack has room for all of them.
    unsafe {
        let room: *mut Placed = ffi::lua_newuserdatauv(l, count * size_of::<Placed>(), 0).cast();
        ffi::lua_createtable(l, i32::try_from(count).unwrap_or(i32::MAX), 0);
        let list = ffi::lua_gettop(l);
        let mut at = 0;
        ffi::lua_pushnil(l);
        while ffi::lua_next(l, 1) != 0 && at < count {
            ffi::lua_pop(l, 1);
            room.add(at).write(Placed { key: Key::at(l, -1), from: at as u32 });
            at += 1;
            ffi::lua_pushvalue(l, -1);
            ffi::lua_rawseti(l, list, at as i64);
        }
        let keys = sorted(room, at);
        // Permutes in place, cycle by cycle: each moved key frees the place for the next.
        for first in 0..at {
            if keys[first].from == DONE {
                continue;
            }
            ffi::lua_rawgeti(l, list, first as i64 + 1);
            let mut to = first;
            loop {
                let from = std::mem::replace(&mut keys[to].from, DONE) as usize;
                if from == first {
                    ffi::lua_rawseti(l, list, to as i64 + 1);
                    break;
                }
                ffi::lua_rawgeti(l, list, from as i64 + 1);
                ffi::lua_rawseti(l, list, to as i64 + 1);
                to = from;
            }
        }
    }
}

/// The iterator. Its upvalues: the list of keys, the number of keys returned so far, the table. Keys whose
/// entries are gone are skipped, and paid for.
unsafe extern "C-unwind" fn next_key(l: *mut lua_State) -> c_int {
    // SAFETY: as above.
    unsafe {
        let [list, given, table] = [1, 2, 3].map(ffi::lua_upvalueindex);
        ffi::lua_settop(l, 0);
        let mut at = ffi::lua_tointeger(l, given);
        loop {
            at += 1;
            charge(l, 1);
            if ffi::lua_rawgeti(l, list, at) == ffi::LUA_TNIL {
                // The iterator stays at its end, however often it is called.
                at -= 1;
                break;
            }
            ffi::lua_pushvalue(l, -1);
            if ffi::lua_rawget(l, table) != ffi::LUA_TNIL {
                break;
            }
            ffi::lua_settop(l, 0);
        }
        ffi::lua_pushinteger(l, at);
        ffi::lua_replace(l, given);
        ffi::lua_gettop(l)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::sandbox::LuaState;

    /// The text that a script returns.
    fn said(source: &str) -> String {
        let state = LuaState::new().unwrap();
        let said: String = state.lua().load(source).eval().unwrap();
        said
    }

    #[test]
    fn keys_come_by_number_then_by_letter_then_by_truth() {
        let table = "{ b = 1, [true] = 1, [3] = 1, a = 1, [-2] = 1, [2.5] = 1, [1] = 1, [false] = 1, [1e300] = 1, ab = 1, [''] = 1 }";
        let order = "-2 1 2.5 3 1e+300  a ab b false true";
        let with = |step: &str| {
            said(&format!(
                "local t, s = {table}, {{}} {step} s[#s + 1] = tostring(k) end return table.concat(s, ' ')"
            ))
        };
        assert_eq!(with("for k in pairs(t) do"), order);
        assert_eq!(with("for k in next, t do"), order);
    }

    #[test]
    fn order_does_not_depend_on_the_way_a_table_came_about() {
        let one = said(
            "local t = {} for i = 1, 500 do t['k' .. i * 7919 % 500] = i end for i = 1, 500, 3 do t['k' .. i] = nil end local s = {} for k in pairs(t) do s[#s + 1] = k end return table.concat(s, ' ')",
        );
        let other = said(
            "local t = {} for i = 499, 0, -1 do if i % 3 ~= 1 then t['k' .. i] = i end end local s = {} for k in pairs(t) do s[#s + 1] = k end return table.concat(s, ' ')",
        );
        assert_eq!(one, other);
        let mut sorted: Vec<&str> = one.split(' ').collect();
        sorted.sort_unstable();
        assert_eq!(one, sorted.join(" "));
    }

    #[test]
    fn entries_may_go_while_a_table_is_gone_through() {
        assert_eq!(
            said(
                "local t, s = { a = 1, b = 2, c = 3, d = 4 }, '' for k in pairs(t) do s = s .. k t.c = nil t[k] = nil end return s .. tostring(next(t))"
            ),
            "abdnil"
        );
        assert_eq!(
            said(
                "local t, s = { 1, 2, nil, 4 }, '' for k in pairs(t) do s = s .. k t[k] = nil end return s .. tostring(next(t))"
            ),
            "124nil"
        );
    }

    #[test]
    fn whole_numbers_and_fractions_compare_exactly() {
        let above = 9_007_199_254_740_993_i64; // 2^53 + 1 has no equal float
        assert_eq!(whole_and_fraction(above, 4.5), Ordering::Greater);
        assert_eq!(whole_and_fraction(4, 4.5), Ordering::Less);
        assert_eq!(whole_and_fraction(-5, -4.5), Ordering::Less);
        assert_eq!(whole_and_fraction(-4, -4.5), Ordering::Greater);
        assert_eq!(whole_and_fraction(i64::MAX, f64::INFINITY), Ordering::Less);
        assert_eq!(whole_and_fraction(i64::MIN, f64::NEG_INFINITY), Ordering::Greater);
    }
}
