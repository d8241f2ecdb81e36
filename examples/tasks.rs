//! Ten everyday tasks. The book shows them beside the same ones in C, Python and Bevy:
//! `docs/src/programmers/side-by-side.md`. Each task checks its own results.
//!
//! Run it: `cargo run --example tasks`
#![allow(clippy::print_stdout)] // an example talks to its reader

// task: common
use cicerone::glam::DVec2;
use cicerone::nav::Outcome;
use cicerone::project::{MemoryFiles, Project};
use cicerone::runtime::{Input, Options, Reload, Runtime, RuntimeEvent};
use cicerone::script::Note;
use cicerone::world::{CharacterId, Command, EventKind, WalkEnd};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn id(room: &Runtime, name: &str) -> Result<CharacterId> {
    Ok(room.world().character_named(name).ok_or("no such character")?.id)
}

fn told(room: &mut Runtime, words: &str) -> bool {
    room.take_events().iter().any(|event| event.to_string().contains(words))
}
// end

const HALL: &str = r#"{
  "areas": [
    { "name": "hall", "polygon": [[0, 0], [8, 0], [8, 6], [0, 6]] },
    { "name": "gate", "polygon": [[8, 2], [9, 2], [9, 4], [8, 4]], "available": false },
    { "name": "yard", "polygon": [[9, 0], [16, 0], [16, 6], [9, 6]] }
  ],
  "points": { "fire": [6, 3], "well": [14, 3] },
  "characters": [
    { "name": "ann", "at": [1, 1], "player": true },
    { "name": "bob", "at": [1, 5], "script": "scripts/bob.lua" }
  ]
}"#;

const BOB: &str = "return { run = function(self, npc) npc:walk_to(5, 5) npc:say('Hello!') end }";

// task: open
fn open(script: &str, options: Options) -> Result<Runtime> {
    let files = MemoryFiles::default().with("rooms/hall.json", HALL).with("scripts/bob.lua", script);
    Ok(Runtime::open_in(Project::of_files(files), "rooms/hall.json".as_ref(), options)?)
}

fn step(mut room: Runtime) -> Result<()> {
    (0..60).for_each(|_| room.step()); // a second of game time
    assert_eq!(room.world().tick_number(), 60);
    Ok(())
}
// end

// task: walk
fn walk(mut room: Runtime) -> Result<()> {
    let ann = id(&room, "ann")?;
    let to = room.world().point("fire").ok_or("no fire")?;
    let sent = room.walk_to(ann, to)?;
    (0..600).for_each(|_| room.step());
    let ended = |event: &RuntimeEvent| match event.kind() {
        Some(EventKind::WalkEnded { walk, end, .. }) if *walk == sent => Some(end.clone()),
        _ => None,
    };
    assert_eq!(room.take_events().iter().find_map(ended), Some(WalkEnd::Arrived));
    Ok(())
}
// end

// task: door
fn door(mut room: Runtime) -> Result<()> {
    for available in [true, false] {
        room.apply(Command::SetAreaAvailable { area: "gate".into(), available })?;
        assert_eq!(room.world().is_area_available("gate"), Some(available));
    }
    Ok(())
}
// end

// task: path
fn path(room: Runtime) -> Result<()> {
    let path = room.find_path([1.0, 1.0], [6.0, 3.0]);
    assert_eq!(path.outcome, Outcome::Complete);
    assert!(path.length_m < 6.0 && path.points().last() == Some(&DVec2::new(6.0, 3.0)));
    Ok(())
}
// end

// task: spawn
fn spawn(mut room: Runtime) -> Result<()> {
    let cat = room.world().room().character_at([2.0, 3.0]).with_name("cat");
    let cat = room.spawn(cat.with_script("scripts/bob.lua").with_tags(["animal"]))?;
    (0..60).for_each(|_| room.step());
    assert!(room.world().character(cat).is_some_and(|cat| cat.position.at.x > 2.5)); // sent off by its script
    room.apply(Command::Despawn(cat))?;
    Ok(())
}
// end

// task: frame
fn frame(mut room: Runtime) -> Result<()> {
    let ann = id(&room, "ann")?;
    room.walk_to(ann, [6.0, 1.0])?;
    let (mut x, mut moved) = (1.0, 0);
    for _ in 0..144 {
        room.advance(1.0 / 144.0); // the length of your frame, in seconds
        let pose = room.pose(ann).ok_or("ann is gone")?; // draw her at pose.place, turned by pose.heading_rad
        moved += u32::from(pose.place.at.x > x);
        x = pose.place.at.x;
    }
    assert!(moved > 130); // in every frame, not only in the 60 with a step
    Ok(())
}
// end

// task: steer
fn steer(mut room: Runtime) -> Result<()> {
    let ann = id(&room, "ann")?;
    room.send(Input::Steer(DVec2::new(1.0, 0.0))); // the player, until another direction
    (0..60).for_each(|_| room.step());
    room.send(Input::Steer(DVec2::ZERO));
    room.apply(Command::Push { who: ann, by: DVec2::new(0.0, 0.5) })?;
    room.step();
    let at = room.world().character(ann).ok_or("ann is gone")?.position.at;
    assert!(at.x > 2.0 && at.y > 1.4);
    Ok(())
}
// end

// task: function
fn function() -> Result<()> {
    let animation = "npc:play_animation(name: string)";
    let options = Options::default().game_api(|api| api.waiting(animation, "Plays it to its end."));
    let script = "return { run = function(self, npc) npc:play_animation('wave') npc:say('I waved.') end }";
    let mut room = open(script, options)?;
    room.step();
    for event in room.take_events() {
        if let RuntimeEvent::Note(Note::Called(call)) = event {
            room.finish_call(call.id, ())?; // once it is played
        }
    }
    room.step();
    assert!(told(&mut room, "I waved."));
    Ok(())
}
// end

// task: save
fn save(mut room: Runtime) -> Result<()> {
    let saved = room.save()?; // saved.to_json() is its text
    (0..90).for_each(|_| room.step());
    let later = room.world().checksum();
    room.go_back_to(&saved)?;
    (0..90).for_each(|_| room.step());
    assert_eq!(room.world().checksum(), later);
    Ok(())
}
// end

// task: script
fn script(mut room: Runtime) -> Result<()> {
    let good =
        room.replace_file("scripts/bob.lua", "return { run = function(self, npc) npc:say('New!') end }")?;
    assert!(matches!(good, Reload::Done { .. }));
    let mistake = room.replace_file("scripts/bob.lua", "return { run = funktion(self, npc) end }")?;
    let Reload::Refused { problems, .. } = mistake else { return Err("it is not refused".into()) };
    assert!(problems[0].to_string().starts_with("scripts/bob.lua:1:"));
    room.step(); // with the last good version
    assert!(told(&mut room, "New!"));
    Ok(())
}
// end

type Task = fn(Runtime) -> Result<()>;

fn main() -> Result<()> {
    let tasks: [(&str, Task); 9] = [
        ("open", step),
        ("walk", walk),
        ("door", door),
        ("path", path),
        ("spawn", spawn),
        ("frame", frame),
        ("steer", steer),
        ("save", save),
        ("script", script),
    ];
    for (name, task) in tasks {
        task(open(BOB, Options::default())?)?;
        println!("{name}: done");
    }
    function()?;
    println!("function: done");
    println!("all ten tasks are done");
    Ok(())
}
