//! Walks on meshes where a place alone does not say on which polygon a character is, or which portal a path takes.

use crate::common::crowd::{at, send, world};
use cicerone::nav::{Disc, Outcome, Place, Query, Step};
use cicerone::room::Room;
use cicerone::surface::{SearchMemory, Surface};
use cicerone::world::{CharacterId, Command, EventKind, WalkEnd, World};
use glam::dvec2;

pub(crate) fn room(json: &str) -> Room {
    cicerone::room::parse("room.json", json.as_bytes()).unwrap_or_else(|report| panic!("{report}")).room
}

fn run(world: &mut World, seconds: f64) -> Vec<EventKind> {
    (0..(seconds * 60.0).round() as u64).for_each(|_| world.tick());
    world.take_events().into_iter().map(|event| event.kind).collect()
}

fn ends(events: &[EventKind]) -> Vec<WalkEnd> {
    let end = |event: &EventKind| match event {
        EventKind::WalkEnded { end, .. } => Some(end.clone()),
        _ => None,
    };
    events.iter().filter_map(end).collect()
}

/// Two halls of ten by four metres with a wall between them, and two doors in it.
const TWO_DOORS: &str = r#"{"mesh": {
  "polygons": [[[0,0,0], [4,0,0], [4,0,10], [0,0,10]], [[4,0,0], [8,0,0], [8,0,10], [4,0,10]]],
  "portals": [
    {"from": 0, "to": 1, "ends": [[4,0,0.5], [4,0,1.5]]},
    {"from": 0, "to": 1, "ends": [[4,0,8.5], [4,0,9.5]]}]},
  "characters": [{"name": "ann", "at": [6, 5]}]}"#;

/// Two squares that touch at a corner, and a way down that leads back nowhere.
const CORNER: &str = r#"{"ground": "mesh", "areas": [
    {"name": "a", "polygon": [[0,0], [4,0], [4,4], [0,4]]},
    {"name": "b", "polygon": [[4,4], [8,4], [8,8], [4,8]]}],
  "characters": [{"name": "ann", "at": [6, 6]}]}"#;

const CELLS: &str = r#"{"planner": "any-angle", "cellSize": 0.5, "agentRadius": 0.01, "objectPadding": 0, "areas": [
    {"name": "a", "polygon": [[0,0], [4,0], [4,4], [0,4]]},
    {"name": "b", "polygon": [[4,4], [8,4], [8,8], [4,8]]}],
  "characters": [{"name": "ann", "at": [6, 6]}]}"#;

const ONE_WAY: &str = r#"{"mesh": {
  "polygons": [[[0,0,0], [4,0,0], [4,0,4], [0,0,4]], [[4,0,0], [8,0,0], [8,0,4], [4,0,4]]],
  "portals": [{"from": 0, "to": 1, "ends": [[4,0,0], [4,0,4]], "oneWay": true}]},
  "characters": [{"name": "ann", "at": [6, 2]}]}"#;

/// She slides to the wall, into a corner that belongs to another polygon, too, and is sent back on her own side.
#[test]
fn a_walker_knows_its_polygon_where_several_meet() {
    let cases = [
        (CORNER, (-1.0, -1.0), dvec2(7.0, 5.0)),
        (CELLS, (-1.0, -1.0), dvec2(7.0, 5.0)),
        (TWO_DOORS, (-1.0, 0.0), dvec2(5.0, 5.0)),
        (ONE_WAY, (-1.0, 0.0), dvec2(7.0, 3.0)),
    ];
    for (json, (x, z), to) in cases {
        let mut world = world(room(json));
        let ann = CharacterId(0);
        let ann = world.characters().first().map_or(ann, |ann| ann.id);
        world.apply(Command::Steer { who: ann, direction: dvec2(x, z) }).unwrap();
        run(&mut world, 5.0);
        assert!(at(&world, ann).distance(dvec2(6.0, 5.0)) > 1.0, "she went to the wall: {}", at(&world, ann));
        world.apply(Command::Steer { who: ann, direction: dvec2(0.0, 0.0) }).unwrap();
        send(&mut world, ann, to);
        let events = run(&mut world, 10.0);
        assert_eq!(ends(&events), [WalkEnd::Arrived], "to {to} in {json}: {events:?}");
        assert!(at(&world, ann).distance(to) < 0.2, "{}", at(&world, ann));
    }
}

/// The wall is between her and the goal, half a metre away: she goes round, through a door.
#[test]
fn a_walker_at_a_wall_goes_round_it() {
    let mut world = world(room(TWO_DOORS));
    let ann = world.characters()[0].id;
    world.apply(Command::Steer { who: ann, direction: dvec2(-1.0, 0.0) }).unwrap();
    run(&mut world, 5.0);
    assert_eq!(at(&world, ann), dvec2(4.0, 5.0));
    world.apply(Command::Steer { who: ann, direction: dvec2(0.0, 0.0) }).unwrap();
    send(&mut world, ann, dvec2(3.5, 5.0));
    assert_eq!(ends(&run(&mut world, 15.0)), [WalkEnd::Arrived]);
    assert!(at(&world, ann).distance(dvec2(3.5, 5.0)) < 0.2, "{}", at(&world, ann));
}

/// Of two doors between the same halls the filled one is barred, and not the other one, whichever comes first.
#[test]
fn of_two_portals_the_one_on_the_path_is_barred() {
    let ground = Surface::new(&room(TWO_DOORS)).unwrap();
    for (z, other) in [(9.0, 1.0), (1.0, 9.0)] {
        let disc = |x: f64, dz: f64| Disc { centre: ground.locate(dvec2(x, z + dz)), radius_m: 0.45 };
        let discs = vec![disc(4.0, 0.0), disc(3.9, 0.5), disc(3.9, -0.5)];
        let query = Query::new(dvec2(1.0, z), dvec2(7.0, z)).with_obstacles(discs);
        let path = cicerone::plan::find_path(&ground, query, &mut SearchMemory::default());
        assert_eq!((path.outcome, path.step), (Outcome::Complete, Step::Avoiding), "{path:?}");
        let passes = path.waypoints.iter().any(|at| (at.at.y - other).abs() < 0.6);
        assert!(passes && path.length_m > 15.0, "through the other door: {path:?}");
    }
}

/// A hall with a gallery over its eastern half, three metres up, that no stair leads to.
#[test]
fn a_goal_upstairs_that_is_out_of_reach_is_missed_by_its_height() {
    let json = r#"{"mesh": {"polygons": [
      [[0,0,0], [8,0,0], [8,0,4], [0,0,4]], [[4,3,0], [8,3,0], [8,3,4], [4,3,4]]]}}"#;
    let ground = Surface::new(&room(json)).unwrap();
    for to in [Place::new(6.0, 2.0), Place::new(6.0, 2.0).with_height(3.0)] {
        let query = Query::new(dvec2(1.0, 2.0), to);
        let path = cicerone::plan::find_path(&ground, query, &mut SearchMemory::default());
        assert_eq!(path.outcome, Outcome::Partial);
        assert!((path.missed_by_m - 3.0).abs() < 1e-6, "{path:?}");
    }
}

/// He stands right under her, and follows her: he goes up the stair.
#[test]
fn a_follower_below_comes_up() {
    let json = r#"{"mesh": {"polygons": [
        [[0,0,0], [6,0,0], [6,0,4], [0,0,4]], [[6,0,1], [10,3,1], [10,3,2], [6,0,2]],
        [[10,3,0], [11,3,0], [11,3,4], [10,3,4]], [[0,3,0], [10,3,0], [10,3,1], [0,3,1]]]},
      "characters": [{"name": "ann", "at": [0.5, 3, 0.5]}, {"name": "bob", "at": [0.7, 0, 0.7]}]}"#;
    let mut world = world(room(json));
    let [ann, bob] =
        ["ann", "bob"].map(|name| world.characters().iter().find(|c| c.name == name).unwrap().id);
    world.apply(Command::Follow { who: bob, other: ann, distance_m: 1.0 }).unwrap();
    run(&mut world, 30.0);
    let [ann, bob] = [ann, bob].map(|who| world.character(who).unwrap().position);
    assert!((world.ground().height_m(bob) - 3.0).abs() < 1e-6 && bob.distance(ann) < 1.5, "{bob:?}");
}

/// Places within half a metre in a hall of a hundred: a polygon of the hall is large, and the disc small.
#[test]
fn random_places_near_a_point_are_found_on_large_polygons() {
    let json = r#"{"ground": "mesh", "areas": [
        {"name": "hall", "polygon": [[0,0], [100,0], [100,100], [0,100]]}]}"#;
    let ground = Surface::new(&room(json)).unwrap();
    let mut numbers = (0_u32..).map(|i| f64::from(i.wrapping_mul(2_654_435_761)) / 4_294_967_296.0);
    let centre = ground.locate(dvec2(31.0, 62.0));
    let mut corners = [0; 4];
    for _ in 0..200 {
        let disc = Disc { centre, radius_m: 0.5 };
        let region = cicerone::nav::Region { disc: Some(disc), ..cicerone::nav::Region::default() };
        let (place, work) = ground.random_place(&region, 1000, || numbers.next().unwrap()).unwrap();
        let off = place.unwrap().at - centre.at;
        assert!(off.length() <= 0.5 && work < 100, "{off} with {work}");
        corners[usize::from(off.x > 0.0) + 2 * usize::from(off.y > 0.0)] += 1;
    }
    assert!(corners.iter().all(|count| *count > 30), "evenly: {corners:?}");
}

/// A hall of ten kilometres has hundreds of millions of places; a search for a refuge keeps to its work.
#[test]
fn a_search_for_a_refuge_keeps_to_its_work() {
    let json = r#"{"ground": "mesh", "areas": [
        {"name": "hall", "polygon": [[0,0], [10000,0], [10000,10000], [0,10000]]}]}"#;
    let ground = Surface::new(&room(json)).unwrap();
    let [from, threat] = [dvec2(5000.0, 5000.0), dvec2(5001.0, 5000.0)].map(|at| ground.locate(at));
    let threat = cicerone::nav::Threat { at: threat, distance_m: 900.0 };
    let refuge = ground.find_refuge(from, threat, 2_000).unwrap();
    assert!(refuge.is_far && refuge.work <= 2_001, "{refuge:?}");
}

/// A hall, and a gallery of two parts above it.
const GALLERY: &str = r#"{"mesh": {"polygons": [
    [[0,0,0], [20,0,0], [20,0,4], [0,0,4]], [[0,3,0], [12,3,0], [12,3,4], [0,3,4]],
    [[12,3,0], [20,3,0], [20,3,4], [12,3,4]]]},
  "areas": [{"name": "gallery", "polygons": [1]}],
  "characters": [{"name": "ann", "at": [5, 3, 2]}, {"name": "bob", "at": [5, 0, 2]}]}"#;

/// The hall is three metres below her, and the rest of the gallery seven metres away.
#[test]
fn a_character_whose_floor_closes_stays_on_its_storey() {
    let mut world = world(room(GALLERY));
    world.apply(Command::SetAreaAvailable { area: "gallery".into(), available: false }).unwrap();
    run(&mut world, 0.1);
    let place = |name: &str| world.ground().place_of(world.character_named(name).unwrap().position);
    let (ann, bob) = (place("ann"), place("bob"));
    assert!(ann.at.distance(dvec2(12.0, 2.0)) < 0.1 && ann.y_m == Some(3.0), "{ann:?}");
    assert_eq!((bob.at, bob.y_m), (dvec2(5.0, 2.0), Some(0.0)));
}

/// With the whole storey closed, the hall below is left.
#[test]
fn a_character_whose_storey_closes_is_put_on_the_nearest_one() {
    let mut world = world(room(&GALLERY.replace("[1]", "[1, 2]")));
    world.apply(Command::SetAreaAvailable { area: "gallery".into(), available: false }).unwrap();
    run(&mut world, 0.1);
    let ann = world.ground().place_of(world.character_named("ann").unwrap().position);
    assert_eq!(ann.y_m, Some(0.0));
}

#[test]
fn a_place_far_above_every_floor_is_at_none() {
    let ground = Surface::new(&room(GALLERY)).unwrap();
    for (y_m, expected) in [(-1.6, false), (-1.4, true), (0.4, true), (3.2, true), (4.4, true), (99.0, false)]
    {
        assert_eq!(ground.is_at_a_floor(Place::new(5.0, 2.0).with_height(y_m)), expected, "{y_m}");
    }
    assert!(ground.is_at_a_floor(Place::new(5.0, 2.0)));
    let room = room(&GALLERY.replace("[5, 3, 2]", "[5, 99, 2]"));
    let starts = cicerone::world::check_starts(&room, &ground);
    assert_eq!(starts.len(), 1);
    assert!(
        starts[0].message.contains("'ann' starts at height 99.00 m") && starts[0].is_covered,
        "{starts:?}"
    );
    assert!(starts[0].hint.as_ref().unwrap().contains("at 3.00 m"), "{starts:?}");
}
