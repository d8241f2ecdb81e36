//! Saving in the middle of searches: what a search has found is not saved, but it goes on as if it were.

use crate::common::{area, character, empty_room};
use crate::record::{recorded, same};
use cicerone::room::{Obstacle, Room};
use cicerone::world::{Command, World};
use glam::{DVec2, dvec2};

fn rectangle(x: f64, z: f64, width: f64, depth: f64) -> Vec<DVec2> {
    [(0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth)].map(|(dx, dz)| dvec2(x + dx, z + dz)).to_vec()
}

/// A large hall of walls with gaps, a door far from everybody, and no time to search it all in a tick.
fn hall_of_walls() -> Room {
    let mut room = empty_room();
    room.ground.cell_size_m = 0.25;
    room.crowd.search_budget_expansions = 34;
    room.areas.push(area("hall", rectangle(0.0, 0.0, 24.0, 16.0), true));
    room.areas.push(area("door", rectangle(24.0, 7.0, 1.0, 2.0), false));
    // No way leads there: a walker to there searches everything round the others, and then through them.
    room.areas.push(area("island", rectangle(30.0, 6.0, 3.0, 3.0), true));
    for wall in 0..5_u8 {
        let z = if wall % 2 == 0 { 0.0 } else { 3.0 };
        let polygon = rectangle(4.0 + 4.0 * f64::from(wall), z, 0.5, 13.0);
        room.obstacles.push(Obstacle { name: format!("wall{wall}"), polygon, see_through: false });
    }
    for guest in 0..12_u8 {
        let x = if guest % 2 == 0 { 1.5 } else { 22.5 };
        room.characters.push(character(&format!("guest{guest}"), dvec2(x, 2.0 + f64::from(guest))));
    }
    room
}

#[test]
fn saves_fall_into_the_middle_of_searches_and_change_nothing() {
    let mut world = World::new(hall_of_walls(), 1).unwrap();
    let (mut begun, mut stale, mut through, mut waiting) = (0, 0, 0, 0);
    let bytes = recorded(&mut world, 1200, |world| {
        let tick = world.tick_number();
        if tick.is_multiple_of(200) {
            for (index, guest) in world.characters().to_vec().iter().enumerate() {
                if index % 3 == 1 {
                    continue; // stands in the way
                }
                let x =
                    [if guest.position.at.x < 12.0 { 22.5 } else { 1.5 }, 31.5][usize::from(index % 4 == 0)];
                let to = dvec2(x, 2.0 + index as f64);
                world.apply(Command::SetTarget { who: guest.id, to: to.into() }).unwrap();
            }
        }
        if tick % 100 < 6 {
            let available = tick.is_multiple_of(2);
            world.apply(Command::SetAreaAvailable { area: "door".into(), available }).unwrap();
        }
        let state = serde_json::to_value(world.state()).unwrap();
        let queue = &state["queue"];
        waiting += usize::from(!queue["waiting"].as_array().unwrap().is_empty());
        for search in queue["active"].as_array().unwrap().iter().map(|pair| &pair[1]) {
            begun += usize::from(search["expanded"].as_u64().unwrap() > 0);
            stale += usize::from(search["stale"].as_bool().unwrap() && search["spent"].as_u64().unwrap() > 0);
            through += usize::from(search["through"].as_bool().unwrap());
        }
    });
    assert!(begun > 100 && stale > 10 && waiting > 10, "{begun} begun, {stale} stale, {waiting} waiting");
    assert!(through > 0, "others are to be ignored at some time");
    same(&bytes);
}
