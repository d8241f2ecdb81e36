//! Formations, in the pictures of `shared_goals`: `G` is their middle, or the tip of the wedge.

use crate::common::crowd::{run, world};
use crate::common::trimmed;
use crate::shared_goals::{drawn_from, ids, room_of};
use cicerone::room::Avoidance;
use cicerone::world::{
    CharacterId, Command, Formation, FormationKind, FormationPlace, Setting, WalkEnd, World,
};
use glam::{DVec2, dvec2};

/// Sends those who are not at their places there; tells how the walks ended.
fn take_up(world: &mut World, places: &[FormationPlace]) -> Vec<(CharacterId, WalkEnd)> {
    for &FormationPlace { who, at, look_at, .. } in places {
        if world.character(who).unwrap().position.at.distance(at.at) > 0.1 {
            let look_at = Some(look_at);
            world.apply(Command::SetExactTarget { who, to: at, look_at }).unwrap();
        }
    }
    run(world, 15.0)
}

/// All characters but those with a capital letter take up a formation that looks along +X. All must arrive,
/// stand as the second picture says, and look where they should.
fn check(kind: FormationKind, map: &str, expected: &str) {
    for avoidance in [Avoidance::Steer, Avoidance::Push] {
        let (mut room, at) = room_of(map);
        room.crowd.avoidance = avoidance;
        for outsider in room.characters.iter_mut().filter(|spec| spec.name.chars().all(char::is_uppercase)) {
            outsider.pinned = true;
        }
        let mut world = world(room);
        let is_member = |id: &CharacterId| !world.name_of(*id).chars().all(char::is_uppercase);
        let who: Vec<CharacterId> = ids(&world).into_iter().filter(is_member).collect();
        let formation =
            Formation { kind, at: at.into(), spacing_m: None, radius_m: None, facing: Some(DVec2::X) };
        let places = world.formation_places(&who, &formation).unwrap();
        let mut ends = Vec::new();
        // One who walks to a place farther on may send away one who has arrived.
        for _ in 0..3 {
            ends.extend(take_up(&mut world, &places));
        }
        ends.sort();
        ends.dedup();
        let picture = drawn_from(map, &world, dvec2(0.02, 0.0));
        let all_arrive: Vec<_> = who.iter().map(|&who| (who, WalkEnd::Arrived)).collect();
        assert_eq!(ends, all_arrive, "{avoidance:?}\n{picture}");
        assert_eq!(picture, trimmed(expected), "{avoidance:?}, got:\n{picture}");
        for place in places {
            let character = world.character(place.who).unwrap();
            assert!(character.position.at.distance(place.at.at) < 0.1, "{}\n{picture}", character.name);
            let looks = DVec2::from_angle(character.heading_rad);
            let wanted = match kind {
                FormationKind::Circle => at - character.position.at,
                _ => DVec2::X,
            };
            assert!(looks.dot(wanted.normalize()) > 0.99, "{} looks {looks}\n{picture}", character.name);
        }
    }
}

#[test]
fn a_circle_looks_to_its_middle() {
    check(
        FormationKind::Circle,
        ".................
         a................
         b................
         c................
         d............G...
         e................
         f................
         .................",
        ".................
         .................
         ............b.a..
         .................
         ...........d...c.
         .................
         ............f.e..
         .................",
    );
}

#[test]
fn a_line_looks_ahead() {
    check(
        FormationKind::Line,
        "............
         ............
         a...........
         b.........G.
         c...........
         d...........
         ............",
        "..........a.
         ............
         ..........b.
         ............
         ..........c.
         ............
         ..........d.",
    );
}

#[test]
fn the_first_one_has_the_tip_of_the_wedge() {
    check(
        FormationKind::Wedge,
        "............
         ............
         d...........
         b.........G.
         a...........
         c...........
         e...........",
        ".......d....
         ............
         ........b...
         ..........a.
         ........c...
         ............
         .......e....",
    );
}

#[test]
fn places_move_to_free_ground() {
    // A wall on the line, and somebody who stands there and does not take part.
    check(
        FormationKind::Line,
        ".........###
         .........###
         a........###
         b.........G.
         c...........
         d.........X.
         ............",
        ".........###
         ........a###
         .........###
         ..........b.
         ...........c
         ..........X.
         ..........d.",
    );
}

#[test]
fn where_there_is_no_room_the_rest_comes_as_near_as_it_can() {
    let map = "#########
               abcdG####
               #########";
    let (mut room, at) = room_of(map);
    room.characters.iter_mut().for_each(|spec| spec.collision_radius_m = 0.4);
    let world = world(room);
    let who = ids(&world);
    let formation = Formation {
        kind: FormationKind::Line,
        at: at.into(),
        spacing_m: None,
        radius_m: None,
        facing: Some(DVec2::X),
    };
    let places = world.formation_places(&who, &formation).unwrap();
    let count = places.iter().filter(|place| place.has_room).count();
    assert_eq!(count, 3, "2.5 m of a corridor have room for three");
    assert!(places.iter().filter(|place| !place.has_room).all(|place| place.at.at == at));
}

#[test]
fn the_ways_to_a_formation_do_not_cross() {
    let (mut room, at) = room_of(
        "a.d.g.........
         b.e.h.......G.
         c.f.i.........",
    );
    room.characters.reverse();
    let world = world(room);
    let who = ids(&world);
    for kind in FormationKind::ALL {
        let formation = Formation { kind, at: at.into(), spacing_m: Some(0.6), radius_m: None, facing: None };
        let places = world.formation_places(&who, &formation).unwrap();
        let led = usize::from(kind == FormationKind::Wedge);
        let ways: Vec<(DVec2, DVec2)> = places[led..]
            .iter()
            .map(|place| (world.character(place.who).unwrap().position.at, place.at.at))
            .collect();
        for (index, &(a, b)) in ways.iter().enumerate() {
            for &(c, d) in &ways[..index] {
                let side = |from: DVec2, to: DVec2, point: DVec2| (to - from).perp_dot(point - from);
                let cross = side(a, b, c) * side(a, b, d) < -1e-9 && side(c, d, a) * side(c, d, b) < -1e-9;
                assert!(!cross, "{kind:?}: {a} to {b} and {c} to {d}");
            }
        }
    }
}

#[test]
fn what_is_no_formation_is_refused() {
    let (room, at) = room_of("ab...G");
    let mut world = world(room);
    let who = ids(&world);
    let formation = Formation {
        kind: FormationKind::Circle,
        at: at.into(),
        spacing_m: None,
        radius_m: None,
        facing: None,
    };
    let told = |who: &[CharacterId], formation: Formation| {
        world.formation_places(who, &formation).unwrap_err().to_string()
    };
    assert_eq!(told(&[], formation), "a formation has 1 to 200 characters, not 0");
    let narrow = Formation { spacing_m: Some(0.5), ..formation };
    assert_eq!(
        told(&who, narrow),
        "spacing must be from 0.60 to 1000 m, so that the bodies have room, not 0.5"
    );
    let small = Formation { radius_m: Some(0.1), ..formation };
    assert_eq!(
        told(&who, small),
        "radius must be from 0.30 to 1000 m, so that the bodies have room, not 0.1"
    );
    let nowhere = Formation { at: dvec2(f64::NAN, 0.0).into(), ..formation };
    assert!(told(&who, nowhere).contains("finite"), "{}", told(&who, nowhere));
    assert!(world.formation_places(&who, &formation).is_ok());
    world.apply(Command::Tune { who: who[0], setting: Setting::WalkSpeed(0.0) }).unwrap();
    world.apply(Command::Despawn(who[1])).unwrap();
    assert!(world.formation_places(&who, &formation).is_err());
}
