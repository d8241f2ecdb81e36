//! Hoarders. The healthy ones need a little memory too, and must have it.

use crate::attacks::attack::body;

attacks! {
    one_huge_text => body("local s = ('x'):rep(300000000)"),
    some_large_texts => body("local kept = {} for i = 1, 1000000 do kept[i] = ('x'):rep(16000000 + i) end"),
    many_texts => body("local kept = {} while true do kept[#kept + 1] = ('x'):rep(1000) .. #kept end"),
    many_tables => body("local kept = {} while true do kept[#kept + 1] = {} end"),
    tables_in_a_chain => body("local chain while true do chain = { chain } end"),
    tables_as_keys => body("local kept = {} while true do kept[{}] = true end"),
    many_closures => body("local kept = {} while true do kept[#kept + 1] = function() return kept end end"),
    many_coroutines => body("local kept = {} while true do kept[#kept + 1] = coroutine.create(function() end) end"),
    many_lists_of_people => body("local kept = {} while true do kept[#kept + 1] = room:npcs() end"),
    kept_in_self => body("self.hoard = {} while true do self.hoard[#self.hoard + 1] = ('x'):rep(10000) .. #self.hoard end"),
    kept_in_the_room => body("room.state.hoard = {} while true do table.insert(room.state.hoard, ('x'):rep(10000) .. #room.state.hoard) end"),
    kept_in_an_upvalue => body("local hoard = {} self.add = function() hoard[#hoard + 1] = ('x'):rep(10000) .. #hoard end while true do self.add() end"),
    one_array => body("self.hoard = {} for i = 1, 1000000000 do self.hoard[i] = i end"),
    pcall_around_it => body("self.hoard = {} while true do pcall(function() while true do self.hoard[#self.hoard + 1] = ('x'):rep(100000) .. #self.hoard end end) end"),
    pcall_around_each => body("self.hoard = {} while true do pcall(function() self.hoard[#self.hoard + 1] = ('x'):rep(250000) .. #self.hoard end) end"),
    xpcall_around_it => body("self.hoard = {} while true do xpcall(function() self.hoard[#self.hoard + 1] = ('x'):rep(250000) .. #self.hoard end, function(e) return e .. ('y'):rep(250000) end) end"),
    coroutine_around_it => body("self.hoard = {} while true do coroutine.resume(coroutine.create(function() self.hoard[#self.hoard + 1] = ('x'):rep(250000) .. #self.hoard end)) end"),
    close_around_it => body("self.hoard = {} local function more() self.hoard[#self.hoard + 1] = ('x'):rep(250000) .. #self.hoard end while true do pcall(function() local c <close> = setmetatable({}, { __close = more }) more() end) end"),
    a_little_in_every_tick => body("self.hoard = self.hoard or {} for i = 1, 100 do self.hoard[#self.hoard + 1] = ('x'):rep(100000) .. #self.hoard end").repeated().ticks(40),
    a_little_in_every_tick_caught => body("self.hoard = self.hoard or {} pcall(function() for i = 1, 100 do self.hoard[#self.hoard + 1] = ('x'):rep(100000) .. #self.hoard end end)").repeated().ticks(40).either(),
    garbage_without_end => body("while true do local garbage = { ('x'):rep(10000), {} } end"),
}
