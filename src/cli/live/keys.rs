//! Interprets keys and clicks. Plain state, no terminal.

use super::level::{Choice, LevelKeys};
use super::pane::{Pane, Scroll, Shows};
use super::prompt::{Asks, Outcome, Prompt};
use super::typing::{History, Typing};
use cicerone::draw::{MapLook, Names as NamesShown, Projection};
use cicerone::nav::Place;
use cicerone::script::KnownNames;
use cicerone::world::World;
use crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind};
use glam::DVec2;

/// A request of the user.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Action {
    Quit,
    TogglePause,
    Faster,
    Slower,
    /// Take one step, then pause.
    Step,
    /// Keep this moment.
    Save,
    /// Go back to the kept moment.
    GoBack,
    /// Clicked on a place of the room.
    Click(Place),
    /// Pressed an arrow key: a step to one of the four sides of the map.
    Steer(DVec2),
    /// Entered a place to go to.
    GoTo(String),
    /// Entered Lua.
    Evaluate(String),
    /// Cancel the waiting lines of Lua.
    CallOff,
    /// Scroll the open pane.
    Scroll(Scroll),
    /// Pressed the closing key with nothing open.
    NothingOpen,
}

/// The state of the user interface: what is shown, and what is being typed.
#[derive(Debug, Default)]
pub(super) struct Keys {
    /// What the map shows besides the room.
    pub(super) look: MapLook,
    /// The line being typed, while it is open.
    pub(super) prompt: Option<Prompt>,
    /// The pane that is open above the last line.
    pub(super) pane: Option<Pane>,
    /// The last column and row of the mouse.
    pub(super) mouse: Option<(usize, usize)>,
    /// The number of the storey that was chosen; `None` follows the player.
    pub(super) storey: Option<usize>,
    /// The storeys on the screen.
    storeys: Storeys,
    /// What was chosen on a tactical level.
    pub(super) choice: Choice,
    /// The tactical level, if arrow keys move a cursor on it.
    level: Option<LevelKeys>,
    places_typed: History,
    lua_typed: History,
    filters_typed: History,
    /// Places for completion, in order.
    places: Vec<String>,
    /// Lua names for completion.
    names: KnownNames,
    redraw: bool,
}

/// The storeys of the room on the screen. Their numbers begin at 1, the lowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Storeys {
    /// Their number.
    pub(super) count: usize,
    /// The one that is shown.
    pub(super) shown: usize,
    /// The one of the player.
    pub(super) followed: usize,
    /// The level of a tactical level that is shown.
    pub(super) level: Option<u32>,
}

impl Default for Storeys {
    fn default() -> Self {
        Self { count: 1, shown: 1, followed: 1, level: None }
    }
}

impl Storeys {
    /// The level of a tactical level that the lowest storey shows.
    fn lowest_level(&self) -> Option<u32> {
        self.level.map(|level| level + 1 - self.shown as u32)
    }
}

impl Keys {
    /// Handles an event; `projection` is that of the map on the screen.
    pub(super) fn take(&mut self, event: &Event, projection: Option<&Projection>) -> Option<Action> {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.press(key),
            Event::Mouse(mouse) => {
                let cell = (usize::from(mouse.column), usize::from(mouse.row));
                self.mouse = Some(cell);
                match mouse.kind {
                    MouseEventKind::ScrollUp => return self.scroll(Scroll::Lines(-3)),
                    MouseEventKind::ScrollDown if self.pane.is_some() => {
                        return self.scroll(Scroll::Lines(3));
                    }
                    _ => {}
                }
                let left = mouse.kind == MouseEventKind::Down(MouseButton::Left);
                let place = projection.filter(|_| left).and_then(|map| map.place_of(cell.0, cell.1))?;
                self.point_at(place);
                Some(Action::Click(place.into()))
            }
            Event::Paste(text) => {
                self.prompt.iter_mut().for_each(|prompt| prompt.paste(text));
                self.apply_filter();
                None
            }
            Event::Resize(..) => {
                self.redraw = true;
                None
            }
            _ => None,
        }
    }

    /// Whether the whole screen has to be redrawn; true once.
    pub(super) fn wants_redraw(&mut self) -> bool {
        std::mem::take(&mut self.redraw)
    }

    /// Updates the places for completion.
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

    /// Updates the storeys on the screen.
    pub(super) fn learn_storeys(&mut self, storeys: Storeys) {
        self.storeys = storeys;
    }

    /// The number of the storey on the screen.
    pub(super) fn shown_storey(&self) -> usize {
        self.storeys.shown
    }

    /// Shows the storey above or below. Back on the player's storey, the view follows it again.
    fn step_storey(&mut self, up: bool) {
        let Storeys { count, shown, followed, level } = self.storeys;
        let next = if up { (shown + 1).min(count) } else { shown.saturating_sub(1).max(1) };
        self.storeys.shown = next;
        self.storey = (next != followed).then_some(next);
        // The cursor of a tactical level comes along.
        if let (Some(level), Some(cursor)) = (level, &mut self.choice.cursor) {
            cursor[2] = (level + next as u32).saturating_sub(shown as u32);
        }
        // Several keys may come before the next frame.
        self.storeys.level = level.map(|level| (level + next as u32).saturating_sub(shown as u32));
    }

    /// Updates the tactical level, if arrow keys move a cursor on it.
    pub(super) fn learn_level(&mut self, world: &World) {
        self.level = LevelKeys::of(world);
        if self.level.is_none() {
            self.choice = Choice::default();
        }
    }

    /// Puts the cursor of a tactical level on a place of the map, and selects the actor there.
    fn point_at(&mut self, place: DVec2) {
        let (Some(keys), Some(level)) = (&self.level, self.storeys.level) else { return };
        if let Some(cell) = keys.cell_at(place, level) {
            self.choice.point(cell, keys);
        }
    }

    /// An arrow key: it moves the cursor of a tactical level, else it steers the player.
    fn arrow(&mut self, direction: DVec2) -> Option<Action> {
        let (Some(keys), Some(level)) = (&self.level, self.storeys.level) else {
            return Some(Action::Steer(direction));
        };
        self.choice.step([direction.x as i32, direction.y as i32], level, keys);
        self.storey = Some(self.storeys.shown);
        None
    }

    /// Selects the next actor of a tactical level, and shows its storey.
    fn next_actor(&mut self) {
        let Some(keys) = &self.level else { return };
        self.choice.next(keys);
        let level = self.choice.cursor.map(|cell| cell[2]);
        let shown =
            |(level, lowest): (u32, u32)| (level.saturating_sub(lowest) as usize + 1).min(self.storeys.count);
        self.storey = level.zip(self.storeys.lowest_level()).map(shown);
    }

    /// Updates the Lua names for completion.
    pub(super) fn learn_names(&mut self, names: KnownNames) {
        self.names = names;
    }

    /// Whether a line of Lua is being typed.
    pub(super) fn console_is_open(&self) -> bool {
        self.prompt.as_ref().is_some_and(|prompt| prompt.asks == Asks::Lua)
    }

    /// Updates whether a line of Lua waits.
    pub(super) fn learn_waiting(&mut self, waits: bool) {
        if let Some(prompt) = &mut self.prompt {
            prompt.waits = waits && prompt.asks == Asks::Lua;
        }
    }

    /// The submitted text is valid: it goes to the history, and the line is emptied, or closed if it asked for a
    /// place.
    pub(super) fn accept(&mut self) {
        let Some(prompt) = &mut self.prompt else { return };
        let typed = prompt.typing.text().trim();
        match prompt.asks {
            Asks::Lua => {
                self.lua_typed.add(typed);
                // A Lua prompt stays open for the next line.
                prompt.typing = Typing::default();
            }
            Asks::Place | Asks::Filter => {
                self.places_typed.add(typed);
                self.prompt = None;
            }
        }
    }

    /// The submitted text is wrong: it stays, to be corrected.
    pub(super) fn complain(&mut self, why: String) {
        if let Some(prompt) = &mut self.prompt {
            prompt.complaint = Some(why);
        }
    }

    /// The submitted text continues in the next line.
    pub(super) fn go_on(&mut self) {
        if let Some(prompt) = &mut self.prompt {
            prompt.break_line();
        }
    }

    /// The completion of the line being typed, if it is unambiguous.
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
            // Terminals send the line feed of pasted text as this key.
            KeyCode::Char('j') if control && self.prompt.is_some() => {
                self.edit(&KeyEvent::new(KeyCode::Enter, KeyModifiers::NONE))
            }
            KeyCode::PageUp => self.scroll(Scroll::PageUp),
            KeyCode::PageDown => self.pane.is_some().then_some(Action::Scroll(Scroll::PageDown)),
            _ if self.prompt.is_some() => {
                let action = self.edit(key);
                self.apply_filter();
                action
            }
            KeyCode::Char('c') if control => Some(Action::Quit),
            _ if control || key.modifiers.contains(KeyModifiers::ALT) => None,
            code if self.pane.is_some() => self.in_pane(code),
            code => self.command(code),
        }
    }

    /// A key while a pane is open and no input line.
    fn in_pane(&mut self, code: KeyCode) -> Option<Action> {
        let shows = self.pane.as_ref().map(|pane| pane.shows);
        let scroll = match code {
            KeyCode::Up => Scroll::Lines(-1),
            KeyCode::Down => Scroll::Lines(1),
            // They would steer one way only.
            KeyCode::Left | KeyCode::Right => return None,
            KeyCode::Home => Scroll::Oldest,
            KeyCode::End => Scroll::Latest,
            KeyCode::Char('f' | '/') if shows != Some(Shows::Help) => {
                let filter = self.pane.as_ref().map(|pane| pane.filter.clone()).unwrap_or_default();
                self.open(Asks::Filter, &filter);
                return None;
            }
            KeyCode::Esc => {
                self.pane = None;
                return None;
            }
            code => return self.command(code),
        };
        Some(Action::Scroll(scroll))
    }

    /// Scrolls the pane; opens the log if none is open.
    fn scroll(&mut self, by: Scroll) -> Option<Action> {
        if self.pane.is_some() {
            return Some(Action::Scroll(by));
        }
        self.pane = Some(Pane::new(Shows::Log));
        None
    }

    /// Opens a pane, or closes it if it is open.
    fn toggle_pane(&mut self, shows: Shows) {
        let open = self.pane.take().is_some_and(|pane| pane.shows == shows);
        self.pane = (!open).then(|| Pane::new(shows));
    }

    /// A filter takes effect while it is typed.
    fn apply_filter(&mut self) {
        let (Some(pane), Some(prompt)) = (&mut self.pane, &self.prompt) else { return };
        if prompt.asks == Asks::Filter && pane.filter != prompt.typing.text() {
            prompt.typing.text().clone_into(&mut pane.filter);
            pane.anchor = None;
        }
    }

    /// A key while no input line is open.
    fn command(&mut self, code: KeyCode) -> Option<Action> {
        match code {
            KeyCode::Char('q' | 'Q') => return Some(Action::Quit),
            KeyCode::Esc => return Some(Action::NothingOpen),
            KeyCode::Char(' ') => return Some(Action::TogglePause),
            KeyCode::Char('+' | '=') => return Some(Action::Faster),
            KeyCode::Char('-' | '_') => return Some(Action::Slower),
            KeyCode::Char('.') => return Some(Action::Step),
            KeyCode::Left => return self.arrow(DVec2::NEG_X),
            KeyCode::Right => return self.arrow(DVec2::X),
            KeyCode::Up => return self.arrow(DVec2::NEG_Y),
            KeyCode::Down => return self.arrow(DVec2::Y),
            KeyCode::Char('s') | KeyCode::F(5) => return Some(Action::Save),
            KeyCode::Char('b') | KeyCode::F(9) => return Some(Action::GoBack),
            KeyCode::Char('c') => self.look.cells = !self.look.cells,
            KeyCode::Char('p') => self.look.paths = !self.look.paths,
            KeyCode::Char('u') => self.step_storey(true),
            KeyCode::Char('d') => self.step_storey(false),
            KeyCode::Char('t') => self.next_actor(),
            KeyCode::Char('e') => self.toggle_pane(Shows::Errors),
            KeyCode::Char('l') => self.toggle_pane(Shows::Log),
            KeyCode::Char('?' | 'h') | KeyCode::F(1) => self.toggle_pane(Shows::Help),
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
        self.filters_typed.rewind();
    }

    /// A key while an input line is open.
    fn edit(&mut self, key: &KeyEvent) -> Option<Action> {
        let prompt = self.prompt.as_mut()?;
        let asks = prompt.asks;
        let history = match asks {
            Asks::Place => &mut self.places_typed,
            Asks::Lua => &mut self.lua_typed,
            Asks::Filter => &mut self.filters_typed,
        };
        let line = match prompt.take(key, history, &self.places, &self.names) {
            Outcome::Typing => return None,
            Outcome::CallOff => return Some(Action::CallOff),
            Outcome::Closed => {
                // Lua in a line that is closed goes to the history, so that it is not lost.
                if asks == Asks::Lua && !prompt.typing.text().trim().is_empty() {
                    history.add(prompt.typing.text());
                }
                if asks == Asks::Filter {
                    self.pane.iter_mut().for_each(|pane| pane.filter.clear());
                }
                self.prompt = None;
                return None;
            }
            Outcome::Done(line) => line,
        };
        match asks {
            Asks::Lua => (!line.is_empty()).then_some(Action::Evaluate(line)),
            // It stays open until the place is known to exist.
            Asks::Place if !line.is_empty() => Some(Action::GoTo(line)),
            Asks::Place | Asks::Filter => {
                history.add(&line);
                self.prompt = None;
                None
            }
        }
    }
}
