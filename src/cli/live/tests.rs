//! What the screen shows, and what keys and clicks mean on it.

use super::frame::compose;
use super::keys::{Action, Keys};
use super::terminal::Depth;
use super::view::{Line, Tone, View};
use cicerone::draw::Names;
use cicerone::room;
use cicerone::world::World;
use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use glam::DVec2;

fn world() -> World {
    let room = room::parse(
        "hall.json",
        br#"{
            "name": "hall", "cellSize": 0.25, "agentRadius": 0.25, "objectPadding": 0,
            "areas": [{ "name": "floor", "polygon": [[0, 0], [6, 0], [6, 3], [0, 3]] }],
            "obstacles": [{ "name": "desk", "polygon": [[2, 1], [4, 1], [4, 2], [2, 2]] }],
            "points": { "door": [5.6, 2.6], "desk_left": [1.5, 1.5], "dais": [3, 0.5] },
            "characters": [{ "name": "Ada", "at": [0.6, 0.6], "player": true }]
        }"#,
    );
    World::new(room.unwrap().room, 1).unwrap()
}

const VIEW: View<'_> = View { lines: &[], speed: 1.0, paused: false, fps: 30.0, notice: None };

fn line(tone: Tone, text: &str) -> Line {
    Line { tone, text: text.into() }
}

fn plain(view: &View<'_>, keys: &Keys, size: (usize, usize)) -> String {
    compose(&world(), view, keys, size, false).canvas.to_plain()
}

fn press(keys: &mut Keys, code: KeyCode) -> Option<Action> {
    keys.take(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)), None)
}

fn type_in(keys: &mut Keys, text: &str) {
    text.chars().for_each(|letter| assert_eq!(press(keys, KeyCode::Char(letter)), None));
}

#[test]
fn a_screen_shows_map_status_events_and_hints() {
    let lines = [line(Tone::Plain, "Ada comes in"), line(Tone::Good, "reloaded a.lua in 3 ms")];
    let screen = plain(&View { lines: &lines, ..VIEW }, &Keys::default(), (48, 16));
    assert_eq!(screen.lines().count(), 16, "{screen}");
    assert!(screen.contains(" desk ") && screen.contains('@'), "{screen}");
    let rows: Vec<&str> = screen.lines().collect();
    assert!(rows[11].starts_with(" hall   ▶ 1×   0:00.0   tick 0"), "{screen}");
    assert_eq!(&rows[13..15], [" Ada comes in", " reloaded a.lua in 3 ms"]);
    assert_eq!(rows[15], " click walk  Enter go to…  q quit  space pause");
}

#[test]
fn a_small_screen_still_works_and_a_smaller_one_says_so() {
    let screen = plain(&VIEW, &Keys::default(), (20, 8));
    assert!(screen.contains('@') && screen.contains("click walk"), "{screen}");
    for size in [(19, 8), (20, 7), (5, 2), (1, 1), (0, 0)] {
        let frame = compose(&world(), &VIEW, &Keys::default(), size, true);
        assert!(frame.projection.is_none());
    }
    assert!(plain(&VIEW, &Keys::default(), (19, 7)).contains("20 × 8 needed"));
}

#[test]
fn a_click_means_the_place_under_it() {
    for size in [(20, 8), (80, 24), (133, 51)] {
        let frame = compose(&world(), &VIEW, &Keys::default(), size, true);
        let projection = frame.projection.unwrap();
        let place = DVec2::new(4.9, 2.2);
        let (column, row) = projection.cell_of(place).unwrap();
        let click = MouseEvent {
            kind: MouseEventKind::Down(MouseButton::Left),
            column: column as u16,
            row: row as u16,
            modifiers: KeyModifiers::NONE,
        };
        let action = Keys::default().take(&Event::Mouse(click), Some(&projection));
        let Some(Action::Click(at)) = action else { panic!("{action:?}") };
        assert_eq!(projection.cell_of(at), Some((column, row)));
        assert!((at - place).abs().max_element() <= projection.m_per_px(), "{at} for {place}");
        let beneath = MouseEvent { row: size.1 as u16 - 1, ..click };
        assert_eq!(Keys::default().take(&Event::Mouse(beneath), Some(&projection)), None);
    }
}

#[test]
fn keys_steer_time_and_looks() {
    let mut keys = Keys::default();
    let steer = [
        (' ', Action::TogglePause),
        ('+', Action::Faster),
        ('-', Action::Slower),
        ('.', Action::Step),
        ('q', Action::Quit),
    ];
    for (key, action) in steer {
        assert_eq!(press(&mut keys, KeyCode::Char(key)), Some(action));
    }
    let control_c = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    assert_eq!(keys.take(&Event::Key(control_c), None), Some(Action::Quit));
    assert_eq!(press(&mut keys, KeyCode::Esc), Some(Action::Quit));
    assert_eq!(press(&mut keys, KeyCode::Char('c')), None);
    assert_eq!(press(&mut keys, KeyCode::Char('p')), None);
    assert_eq!(press(&mut keys, KeyCode::Tab), None);
    assert!(keys.look.cells && !keys.look.paths && keys.look.names == Names::People);
}

#[test]
fn a_line_is_opened_typed_and_submitted() {
    let mut keys = Keys::default();
    type_in(&mut keys, "2.5,-1.5");
    assert_eq!(press(&mut keys, KeyCode::Enter), Some(Action::GoTo("2.5,-1.5".into())));
    press(&mut keys, KeyCode::Enter);
    type_in(&mut keys, "q p");
    assert_eq!(
        keys.prompt.as_ref().unwrap().typing.text(),
        "q p",
        "letters are letters while a line is open"
    );
    press(&mut keys, KeyCode::Up);
    assert_eq!(press(&mut keys, KeyCode::Enter), Some(Action::GoTo("2.5,-1.5".into())));
    type_in(&mut keys, "/x");
    assert_eq!(press(&mut keys, KeyCode::Esc), None);
    assert!(keys.prompt.is_none());
    press(&mut keys, KeyCode::Char('/'));
    assert_eq!(press(&mut keys, KeyCode::Enter), None, "an empty line asks for nothing");
}

#[test]
fn names_are_completed() {
    let mut keys = Keys::default();
    keys.learn_places(&world());
    type_in(&mut keys, "/do");
    let screen = plain(&VIEW, &keys, (60, 12));
    assert!(screen.lines().last().unwrap().starts_with(" go to door   Tab complete"), "{screen}");
    press(&mut keys, KeyCode::Tab);
    assert_eq!(press(&mut keys, KeyCode::Enter), Some(Action::GoTo("door".into())));
}

#[test]
fn what_was_typed_wrong_is_said_in_the_last_line() {
    let notice = line(Tone::Bad, "no point 'dor'; did you mean 'door'?");
    let screen = plain(&View { notice: Some(&notice), ..VIEW }, &Keys::default(), (60, 12));
    assert_eq!(screen.lines().last(), Some(" no point 'dor'; did you mean 'door'?"));
}

#[test]
fn colours_follow_the_environment() {
    let depth = |set: &[(&str, &str)]| {
        Depth::detect(|name| set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned()))
    };
    assert_eq!(depth(&[]), Depth::Palette);
    assert_eq!(depth(&[("COLORTERM", "truecolor")]), Depth::True);
    assert_eq!(depth(&[("COLORTERM", "truecolor"), ("NO_COLOR", "1")]), Depth::Plain);
    assert_eq!(depth(&[("COLORTERM", "truecolor"), ("NO_COLOR", "")]), Depth::True);
    assert_eq!(depth(&[("TERM", "dumb")]), Depth::Plain);
}
