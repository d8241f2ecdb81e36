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

#[test]
fn the_spec_of_the_readme_passes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let mut blocks = readme.split("```lua\n").skip(1).filter_map(|rest| rest.split("```").next());
    let spec = blocks.find(|block| block.contains("describe(")).expect("README shows a spec");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("readme_spec.lua");
    std::fs::write(&file, spec).unwrap();
    let settings = Settings { paths: vec![file], ..Settings::default() };
    let report = run(&Project::at(root), &settings, &mut |_| {}).unwrap();
    assert!(report.passed() && report.results.len() == 2, "{}", pretty(&report, Look::default()));
}
