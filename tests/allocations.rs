//! Once warm, a search asks for no memory, and a whole query once: for the answer. Nor does a tick in which nothing is
//! found and nothing happens, but for a few of those who steer.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

#[path = "../benches/memory.rs"]
#[allow(unreachable_pub, dead_code)] // of what benchmarks have, part is needed
mod memory;

use cicerone::internals::grid::{self, Node, NodeSearch, Overlay};
use cicerone::nav::{Progress, Query};
use cicerone::plan::find_path;
use cicerone::room::{Area, Avoidance, CharacterSpec, GridCells, Room, Sampling, Shortening};
use cicerone::surface::{SearchMemory, Surface};
use cicerone::world::{Character, Command, World};
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
    ticks_of_those_who_push_ask_for_nothing();
    ticks_of_those_who_steer_hardly_ask();
}

/// Areas given by their left, near, right and far borders, in metres. Nobody in them is ever stuck, so nobody asks for
/// another path but for a jam.
fn world(avoidance: Avoidance, areas: &[[f64; 4]], people: impl Iterator<Item = DVec2>) -> World {
    let mut room = Room::default();
    room.crowd.avoidance = avoidance;
    (room.crowd.stuck_replan_after_s, room.crowd.stuck_yield_after_s) = (1e6, 1e6);
    for (number, &[left, near, right, far]) in areas.iter().enumerate() {
        let corners = [(left, near), (right, near), (right, far), (left, far)];
        room.areas.push(Area::new(format!("a{number}"), corners.map(DVec2::from).to_vec()));
    }
    let person = |(number, at)| CharacterSpec::at(at).with_name(format!("c{number}"));
    room.characters.extend((0..).zip(people).map(person));
    World::of_checked(room, 1).unwrap()
}

/// What the ticks of a crossing did.
#[derive(Debug, Default)]
struct Crossing {
    /// How often walkers were held up by others.
    held_up: usize,
    /// Ticks in which paths were found or asked for, or something happened.
    eventful: Vec<u64>,
    /// The other ones.
    uneventful: usize,
    /// Those of the others that asked for memory.
    dear: Vec<u64>,
}

/// Sends everybody to the opposite place of 30 m by 30 m.
fn cross(world: &mut World, ticks: u64) -> Crossing {
    let starts: Vec<_> = world.characters().iter().map(|one| (one.id, one.position.at)).collect();
    for (who, at) in starts {
        world.apply(Command::SetTarget { who, to: (DVec2::splat(30.0) - at).into() }).unwrap();
    }
    let mut crossing = Crossing::default();
    for tick in 0..ticks {
        let paths = world.path_stats();
        let (taken, ()) = memory::watch(|| world.tick());
        if !world.take_events().is_empty() || world.path_stats() != paths {
            crossing.eventful.push(tick);
        } else {
            crossing.uneventful += 1;
            crossing.dear.extend((taken.calls > 0).then_some(tick));
        }
        let is_held_up = |one: &&Character| one.walk.as_ref().is_some_and(|walk| walk.held_up.by.is_some());
        crossing.held_up += world.characters().iter().filter(is_held_up).count();
    }
    assert!(crossing.held_up > 1000, "they hardly meet: {crossing:?}");
    crossing
}

/// Two hundred walk to and fro through each other: they push each other, queue and overtake, or steer round each other.
fn crowd_in_the_open(avoidance: Avoidance) -> World {
    let start = |number: u32| dvec2(1.0 + f64::from(number % 14) * 2.0, 1.0 + f64::from(number / 14) * 2.0);
    let mut world = world(avoidance, &[[0.0, 0.0, 30.0, 30.0]], (0..196).map(start));
    cross(&mut world, 400);
    world
}

fn ticks_of_those_who_push_ask_for_nothing() {
    let crossing = cross(&mut crowd_in_the_open(Avoidance::Push), 400);
    // Paths are searched at the beginning; arrivals are reported in the end.
    let is_on_the_way = |tick: &&u64| (60..200).contains(*tick);
    let Crossing { eventful, dear, .. } = &crossing;
    assert_eq!(eventful.iter().chain(dear).find(is_on_the_way), None, "{crossing:?}");
}

/// A few may ask: those in which a walker wants another way because of a jam, somebody is sent out of the way, or a
/// right of way is granted or turns round.
fn ticks_of_those_who_steer_hardly_ask() {
    let in_the_open = cross(&mut crowd_in_the_open(Avoidance::Steer), 400);
    // Twenty stand on either side of a door of 1.6 m.
    let areas = [[0.0, 0.0, 14.5, 30.0], [14.0, 14.2, 16.0, 15.8], [15.5, 0.0, 30.0, 30.0]];
    let start = |number: u32| {
        let from_door = dvec2(5.0 + f64::from(number / 5 % 4), f64::from(number % 5) - 2.0);
        DVec2::splat(15.0) + if number < 20 { -from_door } else { from_door }
    };
    let mut world = world(Avoidance::Steer, &areas, (0..40).map(start));
    cross(&mut world, 1000);
    let at_a_door = cross(&mut world, 1000);
    for crossing in [in_the_open, at_a_door] {
        assert!(crossing.uneventful > 200 && crossing.dear.len() * 25 < crossing.uneventful, "{crossing:?}");
    }
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
