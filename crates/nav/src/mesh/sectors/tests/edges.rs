//! Small levels, drawn: where there is ground beside walls and drops.

use super::picture::*;
use crate::room::LevelGeometry;
use glam::DVec2;

/// A square as large as a character is nowhere in a wall, and not around the end of one.
#[test]
fn ground_keeps_the_radius_from_the_end_of_a_wall() {
    let mut hall = level("....\n....\n....\n....");
    add_wall(&mut hall, [[2.0, 2.0], [2.0, 4.0]], [0.0, 3.0]);
    check_text(
        &ground(&hall, [-1.0, 1.0]),
        "____________
         _oooooooooo_
         _oooooooooo_
         _oooooooooo_
         _oooooooooo_
         _oooo__oooo_
         _oooo__oooo_
         _oooo__oooo_
         _oooo__oooo_
         _oooo__oooo_
         _oooo__oooo_
         ____________",
    );
}

/// Half of a hall is 1 m higher.
fn terrace(picture: &str) -> LevelGeometry {
    let mut terrace = level(picture);
    flood(&mut terrace).starts[0].y = 1.0;
    terrace
}

/// A wall on the floor below the edge reaches up to the body of a character that stands over the edge.
#[test]
fn the_edge_of_a_drop_is_no_ground_where_a_wall_stands_below() {
    let mut hall = terrace("8888\n8888\n....\n....");
    add_wall(&mut hall, [[2.0, 2.0], [2.0, 4.0]], [0.0, 2.5]);
    check_text(
        &ground(&hall, [0.5, 1.5]),
        "____________
         _oooooooooo_
         _oooooooooo_
         _oooooooooo_
         _oooooooooo_
         _oooo__oooo_
         ____________
         ____________
         ____________
         ____________
         ____________
         ____________",
    );
}

/// Beyond a corner of the terrace, there is less headroom over its height.
#[test]
fn the_edge_of_a_drop_is_no_ground_where_there_is_no_headroom() {
    let mut hall = terrace("88..\n88..\n....\n....");
    add_floor(&mut hall, [2, 3], [2, 3], 2.5);
    check_text(
        &ground(&hall, [0.5, 1.5]),
        "____________
         _ooooo______
         _ooooo______
         _ooooo______
         _ooooo______
         _oooo_______
         ____________
         ____________
         ____________
         ____________
         ____________
         ____________",
    );
}

#[test]
fn one_comes_to_the_foot_of_a_drop_only_from_above() {
    let hall = Ground::of(&terrace("88...\n88...\n....."));
    let [above, foot, away] = [(0.25, [0.5, 1.5]), (1.1, [-0.5, 0.5]), (1.75, [-0.5, 0.5])]
        .map(|(x, heights_m)| hall.polygon(DVec2::new(x, 0.25), heights_m).unwrap());
    assert_eq!([above, foot, away].map(|to| hall.reached(above).contains(&to)), [true, true, true]);
    assert_eq!([above, foot, away].map(|to| hall.reached(foot).contains(&to)), [false, true, true]);
    assert_eq!([above, foot, away].map(|to| hall.reached(away).contains(&to)), [false, false, true]);
}
