//! Navigation alone, without Lua and without files: a room from a string, a world, commands in, events out. Only the crate
//! `cicerone-nav` is needed.
//!
//! Run it: `cargo run --example pure_library`
#![allow(clippy::print_stdout)] // an example talks to its reader

use cicerone_nav::nav::Place;
use cicerone_nav::room::CharacterSpec;
use cicerone_nav::world::{Applied, CharacterId, Command, EventKind, WalkEnd, World};
use std::collections::BTreeMap;
use std::error::Error;

const ROOM: &str = r#"{
    "areas": [
        { "name": "hall", "polygon": [[0, 0], [8, 0], [8, 6], [0, 6]] },
        { "name": "gate", "polygon": [[8, 2], [9, 2], [9, 4], [8, 4]], "available": false },
        { "name": "yard", "polygon": [[9, 0], [16, 0], [16, 6], [9, 6]] }
    ],
    "obstacles": [{ "name": "table", "polygon": [[3, 2], [5, 2], [5, 4], [3, 4]] }],
    "points": { "well": [14, 3] },
    "characters": [{ "name": "ann", "at": [1, 1] }, { "name": "bob", "at": [1, 5] }]
}"#;

fn main() -> Result<(), Box<dyn Error>> {
    let room = cicerone_nav::room::parse("yard.json", ROOM.as_bytes())?.room;
    let mut world = World::new(room, 7)?;
    let well = world.point("well").ok_or("the room has no well")?;
    let ann = id_of(&world, "ann")?;
    let bob = id_of(&world, "bob")?;

    // Characters come and go by commands, too.
    let newcomer = CharacterSpec::at(Place::new(7.0, 5.0)).with_name("cleo");
    let Applied::Spawned(cleo) = world.apply(Command::Spawn(Box::new(newcomer)))? else {
        return Err("a spawn answers with an id".into());
    };

    // The gate is closed: Ann gets as near to the well as she can. Bob's way leads round the table.
    world.apply(Command::SetTarget { who: ann, to: well })?;
    world.apply(Command::SetTarget { who: bob, to: Place::new(6.0, 1.0) })?;
    world.apply(Command::Follow { who: cleo, other: bob, distance_m: 1.0 })?;
    let ends = run(&mut world, 12);
    assert_eq!(ends.get(&ann), Some(&WalkEnd::Partial));
    assert_eq!(ends.get(&bob), Some(&WalkEnd::Arrived));

    // A command that makes no sense is refused, and the world is as it was.
    let refused = world.apply(Command::SetAreaAvailable { area: "gaet".into(), available: true });
    println!("refused: {}", refused.err().ok_or("there is no such area")?);

    world.apply(Command::SetAreaAvailable { area: "gate".into(), available: true })?;
    world.apply(Command::SetTarget { who: ann, to: well })?;
    let ends = run(&mut world, 12);
    assert_eq!(ends.get(&ann), Some(&WalkEnd::Arrived));
    println!("checksum {:016x} after {} ticks", world.checksum(), world.tick_number());
    Ok(())
}

fn id_of(world: &World, name: &str) -> Result<CharacterId, String> {
    world.character_named(name).map(|character| character.id).ok_or(format!("no character is called {name}"))
}

/// Steps the world for some seconds and tells its events. Returns how the walks ended.
fn run(world: &mut World, seconds: u32) -> BTreeMap<CharacterId, WalkEnd> {
    let mut ends = BTreeMap::new();
    let ticks = seconds * world.room().ticks_per_second;
    for _ in 0..ticks {
        world.tick();
        for event in world.take_events() {
            match event.kind {
                EventKind::WalkEnded { who, end, reached, .. } => {
                    println!("{:>4}: {}: {end} at {reached:.2}", event.tick, world.name_of(who));
                    ends.insert(who, end);
                }
                EventKind::Entered(who, area) => {
                    println!("{:>4}: {} enters the {area}", event.tick, world.name_of(who));
                }
                EventKind::AreaChanged { area, available } => {
                    let state = if available { "open" } else { "closed" };
                    println!("{:>4}: the {area} is {state}", event.tick);
                }
                _ => {}
            }
        }
    }
    ends
}
