//! Lua sources: one text is the script of the room and the behaviour of Ann.

use super::{check_problems, check_words, folder};
use cicerone::lint::Survey;
use cicerone::problem::Source;
use cicerone::project::Project;
use cicerone::runtime::{Input, Options, Runtime, RuntimeEvent, Saved};
use cicerone::script::api::Object;
use cicerone::script::{KnownNames, Note, check_script, complete};
use glam::dvec2;

const TICKS: u64 = 30;

pub fn run(data: &[u8]) -> bool {
    let project = folder::project(&[("scripts/ann.lua", data), ("scripts/room.lua", data)]);
    for role in [Object::Behaviour, Object::RoomScript] {
        let problems = check_script(&project, "scripts/ann.lua", &[role]);
        if !problems.is_empty() {
            check_problems(&problems, None);
        }
    }
    if let Ok(text) = std::str::from_utf8(data) {
        read_only(&project, text);
    }
    let (first, second) = (live(data), live(data));
    assert_eq!(first, second, "two runs of one script differ");
    first.errors.iter().all(|error| error.starts_with("answer: "))
}

/// What can be said of a script without running it.
fn read_only(project: &Project, text: &str) {
    let file = "scripts/ann.lua";
    let source = Source::new(file, text);
    let look = || Survey::of(project, &[file.to_owned()]).check_script(&source);
    let problems = look();
    assert_eq!(problems, look(), "judged in two ways");
    if !problems.is_empty() {
        check_problems(&problems, Some(&source));
    }
    for end in [text.len() / 2, text.len()] {
        let end = (0..=end).rev().find(|&end| text.is_char_boundary(end));
        let begun = &text[..end.unwrap_or(0)];
        let completion = complete(begun, &KnownNames::default());
        assert!(completion.from <= begun.len(), "{completion:?}");
    }
}

/// What can be seen of a run.
#[derive(Debug, PartialEq)]
struct Life {
    hashes: Vec<u64>,
    errors: Vec<String>,
    instructions: u64,
}

fn live(data: &[u8]) -> Life {
    let project = folder::project(&[("scripts/ann.lua", data), ("scripts/room.lua", data)]);
    let options = Options::default().with_seed(5).with_limits(folder::limits());
    let mut runtime = match Runtime::open_in(project, &folder::place(folder::ROOM_FILE), options) {
        Ok(runtime) => runtime,
        Err(error) => {
            check_problems(&error.problems, None);
            return Life { hashes: Vec::new(), errors: vec![error.to_string()], instructions: 0 };
        }
    };
    let (mut hashes, mut errors) = (Vec::new(), Vec::new());
    for tick in 0..TICKS {
        match tick {
            4 => runtime.send(Input::Click(dvec2(2.0, 1.0).into())),
            8 => runtime.send(Input::Console(String::from_utf8_lossy(data).into_owned())),
            10 => runtime.send(Input::Console("return room.state, room:npc('ann')".into())),
            _ => {}
        }
        runtime.step();
        hashes.push(runtime.world().checksum());
        errors.extend(check_events(&mut runtime));
        errors.extend(runtime.take_answers().iter().map(|answer| format!("answer: {answer:?}")));
    }
    for off in runtime.switched_off_handlers() {
        check_words(&format!("{off:?}"));
    }
    let (instructions, memory) = runtime.script_usage();
    // The limits of folder.rs, with room for the last call of each owner that goes a little over.
    assert!(instructions < TICKS * 2_000_000, "{instructions} instructions");
    assert!(memory < 24 << 20, "{memory} bytes");
    match runtime.save() {
        Ok(saved) => back(&saved, data, &runtime),
        Err(error) => check_words(&error.to_string()),
    }
    Life { hashes, errors, instructions }
}

/// A room that was saved comes back as it was.
fn back(saved: &Saved, data: &[u8], runtime: &Runtime) {
    let text = saved.to_json().unwrap();
    let read = Saved::read("game.save", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let project = folder::project(&[("scripts/ann.lua", data), ("scripts/room.lua", data)]);
    let options = Options::default().with_limits(folder::limits());
    let back = Runtime::restore(project, &read, options);
    let back = back.unwrap_or_else(|error| panic!("what was saved does not come back: {error}\n{text}"));
    assert_eq!(back.world().tick_number(), runtime.world().tick_number());
}

/// Looks at what happened; the errors of scripts among it.
pub fn check_events(runtime: &mut Runtime) -> Vec<String> {
    let mut errors = Vec::new();
    for event in runtime.take_events() {
        match event {
            RuntimeEvent::Event { text, .. } => check_words(&text),
            RuntimeEvent::Note(Note::Log { text, .. }) => {
                assert!(text.len() <= 1 << 20, "a line of {} bytes", text.len())
            }
            RuntimeEvent::Note(Note::Error(error)) => {
                check_words(&error.message);
                check_words(&error.to_string());
                assert!(!error.file.is_empty() && error.line >= 1, "an error without a place: {error:?}");
                errors.push(error.to_string());
            }
            RuntimeEvent::Refused(error) => check_words(&error.to_string()),
            other => panic!("an event that is looked at nowhere: {other:?}"),
        }
    }
    errors
}
