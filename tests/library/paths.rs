//! Paths in pictures: a text map in, the walk drawn out.

use crate::common::{draw_walk, picture, trimmed};
use cicerone::path::{NoPath, Outcome, Query, SearchMemory, find_path};
use cicerone::space::Ground;
use glam::{DVec2, dvec2};

/// Finds the path from S to G and compares the picture of the walk.
fn check(map: &str, expected: &str) {
    let room = picture(map);
    let ground = Ground::new(&room).unwrap();
    let (from, to) = (room.points["S"], room.points["G"]);
    let path = find_path(&ground, query(from, to), &mut SearchMemory::default());
    let drawn = draw_walk(&room, from, &path.waypoints);
    assert_eq!(drawn, trimmed(expected), "\ngot:\n{drawn}");
}

fn query(from: DVec2, to: DVec2) -> Query {
    Query { from, to, snap_m: 8.0, obstacles: Vec::new() }
}

fn answer(map: &str) -> cicerone::path::Path {
    let room = picture(map);
    let ground = Ground::new(&room).unwrap();
    find_path(&ground, query(room.points["S"], room.points["G"]), &mut SearchMemory::default())
}

#[test]
fn goes_straight_where_nothing_is_in_the_way() {
    check(
        "S . . . .
         . . . . .
         . . . . G",
        "S * . . .
         . * * * .
         . . . * G",
    );
}

#[test]
fn goes_round_the_table_without_cutting_its_corner() {
    check(
        "S . . . .
         . # # # .
         . # # # .
         . . . . G",
        "S . . . .
         * # # # .
         * # # # .
         * * * * G",
    );
}

#[test]
fn does_not_slip_between_two_walls_that_touch_at_a_corner() {
    let path = answer(
        "S # G
         # . .",
    );
    assert_eq!((path.outcome, path.reason), (Outcome::None, Some(NoPath::Unreachable)));
}

#[test]
fn waits_outside_the_closed_door_as_near_as_it_can() {
    check(
        "S . . # . .
         . . . | . G
         . . . # . .",
        "S * . # . .
         . * * # . G
         . . . # . .",
    );
}

#[test]
fn walks_through_the_open_door() {
    check(
        "S . . # . .
         . . . / . G
         . . . # . .",
        "S * * # . .
         . . * * * G
         . . . # . .",
    );
}

#[test]
fn a_partial_path_says_so() {
    let path = answer("S . . | G");
    assert_eq!((path.outcome, path.reason), (Outcome::Partial, Some(NoPath::Unreachable)));
    assert_eq!(path.cost_cells, 2.0);
    assert_eq!(path.waypoints, [dvec2(2.5, 0.5)]);
}

#[test]
fn one_who_is_shut_in_has_nowhere_to_go() {
    let path = answer("S | . G");
    assert_eq!(path.outcome, Outcome::None);
    assert!(path.waypoints.is_empty());
}

#[test]
fn ends_exactly_where_it_was_asked_to() {
    let ground = Ground::new(&picture("S . . .")).unwrap();
    let to = dvec2(3.25, 0.9);
    let path = find_path(&ground, query(dvec2(0.1, 0.2), to), &mut SearchMemory::default());
    assert_eq!(path.waypoints, [to]);
    assert_eq!(path.length_m, dvec2(0.1, 0.2).distance(to));
}

#[test]
fn a_walk_within_one_cell_is_one_segment() {
    let ground = Ground::new(&picture("S .")).unwrap();
    let path = find_path(&ground, query(dvec2(0.1, 0.1), dvec2(0.9, 0.8)), &mut SearchMemory::default());
    assert_eq!((path.outcome, path.waypoints), (Outcome::Complete, vec![dvec2(0.9, 0.8)]));
}

#[test]
fn a_start_and_goal_in_the_wall_snap_to_the_nearest_ground() {
    let room = picture(
        "# # # # # #
         # . . . . #
         # # # # # #",
    );
    let ground = Ground::new(&room).unwrap();
    let path = find_path(&ground, query(dvec2(1.4, 0.3), dvec2(5.9, 1.5)), &mut SearchMemory::default());
    assert_eq!(path.outcome, Outcome::Complete);
    assert_eq!(path.waypoints, [dvec2(1.5, 1.5), dvec2(4.5, 1.5)], "the snapped start is the first waypoint");
}

#[test]
fn nothing_within_eight_metres_is_no_path() {
    let ground = Ground::new(&picture("S . .")).unwrap();
    let far = find_path(&ground, query(dvec2(0.5, 0.5), dvec2(2.5, 8.6)), &mut SearchMemory::default());
    assert_eq!((far.outcome, far.reason), (Outcome::None, Some(NoPath::GoalOffGround)));
    let near = find_path(&ground, query(dvec2(0.5, 0.5), dvec2(2.5, 8.4)), &mut SearchMemory::default());
    assert_eq!(near.outcome, Outcome::Complete);
}
