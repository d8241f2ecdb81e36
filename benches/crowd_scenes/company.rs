//! Scenes of people who walk together: side by side, and after a leader.

use super::scenes::{Errand, Gauge, Scene};
use super::stage::{floor, room};
use glam::dvec2;

/// Adds so many people who walk abreast from a place along x.
fn group(scene: &mut Scene, count: usize, (x, z): (f64, f64), to_x: f64) {
    let leader = scene.walks(dvec2(x, z), dvec2(to_x, z));
    for companion in 1..count {
        let side = if companion % 2 == 0 { 0.9 } else { -0.9 };
        scene.add(dvec2(x, z + side), Errand::Beside(leader));
    }
}

/// Twos and threes who come through a door of one metre one after the other.
pub(super) fn groups_at_door() -> Scene {
    let mut hall = room("groups");
    floor(&mut hall, (-40.0, -5.0), (40.0, 10.0));
    floor(&mut hall, (0.0, -0.5), (0.4, 1.0));
    floor(&mut hall, (0.4, -5.0), (50.0, 10.0));
    let mut scene = Scene::new("groups-door", hall, 90.0).gauged(Gauge::Together);
    for (index, count) in [2, 3, 2, 3].into_iter().enumerate() {
        let row = index as f64;
        group(
            &mut scene,
            count,
            (-10.0 - 6.0 * row, if index % 2 == 0 { -1.5 } else { 1.5 }),
            40.0 - 4.0 * row,
        );
    }
    scene
}

/// Twos and threes in a corridor, and people alone who come towards them.
pub(super) fn groups_in_corridor() -> Scene {
    let mut hall = room("groups");
    floor(&mut hall, (-40.0, -2.5), (80.0, 5.0));
    let mut scene = Scene::new("groups-corridor", hall, 90.0).gauged(Gauge::Together);
    for (index, count) in [3, 2, 3, 2].into_iter().enumerate() {
        let x = -15.0 - 6.0 * index as f64;
        group(&mut scene, count, (x, if index % 2 == 0 { -0.8 } else { 0.8 }), x + 50.0);
    }
    for index in 0..10 {
        let (x, z) = (3.0 * f64::from(index), 1.8 * (f64::from(index) * 0.618).fract() * 2.0 - 1.8);
        scene.walks(dvec2(x, z), dvec2(x - 40.0, z));
    }
    scene
}

/// Eight people who follow a leader at talking distance, round a corner and through a door.
pub(super) fn procession() -> Scene {
    let mut hall = room("procession");
    floor(&mut hall, (-25.0, -4.0), (30.0, 8.0));
    floor(&mut hall, (5.0, -0.6), (0.4, 1.2));
    floor(&mut hall, (5.4, -4.0), (8.0, 30.0));
    let mut scene = Scene::new("procession", hall, 90.0).gauged(Gauge::Together);
    let leader = scene.walks(dvec2(-8.0, 0.0), dvec2(9.0, 23.0));
    for index in 0..8 {
        let (row, side) = (f64::from(index / 2), f64::from(index % 2) - 0.5);
        scene.add(dvec2(-9.5 - row, side), Errand::Follow(leader));
    }
    scene
}
