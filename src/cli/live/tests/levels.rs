//! Tactical levels on the screen.

use super::*;

/// A yard with a wall across it, and a gallery above its east end.
fn yard() -> World {
    let room = room::parse(
        "yard.json",
        br#"{
            "name": "yard",
            "tactics": { "brushes": [
                { "box": [[0, 0, 0], [256, 96, 8]] },
                { "box": [[126, 0, 8], [130, 64, 72]] },
                { "box": [[192, 0, 64], [256, 96, 72]] }
            ] },
            "characters": [
                { "name": "ann", "at": [0.5, 0.5], "actor": { "side": "squad", "budget": 12 } },
                { "name": "eve", "at": [7.5, 1.5], "actor": { "side": "aliens", "budget": 8, "level": 1 } }
            ]
        }"#,
    );
    World::new(room.unwrap().room, 1).unwrap()
}

/// The screen after what keys have learned from it.
fn screen(world: &World, keys: &mut Keys) -> String {
    keys.learn_level(world);
    let frame = compose(world, &VIEW, keys, (80, 20), false);
    keys.learn_storeys(frame.storeys);
    frame.canvas.to_plain()
}

#[test]
fn t_selects_actors_and_shows_their_reach_and_level() {
    let (world, mut keys) = (yard(), Keys::default());
    let first = screen(&world, &mut keys);
    assert!(first.contains("level 0") && first.contains("t next actor  arrows cursor"), "{first}");
    assert_eq!(press(&mut keys, KeyCode::Char('t')), None);
    let ann = screen(&world, &mut keys);
    assert!(ann.contains("ann  squad  12 of 12 TU") && ann.contains(":12::"), "{ann}");
    press(&mut keys, KeyCode::Char('t'));
    let eve = screen(&world, &mut keys);
    assert!(eve.contains("level 1") && eve.contains("eve  aliens  8 of 8 TU"), "{eve}");
    press(&mut keys, KeyCode::Char('t'));
    assert!(screen(&world, &mut keys).contains("ann  squad"), "the first comes after the last");
}

#[test]
fn arrows_move_the_cursor_and_tell_the_cost() {
    let (world, mut keys) = (yard(), Keys::default());
    screen(&world, &mut keys);
    press(&mut keys, KeyCode::Char('t'));
    screen(&world, &mut keys);
    for code in [KeyCode::Right, KeyCode::Right, KeyCode::Down] {
        assert_eq!(press(&mut keys, code), None, "the cursor moves; nobody is steered");
    }
    let near = screen(&world, &mut keys);
    assert!(near.contains("cell 2, 1 on level 0: 5 TU, 7 left"), "{near}");
    for _ in 0..20 {
        press(&mut keys, KeyCode::Right);
    }
    let far = screen(&world, &mut keys);
    assert!(far.contains("cell 7, 1 on level 0: out of reach"), "{far}");
    press(&mut keys, KeyCode::Char('u'));
    let above = screen(&world, &mut keys);
    assert!(above.contains("level 1") && above.contains("cell 7, 1 on level 1: out of reach"), "{above}");
}

#[test]
fn a_click_selects_the_actor_there() {
    let (world, mut keys) = (yard(), Keys::default());
    keys.learn_level(&world);
    let frame = compose(&world, &VIEW, &keys, (80, 20), false);
    keys.learn_storeys(frame.storeys);
    let (column, row) = frame.projection.unwrap().cell_of(DVec2::new(0.5, 0.5)).unwrap();
    let kind = MouseEventKind::Down(MouseButton::Left);
    let click = MouseEvent { kind, column: column as u16, row: row as u16, modifiers: KeyModifiers::NONE };
    let action = keys.take(&Event::Mouse(click), frame.projection.as_ref());
    assert!(matches!(action, Some(Action::Click(_))), "scripts get it, too: {action:?}");
    assert!(screen(&world, &mut keys).contains("ann  squad  12 of 12 TU"));
}

#[test]
fn where_a_player_walks_the_arrows_steer_it() {
    let mut keys = Keys::default();
    keys.learn_level(&world());
    assert!(matches!(press(&mut keys, KeyCode::Right), Some(Action::Steer(_))));
}
