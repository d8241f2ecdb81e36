//! Every attack does the same in every process, to the instruction: however memory is laid out, and after a save.

use crate::attacks::Named;
use crate::attacks::attack::{Attack, Dress};
use crate::attacks::watch::Stopwatch;
use crate::common::in_sweeps;
use crate::common::project::{HALL, Project};
use cicerone::project::Project as Files;
use cicerone::runtime::{Options, Runtime, RuntimeEvent, Saved};
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

/// Ticks before the first save, and after it. Most attacks begin behind it. `CICERONE_ATTACK_TICKS=3600` lets them go on
/// for a minute.
const TICKS: (usize, usize) = (2, 6);

/// The local variables of a file, its environment among them, are code, and not saved.
const CHANGES_CODE: &str = "environment_of_the_file_replaced";

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
    let wrong = first.iter().filter(|line| line.contains("restored otherwise"));
    let wrong: Vec<&String> = wrong.filter(|line| !line.contains(CHANGES_CODE)).collect();
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
    let first: Vec<Told> = (0..TICKS.0).map(|_| step(&mut runtime)).collect();
    let saved = runtime.save();
    let after = std::env::var("CICERONE_ATTACK_TICKS").ok().and_then(|ticks| ticks.parse().ok());
    let rest: Vec<Told> = (0..after.unwrap_or(TICKS.1)).map(|_| step(&mut runtime)).collect();
    let again = match saved {
        Err(_) => "not saved".to_owned(),
        // What runs and waits is not saved, and begins afresh.
        // What goes wrong while files are loaded goes wrong again when they are loaded again.
        Ok(_) if dress == Dress::Opened => "at load".into(),
        Ok(saved) if !saved.unsaved.is_empty() || dress == Dress::Sequence => "with unsaved sequences".into(),
        Ok(saved) => restored_in_every_tick(saved, &rest, |saved| {
            Runtime::restore(Files::at(&project.path("")), saved, options()).unwrap()
        }),
    };
    let all = || first.iter().chain(&rest);
    let said: String = all().map(|told| told.said.as_str()).collect();
    let longest = all().map(|told| told.took).max().unwrap_or_default();
    let hash = said
        .bytes()
        .fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3));
    (format!("{hash:016x} {} instructions, {again}", runtime.script_usage().0), longest)
}

/// What happened in a tick, and how long it took.
struct Told {
    said: String,
    took: Duration,
    /// Whether a script failed: a save does not know that its handler was switched off.
    failed: bool,
}

/// Goes on from a save, and is saved and restored again after every tick, until a script fails. What it says must be what
/// was said without.
fn restored_in_every_tick(mut saved: Saved, rest: &[Told], restore: impl Fn(&Saved) -> Runtime) -> String {
    for (tick, told) in rest.iter().enumerate() {
        let mut restored = restore(&saved);
        let again = step(&mut restored);
        if again.said != told.said {
            return format!("restored otherwise: tick {tick}: {} | {}", again.said, told.said);
        }
        match restored.save() {
            Ok(next) if next.unsaved.is_empty() && !told.failed => saved = next,
            _ => break,
        }
    }
    "restored alike".into()
}

/// Runs for a tick.
fn step(runtime: &mut Runtime) -> Told {
    let before = runtime.script_usage().0;
    let watch = Stopwatch::begin();
    runtime.step();
    let took = watch.elapsed();
    let mut said = format!("{} {:016x}\n", runtime.script_usage().0 - before, runtime.world().checksum());
    let mut failed = false;
    for event in runtime.take_events() {
        match event {
            RuntimeEvent::Note(Note::Log { text, .. }) => writeln!(said, "{text}").unwrap(),
            RuntimeEvent::Note(Note::Error(error)) => {
                failed = true;
                writeln!(said, "{}:{}: {}", error.file, error.line, error.message).unwrap();
            }
            _ => {}
        }
    }
    Told { said, took, failed }
}
