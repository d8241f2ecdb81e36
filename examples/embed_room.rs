//! A scripted room inside a game: opens `rooms/tavern.json`, sends a click as a mouse would, steps the room, and reads
//! what a game draws and reacts to: events, positions, and at last the checksum, which is the same on every run.
//!
//! Run it: `cargo run --example embed_room`
#![allow(clippy::print_stdout)] // an example talks to its reader

use cicerone::nav::Place;
use cicerone::runtime::{Input, Options, Runtime, RuntimeEvent};
use cicerone::world::World;
use std::error::Error;
use std::path::Path;

const SECONDS: u32 = 12;

fn main() -> Result<(), Box<dyn Error>> {
    let mut room = open()?;
    let goal = Place::new(6.0, 3.0);
    room.send(Input::Click(goal)); // no script takes this click, so the player walks there

    for second in 0..SECONDS {
        for _ in 0..room.ticks_per_second() {
            room.step();
            for event in room.take_events() {
                match event {
                    RuntimeEvent::Event { tick, text, .. } => println!("tick {tick:>4}: {text}"),
                    other => println!("{other}"),
                }
            }
        }
        if second % 4 == 3 {
            print_positions(room.world());
        }
    }

    let player = room.world().player().ok_or("no character is the player")?.position;
    assert!(player.distance(goal) < 0.1, "the player stands at {player}, not at {goal}");
    assert_eq!(room.tally().script_errors, 0);

    let checksum = room.world().checksum();
    assert_eq!(checksum, run_again(goal)?, "the same seed and inputs give the same run");
    println!("checksum {checksum:016x}, the same on a second run");
    Ok(())
}

fn open() -> Result<Runtime, Box<dyn Error>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("rooms/tavern.json");
    Ok(Runtime::open(&file, Options::default().with_seed(7))?)
}

/// What a game draws in each frame.
fn print_positions(world: &World) {
    println!("after {:.0} s:", world.time_s());
    for character in world.characters() {
        let (at, state) = (character.position, character.state());
        println!("  {:8} at ({:5.2}, {:5.2}), {state:?}", character.name, at.at.x, at.at.y);
    }
}

fn run_again(goal: Place) -> Result<u64, Box<dyn Error>> {
    let mut room = open()?;
    room.send(Input::Click(goal));
    let ticks = SECONDS * room.ticks_per_second();
    for _ in 0..ticks {
        room.step();
    }
    Ok(room.world().checksum())
}
