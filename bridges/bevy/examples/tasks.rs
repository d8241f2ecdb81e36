//! Ten everyday tasks, without a window. The book shows them beside the same ones in Rust, C and Python:
//! `docs/src/programmers/side-by-side.md`. Each task checks its own results.
//!
//! `cargo run --example tasks`
#![allow(clippy::print_stdout)] // an example talks to its reader

// task: common
use bevy_app::{App, TaskPoolPlugin, Update};
use bevy_asset::{AssetPlugin, Assets};
use bevy_ecs::prelude::*;
use bevy_math::{Vec2, Vec3};
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::{TransformPlugin, components::Transform};
use cicerone_bevy::cicerone::nav::Outcome;
use cicerone_bevy::cicerone::script::Note;
use cicerone_bevy::prelude::*;
use std::time::Duration;

/// All that happened, as text.
#[derive(Resource, Default)]
struct Told(Vec<String>);

fn tell(
    mut events: MessageReader<RoomEvent>,
    mut reports: MessageReader<RoomReport>,
    mut told: ResMut<Told>,
) {
    told.0.extend(events.read().map(|event| event.event.to_string()));
    told.0.extend(reports.read().map(ToString::to_string));
}

fn told(app: &App, text: &str) -> bool {
    app.world().resource::<Told>().0.iter().any(|line| line.contains(text))
}

fn game() -> App {
    let mut app = App::new();
    app.add_plugins((TaskPoolPlugin::default(), TimePlugin, AssetPlugin::default(), TransformPlugin));
    app.add_plugins(CiceronePlugin::default());
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 60.0)));
    app.init_resource::<Told>().add_systems(Update, tell);
    app
}

fn frames(app: &mut App, count: u32) {
    (0..count).for_each(|_| app.update());
}

fn running(app: &mut App, room: Entity) -> Result<Mut<'_, RunningRoom>> {
    Ok(app.world_mut().get_mut::<RunningRoom>(room).ok_or("the room does not run")?)
}

fn who(app: &mut App, room: Entity, name: &str) -> Result<Entity> {
    Ok(running(app, room)?.entity_named(name).ok_or("no such character")?)
}

fn at(app: &App, who: Entity) -> Result<Vec3> {
    Ok(app.world().get::<Transform>(who).ok_or("it is gone")?.translation)
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
fn open(app: &mut App, script: &str, options: Options) -> Entity {
    let files = RoomFiles::new("rooms/hall.json", HALL).with("scripts/bob.lua", script);
    let files = app.world_mut().resource_mut::<Assets<RoomFiles>>().add(files);
    let room = app.world_mut().spawn(Room::new(files).with_options(options)).id();
    frames(app, 3); // it runs, and its characters are there
    room
}

fn step(app: &mut App, room: Entity) -> Result {
    let before = running(app, room)?.runtime().world().tick_number();
    frames(app, 60); // a second of game time
    assert_eq!(running(app, room)?.runtime().world().tick_number(), before + 60);
    Ok(())
}
// end

// task: walk
fn walk(app: &mut App, room: Entity) -> Result {
    let ann = who(app, room, "ann")?;
    let arrived = |_: On<Arrived>, mut told: ResMut<Told>| told.0.push("ann is there".into());
    app.world_mut().entity_mut(ann).observe(arrived);
    app.world_mut().trigger(WalkTo { entity: ann, to: Vec3::new(6.0, 0.0, 3.0) });
    frames(app, 600);
    assert!(told(app, "ann is there"));
    Ok(())
}
// end

// task: door
fn door(app: &mut App, room: Entity) -> Result {
    app.world_mut().trigger(SetAreaAvailable { entity: room, area: "gate".into(), available: true });
    app.world_mut().trigger(SetAreaAvailable { entity: room, area: "gate".into(), available: false });
    frames(app, 2);
    assert!(told(app, "gate opens") && told(app, "gate closes"));
    Ok(())
}
// end

// task: path
fn path(app: &mut App, room: Entity) -> Result {
    let path = running(app, room)?.runtime().find_path([1.0, 1.0], [6.0, 3.0]);
    assert_eq!(path.outcome, Outcome::Complete);
    assert!(path.length_m < 6.0 && path.points().last().is_some_and(|end| (end.x, end.y) == (6.0, 3.0)));
    Ok(())
}
// end

// task: spawn
fn spawn(app: &mut App, room: Entity) -> Result {
    let cat = running(app, room)?.runtime().world().room().character_at([2.0, 3.0]);
    let mut spec = cat.with_name("cat");
    spec.script = Some("scripts/bob.lua".into());
    spec.tags = vec!["animal".into()];
    app.world_mut().trigger(SpawnCharacter { entity: room, spec });
    frames(app, 60);
    let cat = who(app, room, "cat")?;
    assert!(at(app, cat)?.x > 2.5); // sent off by its script
    app.world_mut().despawn(cat);
    frames(app, 2);
    assert!(told(app, "cat leaves"));
    Ok(())
}
// end

// task: frame
fn frame(app: &mut App, room: Entity) -> Result {
    let ann = who(app, room, "ann")?;
    app.world_mut().trigger(WalkTo { entity: ann, to: Vec3::new(6.0, 0.0, 1.0) });
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 144.0)));
    let (mut x, mut moved) = (1.0, 0);
    for _ in 0..144 {
        app.update(); // her Transform is where to draw her
        moved += u32::from(at(app, ann)?.x > x);
        x = at(app, ann)?.x;
    }
    assert!(moved > 130); // in every frame, not only in the 60 with a step
    Ok(())
}
// end

// task: steer
fn steer(app: &mut App, room: Entity) -> Result {
    let ann = who(app, room, "ann")?;
    app.world_mut().trigger(SteerPlayer { entity: room, direction: Vec2::X }); // until another direction
    frames(app, 60);
    app.world_mut().trigger(SteerPlayer { entity: room, direction: Vec2::ZERO });
    app.world_mut().trigger(Push { entity: ann, by: Vec3::new(0.0, 0.0, 0.5) });
    frames(app, 2);
    assert!(at(app, ann)?.x > 2.0 && at(app, ann)?.z > 1.4);
    Ok(())
}
// end

// task: function
fn play(mut events: MessageReader<RoomEvent>, mut rooms: Query<&mut RunningRoom>) -> Result {
    for event in events.read() {
        if let RuntimeEvent::Note(Note::Called(call)) = &event.event {
            rooms.get_mut(event.room)?.runtime_mut().finish_call(call.id, ())?; // once it is played
        }
    }
    Ok(())
}

fn function() -> Result {
    let mut app = game();
    app.add_systems(Update, play);
    let animation = "npc:play_animation(name: string)";
    let options = Options::default().game_api(|api| api.waiting(animation, "Plays it to its end."));
    let script = "return { run = function(self, npc) npc:play_animation('wave') npc:say('I waved.') end }";
    open(&mut app, script, options);
    frames(&mut app, 3);
    assert!(told(&app, "I waved."));
    Ok(())
}
// end

// task: save
fn save(app: &mut App, room: Entity) -> Result {
    let saved = running(app, room)?.runtime().save()?; // saved.to_json() is its text
    frames(app, 90);
    let later = running(app, room)?.runtime().world().checksum();
    running(app, room)?.runtime_mut().go_back_to(&saved)?;
    frames(app, 90);
    assert_eq!(running(app, room)?.runtime().world().checksum(), later);
    Ok(())
}
// end

// task: script
fn script(app: &mut App, room: Entity) -> Result {
    let files = app.world().get::<Room>(room).ok_or("no room")?.files.clone();
    for script in [
        "return { run = function(self, npc) npc:say('New!') end }",
        "return { run = funktion(self, npc) end }",
    ] {
        let mut assets = app.world_mut().resource_mut::<Assets<RoomFiles>>();
        assets.get_mut(&files).ok_or("no files")?.set("scripts/bob.lua", script);
        frames(app, 3);
    }
    assert!(told(app, "New!") && told(app, "did not reload scripts/bob.lua:\nscripts/bob.lua:1:"));
    Ok(())
}
// end

type Task = fn(&mut App, Entity) -> Result;

fn main() -> Result {
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
        let mut app = game();
        let room = open(&mut app, BOB, Options::default());
        task(&mut app, room)?;
        println!("{name}: done");
    }
    function()?;
    println!("function: done");
    println!("all ten tasks are done");
    Ok(())
}
