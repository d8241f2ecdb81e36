//! What keys and clicks mean. Plain state, no terminal.

use cicerone::draw::{MapLook, Names, Projection};
use cicerone::world::World;
use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind};
use glam::DVec2;

/// What somebody at the terminal wants.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Action {
    Quit,
    TogglePause,
    Faster,
    Slower,
    /// One step, and then stand still.
    Step,
    /// Pointed at a place of the room.
    Click(DVec2),
    /// Typed something: a place to go to.
    Submit(String),
}

/// The state of the keyboard: what is shown, and what is being typed.
#[derive(Debug)]
pub(super) struct Keys {
    /// What the map shows besides the room.
    pub(super) look: MapLook,
    /// The line being typed, while it is open.
    pub(super) prompt: Option<Prompt>,
    /// The column and row the mouse was seen at last.
    pub(super) mouse: Option<(usize, usize)>,
    /// What was submitted, oldest first.
    history: Vec<String>,
    /// Names that can be completed, in order.
    places: Vec<String>,
    redraw: bool,
}

/// A line being typed.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Prompt {
    /// What stands there; the cursor is at its end.
    pub(super) text: String,
    /// How far back in the history it was taken from.
    back: usize,
}

/// A line longer than this is no place.
const MOST_TYPED: usize = 120;
/// So many lines are remembered.
const MOST_HISTORY: usize = 50;

impl Default for Keys {
    fn default() -> Self {
        let look = MapLook { colour: true, cells: false, paths: true, names: Names::All };
        Self { look, prompt: None, mouse: None, history: Vec::new(), places: Vec::new(), redraw: false }
    }
}

impl Keys {
    /// Takes an event in; `projection` is that of the map on the screen.
    pub(super) fn take(&mut self, event: &Event, projection: Option<&Projection>) -> Option<Action> {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.press(key),
            Event::Mouse(mouse) => {
                let cell = (usize::from(mouse.column), usize::from(mouse.row));
                self.mouse = Some(cell);
                let left = mouse.kind == MouseEventKind::Down(MouseButton::Left);
                projection.filter(|_| left).and_then(|map| map.place_of(cell.0, cell.1)).map(Action::Click)
            }
            Event::Resize(..) => {
                self.redraw = true;
                None
            }
            _ => None,
        }
    }

    /// Whether the whole screen has to be drawn again; true once.
    pub(super) fn wants_redraw(&mut self) -> bool {
        std::mem::take(&mut self.redraw)
    }

    /// Remembers the names one can go to.
    pub(super) fn learn_places(&mut self, world: &World) {
        let points = world.room().points.keys();
        let people =
            world.characters().iter().filter(|character| !character.player).map(|character| &character.name);
        let changed = !self.places.iter().eq(points.clone().chain(people.clone()));
        if changed {
            self.places = points.chain(people).cloned().collect();
        }
    }

    /// What is missing of the name being typed, if it begins one.
    pub(super) fn completion(&self) -> Option<&str> {
        let typed =
            self.prompt.as_ref().map(|prompt| prompt.text.as_str()).filter(|text| !text.is_empty())?;
        let rest = |place: &&String| place.strip_prefix(typed).is_some_and(|rest| !rest.is_empty());
        self.places.iter().find(rest).map(|place| &place[typed.len()..])
    }

    fn press(&mut self, key: &KeyEvent) -> Option<Action> {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c' | 'd') if control => Some(Action::Quit),
            KeyCode::Char('l') if control => {
                self.redraw = true;
                None
            }
            KeyCode::Char('u' | 'w') if control => {
                self.prompt = self.prompt.take().map(|_| Prompt::default());
                None
            }
            _ if control || key.modifiers.contains(KeyModifiers::ALT) => None,
            code if self.prompt.is_some() => self.edit(code),
            code => self.command(code),
        }
    }

    /// A key while no line is open.
    fn command(&mut self, code: KeyCode) -> Option<Action> {
        match code {
            KeyCode::Char('q' | 'Q') | KeyCode::Esc => return Some(Action::Quit),
            KeyCode::Char(' ') => return Some(Action::TogglePause),
            KeyCode::Char('+' | '=') => return Some(Action::Faster),
            KeyCode::Char('-' | '_') => return Some(Action::Slower),
            KeyCode::Char('.') => return Some(Action::Step),
            KeyCode::Char('c') => self.look.cells = !self.look.cells,
            KeyCode::Char('p') => self.look.paths = !self.look.paths,
            KeyCode::Tab | KeyCode::Char('n') => {
                self.look.names = match self.look.names {
                    Names::All => Names::People,
                    Names::People => Names::None,
                    Names::None => Names::All,
                };
            }
            KeyCode::Enter | KeyCode::Char(':' | '/') => self.prompt = Some(Prompt::default()),
            KeyCode::Char(digit) if digit.is_ascii_digit() => {
                self.prompt = Some(Prompt { text: digit.into(), back: 0 });
            }
            _ => {}
        }
        None
    }

    /// A key while a line is open.
    fn edit(&mut self, code: KeyCode) -> Option<Action> {
        let completion = self.completion().map(str::to_owned);
        let prompt = self.prompt.as_mut()?;
        match code {
            KeyCode::Enter => return self.submit(),
            KeyCode::Esc => self.prompt = None,
            KeyCode::Backspace if prompt.text.pop().is_none() => self.prompt = None,
            KeyCode::Tab | KeyCode::Right => prompt.text.push_str(&completion.unwrap_or_default()),
            KeyCode::Up => prompt.recall(&self.history, prompt.back + 1),
            KeyCode::Down => prompt.recall(&self.history, prompt.back.saturating_sub(1)),
            KeyCode::Char(letter) if !letter.is_control() && prompt.text.len() < MOST_TYPED => {
                prompt.text.push(letter)
            }
            _ => {}
        }
        None
    }

    fn submit(&mut self) -> Option<Action> {
        let text = self.prompt.take()?.text.trim().to_owned();
        if text.is_empty() {
            return None;
        }
        if self.history.last() != Some(&text) {
            self.history.push(text.clone());
        }
        if self.history.len() > MOST_HISTORY {
            self.history.remove(0);
        }
        Some(Action::Submit(text))
    }
}

impl Prompt {
    /// Takes the line from the history that was submitted `back` lines ago; 0 is an empty one.
    fn recall(&mut self, history: &[String], back: usize) {
        let back = back.min(history.len());
        self.text = history.get(history.len() - back).cloned().unwrap_or_default();
        self.back = back;
    }
}
