//! The lessons: each begins with the command that runs it, and does what it teaches.

use crate::common::project::{self, HALL, Project};
use cicerone::runtime::{Input, Options, Reload, Runtime, RuntimeEvent};
use cicerone::script::Note;
use std::path::{Path, PathBuf};

/// When somebody clicks, in seconds, and where.
type Clicks = &'static [(f64, [f64; 2])];

/// A lesson, clicks, and lines that must come in this order.
const LESSONS: [(&str, Clicks, &[&str]); 16] = [
    (
        "01_hello",
        &[(2.0, [2.5, 2.0])],
        &["ann: \"Hello! I am ann.\"", "player talks to ann", "ann: \"Nice to meet you, player.\""],
    ),
    (
        "02_walk",
        &[],
        &[
            "Here is the left.",
            "Here is the window.",
            "Here is the right.",
            "The shelf? partial!",
            "Here is the left.",
        ],
    ),
    ("03_remember", &[], &["count to 1.", "count to 2.", "count to 3."]),
    (
        "04_lever",
        &[(40.0, [9.0, 5.0])],
        &[
            "bob: \"Open!\"",
            "door opens",
            "bob enters closet",
            "bob leaves closet",
            "bob: \"Closed.\"",
            "player: \"Open!\"",
        ],
    ),
    (
        "05_timers",
        &[],
        &[
            "s: the door opens",
            "ann enters closet",
            "How dark",
            "s: the door closes",
            "s: the door opens",
            "ann leaves closet",
            "Back!",
        ],
    ),
    (
        "06_areas",
        &[],
        &[
            "bob is visitor number 1",
            "cleo is visitor number 2",
            "ann is visitor number 3",
            "ann: \"Too full.\"",
            "ann leaves; 2 left",
        ],
    ),
    ("07_follow", &[], &["Wait for me, ", "cleo: timeout", "Wait for me, "]),
    (
        "08_messages",
        &[],
        &[
            "ann: \"Letter number 1.\"",
            "bob: \"Letter number 2.\"",
            "ann: \"Letter number 3.\"",
            "bob: \"Letter number 4.\"",
        ],
    ),
    (
        "09_why_not",
        &[],
        &[
            "'door' is closed",
            "ann: \"The door is in the way!\"",
            "ann: \"Here it is.\"",
            "door opens",
            "ann: \"Books at last.\"",
        ],
    ),
    (
        "10_cutscene",
        &[],
        &[
            "Hello! I am dan.",
            "Here is the left.",
            "count to 5.",
            "You!",
            "Me.",
            "Stop it, both of you!",
            "He began.",
            "She did.",
            " wins.",
            "The end.",
            "count to 6.",
        ],
    ),
    ("10_cutscene", &[(11.0, [5.0, 5.0])], &["count to 5.", "You!", "Skipped.", "count to 6."]),
    ("11_senses", &[], &["I see you, bob!", "bob: \"Run!\"", "Where is he?", "Safe.", "I see you, bob!"]),
    ("12_queue", &[], &["My turn.", "uses lever", "My turn.", "uses lever", "My turn.", "uses lever"]),
    ("13_posts", &[], &["dora comes in", "dora stands where she stood.", "dora stands where she stood."]),
    ("14_formation", &[], &["Here we are.", "Follow me!", "What is the plan?", "This is my place."]),
    ("15_company", &[], &["Come along!", "This is the closet.", "That was nice.", "Come along!"]),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The words of the command in the first line of a lesson.
fn command(lesson: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join(format!("scripts/lessons/{lesson}.lua"))).unwrap();
    let first = text.lines().next().unwrap();
    let command =
        first.strip_prefix("-- cicerone ").unwrap_or_else(|| panic!("{lesson} begins with {first}"));
    command.split_whitespace().map(str::to_owned).collect()
}

/// The room as the command opens it.
fn open(command: &[String]) -> Runtime {
    let [run, room, rest @ ..] = command else { panic!("{command:?}") };
    assert_eq!((run.as_str(), room.as_str()), ("run", "stage"));
    let mut options = Options::default();
    for pair in rest.chunks(2) {
        let [flag, script] = pair else { panic!("{command:?}") };
        assert_eq!(flag, "--script");
        match script.split_once('=') {
            Some((name, file)) => options.script_overrides.push((name.to_owned(), file.to_owned())),
            None => options.scripts.push(script.clone()),
        }
    }
    Runtime::open(&root().join("rooms/stage.json"), options).unwrap()
}

#[test]
fn each_does_what_it_teaches() {
    for (lesson, clicks, expected) in LESSONS {
        let mut runtime = open(&command(lesson));
        let (mut lines, mut left) = (Vec::new(), expected);
        for tick in 0..70 * 60 {
            for &(at_s, [x, z]) in clicks {
                if (at_s * 60.0) as u64 == tick {
                    runtime.send(Input::Click(glam::dvec2(x, z).into()));
                }
            }
            runtime.step();
            for event in runtime.take_events() {
                let line = match event {
                    RuntimeEvent::Event { text, .. } => text,
                    RuntimeEvent::Note(Note::Log { text, .. }) => text,
                    other => panic!("{lesson}: {other}"),
                };
                let line = line.replace(['“', '”'], "\"");
                if left.first().is_some_and(|wanted| line.contains(wanted)) {
                    left = &left[1..];
                }
                lines.push(line);
            }
        }
        assert!(left.is_empty(), "{lesson}: {left:?} is missing in\n{}", lines.join("\n"));
    }
}

#[test]
fn every_lesson_has_a_test_and_runs_from_the_command_line() {
    let folder = std::fs::read_dir(root().join("scripts/lessons")).unwrap();
    let mut files: Vec<PathBuf> = folder.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert_eq!(files.len(), 15);
    for file in files {
        let lesson = file.file_stem().unwrap().to_string_lossy().into_owned();
        assert!(LESSONS.iter().any(|(name, ..)| *name == lesson), "{lesson} has no test");
        assert!(command(&lesson).iter().any(|word| word.ends_with(&format!("scripts/lessons/{lesson}.lua"))));
        #[cfg(feature = "cli")]
        {
            let run = std::process::Command::new(env!("CARGO_BIN_EXE_cicerone"))
                .args(command(&lesson))
                .args(["--headless", "--seconds", "5"])
                .current_dir(root())
                .output()
                .unwrap();
            assert!(run.status.success(), "{lesson}: {}", String::from_utf8_lossy(&run.stderr));
        }
    }
}

#[test]
fn a_part_given_on_the_command_line_survives_a_save_of_the_room() {
    let ann = "local A = {}\nfunction A.run(self, npc) while true do wait(0.5) log.info('here', npc.x) end end\nreturn A";
    let project = Project::new(&[
        ("rooms/hall.json", HALL),
        ("scripts/room.lua", "return {}"),
        ("scripts/ann.lua", ann),
    ]);
    let part =
        |name: &str| Options::default().with_script_overrides(vec![(name.into(), "scripts/ann.lua".into())]);
    let mut runtime = project.open_with(part("ann"));
    assert_eq!(project::run(&mut runtime, 0.6), ["here 2.0"]);
    project.write("rooms/hall.json", &HALL.replace("[6, 3]", "[6, 2]"));
    let done = project::reload(&project, &mut runtime, &["rooms/hall.json"]);
    assert!(matches!(done, Reload::Done { .. }), "{done:?}");
    assert_eq!(project::run(&mut runtime, 0.5), ["here 2.0"], "and nobody is begun anew by it");
    let error = Runtime::open(&project.path("rooms/hall.json"), part("anm")).err().unwrap().to_string();
    assert!(error.contains("no character 'anm' to give a script to; did you mean 'ann'?"), "{error}");
}
