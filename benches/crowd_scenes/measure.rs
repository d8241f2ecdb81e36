//! What is measured of a scene, tick by tick.
//!
//! - ratio: the time of a walk over the time that its path takes alone at full speed.
//! - jumps: changes of velocity above 0.5 m/s from one tick to the next, for each second of walking.
//! - sideways: the share of the moving time with the body turned more than 45 degrees from its motion over 0.1 s.
//! - step: the longest move in a sixtieth of a second, as of a character that walks 1.4 m/s, in centimetres.
//! - overlap: the deepest overlap of two bodies, as a share of the sum of their radii.
//! - contact: the share of pairs that touched for more than a quarter of a second, of those that came within a metre.

use super::scenes::{Errand, Gauge, Scene};
use super::stage::SPEED_MPS;
use glam::DVec2;
use std::collections::BTreeMap;

/// A person at the end of a tick.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Where it is.
    pub at: DVec2,
    /// Its heading, in radians.
    pub heading_rad: f64,
    /// Whether it is on an errand.
    pub walks: bool,
}

/// An end of a walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// It arrived.
    Arrived,
    /// It was given up as blocked.
    Blocked,
    /// It ended in another way.
    Other,
}

/// The figures of a scene.
#[derive(Debug, Clone, Default)]
pub struct Figures {
    /// Walks that arrived, were blocked, ended in other ways, or had not ended.
    pub arrived: usize,
    pub blocked: usize,
    pub other: usize,
    pub under_way: usize,
    /// Mean and greatest ratio of the walks that arrived.
    pub ratio_mean: f64,
    pub ratio_most: f64,
    /// Mean time lost by a walk that arrived, in seconds.
    pub lost_s: f64,
    pub jumps_per_s: f64,
    pub sideways: f64,
    pub step_cm: f64,
    pub overlap: f64,
    pub contact: f64,
    /// Persons a second and metre.
    pub flow: Option<f64>,
    /// Mean speed, m/s.
    pub speed_mps: Option<f64>,
    /// How far standing people were moved, and were at the end, in metres.
    pub moved_m: Option<(f64, f64)>,
    /// The share of the time that companions are at the side of their leader, and the mean distance of them and followers
    /// from it, in metres, while it moves.
    pub together: Option<(f64, f64)>,
    /// When the last one arrived, in seconds.
    pub seconds: f64,
}

/// A move this long in a tenth of a second has a direction, in metres.
const MOVES_M: f64 = 0.03;

/// Bodies nearer than this touch, in metres.
const TOUCH_M: f64 = 0.001;

/// A leader that moves faster than this walks, in m/s.
const WALKS_MPS: f64 = 0.2;

/// A companion less than this before or behind its leader, and more to the side, is abreast, in metres.
const ABREAST_M: f64 = 0.5;

/// How often tracks note everybody, about twenty times a second.
pub fn tracks_per_s(ticks_per_second: u32) -> f64 {
    let hz = f64::from(ticks_per_second);
    hz / ticks_a_track(hz) as f64
}

fn ticks_a_track(hz: f64) -> usize {
    (hz as usize / 20).max(1)
}

/// Collects the figures of one run.
pub struct Meter<'a> {
    scene: &'a Scene,
    ticks_per_second: f64,
    starts: Vec<DVec2>,
    before: Vec<DVec2>,
    velocity: Vec<Option<DVec2>>,
    /// Positions of the last tenth of a second, the oldest first.
    trail: Vec<Vec<DVec2>>,
    ticks: usize,
    walking_ticks: usize,
    jumps: usize,
    moving: usize,
    sideways: usize,
    longest_m: f64,
    overlap: f64,
    /// Ticks that pairs have touched without a break, and the most of it.
    touching: BTreeMap<(usize, usize), (usize, usize, usize)>,
    crossings: Vec<f64>,
    speeds: (f64, usize),
    /// Ticks of companions, those of them abreast, the sum of distances, and ticks of companions and followers.
    together: (usize, usize, f64, usize),
    moved_m: f64,
    ratios: Vec<f64>,
    figures: Figures,
    /// Everybody [`tracks_per_s`] times a second, for pictures.
    pub tracks: Vec<Vec<Pose>>,
}

impl<'a> Meter<'a> {
    pub fn new(scene: &'a Scene, ticks_per_second: u32) -> Self {
        let starts: Vec<DVec2> = scene.room.characters.iter().map(|spec| spec.at.at).collect();
        let count = starts.len();
        Self {
            scene,
            ticks_per_second: f64::from(ticks_per_second),
            before: starts.clone(),
            velocity: vec![None; count],
            trail: Vec::new(),
            ticks: 0,
            walking_ticks: 0,
            jumps: 0,
            moving: 0,
            sideways: 0,
            longest_m: 0.0,
            overlap: 0.0,
            touching: BTreeMap::new(),
            crossings: Vec::new(),
            speeds: (0.0, 0),
            together: (0, 0, 0.0, 0),
            moved_m: 0.0,
            ratios: Vec::new(),
            figures: Figures::default(),
            tracks: vec![Vec::new(); count],
            starts,
        }
    }

    /// Notes that a walk ended, after `seconds`, of which it would have taken `free_s` alone.
    pub fn walk_ended(&mut self, end: End, seconds: f64, free_s: f64) {
        match end {
            End::Arrived => {
                self.figures.arrived += 1;
                if free_s > 0.5 {
                    self.ratios.push(seconds / free_s);
                    self.figures.lost_s += seconds - free_s;
                }
                self.figures.seconds = self.ticks as f64 / self.ticks_per_second;
            }
            End::Blocked => self.figures.blocked += 1,
            End::Other => self.figures.other += 1,
        }
    }

    /// Looks at everybody at the end of a tick.
    pub fn look(&mut self, poses: &[Pose]) {
        let hz = self.ticks_per_second;
        self.ticks += 1;
        let now: Vec<DVec2> = poses.iter().map(|pose| pose.at).collect();
        let window = (hz * 0.1).round().max(1.0) as usize;
        for (index, pose) in poses.iter().enumerate() {
            let by = pose.at - self.before[index];
            let velocity = by * hz;
            // Others walk at other speeds.
            let own_mps = self.scene.room.characters[index].walk_speed_mps;
            self.longest_m = self.longest_m.max(by.length() * hz / 60.0 * (SPEED_MPS / own_mps.max(0.1)));
            if pose.walks {
                self.walking_ticks += 1;
            }
            if let Some(last) = self.velocity[index]
                && (velocity - last).length() > 0.5
            {
                self.jumps += 1;
            }
            self.velocity[index] = Some(velocity);
            if let Some(then) = self.trail.first().filter(|_| self.trail.len() == window) {
                let moved = pose.at - then[index];
                if moved.length() > MOVES_M {
                    self.moving += 1;
                    let (sin, cos) = libm::sincos(pose.heading_rad);
                    if moved.normalize().dot(DVec2::new(cos, sin)) < std::f64::consts::FRAC_1_SQRT_2 {
                        self.sideways += 1;
                    }
                }
            }
            if self.ticks.is_multiple_of(ticks_a_track(hz)) {
                self.tracks[index].push(*pose);
            }
        }
        self.gauge(poses);
        self.touch(&now);
        if self.trail.len() == window {
            self.trail.remove(0);
        }
        self.trail.push(now.clone());
        self.before = now;
    }

    fn gauge(&mut self, poses: &[Pose]) {
        let seconds = self.ticks as f64 / self.ticks_per_second;
        for (index, pose) in poses.iter().enumerate() {
            let before = self.before[index];
            let crosses = match self.scene.gauge {
                Gauge::FlowX { x_m, .. } => before.x < x_m && pose.at.x >= x_m,
                Gauge::FlowZ { z_m, .. } => before.y < z_m && pose.at.y >= z_m,
                Gauge::Speed => {
                    if seconds > 10.0 && pose.walks {
                        self.speeds.0 += before.distance(pose.at) * self.ticks_per_second;
                        self.speeds.1 += 1;
                    }
                    false
                }
                Gauge::Stand => {
                    if matches!(self.scene.errands[index], Errand::Stand) {
                        self.moved_m = self.moved_m.max(self.starts[index].distance(pose.at));
                    }
                    false
                }
                Gauge::Together => {
                    self.look_together(poses, index);
                    false
                }
                Gauge::None => false,
            };
            if crosses {
                self.crossings.push(seconds);
            }
        }
    }

    fn look_together(&mut self, poses: &[Pose], index: usize) {
        let (leader, is_companion) = match self.scene.errands[index] {
            Errand::Beside(leader) => (leader, true),
            Errand::Follow(leader) => (leader, false),
            _ => return,
        };
        let lead = &poses[leader];
        let moved_mps = lead.at.distance(self.before[leader]) * self.ticks_per_second;
        if moved_mps < WALKS_MPS {
            return;
        }
        let (sin, cos) = libm::sincos(lead.heading_rad);
        let facing = DVec2::new(cos, sin);
        let offset = poses[index].at - lead.at;
        let (along_m, side_m) = (offset.dot(facing).abs(), offset.perp_dot(facing).abs());
        let is_abreast = along_m < ABREAST_M && side_m > ABREAST_M && side_m < 3.0 * ABREAST_M;
        self.together.0 += usize::from(is_companion);
        self.together.1 += usize::from(is_companion && is_abreast);
        self.together.2 += offset.length();
        self.together.3 += 1;
    }

    fn touch(&mut self, now: &[DVec2]) {
        let characters = &self.scene.room.characters;
        let mut order: Vec<usize> = (0..now.len()).collect();
        order.sort_by(|&a, &b| now[a].x.total_cmp(&now[b].x));
        for (place, &a) in order.iter().enumerate() {
            for &b in &order[place + 1..] {
                let clear_m = characters[a].collision_radius_m + characters[b].collision_radius_m;
                if now[b].x - now[a].x > clear_m + 1.0 {
                    break;
                }
                let apart_m = now[a].distance(now[b]);
                if apart_m > clear_m + 1.0 {
                    continue;
                }
                self.overlap = self.overlap.max(1.0 - apart_m / clear_m);
                let pair = self.touching.entry((a.min(b), a.max(b))).or_default();
                let touches = apart_m <= clear_m + TOUCH_M;
                let run = if touches && pair.2 + 1 == self.ticks { pair.0 + 1 } else { usize::from(touches) };
                *pair = (run, pair.1.max(run), if touches { self.ticks } else { pair.2 });
            }
        }
    }

    /// The figures at the end.
    pub fn finish(mut self) -> (Figures, Vec<Vec<Pose>>) {
        let hz = self.ticks_per_second;
        let figures = &mut self.figures;
        let count = self.ratios.len().max(1) as f64;
        figures.ratio_mean = self.ratios.iter().sum::<f64>() / count;
        figures.ratio_most = self.ratios.iter().copied().fold(0.0, f64::max);
        figures.lost_s /= count;
        figures.jumps_per_s = self.jumps as f64 / (self.walking_ticks.max(1) as f64 / hz);
        figures.sideways = self.sideways as f64 / self.moving.max(1) as f64;
        figures.step_cm = self.longest_m * 100.0;
        figures.overlap = self.overlap.max(0.0);
        let long = self.touching.values().filter(|pair| pair.1 as f64 > 0.25 * hz).count();
        figures.contact = long as f64 / self.touching.len().max(1) as f64;
        if let Gauge::FlowX { width_m, .. } | Gauge::FlowZ { width_m, .. } = self.scene.gauge {
            let count = self.crossings.len();
            let (first, last) = (count / 10, (count * 9 / 10).saturating_sub(1));
            figures.flow = (last > first)
                .then(|| (last - first) as f64 / (self.crossings[last] - self.crossings[first]) / width_m);
        }
        if self.scene.gauge == Gauge::Speed {
            figures.speed_mps = Some(self.speeds.0 / self.speeds.1.max(1) as f64);
        }
        if self.scene.gauge == Gauge::Together {
            let (companions, abreast, sum_m, all) = self.together;
            let share = abreast as f64 / companions.max(1) as f64;
            figures.together = Some((share, sum_m / all.max(1) as f64));
        }
        if self.scene.gauge == Gauge::Stand {
            let still = self.scene.errands.iter().enumerate();
            let still = still.filter(|(_, errand)| matches!(errand, Errand::Stand));
            let off_m =
                still.map(|(index, _)| self.starts[index].distance(self.before[index])).fold(0.0, f64::max);
            figures.moved_m = Some((self.moved_m, off_m));
        }
        (self.figures, self.tracks)
    }
}
