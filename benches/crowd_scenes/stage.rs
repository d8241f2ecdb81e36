//! Rooms of the crowd scenes: halls, corridors and doors in metres from wall to wall.

use cicerone::room::{Area, CharacterSpec, Obstacle, Room};
use glam::{DVec2, dvec2};

/// Radius of a body, in metres.
pub const RADIUS_M: f64 = 0.3;

/// The walking speed, in metres per second.
pub const SPEED_MPS: f64 = 1.4;

/// An empty room whose walls are where its areas end. The middles of bodies keep [`RADIUS_M`] off them.
pub fn room(name: &str) -> Room {
    let mut room = Room::default();
    room.name = name.into();
    room.ground.cell_size_m = 0.1;
    room.ground.agent_radius_m = RADIUS_M;
    room.ground.object_padding_m = 0.0;
    room.ground.boundary_padding_m = RADIUS_M;
    room
}

/// Adds a rectangle of floor, from a corner, with its width and depth.
pub fn floor(room: &mut Room, low: (f64, f64), size: (f64, f64)) {
    let name = format!("floor {}", room.areas.len());
    room.areas.push(Area::new(name, rectangle(low, size)));
}

/// Adds a rectangle that nobody can walk on.
pub fn block(room: &mut Room, low: (f64, f64), size: (f64, f64)) {
    let name = format!("block {}", room.obstacles.len());
    room.obstacles.push(Obstacle { name, polygon: rectangle(low, size), see_through: false });
}

/// Adds a person of the usual size and speed. Returns its index.
pub fn person(room: &mut Room, at: DVec2) -> usize {
    let index = room.characters.len();
    let mut person = CharacterSpec::at(at).with_name(format!("p{index}"));
    person.collision_radius_m = RADIUS_M;
    person.walk_speed_mps = SPEED_MPS;
    room.characters.push(person);
    index
}

fn rectangle(low: (f64, f64), size: (f64, f64)) -> Vec<DVec2> {
    let (low, size) = (DVec2::from(low), DVec2::from(size));
    [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, z)| low + dvec2(x, z) * size).to_vec()
}

/// Places in rows from a corner of a rectangle, as many as fit with `apart_m` between them, each moved a little.
pub fn places(low: (f64, f64), size: (f64, f64), apart_m: f64, random: &mut u64) -> Vec<DVec2> {
    let mut found = Vec::new();
    let (columns, rows) = ((size.0 / apart_m) as usize, (size.1 / apart_m) as usize);
    let play_m = (apart_m - 2.0 * RADIUS_M - 0.02).max(0.0) * 0.5;
    for column in 0..columns {
        for row in 0..rows {
            let jitter = dvec2(next(random) - 0.5, next(random) - 0.5) * play_m;
            found.push(DVec2::from(low) + (dvec2(column as f64, row as f64) + 0.5) * apart_m + jitter);
        }
    }
    found
}

/// A random number from 0 to 1.
pub fn next(random: &mut u64) -> f64 {
    cicerone::world::next_random(random)
}
