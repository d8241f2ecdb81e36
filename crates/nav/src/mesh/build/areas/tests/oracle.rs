//! What a plan has to be, by brute force.

use super::rooms::Random;
use crate::geometry::{
    SegmentPart, border_distance, contains, distance_sq_to_segment, meetings, row_crossings,
};
use crate::mesh::{Blueprint, Polygons};
use crate::nav::{AreaId, ObstacleId, OutlinePiece};
use crate::room::Room;
use glam::{DVec2, dvec2};
use std::collections::BTreeSet;

/// Borders may be this far off, in metres.
const NEAR_M: f64 = 1e-3;

/// Rounded corners may be this much farther off, in metres.
const ROUNDED_M: f64 = 0.011;

/// Edges of areas, cut where areas meet, with the areas on both sides.
pub(super) struct Piece {
    part: SegmentPart,
    sides: OutlinePiece,
}

pub(super) fn pieces(room: &Room) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for area in &room.areas {
        for (&a, &b) in area.polygon.iter().zip(area.polygon.iter().cycle().skip(1)) {
            let mut cuts = vec![0.0, 1.0];
            room.areas.iter().for_each(|other| meetings(&other.polygon, a, b, &mut cuts));
            cuts.sort_by(f64::total_cmp);
            let beside = (b - a).normalize().perp() * 1e-4;
            for cut in cuts.windows(2).filter(|cut| cut[1] > cut[0]) {
                let middle = a.lerp(b, (cut[0] + cut[1]) / 2.0);
                let (one, other) = (areas_at(room, middle + beside), areas_at(room, middle - beside));
                let (left, right) = if one > other { (one, other) } else { (other, one) };
                let part = SegmentPart { a, b, from: cut[0], to: cut[1] };
                pieces.push(Piece { part, sides: OutlinePiece { left, right } });
            }
        }
    }
    pieces
}

fn areas_at(room: &Room, p: DVec2) -> Vec<AreaId> {
    (0..room.areas.len()).filter(|&i| contains(&room.areas[i].polygon, p)).map(AreaId).collect()
}

/// The area of the union of all areas, by slabs between the heights at which something changes.
pub(super) fn union_m2(room: &Room) -> f64 {
    let edges: Vec<(DVec2, DVec2)> = (room.areas.iter())
        .flat_map(|area| area.polygon.iter().copied().zip(area.polygon.iter().copied().cycle().skip(1)))
        .collect();
    let mut heights: Vec<f64> = edges.iter().map(|edge| edge.0.y).collect();
    for (i, &(a, b)) in edges.iter().enumerate() {
        for &(c, d) in &edges[i + 1..] {
            let determinant = (b - a).perp_dot(d - c);
            if determinant != 0.0 {
                let t = (c - a).perp_dot(d - c) / determinant;
                heights.extend((0.0..=1.0).contains(&t).then_some(a.lerp(b, t).y));
            }
        }
    }
    heights.sort_by(f64::total_cmp);
    let mut sum = 0.0;
    for pair in heights.windows(2) {
        let mut spans: Vec<(f64, f64)> = Vec::new();
        for area in &room.areas {
            let mut crossings = Vec::new();
            row_crossings(&area.polygon, pair[0].midpoint(pair[1]), &mut crossings);
            spans.extend(crossings.chunks_exact(2).map(|pair| (pair[0], pair[1])));
        }
        spans.sort_by(|one, other| one.0.total_cmp(&other.0));
        let (mut length, mut end) = (0.0, f64::NEG_INFINITY);
        for (from, to) in spans {
            length += (to - from.max(end)).max(0.0);
            end = end.max(to);
        }
        sum += length * (pair[1] - pair[0]);
    }
    sum
}

/// The polygons that hold a point.
pub(super) fn polygons_at(mesh: &Polygons, p: DVec2) -> Vec<u32> {
    (0..mesh.len() as u32).filter(|&polygon| mesh.holds(polygon, p)).collect()
}

/// Whether the polygons are disjoint, as large as the areas, and joined wherever they touch.
pub(super) fn check_polygons(room: &Room, plan: &Blueprint, name: &str) -> Polygons {
    let mesh = match Polygons::new(&plan.vertices, &plan.polygons) {
        Ok(mesh) => mesh,
        Err(problems) => panic!("{name}: {problems:?}"),
    };
    assert!(plan.vertices.iter().all(|vertex| vertex.y == room.ground.floor_y_m));
    assert_eq!(plan.cover_of.len(), plan.polygons.len());
    let covers: BTreeSet<_> = plan.covers.iter().collect();
    assert_eq!(covers.len(), plan.covers.len(), "{name}: equal covers");
    assert!(plan.covers.iter().all(|cover| {
        !cover.areas.is_empty()
            && cover.areas.is_sorted()
            && cover.obstacles.is_sorted()
            && cover.outlines.is_sorted()
    }));
    let (mut sum, mut walls_m) = (0.0, 0.0);
    for polygon in 0..mesh.len() as u32 {
        let corners: Vec<DVec2> = mesh.corners(polygon).collect();
        let next = corners.iter().cycle().skip(1);
        sum += corners.iter().zip(next).map(|(a, b)| a.perp_dot(*b)).sum::<f64>() / 2.0;
        for (edge, a, b) in mesh.segments(polygon) {
            if edge.neighbour().is_none() {
                walls_m += a.distance(b);
                let outside = a.midpoint(b) - (b - a).normalize().perp() * 2e-5;
                assert_eq!(polygons_at(&mesh, outside), [0_u32; 0], "{name}: no portal at {outside}");
            }
            assert!(a.distance(b) > 1e-4, "{name}: vertices on each other");
        }
    }
    let union = union_m2(room);
    assert!((sum - union).abs() < 1e-6 + walls_m * 2e-4, "{name}: {sum} m2 instead of {union}");
    mesh
}

/// Whether covers are as defined, at random points.
pub(super) fn check_covers(
    room: &Room,
    plan: &Blueprint,
    mesh: &Polygons,
    share: f64,
    points: usize,
    name: &str,
) {
    let pieces = pieces(room);
    let random = &mut Random(7);
    let (min, max) = room.bounds();
    let margin_m = room.ground.obstacle_margin_m() * share;
    let padding_m = room.ground.boundary_padding_m * share;
    let mut compared = 0;
    for _ in 0..points {
        let p = dvec2(random.within(min.x, max.x), random.within(min.y, max.y));
        if room.areas.iter().any(|area| border_distance(&area.polygon, p) < NEAR_M) {
            continue;
        }
        let found = polygons_at(mesh, p);
        let areas = areas_at(room, p);
        if areas.is_empty() {
            assert_eq!(found, [0_u32; 0], "{name}: ground at {p}, outside of all areas");
            continue;
        }
        let [polygon] = found[..] else {
            // On a border between polygons.
            assert!(found.len() > 1 && on_borders(mesh, &found, p), "{name}: polygons {found:?} at {p}");
            continue;
        };
        let cover = &plan.covers[plan.cover_of[polygon as usize] as usize];
        assert_eq!(cover.areas, areas, "{name}: areas at {p}");
        compared += 1;
        for (i, obstacle) in room.obstacles.iter().enumerate() {
            let outside = !contains(&obstacle.polygon, p);
            let distance_m = if outside { border_distance(&obstacle.polygon, p) } else { 0.0 };
            if within_m(distance_m, margin_m) != Some(!cover.obstacles.contains(&ObstacleId(i))) {
                continue;
            }
            panic!("{name}: obstacle {i} at {p}, {distance_m} m away, in {cover:?}");
        }
        if padding_m == 0.0 {
            assert!(cover.outlines.is_empty() && plan.outlines.is_empty());
            continue;
        }
        check_outlines(plan, &pieces, p, &cover.outlines, padding_m, name);
    }
    assert!(compared * 20 > points, "{name}: only {compared} points compared");
}

fn check_outlines(
    plan: &Blueprint,
    pieces: &[Piece],
    p: DVec2,
    covering: &[u32],
    padding_m: f64,
    name: &str,
) {
    let length_m = |piece: &Piece| piece.part.ends().0.distance(piece.part.ends().1);
    for (i, sides) in plan.outlines.iter().enumerate() {
        let distance_m = |short: bool| {
            let fitting =
                pieces.iter().filter(|piece| (piece.sides == *sides) && (length_m(piece) < 3e-3) == short);
            fitting.map(|piece| piece.part.distance_sq(p)).fold(f64::INFINITY, f64::min).sqrt()
        };
        let covered = covering.contains(&(i as u32));
        // Very short pieces may be lost.
        let expected = within_m(distance_m(false), padding_m);
        let short = within_m(distance_m(true), padding_m);
        let wrong = expected == Some(!covered) && !(covered && short != Some(false));
        assert!(!wrong, "{name}: outline {sides:?} at {p}, {} m away", distance_m(false));
    }
    for piece in pieces.iter().filter(|piece| length_m(piece) > 3e-3) {
        let distance_m = piece.part.distance_sq(p).sqrt();
        let known = plan.outlines.contains(&piece.sides);
        let needed = distance_m < padding_m && piece.sides.left != piece.sides.right;
        assert!(known || !needed, "{name}: no outline {:?}", piece.sides);
    }
}

/// Whether a distance is within a clearance. `None` if that is a matter of rounding.
fn within_m(distance_m: f64, clearance_m: f64) -> Option<bool> {
    match distance_m - clearance_m {
        off if off < -NEAR_M => Some(true),
        off if off > ROUNDED_M => Some(false),
        _ => None,
    }
}

fn on_borders(mesh: &Polygons, polygons: &[u32], p: DVec2) -> bool {
    polygons
        .iter()
        .all(|&polygon| mesh.segments(polygon).any(|(_, a, b)| distance_sq_to_segment(p, a, b).sqrt() < 1e-9))
}
