//! Metamethods that loop, that call themselves, that lie; weak tables; finalizers.

use crate::attacks::attack::{Attack, body};

/// `M` is a value all of whose metamethods loop; the loop is the line to blame, or what set it off.
fn looping(lua: &str) -> Attack {
    let events = [
        "index", "newindex", "call", "eq", "lt", "le", "concat", "len", "unm", "add", "idiv", "band", "bnot",
        "shl", "pairs", "tostring",
    ];
    let fields: Vec<String> = events.iter().map(|event| format!("__{event} = loop")).collect();
    body(format!(
        "local function loop() while true do end end -- HERE\nlocal M, N = {{}}, {{}}\nlocal meta = {{ {} }}\nsetmetatable(M, meta) setmetatable(N, meta)\n{lua} -- HERE",
        fields.join(", ")
    ))
}

attacks! {
    index => looping("local x = M.x"),
    index_by_method => looping("M:walk()"),
    newindex => looping("M.x = 1"),
    call => looping("M()"),
    eq => looping("local x = M == N"),
    lt => looping("local x = M < N"),
    le => looping("local x = M <= N"),
    concat => looping("local x = M .. 'x'"),
    len => looping("local x = #M"),
    unm => looping("local x = -M"),
    add => looping("local x = M + 1"),
    idiv => looping("local x = M // 1"),
    band => looping("local x = M & 1"),
    bnot => looping("local x = ~M"),
    shl => looping("local x = M << 1"),
    pairs_of_it => looping("for _ in pairs(M) do end"),
    tostring_by_print => looping("print(M)"),
    tostring_by_tostring => looping("local x = tostring(M)"),
    tostring_by_format => looping("local x = ('%s'):format(M)"),
    tostring_by_log => looping("log.info(M)"),
    tostring_by_log_in_pcall => looping("while true do pcall(log.info, M) end"),
    tostring_by_error => looping("error(M)"),
    iterator_that_loops => looping("for _ in M do end"),
    pcall_of_it => looping("while true do pcall(M) end"),
    unpack_of_it => looping("local x = table.unpack(M)"),
    concat_of_a_table_of_it => looping("local x = table.concat(M)"),
    sort_of_it => looping("table.sort({ M, N, M, N })"),
    insert_into_it => looping("table.insert(M, 1)"),
    gsub_with_it => looping("local x = ('x'):gsub('x', M)"),
    as_a_name_of_a_character => looping("local x = npc[M]"),
    as_a_name_of_the_room => looping("local x = room[M]"),
    as_a_place => looping("set_target(npc, M)"),
    as_options => looping("spawn(M)"),
    as_a_module => looping("require(M)"),
    as_seconds => looping("after(M, print)"),

    gc_is_refused => body("setmetatable({}, { __gc = function() while true do end end })").told("__gc"),
    gc_in_a_loop_is_refused => body("while true do pcall(setmetatable, {}, { __gc = function() while true do end end }) end"),
    gc_set_later_is_nothing => body("local meta = {} local t = setmetatable({}, meta) meta.__gc = function() while true do end end\nt = nil for i = 1, 10000 do local garbage = { i } end").quiet(),
    metatable_is_protected => body("setmetatable(setmetatable({}, { __metatable = 'no' }), {})").told("protected"),
    weak_keys_without_end => body("local weak = setmetatable({}, { __mode = 'k' }) while true do weak[{}] = { weak } end"),
    weak_values_without_end => body("local weak = setmetatable({}, { __mode = 'v' }) while true do weak[#weak + 1] = {} end"),
    ephemerons_in_a_chain => body("local weak, key = setmetatable({}, { __mode = 'k' }), {} local first = key while true do local after = {} weak[key] = after key = after end"),

    index_calls_itself => body("local t = setmetatable({}, { __index = function(t, k) return t[k .. 'x'] end }) local x = t.a"),
    index_is_itself => body("local t = {} t.__index = t setmetatable(t, t) local x = t.y"),
    newindex_is_itself => body("local t = {} t.__newindex = t setmetatable(t, t) t.y = 1"),
    call_is_itself => body("local t = {} t.__call = t setmetatable(t, t) t()"),
    tostring_calls_itself => body("local t = setmetatable({}, { __tostring = function(t) return tostring(t) end }) local x = tostring(t)"),
    tostring_logs_itself => body("local t = setmetatable({}, { __tostring = function(t) log.info(t) return '' end }) log.info(t)"),
    concat_calls_itself => body("local t = setmetatable({}, { __concat = function(a, b) return a .. b end }) local x = t .. t"),
    eq_calls_itself => body("local meta = {} local a, b = setmetatable({}, meta), setmetatable({}, meta) meta.__eq = function(a, b) return a == b end local x = a == b"),
    lt_calls_itself => body("local t = setmetatable({}, { __lt = function(a, b) return a < b end }) local x = t < t"),
    len_calls_itself => body("local t = setmetatable({}, { __len = function(t) return #t end }) local x = #t"),
    pairs_calls_itself => body("local t = setmetatable({}, { __pairs = function(t) return pairs(t) end }) for _ in pairs(t) do end"),
    calls_itself_in_pcall => body("local t = setmetatable({}, { __index = function(t, k) return select(2, pcall(function() return t[k] end)) end }) while true do local x = t.a end"),
    chain_of_a_thousand => body("local t = {} for i = 1, 1000 do t = setmetatable({}, { __index = t }) end while true do local x = t.y end"),
    len_that_lies => body("local t = setmetatable({}, { __len = function() return math.maxinteger end }) for i = 1, #t do end"),
    pairs_without_end => body("for _ in pairs(setmetatable({}, { __pairs = function() return function() return 1 end end })) do end"),
    name_that_is_huge => body("local t = setmetatable({}, { __name = ('x'):rep(250000) }) while true do local x = tostring(t) end"),
    name_that_is_huge_in_errors => body("local t = setmetatable({}, { __name = ('x'):rep(250000) }) while true do pcall(function() return t + 1 end) end"),
    metatable_of_texts => body("getmetatable('').__index = nil"),
}
