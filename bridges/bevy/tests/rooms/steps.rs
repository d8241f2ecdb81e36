//! Rooms step by the time of the game, each on its own, and alike on every run.

use crate::app::{FRAME, Game, HALL};
use bevy_app::FixedUpdate;
use bevy_ecs::prelude::*;
use bevy_time::{Fixed, Time, Virtual};
use cicerone_bevy::cicerone::project::{MemoryFiles, Project};
use cicerone_bevy::prelude::*;

const WANDERER: &str = "return { run = function(self, npc)
    while true do npc:walk_to(random() * 7 + 0.5, random() * 4 + 0.5) wait(random()) end
end }";

fn tick(game: &Game, room: Entity) -> u64 {
    game.running(room).runtime().world().tick_number()
}

fn checksum(game: &Game, room: Entity) -> u64 {
    game.running(room).runtime().world().checksum()
}

/// The checksum of the hall after so many steps, without Bevy.
fn plain_checksum(seed: u64, steps: u64) -> u64 {
    let files = MemoryFiles::default().with("rooms/hall.json", HALL).with("scripts/ann.lua", WANDERER);
    let options = Options::default().with_seed(seed);
    let opened = Runtime::open_in(Project::of_files(files), "rooms/hall.json".as_ref(), options);
    let mut room = opened.expect("it is valid");
    (0..steps).for_each(|_| room.step());
    room.world().checksum()
}

#[test]
fn a_room_runs_as_it_does_without_bevy() {
    let mut game = Game::new(&[("rooms/hall.json", HALL), ("scripts/ann.lua", WANDERER)]);
    let room = game.open("rooms/hall.json", Options::default().with_seed(7));
    game.until(|game| tick(game, room) == 600);
    assert_eq!(checksum(&game, room), plain_checksum(7, 600));
    assert_ne!(checksum(&game, room), plain_checksum(8, 600), "the seed counts");
}

#[test]
fn two_rooms_run_side_by_side() {
    let mut game = Game::new(&[("rooms/hall.json", HALL), ("scripts/ann.lua", WANDERER)]);
    let one = game.open("rooms/hall.json", Options::default().with_seed(1));
    game.frames(100);
    let two = game.open("rooms/hall.json", Options::default().with_seed(2));
    game.frames(300);
    let (ann, other) = (game.who(one, "ann"), game.who(two, "ann"));
    assert_ne!(ann, other);
    assert!(tick(&game, one) > tick(&game, two) + 90);
    assert_eq!(checksum(&game, one), plain_checksum(1, tick(&game, one)));
    assert_eq!(checksum(&game, two), plain_checksum(2, tick(&game, two)));
    let rooms: Vec<Entity> = game.heard().events.iter().map(|event| event.room).collect();
    assert!(rooms.contains(&one) && rooms.contains(&two));
    game.app.world_mut().despawn(one);
    game.frames(10);
    assert!(game.app.world().get_entity(other).is_ok());
}

#[test]
fn rooms_keep_to_virtual_time_and_can_be_paused_alone() {
    let mut game = Game::new(&[("rooms/hall.json", HALL), ("scripts/ann.lua", WANDERER)]);
    let (one, two) =
        (game.open("rooms/hall.json", Options::default()), game.open("rooms/hall.json", Options::default()));
    game.app.world_mut().entity_mut(two).insert(RoomPaused);
    let (before, of_two) = (tick(&game, one), tick(&game, two));
    game.frames(60);
    assert_eq!((tick(&game, one), tick(&game, two)), (before + 60, of_two));
    game.app.world_mut().entity_mut(two).remove::<RoomPaused>();
    game.app.world_mut().resource_mut::<Time<Virtual>>().pause();
    game.frames(60);
    assert_eq!((tick(&game, one), tick(&game, two)), (before + 60, of_two));
    let mut time = game.app.world_mut().resource_mut::<Time<Virtual>>();
    time.unpause();
    time.set_relative_speed(2.0);
    game.frames(61); // the speed counts from the frame after
    assert!((118..=122).contains(&(tick(&game, one) - before - 60)), "{}", tick(&game, one) - before);
}

#[test]
fn rooms_step_in_another_schedule_by_its_time() {
    let files = [("rooms/hall.json", HALL), ("scripts/ann.lua", WANDERER)];
    let mut game = Game::with_plugin(&files, CiceronePlugin::in_schedule(FixedUpdate));
    game.app.insert_resource(Time::<Fixed>::from_duration(FRAME * 2));
    let room = game.open("rooms/hall.json", Options::default());
    let before = tick(&game, room);
    for _ in 0..60 {
        let last = tick(&game, room);
        game.frames(1);
        assert!(matches!(tick(&game, room) - last, 0 | 2), "as FixedUpdate runs: in every other frame");
    }
    assert_eq!(tick(&game, room), before + 60);
    assert_eq!(checksum(&game, room), plain_checksum(0, tick(&game, room)));
}
