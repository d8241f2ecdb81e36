//! What is in the way: pictures of rooms, and what is said of them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod common;

use cicerone::path::{Explanation, Hindrance, NoPath, Outcome, Query, SearchMemory, explain_path, find_path};
use cicerone::room::{Obstacle, Room};
use cicerone::space::{Ground, Node, Overlay, Reach};
use common::{Cells, area, empty_room, picture};
use glam::{DVec2, dvec2};
use proptest::prelude::*;

/// What is said of the way from S to G in a room.
struct Explained {
    why: Explanation,
}

/// Explains a picture as [`picture`] reads it: `|` is a closed area, the first one called "door", the second "door2".
fn explain(map: &str) -> Explained {
    explain_room(picture(map))
}

fn explain_room(room: Room) -> Explained {
    Explained { why: ask(&room, room.points["S"], room.points["G"]) }
}

fn ask(room: &Room, from: DVec2, to: DVec2) -> Explanation {
    ask_within(room, from, to, u64::MAX).unwrap()
}

fn ask_within(room: &Room, from: DVec2, to: DVec2, most: u64) -> Option<Explanation> {
    explain_path(&Ground::new(room).unwrap(), &query(from, to), &mut SearchMemory::default(), most)
}

fn query(from: DVec2, to: DVec2) -> Query {
    Query { from, to, snap_m: 8.0, obstacles: Vec::new() }
}

impl Explained {
    fn blocked_by(self, names: &str) -> Self {
        let names: Vec<&str> = names.split_whitespace().collect();
        assert_eq!(self.why.blocked_by(), names, "{}", self.why);
        assert!(self.why.exact, "{}", self.why);
        self
    }

    fn nearest(self, x: f64, z: f64) -> Self {
        assert_eq!(self.why.nearest, Some(dvec2(x, z)), "{}", self.why);
        self
    }

    fn says(self, sentence: &str) -> Self {
        assert_eq!(self.why.to_string(), sentence);
        self
    }

    /// A gap of this width that must be of that.
    fn gap(self, gap_m: f64, needed_m: f64) -> Self {
        let (gap, needed) = (self.why.gap_m().unwrap(), self.why.needed_m().unwrap());
        assert!((gap - gap_m).abs() < 1e-9 && (needed - needed_m).abs() < 1e-9, "{}", self.why);
        self
    }
}

// ---- areas ----

#[test]
fn names_the_door_that_is_in_the_way() {
    explain("S . | . G")
        .blocked_by("door")
        .nearest(1.5, 0.5)
        .says("the area 'door' is closed; the nearest point that can be reached is (1.50, 0.50)");
}

#[test]
fn says_nothing_of_doors_that_are_not_needed() {
    let map = "S . . # . .
               . . . / . G
               . | . # | .";
    explain(map).blocked_by("").nearest(5.5, 1.5).says("nothing is in the way");
}

#[test]
fn two_doors_in_a_row_are_both_named() {
    explain("S | . | G").blocked_by("door door2").nearest(0.5, 0.5).says(
        "the areas 'door' and 'door2' are closed; the nearest point that can be reached is (0.50, 0.50)",
    );
}

#[test]
fn of_two_ways_the_one_with_fewer_doors_is_named() {
    explain(
        "S . | . | . G
         . # # # # # .
         . . . | . . .",
    )
    .blocked_by("door3");
}

#[test]
fn of_ways_with_as_many_doors_the_first_in_the_file_is_named() {
    explain(
        "S . | . | . G
         . # # # # # .
         . . | . | . .",
    )
    .blocked_by("door door2");
    explain(
        "S . | . G
         . # # # .
         . . | . .",
    )
    .blocked_by("door");
}

#[test]
fn a_goal_in_a_closed_area_is_in_that_area() {
    let mut room = picture("S . . | .");
    room.points.insert("G".into(), dvec2(3.5, 0.5));
    assert_eq!(
        find_path(
            &Ground::new(&room).unwrap(),
            query(room.points["S"], room.points["G"]),
            &mut SearchMemory::default()
        )
        .outcome,
        Outcome::Complete,
        "snapped"
    );
    explain_room(room).blocked_by("door").nearest(2.5, 0.5);
}

#[test]
fn of_areas_that_overlap_one_is_enough() {
    let mut room = picture("S . | . G");
    room.areas.push(area("trapdoor", room.areas.last().unwrap().polygon.clone(), false));
    explain_room(room.clone()).blocked_by("door");
    room.areas.swap_remove(room.areas.len() - 2);
    explain_room(room).blocked_by("trapdoor");
}

#[test]
fn a_goal_in_the_wall_is_as_good_as_the_place_beside_it() {
    let mut room = picture(
        "S . . | .
         # # # # #",
    );
    room.points.insert("G".into(), dvec2(2.5, 1.5));
    explain_room(room).blocked_by("").nearest(2.5, 0.5);
}

#[test]
fn with_padding_a_door_must_open_too() {
    let mut room = hall(&[]);
    room.ground.boundary_padding_m = 0.2;
    room.areas = vec![
        area("left", rect(0.0, 0.0, 4.0, 4.0), true),
        area("door", rect(4.0, 1.0, 4.5, 2.5), false),
        area("sill", rect(4.5, 1.0, 5.0, 2.5), false),
        area("right", rect(5.0, 0.0, 9.0, 4.0), true),
    ];
    room.points.insert("G".into(), dvec2(8.0, 1.5));
    explain_room(room).blocked_by("door sill");
}

#[test]
fn no_area_leads_there() {
    let apart = explain("S . # . G").blocked_by("").nearest(1.5, 0.5);
    assert_eq!(apart.why.hindrances, [Hindrance::NoGround(NoPath::Unreachable)]);
    assert!(!apart.why.is_complete());
    let corner = explain(
        "S # G
         # . .",
    );
    corner
        .blocked_by("")
        .says("no area leads there, open or closed; the nearest point that can be reached is (0.50, 0.50)");
    let room = picture("S . .");
    let far = ask(&room, dvec2(0.5, 0.5), dvec2(300.0, 0.5));
    assert_eq!(far.hindrances, [Hindrance::NoGround(NoPath::GoalOffGround)]);
    assert_eq!(far.nearest, Some(dvec2(2.5, 0.5)));
    let lost = ask(&room, dvec2(300.0, 0.5), dvec2(0.5, 0.5));
    assert_eq!((lost.nearest, lost.hindrances), (None, vec![Hindrance::NoGround(NoPath::StartOffGround)]));
}

// ---- obstacles and widths ----

fn rect(x0: f64, z0: f64, x1: f64, z1: f64) -> Vec<DVec2> {
    vec![dvec2(x0, z0), dvec2(x1, z0), dvec2(x1, z1), dvec2(x0, z1)]
}

/// A hall of 9 m by 4 m with obstacles; from its left to its right.
fn hall(obstacles: &[(&str, Vec<DVec2>)]) -> Room {
    let mut room = empty_room();
    room.ground.cell_size_m = 0.1;
    room.areas.push(area("hall", rect(0.0, 0.0, 9.0, 4.0), true));
    room.points.insert("S".into(), dvec2(1.0, 2.0));
    room.points.insert("G".into(), dvec2(8.0, 2.0));
    for (name, polygon) in obstacles {
        room.obstacles.push(Obstacle { name: (*name).into(), polygon: polygon.clone() });
    }
    room
}

#[test]
fn a_gap_between_two_obstacles_is_measured() {
    let gap = |m: f64| hall(&[("crate", rect(4.0, 0.0, 5.0, 1.0)), ("shelf", rect(4.0, 1.0 + m, 5.0, 4.0))]);
    explain_room(gap(0.9)).blocked_by("crate shelf").gap(0.9, 1.5).says(
        "the gap between 'crate' and 'shelf' is 0.90 m wide and must be 1.50 m; the nearest point that can be reached is (3.45, 1.45)",
    );
    explain_room(gap(1.5)).blocked_by("");
}

#[test]
fn a_gap_between_an_obstacle_and_a_wall_names_the_obstacle() {
    let gap = |m: f64| hall(&[("crate", rect(4.0, m, 5.0, 4.0))]);
    let found = explain_room(gap(0.5)).blocked_by("crate").gap(0.5, 0.8);
    assert!(
        found.why.to_string().starts_with("the gap between 'crate' and the edge of 'hall' is 0.50 m wide")
    );
    explain_room(gap(0.8)).blocked_by("");
}

#[test]
fn a_doorway_that_is_too_narrow_for_the_padding_is_named() {
    let doorway = |m: f64| {
        let mut room = hall(&[]);
        room.ground.boundary_padding_m = 0.5;
        room.areas = vec![
            area("left", rect(0.0, 0.0, 4.0, 4.0), true),
            area("doorway", rect(4.0, 1.0, 5.0, 1.0 + m), true),
            area("right", rect(5.0, 0.0, 9.0, 4.0), true),
        ];
        room
    };
    let found = explain_room(doorway(0.8)).blocked_by("doorway").gap(0.8, 1.1);
    assert!(found.why.to_string().starts_with("the area 'doorway' is 0.80 m wide and must be 1.10 m"));
    explain_room(doorway(1.1)).blocked_by("");
}

#[test]
fn what_plugs_the_way_is_named() {
    let room = hall(&[("chair", rect(2.0, 1.0, 2.3, 1.3)), ("wardrobe", rect(4.0, -1.0, 5.0, 5.0))]);
    let found = explain_room(room).blocked_by("wardrobe");
    assert_eq!((found.why.gap_m(), found.why.needed_m()), (None, None));
    assert!(found.why.to_string().starts_with("the obstacle 'wardrobe' stands in the way; the nearest"));
}

#[test]
fn the_fewest_obstacles_are_named() {
    let mut room = hall(&[
        ("box", rect(4.0, -1.0, 5.0, 2.0)),
        ("chest", rect(6.0, -1.0, 7.0, 2.0)),
        ("wardrobe", rect(4.0, 2.0, 7.0, 5.0)),
    ]);
    explain_room(room.clone()).blocked_by("wardrobe");
    room.obstacles.push(Obstacle { name: "bed".into(), polygon: rect(5.0, 2.0, 6.0, 5.0) });
    explain_room(room).blocked_by("box chest");
}

#[test]
fn a_door_and_a_gap_are_both_named() {
    let mut room = hall(&[("crate", rect(6.0, 0.6, 7.0, 4.0))]);
    room.areas = vec![
        area("left", rect(0.0, 0.0, 4.0, 4.0), true),
        area("door", rect(4.0, 1.0, 4.5, 2.5), false),
        area("right", rect(4.5, 0.0, 9.0, 4.0), true),
    ];
    explain_room(room.clone()).blocked_by("door crate").gap(0.6, 0.8);
    room.obstacles[0].polygon = rect(6.0, -1.0, 7.0, 5.0);
    let found = explain_room(room).blocked_by("door crate");
    assert!(found.why.to_string().starts_with("the area 'door' is closed, and the obstacle 'crate' stands"));
}

#[test]
fn a_goal_in_or_near_an_obstacle_names_it() {
    let mut room = hall(&[("table", rect(6.0, 1.0, 8.0, 3.0))]);
    room.points.insert("G".into(), dvec2(6.2, 2.0));
    let found = explain_room(room.clone()).blocked_by("table");
    assert!(found.why.to_string().starts_with("the goal lies inside 'table'; the nearest"), "{}", found.why);
    room.points.insert("G".into(), dvec2(5.75, 2.05));
    explain_room(room.clone()).blocked_by("table").gap(0.25, 0.7);
    room.areas.push(area("hatch", rect(9.0, 0.0, 12.0, 4.0), false));
    room.points.insert("G".into(), dvec2(11.0, 1.0));
    room.obstacles[0].polygon = rect(10.5, 0.5, 11.5, 1.5);
    explain_room(room).blocked_by("hatch table");
}

#[test]
fn a_goal_too_near_to_the_edge_names_the_area() {
    let mut room = hall(&[]);
    room.ground.boundary_padding_m = 0.5;
    room.points.insert("G".into(), dvec2(8.75, 2.0));
    let found = explain_room(room).blocked_by("hall").gap(0.25, 0.5);
    assert!(
        found.why.to_string().starts_with("the goal is 0.25 m from the edge of 'hall' and must be 0.50 m")
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..common::thousand() })]

    /// Widened to what is said to be needed, the gap lets through; narrower than the clearance of both sides, it does not.
    #[test]
    fn the_width_that_is_needed_is_enough(
        gap_m in 0.45f64..1.3,
        angle in 0.0f64..0.7,
        cell in prop::sample::select(vec![0.1, 0.15, 0.25, 0.4]),
        shift in 0.0f64..0.4,
    ) {
        let (sin, cos) = libm::sincos(angle);
        let (along, across) = (dvec2(cos, sin), dvec2(-sin, cos));
        let block = |from: f64, to: f64| {
            let middle = dvec2(5.0 + shift, 5.0 + shift);
            [(-0.7, from), (0.7, from), (0.7, to), (-0.7, to)].map(|(a, b)| middle + along * a + across * b).to_vec()
        };
        let room_of = |gap: f64| {
            let mut room = hall(&[("low", block(-20.0, 0.0)), ("high", block(gap, 20.0))]);
            room.areas[0].polygon = rect(0.0, 0.0, 11.0, 11.0);
            room.points.insert("S".into(), dvec2(1.0, 5.0));
            room.points.insert("G".into(), dvec2(10.0, 5.5));
            room.ground.cell_size_m = cell;
            room
        };
        let found = explain_room(room_of(gap_m));
        if found.why.gap_m().is_none() {
            // So narrow that no cell's centre lies in it.
            prop_assert!(gap_m < 1.5 * cell, "{}", found.why);
            return Ok(());
        }
        prop_assert_eq!(found.why.blocked_by(), ["low", "high"]);
        prop_assert!((found.why.gap_m().unwrap() - gap_m).abs() < 1e-6, "{} is {}", gap_m, found.why);
        let needed = found.why.needed_m().unwrap();
        prop_assert!(explain_room(room_of(needed + 1e-6)).why.is_complete(), "{} m are not enough", needed);
        prop_assert!(!explain_room(room_of(1.39)).why.is_complete());
    }
}

// ---- rooms that are grids, bounds ----

#[test]
fn a_grid_has_no_names_and_a_nearest_point() {
    let map = "type octile\nheight 3\nwidth 5\nmap\n..@..\n..@..\n..@..\n";
    let room = cicerone::room::parse("hall.map", map.as_bytes()).unwrap().room;
    let why = ask(&room, dvec2(0.5, 0.5), dvec2(4.5, 1.5));
    assert_eq!((why.blocked_by(), why.exact), (vec![], true));
    assert_eq!(why.nearest, Some(dvec2(1.5, 1.5)));
    assert_eq!(why.hindrances, [Hindrance::NoGround(NoPath::Unreachable)]);
}

#[test]
fn too_little_work_is_no_answer_and_a_little_more_an_honest_one() {
    let room = doors_in_a_row(17);
    let (from, to) = (room.points["S"], room.points["G"]);
    let whole = ask(&room, from, to);
    assert_eq!(ask_within(&room, from, to, 3), None);
    let mut inexact = 0;
    for most in (0..whole.work).step_by(7) {
        let Some(why) = ask_within(&room, from, to, most) else { continue };
        assert!(why.work <= most);
        assert_eq!(why.blocked_by().len(), 17, "all are needed");
        inexact += u32::from(!why.exact);
    }
    assert!(inexact > 0);
}

/// A corridor with so many closed doors.
fn doors_in_a_row(count: usize) -> Room {
    let row: String = (0..count).map(|_| "| . ").collect();
    picture(&format!("S {row} G"))
}

#[test]
fn sixteen_doors_are_exact_and_seventeen_are_not() {
    for count in [16, 17] {
        let why = explain_room(doors_in_a_row(count)).why;
        assert_eq!((why.blocked_by().len(), why.exact), (count, count == 16), "{why}");
    }
    let map =
        format!("S . {} . G\n. # {} # .\n. . . {} . .", "| ".repeat(20), "# ".repeat(20), ". ".repeat(20));
    let mut room = picture(&map.replacen(". . .", ". | .", 3));
    let found = explain_room(room.clone());
    assert!(!found.why.exact && found.why.to_string().contains("(fewer might do)"), "{}", found.why);
    open_all(&mut room, &found.why);
    explain_room(room).blocked_by("");
}

fn open_all(room: &mut Room, why: &Explanation) {
    let open: Vec<&str> = why.blocked_by();
    room.areas
        .iter_mut()
        .filter(|area| open.contains(&area.name.as_str()))
        .for_each(|area| area.available = true);
}

#[test]
fn a_huge_room_is_answered_or_given_up() {
    let mut room = hall(&[]);
    room.areas = vec![
        area("west", rect(0.0, 0.0, 349.0, 700.0), true),
        area("east", rect(350.0, 0.0, 700.0, 700.0), true),
    ];
    for door in 0..12 {
        let z = f64::from(door) * 50.0;
        room.areas.push(area(&format!("door{door}"), rect(349.0, z, 350.0, z + 3.0), false));
    }
    for pillar in 0..100 {
        let at = dvec2(f64::from(pillar % 10), f64::from(pillar / 10)) * 70.0 + 20.0;
        room.obstacles.push(Obstacle {
            name: format!("pillar{pillar}"),
            polygon: rect(at.x, at.y, at.x + 9.0, at.y + 9.0),
        });
    }
    room.points.insert("G".into(), dvec2(690.0, 3.0));
    let found = explain_room(room.clone()).blocked_by("door0");
    assert!(found.why.work < 5_000_000, "{}", found.why.work);
    room.obstacles.push(Obstacle { name: "wall".into(), polygon: rect(500.0, -1.0, 501.0, 699.5) });
    explain_room(room).blocked_by("door0 wall");
}

// ---- every set of doors, tried ----

/// Three by three chambers with walls between them, up to eight closed doors in the walls, two of them sometimes on one gap, and
/// a few open ones; sometimes with padding, and with an obstacle.
fn any_house() -> impl Strategy<Value = Room> {
    let wall = (0..3usize, 0..2usize, any::<bool>(), 0..4u8);
    let doors = prop::collection::vec(wall, 8..16);
    let table = (0.0f64..11.0, 0.0f64..11.0, 0.2f64..3.0);
    let padding = prop::sample::select(vec![0.0, 0.0, 0.15]);
    (doors, padding, prop::option::of(table), any::<bool>()).prop_map(|(doors, padding, table, long)| {
        let mut room = empty_room();
        room.ground.cell_size_m = 0.25;
        room.ground.agent_radius_m = 0.2;
        room.ground.object_padding_m = 0.0;
        room.ground.boundary_padding_m = padding;
        for (x, z) in (0..3).flat_map(|x| (0..3).map(move |z| (f64::from(x) * 4.0, f64::from(z) * 4.0))) {
            room.areas.push(area(&format!("chamber {x} {z}"), rect(x, z, x + 3.0, z + 3.0), true));
        }
        let mut closed = 0;
        for (number, (row, gap, upright, kind)) in doors.into_iter().enumerate() {
            let (along, across) = (row as f64 * 4.0, gap as f64 * 4.0 + 3.0);
            // Half of a gap, the other half, all of it, or the gaps of two walls at once.
            let (from, to) =
                [(0.5, 1.5), (1.0, 2.5), (0.5, 2.5), (0.5, if long { 6.5 } else { 2.5 })][usize::from(kind)];
            let (a, b) = (along + from, along + to);
            let polygon =
                if upright { rect(a, across, b, across + 1.0) } else { rect(across, a, across + 1.0, b) };
            let available = closed == 8 || number % 4 == 3;
            closed += u32::from(!available);
            room.areas.insert(number % 5, area(&format!("door{number}"), polygon, available));
        }
        if let Some((x, z, size)) = table {
            room.obstacles.push(Obstacle { name: "table".into(), polygon: rect(x, z, x + size, z + size) });
        }
        room
    })
}

fn place() -> impl Strategy<Value = DVec2> {
    (0..3, 0..3, 0.3f64..2.7, 0.3f64..2.7)
        .prop_map(|(x, z, right, down)| dvec2(f64::from(x) * 4.0 + right, f64::from(z) * 4.0 + down))
}

/// Whether S joins G with these areas open besides, by an oracle that knows cells only.
fn joined(room: &Room, open: &[usize], from: DVec2, to: DVec2) -> bool {
    let mut room = room.clone();
    open.iter().for_each(|&area| room.areas[area].available = true);
    let cells = Cells::of(&Ground::new(&room).unwrap());
    let walkable = |p: DVec2| cells.index_of(p).filter(|&index| cells.walkable[index]);
    walkable(from).zip(walkable(to)).is_some_and(|(a, b)| cells.all_costs(a)[b].is_finite())
}

/// All choices of so many out of a list, in order.
fn choices(from: &[usize], size: usize) -> Vec<Vec<usize>> {
    if size == 0 {
        return vec![Vec::new()];
    }
    let with =
        |first: usize| choices(&from[first + 1..], size - 1).into_iter().map(move |rest| (first, rest));
    let all = (0..from.len()).flat_map(with);
    all.map(|(first, rest)| [vec![from[first]], rest].concat()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { max_global_rejects: 20_000, ..common::thousand() })]

    /// The set of areas is the one that trying all sets, small ones first, finds first.
    #[test]
    fn the_areas_named_equal_those_of_brute_force(room in any_house(), from in place(), to in place()) {
        let ground = Ground::new(&room).unwrap();
        let closed: Vec<usize> = (0..room.areas.len()).filter(|&i| !room.areas[i].available).collect();
        prop_assume!(ground.is_walkable(from) && joined(&room, &closed, from, to));
        let why = ask(&room, from, to);
        let expected = (0..=closed.len()).flat_map(|size| choices(&closed, size)).find(|set| joined(&room, set, from, to)).unwrap();
        let expected: Vec<&str> = expected.into_iter().map(|area| room.areas[area].name.as_str()).collect();
        prop_assert!(why.exact);
        prop_assert_eq!(why.blocked_by(), expected);
        // Doing what it says helps, and doing less does not.
        let arrives = |without: Option<&str>| {
            let mut ground = Ground::new(&room).unwrap();
            for name in why.blocked_by().into_iter().filter(|name| Some(*name) != without) {
                ground.set_area_available(ground.area_named(name).unwrap(), true);
            }
            let path = find_path(&ground, query(from, to), &mut SearchMemory::default());
            path.outcome == Outcome::Complete && path.waypoints.last() == Some(&to)
        };
        prop_assert!(arrives(None));
        for name in why.blocked_by() {
            prop_assert!(!arrives(Some(name)), "{} is not needed", name);
        }
    }

    /// What can be reached is what an oracle that walks step by step reaches.
    #[test]
    fn reach_equals_walking_step_by_step(room in common::any_room(), from in common::any_point()) {
        let ground = Ground::new(&room).unwrap();
        let Some(start) = ground.node_at(from) else { return Ok(()) };
        let mut reach = Reach::new(&ground, u64::MAX);
        reach.spread(&ground, start, None);
        let costs = Cells::of(&ground).all_costs(start.0 as usize);
        for (index, cost) in costs.into_iter().enumerate() {
            prop_assert_eq!(reach.holds(&ground, Node(index as u32)), cost.is_finite(), "node {}", index);
        }
    }

    /// In rooms of all kinds: nothing panics, the nearest point is where a path ends, a complete path to the very goal needs no
    /// explanation, and when areas alone are to blame, opening them is enough.
    #[test]
    fn what_is_said_agrees_with_find_path(room in common::any_room(), from in common::any_point(), to in common::any_point()) {
        let ground = Ground::new(&room).unwrap();
        let path = find_path(&ground, query(from, to), &mut SearchMemory::default());
        let why = ask(&room, from, to);
        match (path.outcome, path.waypoints.last()) {
            (Outcome::None, _) => {}
            (_, end) => prop_assert_eq!(why.nearest.as_ref(), end),
        }
        let there = path.outcome == Outcome::Complete && path.waypoints.last() == Some(&to);
        prop_assert!(!there || why.is_complete());
        prop_assert!(path.outcome == Outcome::Complete || !why.is_complete());
        if let Some((gap, needed)) = why.gap_m().zip(why.needed_m()) {
            prop_assert!((0.0..needed).contains(&gap), "{why}");
        }
        let can_be_done = |it: &Hindrance| matches!(it, Hindrance::Closed(_) | Hindrance::Plugged(_));
        if !why.is_complete() && why.hindrances.iter().all(can_be_done) {
            // From where a walk would begin: more open ground may lie nearer to a start off the ground.
            let start = ground.node_at(from).map(|_| from);
            let start = start.unwrap_or_else(|| ground.centre(ground.nearest(from, 8.0, &Overlay::default()).unwrap()));
            let mut room = room.clone();
            open_all(&mut room, &why);
            room.obstacles.retain(|obstacle| !why.blocked_by().contains(&obstacle.name.as_str()));
            prop_assert!(ask(&room, start, to).is_complete(), "{}", why);
        }
    }
}
