//! A path being followed: its waypoints and the index of the next one.

use super::{Change, FloorId, LinkWay, Path, Position, WaypathId, WaypathStep};
use crate::geometry::{distance_sq_to_segment, rect_distance};
use glam::DVec2;
use serde::{Deserialize, Serialize};

/// A path being followed. The walker goes straight from one waypoint to the next. On meshes it also keeps the polygons
/// that the path goes through, as Detour's path corridor does, so that the path can be mended without a search.
///
/// A path over links has several legs. The waypoints and polygons are those of the leg that the walker is on: it ends
/// where the next link begins. The later legs are kept apart.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Corridor {
    /// All waypoints, including those already reached.
    waypoints: Vec<Position>,
    /// Index of the next waypoint.
    next: usize,
    /// The polygons of the path, from where it was found or mended last. Empty on ground without any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    floors: Vec<FloorId>,
    /// The legs after the next links, the next one last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    later: Vec<LaterLeg>,
    /// Whether the waypoints of this leg are points of a curve.
    #[serde(default, skip_serializing_if = "is_false")]
    is_curved: bool,
    /// The waypoints of this leg that lie on waypaths, those already taken excluded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    steps: Vec<WaypathStep>,
    #[serde(skip)]
    leg: Leg,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde wants it so
fn is_false(flag: &bool) -> bool {
    !*flag
}

/// A leg of a path after a link.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct LaterLeg {
    /// The link before the leg.
    way: LinkWay,
    /// Where the crossing of the link ends.
    exit: Position,
    /// The cost of the crossing, in metres.
    cost_m: f64,
    waypoints: Vec<Position>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    floors: Vec<FloorId>,
    #[serde(default, skip_serializing_if = "is_false")]
    is_curved: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    steps: Vec<WaypathStep>,
}

/// Cached next waypoint and remaining length, derived from `waypoints` and `next`. Every tick needs both; the cache
/// avoids accessing the waypoint list.
#[derive(Debug, Clone, Copy, Default)]
struct Leg {
    /// The next waypoint.
    to: Position,
    /// Path length from the next waypoint to the last one of the leg, in metres.
    then_m: f64,
    /// Length of the later legs, and the cost of their links.
    later_m: f64,
}

impl PartialEq for Leg {
    /// Ignored in comparisons: a deserialised corridor has no cache before [`Corridor::settle`].
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Corridor {
    /// A path to be followed from its first waypoint.
    pub fn new(waypoints: Vec<Position>) -> Self {
        Self::through(Vec::new(), waypoints)
    }

    /// A path through these polygons.
    pub fn through(floors: Vec<FloorId>, waypoints: Vec<Position>) -> Self {
        let mut corridor = Self { waypoints, floors, ..Self::default() };
        corridor.settle();
        corridor
    }

    /// The corridor of a path that has waypoints. `cost_m` gives the cost of a crossing, in metres.
    pub fn of_path(path: Path, mut cost_m: impl FnMut(LinkWay) -> f64) -> Self {
        let Path { mut waypoints, corridor: mut floors, crossings, mut steps, .. } = path;
        let mut later = Vec::new();
        for crossing in crossings.iter().rev() {
            let first = (crossing.waypoint + 1).min(waypoints.len());
            let mut after = waypoints.split_off(first);
            let exit = after.first().copied().unwrap_or_default();
            let mut steps = steps.split_off(steps.partition_point(|step| step.waypoint < first));
            // The end of a jump of a waypath stays a waypoint of the leg.
            let skipped = usize::from(after.len() > 1 && steps.first().is_none_or(|s| s.waypoint != first));
            after.drain(..skipped);
            steps.iter_mut().for_each(|step| step.waypoint -= first + skipped);
            let floors_after = floors.split_off(crossing.floors.min(floors.len()));
            let cost_m = cost_m(crossing.way);
            // The last leg comes first.
            let (way, waypoints, floors) = (crossing.way, after, floors_after);
            later.push(LaterLeg { way, exit, cost_m, waypoints, floors, is_curved: false, steps });
        }
        let mut corridor = Self { waypoints, floors, later, steps, ..Self::default() };
        corridor.settle();
        corridor
    }

    /// The link at the end of the leg that the walker is on.
    pub fn next_link(&self) -> Option<LinkWay> {
        self.later.last().map(|leg| leg.way)
    }

    /// All links ahead, the next one first.
    pub fn links(&self) -> impl Iterator<Item = LinkWay> + '_ {
        self.later.iter().rev().map(|leg| leg.way)
    }

    /// The legs ahead for pictures: for each, where it begins if a link leads there, and its waypoints.
    pub fn legs(&self) -> impl Iterator<Item = (Option<Position>, &[Position])> {
        let later = self.later.iter().rev().map(|leg| (Some(leg.exit), &leg.waypoints[..]));
        std::iter::once((None, self.waypoints.get(self.next..).unwrap_or_default())).chain(later)
    }

    /// Goes over to the leg after the next link. False without one.
    pub fn cross(&mut self) -> bool {
        let Some(leg) = self.later.pop() else { return false };
        (self.waypoints, self.floors, self.next) = (leg.waypoints, leg.floors, 0);
        (self.is_curved, self.steps) = (leg.is_curved, leg.steps);
        self.settle();
        true
    }

    /// Whether the next waypoint lies on a waypath.
    pub fn is_on_waypath(&self) -> bool {
        // The first ones may have been reached in this tick, and not been taken yet.
        self.steps.iter().any(|step| step.waypoint == self.next)
    }

    /// The waypath that the first waypoint of the leg lies on.
    pub fn begins_on(&self) -> Option<WaypathId> {
        self.steps.first().filter(|step| step.waypoint == 0).map(|step| step.waypath)
    }

    /// The waypaths that the path leads along.
    pub fn waypaths(&self) -> impl Iterator<Item = WaypathId> + '_ {
        let later = self.later.iter().rev().flat_map(|leg| &leg.steps);
        self.steps.iter().chain(later).map(|step| step.waypath)
    }

    /// Takes the first waypoint on a waypath that was reached. Each is given once, in order.
    pub fn take_step(&mut self) -> Option<WaypathStep> {
        let is_reached = self.steps.first().is_some_and(|step| step.waypoint < self.next);
        is_reached.then(|| self.steps.remove(0))
    }

    /// Makes the legs curved where `curve` gives the points of a curve. It gets the position at which a leg begins, its
    /// waypoints, its polygons, and whether a waypath is part of it: such legs should stay straight.
    pub fn bend(
        &mut self,
        position: Position,
        mut curve: impl FnMut(Position, &[Position], &[FloorId], bool) -> Option<Vec<Position>>,
    ) {
        if let Some(waypoints) = curve(position, self.ahead(), &self.floors, !self.steps.is_empty()) {
            (self.waypoints, self.next, self.is_curved) = (waypoints, 0, true);
        }
        for leg in self.later.iter_mut().rev() {
            if let Some(waypoints) = curve(leg.exit, &leg.waypoints, &leg.floors, !leg.steps.is_empty()) {
                (leg.waypoints, leg.is_curved) = (waypoints, true);
            }
        }
        self.settle();
    }

    /// Whether the waypoints of this leg are points of a curve, near to each other.
    pub fn is_curved(&self) -> bool {
        self.is_curved
    }

    /// The direction of the curve at a position on it: a unit vector. It turns evenly from waypoint to waypoint. `None` if
    /// the leg is not curved, or has ended.
    pub fn tangent(&self, position: Position) -> Option<DVec2> {
        if !self.is_curved {
            return None;
        }
        let at = |index: usize| self.waypoints.get(index).map(|waypoint| waypoint.at);
        let run = |from: Option<DVec2>, to: Option<DVec2>| (to? - from?).try_normalize();
        let next = self.next.min(self.waypoints.len().checked_sub(1)?);
        let before = next.checked_sub(1).and_then(at);
        let along = run(before.or(Some(position.at)), at(next))?;
        let Some(from) = before else { return Some(along) };
        let into = next.checked_sub(2).and_then(|index| run(at(index), before)).unwrap_or(along);
        let out = run(at(next), at(next + 1)).unwrap_or(along);
        let share = (position.distance(from) / from.distance(at(next)?)).clamp(0.0, 1.0);
        let begins = (into + along).try_normalize().unwrap_or(along);
        let ends = (along + out).try_normalize().unwrap_or(along);
        begins.lerp(ends, share).try_normalize()
    }

    /// How far a position is off the curve, in metres: from the piece that leads to the next waypoint. 0 on straight legs.
    pub fn off_curve_m(&self, position: Position) -> f64 {
        if !self.is_curved {
            return 0.0;
        }
        let Some(next) = self.toward() else { return 0.0 };
        let before = self.next.checked_sub(1).and_then(|index| self.waypoints.get(index));
        before.map_or(0.0, |before| distance_sq_to_segment(position.at, before.at, next.at).sqrt())
    }

    /// The polygons of the path, those already passed included. Empty on ground without any.
    pub fn floors(&self) -> &[FloorId] {
        &self.floors
    }

    /// The polygons ahead of a floor, itself included, and those of the later legs. All, if the path does not go through it.
    pub fn floors_ahead(&self, here: FloorId) -> impl Iterator<Item = FloorId> + '_ {
        let passed = self.floors.iter().rposition(|&floor| floor == here).unwrap_or(0);
        let later = self.later.iter().rev().flat_map(|leg| &leg.floors);
        self.floors[passed..].iter().chain(later).copied()
    }

    /// Puts turns before the next waypoint. `floors` are the polygons from there to the end.
    pub fn lead_back(&mut self, turns: Vec<Position>, floors: Vec<FloorId>) {
        let ahead = self.steps.iter_mut().filter(|step| step.waypoint >= self.next);
        ahead.for_each(|step| step.waypoint += turns.len());
        self.waypoints.splice(self.next..self.next, turns);
        self.floors = floors;
        self.settle();
    }

    /// Rebuilds the cache. Call after deserialising.
    pub fn settle(&mut self) {
        let ahead = self.waypoints.get(self.next..).unwrap_or_default();
        let to = ahead.first().copied().unwrap_or_default();
        let length_m =
            |points: &[Position]| points.windows(2).map(|pair| pair[0].distance(pair[1])).sum::<f64>();
        let later_m = |leg: &LaterLeg| {
            let first_m = leg.waypoints.first().map_or(0.0, |first| leg.exit.distance(*first));
            leg.cost_m + first_m + length_m(&leg.waypoints)
        };
        self.leg = Leg { to, then_m: length_m(ahead), later_m: self.later.iter().map(later_m).sum() };
    }

    /// Where the leg ends.
    pub fn end(&self) -> Option<Position> {
        self.waypoints.last().copied()
    }

    /// Where the whole path ends.
    pub fn goal(&self) -> Option<Position> {
        let last = |leg: &LaterLeg| Some(leg.waypoints.last().copied().unwrap_or(leg.exit));
        self.later.first().map_or(self.end(), last)
    }

    /// Whether there are no waypoints at all. False after the last waypoint: the list stays.
    pub fn is_empty(&self) -> bool {
        self.waypoints.is_empty()
    }

    /// Whether the index of the next waypoint is valid. It always is, except in untrusted saved data.
    pub fn is_sound(&self) -> bool {
        let fits = |steps: &[WaypathStep], count: usize| steps.iter().all(|step| step.waypoint < count);
        self.next <= self.waypoints.len()
            && fits(&self.steps, self.waypoints.len())
            && self.later.iter().all(|leg| fits(&leg.steps, leg.waypoints.len()))
    }

    /// The waypoints of this leg, including those already reached.
    pub fn waypoints(&self) -> &[Position] {
        &self.waypoints
    }

    /// [`Corridor::waypoints`] and those of the later legs.
    pub fn all_waypoints(&self) -> impl Iterator<Item = Position> + '_ {
        let later = self
            .later
            .iter()
            .rev()
            .flat_map(|leg| std::iter::once(leg.exit).chain(leg.waypoints.iter().copied()));
        self.waypoints.iter().copied().chain(later)
    }

    /// The waypoints still ahead on this leg.
    pub fn ahead(&self) -> &[Position] {
        &self.waypoints[self.next..]
    }

    /// The next waypoint. `None` after the last one.
    pub fn toward(&self) -> Option<Position> {
        (self.next < self.waypoints.len()).then_some(self.leg.to)
    }

    /// Makes the following waypoint the next one.
    pub fn advance(&mut self) {
        self.next += 1;
        self.settle();
    }

    /// Changes all waypoints after the ground has renumbered its floors. Its polygons are unknown from then on.
    pub fn relocate(&mut self, mut relocated: impl FnMut(&mut Position)) {
        self.floors.clear();
        self.waypoints.iter_mut().for_each(&mut relocated);
        for leg in &mut self.later {
            leg.floors.clear();
            relocated(&mut leg.exit);
            leg.waypoints.iter_mut().for_each(&mut relocated);
        }
        self.settle();
    }

    /// Remaining path length from `position`, in metres. The links ahead count with their costs.
    pub fn left_m(&self, position: Position) -> f64 {
        self.leg_left_m(position) + self.leg.later_m
    }

    /// [`Corridor::left_m`] to the end of this leg.
    pub fn leg_left_m(&self, position: Position) -> f64 {
        self.toward().map_or(0.0, |to| position.distance(to) + self.leg.then_m)
    }

    /// The point of the rest of this leg that is so far from its end, along the path. `position` if the rest is shorter.
    pub fn before_its_end(&self, position: Position, by_m: f64) -> Position {
        let mut left_m = by_m;
        let back = self.ahead().iter().rev().copied().chain(std::iter::once(position));
        let mut at = self.ahead().last().copied().unwrap_or(position);
        for earlier in back {
            let step_m = at.distance(earlier);
            if step_m > left_m {
                let share = left_m / step_m;
                return Position { at: at.at.lerp(earlier.at, share), ..earlier };
            }
            (at, left_m) = (earlier, left_m - step_m);
        }
        at
    }

    /// The polyline from `position` to the first waypoint at least `reach_m` along the path, on the plane. It may be
    /// longer than `reach_m`.
    pub fn line_ahead(&self, position: Position, reach_m: f64) -> impl Iterator<Item = DVec2> + '_ {
        let (mut from, mut left_m) = (position.at, reach_m);
        let ahead = self.ahead().iter().map(|waypoint| waypoint.at).take_while(move |&to| {
            let is_reached = left_m > 0.0;
            left_m -= std::mem::replace(&mut from, to).distance(to);
            is_reached
        });
        std::iter::once(position.at).chain(ahead)
    }

    /// Whether the path is still valid after a change: not blocked, and no shorter path can have opened. `is_clear`
    /// tests whether a straight walk joins two positions. Newly opened ground matters only if position -> changed
    /// rectangle -> goal, in straight lines, is shorter than the remaining path; `least_share` is the cost of a walk along
    /// the waypaths that may lead there, as a share of its length, or 1.
    pub fn is_still_good(
        &self,
        position: Position,
        goal: DVec2,
        (change, least_share): (&Change, f64),
        mut is_clear: impl FnMut(Position, Position) -> bool,
    ) -> bool {
        let mut is_leg_clear = |begin: Position, waypoints: &[Position]| {
            let mut from = begin;
            waypoints.iter().all(|&to| is_clear(std::mem::replace(&mut from, to), to))
        };
        let all_clear =
            !change.closed || self.legs().all(|(exit, leg)| is_leg_clear(exit.unwrap_or(position), leg));
        let by_way_of_it = || {
            rect_distance(position.at, change.min, change.max) + rect_distance(goal, change.min, change.max)
        };
        all_clear && (!change.opened || least_share * by_way_of_it() >= self.left_m(position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corridor(points: &[(f64, f64)]) -> Corridor {
        Corridor::new(points.iter().map(|&point| Position::on_ground(point.into())).collect())
    }

    #[test]
    fn the_rest_of_the_path_is_known_at_every_waypoint() {
        let mut path = corridor(&[(3.0, 0.0), (3.0, 4.0), (0.0, 4.0)]);
        let start = Position::default();
        assert_eq!((path.left_m(start), path.ahead().len()), (10.0, 3));
        let line = [(0.0, 0.0), (3.0, 0.0), (3.0, 4.0)].map(DVec2::from);
        assert!(path.line_ahead(start, 5.0).eq(line));
        path.advance();
        assert_eq!(path.left_m(Position::on_ground((3.0, 1.0).into())), 6.0);
        path.advance();
        path.advance();
        assert_eq!((path.toward(), path.left_m(start), path.is_empty()), (None, 0.0, false));
        assert!(Corridor::default().is_empty() && path.is_sound());
    }

    #[test]
    fn a_change_matters_if_it_blocks_the_rest_or_may_shorten_it() {
        let path = corridor(&[(4.0, 3.0), (8.0, 0.0)]);
        let (start, goal) = (Position::default(), DVec2::new(8.0, 0.0));
        let change = |min: (f64, f64), opened| {
            let min = DVec2::from(min);
            Change { min, max: min + 1.0, opened, closed: !opened }
        };
        assert!(
            !path.is_still_good(start, goal, (&change((4.0, 0.0), true), 1.0), |_, _| true),
            "a door between"
        );
        assert!(
            path.is_still_good(start, goal, (&change((4.0, 9.0), true), 1.0), |_, _| true),
            "a door elsewhere"
        );
        assert!(path.is_still_good(start, goal, (&change((4.0, 0.0), false), 1.0), |_, _| true));
        let below = |a: Position, b: Position| a.at.y.max(b.at.y) < 3.0;
        assert!(!path.is_still_good(start, goal, (&change((4.0, 3.0), false), 1.0), below));
    }
}
