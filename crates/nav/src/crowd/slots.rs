//! Places where bodies may stand in a cramped spot, and the short straight ways between them.

use crate::geometry::distance_sq_to_segment;
use crate::nav::Position;
use crate::surface::Surface;
use glam::DVec2;
use std::f64::consts::FRAC_1_SQRT_2;

/// The number of a place.
pub(super) type Slot = u8;

/// So many places are looked at: a lane of 40 m, say, with bodies of the usual size.
const MOST_SLOTS: usize = 240;

/// Places of a way are this much closer to each other than others, in shares of that distance.
const ON_A_WAY: f64 = 0.6;

/// Places up to so many times their distance apart are joined, if one sees the other.
const JOINED: f64 = 2.0;

/// How near to another one a place is left out, in shares of that distance.
const APART: f64 = 0.7;

/// The directions from a place to those beside it.
const BESIDE: [DVec2; 8] = [
    DVec2::X,
    DVec2::NEG_X,
    DVec2::Y,
    DVec2::NEG_Y,
    DVec2::new(FRAC_1_SQRT_2, FRAC_1_SQRT_2),
    DVec2::new(-FRAC_1_SQRT_2, FRAC_1_SQRT_2),
    DVec2::new(FRAC_1_SQRT_2, -FRAC_1_SQRT_2),
    DVec2::new(-FRAC_1_SQRT_2, -FRAC_1_SQRT_2),
];

/// Places, and the straight ways between those that are near each other.
#[derive(Debug, Default)]
pub(super) struct Slots {
    pub(super) at: Vec<Position>,
    /// The places that one comes to from each, in ascending order, with their distance in metres.
    pub(super) ways: Vec<Vec<(Slot, f64)>>,
    /// Whether the floors of two places touch, by pairs.
    touch: Vec<bool>,
    apart_m: f64,
}

impl Slots {
    /// Places about so far apart: first where bodies stand now, in their order.
    pub(super) fn of(bodies: impl Iterator<Item = Position>, apart_m: f64) -> Self {
        Self { at: bodies.take(MOST_SLOTS).collect(), apart_m, ..Self::default() }
    }

    /// Adds the places of a way, and returns the last one.
    pub(super) fn add_way(&mut self, from: Position, way: &[Position], ground: &Surface) -> Option<Slot> {
        let step_m = ON_A_WAY * self.apart_m;
        let (mut here, mut last) = (from, None);
        for &corner in way {
            if self.at.len() == MOST_SLOTS {
                break;
            }
            let steps = (here.distance(corner) / step_m).ceil().max(1.0);
            for step in 1..=steps as usize {
                let share = step as f64 / steps;
                let at = ground.walk_straight(here, here.at.lerp(corner.at, share)).unwrap_or(corner);
                last = self.add(at, 0.2 * step_m, ground).or(last);
            }
            here = corner;
        }
        last
    }

    /// Adds a place, unless there is one within a distance: then it is that one. `None` if there are too many.
    fn add(&mut self, at: Position, apart_m: f64, ground: &Surface) -> Option<Slot> {
        let is_there = |other: &Position| other.distance(at) < apart_m && ground.floors_touch(*other, at);
        let known = self.at.iter().position(is_there);
        if known.is_none() && self.at.len() < MOST_SLOTS {
            self.at.push(at);
            return Slot::try_from(self.at.len() - 1).ok();
        }
        known.and_then(|slot| Slot::try_from(slot).ok())
    }

    /// Adds places around all, from those to those beside them, and joins all. Places along walls are found, too, and the
    /// far ends of dead ends.
    pub(super) fn fill(&mut self, ground: &Surface) {
        let (step_m, apart_m) = (self.apart_m, APART * self.apart_m);
        let mut next = 0;
        while next < self.at.len() && self.at.len() < MOST_SLOTS {
            let from = self.at[next];
            next += 1;
            for beside in BESIDE {
                // Round a corner in smaller steps, so that each place is seen from the one before.
                let lengths = [1.0, 0.5, 0.25].map(|share| share * step_m);
                let seen = lengths.into_iter().find_map(|length_m| {
                    let at = ground.move_along(from, from.at + beside * length_m)?;
                    ground.walk_straight(from, at.at).map(|_| (at, length_m))
                });
                if let Some((at, length_m)) = seen {
                    self.add(at, if length_m < step_m { 0.3 * length_m } else { apart_m }, ground);
                }
            }
        }
        let count = self.at.len();
        self.touch = (0..count * count)
            .map(|pair| ground.floors_touch(self.at[pair / count], self.at[pair % count]))
            .collect();
        let joined = |from: usize, to: usize| {
            let length_m = self.at[from].distance(self.at[to]);
            let sees = || {
                let end = ground.walk_straight(self.at[from], self.at[to].at);
                end.is_some_and(|end| ground.floors_touch(end, self.at[to]))
            };
            let is_near = from != to && length_m <= JOINED * apart_m && self.touch[from * count + to];
            (is_near && sees()).then_some((to as Slot, length_m))
        };
        self.ways = (0..count).map(|from| (0..count).filter_map(|to| joined(from, to)).collect()).collect();
    }

    /// The distance in metres from each place to one of them, over the straight ways.
    pub(super) fn distances_to(&self, goal: Slot) -> Vec<f64> {
        let mut left_m = vec![f64::INFINITY; self.at.len()];
        let mut open = vec![goal];
        left_m[usize::from(goal)] = 0.0;
        // Few places: corrections until nothing is nearer are quick enough.
        while let Some(slot) = open.pop() {
            let here_m = left_m[usize::from(slot)];
            for &(next, length_m) in &self.ways[usize::from(slot)] {
                let next_m = &mut left_m[usize::from(next)];
                if here_m + length_m < *next_m {
                    *next_m = here_m + length_m;
                    open.push(next);
                }
            }
        }
        left_m
    }

    /// Whether one body may go straight from place to place while another one stands at a third, `touching_m` being the sum
    /// of their radii.
    pub(super) fn lets_pass(&self, (from, to): (Slot, Slot), other: Slot, touching_m: f64) -> bool {
        let count = self.at.len();
        let [from, to, other] = [from, to, other].map(usize::from);
        let may_meet = self.touch[from * count + other] || self.touch[to * count + other];
        !may_meet || passes(self.at[from].at, self.at[to].at, self.at[other].at, touching_m)
    }

    /// The ways from each place that do not lead through walls, each with how near one may come to it in metres, nor off the
    /// `own` ground of one for whom that is other ground.
    pub(super) fn ways_past(
        &self,
        walls: impl Iterator<Item = (Position, f64)>,
        ground: &Surface,
        own: Option<&Surface>,
    ) -> Vec<Vec<(Slot, f64)>> {
        let mut ways = self.ways.clone();
        if let Some(own) = own {
            let leads =
                |from: Position, to: Slot| own.walk_straight(from, self.at[usize::from(to)].at).is_some();
            self.at.iter().zip(&mut ways).for_each(|(&from, ways)| ways.retain(|&(to, _)| leads(from, to)));
        }
        for (wall, touching_m) in walls {
            let near_m = touching_m + JOINED * self.apart_m;
            for (from, ways) in self.at.iter().zip(&mut ways) {
                if from.at.distance_squared(wall.at) < near_m * near_m && ground.floors_touch(*from, wall) {
                    ways.retain(|&(to, _)| passes(from.at, self.at[usize::from(to)].at, wall.at, touching_m));
                }
            }
        }
        ways
    }
}

/// Whether a body may go straight from place to place past another one. Where both overlap, it may go if it gets away.
fn passes(from: DVec2, to: DVec2, other: DVec2, touching_m: f64) -> bool {
    let is_clear = distance_sq_to_segment(other, from, to) >= touching_m * touching_m;
    let (before_sq, after_sq) = (from.distance_squared(other), to.distance_squared(other));
    is_clear || before_sq < touching_m * touching_m && after_sq > before_sq
}
