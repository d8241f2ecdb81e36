//! `World::tick` with all characters walking: no Lua. A character that arrives gets a new random target between two
//! ticks, which is not part of the time (it only joins the queue of those who want a path; searching is part of the
//! tick).
//!
//! Targets lie at most ten metres off along either axis, so that the work for each is the same in a small and in a
//! large room, and a ratio of times says how the tick grows. In the rows called "far" they lie anywhere.

use crate::crowd_rooms::{SPACE_M2, edge_m, random_target, room};
use crate::memory;
use crate::runner::{Entry, Options, Report, Table, mean, median, timed, worst};
use cicerone::nav::Position;
use cicerone::room::GroundKind;
use cicerone::world::{Character, CharacterId, Command, EventKind, WalkEnd, WalkId, World, stream};
use glam::DVec2;

const SEED: u64 = 7;
const NEAR_M: f64 = 10.0;

#[derive(Clone, Copy)]
pub struct Variant {
    pub name: &'static str,
    pillars: bool,
    ground: GroundKind,
    reach_m: f64,
}

pub const OPEN: Variant = Variant { name: "open", pillars: false, ground: GroundKind::Grid, reach_m: NEAR_M };
pub const PILLARS: Variant = Variant { name: "pillars", pillars: true, ..OPEN };
const FAR: Variant = Variant { name: "open, far", reach_m: f64::INFINITY, ..OPEN };
pub const MESH: Variant = Variant { name: "mesh, open", ground: GroundKind::Mesh, ..OPEN };
pub const MESH_PILLARS: Variant = Variant { name: "mesh, pillars", pillars: true, ..MESH };

pub fn run(options: &Options, report: &mut Report) {
    let headings = &[
        "room",
        "characters",
        "median_ms/tick",
        "mean_ms/tick",
        "worst_ms/tick",
        "ns/character",
        "against_100",
        "paths/tick",
        "replans_%",
        "waiting_%",
        "ends/s",
        "blocked_%",
    ];
    let mut table = Table::new("one tick, 60 a second", headings);
    for variant in [OPEN, PILLARS, FAR, MESH, MESH_PILLARS] {
        let mut first_ns = None;
        for characters in [100, 1_000, 10_000] {
            let seen = measure(variant, characters, options.pick(60, 180));
            let ns = median(&seen.tick_ms) * 1e6 / characters as f64;
            let first_ns = *first_ns.get_or_insert(ns);
            table.row(row(variant.name, characters, &seen, ns / first_ns));
        }
    }
    report.table(&table);
    report.note(&format!("{SPACE_M2} m² each, after 5 s of game time; ns/character: of the median tick"));
    report.note("against_100: ns/character as a multiple of that with 100; 1 is linear");
    report.note("paths: answers of the queue; replans: the share of them for walks that had a path before");
    let (bytes, most) = (bytes_a_character(10_000), size_of::<Character>());
    report.note(&format!("memory: {bytes:.0} bytes a character with path, neighbours and all, {most} of them the character itself; none is asked for in a tick without new paths, see tests/allocations.rs"));
    report.note("waiting: walkers whose path is asked for but not yet found; blocked: of all walks that end");
}

fn row(name: &str, characters: usize, seen: &Seen, against_first: f64) -> Vec<Entry> {
    let ticks = seen.tick_ms.len() as f64;
    vec![
        name.into(),
        characters.into(),
        Entry::Real(median(&seen.tick_ms), 3),
        Entry::Real(mean(&seen.tick_ms), 3),
        Entry::Real(worst(&seen.tick_ms), 3),
        Entry::Real(median(&seen.tick_ms) * 1e6 / characters as f64, 0),
        Entry::Real(against_first, 2),
        Entry::Real(seen.paths as f64 / ticks, 2),
        Entry::Real(100.0 * seen.replans as f64 / seen.paths as f64, 0),
        Entry::Real(100.0 * seen.waiting as f64 / (ticks * characters as f64), 1),
        Entry::Real(seen.ends as f64 * 60.0 / ticks, 1),
        Entry::Real(100.0 * seen.blocked as f64 / seen.ends as f64, 1),
    ]
}

/// What a crowd holds that an empty room does not, after two seconds of walking.
fn bytes_a_character(characters: usize) -> f64 {
    let held = |people: bool| {
        let (taken, _world) = memory::watch(|| {
            let mut room = room(characters, false, None);
            if !people {
                room.characters.clear();
            }
            let mut world = World::new(room, SEED).unwrap();
            let mut random = stream(SEED, "targets");
            let everybody: Vec<(CharacterId, DVec2)> =
                world.characters().iter().map(|character| (character.id, character.position.at)).collect();
            for (who, from) in everybody {
                let to = random_target(&mut random, from, NEAR_M, edge_m(characters));
                world.apply(Command::SetTarget { who, to: to.into() }).unwrap();
            }
            for _ in 0..120 {
                world.tick();
                world.take_events();
            }
            world
        });
        taken.held_bytes as f64
    };
    (held(true) - held(false)) / characters as f64
}

/// How long a tick takes with so many.
pub fn median_tick_ms(variant: Variant, characters: usize, ticks: usize) -> f64 {
    median(&measure(variant, characters, ticks).tick_ms)
}

/// What was seen after the warm-up.
#[derive(Default)]
struct Seen {
    tick_ms: Vec<f64>,
    paths: u64,
    replans: u64,
    /// Sum over ticks of those who wait for a path.
    waiting: u64,
    ends: u64,
    blocked: u64,
}

fn measure(variant: Variant, characters: usize, ticks: usize) -> Seen {
    const WARM_UP_TICKS: usize = 300;
    let edge_m = edge_m(characters);
    let mut room = room(characters, variant.pillars, None);
    room.ground.kind = variant.ground;
    let mut world = World::new(room, SEED).unwrap();
    assert_eq!(world.characters().len(), characters);
    let mut random = stream(SEED, "targets");
    let mut send = |world: &mut World, who: CharacterId| {
        let from = world.character(who).unwrap().position;
        let to = random_target(&mut random, from.at, variant.reach_m, edge_m);
        world.apply(Command::SetTarget { who, to: to.into() }).unwrap();
    };
    let everybody: Vec<CharacterId> = world.characters().iter().map(|character| character.id).collect();
    everybody.into_iter().for_each(|who| send(&mut world, who));
    let mut seen = Seen::default();
    let mut paths = Paths::default();
    world.take_events();
    for tick in 0..WARM_UP_TICKS + ticks {
        let (time, ()) = timed(|| world.tick());
        if tick == WARM_UP_TICKS {
            seen = Seen::default();
        }
        seen.tick_ms.push(time.as_secs_f64() * 1e3);
        paths.look(&world, &mut seen);
        for event in world.take_events() {
            if let EventKind::WalkEnded { who, end, .. } = event.kind {
                seen.ends += 1;
                seen.blocked += u64::from(matches!(end, WalkEnd::Blocked(_)));
                send(&mut world, who);
            }
        }
    }
    seen
}

/// Who has which path. A world does not say when it answers a query; a path that lies elsewhere in memory than the
/// last one is a new one. (Two answers for one character in one tick do not occur.)
#[derive(Default)]
struct Paths {
    known: Vec<Option<(WalkId, *const Position)>>,
}

impl Paths {
    fn look(&mut self, world: &World, seen: &mut Seen) {
        self.known.resize(world.characters().len(), None);
        for (known, character) in self.known.iter_mut().zip(world.characters()) {
            let Some(walk) = &character.walk else {
                *known = None;
                continue;
            };
            seen.waiting += u64::from(walk.path_request.is_some());
            if walk.is_yielding() || walk.corridor.is_empty() {
                continue; // a way off somebody's way was not asked of the queue
            }
            let path = Some((walk.id, walk.corridor.waypoints().as_ptr()));
            if *known != path {
                seen.paths += 1;
                seen.replans += u64::from(known.is_some_and(|(id, _)| id == walk.id));
                *known = path;
            }
        }
    }
}
