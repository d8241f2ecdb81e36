//! `pcall`, `xpcall`, odd error values, and variables to be closed.

use crate::attacks::attack::{Attack, body};

/// `LOOP` stands for a function that loops, `CLOSES` for a value whose closing loops.
fn looping(lua: &str) -> Attack {
    let closes = "setmetatable({}, { __close = LOOP })";
    body(lua.replace("CLOSES", closes).replace("LOOP", "function() while true do end end"))
}

attacks! {
    pcall_of_a_loop => looping("pcall(LOOP)"),
    pcall_of_a_loop_in_a_loop => looping("while true do pcall(LOOP) end"),
    pcall_of_a_pcall_of_a_loop => looping("while true do pcall(pcall, pcall, LOOP) end"),
    pcall_of_nothing_in_a_loop => body("while true do pcall(pcall) end"),
    pcall_of_error_in_a_loop => body("while true do pcall(error) end"),
    pcall_until_it_works => body("repeat until pcall(error, 'no')"),
    pcall_in_every_level => body("local function f() pcall(f) while true do end end f()"),
    pcall_deeper_and_deeper => body("local function f() return pcall(f) end while true do f() end"),
    pcall_of_deep_recursion => body("local function f() return 1 + f() end while true do pcall(f) end"),
    pcall_of_assert_in_a_loop => body("while true do pcall(assert, false, ('x'):rep(100)) end"),
    pcall_of_select_in_a_loop => body("while true do pcall(select, -5) end"),
    pcall_of_the_host_in_a_loop => body("while true do pcall(set_target, 1) end"),
    pcall_of_an_unknown_name_in_a_loop => body("while true do pcall(function() return rooom end) end"),
    pcall_of_nobody_in_a_loop => body("while true do pcall(room.npc, room, 'nobody') end"),
    pcall_of_missing_files_in_a_loop => body("while true do pcall(require, 'missing') end"),

    xpcall_with_a_looping_handler => looping("xpcall(error, LOOP)"),
    xpcall_of_a_loop_with_a_looping_handler => looping("while true do xpcall(LOOP, LOOP) end"),
    xpcall_handler_that_fails => body("while true do xpcall(error, function() error('again') end) end"),
    xpcall_handler_that_calls_itself => body("local function h(e) return xpcall(error, h, e) end while true do h() end"),
    xpcall_with_pcall_as_handler => body("while true do xpcall(error, pcall) end"),
    xpcall_with_error_as_handler => body("while true do xpcall(error, error) end"),
    xpcall_with_no_handler => body("while true do pcall(xpcall, error, nil) end"),
    xpcall_in_xpcall => looping("while true do xpcall(xpcall, LOOP, LOOP, LOOP) end"),
    xpcall_handler_in_a_coroutine => looping("coroutine.wrap(function() xpcall(error, LOOP) end)()"),

    error_of_nil => body("error(nil)"),
    error_of_nothing => body("error()"),
    error_of_true => body("error(true)"),
    error_of_a_table => body("error({})").told("an error that is a table"),
    error_of_a_function => body("error(function() end)"),
    error_of_a_coroutine => body("error(coroutine.create(function() end))"),
    error_of_a_character => body("error(npc)"),
    error_of_the_room => body("error(room)"),
    error_with_a_metatable => body("error(setmetatable({}, {}))"),
    error_of_a_huge_text => body("error(('x'):rep(250000))"),
    error_of_zero_bytes => body("error('a\\0b')"),
    error_of_broken_utf8 => body("error('\\xff\\xfe')"),
    error_from_far_away => body("error('far', 1000000000)").told("far"),
    error_with_looping_tostring => looping("error(setmetatable({}, { __tostring = LOOP }))"),
    error_with_failing_tostring => body("error(setmetatable({}, { __tostring = function(e) error(e) end }))"),
    error_with_odd_tostring => body("error(setmetatable({}, { __tostring = function() return {} end }))"),
    error_with_yielding_tostring => body("error(setmetatable({}, { __tostring = function() coroutine.yield() end }))"),
    error_with_huge_name => body("error(setmetatable({}, { __name = ('x'):rep(250000) }))"),
    error_with_looping_index => looping("error(setmetatable({}, { __index = LOOP, __len = LOOP, __eq = LOOP }))"),
    error_caught_with_looping_tostring => looping("while true do pcall(error, setmetatable({}, { __tostring = LOOP })) end"),

    close_that_loops => looping("local c <close> = CLOSES"),
    close_that_loops_after_an_error => looping("local c <close> = CLOSES error('x')"),
    close_that_loops_after_a_loop => looping("local c <close> = CLOSES while true do end"),
    close_that_loops_in_pcall => looping("while true do pcall(function() local c <close> = CLOSES while true do end end) end"),
    close_that_loops_after_for => looping("for _ in function() end, nil, nil, CLOSES do end"),
    close_that_loops_on_break => looping("while true do local c <close> = CLOSES break end"),
    close_that_raises => body("local c <close> = setmetatable({}, { __close = function()\nerror('shut') -- HERE\nend })").told("shut"),
    close_that_raises_after_a_loop => body("local c <close> = setmetatable({}, { __close = function() error('shut') end }) while true do end"),
    close_that_raises_again_and_again => body("while true do pcall(function() local c <close> = setmetatable({}, { __close = error }) end) end"),
    close_that_yields => body("local c <close> = setmetatable({}, { __close = function() coroutine.yield() while true do end end })").either(),
    close_in_a_loop => body("while true do local c <close> = setmetatable({}, { __close = function() end }) end"),
    close_that_closes => body("local function shut() local c <close> = setmetatable({}, { __close = shut }) end shut()").either(),
    closes_that_loop_in_a_chain => looping("local function f(n) local c <close> = CLOSES if n > 0 then f(n - 1) end end f(150)"),
    closes_that_loop_by_the_thousand => looping("local function f(n) local c <close> = CLOSES if n > 0 then return (f(n - 1)) end end f(10000)"),
    closes_that_catch_everything => body("local close = { __close = function() while true do pcall(function() while true do end end) end end }\nlocal function f(n) local c <close> = setmetatable({}, close) if n > 0 then f(n - 1) end end f(100)"),
    close_of_what_cannot_be_closed => body("local c <close> = {}").told("non-closable"),
}
