//! Ways out of a test that must not be: endless asking, failures that go unseen, expectations that are never judged.

use crate::common::project::HALL;
use crate::common::specs::{fails, hall, moment, passes, run, run_with, test};
use cicerone::scenario::{Settings, SpecOutcome};

#[test]
fn a_test_that_asks_without_end_is_stopped() {
    let (_, seen) = fails("while true do reload('rooms/hall.json') end");
    assert!(seen.contains("more than 1000 rooms, reloads and comparisons"), "{seen}");
    let report = run(&hall("it('x', function() while true do pcall(load_room, 'no') end end)"));
    let seen = &moment(&report).failures[0].seen;
    assert!(seen.contains("more than 1000 rooms, reloads and comparisons"), "{seen}");
    passes("for i = 1, 900 do reload('rooms/hall.json') end expect(1):to_be(1)");
}

#[test]
fn thousands_of_hooks_fit_on_the_stack() {
    let hooks = "for i = 1, 3000 do after_each(function() end) before_each(function() end) end";
    let report = run(&hall(&format!("{hooks} it('x', function() expect(1):to_be(1) end)")));
    assert!(report.passed());
}

#[test]
fn a_branch_that_lost_its_race_waits_for_nothing() {
    let lost = "function() expect(ann):to_arrive_within(3) end";
    passes(&format!("race{{ {lost}, function() wait(1) end }} run_for(5) expect(1):to_be(1)"));
    let lost = "function() expect(ann):within(3):to_be_in('den') end";
    passes(&format!("race{{ {lost}, function() wait(1) end }} run_for(0.5) expect(1):to_be(1)"));
}

#[test]
fn what_a_test_still_waits_for_when_it_is_over_has_failed() {
    let over = "the test was over before that was known; let it wait for it";
    let started = |what: &str| fails(&format!("start(function() {what} end) run_for(0.1)"));
    let arrives = started("expect(ann):to_arrive_within(2)");
    assert_eq!(arrives, ("ann to arrive within 2 s".into(), over.into()));
    let patient = started("expect(ann):within(2):to_be_in('den')");
    assert_eq!(patient, ("ann to be in den within 2 s".into(), over.into()));
    passes("ann:set_target(6, 1) start(function() expect(ann):to_arrive_within(9) end) run_for(10)");
    passes("ann:set_target(3.5, 1) start(function() expect(ann):within(9):to_be_in('mat') end) run_for(10)");
}

#[test]
fn everything_that_was_said_is_known() {
    let many =
        "for i = 1, 12000 do ann:say('one of two ' .. i % 2) if i % 50 == 0 then run_for(0.02) end end";
    let (_, seen) =
        fails(&format!("{many} ann:say('secret') run_for(1) expect(room):not_to_have_said('secret')"));
    assert!(seen.starts_with("ann said “secret” at "), "{seen}");
    let many = "for i = 1, 20100 do ann:say('x' .. i) run_for(0.016) end";
    let (_, seen) = fails(&format!("{many} expect(room):not_to_have_said('secret')"));
    assert!(seen.contains("too many different things were said to know"), "{seen}");
}

#[test]
fn pending_hides_no_failure() {
    let (expected, _) = fails("pcall(function() expect(1):to_be(2) end) pending('later')");
    assert_eq!(expected, "1 to be 2");
    let report = test("pending('later')");
    assert!(matches!(&report.results[0].outcome, SpecOutcome::Skipped(why) if why == "later"));
}

#[test]
fn the_second_click_is_waited_for() {
    let project = hall(
        "it('x', function() load_room('hall') click(6, 1) run_for(0.5) click(1, 3)
           expect(room:npc('ann')):to_arrive_within(20) expect(room:npc('ann')):to_be_near(1, 3, 0.2) end)",
    );
    project.write("rooms/hall.json", &HALL.replace(r#""name": "ann","#, r#""name": "ann", "player": true,"#));
    let report = run(&project);
    assert!(report.passed(), "{}", cicerone::scenario::pretty(&report, Default::default()));
    project.write(
        "tests/scenarios/a_spec.lua",
        "it('x', function() load_room('hall') room:npc('ann'):set_target(6, 1) run_for(0.5) click(100, 100)
           expect(room:npc('ann')):to_arrive_within(20) end)",
    );
    let seen = moment(&run(&project)).failures[0].seen.clone();
    assert!(seen.starts_with("its walk to (100.00, 100.00) ended as partial"), "{seen}");
}

#[test]
fn two_tests_cannot_record_the_same_and_one_that_fails_records_nothing() {
    let spec = |name: &str, wanted: u32| {
        format!(
            "it('a', function() load_room('hall') run_for(1) expect(room):to_match_recording('walk') end)
             it('b', function() load_room('hall') run_for(2) expect(room):to_match_recording('{name}')
               expect(1):to_be({wanted}) end)"
        )
    };
    let update = || with!(Settings::default(), update = true, jobs = 1);
    let project = hall(&spec("Walk", 1));
    let report = run_with(&project, update());
    assert!(!report.passed());
    let problem = report.problems[0].to_string();
    assert!(
        problem.contains("is recorded by this test and by that of tests/scenarios/a_spec.lua:1"),
        "{problem}"
    );

    let project = hall(&spec("other", 2));
    let report = run_with(&project, update());
    assert!(matches!(report.results[1].outcome, SpecOutcome::Failed(_)));
    assert!(project.path("tests/scenarios/recordings/walk.rec").exists());
    assert!(!project.path("tests/scenarios/recordings/other.rec").exists());

    let twice = "to_match_recording('walk') run_for(1) expect(room):to_match_recording('walk')";
    let project = hall(&format!("it('a', function() load_room('hall') expect(room):{twice} end)"));
    let report = run_with(&project, update());
    assert_eq!(moment(&report).failures[0].expected, "one comparison with 'walk' in a test");
}

#[test]
fn what_differs_is_told_even_if_everybody_goes_the_same_way() {
    let spec = |words: &str| {
        format!(
            "it('a', function() load_room('hall') run_for(1) room:npc('ann'):say('{words}') run_for(1)
               expect(room):to_match_recording('walk') end)"
        )
    };
    let project = hall(&spec("Good evening"));
    assert!(run_with(&project, with!(Settings::default(), update = true)).passed());
    project.write("tests/scenarios/a_spec.lua", &spec("Good night"));
    let seen = moment(&run(&project)).failures[0].seen.clone();
    assert!(seen.contains("no character leaves the recorded way"), "{seen}");
    assert!(seen.contains("ann says “Good night” for"), "{seen}");
    assert!(seen.contains("recorded: ann says “Good evening” for"), "{seen}");
    project.write("tests/scenarios/a_spec.lua", &spec("Good evening"));
    let tuned = HALL.replace(r#""areas""#, r#""crowd": { "nudgeDistance": 0.7 }, "areas""#);
    project.write("rooms/hall.json", &tuned);
    let report = run(&project);
    assert!(report.passed(), "nobody was nudged");
    project.write("rooms/hall.json", &tuned.replace("[2, 1]", "[2, 1.5]"));
    let seen = moment(&run(&project)).failures[0].seen.clone();
    assert!(seen.contains("crowd.nudgeDistance is 0.7, recorded 1.2"), "{seen}");
    assert!(seen.contains("ann: start"), "{seen}");
}
