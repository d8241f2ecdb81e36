//! Scripts and specs of the README and the book: a block of Lua is a whole file, and runs.

use crate::common::book::{Block, pages, root};
use crate::common::project::Project;
use cicerone::runtime::{Options, Runtime, RuntimeEvent};
use cicerone::scenario::{Look, Settings, pretty, run};
use cicerone::script::{Level, Note, check_script};
use std::collections::BTreeMap;

fn is_spec(block: &Block) -> bool {
    block.text.contains("describe(")
}

/// All scripts, by their path: the comment in their first line.
fn scripts() -> BTreeMap<String, String> {
    let mut scripts = BTreeMap::new();
    for page in pages() {
        for block in page.blocks_in("lua").into_iter().filter(|block| !is_spec(block)) {
            let first = block.text.lines().next().unwrap_or_default();
            let path = first.strip_prefix("-- ").filter(|path| path.starts_with("scripts/"));
            let path =
                path.unwrap_or_else(|| panic!("{}:{}: a script begins with its path", page.name, block.line));
            let before = scripts.insert(path.to_owned(), block.text.clone());
            assert!(before.is_none_or(|text| text == block.text), "{path} is there twice");
        }
    }
    scripts
}

#[test]
fn the_rooms_and_scripts_of_the_book_run_without_a_warning() {
    let scripts = scripts();
    assert!(scripts.len() >= 2, "this test must see the scripts: {scripts:?}");
    let mut used = 0;
    for page in pages() {
        // The functions of a game are no room.
        for block in page.blocks_in("json").into_iter().filter(|block| !block.text.contains("\"functions\""))
        {
            let project = Project::new(&[("rooms/book.json", &block.text)]);
            scripts.iter().for_each(|(path, text)| project.write(path, text));
            for image in ["kitchen.png", "kitchen-mask.png"] {
                let image = format!("rooms/{image}");
                std::fs::copy(root().join(&image), project.path(&image)).unwrap();
            }
            for path in scripts.keys() {
                let files = cicerone::project::Project::at(&project.path(""));
                let problems = check_script(&files, path, &[]);
                assert!(problems.is_empty(), "{path}: {problems:?}");
                used += usize::from(block.text.contains(path));
            }
            let place = format!("{}:{}", page.name, block.line);
            let mut runtime = Runtime::open(&project.path("rooms/book.json"), Options::default())
                .unwrap_or_else(|error| panic!("{place}: {error}"));
            for _ in 0..60 * 60 {
                runtime.step();
                for event in runtime.take_events() {
                    let trouble = match &event {
                        RuntimeEvent::Note(Note::Log { level, .. }) => {
                            matches!(level, Level::Warn | Level::Error)
                        }
                        RuntimeEvent::Note(Note::Error(_)) => true,
                        _ => false,
                    };
                    assert!(!trouble, "{place}: {event:?}");
                }
            }
        }
    }
    assert_eq!(used, scripts.len(), "each script stands in one room");
}

#[test]
fn the_specs_of_the_book_pass() {
    let project = cicerone::project::Project::at(root());
    let mut looked_at = Vec::new();
    for page in pages() {
        // One that names its file belongs to the project that its page builds: a test of the command plays it.
        let specs = page.blocks_in("lua").into_iter().filter(is_spec);
        for spec in specs.filter(|spec| !spec.text.starts_with("-- tests/")) {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("book_spec.lua");
            std::fs::write(&file, &spec.text).unwrap();
            let settings = with!(Settings::default(), paths = vec![file]);
            let report = run(&project, &settings, &mut |_| {}).unwrap();
            let passed = report.passed() && !report.results.is_empty();
            assert!(passed, "{}:{}: {}", page.name, spec.line, pretty(&report, Look::default()));
            looked_at.push(page.name.clone());
        }
    }
    assert_eq!(
        looked_at,
        ["README.md", "docs/src/reference/specs.md", "docs/src/reference/specs.md"],
        "this test must see the specs"
    );
}
