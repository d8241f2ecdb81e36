//! Paths in pictures: a text map in, the walk drawn out.

use crate::common::{draw_walk, picture, trimmed};
use cicerone::nav::{NoPath, Outcome, Position, Query};
use cicerone::plan::find_path;
use cicerone::room::Room;
use cicerone::surface::{SearchMemory, Surface};
use glam::{DVec2, dvec2};

/// Finds the path from S to G and compares the picture of the walk.
fn check(map: &str, expected: &str) {
    let room = picture(map);
    let ground = Surface::new(&room).unwrap();
    let (from, to) = (room.points["S"], room.points["G"]);
    let path = find_path(&ground, query(from.at, to.at), &mut SearchMemory::default());
    let drawn = draw_walk(&room, from.at, &path.points());
    assert_eq!(drawn, trimmed(expected), "\ngot:\n{drawn}");
}

fn query(from: DVec2, to: DVec2) -> Query {
    Query::new(from, to).with_snap_m(8.0)
}

fn answer(map: &str) -> cicerone::nav::Path {
    let room = picture(map);
    let ground = Surface::new(&room).unwrap();
    find_path(&ground, query(room.points["S"].at, room.points["G"].at), &mut SearchMemory::default())
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
    assert_eq!((path.outcome, path.reason), (Outcome::Partial, Some(NoPath::Unreachable)));
    assert!(path.waypoints.is_empty());
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
    assert_eq!(path.points(), [dvec2(2.5, 0.5)]);
}

#[test]
fn one_who_is_shut_in_is_as_near_as_it_gets() {
    let path = answer("S | . G");
    assert_eq!((path.outcome, path.reason), (Outcome::Partial, Some(NoPath::Unreachable)));
    assert!(path.waypoints.is_empty());
    assert_eq!((path.snapped_to, path.missed_by_m), (Some(Position::on_ground(dvec2(0.5, 0.5))), 3.0));
}

#[test]
fn asked_again_from_the_nearest_point_the_answer_is_the_same() {
    let room = picture("S . . | . G");
    let ground = Surface::new(&room).unwrap();
    let (goal, mut at) = (room.points["G"], room.points["S"]);
    for _ in 0..3 {
        let path = find_path(&ground, query(at.at, goal.at), &mut SearchMemory::default());
        assert_eq!((path.outcome, path.reason), (Outcome::Partial, Some(NoPath::Unreachable)));
        assert_eq!((path.to, path.snapped_to), (goal, Some(Position::on_ground(dvec2(2.5, 0.5)))));
        at.at = path.points().last().copied().unwrap_or(at.at);
        assert_eq!(at.at, dvec2(2.5, 0.5));
    }
    // Anywhere in the cell is near enough: nobody moves to its middle.
    let path = find_path(&ground, query(dvec2(2.1, 0.9), goal.at), &mut SearchMemory::default());
    assert_eq!((path.outcome, path.waypoints.len()), (Outcome::Partial, 0));
    assert_eq!(path.snapped_to, Some(Position::on_ground(dvec2(2.1, 0.9))));
}

#[test]
fn a_goal_in_a_closed_area_is_partial_and_names_the_area() {
    let mut room = picture("S . . G .");
    let area = room.areas.iter().position(|area| area.name == "3,0").unwrap();
    let goal = room.points["G"];
    let ask = |room: &Room| {
        let ground = Surface::new(room).unwrap();
        find_path(&ground, query(room.points["S"].at, goal.at), &mut SearchMemory::default())
    };
    assert_eq!((ask(&room).outcome, ask(&room).snapped_to), (Outcome::Complete, None));
    room.areas[area].available = false;
    let path = ask(&room);
    assert_eq!((path.outcome, path.reason), (Outcome::Partial, Some(NoPath::GoalClosed)));
    assert_eq!(path.describe(), "the area '3,0' is closed");
    assert_eq!((path.points(), path.missed_by_m), (vec![dvec2(2.5, 0.5)], 1.0));
    // A wall or an obstacle is no closed area: the goal is moved to the nearest ground, and reached there.
    room.areas.remove(area);
    let path = ask(&room);
    assert_eq!(
        (path.outcome, path.snapped_to),
        (Outcome::Complete, Some(Position::on_ground(dvec2(2.5, 0.5))))
    );
    assert_eq!(path.missed_by_m, 1.0);
}

#[test]
fn ends_exactly_where_it_was_asked_to() {
    let ground = Surface::new(&picture("S . . .")).unwrap();
    let to = dvec2(3.25, 0.9);
    let path = find_path(&ground, query(dvec2(0.1, 0.2), to), &mut SearchMemory::default());
    assert_eq!(path.points(), [to]);
    assert_eq!(path.length_m, dvec2(0.1, 0.2).distance(to));
}

#[test]
fn a_walk_within_one_cell_is_one_segment() {
    let ground = Surface::new(&picture("S .")).unwrap();
    let path = find_path(&ground, query(dvec2(0.1, 0.1), dvec2(0.9, 0.8)), &mut SearchMemory::default());
    assert_eq!((path.outcome, path.points()), (Outcome::Complete, vec![dvec2(0.9, 0.8)]));
}

#[test]
fn a_start_and_goal_in_the_wall_snap_to_the_nearest_ground() {
    let room = picture(
        "# # # # # #
         # . . . . #
         # # # # # #",
    );
    let ground = Surface::new(&room).unwrap();
    let path = find_path(&ground, query(dvec2(1.4, 0.3), dvec2(5.9, 1.5)), &mut SearchMemory::default());
    assert_eq!(path.outcome, Outcome::Complete);
    assert_eq!(path.points(), [dvec2(1.5, 1.5), dvec2(4.5, 1.5)], "the snapped start is the first waypoint");
}

#[test]
fn farther_than_eight_metres_off_the_ground_is_partial_to_the_nearest_point() {
    let ground = Surface::new(&picture("S . .")).unwrap();
    for goal in [dvec2(2.5, 8.6), dvec2(300.0, 0.5), dvec2(1e6, -1e6)] {
        let far = find_path(&ground, query(dvec2(0.5, 0.5), goal), &mut SearchMemory::default());
        assert_eq!((far.outcome, far.reason), (Outcome::Partial, Some(NoPath::GoalOffGround)), "{goal}");
        assert_eq!(far.points(), [dvec2(2.5, 0.5)], "{goal}");
    }
    // Who cannot stand anywhere gets no path.
    let lost = find_path(&ground, query(dvec2(300.0, 0.5), dvec2(0.5, 0.5)), &mut SearchMemory::default());
    assert_eq!((lost.outcome, lost.reason), (Outcome::None, Some(NoPath::StartOffGround)));
    let near = find_path(&ground, query(dvec2(0.5, 0.5), dvec2(2.5, 8.4)), &mut SearchMemory::default());
    assert_eq!(near.outcome, Outcome::Complete);
}
