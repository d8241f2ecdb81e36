//! Random rooms over meshes, and what positions in them must fulfil.

use crate::geometry::closest_on_segment;
use crate::mesh::test_rooms::{Random, random_room};
use crate::mesh::{Behind, PolygonView, Polygons};
use crate::nav::{FloorId, Place, Position};
use crate::room::{Area, GroundKind, MeshPolygons, RawPolygon, Room, WhenOccupied};
use crate::surface::Surface;
use crate::sweeps::sweeps;
use glam::{DVec2, DVec3};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Height of a storey, in metres.
pub(super) const STOREY_M: f64 = 3.0;

/// Edge of a square of ground, in metres.
const SQUARE_M: f64 = 2.0;

/// How far a position may be beyond an edge of its polygon, in metres.
const OFF_M: f64 = 1.001e-6;

/// The seeds of random rooms: a thousand of them in sweeps.
pub(super) fn seeds(few: u64) -> std::ops::Range<u64> {
    0..if sweeps() { 1_000 } else { few }
}

/// A random room of areas and obstacles, or one of polygons on storeys.
pub(super) fn mesh_room(seed: u64) -> Room {
    let mut random = Random(seed ^ 0x5eed);
    let mut room = if seed.is_multiple_of(2) { random_room(seed / 2) } else { storeys(&mut random, true) };
    room.ground.kind = GroundKind::Mesh;
    for area in &mut room.areas {
        area.when_occupied = [WhenOccupied::Evict, WhenOccupied::Hold][random.below(2) as usize];
    }
    room
}

/// Two or three storeys of uneven squares, some of them left out. `joined`: by a ramp with a landing from each storey to
/// the next. Some pairs of squares are doors, and so are the landings.
pub(super) fn storeys(random: &mut Random, joined: bool) -> Room {
    let squares = 3 + random.below(3) as usize;
    let count = 2 + random.below(2) as usize;
    let missing = random.within(0.05, 0.3);
    let row = squares + 1;
    let mut vertices: Vec<DVec3> = Vec::new();
    for storey in 0..count {
        for z in 0..row {
            for x in 0..row {
                let mut jitter = || random.within(-0.18, 0.18);
                // The eastern border is straight: ramps begin there.
                let (move_x, move_z) = if x == squares { (0.0, 0.0) } else { (jitter(), jitter()) };
                let at = DVec2::new(x as f64 + move_x, z as f64 + move_z) * SQUARE_M;
                vertices.push(DVec3::new(at.x, storey as f64 * STOREY_M, at.y));
            }
        }
    }
    let corner = |storey: usize, x: usize, z: usize| ((storey * row + z) * row + x) as u32;
    let mut polygons: Vec<Vec<u32>> = Vec::new();
    let mut doors: Vec<Vec<u32>> = Vec::new();
    for storey in 0..count {
        for z in 0..squares {
            for x in 0..squares {
                if x + 1 < squares && random.within(0.0, 1.0) < missing {
                    continue;
                }
                polygons.push(vec![
                    corner(storey, x, z),
                    corner(storey, x + 1, z),
                    corner(storey, x + 1, z + 1),
                    corner(storey, x, z + 1),
                ]);
                if random.below(6) == 0 {
                    doors.push(vec![polygons.len() as u32 - 1]);
                }
            }
        }
    }
    let mut last = usize::MAX - 1;
    for storey in (0..count - 1).filter(|_| joined) {
        // Not from the edge at which the ramp from below ends.
        let z = Some(random.below(squares as u64 - 1) as usize).filter(|&z| z != last + 1).unwrap_or(last);
        last = z;
        let middle_m = (storey as f64 + 0.5) * STOREY_M;
        let first = vertices.len() as u32;
        for (x, z) in [(1, z), (2, z), (2, z + 2), (1, z + 2), (1, z + 1)] {
            let (x, z) = ((squares + x) as f64 * SQUARE_M, z as f64 * SQUARE_M);
            vertices.push(DVec3::new(x, middle_m, z));
        }
        let (below, above) =
            (|z: usize| corner(storey, squares, z), |z: usize| corner(storey + 1, squares, z));
        doors.push(vec![polygons.len() as u32 + 1]);
        polygons.push(vec![below(z), first, first + 4, below(z + 1)]);
        polygons.push(vec![first, first + 1, first + 2, first + 3, first + 4]);
        polygons.push(vec![first + 4, first + 3, above(z + 2), above(z + 1)]);
    }
    let area = |(number, polygons_of): (usize, &Vec<u32>)| {
        let outline =
            polygons[polygons_of[0] as usize].iter().map(|&corner| on_plane(vertices[corner as usize]));
        Area { mesh_polygons: polygons_of.clone(), ..Area::new(format!("door {number}"), outline.collect()) }
    };
    let areas = doors.iter().enumerate().map(area).collect();
    let raw = |corners| RawPolygon { corners, ..RawPolygon::default() };
    let mut room = Room { name: "storeys".into(), areas, ..Room::default() };
    room.ground.kind = GroundKind::Mesh;
    room.mesh = Some(Arc::new(MeshPolygons::new(vertices, polygons.into_iter().map(raw).collect())));
    room
}

pub(super) fn on_plane(at: DVec3) -> DVec2 {
    DVec2::new(at.x, at.z)
}

/// The polygons of a mesh, read from its pictures: they share no code with searches and moves.
pub(super) fn views(ground: &Surface) -> Vec<PolygonView> {
    ground.as_mesh().unwrap().polygon_views()
}

/// A random place on an open polygon.
pub(super) fn open_place(random: &mut Random, views: &[PolygonView]) -> Option<Place> {
    let open: Vec<&PolygonView> = views.iter().filter(|view| view.is_open).collect();
    let view = open.get(random.below(open.len().max(1) as u64) as usize)?;
    let weights: Vec<f64> = view.corners.iter().map(|_| random.within(0.05, 1.0)).collect();
    let sum: f64 = weights.iter().sum();
    let at: DVec3 = view.corners.iter().zip(&weights).map(|(&corner, weight)| corner * (weight / sum)).sum();
    Some(Place { at: on_plane(at), y_m: Some(at.y) })
}

/// How far a point of the plane is from a polygon.
fn away_m(view: &PolygonView, at: DVec2) -> f64 {
    let corners = view.on_plane();
    let edges = || corners.iter().zip(corners.iter().cycle().skip(1));
    if edges().all(|(&a, &b)| (b - a).perp_dot(at - a) >= 0.0) {
        return 0.0;
    }
    edges().map(|(&a, &b)| closest_on_segment(at, a, b).distance(at)).fold(f64::INFINITY, f64::min)
}

/// Why a position is not on an open polygon, if it is not.
pub(super) fn off_ground(views: &[PolygonView], position: Position) -> Option<String> {
    let Some(view) = views.get(position.floor.0 as usize) else { return Some("no polygon".into()) };
    let corners = view.on_plane();
    let edges = corners.iter().zip(corners.iter().cycle().skip(1));
    let beyond = edges.map(|(&a, &b)| -(b - a).normalize_or_zero().perp_dot(position.at - a));
    let beyond_m = beyond.fold(0.0, f64::max);
    if !view.is_open {
        Some("on a closed polygon".into())
    } else {
        (beyond_m > OFF_M).then(|| format!("{beyond_m} m beyond an edge of the polygon"))
    }
}

/// Whether one gets from a position to another one through portals that are all within some metres of the first, closed
/// ones included.
pub(super) fn is_a_step(views: &[PolygonView], from: Position, to: Position, reach_m: f64) -> bool {
    let mut found = vec![from.floor];
    let mut next = 0;
    while let Some(&FloorId(polygon)) = found.get(next) {
        if FloorId(polygon) == to.floor {
            return from.at.distance(to.at) <= reach_m;
        }
        for behind in &views[polygon as usize].behind {
            if let Behind::Portal(other) | Behind::OneWay(other) = *behind
                && !found.contains(&FloorId(other))
                && away_m(&views[other as usize], from.at) <= reach_m
            {
                found.push(FloorId(other));
            }
        }
        next += 1;
    }
    false
}

/// The open polygons of a ground as a mesh of their own.
pub(super) fn open_polygons(ground: &Surface) -> Option<Polygons> {
    let mut numbers: BTreeMap<[u64; 3], u32> = BTreeMap::new();
    let (mut vertices, mut polygons) = (Vec::new(), Vec::new());
    for view in views(ground).iter().filter(|view| view.is_open) {
        let number = |corner: &DVec3| {
            *numbers.entry(corner.to_array().map(f64::to_bits)).or_insert_with(|| {
                vertices.push(*corner);
                vertices.len() as u32 - 1
            })
        };
        let corners = view.corners.iter().map(number).collect();
        polygons.push(RawPolygon { corners, ..RawPolygon::default() });
    }
    (!polygons.is_empty()).then(|| Polygons::new(&vertices, &polygons).unwrap())
}
