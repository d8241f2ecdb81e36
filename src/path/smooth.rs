//! From a path of nodes to the few points one walks to: string pulling, or divide and conquer, as the room has it.

use crate::room::Shortening;
use crate::space::{Ground, Node, Overlay};
use glam::DVec2;

/// The points of a path along some nodes. `from` and `to` are where it really begins and ends, if those places belong to the
/// first and the last node: in a grid they take the place of these, in a painted room they are before and behind them.
pub(super) fn points_along(
    ground: &Ground,
    way: &[Node],
    from: Option<DVec2>,
    to: Option<DVec2>,
) -> Vec<DVec2> {
    let mut points: Vec<DVec2> = way.iter().map(|&node| ground.centre(node)).collect();
    if !ground.nodes_are_cells() {
        points.splice(0..0, from);
        points.extend(to);
        points.dedup();
    } else {
        let last = to.or(points.last().copied());
        if let (Some(from), Some(first)) = (from, points.first_mut()) {
            *first = from;
        }
        match points.as_mut_slice() {
            [_, .., end] => *end = last.unwrap_or(*end),
            _ => points.extend(last),
        }
    }
    points
}

/// The points of a path that remain when it is made short; first and last are kept.
pub(super) fn shorten(ground: &Ground, points: &[DVec2], overlay: &Overlay) -> Vec<DVec2> {
    match ground.shortening() {
        Shortening::Pull => pull_string(ground, points, overlay),
        Shortening::Divide => {
            // What lies in one line was perhaps halved in the middle of it: again, until nothing more goes.
            let mut short = divide(ground, points, overlay);
            loop {
                let shorter = divide(ground, &short, overlay);
                if shorter.len() == short.len() {
                    return short;
                }
                short = shorter;
            }
        }
    }
}

/// A straight line from the first point to the last if one can walk it; else the same for each half of the points.
///
/// The shortening of the text that painted rooms come from, except that neighbouring points are always joined, so that it ends:
/// one can walk from each to the next, or there was no better way. By the triangle inequality the result is no longer than what
/// went in.
fn divide(ground: &Ground, points: &[DVec2], overlay: &Overlay) -> Vec<DVec2> {
    let Some(last) = points.len().checked_sub(1) else { return Vec::new() };
    let mut short = vec![points[0]];
    // Spans that are still to be joined, the first one on top.
    let mut spans = vec![(0, last)];
    while let Some((from, to)) = spans.pop() {
        if to <= from + 1 || ground.segment_clear_of(points[from], points[to], overlay) {
            short.extend((to > from).then_some(points[to]));
        } else {
            let middle = from.midpoint(to);
            spans.extend([(middle, to), (from, middle)]);
        }
    }
    short
}

/// The points of a path that remain when it is pulled tight; first and last are kept.
///
/// Greedy furthest-visible-point smoothing with an exact line of sight. Neighbouring points of a cell path always see each
/// other, so it ends after at most as many rounds as there are points. Because it starts at the real start, no first
/// waypoint is left over that a walker could skip: were the next one visible, it would have been chosen.
fn pull_string(ground: &Ground, points: &[DVec2], overlay: &Overlay) -> Vec<DVec2> {
    let Some(last) = points.len().checked_sub(1) else { return Vec::new() };
    let mut pulled = vec![points[0]];
    let mut at = 0;
    while at < last {
        let sees = |&next: &usize| ground.segment_clear_of(points[at], points[next], overlay);
        at = (at + 2..=last).rev().find(sees).unwrap_or(at + 1);
        pulled.push(points[at]);
    }
    pulled
}
