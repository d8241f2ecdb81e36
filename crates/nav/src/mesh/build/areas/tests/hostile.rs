//! Rooms that nobody draws: no panic, no hang, and a plan that holds or a problem that says why.

use super::check_room;
use super::oracle::{check_covers, check_polygons};
use super::rooms::{Random, of_polygons, rect};
use crate::mesh::Polygons;
use crate::mesh::build::areas::{BuildProblem, from_room};
use crate::room::{Area, Obstacle, Room};
use crate::sweeps::sweeps;
use glam::{DVec2, dvec2};

/// A room whose polygons nothing checks.
fn unchecked(areas: Vec<Vec<DVec2>>, obstacles: Vec<Vec<DVec2>>, clearances: [f64; 3]) -> Room {
    let mut room = Room::default();
    let ground = &mut room.ground;
    [ground.agent_radius_m, ground.object_padding_m, ground.boundary_padding_m] = clearances;
    room.areas = areas.into_iter().map(|polygon| Area::new("a", polygon)).collect();
    let obstacle = |polygon| Obstacle { name: "o".into(), polygon, see_through: false };
    room.obstacles = obstacles.into_iter().map(obstacle).collect();
    room
}

#[test]
fn outlines_may_touch_themselves() {
    let points = |list: &[(f64, f64)]| list.iter().map(|&corner| DVec2::from(corner)).collect::<Vec<_>>();
    let hole =
        [(0., 0.), (6., 0.), (6., 6.), (0., 6.), (0., 0.), (2., 2.), (2., 4.), (4., 4.), (4., 2.), (2., 2.)];
    let spike = [(0., 0.), (4., 0.), (4., 2.), (7., 2.), (4., 2.), (4., 4.), (0., 4.)];
    let slit = [(0., 0.), (4., 0.), (4., 2.), (1., 2.), (4., 2.), (4., 4.), (0., 4.)];
    let twins = [(0., 0.), (2., 2.), (4., 0.), (4., 4.), (2., 2.), (0., 4.)];
    for (i, shape) in [&hole[..], &spike, &slit, &twins].into_iter().enumerate() {
        for radius in [0.01, 0.4, 1.5] {
            let around = rect(-3.0, -3.0, 9.0, 9.0);
            let room = of_polygons([radius, 0.0, 0.0], std::slice::from_ref(&around), &[points(shape)], &[]);
            check_room(&room, 1.0, 1_000, &format!("obstacle {i}"));
            let room = of_polygons([0.3, 0.0, radius], &[points(shape), rect(1.0, 3.0, 5.0, 9.0)], &[], &[]);
            let plan = from_room(&room, 1.0).unwrap();
            let mesh = check_polygons(&room, &plan, "touching");
            // A line with the same areas on both sides is no outline, and the grid calls it none.
            check_covers(&room, &plan, &mesh, 1.0, 1_000, &format!("area {i}"));
        }
    }
}

#[test]
fn far_rooms_are_as_exact_as_near_ones() {
    let random = &mut Random(5);
    for at in [dvec2(999_900.0, -999_900.0), dvec2(-123_456.7, 765_432.1)] {
        let mut obstacles = Vec::new();
        for _ in 0..12 {
            let corner = at + dvec2(random.within(0.0, 20.0), random.within(0.0, 20.0));
            let to = corner + random.within(0.01, 3.0);
            obstacles.push(rect(corner.x, corner.y, to.x, to.y));
        }
        let areas =
            [rect(at.x, at.y, at.x + 20.0, at.y + 20.0), rect(at.x + 20.0, at.y, at.x + 30.0, at.y + 9.0)];
        check_room(&of_polygons([0.3, 0.1, 0.3], &areas, &obstacles, &[]), 1.0, 1_000, "far");
    }
    // From one end of the world to the other, with hairs in it.
    let hairs = (0..50).map(|i| rect(f64::from(i), 0.0, f64::from(i) + 0.001, 0.002)).collect();
    let room = unchecked(vec![rect(-1e6, -1e6, 1e6, 1e6)], hairs, [0.01, 0.0, 0.5]);
    let plan = from_room(&room, 1.0).unwrap();
    assert!(Polygons::new(&plan.vertices, &plan.polygons).is_ok());
}

/// Polygons of a few millimetres, in which every vertex is near to some edge.
#[test]
fn crumbs_are_swept_together() {
    let count = if sweeps() { 10_000 } else { 300 };
    let mut plans = 0;
    // In these, two lines meet at a very small angle.
    let slow = [3099, 6728, 7814, 8077, 17348, 19703, 22907];
    for seed in (0..count).chain(slow) {
        let random = &mut Random(seed);
        let size_m = [0.0005, 0.002, 0.01, 1.0][random.below(4) as usize];
        let polygon = |random: &mut Random| -> Vec<DVec2> {
            let corners = 3 + random.below(6);
            (0..corners).map(|_| dvec2(random.within(0.0, size_m), random.within(0.0, size_m))).collect()
        };
        let mut areas: Vec<_> = (0..1 + random.below(3)).map(|_| polygon(random)).collect();
        let obstacles: Vec<_> = (0..random.below(6)).map(|_| polygon(random)).collect();
        if random.below(2) == 0 {
            areas.push(rect(-20.0, -20.0, 20.0, 20.0));
        }
        let clearance_m = random.within(0.0, size_m);
        let boundary_m = if random.below(2) == 0 { 0.0 } else { random.within(0.0, size_m) };
        let room = unchecked(areas, obstacles, [clearance_m, 0.0, boundary_m]);
        match from_room(&room, 1.0) {
            Ok(plan) => {
                plans += 1;
                let mesh = Polygons::new(&plan.vertices, &plan.polygons);
                let mesh = mesh.unwrap_or_else(|problems| panic!("crumbs {seed}: {problems:?}"));
                for polygon in 0..mesh.len() as u32 {
                    for (edge, a, b) in mesh.segments(polygon) {
                        let outside = a.midpoint(b) - (b - a).normalize().perp() * 2e-5;
                        let lone = edge.neighbour().is_none();
                        let nothing = !lone || super::oracle::polygons_at(&mesh, outside).is_empty();
                        assert!(nothing, "crumbs {seed}: no portal at {outside}");
                    }
                }
            }
            Err(problem) => assert!(matches!(problem, BuildProblem::NoGround { .. }), "{seed}: {problem}"),
        }
    }
    assert!(plans * 2 > count, "{plans} plans");
}

#[test]
fn too_much_is_a_problem_and_no_hang() {
    let circle = |count: u32, radius_m: f64| -> Vec<DVec2> {
        let angle = |k: u32| f64::from(k) / f64::from(count) * std::f64::consts::TAU;
        (0..count).map(|k| dvec2(libm::cos(angle(k)), libm::sin(angle(k))) * radius_m).collect()
    };
    let area = || vec![rect(-100.0, -100.0, 100.0, 100.0)];
    let many = unchecked(area(), vec![circle(100_000, 50.0); 21], [0.3, 0.0, 0.0]);
    assert!(matches!(from_room(&many, 1.0), Err(BuildProblem::TooManyEdges { of: Some(_) })));
    // Bars that cross each other: a million crossings, and more.
    let bar = |i: i32| {
        let angle = f64::from(i) * 0.004;
        let along = dvec2(libm::cos(angle), libm::sin(angle)) * 90.0;
        let across = along.perp() * 1e-4;
        vec![along + across, -along + across, -along - across, along - across]
    };
    let bars = unchecked(area(), (0..800).map(bar).collect(), [0.001, 0.0, 0.0]);
    let problem = from_room(&bars, 1.0).unwrap_err();
    assert!(matches!(problem, BuildProblem::TooManyEdges { .. } | BuildProblem::TooDense), "{problem}");
    // All at one place.
    let heap =
        unchecked(area(), (0..600).map(|i| circle(8, 5.0 + f64::from(i) * 0.01)).collect(), [0.3, 0.0, 0.0]);
    match from_room(&heap, 1.0) {
        Ok(plan) => assert!(plan.covers.len() > 300),
        Err(problem) => assert!(matches!(problem, BuildProblem::TooDense), "{problem}"),
    }
}

#[test]
fn rooms_of_another_kind_are_problems() {
    let says = |room: &Room, words: &str| {
        let problem = from_room(room, 1.0).unwrap_err().to_string();
        assert!(problem.contains(words), "{problem}");
    };
    let square = || rect(0.0, 0.0, 1.0, 1.0);
    says(&unchecked(Vec::new(), Vec::new(), [0.0; 3]), "no area");
    says(
        &unchecked(vec![vec![DVec2::ZERO, DVec2::X, dvec2(f64::NAN, 1.0)]], Vec::new(), [0.0; 3]),
        "area \"a\" has a corner",
    );
    says(&unchecked(vec![square()], vec![vec![dvec2(2e6, 0.0)]], [0.0; 3]), "obstacle \"o\" has a corner");
    says(&unchecked(vec![rect(0.0, 0.0, 1.0, 1e-5)], Vec::new(), [0.0; 3]), "area \"a\" is narrower");
    let map = crate::room::parse("r.map", b"type octile\nheight 1\nwidth 3\nmap\n...\n").unwrap();
    says(&map.room, "made of cells");
    for odd in [vec![], vec![DVec2::ONE], vec![DVec2::ONE; 5], vec![DVec2::ONE, DVec2::ZERO]] {
        let room = unchecked(vec![square(), odd.clone()], vec![odd], [0.3, 0.0, 0.2]);
        assert!(from_room(&room, 1.0).is_ok());
    }
    for huge in [1e6, 1e9, 1e300, f64::INFINITY, f64::NAN] {
        let room = unchecked(vec![square()], vec![square()], [huge, 0.0, huge]);
        let _ = from_room(&room, 1.0);
        let _ = from_room(&room, huge);
    }
}
