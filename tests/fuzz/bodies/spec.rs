//! Specs, as `cicerone test` runs them.

use super::{check_problems, check_words, folder};
use cicerone::project::Project;
use cicerone::scenario::{Look, Settings, SpecOutcome, SpecReport, junit, plan, pretty, run_plan, tap};

const FILE: &str = "tests/scenarios/a_spec.lua";

/// So many tests of a file are run.
const MAX_TESTS: usize = 4;

/// So much game time a test gets, in seconds.
const TIMEOUT_S: f64 = 1.0;

/// A script that walks about, for Ann.
const ANN: &str = "return { run = function(self, npc) while true do npc:walk_to(7, 1) wait(0.1) npc:walk_to('bar') end end }";

pub fn run(data: &[u8]) -> bool {
    // Specs may give a room other limits; what is bounded by them is not looked at here.
    if data.windows(6).any(|word| word == b"limits") {
        return false;
    }
    let project = folder::project(&[
        ("scripts/ann.lua", ANN.as_bytes()),
        ("scripts/room.lua", b"return {}"),
        (FILE, data),
    ]);
    let (first, second) = (report(&project), report(&project));
    assert_eq!(told(&first), told(&second), "two runs of one spec differ");
    if !first.problems.is_empty() {
        check_problems(&first.problems, None);
    }
    first.warnings.iter().for_each(|warning| check_words(warning));
    for result in &first.results {
        if let SpecOutcome::Failed(moment) = &result.outcome {
            assert!(!moment.failures.is_empty(), "failed without a reason");
            for failure in &moment.failures {
                check_words(&failure.seen);
                assert!(
                    failure.line >= 1 && !failure.file.is_empty(),
                    "no place: {} {}",
                    failure.file,
                    failure.seen
                );
            }
        }
    }
    first.problems.is_empty()
}

fn report(project: &Project) -> SpecReport {
    let mut settings = Settings::default();
    settings.jobs = 1;
    let mut plan = plan(project, &[folder::place(FILE)], &settings);
    plan.tests.truncate(MAX_TESTS);
    for (_, case) in &mut plan.tests {
        case.timeout_s = case.timeout_s.min(TIMEOUT_S);
    }
    run_plan(project, plan, &settings, &mut |_| {})
}

/// All that is told of a run, but for how long it took.
fn told(report: &SpecReport) -> String {
    let mut report = report.clone();
    report.took = std::time::Duration::ZERO;
    report.results.iter_mut().for_each(|result| result.took = std::time::Duration::ZERO);
    [pretty(&report, Look::default()), tap(&report), junit(&report)].join("\n")
}
