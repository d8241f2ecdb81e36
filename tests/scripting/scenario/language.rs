//! What specs say, and which tests run.

use crate::common::specs::{fails, hall, passes, run, run_with};
use cicerone::scenario::{Settings, SpecOutcome, SpecReport};

fn names(report: &SpecReport) -> Vec<String> {
    let mark = |outcome: &SpecOutcome| match outcome {
        SpecOutcome::Passed => "+",
        SpecOutcome::Failed(_) => "!",
        SpecOutcome::Skipped(_) => "-",
        _ => "?",
    };
    report.results.iter().map(|result| mark(&result.outcome).to_owned() + &result.case.full_name()).collect()
}

#[test]
fn hooks_run_outer_first_and_back() {
    let spec = r#"
        local said = {}
        local function note(word) return function() said[#said + 1] = word end end
        before_each(note "a")
        after_each(function() note "z"() print(table.concat(said, " ")) end)
        describe("one", function()
          before_each(note "b") before_each(note "c")
          after_each(note "y")
          it("first", note "1")
          describe("two", function()
            before_each(note "d")
            it("second", note "2")
          end)
        end)
        it("third", note "3")"#;
    let report = run(&hall(spec));
    assert_eq!(names(&report), ["+one › first", "+one › two › second", "+third"]);
    let logs: Vec<_> = report.results.iter().map(|result| result.log.join("")).collect();
    let said: Vec<_> = logs.iter().map(|line| line.rsplit(": ").next().unwrap()).collect();
    assert_eq!(said, ["a b c 1 y z", "a b c d 2 y z", "a 3 z"]);
}

#[test]
fn each_test_has_a_state_and_a_room_of_its_own() {
    let spec = r#"
        local count = 0
        for number = 1, 3 do
          it("test " .. number, function()
            load_room("hall")
            count = count + 1
            expect(count):to_be(1)
            expect(room.state.here):to_be_nil()
            expect(room:npc("ann")):to_be_near(2, 1, 0.1)
            room.state.here = true
            room:npc("ann"):teleport(6, 1)
          end)
        end"#;
    let report = run(&hall(spec));
    assert!(report.passed() && report.results.len() == 3, "{:?}", names(&report));
}

#[test]
fn after_each_runs_after_a_failure_and_may_fail_itself() {
    let spec = "after_each(function() print('after') error('and this') end)
        it('fails', function() expect(1):to_be(2) end)";
    let report = run(&hall(spec));
    assert_eq!(report.results[0].log, ["    0.00 s  tests/scenarios/a_spec.lua:1: after"]);
    let failures = &crate::common::specs::moment(&report).failures;
    let seen: Vec<&str> = failures.iter().map(|failure| failure.seen.as_str()).collect();
    assert_eq!(seen, ["1", "and this"]);
}

#[test]
fn only_and_skip_choose() {
    let body = "function() expect(1):to_be(1) end";
    let spec = format!(
        "describe('a', function() it('1', {body}) it.only('2', {body}) end)
         describe.only('b', function() it('3', {body}) it.skip('4', error) end)
         fdescribe('c', function() fit('5', {body}) xit('6', error) end)
         xdescribe('d', function() it('7', error) end)
         pending('8')"
    );
    let report = run(&hall(&spec));
    assert_eq!(names(&report), ["+a › 2", "+b › 3", "+c › 5"]);
    let places: Vec<_> = report.focused.iter().map(|place| place.rsplit(':').next().unwrap()).collect();
    assert_eq!(places, ["1", "2", "3"]);
    let plain = spec.replace(".only", "").replace("fit", "it").replace("fdescribe", "describe");
    let report = run(&hall(&plain));
    let expected = ["+a › 1", "+a › 2", "+b › 3", "-b › 4", "+c › 5", "-c › 6", "-d › 7", "-8"];
    assert_eq!(names(&report), expected);
}

#[test]
fn pending_in_a_test_ends_it_unjudged() {
    let report = run(&hall("it('x', function() pending('no ghosts') error('never') end)"));
    assert!(matches!(&report.results[0].outcome, SpecOutcome::Skipped(why) if why == "no ghosts"));
}

#[test]
fn a_filter_and_shards_share_tests_out() {
    let mut spec = String::new();
    for number in 0..10 {
        spec += &format!("describe('d{}', function() it('t{number}', function() end) end)\n", number % 2);
    }
    let project = hall(&spec);
    let run = |settings: Settings| names(&run_with(&project, with!(settings, jobs = 1)));
    let filter = Some("d1 › t3".to_owned());
    assert_eq!(run(with!(Settings::default(), filter = filter)), ["+d1 › t3"]);
    let mut all = Vec::new();
    for part in 1..=3 {
        let names = run(with!(Settings::default(), shard = Some((part, 3))));
        assert!((3..=4).contains(&names.len()));
        all.extend(names);
    }
    all.sort();
    let mut expected = run(Settings::default());
    expected.sort();
    assert_eq!(all, expected);
}

#[test]
fn plain_values_are_compared() {
    passes(
        "expect({ 1, 2.0, a = { 'x' } }):to_equal({ 1, 2, a = { 'x' } })
         expect({ 1 }):not_to_equal({ 1, 2 })
         expect(ann):to_be(room:npc('ann'))
         expect(ann):not_to_be(bob)
         expect(3):to_be_between(3, 4)
         expect(0 / 0):not_to_be_less_than(1)
         expect('Ann'):to_match('^%u%l+$')
         expect({ { 1 } }):to_contain({ 1 })
         expect(nil):to_be_nil()
         expect(1):not_to_be_true()
         expect(function() end):not_to_fail()
         expect(function() error('boom') end):to_fail('oom')
         expect(function() run_for(0.1) error('late') end):to_fail('late')",
    );
    let seen = |body: &str| fails(body).1;
    assert_eq!(seen("expect({ a = 1 }):to_equal({ a = 2 })"), "at .a it is 1 instead of 2");
    assert_eq!(
        seen("expect({ x = { { y = 1 } }, b = 2, a = 3 }):to_equal({ x = {}, b = 1, a = 3 })"),
        "at .b it is 2 instead of 1"
    );
    assert_eq!(
        seen("expect({ g = { 'a', { name = 'bob' } } }):to_equal({ g = { 'a', { name = 'ann' } } })"),
        "at .g[2].name it is \"bob\" instead of \"ann\""
    );
    assert_eq!(fails("expect(1 + 1):to_be(3)"), ("1 + 1 to be 3".into(), "2".into()));
    assert_eq!(
        fails("expect(function() end):to_fail('x')"),
        ("the function to fail with \"x\"".into(), "it went well".into())
    );
    assert_eq!(fails("expect('ann'):not_to_contain('n')").0, "'ann' not to contain \"n\"");
    let deep = "local a, b = {}, {} a.a, b.b = a, b expect(a):to_equal(b)";
    assert!(seen(deep).starts_with("at .a"), "{}", seen(deep));
    let endless = "local a, b = {}, {} a.x, b.x = a, b expect(a):not_to_equal(b)";
    passes(endless); // deeper than anybody looks
}

#[test]
fn unknown_expectations_say_what_was_meant() {
    let seen = |body: &str| fails(body).1;
    let meant = |name: &str| seen(&format!("expect(ann):{name}(1)"));
    assert_eq!(meant("to_bee"), "an expectation has no 'to_bee'; did you mean 'to_be'?");
    assert_eq!(meant("toEqual"), "an expectation has no 'toEqual'; did you mean 'to_equal'?");
    assert_eq!(meant("not_to_eqal"), "an expectation has no 'not_to_eqal'; did you mean 'not_to_equal'?");
    assert_eq!(meant("to_throw"), "an expectation has no 'to_throw'; did you mean 'to_fail'?");
    assert!(meant("not_to_arrive_within").contains("to_arrive_within holds or fails by itself"));
    assert!(meant("xyzzy").contains("`cicerone api Expectation` lists them"));
    assert!(seen("expect(ann).to_be(1)").contains("with a colon"));
    assert!(
        seen("expect(3):to_be_in('hall')").contains("is about a character"),
        "{}",
        seen("expect(3):to_be_in('hall')")
    );
    assert!(seen("expect(ann):to_be_in('hal')").contains("did you mean 'hall'?"));
    assert!(seen("expect()").contains("what it is about"));
    assert!(seen("expct(1)").contains("did you mean 'expect'?"));
}

#[test]
fn the_language_is_there_in_spec_files_alone() {
    let project = hall("it('x', function() load_room('hall') run_for(0.1) end)");
    project.write("scripts/room.lua", "local R = {} function R.on_load() expect(1) end return R");
    let report = run(&project);
    let seen = &crate::common::specs::moment(&report).failures[0].seen;
    assert!(seen.contains("undefined variable 'expect'") && seen.contains("spec files"), "{seen}");
    project.write("scripts/room.lua", "return {}");
    project.write("scripts/helper.lua", "return { twice = function(x) return 2 * x end }");
    project.write(
        "tests/scenarios/a_spec.lua",
        "local helper = require 'helper' it('x', function() expect(helper.twice(2)):to_be(4) end)",
    );
    assert!(run(&project).passed());
}
