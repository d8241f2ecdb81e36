//! Ways round standing characters. A portal that they fill is barred. Where a path crosses a character elsewhere, it
//! is led round, over points on a circle a little larger than the character.

use super::Mesh;
use crate::geometry::{distance_sq_to_segment, round_circle};
use crate::mesh::MeshPath;
use crate::mesh::line::{ON_M, distance_between};
use crate::mesh::polygons::Corner;
use crate::mesh::view::Barred;
use crate::nav::{Disc, FloorId, Place, Position, STOREY_M};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The number of points round a character.
const POINTS: u32 = 12;

/// Upper limit on the characters that one path is led round.
const MOST_DISCS: usize = 12;

/// The cost of one line between two points, as a share of an expansion.
const LINES_OF_EXPANSION: u64 = 4;

impl Mesh {
    fn is_near(&self, disc: &Disc, position: Position) -> bool {
        self.floors_touch(disc.centre, position)
    }

    /// The portals that characters fill from end to end, on their storey. Those that hold the start fill nothing there.
    pub(super) fn filled_portals(&self, discs: &[Disc], start: Position) -> Barred {
        let polygons = &self.shape.polygons;
        let mut barred = Barred::default();
        for disc in discs.iter().filter(|disc| !disc.holds(start.at)) {
            let (centre, radius_m) = (disc.centre.at, disc.radius_m);
            let is_any = |_| true;
            self.shape.index.for_each_near(polygons, centre, radius_m, is_any, |polygon, at, _| {
                if self.is_near(disc, Position { at, floor: FloorId(polygon) }) {
                    for edge in polygons.edge_range(polygon) {
                        // One character covers the first end of a filled edge.
                        let is_begun = polygons.ends(edge).0.distance(centre) <= radius_m + ON_M;
                        if is_begun
                            && polygons.edge(edge).neighbour().is_some()
                            && self.is_filled(edge, discs, start)
                        {
                            barred.bar(polygons, edge);
                        }
                    }
                }
                radius_m
            });
        }
        barred
    }

    /// Whether characters cover an edge from end to end.
    fn is_filled(&self, edge: u32, discs: &[Disc], start: Position) -> bool {
        let (a, b) = self.shape.polygons.ends(edge);
        let along = b - a;
        let length_m = along.length();
        if length_m <= 0.0 {
            return false;
        }
        let middle = Position { at: a.midpoint(b), floor: FloorId(self.shape.polygons.owner(edge)) };
        let covering = discs.iter().filter(|disc| !disc.holds(start.at) && self.is_near(disc, middle));
        let mut covered: Vec<(f64, f64)> = covering
            .filter_map(|disc| {
                let foot = along.dot(disc.centre.at - a) / length_m;
                let off_m = along.perp_dot(disc.centre.at - a) / length_m;
                let half_sq = disc.radius_m * disc.radius_m - off_m * off_m;
                (half_sq > 0.0).then(|| (foot - half_sq.sqrt(), foot + half_sq.sqrt()))
            })
            .collect();
        covered.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut up_to = 0.0;
        for (begins, ends) in covered {
            if begins > up_to + ON_M {
                break;
            }
            up_to = f64::max(up_to, ends);
        }
        up_to >= length_m
    }

    /// Whether a path crosses a character on its storey.
    pub(super) fn crosses(&self, start: Position, path: &MeshPath, disc: &Disc) -> bool {
        let mut from = start;
        path.waypoints.iter().any(|&(polygon, at)| {
            let to = Position { at, floor: FloorId(polygon) };
            let (a, b) = (std::mem::replace(&mut from, to), to);
            self.leg_crosses(a, b, disc)
        })
    }

    /// Whether a straight leg crosses a character. On a slope the height of the leg is taken at the nearest point.
    fn leg_crosses(&self, a: Position, b: Position, disc: &Disc) -> bool {
        if disc.lets_pass(a.at, b.at) {
            return false;
        }
        if !self.has_heights() {
            return true;
        }
        let along = b.at - a.at;
        let share = (along.dot(disc.centre.at - a.at) / along.length_squared().max(1e-12)).clamp(0.0, 1.0);
        let [low, high] = [self.height_m(a), self.height_m(b)];
        let here_m = low + (high - low) * share;
        let there_m = self.height_m(disc.centre);
        (here_m - there_m).abs() < STOREY_M || self.is_near(disc, a) || self.is_near(disc, b)
    }

    /// If characters cover a place: the nearest free place on their circles.
    pub(super) fn free_of_discs(&self, goal: Position, discs: &[Disc]) -> Option<Position> {
        let covers = |disc: &&Disc| disc.holds(goal.at) && self.is_near(disc, goal);
        let covering: Vec<&Disc> = discs.iter().filter(covers).collect();
        let points = covering.iter().flat_map(|disc| self.circle(disc));
        let is_free = |at: &Position| !discs.iter().any(|disc| disc.holds(at.at) && self.is_near(disc, *at));
        let component = self.component(goal.floor.0);
        let free = points.filter(|at| is_free(at) && self.component(at.floor.0) == component);
        free.min_by(|a, b| a.distance(goal).total_cmp(&b.distance(goal)))
    }

    /// Walkable points round a character: the polygon round a circle of its size.
    fn circle(&self, disc: &Disc) -> impl Iterator<Item = Position> + '_ {
        let centre = Place { y_m: Some(self.height_m(disc.centre)), at: disc.centre.at };
        // The sides of the polygon just miss the circle.
        let corners = round_circle(centre.at, disc.radius_m + 9.0 * ON_M, POINTS);
        corners.into_iter().filter_map(move |at| {
            let position = self.locate(Place { at, ..centre });
            self.is_walkable(position).then_some(position)
        })
    }

    /// The portal of a path's corridor that is nearest to a character on the path.
    pub(super) fn portal_at_discs(&self, start: Position, path: &MeshPath, discs: &[Disc]) -> Option<u32> {
        let polygons = &self.shape.polygons;
        let disc = discs.iter().find(|disc| self.crosses(start, path, disc))?;
        let mut points = vec![start.at];
        points.extend(path.waypoints.iter().map(|&(_, at)| at));
        let off_path = |edge: u32| {
            let (a, b) = polygons.ends(edge);
            let legs = points.windows(2).map(|leg| distance_between(a, b, leg[0], leg[1]));
            legs.fold(f64::INFINITY, f64::min)
        };
        // Two polygons may have several portals. The path goes through one of them.
        let portals = path.corridor.windows(2).filter_map(|pair| {
            let between = |&edge: &u32| polygons.edge(edge).neighbour() == Some(pair[1]);
            let portals = polygons.edge_range(pair[0]).filter(between);
            portals.min_by(|&a, &b| off_path(a).total_cmp(&off_path(b)))
        });
        let away = |edge: u32| {
            let (a, b) = polygons.ends(edge);
            distance_sq_to_segment(disc.centre.at, a, b)
        };
        portals.min_by(|&a, &b| away(a).total_cmp(&away(b)))
    }
}

/// A search for the shortest way along a path and round the characters on it: A* over a visibility graph of the points
/// of the path, the corners of the mesh near the characters, and the points round them.
pub(super) struct Round<'a> {
    mesh: &'a Mesh,
    /// The characters that a leg between the points may cross.
    discs: Vec<Disc>,
    /// The points of the path, then those round the characters.
    points: Vec<Position>,
    /// The index of the path's end.
    goal: usize,
    lines: u64,
}

impl<'a> Round<'a> {
    pub(super) fn new(mesh: &'a Mesh, start: Position, path: &MeshPath, discs: &[Disc]) -> Self {
        let mut points = vec![start];
        points.extend(path.waypoints.iter().map(|&(polygon, at)| Position { at, floor: FloorId(polygon) }));
        // The characters on the path, and those beside them.
        let mut met: Vec<&Disc> = discs.iter().filter(|disc| mesh.crosses(start, path, disc)).collect();
        let mut next = 0;
        while let Some(&disc) = met.get(next).filter(|_| met.len() < MOST_DISCS) {
            next += 1;
            for other in discs {
                let touching_m = (disc.radius_m + other.radius_m) * 1.2;
                let is_beside = disc.centre.distance(other.centre) < touching_m;
                if is_beside && mesh.is_near(disc, other.centre) && !met.contains(&other) {
                    met.push(other);
                }
            }
        }
        let goal = points.len() - 1;
        let mut round = Self { mesh, discs: discs.to_vec(), points, goal, lines: 0 };
        for disc in met.into_iter().take(MOST_DISCS) {
            let circle = mesh.circle(disc).filter(|&at| round.is_free(at));
            round.points.extend(circle.collect::<Vec<_>>());
            round.add_corners(disc);
        }
        // All legs lie in the rectangle round the points.
        let points = || round.points.iter().map(|point| point.at);
        let (min, max) = points().fold((start.at, start.at), |(min, max), at| (min.min(at), max.max(at)));
        round.discs.retain(|disc| disc.holds(disc.centre.at.clamp(min, max)));
        round
    }

    fn is_free(&self, at: Position) -> bool {
        !self.discs.iter().any(|disc| disc.holds(at.at) && self.mesh.is_near(disc, at))
    }

    /// Corners of walls near a character: the way round may turn there.
    fn add_corners(&mut self, disc: &Disc) {
        let (mesh, polygons) = (self.mesh, &self.mesh.shape.polygons);
        let reach_m = disc.radius_m * 2.0;
        let mut near = Vec::new();
        let is_open = |polygon| mesh.is_open(polygon);
        mesh.shape.index.for_each_near(polygons, disc.centre.at, reach_m, is_open, |polygon, _, _| {
            for edge in polygons.edges(polygon) {
                let at = polygons.vertices()[edge.vertex() as usize];
                let position = Position { at, floor: FloorId(polygon) };
                let is_corner = mesh.view().corner(edge.vertex()) != Corner::None;
                if is_corner && at.distance(disc.centre.at) <= reach_m && mesh.is_near(disc, position) {
                    near.push(position);
                }
            }
            reach_m
        });
        for at in near {
            if self.is_free(at)
                && !self.points.iter().any(|known| known.at == at.at && known.floor == at.floor)
            {
                self.points.push(at);
            }
        }
    }

    fn is_clear(&mut self, a: Position, b: Position) -> bool {
        self.lines += 1;
        !self.discs.iter().any(|disc| self.mesh.leg_crosses(a, b, disc)) && self.mesh.segment_clear(a, b)
    }

    /// The work so far, in expansions of a search.
    pub(super) fn work(&self) -> u64 {
        self.lines / LINES_OF_EXPANSION
    }

    /// The shortest way over the points to the end of the path. Whether a leg is clear is found when it comes first: most
    /// never do.
    pub(super) fn find(&mut self) -> Option<MeshPath> {
        let (count, goal) = (self.points.len(), self.goal);
        let mut costs = vec![0.0; count];
        let mut before = vec![0; count];
        let mut done = vec![false; count];
        // The bits of estimates, which are not negative, and legs as the points at which they end and begin.
        let mut open = BinaryHeap::from([Reverse((0, 0, 0))]);
        while !done[goal] {
            let Reverse((_, at, from)) = open.pop()?;
            let leg = [from, at].map(|point| self.points[point]);
            if done[at] || (at != from && !self.is_clear(leg[0], leg[1])) {
                continue;
            }
            done[at] = true;
            (costs[at], before[at]) = (costs[from] + leg[0].distance(leg[1]), from);
            for to in (0..count).filter(|&to| !done[to]) {
                let [by, left] = [at, goal].map(|other| self.points[to].distance(self.points[other]));
                let estimate: f64 = costs[at] + by + left;
                open.push(Reverse((estimate.to_bits(), to, at)));
            }
        }
        let mut turns = vec![goal];
        while let Some(&at) = turns.last().filter(|&&at| at != 0) {
            turns.push(before[at]);
        }
        turns.reverse();
        let at = |&point: &usize| (self.points[point].floor.0, self.points[point].at);
        let corridor = self.corridor(&turns);
        Some(MeshPath { waypoints: turns[1..].iter().map(at).collect(), corridor, length_m: costs[goal] })
    }

    /// The polygons under the legs.
    fn corridor(&self, turns: &[usize]) -> Vec<u32> {
        let mut corridor = Vec::new();
        for leg in turns.windows(2) {
            let [a, b] = [leg[0], leg[1]].map(|point| self.points[point]);
            let mut passed = self.mesh.view().passed(a.floor.0, a.at, b.at);
            passed.sort_by(|a, b| a.enters.total_cmp(&b.enters));
            corridor.extend(passed.into_iter().map(|at| at.polygon));
        }
        corridor.dedup();
        corridor
    }
}
