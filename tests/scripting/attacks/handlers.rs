//! Behaviour tables that change under the host, and metatables on what the host itself looks into.

use crate::attacks::attack::{Attack, body, file};

/// A behaviour with an `on_update` that does `lua` at tick 3; `A` is the table, `loop` loops.
fn behaviour(lua: &str) -> Attack {
    file(format!(
        "local function loop() while true do end end -- HERE\nlocal A = {{}}\nfunction A.on_update(self, npc) if room.tick == 3 then\n{lua} -- HERE\nend end\nreturn A"
    ))
}

attacks! {
    a_handler_goes => behaviour("A.on_update = nil").quiet(),
    a_handler_becomes_a_number => file("local A = {} function A.on_update() A.on_update = 5 end return A").told("must be a function"),
    a_handler_becomes_a_loop => behaviour("A.on_update = loop"),
    a_handler_becomes_callable => behaviour("A.on_update = setmetatable({}, { __call = loop })").either(),
    a_handler_becomes_coroutine_wrap => behaviour("A.on_update = coroutine.wrap(loop)").either(),
    a_handler_becomes_pcall => behaviour("A.on_update = pcall").either(),
    a_handler_becomes_error => file("local A = {} function A.on_update() A.on_update = error end return A").either(),
    a_handler_becomes_one_of_the_host => behaviour("A.on_update = spawn").either(),
    new_handlers_appear => behaviour("for i = 1, 100000 do A['on_' .. i] = loop end").either(),
    all_handlers_go => behaviour("for name in pairs(A) do A[name] = nil end").quiet(),
    run_is_a_number => file("return { run = 5 }").either(),
    run_is_callable => file("return { run = setmetatable({}, { __call = function() while true do end end }) }").either(),
    run_is_pcall => file("return { run = pcall }").either(),
    handlers_are_all_numbers => file("return { on_update = 1, on_spawn = 2, on_despawn = 3, on_enter = 4, on_reload = 5 }"),

    module_with_a_looping_index => file("return setmetatable({}, { __index = function() while true do end end })").either(),
    module_with_a_failing_index => file("return setmetatable({}, { __index = function(_, name) error('no ' .. name) end })").either(),
    module_with_a_yielding_index => file("return setmetatable({}, { __index = function() coroutine.yield() end })").either(),
    module_with_a_hoarding_index => file("local kept = {} return setmetatable({}, { __index = function() while true do kept[#kept + 1] = ('x'):rep(10000) .. #kept end end })").either(),
    module_that_answers_everything => file("return setmetatable({}, { __index = function() return function() while true do end end end })").either(),
    module_with_a_looping_newindex => file("return setmetatable({}, { __newindex = function() while true do end end, __len = function() while true do end end, __pairs = function() while true do end end })").quiet(),
    module_with_a_protected_metatable => file("return setmetatable({}, { __metatable = false })").quiet(),
    module_gets_a_looping_index => behaviour("setmetatable(A, { __index = loop, __newindex = loop, __pairs = loop, __len = loop, __call = loop })").either(),
    module_gets_weak => behaviour("setmetatable(A, { __mode = 'v' })").told("__mode"),

    self_with_a_looping_index => body("setmetatable(self, { __index = function() while true do end end }) local x = self.x"),
    self_with_looping_everything => body("local function loop() while true do end end setmetatable(self, { __index = loop, __newindex = loop, __pairs = loop, __len = loop, __call = loop, __close = loop, __tostring = loop, __eq = loop })").quiet(),
    self_with_a_protected_metatable => body("setmetatable(self, { __metatable = false })").quiet(),
    self_in_circles => body("self.self = self self[self] = self").quiet(),
    room_state_with_a_looping_index => body("setmetatable(room.state, { __index = function() while true do end end }) local x = room.state.x"),
    self_emptied => body("for k in pairs(self) do self[k] = nil end").quiet(),
    metatable_of_a_character => body("getmetatable(npc).__index = nil"),
    metatable_of_the_room => body("getmetatable(room).__index = nil"),
}
