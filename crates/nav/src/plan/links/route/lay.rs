//! The end of the search for a route: its paths, or the nearest place if no route leads to the goal.

use super::{Pair, Route, SAME_M, Scope, Stage};
use crate::nav::{Outcome, Path, Position};
use crate::plan::links::joined::{Stretch, joined};
use crate::surface::Surface;

impl Route {
    /// No route leads to the goal. The nearest place may be on ground that only links lead to.
    pub(super) fn no_route(&mut self, ground: &Surface) {
        let mut seen = vec![self.start];
        let mut exits = Vec::new();
        for (index, way) in self.ways.iter().enumerate().filter(|(index, _)| self.settled[*index].is_some()) {
            let joined =
                |at: &Position| !ground.never_reaches(*at, way.exit) && !ground.never_reaches(way.exit, *at);
            if !seen.iter().any(joined) {
                seen.push(way.exit);
                exits.push(index as u32);
            }
        }
        self.stage = match self.direct.outcome {
            Outcome::Partial if !exits.is_empty() && self.scope == Scope::Links => Stage::Approaching(exits),
            _ => Stage::Done,
        };
    }

    pub(super) fn choose_nearest(&mut self) {
        let missed = |(&(from, to), path): (&Pair, &Path)| {
            let way = from.filter(|_| to.is_none())?;
            Some((path.missed_by_m, self.cost_to_m(Some(way)), way))
        };
        let nearer = |a: &(f64, f64, u32), b: &(f64, f64, u32)| {
            a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2))
        };
        let nearest = self.paths.iter().filter_map(missed).min_by(nearer);
        match nearest.filter(|(missed_m, ..)| *missed_m < self.direct.missed_by_m - SAME_M) {
            Some((_, _, way)) => self.lay(Some(way)),
            None => self.stage = Stage::Done,
        }
    }

    /// The route is known by its last way: finds the paths that are not known yet.
    pub(super) fn lay(&mut self, last: Option<u32>) {
        let mut pairs = vec![(last, None)];
        let mut at = last;
        while let Some(way) = at {
            let before = self.settled[way as usize].and_then(|settled| settled.before);
            pairs.push((before, Some(way)));
            at = before;
        }
        pairs.reverse();
        self.route.clone_from(&pairs);
        pairs.retain(|pair| !self.paths.contains_key(pair) && !self.is_joint(*pair));
        self.stage = Stage::Laying(pairs);
    }

    /// Takes the path over the route, or the direct one.
    pub(super) fn laid(&mut self, ground: &Surface) -> Path {
        let mut paths = std::mem::take(&mut self.paths);
        let stretch = |pair: &Pair| -> Option<Stretch> {
            let path = paths.remove(pair);
            let way = pair.1.map(|way| self.ways[way as usize]);
            (path.is_some() || self.is_joint(*pair)).then_some((path, way))
        };
        let route = self.route.iter().map(stretch).collect::<Option<Vec<_>>>();
        let direct = std::mem::replace(&mut self.direct, Path::empty());
        let Some(route) = route.filter(|route| !route.is_empty()) else { return direct };
        let path = joined(ground, route);
        if self.scope == Scope::Links || direct.outcome == Outcome::Complete {
            return path;
        }
        // It leads where the direct path leads.
        let Path { outcome, reason, closed_area, to, snapped_to, missed_by_m, step, .. } = direct;
        Path { outcome, reason, closed_area, to, snapped_to, missed_by_m, step, ..path }
    }
}
