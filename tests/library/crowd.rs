//! How characters walk: arrival, replanning, keeping apart, doors that close on somebody.

use crate::common::crowd::{at, join, run, send, world};
use crate::common::{area, character, empty_room, picture};
use cicerone::nav::{AreaId, Position};
use cicerone::room::{Avoidance, Obstacle, Room, WhenOccupied};
use cicerone::world::{Applied, CharacterId, Command, EventKind, Setting, WalkEnd};
use glam::dvec2;

/// An open hall with walls 0.5 m apart from nothing: `width` × `depth` metres.
fn hall(width: f64, depth: f64) -> Room {
    let mut room = empty_room();
    room.ground.cell_size_m = 0.25;
    let corners = vec![dvec2(0., 0.), dvec2(width, 0.), dvec2(width, depth), dvec2(0., depth)];
    room.areas.push(area("hall", corners, true));
    room
}

#[test]
fn a_walker_arrives_once_where_it_was_sent_in_the_time_it_takes() {
    let mut world = world(hall(10.0, 4.0));
    let ann = join(&mut world, "ann", dvec2(1.0, 2.0));
    send(&mut world, ann, dvec2(8.0, 2.0));
    assert!(run(&mut world, 4.9).is_empty(), "7 m at 1.4 m/s take 5 s");
    assert_eq!(run(&mut world, 0.2), [(ann, WalkEnd::Arrived)]);
    assert!(at(&world, ann).distance(dvec2(8.0, 2.0)) <= 0.05);
    assert_eq!(run(&mut world, 2.0), []);
}

#[test]
fn a_large_step_neither_overshoots_nor_oscillates() {
    let mut room = hall(10.0, 4.0);
    room.ticks_per_second = 1;
    let mut world = world(room);
    let ann = join(&mut world, "ann", dvec2(1.0, 2.0));
    send(&mut world, ann, dvec2(8.0, 2.0));
    for _ in 0..20 {
        world.tick();
        let x = at(&world, ann).x;
        assert!(x <= 8.0 + 1e-9, "{x}");
    }
    assert_eq!(at(&world, ann), dvec2(8.0, 2.0));
}

#[test]
fn the_same_target_again_goes_on_with_the_same_walk() {
    let mut world = world(hall(10.0, 4.0));
    let ann = join(&mut world, "ann", dvec2(1.0, 2.0));
    let first = world.apply(Command::SetTarget { who: ann, to: dvec2(8.0, 2.0).into() }).unwrap();
    run(&mut world, 1.0);
    let again = world.apply(Command::SetTarget { who: ann, to: dvec2(8.1, 2.1).into() }).unwrap();
    assert_eq!(first, again);
    let other = world.apply(Command::SetTarget { who: ann, to: dvec2(1.0, 1.0).into() }).unwrap();
    assert_ne!(first, other);
    assert_eq!(run(&mut world, 10.0), [(ann, WalkEnd::Cancelled), (ann, WalkEnd::Arrived)]);
}

#[test]
fn a_target_underfoot_is_an_arrival() {
    let mut world = world(hall(4.0, 4.0));
    let ann = join(&mut world, "ann", dvec2(1.0, 2.0));
    let here = at(&world, ann);
    send(&mut world, ann, here);
    assert_eq!(run(&mut world, 0.1), [(ann, WalkEnd::Arrived)]);
}

#[test]
fn a_goal_behind_a_closed_door_ends_as_partial() {
    let room = picture("S . . | G");
    let (s, g) = (room.points["S"], room.points["G"]);
    let mut world = world(room);
    let ann = join(&mut world, "ann", s.at);
    send(&mut world, ann, g.at);
    assert_eq!(run(&mut world, 10.0), [(ann, WalkEnd::Partial)]);
}

#[test]
fn a_door_that_opens_on_the_way_is_taken() {
    let room = picture(
        "S . . | . G
         . # # # # .
         . . . . . .",
    );
    let (s, g) = (room.points["S"], room.points["G"]);
    let mut world = world(room);
    let ann = join(&mut world, "ann", s.at);
    send(&mut world, ann, g.at);
    run(&mut world, 0.2);
    let long_way = world
        .character(ann)
        .unwrap()
        .walk
        .as_ref()
        .unwrap()
        .corridor
        .left_m(Position::on_ground(at(&world, ann)));
    assert!(long_way > 7.0, "{long_way}");
    world.apply(Command::SetAreaAvailable { area: "door".into(), available: true }).unwrap();
    run(&mut world, 0.1);
    let short_way = world
        .character(ann)
        .unwrap()
        .walk
        .as_ref()
        .unwrap()
        .corridor
        .left_m(Position::on_ground(at(&world, ann)));
    assert!(short_way < 5.0, "{short_way}");
}

#[test]
fn only_walks_that_a_change_concerns_are_planned_again() {
    let room = picture(
        "A . . . / . B
         # # # # # # #
         C . . . . . D",
    );
    let points = room.points.clone();
    let mut world = world(room);
    let (ann, bob) = (join(&mut world, "ann", points["A"].at), join(&mut world, "bob", points["C"].at));
    send(&mut world, ann, points["B"].at);
    send(&mut world, bob, points["D"].at);
    run(&mut world, 0.5);
    let bobs_path = world.character(bob).unwrap().walk.clone().unwrap().corridor.waypoints().to_vec();
    world.apply(Command::SetAreaAvailable { area: "door".into(), available: false }).unwrap();
    run(&mut world, 1.0 / 60.0);
    assert!(world.character(ann).unwrap().walk.as_ref().unwrap().partial, "Ann's way is shut");
    assert_eq!(world.character(bob).unwrap().walk.as_ref().unwrap().corridor.waypoints(), bobs_path);
    assert_eq!(run(&mut world, 10.0), [(ann, WalkEnd::Partial), (bob, WalkEnd::Arrived)]);
}

#[test]
fn a_door_that_closes_on_somebody_moves_them_out_or_waits() {
    for rule in [WhenOccupied::Evict, WhenOccupied::Hold] {
        let mut room = picture(". . / . .");
        let door = room.areas.iter().position(|area| area.name == "door").unwrap();
        room.areas[door].when_occupied = rule;
        let mut world = world(room);
        let ann = join(&mut world, "ann", dvec2(2.4, 0.5));
        let close = Command::SetAreaAvailable { area: "door".into(), available: false };
        assert_eq!(world.apply(close), Ok(Applied::Changed(true)));
        let open = world.ground().area_available(AreaId(door));
        if rule == WhenOccupied::Evict {
            assert!(!open);
            assert_eq!(at(&world, ann), dvec2(1.5, 0.5), "the nearest ground");
        } else {
            assert!(open && world.is_closing(AreaId(door)));
            send(&mut world, ann, dvec2(4.5, 0.5));
            run(&mut world, 5.0);
            assert!(!world.ground().area_available(AreaId(door)), "it closed behind her");
        }
    }
}

#[test]
fn nobody_who_takes_no_part_holds_a_door_open() {
    for setting in [Setting::Enabled(false), Setting::Alive(false)] {
        let mut room = picture(". . / . .");
        let door = room.areas.iter().position(|area| area.name == "door").unwrap();
        room.areas[door].when_occupied = WhenOccupied::Hold;
        let mut world = world(room);
        let ann = join(&mut world, "ann", dvec2(2.4, 0.5));
        let bob = join(&mut world, "bob", dvec2(2.6, 0.5));
        let close = Command::SetAreaAvailable { area: "door".into(), available: false };
        world.apply(Command::Tune { who: ann, setting: setting.clone() }).unwrap();
        world.apply(close).unwrap();
        assert!(world.is_closing(AreaId(door)), "Bob is in it");
        world.apply(Command::Tune { who: bob, setting }).unwrap();
        run(&mut world, 0.1);
        assert!(!world.ground().area_available(AreaId(door)));
        assert_eq!(at(&world, ann), dvec2(1.5, 0.5), "moved out, as nobody is where nobody can be");
    }
}

#[test]
fn the_last_ground_is_never_taken_from_under_anybody() {
    let mut world = world(picture("/"));
    let ann = join(&mut world, "ann", dvec2(0.5, 0.5));
    world.apply(Command::SetAreaAvailable { area: "door".into(), available: false }).unwrap();
    assert!(world.ground().is_walkable(at(&world, ann)));
    world.apply(Command::Despawn(ann)).unwrap();
    run(&mut world, 0.1);
    assert!(!world.ground().area_available(AreaId(0)), "it closes as soon as she has left");
}

#[test]
fn overlaps_vanish_where_there_is_room() {
    let mut world = world(hall(12.0, 12.0));
    for i in 0..20 {
        join(&mut world, &format!("c{i}"), dvec2(6.0, 6.0));
    }
    run(&mut world, 5.0);
    let all = world.characters();
    for (i, a) in all.iter().enumerate() {
        for b in &all[i + 1..] {
            let gap = a.position.distance(b.position) - a.collision_radius_m - b.collision_radius_m;
            assert!(gap > -1e-3, "{} and {} overlap by {}", a.name, b.name, -gap);
        }
    }
}

#[test]
fn a_stander_steps_out_of_a_walkers_way_and_the_player_does_not() {
    for player in [false, true] {
        let mut world = world(hall(10.0, 4.0));
        let mut spec = character("stan", dvec2(5.0, 2.0));
        spec.player = player;
        let Ok(Applied::Spawned(stan)) = world.apply(Command::Spawn(Box::new(spec))) else { panic!() };
        let ann = join(&mut world, "ann", dvec2(4.2, 2.0));
        let before = at(&world, stan);
        // Straight into Stan, without a plan round him.
        send(&mut world, ann, dvec2(4.9, 2.0));
        run(&mut world, 3.0);
        let moved = at(&world, stan).distance(before);
        if player {
            assert!(moved < 0.6, "the player is pushed at most, not sent away: {moved}");
        } else {
            assert!(moved > 1.0, "a nudge is 1.2 m: {moved}");
        }
    }
}

#[test]
fn walkers_who_meet_head_on_both_arrive() {
    let mut world = world(hall(10.0, 3.0));
    let (ann, bob) = (join(&mut world, "ann", dvec2(1.0, 1.5)), join(&mut world, "bob", dvec2(9.0, 1.5)));
    send(&mut world, ann, dvec2(9.0, 1.5));
    send(&mut world, bob, dvec2(1.0, 1.5));
    let mut ends = run(&mut world, 20.0);
    ends.sort();
    assert_eq!(ends, [(ann, WalkEnd::Arrived), (bob, WalkEnd::Arrived)]);
}

#[test]
fn one_who_is_held_up_for_good_gives_up_and_says_by_whom() {
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
    assert_eq!(run(&mut world, 11.0), [], "two seconds of way, then ten of patience");
    // She slows down before the plug, and gains a little of the way for some seconds.
    assert_eq!(run(&mut world, 60.0), [(ann, WalkEnd::Blocked(Some("plug".into())))]);
}

#[test]
fn a_lone_walker_is_never_held_up_however_fine_the_grid() {
    for (cell_size_m, waypoint_reached_m, speed_mps) in
        [(0.4, 0.05, 1.4), (0.05, 0.05, 1.4), (0.1, 0.5, 1.4), (0.25, 0.05, 0.06)]
    {
        let mut room = hall(6.0, 6.0);
        room.ground =
            with!(room.ground, cell_size_m = cell_size_m, agent_radius_m = 0.2, object_padding_m = 0.05);
        room.crowd.waypoint_reached_m = waypoint_reached_m;
        for i in 0..9 {
            let corner = dvec2(f64::from(i % 3) * 2.0 + 0.63, f64::from(i / 3) * 2.0 + 0.71);
            let polygon =
                [(0., 0.), (0.6, 0.1), (0.5, 0.7), (0.1, 0.5)].map(|(x, z)| corner + dvec2(x, z)).to_vec();
            room.obstacles.push(Obstacle { name: format!("rock{i}"), polygon, see_through: false });
        }
        let mut world = world(room);
        let ann = join(&mut world, "ann", dvec2(0.2, 0.2));
        world.apply(Command::Tune { who: ann, setting: Setting::WalkSpeed(speed_mps) }).unwrap();
        for (x, z) in [(5.8, 5.8), (0.2, 5.8), (5.8, 0.2), (3.1, 3.6), (0.2, 3.0), (5.8, 2.2), (0.2, 0.2)] {
            send(&mut world, ann, dvec2(x, z));
            let seconds = 12.0 / speed_mps;
            assert_eq!(
                run(&mut world, seconds),
                [(ann, WalkEnd::Arrived)],
                "{cell_size_m} {waypoint_reached_m} {speed_mps} to {x}, {z}"
            );
        }
    }
}

#[test]
fn planning_again_all_the_time_is_no_standing_still() {
    let mut world = world(hall(20.0, 4.0));
    let ann = join(&mut world, "ann", dvec2(1.0, 2.0));
    send(&mut world, ann, dvec2(19.0, 2.0));
    for _ in 0..20 * 60 {
        world.apply(Command::ForceReplan(ann)).unwrap();
        world.tick();
    }
    let ends = world
        .take_events()
        .into_iter()
        .filter(|e| matches!(e.kind, EventKind::WalkEnded { end: WalkEnd::Arrived, .. }));
    assert_eq!(ends.count(), 1);
}

#[test]
fn nobody_waits_for_a_path_for_ever() {
    // A door that flaps every tick, a held door somebody leans on, and a budget far too small.
    let mut room = hall(20.0, 20.0);
    room.ground.boundary_padding_m = 0.3;
    room.crowd.search_budget_expansions = 300;
    let mut door = area("door", vec![dvec2(20., 1.), dvec2(21., 1.), dvec2(21., 3.), dvec2(20., 3.)], true);
    room.areas.push(door.clone());
    door.name = "held".into();
    door.polygon.iter_mut().for_each(|corner| corner.y += 10.0);
    door.when_occupied = WhenOccupied::Hold;
    room.areas.push(door);
    let mut world = world(room);
    let leaner = join(&mut world, "leaner", dvec2(19.8, 12.0));
    world.apply(Command::SetAreaAvailable { area: "held".into(), available: false }).unwrap();
    assert!(world.is_closing(world.area_named("held").unwrap()), "closing would take {leaner:?}'s ground");
    let ann = join(&mut world, "ann", dvec2(1.0, 1.0));
    send(&mut world, ann, dvec2(19.0, 19.0));
    let mut ended = 0;
    for tick in 0..40 * 60 {
        world.apply(Command::SetAreaAvailable { area: "door".into(), available: tick % 2 == 0 }).unwrap();
        world.apply(Command::ForceReplan(ann)).unwrap();
        world.tick();
        let ends = world.take_events().into_iter().filter(|e| matches!(e.kind, EventKind::WalkEnded { .. }));
        ended += ends.count();
    }
    assert_eq!(ended, 1);
}

#[test]
fn a_dead_walker_stops_and_stands_in_nobodys_way() {
    let mut world = world(hall(10.0, 4.0));
    let ann = join(&mut world, "ann", dvec2(1.0, 2.0));
    send(&mut world, ann, dvec2(8.0, 2.0));
    run(&mut world, 1.0);
    world.apply(Command::Tune { who: ann, setting: Setting::Alive(false) }).unwrap();
    assert_eq!(run(&mut world, 1.0), [(ann, WalkEnd::Cancelled)]);
}

#[test]
fn many_requests_are_served_fairly_within_the_budget() {
    let mut room = hall(30.0, 30.0);
    room.crowd.search_budget_expansions = 500;
    let mut world = world(room);
    let everyone: Vec<CharacterId> = (0..40)
        .map(|i| join(&mut world, &format!("c{i}"), dvec2(1.0 + f64::from(i % 8), 1.0 + f64::from(i / 8))))
        .collect();
    for &who in &everyone {
        send(&mut world, who, dvec2(28.0, 28.0));
    }
    world.tick();
    let planned = world
        .characters()
        .iter()
        .filter(|c| c.walk.as_ref().is_some_and(|walk| walk.path_request.is_none()))
        .count();
    assert!(planned < 40, "the budget of one tick is not enough for all");
    run(&mut world, 5.0);
    assert!(
        world.characters().iter().all(|c| c.walk.as_ref().is_none_or(|walk| walk.path_request.is_none())),
        "but all are served"
    );
}

#[test]
fn heading_turns_the_short_way_towards_the_walk() {
    let mut world = world(hall(10.0, 10.0));
    let ann = join(&mut world, "ann", dvec2(5.0, 5.0));
    send(&mut world, ann, dvec2(1.0, 5.1));
    run(&mut world, 0.1);
    let partly = world.character(ann).unwrap().heading_rad;
    assert!(partly > 0.5 && partly < 1.5, "8 rad/s for a tenth of a second: {partly}");
    run(&mut world, 0.5);
    let heading = world.character(ann).unwrap().heading_rad;
    assert!((heading - libm::atan2(0.1, -4.0)).abs() < 0.05, "{heading}");
}

#[test]
fn doors_that_blink_before_somebody_do_not_keep_them_for_ever() {
    let mut room = picture(
        "S . . # . . .
         . . . | . . G
         . . . # . . .",
    );
    room.areas.push(area("other", vec![dvec2(3., 0.), dvec2(4., 0.), dvec2(4., 1.), dvec2(3., 1.)], false));
    let (start, goal) = (room.points["S"], room.points["G"]);
    let mut world = world(room);
    let ann = join(&mut world, "ann", start.at);
    send(&mut world, ann, goal.at);
    let mut ends = Vec::new();
    for tick in 0..120 * 60 {
        // One of them is always open, never the one she is at.
        let at_top = at(&world, ann).y < 1.0;
        for (name, available) in [("door", at_top), ("other", !at_top)] {
            if tick % 20 == 0 {
                world.apply(Command::SetAreaAvailable { area: name.into(), available }).unwrap();
            }
        }
        ends.extend(run(&mut world, 1.0 / 60.0));
    }
    assert_eq!(ends.len(), 1, "{ends:?}");
}

#[test]
fn planning_again_at_the_end_of_a_partial_path_is_still_partial() {
    let room = picture("S . . | G");
    let (start, goal) = (room.points["S"], room.points["G"]);
    let mut world = world(room);
    let ann = join(&mut world, "ann", start.at);
    send(&mut world, ann, goal.at);
    let mut ends = Vec::new();
    for _ in 0..600 {
        world.apply(Command::ForceReplan(ann)).unwrap();
        ends.extend(run(&mut world, 1.0 / 60.0));
    }
    assert_eq!(ends, [(ann, WalkEnd::Partial)]);
}

/// Who is sent aside tries straight away first, then the sides, then back past the other.
#[test]
fn nudges_try_four_directions_in_their_order() {
    let free = ["# . #", ". . .", "# . #"].map(str::to_owned);
    let places =
        [(2, 1, dvec2(2.7, 1.5)), (1, 2, dvec2(1.5, 2.7)), (1, 0, dvec2(1.5, 0.3)), (0, 1, dvec2(0.3, 1.5))];
    let mut map = free;
    for (x, z, expected) in places {
        let mut world = world(picture(&map.join("\n")));
        let stander = join(&mut world, "stander", dvec2(1.5, 1.5));
        let stander = world.character(stander).unwrap();
        let settings = cicerone::room::CrowdSettings::default();
        let from_the_left = dvec2(0.9, 1.5);
        let found = cicerone::internals::nudge_target(
            stander,
            Position::on_ground(from_the_left),
            &[],
            (&[], 0.0),
            world.ground(),
            &settings,
        );
        assert!(
            found.unwrap().distance(Position::on_ground(expected)) < 1e-9,
            "{found:?}, not {expected}\n{}",
            map.join("\n")
        );
        map[z].replace_range(2 * x..2 * x + 1, "#"); // and now that one is a wall
    }
}

/// Half each; who has a wall at their back leaves all of it to the other.
#[test]
fn pushes_are_shared_unless_a_wall_is_behind() {
    for (left, right, expected) in [(1.3, 1.7, [1.2, 1.8]), (0.05, 0.45, [0.05, 0.65])] {
        let mut room = picture(". . .");
        room.crowd.avoidance = Avoidance::Push;
        let mut world = world(room);
        let ids = [join(&mut world, "left", dvec2(left, 0.5)), join(&mut world, "right", dvec2(right, 0.5))];
        world.tick();
        for (id, x) in ids.into_iter().zip(expected) {
            assert!((at(&world, id).x - x).abs() < 1e-9, "{} instead of {x}", at(&world, id));
        }
    }
}
