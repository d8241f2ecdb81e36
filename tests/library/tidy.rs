//! Habits as tests: imports point up the module list, and every module is on it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Modules in reading order: each may import only those before it.
const ORDER: [&str; 23] = [
    "problem",
    "geometry",
    "parallel",
    "level",
    "room",
    "nav",
    "grid",
    "mesh",
    "tactics",
    "surface",
    "plan",
    "crowd",
    "world",
    "record",
    "draw",
    "project",
    "script",
    "lint",
    "watch",
    "runtime",
    "serve",
    "scenario",
    "inspector",
];

/// These are joined by `runtime` only.
const APART: [&str; 4] = ["script", "watch", "record", "draw"];

/// Where the source is: the core, and the product around it.
const ROOTS: [&str; 2] = ["crates/nav/src", "src"];

/// All files of the source, and their paths inside their roots.
fn all_sources() -> Vec<(PathBuf, PathBuf)> {
    let inside = |root: &str| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(root);
        let mut files = Vec::new();
        sources(&root, &mut files);
        files
            .into_iter()
            .map(move |file| (file.clone(), file.strip_prefix(&root).unwrap().to_owned()))
            .collect::<Vec<_>>()
    };
    ROOTS.into_iter().flat_map(inside).collect()
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn imports_point_up_the_list() {
    let mut looked_at = 0;
    for (file, inside) in all_sources() {
        let module = inside.components().next().unwrap().as_os_str().to_string_lossy().replace(".rs", "");
        let Some(rank) = ORDER.iter().position(|name| *name == module) else {
            // The grounds of tests, and the suite over all of them.
            let apart = ["lib", "main", "cli", "conformance"];
            assert!(apart.contains(&module.as_str()), "{module} is not on the list");
            continue;
        };
        let text = std::fs::read_to_string(&file).unwrap();
        for part in text.split("crate::").skip(1) {
            let name: String = part.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            let Some(other) = ORDER.iter().position(|module| *module == name) else { continue };
            assert!(other <= rank, "{}: {module} must not import {name}", inside.display());
            let apart = APART.contains(&module.as_str()) && APART.contains(&name.as_str()) && module != name;
            assert!(!apart, "{}: {module} and {name} are joined by runtime only", inside.display());
            looked_at += 1;
        }
    }
    assert!(looked_at > 100, "this test must see the imports: {looked_at}");
}

/// Modules after the ground ask it questions, and do not see what it is made of.
#[test]
fn only_the_grid_knows_cells() {
    let of_cells =
        ["nodes_are_cells", "column_and_row", "field_cell", "field_node", "field_size", "field_holds"];
    let of_cells = [&of_cells[..], &["field_stride", ".words()"]].concat();
    let (mut inside, mut looked_at) = (0, 0);
    for (file, place) in all_sources() {
        let text = std::fs::read_to_string(&file).unwrap();
        let found = of_cells.iter().find(|word| text.contains(*word));
        looked_at += 1;
        if place.starts_with("grid") {
            inside += usize::from(found.is_some());
        } else {
            assert_eq!(found, None, "{} looks into cells", file.display());
        }
        // Meshes may be made of cells. The root re-exports the grid for tests and benchmarks.
        let may = ["grid", "mesh", "surface", "draw", "conformance", "cli/bench", "lib.rs"];
        let may = may.iter().any(|module| place.starts_with(module));
        let names_it = ["crate::grid", "cicerone::internals::grid"].iter().any(|path| text.contains(path));
        assert!(may || !names_it, "{}: ask the surface, not the grid", file.display());
    }
    assert!(inside > 5 && looked_at > 200, "this test must see the grid: {inside} of {looked_at}");
}

#[test]
fn the_architecture_page_and_the_changelog_know_the_modules_and_the_version() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("src/ARCHITECTURE.md")).unwrap();
    for module in ORDER {
        assert!(page.contains(&format!("`{module}`")), "{module} is missing on the page");
    }
    let changelog = std::fs::read_to_string(root.join("CHANGELOG.md")).unwrap();
    assert!(changelog.contains(&format!("## {}", env!("CARGO_PKG_VERSION"))));
}

#[test]
fn the_table_of_promises_names_tests_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let table = std::fs::read_to_string(root.join("tests/PROMISES.md")).unwrap();
    let mut looked_at = 0;
    for name in table.split('`').filter(|part| part.contains("::")) {
        let (file, test) = name.split_once("::").unwrap();
        let binaries = ["library", "scripting", "commands"];
        let in_tests = |end: &str| binaries.map(|binary| root.join(format!("tests/{binary}/{file}{end}")));
        let places = match file.strip_suffix(".rs") {
            Some(_) => vec![root.join(file)],
            None => [in_tests(".rs"), in_tests("/mod.rs")].concat(),
        };
        let found = places.iter().filter_map(|place| std::fs::read_to_string(place).ok());
        let known = found.into_iter().any(|text| text.contains(&format!("fn {test}(")));
        assert!(known || name == "file::test", "{name} does not exist");
        looked_at += 1;
    }
    assert!(looked_at > 50, "this test must see the table: {looked_at}");
}

#[test]
fn the_top_level_holds_what_it_should() {
    let known = "benches bridges crates docs examples findings rooms scripts src tests target CHANGELOG.md CONTRIBUTING.md Cargo.lock Cargo.toml \
                 LICENSE-APACHE LICENSE-MIT README.md clippy.toml rustfmt.toml proptest-regressions";
    let known: Vec<&str> = known.split_whitespace().collect();
    for entry in std::fs::read_dir(env!("CARGO_MANIFEST_DIR")).unwrap().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        assert!(
            name.starts_with('.') || known.contains(&name.as_str()),
            "what is {name} doing at the top level?"
        );
    }
}

/// Files are called after what is in them, and a type has a name of its own in the crate.
#[test]
fn names_say_one_thing() {
    let files: Vec<PathBuf> = all_sources().into_iter().map(|(file, _)| file).collect();
    for file in &files {
        let name = file.file_stem().unwrap().to_string_lossy();
        let vague =
            ["bits", "parts", "things", "words", "kept", "escape", "misc", "util", "utils", "helpers"];
        assert!(!vague.contains(&&*name), "{}: a name that could be any file's", file.display());
    }
    // These stood for five to seven types each.
    for word in ["Report", "Spot", "Place"] {
        let declares = |file: &&PathBuf| {
            let text = std::fs::read_to_string(file).unwrap();
            ["struct ", "enum ", "type "].iter().any(|kind| {
                text.match_indices(&format!("{kind}{word}")).any(|(at, found)| {
                    !text[at + found.len()..].starts_with(|next: char| next.is_alphanumeric() || next == '_')
                })
            })
        };
        let homes: Vec<&PathBuf> = files.iter().filter(declares).collect();
        assert!(homes.len() <= 1, "{word} is more than one type: {homes:?}");
    }
}

/// Public types that share a name, and why they may.
const NAMESAKES: [(&str, &str); 1] =
    [("SearchMemory", "the grid's is the content of the surface's, and hidden")];

/// Whoever imports two public types needs no `as`. What is `pub` can be reached from outside: the compiler warns of the
/// rest.
#[test]
fn public_types_have_names_of_their_own() {
    let mut files = all_sources();
    files.retain(|(_, place)| {
        !["cli", "main.rs", "mesh", "conformance"].iter().any(|own| place.starts_with(own))
    });
    let mut homes: BTreeMap<String, Vec<&Path>> = BTreeMap::new();
    for (file, place) in &files {
        let text = std::fs::read_to_string(file).unwrap();
        for line in text.lines() {
            let kinds = ["pub struct ", "pub enum ", "pub type ", "pub trait ", "pub union "];
            let Some(rest) = kinds.iter().find_map(|kind| line.strip_prefix(kind)) else { continue };
            let name = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            homes.entry(name).or_default().push(place);
        }
    }
    assert!(homes.len() > 150, "this test must see the types: {}", homes.len());
    for (name, homes) in &homes {
        let may = NAMESAKES.iter().any(|(known, _)| known == name);
        assert!(homes.len() == 1 || may, "{name} is more than one public type: {homes:?}");
        assert!(homes.len() > 1 || !may, "{name} is one type only: it needs no exception");
    }
}
