//! `cicerone run` in a terminal: the room as a living picture, a status bar, and what happened last. To ask, to edit and
//! to go back in time, there is the page; to evaluate Lua without one, `cicerone eval` and a run that prints lines.
//!
//! The loop here paces the steps. [`Screen`] owns the terminal. Frames are composed in `frame.rs`, a plain function of
//! its input.

mod diff;
mod frame;
mod screen;
mod terminal;
#[cfg(test)]
mod tests;
mod text;

use super::session::{Session, in_words};
use super::{OK, print};
use cicerone::draw::{Picture, clean};
use cicerone::problem::foremost;
use cicerone::runtime::{Input, LiveReload, ReloadReport, RuntimeEvent};
use cicerone::script::{Level, Note};
use frame::{MOST_LINES, View};
use screen::{Action, Screen};
use std::collections::{BTreeSet, VecDeque};
use std::io::IsTerminal;
use std::time::{Duration, Instant};
#[cfg(unix)]
pub(in crate::cli) use terminal::give_back as restore_terminal;
use text::{Line, Tone};

/// Time between two frames: smooth to the eye, and easy on slow connections.
const FRAME: Duration = Duration::from_millis(33);
/// Time for steps between two frames; a speed the machine cannot keep up with stays usable.
const STEPPING: Duration = Duration::from_millis(25);
/// After a suspended machine resumes, the room catches up by at most this.
const MOST_BEHIND: Duration = Duration::from_millis(250);
/// How long a notice stays in the last line.
const NOTICE: Duration = Duration::from_secs(5);
/// How long a notice about an error stays.
const COMPLAINT: Duration = Duration::from_secs(15);
/// Upper limit on the different errors that are kept, so that a script with ever-changing messages does not fill the
/// memory.
const MOST_ERRORS: usize = 1000;
/// Upper limit on the problems of refused files that are printed at the end.
const MOST_REFUSED: usize = 100;

/// Runs a room in the terminal until the user quits, or for some seconds of game time. Returns the exit code.
pub(super) fn run(session: &mut Session, speed: f64, seconds: Option<f64>, poll: bool) -> u8 {
    let screen = match Screen::open() {
        Ok(screen) => screen,
        Err(error) => return print::complain(&format!("the terminal cannot be used: {error}")),
    };
    // Log lines would tear the picture, unless standard error is redirected. Important ones are among the events.
    let log_level = ::log::max_level();
    if std::io::stderr().is_terminal() {
        ::log::set_max_level(::log::LevelFilter::Off);
    }
    let mut live = Live::new(session, speed, seconds, poll);
    let result = live.play(screen);
    ::log::set_max_level(log_level);
    // The screen is gone, with all messages on it.
    live.print_errors();
    match result {
        Ok(()) => OK,
        Err(error) => print::complain(&format!("the terminal went away: {error}")),
    }
}

/// A session and its pace.
struct Live<'a> {
    session: &'a mut Session,
    reload: LiveReload,
    last_tick: u64,
    speed: f64,
    paused: bool,
    /// Steps that are due, with their fraction.
    due: f64,
    /// The latest lines.
    log: VecDeque<Line>,
    /// Each error once, as it was told first, and its place and message.
    errors: Vec<String>,
    known: BTreeSet<(String, u32, String)>,
    /// A notice in the last line, and its end; a refused file is noticed until it is mended.
    notice: Option<(Option<Instant>, Line)>,
    over: bool,
}

#[allow(clippy::disallowed_methods)] // paces the steps; the simulation never sees it
impl<'a> Live<'a> {
    fn new(session: &'a mut Session, speed: f64, seconds: Option<f64>, poll: bool) -> Self {
        let reload = LiveReload::new(&session.runtime, poll);
        let last_tick = session.last_tick(seconds);
        let (paused, due, over, notice) = (false, 0.0, false, None);
        let (log, errors, known) = (VecDeque::new(), Vec::new(), BTreeSet::new());
        Self { session, reload, last_tick, speed, paused, due, log, errors, known, notice, over }
    }

    fn play(&mut self, mut screen: Screen) -> std::io::Result<()> {
        let mut before = Instant::now();
        while !self.over {
            let now = Instant::now();
            let passed = now - before;
            before = now;
            self.take_reloads();
            self.step(passed.min(MOST_BEHIND), now);
            self.take_events();
            self.notice.take_if(|(until, _)| until.is_some_and(|until| until <= now));
            self.draw(&mut screen)?;
            for action in screen.poll(FRAME.saturating_sub(now.elapsed())) {
                self.act(action);
            }
        }
        self.take_events();
        Ok(())
    }

    fn step(&mut self, passed: Duration, began: Instant) {
        if !self.paused {
            self.due += passed.as_secs_f64() * self.speed / self.session.runtime.world().dt_s();
        }
        while self.due >= 1.0 && !self.over {
            self.session.step();
            self.take_events();
            self.due -= 1.0;
            self.over = self.session.runtime.world().tick_number() >= self.last_tick;
            if began.elapsed() > STEPPING {
                self.due = self.due.fract();
            }
        }
    }

    fn draw(&self, screen: &mut Screen) -> std::io::Result<()> {
        let runtime = &self.session.runtime;
        let view = View {
            log: &self.log,
            errors: self.errors.len() + self.reload.refused().len(),
            off: &runtime.switched_off_handlers(),
            takes_turns: runtime.crowded_ticks().1,
            speed: self.speed,
            paused: self.paused,
            notice: self.notice.as_ref().map(|(_, line)| line),
        };
        screen.draw(runtime.world(), &view)
    }

    fn act(&mut self, action: Action) {
        match action {
            Action::Quit => self.over = true,
            Action::TogglePause => self.paused = !self.paused,
            Action::Click(at) => {
                // A click means the ground that is seen.
                let picture = Picture::of_world(self.session.runtime.world());
                let at = picture.place_on_storey(picture.storey_to_follow(), at);
                self.session.runtime.send(Input::Click(at));
            }
            Action::Redraw => {}
        }
    }

    fn take_reloads(&mut self) {
        for report in self.reload.poll(&mut self.session.runtime) {
            let soon = Some(Instant::now() + NOTICE);
            let (tone, until) = match &report {
                ReloadReport::Reloaded { .. } | ReloadReport::Mended { .. } => (Tone::Good, soon),
                ReloadReport::Warned { .. } => (Tone::Warning, soon),
                _ => (Tone::Bad, None),
            };
            let words = match &report {
                ReloadReport::Reloaded { .. } => report.brief(),
                other => other.to_string(),
            };
            // In a busy room, events would soon push it off. Of a refusal, the line with the place is worth most.
            let is_held = !self.reload.refused().is_empty() && matches!(report, ReloadReport::Warned { .. });
            let mut lines = words.lines();
            let text = lines.clone().nth(1).or(lines.next()).map(|line| clean(line.trim()));
            if !is_held {
                self.notice = text.map(|text| (until, Line { tone, text }));
            }
            self.tell(tone, words.lines());
        }
    }

    fn take_events(&mut self) {
        for event in self.session.runtime.take_events() {
            let tone = match &event {
                RuntimeEvent::Note(Note::Log { level: Level::Error, .. } | Note::Error(_)) => Tone::Bad,
                RuntimeEvent::Note(Note::Log { level: Level::Warn, .. }) | RuntimeEvent::Refused(_) => {
                    Tone::Warning
                }
                RuntimeEvent::Note(Note::Log { .. } | Note::Called(_) | Note::GivenUp(_)) => Tone::Quiet,
                _ => Tone::Plain,
            };
            let words = in_words(&event);
            if tone == Tone::Bad {
                self.keep_error(&event, &words);
                // "reloaded" must not hide problems that the reload caused.
                let text = clean(words.lines().next().unwrap_or_default());
                self.notice = Some((Some(Instant::now() + COMPLAINT), Line { tone, text: text.clone() }));
                self.tell(tone, [text.as_str()]);
            } else {
                self.tell(tone, words.lines());
            }
        }
    }

    /// Keeps an error that was not told before: scripts repeat theirs after a reload.
    fn keep_error(&mut self, event: &RuntimeEvent, words: &str) {
        let key = match event {
            RuntimeEvent::Note(Note::Error(error)) => (error.file.clone(), error.line, error.message.clone()),
            RuntimeEvent::Note(Note::Log { place, text, .. }) => (place.clone(), 0, text.clone()),
            _ => return,
        };
        if self.errors.len() < MOST_ERRORS && self.known.insert(key) {
            self.errors.push(words.to_owned());
        }
    }

    fn print_errors(&self) {
        match self.errors.len() {
            0 => {}
            1 => print::note("1 error in this run:"),
            MOST_ERRORS => print::note(&format!("{MOST_ERRORS} errors in this run, or more:")),
            count => print::note(&format!("{count} errors in this run:")),
        }
        self.errors.iter().for_each(|line| print::note(line));
        let (shown, left_out) = foremost(self.reload.refused(), MOST_REFUSED);
        for problem in shown {
            print::note(&format!("refused, and not mended: {problem}"));
        }
        if left_out > 0 {
            print::note(&format!("… and {left_out} more problems of what was refused"));
        }
    }

    /// Adds the lines of a text to the log; of a long one the first, as those after it fill the screen.
    fn tell<'t>(&mut self, tone: Tone, lines: impl IntoIterator<Item = &'t str>) {
        for line in lines.into_iter().take(MOST_LINES) {
            if self.log.len() == MOST_LINES {
                self.log.pop_front();
            }
            self.log.push_back(Line { tone, text: clean(line) });
        }
    }
}
