//! Rooms full of people at one density: so many square metres each, however many they are.

use cicerone::room::{Area, Avoidance, CharacterSpec, Obstacle, Room};
use cicerone::world::next_random;
use glam::{DVec2, dvec2};

/// Square metres each.
pub const SPACE_M2: f64 = 4.0;

/// Half a person's width; cells and paddings are the defaults of room files.
pub const RADIUS_M: f64 = 0.3;

/// Distance between the middles of two pillars.
const PILLARS_EVERY_M: f64 = 8.0;

/// Edge of the square room for so many.
pub fn edge_m(characters: usize) -> f64 {
    (characters as f64 * SPACE_M2).sqrt()
}

/// An open square, with pillars a metre thick if wanted, and people spread over it evenly. `script` is what they
/// follow.
pub fn room(characters: usize, pillars: bool, script: Option<&str>) -> Room {
    let edge_m = edge_m(characters);
    let square = |low: DVec2, edge_m: f64| {
        [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(x, z)| low + dvec2(x, z) * edge_m).to_vec()
    };
    let hall = Area::new("hall", square(DVec2::ZERO, edge_m));
    let mut obstacles = Vec::new();
    let pillars_a_row = if pillars { (edge_m / PILLARS_EVERY_M) as usize } else { 0 };
    for row in 0..pillars_a_row {
        for column in 0..pillars_a_row {
            let low = (dvec2(column as f64, row as f64) + 0.5) * PILLARS_EVERY_M - 0.5;
            obstacles.push(Obstacle {
                name: format!("pillar {column} {row}"),
                polygon: square(low, 1.0),
                see_through: false,
            });
        }
    }
    let a_row = (characters as f64).sqrt().ceil() as usize;
    let spacing_m = edge_m / a_row as f64;
    let start = |index: usize| (dvec2((index % a_row) as f64, (index / a_row) as f64) + 0.5) * spacing_m;
    let mut room = Room::default();
    room.name = "crowd".into();
    room.crowd.avoidance = Avoidance::Push;
    room.ground.agent_radius_m = RADIUS_M;
    room.areas.push(hall);
    room.obstacles = obstacles;
    room.characters = (0..characters).map(|index| person(index, start(index), script)).collect();
    room
}

/// A random place in the room, at most `reach_m` from somebody along either axis.
pub fn random_target(random: &mut u64, from: DVec2, reach_m: f64, edge_m: f64) -> DVec2 {
    // Off the walls, so that the target itself is walkable and its path a whole one.
    let (low, high) = (DVec2::splat(RADIUS_M), DVec2::splat(edge_m - RADIUS_M));
    let (low, high) = ((from - reach_m).max(low), (from + reach_m).min(high));
    low + (high - low) * dvec2(next_random(random), next_random(random))
}

fn person(index: usize, at: DVec2, script: Option<&str>) -> CharacterSpec {
    let mut person = CharacterSpec::at(at).with_name(format!("c{index}"));
    person.script = script.map(str::to_owned);
    person.collision_radius_m = RADIUS_M;
    person
}
