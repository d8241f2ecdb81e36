//! Every attack does the same in every process, to the instruction: however memory is laid out, and after a save.

use crate::attacks::Named;
use crate::attacks::attack::{Attack, Dress};
use crate::attacks::watch::Stopwatch;
use crate::common::in_sweeps;
use crate::common::project::{HALL, Project};
use cicerone::project::Project as Files;
use cicerone::runtime::{Options, Runtime, RuntimeEvent};
use cicerone::script::Note;
use std::fmt::Write;
use std::process::Command;
use std::time::Duration;

/// All attacks there are.
const LISTS: &[&[Named]] = &[
    super::controls::ALL,
    super::coroutines::ALL,
    super::crowds::ALL,
    super::errors::ALL,
    super::files::ALL,
    super::handlers::ALL,
    super::loops::ALL,
    super::mailbox::ALL,
    super::memory::ALL,
    super::metamethods::ALL,
    super::modules::ALL,
    super::patterns::ALL,
    super::provided::ALL,
    super::resonance::ALL,
    super::sequences::ALL,
    super::shared::ALL,
    super::strings::ALL,
    super::tables::ALL,
];

/// In an ordinary run, one of so many attacks is made.
const ONE_OF: usize = 10;

/// Ticks before the save, and after it. Most attacks begin behind it.
const TICKS: (usize, usize) = (2, 6);

/// Set in the processes that make the attacks: the first, and each so manieth behind it.
const EACH: &str = "CICERONE_EACH_ATTACK";

#[test]
fn every_process_is_attacked_alike() {
    let (count, each) = (in_sweeps(8, 2), in_sweeps(1, ONE_OF));
    let this = std::env::current_exe().unwrap();
    let without_chance =
        Command::new("setarch").args(["-R", "true"]).status().is_ok_and(|status| status.success());
    let run = |number: usize| {
        let fixed = without_chance && number % 2 == 1;
        let mut command = if fixed { Command::new("setarch") } else { Command::new(&this) };
        if fixed {
            command.arg("-R").arg(&this);
        }
        let output = command
            .args([
                "--exact",
                "attacks::processes::all_attacks",
                "--ignored",
                "--nocapture",
                "--test-threads=1",
            ])
            .env(EACH, each.to_string())
            .env("CICERONE_PADDING", "x".repeat(number * 1111))
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let lines = |text: &str| -> Vec<String> {
        text.lines()
            .filter(|line| line.contains("attacks::"))
            .filter(|line| line.contains(" = "))
            .map(str::to_owned)
            .collect()
    };
    let first = lines(&run(0));
    assert!(first.len() > 30, "{first:?}");
    for number in 1..count {
        for (one, other) in first.iter().zip(lines(&run(number))) {
            assert_eq!(*one, other, "process {number}");
        }
    }
    let restored = first.iter().filter(|line| line.contains("restored alike")).count();
    assert!(restored * 2 > first.len(), "{restored} of {}", first.len());
    let wrong: Vec<&String> = first.iter().filter(|line| line.contains("restored otherwise")).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What the processes do. Each attack tells the instructions of each tick, all errors, and where everybody ended up.
#[test]
#[ignore = "the processes of the test above run this"]
fn all_attacks() {
    let Some(each) = std::env::var(EACH).ok().and_then(|each| each.parse().ok()) else { return };
    for (name, attack) in LISTS.iter().flat_map(|list| list.iter()).step_by(each) {
        let attack = attack();
        let (outcome, longest) = outcome(&attack, attack.dresses[0]);
        println!("{name} = {outcome}");
        // For runs by hand; no test looks at it.
        eprintln!("{name}: {:.1} ms", longest.as_secs_f64() * 1e3);
    }
}

/// What came of an attack, and how long its longest step took.
fn outcome(attack: &Attack, dress: Dress) -> (String, Duration) {
    // Nobody else has a script: sequences that run are not saved, and begin afresh.
    let hall = HALL.replace(r#"{ "name": "ann","#, r#"{ "name": "ann", "script": "scripts/attack.lua","#);
    let project = Project::new(&[
        ("rooms/hall.json", &hall),
        ("scripts/room.lua", "return {}"),
        ("scripts/util.lua", "return { name = 'util' }"),
    ]);
    std::fs::write(project.path("scripts/attack.lua"), attack.text(dress)).unwrap();
    let options = || Options::default().with_limits(attack.limits(dress));
    let mut runtime = project.open_with(options());
    let (mut said, first) = steps(&mut runtime, TICKS.0);
    let saved = runtime.save();
    let (rest, second) = steps(&mut runtime, TICKS.1);
    said += &rest;
    let again = match saved {
        Err(_) => "not saved".to_owned(),
        // What runs and waits is not saved, and begins afresh.
        // What goes wrong while files are loaded goes wrong again when they are loaded again.
        Ok(_) if dress == Dress::Opened => "at load".into(),
        Ok(saved) if !saved.unsaved.is_empty() || dress == Dress::Sequence => "with unsaved sequences".into(),
        Ok(saved) => {
            let mut restored = Runtime::restore(Files::at(&project.path("")), &saved, options()).unwrap();
            let (again, _) = steps(&mut restored, TICKS.1);
            let differs = again.lines().zip(rest.lines()).find(|(again, rest)| again != rest);
            match differs {
                Some((again, rest)) => format!("restored otherwise: {again} | {rest}"),
                None => "restored alike".into(),
            }
        }
    };
    let hash = said
        .bytes()
        .fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3));
    (format!("{hash:016x} {} instructions, {again}", runtime.script_usage().0), first.max(second))
}

/// Runs for so many ticks, and writes down what happens; with the longest of them.
fn steps(runtime: &mut Runtime, ticks: usize) -> (String, Duration) {
    let (mut said, mut longest) = (String::new(), Duration::ZERO);
    for _ in 0..ticks {
        let before = runtime.script_usage().0;
        let watch = Stopwatch::begin();
        runtime.step();
        longest = longest.max(watch.elapsed());
        writeln!(said, "{} {:016x}", runtime.script_usage().0 - before, runtime.world().checksum()).unwrap();
        for event in runtime.take_events() {
            match event {
                RuntimeEvent::Note(Note::Log { text, .. }) => writeln!(said, "{text}").unwrap(),
                RuntimeEvent::Note(Note::Error(error)) => {
                    writeln!(said, "{}:{}: {}", error.file, error.line, error.message).unwrap();
                }
                _ => {}
            }
        }
    }
    (said, longest)
}
