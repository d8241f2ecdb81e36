//! What is expected of people, areas and paths.

use crate::common::specs::{fails, hall, moment, passes, run, test};

#[test]
fn a_walk_arrives_or_says_why_not() {
    passes("ann:set_target(6, 1) expect(ann):to_arrive_within(5)");
    passes("after(1, function() ann:set_target(6, 1) end) expect(ann):to_arrive_within(5)");
    passes("ann:set_target(11, 2) expect(ann):to_end_with('partial')");
    passes("click('bob') run_for(0.1) expect(ann):not_to_be_near('bob', 1)");
    let (expected, seen) = fails("ann:set_target(6, 1) expect(ann):to_arrive_within(1)");
    assert_eq!(expected, "ann to arrive within 1 s");
    assert!(seen.starts_with("after 1.00 s it is still on its way at (3."), "{seen}");
    assert!(seen.ends_with("m from the end"), "{seen}");
    let (_, seen) = fails("ann:set_target(11, 2) expect(ann):to_arrive_within(60)");
    let why = ": the area 'door' is closed; the nearest point that can be reached is (";
    assert!(
        seen.starts_with("its walk to (11.00, 2.00) ended as partial after ") && seen.contains(why),
        "{seen}"
    );
    let (_, seen) = fails("expect(ann):to_arrive_within(1)");
    assert_eq!(seen, "after 1.00 s no walk has ended, and it stands at (2.00, 1.00)");
    let (_, seen) =
        fails("ann:set_target(6, 1) after(1, function() ann:stop() end) expect(ann):to_arrive_within(9)");
    assert!(seen.contains("ended as cancelled") && seen.contains("called it off"), "{seen}");
    let (_, seen) =
        fails("ann:set_target(6, 1) after(1, function() ann:despawn() end) expect(ann):to_arrive_within(9)");
    assert!(seen.contains("left the room") || seen.contains("despawned"), "{seen}");
    assert!(fails("expect(ann):to_end_with('arived')").1.contains("did you mean 'arrived'?"));
}

#[test]
fn what_is_expected_stands_behind_expect() {
    let (_, seen) = fails("room:area('door'):not_to_be_available()");
    assert!(
        seen.contains("what is expected stands behind expect(…): expect(…):not_to_be_available(…)"),
        "{seen}"
    );
    let (_, seen) = fails("ann:to_arrive_within(2)");
    assert!(seen.contains("expect(…):to_arrive_within(…)"), "{seen}");
}

#[test]
fn people_are_where_they_are() {
    passes(
        "expect(ann):to_be_in('hall') expect(ann):not_to_be_in('den')
         expect(ann):to_be_near('bar', 1.01) expect(ann):to_be_near(2, 1, 0.01) expect(ann):to_be_near({ x = 2, z = 1 }, 0.01)
         expect(ann):not_to_be_near(bob, 4)
         ann:set_target(6, 1)
         expect(ann):within(4):to_be_in('mat')
         expect(ann):within(4):not_to_be_in('mat')",
    );
    let (expected, seen) = fails("expect(ann):to_be_in('den')");
    assert_eq!((expected.as_str(), seen.as_str()), ("ann to be in den", "at (2.00, 1.00), in hall"));
    let (expected, seen) = fails("expect(ann):to_be_near('bar', 0.5)");
    assert_eq!(expected, "ann to be within 0.5 m of bar");
    assert_eq!(seen, "1.00 m away, at (2.00, 1.00), in hall");
    let (expected, _) = fails("expect(ann):within(0.5):to_be_in('den')");
    assert_eq!(expected, "ann to be in den within 0.5 s");
}

#[test]
fn what_was_said_and_what_went_wrong_is_known() {
    passes(
        "ann:say('Good evening') expect(ann):to_have_said('evening') run_for(5) expect(ann):to_have_said('Good')
         expect(bob):not_to_have_said('Good') expect(room):to_have_said('Good')",
    );
    assert_eq!(fails("ann:say('Hi') expect(ann):to_have_said('Ho')").1, "the last words were “Hi”");
    let project = hall(
        "it('x', function() load_room('hall', { allow_errors = true }) run_for(1)
        expect(room):to_have_reported('attempt to index') end)",
    );
    project.write("scripts/room.lua", "local R = {} function R.on_load() local a; a.b = 1 end return R");
    assert!(run(&project).passed());
    project.write(
        "tests/scenarios/a_spec.lua",
        "it('x', function() load_room('hall') error('not reached') end)",
    );
    let report = run(&project);
    let failure = &moment(&report).failures[0];
    assert_eq!((failure.file.as_str(), failure.line), ("scripts/room.lua", 1));
    assert!(failure.seen.contains("attempt to index") && failure.seen.ends_with("(on_load of the room)"));
    let late = "it('x', function() load_room('hall') run_for(1) end)";
    project.write("tests/scenarios/a_spec.lua", late);
    project.write("scripts/room.lua", "local R = {} function R.run() wait(0.5) error('late') end return R");
    assert_eq!(moment(&run(&project)).failures[0].tick, 31);
}

#[test]
fn areas_and_paths_are_as_they_are() {
    passes(
        "expect(room:area('door')):not_to_be_available()
         path_between('bar', { x = 11, z = 2 }):to_be_blocked_by('door')
         local way = path_between('bar', 11, 2)
         expect(way):not_to_be_complete()
         open('door')
         way:to_be_complete() way:to_be_longer_than(9.9) expect(way):to_be_shorter_than(11)
         expect(room:area('door')):to_be_available()
         close('door')
         way:not_to_be_shorter_than(100)",
    );
    let (expected, seen) = fails("path_between(ann, 'bob'):to_be_shorter_than(3)");
    assert_eq!(
        (expected.as_str(), seen.as_str()),
        ("the path from ann to bob to be shorter than 3 m", "it is 4.47 m long")
    );
    let (_, seen) = fails("path_between(ann, 11, 2):to_be_complete()");
    assert!(seen.starts_with("there is none: the area 'door' is closed"), "{seen}");
    assert_eq!(fails("expect(room:area('door')):to_be_available()").0, "the area door to be available");
}

#[test]
fn what_is_to_hold_is_looked_at_after_every_tick() {
    let (expected, seen) = fails("expect(ann):to_stay_clear_of(bob, 2) ann:set_target(6, 2) run_for(20)");
    assert_eq!(expected, "ann to stay clear of bob by 2 m");
    let m: f64 = seen.strip_prefix("ann came within ").and_then(|at| at.get(..4)?.parse().ok()).unwrap();
    assert!((1.9..=2.0).contains(&m), "{seen}");
    let report = test("expect(room):to_stay_clear_of(4, 1, 0.5) ann:set_target(6, 1) run_for(20)");
    let failure = &moment(&report).failures[0];
    assert!(failure.line == 2 && (60..80).contains(&failure.tick), "{failure:?}");
    let (expected, seen) =
        fails("expect({ ann, bob }):never_to_enter('mat') ann:set_target(6, 1) run_for(20)");
    assert_eq!(expected, "ann, bob never to enter mat");
    assert!(seen.starts_with("ann entered it at (3."), "{seen}");
    assert!(fails("ann:teleport(3.5, 1) expect(room):never_to_enter('mat')").1.contains("in it already"));
    let (expected, seen) =
        fails("expect(ann):not_to_be_stuck(2) ann.walk_speed = 0 ann:set_target(6, 1) run_for(20)");
    assert_eq!(expected, "ann not to be stuck for 2 s");
    assert!(seen.starts_with("ann did not get on for 2.0 s"), "{seen}");
    let (_, seen) =
        fails("expect(room):not_to_be_stuck(30) ann.walk_speed = 0 ann:set_target(6, 1) run_for(20)");
    assert!(seen.starts_with("a walk of ann was blocked"), "{seen}");
    passes(
        "expect(room):not_to_be_stuck() expect(ann):never_to_enter('den') ann:set_target(6, 1) run_for(20)",
    );
}

#[test]
fn waiting_goes_on_and_run_until_gives_what_it_found() {
    passes(
        "local before = room.time run_for(2) expect(room.time - before):to_be_near(2, 0.02)
         ann:set_target(6, 1)
         local x = run_until(function() return ann.x > 4 and ann.x end)
         expect(x):to_be_between(4, 4.1)
         local ok, reason = ann:walk_to('bar') expect({ ok, reason }):to_equal({ true, 'arrived' })
         all{ function() run_for(1) end, function() expect(ann):within(1):to_be_in('hall') end }
         start(function() wait(0.1) ann:say('x') end) expect(ann):within(1):to_have_said('x')",
    );
    let (expected, seen) = fails("run_until(function() return false end, 2)");
    assert_eq!(expected, "what run_until waits for within 2 s");
    assert_eq!(seen, "it did not come");
}

#[test]
fn what_is_said_cannot_become_unsaid() {
    let (_, seen) = fails("expect(ann):within(20):not_to_have_said('Boo')");
    let words = "within(20) does not go with not_to_have_said: what is said cannot become unsaid; \
                 run_for(20) first, then expect(…):not_to_have_said(…)";
    assert_eq!(seen, words);
    let (_, seen) = fails("expect(room):within(2):not_to_have_reported('nil')");
    assert!(seen.contains("run_for(2) first, then expect(…):not_to_have_reported(…)"), "{seen}");
    let said = "ann:say('Boo') run_for(1) bob:say('Psst') run_for(1)";
    let (expected, seen) = fails(&format!("{said} expect(room):not_to_have_said('Boo')"));
    assert_eq!(expected, "the room not to have said “Boo”");
    assert_eq!(seen, "ann said “Boo” at 0.02 s");
    let (_, seen) = fails(&format!("{said} expect(room):not_to_have_said('Psst')"));
    assert!(seen.starts_with("bob said “Psst” at 1.0"), "{seen}");
    assert_eq!(fails("ann:say('Boo') expect(ann):not_to_have_said('Boo')").1, "ann said “Boo” at 0.02 s");
}

#[test]
fn an_expectation_of_nobody_or_of_nothing_is_an_error() {
    let (_, seen) = fails("expect(room:npcs('visiter')):never_to_enter('den')");
    let words = "never_to_enter: the list is empty: no character in the room is as room:npcs('visiter') asks; is the tag right?";
    assert_eq!(seen, words);
    let (_, seen) = fails("expect({}):not_to_be_stuck()");
    assert_eq!(seen, "not_to_be_stuck: the list is empty, so there is no character to check");
    let (_, seen) = fails("expect(path_between(ann, bob)):not_to_be_blocked_by('dor')");
    assert!(seen.ends_with("no area and no obstacle is called 'dor'; did you mean 'door'?"), "{seen}");
    let report = run(&hall("it('x', function() expect(room):not_to_be_stuck() end)"));
    let seen = &moment(&report).failures[0].seen;
    assert!(seen.contains("no room is loaded yet"), "{seen}");
}
