//! Joins polygons that are given by their corners: finds the stretches of edges that they share, or takes those of the
//! file's portals, and splits the edges there. Each polygon keeps its own heights.

use super::check::{LEVEL_M, SAME_M, STOREY_M, on_plane, overlaps, place, ring};
use super::fault::{About, Fault, MOST_FAULTS};
use super::pairs::{Bounds, for_each_pair};
use super::vertices::{Corner, Vertices};
use super::{MeshPolygons, RawPolygon};
use crate::geometry::closest_on_segment;
use glam::{DVec2, DVec3};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// Shorter stretches are no portals, in metres.
const SHORTEST_M: f64 = 0.01;

/// A portal as a file gives it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::room) struct Portal {
    pub from: usize,
    pub to: usize,
    pub ends: [DVec3; 2],
    pub one_way: bool,
}

/// An edge of a polygon: the numbers of both.
pub(super) type EdgeOf = (usize, usize);

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
            Ok(true) => rings.push(corners.clone()),
            Ok(false) => rings.push(corners.iter().rev().copied().collect()),
            Err(fault) => faults.push(Fault { about: About::Polygon(number), ..fault }),
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
        None => {
            let bounds = |ring: &Vec<DVec3>| Bounds::of(ring.iter().copied(), SAME_M, LEVEL_M);
            let bounds: Vec<Bounds> = rings.iter().map(bounds).collect();
            shared(&rings, &bounds, true, |_, _| Some([true; 2]))
        }
    };
    split(&rings, &stretches)
}

/// Joins pieces of polygons that were joined before they were cut. `ways` tells whether one walks from the first edge to
/// the second and back, if they lie on each other. `bounds` are around all that a piece may be joined with.
///
/// # Errors
/// All faults.
pub(super) fn rejoin(
    pieces: &[Vec<DVec3>],
    bounds: &[Bounds],
    ways: impl Fn(EdgeOf, EdgeOf) -> Option<[bool; 2]>,
) -> Result<MeshPolygons, Vec<Fault>> {
    split(pieces, &shared(pieces, bounds, false, ways))
}

/// A stretch of an edge that leads to another polygon.
#[derive(Debug, Clone, Copy)]
struct Stretch {
    polygon: usize,
    edge: usize,
    /// The polygon on the other side.
    other: usize,
    /// Whether one walks there from this side.
    leads: bool,
    /// Its ends, at the height of this edge.
    ends: [DVec3; 2],
}

/// The stretches of the file's portals: both sides of each.
fn given(rings: &[Vec<DVec3>], portals: &[Portal]) -> Result<Vec<Stretch>, Vec<Fault>> {
    let (mut stretches, mut faults) = (Vec::new(), Vec::new());
    for (number, portal) in portals.iter().enumerate() {
        match sides_of(rings, portal) {
            Ok(sides) => stretches.extend(sides),
            Err(all) => {
                faults.extend(all.into_iter().map(|fault| Fault { about: About::Portal(number), ..fault }));
            }
        }
        if faults.len() >= MOST_FAULTS {
            break;
        }
    }
    if faults.is_empty() { Ok(stretches) } else { Err(faults) }
}

/// Both sides of a portal.
///
/// # Errors
/// What is wrong with it. Its number is left at 0.
fn sides_of(rings: &[Vec<DVec3>], portal: &Portal) -> Result<[Stretch; 2], Vec<Fault>> {
    let fault = |what: String| Fault::portal(0, what);
    let (polygons, ends) = ([portal.from, portal.to], portal.ends);
    if let Some(polygon) = polygons.iter().find(|polygon| **polygon >= rings.len()) {
        let what = format!("names polygon {polygon}; there are {}, counted from 0", rings.len());
        return Err(vec![fault(what)]);
    }
    if portal.from == portal.to {
        return Err(vec![fault("leads back into its own polygon".into())]);
    }
    if on_plane(ends[0]).distance(on_plane(ends[1])) < SHORTEST_M {
        return Err(vec![fault(format!("is shorter than {SHORTEST_M} m"))]);
    }
    let edges = polygons.map(|polygon| edge_with(&rings[polygon], ends.map(on_plane)));
    let [Some(edge), Some(edge_there)] = edges else {
        let without = polygons.into_iter().zip(edges).filter(|(_, edge)| edge.is_none());
        let [a, b] = ends.map(place);
        let what = |(polygon, _): (usize, Option<usize>)| {
            fault(format!("does not touch polygon {polygon}: {a} to {b} is not on one of its edges"))
        };
        return Err(without.map(what).collect());
    };
    let along = [(portal.from, edge), (portal.to, edge_there)].map(|(polygon, edge)| {
        let (a, b) = line(&rings[polygon], edge);
        on_plane(b - a)
    });
    // Polygons run counter-clockwise, so an edge runs against the same edge of the polygon behind it.
    if along[0].dot(along[1]) > 0.0 {
        let [from, to] = polygons;
        let what = format!("has polygon {from} and polygon {to} on the same side, seen from above");
        return Err(vec![fault(what).with_hint("a portal lies between its polygons")]);
    }
    let [here, there] = [(portal.from, edge), (portal.to, edge_there)].map(|(polygon, edge)| {
        let (a, b) = line(&rings[polygon], edge);
        ends.map(|at| at.with_y(point_on(a, b, at).y))
    });
    for (end, (one, other)) in ends.into_iter().zip(here.into_iter().zip(there)) {
        let (low_m, high_m) = (one.y.min(other.y), one.y.max(other.y));
        if !(low_m - STOREY_M..=high_m + STOREY_M).contains(&end.y) {
            let [from, to] = polygons;
            let what = format!(
                "is not at the height of its polygons: its end {} is {:.2} m high, there the edge of polygon {from} \
                 is {:.2} m high and that of polygon {to} is {:.2} m high",
                place(end),
                end.y,
                one.y,
                other.y
            );
            let hint = if high_m - low_m < LEVEL_M {
                format!("give the height {low_m:.2} m")
            } else {
                format!("give a height from {low_m:.2} to {high_m:.2} m")
            };
            return Err(vec![fault(what).with_hint(hint)]);
        }
    }
    let there = if are_level(here, there) { here } else { there };
    let (from, to) = (portal.from, portal.to);
    Ok([
        Stretch { polygon: from, edge, other: to, leads: true, ends: here },
        Stretch { polygon: to, edge: edge_there, other: from, leads: !portal.one_way, ends: there },
    ])
}

/// The edge of a polygon on which two points lie.
fn edge_with(ring: &[DVec3], points: [DVec2; 2]) -> Option<usize> {
    (0..ring.len()).find(|&edge| {
        let (a, b) = line(ring, edge);
        let (a, b) = (on_plane(a), on_plane(b));
        points.iter().all(|&at| closest_on_segment(at, a, b).distance(at) <= 2.0 * SAME_M)
    })
}

/// The ends of an edge.
fn line(ring: &[DVec3], edge: usize) -> (DVec3, DVec3) {
    (ring[edge], ring[(edge + 1) % ring.len()])
}

/// The point of an edge that is nearest to another point, seen from above.
fn point_on(a: DVec3, b: DVec3, at: DVec3) -> DVec3 {
    let (along, at) = (on_plane(b - a), on_plane(at - a));
    a.lerp(b, (along.dot(at) / along.length_squared()).clamp(0.0, 1.0))
}

fn are_level(here: [DVec3; 2], there: [DVec3; 2]) -> bool {
    here.into_iter().zip(there).all(|(one, other)| (one.y - other.y).abs() <= LEVEL_M)
}

/// The stretches where edges of two polygons lie on each other: those for which `ways` tells whether one walks there and
/// back. If `only_level`, edges at different heights are not joined.
fn shared(
    rings: &[Vec<DVec3>],
    bounds: &[Bounds],
    only_level: bool,
    ways: impl Fn(EdgeOf, EdgeOf) -> Option<[bool; 2]>,
) -> Vec<Stretch> {
    let mut stretches = Vec::new();
    for_each_pair(bounds, &mut |one, other| {
        for edge in 0..rings[one].len() {
            for edge_there in 0..rings[other].len() {
                let Some(ways) = ways((one, edge), (other, edge_there)) else { continue };
                let Some([here, there]) = common(line(&rings[one], edge), line(&rings[other], edge_there))
                else {
                    continue;
                };
                let is_level = are_level(here, there);
                if only_level && !is_level {
                    continue;
                }
                let there = if is_level { here } else { there };
                let [leads, leads_back] = ways;
                stretches.push(Stretch { polygon: one, edge, other, leads, ends: here });
                let edge = edge_there;
                stretches.push(Stretch { polygon: other, edge, other: one, leads: leads_back, ends: there });
            }
        }
        ControlFlow::Continue(())
    });
    stretches
}

/// The stretch that two edges have in common, if they run against each other: its ends at the height of the first edge,
/// and at that of the second.
fn common((a, b): (DVec3, DVec3), (c, d): (DVec3, DVec3)) -> Option<[[DVec3; 2]; 2]> {
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
    let here = [first, last].map(|share| a.lerp(b, share));
    Some([here, here.map(|at| at.with_y(point_on(c, d, at).y))])
}

/// A part of an edge at which another polygon lies: its places and heights, that polygon, and whether one walks there.
#[derive(Debug, Clone, Copy)]
struct EdgePart {
    ends: [(u32, f64); 2],
    other: usize,
    leads: bool,
}

/// Divides stretches of one edge that overlap, so that they lie on each other or apart. Stretches are in pairs, the two
/// sides of a portal, and both sides are divided at the same places.
///
/// That is so where one drops onto a border over which others walk, as below the edge of a balcony.
fn at_common_places(vertices: &Vertices, parts: Vec<(EdgeOf, EdgePart)>) -> Vec<(EdgeOf, EdgePart)> {
    let mut cuts: BTreeMap<EdgeOf, BTreeSet<u32>> = BTreeMap::new();
    for (edge, part) in &parts {
        cuts.entry(*edge).or_default().extend(part.ends.map(|(place, _)| place));
    }
    // The places within a part, with their shares of it.
    let within = |cuts: &BTreeMap<EdgeOf, BTreeSet<u32>>, edge: EdgeOf, part: &EdgePart| -> Vec<(u32, f64)> {
        let [from, to] = part.ends.map(|(place, _)| vertices.at(place));
        let along = (to - from) / (to - from).length_squared();
        let share = |&place: &u32| (place, along.dot(vertices.at(place) - from));
        let ends = part.ends.map(|(place, _)| place);
        let is_inside = |(place, share): &(u32, f64)| !ends.contains(place) && *share > 0.0 && *share < 1.0;
        cuts.get(&edge).into_iter().flatten().map(share).filter(is_inside).collect()
    };
    let mut goes_on = true;
    while std::mem::take(&mut goes_on) {
        for pair in parts.chunks(2) {
            for ((edge, part), (other, _)) in pair.iter().zip(pair.iter().rev()) {
                let places = within(&cuts, *edge, part);
                let known = cuts.entry(*other).or_default();
                places.into_iter().for_each(|(place, _)| goes_on |= known.insert(place));
            }
        }
    }
    let divided = |(edge, part): (EdgeOf, EdgePart)| {
        let mut places = within(&cuts, edge, &part);
        places.sort_by(|one, other| one.1.total_cmp(&other.1));
        let [from, to] = part.ends;
        let inner = places.into_iter().map(|(place, share)| (place, from.1 + (to.1 - from.1) * share));
        let all: Vec<(u32, f64)> = std::iter::once(from).chain(inner).chain([to]).collect();
        let pieces = all.windows(2).map(|ends| (edge, EdgePart { ends: [ends[0], ends[1]], ..part }));
        pieces.collect::<Vec<_>>()
    };
    parts.into_iter().flat_map(divided).collect()
}

/// Splits the edges at the ends of their stretches.
fn split(rings: &[Vec<DVec3>], stretches: &[Stretch]) -> Result<MeshPolygons, Vec<Fault>> {
    let mut vertices = Vertices::default();
    let corners: Vec<Vec<Corner>> =
        rings.iter().map(|ring| ring.iter().map(|&at| vertices.corner(at)).collect()).collect();
    let mut parts = Vec::with_capacity(stretches.len());
    for stretch in stretches {
        let ends = stretch.ends.map(|at| (vertices.place(on_plane(at)), at.y));
        let part = EdgePart { ends, other: stretch.other, leads: stretch.leads };
        parts.push(((stretch.polygon, stretch.edge), part));
    }
    let mut by_edge: BTreeMap<EdgeOf, Vec<EdgePart>> = BTreeMap::new();
    for (edge, part) in at_common_places(&vertices, parts) {
        by_edge.entry(edge).or_default().push(part);
    }
    let (mut polygons, mut faults) = (Vec::new(), Vec::new());
    for (number, ring) in corners.iter().enumerate() {
        let mut raw = RawPolygon::default();
        for edge in 0..ring.len() {
            let ends = [ring[edge], ring[(edge + 1) % ring.len()]];
            let on_edge = by_edge.get(&(number, edge)).map_or(&[][..], Vec::as_slice);
            if ends[0].place == ends[1].place {
                continue;
            }
            if let Err([one, other]) = cut(&mut vertices, ends, on_edge, &mut raw) {
                let (from, to) = line(&rings[number], edge);
                let joined = match one == other {
                    true => format!("has two portals to polygon {one}"),
                    false => format!("is joined with polygon {one} and with polygon {other}"),
                };
                let what =
                    format!("{joined} at the same stretch of its edge from {} to {}", place(from), place(to));
                let hint = "portals of one edge may touch, but not overlap";
                faults.push(Fault::polygon(number, what).with_hint(hint));
            }
        }
        if raw.corners.len() < 3 {
            faults.push(Fault::polygon(number, "is too thin: its corners lie on each other"));
        }
        polygons.push(raw);
    }
    faults.truncate(MOST_FAULTS);
    if faults.is_empty() { Ok(MeshPolygons::new(vertices.points, polygons)) } else { Err(faults) }
}

/// Appends an edge, cut at the ends of its stretches.
///
/// # Errors
/// The polygons on the other side of two stretches that overlap, if one walks to both.
fn cut(
    vertices: &mut Vertices,
    ends: [Corner; 2],
    parts: &[EdgePart],
    raw: &mut RawPolygon,
) -> Result<(), [usize; 2]> {
    let [a, b] = ends.map(|end| vertices.at(end.place));
    let along = (b - a) / (b - a).length_squared();
    let mut parts: Vec<([f64; 2], EdgePart)> = parts
        .iter()
        .map(|&part| {
            let [c, d] = part.ends;
            let [from, to] = [c, d].map(|(place, _)| along.dot(vertices.at(place) - a));
            match from <= to {
                true => ([from, to], part),
                false => ([to, from], EdgePart { ends: [d, c], ..part }),
            }
        })
        .filter(|(_, part)| part.ends[0].0 != part.ends[1].0)
        .collect();
    // Of those at the same place, the one that leads somewhere comes first.
    parts.sort_by(|(one, a), (other, b)| one[0].total_cmp(&other[0]).then(b.leads.cmp(&a.leads)));
    // At the ends of the edge its corners count, not the heights of stretches.
    let mut corner = |(place, height_m): (u32, f64)| {
        let known = ends.into_iter().find(|end| end.place == place);
        known.unwrap_or_else(|| Corner { place, vertex: vertices.vertex(place, height_m) })
    };
    let mut push = |corner: Corner, behind: Option<usize>| {
        raw.corners.push(corner.vertex);
        raw.neighbours.push(behind.map(|polygon| polygon as u32));
    };
    let (mut at, mut share, mut before): (_, _, Option<EdgePart>) = (ends[0], 0.0, None);
    for ([from, to], part) in parts {
        if let Some(before) = before
            && from < share - SAME_M / a.distance(b)
        {
            // Others may drop onto the same stretch.
            match part.leads {
                true => return Err([before.other, part.other]),
                false => continue,
            }
        }
        before = Some(part);
        let [mut first, last] = part.ends.map(&mut corner);
        if first.place == at.place {
            first = at;
        } else {
            push(at, None);
        }
        push(first, part.leads.then_some(part.other));
        (at, share) = (last, to);
    }
    if at.place != ends[1].place {
        push(at, None);
    }
    Ok(())
}
