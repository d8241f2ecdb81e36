//! One path of several: over the ground, over links, along waypaths.

use super::{Over, Way};
use crate::nav::{LinkCrossing, Path, Step, WaypathStep};
use crate::plan::waypaths::WaypathPart;
use crate::surface::Surface;

/// A path, and the way after it. No path leads from a part of a waypath to the next one.
pub(super) type Stretch = (Option<Path>, Option<Way>);

/// A path under construction.
struct Joined<'a> {
    ground: &'a Surface,
    path: Path,
    /// The number of polygons at the beginning of the leg.
    leg_floors: usize,
    /// Whether the polygons of the leg are known. Those under waypaths are not.
    has_floors: bool,
}

/// One path of several, each followed by a way, but for the last.
pub(super) fn joined(ground: &Surface, stretches: Vec<Stretch>) -> Path {
    let mut whole = Joined { ground, path: Path::empty(), leg_floors: 0, has_floors: true };
    let mut is_first = true;
    for (path, way) in stretches {
        let walks = path.is_some();
        if let Some(path) = path {
            whole.walk(path, std::mem::take(&mut is_first));
        }
        match way {
            Some(way) => match way.over {
                Over::Link(_) => whole.cross(way),
                Over::Waypath(part) => whole.go_along(way, part, walks),
            },
            None => break,
        }
    }
    whole.stay_at_the_end();
    whole.path
}

impl Joined<'_> {
    /// Adds a path over the ground.
    fn walk(&mut self, mut path: Path, is_first: bool) {
        if !is_first {
            let before = std::mem::replace(&mut self.path, Path::empty());
            // A path that begins where it ends is that place.
            let stays = !self.has_floors && path.waypoints.len() == 1;
            if stays && path.waypoints.first() == before.waypoints.last() {
                path.waypoints.clear();
            }
            path.waypoints.splice(0..0, before.waypoints);
            match self.has_floors {
                true => drop(path.corridor.splice(0..0, before.corridor)),
                false => path.corridor = before.corridor,
            }
            path.crossings = before.crossings;
            path.steps = before.steps;
            path.cost_cells += before.cost_cells;
            path.length_m += before.length_m;
            path.expansions += before.expansions;
            path.step = match (before.step, path.step) {
                (_, Step::Nearest) => Step::Nearest,
                (Step::Ignoring, _) | (_, Step::Ignoring) => Step::Ignoring,
                _ => Step::Avoiding,
            };
        }
        self.path = path;
    }

    /// Goes to the entry of a way.
    fn come_to(&mut self, way: Way) {
        if self.path.waypoints.last() != Some(&way.entry) {
            self.path.waypoints.push(way.entry);
        }
        self.path.cost_cells += way.cost_m / self.ground.cost_unit_m();
    }

    /// Adds a crossing, and begins another leg.
    fn cross_over(&mut self, over: crate::nav::LinkWay, way: Way) {
        let path = &mut self.path;
        let (waypoint, floors) = (path.waypoints.len() - 1, path.corridor.len());
        path.crossings.push(LinkCrossing { way: over, waypoint, floors });
        path.waypoints.push(way.exit);
        (self.leg_floors, self.has_floors) = (floors, true);
    }

    fn cross(&mut self, way: Way) {
        self.come_to(way);
        if let Over::Link(over) = way.over {
            self.cross_over(over, way);
        }
    }

    /// Adds a part of a waypath.
    fn go_along(&mut self, way: Way, part: WaypathPart, walked: bool) {
        let is_there = self.path.waypoints.last() == Some(&way.entry);
        self.come_to(way);
        let entry = self.path.waypoints.len() - 1;
        let step = |waypoint, point, along| WaypathStep {
            waypoint,
            waypath: part.waypath,
            point,
            along,
            leaves: along,
        };
        let is_on_it = |last: &WaypathStep| last.waypoint == entry && last.waypath == part.waypath;
        let steps = &mut self.path.steps;
        match steps.last_mut().filter(|last| is_there && !walked && is_on_it(last)) {
            Some(last) => last.leaves = false,
            None => steps.push(step(entry, part.from, false)),
        }
        if let Some(jump) = part.jump {
            self.cross_over(jump, way);
        } else {
            self.skip_joint(way);
            self.path.corridor.truncate(self.leg_floors);
            self.has_floors = false;
            self.path.length_m += way.entry.distance(way.exit);
            self.path.waypoints.push(way.exit);
        }
        let exit = self.path.waypoints.len() - 1;
        self.path.steps.push(step(exit, part.to, true));
    }

    /// A path that ends on a waypath does not leave it there.
    fn stay_at_the_end(&mut self) {
        let waypoints = &self.path.waypoints;
        let is_end = |step: &WaypathStep| {
            let mut rest = waypoints[step.waypoint..].iter();
            rest.next().is_some_and(|at| rest.all(|other| other == at))
        };
        if let Some(last) = self.path.steps.last_mut().filter(|last| is_end(last)) {
            last.leaves = false;
        }
    }

    /// A joint between two waypoints that the path goes straight through is no waypoint of the path.
    fn skip_joint(&mut self, way: Way) {
        let path = &mut self.path;
        let is_between = path.steps.last().is_some_and(|last| last.along && last.point.is_none());
        let before = path.waypoints.len().checked_sub(2).map(|before| path.waypoints[before]);
        if is_between && before.is_some_and(|before| self.ground.segment_clear(before, way.exit)) {
            path.waypoints.pop();
            path.steps.pop();
        }
    }
}
