//! The kept recordings and saved rooms, made anew when their form changes:
//! `cargo test --test scripting fuzz::corpus -- --ignored`.

use super::bodies::{folder, mask, save};
use super::folder as fuzz;
use cicerone::record::{Buffer, Recorder};
use cicerone::room::{Room, parse, parse_with};
use cicerone::runtime::{Input, Runtime};
use cicerone::world::{Command, World};
use glam::dvec2;

fn write(name: &str, bytes: &[u8]) {
    std::fs::write(fuzz().join("corpus").join(name), bytes).unwrap();
}

#[test]
#[ignore = "writes files of the repository"]
fn recordings() {
    write("recording/hall.rec", &recorded(parse("hall.json", folder::HALL.as_bytes()).unwrap().room, 0, 40));
    write(
        "recording/middle.rec",
        &recorded(parse("hall.json", folder::HALL.as_bytes()).unwrap().room, 20, 24),
    );
    let grid = "cellSize 1\nminX 0\nminZ 0\ngridWidth 4\ngridDepth 3\n1111\n1011\n1111\n";
    write("recording/grid.rec", &recorded(parse("grid.txt", grid.as_bytes()).unwrap().room, 0, 20));
    let painted =
        br#"{"mask": "rooms/mask.png", "pixelsPerMetre": 1, "characters": [{"name": "ann", "at": [2, 2]}]}"#;
    let read = parse_with("painted.json", painted, None, &|_| Ok(mask::small_png().to_vec()));
    write("recording/painted.rec", &recorded(read.unwrap().room, 0, 20));
}

/// A run with commands of all kinds in it.
fn recorded(room: Room, from: u64, ticks: u64) -> Vec<u8> {
    let mut world = World::new(room, 1).unwrap();
    for _ in 0..from {
        act(&mut world);
        world.tick();
    }
    let buffer = Buffer::default();
    let mut recorder = Recorder::new(buffer.clone(), &mut world, "rooms/hall.json").unwrap();
    recorder.reloaded("scripts/ann.lua", "return {}");
    for _ in 0..ticks {
        act(&mut world);
        world.tick();
        world.take_events();
        recorder.tick(&mut world).unwrap();
    }
    recorder.finish().unwrap();
    buffer.bytes()
}

fn act(world: &mut World) {
    let people: Vec<_> = world.characters().iter().map(|character| character.id).collect();
    let tick = world.tick_number();
    let mut commands = Vec::new();
    if let [first, .., last] = people[..] {
        match tick {
            1 => commands.push(Command::SetTarget { who: first, to: dvec2(7.0, 3.0).into() }),
            3 => commands.push(Command::Follow { who: last, other: first, distance_m: 1.0 }),
            9 => commands.push(Command::Give { who: first, thing: "key".into(), count: 2 }),
            23 => commands.push(Command::Interrupt(first)),
            25 => commands.push(Command::Say { who: last, text: "Ah!".into(), seconds: 0.5 }),
            _ => {}
        }
    }
    match tick {
        2 => commands.push(Command::Click(dvec2(1.0, 1.0).into())),
        5 | 30 => commands.push(Command::SetAreaAvailable { area: "door".into(), available: tick == 5 }),
        7 => {
            let mut spec = cicerone::room::CharacterSpec::at(dvec2(1.5, 2.5));
            spec.name = "cleo".into();
            commands.push(Command::Spawn(Box::new(spec)));
        }
        11 => drop(world.random(None)),
        33 => commands.push(Command::ReplaceRoom(Box::new(world.room().clone()))),
        _ => {}
    }
    for command in commands {
        let _ = world.apply(command); // some rooms have no door
    }
}

#[test]
#[ignore = "writes files of the repository"]
fn saved_rooms() {
    for (ticks, name) in [(0, "new"), (1, "begun"), (100, "walking"), (140, "opened")] {
        let place = folder::place(folder::ROOM_FILE);
        let mut runtime = Runtime::open_in(save::project(), &place, save::options()).unwrap();
        for tick in 0..ticks {
            if tick == 100 {
                runtime.send(Input::Click(dvec2(12.0, 2.0).into()));
                runtime.send(Input::Do(Command::SetAreaAvailable { area: "door".into(), available: true }));
            }
            runtime.step();
        }
        let saved = runtime.save().unwrap_or_else(|error| panic!("{error}"));
        write(&format!("save/{name}.json"), saved.to_json().unwrap().as_bytes());
    }
}
