//! Tables: their capacity, and the lengths of key searches in them.

use super::Layout;
use mlua::ffi::{self, lua_State};
use mlua::{Lua, Table};
use serde::{Deserialize, Serialize};
use std::ffi::c_void;

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

/// The type tag of an integer.
const INTEGER: u8 = 3;

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

impl Layout {
    /// Number of entries a table has room for, the places of removed entries included; 0 if unknown.
    ///
    /// # Safety
    /// `table` is what `lua_topointer` gives for a table.
    pub(in crate::script::sandbox) unsafe fn places(self, table: *const c_void) -> u64 {
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
    pub(in crate::script::sandbox) unsafe fn work(self, table: *const c_void) -> u64 {
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
    pub(in crate::script::sandbox) unsafe fn chain_of(self, table: *const c_void, key: i64) -> u32 {
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
    pub(in crate::script::sandbox) unsafe fn long_chain(self, table: *const c_void) -> u32 {
        const USUAL: u32 = 48;
        // SAFETY: by the contract.
        Some(unsafe { self.chain(table) }).filter(|chain| *chain > USUAL).unwrap_or(0)
    }

    /// The capacity of a table, and the place where `#` begins to search for its end.
    ///
    /// # Safety
    /// As [`Layout::places`].
    pub(in crate::script::sandbox) unsafe fn shape(self, table: *const c_void) -> Option<Shape> {
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
    pub(in crate::script::sandbox) unsafe fn is_list(self, table: *const c_void) -> bool {
        // SAFETY: by the contract, and `verify`.
        self.tables && unsafe { (*table.cast::<RawTable>()).flags & NO_HASH != 0 }
    }

    /// Longest key search in a table, estimated from some of its chains. Keys can be chosen so that they all
    /// collide.
    ///
    /// # Safety
    /// As [`Layout::places`].
    pub(super) unsafe fn chain(self, table: *const c_void) -> u32 {
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
pub(super) unsafe fn look_right(l: *mut lua_State) -> bool {
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
