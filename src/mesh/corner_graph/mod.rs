//! A small ground of convex polygons, one for each area of a room. An area whose name ends like `@3` lies that many
//! metres higher: storeys may lie above each other, without stairs. It shows that the seam holds: tests walk, plan and
//! draw on it as on a grid. Paths are exact: the shortest way over the graph of all corners that see each other. So it
//! is also the measure for how much longer paths over other grounds are.

mod reach;
mod route;

#[allow(unreachable_pub)] // variants of public enums hold them
pub(crate) use self::{reach::MeshFlood, route::MeshSearch};

use crate::geometry::{SegmentPart, border_distance};
use crate::nav::{AreaId, Change, FloorId, HiddenBy, ObstacleId, Place, Position, Wall, WallOf};
use crate::room::{Room, WhenOccupied};
use glam::DVec2;

/// Distances in metres, and shares of a segment, that differ by less are equal.
const TOLERANCE: f64 = 1e-9;

/// A convex polygon: an area of the room.
#[derive(Debug, Clone, PartialEq)]
struct Polygon {
    name: String,
    corners: Vec<DVec2>,
    height_m: f64,
    available: bool,
    when_occupied: WhenOccupied,
}

/// Convex polygons and the portals between them.
#[derive(Debug, Clone, PartialEq)]
pub struct Mesh {
    polygons: Vec<Polygon>,
    /// For each polygon the others it shares a piece of an edge with.
    portals: Vec<Vec<usize>>,
    revision: u64,
    /// Only polygons of this height are open to questions.
    storey_m: Option<f64>,
}

impl Mesh {
    /// The mesh of a room whose areas are convex and do not overlap.
    pub(crate) fn of_room(room: &Room, available: &[bool]) -> Self {
        let polygons: Vec<Polygon> = room
            .areas
            .iter()
            .zip(available)
            .map(|(area, &available)| Polygon {
                name: area.name.clone(),
                corners: counter_clockwise(&area.polygon),
                height_m: room.ground.floor_y_m + height_of(&area.name),
                available,
                when_occupied: area.when_occupied,
            })
            .collect();
        let shares = |a: &Polygon, b: &Polygon| {
            let touch = a.edges().any(|edge| b.edges().any(|other| overlap_m(edge, other) > TOLERANCE));
            touch && same_height(a.height_m, b.height_m)
        };
        let portals = (0..polygons.len())
            .map(|a| (0..polygons.len()).filter(|&b| a != b && shares(&polygons[a], &polygons[b])).collect())
            .collect();
        Self { polygons, portals, revision: 0, storey_m: None }
    }

    fn open(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.polygons.len())
            .filter(|&polygon| self.polygons[polygon].available && self.is_on_storey(polygon))
    }

    fn is_on_storey(&self, polygon: usize) -> bool {
        self.storey_m.is_none_or(|storey_m| same_height(storey_m, self.polygons[polygon].height_m))
    }

    /// The same mesh, reduced to the storey of a position.
    pub(crate) fn on_storey_of(&self, position: Position) -> Self {
        Self { storey_m: Some(self.height_m(position)), ..self.clone() }
    }

    /// The open polygon that holds a point.
    fn polygon_at(&self, point: DVec2) -> Option<usize> {
        self.open().find(|&polygon| self.polygons[polygon].holds(point))
    }

    /// The open polygons that can be walked to from some, which are among them.
    fn joined_with(
        &self,
        from: impl IntoIterator<Item = usize>,
        within: impl Fn(usize) -> bool,
    ) -> Vec<bool> {
        let mut reached = vec![false; self.polygons.len()];
        let mut waiting: Vec<usize> = from.into_iter().collect();
        while let Some(polygon) = waiting.pop() {
            if !std::mem::replace(&mut reached[polygon], true) {
                let next = self.portals[polygon].iter().copied();
                waiting.extend(next.filter(|&next| self.polygons[next].available && within(next)));
            }
        }
        reached
    }

    // ---- changes ----

    pub(crate) fn set_area_available(&mut self, area: AreaId, available: bool) -> Option<Change> {
        let polygon = &mut self.polygons[area.0];
        if std::mem::replace(&mut polygon.available, available) == available {
            return None;
        }
        let (min, max) = polygon.extent();
        self.revision += 1;
        Some(Change { min, max, opened: available, closed: !available })
    }

    pub(crate) fn set_revision(&mut self, revision: u64) {
        self.revision = revision;
    }

    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    pub(crate) fn toggle_work(&self, _: AreaId) -> u64 {
        1
    }

    pub(crate) fn for_each_state_word(&self, word: impl FnMut(u64)) {
        self.polygons.iter().map(|polygon| u64::from(polygon.available)).for_each(word);
    }

    /// The mesh of a changed room, and what changed; `None` if nothing did.
    pub(crate) fn rebuilt(&self, room: &Room, available: &[bool]) -> (Self, Option<Change>) {
        let mut mesh = Self::of_room(room, available);
        let same = mesh.polygons == self.polygons;
        mesh.revision = self.revision + u64::from(!same);
        let ((min, max), (old_min, old_max)) = (mesh.bounds(), self.bounds());
        let change = Change { min: min.min(old_min), max: max.max(old_max), opened: true, closed: true };
        (mesh, (!same).then_some(change))
    }

    pub(crate) fn with_all_open(&self) -> Self {
        let mut open = self.clone();
        open.polygons.iter_mut().for_each(|polygon| polygon.available = true);
        open
    }

    // ---- places and lines ----

    pub(crate) fn is_walkable(&self, point: DVec2) -> bool {
        self.polygon_at(point).is_some()
    }

    pub(crate) fn has_ground(&self) -> bool {
        self.open().next().is_some()
    }

    pub(crate) fn height_m(&self, position: Position) -> f64 {
        self.polygons.get(position.floor.0 as usize).map_or(0.0, |polygon| polygon.height_m)
    }

    pub(crate) fn has_heights(&self) -> bool {
        self.polygons.iter().any(|polygon| !same_height(polygon.height_m, self.polygons[0].height_m))
    }

    pub(crate) fn floors_touch(&self, one: Position, other: Position) -> bool {
        same_height(self.height_m(one), self.height_m(other))
    }

    /// The position of a place, on the polygon that holds it, or on the nearest one.
    pub(crate) fn locate(&self, place: Place) -> Position {
        let height_apart = |polygon: usize| match place.y_m {
            Some(y_m) => (self.polygons[polygon].height_m - y_m).abs(),
            None => -self.polygons[polygon].height_m,
        };
        let apart = |polygon: usize| self.polygons[polygon].closest(place.at).distance(place.at);
        let on_storey = (0..self.polygons.len()).filter(|&polygon| self.is_on_storey(polygon));
        let floor = on_storey.min_by(|&a, &b| {
            let closed = |polygon: usize| !self.polygons[polygon].available;
            let by_height = height_apart(a).total_cmp(&height_apart(b));
            apart(a).total_cmp(&apart(b)).then(by_height).then(closed(a).cmp(&closed(b)))
        });
        Position { at: place.at, floor: FloorId(floor.unwrap_or(0) as u32) }
    }

    pub(crate) fn resolution_m(&self) -> f64 {
        TOLERANCE
    }

    pub(crate) fn bounds(&self) -> (DVec2, DVec2) {
        let nothing = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        self.polygons.iter().map(Polygon::extent).fold(nothing, |a, b| (a.0.min(b.0), a.1.max(b.1)))
    }

    pub(crate) fn walkable_m2(&self) -> f64 {
        self.open().map(|polygon| self.polygons[polygon].square_metres()).sum()
    }

    pub(crate) fn node_limit(&self) -> usize {
        self.polygons.len()
    }

    pub(crate) fn size(&self) -> usize {
        self.polygons.len()
    }

    /// The share of a line, 0 to 1, up to which it stays on open polygons and goes through portals.
    fn clear_up_to(&self, from: DVec2, to: DVec2) -> f64 {
        let clips: Vec<(usize, f64, f64)> = self
            .open()
            .filter_map(|polygon| self.polygons[polygon].clip(from, to).map(|(a, b)| (polygon, a, b)))
            .collect();
        let Some(start) = self.polygon_at(from) else { return 0.0 };
        let (mut at, mut inside) = (0.0, vec![start]);
        loop {
            // All polygons that touch the line here and hang together with those it came by.
            let here = |polygon: usize| {
                clips
                    .iter()
                    .any(|&(other, a, b)| other == polygon && a <= at + TOLERANCE && b >= at - TOLERANCE)
            };
            let joined = self.joined_with(inside, here);
            let reached = clips.iter().filter(|(polygon, a, _)| joined[*polygon] && *a <= at + TOLERANCE);
            let furthest = reached.map(|(_, _, b)| *b).fold(at, f64::max);
            if furthest >= 1.0 - TOLERANCE {
                return 1.0;
            }
            if furthest <= at + TOLERANCE {
                return at;
            }
            at = furthest;
            let goes_on =
                clips.iter().filter(|(polygon, _, b)| joined[*polygon] && (*b - at).abs() <= TOLERANCE);
            inside = goes_on.map(|(polygon, ..)| *polygon).collect();
        }
    }

    pub(crate) fn segment_clear(&self, from: DVec2, to: DVec2) -> bool {
        if from.distance(to) <= TOLERANCE {
            self.is_walkable(from)
        } else {
            self.clear_up_to(from, to) == 1.0
        }
    }

    pub(crate) fn first_blocked(&self, from: DVec2, to: DVec2) -> DVec2 {
        from.lerp(to, self.clear_up_to(from, to))
    }

    pub(crate) fn is_straight_way(&self, _: DVec2, _: DVec2) -> bool {
        false
    }

    pub(crate) fn hidden_by(&self, from: DVec2, to: DVec2) -> Option<HiddenBy> {
        let beside = self.first_blocked(from, to).move_towards(to, 1e-6);
        let closed = self.closed_areas().into_iter().find(|&area| self.area_contains(area, beside));
        (!self.segment_clear(from, to)).then(|| closed.map_or(HiddenBy::Wall, HiddenBy::Area))
    }

    pub(crate) fn is_lit(&self, place: DVec2) -> bool {
        self.is_walkable(place)
    }

    pub(crate) fn sight_work(&self, _: DVec2, _: DVec2) -> u64 {
        self.polygons.len() as u64
    }

    pub(crate) fn avoids_singly(&self) -> bool {
        false
    }

    // ---- areas ----

    pub(crate) fn area_count(&self) -> usize {
        self.polygons.len()
    }

    pub(crate) fn area_name(&self, area: AreaId) -> &str {
        &self.polygons[area.0].name
    }

    pub(crate) fn area_available(&self, area: AreaId) -> bool {
        self.polygons[area.0].available
    }

    pub(crate) fn area_when_occupied(&self, area: AreaId) -> WhenOccupied {
        self.polygons[area.0].when_occupied
    }

    pub(crate) fn area_contains(&self, area: AreaId, point: DVec2) -> bool {
        self.is_on_storey(area.0) && self.polygons[area.0].holds(point)
    }

    pub(crate) fn area_border_m(&self, point: DVec2) -> f64 {
        let borders = self.polygons.iter().map(|polygon| border_distance(&polygon.corners, point));
        borders.fold(f64::INFINITY, f64::min)
    }

    pub(crate) fn area_middle(&self, area: AreaId) -> Position {
        let (min, max) = self.polygons[area.0].extent();
        on_polygon(min.midpoint(max), area.0)
    }

    pub(crate) fn closed_areas(&self) -> Vec<AreaId> {
        (0..self.area_count()).map(AreaId).filter(|&area| !self.area_available(area)).collect()
    }

    pub(crate) fn closed_area_over(&self, point: DVec2) -> Option<AreaId> {
        let closed = self.closed_areas().into_iter().find(|&area| self.area_contains(area, point));
        closed.filter(|_| !self.is_walkable(point))
    }

    pub(crate) fn closed_area_apart(&self, _: DVec2) -> Option<AreaId> {
        None
    }

    pub(crate) fn walls(&self) -> Vec<Wall> {
        let edges = self.open().flat_map(|polygon| {
            self.polygons[polygon].edges().map(move |(a, b)| (SegmentPart::whole(a, b), polygon))
        });
        edges
            .map(|(part, polygon)| Wall { part, of: WallOf::Area(AreaId(polygon)), keep_off_m: 0.0 })
            .collect()
    }

    // ---- obstacles: there are none ----

    pub(crate) fn obstacle_count(&self) -> usize {
        0
    }

    pub(crate) fn obstacle_name(&self, _: ObstacleId) -> &str {
        ""
    }

    pub(crate) fn obstacle_contains(&self, _: ObstacleId, _: DVec2) -> bool {
        false
    }

    pub(crate) fn lift_obstacle(&mut self, _: ObstacleId) {}

    // ---- what questions cost: each goes over all polygons ----

    pub(crate) fn area_work(&self, _: AreaId) -> u64 {
        self.polygons.len() as u64
    }

    pub(crate) fn obstacle_work(&self, _: ObstacleId) -> u64 {
        self.polygons.len() as u64
    }

    pub(crate) fn copy_work(&self) -> u64 {
        self.polygons.len() as u64
    }

    pub(crate) fn rebuild_work(&self) -> u64 {
        self.polygons.len() as u64
    }

    pub(crate) fn walls_work(&self) -> u64 {
        self.polygons.len() as u64
    }
}

impl Polygon {
    fn edges(&self) -> impl Iterator<Item = (DVec2, DVec2)> + '_ {
        self.corners.iter().copied().zip(self.corners.iter().copied().cycle().skip(1))
    }

    fn extent(&self) -> (DVec2, DVec2) {
        let nothing = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        self.corners.iter().fold(nothing, |(min, max), &corner| (min.min(corner), max.max(corner)))
    }

    fn square_metres(&self) -> f64 {
        self.edges().map(|(a, b)| a.perp_dot(b)).sum::<f64>() / 2.0
    }

    /// Whether a point lies inside or on the border.
    fn holds(&self, point: DVec2) -> bool {
        self.edges().all(|(a, b)| (b - a).perp_dot(point - a) >= -TOLERANCE * (b - a).length())
    }

    fn closest(&self, point: DVec2) -> DVec2 {
        if self.holds(point) {
            return point;
        }
        let on_edges = self.edges().map(|(a, b)| SegmentPart::whole(a, b).closest(point));
        on_edges.min_by(|a, b| a.distance(point).total_cmp(&b.distance(point))).unwrap_or(point)
    }

    /// The part of a line inside, from 0 at its beginning to 1 at its end; it may be one point (Cyrus and Beck, 1978).
    fn clip(&self, from: DVec2, to: DVec2) -> Option<(f64, f64)> {
        let (mut first, mut last) = (0.0_f64, 1.0_f64);
        for (a, b) in self.edges() {
            let edge = (b - a).normalize_or_zero();
            let (begins, ends) = (edge.perp_dot(from - a), edge.perp_dot(to - a));
            if begins.abs() <= TOLERANCE && ends.abs() <= TOLERANCE {
                continue; // along the edge
            }
            if begins.max(ends) < -TOLERANCE {
                return None;
            }
            let crossing = begins / (begins - ends);
            if begins < -TOLERANCE {
                first = first.max(crossing);
            } else if ends < -TOLERANCE {
                last = last.min(crossing);
            }
        }
        (first <= last + TOLERANCE).then_some((first, last))
    }
}

fn on_polygon(at: DVec2, polygon: usize) -> Position {
    Position { at, floor: FloorId(polygon as u32) }
}

fn same_height(one_m: f64, other_m: f64) -> bool {
    (one_m - other_m).abs() < 1.0
}

/// The height in the name of an area, in metres.
fn height_of(name: &str) -> f64 {
    name.split_once('@').and_then(|(_, height)| height.parse().ok()).unwrap_or(0.0)
}

fn counter_clockwise(corners: &[DVec2]) -> Vec<DVec2> {
    let mut corners = corners.to_vec();
    let polygon = Polygon {
        name: String::new(),
        corners: corners.clone(),
        height_m: 0.0,
        available: true,
        when_occupied: WhenOccupied::Evict,
    };
    if polygon.square_metres() < 0.0 {
        corners.reverse();
    }
    corners
}

/// How much of two edges in one line lies on each other, in metres.
fn overlap_m((a, b): (DVec2, DVec2), (c, d): (DVec2, DVec2)) -> f64 {
    let along = (b - a).normalize_or_zero();
    if [c, d].into_iter().any(|end| along.perp_dot(end - a).abs() > TOLERANCE) {
        return 0.0;
    }
    let (c, d) = (along.dot(c - a), along.dot(d - a));
    (c.max(d).min(a.distance(b)) - c.min(d).max(0.0)).max(0.0)
}
