//! Closed areas.

use crate::common::{area, empty_room, picture};
use crate::explain::ask::{ask, explain, explain_room, hall, query, rect};
use cicerone::nav::{NoPath, Outcome, Position};
use cicerone::plan::{Hindrance, find_path};
use cicerone::surface::{SearchMemory, Surface};
use glam::dvec2;

#[test]
fn names_the_door_that_is_in_the_way() {
    explain("S . | . G")
        .blocked_by("door")
        .nearest(1.5, 0.5)
        .says("the area 'door' is closed; the nearest point that can be reached is (1.50, 0.50)");
}

#[test]
fn says_nothing_of_doors_that_are_not_needed() {
    let map = "S . . # . .
               . . . / . G
               . | . # | .";
    explain(map).blocked_by("").nearest(5.5, 1.5).says("nothing is in the way");
}

#[test]
fn two_doors_in_a_row_are_both_named() {
    explain("S | . | G").blocked_by("door door2").nearest(0.5, 0.5).says(
        "the areas 'door' and 'door2' are closed; the nearest point that can be reached is (0.50, 0.50)",
    );
}

#[test]
fn of_two_ways_the_one_with_fewer_doors_is_named() {
    explain(
        "S . | . | . G
         . # # # # # .
         . . . | . . .",
    )
    .blocked_by("door3");
}

#[test]
fn of_ways_with_as_many_doors_the_first_in_the_file_is_named() {
    explain(
        "S . | . | . G
         . # # # # # .
         . . | . | . .",
    )
    .blocked_by("door door2");
    explain(
        "S . | . G
         . # # # .
         . . | . .",
    )
    .blocked_by("door");
}

#[test]
fn a_goal_in_a_closed_area_is_in_that_area() {
    let mut room = picture("S . . | .");
    room.points.insert("G".into(), dvec2(3.5, 0.5).into());
    assert_eq!(
        find_path(
            &Surface::new(&room).unwrap(),
            query(room.points["S"].at, room.points["G"].at),
            &mut SearchMemory::default()
        )
        .outcome,
        Outcome::Partial,
        "the nearest ground is beside the closed area"
    );
    explain_room(room).blocked_by("door").nearest(2.5, 0.5);
}

#[test]
fn of_areas_that_overlap_one_is_enough() {
    let mut room = picture("S . | . G");
    room.areas.push(area("trapdoor", room.areas.last().unwrap().polygon.clone(), false));
    explain_room(room.clone()).blocked_by("door");
    room.areas.swap_remove(room.areas.len() - 2);
    explain_room(room).blocked_by("trapdoor");
}

#[test]
fn a_goal_in_the_wall_is_as_good_as_the_place_beside_it() {
    let mut room = picture(
        "S . . | .
         # # # # #",
    );
    room.points.insert("G".into(), dvec2(2.5, 1.5).into());
    explain_room(room).blocked_by("").nearest(2.5, 0.5);
}

#[test]
fn with_padding_a_door_must_open_too() {
    let mut room = hall(&[]);
    room.ground.boundary_padding_m = 0.2;
    room.areas = vec![
        area("left", rect(0.0, 0.0, 4.0, 4.0), true),
        area("door", rect(4.0, 1.0, 4.5, 2.5), false),
        area("sill", rect(4.5, 1.0, 5.0, 2.5), false),
        area("right", rect(5.0, 0.0, 9.0, 4.0), true),
    ];
    room.points.insert("G".into(), dvec2(8.0, 1.5).into());
    explain_room(room).blocked_by("door sill");
}

#[test]
fn no_area_leads_there() {
    let apart = explain("S . # . G").blocked_by("").nearest(1.5, 0.5);
    assert_eq!(apart.why.hindrances, [Hindrance::NoGround(NoPath::Unreachable)]);
    assert!(!apart.why.is_complete());
    let corner = explain(
        "S # G
         # . .",
    );
    corner
        .blocked_by("")
        .says("no ground leads there, whatever opens; the nearest point that can be reached is (0.50, 0.50)");
    let room = picture("S . .");
    let far = ask(&room, dvec2(0.5, 0.5), dvec2(300.0, 0.5));
    assert_eq!(far.hindrances, [Hindrance::NoGround(NoPath::GoalOffGround)]);
    assert_eq!(far.nearest, Some(Position::on_ground(dvec2(2.5, 0.5))));
    let lost = ask(&room, dvec2(300.0, 0.5), dvec2(0.5, 0.5));
    assert_eq!((lost.nearest, lost.hindrances), (None, vec![Hindrance::NoGround(NoPath::StartOffGround)]));
}

/// The only ground there is, closed: no nearest point, and opening it is enough.
#[test]
fn a_start_in_a_closed_area_names_it() {
    let mut room = empty_room();
    room.areas = vec![area("yard", rect(0.0, 0.0, 4.0, 4.0), false)];
    let why = ask(&room, dvec2(1.0, 2.0), dvec2(3.0, 2.0));
    assert_eq!(why.blocked_by(), ["yard"]);
    assert_eq!(why.to_string(), "the area 'yard' is closed");
    // And what is behind another door needs both.
    room.areas.push(area("door", rect(4.0, 1.0, 5.0, 3.0), false));
    room.areas.push(area("den", rect(5.0, 0.0, 9.0, 4.0), false));
    let why = ask(&room, dvec2(1.0, 2.0), dvec2(7.0, 2.0));
    assert_eq!(why.blocked_by(), ["yard", "door", "den"]);
}
