//! Worlds that live on each kind of ground.

use super::{KINDS, Kind, ROOMS, Sample, ground, room_for, sample};
use crate::crowd::WalkEnd;
use crate::draw::Picture;
use crate::nav::Query;
use crate::room::{CharacterSpec, Room};
use crate::world::{Command, EventKind, World};
use glam::DVec2;
use std::collections::BTreeSet;

/// A world with a character at each of some places, and none on its way yet.
fn world(kind: Kind, room: &Room, places: &[DVec2]) -> World {
    let mut room = room_for(kind, room);
    let character = |(index, &at): (usize, &DVec2)| {
        let spec = CharacterSpec::at(at).with_name(format!("c{index}"));
        spec.with(|traits| (traits.player, traits.collision_radius_m) = (index == 0, 0.2))
    };
    room.characters = places.iter().enumerate().map(character).collect();
    World::over(ground(kind, &room), room, 1)
}

/// The results of some walks, after a limited number of ticks: how each ended, and which areas were entered and left.
fn live(
    world: &mut World,
    ticks: u32,
    mut each: impl FnMut(&World),
) -> (Vec<(String, WalkEnd)>, Vec<String>) {
    let (mut ends, mut areas) = (Vec::new(), Vec::new());
    for _ in 0..ticks {
        world.tick();
        each(world);
        for event in world.take_events() {
            let name = |who| world.character(who).map_or_else(String::new, |c| c.name.clone());
            match event.kind {
                EventKind::WalkEnded { who, end, .. } => ends.push((name(who), end)),
                EventKind::Entered(who, area) => areas.push(format!("{} entered {area}", name(who))),
                EventKind::Left(who, area) => areas.push(format!("{} left {area}", name(who))),
                _ => {}
            }
        }
    }
    (ends, areas)
}

#[test]
fn on_every_ground_walks_end_alike() {
    let mut kinds_of_ends = BTreeSet::new();
    for picture in ROOMS {
        let Sample { room, places } = sample(picture);
        let pairs = places.iter().flat_map(|from| places.iter().map(move |to| (*from, *to)));
        for (from, to) in pairs.filter(|(from, to)| from != to) {
            let lives = KINDS.map(|kind| {
                let mut world = world(kind, &room, &[from]);
                let Some(who) = world.characters().first().map(|c| c.id) else {
                    return (kind, Default::default());
                };
                world.apply(Command::SetTarget { who, to: to.into() }).unwrap();
                let told = live(&mut world, 1_200, |world| {
                    let at = world.characters()[0].position;
                    assert!(world.ground().is_walkable(at), "{kind:?}: at {at}");
                });
                (kind, told)
            });
            let (_, exact) = &lives[3];
            assert_eq!(exact.0.len(), 1, "{from} to {to}: {exact:?}");
            kinds_of_ends.insert(exact.0[0].1.clone());
            for (kind, told) in &lives {
                assert_eq!(told, exact, "{kind:?} {from} to {to}");
            }
        }
    }
    assert_eq!(kinds_of_ends.into_iter().collect::<Vec<_>>(), [WalkEnd::Arrived, WalkEnd::Partial]);
}

#[test]
fn on_every_ground_a_crowd_passes_a_door_that_closes_behind_it() {
    for kind in KINDS {
        let Sample { room, places } = sample(ROOMS[1]);
        let mut world = world(kind, &room, &places);
        let ids: Vec<_> = world.characters().iter().map(|c| c.id).collect();
        for &who in &ids {
            let to = DVec2::new(7.0, 3.0) + DVec2::new(0.0, f64::from(who.0) * 0.6 - 1.0);
            world.apply(Command::SetTarget { who, to: to.into() }).unwrap();
        }
        let least_apart = |world: &World| {
            let at: Vec<DVec2> = world.characters().iter().map(|c| c.position.at).collect();
            let pairs = at.iter().enumerate().flat_map(|(i, a)| at[..i].iter().map(move |b| a.distance(*b)));
            pairs.fold(f64::INFINITY, f64::min)
        };
        let mut apart_m = f64::INFINITY;
        let (ends, _) = live(&mut world, 1_500, |world| apart_m = apart_m.min(least_apart(world)));
        assert_eq!(ends.len(), ids.len(), "{kind:?}: {ends:?}");
        assert!(ends.iter().all(|(_, end)| *end == WalkEnd::Arrived), "{kind:?}: {ends:?}");
        assert!(apart_m > 0.2, "{kind:?}: bodies of 0.2 m came within {apart_m} m");
        world.apply(Command::SetAreaAvailable { area: "D".into(), available: false }).unwrap();
        let back = places[0];
        world.apply(Command::SetTarget { who: ids[0], to: back.into() }).unwrap();
        let (ends, _) = live(&mut world, 1_500, |_| {});
        assert_eq!(ends, [("c0".to_owned(), WalkEnd::Partial)], "{kind:?}");
    }
}

#[test]
fn on_every_ground_the_same_life_has_the_same_checksums_also_from_a_save() {
    for kind in KINDS {
        let Sample { room, places } = sample(ROOMS[4]);
        let mut one = world(kind, &room, &places);
        let who = one.characters()[0].id;
        one.apply(Command::SetTarget { who, to: places[2].into() }).unwrap();
        live(&mut one, 40, |_| {});
        let ground = ground(kind, one.room());
        let mut other = World::restore_over(ground, one.room().clone(), &one.state()).unwrap();
        assert_eq!(one.checksum(), other.checksum(), "{kind:?}");
        for _ in 0..400 {
            one.tick();
            other.tick();
            assert_eq!(one.checksum(), other.checksum(), "{kind:?} in tick {}", one.tick_number());
        }
    }
}

/// A reload may change the planner while characters walk.
#[test]
fn a_walk_goes_on_when_the_planner_changes() {
    let Sample { room, places } = sample(ROOMS[1]);
    for (before, after) in
        [(Kind::Grid, Kind::AnyAngle), (Kind::AnyAngle, Kind::Grid), (Kind::SampledFour, Kind::AnyAngle)]
    {
        for ticks in [0, 1, 40, 120] {
            let mut world = world(before, &room, &places[..1]);
            let who = world.characters()[0].id;
            world.apply(Command::SetTarget { who, to: places[3].into() }).unwrap();
            let (ended, _) = live(&mut world, ticks, |_| {});
            assert!(ended.is_empty(), "{before:?}");
            let at = world.characters()[0].position.at;
            let changed = Room { characters: world.room().characters.clone(), ..room_for(after, &room) };
            world.apply_checked(Command::ReplaceRoom(Box::new(changed))).unwrap();
            assert!(world.characters()[0].position.at.distance(at) < 1e-9, "{before:?} after {ticks}");
            assert_eq!(world.ground().as_mesh().is_some(), after == Kind::AnyAngle);
            let (ended, _) = live(&mut world, 1_500, |world| {
                assert!(world.ground().is_walkable(world.characters()[0].position), "{before:?}");
            });
            assert_eq!(ended, [("c0".to_owned(), WalkEnd::Arrived)], "{before:?} after {ticks}");
        }
    }
}

#[test]
fn every_ground_is_drawn_with_its_paths() {
    for kind in KINDS {
        let Sample { room, places } = sample(ROOMS[1]);
        let world = world(kind, &room, &places);
        let (from, to) = (places[0], places[3]);
        let path = super::path(world.ground(), &Query::new(from, to));
        let picture = Picture::of_room(world.room(), world.ground()).with_search(world.ground());
        let text = picture.with_path(from, to, &path).to_text(60);
        assert!(text.contains('*') && text.lines().count() > 5, "{kind:?}\n{text}");
    }
}
