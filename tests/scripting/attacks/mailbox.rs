//! Messages and events without end: they wait for their turn, or are refused.

use crate::attacks::attack::{Attack, Dress, file};

/// A script that sends itself messages, which are handled by these statements.
fn flood(handled: &str) -> Attack {
    file(format!(
        "local A = {{}}\nfunction A.on_update(self, npc)\nfor i = 1, 3000 do if not pcall(send, npc, 'more', i) then break end end\nend\n\
         function A.on_message(self, npc, message, data)\n{handled}\nend\nreturn A"
    ))
    .only(&[Dress::Opened])
    .ticks(30)
}

attacks! {
    messages_that_work => flood("local x = 0 for i = 1, 20000 do x = x + i end").either(),
    messages_that_fail => flood("error({ message })").either(),
    messages_that_fail_now_and_then => flood("if data % 9 > 0 then local x = nil x.y = 1 end").either(),
    messages_that_loop => flood("while true do end"),
    messages_that_answer => flood("for i = 1, 3 do pcall(send, npc, 'more', i) end").either(),
    messages_to_the_room => file(
        "local A = {}\nfunction A.on_update(self, npc)\nfor i = 1, 3000 do pcall(send, room, 'more', { i }) end\nend\nreturn A"
    ).only(&[Dress::Opened]).ticks(30).either(),
    walks_that_end_and_begin => file(
        "local A = {}\nfunction A.on_update(self, npc)\nfor i = 1, 3000 do if not pcall(npc.set_target, npc, 1 + i % 5, 3) then break end end\nend\n\
         function A.on_walk_ended(self, npc)\nlocal x = 0 for i = 1, 20000 do x = x + i end\nend\nreturn A"
    ).only(&[Dress::Opened]).ticks(30).either(),
    failures_of_timers => file(
        "local A = {}\nfunction A.on_spawn(self, npc)\nfor i = 1, 1000 do every(0, function() local x = nil x.y = 1 end) end\nend\nreturn A"
    ).only(&[Dress::Opened]).ticks(30).either(),
}
