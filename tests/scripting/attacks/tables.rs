//! The table library, and `select`, `ipairs`, `next` and varargs.

use crate::attacks::attack::{Attack, body, file};

/// With `t`, a list of 100,000 numbers.
fn with_list(work: &str) -> Attack {
    body(format!("local t = {{}} for i = 1, 100000 do t[i] = i end\n{work}"))
}

/// With `P`, a table that says it is endless and takes everything.
fn with_proxy(work: &str) -> Attack {
    body(format!(
        "local P = setmetatable({{}}, {{ __len = function() return 1 << 40 end, __index = function() return 1 end, __newindex = function() end }}) {work}"
    ))
}

attacks! {
    move_forwards => body("table.move({}, 1, math.maxinteger - 1, 2)"),
    move_backwards => body("table.move({}, 2, math.maxinteger - 1, 1)"),
    move_in_place => body("table.move({}, 1, 1000000000000, 1)"),
    move_to_another => body("table.move({}, 1, 1000000000000, 1, {})"),
    move_of_proxies => with_proxy("table.move(P, 1, 1000000000000, 1, P)"),
    move_in_pcall => body("while true do pcall(table.move, {}, 1, 1000000000, 2) end"),
    insert_with_a_lying_length => with_proxy("table.insert(P, 1, 'x')"),
    insert_with_the_greatest_length => body("table.insert(setmetatable({}, { __len = function() return math.maxinteger - 1 end }), 1, 'x')"),
    insert_with_an_odd_length => body("table.insert(setmetatable({}, { __len = function() return 'many' end }), 1)"),
    remove_with_a_lying_length => with_proxy("table.remove(P, 1)"),
    insert_in_front => body("local t = {} while true do table.insert(t, 1, 1) end"),
    remove_in_front => with_list("while true do table.remove(t, 1) table.insert(t, 1) end"),
    unpack_of_too_much => body("table.unpack({}, 1, 100000000)"),
    unpack_of_everything => body("table.unpack({}, math.mininteger, math.maxinteger)"),
    unpack_in_a_loop => with_list("while true do table.unpack(t) end"),
    unpack_of_a_proxy => with_proxy("while true do pcall(table.unpack, P, 1, 900000) end"),
    pack_in_a_loop => with_list("while true do table.pack(table.unpack(t)) end"),
    concat_of_a_range => body("table.concat({}, '', 1, 1000000000000)"),
    concat_of_a_proxy => with_proxy("table.concat(P)"),
    concat_of_separators => with_list("while true do table.concat(t, (','):rep(1000)) end"),
    create_huge => body("table.create(1000000000)"),
    create_huge_hash => body("table.create(0, 1000000000)"),
    create_in_a_loop => body("while true do table.create(1000000) end"),
    sort_by_nonsense => body("local t = {} for i = 1, 1000 do t[i] = i % 7 end while true do table.sort(t, function() return true end) end"),
    sort_by_chance => body("local t = {} for i = 1, 1000 do t[i] = i end while true do pcall(table.sort, t, function() return random() < 0.5 end) end"),
    sort_by_an_error => body("table.sort({ 3, 1, 2 }, function()\nerror('no order') -- HERE\nend)").told("no order"),
    sort_by_a_loop => body("table.sort({ 3, 1, 2 }, function() while true do end end)"),
    sort_by_a_sort => body("local function by(a, b) table.sort({ 2, 1 }, by) return a < b end table.sort({ 2, 1 }, by)"),
    sort_while_emptying => body("local t = {} for i = 1, 1000 do t[i] = i end table.sort(t, function(a, b) for i = 1, 1000 do t[i] = nil end return a < b end)"),
    sort_of_a_million => body("local t = {} for i = 1, 1000000 do t[i] = i * 7919 % 1000003 end while true do table.sort(t) end"),
    sort_in_a_loop => with_list("while true do table.sort(t) end"),
    sort_of_a_proxy => body("table.sort(setmetatable({}, { __len = function() return 2000000000 end, __index = function() return 1 end, __newindex = function() end }))"),
    sort_of_long_texts => body("local t = {} for i = 1, 100 do t[i] = ('x'):rep(100000) .. i end while true do table.sort(t, function(a, b) return a > b end) table.sort(t) end"),
    sort_of_all_sorts => body("table.sort({ 1, 'x', {} })").told("compare"),
    ipairs_of_a_proxy => with_proxy("for _ in ipairs(P) do end"),
    pairs_while_adding => body("local t = { a = 1 } for k in pairs(t) do t[k .. 'x'] = 1 t[#k] = 1 end").either(),
    pairs_in_a_loop => with_list("while true do for _ in pairs(t) do end end"),
    next_of_a_function => body("next({ a = 1 }, print)"),
    next_of_holes => with_list("for i = 1, 99999 do t[i] = nil end while true do next(t) end"),
    length_of_holes => with_list("for i = 1, 99999, 2 do t[i] = nil end while true do local n = #t end"),
    select_the_count => with_list("while true do select('#', table.unpack(t)) end"),
    select_one_by_one => with_list("local function f(...) for i = 1, select('#', ...) do local x = select(i, ...) end end while true do f(table.unpack(t)) end"),
    varargs_passed_on => with_list("local function pass(...) return ... end while true do pass(pass(pass(table.unpack(t)))) end"),
    varargs_kept => with_list("local kept = {} while true do kept[#kept + 1] = { table.unpack(t) } end"),
    varargs_to_the_host => with_list("while true do pcall(set_target, table.unpack(t)) end"),
    varargs_to_log => with_list("while true do log.info(table.unpack(t)) end"),
    varargs_to_print => with_list("while true do print(table.unpack(t)) end"),
    varargs_to_math => with_list("while true do math.max(table.unpack(t)) end"),
    growth_and_shrinkage => body("local t = {} while true do t[1] = 1 t.x = 1 t[1] = nil t.x = nil end"),
    growth_far_apart => body("local t = {} for i = 1, 1000000000 do t[i * 1000000] = i end"),
    constructor_of_everything => file(format!("return {{ list = {{ {} }} }}", "0,".repeat(400_000))).either(),
    unpack_of_a_text => body("while true do pcall(table.unpack, ('x'):rep(250000)) end"),
    unpack_of_half_a_text => body("while true do table.unpack(('x'):rep(9999)) end"),
    concat_backwards => body("local t = {} for i = -30000, 0 do t[i] = 1 end while true do table.concat(t, '', -30000, 0) end"),
    concat_of_fractions => with_list("for i = 1, 9999 do t[i] = i / 7 end while true do table.concat(t, ' ', 1, 9999) end"),
    next_in_an_emptied_table => body("local t = {} for i = 1, 30000 do t['k' .. i] = 1 end for k in pairs(t) do t[k] = nil end t.a = 1 while true do next(t, 'a') end"),
    next_of_many => body("local t = {} for i = 1, 30000 do t['k' .. i] = 1 end while true do next(t, 'k5') end"),
    pairs_of_many_broken_off => body("local t = {} for i = 1, 30000 do t['k' .. i] = 1 end while true do for k in pairs(t) do break end end"),
    pairs_of_long_texts => body("local t, s = {}, ('x'):rep(250000) for i = 1, 60 do t[s .. i] = i end while true do for k in pairs(t) do break end end"),
    next_of_long_texts => body("local t, s = {}, ('x'):rep(250000) for i = 1, 60 do t[s .. i] = i end while true do next(t, s .. '5') end"),
    pairs_of_an_emptied_table => body("local t = {} for i = 1, 30000 do t['k' .. i] = 1 end for k in pairs(t) do t[k] = nil end t.a = 1 while true do for k in pairs(t) do end end"),
    keys_in_one_place => body("local t = {} for i = 1, 30000 do t[i * 32767] = 1 end while true do for i = 1, 30000 do local x = t[i * 32767] end end"),
    keys_set_in_one_place => body("local t = {} for i = 1, 30000 do t[i * 32767] = 1 end while true do for i = 1, 30000 do t[i * 32767] = i end end"),
    missing_keys_in_one_place => body("local t = {} for i = 1, 30000 do t[i * 32767] = 1 end while true do local x = t[40000 * 32767] end"),
    raw_keys_in_one_place => body("local t = {} for i = 1, 30000 do rawset(t, i * 32767, 1) end while true do for i = 1, 30000 do local x = rawget(t, i * 32767) end end"),
    keys_in_a_few_places => body("local t = {} for i = 1, 30000 do t[i * 32767 // 3] = 1 end while true do for i = 1, 30000 do local x = t[i * 32767 // 3] end end"),
    inherited_keys_in_one_place => body("local t = {} for i = 1, 30000 do t[i * 32767] = 1 end local heir = setmetatable({}, { __index = t }) while true do local x = heir[32767 * 7] end"),
    unpack_of_keys_in_one_place => body("local t = {} for i = 1, 2000 do t[i * 2047] = 1 end while true do table.unpack(t, 1, 9999) end"),
    move_of_keys_in_one_place => body("local t = {} for i = 1, 2000 do t[i * 2047] = 1 end while true do table.move(t, 1, 9999, 1, {}) end"),
    iterator_at_its_end => body("local t = {} for i = 1, 20000 do t['k' .. i] = 1 end local step = pairs(t) for k in pairs(t) do t[k] = nil end while true do step(t) end"),
    iterator_of_another_table => body("local t = {} for i = 1, 20000 do t['k' .. i] = 1 end local other = {} while true do local step = pairs(t) step(other) end"),
    pairs_of_a_number => body("for k in pairs(5) do end").told("table expected, got number"),
    closures_over_many => body({
        let names: Vec<String> = (0..150).map(|n| format!("v{n}")).collect();
        format!("local {} = 1 while true do local f = function() return {} end end", names.join(", "), names.join(", "))
    }),
    concat_of_long_texts => body("local s = ('x'):rep(250000) local t = { s, s, s, s } while true do table.concat(t) end"),
}
