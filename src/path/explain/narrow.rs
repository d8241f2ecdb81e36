//! The narrowest place of the widest way.

use super::budget::Budget;
use crate::space::{Ground, Node, Reach, Wall, WallOf};
use glam::DVec2;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Where the widest way is narrowest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pinch {
    /// The middle of it.
    pub(super) at: DVec2,
    /// The share of the distance to walls that is kept there, 0 to 1.
    pub(super) share: f64,
}

/// What is left and right of a pinch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Gap {
    /// Of whom the sides are.
    pub(super) between: [WallOf; 2],
    /// From one to the other, in metres.
    pub(super) width_m: f64,
    /// At any greater width, one gets through wherever the cells happen to lie.
    pub(super) needed_m: f64,
}

/// The narrowest place of the way from `start` to `goal` that keeps the greatest share of the wanted distance to all walls
/// throughout. `bare` is the ground for those who keep no distance, on which there is a way.
///
/// Grows from the start like water: all of the ground that is reached costs nothing, and of the cells beside it the one with
/// the greatest share is wetted next.
pub(super) fn narrowest(
    (ground, bare): (&Ground, &Ground),
    (start, goal): (Node, Node),
    walls: &[Wall],
    budget: &mut Budget,
) -> Option<Pinch> {
    let mut reach = Reach::new(ground, budget.left());
    // Narrow nodes: how narrow, and over which other one they were found.
    let mut narrow: BTreeMap<Node, (f64, Option<Node>)> = BTreeMap::new();
    let mut rim = BinaryHeap::new();
    let mut from = (start, None);
    loop {
        let mut beside = Vec::new();
        let work = reach.work();
        reach.spread_to_rim(ground, bare, from.0, |node| beside.push(node));
        budget.pay(reach.work() - work)?;
        if reach.holds(ground, goal) {
            break;
        }
        for node in beside {
            if let std::collections::btree_map::Entry::Vacant(entry) = narrow.entry(node) {
                budget.pay(1 + walls.len() as u64 / 16)?;
                let share = share_at(ground.centre(node), walls);
                // No share is negative, so their bits order as they do. Of equals, the first found is nearest.
                rim.push((share.to_bits(), Reverse(rim.len()), node));
                entry.insert((share, from.1));
            }
        }
        loop {
            let (_, _, node) = rim.pop()?;
            if !reach.holds(ground, node) {
                from = (node, Some(node));
                break;
            }
        }
    }
    let mut way = Vec::new();
    while let Some((node, &(share, before))) = from.1.and_then(|node| Some((node, narrow.get(&node)?))) {
        way.push((node, share));
        from.1 = before;
    }
    let least = way.iter().map(|&(_, share)| share).min_by(f64::total_cmp)?;
    let tight: Vec<usize> = (0..way.len()).filter(|&i| way[i].1 <= least * (1.0 + 1e-9)).collect();
    // A long narrow passage is looked at in its middle, where its ends do not matter.
    let first = tight[0];
    let passage = tight.iter().zip(first..).take_while(|(place, index)| **place == *index).count();
    Some(Pinch { at: ground.centre(way[first + passage / 2].0), share: least })
}

/// What makes the pinch narrow. `None` if it is nothing as simple as two sides that are too near to each other.
pub(super) fn gap_at(at: DVec2, walls: &[Wall], cell_size_m: f64) -> Option<Gap> {
    let near = *walls
        .iter()
        .filter(|wall| wall.keep_off_m > 0.0)
        .min_by(|a, b| (distance(a, at) / a.keep_off_m).total_cmp(&(distance(b, at) / b.keep_off_m)))?;
    let a = near.part.closest(at);
    let opposite = |wall: &&Wall| {
        let b = wall.part.closest(at);
        if wall.of == near.of { (a - at).dot(b - at) < 0.0 } else { (b - a).dot(at - a) > 0.0 }
    };
    let slack = |wall: &Wall| distance(wall, at) - wall.keep_off_m;
    let far = *walls.iter().filter(opposite).min_by(|a, b| slack(a).total_cmp(&slack(b)))?;
    // The cell is not exactly between them: neighbouring edges of the same two things may be nearer to each other.
    let beside = |wall: &Wall, one: &Wall| {
        *wall == *one
            || near.of != far.of && wall.of == one.of && distance(wall, at) <= distance(one, at) + cell_size_m
    };
    let ours = walls.iter().filter(|wall| beside(wall, &near));
    let theirs = || walls.iter().filter(|wall| beside(wall, &far)).filter(opposite);
    let pairs = ours.flat_map(|one| theirs().map(move |other| between(one, other)));
    let across = pairs.min_by(|a, b| a.length_squared().total_cmp(&b.length_squared()))?;
    let along = across.try_normalize()?.abs();
    let width_m = across.length();
    // A strip holds a chain of cells, wherever they lie, if it is as wide as a cell seen from the side.
    let needed_m = near.keep_off_m + far.keep_off_m + (along.x + along.y) * cell_size_m;
    (width_m <= needed_m).then_some(Gap {
        between: [near.of.min(far.of), near.of.max(far.of)],
        width_m,
        needed_m,
    })
}

/// The smallest share of its distance that some wall gets.
pub(super) fn share_at(point: DVec2, walls: &[Wall]) -> f64 {
    let shares = walls.iter().filter(|wall| wall.keep_off_m > 0.0);
    shares.map(|wall| distance(wall, point) / wall.keep_off_m).fold(1.0, f64::min)
}

/// How far a point is from a wall, in metres.
pub(super) fn distance(wall: &Wall, point: DVec2) -> f64 {
    wall.part.distance_sq(point).sqrt()
}

/// The shortest way from one wall to another that does not cross it.
fn between(one: &Wall, other: &Wall) -> DVec2 {
    let ((a, b), (c, d)) = (one.part.ends(), other.part.ends());
    let there = [a, b].map(|end| other.part.closest(end) - end);
    let back = [c, d].map(|end| end - one.part.closest(end));
    let shorter = |x: DVec2, y: DVec2| if y.length_squared() < x.length_squared() { y } else { x };
    there.into_iter().chain(back).fold(DVec2::INFINITY, shorter)
}
