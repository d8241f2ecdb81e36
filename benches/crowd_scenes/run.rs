//! A scene walked by a world, or by another mover.

use super::grounds::laid;
use super::measure::{End, Figures, Meter, Pose};
use super::scenes::{Errand, Scene};
use cicerone::world::{CharacterId, Command, EventKind, WalkEnd, World};
use glam::DVec2;

/// Seconds that the scene goes on after the last walk has ended, so that standing people can go back.
const AFTER_S: f64 = 8.0;

/// Moves the people of a scene. They are known by their places in the scene's list.
pub trait Mover {
    /// Sends somebody to a place; another walk of it is cancelled without an end.
    fn send(&mut self, index: usize, to: DVec2);
    /// Steers somebody like a player from now on: in this direction, at its walking speed.
    fn steer(&mut self, index: usize, direction: DVec2);
    /// Sends somebody after another one, for good: to its side, or at talking distance. Movers that cannot leave it out
    /// stand.
    fn accompany(&mut self, _index: usize, _leader: usize, _beside: bool) {}
    /// One tick. Adds the walks that ended.
    fn tick(&mut self, ended: &mut Vec<Ended>);
    /// Everybody, in the order of the scene.
    fn poses(&self) -> Vec<Pose>;
}

/// A walk that ended.
#[derive(Debug, Clone, Copy)]
pub struct Ended {
    /// Whose walk it was.
    pub index: usize,
    /// How it ended.
    pub how: End,
    /// How long it took.
    pub seconds: f64,
}

/// Runs a scene to its end. The second result is where everybody was: see [`Meter::tracks`].
pub fn run(scene: &Scene, ticks_per_second: u32) -> Result<(Figures, Vec<Vec<Pose>>), String> {
    let mut mover = Walked::new(scene, ticks_per_second)?;
    run_with(scene, ticks_per_second, &mut mover)
}

/// [`run`] with any mover. How long a walk takes alone is by the path that the library finds, whoever walks.
pub fn run_with(
    scene: &Scene,
    ticks_per_second: u32,
    mover: &mut impl Mover,
) -> Result<(Figures, Vec<Vec<Pose>>), String> {
    let mut ground = ground(scene)?;
    let mut meter = Meter::new(scene, ticks_per_second);
    let mut at: Vec<DVec2> = mover.poses().iter().map(|pose| pose.at).collect();
    let mut walks: Vec<Walk> = vec![Walk::default(); at.len()];
    let mut send = |mover: &mut dyn Mover, walk: &mut Walk, index: usize, from: DVec2, to: DVec2| {
        let speed_mps = scene.room.characters[index].walk_speed_mps;
        (walk.free_s, walk.is_over) = (path_m(&mut ground, from, to) / speed_mps, false);
        mover.send(index, to);
    };
    for (index, errand) in scene.errands.iter().enumerate() {
        let walk = &mut walks[index];
        match errand {
            Errand::Stand => {}
            Errand::Beside(leader) => mover.accompany(index, *leader, true),
            Errand::Follow(leader) => mover.accompany(index, *leader, false),
            Errand::Steer(direction) => mover.steer(index, *direction),
            Errand::Once(goal) => send(mover, walk, index, at[index], *goal),
            Errand::On(goals, _) => send(mover, walk, index, at[index], goals[0]),
        }
    }
    let hz = f64::from(ticks_per_second);
    let mut after = (AFTER_S * hz) as u64;
    let mut ended = Vec::new();
    for _ in 0..(scene.seconds * hz) as u64 {
        mover.tick(&mut ended);
        at.clear();
        at.extend(mover.poses().iter().map(|pose| pose.at));
        for Ended { index, how, seconds } in ended.drain(..) {
            let walk = &mut walks[index];
            meter.walk_ended(how, seconds, walk.free_s);
            walk.is_over = true;
            if let Errand::On(goals, _) = &scene.errands[index] {
                walk.next = (walk.next + 1) % goals.len();
                send(mover, walk, index, at[index], goals[walk.next]);
            }
        }
        for (index, (errand, walk)) in scene.errands.iter().zip(&mut walks).enumerate() {
            let Errand::On(goals, near_m) = errand else { continue };
            if at[index].distance(goals[walk.next]) < *near_m {
                walk.next = (walk.next + 1) % goals.len();
                send(mover, walk, index, at[index], goals[walk.next]);
            }
        }
        meter.look(&mover.poses());
        let is_over = |(walk, errand): (&Walk, &Errand)| match errand {
            Errand::Once(_) => walk.is_over,
            Errand::Stand | Errand::Beside(_) | Errand::Follow(_) => true,
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
    let under_way = |(walk, errand): &(&Walk, &Errand)| matches!(errand, Errand::Once(_)) && !walk.is_over;
    figures.under_way = walks.iter().zip(&scene.errands).filter(under_way).count();
    Ok((figures, tracks))
}

/// The scene's room without its people: a world to find paths in.
pub fn ground(scene: &Scene) -> Result<World, String> {
    let mut room = laid(&scene.room, scene.ground)?;
    room.characters.clear();
    World::new(room, 7).map_err(|error| error.to_string())
}

/// The length of the path from one place to another.
fn path_m(ground: &mut World, from: DVec2, to: DVec2) -> f64 {
    let path = ground.find_path(from, to);
    let ends = std::iter::once(from).chain(path.waypoints.iter().map(|waypoint| waypoint.at));
    let ends: Vec<DVec2> = ends.collect();
    ends.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
}

/// Somebody's walk.
#[derive(Debug, Clone, Default)]
struct Walk {
    /// How long its path takes alone.
    free_s: f64,
    /// Index of its goal.
    next: usize,
    is_over: bool,
}

/// A world that walks its own people.
struct Walked {
    world: World,
    ids: Vec<CharacterId>,
    ticks_per_second: f64,
}

impl Walked {
    fn new(scene: &Scene, ticks_per_second: u32) -> Result<Self, String> {
        let mut room = laid(&scene.room, scene.ground)?;
        room.ticks_per_second = ticks_per_second;
        let world = World::new(room, 7).map_err(|error| error.to_string())?;
        let ids = world.characters().iter().map(|character| character.id).collect();
        Ok(Self { world, ids, ticks_per_second: f64::from(ticks_per_second) })
    }
}

impl Mover for Walked {
    fn send(&mut self, index: usize, to: DVec2) {
        drop(self.world.apply(Command::SetTarget { who: self.ids[index], to: to.into() }));
    }

    fn steer(&mut self, index: usize, direction: DVec2) {
        drop(self.world.apply(Command::Steer { who: self.ids[index], direction }));
    }

    fn accompany(&mut self, index: usize, leader: usize, beside: bool) {
        let (who, other) = (self.ids[index], self.ids[leader]);
        let distance_m = self.world.room().crowd.talk_distance_m;
        drop(self.world.apply(match beside {
            true => Command::WalkBeside { who, other },
            false => Command::Follow { who, other, distance_m },
        }));
    }

    fn tick(&mut self, ended: &mut Vec<Ended>) {
        self.world.tick();
        for event in self.world.take_events() {
            let EventKind::WalkEnded { who, end, ticks, .. } = event.kind else { continue };
            let Ok(index) = self.ids.binary_search(&who) else { continue };
            let how = match end {
                WalkEnd::Arrived => End::Arrived,
                WalkEnd::Blocked(_) => End::Blocked,
                WalkEnd::Cancelled => continue,
                _ => End::Other,
            };
            ended.push(Ended { index, how, seconds: ticks as f64 / self.ticks_per_second });
        }
    }

    fn poses(&self) -> Vec<Pose> {
        let pose = |character: &cicerone::world::Character| Pose {
            at: character.position.at,
            heading_rad: character.heading_rad,
            walks: character.is_moving(),
        };
        self.world.characters().iter().map(pose).collect()
    }
}
