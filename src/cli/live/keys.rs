//! What keys and clicks mean. Plain state, no terminal.

use super::prompt::{Asks, Outcome, Prompt};
use super::typing::{History, Typing};
use cicerone::draw::{MapLook, Names as NamesShown, Projection};
use cicerone::script::Names;
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
    /// Keep this moment.
    Save,
    /// Go back to the moment that was kept.
    GoBack,
    /// Pointed at a place of the room.
    Click(DVec2),
    /// Typed a place to go to.
    GoTo(String),
    /// Typed a line of Lua.
    Evaluate(String),
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
    places_typed: History,
    lua_typed: History,
    /// Places that can be completed, in order.
    places: Vec<String>,
    /// What can be written in Lua.
    names: Names,
    redraw: bool,
}

impl Default for Keys {
    fn default() -> Self {
        let look = MapLook { colour: true, cells: false, paths: true, names: NamesShown::All };
        Self {
            look,
            prompt: None,
            mouse: None,
            places_typed: History::default(),
            lua_typed: History::default(),
            places: Vec::new(),
            names: Names::default(),
            redraw: false,
        }
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
            Event::Paste(text) => {
                self.prompt.iter_mut().for_each(|prompt| prompt.paste(text));
                None
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
        let areas = world.room().areas.iter().map(|area| &area.name);
        let places = points.chain(people).chain(areas);
        if !self.places.iter().eq(places.clone()) {
            self.places = places.cloned().collect();
        }
    }

    /// Remembers what can be written in Lua.
    pub(super) fn learn_names(&mut self, names: Names) {
        self.names = names;
    }

    /// Whether a line of Lua is being typed.
    pub(super) fn console_is_open(&self) -> bool {
        self.prompt.as_ref().is_some_and(|prompt| prompt.asks == Asks::Lua)
    }

    /// What is missing of the line being typed, if it is clear what is meant.
    pub(super) fn ending(&self) -> Option<&str> {
        self.prompt.as_ref()?.ending(&self.places)
    }

    fn press(&mut self, key: &KeyEvent) -> Option<Action> {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('l') if control => {
                self.redraw = true;
                None
            }
            // Terminals send the line feed of pasted text as this.
            KeyCode::Char('j') if control && self.prompt.is_some() => {
                self.edit(&KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE))
            }
            _ if self.prompt.is_some() => self.edit(key),
            KeyCode::Char('c' | 'd') if control => Some(Action::Quit),
            _ if control || key.modifiers.contains(KeyModifiers::ALT) => None,
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
            KeyCode::Char('s') | KeyCode::F(5) => return Some(Action::Save),
            KeyCode::Char('b') | KeyCode::F(9) => return Some(Action::GoBack),
            KeyCode::Char('c') => self.look.cells = !self.look.cells,
            KeyCode::Char('p') => self.look.paths = !self.look.paths,
            KeyCode::Tab | KeyCode::Char('n') => {
                self.look.names = match self.look.names {
                    NamesShown::All => NamesShown::People,
                    NamesShown::People => NamesShown::None,
                    NamesShown::None => NamesShown::All,
                };
            }
            KeyCode::Enter | KeyCode::Char('/') => self.open(Asks::Place, ""),
            KeyCode::Char(digit) if digit.is_ascii_digit() => {
                self.open(Asks::Place, digit.encode_utf8(&mut [0; 4]));
            }
            KeyCode::Char(':' | '`' | '>') => self.open(Asks::Lua, ""),
            _ => {}
        }
        None
    }

    fn open(&mut self, asks: Asks, text: &str) {
        self.prompt = Some(Prompt::new(asks, text));
        self.places_typed.rewind();
        self.lua_typed.rewind();
    }

    /// A key while a line is open.
    fn edit(&mut self, key: &KeyEvent) -> Option<Action> {
        let prompt = self.prompt.as_mut()?;
        let asks = prompt.asks;
        let history = match asks {
            Asks::Place => &mut self.places_typed,
            Asks::Lua => &mut self.lua_typed,
        };
        let line = match prompt.take(key, history, &self.places, &self.names) {
            Outcome::Typing => return None,
            Outcome::Closed => {
                self.prompt = None;
                return None;
            }
            Outcome::Done(line) => line,
        };
        if !line.is_empty() {
            history.add(&line);
        }
        match asks {
            Asks::Place => {
                self.prompt = None;
                (!line.is_empty()).then_some(Action::GoTo(line))
            }
            // Who asked once will ask again.
            Asks::Lua => {
                prompt.typing = Typing::default();
                (!line.is_empty()).then_some(Action::Evaluate(line))
            }
        }
    }
}
