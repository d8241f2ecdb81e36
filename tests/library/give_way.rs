//! People in each other's way: corridors, doors, queues, crowds; and walking up to somebody.

use crate::common::crowd::{at, join, send, tick, world};
use crate::common::{area, empty_room};
use cicerone::room::{Avoidance, GroundKind, Room};
use cicerone::world::{CharacterId, Command, EventKind, Setting, WalkEnd, World};
use glam::dvec2;
use proptest::prelude::*;

/// A room of rectangles `(x0, z0, x1, z1)`, walls kept at 0.3 m, so that 0.8 m of width let one person through.
fn rooms(rectangles: &[(f64, f64, f64, f64)]) -> Room {
    let mut room = empty_room();
    room.ground.cell_size_m = 0.2;
    room.ground.boundary_padding_m = 0.3;
    for (index, &(x0, z0, x1, z1)) in rectangles.iter().enumerate() {
        let corners = vec![dvec2(x0, z0), dvec2(x1, z0), dvec2(x1, z1), dvec2(x0, z1)];
        room.areas.push(area(&format!("part_{index}"), corners, true));
    }
    room
}

/// Runs until nobody walks, for at most some seconds; tells how walks ended, in order.
fn run(world: &mut World, seconds: f64) -> Vec<(CharacterId, WalkEnd)> {
    let mut ends = Vec::new();
    for _ in 0..(seconds * 60.0) as u64 {
        ends.extend(tick(world));
        if world.characters().iter().all(|c| !c.is_moving()) {
            break;
        }
    }
    ends
}

fn all_arrived(ends: &[(CharacterId, WalkEnd)], count: usize) -> bool {
    ends.len() == count && ends.iter().all(|(_, end)| *end == WalkEnd::Arrived)
}

proptest! {
    #![proptest_config(crate::common::thousand())]

    #[test]
    fn two_head_on_in_a_corridor_with_a_niche_both_arrive(
        length in 8.0..20.0f64, meet in 0.2..0.8f64, off in -8.0..8.0f64, above: bool, swapped: bool, mesh: bool,
        pushes: bool,
    ) {
        // They meet at `meet`; the niche is `off` from there, less than ten metres away, on either side of the
        // corridor.
        let niche = (meet * length + off).clamp(0.7, length - 0.7);
        let (z0, z1) = if above { (-1.2, 0.0) } else { (0.8, 2.0) };
        let mut room = rooms(&[(0.0, 0.0, length, 0.8), (niche - 0.6, z0, niche + 0.6, z1)]);
        room.ground.kind = if mesh { GroundKind::Mesh } else { GroundKind::Grid };
        room.crowd.avoidance = if pushes { Avoidance::Push } else { Avoidance::Steer };
        let mut world = world(room);
        let (west, east) = (dvec2(0.4, 0.4), dvec2(length - 0.4, 0.4));
        let half_m = (meet * length).min((1.0 - meet) * length) - 0.4;
        let from = [dvec2(meet * length - half_m, 0.4), dvec2(meet * length + half_m, 0.4)];
        let order = if swapped { [1, 0] } else { [0, 1] };
        let ids: Vec<CharacterId> = order.iter().map(|&i| join(&mut world, &format!("c{i}"), from[i])).collect();
        for (&id, &i) in ids.iter().zip(&order) {
            send(&mut world, id, [east, west][i]);
        }
        let ends = run(&mut world, 120.0);
        prop_assert!(all_arrived(&ends, 2), "{ends:?}");
    }

    #[test]
    fn a_walker_passes_a_stander_in_a_corridor(
        length in 6.0..16.0f64, width in 1.6..2.4f64, along in 0.2..0.8f64, across in 0.0..1.0f64, player: bool,
    ) {
        let mut world = world(rooms(&[(0.0, 0.0, length, width)]));
        let walker = join(&mut world, "walker", dvec2(0.5, width / 2.0));
        let place = dvec2(along * length, 0.4 + across * (width - 0.8));
        let stander = join(&mut world, "stander", place);
        // A player who stands is never sent away; then there must be room beside them.
        let player = player && !(0.1..=0.9).contains(&across) && width > 2.0;
        world.apply(Command::Tune { who: stander, setting: Setting::Player(player) }).unwrap();
        send(&mut world, walker, dvec2(length - 0.5, width / 2.0));
        let ends = run(&mut world, 60.0);
        prop_assert!(all_arrived(&ends, 1), "{ends:?}");
    }

    #[test]
    fn overlaps_go_to_zero_where_there_is_room(
        places in prop::collection::vec((2.0..6.0f64, 2.0..6.0f64), 2..20), same: bool,
    ) {
        let mut world = world(rooms(&[(0.0, 0.0, 12.0, 12.0)]));
        for (index, &(x, z)) in places.iter().enumerate() {
            let place = if same { dvec2(6.0, 6.0) } else { dvec2(x + 2.0, z + 2.0) };
            join(&mut world, &format!("c{index}"), place);
        }
        for _ in 0..600 {
            world.tick();
        }
        for (index, one) in world.characters().iter().enumerate() {
            for other in &world.characters()[index + 1..] {
                let overlap = 0.6 - one.position.distance(other.position);
                prop_assert!(overlap < 1e-6, "{} and {} overlap by {overlap}", one.name, other.name);
            }
        }
    }

    #[test]
    fn head_on_walkers_in_the_open_pass_without_stopping(
        length in 6.0..12.0f64, aside in -0.1..0.1f64, on_axis: bool,
    ) {
        let mut world = world(rooms(&[(0.0, 0.0, length, 6.0)]));
        let aside = if on_axis { 0.0 } else { aside };
        let (west, east) = (dvec2(0.6, 3.0), dvec2(length - 0.6, 3.0 + aside));
        let ann = join(&mut world, "ann", west);
        let bob = join(&mut world, "bob", east);
        send(&mut world, ann, east);
        send(&mut world, bob, west);
        let straight_s = west.distance(east) / 1.4;
        let ends = run(&mut world, straight_s + 1.5);
        prop_assert!(all_arrived(&ends, 2), "{ends:?}");
    }
}

#[test]
fn of_two_who_are_stuck_the_one_of_lower_priority_makes_way() {
    // They meet in the middle, with a niche behind each. Lower ids win, unless a priority or the player says otherwise.
    for (setting, who_yields) in
        [(None, 1), (Some(Setting::Priority(5)), 0), (Some(Setting::Player(true)), 0)]
    {
        let mut world = world(rooms(&[(0.0, 0.0, 12.0, 0.8), (2.4, 0.8, 3.6, 2.0), (8.4, 0.8, 9.6, 2.0)]));
        let ids = [join(&mut world, "ann", dvec2(0.4, 0.4)), join(&mut world, "bob", dvec2(11.6, 0.4))];
        if let Some(setting) = setting.clone() {
            world.apply(Command::Tune { who: ids[1], setting }).unwrap();
        }
        send(&mut world, ids[0], dvec2(11.6, 0.4));
        send(&mut world, ids[1], dvec2(0.4, 0.4));
        let mut in_niche = [false; 2];
        for _ in 0..3600 {
            world.tick();
            for (index, id) in ids.iter().enumerate() {
                in_niche[index] |= at(&world, *id).y > 1.0;
            }
        }
        assert!(in_niche[who_yields] && !in_niche[1 - who_yields], "{setting:?}: {in_niche:?}");
    }
}

#[test]
fn twenty_through_one_door_both_ways_all_arrive() {
    let mut world = world(rooms(&[(0.0, 0.0, 9.0, 10.0), (9.0, 4.6, 9.4, 5.4), (9.4, 0.0, 18.4, 10.0)]));
    for i in 0..10 {
        let z = 1.0 + f64::from(i) * 0.85;
        let one = join(&mut world, &format!("west_{i}"), dvec2(3.0 + f64::from(i % 3), z));
        let other = join(&mut world, &format!("east_{i}"), dvec2(12.0 + f64::from(i % 3), z));
        send(&mut world, one, dvec2(14.0 + f64::from(i % 3), 9.6 - z));
        send(&mut world, other, dvec2(2.0 + f64::from(i % 3), 9.6 - z));
    }
    let ends = run(&mut world, 120.0);
    assert!(all_arrived(&ends, 20), "{ends:?}");
}

#[test]
fn whoever_stops_in_the_way_is_walked_round() {
    let mut room = rooms(&[(0.0, 0.0, 14.0, 4.0), (6.0, 4.0, 7.5, 8.0)]);
    room.crowd.dynamic_obstacle_radius_fraction = 2.5; // planned so wide that nobody is touched
    let mut world = world(room);
    let walker = join(&mut world, "walker", dvec2(0.6, 2.0));
    let stopper = join(&mut world, "stopper", dvec2(6.8, 4.6));
    send(&mut world, walker, dvec2(13.4, 2.0));
    send(&mut world, stopper, dvec2(6.8, 2.0)); // is there, right in the way, well before the walker
    let mut looks = vec![0];
    let mut nearest_m = f64::INFINITY;
    for _ in 0..(11.0 * 60.0) as u64 {
        world.tick();
        nearest_m = nearest_m.min(at(&world, walker).distance(at(&world, stopper)));
        let next_look = world.character(walker).unwrap().replans_from_tick;
        if looks.last() != Some(&next_look) {
            looks.push(next_look);
        }
    }
    assert!(at(&world, walker).distance(dvec2(13.4, 2.0)) <= 0.05);
    assert!(nearest_m > 0.6, "they came as near as {nearest_m} m");
    assert!(looks.len() > 2, "a mover nearby makes one look again: {looks:?}");
    assert!(
        looks.windows(2).skip(1).all(|pair| pair[1] - pair[0] >= 30),
        "at most every half second: {looks:?}"
    );
}

#[test]
fn walking_up_to_somebody_ends_at_talking_distance_however_large_the_step() {
    for (ticks_per_second, leaves) in [(60, false), (1, false), (60, true)] {
        let mut room = rooms(&[(0.0, 0.0, 16.0, 6.0)]);
        room.ticks_per_second = ticks_per_second;
        let mut world = world(room);
        let ann = join(&mut world, "ann", dvec2(1.0, 3.0));
        let bob = join(&mut world, "bob", dvec2(8.0, 3.0));
        let walk = world.apply(Command::TalkTo { who: ann, other: bob }).unwrap();
        assert_eq!(
            world.apply(Command::TalkTo { who: ann, other: bob }).unwrap(),
            walk,
            "the same walk goes on"
        );
        if leaves {
            world.apply(Command::Tune { who: bob, setting: Setting::WalkSpeed(0.7) }).unwrap();
            send(&mut world, bob, dvec2(14.0, 5.0));
        }
        let mut talked = Vec::new();
        for _ in 0..20 * ticks_per_second {
            world.tick();
            for event in world.take_events() {
                match event.kind {
                    EventKind::WalkEnded { who, end, .. } if who == ann => talked.push(format!("{end}")),
                    EventKind::Talked { who, with } => {
                        let apart_m = at(&world, who).distance(at(&world, with));
                        talked.push(format!("{} to {}", world.name_of(who), world.name_of(with)));
                        assert!((apart_m - 1.35).abs() < 0.03, "{apart_m} m apart");
                    }
                    _ => {}
                }
            }
        }
        assert_eq!(talked, ["arrived", "ann to bob"], "{ticks_per_second} a second, leaves: {leaves}");
    }
}

#[test]
fn nobody_talks_to_themselves_or_to_those_who_left() {
    let mut world = world(rooms(&[(0.0, 0.0, 16.0, 6.0)]));
    let ann = join(&mut world, "ann", dvec2(1.0, 3.0));
    let bob = join(&mut world, "bob", dvec2(8.0, 3.0));
    assert!(world.apply(Command::TalkTo { who: ann, other: ann }).is_err());
    world.apply(Command::TalkTo { who: ann, other: bob }).unwrap();
    world.tick();
    world.apply(Command::Despawn(bob)).unwrap();
    assert_eq!(run(&mut world, 5.0), [(ann, WalkEnd::Cancelled)]);
    assert!(world.apply(Command::TalkTo { who: ann, other: bob }).is_err());
    let carl = join(&mut world, "carl", dvec2(8.0, 3.0));
    world.apply(Command::Tune { who: carl, setting: Setting::Alive(false) }).unwrap();
    world.apply(Command::TalkTo { who: ann, other: carl }).unwrap();
    assert_eq!(run(&mut world, 5.0), [(ann, WalkEnd::Cancelled)], "nobody talks to the dead");
}

#[test]
fn a_chase_goes_on_as_long_as_it_gets_on() {
    let mut world = world(rooms(&[(0.0, 0.0, 90.0, 4.0)]));
    let ann = join(&mut world, "ann", dvec2(1.0, 2.0));
    let bob = join(&mut world, "bob", dvec2(6.0, 2.0));
    world.apply(Command::TalkTo { who: ann, other: bob }).unwrap();
    send(&mut world, bob, dvec2(88.0, 2.0)); // as fast as ann: she is with him when he stops, a minute later
    assert_eq!(run(&mut world, 80.0), [(bob, WalkEnd::Arrived), (ann, WalkEnd::Arrived)]);
}

#[test]
fn stout_people_talk_where_they_touch_and_send_nobody_away() {
    let mut world = world(rooms(&[(0.0, 0.0, 16.0, 6.0)]));
    let ids = [join(&mut world, "ann", dvec2(2.0, 3.0)), join(&mut world, "bob", dvec2(10.0, 3.0))];
    for who in ids {
        world.apply(Command::Tune { who, setting: Setting::CollisionRadius(0.9) }).unwrap();
    }
    world.apply(Command::TalkTo { who: ids[0], other: ids[1] }).unwrap();
    assert_eq!(run(&mut world, 20.0), [(ids[0], WalkEnd::Arrived)]);
    assert_eq!(at(&world, ids[1]), dvec2(10.0, 3.0));
}

#[test]
fn a_long_queue_is_not_stuck() {
    let mut world = world(rooms(&[(0.0, 0.0, 16.0, 10.0), (16.0, 4.6, 16.4, 5.4), (16.4, 0.0, 32.4, 10.0)]));
    for i in 0..60 {
        let place = dvec2(1.0 + f64::from(i % 10) * 1.4, 1.0 + f64::from(i / 10) * 1.5);
        let who = join(&mut world, &format!("c{i}"), place);
        send(&mut world, who, place + dvec2(16.4, 0.0));
    }
    let ends = run(&mut world, 240.0);
    assert!(all_arrived(&ends, 60), "{ends:?}");
}

#[test]
fn making_way_does_not_depend_on_how_often_one_plans_again() {
    for (replan_s, yield_s) in [(1.5, 3.0), (20.0, 3.0), (0.4, 1.0)] {
        let mut room = rooms(&[(0.0, 0.0, 12.0, 0.8), (8.4, 0.8, 9.6, 2.0)]);
        room.crowd.avoidance = Avoidance::Push; // those who steer settle it at once
        room.crowd.stuck_replan_after_s = replan_s;
        room.crowd.stuck_yield_after_s = yield_s;
        let mut world = world(room);
        let ids = [join(&mut world, "ann", dvec2(0.4, 0.4)), join(&mut world, "bob", dvec2(11.6, 0.4))];
        send(&mut world, ids[0], dvec2(11.6, 0.4));
        send(&mut world, ids[1], dvec2(0.4, 0.4));
        let mut yielded_at = None;
        let mut ends = Vec::new();
        for tick in 0..3600 {
            world.tick();
            let gives_way = |id| world.character(id).unwrap().walk.as_ref().is_some_and(|w| w.is_yielding());
            yielded_at = yielded_at.or(ids.into_iter().any(gives_way).then_some(f64::from(tick) / 60.0));
            ends.extend(world.take_events().into_iter().filter_map(|event| match event.kind {
                EventKind::WalkEnded { who, end, .. } => Some((who, end)),
                _ => None,
            }));
        }
        assert!(all_arrived(&ends, 2), "replan {replan_s}, yield {yield_s}: {ends:?}");
        let stuck_s = yielded_at.unwrap() - 5.3 / 1.4; // they touch after 5.3 m
        assert!((stuck_s - yield_s).abs() < 0.7, "replan {replan_s}, yield {yield_s}: after {stuck_s} s");
    }
}

#[test]
fn the_fast_overtake_the_slow() {
    let mut world = world(rooms(&[(0.0, 0.0, 30.0, 5.0)]));
    let slow = join(&mut world, "slow", dvec2(3.0, 2.5));
    let fast = join(&mut world, "fast", dvec2(1.0, 2.5));
    world.apply(Command::Tune { who: slow, setting: Setting::WalkSpeed(0.3) }).unwrap();
    send(&mut world, slow, dvec2(29.0, 2.5));
    send(&mut world, fast, dvec2(28.0, 2.5));
    let mut taken_s = 0.0;
    while world.character(fast).unwrap().is_moving() && taken_s < 90.0 {
        world.tick();
        taken_s += 1.0 / 60.0;
    }
    assert!(taken_s < 27.0 / 1.4 + 6.0, "{taken_s} s for 27 m");
}

#[test]
fn of_three_abreast_the_one_with_room_beside_it_is_overtaken() {
    let mut world = world(rooms(&[(0.0, 0.0, 60.0, 4.6)]));
    for (index, z) in [0.8, 1.6, 2.4].into_iter().enumerate() {
        let slow = join(&mut world, &format!("slow {index}"), dvec2(4.0, z));
        world.apply(Command::Tune { who: slow, setting: Setting::WalkSpeed(0.7) }).unwrap();
        send(&mut world, slow, dvec2(58.0, z));
    }
    let fast = join(&mut world, "fast", dvec2(1.0, 1.6));
    send(&mut world, fast, dvec2(40.0, 1.6));
    let mut taken_s = 0.0;
    while world.character(fast).unwrap().is_moving() && taken_s < 90.0 {
        world.tick();
        taken_s += 1.0 / 60.0;
    }
    assert!(taken_s < 39.0 / 1.4 + 4.0, "{taken_s} s for 39 m");
}
