//! Costly operations in loops of a certain length, in short calls and in short coroutines: at a fixed distance of looks,
//! the same cheap place would be looked at every time.

use crate::attacks::attack::{Attack, body};

/// A loop of so many instructions in which one is costly.
fn loop_of(length: usize, given: &str, costly: &str) -> Attack {
    // The loop, the comparison and its jump are instructions, too.
    let others = "y = z ".repeat(length.saturating_sub(4));
    body(format!("{given} local y, z = 0, 0 while true do if {costly} then y = 1 end {others} end"))
}

const TEXTS: &str = "local a, b = ('x'):rep(250000), ('x'):rep(250000)";
const PIECES: &str = "local a, b = ('x\\0'):rep(125000), ('x\\0'):rep(125000)";
const KEYS: &str = "local t = {} for i = 1, 2000 do t[i * 2047] = i end";

attacks! {
    texts_in_a_loop_of_11 => loop_of(11, TEXTS, "a == b"),
    texts_in_a_loop_of_22 => loop_of(22, TEXTS, "a <= b"),
    texts_in_a_loop_of_97 => loop_of(97, TEXTS, "a == b"),
    pieces_in_a_loop_of_11 => loop_of(11, PIECES, "a < b"),
    pieces_in_a_loop_of_97 => loop_of(97, PIECES, "a < b"),
    keys_in_a_loop_of_11 => loop_of(11, KEYS, "t[2047 * 1999]"),
    keys_in_a_loop_of_97 => loop_of(97, KEYS, "t[2047 * 1999]"),
    keys_in_a_loop_of_194 => loop_of(194, KEYS, "t[2047 * 1999]"),
    numbers_in_a_loop_of_97 => loop_of(97, "local a = 0.1", "a .. a .. a .. a"),
    texts_in_short_coroutines => body(format!(
        "{TEXTS} while true do coroutine.wrap(function() local x = a == b, a == b, a == b, a == b end)() end"
    )),
    texts_in_a_coroutine_that_yields => body(format!(
        "{TEXTS} local co = coroutine.wrap(function() while true do local x = a == b, a == b, a == b coroutine.yield() end end) while true do co() end"
    )),
    texts_in_short_timers => body(format!(
        "{TEXTS} for i = 1, 900 do every(0, function() local x = a == b, a == b, a == b, a == b, a == b, a == b end) end"
    )).either(),
}
