//! Contact: nobody walks into anybody, and nobody is pushed into anybody.

use crate::crowd::Neighbours;
use crate::nav::Position;
use crate::surface::Surface;
use glam::DVec2;

/// How deep bodies may overlap, in metres. Within it they push each other, so that a jam at a door comes apart.
pub(crate) const MAX_OVERLAP_M: f64 = 0.03;

/// A move is turned along this many bodies. If it still leads into one, it is not made.
const MOST_TURNS: usize = 2;

/// Smaller differences are rounding errors.
const TINY_SQ: f64 = 1e-12;

/// A body that is about to move.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mover {
    /// Its index among all.
    pub(crate) index: u32,
    /// Where it is.
    pub(crate) from: Position,
    /// Its radius.
    pub(crate) radius_m: f64,
}

/// The bodies among which one moves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Among<'a> {
    /// Their present places.
    pub(crate) neighbours: &'a Neighbours,
    /// The largest radius.
    pub(crate) widest_m: f64,
    /// How far they have moved at most since the neighbours were sorted into buckets.
    pub(crate) moved_m: f64,
}

/// What is left of the move `by`, so that no two bodies come to overlap by more than [`MAX_OVERLAP_M`]; and the first
/// body in the way. The move is turned along bodies. A move that leads away from a body is always free. Bodies that overlap
/// by more than twice as much already, as those that were put into one place, move as they are pushed.
///
/// `other` gives place and radius of a body; `None` if it is in nobody's way.
pub(crate) fn keep_off(
    mover: Mover,
    by: DVec2,
    among: Among<'_>,
    other: impl Fn(u32) -> Option<(Position, f64)>,
    ground: &Surface,
) -> (DVec2, Option<u32>) {
    let Mover { index, from, radius_m } = mover;
    let Among { neighbours, widest_m, moved_m } = among;
    let reach_m = radius_m + widest_m + by.length();
    // The deepest of the bodies that a move leads into, with the way from it to here. The lower index is first of two.
    let in_the_way = |by: DVec2| {
        let mut deepest: Option<(f64, u32, DVec2, f64)> = None;
        neighbours.near(from.at, reach_m, moved_m, |candidate| {
            let Some((at, other_radius_m)) = other(candidate).filter(|_| candidate != index) else { return };
            let clear_m = radius_m + other_radius_m - MAX_OVERLAP_M;
            let before = from.at - at.at;
            let after_sq = (before + by).length_squared();
            let is_heap = before.length_squared() < (clear_m - MAX_OVERLAP_M) * (clear_m - MAX_OVERLAP_M);
            let leads_in = after_sq < clear_m * clear_m - TINY_SQ && by.dot(before) < -TINY_SQ && !is_heap;
            if leads_in && ground.floors_touch(from, at) {
                let depth_m = clear_m - after_sq.sqrt();
                if deepest.is_none_or(|(most_m, first, ..)| {
                    depth_m > most_m || depth_m == most_m && candidate < first
                }) {
                    deepest = Some((depth_m, candidate, before, clear_m));
                }
            }
        });
        deepest
    };
    let (mut by, mut first) = (by, None);
    for turn in 0..=MOST_TURNS {
        let Some((_, body, before, clear_m)) = in_the_way(by) else { break };
        first = first.or(Some(body));
        if turn == MOST_TURNS {
            by = DVec2::ZERO;
        } else {
            // It goes as near as it may.
            let away = before.normalize_or_zero();
            let left_m = (before.length() - clear_m).max(0.0);
            by -= away * (by.dot(away) + left_m).min(0.0);
        }
    }
    (by, first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::room::{Area, Room};
    use glam::dvec2;

    /// A body at the origin wants to make a step among others, all with a radius of 0.3 m.
    fn step(by: DVec2, others: &[DVec2]) -> (DVec2, Option<u32>) {
        let corners = [(-9.0, -9.0), (9.0, -9.0), (9.0, 9.0), (-9.0, 9.0)].map(DVec2::from);
        let room = Room { areas: vec![Area::new("hall", corners.to_vec())], ..Room::default() };
        let ground = Surface::new(&room).unwrap();
        let places: Vec<DVec2> = std::iter::once(DVec2::ZERO).chain(others.iter().copied()).collect();
        let mut neighbours = Neighbours::default();
        neighbours.rebuild(places.iter().copied(), 1.0);
        let mover = Mover { index: 0, from: ground.locate(DVec2::ZERO), radius_m: 0.3 };
        let other = |index: u32| Some((ground.locate(places[index as usize]), 0.3));
        let among = Among { neighbours: &neighbours, widest_m: 0.3, moved_m: 0.0 };
        keep_off(mover, by, among, other, &ground)
    }

    #[test]
    fn a_step_is_turned_along_a_body_and_ends_between_two() {
        let by = dvec2(0.02, 0.0);
        assert_eq!(step(by, &[dvec2(0.7, 0.0)]), (by, None), "there is room");
        assert_eq!(step(by, &[dvec2(-0.4, 0.0)]), (by, None), "away from a body that is too near");
        let (left, first) = step(by, &[dvec2(0.57, 0.0)]);
        assert!(left.length() < 1e-9 && first == Some(1), "straight ahead: {left}");
        let (left, _) = step(dvec2(0.08, 0.0), &[dvec2(0.62, 0.0)]);
        assert!((left.x - 0.05).abs() < 1e-9, "as near as it may: {left}");
        assert_eq!(step(by, &[dvec2(0.3, 0.0)]).0, by, "out of a heap it goes as it is pushed");
        let aslant = dvec2(0.4, 0.4);
        let (left, first) = step(by, &[aslant]);
        assert!(left.dot(aslant).abs() < 1e-9 && left.length() > 0.01 && first == Some(1), "along: {left}");
        let (left, _) = step(by, &[aslant, dvec2(0.4, -0.4)]);
        assert!(left.length() < 1e-9, "no gap between them: {left}");
    }
}
