//! The specs of the example rooms.

use cicerone::project::Project;
use cicerone::scenario::{Look, Settings, pretty, run};
use std::path::Path;

#[test]
fn the_example_rooms_do_what_their_specs_say() {
    let project = Project::at(Path::new(env!("CARGO_MANIFEST_DIR")));
    let report = run(&project, &Settings::default(), &mut |_| {}).unwrap();
    assert!(report.passed() && report.warnings.is_empty(), "{}", pretty(&report, Look::default()));
    assert!(report.focused.is_empty(), "somebody left an `only` behind: {:?}", report.focused);
    assert!(report.results.len() >= 9, "this test must see the specs: {}", report.results.len());
}
