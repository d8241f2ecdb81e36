//! Coroutines of the script's own.

use crate::attacks::attack::{Attack, Dress, body};

fn looping(lua: &str) -> Attack {
    let closes = "setmetatable({}, { __close = LOOP })";
    body(lua.replace("CLOSES", closes).replace("LOOP", "function() while true do end end"))
}

attacks! {
    loop_inside => looping("coroutine.wrap(LOOP)()"),
    loop_inside_resume => looping("coroutine.resume(coroutine.create(LOOP))"),
    loop_inside_resume_in_a_loop => looping("while true do coroutine.resume(coroutine.create(LOOP)) end"),
    loop_inside_wrap_in_pcall => looping("while true do pcall(coroutine.wrap(LOOP)) end"),
    short_ones_without_end => body("while true do coroutine.wrap(function() end)() end"),
    created_without_end => body("while true do coroutine.create(print) end"),
    tree_of_short_ones => body("local function grow(n) for i = 1, n do coroutine.wrap(grow)(n - 1) end end grow(20)"),
    tree_of_busy_ones => body("local function grow(n) for i = 1, 900 do end for i = 1, n do coroutine.wrap(grow)(n - 1) end end grow(20)"),
    wrap_in_wrap => body("local function f() coroutine.wrap(f)() end f()"),
    wrap_in_wrap_in_pcall => body("local function f() pcall(coroutine.wrap(f)) end while true do f() end"),
    resume_in_resume => body("local function f() coroutine.resume(coroutine.create(f)) end while true do f() end"),
    yield_storm => body("local co = coroutine.wrap(function() while true do coroutine.yield() end end) while true do co() end"),
    yields_of_many_values => body("local t = {} for i = 1, 5000 do t[i] = i end\nlocal co = coroutine.wrap(function() while true do coroutine.yield(table.unpack(t)) end end) while true do co() end"),
    iterator_without_end => body("for _ in coroutine.wrap(function() while true do coroutine.yield(1) end end) do end"),
    resume_of_oneself => body("while true do coroutine.resume(coroutine.running()) end"),
    resume_of_one_another => body("local a, b a = coroutine.create(function() while true do coroutine.resume(b) end end) b = coroutine.create(function() while true do coroutine.resume(a) end end)\nwhile true do coroutine.resume(a) end"),
    resume_of_the_dead => body("local co = coroutine.create(function() end) while true do coroutine.resume(co) end"),
    status_without_end => body("while true do coroutine.status(coroutine.running()) coroutine.isyieldable() end"),
    thousands_suspended => body("local kept = {} while true do local co = coroutine.create(function() coroutine.yield() end) coroutine.resume(co) kept[#kept + 1] = co end"),
    thousands_suspended_with_deep_stacks => body("local function deep(n) if n == 0 then coroutine.yield() else deep(n - 1) return 1 end end\nlocal kept = {} while true do kept[#kept + 1] = coroutine.wrap(deep) kept[#kept](1000) end"),
    error_through_many => body("local function f(n) if n == 0 then error('deep') end coroutine.wrap(f)(n - 1) end f(50)").told("deep"),
    body_is_pcall => looping("while true do coroutine.wrap(pcall)(LOOP) end"),
    body_is_wrap => body("while true do coroutine.wrap(coroutine.wrap)(print) end"),
    body_is_error => body("while true do pcall(coroutine.wrap(error), {}) end"),
    wait_in_ones_own => body("coroutine.wrap(function() wait(1) end)()").told("only a sequence can wait"),
    walk_in_ones_own => body("coroutine.wrap(function() npc:walk_to('bar') end)()").told("only a sequence can wait"),
    error_in_ones_own => body("coroutine.wrap(function()\nerror('inside') -- HERE\nend)()").told("inside"),
    yield_out_of_a_handler => body("coroutine.yield()").only(&[Dress::Handler, Dress::Opened, Dress::Reloaded]),
    yield_in_a_comparator => body("table.sort({ 3, 1, 2 }, function() coroutine.yield() end)").either(),
    yield_in_gsub => body("('abc'):gsub('.', function() coroutine.yield() end)"),
    yield_in_tostring => body("tostring(setmetatable({}, { __tostring = function() coroutine.yield() end }))"),
    yield_in_index => body("local t = setmetatable({}, { __index = function() coroutine.yield() end }) while true do local x = t.y end").either(),

    closed_with_a_looping_close => looping("local co = coroutine.create(function() local c <close> = CLOSES coroutine.yield() end) coroutine.resume(co) coroutine.close(co)"),
    closed_with_a_looping_close_in_a_loop => looping("while true do local co = coroutine.create(function() local c <close> = CLOSES coroutine.yield() end) coroutine.resume(co) pcall(coroutine.close, co) end"),
    closed_with_a_raising_close => body("local co = coroutine.create(function() local c <close> = setmetatable({}, { __close = function() error('shut') end }) coroutine.yield() end) coroutine.resume(co) coroutine.close(co)").quiet(),
    closed_with_many_looping_closes => looping("local co = coroutine.create(function() local function f(n) local c <close> = CLOSES if n > 0 then f(n - 1) else coroutine.yield() end end f(100) end) coroutine.resume(co) while true do pcall(coroutine.close, co) end"),
    close_of_oneself => looping("local c <close> = CLOSES coroutine.close()").either(),
    close_of_oneself_after_all => body("coroutine.close(coroutine.running())").either(),
    close_of_what_resumes_me => body("local outer outer = coroutine.create(function() coroutine.wrap(function() coroutine.close(outer) end)() end) assert(coroutine.resume(outer))"),
    killed_in_its_pending_close => looping("local co = coroutine.create(function() local c <close> = setmetatable({}, { __close = function() local d <close> = CLOSES coroutine.yield() end }) end) coroutine.resume(co) coroutine.close(co)"),
    killed_in_its_pending_close_by_a_loop => looping("local co = coroutine.create(function() local c <close> = CLOSES while true do end end) while true do pcall(coroutine.resume, co) pcall(coroutine.close, co) end"),
    left_with_a_pending_close => looping("for i = 1, 100 do coroutine.wrap(function() local c <close> = CLOSES coroutine.yield() end)() end").quiet(),
    arguments_by_the_hundred_thousand => body("local t = {} for i = 1, 100000 do t[i] = i end while true do coroutine.wrap(function(...) return ... end)(table.unpack(t)) end"),
}
