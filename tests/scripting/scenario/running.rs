//! Rooms that specs load and change, and many tests at a time.

use crate::common::project::HALL;
use crate::common::specs::{fails, hall, moment, passes, run, run_with};
use cicerone::scenario::{Settings, SpecOutcome};

#[test]
fn a_room_is_loaded_as_it_is_run_from_the_command_line() {
    let project = hall(
        "it('x', function()
           local room = load_room('rooms/hall.json', { seed = 7, script_overrides = { ann = 'scripts/walker.lua' },
             scripts = { 'scripts/extra.lua' }, limits = { timers = 3 } })
           run_for(3)
           expect(room:npc('ann')):not_to_be_near(2, 1, 1)
           expect(room.state.extra):to_be(7)
           expect(room.state.first):to_be_between(0, 1)
           print(string.format('%.17g', room.state.first))
         end)",
    );
    project.write("scripts/walker.lua", "return { run = function(self, npc) npc:walk_to(7, 1) end }");
    let extra = "return { on_load = function(room) room.state.extra = 7 room.state.first = random() end }";
    project.write("scripts/extra.lua", extra);
    let report = run(&project);
    assert!(report.passed(), "{}", cicerone::scenario::pretty(&report, Default::default()));
    assert_eq!(report.results[0].log, run(&project).results[0].log);
    let files: Vec<_> = report.results[0].files.iter().map(|file| file.file_name().unwrap()).collect();
    for file in ["hall.json", "a_spec.lua", "walker.lua", "extra.lua", "room.lua"] {
        assert!(files.iter().any(|name| *name == file), "{file}: {files:?}");
    }
}

#[test]
fn a_file_with_spaces_in_its_name_is_one_like_any_other() {
    let project = hall("it('x', function() end)");
    let spec = "it('y', function()\n load_room('hall')\n expect(1):to_be(2)\nend)\nit('z', function() error('no') end)";
    project.write("tests/scenarios/two words_spec.lua", spec);
    let report = run(&project);
    let failures: Vec<_> = report
        .results
        .iter()
        .filter_map(|result| match &result.outcome {
            SpecOutcome::Failed(moment) => Some(&moment.failures),
            _ => None,
        })
        .flatten()
        .map(|failure| (failure.file.as_str(), failure.line, failure.seen.as_str()))
        .collect();
    let file = "tests/scenarios/two words_spec.lua";
    assert_eq!(failures, [(file, 3, "1"), (file, 5, "no")]);
}

#[test]
fn whatever_needs_a_room_says_so() {
    let seen = |body: &str| {
        let report = run(&hall(&format!("it('x', function() {body} end)")));
        moment(&report).failures[0].seen.clone()
    };
    let calls = [
        "room:npc('ann')",
        "local x = room.time",
        "run_for(1)",
        "click(1, 1)",
        "open('door')",
        "find_path(1, 1, 2, 2)",
        "wait(1)",
        "spawn{ at = { x = 1, z = 1 } }",
        "path_between(1, 1, 2, 2)",
        "run_until(function() end)",
    ];
    for call in calls {
        assert!(seen(call).contains("no room is loaded yet: call load_room first"), "{call}: {}", seen(call));
    }
    assert!(
        seen("coroutine.yield()").contains("no room is loaded that could run"),
        "{}",
        seen("coroutine.yield()")
    );
    assert!(seen("reload('rooms/hall.json')").contains("no room is loaded yet"));
    let twice = "load_room('hall')\nload_room('hall')";
    assert!(
        seen(twice).ends_with("a test has one room, and tests/scenarios/a_spec.lua:1 has loaded it already")
    );
    assert!(seen("load_room('hal')").contains("no room 'hal': there is no such file; did you mean 'hall'?"));
    assert!(seen("load_room('../x')").contains("leads out of the project"));
    assert!(seen("load_room('hall', { sed = 1 })").contains("did you mean 'seed'?"));
    assert!(
        seen("load_room('hall', { script_overrides = { eve = 'scripts/room.lua' } })")
            .contains("no character 'eve'")
    );
    passes("expect(room.tick):to_be(1)"); // its scripts have begun
    let report = run(&hall("it('x', function() pcall(load_room, 'no') load_room('hall') end)"));
    assert!(report.passed(), "one that could not be loaded does not count");
}

#[test]
fn a_broken_room_is_shown_with_its_problems() {
    let project = hall("it('x', function() load_room('hall') end)");
    project.write("rooms/hall.json", &HALL.replace("\"at\": [2, 1]", "\"at\": \"nowhere\""));
    let report = run(&project);
    let text = cicerone::scenario::pretty(&report, Default::default());
    assert!(text.contains("load_room: 'hall' cannot be loaded"), "{text}");
    assert!(text.contains("rooms/hall.json:11:28: ") && text.contains("^^^^"), "{text}");
}

#[test]
fn files_say_something_else_for_one_test_only() {
    let spec = r#"
        local new = "return { run = function(self, npc) npc:say('new') end }"
        it("with another script", function()
          load_room("hall")
          expect(room:npc("ann")):within(1):to_have_said("old")
          reload("scripts/ann.lua", new)
          expect(room:npc("ann")):within(1):to_have_said("new")
          reload("scripts/ann.lua")
        end)
        it("as it was", function()
          load_room("hall")
          run_for(1)
          expect(room:npc("ann")):not_to_have_said("new")
        end)
        it("refused", function()
          load_room("hall")
          expect(function() reload("scripts/ann.lua", "return {") end):to_fail("scripts/ann.lua:1:")
          reload("rooms/hall.json") -- what was refused is forgotten
          run_for(1)
          reload("scripts/ann.lua", "nonsense here")
        end)
        it("of the room", function()
          load_room("hall")
          reload("rooms/hall.json", ([[ROOM]]):gsub('"available": false', '"available": true'))
          expect(room:area("door")):to_be_available()
        end)
        it("unknown", function() load_room("hall") reload("scripts/an.lua", "") end)"#;
    let room = HALL.replace("\"name\": \"ann\",", "\"name\": \"ann\", \"script\": \"scripts/ann.lua\",");
    let project = hall(&spec.replace(
        "([[ROOM]]):gsub('\"available\": false', '\"available\": true')",
        &format!("(([==[{room}]==]):gsub('\"available\": false', '\"available\": true'))"),
    ));
    project.write("rooms/hall.json", &room);
    let old = "return { run = function(self, npc) npc:say('old') end }";
    project.write("scripts/ann.lua", old);
    let report = run(&project);
    let passed: Vec<bool> =
        report.results.iter().map(|result| matches!(result.outcome, SpecOutcome::Passed)).collect();
    let text = cicerone::scenario::pretty(&report, Default::default());
    assert_eq!(passed, [true, true, false, true, false], "{text}");
    assert!(
        text.contains("reload: scripts/ann.lua was refused") && text.contains("scripts/ann.lua:1:"),
        "{text}"
    );
    assert!(text.contains("nothing here uses this file; did you mean 'scripts/ann.lua'?"), "{text}");
    assert_eq!(std::fs::read_to_string(project.path("scripts/ann.lua")).unwrap(), old);
}

#[test]
fn results_are_the_same_however_many_run_at_a_time() {
    let mut spec = "before_each(function() load_room('hall') end)\n".to_owned();
    for number in 0..20 {
        let seconds = if number == 13 { 0.1 } else { 20.0 };
        spec += &format!(
            "it('test {number}', function() local ann = room:npc('ann') ann:set_target(6, {}) expect(ann):to_arrive_within({seconds}) end)\n",
            1 + number % 3
        );
    }
    let project = hall(&spec);
    project.write("scripts/b_spec.lua", "it('first', function() expect(1):to_be(1) end)");
    let told = |jobs: usize, bail: bool| {
        let report = run_with(&project, with!(Settings::default(), jobs = jobs, bail = bail));
        let of = |result: &cicerone::scenario::TestResult| {
            format!("{} {} {} {:?}", result.file, result.case.line, result.ticks, result.outcome)
        };
        report.results.iter().map(of).collect::<Vec<_>>()
    };
    let one = told(1, false);
    assert_eq!(one.len(), 21);
    assert!(one[0].starts_with("scripts/b_spec.lua 1 0 Passed"), "{}", one[0]);
    assert_eq!(one, told(3, false));
    assert_eq!(told(1, true).len(), 15);
    assert_eq!(told(1, true), told(3, true));
}

#[test]
fn a_test_that_never_ends_is_ended() {
    let report =
        run(&hall("it('x', { timeout = 5 }, function() load_room('hall')\nwhile true do wait(1) end end)"));
    let failure = &moment(&report).failures[0];
    assert_eq!((failure.line, failure.tick), (2, 300), "{failure:?}");
    assert!(failure.seen.contains("went on for 5 s of game time"));
    let report = run(&hall(
        "after_each(function() while true do wait(1) end end)
        it('x', function() load_room('hall') end)",
    ));
    assert!(moment(&report).failures[0].seen.contains("what comes after the test"));
    assert!(fails("expect(ann):to_arrive_within(1e6)").1.contains("600 s"));
}

/// Each test reads its file without the others, and sees the same as with them.
#[test]
fn a_test_sees_its_file_as_it_is_whatever_the_others_are() {
    let spec = "local names, count = {}, 0
      local function add(name) names[#names + 1] = name end
      describe('outer', function()
        add('outer')
        before_each(function() count = count + 1 end)
        it('first', function() expect(#names):to_be(2) expect(count):to_be(1) end)
        it('second', function() expect(#names):to_be(2) expect(count):to_be(1) end)
        for i = 1, 3 do it('loop ' .. i, function() expect(i):to_be(i) expect(names[2]):to_be('later') end) end
        it('same line a', function() expect(count):to_be(1) end) it('same line b', function() expect(count):to_be(2) end)
      end)
      add('later')
      it('outside', function() expect(count):to_be(0) end)";
    let report = run(&hall(spec));
    let failed: Vec<&str> = report
        .results
        .iter()
        .filter(|result| matches!(result.outcome, SpecOutcome::Failed(_)))
        .map(|result| result.case.names.last().unwrap().as_str())
        .collect();
    assert_eq!((report.results.len(), failed), (8, vec!["same line b"]));
}
