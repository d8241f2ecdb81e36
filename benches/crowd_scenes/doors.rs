//! Scenes at doors and between shelves.

use super::scenes::{Errand, Gauge, Scene};
use super::stage::{RADIUS_M, block, floor, next, places, room};
use cicerone::room::Room;
use cicerone::world::stream;
use glam::{DVec2, dvec2};

/// Two halls with a door of this width between them, in a wall half a metre thick.
fn two_halls(name: &str, door_m: f64) -> Room {
    let mut halls = room(name);
    floor(&mut halls, (-12.0, -6.0), (11.75, 12.0));
    floor(&mut halls, (-0.25, -0.5 * door_m), (0.5, door_m));
    floor(&mut halls, (0.25, -6.0), (19.75, 12.0));
    halls
}

/// Sixty people through one door.
pub(super) fn one_way_door(door_m: f64) -> Scene {
    let mut scene = Scene::new(format!("door-{door_m:.1}"), two_halls("door", door_m), 180.0)
        .gauged(Gauge::FlowX { x_m: 0.0, width_m: door_m });
    let mut random = stream(7, "door");
    let starts = places((-9.0, -4.4), (6.6, 8.8), 0.9, &mut random);
    let goals = places((4.0, -5.6), (15.5, 11.2), 1.4, &mut random);
    for (from, to) in starts.into_iter().zip(goals).take(60) {
        scene.walks(from, to);
    }
    scene
}

/// Fifty people from either side through one door.
pub(super) fn two_way_door(door_m: f64) -> Scene {
    let mut scene = Scene::new(format!("both-ways-{door_m:.1}"), two_halls("door", door_m), 300.0);
    let mut random = stream(7, "both ways");
    let left = places((-10.0, -5.5), (6.0, 11.0), 1.0, &mut random);
    let right = places((4.0, -5.5), (6.0, 11.0), 1.0, &mut random);
    // Each walks to a place where nobody started, so that nobody waits for another one to leave.
    for index in 0..50 {
        scene.walks(left[index], dvec2(right[65 - index].x, right[65 - index].y * 0.9));
        scene.walks(right[index], dvec2(left[65 - index].x, left[65 - index].y * 0.9));
    }
    scene
}

/// Two hundred people between shelves, each from one random place to the next.
pub(super) fn shoppers() -> Scene {
    let mut market = room("market");
    market.ground.cell_size_m = 0.2;
    floor(&mut market, (0.0, 0.0), (20.0, 20.0));
    for row in 0..5 {
        for column in 0..2 {
            block(&mut market, (2.0 + column as f64 * 9.0, 2.2 + row as f64 * 3.6), (7.0, 1.0));
        }
    }
    let mut scene = Scene::new("shoppers", market, 300.0);
    let mut random = stream(7, "shoppers");
    let is_free = |at: DVec2| {
        (0..5).all(|row| {
            (0..2).all(|column| {
                let low = dvec2(2.0 + f64::from(column) * 9.0, 2.2 + f64::from(row) * 3.6) - 0.45;
                let off = at - low;
                off.x < 0.0 || off.y < 0.0 || off.x > 7.9 || off.y > 1.9
            })
        })
    };
    let mut spot = || loop {
        let at = dvec2(next(&mut random), next(&mut random)) * 19.0 + 0.5;
        if is_free(at) {
            return at;
        }
    };
    let mut taken: Vec<DVec2> = Vec::new();
    while taken.len() < 200 {
        let at = spot();
        if taken.iter().all(|other| other.distance(at) > 2.0 * RADIUS_M) {
            taken.push(at);
        }
    }
    for at in taken {
        let goals = (0..60).map(|_| spot()).collect();
        scene.add(at, Errand::On(goals, 0.0));
    }
    scene
}

/// A hundred and fifty people leave a hall by a door two metres wide.
pub(super) fn emptied_hall() -> Scene {
    let mut halls = two_halls("hall", 2.0);
    floor(&mut halls, (20.0, -6.0), (12.0, 12.0));
    let mut scene = Scene::new("emptied-hall", halls, 240.0).gauged(Gauge::FlowX { x_m: 0.0, width_m: 2.0 });
    let mut random = stream(7, "hall");
    let starts = places((-11.6, -5.7), (10.5, 11.4), 0.8, &mut random);
    let goals = places((3.0, -5.6), (28.0, 11.2), 1.4, &mut random);
    for (from, to) in starts.into_iter().zip(goals.into_iter().rev()).take(150) {
        scene.walks(from, to);
    }
    scene
}

/// Sixty people through a door with a pillar before it.
pub(super) fn pillar_at_door() -> Scene {
    let mut halls = two_halls("pillar", 1.6);
    block(&mut halls, (-2.2, -0.3), (0.6, 0.6));
    let mut scene =
        Scene::new("pillar-at-door", halls, 180.0).gauged(Gauge::FlowX { x_m: 0.0, width_m: 1.6 });
    let mut random = stream(7, "door");
    let starts = places((-11.0, -4.4), (6.6, 8.8), 0.9, &mut random);
    let goals = places((4.0, -5.6), (15.5, 11.2), 1.4, &mut random);
    for (from, to) in starts.into_iter().zip(goals).take(60) {
        scene.walks(from, to);
    }
    scene
}
