//! A room run from the command line, independent of its display.

use super::place::TimedClick;
use super::{BAD_INPUT, print};
use cicerone::draw::{clean, clean_lines};
use cicerone::nav::Place;
use cicerone::project::Project;
use cicerone::runtime::{Input, Options, Runtime, RuntimeEvent, Saved};
use cicerone::script::{Answer, Watchdog};
use std::collections::VecDeque;
use std::path::Path;
use std::time::Duration;

/// A running room, and the clicks still to come.
pub(super) struct Session {
    pub(super) runtime: Runtime,
    /// What the room was opened with, or restored from.
    options: Options,
    restored: Option<Saved>,
    clicks: VecDeque<(u64, Place)>,
    /// Measures the time of scripts while it lives.
    _watchdog: Option<Watchdog>,
}

/// How long a script may block the game before it is named.
const NAMED_AFTER: Duration = Duration::from_secs(1);

impl Session {
    /// Opens a room. When this returns an exit code, the error has been printed.
    pub(super) fn open(
        project: Project,
        room: &Path,
        options: Options,
        clicks: &[TimedClick],
    ) -> Result<Self, u8> {
        let runtime = Runtime::open_in(project, room, options.clone()).map_err(|error| {
            print::problems(&error.problems, &error.source.text);
            BAD_INPUT
        })?;
        Self::of(runtime, options, None, clicks)
    }

    /// A session of an open room. When this returns an exit code, the error in the clicks has been printed.
    pub(super) fn of(
        runtime: Runtime,
        options: Options,
        restored: Option<Saved>,
        clicks: &[TimedClick],
    ) -> Result<Self, u8> {
        let mut due = Vec::new();
        for click in clicks {
            let world = runtime.world();
            let at = click.place.find_to_click(world).map_err(|message| print::complain(&message))?;
            // Counted from now, like the length of the run: a restored room does not begin at tick 0.
            due.push((world.tick_number() + (click.at_s / world.dt_s()).round() as u64, at));
        }
        due.sort_by_key(|&(tick, _)| tick);
        Ok(Self { runtime, options, restored, clicks: due.into(), _watchdog: None })
    }

    /// Starts the watchdog that measures the time of scripts. One that blocks the game for longer than `patience` is
    /// stopped; without one it is only named.
    pub(super) fn watched(mut self, patience: Option<Duration>) -> Self {
        self._watchdog = Some(self.runtime.watchdog(NAMED_AFTER, patience));
        self
    }

    /// Keeps a journal from now on, before the first step.
    #[cfg_attr(not(feature = "page"), allow(dead_code))] // only the page looks back
    pub(super) fn keep_journal(&mut self) {
        match self.restored.take() {
            Some(saved) => self.runtime.keep_journal_since(self.options.clone(), saved),
            None => self.runtime.keep_journal(self.options.clone()),
        }
    }

    /// One step, after the clicks that are due before it.
    pub(super) fn step(&mut self) {
        self.send_due_clicks();
        self.runtime.step();
    }

    /// Sends the clicks that are due before the next step.
    pub(super) fn send_due_clicks(&mut self) {
        let now = self.runtime.world().tick_number();
        while let Some(&(_, at)) = self.clicks.front().filter(|(tick, _)| *tick <= now) {
            self.clicks.pop_front();
            self.runtime.send(Input::Click(at));
        }
    }

    /// The last tick of a run of this much game time.
    pub(super) fn last_tick(&self, seconds: Option<f64>) -> u64 {
        let world = self.runtime.world();
        let ticks = |seconds: f64| {
            world.tick_number().saturating_add((seconds.max(0.0) / world.dt_s()).round() as u64)
        };
        seconds.map_or(u64::MAX, ticks)
    }
}

/// An event as a line of text.
pub(super) fn in_words(event: &RuntimeEvent) -> String {
    // The text of scripts may contain anything, but must not steer the terminal.
    clean_lines(&event.to_string())
}

/// An answer of the console as text; `None` for an empty one.
pub(super) fn spoken(answer: &Answer) -> Option<String> {
    match answer {
        Answer::Values(values) if values.is_empty() => None,
        // A text of many lines stands below the mark, so that its columns keep their places.
        Answer::Values(_) => {
            let text = clean_lines(&answer.to_string());
            Some(if text.contains('\n') { format!("=\n{text}") } else { format!("= {text}") })
        }
        Answer::Failed(why) | Answer::Refused(why) => Some(format!("error: {}", clean(why))),
        Answer::CalledOff => Some("called off".to_owned()),
    }
}
