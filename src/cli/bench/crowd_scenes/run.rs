//! A scene walked by a world.

use super::grounds::laid;
use super::measure::{End, Figures, Meter, Pose};
use super::scenes::{Errand, Scene};
use cicerone::world::{CharacterId, Command, EventKind, WalkEnd, World};
use glam::DVec2;

/// Seconds that the scene goes on after the last walk has ended, so that standing people can go back.
const AFTER_S: f64 = 8.0;

/// Runs a scene to its end. The second result is where everybody was: see [`Meter::tracks`].
pub fn run(scene: &Scene, ticks_per_second: u32) -> Result<(Figures, Vec<Vec<Pose>>), String> {
    let mut room = laid(&scene.room, scene.ground)?;
    room.ticks_per_second = ticks_per_second;
    let mut world = World::new(room, 7).map_err(|error| error.to_string())?;
    let ids: Vec<CharacterId> = world.characters().iter().map(|character| character.id).collect();
    let mut meter = Meter::new(scene, ticks_per_second);
    let mut walks: Vec<Walker> = vec![Walker::default(); ids.len()];
    for (index, &who) in ids.iter().enumerate() {
        match &scene.errands[index] {
            Errand::Stand => {}
            Errand::Steer(direction) => drop(world.apply(Command::Steer { who, direction: *direction })),
            Errand::Once(goal) => send(&mut world, who, *goal, &mut walks[index]),
            Errand::On(goals, _) => send(&mut world, who, goals[0], &mut walks[index]),
        }
    }
    let hz = f64::from(ticks_per_second);
    let mut after = (AFTER_S * hz) as u64;
    for _ in 0..(scene.seconds * hz) as u64 {
        world.tick();
        for event in world.take_events() {
            let EventKind::WalkEnded { who, end, ticks, .. } = event.kind else { continue };
            let Ok(index) = ids.binary_search(&who) else { continue };
            let how = match end {
                WalkEnd::Arrived => End::Arrived,
                WalkEnd::Blocked(_) => End::Blocked,
                WalkEnd::Cancelled => continue,
                _ => End::Other,
            };
            meter.walk_ended(how, ticks as f64 / hz, walks[index].free_s);
            walks[index].is_over = true;
            if let Errand::On(goals, _) = &scene.errands[index] {
                walks[index].next = (walks[index].next + 1) % goals.len();
                let goal = goals[walks[index].next];
                send(&mut world, who, goal, &mut walks[index]);
            }
        }
        for (index, &who) in ids.iter().enumerate() {
            let Errand::On(goals, near_m) = &scene.errands[index] else { continue };
            let Some(character) = world.character(who) else { continue };
            if character.position.at.distance(goals[walks[index].next]) < *near_m {
                walks[index].next = (walks[index].next + 1) % goals.len();
                let goal = goals[walks[index].next];
                send(&mut world, who, goal, &mut walks[index]);
            }
        }
        let poses: Vec<Pose> = world
            .characters()
            .iter()
            .map(|character| Pose {
                at: character.position.at,
                heading_rad: character.heading_rad,
                walks: character.is_moving(),
            })
            .collect();
        meter.look(&poses);
        let is_over = |(walk, errand): (&Walker, &Errand)| match errand {
            Errand::Once(_) => walk.is_over,
            Errand::Stand => true,
            Errand::On(..) | Errand::Steer(_) => false,
        };
        if walks.iter().zip(&scene.errands).all(is_over) {
            after -= 1;
            if after == 0 {
                break;
            }
        }
    }
    let (mut figures, tracks) = meter.finish();
    let under_way = |(walk, errand): &(&Walker, &Errand)| matches!(errand, Errand::Once(_)) && !walk.is_over;
    figures.under_way = walks.iter().zip(&scene.errands).filter(under_way).count();
    Ok((figures, tracks))
}

/// Somebody's walk.
#[derive(Debug, Clone, Default)]
struct Walker {
    /// How long its path takes alone.
    free_s: f64,
    /// Index of its goal.
    next: usize,
    is_over: bool,
}

fn send(world: &mut World, who: CharacterId, to: DVec2, walk: &mut Walker) {
    let Some(character) = world.character(who) else { return };
    let (from, speed) = (character.position.at, character.walk_speed_mps);
    let path = world.find_path(from, to);
    let mut length_m = 0.0;
    let mut before = from;
    for waypoint in &path.waypoints {
        length_m += before.distance(waypoint.at);
        before = waypoint.at;
    }
    (walk.free_s, walk.is_over) = (length_m / speed, false);
    drop(world.apply(Command::SetTarget { who, to: to.into() }));
}
