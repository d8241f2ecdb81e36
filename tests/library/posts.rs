//! Standing fast: characters that nobody pushes, and characters that walk back to where they stood.

use crate::common::crowd::{at, join, run, send, world};
use crate::common::{area, empty_room};
use cicerone::room::Room;
use cicerone::world::{CharacterId, Command, Setting, WalkEnd, World};
use glam::{DVec2, dvec2};
use proptest::prelude::*;

/// A rectangle of ground, walls kept at 0.3 m. Everybody is 0.6 m wide.
fn hall(width: f64, depth: f64) -> Room {
    let mut room = empty_room();
    room.ground.cell_size_m = 0.2;
    room.ground.boundary_padding_m = 0.3;
    let corners = vec![dvec2(0.0, 0.0), dvec2(width, 0.0), dvec2(width, depth), dvec2(0.0, depth)];
    room.areas.push(area("hall", corners, true));
    room
}

fn tune(world: &mut World, who: CharacterId, setting: Setting) {
    world.apply(Command::Tune { who, setting }).unwrap();
}

#[test]
fn nobody_pushes_a_pinned_character_aside() {
    let mut world = world(hall(10.0, 4.0));
    let clerk = join(&mut world, "clerk", dvec2(5.0, 2.0));
    let ann = join(&mut world, "ann", dvec2(4.2, 2.0));
    tune(&mut world, clerk, Setting::Pinned(true));
    // Past the clerk's middle, begun where they nearly touch.
    send(&mut world, ann, dvec2(9.0, 2.0));
    let ends = run(&mut world, 10.0);
    assert_eq!(ends, [(ann, WalkEnd::Arrived)]);
    assert_eq!(at(&world, clerk), dvec2(5.0, 2.0), "not by a hair");
    // Where the clerk stands nobody else can: one ends beside it.
    send(&mut world, ann, dvec2(5.1, 2.0));
    assert_eq!(run(&mut world, 10.0).len(), 1);
    assert_eq!(at(&world, clerk), dvec2(5.0, 2.0));
    assert!(at(&world, ann).distance(dvec2(5.0, 2.0)) >= 0.6 - 1e-6);
}

#[test]
fn somebody_put_upon_a_pinned_character_gives_all_the_way() {
    let mut world = world(hall(10.0, 4.0));
    let clerk = join(&mut world, "clerk", dvec2(5.0, 2.0));
    let player = join(&mut world, "player", dvec2(5.2, 2.0));
    let guest = join(&mut world, "guest", dvec2(5.4, 2.0));
    tune(&mut world, clerk, Setting::Pinned(true));
    tune(&mut world, player, Setting::Player(true));
    run(&mut world, 1.0);
    assert_eq!(at(&world, clerk), dvec2(5.0, 2.0));
    assert_eq!(at(&world, player), dvec2(5.6, 2.0), "the player gives way to the clerk alone");
    assert!(at(&world, guest).distance(at(&world, player)) >= 0.6 - 1e-6, "and the guest to both");
}

#[test]
fn a_pinned_character_in_a_narrow_way_blocks_it_and_is_named() {
    let mut world = world(hall(8.0, 0.8));
    let clerk = join(&mut world, "clerk", dvec2(4.0, 0.4));
    let ann = join(&mut world, "ann", dvec2(0.5, 0.4));
    tune(&mut world, clerk, Setting::Pinned(true));
    send(&mut world, ann, dvec2(7.5, 0.4));
    assert_eq!(run(&mut world, 20.0), [(ann, WalkEnd::Blocked(Some("clerk".into())))]);
    assert_eq!(at(&world, clerk), dvec2(4.0, 0.4));
    // Unpinned it makes room as anybody does.
    tune(&mut world, clerk, Setting::Pinned(false));
    send(&mut world, ann, dvec2(7.5, 0.4));
    run(&mut world, 3.0);
    assert!(at(&world, clerk).distance(dvec2(4.0, 0.4)) > 0.3);
}

#[test]
fn a_pinned_character_walks_where_it_is_sent_and_stands_fast_there() {
    let mut world = world(hall(10.0, 4.0));
    let clerk = join(&mut world, "clerk", dvec2(2.0, 2.0));
    tune(&mut world, clerk, Setting::Pinned(true));
    send(&mut world, clerk, dvec2(6.0, 2.0));
    assert_eq!(run(&mut world, 5.0), [(clerk, WalkEnd::Arrived)]);
    let post = at(&world, clerk);
    let ann = join(&mut world, "ann", dvec2(5.6, 2.0));
    send(&mut world, ann, dvec2(9.0, 2.0));
    run(&mut world, 8.0);
    assert_eq!(at(&world, clerk), post);
}

#[test]
fn a_crowd_does_not_carry_off_a_player_who_stands() {
    let mut world = world(hall(16.0, 6.0));
    let player = join(&mut world, "player", dvec2(8.0, 3.0));
    tune(&mut world, player, Setting::Player(true));
    for i in 0..12 {
        let z = 1.0 + f64::from(i / 2) * 0.8;
        let (from, to) = if i % 2 == 0 { (1.5, 14.5) } else { (14.5, 1.5) };
        let who = join(&mut world, &format!("c{i}"), dvec2(from, z));
        send(&mut world, who, dvec2(to, z));
    }
    let ends = run(&mut world, 40.0);
    assert!(ends.len() == 12 && ends.iter().all(|(_, end)| *end == WalkEnd::Arrived), "{ends:?}");
    assert_eq!(at(&world, player), dvec2(8.0, 3.0));
}

/// Ann walks through Bob, who steps aside.
fn bob_off_his_post(returns: bool) -> (World, CharacterId, CharacterId) {
    let mut world = world(hall(10.0, 4.0));
    let bob = join(&mut world, "bob", dvec2(5.0, 2.0));
    tune(&mut world, bob, Setting::ReturnsToPost(returns));
    let ann = join(&mut world, "ann", dvec2(4.2, 2.0));
    send(&mut world, ann, dvec2(4.9, 2.0));
    (world, bob, ann)
}

#[test]
fn somebody_pushed_off_its_post_goes_back_when_it_is_free() {
    for returns in [false, true] {
        let (mut world, bob, ann) = bob_off_his_post(returns);
        tune(&mut world, bob, Setting::Heading(-2.5));
        let mut ends = run(&mut world, 6.0);
        assert!(at(&world, bob).distance(dvec2(5.0, 2.0)) > 0.5, "Ann stands there");
        send(&mut world, ann, dvec2(1.0, 2.0));
        ends.extend(run(&mut world, 8.0));
        let there = at(&world, bob).distance(dvec2(5.0, 2.0)) <= 0.05;
        assert_eq!(there, returns, "{}", at(&world, bob));
        let heading = world.character(bob).unwrap().heading_rad;
        assert_eq!((heading + 2.5).abs() < 1e-9, returns, "he looks where he looked: {heading}");
        assert!(ends.iter().all(|(who, _)| *who == ann), "nobody is told of the way back: {ends:?}");
        assert!(world.character(bob).unwrap().last_walk.is_none());
    }
}

/// A character that is sent elsewhere right after a step aside does not turn round at the goal.
#[test]
fn a_look_that_is_overtaken_by_an_errand_is_not_kept() {
    for ticks in 1..40 {
        let (mut world, bob, _) = bob_off_his_post(true);
        tune(&mut world, bob, Setting::Heading(-2.5));
        (0..ticks).for_each(|_| world.tick());
        send(&mut world, bob, dvec2(9.0, 2.0));
        run(&mut world, 12.0);
        let heading = world.character(bob).unwrap().heading_rad;
        assert!(heading.abs() < 1.0, "after {ticks} ticks: {heading}");
    }
}

#[test]
fn the_post_is_where_the_last_errand_ended() {
    let (mut world, bob, ann) = bob_off_his_post(true);
    run(&mut world, 3.0);
    send(&mut world, bob, dvec2(8.0, 3.0));
    run(&mut world, 8.0);
    let post = at(&world, bob);
    assert!(post.distance(dvec2(8.0, 3.0)) <= 0.05);
    // Another errand, called off half way: it stays where it was stopped.
    send(&mut world, bob, dvec2(5.0, 3.0));
    run(&mut world, 1.0);
    world.apply(Command::Stop { who: bob, walk: None, end: WalkEnd::Cancelled }).unwrap();
    let stopped = at(&world, bob);
    run(&mut world, 10.0);
    assert_eq!(at(&world, bob), stopped);
    assert_ne!(at(&world, ann), DVec2::ZERO);
}

#[test]
fn a_state_in_the_middle_of_the_way_back_goes_on_bit_for_bit() {
    let (mut world, bob, ann) = bob_off_his_post(true);
    run(&mut world, 4.0);
    send(&mut world, ann, dvec2(1.0, 2.0));
    let mut restored = None;
    for tick in 0..480 {
        world.tick();
        world.take_events();
        let walks_back = world.character(bob).unwrap().is_moving();
        if restored.is_none() && tick > 60 && walks_back {
            let data = serde_json::to_string(&world.state()).unwrap();
            let state = serde_json::from_str(&data).unwrap();
            restored = Some(World::restore(world.room().clone(), &state).unwrap());
        } else if let Some(restored) = &mut restored {
            restored.tick();
            restored.take_events();
            assert_eq!(restored.checksum(), world.checksum(), "tick {tick}");
        }
    }
    assert!(restored.is_some(), "Bob walked back");
    assert!(at(&world, bob).distance(dvec2(5.0, 2.0)) <= 0.05);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn walkers_pass_whoever_stands_fast(
        along in 0.25..0.75f64, across in 0.0..1.0f64, pinned: bool, walkers in 1..4usize,
    ) {
        let mut world = world(hall(12.0, 4.0));
        let place = dvec2(12.0 * along, 0.4 + across * 3.2);
        let stander = join(&mut world, "stander", place);
        tune(&mut world, stander, if pinned { Setting::Pinned(true) } else { Setting::Player(true) });
        for i in 0..walkers {
            let z = 1.0 + i as f64;
            let who = join(&mut world, &format!("c{i}"), dvec2(0.6, z));
            send(&mut world, who, dvec2(11.4, z));
        }
        let ends = run(&mut world, 30.0);
        prop_assert!(ends.len() == walkers && ends.iter().all(|(_, end)| *end == WalkEnd::Arrived), "{ends:?}");
        prop_assert_eq!(at(&world, stander), place);
    }
}
