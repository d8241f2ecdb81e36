//! Joins polygons that are given by their corners: finds the stretches of edges that they share, or takes those of the
//! file's portals, and splits the edges there.

use super::{MeshPolygons, RawPolygon};
use crate::geometry::{NotConvex, STRAIGHT_M, check_convex, closest_on_segment, intersection};
use crate::geometry::{doubled_area, fan_height};
use crate::room::MAX_COORDINATE_M;
use glam::{DVec2, DVec3};
use std::collections::BTreeMap;
use std::fmt;

/// Points within this distance are one, in metres.
const SAME_M: f64 = STRAIGHT_M;

/// Edges of different heights are not joined. In metres.
const LEVEL_M: f64 = 0.01;

/// Shorter stretches are no portals, in metres.
const SHORTEST_M: f64 = 0.01;

/// Polygons of one storey may overlap by this much, in square metres.
const OVERLAP_M2: f64 = 1e-3;

/// Overlapping polygons whose heights differ by less belong to one storey, in metres.
const STOREY_M: f64 = 0.5;

/// A portal as a file gives it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::room) struct Portal {
    pub from: usize,
    pub to: usize,
    pub ends: [DVec3; 2],
    pub one_way: bool,
}

/// What is wrong with polygons, with the number of the polygon or portal.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::room) enum Fault {
    Polygon(usize, String),
    Portal(usize, String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Polygon(number, what) => write!(f, "polygon {number} {what}"),
            Self::Portal(number, what) => write!(f, "portal {number} {what}"),
        }
    }
}

/// Upper limit on the faults that are reported.
const MOST_FAULTS: usize = 50;

/// Joins polygons. Without portals, edges that lie on each other are joined as far as they do.
///
/// # Errors
/// All faults.
pub(in crate::room) fn join(
    polygons: &[Vec<DVec3>],
    portals: Option<&[Portal]>,
) -> Result<MeshPolygons, Vec<Fault>> {
    let (mut rings, mut faults) = (Vec::new(), Vec::new());
    for (number, corners) in polygons.iter().enumerate() {
        match ring(corners) {
            Ok(ring) => rings.push(ring),
            Err(what) => faults.push(Fault::Polygon(number, what)),
        }
    }
    if faults.is_empty() {
        faults.extend(overlaps(&rings));
    }
    if !faults.is_empty() {
        faults.truncate(MOST_FAULTS);
        return Err(faults);
    }
    let stretches = match portals {
        Some(portals) => given(&rings, portals)?,
        None => shared(&rings),
    };
    split(&rings, &stretches)
}

/// Faults of polygons that are given by the indices of their vertices.
pub(in crate::room) fn check(mesh: &MeshPolygons) -> Vec<Fault> {
    let count = mesh.polygons.len();
    let fault = |(number, polygon): (usize, &RawPolygon)| {
        let corners: Option<Vec<DVec3>> =
            polygon.corners.iter().map(|&corner| mesh.vertices.get(corner as usize).copied()).collect();
        let what = match corners {
            None => Some("names a vertex that does not exist".to_owned()),
            Some(corners)
                if corners.iter().any(|at| !at.is_finite() || at.abs().max_element() > MAX_COORDINATE_M) =>
            {
                Some(format!(
                    "has a corner that is not finite, or farther than {MAX_COORDINATE_M:.0} m from the origin"
                ))
            }
            Some(corners) => ring(&corners).err(),
        };
        let behind = &polygon.neighbours;
        let what = what.or_else(|| match behind.iter().flatten().find(|&&behind| behind as usize >= count) {
            Some(unknown) => {
                Some(format!("has a portal to polygon {unknown}; there are {count}, counted from 0"))
            }
            None if !behind.is_empty() && behind.len() != polygon.corners.len() => {
                Some("does not have one neighbour (or -1) for each edge".to_owned())
            }
            None => None,
        });
        what.map(|what| Fault::Polygon(number, what))
    };
    mesh.polygons.iter().enumerate().filter_map(fault).take(MOST_FAULTS).collect()
}

/// Joins pieces of polygons that were checked before they were cut.
pub(in crate::room) fn rejoin(pieces: &[Vec<DVec3>]) -> Result<MeshPolygons, Vec<Fault>> {
    let ring =
        |(number, corners): (usize, &Vec<DVec3>)| ring(corners).map_err(|what| Fault::Polygon(number, what));
    let rings: Vec<Vec<DVec3>> =
        pieces.iter().enumerate().map(ring).collect::<Result<_, _>>().map_err(|fault| vec![fault])?;
    split(&rings, &shared(&rings))
}

/// The corners counter-clockwise.
fn ring(corners: &[DVec3]) -> Result<Vec<DVec3>, String> {
    let flat: Vec<DVec2> = corners.iter().copied().map(on_plane).collect();
    let repeats = (0..flat.len()).find(|&i| (0..i).any(|j| flat[i].distance(flat[j]) <= SAME_M));
    if let Some(corner) = repeats {
        return Err(format!("has the corner {} twice", place(corners[corner])));
    }
    match check_convex(&flat) {
        Ok(true) => Ok(corners.to_vec()),
        Ok(false) => Ok(corners.iter().rev().copied().collect()),
        Err(NotConvex::TooFew) => Err("has fewer than 3 corners".into()),
        Err(NotConvex::Flat) => Err("has no area seen from above: all its corners are on one line".into()),
        Err(NotConvex::Concave(corner)) => Err(format!(
            "is not convex: the corner {} points inwards; split it into convex polygons",
            place(corners[corner])
        )),
    }
}

fn on_plane(at: DVec3) -> DVec2 {
    DVec2::new(at.x, at.z)
}

fn place(at: DVec3) -> String {
    format!("[{}, {}, {}]", at.x, at.y, at.z)
}

/// Pairs of polygons whose rectangles meet.
fn for_each_pair(rings: &[Vec<DVec3>], mut visit: impl FnMut(usize, usize)) {
    let bounds = |ring: &Vec<DVec3>| {
        let nothing = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        ring.iter().fold(nothing, |(min, max), &at| (min.min(on_plane(at)), max.max(on_plane(at))))
    };
    let bounds: Vec<(DVec2, DVec2)> = rings.iter().map(bounds).collect();
    let mut order: Vec<usize> = (0..rings.len()).collect();
    order.sort_by(|&a, &b| bounds[a].0.x.total_cmp(&bounds[b].0.x).then(a.cmp(&b)));
    for (place, &one) in order.iter().enumerate() {
        let (min, max) = (bounds[one].0 - SAME_M, bounds[one].1 + SAME_M);
        for &other in order[place + 1..].iter().take_while(|&&other| bounds[other].0.x <= max.x) {
            if bounds[other].0.y <= max.y && bounds[other].1.y >= min.y {
                visit(one.min(other), one.max(other));
            }
        }
    }
}

/// Polygons that lie on each other on one storey.
fn overlaps(rings: &[Vec<DVec3>]) -> Vec<Fault> {
    let mut faults = Vec::new();
    for_each_pair(rings, |one, other| {
        let [a, b] = [one, other].map(|ring| rings[ring].iter().copied().map(on_plane).collect::<Vec<_>>());
        let common = intersection(&a, &b);
        if common.len() < 3 || doubled_area(&common) / 2.0 <= OVERLAP_M2 {
            return;
        }
        let middle = common.iter().sum::<DVec2>() / common.len() as f64;
        let [low, high] = [one, other].map(|ring| height(&rings[ring], middle));
        if (low - high).abs() < STOREY_M {
            let what = format!(
                "lies on polygon {one} around [{:.2}, {:.2}, {:.2}]; polygons of one storey may not overlap",
                middle.x, high, middle.y
            );
            faults.push(Fault::Polygon(other, what));
        }
    });
    faults
}

fn height(ring: &[DVec3], at: DVec2) -> f64 {
    fan_height(ring.len(), |corner| (on_plane(ring[corner]), ring[corner].y), at)
}

/// A stretch of an edge that leads to another polygon.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    polygon: usize,
    edge: usize,
    /// The polygon behind it. `None` if the stretch cannot be passed from this side.
    behind: Option<usize>,
    ends: [DVec3; 2],
}

/// The stretches of the file's portals: both sides of each.
fn given(rings: &[Vec<DVec3>], portals: &[Portal]) -> Result<Vec<Stretch>, Vec<Fault>> {
    let (mut stretches, mut faults) = (Vec::new(), Vec::new());
    for (number, portal) in portals.iter().enumerate() {
        let sides =
            [(portal.from, Some(portal.to)), (portal.to, Some(portal.from).filter(|_| !portal.one_way))];
        if let Some((polygon, _)) = sides.iter().find(|(polygon, _)| *polygon >= rings.len()) {
            let what = format!("names polygon {polygon}; there are {}, counted from 0", rings.len());
            faults.push(Fault::Portal(number, what));
            continue;
        }
        if portal.from == portal.to {
            faults.push(Fault::Portal(number, "leads back into its own polygon".into()));
            continue;
        }
        if on_plane(portal.ends[0]).distance(on_plane(portal.ends[1])) < SHORTEST_M {
            faults.push(Fault::Portal(number, format!("is shorter than {SHORTEST_M} m")));
            continue;
        }
        for (polygon, behind) in sides {
            match edge_with(&rings[polygon], portal.ends.map(on_plane)) {
                Some(edge) => stretches.push(Stretch { polygon, edge, behind, ends: portal.ends }),
                None => {
                    let [a, b] = portal.ends.map(place);
                    let what =
                        format!("does not touch polygon {polygon}: {a} to {b} is not on one of its edges");
                    faults.push(Fault::Portal(number, what));
                }
            }
        }
    }
    if faults.is_empty() { Ok(stretches) } else { Err(faults) }
}

/// The edge of a polygon on which two points lie.
fn edge_with(ring: &[DVec3], points: [DVec2; 2]) -> Option<usize> {
    (0..ring.len()).find(|&edge| {
        let (a, b) = (on_plane(ring[edge]), on_plane(ring[(edge + 1) % ring.len()]));
        points.iter().all(|&at| closest_on_segment(at, a, b).distance(at) <= 2.0 * SAME_M)
    })
}

/// The stretches where edges of two polygons lie on each other, at the same height.
fn shared(rings: &[Vec<DVec3>]) -> Vec<Stretch> {
    let mut stretches = Vec::new();
    for_each_pair(rings, |one, other| {
        for edge in 0..rings[one].len() {
            for edge_there in 0..rings[other].len() {
                let line = |ring: &[DVec3], edge: usize| (ring[edge], ring[(edge + 1) % ring.len()]);
                let Some(ends) = common(line(&rings[one], edge), line(&rings[other], edge_there)) else {
                    continue;
                };
                let (behind, edge_there) = (Some(other), edge_there);
                stretches.push(Stretch { polygon: one, edge, behind, ends });
                stretches.push(Stretch { polygon: other, edge: edge_there, behind: Some(one), ends });
            }
        }
    });
    stretches
}

/// The stretch that two edges have in common, if they run against each other at the same height.
fn common((a, b): (DVec3, DVec3), (c, d): (DVec3, DVec3)) -> Option<[DVec3; 2]> {
    let along = on_plane(b - a);
    let length_m = along.length();
    let share = |at: DVec3| along.dot(on_plane(at - a)) / (length_m * length_m);
    let off_m = |at: DVec3| (along.perp_dot(on_plane(at - a)) / length_m).abs();
    if off_m(c).max(off_m(d)) > SAME_M || along.dot(on_plane(d - c)) >= 0.0 {
        return None;
    }
    let (first, last) = (share(d).max(0.0), share(c).min(1.0));
    if (last - first) * length_m < SHORTEST_M {
        return None;
    }
    let there = |at: DVec3| {
        let (along, at) = (on_plane(d - c), on_plane(at - c));
        c.lerp(d, (along.dot(at) / along.length_squared()).clamp(0.0, 1.0))
    };
    let ends = [first, last].map(|share| a.lerp(b, share));
    ends.iter().all(|&at| (there(at).y - at.y).abs() <= LEVEL_M).then_some(ends)
}

/// A part of an edge by its vertices, and the polygon behind it.
type Part = ([u32; 2], Option<usize>);

/// Splits the edges at the ends of their stretches.
fn split(rings: &[Vec<DVec3>], stretches: &[Stretch]) -> Result<MeshPolygons, Vec<Fault>> {
    let mut vertices = Vertices::default();
    let mut by_edge: BTreeMap<(usize, usize), Vec<Part>> = BTreeMap::new();
    let corners: Vec<Vec<u32>> =
        rings.iter().map(|ring| ring.iter().map(|&at| vertices.vertex(at)).collect()).collect();
    for stretch in stretches {
        let ends = stretch.ends.map(|at| vertices.vertex(at));
        by_edge.entry((stretch.polygon, stretch.edge)).or_default().push((ends, stretch.behind));
    }
    let (mut polygons, mut faults) = (Vec::new(), Vec::new());
    for (number, ring) in corners.iter().enumerate() {
        let mut raw = RawPolygon::default();
        for edge in 0..ring.len() {
            let ends = [ring[edge], ring[(edge + 1) % ring.len()]];
            let on_edge = by_edge.get(&(number, edge)).map_or(&[][..], Vec::as_slice);
            if !vertices.cut(ends, on_edge, &mut raw) {
                let what = format!(
                    "shares a stretch of the edge from {} with two others",
                    place(rings[number][edge])
                );
                faults.push(Fault::Polygon(number, what));
            }
        }
        polygons.push(raw);
    }
    if faults.is_empty() { Ok(MeshPolygons { vertices: vertices.points, polygons }) } else { Err(faults) }
}

/// Points, each once.
#[derive(Default)]
struct Vertices {
    points: Vec<DVec3>,
    /// Their numbers by the cell of a lattice.
    by_cell: BTreeMap<[i64; 3], Vec<u32>>,
}

impl Vertices {
    /// The number of a point: that of the first one that lies there.
    fn vertex(&mut self, at: DVec3) -> u32 {
        let cell = (at / (4.0 * SAME_M)).floor();
        let key = |x: f64, y: f64, z: f64| [x as i64, y as i64, z as i64];
        for offset in 0..27 {
            let step = |part: i32| f64::from(offset / part % 3 - 1);
            let near = key(cell.x + step(1), cell.y + step(3), cell.z + step(9));
            let known = self.by_cell.get(&near).into_iter().flatten();
            let is_there = |vertex: &&u32| {
                let other = self.points[**vertex as usize];
                on_plane(other).distance(on_plane(at)) <= 2.0 * SAME_M
                    && (other.y - at.y).abs() <= 2.0 * LEVEL_M
            };
            if let Some(&vertex) = known.into_iter().find(is_there) {
                return vertex;
            }
        }
        let vertex = self.points.len() as u32;
        self.points.push(at);
        self.by_cell.entry(key(cell.x, cell.y, cell.z)).or_default().push(vertex);
        vertex
    }

    /// Appends an edge, cut at the ends of its stretches. False if two stretches overlap.
    fn cut(&self, ends: [u32; 2], stretches: &[Part], raw: &mut RawPolygon) -> bool {
        let [a, b] = ends.map(|end| on_plane(self.points[end as usize]));
        let share =
            |vertex: u32| (b - a).dot(on_plane(self.points[vertex as usize]) - a) / (b - a).length_squared();
        let mut parts: Vec<Part> = stretches
            .iter()
            .map(|&([c, d], behind)| (if share(c) <= share(d) { [c, d] } else { [d, c] }, behind))
            .filter(|([c, d], _)| c != d)
            .collect();
        parts.sort_by(|one, other| share(one.0[0]).total_cmp(&share(other.0[0])));
        let mut at = ends[0];
        for ([from, to], behind) in parts {
            if share(from) < share(at) - SAME_M / a.distance(b) {
                return false;
            }
            if from != at {
                raw.corners.push(at);
                raw.neighbours.push(None);
            }
            raw.corners.push(from);
            raw.neighbours.push(behind.map(|polygon| polygon as u32));
            at = to;
        }
        if at != ends[1] {
            raw.corners.push(at);
            raw.neighbours.push(None);
        }
        true
    }
}
