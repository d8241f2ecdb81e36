//! Once warm, a search and a tick ask for no memory, and a whole query once: for the answer.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

#[path = "../benches/memory.rs"]
#[allow(unreachable_pub, dead_code)] // of what benchmarks have, part is needed
mod memory;

use cicerone::internals::grid::{self, Node, NodeSearch, Overlay};
use cicerone::nav::{Progress, Query};
use cicerone::plan::find_path;
use cicerone::room::{Area, Avoidance, CharacterSpec, GridCells, Room, Sampling, Shortening};
use cicerone::surface::{SearchMemory, Surface};
use cicerone::world::{Character, CharacterId, Command, World};
use glam::{DVec2, dvec2};
use std::sync::Arc;

#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;

const EDGE: u32 = 200;

/// Walls with gaps; noise, in which the search goes from cell to cell; or the walls with a node every other cell.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Walls,
    Noise,
    Sampled,
}

fn ground(kind: Kind) -> Surface {
    let is_free = |x: u32, z: u32| match kind == Kind::Noise {
        true => !(x * 7919 + z * 104_729 + x * z * 31).is_multiple_of(5),
        false => x % 20 != 10 || z % 50 == x % 50,
    };
    let grid = Some(Arc::new(GridCells::new(DVec2::ZERO, EDGE, EDGE, is_free)));
    let sampling = (kind == Kind::Sampled).then_some(Sampling { rate_px: 2.0, eight: false, cover: false });
    let shortening = if kind == Kind::Sampled { Shortening::Divide } else { Shortening::Pull };
    let mut room = Room::default();
    room.ground.cell_size_m = 1.0;
    (room.ground.sampling, room.ground.shortening) = (sampling, shortening);
    room.grid = grid;
    Surface::new(&room).unwrap()
}

// One test alone: another thread's memory would be counted, too.
#[test]
fn what_is_warm_asks_for_nothing() {
    searches_ask_for_nothing();
    ticks_ask_for_nothing();
}

/// Two hundred walk to and fro through each other, on paths they have: they push each other, queue and overtake.
fn ticks_ask_for_nothing() {
    let square = [(0.0, 0.0), (30.0, 0.0), (30.0, 30.0), (0.0, 30.0)];
    let hall = Area::new("hall", square.map(DVec2::from).to_vec());
    let person = |index: u32| {
        let at = dvec2(1.0 + f64::from(index % 14) * 2.0, 1.0 + f64::from(index / 14) * 2.0);
        CharacterSpec::at(at).with_name(format!("c{index}"))
    };
    let mut room = Room::default();
    room.crowd.avoidance = Avoidance::Push; // rights of way of those who steer need memory
    room.areas.push(hall);
    room.characters.extend((0..196).map(person));
    // Nobody is ever stuck, so nobody asks for another path.
    (room.crowd.stuck_replan_after_s, room.crowd.stuck_yield_after_s) = (1e6, 1e6);
    let mut world = World::new(room, 1).unwrap();
    let ids: Vec<CharacterId> = world.characters().iter().map(|character| character.id).collect();
    let mut pushes = 0;
    let mut cross = |world: &mut World, counted: bool| {
        for &who in &ids {
            let at = world.character(who).unwrap().position;
            world.apply(Command::SetTarget { who, to: (DVec2::splat(30.0) - at.at).into() }).unwrap();
        }
        for tick in 0..400 {
            // Paths are searched at the beginning; arrivals are reported in the end.
            if (60..200).contains(&tick) && counted {
                let (taken, ()) = memory::watch(|| world.tick());
                assert_eq!(taken.calls, 0, "tick {tick}");
                let held_up = |c: &&Character| c.walk.as_ref().is_some_and(|walk| walk.held_up_by.is_some());
                pushes += world.characters().iter().filter(held_up).count();
            } else {
                world.tick();
            }
            world.take_events();
        }
    };
    cross(&mut world, false);
    cross(&mut world, true);
    assert!(pushes > 1000, "they hardly meet: {pushes}");
}

fn searches_ask_for_nothing() {
    for kind in [Kind::Walls, Kind::Noise, Kind::Sampled] {
        let ground = ground(kind);
        let place =
            |number: u32| dvec2(f64::from(number * 37 % EDGE) + 0.5, f64::from(number * 59 % EDGE) + 0.5);
        let ends: Vec<(DVec2, DVec2)> =
            (0..60).map(|number| (place(number), place(3 * number + 1))).collect();
        let grid = ground.as_grid().unwrap();
        let mut memory = grid::SearchMemory::default();
        let nobody = Overlay::default();
        let search = |memory: &mut grid::SearchMemory| {
            let mut reached = 0;
            for &(from, to) in &ends {
                let (Some(start), Some(goal)): (Option<Node>, _) = (grid.node_at(from), grid.node_at(to))
                else {
                    continue;
                };
                let mut search = NodeSearch::new(grid, start, goal, to, &nobody, std::mem::take(memory));
                while search.advance(grid, &nobody, 50) == Progress::Running {}
                reached += usize::from(search.reached());
                *memory = search.into_memory();
            }
            reached
        };
        search(&mut memory);
        let (taken, reached) = memory::watch(|| search(&mut memory));
        assert!(reached > 15, "{reached} ways");
        assert_eq!(taken.calls, 0, "{kind:?}");

        let mut memory = SearchMemory::default();
        let query = |memory: &mut SearchMemory| {
            let ask = |&(from, to): &(DVec2, DVec2)| Query::new(from, to).with_snap_m(1.0);
            let is_found = |ends: &&(DVec2, DVec2)| find_path(&ground, ask(ends), memory).reason.is_none();
            ends.iter().filter(is_found).copied().collect::<Vec<_>>()
        };
        // A goal that cannot be reached takes a few more.
        let found = query(&mut memory);
        let again = |memory: &mut SearchMemory| {
            for &(from, to) in &found {
                find_path(&ground, Query::new(from, to).with_snap_m(1.0), memory);
            }
        };
        let (taken, ()) = memory::watch(|| again(&mut memory));
        assert!(found.len() > 15, "{kind:?}: {} paths", found.len());
        assert_eq!(taken.calls, found.len() as u64, "{kind:?}");
    }
}
