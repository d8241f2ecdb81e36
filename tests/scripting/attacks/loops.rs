//! Loops and recursion in plain Lua.

use crate::attacks::attack::body;

attacks! {
    things_again_and_again => body("local me = room:npcs()[1] for i = 1, 400 do pcall(me.give, me, 'thing' .. i) end while true do local t = me:things() end"),
    tags_again_and_again => body("local me = room:npcs()[1] for i = 1, 90 do pcall(me.add_tag, me, 'tag' .. i) end while true do local t = me:tags() end"),
    while_true => body("while true do end"),
    repeat_until_false => body("repeat until false"),
    goto_round => body("::again:: goto again"),
    goto_round_two => body("::one:: goto two\n::two:: goto one"),
    for_all_integers => body("for i = 1, math.maxinteger do end"),
    for_all_integers_backwards => body("for i = math.maxinteger, math.mininteger, -1 do end"),
    for_tiny_steps => body("for x = 0, 1e300, 1e-3 do end"),
    for_nested => body("for i = 1, 1000000000 do for j = 1, 1000000000 do end end"),
    for_iterator_without_end => body("for _ in function() return 1 end do end"),
    for_counting_iterator => body("for n in function(_, n) return (n or 0) + 1 end do end"),
    next_round_and_round => body("local t, k = { 1, 2 }, nil while true do k = next(t, k) end"),
    loop_after_good_work => body("local n = 0\nfor i = 1, 1000 do n = n + i end\nwhile n > 0 do n = n + 1 end -- HERE"),
    loop_in_a_function => body("local function lost()\nwhile true do end -- HERE\nend\nlost()"),
    deep_recursion => body("local function f(n) return 1 + f(n + 1) end f(1)"),
    deep_recursion_of_two => body("local f, g f = function(n) return 1 + g(n) end g = function(n) return 1 + f(n) end f(1)"),
    tail_recursion => body("local function f(n) return f(n + 1) end f(1)"),
    tail_recursion_of_two => body("local f, g f = function(n) return g(n) end g = function(n) return f(n) end f(1)"),
    recursion_with_growing_arguments => body("local function f(...) return f(1, ...) end f()"),
    recursion_with_growing_results => body("local function f() return 1, f() end f()"),
    three_ways_recursion => body("local function f(n) if n > 0 then f(n - 1) f(n - 1) f(n - 1) end end f(60)"),
    closures_thrown_away => body("while true do local f = function() return f end end"),
    tables_thrown_away => body("while true do local t = { {}, {} } end"),
    self_as_a_flag_never_set => body("self.ready = false while not self.ready do end"),
    arithmetic_without_end => body("local x = 1 while x > 0 do x = x * 1.1 % 7 + 1 end"),
    random_without_end => body("while random() >= 0 do end"),
    random_of_everything => body("while true do random(math.mininteger, math.maxinteger - 1) end"),
}
