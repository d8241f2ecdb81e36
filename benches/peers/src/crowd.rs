//! Crowds: everybody walks to a place at most ten metres off, and then to another one.

use crate::avoiders::RVO2;
use crate::crowd_rooms::{RADIUS_M, edge_m, random_target, room};
use crate::runner::{Options, median, timed};
use crate::rvo2::{Avoider, Body, Settings};
use cicerone::internals::Neighbours;
use cicerone::room::Avoidance;
use cicerone::world::CharacterId;
use cicerone::world::{Command, EventKind, World, next_random, stream};
use dodgy_2d::{Agent as Dodger, AvoidanceOptions};
use glam::{DVec2, dvec2};
use glam_of_landmass::Vec3;
use landmass::{Agent, AgentId, AgentState, Archipelago, Island, NavigationMesh, Transform, XYZ};
use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::Arc;

const SEED: u64 = 7;
const REACH_M: f64 = 10.0;
const SPEED_MPS: f32 = 1.4;
const STEP_S: f32 = 1.0 / 60.0;
/// How far others are looked at by who only avoids them: as far as two come in a second, their widths included.
const NEIGHBOURHOOD_M: f64 = 3.4;
/// Where targets are looked for by those who cannot tell a pillar from ground.
const PILLARS_EVERY_M: f64 = 8.0;

/// A crowd that is under way: makes one step.
type Step = Box<dyn FnMut()>;

/// Somebody who moves a crowd: what a row is called, and how to get so many ready.
struct Peer {
    name: &'static str,
    remark: &'static str,
    pillars: bool,
    begin: fn(usize, bool) -> Step,
    /// More would take minutes.
    most: usize,
}

const PEERS: &[Peer] = &[
    Peer {
        name: "cicerone, pushing",
        remark: "the whole tick, open",
        pillars: false,
        begin: |number, pillars| cicerone(number, pillars, Avoidance::Push),
        most: usize::MAX,
    },
    Peer {
        name: "cicerone, steering",
        remark: "the whole tick, open",
        pillars: false,
        begin: |number, pillars| cicerone(number, pillars, Avoidance::Steer),
        most: usize::MAX,
    },
    Peer {
        name: "RVO2's algorithm",
        remark: "avoidance alone (neighbours by cicerone's hash), open",
        pillars: false,
        begin: rvo2,
        most: usize::MAX,
    },
    Peer {
        name: "dodgy_2d",
        remark: "avoidance alone (neighbours by cicerone's hash), open",
        pillars: false,
        begin: dodgy,
        most: usize::MAX,
    },
    Peer {
        name: "landmass",
        remark: "paths and avoidance, open",
        pillars: false,
        begin: landmass,
        most: 10_000,
    },
    Peer {
        name: "cicerone, pushing",
        remark: "the whole tick, pillars",
        pillars: true,
        begin: |number, pillars| cicerone(number, pillars, Avoidance::Push),
        most: usize::MAX,
    },
    Peer {
        name: "cicerone, steering",
        remark: "the whole tick, pillars",
        pillars: true,
        begin: |number, pillars| cicerone(number, pillars, Avoidance::Steer),
        most: usize::MAX,
    },
    Peer {
        name: "landmass",
        remark: "paths and avoidance, pillars",
        pillars: true,
        begin: landmass,
        most: 10_000,
    },
];

/// A row for each peer.
pub fn table(options: &Options) -> String {
    const NUMBERS: [usize; 2] = [1_000, 10_000];
    let mut text = String::from("| ms a step of a sixtieth of a second (ns for each) |");
    text.extend(NUMBERS.map(|number| format!(" {number} characters |")));
    text.push_str("\n|---|---|---|\n");
    for peer in PEERS {
        let _ = write!(text, "| {}, {} |", peer.name, peer.remark);
        for number in NUMBERS.into_iter().filter(|number| *number <= peer.most) {
            eprintln!("{}, {}: {number}", peer.name, peer.remark);
            let mut step = (peer.begin)(number, peer.pillars);
            // Two seconds until everybody is among the others.
            (0..options.pick(30, 120)).for_each(|_| step());
            let ms: Vec<f64> =
                (0..options.pick(10, 60)).map(|_| timed(&mut step).0.as_secs_f64() * 1e3).collect();
            let ms = median(&ms);
            let _ = write!(text, " {ms:.2} ({:.0}) |", ms * 1e6 / number as f64);
        }
        text.push('\n');
    }
    text
}

/// Everything a room has: paths, following, keeping apart, queues, giving way, areas.
fn cicerone(number: usize, pillars: bool, avoidance: Avoidance) -> Step {
    let edge_m = edge_m(number);
    let mut room = room(number, pillars, None);
    room.crowd.avoidance = avoidance;
    let mut world = World::new(room, SEED).expect("a room");
    let mut random = stream(SEED, "targets");
    let mut send = move |world: &mut World, who: CharacterId| {
        let from = world.character(who).expect("nobody leaves").position;
        let to = random_target(&mut random, from.at, REACH_M, edge_m);
        world.apply(Command::SetTarget { who, to: to.into() }).expect("a target");
    };
    let everybody: Vec<CharacterId> = world.characters().iter().map(|character| character.id).collect();
    everybody.into_iter().for_each(|who| send(&mut world, who));
    world.take_events();
    Box::new(move || {
        world.tick();
        for event in world.take_events() {
            if let EventKind::WalkEnded { who, .. } = event.kind {
                send(&mut world, who);
            }
        }
    })
}

/// Velocities that avoid others (ORCA); no walls, no paths.
fn dodgy(number: usize, _: bool) -> Step {
    let edge_m = edge_m(number);
    let mut random = stream(SEED, "targets");
    let mut at = starts(number);
    let mut targets: Vec<DVec2> =
        at.iter().map(|&at| random_target(&mut random, at, REACH_M, edge_m)).collect();
    let dodger = |at: &DVec2| Dodger {
        position: dodgy_2d::Vec2::new(at.x as f32, at.y as f32),
        velocity: dodgy_2d::Vec2::ZERO,
        radius: RADIUS_M as f32,
        avoidance_responsibility: 1.0,
    };
    let mut agents: Vec<Dodger> = at.iter().map(dodger).collect();
    let options = AvoidanceOptions { obstacle_margin: 0.0, time_horizon: 1.0, obstacle_time_horizon: 0.5 };
    let (mut neighbours, mut near) = (Neighbours::default(), Vec::new());
    Box::new(move || {
        neighbours.rebuild(at.iter().copied(), NEIGHBOURHOOD_M / 2.0);
        let mut velocities = Vec::with_capacity(agents.len());
        for (index, agent) in agents.iter().enumerate() {
            neighbours.along(at[index], at[index], NEIGHBOURHOOD_M, &mut near);
            let is_near = |other: &&u32| {
                let other = **other as usize;
                other != index && at[other].distance_squared(at[index]) <= NEIGHBOURHOOD_M * NEIGHBOURHOOD_M
            };
            let others: Vec<Cow<Dodger>> =
                near.iter().filter(is_near).map(|&other| Cow::Borrowed(&agents[other as usize])).collect();
            let target = dodgy_2d::Vec2::new(targets[index].x as f32, targets[index].y as f32);
            let wanted = (target - agent.position).normalize_or_zero() * SPEED_MPS;
            velocities.push(agent.compute_avoiding_velocity(
                &others,
                &[],
                wanted,
                SPEED_MPS,
                STEP_S,
                &options,
            ));
        }
        for (index, (agent, velocity)) in agents.iter_mut().zip(velocities).enumerate() {
            agent.velocity = velocity;
            agent.position += velocity * STEP_S;
            at[index] = dvec2(f64::from(agent.position.x), f64::from(agent.position.y));
            if at[index].distance(targets[index]) < 0.3 {
                targets[index] = random_target(&mut random, at[index], REACH_M, edge_m);
            }
        }
    })
}

/// The same with RVO2's algorithm, which takes the nearest of them.
fn rvo2(number: usize, _: bool) -> Step {
    let edge_m = edge_m(number);
    let mut random = stream(SEED, "targets");
    let mut bodies: Vec<Body> =
        starts(number).into_iter().map(|at| Body { at, velocity: DVec2::ZERO, radius_m: RADIUS_M }).collect();
    let mut targets: Vec<DVec2> =
        bodies.iter().map(|body| random_target(&mut random, body.at, REACH_M, edge_m)).collect();
    let (step_s, speed_mps) = (f64::from(STEP_S), f64::from(SPEED_MPS));
    let settings = Settings { neighbour_m: NEIGHBOURHOOD_M, step_s, ..RVO2 };
    let mut avoider = Avoider::default();
    let (mut neighbours, mut near, mut others) = (Neighbours::default(), Vec::new(), Vec::new());
    Box::new(move || {
        neighbours.rebuild(bodies.iter().map(|body| body.at), NEIGHBOURHOOD_M / 2.0);
        let mut velocities = Vec::with_capacity(bodies.len());
        for (index, (body, target)) in bodies.iter().zip(&targets).enumerate() {
            neighbours.along(body.at, body.at, NEIGHBOURHOOD_M, &mut near);
            others.clear();
            let not_itself = near.iter().filter(|&&other| other as usize != index);
            others.extend(not_itself.map(|&other| bodies[other as usize]));
            let wanted = (*target - body.at).normalize_or_zero() * speed_mps;
            velocities.push(avoider.velocity(body, &others, &[], wanted, speed_mps, &settings));
        }
        for ((body, target), velocity) in bodies.iter_mut().zip(&mut targets).zip(velocities) {
            body.velocity = velocity;
            body.at += velocity * step_s;
            if body.at.distance(*target) < 0.3 {
                *target = random_target(&mut random, body.at, REACH_M, edge_m);
            }
        }
    })
}

/// A navigation mesh, paths on it, and the same avoidance with the mesh's borders.
fn landmass(number: usize, pillars: bool) -> Step {
    let edge_m = edge_m(number);
    let mut random = stream(SEED, "targets");
    let mut archipelago = Archipelago::<XYZ>::new();
    let mesh = mesh(edge_m, pillars).validate().unwrap_or_else(|error| panic!("{error:?}"));
    let transform = Transform { translation: Vec3::ZERO, rotation: 0.0 };
    archipelago.add_island(Island::new(transform, Arc::new(mesh), Default::default()));
    let mut target = move |from: DVec2| loop {
        let to = random_target(&mut random, from, REACH_M, edge_m);
        let off = (to / PILLARS_EVERY_M).fract() * PILLARS_EVERY_M - 0.5 * PILLARS_EVERY_M;
        if !pillars || off.abs().max_element() > 0.5 + RADIUS_M {
            return Vec3::new(to.x as f32, to.y as f32, 0.0);
        }
        next_random(&mut random);
    };
    let ids: Vec<AgentId> = starts(number)
        .into_iter()
        .map(|at| {
            let position = Vec3::new(at.x as f32, at.y as f32, 0.0);
            let mut agent = Agent::create(position, Vec3::ZERO, RADIUS_M as f32, SPEED_MPS, SPEED_MPS);
            agent.current_target = Some(target(at));
            archipelago.add_agent(agent)
        })
        .collect();
    Box::new(move || {
        archipelago.update(STEP_S);
        for &id in &ids {
            let agent = archipelago.get_agent_mut(id).expect("nobody leaves");
            let velocity = *agent.get_desired_velocity();
            agent.velocity = velocity;
            agent.position += velocity * STEP_S;
            if agent.state() != AgentState::Moving {
                let from = dvec2(f64::from(agent.position.x), f64::from(agent.position.y));
                agent.current_target = Some(target(from));
            }
        }
    })
}

fn starts(number: usize) -> Vec<DVec2> {
    room(number, false, None).characters.iter().map(|character| character.at.at).collect()
}

/// The room as a mesh: tiles of nine rectangles, the middle one of which is a pillar with room for a body around, or
/// one large square.
fn mesh(edge_m: f64, pillars: bool) -> NavigationMesh<XYZ> {
    let (margin, tiles) = (RADIUS_M, if pillars { (edge_m / PILLARS_EVERY_M) as usize } else { 0 });
    // Where rectangles begin and end along either axis; and which of them are pillars.
    let mut lines = vec![margin];
    for tile in 0..tiles {
        let middle = (tile as f64 + 0.5) * PILLARS_EVERY_M;
        lines.extend([middle - 0.5 - RADIUS_M, middle + 0.5 + RADIUS_M]);
    }
    lines.push(edge_m - margin);
    let across = lines.len();
    let vertices = lines.iter().flat_map(|&z| lines.iter().map(move |&x| Vec3::new(x as f32, z as f32, 0.0)));
    let is_pillar = |column: usize, row: usize| column % 2 == 1 && row % 2 == 1;
    let mut polygons = Vec::new();
    for row in 0..across - 1 {
        for column in (0..across - 1).filter(|&column| !is_pillar(column, row)) {
            let corner = row * across + column;
            polygons.push(vec![corner, corner + 1, corner + across + 1, corner + across]);
        }
    }
    let polygon_type_indices = vec![0; polygons.len()];
    NavigationMesh { vertices: vertices.collect(), polygons, polygon_type_indices }
}
