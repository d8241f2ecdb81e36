//! People of a scene who are agents of `landmass`: its paths on a mesh of the scene, and its avoidance.

use crate::crowd_scenes::measure::{End, Pose};
use crate::crowd_scenes::run::{Ended, Mover};
use crate::crowd_scenes::scenes::Scene;
use crate::route_walkers::{ARRIVED_M, Disturbances};
use crate::walls::Walls;
use glam::{DVec2, dvec2};
use glam_of_landmass::Vec3;
use landmass::{
    Agent, AgentId, AgentState, Archipelago, Character, CharacterId, Island, NavigationMesh,
    TargetReachedCondition, Transform, XYZ,
};
use std::sync::Arc;

/// Slower people keep their heading.
const TURNS_MPS: f32 = 0.1;

/// The people of a scene.
pub struct MeshWalkers {
    archipelago: Archipelago<XYZ>,
    people: Vec<Person>,
    walls: Walls,
    step_s: f32,
    disturbances: Disturbances,
}

struct Person {
    agent: AgentId,
    /// Steered like a player: `landmass` calls it a character, and others step aside for it.
    steered: Option<CharacterId>,
    speed_mps: f32,
    radius_m: f32,
    at: DVec2,
    goal: DVec2,
    velocity: Vec3,
    heading_rad: f64,
    walks: bool,
    ticks: u64,
}

impl MeshWalkers {
    pub fn new(scene: &Scene, ticks_per_second: u32) -> Result<Self, String> {
        let walls = Walls::new(&scene.room, scene.room.ground.agent_radius_m);
        let (corners, polygons) = walls.polygons();
        let mesh = NavigationMesh {
            vertices: corners.into_iter().map(point).collect(),
            polygon_type_indices: vec![0; polygons.len()],
            polygons,
        };
        let mesh = mesh.validate().map_err(|error| format!("{error:?}"))?;
        let mut archipelago = Archipelago::new();
        let transform = Transform { translation: Vec3::ZERO, rotation: 0.0 };
        archipelago.add_island(Island::new(transform, Arc::new(mesh), Default::default()));
        let mut people = Vec::new();
        for spec in &scene.room.characters {
            let (speed_mps, radius_m) = (spec.walk_speed_mps as f32, spec.collision_radius_m as f32);
            let at = walls.nearest(spec.at.at);
            let mut agent = Agent::create(point(at), Vec3::ZERO, radius_m, speed_mps, speed_mps);
            agent.target_reached_condition = TargetReachedCondition::Distance(Some(ARRIVED_M as f32));
            people.push(Person {
                agent: archipelago.add_agent(agent),
                steered: None,
                speed_mps,
                radius_m,
                at,
                goal: at,
                velocity: Vec3::ZERO,
                heading_rad: 0.0,
                walks: false,
                ticks: 0,
            });
        }
        let disturbances = Disturbances::new(people.len());
        Ok(Self { archipelago, people, walls, step_s: 1.0 / ticks_per_second as f32, disturbances })
    }
}

impl Mover for MeshWalkers {
    fn send(&mut self, index: usize, to: DVec2) {
        let person = &mut self.people[index];
        let to = self.walls.nearest(to);
        if let Some(agent) = self.archipelago.get_agent_mut(person.agent) {
            agent.current_target = Some(point(to));
            (person.goal, person.walks, person.ticks) = (to, true, 0);
        }
    }

    fn steer(&mut self, index: usize, direction: DVec2) {
        let person = &mut self.people[index];
        person.velocity = point(direction) * person.speed_mps;
        self.archipelago.remove_agent(person.agent);
        let character =
            Character { position: point(person.at), velocity: person.velocity, radius: person.radius_m };
        person.steered = Some(self.archipelago.add_character(character));
        person.walks = true;
    }

    fn tick(&mut self, ended: &mut Vec<Ended>) {
        self.archipelago.update(self.step_s);
        self.disturbances.tick(f64::from(self.step_s));
        for (index, person) in self.people.iter_mut().enumerate() {
            person.ticks += 1;
            if let Some(agent) = self.archipelago.get_agent(person.agent) {
                person.velocity = *agent.get_desired_velocity();
                if person.walks && agent.state() == AgentState::ReachedTarget {
                    let left_s = person.goal.distance(person.at) / f64::from(person.speed_mps);
                    let seconds = person.ticks as f64 * f64::from(self.step_s) + left_s;
                    ended.push(Ended { index, how: End::Arrived, seconds });
                    person.walks = false;
                }
                if person.walks {
                    // It cannot be told another wish than to go straight, so it is its motion that is disturbed.
                    person.velocity += point(self.disturbances.of(index));
                    person.velocity = person.velocity.clamp_length_max(person.speed_mps);
                }
            }
            let by = person.velocity * self.step_s;
            // Who is pushed off the mesh is put back, as the game's physics would; off it, an agent stands forever.
            person.at = self.walls.nearest(person.at + dvec2(f64::from(by.x), f64::from(by.y)));
            if person.velocity.length() > TURNS_MPS {
                person.heading_rad = libm::atan2(f64::from(person.velocity.y), f64::from(person.velocity.x));
            }
            if let Some(agent) = self.archipelago.get_agent_mut(person.agent) {
                (agent.position, agent.velocity) = (point(person.at), person.velocity);
                if !person.walks {
                    // Who has arrived wants to stand, and still avoids others.
                    agent.current_target = None;
                }
            }
            if let Some(character) = person.steered.and_then(|id| self.archipelago.get_character_mut(id)) {
                character.position = point(person.at);
            }
        }
    }

    fn poses(&self) -> Vec<Pose> {
        let pose =
            |person: &Person| Pose { at: person.at, heading_rad: person.heading_rad, walks: person.walks };
        self.people.iter().map(pose).collect()
    }
}

fn point(at: DVec2) -> Vec3 {
    Vec3::new(at.x as f32, at.y as f32, 0.0)
}
