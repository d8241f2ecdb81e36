//! What scripts ask of characters besides walking: turning, carrying, and knowing the result of the last errand.

use crate::common::crowd::{at, join, send, world};
use crate::common::{area, character, empty_room, picture};
use cicerone::room::{Avoidance, Room};
use cicerone::world::{
    Applied, CharacterId, Command, CommandError, EventKind, MAX_KINDS, MAX_OF_ONE_KIND, Setting, WalkEnd,
    WalkId, World,
};
use glam::{DVec2, dvec2};
use std::f64::consts::PI;

fn hall(width: f64, depth: f64) -> Room {
    let mut room = empty_room();
    let corners = vec![dvec2(0., 0.), dvec2(width, 0.), dvec2(width, depth), dvec2(0., depth)];
    room.areas.push(area("hall", corners, true));
    room
}

/// Ann in a hall of ten by ten metres.
fn ann_alone() -> (World, CharacterId) {
    let mut world = world(hall(10.0, 10.0));
    let ann = join(&mut world, "ann", dvec2(5.0, 5.0));
    world.take_events();
    (world, ann)
}

fn turn(world: &mut World, who: CharacterId, to: DVec2) -> WalkId {
    match world.apply(Command::Turn { who, to: to.into() }).unwrap() {
        Applied::Walking(turn) => turn,
        other => panic!("{other:?}"),
    }
}

/// Runs for so many ticks and tells how walks and turns ended, in order.
fn ends(world: &mut World, ticks: u32) -> Vec<(WalkId, &'static str, WalkEnd)> {
    (0..ticks).for_each(|_| world.tick());
    let ended = world.take_events().into_iter().filter_map(|event| match event.kind {
        EventKind::WalkEnded { walk, end, .. } => Some((walk, "walk", end)),
        EventKind::Turned { turn, end, .. } => Some((turn, "turn", end)),
        _ => None,
    });
    ended.collect()
}

fn heading(world: &World, who: CharacterId) -> f64 {
    world.character(who).unwrap().heading_rad
}

#[test]
fn a_turn_takes_its_time_and_ends_looking_there_exactly() {
    // From east to every side, at 8 radians a second: the way round is half a circle at most.
    for (to, wanted) in [
        (dvec2(9.0, 5.0), 0.0),
        (dvec2(5.0, 9.0), PI / 2.0),
        (dvec2(1.0, 5.0), PI),
        (dvec2(5.0, 1.0), -PI / 2.0),
        (dvec2(1.0, 4.0), libm::atan2(-1.0, -4.0)),
    ] {
        let (mut world, ann) = ann_alone();
        let id = turn(&mut world, ann, to);
        let ticks = (wanted.abs() * 60.0 / 8.0_f64).ceil().max(1.0) as u32;
        assert_eq!(ends(&mut world, ticks - 1), [], "to {to}");
        assert!(ticks == 1 || heading(&world, ann) != wanted, "to {to}");
        assert_eq!(ends(&mut world, 1), [(id, "turn", WalkEnd::Arrived)], "to {to}");
        assert_eq!(heading(&world, ann), wanted, "to {to}");
        assert_eq!(at(&world, ann), dvec2(5.0, 5.0));
        assert_eq!(ends(&mut world, 120), []);
    }
    let (mut world, ann) = ann_alone();
    let id = turn(&mut world, ann, dvec2(5.0, 5.0));
    assert_eq!(
        ends(&mut world, 1),
        [(id, "turn", WalkEnd::Arrived)],
        "there is nothing to look at underfoot"
    );
}

#[test]
fn a_turn_ends_once_whatever_calls_it_off() {
    type Order = Box<dyn Fn(CharacterId) -> Command>;
    let tune = |setting: Setting| move |who| Command::Tune { who, setting: setting.clone() };
    let stop = |walk| move |who| Command::Stop { who, walk, end: WalkEnd::Cancelled };
    let cases: Vec<(&str, Order, WalkEnd)> = vec![
        (
            "a walk",
            Box::new(|who| Command::SetTarget { who, to: dvec2(8.0, 8.0).into() }),
            WalkEnd::Cancelled,
        ),
        ("a turn", Box::new(|who| Command::Turn { who, to: dvec2(5.0, 9.0).into() }), WalkEnd::Cancelled),
        ("a stop", Box::new(stop(None)), WalkEnd::Cancelled),
        ("a stop of just it", Box::new(stop(Some(WalkId(1)))), WalkEnd::Cancelled),
        (
            "a teleport",
            Box::new(|who| Command::Teleport { who, to: dvec2(2.0, 2.0).into() }),
            WalkEnd::Cancelled,
        ),
        ("death", Box::new(tune(Setting::Alive(false))), WalkEnd::Cancelled),
        ("being disabled", Box::new(tune(Setting::Enabled(false))), WalkEnd::Cancelled),
        ("leaving", Box::new(Command::Despawn), WalkEnd::Despawned),
    ];
    for (what, command, end) in cases {
        let (mut world, ann) = ann_alone();
        let id = turn(&mut world, ann, dvec2(1.0, 5.0));
        assert_eq!(id, WalkId(1), "the first number");
        assert_eq!(ends(&mut world, 2), []);
        world.apply(command(ann)).unwrap();
        let told = ends(&mut world, 600);
        assert_eq!(told.iter().filter(|(other, ..)| *other == id).count(), 1, "{what}");
        assert_eq!(told[0], (id, "turn", end), "{what}");
    }
}

#[test]
fn a_stop_of_something_else_leaves_a_turn_alone() {
    let (mut world, ann) = ann_alone();
    let id = turn(&mut world, ann, dvec2(1.0, 5.0));
    let stop = |walk| Command::Stop { who: ann, walk, end: WalkEnd::Timeout };
    assert_eq!(world.apply(stop(Some(WalkId(99)))), Ok(Applied::Changed(false)));
    assert_eq!(world.apply(stop(Some(id))), Ok(Applied::Changed(true)));
    assert_eq!(world.apply(stop(Some(id))), Ok(Applied::Changed(false)));
    assert_eq!(world.apply(stop(None)), Ok(Applied::Changed(false)));
    assert_eq!(ends(&mut world, 60), [(id, "turn", WalkEnd::Timeout)]);
}

#[test]
fn whoever_walks_goes_on_walking_and_looking_where_it_goes() {
    let (mut world, ann) = ann_alone();
    send(&mut world, ann, dvec2(9.0, 5.0));
    assert_eq!(ends(&mut world, 10), []);
    let before = world.character(ann).unwrap().walk.clone();
    let id = turn(&mut world, ann, dvec2(1.0, 5.0));
    assert_eq!(world.character(ann).unwrap().walk, before);
    assert_eq!(ends(&mut world, 1), [(id, "turn", WalkEnd::Cancelled)]);
    assert_eq!(ends(&mut world, 240), [(WalkId(1), "walk", WalkEnd::Arrived)]);
    assert_eq!(heading(&world, ann), 0.0);
}

#[test]
fn the_dead_do_not_turn() {
    let (mut world, ann) = ann_alone();
    world.apply(Command::Tune { who: ann, setting: Setting::Alive(false) }).unwrap();
    let id = turn(&mut world, ann, dvec2(1.0, 5.0));
    assert_eq!(ends(&mut world, 60), [(id, "turn", WalkEnd::Cancelled)]);
    assert_eq!(heading(&world, ann), 0.0);
}

#[test]
fn a_step_aside_only_interrupts_a_turn() {
    let mut room = hall(10.0, 10.0);
    room.crowd.avoidance = Avoidance::Push; // otherwise Bob would walk round her
    let mut world = world(room);
    let ann = join(&mut world, "ann", dvec2(5.0, 5.0));
    let bob = join(&mut world, "bob", dvec2(3.9, 5.0));
    world.apply(Command::Tune { who: ann, setting: Setting::RotationSpeed(0.5) }).unwrap();
    let id = turn(&mut world, ann, dvec2(5.0, 9.5));
    send(&mut world, bob, dvec2(9.0, 5.0));
    let (mut turned_back, mut told) = (false, Vec::new());
    for _ in 0..900 {
        let before = heading(&world, ann);
        told.extend(ends(&mut world, 1));
        let steps = world.character(ann).unwrap().walk.is_some();
        turned_back |= steps && heading(&world, ann) < before - 1e-6;
    }
    assert!(turned_back, "stepping out of Bob's way, she looks where she steps");
    assert_eq!(told.iter().filter(|end| end.0 == id).collect::<Vec<_>>(), [&(id, "turn", WalkEnd::Arrived)]);
    let wanted = dvec2(5.0, 9.5) - at(&world, ann);
    assert_eq!(heading(&world, ann), libm::atan2(wanted.y, wanted.x));
    let last = &world.character(ann).unwrap().last_walk;
    assert_eq!(*last, None, "nobody asked for a step aside, so it is no errand");
}

#[test]
fn a_turn_and_what_is_carried_survive_a_changed_room_and_count_in_the_checksum() {
    let (mut world, ann) = ann_alone();
    let plain = world.checksum();
    let id = turn(&mut world, ann, dvec2(1.0, 5.0));
    let turning = world.checksum();
    assert_ne!(turning, plain);
    world.apply(Command::Give { who: ann, thing: "coin".into(), count: 2 }).unwrap();
    let rich = world.checksum();
    assert_ne!(rich, turning);
    world.apply(Command::Take { who: ann, thing: "coin".into(), count: 1 }).unwrap();
    assert_ne!(world.checksum(), rich);
    world.apply(Command::Take { who: ann, thing: "coin".into(), count: 1 }).unwrap();
    assert_eq!(world.checksum(), turning, "as before");
    world.apply(Command::Give { who: ann, thing: "coin".into(), count: 2 }).unwrap();
    assert_eq!(world.apply(Command::ReplaceRoom(Box::new(hall(12.0, 10.0)))), Ok(Applied::Changed(true)));
    assert_eq!(ends(&mut world, 120), [(id, "turn", WalkEnd::Arrived)]);
    assert_eq!(world.character(ann).unwrap().inventory["coin"], 2);
}

#[test]
fn things_are_given_and_taken_whole() {
    let (mut world, ann) = ann_alone();
    let give = |thing: &str, count| Command::Give { who: ann, thing: thing.into(), count };
    let take = |thing: &str, count| Command::Take { who: ann, thing: thing.into(), count };
    assert_eq!(world.apply(give("coin", 3)), Ok(Applied::Changed(true)));
    assert_eq!(world.apply(give("coin", 0)), Ok(Applied::Changed(false)));
    assert_eq!(world.apply(take("coin", 4)), Ok(Applied::Changed(false)), "she has three");
    assert_eq!(world.character(ann).unwrap().inventory["coin"], 3, "nothing is taken in part");
    assert_eq!(world.apply(take("coin", 3)), Ok(Applied::Changed(true)));
    assert!(world.character(ann).unwrap().inventory.is_empty(), "none of a thing is no thing");
    assert_eq!(world.apply(take("key", 1)), Ok(Applied::Changed(false)));
    assert_eq!(world.apply(take("key", 0)), Ok(Applied::Changed(true)), "what costs nothing can be paid");
    assert_eq!(world.apply(give("key", 0)), Ok(Applied::Changed(false)));
    assert!(world.character(ann).unwrap().inventory.is_empty());
}

#[test]
fn nobody_carries_more_than_anybody_can() {
    let (mut world, ann) = ann_alone();
    let give = |thing: &str, count| Command::Give { who: ann, thing: thing.into(), count };
    world.apply(give("coin", MAX_OF_ONE_KIND)).unwrap();
    for count in [1, u32::MAX] {
        let error = world.apply(give("coin", count)).unwrap_err();
        assert_eq!(error.to_string(), "a character cannot carry more than 1000000 of 'coin'");
        assert_eq!(world.character(ann).unwrap().inventory["coin"], MAX_OF_ONE_KIND);
    }
    for kind in 1..MAX_KINDS {
        world.apply(give(&format!("thing {kind}"), 1)).unwrap();
    }
    let error = world.apply(give("the last straw", 1)).unwrap_err();
    assert_eq!(error.to_string(), "a character cannot carry more than 100 kinds of items");
    assert_eq!(world.apply(give("thing 1", 1)), Ok(Applied::Changed(true)), "it is no new kind");
    for name in [String::new(), "x".repeat(201)] {
        assert_eq!(world.apply(give(&name, 1)), Err(CommandError::BadName));
        let take = Command::Take { who: ann, thing: name, count: 1 };
        assert_eq!(world.apply(take), Err(CommandError::BadName));
    }
    world.apply(Command::Despawn(ann)).unwrap();
    assert_eq!(world.apply(give("coin", 1)), Err(CommandError::Gone(ann)));
}

#[test]
fn the_last_walk_says_where_to_and_how_it_ended() {
    let (mut world, ann) = ann_alone();
    assert_eq!(world.character(ann).unwrap().last_walk, None);
    let before = world.checksum();
    send(&mut world, ann, dvec2(6.4, 5.0));
    world.apply(Command::Stop { who: ann, walk: None, end: WalkEnd::Timeout }).unwrap();
    let last = world.character(ann).unwrap().last_walk.clone().unwrap();
    assert_eq!((last.walk, last.requested, last.end), (WalkId(1), dvec2(6.4, 5.0).into(), WalkEnd::Timeout));
    assert_ne!(world.checksum(), before);
    send(&mut world, ann, dvec2(6.4, 5.0));
    assert_eq!(world.character(ann).unwrap().last_walk.as_ref().unwrap().walk, WalkId(1), "until it ends");
    ends(&mut world, 120);
    let last = world.character(ann).unwrap().last_walk.clone().unwrap();
    assert_eq!((last.walk, last.end), (WalkId(2), WalkEnd::Arrived));
    assert_eq!(last.ticks, 63, "1.4 m at 1.4 m/s, less the last 5 cm; she speeds up and slows down");
    assert_eq!(last.ended_tick, last.ticks, "it began in the first tick");
    turn(&mut world, ann, dvec2(1.0, 1.0));
    ends(&mut world, 60);
    assert_eq!(
        world.character(ann).unwrap().last_walk.as_ref().unwrap().walk,
        WalkId(2),
        "a turn is no walk"
    );
    world.apply(Command::ReplaceRoom(Box::new(hall(12.0, 10.0)))).unwrap();
    assert!(world.character(ann).unwrap().last_walk.is_some());
}

#[test]
fn the_last_walk_names_who_was_in_the_way() {
    // The player, who is never nudged, stands in the bend of a narrow way with the wall at their back.
    let room = picture(
        "S . . . . #
         # # # # . #
         # # # # G #",
    );
    let (start, goal) = (room.points["S"], room.points["G"]);
    let mut world = world(room);
    let mut plug = character("plug", dvec2(4.95, 0.5));
    plug.player = true;
    plug.collision_radius_m = 1.2;
    world.apply(Command::Spawn(Box::new(plug))).unwrap();
    let ann = join(&mut world, "ann", start.at);
    send(&mut world, ann, goal.at);
    ends(&mut world, 60 * 60);
    let last = world.character(ann).unwrap().last_walk.clone().unwrap();
    assert_eq!((last.requested, last.end), (goal, WalkEnd::Blocked(Some("plug".into()))));
}

#[test]
fn a_setting_out_of_range_says_the_range_and_what_was_given() {
    let (mut world, ann) = ann_alone();
    let mut refusal = |setting| world.apply(Command::Tune { who: ann, setting }).unwrap_err().to_string();
    assert_eq!(refusal(Setting::WalkSpeed(-1.0)), "walk_speed must be from 0 to 1000, not -1");
    assert_eq!(refusal(Setting::WalkSpeed(2e6)), "walk_speed must be from 0 to 1000, not 2000000");
    assert_eq!(refusal(Setting::WalkSpeed(f64::NAN)), "walk_speed must be from 0 to 1000, not NaN");
    assert_eq!(
        refusal(Setting::CollisionRadius(0.0)),
        "collision_radius must be above 0 and at most 1000, not 0"
    );
    assert_eq!(refusal(Setting::Heading(f64::INFINITY)), "heading must be a finite number, not inf");
    assert_eq!(world.apply(Command::Tune { who: ann, setting: Setting::WalkSpeed(0.0) }), Ok(Applied::Done));
}
