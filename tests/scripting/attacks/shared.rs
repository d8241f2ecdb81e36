//! Tables that others read. A metatable on one of them would run its owner's code in the handlers of others.

use crate::attacks::attack::body;

const HOSTILE: &str =
    "{ __index = function() error('no') end, __newindex = function() error('no') end, __len = error }";

attacks! {
    metatable_of_the_state => body(format!("setmetatable(room.state, {HOSTILE})")).told("cannot get a metatable"),
    metatable_of_the_state_in_pcall => body(format!("pcall(setmetatable, room.state, {HOSTILE})")).quiet(),
    metatable_of_a_module => body(format!("setmetatable(require('util'), {HOSTILE})")).told("cannot get a metatable"),
    metatable_of_a_message => body(format!("send(room, 'm', setmetatable({{}}, {HOSTILE}))")).told("without a metatable"),
    metatable_of_a_message_sent => body(format!("local t = {{}} send(room, 'm', t) setmetatable(t, {HOSTILE})"))
        .told("cannot get a metatable"),
    metatable_of_ones_own => body("local t = setmetatable({}, { __index = { a = 1 } }) assert(t.a == 1)").quiet(),
}
