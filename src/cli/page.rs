//! `cicerone run --view page`: the room on a page in the browser; the terminal shows its link, and what goes wrong.

use super::session::{Session, in_words};
use super::signals::Asked;
use super::{OK, print};
use cicerone::inspector::Inspector;
use cicerone::runtime::{LiveReload, ReloadReport, RuntimeEvent};
use cicerone::script::{Level, Note};
use clap::Args;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Between two looks at what the pages sent.
const LOOK: Duration = Duration::from_millis(8);

/// Time for steps between two looks; a speed the machine cannot keep up with stays usable.
const STEPPING: Duration = Duration::from_millis(25);

/// Where the page is.
#[derive(Args)]
pub(super) struct PageArgs {
    /// Show the page, and start the browser
    #[arg(long)]
    pub(super) open: bool,
    /// Show the page, on this port of this machine [default: a free one]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// What the page's links to places in files open; {path}, {line} and {column} are filled in [default:
    /// vscode://file/{path}:{line}:{column}]
    #[arg(long, value_name = "LINK")]
    editor: Option<String>,
}

impl PageArgs {
    /// Whether a port is asked for.
    pub(super) fn has_port(&self) -> bool {
        self.port != 0
    }
}

/// Shows a room on a page until the user ends it, or for some seconds of game time. Returns the exit code.
#[allow(clippy::disallowed_methods)] // paces the steps; the simulation never sees it
pub(super) fn run(
    session: &mut Session,
    view: &PageArgs,
    speed: f64,
    seconds: Option<f64>,
    mut reload: Option<LiveReload>,
) -> u8 {
    let mut inspector = match Inspector::open(view.port) {
        Ok(inspector) => inspector,
        Err(error) => {
            return print::complain(&format!("the page cannot listen on port {}: {error}", view.port));
        }
    };
    if let Some(editor) = &view.editor {
        inspector = inspector.with_editor(editor.clone());
    }
    let asked = Asked::listen().unwrap_or_default();
    let is_over = asked.clone();
    inspector = inspector.until(move || is_over.to_end());
    inspector.clock().set_speed(speed);
    let link = inspector.link();
    print::note(&format!("{} is at\n\n    {link}\n", session.runtime.world().room().name));
    print::note("Ctrl-C ends it. --open starts the browser.");
    if view.open
        && let Err(error) = open_browser(&link)
    {
        print::note(&format!("no browser could be started: {error}"));
    }
    session.keep_journal();
    let last = session.last_tick(seconds);
    let mut before = Instant::now();
    let is_over = |session: &Session| session.runtime.world().tick_number() >= last;
    while !is_over(session) && !asked.to_end() {
        let now = Instant::now();
        if let Some(reload) = reload.as_mut().filter(|_| !inspector.is_in_past()) {
            for report in reload.poll(&mut session.runtime) {
                tell_reload(&report);
                inspector.tell_reload(&session.runtime, &report, reload.refused());
            }
        }
        if session.runtime.is_at_end() {
            inspector.clock().set_paused(true);
        }
        inspector.receive(&mut session.runtime);
        inspector.clock().pass((now - before).as_secs_f64());
        before = now;
        let dt_s = session.runtime.world().dt_s();
        let is_done = |session: &Session| is_over(session) || session.runtime.is_at_end();
        while !is_done(session) && inspector.clock().take_step(dt_s) {
            session.send_due_clicks();
            inspector.step(&mut session.runtime);
            if now.elapsed() > STEPPING {
                inspector.clock().give_up_the_rest(dt_s);
                break;
            }
        }
        let events = session.runtime.take_events();
        events.iter().filter(|event| is_trouble(event)).for_each(|event| print::note(&in_words(event)));
        inspector.tell(&session.runtime, &events);
        if let Some(reload) = &reload {
            inspector.tell_warnings(reload.warnings());
        }
        let answers = session.runtime.take_answers();
        inspector.tell_answers(&session.runtime, &answers);
        inspector.publish(&session.runtime);
        std::thread::sleep(LOOK.saturating_sub(now.elapsed()));
    }
    OK
}

/// Whether an event is printed although it is on the page.
fn is_trouble(event: &RuntimeEvent) -> bool {
    matches!(
        event,
        RuntimeEvent::Refused(_)
            | RuntimeEvent::Note(Note::Error(_) | Note::Log { level: Level::Warn | Level::Error, .. })
    )
}

fn tell_reload(report: &ReloadReport) {
    print::note(&cicerone::draw::clean_lines(&report.to_string()));
}

/// Starts the system's browser. It goes on when this program ends.
fn open_browser(link: &str) -> std::io::Result<()> {
    let opener = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let mut command = Command::new(opener);
    command.arg(link).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map(drop)
}

/// Whether this machine can show a browser to the user of this terminal.
pub(super) fn has_browser() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    // On the far side of a secure shell the browser is on another machine.
    let is_remote = is_set("SSH_CONNECTION") || is_set("SSH_TTY");
    let has_screen =
        cfg!(any(target_os = "macos", windows)) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY");
    has_screen && !is_remote
}
