//! Timers, sequences and callbacks: work put off is work all the same.

use crate::attacks::attack::{Dress, body};

attacks! {
    timers_without_end => body("while true do after(60, print) end"),
    timers_without_end_in_pcall => body("while true do pcall(after, 60, print) end"),
    timers_that_double => body("local function f() after(0, f) after(0, f) end f()").ticks(30),
    timers_that_double_and_repeat => body("local function f() every(0, f) end f()").ticks(30),
    timers_that_repeat_a_loop => body("every(0, function() while true do end end)"),
    timers_that_loop => body("for i = 1, 200 do after(0, function() while true do end end) end"),
    timers_that_loop_each_their_own_way => body("for i = 1, 200 do after(0, function() for j = 1, 1000000000 do local x = i end end) every(0, function() error('no ' .. i) end) end"),
    timers_that_work_hard => body("for i = 1, 900 do every(0, function() for j = 1, 1000000 do end end) end").ticks(4),
    timers_that_search => body("for i = 1, 900 do every(0, function() for j = 1, 10000 do find_path(1, 1, 12, 2) end end) end").ticks(4),
    timers_of_no_time => body("after(0 / 0, print)").told("seconds must be"),
    timers_that_never_come => body("after(1 / 0, print)").told("seconds must be"),
    timers_called_off_without_end => body("for i = 1, 900 do after(60, print) end\nwhile true do cancel(1) end -- HERE"),
    timers_set_and_called_off => body("while true do cancel(after(60, print)) end"),
    timers_that_hoard => body("local kept = {} every(0, function() for i = 1, 100 do kept[#kept + 1] = ('x'):rep(100000) .. #kept end end)").ticks(40),

    starts_without_end => body("while true do start(function() end) end"),
    starts_without_end_in_pcall => body("while true do pcall(start, print) end"),
    starts_that_double => body("local function f() wait(0) start(f) start(f) end start(f)").ticks(30),
    starts_that_loop => body("for i = 1, 200 do start(function() while true do end end) end"),
    starts_that_loop_in_pcall => body("for i = 1, 200 do start(function() while true do pcall(function() while true do end end) end end) end"),
    starts_that_work_hard => body("for i = 1, 900 do start(function() while true do for j = 1, 1000000 do end wait(0) end end) end").ticks(4),
    starts_that_close_with_a_loop => body("start(function() local c <close> = setmetatable({}, { __close = function() while true do end end }) wait(0) end)"),
    starts_that_never_close => body("start(function() local c <close> = setmetatable({}, { __close = function() while true do end end }) wait(600) end)").quiet(),
    starts_with_many_arguments => body("local t = {} for i = 1, 100000 do t[i] = i end while true do start(print, table.unpack(t)) end"),
    starts_of_pcall => body("start(pcall, function() while true do end end)"),
    starts_of_what_waits => body("start(wait, 1 / 0)").either(),
    starts_that_wait_in_pcall => body("start(function() while true do pcall(wait, 0) pcall(error) end end)").either(),

    arrivals_without_end => body("while true do on_arrived(npc, function() end) end"),
    arrivals_of_walks_without_end => body("while true do npc:set_target(3, 1, function() end) npc:set_target(7, 1, function() end) end"),
    arrivals_that_loop => body("npc:set_target(npc.x, npc.z, function() while true do end end)"),
    arrivals_that_set_out_again => body("local function f() npc:set_target(npc.x, npc.z, f) end f()").either(),
    arrivals_of_all_that_loop => body("on_arrived(npc, function() while true do end end) npc:set_target(npc.x, npc.z)"),

    wait_in_a_handler => body("wait(1)").only(&[Dress::Handler, Dress::Coroutine, Dress::Opened, Dress::Reloaded]).told("only a sequence can wait"),
    walk_in_a_handler => body("npc:walk_to('bar')").only(&[Dress::Handler, Dress::Coroutine]).told("only a sequence can wait"),
    talk_in_a_handler => body("npc:talk_to(room:npc('bob'))").only(&[Dress::Handler, Dress::Coroutine]).told("only a sequence can wait"),
    wait_for_less_than_nothing => body("wait(-1)").told("seconds must be"),
    talk_to_oneself_without_end => body("while true do npc:talk_to(npc) end"),
    waits_caught_without_end => body("while true do pcall(wait, {}) end"),
}
