//! Goals off the ground, in the obstacles of a house: a walk ends on the side of the wall from which its goal is seen.
//! Checked against places that are looked at one by one, for houses of random walls and counters.

use crate::common::in_sweeps;
use crate::common::painted::{painted, png_of};
use crate::right_of_way::{numbers, rectangle};
use cicerone::nav::{Outcome, Place};
use cicerone::room::parse;
use cicerone::world::World;
use glam::{DVec2, dvec2};
use serde_json::{Value, json};

/// A kitchen with a counter at its far wall, a study behind that wall, and a door between them at the right.
struct House {
    wall_m: f64,
    /// Along the wall, and how deep it is.
    counter: ([f64; 2], f64),
}

const KITCHEN_M: f64 = 5.0;
const WIDTH_M: f64 = 12.0;

impl House {
    fn of(seed: u64) -> (Self, impl FnMut() -> f64) {
        let mut number = numbers(seed);
        let from_m = 0.5 + 2.0 * number();
        let counter = ([from_m, from_m + 1.0 + 5.0 * number()], 0.6 + 2.0 * number());
        (Self { wall_m: 0.1 + 0.3 * number(), counter }, number)
    }

    fn counter(&self) -> [[f64; 2]; 2] {
        let ([left, right], depth_m) = self.counter;
        [[left, KITCHEN_M - depth_m], [right, KITCHEN_M]]
    }

    /// A room whose counter is an obstacle, or cut out of the kitchen.
    fn room(&self, ground: &str, is_cut_out: bool) -> Value {
        let [[left, near], [right, far]] = self.counter();
        let begin = KITCHEN_M + self.wall_m;
        let kitchen = [
            [0.0, 0.0],
            [WIDTH_M, 0.0],
            [WIDTH_M, far],
            [right, far],
            [right, near],
            [left, near],
            [left, far],
            [0.0, far],
        ];
        let mut kitchen = json!({ "name": "kitchen", "polygon": kitchen });
        if !is_cut_out {
            kitchen = rectangle("kitchen", [0.0, 0.0], [WIDTH_M, KITCHEN_M]);
        }
        let areas = [
            kitchen,
            rectangle("study", [0.0, begin], [WIDTH_M, begin + 4.0]),
            rectangle("door", [10.5, 4.5], [WIDTH_M, begin + 0.5]),
        ];
        let mut room =
            json!({ "agentRadius": 0.3, "objectPadding": 0.0, "boundaryPadding": 0.3, "areas": areas });
        if !is_cut_out {
            room["obstacles"] = json!([rectangle("counter", [left, near], [right, far])]);
        }
        match ground {
            "mesh" => room["ground"] = "mesh".into(),
            "any-angle" => (room["planner"], room["cellSize"]) = ("any-angle".into(), 0.1.into()),
            _ => room["cellSize"] = ground.parse::<f64>().unwrap().into(),
        }
        room
    }

    /// The same house with its counter in the black of a mask, ten pixels a metre.
    fn painted(&self) -> World {
        let [[left, near], [right, far]] = self.counter();
        let is_in = |x: f64, z: f64, min: [f64; 2], max: [f64; 2]| {
            (min[0]..max[0]).contains(&x) && (min[1]..max[1]).contains(&z)
        };
        let begin = KITCHEN_M + self.wall_m;
        let is_floor = |x: f64, z: f64| {
            let room = is_in(x, z, [0.0, 0.0], [WIDTH_M, KITCHEN_M])
                || is_in(x, z, [0.0, begin], [WIDTH_M, begin + 4.0])
                || is_in(x, z, [10.5, 4.5], [WIDTH_M, begin + 0.5]);
            room && !is_in(x, z, [left, near], [right, far])
        };
        let png = png_of(120, 95, |x, z| {
            let is_floor = is_floor(f64::from(x) / 10.0 + 0.05, f64::from(z) / 10.0 + 0.05);
            if is_floor { [0, 0, 255] } else { [0; 3] }
        });
        let room = painted(&png, "");
        let text =
            room.to_json().unwrap().to_string().replace("\"pixelsPerMetre\":1.0", "\"pixelsPerMetre\":10.0");
        let read: cicerone::room::ReadFile<'_> = &|_| Ok(png.clone());
        let room = cicerone::room::parse_with("rooms/house.json", text.as_bytes(), None, read).unwrap().room;
        World::new(room, 1).unwrap()
    }

    /// A place on the counter.
    fn on_the_counter(&self, number: &mut impl FnMut() -> f64) -> DVec2 {
        let [[left, near], [right, far]] = self.counter();
        dvec2(left + (right - left) * number(), near + (far - near) * number())
    }
}

fn world_of(room: &Value) -> World {
    World::new(parse("rooms/house.json", room.to_string().as_bytes()).unwrap().room, 1).unwrap()
}

/// How far the nearest place of the kitchen is from a goal, among all the places of a fine raster.
fn nearest_in_the_kitchen_m(world: &World, goal: DVec2) -> f64 {
    const STEP_M: f64 = 0.05;
    let places = (0..240).flat_map(|x| (0..100).map(move |z| dvec2(f64::from(x), f64::from(z)) * STEP_M));
    let free = places.filter(|place| world.ground().is_walkable(*place));
    free.map(|place| place.distance(goal)).fold(f64::INFINITY, f64::min)
}

#[test]
fn a_click_on_a_counter_leads_to_its_own_side_of_the_wall() {
    let (mut goals, mut behind) = (0, 0);
    for seed in 1..=in_sweeps(200, 12) {
        let (house, mut number) = House::of(seed);
        for ground in ["0.05", "0.1", "any-angle", "mesh"] {
            let world = world_of(&house.room(ground, false));
            for _ in 0..5 {
                let goal = house.on_the_counter(&mut number);
                let told = format!("{ground}, seed {seed}, {goal}");
                let wanted_m = nearest_in_the_kitchen_m(&world, goal);
                let nearest = world.ground().nearest(goal, 8.0).unwrap();
                goals += 1;
                behind += u32::from(nearest.at.y > KITCHEN_M);
                for from in [dvec2(8.0, 1.0), dvec2(3.0, KITCHEN_M + house.wall_m + 2.0)] {
                    let path = world.find_path(from, goal);
                    assert_eq!((path.outcome, path.to.at), (Outcome::Complete, goal), "{told}");
                    let end = path.snapped_to.unwrap_or_else(|| panic!("{told}: not moved")).at;
                    assert!(end.y < KITCHEN_M, "{told}: behind the wall, at {end}");
                    assert!(
                        (end.distance(goal) - wanted_m).abs() < 0.11,
                        "{told}: {end}, {wanted_m:.2} m wanted"
                    );
                    assert!((path.missed_by_m - end.distance(goal)).abs() < 1e-9, "{told}");
                }
            }
        }
    }
    assert!(behind * 5 > goals, "only {behind} of {goals} goals were nearer to the study");
}

/// A counter that is only left out of the ground may belong to either room: the way decides.
#[test]
fn a_goal_off_all_ground_is_gone_to_by_the_shorter_way() {
    let house = House { wall_m: 0.2, counter: ([1.0, 7.0], 1.2) };
    let worlds = [
        ("0.1", world_of(&house.room("0.1", true))),
        ("mesh", world_of(&house.room("mesh", true))),
        ("painted", house.painted()),
    ];
    for (ground, world) in worlds {
        let goal = dvec2(4.0, 4.7);
        for (from, is_kitchen) in [(dvec2(4.0, 2.0), true), (dvec2(4.0, 8.0), false)] {
            let path = world.find_path(from, goal);
            let end = path.snapped_to.unwrap().at;
            assert_eq!(path.outcome, Outcome::Complete, "{ground}");
            assert_eq!(end.y < KITCHEN_M, is_kitchen, "{ground} from {from}: {end}");
            assert!(path.length_m < 3.0, "{ground} from {from}: {:.2} m", path.length_m);
        }
    }
}

/// A counter so deep that the kitchen is out of reach: only the study is near enough.
#[test]
fn a_query_says_on_which_side_its_goal_may_end() {
    let house = House { wall_m: 0.2, counter: ([1.0, 7.0], 2.5) };
    for ground in ["0.1", "mesh"] {
        let world = world_of(&house.room(ground, false));
        let (from, goal) = (dvec2(4.0, 1.0), dvec2(4.0, 4.9));
        let query = || world.plain_query(from, goal);
        let end = |snap_m: f64, same_side: Option<bool>| {
            let path = world.answer(world.snapped(query(), snap_m, same_side)?, u64::MAX).unwrap();
            assert_eq!(path.outcome, Outcome::Complete, "{ground}: {snap_m} m, {same_side:?}");
            Some(path.snapped_to.unwrap().at.y < KITCHEN_M)
        };
        assert_eq!(
            [Some(true), None, Some(false)].map(|same_side| end(1.0, same_side)),
            [None, Some(false), Some(false)]
        );
        assert_eq!(
            [Some(true), None, Some(false)].map(|same_side| end(8.0, same_side)),
            [Some(true), Some(true), Some(false)]
        );
        let reaches =
            |snap_m: f64, most: u64| world.can_reach(world.snapped(query(), snap_m, None).unwrap(), most).0;
        assert_eq!((reaches(0.0, 10_000), reaches(8.0, 10_000)), (Some(false), Some(true)), "{ground}");
        if ground != "mesh" {
            assert_eq!(
                reaches(8.0, 0),
                Some(true),
                "on cells, the pieces of ground are known without a search"
            );
        }
    }
}

/// A goal beside the edge of a loft is on the loft: the floor below it is no other side of a wall.
#[test]
fn a_goal_beside_a_loft_stays_upstairs() {
    let floor = |x_m: f64, y_m: f64| json!([[0, y_m, 0], [x_m, y_m, 0], [x_m, y_m, 10], [0, y_m, 10]]);
    let world = world_of(&json!({ "mesh": { "polygons": [floor(10.0, 0.0), floor(5.0, 3.0)] } }));
    let goal = Place { at: dvec2(5.2, 2.0), y_m: Some(3.0) };
    let from_the_hall = world.find_path(Place { at: dvec2(1.0, 2.0), y_m: Some(0.0) }, goal);
    assert_eq!(from_the_hall.outcome, Outcome::Partial, "there is no stair");
    let from_the_loft = world.find_path(Place { at: dvec2(1.0, 2.0), y_m: Some(3.0) }, goal);
    assert_eq!(from_the_loft.outcome, Outcome::Complete);
    assert!((from_the_loft.missed_by_m - 0.2).abs() < 0.01, "{}", from_the_loft.missed_by_m);
}
