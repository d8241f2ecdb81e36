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
        let (pty, pts) = open().unwrap();
        pty.resize(pty_process::Size::new(ROWS, COLUMNS)).unwrap();
        let command =
            Command::new(env!("CARGO_BIN_EXE_cicerone")).arg("run").arg(room).env("TERM", "xterm-256color");
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
    terminal.shows("it waits; its answer comes when it is over");
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
    // Pasted lines become one.
    terminal.types("\x1b[200~local a = 40\nreturn a + 2\n\x1b[201~\r");
    terminal.shows("= 42");
}
