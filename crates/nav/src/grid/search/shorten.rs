//! Path shortening: from a path of nodes to its few waypoints. Two methods, chosen by [`Shortening`]: greedy
//! line-of-sight smoothing, and divide and conquer.

use super::raw_path::RawPath;
use super::trace::{add_pulled, take_points, tried};
use crate::grid::{Grid, GridPoint, Overlay, Shadow};
use crate::nav::{Disc, PathTrace};
use crate::room::Shortening;
use glam::DVec2;

/// Scratch buffers of divide and conquer shortening.
#[derive(Debug, Clone, Default)]
pub(super) struct Halves {
    short: Vec<DVec2>,
    /// Stack of the spans still to be joined, the first one on top.
    spans: Vec<(usize, usize)>,
}

/// Sets `points` to the points of the shortened path, in metres. The first and the last point of the raw path are
/// kept. New segments keep clear of the overlay.
pub(super) fn shorten(
    ground: &Grid,
    raw: &RawPath,
    overlay: &Overlay,
    points: &mut Vec<DVec2>,
    halves: &mut Halves,
) {
    match ground.shortening() {
        Shortening::Pull => {
            pull_string(ground, raw, points, |at| furthest_in_sight(ground, raw, at, overlay));
        }
        Shortening::Divide => divide_all(ground, raw, overlay, (points, halves), |_, _, _| {}),
    }
}

/// Like [`shorten`], with the discs of characters as obstacles. Only discs near the path are tested.
pub(super) fn shorten_past(
    ground: &Grid,
    raw: &RawPath,
    others: &[Disc],
    points: &mut Vec<DVec2>,
    halves: &mut Halves,
) {
    let near: Vec<Disc> =
        ground.discs_in(others, raw.around(ground)).map(|place| others[place as usize]).collect();
    if ground.shortening() == Shortening::Divide {
        let overlay = ground.overlay_for_sight(&near);
        return divide_all(ground, raw, &overlay, (points, halves), |_, _, _| {});
    }
    let mut hiding = Hiding::default();
    pull_string(ground, raw, points, |at| {
        loop {
            // Discs are added lazily, when they block the chosen line. The others cannot change the result.
            let place = furthest_in_sight(ground, raw, at, &hiding.overlay)?;
            if !hiding.add_those_between(ground, &near, at.spot(raw), place.spot(raw)) {
                return Some(place);
            }
        }
    });
}

/// Records the points of a raw path, and the lines of sight that shortening to `points` tested.
pub(super) fn explain_shortening(
    ground: &Grid,
    raw: &RawPath,
    others: &[Disc],
    points: &[DVec2],
    trace: &mut PathTrace,
) {
    take_points(trace, ground, raw);
    let overlay = ground.overlay_for_sight(others);
    match ground.shortening() {
        Shortening::Pull => add_pulled(trace, ground, points, &overlay),
        Shortening::Divide => {
            let (mut again, mut halves) = (Vec::new(), Halves::default());
            divide_all(ground, raw, &overlay, (&mut again, &mut halves), |from, to, clear| {
                trace.tries.push(tried(ground, from, to, clear));
            });
        }
    }
}

/// Blocking discs found so far, and their overlay.
#[derive(Default)]
struct Hiding {
    discs: Vec<Disc>,
    overlay: Overlay,
}

impl Hiding {
    /// Adds the discs that block the line between two points. Returns whether any of them is new.
    fn add_those_between(&mut self, ground: &Grid, others: &[Disc], from: GridPoint, to: GridPoint) -> bool {
        let before = self.discs.len();
        let line = [from, to].map(|spot| ground.point_at(spot));
        for disc in ground.discs_near(others, &line).map(|place| others[place as usize]) {
            if !self.discs[..before].contains(&disc)
                && !ground.clear_of(from, to, &ground.overlay_for_sight(&[disc]))
            {
                self.discs.push(disc);
            }
        }
        let more = self.discs.len() > before;
        if more {
            self.overlay = ground.overlay_for_sight(&self.discs);
        }
        more
    }
}

/// Repeats the division until no point is removed. Calls `tried` for every line of sight tested: its two ends, and
/// whether it is clear.
fn divide_all(
    ground: &Grid,
    raw: &RawPath,
    overlay: &Overlay,
    (points, halves): (&mut Vec<DVec2>, &mut Halves),
    mut tried: impl FnMut(DVec2, DVec2, bool),
) {
    let mut sees = |from: DVec2, to: DVec2| {
        let clear = ground.segment_clear_of(from, to, overlay);
        tried(from, to, clear);
        clear
    };
    points.clear();
    points.extend(raw.spots().map(|spot| ground.point_at(spot)));
    raw.restore_ends(points);
    // A division may split a straight stretch in its middle. Another pass can join the halves.
    loop {
        let before = points.len();
        divide(points, &mut sees, halves);
        std::mem::swap(points, &mut halves.short);
        if points.len() == before {
            return drop_needless(points, sees);
        }
    }
}

/// Divide and conquer shortening: a straight line from the first point to the last if it is clear, otherwise the same
/// for each half of the points.
///
/// Neighbouring points are joined without a test, so the division ends. They are joined in the raw path already. By
/// the triangle inequality the result is no longer than the input.
fn divide(
    points: &[DVec2],
    sees: &mut impl FnMut(DVec2, DVec2) -> bool,
    Halves { short, spans }: &mut Halves,
) {
    short.clear();
    spans.clear();
    short.extend(points.first());
    spans.extend(points.len().checked_sub(1).map(|last| (0, last)));
    while let Some((from, to)) = spans.pop() {
        if to <= from + 1 || sees(points[from], points[to]) {
            short.extend((to > from).then_some(points[to]));
        } else {
            let middle = from.midpoint(to);
            spans.extend([(middle, to), (from, middle)]);
        }
    }
}

/// Removes points whose neighbours see each other. Splits can leave such redundant points.
fn drop_needless(points: &mut Vec<DVec2>, mut sees: impl FnMut(DVec2, DVec2) -> bool) {
    let mut at = 1;
    while at + 1 < points.len() {
        if sees(points[at - 1], points[at + 1]) {
            points.remove(at);
            at = (at - 1).max(1);
        } else {
            at += 1;
        }
    }
}

/// Greedy line-of-sight smoothing, called string pulling on grids. From each point, it jumps to the furthest visible
/// point of the raw path. The result need not be taut. The first and the last point are kept.
///
/// It terminates, because each round advances by at least one point: the next point of the raw path needs no test.
fn pull_string(
    ground: &Grid,
    raw: &RawPath,
    pulled: &mut Vec<DVec2>,
    mut furthest_from: impl FnMut(PointRef) -> Option<PointRef>,
) {
    pulled.clear();
    let Some(first) = raw.runs().first() else { return };
    pulled.push(ground.point_at(first.point(0)));
    let mut at = PointRef { run: 0, index: 0 };
    while let Some(next) = at.next(raw) {
        at = furthest_from(at).unwrap_or(next);
        pulled.push(ground.point_at(at.spot(raw)));
    }
    raw.restore_ends(pulled);
}

/// A point of a raw path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct PointRef {
    run: usize,
    index: u32,
}

impl PointRef {
    fn next(self, raw: &RawPath) -> Option<Self> {
        let Self { run, index } = self;
        match index + 1 < raw.runs()[run].len {
            true => Some(Self { run, index: index + 1 }),
            false => (run + 1 < raw.runs().len()).then_some(Self { run: run + 1, index: 0 }),
        }
    }

    fn spot(self, raw: &RawPath) -> GridPoint {
        raw.runs()[self.run].point(self.index)
    }
}

/// Recent occlusion wedges kept per viewpoint. They are tested before a line of sight is computed. A wall is many
/// runs of cells, but only a few of them face one viewpoint.
const SHADOWS: usize = 4;

/// The furthest point after `at` that is visible from `at`. `None` if no point after the next one is visible. Points
/// in a kept wedge need no line-of-sight test.
fn furthest_in_sight(ground: &Grid, raw: &RawPath, at: PointRef, overlay: &Overlay) -> Option<PointRef> {
    let from = at.spot(raw);
    let mut shadows: [Option<Shadow>; SHADOWS] = [None; SHADOWS];
    let mut oldest = 0;
    // The next point of the raw path counts as visible.
    let least = at.next(raw)?;
    let mut run = raw.runs().len();
    while run > least.run {
        // Skip whole chunks inside one wedge.
        let chunk = raw.chunk_before(run).filter(|(begin, _)| *begin > least.run);
        if let Some((begin, corners)) = chunk
            && shadows.iter().flatten().any(|shadow| shadow.holds_all(&corners))
        {
            run = begin;
            continue;
        }
        run -= 1;
        let stretch = &raw.runs()[run];
        let begin = if run == least.run { least.index + 1 } else { 0 };
        let mut end = stretch.len;
        while end > begin {
            let to = stretch.point(end - 1);
            if let Some(shadow) = shadows.iter().flatten().find(|shadow| shadow.holds(to)) {
                end -= shadow.holds_last(stretch.point(begin), to, end - 1 - begin);
                continue;
            }
            match ground.look(from, to, overlay) {
                Ok(()) => return Some(PointRef { run, index: end - 1 }),
                Err(None) => {}
                Err(shadow) => {
                    shadows[oldest] = shadow;
                    oldest = (oldest + 1) % SHADOWS;
                }
            }
            end -= 1;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::search::{NodeSearch, RouteSearch, SearchMemory};
    use crate::nav::Position;
    use crate::nav::Query;
    use crate::room::{GridCells, GroundSettings, Room};
    use glam::dvec2;
    use proptest::prelude::*;
    use std::sync::Arc;

    /// Reference implementation: tests every point, from the last one back.
    fn pull_by_trying_all(ground: &Grid, raw: &RawPath, overlay: &Overlay) -> Vec<DVec2> {
        let points: Vec<DVec2> = raw.spots().map(|spot| ground.point_at(spot)).collect();
        let mut pulled = vec![points[0]];
        let mut at = 0;
        while at + 1 < points.len() {
            let sees = |&to: &usize| ground.segment_clear_of(points[at], points[to], overlay);
            at = (at + 2..points.len()).rev().find(sees).unwrap_or(at + 1);
            pulled.push(points[at]);
        }
        pulled
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]

        #[test]
        fn pulling_gives_what_trying_every_point_gives(
            cells in prop::collection::vec(0_u32..100, 70 * 70), open in 65_u32..99,
            ends in (0.0..70.0, 0.0..70.0, 0.0..70.0, 0.0..70.0),
            discs in prop::collection::vec((0.0..70.0, 0.0..70.0, 0.3..3.0), 0..6),
        ) {
            let mut words = vec![0_u64; 2 * 70];
            for (index, _) in cells.iter().enumerate().filter(|(_, cell)| **cell < open) {
                words[index / 70 * 2 + index % 70 / 64] |= 1 << (index % 70 % 64);
            }
            let grid = Some(Arc::new(GridCells::from_words(DVec2::ZERO, 70, 70, words)));
            let settings = GroundSettings { cell_size_m: 1.0, ..GroundSettings::default() };
            let ground = Grid::new(&Room { grid, ground: settings, ..Room::default() }).unwrap();
            let discs: Vec<Disc> =
                discs.into_iter().map(|(x, z, radius_m)| Disc { centre: Position::on_ground(dvec2(x, z)), radius_m }).collect();
            let (from, to) = (dvec2(ends.0, ends.1), dvec2(ends.2, ends.3));
            let query = Query::new(from, to).with_snap_m(9.0).with_obstacles(discs.clone());
            let overlay = ground.overlay(&discs);
            let (Some(start), Some(goal)) = (ground.nearest(from, 9.0, &overlay), ground.nearest(to, 9.0, &overlay)) else {
                return Ok(());
            };
            let memory = SearchMemory::default();
            let mut search = NodeSearch::new(&ground, start, goal, to, &overlay, memory);
            search.advance(&ground, &overlay, u64::MAX);
            if search.reached() {
                let (mut turns, mut raw, mut pulled) = (Vec::new(), RawPath::default(), Vec::new());
                search.turns(&ground, &mut turns);
                raw.lay(&ground, &turns, None, None);
                let expected = pull_by_trying_all(&ground, &raw, &overlay);
                pull_string(&ground, &raw, &mut pulled, |at| furthest_in_sight(&ground, &raw, at, &overlay));
                prop_assert_eq!(&pulled, &expected);
                // Adding discs lazily gives the same result.
                shorten_past(&ground, &raw, &discs, &mut pulled, &mut Halves::default());
                prop_assert_eq!(pulled, expected);
            }
            let mut route = RouteSearch::new(&ground, &query, None, SearchMemory::default());
            route.advance(&ground, &query, u64::MAX);
            route.finish(&ground, &query, None);
        }
    }
}
