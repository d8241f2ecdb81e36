//! Memory layout of Lua's tables and calls. Lua does not expose a table's capacity, the length of a key
//! search or the current instruction, and scripts have to pay for all of them. So they are read from memory,
//! if it is laid out as in Lua 5.5: a new state first compares what it reads with known values
//! ([`Layout::verify`]). With another layout, prices would be lower, and nothing else would change.

use mlua::ffi::{self, lua_State};
use mlua::{Lua, Table};
use serde::{Deserialize, Serialize};
use std::ffi::{CStr, c_int, c_void};
use std::ops::RangeInclusive;

/// The beginning of a table: the next object, type, mark, flags, the logarithm of the hash part's size, the
/// array part's size, and the two parts.
#[repr(C)]
struct RawTable {
    next_object: *const c_void,
    kind: u8,
    mark: u8,
    flags: u8,
    log_hash: u8,
    array_size: u32,
    array: *const c_void,
    nodes: *const RawNode,
}

impl RawTable {
    /// Number of nodes after `from` in its collision chain that `counts` accepts.
    unsafe fn follow(&self, from: u32, size: u32, counts: impl Fn(&RawNode) -> bool) -> u32 {
        let (mut at, mut passed, mut length) = (from, 0, 0);
        // SAFETY: a chain stays within the nodes, of which there are `size`.
        while passed < LONGEST {
            let step = unsafe { (*self.nodes.add(at as usize)).next };
            if step == 0 {
                break;
            }
            at = at.wrapping_add_signed(step) % size;
            passed += 1;
            length += u32::from(counts(unsafe { &*self.nodes.add(at as usize) }));
        }
        length
    }
}

/// A node of the hash part. Nodes whose keys collide form a chain; `next` is the offset of the next node.
#[repr(C)]
struct RawNode {
    value: u64,
    value_kind: u8,
    key_kind: u8,
    next: i32,
    key: u64,
}

/// The beginning of a running call: its function's place on the stack, followed by its registers, and the
/// instruction after the current one.
#[repr(C)]
struct RawCall {
    function: *const RawValue,
    top: *const RawValue,
    previous: *const c_void,
    next: *const c_void,
    next_instruction: *const u32,
}

/// A value on the stack.
#[repr(C, align(8))]
struct RawValue {
    value: u64,
    kind: u8,
}

/// The type tag of an integer.
const INTEGER: u8 = 3;

/// The type tag of a float.
const FRACTION: u8 = 3 | 1 << 4;

/// The opcode that concatenates values: the first register is in bits 7 to 14, the count in 16 to 23.
const JOIN: u32 = 53;

/// Opcodes that look up a key, compare two values, or calculate with them.
const GET: RangeInclusive<u32> = 12..=14;
const SET: RangeInclusive<u32> = 16..=18;
const SELF: u32 = 20;
const CALCULATE_WITH_CONSTANT: RangeInclusive<u32> = 21..=33;
const CALCULATE: RangeInclusive<u32> = 34..=45;
const NEGATE: RangeInclusive<u32> = 49..=50;
const EQUAL: u32 = 57;
const ORDER: RangeInclusive<u32> = 58..=59;
const EQUAL_TO_CONSTANT: u32 = 60;
const GET_OF_UPVALUE: u32 = 11;
const SET_OF_UPVALUE: u32 = 15;
const FOR: u32 = 74;

/// Operands of the current instruction, as registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operands {
    /// Nothing that could take long.
    None,
    /// A lookup in a table: the table, and the key if it is in a register.
    Table(c_int, Option<c_int>),
    /// The beginning of a numeric `for`: three values, from this register on.
    Loop(c_int),
    /// The lookup of a name in a table that is an upvalue.
    Upvalue(c_int),
    /// Arithmetic on two values, perhaps the same.
    Values(c_int, c_int),
    /// A test of two values for equality.
    Equal(c_int, c_int),
    /// An order comparison of two values.
    Order(c_int, c_int),
}

/// Flag: the table has no hash part.
const NO_HASH: u8 = 1 << 6;

/// Chains are followed up to this length.
const LONGEST: u32 = 1 << 15;

/// Number of nodes per table from which chains are followed.
const SAMPLES: u32 = 16;

/// Logarithm of the hash part's size below which no chain matters.
const SMALL_LOG: u8 = 9;

/// Capacity of a table. It affects what `#` finds in a list with gaps, and what a traversal costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(u32, u32, u8)", into = "(u32, u32, u8)")]
pub(in crate::script) struct Shape {
    /// Entries of the list part.
    list: u32,
    /// The end of the list that was found last.
    end: u32,
    /// One more than the logarithm of the hash part's size; 0 without one.
    names: u8,
}

impl From<(u32, u32, u8)> for Shape {
    fn from((list, end, names): (u32, u32, u8)) -> Self {
        Self { list, end, names }
    }
}

impl From<Shape> for (u32, u32, u8) {
    fn from(shape: Shape) -> Self {
        (shape.list, shape.end, shape.names)
    }
}

impl Shape {
    /// More than fits into any script's memory.
    const MOST: u32 = 1 << 22;

    /// Number of entries that fit.
    pub(in crate::script) fn places(self) -> u64 {
        u64::from(self.list) + self.hash_size() as u64
    }

    fn hash_size(self) -> usize {
        self.names.checked_sub(1).map_or(0, |log| 1 << log.min(22))
    }

    /// Creates a table of this shape. Also returns a count: the caller must then set each integer key up to
    /// it, if only to nil.
    pub(in crate::script) fn make(self, lua: &Lua) -> mlua::Result<(Table, u32)> {
        let list = self.list.min(Self::MOST);
        let table = lua.create_table_with_capacity(list as usize, self.hash_size())?;
        let end = self.end.min(list);
        for at in 1..=end {
            table.raw_set(at, true)?;
        }
        // Finds the only possible end; Lua remembers it.
        table.raw_len();
        Ok((table, end))
    }
}

/// Which structures have the expected layout.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Layout {
    tables: bool,
    calls: bool,
}

impl Layout {
    /// Creates tables and runs a call, and checks that each field is where it is expected.
    ///
    /// # Safety
    /// `l` is a fresh state, without hooks and limits, with room for a few values.
    pub(super) unsafe fn verify(l: *mut lua_State) -> Self {
        if size_of::<usize>() != 8 {
            return Self::default();
        }
        // SAFETY: by the contract.
        unsafe { Self { tables: tables_look_right(l), calls: calls_look_right(l) } }
    }

    /// Number of floats that the current instruction writes out to concatenate them. For hooks.
    ///
    /// # Safety
    /// `activation` is what Lua gave to a hook.
    pub(super) unsafe fn joined_fractions(self, activation: *const ffi::lua_Debug) -> u64 {
        // SAFETY: by the contract, and `verify`.
        if self.calls { unsafe { joined_fractions(activation) } } else { 0 }
    }

    /// Operands of the current instruction. For hooks.
    ///
    /// # Safety
    /// `activation` is what Lua gave to a hook.
    pub(super) unsafe fn operands(self, activation: *const ffi::lua_Debug) -> Operands {
        // SAFETY: by the contract, and `verify`.
        let instruction = if self.calls { unsafe { instruction(activation) } } else { 0 };
        let [a, b, c] = [7, 16, 24].map(|from| (instruction >> from & 0xFF) as c_int);
        match instruction & 0x7F {
            SELF => Operands::Table(b, None),
            code if GET.contains(&code) => Operands::Table(b, (code == *GET.start()).then_some(c)),
            code if SET.contains(&code) => Operands::Table(a, (code == *SET.start()).then_some(b)),
            code if CALCULATE.contains(&code) => Operands::Values(b, c),
            code if CALCULATE_WITH_CONSTANT.contains(&code) || NEGATE.contains(&code) => {
                Operands::Values(b, b)
            }
            FOR => Operands::Loop(a),
            GET_OF_UPVALUE => Operands::Upvalue(b),
            SET_OF_UPVALUE => Operands::Upvalue(a),
            EQUAL => Operands::Equal(a, b),
            EQUAL_TO_CONSTANT => Operands::Equal(a, a),
            code if ORDER.contains(&code) => Operands::Order(a, b),
            _ => Operands::None,
        }
    }

    /// Number of entries a table has room for, the places of removed entries included; 0 if unknown.
    ///
    /// # Safety
    /// `table` is what `lua_topointer` gives for a table.
    pub(super) unsafe fn places(self, table: *const c_void) -> u64 {
        if !self.tables || table.is_null() {
            return 0;
        }
        // SAFETY: by the contract, and `verify`.
        let table = unsafe { &*table.cast::<RawTable>() };
        let hash = if table.flags & NO_HASH == 0 { 1 << table.log_hash.min(40) } else { 0 };
        u64::from(table.array_size) + hash
    }

    /// Entries examined by a traversal: the whole capacity, and for each key the search for its place.
    ///
    /// # Safety
    /// As [`Layout::places`].
    pub(super) unsafe fn work(self, table: *const c_void) -> u64 {
        // SAFETY: by the contract.
        unsafe { self.places(table).saturating_mul(1 + u64::from(self.long_chain(table))) }
    }

    /// Number of integer keys in the chain of an integer key, if there are many; else 0.
    ///
    /// Objects as keys lie by their addresses, which change with a restore, so they are not counted. They may
    /// also push a few other keys into the chain, so a few do not count either.
    ///
    /// # Safety
    /// As [`Layout::places`].
    pub(super) unsafe fn chain_of(self, table: *const c_void, key: i64) -> u32 {
        const FEW: u32 = 8;
        // SAFETY: by the contract, and `verify`; the place lies within the nodes.
        unsafe {
            let Some(table) = table.cast::<RawTable>().as_ref().filter(|_| self.tables) else { return 0 };
            if table.flags & NO_HASH != 0 || table.log_hash < SMALL_LOG {
                return 0;
            }
            let size = 1_u32 << table.log_hash.min(30);
            let from = (key as u64 % u64::from((size - 1) | 1)) as u32;
            let is_integer = |node: &RawNode| node.key_kind == INTEGER;
            let first = u32::from(is_integer(&*table.nodes.add(from as usize)));
            Some(first + table.follow(from, size, is_integer)).filter(|chain| *chain > FEW).unwrap_or(0)
        }
    }

    /// [`Layout::chain`], if it is longer than chains of keys not chosen to collide almost ever are; else 0.
    ///
    /// # Safety
    /// As [`Layout::places`].
    pub(super) unsafe fn long_chain(self, table: *const c_void) -> u32 {
        const USUAL: u32 = 48;
        // SAFETY: by the contract.
        Some(unsafe { self.chain(table) }).filter(|chain| *chain > USUAL).unwrap_or(0)
    }

    /// The capacity of a table, and the place where `#` begins to search for its end.
    ///
    /// # Safety
    /// As [`Layout::places`].
    pub(super) unsafe fn shape(self, table: *const c_void) -> Option<Shape> {
        // SAFETY: by the contract, and `verify`. Lua stores the last end found between the values and the
        // type tags of a list.
        unsafe {
            let table = table.cast::<RawTable>().as_ref().filter(|_| self.tables)?;
            let list = table.array_size;
            let end = if list > 0 { table.array.cast::<u32>().read() } else { 0 };
            let names = if table.flags & NO_HASH == 0 { table.log_hash + 1 } else { 0 };
            Some(Shape { list, end, names })
        }
    }

    /// Whether a table has only a list part, which Lua itself traverses in order.
    ///
    /// # Safety
    /// As [`Layout::places`].
    pub(super) unsafe fn is_list(self, table: *const c_void) -> bool {
        // SAFETY: by the contract, and `verify`.
        self.tables && unsafe { (*table.cast::<RawTable>()).flags & NO_HASH != 0 }
    }

    /// Longest key search in a table, estimated from some of its chains. Keys can be chosen so that they all
    /// collide.
    ///
    /// # Safety
    /// As [`Layout::places`].
    unsafe fn chain(self, table: *const c_void) -> u32 {
        // SAFETY: by the contract, and `verify`: a chain stays within the nodes.
        unsafe {
            let Some(table) = table.cast::<RawTable>().as_ref().filter(|_| self.tables) else { return 0 };
            if table.flags & NO_HASH != 0 || table.log_hash < SMALL_LOG {
                return 0;
            }
            let size = 1_u32 << table.log_hash.min(30);
            let mut longest = 0;
            for sample in 0..SAMPLES {
                // Multiples of the golden ratio spread evenly.
                longest =
                    longest.max(table.follow((sample.wrapping_mul(0x9E37_79B9) >> 2) % size, size, |_| true));
            }
            longest
        }
    }
}

/// Whether sizes, nodes and keys are where they are expected.
unsafe fn tables_look_right(l: *mut lua_State) -> bool {
    // SAFETY: a table object is longer than the beginning that is read here. Its pointers are followed only
    // if all sizes are as expected.
    unsafe {
        let top = ffi::lua_gettop(l);
        ffi::lua_createtable(l, 21, 32);
        // The integer 40 belongs into place 40 % 31 of 32.
        ffi::lua_pushinteger(l, 0x0123_4567);
        ffi::lua_rawseti(l, -2, 40);
        let table = &*ffi::lua_topointer(l, -1).cast::<RawTable>();
        ffi::lua_createtable(l, 21, 0);
        let list = &*ffi::lua_topointer(l, -1).cast::<RawTable>();
        let right = (table.log_hash, table.array_size) == (5, 21)
            && table.flags & NO_HASH == 0
            && !table.nodes.is_null()
            && (list.log_hash, list.array_size) == (0, 21)
            && list.flags & NO_HASH != 0
            && {
                let node = &*table.nodes.add(40 % 31);
                (node.value, node.key, node.next) == (0x0123_4567, 40, 0)
            };
        ffi::lua_settop(l, top);
        right
    }
}

/// Whether the function's only concatenation is found, and how many floats are in it.
unsafe fn calls_look_right(l: *mut lua_State) -> bool {
    const CODE: &CStr =
        c"local a, b, c = 1.5, 2, 'x' local function f() return a .. b .. c .. a end return f()";
    /// Registry name of the result.
    const FOUND: &CStr = c"cicerone.joins";
    unsafe extern "C-unwind" fn look(l: *mut lua_State, activation: *mut ffi::lua_Debug) {
        // SAFETY: Lua passes a valid activation record.
        unsafe {
            let found = joined_fractions(activation);
            if found > 0 {
                ffi::lua_getfield(l, ffi::LUA_REGISTRYINDEX, FOUND.as_ptr());
                let sum = ffi::lua_tointeger(l, -1) + 100 + found as i64;
                ffi::lua_pushinteger(l, sum);
                ffi::lua_setfield(l, ffi::LUA_REGISTRYINDEX, FOUND.as_ptr());
                ffi::lua_pop(l, 1);
            }
        }
    }
    // SAFETY: the code above is run once, with a hook at each of its instructions that looks at the running call.
    unsafe {
        let top = ffi::lua_gettop(l);
        if ffi::luaL_loadstring(l, CODE.as_ptr()) != ffi::LUA_OK {
            ffi::lua_settop(l, top);
            return false;
        }
        ffi::lua_sethook(l, Some(look), ffi::LUA_MASKCOUNT, 1);
        let ran = ffi::lua_pcall(l, 0, 0, 0) == ffi::LUA_OK;
        ffi::lua_sethook(l, None, 0, 0);
        ffi::lua_getfield(l, ffi::LUA_REGISTRYINDEX, FOUND.as_ptr());
        // One concatenation, with two floats.
        let found = ffi::lua_tointeger(l, -1);
        ffi::lua_pushnil(l);
        ffi::lua_setfield(l, ffi::LUA_REGISTRYINDEX, FOUND.as_ptr());
        ffi::lua_settop(l, top);
        ran && found == 102
    }
}

/// The running call. Its address is the last field of an activation record.
unsafe fn call_of<'a>(activation: *const ffi::lua_Debug) -> Option<&'a RawCall> {
    // SAFETY: the record is one that Lua gave to a hook, so the call is running.
    unsafe {
        let last = size_of::<ffi::lua_Debug>() - size_of::<*const RawCall>();
        activation.cast::<u8>().add(last).cast::<*const RawCall>().read().as_ref()
    }
}

/// The current instruction; 0 (a move) if there is none.
unsafe fn instruction(activation: *const ffi::lua_Debug) -> u32 {
    // SAFETY: a count hook runs in a Lua function that has begun.
    unsafe { call_of(activation).map_or(0, |call| call.next_instruction.sub(1).read()) }
}

/// Number of floats that the current instruction concatenates.
unsafe fn joined_fractions(activation: *const ffi::lua_Debug) -> u64 {
    // SAFETY: the registers of an instruction are all within the stack.
    unsafe {
        let instruction = instruction(activation);
        let Some(call) = call_of(activation).filter(|_| instruction & 0x7F == JOIN) else { return 0 };
        let (first, count) = ((instruction >> 7 & 0xFF) as usize, (instruction >> 16 & 0xFF) as usize);
        let registers = call.function.add(1 + first);
        (0..count).filter(|&at| (*registers.add(at)).kind == FRACTION).count() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script::sandbox::LuaState;

    fn table(source: &str) -> (LuaState, Table) {
        let state = LuaState::new().unwrap();
        let table = state.lua().load(source).eval().unwrap();
        (state, table)
    }

    #[test]
    fn the_layout_of_this_lua_is_known() {
        let (state, list) = table("local t = {} for i = 1, 100 do t[i] = i end return t");
        let layout = state.meter().layout.get();
        assert!(
            layout.tables && layout.calls,
            "mlua comes with another Lua: compare `RawTable` and `RawNode` with its lobject.h"
        );
        // SAFETY: pointers to tables that are alive.
        let (places, is_list) =
            unsafe { (layout.places(list.to_pointer()), layout.is_list(list.to_pointer())) };
        assert!((100..=128).contains(&places) && is_list, "{places}");
        drop(list);
        let (state, names) = table("local t = {} for i = 1, 100 do t['k' .. i] = i end return t");
        // SAFETY: as above.
        let (places, is_list) =
            unsafe { (layout.places(names.to_pointer()), layout.is_list(names.to_pointer())) };
        assert_eq!((places, is_list), (128, false));
        drop((names, state));
    }

    #[test]
    fn a_table_of_the_same_shape_has_the_same_length() {
        for source in [
            "local t = {} for i = 1, 20 do t[i] = i end for i = 5, 20, 3 do t[i] = nil end return t",
            "local t = {} for i = 1, 20 do t[i] = i end local _ = #t for i = 9, 20, 2 do t[i] = nil end return t",
            "local t = { 1, 2, nil, 4, nil, nil, 7 } return t",
            "local t = {} for i = 20, 1, -1 do t[i] = i end t[7] = nil local _ = #t return t",
            "local t = { nil, nil, 3, x = 1 } return t",
        ] {
            let (state, table) = table(source);
            // SAFETY: pointers to tables that are alive.
            let shape =
                |table: &Table| unsafe { state.meter().layout.get().shape(table.to_pointer()) }.unwrap();
            let (again, end) = shape(&table).make(state.lua()).unwrap();
            for at in 1..=end {
                again.raw_set(at, mlua::Value::Nil).unwrap();
            }
            table.for_each(|key: mlua::Value, value: mlua::Value| again.raw_set(key, value)).unwrap();
            assert_eq!(shape(&again), shape(&table), "{source}");
            assert_eq!(again.raw_len(), table.raw_len(), "{source}");
            drop((again, table));
        }
    }

    #[test]
    fn keys_that_all_belong_into_one_place_are_seen() {
        let chain = |source: &str| {
            let (state, table) = table(source);
            // SAFETY: a pointer to a table that is alive.
            let length = unsafe { state.meter().layout.get().chain(table.to_pointer()) };
            drop(table);
            length
        };
        assert!(chain("local t = {} for i = 1, 2000 do t[i * 2047] = 1 end return t") > 300);
        assert!(chain("local t = {} for i = 1, 2000 do t[i * 1000] = 1 end return t") < 16);
        assert!(chain("local t = {} for i = 1, 2000 do t['key' .. i] = 1 end return t") < 16);
        assert!(chain("local t = {} for i = 1, 2000 do t[i / 7] = 1 end return t") < 16);
    }
}
