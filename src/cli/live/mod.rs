//! `cicerone run` in a terminal: the room as a living picture, its latest events beneath, and an input line.
//!
//! The loop here paces the steps and passes data around. [`Screen`] owns the terminal. Frames are composed in
//! `frame.rs`, keys and clicks are interpreted in `keys.rs`; both are plain functions of their input. `log.rs` keeps
//! all lines, and `errors.rs` every error.

mod diff;
mod errors;
mod frame;
mod keys;
mod level;
mod log;
mod moments;
mod palette;
mod pane;
mod prompt;
mod screen;
mod status;
mod stick;
mod terminal;
#[cfg(test)]
mod tests;
mod text;
mod typing;
mod view;

use super::place::PlaceArg;
use super::session::{Session, in_words, spoken};
use super::{OK, print};
use cicerone::draw::Picture;
use cicerone::nav::Place;
use cicerone::runtime::{Input, LiveReload, ReloadReport, RuntimeEvent, Saved};
use cicerone::script::{Answer, Level, Note, SwitchedOff};
use cicerone::world::EventKind;
use errors::Errors;
use glam::DVec2;
use keys::Action;
use log::Log;
use moments::Back;
use pane::{Scroll, Shows};
use screen::Screen;
use std::io::IsTerminal;
use std::time::{Duration, Instant};
use stick::Stick;
#[cfg(unix)]
pub(in crate::cli) use terminal::give_back as restore_terminal;
use text::{Line, Tone};
use view::View;

/// Time between two frames: smooth to the eye, and easy on slow connections.
const FRAME: Duration = Duration::from_millis(33);
/// Time for steps between two frames; a speed the machine cannot keep up with stays usable.
const STEPPING: Duration = Duration::from_millis(25);
/// After a suspended machine resumes, the room catches up by at most this.
const MOST_BEHIND: Duration = Duration::from_millis(250);
/// How long a notice stays in the last line.
const NOTICE: Duration = Duration::from_secs(5);
/// How long a notice about a problem stays.
const COMPLAINT: Duration = Duration::from_secs(15);
/// The range of speeds. + doubles the speed, - halves it.
const SPEEDS: (f64, f64) = (1.0 / 64.0, 1024.0);

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
    let refused = live.reload.refused();
    live.errors.in_words(refused).iter().for_each(|line| print::note(line));
    match result {
        Ok(()) => OK,
        Err(error) => print::complain(&format!("the terminal went away: {error}")),
    }
}

/// A session and its pace.
struct Live<'a> {
    session: &'a mut Session,
    /// The moment to go back to, and the arrow keys held then.
    saved: Option<(Saved, Stick)>,
    stick: Stick,
    reload: LiveReload,
    poll: bool,
    last_tick: u64,
    speed: f64,
    paused: bool,
    /// Steps that are due, with their fraction.
    due: f64,
    /// The lines told so far.
    log: Log,
    errors: Errors,
    /// The number of script errors at the last count.
    counted: u64,
    /// The list of errors, while it is shown.
    error_list: Log,
    /// Handlers that are switched off.
    off: Vec<SwitchedOff>,
    /// Events since going back to a moment, until the next step.
    back_at: Option<Back>,
    /// A notice in the last line, and its end; a refused file is noticed until it is mended.
    notice: Option<(Option<Instant>, Line)>,
    over: bool,
}

#[allow(clippy::disallowed_methods)] // paces the steps; the simulation never sees it
impl<'a> Live<'a> {
    fn new(session: &'a mut Session, speed: f64, seconds: Option<f64>, poll: bool) -> Self {
        let reload = LiveReload::new(&session.runtime, poll);
        let last_tick = session.last_tick(seconds);
        Self {
            session,
            saved: None,
            stick: Stick::default(),
            reload,
            poll,
            last_tick,
            speed,
            paused: false,
            due: 0.0,
            log: Log::default(),
            errors: Errors::default(),
            counted: 0,
            error_list: Log::default(),
            off: Vec::new(),
            back_at: None,
            notice: None,
            over: false,
        }
    }

    fn play(&mut self, mut screen: Screen) -> std::io::Result<()> {
        let mut before = Instant::now();
        let mut fps = 1.0 / FRAME.as_secs_f64();
        while !self.over {
            let now = Instant::now();
            let passed = now - before;
            before = now;
            fps += (1.0 / passed.as_secs_f64().max(0.001) - fps) * 0.05;
            self.take_reloads();
            self.step(passed.min(MOST_BEHIND), now);
            self.take_events();
            self.take_answers();
            self.draw(&mut screen, fps)?;
            let left = FRAME.saturating_sub(now.elapsed());
            for action in screen.poll(left) {
                self.act(action, &mut screen);
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
            let tick = self.session.runtime.world().tick_number();
            if let Some(direction) = self.stick.turned(tick) {
                self.session.runtime.send(Input::Steer(direction));
            }
            self.session.step();
            self.take_events();
            self.due -= 1.0;
            self.over = self.session.runtime.world().tick_number() >= self.last_tick;
            if began.elapsed() > STEPPING {
                self.due = self.due.fract();
            }
        }
    }

    fn draw(&mut self, screen: &mut Screen, fps: f64) -> std::io::Result<()> {
        self.notice.take_if(|(until, _)| until.is_some_and(|until| until <= Instant::now()));
        if screen.console_is_open() {
            screen.keys().learn_names(self.session.runtime.names());
        }
        screen.keys().learn_waiting(self.session.runtime.waiting_lines() > 0);
        self.off = self.session.runtime.switched_off_handlers();
        if screen.keys().pane.as_ref().is_some_and(|pane| pane.shows == Shows::Errors) {
            self.errors.look_at();
            let now_s = self.session.runtime.world().time_s();
            self.error_list = self.errors.list(&self.off, self.reload.refused(), now_s);
        }
        screen.draw(self.session.runtime.world(), &self.view(fps))
    }

    fn view(&self, fps: f64) -> View<'_> {
        let (all, new) = self.errors.counts();
        View {
            log: &self.log,
            errors: &self.error_list,
            error_counts: (all + self.reload.refused().len(), new),
            off: &self.off,
            takes_turns: self.session.runtime.crowded_ticks().1,
            speed: self.speed,
            paused: self.paused,
            fps,
            notice: self.notice.as_ref().map(|(_, line)| line),
        }
    }

    fn act(&mut self, action: Action, screen: &mut Screen) {
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
            Action::Click(at) => {
                // A click means the ground that is seen.
                let picture = Picture::of_world(self.session.runtime.world());
                let at = picture.place_on_storey(screen.keys().shown_storey(), at.at);
                self.session.runtime.send(Input::Click(at));
            }
            Action::Steer(arrow) => self.steer(arrow),
            Action::GoTo(words) => match self.place_of(&words) {
                Ok(at) => {
                    self.session.runtime.send(Input::Click(at));
                    screen.keys().accept();
                }
                Err(why) => screen.keys().complain(why),
            },
            Action::Evaluate(text) => self.evaluate(text, screen),
            Action::CallOff => {
                self.session.runtime.send(Input::CallOffLines);
                self.session.runtime.drain_inbox();
                self.take_answers();
            }
            Action::Scroll(by) => self.scroll(by, screen),
            Action::NothingOpen => {
                self.remark(Tone::Plain, "nothing is open to be closed; q quits".to_owned())
            }
        }
    }

    fn steer(&mut self, arrow: DVec2) {
        let (has_player, until_tick) = {
            let world = self.session.runtime.world();
            // When time runs faster, keys repeat less often by its measure.
            let held_s = stick::HELD_S * self.speed.max(1.0);
            let has_player = world.characters().iter().any(|character| character.player);
            (has_player, world.tick_number() + world.ticks_of(held_s))
        };
        if has_player {
            self.stick.press(arrow, until_tick);
        } else {
            self.remark(Tone::Plain, "the room has no player to steer".to_owned());
        }
    }

    fn scroll(&mut self, by: Scroll, screen: &mut Screen) {
        let Some((pane, seen)) = screen.pane() else { return };
        let filter = frame::filter_of(pane, self.session.runtime.world());
        let help = pane::help();
        let log = frame::log_of(pane, &self.view(0.0), &help);
        pane.scroll(by, seen, log, &filter);
    }

    /// The place for some typed words.
    fn place_of(&self, words: &str) -> Result<Place, String> {
        words.parse::<PlaceArg>().and_then(|place| place.find_to_click(self.session.runtime.world()))
    }

    /// Shows a notice for a while.
    fn remark(&mut self, tone: Tone, text: String) {
        self.remark_for(NOTICE, tone, text);
    }

    fn remark_for(&mut self, time: Duration, tone: Tone, text: String) {
        self.notice = Some((Some(Instant::now() + time), Line { tone, text }));
    }

    /// Runs Lua at once, even if time stands still; incomplete text continues in the next line.
    fn evaluate(&mut self, text: String, screen: &mut Screen) {
        if self.session.runtime.is_unfinished(&text) {
            return screen.keys().go_on();
        }
        self.tell(Tone::Typed, format!("lua> {}", text.replace('\n', "\n  .. ")));
        self.session.runtime.send(Input::Console(text));
        self.session.runtime.drain_inbox();
        self.take_events();
        let answers = self.take_answers();
        if answers.is_empty() {
            self.tell(Tone::Typed, "… it waits; Ctrl-C or Esc calls it off".to_owned());
        }
        // Invalid Lua stays, to be corrected.
        if !answers.iter().any(|answer| matches!(answer, Answer::Refused(_))) {
            screen.keys().accept();
        }
    }

    fn take_reloads(&mut self) {
        for report in self.reload.poll(&mut self.session.runtime) {
            let (tone, until) = match &report {
                ReloadReport::Reloaded { .. } | ReloadReport::Mended { .. } => {
                    (Tone::Good, Some(Instant::now() + NOTICE))
                }
                ReloadReport::Warned { .. } => (Tone::Warning, Some(Instant::now() + NOTICE)),
                _ => (Tone::Bad, None),
            };
            let words = match &report {
                ReloadReport::Reloaded { .. } => report.brief(),
                other => other.to_string(),
            };
            // In a busy room, events would soon push it off. Of a refusal, the line with the place is worth most.
            let is_held = !self.reload.refused().is_empty() && matches!(report, ReloadReport::Warned { .. });
            let mut lines = words.lines();
            let text = lines.clone().nth(1).or(lines.next()).map(|line| line.trim().to_owned());
            if !is_held {
                self.notice = text.map(|text| (until, Line { tone, text }));
            }
            self.tell(tone, words);
        }
    }

    fn take_events(&mut self) {
        let events = self.session.runtime.take_events();
        if events.is_empty() && self.back_at.is_none() {
            return;
        }
        let time_s = self.session.runtime.world().time_s();
        for event in events {
            let tone = match &event {
                RuntimeEvent::Event { kind: EventKind::Said(..), .. } => Tone::Said,
                RuntimeEvent::Note(Note::Log { level: Level::Error, .. } | Note::Error(_)) => Tone::Bad,
                RuntimeEvent::Note(Note::Log { level: Level::Warn, .. }) | RuntimeEvent::Refused(_) => {
                    Tone::Warning
                }
                RuntimeEvent::Note(Note::Log { .. } | Note::Called(_) | Note::GivenUp(_)) => Tone::Quiet,
                _ => Tone::Plain,
            };
            if let Some(back) = &mut self.back_at {
                back.notice(&event, self.session.runtime.world());
            }
            if let RuntimeEvent::Note(note) = &event {
                self.errors.take(note, time_s);
            }
            let words = in_words(&event);
            if tone == Tone::Bad {
                // "reloaded" must not hide problems that the reload caused.
                let first = words.lines().next().unwrap_or_default().to_owned();
                self.remark_for(COMPLAINT, tone, first);
            }
            self.tell(tone, words);
        }
        let count = self.session.runtime.tally().script_errors;
        if std::mem::replace(&mut self.counted, count) != count {
            self.errors.count(self.session.runtime.script_errors());
        }
        self.look_for_doubles();
    }

    /// Logs the results of lines of Lua; returns those that have ended.
    fn take_answers(&mut self) -> Vec<Answer> {
        let answers = self.session.runtime.take_answers();
        for answer in &answers {
            let tone = if matches!(answer, Answer::Failed(_) | Answer::Refused(_)) {
                Tone::Bad
            } else {
                Tone::Answer
            };
            if let Some(words) = spoken(answer) {
                self.tell(tone, words);
            }
        }
        answers
    }

    fn tell(&mut self, tone: Tone, text: String) {
        let time_s = self.session.runtime.world().time_s();
        self.log.add(time_s, Line { tone, text });
    }
}
