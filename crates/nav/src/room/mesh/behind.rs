//! Which edge lies behind which: the two sides of a portal, found by their ends.

use super::RawPolygon;
use glam::DVec2;
use std::collections::BTreeMap;

/// The vertices of a polygon counter-clockwise, each with the polygon behind the edge that begins there.
pub(crate) type Ring = Vec<(u32, Option<u32>)>;

/// An edge whose other side is not clear.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnclearEdge {
    /// Three or more polygons have it.
    SharedByMany { polygon: usize },
    /// The polygon behind it does not have it.
    NoSuchPortal { polygon: usize, neighbour: u32 },
}

/// A polygon's vertices counter-clockwise. `is_reversed` tells whether its file has them clockwise.
pub(crate) fn ring_of(polygon: &RawPolygon, is_reversed: bool) -> Ring {
    let RawPolygon { corners, neighbours } = polygon;
    let count = corners.len();
    let behind = |i: usize| neighbours.get(i).copied().flatten();
    match is_reversed {
        false => (0..count).map(|i| (corners[i], behind(i))).collect(),
        // Reversed, the edge behind a corner is the one that was before it.
        true => (0..count).rev().map(|i| (corners[i], behind((i + count - 1) % count))).collect(),
    }
}

/// For each edge, polygon by polygon: the polygon behind it, and the number of the same edge there. `None` for walls.
///
/// Where `is_implicit`, the polygon behind an edge is the one with the same two vertices. Elsewhere it is known, and
/// its edge is the one with the same vertices, or else with the same ends on the plane: the sides of a portal down a
/// ledge have heights of their own, so they have no vertices in common.
///
/// # Errors
/// All edges whose other side is not clear.
pub(crate) fn edges_behind(
    points: &[DVec2],
    rings: &[Ring],
    is_implicit: impl Fn(usize) -> bool,
) -> Result<Vec<Option<(u32, u32)>>, Vec<UnclearEdge>> {
    let ends = |polygon: usize, edge: usize| {
        let ring = &rings[polygon];
        (ring[edge].0, ring[if edge + 1 == ring.len() { 0 } else { edge + 1 }].0)
    };
    let mut by_ends: BTreeMap<(u32, u32), Vec<(u32, u32)>> = BTreeMap::new();
    for (polygon, ring) in rings.iter().enumerate() {
        for edge in 0..ring.len() {
            by_ends.entry(ends(polygon, edge)).or_default().push((polygon as u32, edge as u32));
        }
    }
    let (mut all, mut unclear) = (Vec::new(), Vec::new());
    for (polygon, ring) in rings.iter().enumerate() {
        for (edge, &(_, neighbour)) in ring.iter().enumerate() {
            let (from, to) = ends(polygon, edge);
            let same = by_ends.get(&(to, from)).map_or(&[][..], Vec::as_slice);
            let behind = match (is_implicit(polygon), neighbour) {
                (true, _) if same.len() > 1 => Err(UnclearEdge::SharedByMany { polygon }),
                (true, _) => Ok(same.first().copied()),
                (false, None) => Ok(None),
                (false, Some(neighbour)) => {
                    let place = |vertex: u32| points[vertex as usize];
                    let there = neighbour as usize;
                    let lies_there = |&edge: &usize| {
                        let (a, b) = ends(there, edge);
                        place(a) == place(to) && place(b) == place(from)
                    };
                    // They are in the order of their polygons.
                    let first = same.partition_point(|(other, _)| *other < neighbour);
                    let by_vertices = same.get(first).copied().filter(|(other, _)| *other == neighbour);
                    let by_places = || {
                        let edges = rings.get(there).map_or(0, Vec::len);
                        (0..edges).find(lies_there).map(|edge| (neighbour, edge as u32))
                    };
                    let behind = by_vertices.or_else(by_places);
                    behind.map(Some).ok_or(UnclearEdge::NoSuchPortal { polygon, neighbour })
                }
            };
            match behind {
                Ok(behind) => all.push(behind),
                Err(edge) => unclear.push(edge),
            }
        }
    }
    if unclear.is_empty() { Ok(all) } else { Err(unclear) }
}
