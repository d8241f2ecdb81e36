//! Formations, in the pictures of `shared_goals`: `G` is their middle, or the tip of the wedge.

use crate::common::crowd::{run, world};
use crate::common::{character, trimmed};
use crate::mesh_walks::room;
use crate::shared_goals::{drawn_from, ids, room_of};
use cicerone::nav::Place;
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

/// A gallery three metres above the first part of a hall. Stairs lead down from it to a landing beside the hall.
const GALLERY: &str = r#"{"mesh": {"polygons": [
    [[0,3,0], [12,3,0], [12,3,4], [0,3,4]], [[12,3,0], [17,0,0], [17,0,4], [12,3,4]],
    [[0,0,0], [12,0,0], [12,0,6], [0,0,6]], [[0,0,6], [12,0,6], [12,0,10], [0,0,10]],
    [[12,0,6], [17,0,6], [17,0,10], [12,0,10]], [[17,0,6], [21,0,6], [21,0,10], [17,0,10]],
    [[17,0,4], [21,0,4], [21,0,6], [17,0,6]], [[17,0,0], [21,0,0], [21,0,4], [17,0,4]]]},
  "characters": [
    {"name": "X", "at": [8, 0, 2.8], "pinned": true}, {"name": "Y", "at": [6, 3, 1.5], "pinned": true},
    {"name": "a", "at": [1, 3, 1]}, {"name": "b", "at": [11, 3, 3]}, {"name": "c", "at": [14, 1.8, 2]},
    {"name": "d", "at": [19, 0, 2]}, {"name": "e", "at": [19, 0, 5]}, {"name": "f", "at": [14, 0, 8]},
    {"name": "g", "at": [6, 0, 5]}]}"#;

/// All but the two pinned ones take up a formation of the gallery room. All must have room on the storey of `at`, be able
/// to go there, arrive, and look where they should.
fn check_storey(kind: FormationKind, at: Place, spacing_m: f64) -> Vec<FormationPlace> {
    let mut places = Vec::new();
    for avoidance in [Avoidance::Steer, Avoidance::Push] {
        let mut room = room(GALLERY);
        room.crowd.avoidance = avoidance;
        room.characters.iter_mut().for_each(|spec| spec.collision_radius_m = 0.3);
        let mut world = world(room);
        let who = ids(&world)[2..].to_vec();
        let formation =
            Formation { kind, at, spacing_m: Some(spacing_m), radius_m: None, facing: Some(DVec2::X) };
        places = world.formation_places(&who, &formation).unwrap();
        let told = format!("{kind:?} at {at:?}, {avoidance:?}");
        let middle = world.ground().locate(at);
        for (index, place) in places.iter().enumerate() {
            assert!(place.has_room && place.at.y_m == at.y_m, "{told}: {place:?}");
            assert!(world.ground().may_reach(middle, place.at), "{told}: {place:?}");
            let apart_m = |other: &FormationPlace| other.at.at.distance(place.at.at);
            assert!(places[..index].iter().all(|other| apart_m(other) > 0.6), "{told}: {places:?}");
        }
        (0..4).for_each(|_| drop(take_up(&mut world, &places)));
        for place in &places {
            let one = world.character(place.who).unwrap();
            let here = world.ground().place_of(one.position);
            let is_there = here.at.distance(place.at.at) < 0.1 && here.y_m == place.at.y_m;
            assert!(is_there, "{told}: '{}' stands at {here:?}, not at {place:?}", one.name);
            let wanted = if kind == FormationKind::Circle { at.at - here.at } else { DVec2::X };
            let looks = DVec2::from_angle(one.heading_rad);
            assert!(looks.dot(wanted.normalize()) > 0.99, "{told}: '{}' looks {looks}", one.name);
        }
    }
    places
}

#[test]
fn a_formation_is_on_the_storey_of_its_middle() {
    for kind in FormationKind::ALL {
        for height_m in [0.0, 3.0] {
            check_storey(kind, Place::new(8.0, 2.0).with_height(height_m), 1.2);
        }
    }
}

/// Some places are four metres beside the gallery: the hall below is nearer than the gallery.
#[test]
fn places_beside_a_storey_move_back_to_it() {
    let places = check_storey(FormationKind::Line, Place::new(6.0, 3.5).with_height(3.0), 1.5);
    let is_moved = |place: &&FormationPlace| place.at.at.x != 6.0;
    assert!(places.iter().filter(is_moved).count() >= 4, "{places:?}");
}

#[test]
fn a_line_up_a_slope_stays_a_line() {
    let slope = r#"{"mesh": {"polygons": [[[0,0,0], [40,8,0], [40,8,10], [0,0,10]]]}}"#;
    let mut room = room(slope);
    room.characters.extend((0..21).map(|number| character(&format!("c{number}"), dvec2(1.0, 5.0))));
    let world = world(room);
    let formation = Formation {
        kind: FormationKind::Line,
        at: dvec2(20.0, 5.0).into(),
        spacing_m: Some(1.0),
        radius_m: None,
        facing: Some(DVec2::Y),
    };
    let mut places = world.formation_places(&ids(&world), &formation).unwrap();
    places.sort_by(|one, other| one.at.at.x.total_cmp(&other.at.at.x));
    let places: Vec<Option<f64>> = places.iter().map(|place| place.at.y_m).collect();
    let expected = |number: i32| 2.0 + 0.2 * f64::from(number);
    let is_right = |(number, y_m): (i32, &Option<f64>)| (y_m.unwrap() - expected(number)).abs() < 1e-9;
    assert!((0..).zip(&places).all(is_right), "{places:?}");
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
