//! The panes for log, errors and keys; and marks of broken characters.

use super::*;
use crate::cli::live::frame::filter_of;
use cicerone::script::SwitchedOff;

fn ada_is_broken() -> [SwitchedOff; 2] {
    let off = |event: &str, why: &str| {
        let mut off = SwitchedOff::default();
        off.character = world().character_named("Ada").map(|ada| ada.id);
        (off.who, off.file) = ("Ada".into(), "scripts/ada.lua".into());
        (off.event, off.why) = (event.into(), why.into());
        off.tick = 9;
        off
    };
    [off("on_talk", "scripts/ada.lua:3: attempt to index a nil value"), off("run", "scripts/ada.lua:9: no")]
}

#[test]
fn a_broken_character_is_marked_and_explained() {
    let off = ada_is_broken();
    let mut keys = Keys::default();
    let view = View { off: &off[..1], error_counts: (2, 1), ..VIEW };
    let frame = compose(&world(), &view, &keys, (80, 24), false);
    let screen = frame.canvas.to_plain();
    assert!(screen.contains("!... on_talk off .") && screen.contains(" Ada "), "{screen}");
    assert!(screen.contains(" hall   2 errors, 1 new   ▶ 1×"), "{screen}");
    assert!(screen.lines().last().unwrap().starts_with(" e errors  click walk"), "{screen}");
    let screen = plain(&View { off: &off, ..view }, &keys, (80, 24));
    assert!(screen.contains("run ended, 1 off"), "{screen}");
    // Pointing at the character shows why.
    keys.mouse = frame.projection.unwrap().cell_of(DVec2::new(0.6, 0.6));
    let screen = plain(&view, &keys, (80, 24));
    let last = " Ada: on_talk is off until the next save: scripts/ada.lua:3: attempt to index…";
    assert_eq!(screen.lines().last(), Some(last));
    // The errors are visible at every width.
    for width in [20, 30, 48] {
        let screen = plain(&view, &Keys::default(), (width, 12));
        assert!(screen.contains("2 errors, 1 n"), "{width}: {screen}");
    }
}

#[test]
fn errors_have_a_pane_of_their_own() {
    let errors = log(&[line(
        Tone::Bad,
        "script error: scripts/ada.lua:3: no (on_talk of Ada, tick 9)\n    scripts/ada.lua:7: in function 'x'",
    )]);
    let mut keys = Keys::default();
    press(&mut keys, KeyCode::Char('e'));
    let view = View { errors: &errors, error_counts: (1, 0), ..VIEW };
    for size in [(20, 8), (60, 12), (100, 30)] {
        let screen = plain(&view, &keys, size);
        assert!(screen.contains(" errors") && screen.contains("script error:"), "{size:?}: {screen}");
        assert!(screen.contains("Esc back"), "{size:?}: {screen}");
    }
    let screen = plain(&view, &keys, (100, 30));
    assert!(
        screen.contains(" 0:06.0  script error: scripts/ada.lua:3: no (on_talk of Ada, tick 9)"),
        "{screen}"
    );
    assert!(screen.contains("    scripts/ada.lua:7: in function 'x'"), "{screen}");
    assert_eq!(press(&mut keys, KeyCode::Esc), None);
    assert!(keys.pane.is_none());
}

/// Scrolls the pane as the loop does.
fn scroll(keys: &mut Keys, code: KeyCode, log: &Log, size: (usize, usize)) {
    let action = press(keys, code);
    let seen = compose(&world(), &View { log, ..VIEW }, keys, size, false).seen;
    if let (Some(Action::Scroll(by)), Some(pane), Some(seen)) = (action, &mut keys.pane, seen) {
        let filter = filter_of(pane, &world());
        pane.scroll(by, seen, log, &filter);
    }
}

#[test]
fn the_log_is_read_page_by_page() {
    let lines: Vec<Line> = (0..100)
        .map(|i| line(if i % 10 == 0 { Tone::Bad } else { Tone::Plain }, &format!("line {i} of Ada")))
        .collect();
    let log = log(&lines);
    let view = View { log: &log, ..VIEW };
    let (mut keys, size) = (Keys::default(), (60, 17));
    let shown = |keys: &Keys| -> Vec<usize> {
        let screen = plain(&view, keys, size);
        let numbers =
            screen.lines().filter_map(|row| row.split_once("line ")?.1.split(' ').next()?.parse().ok());
        numbers.collect()
    };
    scroll(&mut keys, KeyCode::PageUp, &log, size);
    assert_eq!(shown(&keys), (91..100).collect::<Vec<_>>(), "the latest first");
    assert!(plain(&view, &keys, size).contains("more above"));
    scroll(&mut keys, KeyCode::PageUp, &log, size);
    assert_eq!(shown(&keys), (83..92).collect::<Vec<_>>(), "with one line of the page before");
    scroll(&mut keys, KeyCode::Up, &log, size);
    assert_eq!(shown(&keys), (82..91).collect::<Vec<_>>());
    scroll(&mut keys, KeyCode::PageDown, &log, size);
    assert_eq!(shown(&keys), (90..99).collect::<Vec<_>>());
    for (key, expected) in
        [(KeyCode::Home, 0..9), (KeyCode::PageUp, 0..9), (KeyCode::Down, 1..10), (KeyCode::End, 91..100)]
    {
        scroll(&mut keys, key, &log, size);
        assert_eq!(shown(&keys), expected.collect::<Vec<_>>(), "{key:?}");
    }
    type_in(&mut keys, "ferr");
    press(&mut keys, KeyCode::Tab);
    assert_eq!(keys.pane.as_ref().unwrap().filter, "error", "it is completed, and works at once");
    assert_eq!(shown(&keys), (10..100).step_by(10).collect::<Vec<_>>());
    scroll(&mut keys, KeyCode::PageUp, &log, size);
    assert_eq!(shown(&keys).first(), Some(&0));
    press(&mut keys, KeyCode::Enter);
    assert!(keys.prompt.is_none() && plain(&view, &keys, size).contains(" log  only error"));
    type_in(&mut keys, "f 7");
    assert!(plain(&view, &keys, size).contains("line 70 of Ada") && shown(&keys) == [70]);
    press(&mut keys, KeyCode::Esc);
    assert_eq!(shown(&keys).len(), 9, "Esc shows all again");
}

#[test]
fn the_keys_are_told() {
    let mut keys = Keys::default();
    press(&mut keys, KeyCode::Char('?'));
    let screen = plain(&VIEW, &keys, (100, 40));
    for words in ["Ctrl-C", "never quits", "PgUp", "Alt-Enter", "calls off a line that waits"] {
        assert!(screen.contains(words), "no {words}: {screen}");
    }
    press(&mut keys, KeyCode::F(1));
    assert!(keys.pane.is_none(), "the same key closes it");
}
