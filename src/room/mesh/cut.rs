//! Cuts polygons along the outlines of areas, so that each piece lies in an area or outside.

use super::join::{Fault, rejoin as rejoin_pieces};
use super::{MeshPolygons, RawPolygon};
use crate::geometry::{STRAIGHT_M, contains, doubled_area};
use glam::{DVec2, DVec3};
use std::collections::BTreeSet;

/// Smaller pieces are left to their neighbours, in square metres.
const SMALLEST_M2: f64 = 1e-4;

/// A convex piece of a polygon.
struct Piece {
    corners: Vec<DVec3>,
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
    let mut pieces: Vec<Piece> = (0..mesh.polygons.len())
        .map(|origin| Piece { corners: corners(&mesh, &mesh.polygons[origin]), origin })
        .collect();
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
        let is_in = |piece: &Piece| {
            let middle = middle(&piece.corners);
            area.polygons.contains(&(piece.origin as u32))
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

fn corners(mesh: &MeshPolygons, polygon: &RawPolygon) -> Vec<DVec3> {
    polygon.corners.iter().filter_map(|&corner| mesh.vertices.get(corner as usize).copied()).collect()
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
    let mut parts = vec![piece.corners];
    for (&a, &b) in outline.iter().zip(outline.iter().cycle().skip(1)) {
        parts = parts
            .into_iter()
            .flat_map(|part| if crosses(&part, a, b) { halves(part, a, b) } else { vec![part] })
            .collect();
    }
    all.extend(parts.into_iter().map(|corners| Piece { corners, origin: piece.origin }));
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

/// The two parts of a convex polygon on both sides of a line.
fn halves(corners: Vec<DVec3>, a: DVec2, b: DVec2) -> Vec<Vec<DVec3>> {
    let across = (b - a).normalize_or_zero();
    let side = |at: DVec3| {
        let off_m = across.perp_dot(DVec2::new(at.x, at.z) - a);
        if off_m.abs() < STRAIGHT_M / 2.0 { 0.0 } else { off_m }
    };
    let mut parts = [Vec::new(), Vec::new()];
    for (&from, &to) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        let (begins, ends) = (side(from), side(to));
        if begins >= 0.0 {
            parts[0].push(from);
        }
        if begins <= 0.0 {
            parts[1].push(from);
        }
        if begins * ends < 0.0 {
            let at = from.lerp(to, begins / (begins - ends));
            parts.iter_mut().for_each(|part| part.push(at));
        }
    }
    let area = |part: &[DVec3]| {
        let flat: Vec<DVec2> = part.iter().map(|at| DVec2::new(at.x, at.z)).collect();
        doubled_area(&flat).abs() / 2.0
    };
    match parts.iter().all(|part| part.len() >= 3 && area(part) > SMALLEST_M2) {
        true => parts.into(),
        false => vec![corners],
    }
}

/// Joins the pieces: where edges lie on each other, if their polygons are one or were joined.
fn rejoin(mesh: &MeshPolygons, pieces: &[Piece]) -> Result<MeshPolygons, Vec<Fault>> {
    let corners: Vec<Vec<DVec3>> = pieces.iter().map(|piece| piece.corners.clone()).collect();
    let mut joined = rejoin_pieces(&corners)?;
    let mut allowed: BTreeSet<(usize, usize)> = BTreeSet::new();
    let is_given = mesh.polygons.iter().any(|polygon| !polygon.neighbours.is_empty());
    for (number, polygon) in mesh.polygons.iter().enumerate() {
        allowed.extend(polygon.neighbours.iter().flatten().map(|&behind| (number, behind as usize)));
    }
    for (number, polygon) in joined.polygons.iter_mut().enumerate().filter(|_| is_given) {
        for neighbour in &mut polygon.neighbours {
            let is_allowed = |behind: &u32| {
                let (here, there) = (pieces[number].origin, pieces[*behind as usize].origin);
                here == there || allowed.contains(&(here, there))
            };
            *neighbour = neighbour.filter(is_allowed);
        }
    }
    Ok(joined)
}

/// The outline of the first connected piece of some polygons, for pictures.
fn outline(pieces: &[Piece], polygons: &[u32]) -> Vec<DVec2> {
    let Some(&first) = polygons.first() else { return Vec::new() };
    let key = |at: DVec3| [(at.x * 1e3).round() as i64, (at.z * 1e3).round() as i64];
    let mut edges = Vec::new();
    for &polygon in polygons {
        let mut corners = pieces[polygon as usize].corners.clone();
        let flat: Vec<DVec2> = corners.iter().map(|at| DVec2::new(at.x, at.z)).collect();
        if doubled_area(&flat) < 0.0 {
            corners.reverse();
        }
        edges.extend(corners.iter().copied().zip(corners.iter().copied().cycle().skip(1)));
    }
    let known: BTreeSet<([i64; 2], [i64; 2])> = edges.iter().map(|&(a, b)| (key(a), key(b))).collect();
    let outer: Vec<(DVec3, DVec3)> =
        edges.iter().copied().filter(|&(a, b)| !known.contains(&(key(b), key(a)))).collect();
    let whole = || pieces[first as usize].corners.iter().map(|at| DVec2::new(at.x, at.z)).collect();
    let Some(&(start, mut at)) = outer.first() else { return whole() };
    let mut ring = vec![DVec2::new(start.x, start.z)];
    while key(at) != key(start) {
        ring.push(DVec2::new(at.x, at.z));
        let Some(&(_, next)) = outer.iter().find(|(from, _)| key(*from) == key(at)) else { return whole() };
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
