//! Avoidance for people with routes: RVO2's, and `dodgy_2d`'s.

use crate::crowd_scenes::scenes::Scene;
use crate::route_walkers::{Avoids, Person};
use crate::rvo2::{Avoider, Body, Edge, Settings, edges};
use crate::walls::Walls;
use cicerone::internals::Neighbours;
use dodgy_2d::{Agent as Dodger, AvoidanceOptions, Obstacle, Vec2};
use glam::{DVec2, dvec2};
use std::borrow::Cow;

/// As in RVO2's own examples: ten neighbours within fifteen metres. Their time horizons, 5 and 10 s, are for bodies
/// of 1.5 to 2 m at 2 m/s; for people that is 1 to 3 s.
pub const RVO2: Settings =
    Settings { neighbour_m: 15.0, neighbours: 10, horizon_s: 2.0, wall_horizon_s: 1.0, step_s: 1.0 / 60.0 };

/// Avoidance as RVO2 does it, with the walls of a scene.
pub struct Rvo2 {
    avoider: Avoider,
    walls: Vec<Edge>,
}

impl Rvo2 {
    pub fn new(scene: &Scene) -> Self {
        Self { avoider: Avoider::default(), walls: edges(&Walls::new(&scene.room, 0.0).loops()) }
    }
}

impl Avoids for Rvo2 {
    fn velocities(&mut self, people: &[Person], step_s: f64) -> Vec<DVec2> {
        let body =
            |person: &Person| Body { at: person.at, velocity: person.velocity, radius_m: person.radius_m };
        let bodies: Vec<Body> = people.iter().map(body).collect();
        let settings = Settings { step_s, ..RVO2 };
        let mut near = Near::new(people, settings.neighbour_m);
        let mut others = Vec::new();
        let mut velocity = |(index, person): (usize, &Person)| {
            others.clear();
            others.extend(near.of(index).map(|other| bodies[other]));
            let (own, most_mps) = (&bodies[index], person.speed_mps);
            self.avoider.velocity(own, &others, &self.walls, person.wanted, most_mps, &settings)
        };
        people.iter().enumerate().map(&mut velocity).collect()
    }
}

/// How far others are looked at by `dodgy_2d`, which takes all that it is told of: as `landmass` looks by default.
const DODGY_NEIGHBOUR_M: f64 = 5.0;

/// `dodgy_2d`, with the walls of a scene.
pub struct Dodgy {
    walls: Vec<Wall>,
}

/// A closed wall with its bounds.
struct Wall {
    low: DVec2,
    high: DVec2,
    obstacle: Obstacle,
}

impl Dodgy {
    pub fn new(scene: &Scene) -> Self {
        let wall = |corners: Vec<DVec2>| Wall {
            low: corners.iter().copied().reduce(DVec2::min).unwrap_or_default(),
            high: corners.iter().copied().reduce(DVec2::max).unwrap_or_default(),
            obstacle: Obstacle::Closed { vertices: corners.into_iter().map(narrow).collect() },
        };
        Self { walls: Walls::new(&scene.room, 0.0).loops().into_iter().map(wall).collect() }
    }
}

impl Avoids for Dodgy {
    fn velocities(&mut self, people: &[Person], step_s: f64) -> Vec<DVec2> {
        let dodger = |person: &Person| Dodger {
            position: narrow(person.at),
            velocity: narrow(person.velocity),
            radius: person.radius_m as f32,
            // Nobody relies on a player to step aside.
            avoidance_responsibility: if person.is_steered { 0.0 } else { 1.0 },
        };
        let agents: Vec<Dodger> = people.iter().map(dodger).collect();
        let mut near = Near::new(people, DODGY_NEIGHBOUR_M);
        let mut velocity = |(index, person): (usize, &Person)| {
            if person.is_steered {
                return person.wanted;
            }
            let others: Vec<Cow<Dodger>> =
                near.of(index).map(|other| Cow::Borrowed(&agents[other])).collect();
            let reach_m = DODGY_NEIGHBOUR_M;
            let is_near = |wall: &&Wall| person.at.distance(person.at.clamp(wall.low, wall.high)) <= reach_m;
            let walls: Vec<Cow<Obstacle>> =
                self.walls.iter().filter(is_near).map(|wall| Cow::Borrowed(&wall.obstacle)).collect();
            // The horizons that `landmass` has by default, whose author's it is.
            let options = AvoidanceOptions {
                obstacle_margin: person.radius_m as f32,
                time_horizon: 1.0,
                obstacle_time_horizon: 0.5,
            };
            let velocity = agents[index].compute_avoiding_velocity(
                &others,
                &walls,
                narrow(person.wanted),
                person.speed_mps as f32,
                step_s as f32,
                &options,
            );
            dvec2(f64::from(velocity.x), f64::from(velocity.y))
        };
        people.iter().enumerate().map(&mut velocity).collect()
    }
}

fn narrow(at: DVec2) -> Vec2 {
    Vec2::new(at.x as f32, at.y as f32)
}

/// Who is near whom.
struct Near<'a> {
    people: &'a [Person],
    reach_m: f64,
    neighbours: Neighbours,
    found: Vec<u32>,
}

impl<'a> Near<'a> {
    fn new(people: &'a [Person], reach_m: f64) -> Self {
        let mut neighbours = Neighbours::default();
        neighbours.rebuild(people.iter().map(|person| person.at), 0.5 * reach_m);
        Self { people, reach_m, neighbours, found: Vec::new() }
    }

    /// The others within reach of somebody.
    fn of(&mut self, index: usize) -> impl Iterator<Item = usize> + '_ {
        let (people, reach_m, at) = (self.people, self.reach_m, self.people[index].at);
        self.neighbours.along(at, at, reach_m, &mut self.found);
        let is_near = move |other: &usize| {
            *other != index && people[*other].at.distance_squared(at) <= reach_m * reach_m
        };
        self.found.iter().map(|&other| other as usize).filter(is_near)
    }
}
