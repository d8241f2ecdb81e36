//! Runs that are to stay as they were recorded.

use crate::common::project::Project;
use crate::common::specs::{hall, moment, run, run_with};
use cicerone::scenario::{Look, Settings, SpecOutcome, SpecReport, pretty};

/// Ann walks to the other end of the hall, at this speed, and Bob a little later.
fn spec(speed: f64, seconds: f64, options: &str) -> String {
    format!(
        "it('x', function()
  load_room('hall')
  local ann, bob = room:npc('ann'), room:npc('bob')
  ann.walk_speed = {speed}
  ann:set_target(7, 1)
  run_for(1)
  bob:set_target(1, 3)
  run_for({seconds})
  expect(room):to_match_recording('walk'{options})
end)"
    )
}

fn update(project: &Project) -> SpecReport {
    run_with(project, with!(Settings::default(), update = true))
}

fn seen(report: &SpecReport) -> String {
    moment(report).failures[0].seen.clone()
}

#[test]
fn a_run_matches_its_recording_and_another_does_not() {
    let project = hall(&spec(1.4, 2.0, ""));
    assert_eq!(
        seen(&run(&project)),
        "there is no tests/scenarios/recordings/walk.rec yet; `cicerone test --update` records it"
    );
    let report = update(&project);
    assert!(report.passed());
    let told = pretty(&report, Look::default());
    assert!(told.contains("recorded anew: tests/scenarios/recordings/walk.rec"), "{told}");
    assert!(run(&project).passed());

    project.write("tests/scenarios/a_spec.lua", &spec(1.2, 2.0, ""));
    let report = run(&project);
    let failure = &moment(&report).failures[0];
    assert_eq!(failure.expected, "the room to match recording 'walk' bit for bit");
    assert_eq!((failure.file.as_str(), failure.line), ("tests/scenarios/a_spec.lua", 9));
    let expected = "the run is another from tick 2 on (0.03 s);\nann leaves the recorded way first, at 0.22 s (tick 13): \
        at (2.160, 1.000), recorded at (2.169, 1.000), 0.009 m apart, up to 0.56";
    assert!(failure.seen.starts_with(expected), "{}", failure.seen);
    assert!(moment(&report).picture.contains(", trail as recorded"), "{}", moment(&report).picture);
}

#[test]
fn near_is_near_enough_within_a_tolerance() {
    let project = hall(&spec(1.4, 2.0, ", { tolerance = 0.3 }"));
    assert!(update(&project).passed());
    project.write("tests/scenarios/a_spec.lua", &spec(1.3, 2.0, ", { tolerance = 0.3 }"));
    assert!(run(&project).passed());
    project.write("tests/scenarios/a_spec.lua", &spec(1.0, 2.0, ", { tolerance = 0.3 }"));
    let report = run(&project);
    assert_eq!(moment(&report).failures[0].expected, "the room to match recording 'walk' within 0.3 m");
    assert!(seen(&report).contains("ann leaves the recorded way first"), "{}", seen(&report));
}

#[test]
fn a_run_of_another_length_is_another_run() {
    let project = hall(&spec(1.4, 2.0, ""));
    assert!(update(&project).passed());
    project.write("tests/scenarios/a_spec.lua", &spec(1.4, 3.0, ""));
    let expected = "the run is 4.03 s long, and was 3.03 s; what both have is the same";
    assert_eq!(seen(&run(&project)), expected);
    // What ends a test when something happens ends a bit later when somebody is a bit slower.
    for (seconds, passes) in [(2.9, true), (3.1, false)] {
        project.write("tests/scenarios/a_spec.lua", &spec(1.4, seconds, ", { tolerance = 0.3 }"));
        assert_eq!(run(&project).passed(), passes, "{seconds}");
    }
}

#[test]
fn what_is_no_recording_is_told() {
    let project = hall(&spec(1.4, 2.0, ""));
    project.write("tests/scenarios/recordings/walk.rec", "nonsense");
    let told = seen(&run(&project));
    assert!(told.starts_with("tests/scenarios/recordings/walk.rec: not a recording"), "{told}");
    for (call, words) in [
        ("expect(room):to_match_recording()", "name"),
        ("expect(room):to_match_recording('../../x')", "made of letters, digits"),
        ("expect(room:npc('ann')):to_match_recording('x')", "the room"),
        ("expect(room):to_match_recording('x', { tolerance = -1 })", "tolerance"),
        ("expect(room):to_match_recording('x', { tolerence = 1 })", "tolerance"),
    ] {
        let project = hall(&format!("it('x', function() load_room('hall') {call} end)"));
        let report = run(&project);
        assert!(matches!(report.results[0].outcome, SpecOutcome::Failed(_)));
        assert!(seen(&report).contains(words), "{call}: {}", seen(&report));
    }
}
