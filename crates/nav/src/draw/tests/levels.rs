//! Pictures of tactical levels.

use super::*;
use crate::room::Stance;
use crate::tactics::{Actor, TacticalField};

/// Two rooms with a door, a duct and a wall between them, and stairs with a ladder to a gallery.
fn house() -> Room {
    room(
        r#"{
        "name": "house",
        "tactics": { "brushes": [
            { "box": [[0, 0, 0], [192, 96, 8]] },
            { "box": [[94, 0, 8], [98, 32, 64]] },
            { "box": [[94, 32, 8], [98, 64, 64]], "area": "gate" },
            { "box": [[94, 64, 40], [98, 96, 64]] },
            { "box": [[128, 64, 8], [160, 96, 28]] },
            { "box": [[160, 64, 8], [192, 96, 48]] },
            { "box": [[160, 0, 56], [192, 64, 64]] },
            { "box": [[150, 8, 8], [154, 24, 80]], "ladder": "east" }
        ] },
        "characters": [
            { "name": "ann", "at": [0.5, 0.5], "actor": { "side": "squad", "budget": 20 } },
            { "name": "ox", "at": [5, 1], "actor": { "side": "herd", "size": 2, "level": 1 } }
        ]
    }"#,
    )
}

fn field(room: &Room, is_open: bool) -> TacticalField {
    TacticalField::new(room.tactics.as_ref().unwrap(), |_| is_open)
}

fn picture(room: &Room) -> Picture {
    Picture::of_room(room, &Surface::new(room).unwrap())
}

#[test]
fn levels_as_text() {
    check(
        &picture(&house()).to_text(80),
        r#"
        level 0
              +
         A . .|. H .
              +
         . . .~. . .
                   /
         . . .:. . .

        level 1

                <O O
                 v
                 O<O
                   /

        A ann (squad, 20 TU)   O ox (herd, 50 TU)   ~ gate (closed)   | wall
        : only crouched   / stairs   > drop (also < v ^)   H ladder   one square is 1 m
    "#,
    );
}

#[test]
fn reach_and_way_as_text() {
    let room = house();
    let table = field(&room, false).table([0, 0, 0], 1, &Actor::new(Stance::Stand, 20)).unwrap();
    let to = [4, 1, 0];
    let stance = table.best_stance(to).unwrap();
    let moves = table.path(to, stance).unwrap();
    let picture = picture(&room).with_reach(&table, 1, 20).with_moves([0, 0, 0], 1, &moves);
    check(
        &picture.storey(1).unwrap().to_text(80),
        r#"
        level 0
                    +
         A 0   2   4| 18 H19  20
                    +
           2 * 3   5~ 15 *16  19
                             ///
           4   5 * 9:*12  15  18

        A ann (squad, 20 TU)   ~ gate (closed)   * way   | wall   : only crouched
        / stairs   H ladder   one square is 1 m
    "#,
    );
    // Where numbers do not fit, letters show the plan; where borders do not fit, blocks of cells.
    check(
        &picture.storey(1).unwrap().to_text(16),
        r#"
        level 0
              +
         A . .|. H .
              +
         . * .~. * .
                   /
         . . *:* . .

        A ann (squad, 20 TU)   ~ gate (closed)   * way
        | wall   : only crouched   / stairs   H ladder
        one square is 1 m
    "#,
    );
}

#[test]
fn plans_as_svg_are_well_formed_and_coloured() {
    let room = house();
    let table = field(&room, false).table([0, 0, 0], 1, &Actor::new(Stance::Stand, 20)).unwrap();
    let svg = picture(&room).with_reach(&table, 1, 20).to_svg(&SvgOptions::default());
    for part in [
        "level 0",
        "level 1",
        "gate · closed",
        "class=\"low\"",
        "class=\"stairs\"",
        "class=\"rungs\"",
        "in reach, with its TU",
        "ann: squad, 20 TU",
    ] {
        assert!(svg.contains(part), "{part}: {svg}");
    }
    let mut open = room.clone();
    open.areas.iter_mut().for_each(|area| area.available = true);
    let svg = picture(&open).to_svg(&SvgOptions::default());
    assert!(
        svg.contains("class=\"dooropen\"") && svg.contains(">gate<") && !svg.contains("· closed"),
        "{svg}"
    );
}

#[test]
fn a_storey_is_a_level_with_a_floor() {
    let picture = picture(&house());
    assert_eq!(
        (picture.storey_count(), picture.level_of_storey(2), picture.level_of_storey(3)),
        (2, Some(1), None)
    );
    assert_eq!((picture.storey_of_level(1), picture.storey_of_level(7)), (Some(2), Some(2)));
    assert_eq!(picture.place_on_storey(2, DVec2::new(5.5, 0.5)).y_m, Some(2.0));
    let names = |storey: usize| -> Vec<String> {
        picture.storey(storey).unwrap().figures().map(|figure| figure.name.clone()).collect()
    };
    assert_eq!((names(1), names(2)), (vec!["ann".to_owned()], vec!["ox".to_owned()]));
}

#[test]
fn a_wide_level_is_drawn_in_blocks() {
    let wide = room(
        r#"{ "name": "yard", "tactics": { "brushes": [
            { "box": [[0, 0, 0], [1024, 128, 8]] }, { "box": [[512, 0, 8], [1024, 128, 500]] }
        ] }, "characters": [{ "name": "ann", "at": [5.5, 2.5], "actor": {} }] }"#,
    );
    check(
        &picture(&wide).to_text(16),
        r#"
        ........########
        ..A.....########

        A ann (neutral, 50 TU)   # blocked
        one square is 1 m
        "#,
    );
}
