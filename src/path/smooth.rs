//! String pulling: from each corner straight on to the furthest point in sight.

use crate::space::{Ground, Overlay};
use glam::DVec2;

/// The points of a path that remain when it is pulled tight; first and last are kept.
///
/// Greedy furthest-visible-point smoothing with an exact line of sight. Neighbouring points of a cell path always see each
/// other, so it ends after at most as many rounds as there are points. Because it starts at the real start, no first
/// waypoint is left over that a walker could skip: were the next one visible, it would have been chosen.
pub(super) fn pull_string(ground: &Ground, points: &[DVec2], overlay: &Overlay) -> Vec<DVec2> {
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
