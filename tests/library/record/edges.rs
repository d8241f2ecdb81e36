//! Where a recording begins, and what lies between two ticks.

use crate::common::character;
use crate::record::{house, recorded, same};
use cicerone::record::{Buffer, Recorder};
use cicerone::room::{Room, parse};
use cicerone::world::{CharacterId, Command, World};
use glam::dvec2;

fn send(world: &mut World, who: u32, point: &str) {
    let to = world.point(point).unwrap();
    world.apply(Command::SetTarget { who: CharacterId(who), to }).unwrap();
}

#[test]
fn a_recording_begins_in_the_middle_of_a_run() {
    let mut world = World::new(house(), 1).unwrap();
    send(&mut world, 0, "B");
    send(&mut world, 1, "A");
    (0..50).for_each(|_| world.tick());
    let recording = same(&recorded(&mut world, 100, |_| {}));
    assert_eq!((recording.start.tick, recording.last_tick()), (50, 150));
    assert!(recording.start.state.is_some());
    assert_eq!((recording.hash_at(50), recording.hash_at(151)), (None, None));
}

#[test]
fn what_was_done_before_the_first_tick_is_in_it() {
    let mut world = World::new(house(), 1).unwrap();
    send(&mut world, 0, "B");
    world.random(None);
    assert!(same(&recorded(&mut world, 60, |_| {})).start.state.is_some());
    let mut untouched = World::new(house(), 1).unwrap();
    assert!(
        same(&recorded(&mut untouched, 60, |_| {})).start.state.is_none(),
        "a room and a seed are enough"
    );
}

#[test]
fn a_second_recording_does_not_repeat_what_the_first_had_not_written_yet() {
    let mut world = World::new(house(), 1).unwrap();
    recorded(&mut world, 10, |_| {});
    let stranger = character("stranger", dvec2(1.5, 1.5));
    world.apply(Command::Spawn(Box::new(stranger))).unwrap();
    world.random(None);
    assert_eq!(same(&recorded(&mut world, 10, |_| {})).commands(), 0);
}

#[test]
fn two_rooms_between_two_ticks_are_put_under_it_one_after_the_other() {
    let (mut wide, mut back) = (house(), house());
    wide.characters[0].walk_speed_mps = 2.0;
    wide.characters.remove(3);
    back.characters[1].walk_speed_mps = 0.5;
    let mut world = World::new(house(), 1).unwrap();
    let bytes = recorded(&mut world, 30, |world| {
        if world.tick_number() == 10 {
            world.apply(Command::ReplaceRoom(Box::new(wide.clone()))).unwrap();
            world.apply(Command::ReplaceRoom(Box::new(back.clone()))).unwrap();
        }
    });
    assert_eq!(same(&bytes).commands(), 2);
    assert_ne!(world.character_named("dan").unwrap().id, CharacterId(3), "Dan left and came back");
}

#[test]
fn the_same_numbers_are_drawn_however_many() {
    let mut world = World::new(house(), 1).unwrap();
    let (ann, gone) = (Some(CharacterId(0)), Some(CharacterId(99)));
    let mut drawn = 0;
    let bytes = recorded(&mut world, 20, |world| {
        for who in [ann, ann, ann, None, ann, gone, gone, None] {
            world.random(who);
            drawn += 1;
        }
    });
    same(&bytes);
    assert_eq!(drawn, 160);
    let (mut one, mut other) = (World::new(house(), 1).unwrap(), World::new(house(), 1).unwrap());
    (0..1000).for_each(|_| {
        one.random(ann);
    });
    other.skip_random(ann, 1000);
    assert_eq!(one.random(ann), other.random(ann));
}

#[test]
fn rooms_made_of_grids_are_recorded_too() {
    let text = "cellSize 0.5\nminX -2\nminZ 1\ngridWidth 10\ngridDepth 4\n1111111111\n1111001111\n1111001111\n1111111111\n";
    let map = "type octile\nheight 4\nwidth 10\nmap\n..........\n....@@....\n....@@....\n..........\n";
    for (file, text) in [("yard.txt", text), ("yard.map", map)] {
        let room: Room = parse(file, text.as_bytes()).unwrap_or_else(|report| panic!("{report}")).room;
        let mut world = World::new(room, 3).unwrap();
        let (min, max) = world.room().bounds();
        let to = (max - 0.4).into();
        let bytes = recorded(&mut world, 600, |world| match world.tick_number() {
            0 => drop(world.apply(Command::Spawn(Box::new(character("ann", min + 0.4)))).unwrap()),
            1 => drop(world.apply(Command::SetTarget { who: CharacterId(0), to }).unwrap()),
            _ => {}
        });
        let recording = same(&bytes);
        let track = &recording.tracks().of[&CharacterId(0)];
        assert!(track.points.last().unwrap().distance(max) < 1.0, "{file}: {track:?}");
    }
}

#[test]
fn a_room_without_a_form_as_text_is_refused() {
    let mut room = house();
    room.areas[0].polygon.truncate(2);
    let mut world = World::of_checked(room, 1).unwrap();
    let refused = Recorder::new(Buffer::default(), &mut world, "x.json").err().unwrap();
    assert_eq!(refused.kind(), std::io::ErrorKind::Unsupported);
}
