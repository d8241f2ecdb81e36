//! Two storeys above each other: what is on one does not concern the other.

use super::{Kind, explanation, give_polygons, ground, path, room_for};
use crate::crowd::{AgentRow, Character, CharacterId, Jams, WalkEnd};
use crate::nav::{Disc, NoPath, Outcome, Place, Position, Query, Region, Threat};
use crate::room::{Area, CharacterSpec, Hotspot, Room};
use crate::surface::{SearchMemory, Surface};
use crate::world::{Command, EventKind, Unseen, View, World};
use glam::{DVec2, dvec2};

/// Height of the loft, in metres.
const LOFT_M: f64 = 3.0;

fn place(x: f64, y: f64, z: f64) -> Place {
    Place { at: dvec2(x, z), y_m: Some(y) }
}

fn area(name: &str, min: DVec2, max: DVec2) -> Area {
    Area::new(name, vec![min, dvec2(max.x, min.y), max, dvec2(min.x, max.y)])
}

/// A hall, and a loft above its eastern part.
fn house(people: &[(&str, Place)]) -> Room {
    let window = Hotspot {
        name: "window".into(),
        polygon: vec![dvec2(6.0, 1.0), dvec2(8.0, 1.0), dvec2(8.0, 3.0)],
        painted: None,
        spot: dvec2(7.5, 1.5),
        walk_to: Some(place(7.0, LOFT_M, 1.5)),
        walk_to_point: None,
        cursor: None,
        enabled: true,
        moved_m: DVec2::ZERO,
    };
    let oven = Hotspot { name: "oven".into(), walk_to: Some(place(7.0, 0.0, 1.5)), ..window.clone() };
    let character = |&(name, at): &(&str, Place)| {
        CharacterSpec::at(at).with_name(name).with(|traits| traits.collision_radius_m = 0.3)
    };
    Room {
        name: "house".into(),
        areas: vec![
            area("hall", DVec2::ZERO, dvec2(8.0, 4.0)),
            area("loft@3", dvec2(4.0, 0.0), dvec2(8.0, 4.0)),
        ],
        hotspots: vec![window, oven],
        characters: people.iter().map(character).collect(),
        ..Room::default()
    }
}

fn world(people: &[(&str, Place)]) -> World {
    let room = room_for(Kind::Mesh, &house(people));
    World::over(Surface::new(&room).unwrap(), room, 1)
}

fn someone<'a>(world: &'a World, name: &str) -> &'a Character {
    world.character_named(name).unwrap()
}

fn id(world: &World, name: &str) -> CharacterId {
    someone(world, name).id
}

#[test]
fn a_place_is_on_the_floor_nearest_to_its_height_or_on_the_highest() {
    let ground = ground(Kind::Mesh, &house(&[]));
    let height = |place: Place| ground.height_m(place);
    assert_eq!(height(dvec2(2.0, 2.0).into()), 0.0, "only the hall is there");
    assert_eq!(height(dvec2(6.0, 2.0).into()), LOFT_M, "the highest");
    assert_eq!([0.0, 1.4, 1.6, 9.0].map(|y| height(place(6.0, y, 2.0))), [0.0, 0.0, LOFT_M, LOFT_M]);
    let (below, above) = (ground.locate(place(6.0, 0.0, 2.0)), ground.locate(place(6.0, 3.0, 2.0)));
    assert!(ground.is_walkable(below) && ground.is_walkable(above) && !ground.floors_touch(below, above));
    assert_eq!(ground.place_of(above), place(6.0, LOFT_M, 2.0));
    let edge = ground.locate(place(5.0, LOFT_M, 2.0));
    assert_eq!(ground.walk_straight(edge, dvec2(7.0, 2.0)).map(|end| ground.height_m(end)), Some(LOFT_M));
    assert_eq!(ground.walk_straight(edge, dvec2(3.0, 2.0)), None, "the loft ends there");
    let [hall, loft] = ["hall", "loft@3"].map(|name| ground.area_named(name).unwrap());
    assert_eq!([hall, loft].map(|area| ground.area_contains(area, below)), [true, false]);
    assert_eq!([hall, loft].map(|area| ground.area_contains(area, above)), [false, true]);
}

#[test]
fn paths_stay_on_their_storey() {
    let ground = ground(Kind::Mesh, &house(&[]));
    let ask = |from, to, obstacles| path(&ground, &Query { obstacles, ..Query::new(from, to) });
    let (hall, below, above) = (place(1.0, 0.0, 2.0), place(7.0, 0.0, 2.0), place(7.0, LOFT_M, 2.0));
    let under = ask(hall, below, Vec::new());
    assert_eq!((under.outcome, under.length_m), (Outcome::Complete, 6.0));
    assert!(under.waypoints.iter().all(|&at| ground.height_m(at) == 0.0));
    let up = ask(hall, above, Vec::new());
    assert_eq!((up.outcome, up.reason), (Outcome::Partial, Some(NoPath::Unreachable)));
    let disc = |y: f64| Disc { centre: ground.locate(place(5.0, y, 2.0)), radius_m: 0.5 };
    assert_eq!(ask(hall, below, vec![disc(LOFT_M)]), under, "who stands above is not in the way");
    assert!(ask(hall, below, vec![disc(0.0)]).length_m > 6.0);
}

#[test]
fn goals_far_above_every_floor_are_not_reached() {
    let ground = ground(Kind::Mesh, &house(&[]));
    let ask = |y: f64| path(&ground, &Query::new(place(5.0, LOFT_M, 2.0), place(7.0, y, 2.0)));
    for y in [LOFT_M, LOFT_M + 1.4, LOFT_M - 1.4] {
        let near = ask(y);
        assert_eq!((near.outcome, near.missed_by_m, near.snapped_to), (Outcome::Complete, 0.0, None), "{y}");
    }
    let far = ask(LOFT_M + 4.0);
    assert_eq!((far.outcome, far.reason), (Outcome::Partial, Some(NoPath::GoalOffGround)));
    assert_eq!((far.missed_by_m, far.length_m), (4.0, 2.0));
    let why = explanation(&ground, &Query::new(place(5.0, LOFT_M, 2.0), place(7.0, 9.0, 2.0)));
    assert_eq!(
        why.to_string(),
        "no walkable ground near the goal; the nearest point that can be reached is (7.00, 3.00, 2.00)"
    );
    let from_the_air = path(&ground, &Query::new(place(5.0, 9.0, 2.0), place(7.0, LOFT_M, 2.0)));
    assert_eq!(from_the_air.reason, Some(NoPath::StartOffGround));
    let mut world = world(&[("ann", place(5.0, LOFT_M, 2.0))]);
    let who = id(&world, "ann");
    world.apply(Command::SetTarget { who, to: place(7.0, 9.0, 2.0) }).unwrap();
    let mut ends = Vec::new();
    for _ in 0..600 {
        world.tick();
        ends.extend(world.take_events().into_iter().filter_map(|event| match event.kind {
            EventKind::WalkEnded { end, requested, reached, .. } => {
                Some((end, world.ground().missed_m(requested, reached)))
            }
            _ => None,
        }));
    }
    assert_eq!(ends.iter().map(|(end, _)| end).collect::<Vec<_>>(), [&WalkEnd::Partial]);
    assert!((ends[0].1 - 6.0).abs() < 0.2, "{ends:?}");
}

/// A ramp leads from the hall to a landing, and a door from there to a room above the hall.
#[test]
fn before_a_closed_door_upstairs_one_waits_upstairs() {
    let text = r#"{"mesh": {"polygons": [
            [[0,0,0], [6,0,0], [6,0,8], [0,0,8]], [[6,0,0], [12,3,0], [12,3,2], [6,0,2]],
            [[12,3,0], [14,3,0], [14,3,8], [12,3,8]], [[6,3,5], [12,3,5], [12,3,7], [6,3,7]],
            [[0,3,3], [6,3,3], [6,3,8], [0,3,8]]]},
        "areas": [{"name": "door", "polygons": [3], "available": false}]}"#;
    let mut ground = Surface::new(&crate::room::parse("loft.json", text.as_bytes()).unwrap().room).unwrap();
    let (below, above) = (place(5.5, 0.0, 6.0), place(2.0, 3.0, 6.0));
    let up = Query::new(below, above);
    let stopped = path(&ground, &up);
    let end = stopped.waypoints.last().copied().unwrap();
    assert_eq!((stopped.outcome, ground.height_m(end), end.at), (Outcome::Partial, 3.0, dvec2(12.0, 6.0)));
    let why = explanation(&ground, &up);
    assert_eq!((why.blocked_by(), why.nearest.map(|at| at.at)), (vec!["door"], Some(end.at)));
    // Who is upstairs stays there, too.
    let stays = path(&ground, &Query::new(place(13.0, 3.0, 6.0), above));
    assert_eq!(stays.waypoints.last().copied(), Some(end));
    ground.set_area_available(crate::nav::AreaId(0), true);
    assert_eq!(path(&ground, &up).outcome, Outcome::Complete);
}

/// Answers about a storey stay on it.
#[test]
fn answers_lie_on_the_storey_that_was_asked_about() {
    let ground = ground(Kind::Mesh, &house(&[]));
    let [hall, loft] = ["hall", "loft@3"].map(|name| ground.area_named(name).unwrap());
    let (below, above) = (ground.locate(place(6.0, 0.0, 2.0)), ground.locate(place(6.0, LOFT_M, 2.0)));
    for (from, other) in [(below, above), (above, below)] {
        let height_m = ground.height_m(from);
        let heights = |path: &[Position]| path.iter().all(|&at| ground.height_m(at) == height_m);
        let accept = |at: Position| at.distance(from) > 1.0;
        let way = ground.find_nearest(from, &[], 5.0, &mut SearchMemory::default(), accept).unwrap();
        assert!(!way.is_empty() && heights(&way), "{way:?}");
        let threat = Threat { at: other, distance_m: 1.0 };
        assert!(heights(&[ground.find_refuge(from, threat, 1_000).unwrap().at]));
        let anchor = ground.anchor(from, 0.1).unwrap();
        let flood = ground.flood(&anchor, None, u64::MAX);
        let query = Query::new(ground.place_of(from), ground.place_of(other));
        assert!(heights(&flood.stops_near(&ground, &anchor, &query)));
        let mut numbers = (0..).map(|i| f64::from(i) * 0.37 % 1.0);
        for _ in 0..20 {
            let region = Region { reachable_from: Some(anchor), ..Region::default() };
            let (drawn, _) = ground.random_place(&region, 1_000, || numbers.next().unwrap()).unwrap();
            assert!(heights(&[drawn.unwrap()]));
        }
    }
    for (area, height_m) in [(hall, 0.0), (loft, LOFT_M)] {
        let middle = ground.area_middle(area);
        let nearest = ground.nearest_in_area(area, below, None).0.unwrap();
        assert_eq!([middle, nearest].map(|at| ground.height_m(at)), [height_m; 2]);
    }
    let edge = ground.locate(place(3.0, 0.0, 2.0));
    assert_eq!(ground.enters_area(loft, edge, &[below]), None, "it goes below the loft");
    assert!(ground.enters_area(hall, edge, &[below]).is_some());
}

#[test]
fn a_target_on_another_storey_is_another_target() {
    let mut world = world(&[("ann", place(4.5, 0.0, 2.0))]);
    let ann = id(&world, "ann");
    let mut go = |y| world.apply(Command::SetTarget { who: ann, to: place(7.5, y, 2.0) }).unwrap();
    let (below, again, above) = (go(0.0), go(0.0), go(LOFT_M));
    assert_eq!(below, again);
    assert_ne!(below, above);
}

#[test]
fn characters_above_each_other_neither_push_nor_meet_nor_see_each_other() {
    let mut world = world(&[
        ("ann", place(6.0, 0.0, 2.0)),
        ("bob", place(6.0, LOFT_M, 2.0)),
        ("cid", place(6.1, LOFT_M, 2.0)),
    ]);
    let ann = someone(&world, "ann").position;
    for _ in 0..60 {
        world.tick();
    }
    assert_eq!(someone(&world, "ann").position, ann, "nobody on her floor pushes her");
    let apart = someone(&world, "bob").position.distance(someone(&world, "cid").position);
    assert!(apart > 0.59, "those on one floor part: {apart}");
    let sees = |from: &str, to: &str| {
        let [from, to] = [from, to].map(|name| world.body_of(id(&world, name)).unwrap());
        world.look(&View { from, to, cone: None, range_m: 100.0 })
    };
    assert_eq!(sees("bob", "cid"), Ok(()));
    assert_eq!(sees("ann", "bob"), Err(Unseen::OtherStorey));
    let (ann, bob) = (id(&world, "ann"), id(&world, "bob"));
    world.apply(Command::TalkTo { who: ann, other: bob }).unwrap();
    for _ in 0..300 {
        world.tick();
    }
    let events = world.take_events();
    assert!(!events.iter().any(|event| matches!(event.kind, EventKind::Talked { .. })), "{events:?}");
    let ends = events.iter().filter_map(|event| match &event.kind {
        EventKind::WalkEnded { end, .. } => Some(end),
        _ => None,
    });
    assert_eq!(ends.collect::<Vec<_>>(), [&WalkEnd::Partial]);
}

#[test]
fn a_jam_holds_and_delays_those_on_its_storey() {
    let mut world = world(&[
        ("ann", place(6.1, LOFT_M, 2.0)),
        ("bob", place(6.8, LOFT_M, 2.0)),
        ("cid", place(6.5, 0.0, 2.5)),
    ]);
    for name in ["ann", "bob", "cid"] {
        let who = id(&world, name);
        let height_m = if name == "cid" { 0.0 } else { LOFT_M };
        world.apply(Command::SetTarget { who, to: place(7.5, height_m, 3.5) }).unwrap();
    }
    world.tick();
    let mut people = world.characters().to_vec();
    people.iter_mut().for_each(|one| one.walk.as_mut().unwrap().progress.idle_ticks = 100);
    let rows: Vec<AgentRow> = people.iter().map(AgentRow::of).collect();
    let ground = ground(Kind::Mesh, world.room());
    let mut jams = Jams::default();
    jams.look(&people, &rows, &ground, &world.pace(), 1);
    let delay_s = |from: f64, height_m: f64| {
        let line = [(from, 2.0), (7.9, 2.0)].map(|(x, z)| ground.locate(place(x, height_m, z)));
        jams.delay_s(line, &ground)
    };
    assert_eq!(delay_s(1.0, 0.0), 0.0, "one person below is no jam, and that above is none for the hall");
    assert!(delay_s(4.2, LOFT_M) > 0.0);
    // Only who stands in a jam, or wants to stand in it, does not go round it.
    let avoided = |from: Place, to: Place| jams.discs(from, to, &ground).len();
    let (under, inside) = (place(6.5, 0.0, 2.0), place(6.5, LOFT_M, 2.0));
    let (below, above) = (place(1.0, 0.0, 2.0), place(4.2, LOFT_M, 2.0));
    assert_eq!([avoided(under, above), avoided(above, under)], [1, 1], "straight below it is not in it");
    assert_eq!([avoided(inside, below), avoided(above, inside)], [0, 0]);
}

#[test]
fn clicks_and_hotspots_are_on_a_storey() {
    let world = world(&[("ann", place(6.0, 0.0, 2.0)), ("bob", place(6.0, LOFT_M, 2.0))]);
    assert_eq!(world.character_at(place(6.0, 0.0, 2.0)), Some(id(&world, "ann")));
    assert_eq!(world.character_at(dvec2(6.0, 2.0)), Some(id(&world, "bob")), "what is seen from above");
    let hotspot = |place: Place| world.hotspot_at(place).map(|hotspot| hotspot.name.as_str());
    assert_eq!(hotspot(Place::new(7.5, 1.5)), Some("window"), "what is seen from above");
    assert_eq!(hotspot(place(7.5, LOFT_M, 1.5)), Some("window"));
    assert_eq!(hotspot(place(7.5, 0.0, 1.5)), Some("oven"), "the window is used from the loft");
    for name in ["window", "oven"] {
        assert_eq!(world.place_to_click(name).and_then(hotspot), Some(name));
    }
}

#[test]
fn floors_survive_a_save_a_reload_and_a_teleport() {
    let mut one = world(&[("ann", place(6.0, 0.0, 2.0)), ("bob", place(7.0, LOFT_M, 2.0))]);
    let (ann, bob) = (id(&one, "ann"), id(&one, "bob"));
    one.apply(Command::Teleport { who: ann, to: place(5.0, LOFT_M, 1.0) }).unwrap();
    one.apply(Command::SetTarget { who: ann, to: place(7.0, LOFT_M, 3.0) }).unwrap();
    one.apply(Command::SetTarget { who: bob, to: place(5.0, LOFT_M, 3.0) }).unwrap();
    (0..30).for_each(|_| one.tick());
    let state = serde_json::from_str(&serde_json::to_string(&one.state()).unwrap()).unwrap();
    let ground = ground(Kind::Mesh, one.room());
    let mut other = World::restore_over(ground, one.room().clone(), &state).unwrap();
    for _ in 0..200 {
        one.tick();
        other.tick();
        assert_eq!(one.checksum(), other.checksum());
    }
    assert_eq!(one.ground().height_m(someone(&one, "ann").position), LOFT_M);
    // The loft has another number in the changed room.
    let mut room = one.room().clone();
    room.areas.insert(0, area("porch", dvec2(-2.0, 0.0), dvec2(0.0, 4.0)));
    give_polygons(&mut room);
    let before = one.characters().iter().map(|c| one.ground().place_of(c.position)).collect::<Vec<_>>();
    one.apply_checked(Command::ReplaceRoom(Box::new(room))).unwrap();
    let height = |ground: &Surface, who: &Character| ground.place_of(who.position);
    let after = one.characters().iter().map(|c| height(one.ground(), c)).collect::<Vec<_>>();
    assert_eq!(before, after);
    assert_eq!(one.ground().locate(place(6.0, LOFT_M, 2.0)).floor.0, 2);
}
