//! What all scripts share: nobody may spoil it for the others, and what is unsafe is not there.

use crate::attacks::attack::{Attack, body};

/// The healthy ones tell whether something was spoilt; the attacker need not be told.
fn spoils(lua: &str) -> Attack {
    body(lua).either()
}

attacks! {
    npcs_of_an_emptied_list => body("local t = {} for i = 1, 60000 do t['k' .. i] = 1 end for k in pairs(t) do t[k] = nil end while npc do room:npcs(t) end"),
    npcs_of_an_emptied_option => body("local t = {} for i = 1, 60000 do t['k' .. i] = 1 end for k in pairs(t) do t[k] = nil end t.tag = 'x' while npc do room:npcs(t) end"),
    spawn_with_emptied_tags => body("local t = {} for i = 1, 60000 do t[i] = 'x' end for i = 1, 60000 do t[i] = nil end while npc do pcall(spawn, { at = { x = 1, z = 1 }, tags = t }) end"),
    areas_without_end => body("local open = true while npc do open = not open room:set_area_available('mat', open) end"),
    global_written => body("mine = 1").told("undeclared variable 'mine'"),
    global_written_under_globals => body("_G.mine = 1").told("undeclared variable 'mine'"),
    global_of_all_written => body("pcall = nil").told("belongs to all scripts"),
    global_room_written => body("_G.room = nil").told("belongs to all scripts"),
    global_read => body("local x = mine").told("undefined variable 'mine'"),
    globals_written_without_end => body("local i = 0 while true do i = i + 1 pcall(function() _G['x' .. i] = 1 end) end"),
    globals_get_a_metatable => body("setmetatable(_G, {})").told("protected"),
    globals_rawset_pcall => spoils("rawset(_G, 'pcall', function() while true do end end)"),
    globals_rawset_nil => spoils("rawset(_G, 'pcall', nil) rawset(_G, 'table', nil) rawset(_G, 'room', nil)"),
    globals_rawset_room => spoils("rawset(_G, 'room', 5)"),
    globals_rawset_without_end => body("local i = 0 while true do i = i + 1 rawset(_G, 'x' .. i, ('x'):rep(1000)) end"),
    environment_replaced => spoils("local _ENV = { pcall = pcall } x = 1"),
    environment_of_the_file_replaced => spoils("_ENV = {}"),
    environment_with_a_looping_index => body("local _ENV = setmetatable({}, { __index = function() while (true) do end end }) local x = y"),
    string_rep_gone => spoils("string.rep = nil"),
    string_format_loops => spoils("string.format = function() while true do end end"),
    string_all_gone => spoils("for name in pairs(string) do string[name] = nil end"),
    string_rawset => spoils("rawset(string, 'upper', nil) rawset(string, 'format', nil)"),
    string_gets_a_metatable => spoils("setmetatable(string, { __index = function() while true do end end }) string.rep = nil"),
    string_metatable => body("getmetatable('').__index = {}"),
    string_metatable_set => body("setmetatable('', {})"),
    table_concat_loops => spoils("table.concat = function() while true do end end"),
    table_all_gone => spoils("for name in pairs(table) do table[name] = nil end"),
    math_floor_gone => spoils("math.floor = nil"),
    math_gone => body("math = nil").told("belongs to all scripts"),
    coroutine_wrap_gone => spoils("coroutine.wrap = nil coroutine.yield = nil"),
    coroutine_all_loop => spoils("for name in pairs(coroutine) do coroutine[name] = function() while true do end end end"),
    utf8_gone => spoils("for name in pairs(utf8) do utf8[name] = nil end"),
    log_info_gone => spoils("log.info = nil"),
    log_info_loops => spoils("log.info = function() while true do end end"),
    room_written => body("room.mood = 1").told("belongs in room.state.mood"),
    room_state_written => body("room.state = {}"),
    room_method_written => body("room.npc = nil"),
    character_method_written => body("npc.stop = nil"),

    load_is_not_there => body("load('while true do end')()").told("undefined variable 'load'"),
    loadstring_is_not_there => body("loadstring('x')").told("undefined variable 'loadstring'"),
    dofile_is_not_there => body("dofile('/etc/passwd')").told("undefined variable 'dofile'"),
    loadfile_is_not_there => body("loadfile('scripts/util.lua')").told("undefined variable 'loadfile'"),
    collectgarbage_is_not_there => body("collectgarbage('stop')").told("undefined variable 'collectgarbage'"),
    debug_is_not_there => body("debug.sethook()").told("undefined variable 'debug'"),
    io_is_not_there => body("io.open('/etc/passwd')").told("undefined variable 'io'"),
    os_is_not_there => body("os.exit()").told("undefined variable 'os'"),
    package_is_not_there => body("package.path = ''").told("undefined variable 'package'"),
    string_dump_is_not_there => body("string.dump(function() end)").told("dump"),
}
