//! A running room goes from thread to thread.

use cicerone::runtime::{LiveReload, Options, Runtime};
use cicerone::world::World;
use std::path::Path;

fn open() -> Runtime {
    let room = Path::new(env!("CARGO_MANIFEST_DIR")).join("rooms/tavern.json");
    Runtime::open(&room, Options::default().with_seed(7)).unwrap()
}

#[test]
fn a_room_that_changes_threads_runs_as_one_that_does_not() {
    let mut here = open();
    (0..600).for_each(|_| here.step());
    let mut room = open();
    for _ in 0..20 {
        // Made in one thread, stepped in another, and dropped in a third.
        let stepped = std::thread::spawn(move || {
            (0..30).for_each(|_| room.step());
            room
        });
        room = stepped.join().unwrap();
    }
    assert_eq!(room.world().checksum(), here.world().checksum());
    assert_eq!(room.script_usage(), here.script_usage());
    std::thread::spawn(move || drop(room)).join().unwrap();
}

#[test]
fn rooms_run_in_threads_beside_each_other() {
    let rooms: Vec<Runtime> = (0..8).map(|_| open()).collect();
    let threads: Vec<_> = rooms
        .into_iter()
        .map(|mut room| {
            std::thread::spawn(move || {
                (0..300).for_each(|_| room.step());
                room.world().checksum()
            })
        })
        .collect();
    let hashes: Vec<u64> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
    assert!(hashes.windows(2).all(|pair| pair[0] == pair[1]), "{hashes:?}");
}

#[test]
fn what_a_game_holds_can_be_sent_and_shared() {
    fn is_send<T: Send>() {}
    fn is_sync<T: Sync>() {}
    is_send::<Runtime>();
    is_send::<Option<LiveReload>>();
    is_send::<World>();
    is_send::<Options>();
    is_sync::<Runtime>();
    is_sync::<World>();
    is_sync::<Options>();
}
