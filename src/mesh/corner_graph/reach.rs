//! What can be walked to on the polygons, and the places among them.

use super::on_polygon;
use super::{Mesh, MeshSearch, TOLERANCE};
use crate::nav::{Anchor, AreaId, Disc, Place, Position, Query, Refuge, Region, Threat};
use glam::DVec2;

/// How many points of a polygon are tried along each axis where some place of it is wanted.
const SAMPLES: u32 = 24;

/// How far inside its polygon a place lies that was moved onto the ground.
const INSET_M: f64 = 0.05;

/// The polygons that can be walked to.
#[derive(Debug, Clone)]
pub(crate) struct MeshFlood {
    reached: Vec<bool>,
}

impl MeshFlood {
    pub(crate) fn new(mesh: &Mesh, from: &Anchor) -> Self {
        let start = from.node.map(|node| node as usize).filter(|&polygon| mesh.polygons[polygon].available);
        Self { reached: mesh.joined_with(start, |_| true) }
    }

    pub(crate) fn holds(&self, anchor: &Anchor) -> bool {
        anchor.node.is_some_and(|polygon| self.reached[polygon as usize])
    }

    pub(crate) fn first(&self) -> Option<u32> {
        self.reached.iter().position(|reached| *reached).map(|polygon| polygon as u32)
    }

    pub(crate) fn stop_near(&self, mesh: &Mesh, to: Place) -> Option<Position> {
        let at = mesh.closest(to.at, |polygon| self.reached[polygon])?;
        let near = |polygon: &usize| self.reached[*polygon] && mesh.polygons[*polygon].holds(at);
        Some(on_polygon(at, (0..self.reached.len()).find(near)?))
    }

    pub(crate) fn work(&self) -> u64 {
        self.reached.len() as u64
    }
}

impl Mesh {
    /// The point nearest to another one on those of the open polygons that `accept` likes, a little inside.
    pub(super) fn closest(&self, to: DVec2, accept: impl Fn(usize) -> bool) -> Option<DVec2> {
        let closest = self.open().filter(|&polygon| accept(polygon)).map(|polygon| {
            let (min, max) = self.polygons[polygon].extent();
            let at = self.polygons[polygon].closest(to);
            if at == to { at } else { at.move_towards(min.midpoint(max), INSET_M) }
        });
        closest.min_by(|a, b| a.distance(to).total_cmp(&b.distance(to)))
    }

    pub(crate) fn nearest_place(&self, point: DVec2, reach_m: f64) -> Option<DVec2> {
        self.closest(point, |_| true).filter(|at| at.distance(point) <= reach_m + INSET_M)
    }

    pub(crate) fn anchor(&self, point: DVec2, snap_m: f64) -> Option<Anchor> {
        let at = self.nearest_place(point, snap_m)?;
        Some(Anchor { at: self.locate(at.into()), node: self.polygon_at(at).map(|polygon| polygon as u32) })
    }

    pub(crate) fn node_anchor(&self, point: DVec2, snap_m: f64) -> Option<Anchor> {
        self.anchor(point, snap_m).map(|anchor| Anchor { at: self.locate(point.into()), ..anchor })
    }

    pub(crate) fn may_connect(&self, from: DVec2, to: DVec2) -> bool {
        let ends = self.anchor(from, 0.0).zip(self.anchor(to, 0.0));
        ends.is_some_and(|(from, to)| MeshFlood::new(self, &from).holds(&to))
    }

    /// Points spread over all open polygons.
    fn samples(&self) -> impl Iterator<Item = Position> + '_ {
        self.open().flat_map(move |polygon| {
            let (min, max) = self.polygons[polygon].extent();
            let share = |i: u32| (f64::from(i) + 0.5) / f64::from(SAMPLES);
            let at = move |z: u32, x: u32| min + (max - min) * DVec2::new(share(x), share(z));
            let all = (0..SAMPLES).flat_map(move |z| (0..SAMPLES).map(move |x| at(z, x)));
            all.filter(move |&at| self.polygons[polygon].holds(at)).map(move |at| on_polygon(at, polygon))
        })
    }

    pub(crate) fn random_place(
        &self,
        region: &Region,
        most_work: u64,
        mut draw: impl FnMut() -> f64,
    ) -> Option<(Option<Position>, u64)> {
        let (min, max) = self.bounds();
        let flood = region.reachable_from.map(|from| MeshFlood::new(self, &from));
        for work in 1..=most_work.min(10_000) {
            let at = min + (max - min) * DVec2::new(draw(), draw());
            if !region.disc.is_none_or(|disc| disc.holds(at)) {
                continue;
            }
            let belongs = |&polygon: &usize| {
                self.polygons[polygon].holds(at)
                    && flood.as_ref().is_none_or(|flood| flood.reached[polygon])
                    && region.area.is_none_or(|area| area.0 == polygon)
                    && region.disc.is_none_or(|disc| self.floors_touch(disc.centre, on_polygon(at, polygon)))
            };
            if let Some(polygon) = self.open().find(belongs) {
                return Some((Some(on_polygon(at, polygon)), work));
            }
        }
        Some((None, most_work.min(10_000)))
    }

    pub(crate) fn find_nearest(
        &self,
        from: DVec2,
        obstacles: &[Disc],
        reach_m: f64,
        mut accept: impl FnMut(Position) -> bool,
    ) -> Option<Vec<Position>> {
        let start = self.locate(from.into());
        if accept(start) {
            return Some(Vec::new());
        }
        let near: Vec<Position> =
            self.samples().filter(|&at| at.distance(from) <= reach_m && accept(at)).collect();
        let ways = near.into_iter().filter_map(|to| {
            let place = |at: Position| Place::from(at.at).with_height(self.height_m(at));
            let query = Query::new(place(start), place(to)).with_obstacles(obstacles);
            MeshSearch::answer(self, &query).filter(|(_, length_m)| *length_m <= reach_m)
        });
        ways.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(way, _)| way)
    }

    pub(crate) fn find_refuge(&self, from: DVec2, threat: Threat, _: u64) -> Option<Refuge> {
        let away_m = |at: &Position| at.distance(threat.at);
        let reached = MeshFlood::new(self, &self.anchor(from, 0.0)?);
        let safe = |at: &Position| reached.reached[at.floor.0 as usize];
        let places: Vec<Position> = self.samples().filter(safe).collect();
        let far = places.iter().filter(|at| away_m(at) >= threat.distance_m);
        let nearest = far.min_by(|a, b| a.distance(from).total_cmp(&b.distance(from)));
        let farthest = || places.iter().max_by(|a, b| away_m(a).total_cmp(&away_m(b)));
        let at = *nearest.or_else(farthest)?;
        Some(Refuge { at, is_far: nearest.is_some(), is_complete: true, work: places.len() as u64 })
    }

    pub(crate) fn nearest_in_area(&self, area: AreaId, from: DVec2) -> (Option<Position>, u64) {
        let (min, max) = self.polygons[area.0].extent();
        let at = self.polygons[area.0].closest(from).move_towards(min.midpoint(max), INSET_M);
        (Some(on_polygon(at, area.0)), 1)
    }

    pub(crate) fn enters_area(&self, area: AreaId, from: Position, path: &[Position]) -> Option<Position> {
        let starts = std::iter::once(&from).chain(path);
        let on_storey = |at: &Position| self.floors_touch(*at, on_polygon(at.at, area.0));
        starts.zip(path).filter(|(a, b)| on_storey(a) && on_storey(b)).find_map(|(a, b)| {
            let (first, last) = self.polygons[area.0].clip(a.at, b.at)?;
            let inside = || a.at.lerp(b.at, first).move_towards(a.at.lerp(b.at, last), INSET_M);
            (last > first + TOLERANCE).then(|| on_polygon(inside(), area.0))
        })
    }
}
