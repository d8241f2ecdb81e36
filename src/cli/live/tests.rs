//! Tests of the screen's content, and of keys and clicks.

use super::frame::{View, compose};
use super::screen::{Action, asked};
use super::terminal::Depth;
use super::text::{Line, Tone};
use cicerone::glam::DVec3;
use cicerone::nav::Place;
use cicerone::room::{self, CharacterSpec, GroundKind, MeshPolygons, RawPolygon, Room};
use cicerone::script::SwitchedOff;
use cicerone::world::World;
use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use glam::DVec2;
use std::collections::VecDeque;
use std::sync::Arc;

fn world() -> World {
    let room = room::parse(
        "hall.json",
        br#"{
            "name": "hall", "cellSize": 0.25, "agentRadius": 0.25, "objectPadding": 0,
            "areas": [{ "name": "floor", "polygon": [[0, 0], [6, 0], [6, 3], [0, 3]] }],
            "obstacles": [{ "name": "desk", "polygon": [[2, 1], [4, 1], [4, 2], [2, 2]] }],
            "characters": [{ "name": "Ada", "at": [0.6, 0.6], "player": true }]
        }"#,
    );
    World::new(room.unwrap().room, 1).unwrap()
}

static NOTHING: VecDeque<Line> = VecDeque::new();

const VIEW: View<'_> =
    View { log: &NOTHING, errors: 0, off: &[], takes_turns: false, speed: 1.0, paused: false, notice: None };

fn line(tone: Tone, text: &str) -> Line {
    Line { tone, text: text.into() }
}

fn plain(world: &World, view: &View<'_>, size: (usize, usize)) -> String {
    compose(world, view, size, false).canvas.to_plain()
}

#[test]
fn a_screen_shows_map_status_events_and_keys() {
    let log = [line(Tone::Plain, "Ada comes in"), line(Tone::Good, "reloaded a.lua in 3 ms")].into();
    let screen = plain(&world(), &View { log: &log, ..VIEW }, (60, 16));
    assert_eq!(screen.lines().count(), 16, "{screen}");
    assert!(screen.contains(" desk ") && screen.contains('@'), "{screen}");
    let rows: Vec<&str> = screen.lines().collect();
    assert!(rows[11].starts_with(" hall   ▶ 1×   0:00.0   tick 0   1 character "), "{screen}");
    assert_eq!(&rows[13..15], [" Ada comes in", " reloaded a.lua in 3 ms"]);
    assert_eq!(rows[15], " click walk  space pause  q quit");
}

#[test]
fn the_status_tells_what_is_wrong() {
    let refused = line(Tone::Bad, "rooms/hall.json:2: no");
    let view =
        View { errors: 2, takes_turns: true, paused: true, speed: 0.5, notice: Some(&refused), ..VIEW };
    let screen = plain(&world(), &view, (60, 16));
    assert!(screen.contains(" hall   2 errors   scripts take turns   ‖ paused 0.5×"), "{screen}");
    assert!(screen.trim_end().ends_with("\n rooms/hall.json:2: no"), "{screen}");
    let mut off = SwitchedOff::default();
    let world = world();
    off.character = world.character_named("Ada").map(|character| character.id);
    (off.who, off.event) = ("Ada".into(), "on_talk".into());
    let told = |off: &[SwitchedOff]| plain(&world, &View { off, ..VIEW }, (60, 16));
    assert!(told(&[off.clone()]).contains("on_talk off"), "{}", told(&[off]));
}

#[test]
fn a_small_screen_still_works_and_a_smaller_one_says_so() {
    let screen = plain(&world(), &VIEW, (20, 8));
    assert!(screen.contains('@') && screen.contains("click walk"), "{screen}");
    for size in [(19, 8), (20, 7), (5, 2), (1, 1), (0, 0)] {
        assert!(compose(&world(), &VIEW, size, true).projection.is_none());
    }
    assert!(plain(&world(), &VIEW, (19, 7)).contains("20 × 8 needed"));
}

#[test]
fn a_click_means_the_place_under_it() {
    for size in [(20, 8), (80, 24), (133, 51)] {
        let projection = compose(&world(), &VIEW, size, true).projection.unwrap();
        let place = DVec2::new(4.9, 2.2);
        let (column, row) = projection.cell_of(place).unwrap();
        let click = MouseEvent {
            kind: MouseEventKind::Down(MouseButton::Left),
            column: column as u16,
            row: row as u16,
            modifiers: KeyModifiers::NONE,
        };
        let action = asked(&Event::Mouse(click), Some(&projection));
        let Some(Action::Click(at)) = action else { panic!("{action:?}") };
        assert_eq!(projection.cell_of(at), Some((column, row)));
        assert!((at - place).abs().max_element() <= projection.m_per_px(), "{at} for {place}");
        let beneath = MouseEvent { row: size.1 as u16 - 1, ..click };
        assert_eq!(asked(&Event::Mouse(beneath), Some(&projection)), None);
    }
}

#[test]
fn only_the_keys_that_quit_do() {
    let press = |code, modifiers| asked(&Event::Key(KeyEvent::new(KeyCode::Char(code), modifiers)), None);
    assert_eq!(press('q', KeyModifiers::NONE), Some(Action::Quit));
    assert_eq!(press('c', KeyModifiers::CONTROL), Some(Action::Quit));
    assert_eq!(press(' ', KeyModifiers::NONE), Some(Action::TogglePause));
    assert_eq!((press('c', KeyModifiers::NONE), press('q', KeyModifiers::CONTROL)), (None, None));
    assert_eq!(asked(&Event::Key(KeyCode::Esc.into()), None), None);
    assert_eq!(asked(&Event::Resize(80, 24), None), Some(Action::Redraw));
}

#[test]
fn colours_follow_the_environment() {
    let depth = |set: &[(&str, &str)]| {
        Depth::detect(|name| set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned()))
    };
    assert_eq!(depth(&[("COLORTERM", "truecolor")]), Depth::True);
    assert_eq!(depth(&[("COLORTERM", "truecolor"), ("NO_COLOR", "1")]), Depth::Plain);
    assert_eq!(depth(&[("NO_COLOR", "")]), Depth::Palette);
    assert_eq!(depth(&[("TERM", "dumb")]), Depth::Plain);
}

/// A cellar and a hall above it; Ada is in the cellar.
#[test]
fn the_storey_of_the_player_is_shown() {
    let floor = |y: f64, width: f64| {
        [(0.0, 0.0), (width, 0.0), (width, 3.0), (0.0, 3.0)].map(|(x, z)| DVec3::new(x, y, z))
    };
    let ring = |first: u32| RawPolygon { corners: (first..first + 4).collect(), ..RawPolygon::default() };
    let mut room = Room::default();
    room.ground.kind = GroundKind::Mesh;
    let vertices = [floor(-2.5, 4.0), floor(0.0, 6.0)].concat();
    room.mesh = Some(Arc::new(MeshPolygons::new(vertices, vec![ring(0), ring(4)])));
    let mut screens = [-2.5, 0.0].map(|y| {
        let mut ada = CharacterSpec::at(Place::new(1.0, 1.0).with_height(y));
        (ada.name, ada.player) = ("Ada".into(), true);
        room.characters = vec![ada];
        plain(&World::new(room.clone(), 1).unwrap(), &VIEW, (80, 16))
    });
    assert!(screens[0].contains(" storey 1 of 2 ") && screens[1].contains(" storey 2 of 2 "), "{screens:?}");
    assert!(screens.iter_mut().all(|screen| screen.contains("Ada")), "{screens:?}");
    assert!(screens[1].matches('.').count() > screens[0].matches('.').count(), "the hall is wider");
}
