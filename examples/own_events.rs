//! A game's own rules on top of a scripted room. The tavern's Lua runs as always; the game listens to its events and
//! adds a small quest in Rust: the front door is locked behind the player, and the key lies in the snug.
//!
//! Run it: `cargo run --example own_events`
#![allow(clippy::print_stdout)] // an example talks to its reader

use cicerone::runtime::{Input, Options, Runtime, RuntimeEvent};
use cicerone::world::{CharacterId, Command, EventKind, WalkEnd};
use std::error::Error;
use std::path::Path;

/// How far the player has come.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Quest {
    HavingADrink,
    LockedIn,
    LookingForTheKey,
    GoingHome,
    Done,
}

fn main() -> Result<(), Box<dyn Error>> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("rooms/tavern.json");
    let mut room = Runtime::open(&file, Options::default().with_seed(7))?;
    let player = room.world().character_named("player").ok_or("no character is the player")?.id;
    let mut quest = Quest::HavingADrink;
    walk(&mut room, player, "bar_middle")?;

    let ticks = 25 * room.ticks_per_second();
    for _ in 0..ticks {
        room.step();
        for event in room.take_events() {
            if let RuntimeEvent::Event { tick, kind, text } = event {
                let next = advance(&mut room, player, quest, &kind)?;
                if next != quest {
                    println!("tick {tick:>4}: {text:42} -> {next:?}");
                    quest = next;
                }
            }
        }
    }

    assert_eq!(quest, Quest::Done);
    let world = room.world();
    let carried = &world.character(player).ok_or("the player is gone")?.inventory;
    assert_eq!(carried.get("key"), Some(&1));
    println!("home, with {carried:?}");
    Ok(())
}

/// The rules: what an event means for the quest, and what the game does about it.
fn advance(
    room: &mut Runtime,
    player: CharacterId,
    quest: Quest,
    event: &EventKind,
) -> Result<Quest, Box<dyn Error>> {
    Ok(match (quest, event) {
        (Quest::HavingADrink, EventKind::WalkEnded { who, end: WalkEnd::Arrived, .. }) if *who == player => {
            set_front_door(room, false);
            walk(room, player, "street")?;
            Quest::LockedIn
        }
        // The door is closed: this walk ends at the nearest point that can be reached.
        (Quest::LockedIn, EventKind::WalkEnded { who, end: WalkEnd::Partial, .. }) if *who == player => {
            walk(room, player, "snug_seat")?;
            Quest::LookingForTheKey
        }
        (Quest::LookingForTheKey, EventKind::Entered(who, area)) if *who == player && area == "snug" => {
            room.send(Input::Do(Command::Give { who: player, thing: "key".into(), count: 1 }));
            set_front_door(room, true);
            walk(room, player, "street")?; // a new target calls off the walk to the seat
            Quest::GoingHome
        }
        (Quest::GoingHome, EventKind::Entered(who, area)) if *who == player && area == "porch" => Quest::Done,
        _ => quest,
    })
}

fn set_front_door(room: &mut Runtime, available: bool) {
    room.send(Input::Do(Command::SetAreaAvailable { area: "front_door".into(), available }));
}

fn walk(room: &mut Runtime, who: CharacterId, point: &str) -> Result<(), Box<dyn Error>> {
    let to = room.world().point(point).ok_or(format!("the room has no point '{point}'"))?;
    room.send(Input::Do(Command::SetTarget { who, to }));
    Ok(())
}
