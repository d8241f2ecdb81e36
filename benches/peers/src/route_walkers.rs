//! People of a scene who follow paths of cicerone, and are told by another crate how to avoid each other: what a user
//! of a crate for avoidance alone would write.

use crate::crowd_scenes::measure::{End, Pose};
use crate::crowd_scenes::run::{Ended, Mover, ground};
use crate::crowd_scenes::scenes::Scene;
use crate::walls::Walls;
use cicerone::world::{World, next_random, stream};
use glam::{DVec2, dvec2};
use std::f64::consts::TAU;

/// A walk ends at this distance from its goal, in metres: a body's radius, as in RVO2's examples and by default in
/// `landmass`. cicerone's walks end at the goal itself, so that the way that is left is added to the time.
pub const ARRIVED_M: f64 = 0.3;

/// Slower people keep their heading.
const TURNS_MPS: f64 = 0.1;

/// The most by which what each wants is disturbed. RVO2's example of people on a circle does so in each step of a
/// quarter of a second, so that they do not block each other in perfect symmetry. With much less, or with another
/// disturbance at each tick, circles of twenty stand still until the end.
const DISTURBANCE_MPS: f64 = 0.2;

/// How long disturbances last, in seconds.
const DISTURBED_S: f64 = 0.25;

/// How far walkers may cut into the room that paths keep from walls, and still see a corner, in metres.
const GRAZES_M: f64 = 0.02;

/// Another path is looked for this long after the last one at the earliest, in seconds.
const REPLANS_S: f64 = 0.5;

/// Somebody who walks.
#[derive(Debug, Clone)]
pub struct Person {
    pub at: DVec2,
    pub velocity: DVec2,
    pub radius_m: f64,
    pub speed_mps: f64,
    /// What it would do alone.
    pub wanted: DVec2,
    /// Steered like a player: it avoids nobody.
    pub is_steered: bool,
    heading_rad: f64,
    route: Option<Route>,
}

/// A way to a goal.
#[derive(Debug, Clone)]
struct Route {
    corners: Vec<DVec2>,
    next: usize,
    goal: DVec2,
    ticks: u64,
    planned: u64,
}

/// Tells everybody a velocity.
pub trait Avoids {
    /// The velocities of all, in their order, for a step of so many seconds.
    fn velocities(&mut self, people: &[Person], step_s: f64) -> Vec<DVec2>;
}

/// The people of a scene.
pub struct RouteWalkers<A> {
    people: Vec<Person>,
    avoids: A,
    ground: World,
    walls: Walls,
    step_s: f64,
    disturbances: Disturbances,
}

impl<A: Avoids> RouteWalkers<A> {
    pub fn new(scene: &Scene, ticks_per_second: u32, avoids: A) -> Result<Self, String> {
        let person = |spec: &cicerone::room::CharacterSpec| Person {
            at: spec.at.at,
            velocity: DVec2::ZERO,
            radius_m: spec.collision_radius_m,
            speed_mps: spec.walk_speed_mps,
            wanted: DVec2::ZERO,
            is_steered: false,
            heading_rad: 0.0,
            route: None,
        };
        Ok(Self {
            disturbances: Disturbances::new(scene.errands.len()),
            people: scene.room.characters.iter().map(person).collect(),
            avoids,
            ground: ground(scene)?,
            walls: Walls::new(&scene.room, scene.room.ground.agent_radius_m - GRAZES_M),
            step_s: 1.0 / f64::from(ticks_per_second),
        })
    }

    /// Turns everybody's wish to the farthest corner of its way that it sees next.
    fn look_ahead(&mut self) {
        self.disturbances.tick(self.step_s);
        for (index, person) in self.people.iter_mut().enumerate() {
            let Some(route) = &mut person.route else { continue };
            route.ticks += 1;
            let since_s = (route.ticks - route.planned) as f64 * self.step_s;
            if since_s > REPLANS_S && !self.walls.sees(person.at, route.corners[route.next]) {
                let planned = way(&mut self.ground, person.at, route.goal);
                (route.corners, route.next, route.planned) = (planned, 0, route.ticks);
            }
            while let Some(&after) = route.corners.get(route.next + 1)
                && (self.walls.sees(person.at, after)
                    || person.at.distance(route.corners[route.next]) < person.radius_m)
            {
                route.next += 1;
            }
            let off = route.corners[route.next] - person.at;
            person.wanted =
                (off / self.step_s).clamp_length_max(person.speed_mps) + self.disturbances.of(index);
        }
    }
}

impl<A: Avoids> Mover for RouteWalkers<A> {
    fn send(&mut self, index: usize, to: DVec2) {
        let person = &mut self.people[index];
        let corners = way(&mut self.ground, person.at, to);
        let goal = corners.last().copied().unwrap_or(to);
        person.route = Some(Route { corners, next: 0, goal, ticks: 0, planned: 0 });
    }

    fn steer(&mut self, index: usize, direction: DVec2) {
        let person = &mut self.people[index];
        person.is_steered = true;
        person.wanted = direction * person.speed_mps;
    }

    fn tick(&mut self, ended: &mut Vec<Ended>) {
        self.look_ahead();
        let velocities = self.avoids.velocities(&self.people, self.step_s);
        for (index, (person, velocity)) in self.people.iter_mut().zip(velocities).enumerate() {
            person.velocity = if person.is_steered { person.wanted } else { velocity };
            person.at += person.velocity * self.step_s;
            if person.velocity.length() > TURNS_MPS {
                person.heading_rad = libm::atan2(person.velocity.y, person.velocity.x);
            }
            if let Some(route) = &person.route
                && person.at.distance(route.goal) <= ARRIVED_M
            {
                let left_s = person.at.distance(route.goal) / person.speed_mps;
                let seconds = route.ticks as f64 * self.step_s + left_s;
                ended.push(Ended { index, how: End::Arrived, seconds });
                // Who has arrived wants to stand, and still avoids others.
                (person.route, person.wanted) = (None, DVec2::ZERO);
            }
        }
    }

    fn poses(&self) -> Vec<Pose> {
        let pose = |person: &Person| Pose {
            at: person.at,
            heading_rad: person.heading_rad,
            walks: person.route.is_some() || person.is_steered,
        };
        self.people.iter().map(pose).collect()
    }
}

/// A velocity for each that it wants besides, a little.
pub struct Disturbances {
    random: u64,
    of: Vec<DVec2>,
    left_s: f64,
}

impl Disturbances {
    pub fn new(people: usize) -> Self {
        Self { random: stream(7, "disturbances"), of: vec![DVec2::ZERO; people], left_s: 0.0 }
    }

    /// Lets a tick pass.
    pub fn tick(&mut self, step_s: f64) {
        self.left_s -= step_s;
        if self.left_s > 0.0 {
            return;
        }
        self.left_s = DISTURBED_S;
        for disturbance in &mut self.of {
            let (sin, cos) = libm::sincos(next_random(&mut self.random) * TAU);
            *disturbance = DISTURBANCE_MPS * next_random(&mut self.random) * dvec2(cos, sin);
        }
    }

    pub fn of(&self, index: usize) -> DVec2 {
        self.of[index]
    }
}

/// The corners of a path, its end the last.
fn way(ground: &mut World, from: DVec2, to: DVec2) -> Vec<DVec2> {
    let corners: Vec<DVec2> = ground.find_path(from, to).waypoints.iter().map(|corner| corner.at).collect();
    if corners.is_empty() { vec![to] } else { corners }
}
