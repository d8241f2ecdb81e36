//! How a run ends that somebody interrupts, or that cannot write; and files that are none.
#![cfg(unix)]

use crate::common::project::{HALL, Project};
use std::fs::File;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

fn hall() -> Project {
    let chatty = "local R = {} function R.run() every(0.1, function() log.info('tick') end) end return R";
    Project::new(&[("rooms/hall.json", HALL), ("scripts/room.lua", chatty)])
}

fn command(folder: &Path, args: &[&str]) -> Command {
    let mut run = Command::new(env!("CARGO_BIN_EXE_cicerone"));
    run.current_dir(folder).args(args).stdin(Stdio::null()).stderr(Stdio::piped());
    run
}

/// Sends a signal once the log has something in it, and waits for the end.
#[allow(clippy::disallowed_methods)] // another process takes real time
fn interrupted(child: Child, log: &Path, signal: &str) -> Output {
    let begun = Instant::now();
    while std::fs::metadata(log).map_or(0, |log| log.len()) == 0 && begun.elapsed() < Duration::from_secs(60)
    {
        std::thread::sleep(Duration::from_millis(5));
    }
    let sent = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    child.wait_with_output().unwrap()
}

#[test]
fn an_interrupted_run_keeps_its_save_and_its_recording() {
    for signal in ["-INT", "-TERM", "-HUP", "-QUIT", "-USR1"] {
        let project = hall();
        let log = project.path("log");
        let child = command(
            &project.path(""),
            &["run", "rooms/hall.json", "--save", "end.save", "--record", "run.rec"],
        )
        .stdout(File::create(&log).unwrap())
        .spawn()
        .unwrap();
        let output = interrupted(child, &log, signal);
        assert_eq!(output.status.code(), Some(0), "{signal}: {output:?}");
        let again = ["run", "--restore", "end.save", "--headless", "--seconds", "1"];
        let again = command(&project.path(""), &again).output().unwrap();
        assert_eq!(again.status.code(), Some(0), "{signal}: {again:?}");
        let recording = std::fs::read(project.path("run.rec")).unwrap();
        let recording = cicerone::record::Recording::read(&recording).unwrap();
        assert!(!recording.is_cut() && recording.last_tick() > 0, "{signal}");
    }
}

#[test]
fn an_interrupted_headless_run_says_so() {
    let project = hall();
    let log = project.path("log");
    let args = ["run", "rooms/hall.json", "--headless", "--seconds", "9000000", "--save", "end.save"];
    let child = command(&project.path(""), &args).stderr(File::create(&log).unwrap()).spawn().unwrap();
    let output = interrupted(child, &log, "-INT");
    assert_eq!(output.status.code(), Some(1));
    assert!(std::fs::read_to_string(&log).unwrap().contains("interrupted at tick "));
    assert!(project.path("end.save").exists());
}

#[test]
fn what_cannot_be_written_is_told() {
    if !Path::new("/dev/full").exists() {
        return; // only Linux has a disk that is always full
    }
    let project = hall();
    for args in [&["run", "rooms/hall.json", "--seconds", "2"][..], &["run", "rooms/hall.json", "--headless"]]
    {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = command(&project.path(""), args).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("No space left"), "{output:?}");
    }
}

#[test]
fn only_regular_files_are_restored() {
    let project = hall();
    let pipe = project.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for file in ["pipe", "/dev/zero", "rooms"] {
        for words in [&["run", "--headless", "--restore"][..], &["replay"], &["check"]] {
            if (words, file) == (&["check"][..], "rooms") {
                continue; // a folder stands for what is in it
            }
            let output = command(&project.path(""), words).arg(file).output().unwrap();
            assert_eq!(output.status.code(), Some(2), "{words:?} {file}: {output:?}");
            let said = String::from_utf8_lossy(&output.stderr) + String::from_utf8_lossy(&output.stdout);
            assert!(said.contains("it is not a regular file"), "{words:?} {file}: {said}");
        }
    }
}

/// Says a word, and hangs in one of the next steps.
const HANGING: &str = "local R = {} function R.on_load() log.info('tick') after(0.1, function() while true do end end) end return R";

/// The time from a signal to the end of a process that hangs, and how it ended.
fn killed_while_it_hangs(mut child: Child, log: &Path, signal: &str) -> (Duration, ExitStatus) {
    let begun = Instant::now();
    while std::fs::metadata(log).map_or(0, |log| log.len()) == 0 && begun.elapsed() < Duration::from_secs(60)
    {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(600));
    assert_eq!(child.try_wait().unwrap(), None);
    let sent = Instant::now();
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    while sent.elapsed() < Duration::from_secs(20) {
        if let Some(status) = child.try_wait().unwrap() {
            return (sent.elapsed(), status);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    panic!("{signal} is not obeyed");
}

/// A busy machine takes its time; without the watch nothing would end at all.
const OBEYED: Duration = Duration::from_millis(2_500);

#[test]
fn the_first_signal_is_obeyed_while_a_step_hangs() {
    let project = Project::new(&[("rooms/hall.json", HALL), ("scripts/room.lua", HANGING)]);
    let run = ["run", "rooms/hall.json", "--no-limits"];
    for (args, signal, number) in [
        (&["--view", "none"][..], "-TERM", 15),
        (&["--view", "none"], "-INT", 2),
        (&["--view", "page"], "-TERM", 15),
        (&["--headless", "--record", "run.rec"], "-INT", 2),
    ] {
        let log = project.path("log");
        let out = File::create(&log).unwrap();
        let mut command = command(&project.path(""), &[&run[..], args].concat());
        let child = command.stdout(out.try_clone().unwrap()).stderr(out).spawn().unwrap();
        let (took, status) = killed_while_it_hangs(child, &log, signal);
        assert!(took < OBEYED, "{args:?} {signal}: {took:?}");
        assert_eq!(status.signal(), Some(number), "{args:?} {signal}: {status}");
        std::fs::remove_file(log).unwrap();
    }
}

/// `timeout` sends its signal twice, to the process and to its group.
#[test]
fn two_signals_at_once_are_one() {
    let project = hall();
    let log = project.path("log");
    let args = ["run", "rooms/hall.json", "--save", "end.save", "--record", "run.rec"];
    let mut child = command(&project.path(""), &args).stdout(File::create(&log).unwrap()).spawn().unwrap();
    while std::fs::metadata(&log).unwrap().len() == 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    let twice = format!("kill -TERM {0}; kill -TERM {0}", child.id());
    assert!(Command::new("sh").args(["-c", &twice]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert!(project.path("end.save").exists());
}

/// Commands that keep nothing have no handler, so that nothing can hold a signal up.
#[test]
fn other_commands_obey_at_once() {
    let project = hall();
    for (args, orders) in [
        (&["monkey", "rooms/hall.json", "--seeds", "1000000"][..], ""),
        (&["bench", "rooms/hall.json"], ""),
        (
            &["serve", "rooms/hall.json", "--stdio", "--no-limits"],
            "{\"do\": \"lua\", \"line\": \"while true do end\"}\n",
        ),
    ] {
        let mut child = command(&project.path(""), args)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(orders.as_bytes()).unwrap();
        std::thread::sleep(Duration::from_millis(800));
        if child.try_wait().unwrap().is_some() {
            continue; // it was quick
        }
        let sent = Instant::now();
        assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
        assert_eq!(child.wait().unwrap().signal(), Some(15), "{args:?}");
        assert!(sent.elapsed() < OBEYED, "{args:?}");
    }
}
