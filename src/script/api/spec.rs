//! Functions of spec files only: blocks and tests, and what a test does to the room.

use super::args::{AreaName, Options, Pointed, RoomName, Seconds};
use super::asking::{ask, running};
use super::define::entry;
use super::entry::{Call, Entry};
use super::sequences::sleep;
use super::shapes::TEST_OPTIONS;
use super::spec_room::load_room;
use crate::nav::Place;
use crate::script::error::caller;
use crate::script::spec::{Focus, Request, Spec};
use crate::script::task::Wait;
use crate::world::Command;
use mlua::{Function, Value};

pub(super) const ENTRIES: &[Entry] = &[
    entry! {
        /// A block of tests that belong together. Blocks can be nested.
        ///
        /// `describe.only` (or `fdescribe`) runs its tests and no others, `describe.skip` (or `xdescribe`) leaves them
        /// out.
        fn Spec.describe(
            name: String = "what is tested",
            block: Function as "fun()" = "its tests"
        ) -> () also["context", "suite", "feature"]
        example r#"
            describe("the cellar", function()
              it("is closed at first", function()
                load_room("room")
                expect(room:area("cellar_door")):not_to_be_available()
              end)
            end)
        "#
        |call| block_of(call, name, &block)
    },
    entry! {
        /// A test. It runs in a Lua state and a room of its own, as a sequence: it can wait.
        ///
        /// `random()` in it draws from the same stream as the room's scripts, so what they draw afterwards is
        /// different.
        ///
        /// `it.only` (or `fit`) runs this test and no others, `it.skip` (or `xit`) leaves it out.
        fn Spec.it(
            name: String = "the claim that the test proves",
            options: Value as "TestOptions|fun()" = "`{timeout = seconds}`; may be left out",
            body: Option<Function> as "fun()" = "the test"
        ) -> () also["test", "specify", "should"]
        example r#"
            it("can be walked through", { timeout = 100 }, function()
              load_room("room")
              room:npc("ann"):set_target("well")
              expect(room:npc("ann")):to_arrive_within(10)
            end)
        "#
        |call| test(call, name, options, body)
    },
    entry! {
        /// Runs a function before each test of the block. Functions of outer blocks run first. The function can wait.
        fn Spec.before_each(body: Function as "fun()" = "what each test begins with") -> ()
        also["setup", "before", "beforeEach", "before_all"]
        example r#"
            before_each(function() load_room("room") end)
            it("has a well", function()
              expect(room:point("well").x):to_be(6)
            end)
        "#
        |call| {
            let spec = reading(call)?;
            spec.reading.borrow_mut().before(body);
            Ok(Value::Nil)
        }
    },
    entry! {
        /// Runs a function after each test of the block, also after a failed one. Functions of outer blocks run last.
        fn Spec.after_each(body: Function as "fun()" = "what each test ends with") -> ()
        also["teardown", "after_all", "afterEach"]
        example r#"
            after_each(function() expect(room):not_to_have_reported("nil") end)
            it("runs", function()
              load_room("room")
              run_for(1)
            end)
        "#
        |call| {
            let spec = reading(call)?;
            spec.reading.borrow_mut().after(body);
            Ok(Value::Nil)
        }
    },
    entry! {
        /// Declares a test that is not written yet. Inside a test, it ends the test as pending.
        fn Spec.pending(why: String = "what is missing") -> () also["todo", "skip"]
        example r#"
            pending("the cellar has a light")
            it("is haunted", function()
              pending("there are no ghosts yet")
            end)
        "#
        |call| pending(call, why)
    },
    entry! {
        /// Opens a room for this test. The room's scripts run in the same Lua state. A test has one room at most.
        ///
        /// When the function returns, the room has made its first step: `on_load` has been called, and `run` has
        /// begun. An error in a script of the room, in this step or later, fails the test, unless `allow_errors` is
        /// set.
        wait Spec.load_room(
            path: RoomName = "from the project's root, `rooms/tavern.json`, or just `tavern`",
            options: Option<Value> as "LoadOptions" = "`{seed = 7}`"
        ) -> (room: "Room" = "the room; the global `room` is the same") also["open_room", "load", "use_room"]
        example r#"
            local room = load_room("rooms/room.json", { seed = 7 })
            expect(room.name):to_be("room")
        "#
        |call| load_room(call, path.0, options)
    },
    entry! {
        /// Runs the room for some seconds of game time.
        wait Spec.run_for(seconds: Seconds = "how long") -> () also["run", "step", "advance", "tick"]
        example r#"
            local before = room.time
            run_for(2)
            expect(room.time - before):to_be_near(2, 0.1)
        "#
        |call| {
            running(call)?;
            let until = {
                let world = call.host.world();
                world.tick_number() + world.ticks_of(seconds.0)
            };
            sleep(call, Wait::Until(until)).map(|()| true)
        }
    },
    entry! {
        /// Runs the room until a function returns a value other than false or nil, and returns that value. The
        /// function is called once a tick.
        ///
        /// The test fails if this takes longer than `timeout`.
        prelude Spec.run_until(
            condition: Function as "fun(): any" = "what to wait for",
            timeout: Option<Seconds> = "how long at most, in seconds; 60 if left out",
            what: Option<String> = "what is waited for, in words, for the report of a failure"
        ) -> (found: "any" = "what the function returned") also["eventually", "waitFor"]
        example r#"
            room:npc("ann"):set_target("well")
            local near = run_until(function() return room:npcs({ near = "well", within = 0.5 })[1] end, 10, "a character at the well")
            expect(near):to_be(room:npc("ann"))
        "#
        blocks true
    },
    entry! {
        /// Clicks at a place, as a player does.
        ///
        /// The click takes effect in the next tick. Use `run_for` or `within` to see its result.
        fn Spec.click(place: Pointed = "a hotspot, a point, a character, or x and z") -> () also["tap", "press"]
        example r#"
            click("well")
            expect(player):to_arrive_within(10)
        "#
        |call| {
            running(call)?.clicks.borrow_mut().push(place.0);
            Ok(Value::Nil)
        }
    },
    entry! {
        /// Opens an area of the room.
        fn Spec.open(area: AreaName = "the area's name") -> (changed: "boolean" = "whether anything changed")
        also["unlock", "enable"]
        example r#"
            open("cellar_door")
            expect(room:area("cellar_door")):to_be_available()
        "#
        |call| set_area(call, area, true)
    },
    entry! {
        /// Closes an area of the room. Characters in the area are treated as its `whenOccupied` says.
        fn Spec.close(area: AreaName = "the area's name") -> (changed: "boolean" = "whether anything changed")
        also["lock", "shut", "disable"]
        example r#"
            open("cellar_door")
            close("cellar_door")
            expect(path_between("bar", "barrels")):to_be_blocked_by("cellar_door")
        "#
        |call| set_area(call, area, false)
    },
    entry! {
        /// Acts as if a file was saved, for this test only. With `text`, the file has that content from now on.
        /// Without it, the file is read again.
        ///
        /// Nothing is written to the disk. If the room refuses the new version, it is an error that lists all
        /// problems.
        wait Spec.reload(
            file: String = "the file of a script or of the room, from the project's root",
            text: Option<Value> as "string" = "the content of the file from now on"
        ) -> () also["save", "hot_reload"]
        example r#"
            reload("scripts/guard.lua", "return { on_reload = function(self, npc) npc:say('I am new') end }")
            expect(npc):within(1):to_have_said("I am new")
        "#
        |call| {
            let text = match text {
                None => None,
                Some(Value::String(text)) => Some(text.to_string_lossy()),
                Some(other) => return Err(call.wrong("text", "a string", &other)),
            };
            ask(call, Request::Reload { file, text })
        }
    },
    entry! {
        /// Puts a function, or the value to return, in the place of a function of the game.
        ///
        /// It stays there for this test.
        /// Arguments are checked as in the game. `expect(NAME):to_have_been_called_with(…)` tells what was given.
        /// Without a stub, the declaration in `scripts/game_api.json` says what a function returns in a spec.
        prelude Spec.stub(
            name: String as "string|function" = "the function, as in `play_sound` or `npc:play_animation`",
            result: Option<Value> as "any" = "a function, or the value to return"
        ) -> () also["mock", "spy", "fake", "spyOn", "when"]
        example r#"
            stub("play_sound", function(name) return name == "creak" and 1 or 2 end)
            expect(play_sound("creak")):to_be(1)
            stub("npc:wave", false)
            expect(npc:wave()):to_be_false()
        "#
        blocks false
    },
    entry! {
        /// Begins an expectation about a character, the room, an area, a path or any value.
        ///
        /// A number or a text keeps its value from the call of `expect`, so `within` has nothing to wait for. A
        /// character, the room, an area or a path is tested again in each tick. The first expectation that fails ends
        /// the test.
        prelude Spec.expect(subject: Value = "the subject: what is tested")
            -> (expectation: "Expectation" = "the expectation")
        also["assert_that", "should_be", "check", "verify"]
        example r#"
            expect(1 + 1):to_be(2)
            expect(npc):not_to_be_in("cellar")
        "#
        blocks false
    },
    entry! {
        /// The path from one place to another, for `expect`. It is planned when an expectation about it is tested.
        /// Characters in the way do not count.
        prelude Spec.path_between(from: Place = "where from", to: Place = "where to")
            -> (path: "Expectation" = "an expectation about it") also["path", "route", "way"]
        example r#"
            path_between(npc, "well"):to_be_shorter_than(8)
            expect(path_between("bar", "barrels")):to_be_blocked_by("cellar_door")
        "#
        blocks false
    },
];

/// Checks that a test or block has a name, which alone identifies it.
fn named(call: &Call<'_>, name: &str) -> mlua::Result<()> {
    match name.trim() {
        "" => {
            Err(call.fail("the name is empty; it says in words what is so, and reports know the test by it"))
        }
        _ => Ok(()),
    }
}

/// The spec, while its file is read.
fn reading<'a>(call: &Call<'a>) -> mlua::Result<&'a Spec> {
    match call.host.spec() {
        Some(spec) if !spec.running.get() => Ok(spec),
        _ => Err(call.fail("a test is running; it belongs beside it(…), not inside")),
    }
}

fn block_of(call: &Call<'_>, name: String, block: &Function) -> mlua::Result<Value> {
    let spec = reading(call)?;
    named(call, &name)?;
    let line = line_of(call);
    spec.reading.borrow_mut().open(name, spec.focus.take(), line).map_err(|why| call.fail(why))?;
    block.call::<()>(())?;
    spec.reading.borrow_mut().close();
    Ok(Value::Nil)
}

fn test(call: &Call<'_>, name: String, options: Value, body: Option<Function>) -> mlua::Result<Value> {
    let spec = reading(call)?;
    named(call, &name)?;
    let (timeout_s, body) = match (options, body) {
        (Value::Function(body), None) => (None, body),
        (options @ Value::Table(_), Some(body)) => {
            let options = Options::of(call, options, &TEST_OPTIONS, "options")?;
            (options.get::<Option<Seconds>>(call, "timeout")?.map(|seconds| seconds.0), body)
        }
        (other, body) => {
            let what = if body.is_some() { "options" } else { "body" };
            let expected = if body.is_some() { "a table like {timeout = 1200}" } else { "a function" };
            return Err(call.wrong(what, expected, &other));
        }
    };
    let line = line_of(call);
    let added = spec.reading.borrow_mut().case(name, spec.focus.take(), timeout_s, line, Some(body));
    added.map_err(|why| call.fail(why))?;
    Ok(Value::Nil)
}

fn pending(call: &Call<'_>, why: String) -> mlua::Result<Value> {
    if let Some(spec) = call.host.spec().filter(|spec| spec.running.get()) {
        let words = call.fail(&why);
        *spec.pending.borrow_mut() = Some(why);
        return Err(words);
    }
    let spec = reading(call)?;
    let line = line_of(call);
    let added = spec.reading.borrow_mut().case(why, Focus::Skip, None, line, None);
    added.map_err(|why| call.fail(why))?;
    Ok(Value::Nil)
}

/// The calling line, if it will be reported.
fn line_of(call: &Call<'_>) -> u32 {
    caller(call.lua).map_or(0, |(_, line)| u32::try_from(line).unwrap_or(0))
}

fn set_area(call: &Call<'_>, area: AreaName, available: bool) -> mlua::Result<bool> {
    running(call)?;
    call.change(Command::SetAreaAvailable { area: area.0, available })
}
