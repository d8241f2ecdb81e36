//! The running call: its registers and its current instruction.

use super::Layout;
use mlua::ffi::{self, lua_State};
use std::ffi::{CStr, c_int, c_void};
use std::ops::RangeInclusive;

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

/// The type tag of a float.
const FRACTION: u8 = 3 | 1 << 4;

/// The type tag of an integer.
const INTEGER: u8 = 3;

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
pub(in crate::script::sandbox) enum Operands {
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

impl Layout {
    /// The numbers of floats and of integers that the current instruction writes out to concatenate them, and of the
    /// strings it makes, one or none. For hooks.
    ///
    /// # Safety
    /// `activation` is what Lua gave to a hook.
    pub(in crate::script::sandbox) unsafe fn joined(self, activation: *const ffi::lua_Debug) -> [u64; 3] {
        // SAFETY: by the contract, and `verify`.
        if self.calls { unsafe { joined(activation) } } else { [0; 3] }
    }

    /// Operands of the current instruction. For hooks.
    ///
    /// # Safety
    /// `activation` is what Lua gave to a hook.
    pub(in crate::script::sandbox) unsafe fn operands(self, activation: *const ffi::lua_Debug) -> Operands {
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
}

/// Whether the function's only concatenation is found, and how many floats are in it.
pub(super) unsafe fn look_right(l: *mut lua_State) -> bool {
    const CODE: &CStr =
        c"local a, b, c = 1.5, 2, 'x' local function f() return a .. b .. c .. a end return f()";
    /// Registry name of the result.
    const FOUND: &CStr = c"cicerone.joins";
    unsafe extern "C-unwind" fn look(l: *mut lua_State, activation: *mut ffi::lua_Debug) {
        // SAFETY: Lua passes a valid activation record.
        unsafe {
            let [found, ..] = joined(activation);
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

/// Floats and integers that the current instruction concatenates, and whether it is a concatenation.
unsafe fn joined(activation: *const ffi::lua_Debug) -> [u64; 3] {
    // SAFETY: the registers of an instruction are all within the stack.
    unsafe {
        let instruction = instruction(activation);
        let Some(call) = call_of(activation).filter(|_| instruction & 0x7F == JOIN) else { return [0; 3] };
        let (first, count) = ((instruction >> 7 & 0xFF) as usize, (instruction >> 16 & 0xFF) as usize);
        let registers = call.function.add(1 + first);
        let of_kind = |kind: u8| (0..count).filter(|&at| (*registers.add(at)).kind == kind).count() as u64;
        [of_kind(FRACTION), of_kind(INTEGER), 1]
    }
}
