//! Scenes on open ground.

use super::scenes::{Errand, Gauge, Scene};
use super::stage::{block, floor, next, places, room};
use cicerone::world::stream;
use glam::dvec2;
use std::f64::consts::{PI, TAU};

/// People on a circle who change places with those opposite.
pub(super) fn circle(count: usize) -> Scene {
    let radius_m = (count as f64 * 0.3).max(4.0);
    let half_m = radius_m + 4.0;
    let mut hall = room("circle");
    floor(&mut hall, (-half_m, -half_m), (2.0 * half_m, 2.0 * half_m));
    let mut scene = Scene::new(format!("circle-{count}"), hall, 120.0);
    for index in 0..count {
        let (sin, cos) = libm::sincos(index as f64 / count as f64 * TAU);
        scene.walks(dvec2(cos, sin) * radius_m, dvec2(-cos, -sin) * radius_m);
    }
    scene
}

/// Pairs whose ways cross at 30 to 180 degrees, each far from the others.
pub(super) fn pairs() -> Scene {
    const COLUMNS: usize = 20;
    const COUNT: usize = 374;
    const APART_M: f64 = 14.0;
    let mut hall = room("pairs");
    hall.ground.cell_size_m = 0.4;
    let rows = COUNT.div_ceil(COLUMNS);
    floor(&mut hall, (0.0, 0.0), (COLUMNS as f64 * APART_M, rows as f64 * APART_M));
    let mut scene = Scene::new("pairs", hall, 40.0);
    let mut random = stream(7, "pairs");
    for index in 0..COUNT {
        let middle = (dvec2((index % COLUMNS) as f64, (index / COLUMNS) as f64) + 0.5) * APART_M;
        let angle = PI / 6.0 + 5.0 * PI / 6.0 * index as f64 / (COUNT - 1) as f64;
        let turn = next(&mut random) * TAU;
        for (heading, aside) in [(turn, 0.0), (turn + angle, next(&mut random) * 1.2 - 0.6)] {
            let (sin, cos) = libm::sincos(heading);
            let (along, across) = (dvec2(cos, sin), dvec2(-sin, cos));
            scene.walks(middle - along * 6.0 + across * aside, middle + along * 6.0 + across * aside);
        }
    }
    scene
}

/// Four groups of 25 that cross in the middle of a square.
pub(super) fn four_streams() -> Scene {
    let mut hall = room("streams");
    floor(&mut hall, (-14.0, -14.0), (28.0, 28.0));
    let mut scene = Scene::new("four-streams", hall, 120.0);
    for index in 0..100 {
        let (group, place) = (index % 4, index / 4);
        let (sin, cos) = libm::sincos(group as f64 * TAU / 4.0);
        let across = ((place % 5) as f64 - 2.0) * 1.1;
        let along = -8.0 - (place / 5) as f64 * 1.1;
        let turned = |x: f64, z: f64| dvec2(x * cos - z * sin, x * sin + z * cos);
        scene.walks(turned(along, across), turned(-along - 0.05, across));
    }
    scene
}

/// Fifty people to one place.
pub(super) fn one_place() -> Scene {
    let mut hall = room("one place");
    floor(&mut hall, (-14.0, -14.0), (28.0, 28.0));
    let mut scene = Scene::new("one-place", hall, 60.0);
    let mut random = stream(7, "one place");
    for at in places((-13.0, -4.2), (9.7, 8.5), 1.2, &mut random).into_iter().take(50) {
        scene.walks(at, dvec2(6.0, 0.0));
    }
    scene
}

/// Forty people through a hall of pillars, from four sides.
pub(super) fn pillars() -> Scene {
    let mut hall = room("pillars");
    floor(&mut hall, (-11.0, -11.0), (22.0, 22.0));
    for row in -1..=1 {
        for column in -1..=1 {
            block(&mut hall, (column as f64 * 4.0 - 0.5, row as f64 * 4.0 - 0.5), (1.0, 1.0));
        }
    }
    let mut scene = Scene::new("pillars", hall, 90.0);
    for index in 0..40 {
        let (sin, cos) = libm::sincos((index % 4) as f64 * TAU / 4.0);
        let across = ((index / 4 % 5) as f64 - 2.0) * 1.6;
        let along = -9.0 + (index / 20) as f64 * 1.2;
        let turned = |x: f64, z: f64| dvec2(x * cos - z * sin, x * sin + z * cos);
        scene.walks(turned(along, across), turned(-along, -across));
    }
    scene
}

/// Ten people through thirty that stand about.
pub(super) fn audience() -> Scene {
    let mut hall = room("audience");
    floor(&mut hall, (-12.0, -6.0), (24.0, 12.0));
    let mut scene = Scene::new("audience", hall, 90.0).gauged(Gauge::Stand);
    let mut random = stream(7, "audience");
    for at in places((-6.0, -5.0), (12.0, 10.0), 2.0, &mut random) {
        let who = scene.add(at, Errand::Stand);
        scene.room.characters[who].returns_to_post = true;
    }
    for index in 0..10 {
        let z = -4.5 + index as f64;
        scene.walks(dvec2(-10.0, z), dvec2(10.0, -z));
    }
    scene
}

/// Small, usual and large people that cross a hall both ways.
pub(super) fn sizes() -> Scene {
    let mut hall = room("sizes");
    (hall.ground.agent_radius_m, hall.ground.boundary_padding_m) = (0.6, 0.6);
    floor(&mut hall, (-12.0, -6.0), (24.0, 12.0));
    let mut scene = Scene::new("sizes", hall, 90.0);
    for index in 0..24 {
        let side = if index % 2 == 0 { -1.0 } else { 1.0 };
        let z = -4.5 + (index / 2 % 6) as f64 * 1.8;
        let x = side * (7.0 + (index / 12) as f64 * 2.5);
        let who = scene.walks(dvec2(x, z), dvec2(-x, -z));
        scene.room.characters[who].collision_radius_m = [0.2, 0.3, 0.6][index % 3];
    }
    scene
}
