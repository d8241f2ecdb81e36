//! What everybody gets wrong at first, and what they are told. Read these messages aloud.

use crate::common::project::{HALL, Project};
use cicerone::runtime::{Runtime, RuntimeEvent};
use cicerone::script::{Level, Note};

/// What happened, the script of Ann, and what is said about it. `@` stands for `scripts/ann.lua`.
const MISTAKES: [(&str, &str, &str); 55] = [
    (
        "a method that is misspelt",
        "function A.run(self, npc) npc:wlak_to('bar') end",
        "@:2: a character has no 'wlak_to'; did you mean npc:walk_to(…)?",
    ),
    (
        "what another engine calls it",
        "function A.run(self, npc) npc:move_to('bar') end",
        "@:2: a character has no 'move_to'; did you mean npc:walk_to(…)?",
    ),
    (
        "a field that is a method",
        "function A.run(self, npc) log.info(npc.position.x) end",
        "@:2: a character has no 'position'; did you mean npc:pos()?",
    ),
    (
        "a file that is misspelt, and was asked for before",
        "function A.run(self, npc) pcall(require, 'an') require('an') end",
        "@:2: cannot require 'an' (scripts/an.lua): there is no such file; did you mean 'ann.lua'?",
    ),
    ("an error that is no number", "function A.on_spawn(self, npc) error(0 / 0) end", "@:2: nan"),
    (
        "an error that is no number, in a sequence",
        "function A.run(self, npc) error(0 / 0) end",
        "@:2: an error that is a nan",
    ),
    (
        "a position that is nil",
        "function A.run(self, npc) npc:walk_to(self.home) end",
        "@:2: npc:walk_to: place must be a position (x, z or {x=, z=}, a point's or an area's name, or a character), not nil (is the name misspelt, or the variable not set?)",
    ),
    (
        "a point that is misspelt",
        "function A.run(self, npc) npc:walk_to('baar') end",
        "@:2: npc:walk_to: no point, character or area 'baar' in room 'hall'; did you mean 'bar'?",
    ),
    (
        "an area that is misspelt",
        "function A.run(self, npc) npc:walk_to('denn') end",
        "@:2: npc:walk_to: no point, character or area 'denn' in room 'hall'; did you mean 'den'?",
    ),
    (
        "y for z",
        "function A.run(self, npc) npc:walk_to({ x = 2, y = 3 }) end",
        "@:2: npc:walk_to: place is a table with x and y; rooms lie in x and z, and y is the height",
    ),
    (
        "three coordinates",
        "function A.run(self, npc) npc:walk_to(2, 0, 3) end",
        "@:2: npc:walk_to: options must be a table like {timeout = 5}, not 3; positions are x and z, without the height",
    ),
    (
        "a missing colon",
        "function A.run(self, npc) npc.walk_to('bar') end",
        "@:2: write npc:walk_to(…) with a colon; with a dot, npc.walk_to is not told whose it is",
    ),
    (
        "a missing colon, of the room",
        "function A.run(self, npc) room.npc('bob') end",
        "@:2: write room:npc(…) with a colon; with a dot, room.npc is not told whose it is",
    ),
    (
        "waiting in a handler",
        "function A.on_spawn(self, npc) npc:walk_to('bar') end",
        "@:2: npc:walk_to: only a sequence can wait; call it in run(self, npc) or in start(function() … end); handlers use after(seconds, fn)",
    ),
    (
        "a handle after its character left",
        "function A.run(self, npc) local bob = room:npc('bob') bob:despawn() wait(1) bob:say('Hi') end",
        "@:2: 'bob' left the room at tick 0; ask npc.valid before using a kept handle",
    ),
    (
        "an event that is misspelt",
        "function A.on_arive(self, npc) end",
        "@:2: 'on_arive' is no event and is never called; did you mean 'on_arrived'?",
    ),
    (
        "an event of another engine",
        "function A.OnTriggerEnter(self, npc) end",
        "@:2: 'OnTriggerEnter' is no event and is never called; did you mean 'on_enter'?",
    ),
    (
        "an event of the room",
        "function A.on_click(self, npc) end",
        "@:2: 'on_click' is an event of a room's script, so it is never called here",
    ),
    (
        "a handler without self",
        "function A.on_enter(npc, area) npc:say('Hi') end",
        "@:2: attempt to call a nil value (method 'say'); npc:say is for characters; handlers are given (self, npc, …) in this order",
    ),
    (
        "a name that nobody declared",
        "function A.run(self, npc) count = 1 end",
        "@:2: assignment to undeclared variable 'count'; write `local count`",
    ),
    (
        "a variable that is misspelt",
        "function A.run(self, npc) local target = 'bar' npc:walk_to(taget) end",
        "@:2: undefined variable 'taget'; is it misspelt, or local to another function?",
    ),
    (
        "a function of another engine",
        "function A.run(self, npc) sleep(1) end",
        "@:2: undefined variable 'sleep'; did you mean 'wait'?",
    ),
    (
        "counting what was never set",
        "function A.run(self, npc) self.count = self.count + 1 end",
        "@:2: attempt to perform arithmetic on a nil value (field 'count'); 'count' has no value yet; give it one first, in on_spawn say",
    ),
    (
        "a field of nothing",
        "function A.run(self, npc) log.info(self.home.x) end",
        "@:2: attempt to index a nil value (field 'home'); nothing is in 'home'; is it set before this line, and spelt so?",
    ),
    (
        "words and nothing",
        "function A.run(self, npc) npc:say('I am ' .. self.mood) end",
        "@:2: attempt to concatenate a nil value (field 'mood'); put tostring(…) around it",
    ),
    (
        "memory in the character",
        "function A.run(self, npc) npc.mood = 'glad' end",
        "@:2: a character has no 'mood' to set; what a script remembers belongs in self.mood",
    ),
    (
        "a word for yes",
        "function A.run(self, npc) room:set_area_available('door', 'open') end",
        "@:2: room:set_area_available: available must be true or false, not the string \"open\"",
    ),
    (
        "a door that is misspelt",
        "function A.run(self, npc) room:set_area_available('dor', true) end",
        "@:2: room:set_area_available: no area 'dor' in this room; did you mean 'door'?",
    ),
    (
        "a function called instead of given",
        "function A.run(self, npc) after(1, npc:say('Hi')) end",
        "@:2: after: action must be a function, not nil (is the name misspelt, or the variable not set?); write the function's name without (), or function() … end",
    ),
    (
        "somebody who is not there",
        "function A.run(self, npc) npc:talk_to(room:npc('Bobby')) end",
        "@:2: room:npc: no character 'Bobby' in room 'hall'; did you mean 'bob'?",
    ),
    (
        "a name for a character",
        "function A.run(self, npc) npc:talk_to('bob') end",
        "@:2: npc:talk_to: other must be a character, not the string \"bob\"; room:npc(\"NAME\") gives one",
    ),
    (
        "a key that is misspelt",
        "function A.run(self, npc) spawn{ at = 'bar', walkspeed = 2 } end",
        "@:2: spawn: options has no key 'walkspeed'; did you mean 'walk_speed'?",
    ),
    (
        "a loop without a pause",
        "function A.run(self, npc) while true do npc:is_moving() end end",
        "@:2: ran too long without a pause (1000000 instructions); does an endless loop want a wait(…) in it?",
    ),
    (
        "one = for two",
        "function A.run(self, npc) if npc.x = 2 then return end end",
        "@:2: 'then' expected near '='; to compare, write == with two signs",
    ),
    (
        "a method without ()",
        "function A.run(self, npc) log.info(npc.pos.x) end",
        "@:2: attempt to index a function value (field 'pos'); pos is a function: call it, npc:pos()",
    ),
    (
        "a field with ()",
        "function A.run(self, npc) log.info(room:time()) end",
        "@:2: attempt to call a number value (method 'time'); 'time' is a field: leave the () away",
    ),
    (
        "a function taken for a method",
        "function A.run(self, npc) npc:wait(1) end",
        "@:2: a character has no 'wait'; wait(…) is a function of its own",
    ),
    (
        "a method taken for a function",
        "function A.run(self, npc) walk_to('bar') end",
        "@:2: undefined variable 'walk_to'; walk_to is a method: npc:walk_to(…)",
    ),
    (
        "a character taken for a field",
        "function A.run(self, npc) npc:talk_to(room.bob) end",
        "@:2: the room has no 'bob'; room:npc(\"bob\") gives the character",
    ),
    (
        "setting a position",
        "function A.run(self, npc) npc.x = 3 end",
        "@:2: npc.x cannot be set; npc:teleport(…) moves at once, npc:set_target(…) walks",
    ),
    (
        "a list without ipairs",
        "function A.run(self, npc) for n in room:npcs() do end end",
        "@:2: attempt to call a table value (for iterator 'for iterator'); to go through a list, write: for _, value in ipairs(list) do",
    ),
    (
        "another language's nothing",
        "function A.run(self, npc) self.target = null end",
        "@:2: undefined variable 'null'; nothing is written nil",
    ),
    (
        "a clock",
        "function A.run(self, npc) log.info(os.time()) end",
        "@:2: undefined variable 'os'; there is no clock but room.time",
    ),
    (
        "else if",
        "function A.run(self, npc) if npc.x == 1 then wait(1) else if npc.x == 2 then wait(2) end end",
        "@:3: 'end' expected (to close 'function' at line 2) near <eof>; an `end` is missing; and `else if` is written elseif",
    ),
    (
        "a handler outside of the table",
        "function A.run() end function on_talk(self, npc) end",
        "@:2: assignment to undeclared variable 'on_talk'; an event belongs into the table that the file returns: function NAME.on_talk(…)",
    ),
    (
        "handlers that are all local",
        "local function run(self, npc) end function A.helper() run() end",
        "@:1: nothing in the table that this script returns is ever called: none of its functions is an event, like run",
    ),
    (
        "a table put into words",
        "function A.run(self, npc) npc:say('See ' .. npc:pos()) end",
        "@:2: attempt to concatenate a table value; take one of its values, or put them together with table.concat(…)",
    ),
    (
        "a coroutine of one's own",
        "function A.run(self, npc) coroutine.wrap(function() wait(1) end)() end",
        "@:2: wait: only a sequence can wait; in a coroutine of your own nothing can; start(function() … end) and all{…} make sequences",
    ),
    (
        "using what is no point",
        "function A.run(self, npc) npc:use('door') end",
        "@:2: npc:use: no hotspot or point 'door' in this room",
    ),
    (
        "self for npc",
        "function A.run(self, npc) self.mood = 1 send(self, 'hi') end",
        "@:2: send: to must be a list; it has the string \"mood\" for a key",
    ),
    (
        "a message to somebody who left",
        "function A.run(self, npc) local bob = room:npc('bob') bob:despawn() send(bob, 'hi') end",
        "@:2: 'bob' left the room at tick 0; ask npc.valid before using a kept handle",
    ),
    (
        "somewhere outside",
        "function A.run(self, npc) npc:teleport(50, 50) end",
        "@:2: npc:teleport: (50.00, 50.00) is not walkable; room:nearest(…) gives a place that is",
    ),
    (
        "following oneself",
        "function A.run(self, npc) npc:follow(npc) end",
        "@:2: npc:follow: a character cannot walk up to itself or follow itself",
    ),
    (
        "a branch that was called, not given",
        "function A.run(self, npc) all{ npc:say('one'), function() wait(1) end } end",
        "@:2: all: branches[1] must be a function, not nil (is the name misspelt, or the variable not set?); write the function's name without (), or function() … end",
    ),
    (
        "a file that gives nothing",
        "function A.run(self, npc) end --",
        "@:1: a script must return its table of functions; end it with `return NAME`",
    ),
];

/// What is said when Ann follows a script.
fn told(script: &str) -> Vec<String> {
    let hall = HALL.replace(r#""name": "ann","#, r#""name": "ann", "script": "scripts/ann.lua","#);
    let project = Project::new(&[
        ("rooms/hall.json", &hall),
        ("scripts/ann.lua", script),
        ("scripts/room.lua", "return {}"),
    ]);
    let mut runtime: Runtime = project.open();
    let mut lines = Vec::new();
    for _ in 0..120 {
        runtime.step();
        for event in runtime.take_events() {
            match event {
                RuntimeEvent::Note(Note::Error(error)) => {
                    lines.push(format!("{}:{}: {}", error.file, error.line, error.message));
                }
                RuntimeEvent::Note(Note::Log { level: Level::Warn | Level::Error, place, text }) => {
                    lines.push(format!("{place}: {text}"));
                }
                _ => {}
            }
        }
    }
    lines
}

#[test]
fn every_mistake_is_told_with_its_mend() {
    let mut wrong = String::new();
    for (what, code, expected) in MISTAKES {
        let end = if code.ends_with("--") { "" } else { "return A" };
        let lines = told(&format!("local A = {{}}\n{code}\n{end}"));
        let expected = expected.replace('@', "scripts/ann.lua");
        if lines != [expected.clone()] {
            wrong += &format!("{what}:\n  expected {expected}\n  found    {}\n", lines.join("\n           "));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
