//! Recorded jumps on every kind of ground.

use super::{KINDS, Kind, room_for};
use crate::crowd::{CharacterId, WalkEnd};
use crate::nav::Place;
use crate::room::{Area, CharacterSpec, Room};
use crate::world::{Applied, Command, EventKind, MAX_JUMPS, World};
use glam::{DVec2, dvec2};

/// Two meadows, thirty metres long, and a ditch of two metres between them. A player and a child stand on the near one.
fn meadows(kind: Kind) -> World {
    let rectangle = |name: &str, near_m: f64| {
        let corners = [(0.0, near_m), (30.0, near_m), (30.0, near_m + 4.0), (0.0, near_m + 4.0)];
        Area::new(name, corners.map(DVec2::from).to_vec())
    };
    let character = |name: &str, x: f64, player: bool| {
        let spec = CharacterSpec::at(dvec2(x, 2.05)).with_name(name);
        spec.with(|traits| (traits.player, traits.collision_radius_m) = (player, 0.2))
    };
    let characters = vec![character("player", 3.05, true), character("child", 1.05, false)];
    let areas = vec![rectangle("near", 0.0), rectangle("far", 6.0)];
    let ground = super::sample("A1A").room.ground;
    let room = Room { areas, ground, characters, ..Room::default() };
    World::of_checked(room_for(kind, &room), 1).unwrap()
}

fn id(world: &World, name: &str) -> CharacterId {
    world.character_named(name).unwrap().id
}

fn jump_at(x: f64) -> Command {
    let (from, to) = (Place::from(dvec2(x, 3.75)), Place::from(dvec2(x, 6.35)));
    Command::RecordJump { from, to, velocity_mps: Some(4.0), time_s: None }
}

fn names(world: &World) -> Vec<String> {
    world.links().links().iter().map(|placed| placed.link.name.clone()).collect()
}

/// The names of the links ahead of a walker.
fn ahead(world: &World, who: CharacterId) -> Vec<String> {
    let walk = world.character(who).unwrap().walk.as_ref();
    let links = walk.into_iter().flat_map(|walk| walk.corridor.links());
    links.map(|way| world.links().get(way.link).unwrap().link.name.clone()).collect()
}

#[test]
fn a_jump_of_the_player_is_recorded_and_others_follow() {
    for kind in KINDS {
        let mut world = meadows(kind);
        let (player, child) = (id(&world, "player"), id(&world, "child"));
        let to_far = Command::SetTarget { who: child, to: dvec2(1.05, 9.05).into() };
        world.apply(to_far.clone()).unwrap();
        (0..600).for_each(|_| world.tick());
        let is_partial = |kind: &EventKind| matches!(kind, EventKind::WalkEnded { who, end: WalkEnd::Partial, .. } if *who == child);
        assert!(world.take_events().iter().any(|event| is_partial(&event.kind)), "{kind:?}: no way over");
        let leap = |who, x: f64| Command::Jump {
            who,
            to: dvec2(x, 6.35).into(),
            velocity_mps: None,
            time_s: Some(0.5),
        };
        world.apply(Command::Teleport { who: player, to: dvec2(3.05, 3.75).into() }).unwrap();
        world.apply(leap(player, 3.05)).unwrap();
        world.tick();
        assert!(world.character(player).unwrap().crossing.is_some() && names(&world).is_empty());
        (0..31).for_each(|_| world.tick());
        assert_eq!(names(&world), ["jump 1"], "{kind:?}: recorded when it lands");
        let link = &world.links().links()[0].link;
        assert!(link.temporary && link.one_way && link.seconds == Some(0.5));
        assert!((link.velocity_mps.unwrap() - 5.2).abs() < 0.1, "{kind:?}: {link:?}");
        assert!(world.character(player).unwrap().position.at.y > 6.0);
        world.apply(to_far).unwrap();
        (0..900).for_each(|_| world.tick());
        let at = world.character(child).unwrap().position;
        assert!(at.distance(dvec2(1.05, 9.05)) < 0.3, "{kind:?}: the child follows, to {at:?}");
        // One way only, and the jumps of others are not recorded.
        world.apply(Command::SetTarget { who: child, to: dvec2(1.05, 2.05).into() }).unwrap();
        (0..600).for_each(|_| world.tick());
        assert!(world.character(child).unwrap().position.at.y > 6.0, "{kind:?}");
        world
            .apply(Command::Jump {
                who: child,
                to: dvec2(9.05, 3.75).into(),
                velocity_mps: None,
                time_s: None,
            })
            .unwrap();
        (0..300).for_each(|_| world.tick());
        assert!(world.character(child).unwrap().position.at.y < 4.0 && names(&world).len() == 1, "{kind:?}");
    }
}

#[test]
fn the_21st_jump_evicts_the_first_and_who_was_on_the_way_plans_again() {
    for kind in KINDS {
        let mut world = meadows(kind);
        let (player, child) = (id(&world, "player"), id(&world, "child"));
        for number in 0..MAX_JUMPS {
            world.apply(jump_at(6.05 + number as f64 * 1.1)).unwrap();
        }
        assert_eq!(names(&world).len(), MAX_JUMPS);
        // The player is in the air over the first one when it goes; the child is on the way to it.
        world.apply(Command::Teleport { who: player, to: dvec2(6.05, 3.55).into() }).unwrap();
        for who in [player, child] {
            world.apply(Command::SetTarget { who, to: dvec2(6.05, 9.05).into() }).unwrap();
        }
        while world.character(player).unwrap().crossing.is_none() {
            world.tick();
            assert!(world.tick_number() < 200, "{kind:?}");
        }
        assert_eq!(ahead(&world, child), ["jump 1"], "{kind:?}");
        world.apply(jump_at(29.05)).unwrap();
        assert_eq!(names(&world).len(), MAX_JUMPS);
        assert_eq!((&*names(&world)[0], names(&world).last().unwrap().as_str()), ("jump 2", "jump 21"));
        (0..5).for_each(|_| world.tick());
        assert_eq!(ahead(&world, child), ["jump 2"], "{kind:?}: it plans again");
        (0..1200).for_each(|_| world.tick());
        for who in [player, child] {
            let at = world.character(who).unwrap().position;
            assert!(at.distance(dvec2(6.05, 9.05)) < 1.0, "{kind:?}: {at:?}");
        }
    }
}

#[test]
fn a_jump_is_recorded_only_where_no_open_link_for_all_joins_the_two() {
    for kind in KINDS {
        let mut world = meadows(kind);
        let Applied::Linked(first) = world.apply(jump_at(6.05)).unwrap() else { panic!("a link") };
        assert_eq!(world.apply(jump_at(6.45)).unwrap(), Applied::Linked(first), "{kind:?}: near enough");
        let back = Command::RecordJump {
            from: dvec2(6.05, 6.35).into(),
            to: dvec2(6.05, 3.75).into(),
            velocity_mps: None,
            time_s: Some(1.0),
        };
        assert_ne!(world.apply(back).unwrap(), Applied::Linked(first), "{kind:?}: the other way");
        world.apply(Command::SetLinkAvailable { link: "jump 1".into(), available: false }).unwrap();
        assert_ne!(world.apply(jump_at(6.05)).unwrap(), Applied::Linked(first), "{kind:?}: it is closed");
        assert_eq!(names(&world), ["jump 1", "jump 2", "jump 3"]);
    }
}

#[test]
fn recorded_jumps_and_who_is_in_the_air_are_saved() {
    for kind in KINDS {
        let mut world = meadows(kind);
        let (player, child) = (id(&world, "player"), id(&world, "child"));
        world.apply(jump_at(8.05)).unwrap();
        world.apply(Command::SetTarget { who: child, to: dvec2(8.05, 9.05).into() }).unwrap();
        world
            .apply(Command::Jump {
                who: player,
                to: dvec2(3.05, 6.35).into(),
                velocity_mps: Some(3.0),
                time_s: None,
            })
            .unwrap();
        (0..20).for_each(|_| world.tick());
        let text = serde_json::to_string(&world.state()).unwrap();
        let state = serde_json::from_str(&text).unwrap();
        let mut restored = World::restore(world.room().clone(), &state).unwrap();
        for tick in 0..600 {
            assert_eq!(world.checksum(), restored.checksum(), "{kind:?}: {tick} ticks later");
            world.tick();
            restored.tick();
        }
        assert_eq!(names(&world), ["jump 1", "jump 2"], "{kind:?}");
        assert!(world.room().links.is_empty(), "the room has none of them");
    }
}
