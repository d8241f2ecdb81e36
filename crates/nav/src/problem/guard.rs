//! Where readers of files run: a panic in one becomes an error of its file.
//!
//! Decoders of other authors (PNG, JSON, base64, postcard) and everything built on them meet files of any content. A
//! fault in one of them must not end a game.

use super::shorten;
use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The longest reason quoted from a panic, in characters.
const MAX_REASON_CHARS: usize = 200;

/// In builds with debug assertions, the reader of a file that ends with these bytes panics: a stand-in for a fault, so
/// that tests reach every place where files are read.
#[cfg(debug_assertions)]
const STAND_IN: &[u8] = b"cicerone: the reader of this file panics";

thread_local! {
    /// How many readers run in this thread, one inside the other.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Whether this thread reads a file, so that a panic becomes an error of the file. A program's panic hook may then stay
/// silent; the library installs none.
pub fn is_guarded() -> bool {
    DEPTH.get() > 0
}

/// Reads a file with these bytes.
///
/// # Errors
/// What the reader panicked with, in words. What it changed through references may then be half done.
pub fn guarded<T>(bytes: &[u8], read: impl FnOnce() -> T) -> Result<T, String> {
    DEPTH.set(DEPTH.get() + 1);
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        fail_on_purpose(bytes);
        read()
    }));
    DEPTH.set(DEPTH.get() - 1);
    outcome.map_err(|panic| {
        let reason = shorten(&reason_of_panic(&*panic).replace('\n', " "), MAX_REASON_CHARS);
        format!("its reader failed on it ({reason}); the file may be damaged: save or export it again")
    })
}

/// What a panic says.
pub fn reason_of_panic(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("no reason given")
}

#[cfg(debug_assertions)]
#[allow(clippy::panic)] // on purpose
fn fail_on_purpose(bytes: &[u8]) {
    if bytes.trim_ascii_end().ends_with(STAND_IN) {
        panic!("on purpose");
    }
}

#[cfg(not(debug_assertions))]
fn fail_on_purpose(_: &[u8]) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_in_words_and_its_end_is_noticed() {
        assert_eq!(guarded(b"", || (1, is_guarded())), Ok((1, true)));
        let inner = || guarded(b"", || -> u32 { panic!("at {}\nand more", 7) });
        let why = guarded(b"", inner).unwrap().unwrap_err();
        assert!(why.starts_with("its reader failed on it (at 7 and more)"), "{why}");
        let why = guarded(b"", || std::panic::panic_any(7)).unwrap_err();
        assert!(why.contains("(no reason given)"), "{why}");
        assert!(guarded(b"", || panic!("{}", "ä".repeat(100_000))).unwrap_err().chars().count() < 400);
        assert!(!is_guarded());
    }

    #[cfg(debug_assertions)]
    #[test]
    fn the_stand_in_fails() {
        let file = [b"{} // ", STAND_IN, b"\n"].concat();
        assert!(guarded(&file, || ()).unwrap_err().contains("on purpose"));
    }
}
