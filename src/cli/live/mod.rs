//! `cicerone run` in a terminal: the room as a living picture, its latest events beneath, and a line to type into.
//!
//! The loop here paces the steps and hands things around. [`Screen`] owns the terminal; what it shows is composed in
//! `frame.rs`, what keys and clicks mean is decided in `keys.rs`, and both are plain functions of their input.

mod diff;
mod frame;
mod keys;
mod palette;
mod prompt;
mod screen;
mod terminal;
#[cfg(test)]
mod tests;
mod typing;
mod view;
mod words;

use super::place::Place;
use super::session::{Session, in_words, spoken};
use super::{OK, print};
use cicerone::draw::clean;
use cicerone::runtime::{Happening, Input, LiveReload, ReloadReport, Saved};
use cicerone::script::{Answer, Level, Note};
use keys::Action;
use screen::Screen;
use std::collections::VecDeque;
use std::io::IsTerminal;
use std::time::{Duration, Instant};
use view::{Line, Tone, View};

/// Time between two pictures: smooth to the eye, and easy on slow connections.
const FRAME: Duration = Duration::from_millis(33);
/// Steps take no longer than this between two pictures; a speed the machine cannot keep up with stays usable.
const STEPPING: Duration = Duration::from_millis(25);
/// A paused machine does not make the room race to catch up by more than this.
const MOST_BEHIND: Duration = Duration::from_millis(250);
/// So long a remark stays in the last line.
const NOTICE: Duration = Duration::from_secs(5);
/// Lines of one thing that a script writes.
const MOST_OF_ONE: usize = 8;
/// Lines that are kept; only the latest are shown.
const MOST_LINES: usize = 64;
/// Each press on + doubles, each on - halves the speed, within these.
const SPEEDS: (f64, f64) = (1.0 / 64.0, 1024.0);

/// Runs a room in the terminal until the reader has enough of it, or for some seconds of game time. Gives the exit code.
pub(super) fn run(session: &mut Session, speed: f64, seconds: Option<f64>, poll: bool) -> u8 {
    let screen = match Screen::open() {
        Ok(screen) => screen,
        Err(error) => return print::complain(&format!("the terminal cannot be used: {error}")),
    };
    // Log lines would tear the picture, unless standard error goes elsewhere; what matters is among the happenings.
    let log_level = log::max_level();
    if std::io::stderr().is_terminal() {
        log::set_max_level(log::LevelFilter::Off);
    }
    let result = Live::new(session, speed, seconds, poll).play(screen);
    log::set_max_level(log_level);
    match result {
        Ok(()) => OK,
        Err(error) => print::complain(&format!("the terminal went away: {error}")),
    }
}

/// A session and its pace.
struct Live<'a> {
    session: &'a mut Session,
    /// The moment to go back to.
    saved: Option<Saved>,
    reload: LiveReload,
    poll: bool,
    last_tick: u64,
    speed: f64,
    paused: bool,
    /// Steps that are due, with their fraction.
    due: f64,
    lines: VecDeque<Line>,
    /// The same without what happened in the room: what whoever types wants to see.
    talk: VecDeque<Line>,
    /// A remark in the last line, and until when; a refused file is remarked on until it is mended.
    notice: Option<(Option<Instant>, Line)>,
    over: bool,
}

#[allow(clippy::disallowed_methods)] // paces the steps; the simulation never sees it
impl<'a> Live<'a> {
    fn new(session: &'a mut Session, speed: f64, seconds: Option<f64>, poll: bool) -> Self {
        let reload = LiveReload::new(&session.runtime, poll);
        let last_tick = session.last_tick(seconds);
        let (lines, talk) = Default::default();
        let (paused, due, notice, over) = (false, 0.0, None, false);
        let saved = None;
        Self { session, saved, reload, poll, last_tick, speed, paused, due, lines, talk, notice, over }
    }

    fn play(mut self, mut screen: Screen) -> std::io::Result<()> {
        let mut before = Instant::now();
        let mut fps = 1.0 / FRAME.as_secs_f64();
        while !self.over {
            let now = Instant::now();
            let passed = now - before;
            before = now;
            fps += (1.0 / passed.as_secs_f64().max(0.001) - fps) * 0.05;
            self.take_reloads();
            self.step(passed.min(MOST_BEHIND), now);
            self.take_happenings();
            self.take_answers();
            self.draw(&mut screen, fps)?;
            let left = FRAME.saturating_sub(now.elapsed());
            for action in screen.poll(left) {
                self.act(action);
            }
        }
        Ok(())
    }

    fn step(&mut self, passed: Duration, began: Instant) {
        if !self.paused {
            self.due += passed.as_secs_f64() * self.speed / self.session.runtime.world().dt_s();
        }
        while self.due >= 1.0 && !self.over {
            self.session.step();
            self.due -= 1.0;
            self.over = self.session.runtime.world().tick_number() >= self.last_tick;
            if began.elapsed() > STEPPING {
                self.due = self.due.fract();
            }
        }
    }

    fn draw(&mut self, screen: &mut Screen, fps: f64) -> std::io::Result<()> {
        self.notice.take_if(|(until, _)| until.is_some_and(|until| until <= Instant::now()));
        let typing_lua = screen.console_is_open();
        if typing_lua {
            screen.learn_names(self.session.runtime.names());
        }
        let lines = if typing_lua { &mut self.talk } else { &mut self.lines };
        let view = View {
            lines: lines.make_contiguous(),
            speed: self.speed,
            paused: self.paused,
            fps,
            notice: self.notice.as_ref().map(|(_, line)| line),
        };
        screen.draw(&self.session.runtime.world(), &view)
    }

    fn act(&mut self, action: Action) {
        match action {
            Action::Quit => self.over = true,
            Action::TogglePause => self.paused = !self.paused,
            Action::Faster => self.speed = (self.speed * 2.0).min(SPEEDS.1),
            Action::Slower => self.speed = (self.speed / 2.0).max(SPEEDS.0),
            Action::Step => {
                self.paused = true;
                self.due = self.due.fract() + 1.0;
            }
            Action::Save => self.save(),
            Action::GoBack => self.go_back(),
            Action::Click(at) => self.session.runtime.send(Input::Click(at)),
            Action::GoTo(words) => self.go_to(&words),
            Action::Evaluate(line) => self.evaluate(line),
        }
    }

    /// Sends the player to what somebody typed.
    fn go_to(&mut self, words: &str) {
        let place =
            words.parse::<Place>().and_then(|place| place.find_to_click(&self.session.runtime.world()));
        match place {
            Ok(at) => self.session.runtime.send(Input::Click(at)),
            Err(why) => self.remark(Tone::Bad, why),
        }
    }

    /// Keeps this moment, in memory only.
    fn save(&mut self) {
        match self.session.runtime.save() {
            Ok(saved) => {
                self.saved = Some(saved);
                let time_s = self.session.runtime.world().time_s();
                self.remark(Tone::Good, format!("saved at {time_s:.1} s; b goes back to it"));
            }
            Err(error) => {
                error.0.iter().for_each(|why| self.tell(Tone::Bad, format!("not saved: {}", clean(why))));
                self.remark(Tone::Bad, format!("not saved: {}", clean(&error.0.join("; "))));
            }
        }
    }

    fn go_back(&mut self) {
        let Some(saved) = &self.saved else {
            return self.remark(Tone::Bad, "nothing is saved yet: s saves".to_owned());
        };
        match self.session.go_back_to(saved) {
            Ok(()) => {
                self.reload = LiveReload::new(&self.session.runtime, self.poll);
                let time_s = self.session.runtime.world().time_s();
                self.remark(Tone::Good, format!("back at {time_s:.1} s"));
            }
            Err(error) => self.remark(Tone::Bad, format!("cannot go back: {}", clean(&error.to_string()))),
        }
    }

    /// Says something in the last line for a while.
    fn remark(&mut self, tone: Tone, text: String) {
        self.notice = Some((Some(Instant::now() + NOTICE), Line { tone, text }));
    }

    /// Runs a line of Lua at once, even if time stands still.
    fn evaluate(&mut self, line: String) {
        self.tell(Tone::Typed, format!("lua> {line}"));
        self.session.runtime.send(Input::Console(line));
        self.session.runtime.attend();
        self.take_happenings();
        if self.take_answers() == 0 {
            self.tell(Tone::Typed, "… it waits; its answer comes when it is over".to_owned());
        }
    }

    fn take_reloads(&mut self) {
        for report in self.reload.poll(&mut self.session.runtime) {
            let (tone, until) = match &report {
                ReloadReport::Reloaded { .. } | ReloadReport::Mended { .. } => {
                    (Tone::Good, Some(Instant::now() + NOTICE))
                }
                ReloadReport::Refused { .. } => (Tone::Bad, None),
            };
            let words = match &report {
                ReloadReport::Reloaded { .. } => report.brief(),
                other => other.to_string(),
            };
            let lines: Vec<String> = words.lines().map(str::to_owned).collect();
            // In a busy room the events would soon push it off. Of a refusal the line that says where is worth most.
            let text = lines.get(1).or(lines.first()).map(|line| line.trim().to_owned());
            self.notice = text.map(|text| (until, Line { tone, text }));
            lines.into_iter().for_each(|text| self.tell(tone, text));
        }
    }

    fn take_happenings(&mut self) {
        for happening in self.session.runtime.take_happenings() {
            let tone = match &happening {
                Happening::Event { .. } => Tone::Plain,
                Happening::Note(Note::Log { level: Level::Error, .. } | Note::Error(_)) => Tone::Bad,
                Happening::Note(Note::Log { level: Level::Warn, .. }) => Tone::Warning,
                Happening::Note(Note::Log { .. }) => Tone::Quiet,
            };
            // A script's traceback is many lines; the latest of them would push the first, which says what is wrong, off.
            let most = if matches!(happening, Happening::Note(Note::Log { .. })) { MOST_OF_ONE } else { 1 };
            for line in in_words(&happening).lines().take(most) {
                self.tell(tone, line.to_owned());
            }
        }
    }

    /// Tells what became of lines of Lua; gives how many have ended.
    fn take_answers(&mut self) -> usize {
        let answers = self.session.runtime.take_answers();
        for answer in &answers {
            let tone = if matches!(answer, Answer::Values(_)) { Tone::Answer } else { Tone::Bad };
            if let Some(words) = spoken(answer) {
                self.tell(tone, words);
            }
        }
        answers.len()
    }

    fn tell(&mut self, tone: Tone, text: String) {
        let line = Line { tone, text };
        if tone != Tone::Plain {
            keep(&mut self.talk, line.clone());
        }
        keep(&mut self.lines, line);
    }
}

fn keep(lines: &mut VecDeque<Line>, line: Line) {
    if lines.len() == MOST_LINES {
        lines.pop_front();
    }
    lines.push_back(line);
}
