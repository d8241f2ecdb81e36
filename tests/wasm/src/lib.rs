//! What replay.mjs calls. Numbers and bytes are all that passes between WebAssembly and JavaScript without a library.

use cicerone::record::{Recording, Replay};
use std::sync::{Mutex, MutexGuard, PoisonError};

static FILE: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static WORDS: Mutex<String> = Mutex::new(String::new());

fn held<T>(of: &'static Mutex<T>) -> MutexGuard<'static, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Memory for a recording of so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn space_for(bytes: u32) -> *mut u8 {
    let mut file = held(&FILE);
    *file = vec![0; bytes as usize];
    file.as_mut_ptr()
}

/// Replays the recording in that memory. The number of ticks; -1 if a hash differs or the recording cannot be read.
#[unsafe(no_mangle)]
pub extern "C" fn replay() -> i32 {
    match all_ticks(&held(&FILE)) {
        Ok(ticks) => ticks,
        Err(why) => {
            *held(&WORDS) = why;
            -1
        }
    }
}

/// Where the reason of the last failure begins.
#[unsafe(no_mangle)]
pub extern "C" fn words() -> *const u8 {
    held(&WORDS).as_ptr()
}

/// How many bytes the reason has.
#[unsafe(no_mangle)]
pub extern "C" fn length_of_words() -> u32 {
    held(&WORDS).len() as u32
}

fn all_ticks(file: &[u8]) -> Result<i32, String> {
    let recording = Recording::read(file).map_err(|error| error.to_string())?;
    let mut replay = Replay::new(&recording).map_err(|error| error.to_string())?;
    let mut ticks = 0;
    while let Some(step) = replay.step().map_err(|error| error.to_string())? {
        step.map_err(|difference| difference.to_string())?;
        ticks += 1;
    }
    Ok(ticks)
}
