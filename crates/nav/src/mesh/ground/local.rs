//! Searches for the nearest place of some kind by walking distance: Dijkstra's algorithm over points on portals, with
//! sample places inside the polygons as leaves.

use super::Mesh;
use crate::mesh::View;
use crate::nav::{Disc, FloorId, Position, Refuge, Threat};
use glam::{DVec2, I64Vec2};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

/// Distance between neighbouring sample places, in metres.
const SAMPLE_M: f64 = 0.4;

/// Distance between points on a portal, at most, in metres.
const PORTAL_POINT_M: f64 = 1.0;

/// Upper limit on the points of one search.
const MOST_POINTS: usize = 200_000;

/// A path may approach the threat down to this share of the distance at its start.
const NEARER_SHARE: f64 = 0.7;

/// Search limit: this many times `threat.distance_m`, plus this many metres.
const LONGEST_WAY: (f64, f64) = (4.0, 10.0);

/// Sample places that are as much work as taking one point.
const SAMPLES_OF_WORK: usize = 4;

/// One polygon takes this part of the work at most.
const POLYGONS_OF_WORK: f64 = 4.0;

/// A point that was reached.
#[derive(Debug, Clone, Copy)]
struct Reached {
    at: Position,
    cost_m: f64,
    parent: u32,
    /// Whether the way there is as it should be all along.
    is_good: bool,
    /// The portal that the point lies on. `None` for a sample place, and for the start.
    edge: Option<u32>,
}

/// What a straight leg of a way is like.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Leg {
    Good,
    /// It can be walked, but ways over it are not good.
    Bad,
    Blocked,
}

/// Places by walking distance from a start, nearest first.
struct Nearby<'a, Legs: Fn(Position, Position) -> Leg> {
    mesh: &'a Mesh,
    view: View<'a>,
    reach_m: f64,
    /// Whether ways lead round others.
    round_others: bool,
    /// What the leg from one point to another of the same polygon is like.
    legs: Legs,
    points: Vec<Reached>,
    /// The bits of the costs of points, and the points. Costs are not negative, so their bits order as they do.
    open: BinaryHeap<Reverse<(u64, u32)>>,
    /// The bits of the least cost of each point, by its edge or polygon and the bits of its coordinates.
    least: BTreeMap<(Option<u32>, u32, [u64; 2]), u64>,
    work: u64,
    /// The search ends when this much work is done.
    most_work: u64,
}

impl<'a, Legs: Fn(Position, Position) -> Leg> Nearby<'a, Legs> {
    fn new(
        (mesh, view): (&'a Mesh, View<'a>),
        from: Position,
        reach_m: f64,
        most_work: u64,
        legs: Legs,
        round_others: bool,
    ) -> Self {
        let points = vec![Reached { at: from, cost_m: 0.0, parent: 0, is_good: true, edge: None }];
        let (open, least) = (BinaryHeap::new(), BTreeMap::new());
        let mut nearby =
            Self { mesh, view, reach_m, round_others, legs, points, open, least, work: 0, most_work };
        nearby.spread(0, from.floor.0);
        nearby
    }

    /// The next place.
    fn next(&mut self) -> Option<u32> {
        while let Some(Reverse((cost, point))) = self.open.pop() {
            let reached = self.points[point as usize];
            if self.least.get(&key_of(reached.at, reached.edge)).is_some_and(|&least| least < cost) {
                continue;
            }
            self.work += 1;
            if self.work > self.most_work {
                return None;
            }
            let Some(edge) = reached.edge else { return Some(point) };
            if let Some((behind, _)) = self.view.behind(edge) {
                self.points[point as usize].at.floor = FloorId(behind);
                self.spread(point, behind);
            }
        }
        None
    }

    /// Reaches the portals and the sample places of a polygon from a point in it.
    fn spread(&mut self, point: u32, polygon: u32) {
        let polygons = &self.mesh.shape.polygons;
        for edge in polygons.edge_range(polygon) {
            if self.view.behind(edge).is_none() {
                continue;
            }
            let (a, b) = polygons.ends(edge);
            let count = (a.distance(b) / PORTAL_POINT_M).ceil().clamp(1.0, 64.0);
            // Where somebody stands in the middle of it, a way leads round them by the ends.
            let ends = self.round_others.then_some([0.0, 1.0]).into_iter().flatten();
            for share in (0..count as u32).map(|i| (f64::from(i) + 0.5) / count).chain(ends) {
                let at = a.lerp(b, share);
                self.reach(point, Position { at, floor: FloorId(polygon) }, Some(edge));
            }
        }
        let start = self.points[0].at.at;
        let (min, max) = polygons.rectangle(polygon);
        let (min, max) = (min.max(start - self.reach_m), max.min(start + self.reach_m));
        // On a large polygon, samples are farther apart, so that the work goes as far as the reach.
        let size = ((max - min) / SAMPLE_M).max(DVec2::ONE);
        let affordable = (self.most_work as usize).saturating_mul(SAMPLES_OF_WORK).min(MOST_POINTS) as f64
            / POLYGONS_OF_WORK;
        let sample_m = SAMPLE_M * (size.x * size.y / affordable.max(1.0)).sqrt().ceil().max(1.0);
        let [low, high] = [(min / sample_m).ceil().as_i64vec2(), (max / sample_m).floor().as_i64vec2()];
        let lattice = (low.y..=high.y).flat_map(|z| (low.x..=high.x).map(move |x| I64Vec2::new(x, z)));
        for (i, at) in lattice.map(|at| at.as_dvec2() * sample_m).enumerate() {
            self.work += u64::from(i % SAMPLES_OF_WORK == 0);
            if self.work > self.most_work {
                return;
            }
            if polygons.holds(polygon, at) {
                self.reach(point, Position { at, floor: FloorId(polygon) }, None);
            }
        }
        let middle = polygons.middle(polygon);
        self.reach(point, Position { at: middle, floor: FloorId(polygon) }, None);
    }

    fn reach(&mut self, parent: u32, at: Position, edge: Option<u32>) {
        let from = self.points[parent as usize];
        let cost_m = from.cost_m + from.at.distance(at);
        if cost_m > self.reach_m || self.points.len() >= MOST_POINTS {
            return;
        }
        let (key, cost) = (key_of(at, edge), cost_m.to_bits());
        if self.least.get(&key).is_some_and(|&least| least <= cost) {
            return;
        }
        let leg = (self.legs)(from.at, at);
        if leg == Leg::Blocked {
            return;
        }
        let is_good = from.is_good && leg == Leg::Good;
        self.least.insert(key, cost);
        self.open.push(Reverse((cost, self.points.len() as u32)));
        self.points.push(Reached { at, cost_m, parent, is_good, edge });
    }

    /// The points from the start to one, without the start.
    fn way(&self, mut point: u32) -> Vec<Position> {
        let mut way = Vec::new();
        while point != 0 {
            way.push(self.points[point as usize].at);
            point = self.points[point as usize].parent;
        }
        way.reverse();
        way
    }
}

fn key_of(Position { at, floor }: Position, edge: Option<u32>) -> (Option<u32>, u32, [u64; 2]) {
    (edge, floor.0, [at.x, at.y].map(f64::to_bits))
}

impl Mesh {
    pub(crate) fn find_nearest(
        &self,
        from: Position,
        obstacles: &[Disc],
        reach_m: f64,
        mut accept: impl FnMut(Position) -> bool,
    ) -> Option<Vec<Position>> {
        if !self.is_walkable(from) {
            return None;
        }
        if accept(from) {
            return Some(Vec::new());
        }
        let lets_pass = |a: Position, b: Position| {
            obstacles.iter().all(|disc| disc.lets_pass(a.at, b.at) || !self.floors_touch(disc.centre, a))
        };
        let is_free = |at: Position| {
            !obstacles.iter().any(|disc| disc.holds(at.at) && self.floors_touch(disc.centre, at))
        };
        let leg = |a: Position, b: Position| if lets_pass(a, b) { Leg::Good } else { Leg::Blocked };
        // Down a ledge there is no way back from the place.
        let ground = (self, self.two_way_view());
        let mut nearby = Nearby::new(ground, from, reach_m, MOST_POINTS as u64, leg, !obstacles.is_empty());
        while let Some(point) = nearby.next() {
            let at = nearby.points[point as usize].at;
            if is_free(at) && accept(at) {
                return Some(self.pulled(from, nearby.way(point), lets_pass));
            }
        }
        None
    }

    /// String pulling: the farthest visible point, repeatedly.
    fn pulled(
        &self,
        from: Position,
        way: Vec<Position>,
        lets_pass: impl Fn(Position, Position) -> bool,
    ) -> Vec<Position> {
        let (mut pulled, mut at, mut next) = (Vec::new(), from, 0);
        while next < way.len() {
            let visible = (next + 1..way.len())
                .rev()
                .find(|&to| lets_pass(at, way[to]) && self.segment_clear(at, way[to]));
            let to = visible.unwrap_or(next);
            at = way[to];
            pulled.push(at);
            next = to + 1;
        }
        pulled
    }

    pub(crate) fn find_refuge(&self, from: Position, threat: Threat, most_work: u64) -> Option<Refuge> {
        if !self.is_walkable(from) {
            return None;
        }
        // A threat on another storey is far away as long as no stair leads there.
        let away_m = |at: Position| {
            let rise_m = self.height_m(at) - self.height_m(threat.at);
            libm::hypot(at.distance(threat.at), rise_m)
        };
        let keep_m = (away_m(from) * NEARER_SHARE).min(threat.distance_m / 2.0);
        let leg = |a: Position, b: Position| {
            let nearest = crate::geometry::closest_on_segment(threat.at.at, a.at, b.at);
            let keeps_off = away_m(Position { at: nearest, floor: a.floor }) >= keep_m;
            if keeps_off { Leg::Good } else { Leg::Bad }
        };
        let longest_m = LONGEST_WAY.0 * threat.distance_m + LONGEST_WAY.1;
        let mut nearby = Nearby::new((self, self.view()), from, longest_m, most_work, leg, false);
        let mut best = (away_m(from), from);
        while let Some(point) = nearby.next() {
            let Reached { at, is_good, .. } = nearby.points[point as usize];
            if !is_good {
                continue;
            }
            let distance_m = away_m(at);
            if distance_m >= threat.distance_m {
                return Some(Refuge { at, is_far: true, is_complete: true, work: nearby.work });
            }
            if distance_m > best.0 {
                best = (distance_m, at);
            }
        }
        let is_complete = nearby.work <= most_work;
        Some(Refuge { at: best.1, is_far: false, is_complete, work: nearby.work })
    }
}
