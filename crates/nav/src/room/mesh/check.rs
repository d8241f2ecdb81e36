//! Checks the polygons that a room gives, in whatever form it gives them.

use super::behind::{UnclearEdge, edges_behind, ring_of};
use super::fault::{About, Fault, MOST_FAULTS};
use super::pairs::{Bounds, for_each_pair};
use super::{MeshPolygons, RawPolygon};
use crate::geometry::{NotConvex, STRAIGHT_M, check_convex, doubled_area, fan_height, intersection};
use crate::room::MAX_COORDINATE_M;
use glam::{DVec2, DVec3};
use std::ops::ControlFlow;

/// Points within this distance are one, in metres.
pub(super) const SAME_M: f64 = STRAIGHT_M;

/// Edges of different heights are not joined, unless by a portal of the file. In metres.
pub(super) const LEVEL_M: f64 = 0.01;

/// A polygon has at most this many corners: the work for a step of a walk or a search grows with them.
const MOST_CORNERS: usize = 1000;

/// Polygons of one storey may overlap by this much, in square metres.
const OVERLAP_M2: f64 = 1e-3;

/// Overlapping polygons whose heights differ by less belong to one storey, in metres.
pub(super) const STOREY_M: f64 = 0.5;

/// Faults of polygons that are given by the indices of their vertices.
pub(in crate::room) fn check(mesh: &MeshPolygons) -> Vec<Fault> {
    check_each(mesh).map_or_else(|faults| faults, |rings| overlaps(&rings))
}

/// The corners of polygons that are given by the indices of their vertices, counter-clockwise.
///
/// # Errors
/// Faults of single polygons, and of the portals between them.
pub(super) fn check_each(mesh: &MeshPolygons) -> Result<Vec<Vec<DVec3>>, Vec<Fault>> {
    let (mut rings, mut turned, mut faults) = (Vec::new(), Vec::new(), Vec::new());
    for (number, polygon) in mesh.polygons.iter().enumerate() {
        let checked = indexed(mesh, polygon).and_then(|corners| {
            let is_counter_clockwise = ring(&corners)?;
            Ok((corners, is_counter_clockwise))
        });
        match checked {
            Ok((mut corners, is_counter_clockwise)) => {
                turned.push(ring_of(polygon, !is_counter_clockwise));
                if !is_counter_clockwise {
                    corners.reverse();
                }
                rings.push(corners);
            }
            Err(fault) => faults.push(Fault { about: About::Polygon(number), ..fault }),
        }
        if faults.len() == MOST_FAULTS {
            break;
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    let points: Vec<DVec2> = mesh.vertices.iter().copied().map(on_plane).collect();
    let is_implicit = |polygon: usize| mesh.polygons[polygon].neighbours.is_empty();
    match edges_behind(&points, &turned, is_implicit) {
        Ok(_) => Ok(rings),
        Err(unclear) => Err(unclear.into_iter().map(Fault::from).take(MOST_FAULTS).collect()),
    }
}

/// The corners of a polygon that is given by indices.
fn indexed(mesh: &MeshPolygons, polygon: &RawPolygon) -> Result<Vec<DVec3>, Fault> {
    let fault = |what: String| Err(Fault::polygon(0, what));
    let corners: Option<Vec<DVec3>> =
        polygon.corners.iter().map(|&corner| mesh.vertices.get(corner as usize).copied()).collect();
    let Some(corners) = corners else { return fault("names a vertex that does not exist".into()) };
    if corners.iter().any(|at| !at.is_finite() || at.abs().max_element() > MAX_COORDINATE_M) {
        return fault(format!(
            "has a corner that is not finite, or farther than {MAX_COORDINATE_M:.0} m from the origin"
        ));
    }
    let (behind, count) = (&polygon.neighbours, mesh.polygons.len());
    if let Some(unknown) = behind.iter().flatten().find(|&&behind| behind as usize >= count) {
        return fault(format!("has a portal to polygon {unknown}; there are {count}, counted from 0"));
    }
    if !behind.is_empty() && behind.len() != corners.len() {
        return fault("does not have one neighbour (or -1) for each edge".into());
    }
    Ok(corners)
}

impl From<UnclearEdge> for Fault {
    fn from(edge: UnclearEdge) -> Self {
        match edge {
            UnclearEdge::SharedByMany { polygon } => {
                Self::polygon(polygon, "has an edge that two other polygons have, too")
                    .with_hint("an edge joins two polygons: split it, or give neighbours")
            }
            UnclearEdge::NoSuchPortal { polygon, neighbour } => {
                let what = format!("has a portal to polygon {neighbour}, which does not have that edge");
                Self::polygon(polygon, what)
                    .with_hint("both need the same two corners there, seen from above")
            }
        }
    }
}

/// Whether the corners of a polygon run counter-clockwise.
///
/// # Errors
/// Why they are no convex polygon. The number of the polygon is left at 0.
pub(super) fn ring(corners: &[DVec3]) -> Result<bool, Fault> {
    let fault = |what: String| Err(Fault::polygon(0, what));
    if corners.len() > MOST_CORNERS {
        let what = format!("has {} corners; at most {MOST_CORNERS} are possible", corners.len());
        return Err(Fault::polygon(0, what).with_hint("split it into several polygons"));
    }
    let flat: Vec<DVec2> = corners.iter().copied().map(on_plane).collect();
    if let Some(corner) = repeated(&flat) {
        let at = corners[corner];
        let is_upright = corners
            .iter()
            .any(|other| (other.y - at.y).abs() > SAME_M && on_plane(*other - at).length() <= SAME_M);
        return Err(match is_upright {
            true => Fault::polygon(
                0,
                format!("stands upright: two of its corners lie above each other at {}", place(at)),
            )
            .with_hint("leave walls out: a polygon is a floor, seen from above"),
            false => Fault::polygon(0, format!("has the corner {} twice", place(at))),
        });
    }
    check_convex(&flat).or_else(|flaw| match flaw {
        NotConvex::TooFew => fault("has fewer than 3 corners".into()),
        NotConvex::Flat => fault("has no area seen from above: all its corners are on one line".into()),
        NotConvex::Concave(corner) => fault(format!(
            "is not convex: the corner {} points inwards; split it into convex polygons",
            place(corners[corner])
        )),
    })
}

/// The first point that lies on an earlier one.
fn repeated(points: &[DVec2]) -> Option<usize> {
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&a, &b| points[a].x.total_cmp(&points[b].x).then(a.cmp(&b)));
    let mut first = None;
    for (place, &one) in order.iter().enumerate() {
        let near = order[place + 1..].iter().take_while(|&&other| points[other].x - points[one].x <= SAME_M);
        for &other in near.filter(|&&other| points[one].distance(points[other]) <= SAME_M) {
            let later = one.max(other);
            first = Some(first.map_or(later, |known: usize| known.min(later)));
        }
    }
    first
}

pub(super) fn on_plane(at: DVec3) -> DVec2 {
    DVec2::new(at.x, at.z)
}

pub(super) fn place(at: DVec3) -> String {
    format!("[{}, {}, {}]", at.x, at.y, at.z)
}

/// Polygons that lie on each other on one storey. Their corners run counter-clockwise.
pub(super) fn overlaps(rings: &[Vec<DVec3>]) -> Vec<Fault> {
    let fault = |stack: Stack| {
        let Stack { polygons: [one, other], at, .. } = stack;
        let what = format!(
            "lies on polygon {one} around [{:.2}, {:.2}, {:.2}]; polygons of one storey may not overlap",
            at.x, at.y, at.z
        );
        Fault::polygon(other, what)
            .with_hint(format!("cut one of them, or raise one by {STOREY_M} m or more"))
    };
    stacks(rings, 0.0, STOREY_M).into_iter().map(fault).collect()
}

/// Two polygons one above the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stack {
    /// The numbers of both, in ascending order.
    pub polygons: [usize; 2],
    /// The middle of their common part, on the second one.
    pub at: DVec3,
    /// The difference of their heights there, in metres.
    pub apart_m: f64,
}

/// Polygons above each other whose heights differ by at least `from_m` and less than `to_m` in the middle of their common
/// part, up to [`MOST_FAULTS`]. Their corners run counter-clockwise.
pub(super) fn stacks(rings: &[Vec<DVec3>], from_m: f64, to_m: f64) -> Vec<Stack> {
    let bounds: Vec<Bounds> =
        rings.iter().map(|ring| Bounds::of(ring.iter().copied(), 0.0, to_m / 2.0)).collect();
    let planes: Vec<Plane> = rings.iter().map(|ring| Plane::of(ring)).collect();
    let mut found = Vec::new();
    for_each_pair(&bounds, &mut |one, other| {
        if planes[one].least_distance_m(&planes[other], &rings[one]) >= to_m {
            return ControlFlow::Continue(());
        }
        let [a, b] = [one, other].map(|ring| rings[ring].iter().copied().map(on_plane).collect::<Vec<_>>());
        let common = intersection(&a, &b);
        if common.len() < 3 || doubled_area(&common) / 2.0 <= OVERLAP_M2 {
            return ControlFlow::Continue(());
        }
        let middle = common.iter().sum::<DVec2>() / common.len() as f64;
        let [low, high] = [one, other].map(|ring| height_m(&rings[ring], middle));
        let apart_m = (low - high).abs();
        if (from_m..to_m).contains(&apart_m) {
            found.push(Stack { polygons: [one, other], at: DVec3::new(middle.x, high, middle.y), apart_m });
        }
        if found.len() < MOST_FAULTS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    found.sort_by_key(|stack| [stack.polygons[1], stack.polygons[0]]);
    found
}

/// A plane near all points of a polygon: steep polygons above each other are told apart without clipping them.
#[derive(Debug, Clone, Copy)]
struct Plane {
    middle: DVec3,
    /// Metres of height for each metre along x and z.
    slope: DVec2,
    /// How far points of the polygon are above or below the plane, at most, in metres.
    off_m: f64,
}

impl Plane {
    fn of(ring: &[DVec3]) -> Self {
        let middle = ring.iter().sum::<DVec3>() / ring.len().max(1) as f64;
        // Newell's method.
        let pairs = ring.iter().zip(ring.iter().cycle().skip(1));
        let normal: DVec3 = pairs.map(|(&a, &b)| (a - middle).cross(b - middle)).sum();
        let slope = -DVec2::new(normal.x, normal.z) / normal.y;
        let mut plane = Self { middle, slope, off_m: 0.0 };
        let off_m = ring.iter().map(|at| (at.y - plane.height_m(on_plane(*at))).abs());
        plane.off_m = off_m.fold(0.0, f64::max);
        plane
    }

    fn height_m(&self, at: DVec2) -> f64 {
        self.middle.y + self.slope.dot(at - on_plane(self.middle))
    }

    /// A lower bound of the difference of heights of two polygons within the first one.
    fn least_distance_m(&self, other: &Self, ring: &[DVec3]) -> f64 {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for corner in ring {
            let at = on_plane(*corner);
            let rise_m = self.height_m(at) - other.height_m(at);
            (low, high) = (low.min(rise_m), high.max(rise_m));
        }
        low.max(-high) - self.off_m - other.off_m
    }
}

fn height_m(ring: &[DVec3], at: DVec2) -> f64 {
    fan_height(ring.len(), |corner| (on_plane(ring[corner]), ring[corner].y), at)
}
