//! The README, the book and the pages beside them: links lead somewhere, rooms load, keys and options are complete.

use crate::common::book::{Page, page, pages, root};
use cicerone::room::ReadFileError;
use cicerone::world::World;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Most words of the README, and of the page on architecture.
const MOST_WORDS: usize = 1500;

/// Most characters of a line that is no table, link or code.
const LONGEST_LINE: usize = 120;

/// A line without its inline code, which may hold anything.
fn without_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("")
}

/// The targets of links and pictures on a page.
fn links(page: &Page) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in page.prose() {
        for rest in without_code(line).split("](").skip(1) {
            found.push((number, rest.split(')').next().unwrap().to_owned()));
        }
    }
    found
}

/// What code hosts and mdBook make of a heading, to be linked to.
fn anchor(heading: &str) -> String {
    let kept = heading
        .to_lowercase()
        .chars()
        .filter(|c| c.is_alphanumeric() || "-_ ".contains(*c))
        .collect::<String>();
    kept.replace(' ', "-")
}

fn anchors(page: &Page) -> BTreeSet<String> {
    let headings = page.prose().into_iter().filter_map(|(_, line)| line.strip_prefix('#'));
    headings.map(|heading| anchor(heading.trim_start_matches('#').trim())).collect()
}

#[test]
fn links_lead_to_files_and_headings_that_exist() {
    let mut all = pages();
    all.extend(["CONTRIBUTING.md", "src/ARCHITECTURE.md"].map(page));
    let (mut looked_at, mut wrong) = (0, Vec::new());
    for page_with_links in &all {
        let folder = Path::new(&page_with_links.name).parent().unwrap();
        for (line, target) in links(page_with_links) {
            let (file, heading) = target.split_once('#').unwrap_or((&target, ""));
            looked_at += 1;
            if target.starts_with("http") {
                continue;
            }
            let name = match file {
                "" => page_with_links.name.clone(),
                file => folder.join(file).to_string_lossy().into_owned(),
            };
            let there = root().join(&name).is_file();
            if !there || (!heading.is_empty() && !anchors(&page(&name)).contains(heading)) {
                wrong.push(format!("{}:{line}: {target}", page_with_links.name));
            }
        }
    }
    assert!(wrong.is_empty(), "these links lead nowhere:\n{}", wrong.join("\n"));
    assert!(looked_at > 100, "this test must see the links: {looked_at}");
}

#[test]
fn the_contents_name_every_page_of_the_book() {
    let contents = page("docs/src/SUMMARY.md");
    let named: BTreeSet<String> = links(&contents).into_iter().map(|(_, target)| target).collect();
    for page in pages() {
        let Some(name) = page.name.strip_prefix("docs/src/") else { continue };
        assert!(name == "SUMMARY.md" || named.contains(name), "docs/src/SUMMARY.md does not name {name}");
    }
}

#[test]
fn the_first_pages_are_short() {
    for name in ["README.md", "src/ARCHITECTURE.md"] {
        let words = page(name).text.split_whitespace().count();
        assert!(
            words <= MOST_WORDS,
            "{name} has {words} words, and may have {MOST_WORDS}: the book has room"
        );
    }
}

#[test]
fn lines_fit_on_a_screen() {
    let mut wrong = Vec::new();
    for page in pages().iter().chain(&["CONTRIBUTING.md", "src/ARCHITECTURE.md"].map(page)) {
        for (number, line) in page.prose() {
            let free = line.trim_start().starts_with('|') || line.contains("](");
            let length = line.chars().count();
            if !free && length > LONGEST_LINE {
                wrong.push(format!("{}:{number}: {length} characters", page.name));
            }
        }
    }
    assert!(wrong.is_empty(), "longer than {LONGEST_LINE}:\n{}", wrong.join("\n"));
}

#[test]
fn every_block_says_its_language() {
    let known = ["c", "json", "lua", "python", "rust", "rust,no_run", "sh", "text", "toml"];
    for page in pages().iter().chain(&["CONTRIBUTING.md", "src/ARCHITECTURE.md"].map(page)) {
        for block in page.blocks() {
            let (name, line, language) = (&page.name, block.line, &block.language);
            assert!(known.contains(&language.as_str()), "{name}:{line}: '{language}' is none of {known:?}");
        }
    }
}

/// A block of JSON is a whole room, or the functions of a game; a part of one is `text`.
#[test]
fn rooms_load_without_problems() {
    let mut looked_at = 0;
    for page in pages() {
        for block in page.blocks_in("json") {
            if block.text.contains("\"functions\"") {
                let read = cicerone::script::GameApi::from_json(&page.name, block.text.as_bytes());
                read.unwrap_or_else(|problems| panic!("the functions at line {}: {problems:?}", block.line));
                continue;
            }
            let read = |file: &str| std::fs::read(root().join(file)).map_err(ReadFileError::of);
            let parsed = cicerone::room::parse_with(&page.name, block.text.as_bytes(), None, &read);
            let room =
                parsed.unwrap_or_else(|report| panic!("the room at line {}: {report}", block.line)).room;
            World::new(room, 1).unwrap();
            looked_at += 1;
        }
    }
    assert!(looked_at >= 4, "this test must see the rooms: {looked_at}");
}

/// The rows of the tables beneath a heading, by the code in their first column.
fn rows(page: &Page, heading: &str) -> BTreeMap<String, String> {
    let mut inside = false;
    let mut rows = BTreeMap::new();
    for (_, line) in page.prose() {
        if line.starts_with('#') {
            inside = line.trim_start_matches('#').trim() == heading;
        } else if let Some(row) = line.strip_prefix("| `").filter(|_| inside) {
            let key = row.split('`').next().unwrap();
            rows.insert(key.to_owned(), line.replace(',', ""));
        }
    }
    rows
}

#[test]
fn the_reference_of_room_files_has_every_key_with_its_default() {
    let schema = cicerone::room::schema();
    let (files, painted, limits) = (
        page("docs/src/reference/room-files.md"),
        page("docs/src/reference/painted-rooms.md"),
        page("docs/src/reference/limits.md"),
    );
    let mut room = rows(&files, "The room");
    room.extend(rows(&painted, "Painted rooms: keys"));
    let tables = [
        (&schema, room),
        (&schema["$defs"]["mesh"], rows(&files, "Meshes")),
        (&schema["$defs"]["area"], rows(&files, "Areas")),
        (&schema["$defs"]["obstacle"], rows(&files, "Obstacles")),
        (&schema["$defs"]["hotspot"], rows(&files, "Hotspots")),
        (&schema["$defs"]["depthBand"], rows(&files, "Depth bands")),
        (&schema["$defs"]["limits"], rows(&limits, "Scripts")),
    ];
    for (form, rows) in tables {
        let properties = form["properties"].as_object().unwrap();
        for (key, property) in properties {
            let row = rows.get(key).unwrap_or_else(|| panic!("{key} of {} is missing", form["title"]));
            let default = match &property["default"] {
                Value::Number(number) => number.as_f64().unwrap().to_string(),
                Value::Bool(yes) => yes.to_string(),
                Value::String(word) => word.clone(),
                _ => continue,
            };
            let words: Vec<&str> = row.split(|c: char| !c.is_alphanumeric() && c != '.').collect();
            assert!(words.contains(&default.as_str()), "{key} is {default} unless said otherwise: {row}");
        }
        for key in rows.keys() {
            assert!(properties.contains_key(key), "{key} is no key of {}", form["title"]);
        }
    }
}

/// The type of a value in a file, in words.
fn type_in_words(form: &Value) -> String {
    if let Some(word) = form["const"].as_str() {
        return format!("`\"{word}\"`");
    }
    if let Some(forms) = form["anyOf"].as_array().or(form["oneOf"].as_array()) {
        return forms.iter().map(type_in_words).collect::<Vec<_>>().join(", ");
    }
    if let Some(name) = form["$ref"].as_str().and_then(|name| name.rsplit('/').next()) {
        return name.to_owned();
    }
    let number = |what: &str| {
        let above = form["exclusiveMinimum"].as_f64().map(|least| format!("above {least}"));
        let least = form["minimum"].as_f64().map(|least| least.to_string()).or(above);
        match (least, form["maximum"].as_f64()) {
            (Some(least), Some(most)) => format!("{what}, {least} to {most}"),
            _ => what.to_owned(),
        }
    };
    match form["type"].as_str().or(form["type"][0].as_str()) {
        Some("boolean") => "`true`, `false`".into(),
        Some("integer") => number("whole number"),
        Some("number") => number("number"),
        Some("array") => "list of texts".into(),
        _ => form["title"].as_str().unwrap_or("text").into(),
    }
}

/// The rows of a table of keys.
fn key_rows(form: &Value) -> String {
    let required: Vec<&str> =
        form["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let row = |(key, of): (&String, &Value)| {
        let default = match &of["default"] {
            Value::Null if required.contains(&key.as_str()) => "required".into(),
            Value::Null | Value::Array(_) => "none".into(),
            Value::String(word) => format!("`\"{word}\"`"),
            Value::Bool(flag) => format!("`{flag}`"),
            Value::Number(number) => number.as_f64().unwrap().to_string(),
            other => other.to_string(),
        };
        format!("| `{key}` | {} | {default} | {} |\n", type_in_words(of), of["description"].as_str().unwrap())
    };
    form["properties"].as_object().unwrap().iter().map(row).collect()
}

/// These tables are made of the schema.
#[test]
fn the_tables_of_characters_and_crowds_are_those_of_the_schema() {
    const PAGE: &str = "docs/src/reference/room-files.md";
    let schema = cicerone::room::schema();
    let path = root().join(PAGE);
    let text = std::fs::read_to_string(&path).unwrap();
    let mut renewed = text.clone();
    for (heading, form) in [("\n## Characters\n", "character"), ("\n## Crowd\n", "crowd")] {
        let section = renewed.find(heading).unwrap();
        let start = section + renewed[section..].find("|---|\n").unwrap() + "|---|\n".len();
        let end = start + renewed[start..].find("\n\n").unwrap() + 1;
        renewed.replace_range(start..end, &key_rows(&schema["$defs"][form]));
    }
    if std::env::var_os("CICERONE_RENEW").is_some() {
        std::fs::write(&path, &renewed).unwrap();
    } else {
        assert!(
            renewed == text,
            "{PAGE} is stale; CICERONE_RENEW=1 cargo test --test library book, and commit it"
        );
    }
}

/// Names of source files on the pages about them, by their last parts.
#[test]
fn source_files_that_are_named_exist() {
    let mut files = Vec::new();
    for folder in ["src", "crates", "tests", "benches"] {
        sources(&root().join(folder), &mut files);
    }
    let mut wrong = Vec::new();
    let mut looked_at = 0;
    for page in pages().iter().chain(&["CONTRIBUTING.md", "src/ARCHITECTURE.md"].map(page)) {
        for (number, line) in page.prose() {
            let code = line.split('`').skip(1).step_by(2);
            for name in code.filter(|code| code.ends_with(".rs") && !code.contains([' ', '…'])) {
                looked_at += 1;
                if !files.iter().any(|file| file.ends_with(&format!("/{name}"))) {
                    wrong.push(format!("{}:{number}: {name}", page.name));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "these source files do not exist:\n{}", wrong.join("\n"));
    assert!(looked_at > 80, "this test must see the names: {looked_at}");
}

fn sources(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else {
            found.push(path.to_string_lossy().replace('\\', "/"));
        }
    }
}

#[cfg(feature = "cli")]
mod commands {
    use super::{BTreeSet, pages};
    use crate::common::command::{cicerone, text};

    /// Options in a text: `--seed`, without what follows them.
    fn options(text: &str) -> BTreeSet<String> {
        let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        words.filter(|word| word.starts_with("--") && word.len() > 2).map(str::to_owned).collect()
    }

    /// The options that a help defines; it speaks of others, too.
    fn defined(help: &str) -> BTreeSet<String> {
        let lines = help.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
        let own = lines.filter_map(|line| line.split(" <").next()?.split("  ").next());
        own.flat_map(options)
            .chain(help.split("alias: ").skip(1).flat_map(|rest| options(rest.split(']').next().unwrap())))
            .collect()
    }

    fn help(command: &str) -> String {
        text(&cicerone(&[command, "--help"]).stdout)
    }

    /// The commands that `cicerone --help` lists.
    fn commands() -> Vec<String> {
        let help = text(&cicerone(&["--help"]).stdout);
        let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
        let lines = lines.take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("   "));
        let names = lines.filter_map(|line| line.split_whitespace().next()).map(str::to_owned);
        let names: Vec<String> = names.filter(|name| name != "help").collect();
        assert!(names.len() > 10, "{names:?}");
        names
    }

    /// The page of all options is what the commands say of themselves.
    #[test]
    fn the_page_of_options_is_the_help_of_the_commands() {
        const PAGE: &str = "docs/src/reference/options.md";
        let mut told = "# Options\n\nWhat `cicerone COMMAND --help` prints. Written by a test.\n".to_owned();
        for command in commands() {
            let help = help(&command);
            let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
            told.push_str(&format!("\n## {command}\n\n```text\n{}\n```\n", lines.join("\n").trim_end()));
        }
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
        if std::env::var_os("CICERONE_RENEW").is_some() {
            std::fs::write(&path, &told).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == told,
            "{PAGE} is stale; CICERONE_RENEW=1 cargo test --test library book, and commit it"
        );
    }

    #[test]
    fn commands_that_are_shown_have_the_options_they_are_shown_with() {
        let known = commands();
        let mut looked_at = 0;
        for page in pages() {
            for block in page.blocks_in("sh") {
                for line in block.text.lines() {
                    let line = line.split(" #").next().unwrap();
                    for call in line.split("&&").filter_map(|part| part.split("cicerone ").nth(1)) {
                        let command = call.split_whitespace().next().unwrap();
                        assert!(known.iter().any(|name| name == command), "{}: {line}", page.name);
                        let usage = help(command);
                        for option in options(call) {
                            assert!(defined(&usage).contains(&option), "{}: {line}: no {option}", page.name);
                        }
                        looked_at += 1;
                    }
                }
            }
        }
        assert!(looked_at > 15, "this test must see the commands: {looked_at}");
    }
}
