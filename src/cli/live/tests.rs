//! Tests of the screen's content, and of keys and clicks.

mod levels;
mod panes;

use super::frame::compose;
use super::keys::{Action, Keys};
use super::log::Log;
use super::terminal::Depth;
use super::text::{Line, Tone};
use super::view::View;
use cicerone::draw::Names;
use cicerone::glam::DVec3;
use cicerone::nav::Place;
use cicerone::room;
use cicerone::room::{CharacterSpec, GroundKind, MeshPolygons, RawPolygon, Room};
use cicerone::script::{Known, KnownNames};
use cicerone::world::World;
use crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use glam::DVec2;
use std::sync::Arc;

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

static NOTHING: Log = Log::new();

const VIEW: View<'_> = View {
    log: &NOTHING,
    errors: &NOTHING,
    error_counts: (0, 0),
    takes_turns: false,
    off: &[],
    speed: 1.0,
    paused: false,
    fps: 30.0,
    notice: None,
};

fn log(lines: &[Line]) -> Log {
    let mut log = Log::new();
    lines.iter().for_each(|line| log.add(6.0, line.clone()));
    log
}

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
fn the_status_says_when_scripts_take_turns() {
    let screen = |takes_turns| plain(&View { takes_turns, ..VIEW }, &Keys::default(), (60, 16));
    assert!(screen(true).contains(" hall   scripts take turns   ▶ 1×"), "{}", screen(true));
    assert!(!screen(false).contains("turns"));
}

#[test]
fn a_screen_shows_map_status_events_and_hints() {
    let lines = [line(Tone::Plain, "Ada comes in"), line(Tone::Good, "reloaded a.lua in 3 ms")];
    let screen = plain(&View { log: &log(&lines), ..VIEW }, &Keys::default(), (48, 16));
    assert_eq!(screen.lines().count(), 16, "{screen}");
    assert!(screen.contains(" desk ") && screen.contains('@'), "{screen}");
    let rows: Vec<&str> = screen.lines().collect();
    assert!(rows[11].starts_with(" hall   ▶ 1×   0:00.0   tick 0"), "{screen}");
    assert_eq!(&rows[13..15], [" Ada comes in", " reloaded a.lua in 3 ms"]);
    assert_eq!(rows[15], " click walk  Enter go to…  : Lua  ? keys  q quit");
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
        assert_eq!(projection.cell_of(at.at), Some((column, row)));
        assert!((at.at - place).abs().max_element() <= projection.m_per_px(), "{at} for {place}");
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
    assert_eq!(press(&mut keys, KeyCode::Esc), Some(Action::NothingOpen), "and no other key quits");
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
    assert!(keys.prompt.is_some(), "until it is known whether there is such a place");
    keys.accept();
    assert!(keys.prompt.is_none());
    press(&mut keys, KeyCode::Enter);
    type_in(&mut keys, "q p");
    assert_eq!(
        keys.prompt.as_ref().unwrap().typing.text(),
        "q p",
        "letters are letters while a line is open"
    );
    press(&mut keys, KeyCode::Up);
    assert_eq!(press(&mut keys, KeyCode::Enter), Some(Action::GoTo("2.5,-1.5".into())));
    keys.accept();
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

/// The console's names in these tests, including some that exist only here.
fn lua_names() -> KnownNames {
    let known = |object, name, signature: &str, summary: &str| Known {
        object,
        name,
        is_field: !signature.contains('('),
        signature: signature.into(),
        summary: summary.into(),
    };
    let mut names = KnownNames::default();
    names.known = vec![
        known("", "room", "", "The room."),
        known("room", "npc", "room:npc(name) -> npc", "Somebody by name."),
        known("room", "npcs", "room:npcs(tag?) -> list", "Everybody, or those with a tag."),
        known("room", "areas", "room:areas() -> list", "The names of all areas."),
        known("room", "nearest", "room:nearest(place) -> point", "The nearest place where one can stand."),
    ];
    names.characters = vec!["Ada".into()];
    names
}

fn lua_keys() -> Keys {
    let mut keys = Keys::default();
    keys.learn_names(lua_names());
    keys
}

fn typed(keys: &Keys) -> &str {
    keys.prompt.as_ref().map_or("", |prompt| prompt.typing.text())
}

#[test]
fn the_console_stays_open_and_remembers_its_own_lines() {
    for opener in [':', '`', '>'] {
        let mut keys = lua_keys();
        type_in(&mut keys, "/door");
        press(&mut keys, KeyCode::Enter);
        keys.accept();
        press(&mut keys, KeyCode::Char(opener));
        type_in(&mut keys, "1 + q");
        assert_eq!(press(&mut keys, KeyCode::Enter), Some(Action::Evaluate("1 + q".into())));
        keys.accept();
        assert!(keys.console_is_open());
        assert_eq!(press(&mut keys, KeyCode::Enter), None, "an empty line asks for nothing");
        type_in(&mut keys, "dra");
        press(&mut keys, KeyCode::Up);
        assert_eq!(typed(&keys), "1 + q", "and not the place");
        press(&mut keys, KeyCode::Up);
        press(&mut keys, KeyCode::Down);
        assert_eq!(typed(&keys), "dra");
        assert_eq!(press(&mut keys, KeyCode::Esc), None);
        assert!(!keys.console_is_open());
    }
}

#[test]
fn a_line_of_lua_is_completed_from_a_list() {
    let mut keys = lua_keys();
    type_in(&mut keys, ":roo");
    press(&mut keys, KeyCode::Tab);
    assert_eq!(typed(&keys), "room", "what can only be meant is written");
    type_in(&mut keys, ":n");
    press(&mut keys, KeyCode::Tab);
    let screen = plain(&VIEW, &keys, (80, 24));
    let rows: Vec<&str> = screen.lines().rev().take(5).collect();
    assert_eq!(rows[0], " lua> room:nearest(   Tab next  Enter take it  Esc close the list        1 of 3");
    assert_eq!(rows[3], "         > nearest(place) -> point   The nearest place where one can stand.");
    assert_eq!(rows[2], "           npc(name) -> npc          Somebody by name.");
    assert!(rows[4].trim().chars().all(|c| c == '-'), "a rule above: {screen}");
    press(&mut keys, KeyCode::Tab);
    assert!(plain(&VIEW, &keys, (80, 24)).contains("> npc(name)"));
    for code in [KeyCode::BackTab, KeyCode::Up] {
        press(&mut keys, code);
    }
    assert!(plain(&VIEW, &keys, (80, 24)).contains("> npcs(tag?)"), "round and round");
    type_in(&mut keys, "p");
    assert!(plain(&VIEW, &keys, (80, 24)).contains("1 of 2"), "the list follows what is typed");
    assert_eq!(press(&mut keys, KeyCode::Enter), None, "Enter takes from the list, and runs nothing");
    assert_eq!(typed(&keys), "room:npc(");
    type_in(&mut keys, "\"");
    press(&mut keys, KeyCode::Tab);
    assert_eq!(typed(&keys), "room:npc(\"Ada");
    // Esc closes the list first.
    press(&mut keys, KeyCode::Home);
    type_in(&mut keys, "room:");
    press(&mut keys, KeyCode::Tab);
    assert!(plain(&VIEW, &keys, (80, 24)).contains("areas() -> list"));
    press(&mut keys, KeyCode::Esc);
    assert!(!plain(&VIEW, &keys, (80, 24)).contains("areas() -> list") && keys.console_is_open());
}

#[test]
fn the_list_fits_on_every_screen() {
    let mut keys = lua_keys();
    type_in(&mut keys, ":room:");
    press(&mut keys, KeyCode::Tab);
    for size in [(20, 8), (39, 9), (59, 12), (80, 24), (120, 40), (200, 60)] {
        for colour in [true, false] {
            let screen = compose(&world(), &VIEW, &keys, size, colour).canvas.to_plain();
            assert!(screen.contains("> areas"), "{size:?}: {screen}");
        }
    }
}

#[test]
fn the_cursor_is_where_the_typing_happens() {
    let mut keys = lua_keys();
    let cursor = |keys: &Keys| compose(&world(), &VIEW, keys, (40, 12), false).cursor;
    assert_eq!(cursor(&keys), None);
    type_in(&mut keys, ":ab酒c");
    assert_eq!(cursor(&keys), Some((11, 11)));
    press(&mut keys, KeyCode::Left);
    assert_eq!(cursor(&keys), Some((10, 11)));
    press(&mut keys, KeyCode::End);
    type_in(&mut keys, &"x".repeat(100));
    assert_eq!(cursor(&keys), Some((38, 11)), "of a long line its end is shown");
    let screen = plain(&VIEW, &keys, (40, 12));
    assert!(screen.lines().last().unwrap().starts_with(" lua> …xxx"), "{screen}");
    press(&mut keys, KeyCode::Home);
    assert_eq!(cursor(&keys), Some((6, 11)));
    assert!(plain(&VIEW, &keys, (40, 12)).contains("lua> ab酒c"));
}

fn control(keys: &mut Keys, letter: char) -> Option<Action> {
    keys.take(&Event::Key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL)), None)
}

#[test]
fn what_was_typed_wrong_stays_to_be_mended() {
    let mut keys = Keys::default();
    type_in(&mut keys, "/dor");
    assert_eq!(press(&mut keys, KeyCode::Enter), Some(Action::GoTo("dor".into())));
    keys.complain("there is no 'dor'; did you mean 'door'?".into());
    let screen = plain(&VIEW, &keys, (60, 12));
    let rows: Vec<&str> = screen.lines().rev().collect();
    assert!(rows[0].starts_with(" go to dor "), "{screen}");
    assert_eq!(rows[1], " there is no 'dor'; did you mean 'door'?");
    press(&mut keys, KeyCode::Left);
    type_in(&mut keys, "o");
    assert!(!plain(&VIEW, &keys, (60, 12)).contains("did you mean"), "until the next key");
    assert_eq!(press(&mut keys, KeyCode::Enter), Some(Action::GoTo("door".into())));
}

#[test]
fn lua_takes_line_breaks() {
    let mut keys = lua_keys();
    let paste = Event::Paste("for i = 1, 2 do\n\tprint(i)\r\nend\n".into());
    assert_eq!(keys.take(&paste, None), None);
    assert_eq!(typed(&keys), "", "nobody asked");
    type_in(&mut keys, ":");
    keys.take(&paste, None);
    assert_eq!(typed(&keys), "for i = 1, 2 do\n  print(i)\nend");
    let screen = plain(&VIEW, &keys, (60, 20));
    let rows: Vec<&str> = screen.lines().rev().take(3).collect();
    assert_eq!(rows[2], " lua> for i = 1, 2 do");
    assert_eq!(rows[1], "   ..   print(i)");
    assert!(rows[0].starts_with("   .. end   Enter run"), "{screen}");
    let cursor = |keys: &Keys, size| compose(&world(), &VIEW, keys, size, false).cursor;
    assert_eq!(cursor(&keys, (60, 20)), Some((9, 19)));
    press(&mut keys, KeyCode::Up);
    assert_eq!(cursor(&keys, (60, 20)), Some((9, 18)), "one line up, and not an earlier text");
    // With one row, it shows the line with the cursor.
    assert!(plain(&VIEW, &keys, (60, 8)).lines().last().unwrap().starts_with("   ..   print(i)"));
    let alt_enter = KeyEvent::new(KeyCode::Enter, KeyModifiers::ALT);
    assert_eq!(keys.take(&Event::Key(alt_enter), None), None);
    assert_eq!(typed(&keys), "for i = 1, 2 do\n  p\nrint(i)\nend");
    press(&mut keys, KeyCode::Backspace);
    assert!(matches!(press(&mut keys, KeyCode::Enter), Some(Action::Evaluate(_))));
    keys.accept();
    press(&mut keys, KeyCode::Up);
    assert_eq!(typed(&keys), "for i = 1, 2 do\n  print(i)\nend", "and comes back as a whole");
}

#[test]
fn what_is_not_finished_goes_on() {
    let mut keys = lua_keys();
    type_in(&mut keys, ":room:npc(");
    assert_eq!(press(&mut keys, KeyCode::Enter), Some(Action::Evaluate("room:npc(".into())));
    keys.go_on();
    type_in(&mut keys, "  roo");
    press(&mut keys, KeyCode::Tab);
    assert_eq!(typed(&keys), "room:npc(\n  room", "completed in the second line");
    for size in [(20, 8), (40, 12), (100, 30)] {
        let cursor = compose(&world(), &VIEW, &keys, size, true).cursor.unwrap();
        assert_eq!(cursor.1, size.1 - 1, "{size:?}");
    }
}

#[test]
fn control_c_goes_back_step_by_step() {
    let mut keys = lua_keys();
    type_in(&mut keys, ":1 + 1");
    keys.learn_waiting(true);
    assert!(plain(&VIEW, &keys, (80, 24)).contains("Esc call off what waits"));
    assert_eq!(control(&mut keys, 'c'), Some(Action::CallOff));
    assert_eq!(press(&mut keys, KeyCode::Esc), Some(Action::CallOff));
    keys.learn_waiting(false);
    assert_eq!(control(&mut keys, 'c'), None);
    assert_eq!((typed(&keys), keys.console_is_open()), ("", true), "the text goes first");
    press(&mut keys, KeyCode::Up);
    assert_eq!(typed(&keys), "1 + 1", "and can be had again");
    press(&mut keys, KeyCode::Esc);
    assert!(!keys.console_is_open());
    type_in(&mut keys, ":");
    assert_eq!(control(&mut keys, 'c'), None);
    assert!(!keys.console_is_open());
    assert_eq!(control(&mut keys, 'd'), None);
    assert_eq!(control(&mut keys, 'c'), Some(Action::Quit));
}

#[test]
fn an_answer_gets_several_rows_and_an_event_one() {
    let long = format!("= {{{}}}", ["npc:ada"; 9].join(", "));
    let lines = [line(Tone::Plain, &long), line(Tone::Answer, &long)];
    let screen = plain(&View { log: &log(&lines), ..VIEW }, &Keys::default(), (40, 24));
    let rows: Vec<&str> = screen.lines().rev().skip(1).take(4).collect();
    assert!(rows[0].starts_with("     npc:ada") && rows[1].starts_with("     npc:ada"), "{screen}");
    assert!(rows[2].starts_with(" = {npc:ada,") && rows[3].ends_with('…'), "{screen}");
}

/// A cellar and a hall above it; Ada is in the cellar.
fn house() -> World {
    let corner = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
    let floor = |y: f64, width: f64| {
        [corner(0.0, y, 0.0), corner(width, y, 0.0), corner(width, y, 3.0), corner(0.0, y, 3.0)]
    };
    let ring = |first: u32| RawPolygon { corners: (first..first + 4).collect(), ..RawPolygon::default() };
    let mut room = Room::default();
    room.name = "house".into();
    room.ground.kind = GroundKind::Mesh;
    let vertices = [floor(-2.5, 4.0), floor(0.0, 6.0)].concat();
    room.mesh = Some(Arc::new(MeshPolygons::new(vertices, vec![ring(0), ring(4)])));
    let mut ada = CharacterSpec::at(Place::new(1.0, 1.0).with_height(-2.5));
    (ada.name, ada.player) = ("Ada".into(), true);
    room.characters = vec![ada];
    World::new(room, 1).unwrap()
}

#[test]
fn one_storey_is_shown_and_keys_lead_to_the_others() {
    let (world, mut keys) = (house(), Keys::default());
    let look = |keys: &mut Keys| {
        let frame = compose(&world, &VIEW, keys, (80, 16), false);
        keys.learn_storeys(frame.storeys);
        frame.canvas.to_plain()
    };
    let cellar = look(&mut keys);
    assert!(cellar.contains(" storey 1 of 2 ") && cellar.contains("Ada"), "{cellar}");
    assert!(cellar.contains(" click walk  u d up, down  Enter go to…"), "{cellar}");
    assert_eq!(press(&mut keys, KeyCode::Char('u')), None);
    let hall = look(&mut keys);
    assert!(hall.contains(" storey 2 of 2 ") && !hall.contains("Ada"), "{hall}");
    assert!(hall.matches('.').count() > cellar.matches('.').count(), "the hall is wider");
    assert_eq!((keys.storey, keys.shown_storey()), (Some(2), 2));
    press(&mut keys, KeyCode::Char('u'));
    assert_eq!(look(&mut keys), hall, "there is nothing above");
    let moved = MouseEvent { kind: MouseEventKind::Moved, column: 40, row: 5, modifiers: KeyModifiers::NONE };
    keys.take(&Event::Mouse(moved), None);
    assert!(look(&mut keys).contains("  y 0.0  z "), "the height of the ground there");
    press(&mut keys, KeyCode::Char('d'));
    assert_eq!(keys.storey, None, "back with the player, the view follows");
    assert!(look(&mut keys).contains(" storey 1 of 2 "));
}
