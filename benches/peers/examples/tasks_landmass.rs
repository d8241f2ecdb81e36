//! The everyday tasks of the book's page "Ten tasks in four languages", as a user of the crate `landmass` writes them:
//! those that it can do. Each task checks its own results.
//!
//! `cargo run --example tasks_landmass`
#![allow(clippy::disallowed_types)] // landmass asks for hash maps

// task: common
use glam_of_landmass::{Vec3, vec3};
use landmass::{Agent, AgentId, AgentState, Archipelago, Island, IslandId, NavigationMesh, Transform, XYZ};
use std::collections::HashMap;
use std::sync::Arc;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

const STEP: f32 = 1.0 / 60.0;

struct Game {
    land: Archipelago<XYZ>,
    ann: AgentId,
}

impl Game {
    /// The crate says where agents want to go; the game moves them.
    fn step(&mut self, seconds: f32) {
        self.land.update(seconds);
        for id in self.land.get_agent_ids().collect::<Vec<_>>() {
            if let Some(agent) = self.land.get_agent_mut(id) {
                agent.velocity = *agent.get_desired_velocity();
                agent.position += agent.velocity * seconds;
            }
        }
    }

    fn ann(&mut self) -> Result<&mut Agent<XYZ>> {
        Ok(self.land.get_agent_mut(self.ann).ok_or("no ann")?)
    }
}

fn agent(at: Vec3) -> Agent<XYZ> {
    Agent::create(at, Vec3::ZERO, 0.25, 1.4, 1.4)
}

/// Polygons as islands of their own: so each can be taken away.
fn add(land: &mut Archipelago<XYZ>, (x0, z0, x1, z1): (f32, f32, f32, f32)) -> Result<IslandId> {
    let mesh = NavigationMesh {
        vertices: vec![vec3(x0, z0, 0.0), vec3(x1, z0, 0.0), vec3(x1, z1, 0.0), vec3(x0, z1, 0.0)],
        polygons: vec![vec![0, 1, 2, 3]],
        polygon_type_indices: vec![0],
    };
    let here = Transform { translation: Vec3::ZERO, rotation: 0.0 };
    Ok(land.add_island(Island::new(here, Arc::new(mesh.validate()?), HashMap::new())))
}
// end

// task: open
fn open() -> Result<Game> {
    let mut land = Archipelago::new();
    add(&mut land, (0.0, 0.0, 8.0, 6.0))?;
    add(&mut land, (9.0, 0.0, 16.0, 6.0))?;
    let ann = land.add_agent(agent(vec3(1.0, 1.0, 0.0)));
    Ok(Game { land, ann })
}

fn step(mut game: Game) -> Result<()> {
    (0..60).for_each(|_| game.step(STEP)); // a second of game time
    assert_eq!(game.ann()?.state(), AgentState::Idle);
    Ok(())
}
// end

// task: walk
fn walk(mut game: Game) -> Result<()> {
    game.ann()?.current_target = Some(vec3(6.0, 3.0, 0.0));
    (0..600).for_each(|_| game.step(STEP));
    assert_eq!(game.ann()?.state(), AgentState::ReachedTarget); // to be looked at in each frame
    Ok(())
}
// end

// task: door
fn door(mut game: Game) -> Result<()> {
    let gate = add(&mut game.land, (8.0, 2.0, 9.0, 4.0))?;
    game.ann()?.current_target = Some(vec3(14.0, 3.0, 0.0));
    game.step(STEP);
    assert_eq!(game.ann()?.state(), AgentState::Moving);
    game.land.remove_island(gate);
    game.step(STEP);
    assert_eq!(game.ann()?.state(), AgentState::NoPath);
    Ok(())
}
// end

// task: path
fn path(mut game: Game) -> Result<()> {
    game.step(STEP); // the mesh has to be taken in first
    let from = game.land.sample_point(vec3(1.0, 1.0, 0.0), 0.1)?;
    let to = game.land.sample_point(vec3(6.0, 3.0, 0.0), 0.1)?;
    let mut path = game.land.find_path(&from, &to, &HashMap::new())?;
    path.push(to.point()); // the end is missing in a path within one polygon
    let length: f32 = path.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
    assert!(length < 6.0 && path.last() == Some(&vec3(6.0, 3.0, 0.0)));
    Ok(())
}
// end

// task: spawn
fn spawn(mut game: Game) -> Result<()> {
    let cat = game.land.add_agent(agent(vec3(2.0, 3.0, 0.0))); // names, tags, scripts: the game's own
    (0..60).for_each(|_| game.step(STEP));
    game.land.remove_agent(cat);
    assert!(game.land.get_agent(cat).is_none());
    Ok(())
}
// end

// task: frame
fn frame(mut game: Game) -> Result<()> {
    game.ann()?.current_target = Some(vec3(6.0, 1.0, 0.0));
    let (mut x, mut moved) = (1.0, 0);
    for _ in 0..144 {
        game.step(1.0 / 144.0); // the length of your frame, in seconds: a step is as long
        moved += u32::from(game.ann()?.position.x > x);
        x = game.ann()?.position.x;
    }
    assert!(moved > 130);
    Ok(())
}
// end

// task: steer
fn steer(mut game: Game) -> Result<()> {
    game.step(STEP);
    let (steered, pushed) = (vec3(1.4 * STEP, 0.0, 0.0), vec3(0.0, 0.5, 0.0));
    for by in std::iter::repeat_n(steered, 60).chain([pushed]) {
        let to = game.ann()?.position + by;
        game.ann()?.position = game.land.sample_point(to, 1.0)?.point(); // held on the mesh
        game.step(STEP);
    }
    let at = game.ann()?.position;
    assert!(at.x > 2.0 && at.y > 1.4);
    Ok(())
}
// end

type Task = fn(Game) -> Result<()>;

fn main() -> Result<()> {
    let tasks: [(&str, Task); 7] = [
        ("open", step),
        ("walk", walk),
        ("door", door),
        ("path", path),
        ("spawn", spawn),
        ("frame", frame),
        ("steer", steer),
    ];
    for (name, task) in tasks {
        task(open()?)?;
        println!("{name}: done");
    }
    println!("all seven tasks are done");
    Ok(())
}
