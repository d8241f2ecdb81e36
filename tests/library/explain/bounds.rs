//! Rooms without names, many doors, and what an answer may cost.

use crate::common::{area, picture};
use crate::explain::ask::{ask, ask_within, explain_room, hall, open_all, rect};
use cicerone::nav::{NoPath, Position};
use cicerone::plan::Hindrance;
use cicerone::room::{Obstacle, Room};
use glam::dvec2;

#[test]
fn a_grid_has_no_names_and_a_nearest_point() {
    let map = "type octile\nheight 3\nwidth 5\nmap\n..@..\n..@..\n..@..\n";
    let room = cicerone::room::parse("hall.map", map.as_bytes()).unwrap().room;
    let why = ask(&room, dvec2(0.5, 0.5), dvec2(4.5, 1.5));
    assert_eq!((why.blocked_by(), why.exact), (vec![], true));
    assert_eq!(why.nearest, Some(Position::on_ground(dvec2(1.5, 1.5))));
    assert_eq!(why.hindrances, [Hindrance::NoGround(NoPath::Unreachable)]);
}

#[test]
fn too_little_work_is_no_answer_and_a_little_more_an_honest_one() {
    let room = doors_in_a_row(17);
    let (from, to) = (room.points["S"], room.points["G"]);
    let whole = ask(&room, from.at, to.at);
    assert_eq!(ask_within(&room, from.at, to.at, 3), None);
    let mut inexact = 0;
    for most in (0..whole.work).step_by(7) {
        let Some(why) = ask_within(&room, from.at, to.at, most) else { continue };
        assert!(why.work <= most);
        assert_eq!(why.blocked_by().len(), 17, "all are needed");
        inexact += u32::from(!why.exact);
    }
    assert!(inexact > 0);
}

/// A corridor with so many closed doors.
fn doors_in_a_row(count: usize) -> Room {
    let row: String = (0..count).map(|_| "| . ").collect();
    picture(&format!("S {row} G"))
}

#[test]
fn sixteen_doors_are_exact_and_seventeen_are_not() {
    for count in [16, 17] {
        let why = explain_room(doors_in_a_row(count)).why;
        assert_eq!((why.blocked_by().len(), why.exact), (count, count == 16), "{why}");
    }
    let map =
        format!("S . {} . G\n. # {} # .\n. . . {} . .", "| ".repeat(20), "# ".repeat(20), ". ".repeat(20));
    let mut room = picture(&map.replacen(". . .", ". | .", 3));
    let found = explain_room(room.clone());
    assert!(!found.why.exact && found.why.to_string().contains("(fewer might do)"), "{}", found.why);
    open_all(&mut room, &found.why);
    explain_room(room).blocked_by("");
}

#[test]
fn a_huge_room_is_answered_or_given_up() {
    let mut room = hall(&[]);
    room.areas = vec![
        area("west", rect(0.0, 0.0, 349.0, 700.0), true),
        area("east", rect(350.0, 0.0, 700.0, 700.0), true),
    ];
    for door in 0..12 {
        let z = f64::from(door) * 50.0;
        room.areas.push(area(&format!("door{door}"), rect(349.0, z, 350.0, z + 3.0), false));
    }
    for pillar in 0..100 {
        let at = dvec2(f64::from(pillar % 10), f64::from(pillar / 10)) * 70.0 + 20.0;
        room.obstacles.push(Obstacle {
            name: format!("pillar{pillar}"),
            polygon: rect(at.x, at.y, at.x + 9.0, at.y + 9.0),
            see_through: false,
        });
    }
    room.points.insert("G".into(), dvec2(690.0, 3.0).into());
    let found = explain_room(room.clone()).blocked_by("door0");
    assert!(found.why.work < 5_000_000, "{}", found.why.work);
    room.obstacles.push(Obstacle {
        name: "wall".into(),
        polygon: rect(500.0, -1.0, 501.0, 699.5),
        see_through: false,
    });
    explain_room(room).blocked_by("door0 wall");
}
