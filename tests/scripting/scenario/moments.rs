//! The picture of a moment: all that somebody needs who runs nothing else.

use crate::common::specs::{hall, moment, run, run_with, test};
use cicerone::scenario::{Look, Settings, pretty};

#[test]
fn a_failure_shows_the_line_the_trail_and_the_doors() {
    let spec = "it('x', function()
  load_room('hall')
  local ann = room:npc('ann')
  open('door')
  ann:set_target(12, 2)
  run_for(2)
  ann:say('Where am I?')
  expect(ann):to_be_in('den')
end)";
    let report = run(&hall(spec));
    let moment = moment(&report);
    assert_eq!(moment.lines, ["  expect(ann):to_be_in('den')"]);
    let expected = "\
+ + + + + + + + + + + + + + + + + + + + + + + + + + + + + + +     + + + + + + + + + + + + + + + +
+ . . . . . . . . . . . . . . . . . . . . . . . . . . . . . +     + . . . . . . . . . . . . . . +
+ . . . . . . . . . . . . . . . . . . . . . . . . . . . . . +     + . . . . . . . . . . . . . . +
+ . . . . . . . . . . . . . . . . . . . . . . . . . . . . . +     + . . . . . . . . . . . . . . +
+ . . . b . . . : : : : : . . . . . . . . . . . . . . . . . + + + + . . . . . . . . . . . . . . +
+ . . . . . . . . . . . : : : : :[A]* * * * * . . . . . . . = = = = . . . . . . . . . . . . . . +
+ . . . . . . . . . . . . . . . . . . . . . * * * * * * * * * * * = . . . . . . . . . . . . . . +
+ . . . . . . . . . . . . . . . . . . . . . . . . . . . . . = = * * * * * * * * * * * . . . . . +
+ . . . . . . . . . . . . . . . . . . . . . . . . . . . . . = = = = . . . . . . . . * * * . . . +
+ . . . . . . . . . . . . . . . . . . . . . . . . . . . . . = = = = . . . . . . . . . . . . . . +
+ . . . . . . . . . . . . . . . . . . . . . . . . . . . . . = = = = . . . . . . . . . . . . . . +
+ . . . . . . . . . . . . . . . . . . . . . B . . . . . . . = = = = . . . . . . . . . . . . . . +
+ . . . . . . . . . . . . . . . . . . . . . . . . . . . . . + + + + . . . . . . . . . . . . . . +
+ . . . . . . . . . . . . . . . . . . . . . . . . . . . . . +     + . . . . . . . . . . . . . . +
+ . . . . . . . . . . . . . . . . . . . . . . . . . . . . . +     + . . . . . . . . . . . . . . +
+ + + + + + + + + + + + + + + + + + + + + + + + + + + + + + +     + + + + + + + + + + + + + + + +


b bar   B bob   [A] ann   = door (open)   * way   : trail   + wall   one square is 0.277 m
";
    assert_eq!(moment.picture, expected);
}

#[test]
fn events_of_those_concerned_are_told_and_of_nobody_else() {
    let body =
        "open('door') bob:say('Psst') ann:set_target(5, 1) run_for(3) expect(ann):to_be_near('bar', 0.1)";
    let report = test(body);
    let events = &moment(&report).events;
    let text = format!("{events:?}");
    assert!(events[0].0.starts_with("ann at (4.96, 1.00) in hall: stands; its last walk: arrived"), "{text}");
    assert!(
        text.contains("ann enters mat") && text.contains("ann leaves mat") && text.contains("ann: arrived")
    );
    assert_eq!(events[1].0, "the room");
    assert!(text.contains("door opens") && !text.contains("Psst"), "{text}");
}

#[test]
fn if_nobody_is_concerned_those_nearby_are_told_of() {
    let report = test("bob:say('Psst') run_for(1) expect(room:area('door')):to_be_available()");
    let headings: Vec<&str> = moment(&report).events.iter().map(|(heading, _)| heading.as_str()).collect();
    assert_eq!(headings, ["bob at (6.00, 3.00) in hall: stands", "ann at (2.00, 1.00) in hall: stands"]);
    assert!(moment(&report).events[0].1.iter().any(|line| line.contains("Psst")));
}

#[test]
fn the_moment_is_that_of_the_failure_not_of_the_end() {
    let body = "ann:set_target(6, 1) run_for(1) pcall(function() expect(ann):to_be_in('den') end) run_for(9)";
    let report = test(body);
    let moment = moment(&report);
    assert!(moment.events[0].0.starts_with("ann at (3."), "{:?}", moment.events);
    assert!(moment.events[0].0.contains("walks to (6.00, 1.00)"));
}

#[test]
fn a_drawing_and_a_recording_are_made_when_they_are_asked_for() {
    let project = hall("it('x', function() load_room('hall') expect(room:npc('ann')):to_be_in('den') end)");
    let settings = with!(Settings::default(), artifacts = true, jobs = 1);
    let report = run_with(&project, settings);
    assert!(moment(&report).svg.as_ref().unwrap().starts_with("<svg"));
    let bytes = report.results[0].recording.clone().unwrap();
    assert!(cicerone::record::Recording::read(&bytes).is_ok());
    assert!(moment(&run(&project)).svg.is_none() && run(&project).results[0].recording.is_none());
}

#[test]
fn of_a_large_room_the_neighbourhood_is_shown() {
    let project = hall("it('x', function() load_room('hall') expect(room:npc('ann')):to_be_in('den') end)");
    let room = project.path("rooms/hall.json");
    let text = std::fs::read_to_string(&room).unwrap().replace("[13, 0], [13, 4]", "[130, 0], [130, 4]");
    std::fs::write(&room, text).unwrap();
    let report = run(&project);
    let text = pretty(&report, Look::default());
    assert!(moment(&report).picture.contains("one square is 0.25 m"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 110));
}
