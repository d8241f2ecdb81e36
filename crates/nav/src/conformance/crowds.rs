//! Crowds on random meshes, with doors that open and close: nobody leaves the ground, and storeys never mix.

use super::random::{self, STOREY_M, is_a_step, mesh_room, off_ground, open_place, seeds, views};
use crate::crowd::CharacterId;
use crate::mesh::PolygonView;
use crate::mesh::test_rooms::Random;
use crate::nav::{Place, Position};
use crate::room::{CharacterSpec, Room};
use crate::surface::Surface;
use crate::world::{Command, EventKind, Unseen, View, World};

/// Radius of everybody, in metres, and their number.
const RADIUS_M: f64 = 0.25;
const PEOPLE: usize = 8;

/// The farthest that anybody gets in a tick, in metres, if no door closes on them: all may have been moved to one place
/// by a door, and each pushes the others off.
const STEP_M: f64 = PEOPLE as f64 * RADIUS_M;

fn world(mut room: Room, places: &[(String, Place)]) -> World {
    let character = |(name, at): &(String, Place)| {
        CharacterSpec::at(*at).with_name(name).with(|traits| traits.collision_radius_m = RADIUS_M)
    };
    room.characters = places.iter().map(character).collect();
    World::over(Surface::new(&room).unwrap(), room, 1)
}

fn positions(world: &World) -> Vec<(CharacterId, Position)> {
    world.characters().iter().map(|character| (character.id, character.position)).collect()
}

/// What the crowds did: proof that something happened.
#[derive(Debug, Default)]
struct Lives {
    rooms: usize,
    toggles: usize,
    /// Walks that ended, and steps from one polygon to another one.
    ends: usize,
    crossings: usize,
    /// Characters that are on another storey in the end: they walked over a ramp.
    climbs: usize,
}

impl Lives {
    fn live(&mut self, seed: u64, ticks: u32) {
        let random = &mut Random(seed);
        let room = mesh_room(seed);
        let ground = Surface::new(&room).unwrap();
        let mut views = views(&ground);
        let places: Vec<(String, Place)> =
            (0..PEOPLE).filter_map(|i| Some((format!("c{i}"), open_place(random, &views)?))).collect();
        let mut world = world(room, &places);
        self.rooms += usize::from(!places.is_empty());
        let doors: Vec<String> = world.room().areas.iter().map(|area| area.name.clone()).collect();
        let (first, mut revision) = (positions(&world), world.ground().revision());
        let mut before = first.clone();
        for tick in 0..ticks {
            if tick % 240 == 0 {
                for &(who, _) in &before {
                    if let Some(to) = open_place(random, &views) {
                        let _ = world.apply(Command::SetTarget { who, to });
                    }
                }
            }
            let mut toggled = false;
            if tick % 12 == 5 && !doors.is_empty() {
                let area = doors[random.below(doors.len() as u64) as usize].clone();
                let available = random.below(3) > 0;
                world.apply(Command::SetAreaAvailable { area, available }).unwrap();
                (toggled, self.toggles) = (true, self.toggles + 1);
            }
            world.tick();
            // A door that waits until it is empty may close in any tick.
            if toggled || revision != world.ground().revision() {
                (toggled, revision, views) = (true, world.ground().revision(), random::views(world.ground()));
            }
            self.check(seed, tick, &views, &before, &positions(&world), toggled);
            before = positions(&world);
            let ends = world.take_events();
            self.ends +=
                ends.iter().filter(|event| matches!(event.kind, EventKind::WalkEnded { .. })).count();
        }
        let height = |position: Position| world.ground().height_m(position);
        let climbed =
            first.iter().zip(&before).filter(|(a, b)| (height(a.1) - height(b.1)).abs() > STOREY_M / 2.0);
        self.climbs += climbed.count();
    }

    fn check(
        &mut self,
        seed: u64,
        tick: u32,
        views: &[PolygonView],
        before: &[(CharacterId, Position)],
        after: &[(CharacterId, Position)],
        toggled: bool,
    ) {
        if !views.iter().any(|view| view.is_open) {
            return;
        }
        for (&(_, from), &(who, to)) in before.iter().zip(after) {
            let about = || format!("room {seed}, tick {tick}, {who:?}: from {from:?} to {to:?}");
            if let Some(why) = off_ground(views, to) {
                panic!("{}: {why}", about());
            }
            if !toggled {
                assert!(is_a_step(views, from, to, STEP_M), "{}: no step", about());
                self.crossings += usize::from(from.floor != to.floor);
            }
        }
    }
}

#[test]
fn nobody_leaves_the_mesh_or_its_storey_while_doors_open_and_close() {
    let mut lives = Lives::default();
    let seeds = seeds(16);
    let rooms = seeds.end as usize;
    seeds.for_each(|seed| lives.live(seed, 480));
    assert!(lives.rooms * 10 > rooms * 7, "{lives:?}");
    assert!(lives.toggles > rooms * 8 && lives.ends > rooms * 4, "{lives:?}");
    assert!(lives.crossings > rooms * 4 && lives.climbs > rooms / 40, "{lives:?}");
}

/// Those below do the same to the last bit, whether somebody lives above them or not; they do not see them, and cannot
/// talk to them.
#[test]
fn storeys_that_are_not_joined_do_not_know_of_each_other() {
    let mut met = 0;
    for seed in seeds(12) {
        let random = &mut Random(seed);
        let mut room = random::storeys(random, false);
        // Walkers plan again when somebody moves near their way. That looks at the plane only; searches leave those on
        // other storeys out. An early plan changes a path by less than a millimetre, which is not asked here.
        (room.crowd.replan_trigger_distance_m, room.crowd.dynamic_obstacle_influence_m) = (0.0, 0.0);
        let views = views(&Surface::new(&room).unwrap());
        let (mut below, mut above) = (Vec::new(), Vec::new());
        for i in 0..400 {
            let Some(place) = open_place(random, &views) else { continue };
            let storey = (place.y_m.unwrap_or_default() / STOREY_M).round();
            if storey == 0.0 && below.len() < 5 {
                below.push((format!("below {i}"), place));
            } else if storey == 1.0 && above.len() < 5 {
                above.push((format!("above {i}"), place));
            }
        }
        let mut alone = world(room.clone(), &below);
        let mut both = world(room, &[below.clone(), above].concat());
        let ids = |world: &World| positions(world).iter().map(|(who, _)| *who).collect::<Vec<_>>();
        let (lower, all) = (ids(&alone), ids(&both));
        assert_eq!(lower, all[..lower.len()]);
        let doors: Vec<String> = alone.room().areas.iter().map(|area| area.name.clone()).collect();
        for tick in 0..150 {
            let mut apply = |who: Option<CharacterId>, command: Command| {
                if who.is_none_or(|who| lower.contains(&who)) {
                    let _ = alone.apply(command.clone());
                }
                let _ = both.apply(command);
            };
            if tick % 40 == 0 {
                // All want to go to the same place of the plane, on their own storeys.
                let place = open_place(random, &views).unwrap();
                for &who in &all {
                    let storey = if lower.contains(&who) { 0.0 } else { STOREY_M };
                    apply(Some(who), Command::SetTarget { who, to: Place { y_m: Some(storey), ..place } });
                }
            }
            if tick % 25 == 12 && !doors.is_empty() {
                let area = doors[random.below(doors.len() as u64) as usize].clone();
                apply(None, Command::SetAreaAvailable { area, available: random.below(2) > 0 });
            }
            alone.tick();
            both.tick();
            let (one, other) = (positions(&alone), positions(&both));
            assert_eq!(one, other[..one.len()], "room {seed}, tick {tick}");
            for (who, position) in &other {
                let storey = if lower.contains(who) { 0.0 } else { STOREY_M };
                assert_eq!(both.ground().height_m(*position), storey, "room {seed}, tick {tick}, {who:?}");
            }
            let (below, above) = other.split_at(one.len());
            let near = |a: &Position| above.iter().filter(|(_, b)| a.at.distance(b.at) < 0.5).count();
            met += below.iter().map(|(_, at)| near(at)).sum::<usize>();
        }
        for (&one, &other) in lower.iter().zip(&all[lower.len()..]) {
            for (from, to) in [(one, other), (other, one)] {
                let [a, b] = [from, to].map(|who| both.body_of(who).unwrap());
                let seen = both.look(&View { from: a, to: b, cone: None, range_m: 100.0 });
                assert_eq!(seen, Err(Unseen::OtherStorey), "room {seed}");
            }
            both.apply(Command::TalkTo { who: one, other }).unwrap();
        }
        both.take_events();
        (0..120).for_each(|_| both.tick());
        let talked = both.take_events().iter().any(|event| matches!(event.kind, EventKind::Talked { .. }));
        assert!(!talked, "room {seed}");
    }
    assert!(met > 100, "{met} times somebody was above another one");
}
