//! Strings and lists that cross the border.

use crate::result::{Failure, invalid};
use std::ffi::{CStr, CString, c_char};

/// A string for C. A zero byte inside would end it there, so it is shown as another sign.
pub(crate) fn c_string(text: impl Into<Vec<u8>>) -> CString {
    CString::new(text).unwrap_or_else(|error| {
        let shown = String::from_utf8_lossy(&error.into_vec()).replace('\0', "\u{2400}");
        CString::new(shown).unwrap_or_default()
    })
}

/// A string from C; `what` names the argument in errors.
///
/// # Safety
/// NULL, or a string that ends with a zero byte and lives as long as the result is used.
pub(crate) unsafe fn text<'a>(pointer: *const c_char, what: &str) -> Result<&'a str, Failure> {
    if pointer.is_null() {
        return Err(invalid(format!("{what} is NULL")));
    }
    // SAFETY: as promised by the caller.
    unsafe { CStr::from_ptr(pointer) }.to_str().map_err(|_| invalid(format!("{what} is not UTF-8")))
}

/// As [`text`]; NULL is `None`.
///
/// # Safety
/// As there.
pub(crate) unsafe fn optional<'a>(pointer: *const c_char, what: &str) -> Result<Option<&'a str>, Failure> {
    match pointer.is_null() {
        true => Ok(None),
        // SAFETY: as promised by the caller.
        false => unsafe { text(pointer, what) }.map(Some),
    }
}

/// Bytes from C.
///
/// # Safety
/// NULL with a length of 0, or so many bytes that live as long as the result is used.
pub(crate) unsafe fn bytes<'a>(pointer: *const u8, length: usize, what: &str) -> Result<&'a [u8], Failure> {
    match (pointer.is_null(), length) {
        (_, 0) => Ok(&[]),
        (true, _) => Err(invalid(format!("{what} is NULL"))),
        // SAFETY: as promised by the caller.
        (false, _) => Ok(unsafe { std::slice::from_raw_parts(pointer, length) }),
    }
}

/// Writes a result, if the caller wants it.
///
/// # Safety
/// NULL, or a place for a value.
pub(crate) unsafe fn give<T>(out: *mut T, value: T) {
    if !out.is_null() {
        // SAFETY: as promised by the caller.
        unsafe { out.write(value) };
    }
}

/// As [`give`], for a result that a caller cannot do without.
///
/// # Safety
/// As there.
pub(crate) unsafe fn must_give<T>(out: *mut T, value: T, what: &str) -> Result<(), Failure> {
    if out.is_null() {
        return Err(invalid(format!("{what} is NULL")));
    }
    // SAFETY: as promised by the caller.
    unsafe { give(out, value) };
    Ok(())
}

/// Writes a list, as far as there is room for it, and its length.
///
/// # Safety
/// `out`: NULL, or places for `capacity` values; `count`: NULL or a place for a number.
pub(crate) unsafe fn give_list<T>(
    values: impl ExactSizeIterator<Item = T>,
    out: *mut T,
    capacity: usize,
    count: *mut usize,
) -> Result<(), Failure> {
    if out.is_null() && capacity > 0 {
        return Err(invalid("the array is NULL, and its capacity is not 0"));
    }
    // SAFETY: as promised by the caller.
    unsafe { give(count, values.len()) };
    for (index, value) in values.take(capacity).enumerate() {
        // SAFETY: the index is less than the capacity.
        unsafe { out.add(index).write(value) };
    }
    Ok(())
}
