//! Cuts polygons along the outlines of areas, so that each piece lies in an area or outside.

use super::MeshPolygons;
use super::behind::{edges_behind, ring_of};
use super::check::{LEVEL_M, SAME_M, on_plane};
use super::fault::Fault;
use super::join::{EdgeOf, rejoin as rejoin_pieces};
use super::pairs::Bounds;
use crate::geometry::{STRAIGHT_M, contains, doubled_area};
use glam::{DVec2, DVec3};
use std::collections::{BTreeMap, BTreeSet};

/// Smaller pieces are left to their neighbours, in square metres.
const SMALLEST_M2: f64 = 1e-4;

/// Thinner pieces are left to their neighbours, in metres: their corners would be one.
const THINNEST_M: f64 = 4.0 * SAME_M;

/// A convex piece of a polygon, counter-clockwise.
struct Piece {
    corners: Vec<DVec3>,
    /// For each corner, the edge of the polygon on which the piece's edge lies that begins there. `None` on a cut.
    edges: Vec<Option<u32>>,
    /// The polygon of the file that it is a part of.
    origin: usize,
}

/// What is known of an area before the polygons are cut.
pub(super) struct AreaCut<'a> {
    /// The polygons that it names. If there are any, the outline is only for pictures.
    pub polygons: &'a [u32],
    /// Its outline; empty if it has none.
    pub outline: &'a [DVec2],
    /// The lowest and the greatest height within the outline.
    pub heights_m: [f64; 2],
}

/// For each area its polygons, and its outline on the plane.
type AreaParts = Vec<(Vec<u32>, Vec<DVec2>)>;

/// Gives areas their polygons: those that they name, and those inside their outlines. Polygons across an outline are
/// cut. Without outlines the polygons stay as they are.
pub(super) fn cut(mesh: MeshPolygons, cuts: &[AreaCut<'_>]) -> Result<(MeshPolygons, AreaParts), Vec<Fault>> {
    let mut pieces =
        (0..mesh.polygons.len()).map(|origin| whole(&mesh, origin)).collect::<Result<Vec<_>, _>>()?;
    let mut is_cut = false;
    for area in cuts.iter().filter(|area| area.polygons.is_empty() && area.outline.len() >= 3) {
        let mut all = Vec::new();
        for piece in pieces {
            let inside = is_within(&piece, area.heights_m) && meets(&piece, area.outline);
            let before = all.len();
            if inside {
                divide(piece, area.outline, &mut all)
            } else {
                all.push(piece)
            }
            is_cut |= all.len() > before + 1;
        }
        pieces = all;
    }
    let areas = cuts.iter().map(|area| {
        let named: BTreeSet<u32> = area.polygons.iter().copied().collect();
        let is_in = |piece: &Piece| {
            let middle = middle(&piece.corners);
            named.contains(&(piece.origin as u32))
                || area.polygons.is_empty()
                    && area.outline.len() >= 3
                    && is_within(piece, area.heights_m)
                    && contains(area.outline, DVec2::new(middle.x, middle.z))
        };
        let polygons: Vec<u32> =
            (0..pieces.len()).filter(|&piece| is_in(&pieces[piece])).map(|piece| piece as u32).collect();
        let outline = match area.outline.is_empty() {
            true => outline(&pieces, &polygons),
            false => area.outline.to_vec(),
        };
        (polygons, outline)
    });
    let areas: AreaParts = areas.collect();
    let mesh = if is_cut { rejoin(&mesh, &pieces)? } else { mesh };
    Ok((mesh, areas))
}

/// A polygon before it is cut.
fn whole(mesh: &MeshPolygons, origin: usize) -> Result<Piece, Vec<Fault>> {
    let polygon = &mesh.polygons[origin];
    let corners: Option<Vec<DVec3>> =
        polygon.corners.iter().map(|&corner| mesh.vertices.get(corner as usize).copied()).collect();
    let Some(mut corners) = corners else {
        return Err(vec![Fault::polygon(origin, "names a vertex that does not exist")]);
    };
    if is_clockwise(&corners) {
        corners.reverse();
    }
    let edges = (0..corners.len() as u32).map(Some).collect();
    Ok(Piece { corners, edges, origin })
}

fn is_clockwise(corners: &[DVec3]) -> bool {
    let flat: Vec<DVec2> = corners.iter().copied().map(on_plane).collect();
    doubled_area(&flat) < 0.0
}

fn middle(corners: &[DVec3]) -> DVec3 {
    corners.iter().sum::<DVec3>() / corners.len().max(1) as f64
}

/// Whether the middle of a piece is between two heights.
fn is_within(piece: &Piece, [low, high]: [f64; 2]) -> bool {
    (low..=high).contains(&middle(&piece.corners).y)
}

fn meets(piece: &Piece, outline: &[DVec2]) -> bool {
    let nothing = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    let grow = |(min, max): (DVec2, DVec2), at: DVec2| (min.min(at), max.max(at));
    let (min, max) = outline.iter().copied().fold(nothing, grow);
    let (low, high) = piece.corners.iter().map(|at| DVec2::new(at.x, at.z)).fold(nothing, grow);
    min.cmple(high).all() && max.cmpge(low).all()
}

/// Cuts a piece by the lines of all edges of an outline that cross it.
fn divide(piece: Piece, outline: &[DVec2], all: &mut Vec<Piece>) {
    let mut parts = vec![piece];
    for (&a, &b) in outline.iter().zip(outline.iter().cycle().skip(1)) {
        parts = parts
            .into_iter()
            .flat_map(|part| if crosses(&part.corners, a, b) { halves(part, a, b) } else { vec![part] })
            .collect();
    }
    all.extend(parts);
}

/// Whether an edge runs through the inside of a convex polygon.
fn crosses(corners: &[DVec3], a: DVec2, b: DVec2) -> bool {
    let flat: Vec<DVec2> = corners.iter().map(|at| DVec2::new(at.x, at.z)).collect();
    let sign = if doubled_area(&flat) < 0.0 { -1.0 } else { 1.0 };
    let (mut enters, mut leaves) = (0.0_f64, 1.0_f64);
    for (&c, &d) in flat.iter().zip(flat.iter().cycle().skip(1)) {
        let inwards = (d - c).normalize_or_zero().perp() * sign;
        let (begins, ends) = (inwards.dot(a - c), inwards.dot(b - c));
        if begins.max(ends) <= STRAIGHT_M {
            return false;
        }
        if begins < 0.0 {
            enters = enters.max(begins / (begins - ends));
        } else if ends < 0.0 {
            leaves = leaves.min(begins / (begins - ends));
        }
    }
    (leaves - enters) * a.distance(b) > STRAIGHT_M
}

/// The two parts of a piece on both sides of a line.
fn halves(piece: Piece, a: DVec2, b: DVec2) -> Vec<Piece> {
    let across = (b - a).normalize_or_zero();
    let side = |at: DVec3| {
        let off_m = across.perp_dot(on_plane(at) - a);
        if off_m.abs() < STRAIGHT_M / 2.0 { 0.0 } else { off_m }
    };
    let part = || Piece { corners: Vec::new(), edges: Vec::new(), origin: piece.origin };
    let mut parts = [part(), part()];
    let count = piece.corners.len();
    for (i, (&from, &edge)) in piece.corners.iter().zip(&piece.edges).enumerate() {
        let to = piece.corners[(i + 1) % count];
        let (begins, ends) = (side(from), side(to));
        let cut = (begins * ends < 0.0).then(|| from.lerp(to, begins / (begins - ends)));
        for (part, sign) in parts.iter_mut().zip([1.0, -1.0]) {
            let (begins, ends) = (begins * sign, ends * sign);
            // Where the polygon leaves this side, the edge along the line begins.
            if begins >= 0.0 {
                part.corners.push(from);
                part.edges.push(edge.filter(|_| begins > 0.0 || ends >= 0.0));
            }
            if let Some(at) = cut {
                part.corners.push(at);
                part.edges.push(edge.filter(|_| begins < 0.0));
            }
        }
    }
    let is_large = |part: &Piece| {
        let flat: Vec<DVec2> = part.corners.iter().copied().map(on_plane).collect();
        let width_m = part.corners.iter().map(|&at| side(at).abs()).fold(0.0, f64::max);
        flat.len() >= 3 && width_m > THINNEST_M && doubled_area(&flat).abs() / 2.0 > SMALLEST_M2
    };
    if parts.iter().all(is_large) { parts.into() } else { vec![piece] }
}

/// Joins the pieces as their polygons were joined: along the cuts, and on the edges that were portals.
fn rejoin(mesh: &MeshPolygons, pieces: &[Piece]) -> Result<MeshPolygons, Vec<Fault>> {
    let mut first = vec![0];
    let mut rings = Vec::with_capacity(mesh.polygons.len());
    let mut heights_m = Vec::with_capacity(mesh.polygons.len());
    for (number, polygon) in mesh.polygons.iter().enumerate() {
        let corners = whole(mesh, number)?.corners;
        let heights = corners.iter().map(|at| at.y);
        heights_m.push(heights.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], y| [a.min(y), b.max(y)]));
        let given: Vec<DVec3> =
            polygon.corners.iter().map(|&corner| mesh.vertices[corner as usize]).collect();
        rings.push(ring_of(polygon, is_clockwise(&given)));
        first.push(first[number] + corners.len());
    }
    let points: Vec<DVec2> = mesh.vertices.iter().copied().map(on_plane).collect();
    let is_implicit = |polygon: usize| mesh.polygons[polygon].neighbours.is_empty();
    let behind = edges_behind(&points, &rings, is_implicit)
        .map_err(|unclear| unclear.into_iter().map(Fault::from).collect::<Vec<_>>())?;
    // A piece may be joined with others at the height of its polygon, and of those behind it.
    let reach = |origin: usize| {
        let others = behind[first[origin]..first[origin + 1]].iter().flatten();
        let both = |[a, b]: [f64; 2], [c, d]: [f64; 2]| [a.min(c), b.max(d)];
        others.fold(heights_m[origin], |reach, (other, _)| both(reach, heights_m[*other as usize]))
    };
    let reaches: Vec<[f64; 2]> = (0..mesh.polygons.len()).map(reach).collect();
    let bounds = pieces.iter().map(|piece| {
        let corners = piece.corners.iter().flat_map(|at| reaches[piece.origin].map(|y| at.with_y(y)));
        Bounds::of(corners, SAME_M, LEVEL_M)
    });
    let bounds: Vec<Bounds> = bounds.collect();
    let ways = |one: EdgeOf, other: EdgeOf| {
        let [(origin, edge), (origin_there, edge_there)] =
            [one, other].map(|(piece, edge)| (pieces[piece].origin, pieces[piece].edges[edge]));
        match (edge, edge_there) {
            (None, None) => (origin == origin_there).then_some([true; 2]),
            (Some(edge), Some(edge_there)) => {
                let leads = |from: usize, edge: u32, to: usize, edge_there: u32| {
                    behind[first[from] + edge as usize] == Some((to as u32, edge_there))
                };
                let ways = [
                    leads(origin, edge, origin_there, edge_there),
                    leads(origin_there, edge_there, origin, edge),
                ];
                (ways != [false; 2]).then_some(ways)
            }
            _ => None,
        }
    };
    let corners: Vec<Vec<DVec3>> = pieces.iter().map(|piece| piece.corners.clone()).collect();
    rejoin_pieces(&corners, &bounds, ways)
}

/// The outline of the first connected piece of some polygons, for pictures.
fn outline(pieces: &[Piece], polygons: &[u32]) -> Vec<DVec2> {
    let Some(&first) = polygons.first() else { return Vec::new() };
    let key = |at: DVec3| [(at.x * 1e3).round() as i64, (at.z * 1e3).round() as i64];
    let mut edges = Vec::new();
    for &polygon in polygons {
        let corners = &pieces[polygon as usize].corners;
        edges.extend(corners.iter().copied().zip(corners.iter().copied().cycle().skip(1)));
    }
    let known: BTreeSet<([i64; 2], [i64; 2])> = edges.iter().map(|&(a, b)| (key(a), key(b))).collect();
    let outer: Vec<(DVec3, DVec3)> =
        edges.iter().copied().filter(|&(a, b)| !known.contains(&(key(b), key(a)))).collect();
    let whole = || pieces[first as usize].corners.iter().map(|at| DVec2::new(at.x, at.z)).collect();
    let Some(&(start, mut at)) = outer.first() else { return whole() };
    let mut ring = vec![DVec2::new(start.x, start.z)];
    let mut next_of: BTreeMap<[i64; 2], DVec3> = BTreeMap::new();
    for &(from, to) in &outer {
        next_of.entry(key(from)).or_insert(to);
    }
    while key(at) != key(start) {
        ring.push(DVec2::new(at.x, at.z));
        let Some(&next) = next_of.get(&key(at)) else { return whole() };
        at = next;
        if ring.len() > outer.len() {
            return whole();
        }
    }
    // Without the corners where edges were only split.
    let count = ring.len();
    let turns = |i: &usize| {
        let (a, b, c) = (ring[(i + count - 1) % count], ring[*i], ring[(i + 1) % count]);
        (b - a).perp_dot(c - b).abs() > STRAIGHT_M * a.distance(c)
    };
    (0..count).filter(turns).map(|i| ring[i]).collect()
}
