//! The last resort of a few who are in each other's way: a search through all their places together.
//!
//! The rules of right of way look at two at a time. They fail where three must move in an order: one into a niche, so that
//! another one can back out, so that a third one gets by. Here one body at a time moves from place to place ([`Slots`]), as
//! pebbles on a graph: best first by what is left to walk, over all positions and all sets of those who have been at their
//! goals. With few bodies it is complete up to its budget: where the places of the net allow everybody to get to its goal,
//! the answer is an order of moves; Kornhauser, Miller and Spirakis, "Coordinating pebble motion on graphs", 1984; on nets
//! with two free places, de Wilde, ter Mors and Witteveen, "Push and Rotate", 2013.

use super::slots::{Slot, Slots};
use super::yielding::distance_sq_to_line;
use crate::nav::{ClassId, Position};
use crate::plan::Grounds;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

/// So many bodies are rearranged, at most. Others who stand near are walls.
pub(crate) const MOST_BODIES: usize = 6;

/// So many bodies matter in all. Among more, there is a crowd.
const MOST_WALLS: usize = 100;

/// The places are so far apart, in radii of the smallest body. A coarse net is searched soon; a fine one has places that fit
/// where the coarse one has none.
const APART_RADII: [f64; 3] = [1.6, 1.1, 0.75];

/// Bodies smaller than this find no place that those of this size do not, in metres.
const LEAST_RADIUS_M: f64 = 0.05;

/// So many times others are worth trying: all nets for all goals, then all nets for one.
pub(crate) const ATTEMPTS: u8 = 2 * APART_RADII.len() as u8;

/// So many positions of all bodies are looked at in each net.
const MOST_POSITIONS: usize = 12_000;

/// What is left to walk counts so many times as what was walked.
const GREED: f64 = 3.0;

/// To let another one move costs as much as walking so far, in metres.
const ANOTHER_M: f64 = 0.5;

/// Bodies may be this much nearer to each other than where they touch, in metres.
const TOUCH_M: f64 = 0.005;

/// One of those who are in each other's way.
#[derive(Debug, Clone)]
pub(crate) struct Body {
    pub(crate) at: Position,
    pub(crate) radius_m: f64,
    /// Its class, which decides where it may go.
    pub(crate) class: ClassId,
    /// Whether it may be moved. Otherwise it is a wall.
    pub(crate) moves: bool,
    /// Its way to its goal, as if nobody were about. Empty if it has none.
    pub(crate) way: Vec<Position>,
    /// Whether it goes nowhere but towards its goal: the player.
    pub(crate) goes_on: bool,
    /// Whether it is gone once it has come to the end of its way.
    pub(crate) leaves: bool,
}

/// One body goes a way.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Move {
    /// Its place in the list of bodies.
    pub(crate) body: usize,
    pub(crate) way: Vec<Position>,
    /// Whether it has come to its goal then.
    pub(crate) arrives: bool,
}

/// Where all are, and who has been at its goal.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Positions {
    slots: [Slot; MOST_BODIES],
    arrived: u8,
    left: u8,
}

impl Positions {
    fn key(self) -> u64 {
        self.slots.into_iter().fold(u64::from(self.arrived), |key, slot| key << 8 | u64::from(slot))
    }
}

#[derive(Debug, Clone, Copy)]
struct Reached {
    positions: Positions,
    walked_m: f64,
    /// The one before, and who moved; the first has none.
    step: Option<(usize, usize)>,
}

/// The moves that bring all who have a goal to it, one at a time. `None` if none were found within the budget. Of the
/// [`ATTEMPTS`], each looks at other places, the later ones for the goal of the first body alone.
pub(crate) fn rearrange(bodies: &[Body], attempt: usize, ground: &Grounds) -> Option<Vec<Move>> {
    let radii = APART_RADII[attempt % APART_RADII.len()];
    let mut bodies = bodies.to_vec();
    if attempt >= APART_RADII.len() {
        bodies.iter_mut().skip(1).for_each(|body| body.way.clear());
    }
    let search = Search::new(&bodies, radii, ground)?;
    let (reached, last) = search.run()?;
    Some(search.moves(&reached, last))
}

/// How near two bodies may come to each other. Where others squeeze them, they touch more than they should already.
fn apart_m_of(one: &Body, other: &Body) -> f64 {
    (one.radius_m + other.radius_m).min(one.at.distance(other.at)) - TOUCH_M
}

struct Search<'a> {
    /// Those who move, with their places in the list.
    movers: Vec<(usize, &'a Body)>,
    slots: Slots,
    /// For each mover, the straight ways from each place that no wall is in the way of.
    ways: Vec<Vec<Vec<(Slot, f64)>>>,
    /// What is left to the goal of each mover, by slot. Empty if it has none.
    left_m: Vec<Vec<f64>>,
    /// How far those without a goal are in the way of the first one, by slot. Empty for the others.
    in_the_way_m: Vec<Vec<f64>>,
}

impl<'a> Search<'a> {
    fn new(bodies: &'a [Body], radii: f64, ground: &Grounds) -> Option<Self> {
        let (movers, walls): (Vec<_>, Vec<_>) = bodies.iter().enumerate().partition(|(_, body)| body.moves);
        let smallest_m = movers.iter().map(|(_, body)| body.radius_m).reduce(f64::min)?;
        if movers.len() > MOST_BODIES || bodies.len() > MOST_WALLS {
            return None;
        }
        let apart_m = radii * smallest_m.max(LEAST_RADIUS_M);
        // Among several classes, the places are those of the room's own walker, and each goes where it may.
        let first_class = movers.first().map(|(_, body)| body.class);
        let is_one_class = movers.iter().all(|(_, body)| Some(body.class) == first_class);
        let class = first_class.filter(|_| is_one_class).unwrap_or_default();
        let shared = ground.of(class);
        let mut slots = Slots::of(movers.iter().map(|(_, body)| body.at), apart_m);
        let goals: Vec<Option<Slot>> =
            movers.iter().map(|(_, body)| slots.add_way(body.at, &body.way, shared)).collect();
        slots.fill(shared);
        let ways = movers.iter().map(|(_, body)| {
            let walls = walls.iter().map(|(_, wall)| (wall.at, apart_m_of(body, wall)));
            let own = Some(ground.of(body.class)).filter(|_| body.class != class);
            slots.ways_past(walls, shared, own)
        });
        let ways = ways.collect();
        let left_m = goals.iter().map(|goal| goal.map_or_else(Vec::new, |goal| slots.distances_to(goal)));
        let left_m: Vec<Vec<f64>> = left_m.collect();
        let first = movers.iter().find(|(place, _)| *place == 0)?.1;
        let line = || std::iter::once(first.at.at).chain(first.way.iter().map(|at| at.at));
        let in_the_way_m = |(left_m, (_, body)): (&Vec<f64>, &(usize, &Body))| {
            let clear_m = first.radius_m + body.radius_m;
            let over_m = |at: &Position| clear_m - distance_sq_to_line(at.at, line()).sqrt();
            let slots = slots.at.iter().filter(|_| left_m.is_empty());
            slots.map(|at| over_m(at).max(0.0)).collect()
        };
        let in_the_way_m = left_m.iter().zip(&movers).map(in_the_way_m).collect();
        Some(Self { movers, slots, ways, left_m, in_the_way_m })
    }

    /// What is left to do: the way of all who have not arrived, and that of others out of the way.
    fn left_m(&self, positions: &Positions) -> f64 {
        let left_m = |mover: usize| {
            let slot = usize::from(positions.slots[mover]);
            let has_arrived = positions.arrived & 1 << mover != 0;
            let goal_m = self.left_m[mover].get(slot).filter(|_| !has_arrived);
            goal_m.copied().unwrap_or(0.0) + self.in_the_way_m[mover].get(slot).copied().unwrap_or(0.0)
        };
        (0..self.movers.len()).map(left_m).sum()
    }

    fn arrive(&self, mut positions: Positions) -> Positions {
        for (mover, (_, body)) in self.movers.iter().enumerate() {
            let left_m = &self.left_m[mover];
            if left_m.is_empty() || left_m[usize::from(positions.slots[mover])] == 0.0 {
                let has_left = body.leaves && !left_m.is_empty();
                positions.arrived |= 1 << mover;
                positions.left |= u8::from(has_left) << mover;
            }
        }
        positions
    }

    fn first(&self) -> Positions {
        let mut slots = [0; MOST_BODIES];
        (0..self.movers.len()).for_each(|mover| slots[mover] = mover as Slot);
        self.arrive(Positions { slots, arrived: 0, left: 0 })
    }

    /// Best first. All positions reached, and the one in which all have arrived.
    fn run(&self) -> Option<(Vec<Reached>, usize)> {
        let all = (1_u16 << self.movers.len()) - 1;
        let first = Reached { positions: self.first(), walked_m: 0.0, step: None };
        if !self.left_m(&first.positions).is_finite() {
            return None;
        }
        let (mut reached, mut seen) = (vec![first], BTreeSet::from([first.positions.key()]));
        let mut open = BinaryHeap::from([Reverse((0_u64, 0_usize))]);
        while let Some(Reverse((_, place))) = open.pop() {
            let here = reached[place];
            if u16::from(here.positions.arrived) == all {
                return Some((reached, place));
            }
            for mover in 0..self.movers.len() {
                for &(to, length_m) in &self.ways[mover][usize::from(here.positions.slots[mover])] {
                    if !self.may_move(&here.positions, mover, to) {
                        continue;
                    }
                    let mut positions = here.positions;
                    positions.slots[mover] = to;
                    let positions = self.arrive(positions);
                    if !seen.insert(positions.key()) {
                        continue;
                    }
                    let another_m =
                        if here.step.is_some_and(|(_, last)| last == mover) { 0.0 } else { ANOTHER_M };
                    let walked_m = here.walked_m + length_m + another_m;
                    let cost_m = walked_m + GREED * self.left_m(&positions);
                    open.push(Reverse((cost_m.to_bits(), reached.len())));
                    reached.push(Reached { positions, walked_m, step: Some((place, mover)) });
                    if reached.len() >= MOST_POSITIONS {
                        return None;
                    }
                }
            }
        }
        None
    }

    fn may_move(&self, positions: &Positions, mover: usize, to: Slot) -> bool {
        let (_, body) = self.movers[mover];
        let from = positions.slots[mover];
        let is_gone = |other: usize| positions.left & 1 << other != 0;
        if is_gone(mover) {
            return false;
        }
        let left_m = &self.left_m[mover];
        if body.goes_on && (left_m.is_empty() || left_m[usize::from(to)] >= left_m[usize::from(from)]) {
            return false;
        }
        self.movers.iter().enumerate().all(|(other, (_, third))| {
            let lets_pass =
                || self.slots.lets_pass((from, to), positions.slots[other], apart_m_of(body, third));
            other == mover || is_gone(other) || lets_pass()
        })
    }

    /// The steps that lead to a position, those of one body after another as one way.
    fn moves(&self, reached: &[Reached], last: usize) -> Vec<Move> {
        let mut steps: Vec<&Reached> =
            std::iter::successors(Some(&reached[last]), |here| Some(&reached[here.step?.0])).collect();
        steps.reverse();
        let mut moves: Vec<Move> = Vec::new();
        let mut last_mover = None;
        for (before, step) in steps.iter().zip(&steps[1..]) {
            let Some((_, mover)) = step.step else { continue };
            let at = self.slots.at[usize::from(step.positions.slots[mover])];
            let arrives = (step.positions.arrived & !before.positions.arrived) & 1 << mover != 0;
            match moves.last_mut().filter(|last| last_mover == Some(mover) && !last.arrives) {
                Some(last) => {
                    last.way.push(at);
                    last.arrives = arrives;
                }
                None => moves.push(Move { body: self.movers[mover].0, way: vec![at], arrives }),
            }
            last_mover = Some(mover);
        }
        moves
    }
}
