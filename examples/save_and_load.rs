//! A saved game: a room is saved as JSON while its characters walk, and restored as a second room. The first one plays
//! on, and goes back to the save. From there both go on, and both end in the same state, bit for bit.
//!
//! Run it: `cargo run --example save_and_load`
#![allow(clippy::print_stdout)] // an example talks to its reader

use cicerone::nav::{Place, Position};
use cicerone::project::Project;
use cicerone::runtime::{Input, Options, Runtime, Saved};
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("rooms/tavern.json");
    let mut first = Runtime::open(&file, Options::default().with_seed(7))?;
    first.send(Input::Click(Place::new(6.0, 3.0)));
    run(&mut first, 3);
    println!("after 3 s the player is at {:.2}, on the way", player(&first)?);

    let json = first.save()?.to_json()?; // a game writes this to a file
    println!("saved in {} kB of JSON", json.len() / 1024);

    let saved = Saved::read("quick.save", &json)?;
    assert!(saved.unsaved.is_empty(), "not in it: {:?}", saved.unsaved);
    let mut second = Runtime::restore(Project::containing(&file), &saved, Options::default())?;
    assert_eq!(player(&second)?, player(&first)?);
    let tick = second.world().tick_number();
    println!("restored at tick {tick}, the player is at {:.2} again", player(&second)?);

    // The first room plays on before it goes back. Scripts are told of a restore as of a reload, and their sequences
    // begin anew. So a room that is never taken back may go another way; two that are taken back to one save do not.
    run(&mut first, 10);
    println!("played on to tick {}, then back", first.world().tick_number());
    first.go_back_to(&saved)?;

    run(&mut first, 30);
    run(&mut second, 30);
    let checksum = first.world().checksum();
    assert_eq!(second.world().checksum(), checksum);
    assert_eq!(player(&first)?, player(&second)?);
    println!("after 30 s more the player is at {:.2} in both", player(&first)?);
    println!("both end with the checksum {checksum:016x}");
    Ok(())
}

fn run(room: &mut Runtime, seconds: u32) {
    let ticks = seconds * room.ticks_per_second();
    for _ in 0..ticks {
        room.step();
    }
}

fn player(room: &Runtime) -> Result<Position, Box<dyn Error>> {
    Ok(room.world().character_named("player").ok_or("no character is the player")?.position)
}
