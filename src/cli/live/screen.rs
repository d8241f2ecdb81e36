//! The terminal as a screen: frames out, actions in.

use super::diff::changes;
use super::frame::{Frame, compose};
use super::keys::{Action, Keys};
use super::pane::{Pane, Seen};
use super::terminal::{Depth, Terminal};
use super::view::View;
use cicerone::draw::{Canvas, Projection};
use cicerone::world::World;
use crossterm::event;
use std::io::{self, Write};
use std::time::Duration;

/// Owns the terminal while it lives, and restores it afterwards.
pub(super) struct Screen {
    terminal: Terminal,
    depth: Depth,
    keys: Keys,
    /// The canvas that the terminal shows; `None` if unknown.
    shown: Option<Canvas>,
    projection: Option<Projection>,
    /// The visible cursor's place, if any.
    cursor: Option<(usize, usize)>,
    /// The lines that the open pane shows.
    seen: Option<Seen>,
}

impl Screen {
    /// Takes over the terminal.
    ///
    /// # Errors
    /// If it cannot be switched to reading single keys.
    pub(super) fn open() -> io::Result<Self> {
        let depth = Depth::detect(|name| std::env::var(name).ok());
        let terminal = Terminal::enter()?;
        let (shown, projection, cursor, seen) = (None, None, None, None);
        Ok(Self { terminal, depth, keys: Keys::default(), shown, projection, cursor, seen })
    }

    /// Shows the world as it is. Writes only the changes since the last frame, in one go.
    ///
    /// # Errors
    /// If the terminal is gone.
    pub(super) fn draw(&mut self, world: &World, view: &View<'_>) -> io::Result<()> {
        self.keys.learn_places(world);
        self.keys.learn_level(world);
        let Frame { canvas, projection, storeys, cursor, seen } =
            compose(world, view, &self.keys, self.terminal.size(), self.depth != Depth::Plain);
        self.keys.learn_storeys(storeys);
        let mut text = changes(self.shown.as_ref(), &canvas, self.depth);
        if !text.is_empty() || cursor != self.cursor {
            text.push_str(&cursor_at(cursor));
        }
        self.cursor = cursor;
        self.seen = seen;
        self.projection = projection;
        self.shown = Some(canvas);
        if text.is_empty() {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()
    }

    /// The state of keys and input.
    pub(super) fn keys(&mut self) -> &mut Keys {
        &mut self.keys
    }

    /// The open pane, and the lines it showed last.
    pub(super) fn pane(&mut self) -> Option<(&mut Pane, Seen)> {
        self.keys.pane.as_mut().zip(self.seen)
    }

    /// Whether Lua is being typed.
    pub(super) fn console_is_open(&self) -> bool {
        self.keys.console_is_open()
    }

    /// Waits for keys and clicks, at most for `timeout`, and returns the actions they ask for. A closed terminal asks
    /// to quit.
    pub(super) fn poll(&mut self, timeout: Duration) -> Vec<Action> {
        let mut actions = Vec::new();
        if self.terminal.is_asked_to_end() {
            actions.push(Action::Quit);
        }
        let (mut wait, was_open) = (timeout, self.keys.console_is_open());
        loop {
            match self
                .terminal
                .wait(wait)
                .and_then(|ready| if ready { event::read().map(Some) } else { Ok(None) })
            {
                Ok(Some(event)) => actions.extend(self.keys.take(&event, self.projection.as_ref())),
                Ok(None) => break,
                Err(_) => {
                    actions.push(Action::Quit);
                    break;
                }
            }
            // Text typed ahead must be completed with the state after the line before it, so that line is handled
            // first.
            if !actions.is_empty() || self.keys.console_is_open() != was_open {
                break;
            }
            wait = Duration::ZERO;
        }
        if self.keys.wants_redraw() {
            self.shown = None;
        }
        actions
    }
}

/// Shows the terminal's own cursor at the input: every terminal has one, with and without colours.
fn cursor_at(place: Option<(usize, usize)>) -> String {
    match place {
        Some((column, row)) => format!("\x1b[{};{}H\x1b[?25h", row + 1, column + 1),
        None => "\x1b[?25l".to_owned(),
    }
}
