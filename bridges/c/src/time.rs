//! The time of a room.

use crate::handle::{CiceroneRoom, look, with};
use crate::result::{CiceroneResult, guarded, invalid};
use crate::text::give;

/// The most steps of one call: an hour at 60 ticks a second.
const MOST_STEPS: u32 = 216_000;

/// The longest frame: beyond a machine that slept, and a slip of the caller.
const LONGEST_FRAME_S: f64 = 365.0 * 86_400.0;

/// Makes fixed steps, 216,000 at most. Not from a function of the game.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_step(room: *mut CiceroneRoom, steps: u32) -> CiceroneResult {
    guarded(|| {
        if steps > MOST_STEPS {
            return Err(invalid(format!("{steps} steps; {MOST_STEPS} are the most in one call")));
        }
        with(room, |held| {
            (0..steps).for_each(|_| held.runtime().step());
            Ok(())
        })
    })
}

/// Makes the fixed steps of a frame of so many seconds, at most those of a quarter of a second; their number (may be
/// NULL). What is left of the frame is kept for the next. `cicerone_pose` tells where to draw characters between two steps.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_advance(
    room: *mut CiceroneRoom,
    seconds: f64,
    steps: *mut u32,
) -> CiceroneResult {
    guarded(|| {
        if !(0.0..=LONGEST_FRAME_S).contains(&seconds) {
            let words = format!("seconds must be from 0 to {LONGEST_FRAME_S} (a year), not {seconds:e}");
            return Err(invalid(words));
        }
        let made = with(room, |held| Ok(held.runtime().advance(seconds)))?;
        // SAFETY: the rules of the header.
        unsafe { give(steps, made) };
        Ok(())
    })
}

/// The tick, the steps per second of game time, and the hash of everything: each may be NULL. The hash is the same after
/// the same run, on every machine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cicerone_time(
    room: *const CiceroneRoom,
    tick: *mut u64,
    ticks_per_second: *mut u32,
    hash: *mut u64,
) -> CiceroneResult {
    guarded(|| {
        // SAFETY: the rules of the header.
        unsafe {
            look(room, |mut access| {
                let world = access.world();
                give(tick, world.tick_number());
                give(ticks_per_second, world.room().ticks_per_second);
                if !hash.is_null() {
                    give(hash, world.checksum());
                }
                Ok(())
            })
        }
    })
}
