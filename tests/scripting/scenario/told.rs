//! What a report tells, so that nobody has to look it up.

use crate::common::specs::{fails, hall, moment, run, run_with, test};
use cicerone::scenario::{Look, Settings, SpecReport, junit, pretty, tap};

fn pretty_of(report: &SpecReport) -> String {
    pretty(report, Look::default())
}

#[test]
fn tests_that_an_only_leaves_out_are_counted() {
    let project = hall("it('walks', function() expect(1):to_be(1) end) it.skip('x', error)");
    project.write("tests/scenarios/b--_spec.lua", "\nit.only('Sings', function() expect(1):to_be(1) end)");
    let report = run(&project);
    let words = "1 left out by `only` in tests/scenarios/b--_spec.lua:2";
    assert!(pretty_of(&report).contains(&format!("\n1 passed, {words}; ")), "{}", pretty_of(&report));
    assert!(tap(&report).ends_with(&format!("\n# {words}\n")), "{}", tap(&report));
    let comment = "  <!-- 1 left out by `only` in tests/scenarios/b- -_spec.lua:2 -->\n";
    assert!(junit(&report).contains(comment), "{}", junit(&report));
    let filtered = |filter: &str| {
        let settings = with!(Settings::default(), filter = Some(filter.into()));
        let report = run_with(&project, settings);
        (report.results.len(), report.left_out)
    };
    assert_eq!((filtered("WALK"), filtered("sing"), filtered("x")), ((0, 1), (1, 0), (0, 0)));
}

#[test]
fn the_log_has_its_times_and_is_in_every_report() {
    let lines = "for i = 1, 12 do wait(0.5) log.info('line ' .. i) end";
    let project = hall(&format!("it('x', function() load_room('hall') {lines} expect(1):to_be(2) end)"));
    let report = run(&project);
    let last = "    6.02 s  tests/scenarios/a_spec.lua:1: line 12";
    let text = pretty_of(&report);
    assert!(text.contains(last), "{text}");
    assert!(text.contains("the last lines of the log") && !text.contains("line 2\n"), "{text}");
    assert!(tap(&report).contains("  log: |2\n") && tap(&report).contains(last), "{}", tap(&report));
    assert!(junit(&report).contains("<system-out>") && junit(&report).contains(last), "{}", junit(&report));
    let short = pretty_of(&test("log.info('so far') expect(1):to_be(2)"));
    assert!(short.contains("    the log\n") && !short.contains("the last lines"), "{short}");
    project
        .write("tests/scenarios/a_spec.lua", &format!("it('x', function() load_room('hall') {lines} end)"));
    let report = run_with(&project, with!(Settings::default(), log = true));
    let text = pretty(&report, Look { log: true, colour: false });
    assert!(text.contains("    the log\n") && text.contains("line 2\n") && text.contains(last), "{text}");
}

#[test]
fn what_does_not_load_is_told_once() {
    let load = "load_room('hall') expect(1):to_be(1)";
    let spec = format!(
        "it('a', function() {load} end)\nit('b', function() {load} end)\nit('c', function() load_room('den') end)"
    );
    let project = hall(&spec);
    project.write("scripts/room.lua", "return {");
    let same = |report: &SpecReport| {
        let text = pretty_of(report);
        assert_eq!(text.matches("the same as in line 1: ").count(), 1, "{text}");
        assert_eq!(tap(report).matches("the same as in line 1: ").count(), 1, "{}", tap(report));
        let moment = moment(report);
        assert!(moment.same_as.is_none() && moment.failures[0].line > 0);
        text
    };
    let text = same(&run(&project));
    assert_eq!(text.matches("scripts/room.lua:1").count(), 1, "{text}");
    project.write("scripts/room.lua", "return {}");
    project.write("rooms/hall.json", "{\n  \"areas\": 1\n}");
    let report = run(&project);
    let text = same(&report);
    assert_eq!(text.matches("\"areas\": 1").count(), 1, "{text}");
    let told = tap(&report);
    assert!(told.contains("message: \"load_room: 'hall' cannot be loaded:\"\n"), "{told}");
}

#[test]
fn an_area_tells_since_when_it_is_as_it_is_and_who_stands_in_it() {
    let is_open = "expect(room:area('door')):to_be_available()";
    let closed = "expect(room:area('door')):not_to_be_available()";
    assert_eq!(fails(is_open).1, "it has been closed from the beginning");
    assert_eq!(fails(&format!("open('door') {closed}")).1, "it is open since just now");
    let seen = fails(&format!("run_for(1) open('door') ann:teleport(8.5, 2) run_for(1) {closed}")).1;
    assert_eq!(seen, "it has been open since 1.02 s; ann stands in it");
    let stand = "open('door') ann:teleport(8.5, 2) bob:teleport(8.5, 2.5) close('door')";
    let project = hall(&format!(
        "it('x', function() load_room('hall') local ann, bob = room:npc('ann'), room:npc('bob') {stand} {closed} end)"
    ));
    let hold = crate::common::project::HALL.replace("false }", "false, \"whenOccupied\": \"hold\" }");
    project.write("rooms/hall.json", &hold);
    let report = run(&project);
    let seen = &moment(&report).failures[0].seen;
    assert_eq!(
        seen,
        "it is open since just now; ann, bob stand in it, and it waits for that to end before it closes"
    );
}

#[test]
fn what_is_expected_stands_there_as_it_is_written() {
    let (expected, seen) = fails("room.state.key = 0\nexpect(room.state.key):to_be_between(1, 2)");
    assert_eq!((expected.as_str(), seen.as_str()), ("room.state.key to be between 1 and 2", "0"));
    let (expected, seen) = fails("local x = 1.5 expect(x):to_be_near(2, 0.1)");
    assert_eq!(expected, "x to be near 2, by 0.1 at most");
    assert_eq!(seen, "1.5, 0.5 apart");
    assert_eq!(fails("local e = expect\n e(1 + 1):to_be(3)").0, "2 to be 3");
    let (expected, seen) = fails("run_until(function() end, 2, 'the key in the lock')");
    assert_eq!((expected.as_str(), seen.as_str()), ("the key in the lock within 2 s", "it did not come"));
    assert!(fails("run_until(function() end, 2, {})").1.contains("what must be a string"));
}

#[test]
fn an_error_of_the_test_itself_needs_no_map() {
    for error in ["expect(1):to_bee(1)", "run_for('x')", "local a; a.b = 1"] {
        let report = test(error);
        let moment = moment(&report);
        assert!(moment.picture.is_empty() && moment.events.is_empty(), "{error}: {moment:?}");
    }
    assert!(!moment(&test("expect(1):to_be(2)")).picture.is_empty());
    let settings = with!(Settings::default(), artifacts = true);
    let report = run_with(&hall("it('x', function() load_room('hall') run_for('x') end)"), settings);
    assert!(moment(&report).svg.is_some());
}

#[test]
fn walks_are_told_from_their_beginning_and_why_they_were_called_off() {
    let body = "ann:set_target(6, 1) run_for(1) ann:set_target(2, 3) run_for(1) ann:stop() run_for(1)
                expect(ann):to_be_in('den')";
    let report = test(body);
    let events = moment(&report).events[0].1.join("\n");
    let lines = ["0.02 s  ann sets out for (6.00, 1.00)", "ann: cancelled by another target"];
    let more = ["ann sets out for (2.00, 3.00)", "ann: cancelled by a stop or a teleport"];
    let places: Vec<_> = lines.iter().chain(&more).map(|line| events.find(line)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{events}");
    let later = |what: &str| {
        fails(&format!(
            "ann:set_target(6, 1) after(1, function() {what} end) expect(ann):to_arrive_within(9)"
        ))
        .1
    };
    assert!(later("ann:set_target(2, 3)").contains(": another target called it off, (2.00, 3.00)"));
    assert!(later("ann:stop()").contains(": a stop or a teleport called it off"));
}

#[test]
fn a_version_that_is_refused_is_shown_not_the_file() {
    let report = test("reload('scripts/room.lua', '-- mine\\nreturn {')");
    let text = pretty_of(&report);
    assert!(text.contains("2 | return {\n") && !text.contains("return {}\n"), "{text}");
}

#[test]
fn a_bad_cast_is_an_error_of_the_call() {
    let seen = |options: &str| {
        let report = run(&hall(&format!("it('x', function()\nload_room('hall', {options}) end)")));
        let failure = &moment(&report).failures[0];
        assert_eq!((failure.file.as_str(), failure.line), ("tests/scenarios/a_spec.lua", 2));
        failure.seen.clone()
    };
    let words = "load_room: script_overrides: no character 'anne' to give a script to; did you mean 'ann'?";
    assert_eq!(seen("{ script_overrides = { anne = 'scripts/room.lua' } }"), words);
    let words = seen("{ script_overrides = { ann = 'scripts/nope.lua' } }");
    assert!(words.starts_with("load_room: script_overrides.ann = 'scripts/nope.lua': "), "{words}");
    let words = seen("{ scripts = { 'scripts/nope.lua' } }");
    assert!(words.starts_with("load_room: scripts: 'scripts/nope.lua': "), "{words}");
}

#[test]
fn slips_in_blocks_have_hints() {
    let problem = |spec: &str| run(&hall(spec)).problems[0].message.clone();
    assert!(problem("describe.onyl('x', function() end)").contains("no 'onyl'; did you mean 'only'?"));
    assert!(problem("it.later('x', function() end)").contains("there is only and skip"));
    assert!(problem("it('', function() end)").contains("the name is empty"));
    assert!(problem("describe(' ', function() end)").contains("the name is empty"));
}
