//! Random rooms, judged by trying every set of doors and by walking step by step.

use crate::common::{Cells, any_point, any_room, area, empty_room, thousand};
use crate::explain::ask::{ask, open_all, query, rect};
use cicerone::internals::grid::{Node, Reach};
use cicerone::nav::{Outcome, Position};
use cicerone::plan::{Hindrance, find_path};
use cicerone::room::{Obstacle, Room};
use cicerone::surface::{SearchMemory, Surface};
use glam::{DVec2, dvec2};
use proptest::prelude::*;

/// Three by three chambers with walls between them, up to eight closed doors in the walls, two of them sometimes on
/// one gap, and a few open ones; sometimes with padding, and with an obstacle.
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
            room.obstacles.push(Obstacle {
                name: "table".into(),
                polygon: rect(x, z, x + size, z + size),
                see_through: false,
            });
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
    let cells = Cells::of(&Surface::new(&room).unwrap());
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
    #![proptest_config(ProptestConfig { max_global_rejects: 20_000, ..thousand() })]

    /// The set of areas is the one that trying all sets, small ones first, finds first.
    #[test]
    fn the_areas_named_equal_those_of_brute_force(room in any_house(), from in place(), to in place()) {
        let ground = Surface::new(&room).unwrap();
        let closed: Vec<usize> = (0..room.areas.len()).filter(|&i| !room.areas[i].available).collect();
        prop_assume!(ground.is_walkable(from) && joined(&room, &closed, from, to));
        let why = ask(&room, from, to);
        let expected = (0..=closed.len()).flat_map(|size| choices(&closed, size)).find(|set| joined(&room, set, from, to)).unwrap();
        let expected: Vec<&str> = expected.into_iter().map(|area| room.areas[area].name.as_str()).collect();
        prop_assert!(why.exact);
        prop_assert_eq!(why.blocked_by(), expected);
        // Doing what it says helps, and doing less does not.
        let arrives = |without: Option<&str>| {
            let mut ground = Surface::new(&room).unwrap();
            for name in why.blocked_by().into_iter().filter(|name| Some(*name) != without) {
                ground.set_area_available(ground.area_named(name).unwrap(), true);
            }
            let path = find_path(&ground, query(from, to), &mut SearchMemory::default());
            path.outcome == Outcome::Complete && path.points().last() == Some(&to)
        };
        prop_assert!(arrives(None));
        for name in why.blocked_by() {
            prop_assert!(!arrives(Some(name)), "{} is not needed", name);
        }
    }

    /// What can be reached is what an oracle that walks step by step reaches.
    #[test]
    fn reach_equals_walking_step_by_step(room in any_room(), from in any_point()) {
        let ground = Surface::new(&room).unwrap();
        let Some(start) = ground.as_grid().unwrap().node_at(from) else { return Ok(()) };
        let grid = ground.as_grid().unwrap();
        let mut reach = Reach::new(grid, u64::MAX);
        reach.spread(grid, start, None);
        let costs = Cells::of(&ground).all_costs(start.0 as usize);
        for (index, cost) in costs.into_iter().enumerate() {
            prop_assert_eq!(reach.holds(grid, Node(index as u32)), cost.is_finite(), "node {}", index);
        }
    }

    /// In rooms of all kinds: nothing panics, the nearest point is where a path ends, a complete path to the very goal
    /// needs no explanation, and when areas alone are to blame, opening them is enough.
    #[test]
    fn what_is_said_agrees_with_find_path(room in any_room(), from in any_point(), to in any_point()) {
        let ground = Surface::new(&room).unwrap();
        let path = find_path(&ground, query(from, to), &mut SearchMemory::default());
        let why = ask(&room, from, to);
        if path.outcome != Outcome::None {
            prop_assert_eq!(why.nearest, Some(path.snapped_to.unwrap_or(Position::on_ground(to))));
        }
        let there = path.outcome == Outcome::Complete && path.points().last() == Some(&to);
        prop_assert!(!there || why.is_complete());
        prop_assert!(path.outcome == Outcome::Complete || !why.is_complete());
        if let Some((gap, needed)) = why.gap_m().zip(why.needed_m()) {
            prop_assert!((0.0..needed).contains(&gap), "{why}");
        }
        let can_be_done = |it: &Hindrance| matches!(it, Hindrance::Closed(_) | Hindrance::Plugged(_));
        if !why.is_complete() && why.hindrances.iter().all(can_be_done) {
            // From where a walk would begin: more open ground may lie nearer to a start off the ground.
            let start = ground.anchor(from, 8.0).map_or(from, |start| start.at.at);
            let mut room = room.clone();
            open_all(&mut room, &why);
            room.obstacles.retain(|obstacle| !why.blocked_by().contains(&obstacle.name.as_str()));
            prop_assert!(ask(&room, start, to).is_complete(), "{}", why);
        }
    }
}
