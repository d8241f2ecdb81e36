//! Memory layout of Lua's tables and calls. Lua does not expose a table's capacity, the length of a key
//! search or the current instruction, and scripts have to pay for all of them. So they are read from memory,
//! if it is laid out as in Lua 5.5: a new state first compares what it reads with known values
//! ([`Layout::verify`]). With another layout, prices would be lower, and nothing else would change. Written is one thing,
//! the count of instructions to the next hook call, which Lua allows to have any value.

mod calls;
mod counts;
mod tables;

pub(super) use calls::Operands;
pub(in crate::script) use tables::Shape;

use mlua::ffi::lua_State;

/// Which structures have the expected layout.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Layout {
    tables: bool,
    calls: bool,
    /// Where a thread counts the instructions to its next hook call.
    counts: Option<counts::Offset>,
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
        unsafe {
            Self { tables: tables::look_right(l), calls: calls::look_right(l), counts: counts::find(l) }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::script::sandbox::LuaState;
    use mlua::Table;

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
            layout.tables && layout.calls && layout.counts.is_some(),
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
