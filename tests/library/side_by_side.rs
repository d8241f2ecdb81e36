//! The page "Ten tasks in four languages" is what the programs say that it shows. They are run elsewhere: in
//! `tests/commands/examples.rs` and `serve.rs`, and in `.ci/run`.

use crate::common::book::{Page, page, root};
use std::fmt::Write as _;

const PAGE: &str = "docs/src/programmers/side-by-side.md";

/// The programs whose tasks the page shows, with the language of their blocks.
const SHOWN: [(&str, &str); 4] = [
    ("rust", "examples/tasks.rs"),
    ("c", "bridges/c/examples/tasks.c"),
    ("python", "examples/python/tasks.py"),
    ("rust", "bridges/bevy/examples/tasks.rs"),
];

/// Those whose lines it only counts.
const COUNTED: [&str; 2] =
    ["benches/peers/examples/tasks_landmass.rs", "benches/peers/examples/tasks_detour.cpp"];

/// The tasks in the order of the page, each with the heading above it. The last one is in the table only.
const TASKS: [(&str, &str); 11] = [
    ("open", "Open a room and step it"),
    ("walk", "Walk somewhere, and hear of the arrival"),
    ("door", "Open and close a door"),
    ("path", "Ask for a path without a character"),
    ("spawn", "Let a character in and out"),
    ("frame", "Draw between two steps"),
    ("steer", "Steer the player, and push"),
    ("function", "Give scripts a function of the game"),
    ("save", "Save, go on, go back"),
    ("script", "Change a script while the room runs"),
    ("common", "Common to all"),
];

/// A program: its tasks by name, as they stand between `task: …` and `end`.
struct Program {
    file: &'static str,
    text: String,
    tasks: Vec<(String, String)>,
}

impl Program {
    fn read(file: &'static str) -> Self {
        let text = page(file).text;
        let mut tasks: Vec<(String, String)> = Vec::new();
        let mut inside = false;
        for line in text.lines() {
            let words = comment(file, line).filter(|_| !line.starts_with(' '));
            if let Some(name) = words.and_then(|words| words.strip_prefix("task: ")) {
                assert!(!inside, "{file}: {name} begins before the task before it ends");
                inside = true;
                tasks.push((name.to_owned(), String::new()));
            } else if words == Some("end") {
                inside = false;
            } else if inside {
                let (_, task) = tasks.last_mut().unwrap();
                *task += line;
                task.push('\n');
            }
        }
        assert!(!inside, "{file}: the last task does not end");
        for (name, _) in &tasks {
            let times = tasks.iter().filter(|(other, _)| other == name).count();
            assert!(times == 1 && TASKS.iter().any(|(task, _)| task == name), "{file}: the task {name}");
        }
        Self { file, text, tasks }
    }

    fn task(&self, name: &str) -> Option<&str> {
        self.tasks.iter().find(|(task, _)| task == name).map(|(_, text)| text.as_str())
    }

    fn shown(&self, name: &str) -> &str {
        self.task(name).unwrap_or_else(|| panic!("{} has no task {name}", self.file))
    }

    /// Lines of code of a task, for the table.
    fn lines(&self, name: &str) -> String {
        let Some(text) = self.task(name) else { return "not there".to_owned() };
        let code = text.lines().filter(|line| !line.trim().is_empty() && comment(self.file, line).is_none());
        code.count().to_string()
    }
}

/// What a line that is all comment says.
fn comment<'a>(file: &str, line: &'a str) -> Option<&'a str> {
    let line = line.trim();
    let words = match file.rsplit('.').next() {
        Some("py") => line.strip_prefix('#'),
        Some("c") => line.strip_prefix("/*").and_then(|rest| rest.strip_suffix("*/")),
        _ => line.strip_prefix("//"),
    };
    words.map(str::trim)
}

/// The page with the blocks and the numbers that belong there.
fn as_it_should_be(page: &Page, programs: &[Program]) -> String {
    let shown = &programs[..SHOWN.len()];
    let (mut text, mut blocks, mut inside) = (String::new(), Vec::new().into_iter(), false);
    for line in page.text.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            assert!(blocks.next().is_none(), "too few blocks above '{heading}'");
            let task = TASKS.iter().find(|(_, its)| *its == heading);
            let here = task.iter().flat_map(|(name, _)| shown.iter().map(move |it| it.shown(name)));
            blocks =
                here.zip(SHOWN).map(|(text, (language, _))| (language, text)).collect::<Vec<_>>().into_iter();
        }
        let row = TASKS.iter().find(|(_, heading)| line.starts_with(&format!("| {heading} |")));
        if let Some((name, heading)) = row {
            let cells: Vec<String> = programs.iter().map(|program| program.lines(name)).collect();
            writeln!(text, "| {heading} | {} |", cells.join(" | ")).unwrap();
            continue;
        }
        let is_copied = SHOWN.iter().any(|(language, _)| line == format!("```{language}"));
        if is_copied {
            let (language, block) = blocks.next().unwrap_or_else(|| panic!("a block too many: {line}"));
            write!(text, "```{language}\n{block}").unwrap();
            inside = true;
        }
        inside &= is_copied || line != "```";
        if !inside {
            text += line;
            text.push('\n');
        }
    }
    text
}

#[test]
fn the_page_shows_the_programs() {
    let programs: Vec<Program> =
        SHOWN.iter().map(|(_, file)| *file).chain(COUNTED).map(Program::read).collect();
    let page = page(PAGE);
    let headings: Vec<&str> = page.text.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    let shown = TASKS[..TASKS.len() - 1].iter().map(|(_, heading)| *heading);
    let expected: Vec<&str> = shown.chain(["Lines of code"]).collect();
    assert_eq!(headings, expected);
    let rows =
        page.text.lines().filter(|line| TASKS.iter().any(|(_, it)| line.starts_with(&format!("| {it} |"))));
    assert_eq!(rows.count(), TASKS.len(), "each task has a row in the table");

    let text = as_it_should_be(&page, &programs);
    if std::env::var_os("CICERONE_RENEW").is_some() {
        std::fs::write(root().join(PAGE), &text).unwrap();
        return;
    }
    let differs = page.text.lines().zip(text.lines()).position(|(is, should_be)| is != should_be);
    assert!(
        page.text == text,
        "{PAGE}:{}: not as in the programs; CICERONE_RENEW=1 cargo test --test library side_by_side, and commit it",
        differs.map_or(page.text.lines().count(), |line| line + 1)
    );
}

/// The room and its script, as they are in each program: but for the quotes of C.
#[test]
fn the_programs_have_the_room_of_the_page() {
    let plain = |text: &str| text.replace(|c: char| c.is_whitespace() || "\\\"".contains(c), "");
    let page = page(PAGE);
    let room = &page.blocks_in("json")[0].text;
    let script = page.blocks_in("lua")[0].text.lines().nth(1).unwrap().to_owned();
    for (_, file) in SHOWN {
        let program = plain(&Program::read(file).text);
        assert!(program.contains(&plain(room)), "{file} has another room");
        assert!(program.contains(&plain(&script)), "{file} has another script");
    }
}

/// What the page about C shows is in the program that its tests compile and run.
#[test]
fn the_page_about_c_quotes_its_example() {
    let example = page("bridges/c/examples/hall.c").text;
    let blocks = page("docs/src/programmers/c.md").blocks_in("c");
    assert!(blocks.len() >= 2);
    for block in blocks {
        assert!(example.contains(block.text.trim_end()), "line {} of c.md:\n{}", block.line, block.text);
    }
}
