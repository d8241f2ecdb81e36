//! Honest work, which must be let alone. If a guard stops one of these, it guards too much.

use crate::attacks::attack::{Dress, body, file};

attacks! {
    honest_loop => body("local n = 0 for i = 1, 100000 do n = n + i end assert(n == 5000050000)").quiet(),
    honest_sort => body("local t = {} for i = 1, 2000 do t[i] = i * 7919 % 2003 end table.sort(t, function(a, b) return a < b end) assert(t[1] <= t[2] and t[1999] <= t[2000])").quiet(),
    honest_gsub => body("local s, n = ('word '):rep(2000):gsub('%w+', function(w) return w:upper() end) assert(n == 2000 and s:sub(1, 4) == 'WORD')").quiet(),
    honest_long_text => body("local s = ('0123456789'):rep(20000) assert(#(s .. 'x') == 200001 and s:find('9', 1, true) == 10)").quiet(),
    honest_timers => body("for i = 1, 500 do after(i / 60, function() self.n = (self.n or 0) + 1 end) end").quiet(),
    honest_sequences => body("for i = 1, 200 do start(function() wait(i / 60) self.n = (self.n or 0) + 1 end) end").quiet(),
    honest_pcall => body("local ok, problem = pcall(error, 'caught') assert(not ok and problem == 'caught') ok = pcall(function() local t t.x = 1 end) assert(not ok) self.n = 1").quiet(),
    honest_pcalls => body("for i = 1, 2000 do assert(not pcall(error, i)) end").quiet(),
    honest_xpcall => body("local ok, told = xpcall(function() error('x', 0) end, function(e) return e .. '!' end) assert(not ok and told == 'x!')").quiet(),
    honest_unpack => body("local t = {} for i = 1, 200 do t[i] = i end assert(select('#', table.unpack(t)) == 200 and math.max(table.unpack(t)) == 200)").quiet(),
    honest_coroutine => body("local n = 0 for x in coroutine.wrap(function() for i = 1, 1000 do coroutine.yield(i) end end) do n = n + x end assert(n == 500500)").quiet(),
    honest_coroutines => body("for i = 1, 500 do assert(coroutine.wrap(function() return i end)() == i) end").quiet(),
    honest_close => body("local shut = 0 do local c <close> = setmetatable({}, { __close = function() shut = shut + 1 end }) end assert(shut == 1)").quiet(),
    honest_class => body("local Base = {} Base.__index = Base function Base.new(n) return setmetatable({ n = n }, Base) end function Base:get() return self.n end local x = 0 for i = 1, 1000 do x = x + Base.new(i):get() end assert(x == 500500)").quiet(),
    honest_inheritance_of_handlers => file("local Base = { on_update = function(self, npc) self.n = (self.n or 0) + 1 end } return setmetatable({}, { __index = Base })").quiet(),
    honest_parsing => body("local n = 0 for k, v in ('key=value; '):rep(500):gmatch('(%w+)=(%w+)') do n = n + #k + #v end assert(n == 4000)").quiet(),
    honest_table_work => body("local t = {} for i = 1, 5000 do table.insert(t, i) end for i = 1, 100 do table.remove(t, 1) end assert(#table.concat(t, ',') > 20000 and #table.move(t, 1, 4900, 2) == 4901)").quiet(),
    honest_recursion => body("local function fib(n) return n < 2 and n or fib(n - 1) + fib(n - 2) end assert(fib(18) == 2584) local function deep(n) return n == 0 and 0 or 1 + deep(n - 1) end assert(deep(5000) == 5000)").quiet(),
    honest_searches => body("for i = 1, 20 do assert(room:find_path('bar', 7, 1)) end").quiet(),
    honest_walk => body("local ok, why = npc:walk_to(3, 1, { timeout = 0.05 }) assert(why) assert(npc:say('there', 0.01) == nil or true)").only(&[Dress::Sequence]).quiet(),
    honest_log => body("for i = 1, 100 do log.info('line', i, { }, npc) end").quiet(),
    honest_crowd => body("for i = 1, 20 do spawn{ at = 'bar', tags = { 'guest' } } end for _, guest in ipairs(room:npcs('guest')) do guest:despawn() end assert(#room:npcs('guest') == 0)").quiet(),
    honest_memory => body("self.kept = {} for i = 1, 20000 do self.kept[i] = { i } end").quiet(),
    honest_garbage_in_every_tick => body("for i = 1, 5000 do local t = { i, tostring(i) } end").repeated().ticks(30).quiet(),
}
