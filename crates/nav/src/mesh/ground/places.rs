//! Places on a mesh: their polygons and heights, the nearest open ones, and what can be walked to.

use super::Mesh;
use crate::geometry::{doubled_area, intersection, random_point, round_circle};
use crate::mesh::line::ON_M;
use crate::nav::{Anchor, FloorId, Place, Position, Query, Region, STOREY_M};
use glam::DVec2;
use std::collections::BTreeSet;

/// Polygons whose heights differ by less meet at a point, in metres.
const SAME_HEIGHT_M: f64 = 0.01;

/// Places on a storey within this distance are preferred to nearer ones on others, in metres: for characters whose floor
/// closes, and for paths that cannot lead to their goal.
const BESIDE_M: f64 = 20.0;

/// A reach that holds every place, in metres.
const ANYWHERE_M: f64 = 1e9;

impl Mesh {
    pub(super) fn polygon_count(&self) -> u32 {
        self.shape.polygons.len() as u32
    }

    /// The polygon of a position, if there is one with that number.
    pub(super) fn polygon_of(&self, position: Position) -> Option<u32> {
        Some(position.floor.0).filter(|&polygon| polygon < self.polygon_count())
    }

    pub(super) fn is_open(&self, polygon: u32) -> bool {
        self.openness.is_open(polygon)
    }

    /// Whether a point is on a polygon, as lines have it: at a corner they end up to `ON_M` beyond both edges, which is
    /// farther than that from the polygon.
    pub(super) fn is_on(&self, polygon: u32, at: DVec2) -> bool {
        let polygons = &self.shape.polygons;
        let is_inside = |a: DVec2, b: DVec2| (b - a).normalize_or_zero().perp().dot(at - a) >= -ON_M;
        polygons.holds(polygon, at) || polygons.segments(polygon).all(|(_, a, b)| is_inside(a, b))
    }

    pub(crate) fn height_m(&self, position: Position) -> f64 {
        let polygon = self.polygon_of(position);
        polygon.map_or(0.0, |polygon| self.shape.polygons.height_m(polygon, position.at))
    }

    pub(crate) fn has_heights(&self) -> bool {
        self.shape.has_heights
    }

    /// Whether two positions are on one storey. Neighbours on a stair differ in height by less than a body.
    pub(crate) fn floors_touch(&self, one: Position, other: Position) -> bool {
        !self.shape.has_heights || (self.height_m(one) - self.height_m(other)).abs() < STOREY_M
    }

    /// The polygon nearest to a place: nearest in space if the place has a height, otherwise on the plane, and the
    /// topmost of equally near ones. At a common border an open one counts, then the first.
    pub(crate) fn locate(&self, place: Place) -> Position {
        let polygon = self.nearest_polygon(place, ANYWHERE_M, |_| true).map_or(0, |(polygon, _)| polygon);
        Position { at: place.at, floor: FloorId(polygon) }
    }

    /// Where a query starts.
    pub(crate) fn start_of(&self, query: &Query) -> Position {
        let known = query.from_floor.map(|floor| Position { at: query.from.at, floor });
        known.filter(|&start| self.is_walkable(start)).unwrap_or_else(|| self.locate(query.from))
    }

    /// The polygon nearest to a place among those that `accept` takes, within `reach_m` on the plane, and its nearest
    /// point.
    pub(super) fn nearest_polygon(
        &self,
        place: Place,
        reach_m: f64,
        accept: impl FnMut(u32) -> bool,
    ) -> Option<(u32, DVec2)> {
        let shape = &self.shape;
        let mut best: Option<(Rank, DVec2)> = None;
        shape.index.for_each_near(&shape.polygons, place.at, reach_m, accept, |polygon, at, distance_sq| {
            let height_m = if shape.has_heights { shape.polygons.height_m(polygon, at) } else { 0.0 };
            let rank = match place.y_m.filter(|_| shape.has_heights) {
                Some(y_m) => Rank {
                    away_m: (distance_sq + (height_m - y_m) * (height_m - y_m)).sqrt(),
                    below_m: 0.0,
                    is_closed: !self.is_open(polygon),
                    polygon,
                },
                None => Rank {
                    away_m: distance_sq.sqrt(),
                    below_m: -height_m,
                    is_closed: !self.is_open(polygon),
                    polygon,
                },
            };
            if best.is_none_or(|(least, _)| rank.is_before(&least)) {
                best = Some((rank, at));
            }
            // Polygons that are farther on the plane cannot be nearer in space.
            best.map_or(reach_m, |(least, _)| least.away_m + SAME_HEIGHT_M)
        });
        best.map(|(rank, at)| (rank.polygon, at))
    }

    pub(crate) fn is_walkable(&self, position: Position) -> bool {
        self.polygon_of(position)
            .is_some_and(|polygon| self.is_open(polygon) && self.is_on(polygon, position.at))
    }

    pub(crate) fn has_ground(&self) -> bool {
        (0..self.polygon_count()).any(|polygon| self.is_open(polygon))
    }

    /// The place of a position, with its height if heights differ.
    pub(crate) fn place(&self, position: Position) -> Place {
        let y_m = self.has_heights().then(|| self.height_m(position));
        Place { at: position.at, y_m }
    }

    /// The nearest walkable place. Places on other storeys are farther by the difference of heights.
    pub(crate) fn nearest_place(&self, position: Position, reach_m: f64) -> Option<Position> {
        if self.is_walkable(position) {
            return Some(position);
        }
        let (polygon, at) =
            self.nearest_polygon(self.place(position), reach_m, |polygon| self.is_open(polygon))?;
        Some(Position { at, floor: FloorId(polygon) })
    }

    /// The nearest open polygon whose point nearest to a position `accept` takes, and that point.
    pub(crate) fn nearest_where(
        &self,
        position: Position,
        reach_m: f64,
        accept: impl Fn(Position) -> bool,
    ) -> Option<Position> {
        let point = |polygon: u32| {
            let at = self.shape.polygons.closest(polygon, position.at);
            Position { at, floor: FloorId(polygon) }
        };
        let is_taken = |polygon: u32| self.is_open(polygon) && accept(point(polygon));
        let (polygon, at) = self.nearest_polygon(self.place(position), reach_m, is_taken)?;
        Some(Position { at, floor: FloorId(polygon) })
    }

    /// The nearest walkable place of the same storey that is not far away.
    pub(crate) fn nearest_on_storey(&self, position: Position) -> Option<Position> {
        self.nearest_of_storey(position, |polygon| self.is_open(polygon))
    }

    /// The nearest place of the polygons that `accept` takes, on the storey of a position and not far away.
    fn nearest_of_storey(&self, position: Position, accept: impl Fn(u32) -> bool) -> Option<Position> {
        let is_here = |polygon: u32| {
            accept(polygon) && {
                let at = self.shape.polygons.closest(polygon, position.at);
                self.floors_touch(position, Position { at, floor: FloorId(polygon) })
            }
        };
        let (polygon, at) = self.nearest_polygon(self.place(position), BESIDE_M, is_here)?;
        Some(Position { at, floor: FloorId(polygon) })
    }

    /// Where a path ends that cannot lead to a position: the nearest place of the polygons that `accept` takes. Places on
    /// the storey of the position come first: before a closed door upstairs, one waits there, and not in the room below.
    pub(super) fn nearest_stop(&self, position: Position, accept: impl Fn(u32) -> bool) -> Option<Position> {
        self.nearest_of_storey(position, &accept).filter(|_| self.has_heights()).or_else(|| {
            let (polygon, at) = self.nearest_polygon(self.place(position), ANYWHERE_M, accept)?;
            Some(Position { at, floor: FloorId(polygon) })
        })
    }

    /// Whether the floor of a place is nearer to it than a storey. Rooms made of areas have no heights.
    pub(crate) fn is_at_a_floor(&self, place: Place) -> bool {
        let off_m = |y_m: f64| (self.height_m(self.locate(place)) - y_m).abs();
        self.is_outlined() || place.y_m.is_none_or(|y_m| off_m(y_m) < STOREY_M)
    }

    pub(crate) fn anchor(&self, position: Position, snap_m: f64) -> Option<Anchor> {
        let at = self.nearest_place(position, snap_m)?;
        Some(Anchor { at, node: Some(at.floor.0) })
    }

    pub(crate) fn node_anchor(&self, position: Position, snap_m: f64) -> Option<Anchor> {
        self.anchor(position, snap_m).map(|anchor| Anchor { at: position, ..anchor })
    }

    /// The same anchor on a variant of the mesh, whose polygons may have other numbers.
    pub(crate) fn anchor_again(&self, anchor: &Anchor) -> Anchor {
        let known = Position { floor: FloorId(anchor.node.unwrap_or(u32::MAX)), ..anchor.at };
        let at = if self.is_walkable(known) { known } else { self.locate(known.at.into()) };
        Anchor { at, node: Some(at.floor.0) }
    }

    pub(crate) fn may_connect(&self, from: Position, to: Position) -> bool {
        self.component_of(from).is_some_and(|from| Some(from) == self.component_of(to))
    }

    /// The component of a position, in either direction of portals.
    pub(crate) fn component_of(&self, at: Position) -> Option<u32> {
        self.component(at.floor.0).filter(|_| self.is_walkable(at))
    }

    pub(crate) fn resolution_m(&self) -> f64 {
        ON_M
    }

    pub(crate) fn walkable_m2(&self) -> f64 {
        let open = (0..self.polygon_count()).filter(|&polygon| self.is_open(polygon));
        open.map(|polygon| self.shape.polygons.square_metres(polygon)).sum()
    }

    pub(crate) fn node_limit(&self) -> usize {
        self.shape.polygons.edge_count()
    }

    pub(crate) fn size(&self) -> usize {
        self.shape.polygons.len()
    }

    /// Draws a polygon by its size, then a point of it: every place is equally likely.
    pub(crate) fn random_place(
        &self,
        region: &Region,
        most_work: u64,
        mut draw: impl FnMut() -> f64,
    ) -> Option<(Option<Position>, u64)> {
        let flood = region.reachable_from.map(|from| MeshFlood::new(self, from.node));
        let mut work = flood.as_ref().map_or(0, MeshFlood::work);
        let is_in = |polygon: &u32| {
            self.is_open(*polygon)
                && flood.as_ref().is_none_or(|flood| flood.reached.contains(polygon))
                && region.disc.is_none_or(|disc| {
                    let nearest = self.shape.polygons.closest(*polygon, disc.centre.at);
                    disc.holds(nearest)
                        && self.floors_touch(disc.centre, Position { at: nearest, floor: FloorId(*polygon) })
                })
        };
        let polygons: Vec<u32> = match region.area {
            Some(area) => self.shape.areas[area.0].polygons.iter().copied().filter(is_in).collect(),
            None => (0..self.polygon_count()).filter(is_in).collect(),
        };
        work += polygons.len() as u64 / 8;
        // Of a large polygon only the part near the disc.
        let round = region.disc.map(|disc| round_circle(disc.centre.at, disc.radius_m, CORNERS_OF_DISC));
        let outline = |polygon: u32| {
            let corners: Vec<DVec2> = self.shape.polygons.corners(polygon).collect();
            round.as_ref().map_or_else(|| corners.clone(), |round| intersection(&corners, round))
        };
        let outlines: Vec<(u32, Vec<DVec2>)> = polygons.iter().map(|&at| (at, outline(at))).collect();
        let sizes: Vec<f64> = outlines.iter().map(|(_, corners)| doubled_area(corners)).collect();
        let all: f64 = sizes.iter().sum();
        if outlines.is_empty() || all <= 0.0 {
            return Some((None, work));
        }
        // Points outside the disc are drawn again. A disc that holds next to nothing ends the tries.
        for _ in 0..MOST_DRAWS {
            work += 1;
            if work > most_work {
                return None;
            }
            let mut wanted = draw() * all;
            let chosen = sizes.iter().position(|size| {
                wanted -= size;
                wanted < 0.0
            });
            let (polygon, corners) = &outlines[chosen.unwrap_or(outlines.len() - 1)];
            let at = random_point(corners, &mut draw);
            let position = Position { at, floor: FloorId(*polygon) };
            // Polygons made of cells stick out of areas.
            let is_in_area = region.area.is_none_or(|area| self.area_contains(area, position));
            if is_in_area && region.disc.is_none_or(|disc| disc.holds(at)) {
                return Some((Some(position), work));
            }
        }
        Some((None, work))
    }
}

/// Upper limit on the points drawn for one place.
const MOST_DRAWS: u32 = 10_000;

/// Corners of the polygon round a disc in which points are drawn.
const CORNERS_OF_DISC: u32 = 16;

/// How well a polygon suits a place; the least is the best.
#[derive(Debug, Clone, Copy)]
struct Rank {
    away_m: f64,
    below_m: f64,
    is_closed: bool,
    polygon: u32,
}

impl Rank {
    fn is_before(&self, other: &Self) -> bool {
        let differ = |one: f64, other: f64, tolerance: f64| (one - other).abs() > tolerance;
        if differ(self.away_m, other.away_m, ON_M) {
            self.away_m < other.away_m
        } else if differ(self.below_m, other.below_m, SAME_HEIGHT_M) {
            self.below_m < other.below_m
        } else {
            (self.is_closed, self.polygon) < (other.is_closed, other.polygon)
        }
    }
}

/// All polygons that can be walked to from one.
#[derive(Debug, Clone)]
pub struct MeshFlood {
    pub(super) reached: BTreeSet<u32>,
}

impl MeshFlood {
    /// From a polygon; from nowhere if there is none, or if it is closed.
    pub(crate) fn new(mesh: &Mesh, from: Option<u32>) -> Self {
        let is_open = |polygon: &u32| *polygon < mesh.polygon_count() && mesh.is_open(*polygon);
        let mut waiting: Vec<u32> = from.filter(is_open).into_iter().collect();
        let mut reached: BTreeSet<u32> = waiting.iter().copied().collect();
        let view = mesh.view();
        while let Some(polygon) = waiting.pop() {
            for edge in view.polygons.edge_range(polygon) {
                if let Some((behind, _)) = view.behind(edge)
                    && reached.insert(behind)
                {
                    waiting.push(behind);
                }
            }
        }
        Self { reached }
    }

    pub(crate) fn holds(&self, anchor: &Anchor) -> bool {
        anchor.node.is_some_and(|polygon| self.reached.contains(&polygon))
    }

    pub(crate) fn first(&self) -> Option<u32> {
        self.reached.first().copied()
    }

    /// The flooded place nearest to another one.
    pub(crate) fn stop_near(&self, mesh: &Mesh, to: Position) -> Option<Position> {
        mesh.nearest_stop(to, |polygon| self.reached.contains(&polygon))
    }

    pub(crate) fn work(&self) -> u64 {
        self.reached.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A character was pushed into the corner of a slanted bridge, and could not stand where it was.
    #[test]
    fn lines_end_on_walkable_ground_in_corners_too() {
        let text = r#"{"ground": "mesh", "boundaryPadding": 0.3, "areas": [
            {"name": "bridge", "polygon": [[16, 8], [20, 6], [21, 8], [17, 10]]}]}"#;
        let room = crate::room::parse("bridge.json", text.as_bytes()).unwrap().room;
        let mesh = Mesh::of_room(&room, &[true]).unwrap();
        let middle = mesh.locate(DVec2::new(18.5, 8.0).into());
        let mut beyond = 0;
        for corner in 0..mesh.shape.polygons.vertices().len() {
            let corner = mesh.shape.polygons.vertices()[corner];
            let outwards = (corner - middle.at).normalize();
            for step in 0..40 {
                let at = corner + outwards * (0.05 * f64::from(step) * ON_M);
                let Some(end) = mesh.walk_straight(middle, at) else { continue };
                beyond += u32::from(step > 20);
                assert!(mesh.is_walkable(end), "{at} is {step} steps from {corner}");
            }
        }
        assert!(beyond > 0, "lines end farther than {ON_M} m beyond corners");
    }
}
