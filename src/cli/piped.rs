//! Runs a room whose events go to a file or a pipe, line by line.

use super::lines::{Joined, Lines};
use super::session::{Session, in_words, spoken};
use super::signals::Asked;
use super::{OK, print};
use cicerone::draw::clean_lines;
use cicerone::runtime::{Input, LiveReload};
use std::io::Write;
use std::time::{Duration, Instant};

/// Upper limit on the input lines evaluated in one step.
const LINES_A_STEP: usize = 16;

/// Real time, one line per event: for logs and for terminals that cannot draw. Input lines are evaluated.
#[allow(clippy::disallowed_methods)] // paces the steps; the simulation never sees it
pub(super) fn run_as_lines(session: &mut Session, speed: f64, seconds: Option<f64>, poll: bool) -> u8 {
    let last = session.last_tick(seconds);
    let mut reload = LiveReload::new(&session.runtime, poll);
    let step = Duration::from_secs_f64(session.runtime.world().dt_s() / speed);
    let mut next = Instant::now();
    let mut out = std::io::stdout();
    let incoming = Lines::incoming();
    let mut joined = Joined::default();
    let asked = Asked::listen().unwrap_or_default();
    while session.runtime.world().tick_number() < last && !asked.to_end() {
        for report in reload.poll(&mut session.runtime) {
            if let Err(error) = written(&mut out, &report) {
                return not_written(&error);
            }
        }
        session.step();
        let happened = session.runtime.take_events();
        let answered = session.runtime.take_answers();
        let lines = happened.iter().map(in_words).chain(answered.iter().filter_map(spoken));
        for line in lines {
            if let Err(error) = written(&mut out, &line) {
                return not_written(&error);
            }
        }
        // After a step, so that the results of the scripts' first step exist when the first line runs.
        let came = incoming.iter().flat_map(|lines| std::iter::from_fn(|| lines.next()).take(LINES_A_STEP));
        for line in came {
            // An empty line ends an incomplete text.
            let text = match line.is_empty() {
                true => joined.end(),
                false => joined.take(&line, |text| session.runtime.is_unfinished(text)),
            };
            match text {
                Some(text) => session.runtime.send(Input::Console(text)),
                None if line.is_empty() => {}
                None => {
                    if let Err(error) = written(&mut out, &"… it goes on; an empty line ends it") {
                        return not_written(&error);
                    }
                }
            }
        }
        next += step;
        let now = Instant::now();
        if next > now {
            std::thread::sleep(next - now);
        } else if now - next > Duration::from_millis(250) {
            next = now; // after a suspended machine resumes, the room does not catch up
        }
    }
    OK
}

fn written(out: &mut impl Write, line: &dyn std::fmt::Display) -> std::io::Result<()> {
    writeln!(out, "{}", clean_lines(&line.to_string())).and_then(|()| out.flush())
}

/// A closed pipe is no error; a full disk is reported.
fn not_written(error: &std::io::Error) -> u8 {
    match error.kind() {
        std::io::ErrorKind::BrokenPipe => OK,
        _ => print::complain(&format!("cannot write what happens: {error}")),
    }
}
