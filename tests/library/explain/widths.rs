//! Obstacles, and gaps that are too narrow.

use crate::common::{area, thousand};
use crate::explain::ask::{explain_room, hall, rect};
use cicerone::plan::Explanation;
use cicerone::room::{GroundKind, Obstacle, Room};
use glam::dvec2;
use proptest::prelude::*;

#[test]
fn a_gap_between_two_obstacles_is_measured() {
    let gap = |m: f64| hall(&[("crate", rect(4.0, 0.0, 5.0, 1.0)), ("shelf", rect(4.0, 1.0 + m, 5.0, 4.0))]);
    explain_room(gap(0.9)).blocked_by("crate shelf").gap(0.9, 1.5).says(
        "the gap between 'crate' and 'shelf' is 0.90 m wide and must be more than 1.50 m; the nearest point that can be reached is (3.45, 1.45)",
    );
    explain_room(gap(1.5)).blocked_by("");
}

/// A mesh without clearances has other polygons than the mesh of the room.
#[test]
fn a_gap_is_measured_on_a_mesh_too() {
    for x in [4.0, 4.5, 5.5] {
        let wall = |z, end| rect(x, z, x + 0.5, end);
        let mut room = hall(&[("crate", wall(0.0, 1.5)), ("shelf", wall(2.8, 4.0))]);
        room.ground.kind = GroundKind::Mesh;
        (room.ground.agent_radius_m, room.ground.object_padding_m) = (0.45, 0.25);
        let why = explain_room(room).blocked_by("crate shelf").why.to_string();
        let gap = "the gap between 'crate' and 'shelf' is 1.30 m wide and must be more than 1.40 m";
        assert!(why.starts_with(gap), "{why}");
    }
}

fn doorway(m: f64) -> Room {
    let mut room = hall(&[]);
    room.ground.boundary_padding_m = 0.5;
    room.areas = vec![
        area("left", rect(0.0, 0.0, 4.0, 4.0), true),
        area("doorway", rect(4.0, 1.0, 5.0, 1.0 + m), true),
        area("right", rect(5.0, 0.0, 9.0, 4.0), true),
    ];
    room
}

/// Without cells, less is needed, and partial paths end elsewhere.
#[test]
fn a_mesh_gives_the_explanation_of_the_grid() {
    let goal = |mut room: Room, x: f64, z: f64| {
        room.points.insert("G".into(), dvec2(x, z).into());
        room
    };
    let padded = || {
        let mut room = hall(&[]);
        room.ground.boundary_padding_m = 0.5;
        room
    };
    let with_door = |crate_z: f64| {
        let mut room = hall(&[("crate", rect(6.0, crate_z, 7.0, 4.0))]);
        room.areas = vec![
            area("left", rect(0.0, 0.0, 4.0, 4.0), true),
            area("door", rect(4.0, 1.0, 4.5, 2.5), false),
            area("right", rect(4.5, 0.0, 9.0, 4.0), true),
        ];
        room
    };
    let table = || hall(&[("table", rect(6.0, 1.0, 8.0, 3.0))]);
    let mut corridor = padded();
    corridor.areas[0].polygon = rect(0.0, 1.6, 9.0, 2.4);
    for (room, has_width) in [
        (hall(&[("crate", rect(4.0, 0.0, 5.0, 1.0)), ("shelf", rect(4.0, 1.9, 5.0, 4.0))]), true),
        (hall(&[("crate", rect(4.0, 0.5, 5.0, 4.0))]), true),
        (hall(&[("crate", rect(4.0, 0.0, 5.0, 3.8))]), true),
        (doorway(0.8), true),
        (doorway(0.5), true),
        (with_door(0.6), true),
        (with_door(-1.0), false),
        (hall(&[("chair", rect(2.0, 1.0, 2.3, 1.3)), ("wardrobe", rect(4.0, -1.0, 5.0, 5.0))]), false),
        (goal(padded(), 8.75, 2.0), true),
        (goal(table(), 6.2, 2.0), false),
        (goal(table(), 5.75, 2.05), true),
    ] {
        let mut mesh = room.clone();
        mesh.ground.kind = GroundKind::Mesh;
        let [grid, mesh] = [room, mesh].map(|room| explain_room(room).why);
        assert_eq!(mesh.blocked_by(), grid.blocked_by(), "{mesh}, not {grid}");
        let widths = |why: &Explanation| why.gap_m().zip(why.needed_m());
        match (widths(&mesh), widths(&grid)) {
            (Some((gap, needed)), Some((grid_gap, grid_needed))) => {
                assert!(has_width && (gap - grid_gap).abs() < 1e-3, "{mesh}, not {grid}");
                assert!((-1e-3..0.15).contains(&(grid_needed - needed)), "{mesh}, not {grid}");
            }
            (None, None) => assert!(!has_width, "{mesh}"),
            _ => panic!("{mesh}, not {grid}"),
        }
        let begin = |why: &Explanation| why.to_string().split(" and must be").next().unwrap_or("").to_owned();
        let begin = [&mesh, &grid].map(begin).map(|text| text.split(';').next().unwrap_or("").to_owned());
        assert_eq!(begin[0], begin[1]);
    }
    let mut mesh = corridor;
    mesh.ground.kind = GroundKind::Mesh;
    let why = explain_room(mesh).why;
    assert!(!why.to_string().contains("gap between  is"), "{why}");
}

#[test]
fn a_gap_between_an_obstacle_and_a_wall_names_the_obstacle() {
    let gap = |m: f64| hall(&[("crate", rect(4.0, m, 5.0, 4.0))]);
    let found = explain_room(gap(0.5)).blocked_by("crate").gap(0.5, 0.8);
    assert!(
        found.why.to_string().starts_with("the gap between 'crate' and the edge of 'hall' is 0.50 m wide")
    );
    explain_room(gap(0.8)).blocked_by("");
}

#[test]
fn a_doorway_that_is_too_narrow_for_the_padding_is_named() {
    let found = explain_room(doorway(0.8)).blocked_by("doorway").gap(0.8, 1.1);
    assert!(
        found.why.to_string().starts_with("the area 'doorway' is 0.80 m wide and must be more than 1.10 m")
    );
    explain_room(doorway(1.1)).blocked_by("");
}

#[test]
fn what_plugs_the_way_is_named() {
    let room = hall(&[("chair", rect(2.0, 1.0, 2.3, 1.3)), ("wardrobe", rect(4.0, -1.0, 5.0, 5.0))]);
    let found = explain_room(room).blocked_by("wardrobe");
    assert_eq!((found.why.gap_m(), found.why.needed_m()), (None, None));
    assert!(found.why.to_string().starts_with("the obstacle 'wardrobe' stands in the way; the nearest"));
}

#[test]
fn the_fewest_obstacles_are_named() {
    let mut room = hall(&[
        ("box", rect(4.0, -1.0, 5.0, 2.0)),
        ("chest", rect(6.0, -1.0, 7.0, 2.0)),
        ("wardrobe", rect(4.0, 2.0, 7.0, 5.0)),
    ]);
    explain_room(room.clone()).blocked_by("wardrobe");
    room.obstacles.push(Obstacle {
        name: "bed".into(),
        polygon: rect(5.0, 2.0, 6.0, 5.0),
        see_through: false,
    });
    explain_room(room).blocked_by("box chest");
}

#[test]
fn a_door_and_a_gap_are_both_named() {
    let mut room = hall(&[("crate", rect(6.0, 0.6, 7.0, 4.0))]);
    room.areas = vec![
        area("left", rect(0.0, 0.0, 4.0, 4.0), true),
        area("door", rect(4.0, 1.0, 4.5, 2.5), false),
        area("right", rect(4.5, 0.0, 9.0, 4.0), true),
    ];
    explain_room(room.clone()).blocked_by("door crate").gap(0.6, 0.8);
    room.obstacles[0].polygon = rect(6.0, -1.0, 7.0, 5.0);
    let found = explain_room(room).blocked_by("door crate");
    assert!(found.why.to_string().starts_with("the area 'door' is closed, and the obstacle 'crate' stands"));
}

#[test]
fn a_goal_in_or_near_an_obstacle_names_it() {
    let mut room = hall(&[("table", rect(6.0, 1.0, 8.0, 3.0))]);
    room.points.insert("G".into(), dvec2(6.2, 2.0).into());
    let found = explain_room(room.clone()).blocked_by("table");
    assert!(found.why.to_string().starts_with("the goal lies inside 'table'; the nearest"), "{}", found.why);
    room.points.insert("G".into(), dvec2(5.75, 2.05).into());
    explain_room(room.clone()).blocked_by("table").gap(0.25, 0.7);
    room.areas.push(area("hatch", rect(9.0, 0.0, 12.0, 4.0), false));
    room.points.insert("G".into(), dvec2(11.0, 1.0).into());
    room.obstacles[0].polygon = rect(10.5, 0.5, 11.5, 1.5);
    explain_room(room).blocked_by("hatch table");
}

#[test]
fn a_goal_too_near_to_the_edge_names_the_area() {
    let mut room = hall(&[]);
    room.ground.boundary_padding_m = 0.5;
    room.points.insert("G".into(), dvec2(8.75, 2.0).into());
    let found = explain_room(room).blocked_by("hall").gap(0.25, 0.5);
    assert!(
        found.why.to_string().starts_with("the goal is 0.25 m from the edge of 'hall' and must be 0.50 m")
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..thousand() })]

    /// Widened to what is said to be needed, the gap lets through; narrower than the clearance of both sides, it does
    /// not.
    #[test]
    fn the_width_that_is_needed_is_enough(
        gap_m in 0.45f64..1.3,
        angle in 0.0f64..0.7,
        cell in prop::sample::select(vec![0.1, 0.15, 0.25, 0.4]),
        shift in 0.0f64..0.4,
    ) {
        let (sin, cos) = libm::sincos(angle);
        let (along, across) = (dvec2(cos, sin), dvec2(-sin, cos));
        let block = |from: f64, to: f64| {
            let middle = dvec2(5.0 + shift, 5.0 + shift);
            [(-0.7, from), (0.7, from), (0.7, to), (-0.7, to)].map(|(a, b)| middle + along * a + across * b).to_vec()
        };
        let room_of = |gap: f64| {
            let mut room = hall(&[("low", block(-20.0, 0.0)), ("high", block(gap, 20.0))]);
            room.areas[0].polygon = rect(0.0, 0.0, 11.0, 11.0);
            room.points.insert("S".into(), dvec2(1.0, 5.0).into());
            room.points.insert("G".into(), dvec2(10.0, 5.5).into());
            room.ground.cell_size_m = cell;
            room
        };
        let found = explain_room(room_of(gap_m));
        if found.why.gap_m().is_none() {
            // So narrow that no cell's centre lies in it.
            prop_assert!(gap_m < 1.5 * cell, "{}", found.why);
            return Ok(());
        }
        prop_assert_eq!(found.why.blocked_by(), ["low", "high"]);
        prop_assert!((found.why.gap_m().unwrap() - gap_m).abs() < 1e-6, "{} is {}", gap_m, found.why);
        let needed = found.why.needed_m().unwrap();
        prop_assert!(explain_room(room_of(needed + 1e-6)).why.is_complete(), "{} m are not enough", needed);
        prop_assert!(!explain_room(room_of(1.39)).why.is_complete());
    }
}
