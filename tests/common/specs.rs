//! Running specs in small projects.

use super::project::{HALL, Project};
use cicerone::scenario::{Moment, Settings, SpecOutcome, SpecReport};

/// The hall, with one spec file.
pub fn hall(spec: &str) -> Project {
    Project::new(&[
        ("rooms/hall.json", HALL),
        ("scripts/room.lua", "return {}"),
        ("tests/scenarios/a_spec.lua", spec),
    ])
}

/// Runs all specs of a project, one at a time.
pub fn run(project: &Project) -> SpecReport {
    run_with(project, with!(Settings::default(), jobs = 1))
}

pub fn run_with(project: &Project, settings: Settings) -> SpecReport {
    let project = cicerone::project::Project::at(&project.path(""));
    cicerone::scenario::run(&project, &settings, &mut |_| {}).unwrap()
}

/// One test in the hall, which it loads.
pub fn test(body: &str) -> SpecReport {
    let load = "load_room('hall') local ann, bob = room:npc('ann'), room:npc('bob')";
    let report = run(&hall(&format!("it('works', function() {load}\n{body}\nend)")));
    assert!(report.problems.is_empty(), "{:?}", report.problems);
    report
}

pub fn passes(body: &str) {
    let report = test(body);
    assert!(report.passed(), "{}", cicerone::scenario::pretty(&report, Default::default()));
}

/// What was expected, and what was seen instead; an error has no expectation.
pub fn fails(body: &str) -> (String, String) {
    let report = test(body);
    let failures = &moment(&report).failures;
    (failures[0].expected.clone(), failures[0].seen.clone())
}

/// The moment when the first test failed.
pub fn moment(report: &SpecReport) -> &Moment {
    match &report.results[0].outcome {
        SpecOutcome::Failed(moment) => moment,
        other => panic!("it should have failed: {other:?}"),
    }
}
