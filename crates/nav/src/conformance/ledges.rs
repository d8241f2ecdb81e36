//! Portals between floors of different heights: down a ledge, and up and down a step.

use super::path;
use crate::draw::Picture;
use crate::nav::{Outcome, Place, Query};
use crate::room::{Avoidance, CharacterSpec, Room, parse};
use crate::surface::Surface;
use crate::world::{Command, Seen, Unseen, View, World};
use glam::dvec2;

/// A platform 2 m above the floor beside it, with a portal over a part of its edge. The floor goes round the platform's
/// end, where a ramp leads up to it, if there is one.
fn room(one_way: bool, ramp: &str) -> Room {
    let portals = |ramp: bool| match ramp {
        true => {
            r#", {"from": 1, "to": 2, "ends": [[4,0,-4],[4,0,0]]}, {"from": 2, "to": 0, "ends": [[0,2,0],[1,2,0]]}"#
        }
        false => "",
    };
    let text = format!(
        r#"{{"mesh": {{"polygons": [
            [[0,2,0], [4,2,0], [4,2,4], [0,2,4]],
            [[4,0,-4], [8,0,-4], [8,0,4], [4,0,4]]{ramp}],
            "portals": [{{"from": 0, "to": 1, "ends": [[4,2,1],[4,2,3]], "oneWay": {one_way}}}{}]}},
            "areas": [{{"name": "pool", "polygon": [[5,2],[9,2],[9,5],[5,5]], "y": [-1, 1]}}],
            "characters": [{{"name": "ann", "at": [1, 2, 3.5]}}]}}"#,
        portals(!ramp.is_empty())
    );
    parse("ledge.json", text.as_bytes()).unwrap_or_else(|report| panic!("{report}")).room
}

const RAMP: &str = ", [[0,2,0], [0,2,-4], [4,0,-4], [4,0,0], [1,2,0]]";

fn place(x: f64, y: f64, z: f64) -> Place {
    Place { at: dvec2(x, z), y_m: Some(y) }
}

#[test]
fn a_ledge_leads_down_and_not_up() {
    let (above, below) = (place(1.0, 2.0, 2.0), place(7.0, 0.0, 2.0));
    for one_way in [true, false] {
        let ground = Surface::new(&room(one_way, "")).unwrap();
        let ask = |from, to| path(&ground, &Query::new(from, to));
        let down = ask(above, below);
        assert_eq!((down.outcome, down.length_m), (Outcome::Complete, 6.0));
        assert_eq!(down.waypoints.last().map(|&at| ground.height_m(at)), Some(0.0));
        let up = ask(below, above);
        let expected = if one_way { Outcome::Partial } else { Outcome::Complete };
        assert_eq!(up.outcome, expected, "one way: {one_way}");
        // Each floor has its own height up to the ledge.
        for (x, y) in [(3.999, 2.0), (4.001, 0.0), (5.0, 0.0)] {
            for z in [0.5, 1.0, 2.0, 3.0, 3.9] {
                assert_eq!(ground.height_m(ground.locate(place(x, y, z))), y, "at {x}, {z}");
            }
        }
    }
}

#[test]
fn the_way_up_is_round_by_the_ramp() {
    let ground = Surface::new(&room(true, RAMP)).unwrap();
    let (above, below) = (place(3.9, 2.0, 3.9), place(4.1, 0.0, 3.9));
    let up = path(&ground, &Query::new(below, above));
    assert_eq!(up.outcome, Outcome::Complete, "{up:?}");
    let corner = dvec2(4.0, 0.0);
    assert!(up.waypoints.iter().any(|at| at.at.distance(corner) < 1e-6), "{up:?}");
    let down = path(&ground, &Query::new(above, below));
    assert!(down.outcome == Outcome::Complete && down.length_m < 2.0, "{down:?}");
    let ends = [dvec2(3.9, 3.9), dvec2(4.0, 3.0), dvec2(4.1, 3.9)];
    let expected = ends[0].distance(ends[1]) + ends[1].distance(ends[2]);
    assert!((down.length_m - expected).abs() < 1e-9, "{down:?}");
}

#[test]
fn a_walker_has_the_height_of_its_floor() {
    let mut world = World::new(room(true, ""), 1).unwrap();
    let who = world.character_named("ann").unwrap().id;
    let height = |world: &World| world.ground().height_m(world.character_named("ann").unwrap().position);
    world.apply(Command::SetTarget { who, to: place(7.0, 0.0, 3.0) }).unwrap();
    let mut seen = vec![height(&world)];
    for _ in 0..600 {
        world.tick();
        seen.push(height(&world));
    }
    seen.dedup();
    assert_eq!(seen, [2.0, 0.0], "down once, with nothing between");
    world.apply(Command::SetTarget { who, to: place(1.0, 2.0, 3.0) }).unwrap();
    (0..600).for_each(|_| world.tick());
    assert_eq!(height(&world), 0.0, "not up again");
    // The area lies on the lower floor.
    let pool = world.ground().area_named("pool").unwrap();
    assert!(world.ground().area_contains(pool, world.ground().locate(place(7.0, 0.0, 3.0))));
    assert!(Picture::of_world(&world).to_text(40).contains("one square"));
}

/// Ten walk to the brink of a ledge, and one more comes through them. Nobody is pushed down.
#[test]
fn pushes_lead_down_no_ledge() {
    let mut room = room(true, RAMP);
    room.crowd.avoidance = Avoidance::Push;
    for number in 0..10 {
        let at = place(0.5 + 0.3 * f64::from(number % 5), 2.0, 0.5 + f64::from(number / 5));
        let mut spec = CharacterSpec::at(at);
        (spec.name, spec.collision_radius_m) = (format!("c{number}"), 0.3);
        room.characters.push(spec);
    }
    let mut world = World::new(room, 1).unwrap();
    let ann = world.character_named("ann").unwrap().id;
    let crowd: Vec<_> =
        world.characters().iter().map(|character| character.id).filter(|&id| id != ann).collect();
    for &who in &crowd {
        world.apply(Command::SetTarget { who, to: place(3.9, 2.0, 2.0) }).unwrap();
    }
    let mut pushed = 0;
    for tick in 0..1800 {
        if tick % 300 == 299 {
            let z = if tick % 600 < 300 { 0.3 } else { 3.7 };
            world.apply(Command::SetTarget { who: ann, to: place(3.8, 2.0, z) }).unwrap();
        }
        world.tick();
        for &who in &crowd {
            let character = world.character(who).unwrap();
            assert_eq!(world.ground().height_m(character.position), 2.0, "tick {tick}: {}", character.name);
            pushed += usize::from(character.position.at.x > 3.95);
        }
    }
    assert!(pushed > 60, "the crowd reaches the brink");
    world.apply(Command::SetTarget { who: crowd[0], to: place(7.0, 0.0, 2.0) }).unwrap();
    (0..900).for_each(|_| world.tick());
    let jumper = world.character(crowd[0]).unwrap();
    assert_eq!(world.ground().height_m(jumper.position), 0.0, "a walk leads down");
}

/// The lower floor is two polygons, and the shortest way turns at the end of the ledge into the second one.
#[test]
fn a_path_turns_at_the_end_of_a_ledge() {
    let text = r#"{"mesh": {"polygons": [
            [[0,2,0], [4,2,0], [4,2,4], [0,2,4]], [[4,0,0], [8,0,0], [8,0,3], [4,0,3]],
            [[4,0,3], [8,0,3], [8,0,4], [4,0,4]]],
        "portals": [{"from": 0, "to": 1, "ends": [[4,2,1],[4,2,3]], "oneWay": true},
            {"from": 1, "to": 2, "ends": [[4,0,3],[8,0,3]]}]}}"#;
    let ground = Surface::new(&parse("ledge.json", text.as_bytes()).unwrap().room).unwrap();
    for (from, to, turn) in [((3.9, 3.9), (4.1, 3.9), (4.0, 3.0)), ((3.9, 0.1), (4.1, 0.1), (4.0, 1.0))] {
        let down = path(&ground, &Query::new(place(from.0, 2.0, from.1), place(to.0, 0.0, to.1)));
        let [from, to, turn] = [from, to, turn].map(|(x, z)| dvec2(x, z));
        assert_eq!(down.outcome, Outcome::Complete, "{from} to {to}");
        assert!((down.length_m - from.distance(turn) - turn.distance(to)).abs() < 1e-9, "{down:?}");
    }
}

/// What is seen from the brink of a ledge sees back, and what is a storey below is on another one.
#[test]
fn ledges_hide_nothing() {
    let low = |text: Room| {
        let polygons = text.mesh.as_deref().unwrap();
        let lower = |at: &glam::DVec3| glam::DVec3::new(at.x, at.y / 2.0, at.z);
        let vertices = polygons.vertices.iter().map(lower).collect();
        let mesh = crate::room::MeshPolygons::new(vertices, polygons.polygons.clone());
        Room { mesh: Some(std::sync::Arc::new(mesh)), ..text }
    };
    let world = World::new(low(room(true, "")), 1).unwrap();
    let at = |x: f64, y: f64| Seen { at: world.ground().locate(place(x, y, 2.0)), radius_m: 0.0 };
    let sees = |from: Seen, to: Seen| world.look(&View { from, to, cone: None, range_m: 99.0 });
    assert_eq!(sees(at(2.0, 1.0), at(6.0, 0.0)), Ok(()));
    assert_eq!(sees(at(6.0, 0.0), at(2.0, 1.0)), Ok(()));
    let world = World::new(room(true, ""), 1).unwrap();
    let at = |x: f64, y: f64| Seen { at: world.ground().locate(place(x, y, 2.0)), radius_m: 0.0 };
    for (from, to) in [(at(2.0, 2.0), at(6.0, 0.0)), (at(6.0, 0.0), at(2.0, 2.0))] {
        let seen = world.look(&View { from, to, cone: None, range_m: 99.0 });
        assert_eq!(seen, Err(Unseen::OtherStorey));
    }
}
