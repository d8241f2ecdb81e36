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

    // The player walks to what is typed, and the program ends as it should.
    terminal.types("\r7,1\r");
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
fn a_designer_asks_the_room() {
    let hall = HALL.replace(r#"{ "name": "ann","#, r#"{ "name": "ann", "player": true,"#);
    let project = Project::new(&[("rooms/hall.json", &hall), ("scripts/room.lua", "return {}")]);
    let mut terminal = Terminal::run(&project.path("rooms/hall.json"));
    terminal.shows("ann enters hall");
    terminal.types(":");
    terminal.shows("lua> ");
    // `npc`, and two more that begin so, are listed; the first is taken, and then the only name that begins with b.
    terminal.types("room:np\t");
    let text = terminal.shows("1 of 3");
    assert!(text.contains("> npc") && text.contains("  npcs_in"), "{text}");
    terminal.types("\r");
    terminal.shows("lua> room:npc( ");
    terminal.types("\"b\t");
    terminal.shows("lua> room:npc(\"bob ");
    terminal.types("\"):pos()\r");
    terminal.shows("= {x = 6.0, z = 3.0}");
    // What is assigned is known, and completed; a walk answers when it is over; time goes on meanwhile.
    terminal.types("bobby = _ and room:npc(\"bob\")\rbobb\t:walk_to(6, 1)\r");
    terminal.shows("it waits; Ctrl-C or Esc calls it off");
    terminal.shows("= true, \"arrived\"");
    // Time stands still, and there is an answer all the same.
    terminal.types("\x1b");
    terminal.until("closed line", |text| !text.contains("lua>  "));
    terminal.types(" ");
    terminal.shows("paused");
    terminal.types("`romm\r");
    terminal.shows("error: console:1: undefined variable 'romm'; did you mean 'room'?");
    // The arrow key brings it back, to be mended in its middle.
    terminal.types("\x1b[A\x1b[D\x7fo\x1b[Dx\x7f\x1b[F.tick > 0\r");
    terminal.shows("lua> room.tick > 0");
    terminal.shows("= true");
    // Pasted lines stay lines.
    terminal.types("\x1b[200~local a = 40\nreturn a + 2\n\x1b[201~");
    terminal.shows("  .. return a + 2");
    terminal.types("\r");
    terminal.shows("= 42");
}

/// Each press of an arrow key steers the player for a while; two together steer diagonally.
#[test]
fn the_arrow_keys_steer_the_player() {
    let hall = HALL.replace(r#"{ "name": "ann","#, r#"{ "name": "ann", "player": true,"#);
    let project = Project::new(&[("rooms/hall.json", &hall), ("scripts/room.lua", "return {}")]);
    let mut terminal = Terminal::run(&project.path("rooms/hall.json"));
    terminal.shows("ann enters hall");
    // Time stands still: a press steers once time goes on.
    terminal.types(" ");
    terminal.shows("paused");
    terminal.types("\x1b[C\x1b[B:local a = room:npc('ann') return a.x, a.z, a.steering\r");
    let text = terminal.shows("= 2.0, 1.0, nil");
    assert!(!text.contains("error"), "{text}");
    terminal.types("\x1b");
    terminal.until("closed line", |text| !text.contains("lua>  "));
    terminal.types("."); // one step
    terminal.types(":room:npc('ann').steering\r");
    terminal.shows("= {x = 0.7071");
    terminal.types("\x1b");
    terminal.until("closed line", |text| !text.contains("lua>  "));
    terminal.types(" ");
    terminal.until("time going on", |text| !text.contains("paused"));
    // A press holds for half a second; then the player stands.
    terminal.types(":wait(1) local a = room:npc('ann') return a.x - 2 > 0.3, a.z - 1 > 0.3, a:is_moving()\r");
    terminal.shows("= true, true, false");
    terminal.types("\x1b");
    terminal.until("closed line", |text| !text.contains("lua>  "));
    terminal.types("?");
    terminal.shows("steer the player while held");
}

#[test]
fn errors_stay_until_they_were_read() {
    let hall = HALL.replace(r#"{ "name": "bob","#, r#"{ "name": "bob", "script": "scripts/bob.lua","#);
    let noise = "local R = {} function R.on_update(room) log.info('noise', room.tick) end return R";
    let bob = "local B = {} function B.run() wait(0.3) error('bob is broken') end return B";
    let project =
        Project::new(&[("rooms/hall.json", &hall), ("scripts/room.lua", noise), ("scripts/bob.lua", bob)]);
    let mut terminal = Terminal::run(&project.path("rooms/hall.json"));
    // Sixty lines a second are told, and the error is still to be seen; so is who has it.
    terminal.shows("1 new error");
    terminal.shows("run ended");
    terminal.types("e");
    let text = terminal
        .shows("! bob: run has ended until scripts/bob.lua is saved: scripts/bob.lua:1: bob is broken");
    assert!(text.contains("script error: scripts/bob.lua:1: bob is broken (run of bob"), "{text}");
    // The log, and only what is wrong in it.
    terminal.types("\x1b");
    terminal.until("closed pane", |text| !text.contains("Esc back"));
    terminal.types("l");
    terminal.shows("more above");
    terminal.types("fbroken\r");
    terminal.until("filter", |text| text.contains("only broken") && !text.contains("noise"));
    // A reload mends it. The error stays, as one that was read.
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
fn nothing_typed_is_lost_and_what_waits_is_called_off() {
    let hall = HALL.replace(r#"{ "name": "ann","#, r#"{ "name": "ann", "player": true,"#);
    let twice = "local R = {} function R.run() spawn { at = { x = 4, z = 3 } } end return R";
    let project = Project::new(&[("rooms/hall.json", &hall), ("scripts/room.lua", twice)]);
    let mut terminal = Terminal::run(&project.path("rooms/hall.json"));
    terminal.shows("3 characters");
    // Esc closes what is open and never the room. A wrong name stays, to be mended.
    terminal.types("\x1b");
    terminal.shows("q quits");
    terminal.types("/bra\r");
    let text = terminal.shows("did you mean 'bar'?");
    assert!(text.contains("go to bra"), "{text}");
    terminal.types("\x7f\x7far\r");
    terminal.shows("ann: arrived");
    // A line that waits is called off, and so is its walk.
    terminal.types(":room:npc('ann'):walk_to(7.5, 3.5)\r");
    terminal.shows("call off what waits");
    terminal.types("\x03");
    terminal.shows("called off");
    terminal.types("room:npc('ann'):is_moving()\r");
    terminal.shows("= false");
    // Lua that is not finished goes on, and what is no Lua stays.
    terminal.types("for i = 1, 2 do\r");
    terminal.shows("..    Enter run");
    terminal.types("print('n' .. i))\r");
    let text = terminal.shows("error: console:2:");
    assert!(text.contains(".. print('n' .. i))   Enter run"), "{text}");
    terminal.types("\x7f\rend\r");
    terminal.until("both lines", |text| text.contains("n1") && text.contains("n2"));
    terminal.types("\x1b");
    terminal.until("closed line", |text| !text.contains("lua>  "));
    // A character that comes in once more because `run` restarted is reported.
    terminal.types("s");
    terminal.shows("saved at");
    terminal.types("b");
    terminal.shows("came in as run restarted");
    project.write("scripts/room.lua", &twice.replace("spawn {", "spawn { name = 'cat',"));
    terminal.shows("cat comes in");
    terminal.types("s");
    terminal.shows("saved at");
    terminal.types("b");
    terminal.shows("run restarted and spawns a character that exists already");
    terminal.types("\x03");
    let begun = Instant::now();
    while terminal.child.try_wait().unwrap().is_none() {
        assert!(begun.elapsed() < PATIENCE, "Ctrl-C does not quit");
        std::thread::sleep(Duration::from_millis(5));
    }
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
            !screen.alternate_screen() && !screen.hide_cursor() && !screen.bracketed_paste() && mouse
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
        // The screen is taken over, a picture is drawn, and a key is heard.
        while shown.lock().unwrap().len() < 60 {
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
