//! The crowd scenes of `cargo bench --bench crowds`, with what they must show. With `CICERONE_SWEEPS=1`, all of them.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout)]

#[path = "../../benches/crowd_scenes/mod.rs"]
#[allow(dead_code, unreachable_pub)]
mod crowd_scenes;
mod grounds;
#[path = "../common/sweeps.rs"]
mod sweeps;

use cicerone::room::Avoidance;
use cicerone::world::{Command, Setting, World};
use crowd_scenes::grounds::Ground;
use crowd_scenes::measure::{Figures, Pose};
use crowd_scenes::scenes::{Errand, Scene, all};
use glam::DVec2;
use sweeps::sweeps;

fn scenes(names: &[&str]) -> Vec<Scene> {
    let is_one = |scene: &Scene| names.contains(&scene.name.as_str());
    let found: Vec<Scene> = all().into_iter().filter(is_one).collect();
    assert_eq!(found.len(), names.len(), "{names:?}");
    found
}

fn walked(scene: &Scene, avoidance: Avoidance, tick_rate: u32) -> (Figures, Vec<Vec<Pose>>) {
    let mut scene = scene.clone();
    scene.room.crowd.avoidance = avoidance;
    crowd_scenes::run::run(&scene, tick_rate).unwrap()
}

fn steered(scene: &Scene) -> Figures {
    walked(scene, Avoidance::Steer, 60).0
}

#[test]
fn people_on_a_circle_pass_round_each_other_without_jerks() {
    let names: &[&str] = match sweeps() {
        true => &["circle-8", "circle-20", "circle-50", "circle-100"],
        false => &["circle-8", "circle-20"],
    };
    for scene in scenes(names) {
        let figures = steered(&scene);
        let told = crowd_scenes::line(&scene, &figures);
        assert_eq!(figures.arrived, scene.errands.len(), "{told}");
        // A crowd of fifty and more is chaotic: its worst walk changes with every change of the code.
        let (mean, most) = if scene.errands.len() < 50 { (1.15, 1.4) } else { (1.2, 1.6) };
        assert!(figures.ratio_mean <= mean && figures.ratio_most <= most, "{told}");
        assert!(figures.jumps_per_s <= 0.2 && figures.sideways <= 0.02, "{told}");
        // The meter sees what is wrong with pushing.
        let pushed = walked(&scene, Avoidance::Push, 60).0;
        assert!(pushed.jumps_per_s > 2.0 && pushed.ratio_mean > figures.ratio_mean + 0.1, "{pushed:?}");
    }
}

#[test]
fn pairs_pass_each_other_without_contact_and_lose_little_time() {
    let scene = &scenes(&["pairs"])[0];
    let figures = steered(scene);
    let told = crowd_scenes::line(scene, &figures);
    assert_eq!(figures.arrived, scene.errands.len(), "{told}");
    assert!(figures.contact == 0.0 && figures.lost_s <= 0.22, "{told}, {} s lost", figures.lost_s);
    let pushed = walked(scene, Avoidance::Push, 60).0;
    assert!(pushed.contact > 0.3, "{pushed:?}");
}

#[test]
fn twos_and_threes_stay_together_on_every_ground() {
    let grounds =
        if sweeps() { vec![Ground::Grid, Ground::Painted, Ground::Mesh] } else { vec![Ground::Mesh] };
    for (name, least) in [("groups-door", 0.8), ("groups-corridor", 0.7)] {
        for &ground in &grounds {
            let scene = Scene { ground, ..scenes(&[name])[0].clone() };
            let figures = steered(&scene);
            let told = crowd_scenes::line(&scene, &figures);
            println!("{ground:?}: {told}");
            let (abreast, leader_m) = figures.together.unwrap();
            assert!(abreast >= least && leader_m < 1.1, "{ground:?}: {told}");
            assert!(figures.jumps_per_s <= 0.2 && figures.sideways <= 0.02, "{ground:?}: {told}");
            // The meter sees that those who push only follow.
            let pushed = walked(&scene, Avoidance::Push, 60).0;
            assert!(pushed.together.unwrap().0 < 0.3, "{ground:?}: {pushed:?}");
        }
    }
}

#[test]
fn standing_people_stay_where_they_are() {
    for scene in scenes(&["keeper", "resting-player"]) {
        let figures = steered(&scene);
        let told = crowd_scenes::line(&scene, &figures);
        assert_eq!(figures.arrived, 20, "{told}");
        assert_eq!(figures.moved_m, Some((0.0, 0.0)), "{told}");
    }
    let pushed = walked(&scenes(&["keeper"])[0], Avoidance::Push, 60).0;
    assert!(pushed.moved_m.is_some_and(|(most_m, _)| most_m > 2.0), "{pushed:?}");
}

#[test]
fn everybody_arrives_and_no_body_jumps_or_goes_through_another() {
    let names = ["head-on", "narrow-corridor-2", "audience", "pillars", "door-1.4", "merge", "sizes"];
    let chosen = if sweeps() { all() } else { scenes(&names) };
    for scene in chosen {
        let figures = steered(&scene);
        let told = crowd_scenes::line(&scene, &figures);
        println!("{told}");
        // A step of 2.3 cm, and a push of 1.2 cm at most. Bodies that walk 0.8 m/s are pushed as far.
        let most_cm = if scene.name == "slower-people" { 4.5 } else { 3.6 };
        assert!(figures.step_cm <= most_cm, "{told}");
        // The small bodies of "sizes" have the largest share of the permitted 3 cm.
        assert!(figures.overlap <= 0.08, "{told}");
        if names.contains(&scene.name.as_str()) {
            assert_eq!(figures.blocked + figures.other + figures.under_way, 0, "{told}");
        }
    }
}

/// Behind the corner, goals are so near to each other that one may be wedged in between those who have arrived.
#[test]
fn round_a_corner_all_but_one_of_hundreds_arrive() {
    let mut stay = 0;
    for seed in 0..=5 {
        let mut scene = scenes(&["corner-3"])[0].clone();
        if seed > 0 {
            scene.vary(seed);
        }
        let figures = steered(&scene);
        println!("{seed}: {}", crowd_scenes::line(&scene, &figures));
        stay += figures.blocked + figures.other + figures.under_way;
    }
    assert!(stay <= 1, "{stay} of 360");
}

#[test]
fn people_are_slower_where_it_is_crowded() {
    let densities = if sweeps() { vec![0.2, 0.6, 0.8, 1.0, 1.4, 2.0] } else { vec![0.2, 1.0] };
    for per_m2 in densities {
        let scene = &scenes(&[&format!("ring-{per_m2:.1}")])[0];
        let figures = steered(scene);
        // Weidmann 1993: the speed of pedestrians at a density, for a free speed of 1.34 m/s.
        let weidmann_mps = 1.34 * (1.0 - libm::exp(-1.913 * (1.0 / per_m2 - 1.0 / 5.4)));
        let share = figures.speed_mps.unwrap() / weidmann_mps;
        assert!((0.8..=1.25).contains(&share), "{per_m2} a square metre: {figures:?}, {weidmann_mps}");
    }
}

#[test]
fn a_scene_is_the_same_on_every_run() {
    for scene in scenes(&["circle-8", "corner-3"]) {
        let tracks = walked(&scene, Avoidance::Steer, 60).1;
        assert_eq!(walked(&scene, Avoidance::Steer, 60).1, tracks, "{}", scene.name);
        let mut varied = scene.clone();
        varied.vary(1);
        assert_ne!(walked(&varied, Avoidance::Steer, 60).1, tracks, "{}", scene.name);
    }
}

#[test]
fn a_saved_crowd_goes_on_as_if_nothing_had_happened_and_may_be_told_to_push() {
    let scene = &scenes(&["circle-20"])[0];
    let mut room = scene.room.clone();
    room.crowd.avoidance = Avoidance::Steer;
    let mut world = World::new(room.clone(), 7).unwrap();
    let ids: Vec<_> = world.characters().iter().map(|character| character.id).collect();
    for (&who, errand) in ids.iter().zip(&scene.errands) {
        let Errand::Once(to) = errand else { panic!("{errand:?}") };
        world.apply(Command::SetTarget { who, to: (*to).into() }).unwrap();
    }
    (0..200).for_each(|_| world.tick());
    world.take_events();
    assert!(world.characters().iter().all(|character| character.motion.is_some()), "all walk");
    let mut restored = World::restore(room.clone(), &world.state()).unwrap();
    for tick in 0..200 {
        assert_eq!(restored.checksum(), world.checksum(), "{tick} ticks later");
        world.tick();
        restored.tick();
    }
    room.crowd.avoidance = Avoidance::Push;
    world.apply(Command::ReplaceRoom(Box::new(room))).unwrap();
    (0..60).for_each(|_| world.tick());
    let motion = |index: usize| world.characters()[index].motion.as_ref();
    let is_free = |index| motion(index).is_some_and(|motion| motion.pushes_ticks == 0);
    assert!((0..ids.len()).all(is_free), "nobody steers, and all move");
}

#[test]
fn somebody_who_stands_before_a_steered_player_steps_aside() {
    let mut scene = scenes(&["steered-player"])[0].clone();
    scene.room.characters.truncate(1);
    scene.room.characters[0].at = DVec2::new(-15.0, 0.0).into();
    let mut stander = scene.room.characters[0].clone().with_name("stander");
    (stander.player, stander.at) = (false, DVec2::new(-12.0, 0.0).into());
    scene.room.characters.push(stander);
    scene.room.crowd.avoidance = Avoidance::Steer;
    let mut world = World::new(scene.room, 7).unwrap();
    let player = world.characters()[0].id;
    world.apply(Command::Steer { who: player, direction: DVec2::X }).unwrap();
    (0..300).for_each(|_| world.tick());
    let at = world.characters()[0].position.at;
    assert!(at.x > -11.0, "the player came past: {at}");
}

/// Two who come from both sides stand in an arch before a door of two bodies, now and then. It must not stay.
#[test]
fn everybody_gets_through_a_narrow_door_at_every_rate() {
    let (grounds, rates, seeds): (&[Ground], &[u32], _) = match sweeps() {
        true => (&[Ground::Grid, Ground::Painted, Ground::Mesh], &[20, 60, 144], 1..=5),
        false => (&[Ground::Mesh], &[60], 1..=1),
    };
    for (&ground, &rate) in grounds.iter().flat_map(|ground| rates.iter().map(move |rate| (ground, rate))) {
        for seed in seeds.clone() {
            let mut scene = scenes(&["door-1.0"])[0].clone();
            scene.vary(seed);
            scene.ground = ground;
            let figures = walked(&scene, Avoidance::Steer, rate).0;
            let told = crowd_scenes::line(&scene, &figures);
            assert_eq!(figures.arrived, scene.errands.len(), "seed {seed}, {rate} ticks, {ground:?}: {told}");
        }
    }
}

#[test]
fn people_pass_a_narrow_door_both_ways_by_turns() {
    let names: &[&str] = match sweeps() {
        true => &["both-ways-1.0", "both-ways-1.4", "both-ways-2.0", "both-ways-3.0", "narrow-corridor-4"],
        false => &["both-ways-1.4", "narrow-corridor-4"],
    };
    for scene in scenes(names) {
        let figures = steered(&scene);
        let told = crowd_scenes::line(&scene, &figures);
        // Single people may end before those who have arrived.
        assert!(figures.arrived * 20 >= scene.errands.len() * 19, "{told}");
    }
    // A jam that takes minutes moves nevertheless: hardly anybody gives up in it, as half of them did here once.
    for seed in if sweeps() { 1..=10 } else { 8..=8 } {
        let mut scene = scenes(&["both-ways-1.0"])[0].clone();
        scene.vary(seed);
        scene.ground = Ground::Mesh;
        let figures = steered(&scene);
        assert!(figures.arrived >= 85, "seed {seed}: {}", crowd_scenes::line(&scene, &figures));
    }
    // The scene is no easy one: those who push stand in each other.
    if sweeps() {
        let pushed = walked(&scenes(&["both-ways-1.0"])[0], Avoidance::Push, 60).0;
        assert!(pushed.overlap > 0.2 && pushed.jumps_per_s > 2.0, "{pushed:?}");
    }
}

/// Two halls with a straight corridor between them, in which people hardly get on, and another one at `z` = 1. Runs until
/// the walker has arrived, and returns its track. With `closes`, the straight corridor closes while the walker looks for
/// another way.
fn past_a_jam(halls_m: f64, avoidance: Avoidance, closes: bool) -> Vec<DVec2> {
    let middle_m = 0.5 * halls_m;
    let mut room = crowd_scenes::stage::room("jam");
    crowd_scenes::stage::floor(&mut room, (0.0, 0.0), (10.0, halls_m));
    crowd_scenes::stage::floor(&mut room, (16.0, 0.0), (10.0, halls_m));
    crowd_scenes::stage::floor(&mut room, (10.0, 0.0), (6.0, 2.0));
    crowd_scenes::stage::floor(&mut room, (10.0, middle_m - 1.0), (5.0, 2.0));
    crowd_scenes::stage::floor(&mut room, (15.0, middle_m - 1.0), (1.0, 2.0));
    let door = room.areas[4].name.clone();
    crowd_scenes::stage::person(&mut room, DVec2::new(1.0, middle_m));
    for index in 0..6 {
        let slow = crowd_scenes::stage::person(
            &mut room,
            DVec2::new(10.6 + 0.7 * f64::from(index), middle_m - 0.4 + 0.8 * f64::from(index % 2)),
        );
        room.characters[slow].walk_speed_mps = 0.01;
    }
    room.crowd.avoidance = avoidance;
    if closes {
        room.crowd.search_budget_expansions = 200; // so that a search takes many ticks
    }
    let mut world = World::new(room, 7).unwrap();
    let ids: Vec<_> = world.characters().iter().map(|character| character.id).collect();
    for &who in ids.iter().rev() {
        world.apply(Command::SetTarget { who, to: DVec2::new(25.0, middle_m).into() }).unwrap();
    }
    let mut track = Vec::new();
    let mut is_open = true;
    for _ in 0..6000 {
        world.tick();
        let walker = world.character(ids[0]).unwrap();
        track.push(walker.position.at);
        let Some(walk) = &walker.walk else {
            assert_ne!(is_open, closes, "it closes while another way is looked for");
            return track;
        };
        if closes && is_open && walk.is_weighing() {
            world.apply(Command::SetAreaAvailable { area: door.clone(), available: false }).unwrap();
            is_open = false;
        }
    }
    panic!("the walker is still at {:?}", track.last());
}

#[test]
fn a_walker_goes_round_a_jam_if_that_is_quicker() {
    let goes_round = |track: &[DVec2]| track.iter().any(|at| (11.0..15.0).contains(&at.x) && at.y < 2.0);
    assert!(goes_round(&past_a_jam(20.0, Avoidance::Steer, false)));
    assert!(!goes_round(&past_a_jam(20.0, Avoidance::Push, false)), "it goes through them");
}

#[test]
fn a_path_that_is_blocked_meanwhile_is_not_kept_for_being_quicker() {
    let track = past_a_jam(44.0, Avoidance::Steer, true);
    let before_it = track.iter().filter(|at| at.x < 10.0 && (at.y - 22.0).abs() < 1.0);
    let nearest_m = before_it.map(|at| at.x).fold(0.0, f64::max);
    assert!(nearest_m < 8.0, "it goes on to {nearest_m} m, and the corridor begins at 10");
    assert_eq!(track.last().map(|at| at.distance(DVec2::new(25.0, 22.0)) < 0.1), Some(true));
}

/// From 2,000 characters on, intents are found in several threads. People far away make the others no different.
#[test]
fn a_large_crowd_walks_alike_in_one_thread_and_in_several() {
    let crowd = |strangers: usize| {
        let mut room = crowd_scenes::stage::room("large");
        crowd_scenes::stage::floor(&mut room, (0.0, 0.0), (80.0, 80.0));
        crowd_scenes::stage::floor(&mut room, (200.0, 0.0), (40.0, 40.0));
        room.crowd.avoidance = Avoidance::Steer;
        room.crowd.search_budget_expansions = 1_000_000_000; // all paths at once
        let at =
            |index: usize, a_row: usize| DVec2::new((index % a_row) as f64, (index / a_row) as f64) * 1.8;
        let starts: Vec<DVec2> = (0..1900).map(|index| at(index, 44) + 0.6).collect();
        for at in
            starts.iter().copied().chain((0..strangers).map(|index| at(index, 20) + DVec2::new(200.6, 0.6)))
        {
            crowd_scenes::stage::person(&mut room, at);
        }
        let mut world = World::new(room, 7).unwrap();
        let people: Vec<_> =
            world.characters().iter().map(|person| (person.id, person.position.at)).collect();
        for (index, (who, at)) in people.into_iter().enumerate() {
            let to = if index < 1900 { starts[index * 701 % 1900] } else { at };
            world.apply(Command::SetTarget { who, to: to.into() }).unwrap();
        }
        world
    };
    let (mut alone, mut among) = (crowd(0), crowd(200));
    for tick in 0..120 {
        alone.tick();
        among.tick();
        let pairs = alone.characters().iter().zip(among.characters());
        let mut strays = pairs.filter(|(one, other)| one.position != other.position);
        assert!(strays.next().is_none(), "tick {tick}: {strays:?}");
    }
    let slowed =
        alone.characters().iter().filter(|one| one.walk.is_some() && one.velocity_mps().length() < 1.2);
    assert!(slowed.count() > 200, "they hardly meet");
}

#[test]
fn shoppers_walk_round_jams() {
    if !sweeps() {
        return println!("skipped: two times five minutes of shoppers are a sweep (CICERONE_SWEEPS)");
    }
    let scene = &scenes(&["shoppers"])[0];
    let figures = steered(scene);
    let told = crowd_scenes::line(scene, &figures);
    assert!(figures.arrived > 1200 && figures.blocked * 50 <= figures.arrived, "{told}");
    let pushed = walked(scene, Avoidance::Push, 60).0;
    assert!(pushed.blocked * 5 > pushed.arrived, "{pushed:?}");
}

#[test]
fn one_that_pushes_goes_straight_where_the_others_steer() {
    for pusher in [None, Some(0), Some(1)] {
        let mut scene = scenes(&["head-on"])[0].clone();
        scene.room.crowd.avoidance = Avoidance::Steer;
        let mut world = World::new(scene.room, 7).unwrap();
        let ids: Vec<_> = world.characters().iter().map(|character| character.id).collect();
        for (index, (&who, errand)) in ids.iter().zip(&scene.errands).enumerate() {
            let avoidance = (pusher == Some(index)).then_some(Avoidance::Push);
            world.apply(Command::Tune { who, setting: Setting::Avoidance(avoidance) }).unwrap();
            let Errand::Once(to) = errand else { panic!("{errand:?}") };
            world.apply(Command::SetTarget { who, to: (*to).into() }).unwrap();
        }
        let mut aside_m = [0.0_f64; 2];
        for _ in 0..900 {
            world.tick();
            for (most_m, character) in aside_m.iter_mut().zip(world.characters()) {
                *most_m = most_m.max(character.position.at.y.abs());
            }
            let speeds = world.characters().iter().map(|character| character.velocity_mps().length());
            assert!(speeds.fold(0.0, f64::max) < 1.4 + 0.01, "nobody is pushed");
        }
        for (index, &off_m) in aside_m.iter().enumerate() {
            let expected = if pusher == Some(index) { 0.0..0.01 } else { 0.2..0.7 };
            assert!(expected.contains(&off_m), "{pusher:?}: {index} goes {off_m} m aside");
        }
        assert!(world.characters().iter().all(|c| c.walk.is_none() && c.velocity_mps() == DVec2::ZERO));
    }
}

#[test]
fn fifty_people_to_one_place_arrive_as_a_crowd_and_rest() {
    let mut scene = scenes(&["one-place"])[0].clone();
    let count = scene.errands.len();
    for avoidance in [Avoidance::Steer, Avoidance::Push] {
        let (figures, tracks) = walked(&scene, avoidance, 60);
        let told = crowd_scenes::line(&scene, &figures);
        assert_eq!(figures.arrived, count, "{told}");
        // The last one has 13 s to walk, and the scene ends 8 s after the last arrival.
        assert!(figures.seconds < 36.0, "{told}: {} s", figures.seconds);
        let ends = tracks.iter().filter_map(|track| track.last());
        let farthest_m = ends.map(|end| end.at.distance(DVec2::new(6.0, 0.0))).fold(0.0, f64::max);
        assert!(farthest_m < 6.5, "{told}: {farthest_m} m from the place");
    }
    scene.room.crowd.shares_goals = false;
    let figures = steered(&scene);
    assert!(figures.arrived < count && figures.under_way > 0, "{figures:?}");
}

/// A picture has everybody's way. A film has six frames: trails, and bodies with their edge, their colour and their nose
/// in a group for each direction.
#[test]
fn scenes_are_drawn() {
    let [scene] = &scenes(&["head-on"])[..] else { panic!() };
    let (_, tracks) = walked(scene, Avoidance::Steer, 30);
    let picture = crowd_scenes::sheet::svg(scene, &tracks);
    assert_eq!((picture.matches("<polyline").count(), picture.matches("<circle").count()), (2, 2));
    let film = crowd_scenes::film::film(scene, &tracks, 30);
    assert_eq!(film.matches("<use href=\"#room\"/>").count(), 6);
    assert_eq!(film.matches("<g stroke-linecap").count(), 12, "{film}");
    assert!(film.contains("2 people, a frame every ") && film.contains(">0 s</text>"), "{film}");
}
