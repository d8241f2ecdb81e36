//! The terminal as a screen: frames out, keys and clicks in.

use super::diff::changes;
use super::frame::{Frame, View, compose};
use super::terminal::{Depth, Terminal};
use cicerone::draw::{Canvas, Projection};
use cicerone::world::World;
use crossterm::event::{
    self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
};
use glam::DVec2;
use std::io::{self, Write};
use std::time::Duration;

/// A request of the user.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Action {
    Quit,
    TogglePause,
    /// A click on the map, in metres.
    Click(DVec2),
    /// The terminal shows something else than was drawn.
    Redraw,
}

/// Owns the terminal while it lives, and restores it afterwards.
pub(super) struct Screen {
    terminal: Terminal,
    depth: Depth,
    /// The canvas that the terminal shows; `None` if unknown.
    shown: Option<Canvas>,
    projection: Option<Projection>,
}

impl Screen {
    /// Takes over the terminal.
    ///
    /// # Errors
    /// If it cannot be switched to reading single keys.
    pub(super) fn open() -> io::Result<Self> {
        let depth = Depth::detect(|name| std::env::var(name).ok());
        Ok(Self { terminal: Terminal::enter()?, depth, shown: None, projection: None })
    }

    /// Shows the world as it is. Writes only the changes since the last frame, in one go.
    ///
    /// # Errors
    /// If the terminal is gone.
    pub(super) fn draw(&mut self, world: &World, view: &View<'_>) -> io::Result<()> {
        let Frame { canvas, projection } =
            compose(world, view, self.terminal.size(), self.depth != Depth::Plain);
        let text = changes(self.shown.as_ref(), &canvas, self.depth);
        self.projection = projection;
        self.shown = Some(canvas);
        if text.is_empty() {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()
    }

    /// Waits for keys and clicks, at most for `timeout`, and returns what they ask for. A closed terminal asks to quit.
    pub(super) fn poll(&mut self, timeout: Duration) -> Vec<Action> {
        let mut actions = Vec::new();
        if self.terminal.is_asked_to_end() {
            actions.push(Action::Quit);
        }
        let mut wait = timeout;
        loop {
            let event = self.terminal.wait(wait).and_then(|ready| ready.then(event::read).transpose());
            match event {
                Ok(Some(event)) => actions.extend(asked(&event, self.projection.as_ref())),
                Ok(None) => break,
                Err(_) => {
                    actions.push(Action::Quit);
                    break;
                }
            }
            wait = Duration::ZERO;
        }
        if actions.contains(&Action::Redraw) {
            self.shown = None;
        }
        actions
    }
}

/// What a key, a click or a new size asks for; `projection` is that of the map on the screen.
pub(super) fn asked(event: &Event, projection: Option<&Projection>) -> Option<Action> {
    match event {
        Event::Key(key) if key.kind != KeyEventKind::Release => of_key(key),
        Event::Mouse(mouse) if mouse.kind == MouseEventKind::Down(MouseButton::Left) => {
            let place = projection?.place_of(usize::from(mouse.column), usize::from(mouse.row))?;
            Some(Action::Click(place))
        }
        Event::Resize(..) => Some(Action::Redraw),
        _ => None,
    }
}

fn of_key(key: &KeyEvent) -> Option<Action> {
    match (key.code, key.modifiers.contains(KeyModifiers::CONTROL)) {
        (KeyCode::Char('c'), true) | (KeyCode::Char('q' | 'Q'), false) => Some(Action::Quit),
        (KeyCode::Char('l'), true) => Some(Action::Redraw),
        (KeyCode::Char(' '), false) => Some(Action::TogglePause),
        _ => None,
    }
}
