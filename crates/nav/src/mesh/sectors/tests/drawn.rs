//! Small levels, drawn: what is flooded, and in which sectors.

use super::picture::*;
use super::{built, mesh_of, overlap};
use crate::mesh::sectors::lattice::Lattice;
use crate::mesh::sectors::problem::BadStart;
use crate::mesh::sectors::{SectorMemory, SectorProblem, columns, from_level, triangles};
use crate::room::LevelGeometry;
use glam::{DVec2, DVec3};
use std::ops::ControlFlow;

#[test]
fn low_ceilings_are_for_those_who_crouch_and_apart() {
    let mut hall = level(
        "......
         ..ll..
         ......",
    );
    check(
        &hall,
        "AAAAAA
         CC__DD
         BBBBBB",
    );
    flood(&mut hall).crouch_height_m = Some(1.2);
    check(
        &hall,
        "AAAAAA
         CCddEE
         BBBBBB",
    );
    flood(&mut hall).crouch_height_m = Some(1.5);
    check(
        &hall,
        "AAAAAA
         CC__DD
         BBBBBB",
    );
}

/// The column at the left would be larger than the row at the top right, if the largest sector left any of it.
#[test]
fn sectors_are_taken_the_largest_first_as_they_are_then() {
    check(
        &level(
            ".#...
             .###.
             .....
             .....
             .####
             .####",
        ),
        "C_BBB
         C___E
         AAAAA
         AAAAA
         D____
         D____",
    );
}

#[test]
fn sectors_of_too_few_boxes_are_left_out() {
    let mut hall = level(
        "....#
         .....
         .....
         .#..#",
    );
    let mut least = |boxes: usize, expected: &str| {
        flood(&mut hall).min_sector_boxes = boxes;
        check(&hall, expected);
    };
    least(
        1,
        "AAAA_
         AAAAB
         AAAAB
         D_CC_",
    );
    least(
        2,
        "AAAA_
         AAAAB
         AAAAB
         +_CC_",
    );
    least(
        3,
        "AAAA_
         AAAA+
         AAAA+
         +_++_",
    );
    flood(&mut hall).min_sector_boxes = 12;
    assert!(mesh_of(&hall).is_ok());
    flood(&mut hall).min_sector_boxes = 13;
    assert_eq!(mesh_of(&hall), Err(SectorProblem::TooSmall { min_sector_boxes: 13, largest: 12 }));
}

#[test]
fn steps_rise_by_less_than_a_step_and_fall_by_at_most_the_sweep() {
    check(&level("...11122245"), "AAAAAAAAA__");
    check(&level("..22"), "AA__");
    for (height_m, expected) in [(-6.25, "AABB"), (-6.3, "AA__"), (-7.0, "AA__"), (-20.0, "AA__")] {
        let mut ledge = level("..__");
        add_floor(&mut ledge, [2, 4], [0, 1], height_m);
        check(&ledge, expected);
    }
}

/// Upright faces on the border between boxes.
#[test]
fn walls_between_boxes_matter_above_a_step_and_below_a_head() {
    for (wall_m, is_open) in
        [([0.0, 0.2], true), ([0.0, 0.3], false), ([1.7, 3.0], false), ([1.8, 3.0], true)]
    {
        for across in [false, true] {
            let mut hall = level(if across { ".\n.\n.\n." } else { "...." });
            let ends = if across { [[0.0, 2.0], [1.0, 2.0]] } else { [[2.0, 0.0], [2.0, 1.0]] };
            add_wall(&mut hall, ends, wall_m);
            let expected = if is_open { "AAAA" } else { "AA__" };
            let drawn: String = sectors(&hall).split_whitespace().collect();
            assert_eq!(drawn, expected, "{wall_m:?}");
        }
    }
}

/// Of this rise along two metres.
fn hill(rise_m: f64) -> LevelGeometry {
    let mut hill = level("..____..");
    add_ramp(&mut hill, [2, 6], [0, 1], [0.0, rise_m]);
    add_floor(&mut hill, [6, 8], [0, 1], rise_m);
    hill.settings.agent_climb_m = 1.7;
    hill
}

#[test]
fn floors_are_level_enough() {
    // 0.71 is the cosine of 44.8 degrees.
    for (rise_m, slope_deg, expected) in [
        (1.6, None, "AAAAAAAA"),
        (1.96, None, "AAAAAAAA"),
        (2.02, None, "AA______"),
        (6.0, None, "AA______"),
        (1.6, Some(38.0), "AA______"),
        (1.6, Some(39.0), "AAAAAAAA"),
        (2.02, Some(46.0), "AAAAAAAA"),
    ] {
        let mut hill = hill(rise_m);
        flood(&mut hill).slope_deg = slope_deg;
        check(&hill, expected);
    }
}

/// In its box, the slope rises above a start on it.
#[test]
fn starts_on_slopes_are_told_from_those_in_walls() {
    let mut hill = hill(4.0);
    hill.settings.agent_climb_m = 0.25;
    add_wall(&mut hill, [[7.5, 0.0], [7.5, 1.0]], [4.0, 7.0]);
    for (start, wanted) in [
        (DVec3::new(2.1, 2.2, 0.25), BadStart::Steep),
        (DVec3::new(2.1, 2.6, 0.25), BadStart::Steep),
        (DVec3::new(3.7, 5.0, 0.25), BadStart::InsideGeometry),
    ] {
        flood(&mut hill).starts.truncate(1);
        flood(&mut hill).starts.push(start);
        let found = mesh_of(&hill);
        assert_eq!(found, Err(SectorProblem::BadStart { number: 1, at: start, why: wanted }));
    }
}

#[test]
fn floors_are_faces_that_look_up() {
    let [up, down] = [[[1.0, 0.0, 0.0], [1.0, 0.0, 0.5], [2.0, 0.0, 0.5], [2.0, 0.0, 0.0]]; 2];
    let down = {
        let [a, b, c, d] = down;
        [a, d, c, b]
    };
    for (faces, expected) in [(vec![down], "AA____"), (vec![up, down], "AAAAAA"), (vec![down, up], "AAAAAA")]
    {
        let mut both_sides = level("..__..");
        faces.into_iter().for_each(|face| add(&mut both_sides, face));
        check(&both_sides, expected);
    }
    // A kerb on a ramp, as high as the ramp in that box.
    let mut kerb = level("..____..");
    add_ramp(&mut kerb, [2, 6], [0, 1], [0.0, 0.4]);
    add_wall(&mut kerb, [[3.0, 0.5], [4.0, 0.5]], [0.15, 0.2]);
    check(&kerb, "AAAAAABB");
}

/// The height of a floor is that in the middle of its box, and of several floors in one box that of the highest.
#[test]
fn floors_have_the_height_in_the_middle_of_their_boxes() {
    let mut ramp = hill(0.8);
    ramp.settings.agent_climb_m = 0.25;
    for has_slab in [false, true] {
        if has_slab {
            add_floor(&mut ramp, [3, 4], [0, 1], 0.25);
        }
        let floors = built(&ramp).unwrap().flood.floors_m;
        let expected = [0.0, 0.0, 0.1, 0.3, 0.5, 0.7, 0.8, 0.8];
        assert!(
            floors.iter().zip(expected).all(|(floor, wanted)| (floor - wanted).abs() < 1e-6),
            "{floors:?}"
        );
    }
}

/// Polygons are divided where a floor bends.
#[test]
fn ground_has_the_heights_of_floors() {
    let mut hill = level("....________....\n....________....\n....________....");
    add_ramp(&mut hill, [4, 8], [0, 3], [0.0, 0.8]);
    add_ramp(&mut hill, [8, 12], [0, 3], [0.8, 0.0]);
    let mesh = Ground::of(&hill);
    for x in 1..15 {
        let at = DVec2::new((f64::from(x) + 0.5) * BOX_M, 0.75);
        let wanted_m = (0.8 - 0.4 * (at.x - 4.0).abs()).max(0.0);
        let polygon = mesh.polygon(at, [-1.0, 2.0]).unwrap();
        let found_m = mesh.polygons.height_m(polygon, at);
        assert!((found_m - wanted_m).abs() < 0.11, "{found_m} m high at {at}, not {wanted_m} m");
    }
}

/// One ramp above another: where one begins, the other is higher by now.
#[test]
fn sectors_above_each_other_do_not_overlap() {
    let mut ramps = level("");
    add_ramp(&mut ramps, [0, 16], [0, 2], [0.0, 3.2]);
    add_ramp(&mut ramps, [0, 16], [0, 2], [2.6, 5.8]);
    flood(&mut ramps).starts = vec![DVec3::new(0.25, 0.1, 0.25), DVec3::new(0.25, 2.7, 0.25)];
    let mesh = mesh_of(&ramps).unwrap();
    let sectors = &mesh.sectors.unwrap().sectors;
    assert_eq!(sectors.iter().map(|sector| sector.boxes).sum::<usize>(), 64);
    for (number, sector) in sectors.iter().enumerate() {
        assert_eq!(sectors[..number].iter().find(|other| overlap(sector, other)), None, "{sector:?}");
    }
}

/// The triangles of the new ceiling come last in the order in which levels are compared.
#[test]
fn a_ceiling_that_comes_and_other_settings_are_noticed() {
    let mut memory = SectorMemory::default();
    let mut check = |level: &LevelGeometry| {
        let flood = level.flood.as_ref().unwrap();
        let renewed = from_level(level, flood, &mut memory, &mut |_| ControlFlow::Continue(())).unwrap();
        assert_eq!(renewed, mesh_of(level).unwrap());
        renewed
    };
    let mut hall = level("..22\n..22\n..22\n....");
    let before = check(&hall);
    add(&mut hall, [[2.0, 1.0, 2.0], [2.0, 1.0, 1.5], [1.5, 1.0, 1.5], [1.5, 1.0, 2.0]]);
    let with_ceiling = check(&hall);
    hall.settings.agent_climb_m = 0.3;
    let climbing = check(&hall);
    flood(&mut hall).crouch_height_m = Some(0.9);
    let crouching = check(&hall);
    assert!(before != with_ceiling && with_ceiling != climbing && climbing != crouching);
}

/// The hint of a flood that is too large gives a size that is large enough, as it is written.
#[test]
fn floods_with_boxes_of_the_size_in_the_hint_are_possible() {
    let mut walls = level("..");
    for x in 0..1000 {
        add_wall(&mut walls, [[f64::from(x), 0.0], [f64::from(x) + 0.5, 2000.0]], [0.0, 3.0]);
    }
    let triangles = triangles(&walls).unwrap();
    let corners = || triangles.iter().flatten();
    let min = corners().fold(DVec3::INFINITY, |min, &corner| min.min(corner));
    let max = corners().fold(DVec3::NEG_INFINITY, |max, &corner| max.max(corner));
    for box_size_m in [0.01, 0.012, 0.02, 0.0314, 0.05] {
        let size = |box_size_m: f64| {
            let lattice = Lattice::with_boxes(box_size_m, DVec3::ZERO, min, max);
            columns::check_size(&lattice, &triangles)
        };
        let Err(problem) = size(box_size_m) else { panic!("boxes of {box_size_m} m are possible") };
        let hint = problem.hint();
        let written = hint.split_whitespace().find_map(|word| word.parse::<f64>().ok()).unwrap();
        assert!(size(written).is_ok(), "{box_size_m}: {hint}");
        assert!(size(written * 0.8).is_err(), "{box_size_m}: {hint}");
    }
}
