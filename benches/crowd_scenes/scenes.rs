//! The crowd scenes: for each a room, its people, and where they want to go.

use super::grounds::Ground;
use super::stage::{next, person};
use super::{company, corridors, doors, open_ground};
use cicerone::room::Room;
use cicerone::world::stream;
use glam::{DVec2, dvec2};

/// What one person of a scene does.
#[derive(Debug, Clone)]
pub enum Errand {
    /// Stands, and is pushed or not.
    Stand,
    /// Walks to one goal, and stays there.
    Once(DVec2),
    /// Walks from goal to goal until the time is up. A goal nearer than this, in metres, is reached: the next one follows.
    On(Vec<DVec2>, f64),
    /// Walks at the side of somebody, by its index.
    Beside(usize),
    /// Follows somebody at talking distance, by its index.
    Follow(usize),
    /// Is steered like a player, in this direction.
    Steer(DVec2),
}

/// What a scene measures besides what all measure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Gauge {
    /// Nothing else.
    None,
    /// Persons a second over the line x = this, from the tenth to the last tenth but one, and a metre of this width.
    FlowX { x_m: f64, width_m: f64 },
    /// The same over a line z = this.
    FlowZ { z_m: f64, width_m: f64 },
    /// The mean speed after ten seconds.
    Speed,
    /// The share of the time in which companions of a leader that moves are at its side, and how far they and followers
    /// are from it.
    Together,
    /// How far those that stand are moved, at most and at the end.
    Stand,
}

/// A scene.
#[derive(Debug, Clone)]
pub struct Scene {
    /// Its name: words with hyphens.
    pub name: String,
    /// The room with its people.
    pub room: Room,
    /// What each of them does.
    pub errands: Vec<Errand>,
    /// It ends after this time, or when all have arrived.
    pub seconds: f64,
    /// What else it measures.
    pub gauge: Gauge,
    /// What its floor is made of.
    pub ground: Ground,
}

impl Scene {
    pub(super) fn new(name: impl Into<String>, room: Room, seconds: f64) -> Self {
        Self {
            name: name.into(),
            room,
            errands: Vec::new(),
            seconds,
            gauge: Gauge::None,
            ground: Ground::Grid,
        }
    }

    /// Adds a person.
    pub(super) fn add(&mut self, at: DVec2, errand: Errand) -> usize {
        self.errands.push(errand);
        person(&mut self.room, at)
    }

    pub(super) fn walks(&mut self, from: DVec2, to: DVec2) -> usize {
        self.add(from, Errand::Once(to))
    }

    pub(super) fn gauged(mut self, gauge: Gauge) -> Self {
        self.gauge = gauge;
        self
    }

    /// Moves the starts of those that walk by up to a centimetre. Large crowds are chaotic, so this shows what chance does.
    pub fn vary(&mut self, seed: u64) {
        const MOST_M: f64 = 0.01;
        let mut random = stream(seed, "starts");
        for (spec, errand) in self.room.characters.iter_mut().zip(&self.errands) {
            if !matches!(errand, Errand::Stand) {
                let by = dvec2(next(&mut random), next(&mut random)) * 2.0 - 1.0;
                spec.at.at += by * MOST_M;
            }
        }
    }
}

/// All scenes, in their order.
pub fn all() -> Vec<Scene> {
    let mut scenes: Vec<Scene> = [8, 20, 50, 100].map(open_ground::circle).into();
    scenes.extend([open_ground::pairs(), open_ground::four_streams()]);
    scenes.extend([1.0, 1.4, 2.0, 3.0].map(doors::one_way_door));
    scenes.extend([1.0, 1.4, 2.0, 3.0].map(doors::two_way_door));
    scenes.extend([3.0, 5.0].map(corridors::corner));
    scenes.extend([corridors::slower_people(), doors::shoppers()]);
    scenes.extend([0.2, 0.6, 0.8, 1.0, 1.4, 2.0].map(corridors::ring));
    scenes.extend([false, true].map(corridors::keeper));
    scenes.extend([open_ground::one_place(), corridors::narrow_corridor(1), corridors::narrow_corridor(2)]);
    scenes.push(corridors::both_ways());
    scenes.extend([corridors::two_flows(), corridors::merge(), open_ground::pillars()]);
    scenes.extend([open_ground::audience(), open_ground::sizes(), corridors::head_on()]);
    scenes.extend([corridors::overtaking(), corridors::through_the_crowd()]);
    scenes.extend([doors::emptied_hall(), doors::pillar_at_door()]);
    scenes.extend([company::groups_at_door(), company::groups_in_corridor(), company::procession()]);
    scenes
}
