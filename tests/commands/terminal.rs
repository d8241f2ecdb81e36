//! The real program in a pseudo-terminal, as a designer uses it: watch, edit, break, mend.

use crate::common::project::{HALL, Project};
use pty_process::blocking::{Command, Pty, open};
use std::io::{Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const ROWS: u16 = 40;
const COLUMNS: u16 = 110;

/// How long anything may take to show, on a busy machine. That the product itself takes 200 ms at most is what its own
/// `in N ms` says.
const PATIENCE: Duration = Duration::from_secs(10);

const PACER: &str = "local P = { pause = 30 }
function P.run(self, npc)
  while true do
    self.rounds = (self.rounds or 0) + 1
    npc:say('round ' .. self.rounds)
    wait(P.pause)
  end
end
return P
";

/// A program on a terminal of its own, and the screen as one would see it.
struct Terminal {
    child: std::process::Child,
    keyboard: Pty,
    screen: Arc<Mutex<vt100::Parser>>,
}

impl Terminal {
    fn run(room: &Path) -> Self {
        Self::run_with(room, &[])
    }

    fn run_with(room: &Path, more: &[&str]) -> Self {
        let (pty, pts) = open().unwrap();
        pty.resize(pty_process::Size::new(ROWS, COLUMNS)).unwrap();
        let command = Command::new(env!("CARGO_BIN_EXE_cicerone"))
            .args(["run", "--view", "terminal"])
            .arg(room)
            .args(more)
            .env("TERM", "xterm-256color");
        let child = command.spawn(pts).unwrap();
        let screen = Arc::new(Mutex::new(vt100::Parser::new(
            ROWS.try_into().unwrap(),
            COLUMNS.try_into().unwrap(),
            0,
        )));
        let seen = screen.clone();
        let keyboard = pty;
        let fd = std::os::fd::AsFd::as_fd(&keyboard).try_clone_to_owned().unwrap();
        std::thread::spawn(move || {
            let mut output = std::fs::File::from(fd);
            let mut bytes = [0; 4096];
            while let Ok(count) = output.read(&mut bytes) {
                if count == 0 {
                    break;
                }
                seen.lock().unwrap().process(&bytes[..count]);
            }
        });
        Self { child, keyboard, screen }
    }

    fn text(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    fn until(&self, what: &str, seen: impl Fn(&str) -> bool) -> String {
        let begun = Instant::now();
        loop {
            let text = self.text();
            if seen(&text) {
                return text;
            }
            assert!(begun.elapsed() < PATIENCE, "no {what} on the screen:\n{text}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    fn shows(&self, words: &str) -> String {
        self.until(words, |text| text.contains(words))
    }

    /// The column and the row of the place left of some words, from 1.
    fn place_of(&self, words: &str) -> (usize, usize) {
        let text = self.text();
        let mut rows = text.lines().enumerate();
        let found = rows.find_map(|(row, line)| {
            let at = line.find(words)?;
            Some((line[..at].chars().count(), row + 1))
        });
        found.unwrap_or_else(|| panic!("no {words} on the screen:\n{text}"))
    }

    fn types(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The milliseconds of the last "reloaded FILE in N ms" on the screen.
fn reload_ms(text: &str, file: &str) -> Option<u64> {
    let line = text.lines().rev().find(|line| line.contains(&format!("reloaded {file} in ")))?;
    line.split_once(" in ")?.1.split_once(" ms")?.0.parse().ok()
}

#[test]
fn a_designer_watches_edits_breaks_and_mends() {
    let hall = HALL.replace(r#"{ "name": "ann","#, r#"{ "name": "ann", "player": true,"#);
    let hall = hall.replace(r#"{ "name": "bob","#, r#"{ "name": "bob", "script": "scripts/pacer.lua","#);
    let project = Project::new(&[
        ("rooms/hall.json", &hall),
        ("scripts/room.lua", "return {}"),
        ("scripts/pacer.lua", PACER),
    ]);
    let mut terminal = Terminal::run(&project.path("rooms/hall.json"));
    terminal.shows("bob: “round 1”");

    // A shorter pause, saved: live at once, and bob remembers how many rounds he made.
    project.write("scripts/pacer.lua", &PACER.replace("pause = 30", "pause = 0.5"));
    let text = terminal.shows("reloaded scripts/pacer.lua in ");
    let took = reload_ms(&text, "scripts/pacer.lua").unwrap();
    assert!(took <= 1000, "{took} ms from the save to live");
    terminal.shows("bob: “round 3”");

    // An obstacle appears in the room.
    let table = r#""obstacles": [{ "name": "table", "polygon": [[4.5, 2], [5, 2], [5, 2.5], [4.5, 2.5]] }], "points""#;
    project.write("rooms/hall.json", &hall.replace("\"points\"", table));
    terminal.shows("reloaded rooms/hall.json in ");

    // A broken script: told with its place; bob goes on.
    project.write("scripts/pacer.lua", &PACER.replace("return P", "return P)"));
    terminal.until("place of the mistake", |text| {
        text.contains("refused scripts/pacer.lua") && text.contains("scripts/pacer.lua:9:9")
    });
    let rounds = |text: &str| text.matches("bob: “round ").count();
    terminal.until("bob going on", |text| rounds(text) >= 4);

    // A broken room: the same.
    project.write("rooms/hall.json", &hall.replace("\"cellSize\": 0.25,", "\"cellSize\": 0.25"));
    terminal.until("place of the mistake", |text| {
        text.contains("refused rooms/hall.json") && text.contains("rooms/hall.json:2:")
    });

    // Both mended.
    project.write("scripts/pacer.lua", &PACER.replace("pause = 30", "pause = 0.6"));
    terminal.shows("reloaded scripts/pacer.lua in ");
    project.write("rooms/hall.json", &hall.replace("[1, 1] }", "[1.5, 1] }"));
    terminal.shows("reloaded rooms/hall.json in ");

    // Time stands still and goes on; the player walks to where the mouse clicks, and the program ends as it should.
    terminal.types(" ");
    terminal.shows("paused");
    terminal.types(" ");
    terminal.until("time going on", |text| !text.contains("paused"));
    let (column, row) = terminal.place_of("bar");
    terminal.types(&format!("\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m"));
    terminal.shows("ann: arrived");
    terminal.types("q");
    let begun = Instant::now();
    loop {
        if let Some(status) = terminal.child.try_wait().unwrap() {
            assert!(status.success(), "{status}");
            break;
        }
        assert!(begun.elapsed() < PATIENCE, "q does not quit");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn errors_stay_until_the_end() {
    let hall = HALL.replace(r#"{ "name": "bob","#, r#"{ "name": "bob", "script": "scripts/bob.lua","#);
    let noise = "local R = {} function R.on_update(room) log.info('noise', room.tick) end return R";
    let bob = "local B = {} function B.run() wait(0.3) error('bob is broken') end return B";
    let project =
        Project::new(&[("rooms/hall.json", &hall), ("scripts/room.lua", noise), ("scripts/bob.lua", bob)]);
    let mut terminal = Terminal::run(&project.path("rooms/hall.json"));
    // Sixty lines a second are told, and the error is still to be seen; so is who has it.
    let text = terminal.shows("run ended");
    assert!(text.contains("hall   1 error   "), "{text}");
    terminal.shows("script error: scripts/bob.lua:1: bob is broken (run of bob");
    // A reload mends it. That there was one stays.
    project.write("scripts/bob.lua", "return {}");
    terminal.until("mended error", |text| text.contains("hall   1 error   ") && !text.contains("run ended"));
    terminal.types("q");
    let begun = Instant::now();
    while terminal.child.try_wait().unwrap().is_none() {
        assert!(begun.elapsed() < PATIENCE, "q does not quit");
        std::thread::sleep(Duration::from_millis(5));
    }
    let text = terminal.shows("1 error in this run:");
    assert!(text.contains("script error: scripts/bob.lua:1: bob is broken (run of bob, tick "), "{text}");
}

#[test]
fn a_terminal_that_goes_away_ends_it() {
    let project = Project::new(&[("rooms/hall.json", HALL), ("scripts/room.lua", "return {}")]);
    let (mut pty, pts) = open().unwrap();
    pty.resize(pty_process::Size::new(ROWS, COLUMNS)).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_cicerone"));
    command = command
        .args(["run", "--view", "terminal"])
        .arg(project.path("rooms/hall.json"))
        .env("TERM", "xterm-256color");
    let mut child = command.spawn(pts).unwrap();
    let (mut shown, mut bytes) = (0, [0; 4096]);
    while shown < 3000 {
        shown += pty.read(&mut bytes).unwrap();
    }
    drop(pty);
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > PATIENCE {
            child.kill().unwrap();
            panic!("it goes on without a terminal");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn whatever_ends_it_the_terminal_is_given_back() {
    for signal in ["-INT", "-TERM", "-HUP", "-QUIT", "-USR1", "-USR2"] {
        let project = Project::new(&[("rooms/hall.json", HALL), ("scripts/room.lua", "return {}")]);
        let mut terminal = Terminal::run(&project.path("rooms/hall.json"));
        terminal.shows("ann");
        assert!(terminal.screen.lock().unwrap().screen().alternate_screen());
        let id = terminal.child.id().to_string();
        assert!(std::process::Command::new("kill").args([signal, &id]).status().unwrap().success());
        let begun = Instant::now();
        while terminal.child.try_wait().unwrap().is_none() {
            assert!(begun.elapsed() < PATIENCE, "{signal} does not end it");
            std::thread::sleep(Duration::from_millis(5));
        }
        let given_back = || {
            let parser = terminal.screen.lock().unwrap();
            let screen = parser.screen();
            let mouse = screen.mouse_protocol_mode() == vt100::MouseProtocolMode::None;
            !screen.alternate_screen() && !screen.hide_cursor() && mouse
        };
        // What it wrote last may still be on its way.
        while !given_back() {
            assert!(begun.elapsed() < PATIENCE, "{signal} leaves the terminal as it was");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// A terminal may say that it has any size, and a window may be dragged to nothing.
#[test]
fn a_terminal_of_any_size_is_drawn_on() {
    for (rows, columns) in [(u16::MAX, u16::MAX), (1, u16::MAX), (u16::MAX, 1), (0, 0), (1, 1), (8, 20)] {
        let project = Project::new(&[("rooms/hall.json", HALL), ("scripts/room.lua", "return {}")]);
        let (mut pty, pts) = open().unwrap();
        pty.resize(pty_process::Size::new(rows, columns)).unwrap();
        let command = Command::new(env!("CARGO_BIN_EXE_cicerone"));
        let command = command
            .args(["run", "--view", "terminal"])
            .arg(project.path("rooms/hall.json"))
            .env("TERM", "xterm-256color");
        let mut child = command.spawn(pts).unwrap();
        let begun = Instant::now();
        let fd = std::os::fd::AsFd::as_fd(&pty).try_clone_to_owned().unwrap();
        let shown = Arc::new(Mutex::new(Vec::new()));
        let kept = shown.clone();
        std::thread::spawn(move || {
            let (mut output, mut bytes) = (std::fs::File::from(fd), [0; 4096]);
            while let Some(count) = output.read(&mut bytes).ok().filter(|&count| count > 0) {
                kept.lock().unwrap().extend_from_slice(&bytes[..count]);
            }
        });
        // The screen is taken over, and a key is heard.
        while shown.lock().unwrap().len() < 50 {
            assert!(begun.elapsed() < PATIENCE, "{columns} × {rows}: nothing is drawn");
            std::thread::sleep(Duration::from_millis(5));
        }
        pty.write_all(b"q").unwrap();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            assert!(begun.elapsed() < 2 * PATIENCE, "{columns} × {rows}: q does not quit");
            std::thread::sleep(Duration::from_millis(5));
        };
        assert!(status.success(), "{columns} × {rows}: {status}");
        // No row and no column is written to that no screen has.
        let text = String::from_utf8_lossy(&shown.lock().unwrap()).into_owned();
        for place in text.split("\x1b[").filter_map(|part| part.split_once('H')?.0.split_once(';')) {
            let (Ok(row), Ok(column)) = (place.0.parse::<usize>(), place.1.parse::<usize>()) else {
                continue;
            };
            assert!(
                row <= 200.min(rows.into()) && column <= 600.min(columns.into()),
                "{columns} × {rows}: {row};{column}"
            );
        }
    }
}

#[test]
fn a_signal_while_a_step_hangs_ends_the_program_and_restores_the_terminal() {
    let hanging = "local R = {} function R.on_load() log.info('here it comes') after(0.5, function() while true do end end) end return R";
    let project = Project::new(&[("rooms/hall.json", HALL), ("scripts/room.lua", hanging)]);
    let mut terminal = Terminal::run_with(&project.path("rooms/hall.json"), &["--no-limits"]);
    terminal.shows("here it comes");
    std::thread::sleep(Duration::from_millis(1200));
    assert!(terminal.screen.lock().unwrap().screen().alternate_screen());
    let sent = Instant::now();
    let id = terminal.child.id().to_string();
    assert!(std::process::Command::new("kill").arg(id).status().unwrap().success());
    while terminal.child.try_wait().unwrap().is_none() {
        assert!(sent.elapsed() < Duration::from_millis(2_500), "the signal is not obeyed");
        std::thread::sleep(Duration::from_millis(5));
    }
    let restored = |terminal: &Terminal| {
        let screen = terminal.screen.lock().unwrap();
        !screen.screen().alternate_screen() && !screen.screen().hide_cursor()
    };
    while !restored(&terminal) {
        assert!(sent.elapsed() < PATIENCE, "the terminal is not restored");
        std::thread::sleep(Duration::from_millis(5));
    }
}
