//! The plan of a room made of areas and obstacles.
//!
//! 1. Outlines become closed curves: those of areas as they are, those of obstacles grown by the clearance
//!    (`offset.rs`), and the curves round the pieces of area outlines (`pieces.rs`).
//! 2. The curves are cut until they meet at vertices only (`arrange.rs`).
//! 3. A triangulation finds how often each curve winds round each place (`sides.rs`), and so what lies there
//!    (`covers.rs`).
//! 4. The borders between different covers are straightened (`borders.rs`) and triangulated again. The triangles are
//!    merged to convex polygons (`merge.rs`).

mod arrange;
mod borders;
mod buckets;
mod covers;
mod lattice;
mod merge;
mod offset;
mod pieces;
mod problem;
mod sides;
#[cfg(test)]
pub(in crate::mesh) mod tests;
mod triangles;
mod vertices;

pub(crate) use problem::BuildProblem;

use crate::geometry::Renumbering;
use crate::mesh::{Blueprint, RawPolygon};
use crate::nav::{Cover, OutlinePiece};
use crate::room::{MAX_COORDINATE_M, Room};
use arrange::{Arrangement, MAX_EDGES};
use covers::CurveNumbers;
use glam::{DVec2, DVec3};
use offset::{CORNER_EXCESS_M, grown};

/// Obstacles keep this much more than their clearance, in metres, and outlines this much less. A gap of exactly twice
/// the clearance is too narrow between obstacles and wide enough between outlines, as on the grid, and it is not a
/// matter of rounding. Between an obstacle and an outline it is too narrow. Far above the distance at which edges are
/// joined.
const OBSTACLE_HAIR_M: f64 = 3e-4;
const OUTLINE_HAIR_M: f64 = 2.5e-4;

/// Clearances up to this, in metres, are none. The grid has the same limit.
const NO_CLEARANCE_M: f64 = 1e-7;

/// The plan of a room. All areas are ground, open or closed, and obstacles lie on it. `share_of_room` scales all
/// clearances, 0 to 1. If it is not 1, a gap of exactly twice the clearance is wide enough between obstacles too.
///
/// # Errors
/// The room is not made of areas, or it is too intricate.
pub(crate) fn from_room(room: &Room, share_of_room: f64) -> Result<Blueprint, BuildProblem> {
    check(room)?;
    let share = if share_of_room.is_nan() { 1.0 } else { share_of_room.clamp(0.0, 1.0) };
    let mut curves = area_curves(room)?;
    let padding_m = (room.ground.boundary_padding_m * share).min(farthest_m(room));
    let outlines = add_outlines(&mut curves, room, padding_m)?;
    add_obstacles(&mut curves, room, share)?;
    curves.cut()?;
    let (edges, windings) = sides::sides(&curves)?;
    let numbers = CurveNumbers { areas: room.areas.len(), obstacles: room.obstacles.len() };
    let (covers, borders) = covers::borders(numbers, &edges, &windings);
    let points = curves.points();
    let borders = borders::straightened(points, &borders);
    let ends: Vec<(u32, u32)> = borders.iter().map(|border| border.ends).collect();
    let triangles = triangles::triangulate(points, &ends)?;
    let polygons = merge::convex_polygons(points, &borders, &triangles);
    if polygons.is_empty() {
        return Err(BuildProblem::NoGround { area: room.areas[0].name.clone() });
    }
    Ok(plan(&curves, &polygons, covers, outlines, room.ground.floor_y_m))
}

fn check(room: &Room) -> Result<(), BuildProblem> {
    if room.grid.is_some() || room.mask.is_some() {
        return Err(BuildProblem::GivenCells);
    }
    if let Some(area) = room.areas.iter().find(|area| area.painted.is_some()) {
        return Err(BuildProblem::Painted { area: area.name.clone() });
    }
    if room.areas.is_empty() {
        return Err(BuildProblem::NoAreas);
    }
    let areas = room.areas.iter().map(|area| ("area", &area.name, &area.polygon));
    let obstacles = room.obstacles.iter().map(|obstacle| ("obstacle", &obstacle.name, &obstacle.polygon));
    let mut corners = 0;
    for (kind, name, polygon) in areas.chain(obstacles) {
        let of = || format!("{kind} {name:?}");
        corners += polygon.len();
        if corners > MAX_EDGES {
            return Err(BuildProblem::TooManyEdges { of: Some(of()) });
        }
        let is_bad = |corner: &DVec2| !corner.is_finite() || corner.abs().max_element() > MAX_COORDINATE_M;
        if polygon.iter().any(is_bad) {
            return Err(BuildProblem::BadCorner { of: of() });
        }
    }
    Ok(())
}

/// The outlines of areas, cut where they meet.
fn area_curves(room: &Room) -> Result<Arrangement, BuildProblem> {
    let mut curves = Arrangement::default();
    for (number, area) in room.areas.iter().enumerate() {
        curves.add(number as u32, &area.polygon);
    }
    curves.cut()?;
    if curves.len() == 0 {
        return Err(BuildProblem::NoGround { area: room.areas[0].name.clone() });
    }
    Ok(curves)
}

/// Adds the curves round area outlines, if the room has a boundary padding. Returns the pieces.
fn add_outlines(
    curves: &mut Arrangement,
    room: &Room,
    padding_m: f64,
) -> Result<Vec<OutlinePiece>, BuildProblem> {
    if padding_m <= NO_CLEARANCE_M {
        return Ok(Vec::new());
    }
    let reach_m = (padding_m - OUTLINE_HAIR_M).max(padding_m / 2.0);
    let pieces = pieces::pieces(curves)?;
    let first = room.areas.len() + room.obstacles.len();
    for (number, (_, lines)) in pieces.iter().enumerate() {
        for line in lines {
            curves.add((first + number) as u32, &pieces::round_line(line, reach_m));
        }
        if curves.len() > MAX_EDGES {
            return Err(BuildProblem::TooManyEdges { of: Some("the outlines of areas".into()) });
        }
    }
    Ok(pieces.into_iter().map(|(piece, _)| piece).collect())
}

/// Adds the curves round the obstacles that are near areas.
fn add_obstacles(curves: &mut Arrangement, room: &Room, share: f64) -> Result<(), BuildProblem> {
    let margin_m = (room.ground.obstacle_margin_m() * share).min(farthest_m(room));
    let reach_m = if share == 1.0 || margin_m <= NO_CLEARANCE_M {
        margin_m + OBSTACLE_HAIR_M
    } else {
        (margin_m - OBSTACLE_HAIR_M).max(margin_m / 2.0)
    };
    let areas: Vec<(DVec2, DVec2)> = room.areas.iter().map(|area| extent(&area.polygon)).collect();
    for (number, obstacle) in room.obstacles.iter().enumerate() {
        let (min, max) = extent(&obstacle.polygon);
        let around_m = reach_m + 2.0 * CORNER_EXCESS_M;
        let meets = |area: &(DVec2, DVec2)| {
            (min - around_m).cmple(area.1).all() && (max + around_m).cmpge(area.0).all()
        };
        if !areas.iter().any(meets) {
            continue;
        }
        let mut polygon = obstacle.polygon.clone();
        let origin = polygon.first().copied().unwrap_or_default();
        let next = polygon.iter().cycle().skip(1);
        let doubled: f64 = polygon.iter().zip(next).map(|(a, b)| (a - origin).perp_dot(b - origin)).sum();
        if doubled < 0.0 {
            polygon.reverse();
        }
        curves.add((room.areas.len() + number) as u32, &grown(&polygon, reach_m));
        if curves.len() > MAX_EDGES {
            return Err(BuildProblem::TooManyEdges { of: Some(format!("obstacle {:?}", obstacle.name)) });
        }
    }
    Ok(())
}

/// An upper limit on distances in the room, in metres. Larger clearances are no different.
fn farthest_m(room: &Room) -> f64 {
    let areas = room.areas.iter().map(|area| &area.polygon);
    let obstacles = room.obstacles.iter().map(|obstacle| &obstacle.polygon);
    let nothing = (DVec2::INFINITY, DVec2::NEG_INFINITY);
    let (min, max) = areas
        .chain(obstacles)
        .map(|polygon| extent(polygon))
        .fold(nothing, |(min, max), (low, high)| (min.min(low), max.max(high)));
    (max - min).length() + 1.0
}

/// The smallest and the largest coordinates of points.
fn extent(points: &[DVec2]) -> (DVec2, DVec2) {
    points.iter().fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(min, max), &p| (min.min(p), max.max(p)))
}

/// The plan, with its vertices in the order in which polygons name them.
fn plan(
    curves: &Arrangement,
    polygons: &[merge::Convex],
    covers: Vec<Cover>,
    outlines: Vec<OutlinePiece>,
    floor_y_m: f64,
) -> Blueprint {
    let mut plan = Blueprint { covers, outlines, ..Blueprint::default() };
    let mut numbers = Renumbering::new(curves.points().len());
    for (corners, cover) in polygons {
        let mut number = |corner: u32| {
            numbers.number(corner, || {
                let place = lattice::to_metres(curves.points()[corner as usize]);
                plan.vertices.push(DVec3::new(place.x, floor_y_m, place.y));
            })
        };
        let corners = corners.iter().map(|&corner| number(corner)).collect();
        plan.polygons.push(RawPolygon { corners, neighbours: Vec::new() });
        plan.cover_of.push(*cover);
    }
    plan
}
