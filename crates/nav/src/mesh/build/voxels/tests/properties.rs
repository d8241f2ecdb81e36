//! What holds for every level.

use super::levels::{TestLevel, plane, ramp, spiral, stairs, storeys, terrain};
use super::measure::{Built, Random, build, flat};
use crate::geometry::closest_on_segment;
use crate::mesh::build::voxels::ground::Ground;
use crate::mesh::build::voxels::heightfield::NONE;
use crate::mesh::build::voxels::{VoxelProblem, VoxelSettings, rasterize, shrink};
use crate::mesh::progress::Progress;
use glam::{DVec2, DVec3};
use std::ops::ControlFlow;

fn levels() -> u64 {
    if crate::sweeps::sweeps() { 1000 } else { 40 }
}

#[test]
fn the_same_level_gives_the_same_plan() {
    for level in [spiral(2), plane(), terrain(20)] {
        let settings = VoxelSettings::default();
        assert_eq!(build(&level, &settings).unwrap().plan, build(&level, &settings).unwrap().plan);
    }
}

#[test]
fn polygons_follow_the_floor() {
    let tight = VoxelSettings { max_height_error_m: 0.05, ..VoxelSettings::default() };
    let usual = VoxelSettings::default();
    // On steps the plan cannot be nearer than half a step; where a step is, a cell is as exact as it gets.
    let cases: [(&str, TestLevel, &VoxelSettings, f64); 7] = [
        ("plane", plane(), &usual, 0.01),
        ("ramp", ramp(30.0), &usual, 0.05),
        ("stairs", stairs(0.2), &usual, 0.2),
        ("storeys", storeys(true), &usual, 0.12),
        ("spiral", spiral(2), &usual, 0.2 + 0.1875),
        ("terrain", terrain(40), &usual, 0.2),
        ("terrain, closely", terrain(40), &tight, 0.05),
    ];
    for (name, level, settings, limit_m) in cases {
        let errors = build(&level, settings).unwrap().height_errors_m(&level, 3000);
        let worst = errors.iter().copied().fold(0.0, f64::max);
        assert!(worst <= limit_m, "{name}: {worst} m");
    }
}

/// A floor with boxes that stand at any angle, and the distance from their outlines.
fn boxes(random: &mut Random) -> (TestLevel, Vec<[DVec2; 4]>) {
    let mut level = TestLevel::default();
    level.floor([0.0, 12.0], [0.0, 10.0], 0.0);
    let mut outlines = Vec::new();
    for _ in 0..(random.next() * 6.0) as usize {
        let middle = [random.next() * 12.0, random.next() * 10.0];
        let (half, angle) = (0.05 + random.next() * 1.5, random.next() * 3.0);
        level = level.turned_box(middle, half, angle);
        // The floor inside is not ground that could be reached, but ground it is.
        let corners = level.vertices.len() - 24;
        outlines.push([0, 1, 2, 3].map(|corner| flat(level.vertices[corners + corner])));
    }
    (level, outlines)
}

/// The distance of a point outside a box from it. 0 inside.
fn distance_m(point: DVec2, outline: &[DVec2; 4]) -> f64 {
    let side = |i: usize| (outline[(i + 1) % 4] - outline[i]).perp_dot(point - outline[i]) >= 0.0;
    if (0..4).all(side) || !(0..4).any(side) {
        return 0.0;
    }
    (0..4)
        .map(|i| closest_on_segment(point, outline[i], outline[(i + 1) % 4]).distance(point))
        .fold(f64::INFINITY, f64::min)
}

#[test]
fn ground_is_where_the_radius_permits_and_nowhere_else() {
    let settings = VoxelSettings { min_region_m2: 0.0, ..VoxelSettings::default() };
    let cell = settings.cell_size_m;
    let mut random = Random(11);
    let (mut inside, mut outside) = (0, 0);
    for sweep in 0..levels() {
        let (level, outlines) = boxes(&mut random);
        let built = build(&level, &settings).unwrap();
        let clearance_m = |point: DVec2| {
            let from_border = point.x.min(point.y).min(12.0 - point.x).min(10.0 - point.y);
            outlines.iter().map(|outline| distance_m(point, outline)).fold(from_border, f64::min)
        };
        for polygon in &built.plan.polygons {
            for &corner in &polygon.corners {
                let corner = built.plan.vertices[corner as usize];
                // Ground inside and on top of boxes does not count here.
                let distance_m = clearance_m(flat(corner));
                let may = distance_m == 0.0 || distance_m >= settings.agent_radius_m - 1.5 * cell;
                assert!(may || corner.y > 1.0, "sweep {sweep}: {corner} is {distance_m} m from a wall");
            }
        }
        for _ in 0..200 {
            let point = DVec2::new(random.next() * 12.0, random.next() * 10.0);
            let distance_m = clearance_m(point);
            let found = built.polygon_at(DVec3::new(point.x, 0.0, point.y)).is_some();
            if distance_m > settings.agent_radius_m + 4.0 * cell {
                assert!(found, "sweep {sweep}: {point} is {distance_m} m from walls");
                inside += 1;
            } else if distance_m > 0.0 && distance_m < settings.agent_radius_m - 1.5 * cell {
                assert!(!found, "sweep {sweep}: {point} is {distance_m} m from walls");
                outside += 1;
            }
        }
    }
    assert!(inside > 500 && outside > 300, "{inside} points inside, {outside} outside");
}

/// Floors, slopes and boxes at any height, through each other.
fn heap(random: &mut Random) -> TestLevel {
    let mut level = TestLevel::default();
    level.floor([0.0, 11.0], [0.0, 11.0], 0.0);
    for _ in 0..3 + (random.next() * 12.0) as usize {
        let (x, z, y) = (random.next() * 9.0, random.next() * 9.0, random.next() * 4.0);
        let (width, depth) = (0.3 + random.next() * 5.0, 0.3 + random.next() * 5.0);
        let mut one = TestLevel::default();
        match (random.next() * 3.0) as usize {
            0 => one.floor([0.0, width], [0.0, depth], y),
            1 => one.slope([0.0, width], [0.0, depth], y, random.next() * 4.0),
            _ => one.block([0.0, width], [0.0, depth], [y, y + random.next()]),
        };
        let angle = random.next() * 6.0;
        let (sin, cos) = (libm::sin(angle), libm::cos(angle));
        level.add(&one.moved(|v| DVec3::new(x + v.x * cos - v.z * sin, v.y, z + v.x * sin + v.z * cos)));
    }
    level
}

/// The connected pieces of cells.
fn islands(level: &TestLevel, settings: &VoxelSettings) -> usize {
    let mut report = |_| ControlFlow::Continue(());
    let mut progress = Progress::new(&mut report);
    let mut field = rasterize::rasterize(&level.vertices, &level.triangles, settings, &mut progress).unwrap();
    field.filter(settings, &mut progress).unwrap();
    let mut ground = Ground::new(&field, settings, &mut progress).unwrap();
    shrink(&mut ground, settings).unwrap();
    let mut seen = vec![false; ground.cells.len()];
    let mut count = 0;
    for start in 0..seen.len() {
        count += usize::from(!seen[start]);
        let mut stack = vec![start as u32];
        while let Some(cell) = stack.pop() {
            if !std::mem::replace(&mut seen[cell as usize], true) {
                stack.extend(ground.cells[cell as usize].links.iter().filter(|link| **link != NONE));
            }
        }
    }
    count
}

/// Polygons of one storey must not lie over each other.
fn check_overlaps(built: &Built, settings: &VoxelSettings, random: &mut Random, about: &str) {
    for _ in 0..100 {
        let polygon = (random.next() * built.mesh.len() as f64) as u32;
        let corners: Vec<DVec2> = built.mesh.corners(polygon).collect();
        // A point well inside: the middle.
        let middle = corners.iter().sum::<DVec2>() / corners.len() as f64;
        let height = built.height_m(polygon as usize, middle).expect("the middle is inside");
        for other in (0..built.mesh.len()).filter(|other| *other != polygon as usize) {
            if let Some(other_height) = built.height_m(other, middle) {
                let apart_m = (height - other_height).abs();
                let least_m = settings.agent_climb_m;
                assert!(apart_m > least_m, "{about}: polygons {polygon} and {other} are {apart_m} m apart");
            }
        }
    }
}

#[test]
fn heaps_of_floors_become_meshes_as_connected_as_their_cells() {
    let mut random = Random(5);
    let (mut built_levels, mut storeys) = (0, 0);
    for sweep in 0..levels() {
        let level = heap(&mut random);
        // Small settings as well: nothing keeps thin gaps and pillars away from each other.
        let settings = VoxelSettings {
            agent_radius_m: [0.0, 0.1, 0.3, 0.45][sweep as usize % 4],
            agent_climb_m: [0.4, 0.9, 0.2][sweep as usize % 3],
            max_corners: [3, 4, 8, 12, 64][sweep as usize % 5],
            min_region_m2: [0.0, 1.0][sweep as usize % 2],
            max_edge_error_cells: [1.3, 0.0, 3.0][sweep as usize / 2 % 3],
            max_edge_length_m: [0.0, 2.0][sweep as usize / 4 % 2],
            ..VoxelSettings::default()
        };
        match build(&level, &settings) {
            Err(VoxelProblem::NoGround { .. }) => {}
            Err(problem) => panic!("sweep {sweep}: {problem}"),
            Ok(built) => {
                assert_eq!(built.components, islands(&level, &settings), "sweep {sweep}");
                if settings.agent_radius_m > 0.2 {
                    check_overlaps(&built, &settings, &mut random, &format!("sweep {sweep}"));
                }
                built_levels += 1;
                storeys += built.components;
            }
        }
    }
    assert!(built_levels > 30 && storeys > 60, "{built_levels} levels with {storeys} pieces");
}
